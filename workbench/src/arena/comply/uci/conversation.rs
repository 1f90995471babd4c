//! The conversation with an engine that speaks UCI: sends lines, receives replies.

use std::time::{Duration, Instant};

use super::super::conversation::Conversation;
use super::super::record::{ANSWER, IMPATIENT_ANSWER, Record, STARTUP};
use super::super::step::NotOk;
use crate::arena::engines::{
    Awaited, EngineError, EngineLine, EngineSpec, Process, Protocol, Stderr, StopSignal, Transcript,
};
use trebuchet::uci::wire::{Declaration, Info, OptionKind, Reply};

/// The most options that an engine may declare.
const MAX_OPTIONS: usize = 1000;

/// What the engine has said up to `uciok`.
#[derive(Clone, Debug, Default)]
pub struct Introduction {
    pub name: Option<String>,
    pub author: Option<String>,
    pub options: Vec<Declaration>,
    /// The lines that begin with `option`, as they came.
    pub option_lines: Vec<String>,
    /// The first line that is neither `id` nor `option`.
    pub chatter: Option<String>,
    /// The time from `uci` to `uciok`.
    pub done: Option<Duration>,
}

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
    process: Process,
    record: Record,
    introduction: Introduction,
}

impl Conversation for UciConversation {
    const PROTOCOL: Protocol = Protocol::Uci;

    fn start(spec: &EngineSpec, stop: StopSignal) -> Result<UciConversation, EngineError> {
        let process = Process::start(spec, Stderr::Receive, stop.clone())?;
        let mut conversation = UciConversation {
            spec: spec.clone(),
            stop,
            process,
            record: Record::default(),
            introduction: Introduction::default(),
        };
        conversation.handshake(STARTUP)?;
        Ok(conversation)
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        let within = if self.introduction.done.is_some() { STARTUP } else { IMPATIENT_ANSWER };
        self.process = Process::start(&self.spec, Stderr::Receive, self.stop.clone())?;
        self.handshake(within)
    }

    fn record(&self) -> &Record {
        &self.record
    }

    fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }
}

impl UciConversation {
    fn handshake(&mut self, within: Duration) -> Result<(), EngineError> {
        self.introduce(within).map_err(|error| self.process.with_last_words(error))
    }

    /// `uci`, and the answers up to `uciok`. Switches a book off: the steps look at searches.
    fn introduce(&mut self, within: Duration) -> Result<(), EngineError> {
        self.introduction = Introduction::default();
        self.say(&["uci"])?;
        let begun = Instant::now();
        while let Some((line, reply)) = self.receive_by(begun + within)? {
            let introduction = &mut self.introduction;
            if line.text.split_whitespace().next() == Some("option") {
                introduction.option_lines.push(line.text.clone());
                if introduction.option_lines.len() > MAX_OPTIONS {
                    return Err(EngineError::Unable("declares too many options".to_owned()));
                }
            }
            match reply {
                Reply::Name(name) => introduction.name = Some(name),
                Reply::Author(author) => introduction.author = Some(author),
                Reply::Option(declaration) => introduction.options.push(declaration),
                Reply::UciOk => {
                    introduction.done = Some(line.at.saturating_duration_since(begun));
                    break;
                }
                Reply::Blank => {}
                _ => {
                    introduction.chatter.get_or_insert(line.text);
                }
            }
        }
        if self.is_declared("OwnBook") { self.set("OwnBook", "false") } else { Ok(()) }
    }

    pub const fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    /// The declaration of an option; capital letters make no difference.
    pub fn option(&self, name: &str) -> Option<&Declaration> {
        self.introduction.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
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
    pub fn say<L: AsRef<str>>(&mut self, lines: &[L]) -> Result<(), EngineError> {
        lines.iter().for_each(|line| self.record.sent(line.as_ref()));
        self.process.send(lines)
    }

    /// Sends bytes as they are; `shown` stands for them in the transcript.
    pub fn say_raw(&mut self, bytes: &[u8], shown: &str) -> Result<(), EngineError> {
        self.record.sent(shown);
        self.process.send_raw(bytes)
    }

    /// Sets an option, spelt as the engine declares it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let name = self.option(name).map_or(name, |option| &option.name);
        let line = format!("setoption name {name} value {value}");
        self.say(&[line])
    }

    /// The next line on standard output before the deadline.
    fn receive_by(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<(EngineLine, Reply)>, EngineError> {
        while let Some(line) = self.process.receive_by(deadline)? {
            self.record.received(&line)?;
            if !line.is_error {
                let reply = Reply::parse(line.text.as_bytes());
                return Ok(Some((line, reply)));
            }
        }
        Ok(None)
    }

    /// The first wanted reply within this time. Skips the others.
    pub fn await_reply(
        &mut self,
        within: Duration,
        mut is_wanted: impl FnMut(&Reply) -> bool,
    ) -> Result<Option<Reply>, EngineError> {
        let deadline = Instant::now() + self.record.patience(within);
        while let Some((_, reply)) = self.receive_by(deadline)? {
            if is_wanted(&reply) {
                return Ok(Some(reply));
            }
        }
        Ok(None)
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
        self.say(&["isready"])?;
        let mut replies = Vec::new();
        let ready = self.await_reply(ANSWER, |reply| {
            replies.push(reply.clone());
            *reply == Reply::ReadyOk
        })?;
        ready.map(|_| replies).ok_or(EngineError::Silent(Awaited::IsReady))
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
        let deadline = begun + self.record.patience(within);
        let mut lines = Vec::new();
        while let Some((line, reply)) = self.receive_by(deadline)? {
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
        self.process.close_input();
        self.has_ended(timeout)
    }

    /// Does the process end in time?
    pub fn has_ended(&mut self, timeout: Duration) -> bool {
        self.process.wait_for_end(timeout).is_some()
    }
}
