//! Runs the steps, one after the other, and prints their results.

use std::io::{self, Write};

use super::conversation::Conversation;
use super::results::{StepReport, StepResult};
use super::step::{ComplyStep, NotOk};
use super::{ComplyError, StepCounts};
use crate::arena::engines::{EngineError, EngineSpec, StopSignal};
use trebuchet::text::shortened;

/// After this many steps in a row without a line from the engine, the rest is not run.
const PATIENCE: usize = 3;

/// How many characters of a line are shown: the first ones.
const LINE_SHOWN: usize = 120;

/// Runs the steps of an examination.
pub struct StepRunner<C> {
    conversation: C,
    /// Is the transcript of every step printed?
    is_verbose: bool,
    counts: StepCounts,
    reports: Vec<StepReport>,
    /// For how many steps in a row the engine has written nothing, although it should have.
    mute_steps: usize,
}

impl<C: Conversation> StepRunner<C> {
    /// Starts the engine.
    ///
    /// # Errors
    /// If it cannot be started, writes without end, or the signal is given.
    pub fn start(
        spec: &EngineSpec,
        stop: StopSignal,
        is_verbose: bool,
    ) -> Result<StepRunner<C>, ComplyError> {
        Ok(StepRunner {
            conversation: C::start(spec, stop)?,
            is_verbose,
            counts: StepCounts::default(),
            reports: Vec::new(),
            mute_steps: 0,
        })
    }

    pub fn counts(&self) -> StepCounts {
        self.counts
    }

    pub fn reports(&self) -> &[StepReport] {
        &self.reports
    }

    /// Runs a step and prints its result. Restarts the engine if the step ends it or it plays only one
    /// game, and after a failure or a warning, so that later steps do not suffer from it.
    ///
    /// # Errors
    /// If the engine cannot be started again, standard output is closed, or the user interrupts.
    pub fn run(&mut self, step: &ComplyStep<C>, ends_engine: bool) -> Result<(), ComplyError> {
        if self.mute_steps >= PATIENCE {
            self.keep(StepReport::new(step, StepResult::NotRun, None));
            return Ok(());
        }
        self.conversation.record_mut().begin_step();
        let (result, message) = match (step.check)(&mut self.conversation) {
            Ok(()) => (StepResult::Ok, None),
            Err(NotOk::Skip(reason)) => (StepResult::Skip, Some(reason)),
            Err(NotOk::Warn(message)) => (StepResult::Warn, Some(message)),
            Err(NotOk::Fail(message)) => (StepResult::Fail, Some(message)),
            Err(NotOk::Engine(EngineError::Interrupted)) => return Err(ComplyError::Interrupted),
            Err(NotOk::Engine(error)) => (StepResult::Fail, Some(format!("the engine {error}"))),
        };
        let report = StepReport::new(step, result, message.as_deref().map(shorten));
        self.print(&report)?;
        self.keep(report);
        if self.conversation.record().has_received() {
            self.mute_steps = 0;
        } else if result.is_bad() && self.conversation.record().has_sent() {
            self.mute_steps += 1;
            self.conversation.record_mut().lose_patience();
        }
        let is_over = self.mute_steps >= PATIENCE;
        let is_spoilt = self.conversation.record().has_sent()
            && (result.is_bad() || self.conversation.needs_new_process());
        if !is_over && (ends_engine || is_spoilt) {
            self.conversation.restart()?;
        }
        Ok(())
    }

    fn keep(&mut self, report: StepReport) {
        self.counts.add(report.result);
        self.reports.push(report);
    }

    fn print(&self, report: &StepReport) -> io::Result<()> {
        let StepReport { name, rule, result, message, .. } = report;
        let message = message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
        let mut out = io::stdout().lock();
        writeln!(out, "{:<4}  {name}{message}", result.word())?;
        if self.is_verbose || result.is_bad() {
            let mut lines = self.conversation.record().lines();
            lines.try_for_each(|line| writeln!(out, "        {}", line.shown(shorten)))?;
            writeln!(out, "        rule: {rule}")?;
        }
        out.flush()
    }

    /// Prints how many steps ended in each way.
    ///
    /// # Errors
    /// If standard output is closed.
    pub fn print_summary(&self) -> io::Result<()> {
        let StepCounts { ok, warn, fail, skip, not_run } = self.counts;
        let mut out = io::stdout().lock();
        if not_run > 0 {
            writeln!(
                out,
                "gave up: the engine wrote nothing in {PATIENCE} steps in a row; {not_run} steps were not run"
            )?;
        }
        writeln!(out, "{ok} ok, {warn} warn, {fail} FAIL, {skip} skipped")
    }
}

/// The beginning of a line, without control characters.
fn shorten(line: &str) -> String {
    shortened(line, LINE_SHOWN)
}
