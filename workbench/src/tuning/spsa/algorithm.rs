//! Simultaneous perturbation stochastic approximation (SPSA; J. C. Spall, 1992).
//!
//! Each pair of games is played between the constants moved a little in one direction, at random for
//! each constant, and moved in the opposite direction. Its result says how to move the constants. The
//! schedule of steps is Spall's.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::files::{HeldFile, MAX_SETTINGS};
use crate::tuning::selfplay::rng_of_game;
use trebuchet::search::{Param, Params};

/// Spall's exponents for the steps and for the perturbations.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Spall's stability constant, as a share of the pairs: it damps the first steps.
const STABILITY: f64 = 0.1;
/// The last perturbation is the width of a constant's range divided by this.
const PERTURBATION: f64 = 20.0;

/// The constants in the course of a run.
pub struct Spsa {
    tuned: Vec<Tuned>,
    pairs: u32,
    /// How many pairs have been started, and how many have ended.
    started: u32,
    done: u32,
    /// The learning rate at the end, in perturbations for a game won.
    rate: f64,
    /// Where the run is kept.
    file: Option<HeldFile>,
}

struct Tuned {
    param: Param,
    start: i32,
    value: f64,
}

/// A run as it is kept in a file.
#[derive(Serialize, Deserialize)]
struct State {
    /// The settings of the run.
    settings: String,
    /// How many pairs have ended.
    done: u32,
    constants: BTreeMap<String, f64>,
}

/// Why a run cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error(transparent)]
    File(#[from] io::Error),
    #[error("not the state of a run: {0}")]
    Damaged(#[from] serde_json::Error),
    #[error("the state of a run with other settings: {0}")]
    OtherSettings(String),
    #[error("the state of a run with other constants")]
    OtherConstants,
}

/// A pair of games to be played.
pub struct Pair {
    pub number: u32,
    /// 1 or -1: the direction in which each constant is moved for the first player.
    signs: Vec<f64>,
    /// The constants of the two players by name.
    pub values: [Vec<(&'static str, i32)>; 2],
}

impl Spsa {
    pub fn new(params: Vec<Param>, start: &Params, pairs: u32, rate: f64) -> Spsa {
        let tuned = |param: Param| {
            let start = start.get(param.name).unwrap_or(param.default);
            Tuned { param, start, value: f64::from(start) }
        };
        let tuned = params.into_iter().map(tuned).collect();
        Spsa { tuned, pairs, started: 0, done: 0, rate, file: None }
    }

    /// Goes on with the run that the file keeps, if there is one, and keeps it there from now on. It begins after as
    /// many pairs as had ended: with one thread, the pair that was under way is played again. With several threads, the
    /// pairs that had ended may be others than the first ones; then some are played twice, and as many not at all.
    ///
    /// # Errors
    /// If the file cannot be used, keeps another run, or another process uses it.
    pub fn resume(&mut self, path: &Path, settings: &str) -> Result<(), StateError> {
        let file = HeldFile::open(path)?;
        let text = file.read_text(MAX_SETTINGS)?;
        if !text.is_empty() {
            self.go_on(&text, settings)?;
        }
        self.file = Some(file);
        Ok(self.keep(settings)?)
    }

    /// Goes on with a run of these settings.
    fn go_on(&mut self, text: &str, settings: &str) -> Result<(), StateError> {
        let state: State = serde_json::from_str(text)?;
        if state.settings != settings {
            return Err(StateError::OtherSettings(state.settings));
        }
        let has_all = self.tuned.iter().all(|tuned| state.constants.contains_key(tuned.param.name));
        if !has_all || state.constants.len() != self.tuned.len() {
            return Err(StateError::OtherConstants);
        }
        for tuned in &mut self.tuned {
            tuned.value = state.constants[tuned.param.name];
        }
        (self.started, self.done) = (state.done, state.done);
        Ok(())
    }

    /// Writes the run into its file, if it has one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&mut self, settings: &str) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let constants = self.tuned.iter().map(|tuned| (tuned.param.name.to_owned(), tuned.value));
        let state = State {
            settings: settings.to_owned(),
            done: self.done,
            constants: constants.collect(),
        };
        file.replace(&serde_json::to_vec_pretty(&state)?)
    }

    /// How far a pair moves a constant to either side: at least one unit.
    fn perturbation(&self, param: &Param, number: u32) -> f64 {
        let share = f64::from(self.pairs) / f64::from(number + 1);
        (last_perturbation(param) * share.powf(GAMMA)).max(1.0)
    }

    /// The step after a pair for each game won, in last perturbations, if the pair has the last perturbation. A
    /// greater perturbation makes the step smaller, as it is divided by it.
    fn step(&self, number: u32) -> f64 {
        let (number, pairs) = (f64::from(number), f64::from(self.pairs));
        let damped = |number: f64| STABILITY * pairs + number + 1.0;
        self.rate * (damped(pairs) / damped(number)).powf(ALPHA)
    }

    /// The next pair to play; `None` when all have been started.
    pub fn next_pair(&mut self, seed: u64) -> Option<Pair> {
        let number = self.started;
        if number >= self.pairs {
            return None;
        }
        self.started += 1;
        // Not the stream of the openings.
        let mut rng = rng_of_game(!seed, number);
        let signs: Vec<f64> =
            self.tuned.iter().map(|_| if rng.random_bool(0.5) { 1.0 } else { -1.0 }).collect();
        let moved = |side: f64| {
            let value = |(tuned, sign): (&Tuned, &f64)| {
                let moved = tuned.value + side * sign * self.perturbation(&tuned.param, number);
                (tuned.param.name, moved.round() as i32)
            };
            self.tuned.iter().zip(&signs).map(value).collect()
        };
        Some(Pair { number, values: [moved(1.0), moved(-1.0)], signs })
    }

    /// No more pairs begin.
    pub fn stop(&mut self) {
        self.started = self.pairs;
    }

    /// Moves the constants after a pair. `result` is the number of games that the first player has won,
    /// minus those that the second has won.
    pub fn learn(&mut self, pair: &Pair, result: i32) {
        self.done += 1;
        let step = self.step(pair.number) * f64::from(result);
        for place in 0..self.tuned.len() {
            let perturbation = self.perturbation(&self.tuned[place].param, pair.number);
            let Tuned { param, value, .. } = &mut self.tuned[place];
            *value += step * last_perturbation(param).powi(2) / perturbation * pair.signs[place];
            *value = value.clamp(f64::from(param.min), f64::from(param.max));
        }
    }

    /// How many pairs have ended.
    pub fn done(&self) -> u32 {
        self.done
    }

    /// Prints the constants.
    pub fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "pairs {} of {}", self.done, self.pairs)?;
        for Tuned { param, start, value } in &self.tuned {
            writeln!(out, "    {}: {value:.1} from {start}", param.name)?;
        }
        out.flush()
    }

    /// The constants by name.
    #[cfg(test)]
    pub fn values(&self) -> Vec<(&'static str, f64)> {
        self.tuned.iter().map(|tuned| (tuned.param.name, tuned.value)).collect()
    }
}

/// How far the last pair moves a constant to either side: at least one unit.
fn last_perturbation(param: &Param) -> f64 {
    (f64::from(param.max - param.min) / PERTURBATION).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::search::SearchRules;

    #[test]
    fn a_run_goes_on_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let new = || Spsa::new(Params::LIST[..2].to_vec(), &Params::STANDARD, 100, 0.1);
        let mut first = new();
        first.resume(&path, "settings").unwrap();
        for _ in 0..3 {
            let pair = first.next_pair(7).unwrap();
            first.learn(&pair, 2);
        }
        // Under way when the run is killed.
        let lost = first.next_pair(7).unwrap();
        first.keep("settings").unwrap();
        let values = first.values();
        drop(first);
        let mut second = new();
        second.resume(&path, "settings").unwrap();
        assert_eq!((second.done(), second.values()), (3, values));
        let again = second.next_pair(7).unwrap();
        assert_eq!((again.number, again.values), (lost.number, lost.values));
        drop(second);
        let refused = |spsa: &mut Spsa, settings| spsa.resume(&path, settings).unwrap_err();
        assert!(matches!(refused(&mut new(), "others"), StateError::OtherSettings(_)));
        let mut other = Spsa::new(Params::LIST[..3].to_vec(), &Params::STANDARD, 100, 0.1);
        assert!(matches!(refused(&mut other, "settings"), StateError::OtherConstants));
        std::fs::write(&path, "{}").unwrap();
        assert!(matches!(refused(&mut new(), "settings"), StateError::Damaged(_)));
    }

    #[test]
    fn a_run_with_too_many_pairs_has_ended() {
        let mut spsa = Spsa::new(Params::LIST[..2].to_vec(), &Params::STANDARD, 100, 0.1);
        spsa.started = 101;
        assert!(spsa.next_pair(7).is_none());
    }

    use trebuchet::variants::ThreeCheck;

    fn param(name: &'static str) -> Param {
        *Params::LIST.iter().find(|param| param.name == name).unwrap()
    }

    /// The player whose constants are closer to a goal wins more often.
    #[test]
    fn it_finds_the_constants_that_win() {
        let goal = [140.0, 60.0];
        let params = vec![param("rfp_margin"), param("futility_margin")];
        let mut spsa = Spsa::new(params, &Params::STANDARD, 4000, 0.01);
        let mut rng = rng_of_game(5, 5);
        while let Some(pair) = spsa.next_pair(3) {
            let loss = |values: &[(&str, i32)]| -> f64 {
                let off =
                    |((_, value), goal): (&(&str, i32), &f64)| (f64::from(*value) - goal).powi(2);
                values.iter().zip(&goal).map(off).sum()
            };
            let better = loss(&pair.values[1]) - loss(&pair.values[0]);
            let chance: f64 = rng.random_range(-1.0..1.0) * 5_000.0;
            spsa.learn(&pair, if better + chance > 0.0 { 1 } else { -1 });
        }
        for (tuned, goal) in spsa.tuned.iter().zip(goal) {
            assert!((tuned.value - goal).abs() < 10.0, "{} {}", tuned.param.name, tuned.value);
        }
    }

    /// A step is the result divided by the perturbation, times the rate of this pair.
    #[test]
    fn steps_are_those_of_spall() {
        let param = param("futility_margin");
        let mut spsa = Spsa::new(vec![param], &Params::STANDARD, 1000, 0.01);
        let start = spsa.tuned[0].value;
        let pair = spsa.next_pair(1).unwrap();
        spsa.learn(&pair, 1);
        let moved = (spsa.tuned[0].value - start) * pair.signs[0];
        let last = f64::from(param.max - param.min) / 20.0;
        let (rate, perturbation) = (0.01 * (1101.0_f64 / 101.0).powf(0.602), 1000_f64.powf(0.101));
        assert!((moved - rate * last / perturbation).abs() < 1e-9, "{moved}");
    }

    #[test]
    fn both_players_are_moved_equally_far_in_opposite_directions() {
        let mut spsa = Spsa::new(Params::LIST.to_vec(), &ThreeCheck::params(), 10, 0.01);
        let pair = spsa.next_pair(1).unwrap();
        let [first, second] = &pair.values;
        assert!(first.len() > 20);
        for ((one, other), tuned) in first.iter().zip(second).zip(&spsa.tuned) {
            assert_eq!((one.0, one.0), (tuned.param.name, other.0));
            assert!((one.1 + other.1 - 2 * tuned.start).abs() <= 1, "{}", one.0);
            assert!(one.1 != other.1);
        }
    }
}
