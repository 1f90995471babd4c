//! How a game ended: by the rules, by a resignation or agreement, by adjudication, or by a forfeit.

use std::fmt;
use std::time::Duration;

use trebuchet::types::{Color, GameResult, Outcome, Reason};
use trebuchet::variants::VariantId;

/// The end of a game and its reason, as the referee of a match or the tags of its file know it: with the
/// result, who lost, and the details. A judge of other programs' logs and files often knows less: see
/// `EndingKind` in `arena::judging::ending`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum GameEnding {
    /// On the board: mate, a draw by a rule, or an end that the variant adds.
    Rules(Outcome),
    /// This side resigned.
    Resignation(Color),
    /// Both sides offered a draw.
    Agreement,
    /// A side lost otherwise than on the board.
    Forfeit(Forfeit),
    /// The flag of this side fell, but its opponent cannot win any more: a draw.
    FlagDraw(Color),
    /// Somebody else decided the game; `None` is a draw.
    Adjudication { winner: Option<Color>, by: AdjudicatedBy },
    /// The result that a file names. Its comment is all that is known about the reason.
    Announced { result: GameResult, comment: String },
    #[default]
    Unfinished,
}

/// How a side lost otherwise than on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    pub loser: Color,
    pub kind: ForfeitKind,
    /// What happened, for people: the illegal move, how late the move was, the last words of the
    /// engine. May be empty.
    pub detail: String,
}

/// The kinds of forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ForfeitKind {
    /// The flag fell.
    TimeLoss,
    IllegalMove,
    /// A claim of a result that does not stand on the board.
    FalseClaim,
    /// A legal move of the opponent was called illegal.
    FalseProtest,
    /// The process ended.
    Crash,
    /// The engine did not answer in time.
    Stall,
    /// The engine could not be started, or cannot play such a game.
    CannotPlay,
}

/// What decided a game that was adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdjudicatedBy {
    /// The scores of both players agreed for several moves.
    Scores,
    /// The endgame tables.
    Tablebases,
    /// The game reached the greatest number of moves.
    Length,
}

impl ForfeitKind {
    pub const ALL: [ForfeitKind; 7] = [
        ForfeitKind::TimeLoss,
        ForfeitKind::IllegalMove,
        ForfeitKind::FalseClaim,
        ForfeitKind::FalseProtest,
        ForfeitKind::Crash,
        ForfeitKind::Stall,
        ForfeitKind::CannotPlay,
    ];

    /// The name in files, which never changes: `time-loss`.
    pub const fn id(self) -> &'static str {
        match self {
            ForfeitKind::TimeLoss => "time-loss",
            ForfeitKind::IllegalMove => "illegal-move",
            ForfeitKind::FalseClaim => "false-claim",
            ForfeitKind::FalseProtest => "false-protest",
            ForfeitKind::Crash => "crash",
            ForfeitKind::Stall => "stall",
            ForfeitKind::CannotPlay => "cannot-play",
        }
    }

    /// The kind with this name in files.
    pub fn from_id(id: &str) -> Option<ForfeitKind> {
        ForfeitKind::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// What several of them are called in a table: `3 time losses`.
    pub const fn plural(self) -> &'static str {
        match self {
            ForfeitKind::TimeLoss => "time losses",
            ForfeitKind::IllegalMove => "illegal moves",
            ForfeitKind::FalseClaim => "false claims",
            ForfeitKind::FalseProtest => "refusals of legal moves",
            ForfeitKind::Crash => "crashes",
            ForfeitKind::Stall => "stalls",
            ForfeitKind::CannotPlay => "games it could not play",
        }
    }

    /// A number of them, in words: `1 time loss`.
    pub fn counted(self, count: u64) -> String {
        let one = match self {
            ForfeitKind::TimeLoss => "time loss",
            ForfeitKind::IllegalMove => "illegal move",
            ForfeitKind::FalseClaim => "false claim",
            ForfeitKind::FalseProtest => "refusal of a legal move",
            ForfeitKind::Crash => "crash",
            ForfeitKind::Stall => "stall",
            ForfeitKind::CannotPlay => "game it could not play",
        };
        format!("{count} {}", if count == 1 { one } else { self.plural() })
    }

    /// The name in the tag `Fault` and in the JSON key `faults`, which earlier versions wrote.
    pub const fn old_name(self) -> &'static str {
        match self {
            ForfeitKind::FalseProtest => ForfeitKind::FalseClaim.plural(),
            kind => kind.plural(),
        }
    }

    /// The kind with this name in the tag `Fault`.
    pub fn from_old_name(name: &str) -> Option<ForfeitKind> {
        ForfeitKind::ALL.into_iter().find(|kind| kind.old_name() == name)
    }

    /// What stands between the loser's colour and the detail in the reason of the end.
    const fn deed(self) -> &'static str {
        match self {
            ForfeitKind::TimeLoss => " loses on time, ",
            ForfeitKind::IllegalMove => " makes an illegal move: ",
            ForfeitKind::FalseClaim => " makes a false claim: ",
            ForfeitKind::FalseProtest => " refuses a legal move: ",
            ForfeitKind::Crash | ForfeitKind::CannotPlay => "'s engine ",
            ForfeitKind::Stall => "'s engine stalls: ",
        }
    }
}

impl Forfeit {
    pub fn new(loser: Color, kind: ForfeitKind, detail: impl Into<String>) -> Forfeit {
        Forfeit { loser, kind, detail: detail.into() }
    }

    /// The flag fell; the move came late by this much.
    pub fn time_loss(loser: Color, late: Duration) -> Forfeit {
        Forfeit::new(loser, ForfeitKind::TimeLoss, format!("{} ms late", late.as_millis()))
    }

    /// The detail in a reason that [`Display`](fmt::Display) has written, perhaps behind other text.
    pub(super) fn detail_in(loser: Color, kind: ForfeitKind, comment: &str) -> &str {
        let lead = format!("{loser}{}", kind.deed());
        comment.split_once(lead.as_str()).map_or("", |(_, detail)| detail)
    }
}

/// `White makes an illegal move: e1e5 (no such move)`.
impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Forfeit { loser, kind, detail } = self;
        let deed = kind.deed();
        match kind {
            _ if !detail.is_empty() => write!(f, "{loser}{deed}{detail}"),
            ForfeitKind::Crash => write!(f, "{loser}{deed}has ended"),
            ForfeitKind::CannotPlay => write!(f, "{loser}{deed}cannot play"),
            _ => write!(f, "{loser}{}", deed.trim_end_matches([' ', ',', ':'])),
        }
    }
}

impl GameEnding {
    pub fn result(&self) -> GameResult {
        match self {
            GameEnding::Rules(outcome) => GameResult::from(*outcome),
            GameEnding::Resignation(loser) | GameEnding::Forfeit(Forfeit { loser, .. }) => {
                GameResult::Win(!*loser)
            }
            GameEnding::Agreement | GameEnding::FlagDraw(_) => GameResult::Draw,
            GameEnding::Adjudication { winner, .. } => {
                winner.map_or(GameResult::Draw, GameResult::Win)
            }
            GameEnding::Announced { result, .. } => *result,
            GameEnding::Unfinished => GameResult::Unfinished,
        }
    }

    /// The side that forfeits the game and how, if one does. A flag that falls in a drawn game is a
    /// forfeit, too.
    pub fn forfeit(&self) -> Option<(Color, ForfeitKind)> {
        match self {
            GameEnding::Forfeit(forfeit) => Some((forfeit.loser, forfeit.kind)),
            GameEnding::FlagDraw(side) => Some((*side, ForfeitKind::TimeLoss)),
            _ => None,
        }
    }

    /// The kind of the end as it stands in files, which never changes: `checkmate`, `repetition`,
    /// `resignation`, `time-loss`. An end that a variant adds is named by its own words:
    /// `gives-third-check`. `None` if it is not known.
    pub fn id(&self) -> Option<String> {
        let id = match self {
            GameEnding::Rules(Outcome {
                reason: Reason::Variant(text) | Reason::VariantDraw(text),
                ..
            }) => return Some(id_of_text(text)),
            GameEnding::Rules(outcome) => {
                BOARD_ENDS.iter().find(|(_, reason)| *reason == outcome.reason)?.0
            }
            GameEnding::Resignation(_) => RESIGNATION,
            GameEnding::Agreement => AGREEMENT,
            GameEnding::Forfeit(forfeit) => forfeit.kind.id(),
            GameEnding::FlagDraw(_) => ForfeitKind::TimeLoss.id(),
            GameEnding::Adjudication { by, .. } => by.id(),
            GameEnding::Announced { .. } | GameEnding::Unfinished => return None,
        };
        Some(id.to_owned())
    }

    /// The end with this id and result in a game of this variant. `None` for a forfeit, for an unknown
    /// id, and if the id does not go with the result.
    pub(super) fn from_id(id: &str, result: GameResult, variant: VariantId) -> Option<GameEnding> {
        let winner = match result {
            GameResult::Win(winner) => Some(winner),
            GameResult::Draw => None,
            GameResult::Unfinished => return None,
        };
        let board = BOARD_ENDS.iter().find(|(known, _)| *known == id).map(|&(_, reason)| reason);
        let find =
            |texts: &[&'static str]| texts.iter().copied().find(|text| id_of_text(text) == id);
        let added = || match winner {
            Some(_) => find(variant.endings()).map(Reason::Variant),
            None => find(variant.drawn_endings()).map(Reason::VariantDraw),
        };
        let ending = match (board.or_else(added), winner) {
            (Some(reason), winner) => GameEnding::Rules(Outcome { winner, reason }),
            (None, Some(winner)) if id == RESIGNATION => GameEnding::Resignation(!winner),
            (None, None) if id == AGREEMENT => GameEnding::Agreement,
            (None, winner) => GameEnding::Adjudication { winner, by: AdjudicatedBy::from_id(id)? },
        };
        Some(ending)
    }

    /// The value of the PGN tag `Termination`.
    pub const fn termination(&self) -> &'static str {
        match self {
            GameEnding::Rules(_) | GameEnding::Resignation(_) | GameEnding::Agreement => "normal",
            GameEnding::FlagDraw(_) => "time forfeit",
            GameEnding::Forfeit(forfeit) => match forfeit.kind {
                ForfeitKind::TimeLoss => "time forfeit",
                ForfeitKind::IllegalMove | ForfeitKind::FalseClaim | ForfeitKind::FalseProtest => {
                    "rules infraction"
                }
                ForfeitKind::Crash | ForfeitKind::Stall | ForfeitKind::CannotPlay => "abandoned",
            },
            GameEnding::Adjudication { .. } => "adjudication",
            GameEnding::Announced { .. } => "normal",
            GameEnding::Unfinished => "unterminated",
        }
    }
}

const RESIGNATION: &str = "resignation";
const AGREEMENT: &str = "agreement";

/// The ends on the board that all games have.
const BOARD_ENDS: [(&str, Reason); 5] = [
    ("checkmate", Reason::Checkmate),
    ("stalemate", Reason::Stalemate),
    ("repetition", Reason::Repetition),
    ("fifty-moves", Reason::FiftyMoves),
    ("insufficient-material", Reason::InsufficientMaterial),
];

/// `gives-third-check` for `gives third check`.
fn id_of_text(text: &str) -> String {
    text.replace(' ', "-")
}

impl AdjudicatedBy {
    const fn id(self) -> &'static str {
        match self {
            AdjudicatedBy::Scores => "adjudicated-by-scores",
            AdjudicatedBy::Tablebases => "adjudicated-by-tablebases",
            AdjudicatedBy::Length => "adjudicated-by-length",
        }
    }

    fn from_id(id: &str) -> Option<AdjudicatedBy> {
        let all = [AdjudicatedBy::Scores, AdjudicatedBy::Tablebases, AdjudicatedBy::Length];
        all.into_iter().find(|by| by.id() == id)
    }
}

/// The reason, as the comment on a result.
impl fmt::Display for GameEnding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GameEnding::Rules(outcome) => write!(f, "{outcome}"),
            GameEnding::Resignation(loser) => write!(f, "{loser} resigns"),
            GameEnding::Agreement => f.write_str("Draw by agreement"),
            GameEnding::Forfeit(forfeit) => write!(f, "{forfeit}"),
            GameEnding::FlagDraw(side) => {
                write!(f, "{side} exceeds the time, but {} cannot win", !*side)
            }
            GameEnding::Adjudication { winner, by } => {
                let way = match by {
                    AdjudicatedBy::Scores => "adjudication",
                    AdjudicatedBy::Tablebases => "the tablebases",
                    AdjudicatedBy::Length => "length of game",
                };
                match winner {
                    Some(winner) => write!(f, "{winner} wins by {way}"),
                    None => write!(f, "Draw by {way}"),
                }
            }
            GameEnding::Announced { comment, .. } => f.write_str(comment),
            GameEnding::Unfinished => f.write_str("unfinished"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_loses_except_against_a_side_that_cannot_win() {
        let loss = GameEnding::Forfeit(Forfeit::time_loss(Color::White, Duration::from_millis(7)));
        let draw = GameEnding::FlagDraw(Color::White);
        assert_eq!(loss.result(), GameResult::Win(Color::Black));
        assert_eq!(loss.to_string(), "White loses on time, 7 ms late");
        assert_eq!(draw.result(), GameResult::Draw);
        assert_eq!(draw.to_string(), "White exceeds the time, but Black cannot win");
        for ending in [loss, draw] {
            assert_eq!(ending.forfeit(), Some((Color::White, ForfeitKind::TimeLoss)));
            assert_eq!(ending.termination(), "time forfeit");
        }
    }

    #[test]
    fn forfeits_are_told_with_and_without_details() {
        for kind in ForfeitKind::ALL {
            let told = Forfeit::new(Color::Black, kind, "a, b: c").to_string();
            let comment = format!("0.450s, {told}");
            assert_eq!(Forfeit::detail_in(Color::Black, kind, &comment), "a, b: c", "{told}");
            assert_eq!(Forfeit::detail_in(Color::White, kind, &comment), "", "{told}");
            assert_eq!(ForfeitKind::from_id(kind.id()), Some(kind));
        }
        let of = |kind| Forfeit::new(Color::White, kind, "").to_string();
        assert_eq!(of(ForfeitKind::Stall), "White's engine stalls");
        assert_eq!(of(ForfeitKind::IllegalMove), "White makes an illegal move");
        assert_eq!(ForfeitKind::from_old_name("stalls"), Some(ForfeitKind::Stall));
        assert_eq!(ForfeitKind::from_old_name("false claims"), Some(ForfeitKind::FalseClaim));
    }

    #[test]
    fn every_end_that_is_no_forfeit_can_be_read_again_from_its_id() {
        let variant = VariantId::ThreeCheck;
        let deed = variant.endings()[0];
        let adjudications =
            [AdjudicatedBy::Scores, AdjudicatedBy::Tablebases, AdjudicatedBy::Length]
                .map(|by| GameEnding::Adjudication { winner: None, by });
        let draws = [Reason::Stalemate, Reason::Repetition, Reason::FiftyMoves]
            .map(|reason| GameEnding::Rules(Outcome::draw(reason)));
        let wins = [
            GameEnding::Rules(Outcome::win(Color::Black, Reason::Checkmate)),
            GameEnding::Rules(Outcome::win(Color::White, Reason::Variant(deed))),
            GameEnding::Resignation(Color::White),
            GameEnding::Agreement,
            GameEnding::Adjudication { winner: Some(Color::White), by: AdjudicatedBy::Scores },
        ];
        for ending in adjudications.into_iter().chain(draws).chain(wins) {
            let id = ending.id().unwrap();
            let read = GameEnding::from_id(&id, ending.result(), variant);
            assert_eq!(read, Some(ending), "{id}");
        }
        let white = GameResult::Win(Color::White);
        for (id, result) in [
            ("gives-third-check", white),
            ("agreement", white),
            ("resignation", GameResult::Draw),
            ("checkmate", GameResult::Unfinished),
            ("magic", GameResult::Draw),
            ("time-loss", white),
        ] {
            assert_eq!(GameEnding::from_id(id, result, VariantId::Standard), None, "{id}");
        }
    }
}
