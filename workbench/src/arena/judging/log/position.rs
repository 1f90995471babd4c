//! Lines and moments of a log.

/// Where in the log or the session we are.
#[derive(Clone, Copy, Debug)]
pub struct LogPosition {
    /// The number of the line, from 1.
    pub line: u64,
    /// Milliseconds since an unknown moment.
    pub at: u64,
}
