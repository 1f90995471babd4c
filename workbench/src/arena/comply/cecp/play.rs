//! Steps: pings, playing, force mode, moving now, and the other commands of a game.

use super::super::board::Board;
use super::conversation::CecpConversation;
use super::partner::play_against_fixed_replies;
use super::step::{
    ComplyStep, Finding, early, expect, ms, must, no_complaint, no_move, only_if, should,
};
use trebuchet::cecp::wire::Reply;
use trebuchet::variants::Standard;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "ping-when-idle",
        name: "`ping` is answered at once when idle",
        rule: "ping N: pong N when all earlier commands are done",
        check: |d| {
            only_if(d.features().ping, "ping")?;
            let number = d.send_ping()?;
            let pong = d.await_reply(ms(1000), |reply| *reply == Reply::Pong(number))?;
            expect(pong, "pong within 1 s").map(|_| ())
        },
    },
    ComplyStep {
        id: "ping-in-order",
        name: "three pings are answered in order, each once",
        rule: "xboard counts pongs; one too many or too few and it throws away moves",
        check: |d| {
            only_if(d.features().ping, "ping")?;
            let numbers = [d.send_ping()?, d.send_ping()?, d.send_ping()?];
            let pongs: Vec<i64> = d
                .listen(ms(700))?
                .into_iter()
                .filter_map(
                    |reply| if let Reply::Pong(number) = reply { Some(number) } else { None },
                )
                .collect();
            must(pongs == numbers, || format!("pongs {pongs:?} to pings {numbers:?}"))
        },
    },
    ComplyStep {
        id: "game-start-twice",
        name: "the start of a game, twice in a row, starts no search",
        rule: "xboard sends its block twice at the start of a match; `new` does not make the engine ponder",
        check: |d| {
            only_if(d.features().reuse, "reuse")?;
            let block = ["new", "random", "level 0 5 0", "post", "hard", "easy"];
            d.say(&block)?;
            d.say(&["force"])?;
            d.say(&block)?;
            let mut replies = d.settle()?;
            replies.extend(d.listen(ms(300))?);
            no_move(&replies)?;
            no_complaint(&replies)?;
            let thinking = replies.iter().find(|reply| matches!(reply, Reply::Thinking(_)));
            must(thinking.is_none(), || "it thinks".to_owned())
        },
    },
    ComplyStep {
        id: "move-after-new",
        name: "after `new` a move is answered",
        rule: "new: the engine plays Black",
        check: |d| {
            d.new_game(None)?;
            d.say(&["time 200", "otim 200"])?;
            d.play(&["e2e4"])?;
            let answer = expect(d.await_move(ms(10_000))?, "move")?;
            let mut board = Board::<Standard>::after(&["e2e4"])?;
            board.must_play(&answer)
        },
    },
    ComplyStep {
        id: "move-after-go",
        name: "`go` makes the engine play the side to move",
        rule: "go: leave force mode and play",
        check: |d| {
            d.new_game(None)?;
            let answer = expect(d.go()?, "move")?;
            Board::<Standard>::start().must_play(&answer)
        },
    },
    ComplyStep {
        id: "moves-in-coordinates",
        name: "moves are sent in coordinates",
        rule: "e2e4, e7e8q: what every GUI understands",
        check: |d| {
            d.new_game(None)?;
            let answer = expect(d.go()?, "move")?;
            should(answer.len() == 4 && answer.is_ascii(), || answer.clone())
        },
    },
    ComplyStep {
        id: "force-without-moves",
        name: "in force mode no move is answered",
        rule: "force: accept moves for both sides, play neither",
        check: |d| {
            d.new_game(None)?;
            d.say(&["force"])?;
            d.play(&["e2e4", "e7e5", "g1f3"])?;
            let mut replies = d.settle()?;
            replies.extend(d.listen(ms(300))?);
            no_move(&replies)?;
            no_complaint(&replies)
        },
    },
    ComplyStep {
        id: "force-then-go",
        name: "the first move arrives in force mode, then `go`",
        rule: "how xboard starts the second engine of a match",
        check: |d| {
            d.new_game(None)?;
            d.say(&["force"])?;
            d.play(&["d2d4"])?;
            let answer = expect(d.go()?, "move")?;
            Board::<Standard>::after(&["d2d4"])?.must_play(&answer)
        },
    },
    ComplyStep {
        id: "ten-legal-moves",
        name: "ten moves against a partner, all legal",
        rule: "an illegal move loses the game",
        check: |d| {
            d.new_game(None)?;
            d.say(&["time 500", "otim 500", "go"])?;
            play_against_fixed_replies(d, Board::<Standard>::start(), 10)
        },
    },
    ComplyStep {
        id: "special-moves",
        name: "castling, en passant and promotions are understood",
        rule: "e1g1, e5d6, b7a8n",
        check: |d| {
            // 1.e4 c6 2.e5 d5 3.exd6 Nf6 4.Nf3 Qc7 5.Be2 a6 6.O-O Nh5 7.dxc7 Nf6 8.cxb8=N
            let moves = [
                "e2e4", "c7c6", "e4e5", "d7d5", "e5d6", "g8f6", "g1f3", "d8c7", "f1e2", "a7a6",
                "e1g1", "f6h5", "d6c7", "h5f6", "c7b8n",
            ];
            d.forced_game(&moves)?;
            let answer = expect(d.go()?, "move")?;
            Board::<Standard>::after(&moves)?.must_play(&answer)
        },
    },
    ComplyStep {
        id: "move-now",
        name: "`?` makes the engine move at once",
        rule: "move now",
        check: |d| {
            d.off_book()?;
            d.say(&["level 0 60 0", "time 360000", "otim 360000", "go"])?;
            no_move(&d.listen(ms(300))?).map_err(early)?;
            d.say(&["?"])?;
            let prompt = d.await_move(ms(700))?;
            if prompt.is_none() {
                expect(d.await_move(ms(20_000))?, "move")?;
            }
            should(prompt.is_some(), || "not within 0.7 s".to_owned())
        },
    },
    ComplyStep {
        id: "move-now-when-idle",
        name: "`?` when idle does nothing",
        rule: "`?` concerns only an engine that thinks",
        check: |d| {
            d.forced_game(&[])?;
            d.say(&["?"])?;
            let replies = d.settle()?;
            no_move(&replies)?;
            no_complaint(&replies)
        },
    },
    ComplyStep {
        id: "ping-while-thinking",
        name: "`ping` while thinking is answered after the move",
        rule: "ping: a pong before the move makes xboard believe that no move is coming",
        check: |d| {
            only_if(d.features().ping, "ping")?;
            d.off_book()?;
            d.say(&["st 1", "go"])?;
            let early = d.listen(ms(100))?;
            let number = d.send_ping()?;
            let mut replies = early;
            d.await_reply(ms(10_000), |reply| {
                replies.push(reply.clone());
                *reply == Reply::Pong(number)
            })?;
            let place = |wanted: fn(&Reply) -> bool| replies.iter().position(wanted);
            let (mv, pong) = (
                place(|reply| matches!(reply, Reply::Move(_))),
                place(|reply| matches!(reply, Reply::Pong(_))),
            );
            must(pong.is_some(), || "no pong".to_owned())?;
            must(mv.is_some() && mv < pong, || "the pong comes before the move".to_owned())
        },
    },
    ComplyStep {
        id: "force-while-thinking",
        name: "`force` while thinking ends the search without a move",
        rule: "a move after force would be played on the wrong board",
        check: |d| stops_for(d, "force"),
    },
    ComplyStep {
        id: "result-while-thinking",
        name: "`result` while thinking ends the search without a move",
        rule: "result: the game is over",
        check: |d| stops_for(d, "result 1-0 {Black resigns}"),
    },
    ComplyStep {
        id: "new-while-thinking",
        name: "`new` while thinking ends the search without a move",
        rule: "new ends any search",
        check: |d| {
            only_if(d.features().reuse, "reuse")?;
            stops_for(d, "new")
        },
    },
    ComplyStep {
        id: "informing-commands",
        name: "commands that only inform cause no error",
        rule: "xboard sends them with every engine, `name` and `ics` with those that ask for them; \
               python-chess gives up on any Error line",
        check: |d| {
            d.new_game(None)?;
            d.say(&["computer", "random", "post", "nopost", "hard", "easy"])?;
            if d.features().name {
                d.say(&["name Someone with a long name"])?;
            }
            if d.declared("ics") == Some(1) {
                d.say(&["ics -", "rating 2000 0"])?;
            }
            let replies = d.settle()?;
            no_move(&replies)?;
            no_complaint(&replies)
        },
    },
    ComplyStep {
        id: "draw-offer",
        name: "`draw` is answered with `offer draw` or not at all",
        rule: "draw: accept with `offer draw`, decline by silence; it must not make the engine move",
        check: |d| {
            only_if(d.features().draw, "draw")?;
            d.new_game(None)?;
            d.say(&["time 200", "otim 200"])?;
            d.play(&["e2e4"])?;
            expect(d.await_move(ms(10_000))?, "move")?;
            d.say(&["draw"])?;
            let replies = d.settle()?;
            no_move(&replies)?;
            no_complaint(&replies)?;
            let ended = replies.iter().find(|reply| matches!(reply, Reply::Result(..)));
            must(ended.is_none(), || "it claims a result".to_owned())
        },
    },
    ComplyStep {
        id: "book-text",
        name: "`bk` is answered with indented lines and an empty line",
        rule: "bk: without them xboard stays in book mode and swallows thinking lines",
        check: |d| {
            d.forced_game(&[])?;
            d.say(&["bk"])?;
            let replies = d.settle()?;
            let book = replies.iter().position(|reply| matches!(reply, Reply::Book(_)));
            let end = replies.iter().position(|reply| *reply == Reply::Blank);
            should(book.is_some() && end > book, || {
                "no book text with an empty line at its end".to_owned()
            })
        },
    },
    ComplyStep {
        id: "hint",
        name: "`hint` is answered with `Hint: MOVE` or nothing",
        rule: "hint",
        check: |d| {
            d.new_game(None)?;
            d.say(&["hint"])?;
            let replies = d.settle()?;
            no_move(&replies)?;
            no_complaint(&replies)
        },
    },
    ComplyStep {
        id: "pondering",
        name: "while pondering, `ping` is answered at once, and `result` ends pondering",
        rule: "ping: while pondering, answer immediately and go on",
        check: |d| {
            d.new_game(None)?;
            d.say(&["hard", "time 500", "otim 500"])?;
            d.play(&["e2e4"])?;
            expect(d.await_move(ms(10_000))?, "move")?;
            d.listen(ms(200))?;
            let begun = std::time::Instant::now();
            let replies = d.settle()?;
            no_move(&replies)?;
            should(!d.features().ping || begun.elapsed() < ms(500), || {
                format!("pong after {} ms", begun.elapsed().as_millis())
            })?;
            d.say(&["result 1/2-1/2 {agreed}", "force"])?;
            let mut replies = d.settle()?;
            replies.extend(d.listen(ms(200))?);
            no_move(&replies)
        },
    },
    ComplyStep {
        id: "ponder-miss",
        name: "after a ponder miss the engine answers the move that was played",
        rule: "hard: the opponent may play another move than the one pondered on",
        check: |d| {
            d.new_game(None)?;
            d.say(&["hard", "time 500", "otim 500", "go"])?;
            play_against_fixed_replies(d, Board::<Standard>::start(), 4)
        },
    },
];

/// Lets the engine think and interrupts it with a line. A move that comes before the pong is a warning,
/// since a GUI can recognize it. A later one fails.
fn stops_for(d: &mut CecpConversation, line: &str) -> Finding {
    d.off_book()?;
    d.say(&["level 0 60 0", "time 360000", "otim 360000", "go"])?;
    no_move(&d.listen(ms(200))?).map_err(early)?;
    d.say(&[line, "force"])?;
    let late = d.settle()?;
    no_move(&d.listen(ms(300))?)?;
    should(no_move(&late).is_ok(), || "a move still comes, although before the pong".to_owned())
}
