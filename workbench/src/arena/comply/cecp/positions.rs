//! Steps: setting up positions, taking back moves, ends of games.

use super::super::board::Board;
use super::conversation::CecpConversation;
use super::step::{
    ComplyStep, Finding, NotOk, claimed, expect, ms, must, no_complaint, no_move, only_if, should,
};
use trebuchet::cecp::wire::Reply;
use trebuchet::types::{Color, GameResult, Score};
use trebuchet::variants::Standard;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "setboard-black-to-move",
        name: "a position with Black to move is played by Black",
        rule: "setboard: the side to move comes from the FEN",
        check: |d| {
            plays_in(d, "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 4 3")
        },
    },
    ComplyStep {
        id: "setboard-castling-rights",
        name: "castling rights come from the FEN",
        rule: "setboard",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            only_if(d.features().reuse, "reuse")?;
            d.set_up("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")?;
            d.play(&["e1c1"])?;
            let refused = has_complaint(&d.settle()?);
            d.set_up("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")?;
            d.play(&["e1g1", "e8c8"])?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            must(refused, || "it accepts castling without the right".to_owned())
        },
    },
    ComplyStep {
        id: "setboard-en-passant",
        name: "the en passant square comes from the FEN",
        rule: "setboard",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            d.set_up("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2")?;
            d.play(&["e5d6"])?;
            let replies = d.settle()?;
            no_complaint(&replies)
        },
    },
    ComplyStep {
        id: "setboard-without-search",
        name: "`setboard` does not start a search",
        rule: "setboard is preceded by force; go follows",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            d.set_up("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
            let replies = d.listen(ms(300))?;
            no_move(&replies)
        },
    },
    ComplyStep {
        id: "undo-restores-everything",
        name: "`undo` takes back a ply with all its effects",
        rule: "undo restores castling rights and en passant",
        check: |d| {
            only_if(d.features().reuse, "reuse")?;
            d.forced_game(&["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1f1"])?;
            d.say(&["undo"])?;
            d.play(&["e1g1"])?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            d.forced_game(&["e2e4", "a7a6", "e4e5", "d7d5", "h2h3"])?;
            d.say(&["undo"])?;
            d.play(&["e5d6"])?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            let answer = expect(d.go()?, "move")?;
            Board::<Standard>::after(&["e2e4", "a7a6", "e4e5", "d7d5", "e5d6"])?.must_play(&answer)
        },
    },
    ComplyStep {
        id: "undo-to-the-beginning",
        name: "`undo` goes back to the beginning",
        rule: "undo: one ply at a time",
        check: |d| {
            d.forced_game(&["e2e4", "e7e5", "g1f3"])?;
            d.say(&["undo", "undo", "undo"])?;
            d.play(&["d2d4", "d7d5"])?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            let answer = expect(d.go()?, "move")?;
            Board::<Standard>::after(&["d2d4", "d7d5"])?.must_play(&answer)
        },
    },
    ComplyStep {
        id: "remove-plays-on",
        name: "`remove` takes back two plies and plays on",
        rule: "remove: the user takes back, the engine keeps its colour",
        check: |d| {
            d.new_game(None)?;
            d.say(&["time 200", "otim 200"])?;
            d.play(&["e2e4"])?;
            expect(d.await_move(ms(10_000))?, "move")?;
            d.say(&["remove"])?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            d.say(&["time 200", "otim 200"])?;
            d.play(&["d2d4"])?;
            let answer = expect(d.await_move(ms(10_000))?, "move after remove")?;
            Board::<Standard>::after(&["d2d4"])?.must_play(&answer)
        },
    },
    ComplyStep {
        id: "mate-is-claimed",
        name: "a mate in one is found, and claimed after the move",
        rule: "RESULT {comment} when the game has ended on the board, the move first",
        check: |d| {
            let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
            only_if(d.features().setboard, "setboard")?;
            d.set_up(fen)?;
            let answer = expect(d.go()?, "move")?;
            let mut board = Board::<Standard>::set_up(fen)?;
            board.must_play(&answer)?;
            should(board.outcome().is_some(), || format!("{answer} does not mate"))?;
            claim(d, GameResult::Win(Color::White))
        },
    },
    ComplyStep {
        id: "mate-score",
        name: "a mate in one has the score 100001",
        rule: "mate in N moves is 100000 + N, against us -100000 - N",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            d.set_up("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")?;
            d.say(&["post", "time 200", "otim 200", "go"])?;
            let mut score = None;
            d.await_reply(ms(10_000), |reply| {
                if let Reply::Thinking(line) = reply {
                    score = Some(line.score);
                }
                matches!(reply, Reply::Move(_))
            })?;
            d.settle()?;
            should(score == Some(Score::win_in(1)), || match score {
                Some(score) => match score.moves_to_end() {
                    Some(moves) if score.is_win() => format!("the last score is mate in {moves}"),
                    Some(moves) => format!("the last score is to be mated in {}", -moves),
                    None => "the last score is no mate".to_owned(),
                },
                None => "no score".to_owned(),
            })
        },
    },
    ComplyStep {
        id: "go-when-mated",
        name: "`go` when mated is answered with a result, not a move",
        rule: "in a finished position print the RESULT line",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            d.set_up("6k1/4Qppp/8/8/8/8/8/4R1K1 w - - 0 1")?;
            d.play(&["e7e8"])?;
            finished(d, GameResult::Win(Color::White))
        },
    },
    ComplyStep {
        id: "go-when-stalemated",
        name: "`go` when stalemated is answered with a draw, not a move",
        rule: "in a finished position print the RESULT line",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            d.set_up("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")?;
            finished(d, GameResult::Draw)
        },
    },
    ComplyStep {
        id: "no-move-after-mate",
        name: "a mating move of the opponent is not answered with a move",
        rule: "on mate xboard sends the last move without `force`",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            // Black has one move, Kh7; then Qg7 mates.
            d.set_up("7k/5K2/8/8/8/8/8/6Q1 b - - 0 1")?;
            expect(d.go()?, "move")?;
            d.play(&["g1g7"])?;
            let mut replies = d.settle()?;
            replies.extend(d.listen(ms(300))?);
            no_move(&replies)?;
            let claims = claimed(&replies);
            must(claims.is_none_or(|result| result == GameResult::Win(Color::White)), || {
                "it claims another result".to_owned()
            })
        },
    },
    ComplyStep {
        id: "second-occurrence-is-no-draw",
        name: "the second occurrence of a position is not claimed",
        rule: "a draw claimed too early loses the game",
        check: |d| {
            let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
            d.forced_game(&shuffle)?;
            d.say(&["time 200", "otim 200", "go"])?;
            let reply = d.await_reply(ms(10_000), |reply| {
                matches!(reply, Reply::Move(_) | Reply::Result(..))
            })?;
            must(matches!(reply, Some(Reply::Move(_))), || "it claims".to_owned())
        },
    },
    ComplyStep {
        id: "third-occurrence-is-a-draw",
        name: "the third occurrence of a position is claimed, or a draw is offered",
        rule: "1/2-1/2 {Draw by repetition}",
        check: |d| {
            let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
            d.forced_game(&[shuffle, shuffle].concat())?;
            d.say(&["time 200", "otim 200", "go"])?;
            let reply = d.await_reply(ms(10_000), |reply| {
                matches!(reply, Reply::Move(_) | Reply::Result(..) | Reply::OfferDraw)
            })?;
            should(!matches!(reply, Some(Reply::Move(_))), || "it plays on".to_owned())
        },
    },
    ComplyStep {
        id: "bare-kings-are-a-draw",
        name: "king against king is claimed as a draw",
        rule: "1/2-1/2 {Draw by insufficient material}",
        check: |d| {
            only_if(d.features().setboard, "setboard")?;
            d.set_up("8/8/4k3/8/8/3K4/8/8 w - - 0 1")?;
            d.say(&["time 200", "otim 200", "go"])?;
            let reply = d.await_reply(ms(10_000), |reply| {
                matches!(reply, Reply::Move(_) | Reply::Result(..))
            })?;
            should(matches!(reply, Some(Reply::Result(GameResult::Draw, _))), || {
                "it plays on".to_owned()
            })
        },
    },
];

fn has_complaint(replies: &[Reply]) -> bool {
    no_complaint(replies).is_err()
}

fn plays_in(d: &mut CecpConversation, fen: &str) -> Finding {
    only_if(d.features().setboard, "setboard")?;
    d.set_up(fen)?;
    let answer = expect(d.go()?, "move")?;
    Board::<Standard>::set_up(fen)?.must_play(&answer)
}

/// Checks the claim after the engine's own last move.
fn claim(d: &mut CecpConversation, wanted: GameResult) -> Finding {
    let replies = d.settle()?;
    match claimed(&replies) {
        None => Err(NotOk::Warn("it claims nothing".to_owned())),
        Some(result) => must(result == wanted, || format!("it claims {result}")),
    }
}

/// The game is over: `go` must not be answered with a move.
fn finished(d: &mut CecpConversation, wanted: GameResult) -> Finding {
    d.say(&["time 200", "otim 200", "go"])?;
    let mut replies = d.settle()?;
    replies.extend(d.listen(ms(300))?);
    no_move(&replies)?;
    match claimed(&replies) {
        None => Err(NotOk::Warn("no result".to_owned())),
        Some(result) => must(result == wanted, || format!("the result is {result}")),
    }
}
