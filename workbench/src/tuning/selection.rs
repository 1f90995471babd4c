//! Which positions of a game are for training: `tune`, `train` and `data stats` ask here.

use crate::counts::count;
use crate::tuning::datagen::store::StoredGame;
use crate::tuning::selfplay::ScoredMove;
use trebuchet::board::{FenError, Position};
use trebuchet::types::{Move, Score};
use trebuchet::variants::Variant;

/// A position with at least this score, in centipawns, is decided.
const DECIDED: i32 = 3000;

/// Is one side winning by so far that nothing can be learnt?
pub fn is_decided(score: Score) -> bool {
    score.value().abs() >= DECIDED
}

/// Which positions of a game are for training: quiet ones that are not yet decided.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection {
    /// Also those whose best move gives a check that counts.
    pub with_checks: bool,
}

/// Why a position is not for training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    InCheck,
    /// Its best move is a capture or a promotion: what the position is worth shows only after it.
    Noisy,
    /// Its best move is a check that counts.
    CountedCheck,
    /// One side is winning by far.
    Decided,
}

impl Selection {
    /// Why a position with this best move is left out; `None` if it is for training.
    pub fn refuses<V: Variant>(self, pos: &Position<V>, best: ScoredMove) -> Option<Unfit> {
        if pos.in_check() {
            Some(Unfit::InCheck)
        } else if best.mv.is_noisy() {
            Some(Unfit::Noisy)
        } else if is_decided(best.score) {
            Some(Unfit::Decided)
        } else if V::COUNTS_CHECKS && !self.with_checks && pos.gives_check(best.mv) {
            Some(Unfit::CountedCheck)
        } else {
            None
        }
    }

    /// Shows the positions of a game that are for training, with their plies and best moves, up to the
    /// first move that is illegal: such a game was played by other rules. Returns that move.
    ///
    /// # Errors
    /// If the FEN of the game's first position is bad.
    pub fn visit<V: Variant>(
        self,
        game: &StoredGame,
        mut visit: impl FnMut(&Position<V>, usize, ScoredMove),
    ) -> Result<Option<IllegalMove>, FenError> {
        let mut pos = Position::<V>::from_fen(&game.fen)?;
        for (ply, &best) in game.moves.iter().enumerate() {
            if !pos.legal_moves().contains(&best.mv) {
                return Ok(Some(IllegalMove { mv: best.mv, fen: pos.fen() }));
            }
            if self.refuses(&pos, best).is_none() {
                visit(&pos, ply, best);
            }
            pos.make_move(best.mv);
        }
        Ok(None)
    }
}

/// A move of a game that is illegal in its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    pub mv: Move,
    pub fen: String,
}

/// A warning about the games of a file with an illegal move, given by their numbers; `None` if there are
/// none.
pub fn illegal_moves_warning(illegal: &[(u32, IllegalMove)]) -> Option<String> {
    let (number, IllegalMove { mv, fen }) = illegal.first()?;
    let has = if illegal.len() == 1 { "has" } else { "have" };
    Some(format!(
        "{} {has} an illegal move, and what follows it is left out; the first is game {number} with {mv} in {fen}",
        count(illegal.len(), "game")
    ))
}
