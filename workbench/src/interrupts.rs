//! Ctrl-C, and the signals that ask a program to end.

use std::io;

/// Calls `act` at Ctrl-C, and on Unix at SIGTERM and SIGHUP, each time. On Linux a SIGHUP that was ignored when the
/// program began stays ignored: `nohup` wants it so. To be called once.
///
/// # Errors
/// If the signals cannot be caught. They then end the program at once, or do nothing.
#[cfg(unix)]
pub fn on_interrupt(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let listen = move || signals.forever().for_each(|_| act());
    std::thread::Builder::new().name("signals".into()).spawn(listen)?;
    Ok(())
}

/// As on Unix, for Ctrl-C alone.
#[cfg(not(unix))]
pub fn on_interrupt(act: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(act).map_err(io::Error::other)
}

/// Does this process ignore a signal? No, where the system does not tell.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Bit 0 is that of signal 1.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 != 0)
}
