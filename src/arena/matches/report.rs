//! The output of a match: a score line while it runs, the full result at its end.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::sprt::{Sprt, Verdict};
use super::standings::Standings;

/// Shows the progress of a match: a bar on standard error if that is a terminal, otherwise a line on
/// standard output now and then.
pub struct ProgressDisplay {
    bar: ProgressBar,
    total: u64,
    sprt: Option<Sprt>,
    last_line: Instant,
    quiet: bool,
}

/// The shortest time between two lines without a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

impl ProgressDisplay {
    /// For a match of `total` games, of which `played` were played in earlier runs.
    pub fn new(total: u64, played: u64, sprt: Option<Sprt>, quiet: bool) -> ProgressDisplay {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(4)
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:20} {pos}/{len} {elapsed} (left {eta}) {wide_msg}")
        {
            bar.set_style(style);
        }
        // Estimate the time left from the games of this run alone.
        bar.set_position(played);
        bar.reset_eta();
        ProgressDisplay { bar, total, sprt, last_line: Instant::now(), quiet }
    }

    /// Shows the score after a game.
    pub fn update(&mut self, standings: &Standings) {
        let line = score_line(standings, self.sprt.as_ref());
        self.bar.set_position(standings.games());
        if !self.quiet && !io::stderr().is_terminal() && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            // Best effort: the match goes on without a reader.
            let _ = writeln!(io::stdout(), "{}/{} {line}", standings.games(), self.total);
        }
        self.bar.set_message(line);
    }

    /// Prints a line on standard error, unless the user wants quiet.
    pub fn notice(&self, text: &str) {
        if self.quiet {
            return;
        }
        self.bar.suspend(|| {
            let _ = writeln!(io::stderr(), "{text}");
        });
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The score in one line: of two players against each other, or of the three leaders.
pub fn score_line(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut line = String::new();
    if let [score] = standings.scores.as_slice() {
        let _ = write!(line, "{} - {}: {}", standings.names[0], standings.names[1], score.tally);
        if let Some(elo) = score.pairs.elo() {
            let _ = write!(line, " Elo {elo}");
        }
        if let Some(sprt) = sprt {
            let (lower, upper) = sprt.bounds();
            let _ = write!(line, " LLR {:.2} ({lower:.2}, {upper:.2})", sprt.llr(&score.pairs));
        }
    } else {
        let places = standings.ranking().into_iter().take(3);
        let places: Vec<String> = places
            .map(|player| {
                format!(
                    "{} {:.1} %",
                    standings.names[player],
                    100.0 * standings.tally_of(player).score()
                )
            })
            .collect();
        line.push_str(&places.join(", "));
    }
    line
}

/// The full result, for people.
pub fn full(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_full(&mut text, standings, sprt);
    text
}

fn write_full(out: &mut String, standings: &Standings, sprt: Option<&Sprt>) -> std::fmt::Result {
    for (score, &(first, second)) in standings.scores.iter().zip(&standings.pairings) {
        let names = &standings.names;
        writeln!(
            out,
            "{} - {}: {} ({} games)",
            names[first],
            names[second],
            score.tally,
            score.tally.games()
        )?;
        let Some(elo) = score.pairs.elo() else { continue };
        write!(out, "  Elo {elo}")?;
        if let Some(superiority) = score.pairs.superiority() {
            write!(out, ", LOS {:.1} %", 100.0 * superiority)?;
        }
        if let Some(normalized) = score.pairs.normalized_elo() {
            write!(out, ", nElo {normalized:+.1}")?;
        }
        writeln!(out, "\n  Pairs {} of {}", score.pairs, score.pairs.pairs())?;
        if let Some(sprt) = sprt {
            let (lower, upper) = sprt.bounds();
            let (llr, verdict) = (sprt.llr(&score.pairs), sprt.verdict(&score.pairs));
            writeln!(out, "  SPRT {sprt}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {verdict}")?;
        }
    }
    if standings.names.len() > 2 {
        write_table(out, standings)?;
    }
    let white = standings.white;
    writeln!(
        out,
        "White scores {:.1} %, {:.1} % draws",
        100.0 * white.score(),
        100.0 * white.draws as f64 / white.games().max(1) as f64
    )?;
    for player in 0..standings.names.len() {
        let forfeits = standings.forfeits_of(player);
        if !forfeits.is_empty() {
            let forfeits: Vec<String> =
                forfeits.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
            writeln!(out, "{}: {}", standings.names[player], forfeits.join(", "))?;
        }
    }
    Ok(())
}

fn write_table(out: &mut String, standings: &Standings) -> std::fmt::Result {
    let width = standings.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (place, player) in standings.ranking().into_iter().enumerate() {
        let tally = standings.tally_of(player);
        writeln!(
            out,
            "{:3}. {:width$} {tally} ({} games)",
            place + 1,
            standings.names[player],
            tally.games()
        )?;
    }
    Ok(())
}

/// The state of the test of the first pairing, the only one in a match with a test.
pub fn verdict(standings: &Standings, sprt: &Sprt) -> Verdict {
    standings.scores.first().map_or(Verdict::Open, |score| sprt.verdict(&score.pairs))
}
