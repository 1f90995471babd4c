//! What xboard misreads: a checker for lines that an engine is about to print.
//!
//! xboard 4.9.1 recognises many lines by pieces of text anywhere in them. Each test that sees our
//! output holds every line against this list.

use super::Reply;

/// Why a line must not be printed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trap {
    #[error("longer than {LINE_LIMIT} characters")]
    TooLong,
    #[error("not printable ASCII")]
    NotPrintable,
    #[error("no line of the protocol")]
    Chatter,
    #[error("xboard takes `{0}` for a failed start of the engine")]
    FailedStart(&'static str),
    #[error("`{0}` in a complaint has a meaning of its own")]
    Complaint(&'static str),
    #[error("a line of moves holds what is no move: `{0}`")]
    Variation(String),
    #[error("a draw, a loss on the clock or an agreement cannot be claimed by this line: `{0}`")]
    Result(String),
}

/// The longest line that is safe: xboard gives up on 8192 bytes and crashes on a PV of 6000.
pub const LINE_LIMIT: usize = 2000;

/// Anywhere in a line: the connection is taken for one that failed.
const FAILED_START: [&str; 6] = [
    "not found",
    "No such file",
    "Permission denied",
    "can't alloc",
    "unknown host",
    "No remote directory",
];

/// In an error or a report of an illegal move: the line is ignored, or something is switched off.
const IN_COMPLAINTS: [&str; 18] = [
    "name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random",
    "depth", "accepted", "protover", "draw", "time", "otim", "analyze", "llegal",
];

/// The first word in `text` that changes what xboard makes of an error line.
pub fn word_in_error(text: &str) -> Option<&'static str> {
    IN_COMPLAINTS.into_iter().chain(FAILED_START).find(|word| text.contains(word))
}

/// Is the line one that xboard reads as it is meant?
pub fn check(line: &str) -> Result<(), Trap> {
    if line.len() > LINE_LIMIT {
        return Err(Trap::TooLong);
    }
    if line.chars().any(|c| c != '\t' && !(' '..='~').contains(&c)) {
        return Err(Trap::NotPrintable);
    }
    let consumed_early = match Reply::parse(line.as_bytes()) {
        Reply::Comment(_) | Reply::Blank | Reply::Move(_) | Reply::Features(_) => true,
        Reply::TellUser(_) | Reply::TellUserError(_) | Reply::Book(_) | Reply::Highlight(_) => true,
        Reply::TellOpponent(_) | Reply::TellOthers(_) | Reply::TellAll(_) => true,
        Reply::Pong(_)
        | Reply::Hint(_)
        | Reply::Resign
        | Reply::OfferDraw
        | Reply::RootReport(_) => false,
        // `Error (unsupported variant)` is prescribed, and meant to be swallowed.
        Reply::Error { kind, .. } if kind == "unsupported variant" => true,
        Reply::IllegalMove { reason, text } => {
            return complaint(&[reason.as_deref().unwrap_or_default(), &text]);
        }
        Reply::Error { kind, text } => return complaint(&[&kind, &text]),
        Reply::Thinking(thinking) => return variation(&thinking.pv),
        Reply::Result(_, comment) => return ending(&comment),
        Reply::Setup(_) | Reply::Other(_) => return Err(Trap::Chatter),
    };
    if consumed_early { Ok(()) } else { free_of(&FAILED_START, line, Trap::FailedStart) }
}

fn free_of(words: &[&'static str], text: &str, trap: fn(&'static str) -> Trap) -> Result<(), Trap> {
    match words.iter().find(|word| text.contains(*word)) {
        Some(word) => Err(trap(word)),
        None => Ok(()),
    }
}

fn complaint(parts: &[&str]) -> Result<(), Trap> {
    match parts.iter().find_map(|part| word_in_error(part)) {
        Some(word) => Err(Trap::Complaint(word)),
        None => Ok(()),
    }
}

/// A PV holds coordinate moves, at most 60 of them, and at its end perhaps the mark of a bound.
fn variation(pv: &str) -> Result<(), Trap> {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let is_move = |word: &str| match word.as_bytes().split_at_checked(4) {
        Some((squares, promotion)) => {
            squares.chunks(2).all(is_square)
                && matches!(promotion, [] | [b'q' | b'r' | b'b' | b'n'])
        }
        None => false,
    };
    match pv.split(' ').filter(|word| !word.is_empty()).find(|word| !is_move(word)) {
        Some(word) => Err(Trap::Variation(word.to_owned())),
        None if pv.split(' ').count() > 60 => Err(Trap::TooLong),
        None => Ok(()),
    }
}

/// Only what the board shows may be claimed.
fn ending(comment: &str) -> Result<(), Trap> {
    let known = [
        "White mates",
        "Black mates",
        "White gives third check",
        "Black gives third check",
        "Stalemate",
        "Draw by repetition",
        "Draw by fifty-move rule",
        "Draw by insufficient material",
    ];
    if known.contains(&comment) { Ok(()) } else { Err(Trap::Result(comment.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_lines_pass() {
        for line in [
            "",
            "feature option=\"Draws -combo never /// accept /// *offer\" variants=\"normal,3check\" done=1",
            "move e2e4",
            "1-0 {White gives third check}",
            "1/2-1/2 {Draw by repetition}",
            "Illegal move (leaves king in check): e1e2",
            "Error (unknown command): frobnicate",
            "Error (unsupported variant): variant atomic",
            "tellusererror Illegal position: 8/8 w",
            "5 10 5 100 12 2000 0\te2e4 e7e8q ?",
            "# depth of the search, Draw",
            " no book",
            "offer draw",
            "resign",
        ] {
            assert_eq!(check(line), Ok(()), "{line}");
        }
    }

    #[test]
    fn traps_are_found() {
        use Trap::*;
        for (line, trap) in [
            ("White to move", Chatter),
            ("thinking...", Chatter),
            ("5 10 5 100 d1h5 (Draw)", Variation("(Draw)".to_owned())),
            ("5 10 5 100 Nf3 d5", Variation("Nf3".to_owned())),
            ("Illegal move (bad board): e2e4", Complaint("board")),
            ("Error (bad argument): time x", Complaint("time")),
            ("Error (illegal move): e2e4", Complaint("llegal")),
            ("1-0 {White wins on time}", Result("White wins on time".to_owned())),
            ("Hint: not found", FailedStart("not found")),
            ("move e2e4\u{e9}", NotPrintable),
        ] {
            assert_eq!(check(line), Err(trap), "{line}");
        }
        assert_eq!(check(&"# x".repeat(1000)), Err(TooLong));
    }
}
