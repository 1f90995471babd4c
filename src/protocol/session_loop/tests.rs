//! Tests of the loop with scripted input and searches.

use std::ops::ControlFlow;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;

use super::*;
use crate::cecp::session::{CecpSession, FIRST_VARIANT};
use crate::play::{Engine, EngineSettings, Host, IsWanted, ResourceLimits, SearchEvent};
use crate::protocol::options::SessionSettings;
use crate::types::Moment;

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a test waits for what must not happen.
const MOMENT: Duration = Duration::from_millis(100);

struct NoMonitor;

impl<S: Session> Monitor<S> for NoMonitor {}

fn session(sink: SearchSink) -> CecpSession {
    let settings = EngineSettings { hash: 1, ..EngineSettings::default() };
    let host = Host::native(ResourceLimits::OWNER, sink);
    CecpSession::new(Engine::new(FIRST_VARIANT, settings, host), SessionSettings::default())
}

/// A pipe's end that waits as long as the other end exists.
struct Stuck(Receiver<()>);

impl Read for Stuck {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        let _ = self.0.recv();
        Ok(0)
    }
}

impl Write for Stuck {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        let _ = self.0.recv();
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs a session on these lines, which it gets at once. The output takes nothing while the
/// returned sender exists.
fn run_unread(lines: String) -> SessionEnd {
    let (_output_end, output) = mpsc::channel();
    let session_loop = SessionLoop::new();
    let session = session(session_loop.sink());
    session_loop.run(session, io::Cursor::new(lines), Stuck(output), &mut NoMonitor).unwrap()
}

#[test]
fn a_session_tells_why_it_is_over() {
    assert_eq!(run_unread("ping 1\nquit\nping 2\n".to_owned()), SessionEnd::Quit);
    assert_eq!(run_unread("ping 1\n".to_owned()), SessionEnd::InputClosed);
    let session_loop = SessionLoop::new();
    let session = session(session_loop.sink());
    session_loop.hang_up()();
    let end = session_loop.run(session, io::empty(), io::sink(), &mut NoMonitor).unwrap();
    assert_eq!(end, SessionEnd::OutputClosed);
}

#[test]
fn too_many_unread_lines_end_a_session() {
    let pings = |count| "ping 1\n".repeat(count);
    assert_eq!(run_unread(pings(UNREAD_LIMIT - 1)), SessionEnd::InputClosed);
    assert_eq!(run_unread(pings(UNREAD_LIMIT + 2)), SessionEnd::TooManyUnread);
}

/// However a session ends, its search reports its end.
#[test]
fn the_search_stops_with_the_session() {
    for (ending, end) in [
        ("quit\n".to_owned(), SessionEnd::Quit),
        (String::new(), SessionEnd::InputClosed),
        ("ping 1\n".repeat(UNREAD_LIMIT + 2), SessionEnd::TooManyUnread),
    ] {
        let session_loop = SessionLoop::new();
        let (to_session, (sender, events)) = (session_loop.sink(), mpsc::channel());
        let session = session(Arc::new(move |event| {
            if matches!(event, SearchEvent::Finished(..)) {
                let _ = sender.send(());
            }
            to_session(event);
        }));
        let (_output_end, output) = mpsc::channel();
        let input = io::Cursor::new(format!("analyze\n{ending}"));
        assert_eq!(session_loop.run(session, input, Stuck(output), &mut NoMonitor).unwrap(), end);
        assert_eq!(events.recv_timeout(PATIENCE), Ok(()), "the search goes on after {end:?}");
    }
}

#[test]
fn a_search_stops_when_its_session_is_dropped() {
    let (sender, events) = mpsc::channel();
    let mut session = session(Arc::new(move |event| {
        if matches!(event, SearchEvent::Finished(..)) {
            let _ = sender.send(());
        }
    }));
    let flow = session.handle(Event::Line(b"analyze".into()), Moment::START, &mut |_| {});
    assert!(flow.is_continue() && session.is_searching());
    drop(session);
    assert_eq!(events.recv_timeout(PATIENCE), Ok(()));
}

#[test]
fn the_reader_is_not_far_ahead_of_the_session() {
    let (sender, inbox) = mpsc::channel();
    let backlog = Arc::new(Backlog::default());
    let reader = Reader { sender, backlog: Arc::clone(&backlog) };
    let lines = "ping 1\n".repeat(2 * READ_AHEAD);
    let thread = thread::spawn(move || reader.run(lines.as_bytes()));
    for _ in 0..READ_AHEAD {
        inbox.recv_timeout(PATIENCE).unwrap();
    }
    assert_eq!(inbox.recv_timeout(MOMENT).err(), Some(RecvTimeoutError::Timeout));
    backlog.take();
    inbox.recv_timeout(PATIENCE).unwrap();
    assert_eq!(inbox.recv_timeout(MOMENT).err(), Some(RecvTimeoutError::Timeout));
    // The session ends while the reader waits.
    drop(ClosesBacklog(&backlog));
    assert_eq!(inbox.recv_timeout(PATIENCE).err(), Some(RecvTimeoutError::Disconnected));
    thread.join().unwrap();
}

/// The session ends while the reader waits for room.
#[test]
fn the_reader_ends_with_the_session() {
    struct Slow;
    impl<S: Session> Monitor<S> for Slow {
        fn line(&mut self, _: &[u8]) {
            thread::sleep(MOMENT);
        }
    }
    let (sender, ended) = mpsc::channel();
    let lines = format!("quit\n{}", "\n".repeat(5 * READ_AHEAD));
    let input = DropTold { input: io::Cursor::new(lines), sender };
    let session_loop = SessionLoop::new();
    let session = session(session_loop.sink());
    assert_eq!(session_loop.run(session, input, io::sink(), &mut Slow).unwrap(), SessionEnd::Quit);
    assert_eq!(ended.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
}

/// An input that closes a channel when it is dropped.
struct DropTold<R> {
    input: R,
    #[expect(dead_code, reason = "dropping it is its use")]
    sender: Sender<()>,
}

impl<R: Read> Read for DropTold<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

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

/// What a session does while it is told one line.
struct Watching<F> {
    is_waiting: Option<IsWanted>,
    at_line: F,
}

impl<F: FnMut(&IsWanted)> Session for Watching<F> {
    type Reply = String;

    fn now(&self) -> Moment {
        Moment::START
    }

    fn handle(&mut self, event: Event, _: Moment, _: &mut dyn FnMut(String)) -> ControlFlow<()> {
        match event {
            Event::Eof => return ControlFlow::Break(()),
            _ => (self.at_line)(self.is_waiting.as_ref().expect("told at the start")),
        }
        ControlFlow::Continue(())
    }

    fn watch_input(&mut self, is_waiting: IsWanted) {
        self.is_waiting = Some(is_waiting);
    }

    fn take_log_request(&mut self) -> Option<String> {
        None
    }
}

#[test]
fn a_session_can_ask_whether_more_input_waits() {
    let begins_to_wait = |is_waiting: &IsWanted| {
        let start = Instant::now();
        while !is_waiting() {
            assert!(start.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(1));
        }
    };
    // The end of the input waits.
    let (input_end, input) = mpsc::channel();
    let mut input_end = Some(input_end);
    let at_line = |is_waiting: &IsWanted| {
        assert!(!is_waiting());
        input_end = None;
        begins_to_wait(is_waiting);
    };
    let session = Watching { is_waiting: None, at_line };
    let input = b"one\n".as_slice().chain(Stuck(input));
    let end = SessionLoop::new().run(session, input, io::sink(), &mut NoMonitor).unwrap();
    assert_eq!(end, SessionEnd::InputClosed);
    // A line waits.
    let (input_end, input) = mpsc::channel();
    let mut lines = vec![Some(input_end), None];
    let at_line = |is_waiting: &IsWanted| match lines.pop() {
        Some(None) => begins_to_wait(is_waiting),
        _ => assert!(!is_waiting()),
    };
    let session = Watching { is_waiting: None, at_line };
    let input = b"one\ntwo\n".as_slice().chain(Stuck(input));
    let end = SessionLoop::new().run(session, input, io::sink(), &mut NoMonitor).unwrap();
    assert_eq!(end, SessionEnd::InputClosed);
}
