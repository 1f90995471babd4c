//! Plays the games of a tournament, several at the same time. Each worker takes the next game of the
//! pairing and keeps its engines running from one game to the next.

use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::{Duration, Instant};

use jiff::Zoned;

use super::coordinator::Coordinator;
use super::event::{MatchError, MatchEvent};
use super::game::{self, Abort, GameConditions};
use super::game_spec::{GameId, GameSpec};
use super::pairing::Pairing;
use super::plan::Plan;
use super::standings::Standings;
use crate::arena::engine_slot::EngineSlot;
use crate::arena::engines::log_writer::DebugLog;
use crate::arena::engines::{self, EngineError, EngineLimits, Player, Reuse, StopSignal, detect};
use crate::arena::games::{GameEnding, GameRecord, MoveRecord, PlayerRecord};
use trebuchet::types::Color;

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
    halt: &StopSignal,
    on_event: &mut (dyn FnMut(MatchEvent, &Standings) + Send),
) -> Result<(), MatchError> {
    let failures = find_protocols(plan, halt);
    let coordinator = Coordinator::new(plan, pairing, standings, halt, on_event);
    coordinator.begin(failures);
    thread::scope(|scope| {
        for number in 0..plan.concurrency {
            let thread = thread::Builder::new().name(format!("match worker {number}"));
            let work = || MatchWorker::new(&coordinator).work();
            if let Err(error) = thread.spawn_scoped(scope, work) {
                coordinator.abort(MatchError::Thread(error));
                break;
            }
        }
    });
    coordinator.outcome()
}

/// Asks the engines whose protocol is not given which one they speak. Returns those that cannot be
/// started, and why.
fn find_protocols(plan: &mut Plan, halt: &StopSignal) -> Vec<(usize, String)> {
    let mut failures = Vec::new();
    for (player, spec) in plan.engines.iter_mut().enumerate() {
        match detect::complete(spec, plan.timeouts, halt) {
            Ok(()) => {}
            Err(EngineError::Interrupted) => break,
            Err(error) => failures.push((player, error.to_string())),
        }
    }
    failures
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
    coordinator: &'h Coordinator<'a>,
    plan: &'a Plan,
    /// The running engines by their index in the plan.
    running: HashMap<usize, Box<dyn Player>>,
    /// The engines that could not be started. They get one attempt for each game.
    broken: HashSet<usize>,
}

impl<'h, 'a> MatchWorker<'h, 'a> {
    fn new(coordinator: &'h Coordinator<'a>) -> MatchWorker<'h, 'a> {
        MatchWorker {
            coordinator,
            plan: coordinator.plan,
            running: HashMap::new(),
            broken: HashSet::new(),
        }
    }

    fn work(mut self) {
        while let Some((spec, _running)) = self.coordinator.next() {
            let mut record = self.new_record(&spec);
            match self.play(&spec, &mut record) {
                Ok(()) => self.coordinator.count(spec.id, record),
                Err(Stopped::Unable(color, why)) => {
                    self.coordinator.fail(spec.id, record, color, why)
                }
                Err(Stopped::Error(error)) => self.coordinator.abort(error),
                Err(Stopped::Interrupted) => {}
            }
        }
        self.running.values_mut().for_each(|player| player.quit());
    }

    /// The record of a game before its first move.
    fn new_record(&self, spec: &GameSpec) -> GameRecord {
        let player = |color: Color| {
            let index = spec.id.players[color.index()];
            PlayerRecord {
                name: self.plan.names[index].clone(),
                time_control: spec.time_control(color),
            }
        };
        let opening = spec.opening.sans(spec.variant).into_iter();
        let EngineLimits { nodes, depth, .. } = spec.shared_limits();
        GameRecord {
            event: self.plan.event.clone(),
            date: Zoned::now().strftime("%Y.%m.%d").to_string(),
            round: spec.id.round(),
            variant: spec.variant,
            start: spec.opening.fen.clone(),
            players: Color::ALL.map(player),
            nodes,
            depth,
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
            limits: &spec.limits,
            adjudication: plan.adjudication,
            tablebase: plan.tablebase.as_ref(),
            margin: plan.margin,
            stall: plan.stall,
        };
        let begun = Instant::now();
        let played = game::play(&mut players, &conditions, record);
        record.duration = begun.elapsed();
        for (engine, player) in players.iter_mut().zip(seats) {
            for text in engine.take_remarks() {
                self.coordinator.remark(player, text);
            }
        }
        self.coordinator.tell_of_tablebases();
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
            log.handle(if is_first { EngineSlot::First } else { EngineSlot::Second })
        });
        if let Some(mut engine) = self.running.remove(&player) {
            engine.set_log(log);
            return Ok(engine);
        }
        let attempts = if self.broken.contains(&player) { 1 } else { START_ATTEMPTS };
        let mut attempt = 1;
        loop {
            let (spec, halt) = (&self.plan.engines[player], self.coordinator.halt.clone());
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
        let path = folder.join(log_name(id, &self.plan.names));
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

/// The file name of the log of a game. The players have their numbers in it: their names, without the characters that
/// may be bad in a file name or too many, could be those of another game, too.
fn log_name(id: GameId, names: &[String]) -> String {
    let [white, black] =
        id.players.map(|player| format!("{}_{}", player + 1, plain(&names[player])));
    let leg = 1 + u8::from(id.is_swapped());
    format!("{:04}.{leg}-{white}-{black}.debug", id.pair + 1)
}

/// How many bytes of a player's name stand in the name of a file: file systems take 255 for the whole.
const MOST_BYTES: usize = 80;

/// The beginning of the name, with `_` for characters that may be bad in a file name.
fn plain(name: &str) -> String {
    let mut plain: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .collect();
    plain.truncate(plain.floor_char_boundary(MOST_BYTES));
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_log_of_its_own() {
        let names = ["x 1", "x_1", "a", "a-x_1", "../b"].map(str::to_owned);
        let name = |white, black| log_name(GameId { pair: 2, players: [white, black] }, &names);
        assert_eq!(name(0, 4), "0003.1-1_x_1-5_.._b.debug");
        let players = 0..names.len();
        let logs: HashSet<String> = players
            .clone()
            .flat_map(|white| players.clone().map(move |black| (white, black)))
            .filter(|(white, black)| white != black)
            .map(|(white, black)| name(white, black))
            .collect();
        assert_eq!(logs.len(), 20);
    }

    #[test]
    fn the_log_of_players_with_long_names_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["x".repeat(300), "x".repeat(301), "\u{1d538}".repeat(300)];
        for players in [[0, 1], [1, 0], [1, 2], [2, 0]] {
            let path = folder.path().join(log_name(GameId { pair: 123_456, players }, &names));
            assert!(std::fs::File::create_new(&path).is_ok(), "{players:?}");
        }
    }
}
