//! The weights of the evaluation: read from the text of an `eval.params`, and written back into it.
//!
//! A text gives every term of its variant once, in any order:
//!
//! ```text
//! # A comment runs to the end of the line.
//! tempo = 18:12                 # name = middle game:end game, in centipawns
//! outpost = 24:12 14:6          # a list; lines that follow may go on with it
//! ```

use std::mem;
use std::ops::Range;

use super::tapered::Tapered;
use super::terms::{Layout, Term, VALUE_COUNT};
use crate::eval::rules::EvalRules;

/// The row of all values, in centipawns. [`Term::at`] gives the index of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    values: Box<[Tapered; VALUE_COUNT]>,
}

/// What can be wrong with the text of an `eval.params`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    #[error("line {line}: unknown term {name}")]
    UnknownTerm { line: usize, name: String },
    #[error("line {line}: {name} is given twice")]
    GivenTwice { line: usize, name: &'static str },
    #[error("{name} is missing")]
    Missing { name: &'static str },
    #[error("{name} needs {expected} values, {found} are given")]
    WrongCount { name: &'static str, expected: usize, found: usize },
    #[error("line {line}: {token} is not a pair like 12:-5, each below 10000")]
    BadValue { line: usize, token: String },
    #[error("line {line}: values without a name")]
    NoName { line: usize },
}

impl Weights {
    /// Reads the text of a variant's `eval.params`.
    ///
    /// # Errors
    /// If a term is unknown, missing or given twice, or a value is missing, surplus or malformed.
    pub fn parse<V: EvalRules>(text: &str) -> Result<Weights, WeightsError> {
        Weights::parse_with(text, &Layout::of::<V>())
    }

    /// The text of a variant's `eval.params` with these weights instead of its own. Comments and
    /// columns stay as they are.
    ///
    /// # Errors
    /// As [`Weights::parse`].
    pub fn write_into<V: EvalRules>(&self, text: &str) -> Result<String, WeightsError> {
        self.write_with(text, &Layout::of::<V>())
    }

    fn parse_with(text: &str, layout: &Layout) -> Result<Weights, WeightsError> {
        let mut values = Box::new([Tapered::ZERO; VALUE_COUNT]);
        scan(text, layout, |_, index, value| values[index] = value)?;
        Ok(Weights { values })
    }

    fn write_with(&self, text: &str, layout: &Layout) -> Result<String, WeightsError> {
        let mut written = String::with_capacity(text.len());
        let mut copied = 0;
        scan(text, layout, |range, index, _| {
            let value = self.values[index];
            let token = format!("{}:{}", value.middle(), value.end());
            // To keep the columns aligned, the new token may use the spaces before the old one, except
            // the first.
            let before = &text[copied..range.start];
            let spaces = before.len() - before.trim_end_matches(' ').len();
            let keep = before.len() - spaces.saturating_sub(1);
            let room = range.end - copied - keep;
            written.push_str(&before[..keep]);
            written.push_str(&format!("{token:>room$}"));
            copied = range.end;
        })?;
        written.push_str(&text[copied..]);
        Ok(written)
    }

    /// The value at an index of the row.
    #[inline(always)]
    pub fn value(&self, index: usize) -> Tapered {
        self.values[index]
    }

    pub fn set_value(&mut self, index: usize, value: Tapered) {
        self.values[index] = value;
    }
}

/// Visits the values in the order of the text. `visit` gets the bytes of the text that hold the
/// value, its index in the row, and the value.
fn scan(
    text: &str,
    layout: &Layout,
    mut visit: impl FnMut(Range<usize>, usize, Tapered),
) -> Result<(), WeightsError> {
    let Layout { terms, levels } = layout;
    let mut given = vec![false; terms.len()];
    let mut current: Option<(Term, usize)> = None;
    let mut line_start = 0;
    for (number, full_line) in text.split_inclusive('\n').enumerate() {
        let line = number + 1;
        let code = full_line.split('#').next().unwrap_or_default();
        let mut values_start = 0;
        if let Some((name, _)) = code.split_once('=') {
            check_complete(current, *levels)?;
            values_start = name.len() + 1;
            let name = name.trim();
            let found = terms
                .iter()
                .position(|term| term.name == name)
                .ok_or_else(|| WeightsError::UnknownTerm { line, name: name.to_owned() })?;
            if mem::replace(&mut given[found], true) {
                return Err(WeightsError::GivenTwice { line, name: terms[found].name });
            }
            current = Some((terms[found], 0));
        }
        for token in code[values_start..].split_whitespace() {
            let value = parse_value(token)
                .ok_or_else(|| WeightsError::BadValue { line, token: token.to_owned() })?;
            let Some((term, found)) = &mut current else {
                return Err(WeightsError::NoName { line });
            };
            if *found < term.len(*levels) {
                let start = line_start + (token.as_ptr() as usize - full_line.as_ptr() as usize);
                visit(start..start + token.len(), term.at_listed(*found, *levels), value);
            }
            *found += 1;
        }
        line_start += full_line.len();
    }
    check_complete(current, *levels)?;
    match terms.iter().zip(given).find(|(_, given)| !given) {
        Some((term, _)) => Err(WeightsError::Missing { name: term.name }),
        None => Ok(()),
    }
}

/// Does the term have as many values as it needs?
fn check_complete(current: Option<(Term, usize)>, levels: usize) -> Result<(), WeightsError> {
    match current {
        Some((term, found)) if found != term.len(levels) => {
            let expected = term.len(levels);
            Err(WeightsError::WrongCount { name: term.name, expected, found })
        }
        _ => Ok(()),
    }
}

fn parse_value(token: &str) -> Option<Tapered> {
    let (middle, end) = token.split_once(':')?;
    let number = |text: &str| text.parse::<i32>().ok().filter(|value| value.abs() < 10_000);
    Some(Tapered::new(number(middle)?, number(end)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::classic::terms::{TEMPO, TERMS};

    /// The common terms for a variant with this many race levels.
    fn common(levels: usize) -> Layout {
        Layout { terms: TERMS.to_vec(), levels }
    }

    /// A text that gives every term, its values counting up from 1.
    fn complete(levels: usize) -> String {
        let mut next = 1;
        let mut text = String::new();
        for term in TERMS {
            text += &format!("{} =", term.name);
            for _ in 0..term.len(levels) {
                text += &format!(" {next}:-{next}");
                next += 1;
            }
            text += "  # what it is\n";
        }
        text
    }

    #[test]
    fn values_come_in_the_order_of_the_text() {
        for levels in [1, 3] {
            let weights = Weights::parse_with(&complete(levels), &common(levels)).unwrap();
            let mut next = 1;
            for term in TERMS {
                for index in 0..term.len(levels) {
                    let value = weights.value(term.at_listed(index, levels));
                    assert_eq!((value.middle(), value.end()), (next, -next));
                    next += 1;
                }
            }
        }
    }

    #[test]
    fn writing_keeps_comments_and_columns() {
        let text = complete(1).replace("tempo = ", "tempo =  # two parts\n      ");
        let mut weights = Weights::parse_with(&text, &common(1)).unwrap();
        assert_eq!(weights.write_with(&text, &common(1)).unwrap(), text);
        weights.set_value(TEMPO.at(0), Tapered::new(7, 8));
        let changed = weights.write_with(&text, &common(1)).unwrap();
        assert!(changed.contains("tempo =  # two parts\n       7:8  # what it is\n"), "{changed}");
        assert_eq!(Weights::parse_with(&changed, &common(1)).unwrap(), weights);
    }

    #[test]
    fn mistakes_are_named() {
        let good = complete(1);
        let error = |text: &str| Weights::parse_with(text, &common(1)).unwrap_err();
        let name = "tempo".to_owned();
        assert_eq!(
            error(&good.replace("tempo", "tmepo")),
            WeightsError::UnknownTerm { line: 2, name: "tmepo".to_owned() }
        );
        assert_eq!(
            error(&good.replace("centre", "tempo")).to_string(),
            format!(
                "line {}: {name} is given twice",
                1 + good.lines().position(|l| l.starts_with("centre")).unwrap()
            )
        );
        assert_eq!(
            error(&good.replace("tempo = 6:-6", "")),
            WeightsError::Missing { name: "tempo" }
        );
        assert_eq!(
            error(&good.replace("tempo = 6:-6", "tempo = 6:-6 1:1")),
            WeightsError::WrongCount { name: "tempo", expected: 1, found: 2 }
        );
        for token in ["5", "5:", ":5", "5:x", "5:10000", "5:-10000", "5:5:5", "1e3:0"] {
            assert_eq!(
                error(&good.replace("tempo = 6:-6", &format!("tempo = {token}"))),
                WeightsError::BadValue { line: 2, token: token.to_owned() }
            );
        }
        assert_eq!(error("  3:4\n"), WeightsError::NoName { line: 1 });
        // Three race levels need nine values, one level needs one.
        assert!(matches!(
            Weights::parse_with(&good, &common(3)).unwrap_err(),
            WeightsError::WrongCount { name: "tempo", expected: 9, found: 1 }
        ));
    }
}
