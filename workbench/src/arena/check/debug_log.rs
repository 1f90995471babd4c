//! The games of a debug log.

use std::io::{self, BufRead};
use std::sync::Arc;

use super::conditions::Conditions;
use super::dialogue::{Dialogue, GameCount, Now};
use super::ending;
use super::log_reader::{LogLine, LogReader, Said, Seat};
use super::report::GameReport;

/// Reads a log and judges all games in it, of both engines.
///
/// # Errors
/// If the log cannot be read.
pub fn check(
    input: impl BufRead,
    file: &Arc<str>,
    conditions: &Conditions,
) -> io::Result<Vec<GameReport>> {
    let mut reader = LogReader::new(input);
    let mut dialogues =
        [Seat::First, Seat::Second].map(|seat| Dialogue::new(seat, file.clone(), *conditions));
    let mut count = GameCount::default();
    let mut now = Now { line: 0, at: 0 };
    while let Some((line, found)) = reader.next_line()? {
        now.line = line;
        match found {
            LogLine::Protocol { at, seat, said } => {
                now.at = at;
                let [first, second] = &mut dialogues;
                let (dialogue, other) = match seat {
                    Seat::First => (first, second),
                    Seat::Second => (second, first),
                };
                match said {
                    Said::ToEngine(text) => {
                        dialogue.hear(now, &text, &mut count);
                        if text.starts_with(b"result ") {
                            other.overhear(now, &text);
                        }
                    }
                    Said::FromEngine(text) => dialogue.read(now, &text),
                }
            }
            LogLine::Note(note) => read_note(&mut dialogues, now, &String::from_utf8_lossy(&note)),
        }
    }
    let names = dialogues.each_ref().map(|dialogue| dialogue.name().map(str::to_owned));
    let mut reports = Vec::new();
    for (dialogue, opponent) in dialogues.into_iter().zip([1, 0]) {
        let games = dialogue.end(now).into_iter();
        reports.extend(games.map(|game| GameReport { opponent: names[opponent].clone(), ..game }));
    }
    reports.sort_by_key(|report: &GameReport| (report.game, report.seat));
    Ok(reports)
}

/// A note of xboard or of `trebuchet match`: who plays, and whose process has ended.
fn read_note(dialogues: &mut [Dialogue; 2], now: Now, note: &str) {
    if let Some(rest) = note.strip_prefix("GameEnds(")
        && ending::is_crash(rest)
    {
        for (dialogue, word) in dialogues.iter_mut().zip(["first", "second"]) {
            if rest.contains(&format!("{word} chess program")) {
                // `CODE, TEXT, WHO)`
                let text = rest.split_once(", ").map_or(rest, |(_, text)| text);
                dialogue.died(now, text.rsplit_once(", ").map_or(text, |(text, _)| text));
            }
        }
    }
    let [first, second] = dialogues;
    if let Some(name) = note.strip_prefix("Engine first: ") {
        first.is_called(name);
    }
    if let Some(name) = note.strip_prefix("Engine second: ") {
        second.is_called(name);
    }
    let names = note.strip_prefix("New game (").and_then(|rest| rest.split_once("): "));
    if let Some((_, names)) = names {
        let names = names.trim_end_matches(" (w)").trim_end_matches(" (b)");
        if let Some((one, other)) = split_names(names, first.name(), second.name()) {
            first.is_called(one);
            second.is_called(other);
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
