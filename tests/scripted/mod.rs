//! Replays a dialogue against a session, line for line, with games whose searches find what the
//! dialogue says they found.
//!
//! A script is a run log, or is written like one: `> LINE` goes to the session, `< LINE` must come
//! from it, exactly and in this order, and `#` begins a note. A time before the arrow sets the clock.
//! An expected line that ends in `...` stands for any line that begins so, and `< feature ...` for
//! all the feature lines. When a line is expected that only a search can bring about (a line of
//! thinking, a move, a hint), the search at work is made to find it. More can be said by hand:
//!
//! ```text
//! ! search depth 5 clock      the search at work has these limits
//! ! idle                      no search is at work
//! ! think 9 34 120 5000 10 41000 0<TAB>e2e4 e7e5     it reports this
//! ! finish e2e4 e7e5 34       it ends: best move, expected reply, score; `-` for none
//! ! late e2e4                 an abandoned search ends after all
//! ```

// Each test that uses this module uses a part of it.
#![allow(dead_code)]

use std::ops::{ControlFlow, Deref, DerefMut};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use trebuchet::board::FenError;
use trebuchet::cecp::options::Settings;
use trebuchet::cecp::session::{Allowance, Event, Session};
use trebuchet::cecp::wire::{Reply, Thinking, traps};
use trebuchet::notation::MoveError;
use trebuchet::play::{Choice, Game, Reporter, SearchEvent, SearchId, Stage, new_game};
use trebuchet::search::{Limits, Progress, RootStatus, StopToken};
use trebuchet::types::{Color, Move, Outcome, Piece, Ply, Score, Square};
use trebuchet::variants::VariantId;

/// A game by the rules. With its search comes a table, so games are used again.
struct Rules(Option<Box<dyn Game>>);

static USED: Mutex<Vec<Box<dyn Game>>> = Mutex::new(Vec::new());

impl Rules {
    fn of(variant: VariantId) -> Rules {
        let mut used = USED.lock().unwrap();
        let found = used.iter().position(|game| game.variant() == variant);
        let mut game = found.map_or_else(|| new_game(variant), |index| used.swap_remove(index));
        game.reset();
        Rules(Some(game))
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        USED.lock().unwrap().extend(self.0.take());
    }
}

impl Deref for Rules {
    type Target = dyn Game;
    fn deref(&self) -> &(dyn Game + 'static) {
        self.0.as_deref().expect("a game until the end")
    }
}

impl DerefMut for Rules {
    fn deref_mut(&mut self) -> &mut (dyn Game + 'static) {
        self.0.as_deref_mut().expect("a game until the end")
    }
}

/// A search that was asked for.
struct Asked {
    id: SearchId,
    limits: Limits,
    stop: StopToken,
    variant: VariantId,
    start_fen: String,
    moves: Vec<Move>,
    is_finished: bool,
}

impl Asked {
    /// The position it was asked for.
    fn position(&self) -> Rules {
        let mut position = Rules::of(self.variant);
        position.set_board(&self.start_fen).unwrap();
        self.moves.iter().for_each(|&mv| position.play(mv));
        position
    }
}

type Searches = Arc<Mutex<Vec<Asked>>>;

/// A game by the rules whose searches are left to the script.
struct ScriptedGame {
    rules: Rules,
    searches: Searches,
}

impl Game for ScriptedGame {
    fn think(&mut self, id: SearchId, limits: Limits, stop: StopToken, _: Reporter) {
        let (variant, start_fen, moves) = (self.variant(), self.start_fen(), self.moves());
        let asked = Asked { id, limits, stop, variant, start_fen, moves, is_finished: false };
        self.searches.lock().unwrap().push(asked);
    }

    fn root_status(&self) -> Option<RootStatus> {
        None
    }

    fn set_parameter(&mut self, name: &str, _: i32) -> bool {
        matches!(name, "known_constant" | "known_depth")
    }

    fn set_stage(&mut self, _: Stage) {}
    fn set_seed(&mut self, _: u64) {}
    fn set_hash(&mut self, _: usize) {}
    fn set_threads(&mut self, _: usize) {}
    fn set_contempt(&mut self, _: Score) {}
    fn clear(&mut self) {}

    fn evaluate(&self) -> Score {
        self.rules.evaluate()
    }
    fn variant(&self) -> VariantId {
        self.rules.variant()
    }
    fn side_to_move(&self) -> Color {
        self.rules.side_to_move()
    }
    fn fen(&self) -> String {
        self.rules.fen()
    }
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.rules.piece_at(square)
    }
    fn describe_state(&self) -> Option<String> {
        self.rules.describe_state()
    }
    fn legal_moves(&self) -> Vec<Move> {
        self.rules.legal_moves()
    }
    fn is_in_check(&self) -> bool {
        self.rules.is_in_check()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.rules.outcome()
    }
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.rules.parse_move(text)
    }
    fn san(&self, mv: Move) -> String {
        self.rules.san(mv)
    }
    fn play(&mut self, mv: Move) {
        self.rules.play(mv);
    }
    fn undo(&mut self) -> Option<Move> {
        self.rules.undo()
    }
    fn moves(&self) -> Vec<Move> {
        self.rules.moves()
    }
    fn ply_count(&self) -> Ply {
        self.rules.ply_count()
    }
    fn start_fen(&self) -> String {
        self.rules.start_fen()
    }
    fn reset(&mut self) {
        self.rules.reset();
    }
    fn set_board(&mut self, fen: &str) -> Result<(), FenError> {
        self.rules.set_board(fen)
    }
}

/// A session under a script.
pub struct Replay<'a> {
    name: &'a str,
    session: Session,
    searches: Searches,
    start: Instant,
    now: Instant,
    /// What the session has said and the script has not yet asked for.
    said: Vec<String>,
    /// The last line of thinking that the script has asked for.
    last_thinking: String,
    is_over: bool,
    line_number: usize,
}

/// Replays a whole script; panics, with the place, where the session says something else.
pub fn replay(name: &str, script: &str) {
    Replay::new(name, Settings::default()).run(script);
}

impl<'a> Replay<'a> {
    pub fn new(name: &'a str, settings: Settings) -> Replay<'a> {
        let searches = Searches::default();
        let shared = Arc::clone(&searches);
        let open = move |variant| -> Box<dyn Game> {
            Box::new(ScriptedGame { rules: Rules::of(variant), searches: Arc::clone(&shared) })
        };
        let start = Instant::now();
        let sink = Arc::new(|_| unreachable!("the script tells what searches find"));
        let session = Session::new(Box::new(open), sink, Allowance::OWNER, settings, start);
        Replay {
            name,
            session,
            searches,
            start,
            now: start,
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
            let line = self.without_time(line);
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
                        lines[index + 1..].iter().map(|line| self.without_time(line)).collect();
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
        self.now += Duration::from_millis(10);
        if !self.is_over {
            self.feed(Event::Line(line.to_vec()));
        }
    }

    /// Has the session ended?
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Everything said that no script has asked for.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Is the session to make a move when its search ends?
    pub fn is_thinking(&self) -> bool {
        self.session.is_thinking()
    }

    /// A line of thinking from the last search, whether anybody still listens or not.
    pub fn report_something(&mut self) {
        let has_search =
            self.searches.lock().unwrap().last().is_some_and(|search| !search.is_finished);
        if has_search {
            let mv = self
                .searches
                .lock()
                .unwrap()
                .last()
                .and_then(|search| search.position().legal_moves().pop());
            let pv = mv.map(|mv| mv.to_string()).unwrap_or_default();
            match Reply::parse(format!("5 17 10 1000 8 10000 0\t{pv}").as_bytes()) {
                Reply::Thinking(thinking) => self.think(&thinking),
                other => panic!("{other:?}"),
            }
        }
    }

    /// The last search ends with any move and any score, whether anybody still listens or not.
    pub fn end_search(&mut self, random: &mut impl Rng) {
        let moves = match self.searches.lock().unwrap().last() {
            Some(search) if !search.is_finished => search.position().legal_moves(),
            _ => return,
        };
        let best = moves.choose(random).map_or("-".to_owned(), |mv| mv.to_string());
        let mut replies = {
            let mut position = self.searches.lock().unwrap().last().expect("a search").position();
            let mv = position.parse_move(&best);
            mv.into_iter().for_each(|mv| position.play(mv));
            position.legal_moves()
        };
        replies.shuffle(random);
        let ponder = replies.first().map_or("-".to_owned(), |mv| mv.to_string());
        self.finish(&best, &ponder, &random.random_range(-2000..2000).to_string());
    }

    /// A search that was abandoned ends after all.
    pub fn end_late(&mut self, random: &mut impl Rng) {
        let late = {
            let mut searches = self.searches.lock().unwrap();
            let len = searches.len();
            let earlier = &mut searches[..len.saturating_sub(1)];
            let found =
                earlier.iter_mut().rfind(|search| search.stop.is_stopped() && !search.is_finished);
            found.map(|search| {
                search.is_finished = true;
                (search.id, search.position().legal_moves().choose(random).copied())
            })
        };
        if let Some((id, best)) = late {
            let choice = Choice { best, ponder: best, score: Some(Score::ZERO), depth: 1 };
            self.feed(Event::Search(SearchEvent::Finished(id, choice)));
        }
    }

    /// Cuts off the time, and sets the clock to it.
    fn without_time<'l>(&mut self, line: &'l str) -> &'l str {
        let line = line.trim_end_matches('\r');
        match line.split_once(' ') {
            Some((time, rest)) if rest.starts_with(['>', '<']) => match time.parse() {
                Ok(seconds) => {
                    self.now = self.now.max(self.start + Duration::from_secs_f64(seconds));
                    rest
                }
                Err(_) => line,
            },
            _ => line,
        }
    }

    fn place(&self) -> String {
        format!("{}:{}", self.name, self.line_number)
    }

    fn feed(&mut self, event: Event) {
        let said = &mut self.said;
        let flow = self.session.handle(event, self.now, &mut |reply| said.push(reply.to_string()));
        for line in said.iter() {
            assert_eq!(traps::check(line), Ok(()), "{line}");
        }
        self.is_over |= flow == ControlFlow::Break(());
    }

    fn expect_silence(&self) {
        assert!(self.said.is_empty(), "{}: unexpected {:?}", self.place(), self.said);
    }

    fn expect(&mut self, expected: &str, ahead: &[&str]) {
        if self.said.is_empty() {
            self.make_search_say(expected, ahead);
        }
        if expected == "feature ..." {
            assert!(self.said.iter().any(|line| line == "feature done=1"), "{}", self.place());
            self.said.retain(|line| !line.starts_with("feature "));
            return;
        }
        assert!(!self.said.is_empty(), "{}: nothing said, expected {expected:?}", self.place());
        let mut said = self.said.remove(0);
        // Logs from before lines of thinking were repeated on a late ponder hit are still good.
        if said == self.last_thinking && said != expected && expected.starts_with("move ") {
            said = self.said.remove(0);
        }
        if matches!(Reply::parse(said.as_bytes()), Reply::Thinking(_)) {
            self.last_thinking.clone_from(&said);
        }
        match expected.strip_suffix("...") {
            Some(beginning) => assert!(said.starts_with(beginning), "{}: {said:?}", self.place()),
            None => assert_eq!(said, expected, "{}, and then {:?}", self.place(), self.said),
        }
    }

    /// If only a search can bring the line about, the search at work does.
    fn make_search_say(&mut self, expected: &str, ahead: &[&str]) {
        if !self.is_searching() {
            return;
        }
        let following = || ahead.iter().take_while(|line| !line.starts_with('>'));
        let reply_after = |word: &str| {
            following().find_map(|line| line.strip_prefix("< ")?.strip_prefix(word)).map(str::trim)
        };
        match Reply::parse(expected.as_bytes()) {
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

    fn direct(&mut self, directive: &str) {
        let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        match word {
            "idle" => assert!(!self.is_searching(), "{}: a search is at work", self.place()),
            "search" => assert_eq!(self.limits(), rest.trim(), "{}", self.place()),
            "think" => match Reply::parse(rest.as_bytes()) {
                Reply::Thinking(thinking) => self.think(&thinking),
                _ => panic!("{}: no line of thinking", self.place()),
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
                        .rfind(|search| search.stop.is_stopped())
                        .expect("one was abandoned");
                    (late.id, late.position().parse_move(rest.trim()).unwrap())
                };
                let choice = Choice { best: Some(mv), ponder: None, score: None, depth: 1 };
                self.feed(Event::Search(SearchEvent::Finished(id, choice)));
            }
            "eof" => self.feed(Event::Eof),
            "overlong" => self.feed(Event::Overlong),
            "over" => assert!(self.is_over, "{}: the session goes on", self.place()),
            _ => panic!("{}: {directive}", self.place()),
        }
    }

    /// The search at work is the last one that was asked for, unless it has ended. One that was
    /// told to move at once is stopped and still at work; so the session has the last word on
    /// whether anybody listens.
    fn is_searching(&self) -> bool {
        self.searches.lock().unwrap().last().is_some_and(|search| !search.is_finished)
            && self.session.is_searching()
    }

    fn limits(&self) -> String {
        let searches = self.searches.lock().unwrap();
        let search = searches.last().filter(|search| !search.is_finished);
        let Some(search) = search else { return "none".to_owned() };
        let Asked { limits, stop, .. } = search;
        let mut words = Vec::new();
        words.extend(limits.depth.map(|depth| format!("depth {depth}")));
        words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
        words.extend((limits.lines > 1).then(|| format!("lines {}", limits.lines)));
        let mut searched = search.position().legal_moves();
        searched.retain(|mv| !limits.excluded.contains(mv));
        if searched.len() < limits.excluded.len() {
            words.extend(searched.iter().map(|mv| format!("only {mv}")));
        } else {
            words.extend(limits.excluded.iter().map(|mv| format!("without {mv}")));
        }
        words.extend(limits.infinite.then(|| "infinite".to_owned()));
        words.extend(stop.has_clock().then(|| "clock".to_owned()));
        words.extend(stop.is_stopped().then(|| "stopped".to_owned()));
        words.join(" ")
    }

    fn think(&mut self, thinking: &Thinking) {
        let (id, pv) = {
            let mut searches = self.searches.lock().unwrap();
            let search = searches.last_mut().expect("a search");
            (search.id, moves(&mut *search.position(), &thinking.pv))
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
            (search.id, moves(&mut *search.position(), &format!("{best} {ponder}")))
        };
        let score = score.parse().ok().map(Score::cp);
        let choice =
            Choice { best: moves.first().copied(), ponder: moves.get(1).copied(), score, depth: 1 };
        self.feed(Event::Search(SearchEvent::Finished(id, choice)));
    }
}

/// The longest time that prints as the line has it, and gives the speed that it has.
fn precise_time(thinking: &Thinking, speed: u64) -> Duration {
    let shown = thinking.time.as_nanos() as u64;
    let by_speed = (thinking.nodes * 1_000_000_000).checked_div(speed).unwrap_or(shown);
    Duration::from_nanos(by_speed.clamp(shown, shown + 9_999_999))
}

/// The moves of a line, until one is none.
fn moves(position: &mut dyn Game, line: &str) -> Vec<Move> {
    let mut moves = Vec::new();
    for text in line.split_whitespace() {
        let Ok(mv) = position.parse_move(text) else { break };
        position.play(mv);
        moves.push(mv);
    }
    moves
}
