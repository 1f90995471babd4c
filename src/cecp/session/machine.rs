//! What the engine uses of the machine, and how it is tuned: options, memory, cores, and the games
//! they are applied to.

use super::{Search, SearchEvent, Session};
use crate::cecp::options::{self, Button, OptionError, Settings};
use crate::cecp::wire::{Reply, echo};
use crate::play::Game;
use crate::search::clock::Budget;
use crate::search::{Limits, StopToken};
use crate::types::Score;

/// The hidden constants a GUI may set in one session, and the length of their names; more is not
/// tuning but a flood.
const MAX_PARAMETERS: usize = 1000;
const MAX_PARAMETER_NAME: usize = 100;

/// A game, and what of the settings has reached it. Setting the size of a table may take a while
/// and waits for a running search, so it is put off until just before a search, or to the next idle
/// `ping`.
pub(super) struct Prepared {
    game: Box<dyn Game>,
    applied: Option<Settings>,
    pub(super) needs_seed: bool,
    pub(super) needs_parameters: bool,
    /// A search has left its traces in the tables.
    pub(super) is_used: bool,
}

impl Prepared {
    pub(super) fn new(game: Box<dyn Game>) -> Prepared {
        Prepared { game, applied: None, needs_seed: true, needs_parameters: true, is_used: false }
    }

    pub(super) fn of(&self) -> &dyn Game {
        &*self.game
    }

    pub(super) fn of_mut(&mut self) -> &mut dyn Game {
        &mut *self.game
    }

    /// Forgets what searches have found.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.is_used) {
            self.game.clear();
        }
    }

    fn apply(&mut self, settings: &Settings) {
        let applied = self.applied.as_ref();
        if applied.is_none_or(|applied| applied.hash != settings.hash) {
            self.game.set_hash(settings.hash);
        }
        if applied.is_none_or(|applied| applied.threads != settings.threads) {
            self.game.set_threads(settings.threads);
        }
        if applied.is_none_or(|applied| applied.contempt != settings.contempt) {
            self.game.set_contempt(Score::cp(settings.contempt));
        }
        if applied.is_none_or(|applied| applied.stage != settings.stage) {
            self.game.set_stage(settings.stage);
        }
        self.applied = Some(settings.clone());
    }
}

impl Session {
    /// Brings the game up to the settings. No search may be running.
    pub(super) fn prepare(&mut self) {
        if self.game.applied.as_ref() != Some(&self.settings) {
            self.game.apply(&self.settings);
        }
        // Each game of a session is another one, and all of them are repeatable.
        if std::mem::take(&mut self.game.needs_seed) && self.settings.seed != 0 {
            self.game.of_mut().set_seed(self.settings.seed.wrapping_add(self.games));
        }
        if std::mem::take(&mut self.game.needs_parameters) {
            let game = self.game.of_mut();
            let mut unknown = Vec::new();
            self.parameters.retain(|name, value| {
                let is_known = game.set_parameter(name, *value);
                if !is_known {
                    unknown.push(format!("no such option: {name}"));
                }
                is_known
            });
            unknown.iter().for_each(|text| self.note(text));
        }
    }

    /// Starts a search of the present position.
    pub(super) fn start_search(&mut self, limits: Limits, budget: Option<Budget>) -> Search {
        self.prepare();
        self.shelf = None;
        self.searches += 1;
        let (id, stop) = (self.searches, StopToken::new());
        if let Some(Budget { soft, hard }) = budget {
            stop.set_clock(self.now, soft, hard);
        }
        let sink = self.sink.clone();
        self.game.is_used = true;
        self.game.of_mut().think(
            id,
            limits,
            stop.clone(),
            Box::new(move |event: SearchEvent| sink(event)),
        );
        Search { id, stop, since: self.now, latest: None, was_unheard: false }
    }

    pub(super) fn set_hash(&mut self, mebibytes: usize) {
        self.settings.hash = mebibytes.clamp(1, self.allowance.hash.max(1));
    }

    pub(super) fn set_threads(&mut self, threads: usize) {
        self.settings.threads = threads.clamp(1, self.allowance.threads.max(1));
    }

    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        let found = options::find(name)
            .ok()
            .filter(|option| self.allowance.files || !option.touches_files());
        let Some(option) = found else {
            self.set_parameter(name, value);
            return;
        };
        let before = self.settings.clone();
        match option.set(&mut self.settings, value) {
            Ok(None) => {
                self.set_hash(self.settings.hash);
                self.game.needs_seed |= self.settings.seed != before.seed;
                if self.settings.log_file != before.log_file {
                    self.log_request = Some(self.settings.log_file.clone());
                }
                // xboard has buttons for this beside the analysis.
                if self.settings.lines != before.lines {
                    self.restart_analysis();
                }
            }
            Ok(Some(Button::ClearHash)) if self.is_searching() => {
                self.note("the tables are in use");
            }
            Ok(Some(Button::ClearHash)) => self.game.clear(),
            Err(OptionError::Unknown | OptionError::BadValue) => {
                let text = echo(&format!("option {name}={}", value.unwrap_or_default()));
                self.say(Reply::Error { kind: "bad argument".to_owned(), text });
            }
        }
    }

    /// A constant of search or evaluation, if there is one of this name.
    fn set_parameter(&mut self, name: &str, value: Option<&str>) {
        let has_room = self.parameters.len() < MAX_PARAMETERS && name.len() <= MAX_PARAMETER_NAME;
        match value.and_then(|value| value.parse().ok()) {
            Some(value) if has_room => {
                self.parameters.insert(name.to_owned(), value);
                self.game.needs_parameters = true;
                if !self.is_searching() {
                    self.prepare();
                }
            }
            _ => self.note(&format!("no such option: {name}")),
        }
    }
}
