//! What the bots are held to.

use std::time::Duration;

use super::board_order::BoardOrder;
use super::item::Item;
use super::sheet::Sheet;
use super::{stage_pawns, stage_random};
use trebuchet::play::{Game, Stage};
use trebuchet::types::Move;

/// The conditions of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    pub stage: Stage,
    /// The order in which pawns have to move, if it matters.
    pub board_order: Option<BoardOrder>,
    /// A move that exceeds the clock by this much is still in time.
    pub margin: Duration,
}

/// A move of the bot, before it is made.
#[derive(Clone, Copy)]
pub struct MoveAt<'a> {
    pub board: &'a dyn Game,
    /// The legal moves of the position.
    pub legal: &'a [Move],
    pub mv: Move,
    /// The line of the file.
    pub line: u64,
}

impl Conditions {
    /// The items of the check, in order.
    pub fn items(&self) -> impl Iterator<Item = Item> + Clone {
        let (stage, in_order) = (self.stage, self.board_order.is_some());
        Item::ALL.into_iter().filter(move |item| item.belongs_to(stage, in_order))
    }

    /// Judges the choice of a legal move by the rules of the stage.
    pub fn judge_choice(&self, sheet: &mut Sheet, at: &MoveAt) {
        match self.stage {
            Stage::Pawns => stage_pawns::judge(sheet, at, self.board_order),
            Stage::Random => stage_random::judge(sheet, at),
            Stage::Full => {}
        }
    }
}
