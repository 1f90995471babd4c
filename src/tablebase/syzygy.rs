//! Endgame tablebases in Syzygy's format (R. de Man, 2013): the result of positions with few pieces
//! (WDL), and the distance to the next capture or pawn move (DTZ).
//!
//! The crate `shakmaty-syzygy` reads the files. No file can end a game: an error when a table is read
//! becomes a notice, and the positions of its ending have no value from then on.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{fs, io};

use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::{SyzygyError, Wdl};

use super::TableResult;
use crate::board::{EndgameTables, Position, Rules};
use crate::shakmaty_types::{as_color, as_role, as_square};
use crate::threads::lock;
use crate::types::{CastlingSide, Color, PieceKind};

/// Why tablebases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("no tables in {0} (files like KQvKR.rtbw)")]
    Empty(PathBuf),
    #[error("there are no Syzygy tables for this game")]
    OtherGame,
}

/// The tablebases in some folders.
#[derive(Debug)]
pub struct SyzygyTables {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    has_dtz: bool,
    /// Has reading a table failed?
    has_failed: AtomicBool,
    failures: Mutex<Failures>,
}

/// What has gone wrong.
#[derive(Debug, Default)]
struct Failures {
    /// The endings that are not asked for any more, by [`material_key`].
    materials: HashSet<u64>,
    /// Sentences for people that have not been taken yet.
    notices: Vec<String>,
    said: HashSet<String>,
}

/// A set of tables on the files of the operating system.
#[cfg(any(unix, windows))]
fn no_tables() -> shakmaty_syzygy::Tablebase<Chess> {
    shakmaty_syzygy::Tablebase::new()
}

/// A set of tables where there are no files.
#[cfg(not(any(unix, windows)))]
fn no_tables() -> shakmaty_syzygy::Tablebase<Chess> {
    use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile};

    struct NoFiles;

    impl Filesystem for NoFiles {
        fn regular_file_size(&self, _: &Path) -> io::Result<u64> {
            Err(io::ErrorKind::Unsupported.into())
        }

        fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
            Err(io::ErrorKind::Unsupported.into())
        }

        fn open(&self, _: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    shakmaty_syzygy::Tablebase::with_filesystem(std::sync::Arc::new(NoFiles))
}

impl SyzygyTables {
    fn new() -> SyzygyTables {
        SyzygyTables {
            tables: no_tables(),
            has_dtz: false,
            has_failed: AtomicBool::new(false),
            failures: Mutex::default(),
        }
    }

    /// Opens the win/draw/loss tables (`.rtbw`) in a folder. Their contents are read when they are
    /// needed.
    ///
    /// # Errors
    /// If the folder or a table cannot be read, if the folder has no tables, or if tablebases are
    /// not valid in the game.
    pub fn open<R: Rules>(folder: &Path) -> Result<SyzygyTables, TablebaseError> {
        if R::ENDGAME_TABLES != EndgameTables::Syzygy {
            return Err(TablebaseError::OtherGame);
        }
        let wrong = |path: &Path| {
            let path = path.to_owned();
            move |error| TablebaseError::File(path, error)
        };
        let mut tables = SyzygyTables::new();
        for entry in fs::read_dir(folder).map_err(wrong(folder))? {
            let path = entry.map_err(wrong(folder))?.path();
            if path.extension().is_some_and(|extension| extension == "rtbw") && path.is_file() {
                tables.tables.add_file(&path).map_err(wrong(&path))?;
            }
        }
        if tables.most_men() == 0 {
            return Err(TablebaseError::Empty(folder.to_owned()));
        }
        Ok(tables)
    }

    /// Opens all tables in some folders, DTZ tables (`.rtbz`) included. A file that cannot be a table
    /// is left out, and a notice says so.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn open_all(folders: &[&Path]) -> io::Result<SyzygyTables> {
        let mut tables = SyzygyTables::new();
        for folder in folders {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let extension = path.extension().and_then(|extension| extension.to_str());
                // Opening a pipe would wait for its other end.
                if !matches!(extension, Some("rtbw" | "rtbz")) || !path.is_file() {
                    continue;
                }
                match tables.tables.add_file(&path) {
                    Ok(()) => tables.has_dtz |= extension == Some("rtbz"),
                    Err(error) => {
                        let notice = format!("{}: {error}", path.display());
                        lock(&tables.failures).notices.push(notice);
                    }
                }
            }
        }
        Ok(tables)
    }

    /// The greatest number of men in a table; 0 if there is none.
    pub fn most_men(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Is there a DTZ table?
    pub fn has_dtz(&self) -> bool {
        self.has_dtz
    }

    /// What has gone wrong since the last call, each sentence once.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.failures).notices)
    }

    /// The winner under the fifty-move rule; `Some(None)` for a draw. `None` if the tables do not
    /// tell: they cover positions just after a capture or a pawn move, without castling rights, and
    /// with pieces for which there is a table.
    pub fn winner<R: Rules>(&self, pos: &Position<R>) -> Option<Option<Color>> {
        if pos.halfmove_clock() != 0 {
            return None;
        }
        Some(match self.result(pos)? {
            TableResult::Win => Some(pos.side_to_move()),
            TableResult::Loss => Some(!pos.side_to_move()),
            _ => None,
        })
    }

    /// The result as if the last move had been a capture or a pawn move. `None` if the tables do not
    /// tell.
    pub fn result<R: Rules>(&self, pos: &Position<R>) -> Option<TableResult> {
        let wdl = self.ask(pos, |tables, chess| tables.probe_wdl_after_zeroing(chess))?;
        Some(result_of(wdl))
    }

    /// The distance to the next capture or pawn move in plies: positive if the side to move wins,
    /// negative if it loses, 0 for a draw. 100 more if the fifty-move rule comes first. `None` if the
    /// tables do not tell. A stored distance may be one ply too short.
    pub fn distance<R: Rules>(&self, pos: &Position<R>) -> Option<i32> {
        let dtz = self.ask(pos, |tables, chess| tables.probe_dtz(chess))?;
        Some(dtz.ignore_rounding().into())
    }

    /// Asks the tables about a position. An error is noted once.
    fn ask<R: Rules, T>(
        &self,
        pos: &Position<R>,
        probe: impl Fn(&shakmaty_syzygy::Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        let is_known = R::ENDGAME_TABLES == EndgameTables::Syzygy;
        if !is_known || pos.total_count() > self.most_men() || self.is_given_up(pos) {
            return None;
        }
        let chess = as_shakmaty(pos)?;
        // The crate is made to return errors. Should damaged data make it panic, the game goes on.
        let failure = match catch_unwind(AssertUnwindSafe(|| probe(&self.tables, &chess))) {
            Ok(Ok(found)) => return Some(found),
            Ok(Err(error @ SyzygyError::ProbeFailed { .. })) => error.to_string(),
            Ok(Err(_)) => return None,
            Err(_) => "a tablebase is damaged".to_owned(),
        };
        self.give_up(pos, failure);
        None
    }

    fn is_given_up<R: Rules>(&self, pos: &Position<R>) -> bool {
        self.has_failed.load(Relaxed) && lock(&self.failures).materials.contains(&material_key(pos))
    }

    #[cold]
    fn give_up<R: Rules>(&self, pos: &Position<R>, failure: String) {
        let mut failures = lock(&self.failures);
        failures.materials.insert(material_key(pos));
        if failures.said.insert(failure.clone()) {
            failures.notices.push(failure);
        }
        self.has_failed.store(true, Relaxed);
    }
}

/// A number for the pieces on the board, wherever they stand.
fn material_key<R: Rules>(pos: &Position<R>) -> u64 {
    let counts = Color::ALL.into_iter().flat_map(|color| {
        PieceKind::ALL.into_iter().map(move |kind| pos.count(color, kind) as u64)
    });
    counts.fold(0, |key, count| key << 4 | count & 15)
}

/// The value for the side to move.
fn result_of(wdl: Wdl) -> TableResult {
    match wdl {
        Wdl::Win => TableResult::Win,
        Wdl::CursedWin => TableResult::CursedWin,
        Wdl::Draw => TableResult::Draw,
        Wdl::BlessedLoss => TableResult::BlessedLoss,
        Wdl::Loss => TableResult::Loss,
    }
}

/// The position in the types of `shakmaty`; `None` if it is not legal there.
fn as_shakmaty<R: Rules>(pos: &Position<R>) -> Option<Chess> {
    let mut setup = shakmaty::Setup::empty();
    for color in Color::ALL {
        for (sq, kind) in pos.all_pieces(color) {
            let square = as_square(sq);
            setup.board.set_piece_at(square, as_role(kind).of(as_color(color)));
        }
        for side in CastlingSide::ALL {
            if pos.castling().has(color, side) {
                setup.castling_rights.add(as_square(pos.castling_rook(color, side)));
            }
        }
    }
    setup.turn = as_color(pos.side_to_move());
    setup.ep_square = pos.en_passant().map(as_square);
    setup.halfmoves = pos.halfmove_clock();
    setup.position(CastlingMode::Standard).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Standard, ThreeCheck};

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

    #[test]
    fn positions_with_few_pieces_have_a_known_winner() {
        let tables = SyzygyTables::open::<Standard>(Path::new(FOLDER)).unwrap();
        let winner = |fen: &str| tables.winner(&Position::<Standard>::from_fen(fen).unwrap());
        // The opposition decides.
        assert_eq!(winner("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), Some(Some(Color::White)));
        assert_eq!(winner("8/8/8/4k3/8/4P3/4K3/8 w - - 0 1"), Some(None));
        assert_eq!(winner("8/4k3/4p3/8/4K3/8/8/8 b - - 0 1"), Some(None));
        assert_eq!(winner("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1"), Some(Some(Color::Black)));
        assert_eq!(winner("8/8/8/3k4/8/8/4R3/4K3 b - - 0 1"), Some(Some(Color::White)));
        // Castling is not in the tables, nor are moves since the last capture.
        assert_eq!(winner("8/8/8/3k4/8/8/8/R3K3 w Q - 0 1"), None);
        assert_eq!(winner("8/8/8/3k4/8/8/4R3/4K3 b - - 3 9"), None);
        assert_eq!(winner("8/8/8/3k4/8/8/4Q3/4K3 b - - 0 1"), Some(Some(Color::White)));
        assert_eq!(winner("8/8/8/3k4/8/8/4B3/4K3 b - - 0 1"), Some(None));
        // Too many pieces.
        assert_eq!(winner(Standard::START_FEN), None);
    }

    #[test]
    fn folders_without_tables_and_other_games_are_refused() {
        let error = |folder: &str| SyzygyTables::open::<Standard>(Path::new(folder)).unwrap_err();
        let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        assert!(matches!(error(sources), TablebaseError::Empty(_)));
        assert!(matches!(error("no such folder"), TablebaseError::File(..)));
        let other = SyzygyTables::open::<ThreeCheck>(Path::new(FOLDER)).unwrap_err();
        assert_eq!(other.to_string(), "there are no Syzygy tables for this game");
    }
}
