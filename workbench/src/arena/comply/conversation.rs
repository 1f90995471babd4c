//! What the examination needs from a conversation with an engine, whatever the protocol.

use super::record::Record;
use crate::arena::engines::{EngineError, EngineSpec, Protocol, StopSignal};

/// The conversation with the examined engine. The engine can be restarted at any time.
pub trait Conversation: Sized + 'static {
    const PROTOCOL: Protocol;

    /// Starts the engine and completes the handshake, as far as the engine does. The signal ends all
    /// waiting for the engine.
    ///
    /// # Errors
    /// As all methods: if the process cannot be started, ends, does not read, does not answer what shows
    /// that it has obeyed, or writes without end; and if the signal is given.
    fn start(spec: &EngineSpec, stop: StopSignal) -> Result<Self, EngineError>;

    /// Replaces the process by a new one. If the first one did not complete its handshake, this one gets
    /// little time for it; or much, if the first one came late with it.
    ///
    /// # Errors
    /// As [`Conversation::start`].
    fn restart(&mut self) -> Result<(), EngineError>;

    /// Does the engine need a new process for each game?
    fn needs_new_process(&self) -> bool {
        false
    }

    fn record(&self) -> &Record;

    fn record_mut(&mut self) -> &mut Record;
}
