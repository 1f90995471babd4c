//! What the workers of a tournament share.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::event::{FinishedGame, MatchError, MatchEvent};
use super::game_spec::{GameId, GameSpec};
use super::idle_watch::MAX_IDLE_FORFEITS;
use super::pairing::Pairing;
use super::plan::{OnFailure, Plan};
use super::sprt::{Sprt, SprtDecision};
use super::standings::Standings;
use crate::arena::engines::StopSignal;
use crate::arena::games::{Forfeit, ForfeitKind, GameEnding, GameRecord};
use trebuchet::threads::lock;
use trebuchet::types::Color;

/// What the workers share: gives out the games, counts them, and follows the plan if an engine fails.
pub(super) struct Coordinator<'a> {
    pub(super) plan: &'a Plan,
    pub(super) halt: &'a StopSignal,
    state: Mutex<State<'a>>,
    /// A game has ended.
    has_changed: Condvar,
}

struct State<'a> {
    pairing: &'a mut dyn Pairing,
    standings: &'a mut Standings,
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

impl<'a> Coordinator<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        pairing: &'a mut dyn Pairing,
        standings: &'a mut Standings,
        halt: &'a StopSignal,
        on_event: &'a mut (dyn FnMut(MatchEvent, &Standings) + Send),
    ) -> Coordinator<'a> {
        let state = State { pairing, standings, running: 0, lost: 0, on_event, outcome: Ok(()) };
        Coordinator { plan, halt, state: Mutex::new(state), has_changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        lock(&self.state)
    }

    fn is_halted(&self) -> bool {
        self.halt.is_stopped()
    }

    fn halt(&self) {
        self.halt.stop();
    }

    /// `failures` are the players that cannot be started, and why.
    pub(super) fn begin(&self, failures: Vec<(usize, String)>) {
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
    pub(super) fn next(&self) -> Option<(GameSpec, RunningGame<'_, 'a>)> {
        let mut state = self.lock();
        loop {
            if self.is_halted() {
                return None;
            }
            let State { pairing, standings, running, .. } = &mut *state;
            if let Some(spec) = pairing.next(standings) {
                *running += 1;
                return Some((spec, RunningGame(self)));
            }
            if *running == 0 {
                return None;
            }
            let waited = self.has_changed.wait_timeout(state, HALT_INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Counts a game that has ended.
    pub(super) fn count(&self, id: GameId, record: GameRecord) {
        let mut state = self.lock();
        if self.is_halted() {
            return;
        }
        let State { pairing, standings, lost, on_event, .. } = &mut *state;
        standings.add_record(id, &record);
        let finished = FinishedGame { id, record, total: pairing.total() - *lost };
        on_event(MatchEvent::Finished(&finished), standings);
        self.halt_if_decided(&state);
        let hopeless: Vec<_> = state.standings.idle_watch.idle(MAX_IDLE_FORFEITS).collect();
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
    pub(super) fn fail(&self, id: GameId, mut record: GameRecord, color: Color, why: String) {
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

    /// Passes on what the operator should know about an engine.
    pub(super) fn remark(&self, player: usize, text: String) {
        let State { on_event, standings, .. } = &mut *self.lock();
        on_event(MatchEvent::Remark { player, text }, standings);
    }

    /// Ends the tournament for a reason.
    pub(super) fn abort(&self, error: MatchError) {
        self.end(&mut self.lock(), error);
    }

    fn end(&self, state: &mut State, error: MatchError) {
        self.halt();
        if state.outcome.is_ok() {
            state.outcome = Err(error);
        }
    }

    /// How the tournament ended.
    pub(super) fn outcome(self) -> Result<(), MatchError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.outcome?;
        let can_be_idle = self.plan.on_failure != OnFailure::EndMatch;
        match state.standings.idle_watch.idle(1).next().filter(|_| !can_be_idle) {
            Some((player, forfeits)) => {
                Err(MatchError::NeverMoved { name: self.plan.names[player].clone(), forfeits })
            }
            None => Ok(()),
        }
    }
}

/// A game that is being played. Dropping it tells the workers that wait for its end.
pub(super) struct RunningGame<'h, 'a>(&'h Coordinator<'a>);

impl Drop for RunningGame<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.has_changed.notify_all();
    }
}
