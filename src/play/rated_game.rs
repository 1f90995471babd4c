//! Which games count for an adaptive level.

use super::{EngineSettings, Game};
use crate::types::{Color, GameResult, Ply};

/// A game counts from this many plies on.
const LEAST_PLIES: Ply = 4;

/// Whether the game on the board counts for an adaptive level: a whole game at this level, of one stage, in which
/// the players keep their sides and nothing is taken back.
#[derive(Clone, Copy, Debug)]
pub struct RatedGame {
    /// It can still count, and has not been counted.
    is_rated: bool,
    /// Whoever changes the sides now plays another game.
    are_sides_settled: bool,
}

impl RatedGame {
    /// A game that begins at the position on the board; it counts if that is a start position.
    pub fn begin(game: &dyn Game) -> RatedGame {
        RatedGame { is_rated: game.is_at_start(), are_sides_settled: false }
    }

    /// The game does not count: a move was taken back, or the board was edited.
    pub const fn unrate(&mut self) {
        self.is_rated = false;
    }

    /// A move shows who plays which side. Before it no game counts.
    pub const fn settle_sides(&mut self) {
        self.are_sides_settled = true;
    }

    /// Another position is on the board, and no such move was made in it.
    pub const fn open_sides(&mut self) {
        self.are_sides_settled = false;
    }

    /// Somebody else plays for the engine.
    pub const fn changed_sides(&mut self) {
        self.is_rated &= !self.are_sides_settled;
    }

    /// Of a game that another level or stage has begun, an adaptive one learns nothing.
    pub fn changed_settings(
        &mut self,
        before: &EngineSettings,
        now: &EngineSettings,
        game: &dyn Game,
    ) {
        if !before.adaptive || before.stage != now.stage {
            self.changed_stage(game);
        }
    }

    /// A stage was chosen. Only a game that begins with it counts.
    pub fn changed_stage(&mut self, game: &dyn Game) {
        self.is_rated &= game.is_at_start();
    }

    /// The game has ended after this many plies; the engine has played this side. Returns the points of the player:
    /// 0, 0.5 or 1. `None` if the game does not count, or has been counted.
    pub fn finish(&mut self, result: GameResult, engine: Color, plies: Ply) -> Option<f64> {
        let points = player_points(result, engine, plies).filter(|_| self.are_sides_settled)?;
        std::mem::take(&mut self.is_rated).then_some(points)
    }
}

/// The points of the player in a game of this many plies against the engine: 0, 0.5 or 1. `None` if the game does not
/// count, because it is not finished or too short.
fn player_points(result: GameResult, engine: Color, plies: Ply) -> Option<f64> {
    let points = match result {
        GameResult::Unfinished => return None,
        GameResult::Draw => 0.5,
        GameResult::Win(winner) if winner == engine => 0.0,
        GameResult::Win(_) => 1.0,
    };
    (plies >= LEAST_PLIES).then_some(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Stage, new_game};
    use crate::variants::VariantId;

    const WON: GameResult = GameResult::Win(Color::White);

    /// A game that has just begun, and one in which the sides are settled.
    fn games() -> (RatedGame, RatedGame) {
        let begun = RatedGame::begin(&*new_game(VariantId::Standard));
        let mut settled = begun;
        settled.settle_sides();
        (begun, settled)
    }

    fn finish(mut game: RatedGame) -> Option<f64> {
        game.finish(WON, Color::Black, LEAST_PLIES)
    }

    #[test]
    fn a_finished_game_counts_if_it_is_not_too_short() {
        use GameResult::{Draw, Unfinished, Win};
        let points = |result| player_points(result, Color::Black, 4);
        let results = [Win(Color::White), Draw, Win(Color::Black), Unfinished];
        assert_eq!(results.map(points), [Some(1.0), Some(0.5), Some(0.0), None]);
        assert_eq!(player_points(Draw, Color::Black, 3), None);
    }

    #[test]
    fn a_game_counts_once() {
        let (_, mut game) = games();
        assert_eq!(game.finish(GameResult::Unfinished, Color::Black, 10), None);
        assert_eq!(game.finish(WON, Color::Black, LEAST_PLIES - 1), None);
        assert_eq!(game.finish(WON, Color::Black, LEAST_PLIES), Some(1.0));
        assert_eq!(game.finish(WON, Color::Black, LEAST_PLIES), None);
    }

    #[test]
    fn a_game_counts_from_any_start_position() {
        for &variant in VariantId::ALL {
            let mut game = new_game(variant);
            for number in [None, Some(0), Some(variant.start_positions() - 1)] {
                if let Some(number) = number {
                    game.set_board(&variant.start_fen(number)).unwrap();
                }
                let mut rated = RatedGame::begin(&*game);
                rated.settle_sides();
                assert_eq!(finish(rated), Some(1.0), "{variant:?} {number:?}");
            }
            game.play(game.legal_moves()[0]);
            let mut rated = RatedGame::begin(&*game);
            rated.settle_sides();
            assert_eq!(finish(rated), None, "{variant:?}");
        }
    }

    #[test]
    fn the_players_keep_their_sides() {
        let (mut begun, mut settled) = games();
        assert_eq!(finish(begun), None);
        begun.changed_sides();
        begun.settle_sides();
        assert_eq!(finish(begun), Some(1.0));
        let mut opened = settled;
        settled.changed_sides();
        assert_eq!(finish(settled), None);
        opened.open_sides();
        assert_eq!(finish(opened), None);
        opened.settle_sides();
        assert_eq!(finish(opened), Some(1.0));
        opened.unrate();
        opened.open_sides();
        opened.settle_sides();
        assert_eq!(finish(opened), None);
    }

    #[test]
    fn level_and_stage_stay_the_same() {
        let fixed = EngineSettings::default();
        let adaptive = EngineSettings { adaptive: true, ..fixed.clone() };
        let random = EngineSettings { stage: Stage::Random, ..adaptive.clone() };
        let (_, game) = games();
        let start = new_game(VariantId::Standard);
        let mut later = new_game(VariantId::Standard);
        later.play(later.legal_moves()[0]);
        for (before, now, goes_on) in [
            (&adaptive, &adaptive, true),
            (&adaptive, &fixed, true),
            (&fixed, &adaptive, false),
            (&fixed, &fixed, false),
            (&adaptive, &random, false),
        ] {
            for (position, is_rated) in [(&start, true), (&later, goes_on)] {
                let mut game = game;
                game.changed_settings(before, now, &**position);
                assert_eq!(finish(game).is_some(), is_rated, "{before:?} {now:?}");
            }
        }
    }
}
