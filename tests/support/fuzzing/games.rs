//! Any bytes, read as a PGN file.

use trebuchet::notation::pgn;

/// Each game that is read can be written and read again: once written, it does not change any more.
pub fn check(bytes: &[u8]) {
    for game in pgn::read(&pgn::decode(bytes)) {
        let written = game.to_string();
        let again: Vec<String> = pgn::read(&written).map(|game| game.to_string()).collect();
        assert_eq!(again, [written.as_str()], "{:?}", String::from_utf8_lossy(bytes));
    }
}
