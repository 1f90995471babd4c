//! Steps: other variants than standard chess. Those that the engine does not declare are skipped.

use super::super::board::Board;
use super::conversation::CecpConversation;
use super::partner::play_against_fixed_replies;
use super::step::{
    ComplyStep, Finding, claimed, expect, ms, must, no_complaint, no_move, only_if, should,
};
use trebuchet::board::Rules;
use trebuchet::cecp::wire::Reply;
use trebuchet::types::Color;
use trebuchet::types::GameResult;
use trebuchet::variants::{Chess960, Horde, KingOfTheHill, RacingKings, ThreeCheck};

/// 1.e4 d6 2.Bb5+ c6 3.Bxc6+ bxc6 4.Qh5 a6: White has given two checks, and Qxf7 is the third.
const TWO_CHECKS: [&str; 8] = ["e2e4", "d7d6", "f1b5", "c7c6", "b5c6", "b7c6", "d1h5", "a7a6"];

/// In King of the Hill, Kd4 and Ke4 win.
const NEXT_TO_THE_HILL: &str = "4k3/8/8/8/8/3K4/8/8 w - - 0 1";

/// In Racing Kings, Kf8, Kg8 and Kh8 win.
const BEFORE_THE_GOAL: &str = "8/6K1/1k6/8/8/8/8/8 w - - 0 1";

/// In Racing Kings, Black can follow White's king to the eighth rank.
const BOTH_BEFORE_THE_GOAL: &str = "8/1k4K1/8/8/8/8/8/8 w - - 0 1";

/// In Horde, f8=Q mates.
const HORDE_MATES: &str = "7k/5P1P/6P1/8/8/8/8/8 w - - 0 1";

/// In Horde, a1a3 cannot be taken en passant.
const FIRST_RANK: &str = "4k3/8/8/8/8/1p6/8/P1P5 w - - 0 1";

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "unknown-variant",
        name: "an unknown variant is refused and does no harm",
        rule: "Error (unsupported variant): variant NAME",
        check: |d| {
            only_if(d.features().reuse, "reuse")?;
            d.say(&["new", "variant nosuchgame"])?;
            let replies = d.settle()?;
            d.new_game(None)?;
            expect(d.go()?, "move")?;
            should(replies.iter().any(|reply| matches!(reply, Reply::Error { .. })), || {
                "no Error line".to_owned()
            })
        },
    },
    ComplyStep {
        id: "three-check-ten-legal-moves",
        name: "three-check: ten moves against a partner, all legal",
        rule: "variant 3check",
        check: |d| {
            plays(d, "3check")?;
            d.new_game(Some("3check"))?;
            d.say(&["time 500", "otim 500", "go"])?;
            play_against_fixed_replies(d, Board::<ThreeCheck>::start(), 10)
        },
    },
    ComplyStep {
        id: "three-check-win",
        name: "three-check: the engine gives the third check and claims the win",
        rule: "the third check wins at once",
        check: |d| {
            plays(d, "3check")?;
            d.new_game(Some("3check"))?;
            d.say(&["force"])?;
            d.play(&TWO_CHECKS)?;
            wins_at_once(d, Board::<ThreeCheck>::after(&TWO_CHECKS)?)
        },
    },
    ComplyStep {
        id: "three-check-no-move-after-the-end",
        name: "three-check: the opponent's third check is not answered with a move",
        rule: "xboard sends the last move without `force`; the game is over",
        check: |d| {
            plays(d, "3check")?;
            d.new_game(Some("3check"))?;
            d.say(&["force"])?;
            d.play(&TWO_CHECKS)?;
            d.play(&["h5f7"])?;
            is_over(d)
        },
    },
    ComplyStep {
        id: "three-check-undo",
        name: "three-check: `undo` takes checks back",
        rule: "undo restores the counters",
        check: |d| {
            plays(d, "3check")?;
            d.new_game(Some("3check"))?;
            d.say(&["force"])?;
            d.play(&TWO_CHECKS)?;
            d.play(&["h5f7"])?;
            d.say(&["undo", "undo"])?;
            d.play(&["h7h6", "h2h3"])?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            let answer = expect(d.go()?, "move")?;
            let mut board = Board::<ThreeCheck>::after(&TWO_CHECKS[..7])?;
            ["h7h6", "h2h3", &answer].iter().try_for_each(|text| board.must_play(text))
        },
    },
    ComplyStep {
        id: "three-check-setboard-without-counters",
        name: "three-check: a position without counters begins at three each",
        rule: "xboard and PyChess send no counters; they count from the position on",
        check: |d| {
            set_up(d, "3check", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")?;
            // The check does not end the game.
            d.play(&["a1a8"])?;
            d.settle()?;
            let answer = d.go()?;
            must(answer.is_some(), || "it takes the first check for the last".to_owned())
        },
    },
    ComplyStep {
        id: "three-check-setboard-with-counters",
        name: "three-check: counters in a position are understood",
        rule: "W+B checks that remain, in the fifth field",
        check: |d| {
            let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1";
            set_up(d, "3check", fen)?;
            let answer = expect(d.go()?, "move")?;
            let mut board = Board::<ThreeCheck>::set_up(fen)?;
            board.must_play(&answer)?;
            should(board.outcome().is_some(), || {
                format!("it plays {answer} instead of the last check")
            })
        },
    },
    ComplyStep {
        id: "king-of-the-hill-ten-legal-moves",
        name: "King of the Hill: ten moves against a partner, all legal",
        rule: "variant kingofthehill",
        check: |d| {
            plays(d, "kingofthehill")?;
            d.new_game(Some("kingofthehill"))?;
            d.say(&["time 500", "otim 500", "go"])?;
            play_against_fixed_replies(d, Board::<KingOfTheHill>::start(), 10)
        },
    },
    ComplyStep {
        id: "king-of-the-hill-win",
        name: "King of the Hill: the engine's king goes to the hill and it claims the win",
        rule: "a king on d4, e4, d5 or e5 wins at once",
        check: |d| {
            set_up(d, "kingofthehill", NEXT_TO_THE_HILL)?;
            wins_at_once(d, Board::<KingOfTheHill>::set_up(NEXT_TO_THE_HILL)?)
        },
    },
    ComplyStep {
        id: "king-of-the-hill-no-move-after-the-end",
        name: "King of the Hill: the opponent's king on the hill is not answered with a move",
        rule: "xboard sends the last move without `force`; the game is over",
        check: |d| {
            set_up(d, "kingofthehill", NEXT_TO_THE_HILL)?;
            d.play(&["d3d4"])?;
            is_over(d)
        },
    },
    ComplyStep {
        id: "king-of-the-hill-bare-kings",
        name: "King of the Hill: king against king is no draw",
        rule: "even a bare king can reach the hill",
        check: |d| {
            let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
            set_up(d, "kingofthehill", fen)?;
            let answer = expect(d.go()?, "move")?;
            Board::<KingOfTheHill>::set_up(fen)?.must_play(&answer)
        },
    },
    ComplyStep {
        id: "racing-kings-ten-legal-moves",
        name: "Racing Kings: ten moves against a partner, all legal",
        rule: "variant racingkings: no move gives check",
        check: |d| {
            plays(d, "racingkings")?;
            d.new_game(Some("racingkings"))?;
            d.say(&["time 500", "otim 500", "go"])?;
            play_against_fixed_replies(d, Board::<RacingKings>::start(), 10)
        },
    },
    ComplyStep {
        id: "racing-kings-win",
        name: "Racing Kings: the engine's king goes to the eighth rank and it claims the win",
        rule: "White's king on the eighth rank wins, unless Black's can follow at once",
        check: |d| {
            set_up(d, "racingkings", BEFORE_THE_GOAL)?;
            wins_at_once(d, Board::<RacingKings>::set_up(BEFORE_THE_GOAL)?)
        },
    },
    ComplyStep {
        id: "racing-kings-draw",
        name: "Racing Kings: Black's king follows White's to the eighth rank",
        rule: "both kings on the eighth rank are a draw",
        check: |d| {
            set_up(d, "racingkings", BOTH_BEFORE_THE_GOAL)?;
            d.play(&["g7g8"])?;
            let answer = expect(d.go()?, "move")?;
            let mut board = Board::<RacingKings>::set_up(BOTH_BEFORE_THE_GOAL)?;
            ["g7g8", &answer].iter().try_for_each(|text| board.must_play(text))?;
            let is_drawn = board.outcome().is_some_and(|outcome| outcome.winner.is_none());
            should(is_drawn, || format!("it plays {answer}"))
        },
    },
    ComplyStep {
        id: "horde-ten-legal-moves",
        name: "Horde: ten moves against a partner, all legal",
        rule: "variant horde",
        check: |d| {
            plays(d, "horde")?;
            d.new_game(Some("horde"))?;
            d.say(&["time 500", "otim 500", "go"])?;
            play_against_fixed_replies(d, Board::<Horde>::start(), 10)
        },
    },
    ComplyStep {
        id: "horde-win",
        name: "Horde: the engine mates without a king of its own and claims the win",
        rule: "White has no king and wins by mate",
        check: |d| {
            set_up(d, "horde", HORDE_MATES)?;
            wins_at_once(d, Board::<Horde>::set_up(HORDE_MATES)?)
        },
    },
    ComplyStep {
        id: "horde-first-rank",
        name: "Horde: a double step from the first rank is understood, and not taken en passant",
        rule: "White's pawns go two squares from the first rank, too",
        check: |d| {
            set_up(d, "horde", FIRST_RANK)?;
            d.play(&["a1a3"])?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            let answer = expect(d.go()?, "move")?;
            let mut board = Board::<Horde>::set_up(FIRST_RANK)?;
            ["a1a3", &answer].iter().try_for_each(|text| board.must_play(text))
        },
    },
    ComplyStep {
        id: "chess960-ten-legal-moves",
        name: "Chess960: ten moves against a partner, all legal",
        rule: "variant fischerandom, and setboard with the start position",
        check: |d| {
            let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
            set_up(d, "fischerandom", fen)?;
            d.say(&["time 500", "otim 500", "go"])?;
            play_against_fixed_replies(d, Board::<Chess960>::set_up(fen)?, 10)
        },
    },
    ComplyStep {
        id: "chess960-castling",
        name: "Chess960: castling is understood",
        rule: "O-O and O-O-O; the king may already stand on its target",
        check: |d| {
            let fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w KQkq - 0 1";
            set_up(d, "fischerandom", fen)?;
            d.play(&["O-O", "O-O-O"])?;
            let replies = d.settle()?;
            no_complaint(&replies)?;
            let answer = expect(d.go()?, "move")?;
            let mut board = Board::<Chess960>::set_up(fen)?;
            ["O-O", "O-O-O", &answer].iter().try_for_each(|text| board.must_play(text))
        },
    },
    ComplyStep {
        id: "new-is-standard-chess",
        name: "`new` means standard chess again",
        rule: "variant follows new in every game of a variant",
        check: |d| {
            only_if(d.features().reuse, "reuse")?;
            plays(d, "3check")?;
            d.new_game(Some("3check"))?;
            d.forced_game(&TWO_CHECKS)?;
            d.play(&["h5f7"])?;
            d.settle()?;
            expect(d.go()?, "move: it still plays three-check").map(|_| ())
        },
    },
];

fn plays(d: &CecpConversation, variant: &str) -> Finding {
    only_if(d.features().lists_variant(variant), variant)
}

/// A new game of a variant in force mode from a position. Skips the step if the engine does not declare
/// what it needs.
fn set_up(d: &mut CecpConversation, variant: &str, fen: &str) -> Finding {
    plays(d, variant)?;
    only_if(d.features().setboard, "setboard")?;
    d.new_game(Some(variant))?;
    d.say(&["force", &format!("setboard {fen}")])?;
    let replies = d.settle()?;
    no_complaint(&replies)
}

/// The engine, which plays White, must win with its next move, and claim it.
fn wins_at_once<R: Rules>(d: &mut CecpConversation, mut board: Board<R>) -> Finding {
    let answer = expect(d.go()?, "move")?;
    board.must_play(&answer)?;
    should(board.outcome().is_some(), || format!("it plays {answer}"))?;
    let replies = d.settle()?;
    should(claimed(&replies) == Some(GameResult::Win(Color::White)), || {
        "it does not claim the win".to_owned()
    })
}

/// White has won: `go` must not be answered with a move, nor with another result.
fn is_over(d: &mut CecpConversation) -> Finding {
    d.say(&["time 200", "otim 200", "go"])?;
    let mut replies = d.settle()?;
    replies.extend(d.listen(ms(300))?);
    no_move(&replies)?;
    let result = claimed(&replies);
    must(result.is_none_or(|result| result == GameResult::Win(Color::White)), || {
        "it claims another result".to_owned()
    })
}
