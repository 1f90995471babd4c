//! Steps: clocks, other limits, and thinking output.

use std::time::{Duration, Instant};

use super::super::board::Board;
use super::conversation::CecpConversation;
use super::partner::partner_move;
use super::step::{
    ComplyStep, Finding, NotOk, expect, lenient, ms, must, no_complaint, only_if, should, skip,
};
use trebuchet::cecp::wire::Reply;
use trebuchet::variants::Standard;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "level-in-minutes",
        name: "`level 40 5 0` and `level 0 2:30 12`",
        rule: "level MPS BASE INC, where BASE is MIN or MIN:SS",
        check: |d| accepts(d, &["level 40 5 0", "level 0 2:30 12"]),
    },
    ComplyStep {
        id: "level-with-fractions",
        name: "`level 0 0:30 0.5`",
        rule: "xboard and Cute Chess send increments with fractions of a second",
        check: |d| accepts(d, &["level 0 0:30 0.5", "level 0 0:05 0.05"]),
    },
    ComplyStep {
        id: "st-with-fractions",
        name: "`st 0.5`",
        rule: "python-chess sends fractions of a second",
        check: |d| accepts(d, &["st 0.5"]),
    },
    ComplyStep {
        id: "one-second-left",
        name: "a move with one second on the clock takes less than that",
        rule: "time sets the engine's clock, otim the opponent's",
        check: |d| moves_within(d, &["level 0 0:01 0", "time 100", "otim 100"], ms(1000)),
    },
    ComplyStep {
        id: "hundredth-of-a-second-left",
        name: "a move with a hundredth of a second left comes at once",
        rule: "xboard never sends less than time 1",
        check: |d| {
            only_if(d.features().time, "time")?;
            moves_within(d, &["level 0 0:01 0", "time 1", "otim 100"], ms(400))
        },
    },
    ComplyStep {
        id: "clock-below-zero",
        name: "a clock below zero does no harm",
        rule: "time may be negative when the GUI does not call the flag",
        check: |d| {
            only_if(d.features().time, "time")?;
            // xboard never sends less than `time 1`.
            lenient(moves_within(d, &["level 0 0:01 0", "time -150", "otim -3"], ms(1000)))
        },
    },
    ComplyStep {
        id: "last-move-of-the-period",
        name: "the last move before the time control leaves time",
        rule: "level MPS: more time comes only after the move",
        check: |d| moves_within(d, &["level 1 0:01 0", "time 100", "otim 100"], ms(1000)),
    },
    ComplyStep {
        id: "twenty-moves-in-time",
        name: "twenty moves with 2 s + 0.1 s stay within the time",
        rule: "an engine that cuts increments to whole seconds loses on time or wastes it",
        check: |d| {
            d.new_game(None)?;
            d.say(&["level 0 0:02 0.1"])?;
            keeps_clock(d, ms(2000), ms(100), 20)
        },
    },
    ComplyStep {
        id: "st-one-second",
        name: "`st 1` ends within a second",
        rule: "st: at most this much for each move",
        check: |d| moves_within(d, &["st 1", "time 100", "otim 100"], ms(1200)),
    },
    ComplyStep {
        id: "st-tenth-of-a-second",
        name: "`st 0.1` ends within a tenth",
        rule: "st 0.1 means a tenth of a second, neither zero nor a second",
        check: |d| {
            let took = time_of(d, &["st 0.1", "time 10", "otim 10"])?;
            should(took <= ms(300), || format!("{} ms", took.as_millis()))
        },
    },
    ComplyStep {
        id: "sd-limits-depth",
        name: "`sd 2` ends the search after two plies",
        rule: "sd limits the depth, together with the clock",
        check: |d| {
            d.off_book()?;
            d.say(&["post", "level 0 10 0", "sd 2", "time 60000", "otim 60000", "go"])?;
            let mut deepest = 0;
            let reply = d.await_reply(ms(10_000), |reply| {
                if let Reply::Thinking(line) = reply {
                    deepest = deepest.max(line.depth);
                }
                matches!(reply, Reply::Move(_))
            })?;
            if reply.is_none() {
                d.say(&["?"])?;
            }
            should(reply.is_some(), || "no move within 10 s".to_owned())?;
            should(deepest <= 2, || format!("it shows depth {deepest}"))
        },
    },
    ComplyStep {
        id: "new-forgets-sd",
        name: "`new` forgets `sd`",
        rule: "new: no depth limit",
        check: |d| {
            only_if(d.features().reuse, "reuse")?;
            // Some engines show nothing of a search of one ply.
            d.new_game(None)?;
            d.say(&["sd 2"])?;
            d.off_book()?;
            d.say(&["post", "st 1", "time 100", "otim 100", "go"])?;
            let mut deepest = None;
            d.await_reply(ms(10_000), |reply| {
                if let Reply::Thinking(line) = reply {
                    deepest = deepest.max(Some(line.depth));
                }
                matches!(reply, Reply::Move(_))
            })?;
            match deepest {
                Some(deepest) => should(deepest > 2, || format!("it shows depth {deepest}")),
                None => Err(skip("it shows no thinking lines")),
            }
        },
    },
    ComplyStep {
        id: "post-shows-thinking",
        name: "with `post` there are thinking lines",
        rule: "PLY SCORE TIME NODES PV: four integers, then moves",
        check: |d| {
            d.off_book()?;
            d.say(&["post", "st 1", "time 100", "otim 100", "go"])?;
            let line = d.await_reply(
                ms(10_000),
                |reply| matches!(reply, Reply::Thinking(line) if line.nodes > 0),
            )?;
            should(line.is_some(), || "no thinking line".to_owned())?;
            d.await_move(ms(10_000))?;
            must(matches!(line, Some(Reply::Thinking(line)) if !line.pv.is_empty()), || {
                "no moves in the line".to_owned()
            })
        },
    },
    ComplyStep {
        id: "thinking-in-centiseconds",
        name: "times in thinking lines are hundredths of a second",
        rule: "TIME is in centiseconds",
        check: |d| {
            d.off_book()?;
            d.say(&["post", "st 1", "time 100", "otim 100", "go"])?;
            let begun = Instant::now();
            let mut longest = Duration::ZERO;
            d.await_reply(ms(10_000), |reply| {
                if let Reply::Thinking(line) = reply {
                    longest = longest.max(line.time);
                }
                matches!(reply, Reply::Move(_))
            })?;
            let took = begun.elapsed();
            should(longest <= took + ms(100), || {
                format!("a line says {} ms after {} ms", longest.as_millis(), took.as_millis())
            })
        },
    },
    ComplyStep {
        id: "nopost-hides-thinking",
        name: "with `nopost` there are none",
        rule: "nopost: print no thinking lines",
        check: |d| {
            d.off_book()?;
            d.say(&["level 0 0:02 0", "time 200", "otim 200", "go"])?;
            let mut shown = false;
            d.await_reply(ms(10_000), |reply| {
                shown |= matches!(reply, Reply::Thinking(_));
                matches!(reply, Reply::Move(_))
            })?;
            should(!shown, || "there are thinking lines".to_owned())
        },
    },
    ComplyStep {
        id: "memory-and-cores",
        name: "`memory` and `cores` are taken where they are asked for",
        rule: "feature memory=1, smp=1",
        check: |d| {
            if d.features().memory {
                d.say(&["memory 16"])?;
            }
            if d.features().smp {
                d.say(&["cores 1"])?;
            }
            no_complaint(&d.settle()?)
        },
    },
];

fn accepts(d: &mut CecpConversation, lines: &[&str]) -> Finding {
    d.unclocked_game(None)?;
    d.say(lines)?;
    let replies = d.settle()?;
    no_complaint(&replies)
}

/// How long the first move of a game takes after these lines and `go`.
fn time_of(d: &mut CecpConversation, lines: &[&str]) -> Result<Duration, NotOk> {
    d.unclocked_game(None)?;
    d.say(lines)?;
    let begun = Instant::now();
    d.say(&["go"])?;
    expect(d.await_move(ms(20_000))?, "move")?;
    Ok(begun.elapsed())
}

fn moves_within(d: &mut CecpConversation, lines: &[&str], limit: Duration) -> Finding {
    let took = time_of(d, lines)?;
    must(took <= limit, || format!("it takes {} ms", took.as_millis()))
}

/// A game against a partner with fixed replies while the engine's clock runs.
fn keeps_clock(
    d: &mut CecpConversation,
    base: Duration,
    increment: Duration,
    moves: usize,
) -> Finding {
    let mut board = Board::<Standard>::start();
    let mut left = base;
    let mut prompt = "go".to_owned();
    for number in 1..=moves {
        let clock = left.as_millis() / 10;
        let begun = Instant::now();
        d.say(&[format!("time {clock}"), format!("otim {clock}")])?;
        if number == 1 {
            d.say(&[&prompt])?
        } else {
            d.play(&[&prompt])?
        }
        let answer = expect(d.await_move(ms(10_000))?, "move")?;
        let took = begun.elapsed();
        must(took <= left, || {
            format!("move {number} takes {} ms of {}", took.as_millis(), left.as_millis())
        })?;
        left = left.saturating_sub(took) + increment;
        board.must_play(&answer)?;
        let Some(partner) = partner_move(&board) else { break };
        board.must_play(&partner)?;
        if board.outcome().is_some() {
            break;
        }
        prompt = partner;
    }
    Ok(())
}
