//! The engine as a solver of positions: at full strength, and at the strength of a person.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use trebuchet::coach::{BestLines, Line};
use trebuchet::play::{
    Engine, EngineSettings, Game, Host, ResourceLimits, SearchEvent, inline_searcher,
};
use trebuchet::search::{Limits, Observer};
use trebuchet::types::{Move, TimeSource};
use trebuchet::variants::VariantId;

/// The size of the transposition table, in MiB.
const HASH: usize = 32;

/// An engine that searches on this thread. It uses no book and no tables.
pub struct Solver {
    variant: VariantId,
    seed: u64,
    engine: Engine,
    events: Receiver<SearchEvent>,
}

impl Solver {
    /// The same seed gives the same oversights to the persons that it plays.
    pub fn new(variant: VariantId, seed: u64) -> Solver {
        let (sender, events) = mpsc::channel();
        let host = Host {
            clock: TimeSource::still(),
            seed,
            limits: ResourceLimits { files: false, hash: HASH, threads: 1 },
            new_searcher: Box::new(|variant| inline_searcher(variant, u64::MAX)),
            built_in_books: false,
            ratings: None,
            sink: Arc::new(move |event| sender.send(event).unwrap_or_default()),
        };
        let mut settings = EngineSettings { hash: HASH, ..EngineSettings::default() };
        settings.book.is_used = false;
        Solver { variant, seed, engine: Engine::new(variant, settings, host), events }
    }

    /// A solver of the same game with the same seed, which has played no persons yet.
    pub fn anew(&self) -> Solver {
        Solver::new(self.variant, self.seed)
    }

    /// The best lines of a position by a search of `nodes` nodes, the best line first; none if the game is
    /// over. The search knows what earlier searches have left in the tables.
    pub fn study(&mut self, game: &dyn Game, count: usize, nodes: u64) -> Vec<Line> {
        if game.outcome().is_some() {
            return Vec::new();
        }
        self.set(0, count);
        self.think(game, Some(nodes));
        let mut lines = BestLines::new(count.min(game.legal_moves().len()));
        for event in self.events.try_iter() {
            if let SearchEvent::Progress(_, progress) = event {
                lines.line(progress);
            }
        }
        lines.finish(None)
    }

    /// The move that a player of this strength in Elo chooses.
    pub fn choose(&mut self, game: &dyn Game, elo: u32) -> Option<Move> {
        self.set(elo, 1);
        self.think(game, None);
        self.events.try_iter().fold(None, |found, event| match event {
            SearchEvent::Finished(_, choice) => choice.best,
            _ => found,
        })
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    fn set(&mut self, strength: u32, lines: usize) {
        self.engine.change_settings(|settings| {
            settings.strength = strength;
            settings.lines = lines;
        });
    }

    fn think(&mut self, game: &dyn Game, nodes: Option<u64>) {
        // The FEN was written by a board, so it is legal.
        let _ = self.engine.game_mut().set_board(&game.fen());
        // Those with nodes are verdicts; the persons that try a puzzle think as in a game.
        let limits = Limits { nodes, impartial: nodes.is_some(), ..Limits::default() };
        let _ = self.engine.think(limits, None, self.engine.now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::selfplay::{NodeLimits, SelfPlayer};
    use trebuchet::board::Position;
    use trebuchet::play::new_game;
    use trebuchet::variants::Standard;

    /// A won endgame whose mate is not seen must not seem much worse than one whose mate is.
    #[test]
    fn verdicts_count_evaluations_of_endgames_whole() {
        const FEN: &str = "4k3/4p3/8/8/8/8/3RP3/4K3 w - - 0 1";
        let mut game = new_game(VariantId::Standard);
        game.set_board(FEN).unwrap();
        let verdict = Solver::new(VariantId::Standard, 1).study(&*game, 1, 2000)[0].score.value();
        let limits = NodeLimits { soft: 2000, hard: 2000 };
        let pos = Position::<Standard>::from_fen(FEN).unwrap();
        let in_a_game = SelfPlayer::new(limits, 1).choose(&pos).unwrap().score.value();
        assert!(in_a_game > 100 && in_a_game * 4 < verdict * 3, "{in_a_game}, {verdict}");
    }
}
