//! The criteria: what a bot has to do, one name for each.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use trebuchet::play::Stage;

/// When a criterion is part of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// In every stage.
    Always,
    In(Stage),
    /// In the stage `pawns`, if the user has named an order of the squares.
    WithBoardOrder,
}

/// What a file must have to tell something about a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// The moves, their times, and how the game ended.
    Game,
    /// The dialogue between GUI and bot, of which a PGN file tells nothing.
    Dialogue,
}

/// What is known of a criterion: a row of the table below.
struct CriterionInfo {
    name: &'static str,
    when: When,
    needs: Needs,
    rule: &'static str,
}

/// Makes the enumeration and the table from one list.
macro_rules! criteria {
    ($($id:ident: $name:literal, $when:expr, $needs:expr, $rule:literal;)+) => {
        /// One thing that a bot has to do. The names are stable: rubrics and scripts use them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
        #[serde(try_from = "String", into = "&'static str")]
        pub enum Criterion {
            $(#[doc = $rule] $id),+
        }

        impl Criterion {
            /// All criteria, in the order in which they are shown.
            pub const ALL: &[Criterion] = &[$(Criterion::$id),+];
        }

        /// The criteria by number.
        const TABLE: &[CriterionInfo] = &[
            $(CriterionInfo { name: $name, when: $when, needs: $needs, rule: $rule }),+
        ];
    };
}

use Needs::{Dialogue, Game};
use When::{Always, In, WithBoardOrder};

criteria! {
    LegalMoves: "legal-moves", Always, Game,
        "every move of the bot is legal, and written so that xboard can read it";
    PawnsOnly: "pawns-only", In(Stage::Pawns), Game,
        "while there is a legal pawn move, the bot moves a pawn";
    CapturesFirst: "captures-first", In(Stage::Pawns), Game,
        "while a pawn can capture, the bot captures with a pawn";
    BoardOrder: "board-order", WithBoardOrder, Game,
        "of several pawns, the bot moves the first one in the order of the squares";
    PromotesToQueen: "promotes-to-queen", In(Stage::Pawns), Game,
        "a pawn that reaches the last rank becomes a queen";
    ResignsWithoutPawnMove: "resigns-without-pawn-move", In(Stage::Pawns), Game,
        "when no pawn can move and no capture is compulsory, the bot resigns, and only then";
    CastlesAtOnce: "castles-at-once", In(Stage::Random), Game,
        "when castling is legal, the bot castles";
    EnPassantAtOnce: "en-passant-at-once", In(Stage::Random), Game,
        "when a capture en passant is legal, and castling is not, the bot makes it";
    Clock: "clock", Always, Game,
        "the bot moves before its time is up";
    ResultClaims: "result-claims", Always, Dialogue,
        "a win or draw that the bot claims stands on the board";
    MovesOnTurn: "moves-on-turn", Always, Dialogue,
        "the bot moves once when it is asked, and never after the end of the game";
    AcceptsLegalMoves: "accepts-legal-moves", Always, Dialogue,
        "the bot does not call a legal move illegal";
    RefusesIllegalMoves: "refuses-illegal-moves", Always, Dialogue,
        "the bot answers an illegal move with `Illegal move`";
    NamesPromotions: "names-promotions", Always, Dialogue,
        "a move that promotes a pawn ends with the letter of the new piece";
    Features: "features", Always, Dialogue,
        "the feature lines end with `done=1`";
    AnswersPings: "answers-pings", Always, Dialogue,
        "each `ping` gets its `pong`, in order";
    NothingMisread: "nothing-misread", Always, Dialogue,
        "no output of the bot is a line that xboard takes for something else";
    KeepsRunning: "keeps-running", Always, Dialogue,
        "the bot's process does not end by itself";
}

impl Criterion {
    const fn info(self) -> &'static CriterionInfo {
        &TABLE[self as usize]
    }

    /// The name in tables, rubrics and JSON.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// What the bot has to do, in one sentence.
    pub const fn rule(self) -> &'static str {
        self.info().rule
    }

    /// Is it about the dialogue between GUI and bot, of which a PGN file tells nothing?
    pub fn is_about_dialogue(self) -> bool {
        self.info().needs == Dialogue
    }

    /// Is the criterion part of the check of this stage? The order of the squares is only checked if
    /// the user asks for it.
    pub fn belongs_to(self, stage: Stage, in_order: bool) -> bool {
        match self.info().when {
            Always => true,
            In(wanted) => stage == wanted,
            WithBoardOrder => stage == Stage::Pawns && in_order,
        }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no criterion.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such criterion: {0}; known: {known}", known = known_names())]
pub struct UnknownCriterion(String);

fn known_names() -> String {
    TABLE.iter().map(|info| info.name).collect::<Vec<_>>().join(", ")
}

impl FromStr for Criterion {
    type Err = UnknownCriterion;

    fn from_str(text: &str) -> Result<Criterion, UnknownCriterion> {
        let found = Criterion::ALL.iter().copied().find(|criterion| criterion.name() == text);
        found.ok_or_else(|| UnknownCriterion(text.to_owned()))
    }
}

impl TryFrom<String> for Criterion {
    type Error = UnknownCriterion;

    fn try_from(text: String) -> Result<Criterion, UnknownCriterion> {
        text.parse()
    }
}

impl From<Criterion> for &'static str {
    fn from(criterion: Criterion) -> &'static str {
        criterion.name()
    }
}

/// The criteria as a table in Markdown, for `docs/grading.md`.
pub fn markdown() -> String {
    let row = |criterion: &Criterion| {
        let stage = match criterion.info().when {
            Always => "all".to_owned(),
            In(stage) => stage.name().to_owned(),
            WithBoardOrder => format!("{}, with `--board-order`", Stage::Pawns),
        };
        format!("| `{criterion}` | {stage} | {} |\n", criterion.rule())
    };
    let rows: String = Criterion::ALL.iter().map(row).collect();
    format!("| criterion | stage | kept if |\n|---|---|---|\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for (index, &criterion) in Criterion::ALL.iter().enumerate() {
            assert_eq!(criterion as usize, index);
            assert_eq!(criterion.name().parse(), Ok(criterion));
        }
        let error = "legal-move".parse::<Criterion>().unwrap_err().to_string();
        assert!(
            error.starts_with("no such criterion: legal-move; known: legal-moves, pawns-only,")
        );
    }

    #[test]
    fn each_stage_has_its_criteria() {
        let names = |stage, in_order| {
            let criteria = Criterion::ALL.iter().filter(|item| item.belongs_to(stage, in_order));
            criteria.map(|criterion| criterion.name()).take(6).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            names(Stage::Pawns, true),
            "legal-moves pawns-only captures-first board-order promotes-to-queen resigns-without-pawn-move"
        );
        assert_eq!(
            names(Stage::Random, true),
            "legal-moves castles-at-once en-passant-at-once clock result-claims moves-on-turn"
        );
        assert_eq!(
            names(Stage::Full, true),
            "legal-moves clock result-claims moves-on-turn accepts-legal-moves refuses-illegal-moves"
        );
        assert!(!names(Stage::Pawns, false).contains("board-order"));
    }
}
