//! `trebuchet serve`: CECP at a distance, one session for each TCP connection.
//!
//! Sessions share nothing but the machine: each has its own threads, table and game. What a session
//! may use is bounded, no option of it touches a file, and a client that is silent, slow or floods us
//! is let go or made to wait.

mod throttle;

use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cecp::io::Wire;
use crate::cecp::options::Settings;
use crate::cecp::session::{Allowance, Session};
use crate::play::{Stage, new_game};

use throttle::Throttle;

/// Play over TCP: one session of CECP for each connection, such as xboard -fcp "nc HOST PORT".
#[derive(Clone, Debug, clap::Args)]
pub struct ServeArgs {
    /// The address to listen on; with port 0 the system chooses one
    #[arg(long, default_value = "127.0.0.1:4040")]
    listen: SocketAddr,
    /// How many may play at a time
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    connections: u16,
    /// The greatest transposition table of a session, in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// The greatest number of search threads of a session
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    cores: u16,
    /// Seconds of silence after which a client is let go
    #[arg(long, default_value_t = 1800, value_parser = clap::value_parser!(u32).range(1..))]
    idle: u32,
    /// How moves are chosen unless a client says otherwise: pawns, random or full
    #[arg(long, default_value_t)]
    stage: Stage,
}

/// How long a client may leave our lines unread before it is let go.
const SLOWEST_WRITE: Duration = Duration::from_secs(10);
/// Before the next try when a connection could not be taken, so that a lasting failure costs nothing.
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

/// A place at the server, given back when it is dropped.
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

/// Gives the client a session on threads of its own, or tells it that the house is full.
fn welcome(mut stream: TcpStream, args: &ServeArgs, players: &Arc<AtomicUsize>) {
    // A socket that refuses its time limits is let go: without them it could hold its place forever.
    let limits = stream
        .set_write_timeout(Some(SLOWEST_WRITE))
        .and_then(|()| stream.set_read_timeout(Some(Duration::from_secs(u64::from(args.idle)))));
    if limits.is_err() {
        return;
    }
    let Some(seat) = Seat::take(players, usize::from(args.connections)) else {
        // The socket's buffer holds one line; if not, the client is none.
        let _ = stream.set_nonblocking(true).and_then(|()| {
            stream.write_all(b"tellusererror All places are taken, try again later\n")
        });
        return;
    };
    let args = args.clone();
    // If no thread can be had, the connection is dropped with the closure, and the seat with it.
    let _ = thread::Builder::new().name("session".to_owned()).spawn(move || {
        let _seat = seat;
        // What goes wrong on the way to one client ends that session and no other.
        let _ = play(&stream, &args);
        let _ = stream.shutdown(Shutdown::Both);
    });
}

/// Runs one session to its end.
fn play(stream: &TcpStream, args: &ServeArgs) -> io::Result<()> {
    // Lines are small and each is awaited.
    stream.set_nodelay(true)?;
    let allowance =
        Allowance { files: false, hash: usize::from(args.hash), threads: usize::from(args.cores) };
    let settings = Settings { stage: args.stage, hash: allowance.hash, ..Settings::default() };
    let wire = Wire::new();
    let mut session =
        Session::new(Box::new(new_game), wire.sink(), allowance, settings, Instant::now());
    wire.run(&mut session, Throttle::new(stream.try_clone()?), stream.try_clone()?, |_| {})
}
