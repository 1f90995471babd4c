//! The items of the check: what a bot has to do, one name for each.

use std::fmt;
use std::str::FromStr;

use trebuchet::play::Stage;

/// One thing that a bot has to do. The names are stable: rubrics and scripts use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    LegalMoves,
    PawnsOnly,
    CapturesFirst,
    BoardOrder,
    PromotesToQueen,
    ResignsWithoutPawnMove,
    CastlesAtOnce,
    EnPassantAtOnce,
    Clock,
    ResultClaims,
    MovesOnTurn,
    AcceptsLegalMoves,
    RefusesIllegalMoves,
    Features,
    AnswersPings,
    NothingMisread,
    KeepsRunning,
}

use Item::*;

impl Item {
    /// All items, in the order in which they are shown.
    pub const ALL: [Item; 17] = [
        LegalMoves,
        PawnsOnly,
        CapturesFirst,
        BoardOrder,
        PromotesToQueen,
        ResignsWithoutPawnMove,
        CastlesAtOnce,
        EnPassantAtOnce,
        Clock,
        ResultClaims,
        MovesOnTurn,
        AcceptsLegalMoves,
        RefusesIllegalMoves,
        Features,
        AnswersPings,
        NothingMisread,
        KeepsRunning,
    ];

    /// The name in tables, rubrics and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            LegalMoves => "legal-moves",
            PawnsOnly => "pawns-only",
            CapturesFirst => "captures-first",
            BoardOrder => "board-order",
            PromotesToQueen => "promotes-to-queen",
            ResignsWithoutPawnMove => "resigns-without-pawn-move",
            CastlesAtOnce => "castles-at-once",
            EnPassantAtOnce => "en-passant-at-once",
            Clock => "clock",
            ResultClaims => "result-claims",
            MovesOnTurn => "moves-on-turn",
            AcceptsLegalMoves => "accepts-legal-moves",
            RefusesIllegalMoves => "refuses-illegal-moves",
            Features => "features",
            AnswersPings => "answers-pings",
            NothingMisread => "nothing-misread",
            KeepsRunning => "keeps-running",
        }
    }

    /// What the bot has to do, in one sentence.
    pub const fn rule(self) -> &'static str {
        match self {
            LegalMoves => "every move of the bot is legal, and written so that xboard can read it",
            PawnsOnly => "while there is a legal pawn move, the bot moves a pawn",
            CapturesFirst => "while a pawn can capture, the bot captures with a pawn",
            BoardOrder => {
                "of several pawns, the bot moves the first one in the order of the squares"
            }
            PromotesToQueen => "a pawn that reaches the last rank becomes a queen",
            ResignsWithoutPawnMove => {
                "the bot resigns when it has no legal pawn move, and only then"
            }
            CastlesAtOnce => "when castling is legal, the bot castles",
            EnPassantAtOnce => {
                "when a capture en passant is legal, and castling is not, the bot makes it"
            }
            Clock => "the bot moves before its time is up",
            ResultClaims => "a win or draw that the bot claims stands on the board",
            MovesOnTurn => {
                "the bot moves once when it is asked, and never after the end of the game"
            }
            AcceptsLegalMoves => "the bot does not call a legal move illegal",
            RefusesIllegalMoves => "the bot answers an illegal move with `Illegal move`",
            Features => "the feature lines end with `done=1`",
            AnswersPings => "each `ping` gets its `pong`, in order",
            NothingMisread => "no output of the bot is a line that xboard takes for something else",
            KeepsRunning => "the bot's process does not end by itself",
        }
    }

    /// Is it about the dialogue between GUI and bot, of which a PGN file tells nothing?
    pub const fn is_about_dialogue(self) -> bool {
        matches!(
            self,
            ResultClaims
                | MovesOnTurn
                | AcceptsLegalMoves
                | RefusesIllegalMoves
                | Features
                | AnswersPings
                | NothingMisread
                | KeepsRunning
        )
    }

    /// Is the item part of the check of this stage? The order of the squares is only checked if the
    /// user asks for it.
    pub fn belongs_to(self, stage: Stage, in_order: bool) -> bool {
        match self {
            PawnsOnly | CapturesFirst | PromotesToQueen | ResignsWithoutPawnMove => {
                stage == Stage::Pawns
            }
            BoardOrder => stage == Stage::Pawns && in_order,
            CastlesAtOnce | EnPassantAtOnce => stage == Stage::Random,
            _ => true,
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no item.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such item: {0}; known: {items}", items = Item::ALL.map(Item::name).join(", "))]
pub struct UnknownItem(String);

impl FromStr for Item {
    type Err = UnknownItem;

    fn from_str(text: &str) -> Result<Item, UnknownItem> {
        Item::ALL
            .into_iter()
            .find(|item| item.name() == text)
            .ok_or_else(|| UnknownItem(text.to_owned()))
    }
}

/// The items as a table in Markdown, for `docs/grading.md`.
pub fn markdown() -> String {
    let stages = |item: Item| {
        let in_stage = |stage: &Stage| item.belongs_to(*stage, true);
        let stages: Vec<&str> = Stage::ALL.into_iter().filter(in_stage).map(Stage::name).collect();
        match stages.len() {
            3 => "all".to_owned(),
            _ if item == BoardOrder => format!("{}, with `--board-order`", stages.join(", ")),
            _ => stages.join(", "),
        }
    };
    let rows = Item::ALL.map(|item| format!("| `{item}` | {} | {} |\n", stages(item), item.rule()));
    format!("| item | stage | kept if |\n|---|---|---|\n{}", rows.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for (index, item) in Item::ALL.into_iter().enumerate() {
            assert_eq!(item as usize, index);
            assert_eq!(item.name().parse(), Ok(item));
        }
        let error = "legal-move".parse::<Item>().unwrap_err().to_string();
        assert!(error.starts_with("no such item: legal-move; known: legal-moves, pawns-only,"));
    }

    #[test]
    fn each_stage_has_its_items() {
        let names = |stage, in_order| {
            let items = Item::ALL.into_iter().filter(|item| item.belongs_to(stage, in_order));
            items.map(Item::name).take(6).collect::<Vec<_>>().join(" ")
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
