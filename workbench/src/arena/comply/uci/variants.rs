//! Steps: other games than chess. Those that the engine does not declare are skipped.

use super::conversation::UciConversation;
use super::moves::{
    board_of, legally, moves_legally, must_play, play_against_fixed_replies, quick_move,
};
use super::positions::has_no_move;
use super::step::{ComplyStep, Finding, expect, only_if, only_with, should, skip};
use trebuchet::board::Rules;
use trebuchet::uci::wire::OptionKind;
use trebuchet::variants::{Chess960, Horde, KingOfTheHill, RacingKings, ThreeCheck};

/// 1.e4 d6 2.Bb5+ c6 3.Bxc6+ bxc6 4.Qh5 a6: White has given two checks, and Qxf7 is the third.
const TWO_CHECKS: [&str; 8] = ["e2e4", "d7d6", "f1b5", "c7c6", "b5c6", "b7c6", "d1h5", "a7a6"];

/// In King of the Hill, Kd4 and Ke4 win.
const NEXT_TO_THE_HILL: &str = "fen 4k3/8/8/8/8/3K4/8/8 w - - 0 1";

/// In Racing Kings, Kf8, Kg8 and Kh8 win.
const BEFORE_THE_GOAL: &str = "fen 8/6K1/1k6/8/8/8/8/8 w - - 0 1";

/// In Racing Kings, Black can follow White's king to the eighth rank.
const BOTH_BEFORE_THE_GOAL: &str = "fen 8/1k4K1/8/8/8/8/8/8 w - - 0 1";

/// In Horde, f8=Q mates.
const HORDE_MATES: &str = "fen 7k/5P1P/6P1/8/8/8/8/8 w - - 0 1";

/// In Horde, a1a3 cannot be taken en passant.
const FIRST_RANK: &str = "fen 4k3/8/8/8/8/1p6/8/P1P5 w - - 0 1";

/// In Horde, Rxa1 takes the last man.
const LAST_MAN: &str = "fen 4k3/8/8/8/8/8/r7/P7 b - - 0 1";

/// In Chess960, both sides may castle to both sides.
const MAY_CASTLE: &str = "fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w KQkq - 0 1";

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "three-check-ten-legal-moves",
        name: "three-check: ten moves against a partner, all legal",
        rule: "UCI_Variant 3check",
        check: |d| {
            in_variant(d, "3check", |d| {
                d.new_game()?;
                play_against_fixed_replies::<ThreeCheck>(d, "startpos", 10, quick_move)
            })
        },
    },
    ComplyStep {
        id: "three-check-win",
        name: "three-check: the engine gives the third check",
        rule: "the third check wins at once; checks count from the start of the moves",
        check: |d| in_variant(d, "3check", |d| wins::<ThreeCheck>(d, "startpos", &TWO_CHECKS)),
    },
    ComplyStep {
        id: "three-check-remaining-checks",
        name: "three-check: the checks that remain are understood in a FEN",
        rule: "the fifth of seven fields: 1+3 means that White needs one more",
        check: |d| {
            let start = "fen 4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1";
            in_variant(d, "3check", |d| wins::<ThreeCheck>(d, start, &[]))
        },
    },
    ComplyStep {
        id: "three-check-given-checks",
        name: "three-check: the checks given are understood in a FEN",
        rule: "the form of Lichess at the end: +2+0 means that White has given two",
        check: |d| {
            in_variant(d, "3check", |d| {
                let mut board =
                    board_of::<ThreeCheck>("fen 4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", &[])?;
                d.new_game()?;
                d.position::<&str>("fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +2+0", &[])?;
                let answer = quick_move(d)?;
                must_play(&mut board, &answer)?;
                should(board.outcome().is_some(), || format!("it plays {answer}"))
            })
        },
    },
    ComplyStep {
        id: "three-check-end",
        name: "three-check: after the third check there is no move",
        rule: "the game is over: bestmove (none) or 0000",
        check: |d| {
            in_variant(d, "3check", |d| {
                has_no_move(d, "startpos", &[&TWO_CHECKS[..], &["h5f7"]].concat())
            })
        },
    },
    ComplyStep {
        id: "king-of-the-hill-ten-legal-moves",
        name: "King of the Hill: ten moves against a partner, all legal",
        rule: "UCI_Variant kingofthehill",
        check: |d| {
            in_variant(d, "kingofthehill", |d| {
                d.new_game()?;
                play_against_fixed_replies::<KingOfTheHill>(d, "startpos", 10, quick_move)
            })
        },
    },
    ComplyStep {
        id: "king-of-the-hill-win",
        name: "King of the Hill: the engine's king goes to the hill",
        rule: "a king on d4, e4, d5 or e5 wins at once",
        check: |d| {
            in_variant(d, "kingofthehill", |d| wins::<KingOfTheHill>(d, NEXT_TO_THE_HILL, &[]))
        },
    },
    ComplyStep {
        id: "king-of-the-hill-end",
        name: "King of the Hill: after the opponent's king is on the hill there is no move",
        rule: "the game is over: bestmove (none) or 0000",
        check: |d| in_variant(d, "kingofthehill", |d| has_no_move(d, NEXT_TO_THE_HILL, &["d3d4"])),
    },
    ComplyStep {
        id: "racing-kings-ten-legal-moves",
        name: "Racing Kings: ten moves against a partner, all legal",
        rule: "UCI_Variant racingkings: no move gives check",
        check: |d| {
            in_variant(d, "racingkings", |d| {
                d.new_game()?;
                play_against_fixed_replies::<RacingKings>(d, "startpos", 10, quick_move)
            })
        },
    },
    ComplyStep {
        id: "racing-kings-win",
        name: "Racing Kings: the engine's king goes to the eighth rank",
        rule: "White's king on the eighth rank wins, unless Black's can follow at once",
        check: |d| in_variant(d, "racingkings", |d| wins::<RacingKings>(d, BEFORE_THE_GOAL, &[])),
    },
    ComplyStep {
        id: "racing-kings-end",
        name: "Racing Kings: after both kings are on the eighth rank there is no move",
        rule: "the game is over: bestmove (none) or 0000",
        check: |d| {
            in_variant(d, "racingkings", |d| {
                has_no_move(d, BOTH_BEFORE_THE_GOAL, &["g7g8", "b7a8"])
            })
        },
    },
    ComplyStep {
        id: "horde-ten-legal-moves",
        name: "Horde: ten moves against a partner, all legal",
        rule: "UCI_Variant horde",
        check: |d| {
            in_variant(d, "horde", |d| {
                d.new_game()?;
                play_against_fixed_replies::<Horde>(d, "startpos", 10, quick_move)
            })
        },
    },
    ComplyStep {
        id: "horde-wins",
        name: "Horde: White mates without a king, and Black takes the last man",
        rule: "White has no king and wins by mate, Black by taking all of White's men",
        check: |d| {
            in_variant(d, "horde", |d| {
                wins::<Horde>(d, HORDE_MATES, &[])?;
                wins::<Horde>(d, LAST_MAN, &[])
            })
        },
    },
    ComplyStep {
        id: "horde-end",
        name: "Horde: after the last man of White there is no move",
        rule: "the game is over: bestmove (none) or 0000",
        check: |d| in_variant(d, "horde", |d| has_no_move(d, LAST_MAN, &["a2a1"])),
    },
    ComplyStep {
        id: "horde-first-rank",
        name: "Horde: a double step from the first rank is understood, and not taken en passant",
        rule: "White's pawns go two squares from the first rank, too",
        check: |d| {
            in_variant(d, "horde", |d| moves_legally::<Horde>(d, FIRST_RANK, &["a1a3"]).map(|_| ()))
        },
    },
    ComplyStep {
        id: "unknown-variant",
        name: "an unknown variant does no harm",
        rule: "setoption with a value that is not among var",
        check: |d| {
            only_with(d, "UCI_Variant")?;
            d.set("UCI_Variant", "nosuchgame")?;
            d.set("UCI_Variant", "chess")?;
            legally(d, "startpos", &["e2e4"])
        },
    },
    ComplyStep {
        id: "chess-again",
        name: "`UCI_Variant` goes back to chess",
        rule: "GUIs set the variant before each game",
        check: |d| {
            in_variant(d, "3check", |d| {
                moves_legally::<ThreeCheck>(d, "startpos", &TWO_CHECKS).map(|_| ())
            })?;
            legally(d, "startpos", &[&TWO_CHECKS[..], &["h5f7"]].concat())
        },
    },
    ComplyStep {
        id: "chess960-ten-legal-moves",
        name: "Chess960: ten moves against a partner, all legal",
        rule: "UCI_Chess960, and position with the start position",
        check: |d| {
            in_chess960(d, |d| {
                d.new_game()?;
                let start = "fen bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
                play_against_fixed_replies::<Chess960>(d, start, 10, quick_move)
            })
        },
    },
    ComplyStep {
        id: "chess960-understands-castling",
        name: "Chess960: castling is understood as king takes rook",
        rule: "UCI_Chess960: castling is the move of the king to its own rook",
        check: |d| {
            in_chess960(d, |d| {
                for moves in [["f1g1", "e8b8"], ["f1b1", "e8g8"]] {
                    moves_legally::<Chess960>(d, MAY_CASTLE, &moves)?;
                }
                Ok(())
            })
        },
    },
    ComplyStep {
        id: "chess960-writes-castling",
        name: "Chess960: castling is written as king takes rook",
        rule: "UCI_Chess960: castling is the move of the king to its own rook",
        check: |d| {
            in_chess960(d, |d| {
                for (moves, wanted) in
                    [(&[][..], "f1g1"), (&[], "f1b1"), (&["a2a3"], "e8g8"), (&["a2a3"], "e8b8")]
                {
                    d.new_game()?;
                    d.position(MAY_CASTLE, moves)?;
                    let search = d.think(&format!("go movetime 100 searchmoves {wanted}"))?;
                    let best = search.best()?;
                    must_play(&mut board_of::<Chess960>(MAY_CASTLE, moves)?, best)?;
                    if best != wanted {
                        return Err(skip("it plays other moves than `searchmoves` says"));
                    }
                }
                Ok(())
            })
        },
    },
    ComplyStep {
        id: "chess960-and-chess-again",
        name: "Chess960: without the option castling is e1g1 again",
        rule: "UCI_Chess960 false: castling is a move of the king by two squares",
        check: |d| {
            in_chess960(d, |d| moves_legally::<Chess960>(d, MAY_CASTLE, &[]).map(|_| ()))?;
            let castles = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
            legally(d, castles, &["e1g1", "e8c8"])
        },
    },
];

/// Runs a check with `UCI_Variant`, and sets it back. Skips it if the engine does not declare the variant.
fn in_variant(
    d: &mut UciConversation,
    variant: &str,
    check: impl FnOnce(&mut UciConversation) -> Finding,
) -> Finding {
    let values = match d.option("UCI_Variant").map(|option| &option.kind) {
        Some(OptionKind::Combo { values, .. }) => values.as_slice(),
        _ => &[],
    };
    only_if(values.iter().any(|value| value.eq_ignore_ascii_case(variant)), variant)?;
    d.set("UCI_Variant", variant)?;
    check(d)?;
    d.set("UCI_Variant", "chess")?;
    Ok(())
}

/// The same with `UCI_Chess960`.
fn in_chess960(
    d: &mut UciConversation,
    check: impl FnOnce(&mut UciConversation) -> Finding,
) -> Finding {
    only_with(d, "UCI_Chess960")?;
    d.set("UCI_Chess960", "true")?;
    let outcome = check(d);
    // After a skip the engine is not restarted.
    d.set("UCI_Chess960", "false")?;
    outcome
}

/// The engine must win with its next move, and should say so.
fn wins<R: Rules>(d: &mut UciConversation, start: &str, moves: &[&str]) -> Finding {
    let mut board = board_of::<R>(start, moves)?;
    d.new_game()?;
    d.position(start, moves)?;
    let search = d.think("go depth 4")?;
    let answer = search.best()?;
    must_play(&mut board, answer)?;
    should(board.outcome().is_some(), || format!("it plays {answer}"))?;
    let line = expect(search.last_score(), "score")?;
    should(line.contains(" mate 1"), || format!("no `score mate 1`: {line}"))
}
