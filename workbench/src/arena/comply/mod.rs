//! `trebuchet comply`: examines an engine in steps.
//!
//! Each step is a short scripted conversation that checks one rule. The engine is judged by its output
//! alone; its moves are checked on a board of our own. Conversation and steps are those of a protocol
//! (`cecp`, `uci`); all else is the same for both.

mod board;
pub(super) mod cecp;
pub(super) mod conversation;
pub(super) mod record;
mod results;
pub(super) mod step;
mod step_runner;
pub(super) mod uci;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use conversation::Conversation;
use results::{ComplyReport, StepResult};
use step::ComplyStep;
use step_runner::StepRunner;

use crate::files;

use crate::arena::engines::{EngineError, EngineSpec, StopSignal};

/// Examine how well an engine speaks CECP or UCI, step by step: each step is `ok`, `warn` or `FAIL`.
///
/// The examination ends early if the engine writes nothing in several steps in a row. Exit status: 0 no step fails, 1 a step fails, 2 wrong arguments or files, 4 the engine cannot be started, 130 interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct ComplyArgs {
    /// Examine the engine's UCI instead of its CECP
    #[arg(long)]
    uci: bool,
    /// Show the conversation of every step, not only of those that warn or fail
    #[arg(long)]
    verbose: bool,
    /// Run only the step with this id, or the steps whose names contain this text
    #[arg(long, value_name = "STEP", default_value = "", hide_default_value = true)]
    only: String,
    /// List the ids and names of all steps, and run nothing
    #[arg(long)]
    list: bool,
    /// Write the result of every step to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The folder to run the engine in
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The engine's command and its arguments
    #[arg(last = true, required_unless_present = "list")]
    command: Vec<String>,
}

/// Why the examination ended early.
#[derive(Debug, thiserror::Error)]
pub enum ComplyError {
    #[error("no step has the id or a name with `{0}`; `--list` shows them")]
    NoSuchStep(String),
    #[error("the step `{0}` is one of UCI: add `--uci`")]
    StepOfUci(String),
    #[error("the step `{0}` is one of CECP: leave out `--uci`")]
    StepOfCecp(String),
    #[error("the engine {0}")]
    Engine(EngineError),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
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
            ComplyError::NoSuchStep(_)
            | ComplyError::StepOfUci(_)
            | ComplyError::StepOfCecp(_)
            | ComplyError::File { .. }
            | ComplyError::Output(_) => 2,
            ComplyError::Engine(_) => 4,
            ComplyError::Interrupted => 130,
        }
    }
}

/// How many steps ended in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct StepCounts {
    pub ok: usize,
    pub warn: usize,
    pub fail: usize,
    pub skip: usize,
    pub not_run: usize,
}

impl StepCounts {
    fn add(&mut self, result: StepResult) {
        *match result {
            StepResult::Ok => &mut self.ok,
            StepResult::Warn => &mut self.warn,
            StepResult::Fail => &mut self.fail,
            StepResult::Skip => &mut self.skip,
            StepResult::NotRun => &mut self.not_run,
        } += 1;
    }

    /// The exit status of the tool.
    pub const fn exit_code(&self) -> u8 {
        if self.fail == 0 { 0 } else { 1 }
    }
}

/// Runs the tool.
///
/// # Errors
/// If no step is chosen, the engine cannot be started, a file or standard output cannot be written, or
/// the user interrupts.
pub fn run(args: &ComplyArgs) -> Result<StepCounts, ComplyError> {
    let result = if args.uci { examine(args, uci::steps()) } else { examine(args, cecp::steps()) };
    result.map_err(|error| match error {
        ComplyError::NoSuchStep(id) if has_step(cecp::steps(), &id) => ComplyError::StepOfCecp(id),
        ComplyError::NoSuchStep(id) if has_step(uci::steps(), &id) => ComplyError::StepOfUci(id),
        error => error,
    })
}

/// Is there a step with this id?
fn has_step<C: 'static>(
    mut steps: impl Iterator<Item = (&'static ComplyStep<C>, bool)>,
    id: &str,
) -> bool {
    steps.any(|(step, _)| step.id == id)
}

/// Runs the chosen ones of a protocol's steps, each with whether it ends the engine.
fn examine<C: Conversation>(
    args: &ComplyArgs,
    steps: impl Iterator<Item = (&'static ComplyStep<C>, bool)>,
) -> Result<StepCounts, ComplyError> {
    if args.list {
        let mut out = io::stdout().lock();
        for (step, _) in steps {
            writeln!(out, "{:<38} {}", step.id, step.name)?;
        }
        return Ok(StepCounts::default());
    }
    let steps: Vec<_> = steps.collect();
    let is_id = steps.iter().any(|(step, _)| step.id == args.only);
    let is_chosen =
        |step: &ComplyStep<C>| step.id == args.only || !is_id && step.name.contains(&args.only);
    let chosen: Vec<_> = steps.into_iter().filter(|(step, _)| is_chosen(step)).collect();
    if chosen.is_empty() {
        return Err(ComplyError::NoSuchStep(args.only.clone()));
    }
    let spec = EngineSpec {
        command: args.command.clone(),
        directory: args.dir.clone(),
        ..EngineSpec::default()
    };
    let file_error = |path: &Path, error| ComplyError::File { path: path.to_owned(), error };
    if let Some(path) = &args.json {
        let inputs = files::named_in(&args.command, args.dir.as_deref());
        files::check_json_output(path, inputs).map_err(|error| file_error(path, error))?;
    }
    let mut runner = StepRunner::<C>::start(&spec, StopSignal::on_interrupt(), args.verbose)?;
    let outcome =
        chosen.into_iter().try_for_each(|(step, ends_engine)| runner.run(step, ends_engine));
    let (counts, steps) = (runner.counts(), runner.reports());
    if let Some(path) = &args.json {
        let protocol = C::PROTOCOL.name();
        let report = ComplyReport { protocol, command: &args.command, counts, steps };
        let text = serde_json::to_string_pretty(&report).map_err(io::Error::from);
        text.and_then(|text| files::replace(path, (text + "\n").as_bytes()))
            .map_err(|error| file_error(path, error))?;
    }
    outcome?;
    runner.print_summary()?;
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn check_ids<C: 'static>(steps: impl Iterator<Item = (&'static ComplyStep<C>, bool)>) -> usize {
        let mut ids = HashSet::new();
        for (step, _) in steps {
            let is_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(step.id.chars().all(is_id), "{}", step.id);
            assert!(ids.insert(step.id), "{}", step.id);
        }
        ids.len()
    }

    #[test]
    fn steps_have_different_ids_of_small_letters_and_hyphens() {
        assert!(check_ids(cecp::steps()) > 100);
        assert!(check_ids(uci::steps()) > 80);
    }
}
