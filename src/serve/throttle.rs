//! A reader with a limited rate.

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// Bytes that may come at once before the rate limit applies: more than a GUI sends in a game.
const BURST: f64 = 256.0 * 1024.0;
/// Bytes per second after that.
const RATE: f64 = 16.0 * 1024.0;

/// Wraps a reader. A client that sends too much waits; other clients do not.
pub(super) struct Throttle<R, P> {
    input: R,
    pause: P,
    /// Bytes that may be read now (a token bucket). Negative after a read that took more.
    allowed: f64,
    filled: Instant,
}

impl<R, P: FnMut(Duration)> Throttle<R, P> {
    /// Limits a reader; `pause` waits.
    pub(super) fn new(input: R, pause: P) -> Throttle<R, P> {
        Throttle { input, pause, allowed: BURST, filled: Instant::now() }
    }

    /// How long to wait before the next read.
    fn wait(&mut self, now: Instant) -> Duration {
        let elapsed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.allowed = (self.allowed + elapsed * RATE).min(BURST);
        self.filled = now;
        Duration::from_secs_f64((1.0 - self.allowed).max(0.0) / RATE)
    }
}

impl<R: Read, P: FnMut(Duration)> Read for Throttle<R, P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wait = self.wait(Instant::now());
        if !wait.is_zero() {
            (self.pause)(wait);
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
        Throttle::new(sent.as_slice(), |_| {}).read_to_end(&mut read).unwrap();
        assert_eq!(read, sent);
    }

    #[test]
    fn a_burst_is_free_and_then_each_byte_takes_its_time() {
        let (mut paused, filled) = (Vec::new(), Instant::now() + Duration::from_secs(3600));
        let pause = |time: Duration| paused.push(time.as_millis());
        // The clock stands still: `filled` lies in the future.
        let mut throttle = Throttle { input: io::repeat(b'x'), pause, allowed: BURST, filled };
        let mut chunk = vec![0; RATE as usize];
        for _ in 0..18 {
            throttle.filled = filled;
            assert_eq!(throttle.read(&mut chunk).unwrap(), chunk.len());
        }
        assert_eq!(paused, [0, 1000], "in milliseconds");
    }

    #[test]
    fn a_client_that_waits_may_send_again_but_not_more_than_a_burst() {
        let start = Instant::now();
        let mut throttle = Throttle::new(io::empty(), |_| {});
        (throttle.allowed, throttle.filled) = (-RATE, start);
        assert_eq!(throttle.wait(start + Duration::from_secs(3)), Duration::ZERO);
        assert_eq!(throttle.allowed, 2.0 * RATE);
        assert_eq!(throttle.wait(start + Duration::from_secs(3000)), Duration::ZERO);
        assert_eq!(throttle.allowed, BURST);
    }
}
