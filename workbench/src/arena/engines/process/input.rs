//! An engine's standard input.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::super::stop_signal::StopSignal;
use super::STOP_INTERVAL;

/// The pipe to an engine. A thread of its own writes to it, because a write into a full pipe takes until
/// the engine reads. Dropping it closes the pipe.
pub struct Input {
    to_writer: Sender<Vec<u8>>,
    written: Receiver<io::Result<()>>,
    /// Does the thread still write what it was given?
    is_busy: bool,
}

/// Why something could not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// Nobody can read it any more.
    Closed,
    /// The pipe is full and the engine has not read in time.
    Full,
    /// The stop signal was given meanwhile.
    Stopped,
}

impl Input {
    /// # Errors
    /// If the thread cannot be started.
    pub fn new(mut pipe: impl Write + Send + 'static) -> io::Result<Input> {
        let (to_writer, texts) = channel::<Vec<u8>>();
        let (report, written) = channel();
        let write = move || {
            for text in texts {
                let result = pipe.write_all(&text);
                let has_failed = result.is_err();
                if report.send(result).is_err() || has_failed {
                    return;
                }
            }
        };
        thread::Builder::new().name("engine writer".to_owned()).spawn(write)?;
        Ok(Input { to_writer, written, is_busy: false })
    }

    /// Writes all bytes. What could not be written in time is still written if the engine reads later.
    ///
    /// # Errors
    /// If the engine has closed the pipe, does not read for as long as `timeout`, or the signal is given.
    pub fn write(
        &mut self,
        bytes: &[u8],
        timeout: Duration,
        stop: &StopSignal,
    ) -> Result<(), WriteError> {
        let deadline = Instant::now() + timeout;
        self.finish(deadline, stop)?;
        self.to_writer.send(bytes.to_vec()).map_err(|_| WriteError::Closed)?;
        self.is_busy = true;
        self.finish(deadline, stop)
    }

    /// Waits until the thread has written everything.
    fn finish(&mut self, deadline: Instant, stop: &StopSignal) -> Result<(), WriteError> {
        while self.is_busy {
            let wait = deadline.saturating_duration_since(Instant::now()).min(STOP_INTERVAL);
            match self.written.recv_timeout(wait) {
                Ok(Ok(())) => self.is_busy = false,
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(WriteError::Closed),
                Err(RecvTimeoutError::Timeout) if stop.is_stopped() => {
                    return Err(WriteError::Stopped);
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    return Err(WriteError::Full);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than any pipe holds.
    const LARGE: usize = 1 << 20;

    #[test]
    fn a_reader_that_does_not_read_costs_only_the_timeout() {
        let (mut reader, pipe) = io::pipe().unwrap();
        let mut input = Input::new(pipe).unwrap();
        let (stop, timeout) = (StopSignal::default(), Duration::from_millis(50));
        assert_eq!(input.write(&vec![b'x'; LARGE], timeout, &stop), Err(WriteError::Full));
        assert_eq!(input.write(b"more", timeout, &stop), Err(WriteError::Full));
        // Then it reads after all. Only what was begun has been written.
        let reading = thread::spawn(move || io::copy(&mut reader, &mut io::sink()).unwrap());
        assert_eq!(input.write(b"end", Duration::from_secs(60), &stop), Ok(()));
        drop(input);
        assert_eq!(reading.join().unwrap(), LARGE as u64 + 3);
    }

    #[test]
    fn the_signal_ends_a_write_that_waits() {
        let (_reader, pipe) = io::pipe().unwrap();
        let mut input = Input::new(pipe).unwrap();
        let stop = StopSignal::default();
        let minute = Duration::from_secs(60);
        stop.stop();
        assert_eq!(input.write(&vec![b'x'; LARGE], minute, &stop), Err(WriteError::Stopped));
    }

    /// A slice without room fails as a closed pipe does. A real pipe whose reader was dropped is not closed
    /// while a process that another test starts has not let go of its copy.
    #[test]
    fn a_closed_pipe_is_an_error() {
        let mut input = Input::new(<&mut [u8]>::default()).unwrap();
        let (stop, minute) = (StopSignal::default(), Duration::from_secs(60));
        assert_eq!(input.write(b"x", minute, &stop), Err(WriteError::Closed));
        assert_eq!(input.write(b"x", minute, &stop), Err(WriteError::Closed));
    }
}
