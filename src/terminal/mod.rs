//! The engine at a terminal: a person types moves as people write them and sees a board of letters.
//!
//! Beside `cecp`, above `play`; it knows no CECP. A program that talks through a pipe never gets
//! here.

mod request;
mod screen;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::notation::MoveError;
use crate::play::{Choice, Engine, EngineSettings, ResourceLimits};
use crate::search::Limits;
use crate::search::clock::TimeBudget;
use crate::types::{Color, GameResult, Move};
use crate::variants::VariantId;
use request::Request;
use screen::pawns;

/// How the conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Quit,
    /// The line `xboard` was typed: go on in the protocol.
    Protocol,
}

/// Time for each of the engine's moves, until the person says otherwise.
const MOVE_TIME: Duration = Duration::from_secs(2);

/// A person's game against the engine.
struct Terminal<'a, W> {
    engine: Engine,
    out: &'a mut W,
    move_time: Duration,
    /// The side that the engine plays; `None` if the person moves for both sides.
    engine_side: Option<Color>,
    /// The moves so far, in SAN.
    moves: Vec<String>,
    is_resigned: bool,
}

/// Talks with a person until they leave.
///
/// # Errors
/// If the terminal can no longer be read or written.
pub fn run<R: BufRead, W: Write>(
    mut input: R,
    out: &mut W,
    variant: VariantId,
    settings: EngineSettings,
) -> io::Result<Ending> {
    // The terminal waits for each search and shows no progress.
    let mut engine =
        Engine::new(variant, settings, ResourceLimits::of_this_machine(), Arc::new(|_| {}));
    engine.draw_start_position();
    let mut terminal = Terminal {
        engine,
        out,
        move_time: MOVE_TIME,
        engine_side: Some(Color::Black),
        moves: Vec::new(),
        is_resigned: false,
    };
    terminal.out.write_all(screen::welcome().as_bytes())?;
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
            Request::Help => self.out.write_all(screen::help().as_bytes())?,
            Request::Draw => self.draw()?,
            Request::New(variant) => {
                let variant = variant.unwrap_or(self.engine.game().variant());
                self.start(variant)?;
            }
            Request::Go => {
                self.engine_side = Some(self.engine.game().side_to_move());
                self.reply()?;
            }
            Request::Both => self.engine_side = None,
            Request::Undo => self.undo()?,
            Request::Score => self.show_score()?,
            Request::Fen => writeln!(self.out, "{}", self.engine.game().fen())?,
            Request::SetBoard(fen) => self.set_board(fen)?,
            Request::Hint => self.hint()?,
            Request::Evaluate => {
                let score = pawns(self.engine.evaluate());
                writeln!(self.out, "{score} for {}", self.engine.game().side_to_move())?;
            }
            Request::Time(time) => self.move_time = time,
            Request::Stage(stage) => self.engine.change_settings(|settings| settings.stage = stage),
            Request::Resign => self.resign()?,
            Request::Protocol => return Ok(Some(Ending::Protocol)),
            Request::Quit => return Ok(Some(Ending::Quit)),
            Request::Move(text) => self.person_moves(text)?,
            Request::Incomplete(usage) => writeln!(self.out, "Say {usage}.")?,
        }
        Ok(None)
    }

    fn start(&mut self, variant: VariantId) -> io::Result<()> {
        self.engine.set_variant(variant);
        self.engine.draw_start_position();
        self.engine_side = Some(Color::Black);
        self.moves.clear();
        self.is_resigned = false;
        self.draw()
    }

    fn is_over(&mut self) -> io::Result<bool> {
        if let Some(outcome) = self.engine.game().outcome() {
            writeln!(
                self.out,
                "{} {{{outcome}}}  (new starts another game)",
                GameResult::from(outcome)
            )?;
            return Ok(true);
        }
        if self.is_resigned {
            writeln!(self.out, "This game was resigned; new starts another.")?;
        }
        Ok(self.is_resigned)
    }

    fn person_moves(&mut self, text: &str) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        match self.read_move(text) {
            Err(error) => self.refuse(text, &error),
            Ok(mv) => {
                self.play(mv);
                if self.engine_side.is_none() {
                    self.draw()?;
                }
                let over = self.is_over()?;
                if !over && self.is_engine_to_move() {
                    self.reply()?;
                }
                Ok(())
            }
        }
    }

    /// The move that a person means: as it is written, or else in another spelling.
    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        self.engine.game().parse_move(text).or_else(|error| {
            let spellings = request::spellings(text);
            spellings.iter().find_map(|text| self.engine.game().parse_move(text).ok()).ok_or(error)
        })
    }

    fn refuse(&mut self, text: &str, error: &MoveError) -> io::Result<()> {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
        writeln!(self.out, "{shown}: {error}. Type help for what I understand.")
    }

    fn play(&mut self, mv: Move) {
        self.moves.push(self.engine.game().san(mv));
        self.engine.game_mut().play(mv);
    }

    fn is_engine_to_move(&self) -> bool {
        self.engine_side == Some(self.engine.game().side_to_move())
    }

    /// The engine moves.
    fn reply(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        let choice = self.think();
        let Some(best) = choice.best else {
            self.is_resigned = true;
            return writeln!(self.out, "This stage allows me no move, so I resign.");
        };
        let number = screen::move_number(self.engine.game());
        self.play(best);
        let san = self.moves.last().map_or("", String::as_str);
        match choice.score {
            Some(score) => writeln!(self.out, "I play {number}{san}  ({})", pawns(score))?,
            None => writeln!(self.out, "I play {number}{san}")?,
        }
        self.draw()?;
        self.is_over()?;
        Ok(())
    }

    fn think(&mut self) -> Choice {
        let budget = TimeBudget { soft: self.move_time, hard: self.move_time };
        self.engine.choose(Limits::default(), Some(budget), Instant::now())
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        match self.think().best {
            Some(mv) => writeln!(self.out, "I would play {}.", self.engine.game().san(mv)),
            None => writeln!(self.out, "I would resign."),
        }
    }

    /// Back to the person's turn: one move, or two if the engine has answered.
    fn undo(&mut self) -> io::Result<()> {
        self.is_resigned = false;
        let mut undone = self.undo_ply();
        if undone && self.is_engine_to_move() {
            undone = self.undo_ply();
        }
        if !undone {
            writeln!(self.out, "There is no earlier position.")?;
        }
        self.draw()
    }

    fn undo_ply(&mut self) -> bool {
        self.moves.pop();
        self.engine.game_mut().undo().is_some()
    }

    fn set_board(&mut self, fen: &str) -> io::Result<()> {
        match self.engine.game_mut().set_board(fen) {
            Err(error) => writeln!(self.out, "I can't set that up: {error}."),
            Ok(()) => {
                self.moves.clear();
                self.is_resigned = false;
                self.engine_side = Some(!self.engine.game().side_to_move());
                self.draw()
            }
        }
    }

    fn resign(&mut self) -> io::Result<()> {
        if !self.is_over()? {
            self.is_resigned = true;
            writeln!(
                self.out,
                "{} resigns. Thank you for the game.",
                self.engine.game().side_to_move()
            )?;
        }
        Ok(())
    }

    fn show_score(&mut self) -> io::Result<()> {
        let sheet = screen::score_sheet(&self.engine.game().start_fen(), &self.moves);
        writeln!(self.out, "{}", if sheet.is_empty() { "No move yet." } else { &sheet })
    }

    fn draw(&mut self) -> io::Result<()> {
        writeln!(self.out, "{}", screen::board(self.engine.game()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Stage;

    fn talk(variant: VariantId, lines: &str) -> (Ending, String) {
        let mut out = Vec::new();
        let stage = Stage::Random;
        let settings = EngineSettings { stage, seed: 1, hash: 1, ..EngineSettings::default() };
        let ending = run(lines.as_bytes(), &mut out, variant, settings).unwrap();
        (ending, String::from_utf8(out).unwrap())
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
