//! Any text, read as the position of every game.

use trebuchet::board::Position;
use trebuchet::for_variant;
use trebuchet::variants::{Variant, VariantId};

/// An accepted position can be written and read again. Every legal move can be made and taken back,
/// and the board is sound after it.
pub fn check(text: &str) {
    for &id in VariantId::ALL {
        for_variant!(id, V => check_as::<V>(text));
    }
}

fn check_as<V: Variant>(text: &str) {
    let Ok(mut pos) = Position::<V>::from_fen(text) else { return };
    let fen = pos.fen();
    let again = Position::<V>::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!((again.fen(), again.key()), (fen.clone(), pos.key()));
    pos.verify();
    let moves = pos.legal_moves();
    assert_eq!(moves.len() as u64, pos.count_legal_moves(), "{fen}");
    for &mv in moves.iter() {
        let gives_check = pos.gives_check(mv);
        pos.make_move(mv);
        pos.verify();
        assert_eq!(pos.in_check(), gives_check, "{fen} {mv}");
        let next = pos.fen();
        let read = Position::<V>::from_fen(&next);
        assert!(pos.variant_outcome().is_some() || read.is_ok(), "{fen} {mv}: {next}");
        pos.unmake_move();
        assert_eq!(pos.fen(), fen, "{mv}");
    }
}
