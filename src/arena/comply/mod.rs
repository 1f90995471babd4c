//! `trebuchet comply`: examines a CECP engine, step by step.
//!
//! Each step is a short scripted talk with a rule behind it. The engine is judged by what it says;
//! a board of our own judges its moves.

mod analysis;
mod board;
mod clocks;
mod dialogue;
mod errors;
mod introduction;
mod play;
mod positions;
mod step;
mod variants;

use std::io::{self, Write};
use std::path::PathBuf;

use dialogue::{Dialogue, Spoken};
use step::{Objection, Step};

use crate::arena::engines::{EngineError, EngineSpec};
use crate::cecp::wire::traps::{self, Trap};

/// Examine how well an engine speaks CECP: some eighty steps, each `ok`, `warn` or `FAIL`.
///
/// Exit status: 0 nothing fails, 1 something does, 4 the engine cannot be started.
#[derive(Clone, Debug, clap::Args)]
pub struct ComplyArgs {
    /// Show the talk of every step, not only of those that are not ok
    #[arg(long)]
    verbose: bool,
    /// Only the steps whose name has this in it
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// The folder the engine runs in
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The engine's command and its arguments
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// Why the examination could not be held.
#[derive(Debug, thiserror::Error)]
pub enum ComplyError {
    #[error("the engine {0}")]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl ComplyError {
    /// The exit status of the tool.
    pub const fn exit_code(&self) -> u8 {
        4
    }
}

/// How many steps ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub ok: usize,
    pub warn: usize,
    pub fail: usize,
    pub skip: usize,
}

impl Score {
    /// The exit status of the tool.
    pub const fn exit_code(&self) -> u8 {
        if self.fail == 0 { 0 } else { 1 }
    }
}

/// The steps that look back on the whole talk.
const REVIEW: &[Step] = &[
    Step {
        name: "nothing was written to standard error",
        rule: "xboard reads standard error as if it were standard output",
        check: |d| {
            let complaint = d.everything().iter().find_map(|spoken| {
                if let Spoken::Complained(text) = spoken { Some(text.clone()) } else { None }
            });
            step::should(complaint.is_none(), || complaint.unwrap_or_default())
        },
    },
    Step {
        name: "no line could be misread by xboard",
        rule: "xboard looks for pieces of text anywhere: `not found` ends the connection, `Draw` claims one",
        check: |d| {
            let misread = d.everything().iter().find_map(|spoken| {
                if let Spoken::Came(text) = spoken { misread(text) } else { None }
            });
            match misread {
                None => Ok(()),
                Some(Misread::Fatal(text)) => Err(Objection::Fail(text)),
                Some(Misread::Lost(text)) => Err(Objection::Warn(text)),
            }
        },
    },
];

/// What xboard makes of a line that was meant otherwise.
enum Misread {
    /// The game or the connection is lost.
    Fatal(String),
    /// The line has no effect, or switches something off.
    Lost(String),
}

fn misread(line: &str) -> Option<Misread> {
    let claims =
        |line: &str| line.contains("Draw") || line.contains("offer") && line.contains("draw");
    match traps::check(line) {
        Err(Trap::FailedStart(word)) => Some(Misread::Fatal(format!("`{word}` in: {line}"))),
        Err(Trap::TooLong) if line.len() >= 8192 => {
            Some(Misread::Fatal(format!("{} characters in a line", line.len())))
        }
        Err(Trap::Chatter | Trap::Variation(_)) if claims(line) => {
            Some(Misread::Fatal(line.to_owned()))
        }
        Err(Trap::Chatter) if line.starts_with("White") || line.starts_with("Black") => {
            Some(Misread::Fatal(line.to_owned()))
        }
        Err(Trap::Complaint(word)) => Some(Misread::Lost(format!("`{word}` in: {line}"))),
        _ => None,
    }
}

/// Runs the tool.
///
/// # Errors
/// If the engine cannot be started, or standard output is gone.
pub fn run(args: &ComplyArgs) -> Result<Score, ComplyError> {
    let spec = EngineSpec {
        command: args.command.clone(),
        directory: args.dir.clone(),
        ..EngineSpec::default()
    };
    let mut examination =
        Examination { args, dialogue: Dialogue::start(&spec)?, score: Score::default() };
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
        examination.take(step, false)?;
    }
    for step in analysis::LEAVING {
        examination.take(step, true)?;
    }
    REVIEW.iter().try_for_each(|step| examination.take(step, false))?;
    let Score { ok, warn, fail, skip } = examination.score;
    writeln!(io::stdout(), "{ok} ok, {warn} warn, {fail} FAIL, {skip} skipped")?;
    Ok(examination.score)
}

struct Examination<'a> {
    args: &'a ComplyArgs,
    dialogue: Dialogue,
    score: Score,
}

impl Examination<'_> {
    /// Takes a step and prints what it finds. After a failure the engine is started anew, so that
    /// it does not spill over into the next step; so it is if the step was to end it.
    fn take(&mut self, step: &Step, ends: bool) -> Result<(), ComplyError> {
        if !step.name.contains(&self.args.only) {
            return Ok(());
        }
        self.dialogue.begin_step();
        let found = (step.check)(&mut self.dialogue);
        let (count, word, message) = match &found {
            Ok(()) => (&mut self.score.ok, "ok", None),
            Err(Objection::Skip(what)) => {
                (&mut self.score.skip, "skip", Some(format!("not claimed: {what}")))
            }
            Err(Objection::Warn(message)) => (&mut self.score.warn, "warn", Some(message.clone())),
            Err(Objection::Fail(message)) => (&mut self.score.fail, "FAIL", Some(message.clone())),
            Err(Objection::EngineError(trouble)) => {
                (&mut self.score.fail, "FAIL", Some(format!("the engine {trouble}")))
            }
        };
        *count += 1;
        let message = message.map(|message| format!(": {}", shorten(&message))).unwrap_or_default();
        let mut out = io::stdout().lock();
        writeln!(out, "{word:<4}  {}{message}", step.name)?;
        let is_told = self.args.verbose || matches!(word, "warn" | "FAIL");
        if is_told {
            self.dialogue.transcript().iter().rev().take(LINES_SHOWN).rev().try_for_each(
                |spoken| match spoken {
                    Spoken::Sent(line) => writeln!(out, "        > {}", shorten(line)),
                    Spoken::Came(line) => writeln!(out, "        < {}", shorten(line)),
                    Spoken::Complained(line) => writeln!(out, "        ! {}", shorten(line)),
                },
            )?;
            writeln!(out, "        rule: {}", step.rule)?;
        }
        out.flush()?;
        drop(out);
        if ends || matches!(found, Err(Objection::Fail(_) | Objection::EngineError(_))) {
            self.dialogue.restart()?;
        }
        Ok(())
    }
}

/// How much of a talk is shown: the last lines of it, and the beginning of each.
const LINES_SHOWN: usize = 16;
const LINE_SHOWN: usize = 120;

fn shorten(line: &str) -> String {
    let mut text: String =
        line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LINE_SHOWN).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    text
}
