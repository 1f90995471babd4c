//! The log that xboard 4.9.1 writes with `-debug`. This file reads the lines between xboard and its
//! engines from it and skips xboard's own notes.
//!
//! `MILLISECONDS >first : TEXT` went to the first engine, `<second: ` came from the second. xboard
//! logs each write, not each line. If it writes two lines at once, the second has no prefix. It
//! writes `usermove ` and the move separately, so that line has two prefixes.

/// Which of the two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    First,
    Second,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    ToEngine,
    FromEngine,
}

/// One line of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Milliseconds since xboard started.
    pub time: u64,
    pub engine: Engine,
    pub direction: Direction,
    pub text: String,
}

/// The two lines that xboard writes at once. Its log has no prefix before the second one.
const PAIRS: [(&str, &str); 5] = [
    ("xboard", "protover 2"),
    ("new", "random"),
    ("exit", "force"),
    ("white", "go"),
    ("black", "go"),
];

/// The lines of the protocol in a log. Bytes that are not UTF-8 are replaced.
pub fn read(log: &[u8]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut continues = false;
    for line in String::from_utf8_lossy(log).lines() {
        let entry = match prefixed(line) {
            Some(entry) => entry,
            None => {
                let Some(before) = entries.last().filter(|_| continues) else { continue };
                if !PAIRS.contains(&(before.text.as_str(), line)) {
                    continues = false;
                    continue;
                }
                Entry { text: line.to_owned(), ..before.clone() }
            }
        };
        continues = entry.direction == Direction::ToEngine;
        entries.push(entry);
    }
    entries
}

/// The lines in one direction between xboard and one of its engines.
pub fn said(
    entries: &[Entry],
    engine: Engine,
    direction: Direction,
) -> impl Iterator<Item = &str> + Clone {
    entries
        .iter()
        .filter(move |entry| entry.engine == engine && entry.direction == direction)
        .map(|entry| entry.text.as_str())
}

fn prefixed(line: &str) -> Option<Entry> {
    let (time, rest) = line.split_once(' ')?;
    let time = time.parse().ok()?;
    let (arrow, rest) = rest.split_at_checked(1)?;
    let direction = match arrow {
        ">" => Direction::ToEngine,
        "<" => Direction::FromEngine,
        _ => return None,
    };
    let (engine, text) = if let Some(text) = rest.strip_prefix("first : ") {
        (Engine::First, text)
    } else {
        (Engine::Second, rest.strip_prefix("second: ")?)
    };
    // The move of `usermove ` has a prefix of its own.
    let text = match text.strip_prefix("usermove ").and_then(prefixed) {
        Some(Entry { text: mv, .. }) => format!("usermove {mv}"),
        None => text.to_owned(),
    };
    Some(Entry { time, engine, direction, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &[u8] = b"82 >first : xboard
protover 2
125 <first : feature myname=\"Fairy-Max 5.0b\"
125 >first : accepted myname
126 >first : new
random
StartChildProcess (dir=\".\") fairymax
159 >second: xboard
protover 2
New game (1): Fairy-Max 5.0b-Fairy-Max 5.0b (w)
233 >first : white
book hit = (NULL)
233 >first : go
nps: w=-1, b=-1
496 <first : 4 114 0 500 4 250000 0\t e2e3 c7c6
496 <first :   5 indented \xff
1168 >first : usermove 1169 >first : b2a1
random
";

    #[test]
    fn lines_of_the_protocol_and_nothing_else() {
        let entries = read(LOG);
        let to_first: Vec<_> = said(&entries, Engine::First, Direction::ToEngine).collect();
        let expected = [
            "xboard",
            "protover 2",
            "accepted myname",
            "new",
            "random",
            "white",
            "go",
            "usermove b2a1",
        ];
        assert_eq!(to_first, expected);
        let to_second: Vec<_> = said(&entries, Engine::Second, Direction::ToEngine).collect();
        assert_eq!(to_second, ["xboard", "protover 2"]);
        let from_first: Vec<_> = said(&entries, Engine::First, Direction::FromEngine).collect();
        assert_eq!(from_first.len(), 3);
        assert_eq!(from_first[1], "4 114 0 500 4 250000 0\t e2e3 c7c6");
        assert_eq!(from_first[2], "  5 indented \u{fffd}");
        assert_eq!(entries.iter().map(|entry| entry.time).max(), Some(1168));
    }
}
