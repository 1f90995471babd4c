//! Chess960: castling from every arrangement of king and rooks, and the castling rights in FENs.

use trebuchet::board::{Checks, FenError, Position, Rules};
use trebuchet::movegen::Legality;
use trebuchet::notation::{MoveError, parse_move};
use trebuchet::variants::{Chess960, Standard};

fn chess960(fen: &str) -> Position<Chess960> {
    Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// Plays a castling move, takes it back, and checks the board, the key and the check it gives.
/// Returns the first and the third field of the FEN after it: the pieces and the castling rights.
fn castle(fen: &str, castling: &str) -> String {
    let mut pos = chess960(fen);
    let before = pos.clone();
    let mv = parse_move(&pos, castling).unwrap_or_else(|e| panic!("{fen} {castling}: {e}"));
    assert!(mv.is_castling(), "{fen} {castling}");
    assert!(pos.is_legal(mv, &Legality::new(&pos)), "{fen} {castling}");
    let gives_check = pos.gives_check(mv);
    assert_eq!(Checks::default().gives_check(&pos, mv), gives_check, "{fen} {castling}");
    pos.make_move(mv);
    pos.verify();
    assert_eq!(pos.in_check(), gives_check, "{fen} {castling}");
    let after = pos.fen();
    assert_eq!(chess960(&after).key(), pos.key(), "{after}");
    pos.unmake_move();
    pos.verify();
    assert_eq!((pos.fen(), pos.key()), (before.fen(), before.key()), "{fen} {castling}");
    let fields: Vec<&str> = after.split(' ').collect();
    format!("{} {}", fields[0], fields[2])
}

fn cannot_castle(fen: &str, castling: &str) {
    let pos = chess960(fen);
    assert_eq!(parse_move(&pos, castling), Err(MoveError::CannotCastle), "{fen}");
    assert!(pos.legal_moves().iter().all(|mv| !mv.is_castling()), "{fen}");
}

#[test]
fn king_and_rook_may_change_places() {
    assert_eq!(castle("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "O-O"), "4k3/8/8/8/8/8/8/5RK1 -");
    assert_eq!(castle("4k3/8/8/8/8/8/8/2RK4 w Q - 0 1", "O-O-O"), "4k3/8/8/8/8/8/8/2KR4 -");
    assert_eq!(castle("5kr1/8/8/8/8/8/8/4K3 b k - 0 1", "O-O"), "5rk1/8/8/8/8/8/8/4K3 -");
    assert_eq!(castle("2rk4/8/8/8/8/8/8/4K3 b q - 0 1", "O-O-O"), "2kr4/8/8/8/8/8/8/4K3 -");
}

#[test]
fn the_king_may_stand_on_its_target_already() {
    assert_eq!(castle("4k3/8/8/8/8/8/8/6KR w K - 0 1", "O-O"), "4k3/8/8/8/8/8/8/5RK1 -");
    assert_eq!(castle("4k3/8/8/8/8/8/8/R1K5 w Q - 0 1", "O-O-O"), "4k3/8/8/8/8/8/8/2KR4 -");
    assert_eq!(castle("4k3/8/8/8/8/8/8/1RK5 w Q - 0 1", "O-O-O"), "4k3/8/8/8/8/8/8/2KR4 -");
}

#[test]
fn the_rook_may_stand_on_its_target_already() {
    assert_eq!(castle("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "O-O"), "4k3/8/8/8/8/8/8/5RK1 -");
    assert_eq!(castle("4k3/8/8/8/8/8/8/3RK3 w Q - 0 1", "O-O-O"), "4k3/8/8/8/8/8/8/2KR4 -");
}

#[test]
fn king_and_rook_may_cross_the_whole_rank() {
    assert_eq!(castle("4k3/8/8/8/8/8/8/1KR5 w K - 0 1", "O-O"), "4k3/8/8/8/8/8/8/5RK1 -");
    assert_eq!(castle("4k3/8/8/8/8/8/8/R5K1 w Q - 0 1", "O-O-O"), "4k3/8/8/8/8/8/8/2KR4 -");
    // The other rook stands on the a-file and stays there.
    assert_eq!(castle("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "O-O"), "4k3/8/8/8/8/8/8/R4RK1 -");
}

#[test]
fn castling_is_also_the_king_taking_its_rook() {
    assert_eq!(castle("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "b1h1"), "4k3/8/8/8/8/8/8/R4RK1 -");
    assert_eq!(castle("4k3/8/8/8/8/8/8/1RK4R w KQ - 0 1", "c1b1"), "4k3/8/8/8/8/8/8/2KR3R -");
    assert_eq!(castle("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1"), "4k3/8/8/8/8/8/8/5RK1 -");
}

#[test]
fn castling_gives_check_by_the_rook() {
    let check = "5k2/8/8/8/8/8/8/5KR1 w K - 0 1";
    castle(check, "O-O");
    let pos = chess960(check);
    assert!(pos.gives_check(parse_move(&pos, "O-O").unwrap()));
    // The rook comes to the other side of its king.
    let along_the_rank = "8/8/8/8/8/8/8/R1K4k w Q - 0 1";
    castle(along_the_rank, "O-O-O");
    let pos = chess960(along_the_rank);
    assert!(pos.gives_check(parse_move(&pos, "O-O-O").unwrap()));
    let quiet = "4k3/8/8/8/8/8/8/5KR1 w K - 0 1";
    let pos = chess960(quiet);
    assert!(!pos.gives_check(parse_move(&pos, "O-O").unwrap()));
}

#[test]
fn a_rook_that_shields_its_king_on_the_back_rank_may_not_castle() {
    cannot_castle("4k3/8/8/8/8/8/8/rRK5 w Q - 0 1", "O-O-O");
    cannot_castle("4k3/8/8/8/8/8/8/qR1K4 w Q - 0 1", "O-O-O");
    cannot_castle("4k3/8/8/8/8/8/8/5KRr w K - 0 1", "O-O");
    // A bishop in the corner does no harm.
    castle("4k3/8/8/8/8/8/8/bRK5 w Q - 0 1", "O-O-O");
}

#[test]
fn castling_out_of_check_and_through_check_is_illegal() {
    cannot_castle("1r2k3/8/8/8/8/8/8/1KR5 w K - 0 1", "O-O");
    cannot_castle("3rk3/8/8/8/8/8/8/1KR5 w K - 0 1", "O-O");
    cannot_castle("4k1r1/8/8/8/8/8/8/1KR5 w K - 0 1", "O-O");
    // Only the king's way counts: the rook may pass an attacked square.
    castle("1r2k3/8/8/8/8/8/8/R1K5 w Q - 0 1", "O-O-O");
}

#[test]
fn other_pieces_block_the_ways_of_king_and_rook() {
    // The rook's way, the king's way, the king's target.
    cannot_castle("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "O-O-O");
    cannot_castle("4k3/8/8/8/8/8/8/1KRB4 w K - 0 1", "O-O");
    cannot_castle("4k3/8/8/8/8/8/8/4KRN1 w K - 0 1", "O-O");
    // The other rook blocks like any other piece.
    cannot_castle("4k3/8/8/8/8/8/8/RR2K3 w A - 0 1", "O-O-O");
    // What stands beyond king and rook does not.
    castle("4k3/8/8/8/8/8/8/BRNNK2R w K - 0 1", "O-O");
}

#[test]
fn king_moves_rook_moves_and_captured_rooks_lose_rights() {
    for (mv, rights) in [
        ("c1c2", "kq"),
        ("b1b2", "Kkq"),
        ("g1g2", "Qkq"),
        ("b1b8", "Kk"),
        ("g1g8", "Qq"),
        ("O-O-O", "kq"),
    ] {
        let mut pos = chess960("1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1");
        pos.make_move(parse_move(&pos, mv).unwrap());
        assert_eq!(pos.fen().split(' ').nth(2), Some(rights), "{mv}");
    }
}

#[test]
fn castling_rights_are_read_as_x_fen_and_shredder_fen_and_written_as_x_fen() {
    let two_rooks = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR";
    let four_rooks = "1r1rk1rr/8/8/8/8/8/8/1R1RK1RR";
    for (pieces, read, written) in [
        (two_rooks, "HFhf", "KQkq"),
        (two_rooks, "KQkq", "KQkq"),
        (two_rooks, "fFhH", "KQkq"),
        (two_rooks, "Hf", "Kq"),
        (two_rooks, "-", "-"),
        (four_rooks, "KQkq", "KQkq"),
        (four_rooks, "HBhb", "KQkq"),
        (four_rooks, "GDgd", "GDgd"),
        (four_rooks, "GQkd", "GQkd"),
        (four_rooks, "gB", "Qg"),
    ] {
        let pos = chess960(&format!("{pieces} w {read} - 2 9"));
        assert_eq!(pos.fen(), format!("{pieces} w {written} - 2 9"), "{read}");
        let again = chess960(&pos.fen());
        assert_eq!((again.fen(), again.key()), (pos.fen(), pos.key()), "{read}");
    }
    // In chess, too, rooks may be named by their files.
    let pieces = "r3k2r/8/8/8/8/8/8/R3K2R";
    let pos = Position::<Standard>::from_fen(&format!("{pieces} w HAha - 0 1")).unwrap();
    assert_eq!(pos.fen(), format!("{pieces} w KQkq - 0 1"));
}

#[test]
fn letters_that_name_no_rook_of_a_castling_are_dropped() {
    fn rights<R: Rules>(pieces: &str, read: &str) -> String {
        let pos = Position::<R>::from_fen(&format!("{pieces} w {read} - 0 1"))
            .unwrap_or_else(|e| panic!("{pieces} {read}: {e}"));
        pos.verify();
        pos.fen().split(' ').nth(2).unwrap().to_owned()
    }
    for (pieces, read, written) in [
        // The same right twice.
        ("rk5r/8/8/8/8/8/8/RK5R", "KKKK", "K"),
        ("rk5r/8/8/8/8/8/8/RK5R", "AAAA", "Q"),
        ("rk5r/8/8/8/8/8/8/RK5R", "KQkqKQkqHAha", "KQkq"),
        // No rook there, no rook at all, a rook of the other colour.
        ("rk5r/8/8/8/8/8/8/RK5R", "CDEFGcdefg", "-"),
        ("1k6/8/8/8/8/8/8/1K6", "KQkqHAha", "-"),
        ("4k3/8/8/8/8/8/8/r3K3", "Aa", "-"),
        // The letter of the king's own file.
        ("rk5r/8/8/8/8/8/8/RK5R", "Bb", "-"),
        // The king or the rook is not on the back rank.
        ("4k3/8/8/8/8/8/4K3/R6R", "KQHA", "-"),
        ("4k3/8/8/8/8/8/R6R/4K3", "KQHA", "-"),
        // King and rooks on the other side's back rank.
        ("R3K2R/8/8/8/8/8/8/r3k2r", "KQkqHAha", "-"),
    ] {
        assert_eq!(rights::<Chess960>(pieces, read), written, "{pieces} {read}");
    }
    // In chess king and rook castle from their home squares only.
    assert_eq!(rights::<Standard>("rk5r/8/8/8/8/8/8/RK5R", "KQkqHAha"), "-");
    assert_eq!(rights::<Standard>("4k3/8/8/8/8/8/8/1R2K1R1", "KQGB"), "-");
}

#[test]
fn letters_that_are_no_castling_rights_are_refused() {
    for read in ["HAhaX", "-K", "K-", "--", "KQIi", "e1h1", "KQkq-", "0", "KQkq\u{e9}", "\u{212a}"]
    {
        let fen = format!("rk5r/8/8/8/8/8/8/RK5R w {read} - 0 1");
        let error = Position::<Chess960>::from_fen(&fen).unwrap_err();
        assert_eq!(error, FenError::Castling(read.to_owned()));
    }
}
