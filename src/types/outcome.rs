//! How a game ended.

use std::fmt;

use super::{Color, Score};

/// Why a game is over by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    Checkmate,
    /// An end of the game that the variant adds. The text says what the winner does: `gives third
    /// check`.
    Variant(&'static str),
    /// A draw that the variant adds. The text says what has happened: `both kings arrive`.
    VariantDraw(&'static str),
    Stalemate,
    Repetition,
    FiftyMoves,
    InsufficientMaterial,
}

/// The end of a game by the rules: the winner and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// `None` for a draw.
    pub winner: Option<Color>,
    pub reason: Reason,
}

impl Reason {
    /// The end as a noun, for a win: `mate`, `third check`, `the hill`. `None` for a draw.
    pub fn winning_noun(self) -> Option<&'static str> {
        match self {
            Reason::Checkmate => Some("mate"),
            // The text without its verb.
            Reason::Variant(deed) => Some(deed.split_once(' ').map_or(deed, |(_, noun)| noun)),
            _ => None,
        }
    }
}

impl Outcome {
    pub const fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }

    /// The score of the ended game from one side.
    pub fn score_for(self, side: Color) -> Score {
        match self.winner {
            None => Score::ZERO,
            Some(winner) if winner == side => Score::win_in(0),
            Some(_) => Score::loss_in(0),
        }
    }
}

/// The comment on a CECP result: `White mates`, `Draw by repetition`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let winner = self.winner.unwrap_or(Color::White);
        match self.reason {
            Reason::Checkmate => write!(f, "{winner} mates"),
            Reason::Variant(deed) => write!(f, "{winner} {deed}"),
            Reason::VariantDraw(event) => write!(f, "Draw: {event}"),
            Reason::Stalemate => f.write_str("Stalemate"),
            Reason::Repetition => f.write_str("Draw by repetition"),
            Reason::FiftyMoves => f.write_str("Draw by fifty-move rule"),
            Reason::InsufficientMaterial => f.write_str("Draw by insufficient material"),
        }
    }
}
