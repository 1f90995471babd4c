//! The steps of the examination and what they find.

use std::time::Duration;

use super::conversation::Conversation;
use crate::arena::engines::EngineError;
use trebuchet::cecp::wire::Reply;
use trebuchet::types::GameResult;

/// Why a step is not `ok`.
#[derive(Debug)]
pub enum NotOk {
    /// Allowed, but some GUIs have problems with it, or users expect more.
    Warn(String),
    /// Against the protocol, or it loses games.
    Fail(String),
    /// It cannot be tested, for this reason.
    Skip(String),
    /// The engine has ended or does not answer.
    Engine(EngineError),
}

impl From<EngineError> for NotOk {
    fn from(error: EngineError) -> NotOk {
        NotOk::Engine(error)
    }
}

/// The result of a step.
pub type Finding = Result<(), NotOk>;

/// One scripted step.
pub struct ComplyStep {
    /// The step's name for programs: the same in all versions.
    pub id: &'static str,
    /// What the engine should do.
    pub name: &'static str,
    /// The rule behind it: a reason, or the text of the protocol.
    pub rule: &'static str,
    pub check: fn(&mut Conversation) -> Finding,
}

/// Fails with the message unless the condition holds.
pub fn must(holds: bool, message: impl FnOnce() -> String) -> Finding {
    if holds { Ok(()) } else { Err(NotOk::Fail(message())) }
}

/// Warns with the message unless the condition holds.
pub fn should(holds: bool, message: impl FnOnce() -> String) -> Finding {
    if holds { Ok(()) } else { Err(NotOk::Warn(message())) }
}

/// Skips the step unless the engine declares the feature `what`.
pub fn only_if(is_declared: bool, what: &str) -> Finding {
    if is_declared { Ok(()) } else { Err(NotOk::Skip(format!("not declared: {what}"))) }
}

/// The same as a skip, if something else is the reason.
pub fn skip(reason: &str) -> NotOk {
    NotOk::Skip(reason.to_owned())
}

/// Fails unless `what` has come.
pub fn expect<T>(found: Option<T>, what: &str) -> Result<T, NotOk> {
    found.ok_or_else(|| NotOk::Fail(format!("no {what}")))
}

/// Fails if one of the replies is a move.
pub fn no_move(replies: &[Reply]) -> Finding {
    match replies.iter().find(|reply| matches!(reply, Reply::Move(_))) {
        Some(reply) => Err(NotOk::Fail(format!("unexpected move: {reply}"))),
        None => Ok(()),
    }
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

/// Milliseconds.
pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
