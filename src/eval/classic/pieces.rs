//! Knights, bishops, rooks and queens: squares, mobility, files, outposts, threats.
//!
//! The rays of each piece are walked once. The walk counts mobility and marks the attack map, which
//! threats and king danger read later. Pawns must be marked before, because mobility counts safe
//! squares only.

use super::attacks::{self, AttackMap, MINOR, PAWN, ROOK};
use super::pawn_facts::PawnFacts;
use super::tapered::Tapered;
use super::terms::{
    BISHOP_PAIR, BISHOP_PAWNS, CENTRE, MOBILITY_BISHOP, MOBILITY_KNIGHT, MOBILITY_QUEEN,
    MOBILITY_ROOK, OUTPOST, QUEEN_FILE, ROOK_FILE, THREAT_BY_MINOR, THREAT_BY_PAWN, THREAT_BY_ROOK,
    THREAT_TO_LOOSE, TROPISM_BISHOP, TROPISM_KNIGHT, TROPISM_QUEEN, TROPISM_ROOK, Term,
};
use super::view::{Recorder, View};
use crate::board::bitboards::Squares;
use crate::board::{Position, Rules};
use crate::types::{Cell, Color, PieceKind, Square, Step};

/// Adds up the terms of a side's pieces and marks what they attack. The attacks of the pawns and
/// kings of both sides must be marked already.
pub fn activity<V: Rules, R: Recorder>(
    view: &mut View<V, R>,
    us: Color,
    facts: &PawnFacts,
    attacks: &mut [AttackMap; 2],
) -> Tapered {
    let pos = view.pos;
    let enemy_king = pos.anchor(!us);
    let [white, black] = attacks;
    let (own, enemy) = match us {
        Color::White => (white, &*black),
        Color::Black => (black, &*white),
    };
    let mut sum = Tapered::ZERO;
    let mut add_piece = |view: &mut View<V, R>, kind, sq: Square, mobility: Term, tropism: Term| {
        let walk = Walk { pos, us, own: &mut *own, enemy, bit: attacks::bit(kind) };
        let reach = match kind {
            PieceKind::Knight => walk.leap(sq),
            PieceKind::Bishop => walk.slide(sq, Step::BISHOP),
            PieceKind::Rook => walk.slide(sq, Step::ROOK),
            _ => walk.slide(sq, Step::ROYAL),
        };
        sum += view.piece_square(us, kind, sq);
        sum += view.add(us, mobility.at(reach), 1);
        if V::is_royal(!us) {
            sum += view.add(us, tropism.at(sq.distance(enemy_king) as usize - 1), 1);
        }
    };

    for sq in pos.pieces(us, PieceKind::Knight) {
        add_piece(view, PieceKind::Knight, sq, MOBILITY_KNIGHT, TROPISM_KNIGHT);
    }
    for sq in pos.pieces(us, PieceKind::Bishop) {
        add_piece(view, PieceKind::Bishop, sq, MOBILITY_BISHOP, TROPISM_BISHOP);
    }
    for sq in pos.pieces(us, PieceKind::Rook) {
        add_piece(view, PieceKind::Rook, sq, MOBILITY_ROOK, TROPISM_ROOK);
    }
    for sq in pos.pieces(us, PieceKind::Queen) {
        add_piece(view, PieceKind::Queen, sq, MOBILITY_QUEEN, TROPISM_QUEEN);
    }
    sum + minors(view, us, facts, attacks) + majors(view, us, facts)
}

/// Walks the rays or leaps of one piece.
struct Walk<'a, V: Rules> {
    pos: &'a Position<V>,
    us: Color,
    own: &'a mut AttackMap,
    enemy: &'a AttackMap,
    bit: u8,
}

impl<V: Rules> Walk<'_, V> {
    /// Marks an attacked square; 1 if no pawn guards it.
    #[inline(always)]
    fn visit(&mut self, sq: Square) -> usize {
        self.own.mark(sq, self.bit);
        usize::from(self.enemy.on(sq) & PAWN == 0)
    }

    #[inline(always)]
    fn leap(mut self, from: Square) -> usize {
        let mut reach = 0;
        for step in Step::KNIGHT {
            let cell = self.pos.cell(from + step);
            if cell != Cell::WALL {
                let unguarded = self.visit(from + step);
                reach += if cell.belongs_to(self.us) { 0 } else { unguarded };
            }
        }
        reach
    }

    #[inline(always)]
    fn slide<const N: usize>(mut self, from: Square, steps: [Step; N]) -> usize {
        let mut reach = 0;
        for step in steps {
            let mut sq = from + step;
            while self.pos.cell(sq).is_empty() {
                reach += self.visit(sq);
                sq = sq + step;
            }
            // The square may lie beside the board: marks there are never read.
            let unguarded = self.visit(sq);
            reach += if self.pos.cell(sq).belongs_to(!self.us) { unguarded } else { 0 };
        }
        reach
    }
}

/// The bishop pair, bishops behind their own pawns, minor pieces on outposts.
fn minors<V: Rules, R: Recorder>(
    view: &mut View<V, R>,
    us: Color,
    facts: &PawnFacts,
    attacks: &[AttackMap; 2],
) -> Tapered {
    let pos = view.pos;
    let mut sum = Tapered::ZERO;
    let bishops = pos.count(us, PieceKind::Bishop);
    if bishops >= 2 {
        sum += view.add(us, BISHOP_PAIR.at(0), 1);
    }
    if bishops > 0 {
        let light = facts.on_light(us);
        let dark = pos.count(us, PieceKind::Pawn) as i32 - light;
        for sq in pos.pieces(us, PieceKind::Bishop) {
            let pawns = if sq.is_light() { light } else { dark };
            sum += view.add(us, BISHOP_PAWNS.at(0), pawns);
        }
    }
    let is_outpost = |sq: Square| {
        let rank = sq.rank_for(us) as i8;
        (3..=5).contains(&rank)
            && attacks[us.index()].on(sq) & PAWN != 0
            && !facts.can_be_attacked(!us, sq.file(), rank)
    };
    for (index, kind) in [PieceKind::Knight, PieceKind::Bishop].into_iter().enumerate() {
        let count = pos.pieces(us, kind).filter(|&sq| is_outpost(sq)).count() as i32;
        sum += view.add(us, OUTPOST.at(index), count);
    }
    sum
}

/// Rooks and queens on files without pawns.
fn majors<V: Rules, R: Recorder>(view: &mut View<V, R>, us: Color, facts: &PawnFacts) -> Tapered {
    let pos = view.pos;
    let mut sum = Tapered::ZERO;
    for (kind, term) in [(PieceKind::Rook, ROOK_FILE), (PieceKind::Queen, QUEEN_FILE)] {
        for sq in pos.pieces(us, kind) {
            if !facts.has_pawn(us, sq.file()) {
                let half_open = usize::from(facts.has_pawn(!us, sq.file()));
                sum += view.add(us, term.at(half_open), 1);
            }
        }
    }
    sum
}

/// The enemy pieces that a side attacks.
pub fn threats<V: Rules, R: Recorder>(
    view: &mut View<V, R>,
    us: Color,
    attacks: &[AttackMap; 2],
) -> Tapered {
    let pos = view.pos;
    let (own, enemy) = (&attacks[us.index()], &attacks[(!us).index()]);
    let mut sum = Tapered::ZERO;
    for sq in Squares(pos.squares_of(!us)) {
        let by = own.on(sq);
        // Attacks on the king count as danger.
        let victim = pos.cell(sq).kind_index() - 1;
        if by == 0 || victim == PieceKind::King.index() - 1 {
            continue;
        }
        if by & PAWN != 0 && victim > 0 {
            sum += view.add(us, THREAT_BY_PAWN.at(victim - 1), 1);
        } else if by & MINOR != 0 {
            sum += view.add(us, THREAT_BY_MINOR.at(victim), 1);
        } else if by & ROOK != 0 {
            sum += view.add(us, THREAT_BY_ROOK.at(victim), 1);
        }
        if enemy.on(sq) == 0 {
            sum += view.add(us, THREAT_TO_LOOSE.at(victim), 1);
        }
    }
    sum
}

/// How many of the four central squares a side attacks.
pub fn centre<V: Rules, R: Recorder>(
    view: &mut View<V, R>,
    us: Color,
    attacks: &[AttackMap; 2],
) -> Tapered {
    const CENTRE_SQUARES: [Square; 4] =
        [Square::new(3, 3), Square::new(4, 3), Square::new(3, 4), Square::new(4, 4)];
    let count = CENTRE_SQUARES.iter().filter(|&&sq| attacks[us.index()].on(sq) != 0).count();
    view.add(us, CENTRE.at(0), count as i32)
}
