//! Steps: `isready`, new games, positions and moves.

use super::conversation::UciConversation;
use super::moves::{
    answers_legally, board_of, legally, must_play, play_against_fixed_replies, quick_move,
};
use super::step::{
    ComplyStep, Finding, MIDDLEGAME, ONLY_EN_PASSANT, expect, holds, ms, must, no_best_move,
    no_other_best_move, skip, stop,
};
use trebuchet::uci::wire::Reply;
use trebuchet::variants::Standard;

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "ready-when-idle",
        name: "`isready` is answered with `readyok`",
        rule: "isready must always be answered with readyok",
        check: |d| {
            d.say(&["isready"])?;
            let ready = d.await_reply(ms(5000), |reply| *reply == Reply::ReadyOk)?;
            expect(ready, "readyok within 5 s").map(|_| ())
        },
    },
    ComplyStep {
        id: "ready-once-each",
        name: "three times `isready` are answered three times",
        rule: "isready must always be answered with readyok",
        check: |d| {
            d.say(&["isready", "isready", "isready"])?;
            let replies = d.listen(ms(1000))?;
            let answers = replies.iter().filter(|reply| **reply == Reply::ReadyOk).count();
            must(answers == 3, || format!("{answers} times readyok"))
        },
    },
    ComplyStep {
        id: "ready-while-searching",
        name: "`isready` is answered during a search, which goes on",
        rule: "isready is answered also when the engine is calculating, without stopping the search",
        check: |d| {
            d.new_game()?;
            d.position::<&str>(MIDDLEGAME, &[])?;
            holds(d, "go infinite", 200)?;
            d.say(&["isready"])?;
            let mut replies = Vec::new();
            let ready = d.await_reply(ms(2000), |reply| {
                replies.push(reply.clone());
                *reply == Reply::ReadyOk
            })?;
            expect(ready, "readyok within 2 s")?;
            replies.extend(d.listen(ms(200))?);
            no_best_move(&replies)?;
            stop(d).map(|_| ())
        },
    },
    ComplyStep {
        id: "new-game-and-ready",
        name: "`ucinewgame` does not block",
        rule: "isready follows ucinewgame; the engine may clear its tables, but not for long",
        check: |d| {
            d.say(&["ucinewgame", "isready"])?;
            let ready = d.await_reply(ms(5000), |reply| *reply == Reply::ReadyOk)?;
            expect(ready, "readyok within 5 s").map(|_| ())
        },
    },
    ComplyStep {
        id: "no-search-without-go",
        name: "nothing but `go` starts a search",
        rule: "ucinewgame and position only prepare the search",
        check: |d| {
            d.new_game()?;
            d.position("startpos", &["e2e4"])?;
            no_other_best_move(d)
        },
    },
    ComplyStep {
        id: "move-in-the-start-position",
        name: "in the start position it moves legally",
        rule: "position startpos",
        check: |d| legally(d, "startpos", &[]),
    },
    ComplyStep {
        id: "move-after-moves",
        name: "after `position startpos moves …` it moves legally",
        rule: "position startpos moves: the moves are played from the start position",
        check: |d| {
            legally(d, "startpos", &["e2e4", "e7e5", "g1f3"])?;
            legally(d, "startpos", &["d2d4", "d7d5", "c2c4", "d5c4"])
        },
    },
    ComplyStep {
        id: "move-from-a-fen",
        name: "from a FEN it moves legally, for either side",
        rule: "position fen FEN moves …",
        check: |d| {
            legally(d, MIDDLEGAME, &[])?;
            legally(d, MIDDLEGAME, &["e1g1"])?;
            let black = "fen r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 4 3";
            legally(d, black, &[])
        },
    },
    ComplyStep {
        id: "understands-castling",
        name: "castling is understood as a move of the king",
        rule: "castling is e1g1, e1c1, e8g8, e8c8; rights come from the FEN",
        check: |d| {
            let castles = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
            legally(d, castles, &["e1g1"])?;
            legally(d, castles, &["e1c1", "e8g8"])?;
            legally(d, "fen r3k3/8/8/8/8/8/8/4K3 b q - 0 1", &["e8c8"])
        },
    },
    ComplyStep {
        id: "understands-en-passant",
        name: "en passant is understood and found",
        rule: "en passant is the move of the pawn; the square comes from the FEN or the moves",
        check: |d| {
            legally(d, "startpos", &["e2e4", "a7a6", "e4e5", "d7d5", "e5d6"])?;
            legally(d, ONLY_EN_PASSANT, &[])?;
            let before = "fen 7k/3p4/4p3/4P3/8/6q1/8/7K b - - 0 1";
            legally(d, before, &["d7d5"])
        },
    },
    ComplyStep {
        id: "understands-promotion",
        name: "promotions to all pieces are understood",
        rule: "promotion is e7e8q, with a small letter for the piece",
        check: |d| {
            for mv in ["g7g8q", "g7g8r", "g7g8b", "g7g8n"] {
                legally(d, "fen 8/k5P1/8/8/8/8/6K1/8 w - - 0 1", &[mv])?;
            }
            legally(d, "fen 8/6k1/8/8/8/8/p7/1N4K1 b - - 0 1", &["a2b1n"])
        },
    },
    ComplyStep {
        id: "writes-promotion",
        name: "promotions are written with a small letter",
        rule: "promotion is e7e8q",
        check: |d| {
            // White has only the pawn.
            legally(d, "fen 7k/P7/8/8/8/6q1/8/7K w - - 0 1", &[])?;
            // The same for Black.
            legally(d, "fen 7k/8/6Q1/8/8/8/p7/7K b - - 0 1", &[])
        },
    },
    ComplyStep {
        id: "writes-castling",
        name: "castling is written as a move of the king",
        rule: "castling is e1g1, e1c1, e8g8, e8c8",
        check: |d| {
            let castles = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
            for (moves, wanted) in [
                (&[][..], "e1g1"),
                (&[][..], "e1c1"),
                (&["a1a2"][..], "e8g8"),
                (&["a1a2"][..], "e8c8"),
            ] {
                writes(d, castles, moves, wanted)?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "ten-legal-moves",
        name: "ten moves against a partner, all legal",
        rule: "an illegal move loses the game",
        check: |d| {
            d.new_game()?;
            play_against_fixed_replies::<Standard>(d, "startpos", 10, quick_move)
        },
    },
    ComplyStep {
        id: "two-games",
        name: "two games in a row, with other colours",
        rule: "ucinewgame comes between games; the process stays",
        check: |d| {
            for start in
                ["startpos", "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]
            {
                d.new_game()?;
                play_against_fixed_replies::<Standard>(d, start, 5, quick_move)?;
                d.settle()?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "positions-without-new-game",
        name: "another position needs no `ucinewgame`",
        rule: "position may set up any position; engines must not rely on ucinewgame",
        check: |d| {
            d.new_game()?;
            for (start, moves) in [
                ("startpos", &["e2e4"][..]),
                (MIDDLEGAME, &[]),
                ("startpos", &["d2d4", "d7d5"]),
                ("startpos", &["d2d4"]),
                ("fen 8/8/4k3/8/8/3K4/3P4/8 b - - 0 1", &["e6e5"]),
            ] {
                answers_legally::<Standard>(d, start, moves)?;
            }
            Ok(())
        },
    },
    ComplyStep {
        id: "long-game",
        name: "a game of 336 plies is understood",
        rule: "position comes with all moves of the game",
        check: |d| {
            let moves = long_game();
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            legally(d, "startpos", &moves)
        },
    },
    ComplyStep {
        id: "one-bestmove-for-each-go",
        name: "each `go` is answered with exactly one `bestmove`",
        rule: "for every go command a bestmove command is needed",
        check: |d| {
            d.new_game()?;
            for depth in 1..=5 {
                d.position::<&str>(MIDDLEGAME, &[])?;
                d.think(&format!("go depth {depth}"))?;
                no_other_best_move(d)?;
            }
            Ok(())
        },
    },
];

/// The move must be written so, if `searchmoves` allows no other.
fn writes(d: &mut UciConversation, start: &str, moves: &[&str], wanted: &str) -> Finding {
    d.new_game()?;
    d.position(start, moves)?;
    let search = d.think(&format!("go movetime 100 searchmoves {wanted}"))?;
    let best = search.best()?;
    if best == wanted {
        return Ok(());
    }
    let mut board = board_of::<Standard>(start, moves)?;
    must_play(&mut board, best)?;
    Err(skip("it plays other moves than `searchmoves` says"))
}

/// A game of 336 plies: knights go to and fro, and sometimes two pawns move.
fn long_game() -> Vec<String> {
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let pawns = [
        ["a2a3", "a7a6"],
        ["b2b3", "b7b6"],
        ["c2c3", "c7c6"],
        ["d2d3", "d7d6"],
        ["e2e3", "e7e6"],
        ["a3a4", "a6a5"],
        ["b3b4", "b6b5"],
        ["c3c4", "c6c5"],
    ];
    let texts = pawns.iter().flat_map(|pair| knights.iter().cycle().take(40).chain(pair));
    texts.map(|&mv| mv.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_game_is_legal() {
        let moves = long_game();
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        assert!(board_of::<Standard>("startpos", &moves).is_ok());
        assert_eq!(moves.len(), 336);
    }
}
