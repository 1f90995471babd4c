//! An evaluation taken apart into the aspects that people talk about.

use super::Classic;
use super::terms::TERMS;
use super::weights::Weights;
use crate::board::Position;
use crate::eval::rules::{EvalRules, MAX_RACE_LEVELS};
use crate::types::Color;

/// An aspect of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    Material,
    KingSafety,
    Pawns,
    /// Where the pieces stand and how far they reach.
    Mobility,
    /// Attacks on pieces.
    Threats,
    /// The race to an end that the variant adds, and whose move it is.
    Race,
    /// The terms that only this variant has.
    Extra,
}

impl Aspect {
    pub const ALL: [Aspect; 7] = [
        Aspect::Material,
        Aspect::KingSafety,
        Aspect::Pawns,
        Aspect::Mobility,
        Aspect::Threats,
        Aspect::Race,
        Aspect::Extra,
    ];

    /// The aspect of a common term, by the term's name in `eval.params`.
    fn of_term(name: &str) -> Aspect {
        let begins = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
        if begins(&["material", "bishop_pair"]) {
            Aspect::Material
        } else if begins(&["pst_king", "shelter", "storm", "danger"]) {
            Aspect::KingSafety
        } else if name.ends_with("_pawn") && begins(&["pst", "wing", "advanced"])
            || begins(&["isolated", "doubled", "backward", "phalanx", "guarded", "passed"])
        {
            Aspect::Pawns
        } else if begins(&["threat"]) {
            Aspect::Threats
        } else if name == "tempo" {
            Aspect::Race
        } else {
            Aspect::Mobility
        }
    }

    /// The aspect of the value with this index.
    fn of_value(index: usize) -> Aspect {
        let term = TERMS
            .iter()
            .find(|term| (term.at(0)..term.at(0) + term.len(MAX_RACE_LEVELS)).contains(&index));
        term.map_or(Aspect::Extra, |term| Aspect::of_term(term.name))
    }
}

/// Takes the classic evaluation of positions of one variant apart.
pub struct Breakdown<V: EvalRules> {
    weights: Weights,
    classic: Classic<V>,
}

impl<V: EvalRules> Breakdown<V> {
    /// With the variant's built-in weights. They are parsed here, so one value serves for many positions.
    pub fn new() -> Breakdown<V> {
        let weights = Weights::parse::<V>(V::WEIGHTS);
        let weights = weights.expect("the tests parse the built-in weights");
        Breakdown { classic: Classic::with_weights(weights.clone()), weights }
    }

    /// What each aspect adds to the classic evaluation of a position, in centipawns from White's side.
    /// The sum is that evaluation, but for rounding.
    pub fn of(&self, pos: &Position<V>) -> [(Aspect, i32); Aspect::ALL.len()] {
        let Breakdown { weights, classic } = self;
        let trace = classic.trace(pos);
        let white = match pos.side_to_move() {
            Color::White => trace.score(weights),
            Color::Black => -trace.score(weights),
        };
        let [for_white, for_black] = trace.scale_shares();
        let scale = if white < 0 { for_black } else { for_white };
        Aspect::ALL.map(|aspect| {
            let part = trace.part(weights, |index| Aspect::of_value(index) == aspect);
            (aspect, (part as f32 * scale) as i32)
        })
    }
}

impl<V: EvalRules> Default for Breakdown<V> {
    fn default() -> Breakdown<V> {
        Breakdown::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{KingOfTheHill, Standard, ThreeCheck};

    fn parts<V: EvalRules>(fen: &str) -> ([(Aspect, i32); 7], i32) {
        let pos = Position::<V>::from_fen(fen).unwrap();
        let score = Classic::<V>::new().evaluate(&pos).value();
        (Breakdown::new().of(&pos), if pos.side_to_move() == Color::White { score } else { -score })
    }

    fn part(parts: &[(Aspect, i32)], aspect: Aspect) -> i32 {
        parts.iter().find(|part| part.0 == aspect).unwrap().1
    }

    #[test]
    fn the_parts_add_up_to_the_evaluation() {
        let fens = [
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
            "r2q1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPP2PPP/R2QR1K1 b - - 0 8",
            "8/8/4k3/8/8/4K3/2B2P2/8 w - - 0 1",
        ];
        for fen in fens {
            for (parts, score) in
                [parts::<Standard>(fen), parts::<ThreeCheck>(fen), parts::<KingOfTheHill>(fen)]
            {
                let sum: i32 = parts.iter().map(|part| part.1).sum();
                assert!((sum - score).abs() <= 7, "{fen}: {parts:?} {score}");
            }
        }
    }

    #[test]
    fn each_part_measures_its_aspect() {
        // White has a rook more and nothing else differs much.
        let (rook, _) = parts::<Standard>("4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K3 w - - 0 1");
        assert!(part(&rook, Aspect::Material) > 450, "{rook:?}");
        // In three-check White has given two checks.
        let (ahead, _) =
            parts::<ThreeCheck>("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+3 0 1");
        assert!(part(&ahead, Aspect::Race) > 100, "{ahead:?}");
        assert_eq!(part(&ahead, Aspect::Material), 0);
        // White's king is next to the hill.
        let (hill, _) = parts::<KingOfTheHill>("4k3/8/8/8/8/3K4/8/8 w - - 0 1");
        assert!(part(&hill, Aspect::Extra) > 0, "{hill:?}");
    }
}
