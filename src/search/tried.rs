//! The moves of a node that were searched and did not cause a cutoff.

use crate::types::Move;

const CAPACITY: usize = 32;

/// Two short lists, quiet and noisy; what is beyond their room is forgotten.
pub struct Tried {
    lists: [[Option<Move>; CAPACITY]; 2],
    lens: [usize; 2],
}

impl Tried {
    pub fn new() -> Tried {
        Tried { lists: [[None; CAPACITY]; 2], lens: [0; 2] }
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
