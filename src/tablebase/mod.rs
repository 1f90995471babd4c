//! Endgame tables: the result of positions with few men.
//!
//! `Tablebases` is what the layers above see. It asks the variant which kind of tables it has:
//! those of standard chess in Syzygy's format (`syzygy`), or those that this program makes for
//! three-check (`three_check`). Imports `movegen`, `board`, `types`, `threads`, `fnv`
//! and `shakmaty_types`.

mod root;
mod syzygy;
pub mod three_check;

use std::path::{Path, PathBuf};

pub use root::{RankedMove, RootAdvice};
pub use syzygy::{SyzygyTables, TablebaseError};

use crate::board::{CastlingRights, EndgameTables, FIFTY_MOVES, Position, Rules};
use crate::types::{Color, Move, PieceKind, Square};
use three_check::{CheckValue, MOST_MEN, Men, ThreeCheckTables};

/// The result of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableResult {
    Loss,
    /// Lost, but the fifty-move rule saves a draw.
    BlessedLoss,
    Draw,
    /// Won, but the fifty-move rule takes the win away.
    CursedWin,
    Win,
    /// The side to move loses in this many plies, whatever it plays.
    LossIn(u16),
    /// The side to move can win in this many plies.
    WinIn(u16),
}

/// The folders with endgame tables: lists of paths as in the variable PATH, divided by `:`, on Windows
/// by `;`. Empty for none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TablePaths {
    /// Tables in Syzygy's format.
    pub syzygy: String,
    /// Tables of three-check.
    pub three_check: String,
}

/// All endgame tables that are open.
#[derive(Default)]
pub struct Tablebases {
    syzygy: Option<SyzygyTables>,
    checks: Option<ThreeCheckTables>,
}

impl Tablebases {
    /// Opens the tables that a game can use. Also returns what is wrong, for people: play goes on
    /// without the tables that are missing.
    pub fn open<R: Rules>(paths: &TablePaths) -> (Tablebases, Vec<String>) {
        let mut tables = Tablebases::default();
        let list = match R::ENDGAME_TABLES {
            EndgameTables::None => return (tables, Vec::new()),
            EndgameTables::Syzygy => &paths.syzygy,
            EndgameTables::Checks => &paths.three_check,
        };
        // Where there is no operating system, a list of paths cannot even be split.
        if list.is_empty() {
            return (tables, Vec::new());
        }
        let mut notices = Vec::new();
        let folders: Vec<PathBuf> =
            std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty()).collect();
        let mut readable: Vec<&Path> = Vec::new();
        for folder in &folders {
            match std::fs::read_dir(folder) {
                Ok(_) => readable.push(folder),
                Err(error) => notices.push(format!("tablebases in {}: {error}", folder.display())),
            }
        }
        let most_men = if readable.is_empty() {
            0
        } else if R::ENDGAME_TABLES == EndgameTables::Syzygy {
            let opened = SyzygyTables::open_all(&readable);
            tables.syzygy = note(opened, &mut notices);
            tables.most_men::<R>()
        } else {
            tables.checks = note(ThreeCheckTables::open(&readable), &mut notices);
            tables.most_men::<R>()
        };
        if most_men == 0 && !readable.is_empty() {
            notices.push(format!("no tablebases in {list}"));
        }
        notices.extend(tables.take_notices());
        (tables, notices)
    }

    /// The greatest number of men for which there is a table; 0 if there is none.
    pub fn most_men<R: Rules>(&self) -> usize {
        match R::ENDGAME_TABLES {
            EndgameTables::None => 0,
            EndgameTables::Syzygy => self.syzygy.as_ref().map_or(0, SyzygyTables::most_men),
            EndgameTables::Checks => self.checks.as_ref().map_or(0, ThreeCheckTables::most_men),
        }
    }

    /// The result of a position, if a table has it and if the halfmove clock does not matter:
    /// Syzygy's tables hold positions just after a capture or a pawn move, and a win of three-check
    /// must come before the fifty-move rule.
    pub fn probe<R: Rules>(&self, pos: &Position<R>) -> Option<TableResult> {
        if pos.castling() != CastlingRights::NONE {
            return None;
        }
        match R::ENDGAME_TABLES {
            EndgameTables::None => None,
            EndgameTables::Syzygy => {
                let tables = self.syzygy.as_ref()?;
                if pos.halfmove_clock() == 0 { tables.result(pos) } else { None }
            }
            EndgameTables::Checks => {
                let men = men_of(pos)?;
                let left = R::checks_left(pos.state());
                let value = self.checks.as_ref()?.value(&men, pos.side_to_move(), left)?;
                let in_time = |plies: u16| u32::from(plies) + pos.halfmove_clock() <= FIFTY_MOVES;
                match value {
                    CheckValue::Draw => Some(TableResult::Draw),
                    CheckValue::Win(plies) => in_time(plies).then_some(TableResult::WinIn(plies)),
                    CheckValue::Loss(plies) => in_time(plies).then_some(TableResult::LossIn(plies)),
                }
            }
        }
    }

    /// What the tables say about these moves of a position, if they know the results of all and do not know
    /// the distance to the end.
    pub fn root_advice<R: Rules>(&self, pos: &Position<R>, moves: &[Move]) -> Option<RootAdvice> {
        let tables = self.syzygy.as_ref().filter(|_| R::ENDGAME_TABLES == EndgameTables::Syzygy)?;
        if pos.castling() != CastlingRights::NONE || pos.total_count() > tables.most_men() {
            return None;
        }
        RootAdvice::by_distance(tables, pos, moves)
            .or_else(|| RootAdvice::by_result(tables, pos, moves))
    }

    /// What is wrong with files, for people: each sentence once.
    pub fn take_notices(&self) -> Vec<String> {
        let syzygy = self.syzygy.iter().flat_map(SyzygyTables::take_notices);
        syzygy.chain(self.checks.iter().flat_map(ThreeCheckTables::take_notices)).collect()
    }
}

fn note<T>(opened: std::io::Result<T>, notices: &mut Vec<String>) -> Option<T> {
    opened.map_err(|error| notices.push(format!("tablebases: {error}"))).ok()
}

/// The men of a position as the tables of three-check see them. `None` if there are more than four,
/// or if a pawn can be taken en passant.
pub fn men_of<R: Rules>(pos: &Position<R>) -> Option<Men> {
    if pos.total_count() > MOST_MEN || pos.en_passant().is_some() {
        return None;
    }
    let square = |sq: Square| sq.index64() as u8;
    let mut men = Men::kings(square(pos.king(Color::White)), square(pos.king(Color::Black)));
    for color in Color::ALL {
        for (sq, kind) in pos.all_pieces(color).filter(|&(_, kind)| kind != PieceKind::King) {
            men.add(color, kind, square(sq));
        }
    }
    Some(men)
}

#[cfg(test)]
mod tests {
    use super::three_check::{Ending, solve, write};
    use super::*;
    use crate::variants::ThreeCheck;

    /// The hundredth ply of the clock may still give the third check.
    #[test]
    fn a_result_of_three_check_is_known_if_it_comes_within_fifty_moves() {
        let folder = tempfile::tempdir().unwrap();
        let ending: Ending = "KQvK".parse().unwrap();
        let none = ThreeCheckTables::open(&[folder.path()]).unwrap();
        let solved = solve(&ending, &none, |_| {}).unwrap();
        write(&ending, &solved, folder.path()).unwrap();
        let three_check = folder.path().to_str().unwrap().to_owned();
        let paths = TablePaths { three_check, ..TablePaths::default() };
        let (tables, notices) = Tablebases::open::<ThreeCheck>(&paths);
        assert_eq!(notices, Vec::<String>::new());
        let probe = |side: char, clock: u32| {
            let fen = format!("8/8/8/3k4/8/8/8/KQ6 {side} - - 3+3 {clock} 90");
            tables.probe(&Position::<ThreeCheck>::from_fen(&fen).unwrap())
        };
        for (side, plies, result) in
            [('w', 5, TableResult::WinIn(5)), ('b', 6, TableResult::LossIn(6))]
        {
            for clock in [0, 99 - plies, 100 - plies] {
                assert_eq!(probe(side, clock), Some(result), "{side} {clock}");
            }
            assert_eq!(probe(side, 101 - plies), None, "{side}");
        }
    }
}
