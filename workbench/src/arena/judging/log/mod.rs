//! The games of a debug log.

mod board;
mod bot_lines;
mod clock;
mod follower;
mod games;
mod pings;
mod position;
pub mod reader;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead};
use std::sync::Arc;

use super::comments;
use super::event::{EventSink, FollowedGame};
use super::judges::Panel;
use super::report::GameReport;
use super::settings::CheckSettings;
use super::sheet::Sheet;
use crate::arena::engine_slot::EngineSlot;
pub use follower::{GameCount, LogFollower};
pub use position::LogPosition;
use reader::{LogLine, LogReader, Said};

/// Reads a log and judges all games in it, of both engines. `file` is its name in the reports.
///
/// # Errors
/// If the log cannot be read.
pub fn check(
    input: impl BufRead,
    file: &Arc<str>,
    settings: &CheckSettings,
) -> io::Result<Vec<GameReport>> {
    let panels = [Panel::of_dialogue(settings), Panel::of_dialogue(settings)];
    let followed = follow(input, panels)?;
    let names = followed.each_ref().map(|engine| engine.name.clone());
    let mut reports = Vec::new();
    for (engine, opponent) in followed.into_iter().zip([1, 0]) {
        let name = engine.name.unwrap_or_else(|| engine.slot.to_string());
        let uci = "it speaks UCI, and the dialogue is not judged; check the PGN file of its games";
        let problems = if engine.speaks_uci { vec![format!("{name}: {uci}")] } else { Vec::new() };
        let report = |(game, sheet): (FollowedGame, Sheet)| GameReport {
            file: file.clone(),
            game: game.number,
            line: game.line,
            slot: Some(engine.slot),
            name: name.clone(),
            opponent: names[opponent].clone(),
            variant: game.variant,
            color: game.color,
            moves: game.moves,
            ending: game.ending,
            sheet,
            problems: problems.clone(),
        };
        reports.extend(engine.sink.into_games().into_iter().map(report));
    }
    reports.sort_by_key(|report: &GameReport| (report.game, report.slot));
    Ok(reports)
}

/// One engine of a log that was read to its end.
pub struct FollowedEngine<S> {
    pub slot: EngineSlot,
    /// The name that it or the GUI gives it.
    pub name: Option<String>,
    /// Does it speak UCI? Then its dialogue was not followed.
    pub speaks_uci: bool,
    /// What has heard of its events.
    pub sink: S,
}

/// Reads a log. The events of the first and of the second engine go to these sinks.
///
/// # Errors
/// If the log cannot be read.
pub fn follow<S: EventSink>(
    input: impl BufRead,
    sinks: [S; 2],
) -> io::Result<[FollowedEngine<S>; 2]> {
    let mut reader = LogReader::new(input);
    let [first, second] = sinks;
    let mut followers =
        [LogFollower::new(EngineSlot::First, first), LogFollower::new(EngineSlot::Second, second)];
    let mut count = GameCount::default();
    let mut now = LogPosition { line: 0, at: 0 };
    while let Some((line, found)) = reader.next_line()? {
        now.line = line;
        match found {
            LogLine::Protocol { at, slot, said } => {
                now.at = at;
                let [first, second] = &mut followers;
                let (follower, opponent) = match slot {
                    EngineSlot::First => (first, second),
                    EngineSlot::Second => (second, first),
                };
                match said {
                    Said::ToEngine(text) => {
                        follower.gui_line(now, &text, &mut count);
                        opponent.gui_line_to_opponent(now, &text);
                    }
                    Said::FromEngine(text) => follower.bot_line(now, &text),
                }
            }
            LogLine::Note(note) => read_note(&mut followers, now, &String::from_utf8_lossy(&note)),
        }
    }
    Ok(followers.map(|follower| FollowedEngine {
        slot: follower.slot(),
        name: follower.name().map(str::to_owned),
        speaks_uci: follower.uci().is_some(),
        sink: follower.end(now),
    }))
}

/// A note of xboard or of `trebuchet match`: who plays, and whose process is interrupted or has ended.
fn read_note<S: EventSink>(followers: &mut [LogFollower<S>; 2], now: LogPosition, note: &str) {
    // xboard writes `GameEnds(CODE, TEXT, WHO)`, `trebuchet match` only a text, which may quote the bot.
    let end = note.strip_prefix("GameEnds(").and_then(|rest| rest.split_once(", "));
    if let Some((code, text)) = end
        && code.parse::<i64>().is_ok()
        && comments::is_crash(text)
    {
        for follower in followers.iter_mut() {
            if text.contains(&format!("{} chess program", follower.slot())) {
                follower.process_ended(now, text.rsplit_once(", ").map_or(text, |(text, _)| text));
            }
        }
    }
    let [first, second] = followers;
    match note {
        "Interrupting first" => first.interrupted(),
        "Interrupting second" => second.interrupted(),
        _ => {}
    }
    if let Some(name) = note.strip_prefix("Engine first: ") {
        first.learn_name(name);
    }
    if let Some(name) = note.strip_prefix("Engine second: ") {
        second.learn_name(name);
    }
    let names = note.strip_prefix("New game (").and_then(|rest| rest.split_once("): "));
    if let Some((_, names)) = names {
        let names = names.trim_end_matches(" (w)").trim_end_matches(" (b)");
        if let Some((one, other)) = split_names(names, first.name(), second.name()) {
            first.learn_name(one);
            second.learn_name(other);
        }
    }
}

/// Splits `FIRST-SECOND`. If both names have hyphens, one of them must be known.
fn split_names<'a>(
    names: &'a str,
    first: Option<&str>,
    second: Option<&str>,
) -> Option<(&'a str, &'a str)> {
    let after = first.and_then(|first| names.strip_prefix(first)?.strip_prefix('-'));
    let before = second.and_then(|second| names.strip_suffix(second)?.strip_suffix('-'));
    match (after, before, names.split_once('-')) {
        (Some(second), _, _) => Some((&names[..names.len() - second.len() - 1], second)),
        (None, Some(first), _) => Some((first, &names[first.len() + 1..])),
        (None, None, Some((first, second))) if !second.contains('-') => Some((first, second)),
        _ => None,
    }
}
