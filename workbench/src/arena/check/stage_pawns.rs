//! The rules of the stage `pawns`: only pawns move, captures come first, a pawn on the last rank
//! becomes a queen, and the bot resigns when no pawn can move.

use super::board_order::BoardOrder;
use super::conditions::MoveAt;
use super::item::Item;
use super::sheet::{Sheet, Violation};
use trebuchet::play::Game;
use trebuchet::types::{Move, PieceKind};

/// The pawn moves among the legal moves.
fn pawn_moves(board: &dyn Game, legal: &[Move]) -> Vec<Move> {
    let is_pawn =
        |mv: &Move| board.piece_at(mv.from()).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
    legal.iter().copied().filter(is_pawn).collect()
}

/// Judges a legal move.
pub fn judge(sheet: &mut Sheet, at: &MoveAt, order: Option<BoardOrder>) {
    let MoveAt { board, mv, .. } = *at;
    let text = board.coordinate(mv);
    let broken = |reason: String| Violation::at_move(at.line, board, &text, reason);
    let pawns = pawn_moves(board, at.legal);
    if pawns.is_empty() {
        let reason = "no pawn can move, but the bot moves instead of resigning".to_owned();
        sheet.broken(Item::ResignsWithoutPawnMove, broken(reason));
        return;
    }
    if !pawns.contains(&mv) {
        let piece = board.piece_at(mv.from()).map_or("piece", |piece| name(piece.kind()));
        let reason = format!("the bot moves a {piece}, but {} is legal", example(board, &pawns));
        sheet.broken(Item::PawnsOnly, broken(reason));
        return;
    }
    sheet.kept(Item::PawnsOnly);
    let captures: Vec<Move> = pawns.iter().copied().filter(|mv| mv.is_capture()).collect();
    let is_right_kind = captures.is_empty() || mv.is_capture();
    if !captures.is_empty() {
        let violation = (!is_right_kind)
            .then(|| broken(format!("a pawn can capture with {}", example(board, &captures))));
        sheet.judge(Item::CapturesFirst, violation);
    }
    // The order decides among the captures or, without one, among the pushes.
    if let Some(order) = order.filter(|_| is_right_kind) {
        let rivals = if captures.is_empty() { &pawns } else { &captures };
        let first = rivals.iter().min_by_key(|rival| order.place(rival.from()));
        let earlier = first.filter(|first| order.place(first.from()) < order.place(mv.from()));
        let violation = earlier.map(|first| {
            broken(format!("the pawn on {} comes first in the order {order}", first.from()))
        });
        if rivals.iter().any(|rival| rival.from() != mv.from()) {
            sheet.judge(Item::BoardOrder, violation);
        }
    }
    if let Some(kind) = mv.promotion() {
        let violation = (kind != PieceKind::Queen)
            .then(|| broken(format!("the pawn becomes a {}, not a queen", name(kind))));
        sheet.judge(Item::PromotesToQueen, violation);
    }
}

/// Judges a resignation of the side to move.
pub fn judge_resignation(sheet: &mut Sheet, board: &dyn Game, legal: &[Move], line: u64) {
    let pawns = pawn_moves(board, legal);
    let violation = (!pawns.is_empty()).then(|| {
        let reason = format!("the bot resigns, but {} is legal", example(board, &pawns));
        Violation::at_move(line, board, "resign", reason)
    });
    sheet.judge(Item::ResignsWithoutPawnMove, violation);
}

/// Must the side to move resign?
pub fn must_resign(board: &dyn Game) -> bool {
    let legal = board.legal_moves();
    !legal.is_empty() && pawn_moves(board, &legal).is_empty()
}

fn example(board: &dyn Game, moves: &[Move]) -> String {
    moves.first().map_or_else(String::new, |&mv| board.coordinate(mv))
}

fn name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Knight => "knight",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::Queen => "queen",
        PieceKind::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::Verdict;
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::variants::VariantId;

    fn verdicts(fen: &str, text: &str) -> Vec<(&'static str, String)> {
        let mut board = new_game(VariantId::Standard);
        board.set_board(fen).unwrap();
        let legal = board.legal_moves();
        let mv = board.parse_move(text).unwrap();
        let mut sheet = Sheet::default();
        let order = Some("a1b1".parse().unwrap());
        judge(&mut sheet, &MoveAt { board: &*board, legal: &legal, mv, line: 7 }, order);
        Item::ALL
            .into_iter()
            .filter(|&item| sheet.verdict(item) != Verdict::NotTested)
            .map(|item| {
                let text = sheet.violations(item).next();
                (item.name(), text.map_or_else(|| "kept".to_owned(), |found| found.text.clone()))
            })
            .collect()
    }

    fn kept(items: &[&'static str]) -> Vec<(&'static str, String)> {
        items.iter().map(|&item| (item, "kept".to_owned())).collect()
    }

    #[test]
    fn only_pawns_move_and_captures_come_first() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(verdicts(start, "a2a3"), kept(&["pawns-only", "board-order"]));
        assert_eq!(verdicts(start, "a2a4"), kept(&["pawns-only", "board-order"]));
        let wrong = |item, text: &str| vec![(item, text.to_owned())];
        assert_eq!(
            verdicts(start, "g1f3"),
            wrong("pawns-only", "the bot moves a knight, but a2a3 is legal")
        );
        let later = verdicts(start, "b2b3");
        assert_eq!(
            later[1..],
            wrong("board-order", "the pawn on a2 comes first in the order a1b1")
        );
        let capture = "4k3/8/8/3p1p2/4P3/8/P7/4K3 w - - 0 1";
        assert_eq!(verdicts(capture, "e4f5"), kept(&["pawns-only", "captures-first"]));
        let push = verdicts(capture, "a2a3");
        assert_eq!(push[1..], wrong("captures-first", "a pawn can capture with e4d5"));
        // En passant is a capture, too.
        let en_passant = "4k3/8/8/3pP3/8/8/P7/4K3 w - d6 0 1";
        assert_eq!(verdicts(en_passant, "a2a3")[1].1, "a pawn can capture with e5d6");
    }

    #[test]
    fn promotions_make_queens() {
        let fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(verdicts(fen, "a7a8q"), kept(&["pawns-only", "promotes-to-queen"]));
        let rook = verdicts(fen, "a7a8r");
        assert_eq!(
            rook[1],
            ("promotes-to-queen", "the pawn becomes a rook, not a queen".to_owned())
        );
    }

    #[test]
    fn without_a_pawn_move_the_bot_resigns() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let text = "no pawn can move, but the bot moves instead of resigning".to_owned();
        assert_eq!(verdicts(fen, "h1h2"), [("resigns-without-pawn-move", text)]);
        let resign = |fen: &str| {
            let mut board = new_game(VariantId::Standard);
            board.set_board(fen).unwrap();
            let mut sheet = Sheet::default();
            judge_resignation(&mut sheet, &*board, &board.legal_moves(), 7);
            assert_eq!(
                must_resign(&*board),
                sheet.verdict(Item::ResignsWithoutPawnMove) == Verdict::Kept
            );
            sheet.violations(Item::ResignsWithoutPawnMove).next().map(|found| found.text.clone())
        };
        assert_eq!(resign(fen), None);
        // A check that no pawn answers.
        assert_eq!(resign("4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1"), None);
        let early = resign("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
        assert_eq!(early.as_deref(), Some("the bot resigns, but a2a3 is legal"));
    }
}
