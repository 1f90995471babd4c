//! The examination of an engine that speaks CECP.

mod analysis;
mod clocks;
mod conversation;
mod errors;
mod introduction;
mod partner;
mod play;
mod positions;
mod review;
mod step;
mod variants;

pub use conversation::CecpConversation;

use super::step::ComplyStep;

/// All steps in their order, and whether a step ends the engine.
pub fn steps() -> impl Iterator<Item = (&'static ComplyStep<CecpConversation>, bool)> {
    let parts = [
        introduction::STEPS,
        play::STEPS,
        clocks::STEPS,
        positions::STEPS,
        errors::STEPS,
        analysis::STEPS,
        variants::STEPS,
    ];
    let usual = |step| (step, false);
    let leaving = analysis::LEAVING.iter().map(|step| (step, true));
    parts.into_iter().flatten().map(usual).chain(leaving).chain(review::STEPS.iter().map(usual))
}
