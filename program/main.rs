//! The program. Reads the command line, then plays under a GUI, plays at the terminal, or runs a
//! subcommand.

mod bench;
mod commands;
mod perft;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use trebuchet::cecp::session::{CecpSession, FIRST_VARIANT};
use trebuchet::play::{Engine, Host, ResourceLimits, SearchEvent};
use trebuchet::protocol::options::SessionSettings;
use trebuchet::protocol::run_log;
use trebuchet::protocol::session_loop::{SessionLoop, watch_stdout};
use trebuchet::terminal::{self, Ending};

use commands::{Cli, EngineArgs};

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
    terminal::run(args.variant, args.settings(), args.coach)
}

/// Speaks the protocol on standard input and output. Prints nothing to standard error, because xboard
/// reads that as protocol, too.
fn speak_cecp(args: &EngineArgs) -> ExitCode {
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
    let session = CecpSession::new(engine, settings);
    watch_stdout(session_loop.hang_up());
    match session_loop.run(session, io::stdin(), io::stdout(), &mut run_log::Recorder) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}
