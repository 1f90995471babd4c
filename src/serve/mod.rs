//! `trebuchet serve`: CECP and UCI over TCP, one session for each connection.
//!
//! Sessions share nothing but the machine: each has its own engine and threads. The memory and the
//! threads of a session are bounded, and its options name no files. A client that is silent or does
//! not read is disconnected; one that sends too much waits.

mod activity;
mod client_monitor;
mod seats;
mod server_log;
mod socket;
mod throttle;

use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use clap::builder::OsStringValueParser;

use crate::cecp::session::FIRST_VARIANT;
use crate::dialogue::Dialogue;
use crate::play::{Engine, EngineSettings, Host, ResourceLimits, SearchSink, Stage};
use crate::protocol::options::SessionSettings;
use crate::protocol::session_loop::{SessionEnd, SessionLoop};

use activity::{Activity, TimeLimits};
use client_monitor::ClientMonitor;
use seats::{ClientId, Seat, Seats};
use socket::{Listener, Socket};
use throttle::Throttle;

/// Play over TCP: one session of CECP or UCI for each connection, such as xboard -fcp "nc HOST PORT".
#[derive(Clone, Debug, clap::Args)]
pub struct ServeArgs {
    /// The address to listen on, such as localhost:4040; with port 0 the system chooses one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:4040")]
    listen: String,
    /// The most clients at a time
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    connections: u16,
    /// The most clients with the same address at a time; clients on this machine have no such limit
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    per_address: u16,
    /// The largest transposition table of a session, in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// The largest number of search threads of a session
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    cores: u16,
    /// Seconds of silence after which a client is disconnected; twice as many if it waits for a search
    #[arg(long, default_value_t = 1800, value_parser = clap::value_parser!(u32).range(1..))]
    idle: u32,
    /// How moves are chosen unless a client says otherwise: pawns, random or full
    #[arg(long, default_value_t)]
    stage: Stage,
    /// Write a log of connections and games into a new file in this folder
    // Clap's own parser of paths refuses an empty value and ends the program.
    #[arg(long, value_name = "DIR", env = "TREBUCHET_LOG", value_parser = OsStringValueParser::new())]
    log: Option<OsString>,
}

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on {address}: {source}")]
    Listen { address: String, source: io::Error },
    #[error("cannot write a log in {folder}: {source}")]
    Log { folder: String, source: io::Error },
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

/// The wait after a failed accept, so that a lasting failure does not keep the processor busy.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Runs the tool; it serves until it is killed.
///
/// # Errors
/// If the address cannot be listened on, or the log or standard output cannot be written.
pub fn run(args: &ServeArgs) -> Result<(), ServeError> {
    let folder = args.log.as_deref().filter(|folder| !folder.is_empty()).map(Path::new);
    server_log::init(folder).map_err(|source| {
        let folder = folder.map_or_else(String::new, |folder| folder.display().to_string());
        ServeError::Log { folder, source }
    })?;
    let listener = TcpListener::bind(&args.listen)
        .map_err(|source| ServeError::Listen { address: args.listen.clone(), source })?;
    let mut out = io::stdout().lock();
    writeln!(out, "listening on {}", listener.local_addr()?)?;
    out.flush()?;
    drop(out);
    Server::new(args).serve(&listener);
    Ok(())
}

/// The server: its places and the sessions that it starts.
struct Server {
    args: ServeArgs,
    limits: TimeLimits,
    seats: Arc<Seats>,
    /// The number of clients so far.
    clients: ClientId,
}

impl Server {
    fn new(args: &ServeArgs) -> Server {
        Server {
            limits: TimeLimits::new(Duration::from_secs(u64::from(args.idle))),
            seats: Arc::new(Seats::new(
                usize::from(args.connections),
                usize::from(args.per_address),
            )),
            args: args.clone(),
            clients: 0,
        }
    }

    fn serve(&mut self, listener: &TcpListener) {
        let mut was_accepted = true;
        loop {
            match listener.accept() {
                // The connection may be gone already; the session notices.
                Ok((stream, address)) => {
                    was_accepted = true;
                    self.welcome(stream, address);
                }
                Err(error) => {
                    // A lasting failure is logged once.
                    if std::mem::take(&mut was_accepted) {
                        log::warn!("a connection has failed: {error}");
                    }
                    thread::sleep(ACCEPT_PAUSE);
                }
            }
        }
    }

    /// Gives the client a session on threads of its own, or tells it that all places are taken.
    fn welcome(&mut self, stream: TcpStream, address: SocketAddr) {
        let now = Instant::now();
        let Ok(mut socket) = Socket::new(stream, &self.limits) else { return };
        let activity = Arc::new(Activity::new(self.limits, now));
        let client = self.clients + 1;
        let seat =
            self.seats.take(client, address.ip(), Arc::clone(&activity), socket.clone(), now);
        let seat = match seat {
            Ok(seat) => seat,
            Err(refusal) => {
                log::info!("{address}: refused, {refusal}");
                // Best effort: one line fits into the socket's buffer.
                let _ = socket.stream().set_nonblocking(true);
                let _ = writeln!(socket, "tellusererror No place: {refusal}, try again later");
                return;
            }
        };
        self.clients = client;
        let (taken, places) = (self.seats.taken(), self.args.connections);
        log::info!("client {client}: connected from {address}, {taken} of {places} places taken");
        let visit = Visit { client, args: self.args.clone(), socket, activity, _seat: seat };
        let thread = thread::Builder::new().name("session".to_owned());
        if let Err(error) = thread.spawn(move || visit.play()) {
            // Dropping the closure has closed the connection and freed the place.
            log::warn!("client {client}: no thread for its session: {error}");
        }
    }
}

/// One client's visit.
struct Visit {
    client: ClientId,
    args: ServeArgs,
    socket: Socket,
    activity: Arc<Activity>,
    _seat: Seat,
}

impl Visit {
    /// Runs the session to its end.
    fn play(mut self) {
        let start = Instant::now();
        let mut monitor = ClientMonitor::new(self.client, Arc::clone(&self.activity));
        let end = self.run_session(&mut monitor);
        let reason = match (end, self.activity.cut_reason()) {
            (Err(error), _) => error.to_string(),
            (Ok(SessionEnd::InputClosed), Some(cut)) => {
                // Best effort: a client that is not there does not read it.
                let _ = writeln!(self.socket, "{}", self.activity.farewell(cut));
                cut.to_string()
            }
            (Ok(end), _) => end.to_string(),
        };
        // This ends the threads that read and write.
        let _ = self.socket.stream().shutdown(Shutdown::Both);
        let (client, seconds, games) = (self.client, start.elapsed().as_secs(), monitor.games());
        log::info!("client {client}: gone after {seconds} s, games: {games}, reason: {reason}");
    }

    fn run_session(&self, monitor: &mut ClientMonitor) -> io::Result<SessionEnd> {
        let session_loop = SessionLoop::new();
        let session = self.args.session(session_loop.sink());
        session_loop.run(session, self.input(thread::sleep), self.socket.clone(), monitor)
    }

    /// What the client sends, and no faster than it may. `pause` waits.
    fn input<P: FnMut(Duration)>(&self, pause: P) -> Throttle<Listener, P> {
        let (socket, activity) = (self.socket.clone(), Arc::clone(&self.activity));
        Throttle::new(Listener { socket, activity }, pause)
    }
}

impl ServeArgs {
    /// A session within the limits.
    fn session(&self, sink: SearchSink) -> Dialogue {
        let hash = usize::from(self.hash);
        let threads = usize::from(self.cores).min(ResourceLimits::of_this_machine().threads);
        let limits = ResourceLimits { files: false, hash, threads };
        let settings = EngineSettings { stage: self.stage, hash, ..EngineSettings::default() };
        let engine = Engine::new(FIRST_VARIANT, settings, Host::native(limits, sink));
        Dialogue::new(engine, SessionSettings::default())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read};

    use super::*;
    use crate::protocol::session::{Event, Session};
    use crate::tablebase::TablePaths;
    use crate::types::Moment;

    /// How long a test waits for what must happen.
    const PATIENCE: Duration = Duration::from_secs(60);
    const LONG: Duration = Duration::from_secs(3600);

    fn args(connections: u16) -> ServeArgs {
        ServeArgs {
            listen: "localhost:0".to_owned(),
            connections,
            per_address: 1,
            hash: 2,
            cores: 1,
            idle: 3600,
            stage: Stage::Full,
            log: None,
        }
    }

    /// Starts a server in this process that goes on until the tests end.
    fn start(args: &ServeArgs, limits: TimeLimits) -> SocketAddr {
        let listener = TcpListener::bind(&args.listen).unwrap();
        let address = listener.local_addr().unwrap();
        let mut server = Server { limits, ..Server::new(args) };
        thread::spawn(move || server.serve(&listener));
        address
    }

    fn connect(address: SocketAddr) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        BufReader::new(stream)
    }

    /// Sends lines, and returns the next line from the server.
    fn ask(client: &mut BufReader<TcpStream>, lines: &str) -> String {
        client.get_mut().write_all(lines.as_bytes()).unwrap();
        next_line(client)
    }

    fn next_line(client: &mut BufReader<TcpStream>) -> String {
        let mut line = String::new();
        client.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    #[test]
    fn a_session_keeps_to_the_limits_for_memory_threads_and_files() {
        let mut session = args(1).session(Arc::new(|_| {}));
        for line in ["memory 1000", "cores 64", "option Hash=900", "option LogFile=/tmp/x"] {
            let flow = session.handle(Event::Line(line.into()), Moment::START, &mut |_| {});
            assert!(flow.is_continue());
        }
        let settings = session.engine().settings();
        assert_eq!((settings.hash, settings.threads), (2, 1));
        assert_eq!(session.take_log_request(), None);
    }

    /// A folder that exists, and a file.
    #[test]
    fn a_client_cannot_make_the_engine_read_what_lies_on_the_host() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let mut session = args(1).session(Arc::new(|_| {}));
        for line in [
            format!("egtpath syzygy {folder}"),
            format!("egtpath trebuchet {folder}"),
            format!("option SyzygyPath={folder}"),
            format!("option ThreeCheckPath={folder}"),
            format!("option BookFile={file}"),
            format!("option EvalFile={file}"),
        ] {
            let flow = session.handle(Event::Line(line.into()), Moment::START, &mut |_| {});
            assert!(flow.is_continue());
        }
        let settings = session.engine().settings();
        assert_eq!(settings.tables, TablePaths::default());
        assert_eq!((&*settings.book.file, &*settings.network_file), ("", ""));
    }

    #[test]
    fn a_client_of_uci_keeps_to_the_limits_too() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let mut session = args(1).session(Arc::new(|_| {}));
        let names = ["BookFile", "SyzygyPath", "ThreeCheckPath", "EvalFile", "LogFile"];
        let files = names.map(|name| format!("setoption name {name} value {file}"));
        let sizes =
            ["Hash value 900", "Threads value 64"].map(|text| format!("setoption name {text}"));
        let mut said = Vec::new();
        for line in ["uci".to_owned()].into_iter().chain(files).chain(sizes) {
            let say = &mut |reply: crate::dialogue::Reply| said.push(reply.to_string());
            let flow = session.handle(Event::Line(line.into()), Moment::START, say);
            assert!(flow.is_continue());
        }
        let settings = session.engine().settings();
        assert_eq!((settings.hash, settings.threads), (2, 1));
        assert_eq!(settings.tables, TablePaths::default());
        assert_eq!((&*settings.book.file, &*settings.network_file), ("", ""));
        assert_eq!(session.take_log_request(), None);
        assert!(said.iter().any(|line| line.starts_with("option name Hash ")), "{said:#?}");
        for name in names {
            assert!(!said.iter().any(|line| line.contains(&format!("option name {name} "))));
        }
    }

    #[test]
    fn a_client_that_sends_too_much_waits() {
        let listener = TcpListener::bind("localhost:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = TcpStream::connect(address).unwrap();
        let limits = TimeLimits::new(LONG);
        let socket = Socket::new(listener.accept().unwrap().0, &limits).unwrap();
        let now = Instant::now();
        let activity = Arc::new(Activity::new(limits, now));
        let seats = Arc::new(Seats::new(1, 1));
        let seat = seats.take(1, address.ip(), Arc::clone(&activity), socket.clone(), now);
        let seat = seat.ok().unwrap();
        let visit = Visit { client: 1, args: args(1), socket, activity, _seat: seat };
        // More than a minute's worth of bytes.
        let sent = vec![b'\n'; 1 << 21];
        let sender = thread::spawn(move || client.write_all(&sent));
        let (mut waits, mut read) = (0, 0);
        let mut input = visit.input(|_| waits += 1);
        let mut chunk = vec![0; 1 << 16];
        while let Ok(count @ 1..) = input.read(&mut chunk) {
            read += count;
        }
        drop(input);
        assert!(sender.join().unwrap().is_ok());
        assert_eq!(read, 1 << 21);
        assert!(waits > 0);
    }

    #[test]
    fn a_newcomer_takes_the_place_of_the_client_that_is_silent_longest() {
        let limits = TimeLimits {
            first_line: LONG,
            yields_new: Duration::ZERO,
            yields_idle: LONG,
            ..TimeLimits::new(LONG)
        };
        let address = start(&args(3), limits);
        let mut speaks = connect(address);
        assert_eq!(ask(&mut speaks, "ping 1\n"), "pong 1");
        let (mut first, mut second) = (connect(address), connect(address));
        let mut newcomer = connect(address);
        assert_eq!(ask(&mut newcomer, "ping 2\n"), "pong 2");
        let farewell =
            "tellusererror Disconnected: no line for 0 s while another client needs the place";
        assert_eq!(next_line(&mut first), farewell);
        assert_eq!(next_line(&mut first), "");
        let mut another = connect(address);
        assert_eq!(ask(&mut another, "ping 3\n"), "pong 3");
        assert_eq!(next_line(&mut second), farewell);
        // The three clients that have a place speak.
        let mut refused = connect(address);
        assert_eq!(
            next_line(&mut refused),
            "tellusererror No place: all places are taken, try again later"
        );
        for client in [&mut speaks, &mut newcomer, &mut another] {
            assert_eq!(ask(client, "ping 4\n"), "pong 4");
        }
    }

    #[test]
    fn a_silent_client_loses_its_place_and_one_that_listens_to_an_analysis_does_not() {
        let limits = TimeLimits {
            first_line: Duration::from_millis(200),
            idle: Duration::from_millis(200),
            search: LONG,
            ..TimeLimits::new(LONG)
        };
        let address = start(&args(3), limits);
        let mut listens = connect(address);
        assert!(ask(&mut listens, "analyze\n.\n").starts_with("stat01: "));
        for (lines, word) in
            [("", "tellusererror"), ("ping 1\n", "tellusererror"), ("uci\n", "info string")]
        {
            let mut silent = connect(address);
            silent.get_mut().write_all(lines.as_bytes()).unwrap();
            let mut said = Vec::new();
            while let line = next_line(&mut silent)
                && !line.is_empty()
            {
                said.push(line);
            }
            let last = said.pop();
            assert_eq!(last, Some(format!("{word} Disconnected: no line for 0 s")));
        }
        // Longer than the silence that is allowed has passed.
        assert!(ask(&mut listens, ".\n").starts_with("stat01: "));
    }

    #[test]
    fn the_place_of_a_client_is_free_when_its_session_has_ended() {
        let seats = Arc::new(Seats::new(1, 1));
        let limits = TimeLimits::new(LONG);
        let listener = TcpListener::bind("localhost:0").unwrap();
        let take = |client| {
            let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let activity = Arc::new(Activity::new(limits, Instant::now()));
            let socket = Socket::new(stream, &limits).unwrap();
            let address = listener.local_addr().unwrap().ip();
            seats.take(client, address, activity, socket, Instant::now())
        };
        let first = take(1);
        assert!(first.is_ok() && take(2).is_err());
        drop(first);
        assert_eq!(seats.taken(), 0);
        assert!(take(3).is_ok());
    }
}
