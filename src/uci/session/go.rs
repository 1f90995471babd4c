//! `go`: what a search may spend, and its end.

use std::time::Duration;

use super::{UciSession, echo};
use crate::play::{Choice, RunningSearch, SearchId};
use crate::search::Bound;
use crate::search::Limits;
use crate::search::time_management::{ClockState, TimeBudget};
use crate::types::{Color, Depth, MAX_PLY, Move, Score};
use crate::uci::wire::{Go, Info, InfoScore, Reply, Start};

/// Longer than any search: the time of a search without a limit of time that may end by itself.
const FOREVER: Duration = Duration::from_secs(1 << 31);

/// What a `go` has started.
#[derive(Debug)]
pub(super) struct GoSearch {
    /// `None` where nothing is searched any more: the answer is ready and waits for `stop`.
    running: Option<RunningSearch>,
    /// The answer that waits; `None` if there is no move.
    answer: Option<Choice>,
    go: Go,
    /// The limits of time, from the start or from `ponderhit` on.
    budget: Option<TimeBudget>,
}

impl GoSearch {
    /// The id that the events of the search bear.
    pub(super) fn id(&self) -> Option<SearchId> {
        self.running.as_ref().map(RunningSearch::id)
    }

    /// Does a search run, of which the answer will come?
    pub(super) const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    pub(super) const fn is_pondering(&self) -> bool {
        self.go.ponder
    }

    pub(super) fn stop(&self) {
        if let Some(running) = &self.running {
            running.handle.stop();
        }
    }

    /// Keeps the answer of a search that has ended before the GUI wanted one. Returns false if it wants one.
    pub(super) fn holds(&mut self, choice: &Choice) -> bool {
        let must_wait = self.go.infinite || self.go.ponder;
        if must_wait {
            (self.running, self.answer) = (None, Some(choice.clone()));
        }
        must_wait
    }
}

/// The time left and the increment of a side.
const fn time_of(go: &Go, side: Color) -> (Option<Duration>, Option<Duration>) {
    match side {
        Color::White => (go.wtime, go.winc),
        Color::Black => (go.btime, go.binc),
    }
}

/// The limits that end no search by themselves.
fn vain_limits(go: &Go) -> Vec<&'static str> {
    let limits = [
        ("winc", go.winc.is_some()),
        ("binc", go.binc.is_some()),
        ("movestogo", go.movestogo.is_some()),
        ("mate 0", go.mate == Some(0)),
    ];
    limits.into_iter().filter(|&(_, is_given)| is_given).map(|(name, _)| name).collect()
}

impl UciSession {
    pub(super) fn go(&mut self, mut go: Go) {
        if !go.without_number.is_empty() {
            let names = go.without_number.join(", ");
            self.inform(&format!("a limit of go without a number is ignored: {}", echo(&names)));
        }
        if self.problem.is_none() && self.engine.game().variant() != self.variant() {
            // The GUI has changed the game and not set up a position. Chess960 goes on from the one of chess.
            let (start, moves) = self.position.take().unwrap_or((Start::StartPos, Vec::new()));
            self.set_position(start, moves);
        }
        if let Some(problem) = self.problem.clone() {
            self.inform(&format!("there is nothing to search: {problem}"));
            return self.answer_or_wait(go);
        }
        let legal = self.engine.game().legal_moves();
        if legal.is_empty() {
            self.show_end();
            return self.answer_or_wait(go);
        }
        if let Some(other) = self.other_clock(&go) {
            self.inform(&format!("a clock without time for the side to move: {other}'s is used"));
        }
        let budget = self.budget(&go);
        let vain = vain_limits(&go);
        go.mate = go.mate.filter(|&moves| moves > 0);
        let is_held = go.infinite || go.ponder;
        let mut is_endless =
            budget.is_none() && go.depth.is_none() && go.nodes.is_none() && go.mate.is_none();
        let has_limits = !go.without_number.is_empty() || !vain.is_empty();
        if is_endless && !go.infinite && has_limits {
            if !vain.is_empty() {
                self.inform(&format!("no limit by itself: {}", vain.join(", ")));
            }
            self.inform("there is no other limit: the search has one ply");
            (go.depth, is_endless) = (Some(1), false);
        }
        let limits = Limits {
            depth: go.depth.map(|plies| plies.clamp(1, MAX_PLY as u32) as Depth),
            nodes: go.nodes,
            mate: go.mate,
            excluded_root_moves: self.excluded(&go.searchmoves, &legal),
            infinite: is_held || is_endless,
            ..Limits::default()
        };
        let starts_clock = budget.filter(|_| !is_held);
        let handle = if self.uci.analyses || go.infinite && !go.ponder {
            self.engine.analyze(limits, starts_clock, self.now)
        } else {
            self.engine.think(limits, starts_clock, self.now)
        };
        let running = Some(RunningSearch::new(handle, self.now));
        self.search = Some(GoSearch { running, answer: None, go, budget });
    }

    /// The legal moves that `searchmoves` leaves out; none if it names no legal move. Illegal ones are told.
    fn excluded(&mut self, texts: &[String], legal: &[Move]) -> Vec<Move> {
        let mut wanted = Vec::new();
        for text in texts {
            match super::moves::read_move(self.engine.game(), text) {
                Some(mv) => wanted.push(mv),
                None => self.inform(&format!("illegal move in searchmoves: {}", echo(text))),
            }
        }
        if wanted.is_empty() {
            return Vec::new();
        }
        legal.iter().copied().filter(|mv| !wanted.contains(mv)).collect()
    }

    /// The side whose clock counts for the side to move, because only that clock is known: most games begin
    /// with equal clocks, and a search that waits for `stop` would lose a game with a clock.
    fn other_clock(&self, go: &Go) -> Option<Color> {
        let us = self.engine.game().side_to_move();
        (time_of(go, us).0.is_none() && time_of(go, !us).0.is_some()).then_some(!us)
    }

    /// The time for the move of the side to move; `None` without a limit of time.
    fn budget(&self, go: &Go) -> Option<TimeBudget> {
        let overhead = self.engine.settings().move_overhead;
        let us = self.engine.game().side_to_move();
        let (_, own_increment) = time_of(go, us);
        let (time, increment) = time_of(go, self.other_clock(go).unwrap_or(us));
        let increment = own_increment.or(increment);
        let by_clock = time.map(|time_left| {
            let clock = ClockState {
                time_left,
                increment: increment.unwrap_or_default(),
                moves_to_go: go.movestogo.filter(|&moves| moves > 0),
                overhead,
            };
            TimeBudget::allocate(&clock, &self.engine.clock_shares())
        });
        let by_move = go.movetime.map(|time| TimeBudget::exactly(time, overhead));
        by_clock.into_iter().chain(by_move).reduce(TimeBudget::within)
    }

    /// There is no move: says so, at once or after `stop`.
    fn answer_or_wait(&mut self, go: Go) {
        if go.infinite || go.ponder {
            self.search = Some(GoSearch { running: None, answer: None, go, budget: None });
        } else {
            self.say(Reply::BestMove { mv: None, ponder: None });
        }
    }

    /// Shows the value of a position without moves.
    fn show_end(&mut self) {
        let game = self.engine.game();
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        let score = match winner {
            // `mate 0` would be a loss, and UCI has no word for a game that is won.
            Some(winner) if winner == game.side_to_move() => Score::win_in(1),
            Some(_) => Score::loss_in(0),
            None => Score::ZERO,
        };
        let score = Some(InfoScore { score, bound: Bound::Exact });
        self.say(Reply::Info(Box::new(Info { depth: Some(0), score, ..Info::default() })));
    }

    /// `stop`: the search ends with its best move.
    pub(super) fn stop(&mut self) {
        let Some(search) = &mut self.search else { return };
        if let Some(running) = &search.running {
            running.handle.stop();
            (search.go.infinite, search.go.ponder) = (false, false);
            return;
        }
        match search.answer.take() {
            Some(choice) => self.finish(&choice),
            None => {
                self.search = None;
                self.say(Reply::BestMove { mv: None, ponder: None });
            }
        }
    }

    /// `ponderhit`: the opponent has made the expected move, and the clock runs.
    pub(super) fn ponder_hit(&mut self) {
        let now = self.now;
        let Some(search) = self.search.as_mut().filter(|search| search.go.ponder) else { return };
        search.go.ponder = false;
        match &mut search.running {
            Some(running) => {
                let pondering = std::mem::replace(&mut running.since, now);
                let go = &search.go;
                let is_endless = go.depth.is_none() && go.nodes.is_none() && go.mate.is_none();
                let forever = TimeBudget::exactly(FOREVER, Duration::ZERO);
                let budget = search.budget.or((!is_endless).then_some(forever));
                if let Some(budget) = budget.filter(|_| !go.infinite) {
                    running.handle.start_clock(budget.start_at_hit(pondering, now), budget);
                }
            }
            None if !search.go.infinite => self.stop(),
            None => {}
        }
    }

    /// The search has ended.
    pub(super) fn finish(&mut self, choice: &Choice) {
        self.search = None;
        if let Some(problem) = self.engine.stage_problem().filter(|_| choice.best.is_none()) {
            self.inform(&problem);
        }
        let mv = choice.best.map(|mv| self.move_text(mv));
        let line: Vec<Move> = choice.best.into_iter().chain(choice.ponder).collect();
        let ponder = choice.ponder.and_then(|_| self.line_text(&line).pop());
        self.say(Reply::BestMove { mv, ponder });
    }
}
