//! What can be wrong with a file of games.

use std::io;
use std::path::PathBuf;

/// Why a file of games cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is not a file of games")]
    NotGames { path: PathBuf },
    #[error("{path} has games of another variant, not of {variant}")]
    OtherVariant { path: PathBuf, variant: &'static str },
    #[error("{path} is damaged at byte {offset} (--skip-damage leaves out what is damaged)")]
    Damaged { path: PathBuf, offset: u64 },
    #[error(
        "the header of {path} is damaged, so its variant is not known (`data merge NEW GOOD {path} --skip-damage` \
         saves its games, with GOOD another file of the variant)"
    )]
    DamagedHeader { path: PathBuf },
    #[error("{path} was begun with other settings: {difference} (--mix continues it anyway)")]
    OtherSettings { path: PathBuf, difference: String },
    #[error("{path} is in use: another process writes games to it")]
    InUse { path: PathBuf },
}
