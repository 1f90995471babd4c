//! The dialogue with the examined engine: sends lines, receives replies, keeps a transcript.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::misread::Misread;
use crate::arena::engines::{EngineError, EngineSpec, Features, Process, Stderr, StopSignal};
use trebuchet::cecp::wire::{Command, Feature, FeatureValue, Reply};

/// One line of the dialogue.
#[derive(Clone, Debug)]
pub enum TranscriptLine {
    Sent(String),
    Received(String),
    /// A line on the engine's standard error, which xboard reads as well.
    Stderr(String),
}

/// What the engine said in the handshake.
#[derive(Clone, Debug, Default)]
pub struct Introduction {
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
}

/// How long the handshake may take; xboard waits as long.
const STARTUP: Duration = Duration::from_secs(10);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(10);
/// How long it may take after a step in which the engine has written nothing.
const IMPATIENT_ANSWER: Duration = Duration::from_secs(2);
/// Without `ping`, silence of this length ends an answer.
const SILENCE: Duration = Duration::from_millis(400);

/// How many lines of a step are kept: the last ones.
const LINES_KEPT: usize = 16;
/// An engine that writes more without a word from us, in bytes, writes without end.
const FLOOD: usize = 16 << 20;
/// What each line counts besides its bytes.
const LINE_WEIGHT: usize = 64;
/// An engine with more features declares them without end.
const MAX_FEATURES: usize = 1000;

/// The dialogue. The engine can be restarted at any time.
pub struct Dialogue {
    spec: EngineSpec,
    stop: StopSignal,
    process: Process,
    pub introduction: Introduction,
    /// The last lines of the present step.
    transcript: VecDeque<TranscriptLine>,
    /// In the present step: has the engine been sent something, has it written something?
    has_spoken: bool,
    has_heard: bool,
    /// The first of all steps.
    first_error_line: Option<String>,
    first_misread: Option<Misread>,
    /// What the engine has written since we last spoke, in bytes.
    unasked: usize,
    is_impatient: bool,
    pings: i64,
}

impl Dialogue {
    /// The signal ends all waiting for the engine.
    pub fn start(spec: &EngineSpec, stop: StopSignal) -> Result<Dialogue, EngineError> {
        let process = Process::start(spec, Stderr::Receive, stop.clone())?;
        let mut dialogue = Dialogue {
            spec: spec.clone(),
            stop,
            process,
            introduction: Introduction::default(),
            transcript: VecDeque::new(),
            has_spoken: false,
            has_heard: false,
            first_error_line: None,
            first_misread: None,
            unasked: 0,
            is_impatient: false,
            pings: 0,
        };
        dialogue.introduce(STARTUP)?;
        Ok(dialogue)
    }

    /// Replaces the process by a new one. If the first one declared no features, this one gets little
    /// time to do so.
    pub fn restart(&mut self) -> Result<(), EngineError> {
        self.process = Process::start(&self.spec, Stderr::Receive, self.stop.clone())?;
        let was_done = self.introduction.done.is_some();
        self.introduction = Introduction::default();
        self.introduce(if was_done { STARTUP } else { IMPATIENT_ANSWER })
    }

    fn introduce(&mut self, within: Duration) -> Result<(), EngineError> {
        let start = Instant::now();
        self.say(&["xboard", "protover 2"])?;
        while let Some(reply) = self.receive(within.saturating_sub(start.elapsed()))? {
            let Reply::Features(features) = reply else { continue };
            let introduction = &mut self.introduction;
            introduction.first.get_or_insert(start.elapsed());
            if let Some(TranscriptLine::Received(line)) = self.transcript.back() {
                introduction.lines.push(line.clone());
            }
            if introduction.declared.len() + features.len() > MAX_FEATURES {
                return Err(EngineError::Unable("declares features without end".to_owned()));
            }
            for feature in features {
                let is_known = self.introduction.features.note(&feature);
                let name = feature.name.clone();
                let is_done = feature.name == "done" && feature.value == FeatureValue::Number(1);
                self.introduction.asked_for_time |= feature.name == "done" && !is_done;
                self.introduction.declared.push(feature);
                let answer =
                    if is_known { Command::Accepted(name) } else { Command::Rejected(name) };
                self.say(&[answer.to_string()])?;
                if is_done {
                    self.introduction.done = Some(start.elapsed());
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    pub fn features(&self) -> &Features {
        &self.introduction.features
    }

    /// The last number with which the engine declared a feature.
    pub fn declared(&self, name: &str) -> Option<i64> {
        let number = |feature: &Feature| match feature.value {
            FeatureValue::Number(number) if feature.name == name => Some(number),
            _ => None,
        };
        self.introduction.declared.iter().rev().find_map(number)
    }

    /// Begins a new step with an empty transcript.
    pub fn begin_step(&mut self) {
        self.transcript.clear();
        (self.has_spoken, self.has_heard) = (false, false);
    }

    /// The last lines of the step.
    pub fn transcript(&self) -> impl Iterator<Item = &TranscriptLine> {
        self.transcript.iter()
    }

    /// Has something been sent to the engine in this step?
    pub fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// Has the engine written something in this step?
    pub fn has_heard(&self) -> bool {
        self.has_heard
    }

    /// Gives the engine less time for its answers, until it writes something.
    pub fn lose_patience(&mut self) {
        self.is_impatient = true;
    }

    /// The first line on standard error in all steps.
    pub fn first_error_line(&self) -> Option<&str> {
        self.first_error_line.as_deref()
    }

    /// The first line in all steps that xboard misreads.
    pub fn first_misread(&self) -> Option<&Misread> {
        self.first_misread.as_ref()
    }

    fn note(&mut self, line: TranscriptLine) {
        match &line {
            TranscriptLine::Sent(_) => (self.has_spoken, self.unasked) = (true, 0),
            TranscriptLine::Received(text) => {
                if self.first_misread.is_none() {
                    self.first_misread = Misread::of(text);
                }
            }
            TranscriptLine::Stderr(text) => {
                self.first_error_line.get_or_insert_with(|| text.clone());
            }
        }
        if self.transcript.len() == LINES_KEPT {
            self.transcript.pop_front();
        }
        self.transcript.push_back(line);
    }

    /// Sends lines in one write, as xboard does with some.
    pub fn say<L: AsRef<str>>(&mut self, lines: &[L]) -> Result<(), EngineError> {
        lines.iter().for_each(|line| self.note(TranscriptLine::Sent(line.as_ref().to_owned())));
        self.process.send(lines)
    }

    /// Sends bytes as they are; `shown` stands for them in the transcript.
    pub fn say_raw(&mut self, bytes: &[u8], shown: &str) -> Result<(), EngineError> {
        self.note(TranscriptLine::Sent(shown.to_owned()));
        self.process.send_raw(bytes)
    }

    /// The next reply within this time. Lines on standard error are kept, but are no replies.
    pub fn receive(&mut self, within: Duration) -> Result<Option<Reply>, EngineError> {
        let deadline = Instant::now() + within;
        loop {
            let line = match self.process.receive(deadline, "us") {
                Err(EngineError::Silent(_)) => return Ok(None),
                line => line?,
            };
            (self.has_heard, self.is_impatient) = (true, false);
            self.unasked += line.text.len() + LINE_WEIGHT;
            if self.unasked > FLOOD {
                return Err(EngineError::Unable("writes without end".to_owned()));
            }
            if line.is_error {
                self.note(TranscriptLine::Stderr(line.text));
            } else {
                let reply = Reply::parse(line.text.as_bytes());
                self.note(TranscriptLine::Received(line.text));
                return Ok(Some(reply));
            }
        }
    }

    /// The first wanted reply within this time. Skips the others.
    pub fn await_reply(
        &mut self,
        within: Duration,
        mut is_wanted: impl FnMut(&Reply) -> bool,
    ) -> Result<Option<Reply>, EngineError> {
        let within = if self.is_impatient { within.min(IMPATIENT_ANSWER) } else { within };
        let deadline = Instant::now() + within;
        while let Some(reply) = self.receive(deadline.saturating_duration_since(Instant::now()))? {
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

    /// The first move within this time.
    pub fn await_move(&mut self, within: Duration) -> Result<Option<String>, EngineError> {
        let reply = self.await_reply(within, |reply| matches!(reply, Reply::Move(_)))?;
        Ok(reply.and_then(|reply| if let Reply::Move(text) = reply { Some(text) } else { None }))
    }

    /// Sends a ping and returns its number.
    pub fn send_ping(&mut self) -> Result<i64, EngineError> {
        self.pings += 1;
        self.say(&[Command::Ping(self.pings).to_string()])?;
        Ok(self.pings)
    }

    /// Waits until the engine has obeyed all commands, and returns its replies until then.
    pub fn settle(&mut self) -> Result<Vec<Reply>, EngineError> {
        if !self.features().ping {
            let mut replies = Vec::new();
            while let Some(reply) = self.receive(SILENCE)? {
                replies.push(reply);
            }
            return Ok(replies);
        }
        let number = self.send_ping()?;
        let mut replies = Vec::new();
        let pong = self.await_reply(ANSWER, |reply| {
            replies.push(reply.clone());
            *reply == Reply::Pong(number)
        })?;
        replies.pop();
        if pong.is_some() { Ok(replies) } else { Err(EngineError::Silent("ping")) }
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
        self.process.close_input();
        self.process.wait_for_end(timeout).is_some()
    }

    /// Does the process end in time?
    pub fn has_ended(&mut self, timeout: Duration) -> bool {
        self.process.wait_for_end(timeout).is_some()
    }
}
