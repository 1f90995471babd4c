//! The words by which xboard 4.9.1 misreads a line.

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
