//! The conversation with the examined engine: sends lines, receives replies, keeps a transcript.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::arena::engines::{
    CecpConnection, EngineError, EngineLine, EngineSpec, Features, Introduction, Process, Stderr,
    StopSignal, Transcript,
};
use crate::arena::misread::Misread;
use trebuchet::cecp::wire::{Feature, FeatureValue, Reply};

/// One line of the conversation.
#[derive(Clone, Debug)]
pub enum TranscriptLine {
    Sent(String),
    Received(String),
    /// A line on the engine's standard error, which xboard reads as well.
    Stderr(String),
}

/// How long the handshake may take; xboard waits as long.
const STARTUP: Duration = Duration::from_secs(10);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(10);
/// How long it may take after a step in which the engine has written nothing.
const IMPATIENT_ANSWER: Duration = Duration::from_secs(2);
/// Without `ping`, silence of this length ends an answer.
const SILENCE: Duration = Duration::from_millis(400);
/// Without `ping`, an answer ends after this time even without a silence.
const LONGEST_ANSWER: Duration = Duration::from_secs(5);

/// How many lines of a step are kept: the last ones.
const LINES_KEPT: usize = 16;
/// An engine that writes more without a word from us, in bytes, writes without end.
const FLOOD: usize = 16 << 20;
/// What each line counts besides its bytes.
const LINE_WEIGHT: usize = 64;

/// What was said, as far as the examination needs it.
#[derive(Default)]
struct Record {
    /// The last lines of the present step.
    lines: VecDeque<TranscriptLine>,
    /// In the present step: has the engine been sent something, has it written something?
    has_sent: bool,
    has_received: bool,
    /// Has the engine written nothing since an answer was missing?
    is_impatient: bool,
    /// What the engine has written since it was last sent something, in bytes.
    unasked: usize,
    /// The first of all steps.
    first_error_line: Option<String>,
    first_misread: Option<Misread>,
}

impl Record {
    fn keep(&mut self, line: TranscriptLine) {
        if self.lines.len() == LINES_KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}

impl Transcript for Record {
    fn sent(&mut self, line: &str) {
        (self.has_sent, self.unasked) = (true, 0);
        self.keep(TranscriptLine::Sent(line.to_owned()));
    }

    fn received(&mut self, line: &EngineLine) -> Result<(), EngineError> {
        (self.has_received, self.is_impatient) = (true, false);
        self.unasked += line.text.len() + LINE_WEIGHT;
        if self.unasked > FLOOD {
            return Err(EngineError::Unable("writes without end".to_owned()));
        }
        let text = line.text.clone();
        if line.is_error {
            self.first_error_line.get_or_insert_with(|| text.clone());
            self.keep(TranscriptLine::Stderr(text));
        } else {
            if self.first_misread.is_none() {
                self.first_misread = Misread::of(&text);
            }
            self.keep(TranscriptLine::Received(text));
        }
        Ok(())
    }
}

/// The conversation. The engine can be restarted at any time.
pub struct Conversation {
    spec: EngineSpec,
    stop: StopSignal,
    connection: CecpConnection<Record>,
}

impl Conversation {
    /// Starts the engine and takes its features. The signal ends all waiting for the engine.
    ///
    /// # Errors
    /// As all methods: if the process cannot be started, ends, does not read, does not answer a ping, or
    /// writes without end; and if the signal is given.
    pub fn start(spec: &EngineSpec, stop: StopSignal) -> Result<Conversation, EngineError> {
        let process = Process::start(spec, Stderr::Receive, stop.clone())?;
        let connection = CecpConnection::new(process, Record::default());
        let mut conversation = Conversation { spec: spec.clone(), stop, connection };
        conversation.connection.handshake(STARTUP, STARTUP)?;
        Ok(conversation)
    }

    /// Replaces the process by a new one. If the first one did not complete its features, this one gets
    /// little time for them.
    pub fn restart(&mut self) -> Result<(), EngineError> {
        let was_done = self.introduction().done.is_some();
        let process = Process::start(&self.spec, Stderr::Receive, self.stop.clone())?;
        self.connection.replace(process);
        let within = if was_done { STARTUP } else { IMPATIENT_ANSWER };
        self.connection.handshake(within, within)?;
        Ok(())
    }

    pub fn introduction(&self) -> &Introduction {
        self.connection.introduction()
    }

    pub fn features(&self) -> &Features {
        self.connection.features()
    }

    /// The last number with which the engine declared a feature.
    pub fn declared(&self, name: &str) -> Option<i64> {
        let number = |feature: &Feature| match feature.value {
            FeatureValue::Number(number) if feature.name == name => Some(number),
            _ => None,
        };
        self.introduction().declared.iter().rev().find_map(number)
    }

    /// Begins a new step with an empty transcript.
    pub fn begin_step(&mut self) {
        let record = self.connection.transcript_mut();
        record.lines.clear();
        (record.has_sent, record.has_received) = (false, false);
    }

    /// The last lines of the step.
    pub fn transcript(&self) -> impl Iterator<Item = &TranscriptLine> {
        self.connection.transcript().lines.iter()
    }

    /// Has something been sent to the engine in this step?
    pub fn has_sent(&self) -> bool {
        self.connection.transcript().has_sent
    }

    /// Has the engine written something in this step?
    pub fn has_received(&self) -> bool {
        self.connection.transcript().has_received
    }

    /// Gives the engine less time for its answers, until it writes something.
    pub fn lose_patience(&mut self) {
        self.connection.transcript_mut().is_impatient = true;
    }

    /// The first line on standard error in all steps.
    pub fn first_error_line(&self) -> Option<&str> {
        self.connection.transcript().first_error_line.as_deref()
    }

    /// The first line in all steps that xboard misreads.
    pub fn first_misread(&self) -> Option<&Misread> {
        self.connection.transcript().first_misread.as_ref()
    }

    /// Sends lines in one write, as xboard does with some.
    pub fn say<L: AsRef<str>>(&mut self, lines: &[L]) -> Result<(), EngineError> {
        self.connection.say_lines(lines)
    }

    /// Sends bytes as they are; `shown` stands for them in the transcript.
    pub fn say_raw(&mut self, bytes: &[u8], shown: &str) -> Result<(), EngineError> {
        self.connection.say_raw(bytes, shown)
    }

    /// The time that an engine gets that usually has this time.
    fn patience(&self, usual: Duration) -> Duration {
        if self.connection.transcript().is_impatient { usual.min(IMPATIENT_ANSWER) } else { usual }
    }

    /// The first wanted reply within this time. Skips the others.
    pub fn await_reply(
        &mut self,
        within: Duration,
        is_wanted: impl FnMut(&Reply) -> bool,
    ) -> Result<Option<Reply>, EngineError> {
        let deadline = Instant::now() + self.patience(within);
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
            let timeout = self.patience(ANSWER);
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
        self.connection.process().close_input();
        self.connection.process().wait_for_end(timeout).is_some()
    }

    /// Does the process end in time?
    pub fn has_ended(&mut self, timeout: Duration) -> bool {
        self.connection.process().wait_for_end(timeout).is_some()
    }
}
