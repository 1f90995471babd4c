//! `trebuchet datagen`: games of the engine against itself, from which `tune` learns.

pub mod store;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

use crate::threads::lock;
use crate::tuning::selfplay::{Budget, NoThread, Player, on_threads, play_out, rng_of_game};
use crate::variants::{Variant, VariantId};

use store::{Record, StoreError, Writer};

/// Play games of the engine against itself, from random openings, and keep them for training.
///
/// The games are appended to the file. Started again with the same settings, it plays those that
/// are missing; how many threads play makes no difference to the games.
#[derive(Clone, Debug, clap::Args)]
pub struct DatagenArgs {
    /// The file of games, made if there is none
    out: PathBuf,
    /// The game, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// How many games the file shall have in the end
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// Nodes after which a search begins no new iteration
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many games are played at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// The number that makes one run of games differ from another
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where a variant counts something: the share of games that begin with random counts
    #[arg(long, default_value_t = 0.27, value_parser = parse_share)]
    random_counts: f64,
    /// Size of each player's transposition table in MiB
    #[arg(long, default_value_t = 4)]
    hash: usize,
}

/// Why no games could be made.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Thread(#[from] NoThread),
}

fn parse_share(text: &str) -> Result<f64, NotAShare> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or(NotAShare)
}

#[derive(Debug, thiserror::Error)]
#[error("not a number from 0 to 1")]
struct NotAShare;

/// Runs the tool.
///
/// # Errors
/// If the file cannot be used.
pub fn run(args: &DatagenArgs) -> Result<(), DatagenError> {
    for_variant!(args.variant, V => generate::<V>(args))
}

/// How the games are played.
#[derive(Clone, Debug)]
struct Settings {
    soft_nodes: u64,
    random_race_levels: f64,
    hash_mebibytes: usize,
    seed: u64,
}

/// A search breaks off at this multiple of the soft limit.
const HARD_NODES: u64 = 20;

impl Settings {
    fn player<V: Variant>(&self) -> Player<V> {
        let budget = Budget { soft: self.soft_nodes, hard: HARD_NODES * self.soft_nodes };
        Player::new(budget, self.hash_mebibytes)
    }

    /// The game with this number, which depends on it and the settings alone.
    fn play<V: Variant>(&self, player: &mut Player<V>, number: u32) -> Record {
        let mut rng = rng_of_game(self.seed, number);
        let (pos, first) = player.open(&mut rng, self.random_race_levels);
        let fen = pos.fen();
        let mut first = Some(first);
        let course = play_out(pos, |pos| first.take().or_else(|| player.consider(pos)));
        let plies = course.plies.iter().map(|verdict| (verdict.mv, verdict.score)).collect();
        Record { number, fen, winner: course.winner, plies }
    }
}

fn generate<V: Variant>(args: &DatagenArgs) -> Result<(), DatagenError> {
    let settings = Settings {
        soft_nodes: args.nodes,
        random_race_levels: args.random_counts,
        hash_mebibytes: args.hash,
        seed: args.seed,
    };
    let mut missing: BTreeSet<u32> = (0..args.games).collect();
    let mut totals = Totals::default();
    let writer = Writer::open(&args.out, V::NAME, |record| {
        missing.remove(&record.number);
        totals.add(record);
    })?;
    let bar = progress_bar(args.games, totals.games());
    let work = Mutex::new(Work { missing, writer, totals, bar });
    on_threads(args.threads, || -> Result<(), DatagenError> {
        let mut player = settings.player::<V>();
        loop {
            // Not in a `while let`, which would hold the lock through the game.
            let next = lock(&work).missing.pop_first();
            let Some(number) = next else { return Ok(()) };
            let record = settings.play(&mut player, number);
            lock(&work).keep(&record)?;
        }
    })?;
    let work = lock(&work);
    work.bar.finish_and_clear();
    println!("{}", work.totals);
    Ok(())
}

/// What the players share.
struct Work {
    missing: BTreeSet<u32>,
    writer: Writer,
    totals: Totals,
    bar: ProgressBar,
}

impl Work {
    fn keep(&mut self, record: &Record) -> Result<(), StoreError> {
        self.writer.write(record)?;
        self.totals.add(record);
        self.bar.set_position(self.totals.games());
        self.bar.set_message(format!("{} plies", self.totals.plies));
        Ok(())
    }
}

/// What has come of the games.
#[derive(Clone, Debug, Default)]
struct Totals {
    plies: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
}

impl Totals {
    fn add(&mut self, record: &Record) {
        use crate::types::Color;
        self.plies += record.plies.len() as u64;
        *match record.winner {
            Some(Color::White) => &mut self.white_wins,
            Some(Color::Black) => &mut self.black_wins,
            None => &mut self.draws,
        } += 1;
    }

    fn games(&self) -> u64 {
        self.white_wins + self.draws + self.black_wins
    }
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Totals { plies, white_wins, draws, black_wins } = self;
        write!(f, "games {} plies {plies} white {white_wins} ", self.games())?;
        write!(f, "draws {draws} black {black_wins}")
    }
}

/// Drawn on stderr, and only if that is a terminal.
fn progress_bar(games: u32, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(games.into()).with_position(done);
    let template = "{wide_bar} {pos}/{len} games, {msg}, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::variants::{Standard, ThreeCheck};

    fn settings() -> Settings {
        Settings { soft_nodes: 100, random_race_levels: 0.5, hash_mebibytes: 1, seed: 7 }
    }

    /// Plays a record's moves again; every one must be legal.
    fn replay<V: Variant>(record: &Record) -> Position<V> {
        let mut pos = Position::<V>::from_fen(&record.fen).unwrap();
        for (mv, _) in &record.plies {
            assert!(pos.legal_moves().contains(mv), "{} {mv}", pos.fen());
            pos.make_move(*mv);
        }
        pos
    }

    #[test]
    fn games_depend_on_seed_and_number_alone() {
        let settings = settings();
        let mut player = settings.player::<ThreeCheck>();
        let [first, second] = [3, 4].map(|number| settings.play(&mut player, number));
        assert_ne!(first.fen, second.fen);
        assert_eq!(settings.play(&mut settings.player::<ThreeCheck>(), 4), second);
        assert_eq!(settings.play(&mut player, 3), first);
        let other = Settings { seed: 8, ..settings.clone() };
        assert_ne!(other.play(&mut other.player::<ThreeCheck>(), 3), first);
    }

    #[test]
    fn games_are_legal_and_end_as_they_say() {
        fn check<V: Variant>() {
            let settings = settings();
            let mut player = settings.player::<V>();
            for number in 0..6 {
                let record = settings.play(&mut player, number);
                let pos = replay::<V>(&record);
                if let Some(outcome) = pos.outcome() {
                    assert_eq!(outcome.winner, record.winner, "{}", V::NAME);
                }
            }
        }
        check::<Standard>();
        check::<ThreeCheck>();
    }

    #[test]
    fn about_half_of_the_games_begin_with_counts() {
        let settings = settings();
        let mut player = settings.player::<ThreeCheck>();
        let fens: Vec<String> =
            (0..20).map(|number| settings.play(&mut player, number).fen).collect();
        let with_counts = fens.iter().filter(|fen| !fen.contains(" 3+3 ")).count();
        assert!((4..=16).contains(&with_counts), "{with_counts} of 20");
    }
}
