//! How a game of a match ended, by the rules or otherwise.

use std::fmt;
use std::time::Duration;

use crate::arena::engines::Trouble;
use crate::types::GameResult;
use crate::types::{Color, Outcome};

/// The end of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    Rules(Outcome),
    Resignation(Color),
    /// Both sides wanted it.
    Agreement,
    /// The flag fell; a bare king does not win by it.
    Flag {
        loser: Color,
        late: Duration,
        bare_king: bool,
    },
    IllegalMove {
        loser: Color,
        text: String,
    },
    /// It said that the game was over, and it was not.
    FalseClaim {
        loser: Color,
        text: String,
    },
    /// It called a legal move illegal.
    FalseProtest {
        loser: Color,
        text: String,
    },
    /// Its process ended.
    Crash {
        loser: Color,
        text: String,
    },
    /// It said nothing for too long.
    Stall {
        loser: Color,
    },
    /// The scores of both left no doubt.
    AdjudicatedWin(Color),
    AdjudicatedDraw,
    /// Endgame tablebases know the winner, if there is one.
    Tablebase(Option<Color>),
    /// The greatest number of moves was played.
    TooLong,
}

/// What a player can do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    TimeLoss,
    IllegalMove,
    FalseClaim,
    Crash,
    Stall,
}

impl Fault {
    pub const ALL: [Fault; 5] =
        [Fault::TimeLoss, Fault::IllegalMove, Fault::FalseClaim, Fault::Crash, Fault::Stall];

    pub const fn name(self) -> &'static str {
        match self {
            Fault::TimeLoss => "time losses",
            Fault::IllegalMove => "illegal moves",
            Fault::FalseClaim => "false claims",
            Fault::Crash => "crashes",
            Fault::Stall => "stalls",
        }
    }
}

impl Ending {
    /// What it means that `player`, on whose answer the game waited, is in trouble.
    pub fn of_trouble(player: Color, trouble: &Trouble) -> Ending {
        match trouble {
            Trouble::Silent(_) => Ending::Stall { loser: player },
            other => Ending::Crash { loser: player, text: other.to_string() },
        }
    }

    pub fn result(&self) -> GameResult {
        use Ending::*;
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

    /// Who did what wrong, if anyone did.
    pub fn fault(&self) -> Option<(Color, Fault)> {
        use Ending::*;
        match self {
            Flag { loser, .. } => Some((*loser, Fault::TimeLoss)),
            IllegalMove { loser, .. } => Some((*loser, Fault::IllegalMove)),
            FalseClaim { loser, .. } | FalseProtest { loser, .. } => {
                Some((*loser, Fault::FalseClaim))
            }
            Crash { loser, .. } => Some((*loser, Fault::Crash)),
            Stall { loser } => Some((*loser, Fault::Stall)),
            _ => None,
        }
    }

    /// The value of the PGN tag `Termination`.
    pub fn termination(&self) -> &'static str {
        use Ending::*;
        match self {
            Rules(_) | Resignation(_) | Agreement => "normal",
            Flag { .. } => "time forfeit",
            IllegalMove { .. } | FalseClaim { .. } | FalseProtest { .. } => "rules infraction",
            Crash { .. } | Stall { .. } => "abandoned",
            AdjudicatedWin(_) | AdjudicatedDraw | Tablebase(_) | TooLong => "adjudication",
        }
    }
}

/// The reason, as the comment of a result.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        use Ending::*;
        match self {
            Rules(outcome) => write!(f, "{outcome}"),
            Resignation(loser) => write!(f, "{loser} resigns"),
            Agreement => f.write_str("Draw by agreement"),
            Flag { loser, late, bare_king: false } => {
                write!(f, "{loser} loses on time, {} ms late", late.as_millis())
            }
            Flag { loser, .. } => write!(f, "{loser} oversteps the time against a bare king"),
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
