//! The engine in the hands of a person at a terminal: a board of letters, moves as people write them,
//! the score of the game.
//!
//! Beside `protocol`, above `play`; it knows no CECP. A program that talks through a pipe never gets
//! here.

mod request;

use std::io::{self, BufRead, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::notation::MoveError;
use crate::play::{Choice, Game, SearchEvent, SearchId, Stage, new_game};
use crate::search::{Limits, StopToken};
use crate::types::{Color, GameResult, Move, Score, Square};
use crate::variants::VariantId;
use request::Request;

/// How the conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Quit,
    /// The line `xboard` was typed: the protocol is to go on from there.
    Protocol,
}

/// Time for each of the engine's moves, until the person says otherwise.
const MOVE_TIME: Duration = Duration::from_secs(2);

const WELCOME: &str = concat!(
    "Trebuchet ",
    env!("CARGO_PKG_VERSION"),
    ", a chess and three-check engine. It is made for a board on screen: xboard -fcp trebuchet\n",
    "Or play here: type a move (e4, Nf3, e2e4), or go and I move; new 3check starts three-check.\n",
    "d draws the board, help lists the rest, quit ends.\n"
);

const HELP: &str = "\
e4, Nf3, O-O, e2e4   make a move; I answer
go                   I play the side to move from now on
both                 you move for both sides
undo                 take back the last move, and mine before it
new [normal|3check]  start a new game
hint                 ask what I would play
eval                 ask what I think of the position at a glance
time SECONDS         how long I may think about a move
stage NAME           how I choose moves: pawns, random or full
d                    draw the board
score                show the moves of the game
fen, setboard FEN    show the position as FEN, set one up
resign               give the game up
quit                 leave
";

/// How the engine plays, as the command line has it.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    pub variant: VariantId,
    pub stage: Stage,
    /// Makes the stages that play at random repeatable.
    pub seed: Option<u64>,
    /// The size of the transposition table, in MiB.
    pub hash: usize,
    /// The number of search threads.
    pub threads: usize,
}

impl Setup {
    fn new_game(&self) -> Box<dyn Game> {
        let mut game = new_game(self.variant);
        game.set_stage(self.stage);
        game.set_hash(self.hash);
        game.set_threads(self.threads);
        if let Some(seed) = self.seed {
            game.set_seed(seed);
        }
        game
    }
}

/// A person's game.
struct Terminal<'a, W> {
    game: Box<dyn Game>,
    out: &'a mut W,
    setup: Setup,
    move_time: Duration,
    /// The side that the engine plays.
    engine: Option<Color>,
    /// The moves so far, in SAN.
    score: Vec<String>,
    resigned: bool,
    searches: SearchId,
}

/// Talks with a person until they leave.
///
/// # Errors
/// If the terminal cannot be read or written any more.
pub fn run<R: BufRead, W: Write>(mut input: R, out: &mut W, setup: Setup) -> io::Result<Ending> {
    let mut terminal = Terminal {
        game: setup.new_game(),
        out,
        setup,
        move_time: MOVE_TIME,
        engine: Some(Color::Black),
        score: Vec::new(),
        resigned: false,
        searches: 0,
    };
    terminal.out.write_all(WELCOME.as_bytes())?;
    let mut line = Vec::new();
    loop {
        write!(terminal.out, "> ")?;
        terminal.out.flush()?;
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            writeln!(terminal.out)?;
            return Ok(Ending::Quit);
        }
        if let Some(ending) = terminal.answer(&String::from_utf8_lossy(&line))? {
            return Ok(ending);
        }
    }
}

impl<W: Write> Terminal<'_, W> {
    fn answer(&mut self, line: &str) -> io::Result<Option<Ending>> {
        match Request::parse(line) {
            Request::Nothing => {}
            Request::Help => self.out.write_all(HELP.as_bytes())?,
            Request::Draw => self.draw()?,
            Request::New(variant) => {
                self.setup.variant = variant.unwrap_or(self.setup.variant);
                self.start()?;
            }
            Request::Go => {
                self.engine = Some(self.game.side_to_move());
                self.reply()?;
            }
            Request::Both => self.engine = None,
            Request::Undo => self.undo()?,
            Request::Score => self.show_score()?,
            Request::Fen => writeln!(self.out, "{}", self.game.fen())?,
            Request::SetBoard(fen) => self.set_board(fen)?,
            Request::Hint => self.hint()?,
            Request::Evaluate => {
                let score = self.game.evaluate();
                writeln!(self.out, "{} for {}", pawns(score), self.game.side_to_move())?;
            }
            Request::Time(time) => self.move_time = time,
            Request::Stage(stage) => {
                self.setup.stage = stage;
                self.game.set_stage(stage);
            }
            Request::Resign => self.resign()?,
            Request::Protocol => return Ok(Some(Ending::Protocol)),
            Request::Quit => return Ok(Some(Ending::Quit)),
            Request::Move(text) => self.person_moves(text)?,
            Request::Incomplete(usage) => writeln!(self.out, "Say {usage}.")?,
        }
        Ok(None)
    }

    fn start(&mut self) -> io::Result<()> {
        self.game = self.setup.new_game();
        self.engine = Some(Color::Black);
        self.score.clear();
        self.resigned = false;
        self.draw()
    }

    fn is_over(&mut self) -> io::Result<bool> {
        if let Some(outcome) = self.game.outcome() {
            writeln!(
                self.out,
                "{} {{{outcome}}}  (new starts another game)",
                GameResult::from(outcome)
            )?;
            return Ok(true);
        }
        if self.resigned {
            writeln!(self.out, "The game is given up; new starts another.")?;
        }
        Ok(self.resigned)
    }

    fn person_moves(&mut self, text: &str) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        match self.read_move(text) {
            Err(error) => self.refuse(text, &error),
            Ok(mv) => {
                self.play(mv);
                if self.engine.is_none() {
                    self.draw()?;
                }
                let over = self.is_over()?;
                if !over && self.engine == Some(self.game.side_to_move()) {
                    self.reply()?;
                }
                Ok(())
            }
        }
    }

    /// The move that a person means: as it is written, or else as it should have been.
    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        self.game.parse_move(text).or_else(|error| {
            let spellings = request::spellings(text);
            spellings.iter().find_map(|text| self.game.parse_move(text).ok()).ok_or(error)
        })
    }

    fn refuse(&mut self, text: &str, error: &MoveError) -> io::Result<()> {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
        writeln!(self.out, "{shown}: {error}. Type help for what I understand.")
    }

    fn play(&mut self, mv: Move) {
        self.score.push(self.game.san(mv));
        self.game.play(mv);
    }

    /// The engine moves.
    fn reply(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        let choice = self.think();
        let Some(best) = choice.best else {
            self.resigned = true;
            return writeln!(self.out, "I have no move that I may make, and resign.");
        };
        let number = self.move_number();
        self.play(best);
        let san = self.score.last().map_or("", String::as_str);
        match choice.score {
            Some(score) => writeln!(self.out, "I play {number}{san}  ({})", pawns(score))?,
            None => writeln!(self.out, "I play {number}{san}")?,
        }
        self.draw()?;
        self.is_over()?;
        Ok(())
    }

    fn think(&mut self) -> Choice {
        self.searches += 1;
        let (sender, events) = mpsc::channel();
        let stop = StopToken::new();
        stop.set_clock(Instant::now(), self.move_time, self.move_time);
        // The receiver lives until the search has reported its end.
        let report = Box::new(move |event| drop(sender.send(event)));
        self.game.think(self.searches, Limits::default(), stop, report);
        let finished = events.into_iter().find_map(|event| match event {
            SearchEvent::Finished(_, choice) => Some(choice),
            SearchEvent::Progress(..) => None,
        });
        finished.unwrap_or(Choice { best: None, ponder: None, score: None, depth: 0 })
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        match self.think().best {
            Some(mv) => writeln!(self.out, "I would play {}.", self.game.san(mv)),
            None => writeln!(self.out, "I would resign."),
        }
    }

    /// Back to the person's turn: one move, or two if the engine has answered.
    fn undo(&mut self) -> io::Result<()> {
        self.resigned = false;
        let mut undone = self.undo_ply();
        if undone && self.engine == Some(self.game.side_to_move()) {
            undone = self.undo_ply();
        }
        if !undone {
            writeln!(self.out, "There is no earlier position.")?;
        }
        self.draw()
    }

    fn undo_ply(&mut self) -> bool {
        self.score.pop();
        self.game.undo().is_some()
    }

    fn set_board(&mut self, fen: &str) -> io::Result<()> {
        match self.game.set_board(fen) {
            Err(error) => writeln!(self.out, "I can't set that up: {error}."),
            Ok(()) => {
                self.score.clear();
                self.resigned = false;
                self.engine = Some(!self.game.side_to_move());
                self.draw()
            }
        }
    }

    fn resign(&mut self) -> io::Result<()> {
        if !self.is_over()? {
            self.resigned = true;
            writeln!(self.out, "{} resigns. Thank you for the game.", self.game.side_to_move())?;
        }
        Ok(())
    }

    /// `3. ` before White's third move, `3... ` before Black's.
    fn move_number(&self) -> String {
        let fen = self.game.fen();
        let number = fen.rsplit(' ').next().unwrap_or("1");
        let dots = if self.game.side_to_move() == Color::White { "." } else { "..." };
        format!("{number}{dots} ")
    }

    fn show_score(&mut self) -> io::Result<()> {
        let start = self.game.start_fen();
        let mut number: u32 = start.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(1);
        let mut white = start.split(' ').nth(1) == Some("w");
        let mut text = if white { String::new() } else { format!("{number}... ") };
        for san in &self.score {
            if white {
                text += &format!("{number}. ");
            } else {
                number += 1;
            }
            text += san;
            text.push(' ');
            white = !white;
        }
        writeln!(
            self.out,
            "{}",
            if self.score.is_empty() { "No move yet." } else { text.trim_end() }
        )
    }

    fn draw(&mut self) -> io::Result<()> {
        for rank in (0..8).rev() {
            write!(self.out, "{}  ", rank + 1)?;
            for file in 0..8 {
                let piece = self.game.piece_at(Square::new(file, rank));
                write!(self.out, "{} ", piece.map_or('.', |piece| piece.fen_letter()))?;
            }
            writeln!(self.out)?;
        }
        writeln!(self.out, "\n   a b c d e f g h")?;
        let check = if self.game.is_in_check() { ", in check" } else { "" };
        write!(self.out, "{} to move{check}.", self.game.side_to_move())?;
        if let Some(state) = self.game.describe_state() {
            write!(self.out, " {state}.")?;
        }
        writeln!(self.out)
    }
}

/// A score as people write it, in pawns with a sign, or the moves to a forced end.
fn pawns(score: Score) -> String {
    match score.moves_to_end() {
        Some(moves) if moves > 0 => format!("wins in {moves}"),
        Some(moves) => format!("loses in {}", -moves),
        None => format!("{:+.2}", f64::from(score.value()) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(variant: VariantId, lines: &str) -> (Ending, String) {
        let mut out = Vec::new();
        let setup = Setup { variant, stage: Stage::Random, seed: Some(1), hash: 1, threads: 1 };
        let ending = run(lines.as_bytes(), &mut out, setup).unwrap();
        (ending, String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_welcome_is_three_lines() {
        assert_eq!(WELCOME.lines().count(), 3);
    }

    #[test]
    fn a_person_plays_a_whole_three_check_game() {
        let moves = "both\ne4\ne5\nBc4\nBc5\nBxf7+\nKxf7\nd1h5\ng6\nscore\nQxg6\nd\nNf6\nquit\n";
        let (ending, text) = talk(VariantId::ThreeCheck, moves);
        assert_eq!(ending, Ending::Quit);
        assert!(text.contains("1. e4 e5 2. Bc4 Bc5 3. Bxf7+ Kxf7 4. Qh5+ g6\n"), "{text}");
        assert_eq!(text.matches("1-0 {White gives third check}").count(), 2, "{text}");
        assert!(
            text.contains("Black to move, in check. Checks given: White 3, Black 0."),
            "{text}"
        );
    }

    #[test]
    fn the_engine_answers_and_undo_takes_both_moves_back() {
        let (_, text) = talk(VariantId::Standard, "e4\nundo\nfen\nscore\n");
        assert!(text.contains("I play 1... "), "{text}");
        assert!(
            text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"),
            "{text}"
        );
        assert!(text.contains("No move yet."), "{text}");
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        let moves = "both\n1. E4\ne7 e5\nnf3\n...nc6\nbb5+\nNG8-F6\n0-0\nscore\nquit\n";
        let (_, text) = talk(VariantId::Standard, moves);
        assert!(text.contains("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O\n"), "{text}");
    }

    #[test]
    fn a_seed_makes_every_game_the_same() {
        let (_, text) = talk(VariantId::Standard, "e4\nnew\ne4\nnew 3check\ne4\n");
        let replies: Vec<&str> = text.lines().filter(|line| line.contains("I play")).collect();
        assert_eq!(replies, [replies[0]; 3]);
    }

    #[test]
    fn nonsense_is_answered_not_obeyed() {
        let (_, text) = talk(VariantId::Standard, "e5\nxyzzy\nsetboard 8/8 w\ntime\nundo\n");
        assert!(text.contains("e5: "), "{text}");
        assert!(text.contains("xyzzy: "), "{text}");
        assert!(text.contains("I can't set that up: "), "{text}");
        assert!(text.contains("Say time SECONDS"), "{text}");
        assert!(text.contains("There is no earlier position."), "{text}");
    }

    #[test]
    fn xboard_hands_over_to_the_protocol() {
        assert_eq!(talk(VariantId::Standard, "xboard\n").0, Ending::Protocol);
    }
}
