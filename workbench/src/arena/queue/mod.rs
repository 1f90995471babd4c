//! `trebuchet queue`: plays matches one after the other, unattended, and writes a line for each.

mod results;

use std::fs::{self, File};
use std::io::{self, Write};
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde::Deserialize;

use self::results::{FAILED, ResultsFile, line, name_of};
use crate::arena::matches;
use crate::files::{self, MAX_SETTINGS};
use crate::interrupts::on_interrupt;
use crate::own_program::own_program;
use crate::settings_text::{self, SettingsError};
use trebuchet::threads::lock;

/// Play matches one after the other, unattended, and write a line with the result of each.
///
/// The file is TOML. The table `common` has settings for all matches, and each `[[test]]` has a name and
/// settings of its own; both take the keys of `match --config`. A test whose line is already there is not
/// played again, and one that was broken off goes on: the same command continues after Ctrl-C or a kill.
/// Tests that are added to the file while the queue runs are played, too.
///
/// Beside FILE.toml stand FILE.results with the lines and the folder FILE.games with settings, games (PGN)
/// and summaries (JSON) of each test.
///
/// Exit status: 0 every test of the file was played, 1 one failed, or was played with other settings, or the queue
/// could not go on, 130 interrupted.
#[derive(Clone, Debug, clap::Args)]
pub struct QueueArgs {
    /// The file with the tests
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
}

/// Why the queue stops.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("{}:{error}", path.display())]
    Settings { path: PathBuf, error: SettingsError },
    #[error("{0}: {1}")]
    Content(PathBuf, String),
    #[error("the test {0} was broken off ({1})")]
    BrokenOff(String, ExitStatus),
    #[error("{0} has games of this test under other settings: another name, or remove this file")]
    OtherSettings(PathBuf),
    #[error("the test {0} was broken off: a file of it could not be written")]
    Unwritable(String),
    #[error("{0}: another queue plays these tests")]
    UnderWay(PathBuf),
    #[error("failed: {names} (to play a test again, remove its line from {results})")]
    Failed { names: String, results: PathBuf },
    #[error(
        "played with other settings than the file has now: {names} (to play a test again, give it another name, or \
         remove its line from {results}, its games from {folder} and its logs)"
    )]
    Changed { names: String, results: PathBuf, folder: PathBuf },
    #[error("{0}\n{1}")]
    Both(Box<QueueError>, Box<QueueError>),
}

impl QueueError {
    /// The exit status of the tool.
    pub fn exit_code(&self) -> u8 {
        match self {
            QueueError::BrokenOff(_, status) if is_interrupted(*status) => INTERRUPTED,
            _ => 1,
        }
    }
}

/// The tests of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Queue {
    #[serde(default)]
    common: toml::Table,
    #[serde(default)]
    test: Vec<Test>,
}

#[derive(Debug, Deserialize)]
struct Test {
    name: String,
    #[serde(flatten)]
    settings: toml::Table,
}

/// Runs the tool.
///
/// # Errors
/// If a file cannot be read or written, or its settings are wrong; if a match is interrupted. At the end, if a test has
/// failed in this run or an earlier one, or was played with other settings than it has now.
pub fn run(args: &QueueArgs) -> Result<(), QueueError> {
    let results = args.file.with_extension("results");
    let folder = args.file.with_extension("games");
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| QueueError::File(path, error)
    };
    files::check_plain(&results).map_err(failed(&results))?;
    files::check_output(&results, [&args.file]).map_err(failed(&results))?;
    let lines = match files::read_text(&results, MAX_SETTINGS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        found => found.map_err(failed(&results))?,
    };
    check_tests(&read(&args.file)?, &lines)
        .map_err(|why| QueueError::Content(args.file.clone(), why))?;
    let mut file = ResultsFile::open(&results, &args.file)?;
    let under_way = Arc::default();
    pass_interrupts_on(&under_way);
    loop {
        // Read anew for each test: the file may have grown. It may also be half written.
        let queue = read(&args.file).or_else(|_| {
            thread::sleep(WRITING);
            read(&args.file)
        })?;
        let lines = file.text()?;
        let is_done = |test: &&Test| lines.lines().any(|line| name_of(line) == test.name);
        let Some(test) = queue.test.iter().find(|test| !is_done(test)) else {
            let failures = check_failures(&queue, &lines, &results);
            return match (failures, check_settings(&queue, &results, &folder)) {
                (Err(failed), Err(changed)) => {
                    Err(QueueError::Both(Box::new(failed), Box::new(changed)))
                }
                (failures, changes) => failures.and(changes),
            };
        };
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        let line = play(test, &queue.common, &folder, &under_way)?;
        file.add(&line)?;
        // Best effort: the line is in the file.
        let _ = writeln!(io::stdout(), "{line}");
    }
}

fn read(path: &Path) -> Result<Queue, QueueError> {
    let text = files::read_text(path, MAX_SETTINGS)
        .map_err(|error| QueueError::File(path.to_owned(), error))?;
    let queue: Queue = settings_text::parse(&text)
        .map_err(|error| QueueError::Settings { path: path.to_owned(), error })?;
    let wrong = |why: String| QueueError::Content(path.to_owned(), why);
    if queue.test.is_empty() {
        return Err(wrong("no tests: each one begins with `[[test]]`".to_owned()));
    }
    for (index, test) in queue.test.iter().enumerate() {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if test.name.is_empty() || !test.name.chars().all(is_plain) || test.name.starts_with('.') {
            let why = "a name has letters, digits, `-`, `_` and `.`, and does not begin with a dot";
            return Err(wrong(format!("test {}: {why}", index + 1)));
        }
        if queue.test[..index].iter().any(|earlier| earlier.name == test.name) {
            return Err(wrong(format!("two tests are named {}", test.name)));
        }
    }
    Ok(queue)
}

/// Can the settings of all tests without a result be read? Asked before the first test, so that no mistake shows after
/// hours. What is wrong with a test that is added later is told when its turn comes.
fn check_tests(queue: &Queue, results: &str) -> Result<(), String> {
    let is_done = |test: &Test| results.lines().any(|line| name_of(line) == test.name);
    for test in queue.test.iter().filter(|test| !is_done(test)) {
        let settings = settings_of(test, &queue.common).to_string();
        matches::check_settings(&settings)
            .map_err(|error| format!("test {}: {}", test.name, error.message))?;
    }
    Ok(())
}

/// Is an error if a test of the file has failed.
fn check_failures(queue: &Queue, lines: &str, results: &Path) -> Result<(), QueueError> {
    let has_failed = |name: &str| {
        let mut rests = lines.lines().filter_map(|line| line.strip_prefix(name));
        rests.any(|rest| rest.starts_with(FAILED))
    };
    let names = queue.test.iter().map(|test| test.name.as_str());
    let failed: Vec<&str> = names.filter(|name| has_failed(name)).collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(QueueError::Failed { names: failed.join(", "), results: results.to_owned() })
}

/// Is an error if a test was played with other settings than it has now.
fn check_settings(queue: &Queue, results: &Path, folder: &Path) -> Result<(), QueueError> {
    let is_changed = |test: &&Test| {
        let config = folder.join(format!("{}.toml", test.name));
        let settings = settings_of(test, &queue.common);
        let is_same = |begun: toml::Table| is_same_test(&begun, &settings, CHANGEABLE_LATER);
        config.exists() && !begun_with(&config).is_ok_and(is_same)
    };
    let changed = queue.test.iter().filter(is_changed);
    let names: Vec<&str> = changed.map(|test| test.name.as_str()).collect();
    if names.is_empty() {
        return Ok(());
    }
    let (names, results, folder) = (names.join(", "), results.to_owned(), folder.to_owned());
    Err(QueueError::Changed { names, results, folder })
}

/// The process of the match that is being played.
type UnderWay = Arc<Mutex<Option<Child>>>;

/// How long a file may be half written.
const WRITING: Duration = Duration::from_secs(2);

/// The pause between two looks whether a match has ended.
const LOOK: Duration = Duration::from_millis(20);

/// Makes Ctrl-C and SIGTERM end the match, and with it the queue.
fn pass_interrupts_on(under_way: &UnderWay) {
    let under_way = Arc::clone(under_way);
    // Best effort: without a handler, the match plays on alone, and the next queue waits for its end.
    let _ = on_interrupt(move || match &mut *lock(&under_way) {
        Some(child) => end(child),
        None => std::process::exit(INTERRUPTED.into()),
    });
}

/// The exit status after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Has Ctrl-C or a similar signal ended the match? While a match reads its files, a signal ends it at once.
fn is_interrupted(status: ExitStatus) -> bool {
    #[cfg(unix)]
    if let Some(number) = status.signal() {
        use rustix::process::Signal;
        return [Signal::INT, Signal::TERM, Signal::HUP].iter().any(|it| it.as_raw() == number);
    }
    status.code() == Some(INTERRUPTED.into())
}

/// Asks a match to end in good order.
#[cfg(unix)]
fn end(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(id) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // Best effort: it may have ended.
        let _ = kill_process(id, Signal::TERM);
    }
}

/// In a console, Ctrl-C reaches the match, too.
#[cfg(not(unix))]
fn end(_: &mut Child) {}

/// Waits for the end of the match, which an interrupt can end meanwhile.
fn wait(under_way: &UnderWay) -> io::Result<ExitStatus> {
    loop {
        let mut child = lock(under_way);
        let status = match &mut *child {
            Some(running) => running.try_wait()?,
            None => return Err(io::Error::other("there is no match")),
        };
        if let Some(status) = status {
            *child = None;
            return Ok(status);
        }
        drop(child);
        thread::sleep(LOOK);
    }
}

/// Opens the log of a match. Its lock belongs to the match, which writes into it, even if this queue is
/// killed: so no match is played twice at the same time. Waits for a match that a killed queue has left.
fn open_log(path: &Path, name: &str) -> io::Result<File> {
    let log = File::options().create(true).append(true).open(path)?;
    if cfg!(unix) && matches!(log.try_lock(), Err(fs::TryLockError::WouldBlock)) {
        // Best effort: what follows does not depend on it.
        let _ = writeln!(
            io::stderr(),
            "the test {name} is still being played for a queue that was killed; waiting for its end"
        );
        log.lock()?;
    }
    log.set_len(0)?;
    Ok(log)
}

/// Plays a match in a process of its own, so that one that fails does not stop the queue. Returns its line.
fn play(
    test: &Test,
    common: &toml::Table,
    folder: &Path,
    under_way: &UnderWay,
) -> Result<String, QueueError> {
    let path = |extension: &str| folder.join(format!("{}.{extension}", test.name));
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| QueueError::File(path, error)
    };
    let settings = settings_of(test, common);
    let (config, json, pgn, log) = (path("toml"), path("json"), path("pgn"), path("log"));
    let log = open_log(&log, &test.name).map_err(failed(&log))?;
    check_unchanged(&config, &pgn, &settings)?;
    files::replace(&config, settings.to_string().as_bytes()).map_err(failed(&config))?;
    let program = own_program().map_err(failed(folder))?;
    let errors = log.try_clone().map_err(failed(folder))?;
    let mut command = Command::new(program);
    command
        .arg("match")
        .arg("--config")
        .arg(&config)
        .arg("--pgn")
        .arg(&pgn)
        .arg("--resume")
        .arg("--json")
        .arg(&json)
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors);
    *lock(under_way) = Some(command.spawn().map_err(failed(folder))?);
    // The copies of the log here hold its lock, too.
    drop(command);
    let status = wait(under_way).map_err(failed(folder))?;
    match status.code() {
        // Played, H0 accepted, or an SPRT without a decision.
        Some(0 | 1 | 3) => {
            let text = files::read_text(&json, MAX_SETTINGS).map_err(failed(&json))?;
            let summary = serde_json::from_str(&text)
                .map_err(|error| QueueError::Content(json.clone(), error.to_string()))?;
            Ok(line(&test.name, &summary))
        }
        Some(5) => Err(QueueError::Unwritable(test.name.clone())),
        Some(2 | 4) => Ok(format!("{}{FAILED}, see {}", test.name, path("log").display())),
        _ => Err(QueueError::BrokenOff(test.name.clone(), status)),
    }
}

/// A setting, and those that it excludes. A test that has it plays without these, though they are common.
const EXCLUDED: &[(&str, &[&str])] = &[
    ("tc", &["st"]),
    ("st", &["tc"]),
    ("openings", &["random-plies"]),
    ("random-plies", &["openings", "opening-plies", "shuffle"]),
    ("shuffle", &["random-plies"]),
    ("no-adjudication", &["resign", "draw", "tablebases"]),
    ("resign", &["no-adjudication"]),
    ("draw", &["no-adjudication"]),
    ("tablebases", &["no-adjudication"]),
];

/// The settings of a test. It has its own folder in the common one for logs: those of each match have the same names.
fn settings_of(test: &Test, common: &toml::Table) -> toml::Table {
    let mut settings = common.clone();
    let has =
        |name: &str| test.settings.get(name).is_some_and(|it| *it != toml::Value::Boolean(false));
    for (_, excluded) in EXCLUDED.iter().filter(|(name, _)| has(name)) {
        settings.retain(|name: &str, _| !excluded.contains(&name));
    }
    if let Some(toml::Value::String(folder)) = settings.get_mut("logs") {
        *folder = Path::new(folder).join(&test.name).display().to_string();
    }
    settings.extend(test.settings.clone());
    settings
}

/// What may change in a test that has begun.
const CHANGEABLE: &[&str] = &["games", "concurrency", "logs"];
/// What may change in a test that was played.
const CHANGEABLE_LATER: &[&str] = &["concurrency", "logs"];

/// Are the settings of a test the same but for what may change?
fn is_same_test(before: &toml::Table, now: &toml::Table, changeable: &[&str]) -> bool {
    let fixed = |table: &toml::Table| {
        let mut table = table.clone();
        table.retain(|key, _| !changeable.contains(&key));
        table
    };
    fixed(before) == fixed(now)
}

/// The settings with which a test was begun.
fn begun_with(config: &Path) -> Result<toml::Table, QueueError> {
    let text = files::read_text(config, MAX_SETTINGS)
        .map_err(|error| QueueError::File(config.to_owned(), error))?;
    Ok(text.parse().unwrap_or_default())
}

/// Refuses to go on with games of other settings.
fn check_unchanged(config: &Path, pgn: &Path, settings: &toml::Table) -> Result<(), QueueError> {
    if !pgn.metadata().is_ok_and(|games| games.len() > 0) || !config.exists() {
        return Ok(());
    }
    match is_same_test(&begun_with(config)?, settings, CHANGEABLE) {
        true => Ok(()),
        false => Err(QueueError::OtherSettings(pgn.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(text: &str) -> Result<Queue, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tests.toml");
        fs::write(&path, text).unwrap();
        read(&path).map_err(|error| error.to_string().replace(&path.display().to_string(), "FILE"))
    }

    #[test]
    fn tests_have_plain_names_of_their_own() {
        let tests = queue("common.games = 4\n[[test]]\nname = \"a-1\"\nnodes = 7").unwrap();
        assert_eq!(tests.test[0].name, "a-1");
        assert_eq!(tests.test[0].settings["nodes"].as_integer(), Some(7));
        let twice = "[[test]]\nname = \"a\"\n[[test]]\nname = \"a\"";
        assert_eq!(queue(twice).unwrap_err(), "FILE: two tests are named a");
        for name in ["", "a b", "../a", ".a", "a:b"] {
            let error = queue(&format!("[[test]]\nname = \"{name}\"")).unwrap_err();
            assert!(error.starts_with("FILE: test 1: a name has letters"), "{error}");
        }
        assert!(queue("[[test]]\nnodes = 7").unwrap_err().contains("missing field `name`"));
        assert!(queue("other = 1").unwrap_err().contains("unknown field `other`"));
    }

    #[test]
    fn each_test_has_its_own_folder_in_the_common_one_for_logs() {
        let Queue { common, test } = queue(
            "common.logs = \"logs\"\n[[test]]\nname = \"a\"\n[[test]]\nname = \"b\"\nlogs = \"mine\"",
        )
        .unwrap();
        let logs = |test: &Test| settings_of(test, &common)["logs"].as_str().map(PathBuf::from);
        assert_eq!(logs(&test[0]), Some(Path::new("logs").join("a")));
        assert_eq!(logs(&test[1]), Some("mine".into()));
    }

    #[test]
    fn a_test_plays_without_common_settings_that_its_own_exclude() {
        let names = |common: &str, own: &str| {
            let text = format!("[common]\n{common}\n[[test]]\nname = \"a\"\n{own}");
            let Queue { common, test } = queue(&text).unwrap();
            settings_of(&test[0], &common).keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(names("tc = 5\nnodes = 9", "st = 1"), ["nodes", "st"]);
        let openings = "openings = \"book.epd\"";
        assert_eq!(names("random-plies = 8", openings), ["openings"]);
        assert_eq!(names(openings, "random-plies = 8"), ["random-plies"]);
        let openings = "openings = \"book.epd\"\nopening-plies = 8";
        assert_eq!(names(openings, "random-plies = 8"), ["random-plies"]);
        assert_eq!(names("random-plies = 8", "shuffle = true"), ["shuffle"]);
        assert_eq!(names("random-plies = 8", "shuffle = false"), ["random-plies", "shuffle"]);
        assert_eq!(names("resign = \"4 600\"", "no-adjudication = true"), ["no-adjudication"]);
    }

    #[test]
    fn games_of_other_settings_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let [config, pgn] = ["toml", "pgn"].map(|ending| folder.path().join(format!("a.{ending}")));
        let settings = |text: &str| text.parse::<toml::Table>().unwrap();
        let check = |text: &str| check_unchanged(&config, &pgn, &settings(text)).is_ok();
        fs::write(&config, "nodes = 2000\ngames = 20\n").unwrap();
        assert!(check("nodes = 5\ngames = 20"), "no game has been played");
        fs::write(&pgn, "[Event \"a\"]\n").unwrap();
        assert!(check("games = 30\nnodes = 2000\nconcurrency = 2\nlogs = \"logs\""));
        assert!(!check("nodes = 5\ngames = 20"));
    }
}
