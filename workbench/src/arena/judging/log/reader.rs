//! Reads the lines of a debug log, one at a time.
//!
//! xboard writes `MS >first : TEXT` for a line to the first engine and `MS <second: TEXT` for a line
//! from the second; `MS` are milliseconds. Three things are special. xboard logs each write, not each
//! line: if it writes two lines at once, the second has no prefix. It writes `usermove ` and the move
//! separately, so that line has two prefixes. Its own notes have no prefix at all.
//!
//! The run logs of Trebuchet (`SECONDS > TEXT`) are read, too; their engine is the first one.

use std::io::{self, BufRead};

use crate::arena::engine_slot::EngineSlot;
use crate::arena::judging::lines::read_line;

/// The longest part of a line that is kept, in bytes. Bots print what they like.
const LINE_LIMIT: usize = 64 * 1024;

/// What a line of a log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    ToEngine(Vec<u8>),
    FromEngine(Vec<u8>),
}

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogLine {
    Protocol {
        /// Milliseconds since an unknown moment.
        at: u64,
        slot: EngineSlot,
        said: Said,
    },
    /// A note of the GUI.
    Note(Vec<u8>),
}

/// Reads the lines of a log.
pub struct LogReader<R> {
    input: R,
    /// The number of lines read.
    line: u64,
    /// The last line to an engine, if the next line may belong to it.
    before: Option<(u64, EngineSlot, Vec<u8>)>,
}

impl<R: BufRead> LogReader<R> {
    pub fn new(input: R) -> LogReader<R> {
        LogReader { input, line: 0, before: None }
    }

    /// The next line and its number, from 1; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<(u64, LogLine)>> {
        let Some(text) = read_line(&mut self.input, LINE_LIMIT)? else { return Ok(None) };
        self.line += 1;
        let before = self.before.take();
        let line = match prefixed(&text) {
            Some((at, slot, said)) => {
                let said = match said {
                    Said::ToEngine(text) => Said::ToEngine(whole_move(text)),
                    said => said,
                };
                LogLine::Protocol { at, slot, said }
            }
            None => match before.filter(|(.., before)| is_continued(before, &text)) {
                Some((at, slot, _)) => LogLine::Protocol { at, slot, said: Said::ToEngine(text) },
                None => LogLine::Note(text),
            },
        };
        if let LogLine::Protocol { at, slot, said: Said::ToEngine(text) } = &line {
            self.before = Some((*at, *slot, text.clone()));
        }
        Ok(Some((self.line, line)))
    }
}

/// The two lines that xboard writes at once. Its log has no prefix before the second one.
fn is_continued(first: &[u8], second: &[u8]) -> bool {
    let pairs: [(&[u8], &[u8]); 4] =
        [(b"new", b"random"), (b"exit", b"force"), (b"white", b"go"), (b"black", b"go")];
    pairs.contains(&(first, second)) || first == b"xboard" && second.starts_with(b"protover ")
}

/// `usermove `, the prefix of its move, and the move.
fn whole_move(text: Vec<u8>) -> Vec<u8> {
    match text.strip_prefix(b"usermove ").and_then(prefixed) {
        Some((_, _, Said::ToEngine(mv))) => [b"usermove ", mv.as_slice()].concat(),
        _ => text,
    }
}

/// Is this a line of a log between a GUI and an engine?
pub fn is_protocol_line(line: &[u8]) -> bool {
    prefixed(line).is_some()
}

fn prefixed(line: &[u8]) -> Option<(u64, EngineSlot, Said)> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let blank = line.iter().position(|&byte| byte == b' ').filter(|&at| at <= 20)?;
    let (stamp, rest) = (std::str::from_utf8(&line[..blank]).ok()?, &line[blank + 1..]);
    let (&arrow, rest) = rest.split_first()?;
    let said: fn(Vec<u8>) -> Said = match arrow {
        b'>' => Said::ToEngine,
        b'<' => Said::FromEngine,
        _ => return None,
    };
    if let Some((seconds, thousandths)) = stamp.split_once('.') {
        // A run log.
        let text = rest.strip_prefix(b" ").or(rest.is_empty().then_some(rest))?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let thousandths: u64 = (thousandths.len() == 3 && is_number(thousandths))
            .then(|| thousandths.parse().ok())??;
        let seconds: u64 = is_number(seconds).then(|| seconds.parse().ok())??;
        let at = seconds.checked_mul(1000)?.checked_add(thousandths)?;
        return Some((at, EngineSlot::First, said(text.to_vec())));
    }
    let at = stamp.parse().ok()?;
    let (slot, rest) = EngineSlot::ALL
        .into_iter()
        .find_map(|slot| Some((slot, rest.strip_prefix(slot.log_prefix().as_bytes())?)))?;
    let text = rest.strip_prefix(b" ").unwrap_or(rest);
    Some((at, slot, said(text.to_vec())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(log: &[u8]) -> Vec<(u64, LogLine)> {
        let mut reader = LogReader::new(log);
        std::iter::from_fn(|| reader.next_line().unwrap()).collect()
    }

    /// Who said what, in short.
    fn dialogue(log: &[u8]) -> Vec<String> {
        let text = |text: Vec<u8>| String::from_utf8_lossy(&text).into_owned();
        let show = |(number, line)| match line {
            LogLine::Protocol { at, slot, said: Said::ToEngine(said) } => {
                format!("{number} {at} >{slot} {}", text(said))
            }
            LogLine::Protocol { at, slot, said: Said::FromEngine(said) } => {
                format!("{number} {at} <{slot} {}", text(said))
            }
            LogLine::Note(note) => format!("{number} # {}", text(note)),
        };
        lines(log).into_iter().map(show).collect()
    }

    #[test]
    fn the_log_of_xboard() {
        let log = b"\xef\xbb\xbf82 >first : xboard\nprotover 2\n125 <first :   5 \xff indented\r\n126 >first : new\nrandom\n\
            StartChildProcess (dir=\".\") fairymax\nrandom\n233 >second: white\nbook hit = (NULL)\n\
            1168 >first : usermove 1169 >first : b2a1\n12.345 > go\n12.870 < move e2e4\n# note\n12.3 > go\n1 >first:x";
        assert_eq!(
            dialogue(log),
            [
                "1 82 >first xboard",
                "2 82 >first protover 2",
                "3 125 <first   5 \u{fffd} indented",
                "4 126 >first new",
                "5 126 >first random",
                "6 # StartChildProcess (dir=\".\") fairymax",
                "7 # random",
                "8 233 >second white",
                "9 # book hit = (NULL)",
                "10 1168 >first usermove b2a1",
                "11 12345 >first go",
                "12 12870 <first move e2e4",
                "13 # # note",
                "14 # 12.3 > go",
                "15 # 1 >first:x",
            ]
        );
    }

    #[test]
    fn long_lines_are_cut_off() {
        let mut log = b"1 <first : ".to_vec();
        log.extend([b'x'; 3 * LINE_LIMIT]);
        log.extend(b"\n2 >first : go\n\n");
        let found = lines(&log);
        assert_eq!(found.len(), 3);
        let LogLine::Protocol { said: Said::FromEngine(text), .. } = &found[0].1 else {
            panic!("{:?}", found[0].0)
        };
        assert_eq!(text.len(), LINE_LIMIT - "1 <first : ".len());
        assert_eq!(found[2], (3, LogLine::Note(Vec::new())));
    }
}
