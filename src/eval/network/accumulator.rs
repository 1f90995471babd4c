//! The hidden neurons along the line that is being searched, brought up to date only when a position is
//! evaluated.
//!
//! Each ply notes what its move has changed: at most two features have come and two have gone. To evaluate,
//! the neurons of the nearest earlier ply are carried forward move by move. When a king crosses to the
//! other half of the board, the view of its side changes; then the neurons are found from those that the
//! same view had last, by the squares that differ. The same is done after an explosion, which takes more
//! pieces away.

use arrayvec::ArrayVec;

use super::architecture::{Block, Feature, SideView, is_mirrored};
use super::kernels::Kernels;
use super::weights::Network;
use crate::board::{Hands, Position, Rules};
use crate::eval::rules::EvalRules;
use crate::types::{Cell, Color, MAX_PLY, Move, Piece, PieceKind, Ply, Square};

/// What a move has changed.
#[derive(Clone, Copy, Debug)]
struct FeatureChange {
    added: [Feature; 2],
    removed: [Feature; 2],
    added_count: u8,
    removed_count: u8,
    /// By side: must its neurons be computed anew? The move has mirrored its view of the board, or changed too many men.
    is_new: [bool; 2],
}

const NOTHING: Feature = Feature::on_square(Piece::new(Color::White, PieceKind::Pawn), Square::A1);

impl FeatureChange {
    const NONE: FeatureChange = FeatureChange {
        added: [NOTHING; 2],
        removed: [NOTHING; 2],
        added_count: 0,
        removed_count: 0,
        is_new: [false; 2],
    };

    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.add_feature(Feature::on_square(piece, square));
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.remove_feature(Feature::on_square(piece, square));
    }

    #[inline(always)]
    fn add_feature(&mut self, feature: Feature) {
        self.added[usize::from(self.added_count)] = feature;
        self.added_count += 1;
    }

    #[inline(always)]
    fn remove_feature(&mut self, feature: Feature) {
        self.removed[usize::from(self.removed_count)] = feature;
        self.removed_count += 1;
    }

    /// What a legal move changes; it has not been made yet.
    #[inline(always)]
    fn of<R: Rules>(pos: &Position<R>, mv: Move) -> FeatureChange {
        let mut change = FeatureChange::NONE;
        let us = pos.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = pos.mover(mv) else { return change };
        if R::CAPTURES_EXPLODE && mv.is_capture() {
            change.is_new = [true; 2];
            return change;
        }
        let hands = R::hands(pos.state()).filter(|_| R::HAS_DROPS);
        if let Some(hands) = hands.filter(|_| mv.is_drop()) {
            let others = hands.count(us, mover.kind()) - 1;
            change.remove_feature(Feature::in_hand(us, mover.kind(), others));
            change.add(mover, to);
            return change;
        }
        change.remove(mover, from);
        if let Some(side) = mv.castling_side() {
            let rook = Piece::new(us, PieceKind::Rook);
            change.remove(rook, pos.castling_rook(us, side));
            change.add(mover, to);
            change.add(rook, side.rook_target(us));
        } else {
            let taken = mv.victim_square();
            if let Some(piece) = pos.piece_at(taken) {
                change.remove(piece, taken);
                if let Some(hands) = hands {
                    let kind = hands.kind_in_hand(piece.kind(), taken);
                    change.add_feature(Feature::in_hand(us, kind, hands.count(us, kind)));
                }
            }
            change.add(mv.promotion().map_or(mover, |kind| Piece::new(us, kind)), to);
        }
        if mover.kind() == PieceKind::King {
            // In Horde both sides look from the one king.
            let crosses = is_mirrored(from) != is_mirrored(to);
            change.is_new = Color::ALL.map(|side| crosses && pos.anchor(side) == from);
        }
        change
    }
}

/// One ply: the move that leads to it, and by side whether its neurons are known.
#[derive(Clone, Copy)]
struct Entry {
    is_known: [bool; 2],
    change: FeatureChange,
}

/// The last neurons of one view, and the board and the hands that they belong to.
struct Refreshed {
    neurons: Box<[Block]>,
    /// The ranks from White's back rank on.
    board: [[Cell; 8]; 8],
    hands: Hands,
}

/// No position has more men, on the board and in the hands.
const MOST_MEN: usize = 64;

/// The neurons along a line.
pub struct Accumulator {
    entries: Vec<Entry>,
    /// The neurons of every ply, those of White, then those of Black.
    neurons: Box<[Block]>,
    /// The blocks of one side's neurons.
    width: usize,
    /// By side, and by whether its board is mirrored.
    refreshed: [[Refreshed; 2]; 2],
    kernels: Kernels,
}

/// A search makes moves up to a few plies beyond its longest line.
const PLIES: usize = MAX_PLY + 8;

impl Accumulator {
    pub fn new(network: &Network, kernels: Kernels) -> Accumulator {
        let entry = Entry { is_known: [false; 2], change: FeatureChange::NONE };
        let empty = || Refreshed {
            neurons: network.bias().into(),
            board: [[Cell::EMPTY; 8]; 8],
            hands: Hands::default(),
        };
        let width = network.hidden().blocks();
        Accumulator {
            entries: vec![entry; PLIES],
            neurons: vec![Block::ZERO; PLIES * 2 * width].into(),
            width,
            refreshed: [[empty(), empty()], [empty(), empty()]],
            kernels,
        }
    }

    /// Where the neurons of a side begin.
    #[inline(always)]
    fn start(&self, ply: Ply, side: usize) -> usize {
        (2 * ply + side) * self.width
    }

    /// The line begins anew: nothing is known of the position at ply 0.
    pub fn reset(&mut self) {
        self.entries[0].is_known = [false; 2];
        self.entries[0].change = FeatureChange { is_new: [true; 2], ..FeatureChange::NONE };
    }

    /// A legal move is about to be made at this ply.
    #[inline(always)]
    pub fn note_move<R: Rules>(&mut self, pos: &Position<R>, mv: Move, ply: Ply) {
        let entry = &mut self.entries[ply + 1];
        entry.change = FeatureChange::of(pos, mv);
        entry.is_known = [false; 2];
    }

    /// A null move is about to be made at this ply.
    pub fn note_null_move(&mut self, ply: Ply) {
        let entry = &mut self.entries[ply + 1];
        entry.change = FeatureChange::NONE;
        entry.is_known = [false; 2];
    }

    /// The neurons of White and Black in the position at this ply.
    #[inline(always)]
    pub fn neurons<V: EvalRules>(
        &mut self,
        network: &Network,
        pos: &Position<V>,
        ply: Ply,
    ) -> [&[Block]; 2] {
        for side in Color::ALL {
            if !self.entries[ply].is_known[side.index()] {
                self.bring_up(network, pos, ply, side);
            }
        }
        let (white, black) =
            self.neurons[self.start(ply, 0)..][..2 * self.width].split_at(self.width);
        [white, black]
    }

    /// Finds the neurons of one side.
    fn bring_up<V: EvalRules>(
        &mut self,
        network: &Network,
        pos: &Position<V>,
        ply: Ply,
        side: Color,
    ) {
        let index = side.index();
        let mut known = ply;
        while !self.entries[known].is_known[index] {
            if self.entries[known].change.is_new[index] || known == 0 {
                return self.refresh(network, pos, ply, side);
            }
            known -= 1;
        }
        let view = SideView::new(side, V::looks_from(side), pos.anchor(side));
        for at in known..ply {
            let (source, target) = (self.start(at, index), self.start(at + 1, index));
            let (before, after) = self.neurons.split_at_mut(target);
            let entry = &mut self.entries[at + 1];
            let change = entry.change;
            let (target, source) = (&mut after[..self.width], &before[source..][..self.width]);
            let row = |feature: Feature| network.input(feature.input::<V>(view));
            let ([a, b], [r, s]) = (change.added, change.removed);
            // Most moves change two or three rows: no others are looked up.
            match (change.added_count, change.removed_count) {
                (1, 1) => self.kernels.change(target, source, &[row(a)], &[row(r)]),
                (1, 2) => self.kernels.change(target, source, &[row(a)], &[row(r), row(s)]),
                (added, removed) => self.kernels.change(
                    target,
                    source,
                    &[row(a), row(b)][..usize::from(added)],
                    &[row(r), row(s)][..usize::from(removed)],
                ),
            }
            entry.is_known[index] = true;
        }
    }

    /// Finds the neurons of one side from the last ones of the same view.
    fn refresh<V: EvalRules>(
        &mut self,
        network: &Network,
        pos: &Position<V>,
        ply: Ply,
        side: Color,
    ) {
        let king = pos.anchor(side);
        let view = SideView::new(side, V::looks_from(side), king);
        let start = self.start(ply, side.index());
        let last = &mut self.refreshed[side.index()][usize::from(is_mirrored(king))];
        let row = |feature: Feature| network.input(feature.input::<V>(view));
        let mut added = ArrayVec::<&[Block], MOST_MEN>::new();
        let mut removed = ArrayVec::<&[Block], MOST_MEN>::new();
        for (rank, before) in (0..).zip(&mut last.board) {
            let now = pos.rank(rank);
            if now == before {
                continue;
            }
            for file in 0..8 {
                let (now, before) = (now[usize::from(file)], before[usize::from(file)]);
                if now != before {
                    let feature =
                        |piece: Piece| row(Feature::on_square(piece, Square::new(file, rank)));
                    added.extend(now.piece().map(feature));
                    removed.extend(before.piece().map(feature));
                }
            }
            *before = *now;
        }
        if let Some(&hands) = V::hands(pos.state()).filter(|_| V::HAS_DROPS) {
            for (color, kind) in Hands::places() {
                let (now, before) = (hands.count(color, kind), last.hands.count(color, kind));
                let feature = |others| row(Feature::in_hand(color, kind, others));
                added.extend((before..now).map(feature));
                removed.extend((now..before).map(feature));
            }
            last.hands = hands;
        }
        let neurons = &mut self.neurons[start..][..self.width];
        self.kernels.change(neurons, &last.neurons, &added, &removed);
        last.neurons.copy_from_slice(neurons);
        self.entries[ply].is_known[side.index()] = true;
    }
}
