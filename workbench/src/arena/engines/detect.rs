//! Finds out which protocol an engine speaks, by asking it.

use std::time::{Duration, Instant};

use super::connection::cecp::CecpConnection;
use super::player::Timeouts;
use super::process::{Awaited, EngineError, Process, Stderr};
use super::spec::{EngineSpec, Protocol};
use super::stop_signal::StopSignal;
use trebuchet::cecp::wire::Reply;
use trebuchet::uci::wire as uci;

/// How long an engine may be silent after `protover` before it is asked the question of UCI, too.
const FIRST_SILENCE: Duration = Duration::from_secs(2);

/// Starts the engine and asks it. `None` if it knows neither question: then it may be a CECP engine
/// of protocol 1, or none at all.
///
/// A CECP engine answers `protover` with its features before it reads `uci`. So an engine that
/// speaks both protocols counts as a CECP engine.
///
/// # Errors
/// If the engine cannot be started, or the stop signal is given.
pub fn find_protocol(
    spec: &EngineSpec,
    timeouts: Timeouts,
    stop: &StopSignal,
) -> Result<Option<Protocol>, EngineError> {
    // A UCI engine may end when it reads the commands of CECP. Then a second process gets only `uci`.
    for is_first in [true, false] {
        let process = Process::start(spec, Stderr::Remember, stop.clone())?;
        match ask(process, timeouts, is_first) {
            Err(EngineError::Ended { .. }) => {}
            Err(EngineError::Silent(_)) => return Ok(None),
            answer => return answer,
        }
    }
    Ok(None)
}

/// Finds out the protocol of an engine whose description names none. If the engine knows neither question, the
/// description stays as it is, and the driver of CECP says what it assumes.
///
/// # Errors
/// As [`find_protocol`].
pub fn complete(
    spec: &mut EngineSpec,
    timeouts: Timeouts,
    stop: &StopSignal,
) -> Result<(), EngineError> {
    if spec.protocol.is_none() {
        spec.protocol = find_protocol(spec, timeouts, stop)?;
    }
    Ok(())
}

/// Asks one process; both questions if `begin_with_cecp`.
fn ask(
    process: Process,
    timeouts: Timeouts,
    begin_with_cecp: bool,
) -> Result<Option<Protocol>, EngineError> {
    let mut connection = CecpConnection::new(process, ());
    let start = Instant::now();
    let mut deadline = start + timeouts.start;
    let mut has_sent_uci = !begin_with_cecp;
    // It has introduced itself as UCI asks for, even if `uciok` is missing.
    let mut is_introduced = false;
    if begin_with_cecp {
        connection.greet()?;
        deadline = start + FIRST_SILENCE.min(timeouts.start / 2);
    } else {
        connection.say(&[uci::Command::Uci])?;
    }
    loop {
        let is_unknown = match connection.receive(deadline, Awaited::Uci) {
            Ok((line, reply)) => match reply {
                Reply::Features(features) if !features.is_empty() => {
                    return Ok(Some(Protocol::Cecp));
                }
                _ if uci::Reply::parse(line.text.as_bytes()) == uci::Reply::UciOk => {
                    return Ok(Some(Protocol::Uci));
                }
                _ if has_sent_uci && introduces(&line.text) => {
                    is_introduced = true;
                    false
                }
                // Both questions are unknown to it.
                Reply::Error { text, .. } | Reply::IllegalMove { text, .. }
                    if has_sent_uci && text.contains("uci") =>
                {
                    return Ok(None);
                }
                // It complains of the command, or its name is in a greeting. Both do no harm.
                _ => line.text.contains("protover"),
            },
            Err(EngineError::Silent(_)) if !has_sent_uci => true,
            Err(EngineError::Silent(_)) if is_introduced => return Ok(Some(Protocol::Uci)),
            Err(error) => return Err(error),
        };
        if is_unknown && !has_sent_uci {
            has_sent_uci = true;
            deadline = start + timeouts.start;
            connection.say(&[uci::Command::Uci])?;
        }
    }
}

/// Is it a line between `uci` and `uciok`?
fn introduces(line: &str) -> bool {
    matches!(
        uci::Reply::parse(line.as_bytes()),
        uci::Reply::Name(_) | uci::Reply::Author(_) | uci::Reply::Option(_)
    )
}
