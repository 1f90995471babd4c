//! Does a result that a bot claims stand on the board?

use super::comments;
use trebuchet::play::Game;
use trebuchet::types::{Color, GameResult, Outcome, Reason};

/// What there is to say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimStanding {
    /// It stands on the board, or the other side has offered the draw.
    True,
    /// It does not stand on the board.
    False,
    /// The bot claims its own loss, or no result. The GUI believes that.
    Believed,
    /// The bot claims that the other side's time is up, which is not known.
    Unknown,
}

impl ClaimStanding {
    /// Judges the claim of a result with its comment. `is_offered`: the other side has offered a draw.
    pub fn of(
        board: &dyn Game,
        bot: Color,
        result: GameResult,
        comment: &str,
        is_offered: bool,
    ) -> ClaimStanding {
        let outcome = board.outcome();
        let is_true = match result {
            GameResult::Win(winner) if winner == bot => {
                outcome.is_some_and(|outcome| outcome.winner == Some(bot))
            }
            GameResult::Draw => {
                is_offered || outcome.is_some_and(|outcome| outcome.winner.is_none())
            }
            GameResult::Win(_) | GameResult::Unfinished => return ClaimStanding::Believed,
        };
        if is_true {
            ClaimStanding::True
        } else if comments::claims_flag(comment) {
            ClaimStanding::Unknown
        } else {
            ClaimStanding::False
        }
    }
}

/// Is the game over at once (mate, stalemate, a variant's win), without a claim?
pub fn is_final(outcome: Outcome) -> bool {
    matches!(
        outcome.reason,
        Reason::Checkmate | Reason::Stalemate | Reason::Variant(_) | Reason::VariantDraw(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::variants::VariantId;

    const MATED: &str = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1";
    const OPEN: &str = "7k/8/5K2/8/8/8/8/Q7 w - - 0 1";

    fn claim(fen: &str, bot: Color, result: GameResult, comment: &str) -> ClaimStanding {
        let mut board = new_game(VariantId::Standard);
        board.set_board(fen).unwrap();
        ClaimStanding::of(&*board, bot, result, comment, false)
    }

    #[test]
    fn a_claim_has_to_stand_on_the_board() {
        let (white, black) = (GameResult::Win(Color::White), GameResult::Win(Color::Black));
        let standing = |fen, bot, result| claim(fen, bot, result, "because");
        assert_eq!(standing(MATED, Color::White, white), ClaimStanding::True);
        assert_eq!(standing(MATED, Color::Black, white), ClaimStanding::Believed);
        assert_eq!(standing(MATED, Color::Black, black), ClaimStanding::False);
        assert_eq!(standing(MATED, Color::White, GameResult::Draw), ClaimStanding::False);
        assert_eq!(standing(OPEN, Color::Black, white), ClaimStanding::Believed);
        assert_eq!(standing(OPEN, Color::White, white), ClaimStanding::False);
        let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
        assert_eq!(standing(stalemate, Color::Black, GameResult::Draw), ClaimStanding::True);
        let flag = claim(OPEN, Color::White, white, "Black's flag fell");
        assert_eq!(flag, ClaimStanding::Unknown);
    }
}
