//! Replays a dialogue against a session, line for line. The dialogue says what the searches find.
//!
//! A script is a run log or looks like one: `> LINE` goes to the session, `< LINE` must come
//! from it, exactly and in this order, and `#` begins a note. A time before the arrow sets the clock.
//! An expected line that ends in `...` stands for any line with that beginning, `< feature ...`
//! for all feature lines and `< option ...` for all options of UCI. If an expected line can only come
//! from a search (a thinking line of CECP, a move, a hint), the running search finds it. Directives
//! control the searches:
//!
//! ```text
//! ! search depth 5 clock      the running search has these limits
//! ! budget left 60 moves 40   its time limits are those of this clock, in seconds
//! ! settings hash 16          it began with these settings
//! ! tables fresh              it began with empty tables; `kept`: with those of the search before
//! ! idle                      no search runs
//! ! log run.log               an option has named this file for the run log; `-`: none has
//! ! think 9 34 120 5000 10 41000 0<TAB>e2e4 e7e5     the search reports this
//! ! finish e2e4 e7e5 34       it ends: best move, expected reply, score; `-` for none
//! ! late e2e4                 an abandoned search ends after all
//! ```
//!
//! A clock of `budget` may have `left`, `increment` and `moves` until the next control; `move` is the
//! time of `st`; `spent` is taken off the limits; `at` is the time at which the limits begin.

// Each test program uses only a part of this module.
#![allow(dead_code)]

#[path = "scripted_search.rs"]
mod scripted_search;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use trebuchet::book::BookMove;
use trebuchet::cecp::session::FIRST_VARIANT;
use trebuchet::cecp::wire::{Reply, Thinking, traps};
use trebuchet::dialogue::{self, Dialogue};
use trebuchet::play::{
    Choice, Engine, Host, Job, RatingFile, ResourceLimits, SearchEvent, SearchId, Searcher, Thinker,
};
use trebuchet::protocol::options::Settings;
use trebuchet::protocol::session::{Event, Session};
use trebuchet::search::Progress;
use trebuchet::search::time_management::{ClockState, TimeBudget};
use trebuchet::types::{Moment, Score, TimeSource};

use scripted_search::{
    NANOSECOND, ScriptedSearcher, Searches, Started, moves, pairs, precise_time, split_time,
};

/// A session under a script.
pub struct Replay<'a> {
    name: &'a str,
    session: Dialogue,
    searches: Searches,
    /// The searches in whose place the stage chose a move.
    chosen: Arc<Mutex<Vec<SearchId>>>,
    /// Messages, and the events of moves from a book; the session has not got them yet.
    queued: Arc<Mutex<Vec<SearchEvent>>>,
    now: Moment,
    /// What the clock of the searches shows.
    clock: Arc<Mutex<Moment>>,
    /// The session's lines that the script has not expected yet.
    said: Vec<String>,
    /// The last thinking line that the script has expected.
    last_thinking: String,
    is_over: bool,
    line_number: usize,
}

/// Replays a whole script. Panics where the session says something else, and names the line.
pub fn replay(name: &str, script: &str) {
    Replay::new(name, Settings::default()).run(script);
}

impl<'a> Replay<'a> {
    pub fn new(name: &'a str, settings: Settings) -> Replay<'a> {
        Replay::with_ratings(name, settings, None)
    }

    /// A session that keeps the ratings of the player in this file.
    pub fn with_ratings(
        name: &'a str,
        settings: Settings,
        ratings: Option<RatingFile>,
    ) -> Replay<'a> {
        let searches = Searches::default();
        let shared = Arc::clone(&searches);
        let new_searcher =
            move |_| -> Box<dyn Searcher> { Box::new(ScriptedSearcher::new(Arc::clone(&shared))) };
        let chosen = Arc::new(Mutex::new(Vec::new()));
        let queued = Arc::new(Mutex::new(Vec::new()));
        let sink = {
            let (chosen, queued) = (Arc::clone(&chosen), Arc::clone(&queued));
            Arc::new(move |event| match event {
                SearchEvent::Book(..) | SearchEvent::Message(_) => {
                    queued.lock().unwrap().push(event)
                }
                SearchEvent::Finished(id, _) => {
                    let mut queued = queued.lock().unwrap();
                    match queued.last() {
                        Some(SearchEvent::Book(other, _)) if *other == id => queued.push(event),
                        _ => chosen.lock().unwrap().push(id),
                    }
                }
                SearchEvent::Progress(..) | SearchEvent::Root(..) => {
                    unreachable!("the script says what searches find")
                }
            })
        };
        let clock = Arc::new(Mutex::new(Moment::START));
        let shown = Arc::clone(&clock);
        let host = Host {
            ratings,
            clock: TimeSource::new(move || *shown.lock().unwrap()),
            seed: 1,
            limits: ResourceLimits::OWNER,
            new_searcher: Box::new(new_searcher),
            built_in_books: false,
            sink,
        };
        let engine = Engine::new(FIRST_VARIANT, settings.engine, host);
        Replay {
            name,
            session: Dialogue::new(engine, settings.session),
            searches,
            chosen,
            queued,
            now: Moment::START,
            clock,
            said: Vec::new(),
            last_thinking: String::new(),
            is_over: false,
            line_number: 0,
        }
    }

    pub fn run(&mut self, script: &str) {
        let lines: Vec<&str> = script.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            self.line_number = index + 1;
            let (time, line) = split_time(line);
            if let Some(time) = time {
                self.now = self.now.max(Moment::START + time);
            }
            match line.split_at_checked(1) {
                Some((">", text)) => {
                    self.expect_silence();
                    assert!(!self.is_over, "{}: the session is over", self.place());
                    self.feed(Event::Line(
                        text.strip_prefix(' ').unwrap_or(text).as_bytes().to_vec(),
                    ));
                }
                Some(("<", text)) => {
                    let ahead: Vec<&str> =
                        lines[index + 1..].iter().map(|line| split_time(line).1).collect();
                    self.expect(text.strip_prefix(' ').unwrap_or(text), &ahead);
                }
                Some(("!", text)) => self.direct(text.trim()),
                _ => assert!(line.is_empty() || line.starts_with('#'), "{}: {line}", self.place()),
            }
        }
        self.line_number += 1;
        self.expect_silence();
    }

    /// Feeds a line outside of a script.
    pub fn hear(&mut self, line: &[u8]) {
        self.now = self.now + Duration::from_millis(10);
        if !self.is_over {
            self.feed(Event::Line(line.to_vec()));
        }
    }

    /// Has the session ended?
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Everything said since the last call.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Will the session move when its search ends?
    pub fn is_thinking(&self) -> bool {
        self.session.is_thinking()
    }

    /// Does a search run that the session waits for?
    pub fn is_searching(&self) -> bool {
        self.session.is_searching()
    }

    /// The last search reports a thinking line, even if it was abandoned.
    pub fn report_something(&mut self) {
        let pv = match self.searches.lock().unwrap().last() {
            Some(search) if !search.is_finished => {
                Some(search.position.legal_moves().pop().map_or(String::new(), |mv| mv.to_string()))
            }
            _ => None,
        };
        if let Some(pv) = pv {
            match Reply::parse(format!("5 17 10 1000 8 10000 0\t{pv}").as_bytes()) {
                Reply::Thinking(thinking) => self.think(&thinking),
                other => panic!("{other:?}"),
            }
        }
    }

    /// The last search ends with any move and any score, even if it was abandoned.
    pub fn end_search(&mut self, random: &mut impl Rng) {
        let moves = match self.searches.lock().unwrap().last() {
            Some(search) if !search.is_finished => search.position.legal_moves(),
            _ => return,
        };
        let best = moves.choose(random).map_or("-".to_owned(), |mv| mv.to_string());
        let mut replies = {
            let searches = self.searches.lock().unwrap();
            let mut position = searches.last().expect("a search").position.fork();
            let mv = position.parse_move(&best);
            mv.into_iter().for_each(|mv| position.play(mv));
            position.legal_moves()
        };
        replies.shuffle(random);
        let ponder = replies.first().map_or("-".to_owned(), |mv| mv.to_string());
        self.finish(&best, &ponder, &random.random_range(-2000..2000).to_string());
    }

    /// An abandoned search ends.
    pub fn end_late(&mut self, random: &mut impl Rng) {
        let late = {
            let mut searches = self.searches.lock().unwrap();
            let len = searches.len();
            let earlier = &mut searches[..len.saturating_sub(1)];
            let found =
                earlier.iter_mut().rfind(|search| search.is_stopped() && !search.is_finished);
            found.map(|search| {
                search.is_finished = true;
                (search.id, search.position.legal_moves().choose(random).copied())
            })
        };
        if let Some((id, best)) = late {
            let choice = Choice { best, ponder: best, score: Some(Score::ZERO), depth: 1 };
            self.feed(Event::Search(SearchEvent::Finished(id, choice)));
        }
    }

    fn place(&self) -> String {
        format!("{}:{}", self.name, self.line_number)
    }

    fn feed(&mut self, event: Event) {
        *self.clock.lock().unwrap() = self.now;
        let said = &mut self.said;
        let flow = self.session.handle(event, self.now, &mut |reply| {
            let line = reply.to_string();
            if matches!(reply, dialogue::Reply::Cecp(_)) {
                assert_eq!(traps::check(&line), Ok(()), "{line}");
            }
            said.push(line);
        });
        let engine = self.session.engine();
        for id in self.chosen.lock().unwrap().drain(..) {
            let started = Started {
                id,
                position: engine.game().fork(),
                job: None,
                settings: engine.settings().clone(),
                has_fresh_tables: true,
                is_finished: false,
            };
            self.searches.lock().unwrap().push(started);
        }
        self.is_over |= flow == ControlFlow::Break(());
        let queued = std::mem::take(&mut *self.queued.lock().unwrap());
        queued.into_iter().for_each(|event| self.feed(Event::Search(event)));
    }

    fn expect_silence(&self) {
        assert!(self.said.is_empty(), "{}: unexpected {:?}", self.place(), self.said);
    }

    fn expect(&mut self, expected: &str, ahead: &[&str]) {
        if self.said.is_empty() {
            self.make_search_say(expected, ahead);
        }
        for (all, word, last) in
            [("feature ...", "feature ", "feature done=1"), ("option ...", "option ", "uciok")]
        {
            if expected == all {
                assert!(self.said.iter().any(|line| line == last), "{}", self.place());
                self.said.retain(|line| !line.starts_with(word));
                return;
            }
        }
        assert!(!self.said.is_empty(), "{}: nothing said, expected {expected:?}", self.place());
        let mut said = self.said.remove(0);
        // Older run logs do not repeat the last thinking line after a ponder hit.
        if said == self.last_thinking && said != expected && expected.starts_with("move ") {
            said = self.said.remove(0);
        }
        if matches!(Reply::parse(said.as_bytes()), Reply::Thinking(_)) {
            self.last_thinking.clone_from(&said);
        }
        // The shares of a log are rounded.
        let is_book = |line: &str| line.starts_with("0 0 0 0 (");
        let without_shares = |line: &str| line.replace(|c: char| c.is_ascii_digit(), "");
        if is_book(&said) && is_book(expected) && without_shares(&said) == without_shares(expected)
        {
            return;
        }
        match expected.strip_suffix("...") {
            Some(beginning) => assert!(said.starts_with(beginning), "{}: {said:?}", self.place()),
            None => assert_eq!(said, expected, "{}, and then {:?}", self.place(), self.said),
        }
    }

    /// If the line can only come from a search, makes the running search find it.
    fn make_search_say(&mut self, expected: &str, ahead: &[&str]) {
        if !self.is_running() {
            return;
        }
        let following = || ahead.iter().take_while(|line| !line.starts_with('>'));
        let reply_after = |word: &str| {
            following().find_map(|line| line.strip_prefix("< ")?.strip_prefix(word)).map(str::trim)
        };
        if let Some(choice) = expected.strip_prefix("bestmove ") {
            let (mv, ponder) = choice.split_once(" ponder ").unwrap_or((choice, "-"));
            return self.finish(mv, ponder, "-");
        }
        match Reply::parse(expected.as_bytes()) {
            Reply::Thinking(thinking) if thinking.book_text().is_some() => {
                self.find_in_book(&thinking)
            }
            Reply::Thinking(thinking) => self.think(&thinking),
            Reply::Move(mv) => self.finish(&mv, reply_after("Hint:").unwrap_or("-"), "-"),
            Reply::OfferDraw => {
                let mv = reply_after("move")
                    .unwrap_or_else(|| panic!("{}: no move follows", self.place()));
                self.finish(mv, reply_after("Hint:").unwrap_or("-"), "-");
            }
            Reply::Hint(mv) => self.finish(&mv, "-", "-"),
            Reply::Resign => self.finish("-", "-", "-"),
            _ => {}
        }
    }

    /// The running search finds its move in a book, as in a run log of an engine with a book. Percent
    /// serve as weights.
    fn find_in_book(&mut self, line: &Thinking) {
        let event = {
            let searches = self.searches.lock().unwrap();
            let search = searches.last().expect("a search");
            let moves = line.book_text().into_iter().flat_map(|text| text.split(", "));
            let moves = moves.map(|part| {
                let (mv, share) = part.split_once(' ').expect("a move and its share");
                let mv = search.position.parse_move(mv).expect("a book has legal moves");
                BookMove { mv, weight: share.trim_end_matches('%').parse().expect("percent") }
            });
            SearchEvent::Book(search.id, moves.collect())
        };
        self.feed(Event::Search(event));
    }

    fn direct(&mut self, directive: &str) {
        let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        match word {
            "idle" => assert!(!self.is_running(), "{}: a search runs", self.place()),
            "search" => match rest.trim().strip_suffix("...") {
                Some(start) => {
                    assert!(self.limits().starts_with(start), "{}: {}", self.place(), self.limits())
                }
                None => assert_eq!(self.limits(), rest.trim(), "{}", self.place()),
            },
            "budget" => self.check_budget(rest),
            "settings" => self.check_settings(rest),
            "tables" => {
                let searches = self.searches.lock().unwrap();
                let has_fresh = searches.last().expect("a search").has_fresh_tables;
                let tables = if has_fresh { "fresh" } else { "kept" };
                assert_eq!(tables, rest.trim(), "{}", self.place());
            }
            "think" => match Reply::parse(rest.as_bytes()) {
                Reply::Thinking(thinking) => self.think(&thinking),
                _ => panic!("{}: not a thinking line", self.place()),
            },
            "finish" => {
                let mut words = rest.split_whitespace();
                let mut next = || words.next().unwrap_or("-");
                self.finish(next(), next(), next());
            }
            "late" => {
                let (id, mv) = {
                    let searches = self.searches.lock().unwrap();
                    let late = searches
                        .iter()
                        .rfind(|search| search.is_stopped())
                        .expect("one was abandoned");
                    (late.id, late.position.parse_move(rest.trim()).unwrap())
                };
                let choice = Choice { best: Some(mv), ponder: None, score: None, depth: 1 };
                self.feed(Event::Search(SearchEvent::Finished(id, choice)));
            }
            "log" => {
                let request = self.session.take_log_request();
                assert_eq!(request.as_deref().unwrap_or("-"), rest.trim(), "{}", self.place());
            }
            "eof" => self.feed(Event::Eof),
            "overlong" => self.feed(Event::Overlong),
            "over" => assert!(self.is_over, "{}: the session goes on", self.place()),
            _ => panic!("{}: {directive}", self.place()),
        }
    }

    /// The running search is the last one, unless it has ended or the session has abandoned it. A
    /// stopped search may still run for the session: `?` stops a search, and the session waits for its
    /// move.
    fn is_running(&self) -> bool {
        self.searches.lock().unwrap().last().is_some_and(|search| !search.is_finished)
            && self.session.is_searching()
    }

    fn limits(&self) -> String {
        let searches = self.searches.lock().unwrap();
        let search = searches.last().filter(|search| !search.is_finished);
        let Some(Started { position, job: Some(job), .. }) = search else {
            return "none".to_owned();
        };
        let Job { limits, stop, thinker, pause, .. } = job;
        let mut words = Vec::new();
        words.extend(limits.depth.map(|depth| format!("depth {depth}")));
        words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
        words.extend(limits.mate.map(|moves| format!("mate {moves}")));
        words.extend((limits.lines > 1).then(|| format!("lines {}", limits.lines)));
        let mut searched = position.legal_moves();
        searched.retain(|mv| !limits.excluded_root_moves.contains(mv));
        if searched.len() < limits.excluded_root_moves.len() {
            words.extend(searched.iter().map(|mv| format!("only {mv}")));
        } else {
            words.extend(limits.excluded_root_moves.iter().map(|mv| format!("without {mv}")));
        }
        words.extend(limits.infinite.then(|| "infinite".to_owned()));
        words.extend(stop.has_time_limits().then(|| "clock".to_owned()));
        words.extend(stop.is_stopped().then(|| "stopped".to_owned()));
        if let Thinker::Person(skill, _) = thinker {
            words.push(format!("person {} plies {} nodes", skill.depth, skill.nodes));
        }
        words.extend((*thinker == Thinker::Nobody).then(|| "known".to_owned()));
        words.extend((!pause.is_zero()).then(|| "pause".to_owned()));
        words.join(" ")
    }

    /// Compares the time limits of the running search with those of a clock.
    fn check_budget(&self, text: &str) {
        let searches = self.searches.lock().unwrap();
        let search = searches.last().expect("a search");
        let job = search.job.as_ref().expect("a stage that searches");
        let overhead = search.settings.move_overhead;
        let [mut increment, mut spent] = [Duration::ZERO; 2];
        let [mut time_left, mut move_time] = [None; 2];
        let (mut begins, mut moves_to_go) = (None, None);
        for (name, number) in pairs(text) {
            let seconds: f64 = number.parse().expect("a number");
            let value = Duration::from_secs_f64(seconds);
            match name {
                "left" => time_left = Some(value),
                "increment" => increment = value,
                "moves" => moves_to_go = Some(seconds as u32),
                "move" => move_time = Some(value),
                "spent" => spent = value,
                "at" => begins = Some(Moment::START + value),
                _ => panic!("{}: {name}", self.place()),
            }
        }
        let by_clock = time_left.map(|time_left| {
            let clock = ClockState { time_left, increment, moves_to_go, overhead };
            TimeBudget::allocate(&clock, &self.session.engine().clock_shares())
        });
        let by_move = move_time.map(|time| TimeBudget::exactly(time, overhead));
        let budgets = by_clock.into_iter().chain(by_move);
        let budget = budgets.reduce(TimeBudget::within).expect("a clock");
        // The limits are where the token says that they are reached.
        let soft = self.first_moment(|| job.stop.soft_share() >= 1.0);
        let hard = self.first_moment(|| job.stop.is_past_hard_limit());
        let started = self.first_moment(|| job.stop.soft_share() > 0.0).before(NANOSECOND);
        let left = budget.left_after(spent);
        let expected = (left.soft, left.hard);
        assert_eq!((soft.since(started), hard.since(started)), expected, "{}", self.place());
        if let Some(begins) = begins {
            assert_eq!(started, begins, "{}", self.place());
        }
    }

    /// The first moment on the clock of the searches at which something is true, and stays true.
    fn first_moment(&self, is_true: impl Fn() -> bool) -> Moment {
        let is_true_at = |nanos: u64| {
            *self.clock.lock().unwrap() = Moment::START + Duration::from_nanos(nanos);
            is_true()
        };
        let (mut before, mut after) = (0, 1 << 52);
        while after - before > 1 {
            let middle = before + (after - before) / 2;
            if is_true_at(middle) { after = middle } else { before = middle }
        }
        assert!(is_true_at(after), "{}: the search has no time limits", self.place());
        *self.clock.lock().unwrap() = self.now;
        Moment::START + Duration::from_nanos(after)
    }

    /// Compares the settings that the last search began with.
    fn check_settings(&self, text: &str) {
        let searches = self.searches.lock().unwrap();
        let settings = &searches.last().expect("a search").settings;
        for (name, value) in pairs(text) {
            let found = match name {
                "hash" => settings.hash.to_string(),
                "strength" => settings.strength.to_string(),
                "lines" => settings.lines.to_string(),
                "threads" => settings.threads.to_string(),
                "contempt" => settings.contempt.to_string(),
                "overhead" => settings.move_overhead.as_millis().to_string(),
                _ => settings.parameters.get(name).map_or("-".to_owned(), ToString::to_string),
            };
            assert_eq!(found, value, "{}: {name}", self.place());
        }
    }

    fn think(&mut self, thinking: &Thinking) {
        let (id, pv) = {
            let mut searches = self.searches.lock().unwrap();
            let search = searches.last_mut().expect("a search");
            (search.id, moves(&*search.position, &thinking.pv))
        };
        let columns = thinking.columns.expect("our lines have all columns");
        let progress = Progress {
            depth: thinking.depth,
            seldepth: columns.seldepth,
            score: thinking.score,
            bound: thinking.bound,
            time: precise_time(thinking, columns.speed),
            nodes: thinking.nodes,
            tablebase_hits: columns.tablebase_hits,
            hashfull: 31,
            line: 0,
            pv,
        };
        self.feed(Event::Search(SearchEvent::Progress(id, progress)));
    }

    fn finish(&mut self, best: &str, ponder: &str, score: &str) {
        let (id, moves) = {
            let mut searches = self.searches.lock().unwrap();
            let search = searches.last_mut().expect("a search");
            search.is_finished = true;
            (search.id, moves(&*search.position, &format!("{best} {ponder}")))
        };
        let score = score.parse().ok().map(Score::cp);
        let choice =
            Choice { best: moves.first().copied(), ponder: moves.get(1).copied(), score, depth: 1 };
        self.feed(Event::Search(SearchEvent::Finished(id, choice)));
    }
}
