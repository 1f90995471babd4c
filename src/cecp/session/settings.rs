//! Options, and the commands `memory`, `cores` and `egtpath`.

use super::CecpSession;
use super::features::{SYZYGY, THREE_CHECK};
use crate::cecp::wire::{Fault, Reply};
use crate::protocol::options::{self, Button, Constant, OptionRemark, Settings};

impl CecpSession {
    /// The present value of every option.
    pub(super) fn all_settings(&self) -> Settings {
        Settings {
            engine: self.engine.settings().clone(),
            session: self.settings.clone(),
            ..Settings::default()
        }
    }

    /// `memory`: the size of the transposition table in MiB.
    pub(super) fn set_hash(&mut self, mebibytes: usize) {
        self.engine.change_settings(|settings| settings.hash = mebibytes);
        self.note_hash_limit("memory", mebibytes);
    }

    /// Tells if the machine allows less than was asked for.
    fn note_hash_limit(&mut self, command: &str, mebibytes: usize) {
        let allowed = self.engine.settings().hash;
        if allowed < mebibytes {
            self.note(&format!("{command} {mebibytes}: at most {allowed} MiB are allowed"));
        }
    }

    /// `cores`: the number of search threads.
    pub(super) fn set_threads(&mut self, threads: usize) {
        self.engine.change_settings(|settings| settings.threads = threads);
        let allowed = self.engine.settings().threads;
        if allowed < threads {
            self.note(&format!("cores {threads}: at most {allowed} can be used"));
        }
    }

    /// `egtpath`: the folders of the endgame tables of one kind. Other kinds are ignored. The engine
    /// takes no folders from remote clients.
    pub(super) fn set_table_path(&mut self, kind: &str, path: &str) {
        self.engine.change_settings(|settings| match kind {
            SYZYGY => path.clone_into(&mut settings.tables.syzygy),
            THREE_CHECK => path.clone_into(&mut settings.tables.three_check),
            _ => {}
        });
    }

    /// `option`: sets an option, presses a button, or sets a constant of the search.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        let with_files = self.engine.resource_limits().files;
        let found = options::find(name).ok().filter(|option| with_files || !option.needs_files());
        let Some(option) = found else {
            return self.set_constant(name, value);
        };
        let before = self.all_settings();
        let mut settings = before.clone();
        if let Some(taken) = option.number_taken_for(value) {
            let expected = &option.state(&before).expected();
            self.remark(OptionRemark::CountsAs { name, expected, taken });
        }
        match option.set(&mut settings, value) {
            Ok(None) => {
                if settings.session.log_file != before.session.log_file {
                    self.log_request = Some(settings.session.log_file.clone());
                }
                let was_coaching = self.is_coaching();
                self.settings = settings.session;
                let lines_changed = settings.engine.lines != before.engine.lines;
                let game = self.engine.game();
                self.rated_game.changed_settings(&before.engine, &settings.engine, game);
                let hash = settings.engine.hash;
                self.engine.change_settings(|present| *present = settings.engine);
                self.note_hash_limit(&format!("option {name}"), hash);
                if self.all_settings() != before {
                    self.drop_pondering();
                }
                match (was_coaching, self.is_coaching()) {
                    (true, false) => self.hide_heat(),
                    _ if self.settings.heat_map != before.session.heat_map => self.show_heat(),
                    (false, true) => self.show_heat(),
                    _ => {}
                }
                // xboard has buttons for this beside the analysis.
                if lines_changed {
                    self.restart_analysis();
                }
            }
            Ok(Some(Button::ClearHash)) if self.is_searching() => {
                self.note("the tables are in use");
            }
            Ok(Some(Button::ClearHash)) => self.engine.clear(),
            Ok(Some(Button::ResetRating)) => self.engine.reset_ratings(),
            Err(_) => self.refuse_value(name, value, &option.state(&before).expected()),
        }
    }

    fn remark(&mut self, remark: OptionRemark) {
        self.note(&remark.to_string());
    }

    fn refuse_value(&mut self, name: &str, value: Option<&str>, expected: &str) {
        let command = format!("option {name}={}", value.unwrap_or_default());
        self.say(Reply::error(Fault::BadArgument, &command));
        self.note(&format!("{name} takes {expected}"));
    }

    fn set_constant(&mut self, name: &str, value: Option<&str>) {
        let Ok(constant) = Constant::find(name) else {
            return self.remark(OptionRemark::Unknown { name });
        };
        let expected = constant.expected();
        match constant.read(value) {
            Ok((taken, is_outside)) => {
                if is_outside {
                    let (expected, taken) = (&expected, taken.into());
                    self.remark(OptionRemark::CountsAs { name, expected, taken });
                }
                self.engine.set_parameter(name, taken);
                self.drop_pondering();
            }
            Err(_) => self.refuse_value(name, value, &expected),
        }
    }
}
