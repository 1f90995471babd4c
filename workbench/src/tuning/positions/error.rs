//! What can be wrong with a file of training positions.

use std::io;
use std::path::PathBuf;

/// Why a file of training positions cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PositionsError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is not a file of positions from `data pack`")]
    NotPositions { path: PathBuf },
    #[error(
        "{path} is a file of positions of another version: `data pack` makes a new one of the games"
    )]
    OtherVersion { path: PathBuf },
    #[error("{path} is a file of games: `data pack` makes a file of positions of it")]
    Games { path: PathBuf },
    #[error("{path} is damaged at byte {offset}")]
    Damaged { path: PathBuf, offset: u64 },
    #[error("{path} has {found} bytes instead of {wanted}")]
    Length { path: PathBuf, found: u64, wanted: u64 },
}
