//! The connection of a client, as its threads share it.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Instant;

use super::activity::{Activity, TimeLimits};

/// A connection that several threads use. It needs one file descriptor.
#[derive(Clone, Debug)]
pub(super) struct Socket(Arc<TcpStream>);

impl Socket {
    /// # Errors
    /// If the connection takes no time limit for writing. Without one, a client that does not read
    /// would keep its place for ever.
    pub(super) fn new(stream: TcpStream, limits: &TimeLimits) -> io::Result<Socket> {
        stream.set_write_timeout(Some(limits.write))?;
        // The other side waits for each line, so do not collect them.
        stream.set_nodelay(true)?;
        Ok(Socket(Arc::new(stream)))
    }

    pub(super) fn stream(&self) -> &TcpStream {
        &self.0
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.0).flush()
    }
}

/// Reads what a client sends, until the client has been silent for too long.
#[derive(Debug)]
pub(super) struct Listener {
    pub(super) socket: Socket,
    pub(super) activity: Arc<Activity>,
}

impl Read for Listener {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut stream = self.socket.stream();
        loop {
            let left = self.activity.time_left(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            // The limit becomes shorter when a search ends, so look again after the shorter one.
            stream.set_read_timeout(Some(left.min(self.activity.limits().idle)))?;
            match stream.read(buffer) {
                // Unix says "would block" when the time is over, Windows "timed out".
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock
                            | io::ErrorKind::TimedOut
                            | io::ErrorKind::Interrupted
                    ) => {}
                Err(error) => return Err(error),
                Ok(count) => {
                    if buffer[..count].contains(&b'\n') {
                        self.activity.heard(Instant::now());
                    }
                    return Ok(count);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::super::activity::Doing;
    use super::*;

    /// How long a test waits for what must happen.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn connection(limits: &TimeLimits) -> (Socket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (Socket::new(listener.accept().unwrap().0, limits).unwrap(), client)
    }

    #[test]
    fn a_client_that_does_not_read_is_given_up() {
        let write = Duration::from_millis(50);
        let limits = TimeLimits { write, ..TimeLimits::new(PATIENCE) };
        let (mut socket, _client) = connection(&limits);
        let (sender, ended) = mpsc::channel();
        thread::spawn(move || {
            while socket.write_all(&[b'x'; 1 << 16]).is_ok() {}
            let _ = sender.send(());
        });
        assert_eq!(ended.recv_timeout(PATIENCE), Ok(()));
    }

    #[test]
    fn only_whole_lines_keep_a_connection_open() {
        let idle = Duration::from_millis(200);
        let limits = TimeLimits::new(idle);
        let (socket, mut client) = connection(&limits);
        let activity = Arc::new(Activity::new(limits, Instant::now()));
        let mut listener = Listener { socket, activity };
        let (sender, ended) = mpsc::channel();
        thread::spawn(move || {
            let mut read = Vec::new();
            let end = listener.read_to_end(&mut read).map_err(|error| error.kind());
            let _ = sender.send((end, listener.activity.cut_reason().is_some()));
        });
        client.write_all(b"xboard\n").unwrap();
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let _ = client.write_all(b"x");
            if let Ok(end) = ended.recv_timeout(idle / 20) {
                assert_eq!(end, (Err(io::ErrorKind::TimedOut), true));
                return;
            }
        }
        panic!("a byte now and then keeps the connection open");
    }

    /// The client may be silent for long while it waits for a search, and not for so long afterwards.
    #[test]
    fn a_search_that_ends_shortens_the_silence_that_is_allowed() {
        let idle = Duration::from_millis(50);
        let limits = TimeLimits { search: 20 * PATIENCE, ..TimeLimits::new(idle) };
        let (socket, mut client) = connection(&limits);
        let activity = Arc::new(Activity::new(limits, Instant::now()));
        client.write_all(b"go\n").unwrap();
        let mut listener = Listener { socket, activity: Arc::clone(&activity) };
        assert_eq!(listener.read(&mut [0; 16]).unwrap(), 3);
        activity.set_doing(Doing::Waiting, Instant::now());
        let (sender, ended) = mpsc::channel();
        thread::spawn(move || {
            let end = listener.read(&mut [0; 16]).map_err(|error| error.kind());
            let _ = sender.send(end);
        });
        // Meanwhile the listener listens for longer than a client may be silent without a search.
        assert!(ended.recv_timeout(8 * idle).is_err());
        activity.set_doing(Doing::Nothing, Instant::now());
        assert_eq!(ended.recv_timeout(PATIENCE), Ok(Err(io::ErrorKind::TimedOut)));
    }
}
