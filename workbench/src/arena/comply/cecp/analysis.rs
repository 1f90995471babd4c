//! Steps: analysis, and the end of the process.

use std::time::Instant;

use super::conversation::CecpConversation;
use super::step::{
    ComplyStep, Finding, NotOk, early, expect, ms, must, no_complaint, no_move, only_if, should,
    skip,
};
use trebuchet::cecp::wire::Reply;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "analyze-shows-thinking",
        name: "`analyze` shows thinking and no move",
        rule: "analyze: search the position, never play",
        check: |d| {
            let mut replies = analyze(d)?;
            replies.extend(d.listen(ms(500))?);
            no_move(&replies)?;
            leave(d)?;
            must(replies.iter().any(is_thinking), || "no thinking lines".to_owned())
        },
    },
    ComplyStep {
        id: "analyze-status",
        name: "`.` is answered with `stat01:`",
        rule: "stat01: TIME NODES PLY LEFT TOTAL MOVE; only as an answer",
        check: |d| {
            analyze(d)?;
            d.say(&["."])?;
            let report = d.await_reply(ms(1000), |reply| matches!(reply, Reply::RootReport(_)))?;
            leave(d)?;
            should(report.is_some(), || "no stat01".to_owned())
        },
    },
    ComplyStep {
        id: "analyze-ping",
        name: "`ping` in analysis is answered at once",
        rule: "ping: while analysing, answer immediately and go on",
        check: |d| {
            only_if(d.features().ping, "ping")?;
            analyze(d)?;
            let begun = Instant::now();
            let number = d.send_ping()?;
            let pong = d.await_reply(ms(3000), |reply| *reply == Reply::Pong(number))?;
            let took = begun.elapsed();
            leave(d)?;
            expect(pong, "pong")?;
            should(took < ms(500), || format!("after {} ms", took.as_millis()))
        },
    },
    ComplyStep {
        id: "analyze-moves-and-undo",
        name: "moves and `undo` in analysis restart it",
        rule: "analyze: play the move, restart; undo: take back, restart",
        check: |d| {
            analyze(d)?;
            d.play(&["e2e4"])?;
            let replies = d.listen(ms(500))?;
            no_move(&replies)?;
            no_complaint(&replies)?;
            let goes_on = replies.iter().any(is_thinking);
            d.say(&["undo"])?;
            d.play(&["d2d4"])?;
            let replies = d.listen(ms(500))?;
            no_move(&replies)?;
            no_complaint(&replies)?;
            leave(d)?;
            should(goes_on, || "no thinking after a move".to_owned())
        },
    },
    ComplyStep {
        id: "analyze-exit",
        name: "`exit` ends analysis",
        rule: "exit: stop, now in force mode",
        check: |d| {
            analyze(d)?;
            d.say(&["exit"])?;
            d.settle()?;
            let after = d.listen(ms(400))?;
            d.say(&["force"])?;
            must(!after.iter().any(is_thinking), || "it still thinks".to_owned())
        },
    },
    ComplyStep {
        id: "analyze-again-after-exit",
        name: "`exit` and `force` in one write, then analysis of another position",
        rule: "xboard brackets navigation like this",
        check: |d| {
            analyze(d)?;
            d.say(&["exit", "force"])?;
            d.play(&["e2e4"])?;
            d.say(&["undo", "analyze"])?;
            let replies = d.listen(ms(600))?;
            no_move(&replies)?;
            leave(d)?;
            should(replies.iter().any(is_thinking), || "no thinking lines".to_owned())
        },
    },
    ComplyStep {
        id: "analyze-finished-game",
        name: "analysis of a finished game does no harm",
        rule: "in a mated position print nothing, or depth 0, and keep listening",
        check: |d| {
            only_if(d.declared("analyze") != Some(0), "analyze")?;
            only_if(d.features().reuse, "reuse")?;
            d.forced_game(&["f2f3", "e7e5", "g2g4", "d8h4"])?;
            d.say(&["post", "analyze"])?;
            let replies = d.listen(ms(400))?;
            no_move(&replies)?;
            d.say(&["exit", "force"])?;
            d.settle().map(|_| ())?;
            d.new_game(None)?;
            expect(d.go()?, "move").map(|_| ())
        },
    },
    ComplyStep {
        id: "exclude-and-include",
        name: "`exclude` and `include` work if declared",
        rule: "feature exclude=1",
        check: |d| {
            only_if(d.declared("exclude") == Some(1), "exclude")?;
            analyze(d)?;
            d.say(&["exclude e2e4", "exclude d2d4", "include all"])?;
            let replies = d.listen(ms(400))?;
            leave(d)?;
            no_complaint(&replies)
        },
    },
    ComplyStep {
        id: "pause-and-resume",
        name: "`pause` and `resume` work if declared",
        rule: "feature pause=1: freeze the search, then go on",
        check: |d| {
            only_if(d.declared("pause") == Some(1), "pause")?;
            d.off_book()?;
            d.say(&["st 1", "time 100", "otim 100", "go"])?;
            no_move(&d.listen(ms(300))?).map_err(early)?;
            d.say(&["pause"])?;
            let paused = d.listen(ms(1500))?;
            no_move(&paused)?;
            d.say(&["resume"])?;
            expect(d.await_move(ms(10_000))?, "move after resume").map(|_| ())
        },
    },
];

/// Steps that end the engine. Each is followed by a restart.
pub const LEAVING: &[ComplyStep] = &[
    ComplyStep {
        id: "quit",
        name: "`quit` ends the process within a second",
        rule: "xboard kills what is left after a second",
        check: |d| {
            d.new_game(None)?;
            d.say(&["quit"])?;
            ended(d)
        },
    },
    ComplyStep {
        id: "quit-while-thinking",
        name: "`quit` while thinking ends the process within a second",
        rule: "quit is obeyed at any time",
        check: |d| {
            d.new_game(None)?;
            d.say(&["level 0 60 0", "time 360000", "otim 360000", "go"])?;
            d.listen(ms(200))?;
            d.say(&["quit"])?;
            ended(d)
        },
    },
    ComplyStep {
        id: "end-of-input",
        name: "the end of its input ends the process within a second",
        rule: "a GUI that crashes must not leave an engine behind",
        check: |d| {
            d.new_game(None)?;
            must(d.hang_up(ms(1000)), || "it is still running".to_owned())
        },
    },
    ComplyStep {
        id: "end-of-input-while-analyzing",
        name: "the end of its input while analysing ends the process",
        rule: "a GUI that crashes must not leave an engine behind",
        check: |d| {
            analyze(d)?;
            must(d.hang_up(ms(1000)), || "it is still running".to_owned())
        },
    },
];

fn ended(d: &mut CecpConversation) -> Finding {
    must(d.has_ended(ms(1000)), || "it is still running".to_owned())
}

fn is_thinking(reply: &Reply) -> bool {
    matches!(reply, Reply::Thinking(line) if line.depth > 0)
}

/// Makes the engine analyse, and returns what it says at first. Skips the step if it does not analyse: without
/// `feature analyze` a GUI finds that out by trying.
fn analyze(d: &mut CecpConversation) -> Result<Vec<Reply>, NotOk> {
    let declared = d.declared("analyze");
    only_if(declared != Some(0), "analyze")?;
    d.off_book()?;
    d.say(&["force", "post", "analyze"])?;
    let replies = d.listen(ms(300))?;
    if declared.is_none() && replies.iter().any(refuses_analysis) {
        return Err(skip("it does not analyse"));
    }
    Ok(replies)
}

fn refuses_analysis(reply: &Reply) -> bool {
    match reply {
        Reply::Error { text, .. } | Reply::IllegalMove { text, .. } => text.contains("analyze"),
        _ => false,
    }
}

fn leave(d: &mut CecpConversation) -> Finding {
    d.say(&["exit", "force"])?;
    d.settle()?;
    Ok(())
}
