//! Whether anybody still reads standard output.

#[cfg(unix)]
use std::{io, thread};

/// Calls `gone` when the reader of standard output has closed it. Without this, a search that
/// prints nothing would notice late.
#[cfg(unix)]
pub fn watch_stdout(gone: impl FnOnce() + Send + 'static) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    let watch = move || {
        let stdout = io::stdout();
        // Asks for no events, so that only an error or a hang-up ends the wait.
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        let ended = loop {
            match poll(&mut watched, None) {
                Err(Errno::INTR) => {}
                ended => break ended,
            }
        };
        if ended.is_ok() {
            gone();
        }
    };
    // Best effort: without this thread, the next write notices.
    let _ = thread::Builder::new().name("watch".to_owned()).spawn(watch);
}

#[cfg(not(unix))]
pub fn watch_stdout(_gone: impl FnOnce() + Send + 'static) {}

/// Has the reader of standard output left?
#[cfg(unix)]
pub fn is_stdout_unread() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let stdout = io::stdout();
    let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
    poll(&mut watched, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
}

#[cfg(not(unix))]
pub fn is_stdout_unread() -> bool {
    false
}
