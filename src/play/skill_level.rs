//! The playing levels: the engine at the strength that its user wants.

use std::fmt;
use std::str::FromStr;

use crate::search::SearchRules;
use crate::skill::{GREATEST_ELO, Skill};
use crate::variants::VariantId;

/// How strong an opponent the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum SkillLevel {
    /// Knows the rules and overlooks much.
    Beginner,
    /// Sees what hangs, if it is not far away.
    Amateur,
    /// Plays in a club.
    Intermediate,
    /// Hardly overlooks anything.
    Hard,
    /// The engine at its full strength.
    #[default]
    Master,
}

impl SkillLevel {
    /// By rising strength.
    pub const ALL: [SkillLevel; 5] = [
        SkillLevel::Beginner,
        SkillLevel::Amateur,
        SkillLevel::Intermediate,
        SkillLevel::Hard,
        SkillLevel::Master,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            SkillLevel::Beginner => "Beginner",
            SkillLevel::Amateur => "Amateur",
            SkillLevel::Intermediate => "Intermediate",
            SkillLevel::Hard => "Hard",
            SkillLevel::Master => "Master",
        }
    }

    /// The strength of the level in Elo, as the option `Strength` has it; `None` for full strength.
    pub const fn strength(self) -> Option<u32> {
        match self {
            SkillLevel::Beginner => Some(500),
            SkillLevel::Amateur => Some(1000),
            SkillLevel::Intermediate => Some(1400),
            SkillLevel::Hard => Some(1800),
            SkillLevel::Master => None,
        }
    }
}

impl fmt::Display for SkillLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SkillLevel {
    type Err = UnknownLevel;

    /// The level of this name, in capital or small letters.
    fn from_str(text: &str) -> Result<SkillLevel, UnknownLevel> {
        SkillLevel::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownLevel(text.to_owned()))
    }
}

/// A word that names no level.
#[derive(Debug, thiserror::Error)]
#[error("no such level: {0} ({levels})", levels = SkillLevel::ALL.map(SkillLevel::name).join(", "))]
pub struct UnknownLevel(String);

/// The strongest limited play, in Elo.
pub const GREATEST_LIMITED_ELO: u32 = 2850;

/// Strengths in Elo, and the nodes of the full search that play at them; measured in chess against
/// Stockfish 15.1 with `UCI_Elo`, 2 s + 0.03 s. The first number is not measured; the search is no weaker with it
/// than the best person.
const NODES: [(u32, f64); 4] =
    [(GREATEST_ELO, 1_500.0), (2000, 4_500.0), (2200, 13_000.0), (GREATEST_LIMITED_ELO, 128_000.0)];

/// What keeps the engine from playing at its full strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Handicap {
    /// It plays like a person.
    Person(Skill),
    /// It searches at most this many nodes for a move.
    Nodes(u64),
}

impl Handicap {
    /// The handicap for a strength in Elo, up to [`GREATEST_LIMITED_ELO`], in a game.
    pub fn of_elo(elo: u32, variant: VariantId) -> Handicap {
        if elo <= GREATEST_ELO {
            return Handicap::Person(Skill::of_elo(elo));
        }
        let elo = elo.min(GREATEST_LIMITED_ELO);
        let above = NODES.iter().position(|&(strength, _)| strength >= elo).unwrap_or(1);
        let ((low, fewer), (high, more)) = (NODES[above - 1], NODES[above]);
        let share = f64::from(elo - low) / f64::from(high - low);
        let nodes = (fewer * (more / fewer).powf(share)).round() as u64;
        Handicap::Nodes(for_variant!(variant, V => V::NODES_FOR_STRENGTH * nodes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_named_and_ordered() {
        for level in SkillLevel::ALL {
            assert_eq!(level.name().to_lowercase().parse::<SkillLevel>().unwrap(), level);
        }
        let unknown = "Wizard".parse::<SkillLevel>().unwrap_err().to_string();
        assert_eq!(
            unknown,
            "no such level: Wizard (Beginner, Amateur, Intermediate, Hard, Master)"
        );
        let strengths: Vec<u32> =
            SkillLevel::ALL.into_iter().filter_map(SkillLevel::strength).collect();
        assert!(strengths.is_sorted() && strengths.len() == 4, "{strengths:?}");
    }

    #[test]
    fn beyond_a_person_the_nodes_rise_with_the_strength() {
        let chess = |elo| Handicap::of_elo(elo, VariantId::Standard);
        assert_eq!(chess(1000), Handicap::Person(Skill::of_elo(1000)));
        assert_eq!(chess(GREATEST_ELO + 1), Handicap::Nodes(1_508));
        assert_eq!(chess(2000), Handicap::Nodes(4_500));
        assert_eq!(chess(2525), Handicap::Nodes(40_792));
        assert_eq!(chess(GREATEST_LIMITED_ELO), Handicap::Nodes(128_000));
        assert_eq!(chess(9000), chess(GREATEST_LIMITED_ELO));
        let three_check = |elo| Handicap::of_elo(elo, VariantId::ThreeCheck);
        assert_eq!(three_check(1000), chess(1000));
        assert_eq!(three_check(2000), Handicap::Nodes(13_500));
    }
}
