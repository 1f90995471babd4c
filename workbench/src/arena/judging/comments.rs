//! What the comment on a result says: a guess from the words of xboard, Cute Chess and others. It is the
//! only source for the reason in debug logs, and in PGN files of other programs.
//!
//! The comments of `trebuchet match` begin with words of its own, and behind them it quotes the bot:
//! `White's engine has ended (exit status: 101): panicked at 'illegal move'`. Of these comments only the
//! beginning is read, so a bot cannot choose its verdict.

use super::ending::EndingKind;
use crate::arena::engine_slot::EngineSlot;
use crate::arena::games::ForfeitKind;
use trebuchet::types::Color;

/// How the comments of `trebuchet match` on forfeits go on behind the colour of the loser. The order
/// matters: the last one begins several of them.
const OWN_WORDS: [(&str, ForfeitKind); 7] = [
    (" loses on time", ForfeitKind::TimeLoss),
    (" exceeds the time", ForfeitKind::TimeLoss),
    (" makes an illegal move", ForfeitKind::IllegalMove),
    (" makes a false claim", ForfeitKind::FalseClaim),
    (" refuses a legal move", ForfeitKind::FalseProtest),
    ("'s engine stalls", ForfeitKind::Stall),
    ("'s engine ", ForfeitKind::Crash),
];

/// The kind of a forfeit in a comment of `trebuchet match`, and the side that has lost by it.
pub fn own_forfeit(comment: &str) -> Option<(Color, ForfeitKind)> {
    let color = |color: &Color| comment.starts_with(&color.to_string());
    let color = Color::ALL.into_iter().find(color)?;
    let rest = &comment[color.to_string().len()..];
    let found = OWN_WORDS.iter().find(|(words, _)| rest.starts_with(words));
    found.map(|&(_, kind)| (color, kind))
}

/// What the comment on a result says.
pub fn kind(comment: &str) -> EndingKind {
    match own_forfeit(comment) {
        Some((_, kind)) => EndingKind::Forfeit(kind),
        None => foreign_kind(comment),
    }
}

fn foreign_kind(comment: &str) -> EndingKind {
    let has = |words: &[&str]| words.iter().any(|word| comment.contains(word));
    if has(&["llegal move", "invalid move"]) {
        EndingKind::Forfeit(ForfeitKind::IllegalMove)
    } else if has(&["False illegal-move claim"]) {
        EndingKind::Forfeit(ForfeitKind::FalseProtest)
    } else if has(&["False ", "false claim"]) {
        EndingKind::Forfeit(ForfeitKind::FalseClaim)
    } else if has(&["on time", "time forfeit", "ran out of time"]) {
        EndingKind::Forfeit(ForfeitKind::TimeLoss)
    } else if has(&["stalls", "stalled"]) {
        EndingKind::Forfeit(ForfeitKind::Stall)
    } else if has(&["resign"]) {
        EndingKind::Resignation
    } else if is_crash(comment) {
        EndingKind::Forfeit(ForfeitKind::Crash)
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
    kind(comment) == EndingKind::Forfeit(ForfeitKind::TimeLoss) || comment.contains("flag")
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
    use crate::arena::games::{Forfeit, GameEnding};

    #[test]
    fn foreign_comments_are_guessed() {
        for (comment, expected) in [
            ("White wins on time", "time"),
            ("Xboard: Forfeit due to invalid move: e1e5 (e1e5 via e1) res=1", "illegal move"),
            ("False win claim: 'White mates'", "false claim"),
            ("False illegal-move claim", "false claim"),
            ("Error writing to second chess program", "crash"),
            ("White disconnects", "crash"),
            ("Black resigns", "resignation"),
            ("Xboard adjudication: repetition draw", "gui"),
        ] {
            assert_eq!(kind(comment).name(), expected, "{comment}");
        }
        let protest = EndingKind::Forfeit(ForfeitKind::FalseProtest);
        assert_eq!(kind("False illegal-move claim"), protest);
    }

    #[test]
    fn the_words_of_matches_are_known() {
        for kind in ForfeitKind::ALL {
            let expected = if kind == ForfeitKind::CannotPlay { ForfeitKind::Crash } else { kind };
            for words in ["", "on time: illegal move, White stalls"] {
                let comment = Forfeit::new(Color::Black, kind, words).to_string();
                assert_eq!(own_forfeit(&comment), Some((Color::Black, expected)), "{comment}");
            }
        }
        let draw = GameEnding::FlagDraw(Color::White).to_string();
        assert_eq!(own_forfeit(&draw), Some((Color::White, ForfeitKind::TimeLoss)));
        assert_eq!(own_forfeit(&GameEnding::Resignation(Color::White).to_string()), None);
    }

    #[test]
    fn a_bot_does_not_choose_its_verdict_by_its_last_words() {
        let ended = "White's engine has ended (exit status: 101): panicked at 'illegal move'";
        assert_eq!(own_forfeit(ended), Some((Color::White, ForfeitKind::Crash)));
        assert_eq!(kind(ended), EndingKind::Forfeit(ForfeitKind::Crash));
        let blames = "White's engine has ended: second chess program resigns on time, false claim";
        assert_eq!(kind(blames), EndingKind::Forfeit(ForfeitKind::Crash));
        assert!(is_about(blames, Some(Color::White), EngineSlot::First));
        assert!(!is_about(blames, Some(Color::Black), EngineSlot::Second));
        let claims = "Black makes a false claim: 1-0 {White makes an illegal move}";
        assert_eq!(own_forfeit(claims), Some((Color::Black, ForfeitKind::FalseClaim)));
    }
}
