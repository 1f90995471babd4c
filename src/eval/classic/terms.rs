//! The list of all terms: each term's name, and how many values it has.
//!
//! The values of all terms lie in one row, first those of the common terms, then those that a
//! variant adds. So one index names a value, and the row is what the tuner fits.

use crate::eval::rules::{EvalRules, ExtraTerm, MAX_EXTRA_VALUES, MAX_RACE_LEVELS};

/// A term of the evaluation: its name in `eval.params` and its part of the row of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    pub name: &'static str,
    length: Length,
    first: usize,
}

/// How many values a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Fixed(usize),
    /// One for each race level of the side that the term serves.
    Levels,
    /// One for each pair of race levels: own, then the opponent's.
    LevelPairs,
}

impl Term {
    /// The index in the row of all values of this term's value `number`.
    #[inline(always)]
    pub const fn at(self, number: usize) -> usize {
        self.first + number
    }

    /// The index of the value for this race level of the own side and that of the opponent.
    #[inline(always)]
    pub const fn at_levels(self, own: usize, other: usize) -> usize {
        self.first + own * MAX_RACE_LEVELS + other
    }

    /// The number of values in a variant with this many race levels.
    pub const fn len(self, levels: usize) -> usize {
        match self.length {
            Length::Fixed(count) => count,
            Length::Levels => levels,
            Length::LevelPairs => levels * levels,
        }
    }

    /// The index of the value that `eval.params` of such a variant lists as the term's `number`th.
    pub const fn at_listed(self, number: usize, levels: usize) -> usize {
        match self.length {
            Length::LevelPairs => self.at_levels(number / levels, number % levels),
            _ => self.at(number),
        }
    }
}

/// The terms of one variant, and how many values each has.
pub struct Layout {
    pub terms: Vec<Term>,
    pub levels: usize,
}

impl Layout {
    /// The common terms, then those that the variant adds.
    pub fn of<V: EvalRules>() -> Layout {
        let extra = V::EXTRA_TERMS.iter().enumerate().map(|(number, term)| Term {
            name: term.name,
            length: Length::Fixed(term.len),
            first: extra_index::<V>(number, 0),
        });
        let terms = TERMS.iter().copied().chain(extra).collect();
        Layout { terms, levels: V::RACE_LEVELS }
    }
}

/// The index of a value of the variant's extra term `EXTRA_TERMS[term]`.
#[inline(always)]
pub(super) fn extra_index<V: EvalRules>(term: usize, number: usize) -> usize {
    COMMON_COUNT + extra_offset(V::EXTRA_TERMS, term) + number
}

/// The number of values of the first `count` of these terms.
pub(super) const fn extra_offset(terms: &[ExtraTerm], count: usize) -> usize {
    let mut offset = 0;
    let mut number = 0;
    while number < count {
        offset += terms[number].len;
        number += 1;
    }
    offset
}

macro_rules! terms {
    ($($(#[$doc:meta])* $constant:ident $name:literal $length:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($constant),* }

        const LENGTHS: &[Length] = &[$($length),*];

        /// The terms that all variants have, in the order of their values.
        pub const TERMS: &[Term] = &[$($constant),*];

        $(
            $(#[$doc])*
            pub const $constant: Term = Term {
                name: $name,
                length: LENGTHS[Number::$constant as usize],
                first: first_of(Number::$constant as usize),
            };
        )*
    };
}

/// The index of the first value of a term. Every variant has the same indices, so there is room for
/// the greatest number of race levels.
const fn first_of(term: usize) -> usize {
    let mut index = 0;
    let mut earlier = 0;
    while earlier < term {
        index += match LENGTHS[earlier] {
            Length::Fixed(count) => count,
            Length::Levels => MAX_RACE_LEVELS,
            Length::LevelPairs => MAX_RACE_LEVELS * MAX_RACE_LEVELS,
        };
        earlier += 1;
    }
    index
}

/// The number of values of the common terms.
const COMMON_COUNT: usize = first_of(LENGTHS.len());

/// The length of the row of values: those of the common terms, and room for a variant's own.
pub const VALUE_COUNT: usize = COMMON_COUNT + MAX_EXTRA_VALUES;

use Length::{Fixed, LevelPairs, Levels};

/// The squares a8, b8, … h1 from the piece owner's side of the board.
const SQUARES: Length = Fixed(64);
/// The 2nd to the 7th rank of a pawn.
const PAWN_RANKS: Length = Fixed(6);
/// Distances in king's moves, 1 to 7.
const DISTANCES: Length = Fixed(7);
/// For each distance of a file from the edge, 0 to 3: no pawn on the file, or a pawn on the 2nd to
/// the 7th rank.
const FILES_AND_RANKS: Length = Fixed(28);
/// Pawn, knight, bishop, rook, queen.
const VICTIMS: Length = Fixed(5);

terms! {
    /// Pawn, knight, bishop, rook, queen.
    MATERIAL "material" VICTIMS;
    /// For the side to move. With race levels it also holds the balance of the race.
    TEMPO "tempo" LevelPairs;

    // Piece-square tables. The board is mirrored so that the own king stands on files a to d.
    PST_PAWN "pst_pawn" SQUARES;
    PST_KNIGHT "pst_knight" SQUARES;
    PST_BISHOP "pst_bishop" SQUARES;
    PST_ROOK "pst_rook" SQUARES;
    PST_QUEEN "pst_queen" SQUARES;
    PST_KING "pst_king" SQUARES;

    // Added to them when the own king stands on files a to c of its first two ranks.
    WING_PAWN "wing_pawn" SQUARES;
    WING_KNIGHT "wing_knight" SQUARES;
    WING_BISHOP "wing_bishop" SQUARES;
    WING_ROOK "wing_rook" SQUARES;
    WING_QUEEN "wing_queen" SQUARES;
    // Added to them when the own king has left its first two ranks.
    ADVANCED_PAWN "advanced_pawn" SQUARES;
    ADVANCED_KNIGHT "advanced_knight" SQUARES;
    ADVANCED_BISHOP "advanced_bishop" SQUARES;
    ADVANCED_ROOK "advanced_rook" SQUARES;
    ADVANCED_QUEEN "advanced_queen" SQUARES;

    // By the distance of the piece from the enemy king.
    TROPISM_KNIGHT "tropism_knight" DISTANCES;
    TROPISM_BISHOP "tropism_bishop" DISTANCES;
    TROPISM_ROOK "tropism_rook" DISTANCES;
    TROPISM_QUEEN "tropism_queen" DISTANCES;

    // By the number of squares that the piece attacks, without those that an enemy pawn attacks or an
    // own piece occupies.
    MOBILITY_KNIGHT "mobility_knight" Fixed(9);
    MOBILITY_BISHOP "mobility_bishop" Fixed(14);
    MOBILITY_ROOK "mobility_rook" Fixed(15);
    MOBILITY_QUEEN "mobility_queen" Fixed(28);

    BISHOP_PAIR "bishop_pair" Fixed(1);
    /// For each own pawn on squares of the bishop's colour.
    BISHOP_PAWNS "bishop_pawns" Fixed(1);
    /// Knight, bishop: on ranks 4 to 6, defended by a pawn, where no enemy pawn can attack it.
    OUTPOST "outpost" Fixed(2);
    /// On an open file, on a half-open one.
    ROOK_FILE "rook_file" Fixed(2);
    QUEEN_FILE "queen_file" Fixed(2);
    /// For each of d4, e4, d5, e5 that the side attacks.
    CENTRE "centre" Fixed(1);

    /// With an enemy pawn in front of it on its file, without one.
    ISOLATED "isolated" Fixed(2);
    DOUBLED "doubled" Fixed(1);
    /// As with [`ISOLATED`].
    BACKWARD "backward" Fixed(2);
    PHALANX "phalanx" PAWN_RANKS;
    GUARDED "guarded" PAWN_RANKS;
    PASSED "passed" PAWN_RANKS;
    /// A piece stands right in front of it.
    PASSED_BLOCKED "passed_blocked" PAWN_RANKS;
    /// The square in front of it is empty and not attacked.
    PASSED_FREE "passed_free" PAWN_RANKS;
    /// All squares in front of it are empty and not attacked.
    PASSED_CLEAR "passed_clear" PAWN_RANKS;
    /// The enemy has only king and pawns, and its king cannot catch the pawn.
    PASSED_UNSTOPPABLE "passed_unstoppable" Fixed(1);
    /// From the 4th rank on: the own king's distance to the square in front of the pawn.
    PASSED_OWN_KING "passed_own_king" Fixed(8);
    PASSED_ENEMY_KING "passed_enemy_king" Fixed(8);

    // Attacks on enemy pieces, by the attacked piece.
    /// Knight, bishop, rook, queen.
    THREAT_BY_PAWN "threat_by_pawn" Fixed(4);
    THREAT_BY_MINOR "threat_by_minor" VICTIMS;
    THREAT_BY_ROOK "threat_by_rook" VICTIMS;
    /// The attacked piece has no defender.
    THREAT_TO_LOOSE "threat_to_loose" VICTIMS;
    /// For each enemy piece that a safe pawn push would attack.
    THREAT_BY_PUSH "threat_by_push" Fixed(1);

    // The three files around the king.
    /// The own pawn on the king's rank or in front of it, nearest to the king.
    SHELTER "shelter" FILES_AND_RANKS;
    /// The enemy pawn nearest to the king in the same way.
    STORM "storm" FILES_AND_RANKS;
    /// The enemy's storming pawn stands right in front of the sheltering one.
    STORM_BLOCKED "storm_blocked" PAWN_RANKS;

    // King danger: the sum of these counts by its square.
    DANGER_BASE "danger_base" Levels;
    /// The attacker is to move.
    DANGER_TO_MOVE "danger_to_move" Levels;
    /// The attacker has no queen.
    DANGER_NO_QUEEN "danger_no_queen" Levels;
    // For each square of the king's ring that such a piece attacks.
    DANGER_RING_PAWN "danger_ring_pawn" Levels;
    DANGER_RING_KNIGHT "danger_ring_knight" Levels;
    DANGER_RING_BISHOP "danger_ring_bishop" Levels;
    DANGER_RING_ROOK "danger_ring_rook" Levels;
    DANGER_RING_QUEEN "danger_ring_queen" Levels;
    /// For each square of the ring that is attacked and that only the king or queen defends.
    DANGER_RING_WEAK "danger_ring_weak" Levels;
    /// For each square next to the king that is not attacked and not occupied by its own side.
    DANGER_ESCAPE "danger_escape" Levels;
    // For each square from which such a piece can check without being taken.
    DANGER_CHECK_KNIGHT "danger_check_knight" Levels;
    DANGER_CHECK_BISHOP "danger_check_bishop" Levels;
    DANGER_CHECK_ROOK "danger_check_rook" Levels;
    DANGER_CHECK_QUEEN "danger_check_queen" Levels;
    /// For each checking square that the defender guards.
    DANGER_CHECK_UNSAFE "danger_check_unsafe" Levels;
    /// For each piece of the attacker that gives a discovered check when it moves.
    DANGER_DISCOVERED "danger_discovered" Levels;
    /// For each piece of the defender that is pinned to the king.
    DANGER_PINNED "danger_pinned" Levels;
}

/// The tables by kind, pawn to king.
pub const PST: [Term; 6] = [PST_PAWN, PST_KNIGHT, PST_BISHOP, PST_ROOK, PST_QUEEN, PST_KING];
pub const WING: [Term; 5] = [WING_PAWN, WING_KNIGHT, WING_BISHOP, WING_ROOK, WING_QUEEN];
pub const ADVANCED: [Term; 5] =
    [ADVANCED_PAWN, ADVANCED_KNIGHT, ADVANCED_BISHOP, ADVANCED_ROOK, ADVANCED_QUEEN];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_values_share_an_index() {
        let mut taken = vec![false; COMMON_COUNT];
        for term in TERMS {
            for number in 0..term.len(MAX_RACE_LEVELS) {
                let index = term.at_listed(number, MAX_RACE_LEVELS);
                assert!(!taken[index], "{}[{number}]", term.name);
                taken[index] = true;
            }
        }
        assert!(taken.into_iter().all(|taken| taken));
    }
}
