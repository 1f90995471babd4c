//! What a step of the examination is, and what it may find.

use std::time::Duration;

use super::dialogue::Dialogue;
use crate::arena::engines::EngineError;
use crate::cecp::wire::Reply;
use crate::types::GameResult;

/// Why a step is not simply `ok`.
#[derive(Debug)]
pub enum Objection {
    /// Allowed, but trouble with some GUIs, or less than users expect.
    Warn(String),
    /// Against the protocol, or a game lost by it.
    Fail(String),
    /// The engine does not claim to have what the step is about.
    Skip(&'static str),
    /// The talk could not go on.
    EngineError(EngineError),
}

impl From<EngineError> for Objection {
    fn from(trouble: EngineError) -> Objection {
        Objection::EngineError(trouble)
    }
}

/// What a step finds.
pub type Finding = Result<(), Objection>;

/// One scripted step.
pub struct Step {
    /// What the engine should do.
    pub name: &'static str,
    /// Why, or where the protocol says so.
    pub rule: &'static str,
    pub check: fn(&mut Dialogue) -> Finding,
}

/// Fails with the message unless the condition holds.
pub fn must(holds: bool, message: impl FnOnce() -> String) -> Finding {
    if holds { Ok(()) } else { Err(Objection::Fail(message())) }
}

/// Warns with the message unless the condition holds.
pub fn should(holds: bool, message: impl FnOnce() -> String) -> Finding {
    if holds { Ok(()) } else { Err(Objection::Warn(message())) }
}

/// Skips the step unless the engine claims to have what it is about.
pub fn only_if(claimed: bool, what: &'static str) -> Finding {
    if claimed { Ok(()) } else { Err(Objection::Skip(what)) }
}

/// Something that must have come.
pub fn expect<T>(found: Option<T>, what: &str) -> Result<T, Objection> {
    found.ok_or_else(|| Objection::Fail(format!("no {what}")))
}

/// None of the replies is a move.
pub fn no_move(replies: &[Reply]) -> Finding {
    match replies.iter().find(|reply| matches!(reply, Reply::Move(_))) {
        Some(reply) => Err(Objection::Fail(format!("a move comes unasked: {reply}"))),
        None => Ok(()),
    }
}

/// None of the replies is a complaint.
pub fn no_complaint(replies: &[Reply]) -> Finding {
    let is_complaint = |reply: &&Reply| {
        matches!(reply, Reply::Error { .. } | Reply::IllegalMove { .. } | Reply::TellUserError(_))
    };
    match replies.iter().find(is_complaint) {
        Some(reply) => Err(Objection::Warn(format!("a complaint: {reply}"))),
        None => Ok(()),
    }
}

/// The result that is claimed, if one is.
pub fn claimed(replies: &[Reply]) -> Option<GameResult> {
    replies
        .iter()
        .find_map(|reply| if let Reply::Result(result, _) = reply { Some(*result) } else { None })
}

/// Half a second and the like, in the steps' scripts.
pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
