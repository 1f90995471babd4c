//! Sacrifices: what a move gives up, and whether that is lost for good.

use crate::board::Position;
use crate::types::{Move, Square};

use super::danger::WINS_MATERIAL;
use super::exchange::{gains_at_least, won_by};
use super::heat_map::HeatMap;
use super::rules::CoachRules;

/// What a move must give up to be a sacrifice, in centipawns: more than a pawn.
const SACRIFICE: i32 = 150;

/// Can the opponent win clearly more material by taking than the move has won? Castling and moves
/// that end the game give up nothing.
pub fn gives_up_material<V: CoachRules>(pos: &Position<V>, mv: Move) -> bool {
    let Some(after) = after_exchange(pos, mv) else { return false };
    after.legal_moves().iter().any(|&reply| wins_more(&after, reply, won_by(pos, mv) + SACRIFICE))
}

/// What becomes of a man on the square to which it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prospect {
    Safe,
    /// The other side presses on the square.
    Contested,
    /// The move gives up material.
    Lost,
}

/// What becomes of a man by a legal move. Where captures explode: a capture is safe if it does not lose more than it
/// takes, and a man elsewhere is contested where an explosion can take it, and lost if that gains material.
pub fn prospect<V: CoachRules>(pos: &Position<V>, mv: Move) -> Prospect {
    let after = pos.after(mv);
    if !V::CAPTURES_EXPLODE {
        if gives_up_material(pos, mv) {
            return Prospect::Lost;
        }
        let pressure = HeatMap::of(&after).pressure(mv.to(), !pos.side_to_move());
        return if pressure > 0 { Prospect::Contested } else { Prospect::Safe };
    }
    if mv.is_capture() {
        return if V::gain(pos, mv) < 0 { Prospect::Lost } else { Prospect::Safe };
    }
    let replies = after.legal_moves();
    let explodes = |reply: &&Move| reply.is_capture() && mv.to().is_in(after.blast(**reply));
    match replies.iter().filter(explodes).map(|&reply| V::gain(&after, reply)).max() {
        None => Prospect::Safe,
        Some(gain) if gain < WINS_MATERIAL => Prospect::Contested,
        Some(_) => Prospect::Lost,
    }
}

/// Does the move give up material that the player cannot win back by taking something else? Where every move loses
/// something, nothing is given up.
pub(super) fn sacrifices<V: CoachRules>(pos: &Position<V>, mv: Move) -> bool {
    gives_up_for_good(pos, mv)
        && pos.legal_moves().iter().any(|&other| !gives_up_material(pos, other))
}

fn gives_up_for_good<V: CoachRules>(pos: &Position<V>, mv: Move) -> bool {
    !taken_for_good(pos, mv, SACRIFICE).is_empty()
}

/// What becomes of the material that a capture loses on its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Price {
    /// The man that takes is lost for good.
    Mover,
    /// What the opponent takes for good stands on another square.
    Offered(Square),
    /// All that the opponent takes is won back elsewhere.
    WonBack,
}

/// What a capture costs that loses material on its target.
pub(super) fn price<V: CoachRules>(pos: &Position<V>, capture: Move) -> Price {
    let taken = taken_for_good(pos, capture, WINS_MATERIAL);
    match taken.first() {
        _ if taken.contains(&capture.to()) => Price::Mover,
        Some(&square) => Price::Offered(square),
        None => Price::WonBack,
    }
}

/// The squares on which the opponent takes for good what a move gives up: at least `least` more than the move wins.
fn taken_for_good<V: CoachRules>(pos: &Position<V>, mv: Move, least: i32) -> Vec<Square> {
    let Some(after) = after_exchange(pos, mv) else { return Vec::new() };
    let threshold = won_by(pos, mv) + least;
    let is_lost = |reply: Move| {
        let missing = won_by(&after, reply) - threshold + 1;
        let next = after.after(reply);
        // Where nobody can win any more, a man is worth nothing.
        if next.outcome().is_some_and(|outcome| outcome.winner.is_none()) {
            return false;
        }
        let answers = next.legal_moves();
        let wins_back = |&mv: &Move| mv.to() != reply.to() && wins_more(&next, mv, missing);
        !answers.iter().any(wins_back)
    };
    let replies = after.legal_moves();
    let takes = |&&reply: &&Move| wins_more(&after, reply, threshold) && is_lost(reply);
    replies.iter().filter(takes).map(|reply| reply.to()).collect()
}

/// The position after the move, in a game of exchanges that goes on.
fn after_exchange<V: CoachRules>(pos: &Position<V>, mv: Move) -> Option<Position<V>> {
    let after = pos.after(mv);
    (V::HAS_EXCHANGES && after.outcome().is_none()).then_some(after)
}

/// Is it a capture that wins at least `threshold`?
fn wins_more<V: CoachRules>(pos: &Position<V>, mv: Move, threshold: i32) -> bool {
    mv.is_capture() && gains_at_least(pos, mv, threshold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_move;
    use crate::variants::{Atomic, Standard};

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

    fn position(fen: &str) -> Position<Standard> {
        Position::from_fen(fen).unwrap()
    }

    fn gives_up(fen: &str, mv: &str) -> bool {
        let pos = position(fen);
        gives_up_material(&pos, parse_move(&pos, mv).unwrap())
    }

    #[test]
    fn sacrifices_are_seen() {
        // The bishop for a pawn.
        let italian = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        assert!(gives_up(italian, "Bxf7+"));
        assert!(!gives_up(italian, "d3"));
        // A knight that stays where it is attacked.
        assert!(gives_up("4k3/8/8/4p3/3N4/8/7P/4K3 w - - 0 1", "h3"));
        assert!(!gives_up("4k3/8/8/4p3/3N4/8/7P/4K3 w - - 0 1", "Nf3"));
        // An exchange of equal pieces, and a mate with the queen on a guarded square.
        assert!(!gives_up("4k3/8/8/3n4/8/4N3/8/4K3 w - - 0 1", "Nxd5"));
        assert!(!gives_up(BACK_RANK, "Ra8#"));
    }

    #[test]
    fn a_man_is_lost_where_the_next_explosion_takes_it() {
        use Prospect::{Contested, Lost, Safe};
        for (fen, mv, expected) in [
            // The queen takes itself along, or takes the knight beside the pawn, too.
            ("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", "Qxd5", Lost),
            ("4k3/8/2nnn3/3p4/8/8/8/3QK3 w - - 0 1", "Qxd5", Safe),
            // A capture of the pawn on e4 blows up what stands next to it, but for pawns.
            ("4k3/8/8/3p4/4P3/8/8/3QK3 w - - 0 1", "Qd3", Lost),
            ("4k3/8/8/3p4/4P3/8/8/3QK3 w - - 0 1", "Qd2", Safe),
            // The rook that takes is worth more than the pawn and the bishop.
            ("4k3/4r3/8/8/4P3/8/8/3BK3 w - - 0 1", "Bf3", Contested),
        ] {
            let pos = Position::<Atomic>::from_fen(fen).unwrap();
            assert_eq!(prospect(&pos, parse_move(&pos, mv).unwrap()), expected, "{fen} {mv}");
        }
    }

    #[test]
    fn what_is_won_back_is_no_sacrifice() {
        let is_sacrifice = |fen: &str, mv: &str| {
            let pos = position(fen);
            let mv = parse_move(&pos, mv).unwrap();
            assert!(gives_up_material(&pos, mv), "{fen}");
            sacrifices(&pos, mv)
        };
        let italian = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        assert!(is_sacrifice(italian, "Bxf7+"));
        // Legal's mate: the queen.
        let legal = "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5";
        assert!(is_sacrifice(legal, "Nxe5"));
        // A rook for a rook, and a knight for a bishop.
        for (fen, mv) in [
            ("r1b1kbnr/pppp1Npp/8/6q1/2BnP3/8/PPPP1PPP/RNBQK2R b KQkq - 0 5", "Qxg2"),
            ("1q3rk1/1rp2ppp/2n5/p3p3/4Q2P/1PP4P/1B3P2/R3K2R b KQ - 0 20", "Rxb3"),
        ] {
            assert!(!is_sacrifice(fen, mv), "{fen} {mv}");
        }
    }

    /// Both bishops are attacked, and only one can be saved.
    #[test]
    fn what_every_move_loses_is_no_sacrifice() {
        let fen = "r3k1nr/2p1qpp1/p1Pp4/1pP1pb1p/4P2P/1P3P2/P2N2B1/b2Q1KNR b kq - 0 16";
        let pos = position(fen);
        let mv = parse_move(&pos, "Bd4").unwrap();
        assert!(gives_up_for_good(&pos, mv));
        assert!(!sacrifices(&pos, mv));
    }

    #[test]
    fn the_price_of_a_capture_may_stand_on_another_square_or_be_won_back() {
        let price = |fen: &str, mv: &str| {
            let pos = position(fen);
            price(&pos, parse_move(&pos, mv).unwrap())
        };
        // Legal's mate, and a bishop that is taken where it has taken.
        let legal = "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5";
        assert_eq!(price(legal, "Nxe5"), Price::Offered(Square::parse("d1").unwrap()));
        let italian = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        assert_eq!(price(italian, "Bxf7+"), Price::Mover);
        // The king that takes leaves the queen alone.
        let lured = "r1bqkb1r/4pp1p/p1p2np1/4p3/P1B5/2N5/1PP2PPP/R1BQK2R w KQkq - 0 10";
        assert_eq!(price(lured, "Bxf7+"), Price::WonBack);
        // Two pawns for a bishop.
        let pawns = "4k3/8/2p5/1p6/8/N2B4/8/4K3 w - - 0 1";
        assert_eq!(price(pawns, "Bxb5"), Price::Mover);
    }
}
