//! The figures in the comment on a move of a match: `+0.31/12 0.450s`, which are score, depth and time.

use std::time::Duration;

use trebuchet::notation::pgn::comment::read_time;
use trebuchet::types::{Depth, Score};

/// The figures at the beginning of a comment, as far as it has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures<'a> {
    /// The score, and its depth in plies. A forced end is known to the full move.
    pub eval: Option<(Score, Depth)>,
    /// How long the player took.
    pub elapsed: Option<Duration>,
    /// What follows the figures.
    pub words: &'a str,
}

impl Figures<'_> {
    /// Reads a comment such as `+0.31/12 0.450s, White mates`. After a score, the time may lack its `s`. Without a
    /// score it has a fraction: people write `1980s`, too.
    pub fn read(comment: &str) -> Figures<'_> {
        let (score, after_score) = split_word(comment);
        let has_score = is_score(score);
        let (eval, rest) =
            if has_score { (read_eval(score), after_score) } else { (None, comment) };
        let (time, after_time) = split_word(rest);
        let seconds = match time.strip_suffix('s') {
            Some(seconds) if has_score || seconds.contains(['.', ':']) => Some(seconds),
            _ => Some(time).filter(|_| has_score),
        };
        let elapsed = seconds.and_then(read_time);
        Figures { eval, elapsed, words: if elapsed.is_some() { after_time } else { rest } }
    }
}

/// The first word of a text, without a comma at its end, and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word.trim_end_matches(','), rest.trim_start_matches([' ', ',']))
}

/// Is it a score with its depth? A person may also write `1/2` or `+/-`.
fn is_score(word: &str) -> bool {
    word.split_once('/').is_some_and(|(score, depth)| {
        let is_signed_or_decimal = score.starts_with(['+', '-', '0']) || score.contains('.');
        let has_number = score.ends_with(|c: char| c.is_ascii_digit());
        is_signed_or_decimal && has_number && depth.parse::<Depth>().is_ok()
    })
}

/// `+0.31/12`, or `-M3/12` for a forced end in three moves.
fn read_eval(word: &str) -> Option<(Score, Depth)> {
    let (score, depth) = word.split_once('/')?;
    let score = if let Some(moves) = score.strip_prefix("+M") {
        Score::forced_end(moves.parse().ok()?, true)
    } else if let Some(moves) = score.strip_prefix("-M") {
        Score::forced_end(moves.parse().ok()?, false)
    } else {
        let pawns: f64 = score.parse().ok().filter(|pawns: &f64| pawns.abs() < 320.0)?;
        Score::cp((100.0 * pawns).round() as i32)
    };
    Some((score, depth.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_depth_and_time_are_told_from_words() {
        let cp = |score, depth| Some((Score::cp(score), depth));
        for (comment, eval, millis, words) in [
            ("+0.31/12 0.450s, White mates", cp(31, 12), Some(450), "White mates"),
            ("0.31/12 0.4", cp(31, 12), Some(400), ""),
            ("1.25/3", cp(125, 3), None, ""),
            ("0.00/1, a draw", cp(0, 1), None, "a draw"),
            ("-M3/9 2.5 Black resigns", Some((Score::loss_in(6), 9)), Some(2_500), "Black resigns"),
            // A score that is not understood.
            ("-#3/9 1:02.5 good", None, Some(62_500), "good"),
            ("0.007s, White stalls", None, Some(7), "White stalls"),
            ("+0.31/12 7s", cp(31, 12), Some(7_000), ""),
            ("1980s fashion", None, None, "1980s fashion"),
            ("40 moves later", None, None, "40 moves later"),
            ("1/2 a point", None, None, "1/2 a point"),
            ("+/- says the book", None, None, "+/- says the book"),
            ("+/-5 pawns", None, None, "+/-5 pawns"),
            ("0-0 was better", None, None, "0-0 was better"),
            ("", None, None, ""),
        ] {
            let elapsed = millis.map(Duration::from_millis);
            assert_eq!(Figures::read(comment), Figures { eval, elapsed, words }, "{comment}");
        }
    }
}
