//! What is in danger on a square: a man that can be won, a square that only the king protects, a check,
//! or the end of the game.
//!
//! Attackers and defenders are counted in the order in which they take, the cheapest first. Pieces behind
//! pieces of their own side take after those, pinned pieces count only along their pin.

use crate::board::attacks::{aims_at, is_slider, step_towards};
use crate::board::{Checks, Position, Rules};
use crate::search::SearchRules;
use crate::search::see::{self, VALUES};
use crate::types::{Color, Move, Piece, PieceKind, Square, Step};

/// What wins material, in centipawns: a pawn, or nearly one.
pub(super) const WINS_MATERIAL: i32 = 80;

/// Why a square is in danger, the least reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Danger {
    /// A side can give check there and is not simply taken.
    Check,
    /// A king near the goal would come nearer to it there, but the other side guards the square.
    Way,
    /// A man that goes there attacks two others that it could win.
    Fork,
    /// A man that goes there must be captured.
    Offer,
    /// A capture there is compulsory.
    Compelled,
    /// The king alone protects the man or the way into its position.
    OnlyKing,
    /// The man that stands there can be won.
    Loose,
    /// The king that stands there is in check.
    InCheck,
    /// A capture there blows up more than it costs.
    Explosion,
    /// A pawn can promote there.
    Promotion,
    /// A side can win the game there with one move.
    End,
}

/// A square with the men of both sides that can take there.
pub(super) struct Siege {
    /// For White and Black: the kinds of the men that can take on the square, in the order in which they take.
    men: [Vec<PieceKind>; 2],
}

impl Siege {
    pub(super) fn of<R: Rules>(pos: &Position<R>, square: Square) -> Siege {
        let men = Color::ALL.map(|us| order_of_taking(pos, us, square));
        Siege { men }
    }

    pub(super) fn men(&self, color: Color) -> &[PieceKind] {
        &self.men[color.index()]
    }

    /// Does the king alone protect the square for its side, and do at least `least` men of the other side
    /// attack it?
    pub(super) fn is_only_kings(&self, color: Color, least: usize) -> bool {
        self.men(color) == [PieceKind::King] && self.men(!color).len() >= least
    }

    /// Can the other side win a man of this kind and colour there?
    pub(super) fn is_loose(&self, color: Color, kind: PieceKind) -> bool {
        match kind {
            PieceKind::King => !self.men(!color).is_empty(),
            _ => exchange(kind, self.men(!color), self.men(color)) >= WINS_MATERIAL,
        }
    }
}

/// The kinds of the men of a side that can take on a square: at each time the cheapest one whose way is free then.
fn order_of_taking<R: Rules>(pos: &Position<R>, us: Color, square: Square) -> Vec<PieceKind> {
    let (mut kinds, mut gone) = (Vec::new(), Vec::new());
    let next = |gone: &[Square]| {
        let can_take = |&(from, _): &(Square, PieceKind)| {
            !gone.contains(&from)
                && reaches(pos, from, square, gone)
                && is_free_to_take(pos, from, square)
        };
        pos.all_pieces(us).filter(can_take).min_by_key(|&(_, kind)| kind)
    };
    while let Some((from, kind)) = next(&gone) {
        kinds.push(kind);
        gone.push(from);
    }
    kinds
}

/// What the attackers win at most by taking a man, if both sides take in this order and may stop at any time. In
/// centipawns, 0 or more. A king takes nothing that is protected.
fn exchange(victim: PieceKind, attackers: &[PieceKind], defenders: &[PieceKind]) -> i32 {
    match attackers.split_first() {
        None => 0,
        Some((PieceKind::King, _)) if !defenders.is_empty() => 0,
        Some((&first, rest)) => (VALUES[victim.index()] - exchange(first, defenders, rest)).max(0),
    }
}

/// Can the man on `from` take on `to` after the men on the squares of `gone` have taken there? Behind a pawn or a king
/// nobody counts.
fn reaches<R: Rules>(pos: &Position<R>, from: Square, to: Square, gone: &[Square]) -> bool {
    if from == to || !aims_at(pos.cell(from), from, to) {
        return false;
    }
    let step = step_towards(from, to);
    let mut way = std::iter::successors(Some(from + step), |&at| Some(at + step));
    way.by_ref().take_while(|&at| at != to).all(|at| {
        let cell = pos.cell(at);
        cell.is_empty() || is_slider(cell) && gone.contains(&at)
    })
}

/// The line through its own king on which a piece is pinned.
pub(super) fn pin<R: Rules>(pos: &Position<R>, us: Color, from: Square) -> Option<Step> {
    let king = pos.royal_king(us)?;
    let step = step_towards(king, from);
    if from == king || !Step::ROYAL.contains(&step) || pos.first_piece(king, step) != from {
        return None;
    }
    let pinner = pos.first_piece(from, step);
    let cell = pos.cell(pinner);
    let is_pin = cell.belongs_to(!us) && is_slider(cell) && aims_at(cell, pinner, king);
    is_pin.then_some(step)
}

/// What a side could do with its next move, and on which square; each once. It need not be that side's turn,
/// but then the other side must not be in check.
pub(super) fn dangers<R: SearchRules>(pos: &Position<R>, us: Color) -> Vec<(Square, Danger)> {
    let mut pos = pos.clone();
    if pos.variant_outcome().is_some() {
        return Vec::new();
    }
    if pos.side_to_move() != us {
        if pos.in_check() {
            return Vec::new();
        }
        pos.make_null_move();
    }
    let mut found = Vec::new();
    for &mv in pos.legal_moves().iter() {
        found.extend(danger_of(&mut pos, mv).map(|danger| (mv.to(), danger)));
    }
    found.sort();
    found.dedup();
    found
}

/// The greatest danger that a legal move is.
fn danger_of<R: SearchRules>(pos: &mut Position<R>, mv: Move) -> Option<Danger> {
    if ends_game(pos, mv) {
        return Some(Danger::End);
    }
    if R::MUST_CAPTURE {
        return compulsion(pos, mv);
    }
    if mv.is_castling() {
        return None;
    }
    if R::CAPTURES_EXPLODE {
        return match mv.is_noisy() {
            true if R::gain(pos, mv) < WINS_MATERIAL => None,
            true if mv.is_capture() => Some(Danger::Explosion),
            true => Some(Danger::Promotion),
            false => pos.gives_check(mv).then_some(Danger::Check),
        };
    }
    // After a discovered check, there is no time to take the man that has moved.
    let is_discovery = Checks::default().gives_discovered_check(pos, mv);
    let is_safe = is_discovery || see::gains_at_least(pos, mv, 0);
    if mv.is_promotion() && see::gains_at_least(pos, mv, WINS_MATERIAL) {
        Some(Danger::Promotion)
    } else if is_safe && is_fork(pos, mv) && (is_discovery || !is_taken_back(pos, mv)) {
        Some(Danger::Fork)
    } else {
        (is_safe && pos.gives_check(mv)).then_some(Danger::Check)
    }
}

/// Is a move a compulsory capture, or must the man that moves be captured?
fn compulsion<R: Rules>(pos: &mut Position<R>, mv: Move) -> Option<Danger> {
    if mv.is_capture() {
        return Some(Danger::Compelled);
    }
    pos.make_move(mv);
    let replies = pos.legal_moves();
    pos.unmake_move();
    let is_offer = replies.iter().all(|reply| reply.is_capture() && reply.to() == mv.to());
    (is_offer && !replies.is_empty()).then_some(Danger::Offer)
}

/// Is the man that takes won in turn?
fn is_taken_back<R: Rules>(pos: &Position<R>, mv: Move) -> bool {
    let taken = pos.piece_at(mv.victim_square()).filter(|_| mv.is_capture());
    let least = |piece: Piece| VALUES[piece.kind().index()] - WINS_MATERIAL + 1;
    taken.is_some_and(|piece| !see::gains_at_least(pos, mv, least(piece)))
}

/// Does the man that moves then attack two prizes of the other side? A discovered check attacks the king, too.
fn is_fork<R: Rules>(pos: &mut Position<R>, mv: Move) -> bool {
    let us = pos.side_to_move();
    let is_discovery = Checks::default().gives_discovered_check(pos, mv);
    pos.make_move(mv);
    let is_target = |&(at, kind): &(Square, PieceKind)| {
        kind == PieceKind::King && is_discovery || attacks_prize(pos, mv.to(), at)
    };
    let is_fork = pos.all_pieces(!us).filter(is_target).count() >= 2;
    pos.unmake_move();
    is_fork
}

/// Does the man on `from` attack something worth taking on `to`: the king, a dearer man, or an unprotected piece?
pub(super) fn attacks_prize<R: Rules>(pos: &Position<R>, from: Square, to: Square) -> bool {
    let [Some(own), Some(prize)] = [from, to].map(|at| pos.piece_at(at)) else { return false };
    let value = |piece: Piece| VALUES[piece.kind().index()];
    let is_worth = prize.kind() == PieceKind::King
        || value(prize) > value(own) && own.kind() != PieceKind::King
        || prize.kind() != PieceKind::Pawn && !pos.is_attacked(to, prize.color());
    let can_take = prize.kind() == PieceKind::King || is_free_to_take(pos, from, to);
    is_worth && can_take && attacks(pos, from, to)
}

/// Is the piece on `from` not pinned, or is it pinned on a line that goes through `to`?
pub(super) fn is_free_to_take<R: Rules>(pos: &Position<R>, from: Square, to: Square) -> bool {
    let Some(piece) = pos.piece_at(from) else { return false };
    let us = piece.color();
    pin(pos, us, from).is_none_or(|line| step_towards(pos.anchor(us), to) == line)
}

/// Does the piece on `from` attack `to`?
pub(super) fn attacks<R: Rules>(pos: &Position<R>, from: Square, to: Square) -> bool {
    from != to && aims_at(pos.cell(from), from, to) && pos.is_path_clear(from, to)
}

/// Does a legal move win the game?
fn ends_game<R: Rules>(pos: &mut Position<R>, mv: Move) -> bool {
    let us = pos.side_to_move();
    pos.make_move(mv);
    let is_won = match pos.variant_outcome() {
        Some(outcome) => outcome.winner == Some(us),
        None => {
            (pos.in_check() || R::stalemate(pos).winner == Some(us)) && pos.count_legal_moves() == 0
        }
    };
    pos.unmake_move();
    is_won
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{KingOfTheHill, Standard, ThreeCheck};

    fn square(name: &str) -> Square {
        Square::parse(name).unwrap()
    }

    #[test]
    fn the_cheapest_man_takes_first() {
        use PieceKind::{King, Knight, Pawn, Queen, Rook};
        assert_eq!(exchange(Knight, &[Rook], &[Pawn]), 0);
        assert_eq!(exchange(Knight, &[Pawn, Rook], &[Pawn]), 310 - 100 + 100);
        assert_eq!(exchange(Pawn, &[Rook, Queen], &[Rook]), 100);
        assert_eq!(exchange(Queen, &[King], &[King]), 0);
        assert_eq!(exchange(Queen, &[King], &[]), 950);
        assert_eq!(exchange(Pawn, &[Knight, Queen], &[King]), 100);
    }

    #[test]
    fn batteries_count_and_pinned_men_do_not() {
        let men = |fen: &str, at: &str, color| {
            let pos = Position::<Standard>::from_fen(fen).unwrap();
            Siege::of(&pos, square(at)).men(color).to_vec()
        };
        use PieceKind::{Queen, Rook};
        let battery = "4k3/8/8/8/8/8/Q7/R3K3 w - - 0 1";
        // The queen stands in front.
        assert_eq!(men(battery, "a7", Color::White), [Queen, Rook]);
        let apart = "4k3/6Q1/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(men(apart, "a7", Color::White), [Rook, Queen]);
        let pinned = "4k3/8/4r3/8/8/8/4R3/4K3 w - - 0 1";
        assert_eq!(men(pinned, "a2", Color::White), []);
        assert_eq!(men(pinned, "e4", Color::White), [Rook]);
    }

    #[test]
    fn a_queen_in_front_takes_before_what_stands_behind_it() {
        let is_loose = |fen: &str, at: &str| {
            let pos = Position::<Standard>::from_fen(fen).unwrap();
            let piece = pos.piece_at(square(at)).unwrap();
            Siege::of(&pos, square(at)).is_loose(piece.color(), piece.kind())
        };
        let diagonal = "6k1/5p1p/6p1/5n2/8/3Q4/2B2PPP/6K1 b - - 0 1";
        assert!(!is_loose(diagonal, "f5"));
        let file = "3r2k1/5ppp/8/3n4/8/3Q4/5PPP/3R2K1 b - - 0 1";
        assert!(!is_loose(file, "d5"));
        assert!(is_loose(&file.replace("3Q4/5PPP/3R2", "3R4/5PPP/3Q2"), "d5"));
    }

    #[test]
    fn the_ends_of_every_game_are_found() {
        fn ends<R: SearchRules>(fen: &str, us: Color) -> String {
            let pos = Position::<R>::from_fen(fen).unwrap();
            let ends = dangers(&pos, us).into_iter().filter(|(_, danger)| *danger == Danger::End);
            ends.map(|(at, _)| at.to_string()).collect::<Vec<_>>().join(" ")
        }
        let back_rank = "6k1/5ppp/8/8/8/8/8/R3K3 b - - 0 1";
        assert_eq!(ends::<Standard>(back_rank, Color::White), "a8");
        assert_eq!(ends::<Standard>(back_rank, Color::Black), "");
        let third = "4k3/8/8/8/8/8/8/R4K2 w - - 1+3 0 1";
        assert_eq!(ends::<ThreeCheck>(third, Color::White), "e1 a8");
        let hill = "4k3/8/8/8/8/3K4/8/8 w - - 0 1";
        assert_eq!(ends::<KingOfTheHill>(hill, Color::White), "d4 e4");
    }

    #[test]
    fn forks_checks_and_promotions_are_found() {
        let danger = |fen: &str, at: &str| {
            let pos = Position::<Standard>::from_fen(fen).unwrap();
            let found = dangers(&pos, Color::White);
            found.into_iter().filter(|(to, _)| *to == square(at)).map(|(_, danger)| danger).max()
        };
        let knight = "4k3/8/q7/3N4/8/8/8/4K3 w - - 0 1";
        assert_eq!(danger(knight, "c7"), Some(Danger::Fork));
        // The queen takes it.
        assert_eq!(danger(knight, "f6"), None);
        assert_eq!(danger("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a8"), Some(Danger::Check));
        // The queen takes the pawn on c7, which has only taken a pawn there.
        let taken = "rnbqk2r/ppp1ppbp/1P1p1n2/6p1/2P5/2N5/P2PPPPP/R1BQKBNR w KQkq - 1 6";
        assert_eq!(danger(taken, "c7"), None);
        let kept = "r3k3/2p5/8/1N6/8/8/8/4K3 w - - 0 1";
        assert_eq!(danger(kept, "c7"), Some(Danger::Fork));
        // The queen could take the knight there, but the rook gives check.
        let discovery = "4k3/8/3q4/4N3/8/8/8/K3R3 w - - 0 1";
        assert_eq!(danger(discovery, "c4"), Some(Danger::Fork));
        assert_eq!(danger("8/P5k1/8/8/8/8/6K1/8 w - - 0 1", "a8"), Some(Danger::Promotion));
    }
}
