//! The program. Reads the command line, then plays under a GUI, plays at the terminal, or runs a
//! subcommand.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::builder::OsStringValueParser;
use clap::{Args, Parser};
use trebuchet::cecp::io::{Wire, watch_stdout};
use trebuchet::cecp::options::SessionSettings;
use trebuchet::cecp::run_log;
use trebuchet::cecp::session::{FIRST_VARIANT, Session};
use trebuchet::commands::Subcommand;
use trebuchet::play::{Engine, EngineSettings, MAX_HASH, MAX_THREADS, ResourceLimits, Stage};
use trebuchet::terminal::{self, Ending};
use trebuchet::variants::VariantId;

/// A chess engine for xboard and WinBoard (CECP) that plays several variants.
///
/// A GUI that starts the program gets the protocol. In a terminal, the program plays against you.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    subcommand: Option<Subcommand>,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Debug, Args)]
struct EngineArgs {
    /// How moves are chosen: pawns, random or full
    #[arg(long, default_value_t)]
    stage: Stage,
    /// Make the games of the stages pawns and random repeatable
    #[arg(long)]
    seed: Option<u64>,
    /// The size of the transposition table in MiB, until a GUI sets another
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=MAX_HASH as i64))]
    hash: Option<u32>,
    /// The number of search threads, until a GUI sets another
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS as i64))]
    cores: Option<u32>,
    /// The game to play at the terminal; a GUI chooses the game itself
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// Write a log of the dialogue into a new file in this folder
    // Clap's own parser of paths refuses an empty value and ends the program.
    #[arg(long, value_name = "DIR", env = "TREBUCHET_LOG", value_parser = OsStringValueParser::new())]
    log: Option<OsString>,
    /// Speak the protocol even in a terminal
    #[arg(long)]
    xboard: bool,
}

impl EngineArgs {
    fn settings(&self) -> EngineSettings {
        let usual = EngineSettings::default();
        EngineSettings {
            stage: self.stage,
            seed: self.seed.unwrap_or(usual.seed),
            hash: self.hash.map_or(usual.hash, |mebibytes| mebibytes as usize),
            threads: self.cores.map_or(usual.threads, |threads| threads as usize),
            ..usual
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(subcommand) = &cli.subcommand {
        return ExitCode::from(subcommand.run());
    }
    match talk(&cli.engine) {
        Ok(Ending::Quit) => ExitCode::SUCCESS,
        Ok(Ending::Protocol) => speak_cecp(&cli.engine),
        Err(error) => {
            eprintln!("trebuchet: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays with the person at the terminal until they leave or start the protocol. Returns at once if
/// standard input is not a terminal.
fn talk(args: &EngineArgs) -> io::Result<Ending> {
    if args.xboard || !io::stdin().is_terminal() {
        return Ok(Ending::Protocol);
    }
    let (input, output) = (io::stdin().lock(), &mut io::stdout().lock());
    terminal::run(input, output, args.variant, args.settings())
}

/// Speaks the protocol on standard input and output. Prints nothing to standard error, because xboard
/// reads that as protocol, too.
fn speak_cecp(args: &EngineArgs) -> ExitCode {
    run_log::init();
    if let Some(folder) = args.log.as_deref().filter(|folder| !folder.is_empty()) {
        // Best effort: the engine also plays without a log.
        let _ = run_log::write_into(Path::new(folder));
    }
    let wire = Wire::new();
    let engine =
        Engine::new(FIRST_VARIANT, args.settings(), ResourceLimits::of_this_machine(), wire.sink());
    let session = Session::new(engine, SessionSettings::default(), Instant::now());
    watch_stdout(wire.hang_up());
    match wire.run(session, io::stdin(), io::stdout(), &mut run_log::Recorder) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}
