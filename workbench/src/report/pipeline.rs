//! From games to annotated games with exercises, for a person who waits and may interrupt.

use std::sync::atomic::AtomicBool;

use super::analysis::{AnalysisError, analyse};
use super::annotation::AnnotatedGame;
use super::bar::Bar;
use super::exercises::{self, Task};
use super::judge;
use super::progress::ProgressFile;
use super::search::SearchSettings;
use super::source::SourceGame;

/// The games, and how they are analysed.
pub struct Pipeline<'a> {
    pub sources: &'a [SourceGame],
    /// Whose exercises are wanted in each game: White's and Black's.
    pub sides: &'a [[bool; 2]],
    pub settings: &'a SearchSettings,
    pub threads: usize,
    pub interrupted: &'a AtomicBool,
    /// What is told if the search for exercises is interrupted: after how many, and of how many.
    pub exercises_left: fn(usize, usize) -> String,
}

/// The games, and the progress file with what was found.
pub type Annotated = (Vec<AnnotatedGame>, Option<ProgressFile>);

impl Pipeline<'_> {
    /// Analyses the games, keeps what is found in the open progress file, and looks for the exercises. Shows how far
    /// it is. `None` if the user interrupts, which is told.
    ///
    /// # Errors
    /// An [`AnalysisError`]; the progress file then has what was found so far.
    pub fn run(
        &self,
        file: Option<ProgressFile>,
        tell: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Option<Annotated>, AnalysisError> {
        let &Pipeline { sources, sides, settings, threads, interrupted, .. } = self;
        let has_file = file.is_some();
        let mut bar = Bar::new("positions");
        let mut report = |step| bar.step(step, tell);
        let analysed = analyse(sources, settings, threads, file, interrupted, &mut report);
        bar.end();
        let (findings, file) = match analysed {
            Err(AnalysisError::Interrupted(done, total)) => {
                let advice = match has_file {
                    true => "the same command goes on from there",
                    false => "nothing is kept, because no file is written",
                };
                tell(&format!("interrupted: {done} of {total} positions are searched; {advice}"));
                return Ok(None);
            }
            analysed => analysed?,
        };
        let pairs = sources.iter().zip(&findings);
        let mut annotated: Vec<AnnotatedGame> = pairs
            .clone()
            .map(|(source, findings)| judge::annotate(source, findings, settings))
            .collect();
        let mut tasks: Vec<Task> = (pairs.zip(&mut annotated).zip(sides))
            .map(|(((source, findings), game), &sides)| Task { source, findings, game, sides })
            .collect();
        let mut bar = Bar::new("exercises");
        let mut report = |step| bar.step(step, tell);
        let found = exercises::find(&mut tasks, settings, threads, interrupted, &mut report);
        bar.end();
        match found {
            Err(AnalysisError::Interrupted(done, total)) => {
                tell(&format!("interrupted: {}", (self.exercises_left)(done, total)));
                Ok(None)
            }
            found => found.map(|()| Some((annotated, file))),
        }
    }
}
