//! What can go wrong when puzzles are made.

use std::io;
use std::path::PathBuf;

use super::source::SourceError;
use crate::arena::engines::EngineError;

/// Why no puzzles could be made.
#[derive(Debug, thiserror::Error)]
pub enum PuzzlesError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("{0}: this is not a file of puzzles of {1}; move it away")]
    Foreign(PathBuf, &'static str),
    #[error(
        "{path}: its puzzles are of {found}, not of {wanted}; choose the game with --variant {name}"
    )]
    OtherGame { path: PathBuf, found: &'static str, wanted: &'static str, name: &'static str },
    #[error("{0} has no built-in puzzles")]
    NoBuiltIn(&'static str),
    #[error("the second engine: {0}")]
    SecondEngine(#[from] EngineError),
}
