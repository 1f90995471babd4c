//! Examines one bot: builds it, starts it, and plays all scenes with it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::bot::{Bot, BotError, SpokenProtocol};
use super::build::{BuildReport, build};
use super::confine::Confinement;
use super::driver::Driver;
use super::examiner::Examiner;
use super::report::{ExamReport, SceneReport, SceneVerdict};
use super::scene::Scene;
use super::uci::not_in_uci;
use super::xboard::Xboard;
use super::{ExamError, MARGIN};
use crate::arena::comply::cecp::CecpConversation;
use crate::arena::comply::conversation::Conversation;
use crate::arena::comply::uci::UciConversation;
use crate::arena::engines::detect::find_protocol;
use crate::arena::engines::{EngineSpec, Protocol, StopSignal, Timeouts};
use crate::arena::judging::settings::CheckSettings;
use trebuchet::play::Stage;
use trebuchet::variants::VariantId;

/// What bots are examined in.
#[derive(Clone, Debug)]
pub struct Examination {
    pub stage: Stage,
    pub variant: VariantId,
    pub seed: u64,
    pub protocol: SpokenProtocol,
    /// Are scenes played through a real xboard?
    pub has_xboard: bool,
    pub scenes: Vec<Scene>,
    /// How long a build may take.
    pub build_limit: Duration,
    /// Are bots in folders confined?
    pub confinement: Confinement,
    /// The folders that confined bots do not see.
    pub hidden: Vec<PathBuf>,
}

impl Examination {
    /// Examines a bot, and tells each scene that it plays. A bot that does not build or start, or that cannot be started
    /// again after a scene, gets no points for the scenes left.
    ///
    /// # Errors
    /// If the signal is given, or a scene cannot be told.
    pub fn examine(
        &self,
        bot: &Bot,
        stop: &StopSignal,
        mut tell: impl FnMut(&SceneReport) -> Result<(), ExamError>,
    ) -> Result<ExamReport, ExamError> {
        let start = Instant::now();
        let mut report = self.blank(&bot.name, &bot.command);
        match self.play(bot, stop, &mut report, &mut tell) {
            Ok(()) => {}
            Err(ExamError::Bot(error)) => report.problem = Some(error.to_string()),
            Err(error) => return Err(error),
        }
        self.fill(&mut report);
        report.seconds = (start.elapsed().as_secs_f64() * 10.0).round() / 10.0;
        Ok(report)
    }

    /// The report on the bot in a folder, which cannot be run because of this error.
    pub fn unfit(&self, folder: &Path, error: &BotError) -> ExamReport {
        let problem = Some(format!("cannot be run: {error}"));
        let mut report = ExamReport { problem, ..self.blank(&Bot::name_of(folder), &[]) };
        self.fill(&mut report);
        report
    }

    /// A report without scenes.
    fn blank(&self, name: &str, command: &[String]) -> ExamReport {
        ExamReport {
            bot: name.to_owned(),
            stage: self.stage.name().to_owned(),
            variant: self.variant.name().to_owned(),
            seed: self.seed,
            command: command.to_vec(),
            confinement: Confinement::NONE.in_words(&[]),
            build: None,
            protocol: None,
            problem: None,
            seconds: 0.0,
            points: 0,
            of: 0,
            scenes: Vec::new(),
            ladder: Vec::new(),
            ladder_rules: None,
            strength: None,
            games_page: None,
        }
    }

    /// Adds the scenes that were not played, and the sum of the points.
    fn fill(&self, report: &mut ExamReport) {
        let problem = report.problem.clone().unwrap_or_default();
        let is_uci = report.protocol == Some(Protocol::Uci);
        let missing = self.scenes.iter().skip(report.scenes.len());
        let missing: Vec<SceneReport> =
            missing.map(|scene| self.unplayed(scene, is_uci, &problem)).collect();
        report.scenes.extend(missing);
        report.points = report.scenes.iter().map(|scene| scene.points).sum();
        report.of = report.scenes.iter().map(|scene| scene.of).sum();
    }

    /// Adds build and scenes to the report, as far as the bot gets.
    fn play(
        &self,
        bot: &Bot,
        stop: &StopSignal,
        report: &mut ExamReport,
        tell: &mut impl FnMut(&SceneReport) -> Result<(), ExamError>,
    ) -> Result<(), ExamError> {
        if let (true, Some(folder)) = (bot.is_foreign, &bot.folder) {
            report.confinement = self.confinement.in_words(&self.hidden);
            report.build = self.build(bot, folder, stop)?;
            let failed = report.build.iter().find_map(|build| {
                let problem = build.problem.as_ref()?;
                Some(format!("cannot be built: `{}` {problem}", build.command.join(" ")))
            });
            if failed.is_some() {
                report.problem = failed;
                return Ok(());
            }
        }
        let mut spec = self.spec(bot);
        if spec.protocol.is_none() {
            // A bot that does not say so may speak the first version of CECP.
            let found = find_protocol(&spec, Timeouts::default(), stop)?;
            spec.protocol = Some(found.unwrap_or(Protocol::Cecp));
        }
        report.protocol = spec.protocol;
        let settings = CheckSettings { stage: self.stage, board_order: None, margin: MARGIN };
        let driver: Box<dyn Driver> = match spec.protocol {
            Some(Protocol::Uci) if self.has_xboard => {
                report.problem = Some("speaks UCI, and xboard does not".to_owned());
                return Ok(());
            }
            Some(Protocol::Uci) => Box::new(UciConversation::start(&spec, stop.clone())?),
            _ if self.has_xboard => {
                Box::new(Xboard::new(&spec, stop.clone()).map_err(ExamError::Xboard)?)
            }
            _ => Box::new(CecpConversation::start(&spec, stop.clone())?),
        };
        let mut examiner = Examiner::new(driver, self.variant, settings, self.seed);
        for scene in &self.scenes {
            let found = examiner.examine(scene)?;
            tell(&found)?;
            report.scenes.push(found);
        }
        Ok(())
    }

    /// The engine that a bot is, once it is built: confined if it was handed in by others.
    pub fn spec(&self, bot: &Bot) -> EngineSpec {
        let command = match &bot.folder {
            Some(folder) if bot.is_foreign => {
                self.confinement.wrap(&bot.command, folder, false, &self.hidden)
            }
            _ => bot.command.clone(),
        };
        EngineSpec {
            name: Some(bot.name.clone()),
            command,
            directory: bot.folder.clone(),
            protocol: bot.protocol.unwrap_or(self.protocol).given(),
            ..EngineSpec::default()
        }
    }

    /// The same for a bot that was examined: it speaks the protocol that was found.
    pub fn spec_as_found(&self, bot: &Bot, report: &ExamReport) -> EngineSpec {
        let protocol = report.protocol.unwrap_or(Protocol::Cecp);
        EngineSpec { protocol: Some(protocol), ..self.spec(bot) }
    }

    /// Builds a bot, if it names a command for this.
    fn build(
        &self,
        bot: &Bot,
        folder: &Path,
        stop: &StopSignal,
    ) -> Result<Option<BuildReport>, ExamError> {
        let Some(command) = &bot.build else { return Ok(None) };
        let confined = self.confinement.wrap(command, folder, true, &self.hidden);
        let report = build(&confined, folder, self.build_limit, stop.clone())?;
        Ok(Some(BuildReport { command: command.clone(), ..report }))
    }

    /// A scene that could not be played for this reason, in words that follow "the bot". It counts no points,
    /// either, if UCI has no words for it and the bot speaks UCI.
    fn unplayed(&self, scene: &Scene, is_uci: bool, reason: &str) -> SceneReport {
        let prepared = scene.prepare(self.variant, self.seed);
        let is_foreign = is_uci && prepared.as_ref().is_ok_and(|scene| not_in_uci(scene).is_some());
        let shown = prepared.as_ref().map_or(scene, |prepared| &prepared.scene);
        SceneReport {
            of: if is_foreign { 0 } else { scene.points },
            message: Some(reason.to_owned()),
            ..SceneReport::of(shown, SceneVerdict::NotTested)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arena::exam::ExamArgs;
    use crate::arena::exam::scene::{Asked, built_in};

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        exam: ExamArgs,
    }

    /// The page of a class has one text for all bots.
    #[test]
    fn a_scene_that_is_not_played_is_told_as_the_seed_varies_it() {
        let scenes = built_in(Stage::Random, VariantId::Standard);
        let args = Arguments::parse_from(["exam", "--seed", "5", "bot"]).exam;
        let examination = args.examination(scenes.clone());
        let report = examination.unfit(Path::new("bot"), &BotError::Command(String::new()));
        let varied: Vec<Scene> = scenes
            .iter()
            .map(|scene| scene.prepare(VariantId::Standard, 5).unwrap().scene)
            .collect();
        assert!(scenes.iter().zip(&varied).any(|(scene, varied)| scene.why != varied.why));
        for (found, varied) in report.scenes.iter().zip(&varied) {
            assert_eq!((&found.title, &found.why), (&varied.title, &varied.why));
        }
    }

    /// As they do when they are played.
    #[test]
    fn what_cannot_be_asked_in_uci_counts_no_points_if_the_bot_ends_before() {
        let scenes = built_in(Stage::Random, VariantId::Standard);
        let args = Arguments::parse_from(["exam", "bot"]).exam;
        let examination = args.examination(scenes.clone());
        let of = |protocol: Protocol| {
            let mut report =
                ExamReport { protocol: Some(protocol), ..examination.blank("bot", &[]) };
            examination.fill(&mut report);
            report.scenes.iter().map(|scene| scene.of).collect::<Vec<_>>()
        };
        let points: Vec<u32> = scenes.iter().map(|scene| scene.points).collect();
        assert_eq!(of(Protocol::Cecp), points);
        let in_uci = of(Protocol::Uci);
        let foreign = |scene: &Scene| scene.asked == Asked::Reply;
        assert!(scenes.iter().any(foreign));
        for ((scene, of), points) in scenes.iter().zip(in_uci).zip(points) {
            assert!(of == 0 && points > 0 || of == points && !foreign(scene), "{}", scene.id);
        }
    }
}
