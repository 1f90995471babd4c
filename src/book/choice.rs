//! Which move of a book to play.

use rand::{Rng, RngExt};

use crate::types::Move;

/// A legal move from a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    /// The weight; moves of weight 0 are known, but not to be played.
    pub weight: u32,
}

/// The variety at which each move is as likely as its weight says.
const BY_WEIGHT: f64 = 50.0;

/// Chooses a move at random; `None` if no move has a weight.
///
/// `variety` runs from 0 to 100. At 50, a move is as likely as its share of all weights. Below 50 the
/// heavier moves are more likely than that, and at 0 the heaviest one is always played, the first of
/// several. Above 50 the shares even out, and at 100 all moves are equally likely.
pub fn choose(moves: &[BookMove], variety: u8, random: &mut impl Rng) -> Option<Move> {
    let heaviest = moves.iter().map(|found| found.weight).max().filter(|&weight| weight > 0)?;
    if variety == 0 {
        return moves.iter().find(|found| found.weight == heaviest).map(|found| found.mv);
    }
    let variety = f64::from(variety.min(100));
    // The likelihood of a move is this power of its weight.
    let power =
        if variety < BY_WEIGHT { BY_WEIGHT / variety } else { (100.0 - variety) / BY_WEIGHT };
    let likelihood = |found: &BookMove| match found.weight {
        0 => 0.0,
        weight => (f64::from(weight) / f64::from(heaviest)).powf(power),
    };
    let mut left = random.random::<f64>() * moves.iter().map(likelihood).sum::<f64>();
    let mut played = moves.iter().filter(|found| found.weight > 0);
    let chosen = played.clone().find(|found| {
        left -= likelihood(found);
        left < 0.0
    });
    // Rounding can leave a little at the end.
    chosen.or_else(|| played.next_back()).map(|found| found.mv)
}

/// The moves with their weights and their shares of all weights, as lines for people. `write` gives
/// the text of a move.
pub fn table(moves: &[BookMove], write: impl Fn(Move) -> String) -> Vec<String> {
    if moves.is_empty() {
        return vec!["no book move".to_owned()];
    }
    let total: u64 = moves.iter().map(|found| u64::from(found.weight)).sum();
    let mut lines = vec![format!("{:8} {:>7} {:>6}", "move", "weight", "share")];
    lines.extend(moves.iter().map(|found| {
        let share = 100.0 * f64::from(found.weight) / total.max(1) as f64;
        format!("{:8} {:>7} {share:>5.1}%", write(found.mv), found.weight)
    }));
    lines
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::board::Position;
    use crate::variants::Standard;

    /// How often each of four moves of weights 0, 100, 300 and 600 is chosen in 10000 games.
    fn counts(variety: u8) -> [u32; 4] {
        let legal = Position::<Standard>::start().legal_moves();
        let weights = [0, 100, 300, 600];
        let moves: Vec<BookMove> =
            legal.iter().zip(weights).map(|(&mv, weight)| BookMove { mv, weight }).collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            let chosen = choose(&moves, variety, &mut random).unwrap();
            counts[moves.iter().position(|found| found.mv == chosen).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn the_variety_says_how_much_the_weights_count() {
        assert_eq!(counts(0), [0, 0, 0, 10_000]);
        let near = |counts: [u32; 4], expected: [u32; 4]| {
            let is_near = counts.iter().zip(expected).all(|(count, expected)| {
                count.abs_diff(expected) < 200 && (expected > 0 || *count == 0)
            });
            assert!(is_near, "{counts:?}, not {expected:?}");
        };
        near(counts(50), [0, 1000, 3000, 6000]);
        // Squares of the weights: 1, 9, 36.
        near(counts(25), [0, 217, 1957, 7826]);
        // Square roots.
        near(counts(75), [0, 1940, 3360, 4700]);
        near(counts(100), [0, 3333, 3333, 3333]);
        assert_eq!(counts(1)[3], 10_000);
        assert_eq!(counts(255), counts(100));
    }

    #[test]
    fn the_table_has_shares() {
        let legal = Position::<Standard>::start().legal_moves();
        let [a, b] = [(legal[0], 700), (legal[1], 0)].map(|(mv, weight)| BookMove { mv, weight });
        let lines = |moves: &[BookMove]| table(moves, |mv| mv.to_string());
        let [first, second] = [a, b].map(|found| found.mv.to_string());
        let expected = [
            "move      weight  share".to_owned(),
            format!("{first}         700 100.0%"),
            format!("{second}           0   0.0%"),
        ];
        assert_eq!(lines(&[a, b]), expected);
        assert_eq!(lines(&[b])[1], format!("{second}           0   0.0%"));
        assert_eq!(lines(&[]), ["no book move"]);
    }

    #[test]
    fn nothing_is_chosen_without_a_weight() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let legal = Position::<Standard>::start().legal_moves();
        let moves = [BookMove { mv: legal[0], weight: 0 }];
        for variety in [0, 50, 100] {
            assert_eq!(choose(&moves, variety, &mut random), None);
            assert_eq!(choose(&[], variety, &mut random), None);
        }
    }
}
