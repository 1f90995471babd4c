//! The numbers of the evaluation: read from the text of an `eval.params`, and written back into it.
//!
//! ```text
//! # A comment runs to the end of the line.
//! tempo = 18:12                 # name = middle game:end game, in centipawns
//! outpost = 24:12 14:6          # a list; lines that follow may go on with it
//! ```

use std::ops::Range;

use super::tapered::Tapered;
use super::terms::{TERMS, Term, VALUE_COUNT};

/// A value for every place in the row of values, see [`Term::at`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    values: Box<[Tapered; VALUE_COUNT]>,
}

/// What can be wrong with the text of the weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    #[error("line {line}: there is no term {name}")]
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
    /// Reads the text for a variant with this many stages. Each term must be given exactly once.
    pub fn parse(text: &str, stages: usize) -> Result<Weights, WeightsError> {
        let mut values = Box::new([Tapered::ZERO; VALUE_COUNT]);
        scan(text, stages, |_, place, value| values[place] = value)?;
        Ok(Weights { values })
    }

    /// The text with the values of these weights in place of its own. Comments and layout stay.
    pub fn write_into(&self, text: &str, stages: usize) -> Result<String, WeightsError> {
        let mut written = String::with_capacity(text.len());
        let mut copied = 0;
        scan(text, stages, |range, place, _| {
            let value = self.values[place];
            let token = format!("{}:{}", value.middle(), value.end());
            // Columns stay in line: the room is the old token and the spaces before it, less one.
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

    /// The value at a place of the row.
    #[inline(always)]
    pub fn value(&self, place: usize) -> Tapered {
        self.values[place]
    }

    pub fn set_value(&mut self, place: usize, value: Tapered) {
        self.values[place] = value;
    }
}

/// Visits the values in the order of the text: where each stands in it, its place, the value.
fn scan(
    text: &str,
    stages: usize,
    mut visit: impl FnMut(Range<usize>, usize, Tapered),
) -> Result<(), WeightsError> {
    let mut given = [false; TERMS.len()];
    let mut current: Option<(Term, usize)> = None;
    let mut line_start = 0;
    for (number, full_line) in text.split_inclusive('\n').enumerate() {
        let line = number + 1;
        let code = full_line.split('#').next().unwrap_or_default();
        let mut values_start = 0;
        if let Some((name, _)) = code.split_once('=') {
            finish(current, stages)?;
            values_start = name.len() + 1;
            let name = name.trim();
            let index = TERMS
                .iter()
                .position(|term| term.name == name)
                .ok_or_else(|| WeightsError::UnknownTerm { line, name: name.to_owned() })?;
            if std::mem::replace(&mut given[index], true) {
                return Err(WeightsError::GivenTwice { line, name: TERMS[index].name });
            }
            current = Some((TERMS[index], 0));
        }
        for token in code[values_start..].split_whitespace() {
            let value = parse_value(token)
                .ok_or_else(|| WeightsError::BadValue { line, token: token.to_owned() })?;
            let Some((term, found)) = &mut current else {
                return Err(WeightsError::NoName { line });
            };
            if *found < term.count(stages) {
                let start = line_start + (token.as_ptr() as usize - full_line.as_ptr() as usize);
                visit(start..start + token.len(), term.at_listed(*found, stages), value);
            }
            *found += 1;
        }
        line_start += full_line.len();
    }
    finish(current, stages)?;
    match TERMS.iter().zip(given).find(|(_, given)| !given) {
        Some((term, _)) => Err(WeightsError::Missing { name: term.name }),
        None => Ok(()),
    }
}

/// A term's values are complete: are they as many as they should be?
fn finish(current: Option<(Term, usize)>, stages: usize) -> Result<(), WeightsError> {
    match current {
        Some((term, found)) if found != term.count(stages) => {
            let expected = term.count(stages);
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

    /// A text that gives every term, its values counting up from 1.
    fn complete(stages: usize) -> String {
        let mut next = 1;
        let mut text = String::new();
        for term in TERMS {
            text += &format!("{} =", term.name);
            for _ in 0..term.count(stages) {
                text += &format!(" {next}:-{next}");
                next += 1;
            }
            text += "  # what it is\n";
        }
        text
    }

    #[test]
    fn values_come_in_the_order_of_the_text() {
        for stages in [1, 3] {
            let weights = Weights::parse(&complete(stages), stages).unwrap();
            let mut next = 1;
            for term in TERMS {
                for index in 0..term.count(stages) {
                    let value = weights.value(term.at_listed(index, stages));
                    assert_eq!((value.middle(), value.end()), (next, -next));
                    next += 1;
                }
            }
        }
    }

    #[test]
    fn writing_keeps_comments_and_columns() {
        let text = complete(1).replace("tempo = ", "tempo =  # two parts\n      ");
        let mut weights = Weights::parse(&text, 1).unwrap();
        assert_eq!(weights.write_into(&text, 1).unwrap(), text);
        weights.set_value(super::super::terms::TEMPO.at(0), Tapered::new(7, 8));
        let changed = weights.write_into(&text, 1).unwrap();
        assert!(changed.contains("tempo =  # two parts\n       7:8  # what it is\n"), "{changed}");
        assert_eq!(Weights::parse(&changed, 1).unwrap(), weights);
    }

    #[test]
    fn mistakes_are_named() {
        let good = complete(1);
        let error = |text: &str| Weights::parse(text, 1).unwrap_err();
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
        // Three stages need nine balances, one stage one.
        assert!(matches!(
            Weights::parse(&good, 3).unwrap_err(),
            WeightsError::WrongCount { name: "tempo", expected: 9, found: 1 }
        ));
    }
}
