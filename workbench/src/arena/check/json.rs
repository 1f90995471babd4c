//! The results as JSON, for scripts.

use serde::Serialize;

use crate::json;

use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::report::GameReport;
use crate::arena::judging::rubric::{Points, Rubric, has_passed};
use crate::arena::judging::settings::CheckSettings;
use crate::arena::judging::sheet::{CriterionVerdict, Violation};
use crate::arena::judging::summary::{BotSummary, CriterionCounts};

#[derive(Serialize)]
struct CheckJson<'a> {
    stage: &'a str,
    games: Vec<GameJson<'a>>,
    bots: Vec<BotJson<'a>>,
}

#[derive(Serialize)]
struct GameJson<'a> {
    file: &'a str,
    line: u64,
    game: usize,
    bot: &'a str,
    engine: Option<String>,
    side: Option<String>,
    opponent: Option<&'a str>,
    variant: &'a str,
    moves: usize,
    result: &'a str,
    ending: &'a str,
    reason: &'a str,
    items: Vec<VerdictJson<'a>>,
}

#[derive(Serialize)]
struct VerdictJson<'a> {
    item: Criterion,
    verdict: &'a str,
    /// Why the criterion was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// How often the criterion was broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    violations: Option<Vec<ViolationJson<'a>>>,
}

#[derive(Serialize)]
struct ViolationJson<'a> {
    line: u64,
    ply: usize,
    #[serde(rename = "move")]
    mv: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct BotJson<'a> {
    name: &'a str,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    items: Vec<CountsJson>,
    #[serde(flatten)]
    points: Option<PointsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<f64>,
    passed: bool,
}

#[derive(Serialize)]
struct CountsJson {
    item: Criterion,
    kept: u64,
    broken: u64,
    not_tested: u64,
    not_judged: u64,
    #[serde(flatten)]
    points: Option<PointsJson>,
}

#[derive(Serialize)]
struct PointsJson {
    points: f64,
    of: f64,
}

/// The whole result in one line.
pub fn write(
    settings: &CheckSettings,
    reports: &[GameReport],
    bots: &[BotSummary],
    rubric: Option<&Rubric>,
) -> String {
    json::line(&CheckJson {
        stage: settings.stage.name(),
        games: reports.iter().map(|report| game(report, settings)).collect(),
        bots: bots.iter().map(|found| bot(found, rubric)).collect(),
    })
}

fn game<'a>(report: &'a GameReport, settings: &CheckSettings) -> GameJson<'a> {
    let ending = &report.ending;
    GameJson {
        file: &report.file,
        line: report.line,
        game: report.game,
        bot: &report.name,
        engine: report.slot.map(|slot| slot.to_string()),
        side: report.color.map(|color| color.to_string()),
        opponent: report.opponent.as_deref(),
        variant: &report.variant,
        moves: report.moves,
        result: ending.result.token(),
        ending: ending.kind.name(),
        reason: &ending.reason,
        items: settings.criteria().map(|criterion| verdict(report, criterion)).collect(),
    }
}

fn verdict(report: &GameReport, criterion: Criterion) -> VerdictJson<'_> {
    let verdict = report.sheet.verdict(criterion);
    let is_broken = verdict == CriterionVerdict::Broken;
    let violations =
        report.sheet.violations(criterion).map(|violation: &Violation| ViolationJson {
            line: violation.line,
            ply: violation.ply,
            mv: violation.mv.trim_end(),
            text: &violation.text,
        });
    VerdictJson {
        item: criterion,
        verdict: verdict.name(),
        reason: match verdict {
            CriterionVerdict::NotJudged(reason) => Some(reason),
            _ => None,
        },
        count: is_broken.then(|| report.sheet.count(criterion)),
        violations: is_broken.then(|| violations.collect()),
    }
}

fn bot<'a>(bot: &'a BotSummary, rubric: Option<&Rubric>) -> BotJson<'a> {
    let json = |Points { reached, possible }| PointsJson { points: reached, of: possible };
    let counts = |&(criterion, counts): &(Criterion, CriterionCounts)| CountsJson {
        item: criterion,
        kept: counts.kept,
        broken: counts.broken,
        not_tested: counts.not_tested,
        not_judged: counts.not_judged,
        points: rubric.and_then(|rubric| rubric.points_for(criterion, counts)).map(json),
    };
    let points = rubric.map(|rubric| rubric.points(bot));
    BotJson {
        name: &bot.name,
        games: bot.games,
        won: bot.won,
        drawn: bot.drawn,
        lost: bot.lost,
        items: bot.criteria.iter().map(counts).collect(),
        points: points.map(json),
        percent: points.map(Points::percent),
        passed: has_passed(bot, rubric),
    }
}
