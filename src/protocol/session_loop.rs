//! The threads that carry a session's lines: one reads, one writes, and the session runs between
//! them on the caller's.
//!
//! Nothing here blocks for long: a session ends when its GUI says `quit`, hangs up or stops reading, also
//! while a search runs. When a session ends, its searches stop and its threads end.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use super::session::{Event, Session};
use crate::play::{self, SearchEvent, SearchSink};
use crate::threads::{ignore_poison, lock};

/// The longest line that is read, in bytes. A longer line is dropped whole.
pub const LINE_LIMIT: usize = 64 << 10;

/// The most lines that are read ahead of the session.
const READ_AHEAD: usize = 1000;

/// The most lines that wait to be written. A GUI that leaves more lines unread counts as gone.
const UNREAD_LIMIT: usize = 100_000;

/// How long the session waits at its end for its last lines to be written.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(500);

/// How long a session that is over waits for each event of the search whose answer it owes.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The GUI said `quit`.
    Quit,
    /// There are no more lines from the GUI.
    InputClosed,
    /// A line could not be written.
    OutputClosed,
    /// The GUI has left more than 100,000 lines unread.
    TooManyUnread,
}

impl fmt::Display for SessionEnd {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            SessionEnd::Quit => "quit",
            SessionEnd::InputClosed => "hung up",
            SessionEnd::OutputClosed => "stopped reading",
            SessionEnd::TooManyUnread => "left too many lines unread",
        })
    }
}

/// Watches a session on the session's thread.
pub trait Monitor<S: Session> {
    /// A line has come from the GUI. The session handles it next.
    fn line(&mut self, _line: &[u8]) {}
    /// The session answers.
    fn reply(&mut self, _reply: &S::Reply) {}
    /// The session has handled an event. Returns what the user should know of it.
    fn handled(&mut self, _session: &mut S) -> Option<play::Message> {
        None
    }
}

/// What the session's thread receives.
enum Inbound {
    Event(Event),
    /// The GUI no longer reads our lines.
    OutputClosed,
}

/// The lines and events of a session: give [`SessionLoop::sink`] to its engine, then [`SessionLoop::run`] the
/// session.
pub struct SessionLoop {
    sender: Sender<Inbound>,
    inbox: Receiver<Inbound>,
}

impl Default for SessionLoop {
    fn default() -> SessionLoop {
        SessionLoop::new()
    }
}

impl SessionLoop {
    pub fn new() -> SessionLoop {
        let (sender, inbox) = mpsc::channel();
        SessionLoop { sender, inbox }
    }

    /// Where the session's searches send their events.
    pub fn sink(&self) -> SearchSink {
        let sender = self.sender.clone();
        Arc::new(move |event| {
            // After the session's end the events go nowhere.
            let _ = sender.send(Inbound::Event(Event::Search(event)));
        })
    }

    /// Tells the session, when called, that the GUI no longer reads its lines.
    pub fn hang_up(&self) -> impl FnOnce() + Send + 'static {
        let sender = self.sender.clone();
        move || {
            let _ = sender.send(Inbound::OutputClosed);
        }
    }

    /// Runs a session until it is over, and drops it, which stops its searches. The thread that reads
    /// ends when `input` gives its next line or its end.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn run<S, R, W>(
        self,
        mut session: S,
        input: R,
        output: W,
        monitor: &mut impl Monitor<S>,
    ) -> io::Result<SessionEnd>
    where
        S: Session,
        R: Read + Send + 'static,
        W: Write + Send + 'static,
    {
        let backlog = Arc::new(Backlog::default());
        let _guard = ClosesBacklog(&backlog);
        let watched = Arc::clone(&backlog);
        session.watch_input(Arc::new(move || watched.is_waiting()));
        let reader = Reader { sender: self.sender.clone(), backlog: Arc::clone(&backlog) };
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || reader.run(BufReader::new(input)))?;
        let to_session = self.sender.clone();
        let writer = Writer::start(output, self.sender)?;

        let mut end = SessionEnd::InputClosed;
        for inbound in &self.inbox {
            let Inbound::Event(event) = inbound else {
                end = SessionEnd::OutputClosed;
                break;
            };
            let is_eof = matches!(event, Event::Eof);
            if let Event::Line(line) = &event {
                backlog.take();
                monitor.line(line);
            }
            let flow = answer(&mut session, event, monitor, &writer);
            if let Some(message) = monitor.handled(&mut session) {
                // It waits behind the events that have already come.
                let _ =
                    to_session.send(Inbound::Event(Event::Search(SearchEvent::Message(message))));
            }
            if flow.is_break() {
                end = if is_eof { SessionEnd::InputClosed } else { SessionEnd::Quit };
                break;
            }
            if writer.is_overrun() {
                end = SessionEnd::TooManyUnread;
                break;
            }
        }
        if matches!(end, SessionEnd::Quit | SessionEnd::InputClosed) {
            last_answers(&self.inbox, &mut session, monitor, &writer);
        }
        // The searches stop before the last lines are written, which can take a moment.
        drop(session);
        writer.finish();
        Ok(end)
    }
}

/// Writes what a session that is over still owes, and what the user should know.
fn last_answers<S: Session>(
    inbox: &Receiver<Inbound>,
    session: &mut S,
    monitor: &mut impl Monitor<S>,
    writer: &Writer,
) {
    loop {
        let owes_answer = session.owes_answer();
        let next = if owes_answer {
            inbox.recv_timeout(ANSWER_TIMEOUT).ok()
        } else {
            inbox.try_recv().ok()
        };
        let Some(Inbound::Event(event)) = next else { return };
        let is_told = matches!(event, Event::Search(SearchEvent::Message(_)));
        if is_told || owes_answer && matches!(event, Event::Search(_)) {
            let _ = answer(session, event, monitor, writer);
        }
    }
}

/// Lets the session handle an event, and writes its answers.
fn answer<S: Session>(
    session: &mut S,
    event: Event,
    monitor: &mut impl Monitor<S>,
    writer: &Writer,
) -> ControlFlow<()> {
    let now = session.now();
    session.handle(event, now, &mut |reply| {
        monitor.reply(&reply);
        writer.write(reply.to_string());
    })
}

/// Counts the lines that have been read and not yet handled. The reader waits when there are too
/// many, so a flood stays in the pipe and does not fill the memory.
#[derive(Default)]
struct Backlog {
    state: Mutex<BacklogState>,
    changed: Condvar,
}

#[derive(Default)]
struct BacklogState {
    lines: usize,
    /// All lines have been read.
    has_ended: bool,
    /// The session is over: no more lines are handled.
    is_closed: bool,
}

impl Backlog {
    /// Adds a line, and waits for room first. Returns false if the session is over.
    fn put(&self) -> bool {
        let state = lock(&self.state);
        let is_full = |state: &mut BacklogState| state.lines >= READ_AHEAD && !state.is_closed;
        let mut state = ignore_poison(self.changed.wait_while(state, is_full));
        state.lines += 1;
        !state.is_closed
    }

    /// There are no more lines.
    fn end(&self) {
        lock(&self.state).has_ended = true;
    }

    /// Does a line, or the end of the input, wait for the session?
    fn is_waiting(&self) -> bool {
        let state = lock(&self.state);
        state.lines > 0 || state.has_ended
    }

    fn take(&self) {
        lock(&self.state).lines -= 1;
        self.changed.notify_one();
    }

    fn close(&self) {
        lock(&self.state).is_closed = true;
        self.changed.notify_one();
    }
}

/// Closes the backlog when the session ends in any way. Without this, a reader that waits for room
/// would wait for ever.
struct ClosesBacklog<'a>(&'a Backlog);

impl Drop for ClosesBacklog<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

struct Reader {
    sender: Sender<Inbound>,
    backlog: Arc<Backlog>,
}

impl Reader {
    fn run(self, mut input: impl BufRead) {
        loop {
            let event = match read_line(&mut input) {
                Ok(Some(Line::Whole(_))) if !self.backlog.put() => return,
                Ok(Some(Line::Whole(line))) => Event::Line(line),
                Ok(Some(Line::Overlong)) => Event::Overlong,
                Ok(None) | Err(_) => {
                    self.backlog.end();
                    Event::Eof
                }
            };
            let is_last = matches!(event, Event::Eof);
            if self.sender.send(Inbound::Event(event)).is_err() || is_last {
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
        session: Sender<Inbound>,
    ) -> io::Result<Writer> {
        let (lines, outbox) = mpsc::channel::<String>();
        let (done_sender, done) = mpsc::channel();
        let unread = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&unread);
        thread::Builder::new().name("writer".to_owned()).spawn(move || {
            for mut line in outbox {
                line.push('\n');
                if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
                    let _ = session.send(Inbound::OutputClosed);
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

#[cfg(test)]
mod tests;
