//! `trebuchet match`: plays games between engines and measures their strength.
//!
//! It drives engines that speak CECP or UCI, keeps its own board for every game, and computes Elo
//! differences with their intervals or the verdict of a sequential test.

mod activity;
mod adjudication;
mod args;
mod config;
mod ending;
mod game;
pub mod openings;
mod pgn_file;
mod record;
mod report;
mod resume;
mod runner;
mod schedule;
mod sprt;
mod standings;
mod statistics;
mod summary;

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use activity::Activity;
pub use args::{MatchArgs, MatchToolError};
pub use config::MatchCommand;
use pgn_file::{PgnFile, check_writable};
use report::ProgressDisplay;
use runner::{MatchError, MatchEvent, Plan};
use schedule::Schedule;
use sprt::{Sprt, Verdict};
use standings::Standings;

use crate::arena::engines::StopSignal;
use trebuchet::for_variant;
use trebuchet::variants::Variant;

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
/// If the arguments are wrong, a file cannot be read or written, or an engine cannot be used.
pub fn run(args: &MatchArgs) -> Result<Conclusion, MatchToolError> {
    for_variant!(args.variant, V => {
        let plan = args.plan::<V>()?;
        let sprt = args.read_sprt()?;
        let schedule = Schedule::new(plan.engines.len(), args.tournament, args.games);
        play::<V>(args, plan, schedule, sprt)
    })
}

/// Plays the match, shows and saves its results.
fn play<V: Variant>(
    args: &MatchArgs,
    mut plan: Plan,
    mut schedule: Schedule,
    sprt: Option<Sprt>,
) -> Result<Conclusion, MatchToolError> {
    let mut standings = Standings::new(plan.names.clone(), schedule.pairings());
    if let Some(path) = &args.json {
        check_writable(path).map_err(file_error(path))?;
    }
    let mut notices = Vec::new();
    let mut pgn = match &args.pgn {
        Some(path) => Some(open_pgn::<V>(
            path,
            args.resume,
            &plan,
            &mut schedule,
            &mut standings,
            &mut notices,
        )?),
        None => None,
    };
    let mut display =
        ProgressDisplay::new(schedule.total() as u64, standings.games(), sprt, args.quiet);
    let processors = thread::available_parallelism().map_or(usize::MAX, NonZero::get);
    let games = plan.concurrency.min(schedule.total());
    let is_pondering = plan.engines.iter().any(|engine| engine.ponder);
    if let Some(text) = report::crowding(games, is_pondering, processors) {
        display.notice(&text);
    }
    notices.iter().for_each(|notice| display.notice(notice));
    if let Some(count) = plan.openings.count().filter(|&count| count < args.games.div_ceil(2)) {
        display.notice(&format!("there are only {count} openings: they are played more than once"));
    }
    let (halt, interrupted) = (StopSignal::default(), Arc::new(AtomicBool::new(false)));
    catch_interrupts(&halt, &interrupted, &display);
    let is_decided = |standings: &Standings| {
        sprt.is_some_and(|sprt| report::verdict(standings, &sprt) != Verdict::Open)
    };
    plan.find_protocols(&halt)?;
    if is_decided(&standings) {
        halt.stop();
    }
    let mut activity = Activity::new(plan.names.len());
    let mut remarks = HashSet::new();

    let mut written = Ok(());
    let outcome = runner::run::<V>(&plan, schedule, &halt, |event| {
        let finished = match event {
            MatchEvent::Finished(finished) => *finished,
            // A new process of an engine has the same remarks again.
            MatchEvent::Remark { player, text } => {
                let remark = format!("{} {text}", plan.names[player]);
                if !remarks.contains(&remark) {
                    display.notice(&remark);
                    remarks.insert(remark);
                }
                return;
            }
        };
        standings.add(finished.slot, finished.result, finished.forfeit);
        activity.add(finished.seats, finished.own_moves, finished.forfeit);
        if let (Some(file), Ok(())) = (&mut pgn, &written) {
            // One write for each game, so that a match that is killed leaves whole games behind.
            written = file.append(&finished.game.to_string());
        }
        display.update(&finished, &standings);
        if is_decided(&standings) || written.is_err() || activity.is_hopeless() {
            halt.stop();
        }
    });
    display.finish();
    // Best effort: the files are written even if standard output is closed.
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
    if let Some((player, forfeits)) = activity.never_moved().filter(|_| !was_interrupted) {
        let name = plan.names[player].clone();
        return Err(MatchError::NeverMoved { name, forfeits }.into());
    }
    Ok(match sprt {
        _ if was_interrupted => Conclusion::Interrupted,
        Some(sprt) => Conclusion::Verdict(report::verdict(&standings, &sprt)),
        None => Conclusion::Played,
    })
}

fn file_error(path: &Path) -> impl Fn(io::Error) -> MatchToolError {
    |error| MatchToolError::File(path.to_owned(), error)
}

/// Opens the PGN file. With `resume`, its games count as played. Games that are cut off do not count,
/// and are told in `notices`.
fn open_pgn<V: Variant>(
    path: &Path,
    resume: bool,
    plan: &Plan,
    schedule: &mut Schedule,
    standings: &mut Standings,
    notices: &mut Vec<String>,
) -> Result<PgnFile, MatchToolError> {
    let mut text = Vec::new();
    if path.exists() {
        if !resume {
            return Err(MatchToolError::PgnExists(path.to_owned()));
        }
        text = fs::read(path).map_err(file_error(path))?;
    }
    let opening = |pair| plan.openings.get::<V>(pair);
    let past = resume::read_past::<V>(&text, &plan.names, schedule, opening)?;
    for game in past.games {
        schedule.mark_played(game.slot);
        standings.add(game.slot, game.result, game.forfeit);
    }
    for number in past.cut {
        let game = format!("game {number} is cut off and will be played again");
        notices.push(format!("{}: {game}", path.display()));
    }
    let removed = text.len() - past.whole;
    if removed > 0 {
        let end = format!("the last {removed} bytes are a part of a game and are removed");
        notices.push(format!("{}: {end}", path.display()));
    }
    let mut file = PgnFile::open(path, past.whole).map_err(file_error(path))?;
    file.append(past.separator).map_err(file_error(path))?;
    Ok(file)
}

/// Makes Ctrl-C and SIGTERM end the match in good order.
fn catch_interrupts(halt: &StopSignal, interrupted: &Arc<AtomicBool>, display: &ProgressDisplay) {
    let (halt, interrupted) = (halt.clone(), interrupted.clone());
    let caught = ctrlc::set_handler(move || {
        interrupted.store(true, Ordering::Relaxed);
        halt.stop();
    });
    if let Err(error) = caught {
        display.notice(&format!("cannot catch Ctrl-C, which will end the match at once: {error}"));
    }
}
