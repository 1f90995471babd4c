//! Examines all bots in a folder, and lets them play a tournament. The results of each are kept as soon as they are
//! known: a class that was interrupted goes on where it was.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use super::bot::{Bot, BotError};
use super::examination::Examination;
use super::forms::{Form, class_csv, tournament_csv};
use super::games::GameRules;
use super::page::class_page;
use super::report::{ExamReport, SceneReport};
use super::scene::Scene;
use super::{ExamError, unless_unread};
use crate::arena::engines::StopSignal;
use crate::arena::tournament::final_table::TableRow;
use crate::counts;
use crate::files::{self, MAX_GAMES};
use crate::parallel::for_each;
use crate::report::games_page;
use trebuchet::threads::lock;

/// The most bytes of a file of results that is read again.
const MOST_BYTES: u64 = 16 << 20;

/// How long it takes to set a scene up, also with a bot in an interpreted language.
const SET_UP: Duration = Duration::from_millis(500);

/// How much longer a scene takes in which the bot does not answer: a start and an answer that do not come.
const SILENCE: Duration = Duration::from_secs(12);

/// How much each position of a game is searched for the page of games: enough to see what hangs.
const NODES: u64 = 1000;

/// How long the page of the games of a bot takes.
const GAMES_PAGE: Duration = Duration::from_secs(10);

/// The ending of the page of the games of a bot, before `.html`.
const GAMES: &str = "games";

/// The folder of the bots' own results in that of the class.
pub const BOTS: &str = "bots";

/// A folder with a bot in each folder inside it, and where the results go.
#[derive(Clone, Debug)]
pub struct Class {
    pub folder: PathBuf,
    pub output: PathBuf,
    /// The commands for bots that do not name their own.
    pub build: String,
    pub run: String,
    /// How many bots are examined, and games of the tournament played, at a time.
    pub concurrency: usize,
    /// The games of each bot against our levels.
    pub ladder: Option<GameRules>,
    /// The games of all bots against each other.
    pub tournament: Option<GameRules>,
    /// From this number of bots on the tournament is a Swiss one.
    pub swiss_from: usize,
}

impl Class {
    /// Examines all bots that have no results yet. Returns all results, best first.
    ///
    /// # Errors
    /// If a folder or file cannot be read or written, or the signal is given.
    pub fn examine(
        &self,
        examination: &Examination,
        stop: &StopSignal,
    ) -> Result<Vec<ExamReport>, ExamError> {
        let bots = self.bots()?;
        self.check_names(&bots)?;
        self.make_output()?;
        let mut done = Vec::new();
        let mut open = Vec::new();
        for folder in bots {
            match self.earlier(&folder, examination) {
                Some(report) => done.push(report),
                None => open.push(folder),
            }
        }
        say(&format!(
            "bots: {}, of these to examine: {}, examined before: {}; scenes: {}. {}",
            done.len() + open.len(),
            open.len(),
            done.len(),
            examination.scenes.len(),
            self.longest(open.len(), done.len(), examination),
        ))?;
        if !done.is_empty() {
            let bots = self.output.join(BOTS);
            say(&format!(
                "To examine a bot again, remove its file .json from {}.",
                bots.display()
            ))?;
        }
        let count = done.len() + open.len();
        let done = Mutex::new(done);
        for_each(open, self.concurrency, |folder| -> Result<(), ExamError> {
            let report = self.examine_bot(&folder, examination, stop)?;
            let mut done = lock(&done);
            let number = done.len() + 1;
            say(&format!("{}: {} ({number} of {count})", report.bot, report.summary()))?;
            done.push(report);
            self.write_class(&mut done, &[])
        })?;
        let mut done = done.into_inner().unwrap_or_else(|error| error.into_inner());
        self.write_class(&mut done, &[])?;
        if let Some(rules) = &self.tournament {
            let table = self.play(rules, examination, &done, stop)?;
            self.write_class(&mut done, &table)?;
        }
        Ok(done)
    }

    /// How long all this takes at most, for the user who waits. Bots that answer at once take seconds for the
    /// scenes, and few games are played to the last second.
    fn longest(&self, open: usize, done: usize, examination: &Examination) -> String {
        let time = self.longest_time(open, done, examination);
        let Some(minutes) = time.map(minutes) else {
            return "Without a clock there is no limit of time.".to_owned();
        };
        // A scene is repeated if none has failed for the same reason.
        let silence = SILENCE * (examination.scenes.len() as u32 + 1);
        format!(
            "This takes at most {} h {:02} min if all bots use their whole clock. A build may take {} s more, \
             and a bot that does not answer {} min more. Bots that answer at once take a few seconds for the scenes.",
            minutes / 60,
            minutes % 60,
            examination.build_limit.as_secs(),
            self::minutes(silence),
        )
    }

    /// The longest time for the scenes and games of bots that use their whole clock; `None` without a clock.
    fn longest_time(
        &self,
        open: usize,
        done: usize,
        examination: &Examination,
    ) -> Option<Duration> {
        let scene = |scene: &Scene| scene.clock() * scene.moves_asked() + SET_UP;
        let scenes: Duration = examination.scenes.iter().map(scene).sum();
        let waves = |count: usize| count.div_ceil(self.concurrency) as u32;
        let mut longest = scenes * waves(open);
        if let Some(rules) = &self.ladder {
            let games = waves(open).saturating_mul(rules.ladder_games() as u32);
            longest = longest.saturating_add(rules.longest_game()?.saturating_mul(games));
            longest = longest.saturating_add(GAMES_PAGE * waves(open));
        }
        if let Some(rules) = &self.tournament {
            let bots = open + done;
            let (rounds, games) = rules.rounds_of(bots, bots >= self.swiss_from);
            let games = waves(games).saturating_mul(rounds as u32);
            longest = longest.saturating_add(rules.longest_game()?.saturating_mul(games));
        }
        Some(longest)
    }

    /// Plays the tournament of all bots that could be built and started.
    fn play(
        &self,
        rules: &GameRules,
        examination: &Examination,
        reports: &[ExamReport],
        stop: &StopSignal,
    ) -> Result<Vec<TableRow>, ExamError> {
        let mut bots = Vec::new();
        for report in reports.iter().filter(|report| report.problem.is_none()) {
            // A build may have changed the folder since.
            match Bot::in_folder(&self.folder.join(&report.bot), &self.build, &self.run) {
                Ok(bot) if bot.command == report.command => {
                    bots.push(examination.spec_as_found(&bot, report));
                }
                Ok(_) => say(&format!(
                    "{}: not in the tournament: it is run by another command now",
                    report.bot
                ))?,
                Err(error) => say(&format!("{}: not in the tournament: {error}", report.bot))?,
            }
        }
        if bots.len() < 2 {
            return Ok(Vec::new());
        }
        let is_swiss = bots.len() >= self.swiss_from;
        let count = bots.len();
        let kind = if is_swiss { "Swiss tournament" } else { "Tournament" };
        let begin = |played: u64, games: usize| {
            let before =
                if played > 0 { format!(", {played} were played before") } else { "".into() };
            let concurrency = self.concurrency;
            say(&format!("{kind} of {count} bots: {games} games, {concurrency} at a time{before}."))
        };
        let pgn = self.output.join("games.pgn");
        let table = rules.tournament(bots, is_swiss, &pgn, stop, begin)?;
        for TableRow { place, name, games, points, .. } in &table {
            // A round without a game counts points, too.
            let points = format!("{points} point{}", if *points == 1.0 { "" } else { "s" });
            say(&format!("{place}. {name}: {points}, {}", counts::count(*games as usize, "game")))?;
        }
        Ok(table)
    }

    /// The folders of the bots, in order of their names. Hidden ones do not count. The names are those of results, too:
    /// one that is not in UTF-8 is refused, because two could become the same.
    fn bots(&self) -> Result<Vec<PathBuf>, ExamError> {
        let error = |error| BotError::Folder { path: self.folder.clone(), error };
        let mut bots = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(error)? {
            let entry = entry.map_err(error)?;
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if entry.path().is_dir() && !is_hidden {
                if entry.file_name().to_str().is_none() {
                    return Err(BotError::Name(entry.path()).into());
                }
                bots.push(entry.path());
            }
        }
        bots.sort();
        if bots.is_empty() { Err(ExamError::EmptyClass(self.folder.clone())) } else { Ok(bots) }
    }

    /// Makes the folder of the results, which must not be taken for a bot by the next run.
    fn make_output(&self) -> Result<(), ExamError> {
        let error = |error| ExamError::File { path: self.output.clone(), error };
        let class = self.folder.canonicalize().map_err(error)?;
        if files::canonical(&self.output).map_err(error)?.starts_with(class) {
            return Err(ExamError::OutputInClass);
        }
        fs::create_dir_all(self.output.join(BOTS)).map_err(error)
    }

    /// Refuses bots whose files would have the same name.
    fn check_names(&self, bots: &[PathBuf]) -> Result<(), ExamError> {
        let names: HashSet<String> = bots.iter().map(|folder| Bot::name_of(folder)).collect();
        let is_shared = |name: &&String| names.contains(&format!("{name}.{GAMES}"));
        match names.iter().find(is_shared) {
            Some(name) if self.ladder.is_some() => Err(ExamError::SharedFile(name.clone())),
            _ => Ok(()),
        }
    }

    fn file(&self, folder: &Path, ending: &str) -> PathBuf {
        self.output.join(BOTS).join(format!("{}.{ending}", Bot::name_of(folder)))
    }

    /// The results that a bot has from an earlier run with the same stage, game, seed, scenes, ladder, commands and
    /// confinement.
    fn earlier(&self, folder: &Path, examination: &Examination) -> Option<ExamReport> {
        let text = files::read_text(&self.file(folder, "json"), MOST_BYTES).ok()?;
        let mut report: ExamReport = serde_json::from_str(&text).ok()?;
        report.scenes.iter_mut().for_each(SceneReport::mark_second_try);
        let bot = Bot::in_folder(folder, &self.build, &self.run).ok()?;
        let scenes = report.scenes.iter().map(|scene| &scene.id);
        let is_same = report.command == bot.command
            && report.build.as_ref().map(|build| &build.command) == bot.build.as_ref()
            && report.confinement == examination.confinement.in_words(&examination.hidden)
            && report.stage == examination.stage.name()
            && report.variant == examination.variant.name()
            && report.seed == examination.seed
            && self.has_ladder(&report)
            && scenes.eq(examination.scenes.iter().map(|scene| &scene.id));
        is_same.then_some(report)
    }

    /// Has the bot played the ladder as it is to be played now, if it can play and there is a ladder?
    fn has_ladder(&self, report: &ExamReport) -> bool {
        let wanted = self.ladder.as_ref().map(GameRules::ladder_in_words);
        wanted.is_none() || report.problem.is_some() || wanted == report.ladder_rules
    }

    /// Examines a bot, and writes its results: after the scenes, and with the ladder once it is played.
    fn examine_bot(
        &self,
        folder: &Path,
        examination: &Examination,
        stop: &StopSignal,
    ) -> Result<ExamReport, ExamError> {
        let bot = match Bot::in_folder(folder, &self.build, &self.run) {
            Ok(bot) => bot,
            Err(error) => {
                let report = examination.unfit(folder, &error);
                self.write_bot(folder, &report)?;
                return Ok(report);
            }
        };
        let mut report = examination.examine(&bot, stop, |_| Ok(()))?;
        // The scenes are not lost if the ladder cannot be played.
        self.write_bot(folder, &report)?;
        if let (Some(rules), None) = (&self.ladder, &report.problem) {
            let pgn = self.file(folder, "pgn");
            let spec = examination.spec_as_found(&bot, &report);
            let ladder = rules.ladder(&spec, &pgn, stop)?;
            report.add_ladder(ladder, rules);
            report.games_page = self.write_games(folder, &pgn)?;
            self.write_bot(folder, &report)?;
        }
        Ok(report)
    }

    /// Writes the results of a bot.
    fn write_bot(&self, folder: &Path, report: &ExamReport) -> Result<(), ExamError> {
        for (form, ending) in [(Form::Html, "html"), (Form::Json, "json")] {
            self.write(&self.file(folder, ending), &form.text(report))?;
        }
        Ok(())
    }

    /// Writes the page on which the games of a bot can be stepped through. Returns its name; `None` if there is
    /// no game.
    fn write_games(&self, folder: &Path, pgn: &Path) -> Result<Option<String>, ExamError> {
        let games = files::read(pgn, MAX_GAMES)
            .map_err(|error| ExamError::File { path: pgn.to_owned(), error })?;
        let Ok(Some(page)) = games_page(&games, NODES) else { return Ok(None) };
        let path = self.file(folder, &format!("{GAMES}.html"));
        self.write(&path, &page)?;
        Ok(path.file_name().map(|name| name.to_string_lossy().into_owned()))
    }

    /// Writes the files of the class; the results are sorted: best first, then by name. There is a table
    /// once the tournament is over; until then, that of an earlier run is removed.
    fn write_class(&self, reports: &mut [ExamReport], table: &[TableRow]) -> Result<(), ExamError> {
        reports.sort_by(|a, b| b.points.cmp(&a.points).then_with(|| a.bot.cmp(&b.bot)));
        let title = Bot::name_of(&self.folder);
        self.write(&self.output.join("class.html"), &class_page(&title, reports, table))?;
        self.write(&self.output.join("class.csv"), &class_csv(reports))?;
        let path = self.output.join("tournament.csv");
        if !table.is_empty() {
            return self.write(&path, &tournament_csv(table));
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(ExamError::File { path, error })
            }
            _ => Ok(()),
        }
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), ExamError> {
        files::replace(path, text.as_bytes())
            .map_err(|error| ExamError::File { path: path.to_owned(), error })
    }
}

/// Whole minutes, rounded up.
const fn minutes(time: Duration) -> u64 {
    time.as_secs().div_ceil(60)
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    unless_unread(writeln!(out, "{line}").and_then(|()| out.flush()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arena::exam::report::SceneVerdict;
    use crate::arena::exam::scene::built_in;
    use crate::arena::exam::{ExamArgs, class_of};
    use trebuchet::play::Stage;
    use trebuchet::variants::VariantId;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        exam: ExamArgs,
    }

    fn longest(arguments: &[&str], bots: usize, scenes: Vec<Scene>) -> (u64, String) {
        let usual = ["exam", "--class", "bots", "--output", "results"];
        let two = ["--concurrency", "2"];
        let two = if arguments.contains(&two[0]) { &[][..] } else { &two };
        let args = Arguments::parse_from(usual.iter().chain(arguments).chain(two)).exam;
        let class = class_of(&args, Path::new("bots"), Path::new("results"));
        let examination = args.examination(scenes);
        let time = class.longest_time(bots, 0, &examination).unwrap();
        (minutes(time), class.longest(bots, 0, &examination))
    }

    /// All bots use their whole clock in each scene, in all games, against levels that do so, too.
    #[test]
    fn scenes_and_ladder_of_thirty_bots_take_less_than_an_hour_on_two_processors() {
        for &variant in VariantId::ALL {
            for stage in Stage::ALL {
                let (minutes, said) = longest(&["--ladder"], 30, built_in(stage, variant));
                assert!(minutes < 60, "{stage} {variant:?}: {said}");
                assert!(said.starts_with(&format!("This takes at most 0 h {minutes:02} min if ")));
            }
        }
    }

    /// Two scenes of one move in 2.5 s each, and 4 s more for the two moves of another game; five levels, two
    /// games each, of 200 moves for both sides.
    #[test]
    fn the_longest_time_worked_by_hand() {
        let mut scenes = built_in(Stage::Random, VariantId::Standard);
        scenes.retain(|scene| ["first-move", "new-game-white"].contains(&scene.id.as_str()));
        assert_eq!(longest(&[], 3, scenes.clone()).0, 1); // 2 * 9 s
        let games = 10 * 2 * (3 + 200 / 50); // 140 s
        let (minutes, _) = longest(&["--ladder", "--tc", "3+0.02"], 3, scenes.clone());
        assert_eq!(minutes, (2_u64 * (9 + games + 10)).div_ceil(60));
        // Five rounds of six games, four games at a time, one round after the other.
        let swiss = ["--tournament", "2", "--swiss", "6", "--concurrency", "4", "--tc", "60"];
        let (minutes, _) = longest(&swiss, 6, scenes.clone());
        assert_eq!(minutes, (2 * 9 + 5 * 2 * 2 * 60_u64).div_ceil(60));
        let (minutes, said) = longest(&["--tournament", "2", "--tc", "60"], 4, scenes);
        assert_eq!(minutes, (2 * 9 + 6_u64 * 2 * 60).div_ceil(60));
        assert!(said.contains(" at most 0 h 13 min if all bots use their whole clock. "), "{said}");
    }

    #[test]
    fn a_scene_that_counts_no_points_is_empty_in_the_table() {
        let args = Arguments::parse_from(["exam", "bot"]).exam;
        let scenes = built_in(Stage::Random, VariantId::Standard).into_iter().take(3).collect();
        let error = BotError::Command(String::new());
        let mut report = args.examination(scenes).unfit(Path::new("bot"), &error);
        report.scenes[1].of = 0;
        (report.scenes[2].points, report.scenes[2].verdict) = (1, SceneVerdict::Passed);
        let table = class_csv(&[report]);
        assert!(table.trim_end().ends_with(",0,,1"), "{table}");
    }

    #[test]
    fn scenes_that_were_passed_at_the_second_try_are_marked_and_counted() {
        let args = Arguments::parse_from(["exam", "bot"]).exam;
        let scenes = built_in(Stage::Random, VariantId::Standard).into_iter().take(2).collect();
        let error = BotError::Command(String::new());
        let mut report = args.examination(scenes).unfit(Path::new("bot"), &error);
        report.problem = None;
        for (scene, message) in report.scenes.iter_mut().zip([None, Some("passes late".to_owned())])
        {
            scene.second_try = message.is_some();
            (scene.verdict, scene.message) = (SceneVerdict::Passed, message);
        }
        let page = class_page("class", &[report.clone()], &[]);
        assert!(page.contains("title=\"passes late\">✓²</td>"), "{page}");
        assert_eq!(page.matches('²').count(), 1);
        let table = class_csv(&[report]);
        assert!(table.contains(",problem,second-tries,") && table.contains(",,,1,0,0"), "{table}");
    }

    /// As an archive with names in Latin-1 leaves them.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_is_no_text_is_refused_before_any_work() {
        use std::os::unix::ffi::OsStrExt;

        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join(std::ffi::OsStr::from_bytes(b"Jos\xe9"))).unwrap();
        let args = ["exam", "--class", "bots", "--output", "results"];
        let args = Arguments::parse_from(args).exam;
        let error = class_of(&args, root.path(), Path::new("results")).bots().unwrap_err();
        assert!(error.to_string().ends_with("is not in UTF-8; give it another one"), "{error}");
        assert_eq!(error.exit_code(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn results_are_kept_outside_the_folder_of_the_class() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("bots/team")).unwrap();
        std::os::unix::fs::symlink(path("bots"), path("link")).unwrap();
        let is_kept = |output: &str| {
            let args = ["exam", "--class", "bots", "--output", "results"];
            let args = Arguments::parse_from(args).exam;
            class_of(&args, &path("bots"), &path(output)).make_output().is_ok()
        };
        assert!(is_kept("results") && is_kept("bots/../others") && is_kept("new/results"));
        assert!(!is_kept("bots") && !is_kept("bots/results") && !is_kept("link/new/results"));
    }

    #[test]
    fn bots_whose_results_and_games_would_be_in_one_file_are_refused() {
        let check = |args: &[&str], names: &[&str]| {
            let words = ["exam", "--class", "bots", "--output", "results"].iter().chain(args);
            let class =
                class_of(&Arguments::parse_from(words).exam, "bots".as_ref(), "out".as_ref());
            class.check_names(&names.iter().map(PathBuf::from).collect::<Vec<_>>())
        };
        let shared = check(&["--ladder"], &["bots/x", "bots/x.games"]).unwrap_err();
        assert!(matches!(&shared, ExamError::SharedFile(name) if name == "x"), "{shared}");
        assert!(check(&["--ladder"], &["bots/x", "bots/y.games"]).is_ok());
        // Without a ladder no bot has a page of games.
        assert!(check(&[], &["bots/x", "bots/x.games"]).is_ok());
    }
}
