//! Logs of real games under xboard, replayed against the session line for line.

use std::fs;
use std::path::Path;

use trebuchet::cecp::wire::Reply;

use crate::debug_log::{self, Direction, Engine, Entry};
use crate::scripted;

/// The dialogue with the first engine as a script.
///
/// xboard logs a line from the engine when it reads it. By then it may have written its own next
/// lines. So an answer that the session gives at once is moved behind its question. What a search
/// finds stays where it is.
fn script(log: &[Entry]) -> String {
    let mut lines: Vec<(u64, char, &str)> = Vec::new();
    for Entry { time, direction, text, .. } in
        log.iter().filter(|entry| entry.engine == Engine::First)
    {
        match direction {
            Direction::ToEngine => {
                lines.push((*time, '>', text));
                // Features come and go with the versions of the engine.
                if text == "protover 2" {
                    lines.push((*time, '<', "feature ..."));
                }
            }
            Direction::FromEngine => {
                let place = match Reply::parse(text.as_bytes()) {
                    Reply::Features(_) => continue,
                    Reply::Pong(number) => behind(&lines, &format!("> ping {number}")),
                    Reply::RootReport(_) => behind(&lines, "> ."),
                    Reply::Result(..) => behind(&lines, "move "),
                    Reply::Thinking(thinking) if thinking.depth > 1 => before_move(&lines),
                    _ => lines.len(),
                };
                let time = lines.get(place.wrapping_sub(1)).map_or(*time, |line| line.0);
                // A script cannot know the counts of a running search.
                let text = if text.starts_with("stat01: ") { "stat01: ..." } else { text };
                lines.insert(place, (time, '<', text));
            }
        }
    }
    let mut script = String::new();
    for &(time, arrow, text) in &lines {
        script += &format!("{:.3} {arrow} {text}\n", time as f64 / 1000.0);
        // When xboard quits, it does not read the answer to its last ping.
        if let Some(number) = text.strip_prefix("ping ").filter(|_| arrow == '>')
            && !lines.contains(&(time, '<', &format!("pong {number}")))
        {
            script += &format!("< pong {number}\n");
        }
    }
    script
}

/// The place behind the last line that contains `cause` (after its arrow) and behind its answers.
fn behind(lines: &[(u64, char, &str)], cause: &str) -> usize {
    let is_cause =
        |&(_, arrow, text): &(u64, char, &str)| format!("{arrow} {text}").contains(cause);
    let cause = lines.iter().rposition(is_cause).unwrap_or_else(|| panic!("no `{cause}` before"));
    let answers = lines[cause + 1..].iter().take_while(|&&(_, arrow, _)| arrow == '<');
    cause + 1 + answers.count()
}

/// The place before the opponent's last move. A search that this move starts begins with depth 1, so
/// a greater depth belongs before it.
fn before_move(lines: &[(u64, char, &str)]) -> usize {
    let is_move = |&&(_, arrow, text): &&(u64, char, &str)| {
        arrow == '>' && ["time ", "otim ", "usermove "].iter().any(|start| text.starts_with(start))
    };
    lines.len() - lines.iter().rev().take_while(is_move).count()
}

#[test]
fn sampled_logs_go_as_they_went() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("xboard-logs/samples");
    let mut samples: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    samples.sort();
    for path in &samples {
        let name = path.file_name().unwrap().to_string_lossy();
        let log = debug_log::read(&fs::read(path).unwrap());
        scripted::replay(&name, &script(&log));
    }
    assert!(samples.len() >= 3, "{} logs", samples.len());
}
