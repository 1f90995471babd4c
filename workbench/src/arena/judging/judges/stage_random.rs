//! The rules of the stage `random`: castling is played at once; if it is not legal, a capture en
//! passant is.

use super::Judge;
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::event::{EventKind, GameEvent};
use crate::arena::judging::sheet::Sheet;
use trebuchet::types::Move;

/// Is it a move that has to be played at once?
type IsWanted = fn(&Move) -> bool;

/// Judges the choice of moves.
pub struct StageRandom;

impl Judge for StageRandom {
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet) {
        let (EventKind::Move(mv), Some(board)) = (event.kind, event.board) else { return };
        let legal = board.legal_moves();
        let wanted: [(Criterion, IsWanted, &str); 2] = [
            (Criterion::CastlesAtOnce, |mv| mv.is_castling(), "castling"),
            (Criterion::EnPassantAtOnce, |mv| mv.is_en_passant(), "the capture en passant"),
        ];
        for (criterion, is_wanted, name) in wanted {
            let Some(&missed) = legal.iter().find(|mv| is_wanted(mv)) else { continue };
            let violation = (!is_wanted(&mv)).then(|| {
                let reason = format!("{name} {} is legal", board.coordinate(missed));
                event.violation_at(&board.coordinate(mv), reason)
            });
            sheet.judge(criterion, violation);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::judging::sheet::CriterionVerdict;
    use trebuchet::play::new_game;
    use trebuchet::variants::VariantId;

    fn judged(variant: VariantId, fen: &str, text: &str) -> [CriterionVerdict; 2] {
        let mut board = new_game(variant);
        board.set_board(fen).unwrap();
        let mv = board.parse_move(text).unwrap();
        let mut sheet = Sheet::default();
        let event = GameEvent { line: 1, board: Some(&*board), kind: EventKind::Move(mv) };
        StageRandom.on(&event, &mut sheet);
        [Criterion::CastlesAtOnce, Criterion::EnPassantAtOnce].map(|item| sheet.verdict(item))
    }

    #[test]
    fn castling_comes_first_then_en_passant() {
        use CriterionVerdict::{Broken, Kept, NotTested};
        let normal = VariantId::Standard;
        let both = "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1";
        assert_eq!(judged(normal, both, "e1g1"), [Kept, NotTested]);
        assert_eq!(judged(normal, both, "e5d6"), [Broken, NotTested]);
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K2R w - d6 0 1";
        assert_eq!(judged(normal, en_passant, "e5d6"), [NotTested, Kept]);
        assert_eq!(judged(normal, en_passant, "e5e6"), [NotTested, Broken]);
        assert_eq!(judged(normal, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "h1h2"), [NotTested; 2]);
        let shuffled = "1r2k3/8/8/8/8/8/8/1R3K2 w Qq - 0 1";
        assert_eq!(judged(VariantId::Chess960, shuffled, "O-O-O"), [Kept, NotTested]);
        assert_eq!(judged(VariantId::Chess960, shuffled, "f1g1"), [Broken, NotTested]);
    }
}
