//! Atomic chess: a capture explodes and takes the capturing man, too, and all pieces around its target. Who
//! blows up the other king wins.

use crate::board::bitboards::{KING, Squares};
use crate::board::{Checks, Position, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::EvalRules;
use crate::movegen::Legality;
use crate::search::{Params, SearchRules, WinRate, see};
use crate::types::{Color, Move, Outcome, PieceKind, Reason, Square};

use super::Names;

/// Atomic chess, by the rules of lichess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Atomic;

/// How an explosion wins, for result comments.
const EXPLODES_KING: &str = "causes the king's explosion";

/// What the king counts for in an exchange, in centipawns: more than all other men.
const KING_VALUE: i32 = 6000;

impl Rules for Atomic {
    type State = ();
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CAPTURES_EXPLODE: bool = true;
    const ENDINGS: &'static [&'static str] = &[EXPLODES_KING];

    #[inline(always)]
    fn variant_outcome(pos: &Position<Atomic>) -> Option<Outcome> {
        let has_king = |&color: &Color| pos.count(color, PieceKind::King) > 0;
        let loser = Color::ALL.into_iter().find(|color| !has_king(color))?;
        Some(Outcome::win(!loser, Reason::Variant(EXPLODES_KING)))
    }

    fn is_insufficient_material(pos: &Position<Atomic>) -> bool {
        !Color::ALL.into_iter().any(|color| Atomic::can_win(pos, color))
    }

    /// A bare king never wins. Against a bare king a queen, a pawn, or more than one piece can mate, but two
    /// knights cannot. The men of a king that is not bare can explode beside it, unless there are only bishops
    /// that never meet.
    fn can_win(pos: &Position<Atomic>, color: Color) -> bool {
        use PieceKind::{Bishop, Knight, Pawn, Queen};
        let both = |kind| pos.count(Color::White, kind) + pos.count(Color::Black, kind);
        if pos.is_bare(color) {
            return false;
        }
        let men = pos.total_count() - 2;
        if !pos.is_bare(!color) {
            let stand_on = |color, light: bool| {
                pos.pieces(color, Bishop).any(|sq: Square| sq.is_light() == light)
            };
            let meet = [true, false]
                .into_iter()
                .any(|light| stand_on(Color::White, light) && stand_on(Color::Black, light));
            return both(Bishop) < men || meet;
        }
        both(Queen) + both(Pawn) > 0 || men > 1 && (both(Knight) < men || men > 2)
    }
}

impl BookRules for Atomic {
    const KEY_NAME: Option<&'static str> = Some(Atomic::NAME);
    const REPERTOIRE: &'static str = include_str!("../../variants/atomic/repertoire.tsv");
}

impl EvalRules for Atomic {
    const WEIGHTS: &'static str = include_str!("../../variants/atomic/eval.params");
    const NETWORK_GAME: &'static str = Atomic::NAME;
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../variants/atomic/net.nnue"));
}

impl SearchRules for Atomic {
    /// Fitted as [`WinRate::STANDARD`], to 2005 games.
    const WIN_RATE: WinRate = WinRate { half: 240.0, scale: 354.0 };

    /// Smaller evaluations of endgames gained nothing.
    fn params() -> Params {
        Params { endgame_scale: 100, ..Params::STANDARD }
    }

    /// What the explosion takes from the opponent minus what it takes from the own side.
    fn gain(pos: &Position<Atomic>, mv: Move) -> i32 {
        if !mv.is_capture() {
            return see::promotion_gain(mv);
        }
        let us = pos.side_to_move();
        let mut gain = 0;
        for sq in Squares(pos.blast(mv)) {
            if let Some(piece) = pos.piece_at(sq) {
                let value = match piece.kind() {
                    PieceKind::King => KING_VALUE,
                    kind => see::VALUES[kind.index()],
                };
                gain += if piece.color() == us { -value } else { value };
            }
        }
        gain
    }

    /// An explosion ends the exchange. Other moves are not judged.
    #[inline(always)]
    fn gains_at_least(pos: &Position<Atomic>, mv: Move, threshold: i32) -> bool {
        !mv.is_capture() || Atomic::gain(pos, mv) >= threshold
    }

    #[inline(always)]
    fn threatens_win(pos: &Position<Atomic>, by: Color) -> bool {
        attacks_beside_king(pos, by)
    }

    /// A capture that blows up the king.
    fn winning_move(pos: &Position<Atomic>, legality: &Legality, _checks: &Checks) -> Option<Move> {
        let them = !pos.side_to_move();
        // Cheaper than to generate the captures. A pawn taken en passant need not stand beside the king.
        if pos.en_passant().is_none() && !attacks_beside_king(pos, !them) {
            return None;
        }
        let king = pos.king(them);
        let is_near = |mv: Move| mv.is_capture() && mv.to().distance(king) <= 1;
        pos.find_noisy_move(legality, |mv| is_near(mv) && pos.explodes_king(mv, them))
    }
}

impl CoachRules for Atomic {
    fn describe_last_step(pos: &Position<Atomic>, color: Color) -> Option<&'static str> {
        threatens_king(pos, color).then_some("threatens to blow up the king")
    }
}

/// Can a man of this side take one beside the other king, and leave its own king alive? Whose move it is does
/// not matter.
fn threatens_king(pos: &Position<Atomic>, color: Color) -> bool {
    pos.variant_outcome().is_none() && attacks_beside_king(pos, color)
}

/// The same in a game that is not over. A man that the own king attacks stands beside that king, too.
#[inline]
fn attacks_beside_king(pos: &Position<Atomic>, color: Color) -> bool {
    let beside = |color: Color| KING[pos.king(color).index64()];
    let targets = beside(!color) & !beside(color) & pos.squares_of(!color);
    Squares(targets).any(|square| pos.is_attacked(square, color))
}

impl Names for Atomic {
    const NAME: &'static str = "atomic";
    const OTHER_NAMES: &'static [&'static str] = &["atom", "atomicchess", "wild27"];
    const TITLE: &'static str = "Atomic";
    const RULES: &'static str = "A capture explodes: it takes the captured man, the capturing man, and all men on \
        the squares around except pawns. Who causes the king's explosion wins at once, even when in check; mate \
        wins, too. A king cannot capture, and kings that touch are safe from check.";
    const LESSON: Option<&'static str> = Some("teachblast");
    const IS_MATE_KNOWN_TO_XBOARD: bool = false;
    const IS_DEAD_MATERIAL_KNOWN_TO_XBOARD: bool = false;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position<Atomic> {
        Position::from_fen(fen).unwrap()
    }

    fn after(fen: &str, text: &str) -> Position<Atomic> {
        let mut pos = position(fen);
        let mv = pos.legal_moves().iter().copied().find(|mv| mv.to_string() == text);
        let before = pos.fen();
        pos.make_move(mv.expect("a legal move"));
        let mut back = pos.clone();
        back.unmake_move();
        assert_eq!(back.fen(), before);
        pos
    }

    #[test]
    fn an_explosion_spares_pawns_and_takes_castling_rights() {
        let pos = after("rnbqkb1r/pppppppp/8/8/8/6n1/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "h2g3");
        assert_eq!(pos.fen(), "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR b KQkq - 0 1");
        let pos = after("rnbqk2r/pppppppp/8/8/8/5B2/PPPP1PPP/RNBQK1nR b KQkq - 0 1", "g1f3");
        assert_eq!(pos.fen(), "rnbqk2r/pppppppp/8/8/8/8/PPPP1PPP/RNBQK2R w KQkq - 0 2");
        let pos = after("4k2r/6p1/7p/8/6N1/8/8/4K3 w k - 0 1", "g4h6");
        assert_eq!(pos.fen(), "4k2r/6p1/8/8/8/8/8/4K3 b k - 0 1");
        let pos = after("4k2r/6n1/8/8/6R1/8/8/4K3 w k - 0 1", "g4g7");
        assert_eq!(pos.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    }

    #[test]
    fn the_emptied_squares_are_those_of_the_last_move() {
        let names = |pos: &Position<Atomic>| {
            let gone = Square::all().filter(|sq| sq.is_in(pos.exploded()));
            gone.map(|sq| sq.to_string()).collect::<Vec<_>>().join(" ")
        };
        // The pawns on g2 and h2 stay; the knight came from f5.
        let mut pos = after("rnbqkb1r/pppppppp/8/5n2/8/6N1/PPPPPPPP/RNBQKB1R b KQkq - 0 1", "f5g3");
        assert_eq!(names(&pos), "g3");
        let quiet = pos.legal_moves().iter().copied().find(|mv| !mv.is_capture());
        pos.make_move(quiet.expect("a quiet move"));
        assert_eq!(names(&pos), "");
        pos.unmake_move();
        assert_eq!(names(&pos), "g3");
        let pos = after("4k2r/6n1/7b/8/6R1/8/8/4K3 w k - 0 1", "g4g7");
        assert_eq!(names(&pos), "h6 g7 h8");
        // The pawn taken en passant is gone from d5, the knight from c7.
        let pos = after("4k3/2n5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6");
        assert_eq!(names(&pos), "d5 d6 c7");
    }

    #[test]
    fn a_capture_beside_the_king_is_a_threat() {
        for (fen, threatens) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [false, false]),
            ("rnbqkb1r/pppp1ppp/4p2n/4N3/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 3", [true, false]),
            // The king itself takes nothing, and here the explosion would reach it.
            ("8/8/8/8/3kp3/8/4K3/8 w - - 0 1", [false, false]),
            ("8/8/8/8/3kp1R1/5K2/8/8 w - - 0 1", [false, false]),
            ("8/8/8/8/3kp1R1/8/4K3/8 w - - 0 1", [true, false]),
        ] {
            let pos = position(fen);
            assert_eq!(Color::ALL.map(|color| threatens_king(&pos, color)), threatens, "{fen}");
        }
    }

    #[test]
    fn blowing_up_the_king_wins_even_in_check() {
        // The rook gives check, and the queen takes next to its king.
        let pos = after("3qk3/3p4/8/8/8/8/8/r2QK3 w - - 0 1", "d1d7");
        assert_eq!(pos.outcome(), Some(Outcome::win(Color::White, Reason::Variant(EXPLODES_KING))));
    }

    #[test]
    fn kings_that_touch_are_not_in_check() {
        assert!(!position("8/8/8/3kK3/8/8/8/r3R3 w - - 0 1").in_check());
        assert!(position("8/8/2k5/4K3/8/8/8/r3r3 w - - 0 1").in_check());
    }

    #[test]
    fn castling_gives_check_unless_the_kings_touch_after_it() {
        for (fen, castling, gives_check) in [
            // The kings stay together, or come together.
            ("8/8/8/8/8/8/5k2/4K2R w K - 0 1", "e1g1", false),
            ("8/8/8/8/3Q4/8/6k1/4K2R w K - 0 1", "e1g1", false),
            // They part.
            ("8/8/8/8/3Q4/8/3k4/4K2R w K - 0 1", "e1g1", true),
            ("8/8/8/8/8/1N6/3k4/4K2R w K - 0 1", "e1g1", true),
            ("4k2r/3K4/8/8/3q4/8/8/8 b k - 0 1", "e8g8", true),
            ("8/8/8/8/8/8/3k4/4K2R w K - 0 1", "e1g1", false),
            // They never touch.
            ("8/8/8/8/8/5k2/8/4K2R w K - 0 1", "e1g1", true),
            ("8/8/8/8/6k1/8/8/4K2R w K - 0 1", "e1g1", false),
            // The king shuts the rook's line before.
            ("8/8/8/8/8/8/8/k3K2R w K - 0 1", "e1g1", true),
            ("8/8/8/8/8/8/8/R3K2k w Q - 0 1", "e1c1", true),
        ] {
            let pos = position(fen);
            let mv = pos.legal_moves().iter().copied().find(|mv| mv.to_string() == castling);
            assert_eq!(pos.gives_check(mv.expect("a legal move")), gives_check, "{fen}");
            assert_eq!(after(fen, castling).in_check(), gives_check, "{fen}");
        }
    }

    #[test]
    fn dead_positions() {
        for (fen, is_dead) in [
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KNNN w - - 0 1", false),
            ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", true),
            ("4k1b1/8/8/8/8/8/8/4KB2 w - - 0 1", false),
        ] {
            assert_eq!(position(fen).is_insufficient_material(), is_dead, "{fen}");
        }
    }
}
