//! Points for items, from a TOML file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::item::{Item, UnknownItem};
use super::summary::ItemCounts;

/// How many points a bot gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Rubric {
    /// The points of each item, in the order of the file.
    points: Vec<(Item, f64)>,
    credit: Credit,
    untested: Untested,
    /// The bot passes with this percentage of the points.
    pub pass: Option<f64>,
}

/// What a bot gets for an item that it has not kept in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Credit {
    /// The share of the games in which it was kept, of those that tested it.
    #[default]
    Share,
    /// Nothing.
    All,
}

/// What a bot gets for an item that no game has tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Untested {
    /// The item does not count.
    #[default]
    Skip,
    /// All points.
    Full,
    /// No points.
    Zero,
}

/// Why a rubric cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RubricError {
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("{path}:{line}: {message}")]
    Content { path: PathBuf, line: usize, message: String },
}

/// The points of a bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points {
    pub reached: f64,
    pub possible: f64,
}

impl Points {
    /// The percentage; 0 if nothing counts.
    pub fn percent(self) -> f64 {
        if self.possible > 0.0 { 100.0 * self.reached / self.possible } else { 0.0 }
    }
}

impl Rubric {
    /// Reads a rubric.
    ///
    /// # Errors
    /// A [`RubricError`] that says what is wrong, and where.
    pub fn read(path: &Path) -> Result<Rubric, RubricError> {
        let text =
            fs::read_to_string(path).map_err(|error| RubricError::File(path.to_owned(), error))?;
        Rubric::parse(&text).map_err(|(line, message)| RubricError::Content {
            path: path.to_owned(),
            line,
            message,
        })
    }

    fn parse(text: &str) -> Result<Rubric, (usize, String)> {
        let text = text.trim_start_matches('\u{feff}');
        let line_of = |offset: usize| 1 + text[..offset.min(text.len())].matches('\n').count();
        let table = DeTable::parse(text).map_err(|error| {
            (line_of(error.span().map_or(0, |span| span.start)), error.message().to_owned())
        })?;
        let mut rubric = Rubric {
            points: Vec::new(),
            credit: Credit::default(),
            untested: Untested::default(),
            pass: None,
        };
        for (key, value) in table.get_ref() {
            let fail = |message: String| (line_of(value.span().start), message);
            let word = || value.get_ref().as_str().unwrap_or_default();
            match key.get_ref().as_ref() {
                "pass" => {
                    let pass = number(value).filter(|pass| (0.0..=100.0).contains(pass));
                    let wrong = || fail("pass: not a percentage from 0 to 100".to_owned());
                    rubric.pass = Some(pass.ok_or_else(wrong)?);
                }
                "credit" => {
                    rubric.credit = match word() {
                        "share" => Credit::Share,
                        "all" => Credit::All,
                        _ => return Err(fail("credit: \"share\" or \"all\"".to_owned())),
                    }
                }
                "untested" => {
                    rubric.untested = match word() {
                        "skip" => Untested::Skip,
                        "full" => Untested::Full,
                        "zero" => Untested::Zero,
                        _ => {
                            return Err(fail(
                                "untested: \"skip\", \"full\" or \"zero\"".to_owned(),
                            ));
                        }
                    }
                }
                "points" => {
                    let DeValue::Table(items) = value.get_ref() else {
                        return Err(fail("points: a table [points] is expected".to_owned()));
                    };
                    for (name, value) in items {
                        let at = line_of(name.span().start);
                        let item: Item = name
                            .get_ref()
                            .parse()
                            .map_err(|error: UnknownItem| (at, error.to_string()))?;
                        let points = number(value).filter(|points| (0.0..=1e6).contains(points));
                        let wrong = || (at, format!("{item}: not a number of points from 0"));
                        rubric.points.push((item, points.ok_or_else(wrong)?));
                    }
                }
                key => {
                    let known = "known: pass, credit, untested, points";
                    return Err((
                        line_of(value.span().start),
                        format!("unknown setting `{key}`; {known}"),
                    ));
                }
            }
        }
        if rubric.points.is_empty() {
            return Err((1, "no points: a table [points] is expected".to_owned()));
        }
        rubric.points.sort_by_key(|&(item, _)| item);
        Ok(rubric)
    }

    /// The points for an item; `None` if the item does not count.
    pub fn points_for(&self, item: Item, counts: ItemCounts) -> Option<Points> {
        let &(_, possible) = self.points.iter().find(|(known, _)| *known == item)?;
        let tested = counts.kept + counts.broken;
        let share = match (tested, self.untested, self.credit) {
            (0, Untested::Skip, _) => return None,
            (0, Untested::Full, _) => 1.0,
            (0, Untested::Zero, _) => 0.0,
            (_, _, Credit::Share) => counts.kept as f64 / tested as f64,
            (_, _, Credit::All) => f64::from(u8::from(counts.broken == 0)),
        };
        Some(Points { reached: possible * share, possible })
    }
}

fn number(value: &Spanned<DeValue>) -> Option<f64> {
    let text = match value.get_ref() {
        DeValue::Integer(integer) => integer.as_str(),
        DeValue::Float(float) => float.as_str(),
        _ => return None,
    };
    text.replace('_', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(kept: u64, broken: u64) -> ItemCounts {
        ItemCounts { kept, broken, ..ItemCounts::default() }
    }

    #[test]
    fn points_are_shared_among_the_games() {
        let rubric = Rubric::parse("pass = 50\n[points]\nlegal-moves = 40\nclock = 2.5\n").unwrap();
        assert_eq!(rubric.pass, Some(50.0));
        let points = |rubric: &Rubric, kept, broken| {
            rubric.points_for(Item::LegalMoves, counts(kept, broken)).map(|found| found.reached)
        };
        assert_eq!(points(&rubric, 3, 1), Some(30.0));
        assert_eq!(points(&rubric, 0, 0), None);
        assert_eq!(rubric.points_for(Item::PawnsOnly, counts(1, 0)), None);
        let items: Vec<Item> = rubric.points.iter().map(|&(item, _)| item).collect();
        assert_eq!(items, [Item::LegalMoves, Item::Clock]);
        let strict = "credit = \"all\"\nuntested = \"full\"\n[points]\nlegal-moves = 40\n";
        let strict = Rubric::parse(strict).unwrap();
        assert_eq!(points(&strict, 3, 1), Some(0.0));
        assert_eq!(points(&strict, 3, 0), Some(40.0));
        assert_eq!(points(&strict, 0, 0), Some(40.0));
        let zero = Rubric::parse("untested = \"zero\"\n[points]\nlegal-moves = 40\n").unwrap();
        assert_eq!(points(&zero, 0, 0), Some(0.0));
        assert_eq!(Points { reached: 30.0, possible: 40.0 }.percent(), 75.0);
        assert_eq!(Points { reached: 0.0, possible: 0.0 }.percent(), 0.0);
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        for (text, line, message) in [
            ("\n[points]\nlegal = 3\n", 3, "no such item: legal; known: legal-moves, "),
            ("[points]\nclock = -1\n", 2, "clock: not a number of points from 0"),
            ("[points]\nclock = nan\n", 2, "clock: not a number of points from 0"),
            ("[points]\nclock = \"3\"\n", 2, "clock: not a number of points from 0"),
            ("pass = 101\n[points]\nclock = 1\n", 1, "pass: not a percentage"),
            ("credit = 3\n", 1, "credit: \"share\" or \"all\""),
            ("untested = \"x\"\n", 1, "untested: \"skip\", "),
            ("points = 3\n", 1, "points: a table [points] is expected"),
            ("bonus = 3\n", 1, "unknown setting `bonus`; known: pass, "),
            ("", 1, "no points: "),
            ("[points]\nclock = = 1\n", 2, ""),
        ] {
            let (at, found) = Rubric::parse(text).unwrap_err();
            assert!(at == line && found.starts_with(message), "{text}: {at} {found}");
        }
    }
}
