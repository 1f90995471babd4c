//! The results for people.

use std::fmt::{self, Write};

use super::item::Item;
use super::report::GameReport;
use super::rubric::Rubric;
use super::sheet::Verdict;
use super::summary::{BotSummary, ItemCounts};

/// Writes a line for each game, and the violations.
pub fn write_games(
    out: &mut String,
    reports: &[GameReport],
    items: impl Iterator<Item = Item> + Clone,
) -> fmt::Result {
    let width = |length: fn(&GameReport) -> usize, least: usize| {
        reports.iter().map(length).max().unwrap_or(0).clamp(least, 40)
    };
    let names = width(|report| report.name.chars().count(), 3);
    let variants = width(|report| report.variant.chars().count(), 7);
    let endings = width(|report| report.ending.reason.chars().count(), 6);
    let mut file = "";
    for report in reports {
        if file != &*report.file {
            let space = if file.is_empty() { "" } else { "\n" };
            file = &report.file;
            writeln!(out, "{space}{file}")?;
            writeln!(
                out,
                "  game  {:names$}  {:variants$}  side   moves  result   {:endings$}  broken",
                "bot", "variant", "ending"
            )?;
        }
        let side = report.color.map_or_else(|| "-".to_owned(), |color| color.to_string());
        let broken: Vec<&str> = items
            .clone()
            .filter(|&item| report.sheet.verdict(item) == Verdict::Broken)
            .map(Item::name)
            .collect();
        let broken = if broken.is_empty() { "-".to_owned() } else { broken.join(", ") };
        writeln!(
            out,
            "{:6}  {:names$}  {:variants$}  {side:5}  {:5}  {:7}  {:endings$}  {broken}",
            report.game,
            report.name,
            report.variant,
            report.moves,
            report.ending.result.token(),
            report.ending.reason
        )?;
    }
    Ok(())
}

/// Writes all violations, one in a line, as compilers write errors.
pub fn write_violations(
    out: &mut String,
    reports: &[GameReport],
    items: impl Iterator<Item = Item> + Clone,
) -> fmt::Result {
    for report in reports {
        for item in items.clone() {
            for violation in report.sheet.violations(item) {
                write!(out, "{}:{}: ", report.file, violation.line)?;
                write!(out, "game {}, {}: {item}: ", report.game, report.name)?;
                if !violation.mv.is_empty() {
                    write!(out, "{}: ", violation.mv.trim_end())?;
                }
                writeln!(out, "{}", violation.text)?;
            }
            let more = report.sheet.count(item) - report.sheet.violations(item).count() as u64;
            if more > 0 {
                let (file, game, name) = (&report.file, report.game, &report.name);
                writeln!(out, "{file}: game {game}, {name}: {item}: {more} more times")?;
            }
        }
    }
    Ok(())
}

/// Writes the summary of a bot. Items that no game has tested have no row, unless they have points.
pub fn write_summary(out: &mut String, bot: &BotSummary, rubric: Option<&Rubric>) -> fmt::Result {
    let BotSummary { name, games, won, drawn, lost, .. } = bot;
    let plural = if *games == 1 { "" } else { "s" };
    writeln!(out, "{name}: {games} game{plural}, {won} won, {drawn} drawn, {lost} lost")?;
    let head = if rubric.is_some() { "  points" } else { "" };
    writeln!(out, "  {:25}  kept  broken  not tested  not judged{head}", "item")?;
    let (mut not_tested, mut not_judged) = (Vec::new(), Vec::new());
    for &(item, counts) in &bot.items {
        let points = rubric.and_then(|rubric| bot.points_for(item, rubric));
        if counts.kept + counts.broken == 0 && points.is_none() {
            let list = if counts.not_judged > 0 { &mut not_judged } else { &mut not_tested };
            list.push(item.name());
            continue;
        }
        let ItemCounts { kept, broken, not_tested, not_judged } = counts;
        write!(out, "  {item:25}  {kept:4}  {broken:6}  {not_tested:10}  {not_judged:10}")?;
        match points {
            Some(points) => {
                let (reached, possible) = (rounded(points.reached), rounded(points.possible));
                writeln!(out, "  {reached} of {possible}")?;
            }
            None => writeln!(out)?,
        }
    }
    for (word, items) in [("not tested", not_tested), ("not judged", not_judged)] {
        if !items.is_empty() {
            writeln!(out, "  {word}: {}", items.join(", "))?;
        }
    }
    if let Some(rubric) = rubric {
        let points = bot.points(rubric);
        let (reached, possible) = (rounded(points.reached), rounded(points.possible));
        write!(out, "  points: {reached} of {possible}, {:.1} %", points.percent())?;
        if let Some(pass) = rubric.pass {
            let word = if bot.has_passed(Some(rubric)) { "passed" } else { "not passed" };
            write!(out, "; {pass} % are needed: {word}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A number to the hundredth, without trailing zeros.
fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
