//! Shows the value of a position and of each of its moves.

use std::io::{self, Write};
use std::path::Path;

use super::{EgtbError, open};
use trebuchet::board::Position;
use trebuchet::notation::san;
use trebuchet::tablebase::three_check::{CheckValue, ThreeCheckTables};
use trebuchet::tablebase::{men_of, three_check};
use trebuchet::types::Move;
use trebuchet::variants::ThreeCheck;

/// Shows a position of three-check.
pub fn run(fen: &str, folder: &Path) -> Result<(), EgtbError> {
    let tables = open(folder)?;
    let mut pos = Position::<ThreeCheck>::from_fen(fen)?;
    if let Some(outcome) = pos.outcome() {
        writeln!(io::stdout(), "{}: the game is over: {outcome}", pos.fen())?;
        return Ok(());
    }
    let value = value_of(&tables, &pos);
    for notice in tables.take_notices() {
        writeln!(io::stderr(), "trebuchet: {notice}")?;
    }
    let value = value.ok_or(EgtbError::NoTable)?;
    writeln!(io::stdout(), "{}: {}", pos.fen(), words(value))?;
    let mut moves: Vec<(i32, Move, String)> = Vec::new();
    for &mv in pos.legal_moves().iter() {
        let text = san(&pos, mv);
        pos.make_move(mv);
        let (rank, words) = match ended(&pos).or_else(|| value_of(&tables, &pos)) {
            Some(CheckValue::Loss(plies)) => {
                (-1000 + i32::from(plies), format!("wins in {}", number(plies + 1)))
            }
            Some(CheckValue::Win(plies)) => {
                (1000 - i32::from(plies), format!("loses in {}", number(plies + 1)))
            }
            Some(CheckValue::Draw) => (0, "draws".to_owned()),
            None => (1, "not known".to_owned()),
        };
        pos.unmake_move();
        moves.push((rank, mv, format!("{text} {words}")));
    }
    // Of the tables after captures and promotions.
    for notice in tables.take_notices() {
        writeln!(io::stderr(), "trebuchet: {notice}")?;
    }
    moves.sort_by_key(|&(rank, ..)| rank);
    for (_, _, line) in moves {
        writeln!(io::stdout(), "{line}")?;
    }
    Ok(())
}

/// The value of a game that is over.
fn ended(pos: &Position<ThreeCheck>) -> Option<CheckValue> {
    pos.variant_outcome().map(|_| CheckValue::Loss(0))
}

fn value_of(tables: &ThreeCheckTables, pos: &Position<ThreeCheck>) -> Option<CheckValue> {
    if pos.castling() != trebuchet::board::CastlingRights::NONE {
        return None;
    }
    let left = trebuchet::types::Color::ALL.map(|color| pos.state().of(color));
    let men: three_check::Men = men_of(pos)?;
    tables.value(&men, pos.side_to_move(), left)
}

/// `1 ply`, `2 plies`.
fn number(plies: u16) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

fn words(value: CheckValue) -> String {
    match value {
        CheckValue::Win(plies) => format!("the side to move wins in {}", number(plies)),
        CheckValue::Draw => "a draw".to_owned(),
        CheckValue::Loss(plies) => format!("the side to move loses in {}", number(plies)),
    }
}
