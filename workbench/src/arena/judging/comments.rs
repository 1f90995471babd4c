//! What the comment on a result says: a guess from the words of xboard, Cute Chess and others.
//!
//! The comments of `trebuchet match` begin with words of its own, and behind them it quotes the bot:
//! `White's engine has ended (exit status: 101): panicked at 'illegal move'`. Of these comments only the
//! beginning is read, so a bot cannot choose its verdict.

use super::ending::EndingKind;
use super::report::EngineSlot;
use trebuchet::types::Color;

/// How the comments of `trebuchet match` on forfeits go on behind the colour of the loser. The order
/// matters: the last one begins several of them.
const OWN_WORDS: [(&str, EndingKind); 7] = [
    (" loses on time", EndingKind::Time),
    (" exceeds the time", EndingKind::Time),
    (" makes an illegal move: ", EndingKind::IllegalMove),
    (" makes a false claim: ", EndingKind::FalseClaim),
    (" refuses a legal move: ", EndingKind::FalseProtest),
    ("'s engine stalls", EndingKind::Time),
    ("'s engine ", EndingKind::Crash),
];

/// The kind of a forfeit in a comment of `trebuchet match`, and the side that has lost by it.
pub fn own_forfeit(comment: &str) -> Option<(Color, EndingKind)> {
    let color = |color: &Color| comment.starts_with(&color.to_string());
    let color = Color::ALL.into_iter().find(color)?;
    let rest = &comment[color.to_string().len()..];
    let found = OWN_WORDS.iter().find(|(words, _)| rest.starts_with(words));
    found.map(|&(_, kind)| (color, kind))
}

/// What the comment on a result says.
pub fn kind(comment: &str) -> EndingKind {
    if let Some((_, kind)) = own_forfeit(comment) {
        return kind;
    }
    let has = |words: &[&str]| words.iter().any(|word| comment.contains(word));
    if has(&["llegal move", "invalid move"]) {
        EndingKind::IllegalMove
    } else if has(&["False illegal-move claim"]) {
        EndingKind::FalseProtest
    } else if has(&["False ", "false claim"]) {
        EndingKind::FalseClaim
    } else if has(&[
        "on time",
        "time forfeit",
        "ran out of time",
        "exceeds the time",
        "stalls",
        "stalled",
    ]) {
        EndingKind::Time
    } else if has(&["resign"]) {
        EndingKind::Resignation
    } else if is_crash(comment) {
        EndingKind::Crash
    } else {
        EndingKind::Gui
    }
}

/// Does a comment or a note of a foreign GUI say that the process of an engine has ended?
pub fn is_crash(comment: &str) -> bool {
    let words = ["exited unexpectedly", "Error writing to", "Error reading from", "disconnect"];
    words.iter().any(|word| comment.contains(word))
}

/// Does the comment on a bot's claim say that the time of the other side is up?
pub fn claims_flag(comment: &str) -> bool {
    kind(comment) == EndingKind::Time || comment.contains("flag")
}

/// Is the comment about the bot of this colour? xboard names the engine, others the colour.
pub fn is_about(comment: &str, color: Option<Color>, slot: EngineSlot) -> bool {
    match own_forfeit(comment) {
        Some((named, _)) => Some(named) == color,
        None => {
            color.is_some_and(|color| comment.starts_with(&color.to_string()))
                || comment.contains(&format!("{slot} chess program"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_comments_are_guessed() {
        for (comment, expected) in [
            ("White wins on time", EndingKind::Time),
            (
                "Xboard: Forfeit due to invalid move: e1e5 (e1e5 via e1) res=1",
                EndingKind::IllegalMove,
            ),
            ("Black makes an illegal move: e1e5", EndingKind::IllegalMove),
            ("False win claim: 'White mates'", EndingKind::FalseClaim),
            ("False illegal-move claim", EndingKind::FalseProtest),
            ("Error writing to second chess program", EndingKind::Crash),
            ("White disconnects", EndingKind::Crash),
            ("Black resigns", EndingKind::Resignation),
            ("Xboard adjudication: repetition draw", EndingKind::Gui),
        ] {
            assert_eq!(kind(comment), expected, "{comment}");
        }
    }

    #[test]
    fn a_bot_does_not_choose_its_verdict_by_its_last_words() {
        let ended = "White's engine has ended (exit status: 101): panicked at 'illegal move'";
        assert_eq!(own_forfeit(ended), Some((Color::White, EndingKind::Crash)));
        assert_eq!(kind(ended), EndingKind::Crash);
        let blames = "White's engine has ended: second chess program resigns on time, false claim";
        assert_eq!(kind(blames), EndingKind::Crash);
        assert!(is_about(blames, Some(Color::White), EngineSlot::First));
        assert!(!is_about(blames, Some(Color::Black), EngineSlot::Second));
        let claims = "Black makes a false claim: 1-0 {White makes an illegal move}";
        assert_eq!(own_forfeit(claims), Some((Color::Black, EndingKind::FalseClaim)));
        assert_eq!(kind("Black refuses a legal move: on time"), EndingKind::FalseProtest);
        assert_eq!(own_forfeit("White resigns"), None);
    }
}
