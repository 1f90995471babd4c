//! The conversation with an engine that speaks UCI: sends lines, receives replies.

use std::fmt::Display;
use std::time::{Duration, Instant};

use super::super::conversation::Conversation;
use super::super::record::{ANSWER, IMPATIENT_ANSWER, Record, STARTUP};
use super::super::step::NotOk;
use crate::arena::engines::{
    EngineError, EngineSpec, Process, Protocol, Stderr, StopSignal, UciConnection, UciPeer,
};
use trebuchet::uci::wire::{Declaration, Info, OptionKind, Reply};

/// What an engine has said from `go` to `bestmove`.
#[derive(Clone, Debug)]
pub struct Search {
    /// The `info` lines, as they came and as they are read.
    pub lines: Vec<(String, Info)>,
    /// `None` for a position without moves.
    pub best: Option<String>,
    pub ponder: Option<String>,
    pub took: Duration,
}

impl Search {
    pub fn infos(&self) -> impl DoubleEndedIterator<Item = &Info> {
        self.lines.iter().map(|(_, info)| info)
    }

    /// The best move, where there must be one.
    pub fn best(&self) -> Result<&str, NotOk> {
        self.best.as_deref().ok_or_else(|| NotOk::Fail("bestmove without a move".to_owned()))
    }

    /// The last line with the score of the best move.
    pub fn last_score(&self) -> Option<&str> {
        let of_best = |info: &Info| info.score.is_some() && info.multipv.is_none_or(|n| n == 1);
        self.lines.iter().rev().find(|(_, info)| of_best(info)).map(|(line, _)| line.as_str())
    }
}

/// The conversation.
pub struct UciConversation {
    spec: EngineSpec,
    stop: StopSignal,
    connection: UciConnection<Record>,
}

impl Conversation for UciConversation {
    const PROTOCOL: Protocol = Protocol::Uci;

    fn start(spec: &EngineSpec, stop: StopSignal) -> Result<UciConversation, EngineError> {
        let process = Process::start(spec, Stderr::Receive, stop.clone())?;
        let connection = UciConnection::new(process, Record::default());
        let mut conversation = UciConversation { spec: spec.clone(), stop, connection };
        conversation.handshake(STARTUP)?;
        Ok(conversation)
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        let within = if self.introduction().done.is_some() { STARTUP } else { IMPATIENT_ANSWER };
        let process = Process::start(&self.spec, Stderr::Receive, self.stop.clone())?;
        self.connection.replace(process);
        self.handshake(within)
    }

    fn record(&self) -> &Record {
        &self.connection.transcript
    }

    fn record_mut(&mut self) -> &mut Record {
        &mut self.connection.transcript
    }
}

impl UciConversation {
    /// `uci`, and the answers up to `uciok`. Switches a book off: the steps look at searches.
    fn handshake(&mut self, within: Duration) -> Result<(), EngineError> {
        let introduced = self.connection.introduce(within, true);
        let has_book = self.is_declared("OwnBook");
        introduced
            .and_then(|()| if has_book { self.set("OwnBook", "false") } else { Ok(()) })
            .map_err(|error| self.connection.process.with_last_words(error))
    }

    pub fn introduction(&self) -> &UciPeer {
        self.connection.introduction()
    }

    /// The declaration of an option; capital letters make no difference.
    pub fn option(&self, name: &str) -> Option<&Declaration> {
        self.introduction().option(name)
    }

    pub fn is_declared(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    /// The limits of an option that is a number: default, least and greatest value.
    pub fn limits(&self, name: &str) -> Option<(i64, i64, i64)> {
        match self.option(name)?.kind {
            OptionKind::Spin { default, min, max } => Some((default, min, max)),
            _ => None,
        }
    }

    /// Sends lines in one write.
    pub fn say<L: Display>(&mut self, lines: &[L]) -> Result<(), EngineError> {
        self.connection.say(lines)
    }

    /// Sends bytes as they are; `shown` stands for them in the transcript.
    pub fn say_raw(&mut self, bytes: &[u8], shown: &str) -> Result<(), EngineError> {
        self.connection.say_raw(bytes, shown)
    }

    /// Sets an option, spelt as the engine declares it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let name = self.option(name).map_or(name, |option| &option.name);
        let line = format!("setoption name {name} value {value}");
        self.say(&[line])
    }

    /// The first wanted reply within this time. Skips the others.
    pub fn await_reply(
        &mut self,
        within: Duration,
        is_wanted: impl FnMut(&Reply) -> bool,
    ) -> Result<Option<Reply>, EngineError> {
        let deadline = Instant::now() + self.record().patience(within);
        self.connection.await_reply(deadline, is_wanted)
    }

    /// All replies within this time. Waits to its end.
    pub fn listen(&mut self, time: Duration) -> Result<Vec<Reply>, EngineError> {
        let mut replies = Vec::new();
        self.await_reply(time, |reply| {
            replies.push(reply.clone());
            false
        })?;
        Ok(replies)
    }

    /// `isready`: waits until the engine has obeyed all commands, and returns its replies until then.
    pub fn settle(&mut self) -> Result<Vec<Reply>, EngineError> {
        let mut replies = Vec::new();
        let timeout = self.record().patience(ANSWER);
        self.connection.sync(timeout, |reply| replies.push(reply.clone()))?;
        Ok(replies)
    }

    /// `ucinewgame`.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.say(&["ucinewgame"])?;
        self.settle().map(|_| ())
    }

    /// `position`: `start` is `startpos` or `fen` and a FEN.
    pub fn position<M: AsRef<str>>(&mut self, start: &str, moves: &[M]) -> Result<(), EngineError> {
        let mut line = format!("position {start}");
        if !moves.is_empty() {
            line.push_str(" moves");
        }
        for mv in moves {
            line.push(' ');
            line.push_str(mv.as_ref());
        }
        self.say(&[line])
    }

    /// Sends a `go` that ends by itself, and waits for `bestmove`.
    pub fn think(&mut self, go: &str) -> Result<Search, NotOk> {
        self.say(&[go])?;
        self.best_move(ANSWER, go)
    }

    /// What the engine says up to its `bestmove`, which must come within this time of `command`.
    pub fn best_move(&mut self, within: Duration, command: &str) -> Result<Search, NotOk> {
        let begun = Instant::now();
        let deadline = begun + self.record().patience(within);
        let mut lines = Vec::new();
        while let Some((line, reply)) = self.connection.receive_by(deadline)? {
            match reply {
                Reply::Info(info) => lines.push((line.text, *info)),
                Reply::BestMove { mv, ponder } => {
                    let took = line.at.saturating_duration_since(begun);
                    return Ok(Search { lines, best: mv, ponder, took });
                }
                _ => {}
            }
        }
        Err(NotOk::Fail(format!("no bestmove within {} s of `{command}`", within.as_secs())))
    }

    /// Closes the engine's input. Does the process end in time?
    pub fn hang_up(&mut self, timeout: Duration) -> bool {
        self.connection.process.close_input();
        self.has_ended(timeout)
    }

    /// Does the process end in time?
    pub fn has_ended(&mut self, timeout: Duration) -> bool {
        self.connection.process.wait_for_end(timeout).is_some()
    }
}
