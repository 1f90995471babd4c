//! How far an analysis is, for the person at the terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::analysis::Step;

/// A bar on standard error, shown only if that is a terminal.
pub struct Bar {
    bar: ProgressBar,
    /// The notices that people know.
    told: Vec<String>,
}

impl Bar {
    /// A bar that counts these things; it has none yet.
    pub fn new(things: &str) -> Bar {
        let bar = ProgressBar::new(0);
        let template = format!("{{wide_bar}} {{pos}}/{{len}} {things}, {{eta}} left");
        let bar = match ProgressStyle::with_template(&template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        Bar { bar, told: Vec::new() }
    }

    /// Shows a step. A notice is told, once.
    pub fn step(&mut self, step: Step, tell: &mut dyn FnMut(&str)) {
        match step {
            Step::Begin(done, total) => {
                self.bar.set_length(total as u64);
                self.bar.set_position(done as u64);
                // What an earlier run has found took no time.
                self.bar.reset_eta();
                self.bar.enable_steady_tick(Duration::from_millis(500));
            }
            Step::Searched => self.bar.inc(1),
            Step::Notice(text) if self.told.contains(&text) => {}
            Step::Notice(text) => {
                self.bar.suspend(|| tell(&text));
                self.told.push(text);
            }
        }
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
