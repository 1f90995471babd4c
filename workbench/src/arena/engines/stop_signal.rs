//! The signal that ends all waiting for engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells threads that wait for engines to stop. All clones are the same signal. Once given, it cannot be
/// taken back.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// A signal that Ctrl-C and SIGTERM give, so that engines end with the program. To be called once.
    pub fn on_interrupt() -> StopSignal {
        let stop = StopSignal::default();
        let signal = stop.clone();
        // If they cannot be caught, they end the program at once.
        let _ = ctrlc::set_handler(move || signal.stop());
        stop
    }

    /// Gives the signal.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has the signal been given?
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
