//! Numbers with their nouns.

/// `1 point`, `2 points`.
pub fn points(number: u32) -> String {
    count(number as usize, "point")
}

/// `1 scene`, `2 scenes`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
