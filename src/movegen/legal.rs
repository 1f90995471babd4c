//! The legal moves of a position, all or in parts, and the legality of one move.

use super::Legality;
use super::generator::{All, AllOfChess, Counter, Generator, Noisy, Quiet, Visitor};
use crate::board::attacks::{aims_at, is_slider, step_towards};
use crate::board::{Position, Rules};
use crate::types::{Color, Move, MoveList, Outcome, PieceKind, Ply, Reason, Square};

impl<R: Rules> Position<R> {
    /// All legal moves; none if the variant has ended the game.
    // Here and elsewhere: the compiler gives each crate a copy of generic code, unless it is never inlined.
    #[inline(never)]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        Generator::run(self, &Legality::new(self), All, &mut list);
        list
    }

    /// Calls `visit` with each legal capture and promotion.
    #[inline]
    pub fn visit_noisy_moves(&self, legality: &Legality, visit: impl FnMut(Move)) {
        Generator::run(self, legality, Noisy, &mut Visitor(visit));
    }

    /// Calls `visit` with each legal move that neither captures nor promotes.
    #[inline]
    pub fn visit_quiet_moves(&self, legality: &Legality, visit: impl FnMut(Move)) {
        Generator::run(self, legality, Quiet, &mut Visitor(visit));
    }

    /// A legal move for which `is_wanted` is true, if there is one.
    pub fn find_move(&self, legality: &Legality, is_wanted: impl Fn(Move) -> bool) -> Option<Move> {
        let mut found = None;
        let visit = |mv| {
            if found.is_none() && is_wanted(mv) {
                found = Some(mv);
            }
        };
        Generator::run(self, legality, All, &mut Visitor(visit));
        found
    }

    /// A legal capture or promotion for which `is_wanted` is true, if there is one.
    pub fn find_noisy_move(
        &self,
        legality: &Legality,
        is_wanted: impl Fn(Move) -> bool,
    ) -> Option<Move> {
        let mut found = None;
        self.visit_noisy_moves(legality, |mv| {
            if found.is_none() && is_wanted(mv) {
                found = Some(mv);
            }
        });
        found
    }

    /// What this game says against a move that is legal in chess and for which `is_meant` is true, if
    /// there is such a move and the game forbids it. The game must not be over.
    pub fn objection(&self, is_meant: impl Fn(Move) -> bool) -> Option<&'static str> {
        let objection = R::FORBIDDEN?;
        let mut is_found = false;
        let legality = Legality::new(self);
        let visit = |mv| is_found |= is_meant(mv) && !self.is_allowed(mv, &legality);
        Generator::run(self, &legality, AllOfChess, &mut Visitor(visit));
        is_found.then_some(objection)
    }

    /// Does the game allow a move that is legal in chess?
    fn is_allowed(&self, mv: Move, legality: &Legality) -> bool {
        (mv.is_capture() || !legality.must_capture()) && R::allows(self, mv)
    }

    /// The number of legal moves; faster than listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = Counter::default();
        Generator::run(self, &Legality::new(self), All, &mut count);
        count.0
    }

    /// The end of the game by the rules, if it has ended. The variant's own endings take precedence
    /// over mate and stalemate, and these over the draws by material, repetition and the fifty-move
    /// rule.
    #[inline(never)]
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.variant_outcome() {
            return Some(outcome);
        }
        if self.count_legal_moves() == 0 {
            return Some(if self.in_check() {
                Outcome::win(!self.side_to_move(), Reason::Checkmate)
            } else {
                R::stalemate(self)
            });
        }
        if self.is_insufficient_material() {
            Some(Outcome::draw(Reason::InsufficientMaterial))
        } else if self.repetitions() >= 2 {
            Some(Outcome::draw(Reason::Repetition))
        } else if self.is_fifty_moves() {
            Some(Outcome::draw(Reason::FiftyMoves))
        } else {
            None
        }
    }

    /// Is it a draw for a search, by repetition since its root, by the fifty-move rule, or by insufficient
    /// material? On the hundredth ply a mate still wins, and so does a stalemate that decides the game. `root_ply`
    /// as in [`Position::is_repetition_for_search`].
    pub fn is_draw_for_search(&self, root_ply: Ply) -> bool {
        self.is_repetition_for_search(root_ply)
            || self.is_insufficient_material()
            || self.is_fifty_moves() && !self.is_decided_without_moves()
    }

    /// Is the game decided because the side to move has no legal move?
    fn is_decided_without_moves(&self) -> bool {
        (self.in_check() || R::stalemate(self).winner.is_some()) && self.count_legal_moves() == 0
    }

    /// Is a move legal? It may come from another position or from random bits. Cheaper than
    /// generating all moves. `legality` must be that of this position.
    pub fn is_legal(&self, mv: Move, legality: &Legality) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        if let Some(kind) = mv.dropped() {
            return R::HAS_DROPS
                && self.variant_outcome().is_none()
                && self.is_legal_drop(kind, to, legality);
        }
        let cell = self.cell(from);
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        if self.variant_outcome().is_some() {
            return false;
        }
        if let Some(side) = mv.castling_side() {
            return !legality.in_check()
                && (from, to) == (self.castling_king(us), side.king_target(us))
                && (R::FORBIDDEN.is_none() || self.is_allowed(mv, legality))
                && self.can_castle(us, side);
        }
        if mv.is_en_passant() {
            return self.en_passant() == Some(to)
                && piece.kind() == PieceKind::Pawn
                && aims_at(cell, from, to)
                && (R::FORBIDDEN.is_none() || self.is_allowed(mv, legality))
                && self.is_en_passant_safe(us, from, to);
        }
        if piece.kind() != PieceKind::Pawn && mv.is_promotion() || self.cell(to).belongs_to(us) {
            return false;
        }
        if mv.is_capture() != self.cell(to).belongs_to(!us) {
            return false;
        }
        let reaches = match piece.kind() {
            PieceKind::Pawn => self.is_pawn_move(mv),
            _ if mv.is_double_push() => false,
            _ => aims_at(cell, from, to) && (!is_slider(cell) || self.is_path_clear(from, to)),
        };
        if !reaches {
            return false;
        }
        if R::FORBIDDEN.is_some() && !self.is_allowed(mv, legality) {
            return false;
        }
        if mv.promotion().is_some_and(|kind| !R::PROMOTIONS.contains(&kind)) {
            return false;
        }
        if R::CAPTURES_EXPLODE {
            return self.keeps_king_from_exploding(mv);
        }
        if piece.kind() == PieceKind::King && R::is_royal(us) {
            return !self.is_attacked_through_king(to, !us);
        }
        legality.may_move_along(from, step_towards(from, to))
            && (!legality.in_check() || !legality.is_double_check() && legality.answers_check(to))
    }

    /// Does a pawn go two squares from its first rank, with an empty target?
    fn is_back_rank_leap(&self, us: Color, from: Square, to: Square) -> bool {
        R::has_back_rank_pawns(us)
            && from.rank_for(us) == 0
            && to == from + us.forward() + us.forward()
            && self.cell(to).is_empty()
    }

    /// Is it a possible move of a pawn, leaving aside en passant and legality?
    fn is_pawn_move(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let ahead = us.forward();
        if mv.is_promotion() != (to.rank_for(us) == 7) {
            return false;
        }
        if mv.is_capture() {
            aims_at(self.cell(from), from, to)
        } else if mv.is_double_push() {
            from.rank_for(us) == 1
                && to == from + ahead + ahead
                && self.cell(from + ahead).is_empty()
                && self.cell(to).is_empty()
        } else {
            self.cell(from + ahead).is_empty()
                && (to == from + ahead || self.is_back_rank_leap(us, from, to))
        }
    }
}
