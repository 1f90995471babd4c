//! The examiner's board, on which the engine's moves are checked.

use super::step::{Finding, NotOk};
use trebuchet::board::{Position, Rules};
use trebuchet::notation::parse_move;
use trebuchet::types::{Move, Outcome};

/// A position.
#[derive(Clone)]
pub struct Board<R: Rules>(pub Position<R>);

impl<R: Rules> Board<R> {
    pub fn start() -> Board<R> {
        Board(Position::start())
    }

    pub fn set_up(fen: &str) -> Result<Board<R>, NotOk> {
        Position::from_fen(fen).map(Board).map_err(|error| NotOk::Fail(format!("{fen}: {error}")))
    }

    /// The position after these moves of a script.
    pub fn after(moves: &[&str]) -> Result<Board<R>, NotOk> {
        let mut board = Board::start();
        moves.iter().try_for_each(|text| board.must_play(text))?;
        Ok(board)
    }

    /// Plays a move of the engine, which must be legal.
    pub fn must_play(&mut self, text: &str) -> Finding {
        let mv = parse_move(&self.0, text)
            .map_err(|error| NotOk::Fail(format!("{text}: {error} in {}", self.0.fen())))?;
        self.0.make_move(mv);
        Ok(())
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// The partner's move: a legal move, always the same one in a position; `None` if the game is over.
    pub fn partner_move(&self) -> Option<Move> {
        let legal = self.0.legal_moves();
        let index = self.0.key().bits() as usize % legal.len().max(1);
        legal.get(index).copied().filter(|_| self.outcome().is_none())
    }
}
