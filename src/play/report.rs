//! What a search tells the engine's owner while it runs and when it ends.

use std::fmt;
use std::sync::{Arc, Mutex};

use crate::book::BookMove;
use crate::search::{LONG_SEARCH, LineFilter, Observer, Progress, RootStatus, StopToken};
use crate::threads::lock;
use crate::types::{Depth, Move, Score};

/// Names one search of an engine. No two searches of an engine have the same.
pub type SearchId = u64;

/// What a search decided.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move to play; `None` if there is no legal move, or none that the stage allows.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The score of `best` if it was searched.
    pub score: Option<Score>,
    /// The depth of the last finished iteration, in plies.
    pub depth: Depth,
}

impl Choice {
    /// A move that was not searched.
    pub const fn unsearched(best: Option<Move>) -> Choice {
        Choice { best, ponder: None, score: None, depth: 0 }
    }
}

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The engine has less than was asked for, or does without something.
    Notice,
    /// What the user has named cannot be used.
    Problem,
}

/// A sentence for the user, without a full stop. The engine tells each message once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub severity: Severity,
    pub text: String,
}

impl Message {
    pub const fn notice(text: String) -> Message {
        Message { severity: Severity::Notice, text }
    }

    pub const fn problem(text: String) -> Message {
        Message { severity: Severity::Problem, text }
    }
}

/// What an engine sends. `Finished` comes exactly once for each search and is its last event, however
/// the search ends, even by a panic.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    Progress(SearchId, Progress),
    /// The search has gone on to this root move. Sent only in searches of seconds.
    Root(SearchId, RootStatus),
    /// The move comes from the book: all moves of the book in this position, the heaviest first.
    Book(SearchId, Vec<BookMove>),
    /// The user should know this: it belongs to no search.
    Message(Message),
    Finished(SearchId, Choice),
}

/// Takes the events of an engine.
///
/// It is called on the thread of the search. An inline search, a move from the book, a stage without a
/// search, a message and the held end of an infinite search come on the caller's thread, from inside the
/// method that causes them, before that returns the handle with the search's id. So a sink must not block
/// and must not call the engine: it puts the event where the engine's owner finds it later.
pub type SearchSink = Arc<dyn Fn(SearchEvent) + Send + Sync>;

/// Where a search stands at the root: written by the search, read by its [`super::SearchHandle`].
/// Empty before the first iteration and after the end.
#[derive(Clone, Debug, Default)]
pub(super) struct RootStatusCell(Arc<Mutex<Option<RootStatus>>>);

impl RootStatusCell {
    pub(super) fn get(&self) -> Option<RootStatus> {
        lock(&self.0).clone()
    }

    fn set(&self, status: Option<RootStatus>) {
        *lock(&self.0) = status;
    }
}

/// Holds back the end of a search that may not end by itself, until its owner ends it.
#[derive(Clone, Default)]
pub(super) struct HeldEnd(Arc<Mutex<Option<Reporter>>>);

impl HeldEnd {
    /// Holds the end back, unless the owner has ended the search already.
    fn keep(&self, reporter: Reporter, stop: &StopToken) {
        let mut held = lock(&self.0);
        if !stop.is_stopped() && !stop.has_time_limits() {
            *held = Some(reporter);
            return;
        }
        // The sink is called without the lock.
        drop(held);
        drop(reporter);
    }

    /// Reports the end if it was held back. The owner must have changed the token before.
    pub(super) fn release(&self) {
        let held = lock(&self.0).take();
        drop(held);
    }
}

impl fmt::Debug for HeldEnd {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("HeldEnd")
    }
}

/// Sends the events of one search. When it is dropped it reports the end of the search, so the end
/// is reported exactly once, also when the search panics or its thread cannot start.
pub struct Reporter {
    id: SearchId,
    sink: SearchSink,
    root_status: RootStatusCell,
    filter: LineFilter,
    /// The root move of the last [`SearchEvent::Root`].
    current: Option<Move>,
    /// What to report at the end; taken when it has been reported.
    choice: Option<Choice>,
    /// Where the end waits if the search may not end by itself, and the token that ends it.
    hold: Option<(HeldEnd, StopToken)>,
}

impl Reporter {
    /// `choice` is reported unless the search finds a better one.
    pub(super) fn new(
        id: SearchId,
        sink: SearchSink,
        root_status: RootStatusCell,
        choice: Choice,
    ) -> Reporter {
        let filter = LineFilter::default();
        Reporter { id, sink, root_status, filter, current: None, choice: Some(choice), hold: None }
    }

    /// The search may not end by itself: its end waits here until the token ends it.
    pub(super) fn hold_end(&mut self, held: HeldEnd, stop: StopToken) {
        self.hold = Some((held, stop));
    }

    /// The id of the search.
    pub const fn id(&self) -> SearchId {
        self.id
    }

    /// Tells the user something.
    pub fn tell(&self, message: Message) {
        (self.sink)(SearchEvent::Message(message));
    }

    /// Reports the moves of the book, instead of a search.
    pub(super) fn book(&self, moves: Vec<BookMove>) {
        (self.sink)(SearchEvent::Book(self.id, moves));
    }

    /// Reports the end of the search with what it has found. An infinite search ends only when its owner
    /// stops it or limits its time.
    pub fn finish(mut self, choice: Choice) {
        self.choice = Some(choice);
        if let Some((held, stop)) = self.hold.take() {
            held.keep(self, &stop);
        }
    }
}

impl Observer for Reporter {
    fn line(&mut self, progress: Progress) {
        // If the search panics later, this is its best move.
        if progress.line == 0
            && let [best, rest @ ..] = &progress.pv[..]
        {
            self.choice = Some(Choice {
                best: Some(*best),
                ponder: rest.first().copied(),
                score: Some(progress.score),
                depth: progress.depth,
            });
        }
        if let Some(progress) = self.filter.pass(progress) {
            (self.sink)(SearchEvent::Progress(self.id, progress));
        }
    }

    fn root(&mut self, status: RootStatus) {
        self.filter.iteration(status.depth, status.time);
        if status.time >= LONG_SEARCH && status.current.is_some() && status.current != self.current
        {
            self.current = status.current;
            (self.sink)(SearchEvent::Root(self.id, status.clone()));
        }
        self.root_status.set(Some(status));
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.root_status.set(None);
        if let Some(choice) = self.choice.take() {
            if let Some(progress) = self.filter.last(choice.best) {
                (self.sink)(SearchEvent::Progress(self.id, progress));
            }
            (self.sink)(SearchEvent::Finished(self.id, choice));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn reporter(sender: mpsc::Sender<Option<Depth>>) -> Reporter {
        let sink = Arc::new(move |event| {
            let depth = match event {
                SearchEvent::Finished(7, choice) => Some(choice.depth),
                _ => None,
            };
            sender.send(depth).unwrap();
        });
        Reporter::new(7, sink, RootStatusCell::default(), Choice::unsearched(None))
    }

    #[test]
    fn the_end_is_reported_once() {
        let (sender, events) = mpsc::channel();
        reporter(sender).finish(Choice { depth: 5, ..Choice::unsearched(None) });
        assert_eq!(events.iter().collect::<Vec<_>>(), [Some(5)]);
    }

    #[test]
    fn a_bound_is_shown_only_late_or_for_the_move_that_is_played() {
        use crate::search::Bound;
        use crate::types::{MoveKind, Square};

        let square = |name| Square::parse(name).unwrap();
        let best = Move::new(square("e2"), square("e4"), MoveKind::DoublePush);
        let (sender, events) = mpsc::channel();
        let sink = Arc::new(move |event| {
            let SearchEvent::Progress(_, progress) = event else { return };
            sender.send((progress.depth, progress.time.as_millis())).unwrap();
        });
        let choice = Choice::unsearched(Some(best));
        let mut reporter = Reporter::new(7, sink, RootStatusCell::default(), choice);
        for (depth, began, time) in [(11, 4_000, 4_500), (12, 5_000, 6_200), (13, 7_000, 7_400)] {
            let (began, time) = (Duration::from_millis(began), Duration::from_millis(time));
            let (nodes, moves_left, moves_total) = (0, 20, 20);
            let status =
                RootStatus { time: began, nodes, depth, moves_left, moves_total, current: None };
            reporter.root(status);
            let pv = if depth == 13 { vec![best] } else { Vec::new() };
            let (seldepth, score, bound) = (depth, Score::ZERO, Bound::Upper);
            let (tablebase_hits, line) = (0, 0);
            reporter.line(Progress {
                depth,
                seldepth,
                score,
                bound,
                time,
                nodes,
                tablebase_hits,
                hashfull: 0,
                line,
                pv,
            });
        }
        drop(reporter);
        assert_eq!(events.iter().collect::<Vec<_>>(), [(12, 6_200), (13, 7_400)]);
    }

    #[test]
    fn a_panic_reports_the_end() {
        let (sender, events) = mpsc::channel();
        let reporter = reporter(sender);
        let search = AssertUnwindSafe(move || {
            let _reporter = reporter;
            std::panic::resume_unwind(Box::new("a bug"));
        });
        assert!(catch_unwind(search).is_err());
        assert_eq!(events.iter().collect::<Vec<_>>(), [Some(0)]);
    }
}
