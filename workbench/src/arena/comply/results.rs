//! The results of an examination, as JSON.

use serde::Serialize;

use super::StepCounts;
use super::step::ComplyStep;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepResult {
    Ok,
    /// Allowed, but not as good as it should be.
    Warn,
    Fail,
    /// The engine cannot be tested in this.
    Skip,
    /// The examination was given up before.
    NotRun,
}

impl StepResult {
    /// The word before the step's name.
    pub const fn word(self) -> &'static str {
        match self {
            StepResult::Ok => "ok",
            StepResult::Warn => "warn",
            StepResult::Fail => "FAIL",
            StepResult::Skip => "skip",
            StepResult::NotRun => "not run",
        }
    }

    pub const fn is_bad(self) -> bool {
        matches!(self, StepResult::Warn | StepResult::Fail)
    }
}

/// The result of one step.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    pub id: &'static str,
    pub name: &'static str,
    pub rule: &'static str,
    pub result: StepResult,
    /// Why the step is not `ok`.
    pub message: Option<String>,
}

impl StepReport {
    pub fn new<C>(step: &ComplyStep<C>, result: StepResult, message: Option<String>) -> StepReport {
        StepReport { id: step.id, name: step.name, rule: step.rule, result, message }
    }
}

/// The results of all steps.
#[derive(Clone, Debug, Serialize)]
pub struct ComplyReport<'a> {
    /// The protocol: `cecp` or `uci`.
    pub protocol: &'static str,
    /// The engine's command and its arguments.
    pub command: &'a [String],
    pub counts: StepCounts,
    /// In the order of the examination.
    pub steps: &'a [StepReport],
}
