//! `trebuchet serve`: CECP over TCP, one session for each connection.
//!
//! Sessions share nothing but the machine: each has its own engine and threads. The memory and the
//! threads of a session are bounded, and its options name no files. A client that is silent or slow
//! is disconnected; one that sends too much waits.

mod throttle;

use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cecp::io::Wire;
use crate::cecp::options::SessionSettings;
use crate::cecp::session::{FIRST_VARIANT, Session};
use crate::play::{Engine, EngineSettings, ResourceLimits, Stage};

use throttle::Throttle;

/// Play over TCP: one session of CECP for each connection, such as xboard -fcp "nc HOST PORT".
#[derive(Clone, Debug, clap::Args)]
pub struct ServeArgs {
    /// The address to listen on; with port 0 the system chooses one
    #[arg(long, default_value = "127.0.0.1:4040")]
    listen: SocketAddr,
    /// The most clients at a time
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    connections: u16,
    /// The largest transposition table of a session, in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// The largest number of search threads of a session
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    cores: u16,
    /// Seconds of silence after which a client is disconnected
    #[arg(long, default_value_t = 1800, value_parser = clap::value_parser!(u32).range(1..))]
    idle: u32,
    /// How moves are chosen unless a client says otherwise: pawns, random or full
    #[arg(long, default_value_t)]
    stage: Stage,
}

/// How long a client may leave our lines unread before it is disconnected.
const SLOWEST_WRITE: Duration = Duration::from_secs(10);
/// The wait after a failed accept, so that a lasting failure does not keep the processor busy.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Runs the tool; it serves until it is killed.
///
/// # Errors
/// If the address cannot be listened on.
pub fn run(args: &ServeArgs) -> io::Result<()> {
    let listener = TcpListener::bind(args.listen)?;
    let mut out = io::stdout().lock();
    writeln!(out, "listening on {}", listener.local_addr()?)?;
    out.flush()?;
    drop(out);
    let players = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        match stream {
            Ok(stream) => welcome(stream, args, &players),
            Err(_) => thread::sleep(ACCEPT_PAUSE),
        }
    }
    Ok(())
}

/// One of the server's places; dropping it frees the place.
struct Seat(Arc<AtomicUsize>);

impl Seat {
    fn take(players: &Arc<AtomicUsize>, most: usize) -> Option<Seat> {
        let taken = players.fetch_add(1, Ordering::Relaxed);
        let seat = Seat(Arc::clone(players));
        (taken < most).then_some(seat)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Gives the client a session on threads of its own, or tells it that all places are taken.
fn welcome(mut stream: TcpStream, args: &ServeArgs, players: &Arc<AtomicUsize>) {
    // Without time limits a silent client would keep its place forever.
    let limits = stream
        .set_write_timeout(Some(SLOWEST_WRITE))
        .and_then(|()| stream.set_read_timeout(Some(Duration::from_secs(u64::from(args.idle)))));
    if limits.is_err() {
        return;
    }
    let Some(seat) = Seat::take(players, usize::from(args.connections)) else {
        // Best effort: one line fits into the socket's buffer.
        let _ = stream.set_nonblocking(true).and_then(|()| {
            stream.write_all(b"tellusererror All places are taken, try again later\n")
        });
        return;
    };
    let args = args.clone();
    // If no thread starts, dropping the closure closes the connection and frees the place.
    let _ = thread::Builder::new().name("session".to_owned()).spawn(move || {
        let _seat = seat;
        // An error on this connection ends this session only.
        let _ = play(&stream, &args);
        let _ = stream.shutdown(Shutdown::Both);
    });
}

/// Runs one session to its end.
fn play(stream: &TcpStream, args: &ServeArgs) -> io::Result<()> {
    // The other side waits for each line, so do not collect them.
    stream.set_nodelay(true)?;
    let (hash, threads) = (usize::from(args.hash), usize::from(args.cores));
    let limits = ResourceLimits { files: false, hash, threads };
    let settings = EngineSettings { stage: args.stage, hash, ..EngineSettings::default() };
    let wire = Wire::new();
    let engine = Engine::new(FIRST_VARIANT, settings, limits, wire.sink());
    let mut session = Session::new(engine, SessionSettings::default(), Instant::now());
    wire.run(&mut session, Throttle::new(stream.try_clone()?), stream.try_clone()?, |_| {})
}
