//! All games of a bot together.

use std::collections::HashSet;

use super::item::Item;
use super::report::GameReport;
use super::rubric::{Points, Rubric};
use super::sheet::Verdict;
use trebuchet::types::GameResult;

/// In how many games an item got each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemCounts {
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
    pub items: Vec<(Item, ItemCounts)>,
}

impl BotSummary {
    fn new(name: String, items: impl Iterator<Item = Item>) -> BotSummary {
        let items = items.map(|item| (item, ItemCounts::default())).collect();
        BotSummary { name, games: 0, won: 0, drawn: 0, lost: 0, items }
    }

    fn add(&mut self, report: &GameReport) {
        self.games += u64::from(report.game > 0);
        match (report.ending.result, report.color) {
            (GameResult::Win(winner), Some(color)) if winner == color => self.won += 1,
            (GameResult::Win(_), Some(_)) => self.lost += 1,
            (GameResult::Draw, _) => self.drawn += 1,
            _ => {}
        }
        for (item, counts) in &mut self.items {
            match report.sheet.verdict(*item) {
                Verdict::Kept => counts.kept += 1,
                Verdict::Broken => counts.broken += 1,
                Verdict::NotTested => counts.not_tested += 1,
                Verdict::NotJudged(_) => counts.not_judged += 1,
            }
        }
    }

    /// Has the bot kept every item in every game, as far as that could be judged?
    pub fn is_clean(&self) -> bool {
        self.items.iter().all(|(_, counts)| counts.broken == 0)
    }

    /// The points for an item; `None` if it does not count.
    pub fn points_for(&self, item: Item, rubric: &Rubric) -> Option<Points> {
        let counts = self.items.iter().find(|(known, _)| *known == item);
        rubric.points_for(item, counts.map_or(ItemCounts::default(), |(_, counts)| *counts))
    }

    /// The sum of the points for all items of the check. Items of other stages do not count.
    pub fn points(&self, rubric: &Rubric) -> Points {
        let items = self.items.iter().filter_map(|&(item, _)| self.points_for(item, rubric));
        items.fold(Points { reached: 0.0, possible: 0.0 }, |sum, points| Points {
            reached: sum.reached + points.reached,
            possible: sum.possible + points.possible,
        })
    }

    /// Has the bot passed: all items kept or, with a rubric that says how many points are needed,
    /// these points reached?
    pub fn has_passed(&self, rubric: Option<&Rubric>) -> bool {
        match rubric.and_then(|rubric| Some((rubric, rubric.pass?))) {
            // Points are sums of fractions.
            Some((rubric, pass)) => self.points(rubric).percent() + 1e-9 >= pass,
            None => self.is_clean(),
        }
    }
}

/// Gives two bots of the same name that meet in a game their places as names, too.
pub fn tell_apart(reports: &mut [GameReport]) {
    let mut seen = HashSet::new();
    let twins: HashSet<String> = reports
        .iter()
        .filter(|report| !seen.insert((report.file.clone(), report.game, report.name.clone())))
        .map(|report| report.name.clone())
        .collect();
    for report in reports.iter_mut().filter(|report| twins.contains(&report.name)) {
        let place = match (report.seat, report.color) {
            (Some(seat), _) => seat.to_string(),
            (None, Some(color)) => color.to_string(),
            (None, None) => continue,
        };
        report.name = format!("{} ({place})", report.name);
    }
}

/// The summaries of all bots, in the order in which they appear.
pub fn summarize(
    reports: &[GameReport],
    items: impl Iterator<Item = Item> + Clone,
) -> Vec<BotSummary> {
    let mut bots: Vec<BotSummary> = Vec::new();
    for report in reports {
        let place = bots.iter().position(|bot| bot.name == report.name).unwrap_or_else(|| {
            bots.push(BotSummary::new(report.name.clone(), items.clone()));
            bots.len() - 1
        });
        bots[place].add(report);
    }
    bots
}
