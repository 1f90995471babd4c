//! Endgame tablebases in Syzygy's format (R. de Man, 2013): the winner of positions with few
//! pieces.
//!
//! Imports `board` and `types`. The crate `shakmaty-syzygy` reads the files.

use std::path::{Path, PathBuf};
use std::{fs, io};

use shakmaty::{CastlingMode, Chess, Role};
use shakmaty_syzygy::Wdl;

use crate::board::{Position, Rules};
use crate::types::{CastlingSide, Color, PieceKind, Square};

/// Why tablebases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("no tables in {0} (files like KQvKR.rtbw)")]
    Empty(PathBuf),
    #[error("there are no tablebases for {0}")]
    OtherGame(&'static str),
}

/// The tablebases in a folder.
#[derive(Debug)]
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
}

impl Tablebase {
    /// Opens the win/draw/loss tables (`.rtbw`) in a folder. Their contents are read when they are
    /// needed.
    ///
    /// # Errors
    /// If the folder or a table cannot be read, if the folder has no tables, or if tablebases are
    /// not valid in the game.
    pub fn open<R: Rules>(folder: &Path) -> Result<Tablebase, TablebaseError> {
        if !R::HAS_TABLEBASES {
            return Err(TablebaseError::OtherGame(R::NAME));
        }
        let wrong = |path: &Path| {
            let path = path.to_owned();
            move |error| TablebaseError::File(path, error)
        };
        let mut tables = shakmaty_syzygy::Tablebase::new();
        for entry in fs::read_dir(folder).map_err(wrong(folder))? {
            let path = entry.map_err(wrong(folder))?.path();
            if path.extension().is_some_and(|extension| extension == "rtbw") {
                tables.add_file(&path).map_err(wrong(&path))?;
            }
        }
        if tables.max_pieces() == 0 {
            return Err(TablebaseError::Empty(folder.to_owned()));
        }
        Ok(Tablebase { tables })
    }

    /// The winner under the fifty-move rule; `Some(None)` for a draw. `None` if the tables do not
    /// tell: they cover positions just after a capture or a pawn move, without castling rights, and
    /// with pieces for which there is a table.
    pub fn winner<R: Rules>(&self, pos: &Position<R>) -> Option<Option<Color>> {
        if pos.halfmove_clock() != 0 || pos.total_count() > self.tables.max_pieces() {
            return None;
        }
        let chess = as_shakmaty(pos)?;
        let wdl = self.tables.probe_wdl_after_zeroing(&chess).ok()?;
        Some(winner_by(wdl, pos.side_to_move()))
    }
}

/// The winner by the value of a position for the side to move. The fifty-move rule makes a draw of a
/// cursed win and of a blessed loss.
fn winner_by(wdl: Wdl, us: Color) -> Option<Color> {
    match wdl {
        Wdl::Win => Some(us),
        Wdl::Loss => Some(!us),
        Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => None,
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

fn as_square(sq: Square) -> shakmaty::Square {
    shakmaty::Square::new(sq.index64() as u32)
}

const fn as_color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

const fn as_role(kind: PieceKind) -> Role {
    match kind {
        PieceKind::Pawn => Role::Pawn,
        PieceKind::Knight => Role::Knight,
        PieceKind::Bishop => Role::Bishop,
        PieceKind::Rook => Role::Rook,
        PieceKind::Queen => Role::Queen,
        PieceKind::King => Role::King,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Standard, ThreeCheck};

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/match/syzygy");

    #[test]
    fn positions_with_few_pieces_have_a_known_winner() {
        let tables = Tablebase::open::<Standard>(Path::new(FOLDER)).unwrap();
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
        // No such table; too many pieces.
        assert_eq!(winner("8/8/8/3k4/8/8/4Q3/4K3 b - - 0 1"), Some(Some(Color::White)));
        assert_eq!(winner("8/8/8/3k4/8/8/4B3/4K3 b - - 0 1"), None);
        assert_eq!(winner(Standard::START_FEN), None);
    }

    #[test]
    fn cursed_wins_and_blessed_losses_are_draws() {
        for us in Color::ALL {
            assert_eq!(winner_by(Wdl::Win, us), Some(us));
            assert_eq!(winner_by(Wdl::CursedWin, us), None);
            assert_eq!(winner_by(Wdl::Draw, us), None);
            assert_eq!(winner_by(Wdl::BlessedLoss, us), None);
            assert_eq!(winner_by(Wdl::Loss, us), Some(!us));
        }
    }

    #[test]
    fn folders_without_tables_and_other_games_are_refused() {
        let error = |folder: &str| Tablebase::open::<Standard>(Path::new(folder)).unwrap_err();
        let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        assert!(matches!(error(sources), TablebaseError::Empty(_)));
        assert!(matches!(error("no such folder"), TablebaseError::File(..)));
        let other = Tablebase::open::<ThreeCheck>(Path::new(FOLDER)).unwrap_err();
        assert_eq!(other.to_string(), "there are no tablebases for 3check");
    }
}
