//! Play of a limited strength: a search that thinks like a person.
//!
//! A person of some strength looks a few plies ahead, overlooks moves that are hard to see, and
//! misjudges positions. So does `think`: `attention` says which moves it overlooks, `person`
//! searches, and `Skill` says how well it does both. The full search is not involved, so it pays
//! nothing for this.
//!
//! Imports `search` and what is below it. It never prints and reads no clock but that of its
//! [`StopToken`](crate::search::StopToken).

mod attention;
mod person;

pub use person::think;

/// How well a person plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// How far the person looks ahead, in plies; exchanges are followed to their end. A fraction is the chance to
    /// look one ply further: with 2.25, the person looks 3 plies ahead for one move of four, else 2.
    pub depth: f64,
    /// How many positions the person looks at for one move.
    pub nodes: u64,
    /// The chance to overlook a move that is neither easy nor hard to see, 0 to 1.
    pub oversight: f64,
    /// The standard deviation of the person's judgement from the evaluation, in centipawns.
    pub misjudgement: f64,
}

/// The strength of the weakest person, in Elo.
pub const LEAST_ELO: u32 = 100;
/// The strength of the best person, in Elo. Beyond it, [`Skill::of_elo`] knows no person.
pub const GREATEST_ELO: u32 = 1800;

/// A strength in Elo and the skill that plays at it, measured in chess with network 14: against Stockfish 15.1 with
/// `UCI_Elo`, whose scale begins at 1320, and below that among themselves.
struct Anchor {
    elo: u32,
    skill: Skill,
}

const fn anchor(elo: u32, depth: f64, nodes: u64, oversight: f64, misjudgement: f64) -> Anchor {
    Anchor { elo, skill: Skill { depth, nodes, oversight, misjudgement } }
}

/// By rising strength.
const ANCHORS: [Anchor; 5] = [
    anchor(LEAST_ELO, 1.0, 330, 0.69, 290.0),
    anchor(500, 1.0, 500, 0.45, 150.0),
    anchor(990, 2.0, 3_000, 0.30, 110.0),
    anchor(1460, 3.0, 10_000, 0.17, 75.0),
    anchor(GREATEST_ELO, 4.0, 40_000, 0.08, 45.0),
];

impl Skill {
    /// The skill of a person of this strength. Between two measured strengths, the skill lies
    /// between theirs. A strength out of range counts as the nearest one in range.
    pub fn of_elo(elo: u32) -> Skill {
        let elo = elo.clamp(LEAST_ELO, GREATEST_ELO);
        let above =
            ANCHORS.iter().position(|anchor| anchor.elo >= elo).unwrap_or(ANCHORS.len() - 1);
        let (low, high) = (&ANCHORS[above.saturating_sub(1)], &ANCHORS[above]);
        let share = match high.elo - low.elo {
            0 => 0.0,
            step => f64::from(elo - low.elo) / f64::from(step),
        };
        let (low, high) = (low.skill, high.skill);
        let between = |low: f64, high: f64| low * (1.0 - share) + high * share;
        // The work of a search grows exponentially.
        let growth = between((low.nodes as f64).ln(), (high.nodes as f64).ln());
        Skill {
            depth: between(low.depth, high.depth),
            nodes: growth.exp().round() as u64,
            oversight: between(low.oversight, high.oversight),
            misjudgement: between(low.misjudgement, high.misjudgement),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skill_rises_with_strength() {
        assert_eq!(Skill::of_elo(0), Skill::of_elo(LEAST_ELO));
        assert_eq!(Skill::of_elo(9999), Skill::of_elo(GREATEST_ELO));
        for anchor in &ANCHORS {
            assert_eq!(Skill::of_elo(anchor.elo), anchor.skill);
        }
        let skills: Vec<Skill> =
            (LEAST_ELO..=GREATEST_ELO).step_by(50).map(Skill::of_elo).collect();
        for pair in skills.windows(2) {
            let [weak, strong] = pair else { unreachable!("windows of two") };
            assert!(weak.depth <= strong.depth && weak.nodes < strong.nodes, "{pair:?}");
            assert!(weak.oversight > strong.oversight, "{pair:?}");
            assert!(weak.misjudgement > strong.misjudgement, "{pair:?}");
        }
    }
}
