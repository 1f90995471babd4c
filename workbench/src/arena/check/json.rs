//! The results as JSON, for scripts.

use super::conditions::Conditions;
use super::item::Item;
use super::report::GameReport;
use super::rubric::{Points, Rubric};
use super::sheet::Verdict;
use super::summary::BotSummary;
use crate::json::Json;
use trebuchet::types::Color;

/// The whole result in one line.
pub fn write(
    conditions: &Conditions,
    reports: &[GameReport],
    bots: &[BotSummary],
    rubric: Option<&Rubric>,
) -> String {
    let items = conditions.items();
    let games = reports.iter().map(|report| game(report, items.clone())).collect();
    Json::Object(vec![
        ("stage", Json::text(conditions.stage)),
        ("games", Json::List(games)),
        ("bots", Json::List(bots.iter().map(|found| bot(found, rubric)).collect())),
    ])
    .to_string()
}

fn game(report: &GameReport, items: impl Iterator<Item = Item>) -> Json {
    let ending = &report.ending;
    let optional = |text: Option<String>| text.map_or(Json::Null, Json::Text);
    Json::Object(vec![
        ("file", Json::text(&report.file)),
        ("line", Json::Count(report.line)),
        ("game", Json::Count(report.game as u64)),
        ("bot", Json::text(&report.name)),
        ("engine", optional(report.seat.map(|seat| seat.to_string()))),
        ("side", optional(report.color.map(|color: Color| color.to_string()))),
        ("opponent", optional(report.opponent.clone())),
        ("variant", Json::text(&report.variant)),
        ("moves", Json::Count(report.moves as u64)),
        ("result", Json::text(ending.result)),
        ("ending", Json::text(ending.kind.name())),
        ("reason", Json::text(&ending.reason)),
        ("items", Json::List(items.map(|item| item_of(report, item)).collect())),
    ])
}

fn item_of(report: &GameReport, item: Item) -> Json {
    let verdict = report.sheet.verdict(item);
    let mut fields =
        vec![("item", Json::text(item.name())), ("verdict", Json::text(verdict.name()))];
    if let Verdict::NotJudged(reason) = verdict {
        fields.push(("reason", Json::text(reason)));
    }
    if verdict == Verdict::Broken {
        let violations = report.sheet.violations(item).map(|violation| {
            Json::Object(vec![
                ("line", Json::Count(violation.line)),
                ("ply", Json::Count(violation.ply as u64)),
                ("move", Json::text(violation.mv.trim_end())),
                ("text", Json::text(&violation.text)),
            ])
        });
        fields.push(("count", Json::Count(report.sheet.count(item))));
        fields.push(("violations", Json::List(violations.collect())));
    }
    Json::Object(fields)
}

fn bot(bot: &BotSummary, rubric: Option<&Rubric>) -> Json {
    let points = |points: Points| {
        [("points", Json::Number(points.reached)), ("of", Json::Number(points.possible))]
    };
    let items = bot.items.iter().map(|&(item, counts)| {
        let mut fields = vec![
            ("item", Json::text(item.name())),
            ("kept", Json::Count(counts.kept)),
            ("broken", Json::Count(counts.broken)),
            ("not_tested", Json::Count(counts.not_tested)),
            ("not_judged", Json::Count(counts.not_judged)),
        ];
        fields.extend(
            rubric
                .and_then(|rubric| bot.points_for(item, rubric))
                .map(points)
                .into_iter()
                .flatten(),
        );
        Json::Object(fields)
    });
    let mut fields = vec![
        ("name", Json::text(&bot.name)),
        ("games", Json::Count(bot.games)),
        ("won", Json::Count(bot.won)),
        ("drawn", Json::Count(bot.drawn)),
        ("lost", Json::Count(bot.lost)),
        ("items", Json::List(items.collect())),
    ];
    if let Some(rubric) = rubric {
        let sum = bot.points(rubric);
        fields.extend(points(sum));
        fields.push(("percent", Json::Number(sum.percent())));
    }
    fields.push(("passed", Json::Bool(bot.has_passed(rubric))));
    Json::Object(fields)
}
