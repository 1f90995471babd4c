//! The real binary as a server: several sessions over TCP on loopback.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server, killed when the test ends.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(args: &[&str]) -> Server {
        Server::start_at("127.0.0.1:0", args)
    }

    fn start_at(address: &str, args: &[&str]) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
            .args(["serve", "--listen", address])
            .args(args)
            .env("TREBUCHET_LOG", "")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("its output is a pipe");
        BufReader::new(output).read_line(&mut line).expect("it says where it listens");
        let address = line.trim().strip_prefix("listening on ").expect("it says so in full");
        Server { address: address.parse().expect("an address"), process }
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(self.address).expect("the server accepts");
        // Without a timeout a failing test would not end.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        Client { input: BufReader::new(stream.try_clone().expect("a second handle")), stream }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Client {
    stream: TcpStream,
    input: BufReader<TcpStream>,
}

impl Client {
    fn send(&mut self, lines: &str) {
        self.stream.write_all(lines.as_bytes()).expect("the server reads");
    }

    /// The next line; empty at the end of the connection.
    fn line(&mut self) -> String {
        let mut line = String::new();
        // A connection that the server resets has ended, too.
        let _ = self.input.read_line(&mut line);
        line.trim_end().to_owned()
    }

    /// Reads lines up to one that begins with `start`, and returns it. Panics if the connection ends.
    fn wait_for(&mut self, start: &str) -> String {
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "the connection ended before {start:?}");
            if line.starts_with(start) {
                return line;
            }
        }
    }

    fn begin(&mut self) {
        self.send("xboard\nprotover 2\n");
        self.wait_for("feature done=1");
    }
}

#[test]
fn two_sessions_play_side_by_side() {
    let server = Server::start(&["--stage", "random"]);
    let (mut one, mut two) = (server.connect(), server.connect());
    one.begin();
    two.begin();
    one.send("new\nvariant 3check\nusermove e2e4\n");
    two.send("new\ngo\n");
    one.wait_for("move ");
    two.wait_for("move ");
    one.send("force\nusermove e2e4\nping 7\n");
    assert!(one.wait_for("Illegal move").ends_with(": e2e4"));
    assert_eq!(one.wait_for("pong"), "pong 7");
}

#[test]
fn no_more_than_the_places_there_are() {
    let server = Server::start(&["--connections", "1"]);
    let mut first = server.connect();
    first.begin();
    let mut second = server.connect();
    assert_eq!(second.line(), "tellusererror No place: all places are taken, try again later");
    assert_eq!(second.line(), "");
    first.send("quit\n");
    assert_eq!(first.line(), "");
    // The server needs a moment to notice that the place is free.
    let mut third = loop {
        let mut client = server.connect();
        // A client with a place gets an answer; a refused one gets the refusal.
        client.send("ping 1\n");
        if client.line() == "pong 1" {
            break client;
        }
    };
    third.begin();
}

#[test]
fn a_flood_and_a_broken_client_leave_the_others_alone() {
    let server = Server::start(&[]);
    let mut player = server.connect();
    player.begin();
    player.send("new\nst 0.1\n");
    let mut flooder = server.connect();
    let flood = "usermove e9e9\nping 1\nsetboard x\n".repeat(200);
    flooder.send(&flood);
    let mut broken = server.connect();
    broken.send("analyze\nsetbo");
    drop(broken);
    player.send("usermove d2d4\n");
    player.wait_for("move ");
    player.send("ping 3\n");
    assert_eq!(player.wait_for("pong"), "pong 3");
}

/// A client that is gone before the server looks at it is no failure of the server, which pauses after
/// one.
#[test]
#[cfg(target_os = "linux")]
fn a_client_that_is_gone_at_once_is_no_failure() {
    use rustix::net::sockopt::set_socket_linger;

    let folder = tempfile::tempdir().unwrap();
    let folder_name = folder.path().to_str().unwrap();
    let server = Server::start(&["--connections", "100", "--log", folder_name]);
    for _ in 0..20 {
        let client = server.connect();
        // The connection is reset when it is closed.
        set_socket_linger(&client.stream, Some(Duration::ZERO)).unwrap();
    }
    let mut player = server.connect();
    player.send("ping 1\n");
    assert_eq!(player.line(), "pong 1");
    let log = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
    let text = fs::read_to_string(log.path()).unwrap();
    assert!(text.contains("connected from") && !text.contains("failed"), "{text}");
}

#[test]
fn the_host_s_files_are_out_of_reach() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("files");
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.send("xboard\nprotover 2\n");
    loop {
        let line = client.line();
        for kept in ["-file", "-path", "Adaptive", "ResetRating"] {
            assert!(!line.contains(kept), "{line}");
        }
        if line.starts_with("feature done=1") {
            break;
        }
    }
    client.send(&format!("option LogFile={0}\negtpath syzygy {0}\nping 1\n", folder.display()));
    client.wait_for("pong 1");
    assert!(!folder.exists());
}

#[test]
fn the_address_may_be_a_name() {
    let server = Server::start_at("localhost:0", &[]);
    server.connect().begin();
}

#[test]
fn an_address_that_is_none_is_named_in_the_error() {
    let output = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
        .args(["serve", "--listen", "localhost"])
        .env_remove("TREBUCHET_LOG")
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.starts_with("trebuchet: cannot listen on localhost: "), "{complaint}");
    assert_eq!((complaint.lines().count(), output.stdout.len()), (1, 0));
}

#[test]
fn connections_refusals_and_games_are_logged() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("log");
    let name = folder.to_str().expect("the folder has a plain name");
    let server = Server::start(&["--stage", "random", "--connections", "1", "--log", name]);
    let mut player = server.connect();
    player.send("new\nvariant 3check\ngo\n");
    player.wait_for("move ");
    // The server logs an event after its answers, and before the next event.
    player.send("ping 1\n");
    player.wait_for("pong 1");
    let mut second = server.connect();
    assert_eq!(second.line(), "tellusererror No place: all places are taken, try again later");
    player.send("result 1-0 {White\tresigns}\nresult 0-1 {again}\nnew\ngo\n");
    player.wait_for("move ");
    player.send("quit\n");
    assert_eq!(player.line(), "");
    let addresses =
        [&player, &second].map(|client| client.stream.local_addr().expect("an address"));
    let expected = [
        format!("client 1: connected from {}, 1 of 1 places taken", addresses[0]),
        "client 1: game 1 begins: 3check".to_owned(),
        format!("{}: refused, all places are taken", addresses[1]),
        "client 1: game 1 ends at ply 1: 1-0 {Whiteresigns}".to_owned(),
        "client 1: game 2 begins: normal".to_owned(),
        "client 1: gone, games: 2, reason: quit".to_owned(),
    ];
    let mut file = fs::read_dir(&folder).expect("the folder of the log");
    let file = file.next().expect("a file").expect("its name").path();
    // The last line comes a moment after the end of the connection.
    let lines = loop {
        let text = fs::read_to_string(&file).expect("the log");
        let lines: Vec<String> = text.lines().map(without_time).collect();
        if lines.len() >= expected.len() {
            break lines;
        }
    };
    assert_eq!(lines, expected);
}

/// A line of the log without its date and time and without the length of a visit.
fn without_time(line: &str) -> String {
    let line = line.splitn(3, ' ').nth(2).expect("date and time");
    match line.split_once(" after ") {
        Some((start, rest)) => {
            let (seconds, rest) = rest.split_once(" s,").expect("a time");
            assert!(seconds.parse::<u32>().is_ok(), "{line}");
            format!("{start},{rest}")
        }
        None => line.to_owned(),
    }
}

/// What a session leaves behind when it ends: nothing.
#[cfg(target_os = "linux")]
mod at_rest {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Instant;

    use super::*;

    /// How long a server may take to come to rest on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(60);
    /// What memory may grow by after the first connections, in KiB. A table of 16 MiB that stays
    /// would be more.
    const GROWTH: u64 = 12 << 10;

    impl Server {
        /// The number in a line of the server's `/proc/PID/status`.
        fn status(&self, name: &str) -> u64 {
            let path = format!("/proc/{}/status", self.process.id());
            let text = fs::read_to_string(path).expect("the server runs");
            let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("the line");
            line.trim().trim_end_matches(" kB").parse().expect("a number")
        }

        /// The server's threads and open files.
        fn usage(&self) -> (u64, usize) {
            let files = fs::read_dir(format!("/proc/{}/fd", self.process.id()));
            (self.status("Threads:"), files.expect("the server runs").count())
        }

        /// Waits until the server has begun the sessions of all clients that have connected. It
        /// accepts clients in their order.
        fn begin_all(&self) {
            let mut last = self.connect();
            last.send("ping 1\n");
            last.wait_for("pong 1");
        }

        /// Waits until the server uses what it used at its start.
        fn wait_for_rest(&self, at_start: (u64, usize), after: &str) {
            let deadline = Instant::now() + PATIENCE;
            while self.usage() != at_start {
                let usage = self.usage();
                assert!(Instant::now() < deadline, "{usage:?}, not {at_start:?}, after {after}");
                thread::sleep(Duration::from_millis(5));
            }
        }
    }

    /// Connects, sends some lines, and leaves without reading.
    fn visit(server: &Server, lines: &str) {
        let mut client = server.connect();
        // The server may end the connection first.
        let _ = client.stream.write_all(lines.as_bytes());
    }

    #[test]
    fn a_session_that_ends_leaves_no_threads_files_or_memory() {
        let resize = "memory 15\nping 1\nmemory 16\nping 1\n".repeat(100);
        let visits = [
            ("silence", String::new()),
            ("a broken line", "setbo".to_owned()),
            ("an analysis", "post\nanalyze\n.\n".to_owned()),
            ("questions about an analysis", format!("analyze\n{}", ".\n".repeat(3000))),
            ("quit in an analysis", "analyze\nquit\n".to_owned()),
            ("a long thought", "option OwnBook=0\nst 10000\ngo\n".to_owned()),
            ("pondering", "option OwnBook=0\nst 0.01\nhard\ngo\n?\n".to_owned()),
            ("a hint", "option OwnBook=0\nforce\nhint\n".to_owned()),
            ("a pause", "option OwnBook=0\nst 10000\ngo\npause\n".to_owned()),
            ("new tables and unread lines", format!("{resize}quit\n{}", "\n".repeat(5000))),
        ];
        let server = Server::start(&["--connections", "100"]);
        let at_start = server.usage();
        assert_eq!(at_start.0, 1);
        let mut memory = None;
        for round in 0..2 {
            for (name, lines) in &visits {
                for _ in 0..5 {
                    visit(&server, lines);
                }
                server.begin_all();
                server.wait_for_rest(at_start, name);
                let now = server.status("VmRSS:");
                // After the first round, the allocator has what it keeps.
                let before = *memory.get_or_insert(now);
                if round == 0 {
                    memory = Some(before.max(now));
                } else {
                    assert!(now <= before + GROWTH, "{now} KiB, not {before} KiB, after {name}");
                }
            }
        }
    }

    #[test]
    fn a_client_that_does_not_read_ends_its_analysis() {
        let server = Server::start(&[]);
        let at_start = server.usage();
        let mut client = server.connect();
        let lines = format!("analyze\n{}", "protover 2\n".repeat(20_000));
        let _ = client.stream.write_all(lines.as_bytes());
        server.begin_all();
        // The client keeps its end open.
        server.wait_for_rest(at_start, "unread lines");
        drop(client);
    }

    #[test]
    fn clients_that_are_silent_or_refused_leave_nothing() {
        let server = Server::start(&["--connections", "2", "--idle", "1"]);
        let at_start = server.usage();
        let (silent, mut waits) = (server.connect(), server.connect());
        waits.send("ping 1\n");
        assert_eq!(waits.line(), "pong 1");
        let mut others: Vec<Client> = (0..5).map(|_| server.connect()).collect();
        for other in &mut others {
            assert_eq!(
                other.line(),
                "tellusererror No place: all places are taken, try again later"
            );
        }
        // The clients keep their ends open.
        server.wait_for_rest(at_start, "silence");
        drop((silent, waits, others));
    }

    #[test]
    fn a_session_has_no_more_threads_than_the_server_allows() {
        let server = Server::start(&["--cores", "1"]);
        let mut client = server.connect();
        client.send("cores 64\nanalyze\n");
        // The search has begun its first iteration.
        loop {
            client.send(".\n");
            let line = client.wait_for("stat01: ");
            if line.split(' ').nth(3) != Some("0") {
                break;
            }
        }
        // The server and its session, the threads that read and write, and the search.
        assert_eq!(server.usage().0, 5);
    }

    #[test]
    fn the_log_is_shown_on_a_terminal() {
        use std::fs::{File, OpenOptions};
        use std::os::unix::ffi::OsStrExt;
        use std::path::Path;

        use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};

        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap();
        let device = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let screen = OpenOptions::new().read(true).write(true).open(device).unwrap();
        let process = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env_remove("TREBUCHET_LOG")
            .stdout(screen)
            .spawn()
            .unwrap();
        let (sender, shown) = mpsc::channel();
        thread::spawn(move || {
            // The end of the server is an error here.
            for line in BufReader::new(File::from(person)).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let line = shown.recv_timeout(PATIENCE).unwrap();
        let address = line.trim().strip_prefix("listening on ").expect("it says so");
        let server = Server { address: address.parse().unwrap(), process };
        let client = server.connect();
        let address = client.stream.local_addr().unwrap();
        let line = shown.recv_timeout(PATIENCE).unwrap();
        let expected = format!("client 1: connected from {address}, 1 of 8 places taken");
        assert_eq!(without_time(line.trim()), expected);
    }
}
