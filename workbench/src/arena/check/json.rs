//! The results as JSON, for scripts.

use serde_json::{Value, json};

use super::conditions::Conditions;
use super::item::Item;
use super::report::GameReport;
use super::rubric::Rubric;
use super::sheet::Verdict;
use super::summary::BotSummary;
use crate::json;
use trebuchet::types::Color;

/// The whole result in one line.
pub fn write(
    conditions: &Conditions,
    reports: &[GameReport],
    bots: &[BotSummary],
    rubric: Option<&Rubric>,
) -> String {
    let items = conditions.items();
    json::line(&json!({
        "stage": conditions.stage.to_string(),
        "games": reports.iter().map(|report| game(report, items.clone())).collect::<Vec<_>>(),
        "bots": bots.iter().map(|found| bot(found, rubric)).collect::<Vec<_>>(),
    }))
}

fn game(report: &GameReport, items: impl Iterator<Item = Item>) -> Value {
    let ending = &report.ending;
    json!({
        "file": *report.file,
        "line": report.line,
        "game": report.game,
        "bot": report.name,
        "engine": report.seat.map(|seat| seat.to_string()),
        "side": report.color.map(|color: Color| color.to_string()),
        "opponent": report.opponent,
        "variant": report.variant,
        "moves": report.moves,
        "result": ending.result.to_string(),
        "ending": ending.kind.name(),
        "reason": ending.reason,
        "items": items.map(|item| item_of(report, item)).collect::<Vec<_>>(),
    })
}

fn item_of(report: &GameReport, item: Item) -> Value {
    let verdict = report.sheet.verdict(item);
    let mut entry = json!({ "item": item.name(), "verdict": verdict.name() });
    if let Verdict::NotJudged(reason) = verdict {
        entry["reason"] = json!(reason);
    }
    if verdict == Verdict::Broken {
        let violations = report.sheet.violations(item).map(|violation| {
            json!({
                "line": violation.line,
                "ply": violation.ply,
                "move": violation.mv.trim_end(),
                "text": violation.text,
            })
        });
        entry["count"] = json!(report.sheet.count(item));
        entry["violations"] = violations.collect();
    }
    entry
}

fn bot(bot: &BotSummary, rubric: Option<&Rubric>) -> Value {
    let items = bot.items.iter().map(|&(item, counts)| {
        let mut entry = json!({
            "item": item.name(),
            "kept": counts.kept,
            "broken": counts.broken,
            "not_tested": counts.not_tested,
            "not_judged": counts.not_judged,
        });
        if let Some(points) = rubric.and_then(|rubric| bot.points_for(item, rubric)) {
            entry["points"] = json!(points.reached);
            entry["of"] = json!(points.possible);
        }
        entry
    });
    let mut entry = json!({
        "name": bot.name,
        "games": bot.games,
        "won": bot.won,
        "drawn": bot.drawn,
        "lost": bot.lost,
        "items": items.collect::<Vec<_>>(),
    });
    if let Some(rubric) = rubric {
        let sum = bot.points(rubric);
        entry["points"] = json!(sum.reached);
        entry["of"] = json!(sum.possible);
        entry["percent"] = json!(sum.percent());
    }
    entry["passed"] = json!(bot.has_passed(rubric));
    entry
}
