//! The list of everything the evaluation knows: each term's name, and how many values it has.
//!
//! The values of all terms lie in one row, so that one number names a value: the tuner's unknowns.

/// The greatest number of stages a variant may have, see [`EvalRules::STAGES`](super::EvalRules).
pub const MAX_STAGES: usize = 3;

/// A term of the evaluation: a name in `eval.params` and a place in the row of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    pub name: &'static str,
    length: Length,
    at: usize,
}

/// How many values a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Fixed(usize),
    /// One for each stage of the side that attacks.
    Stages,
    /// One for each pair of stages: own, then the opponent's.
    StagePairs,
}

impl Term {
    /// Where the value `index` of this term lies in the row of all values.
    #[inline(always)]
    pub const fn at(self, index: usize) -> usize {
        self.at + index
    }

    /// Where the value for a stage of the own side and one of the opponent lies.
    #[inline(always)]
    pub const fn at_stages(self, own: usize, other: usize) -> usize {
        self.at + own * MAX_STAGES + other
    }

    /// How many values the term has in a variant with this many stages.
    pub const fn count(self, stages: usize) -> usize {
        match self.length {
            Length::Fixed(count) => count,
            Length::Stages => stages,
            Length::StagePairs => stages * stages,
        }
    }

    /// Where the value lies that is the term's `index`-th in the file of such a variant.
    pub const fn at_listed(self, index: usize, stages: usize) -> usize {
        match self.length {
            Length::StagePairs => self.at_stages(index / stages, index % stages),
            _ => self.at(index),
        }
    }

    const fn room(length: Length) -> usize {
        match length {
            Length::Fixed(count) => count,
            Length::Stages => MAX_STAGES,
            Length::StagePairs => MAX_STAGES * MAX_STAGES,
        }
    }
}

macro_rules! terms {
    ($($(#[$doc:meta])* $constant:ident $name:literal $length:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($constant),* }

        const LENGTHS: &[Length] = &[$($length),*];

        /// Every term, in the order of their places.
        pub const TERMS: &[Term] = &[$($constant),*];

        $(
            $(#[$doc])*
            pub const $constant: Term = Term {
                name: $name,
                length: LENGTHS[Number::$constant as usize],
                at: place_of(Number::$constant as usize),
            };
        )*
    };
}

const fn place_of(number: usize) -> usize {
    let mut at = 0;
    let mut earlier = 0;
    while earlier < number {
        at += Term::room(LENGTHS[earlier]);
        earlier += 1;
    }
    at
}

/// The number of values of all terms together.
pub const VALUE_COUNT: usize = place_of(LENGTHS.len());

use Length::{Fixed, StagePairs, Stages};

/// The squares of a table, a8, b8, … h1 as the owner of the piece sees them.
const SQUARES: Length = Fixed(64);
/// The ranks a pawn may stand on, the 2nd to the 7th.
const PAWN_RANKS: Length = Fixed(6);
/// Distances in king's moves, 1 to 7.
const DISTANCES: Length = Fixed(7);
/// No pawn on the file or a pawn on the 2nd to the 7th rank; by the file's distance from the edge.
const FILES_AND_RANKS: Length = Fixed(28);
/// Pawn, knight, bishop, rook, queen.
const VICTIMS: Length = Fixed(5);

terms! {
    /// Pawn, knight, bishop, rook, queen.
    MATERIAL "material" VICTIMS;
    /// To be to move; with stages also the balance of the race.
    TEMPO "tempo" StagePairs;

    // Piece-square tables. The board is mirrored so that the own king stands on files a to d.
    PST_PAWN "pst_pawn" SQUARES;
    PST_KNIGHT "pst_knight" SQUARES;
    PST_BISHOP "pst_bishop" SQUARES;
    PST_ROOK "pst_rook" SQUARES;
    PST_QUEEN "pst_queen" SQUARES;
    PST_KING "pst_king" SQUARES;

    // What is added to them when the own king stands on files a to c of its first two ranks …
    WING_PAWN "wing_pawn" SQUARES;
    WING_KNIGHT "wing_knight" SQUARES;
    WING_BISHOP "wing_bishop" SQUARES;
    WING_ROOK "wing_rook" SQUARES;
    WING_QUEEN "wing_queen" SQUARES;
    // … or has left them.
    ABROAD_PAWN "abroad_pawn" SQUARES;
    ABROAD_KNIGHT "abroad_knight" SQUARES;
    ABROAD_BISHOP "abroad_bishop" SQUARES;
    ABROAD_ROOK "abroad_rook" SQUARES;
    ABROAD_QUEEN "abroad_queen" SQUARES;

    // By the distance of the piece from the enemy king.
    TROPISM_KNIGHT "tropism_knight" DISTANCES;
    TROPISM_BISHOP "tropism_bishop" DISTANCES;
    TROPISM_ROOK "tropism_rook" DISTANCES;
    TROPISM_QUEEN "tropism_queen" DISTANCES;

    // By the number of squares the piece attacks that no enemy pawn guards and no own piece holds.
    MOBILITY_KNIGHT "mobility_knight" Fixed(9);
    MOBILITY_BISHOP "mobility_bishop" Fixed(14);
    MOBILITY_ROOK "mobility_rook" Fixed(15);
    MOBILITY_QUEEN "mobility_queen" Fixed(28);

    BISHOP_PAIR "bishop_pair" Fixed(1);
    /// For each own pawn on squares of the bishop's colour.
    BISHOP_PAWNS "bishop_pawns" Fixed(1);
    /// Knight, bishop: on ranks 4 to 6, guarded by a pawn, out of reach of enemy pawns.
    OUTPOST "outpost" Fixed(2);
    /// On an open file, on a half-open one.
    ROOK_FILE "rook_file" Fixed(2);
    QUEEN_FILE "queen_file" Fixed(2);
    /// For each of d4, e4, d5, e5 that is attacked.
    CENTRE "centre" Fixed(1);

    /// Behind an enemy pawn on its file, in front of none.
    ISOLATED "isolated" Fixed(2);
    DOUBLED "doubled" Fixed(1);
    /// As with [`ISOLATED`].
    BACKWARD "backward" Fixed(2);
    PHALANX "phalanx" PAWN_RANKS;
    GUARDED "guarded" PAWN_RANKS;
    PASSED "passed" PAWN_RANKS;
    /// A piece stands in front of it.
    PASSED_BLOCKED "passed_blocked" PAWN_RANKS;
    /// It can step forward unharmed.
    PASSED_FREE "passed_free" PAWN_RANKS;
    /// All squares in front of it are empty and out of the enemy's reach.
    PASSED_CLEAR "passed_clear" PAWN_RANKS;
    /// The enemy has only king and pawns, and the king is too far away.
    PASSED_UNSTOPPABLE "passed_unstoppable" Fixed(1);
    /// From the 4th rank on: the own king's distance to the square in front of the pawn.
    PASSED_OWN_KING "passed_own_king" Fixed(8);
    PASSED_ENEMY_KING "passed_enemy_king" Fixed(8);

    // One side attacks a piece of the other: by what, and what is attacked.
    /// Knight, bishop, rook, queen.
    THREAT_BY_PAWN "threat_by_pawn" Fixed(4);
    THREAT_BY_MINOR "threat_by_minor" VICTIMS;
    THREAT_BY_ROOK "threat_by_rook" VICTIMS;
    /// The attacked piece has no defender.
    THREAT_TO_LOOSE "threat_to_loose" VICTIMS;
    /// A pawn can step forward unharmed to attack a piece.
    THREAT_BY_PUSH "threat_by_push" Fixed(1);

    // The three files around the king.
    /// The own pawn nearest to the king's rank, not behind it.
    SHELTER "shelter" FILES_AND_RANKS;
    /// The enemy pawn nearest to it.
    STORM "storm" FILES_AND_RANKS;
    /// The enemy's storming pawn stands right in front of the sheltering one.
    STORM_BLOCKED "storm_blocked" PAWN_RANKS;

    // King danger: these are added up, and the sum counts by its square.
    DANGER_BASE "danger_base" Stages;
    /// The attacker is to move.
    DANGER_TO_MOVE "danger_to_move" Stages;
    /// The attacker has no queen.
    DANGER_NO_QUEEN "danger_no_queen" Stages;
    // Each square of the king's ring that is attacked by such a piece.
    DANGER_RING_PAWN "danger_ring_pawn" Stages;
    DANGER_RING_KNIGHT "danger_ring_knight" Stages;
    DANGER_RING_BISHOP "danger_ring_bishop" Stages;
    DANGER_RING_ROOK "danger_ring_rook" Stages;
    DANGER_RING_QUEEN "danger_ring_queen" Stages;
    /// Each square of the ring that is attacked, and defended by king or queen at most.
    DANGER_RING_WEAK "danger_ring_weak" Stages;
    /// Each neighbouring square to which the king may go.
    DANGER_ESCAPE "danger_escape" Stages;
    // Each square from which such a piece can give check and is not lost there.
    DANGER_CHECK_KNIGHT "danger_check_knight" Stages;
    DANGER_CHECK_BISHOP "danger_check_bishop" Stages;
    DANGER_CHECK_ROOK "danger_check_rook" Stages;
    DANGER_CHECK_QUEEN "danger_check_queen" Stages;
    /// Each check on a square that is guarded.
    DANGER_CHECK_UNSAFE "danger_check_unsafe" Stages;
    /// Each piece of the attacker that discovers a check when it moves.
    DANGER_DISCOVERED "danger_discovered" Stages;
    /// Each piece of the defender that is pinned to the king.
    DANGER_PINNED "danger_pinned" Stages;
}

/// The tables by kind, pawn to king.
pub const PST: [Term; 6] = [PST_PAWN, PST_KNIGHT, PST_BISHOP, PST_ROOK, PST_QUEEN, PST_KING];
pub const WING: [Term; 5] = [WING_PAWN, WING_KNIGHT, WING_BISHOP, WING_ROOK, WING_QUEEN];
pub const ABROAD: [Term; 5] =
    [ABROAD_PAWN, ABROAD_KNIGHT, ABROAD_BISHOP, ABROAD_ROOK, ABROAD_QUEEN];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_place_of_its_own() {
        let mut taken = vec![false; VALUE_COUNT];
        for term in TERMS {
            for index in 0..term.count(MAX_STAGES) {
                let place = term.at_listed(index, MAX_STAGES);
                assert!(!taken[place], "{}[{index}]", term.name);
                taken[place] = true;
            }
        }
        assert!(taken.into_iter().all(|taken| taken));
    }
}
