//! The examination of an engine that speaks UCI.

mod analysis;
mod conversation;
mod errors;
mod introduction;
mod limits;
mod moves;
mod play;
mod positions;
mod review;
mod step;
mod thinking;
mod variants;

pub use conversation::UciConversation;

use super::step::ComplyStep;

/// All steps in their order, and whether a step ends the engine.
pub fn steps() -> impl Iterator<Item = (&'static ComplyStep<UciConversation>, bool)> {
    let parts = [
        introduction::STEPS,
        play::STEPS,
        limits::STEPS,
        thinking::STEPS,
        positions::STEPS,
        analysis::STEPS,
        errors::STEPS,
        variants::STEPS,
    ];
    let usual = |step| (step, false);
    let leaving = analysis::LEAVING.iter().map(|step| (step, true));
    parts.into_iter().flatten().map(usual).chain(leaving).chain(review::STEPS.iter().map(usual))
}
