//! Plays the games of a tournament, several at the same time. Each worker takes the next game of the
//! pairing and keeps its engines running from one game to the next.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::adjudication::AdjudicationRules;
use super::game::{self, Abort, GameConditions};
use super::game_spec::{GameId, GameSpec};
use super::idle_watch::{IdleWatch, MAX_IDLE_FORFEITS};
use super::pairing::Pairing;
use super::sprt::{Sprt, SprtDecision};
use super::standings::Standings;
use crate::arena::engines::debug_log::{DebugLog, EngineName};
use crate::arena::engines::detect;
use crate::arena::engines::{
    self, EngineError, EngineLimits, EngineSpec, Interrupt, Player, Reuse, Timeouts,
};
use crate::arena::games::{Forfeit, ForfeitKind, GameEnding, GameRecord, MoveRecord, PlayerRecord};
use trebuchet::tablebase::SyzygyTables;
use trebuchet::threads::lock;
use trebuchet::types::Color;

/// The settings of a tournament.
#[derive(Debug)]
pub struct Plan {
    pub event: String,
    pub engines: Vec<EngineSpec>,
    /// The engines' names, all different.
    pub names: Vec<String>,
    pub adjudication: AdjudicationRules,
    pub tablebase: Option<SyzygyTables>,
    /// See [`GameConditions::margin`].
    pub margin: Duration,
    /// See [`GameConditions::stall`].
    pub stall: Duration,
    pub timeouts: Timeouts,
    /// The number of games that run at the same time.
    pub concurrency: usize,
    /// The folder for a debug log of each game.
    pub logs: Option<PathBuf>,
    pub on_failure: OnFailure,
    /// A test of the first meeting that ends the tournament.
    pub sprt: Option<Sprt>,
}

/// What follows if an engine cannot be started, cannot play the game, or forfeits its first games
/// without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum OnFailure {
    /// The match ends
    #[default]
    #[value(name = "end")]
    EndMatch,
    /// It loses each of its games
    Forfeit,
    /// Its remaining games are not played, the others go on
    Withdraw,
}

/// What happens in a tournament.
#[derive(Debug)]
pub enum MatchEvent<'a> {
    Finished(&'a FinishedGame),
    /// Something that the operator should know about an engine.
    Remark {
        player: usize,
        text: String,
    },
    /// An engine plays no more games. `why` follows its name.
    Withdrawn {
        player: usize,
        why: String,
    },
}

/// A game that has ended.
#[derive(Debug)]
pub struct FinishedGame {
    pub id: GameId,
    pub record: GameRecord,
    /// The number of games of the tournament, as far as it is known.
    pub total: usize,
}

/// Why a tournament cannot go on.
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

/// Plays the games of the pairing and counts them in the standings. Calls `on_event` for what happens,
/// one event after the other, with the standings after it. Setting `halt` ends the tournament. A game that
/// ends after the halt does not count: that would favour short games, and the length depends on the
/// result.
///
/// # Errors
/// If an engine cannot be used or never moves, and the plan does not go on without it; if a log cannot be
/// written, or a thread cannot be started.
pub fn run(
    plan: &mut Plan,
    pairing: &mut dyn Pairing,
    standings: &mut Standings,
    halt: &Interrupt,
    on_event: &mut (dyn FnMut(MatchEvent, &Standings) + Send),
) -> Result<(), MatchError> {
    let failures = find_protocols(plan, halt);
    let idle = IdleWatch::new(plan.names.len());
    let state = State { pairing, standings, idle, running: 0, lost: 0, on_event, outcome: Ok(()) };
    let hall = Hall { plan, halt, state: Mutex::new(state), has_changed: Condvar::new() };
    hall.begin(failures);
    thread::scope(|scope| {
        for number in 0..plan.concurrency {
            let thread = thread::Builder::new().name(format!("match worker {number}"));
            // Engines cannot move between threads, so the worker is made on its own.
            if let Err(error) = thread.spawn_scoped(scope, || MatchWorker::new(&hall).work()) {
                hall.end(&mut hall.lock(), MatchError::Thread(error));
                break;
            }
        }
    });
    let state = hall.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.outcome?;
    match state.idle.idle(1).next().filter(|_| plan.on_failure == OnFailure::EndMatch) {
        Some((player, forfeits)) => {
            Err(MatchError::NeverMoved { name: plan.names[player].clone(), forfeits })
        }
        None => Ok(()),
    }
}

/// Asks the engines whose protocol is not given which one they speak. Returns those that cannot be
/// started, and why.
fn find_protocols(plan: &mut Plan, halt: &Interrupt) -> Vec<(usize, String)> {
    let mut failures = Vec::new();
    for (player, spec) in plan.engines.iter_mut().enumerate() {
        if spec.protocol.is_none() {
            match detect::find_protocol(spec, plan.timeouts, halt) {
                // Without an answer, the driver of CECP says what it assumes.
                Ok(protocol) => spec.protocol = protocol,
                Err(EngineError::Interrupted) => break,
                Err(error) => failures.push((player, error.to_string())),
            }
        }
    }
    failures
}

/// What the workers share.
struct Hall<'a> {
    plan: &'a Plan,
    halt: &'a Interrupt,
    state: Mutex<State<'a>>,
    /// A game has ended.
    has_changed: Condvar,
}

struct State<'a> {
    pairing: &'a mut dyn Pairing,
    standings: &'a mut Standings,
    idle: IdleWatch,
    /// The number of games that are being played.
    running: usize,
    /// The number of games that were begun and do not count, for a player has failed.
    lost: usize,
    on_event: &'a mut (dyn FnMut(MatchEvent, &Standings) + Send),
    /// The first reason why the tournament cannot go on.
    outcome: Result<(), MatchError>,
}

/// How often a worker without a game looks whether the tournament has been halted.
const HALT_INTERVAL: Duration = Duration::from_millis(100);

impl<'a> Hall<'a> {
    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        lock(&self.state)
    }

    fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    fn halt(&self) {
        self.halt.store(true, Ordering::Relaxed);
    }

    /// `failures` are the players that cannot be started, and why.
    fn begin(&self, failures: Vec<(usize, String)>) {
        let mut state = self.lock();
        for (player, why) in failures {
            match self.plan.on_failure {
                OnFailure::EndMatch => self.end(&mut state, self.engine_error(player, why)),
                // The games are forfeited one by one.
                OnFailure::Forfeit => {}
                OnFailure::Withdraw => self.withdraw(&mut state, player, why),
            }
        }
        self.halt_if_decided(&state);
    }

    /// The next game to be played; `None` if there will be none.
    fn next(&self) -> Option<GameSpec> {
        let mut state = self.lock();
        loop {
            if self.is_halted() {
                return None;
            }
            let State { pairing, standings, running, .. } = &mut *state;
            if let Some(spec) = pairing.next(standings) {
                *running += 1;
                return Some(spec);
            }
            if *running == 0 {
                return None;
            }
            let waited = self.has_changed.wait_timeout(state, HALT_INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Counts a game that has ended.
    fn count(&self, id: GameId, record: GameRecord) {
        let mut state = self.lock();
        if self.is_halted() {
            return;
        }
        let State { pairing, standings, idle, lost, on_event, .. } = &mut *state;
        standings.add(id, &record.ending);
        idle.add(id.players, record.own_moves(), record.ending.forfeit());
        let finished = FinishedGame { id, record, total: pairing.total() - *lost };
        on_event(MatchEvent::Finished(&finished), standings);
        self.halt_if_decided(&state);
        let hopeless: Vec<_> = state.idle.idle(MAX_IDLE_FORFEITS).collect();
        for (player, forfeits) in hopeless {
            match self.plan.on_failure {
                OnFailure::EndMatch => {
                    let name = self.plan.names[player].clone();
                    self.end(&mut state, MatchError::NeverMoved { name, forfeits });
                }
                OnFailure::Forfeit => {}
                OnFailure::Withdraw => {
                    let why = format!("has made no move, and forfeits in {forfeits} games");
                    self.withdraw(&mut state, player, why);
                }
            }
        }
    }

    fn halt_if_decided(&self, state: &State) {
        let is_decided = |sprt: &Sprt| state.standings.decision(sprt) != SprtDecision::Open;
        if self.plan.sprt.as_ref().is_some_and(is_decided) {
            self.halt();
        }
    }

    /// A player cannot play the game of this record.
    fn fail(&self, id: GameId, mut record: GameRecord, color: Color, why: String) {
        let player = id.players[color.index()];
        match self.plan.on_failure {
            OnFailure::EndMatch => self.end(&mut self.lock(), self.engine_error(player, why)),
            OnFailure::Forfeit => {
                let forfeit = Forfeit::new(color, ForfeitKind::CannotPlay, why);
                record.ending = GameEnding::Forfeit(forfeit);
                self.count(id, record);
            }
            OnFailure::Withdraw => {
                let mut state = self.lock();
                state.lost += 1;
                self.withdraw(&mut state, player, why);
            }
        }
    }

    fn engine_error(&self, player: usize, why: String) -> MatchError {
        MatchError::Engine { name: self.plan.names[player].clone(), why }
    }

    /// Takes a player out. The tournament ends if less than two are left.
    fn withdraw(&self, state: &mut State, player: usize, why: String) {
        if state.standings.withdrawn.contains_key(&player) {
            return;
        }
        state.pairing.withdraw(player);
        state.standings.withdrawn.insert(player, why.clone());
        (state.on_event)(MatchEvent::Withdrawn { player, why: why.clone() }, state.standings);
        if state.standings.withdrawn.len() + 2 > self.plan.names.len() {
            self.end(state, self.engine_error(player, why));
        }
    }

    /// Ends the tournament for a reason.
    fn end(&self, state: &mut State, error: MatchError) {
        self.halt();
        if state.outcome.is_ok() {
            state.outcome = Err(error);
        }
    }
}

/// A game that is being played. Dropping it tells the workers that wait for its end.
struct RunningGame<'h, 'a>(&'h Hall<'a>);

impl Drop for RunningGame<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.has_changed.notify_all();
    }
}

/// How many times in a row an engine may fail to start.
const START_ATTEMPTS: usize = 3;

/// Why a game was not played.
enum Stopped {
    Interrupted,
    /// The player of this colour cannot play it.
    Unable(Color, String),
    Error(MatchError),
}

/// Plays one game at a time.
struct MatchWorker<'h, 'a> {
    hall: &'h Hall<'a>,
    plan: &'a Plan,
    /// The running engines by their index in the plan.
    running: HashMap<usize, Box<dyn Player>>,
    /// The engines that could not be started. They get one attempt for each game.
    broken: HashSet<usize>,
}

impl<'h, 'a> MatchWorker<'h, 'a> {
    fn new(hall: &'h Hall<'a>) -> MatchWorker<'h, 'a> {
        MatchWorker { hall, plan: hall.plan, running: HashMap::new(), broken: HashSet::new() }
    }

    fn work(mut self) {
        while let Some(spec) = self.hall.next() {
            let _running = RunningGame(self.hall);
            let mut record = self.new_record(&spec);
            match self.play(&spec, &mut record) {
                Ok(()) => self.hall.count(spec.id, record),
                Err(Stopped::Unable(color, why)) => self.hall.fail(spec.id, record, color, why),
                Err(Stopped::Error(error)) => self.hall.end(&mut self.hall.lock(), error),
                Err(Stopped::Interrupted) => {}
            }
        }
        self.running.values_mut().for_each(|player| player.quit());
    }

    fn limits(&self, id: GameId) -> [&'a EngineLimits; 2] {
        id.players.map(|player| &self.plan.engines[player].limits)
    }

    /// The record of a game before its first move.
    fn new_record(&self, spec: &GameSpec) -> GameRecord {
        let [white, black] = self.limits(spec.id);
        let time_control = |limits: &EngineLimits| {
            if white == black { limits.pace.to_string() } else { limits.to_string() }
        };
        let player = |color: Color| {
            let index = spec.id.players[color.index()];
            PlayerRecord {
                name: self.plan.names[index].clone(),
                time_control: time_control(&self.plan.engines[index].limits),
            }
        };
        let opening = spec.opening.sans(spec.variant).into_iter();
        GameRecord {
            event: self.plan.event.clone(),
            date: Timestamp::now().strftime("%Y.%m.%d").to_string(),
            round: spec.id.round(),
            variant: spec.variant,
            start: spec.opening.fen.clone(),
            players: Color::ALL.map(player),
            moves: opening.map(|san| MoveRecord { san, ..MoveRecord::default() }).collect(),
            ending: GameEnding::Unfinished,
            duration: Duration::ZERO,
        }
    }

    /// Plays a game and completes its record.
    fn play(&mut self, spec: &GameSpec, record: &mut GameRecord) -> Result<(), Stopped> {
        let plan = self.plan;
        let seats = spec.id.players;
        // Stop the engines of other meetings, to free their memory.
        self.running.retain(|player, engine| {
            let is_needed = seats.contains(player);
            if !is_needed {
                engine.quit();
            }
            is_needed
        });
        let log = self.open_log(spec.id).map_err(Stopped::Error)?;
        let white = self.take(Color::White, spec.id, &log)?;
        let mut players = match self.take(Color::Black, spec.id, &log) {
            Ok(black) => [white, black],
            Err(stopped) => {
                self.running.insert(seats[0], white);
                return Err(stopped);
            }
        };
        let conditions = GameConditions {
            opening: &spec.opening,
            limits: self.limits(spec.id),
            adjudication: plan.adjudication,
            tablebase: plan.tablebase.as_ref(),
            margin: plan.margin,
            stall: plan.stall,
        };
        let begun = Instant::now();
        let played = game::play(&mut players, &conditions, record);
        record.duration = begun.elapsed();
        for (engine, player) in players.iter_mut().zip(seats) {
            let remarks = engine.take_remarks();
            let State { on_event, standings, .. } = &mut *self.hall.lock();
            for text in remarks {
                on_event(MatchEvent::Remark { player, text }, standings);
            }
        }
        let reuse = played.map_err(|abort| match abort {
            Abort::Interrupted => Stopped::Interrupted,
            Abort::Unable(color, why) => Stopped::Unable(color, why),
        })?;
        if let Some(log) = &log {
            log.note(&format!("GameEnds({})", record.ending));
        }
        // Keep the engines that can be used again, stop the others.
        for ((mut engine, player), reuse) in players.into_iter().zip(seats).zip(reuse) {
            engine.set_log(None);
            if reuse == Reuse::Keep && !plan.engines[player].restart {
                self.running.insert(player, engine);
            } else {
                engine.quit();
            }
        }
        Ok(())
    }

    /// A running engine for this side, started if need be.
    fn take(
        &mut self,
        color: Color,
        id: GameId,
        log: &Option<DebugLog>,
    ) -> Result<Box<dyn Player>, Stopped> {
        let player = id.players[color.index()];
        let log = log.as_ref().map(|log| {
            // As in xboard's logs, the names stay when the engines change colours.
            let is_first = player == id.meeting().0;
            log.handle(if is_first { EngineName::First } else { EngineName::Second })
        });
        if let Some(mut engine) = self.running.remove(&player) {
            engine.set_log(log);
            return Ok(engine);
        }
        let attempts = if self.broken.contains(&player) { 1 } else { START_ATTEMPTS };
        let mut attempt = 1;
        loop {
            let (spec, halt) = (&self.plan.engines[player], self.hall.halt.clone());
            match engines::start(spec, self.plan.timeouts, halt, log.clone()) {
                Ok(engine) => return Ok(engine),
                Err(EngineError::Interrupted) => return Err(Stopped::Interrupted),
                Err(error) if attempt == attempts => {
                    self.broken.insert(player);
                    return Err(Stopped::Unable(color, error.to_string()));
                }
                Err(_) => attempt += 1,
            }
        }
    }

    fn open_log(&self, id: GameId) -> Result<Option<DebugLog>, MatchError> {
        let Some(folder) = &self.plan.logs else { return Ok(None) };
        let [white, black] = id.players.map(|player| file_name(&self.plan.names[player]));
        let leg = 1 + u8::from(id.is_swapped());
        let path = folder.join(format!("{:04}.{leg}-{white}-{black}.debug", id.pair + 1));
        let log = DebugLog::create(&path).map_err(|error| MatchError::Log(path.clone(), error))?;
        let side = if id.is_swapped() { 'b' } else { 'w' };
        let (first, second) = id.meeting();
        let (first, second) = (&self.plan.names[first], &self.plan.names[second]);
        log.note(&format!("New game ({}): {first}-{second} ({side})", id.pair + 1));
        log.note(&format!("Engine first: {first}"));
        log.note(&format!("Engine second: {second}"));
        Ok(Some(log))
    }
}

/// The name with `_` for characters that may be bad in a file name.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}
