//! A small engine that plays random moves and misbehaves on demand, to test the match runner.
//!
//! The engine is this test program itself, started with `BAD_ENGINE` set to the name of a vice.

use std::io::{self, BufRead, Write};
use std::process;
use std::thread;
use std::time::Duration;

use trebuchet::board::Position;
use trebuchet::notation::parse_move;
use trebuchet::variants::{KingOfTheHill, Standard, ThreeCheck, Variant};

/// The environment variable that makes this program the engine.
pub const VARIABLE: &str = "BAD_ENGINE";

/// The description of the engine for the match runner.
pub fn describe(vice: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!(
        "name={vice} env.{VARIABLE}={vice} cmd=\"'{}' --exact bad_engine --nocapture\"",
        program.display()
    )
}

/// Plays until it is told to quit; never returns.
pub fn run(vice: &str) -> ! {
    // With one thread, the test harness has begun a line with the name of the test.
    say("");
    let mut engine = BadEngine::<Standard>::new(vice);
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    match vice {
        "dead" => process::exit(3),
        "last-words" => {
            eprintln!("cannot load libfoo.so");
            process::exit(3);
        }
        _ => {}
    }
    while let Some(line) = lines.next() {
        // The others speak both protocols.
        let knows_uci = !["silent", "old", "stale", "late"].contains(&vice);
        engine.uci |= knows_uci && line == "uci";
        if line == "variant 3check" {
            let mut engine = BadEngine::<ThreeCheck>::new(vice);
            lines.by_ref().for_each(|line| engine.obey(&line));
            break;
        }
        if line == "variant kingofthehill" {
            let mut engine = BadEngine::<KingOfTheHill>::new(vice);
            lines.by_ref().for_each(|line| engine.obey(&line));
            break;
        }
        if engine.uci { engine.obey_uci(&line) } else { engine.obey(&line) }
    }
    engine.leave();
}

struct BadEngine<V: Variant> {
    vice: String,
    position: Position<V>,
    uci: bool,
    forced: bool,
    moves: usize,
    games: usize,
    /// Does it keep its answer to `protover` for later?
    owes_features: bool,
    seed: u64,
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        process::exit(0);
    }
}

fn sleep_forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(60));
    }
}

impl<V: Variant> BadEngine<V> {
    fn new(vice: &str) -> BadEngine<V> {
        // The same games on every run, but different ones for each vice.
        let seed =
            vice.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
        BadEngine {
            vice: vice.to_owned(),
            position: Position::start(),
            uci: false,
            forced: false,
            moves: 0,
            games: 0,
            owes_features: false,
            seed,
        }
    }

    fn is(&self, vice: &str) -> bool {
        self.vice == vice
    }

    fn leave(&self) -> ! {
        if self.is("stays") {
            sleep_forever();
        }
        process::exit(0)
    }

    fn obey(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            // This one does not know CECP.
            _ if self.is("uci-only") => {}
            _ if self.is("uci-or-death") => process::exit(1),
            "protover" if self.is("silent") => {}
            // Like an engine that starts slowly: its features come with its first move.
            "protover" if self.is("late") => self.owes_features = true,
            "go" if self.owes_features => {
                self.owes_features = false;
                self.introduce();
                self.forced = false;
                self.think();
            }
            // Its features are unknown: a command would be a mistake.
            "ping" | "usermove" if self.owes_features => process::exit(1),
            "protover" if self.is("frozen") => sleep_forever(),
            "protover" if self.is("old") || self.is("stale") => {
                say("Error (unknown command): protover")
            }
            "protover" if self.is("endless") => loop {
                say("feature done=0 ping=1 setboard=1");
            },
            "protover" => self.introduce(),
            "ping" if self.is("no-pong") => {}
            "ping" if self.is("late-pong") => {
                thread::sleep(Duration::from_millis(300));
                say(&format!("pong {rest}"));
            }
            "ping" => say(&format!("pong {rest}")),
            "new" => {
                self.position = Position::start();
                (self.forced, self.moves) = (false, 0);
                self.games += 1;
                if self.is("stale") && self.games == 2 {
                    // It answers something from its first game.
                    say("resign");
                }
            }
            "setboard" => {
                self.position = Position::from_fen(rest).expect("the runner sends legal positions")
            }
            "force" => self.forced = true,
            "result" if self.is("crash-at-the-end") => process::exit(1),
            "draw" if self.is("takes-draw") => say("1/2-1/2 {Draw agreed}"),
            "usermove" => self.hear(rest),
            "go" => {
                self.forced = false;
                self.think();
            }
            "quit" => self.leave(),
            // An engine of protocol 1 gets bare moves.
            _ if !self.is("late") && parse_move(&self.position, word).is_ok() => self.hear(word),
            _ => {}
        }
    }

    fn introduce(&self) {
        say(&format!(
            "feature ping=1 setboard=1 usermove=1 colors=0 variants=\"normal,3check,kingofthehill\" myname=\"{}\" done=1",
            self.vice
        ));
    }

    fn hear(&mut self, text: &str) {
        let mv = parse_move(&self.position, text).expect("the runner sends legal moves");
        self.position.make_move(mv);
        if self.is("protests") && self.moves == 2 {
            say(&format!("Illegal move: {mv}"));
            return;
        }
        if !self.forced {
            self.think();
        }
    }

    fn obey_uci(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci"] if !self.is("frozen") => say("id name bad\nuciok"),
            ["isready"] if !self.is("no-pong") => say("readyok"),
            ["ucinewgame"] => self.moves = 0,
            ["position", "startpos", rest @ ..] => {
                self.position = Position::start();
                for text in rest.iter().skip(1) {
                    let mv =
                        parse_move(&self.position, text).expect("the runner sends legal moves");
                    self.position.make_move(mv);
                }
            }
            ["go", ..] => self.think(),
            ["quit"] => self.leave(),
            _ => {}
        }
    }

    /// Plays a random move. Most vices show at the third move.
    fn think(&mut self) {
        if self.is("dies") {
            process::exit(1);
        }
        if self.is("confesses") {
            eprintln!("panicked at 'illegal move'");
            process::exit(101);
        }
        self.moves += 1;
        let legal = self.position.legal_moves().sorted();
        if legal.is_empty() || self.position.outcome().is_some() {
            return;
        }
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mv = legal[(self.seed >> 33) as usize % legal.len()];
        say(&format!("{} 10 1 100 {mv}", self.moves));
        if self.moves == 3 {
            self.misbehave();
        }
        if self.is("chatters") {
            (0..20_000).for_each(|_| say("# and another thing"));
            say(&"x".repeat(3_000_000));
            io::stdout().write_all(b"\xff\xfe\x00 no text\n \n\r\n").unwrap();
        }
        if self.is("complains") {
            say("tellusererror no book");
        }
        if self.is("resigns") && self.moves == 3 {
            return;
        }
        self.position.make_move(mv);
        let word = if self.uci { "bestmove" } else { "move" };
        say(&format!("{word} {mv}"));
        if self.is("twice") {
            say(&format!("{word} {mv}"));
        }
    }

    fn misbehave(&self) {
        match self.vice.as_str() {
            "mute" => sleep_forever(),
            "slow" => thread::sleep(Duration::from_millis(1500)),
            "crash" => process::exit(1),
            "abort" => process::abort(),
            "illegal" => say("move e1e5"),
            "nonsense" => say("move xyzzy"),
            "empty" => say("move "),
            "claims-win" => say("1-0 {White mates}\n0-1 {Black mates}"),
            "claims-draw" => say("1/2-1/2 {Draw by repetition}"),
            "resigns" => say("resign"),
            "offers-draw" => say("offer draw"),
            "flood" => loop {
                say("# more and more and more");
            },
            "flood-of-bytes" => {
                let mut out = io::stdout().lock();
                while out.write_all(&[b'x'; 65_536]).is_ok() {}
            }
            _ => {}
        }
    }
}
