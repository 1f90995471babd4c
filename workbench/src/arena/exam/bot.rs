//! A bot to be examined: how it is built and run.

use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Deserialize;

use crate::arena::engines::spec::split_words;
use crate::arena::engines::{EngineSpec, Protocol};
use crate::files::{self, MAX_SETTINGS};
use crate::settings_text::{self, SettingsError};

/// The file in a bot's folder that says how it is built and run.
pub const BOT_FILE: &str = "exam.toml";

/// Words that only a shell understands, as words of their own.
const SHELL_WORDS: [&str; 4] = ["&&", "||", "|", ";"];

/// The beginnings of words by which a shell sends input and output elsewhere.
const REDIRECTIONS: [&str; 3] = [">", "<", "2>"];

/// How the protocol of a bot is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SpokenProtocol {
    /// The bot is asked
    #[default]
    Auto,
    /// The protocol of xboard
    Cecp,
    /// The protocol of most other interfaces
    Uci,
}

impl SpokenProtocol {
    /// The protocol; `None` if the bot has to be asked.
    pub const fn given(self) -> Option<Protocol> {
        match self {
            SpokenProtocol::Auto => None,
            SpokenProtocol::Cecp => Some(Protocol::Cecp),
            SpokenProtocol::Uci => Some(Protocol::Uci),
        }
    }
}

/// A bot to be examined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bot {
    /// The name of its folder or program.
    pub name: String,
    /// The command that builds it and its arguments. `None`: there is nothing to build.
    pub build: Option<Vec<String>>,
    /// The command that runs it and its arguments.
    pub command: Vec<String>,
    /// Where both are run.
    pub folder: Option<PathBuf>,
    /// Was the folder handed in by others?
    pub is_foreign: bool,
    /// What its file says of its protocol, before all else.
    pub protocol: Option<SpokenProtocol>,
}

/// Why a folder is no bot.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    #[error("{}: {error}", path.display())]
    Folder { path: PathBuf, error: io::Error },
    #[error("{}: the name of this folder is not in UTF-8; give it another one", .0.display())]
    Name(PathBuf),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}:{error}", path.display())]
    Settings { path: PathBuf, error: SettingsError },
    #[error("`{0}` is no command: it is empty, or a quotation mark is missing")]
    Command(String),
    #[error(
        "`{command}`: only a shell understands `{word}`, and none runs this: write sh -c '...'"
    )]
    Shell { command: String, word: String },
}

/// The commands that build and run a bot, and its protocol; an empty build command builds nothing.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BotFile {
    build: Option<String>,
    run: Option<String>,
    protocol: Option<SpokenProtocol>,
}

impl Bot {
    /// A program with its arguments.
    pub fn program(command: &[String], folder: Option<&Path>) -> Bot {
        let spec = EngineSpec { command: command.to_vec(), ..EngineSpec::default() };
        Bot {
            name: spec.label(),
            build: None,
            command: spec.command,
            folder: folder.map(Path::to_owned),
            is_foreign: false,
            protocol: None,
        }
    }

    /// The name of the bot in a folder: that of the folder, also where the path is `.`.
    pub fn name_of(folder: &Path) -> String {
        let named = if folder.file_name().is_some() { None } else { folder.canonicalize().ok() };
        let folder = named.as_deref().unwrap_or(folder);
        folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned()
    }

    /// The bot in a folder. Its file `exam.toml` may say how it is built and run; otherwise it is done by
    /// these commands.
    ///
    /// # Errors
    /// If the folder does not exist, its file cannot be read or is a link or a pipe, which could lead out of the
    /// folder or never end, or a command is empty or for a shell.
    pub fn in_folder(folder: &Path, build: &str, run: &str) -> Result<Bot, BotError> {
        let name = Bot::name_of(folder);
        let folder = folder
            .canonicalize()
            .and_then(|path| {
                if path.is_dir() { Ok(path) } else { Err(io::ErrorKind::NotADirectory.into()) }
            })
            .map_err(|error| BotError::Folder { path: folder.to_owned(), error })?;
        let path = folder.join(BOT_FILE);
        let file = if path.symlink_metadata().is_ok() {
            let text = files::read_foreign_text(&path, MAX_SETTINGS)
                .map_err(|error| BotError::File { path: path.clone(), error })?;
            settings_text::parse(&text).map_err(|error| BotError::Settings { path, error })?
        } else {
            BotFile::default()
        };
        let build = file.build.unwrap_or_else(|| build.to_owned());
        let run = file.run.unwrap_or_else(|| run.to_owned());
        Ok(Bot {
            name,
            build: if build.trim().is_empty() { None } else { Some(command(&build)?) },
            command: command(&run)?,
            folder: Some(folder),
            is_foreign: true,
            protocol: file.protocol,
        })
    }
}

fn command(text: &str) -> Result<Vec<String>, BotError> {
    let words = split_words(text).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| BotError::Command(text.to_owned()))?;
    match words.iter().find(|word| is_for_shell(word)) {
        Some(word) => Err(BotError::Shell { command: text.to_owned(), word: word.clone() }),
        None => Ok(words),
    }
}

/// Is it a word for a shell? A `;` often follows another word at once.
fn is_for_shell(word: &str) -> bool {
    SHELL_WORDS.contains(&word)
        || word.ends_with(';')
        || REDIRECTIONS.iter().any(|sign| word.starts_with(sign))
}

/// A command of an option, which no shell runs.
///
/// # Errors
/// If only a shell would understand it: in words.
pub fn without_shell(text: &str) -> Result<String, String> {
    match command(text) {
        Err(error @ BotError::Shell { .. }) => Err(error.to_string()),
        _ => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_may_say_how_its_bot_is_built_and_run() {
        let folder = tempfile::tempdir().unwrap();
        let bot = || Bot::in_folder(folder.path(), "make build", "make run");
        let usual = bot().unwrap();
        assert_eq!(usual.build.unwrap(), ["make", "build"]);
        assert_eq!(usual.command, ["make", "run"]);
        let file = folder.path().join(BOT_FILE);
        fs::write(&file, "build = ''\nrun = 'python3 \"my bot.py\"'").unwrap();
        let own = bot().unwrap();
        assert_eq!((own.build, own.command), (None, vec!["python3".into(), "my bot.py".into()]));
        fs::write(&file, "run = 'x'\nprotocol = 'uci'").unwrap();
        assert_eq!(bot().unwrap().protocol, Some(SpokenProtocol::Uci));
        for (text, reason) in [
            ("run = ''", "is no command"),
            ("start = 'x'", "unknown field"),
            ("protocol = 'http'", "unknown variant"),
            ("run = \"'x\"", "is no command"),
        ] {
            fs::write(&file, text).unwrap();
            let error = bot().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let missing = Bot::in_folder(&folder.path().join("no"), "", "x");
        assert!(matches!(missing, Err(BotError::Folder { .. })));
    }

    #[test]
    fn a_command_for_a_shell_is_refused() {
        let refused = |text| without_shell(text).unwrap_err();
        assert_eq!(
            refused("make clean && make build"),
            "`make clean && make build`: only a shell understands `&&`, and none runs this: write sh -c '...'"
        );
        for (text, word) in [
            ("make || true", "||"),
            ("make | tail", "|"),
            ("make clean ; make", ";"),
            ("make clean; make", "clean;"),
            ("./bot > log", ">"),
            ("./bot >>log", ">>log"),
            ("./bot < moves", "<"),
            ("./bot 2>/dev/null", "2>/dev/null"),
        ] {
            assert!(refused(text).contains(&format!("understands `{word}`,")), "{text}");
        }
        for text in ["", "make build", "sh -c 'make clean && make build > log'", "./bot --depth=2"]
        {
            assert_eq!(without_shell(text).as_deref(), Ok(text));
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(BOT_FILE), "build = 'make clean && make build'").unwrap();
        let found = Bot::in_folder(folder.path(), "make build", "make run");
        assert!(matches!(found, Err(BotError::Shell { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_or_a_pipe_is_no_file_of_the_bot() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::NamedTempFile::new().unwrap();
        let file = folder.path().join(BOT_FILE);
        let reason = || {
            let found = Bot::in_folder(folder.path(), "make build", "make run");
            matches!(&found, Err(BotError::File { .. })).then(|| found.unwrap_err().to_string())
        };
        std::os::unix::fs::symlink(other.path(), &file).unwrap();
        assert!(reason().unwrap().ends_with(": not a file"), "{:?}", reason());
        fs::remove_file(&file).unwrap();
        // Whoever opens it waits for a writer.
        let made = std::process::Command::new("mkfifo").arg(&file).status();
        assert!(made.unwrap().success());
        assert!(reason().is_some());
    }
}
