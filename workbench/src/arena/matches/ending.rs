//! How a game of a match ended: by the rules, by adjudication, or by a forfeit.

use std::fmt;
use std::time::Duration;

use crate::arena::engines::EngineError;
use trebuchet::types::GameResult;
use trebuchet::types::{Color, Outcome};

/// The end of a game and its reason.
#[derive(Clone, Debug, PartialEq)]
pub enum GameEnding {
    Rules(Outcome),
    Resignation(Color),
    /// Both sides offered a draw.
    Agreement,
    /// The flag fell. Against a bare king that is a draw.
    Flag {
        loser: Color,
        late: Duration,
        bare_king: bool,
    },
    IllegalMove {
        loser: Color,
        text: String,
    },
    /// The loser claimed a result that does not stand on the board.
    FalseClaim {
        loser: Color,
        text: String,
    },
    /// The loser called a legal move illegal.
    FalseProtest {
        loser: Color,
        text: String,
    },
    /// The loser's process ended.
    Crash {
        loser: Color,
        text: String,
    },
    /// The loser did not answer in time, or did not read its input.
    Stall {
        loser: Color,
    },
    /// Both engines' scores agree on the winner.
    AdjudicatedWin(Color),
    /// Both engines' scores are level.
    AdjudicatedDraw,
    /// The endgame tablebases give the winner, or `None` for a draw.
    Tablebase(Option<Color>),
    /// The game reached the greatest number of moves.
    TooLong,
}

/// How an engine can lose a game otherwise than on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Forfeit {
    TimeLoss,
    IllegalMove,
    FalseClaim,
    Crash,
    Stall,
}

impl Forfeit {
    pub const ALL: [Forfeit; 5] = [
        Forfeit::TimeLoss,
        Forfeit::IllegalMove,
        Forfeit::FalseClaim,
        Forfeit::Crash,
        Forfeit::Stall,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Forfeit::TimeLoss => "time losses",
            Forfeit::IllegalMove => "illegal moves",
            Forfeit::FalseClaim => "false claims",
            Forfeit::Crash => "crashes",
            Forfeit::Stall => "stalls",
        }
    }
}

impl GameEnding {
    /// The end after an error of one side's engine.
    pub fn of_error(player: Color, error: &EngineError) -> GameEnding {
        match error {
            EngineError::Silent(_) | EngineError::NotReading => GameEnding::Stall { loser: player },
            other => GameEnding::Crash { loser: player, text: other.to_string() },
        }
    }

    pub fn result(&self) -> GameResult {
        use GameEnding::*;
        match self {
            Rules(outcome) => GameResult::from(*outcome),
            Resignation(loser)
            | Flag { loser, bare_king: false, .. }
            | IllegalMove { loser, .. }
            | FalseClaim { loser, .. }
            | FalseProtest { loser, .. }
            | Crash { loser, .. }
            | Stall { loser } => GameResult::Win(!*loser),
            AdjudicatedWin(winner) | Tablebase(Some(winner)) => GameResult::Win(*winner),
            Agreement
            | Flag { bare_king: true, .. }
            | AdjudicatedDraw
            | Tablebase(None)
            | TooLong => GameResult::Draw,
        }
    }

    /// The side that forfeits the game and how, if one does.
    pub fn forfeit(&self) -> Option<(Color, Forfeit)> {
        use GameEnding::*;
        match self {
            Flag { loser, .. } => Some((*loser, Forfeit::TimeLoss)),
            IllegalMove { loser, .. } => Some((*loser, Forfeit::IllegalMove)),
            FalseClaim { loser, .. } | FalseProtest { loser, .. } => {
                Some((*loser, Forfeit::FalseClaim))
            }
            Crash { loser, .. } => Some((*loser, Forfeit::Crash)),
            Stall { loser } => Some((*loser, Forfeit::Stall)),
            _ => None,
        }
    }

    /// The value of the PGN tag `Termination`.
    pub fn termination(&self) -> &'static str {
        use GameEnding::*;
        match self {
            Rules(_) | Resignation(_) | Agreement => "normal",
            Flag { .. } => "time forfeit",
            IllegalMove { .. } | FalseClaim { .. } | FalseProtest { .. } => "rules infraction",
            Crash { .. } | Stall { .. } => "abandoned",
            AdjudicatedWin(_) | AdjudicatedDraw | Tablebase(_) | TooLong => "adjudication",
        }
    }
}

/// The reason, as the comment on a result.
impl fmt::Display for GameEnding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        use GameEnding::*;
        match self {
            Rules(outcome) => write!(f, "{outcome}"),
            Resignation(loser) => write!(f, "{loser} resigns"),
            Agreement => f.write_str("Draw by agreement"),
            Flag { loser, late, bare_king: false } => {
                write!(f, "{loser} loses on time, {} ms late", late.as_millis())
            }
            Flag { loser, .. } => write!(f, "{loser} exceeds the time against a bare king"),
            IllegalMove { loser, text } => write!(f, "{loser} makes an illegal move: {text}"),
            FalseClaim { loser, text } => write!(f, "{loser} makes a false claim: {text}"),
            FalseProtest { loser, text } => write!(f, "{loser} refuses a legal move: {text}"),
            Crash { loser, text } => write!(f, "{loser}'s engine {text}"),
            Stall { loser } => write!(f, "{loser}'s engine stalls"),
            AdjudicatedWin(winner) => write!(f, "{winner} wins by adjudication"),
            AdjudicatedDraw => f.write_str("Draw by adjudication"),
            Tablebase(Some(winner)) => write!(f, "{winner} wins by the tablebases"),
            Tablebase(None) => f.write_str("Draw by the tablebases"),
            TooLong => f.write_str("Draw by length of game"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_loses_except_against_a_bare_king() {
        let flag = |bare_king| GameEnding::Flag {
            loser: Color::White,
            late: Duration::from_millis(7),
            bare_king,
        };
        let (loss, draw) = (flag(false), flag(true));
        assert_eq!(loss.result(), GameResult::Win(Color::Black));
        assert_eq!(loss.to_string(), "White loses on time, 7 ms late");
        assert_eq!(draw.result(), GameResult::Draw);
        assert_eq!(draw.to_string(), "White exceeds the time against a bare king");
        for ending in [loss, draw] {
            assert_eq!(ending.forfeit(), Some((Color::White, Forfeit::TimeLoss)));
            assert_eq!(ending.termination(), "time forfeit");
        }
    }
}
