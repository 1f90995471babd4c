//! The rules of the stage `pawns`: only pawns move, captures come first, a pawn on the last rank
//! becomes a queen, and the bot resigns when no pawn can move, unless the rules demand another capture.

use super::Judge;
use crate::arena::judging::board_order::BoardOrder;
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::event::{EventKind, GameEvent};
use crate::arena::judging::sheet::Sheet;
use trebuchet::play::Game;
use trebuchet::types::{Move, PieceKind};

/// Judges the choice of moves.
pub struct StagePawns {
    /// The order in which pawns have to move, if it matters.
    pub order: Option<BoardOrder>,
}

impl Judge for StagePawns {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        let Some(board) = event.board else { return };
        match event.kind {
            EventKind::Move(mv) => self.judge_choice(event, board, mv, sheet),
            EventKind::Resignation(color) if board.side_to_move() == color => {
                judge_resignation(event, board, sheet);
            }
            EventKind::Resignation(_) => {
                let text = "the bot resigns when it is not its turn";
                sheet.broken(Criterion::ResignsWithoutPawnMove, event.violation(text));
            }
            EventKind::UnexplainedLoss => {
                let reason = "the file does not say how it ended";
                sheet.not_judged(Criterion::ResignsWithoutPawnMove, reason);
            }
            _ => {}
        }
    }
}

/// The legal pawn moves.
fn pawn_moves(board: &dyn Game) -> Vec<Move> {
    let is_pawn = |mv: &Move| board.mover(*mv).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
    board.legal_moves().into_iter().filter(is_pawn).collect()
}

/// The captures that the rules demand.
fn compulsory_captures(board: &dyn Game) -> Vec<Move> {
    let legal = board.legal_moves().into_iter();
    legal.filter(|mv| board.variant().must_capture() && mv.is_capture()).collect()
}

impl StagePawns {
    /// Judges a legal move.
    fn judge_choice(&self, event: &GameEvent, board: &dyn Game, mv: Move, sheet: &mut Sheet) {
        let text = board.coordinate(mv);
        let broken = |reason: String| event.violation_at(&text, reason);
        let pawns = pawn_moves(board);
        if pawns.is_empty() {
            if compulsory_captures(board).is_empty() {
                let reason = "no pawn can move, but the bot moves instead of resigning".to_owned();
                sheet.broken(Criterion::ResignsWithoutPawnMove, broken(reason));
            }
            return;
        }
        if !pawns.contains(&mv) {
            let piece = board.mover(mv).map_or("piece", |piece| name(piece.kind()));
            let reason =
                format!("the bot moves a {piece}, but {} is legal", example(board, &pawns));
            sheet.broken(Criterion::PawnsOnly, broken(reason));
            return;
        }
        sheet.kept(Criterion::PawnsOnly);
        let captures: Vec<Move> = pawns.iter().copied().filter(|mv| mv.is_capture()).collect();
        let is_right_kind = captures.is_empty() || mv.is_capture();
        if !captures.is_empty() {
            let violation = (!is_right_kind)
                .then(|| broken(format!("a pawn can capture with {}", example(board, &captures))));
            sheet.judge(Criterion::CapturesFirst, violation);
        }
        // The order decides among the captures or, without one, among the pushes.
        if let Some(order) = self.order.filter(|_| is_right_kind) {
            let mut rivals = if captures.is_empty() { pawns } else { captures };
            // A pawn in hand has no place in the order.
            rivals.retain(|rival| rival.is_drop() == mv.is_drop());
            let first = rivals.iter().min_by_key(|rival| order.place(rival.from()));
            let earlier = first.filter(|first| order.place(first.from()) < order.place(mv.from()));
            let violation = earlier.map(|first| {
                broken(format!("the pawn on {} comes first in the order {order}", first.from()))
            });
            if rivals.iter().any(|rival| rival.from() != mv.from()) {
                sheet.judge(Criterion::BoardOrder, violation);
            }
        }
        if let Some(kind) = mv.promotion() {
            let violation = (kind != PieceKind::Queen)
                .then(|| broken(format!("the pawn becomes a {}, not a queen", name(kind))));
            sheet.judge(Criterion::PromotesToQueen, violation);
        }
    }
}

/// Judges a resignation of the side to move. One without a legal move is no resignation: the game is
/// over.
fn judge_resignation(event: &GameEvent, board: &dyn Game, sheet: &mut Sheet) {
    if board.legal_moves().is_empty() {
        return;
    }
    let reason = why_not_resign(board).map(|why| format!("the bot resigns, but {why}"));
    let violation = reason.map(|reason| event.violation_at("resign", reason));
    sheet.judge(Criterion::ResignsWithoutPawnMove, violation);
}

/// Why the side to move must not resign, if it must not.
fn why_not_resign(board: &dyn Game) -> Option<String> {
    let (pawns, captures) = (pawn_moves(board), compulsory_captures(board));
    if !pawns.is_empty() {
        return Some(format!("{} is legal", example(board, &pawns)));
    }
    (!captures.is_empty()).then(|| format!("it must capture with {}", example(board, &captures)))
}

/// Must the side to move resign?
pub fn must_resign(board: &dyn Game) -> bool {
    !board.legal_moves().is_empty() && why_not_resign(board).is_none()
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
    use super::*;
    use crate::arena::judging::sheet::CriterionVerdict;
    use trebuchet::play::new_game;
    use trebuchet::variants::VariantId;

    fn judged(board: &dyn Game, kind: EventKind) -> Sheet {
        let mut judge = StagePawns { order: Some("a1b1".parse().unwrap()) };
        let mut sheet = Sheet::default();
        judge.on(&GameEvent { line: 7, board: Some(board), kind }, &mut sheet);
        sheet
    }

    fn verdicts(fen: &str, text: &str) -> Vec<(&'static str, String)> {
        verdicts_in(VariantId::Standard, fen, text)
    }

    fn verdicts_in(variant: VariantId, fen: &str, text: &str) -> Vec<(&'static str, String)> {
        let mut board = new_game(variant);
        board.set_board(fen).unwrap();
        let mv = board.parse_move(text).unwrap();
        let sheet = judged(&*board, EventKind::Move(mv));
        Criterion::ALL
            .iter()
            .filter(|&&criterion| sheet.verdict(criterion) != CriterionVerdict::NotTested)
            .map(|&criterion| {
                let found = sheet.violations(criterion).next();
                let text = found.map_or_else(|| "kept".to_owned(), |found| found.text.clone());
                (criterion.name(), text)
            })
            .collect()
    }

    /// What is wrong with a resignation of the side to move.
    fn resignation(variant: VariantId, fen: &str) -> Option<String> {
        let mut board = new_game(variant);
        board.set_board(fen).unwrap();
        let sheet = judged(&*board, EventKind::Resignation(board.side_to_move()));
        let criterion = Criterion::ResignsWithoutPawnMove;
        let is_kept = sheet.verdict(criterion) == CriterionVerdict::Kept;
        assert_eq!(must_resign(&*board), is_kept);
        sheet.violations(criterion).next().map(|found| found.text.clone())
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
        let resignation = |fen: &str| resignation(VariantId::Standard, fen);
        assert_eq!(resignation(fen), None);
        // A check that no pawn answers.
        assert_eq!(resignation("4k3/8/8/8/8/8/P3r3/4K3 w - - 0 1"), None);
        let early = resignation("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
        assert_eq!(early.as_deref(), Some("the bot resigns, but a2a3 is legal"));
    }

    #[test]
    fn a_compulsory_capture_is_made_without_a_pawn_move() {
        let fen = "8/8/8/8/7n/8/8/K6R w - - 0 1";
        let quiet = "8/8/8/8/7n/8/8/K5R1 w - - 0 1";
        for variant in [VariantId::Antichess, VariantId::Suicide, VariantId::Giveaway] {
            assert_eq!(verdicts_in(variant, fen, "h1h4"), [], "{variant:?}");
            let early = resignation(variant, fen);
            assert_eq!(early.as_deref(), Some("the bot resigns, but it must capture with h1h4"));
            let moves = verdicts_in(variant, quiet, "g1g2");
            let text = "no pawn can move, but the bot moves instead of resigning".to_owned();
            assert_eq!(moves, [("resigns-without-pawn-move", text)], "{variant:?}");
            assert_eq!(resignation(variant, quiet), None, "{variant:?}");
        }
        // Elsewhere a capture is no duty.
        assert_eq!(resignation(VariantId::Standard, "4k3/8/8/8/7n/8/8/K6R w - - 0 1"), None);
    }
}
