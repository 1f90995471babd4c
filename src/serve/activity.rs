//! How long a client may be silent, and when it must give its place to a newcomer.
//!
//! Only whole lines count: a byte now and then does not keep a place. Reads no clock.

use std::fmt;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::threads::lock;

/// The time limits of the server.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLimits {
    /// A new client must send its first line within this time.
    pub(super) first_line: Duration,
    /// A client may be silent for this time.
    pub(super) idle: Duration,
    /// A client may be silent for this time while it waits for a search: the longest search, and the
    /// end of a client whose network is gone.
    pub(super) search: Duration,
    /// A client that has not sent a line for this time must give its place to a newcomer...
    pub(super) yields_new: Duration,
    /// ... and so must a client without a game after this time, ...
    pub(super) yields_idle: Duration,
    /// ... a client that plays a game, ...
    pub(super) yields_game: Duration,
    /// ... and one that waits for a search.
    pub(super) yields_search: Duration,
    /// A client may leave our lines unread for this time.
    pub(super) write: Duration,
}

impl TimeLimits {
    /// The limits for clients that may be silent for `idle`.
    pub(super) fn new(idle: Duration) -> TimeLimits {
        let within_idle = |seconds| idle.min(Duration::from_secs(seconds));
        TimeLimits {
            first_line: within_idle(10),
            idle,
            search: idle.saturating_mul(2),
            yields_new: within_idle(2),
            yields_idle: within_idle(60),
            yields_game: within_idle(600),
            yields_search: within_idle(900),
            write: Duration::from_secs(10),
        }
    }
}

/// What a client does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It has not sent a line yet.
    Connecting,
    /// It has no game.
    Nothing,
    /// It plays a game, and it is its turn.
    Playing,
    /// It waits for a move or listens to an analysis.
    Waiting,
}

/// Why the server disconnects a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Silent(Duration),
    Newcomer(Duration),
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Cut::Silent(time) => write!(f, "no line for {} s", time.as_secs()),
            Cut::Newcomer(time) => {
                write!(f, "no line for {} s while another client needs the place", time.as_secs())
            }
        }
    }
}

/// What a client does and since when. The threads of its connection share this.
#[derive(Debug)]
pub(super) struct Activity {
    limits: TimeLimits,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    doing: Doing,
    /// When the client last sent a line or began to do something else.
    since: Instant,
    speaks_uci: bool,
    cut: Option<Cut>,
}

impl Activity {
    /// A client has connected.
    pub(super) fn new(limits: TimeLimits, now: Instant) -> Activity {
        let state = State { doing: Doing::Connecting, since: now, speaks_uci: false, cut: None };
        Activity { limits, state: Mutex::new(state) }
    }

    pub(super) fn limits(&self) -> &TimeLimits {
        &self.limits
    }

    /// The client has sent a line.
    pub(super) fn heard(&self, now: Instant) {
        let mut state = lock(&self.state);
        state.since = now;
        if state.doing == Doing::Connecting {
            state.doing = Doing::Nothing;
        }
    }

    /// This is what the client does now.
    pub(super) fn set_doing(&self, doing: Doing, now: Instant) {
        let mut state = lock(&self.state);
        if state.doing != doing {
            state.doing = doing;
            state.since = now;
        }
    }

    /// The client speaks UCI, and not CECP.
    pub(super) fn speaks_uci(&self) {
        lock(&self.state).speaks_uci = true;
    }

    /// The line that tells the client why it is disconnected, in its language.
    pub(super) fn farewell(&self, reason: Cut) -> String {
        let word = if lock(&self.state).speaks_uci { "info string" } else { "tellusererror" };
        format!("{word} Disconnected: {reason}")
    }

    /// How long the client may go on without a line. Zero if it is to be disconnected.
    pub(super) fn time_left(&self, now: Instant) -> Duration {
        let mut state = lock(&self.state);
        let silence = now.saturating_duration_since(state.since);
        let limit = match state.doing {
            Doing::Connecting => self.limits.first_line,
            Doing::Nothing | Doing::Playing => self.limits.idle,
            Doing::Waiting => self.limits.search,
        };
        if silence >= limit {
            state.cut.get_or_insert(Cut::Silent(silence));
        }
        limit.saturating_sub(silence)
    }

    /// How long the client has been silent, if that is long enough for it to give its place to a
    /// newcomer.
    pub(super) fn yields(&self, now: Instant) -> Option<Duration> {
        let state = lock(&self.state);
        let silence = now.saturating_duration_since(state.since);
        let limit = match state.doing {
            Doing::Connecting => self.limits.yields_new,
            Doing::Nothing => self.limits.yields_idle,
            Doing::Playing => self.limits.yields_game,
            Doing::Waiting => self.limits.yields_search,
        };
        (silence >= limit).then_some(silence)
    }

    /// The server disconnects the client.
    pub(super) fn cut(&self, reason: Cut) {
        lock(&self.state).cut = Some(reason);
    }

    /// Why the server disconnects the client, if it does.
    pub(super) fn cut_reason(&self) -> Option<Cut> {
        lock(&self.state).cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn a_client_must_send_its_first_line_soon() {
        let start = Instant::now();
        let client = Activity::new(TimeLimits::new(seconds(1800)), start);
        assert_eq!(client.time_left(start + seconds(9)), seconds(1));
        assert_eq!(client.cut_reason(), None);
        assert_eq!(client.time_left(start + seconds(10)), Duration::ZERO);
        assert_eq!(client.cut_reason(), Some(Cut::Silent(seconds(10))));
    }

    #[test]
    fn a_silent_client_is_disconnected_and_one_that_waits_for_a_search_later() {
        let start = Instant::now();
        let client = Activity::new(TimeLimits::new(seconds(1800)), start);
        client.heard(start + seconds(5));
        assert_eq!(client.time_left(start + seconds(6)), seconds(1799));
        client.set_doing(Doing::Waiting, start + seconds(105));
        assert_eq!(client.time_left(start + seconds(3605)), seconds(100));
        client.set_doing(Doing::Playing, start + seconds(3700));
        client.set_doing(Doing::Playing, start + seconds(5000));
        assert_eq!(client.time_left(start + seconds(5000)), seconds(500));
        client.heard(start + seconds(5000));
        assert_eq!(client.time_left(start + seconds(5000)), seconds(1800));
        client.set_doing(Doing::Waiting, start + seconds(5000));
        assert_eq!(client.time_left(start + seconds(8600)), Duration::ZERO);
    }

    #[test]
    fn a_client_gives_its_place_to_a_newcomer_sooner_the_less_it_does() {
        let start = Instant::now();
        for (doing, silence) in [
            (Doing::Connecting, 2),
            (Doing::Nothing, 60),
            (Doing::Playing, 600),
            (Doing::Waiting, 900),
        ] {
            let client = Activity::new(TimeLimits::new(seconds(1800)), start);
            client.set_doing(doing, start);
            assert_eq!(client.yields(start + seconds(silence - 1)), None, "{doing:?}");
            let yields = client.yields(start + seconds(silence));
            assert_eq!(yields, Some(seconds(silence)), "{doing:?}");
        }
    }
}
