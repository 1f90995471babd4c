//! The threads that carry a session's lines: one reads, one writes, and the session runs between
//! them on the caller's.
//!
//! Nothing here blocks for long: a session ends at once when its GUI says `quit`, hangs up or stops
//! reading, also while a search runs.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::session::{Event, Session};
use crate::play::SearchSink;
use crate::threads::{ignore_poison, lock};

/// The longest line that is read, in bytes. A longer line is dropped whole.
pub const LINE_LIMIT: usize = 64 << 10;

/// The most lines that are read ahead of the session.
const READ_AHEAD: usize = 1000;

/// The most lines that wait to be written. A GUI that leaves more lines unread counts as gone.
const UNREAD_LIMIT: usize = 100_000;

/// How long the session waits at its end for its last lines to be written.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(50);

/// What the session's thread receives.
enum Message {
    Event(Event),
    /// The GUI no longer reads our lines.
    OutputClosed,
}

/// The lines and events of a session: give [`Wire::sink`] to its engine, then [`Wire::run`] the
/// session.
pub struct Wire {
    sender: Sender<Message>,
    inbox: Receiver<Message>,
}

impl Default for Wire {
    fn default() -> Wire {
        Wire::new()
    }
}

impl Wire {
    pub fn new() -> Wire {
        let (sender, inbox) = mpsc::channel();
        Wire { sender, inbox }
    }

    /// Where the session's searches send their events.
    pub fn sink(&self) -> SearchSink {
        let sender = self.sender.clone();
        Arc::new(move |event| {
            // After the session's end the events go nowhere.
            let _ = sender.send(Message::Event(Event::Search(event)));
        })
    }

    /// Tells the session, when called, that the GUI no longer reads its lines.
    pub fn hang_up(&self) -> impl FnOnce() + Send + 'static {
        let sender = self.sender.clone();
        move || {
            let _ = sender.send(Message::OutputClosed);
        }
    }

    /// Runs a session until it is over. `on_log_request` gets the file for the run log when an option
    /// has named one.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn run<R, W>(
        self,
        session: &mut Session,
        input: R,
        output: W,
        mut on_log_request: impl FnMut(&str),
    ) -> io::Result<()>
    where
        R: Read + Send + 'static,
        W: Write + Send + 'static,
    {
        let backlog = Arc::new(Backlog::default());
        let reader = Reader { sender: self.sender.clone(), backlog: Arc::clone(&backlog) };
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || reader.run(BufReader::new(input)))?;
        let writer = Writer::start(output, self.sender)?;

        for message in self.inbox {
            let Message::Event(event) = message else { break };
            if let Event::Line(line) = &event {
                backlog.take();
                log::info!(target: "wire", "> {}", String::from_utf8_lossy(line.trim_ascii_end()));
            }
            let flow =
                session.handle(event, Instant::now(), &mut |reply| writer.write(reply.to_string()));
            if let Some(file) = session.take_log_request() {
                on_log_request(&file);
            }
            if flow.is_break() || writer.is_overrun() {
                break;
            }
        }
        writer.finish();
        Ok(())
    }
}

/// Counts the lines that have been read and not yet handled. The reader waits when there are too
/// many, so a flood stays in the pipe and does not fill the memory.
#[derive(Default)]
struct Backlog {
    lines: Mutex<usize>,
    taken: Condvar,
}

impl Backlog {
    fn put(&self) {
        let lines = lock(&self.lines);
        let full = |lines: &mut usize| *lines >= READ_AHEAD;
        let mut lines = ignore_poison(self.taken.wait_while(lines, full));
        *lines += 1;
    }

    fn take(&self) {
        *lock(&self.lines) -= 1;
        self.taken.notify_one();
    }
}

struct Reader {
    sender: Sender<Message>,
    backlog: Arc<Backlog>,
}

impl Reader {
    fn run(self, mut input: impl BufRead) {
        loop {
            let event = match read_line(&mut input) {
                Ok(Some(Line::Whole(line))) => {
                    self.backlog.put();
                    Event::Line(line)
                }
                Ok(Some(Line::Overlong)) => Event::Overlong,
                Ok(None) | Err(_) => Event::Eof,
            };
            let is_last = matches!(event, Event::Eof);
            if self.sender.send(Message::Event(event)).is_err() || is_last {
                return;
            }
        }
    }
}

enum Line {
    Whole(Vec<u8>),
    Overlong,
}

/// The next line without its end; `None` at the end of the input. The last line may lack its end.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut is_overlong = false;
    let mut has_begun = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        is_overlong |= line.len() + part.len() > LINE_LIMIT;
        if !is_overlong {
            line.extend_from_slice(part);
        }
        let is_eof = chunk.is_empty();
        has_begun |= !is_eof;
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if is_eof && !has_begun {
            return Ok(None);
        }
        if is_eof || end.is_some() {
            return Ok(Some(if is_overlong { Line::Overlong } else { Line::Whole(line) }));
        }
    }
}

/// The only place that writes lines.
struct Writer {
    lines: Sender<String>,
    /// Lines sent and not yet written.
    unread: Arc<AtomicUsize>,
    done: Receiver<()>,
}

impl Writer {
    fn start(
        mut output: impl Write + Send + 'static,
        session: Sender<Message>,
    ) -> io::Result<Writer> {
        let (lines, outbox) = mpsc::channel::<String>();
        let (done_sender, done) = mpsc::channel();
        let unread = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&unread);
        thread::Builder::new().name("writer".to_owned()).spawn(move || {
            for mut line in outbox {
                line.push('\n');
                if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
                    let _ = session.send(Message::OutputClosed);
                    break;
                }
                counter.fetch_sub(1, Ordering::Relaxed);
            }
            // This tells `Writer::finish` that all is written.
            drop(done_sender);
        })?;
        Ok(Writer { lines, unread, done })
    }

    fn write(&self, line: String) {
        log::info!(target: "wire", "< {line}");
        self.unread.fetch_add(1, Ordering::Relaxed);
        // This fails only after a write error, which ends the session anyway.
        let _ = self.lines.send(line);
    }

    fn is_overrun(&self) -> bool {
        self.unread.load(Ordering::Relaxed) > UNREAD_LIMIT
    }

    /// Waits a moment for the last lines to be written.
    fn finish(self) {
        drop(self.lines);
        let _ = self.done.recv_timeout(FLUSH_TIMEOUT);
    }
}

/// Calls `gone` when the reader of standard output has closed it. Without this, a search that
/// prints nothing would notice late.
#[cfg(unix)]
pub fn watch_stdout(gone: impl FnOnce() + Send + 'static) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let watch = move || {
        let stdout = io::stdout();
        // Asks for no events, so that only an error or a hang-up ends the wait.
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        let ended = loop {
            match poll(&mut watched, None) {
                Err(Errno::INTR) => {}
                ended => break ended,
            }
        };
        if ended.is_ok() {
            gone();
        }
    };
    // Best effort: without this thread, the next write notices.
    let _ = thread::Builder::new().name("watch".to_owned()).spawn(watch);
}

#[cfg(not(unix))]
pub fn watch_stdout(_gone: impl FnOnce() + Send + 'static) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Option<String>> {
        // A tiny buffer, so that lines come in pieces.
        let mut input = BufReader::with_capacity(3, input);
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(match line {
                Line::Whole(line) => Some(String::from_utf8_lossy(&line).into_owned()),
                Line::Overlong => None,
            });
        }
        lines
    }

    #[test]
    fn lines_are_cut_at_newlines_alone() {
        let line = |text: &str| Some(text.to_owned());
        assert_eq!(
            lines(b"exit\nforce\r\n\nquit"),
            [line("exit"), line("force\r"), line(""), line("quit")]
        );
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\0b\n"), [line("a\0b")]);
    }

    #[test]
    fn overlong_lines_are_dropped_whole() {
        let mut input = vec![b'x'; LINE_LIMIT + 1];
        input.extend_from_slice(b"\nping 1\n");
        input.extend(vec![b'y'; LINE_LIMIT]);
        assert_eq!(lines(&input), [None, Some("ping 1".to_owned()), Some("y".repeat(LINE_LIMIT))]);
    }
}
