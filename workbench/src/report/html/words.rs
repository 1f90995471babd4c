//! Texts that several parts of the page use.

use std::time::Duration;

use crate::report::{AnnotatedGame, AnnotatedPly};
use trebuchet::coach::{Judgement, VerdictKind};
use trebuchet::types::{Color, GameResult, Score};

/// The value of a tag, unless it is missing or unknown (`?`, `????.??.??`).
pub fn tag<'a>(game: &'a AnnotatedGame, name: &str) -> Option<&'a str> {
    let value = game.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.trim())?;
    let says_nothing = value.chars().all(|c| matches!(c, '?' | '.' | '-' | '*'));
    (!says_nothing).then_some(value)
}

/// The date as far as it is known: `2024-05-31`, `2024`.
pub fn date(game: &AnnotatedGame) -> Option<String> {
    tag(game, "Date").map(|date| date.replace('.', "-").replace("-??", ""))
}

/// The name of a player.
pub fn player(game: &AnnotatedGame, color: Color) -> &str {
    match color {
        Color::White => tag(game, "White").unwrap_or("White"),
        Color::Black => tag(game, "Black").unwrap_or("Black"),
    }
}

/// Both players and the result: `Anderssen – Kieseritzky, 1–0`.
pub fn headline(game: &AnnotatedGame) -> String {
    let [white, black] = Color::ALL.map(|color| player(game, color));
    match game.result {
        GameResult::Unfinished => format!("{white} – {black}"),
        result => format!("{white} – {black}, {}", result_sign(result)),
    }
}

/// A result for people: `1–0`, `½–½`.
pub fn result_sign(result: GameResult) -> &'static str {
    match result {
        GameResult::Win(Color::White) => "1–0",
        GameResult::Win(Color::Black) => "0–1",
        GameResult::Draw => "½–½",
        GameResult::Unfinished => "∗",
    }
}

/// A score from White: `+1.35`, `0.00`, `+#5` for a forced end after five moves, `+TB` for a win by
/// the endgame tables, `1–0` when White has won.
pub fn score(score: Score) -> String {
    let sign = if score.value() < 0 { "−" } else { "+" };
    if score == Score::MATE || score == -Score::MATE {
        let winner = if score == Score::MATE { Color::White } else { Color::Black };
        result_sign(GameResult::Win(winner)).to_owned()
    } else if let Some(moves) = score.moves_to_end() {
        format!("{sign}#{}", moves.abs())
    } else if score.is_decisive() {
        format!("{sign}TB")
    } else if score == Score::ZERO {
        "0.00".to_owned()
    } else {
        let pawns = f64::from(score.value().abs()) / 100.0;
        format!("{sign}{pawns:.2}")
    }
}

/// A time in hours, minutes and seconds: `1:02:03`, `4:05`. Below ten seconds with tenths: `3.5 s`.
pub fn time(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if duration < Duration::from_secs(10) {
        format!("{:.1}\u{a0}s", duration.as_secs_f64())
    } else if hours > 0 {
        format!("{hours}:{minutes:02}:{rest:02}")
    } else {
        format!("{minutes}:{rest:02}")
    }
}

/// The number before a move: `12.` for White's, `12…` for Black's.
pub fn number(ply: &AnnotatedPly) -> String {
    number_of(ply.number, ply.mover)
}

/// The number before a move of this side.
pub fn number_of(number: u32, mover: Color) -> String {
    match mover {
        Color::White => format!("{number}."),
        Color::Black => format!("{number}…"),
    }
}

/// Does the verdict get a mark on the curve?
pub fn is_turn(judgement: Judgement) -> bool {
    use VerdictKind::{Blunder, MissedWin, Mistake};
    matches!(judgement.verdict.kind(), Mistake | Blunder | MissedWin)
}

/// A numeric annotation glyph of the source as a sign: 1 is `!`. Unknown numbers stay numbers.
pub fn nag(nag: u8) -> String {
    let sign = match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "□",
        10..=12 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 => "+−",
        19 => "−+",
        36 | 37 => "→",
        40 | 41 => "↑",
        132 | 133 => "⇆",
        140 => "∆",
        146 => "N",
        _ => return format!("${nag}"),
    };
    sign.to_owned()
}

/// Movetext for people: with signs for the numeric annotation glyphs, `Kb6!` for `Kb6 $1`.
pub fn movetext(text: &str) -> String {
    let mut readable = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        // A parenthesis may follow the number at once.
        let (word, end) = word.split_at(word.trim_end_matches(')').len());
        let number = word.strip_prefix('$').and_then(|number| number.parse().ok());
        if !readable.is_empty() && !number.is_some_and(|number| (1..=6).contains(&number)) {
            readable.push(' ');
        }
        readable += &number.map_or_else(|| word.to_owned(), nag);
        readable += end;
    }
    readable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_of_side_lines_become_signs() {
        let text = "24... Kb6 $1 $14 25. Nb3 (25. Nc4 $6) Bxd5 $ $x";
        assert_eq!(movetext(text), "24... Kb6! ⩲ 25. Nb3 (25. Nc4?!) Bxd5 $ $x");
    }

    #[test]
    fn scores_are_seen_from_white() {
        let text = |value| score(Score::cp(value));
        assert_eq!(text(135), "+1.35");
        assert_eq!((text(-7), text(0)), ("−0.07".to_owned(), "0.00".to_owned()));
        assert_eq!(score(Score::win_in(9)), "+#5");
        assert_eq!(score(Score::loss_in(2)), "−#1");
        assert_eq!(score(-Score::table_win(30)), "−TB");
        assert_eq!((score(Score::MATE), score(-Score::MATE)), ("1–0".to_owned(), "0–1".to_owned()));
    }

    #[test]
    fn times_are_read_at_a_glance() {
        let text = |milliseconds| time(Duration::from_millis(milliseconds));
        assert_eq!(text(3_540), "3.5\u{a0}s");
        assert_eq!((text(65_000), text(3_723_000)), ("1:05".to_owned(), "1:02:03".to_owned()));
    }
}
