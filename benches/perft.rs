//! Compares bulk perft with Stockfish's: `cargo bench --bench perft`.
//!
//! Looks for `stockfish` on the PATH and in /usr/games. Without it, the program shows only Trebuchet's
//! speed. The two run in turn, and each number is the best of several runs. The ratio is Trebuchet's
//! speed divided by Stockfish's.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use trebuchet::board::Position;
use trebuchet::movegen::perft::perft;
use trebuchet::types::Depth;
use trebuchet::variants::Standard;

const RUNS: usize = 5;

const POSITIONS: [(&str, &str, Depth, u64); 2] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
];

/// A running Stockfish.
struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    fn start() -> Option<Stockfish> {
        let mut process = ["stockfish", "/usr/games/stockfish"].into_iter().find_map(|path| {
            Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()
        })?;
        let (input, output) = (process.stdin.take()?, BufReader::new(process.stdout.take()?));
        let mut this = Stockfish { process, input, output };
        this.ask("uci", "uciok");
        Some(this)
    }

    /// Sends a command and returns the line that begins with `answer`.
    fn ask(&mut self, command: &str, answer: &str) -> String {
        writeln!(self.input, "{command}").expect("stockfish reads");
        let mut line = String::new();
        while !line.starts_with(answer) {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("stockfish writes") > 0);
        }
        line
    }

    fn perft(&mut self, fen: &str, depth: Depth, nodes: u64) -> Duration {
        writeln!(self.input, "position fen {fen}").expect("stockfish reads");
        self.ask("isready", "readyok");
        let start = Instant::now();
        let answer = self.ask(&format!("go perft {depth}"), "Nodes searched");
        let time = start.elapsed();
        assert!(answer.trim().ends_with(&nodes.to_string()), "{answer}");
        time
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // Best effort: Stockfish also ends when its input is closed.
        let _ = writeln!(self.input, "quit");
        let _ = self.process.wait();
    }
}

fn mega_nodes_per_second(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64() / 1e6
}

fn main() {
    let mut stockfish = Stockfish::start();
    if stockfish.is_none() {
        println!("stockfish not found: no comparison");
    }
    for (name, fen, depth, nodes) in POSITIONS {
        let mut pos = Position::<Standard>::from_fen(fen).expect("a legal position");
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        for _ in 0..RUNS {
            let start = Instant::now();
            assert_eq!(perft(&mut pos, depth), nodes);
            ours = ours.min(start.elapsed());
            if let Some(stockfish) = &mut stockfish {
                theirs = theirs.min(stockfish.perft(fen, depth, nodes));
            }
        }
        print!("{name} depth {depth}: {:.0} Mnps", mega_nodes_per_second(nodes, ours));
        if stockfish.is_some() {
            let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
            let theirs = mega_nodes_per_second(nodes, theirs);
            print!(", stockfish {theirs:.0} Mnps, ratio {ratio:.2}");
        }
        println!();
    }
}
