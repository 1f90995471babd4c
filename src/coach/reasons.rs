//! Why a move is good, in the words of a player.
//!
//! Each reason is a short phrase with a verb: `attacks the queen`. They come from the board alone, the
//! strongest first.

use crate::board::Position;
use crate::types::{Color, Move, Outcome, PieceKind, Reason, Score, Square};

use super::danger::{Siege, WINS_MATERIAL, attacks, attacks_prize, is_free_to_take};
use super::exchange::{gains_at_least, passed, rescues, takes_back, value};
use super::line_of_play::LineOfPlay;
use super::refutation::promotes_to;
use super::rules::CoachRules;
use super::sacrifice::{Price, price};

/// The most reasons that are given.
const MOST: usize = 3;

/// Why a legal move is good, the strongest reason first; none if nothing particular can be said. `score` is the
/// move's score from the mover's side if a search has found one.
pub fn reasons<V: CoachRules>(pos: &Position<V>, mv: Move, score: Option<Score>) -> Vec<String> {
    let us = pos.side_to_move();
    let after = pos.after(mv);
    if let Some(outcome) = after.outcome() {
        return vec![end_in_words(outcome, us)];
    }
    let mut found = Vec::new();
    if let Some(moves) = score.and_then(Score::moves_to_end).filter(|&moves| moves > 0) {
        found.push(format!("wins in {moves}"));
    }
    if after.in_check() {
        found.push(check::<V>(&after, us));
    }
    if V::MUST_CAPTURE {
        found.extend(compulsion(pos, &after, mv));
    }
    if let Some(kind) = promotes_to::<V>(mv) {
        found.push(format!("promotes to a {}", kind.name()));
    }
    found.extend(explosion(pos, mv).or_else(|| capture(pos, mv)));
    let is_step = |pos| V::describe_last_step(pos, us);
    if is_step(pos).is_none() && !V::COUNTS_CHECKS {
        found.extend(is_step(&after).map(str::to_owned));
    }
    if mv.is_castling() {
        found.push("castles".to_owned());
    } else if V::HAS_EXCHANGES {
        let is_safe = !is_loose(&after, mv.to());
        if is_safe {
            found.extend(attack(pos, &after, us, mv));
        }
        if let Some(from) = pos.origin(mv).filter(|&from| is_loose(pos, from))
            && !pos.in_check()
            && !mv.is_capture()
            && is_safe
        {
            found.push(format!("saves the {}", kind_at(pos, from).name()));
        }
        found.extend(guards(pos, &after, us, mv));
    }
    if pos.in_check() {
        found.push("gets out of check".to_owned());
    }
    let explodes = V::CAPTURES_EXPLODE && mv.is_capture();
    if found.is_empty() && !V::MUST_CAPTURE && !explodes {
        found.extend(positional(pos, us, mv));
    }
    found.truncate(MOST);
    found
}

/// What a move of this side does that ends the game.
pub(super) fn end_in_words(outcome: Outcome, us: Color) -> String {
    match outcome.reason {
        // The opponent has won the race, and this move was the last chance to follow.
        _ if outcome.winner == Some(!us) => "loses the game".to_owned(),
        Reason::Checkmate => "mates".to_owned(),
        Reason::Variant(deed) => deed.to_owned(),
        _ => "ends the game as a draw".to_owned(),
    }
}

fn kind_at<V: CoachRules>(pos: &Position<V>, square: Square) -> PieceKind {
    pos.piece_at(square).map_or(PieceKind::Pawn, |piece| piece.kind())
}

/// `gives check`, or in a race of checks `gives the second check`.
pub(super) fn check<V: CoachRules>(after: &Position<V>, us: Color) -> String {
    let number = match V::race_level(after.state(), us) {
        1 if V::COUNTS_CHECKS => "the first ",
        2 if V::COUNTS_CHECKS => "the second ",
        _ => "",
    };
    format!("gives {number}check")
}

/// What a capture achieves.
fn capture<V: CoachRules>(pos: &Position<V>, mv: Move) -> Option<String> {
    if !mv.is_capture() || !V::HAS_EXCHANGES {
        return None;
    }
    let victim = if mv.is_en_passant() { PieceKind::Pawn } else { kind_at(pos, mv.to()) };
    let (own, name) = (kind_at(pos, mv.from()), victim.name());
    let wins = |least: i32| gains_at_least(pos, mv, least);
    let has_promoted = |last: Move| last.is_promotion() && last.to() == mv.to();
    Some(if wins(WINS_MATERIAL) && takes_back(pos, mv) {
        format!("takes the {name} back")
    } else if wins(WINS_MATERIAL) && pos.last_move().is_some_and(has_promoted) {
        // It was a pawn before.
        format!("takes the new {name}")
    } else if wins(value(victim)) {
        format!("wins the {name}")
    } else if wins(WINS_MATERIAL) {
        format!("wins material: takes the {name} with the {}", own.name())
    } else if own == victim {
        format!("trades {name}s")
    } else if wins(-WINS_MATERIAL) {
        format!("trades the {} for the {name}", own.name())
    } else {
        let own = own.name();
        match price(pos, mv) {
            Price::Mover => format!("sacrifices the {own} for the {name}"),
            Price::Offered(at) => format!("offers the {} on {at}", kind_at(pos, at).name()),
            Price::WonBack => format!("takes the {name} with the {own}"),
        }
    })
}

/// What a capture that explodes takes with it.
fn explosion<V: CoachRules>(pos: &Position<V>, mv: Move) -> Option<String> {
    if !V::CAPTURES_EXPLODE || !mv.is_capture() {
        return None;
    }
    let trade = LineOfPlay::of_good(pos, &[mv])?.exchanged(1, 1)?;
    (!trade.won.is_empty()).then(|| format!("blows up {trade}"))
}

/// What a move means where captures are compulsory.
fn compulsion<V: CoachRules>(pos: &Position<V>, after: &Position<V>, mv: Move) -> Option<String> {
    let replies = after.legal_moves();
    if !replies.is_empty() && replies.iter().all(|reply| reply.is_capture()) {
        return Some(match replies.iter().all(|reply| reply.to() == mv.to()) {
            true => {
                format!("gives away the {}, which must be captured", kind_at(after, mv.to()).name())
            }
            false => "forces a capture".to_owned(),
        });
    }
    (mv.is_capture() && pos.count_legal_moves() == 1)
        .then(|| "is the only capture, and compulsory".to_owned())
}

/// Can the other side win the piece on a square?
fn is_loose<V: CoachRules>(pos: &Position<V>, square: Square) -> bool {
    pos.piece_at(square)
        .is_some_and(|piece| Siege::of(pos, square).is_loose(piece.color(), piece.kind()))
}

/// The enemy men that the moved man attacks and that it would win, unguarded pawns among them.
fn attack<V: CoachRules>(
    pos: &Position<V>,
    after: &Position<V>,
    us: Color,
    mv: Move,
) -> Option<String> {
    let is_prize = |at: Square| {
        attacks_prize(after, mv.to(), at)
            || attacks(after, mv.to(), at)
                && is_free_to_take(after, mv.to(), at)
                && !after.is_attacked(at, !us)
    };
    // In check, the other side cannot pass. A game may forbid a capture.
    let next = passed(after).map(|next| next.legal_moves());
    let takes =
        |next: &Move, at: Square| next.is_capture() && next.from() == mv.to() && next.to() == at;
    let may_take =
        |at: Square| next.as_ref().is_none_or(|moves| moves.iter().any(|next| takes(next, at)));
    let mut targets: Vec<PieceKind> = after
        .all_pieces(!us)
        // It is no news if the piece has attacked it before.
        .filter(|&(at, _)| {
            is_prize(at)
                && may_take(at)
                && !pos.origin(mv).is_some_and(|from| attacks(pos, from, at))
        })
        .map(|(_, kind)| kind)
        .collect();
    targets.sort();
    targets.reverse();
    match targets[..] {
        [] | [PieceKind::King] => None,
        [one] => Some(format!("attacks the {}", one.name())),
        [PieceKind::King, one, ..] | [one, _, ..] if can_be_exchanged(after, mv.to()) => {
            Some(format!("attacks the {}", one.name()))
        }
        [one, two, ..] if one == two => Some(format!("forks two {}s", one.name())),
        [one, two, ..] => Some(format!("forks the {} and the {}", one.name(), two.name())),
    }
}

/// Can the side to move take the man on this square without losing clearly more for it?
fn can_be_exchanged<V: CoachRules>(after: &Position<V>, at: Square) -> bool {
    let replies = after.legal_moves();
    let takes = |reply: &Move| reply.is_capture() && reply.victim_square() == at;
    replies.iter().any(|&reply| takes(&reply) && gains_at_least(after, reply, -WINS_MATERIAL))
}

/// An own piece that was likely lost and no longer is, besides the one that moved, even if that is taken.
fn guards<V: CoachRules>(
    pos: &Position<V>,
    after: &Position<V>,
    us: Color,
    mv: Move,
) -> Option<String> {
    let is_mover_loose = is_loose(after, mv.to());
    let rescued = pos
        .all_pieces(us)
        .filter(|&(at, kind)| Some(at) != pos.origin(mv) && kind != PieceKind::King)
        .filter(|&(at, _)| is_loose(pos, at) && !is_loose(after, at))
        .filter(|&(at, _)| !is_mover_loose || !is_loose_without(after, mv.to(), at))
        .max_by_key(|(_, kind)| kind.index());
    rescued
        .map(|(at, kind)| format!("{} the {} on {at}", rescues([pos, after], at, us), kind.name()))
}

/// Is a piece likely lost after a capture of the one that has moved?
fn is_loose_without<V: CoachRules>(after: &Position<V>, mover: Square, square: Square) -> bool {
    let replies = after.legal_moves();
    replies
        .iter()
        .filter(|reply| reply.is_capture() && reply.to() == mover)
        .any(|&reply| is_loose(&after.after(reply), square))
}

/// What a quiet move does for the position, in the words of textbooks.
fn positional<V: CoachRules>(pos: &Position<V>, us: Color, mv: Move) -> Option<String> {
    let (from, to) = (pos.origin(mv)?, mv.to());
    let (home, kind) = (V::looks_from(us).back_rank(), kind_at(pos, from));
    let has_pawn = |file, side| pos.pieces(side, PieceKind::Pawn).any(|at| at.file() == file);
    let has_pawns = Color::ALL.iter().any(|&side| pos.count(side, PieceKind::Pawn) > 0);
    match kind {
        PieceKind::Knight | PieceKind::Bishop if from.rank() == home && to.rank() != home => {
            Some(format!("develops the {}", kind.name()))
        }
        PieceKind::Rook if has_pawns && from.file() != to.file() && !has_pawn(to.file(), us) => {
            let half = if has_pawn(to.file(), !us) { "half-open" } else { "open" };
            Some(format!("takes the {half} {}-file", char::from(b'a' + to.file())))
        }
        PieceKind::Pawn if is_passed(pos, us, from) => Some("pushes the passed pawn".to_owned()),
        _ => None,
    }
}

/// Can no enemy pawn stop this pawn or take it on its way?
fn is_passed<V: CoachRules>(pos: &Position<V>, us: Color, pawn: Square) -> bool {
    let ahead = |at: Square| at.rank_for(us) > pawn.rank_for(us);
    let stops = |at: Square| ahead(at) && at.file().abs_diff(pawn.file()) <= 1;
    !pos.pieces(!us, PieceKind::Pawn).any(stops)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_move;
    use crate::variants::{Atomic, Horde, KingOfTheHill, RacingKings, Standard, ThreeCheck};

    fn why<V: CoachRules>(fen: &str, mv: &str, score: Option<Score>) -> String {
        let pos = Position::<V>::from_fen(fen).unwrap();
        reasons(&pos, parse_move(&pos, mv).unwrap(), score).join(", ")
    }

    #[test]
    fn endings_come_first() {
        let back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(why::<Standard>(back_rank, "Ra8#", None), "mates");
        let third = "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1";
        assert_eq!(why::<ThreeCheck>(third, "Ra8+", None), "gives third check");
        let hill = "4k3/8/8/8/8/3K4/8/8 w - - 0 1";
        assert_eq!(why::<KingOfTheHill>(hill, "Kd4", None), "reaches the hill");
        let race = "8/6K1/3k4/8/8/8/1rbnNBR1/qrbnNBRQ w - - 0 1";
        assert_eq!(why::<RacingKings>(race, "Kh8", None), "reaches the eighth rank");
        let followed = "6K1/4k3/8/8/8/8/1rbnNBR1/qrbnNBRQ b - - 0 1";
        assert_eq!(why::<RacingKings>(followed, "Kd8", None), "ends the game as a draw");
        assert_eq!(why::<RacingKings>(followed, "Kd6", None), "loses the game");
        let last_man = "4k3/8/8/8/8/8/r7/P7 b - - 0 1";
        assert_eq!(why::<Horde>(last_man, "Rxa1", None), "takes the whole horde");
        let soon = Some(Score::win_in(3));
        assert_eq!(why::<Standard>("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "Kg6", soon), "wins in 2");
    }

    #[test]
    fn what_explodes_neither_promotes_nor_develops() {
        let promotes = "rn2k3/1P5p/7p/8/8/7P/5P1P/6K1 w - - 0 1";
        let said = why::<Atomic>(promotes, "bxa8=Q", None);
        assert_eq!(said, "blows up a rook and a knight for a pawn");
        let exchange = "7k/p7/3r4/8/4N3/8/7P/K7 w - - 0 1";
        assert_eq!(why::<Atomic>(exchange, "Nxd6", None), "blows up a rook for a knight");
        let even = "rnbqkbnr/ppp1pppp/3p4/8/6N1/8/PPPPPPPP/RNBQKB1R b KQkq - 0 2";
        assert_eq!(why::<Atomic>(even, "Bxg4", None), "");
    }

    #[test]
    fn what_has_taken_as_much_is_taken_back() {
        let said = |fen: &str, taking: &str, back: &str| {
            let mut pos = Position::<Standard>::from_fen(fen).unwrap();
            pos.make_move(parse_move(&pos, taking).unwrap());
            reasons(&pos, parse_move(&pos, back).unwrap(), None).join(", ")
        };
        let scotch = "r1bqkbnr/pppp1ppp/2n5/8/3NP3/8/PPP2PPP/RNBQKB1R b KQkq - 0 4";
        assert!(said(scotch, "Nxd4", "Qxd4").starts_with("takes the knight back"));
        let cheaper = "4k3/p7/3p4/4N3/8/5N2/8/4R1K1 b - - 0 1";
        assert_eq!(said(cheaper, "dxe5", "Nxe5"), "takes the pawn back");
        let queen = "3qk3/p7/8/8/3P4/5N2/8/4K3 b - - 0 1";
        assert_eq!(said(queen, "Qxd4", "Nxd4"), "wins the queen");
        let promoted = "r7/1P4kp/8/8/8/5b2/7P/4K3 w - - 0 1";
        assert_eq!(said(promoted, "bxa8=Q", "Bxa8"), "takes the queen back");
        let walked = "8/P5kp/8/8/8/5b2/7P/4K3 w - - 0 1";
        assert_eq!(said(walked, "a8=Q", "Bxa8"), "takes the new queen");
    }

    #[test]
    fn a_piece_that_is_taken_back_saves_no_other() {
        let fen = "r2nk2r/5pb1/1P4p1/7p/PqP1P1b1/3Q2P1/5KP1/2R2B2 w k - 2+2 3 29";
        let said = why::<ThreeCheck>(fen, "Qxd8+", None);
        assert!(!said.contains("b6"), "{said}");
        // The attacker is taken, whoever takes back.
        let attacker = "6k1/8/3p4/4n3/8/3Q1R2/8/4RK2 w - - 0 1";
        let said = why::<Standard>(attacker, "Rxe5", None);
        assert!(said.contains("saves the queen on d3"), "{said}");
    }

    #[test]
    fn a_game_without_pawns_has_no_open_files() {
        let race = "8/8/8/8/8/k7/6RK/q7 w - - 0 1";
        assert!(!why::<RacingKings>(race, "Rd2", None).contains("file"));
        let race = "8/8/8/8/8/8/k5KR/qn6 b - - 0 1";
        assert_eq!(why::<RacingKings>(race, "Nc3", None), "develops the knight");
    }

    #[test]
    fn a_capture_that_would_give_check_threatens_and_takes_back_nothing() {
        let trade = "3r4/8/8/k7/8/3n2K1/8/1B6 w - - 0 1";
        assert_eq!(why::<RacingKings>(trade, "Bxd3", None), "wins the knight");
        let attack = "8/8/8/8/8/k1q1B3/8/1R4K1 w - - 0 1";
        assert_eq!(why::<RacingKings>(attack, "Rc1", None), "");
        // Here it gives no check.
        let attack = "8/8/8/8/k7/2q1B3/8/1R4K1 w - - 0 1";
        assert_eq!(why::<RacingKings>(attack, "Rc1", None), "attacks the queen");
    }

    #[test]
    fn tactics_are_named() {
        let second = "4k3/8/8/8/8/8/8/R3K3 w - - 2+3 0 1";
        assert_eq!(why::<ThreeCheck>(second, "Ra8+", None), "gives the second check");
        let mut wrong = Vec::new();
        for (fen, mv, words) in [
            (
                "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1",
                "Nc7+",
                "gives check, forks the king and the rook",
            ),
            ("4k3/p7/8/3q4/8/2N5/8/4K3 w - - 0 1", "Nxd5", "wins the queen"),
            // The pawn that protects is pinned.
            ("4k3/8/4p3/3p4/8/2N5/8/4RK2 w - - 0 1", "Nxd5", "wins the pawn"),
            // Only the king attacks the knight, which a pawn guards.
            ("8/8/4k3/3N4/2P5/8/8/4K3 w - - 0 1", "Nb4", ""),
            // The bishop is pinned, also where it goes.
            ("4k3/8/5r2/8/1b6/8/1P1B4/4K3 w - - 0 1", "Bc3", ""),
            ("4k3/p7/3p4/4n3/8/5N2/8/4K3 w - - 0 1", "Nxe5", "trades knights"),
            ("4k3/p7/3p4/4p3/8/5N2/8/4K3 w - - 0 1", "Nxe5", "sacrifices the knight for the pawn"),
            // The pawn cannot take back, because the rook gives check.
            ("3qk3/1p3ppp/2p5/4N3/8/8/5PPP/4R1K1 w - - 0 1", "Nxc6+", "gives check, wins the pawn"),
            (
                "rn1qkbnr/ppp2p1p/3p2p1/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5",
                "Nxe5",
                "offers the queen on d1",
            ),
            // The king that takes back leaves the queen alone.
            (
                "r1bqkb1r/4pp1p/p1p2np1/4p3/P1B5/2N5/1PP2PPP/R1BQK2R w KQkq - 0 10",
                "Bxf7+",
                "gives check, takes the pawn with the bishop",
            ),
            (
                "4k3/p7/3p4/4r3/8/5N2/8/3K4 w - - 0 1",
                "Nxe5",
                "wins material: takes the rook with the knight",
            ),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+", "gives check, promotes to a queen"),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castles"),
            ("4k3/4p3/8/8/8/8/4P3/1N2K3 w - - 0 1", "Nc3", "develops the knight"),
            ("4k3/4p3/8/8/8/8/P3P3/R3K3 w - - 0 1", "Rd1", "takes the open d-file"),
            ("4k3/3pp3/8/8/8/8/P3P3/R3K3 w - - 0 1", "Rb1", "takes the open b-file"),
            ("4k3/3pp3/8/8/8/8/P3P3/R3K3 w - - 0 1", "Rd1", "takes the half-open d-file"),
            ("4k3/1p2p3/8/8/8/8/P3P3/R3K3 w - - 0 1", "Rc1", "takes the open c-file"),
            ("4k3/4p3/8/8/P7/8/4P3/4K3 w - - 0 1", "a5", "pushes the passed pawn"),
            ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", "e4", ""),
            ("4k3/8/8/4q3/8/8/3P4/4K3 w - - 0 1", "Kd1", "gets out of check"),
            ("4k3/8/8/4p3/3N4/8/8/4K3 w - - 0 1", "Nf3", "attacks the pawn, saves the knight"),
            ("4k3/p7/8/3q4/8/1P6/2P5/4K3 w - - 0 1", "c4", "attacks the queen"),
            ("6k1/8/8/1p3p2/8/8/8/3R2K1 w - - 0 1", "Rd5", "forks two pawns"),
            // The other knight takes it.
            ("6k1/2r4p/5n2/8/2P5/2N5/6PP/6K1 w - - 0 1", "Nd5", "attacks the rook"),
            ("6k1/8/3n1n2/8/4P3/8/8/6K1 w - - 0 1", "e5", "forks two knights, saves the pawn"),
            // A king takes nothing that is protected.
            ("4k3/8/3p4/4n3/8/4K3/8/8 w - - 0 1", "Ke4", ""),
            ("4k3/8/8/8/r2N4/8/8/2B1K3 w - - 0 1", "Be3", "protects the knight on d4"),
            // Two attackers and one defender.
            ("4k3/3n4/2n5/4N3/8/3P1N2/8/4K3 w - - 0 1", "d4", "protects the knight on e5"),
            // The pawn that attacks the knight is pinned, and the queen would be lost for it.
            ("8/4q3/1k1p3R/4N3/3P4/8/8/6K1 w - - 0 1", "Nf3", ""),
        ] {
            let said = why::<Standard>(fen, mv, None);
            if said != words {
                wrong.push((fen, mv, said));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
