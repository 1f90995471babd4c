//! How far an analysis is, for the person at the terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::analysis::Step;

/// A bar on standard error, shown only if that is a terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar for so many of these things.
    pub fn new(things: &str) -> Bar {
        let bar = ProgressBar::new(0);
        let template = format!("{{wide_bar}} {{pos}}/{{len}} {things}, {{eta}} left");
        Bar(match ProgressStyle::with_template(&template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        })
    }

    pub fn step(&mut self, step: Step) {
        match step {
            Step::Begin(done, total) => {
                self.0.set_length(total as u64);
                self.0.set_position(done as u64);
                // What an earlier run has found took no time.
                self.0.reset_eta();
                self.0.enable_steady_tick(Duration::from_millis(500));
            }
            Step::Searched => self.0.inc(1),
            Step::Notice(_) => {}
        }
    }
    /// Takes the bar away while something else is said.
    pub fn suspend(&self, say: impl FnOnce()) {
        self.0.suspend(say);
    }

    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
