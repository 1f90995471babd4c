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
use trebuchet::tablebase::SyzygyTables;
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
        // Whom an earlier run has withdrawn. One that an earlier run has ended is tried again.
        if self.plan.on_failure == OnFailure::Withdraw {
            self.withdraw_idle(&mut state);
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
        match self.plan.on_failure {
            OnFailure::EndMatch => self.end_if_idle(&mut state),
            OnFailure::Forfeit => {}
            OnFailure::Withdraw => self.withdraw_idle(&mut state),
        }
    }

    /// Ends the tournament if a player has forfeited its first games without a move.
    fn end_if_idle(&self, state: &mut State) {
        let idle = state.standings.idle_watch.idle(MAX_IDLE_FORFEITS).next();
        if let Some((player, forfeits)) = idle {
            let name = self.plan.names[player].clone();
            self.end(state, MatchError::NeverMoved { name, forfeits });
        }
    }

    /// Takes out the players that have forfeited their first games without a move.
    fn withdraw_idle(&self, state: &mut State) {
        let idle: Vec<_> = state.standings.idle_watch.idle(MAX_IDLE_FORFEITS).collect();
        for (player, _) in idle {
            // No number: a game that is still being played may become one more.
            self.withdraw(state, player, "has made no move, and forfeits its games".to_owned());
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

    /// Takes a player out. The tournament ends if nobody is left who meets somebody.
    fn withdraw(&self, state: &mut State, player: usize, why: String) {
        if state.standings.withdrawn.contains_key(&player) {
            return;
        }
        state.pairing.withdraw(player);
        state.standings.withdrawn.insert(player, why.clone());
        (state.on_event)(MatchEvent::Withdrawn { player, why: why.clone() }, state.standings);
        let is_in = |player: &usize| !state.standings.withdrawn.contains_key(player);
        if !state.standings.meetings.iter().any(|(first, second)| is_in(first) && is_in(second)) {
            self.end(state, self.engine_error(player, why));
        }
    }

    /// Passes on what the operator should know about an engine.
    pub(super) fn remark(&self, player: usize, text: String) {
        let State { on_event, standings, .. } = &mut *self.lock();
        on_event(MatchEvent::Remark { player, text }, standings);
    }

    /// Passes on what has been found wrong with the tablebases since the last call.
    pub(super) fn tell_of_tablebases(&self) {
        let notices = self.plan.tablebase.iter().flat_map(SyzygyTables::take_notices);
        let State { on_event, standings, .. } = &mut *self.lock();
        notices.for_each(|text| on_event(MatchEvent::Tablebases(text), standings));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::engines::{EngineLimits, EngineSpec, Timeouts};
    use crate::arena::games::openings::Openings;
    use crate::arena::tournament::adjudication::AdjudicationRules;
    use crate::arena::tournament::pairing::{FixedSchedule, Tournament};
    use trebuchet::variants::VariantId;

    fn plan(on_failure: OnFailure) -> Plan {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        Plan {
            event: "test".to_owned(),
            engines: vec![EngineSpec::default(); names.len()],
            names,
            adjudication: AdjudicationRules::default(),
            tablebase: None,
            margin: Duration::ZERO,
            stall: Duration::ZERO,
            timeouts: Timeouts::default(),
            concurrency: 1,
            logs: None,
            on_failure,
            sprt: None,
        }
    }

    /// The third player has forfeited three games of an earlier run without a move.
    fn resumed(plan: &Plan) -> (FixedSchedule, Standings) {
        let (limits, openings) =
            (vec![EngineLimits::default(); 3], Openings::Random { plies: 0, seed: 1 });
        let (tournament, variant) = (Tournament::RoundRobin, VariantId::Standard);
        let mut schedule = FixedSchedule::new(tournament, limits, 4, variant, openings);
        let mut standings = Standings::new(plan.names.clone(), schedule.meetings());
        for players in [[0, 2], [2, 0], [1, 2]] {
            schedule.mark_played(GameId { pair: 0, players });
            let loser = if players[0] == 2 { Color::White } else { Color::Black };
            let forfeit = Some((loser, ForfeitKind::Crash));
            let moves = players.map(|player| usize::from(player != 2));
            standings.idle_watch.add(players, moves, forfeit);
        }
        (schedule, standings)
    }

    #[test]
    fn a_player_that_an_earlier_run_has_withdrawn_plays_no_more() {
        for (on_failure, games) in
            [(OnFailure::Withdraw, 4), (OnFailure::Forfeit, 9), (OnFailure::EndMatch, 9)]
        {
            let plan = plan(on_failure);
            let (mut schedule, mut standings) = resumed(&plan);
            let (halt, mut told) = (StopSignal::default(), Vec::new());
            let mut on_event = |event: MatchEvent, _: &Standings| told.push(format!("{event:?}"));
            let coordinator =
                Coordinator::new(&plan, &mut schedule, &mut standings, &halt, &mut on_event);
            coordinator.begin(Vec::new());
            let left = std::iter::from_fn(|| coordinator.next()).count();
            drop(coordinator);
            assert_eq!(left, games, "{on_failure:?}");
            let why = "player: 2, why: \"has made no move, and forfeits its games\"";
            let is_told = told.iter().any(|event| event.contains(why));
            assert_eq!(is_told, on_failure == OnFailure::Withdraw, "{told:?}");
        }
    }
}
