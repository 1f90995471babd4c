//! What a connection over UCI says: `uci`, up to `uciok`, and `isready`.

use std::time::{Duration, Instant};

use super::super::process::{Awaited, EngineError};
use super::{Connection, Peer, Transcript};
use trebuchet::uci::wire::{Command, Declaration, OptionKind, Reply};

/// The most options that are remembered, and the most lines for them.
const MAX_OPTIONS: usize = 1000;

/// The option that names the game.
pub const UCI_VARIANT: &str = "UCI_Variant";

/// The option for games in which king and rooks start on other files.
pub const UCI_CHESS960: &str = "UCI_Chess960";

/// An engine that speaks UCI, by what it has said up to `uciok`.
#[derive(Clone, Debug, Default)]
pub struct UciPeer {
    pub name: Option<String>,
    pub author: Option<String>,
    pub options: Vec<Declaration>,
    /// The lines that begin with `option`, as they came.
    pub option_lines: Vec<String>,
    /// The values of its option `UCI_Variant`, if it declares them. They count even behind the most options.
    pub variants: Option<Vec<String>>,
    /// The first line that is neither `id` nor `option`.
    pub chatter: Option<String>,
    /// The time from `uci` to `uciok`.
    pub done: Option<Duration>,
}

impl UciPeer {
    /// The declaration of an option; capital letters make no difference.
    pub fn option(&self, name: &str) -> Option<&Declaration> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    fn note_option(&mut self, declaration: Declaration) {
        if declaration.name.eq_ignore_ascii_case(UCI_VARIANT)
            && let OptionKind::Combo { values, .. } = &declaration.kind
        {
            self.variants = Some(values.clone());
        }
        if self.options.len() < MAX_OPTIONS {
            self.options.push(declaration);
        }
    }
}

impl Peer for UciPeer {
    type Reply = Reply;

    fn read(line: &[u8]) -> Reply {
        Reply::parse(line)
    }
}

/// A running engine that speaks UCI.
pub type UciConnection<T = ()> = Connection<UciPeer, T>;

impl<T: Transcript> UciConnection<T> {
    /// Says `uci`, and takes the answers up to `uciok`; all that come in this time if it is missing. Of too many
    /// options, the last ones are dropped, or they are an error if `is_strict`.
    ///
    /// # Errors
    /// If the process ends, the stop signal is given, the transcript objects, or there are too many options.
    pub fn introduce(&mut self, within: Duration, is_strict: bool) -> Result<(), EngineError> {
        self.say(&[Command::Uci])?;
        let begun = Instant::now();
        while let Some((line, reply)) = self.receive_by(begun + within)? {
            let peer = &mut self.peer;
            if line.text.split_whitespace().next() == Some("option") {
                if peer.option_lines.len() < MAX_OPTIONS {
                    peer.option_lines.push(line.text.clone());
                } else if is_strict {
                    return Err(EngineError::Unable("declares too many options".to_owned()));
                }
            }
            match reply {
                Reply::Name(name) => peer.name = Some(name),
                Reply::Author(author) => peer.author = Some(author),
                Reply::Option(declaration) => peer.note_option(declaration),
                Reply::UciOk => {
                    peer.done = Some(line.at.saturating_duration_since(begun));
                    break;
                }
                Reply::Blank => {}
                _ => {
                    peer.chatter.get_or_insert(line.text);
                }
            }
        }
        Ok(())
    }

    /// Says `isready`, waits until the engine has obeyed all commands, and passes on what it says until then.
    ///
    /// # Errors
    /// If the engine does not answer in time, and as [`Connection::receive_by`].
    pub fn sync(
        &mut self,
        timeout: Duration,
        mut on_reply: impl FnMut(&Reply),
    ) -> Result<(), EngineError> {
        self.say(&[Command::IsReady])?;
        let deadline = Instant::now() + timeout;
        let ready = self.await_reply(deadline, |reply| {
            on_reply(reply);
            *reply == Reply::ReadyOk
        })?;
        ready.map(|_| ()).ok_or(EngineError::Silent(Awaited::IsReady))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::super::process::{Process, Stderr};
    use super::super::super::spec::EngineSpec;
    use super::super::super::stop_signal::StopSignal;
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> UciConnection {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        let spec = EngineSpec { command, ..EngineSpec::default() };
        let process = Process::start(&spec, Stderr::Remember, StopSignal::default()).unwrap();
        UciConnection::new(process, ())
    }

    #[test]
    fn an_engine_introduces_itself_and_is_ready() {
        let mut engine = shell(
            "read a; echo hello; echo id name Ill; echo option name Bad; echo option name Hash type button
            echo uciok; read b; echo \"info string $a, $b\"; echo readyok; cat > /dev/null",
        );
        engine.introduce(MINUTE, true).unwrap();
        let peer = &engine.peer;
        assert_eq!((peer.name.as_deref(), peer.chatter.as_deref()), (Some("Ill"), Some("hello")));
        assert!(peer.done.is_some() && peer.option("hash").is_some());
        assert_eq!(peer.option_lines, ["option name Bad", "option name Hash type button"]);
        let mut replies = Vec::new();
        engine.sync(MINUTE, |reply| replies.push(reply.to_string())).unwrap();
        assert_eq!(replies, ["info string uci, isready", "readyok"]);
    }

    #[test]
    fn too_many_options_are_dropped_or_an_error() {
        let script = "yes option name Clear type button | head -n 1001
            echo option name UCI_Variant type combo default chess var chess; echo uciok; cat > /dev/null";
        let mut engine = shell(script);
        engine.introduce(MINUTE, false).unwrap();
        let peer = &engine.peer;
        assert_eq!((peer.options.len(), peer.option_lines.len()), (MAX_OPTIONS, MAX_OPTIONS));
        assert_eq!(peer.variants, Some(vec!["chess".to_owned()]));
        let error = shell(script).introduce(MINUTE, true).unwrap_err();
        assert_eq!(error.to_string(), "declares too many options");
    }
}
