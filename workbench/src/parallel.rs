//! Work on several threads.
//!
//! | | a thread that cannot start | an error of the work | a panic of the work |
//! |---|---|---|---|
//! | `on_threads` | no work begins | the others go on | is an error |
//! | `on_available_threads` | fewer do the work; none is an error | the others go on | is an error |
//! | `in_parallel` | fewer do the work, or this thread alone | | goes on in this thread |
//! | `for_each` | is a panic | no other item is begun | goes on in this thread |

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::{io, thread};

use trebuchet::threads::{SEARCH_STACK, lock};

/// A thread cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ThreadError {
    #[error("cannot start a thread: {0}")]
    Start(io::Error),
    #[error("a thread has panicked: its work is missing")]
    Panic,
}

/// Runs `work` on several threads and waits for all of them. No work begins before all have started.
///
/// # Errors
/// The first error of any thread, or that a thread could not be started or has panicked.
pub fn on_threads<E: From<ThreadError> + Send>(
    threads: u16,
    work: &(dyn Fn() -> Result<(), E> + Sync),
) -> Result<(), E> {
    // Whether to begin: the lock is held until that is known.
    let begins = Mutex::new(false);
    let work = || if *lock(&begins) { work() } else { Ok(()) };
    thread::scope(|scope| {
        let mut all_started = lock(&begins);
        let player = || thread::Builder::new().name("player".to_owned()).stack_size(SEARCH_STACK);
        let players: Vec<_> = (0..threads)
            .map(|_| player().spawn_scoped(scope, work).map_err(ThreadError::Start))
            .collect::<Result<_, _>>()?;
        *all_started = true;
        drop(all_started);
        for player in players {
            player.join().unwrap_or_else(|_| Err(ThreadError::Panic.into()))?;
        }
        Ok(())
    })
}

/// Runs the same work on `threads` threads, which can search, or on fewer if the system gives no more.
///
/// # Errors
/// The first error of a thread, or if none can be started.
pub fn on_available_threads<E: From<ThreadError> + Send>(
    threads: usize,
    work: &(dyn Fn() -> Result<(), E> + Sync),
) -> Result<(), E> {
    thread::scope(|scope| {
        let builder = || thread::Builder::new().name("search".to_owned()).stack_size(SEARCH_STACK);
        let running: Vec<_> = (0..threads)
            .map(|_| builder().spawn_scoped(scope, work).map_err(ThreadError::Start))
            .collect();
        // Best effort: fewer threads do the same work.
        let mut outcome = match running.iter().any(Result::is_ok) || threads == 0 {
            true => Ok(()),
            false => Err(ThreadError::Start(io::ErrorKind::OutOfMemory.into()).into()),
        };
        for thread in running.into_iter().flatten() {
            outcome = thread.join().unwrap_or_else(|_| Err(ThreadError::Panic.into())).and(outcome);
        }
        outcome
    })
}

/// Does this work on every part, at the same time where the system gives threads for it. This thread works,
/// too, so the work is done even where there is none. Returns the results in the order of the parts.
pub fn in_parallel<P: Send, T: Send>(
    parts: impl IntoIterator<Item = P>,
    work: impl Fn(P) -> T + Sync,
) -> Vec<T> {
    with_helpers(thread::Builder::new, parts, work)
}

/// Like [`in_parallel`], with helpers from this builder.
fn with_helpers<P: Send, T: Send>(
    builder: impl Fn() -> thread::Builder,
    parts: impl IntoIterator<Item = P>,
    work: impl Fn(P) -> T + Sync,
) -> Vec<T> {
    let parts: Vec<(usize, P)> = parts.into_iter().enumerate().collect();
    let helpers = 1..parts.len();
    let left = Mutex::new(parts.into_iter());
    let work = || {
        let mut done = Vec::new();
        loop {
            // The lock is free again before the work begins.
            let next = lock(&left).next();
            let Some((number, part)) = next else { return done };
            done.push((number, work(part)));
        }
    };
    let mut done = thread::scope(|scope| {
        // Best effort: fewer threads do the same work.
        let helpers: Vec<_> =
            helpers.map_while(|_| builder().spawn_scoped(scope, work).ok()).collect();
        let mut done = work();
        for helper in helpers {
            done.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Does the work for each item in a number of threads. The first error ends it: no other item is begun, and those that
/// are at work are done to their end.
///
/// # Errors
/// If the work has one.
pub fn for_each<T: Send, E: Send>(
    items: Vec<T>,
    threads: usize,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let threads = threads.min(items.len());
    let queue = Mutex::new(items.into_iter());
    let take_and_work = || {
        loop {
            let Some(item) = lock(&queue).next() else { return Ok(()) };
            if let Err(error) = work(item) {
                *lock(&queue) = Vec::new().into_iter();
                return Err(error);
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(take_and_work)).collect();
        let ends = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        ends.collect()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_panic_of_one_thread_is_an_error_and_the_others_go_on() {
        let calls = AtomicU32::new(0);
        let outcome: Result<(), ThreadError> = on_threads(3, &|| {
            // Not `panic!`, which would print a message.
            match calls.fetch_add(1, Ordering::Relaxed) {
                0 => std::panic::resume_unwind(Box::new("a bug")),
                _ => Ok(()),
            }
        });
        assert!(matches!(outcome, Err(ThreadError::Panic)));
        assert_eq!(calls.into_inner(), 3);
    }

    #[test]
    fn all_work_is_done_with_threads_and_without() {
        let squares: Vec<usize> = (0..50).map(|number| number * number).collect();
        let usual = || thread::Builder::new();
        // No system has so much memory for a stack.
        let refused = || thread::Builder::new().stack_size(usize::MAX / 4);
        assert!(refused().spawn(|| ()).is_err());
        assert_eq!(with_helpers(usual, 0..50, |number| number * number), squares);
        assert_eq!(with_helpers(refused, 0..50, |number| number * number), squares);
        assert_eq!(in_parallel([(); 0], |()| 1), [0; 0]);
    }

    /// The second item waits for the third, which is not begun after the error of the first, but taken from the queue.
    #[test]
    fn after_an_error_no_other_item_is_begun() {
        /// Tells when it is dropped.
        struct Item(usize, Sender<usize>);
        impl Drop for Item {
            fn drop(&mut self) {
                let _ = self.1.send(self.0);
            }
        }
        let (sender, dropped) = channel();
        let dropped = Mutex::new(dropped);
        let (both_begun, begun) = (Barrier::new(2), Mutex::new(Vec::new()));
        let items = (0..3).map(|number| Item(number, sender.clone())).collect();
        let end = for_each(items, 2, |item| {
            lock(&begun).push(item.0);
            both_begun.wait();
            if item.0 == 0 {
                return Err("fails");
            }
            let next = || lock(&dropped).recv_timeout(Duration::from_secs(60));
            while next().expect("the queue is not emptied") != 2 {}
            Ok(())
        });
        assert_eq!(end, Err("fails"));
        let mut begun = lock(&begun).clone();
        begun.sort_unstable();
        assert_eq!(begun, [0, 1]);
    }
}
