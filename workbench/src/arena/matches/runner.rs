//! Plays the games of a match, several at the same time. Each worker takes the next game of the
//! schedule and keeps its engines running from one game to the next.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::adjudication::AdjudicationRules;
use super::ending::Forfeit;
use super::game::{self, Abort, Conditions, PlayedGame};
use super::openings::Openings;
use super::record::{self, Header};
use super::schedule::{Schedule, Slot};
use crate::arena::engines::detect;
use crate::arena::engines::log_writer::{DebugLog, EngineSlot};
use crate::arena::engines::{self, EngineError, EngineSpec, Player, StopSignal, Timeouts};
use trebuchet::notation::pgn;
use trebuchet::tablebase::SyzygyTables;
use trebuchet::threads::lock;
use trebuchet::types::Color;
use trebuchet::types::GameResult;
use trebuchet::variants::Variant;

/// The settings of a match.
#[derive(Debug)]
pub struct Plan {
    pub event: String,
    pub engines: Vec<EngineSpec>,
    /// The engines' names, all different.
    pub names: Vec<String>,
    pub openings: Openings,
    pub adjudication: AdjudicationRules,
    pub tablebase: Option<SyzygyTables>,
    /// See [`Conditions::margin`].
    pub margin: Duration,
    /// See [`Conditions::stall`].
    pub stall: Duration,
    pub timeouts: Timeouts,
    /// The number of games that run at the same time.
    pub concurrency: usize,
    /// The folder for a debug log of each game.
    pub logs: Option<PathBuf>,
}

impl Plan {
    /// Asks the engines whose protocol is not given which one they speak.
    ///
    /// # Errors
    /// If an engine cannot be started.
    pub fn find_protocols(&mut self, halt: &StopSignal) -> Result<(), MatchError> {
        for (spec, name) in self.engines.iter_mut().zip(&self.names) {
            if spec.protocol.is_none() {
                match detect::find_protocol(spec, self.timeouts, halt) {
                    // Without an answer, the driver of CECP says what it assumes.
                    Ok(protocol) => spec.protocol = protocol,
                    Err(EngineError::Interrupted) => return Ok(()),
                    Err(error) => {
                        return Err(MatchError::Engine {
                            name: name.clone(),
                            why: error.to_string(),
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

/// What happens in a match.
#[derive(Debug)]
pub enum MatchEvent {
    Finished(Box<FinishedGame>),
    /// Something that the operator should know about an engine.
    Remark {
        player: usize,
        text: String,
    },
}

/// A game that has ended.
#[derive(Debug)]
pub struct FinishedGame {
    pub slot: Slot,
    /// The players with White and with Black.
    pub seats: [usize; 2],
    /// By colour: how many moves the engine itself has made.
    pub own_moves: [usize; 2],
    pub result: GameResult,
    pub forfeit: Option<(Color, Forfeit)>,
    /// The reason of the end, for people.
    pub reason: String,
    pub game: pgn::PgnGame,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error("{name}: {why}")]
    Engine { name: String, why: String },
    #[error(
        "{name} has made no move in this match, and forfeits in {forfeits} games; the option --logs \
         writes what it says"
    )]
    NeverMoved { name: String, forfeits: u64 },
    #[error("cannot write the log {0}: {1}")]
    Log(PathBuf, std::io::Error),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// Plays the rest of the schedule. Calls `on_event` on this thread whenever a game ends. Setting `halt`
/// ends the match.
///
/// # Errors
/// If an engine cannot be used, a log cannot be written, or a thread cannot be started.
pub fn run<V: Variant>(
    plan: &Plan,
    schedule: Schedule,
    halt: &StopSignal,
    on_event: impl FnMut(MatchEvent),
) -> Result<(), MatchError> {
    let schedule = Mutex::new(schedule);
    let (sender, events) = channel();
    thread::scope(|scope| {
        for number in 0..plan.concurrency {
            let (schedule, sender) = (&schedule, sender.clone());
            let thread = thread::Builder::new().name(format!("match worker {number}"));
            // Engines cannot move between threads, so the worker is made on its own.
            let work = move || {
                MatchWorker { plan, schedule, halt, sender, running: HashMap::new() }.work::<V>()
            };
            if let Err(error) = thread.spawn_scoped(scope, work) {
                halt.stop();
                return Err(MatchError::Thread(error));
            }
        }
        drop(sender);
        pass_on(events, halt, on_event)
    })
}

/// Passes on the events until all workers have ended.
///
/// Games that end after the halt do not count. Counting them would favour short games, and the length
/// depends on the result.
fn pass_on(
    events: impl IntoIterator<Item = Result<MatchEvent, MatchError>>,
    halt: &StopSignal,
    mut on_event: impl FnMut(MatchEvent),
) -> Result<(), MatchError> {
    let mut outcome = Ok(());
    for event in events {
        match event {
            Ok(MatchEvent::Finished(_)) if halt.is_stopped() => {}
            Ok(event) => on_event(event),
            Err(error) => {
                halt.stop();
                outcome = outcome.and(Err(error));
            }
        }
    }
    outcome
}

/// How many times in a row an engine may fail to start before the match ends.
const START_ATTEMPTS: usize = 3;

/// Plays one game at a time.
struct MatchWorker<'a> {
    plan: &'a Plan,
    schedule: &'a Mutex<Schedule>,
    halt: &'a StopSignal,
    sender: Sender<Result<MatchEvent, MatchError>>,
    /// The running engines by their index in the plan.
    running: HashMap<usize, Box<dyn Player>>,
}

impl MatchWorker<'_> {
    fn work<V: Variant>(mut self) {
        while !self.halt.is_stopped() {
            let slot = lock(self.schedule).next();
            let Some(slot) = slot else { break };
            let report = match self.play::<V>(slot) {
                Ok(Some(finished)) => Ok(MatchEvent::Finished(Box::new(finished))),
                Ok(None) => break,
                Err(error) => Err(error),
            };
            if self.sender.send(report).is_err() {
                break;
            }
        }
        self.running.values_mut().for_each(|player| player.quit());
    }

    /// Plays a game; `None` if the user interrupts it.
    fn play<V: Variant>(&mut self, slot: Slot) -> Result<Option<FinishedGame>, MatchError> {
        let plan = self.plan;
        let (white, black) = lock(self.schedule).players(slot);
        let seats = [white, black];
        // Stop the engines of other pairings, to free their memory.
        self.running.retain(|player, engine| {
            let is_needed = seats.contains(player);
            if !is_needed {
                engine.quit();
            }
            is_needed
        });
        let log = self.open_log(slot, seats)?;
        let (Some(first), Some(second)) =
            (self.take(white, &log, seats)?, self.take(black, &log, seats)?)
        else {
            return Ok(None);
        };
        let mut players = [first, second];
        let opening = plan.openings.get::<V>(slot.pair);
        let names = seats.map(|player| plan.names[player].as_str());
        let limits = seats.map(|player| &plan.engines[player].limits);
        let conditions = Conditions {
            opening: &opening,
            names,
            limits,
            adjudication: plan.adjudication,
            tablebase: plan.tablebase.as_ref(),
            margin: plan.margin,
            stall: plan.stall,
        };
        let begun = Instant::now();
        let played = game::play::<V>(&mut players, &conditions);
        for (engine, player) in players.iter_mut().zip(seats) {
            for text in engine.take_remarks() {
                // Best effort: the match may be at its end.
                let _ = self.sender.send(Ok(MatchEvent::Remark { player, text }));
            }
        }
        let played = match played {
            Ok(played) => played,
            Err(Abort::Interrupted) => return Ok(None),
            Err(Abort::Unable(color, why)) => {
                return Err(MatchError::Engine { name: names[color.index()].to_owned(), why });
            }
        };
        if let Some(log) = &log {
            log.note(&format!("GameEnds({})", played.ending));
        }
        self.give_back(players, seats, &played);
        let header = Header {
            event: &plan.event,
            slot,
            names,
            limits,
            opening: &opening,
            duration: begun.elapsed(),
        };
        Ok(Some(FinishedGame {
            slot,
            seats,
            own_moves: played.own_moves(),
            result: played.ending.result(),
            forfeit: played.ending.forfeit(),
            reason: played.ending.to_string(),
            game: record::write::<V>(&header, &played),
        }))
    }

    /// A running engine for the player, started if need be; `None` if the user interrupts.
    fn take(
        &mut self,
        player: usize,
        log: &Option<DebugLog>,
        seats: [usize; 2],
    ) -> Result<Option<Box<dyn Player>>, MatchError> {
        let log = log.as_ref().map(|log| {
            // As in xboard's logs, the names stay when the engines change colours.
            log.handle(if player == seats[0].min(seats[1]) {
                EngineSlot::First
            } else {
                EngineSlot::Second
            })
        });
        if let Some(mut engine) = self.running.remove(&player) {
            engine.set_log(log);
            return Ok(Some(engine));
        }
        let mut attempt = 1;
        loop {
            match engines::start(
                &self.plan.engines[player],
                self.plan.timeouts,
                self.halt.clone(),
                log.clone(),
            ) {
                Ok(engine) => return Ok(Some(engine)),
                Err(EngineError::Interrupted) => return Ok(None),
                Err(error) if attempt == START_ATTEMPTS => {
                    return Err(MatchError::Engine {
                        name: self.plan.names[player].clone(),
                        why: error.to_string(),
                    });
                }
                Err(_) => attempt += 1,
            }
        }
    }

    /// Keeps the engines that can be used again, stops the others.
    fn give_back(&mut self, players: [Box<dyn Player>; 2], seats: [usize; 2], played: &PlayedGame) {
        for ((mut engine, player), color) in players.into_iter().zip(seats).zip(Color::ALL) {
            engine.set_log(None);
            if played.usable[color.index()] && !self.plan.engines[player].restart {
                self.running.insert(player, engine);
            } else {
                engine.quit();
            }
        }
    }

    fn open_log(
        &self,
        slot: Slot,
        [white, black]: [usize; 2],
    ) -> Result<Option<DebugLog>, MatchError> {
        let Some(folder) = &self.plan.logs else { return Ok(None) };
        let names = [white, black].map(|player| file_name(&self.plan.names[player]));
        let leg = 1 + u8::from(slot.swapped);
        let path =
            folder.join(format!("{:04}.{leg}-{}-{}.debug", slot.pair + 1, names[0], names[1]));
        let log = DebugLog::create(&path).map_err(|error| MatchError::Log(path.clone(), error))?;
        let side = if white < black { 'w' } else { 'b' };
        let (first, second) = (white.min(black), white.max(black));
        log.note(&format!(
            "New game ({}): {}-{} ({side})",
            slot.pair + 1,
            self.plan.names[first],
            self.plan.names[second]
        ));
        log.note(&format!("Engine first: {}", self.plan.names[first]));
        log.note(&format!("Engine second: {}", self.plan.names[second]));
        Ok(Some(log))
    }
}

/// The name with `_` for characters that may be bad in a file name.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(pair: usize) -> Result<MatchEvent, MatchError> {
        Ok(MatchEvent::Finished(Box::new(FinishedGame {
            slot: Slot { pair, pairing: 0, swapped: false },
            seats: [0, 1],
            own_moves: [1, 1],
            result: GameResult::Draw,
            forfeit: None,
            reason: String::new(),
            game: pgn::PgnGame::default(),
        })))
    }

    /// Passes on the events, halts after the second game, and returns the pairs of the games.
    fn passed_on(events: Vec<Result<MatchEvent, MatchError>>) -> (Vec<usize>, String) {
        let halt = StopSignal::default();
        let mut pairs = Vec::new();
        let outcome = pass_on(events, &halt, |event| {
            if let MatchEvent::Finished(game) = event {
                pairs.push(game.slot.pair);
                if pairs.len() == 2 {
                    halt.stop();
                }
            }
        });
        (pairs, outcome.map_or_else(|error| error.to_string(), |()| "no error".to_owned()))
    }

    #[test]
    fn games_that_end_after_the_verdict_do_not_count() {
        let (pairs, outcome) = passed_on(vec![finished(5), finished(3), finished(7), finished(1)]);
        assert_eq!((pairs, outcome.as_str()), (vec![5, 3], "no error"));
    }

    #[test]
    fn games_that_end_after_an_error_do_not_count() {
        let error = |name: &str| {
            Err(MatchError::Engine { name: name.to_owned(), why: "does not play".to_owned() })
        };
        let (pairs, outcome) = passed_on(vec![finished(0), error("a"), finished(1), error("b")]);
        assert_eq!((pairs, outcome.as_str()), (vec![0], "a: does not play"));
    }
}
