//! Steps: searches that a GUI ends, pondering, and the end of the engine.

use super::conversation::UciConversation;
use super::moves::{board_of, must_play};
use super::step::{
    ComplyStep, Finding, MATE_IN_ONE, MIDDLEGAME, NotOk, ONLY_EN_PASSANT, expect, holds, ms, must,
    no_best_move, no_other_best_move, only_with, should, stop,
};
use trebuchet::variants::Standard;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "infinite-waits-for-stop",
        name: "`go infinite` ends with `stop`, and with one `bestmove`",
        rule: "infinite: do not exit the search without being told so",
        check: |d| {
            d.new_game()?;
            d.position::<&str>(MIDDLEGAME, &[])?;
            holds(d, "go infinite", 700)?;
            plays(d, MIDDLEGAME, &[])
        },
    },
    ComplyStep {
        id: "infinite-with-a-mate",
        name: "`go infinite` does not end with a mate or with the only move",
        rule: "infinite: do not exit the search without being told so",
        check: |d| {
            for start in [MATE_IN_ONE, ONLY_EN_PASSANT] {
                d.new_game()?;
                d.position::<&str>(start, &[])?;
                holds(d, "go infinite", 700)?;
                plays(d, start, &[])?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "stop-at-once",
        name: "`stop` right after `go` is obeyed",
        rule: "stop: calculate no more, send bestmove",
        check: |d| {
            d.new_game()?;
            for _ in 0..5 {
                d.position::<&str>(MIDDLEGAME, &[])?;
                d.say(&["go infinite", "stop"])?;
                d.best_move(ms(3000), "stop")?;
                no_other_best_move(d)?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "stop-and-go",
        name: "analysis goes from position to position",
        rule: "stop, position, go infinite, again and again: a bestmove for each",
        check: |d| {
            d.new_game()?;
            let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];
            for count in 0..=moves.len() {
                d.position("startpos", &moves[..count])?;
                holds(d, "go infinite", 100)?;
                plays(d, "startpos", &moves[..count])?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "stop-when-idle",
        name: "`stop` and `ponderhit` without a search are not answered",
        rule: "bestmove is the answer to go",
        check: |d| {
            d.new_game()?;
            d.say(&["stop", "ponderhit"])?;
            no_other_best_move(d)
        },
    },
    ComplyStep {
        id: "ponder-waits",
        name: "`go ponder` does not end by itself",
        rule: "ponder: do not exit the search, even if it is mate, before ponderhit or stop",
        check: |d| {
            let start = begin_pondering(d, "go ponder wtime 600 btime 600")?;
            no_best_move(&d.listen(ms(1500))?)?;
            plays(d, start.0, start.1)?;
            end_pondering(d)
        },
    },
    ComplyStep {
        id: "ponder-hit",
        name: "after `ponderhit` it moves within its time, once",
        rule: "ponderhit: the user has played the expected move; search on as usual",
        check: |d| {
            let start = begin_pondering(d, "go ponder wtime 2000 btime 2000 winc 0 binc 0")?;
            no_best_move(&d.listen(ms(500))?)?;
            d.say(&["ponderhit"])?;
            let search = d.best_move(ms(2000), "ponderhit")?;
            must_play(&mut board_of::<Standard>(start.0, start.1)?, search.best()?)?;
            no_other_best_move(d)?;
            end_pondering(d)
        },
    },
    ComplyStep {
        id: "ponder-miss",
        name: "after `stop` instead of `ponderhit` it plays on in another position",
        rule: "stop is answered with a bestmove, which the GUI drops",
        check: |d| {
            let start = begin_pondering(d, "go ponder wtime 60000 btime 60000")?;
            no_best_move(&d.listen(ms(200))?)?;
            plays(d, start.0, start.1)?;
            let moves = ["e2e4", "c7c5"];
            d.position("startpos", &moves)?;
            let search = d.think("go wtime 2000 btime 2000")?;
            must_play(&mut board_of::<Standard>("startpos", &moves)?, search.best()?)?;
            no_other_best_move(d)?;
            end_pondering(d)
        },
    },
];

/// Steps that end the engine. Each is followed by a restart.
pub const LEAVING: &[ComplyStep] = &[
    ComplyStep {
        id: "quit",
        name: "`quit` ends the process within a second",
        rule: "quit the program as soon as possible",
        check: |d| {
            d.new_game()?;
            d.say(&["quit"])?;
            ended(d)
        },
    },
    ComplyStep {
        id: "quit-while-searching",
        name: "`quit` during a search ends the process within a second",
        rule: "quit the program as soon as possible",
        check: |d| {
            begin_analysis(d)?;
            d.say(&["quit"])?;
            ended(d)
        },
    },
    ComplyStep {
        id: "end-of-input",
        name: "the end of its input ends the process within a second",
        rule: "a GUI that crashes must not leave an engine behind",
        check: |d| {
            d.new_game()?;
            should(d.hang_up(ms(1000)), || "it is still running".to_owned())
        },
    },
    ComplyStep {
        id: "end-of-input-while-searching",
        name: "the end of its input during a search ends the process",
        rule: "a GUI that crashes must not leave an engine behind",
        check: |d| {
            begin_analysis(d)?;
            should(d.hang_up(ms(1000)), || "it is still running".to_owned())
        },
    },
];

/// Ends the search, whose best move must be legal in this position.
fn plays(d: &mut UciConversation, start: &str, moves: &[&str]) -> Finding {
    let best = expect(stop(d)?, "move in bestmove")?;
    must_play(&mut board_of::<Standard>(start, moves)?, &best)
}

/// A search on the opponent's time. Returns the position that it is about.
fn begin_pondering(
    d: &mut UciConversation,
    go: &str,
) -> Result<(&'static str, &'static [&'static str]), NotOk> {
    only_with(d, "Ponder")?;
    d.set("Ponder", "true")?;
    d.new_game()?;
    let position = (MIDDLEGAME, &["e1g1", "b7b6"][..]);
    d.position(position.0, position.1)?;
    d.say(&[go])?;
    Ok(position)
}

fn end_pondering(d: &mut UciConversation) -> Finding {
    d.set("Ponder", "false")?;
    Ok(())
}

fn begin_analysis(d: &mut UciConversation) -> Finding {
    d.new_game()?;
    d.position::<&str>(MIDDLEGAME, &[])?;
    holds(d, "go infinite", 200)
}

/// A second is usual; a GUI kills the engine after some.
fn ended(d: &mut UciConversation) -> Finding {
    if d.has_ended(ms(1000)) {
        return Ok(());
    }
    must(d.has_ended(ms(4000)), || "it is still running after 5 s".to_owned())?;
    Err(NotOk::Warn("it takes longer".to_owned()))
}
