//! What the steps look for in replies.

use super::super::step;
use super::conversation::CecpConversation;
use trebuchet::cecp::wire::Reply;
use trebuchet::types::GameResult;

pub use step::{Finding, NotOk, expect, lenient, ms, must, only_if, should, skip};

pub type ComplyStep = step::ComplyStep<CecpConversation>;

/// Fails if one of the replies is a move.
pub fn no_move(replies: &[Reply]) -> Finding {
    match replies.iter().find(|reply| matches!(reply, Reply::Move(_))) {
        Some(reply) => Err(NotOk::Fail(format!("unexpected move: {reply}"))),
        None => Ok(()),
    }
}

/// Skips the step if the search ends before it is interrupted.
pub fn early(_: NotOk) -> NotOk {
    skip("it moves too early to be interrupted")
}

/// Warns if one of the replies is an error message.
pub fn no_complaint(replies: &[Reply]) -> Finding {
    let is_complaint = |reply: &&Reply| {
        matches!(reply, Reply::Error { .. } | Reply::IllegalMove { .. } | Reply::TellUserError(_))
    };
    match replies.iter().find(is_complaint) {
        Some(reply) => Err(NotOk::Warn(format!("error message: {reply}"))),
        None => Ok(()),
    }
}

/// The result that the engine claims, if it does.
pub fn claimed(replies: &[Reply]) -> Option<GameResult> {
    replies
        .iter()
        .find_map(|reply| if let Reply::Result(result, _) = reply { Some(*result) } else { None })
}
