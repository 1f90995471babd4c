//! The signal that ends all waiting for engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::interrupts::on_interrupt;

/// Tells threads that wait for engines to stop. All clones are the same signal. Once given, it cannot be
/// taken back.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    is_given: AtomicBool,
    /// The signal that gives this one, too.
    parent: Option<StopSignal>,
}

impl StopSignal {
    /// A signal that Ctrl-C, SIGTERM and SIGHUP give, so that engines end with the program. To be called once.
    pub fn on_interrupt() -> StopSignal {
        let stop = StopSignal::default();
        let signal = stop.clone();
        // If they cannot be caught, they end the program at once.
        let _ = on_interrupt(move || signal.stop());
        stop
    }

    /// A signal of its own, for a part of the work: it is given with this one, or alone.
    pub fn child(&self) -> StopSignal {
        StopSignal(Arc::new(Flag { parent: Some(self.clone()), ..Flag::default() }))
    }

    /// Gives the signal.
    pub fn stop(&self) {
        self.0.is_given.store(true, Ordering::Relaxed);
    }

    /// Has the signal been given?
    pub fn is_stopped(&self) -> bool {
        self.0.is_given.load(Ordering::Relaxed)
            || self.0.parent.as_ref().is_some_and(StopSignal::is_stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_work_stops_with_the_whole_or_alone() {
        let whole = StopSignal::default();
        let (first, second) = (whole.child(), whole.child());
        first.stop();
        let given = || [&whole, &first, &second].map(StopSignal::is_stopped);
        assert_eq!(given(), [false, true, false]);
        whole.stop();
        assert_eq!(given(), [true; 3]);
    }
}
