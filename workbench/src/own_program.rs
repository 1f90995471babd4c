//! The program that runs, to be started once more.

use std::path::PathBuf;
use std::{env, io, process};

/// The file of this program. On Linux it is the program that runs even if another build has taken its place.
///
/// # Errors
/// If the system does not know the file.
pub fn own_program() -> io::Result<PathBuf> {
    let program = env::current_exe()?;
    if cfg!(target_os = "linux") && !program.exists() {
        return Ok(PathBuf::from(format!("/proc/{}/exe", process::id())));
    }
    Ok(program)
}
