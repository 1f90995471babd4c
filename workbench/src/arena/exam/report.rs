//! What an examination by scenes has found, for people and as JSON.

use std::io::{self, Write};

use serde::Serialize;

/// `1 point`, `2 points`.
pub fn points(count: u32) -> String {
    if count == 1 { "1 point".to_owned() } else { format!("{count} points") }
}

/// How a scene ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SceneVerdict {
    Passed,
    Failed,
    /// The bot does not declare what the scene needs.
    NotTested,
}

impl SceneVerdict {
    /// The word before the title.
    const fn word(self) -> &'static str {
        match self {
            SceneVerdict::Passed => "ok",
            SceneVerdict::Failed => "FAIL",
            SceneVerdict::NotTested => "skip",
        }
    }
}

/// What a bot has done in a scene.
#[derive(Clone, Debug, Serialize)]
pub struct SceneReport {
    pub id: String,
    /// What the bot has to do.
    pub title: String,
    pub why: String,
    pub verdict: SceneVerdict,
    pub points: u32,
    /// The most points.
    pub of: u32,
    /// What is wrong, in words that follow "the bot".
    pub message: Option<String>,
    /// The position in which the bot was asked.
    pub fen: Option<String>,
    /// The last lines: `>` to the bot, `<` from it, `!` from it on standard error.
    pub dialogue: Vec<String>,
}

impl SceneReport {
    /// Prints the scene in a line; one that has failed, or each if `is_verbose`, with its dialogue.
    ///
    /// # Errors
    /// If standard output is closed.
    pub fn print(&self, is_verbose: bool) -> io::Result<()> {
        let message = self.message.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        let mut out = io::stdout().lock();
        writeln!(out, "{:<4}  {}{message}", self.verdict.word(), self.title)?;
        if is_verbose || self.verdict == SceneVerdict::Failed {
            if let Some(fen) = &self.fen {
                writeln!(out, "        position: {fen}")?;
            }
            self.dialogue.iter().try_for_each(|line| writeln!(out, "        {line}"))?;
            writeln!(out, "        why: {}", self.why)?;
        }
        out.flush()
    }
}

/// All scenes of an examination.
#[derive(Clone, Debug, Serialize)]
pub struct ExamReport<'a> {
    /// `pawns`, `random` or `full`.
    pub stage: &'static str,
    pub variant: &'static str,
    pub seed: u64,
    /// The bot's command and its arguments.
    pub command: &'a [String],
    pub points: u32,
    /// The most points. Scenes that were not tested count.
    pub of: u32,
    pub scenes: &'a [SceneReport],
}

impl<'a> ExamReport<'a> {
    /// # Errors
    /// If standard output is closed.
    pub fn print_summary(&self) -> io::Result<()> {
        let count = |verdict| self.scenes.iter().filter(|scene| scene.verdict == verdict).count();
        let (passed, failed) = (count(SceneVerdict::Passed), count(SceneVerdict::Failed));
        let not_tested = count(SceneVerdict::NotTested);
        let (got, most) = (self.points, points(self.of));
        writeln!(
            io::stdout().lock(),
            "{got} of {most}: {passed} scenes passed, {failed} failed, {not_tested} not tested"
        )
    }

    /// Has no scene failed?
    pub fn is_passed(&self) -> bool {
        self.scenes.iter().all(|scene| scene.verdict != SceneVerdict::Failed)
    }
}
