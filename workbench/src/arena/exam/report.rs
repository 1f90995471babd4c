//! What an examination by scenes has found, and how it is told on standard output.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::build::BuildReport;
use super::games::{GameRules, Rung};
use super::scene::Scene;
use super::strength::Strength;
use crate::arena::engines::Protocol;
use crate::counts::{count, points};

/// How the message of a scene begins that is passed, but failed at the first try.
pub const SECOND_TRY: &str = "passes only at the second try";

/// How a scene ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SceneVerdict {
    Passed,
    Failed,
    /// The bot does not declare what the scene needs, or could not be built or started, or its protocol has
    /// no words for it. The last case counts no points.
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SceneReport {
    pub id: String,
    /// What the bot has to do, in words that follow "the bot".
    pub title: String,
    pub why: String,
    pub verdict: SceneVerdict,
    pub points: u32,
    /// The most points.
    pub of: u32,
    /// What is wrong, in words that follow "the bot".
    pub message: Option<String>,
    /// The criterion of `check` that the bot has broken, by its name.
    #[serde(default)]
    pub criterion: Option<String>,
    /// The first scene that failed for the same reason, by its id: mend that one first.
    #[serde(default)]
    pub same_as: Option<String>,
    /// Is it passed, but failed at the first try?
    #[serde(default)]
    pub second_try: bool,
    /// The position in which the bot was asked.
    pub fen: Option<String>,
    /// The first and the last lines: `>` to the bot, `<` from it, `!` from it on standard error, `…` for those between.
    pub dialogue: Vec<String>,
}

impl SceneReport {
    /// The report on a scene that ended so, without a word on how.
    pub fn of(scene: &Scene, verdict: SceneVerdict) -> SceneReport {
        SceneReport {
            id: scene.id.clone(),
            title: scene.title.clone(),
            why: scene.why.clone(),
            verdict,
            points: if verdict == SceneVerdict::Passed { scene.points } else { 0 },
            of: scene.points,
            message: None,
            criterion: None,
            same_as: None,
            second_try: false,
            fen: None,
            dialogue: Vec::new(),
        }
    }

    /// Is it passed, or has the protocol of the bot no words for it?
    pub fn is_passed(&self) -> bool {
        match self.verdict {
            SceneVerdict::Passed => true,
            SceneVerdict::Failed => false,
            SceneVerdict::NotTested => self.of == 0,
        }
    }

    /// Reads [`SceneReport::second_try`] from the message, for older reports lack it.
    pub fn mark_second_try(&mut self) {
        let says_so = |message: &String| message.starts_with(SECOND_TRY);
        self.second_try |=
            self.verdict == SceneVerdict::Passed && self.message.as_ref().is_some_and(says_so);
    }

    /// Prints the scene in a line; one that has failed, or each if `is_verbose`, with its dialogue.
    ///
    /// # Errors
    /// If standard output is closed.
    pub fn print(&self, is_verbose: bool) -> io::Result<()> {
        let mut message = self.message.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        if let Some(first) = &self.same_as {
            message += &format!(" (as in {first})");
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{:<4}  {}{message}", self.verdict.word(), self.title)?;
        if is_verbose || self.verdict == SceneVerdict::Failed {
            if let Some(fen) = &self.fen {
                writeln!(out, "        position: {fen}")?;
            }
            self.dialogue.iter().try_for_each(|line| writeln!(out, "        {line}"))?;
            writeln!(out, "        why: {}", self.why)?;
            if let Some(criterion) = &self.criterion {
                writeln!(out, "        criterion: {criterion}")?;
            }
        }
        out.flush()
    }
}

/// All that is known of a bot after its examination.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExamReport {
    /// The name of the bot's folder, or of its program.
    pub bot: String,
    /// `pawns`, `random` or `full`.
    pub stage: String,
    /// The CECP name of the game.
    pub variant: String,
    pub seed: u64,
    /// The command that runs the bot, and its arguments.
    pub command: Vec<String>,
    /// Once it is known.
    #[serde(default)]
    pub protocol: Option<Protocol>,
    /// What kept the bot from doing harm, in words.
    pub confinement: String,
    /// How it was built, if it was built here.
    pub build: Option<BuildReport>,
    /// Why scenes were not played: the bot does not build or start. In words that follow "the bot".
    pub problem: Option<String>,
    /// How long building and all scenes took, in seconds.
    pub seconds: f64,
    pub points: u32,
    /// The most points. Scenes that were not tested count, but for those that the protocol has no words for.
    pub of: u32,
    pub scenes: Vec<SceneReport>,
    /// The games against our playing levels or other engines, the weakest first; empty if none were played.
    #[serde(default)]
    pub ladder: Vec<Rung>,
    /// How these games were played, in words.
    #[serde(default)]
    pub ladder_rules: Option<String>,
    /// What these games say.
    #[serde(default)]
    pub strength: Option<Strength>,
    /// The file with these games to step through, beside the page of the bot.
    #[serde(default)]
    pub games_page: Option<String>,
}

impl ExamReport {
    /// Adds the games of the ladder, and how they were played. Only the Elo of our own levels is known.
    pub fn add_ladder(&mut self, ladder: Vec<Rung>, rules: &GameRules) {
        self.strength = if rules.opponents.is_empty() { Strength::of(&ladder) } else { None };
        self.ladder = ladder;
        self.ladder_rules = Some(rules.ladder_in_words());
    }

    /// What the games against the playing levels say; `None` if they say nothing.
    pub fn strength_in_words(&self) -> Option<String> {
        Some(self.strength?.in_words(&self.ladder))
    }

    /// The number of scenes that ended so.
    pub fn count(&self, verdict: SceneVerdict) -> usize {
        self.scenes.iter().filter(|scene| scene.verdict == verdict).count()
    }

    /// The result in one line.
    pub fn summary(&self) -> String {
        let passed = count(self.count(SceneVerdict::Passed), "scene");
        let failed = self.count(SceneVerdict::Failed);
        let not_tested = self.count(SceneVerdict::NotTested);
        let (got, most) = (self.points, points(self.of));
        let summary =
            format!("{got} of {most}: {passed} passed, {failed} failed, {not_tested} not tested");
        match &self.problem {
            Some(problem) => format!("{summary}; the bot {problem}"),
            None => summary,
        }
    }

    /// The games against one opponent of the ladder in one line.
    pub fn rung(rung: &Rung) -> String {
        let Rung { level, won, drawn, lost } = rung;
        let (got, most) = (*won as f64 + *drawn as f64 / 2.0, won + drawn + lost);
        let most = count(most as usize, "point");
        format!("against {level}: {got} of {most}: {won} won, {drawn} drawn, {lost} lost")
    }

    /// Has the bot passed every scene that its protocol has words for?
    pub fn is_passed(&self) -> bool {
        self.problem.is_none() && self.scenes.iter().all(SceneReport::is_passed)
    }

    /// Did the bot's build fail?
    pub fn is_unbuilt(&self) -> bool {
        self.build.as_ref().is_some_and(|build| build.problem.is_some())
    }
}
