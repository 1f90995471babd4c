//! King danger: how much an attack on the king weighs.
//!
//! The dangers are added up, and the sum counts by its square: two attackers are worth more than
//! twice one. It is the only part of the evaluation that is not linear in its weights. It reads the
//! complete attack maps of both sides and marks nothing.

use super::attacks::{AttackMap, BISHOP, KING, KNIGHT, KindCounts, PAWN, QUEEN, ROOK, bit};
use super::tapered::Tapered;
use super::terms::{
    DANGER_BASE, DANGER_CHECK_BISHOP, DANGER_CHECK_KNIGHT, DANGER_CHECK_QUEEN, DANGER_CHECK_ROOK,
    DANGER_CHECK_UNSAFE, DANGER_DISCOVERED, DANGER_ESCAPE, DANGER_NO_QUEEN, DANGER_PINNED,
    DANGER_RING_BISHOP, DANGER_RING_KNIGHT, DANGER_RING_PAWN, DANGER_RING_QUEEN, DANGER_RING_ROOK,
    DANGER_RING_WEAK, DANGER_TO_MOVE, extra_index,
};
use super::view::{Recorder, View};
use crate::board::{Position, Rules};
use crate::eval::rules::EvalRules;
use crate::types::{Cell, Color, PieceKind, Square, Step};

/// A greater sum of dangers counts as this.
pub const DANGER_LIMIT: i32 = 1500;
/// Divides the square of the sum to give centipawns.
pub const DANGER_DIVISOR: i32 = 1024;

/// The centipawns that a sum of dangers costs.
#[inline(always)]
pub const fn penalty(danger: Tapered) -> Tapered {
    const fn square(danger: i32) -> i32 {
        let danger = if danger < 0 {
            0
        } else if danger > DANGER_LIMIT {
            DANGER_LIMIT
        } else {
            danger
        };
        danger * danger / DANGER_DIVISOR
    }
    Tapered::new(square(danger.middle()), square(danger.end()))
}

/// What the attack on its king costs a side.
pub fn king_danger<V: EvalRules, R: Recorder>(
    view: &mut View<V, R>,
    us: Color,
    attacks: &[AttackMap; 2],
) -> Tapered {
    if !V::is_royal(us) {
        return Tapered::ZERO;
    }
    let pos = view.pos;
    let them = !us;
    let level = V::race_level(pos.state(), them);
    let attack = KingAttack {
        pos,
        us,
        king: pos.king(us),
        own: &attacks[us.index()],
        enemy: &attacks[them.index()],
        in_hand: kinds_in_hand(pos, them),
    };
    let mut sum = view.add_danger(us, DANGER_BASE.at(level), 1);
    if pos.side_to_move() == them {
        sum += view.add_danger(us, DANGER_TO_MOVE.at(level), 1);
    }
    if pos.count(them, PieceKind::Queen) == 0 && attack.in_hand & QUEEN == 0 {
        sum += view.add_danger(us, DANGER_NO_QUEEN.at(level), 1);
    }

    let ring = attack.ring();
    for (kind, term) in [
        (PieceKind::Pawn, DANGER_RING_PAWN),
        (PieceKind::Knight, DANGER_RING_KNIGHT),
        (PieceKind::Bishop, DANGER_RING_BISHOP),
        (PieceKind::Rook, DANGER_RING_ROOK),
        (PieceKind::Queen, DANGER_RING_QUEEN),
    ] {
        sum += view.add_danger(us, term.at(level), ring.attacked.of(kind));
    }
    sum += view.add_danger(us, DANGER_RING_WEAK.at(level), ring.weak);
    sum += view.add_danger(us, DANGER_ESCAPE.at(level), ring.escapes);

    let checks = attack.checks();
    for (kind, term) in [
        (PieceKind::Knight, DANGER_CHECK_KNIGHT),
        (PieceKind::Bishop, DANGER_CHECK_BISHOP),
        (PieceKind::Rook, DANGER_CHECK_ROOK),
        (PieceKind::Queen, DANGER_CHECK_QUEEN),
    ] {
        sum += view.add_danger(us, term.at(level), checks.safe.of(kind));
    }
    sum += view.add_danger(us, DANGER_CHECK_UNSAFE.at(level), checks.guarded);
    sum += view.add_danger(us, DANGER_DISCOVERED.at(level), checks.discovered);
    sum += view.add_danger(us, DANGER_PINNED.at(level), checks.pinned);
    V::count_extra_dangers(pos, us, &mut |term, index, count| {
        sum += view.add_danger(us, extra_index::<V>(term, index), count);
    });
    penalty(sum)
}

/// The bits of the kinds of pieces that a side can drop, pawns left out.
#[inline(always)]
fn kinds_in_hand<V: Rules>(pos: &Position<V>, us: Color) -> u8 {
    let Some(hands) = pos.hands() else { return 0 };
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]
        .into_iter()
        .filter(|&kind| hands.count(us, kind) > 0)
        .fold(0, |bits, kind| bits | bit(kind))
}

/// The attack on the king of `us`.
struct KingAttack<'a, V: Rules> {
    pos: &'a Position<V>,
    us: Color,
    king: Square,
    /// What the king's side attacks.
    own: &'a AttackMap,
    /// What the attacker attacks.
    enemy: &'a AttackMap,
    /// The bits of the kinds that the attacker can drop, pawns left out.
    in_hand: u8,
}

/// Attacks on the king's ring: the squares next to the king, and the three squares beyond those in
/// front of it.
#[derive(Default)]
struct RingAttacks {
    /// By kind: the squares that such a piece attacks.
    attacked: KindCounts,
    /// Attacked squares that only the queen, the king or nothing defends.
    weak: i32,
    /// Squares to which the king may go.
    escapes: i32,
}

/// The ways to check the king.
#[derive(Default)]
struct CheckThreats {
    /// By kind: the squares from which such a piece can check without being taken.
    safe: KindCounts,
    /// The squares from which a checking piece could be taken.
    guarded: i32,
    /// The attacker's pieces that give a discovered check when they move.
    discovered: i32,
    /// The defender's pieces that are pinned to the king.
    pinned: i32,
}

impl<V: Rules> KingAttack<'_, V> {
    #[inline(always)]
    fn ring(&self) -> RingAttacks {
        let mut ring = RingAttacks::default();
        for step in Step::ROYAL {
            let sq = self.king + step;
            let cell = self.pos.cell(sq);
            if cell == Cell::WALL {
                continue;
            }
            let attackers = self.enemy.on(sq);
            ring.attacked.add(attackers);
            if attackers == 0 {
                ring.escapes += i32::from(!cell.belongs_to(self.us));
            } else {
                let solid = self.own.on(sq) & (PAWN | KNIGHT | BISHOP | ROOK) != 0;
                ring.weak += i32::from(!solid);
            }
        }
        let ahead = self.us.forward();
        for side in [Step::WEST, Step::NONE, Step::EAST] {
            let sq = self.king + ahead + ahead + side;
            if sq.is_on_board() {
                ring.attacked.add(self.enemy.on(sq));
            }
        }
        ring
    }

    #[inline(always)]
    fn checks(&self) -> CheckThreats {
        let mut checks = CheckThreats::default();
        for (number, step) in Step::ROYAL.into_iter().enumerate() {
            let line = if number < 4 { ROOK | QUEEN } else { BISHOP | QUEEN };
            let mut sq = self.king + step;
            let mut cell = self.pos.cell(sq);
            while cell.is_empty() {
                self.add_check(&mut checks, sq, line);
                sq = sq + step;
                cell = self.pos.cell(sq);
            }
            if cell == Cell::WALL {
                continue;
            }
            let is_own = cell.belongs_to(self.us);
            if is_own {
                self.add_check(&mut checks, sq, line);
            }
            // Does a slider stand behind the first piece on the line?
            let behind = self.pos.cell(self.pos.first_piece(sq, step));
            if behind.belongs_to(!self.us) && line & 1 << behind.kind_index() != 0 {
                if is_own {
                    checks.pinned += 1;
                } else {
                    checks.discovered += 1;
                }
            }
        }
        for step in Step::KNIGHT {
            let sq = self.king + step;
            let cell = self.pos.cell(sq);
            if cell != Cell::WALL && !cell.belongs_to(!self.us) {
                self.add_check(&mut checks, sq, KNIGHT);
            }
        }
        checks
    }

    /// Counts the checks that the attacker can give from this square with these kinds of pieces.
    #[inline(always)]
    fn add_check(&self, checks: &mut CheckThreats, sq: Square, kinds: u8) {
        let on_board = self.enemy.on(sq);
        let can_drop = V::HAS_DROPS && self.pos.cell(sq).is_empty() && self.in_hand & kinds != 0;
        let attackers = if can_drop { on_board | self.in_hand } else { on_board };
        if attackers & kinds == 0 {
            return;
        }
        let guards = self.own.on(sq);
        let is_supported = || can_drop && on_board != 0 || self.pos.is_attacked_twice(sq, !self.us);
        if guards == 0 || guards == KING && is_supported() {
            checks.safe.add(attackers & kinds);
        } else {
            checks.guarded += 1;
        }
    }
}
