//! The coach: verdicts on the learner's moves, and the heat map on the GUI's board.
//!
//! It helps when the learner has switched it on, or plays a game for learning. It never helps against
//! another engine or on a chess server.

use super::CecpSession;
use crate::board::fen::placement;
use crate::cecp::wire::{Reply, Thinking, message};
use crate::coach::{Assessment, HeatMap, Line, Prospect};
use crate::play::Game;
use crate::protocol::options::HeatDisplay;
use crate::types::Move;

/// From these heats on, a square is very hot, hot, or warm. Each has a colour of xboard's.
const COLORS: [(u8, char); 3] = [(70, 'r'), (HOT, 'm'), (20, 'y')];
/// From this heat on, a square is worth a word.
const HOT: u8 = 40;
/// The most squares that are named.
const MOST_NAMED: usize = 3;

impl CecpSession {
    pub(super) const fn is_coaching(&self) -> bool {
        (self.settings.coach || self.gui.is_lesson) && self.is_against_person()
    }

    /// Judges a move that the learner has made. The engine's clock runs meanwhile: the verdict takes half of the hard
    /// limit at most, and if that is too little, the coach says nothing.
    pub(super) fn review_move(&mut self, before: &dyn Game, mv: Move) {
        let most = self.budget().hard / 2;
        let found = self.engine.review_within(before, mv, self.now, most);
        let Some(assessment) = found else { return };
        let verdict = verdict_of(&assessment).join(". ");
        if self.settings.popup_verdicts && assessment.judgement.is_criticism() {
            self.say(Reply::TellUser(message(&verdict)));
        }
        // If the user wants that, xboard adds this to the record of the game.
        self.say(Reply::TellOthers(message(&verdict)));
        self.last_assessment = Some(assessment);
    }

    /// Does the coach show what it thinks?
    pub(super) const fn gives_opinions(&self) -> bool {
        self.is_coaching() && self.gui.post
    }

    /// What the learner can make of the engine's move, if that was a mistake, and the best line now, if the
    /// game is not over. `None` if a line has come meanwhile.
    pub(super) fn studies_after(
        &mut self,
        before: &dyn Game,
        mv: Move,
    ) -> Option<(Option<String>, Option<Line>)> {
        let (tells_mistakes, now) = (self.settings.tells_mistakes, self.now);
        let position = self.engine.game().fork();
        if position.outcome().is_some() {
            return Some((None, None));
        }
        self.engine.unless_interrupted(|engine| {
            let chance = if tells_mistakes { engine.chance_after(before, mv, now) } else { None };
            (chance, engine.study(&*position, 1, now).into_iter().next())
        })
    }

    /// Shows what the coach thinks of the learner's last move, the learner's chance, and what it thinks
    /// of the position now. While the engine thinks, its own lines would hide that.
    pub(super) fn show_opinion(&mut self, chance: Option<String>, line: Option<Line>) {
        if !self.gives_opinions() {
            return;
        }
        let assessment = self.last_assessment.take();
        let mut remarks = assessment.as_ref().map_or(Vec::new(), verdict_of);
        remarks.extend(chance);
        if let Some(line) = line {
            let opinion = self.engine.game().opinion(line.score);
            remarks.extend([opinion.headline.clone(), opinion.made_of()]);
        }
        remarks.extend(self.heat_in_words());
        remarks.retain(|remark| !remark.is_empty());
        self.shows_remarks = !remarks.is_empty();
        // xboard shows the line with the greatest number at the top.
        for (remark, number) in remarks.iter().rev().zip(1..) {
            self.say(Reply::Thinking(Thinking::remark(number, &message(remark))));
        }
    }

    /// Clears what the coach has said of a move that is taken back. A line with a smaller number than the
    /// last one makes xboard forget all lines but the last, so it takes two.
    pub(super) fn withdraw_remarks(&mut self) {
        if std::mem::take(&mut self.shows_remarks) && self.gives_opinions() {
            for (number, text) in [(2, "Your move is taken back"), (1, "Try again")] {
                self.say(Reply::Thinking(Thinking::remark(number, text)));
            }
        }
    }

    /// The hot squares where pieces stand: `Look at f7 (only the king protects it)`.
    fn heat_in_words(&self) -> Option<String> {
        let map = self.contested_squares()?;
        let game = self.engine.game();
        let hot = map.hottest(HOT).into_iter().filter(|&at| game.piece_at(at).is_some());
        let squares = hot.take(MOST_NAMED).map(|square| match map.danger(square) {
            Some(danger) => format!("{square} ({danger})"),
            None => square.to_string(),
        });
        let squares: Vec<String> = squares.collect();
        (!squares.is_empty()).then(|| format!("Look at {}", squares.join(", ")))
    }

    /// Colours the contested squares. xboard's dots would hide the pieces, so only empty squares get one.
    pub(super) fn show_heat(&mut self) {
        let Some(map) = self.contested_squares() else { return };
        let game = self.engine.game();
        let colors = placement(|square| {
            let color = COLORS.iter().find(|(least, _)| map.heat(square) >= *least);
            color.filter(|_| game.piece_at(square).is_none()).map(|(_, color)| *color)
        });
        self.say(Reply::Highlight(colors));
    }

    /// The heat map that the user wants to see, if the coach may show one.
    fn contested_squares(&self) -> Option<HeatMap> {
        if !self.is_coaching() || self.is_position_illegal {
            return None;
        }
        match self.settings.heat_map {
            HeatDisplay::Off => None,
            HeatDisplay::Position => Some(self.engine.heat_map(false)),
            HeatDisplay::Game => Some(self.engine.heat_map(true)),
        }
    }

    /// Removes the colours when the coach stops.
    pub(super) fn hide_heat(&mut self) {
        self.say(Reply::Highlight(placement(|_| None::<char>)));
    }
}

/// The verdict in words, how the move is punished, and the better move, as far as there are such.
fn verdict_of(assessment: &Assessment) -> Vec<String> {
    let verdict = Some(assessment.sentence());
    let remarks = [verdict, assessment.punishment(), assessment.advice_with_line()];
    remarks.into_iter().flatten().collect()
}

/// The colour for the target of a legal move: green is safe, yellow is contested, red loses material.
pub(super) fn prospect(game: &dyn Game, mv: Move) -> char {
    match game.prospect(mv) {
        Prospect::Lost => 'R',
        Prospect::Contested => 'Y',
        Prospect::Safe => 'G',
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

    use super::*;
    use crate::cecp::session::FIRST_VARIANT;
    use crate::play::{
        Choice, Engine, EngineSettings, Host, Job, Message, ResourceLimits, SearchEvent, Searcher,
    };
    use crate::protocol::options::SessionSettings;
    use crate::protocol::session::{Event, Session};
    use crate::types::{Moment, Score, TimeSource};

    /// What a searcher does to the clock.
    #[derive(Clone, Default)]
    struct Time {
        seconds: Arc<AtomicU64>,
        /// A search began when its time was over.
        is_short: Arc<AtomicBool>,
    }

    impl Time {
        fn now(&self) -> u64 {
            self.seconds.load(Ordering::Relaxed)
        }
    }

    /// Takes a second for each search, and finds the first legal move.
    struct SlowSearcher(Time);

    impl Searcher for SlowSearcher {
        fn start(&mut self, job: Job) {
            self.0.is_short.fetch_or(job.stop.is_past_hard_limit(), Ordering::Relaxed);
            self.0.seconds.fetch_add(1, Ordering::Relaxed);
            let best = job.position.legal_moves().first().copied();
            let score = Some(Score::ZERO);
            job.reporter.finish(Choice { best, ponder: None, score, depth: 1 });
        }

        fn evaluate(&mut self, _: &dyn Game) -> Score {
            Score::ZERO
        }

        fn configure(&mut self, _: &EngineSettings) -> Vec<Message> {
            Vec::new()
        }

        fn clear(&mut self) {}
    }

    /// A session with the coach, and the events of its searches.
    fn lesson(time: &Time) -> (CecpSession, mpsc::Receiver<SearchEvent>) {
        let (sender, events) = mpsc::channel();
        let sink = Arc::new(move |event| sender.send(event).unwrap_or_default());
        let (shown, of_searches) = (time.clone(), time.clone());
        let new_searcher =
            move |_| -> Box<dyn Searcher> { Box::new(SlowSearcher(of_searches.clone())) };
        let host = Host {
            clock: TimeSource::new(move || Moment::START + Duration::from_secs(shown.now())),
            new_searcher: Box::new(new_searcher),
            built_in_books: false,
            ..Host::native(ResourceLimits::OWNER, sink)
        };
        let engine = Engine::new(FIRST_VARIANT, EngineSettings::default(), host);
        let settings = SessionSettings { coach: true, ..SessionSettings::default() };
        (CecpSession::new(engine, settings), events)
    }

    #[test]
    fn the_coach_takes_no_time_from_the_search_and_none_before_the_move_is_told() {
        let time = Time::default();
        let (mut session, events) = lesson(&time);
        let mut said = Vec::new();
        let mut handle = |event| {
            let now = session.now();
            let say = &mut |reply: Reply| said.push((reply.to_string(), time.now()));
            let _ = session.handle(event, now, say);
        };
        for line in ["new", "post", "level 0 0:03 0", "usermove e2e4"] {
            handle(Event::Line(line.into()));
        }
        assert!(!time.is_short.load(Ordering::Relaxed));
        let searched = time.now();
        events.try_iter().for_each(|event| handle(Event::Search(event)));
        let second = |is_meant: fn(&str) -> bool| {
            said.iter().find(|(line, _)| is_meant(line)).map(|(_, second)| *second)
        };
        assert_eq!(second(|line| line.starts_with("move ")), Some(searched), "{said:#?}");
        assert!(second(|line| line.contains(" 0 0 0 ")) > Some(searched), "{said:#?}");
    }

    #[test]
    fn the_coach_judges_no_move_when_the_engines_clock_is_nearly_out() {
        // The seconds when the engine began to think, and whether it judged the move.
        let judges = |level: &str| {
            let time = Time::default();
            let (mut session, _events) = lesson(&time);
            let mut said = Vec::new();
            for line in ["new", level, "usermove e2e4"] {
                let now = session.now();
                let say = &mut |reply: Reply| said.push(reply.to_string());
                let _ = session.handle(Event::Line(line.into()), now, say);
            }
            (time.now() - 1, said.iter().any(|line| line.starts_with("tellothers ")))
        };
        let (seconds, has_judged) = judges("level 0 5 0");
        assert!(seconds > 1 && has_judged, "{seconds}");
        // The first study is the only one.
        assert_eq!(judges("level 0 0:03 0"), (1, false));
    }

    #[test]
    fn the_coach_gives_way_to_a_line_and_speaks_of_the_position_that_stays() {
        let (mut session, events) = lesson(&Time::default());
        let is_waiting = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&is_waiting);
        session.watch_input(Arc::new(move || watched.load(Ordering::Relaxed)));
        // The answers to lines, while another line waits or not.
        let mut tell = |lines: &[&str], waits| {
            is_waiting.store(waits, Ordering::Relaxed);
            let mut said = Vec::new();
            for line in lines {
                let mut event = Some(Event::Line((*line).into()));
                while let Some(next) = event {
                    let now = session.now();
                    let _ = session.handle(next, now, &mut |reply| said.push(reply.to_string()));
                    event = events.try_recv().ok().map(Event::Search);
                }
            }
            said
        };
        let remarks = |said: &[String]| said.iter().filter(|line| line.contains(" 0 0 0 ")).count();
        let moves = |said: &[String]| said.iter().filter(|line| line.starts_with("move ")).count();

        let said = tell(&["new", "post", "usermove e2e4", "ping 1"], true);
        assert_eq!((moves(&said), remarks(&said)), (1, 0), "{said:#?}");
        assert!(!said.contains(&"pong 1".to_owned()), "{said:#?}");
        let said = tell(&["otim 100"], false);
        assert!(remarks(&said) > 0, "{said:#?}");
        assert_eq!(said.last().map(String::as_str), Some("pong 1"));
        assert_eq!(remarks(&tell(&["otim 100"], false)), 0, "once");

        // A position that is gone, and a pause.
        let said = tell(&["usermove a2a3"], true);
        assert_eq!((moves(&said), remarks(&said)), (1, 0), "{said:#?}");
        let said = tell(&["force", "ping 2"], false);
        assert_eq!((remarks(&said), said.contains(&"pong 2".to_owned())), (0, true), "{said:#?}");
        assert_eq!(moves(&tell(&["go"], true)), 1);
        let said = tell(&["pause", "ping 3"], false);
        assert_eq!((remarks(&said), said.contains(&"pong 3".to_owned())), (0, true), "{said:#?}");
        assert!(remarks(&tell(&["resume"], false)) > 0);
    }
}
