//! Steps: the whole conversation, at its end.

use super::super::conversation::Conversation;
use super::step::{ComplyStep, NotOk, should};

pub const STEPS: &[ComplyStep] = &[
    ComplyStep {
        id: "declares-debug",
        name: "`debug=1` before comments are printed",
        rule: "feature debug=1 is what makes `# …` lines safe",
        check: |d| {
            let is_safe = d.declared("debug") == Some(1) || !d.has_commented();
            should(is_safe, || "debug=1 is not declared".to_owned())
        },
    },
    ComplyStep {
        id: "silent-standard-error",
        name: "nothing was written to standard error",
        rule: "xboard reads standard error as if it were standard output",
        check: |d| {
            let complaint = d.record().first_error_line();
            should(complaint.is_none(), || complaint.unwrap_or_default().to_owned())
        },
    },
    ComplyStep {
        id: "no-misread-lines",
        name: "no line could be misread by xboard",
        rule: "xboard looks for pieces of text anywhere: `not found` ends the connection, `Draw` claims one",
        check: |d| match d.first_misread() {
            None => Ok(()),
            Some(misread) if misread.is_fatal() => Err(NotOk::Fail(misread.to_string())),
            Some(misread) => Err(NotOk::Warn(misread.to_string())),
        },
    },
];
