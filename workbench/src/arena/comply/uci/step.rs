//! What the steps look for in replies.

use super::super::step;
use super::conversation::UciConversation;
use trebuchet::uci::wire::Reply;

pub use step::{Finding, NotOk, expect, lenient, ms, must, only_if, should, skip};

pub type ComplyStep = step::ComplyStep<UciConversation>;

/// A search that is short and ends by itself.
pub const QUICK: &str = "go movetime 100";

/// A position with many moves that no book has.
pub const MIDDLEGAME: &str =
    "fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

/// White's king cannot move, and exd6 en passant is the only legal move.
pub const ONLY_EN_PASSANT: &str = "fen 7k/8/4p3/3pP3/8/6q1/8/7K w - d6 0 1";

/// Ra8 mates.
pub const MATE_IN_ONE: &str = "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

/// Qd8+ mates in two; nothing else does.
pub const MATE_IN_TWO: &str = "fen r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1";

/// Skips the step unless the engine declares this option.
pub fn only_with(d: &UciConversation, option: &str) -> Finding {
    only_if(d.is_declared(option), option)
}

/// Fails if one of the replies is a `bestmove`.
pub fn no_best_move(replies: &[Reply]) -> Finding {
    match replies.iter().find(|reply| matches!(reply, Reply::BestMove { .. })) {
        Some(reply) => Err(NotOk::Fail(format!("unexpected {reply}"))),
        None => Ok(()),
    }
}

/// Fails if a `bestmove` follows that no `go` has asked for.
pub fn no_other_best_move(d: &mut UciConversation) -> Finding {
    let mut replies = d.settle()?;
    replies.extend(d.listen(ms(150))?);
    no_best_move(&replies)
}

/// `go` with these words must not be answered for this long.
pub fn holds(d: &mut UciConversation, go: &str, millis: u64) -> Finding {
    d.say(&[go])?;
    no_best_move(&d.listen(ms(millis))?)
}

/// Ends a search with `stop`, which must be answered with one `bestmove`. Returns its move.
pub fn stop(d: &mut UciConversation) -> Result<Option<String>, NotOk> {
    d.say(&["stop"])?;
    let search = d.best_move(ms(3000), "stop")?;
    no_other_best_move(d)?;
    Ok(search.best)
}
