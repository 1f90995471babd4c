//! A reader with a limited rate.

use std::io::{self, Read};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that may come at once before the rate limit applies: more than a GUI sends in a game.
const BURST: f64 = 256.0 * 1024.0;
/// Bytes per second after that.
const RATE: f64 = 16.0 * 1024.0;

/// Wraps a reader. A client that sends too much waits; other clients do not.
pub(super) struct Throttle<R> {
    input: R,
    /// Bytes that may be read now (a token bucket).
    allowed: f64,
    filled: Instant,
}

impl<R> Throttle<R> {
    pub(super) fn new(input: R) -> Throttle<R> {
        Throttle { input, allowed: BURST, filled: Instant::now() }
    }
}

impl<R: Read> Read for Throttle<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let now = Instant::now();
        let elapsed = now.duration_since(self.filled).as_secs_f64();
        self.allowed = (self.allowed + elapsed * RATE).min(BURST);
        self.filled = now;
        if self.allowed < 1.0 {
            thread::sleep(Duration::from_secs_f64((1.0 - self.allowed) / RATE));
        }
        let read = self.input.read(buffer)?;
        self.allowed -= read as f64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_was_sent() {
        let sent: Vec<u8> = (0..100_000u32).map(|n| n as u8).collect();
        let mut read = Vec::new();
        Throttle::new(sent.as_slice()).read_to_end(&mut read).unwrap();
        assert_eq!(read, sent);
    }

    #[test]
    fn the_allowance_shrinks_by_what_is_read() {
        let mut throttle = Throttle::new(io::repeat(b'x'));
        let mut buffer = vec![0; 10_000];
        throttle.read_exact(&mut buffer).unwrap();
        assert!(throttle.allowed <= BURST - 10_000.0 + RATE, "{}", throttle.allowed);
    }
}
