//! `trebuchet datagen`: plays games of the engine against itself, the training data of `tune`.

pub mod store;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

use crate::threads::lock;
use crate::tuning::selfplay::{
    NoThread, NodeLimits, SelfPlayer, on_threads, play_out, rng_of_game,
};
use crate::types::Color;
use crate::variants::{Variant, VariantId};

use store::{GameWriter, StoreError, StoredGame};

/// Play games of the engine against itself from random openings, and save them for training.
///
/// Games are appended to the file. Started again with the same settings, it plays the missing games.
/// The number of threads does not change the games.
#[derive(Clone, Debug, clap::Args)]
pub struct DatagenArgs {
    /// The file of games; created if it does not exist
    out: PathBuf,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// How many games the file has in the end
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// Nodes after which a search begins no new iteration
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many games to play at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// The seed of the random openings
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The share of games, 0 to 1, that begin with random counts, in variants that count something
    #[arg(long, default_value_t = 0.27, value_parser = parse_share)]
    random_counts: f64,
    /// The size of each thread's transposition table in MiB
    #[arg(long, default_value_t = 4)]
    hash: usize,
}

/// Why the games could not be played.
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
/// If the file cannot be used, or a thread cannot be started.
pub fn run(args: &DatagenArgs) -> Result<(), DatagenError> {
    for_variant!(args.variant, V => generate::<V>(args))
}

/// The settings on which the games depend, besides their numbers.
#[derive(Clone, Debug)]
struct GameSettings {
    soft_nodes: u64,
    random_race_levels: f64,
    hash_mebibytes: usize,
    seed: u64,
}

/// The hard limit of nodes is this multiple of the soft one.
const HARD_NODES: u64 = 20;

impl GameSettings {
    fn player<V: Variant>(&self) -> SelfPlayer<V> {
        let limits = NodeLimits { soft: self.soft_nodes, hard: HARD_NODES * self.soft_nodes };
        SelfPlayer::new(limits, self.hash_mebibytes)
    }

    /// Plays the game with this number. It depends only on the number and the settings.
    fn play<V: Variant>(&self, player: &mut SelfPlayer<V>, number: u32) -> StoredGame {
        let mut rng = rng_of_game(self.seed, number);
        let (pos, first) = player.open(&mut rng, self.random_race_levels);
        let fen = pos.fen();
        let mut first = Some(first);
        let record = play_out(pos, |pos| first.take().or_else(|| player.choose(pos)));
        StoredGame { number, fen, winner: record.winner, moves: record.moves }
    }
}

fn generate<V: Variant>(args: &DatagenArgs) -> Result<(), DatagenError> {
    let settings = GameSettings {
        soft_nodes: args.nodes,
        random_race_levels: args.random_counts,
        hash_mebibytes: args.hash,
        seed: args.seed,
    };
    let mut missing: BTreeSet<u32> = (0..args.games).collect();
    let mut totals = Totals::default();
    let writer = GameWriter::open(&args.out, V::NAME, |game| {
        missing.remove(&game.number);
        totals.add(game);
    })?;
    let bar = progress_bar(args.games, totals.games());
    let work = Mutex::new(Work { missing, writer, totals, bar });
    on_threads(args.threads, || -> Result<(), DatagenError> {
        let mut player = settings.player::<V>();
        loop {
            // Not `while let`, which would hold the lock during the game.
            let next = lock(&work).missing.pop_first();
            let Some(number) = next else { return Ok(()) };
            let game = settings.play(&mut player, number);
            lock(&work).save(&game)?;
        }
    })?;
    let work = lock(&work);
    work.bar.finish_and_clear();
    println!("{}", work.totals);
    Ok(())
}

/// What the threads share.
struct Work {
    missing: BTreeSet<u32>,
    writer: GameWriter,
    totals: Totals,
    bar: ProgressBar,
}

impl Work {
    fn save(&mut self, game: &StoredGame) -> Result<(), StoreError> {
        self.writer.write(game)?;
        self.totals.add(game);
        self.bar.set_position(self.totals.games());
        self.bar.set_message(format!("{} plies", self.totals.plies));
        Ok(())
    }
}

/// How many games the file has, and their results.
#[derive(Clone, Debug, Default)]
struct Totals {
    plies: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
}

impl Totals {
    fn add(&mut self, game: &StoredGame) {
        self.plies += game.moves.len() as u64;
        *match game.winner {
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

/// A bar on standard error, shown only if that is a terminal.
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
    use crate::tuning::selfplay::ScoredMove;
    use crate::variants::{Standard, ThreeCheck};

    fn settings() -> GameSettings {
        GameSettings { soft_nodes: 100, random_race_levels: 0.5, hash_mebibytes: 1, seed: 7 }
    }

    /// Plays the moves of a game, which must be legal.
    fn replay<V: Variant>(game: &StoredGame) -> Position<V> {
        let mut pos = Position::<V>::from_fen(&game.fen).unwrap();
        for ScoredMove { mv, .. } in &game.moves {
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
        let other = GameSettings { seed: 8, ..settings.clone() };
        assert_ne!(other.play(&mut other.player::<ThreeCheck>(), 3), first);
    }

    #[test]
    fn games_are_legal_and_end_as_they_say() {
        fn check<V: Variant>() {
            let settings = settings();
            let mut player = settings.player::<V>();
            for number in 0..6 {
                let game = settings.play(&mut player, number);
                let pos = replay::<V>(&game);
                if let Some(outcome) = pos.outcome() {
                    assert_eq!(outcome.winner, game.winner, "{}", V::NAME);
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
