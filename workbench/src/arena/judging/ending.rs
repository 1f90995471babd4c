//! How a game ended.

use super::sheet::shown;
use crate::arena::games::{ForfeitKind, GameEnding};
use trebuchet::types::{Color, GameResult, Outcome};

/// The kind of an ending, as far as a log or a file tells it: a class in a report, without a result, a loser
/// or details.
///
/// It stands beside [`GameEnding`], of which every value has its kind, because a kind may be all that is
/// known: the words of a GUI or of another program's file say `time` or `illegal move`, but neither which
/// end on the board it was nor always whose fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// Mate, a draw by the rules, or what the variant adds.
    Board,
    Resignation,
    Forfeit(ForfeitKind),
    /// As the GUI says: an adjudication, an agreement, or what it does not explain.
    Gui,
    Unfinished,
}

impl EndingKind {
    /// The kind of the end of a record.
    pub fn of(ending: &GameEnding) -> EndingKind {
        match ending {
            GameEnding::Rules(_) => EndingKind::Board,
            GameEnding::Resignation(_) => EndingKind::Resignation,
            GameEnding::Forfeit(forfeit) => EndingKind::Forfeit(forfeit.kind),
            GameEnding::FlagDraw(_) => EndingKind::Forfeit(ForfeitKind::TimeLoss),
            GameEnding::Agreement
            | GameEnding::Adjudication { .. }
            | GameEnding::Announced { .. } => EndingKind::Gui,
            GameEnding::Unfinished => EndingKind::Unfinished,
        }
    }

    /// The kind in JSON. Some kinds of forfeits have the same name.
    pub const fn name(self) -> &'static str {
        match self {
            EndingKind::Board => "board",
            EndingKind::Resignation => "resignation",
            EndingKind::Forfeit(ForfeitKind::TimeLoss | ForfeitKind::Stall) => "time",
            EndingKind::Forfeit(ForfeitKind::IllegalMove) => "illegal move",
            EndingKind::Forfeit(ForfeitKind::FalseClaim | ForfeitKind::FalseProtest) => {
                "false claim"
            }
            EndingKind::Forfeit(ForfeitKind::Crash | ForfeitKind::CannotPlay) => "crash",
            EndingKind::Gui => "gui",
            EndingKind::Unfinished => "unfinished",
        }
    }

    /// Is the game lost by a fault against the rules of the game, whatever is on the board?
    const fn is_rules_infraction(self) -> bool {
        use ForfeitKind::{FalseClaim, FalseProtest, IllegalMove};
        matches!(self, EndingKind::Forfeit(IllegalMove | FalseClaim | FalseProtest))
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    pub result: GameResult,
    pub kind: EndingKind,
    /// In words: `White mates`.
    pub reason: String,
}

/// The result that a GUI or a file tells.
#[derive(Clone, Copy, Debug)]
pub struct ToldResult<'a> {
    pub result: GameResult,
    /// What the GUI or the file says about the reason.
    pub kind: EndingKind,
    /// The reason in the words of the GUI or the file.
    pub comment: &'a str,
}

/// What is known about the end of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence<'a> {
    pub told: Option<ToldResult<'a>>,
    /// How the game stands on the board.
    pub outcome: Option<Outcome>,
    pub resigned: Option<Color>,
    pub has_illegal_move: bool,
    pub has_false_claim: bool,
}

impl Ending {
    /// The ending, from what the GUI says and what is on the board.
    pub fn of(evidence: &Evidence) -> Ending {
        let on_board = evidence.outcome.map(GameResult::from);
        let result =
            evidence.told.map(|told| told.result).filter(|&told| told != GameResult::Unfinished);
        let comment = evidence.told.map_or("", |told| told.comment);
        let told_kind = evidence.told.map_or(EndingKind::Gui, |told| told.kind);
        let is_forfeit = evidence.has_illegal_move
            || evidence.has_false_claim
            || told_kind.is_rules_infraction();
        let end = |result, kind, reason: String| Ending { result, kind, reason };
        match (evidence.outcome, evidence.resigned, result) {
            (Some(outcome), None, result)
                if !is_forfeit && result.is_none_or(|result| Some(result) == on_board) =>
            {
                end(outcome.into(), EndingKind::Board, outcome.to_string())
            }
            (_, Some(loser), result)
                if result.is_none_or(|result| result == GameResult::Win(!loser)) =>
            {
                let reason = format!("{loser} resigns");
                end(GameResult::Win(!loser), EndingKind::Resignation, reason)
            }
            (.., None) => {
                let reason = if comment.is_empty() { "unfinished" } else { comment };
                end(GameResult::Unfinished, EndingKind::Unfinished, shown(reason))
            }
            (.., Some(result)) => {
                let kind = match told_kind {
                    EndingKind::Gui if evidence.has_illegal_move => {
                        EndingKind::Forfeit(ForfeitKind::IllegalMove)
                    }
                    EndingKind::Gui if evidence.has_false_claim => {
                        EndingKind::Forfeit(ForfeitKind::FalseClaim)
                    }
                    kind => kind,
                };
                let reason = if comment.is_empty() { "no reason given" } else { comment };
                end(result, kind, shown(reason))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::comments;
    use super::*;
    use trebuchet::types::Reason;

    #[test]
    fn endings_are_named() {
        let white = GameResult::Win(Color::White);
        let of = |comment: Option<&str>, outcome, resigned| {
            let told = comment.map(|comment| ToldResult {
                result: white,
                kind: comments::kind(comment),
                comment,
            });
            let Ending { result, kind, reason } =
                Ending::of(&Evidence { told, outcome, resigned, ..Evidence::default() });
            (result.token(), kind.name(), reason)
        };
        let mate = Outcome::win(Color::White, Reason::Checkmate);
        let told = Some("Xboard adjudication: Checkmate");
        assert_eq!(of(told, Some(mate), None), ("1-0", "board", "White mates".to_owned()));
        assert_eq!(of(None, Some(mate), None), ("1-0", "board", "White mates".to_owned()));
        let told = Some("Black resigns");
        let resigns = ("1-0", "resignation", "Black resigns".to_owned());
        assert_eq!(of(told, None, Some(Color::Black)), resigns);
        assert_eq!(of(told, None, None), resigns);
        assert_eq!(of(None, None, None), ("*", "unfinished", "unfinished".to_owned()));
        for (comment, kind) in [
            ("White wins on time", "time"),
            ("Black loses on time, 7 ms late", "time"),
            ("Black makes an illegal move: e1e5", "illegal move"),
            ("Black refuses a legal move: e2e4", "false claim"),
            ("Black's engine has ended (exit status: 1)", "crash"),
            ("Xboard adjudication: repetition draw", "gui"),
        ] {
            assert_eq!(of(Some(comment), None, None), ("1-0", kind, comment.to_owned()));
        }
    }
}
