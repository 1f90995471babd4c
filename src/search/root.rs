//! The moves of the root and what is known about each.

use crate::types::{Depth, Move, Score};

/// One move of the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// The score of the present search; lost by infinity when it was only shown to be no better than
    /// another.
    pub score: Score,
    /// The score of the last search that gave one.
    pub previous: Score,
    /// The line that begins with the move.
    pub pv: Vec<Move>,
    /// Nodes spent below the move in the whole search.
    pub nodes: u64,
    /// The deepest line looked at, in plies.
    pub seldepth: Depth,
}

impl RootMove {
    fn keep_score(&mut self) {
        if self.score != -Score::INFINITE {
            self.previous = self.score;
        }
    }
}

/// All moves of the root that are to be searched, the best first.
#[derive(Clone, Debug, Default)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    /// How many of the moves at the front are already settled in this iteration: with several
    /// lines asked for, the later ones are searched without the moves of the earlier ones.
    settled: usize,
}

impl RootMoves {
    pub fn new(moves: impl IntoIterator<Item = Move>) -> RootMoves {
        let lost = -Score::INFINITE;
        let entry =
            |mv| RootMove { mv, score: lost, previous: lost, pv: vec![mv], nodes: 0, seldepth: 0 };
        RootMoves { moves: moves.into_iter().map(entry).collect(), settled: 0 }
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

    /// The entry of a move that is to be searched for the present line.
    pub fn find(&mut self, mv: Move) -> Option<&mut RootMove> {
        self.moves[self.settled..].iter_mut().find(|entry| entry.mv == mv)
    }

    /// Is the move to be searched for the present line?
    pub fn contains(&self, mv: Move) -> bool {
        self.moves[self.settled..].iter().any(|entry| entry.mv == mv)
    }

    /// The moves still to be searched for the present line.
    pub fn open(&self) -> usize {
        self.moves.len() - self.settled
    }

    /// The move that stands first among those of the present line.
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

    /// The moves of the present line are searched, perhaps once more with a wider window.
    pub fn start_pass(&mut self) {
        for entry in &mut self.moves[self.settled..] {
            entry.keep_score();
            entry.score = -Score::INFINITE;
        }
    }

    /// Sorts the moves of the present line by score; those without one keep their order.
    pub fn sort_open(&mut self) {
        self.moves[self.settled..].sort_by_key(|entry| -entry.score);
    }

    /// The present line is done: the next one is searched without its move.
    pub fn settle(&mut self) {
        self.settled = (self.settled + 1).min(self.moves.len());
        // A later line can turn out better than an earlier one.
        self.moves[..self.settled].sort_by_key(|entry| -entry.score);
    }

    /// The search is over: a move that the last iteration gave no score has its previous one.
    pub fn finish(&mut self) {
        for entry in &mut self.moves {
            entry.keep_score();
            entry.score = entry.previous;
        }
    }
}
