//! Steps: bad input must be refused and do no harm.

use super::super::board::Board;
use super::conversation::CecpConversation;
use super::step::{
    ComplyStep, Finding, NotOk, early, expect, ms, must, no_complaint, no_move, only_if, should,
};
use trebuchet::cecp::wire::Reply;
use trebuchet::variants::Standard;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "illegal-move",
        name: "an illegal move is refused with `Illegal move: MOVE`",
        rule: "Illegal move: the GUI takes the move back",
        check: |d| refuses(d, &[], "e2e5"),
    },
    ComplyStep {
        id: "illegal-move-into-check",
        name: "a move that leaves the king in check is refused",
        rule: "Illegal move (reason): MOVE",
        check: |d| refuses(d, &["e2e4", "e7e5", "d2d3", "f8b4"], "a2a3"),
    },
    ComplyStep {
        id: "illegal-move-of-the-other-side",
        name: "a move of the opponent's piece is refused",
        rule: "Illegal move",
        check: |d| refuses(d, &["e2e4"], "d2d4"),
    },
    ComplyStep {
        id: "illegal-castling",
        name: "castling through check is refused",
        rule: "Illegal move",
        check: |d| {
            refuses(d, &["e2e4", "b7b6", "g1f3", "c8a6", "g2g3", "e7e6", "f1h3", "g8h6"], "e1g1")
        },
    },
    ComplyStep {
        id: "illegal-move-leaves-the-board",
        name: "an illegal move does not change the board",
        rule: "an illegal move changes neither the board nor the side to move",
        check: |d| {
            d.forced_game(&["e2e4"])?;
            d.play(&["e4e6"])?;
            d.play(&["e7e5", "g1f3"])?;
            d.settle()?;
            let answer = expect(d.go()?, "move")?;
            Board::<Standard>::after(&["e2e4", "e7e5", "g1f3"])?.must_play(&answer)
        },
    },
    ComplyStep {
        id: "illegal-move-in-play",
        name: "an illegal move in play is not answered with a move",
        rule: "an illegal move does not make the engine think",
        check: |d| {
            d.new_game(None)?;
            d.say(&["time 200", "otim 200"])?;
            d.play(&["e2e5"])?;
            let mut replies = d.settle()?;
            replies.extend(d.listen(ms(500))?);
            no_move(&replies)
        },
    },
    ComplyStep {
        id: "unknown-command",
        name: "an unknown command is an `Error (unknown command)`",
        rule: "Error (TYPE): COMMAND",
        check: |d| {
            d.forced_game(&[])?;
            d.say(&["frobnicate the widget"])?;
            let replies = d.settle()?;
            let is_error = |reply: &Reply| matches!(reply, Reply::Error { .. });
            no_move(&replies)?;
            should(replies.iter().any(is_error), || "no Error line".to_owned())
        },
    },
    ComplyStep {
        id: "unknown-command-while-thinking",
        name: "an unknown command does not disturb the search",
        rule: "an unknown command must never end a search",
        check: |d| {
            d.off_book()?;
            d.say(&["st 1", "time 100", "otim 100", "go"])?;
            no_move(&d.listen(ms(300))?).map_err(early)?;
            d.say(&["frobnicate"])?;
            let begun = std::time::Instant::now();
            expect(d.await_move(ms(10_000))?, "move")?;
            should(begun.elapsed() > ms(200), || "it moves at once".to_owned())
        },
    },
    ComplyStep {
        id: "undo-at-the-start",
        name: "`undo` at the start of the game does no harm",
        rule: "Error (command not legal now): undo, or silence",
        check: |d| {
            d.forced_game(&[])?;
            d.say(&["undo", "undo", "remove"])?;
            no_move(&d.settle()?)?;
            let answer = expect(d.go()?, "move")?;
            Board::<Standard>::start().must_play(&answer)
        },
    },
    ComplyStep {
        id: "odd-line-ends",
        name: "empty lines, blanks and CRLF do no harm",
        rule: "lines end in LF; a CR before it is tolerated",
        check: |d| {
            d.forced_game(&[])?;
            let prefix = if d.features().usermove { "usermove " } else { "" };
            d.say_raw(
                format!("\r\n\n{prefix}e2e4\r\n   \n{prefix}e7e5\r\n").as_bytes(),
                "e2e4 and e7e5 with CRLF, empty lines between",
            )?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            let answer = expect(d.go()?, "move")?;
            Board::<Standard>::after(&["e2e4", "e7e5"])?.must_play(&answer)
        },
    },
    ComplyStep {
        id: "line-in-two-writes",
        name: "a line in two writes is one line",
        rule: "xboard writes `usermove ` and the move separately: parse lines, not reads",
        check: |d| {
            d.forced_game(&[])?;
            let prefix = if d.features().usermove { "usermove " } else { "" };
            d.say_raw(
                format!("{prefix}e2").as_bytes(),
                &format!("{prefix}e2 (and no end of line)"),
            )?;
            let replies = d.listen(ms(200))?;
            no_complaint(&replies)?;
            d.say_raw(b"e4\n", "e4")?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            let answer = expect(d.go()?, "move")?;
            Board::<Standard>::after(&["e2e4"])?.must_play(&answer)
        },
    },
    ComplyStep {
        id: "long-line",
        name: "a line of 70,000 characters does no harm",
        rule: "no input may crash an engine",
        check: |d| {
            let mut line = vec![b'x'; 70_000];
            line.push(b'\n');
            d.provoke(&line, "70,000 times x")?;
            plays_on(d)
        },
    },
    ComplyStep {
        id: "bytes-that-are-not-text",
        name: "bytes that are not text do no harm",
        rule: "no input may crash an engine",
        check: |d| {
            let bytes = b"\xff\xfe\x00\x01\x1b[31m\n\x80usermove \xc3\n";
            d.provoke(bytes, "bytes that are not text")?;
            plays_on(d)
        },
    },
    ComplyStep {
        id: "bad-numbers",
        name: "bad numbers do no harm",
        rule: "Error (bad argument), or silence",
        check: |d| {
            only_if(d.features().reuse, "reuse")?;
            d.new_game(None)?;
            d.say(&[
                "level",
                "level a b c",
                "level 40",
                "st",
                "sd -1",
                "time x",
                "otim",
                "level 99999999999999999999 5 0",
            ])?;
            d.settle()?;
            plays_on(d)
        },
    },
    ComplyStep {
        id: "illegal-position",
        name: "an illegal position is refused with `tellusererror Illegal position`",
        rule: "setboard with a bad FEN",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            d.forced_game(&[])?;
            d.say(&["setboard 8/8/8/8/8/8/8/8 w - - 0 1"])?;
            let replies = d.settle()?;
            let refused = |reply: &Reply| matches!(reply, Reply::TellUserError(text) if text.contains("llegal position"));
            should(replies.iter().any(refused), || "no such line".to_owned())
        },
    },
    ComplyStep {
        id: "impossible-positions",
        name: "impossible positions do no harm",
        rule: "nine ranks, no king, pawns on the last rank, nonsense: after `new` all is well",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            only_if(d.features().reuse, "reuse")?;
            for fen in [
                "8/8/8/8/8/8/8/8 w - - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "4k3/8/8/8/8/8/8/8 w - - 0 1",
                "P3k3/8/8/8/8/8/8/4K2p w - - 0 1",
                "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
                "nonsense",
                "",
            ] {
                d.forced_game(&[])?;
                d.say(&[format!("setboard {fen}")])?;
                d.settle()?;
            }
            plays_on(d)
        },
    },
];

fn refuses(d: &mut CecpConversation, moves: &[&str], illegal: &str) -> Finding {
    d.forced_game(moves)?;
    d.play(&[illegal])?;
    let replies = d.settle()?;
    let refusal = replies.iter().find_map(|reply| {
        if let Reply::IllegalMove { text, .. } = reply { Some(text.clone()) } else { None }
    });
    if let Some(text) = refusal {
        return should(text == illegal, || format!("it names `{text}` instead of `{illegal}`"));
    }
    let other = replies.iter().find(|reply| reply.to_string().to_lowercase().contains("illegal"));
    match other {
        Some(other) => Err(NotOk::Warn(format!("in another form: {other}"))),
        None => Err(NotOk::Fail("it is not refused".to_owned())),
    }
}

/// Plays the first move of a new game.
fn plays_on(d: &mut CecpConversation) -> Finding {
    d.new_game(None)?;
    let answer = expect(d.go()?, "move")?;
    must(Board::<Standard>::start().must_play(&answer).is_ok(), || {
        format!("an illegal move: {answer}")
    })
}
