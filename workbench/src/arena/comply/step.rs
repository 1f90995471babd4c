//! The steps of the examination and what they find.

use std::time::Duration;

use crate::arena::engines::EngineError;

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

/// One scripted step of a conversation.
pub struct ComplyStep<C> {
    /// The step's name for programs: the same in all versions.
    pub id: &'static str,
    /// What the engine should do.
    pub name: &'static str,
    /// The rule behind it: a reason, or the text of the protocol.
    pub rule: &'static str,
    pub check: fn(&mut C) -> Finding,
}

/// Fails with the message unless the condition holds.
pub fn must(holds: bool, message: impl FnOnce() -> String) -> Finding {
    if holds { Ok(()) } else { Err(NotOk::Fail(message())) }
}

/// Warns with the message unless the condition holds.
pub fn should(holds: bool, message: impl FnOnce() -> String) -> Finding {
    if holds { Ok(()) } else { Err(NotOk::Warn(message())) }
}

/// What a GUI should not say may go wrong: the protocol does not forbid it, so it is a warning.
pub fn lenient(finding: Finding) -> Finding {
    finding.map_err(|fault| match fault {
        NotOk::Engine(EngineError::Interrupted) | NotOk::Skip(_) => fault,
        NotOk::Engine(error) => NotOk::Warn(format!("the engine {error}")),
        NotOk::Fail(message) | NotOk::Warn(message) => NotOk::Warn(message),
    })
}

/// Skips the step unless the engine declares `what`.
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

/// Milliseconds.
pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
