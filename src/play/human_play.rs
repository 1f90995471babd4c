//! The engine plays like a person: how it opens, and how long it takes for a move.

use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;

use super::engine::Task;
use super::{Choice, Engine, Handicap, SearchHandle, Thinker};
use crate::book::{self, BookMove, BookRules, Repertoire};
use crate::search::Limits;
use crate::search::time_management::TimeBudget;
use crate::types::{Moment, Move, Ply};

/// The last ply at which the repertoire of a level is asked.
const LONGEST_OPENING: Ply = 40;
/// Moves of a repertoire are chosen by their weights; see [`book::choose`].
const BY_WEIGHT: u8 = 50;
/// With less time for a move, an engine of limited strength does not play the person who hesitates.
const SHORT_TIME: Duration = Duration::from_millis(1_500);

impl Engine {
    /// A move of the repertoire for the strength of the engine, if the game is still in it.
    pub(super) fn repertoire_move(&mut self) -> Option<Move> {
        let elo = self.limited_elo()?;
        let variant = self.game.variant();
        let is_wanted = self.book.has_built_in()
            && self.settings.book.is_used
            && self.settings.stage.searches();
        let mut game = self.game.fork();
        let mut undone = Vec::new();
        if !is_wanted || game.ply_count() > LONGEST_OPENING {
            return None;
        }
        while let Some(mv) = game.undo() {
            undone.push(game.san(mv));
        }
        if !game.is_at_start() {
            return None;
        }
        undone.reverse();
        let repertoire = for_variant!(variant, V => Repertoire::new(V::REPERTOIRE));
        let next = repertoire.next_moves(elo, &undone);
        let moves = next.into_iter().filter_map(|(san, weight)| {
            Some(BookMove { mv: self.game.parse_move(san).ok()?, weight })
        });
        let moves: Vec<BookMove> = moves.collect();
        self.prepare();
        book::choose(&moves, BY_WEIGHT, &mut self.random)
    }

    /// Reports a move without a search, after a pause.
    pub(super) fn play_known(
        &mut self,
        mv: Move,
        budget: Option<TimeBudget>,
        now: Moment,
        pause: Duration,
    ) -> SearchHandle {
        let sink = Arc::clone(&self.sink);
        let (handle, reporter) = self.open_search(Choice::unsearched(Some(mv)), sink, budget, now);
        let (position, limits) = (self.game.fork(), Limits::default());
        // A known move needs half the pause.
        let task = Task { thinker: Thinker::Nobody, pause: pause / 2 };
        self.submit(&handle, reporter, position, limits, task);
        handle
    }

    /// How long a person takes for the next move at least: some seconds, less where there is no choice, at
    /// most half of the time for the move, and none if that is short.
    pub(super) fn human_time(&mut self, budget: Option<TimeBudget>) -> Duration {
        // A fixed time has a soft limit far beyond the hard one.
        let time = budget.map_or(Duration::ZERO, |budget| budget.soft.min(budget.hard));
        let is_person = matches!(self.handicap(), Some(Handicap::Person(_)));
        if !is_person || !self.settings.human_time || time < SHORT_TIME {
            return Duration::ZERO;
        }
        self.prepare();
        let is_forced = self.game.legal_moves().len() < 2;
        let range = if is_forced { 300..=900 } else { 900..=3_500 };
        Duration::from_millis(self.random.random_range(range)).min(time / 2)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::mpsc::{self, Receiver};

    use super::*;
    use crate::play::{EngineSettings, Host, ResourceLimits, SearchEvent, SkillLevel, new_game};
    use crate::skill::LEAST_ELO;
    use crate::variants::VariantId;

    fn engine(variant: VariantId, settings: EngineSettings) -> (Engine, Receiver<SearchEvent>) {
        let (sender, events) = mpsc::channel();
        let sink = Arc::new(move |event| sender.send(event).unwrap_or_default());
        let settings = EngineSettings { hash: 1, ..settings };
        (Engine::new(variant, settings, Host::native(ResourceLimits::OWNER, sink)), events)
    }

    /// The move that the engine chooses, and whether it has searched.
    fn choice(engine: &mut Engine, events: &Receiver<SearchEvent>) -> (String, bool) {
        let search = engine.think(Limits::default(), None, Moment::START);
        loop {
            if let SearchEvent::Finished(id, choice) = events.recv().unwrap()
                && id == search.id()
            {
                let mv = choice.best.expect("a move");
                return (engine.game().san(mv), choice.score.is_some());
            }
        }
    }

    #[test]
    fn every_line_of_every_repertoire_is_legal() {
        for &variant in VariantId::ALL {
            let repertoire = for_variant!(variant, V => Repertoire::new(V::REPERTOIRE));
            let mut count = 0;
            for line in repertoire.lines() {
                count += 1;
                assert!(line.elo.0 < line.elo.1 && line.weight > 0, "{line:?}");
                for number in [0, variant.start_positions() - 1] {
                    let mut game = new_game(variant);
                    game.set_board(&variant.start_fen(number)).unwrap();
                    for san in &line.moves {
                        let mv = game.parse_move(san);
                        let mv = mv.unwrap_or_else(|error| panic!("{line:?} {san}: {error}"));
                        assert_eq!(&game.san(mv), san, "{line:?}");
                        game.play(mv);
                    }
                }
            }
            assert!(count >= 20, "{variant:?}: {count}");
            // Every line of the file is read.
            let text = for_variant!(variant, V => V::REPERTOIRE);
            assert_eq!(text.lines().filter(|line| !line.starts_with('#')).count(), count);
        }
    }

    #[test]
    fn levels_open_as_people_do_in_every_game() {
        for &variant in VariantId::ALL {
            for level in &SkillLevel::ALL[..4] {
                let settings =
                    EngineSettings { level: *level, seed: 7, ..EngineSettings::default() };
                let (mut engine, events) = engine(variant, settings);
                let mut first = BTreeMap::new();
                for _ in 0..60 {
                    engine.begin_game(variant);
                    let (san, is_searched) = choice(&mut engine, &events);
                    assert!(!is_searched, "{variant:?} {level}: {san}");
                    *first.entry(san).or_insert(0) += 1;
                }
                let odd = ["h3", "a3", "c3", "h4", "a4", "f3", "Na3", "Nh3"];
                assert!(!odd.iter().any(|san| first.contains_key(*san)), "{first:?}");
                assert!(first.len() >= 3, "{variant:?} {level}: {first:?}");
                // And as Black, after each of these moves.
                for san in first.keys() {
                    engine.begin_game(variant);
                    let mv = engine.game().parse_move(san).unwrap();
                    engine.game_mut().play(mv);
                    assert!(!choice(&mut engine, &events).1, "{variant:?} {level} {san}");
                }
            }
        }
    }

    #[test]
    fn a_strength_below_the_least_opens_like_the_least() {
        for strength in [1, 99] {
            let settings = EngineSettings { strength, ..EngineSettings::default() };
            let (mut engine, events) = engine(VariantId::Standard, settings);
            assert_eq!(engine.limited_elo(), Some(LEAST_ELO));
            assert!(!choice(&mut engine, &events).1);
        }
    }

    #[test]
    fn outside_the_repertoire_a_level_thinks() {
        let settings = EngineSettings { level: SkillLevel::Beginner, ..EngineSettings::default() };
        let (mut unusual, events) = engine(VariantId::Standard, settings.clone());
        let mv = unusual.game().parse_move("h4").unwrap();
        unusual.game_mut().play(mv);
        assert!(choice(&mut unusual, &events).1);
        // Without a book, and from another position.
        let mut without = settings.clone();
        without.book.is_used = false;
        let (mut without, events) = engine(VariantId::Standard, without);
        assert!(choice(&mut without, &events).1);
        let (mut set_up, events) = engine(VariantId::Standard, settings);
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1";
        set_up.game_mut().set_board(fen).unwrap();
        assert!(choice(&mut set_up, &events).1);
    }

    #[test]
    fn a_person_takes_time_unless_it_is_short_or_switched_off() {
        let budget = |seconds: f64| {
            let soft = Duration::from_secs_f64(seconds);
            Some(TimeBudget { soft, hard: 4 * soft })
        };
        let amateur = EngineSettings { level: SkillLevel::Amateur, ..EngineSettings::default() };
        let time = |settings: &EngineSettings, seconds: f64| {
            engine(VariantId::Standard, settings.clone()).0.human_time(budget(seconds))
        };
        let long = time(&amateur, 30.0).as_millis();
        assert!((900..=3_500).contains(&long), "{long}");
        let half = time(&amateur, 1.6).as_millis();
        assert!((1..=800).contains(&half), "{half}");
        assert_eq!(time(&amateur, 1.4), Duration::ZERO);
        let exact = Some(TimeBudget::exactly(Duration::from_millis(1_400), Duration::ZERO));
        let mut for_fixed_time = engine(VariantId::Standard, amateur.clone()).0;
        assert_eq!(for_fixed_time.human_time(exact), Duration::ZERO);
        let off = EngineSettings { human_time: false, ..amateur.clone() };
        assert_eq!(time(&off, 30.0), Duration::ZERO);
        assert_eq!(time(&EngineSettings::default(), 30.0), Duration::ZERO);
        assert_eq!(engine(VariantId::Standard, amateur).0.human_time(None), Duration::ZERO);
    }
}
