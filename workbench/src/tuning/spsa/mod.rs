//! `trebuchet spsa`: tunes the constants of the search by games of the engine against itself.

mod algorithm;

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

use super::numbers::{nodes, read_rate};
use super::selfplay::{
    Adjudication, NoOpening, NodeLimits, Openings, SelfPlayer, play_out, rng_of_game,
};
use crate::parallel::{ThreadError, on_threads};
use trebuchet::args::{hash, threads};
use trebuchet::board::Position;
use trebuchet::for_variant;
use trebuchet::search::{Param, Params, SearchRules};
use trebuchet::threads::lock;
use trebuchet::types::Color;
use trebuchet::variants::{Variant, VariantId};

use algorithm::{Spsa, StateError};

/// Tune the constants of the search by games of the engine against itself.
///
/// Prints the constants now and then. It changes no file but --state: test new constants in a match first.
#[derive(Clone, Debug, clap::Args)]
pub struct SpsaArgs {
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// The constants to tune, separated by commas; by default all but those of the clock. A test tells
    /// more with at most twelve
    #[arg(long, value_delimiter = ',')]
    constants: Vec<String>,
    /// How many pairs of games to play; a pair is one opening with both colours
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    pairs: u32,
    /// Nodes for each move
    #[arg(long, default_value_t = 2500, value_parser = nodes())]
    nodes: u64,
    /// How many pairs to play at the same time
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// The seed of openings and perturbations
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The learning rate at the end: the size of a step, in perturbations for each game that a pair wins
    #[arg(long, default_value_t = 0.01, value_parser = read_rate)]
    rate: f64,
    /// The size of each player's transposition table in MiB
    #[arg(long, default_value_t = 4, value_parser = hash())]
    hash: u32,
    /// Keep the constants in this file after each pair; the same command then goes on from there
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

/// Why the constants could not be tuned.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    #[error("unknown constant: {0}; known: {known}", known = known_constants())]
    UnknownConstant(String),
    #[error("the constant {0} is named twice")]
    Repeated(String),
    #[error("{0} is a constant of the clock, and games by nodes have none")]
    OfClock(String),
    #[error("{0}: {1}")]
    State(PathBuf, StateError),
    #[error(transparent)]
    Opening(#[from] NoOpening),
    #[error(transparent)]
    Thread(#[from] ThreadError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If a constant cannot be tuned, the state cannot be used, no openings are found, a thread fails, or standard
/// output is closed.
pub fn run(args: &SpsaArgs) -> Result<(), SpsaError> {
    for_variant!(args.variant, V => {
        let mut spsa = Spsa::new(choose(&args.constants)?, &V::params(), args.pairs, args.rate);
        if let Some(path) = &args.state {
            spsa.resume(path, &args.key()).map_err(|error| SpsaError::State(path.clone(), error))?;
        }
        if spsa.done() > 0 {
            spsa.show(&mut io::stdout())?;
        }
        let spsa = Mutex::new(spsa);
        // After an error all threads end, so that an unattended run tells of it.
        let play = || play_pairs::<V>(args, &spsa).inspect_err(|_| lock(&spsa).stop());
        on_threads(args.threads, &play)
    })
}

impl SpsaArgs {
    /// What a run must have in common with the one that it continues.
    fn key(&self) -> String {
        let SpsaArgs { variant, pairs, nodes, seed, rate, hash, .. } = self;
        format!(
            "{} pairs {pairs} nodes {nodes} seed {seed} rate {rate} hash {hash} steps a/c",
            variant.name()
        )
    }
}

/// How many times a run prints the constants before its end.
const REPORTS: u32 = 20;

/// Are the constants printed after this many of all pairs?
fn is_report_due(done: u32, pairs: u32) -> bool {
    done.is_multiple_of((pairs / REPORTS).max(1)) || done == pairs
}

/// The names of the constants that can be tuned, with blanks between them.
fn known_constants() -> String {
    let names: Vec<&str> = tunable().map(|param| param.name).collect();
    names.join(" ")
}

/// All constants but those of the clock.
fn tunable() -> impl Iterator<Item = &'static Param> {
    Params::LIST.iter().filter(|param| !is_of_clock(param))
}

fn is_of_clock(param: &Param) -> bool {
    ["time_", "clock_"].iter().any(|start| param.name.starts_with(start))
}

/// The named constants, or the default ones.
fn choose(names: &[String]) -> Result<Vec<Param>, SpsaError> {
    let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
    let named = |(number, &name): (usize, &&str)| {
        let found = Params::LIST.iter().find(|param| param.name == name);
        match found {
            None => Err(SpsaError::UnknownConstant(name.to_owned())),
            Some(param) if is_of_clock(param) => Err(SpsaError::OfClock(name.to_owned())),
            Some(_) if names[..number].contains(&name) => Err(SpsaError::Repeated(name.to_owned())),
            Some(param) => Ok(*param),
        }
    };
    if !names.is_empty() {
        return names.iter().enumerate().map(named).collect();
    }
    Ok(tunable().copied().collect())
}

/// Plays pairs until all have been played.
fn play_pairs<V: Variant>(args: &SpsaArgs, spsa: &Mutex<Spsa>) -> Result<(), SpsaError> {
    let limits = NodeLimits { soft: args.nodes, hard: args.nodes };
    let mut players = [(); 2].map(|()| SelfPlayer::<V>::new(limits, args.hash as usize));
    loop {
        // Not `while let`, which would hold the lock during the games.
        let next = lock(spsa).next_pair(args.seed);
        let Some(pair) = next else { return Ok(()) };
        for (player, values) in players.iter_mut().zip(&pair.values) {
            for (name, value) in values {
                player.search_mut().set_parameter(name, *value);
            }
        }
        let mut rng = rng_of_game(args.seed, pair.number);
        let (opening, _) = players[0].open(&mut rng, &Openings::default())?;
        let result = play_pair(&mut players, &opening);
        let mut spsa = lock(spsa);
        spsa.learn(&pair, result);
        if let Some(path) = &args.state {
            let kept = spsa.keep(&args.key());
            kept.map_err(|error| SpsaError::State(path.clone(), StateError::File(error)))?;
        }
        if is_report_due(spsa.done(), args.pairs) {
            spsa.show(&mut io::stdout())?;
        }
    }
}

/// The number of games that the first player wins, minus those that the second wins.
fn play_pair<V: Variant>(players: &mut [SelfPlayer<V>; 2], opening: &Position<V>) -> i32 {
    let mut game = |first: Color| {
        for player in players.iter_mut() {
            player.search_mut().clear();
        }
        let record = play_out(opening.clone(), Adjudication::default(), |pos| {
            players[usize::from(pos.side_to_move() != first)].choose(pos)
        });
        record.winner.map_or(0, |winner| if winner == first { 1 } else { -1 })
    };
    game(Color::White) + game(Color::Black)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use trebuchet::search::SearchRules;
    use trebuchet::variants::ThreeCheck;

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
            state: None,
        };
        let tuned = || {
            let spsa =
                Spsa::new(choose(&[]).unwrap(), &ThreeCheck::params(), args.pairs, args.rate);
            let spsa = Mutex::new(spsa);
            play_pairs::<ThreeCheck>(&args, &spsa).unwrap();
            let spsa = spsa.into_inner().unwrap();
            assert_eq!(spsa.done(), 8);
            spsa.values()
        };
        let first = tuned();
        let start = ThreeCheck::params();
        let is_moved = |(name, value): &(&str, f64)| start.get(name).map(f64::from) != Some(*value);
        assert!(first.iter().any(is_moved));
        assert_eq!(first, tuned());
    }

    #[test]
    fn a_run_prints_its_last_constants() {
        let reports: Vec<u32> = (1..=90).filter(|&done| is_report_due(done, 90)).collect();
        assert_eq!((reports[..3].to_vec(), reports[21..].to_vec()), (vec![4, 8, 12], vec![88, 90]));
    }

    #[test]
    fn nonsense_is_refused() {
        #[derive(Debug, clap::Parser)]
        struct Cli {
            #[command(flatten)]
            _args: SpsaArgs,
        }

        for option in ["--rate=nan", "--rate=inf", "--rate=0", "--rate=-1", "--hash=0", "--nodes=0"]
        {
            assert!(Cli::try_parse_from(["spsa", option]).is_err(), "{option}");
        }
    }

    #[test]
    fn constants_that_cannot_be_tuned_are_refused() {
        for (names, message) in [
            ("rfp_margin no_such", "unknown constant: no_such; known: aspiration_depth "),
            ("rfp_margin futility_margin rfp_margin", "the constant rfp_margin is named twice"),
            ("clock_soft", "clock_soft is a constant of the clock, and games by nodes have none"),
            ("time_share", "time_share is a constant of the clock, and games by nodes have none"),
        ] {
            let names: Vec<String> = names.split(' ').map(str::to_owned).collect();
            let error = choose(&names).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let named = choose(&["rfp_margin".to_owned(), " lmr_check".to_owned()]).unwrap();
        assert_eq!(
            named.iter().map(|param| param.name).collect::<Vec<_>>(),
            ["rfp_margin", "lmr_check"]
        );
        assert!(!choose(&[]).unwrap().iter().any(|param| param.name == "clock_soft"));
    }
}
