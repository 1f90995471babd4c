//! Endgame tables as a search uses them, and what they say about the moves of the root. What they say
//! about a node is in `tablebase_probe`.

use crate::tablebase::{TableResult, Tablebases};
use crate::types::{Depth, Score};

/// What a cursed win is worth beyond a draw, in centipawns, and a blessed loss below it.
pub const CURSED: Score = Score::cp(3);

/// The endgame tables as one search uses them.
#[derive(Clone, Copy, Default)]
pub struct TablebaseUse<'a> {
    pub tables: Option<&'a Tablebases>,
    /// Nodes with more men are not looked up; 0 looks nothing up.
    pub most_men: usize,
    /// Nodes with exactly `most_men` men are looked up from this depth on, in plies.
    pub depth: Depth,
}

/// The score of a root move by the tables' advice, shown instead of a search's score that is no forced
/// end. `draw` is the score of a draw.
pub fn root_score(result: TableResult, draw: Score) -> Score {
    match result {
        TableResult::Win | TableResult::WinIn(_) => Score::table_win(0),
        TableResult::Loss | TableResult::LossIn(_) => -Score::table_win(0),
        TableResult::Draw => draw,
        TableResult::CursedWin => draw + CURSED,
        TableResult::BlessedLoss => draw - CURSED,
    }
}
