//! The program. Reads the command line, then plays under a GUI, plays at the terminal, or runs a
//! subcommand.

mod bench;
mod commands;
mod genfens;
mod perft;

use std::env;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use trebuchet::cecp::session::FIRST_VARIANT;
use trebuchet::dialogue::Dialogue;
use trebuchet::play::{Engine, Host, ResourceLimits, SearchEvent};
use trebuchet::protocol::options::SessionSettings;
use trebuchet::protocol::run_log;
use trebuchet::protocol::session_loop::SessionLoop;
use trebuchet::protocol::stdout::watch_stdout;
use trebuchet::terminal::{self, Exit};

use commands::{Cli, EngineArgs};

fn main() -> ExitCode {
    let arguments: Vec<String> =
        env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
    if let Some(printed) = genfens::answer(&arguments) {
        return ended(printed);
    }
    let cli = Cli::parse();
    if let Some(subcommand) = &cli.subcommand {
        return ExitCode::from(subcommand.run());
    }
    match talk(&cli.engine) {
        Ok(Exit::Quit) => ExitCode::SUCCESS,
        Ok(Exit::Protocol(begun)) => speak(&cli.engine, begun),
        Err(error) => ended(Err(error)),
    }
}

/// The exit status; an error is told.
fn ended(outcome: io::Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ExitCode::from(commands::failure(&error, 1)),
    }
}

/// Plays with the person at the terminal until they leave or start the protocol. Returns at once if
/// standard input is not a terminal.
fn talk(args: &EngineArgs) -> io::Result<Exit> {
    if args.xboard || !io::stdin().is_terminal() {
        return Ok(Exit::Protocol(""));
    }
    terminal::run(args.variant, args.settings(), args.coach)
}

/// Speaks a protocol on standard input and output. `begun` is what the GUI has said already. Prints
/// nothing to standard error, because xboard reads that as protocol, too.
fn speak(args: &EngineArgs, begun: &'static str) -> ExitCode {
    run_log::init();
    let session_loop = SessionLoop::new();
    if let Some(folder) = args.log.as_deref().filter(|folder| !folder.is_empty())
        && let Err(error) = run_log::write_into(Path::new(folder))
    {
        let problem = run_log::problem(&folder.to_string_lossy(), &error);
        session_loop.sink()(SearchEvent::Message(problem));
    }
    let host = Host::native(ResourceLimits::of_this_machine(), session_loop.sink());
    let engine = Engine::new(FIRST_VARIANT, args.settings(), host);
    let settings = SessionSettings { coach: args.coach, ..SessionSettings::default() };
    let session = Dialogue::new(engine, settings);
    watch_stdout(session_loop.hang_up());
    let input = begun.as_bytes().chain(io::stdin());
    match session_loop.run(session, input, io::stdout(), &mut run_log::Recorder) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}
