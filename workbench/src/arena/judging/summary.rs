//! All games of a bot together.

use std::collections::HashSet;

use super::criterion::Criterion;
use super::report::GameReport;
use super::sheet::CriterionVerdict;
use trebuchet::types::GameResult;

/// In how many games a criterion got each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CriterionCounts {
    pub kept: u64,
    pub broken: u64,
    pub not_tested: u64,
    pub not_judged: u64,
}

/// All games of a bot.
#[derive(Clone, Debug)]
pub struct BotSummary {
    pub name: String,
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    pub criteria: Vec<(Criterion, CriterionCounts)>,
}

impl BotSummary {
    fn new(name: String, criteria: impl Iterator<Item = Criterion>) -> BotSummary {
        let criteria = criteria.map(|criterion| (criterion, CriterionCounts::default())).collect();
        BotSummary { name, games: 0, won: 0, drawn: 0, lost: 0, criteria }
    }

    fn add(&mut self, report: &GameReport) {
        self.games += u64::from(report.game > 0);
        match (report.ending.result, report.color) {
            (GameResult::Win(winner), Some(color)) if winner == color => self.won += 1,
            (GameResult::Win(_), Some(_)) => self.lost += 1,
            (GameResult::Draw, _) => self.drawn += 1,
            _ => {}
        }
        for (criterion, counts) in &mut self.criteria {
            match report.sheet.verdict(*criterion) {
                CriterionVerdict::Kept => counts.kept += 1,
                CriterionVerdict::Broken => counts.broken += 1,
                CriterionVerdict::NotTested => counts.not_tested += 1,
                CriterionVerdict::NotJudged(_) => counts.not_judged += 1,
            }
        }
    }

    /// Has the bot kept every criterion in every game, as far as that could be judged?
    pub fn is_clean(&self) -> bool {
        self.criteria.iter().all(|(_, counts)| counts.broken == 0)
    }
}

/// Gives two bots of the same name that meet in a game their places as names, too.
pub fn disambiguate_names(reports: &mut [GameReport]) {
    let mut seen = HashSet::new();
    let twins: HashSet<String> = reports
        .iter()
        .filter(|report| !seen.insert((report.file.clone(), report.game, report.name.clone())))
        .map(|report| report.name.clone())
        .collect();
    for report in reports.iter_mut().filter(|report| twins.contains(&report.name)) {
        let place = match (report.slot, report.color) {
            (Some(slot), _) => slot.to_string(),
            (None, Some(color)) => color.to_string(),
            (None, None) => continue,
        };
        report.name = format!("{} ({place})", report.name);
    }
}

/// The summaries of all bots, in the order in which they appear.
pub fn summarize(
    reports: &[GameReport],
    criteria: impl Iterator<Item = Criterion> + Clone,
) -> Vec<BotSummary> {
    let mut bots: Vec<BotSummary> = Vec::new();
    for report in reports {
        let place = bots.iter().position(|bot| bot.name == report.name).unwrap_or_else(|| {
            bots.push(BotSummary::new(report.name.clone(), criteria.clone()));
            bots.len() - 1
        });
        bots[place].add(report);
    }
    bots
}
