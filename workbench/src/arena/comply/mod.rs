//! `trebuchet comply`: examines a CECP engine in steps.
//!
//! Each step is a short scripted dialogue that checks one rule. The engine is judged by its output
//! alone; its moves are checked on a board of our own.

mod analysis;
mod board;
mod clocks;
mod dialogue;
mod errors;
mod introduction;
pub(super) mod misread;
mod play;
mod positions;
mod step;
mod variants;

use std::io::{self, Write};
use std::path::PathBuf;

use dialogue::{Dialogue, TranscriptLine};
use misread::Misread;
use step::{ComplyStep, Objection};

use crate::arena::engines::{EngineError, EngineSpec, StopSignal};

/// Examine how well an engine speaks CECP, step by step: each step is `ok`, `warn` or `FAIL`.
///
/// The examination ends early if the engine writes nothing in several steps in a row. Exit status: 0 no step fails, 1 a step fails, 4 the engine cannot be started, 130 interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct ComplyArgs {
    /// Show the dialogue of every step, not only of those that warn or fail
    #[arg(long)]
    verbose: bool,
    /// Run only the steps whose names contain this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// The folder to run the engine in
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The engine's command and its arguments
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// Why the examination ended early.
#[derive(Debug, thiserror::Error)]
pub enum ComplyError {
    #[error("the engine {0}")]
    Engine(EngineError),
    #[error(transparent)]
    Output(#[from] io::Error),
    /// The user has ended the examination.
    #[error("interrupted")]
    Interrupted,
}

impl From<EngineError> for ComplyError {
    fn from(error: EngineError) -> ComplyError {
        match error {
            EngineError::Interrupted => ComplyError::Interrupted,
            error => ComplyError::Engine(error),
        }
    }
}

impl ComplyError {
    /// The exit status of the tool.
    pub const fn exit_code(&self) -> u8 {
        match self {
            ComplyError::Engine(_) | ComplyError::Output(_) => 4,
            ComplyError::Interrupted => 130,
        }
    }
}

/// How many steps ended in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCounts {
    pub ok: usize,
    pub warn: usize,
    pub fail: usize,
    pub skip: usize,
}

impl StepCounts {
    /// The exit status of the tool.
    pub const fn exit_code(&self) -> u8 {
        if self.fail == 0 { 0 } else { 1 }
    }
}

/// The steps that check the whole dialogue at its end.
const REVIEW: &[ComplyStep] = &[
    ComplyStep {
        name: "nothing was written to standard error",
        rule: "xboard reads standard error as if it were standard output",
        check: |d| {
            let complaint = d.first_error_line();
            step::should(complaint.is_none(), || complaint.unwrap_or_default().to_owned())
        },
    },
    ComplyStep {
        name: "no line could be misread by xboard",
        rule: "xboard looks for pieces of text anywhere: `not found` ends the connection, `Draw` claims one",
        check: |d| match d.first_misread() {
            None => Ok(()),
            Some(Misread::Fatal(text)) => Err(Objection::Fail(text.clone())),
            Some(Misread::Lost(text)) => Err(Objection::Warn(text.clone())),
        },
    },
];

/// Runs the tool.
///
/// # Errors
/// If the engine cannot be started, standard output is closed, or the user interrupts.
pub fn run(args: &ComplyArgs) -> Result<StepCounts, ComplyError> {
    let spec = EngineSpec {
        command: args.command.clone(),
        directory: args.dir.clone(),
        ..EngineSpec::default()
    };
    let dialogue = Dialogue::start(&spec, catch_interrupts())?;
    let mut examination =
        Examination { args, dialogue, counts: StepCounts::default(), mute_steps: 0, not_run: 0 };
    let parts = [
        introduction::STEPS,
        play::STEPS,
        clocks::STEPS,
        positions::STEPS,
        errors::STEPS,
        analysis::STEPS,
        variants::STEPS,
    ];
    for step in parts.into_iter().flatten() {
        examination.run(step, false)?;
    }
    for step in analysis::LEAVING {
        examination.run(step, true)?;
    }
    REVIEW.iter().try_for_each(|step| examination.run(step, false))?;
    let Examination { counts, not_run, .. } = examination;
    let StepCounts { ok, warn, fail, skip } = counts;
    let mut out = io::stdout().lock();
    if not_run > 0 {
        writeln!(
            out,
            "gave up: the engine wrote nothing in {PATIENCE} steps in a row; {not_run} steps were not run"
        )?;
    }
    writeln!(out, "{ok} ok, {warn} warn, {fail} FAIL, {skip} skipped")?;
    Ok(counts)
}

/// The signal that Ctrl-C and SIGTERM give, so that the engine ends with the examination.
fn catch_interrupts() -> StopSignal {
    let stop = StopSignal::default();
    let signal = stop.clone();
    // If they cannot be caught, they end the examination at once.
    let _ = ctrlc::set_handler(move || signal.stop());
    stop
}

/// After this many steps in a row without a line from the engine, the rest is not run.
const PATIENCE: usize = 3;

struct Examination<'a> {
    args: &'a ComplyArgs,
    dialogue: Dialogue,
    counts: StepCounts,
    /// For how many steps in a row the engine has written nothing, although it should have.
    mute_steps: usize,
    not_run: usize,
}

impl Examination<'_> {
    /// Runs a step and prints its result. Restarts the engine if the step ends it, and after a failure
    /// or a warning, so that later steps do not suffer from it.
    fn run(&mut self, step: &ComplyStep, ends: bool) -> Result<(), ComplyError> {
        if !step.name.contains(&self.args.only) {
            return Ok(());
        }
        if self.mute_steps >= PATIENCE {
            self.not_run += 1;
            return Ok(());
        }
        self.dialogue.begin_step();
        let found = (step.check)(&mut self.dialogue);
        if let Err(Objection::Engine(EngineError::Interrupted)) = found {
            return Err(ComplyError::Interrupted);
        }
        let (count, word, message) = match &found {
            Ok(()) => (&mut self.counts.ok, "ok", None),
            Err(Objection::Skip(what)) => {
                (&mut self.counts.skip, "skip", Some(format!("not declared: {what}")))
            }
            Err(Objection::Warn(message)) => (&mut self.counts.warn, "warn", Some(message.clone())),
            Err(Objection::Fail(message)) => (&mut self.counts.fail, "FAIL", Some(message.clone())),
            Err(Objection::Engine(error)) => {
                (&mut self.counts.fail, "FAIL", Some(format!("the engine {error}")))
            }
        };
        *count += 1;
        let message = message.map(|message| format!(": {}", shorten(&message))).unwrap_or_default();
        let mut out = io::stdout().lock();
        writeln!(out, "{word:<4}  {}{message}", step.name)?;
        let is_bad = matches!(word, "warn" | "FAIL");
        if self.args.verbose || is_bad {
            self.dialogue.transcript().try_for_each(|spoken| match spoken {
                TranscriptLine::Sent(line) => writeln!(out, "        > {}", shorten(line)),
                TranscriptLine::Received(line) => writeln!(out, "        < {}", shorten(line)),
                TranscriptLine::Stderr(line) => writeln!(out, "        ! {}", shorten(line)),
            })?;
            writeln!(out, "        rule: {}", step.rule)?;
        }
        out.flush()?;
        drop(out);
        if self.dialogue.has_heard() {
            self.mute_steps = 0;
        } else if is_bad && self.dialogue.has_spoken() {
            self.mute_steps += 1;
            self.dialogue.lose_patience();
        }
        let is_over = self.mute_steps >= PATIENCE;
        if !is_over && (ends || is_bad && self.dialogue.has_spoken()) {
            self.dialogue.restart()?;
        }
        Ok(())
    }
}

/// How many characters of a line are shown: the first ones.
const LINE_SHOWN: usize = 120;

fn shorten(line: &str) -> String {
    let mut text: String =
        line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LINE_SHOWN).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    text
}
