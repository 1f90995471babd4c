//! What pawns and kings alone tell, remembered by their places, and the prospects of passed pawns.

use super::attacks::{AttackMap, PAWN, forward};
use super::king;
use super::tapered::Tapered;
use super::terms::{
    BACKWARD, DOUBLED, GUARDED, ISOLATED, PASSED, PASSED_BLOCKED, PASSED_CLEAR, PASSED_ENEMY_KING,
    PASSED_FREE, PASSED_OWN_KING, PASSED_UNSTOPPABLE, PHALANX, THREAT_BY_PUSH,
};
use super::trace::Sink;
use super::view::View;
use crate::board::{Position, Rules, zobrist};
use crate::types::{Color, Key, Piece, PieceKind, Square, Step};

/// What the pawns and the kings alone tell.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct PawnFacts {
    key: Key,
    /// The passed pawns of each side, as bits by [`Square::index64`].
    passed: [u64; 2],
    /// By side and file: the rank of the pawn farthest behind and farthest ahead, as its owner
    /// counts.
    rear: [[i8; 8]; 2],
    front: [[i8; 8]; 2],
    /// How many pawns of each side stand on light squares.
    light: [u8; 2],
    score: Tapered,
}

/// No pawn on the file: farther ahead than any pawn …
const NO_REAR: i8 = 9;
/// … or farther behind.
const NO_FRONT: i8 = -1;

impl PawnFacts {
    const EMPTY: PawnFacts = PawnFacts {
        key: Key::ZERO,
        passed: [0; 2],
        rear: [[NO_REAR; 8]; 2],
        front: [[NO_FRONT; 8]; 2],
        light: [0; 2],
        score: Tapered::ZERO,
    };

    /// The rank of a side's rearmost pawn on the file, 1 to 6 as it counts itself.
    #[inline(always)]
    pub fn rear_rank(&self, us: Color, file: u8) -> Option<i8> {
        let rank = self.rear[us.index()][file as usize & 7];
        (rank != NO_REAR).then_some(rank)
    }

    #[inline(always)]
    pub fn front_rank(&self, us: Color, file: u8) -> Option<i8> {
        let rank = self.front[us.index()][file as usize & 7];
        (rank != NO_FRONT).then_some(rank)
    }

    #[inline(always)]
    pub fn has_pawn(&self, us: Color, file: u8) -> bool {
        self.rear_rank(us, file).is_some()
    }

    /// How many of a side's pawns stand on light squares.
    #[inline(always)]
    pub fn on_light(&self, us: Color) -> i32 {
        i32::from(self.light[us.index()])
    }

    /// Pawn structure, the squares of pawns and kings, and the kings' shelter, White's less Black's.
    #[inline(always)]
    pub fn score(&self) -> Tapered {
        self.score
    }

    /// Can a pawn of `them` ever come to attack this square by going straight ahead? `rank` is the
    /// square's as its attacked side counts.
    pub fn can_be_attacked(&self, them: Color, file: u8, rank: i8) -> bool {
        neighbours(file).any(|file| 7 - self.rear[them.index()][file] > rank)
    }
}

/// The files beside a file.
#[inline(always)]
fn neighbours(file: u8) -> impl Iterator<Item = usize> {
    let file = usize::from(file);
    [file.wrapping_sub(1), file + 1].into_iter().filter(|file| *file < 8)
}

/// Remembers the facts by the key of the pawns and the kings.
pub struct PawnCache {
    facts: Vec<PawnFacts>,
}

impl PawnCache {
    const SIZE: usize = 4096;

    pub fn new() -> PawnCache {
        PawnCache { facts: vec![PawnFacts::EMPTY; PawnCache::SIZE] }
    }

    pub fn probe<R: Rules, S: Sink>(&mut self, view: &mut View<R, S>) -> PawnFacts {
        let key = key_of(view.pos);
        let slot = &mut self.facts[key.bits() as usize % PawnCache::SIZE];
        if slot.key != key {
            *slot = study(view);
        }
        *slot
    }
}

/// The key of the pawns and the kings.
fn key_of<R: Rules>(pos: &Position<R>) -> Key {
    let king = |us| zobrist::piece(Piece::new(us, PieceKind::King), pos.king(us));
    pos.pawn_key() ^ king(Color::White) ^ king(Color::Black)
}

/// Reads the facts off the board.
pub fn study<R: Rules, S: Sink>(view: &mut View<R, S>) -> PawnFacts {
    let pos = view.pos;
    let mut facts = PawnFacts { key: key_of(pos), ..PawnFacts::EMPTY };
    for us in Color::ALL {
        for sq in pos.pieces(us, PieceKind::Pawn) {
            let rank = sq.rank_for(us) as i8;
            let rear = &mut facts.rear[us.index()][sq.file() as usize];
            *rear = rank.min(*rear);
            let front = &mut facts.front[us.index()][sq.file() as usize];
            *front = rank.max(*front);
            facts.light[us.index()] += u8::from(sq.is_light());
        }
    }
    let [white, black] = Color::ALL.map(|us| {
        let squares = view.piece_square(us, PieceKind::King, pos.king(us));
        squares + structure(view, us, &mut facts) + king::shelter(view, us, &facts)
    });
    facts.score = white - black;
    facts
}

/// Judges each pawn of a side by its neighbours, and notes the passed ones.
fn structure<R: Rules, S: Sink>(
    view: &mut View<R, S>,
    us: Color,
    facts: &mut PawnFacts,
) -> Tapered {
    let pos = view.pos;
    let (them, ahead) = (!us, forward(us));
    let is_pawn = |sq: Square, color: Color| pos.cell(sq).holds(color, PieceKind::Pawn);
    let own_rear = facts.rear[us.index()];
    let enemy_rear = facts.rear[them.index()];
    let mut sum = Tapered::ZERO;
    for sq in pos.pieces(us, PieceKind::Pawn) {
        let (file, rank) = (sq.file(), sq.rank_for(us) as i8);
        let by_rank = rank as usize - 1;
        let is_before = |file: usize| 7 - enemy_rear[file] > rank;
        let opposed = is_before(file.into());
        let open = usize::from(!opposed);
        sum += view.piece_square(us, PieceKind::Pawn, sq);

        if is_pawn(sq + Step::EAST, us) || is_pawn(sq + Step::WEST, us) {
            sum += view.worth(us, PHALANX.at(by_rank), 1);
        }
        if is_pawn(sq + -ahead + Step::EAST, us) || is_pawn(sq + -ahead + Step::WEST, us) {
            sum += view.worth(us, GUARDED.at(by_rank), 1);
        }
        if own_rear[file as usize] < rank {
            sum += view.worth(us, DOUBLED.at(0), 1);
        }
        let stop = sq + ahead;
        if neighbours(file).all(|file| own_rear[file] == NO_REAR) {
            sum += view.worth(us, ISOLATED.at(open), 1);
        } else if neighbours(file).all(|file| own_rear[file] > rank)
            && (is_pawn(stop + ahead + Step::EAST, them)
                || is_pawn(stop + ahead + Step::WEST, them))
        {
            sum += view.worth(us, BACKWARD.at(open), 1);
        }
        let leads = facts.front[us.index()][file as usize] == rank;
        if leads && !opposed && !neighbours(file).any(is_before) {
            facts.passed[us.index()] |= 1 << sq.index64();
            sum += view.worth(us, PASSED.at(by_rank), 1);
        }
    }
    sum
}

/// How far a side's passed pawns will get.
pub fn passed<R: Rules, S: Sink>(
    view: &mut View<R, S>,
    us: Color,
    facts: &PawnFacts,
    attacks: &[AttackMap; 2],
) -> Tapered {
    let pos = view.pos;
    let (them, ahead) = (!us, forward(us));
    let enemy_attacks = &attacks[them.index()];
    let mut sum = Tapered::ZERO;
    let mut unstoppable = false;
    let mut passed = facts.passed[us.index()];
    while passed != 0 {
        let sq = Square::from_index64(passed.trailing_zeros() as usize);
        passed &= passed - 1;
        let by_rank = sq.rank_for(us) as usize - 1;
        let stop = sq + ahead;
        if !pos.cell(stop).is_empty() {
            sum += view.worth(us, PASSED_BLOCKED.at(by_rank), 1);
        } else if enemy_attacks.on(stop) == 0 {
            sum += view.worth(us, PASSED_FREE.at(by_rank), 1);
        }
        let path = || {
            std::iter::successors(Some(stop), |sq| sq.step(ahead)).take_while(|sq| sq.is_on_board())
        };
        let is_empty = path().all(|sq| pos.cell(sq).is_empty());
        if is_empty && path().all(|sq| enemy_attacks.on(sq) == 0) {
            sum += view.worth(us, PASSED_CLEAR.at(by_rank), 1);
        }
        if by_rank >= 2 {
            let distance = |color| usize::from(stop.distance(pos.king(color)));
            sum += view.worth(us, PASSED_OWN_KING.at(distance(us)), 1);
            sum += view.worth(us, PASSED_ENEMY_KING.at(distance(them)), 1);
        }
        if is_empty && !pos.has_pieces(them) {
            let goal = Square::new(sq.file(), 7 * (us == Color::White) as u8);
            let steps = sq.distance(goal).min(5);
            let lead = u8::from(pos.side_to_move() == them);
            unstoppable |= pos.king(them).distance(goal) > steps + lead;
        }
    }
    if unstoppable {
        sum += view.worth(us, PASSED_UNSTOPPABLE.at(0), 1);
    }
    sum
}

/// Pawns that can step forward unharmed and attack a piece there.
pub fn push_threats<R: Rules, S: Sink>(
    view: &mut View<R, S>,
    us: Color,
    attacks: &[AttackMap; 2],
) -> Tapered {
    let pos = view.pos;
    let (them, ahead) = (!us, forward(us));
    let mut count = 0;
    for sq in pos.pieces(us, PieceKind::Pawn) {
        let stop = sq + ahead;
        if !pos.cell(stop).is_empty() {
            continue;
        }
        let danger = attacks[them.index()].on(stop);
        if danger & PAWN != 0 || danger != 0 && attacks[us.index()].on(stop) == 0 {
            continue;
        }
        let is_victim = |sq: Square| {
            let cell = pos.cell(sq);
            cell.belongs_to(them) && !cell.holds(them, PieceKind::Pawn)
        };
        let next = stop + ahead;
        count += i32::from(is_victim(next + Step::EAST)) + i32::from(is_victim(next + Step::WEST));
    }
    view.worth(us, THREAT_BY_PUSH.at(0), count)
}

/// Marks the squares that a side's pawns attack.
pub fn mark_attacks<R: Rules>(pos: &Position<R>, us: Color, attacks: &mut AttackMap) {
    let ahead = forward(us);
    for sq in pos.pieces(us, PieceKind::Pawn) {
        attacks.mark(sq + ahead + Step::EAST, PAWN);
        attacks.mark(sq + ahead + Step::WEST, PAWN);
    }
}
