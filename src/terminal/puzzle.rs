//! Puzzles at the terminal: the person looks for the one move that wins.

use std::io;

use super::Terminal;
use crate::play::{Answer, Attempt, Puzzle};
use crate::types::Move;

impl Terminal<'_> {
    /// Sets up the puzzle with this number, from 1, or else the next one. The last ones are the hardest.
    pub(super) fn set_puzzle(&mut self, number: Option<usize>) -> io::Result<()> {
        let variant = self.engine.game().variant();
        let puzzles = Puzzle::built_in(variant);
        let number = number.unwrap_or(self.puzzle_number + 1);
        let Some(puzzle) = number.checked_sub(1).and_then(|index| puzzles.get(index)) else {
            let count = puzzles.len();
            return match count {
                0 => writeln!(self.out, "I have no puzzles of {}.", variant.title()),
                _ if number == count + 1 => {
                    writeln!(
                        self.out,
                        "That was the last of {count} puzzles. puzzle 1 begins again."
                    )
                }
                _ => writeln!(self.out, "I have {count} puzzles: puzzle 1 to puzzle {count}."),
            };
        };
        // A puzzle before is no loss.
        let start_fen = self.engine.game().start_fen();
        let is_game = !self.moves.is_empty() && puzzles.iter().all(|other| other.fen != start_fen);
        if self.engine.game_mut().set_board(&puzzle.fen).is_err() {
            return Ok(());
        }
        if is_game {
            writeln!(self.out, "The game so far is gone, unless you have saved it.")?;
        }
        if self.clock.take().is_some() {
            writeln!(self.out, "The clock is off.")?;
        }
        self.forget_moves();
        self.puzzle_number = number;
        self.puzzle = Some(Attempt::new(puzzle.clone(), variant));
        self.engine_side = None;
        let side = self.engine.game().side_to_move();
        self.below = side;
        self.draw()?;
        let (count, rating) = (puzzles.len(), puzzle.rating);
        writeln!(
            self.out,
            "Puzzle {number} of {count}, about {rating} Elo: find the move that wins for {side}."
        )?;
        writeln!(self.out, "hint helps, solution gives the answer.")
    }

    /// The person tries a move in a puzzle; a wrong one is not played.
    pub(super) fn try_solution(&mut self, mut attempt: Attempt, mv: Move) -> io::Result<()> {
        let answer = attempt.answer(self.engine.game(), mv);
        let san = self.engine.game().san(mv);
        if answer == Answer::Wrong {
            self.puzzle = Some(attempt);
            return writeln!(self.out, "{san} is not the move. Try again.");
        }
        self.play(mv);
        if let Answer::Right(reply) = answer {
            let reply_san = self.engine.game().san(reply);
            self.play(reply);
            if let Some(by_engine) = self.by_engine.last_mut() {
                *by_engine = true;
            }
            self.draw()?;
            self.puzzle = Some(attempt);
            return writeln!(self.out, "{san} is right. The reply is {reply_san}. Go on.");
        }
        self.draw()?;
        match attempt.puzzle().themes.join(", ").as_str() {
            "" => writeln!(self.out, "Solved.")?,
            themes => writeln!(self.out, "Solved: {themes}.")?,
        }
        match self.engine.game().outcome() {
            Some(_) => writeln!(self.out, "puzzle sets up the next one."),
            None => writeln!(self.out, "puzzle sets up the next one; go plays on from here."),
        }
    }

    /// Says with which man the person should move, and when asked again, the move.
    pub(super) fn hint_at_solution(&mut self, attempt: &Attempt) -> io::Result<()> {
        let (ply, mv) = (self.engine.game().ply_count(), attempt.wanted());
        let game = self.engine.game();
        if self.hint_steps.meant(ply) == Some(mv) {
            return writeln!(self.out, "The move is {}.", game.san(mv));
        }
        let man = match game.mover(mv) {
            Some(piece) if mv.is_drop() => format!("the {} in your hand", piece.kind().name()),
            Some(piece) => format!("your {} on {}", piece.kind().name(), mv.from()),
            None => return Ok(()),
        };
        self.hint_steps.begin(ply, mv);
        writeln!(self.out, "Look at {man}. Say hint again for the move.")
    }

    /// Gives the answer, and ends the puzzle.
    pub(super) fn show_solution(&mut self) -> io::Result<()> {
        match self.puzzle.take() {
            Some(attempt) => writeln!(self.out, "The solution: {}.", attempt.rest().join(" ")),
            None => writeln!(self.out, "There is no puzzle on the board; puzzle sets one up."),
        }
    }
}
