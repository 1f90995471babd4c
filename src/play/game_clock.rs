//! Time controls, and the clock of the engine in a game.

use std::time::Duration;

use crate::search::time_management::{ClockShares, ClockState, TimeBudget};
use crate::types::{Depth, MAX_PLY, Ply};

/// How much time a player gets for the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The moves for which the base time is; then it is added again. 0 if it is for the whole game.
    pub moves: u32,
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// The clock of the engine, and what else limits its searches. If somebody else keeps the clock, what
/// that one says counts; without it the clock is kept here.
#[derive(Clone, Debug)]
pub struct GameClock {
    control: TimeControl,
    /// Has a time control been set for this game?
    has_control: bool,
    move_time: Option<MoveTime>,
    depth: Option<Depth>,
    /// Nodes that count as one second.
    node_rate: Option<u32>,
    time_left: Duration,
    opponent_time: Option<Duration>,
    /// The ply at which the time control was set: moves to go are counted from here.
    counted_from: Ply,
}

/// The time for each move.
#[derive(Clone, Copy, Debug)]
struct MoveTime {
    limit: Duration,
    /// It was set in a game without a time control and replaces the clock. Otherwise it limits the move in
    /// addition to the clock.
    is_alone: bool,
}

/// xboard's own default: forty moves in five minutes.
const DEFAULT_CONTROL: TimeControl =
    TimeControl { moves: 40, base: Duration::from_secs(5 * 60), increment: Duration::ZERO };

impl Default for GameClock {
    fn default() -> GameClock {
        GameClock::new()
    }
}

impl GameClock {
    /// A clock with xboard's usual time control.
    pub fn new() -> GameClock {
        GameClock {
            control: DEFAULT_CONTROL,
            has_control: false,
            move_time: None,
            depth: None,
            node_rate: None,
            time_left: DEFAULT_CONTROL.base,
            opponent_time: None,
            counted_from: 0,
        }
    }

    /// The same control from the start, with the time for each move that was set; depth limit and node rate are
    /// forgotten.
    pub fn new_game(&mut self) {
        self.has_control = false;
        self.depth = None;
        self.node_rate = None;
        self.time_left = self.control.base;
        self.opponent_time = None;
        self.counted_from = 0;
    }

    /// The moves of the game are counted from a new position.
    pub fn new_position(&mut self) {
        self.counted_from = 0;
    }

    /// The clock begins anew at this ply of the game.
    pub fn set_control(&mut self, control: TimeControl, ply: Ply) {
        self.control = control;
        self.has_control = true;
        self.move_time = None;
        self.time_left = control.base;
        self.counted_from = ply;
    }

    /// The time for each move.
    pub fn set_move_time(&mut self, time: Duration) {
        self.move_time = Some(MoveTime { limit: time, is_alone: !self.has_control });
    }

    /// Limits the depth of searches, in plies; 0 is no limit.
    pub fn set_depth(&mut self, plies: u32) {
        self.depth = match plies {
            0 => None,
            plies => Some(plies.min(MAX_PLY as u32) as Depth),
        };
    }

    /// Measures time in nodes, this many a second; 0 measures it by the clock again.
    pub fn set_node_rate(&mut self, rate: u32) {
        self.node_rate = Some(rate).filter(|&rate| rate > 0);
    }

    /// What another clock shows for the engine.
    pub fn set_time_left(&mut self, time: Duration) {
        self.time_left = time;
    }

    /// What another clock shows for the opponent.
    pub fn set_opponent_time(&mut self, time: Duration) {
        self.opponent_time = Some(time);
    }

    /// The deepest search, in plies.
    pub const fn depth(&self) -> Option<Depth> {
        self.depth
    }

    /// The nodes that count as one second, if nodes are the measure of time.
    pub const fn node_rate(&self) -> Option<u32> {
        self.node_rate
    }

    /// The opponent's time with the next 20 increments; `None` if there is no clock or it is not
    /// known.
    pub fn opponent_time(&self) -> Option<Duration> {
        let has_clock = self.move_time.is_none_or(|time| !time.is_alone);
        self.opponent_time.filter(|_| has_clock).map(|time| time + self.control.increment * 20)
    }

    /// The clock when `spent` of the time for the engine's move is gone.
    pub fn after(&self, spent: Duration) -> GameClock {
        let left = |time: Duration| time.saturating_sub(spent);
        GameClock {
            time_left: left(self.time_left),
            move_time: self.move_time.map(|time| MoveTime { limit: left(time.limit), ..time }),
            ..self.clone()
        }
    }

    /// The time for the engine's move at this ply of the game.
    pub fn budget(&self, ply: Ply, overhead: Duration, shares: &ClockShares) -> TimeBudget {
        // Time measured in nodes has no overhead.
        let overhead = if self.node_rate.is_some() { Duration::ZERO } else { overhead };
        let clock = ClockState {
            time_left: self.time_left,
            increment: self.control.increment,
            moves_to_go: self.moves_to_go(ply),
            overhead,
        };
        let by_clock = TimeBudget::allocate(&clock, shares);
        match self.move_time {
            None => by_clock,
            Some(MoveTime { limit, is_alone: true }) => TimeBudget::exactly(limit, overhead),
            Some(MoveTime { limit, .. }) => by_clock.within(TimeBudget::exactly(limit, overhead)),
        }
    }

    /// The nodes for a move, if time is measured in nodes.
    pub fn node_budget(&self, ply: Ply, shares: &ClockShares) -> Option<u64> {
        let rate = f64::from(self.node_rate?);
        let TimeBudget { soft, hard } = self.budget(ply, Duration::ZERO, shares);
        Some(((soft.min(hard)).as_secs_f64() * rate).max(1.0) as u64)
    }

    /// Takes a move's time off the engine's clock, and adds increment and session time. Only matters
    /// if nobody else keeps the clock.
    pub fn spend(&mut self, spent: Duration, ply: Ply) {
        self.time_left =
            self.time_left.saturating_sub(spent).saturating_add(self.control.increment);
        if self.moves_to_go(ply) == Some(1) {
            self.time_left = self.time_left.saturating_add(self.control.base);
        }
    }

    fn moves_to_go(&self, ply: Ply) -> Option<u32> {
        let made = (ply.saturating_sub(self.counted_from) / 2) as u32;
        match self.control.moves {
            0 => None,
            moves => Some(moves - made % moves),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Params;

    fn shares() -> ClockShares {
        ClockShares::of(&Params::STANDARD)
    }

    const NO_OVERHEAD: Duration = Duration::ZERO;

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn control(moves: u32, base: u64, increment: u64) -> TimeControl {
        TimeControl { moves, base: secs(base), increment: secs(increment) }
    }

    #[test]
    fn the_clock_is_kept_when_the_gui_does_not_tell() {
        let mut clock = GameClock::new();
        clock.set_control(control(2, 60, 1), 0);
        clock.spend(secs(10), 0);
        assert_eq!(clock.time_left, secs(51));
        clock.spend(secs(10), 2);
        assert_eq!(clock.time_left, secs(51 - 10 + 1 + 60), "the second move ends the session");
        clock.spend(secs(1000), 4);
        assert_eq!(clock.time_left, secs(1));
    }

    #[test]
    fn moves_to_go_start_with_the_control() {
        let mut clock = GameClock::new();
        clock.set_control(control(40, 60, 0), 7);
        assert_eq!(clock.moves_to_go(7), Some(40));
        assert_eq!(clock.moves_to_go(9), Some(39));
        assert_eq!(clock.moves_to_go(7 + 80), Some(40));
        assert_eq!(clock.moves_to_go(3), Some(40), "moves were taken back");
    }

    #[test]
    fn the_opponent_has_the_next_increments_too() {
        let mut clock = GameClock::new();
        assert_eq!(clock.opponent_time(), None, "not known yet");
        clock.set_control(control(0, 60, 3), 0);
        clock.set_opponent_time(secs(7));
        assert_eq!(clock.opponent_time(), Some(secs(7 + 20 * 3)));
        clock.set_move_time(secs(5));
        assert_eq!(clock.opponent_time(), Some(secs(7 + 20 * 3)), "st in addition to the clock");
        clock.new_game();
        clock.set_move_time(secs(5));
        clock.set_opponent_time(secs(7));
        assert_eq!(clock.opponent_time(), None, "st without a clock");
    }

    #[test]
    fn st_stands_alone_or_limits_the_clock() {
        let mut clock = GameClock::new();
        clock.new_game();
        clock.set_move_time(secs(10));
        clock.set_time_left(secs(10));
        assert_eq!(clock.budget(0, NO_OVERHEAD, &shares()).hard, secs(10), "xboard sends st alone");
        clock.new_game();
        clock.set_control(control(0, 100, 0), 0);
        clock.set_move_time(secs(2));
        let budget = clock.budget(0, NO_OVERHEAD, &shares());
        assert_eq!(budget.hard, secs(2));
        assert!(budget.soft > secs(4) && budget.soft < secs(6), "{budget:?}");
        clock.new_game();
        assert_eq!(clock.budget(0, NO_OVERHEAD, &shares()), budget, "both hold in the next game");
        clock.set_control(control(0, 100, 0), 0);
        assert!(
            clock.budget(0, NO_OVERHEAD, &shares()).hard > secs(20),
            "a new control forgets the move time"
        );
    }

    #[test]
    fn what_is_spent_before_the_search_is_gone_for_it() {
        let mut clock = GameClock::new();
        clock.set_control(control(0, 60, 0), 0);
        let budget = |clock: &GameClock| clock.budget(0, NO_OVERHEAD, &shares());
        let mut later = clock.clone();
        later.set_time_left(secs(40));
        assert_eq!(budget(&clock.after(secs(20))), budget(&later));
        clock.set_move_time(secs(3));
        assert_eq!(budget(&clock.after(secs(2))).hard, secs(1));
    }

    #[test]
    fn an_empty_clock_leaves_time_to_look() {
        let mut clock = GameClock::new();
        clock.set_control(control(0, 0, 0), 0);
        assert_eq!(clock.budget(0, secs(1), &shares()).hard, Duration::from_millis(1));
        clock.new_game();
        clock.set_move_time(Duration::ZERO);
        assert_eq!(clock.budget(0, secs(1), &shares()).hard, Duration::from_millis(1));
    }

    #[test]
    fn nodes_can_be_the_measure() {
        let mut clock = GameClock::new();
        clock.new_game();
        clock.set_node_rate(1);
        clock.set_move_time(secs(5000));
        assert_eq!(clock.node_budget(0, &shares()), Some(5000));
        clock.set_node_rate(0);
        assert_eq!(clock.node_budget(0, &shares()), None);
    }

    #[test]
    fn depths_are_tamed() {
        let mut clock = GameClock::new();
        for (plies, depth) in [(0, None), (5, Some(5)), (u32::MAX, Some(MAX_PLY as Depth))] {
            clock.set_depth(plies);
            assert_eq!(clock.depth(), depth);
        }
    }
}
