//! The engine at the strength of a person: how it opens, how long it takes for a move, and where its player
//! stands.

use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;

use super::engine::Task;
use super::rating::Unkept;
use super::{Choice, Engine, Handicap, Message, Rating, SearchHandle, Thinker};
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

    // The player's rating.

    /// The strength to which the engine is limited in this game, in Elo; `None` for full strength.
    pub fn limited_elo(&self) -> Option<u32> {
        match self.rating() {
            Some(rating) => Some(rating.elo),
            None => self.settings.limited_elo(),
        }
    }

    /// What keeps the engine from playing at its full strength; `None` if nothing does.
    pub(super) fn handicap(&self) -> Option<Handicap> {
        let variant = self.game.variant();
        self.limited_elo().map(|elo| Handicap::of_elo(elo, variant))
    }

    /// Where the player stands in this game, if the level is adaptive.
    pub fn rating(&self) -> Option<Rating> {
        self.settings.adaptive.then(|| self.ratings.rating(self.game.variant()))
    }

    /// Counts a game of the player, who got `points`: 0, 0.5 or 1. Returns where they stand now, if the
    /// level is adaptive; a stage without searches has no level. Tells the user if that cannot be kept.
    pub fn count_game(&mut self, points: f64) -> Option<Rating> {
        let rating = self.rating().filter(|_| self.settings.stage.searches())?.after_game(points);
        let kept = self.ratings.keep(self.game.variant(), rating);
        self.tell_unkept(kept);
        Some(rating)
    }

    /// Tells the user if the level is adaptive and the results cannot be kept.
    pub fn check_ratings(&mut self) {
        if self.settings.adaptive {
            self.tell_unkept(self.ratings.check());
        }
    }

    /// Tells the user once that results cannot be kept.
    fn tell_unkept(&mut self, kept: Result<(), Unkept>) {
        if let Err(why) = kept
            && !std::mem::replace(&mut self.ratings.has_told, true)
        {
            self.tell(Message::problem(format!(
                "Your results count only until the program ends, because they cannot be kept ({why})"
            )));
        }
    }

    /// Forgets where the player stands, in all games. Tells the user if that is not possible.
    pub fn reset_ratings(&mut self) {
        if let Err(why) = self.ratings.reset() {
            self.tell(Message::problem(format!("Your results cannot be removed ({why})")));
        }
    }

    /// May results of the player be known, of any game?
    pub fn has_ratings(&self) -> bool {
        self.ratings.has_any()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::mpsc::{self, Receiver};

    use super::*;
    use crate::play::{
        EngineSettings, Host, RatingFile, ResourceLimits, SearchEvent, SkillLevel, new_game,
    };
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

    /// A learner never meets the engine at full strength by accident.
    #[test]
    fn an_adaptive_level_without_a_place_for_ratings_lasts_as_long_as_the_engine() {
        let folder = tempfile::tempdir().unwrap();
        let settings = EngineSettings { adaptive: true, hash: 1, ..EngineSettings::default() };
        for (ratings, place) in [
            (None, "HOME".to_owned()),
            (Some(RatingFile::new(folder.path().into())), folder.path().display().to_string()),
        ] {
            let (sender, events) = mpsc::channel();
            let sink = Arc::new(move |event| sender.send(event).unwrap_or_default());
            let host = Host { ratings, ..Host::native(ResourceLimits::OWNER, sink) };
            let mut engine = Engine::new(VariantId::Standard, settings.clone(), host);
            assert_eq!(engine.limited_elo(), Some(800));
            assert_eq!(engine.count_game(0.0), Some(Rating { elo: 700, games: 1 }));
            engine.begin_game(VariantId::Standard);
            assert_eq!(engine.limited_elo(), Some(700));
            assert_eq!(engine.count_game(0.0), Some(Rating { elo: 600, games: 2 }));
            let told: Vec<SearchEvent> = events.try_iter().collect();
            let [SearchEvent::Message(message)] = &told[..] else { panic!("{told:?}") };
            assert!(message.text.contains(&place), "{message:?}");
        }
    }

    #[test]
    fn an_adaptive_level_follows_the_results() {
        let folder = tempfile::tempdir().unwrap();
        let file = RatingFile::new(folder.path().join("data/ratings.txt"));
        let settings = EngineSettings { adaptive: true, hash: 1, ..EngineSettings::default() };
        let host = |limits| {
            let ratings = Some(file.clone());
            Host { ratings, ..Host::native(limits, Arc::new(|_| {})) }
        };
        let owner = ResourceLimits::OWNER;
        let mut engine = Engine::new(VariantId::Standard, settings.clone(), host(owner));
        assert_eq!(engine.limited_elo(), Some(800));
        assert_eq!(engine.count_game(1.0), Some(Rating { elo: 900, games: 1 }));
        assert_eq!(engine.limited_elo(), Some(900));
        engine.set_variant(VariantId::ThreeCheck);
        assert_eq!(engine.limited_elo(), Some(800));
        let mut later = Engine::new(VariantId::Standard, settings.clone(), host(owner));
        assert_eq!(later.limited_elo(), Some(900));
        later.reset_ratings();
        assert_eq!(later.rating(), Some(Rating::default()));
        // A remote client has no ratings, whatever it asks for.
        let remote = ResourceLimits { files: false, ..owner };
        let mut remote = Engine::new(VariantId::Standard, settings, host(remote));
        assert_eq!((remote.rating(), remote.count_game(1.0)), (None, None));
        assert!(!file.path().exists());
    }
}
