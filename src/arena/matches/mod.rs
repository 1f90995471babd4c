//! `trebuchet match`: games between engines, fair and counted.
//!
//! The runner drives engines that speak CECP or UCI, keeps its own board for every game, and turns
//! results into Elo differences with their errors, or into the verdict of a sequential test.

mod adjudication;
mod args;
mod ending;
mod game;
pub mod openings;
mod record;
mod report;
mod runner;
mod schedule;
mod sprt;
mod standings;
mod statistics;
mod summary;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use args::{MatchArgs, MatchToolError};
use report::Live;
use runner::{Finished, Plan};
use schedule::Schedule;
use sprt::{Sprt, Verdict};
use standings::Standings;

use crate::arena::engines::Interrupt;
use crate::variants::Variant;

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    Played,
    Verdict(Verdict),
    Interrupted,
}

impl Conclusion {
    /// The exit status of the tool.
    pub const fn exit_code(self) -> u8 {
        match self {
            Conclusion::Played | Conclusion::Verdict(Verdict::Accepted) => 0,
            Conclusion::Verdict(Verdict::Rejected) => 1,
            Conclusion::Verdict(Verdict::Open) => 3,
            Conclusion::Interrupted => 130,
        }
    }
}

/// Runs the tool.
///
/// # Errors
/// If the arguments make no match, a file cannot be read or written, or an engine cannot be used.
pub fn run(args: &MatchArgs) -> Result<Conclusion, MatchToolError> {
    for_variant!(args.variant, V => {
        let plan = args.plan::<V>()?;
        let sprt = args.read_sprt()?;
        let schedule = Schedule::new(plan.engines.len(), args.tournament, args.games);
        play::<V>(args, &plan, schedule, sprt)
    })
}

/// Plays the match and shows and keeps its results.
fn play<V: Variant>(
    args: &MatchArgs,
    plan: &Plan,
    mut schedule: Schedule,
    sprt: Option<Sprt>,
) -> Result<Conclusion, MatchToolError> {
    let mut standings = Standings::new(plan.names.clone(), schedule.pairings());
    let mut pgn = match &args.pgn {
        Some(path) => Some(open_pgn::<V>(path, args.resume, plan, &mut schedule, &mut standings)?),
        None => None,
    };
    let mut live = Live::new(schedule.total() as u64, standings.games(), sprt, args.quiet);
    if let Some(count) = plan.openings.count().filter(|&count| count < args.games.div_ceil(2)) {
        live.notice(&format!("only {count} openings: they will be played more than once"));
    }
    let (halt, interrupted) = (Interrupt::default(), Arc::new(AtomicBool::new(false)));
    catch_interrupts(&halt, &interrupted, &live);
    let is_decided = |standings: &Standings| {
        sprt.is_some_and(|sprt| report::verdict(standings, &sprt) != Verdict::Open)
    };
    halt.store(is_decided(&standings), Ordering::Relaxed);

    let mut written = Ok(());
    let outcome = runner::run::<V>(plan, schedule, &halt, |finished| {
        standings.add(finished.slot, finished.result, finished.fault);
        if finished.fault.is_some() {
            live.notice(&describe(&finished));
        }
        if let (Some(file), Ok(())) = (&mut pgn, &written) {
            // In one piece, so that a match that is killed leaves whole games behind.
            written = file.write_all(finished.game.to_string().as_bytes());
        }
        live.update(&standings);
        if is_decided(&standings) || written.is_err() {
            halt.store(true, Ordering::Relaxed);
        }
    });
    live.finish();
    // Nobody may be listening any more; the files are written all the same.
    let _ = write!(io::stdout(), "{}", report::full(&standings, sprt.as_ref()));
    if let Some(path) = &args.json {
        let text = summary::write(V::NAME, &standings, sprt.as_ref());
        fs::write(path, text + "\n").map_err(file_error(path))?;
    }
    outcome?;
    if let Some(path) = &args.pgn {
        written.map_err(file_error(path))?;
    }
    let was_interrupted = interrupted.load(Ordering::Relaxed);
    Ok(match sprt {
        _ if was_interrupted => Conclusion::Interrupted,
        Some(sprt) => Conclusion::Verdict(report::verdict(&standings, &sprt)),
        None => Conclusion::Played,
    })
}

fn file_error(path: &Path) -> impl Fn(io::Error) -> MatchToolError {
    |error| MatchToolError::File(path.to_owned(), error)
}

/// Opens the file for the games. With `resume`, the games it has count as played.
fn open_pgn<V: Variant>(
    path: &Path,
    resume: bool,
    plan: &Plan,
    schedule: &mut Schedule,
    standings: &mut Standings,
) -> Result<File, MatchToolError> {
    if path.exists() {
        if !resume {
            return Err(MatchToolError::PgnExists(path.to_owned()));
        }
        let text = fs::read_to_string(path).map_err(file_error(path))?;
        let opening = |pair| plan.openings.get::<V>(pair);
        for past in record::read_past::<V>(&text, &plan.names, schedule, opening)? {
            schedule.mark_played(past.slot);
            standings.add(past.slot, past.result, past.fault);
        }
    }
    OpenOptions::new().create(true).append(true).open(path).map_err(file_error(path))
}

/// Makes Ctrl-C, and a polite kill, end the match in good order.
fn catch_interrupts(halt: &Interrupt, interrupted: &Arc<AtomicBool>, live: &Live) {
    let (halt, interrupted) = (halt.clone(), interrupted.clone());
    let caught = ctrlc::set_handler(move || {
        interrupted.store(true, Ordering::Relaxed);
        halt.store(true, Ordering::Relaxed);
    });
    if let Err(error) = caught {
        live.notice(&format!("Ctrl-C will end the match at once: {error}"));
    }
}

fn describe(finished: &Finished) -> String {
    let tag = |name| finished.game.tag(name).unwrap_or_default();
    let (round, white, black) = (tag("Round"), tag("White"), tag("Black"));
    format!("game {round}, {white} - {black}: {} {}", finished.result, finished.reason)
}
