//! The files that a command line names: how they are read, which may be replaced, how they are written.
//!
//! The rules of all commands: What is written is never one of the files that are read, whatever their
//! paths. A file that exists stays, unless the command has written it or the user says `--force`. A file is
//! replaced as a whole or not at all. No more is read than a stated limit, and nothing of a device, which
//! has no end.

mod held;

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use trebuchet::fnv::{FNV_START, fnv_1a};

pub use held::HeldFile;

/// The largest file of settings that is read, in bytes.
pub const MAX_SETTINGS: u64 = 1 << 20;
/// The largest file of games or positions that is read into memory, in bytes.
pub const MAX_GAMES: u64 = 1 << 30;

/// How often a lock is tried again, and how long after the last time.
const LOCK_TRIES: u32 = 5;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Why a file is not read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("this is a source; name another file")]
    Source,
    #[error("this is not written to standard output; name a file, or `./-`")]
    StandardOutput,
    #[error("more than {0} KiB, too large")]
    TooLarge(u64),
    #[error("not UTF-8 (line {0}): save it as UTF-8")]
    NotUtf8(usize),
    #[error("a device, and neither a file nor a pipe")]
    Device,
    #[error("not a file")]
    NotAFile,
    #[error("it is write-protected")]
    Protected,
    #[error("it exists and is not JSON; name another file, or remove it")]
    NotJson,
    #[error("it exists and does not begin with `{0}`; name another file, or remove it")]
    OtherForm(&'static str),
    #[error("no file can be made in its folder: {0}")]
    Folder(io::ErrorKind),
    #[error("a new file takes its place, and none can be made in its folder: {0}")]
    FolderOfOld(io::ErrorKind),
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> io::Error {
        io::Error::other(refusal)
    }
}

/// Was a file not written because there is no room for it?
pub fn is_full(error: &io::Error) -> bool {
    let refusal = error.get_ref().and_then(|inner| inner.downcast_ref());
    let kind = match refusal {
        Some(Refusal::Folder(kind) | Refusal::FolderOfOld(kind)) => *kind,
        _ => error.kind(),
    };
    matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Opens a file, a pipe or a terminal to read it. A pipe may have no end, but the user has made it.
///
/// # Errors
/// If it cannot be opened, or is another device.
pub fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if is_device(&file.metadata()?) && !file.is_terminal() {
        return Err(Refusal::Device.into());
    }
    Ok(file)
}

#[cfg(unix)]
fn is_device(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    found.file_type().is_char_device() || found.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &fs::Metadata) -> bool {
    false
}

/// Reads a file, a pipe or a terminal to its end.
///
/// # Errors
/// If it cannot be read, is a device, or has more than `limit` bytes. Not much more is then read.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    if file.metadata()?.len() > limit {
        return Err(Refusal::TooLarge(limit >> 10).into());
    }
    read_all(file, limit)
}

/// Reads a text file in UTF-8, like [`read`].
///
/// # Errors
/// As [`read`], or if it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        io::Error::new(io::ErrorKind::InvalidData, Refusal::NotUtf8(line))
    })
}

/// Reads a text file in UTF-8 that somebody has handed in: a link could lead anywhere, and a pipe might have no
/// end.
///
/// # Errors
/// As [`read_text`], or if it is a link or no file.
pub fn read_foreign_text(path: &Path, limit: u64) -> io::Result<String> {
    if !path.symlink_metadata()?.is_file() {
        return Err(Refusal::NotAFile.into());
    }
    read_text(path, limit)
}

/// Reads to the end.
///
/// # Errors
/// If that fails, or there are more than `limit` bytes.
pub fn read_all(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Refusal::TooLarge(limit >> 10).into());
    }
    Ok(bytes)
}

/// The hash of all bytes up to the end.
///
/// # Errors
/// If they cannot be read.
pub fn hash_of(mut input: impl Read) -> io::Result<u64> {
    let (mut hash, mut part) = (FNV_START, vec![0; 1 << 16]);
    loop {
        match input.read(&mut part)? {
            0 => return Ok(hash),
            length => hash = fnv_1a(hash, part[..length].iter().copied()),
        }
    }
}

/// Are these the first bytes of the file?
///
/// # Errors
/// If it cannot be read.
pub fn begins_with(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut found = Vec::new();
    open(path)?.take(bytes.len() as u64).read_to_end(&mut found)?;
    Ok(found == bytes)
}

/// Do both paths lead to the same file? One that does not exist may be in the same folder.
pub fn is_same(a: &Path, b: &Path) -> bool {
    let is_same_path = || matches!((canonical(a), canonical(b)), (Ok(a), Ok(b)) if a == b);
    a == b || is_same_path() || are_links(a, b)
}

/// The first file that is named a second time.
pub fn repeated(paths: &[PathBuf]) -> Option<&Path> {
    let (mut names, mut places) = (HashSet::new(), HashSet::new());
    let mut is_new = |path: &Path| {
        let name = canonical(path).unwrap_or_else(|_| path.to_owned());
        names.insert(name) && place(path).is_none_or(|place| places.insert(place))
    };
    paths.iter().map(PathBuf::as_path).find(|path| !is_new(path))
}

/// The absolute path without links and `..`, also of what does not exist yet.
///
/// # Errors
/// If a folder on the way cannot be read.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    match (path.canonicalize(), path.file_name()) {
        (Err(error), Some(name)) if error.kind() == io::ErrorKind::NotFound => {
            Ok(canonical(folder(path))?.join(name))
        }
        (found, _) => found,
    }
}

/// Are these two names of one file?
fn are_links(a: &Path, b: &Path) -> bool {
    matches!((place(a), place(b)), (Some(a), Some(b)) if a == b)
}

/// Where the path leads, see [`place_of`].
fn place(path: &Path) -> Option<(u64, u64)> {
    place_of(&path.metadata().ok()?)
}

/// The numbers of the device and of the file on it, if the system tells them.
#[cfg(unix)]
fn place_of(found: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;

    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn place_of(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// Does the path still lead to this file, and not to one that has taken its place? Windows replaces no file that
/// is open.
pub fn is_at(file: &File, path: &Path) -> bool {
    let own = || file.metadata().ok().and_then(|found| place_of(&found));
    !cfg!(unix) || matches!((own(), place(path)), (Some(a), Some(b)) if a == b)
}

/// Checks, before any work, that a file can be written: it is none of the inputs, no folder, and its folder
/// takes files. It is not `-`, which means standard output where a command can write to it. A device or a pipe that
/// exists can be written. Changes no file, but removes what killed processes have left in the folder.
///
/// # Errors
/// Why it cannot be written.
pub fn check_output<P: AsRef<Path>>(
    path: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> io::Result<()> {
    if path.as_os_str() == "-" {
        return Err(Refusal::StandardOutput.into());
    }
    let found = path.metadata();
    match &found {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => return Ok(()),
        _ => {}
    }
    if inputs.into_iter().any(|input| is_same(input.as_ref(), path)) {
        return Err(Refusal::Source.into());
    }
    if found.is_ok_and(|found| found.permissions().readonly()) {
        return Err(Refusal::Protected.into());
    }
    let path = real(path);
    draft(&path)?;
    if cfg!(unix) {
        remove_left_drafts(folder(&path));
    }
    Ok(())
}

/// Checks, before any work, that JSON can be written, as [`check_output`]. Of what exists, only JSON or an
/// empty file is replaced.
///
/// # Errors
/// Why it cannot be written.
pub fn check_json_output<P: AsRef<Path>>(
    path: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> io::Result<()> {
    check_output(path, inputs)?;
    if is_foreign(path, "{")? { Err(Refusal::NotJson.into()) } else { Ok(()) }
}

/// Checks, before any work, that a file can be written which begins with `start`, as [`check_output`]. Of
/// what exists, only such a file or an empty one is replaced.
///
/// # Errors
/// Why it cannot be written.
pub fn check_output_like<P: AsRef<Path>>(
    path: &Path,
    start: &'static str,
    inputs: impl IntoIterator<Item = P>,
) -> io::Result<()> {
    check_output(path, inputs)?;
    if is_foreign(path, start)? { Err(Refusal::OtherForm(start).into()) } else { Ok(()) }
}

/// Is there a file that begins otherwise?
fn is_foreign(path: &Path, start: &str) -> io::Result<bool> {
    let has_text = path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0);
    Ok(has_text && !begins_with(path, start.as_bytes())?)
}

/// The files that the words of a command name: programs, scripts, books. The command runs in this folder.
pub fn named_in(command: &[String], folder: Option<&Path>) -> Vec<PathBuf> {
    let path = |word| folder.unwrap_or(Path::new("")).join(word);
    command.iter().map(path).filter(|path| path.is_file()).collect()
}

/// Refuses what exists and is no file: a file that is read and continued is neither a pipe nor a device.
///
/// # Errors
/// If it is something else than a file.
pub fn check_plain(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Err(Refusal::NotAFile.into()),
        _ => Ok(()),
    }
}

/// Writes a file, and replaces it as a whole if it exists. A device or a pipe is written as it is.
///
/// # Errors
/// If it cannot be written; an older file is then still there, and nothing else.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    replace_with(path, |file| file.write_all(bytes))
}

/// Replaces a file with what `write` writes into a new file beside it, which has its name only when it is
/// complete, and is removed if anything fails.
///
/// # Errors
/// If it cannot be written; an older file is then still there, and nothing else.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let path = real(path);
    let mut draft = draft(&path)?;
    write(draft.as_file_mut())?;
    if let Ok(found) = path.metadata() {
        // Best effort: some file systems know no permissions.
        let _ = draft.as_file().set_permissions(found.permissions());
    }
    draft.as_file().sync_all()?;
    draft.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Makes a file that does not exist yet: `write` gets the path of an empty file beside it, which has its
/// name only when it is complete, and is removed if anything fails.
///
/// # Errors
/// If it cannot be written, or exists meanwhile; nothing is left then.
pub fn make_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), E> {
    let draft = draft(path)?;
    // Best effort: `write` opens the file anew, and locks it itself.
    let _ = draft.as_file().unlock();
    write(draft.path())?;
    lock_draft(draft.as_file());
    draft.as_file().sync_all()?;
    draft.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}

/// The path behind links, so that a link stays a link.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// How the name of a draft begins and ends.
const DRAFT: [&str; 2] = [".trebuchet-", ".new"];

/// A new file in the folder of this path. It is removed when it is dropped. Its process holds a lock on it:
/// without one it was left by a process that was killed.
fn draft(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    folder(path).metadata()?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(DRAFT[0]).suffix(DRAFT[1]);
    #[cfg(unix)]
    let usual = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(usual);
    loop {
        let made = builder.tempfile_in(folder(path));
        // The path that the error names is that of the draft, which says nothing to the user.
        let refusal = if path.exists() { Refusal::FolderOfOld } else { Refusal::Folder };
        let draft = made.map_err(|error| refusal(error.kind()))?;
        // Before it was locked, another process may have taken it for one that was left.
        if lock_draft(draft.as_file()) && draft.path().exists() {
            return Ok(draft);
        }
    }
}

/// As [`File::try_lock`], but tries for a tenth of a second: a process that this one is just starting holds the locks of
/// all our files until its own program runs.
///
/// # Errors
/// If another process has locked the file, or the file system knows no locks.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            ended => return ended,
        }
    }
    file.try_lock()
}

/// Locks a draft. Returns false if another process has locked it. Best effort: some file systems know no locks.
/// On Windows, a lock would keep the file from being opened anew.
fn lock_draft(file: &File) -> bool {
    !cfg!(unix) || !matches!(try_lock(file), Err(TryLockError::WouldBlock))
}

/// Removes the drafts in a folder whose processes were killed. Best effort: they only take room.
fn remove_left_drafts(folder: &Path) {
    let is_draft = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_file = || entry.file_type().is_ok_and(|found| found.is_file());
        name.starts_with(DRAFT[0]) && name.ends_with(DRAFT[1]) && is_file()
    };
    let entries = folder.read_dir().into_iter().flatten().flatten();
    for path in entries.filter(is_draft).map(|entry| entry.path()) {
        // The lock holds until it is removed.
        let file = File::options().write(true).open(&path);
        if file.as_ref().is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// The folder of a file.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests;
