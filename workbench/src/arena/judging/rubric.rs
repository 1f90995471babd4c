//! Points for criteria, from a TOML file.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::criterion::Criterion;
use super::summary::{BotSummary, CriterionCounts};
use crate::files::{self, MAX_SETTINGS};
use crate::settings_text::{self, SettingsError};

/// How many points a bot gets.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rubric {
    /// The most points for each criterion.
    #[serde(default)]
    points: BTreeMap<Criterion, MostPoints>,
    #[serde(default)]
    credit: Credit,
    #[serde(default)]
    untested: Untested,
    /// The bot passes with this percentage of the points.
    pass: Option<Percentage>,
}

/// What a bot gets for a criterion that it has not kept in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
enum Credit {
    /// The share of the games in which it was kept, of those that tested it.
    #[default]
    #[serde(rename = "share")]
    Proportional,
    /// Nothing.
    #[serde(rename = "all")]
    AllOrNothing,
}

/// What a bot gets for a criterion that no game has tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Untested {
    /// The criterion does not count.
    #[default]
    Skip,
    /// All points.
    Full,
    /// No points.
    Zero,
}

/// A number of points from 0 to a million.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
struct MostPoints(f64);

impl TryFrom<f64> for MostPoints {
    type Error = &'static str;

    fn try_from(points: f64) -> Result<MostPoints, &'static str> {
        if (0.0..=1e6).contains(&points) {
            Ok(MostPoints(points))
        } else {
            Err("not a number of points from 0")
        }
    }
}

/// A number from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
struct Percentage(f64);

impl TryFrom<f64> for Percentage {
    type Error = &'static str;

    fn try_from(percent: f64) -> Result<Percentage, &'static str> {
        if (0.0..=100.0).contains(&percent) {
            Ok(Percentage(percent))
        } else {
            Err("not a percentage from 0 to 100")
        }
    }
}

/// Why a rubric cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RubricError {
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("{}:{error}", path.display())]
    Settings { path: PathBuf, error: SettingsError },
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
        let text = files::read_text(path, MAX_SETTINGS)
            .map_err(|error| RubricError::File(path.to_owned(), error))?;
        Rubric::parse(&text).map_err(|error| RubricError::Settings { path: path.to_owned(), error })
    }

    /// The rubric in a TOML text.
    fn parse(text: &str) -> Result<Rubric, SettingsError> {
        let rubric: Rubric = settings_text::parse(text)?;
        if rubric.points.is_empty() {
            let message = "no points: a table [points] is expected".to_owned();
            return Err(SettingsError { line: 1, message });
        }
        Ok(rubric)
    }

    /// The percentage of the points that is needed to pass, if the rubric says it.
    pub fn pass(&self) -> Option<f64> {
        self.pass.map(|Percentage(percent)| percent)
    }

    /// The points for a criterion; `None` if it does not count.
    pub fn points_for(&self, criterion: Criterion, counts: CriterionCounts) -> Option<Points> {
        let &MostPoints(possible) = self.points.get(&criterion)?;
        let tested = counts.kept + counts.broken;
        let share = match (tested, self.untested, self.credit) {
            (0, Untested::Skip, _) => return None,
            (0, Untested::Full, _) => 1.0,
            (0, Untested::Zero, _) => 0.0,
            (_, _, Credit::Proportional) => counts.kept as f64 / tested as f64,
            (_, _, Credit::AllOrNothing) => f64::from(u8::from(counts.broken == 0)),
        };
        Some(Points { reached: possible * share, possible })
    }

    /// The sum of the points for all criteria of the check. Criteria of other stages do not count.
    pub fn points(&self, bot: &BotSummary) -> Points {
        let counted =
            bot.criteria.iter().filter_map(|&(item, counts)| self.points_for(item, counts));
        counted.fold(Points { reached: 0.0, possible: 0.0 }, |sum, points| Points {
            reached: sum.reached + points.reached,
            possible: sum.possible + points.possible,
        })
    }
}

/// Has the bot passed: all criteria kept or, with a rubric that says how many points are needed, these
/// points reached?
pub fn has_passed(bot: &BotSummary, rubric: Option<&Rubric>) -> bool {
    match rubric.and_then(|rubric| Some((rubric, rubric.pass()?))) {
        // Points are sums of fractions.
        Some((rubric, pass)) => rubric.points(bot).percent() + 1e-9 >= pass,
        None => bot.is_clean(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(kept: u64, broken: u64) -> CriterionCounts {
        CriterionCounts { kept, broken, ..CriterionCounts::default() }
    }

    #[test]
    fn points_are_shared_among_the_games() {
        let rubric = Rubric::parse("pass = 50\n[points]\nlegal-moves = 40\nclock = 2.5\n").unwrap();
        assert_eq!(rubric.pass(), Some(50.0));
        let points = |rubric: &Rubric, kept, broken| {
            rubric
                .points_for(Criterion::LegalMoves, counts(kept, broken))
                .map(|found| found.reached)
        };
        assert_eq!(points(&rubric, 3, 1), Some(30.0));
        assert_eq!(points(&rubric, 0, 0), None);
        assert_eq!(rubric.points_for(Criterion::PawnsOnly, counts(1, 0)), None);
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
            ("\n[points]\nlegal = 3\n", 3, "no such criterion: legal; known: legal-moves, "),
            ("[points]\nclock = -1\n", 2, "clock: not a number of points from 0"),
            ("[points]\nclock = nan\n", 2, "clock: not a number of points from 0"),
            (
                "[points]\nlegal-moves = 1\nclock = \"3\"\n",
                3,
                "clock: invalid type: string \"3\", expected f64",
            ),
            ("pass = 101\n[points]\nclock = 1\n", 1, "pass: not a percentage from 0 to 100"),
            ("credit = 3\n", 1, "credit: wanted string or table"),
            (
                "\nuntested = \"x\"\n",
                2,
                "untested: unknown variant `x`, expected one of `skip`, `full`, `zero`",
            ),
            ("points = 3\n", 1, "points: invalid type: integer `3`, expected a map"),
            (
                "pass = 1\nbonus = 3\n",
                2,
                "unknown field `bonus`, expected one of `points`, `credit`, ",
            ),
            ("", 1, "no points: "),
            ("[points]\nclock = = 1\n", 2, ""),
        ] {
            let SettingsError { line: at, message: found } = Rubric::parse(text).unwrap_err();
            assert!(at == line && found.starts_with(message), "{text}: {at} {found}");
        }
    }
}
