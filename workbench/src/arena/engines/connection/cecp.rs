//! What a connection over CECP says: the handshake, answers to features, and `ping`.

use std::time::{Duration, Instant};

use super::super::features::Features;
use super::super::process::{Awaited, EngineError, EngineLine, LINES_WAITING};
use super::{Connection, Peer, Transcript};
use trebuchet::cecp::wire::{Command, Feature, FeatureValue, Reply};

/// The most features that an engine may declare, and the most lines for them.
const MAX_FEATURES: usize = 1000;

/// An engine that speaks CECP, by what it has said about itself.
#[derive(Clone, Debug, Default)]
pub struct CecpPeer {
    pub features: Features,
    /// All features in order.
    pub declared: Vec<Feature>,
    /// The feature lines as they came.
    pub lines: Vec<String>,
    /// The time from `protover` to the first feature, and to `done=1`.
    pub first: Option<Duration>,
    pub done: Option<Duration>,
    /// Did it say `done=0`?
    pub asked_for_time: bool,
    /// How many pings it was sent.
    pings: i64,
}

/// How a handshake ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handshake {
    /// With `done=1`.
    Done,
    /// The time is over. The engine may have declared features.
    TimedOut,
    /// The engine does not know `protover`: it speaks protocol 1.
    Refused,
}

impl Peer for CecpPeer {
    type Reply = Reply;

    fn read(line: &[u8]) -> Reply {
        Reply::parse(line)
    }
}

/// A running engine that speaks CECP.
pub type CecpConnection<T = ()> = Connection<CecpPeer, T>;

impl<T: Transcript> CecpConnection<T> {
    pub fn features(&self) -> &Features {
        &self.peer.features
    }

    /// Has the engine declared any feature?
    pub fn has_features(&self) -> bool {
        !self.peer.declared.is_empty()
    }

    /// Asks the engine for its features.
    ///
    /// # Errors
    /// As [`Connection::say`].
    pub fn greet(&mut self) -> Result<(), EngineError> {
        self.say(&[Command::Xboard, Command::Protover(2)])
    }

    /// Greets the engine and takes its features, up to `done=1`. It has the usual time for them, or the
    /// long one if it asks for it with `done=0`.
    ///
    /// # Errors
    /// If the process ends or declares too many features, or the stop signal is given.
    pub fn handshake(&mut self, usual: Duration, long: Duration) -> Result<Handshake, EngineError> {
        self.greet()?;
        let start = Instant::now();
        let mut deadline = start + usual;
        while let Some((line, reply)) = self.receive_by(deadline)? {
            match reply {
                Reply::Features(features) => {
                    let time = line.at.saturating_duration_since(start);
                    self.peer.first.get_or_insert(time);
                    match self.take_features(&line, &features)? {
                        Some(true) => {
                            self.peer.done = Some(time);
                            return Ok(Handshake::Done);
                        }
                        Some(false) => {
                            self.peer.asked_for_time = true;
                            deadline = start + long;
                        }
                        None => {}
                    }
                }
                Reply::Error { text, .. } | Reply::IllegalMove { text, .. }
                    if !self.has_features() && text.starts_with("protover") =>
                {
                    return Ok(Handshake::Refused);
                }
                _ => {}
            }
        }
        Ok(Handshake::TimedOut)
    }

    /// Notes the features in a line, and accepts or rejects each. Returns the value of `done`, if it is
    /// among them.
    ///
    /// # Errors
    /// As [`Connection::say`], and if there are too many features.
    pub fn take_features(
        &mut self,
        line: &EngineLine,
        features: &[Feature],
    ) -> Result<Option<bool>, EngineError> {
        let peer = &mut self.peer;
        peer.lines.push(line.text.clone());
        if peer.lines.len().max(peer.declared.len() + features.len()) > MAX_FEATURES {
            return Err(EngineError::Unable("declares too many features".to_owned()));
        }
        let mut done = None;
        for feature in features {
            let is_known = self.peer.features.note(feature);
            self.peer.declared.push(feature.clone());
            let name = feature.name.clone();
            let answer = if is_known { Command::Accepted(name) } else { Command::Rejected(name) };
            self.say(&[answer])?;
            if feature.name == "done" {
                done = Some(feature.value == FeatureValue::Number(1));
            }
        }
        Ok(done)
    }

    /// Sends a ping and returns its number.
    ///
    /// # Errors
    /// As [`Connection::say`].
    pub fn send_ping(&mut self) -> Result<i64, EngineError> {
        self.peer.pings += 1;
        self.say(&[Command::Ping(self.peer.pings)])?;
        Ok(self.peer.pings)
    }

    /// Waits until the engine has obeyed all commands, and passes on what it says meanwhile. Takes the
    /// features that it declares. Without `ping` there is no way to know: then it does not wait.
    ///
    /// # Errors
    /// If the engine does not answer in time, and as [`CecpConnection::handshake`].
    pub fn sync(
        &mut self,
        timeout: Duration,
        mut on_reply: impl FnMut(&Reply),
    ) -> Result<(), EngineError> {
        if !self.features().ping {
            self.take_waiting(&mut on_reply)?;
        }
        if !self.features().ping {
            return Ok(());
        }
        let number = self.send_ping()?;
        let deadline = Instant::now() + timeout;
        loop {
            let (line, reply) = self.receive(deadline, Awaited::Ping)?;
            match &reply {
                Reply::Pong(answered) if *answered == number => return Ok(()),
                Reply::Features(features) => {
                    self.take_features(&line, features)?;
                }
                _ => {}
            }
            on_reply(&reply);
        }
    }

    /// Takes the lines that are already there: the features may be among them.
    fn take_waiting(&mut self, on_reply: &mut impl FnMut(&Reply)) -> Result<(), EngineError> {
        // An engine may write faster than its lines are read here.
        for _ in 0..LINES_WAITING {
            let Some(line) = self.process.receive_waiting() else { break };
            self.transcript.received(&line)?;
            if !line.is_error {
                let reply = Reply::parse(line.text.as_bytes());
                if let Reply::Features(features) = &reply {
                    self.take_features(&line, features)?;
                }
                on_reply(&reply);
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::super::process::{Process, Stderr};
    use super::super::super::spec::EngineSpec;
    use super::super::super::stop_signal::StopSignal;
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> CecpConnection {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        let spec = EngineSpec { command, ..EngineSpec::default() };
        let process = Process::start(&spec, Stderr::Remember, StopSignal::default()).unwrap();
        CecpConnection::new(process, ())
    }

    #[test]
    fn features_are_noted_and_answered() {
        let mut engine = shell(
            "echo feature ping=1 frob=2
            echo feature done=1
            read a; read b; read c; read d; read e
            echo \"# $c, $d, $e\"; cat > /dev/null",
        );
        assert_eq!(engine.handshake(MINUTE, MINUTE).unwrap(), Handshake::Done);
        assert!(engine.features().ping);
        let introduction = engine.introduction();
        assert_eq!(introduction.lines, ["feature ping=1 frob=2", "feature done=1"]);
        assert!(introduction.first <= introduction.done);
        let (line, _) = engine.receive(Instant::now() + MINUTE, Awaited::Protover).unwrap();
        assert_eq!(line.text, "# accepted ping, rejected frob, accepted done");
    }

    #[test]
    fn handshakes_end_without_features() {
        let mut old = shell("read a; read b; echo Error: protover; cat > /dev/null");
        assert_eq!(old.handshake(MINUTE, MINUTE).unwrap(), Handshake::Refused);
        let mut mute = shell("cat > /dev/null");
        let short = Duration::from_millis(50);
        assert_eq!(mute.handshake(short, MINUTE).unwrap(), Handshake::TimedOut);
        assert!(!mute.has_features());
    }

    #[test]
    fn features_without_end_are_an_error() {
        for line in ["feature a=1", "feature"] {
            let mut endless = shell(&format!("yes {line} & cat > /dev/null"));
            let error = endless.handshake(MINUTE, MINUTE).unwrap_err();
            assert_eq!(error.to_string(), "declares too many features");
        }
    }

    /// Without a limit, the lines that wait would be read for ever.
    #[test]
    fn an_engine_without_ping_that_writes_without_end_stops_nobody() {
        let mut endless = shell("echo feature done=1; exec yes");
        assert_eq!(endless.handshake(MINUTE, MINUTE).unwrap(), Handshake::Done);
        endless.sync(MINUTE, |_| {}).unwrap();
    }
}
