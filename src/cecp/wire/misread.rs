//! The words by which xboard 4.9.1 misreads a line.

/// The size of xboard's buffer for a line, in bytes.
pub const XBOARD_BUFFER: usize = 8192;

/// If a line contains one of these, xboard believes that the engine failed to start.
pub(super) const FAILED_START: [&str; 6] = [
    "not found",
    "No such file",
    "Permission denied",
    "can't alloc",
    "unknown host",
    "No remote directory",
];

/// If an error or a report of an illegal move contains one of these, xboard ignores the line or
/// switches a feature off.
const IN_COMPLAINTS: [&str; 18] = [
    "name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random",
    "depth", "accepted", "protover", "draw", "time", "otim", "analyze", "llegal",
];

/// The first word in `text` that makes xboard misread an error line.
pub(super) fn word_in_error(text: &str) -> Option<&'static str> {
    IN_COMPLAINTS.into_iter().chain(FAILED_START).find(|word| text.contains(word))
}

/// Does xboard take such a line for the claim or the offer of a draw, if it is none of the protocol or one of moves?
pub fn is_taken_for_draw(line: &str) -> bool {
    line.contains("Draw") || line.contains("offer") && line.contains("draw")
}

/// May xboard take such a line for a resignation, if it is none of the protocol?
pub fn is_taken_for_resignation(line: &str) -> bool {
    line.starts_with("White") || line.starts_with("Black")
}
