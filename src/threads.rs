//! What all threads of the program share: the stack of a search, locks that survive a panic, and the
//! number of processors.

use std::any::Any;
use std::num::NonZero;
use std::sync::{LockResult, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The stack of every thread that searches, in bytes. The longest line needs a fraction of it.
pub const SEARCH_STACK: usize = 8 << 20;

/// Locks a mutex, also after a thread has panicked while it held the lock. What the mutexes of this
/// program guard is valid between any two statements.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    ignore_poison(mutex.lock())
}

/// The value behind a lock or a wait, whether another thread has panicked or not.
pub fn ignore_poison<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}

/// What a thread that has panicked said.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}

/// The number of threads that can run at the same time, at least 1. It respects the processors and
/// the share of them that the system gives to this process.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}
