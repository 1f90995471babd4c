//! The judges: each reads the events of a player and notes on a sheet which criteria were kept.

mod conduct;
mod connection;
mod moves;
mod stage_pawns;
mod stage_random;

use std::mem;

use super::event::{EventKind, EventSink, FollowedGame, GameEvent};
use super::settings::CheckSettings;
use super::sheet::Sheet;
use conduct::{Claims, Forfeits, Misreadings, Refusals, TurnKeeping};
use connection::{Handshake, Pings};
use moves::{Clocks, Legality};
use stage_pawns::StagePawns;
pub use stage_pawns::must_resign;
use stage_random::StageRandom;
use trebuchet::play::Stage;

/// A judge of one player.
pub trait Judge {
    /// Something has happened: notes what it says about the criteria of this judge.
    fn on(&mut self, event: &GameEvent, sheet: &mut Sheet);
}

/// The judges of one player, with the sheets of its games.
pub struct Panel {
    judges: Vec<Box<dyn Judge + Send>>,
    /// The sheet of the game that is being played.
    sheet: Sheet,
    games: Vec<(FollowedGame, Sheet)>,
}

impl Panel {
    /// The judges of a player whose dialogue with the GUI is known.
    pub fn of_dialogue(settings: &CheckSettings) -> Panel {
        let mut panel = Panel::of_moves(settings);
        panel.judges.extend([
            Box::new(TurnKeeping) as Box<dyn Judge + Send>,
            Box::new(Refusals),
            Box::new(Claims),
            Box::new(Misreadings),
            Box::new(Handshake::default()),
            Box::new(Pings),
        ]);
        panel
    }

    /// The judges of a player of whom only the moves, the times and the result are known.
    pub fn of_moves(settings: &CheckSettings) -> Panel {
        let mut judges: Vec<Box<dyn Judge + Send>> = vec![
            Box::new(Legality),
            Box::new(Clocks { stage: settings.stage, margin: settings.margin }),
            Box::new(Forfeits),
        ];
        match settings.stage {
            Stage::Pawns => judges.push(Box::new(StagePawns { order: settings.board_order })),
            Stage::Random => judges.push(Box::new(StageRandom)),
            Stage::Full => {}
        }
        Panel { judges, sheet: Sheet::default(), games: Vec::new() }
    }

    /// The sheet of the game that is being played.
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// Takes the sheet of the game that is being played; an empty one takes its place.
    pub fn take_sheet(&mut self) -> Sheet {
        mem::take(&mut self.sheet)
    }

    /// The games that have ended, with their sheets.
    pub fn into_games(self) -> Vec<(FollowedGame, Sheet)> {
        self.games
    }
}

impl EventSink for Panel {
    fn on(&mut self, event: &GameEvent) {
        for judge in &mut self.judges {
            judge.on(event, &mut self.sheet);
        }
        if let EventKind::GameEnded(game) = event.kind {
            let sheet = self.take_sheet();
            self.games.push((game.clone(), sheet));
        }
    }
}
