//! Move histories: what finished nodes teach about moves.
//!
//! They say how often a move has caused a cutoff. The butterfly history is indexed by side, from and to, and by
//! whether the opponent attacks these squares ([`attacked_squares`]); a drop has its kind of piece in place of from. The
//! capture history is indexed by piece, target and victim; the continuation history by the move itself and the move made
//! one, two, four or six plies before.
//!
//! Entries are updated with "gravity": the nearer an entry is to its limit, the smaller the step
//! towards it. The entries that a move has in the continuation history share a part of their gravity.
//!
//! Imports `board`. It never searches; the worker owns one set per thread and shares none.

use crate::board::{Position, Rules};
use crate::types::{Color, Depth, Move, Piece};

use super::params::Params;

/// Entries lie within ± this.
pub const HISTORY_LIMIT: i32 = 16_384;
pub const PIECE_SQUARES: usize = 12 * 64;

/// A piece and the square it moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    #[inline(always)]
    pub fn of(piece: Piece, mv: Move) -> PieceTo {
        PieceTo((piece.index12() * 64 + mv.to_index64()) as u16)
    }

    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The moves one, two, four and six plies before a node. `None` stands for a null move or the time before
/// the root.
pub type PreviousMoves = [Option<PieceTo>; 4];

/// A value that is updated with gravity.
#[derive(Clone, Copy, Default)]
pub struct HistoryEntry(i16);

impl HistoryEntry {
    #[inline(always)]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the entry by about `bonus`; by less if that brings it closer to the limit.
    #[inline(always)]
    pub fn update(&mut self, bonus: i32, limit: i32) {
        self.update_from(self.get(), bonus, limit);
    }

    /// The same with the gravity of another value than the entry's own.
    #[inline(always)]
    fn update_from(&mut self, value: i32, bonus: i32, limit: i32) {
        let bonus = bonus.clamp(-limit, limit);
        let moved = self.get() + bonus - value * bonus.abs() / limit;
        self.0 = moved.clamp(-limit, limit) as i16;
    }
}

/// The move histories of one thread.
pub struct Histories {
    butterfly: Box<[[HistoryEntry; BUTTERFLY]]>,
    captures: Box<[[HistoryEntry; 8]]>,
    continuation: Box<[[HistoryEntry; PIECE_SQUARES]]>,
}

impl Histories {
    pub fn new() -> Histories {
        Histories {
            butterfly: vec![[HistoryEntry(0); BUTTERFLY]; 2].into(),
            captures: vec![[HistoryEntry(0); 8]; PIECE_SQUARES].into(),
            continuation: vec![[HistoryEntry(0); PIECE_SQUARES]; PIECE_SQUARES].into(),
        }
    }

    /// The histories of the quiet moves of a node. `attacked` must come from [`attacked_squares`].
    #[inline(always)]
    pub fn of_quiets<'a>(
        &'a self,
        side: Color,
        attacked: u64,
        previous: &PreviousMoves,
        params: &'a Params,
    ) -> QuietHistory<'a> {
        let row = |previous: Option<PieceTo>| match previous {
            Some(previous) => &self.continuation[previous.index()],
            None => &NO_ROW,
        };
        let butterfly = &self.butterfly[side.index()];
        QuietHistory { butterfly, attacked, rows: previous.map(row), params }
    }

    /// The history of a capture or promotion, within ± 16384.
    #[inline(always)]
    pub fn noisy<R: Rules>(&self, pos: &Position<R>, mv: Move) -> i32 {
        let Some((row, victim)) = capture_index(pos, mv) else { return 0 };
        self.captures[row][victim].get()
    }

    /// Learns that `mv` caused a cutoff at this depth and that the moves in `tried` did not.
    pub fn learn_cutoff<R: Rules>(
        &mut self,
        pos: &Position<R>,
        previous: &PreviousMoves,
        mv: Move,
        tried: &TriedMoves,
        depth: Depth,
        params: &Params,
    ) {
        let bonus = cutoff_bonus(depth, params);
        let malus = (params.history_malus * depth).min(params.history_malus_max);
        if mv.is_noisy() {
            self.update_noisy(pos, mv, bonus);
        } else {
            let attacked = attacked_squares(pos);
            self.update_quiet(pos, attacked, previous, mv, bonus, params);
            for quiet in tried.quiet() {
                self.update_quiet(pos, attacked, previous, quiet, -malus, params);
            }
        }
        for noisy in tried.noisy() {
            self.update_noisy(pos, noisy, -malus);
        }
    }

    /// Learns that the table's score cuts off at this depth, with this table move.
    pub fn learn_table_cutoff<R: Rules>(
        &mut self,
        pos: &Position<R>,
        previous: &PreviousMoves,
        mv: Move,
        depth: Depth,
        params: &Params,
    ) {
        if !mv.is_noisy() {
            let bonus = cutoff_bonus(depth, params) * params.bonus_table / 100;
            self.update_quiet(pos, attacked_squares(pos), previous, mv, bonus, params);
        }
    }

    /// Learns that a node at this depth has failed low, so the move `made` before it was good. `previous`
    /// are the moves before that one.
    pub fn learn_fail_low(
        &mut self,
        previous: &PreviousMoves,
        made: PieceTo,
        depth: Depth,
        params: &Params,
    ) {
        let bonus = cutoff_bonus(depth, params) * params.bonus_fail_low / 100;
        self.update_continuation(previous, made, bonus, params);
    }

    /// Learns from a quiet move that a reduced search took for good, and that was searched again to
    /// this depth: was it good?
    pub fn learn_research(
        &mut self,
        previous: &PreviousMoves,
        made: PieceTo,
        was_good: bool,
        depth: Depth,
        params: &Params,
    ) {
        let bonus = cutoff_bonus(depth, params) * params.bonus_research / 100;
        let bonus = if was_good { bonus } else { -bonus };
        self.update_continuation(previous, made, bonus, params);
    }

    fn update_quiet<R: Rules>(
        &mut self,
        pos: &Position<R>,
        attacked: u64,
        previous: &PreviousMoves,
        mv: Move,
        bonus: i32,
        params: &Params,
    ) {
        let row = &mut self.butterfly[pos.side_to_move().index()];
        row[butterfly_index::<R>(mv, attacked)].update(bonus, HISTORY_LIMIT);
        let Some(piece) = pos.mover(mv) else { return };
        self.update_continuation(previous, PieceTo::of(piece, mv), bonus, params);
    }

    fn update_continuation(
        &mut self,
        previous: &PreviousMoves,
        made: PieceTo,
        bonus: i32,
        params: &Params,
    ) {
        let rows = || previous.iter().flatten().map(|previous| previous.index());
        let sum: i32 = rows().map(|row| self.continuation[row][made.index()].get()).sum();
        for row in rows() {
            let entry = &mut self.continuation[row][made.index()];
            let others = sum - entry.get();
            let value = entry.get() + params.continuation_gravity * others / 64;
            entry.update_from(value, bonus, HISTORY_LIMIT);
        }
    }

    fn update_noisy<R: Rules>(&mut self, pos: &Position<R>, mv: Move, bonus: i32) {
        if let Some((row, victim)) = capture_index(pos, mv) {
            self.captures[row][victim].update(bonus, HISTORY_LIMIT);
        }
    }
}

/// What a cutoff at this depth is worth to the move that caused it.
fn cutoff_bonus(depth: Depth, params: &Params) -> i32 {
    let bonus = params.history_bonus * depth - params.history_bonus_base;
    bonus.clamp(0, params.history_bonus_max)
}

/// The entries of the butterfly history for one side: those of moves on the board, then those of drops.
const BUTTERFLY: usize = BOARD_MOVES + 2 * DROPS;
/// From and to, for each of the four answers to which of them is attacked.
const BOARD_MOVES: usize = 4 * 4096;
/// A row of 64 squares for each kind of piece, by its index.
const DROPS: usize = 8 * 64;

/// The squares that the opponent attacks, as the butterfly history needs them: one bit for each square. The attacks of
/// pawns count alone, but where captures are compulsory all attacks do: they tell which moves offer a man.
#[inline(always)]
pub fn attacked_squares<R: Rules>(pos: &Position<R>) -> u64 {
    let them = !pos.side_to_move();
    if R::MUST_CAPTURE { pos.attacks(them) } else { pos.pawn_attacks(them) }
}

/// The index of a quiet move in the butterfly history of its side.
#[inline(always)]
fn butterfly_index<R: Rules>(mv: Move, attacked: u64) -> usize {
    if R::HAS_DROPS
        && let Some(kind) = mv.dropped()
    {
        let to = usize::from(mv.to().is_in(attacked));
        return BOARD_MOVES + DROPS * to + 64 * kind.index() + mv.to().index64();
    }
    let [from, to] = [mv.from(), mv.to()].map(|square| usize::from(square.is_in(attacked)));
    mv.from_to_index() + 4096 * (from + 2 * to)
}

/// The parts of the histories that hold the quiet moves of one node.
pub struct QuietHistory<'a> {
    butterfly: &'a [HistoryEntry; BUTTERFLY],
    attacked: u64,
    rows: [&'a [HistoryEntry; PIECE_SQUARES]; 4],
    params: &'a Params,
}

/// Stands for the continuation history where there is no previous move.
static NO_ROW: [HistoryEntry; PIECE_SQUARES] = [HistoryEntry(0); PIECE_SQUARES];

impl QuietHistory<'_> {
    /// The history of a quiet move: a weighted sum of the histories.
    #[inline(always)]
    pub fn get<R: Rules>(&self, pos: &Position<R>, mv: Move) -> i32 {
        let Some(piece) = pos.mover(mv) else { return 0 };
        let now = PieceTo::of(piece, mv).index();
        let [first, second, fourth, sixth] = self.rows.map(|row| row[now].get());
        let continuation = first * self.params.continuation_one
            + second * self.params.continuation_two
            + fourth * self.params.continuation_four
            + sixth * self.params.continuation_six;
        self.butterfly[butterfly_index::<R>(mv, self.attacked)].get() + continuation / 64
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}

/// The indices of a capture or promotion in the capture history.
#[inline(always)]
fn capture_index<R: Rules>(pos: &Position<R>, mv: Move) -> Option<(usize, usize)> {
    let piece = pos.mover(mv)?;
    Some((PieceTo::of(piece, mv).index(), pos.victim(mv)))
}

/// The room of each of the two lists of [`TriedMoves`].
const TRIED_CAPACITY: usize = 32;

/// The moves of a node that were searched without a cutoff, quiet and noisy. A list that is full
/// ignores further moves.
pub struct TriedMoves {
    lists: [[Option<Move>; TRIED_CAPACITY]; 2],
    lens: [usize; 2],
}

impl TriedMoves {
    pub fn new() -> TriedMoves {
        TriedMoves { lists: [[None; TRIED_CAPACITY]; 2], lens: [0; 2] }
    }

    pub fn push(&mut self, mv: Move, is_noisy: bool) {
        let list = usize::from(is_noisy);
        if let Some(slot) = self.lists[list].get_mut(self.lens[list]) {
            *slot = Some(mv);
            self.lens[list] += 1;
        }
    }

    pub fn quiet(&self) -> impl Iterator<Item = Move> {
        self.lists[0].iter().map_while(|&mv| mv)
    }

    pub fn noisy(&self) -> impl Iterator<Item = Move> {
        self.lists[1].iter().map_while(|&mv| mv)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::variants::{Antichess, Crazyhouse, Standard};

    const PREVIOUS: PreviousMoves = [Some(PieceTo(1)), Some(PieceTo(2)), None, Some(PieceTo(3))];

    /// A bonus of 100 for a cutoff at any depth, and a history in which each part can be told.
    fn params() -> Params {
        Params {
            history_bonus: 0,
            history_bonus_base: -100,
            continuation_one: 64,
            continuation_two: 2 * 64,
            continuation_four: 4 * 64,
            continuation_six: 3 * 64,
            ..Params::STANDARD
        }
    }

    fn start() -> (Position<Standard>, Move) {
        let pos = Position::start();
        let mv = pos.legal_moves().iter().copied().find(|mv| mv.to_string() == "g1f3");
        (pos, mv.unwrap())
    }

    /// The history of the knight's move.
    fn history(histories: &Histories, previous: &PreviousMoves) -> i32 {
        let (pos, mv) = start();
        histories.of_quiets(Color::White, attacked_squares(&pos), previous, &params()).get(&pos, mv)
    }

    #[test]
    fn a_cutoff_teaches_all_parts_of_the_history() {
        let (pos, mv) = start();
        let mut histories = Histories::new();
        histories.learn_cutoff(&pos, &PREVIOUS, mv, &TriedMoves::new(), 5, &params());
        // The butterfly history, and the continuations with their weights.
        assert_eq!(history(&histories, &PREVIOUS), 100 + 100 + 200 + 300);
        assert_eq!(history(&histories, &[None; 4]), 100);
        let [one, two, _, six] = PREVIOUS;
        assert_eq!(history(&histories, &[None, two, None, None]), 100 + 200);
        assert_eq!(history(&histories, &[six, None, one, None]), 100 + 100 + 400);
    }

    #[test]
    fn a_cutoff_speaks_against_the_moves_that_were_tried_before() {
        let (pos, mv) = start();
        let cutoff = pos.legal_moves()[0];
        let learnt = |depth| {
            let params = Params { history_malus: 10, history_malus_max: 70, ..params() };
            let mut tried = TriedMoves::new();
            tried.push(mv, false);
            let mut histories = Histories::new();
            histories.learn_cutoff(&pos, &[None; 4], cutoff, &tried, depth, &params);
            history(&histories, &[None; 4])
        };
        assert_eq!([learnt(1), learnt(5), learnt(8)], [-10, -50, -70]);
    }

    #[test]
    fn other_findings_are_worth_a_share_of_a_cutoff() {
        let (pos, mv) = start();
        let made = PieceTo::of(pos.mover(mv).unwrap(), mv);
        let learnt = |learn: &dyn Fn(&mut Histories, &Params)| {
            let mut histories = Histories::new();
            let shares =
                Params { bonus_fail_low: 10, bonus_table: 20, bonus_research: 30, ..params() };
            learn(&mut histories, &shares);
            (history(&histories, &[None; 4]), history(&histories, &PREVIOUS))
        };
        let table = |histories: &mut Histories, params: &Params| {
            histories.learn_table_cutoff(&pos, &PREVIOUS, mv, 5, params);
        };
        assert_eq!(learnt(&table), (20, 20 + 20 + 40 + 60));
        let fail_low = |histories: &mut Histories, params: &Params| {
            histories.learn_fail_low(&PREVIOUS, made, 5, params);
        };
        assert_eq!(learnt(&fail_low), (0, 10 + 20 + 30));
        for (was_good, sign) in [(true, 1), (false, -1)] {
            let research = |histories: &mut Histories, params: &Params| {
                histories.learn_research(&PREVIOUS, made, was_good, 5, params);
            };
            assert_eq!(learnt(&research), (0, sign * (30 + 60 + 90)));
        }
    }

    #[test]
    fn continuations_share_a_part_of_their_gravity() {
        let mut entry = HistoryEntry(8000);
        entry.update_from(HISTORY_LIMIT / 2, 1000, HISTORY_LIMIT);
        assert_eq!(entry.get(), 8500);
        entry.update_from(2 * HISTORY_LIMIT, 1000, HISTORY_LIMIT);
        assert_eq!(entry.get(), 7500);
        let made = PieceTo(9);
        let after = |gravity: i32| {
            let mut histories = Histories::new();
            histories.continuation[1][9] = HistoryEntry(8192);
            let params = Params { continuation_gravity: gravity, ..params() };
            histories.update_continuation(&PREVIOUS, made, 1024, &params);
            [1, 2, 3].map(|row: usize| histories.continuation[row][9].get())
        };
        assert_eq!(after(0), [8192 + 1024 - 512, 1024, 1024]);
        // The others see half of the first one's 8192.
        assert_eq!(after(32), [8192 + 1024 - 512, 1024 - 256, 1024 - 256]);
    }

    #[test]
    fn the_butterfly_history_knows_what_attacks() {
        fn index_in<R: Rules>(fen: &str) -> usize {
            let pos = Position::<R>::from_fen(fen).unwrap();
            let mv = pos.legal_moves().iter().copied().find(|mv| mv.to_string() == "e4c5");
            butterfly_index::<R>(mv.unwrap(), attacked_squares(&pos))
        }
        let index = index_in::<Standard>;
        let free = index("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1");
        assert!(free < 4096);
        assert_eq!(index("4k3/8/8/3p4/4N3/8/8/4K3 w - - 0 1"), free + 4096);
        assert_eq!(index("4k3/8/1p6/8/4N3/8/8/4K3 w - - 0 1"), free + 2 * 4096);
        assert_eq!(index("4k3/8/1p6/3p4/4N3/8/8/4K3 w - - 0 1"), free + 3 * 4096);
        // A pawn attacks what is before it, and an own pawn is no danger.
        assert_eq!(index("4k3/8/8/8/4N3/3p4/2P5/4K3 w - - 0 1"), free);
        // Only where captures are compulsory does it know other attacks.
        let rook = "2r1k3/8/8/8/4N3/8/8/4K3 w - - 0 1";
        assert_eq!(index(rook), free);
        assert_eq!(index_in::<Antichess>(rook), free + 2 * 4096);
    }

    #[test]
    fn a_drop_shares_no_entry_with_another_move() {
        let fen = "k7/8/8/3p4/8/8/8/1NBQRB1K[QRBNP] w - - 0 1";
        let pos = Position::<Crazyhouse>::from_fen(fen).unwrap();
        let attacked = attacked_squares(&pos);
        let moves = pos.legal_moves();
        let index = |mv: &Move| butterfly_index::<Crazyhouse>(*mv, attacked);
        let indices: HashSet<usize> = moves.iter().map(index).collect();
        assert_eq!(indices.len(), moves.len());
        assert!(indices.iter().all(|&index| index < BUTTERFLY));
    }

    #[test]
    fn gravity_keeps_an_entry_within_its_limit() {
        let mut entry = HistoryEntry(0);
        entry.update(1000, HISTORY_LIMIT);
        assert_eq!(entry.get(), 1000);
        entry.update(1000, HISTORY_LIMIT);
        assert_eq!(entry.get(), 1939);
        for _ in 0..10_000 {
            entry.update(HISTORY_LIMIT + 5, HISTORY_LIMIT);
        }
        assert_eq!(entry.get(), HISTORY_LIMIT);
        entry.update(-2000, HISTORY_LIMIT);
        assert_eq!(entry.get(), HISTORY_LIMIT - 4000);
    }
}
