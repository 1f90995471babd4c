//! Cuts a PGN file into games, and tells at which line each begins.

use std::io::{self, BufRead};

use trebuchet::notation::pgn;

use crate::arena::judging::lines::read_line;

/// Cuts a PGN file into games.
pub struct GameReader<R> {
    input: R,
    /// The number of lines read.
    line: u64,
    /// The first line of the next game.
    waiting: Option<String>,
}

/// The longest text of a game, in MiB. Some programs write a whole game with its comments into one line.
const GAME_LIMIT: usize = 64;

impl<R: BufRead> GameReader<R> {
    pub fn new(input: R) -> GameReader<R> {
        GameReader { input, line: 0, waiting: None }
    }

    /// The next game and the number of its first line; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read, or a game in it is longer than 64 MiB.
    pub fn next_game(&mut self) -> io::Result<Option<(u64, String)>> {
        let mut text = self.waiting.take().unwrap_or_default();
        let start = if text.is_empty() { self.line + 1 } else { self.line };
        let (mut has_moves, mut is_among_tags) = (false, false);
        loop {
            let Some(line) = read_line(&mut self.input, GAME_LIMIT << 20)? else {
                return Ok((!text.is_empty()).then_some((start, text)));
            };
            self.line += 1;
            if text.len() + line.len() >= GAME_LIMIT << 20 {
                let words = format!("line {start}: a game of more than {GAME_LIMIT} MiB");
                return Err(io::Error::new(io::ErrorKind::InvalidData, words));
            }
            let mut line = pgn::decode(&line).into_owned();
            let is_tag = is_tag(&line);
            line.push('\n');
            if is_tag && has_moves {
                self.waiting = Some(line);
                break;
            }
            let is_empty = line.trim().is_empty();
            let is_escaped = line.starts_with('%');
            let is_between = is_tag || is_empty || is_escaped || is_among_tags && is_note(&line);
            has_moves |= !is_between;
            is_among_tags = is_tag || is_among_tags && !is_empty;
            text += &line;
        }
        Ok(Some((start, text)))
    }
}

/// May the line stand between the tags of a game? A comment, or a tag that is not written as it should be.
fn is_note(line: &str) -> bool {
    let text = line.trim();
    text.starts_with([';', '[']) || text.starts_with('{') && text.find('}') == Some(text.len() - 1)
}

fn is_tag(line: &str) -> bool {
    let name = line.trim_start_matches('\u{feff}').trim_start().strip_prefix('[');
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        && line.contains('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_in_one_long_line_is_whole_and_no_game_is_cut() {
        let comment = |bytes: usize| format!("1. e4 {{{}}} e5 *\n\n", "x".repeat(bytes));
        let last = "[White \"a\"]\n\n1. d4 *\n";
        let text = comment(2 << 20) + last;
        let mut reader = GameReader::new(text.as_bytes());
        let mut next = || reader.next_game().unwrap().map(|(line, game)| (line, game.len()));
        let first = comment(2 << 20).len();
        assert_eq!([next(), next(), next()], [Some((1, first)), Some((3, last.len())), None]);
        let text = comment(GAME_LIMIT << 20);
        let error = GameReader::new(text.as_bytes()).next_game().unwrap_err();
        assert_eq!(error.to_string(), "line 1: a game of more than 64 MiB");
    }

    #[test]
    fn a_comment_between_tags_does_not_cut_a_game() {
        for note in ["; a comment", "{ a note }", "[FICS-Id 12]", "% escaped"] {
            let first =
                format!("[FEN \"x\"]\n{note}\n[White \"a\"]\n\n1. Kf2 {{a\n{{b}}\n}} *\n\n");
            let text = format!("{first}[White \"b\"]\n\n1. e4 *\n");
            let mut reader = GameReader::new(text.as_bytes());
            assert_eq!(reader.next_game().unwrap(), Some((1, first)), "{note}");
            assert_eq!(reader.next_game().unwrap().map(|(line, _)| line), Some(9), "{note}");
        }
        // Here it is all that a game has.
        let text = "[White \"a\"]\n\n{ Not played }\n\n[White \"b\"]\n\n1. e4 *\n";
        let mut reader = GameReader::new(text.as_bytes());
        let mut line = || reader.next_game().unwrap().map(|(line, _)| line);
        assert_eq!([line(), line(), line()], [Some(1), Some(5), None]);
    }

    #[test]
    fn older_files_are_in_latin_1() {
        let text = b"[White \"M\xfcller\"]\n\n1. e4 *\n\n[White \"M\xc3\xbcller\"]\n\n1. d4 *\n";
        let mut reader = GameReader::new(&text[..]);
        for line in [1, 5] {
            let (number, game) = reader.next_game().unwrap().unwrap();
            assert_eq!(number, line);
            assert!(game.starts_with("[White \"Müller\"]\n"), "{game}");
        }
        assert_eq!(reader.next_game().unwrap(), None);
    }
}
