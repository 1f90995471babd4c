//! The program: reads the command line, then plays under a GUI, plays with a person, or runs a
//! tool.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Parser};
use trebuchet::cecp::io::{Wire, watch_stdout};
use trebuchet::cecp::options::SessionSettings;
use trebuchet::cecp::run_log;
use trebuchet::cecp::session::{FIRST_VARIANT, Session};
use trebuchet::commands::Subcommand;
use trebuchet::play::{Engine, EngineSettings, MAX_HASH, MAX_THREADS, ResourceLimits, Stage};
use trebuchet::terminal::{self, Ending};
use trebuchet::variants::VariantId;

/// A chess engine for several variants that plays under xboard and WinBoard (CECP).
///
/// Started by a GUI it speaks the protocol; started by hand it plays at the terminal.
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
    /// Make the stages pawns and random repeatable
    #[arg(long)]
    seed: Option<u64>,
    /// The size of the transposition table in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=MAX_HASH as i64))]
    hash: Option<u32>,
    /// The number of search threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS as i64))]
    cores: Option<u32>,
    /// The game at the terminal; under a GUI the GUI chooses
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// Write a log of the dialogue into a new file in this folder
    #[arg(long, value_name = "DIR", env = "TREBUCHET_LOG")]
    log: Option<PathBuf>,
    /// Speak the protocol even on a terminal
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

/// Plays with the person at the terminal, if there is one, until they leave or hand over to a GUI.
fn talk(args: &EngineArgs) -> io::Result<Ending> {
    if args.xboard || !io::stdin().is_terminal() {
        return Ok(Ending::Protocol);
    }
    let (input, output) = (io::stdin().lock(), &mut io::stdout().lock());
    terminal::run(input, output, args.variant, args.settings())
}

/// Speaks the protocol on standard input and output. Nothing goes to standard error from here on:
/// xboard would read it as protocol.
fn speak_cecp(args: &EngineArgs) -> ExitCode {
    run_log::init();
    if let Some(folder) = args.log.as_deref().filter(|folder| !folder.as_os_str().is_empty()) {
        // Best effort: the engine plays without a log, too.
        let _ = run_log::write_into(folder);
    }
    let wire = Wire::new();
    let engine = Engine::new(FIRST_VARIANT, args.settings(), ResourceLimits::OWNER, wire.sink());
    let mut session = Session::new(engine, SessionSettings::default(), Instant::now());
    watch_stdout(wire.hang_up());
    let log_to = |file: &str| {
        let _ = run_log::write_to(Path::new(file));
    };
    match wire.run(&mut session, io::stdin(), io::stdout(), log_to) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}
