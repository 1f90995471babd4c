//! Steps: the whole conversation, at its end.

use super::super::conversation::Conversation;
use super::step::{ComplyStep, should};

pub const STEPS: &[ComplyStep] = &[ComplyStep {
    id: "silent-standard-error",
    name: "nothing was written to standard error",
    rule: "GUIs of UCI do not read standard error; an engine that fills it may have to wait",
    check: |d| {
        let complaint = d.record().first_error_line();
        should(complaint.is_none(), || complaint.unwrap_or_default().to_owned())
    },
}];
