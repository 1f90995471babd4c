//! Plays scenes through a real xboard, as a grader would. xboard loads the moves of the scene as a game and
//! lets the bot go on against a bot of ours that moves at random; what the bot answers stands in xboard's
//! debug log.

use std::env;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::cecp::early_answer;
use super::driver::{Answer, Driver};
use super::scene::PreparedScene;
use crate::arena::comply::record::{Record, STARTUP};
use crate::arena::comply::step::NotOk;
use crate::arena::engine_slot::EngineSlot;
use crate::arena::engines::{
    EngineError, EngineLine, EngineSpec, Process, Stderr, StopSignal, Transcript,
};
use crate::arena::judging::comments;
use crate::arena::judging::log::reader::{LogLine, LogReader, Said};
use crate::arena::judging::sheet::shown;
use crate::own_program::own_program;
use crate::screen::Screen;
use trebuchet::cecp::wire::Reply;
use trebuchet::play::Game;
use trebuchet::types::Color;
use trebuchet::variants::VariantId;

/// How often the log is read at least.
const PAUSE: Duration = Duration::from_millis(50);

/// The names of the files in the folder of a scene.
const GAME: &str = "scene.pgn";
const LOG: &str = "scene.debug";

/// xboard, and a bot of ours as the opponent.
pub struct Xboard {
    bot: EngineSpec,
    stop: StopSignal,
    /// Where xboard stands, if there is no other screen.
    screen: Option<Screen>,
    /// Has the game that xboard loads, and its log.
    folder: TempDir,
    record: Record,
}

/// What the log of a scene tells so far.
#[derive(Default)]
struct Told {
    /// The bot was told to go.
    is_asked: bool,
    answer: Option<Answer>,
    /// On its turn the bot has written this move without `move`.
    bare: Option<String>,
    /// xboard says that the process of the bot has ended.
    has_ended: bool,
}

/// Does xboard know the rules of the game? In others it would call legal moves illegal.
pub const fn knows(variant: VariantId) -> bool {
    !matches!(variant, VariantId::Antichess | VariantId::Horde | VariantId::RacingKings)
}

impl Xboard {
    /// Is all there that is needed: xboard, and a screen or Xvfb, which is one?
    pub fn is_installed() -> bool {
        find("xboard").is_some() && (has_screen() || find("Xvfb").is_some())
    }

    /// Gets ready. Each scene starts an xboard and the bot anew.
    ///
    /// # Errors
    /// If there can be no folder for its files, or no screen.
    pub fn new(bot: &EngineSpec, stop: StopSignal) -> io::Result<Xboard> {
        let folder = tempfile::tempdir()?;
        let screen = (!has_screen()).then(Screen::start).transpose()?;
        Ok(Xboard { bot: bot.clone(), stop, screen, folder, record: Record::default() })
    }

    /// The command that plays the scene.
    fn command(
        &self,
        prepared: &PreparedScene,
        variant: VariantId,
    ) -> Result<Vec<String>, EngineError> {
        let program = own_program().map_err(EngineError::Spawn)?;
        let opponent = format!("{} --stage random", quoted(&program.to_string_lossy()));
        let words: Vec<String> = self.bot.command.iter().map(|word| quoted(word)).collect();
        let is_black = (prepared.board.side_to_move() == Color::Black).to_string();
        let xboard = find("xboard").unwrap_or_else(|| PathBuf::from("xboard"));
        let mut command = vec![xboard.to_string_lossy().into_owned()];
        // xboard stands in a folder of its own, and the bot in its own one or in ours.
        let folder = self.bot.directory.as_deref().unwrap_or(Path::new("."));
        let folder = path::absolute(folder).map_err(EngineError::Spawn)?;
        let seconds = prepared.scene.clock().as_secs();
        let clock = format!("{}:{:02}", seconds / 60, seconds % 60);
        let options = [
            ("-fd", &*folder.to_string_lossy()),
            ("-fcp", words.join(" ").as_str()),
            ("-scp", &opponent),
            ("-variant", variant.name()),
            ("-firstPlaysBlack", &is_black),
            ("-matchGames", "1"),
            ("-loadGameFile", GAME),
            ("-loadGameIndex", "1"),
            ("-timeControl", &clock),
            ("-timeIncrement", "0"),
            // A bot may take longer than its clock has.
            ("-autoCallFlag", "false"),
            ("-nameOfDebugFile", LOG),
            ("-saveSettingsOnExit", "false"),
        ]
        .map(|(name, value)| [name.to_owned(), value.to_owned()]);
        command.extend(options.into_iter().flatten());
        command.extend(["-debug", "-noGUI", "-xexit"].map(str::to_owned));
        Ok(command)
    }

    /// Waits for the bot's answer.
    fn await_answer(&self, xboard: &mut Process, prepared: &PreparedScene) -> Result<Told, NotOk> {
        let patience = prepared.scene.patience();
        let mut deadline = Instant::now() + STARTUP + patience;
        let (mut was_asked, mut words) = (false, String::new());
        loop {
            let has_ended = match xboard.receive_by(Instant::now() + PAUSE) {
                Err(EngineError::Interrupted) => return Err(EngineError::Interrupted.into()),
                Err(_) => true,
                Ok(line) => {
                    words = line.map_or(words, |line| line.text);
                    false
                }
            };
            let told = self.read_log(&*prepared.board);
            let is_over = has_ended || Instant::now() > deadline;
            if told.answer.is_some() || told.has_ended || told.is_asked && is_over {
                return Ok(told);
            } else if is_over {
                return Err(NotOk::Skip(format!("was not asked by xboard: {}", shown(&words))));
            }
            if told.is_asked && !was_asked {
                (was_asked, deadline) = (true, Instant::now() + patience);
            }
        }
    }

    /// The whole lines of the log.
    fn log(&self) -> Vec<u8> {
        let mut text = fs::read(self.folder.path().join(LOG)).unwrap_or_default();
        let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        text.truncate(end);
        text
    }

    fn read_log(&self, board: &dyn Game) -> Told {
        let log = self.log();
        let mut reader = LogReader::new(log.as_slice());
        let mut told = Told::default();
        while let Ok(Some((_, line))) = reader.next_line() {
            match line {
                LogLine::Protocol {
                    slot: EngineSlot::First, said: Said::ToEngine(text), ..
                } => {
                    told.is_asked |= text == b"go";
                }
                LogLine::Protocol {
                    slot: EngineSlot::First, said: Said::FromEngine(text), ..
                } => {
                    told.hear(&text, board);
                }
                LogLine::Note(note) => {
                    let note = String::from_utf8_lossy(&note);
                    if note.starts_with("GameEnds(")
                        && comments::is_crash(&note)
                        && note.contains("first chess program")
                    {
                        told.has_ended = true;
                    }
                }
                LogLine::Protocol { .. } => {}
            }
            if told.answer.is_some() || told.has_ended {
                break;
            }
        }
        told
    }

    /// The dialogue of the bot in the log becomes that of the step.
    fn keep_dialogue(&mut self) {
        let log = self.log();
        let mut reader = LogReader::new(log.as_slice());
        while let Ok(Some((_, line))) = reader.next_line() {
            let LogLine::Protocol { slot: EngineSlot::First, said, .. } = line else { continue };
            match said {
                Said::ToEngine(text) => self.record.sent(&String::from_utf8_lossy(&text)),
                Said::FromEngine(text) => {
                    let text = String::from_utf8_lossy(&text).into_owned();
                    let line = EngineLine { at: Instant::now(), text, is_error: false };
                    // A log that is too long is cut.
                    if self.record.received(&line).is_err() {
                        return;
                    }
                }
            }
        }
    }
}

impl Told {
    /// A line of the bot.
    fn hear(&mut self, line: &[u8], board: &dyn Game) {
        match Reply::parse(line) {
            Reply::Move(text) if self.is_asked => self.answer = Some(Answer::Move(text)),
            Reply::Resign if self.is_asked => self.answer = Some(Answer::Resignation),
            Reply::Result(result, _) if self.is_asked => {
                self.answer = Some(Answer::to_result(result, board));
            }
            Reply::Other(text) if self.is_asked && board.parse_move(text.trim()).is_ok() => {
                self.bare.get_or_insert_with(|| text.trim().to_owned());
            }
            // Refusals count after the question, too.
            reply => self.answer = early_answer(reply),
        }
    }
}

impl Driver for Xboard {
    fn not_in_protocol(&self, prepared: &PreparedScene) -> Option<&'static str> {
        if prepared.board.outcome().is_some() {
            Some("xboard itself ends a game that is over")
        } else if prepared.scene.after_game {
            Some("xboard plays one game here")
        } else {
            None
        }
    }

    fn ask(&mut self, prepared: &PreparedScene, variant: VariantId) -> Result<Answer, NotOk> {
        let folder = self.folder.path().to_owned();
        let file_error = |error| NotOk::Engine(EngineError::Spawn(error));
        fs::write(folder.join(GAME), game(prepared)).map_err(file_error)?;
        fs::write(folder.join(LOG), "").map_err(file_error)?;
        self.record.begin_process();
        let xboard = EngineSpec {
            command: self.command(prepared, variant)?,
            directory: Some(folder),
            environment: self.screen.iter().flat_map(Screen::environment).collect(),
            ..EngineSpec::default()
        };
        let mut xboard = Process::start(&xboard, Stderr::Receive, self.stop.clone())?;
        let told = self.await_answer(&mut xboard, prepared);
        drop(xboard);
        self.keep_dialogue();
        let told = told?;
        match told.answer {
            Some(answer) => Ok(answer),
            None if told.has_ended => {
                Err(EngineError::Ended { status: None, last_words: String::new() }.into())
            }
            None => Ok(Answer::Nothing { bare: told.bare }),
        }
    }

    fn start_again(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    fn transcript(&self) -> &Record {
        &self.record
    }

    fn transcript_mut(&mut self) -> &mut Record {
        &mut self.record
    }
}

/// The scene as a game in PGN, with moves in coordinates, which xboard reads, too.
fn game(prepared: &PreparedScene) -> String {
    let position = prepared.scene.fen.as_ref();
    let position = position.map(|fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
    let position = position.unwrap_or_default();
    let moves = prepared.moves.join(" ");
    format!(
        "[Event \"Scene\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n{position}\n{moves} *\n"
    )
}

/// A word of a command for xboard, which knows quotes but no escapes.
fn quoted(word: &str) -> String {
    if !word.is_empty() && !word.contains([' ', '\t', '\'', '"']) {
        word.to_owned()
    } else if word.contains('"') {
        format!("'{word}'")
    } else {
        format!("\"{word}\"")
    }
}

fn has_screen() -> bool {
    env::var_os("DISPLAY").is_some_and(|name| !name.is_empty())
}

/// A program on the `PATH`, or among Debian's games.
fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(program)).find(|file| file.is_file())
}
