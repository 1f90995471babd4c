//! What the tools that learn from positions ask of their input files.

use std::path::PathBuf;

use crate::files;

/// Why there is nothing to learn from.
pub const NO_TRAINING: &str = "no positions to learn in the files";
/// Why what is learnt could not be judged.
pub const NO_VALIDATION: &str = "no positions for validation in the files: one game of twenty is for it, so there are too few games";

/// A file is named a second time.
#[derive(Debug, thiserror::Error)]
#[error("{0} is named twice: its positions would count twice")]
pub struct Repeated(PathBuf);

/// Checks that no file is named twice.
///
/// # Errors
/// The first one that is.
pub fn check_distinct(paths: &[PathBuf]) -> Result<(), Repeated> {
    files::repeated(paths).map_or(Ok(()), |path| Err(Repeated(path.to_owned())))
}
