//! The real binary as a server: several sessions over TCP on loopback.

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
        let mut process = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(args)
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
    assert_eq!(second.line(), "tellusererror All places are taken, try again later");
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

#[test]
fn the_host_s_files_are_out_of_reach() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("files");
    let server = Server::start(&[]);
    let mut client = server.connect();
    client.send("xboard\nprotover 2\n");
    loop {
        let line = client.line();
        assert!(!line.contains("-file") && !line.contains("-path"), "{line}");
        if line.starts_with("feature done=1") {
            break;
        }
    }
    client.send(&format!("option LogFile={0}\negtpath syzygy {0}\nping 1\n", folder.display()));
    client.wait_for("pong 1");
    assert!(!folder.exists());
}
