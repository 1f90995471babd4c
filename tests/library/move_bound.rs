//! No position that the board accepts has more moves than a [`MoveList`] holds, in the games without drops
//! and with sixteen men of a side. The other games count the moves of a position that is set up.
//!
//! The proof counts for the side to move. On each of the 46 lines (ranks, files, diagonals), a square
//! is empty, holds a slider that moves along this line, or holds another piece, which only blocks. All
//! ways to fill a line are tried. Each slider has a share of the moves on a line, which depends on its
//! place there, and each blocker a share that is not positive. What a line has in moves beyond these
//! shares is its excess. So a position has no more moves than the excesses of all lines, the shares of
//! all pieces, and the moves of kings, knights and pawns. This holds for any shares. Those below come
//! from a search for shares that make the sum small.
//!
//! Enemy pieces count as empty squares. A square that can be entered counts for each piece that sees
//! it, so this only adds moves.

use trebuchet::board::{FenError, Rules};
use trebuchet::board::{MOST_PIECES, MOST_QUEENS_AND_PAWNS, Position, PositionError};
use trebuchet::types::MoveList;
use trebuchet::variants::{KingOfTheHill, Standard, ThreeCheck};

/// The shares on one kind of line, in hundredths of a move, by the distance to the nearer end.
struct Shares {
    slider: [i32; 4],
    blocker: [i32; 4],
}

/// On ranks and files, by their distance from the edge.
const STRAIGHT: [Shares; 4] = [
    Shares { slider: [298, 199, 116, 96], blocker: [3, -146, -78, -78] },
    Shares { slider: [335, 237, 169, 169], blocker: [0, -87, -97, -81] },
    Shares { slider: [369, 251, 201, 201], blocker: [0, -60, -101, -88] },
    Shares { slider: [345, 245, 190, 190], blocker: [0, -53, -96, -106] },
];

/// On diagonals, by their length less 1.
const DIAGONAL: [Shares; 8] = [
    Shares { slider: [0; 4], blocker: [0; 4] },
    Shares { slider: [102, 0, 0, 0], blocker: [0; 4] },
    Shares { slider: [200, 200, 0, 0], blocker: [0; 4] },
    Shares { slider: [300, 300, 0, 0], blocker: [0; 4] },
    Shares { slider: [274, 274, 274, 0], blocker: [0, -29, -67, 0] },
    Shares { slider: [330, 328, 328, 0], blocker: [0, -21, -64, 0] },
    Shares { slider: [349, 296, 296, 296], blocker: [-39, -28, -56, -58] },
    Shares { slider: [419, 340, 339, 339], blocker: [-100, -11, -36, -34] },
];

/// Hundredths in a move.
const MOVE: i32 = 100;

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Empty,
    Slider,
    Blocker,
}

struct Line {
    squares: Vec<(i32, i32)>,
    shares: &'static Shares,
    is_straight: bool,
}

impl Line {
    /// The line through a square in a direction, if the square is its first.
    fn from(start: (i32, i32), step: (i32, i32)) -> Option<Line> {
        let on_board =
            |&(file, rank): &(i32, i32)| (0..8).contains(&file) && (0..8).contains(&rank);
        if on_board(&(start.0 - step.0, start.1 - step.1)) {
            return None;
        }
        let squares: Vec<_> = (0..8)
            .map(|n| (start.0 + n * step.0, start.1 + n * step.1))
            .take_while(on_board)
            .collect();
        let is_straight = step.0 == 0 || step.1 == 0;
        let shares = if is_straight {
            let across = if step.0 == 0 { start.0 } else { start.1 };
            &STRAIGHT[across.min(7 - across) as usize]
        } else {
            &DIAGONAL[squares.len() - 1]
        };
        Some(Line { squares, shares, is_straight })
    }

    fn all() -> Vec<Line> {
        let squares = || (0..64).map(|index| (index % 8, index / 8));
        let steps = [(1, 0), (0, 1), (1, 1), (1, -1)];
        steps
            .into_iter()
            .flat_map(|step| squares().filter_map(move |sq| Line::from(sq, step)))
            .collect()
    }

    fn share(&self, place: usize, cell: Cell) -> i32 {
        let to_end = place.min(self.squares.len() - 1 - place);
        match cell {
            Cell::Empty => 0,
            Cell::Slider => self.shares.slider[to_end],
            Cell::Blocker => self.shares.blocker[to_end],
        }
    }

    /// The most moves beyond the shares, over all ways to fill the line.
    fn excess(&self) -> i32 {
        let length = self.squares.len();
        let fillings = 3usize.pow(length as u32);
        let excess_of = |filling: usize| {
            let cell = |place: usize| match filling / 3usize.pow(place as u32) % 3 {
                0 => Cell::Empty,
                1 => Cell::Slider,
                _ => Cell::Blocker,
            };
            let cells: Vec<Cell> = (0..length).map(cell).collect();
            let shares: i32 = (0..length).map(|place| self.share(place, cells[place])).sum();
            MOVE * moves_on(&cells) - shares
        };
        (0..fillings).map(excess_of).max().unwrap()
    }
}

/// The moves of all sliders along a line.
fn moves_on(cells: &[Cell]) -> i32 {
    let sees = |rest: &[Cell]| rest.iter().take_while(|&&cell| cell == Cell::Empty).count();
    let mut moves = 0;
    for (place, &cell) in cells.iter().enumerate() {
        if cell == Cell::Slider {
            let before: Vec<Cell> = cells[..place].iter().rev().copied().collect();
            moves += sees(&before) + sees(&cells[place + 1..]);
        }
    }
    moves as i32
}

/// How many of these jumps stay on the board.
fn jumps((file, rank): (i32, i32), jumps: impl Iterator<Item = (i32, i32)>) -> i32 {
    let on_board = |(x, y)| (0..8).contains(&(file + x)) && (0..8).contains(&(rank + y));
    jumps.filter(|&jump| on_board(jump)).count() as i32
}

fn offsets(distance: i32) -> impl Iterator<Item = (i32, i32)> {
    (-2..=2)
        .flat_map(|x| (-2..=2).map(move |y| (x, y)))
        .filter(move |&(x, y)| x * x + y * y == distance)
}

/// The most moves of a position within the limits of the board, in hundredths.
fn most_moves() -> i32 {
    let lines = Line::all();
    assert_eq!(lines.len(), 46);
    let share_at = |square, straight, diagonal| -> i32 {
        let share = |line: &Line| {
            let place = line.squares.iter().position(|&sq| sq == square);
            place.map_or(0, |at| line.share(at, if line.is_straight { straight } else { diagonal }))
        };
        lines.iter().map(share).sum()
    };
    let squares = || (0..64).map(|index| (index % 8, index / 8));
    let most = |straight, diagonal, more: fn((i32, i32)) -> Option<i32>| -> i32 {
        let at = |sq| Some(share_at(sq, straight, diagonal) + MOVE * more(sq)?);
        squares().filter_map(at).max().unwrap()
    };
    let queen = most(Cell::Slider, Cell::Slider, |_| Some(0));
    let rook = most(Cell::Slider, Cell::Blocker, |_| Some(0));
    let bishop = most(Cell::Blocker, Cell::Slider, |_| Some(0));
    let knight = most(Cell::Blocker, Cell::Blocker, |sq| Some(jumps(sq, offsets(5))));
    // On the back rank with two ways to castle.
    let king = most(Cell::Blocker, Cell::Blocker, |sq| {
        let steps = jumps(sq, offsets(1)) + jumps(sq, offsets(2));
        Some(if sq.1 == 0 { steps + 2 } else { steps })
    });
    // One or two pushes and two captures; on the seventh rank each of three moves has four
    // promotions.
    let pawn = most(Cell::Blocker, Cell::Blocker, |sq| match sq.1 {
        0 | 7 => None,
        1 => Some(4),
        6 => Some(12),
        _ => Some(3),
    });
    let (major, minor) = (queen.max(pawn), rook.max(bishop).max(knight));
    assert!(major >= minor && minor >= 0, "more pieces, and more queens, have more moves");
    let majors = MOST_QUEENS_AND_PAWNS as i32;
    let minors = MOST_PIECES as i32 - 1 - majors;
    let excess: i32 = lines.iter().map(Line::excess).sum();
    excess + king + majors * major + minors * minor
}

#[test]
fn a_move_list_holds_the_moves_of_every_position() {
    let most = most_moves();
    assert!(most < MOVE * 256, "{most} hundredths");
    const { assert!(MoveList::CAPACITY >= 256) };
    // The bound is of use: it is not far above what positions have.
    assert!(most > MOVE * 218, "{most} hundredths");
}

fn refusal<R: Rules>(fen: &str) -> Option<PositionError> {
    match Position::<R>::from_fen(fen) {
        Err(FenError::Position(error)) => Some(error),
        Err(error) => panic!("{fen}: {error}"),
        Ok(_) => None,
    }
}

#[test]
fn positions_with_too_many_queens_are_refused() {
    use trebuchet::types::Color::{Black, White};
    for (fen, expected) in [
        ("8/QQQQQQQQ/QQQQQQQ1/8/8/8/8/K6k b - - 0 1", Some(PositionError::QueenCount(White))),
        ("7k/8/8/8/8/QQQQ4/PPPPPPPP/K7 w - - 0 1", Some(PositionError::QueenCount(White))),
        ("k7/pppppppp/qqqq4/8/8/8/8/K7 b - - 0 1", Some(PositionError::QueenCount(Black))),
        // Games with odds: the charge of the light brigade, and seven knights for all pieces.
        ("nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1", None),
        ("4k3/8/8/8/8/QQQ5/PPPPPPPP/K7 w - - 0 1", None),
        ("rrrrkrrr/pppppppp/8/8/8/8/PPPPPPPP/NBNBKNBN w - - 0 1", None),
        // The most moves that a position of a game can have: 218.
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", None),
    ] {
        assert_eq!(refusal::<Standard>(fen), expected, "{fen}");
        assert_eq!(refusal::<ThreeCheck>(fen), expected, "{fen}");
        assert_eq!(refusal::<KingOfTheHill>(fen), expected, "{fen}");
    }
    let most = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    assert_eq!(Position::<Standard>::from_fen(most).unwrap().legal_moves().len(), 218);
}
