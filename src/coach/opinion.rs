//! A position in words: who stands better, how the game is about to end, and why.

use crate::board::Position;
use crate::eval::classic::{Aspect, Breakdown};
use crate::types::{Color, Score};

use super::chances::{WINNING_LEAD, win_chances};
use super::danger::WINS_MATERIAL;
use super::exchange::gain_of;
use super::rules::CoachRules;

/// Leads in centipawns: from the first on, a side is slightly better; from the second on better; from
/// the third on it is winning.
const LEADS: [i32; 3] = [50, 150, WINNING_LEAD];

/// The most captures until a position counts as quiet.
const LONGEST_EXCHANGE: usize = 12;
/// Scores agree if the chances to win that they stand for differ by no more than this.
const AGREEMENT: f64 = 0.15;

/// An aspect that weighs less than this is not worth a word, in centipawns.
const WORTH_A_WORD: i32 = 10;

/// What a coach thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// Who stands better and by how many pawns: `White is winning, +3.20`. What is one step from an
    /// end of the game follows: `Black needs one more check`.
    pub headline: String,
    /// What the classic evaluation is made of, the heaviest aspect first: the aspect and centipawns from
    /// White's side, in the quiet position after the exchanges that are under way. The score in the
    /// headline is that of a search, which evaluates with the network where the game has one: the parts
    /// need not add up to it. There are none if the two do not agree on who stands better and how clearly,
    /// or if the end of the game is in sight.
    pub parts: Vec<(&'static str, i32)>,
}

impl Opinion {
    /// The parts in words: `material +1.00, king safety -0.35`. Empty if nothing weighs anything.
    pub fn made_of(&self) -> String {
        let parts: Vec<String> =
            self.parts.iter().map(|&(name, value)| format!("{name} {}", pawns(value))).collect();
        parts.join(", ")
    }
}

/// The opinion on a position. `score` is what a search has found, from the side to move.
pub fn opinion<V: CoachRules>(pos: &Position<V>, score: Score) -> Opinion {
    // A draw that nobody has claimed does not end the game.
    let won = || pos.outcome().filter(|outcome| outcome.winner.is_some());
    if let Some(outcome) = pos.variant_outcome().or_else(won) {
        return Opinion { headline: outcome.to_string(), parts: Vec::new() };
    }
    let mut headline = who_is_better(score, pos.side_to_move());
    for color in Color::ALL {
        if let Some(step) = V::describe_last_step(pos, color) {
            headline += &format!(". {color} {step}");
        }
    }
    let aspects = Breakdown::<V>::new().of(&after_exchanges(pos));
    let sum: i32 = aspects.iter().map(|(_, value)| value).sum();
    if !agree(score.for_white(pos.side_to_move()), Score::cp(sum)) {
        return Opinion { headline, parts: Vec::new() };
    }
    let mut parts: Vec<(&str, i32)> = aspects
        .into_iter()
        .map(|(aspect, value)| (name_of::<V>(aspect), value))
        .filter(|(_, value)| value.abs() >= WORTH_A_WORD)
        .collect();
    sort_by_weight(&mut parts);
    Opinion { headline, parts }
}

/// What counts most comes first.
fn sort_by_weight(parts: &mut [(&str, i32)]) {
    parts.sort_by_key(|(_, value)| -value.abs());
}

/// The position after the captures that win material now, each by static exchange evaluation. Where captures are
/// compulsory, none is said to win material.
fn after_exchanges<V: CoachRules>(pos: &Position<V>) -> Position<V> {
    let mut pos = pos.clone();
    if V::MUST_CAPTURE {
        return pos;
    }
    for _ in 0..LONGEST_EXCHANGE {
        let moves = pos.legal_moves();
        let captures = moves.iter().filter(|mv| mv.is_noisy()).map(|&mv| (gain_of(&pos, mv), mv));
        let Some((gain, mv)) = captures.max_by_key(|(gain, _)| *gain) else { break };
        if gain < WINS_MATERIAL {
            break;
        }
        pos.make_move(mv);
    }
    pos
}

/// Do two scores from the same side tell the same of a game that is not decided by force?
fn agree(one: Score, two: Score) -> bool {
    let difference = win_chances(one) - win_chances(two);
    let lead =
        |score: Score| if score.value().abs() < LEADS[0] { 0 } else { score.value().signum() };
    !one.is_decisive() && difference.abs() <= AGREEMENT && lead(one) * lead(two) >= 0
}

/// Who stands better, in words and pawns. The score is seen from the side to move.
fn who_is_better(score: Score, us: Color) -> String {
    let white = score.for_white(us);
    let side = if white < Score::ZERO { Color::Black } else { Color::White };
    match score.moves_to_end() {
        Some(0) => format!("{side} mates"),
        Some(moves) => format!("{side} wins in {}", moves.abs()),
        None if score.is_decisive() => format!("{side} wins by the endgame tables"),
        None => {
            let pawns = pawns(white.value());
            match LEADS.iter().filter(|&&lead| white.value().abs() >= lead).count() {
                0 => format!("Even game, {pawns}"),
                1 => format!("{side} is slightly better, {pawns}"),
                2 => format!("{side} is better, {pawns}"),
                _ => format!("{side} is winning, {pawns}"),
            }
        }
    }
}

/// Centipawns as pawns, with a sign.
pub(super) fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

/// The word for an aspect in this variant.
const fn name_of<V: CoachRules>(aspect: Aspect) -> &'static str {
    match aspect {
        Aspect::Material => "material",
        Aspect::KingSafety => "king safety",
        Aspect::Pawns => "pawns",
        Aspect::Mobility => "mobility",
        Aspect::Threats => "threats",
        Aspect::Race => V::RACE_NAME,
        Aspect::Extra => V::EXTRA_NAME,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Antichess, Giveaway, KingOfTheHill, Standard, Suicide, ThreeCheck};

    #[test]
    fn scores_become_words() {
        for (score, words) in [
            (Score::cp(12), "Even game, +0.12"),
            (Score::cp(-49), "Even game, -0.49"),
            (Score::cp(-50), "Black is slightly better, -0.50"),
            (Score::cp(150), "White is better, +1.50"),
            (Score::cp(-320), "Black is winning, -3.20"),
            (Score::win_in(5), "White wins in 3"),
            (Score::loss_in(2), "Black wins in 1"),
            (Score::loss_in(0), "Black mates"),
            (Score::table_win(5), "White wins by the endgame tables"),
        ] {
            assert_eq!(who_is_better(score, Color::White), words);
            let mirrored =
                words.replace("White", "?").replace("Black", "White").replace('?', "Black");
            if score.is_decisive() {
                assert_eq!(who_is_better(score, Color::Black), mirrored);
            }
        }
    }

    #[test]
    fn scores_agree_if_they_are_close_and_no_two_sides_lead() {
        for (one, two, expected) in
            [(0, 0, true), (60, 20, true), (-20, -60, true), (50, -50, false), (60, 600, false)]
        {
            for (one, two) in [(one, two), (two, one)] {
                assert_eq!(agree(Score::cp(one), Score::cp(two)), expected, "{one} {two}");
            }
        }
        assert!(!agree(Score::win_in(1), Score::win_in(1)));
    }

    #[test]
    fn exchanges_are_played_where_captures_can_win_material() {
        let fen = "4k3/2p5/3p4/3p4/8/8/8/3R4 w - - 0 1";
        let pos = Position::<Standard>::from_fen(&fen.replace("3R4", "3RK3")).unwrap();
        assert_eq!(after_exchanges(&pos).fen(), "4k3/2p5/3p4/3R4/8/8/8/4K3 b - - 0 1");
        let pos = Position::<Antichess>::from_fen(fen).unwrap();
        assert_eq!(after_exchanges(&pos).fen(), fen);
    }

    #[test]
    fn the_last_step_to_a_win_is_told() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+1 0 1";
        let pos = Position::<ThreeCheck>::from_fen(start).unwrap();
        assert_eq!(
            opinion(&pos, Score::cp(60)).headline,
            "White is slightly better, +0.60. White needs one more check. Black needs one more check"
        );
        let pos = Position::<Antichess>::from_fen("8/8/8/8/8/p6P/P7/8 b - - 0 1").unwrap();
        assert_eq!(opinion(&pos, Score::win_in(0)).headline, "Black reaches stalemate");
        let pos = Position::<KingOfTheHill>::from_fen("4k3/8/8/8/8/4K3/8/8 w - - 0 1").unwrap();
        let said = opinion(&pos, Score::win_in(1));
        assert_eq!(said.headline, "White wins in 1. White stands next to the hill");
        assert!(said.parts.is_empty(), "{said:?}");
        let sum: i32 = Breakdown::<KingOfTheHill>::new().of(&pos).iter().map(|part| part.1).sum();
        let said = opinion(&pos, Score::cp(sum));
        assert!(said.parts.iter().any(|part| part.0 == "the way to the hill"), "{said:?}");
    }

    #[test]
    fn the_last_man_to_give_away_is_told() {
        fn check<V: CoachRules>() {
            let pos = Position::<V>::from_fen("8/3p4/8/8/8/8/PP6/8 w - - 0 1").unwrap();
            let said = opinion(&pos, Score::cp(12)).headline;
            assert_eq!(said, "Even game, +0.12. Black has one more man to give away");
        }
        check::<Antichess>();
        check::<Giveaway>();
        check::<Suicide>();
    }

    #[test]
    fn the_parts_are_those_of_a_quiet_position() {
        // White's queen has just taken a pawn, and Black's rook takes the queen.
        let fen = "4k3/ppp1pppp/3r4/3Q4/8/8/PPP1PPPP/4K3 b - - 0 1";
        let pos = Position::<Standard>::from_fen(fen).unwrap();
        let black = opinion(&pos, Score::cp(600));
        assert_eq!(black.parts[0].0, "material", "{black:?}");
        assert!(black.parts[0].1 < -300, "{black:?}");
        // What the search does not confirm is not said.
        assert_eq!(opinion(&pos, Score::cp(-30)).parts, []);
        assert_eq!(opinion(&pos, Score::cp(-900)).parts, []);
    }

    #[test]
    fn the_heaviest_aspect_comes_first() {
        let pos =
            Position::<Standard>::from_fen("4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K3 w - - 0 1").unwrap();
        let said = opinion(&pos, Score::cp(500));
        assert_eq!(said.parts[0].0, "material");
        assert!(said.made_of().starts_with("material +"), "{}", said.made_of());
    }
}
