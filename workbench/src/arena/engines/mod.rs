//! Drives engines as child processes: the GUI's side of CECP and UCI.
//!
//! Has no board. Its users decide whether a move is legal or a claim is true.

mod cecp;
pub mod connection;
pub mod detect;
mod features;
pub mod limits;
pub mod log_writer;
pub mod player;
pub mod process;
pub mod spec;
mod stop_signal;
mod uci;

pub use connection::{CecpConnection, Introduction, Transcript};
pub use features::Features;
pub use limits::{Clock, EngineLimits, Pace, Period};
pub use log_writer::LogHandle;
pub use player::{Action, Answer, GameStart, Player, Reuse, Thought, Timeouts, Turn};
pub use process::{EngineError, EngineLine, Process, Stderr};
pub use spec::{EngineSpec, Protocol};
pub use stop_signal::StopSignal;
pub use trebuchet::protocol::dialect::{FenDialect, MoveText, VariantNames};

use cecp::CecpEngine;
use uci::UciEngine;

/// Starts an engine and completes the handshake of its protocol; without one, that of CECP.
///
/// # Errors
/// If the process cannot be started, ends, or does not complete the handshake in time, or the stop signal
/// is given.
pub fn start(
    spec: &EngineSpec,
    timeouts: Timeouts,
    stop: StopSignal,
    log: Option<LogHandle>,
) -> Result<Box<dyn Player>, EngineError> {
    let mut process = Process::start(spec, Stderr::Remember, stop)?;
    process.set_log(log);
    Ok(match spec.protocol {
        None | Some(Protocol::Cecp) => Box::new(CecpEngine::start(process, spec, timeouts)?),
        Some(Protocol::Uci) => Box::new(UciEngine::start(process, spec, timeouts)?),
    })
}
