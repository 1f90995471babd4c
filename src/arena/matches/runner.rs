//! Plays the games of a match, several at a time: each worker takes the next game of the schedule
//! and keeps its engines from one game to the next.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::adjudication;
use super::ending::Fault;
use super::game::{self, Abort, Conditions, Played};
use super::openings::Openings;
use super::record::{self, Header};
use super::schedule::{Schedule, Slot};
use crate::arena::engines::journal::{Engine, Journal};
use crate::arena::engines::{EngineSpec, Interrupt, Patience, Player, Trouble, player};
use crate::board::Rules;
use crate::cecp::wire::GameResult;
use crate::notation::pgn;
use crate::tablebase::Tablebase;
use crate::threads::lock;
use crate::types::Color;
use crate::variants::VariantId;

/// All that must be known to play a match.
#[derive(Debug)]
pub struct Plan {
    pub variant: VariantId,
    pub event: String,
    pub engines: Vec<EngineSpec>,
    /// By engine; all different.
    pub names: Vec<String>,
    pub openings: Openings,
    pub adjudication: adjudication::Rules,
    pub tablebase: Option<Tablebase>,
    pub margin: Duration,
    pub stall: Duration,
    pub patience: Patience,
    pub concurrency: usize,
    /// A folder for a log of each game.
    pub journals: Option<PathBuf>,
}

/// A game that has ended.
#[derive(Debug)]
pub struct Finished {
    pub slot: Slot,
    pub result: GameResult,
    pub fault: Option<(Color, Fault)>,
    /// The reason of the end, for people.
    pub reason: String,
    pub game: pgn::Game,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error("{name}: {why}")]
    Engine { name: String, why: String },
    #[error("cannot write the log {0}: {1}")]
    Journal(PathBuf, std::io::Error),
    #[error("no thread to play in: {0}")]
    Thread(std::io::Error),
}

/// Plays what is left of the schedule. `on_game` is called as games end, on this thread; it ends the
/// match by setting `halt`.
pub fn run<R: Rules>(
    plan: &Plan,
    schedule: Schedule,
    halt: &Interrupt,
    mut on_game: impl FnMut(Finished),
) -> Result<(), MatchError> {
    let schedule = Mutex::new(schedule);
    let (sender, events) = channel();
    thread::scope(|scope| {
        for number in 0..plan.concurrency {
            let (schedule, sender) = (&schedule, sender.clone());
            let thread = thread::Builder::new().name(format!("match worker {number}"));
            // The engines stay with the thread that started them.
            let work =
                move || Worker { plan, schedule, halt, sender, bench: HashMap::new() }.work::<R>();
            if let Err(error) = thread.spawn_scoped(scope, work) {
                halt.store(true, Ordering::Relaxed);
                return Err(MatchError::Thread(error));
            }
        }
        drop(sender);
        let mut outcome = Ok(());
        for event in events {
            match event {
                // What ends after the match was halted is not counted: whether it would have been
                // over in time depends on its length, and that on its result.
                Ok(finished) if !halt.load(Ordering::Relaxed) => on_game(*finished),
                Ok(_) => {}
                Err(error) => {
                    halt.store(true, Ordering::Relaxed);
                    outcome = Err(error);
                }
            }
        }
        outcome
    })
}

/// How often an engine may fail to start before the match is given up.
const START_ATTEMPTS: usize = 3;

/// Plays one game at a time.
struct Worker<'a> {
    plan: &'a Plan,
    schedule: &'a Mutex<Schedule>,
    halt: &'a Interrupt,
    sender: Sender<Result<Box<Finished>, MatchError>>,
    /// The engines that are running, by their number.
    bench: HashMap<usize, Box<dyn Player>>,
}

impl Worker<'_> {
    fn work<R: Rules>(mut self) {
        while !self.halt.load(Ordering::Relaxed) {
            let slot = lock(self.schedule).next();
            let Some(slot) = slot else { break };
            let report = match self.play::<R>(slot) {
                Ok(Some(finished)) => Ok(Box::new(finished)),
                Ok(None) => break,
                Err(error) => Err(error),
            };
            if self.sender.send(report).is_err() {
                break;
            }
        }
        self.bench.values_mut().for_each(|player| player.quit());
    }

    /// Plays a game; `None` if it was broken off.
    fn play<R: Rules>(&mut self, slot: Slot) -> Result<Option<Finished>, MatchError> {
        let plan = self.plan;
        let (white, black) = lock(self.schedule).players(slot);
        let seats = [white, black];
        // The engines of other pairings would only take up memory.
        self.bench.retain(|player, engine| {
            let is_needed = seats.contains(player);
            if !is_needed {
                engine.quit();
            }
            is_needed
        });
        let journal = self.open_journal(slot, seats)?;
        let (Some(first), Some(second)) =
            (self.take(white, &journal, seats)?, self.take(black, &journal, seats)?)
        else {
            return Ok(None);
        };
        let mut players = [first, second];
        let opening = plan.openings.get::<R>(slot.pair);
        let names = seats.map(|player| plan.names[player].as_str());
        let budgets = seats.map(|player| &plan.engines[player].budget);
        let conditions = Conditions {
            variant: plan.variant,
            opening: &opening,
            names,
            budgets,
            adjudication: plan.adjudication,
            tablebase: plan.tablebase.as_ref(),
            margin: plan.margin,
            stall: plan.stall,
        };
        let begun = Instant::now();
        let played = match game::play::<R>(&mut players, &conditions) {
            Ok(played) => played,
            Err(Abort::Interrupted) => return Ok(None),
            Err(Abort::Unable(color, why)) => {
                return Err(MatchError::Engine { name: names[color.index()].to_owned(), why });
            }
        };
        if let Some(journal) = &journal {
            journal.note(&format!("GameEnds({})", played.ending));
        }
        self.give_back(players, seats, &played);
        let header = Header {
            event: &plan.event,
            variant: plan.variant,
            slot,
            names,
            budgets,
            opening: &opening,
            duration: begun.elapsed(),
        };
        Ok(Some(Finished {
            slot,
            result: played.ending.result(),
            fault: played.ending.fault(),
            reason: played.ending.to_string(),
            game: record::write(&header, &played),
        }))
    }

    /// A running engine for the player; `None` if the user wants to end.
    fn take(
        &mut self,
        player: usize,
        journal: &Option<Journal>,
        seats: [usize; 2],
    ) -> Result<Option<Box<dyn Player>>, MatchError> {
        let tap = journal.as_ref().map(|journal| {
            // As in xboard's logs, the first engine stays the first when colours change.
            journal.tap(if player == seats[0].min(seats[1]) {
                Engine::First
            } else {
                Engine::Second
            })
        });
        if let Some(mut engine) = self.bench.remove(&player) {
            engine.set_tap(tap);
            return Ok(Some(engine));
        }
        let mut attempt = 1;
        loop {
            match player::start(
                &self.plan.engines[player],
                self.plan.patience,
                self.halt.clone(),
                tap.clone(),
            ) {
                Ok(engine) => return Ok(Some(engine)),
                Err(Trouble::Interrupted) => return Ok(None),
                Err(trouble) if attempt == START_ATTEMPTS => {
                    return Err(MatchError::Engine {
                        name: self.plan.names[player].clone(),
                        why: trouble.to_string(),
                    });
                }
                Err(_) => attempt += 1,
            }
        }
    }

    /// Keeps the engines that can be used again.
    fn give_back(&mut self, players: [Box<dyn Player>; 2], seats: [usize; 2], played: &Played) {
        for ((mut engine, player), color) in players.into_iter().zip(seats).zip(Color::ALL) {
            engine.set_tap(None);
            if played.usable[color.index()] && !self.plan.engines[player].restart {
                self.bench.insert(player, engine);
            } else {
                engine.quit();
            }
        }
    }

    fn open_journal(
        &self,
        slot: Slot,
        [white, black]: [usize; 2],
    ) -> Result<Option<Journal>, MatchError> {
        let Some(folder) = &self.plan.journals else { return Ok(None) };
        let names = [white, black].map(|player| file_name(&self.plan.names[player]));
        let leg = 1 + u8::from(slot.swapped);
        let path =
            folder.join(format!("{:04}.{leg}-{}-{}.debug", slot.pair + 1, names[0], names[1]));
        let journal =
            Journal::create(&path).map_err(|error| MatchError::Journal(path.clone(), error))?;
        let side = if white < black { 'w' } else { 'b' };
        let (first, second) = (white.min(black), white.max(black));
        journal.note(&format!(
            "New game ({}): {}-{} ({side})",
            slot.pair + 1,
            self.plan.names[first],
            self.plan.names[second]
        ));
        Ok(Some(journal))
    }
}

/// A name without what a file's name must not have.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}
