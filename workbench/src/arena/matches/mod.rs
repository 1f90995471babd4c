//! `trebuchet match`: plays games between engines and measures their strength.
//!
//! The command: it reads the arguments, shows what [`runner`] plays, and writes the files. The rest is in
//! [`crate::arena::tournament`].

mod args;
mod config;
mod engine_settings;
mod report;
mod summary;
mod values;

use std::collections::HashSet;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

pub use args::{MatchArgs, MatchToolError};
pub use config::check_settings;
use report::ProgressDisplay;

use crate::arena::engines::StopSignal;
use crate::arena::tournament::event::MatchEvent;
use crate::arena::tournament::pairing::{FixedSchedule, Pairing};
use crate::arena::tournament::pgn_file::{PgnFile, check_writable};
use crate::arena::tournament::plan::Plan;
use crate::arena::tournament::resume::{self, ResumeError};
use crate::arena::tournament::runner;
use crate::arena::tournament::sprt::SprtDecision;
use crate::arena::tournament::standings::Standings;
use crate::files;
use crate::interrupts::on_interrupt;

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    Played,
    Decided(SprtDecision),
    Interrupted,
}

impl Conclusion {
    /// The exit status of the tool.
    pub const fn exit_code(self) -> u8 {
        match self {
            Conclusion::Played | Conclusion::Decided(SprtDecision::Accepted) => 0,
            Conclusion::Decided(SprtDecision::Rejected) => 1,
            Conclusion::Decided(SprtDecision::Open) => 3,
            Conclusion::Interrupted => 130,
        }
    }
}

/// Runs the tool.
///
/// # Errors
/// If the arguments are wrong, a file cannot be read or written, or an engine cannot be used.
pub fn run(args: &MatchArgs) -> Result<Conclusion, MatchToolError> {
    let args = args.clone().with_file()?;
    let mut plan = args.plan()?;
    let mut notices = Vec::new();
    let openings = args.read_openings(&mut notices)?;
    let opening_count = openings.count();
    let tournament = args.tournament.unwrap_or_default();
    let limits = plan.engines.iter().map(|engine| engine.limits.clone()).collect();
    let mut schedule =
        FixedSchedule::new(tournament, limits, args.games(), args.variant(), openings);
    let mut standings = Standings::new(plan.names.clone(), schedule.meetings());
    check_outputs(&args, &plan)?;
    let mut pgn = match &args.pgn {
        Some(path) => {
            Some(open_pgn(path, args.resume, &plan, &mut schedule, &mut standings, &mut notices)?)
        }
        None => None,
    };
    let (total, sprt) = (schedule.total(), plan.sprt);
    let mut display = ProgressDisplay::new(total as u64, standings.games(), sprt, args.quiet);
    let processors = thread::available_parallelism().map_or(usize::MAX, NonZero::get);
    let is_pondering = plan.engines.iter().any(|engine| engine.ponder);
    let overload = report::overload_warning(plan.concurrency.min(total), is_pondering, processors);
    overload.iter().chain(&notices).for_each(|notice| display.notice(notice));
    if let Some(count) = opening_count.filter(|&count| count < args.games().div_ceil(2)) {
        display.notice(&format!("there are only {count} openings: they are played more than once"));
    }
    let (halt, interrupted) = (StopSignal::default(), Arc::new(AtomicBool::new(false)));
    catch_interrupts(&halt, &interrupted, &display);

    let names = plan.names.clone();
    let mut written = Ok(());
    // A new process of an engine has the same remarks again.
    let mut remarks = HashSet::new();
    let mut on_event = |event: MatchEvent, standings: &Standings| match event {
        MatchEvent::Finished(finished) => {
            if let (Some(file), Ok(())) = (&mut pgn, &written) {
                // One write for each game, so that a match that is killed leaves whole games behind.
                written = file.append(&finished.record.to_pgn().to_string());
                if written.is_err() {
                    halt.stop();
                }
            }
            display.update(finished, standings);
        }
        MatchEvent::Remark { player, text } => {
            let remark = format!("{} {text}", names[player]);
            if !remarks.contains(&remark) {
                display.notice(&remark);
                remarks.insert(remark);
            }
        }
        MatchEvent::Tablebases(text) => display.notice(&format!("the tablebases: {text}")),
        MatchEvent::Withdrawn { player, why } => {
            display.notice(&format!("{} is withdrawn: it {why}", names[player]));
        }
    };
    let outcome = runner::run(&mut plan, &mut schedule, &mut standings, &halt, &mut on_event);
    display.finish();
    // Best effort: the files are written even if standard output is closed.
    let _ = write!(io::stdout(), "{}", report::full(&standings, sprt.as_ref()));
    if let Some(path) = &args.json {
        let text = summary::write(args.variant().name(), &standings, sprt.as_ref());
        files::replace(path, (text + "\n").as_bytes()).map_err(file_error(path))?;
    }
    if let Some(path) = &args.pgn {
        written.map_err(file_error(path))?;
    }
    if interrupted.load(Ordering::Relaxed) {
        return Ok(Conclusion::Interrupted);
    }
    outcome?;
    Ok(match sprt {
        Some(sprt) => Conclusion::Decided(standings.decision(&sprt)),
        None => Conclusion::Played,
    })
}

/// Refuses to write over a file that the match reads, or two results into the same file.
fn check_outputs(args: &MatchArgs, plan: &Plan) -> Result<(), MatchToolError> {
    let mut inputs: Vec<PathBuf> = args.config.iter().chain(&args.openings).cloned().collect();
    for engine in &plan.engines {
        inputs.extend(files::named_in(&engine.command, engine.directory.as_deref()));
    }
    if let Some(path) = &args.pgn {
        files::check_output(path, &inputs).map_err(file_error(path))?;
    }
    if let (Some(games), Some(path)) = (&args.pgn, &args.json)
        && (path.is_file() || !path.exists())
        && files::is_same(games, path)
    {
        return Err(MatchToolError::SharedFile(path.clone()));
    }
    if let Some(path) = &args.json {
        files::check_json_output(path, &inputs).map_err(file_error(path))?;
        check_writable(path).map_err(file_error(path))?;
    }
    Ok(())
}

fn file_error(path: &Path) -> impl Fn(io::Error) -> MatchToolError {
    |error| MatchToolError::File(path.to_owned(), error)
}

/// Refuses a file that another match may have written. An empty one is left by a match that never began.
fn check_new(path: &Path) -> Result<(), MatchToolError> {
    match path.metadata() {
        Ok(found) if !found.is_file() || found.len() > 0 => {
            Err(MatchToolError::PgnExists(path.to_owned()))
        }
        _ => Ok(()),
    }
}

/// Opens the PGN file. With `resume`, its games count as played. Games that are cut off do not count,
/// and are told in `notices`.
fn open_pgn(
    path: &Path,
    resume: bool,
    plan: &Plan,
    pairing: &mut dyn Pairing,
    standings: &mut Standings,
    notices: &mut Vec<String>,
) -> Result<PgnFile, MatchToolError> {
    if !resume {
        check_new(path)?;
    }
    let (file, past) = resume::continue_file(path, &plan.names, pairing, standings).map_err(
        |error| match error {
            ResumeError::File(error) => MatchToolError::File(path.to_owned(), error),
            ResumeError::Foreign(error) => error.into(),
        },
    )?;
    for number in past.cut {
        let game = format!("game {number} is cut off and will be played again");
        notices.push(format!("{}: {game}", path.display()));
    }
    if past.part > 0 {
        let end = format!("the last {} bytes are a part of a game and are removed", past.part);
        notices.push(format!("{}: {end}", path.display()));
    }
    Ok(file)
}

/// Makes Ctrl-C, SIGTERM and SIGHUP end the match in good order.
fn catch_interrupts(halt: &StopSignal, interrupted: &Arc<AtomicBool>, display: &ProgressDisplay) {
    let (halt, interrupted) = (halt.clone(), interrupted.clone());
    let caught = on_interrupt(move || {
        interrupted.store(true, Ordering::Relaxed);
        halt.stop();
    });
    if let Err(error) = caught {
        display.notice(&format!("cannot catch Ctrl-C, which will end the match at once: {error}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_is_no_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        assert!(check_new(&path).is_ok());
        std::fs::write(&path, "").unwrap();
        assert!(check_new(&path).is_ok());
        std::fs::write(&path, "[Event \"x\"]\n").unwrap();
        for taken in [path.as_path(), folder.path()] {
            assert!(matches!(check_new(taken), Err(MatchToolError::PgnExists(_))), "{taken:?}");
        }
    }
}
