//! Correction history: by how much search scores differ from the static evaluation.
//!
//! Corrections are kept by the pawns, by each side's pieces, and by the last two moves. Each is
//! updated with gravity, as the move histories are.
//!
//! Imports `board`. It never searches; the worker owns one set per thread and shares none.

use crate::board::{Position, Rules};
use crate::types::{Color, Depth, Key, Score};

use super::history::{HistoryEntry, PIECE_SQUARES, PreviousMoves};
use super::params::Params;
use super::window::Bound;

/// Entries lie within ± this.
const LIMIT: i32 = 1024;
/// The entries of one table for one side.
const ENTRIES: usize = 16_384;

/// The corrections of one thread.
pub struct CorrectionHistory {
    pawns: Table,
    /// By colour of the pieces.
    pieces: [Table; 2],
    /// By the last two moves.
    moves: Box<[[HistoryEntry; PIECE_SQUARES]]>,
}

/// What a finished search says about the static evaluation of its position.
pub struct Finding {
    /// The corrected static evaluation.
    pub eval: Score,
    /// The score of the search.
    pub score: Score,
    pub bound: Bound,
    /// The depth of the search in plies.
    pub depth: Depth,
    /// False if the best move is a capture or a promotion, or a check that counts.
    pub is_quiet: bool,
}

impl CorrectionHistory {
    pub fn new() -> CorrectionHistory {
        CorrectionHistory {
            pawns: Table::new(),
            pieces: [Table::new(), Table::new()],
            moves: vec![[HistoryEntry::default(); PIECE_SQUARES]; PIECE_SQUARES].into(),
        }
    }

    /// The correction of the static evaluation of a position, in centipawns.
    pub fn get<R: Rules>(
        &self,
        pos: &Position<R>,
        previous: &PreviousMoves,
        params: &Params,
    ) -> Score {
        let us = pos.side_to_move();
        let [white, black] =
            Color::ALL.map(|color| self.pieces[color.index()].get(us, pieces_key(pos, color)));
        let mut sum = self.pawns.get(us, pawns_key(pos)) * params.correction_pawns
            + (white + black) * params.correction_pieces;
        if let [Some(last), Some(own), ..] = *previous {
            sum += self.moves[own.index()][last.index()].get() * params.correction_move;
        }
        Score::cp(sum / LIMIT)
    }

    /// Learns from a finished search. It learns nothing from tactics, from a bound that the
    /// evaluation satisfies, or from a forced end.
    pub fn learn<R: Rules>(
        &mut self,
        pos: &Position<R>,
        previous: &PreviousMoves,
        finding: &Finding,
        params: &Params,
    ) {
        let &Finding { eval, score, bound, depth, is_quiet } = finding;
        let is_news = match bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
        if !is_quiet || !is_news || score.is_decisive() {
            return;
        }
        let us = pos.side_to_move();
        let error = (score - eval).value();
        let most = params.correction_most;
        let bonus = (error * depth / params.correction_depth).clamp(-most, most);
        self.pawns.update(us, pawns_key(pos), bonus);
        for color in Color::ALL {
            self.pieces[color.index()].update(us, pieces_key(pos, color), bonus);
        }
        if let [Some(last), Some(own), ..] = *previous {
            self.moves[own.index()][last.index()].update(bonus, LIMIT);
        }
    }
}

/// The key of the pawns and of what the variant counts: a check given changes the evaluation as
/// much as a pawn structure does.
#[inline(always)]
fn pawns_key<R: Rules>(pos: &Position<R>) -> Key {
    pos.pawn_key() ^ R::key(pos.state())
}

/// The key of a side's pieces and of what the variant counts.
#[inline(always)]
fn pieces_key<R: Rules>(pos: &Position<R>, color: Color) -> Key {
    pos.non_pawn_key(color) ^ R::key(pos.state())
}

/// Corrections by side to move and by a key.
struct Table(Box<[[HistoryEntry; ENTRIES]]>);

impl Table {
    fn new() -> Table {
        Table(vec![[HistoryEntry::default(); ENTRIES]; 2].into())
    }

    fn get(&self, side: Color, key: Key) -> i32 {
        self.0[side.index()][key.bits() as usize % ENTRIES].get()
    }

    fn update(&mut self, side: Color, key: Key, bonus: i32) {
        self.0[side.index()][key.bits() as usize % ENTRIES].update(bonus, LIMIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::history::PieceTo;
    use crate::variants::{Standard, ThreeCheck};

    #[test]
    fn an_error_is_corrected_but_not_for_other_counters() {
        let fen = |checks: &str| format!("4k3/pp6/8/8/8/8/PP6/R3K3 w Q - {checks} 0 1");
        let pos = Position::<ThreeCheck>::from_fen(&fen("3+3")).unwrap();
        let other = Position::<ThreeCheck>::from_fen(&fen("1+3")).unwrap();
        let params = Params::STANDARD;
        let previous = [None; 4];
        let mut corrections = CorrectionHistory::new();
        let finding = |score: i32, bound, is_quiet| {
            let (eval, score) = (Score::cp(0), Score::cp(score));
            Finding { eval, score, bound, depth: 10, is_quiet }
        };
        // Nothing is learnt from a tactical result, or from a bound that the evaluation satisfies.
        for nothing in [finding(100, Bound::Exact, false), finding(100, Bound::Upper, true)] {
            corrections.learn(&pos, &previous, &nothing, &params);
        }
        assert_eq!(corrections.get(&pos, &previous, &params), Score::cp(0));
        for _ in 0..10 {
            corrections.learn(&pos, &previous, &finding(100, Bound::Exact, true), &params);
        }
        assert!(corrections.get(&pos, &previous, &params) > Score::cp(30));
        assert_eq!(corrections.get(&other, &previous, &params), Score::cp(0));
    }

    /// What is learnt in a position, as the correction of that and of other positions.
    #[test]
    fn corrections_are_weighed_and_belong_to_a_side() {
        let none = Params {
            correction_pawns: 0,
            correction_pieces: 0,
            correction_move: 0,
            ..Params::STANDARD
        };
        let pos = |fen: &str| Position::<Standard>::from_fen(fen).unwrap();
        let start = Position::<Standard>::start();
        let other_pawns = pos("rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1");
        let other_white = pos("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1");
        let other_pieces = pos("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1");
        let other_side = pos("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
        let made = [0, 7, 13, 19].map(|index| {
            let mv = start.legal_moves()[index];
            start.mover(mv).map(|piece| PieceTo::of(piece, mv))
        });

        let mut corrections = CorrectionHistory::new();
        let finding = Finding {
            eval: Score::cp(30),
            score: Score::cp(130),
            bound: Bound::Exact,
            depth: Params::STANDARD.correction_depth,
            is_quiet: true,
        };
        corrections.learn(&start, &made, &finding, &none);
        let correction =
            |pos, made: PreviousMoves, params: &Params| corrections.get(pos, &made, params).value();

        let pawns = Params { correction_pawns: 1024, ..none.clone() };
        assert_eq!(correction(&start, made, &pawns), 100);
        assert_eq!(correction(&start, made, &Params { correction_pawns: 512, ..none.clone() }), 50);
        assert_eq!(correction(&other_pieces, made, &pawns), 100);
        assert_eq!(correction(&other_pawns, made, &pawns), 0);
        assert_eq!(correction(&other_side, made, &pawns), 0);
        let pieces = Params { correction_pieces: 1024, ..none.clone() };
        assert_eq!(correction(&start, made, &pieces), 200);
        assert_eq!(correction(&other_pawns, made, &pieces), 200);
        assert_eq!(correction(&other_white, made, &pieces), 100);
        assert_eq!(correction(&other_pieces, made, &pieces), 0);
        let moves = Params { correction_move: 1024, ..none.clone() };
        assert_eq!(correction(&other_side, made, &moves), 100);
        assert_eq!(correction(&start, [made[0], None, made[2], made[3]], &moves), 0);
        assert_eq!(correction(&start, [made[1], made[0], None, None], &moves), 0);
        let all = Params { correction_pawns: 1024, ..pieces };
        assert_eq!(correction(&start, made, &all), 300);
    }

    #[test]
    fn corrections_learn_from_news_alone() {
        let weights = Params { correction_pawns: 1024, correction_pieces: 0, ..Params::STANDARD };
        let start = Position::<Standard>::start();
        let learnt = |score: Score, bound, is_quiet| {
            let mut corrections = CorrectionHistory::new();
            let finding = Finding {
                eval: Score::ZERO,
                score,
                bound,
                depth: Params::STANDARD.correction_depth,
                is_quiet,
            };
            corrections.learn(&start, &[None; 4], &finding, &weights);
            corrections.get(&start, &[None; 4], &weights).value()
        };
        let (above, below) = (Score::cp(40), Score::cp(-40));
        assert_eq!(learnt(above, Bound::Exact, true), 40);
        assert_eq!(learnt(below, Bound::Exact, true), -40);
        assert_eq!((learnt(above, Bound::Lower, true), learnt(below, Bound::Lower, true)), (40, 0));
        assert_eq!(
            (learnt(above, Bound::Upper, true), learnt(below, Bound::Upper, true)),
            (0, -40)
        );
        assert_eq!(learnt(Score::win_in(5), Bound::Exact, true), 0);
        assert_eq!(learnt(above, Bound::Exact, false), 0);
    }
}
