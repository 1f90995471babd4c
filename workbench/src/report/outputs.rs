//! The files that an annotation writes: their names, what they may replace, and how they are written.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use super::marks;
use crate::files::{self, MAX_GAMES};
use trebuchet::notation::pgn;
use trebuchet::text::printable;

/// The path that stands for standard input or output.
const STANDARD: &str = "-";

/// Where a text goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Stdout,
    File(PathBuf),
}

/// Why an output cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("standard output: {0}")]
    Stdout(io::Error),
    #[error("{0}: this is a source; name another file for the output")]
    Source(PathBuf),
    #[error("{0}: two outputs have this name")]
    Twice(PathBuf),
    #[error("two outputs go to standard output")]
    StdoutTwice,
    #[error("{0}: this file is not one of Trebuchet's; --force replaces it")]
    Foreign(PathBuf),
}

/// Is it standard input or output?
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

impl Target {
    pub fn new(path: &Path) -> Target {
        if is_standard(path) { Target::Stdout } else { Target::File(path.to_owned()) }
    }

    /// A file beside the source: its name without `.pgn`, with another ending.
    pub fn beside(source: &Path, ending: &str) -> Target {
        let is_pgn = source.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("pgn"));
        let stem = if is_pgn { source.file_stem() } else { source.file_name() };
        let mut name = stem.unwrap_or_default().to_owned();
        name.push(ending);
        Target::File(source.with_file_name(name))
    }

    pub fn path(&self) -> Option<&Path> {
        match self {
            Target::Stdout => None,
            Target::File(path) => Some(path),
        }
    }

    /// Writes the text. A file is replaced as a whole: it never has a part of the text.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, text: &[u8]) -> Result<(), OutputError> {
        match self {
            Target::Stdout => {
                let mut out = io::stdout().lock();
                let text = for_stdout(text, out.is_terminal());
                out.write_all(&text).and_then(|()| out.flush()).map_err(OutputError::Stdout)
            }
            Target::File(path) => files::replace(path, text).map_err(file_error(path)),
        }
    }
}

/// Checks, before the games are analysed, that all targets can be written. Changes no file. Without
/// `force`, files that this program has not written are kept.
///
/// # Errors
/// The first reason why a target cannot be written.
pub fn check(targets: &[&Target], sources: &[PathBuf], force: bool) -> Result<(), OutputError> {
    for (index, target) in targets.iter().enumerate() {
        let Target::File(path) = target else {
            if targets[..index].contains(target) {
                return Err(OutputError::StdoutTwice);
            }
            continue;
        };
        if sources.iter().any(|source| files::is_same(source, path)) {
            return Err(OutputError::Source(path.clone()));
        }
        let others = targets[..index].iter().filter_map(|other| other.path());
        if others.into_iter().any(|other| files::is_same(other, path)) {
            return Err(OutputError::Twice(path.clone()));
        }
        match path.metadata() {
            Ok(found) if found.is_dir() => {
                return Err(OutputError::File(path.clone(), io::ErrorKind::IsADirectory.into()));
            }
            Ok(found)
                if found.is_file() && !force && !is_own(path).map_err(file_error(path))? =>
            {
                return Err(OutputError::Foreign(path.clone()));
            }
            // A file of ours, a pipe, or a file that does not exist.
            _ => {}
        }
        files::check_output(path, sources).map_err(file_error(path))?;
    }
    Ok(())
}

/// The progress file lies beside the first output that is a file, and no terminal or pipe.
pub fn progress_path(targets: &[&Target]) -> Option<PathBuf> {
    let can_lie_beside = |path: &&Path| !path.metadata().is_ok_and(|found| !found.is_file());
    let path = targets.iter().filter_map(|target| target.path()).find(can_lie_beside)?;
    let mut name = path.file_name()?.to_owned();
    name.push(".progress");
    Some(path.with_file_name(name))
}

fn file_error(path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    |error| OutputError::File(path.to_owned(), error)
}

/// How an HTML report of this program begins, somewhere in its head.
const GENERATOR: &str = "<meta name=\"generator\" content=\"Trebuchet ";
/// The head of an HTML report lies in its first bytes.
const HEAD: u64 = 4096;

/// Has this program written the file: a report, or PGN with no game that somebody else has annotated?
/// An empty file holds nothing that could be lost.
fn is_own(path: &Path) -> io::Result<bool> {
    let mut bytes = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut bytes)?;
    if bytes.is_empty() || String::from_utf8_lossy(&bytes).contains(GENERATOR) {
        return Ok(true);
    }
    let bytes = files::read(path, MAX_GAMES)?;
    let text = pgn::decode(&bytes);
    let mut games = pgn::read(&text).map(|game| marks::is_annotated(&game)).peekable();
    Ok(games.peek().is_some() && games.all(|is_annotated| is_annotated))
}

/// The text for standard output. A terminal gets no control characters, which the source may have.
fn for_stdout(text: &[u8], is_terminal: bool) -> Cow<'_, [u8]> {
    if is_terminal {
        Cow::Owned(printable(&String::from_utf8_lossy(text)).into_bytes())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn outputs_lie_beside_their_source() {
        let beside = |source: &str| match Target::beside(Path::new(source), ".annotated.pgn") {
            Target::File(path) => path.to_str().unwrap().to_owned(),
            Target::Stdout => panic!(),
        };
        assert_eq!(beside("games/a.pgn"), "games/a.annotated.pgn");
        assert_eq!(beside("A.PGN"), "A.annotated.pgn");
        assert_eq!(beside("a.b"), "a.b.annotated.pgn");
        assert_eq!(Target::new(Path::new("-")), Target::Stdout);
    }

    #[test]
    fn a_terminal_gets_no_escape_sequences() {
        let text = b"[White \"\x1b]0;x\x07\"]\n";
        assert_eq!(for_stdout(text, false).as_ref(), text);
        assert_eq!(for_stdout(text, true).as_ref(), b"[White \" ]0;x \"]\n");
    }

    #[test]
    fn only_own_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let target = Target::new(&path);
        let check = |force| check(&[&target], &[], force).map_err(|error| error.to_string());
        let own = format!("[Annotator \"{}\"]\n\n1. e4 *\n", marks::NAME);
        for (text, is_own) in [
            (own.clone(), true),
            (format!("{own}\n{own}"), true),
            (format!("{own}\n[Event \"x\"]\n\n1. d4 *\n"), false),
            ("[Event \"x\"]\n\n1. d4 *\n".to_owned(), false),
            ("my notes".to_owned(), false),
            (String::new(), true),
            (format!("<!DOCTYPE html>\n<head>{GENERATOR}9\">"), true),
            ("<!DOCTYPE html>\n<head>".to_owned(), false),
        ] {
            fs::write(&path, &text).unwrap();
            assert_eq!(check(false).is_ok(), is_own, "{text}");
            assert_eq!(check(true), Ok(()));
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        target.write(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn sources_and_other_outputs_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.pgn"), "1. e4 *").unwrap();
        let target = |name| Target::new(&path(name));
        let check = |targets: &[&Target]| {
            check(targets, &[path("a.pgn")], true).map_err(|error| error.to_string())
        };
        let said = |result: Result<(), String>| result.unwrap_err();
        assert!(said(check(&[&target("./a.pgn")])).contains("this is a source"));
        assert!(said(check(&[&target("b"), &target("./b")])).contains("two outputs"));
        assert_eq!(
            said(check(&[&Target::Stdout, &Target::Stdout])),
            "two outputs go to standard output"
        );
        assert!(said(check(&[&target("none/b")])).contains("none"));
        assert!(check(&[&Target::new(folder.path())]).is_err());
        assert_eq!(check(&[&target("b"), &target("c"), &Target::Stdout]), Ok(()));
    }
}
