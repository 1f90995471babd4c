//! The progress file of an analysis: what has been found, kept until all games are done, so that an
//! analysis that was interrupted can go on.
//!
//! A text file. The first line says what it is. Each further line has a position: its key, the lines
//! that a search has found there, and a checksum. A line that is damaged or cut off is ignored: its
//! position is searched again.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

use super::search::SearchSettings;
use super::source::SourceGame;
use crate::files::{self, MAX_GAMES};
use trebuchet::coach::Line;
use trebuchet::fnv::{FNV_START, fnv_1a};
use trebuchet::types::{Move, Score};

/// The first line.
const HEADER: &str = "trebuchet annotate: progress, 1\n";

/// Why a progress file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProgressError {
    #[error("{0}: this is not a progress file of trebuchet annotate; move it away")]
    Foreign(PathBuf),
    #[error("{0}: another run uses it")]
    InUse(PathBuf),
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
}

/// The open progress file. No other run uses it as long as this lives.
#[derive(Debug)]
pub struct ProgressFile {
    path: PathBuf,
    file: File,
    found: HashMap<u64, Vec<Line>>,
}

impl ProgressFile {
    /// Opens the file or creates it.
    ///
    /// # Errors
    /// If the file is of another kind, another run uses it, or it cannot be used. It is then not changed.
    pub fn open(path: &Path) -> Result<ProgressFile, ProgressError> {
        let wrong = |error| ProgressError::File(path.to_owned(), error);
        files::check_plain(path).map_err(wrong)?;
        let mut options = OpenOptions::new();
        let mut file = options.read(true).create(true).append(true).open(path).map_err(wrong)?;
        // Best effort: some file systems know no locks. Another run may have removed it before it was locked.
        let is_locked = matches!(files::try_lock(&file), Err(TryLockError::WouldBlock));
        if is_locked || !files::is_at(&file, path) {
            return Err(ProgressError::InUse(path.to_owned()));
        }
        let text = files::read_all(&file, MAX_GAMES).map_err(wrong)?;
        let is_begun = HEADER.as_bytes().starts_with(&text);
        if !is_begun && !text.starts_with(HEADER.as_bytes()) {
            return Err(ProgressError::Foreign(path.to_owned()));
        }
        // What is missing of the header or of the last line.
        let missing = if is_begun { &HEADER[text.len()..] } else { "\n" };
        if is_begun || !text.ends_with(b"\n") {
            file.write_all(missing.as_bytes()).map_err(wrong)?;
        }
        let text = String::from_utf8_lossy(&text);
        let found = text.lines().skip(1).filter_map(read_line).collect();
        Ok(ProgressFile { path: path.to_owned(), file, found })
    }

    /// What was found in a position, if it was searched. The moves may be illegal: a key is no proof.
    pub fn find(&self, key: u64) -> Option<&[Line]> {
        self.found.get(&key).map(Vec::as_slice)
    }

    /// Adds a position.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, key: u64, lines: &[Line]) -> Result<(), ProgressError> {
        let written = self.file.write_all(write_line(key, lines).as_bytes());
        written.map_err(|error| ProgressError::File(self.path.clone(), error))
    }

    /// Removes the file, if somebody else has not: everything is done.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove(self) -> Result<(), ProgressError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(ProgressError::File(self.path, error))
            }
            _ => Ok(()),
        }
    }
}

/// Identifies a search by this build of the engine: see [`key_of_build`].
pub fn key(game: &SourceGame, moves: &[Move], lines: usize, settings: &SearchSettings) -> u64 {
    key_of_build(*BUILD, game, moves, lines, settings)
}

/// The build of the engine that runs: a hash of the program's own file. Builds of one version may find other
/// lines; a copy of the program finds the same.
static BUILD: LazyLock<u64> = LazyLock::new(|| {
    // On Linux, the file of the running program, even if another build has taken its place.
    let file = File::open("/proc/self/exe").or_else(|_| File::open(std::env::current_exe()?));
    file.and_then(files::hash_of).unwrap_or_else(|_| {
        // Of a program that cannot be read, each run counts as another build.
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        fnv_1a(FNV_START, now.as_nanos().to_le_bytes())
    })
});

/// Identifies a search: the position after these moves from the start of a game with its history, the
/// number of lines, the limits of the search, and the engine.
fn key_of_build(
    build: u64,
    game: &SourceGame,
    moves: &[Move],
    lines: usize,
    settings: &SearchSettings,
) -> u64 {
    let SearchSettings { hash, tables, .. } = settings;
    let limits = settings.limits();
    let name = game.variant.name();
    let start = &game.start_fen;
    let text = format!("{build:016x}\n{lines}\n{limits}\n{hash}\n{tables}\n{name}\n{start}\n");
    let moves = moves.iter().flat_map(|mv| mv.bits().to_le_bytes());
    fnv_1a(FNV_START, text.into_bytes().into_iter().chain(moves))
}

/// A line of the file: the key, the best lines as score, depth and moves, a checksum.
fn write_line(key: u64, lines: &[Line]) -> String {
    let mut text = format!("{key:016x}");
    for Line { score, depth, moves } in lines {
        text += &format!(" {} {depth} ", score.value());
        let moves: Vec<String> = moves.iter().map(|mv| format!("{:x}", mv.bits())).collect();
        text += &moves.join(",");
    }
    let sum = fnv_1a(FNV_START, text.bytes());
    format!("{text} {sum:016x}\n")
}

/// Reads a line of the file; `None` if it is damaged.
fn read_line(line: &str) -> Option<(u64, Vec<Line>)> {
    let (text, sum) = line.rsplit_once(' ')?;
    if u64::from_str_radix(sum, 16).ok()? != fnv_1a(FNV_START, text.bytes()) {
        return None;
    }
    let fields: Vec<&str> = text.split(' ').collect();
    let (key, rest) = fields.split_first()?;
    let lines = rest.chunks(3).map(|fields| {
        let [score, depth, moves] = fields else { return None };
        let moves =
            moves.split(',').map(|bits| Move::from_bits(u16::from_str_radix(bits, 16).ok()?));
        Some(Line {
            score: Score::cp(score.parse().ok()?),
            depth: depth.parse().ok()?,
            moves: moves.collect::<Option<_>>()?,
        })
    });
    Some((u64::from_str_radix(key, 16).ok()?, lines.collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::notation::pgn;

    fn lines() -> Vec<Line> {
        let game = pgn::read("1. e4 e5 *").next().unwrap();
        let moves = SourceGame::new(game).unwrap().moves;
        let best = Line { score: Score::cp(-31), depth: 12, moves: moves.clone() };
        let second = Line { score: Score::loss_in(4), depth: 11, moves: moves[..1].to_vec() };
        vec![best, second]
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress");
        let mut file = ProgressFile::open(&path).unwrap();
        file.add(7, &lines()).unwrap();
        file.add(8, &lines()[..1]).unwrap();
        file.add(9, &[]).unwrap();
        drop(file);
        let file = ProgressFile::open(&path).unwrap();
        assert_eq!(file.find(7), Some(&lines()[..]));
        assert_eq!((file.find(8), file.find(9)), (Some(&lines()[..1]), Some(&[][..])));
        assert_eq!(file.find(6), None);
        file.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn one_run_at_a_time_uses_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress");
        let mut file = ProgressFile::open(&path).unwrap();
        file.add(7, &lines()).unwrap();
        let text = fs::read(&path).unwrap();
        let refused = ProgressFile::open(&path).unwrap_err().to_string();
        assert_eq!(refused, format!("{}: another run uses it", path.display()));
        assert_eq!(fs::read(&path).unwrap(), text);
        // Somebody has removed it.
        fs::remove_file(&path).unwrap();
        file.remove().unwrap();
        assert!(ProgressFile::open(&path).unwrap().find(7).is_none());
    }

    #[test]
    fn a_file_that_is_cut_or_damaged_keeps_what_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress");
        let mut file = ProgressFile::open(&path).unwrap();
        file.add(7, &lines()).unwrap();
        file.add(8, &lines()).unwrap();
        drop(file);
        let whole = fs::read(&path).unwrap();
        let first = HEADER.len() + write_line(7, &lines()).len();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut file = ProgressFile::open(&path).unwrap();
            // A line that lacks only its end is whole.
            assert_eq!(file.find(7).is_some(), length >= first - 1, "{length}");
            assert_eq!(file.find(8).is_some(), length >= whole.len() - 1, "{length}");
            file.add(9, &lines()).unwrap();
            drop(file);
            let file = ProgressFile::open(&path).unwrap();
            assert_eq!(file.find(9), Some(&lines()[..]), "{length}");
        }
        for at in HEADER.len()..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, &damaged).unwrap();
            let file = ProgressFile::open(&path).unwrap();
            for key in [7, 8] {
                assert!(file.find(key).is_none_or(|found| found == lines()), "{at}");
            }
            assert!(file.found.len() < 2 || at == first - 1 || at == whole.len() - 1, "{at}");
            // The other line is whole, unless the end of the first one is damaged.
            if at != first - 1 {
                let whole_key = if at < first { 8 } else { 7 };
                assert_eq!(file.find(whole_key), Some(&lines()[..]), "{at}");
            }
        }
    }

    #[test]
    fn another_file_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress");
        fs::write(&path, "my diary").unwrap();
        let error = ProgressFile::open(&path).unwrap_err().to_string();
        assert!(error.ends_with("not a progress file of trebuchet annotate; move it away"));
        assert_eq!(fs::read(&path).unwrap(), b"my diary");
        assert!(matches!(ProgressFile::open(folder.path()), Err(ProgressError::File(..))));
    }

    #[test]
    fn a_build_is_known_by_the_file_of_the_program() {
        let program = std::env::current_exe().unwrap();
        assert_eq!(*BUILD, files::hash_of(File::open(program).unwrap()).unwrap());
    }

    #[test]
    fn a_key_stands_for_the_whole_search() {
        let game = |text| SourceGame::new(pgn::read(text).next().unwrap()).unwrap();
        let settings = SearchSettings { nodes: Some(9), hash: 1, ..SearchSettings::default() };
        let e4 = game("1. e4 e5 2. Nf3 *");
        let mut keys: Vec<u64> =
            (0..=3).map(|plies| key(&e4, &e4.moves[..plies], 2, &settings)).collect();
        keys.push(key(&e4, &[], 1, &settings));
        let three_check = game("[Variant \"3check\"]\n\n1. e4 e5 2. Nf3 *");
        keys.push(key(&three_check, &[], 2, &settings));
        keys.push(key(&e4, &[], 2, &SearchSettings { nodes: Some(8), ..settings.clone() }));
        keys.push(key(&e4, &[], 2, &SearchSettings { hash: 2, ..settings.clone() }));
        keys.push(key(&e4, &[], 2, &SearchSettings { tables: "x".to_owned(), ..settings.clone() }));
        // The same position by another way.
        let other = game("1. Nf3 e5 2. e4 *");
        keys.push(key(&other, &other.moves, 2, &settings));
        // Another build of the engine, which may have the same version.
        keys.push(key_of_build(BUILD.wrapping_add(1), &e4, &[], 2, &settings));
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        let sicilian = game("1. e4 c5 *");
        assert_eq!(
            key(&sicilian, &sicilian.moves[..1], 2, &settings),
            key(&e4, &e4.moves[..1], 2, &settings)
        );
    }
}
