//! The inner loops of the training of networks.
//!
//! They are a crate of their own because the release is built for size where that costs nothing. Here it would
//! cost most of the speed: only a build for speed uses the vector instructions. So no function here is generic;
//! a generic one would be compiled with the crate that uses it.

mod descent;
mod layout;
mod pass;

pub use descent::Descent;
pub use layout::Layout;
pub use pass::{Inputs, MEN, Pass};
