//! What a coach says about a game: verdicts on moves, the evaluation in words, the reasons of a move,
//! and the squares that both sides fight for.
//!
//! The coach judges by the scores of searches that others run; it never searches. Imports `eval`,
//! `movegen`, `search` and what is below them, and asks the variant through their traits.

mod chances;
mod heat_map;
mod opinion;
mod reasons;
mod verdict;

pub use chances::{accuracy, win_chances};
pub use heat_map::{GameHeat, HeatMap};
pub use opinion::{Opinion, opinion};
pub use reasons::reasons;
pub use verdict::{Judgement, MoveFacts, Verdict, gives_up_material, winning_end};
