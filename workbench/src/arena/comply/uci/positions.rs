//! Steps: positions in which the game is over, or may be.

use super::conversation::UciConversation;
use super::moves::legally;
use super::step::{ComplyStep, Finding, QUICK, holds, lenient, should, stop};

const BEFORE_MATE: &str = "fen 6k1/4Qppp/8/8/8/8/8/4R1K1 w - - 0 1";

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "go-when-mated",
        name: "`go` when mated is answered with `bestmove (none)` or `0000`",
        rule: "bestmove is needed for every go; there is no move",
        check: |d| {
            has_no_move(d, "fen 4Q1k1/5ppp/8/8/8/8/8/4R1K1 b - - 1 1", &[])?;
            has_no_move(d, BEFORE_MATE, &["e7e8"])
        },
    },
    ComplyStep {
        id: "go-when-stalemated",
        name: "`go` when stalemated is answered with `bestmove (none)` or `0000`",
        rule: "bestmove is needed for every go; there is no move",
        check: |d| has_no_move(d, "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[]),
    },
    ComplyStep {
        id: "infinite-when-mated",
        name: "`go infinite` when mated waits for `stop`",
        rule: "infinite: do not exit the search without being told so",
        check: |d| {
            d.new_game()?;
            d.position(BEFORE_MATE, &["e7e8"])?;
            lenient(holds(d, "go infinite", 300))?;
            let best = stop(d)?;
            should(best.is_none(), || format!("bestmove {}", best.unwrap_or_default()))
        },
    },
    ComplyStep {
        id: "plays-on-after-repetitions",
        name: "after the third occurrence of a position it moves",
        rule: "the GUI decides whether the game is a draw; go needs a bestmove",
        check: |d| {
            let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
            legally(d, "startpos", &[shuffle, shuffle].concat())
        },
    },
    ComplyStep {
        id: "plays-on-after-fifty-moves",
        name: "after fifty moves without progress it moves",
        rule: "the GUI decides whether the game is a draw; go needs a bestmove",
        check: |d| legally(d, "fen 8/8/4k3/8/3R4/3K4/8/8 w - - 100 90", &[]),
    },
    ComplyStep {
        id: "plays-on-with-bare-kings",
        name: "with king against king it moves",
        rule: "the GUI decides whether the game is a draw; go needs a bestmove",
        check: |d| legally(d, "fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1", &[]),
    },
];

/// The game is over: the `bestmove` must come, and should name no move.
pub fn has_no_move(d: &mut UciConversation, start: &str, moves: &[&str]) -> Finding {
    d.new_game()?;
    d.position(start, moves)?;
    let best = d.think(QUICK)?.best;
    should(best.is_none(), || format!("bestmove {}", best.unwrap_or_default()))
}
