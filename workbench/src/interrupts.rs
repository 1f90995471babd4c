//! Ctrl-C, and the signals that ask a program to end.

use std::io;

/// Calls `act` at Ctrl-C, and on Unix at SIGTERM and SIGHUP, each time. On Linux a signal that was ignored when the
/// program began stays ignored, so that `nohup` and scripts keep what they start in the background. To be called
/// once.
///
/// # Errors
/// If the signals cannot be caught: they then end the program at once.
#[cfg(unix)]
pub fn on_interrupt(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let ignored = ignored_signals();
    let is_heard = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP].into_iter().filter(is_heard))?;
    let listen = move || signals.forever().for_each(|_| act());
    std::thread::Builder::new().name("signals".into()).spawn(listen)?;
    Ok(())
}

/// As on Unix, for Ctrl-C alone.
#[cfg(not(unix))]
pub fn on_interrupt(act: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(act).map_err(io::Error::other)
}

/// The signals that this process ignores: bit 0 is that of signal 1. None where the system does not tell.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
