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

    /// What the winner does who reaches a goal: `reach the hill`. `None` for a draw, and for what happens like mate.
    pub fn goal(self) -> Option<String> {
        match self {
            Reason::Variant(deed) if !is_event(deed) => Some(infinitive(deed)),
            _ => None,
        }
    }

    /// The win as the aim of a threat: `mate`, `to reach the hill`. `None` for a draw.
    pub fn threat(self) -> Option<String> {
        let goal = self.goal().map(|goal| format!("to {goal}"));
        goal.or_else(|| self.winning_noun().map(str::to_owned))
    }

    /// What a side can do that wins by force: `force mate`, `reach the hill`. `None` for a draw.
    pub fn winning_deed(self) -> Option<String> {
        self.goal().or_else(|| self.winning_noun().map(|noun| format!("force {noun}")))
    }

    /// What a move does that prevents the win: `stops mate`, `does not let the opponent reach the hill`. `None` for a
    /// draw.
    pub fn stopped(self) -> Option<String> {
        let goal = self.goal().map(|goal| format!("does not let the opponent {goal}"));
        goal.or_else(|| self.winning_noun().map(|noun| format!("stops {noun}")))
    }
}

/// Does the end happen, like mate, rather than being a goal?
fn is_event(deed: &str) -> bool {
    deed.ends_with("check") || deed.ends_with("explosion")
}

/// A deed without the ending of its verb: `reaches the hill` is `reach the hill`.
fn infinitive(deed: &str) -> String {
    let (verb, rest) = deed.split_once(' ').unwrap_or((deed, ""));
    let stem = match verb {
        "has" => "have",
        "gives" => "give away",
        _ if verb.ends_with("ches") => &verb[..verb.len() - 2],
        _ => verb.strip_suffix('s').unwrap_or(verb),
    };
    format!("{stem} {rest}")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::VariantId;

    #[test]
    fn wins_are_threatened_in_words() {
        let ends = VariantId::ALL.iter().flat_map(|variant| variant.endings());
        let mut deeds: Vec<String> =
            ends.filter_map(|deed| Reason::Variant(deed).winning_deed()).collect();
        deeds.sort();
        deeds.dedup();
        let expected = [
            "force the king's explosion",
            "force third check",
            "give away the last man",
            "have fewer men in stalemate",
            "reach stalemate",
            "reach the eighth rank",
            "reach the hill",
            "take the whole horde",
        ];
        assert_eq!(deeds, expected);
        let words = |reason: Reason| [reason.threat(), reason.winning_deed(), reason.stopped()];
        let mate = ["mate", "force mate", "stops mate"].map(|words| Some(words.to_owned()));
        assert_eq!(words(Reason::Checkmate), mate);
        assert_eq!(words(Reason::Stalemate), [None, None, None]);
        let hill =
            ["to reach the hill", "reach the hill", "does not let the opponent reach the hill"];
        let hill = hill.map(|words| Some(words.to_owned()));
        assert_eq!(words(Reason::Variant("reaches the hill")), hill);
    }
}
