//! What all threads of the program share: the stack of a search, and locks that survive a panic.

use std::sync::{LockResult, Mutex, MutexGuard, PoisonError};

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
