//! `trebuchet spsa`: tunes the constants of the search by games of the engine against itself.
//!
//! Simultaneous perturbation stochastic approximation (J. C. Spall, 1992): a pair of games between
//! the constants moved a little to one side and to the other, all at once and each at random, says
//! how to move them. The schedule of steps is Spall's.

use std::io::{self, Write};
use std::sync::Mutex;

use rand::RngExt;

use super::selfplay::{Budget, NoThread, Player, on_threads, play_out, rng_of_game};
use crate::board::Position;
use crate::search::{Param, Params, SearchRules};
use crate::threads::lock;
use crate::types::Color;
use crate::variants::{Variant, VariantId};

/// Tune the constants of the search by games of the engine against itself.
///
/// Shows the constants as it goes. Nothing is written: what comes out has to win a match first.
#[derive(Clone, Debug, clap::Args)]
pub struct SpsaArgs {
    /// The game, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// The constants to tune, separated by commas; without it, all with a wide range but those of
    /// the clock
    #[arg(long, value_delimiter = ',')]
    constants: Vec<String>,
    /// How many pairs of games are played, an opening with both colours each
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Nodes for a move
    #[arg(long, default_value_t = 2500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many pairs are played at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// The number that makes one run differ from another
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The last steps: how far, in perturbations, a pair that wins by a whole game moves each
    /// constant
    #[arg(long, default_value_t = 0.01)]
    rate: f64,
    /// Size of each player's transposition table in MiB
    #[arg(long, default_value_t = 4)]
    hash: usize,
}

/// Why nothing could be tuned.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    #[error("no such constant: {0}")]
    UnknownConstant(String),
    #[error(transparent)]
    Thread(#[from] NoThread),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If a constant is unknown, no thread can be had, or nothing can be shown.
pub fn run(args: &SpsaArgs) -> Result<(), SpsaError> {
    for_variant!(args.variant, V => {
        let climb = Climb::new(choose(&args.constants)?, &V::params(), args.pairs, args.rate);
        let climb = Mutex::new(climb);
        on_threads(args.threads, || play_pairs::<V>(args, &climb))
    })
}

/// Spall's exponents: of the steps, of the perturbations.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The share of the pairs by which the first steps are damped.
const STABILITY: f64 = 0.1;
/// The last perturbation is the width of a constant's range divided by this.
const PERTURBATION: f64 = 20.0;
/// A constant with a range narrower than this, such as a depth, is tuned only if asked for.
const WIDE: i32 = 60;
/// How often the constants are shown.
const REPORTS: u32 = 20;

/// The constants that `names` names, or those that are tuned by default.
fn choose(names: &[String]) -> Result<Vec<Param>, SpsaError> {
    let named = |name: &String| {
        let found = Params::LIST.iter().find(|param| param.name == name);
        found.copied().ok_or_else(|| SpsaError::UnknownConstant(name.clone()))
    };
    if !names.is_empty() {
        return names.iter().map(named).collect();
    }
    let is_usual =
        |param: &&Param| param.max - param.min >= WIDE && !param.name.starts_with("time_");
    Ok(Params::LIST.iter().filter(is_usual).copied().collect())
}

/// Plays pairs until there are none left.
fn play_pairs<V: Variant>(args: &SpsaArgs, climb: &Mutex<Climb>) -> Result<(), SpsaError> {
    let budget = Budget { soft: args.nodes, hard: args.nodes };
    let mut players = [(); 2].map(|()| Player::<V>::new(budget, args.hash));
    loop {
        // Not in a `while let`, which would hold the lock through the games.
        let next = lock(climb).next_pair(args.seed);
        let Some(pair) = next else { return Ok(()) };
        for (player, values) in players.iter_mut().zip(&pair.values) {
            for (name, value) in values {
                player.search_mut().set_parameter(name, *value);
            }
        }
        let mut rng = rng_of_game(args.seed, pair.number);
        let (opening, _) = players[0].open(&mut rng, 0.0);
        let result = play_pair(&mut players, &opening);
        let mut climb = lock(climb);
        climb.learn(&pair, result);
        if climb.done.is_multiple_of((climb.pairs / REPORTS).max(1)) {
            climb.show(&mut io::stdout())?;
        }
    }
}

/// The games that the first player wins, less those that the second wins.
fn play_pair<V: Variant>(players: &mut [Player<V>; 2], opening: &Position<V>) -> i32 {
    let mut game = |first: Color| {
        for player in players.iter_mut() {
            player.search_mut().clear();
        }
        let course = play_out(opening.clone(), |pos| {
            players[usize::from(pos.side_to_move() != first)].consider(pos)
        });
        course.winner.map_or(0, |winner| if winner == first { 1 } else { -1 })
    };
    game(Color::White) + game(Color::Black)
}

/// Constants on their way up.
struct Climb {
    tuned: Vec<Tuned>,
    pairs: u32,
    /// How many pairs have been begun, how many have been played.
    begun: u32,
    done: u32,
    rate: f64,
}

struct Tuned {
    param: Param,
    start: i32,
    value: f64,
}

/// A pair of games to be played.
struct Pair {
    number: u32,
    /// To which side each constant is moved for the first player.
    signs: Vec<f64>,
    /// The constants of the two players by name.
    values: [Vec<(&'static str, i32)>; 2],
}

impl Climb {
    fn new(params: Vec<Param>, start: &Params, pairs: u32, rate: f64) -> Climb {
        let tuned = |param: Param| {
            let start = start.get(param.name).unwrap_or(param.default);
            Tuned { param, start, value: f64::from(start) }
        };
        let tuned = params.into_iter().map(tuned).collect();
        Climb { tuned, pairs, begun: 0, done: 0, rate }
    }

    /// How far a constant is moved to either side in a pair, which is never less than a whole unit.
    fn perturbation(&self, param: &Param, number: u32) -> f64 {
        let last = f64::from(param.max - param.min) / PERTURBATION;
        let share = f64::from(self.pairs) / f64::from(number + 1);
        (last * share.powf(GAMMA)).max(1.0)
    }

    /// How far a pair moves a constant, in perturbations for a whole game.
    fn step(&self, number: u32) -> f64 {
        let (number, pairs) = (f64::from(number), f64::from(self.pairs));
        let damped = |number: f64| STABILITY * pairs + number + 1.0;
        self.rate * (damped(pairs) / damped(number)).powf(ALPHA)
    }

    fn next_pair(&mut self, seed: u64) -> Option<Pair> {
        let number = self.begun;
        if number == self.pairs {
            return None;
        }
        self.begun += 1;
        // Another stream than the openings'.
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

    /// Takes in how many games more the first player of a pair has won than the second.
    fn learn(&mut self, pair: &Pair, result: i32) {
        self.done += 1;
        let step = self.step(pair.number) * f64::from(result);
        for place in 0..self.tuned.len() {
            let perturbation = self.perturbation(&self.tuned[place].param, pair.number);
            let Tuned { param, value, .. } = &mut self.tuned[place];
            *value += step * perturbation * pair.signs[place];
            *value = value.clamp(f64::from(param.min), f64::from(param.max));
        }
    }

    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "pairs {} of {}", self.done, self.pairs)?;
        for Tuned { param, start, value } in &self.tuned {
            writeln!(out, "    {}: {value:.1} from {start}", param.name)?;
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SearchRules;
    use crate::variants::ThreeCheck;

    fn param(name: &'static str) -> Param {
        *Params::LIST.iter().find(|param| param.name == name).unwrap()
    }

    /// A game whose winner is who has the greater constant, less what chance adds.
    #[test]
    fn it_climbs_to_where_the_games_are_won() {
        let goal = [140.0, 60.0];
        let params = vec![param("rfp_margin"), param("futility_margin")];
        let mut climb = Climb::new(params, &Params::STANDARD, 4000, 0.01);
        let mut rng = rng_of_game(5, 5);
        while let Some(pair) = climb.next_pair(3) {
            let loss = |values: &[(&str, i32)]| -> f64 {
                let off =
                    |((_, value), goal): (&(&str, i32), &f64)| (f64::from(*value) - goal).powi(2);
                values.iter().zip(&goal).map(off).sum()
            };
            let better = loss(&pair.values[1]) - loss(&pair.values[0]);
            let chance: f64 = rng.random_range(-1.0..1.0) * 5_000.0;
            climb.learn(&pair, if better + chance > 0.0 { 1 } else { -1 });
        }
        for (tuned, goal) in climb.tuned.iter().zip(goal) {
            assert!((tuned.value - goal).abs() < 10.0, "{} {}", tuned.param.name, tuned.value);
        }
    }

    #[test]
    fn both_players_are_moved_as_far_to_opposite_sides() {
        let mut climb = Climb::new(choose(&[]).unwrap(), &ThreeCheck::params(), 10, 0.01);
        let pair = climb.next_pair(1).unwrap();
        let [first, second] = &pair.values;
        assert!(first.len() > 20);
        for ((one, other), tuned) in first.iter().zip(second).zip(&climb.tuned) {
            assert_eq!((one.0, one.0), (tuned.param.name, other.0));
            assert!((one.1 + other.1 - 2 * tuned.start).abs() <= 1, "{}", one.0);
            assert!(one.1 != other.1);
        }
    }

    #[test]
    fn a_run_of_one_thread_repeats_itself() {
        let args = SpsaArgs {
            variant: VariantId::ThreeCheck,
            constants: Vec::new(),
            pairs: 8,
            nodes: 400,
            threads: 1,
            seed: 1,
            rate: 0.02,
            hash: 1,
        };
        let tuned = || {
            let climb =
                Climb::new(choose(&[]).unwrap(), &ThreeCheck::params(), args.pairs, args.rate);
            let climb = Mutex::new(climb);
            play_pairs::<ThreeCheck>(&args, &climb).unwrap();
            let climb = climb.into_inner().unwrap();
            assert_eq!((climb.begun, climb.done), (8, 8));
            climb.tuned.iter().map(|tuned| (tuned.start, tuned.value)).collect::<Vec<_>>()
        };
        let first = tuned();
        assert!(first.iter().any(|&(start, value)| value != f64::from(start)));
        assert_eq!(first, tuned());
    }

    #[test]
    fn an_unknown_constant_is_refused() {
        let error = choose(&["rfp_margin".to_owned(), "no_such".to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), "no such constant: no_such");
    }
}
