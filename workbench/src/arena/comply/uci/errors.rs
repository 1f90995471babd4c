//! Steps: unknown commands, odd input and extreme settings do no harm.

use super::conversation::UciConversation;
use super::moves::{board_of, legally, must_play};
use super::step::{
    ComplyStep, Finding, MIDDLEGAME, NotOk, QUICK, holds, lenient, ms, no_best_move, only_with,
    skip, stop,
};
use crate::arena::engines::EngineError;
use trebuchet::uci::wire::Reply;
use trebuchet::variants::Standard;

/// No more megabytes than this are asked for, and no more threads.
const MOST_MEGABYTES: i64 = 128;
const MOST_THREADS: i64 = 4;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "unknown-commands",
        name: "unknown commands are ignored",
        rule: "if the engine receives an unknown command or token it should ignore it",
        check: |d| {
            d.new_game()?;
            d.say(&["frobnicate the widget", "xyzzy", "bestmove e2e4"])?;
            no_best_move(&d.settle()?)?;
            plays_on(d)
        },
    },
    ComplyStep {
        id: "unknown-command-while-searching",
        name: "an unknown command does not disturb the search",
        rule: "if the engine receives an unknown command or token it should ignore it",
        check: |d| {
            d.new_game()?;
            d.position::<&str>(MIDDLEGAME, &[])?;
            holds(d, "go infinite", 100)?;
            d.say(&["frobnicate the widget"])?;
            no_best_move(&d.listen(ms(300))?)?;
            stop(d).map(|_| ())
        },
    },
    ComplyStep {
        id: "unknown-words-before-a-command",
        name: "unknown words before a command are skipped",
        rule: "joho debug on: the engine ignores joho and obeys the rest",
        check: |d| {
            d.say(&["joho isready"])?;
            let ready = d.await_reply(ms(1000), |reply| *reply == Reply::ReadyOk)?;
            ready.map(|_| ()).ok_or_else(|| NotOk::Warn("it ignores the whole line".to_owned()))
        },
    },
    ComplyStep {
        id: "unknown-options",
        name: "unknown options are ignored",
        rule: "setoption with a name that was not declared",
        check: |d| {
            d.say(&["setoption name No Such Option value 1", "setoption name NoSuchButton"])?;
            plays_on(d)
        },
    },
    ComplyStep {
        id: "values-out-of-limits",
        name: "values out of their limits do no harm",
        rule: "a value below min or above max is refused or cut",
        check: |d| {
            only_with(d, "Hash")?;
            let (default, min, max) = d.limits("Hash").ok_or_else(|| skip("Hash is no spin"))?;
            harmless(d, |d| {
                d.set("Hash", &min.saturating_sub(1).to_string())?;
                d.settle()?;
                d.set("Hash", &max.saturating_add(1).to_string())?;
                d.settle()?;
                d.set("Hash", &default.to_string())
            })
        },
    },
    ComplyStep {
        id: "hash-extremes",
        name: "`Hash` takes its least value and a large one",
        rule: "Hash: every value from min to max; 128 MB at most are tried",
        check: |d| extremes(d, "Hash", MOST_MEGABYTES),
    },
    ComplyStep {
        id: "threads-extremes",
        name: "`Threads` takes its least value and a large one",
        rule: "Threads: every value from min to max; 4 at most are tried",
        check: |d| extremes(d, "Threads", MOST_THREADS),
    },
    ComplyStep {
        id: "clear-hash",
        name: "`Clear Hash` is obeyed",
        rule: "a button has no value",
        check: |d| {
            only_with(d, "Clear Hash")?;
            plays_on(d)?;
            d.say(&["setoption name Clear Hash"])?;
            plays_on(d)
        },
    },
    ComplyStep {
        id: "weakest-play",
        name: "with `UCI_LimitStrength` and the least `UCI_Elo` it moves legally",
        rule: "UCI_LimitStrength, UCI_Elo",
        check: |d| {
            only_with(d, "UCI_LimitStrength")?;
            let Some((default, min, _)) = d.limits("UCI_Elo") else {
                return Err(skip("not declared: UCI_Elo"));
            };
            d.set("UCI_LimitStrength", "true")?;
            d.set("UCI_Elo", &min.to_string())?;
            plays_on(d)?;
            d.set("UCI_LimitStrength", "false")?;
            d.set("UCI_Elo", &default.to_string())?;
            Ok(())
        },
    },
    ComplyStep {
        id: "debug-and-register",
        name: "`debug` and `register later` do no harm",
        rule: "debug on, debug off, register later may come at any time",
        check: |d| {
            d.say(&["debug on", "debug off", "register later"])?;
            plays_on(d)
        },
    },
    ComplyStep {
        id: "uci-again",
        name: "a second `uci` is answered, or ignored",
        rule: "uci: tell the engine to use the UCI mode",
        check: |d| {
            d.say(&["uci"])?;
            plays_on(d)
        },
    },
    ComplyStep {
        id: "odd-line-ends",
        name: "empty lines and CRLF do no harm",
        rule: "lines end with the line end of any system",
        check: |d| {
            let bytes = b"\r\n\nposition startpos moves e2e4\r\n   \n";
            let shown = "position startpos moves e2e4 with CRLF, empty lines before and after";
            understands(d, &[(bytes, shown)], "e2e4")
        },
    },
    ComplyStep {
        id: "white-space-between-words",
        name: "blanks and tabs may be anywhere between words",
        rule: "arbitrary white space between tokens is allowed",
        check: |d| {
            let bytes = b"  position   startpos\tmoves  e2e4 \t\n";
            let shown = "position startpos moves e2e4 with many blanks and tabs";
            understands(d, &[(bytes, shown)], "e2e4")
        },
    },
    ComplyStep {
        id: "line-in-two-writes",
        name: "a line in two writes is one line",
        rule: "lines are read, not what a pipe happens to hold",
        check: |d| {
            let first = (&b"position startpos mo"[..], "position startpos mo (and no end of line)");
            understands(d, &[first, (b"ves d2d4\n", "ves d2d4")], "d2d4")
        },
    },
    ComplyStep {
        id: "long-line",
        name: "a line of 70,000 characters does no harm",
        rule: "no input may crash an engine",
        check: |d| {
            harmless(d, |d| {
                let mut line = vec![b'x'; 70_000];
                line.push(b'\n');
                d.say_raw(&line, "70,000 times x")
            })
        },
    },
    ComplyStep {
        id: "bytes-that-are-not-text",
        name: "bytes that are not text do no harm",
        rule: "no input may crash an engine",
        check: |d| {
            harmless(d, |d| {
                let bytes = b"\xff\xfe\x00\x01\x1b[31m\n\x80position \xc3\n";
                d.say_raw(bytes, "bytes that are not text")
            })
        },
    },
    ComplyStep {
        id: "illegal-moves",
        name: "illegal moves in `position` do no harm",
        rule: "a GUI should not send them; no input may crash an engine",
        check: |d| {
            harmless(d, |d| {
                d.say(&["position startpos moves e2e4 e7e5 e4e5", "position startpos moves x"])
            })
        },
    },
    ComplyStep {
        id: "impossible-positions",
        name: "impossible positions do no harm",
        rule: "a GUI should not send them; no input may crash an engine",
        check: |d| {
            harmless(d, |d| {
                d.say(&[
                    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
                    "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
                    "position fen P3k3/8/8/8/8/8/8/4K2p w - - 0 1",
                    "position fen nonsense",
                    "position fen",
                    "position",
                ])
            })
        },
    },
    ComplyStep {
        id: "bad-numbers",
        name: "bad numbers do no harm",
        rule: "a GUI should not send them; no input may crash an engine",
        check: |d| {
            harmless(d, |d| {
                d.say(&["position startpos", "go depth x", "stop"])?;
                d.listen(ms(300))?;
                d.say(&["go wtime x btime -", "stop"])?;
                d.listen(ms(300)).map(|_| ())
            })
        },
    },
];

/// Sets an option to its least value, to the greatest one up to `most`, and back.
fn extremes(d: &mut UciConversation, name: &str, most: i64) -> Finding {
    only_with(d, name)?;
    let (default, min, max) = d.limits(name).ok_or_else(|| skip("it is no spin"))?;
    for value in [min, max.min(most).max(min), default] {
        d.set(name, &value.to_string())?;
        plays_on(d)?;
    }
    Ok(())
}

/// Plays the first move of a new game.
fn plays_on(d: &mut UciConversation) -> Finding {
    legally(d, "startpos", &[])
}

/// Says what no GUI says, and plays on.
fn harmless(
    d: &mut UciConversation,
    say: impl FnOnce(&mut UciConversation) -> Result<(), EngineError>,
) -> Finding {
    lenient(say(d).map_err(NotOk::from).and_then(|()| plays_on(d)))
}

/// After these bytes, which stand for `position startpos moves MOVE`, it moves legally.
fn understands(d: &mut UciConversation, writes: &[(&[u8], &str)], mv: &str) -> Finding {
    d.new_game()?;
    // An engine that does not understand them is left with a position in which its move is illegal.
    d.position::<&str>("startpos", &[])?;
    for (bytes, shown) in writes {
        d.say_raw(bytes, shown)?;
        d.listen(ms(100))?;
    }
    d.settle()?;
    let search = d.think(QUICK)?;
    must_play(&mut board_of::<Standard>("startpos", &[mv])?, search.best()?)
}
