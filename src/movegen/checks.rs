//! A move that gives check, found without generating all moves.

use super::Legality;
use crate::board::attacks::{aims_at, step_towards};
use crate::board::bitboards::{Squares, rank_for};
use crate::board::{Checks, Position, Rules};
use crate::types::{CastlingSide, Move, MoveKind, PieceKind, Square, Step};

impl<R: Rules> Position<R> {
    /// A legal move that gives check, if there is one. `legality` and `checks` must be those of this
    /// position, and the variant must not have ended the game.
    ///
    /// Direct checks are looked for from the squares that give check. Discovered checks, castling,
    /// promotion, en passant and drops are rare: where one of them is possible, all moves are generated.
    pub fn find_check(&self, legality: &Legality, checks: &Checks) -> Option<Move> {
        let squares = checks.squares(self);
        if R::HAS_DROPS || squares.covering != 0 || self.has_special_move() {
            return self.find_move(legality, |mv| checks.gives_check(self, mv));
        }
        if legality.is_double_check() {
            return None;
        }
        let allowed = if legality.in_check() { legality.answers() } else { !0 };
        let targets = |kind: PieceKind| Squares(squares.from[kind.index()] & allowed);
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]
            .into_iter()
            .find_map(|kind| self.find_piece_to(kind, targets(kind), legality))
            .or_else(|| {
                targets(PieceKind::Pawn).find_map(|target| self.find_pawn_to(target, legality))
            })
    }

    /// Can the side to move promote, capture en passant or castle? It may be wrong about legality,
    /// but never misses such a move.
    fn has_special_move(&self) -> bool {
        let us = self.side_to_move();
        self.en_passant().is_some()
            || self.squares_with(PieceKind::Pawn) & self.squares_of(us) & rank_for(us, 6) != 0
            || CastlingSide::ALL.into_iter().any(|side| self.can_castle(us, side))
    }

    /// A legal move of a piece of this kind to one of the target squares. Not for pawns and kings.
    fn find_piece_to(
        &self,
        kind: PieceKind,
        targets: Squares,
        legality: &Legality,
    ) -> Option<Move> {
        let us = self.side_to_move();
        self.pieces(us, kind).find_map(|from| {
            let cell = self.cell(from);
            let reaches = |&to: &Square| {
                aims_at(cell, from, to)
                    && !self.cell(to).belongs_to(us)
                    && legality.may_move_along(from, step_towards(from, to))
                    && (kind == PieceKind::Knight || self.is_path_clear(from, to))
            };
            let to = targets.clone().find(reaches)?;
            let is_empty = self.cell(to).is_empty();
            Some(Move::new(from, to, if is_empty { MoveKind::Quiet } else { MoveKind::Capture }))
        })
    }

    /// A legal move of a pawn to the target square, without promotion and en passant.
    fn find_pawn_to(&self, to: Square, legality: &Legality) -> Option<Move> {
        let us = self.side_to_move();
        let pawn_move = |from: Square, kind: MoveKind| {
            let is_legal = self.cell(from).holds(us, PieceKind::Pawn)
                && legality.may_move_along(from, step_towards(from, to));
            is_legal.then(|| Move::new(from, to, kind))
        };
        let behind = to + -us.forward();
        if self.cell(to).belongs_to(!us) {
            let from_aside = |aside| pawn_move(behind + aside, MoveKind::Capture);
            return [Step::WEST, Step::EAST].into_iter().find_map(from_aside);
        }
        if !self.cell(to).is_empty() {
            return None;
        }
        if self.cell(behind).is_empty() && to.rank_for(us) == 3 {
            return pawn_move(behind + -us.forward(), MoveKind::DoublePush);
        }
        pawn_move(behind, MoveKind::Quiet)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::variants::ThreeCheck;

    /// In random games, a check is found exactly where one of all legal moves gives check.
    #[test]
    fn a_check_is_found_where_there_is_one() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut found = [0; 2];
        for _ in 0..400 {
            let mut pos = Position::<ThreeCheck>::start();
            while pos.outcome().is_none() && pos.ply_count() < 200 {
                let (legality, checks) = (Legality::new(&pos), Checks::default());
                let moves = pos.legal_moves();
                let check = pos.find_check(&legality, &checks);
                let exists = moves.iter().any(|&mv| pos.gives_check(mv));
                assert_eq!(check.is_some(), exists, "{pos:?}");
                assert!(check.is_none_or(|mv| moves.contains(&mv) && pos.gives_check(mv)));
                found[usize::from(exists)] += 1;
                pos.make_move(moves[rng.random_range(0..moves.len())]);
            }
        }
        assert!(found.iter().all(|&count| count > 1000), "{found:?}");
    }
}
