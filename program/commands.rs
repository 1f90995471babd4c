//! The command line of the program, its subcommands (`trebuchet <command> …`), and the manual page
//! that is made from them.
//!
//! Each command is a file or folder with its arguments and a function `run`. `bench` and `perft` live
//! here, `serve` in the engine, all others in the workbench: `arena` for operators of matches,
//! `report` for those who read games, `tuning` for developers who improve the engine's strength.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};

use clap::CommandFactory;
use clap::builder::OsStringValueParser;
use clap_mangen::Man;

use trebuchet::args::{hash, threads};
use trebuchet::play::{
    BookSettings, EngineSettings, GREATEST_LIMITED_ELO, MAX_SEED, SkillLevel, Stage,
};
use trebuchet::protocol::stdout::is_stdout_unread;
use trebuchet::serve;
use trebuchet::tablebase::TablePaths;
use trebuchet::text::tell;
use trebuchet::variants::VariantId;
#[cfg(feature = "workbench")]
use workbench::{
    arena::{check, comply, exam, matches, queue},
    egtb, page, puzzles,
    report::{annotate, diagram, exercises_command},
    tuning::{book, data, datagen, openings, spsa, train, tune},
};

use crate::{bench, perft};

/// A chess engine for xboard, WinBoard (CECP) and UCI GUIs that plays several variants.
///
/// A GUI that starts the program gets the protocol. In a terminal, the program plays against you.
#[derive(Debug, clap::Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    pub subcommand: Option<Subcommand>,
    #[command(flatten)]
    pub engine: EngineArgs,
}

// The options of the engine. A doc comment here would replace the description of the program.
#[derive(Debug, clap::Args)]
pub struct EngineArgs {
    /// How moves are chosen: pawns, random or full
    #[arg(long, default_value_t)]
    stage: Stage,
    /// How strong the engine plays: Beginner, Amateur, Intermediate, Hard or Master
    #[arg(long, default_value_t)]
    level: SkillLevel,
    /// How strong the engine plays, in Elo; 0 leaves that to the level
    #[arg(long, value_name = "ELO", default_value_t, value_parser = clap::value_parser!(u32).range(0..=i64::from(GREATEST_LIMITED_ELO)))]
    strength: u32,
    /// The strength follows your results from game to game, separately for each variant
    #[arg(long)]
    adaptive: bool,
    /// Help a learner: judge moves, give reasons, show contested squares; until a GUI says otherwise
    #[arg(long)]
    pub coach: bool,
    /// Make the stage random, the levels and the choice among book moves repeatable
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=MAX_SEED))]
    seed: Option<u64>,
    /// The size of the transposition table in MiB, until a GUI sets another
    #[arg(long, value_name = "MIB", value_parser = hash())]
    hash: Option<u32>,
    /// The number of search threads, until a GUI sets another
    #[arg(long, value_name = "N", value_parser = threads())]
    cores: Option<u16>,
    /// A Polyglot file with the opening book, instead of the built-in books
    #[arg(long, value_name = "FILE", conflicts_with = "no_book")]
    book: Option<String>,
    /// Play without an opening book
    #[arg(long)]
    no_book: bool,
    /// Folders with endgame tables, for chess and for three-check, until a GUI sets others
    #[arg(long, value_name = "DIRS")]
    tablebases: Option<String>,
    /// The game to play at the terminal; a GUI chooses the game itself
    #[arg(long, value_enum, default_value = "normal")]
    pub variant: VariantId,
    /// Write a log of the dialogue with a GUI into a new file in this folder
    // Clap's own parser of paths refuses an empty value and ends the program.
    #[arg(long, value_name = "DIR", env = "TREBUCHET_LOG", value_parser = OsStringValueParser::new())]
    pub log: Option<OsString>,
    /// Speak the protocol even in a terminal
    #[arg(long)]
    pub xboard: bool,
}

impl EngineArgs {
    /// The settings of the engine until a GUI changes them.
    pub fn settings(&self) -> EngineSettings {
        let usual = EngineSettings::default();
        EngineSettings {
            stage: self.stage,
            level: self.level,
            strength: self.strength,
            adaptive: self.adaptive,
            seed: self.seed.unwrap_or(usual.seed),
            hash: self.hash.map_or(usual.hash, |mebibytes| mebibytes as usize),
            threads: self.cores.map_or(usual.threads, usize::from),
            book: BookSettings {
                is_used: !self.no_book,
                file: self.book.clone().unwrap_or_default(),
                ..usual.book
            },
            tables: match &self.tablebases {
                Some(paths) => TablePaths { syzygy: paths.clone(), three_check: paths.clone() },
                None => usual.tables,
            },
            ..usual
        }
    }
}

/// The subcommands. A new one needs a line here and one in [`Subcommand::run`].
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Subcommand {
    Perft(perft::PerftArgs),
    Bench(bench::BenchArgs),
    #[cfg(feature = "workbench")]
    Match(Box<matches::MatchArgs>),
    #[cfg(feature = "workbench")]
    Queue(queue::QueueArgs),
    #[cfg(feature = "workbench")]
    Comply(comply::ComplyArgs),
    #[cfg(feature = "workbench")]
    Annotate(annotate::AnnotateArgs),
    #[cfg(feature = "workbench")]
    Exercises(exercises_command::ExercisesArgs),
    #[cfg(feature = "workbench")]
    Puzzles(puzzles::PuzzlesArgs),
    #[cfg(feature = "workbench")]
    Page(page::PageArgs),
    #[cfg(feature = "workbench")]
    Check(check::CheckArgs),
    #[cfg(feature = "workbench")]
    Exam(Box<exam::ExamArgs>),
    #[cfg(feature = "workbench")]
    Book(book::BookArgs),
    #[cfg(feature = "workbench")]
    Openings(openings::OpeningsArgs),
    Serve(serve::ServeArgs),
    #[cfg(feature = "workbench")]
    Datagen(datagen::DatagenArgs),
    #[cfg(feature = "workbench")]
    Data(data::DataArgs),
    #[cfg(feature = "workbench")]
    Tune(tune::TuneArgs),
    #[cfg(feature = "workbench")]
    Train(train::TrainArgs),
    #[cfg(feature = "workbench")]
    Spsa(spsa::SpsaArgs),
    #[cfg(feature = "workbench")]
    Egtb(egtb::EgtbArgs),
    #[cfg(feature = "workbench")]
    Diagram(diagram::DiagramArgs),
    /// Write the manual page to standard output
    #[command(hide = true)]
    Man,
}

impl Subcommand {
    /// Runs the subcommand, prints its error on standard error, and returns the exit status.
    pub fn run(&self) -> u8 {
        match self {
            Subcommand::Perft(args) => status(perft::run(args)),
            Subcommand::Bench(args) => status(bench::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Comply(args) => comply::run(args).map_or_else(
                |error| failure(&error, error.exit_code()),
                |counts| counts.exit_code(),
            ),
            #[cfg(feature = "workbench")]
            Subcommand::Annotate(args) => annotate::run(args)
                .map_or_else(|error| failure(&error, 1), |conclusion| conclusion.exit_code()),
            #[cfg(feature = "workbench")]
            Subcommand::Exercises(args) => exercises_command::run(args)
                .map_or_else(|error| failure(&error, 1), |conclusion| conclusion.exit_code()),
            #[cfg(feature = "workbench")]
            Subcommand::Puzzles(args) => status(puzzles::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Page(args) => status(page::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Check(args) => check::run(args).map_or_else(
                |error| failure(&error, error.exit_code()),
                |conclusion| conclusion.exit_code(),
            ),
            #[cfg(feature = "workbench")]
            Subcommand::Exam(args) => {
                exam::run(args).unwrap_or_else(|error| failure(&error, error.exit_code()))
            }
            #[cfg(feature = "workbench")]
            Subcommand::Book(args) => status(book::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Openings(args) => status(openings::run(args)),
            Subcommand::Serve(args) => status(serve::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Datagen(args) => status(datagen::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Data(args) => status(data::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Tune(args) => status(tune::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Train(args) => status(train::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Queue(args) => {
                queue::run(args).map_or_else(|error| failure(&error, error.exit_code()), |()| 0)
            }
            #[cfg(feature = "workbench")]
            Subcommand::Spsa(args) => status(spsa::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Egtb(args) => status(egtb::run(args)),
            #[cfg(feature = "workbench")]
            Subcommand::Diagram(args) => status(diagram::run(args)),
            Subcommand::Man => status(write_man_page(&mut io::stdout())),
            #[cfg(feature = "workbench")]
            Subcommand::Match(args) => matches::run(args).map_or_else(
                |error| failure(&error, error.exit_code()),
                |conclusion| conclusion.exit_code(),
            ),
        }
    }
}

/// The part of the manual page that the command line does not tell.
const MAN_PAGE_END: &str = include_str!("man_end.roff");

/// Writes the manual page: the options of the engine, each subcommand with its options, and the rest.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_man_page(out: &mut impl Write) -> io::Result<()> {
    let mut command = Cli::command();
    command.build();
    let man = Man::new(command.clone()).title("TREBUCHET").section("6").manual("Games");
    let man = man.source("Trebuchet").date("\"\"");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    writeln!(out, ".SH COMMANDS")?;
    let is_shown =
        |command: &&clap::Command| !command.is_hide_set() && command.get_name() != "help";
    for subcommand in command.get_subcommands().filter(is_shown) {
        let name = subcommand.get_name();
        write_man_section(out, name, subcommand)?;
        for part in subcommand.get_subcommands().filter(is_shown) {
            write_man_section(out, &format!("{name} {}", part.get_name()), part)?;
        }
    }
    out.write_all(MAN_PAGE_END.as_bytes())
}

/// Writes the subsection of a subcommand.
fn write_man_section(
    out: &mut impl Write,
    name: &str,
    subcommand: &clap::Command,
) -> io::Result<()> {
    writeln!(out, ".SS {name}")?;
    let man = Man::new(subcommand.clone());
    let mut text = Vec::new();
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    // All of this belongs to one subsection.
    let text = String::from_utf8_lossy(&text).into_owned();
    for line in text.lines() {
        let is_heading = line.starts_with(".SH ") || line.starts_with(".ie ");
        let line = if line.starts_with(".SH ") { ".PP" } else { line };
        if !is_heading || line == ".PP" {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn status(result: Result<(), impl Error>) -> u8 {
    result.map_or_else(|error| failure(&error, 1), |()| 0)
}

/// The exit status of a program that SIGPIPE ends, in the words of a shell.
const BROKEN_PIPE: u8 = 128 + 13;

/// The exit status; an error is told. If a reader such as `head` has read enough, that is no error.
pub fn failure(error: &impl Error, status: u8) -> u8 {
    let text = error.to_string();
    // Commands name the file in their errors, if it has a name, and end with the cause.
    if text.ends_with("Broken pipe (os error 32)") && is_stdout_unread() {
        return BROKEN_PIPE;
    }
    tell(&format!("trebuchet: {text}"));
    status
}
