//! The conversation with the examined engine: sends lines, receives replies, keeps a transcript.

use std::time::{Duration, Instant};

use super::super::conversation::Conversation;
use super::super::record::{ANSWER, IMPATIENT_ANSWER, Record, STARTUP};
use crate::arena::engines::{
    CecpConnection, CecpPeer, EngineError, EngineLine, EngineSpec, Features, LONG_START, Process,
    Protocol, Stderr, StopSignal, Transcript,
};
use crate::arena::misread::Misread;
use trebuchet::cecp::wire::{Feature, FeatureValue, Reply};

/// How long the handshake of an engine may take that was late the first time: the machine may be busy.
const LONG_STARTUP: Duration = Duration::from_secs(30);
/// Without `ping`, silence of this length ends an answer.
const SILENCE: Duration = Duration::from_millis(400);
/// Without `ping`, an answer ends after this time even without a silence.
const LONGEST_ANSWER: Duration = Duration::from_secs(5);

/// What was said, and what xboard misreads of it.
#[derive(Default)]
struct CecpRecord {
    record: Record,
    /// The first of all steps.
    first_misread: Option<Misread>,
    /// Has the engine printed a comment in any step?
    has_comment: bool,
    /// The engine repeats something that xboard would not send.
    is_provoked: bool,
}

impl Transcript for CecpRecord {
    fn sent(&mut self, line: &str) {
        self.record.sent(line);
    }

    fn received(&mut self, line: &EngineLine) -> Result<(), EngineError> {
        self.has_comment |= !line.is_error && line.text.starts_with('#');
        if !line.is_error && !self.is_provoked && self.first_misread.is_none() {
            self.first_misread = Misread::of(&line.text).filter(|misread| !is_refusal(misread));
        }
        self.record.received(line)
    }
}

/// Is the line one in which xboard looks for the name of a command, to find out that the engine refuses it? With
/// `illegal` in it, xboard takes a move back.
fn is_refusal(misread: &Misread) -> bool {
    matches!(misread, Misread::Complaint { line, .. } if !line.contains("llegal"))
}

/// The conversation.
pub struct CecpConversation {
    spec: EngineSpec,
    stop: StopSignal,
    connection: CecpConnection<CecpRecord>,
    /// Has the engine declared features after the time of the handshake?
    is_late: bool,
}

impl Conversation for CecpConversation {
    const PROTOCOL: Protocol = Protocol::Cecp;

    fn start(spec: &EngineSpec, stop: StopSignal) -> Result<CecpConversation, EngineError> {
        let process = Process::start(spec, Stderr::Receive, stop.clone())?;
        let connection = CecpConnection::new(process, CecpRecord::default());
        let mut conversation =
            CecpConversation { spec: spec.clone(), stop, connection, is_late: false };
        conversation.handshake(STARTUP)?;
        Ok(conversation)
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        let within = match self.introduction().done {
            Some(_) => STARTUP,
            None if self.is_late => LONG_STARTUP,
            None => IMPATIENT_ANSWER,
        };
        let process = Process::start(&self.spec, Stderr::Receive, self.stop.clone())?;
        self.connection.replace(process);
        self.handshake(within)
    }

    fn needs_new_process(&self) -> bool {
        !self.features().reuse
    }

    fn record(&self) -> &Record {
        &self.connection.transcript.record
    }

    fn record_mut(&mut self) -> &mut Record {
        &mut self.connection.transcript.record
    }
}

impl CecpConversation {
    fn handshake(&mut self, within: Duration) -> Result<(), EngineError> {
        let handshake = self.connection.handshake(within, within * LONG_START);
        handshake.map(|_| ()).map_err(|error| self.connection.process.with_last_words(error))
    }

    pub fn introduction(&self) -> &CecpPeer {
        self.connection.introduction()
    }

    pub fn features(&self) -> &Features {
        self.connection.features()
    }

    /// Has the engine declared any feature?
    pub fn has_features(&self) -> bool {
        self.connection.has_features()
    }

    /// The last number with which the engine declared a feature.
    pub fn declared(&self, name: &str) -> Option<i64> {
        let number = |feature: &Feature| match feature.value {
            FeatureValue::Number(number) if feature.name == name => Some(number),
            _ => None,
        };
        self.introduction().declared.iter().rev().find_map(number)
    }

    /// The first line in all steps that xboard misreads.
    pub fn first_misread(&self) -> Option<&Misread> {
        self.connection.transcript.first_misread.as_ref()
    }

    /// Has the engine printed a comment in any step?
    pub fn has_commented(&self) -> bool {
        self.connection.transcript.has_comment
    }

    /// Sends lines in one write, as xboard does with some. Leaves out the clocks if the engine wants none.
    pub fn say<L: AsRef<str>>(&mut self, lines: &[L]) -> Result<(), EngineError> {
        let has_clocks = self.features().time;
        let is_clock = |line: &str| matches!(line.split(' ').next(), Some("time" | "otim"));
        let lines: Vec<&str> =
            lines.iter().map(AsRef::as_ref).filter(|line| has_clocks || !is_clock(line)).collect();
        self.connection.say(&lines)
    }

    /// Sends bytes as they are; `shown` stands for them in the transcript.
    pub fn say_raw(&mut self, bytes: &[u8], shown: &str) -> Result<(), EngineError> {
        self.connection.say_raw(bytes, shown)
    }

    /// Sends a line such as xboard never sends. What xboard would misread of the answer is no fault.
    pub fn provoke(&mut self, line: &[u8], shown: &str) -> Result<(), EngineError> {
        self.connection.transcript.is_provoked = true;
        let settled = self.say_raw(line, shown).and_then(|()| self.settle());
        self.connection.transcript.is_provoked = false;
        settled.map(|_| ())
    }

    /// The first wanted reply within this time. Skips the others.
    pub fn await_reply(
        &mut self,
        within: Duration,
        mut is_wanted: impl FnMut(&Reply) -> bool,
    ) -> Result<Option<Reply>, EngineError> {
        let deadline = Instant::now() + self.record().patience(within);
        let is_late = &mut self.is_late;
        self.connection.await_reply(deadline, |reply| {
            *is_late |= matches!(reply, Reply::Features(_));
            is_wanted(reply)
        })
    }

    /// Has the engine declared features only after the handshake was given up?
    pub fn is_late(&self) -> bool {
        self.is_late && self.introduction().done.is_none()
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

    /// The first move within this time.
    pub fn await_move(&mut self, within: Duration) -> Result<Option<String>, EngineError> {
        let reply = self.await_reply(within, |reply| matches!(reply, Reply::Move(_)))?;
        Ok(reply.and_then(|reply| if let Reply::Move(text) = reply { Some(text) } else { None }))
    }

    /// Sends a ping and returns its number.
    pub fn send_ping(&mut self) -> Result<i64, EngineError> {
        self.connection.send_ping()
    }

    /// Waits until the engine has obeyed all commands, and returns its replies until then.
    pub fn settle(&mut self) -> Result<Vec<Reply>, EngineError> {
        let mut replies = Vec::new();
        if self.features().ping {
            let timeout = self.record().patience(ANSWER);
            self.connection.sync(timeout, |reply| replies.push(reply.clone()))?;
        } else {
            // An engine that chatters on has answered by then, too.
            let end = Instant::now() + LONGEST_ANSWER;
            let next = || end.min(Instant::now() + SILENCE);
            while let Some((_, reply)) = self.connection.receive_by(next())? {
                replies.push(reply);
                if Instant::now() >= end {
                    break;
                }
            }
        }
        Ok(replies)
    }

    /// A new game with a clock, no pondering, no output of thinking. The engine plays Black.
    pub fn new_game(&mut self, variant: Option<&str>) -> Result<(), EngineError> {
        self.unclocked_game(variant)?;
        self.say(&["level 0 1 0"])
    }

    /// The same without a clock, for steps that use `st`: it excludes `level`.
    pub fn unclocked_game(&mut self, variant: Option<&str>) -> Result<(), EngineError> {
        let variant = variant.map(|name| format!("variant {name}"));
        let lines =
            [Some("new".to_owned()), variant, Some("nopost".to_owned()), Some("easy".to_owned())];
        self.say(&lines.into_iter().flatten().collect::<Vec<_>>())?;
        self.settle().map(|_| ())
    }

    /// A new game without a clock, in force mode, from a position that no book has. White is to move.
    pub fn off_book(&mut self) -> Result<(), EngineError> {
        self.unclocked_game(None)?;
        self.say(&["force"])?;
        self.play(&["a2a3", "h7h6", "h2h4", "a7a5", "h1h3", "a8a6"])?;
        self.settle().map(|_| ())
    }

    /// A new game in force mode after these moves.
    pub fn forced_game(&mut self, moves: &[&str]) -> Result<(), EngineError> {
        self.new_game(None)?;
        self.say(&["force"])?;
        self.play(moves)?;
        self.settle().map(|_| ())
    }

    /// A new game in force mode from a position. Only for engines with `setboard`.
    pub fn set_up(&mut self, fen: &str) -> Result<(), EngineError> {
        self.new_game(None)?;
        self.say(&["force", &format!("setboard {fen}")])?;
        self.settle().map(|_| ())
    }

    /// Sends moves, each in its line.
    pub fn play(&mut self, moves: &[&str]) -> Result<(), EngineError> {
        let prefix = if self.features().usermove { "usermove " } else { "" };
        moves.iter().try_for_each(|mv| self.say(&[format!("{prefix}{mv}")]))
    }

    /// Makes the engine move, with two seconds on its clock.
    pub fn go(&mut self) -> Result<Option<String>, EngineError> {
        self.say(&["time 200", "otim 200", "go"])?;
        self.await_move(ANSWER)
    }

    /// Closes the engine's input. Does the process end in time?
    pub fn hang_up(&mut self, timeout: Duration) -> bool {
        self.connection.process.close_input();
        self.connection.process.wait_for_end(timeout).is_some()
    }

    /// Does the process end in time?
    pub fn has_ended(&mut self, timeout: Duration) -> bool {
        self.connection.process.wait_for_end(timeout).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_of_a_command_is_not_misread() {
        let first_misread = |text: &str| {
            let mut record = CecpRecord::default();
            let line = EngineLine { at: Instant::now(), text: text.to_owned(), is_error: false };
            record.received(&line).unwrap();
            record.first_misread
        };
        for line in ["Error (unknown command): bk", "Error (bad argument): time x"] {
            assert_eq!(first_misread(line), None, "{line}");
        }
        for line in ["Error (illegal move): e2e4", "book not found"] {
            assert!(first_misread(line).is_some(), "{line}");
        }
    }
}
