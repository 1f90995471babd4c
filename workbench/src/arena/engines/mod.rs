//! Drives engines as child processes: the GUI's side of CECP and UCI.
//!
//! Knows no rules of any game. Its users decide whether a move is legal or a claim is true.

mod cecp;
pub mod debug_log;
pub mod detect;
mod features;
pub mod limits;
pub mod player;
pub mod process;
pub mod spec;
mod uci;

pub use debug_log::LogHandle;
pub use features::Features;
pub use limits::{Clock, EngineLimits, Pace, Period};
pub use player::{Action, Answer, GameStart, Player, Reuse, Thought, Timeouts, Turn};
pub use process::{EngineError, EngineLine, Interrupt, Process, Stderr};
pub use spec::{EngineSpec, Protocol};
pub use trebuchet::protocol::dialect::{FenDialect, MoveText, VariantNames};

use cecp::CecpEngine;
use uci::UciEngine;

/// Starts an engine and completes the handshake of its protocol; without one, that of CECP.
///
/// # Errors
/// If the process cannot be started, ends, or does not complete the handshake in time.
pub fn start(
    spec: &EngineSpec,
    timeouts: Timeouts,
    interrupt: Interrupt,
    log: Option<LogHandle>,
) -> Result<Box<dyn Player>, EngineError> {
    let mut process = Process::start(spec, Stderr::Remember, interrupt)?;
    process.set_log(log);
    Ok(match spec.protocol {
        None | Some(Protocol::Cecp) => Box::new(CecpEngine::start(process, spec, timeouts)?),
        Some(Protocol::Uci) => Box::new(UciEngine::start(process, spec, timeouts)?),
    })
}
