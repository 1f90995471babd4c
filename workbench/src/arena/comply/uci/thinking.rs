//! Steps: what `info` lines say, several best lines, chosen moves.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::super::board::Board;
use super::conversation::{Search, UciConversation};
use super::moves::{board_of, must_play};
use super::step::{
    ComplyStep, Finding, MATE_IN_ONE, MIDDLEGAME, NotOk, ms, must, only_with, should,
};
use trebuchet::types::Score;
use trebuchet::variants::Standard;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "shows-thinking",
        name: "`info` tells depth, score, nodes, time and moves",
        rule: "GUIs show these; Lichess needs them for its analysis board",
        check: |d| {
            let search = search(d, MIDDLEGAME, "go movetime 500")?;
            let last = search.infos().rfind(|info| !info.pv.is_empty());
            let last = last.ok_or_else(|| NotOk::Warn("no line with pv".to_owned()))?;
            for (name, is_there) in [
                ("depth", last.depth.is_some()),
                ("score", last.score.is_some()),
                ("nodes", last.nodes.is_some()),
                ("time", last.time.is_some()),
            ] {
                should(is_there, || format!("no {name} in the line with pv"))?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "scores-are-cp-or-mate",
        name: "scores are `cp` or `mate` with a number",
        rule: "score cp X or score mate Y",
        check: |d| {
            let search = search(d, MIDDLEGAME, "go movetime 300")?;
            for (line, _) in &search.lines {
                must(has_good_score(line), || line.clone())?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "pv-is-legal",
        name: "the moves of every `pv` are legal",
        rule: "pv: the best line found, as moves from the position",
        check: |d| {
            for start in [MIDDLEGAME, MATE_IN_ONE] {
                let search = search(d, start, "go movetime 500")?;
                let board = board_of::<Standard>(start, &[])?;
                for info in search.infos() {
                    let mut board = Board::clone(&board);
                    info.pv.iter().try_for_each(|mv| must_play(&mut board, mv))?;
                }
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "pv-begins-with-the-best-move",
        name: "the last `pv` begins with the best move",
        rule: "the GUI shows the pv as the reason for the move",
        check: |d| {
            let search = search(d, MIDDLEGAME, "go depth 6")?;
            let of_best = search
                .infos()
                .rfind(|info| !info.pv.is_empty() && info.multipv.is_none_or(|number| number == 1));
            let first = of_best.and_then(|info| info.pv.first());
            should(first.is_some(), || "no line with pv".to_owned())?;
            should(first.map(String::as_str) == search.best.as_deref(), || {
                format!("pv {}, bestmove {}", first.cloned().unwrap_or_default(), best(&search))
            })
        },
    },
    ComplyStep {
        id: "ponder-move-is-legal",
        name: "the expected answer in `bestmove … ponder …` is legal",
        rule: "ponder: the move that the engine wants to ponder on",
        check: |d| {
            let search = search(d, MIDDLEGAME, "go depth 6")?;
            let mut board = board_of::<Standard>(MIDDLEGAME, &[])?;
            must_play(&mut board, search.best()?)?;
            search.ponder.map_or(Ok(()), |mv| must_play(&mut board, &mv))
        },
    },
    ComplyStep {
        id: "times-in-milliseconds",
        name: "times in `info` are milliseconds",
        rule: "time: the time searched in ms",
        check: |d| {
            let begun = Instant::now();
            let search = search(d, MIDDLEGAME, "go movetime 500")?;
            let took = begun.elapsed();
            let longest = search.infos().filter_map(|info| info.time).max();
            let longest = longest.unwrap_or(Duration::ZERO);
            should(longest <= took + ms(100), || {
                format!("a line says {} ms after {} ms", longest.as_millis(), took.as_millis())
            })
        },
    },
    ComplyStep {
        id: "scores-are-its-own",
        name: "scores are from the point of view of the side to move",
        rule: "score cp: from the engine's point of view in centipawns",
        check: |d| {
            // White has a queen more.
            let (white, black) = (
                "fen 6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1",
                "fen 6k1/5ppp/8/8/8/8/5PPP/Q4K2 b - - 0 1",
            );
            for (start, is_better) in [(white, true), (black, false)] {
                let search = search(d, start, "go depth 3")?;
                let score = search.infos().rev().find_map(|info| info.score);
                let score = score.ok_or_else(|| NotOk::Warn("no score".to_owned()))?.score;
                must((score > Score::ZERO) == is_better, || {
                    format!("{} in {start}", search.last_score().unwrap_or_default())
                })?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "mate-in-one",
        name: "a mate in one is played and has `score mate 1`",
        rule: "score mate Y: mate in Y moves, not plies",
        check: |d| {
            let search = search(d, MATE_IN_ONE, "go depth 4")?;
            should(best(&search) == "a1a8", || format!("it plays {}", best(&search)))?;
            has_mate(&search, "mate 1")
        },
    },
    ComplyStep {
        id: "mated-in-one",
        name: "being mated in one has `score mate -1`",
        rule: "score mate: negative if the engine is getting mated",
        check: |d| {
            let start = "fen 7k/5K2/8/8/8/8/8/6Q1 b - - 0 1";
            let search = search(d, start, "go depth 10")?;
            has_mate(&search, "mate -1")
        },
    },
    ComplyStep {
        id: "multipv-lines",
        name: "`MultiPV` gives that many lines",
        rule: "MultiPV: the k best lines, numbered from 1 by multipv",
        check: |d| {
            let wanted = set_multipv(d)?;
            let search = search(d, MIDDLEGAME, "go depth 6")?;
            d.set("MultiPV", "1")?;
            let firsts = first_moves(&search, wanted);
            let found = firsts.iter().filter(|mv| !mv.is_empty()).count();
            must(found == wanted, || format!("{found} lines instead of {wanted}"))?;
            let different: BTreeSet<&String> = firsts.iter().collect();
            should(different.len() == wanted, || format!("they begin with {}", firsts.join(", ")))?;
            should(best(&search) == firsts[0], || {
                format!("line 1 begins with {}, bestmove {}", firsts[0], best(&search))
            })
        },
    },
    ComplyStep {
        id: "multipv-with-few-moves",
        name: "`MultiPV` gives no more lines than there are moves",
        rule: "MultiPV: the k best lines",
        check: |d| {
            let wanted = set_multipv(d)?;
            // Kb1 is the only move.
            let search = search(d, "fen 5rk1/8/8/8/8/8/7r/K7 w - - 0 1", "go depth 4")?;
            d.set("MultiPV", "1")?;
            let most = search.infos().filter_map(|info| info.multipv).max().unwrap_or(1);
            must(wanted < 2 || most <= 1, || format!("{most} lines for one move"))?;
            search.best().map(|_| ())
        },
    },
    ComplyStep {
        id: "searchmoves-are-kept",
        name: "`searchmoves` is kept",
        rule: "searchmoves: restrict search to these moves only",
        check: |d| {
            let wanted = ["a2a3", "h2h3", "d1b1"];
            let go = format!("go movetime 300 searchmoves {}", wanted.join(" "));
            let search = search(d, MIDDLEGAME, &go)?;
            must(wanted.contains(&best(&search).as_str()), || {
                format!("it plays {}", best(&search))
            })?;
            let first = |mv: Option<&String>| mv.is_none_or(|mv| wanted.contains(&mv.as_str()));
            should(search.infos().all(|info| first(info.pv.first())), || {
                "a pv begins with another move".to_owned()
            })
        },
    },
];

fn search(d: &mut UciConversation, start: &str, go: &str) -> Result<Search, NotOk> {
    d.new_game()?;
    d.position::<&str>(start, &[])?;
    d.think(go)
}

fn best(search: &Search) -> String {
    search.best.clone().unwrap_or_else(|| "(none)".to_owned())
}

/// Asks for three lines, or as many as the engine can show. Returns their number.
fn set_multipv(d: &mut UciConversation) -> Result<usize, NotOk> {
    only_with(d, "MultiPV")?;
    let most = d.limits("MultiPV").map_or(1, |(.., max)| max);
    let wanted = most.clamp(1, 3);
    d.set("MultiPV", &wanted.to_string())?;
    Ok(wanted as usize)
}

/// The first moves of the last lines 1 to `count`; empty where there is none.
fn first_moves(search: &Search, count: usize) -> Vec<String> {
    let mut firsts = vec![String::new(); count];
    for info in search.infos() {
        let number = info.multipv.unwrap_or(1) as usize;
        if let (Some(slot), Some(mv)) = (firsts.get_mut(number.wrapping_sub(1)), info.pv.first()) {
            slot.clone_from(mv);
        }
    }
    firsts
}

/// The last score must be this mate.
fn has_mate(search: &Search, wanted: &str) -> Finding {
    let line = search.last_score().ok_or_else(|| NotOk::Warn("no score".to_owned()))?;
    let score = score_of(line).unwrap_or_default();
    should(score == wanted, || format!("the last score is {score}"))
}

/// The two words after `score`, before the text of `string`.
fn score_of(line: &str) -> Option<String> {
    let mut words = line.split_whitespace().take_while(|word| *word != "string");
    words.find(|word| *word == "score")?;
    Some(format!("{} {}", words.next().unwrap_or_default(), words.next().unwrap_or_default()))
}

fn has_good_score(line: &str) -> bool {
    score_of(line).is_none_or(|score| {
        let number = score.strip_prefix("cp ").or_else(|| score.strip_prefix("mate "));
        number.is_some_and(|number| number.parse::<i64>().is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read() {
        for good in [
            "info depth 3 score cp -5 pv e2e4",
            "info score mate 2 lowerbound",
            "info",
            "info string score x",
        ] {
            assert!(has_good_score(good), "{good}");
        }
        for bad in
            ["info score 12 nodes 5", "info score cp nodes", "info score cp 1.5", "info score"]
        {
            assert!(!has_good_score(bad), "{bad}");
        }
    }
}
