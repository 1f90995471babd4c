//! Writes PGN as other programs read it: numbers, moves, glyphs as `$2`, comments in braces, and side
//! lines in parentheses, on lines of at most 80 characters.

use std::fmt;

use super::{PgnGame, PgnMove, Variation};
use crate::types::Color;

/// The longest line of movetext, in characters.
const LINE: usize = 80;

/// The game, with an empty line after the tags and another after the moves.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut words = Words::default();
        words.comment(self.comment.as_deref());
        let (side, number) = self.first_move();
        words.line(&self.moves, side, number);
        words.push(self.result.to_string());
        let mut width = 0;
        for word in words.words {
            let len = word.chars().count();
            if width > 0 && width + 1 + len > LINE {
                writeln!(f)?;
                width = 0;
            }
            if width > 0 {
                f.write_str(" ")?;
                width += 1;
            }
            f.write_str(&word)?;
            width += len;
        }
        writeln!(f, "\n")
    }
}

impl Variation {
    /// The movetext of the line, whose first move is by this side and has this number:
    /// `12... Nf6 {good} 13. d4`.
    pub fn movetext(&self, side: Color, number: u32) -> String {
        let mut words = Words::default();
        words.variation(self, side, number);
        words.words.join(" ")
    }
}

/// Movetext as words that stay on one line.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    /// What the next word begins with.
    prefix: String,
}

impl Words {
    fn push(&mut self, word: String) {
        let prefix = std::mem::take(&mut self.prefix);
        self.words.push(prefix + &word);
    }

    /// Appends to the last word.
    fn append(&mut self, text: &str) {
        if let Some(last) = self.words.last_mut() {
            last.push_str(text);
        }
    }

    /// Moves, of which the first is by this side and has this number.
    fn line(&mut self, moves: &[PgnMove], mut side: Color, mut number: u32) {
        let mut needs_number = true;
        for mv in moves {
            if side == Color::White {
                self.push(format!("{number}."));
            } else if needs_number {
                self.push(format!("{number}..."));
            }
            self.push(mv.san.clone());
            for nag in &mv.nags {
                self.push(format!("${nag}"));
            }
            self.comment(mv.comment.as_deref());
            for line in &mv.variations {
                self.prefix.push('(');
                self.variation(line, side, number);
                self.append(")");
            }
            needs_number = mv.comment.is_some() || !mv.variations.is_empty();
            number += u32::from(side == Color::Black);
            side = !side;
        }
    }

    fn variation(&mut self, line: &Variation, side: Color, number: u32) {
        self.comment(line.comment.as_deref());
        self.line(&line.moves, side, number);
    }

    /// A comment in braces. Braces and line breaks inside it become blanks.
    ///
    /// Some programs take a line that begins with `%`, `;` or `[` for something else than a comment,
    /// so a word that begins like this stays on the line of the word before it; so does the argument of
    /// a command, as in `[%eval 0.35]`.
    fn comment(&mut self, comment: Option<&str>) {
        let Some(comment) = comment else { return };
        let text = comment.replace(['{', '}'], " ");
        let mut words = text.split_whitespace();
        let Some(first) = words.next() else { return };
        self.prefix.push('{');
        self.push(first.to_owned());
        let begins_command = |word: &str| word.rfind("[%") > word.rfind(']');
        let mut is_command = begins_command(first);
        for word in words {
            if is_command || word.starts_with(['%', ';', '[']) {
                self.append(" ");
                self.append(word);
            } else {
                self.push(word.to_owned());
            }
            is_command = begins_command(word) || is_command && !word.contains(']');
        }
        self.append("}");
    }
}
