//! What a coach says about a game: verdicts on moves, the evaluation in words, the reasons of a move,
//! and the squares that both sides fight for.
//!
//! The coach judges by the lines of searches that others run; it never searches. Imports `eval`,
//! `movegen`, `notation`, `search` and what is below them, and asks the variant through their traits.

mod assessment;
mod chances;
mod compulsion;
mod concessions;
mod danger;
mod exchange;
mod goal;
mod heat_map;
mod line_of_play;
mod lines;
mod manner;
mod merits;
mod opinion;
mod reasons;
mod refutation;
mod rules;
mod sacrifice;
mod tactics;
mod threats;
mod verdict;
mod words;

pub use assessment::{Assessment, Better, assess};
pub use chances::{accuracy, win_chances};
pub use compulsion::Series;
pub use concessions::Concession;
pub use danger::Danger;
pub use heat_map::{GameHeat, HeatMap};
pub use line_of_play::{Promoter, Trade};
pub use lines::{BestLines, Line, before_move};
pub use manner::Manner;
pub use opinion::{Opinion, opinion};
pub use reasons::reasons;
pub use refutation::{Motif, Refutation};
pub use rules::CoachRules;
pub use sacrifice::{Prospect, prospect};
pub use tactics::Tactic;
pub use verdict::{Judgement, Verdict, VerdictKind};
