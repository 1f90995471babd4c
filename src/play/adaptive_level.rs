//! The strength at which the engine plays: that of the settings, or with the adaptive level where its player stands.

use super::rating::Unkept;
use super::{Engine, Handicap, Message, Rating};

impl Engine {
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
    use std::sync::Arc;
    use std::sync::mpsc;

    use super::*;
    use crate::play::{EngineSettings, Host, RatingFile, ResourceLimits, SearchEvent};
    use crate::variants::VariantId;

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
