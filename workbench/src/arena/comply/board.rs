//! The examiner's board, on which the engine's moves are checked.

use super::conversation::Conversation;
use super::step::{Finding, NotOk, expect, ms};
use trebuchet::board::{Position, Rules};
use trebuchet::notation::{coordinate, parse_move};
use trebuchet::types::Outcome;

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
    pub fn partner_move(&self) -> Option<String> {
        let legal = self.0.legal_moves();
        let index = self.0.key().bits() as usize % legal.len().max(1);
        legal.get(index).filter(|_| self.outcome().is_none()).map(|&mv| coordinate::<R>(mv))
    }
}

/// A game after `go`: the engine and a partner, who has one reply to each position, move in turn, until
/// the engine has made `moves` moves or the game is over. All moves must be legal.
pub fn play_against_fixed_replies<R: Rules>(
    d: &mut Conversation,
    mut board: Board<R>,
    moves: usize,
) -> Finding {
    for number in 1.. {
        let answer = expect(d.await_move(ms(10_000))?, "move")?;
        board.must_play(&answer)?;
        let Some(partner) = board.partner_move().filter(|_| number < moves) else { break };
        board.must_play(&partner)?;
        if board.outcome().is_some() {
            break;
        }
        d.say(&["time 500", "otim 500"])?;
        d.play(&[&partner])?;
    }
    Ok(())
}
