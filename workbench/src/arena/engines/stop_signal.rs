//! The signal that ends all waiting for engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells threads that wait for engines to stop. All clones are the same signal. Once given, it cannot be
/// taken back.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Gives the signal.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has the signal been given?
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
