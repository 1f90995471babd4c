//! The results for people.

use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::report::GameReport;
use crate::arena::judging::rubric::{Rubric, has_passed};
use crate::arena::judging::settings::CheckSettings;
use crate::arena::judging::sheet::CriterionVerdict;
use crate::arena::judging::summary::{BotSummary, CriterionCounts};

/// A line for each game, under a head for each file.
pub fn games(settings: &CheckSettings, reports: &[GameReport]) -> String {
    let width = |length: fn(&GameReport) -> usize, least: usize| {
        reports.iter().map(length).max().unwrap_or(0).clamp(least, 40)
    };
    let names = width(|report| report.name.chars().count(), 3);
    let variants = width(|report| report.variant.chars().count(), 7);
    let endings = width(|report| report.ending.reason.chars().count(), 6);
    let mut out = String::new();
    let mut file = "";
    for report in reports {
        if file != &*report.file {
            let space = if file.is_empty() { "" } else { "\n" };
            file = &report.file;
            out += &format!(
                "{space}{file}\n  game  {:names$}  {:variants$}  side   moves  result   {:endings$}  broken\n",
                "bot", "variant", "ending"
            );
        }
        let side = report.color.map_or_else(|| "-".to_owned(), |color| color.to_string());
        let is_broken =
            |criterion: &Criterion| report.sheet.verdict(*criterion) == CriterionVerdict::Broken;
        let broken: Vec<&str> =
            settings.criteria().filter(is_broken).map(Criterion::name).collect();
        let broken = if broken.is_empty() { "-".to_owned() } else { broken.join(", ") };
        out += &format!(
            "{:6}  {:names$}  {:variants$}  {side:5}  {:5}  {:7}  {:endings$}  {broken}\n",
            report.game,
            report.name,
            report.variant,
            report.moves,
            report.ending.result.token(),
            report.ending.reason
        );
    }
    out
}

/// All violations, one in a line, as compilers write errors.
pub fn violations(settings: &CheckSettings, reports: &[GameReport]) -> String {
    let mut out = String::new();
    for report in reports {
        let GameReport { file, game, name, sheet, .. } = report;
        for criterion in settings.criteria() {
            for violation in sheet.violations(criterion) {
                let mv = violation.mv.trim_end();
                let colon = if mv.is_empty() { "" } else { ": " };
                let (line, text) = (violation.line, &violation.text);
                out += &format!(
                    "{file}:{line}: game {game}, {name}: {criterion}: {mv}{colon}{text}\n"
                );
            }
            let more = sheet.count(criterion) - sheet.violations(criterion).count() as u64;
            if more > 0 {
                out += &format!("{file}: game {game}, {name}: {criterion}: {more} more times\n");
            }
        }
    }
    out
}

/// The summary of a bot. Criteria that no game has tested have no row, unless they have points.
pub fn summary(bot: &BotSummary, rubric: Option<&Rubric>) -> String {
    let BotSummary { name, games, won, drawn, lost, .. } = bot;
    let plural = if *games == 1 { "" } else { "s" };
    let mut out = format!("{name}: {games} game{plural}, {won} won, {drawn} drawn, {lost} lost\n");
    let head = if rubric.is_some() { "  points" } else { "" };
    out += &format!("  {:25}  kept  broken  not tested  not judged{head}\n", "criterion");
    let (mut untested, mut unjudged) = (Vec::new(), Vec::new());
    for &(criterion, counts) in &bot.criteria {
        let points = rubric.and_then(|rubric| rubric.points_for(criterion, counts));
        if counts.kept + counts.broken == 0 && points.is_none() {
            let list = if counts.not_judged > 0 { &mut unjudged } else { &mut untested };
            list.push(criterion.name());
            continue;
        }
        let CriterionCounts { kept, broken, not_tested, not_judged } = counts;
        out += &format!("  {criterion:25}  {kept:4}  {broken:6}  {not_tested:10}  {not_judged:10}");
        if let Some(points) = points {
            out += &format!("  {} of {}", rounded(points.reached), rounded(points.possible));
        }
        out.push('\n');
    }
    for (word, criteria) in [("not tested", untested), ("not judged", unjudged)] {
        if !criteria.is_empty() {
            out += &format!("  {word}: {}\n", criteria.join(", "));
        }
    }
    if let Some(rubric) = rubric {
        let points = rubric.points(bot);
        let (reached, possible) = (rounded(points.reached), rounded(points.possible));
        let passed = has_passed(bot, Some(rubric));
        let percent = percentage(points.percent(), rubric.pass().filter(|_| !passed));
        out += &format!("  points: {reached} of {possible}, {percent} %");
        if let Some(pass) = rubric.pass() {
            let word = if passed { "passed" } else { "not passed" };
            out += &format!("; {pass} % are needed: {word}");
        }
        out.push('\n');
    }
    out
}

/// A percentage to the tenth, or with so many more digits that it is seen to be less than `missed`.
fn percentage(percent: f64, missed: Option<f64>) -> String {
    let mut texts = (1..=9).map(|digits| format!("{percent:.digits$}"));
    let is_less = |text: &String| {
        missed.is_none_or(|missed| text.parse().is_ok_and(|shown: f64| shown < missed))
    };
    texts.find(is_less).unwrap_or_else(|| format!("{percent:.1}"))
}

/// A number to the hundredth, without trailing zeros.
fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_that_is_not_enough_does_not_look_like_enough() {
        let two_thirds = 200.0 / 3.0;
        assert_eq!(percentage(two_thirds, None), "66.7");
        assert_eq!(percentage(two_thirds, Some(70.0)), "66.7");
        assert_eq!(percentage(two_thirds, Some(66.7)), "66.67");
        assert_eq!(percentage(49.9999, Some(50.0)), "49.9999");
        assert_eq!(percentage(0.0, Some(0.0)), "0.0");
    }
}
