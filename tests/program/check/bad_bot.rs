//! A small bot that plays a stage by its rules and breaks one of them on demand.
//!
//! The bot is this test program itself, started with `BAD_BOT` set to a stage and a vice: `pawns:pushes`.

use std::io::{self, BufRead, Write};
use std::process;
use std::thread;
use std::time::Duration;

use trebuchet::board::Position;
use trebuchet::notation::{coordinate, parse_move};
use trebuchet::types::{Color, Move, PieceKind};
use trebuchet::variants::{Standard, ThreeCheck, Variant};

/// The environment variable that makes this program the bot.
pub const VARIABLE: &str = "BAD_BOT";

/// Plays until it is told to quit; never returns.
pub fn run(description: &str) -> ! {
    // With one thread, the test harness has begun a line with the name of the test.
    say("");
    let (stage, vice) = description.split_once(':').expect("STAGE:VICE");
    let mut bot = Bot::<Standard>::new(stage, vice);
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        if line == "variant 3check" {
            let mut bot = Bot::<ThreeCheck>::new(stage, vice);
            lines.by_ref().for_each(|line| bot.obey(&line));
            break;
        }
        bot.obey(&line);
    }
    process::exit(0)
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        process::exit(0);
    }
}

/// Is it a move that the stage random plays at once?
type IsSpecial = fn(&Move) -> bool;

struct Bot<V: Variant> {
    stage: String,
    vice: String,
    position: Position<V>,
    /// The side that it plays.
    plays: Option<Color>,
    /// The GUI has announced the result.
    is_over: bool,
    moves: usize,
    seed: u64,
}

impl<V: Variant> Bot<V> {
    fn new(stage: &str, vice: &str) -> Bot<V> {
        Bot {
            stage: stage.to_owned(),
            vice: vice.to_owned(),
            position: Position::start(),
            plays: None,
            is_over: false,
            moves: 0,
            seed: 7,
        }
    }

    fn is(&self, vice: &str) -> bool {
        self.vice == vice
    }

    fn obey(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "protover" => {
                say("feature ping=1 setboard=1 usermove=1 colors=0 sigint=0 sigterm=0 reuse=1");
                say(&format!("feature variants=\"normal,3check\" myname=\"{}\"", self.vice));
                if !self.is("never-done") {
                    say("feature done=1");
                }
            }
            "ping" => {
                say(&format!("pong {rest}"));
                if self.is("plays-on") && self.is_over {
                    say("move a7a6");
                }
            }
            "new" => {
                self.position = Position::start();
                (self.plays, self.moves, self.is_over) = (Some(Color::Black), 0, false);
            }
            "setboard" => self.position = Position::from_fen(rest).expect("a legal position"),
            "force" => self.plays = None,
            "result" => (self.plays, self.is_over) = (None, true),
            "usermove" => {
                let mv = parse_move(&self.position, rest).expect("a legal move");
                self.position.make_move(mv);
                if self.is("refuses") && self.moves == 2 {
                    say(&format!("Illegal move: {rest}"));
                } else if self.plays == Some(self.position.side_to_move()) {
                    self.think();
                }
            }
            "go" => {
                self.plays = Some(self.position.side_to_move());
                self.think();
            }
            "quit" => process::exit(0),
            _ => {}
        }
    }

    fn think(&mut self) {
        // A draw has to be claimed: this bot plays on.
        if self.position.legal_moves().is_empty() {
            return;
        }
        self.moves += 1;
        if self.moves == 3 && self.misbehaves() {
            return;
        }
        match self.choose() {
            Some(mv) => {
                self.position.make_move(mv);
                say(&format!("move {}", coordinate::<V>(mv)));
            }
            None if self.is("silent-without-pawns") => {}
            None => say("resign"),
        }
    }

    /// The vices that show at the third move. True if no other move follows.
    fn misbehaves(&self) -> bool {
        match self.vice.as_str() {
            "illegal" => say("move e1e5"),
            "castles-wrongly" => say("move e1h1"),
            "late" => {
                thread::sleep(Duration::from_millis(2_500));
                return false;
            }
            "claims-win" => say("1-0 {White mates}\n0-1 {Black mates}"),
            "claims-draw" => say("1/2-1/2 {Draw by repetition}"),
            "talks" => {
                say("White is better");
                return false;
            }
            "crashes" => process::exit(1),
            "crashes-loudly" => {
                eprintln!("panicked at 'illegal move, White resigns on time'");
                process::exit(101)
            }
            "resigns-early" => say("resign"),
            _ => return false,
        }
        true
    }

    /// The move of the stage, or of the vice.
    fn choose(&mut self) -> Option<Move> {
        let legal = self.position.legal_moves().to_vec();
        let kind = |mv: &Move| self.position.piece_at(mv.from()).map(|piece| piece.kind());
        let (pawns, pieces): (Vec<Move>, Vec<Move>) =
            legal.iter().partition(|mv| kind(mv) == Some(PieceKind::Pawn));
        if self.stage == "pawns" {
            if self.is("moves-pieces") && self.moves == 3 {
                return pieces.first().copied();
            }
            let promotion =
                if self.is("underpromotes") { PieceKind::Knight } else { PieceKind::Queen };
            let order = |mv: &Move| {
                let captures = mv.is_capture() != self.is("pushes");
                let place = (mv.from(), mv.to());
                (!captures, if self.is("other-order") { None } else { Some(place) })
            };
            let chosen = pawns
                .iter()
                .rev()
                .filter(|mv| mv.promotion().is_none_or(|kind| kind == promotion))
                .min_by_key(|mv| order(mv));
            return match chosen {
                None if self.is("moves-without-pawns") => pieces.first().copied(),
                chosen => chosen.copied(),
            };
        }
        let special: [(IsSpecial, &str); 2] = [
            (|mv| mv.is_castling(), "never-castles"),
            (|mv| mv.is_en_passant(), "never-en-passant"),
        ];
        let mut choices = legal.clone();
        for (is_special, vice) in special {
            let (found, others): (Vec<Move>, Vec<Move>) =
                legal.iter().partition(|mv| is_special(mv));
            if self.stage == "random" && !found.is_empty() {
                choices = if self.is(vice) { others } else { found };
                break;
            }
        }
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Some(choices[(self.seed >> 33) as usize % choices.len()])
    }
}
