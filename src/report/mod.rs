//! Reports on games that were played: the analysis of each move, and its texts.
//!
//! Imports `play` and what is below it, and knows no protocol.

mod annotation;

pub use annotation::{AnnotatedGame, AnnotatedPly, Line};
