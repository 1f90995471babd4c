//! King safety: the pawns before the king, and the danger it is in.

use super::EvalRules;
use super::attacks::{AttackMap, BISHOP, KING, KNIGHT, KindCounts, PAWN, QUEEN, ROOK, forward};
use super::pawns::PawnFacts;
use super::tapered::Tapered;
use super::terms::{
    DANGER_BASE, DANGER_CHECK_BISHOP, DANGER_CHECK_KNIGHT, DANGER_CHECK_QUEEN, DANGER_CHECK_ROOK,
    DANGER_CHECK_UNSAFE, DANGER_DISCOVERED, DANGER_ESCAPE, DANGER_NO_QUEEN, DANGER_PINNED,
    DANGER_RING_BISHOP, DANGER_RING_KNIGHT, DANGER_RING_PAWN, DANGER_RING_QUEEN, DANGER_RING_ROOK,
    DANGER_RING_WEAK, DANGER_TO_MOVE, SHELTER, STORM, STORM_BLOCKED,
};
use super::trace::Sink;
use super::view::View;
use crate::board::{Position, Rules};
use crate::types::{Cell, Color, PieceKind, Square, Step};

/// The sum of dangers beyond which nothing gets worse, and what its square is divided by.
pub const DANGER_LIMIT: i32 = 1500;
pub const DANGER_DIVISOR: i32 = 1024;

/// What a king's owner loses for the sum of dangers.
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

/// Marks the squares that a side's king attacks.
pub fn mark_attacks<R: Rules>(pos: &Position<R>, us: Color, attacks: &mut AttackMap) {
    for step in Step::ROYAL {
        attacks.mark(pos.king(us) + step, KING);
    }
}

/// The pawns of both sides on the king's files.
pub fn shelter<R: Rules, S: Sink>(view: &mut View<R, S>, us: Color, facts: &PawnFacts) -> Tapered {
    let king = view.pos.king(us);
    let king_rank = king.rank_for(us) as i8;
    let middle = king.file().clamp(1, 6);
    let mut sum = Tapered::ZERO;
    for file in middle - 1..=middle + 1 {
        // A pawn behind the king is no shelter; a front pawn before it still is one.
        let own = [facts.rear_rank(us, file), facts.front_rank(us, file)];
        let own = own.into_iter().flatten().find(|rank| *rank >= king_rank);
        let enemy = facts.front_rank(!us, file).map(|rank| 7 - rank);
        let enemy = enemy.filter(|rank| *rank >= king_rank);
        let row = 7 * usize::from(file.min(7 - file));
        let index = |rank: Option<i8>| row + rank.map_or(0, |rank| rank as usize);
        sum += view.worth(us, SHELTER.at(index(own)), 1);
        sum += view.worth(us, STORM.at(index(enemy)), 1);
        if let (Some(own), Some(enemy)) = (own, enemy)
            && enemy == own + 1
        {
            sum += view.worth(us, STORM_BLOCKED.at(enemy as usize - 1), 1);
        }
    }
    sum
}

/// What the attack on its king costs a side.
pub fn danger<V: EvalRules, S: Sink>(
    view: &mut View<V, S>,
    us: Color,
    attacks: &[AttackMap; 2],
) -> Tapered {
    let pos = view.pos;
    let them = !us;
    let stage = V::stage(pos.state(), them);
    let siege = Siege {
        pos,
        us,
        king: pos.king(us),
        own: &attacks[us.index()],
        enemy: &attacks[them.index()],
    };
    let mut sum = view.danger(us, DANGER_BASE.at(stage), 1);
    if pos.side_to_move() == them {
        sum += view.danger(us, DANGER_TO_MOVE.at(stage), 1);
    }
    if pos.count(them, PieceKind::Queen) == 0 {
        sum += view.danger(us, DANGER_NO_QUEEN.at(stage), 1);
    }

    let ring = siege.ring();
    for (kind, term) in [
        (PieceKind::Pawn, DANGER_RING_PAWN),
        (PieceKind::Knight, DANGER_RING_KNIGHT),
        (PieceKind::Bishop, DANGER_RING_BISHOP),
        (PieceKind::Rook, DANGER_RING_ROOK),
        (PieceKind::Queen, DANGER_RING_QUEEN),
    ] {
        sum += view.danger(us, term.at(stage), ring.attacked.of(kind));
    }
    sum += view.danger(us, DANGER_RING_WEAK.at(stage), ring.weak);
    sum += view.danger(us, DANGER_ESCAPE.at(stage), ring.escapes);

    let checks = siege.checks();
    for (kind, term) in [
        (PieceKind::Knight, DANGER_CHECK_KNIGHT),
        (PieceKind::Bishop, DANGER_CHECK_BISHOP),
        (PieceKind::Rook, DANGER_CHECK_ROOK),
        (PieceKind::Queen, DANGER_CHECK_QUEEN),
    ] {
        sum += view.danger(us, term.at(stage), checks.safe.of(kind));
    }
    sum += view.danger(us, DANGER_CHECK_UNSAFE.at(stage), checks.guarded);
    sum += view.danger(us, DANGER_DISCOVERED.at(stage), checks.discovered);
    sum += view.danger(us, DANGER_PINNED.at(stage), checks.pinned);
    penalty(sum)
}

/// A king of `us` and the attacks around it.
struct Siege<'a, R: Rules> {
    pos: &'a Position<R>,
    us: Color,
    king: Square,
    own: &'a AttackMap,
    enemy: &'a AttackMap,
}

/// The squares next to the king and the three beyond those in front of it.
#[derive(Default)]
struct Ring {
    attacked: KindCounts,
    weak: i32,
    escapes: i32,
}

/// The ways to give check.
#[derive(Default)]
struct Checks {
    safe: KindCounts,
    guarded: i32,
    discovered: i32,
    pinned: i32,
}

impl<R: Rules> Siege<'_, R> {
    #[inline(always)]
    fn ring(&self) -> Ring {
        let mut ring = Ring::default();
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
        let ahead = forward(self.us);
        for side in [Step::WEST, Step::NONE, Step::EAST] {
            let sq = self.king + ahead + ahead + side;
            if sq.is_on_board() {
                ring.attacked.add(self.enemy.on(sq));
            }
        }
        ring
    }

    #[inline(always)]
    fn checks(&self) -> Checks {
        let mut checks = Checks::default();
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
            // Behind the first piece on the line: does a slider wait there?
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

    /// Counts the kinds of pieces that can check from this square.
    #[inline(always)]
    fn add_check(&self, checks: &mut Checks, sq: Square, kinds: u8) {
        let attackers = self.enemy.on(sq);
        if attackers & kinds == 0 {
            return;
        }
        let guards = self.own.on(sq);
        if guards == 0 || guards == KING && self.pos.is_attacked_twice(sq, !self.us) {
            checks.safe.add(attackers & kinds);
        } else {
            checks.guarded += 1;
        }
    }
}
