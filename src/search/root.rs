//! The root: its moves, what the search knows about each, and how far the iteration is.

use std::cmp::Reverse;
use std::ops::Range;

use super::tablebase_use::root_score;
use crate::tablebase::RankedMove;
use crate::types::{Depth, Move, Score};

/// One move of the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// The score in the present window; minus infinity if the search only showed that the move is no
    /// better than another.
    pub score: Score,
    /// The last score before the present window.
    pub previous: Score,
    /// The line that begins with the move.
    pub pv: Vec<Move>,
    /// The nodes searched below the move in the whole search.
    pub nodes: u64,
    /// The deepest line searched, in plies.
    pub seldepth: Depth,
    /// See [`RankedMove::rank`]; the same for all moves if the endgame tables say nothing.
    rank: i32,
    /// The score by the endgame tables.
    table_score: Option<Score>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        let none = -Score::INFINITE;
        RootMove {
            mv,
            score: none,
            previous: none,
            pv: vec![mv],
            nodes: 0,
            seldepth: 0,
            rank: 0,
            table_score: None,
        }
    }

    /// The score to show: that of the endgame tables, unless the search knows the distance to the end or
    /// has not searched the move.
    pub fn shown_score(&self) -> Score {
        match self.table_score {
            Some(known) if !self.score.is_known_end() => known,
            _ => self.score,
        }
    }

    fn keep_score(&mut self) {
        if self.score != -Score::INFINITE {
            self.previous = self.score;
        }
    }
}

/// The root moves that are searched, the best first.
#[derive(Clone, Debug, Default)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    /// The number of moves at the front that are settled in this iteration. With several lines
    /// (MultiPV), each line is searched without the first moves of the lines before it.
    settled: usize,
}

impl RootMoves {
    pub fn new(moves: impl IntoIterator<Item = Move>) -> RootMoves {
        RootMoves { moves: moves.into_iter().map(RootMove::new).collect(), settled: 0 }
    }

    /// The moves to search for this number of lines: all that rank at least as high as the last line's move. `moves`
    /// are sorted, the best first. Each line is searched among the moves of one rank. `draw` is the score of a draw.
    pub fn ranked(moves: &[RankedMove], lines: usize, draw: Score) -> RootMoves {
        let last = moves.get(lines.saturating_sub(1)).or(moves.last());
        let needed =
            moves.iter().take_while(|entry| last.is_some_and(|last| entry.rank >= last.rank));
        let entry = |&RankedMove { mv, rank, result }: &RankedMove| RootMove {
            rank,
            table_score: Some(root_score(result, draw)),
            ..RootMove::new(mv)
        };
        RootMoves { moves: needed.map(entry).collect(), settled: 0 }
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    pub fn get(&self, line: usize) -> Option<&RootMove> {
        self.moves.get(line)
    }

    /// The moves that the present line searches: those that are not settled and rank highest.
    fn open_moves(&self) -> Range<usize> {
        let rest = &self.moves[self.settled..];
        let count = rest.iter().take_while(|entry| entry.rank == rest[0].rank).count();
        self.settled..self.settled + count
    }

    /// The entry of a move, if the present line searches it.
    pub fn find(&mut self, mv: Move) -> Option<&mut RootMove> {
        let open = self.open_moves();
        self.moves[open].iter_mut().find(|entry| entry.mv == mv)
    }

    /// Does the present line search this move?
    pub fn contains(&self, mv: Move) -> bool {
        self.moves[self.open_moves()].iter().any(|entry| entry.mv == mv)
    }

    /// The number of moves that the present line searches.
    pub fn open(&self) -> usize {
        self.open_moves().len()
    }

    /// The first of the moves that the present line searches.
    pub fn first_open(&self) -> Option<Move> {
        self.moves.get(self.settled).map(|entry| entry.mv)
    }

    /// Is the present line the best one?
    pub fn is_first_line(&self) -> bool {
        self.settled == 0
    }

    pub fn start_iteration(&mut self) {
        self.settled = 0;
    }

    /// A new window: the moves of the present line are searched, perhaps for the second time.
    pub fn start_pass(&mut self) {
        let open = self.open_moves();
        for entry in &mut self.moves[open] {
            entry.keep_score();
            entry.score = -Score::INFINITE;
        }
    }

    /// Sorts the moves of the present line by score. Moves without a score keep their order.
    pub fn sort_open(&mut self) {
        let open = self.open_moves();
        self.moves[open].sort_by_key(|entry| -entry.score);
    }

    /// The present line is done. The next line is searched without its move.
    pub fn settle(&mut self) {
        self.settled = (self.settled + 1).min(self.moves.len());
        // A later line can turn out better than an earlier one.
        self.moves[..self.settled].sort_by_key(|entry| Reverse((entry.rank, entry.score)));
    }

    /// The search is over: a move without a score in the last window gets its previous score back.
    pub fn finish(&mut self) {
        for entry in &mut self.moves {
            entry.keep_score();
            entry.score = entry.previous;
        }
    }
}

/// How far the main worker is with the present iteration.
#[derive(Clone, Copy, Debug, Default)]
pub struct RootProgress {
    /// Root moves still to be searched.
    pub moves_left: usize,
    /// The root move being searched.
    pub current: Option<Move>,
}
