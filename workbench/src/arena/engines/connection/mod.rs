//! A connection with an engine: what is said to it, and its replies. [`cecp`] and [`uci`] add what each protocol says at
//! the start and between searches.

pub mod cecp;
pub mod uci;

use std::fmt::Display;
use std::time::Instant;

use super::process::{Awaited, EngineError, EngineLine, Process};

/// What is said on a connection. [`Connection`] tells it every line.
pub trait Transcript {
    /// A line to the engine, without its end.
    fn sent(&mut self, line: &str);

    /// A line from the engine.
    ///
    /// # Errors
    /// If the engine writes so much that the connection has to end.
    fn received(&mut self, line: &EngineLine) -> Result<(), EngineError>;
}

/// Keeps nothing.
impl Transcript for () {
    fn sent(&mut self, _: &str) {}

    fn received(&mut self, _: &EngineLine) -> Result<(), EngineError> {
        Ok(())
    }
}

/// The engine at the other end, which speaks one protocol: how its lines are read, and what it has said about itself.
pub trait Peer: Default {
    /// What a line of the engine means.
    type Reply;

    fn read(line: &[u8]) -> Self::Reply;
}

/// A running engine that speaks the protocol of `P`.
pub struct Connection<P, T = ()> {
    pub process: Process,
    pub transcript: T,
    peer: P,
}

impl<P: Peer, T: Transcript> Connection<P, T> {
    /// Says nothing yet.
    pub fn new(process: Process, transcript: T) -> Connection<P, T> {
        Connection { process, transcript, peer: P::default() }
    }

    /// Replaces the engine's process by a new one, which has said nothing yet. The transcript goes on.
    pub fn replace(&mut self, process: Process) {
        self.process = process;
        self.peer = P::default();
    }

    /// What the engine has said about itself.
    pub fn introduction(&self) -> &P {
        &self.peer
    }

    /// Sends commands, or lines as they are, all in one write.
    ///
    /// # Errors
    /// As [`Process::send`].
    pub fn say<L: Display>(&mut self, lines: &[L]) -> Result<(), EngineError> {
        if lines.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = lines.iter().map(L::to_string).collect();
        lines.iter().for_each(|line| self.transcript.sent(line));
        self.process.send(&lines)
    }

    /// Sends bytes as they are; `shown` stands for them in the transcript.
    ///
    /// # Errors
    /// As [`Process::send_raw`].
    pub fn say_raw(&mut self, bytes: &[u8], shown: &str) -> Result<(), EngineError> {
        self.transcript.sent(shown);
        self.process.send_raw(bytes)
    }

    /// The next line on standard output, and what it means; `None` if none comes before the deadline.
    ///
    /// # Errors
    /// If the process ends, the stop signal is given, or the transcript objects.
    pub fn receive_by(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<(EngineLine, P::Reply)>, EngineError> {
        while let Some(line) = self.process.receive_by(deadline)? {
            self.transcript.received(&line)?;
            if !line.is_error {
                let reply = P::read(line.text.as_bytes());
                return Ok(Some((line, reply)));
            }
        }
        Ok(None)
    }

    /// The same for a line that must come.
    ///
    /// # Errors
    /// As [`Connection::receive_by`], and if no line comes before the deadline.
    pub fn receive(
        &mut self,
        deadline: Instant,
        awaited: Awaited,
    ) -> Result<(EngineLine, P::Reply), EngineError> {
        self.receive_by(deadline)?.ok_or(EngineError::Silent(awaited))
    }

    /// The first wanted reply before the deadline, if there is one. Drops the others.
    ///
    /// # Errors
    /// As [`Connection::receive_by`].
    pub fn await_reply(
        &mut self,
        deadline: Instant,
        mut is_wanted: impl FnMut(&P::Reply) -> bool,
    ) -> Result<Option<P::Reply>, EngineError> {
        while let Some((_, reply)) = self.receive_by(deadline)? {
            if is_wanted(&reply) {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}
