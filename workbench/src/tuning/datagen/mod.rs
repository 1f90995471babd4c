//! `trebuchet datagen`: plays games of the engine against itself: the data of `train` and `tune`.

pub(crate) mod store;

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

use crate::parallel::{ThreadError, on_threads};
use crate::tuning::numbers::{nodes, read_share};
use crate::tuning::selfplay::{
    Adjudication, NoOpening, NodeLimits, Openings, SelfPlayer, play_out, rng_of_game,
};
use trebuchet::args::{hash, threads};
use trebuchet::board::Position;
use trebuchet::for_variant;
use trebuchet::threads::lock;
use trebuchet::types::{Color, Score};
use trebuchet::variants::{Variant, VariantId};

use store::{Continuation, Description, GameWriter, StoreError, StoredGame};

/// Play games of the engine against itself from random openings, and save them for training.
///
/// A game begins with five to nine random plies without blunders, and ends by the rules or when its result is
/// clear by the scores.
///
/// Games are appended to the file. Started again with the same settings, it plays the missing games.
/// The number of threads does not change the games. A file that is damaged, or was begun with other
/// settings or another engine, is refused and not changed.
#[derive(Clone, Debug, clap::Args)]
pub struct DatagenArgs {
    /// The file of games; created if it does not exist
    out: PathBuf,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// How many games the file has in the end
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Nodes after which a search begins no new iteration
    #[arg(long, default_value_t = 1000, value_parser = nodes())]
    nodes: u64,
    /// How many games to play at the same time
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// The seed of the random openings
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The share of games, 0 to 1, that begin with random counts, in variants that count something
    #[arg(long, default_value_t = 0.27, value_parser = read_share)]
    random_counts: f64,
    /// The greatest score in centipawns that either side may have after each random ply
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u16).range(10..=3000))]
    opening_score: u16,
    /// Nodes of the search that finds this score
    #[arg(long, default_value_t = 100, value_parser = nodes())]
    opening_nodes: u64,
    /// The score in centipawns with which a side has won after --win-plies plies
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u16).range(100..=30_000))]
    win_score: u16,
    /// How many plies in a row, by the moves of both sides, a side needs --win-score
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    win_plies: u32,
    /// In variants with drawn endgames, the greatest score in centipawns that counts as even
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=1000))]
    draw_score: u16,
    /// After how many even plies in a row the game is drawn, from ply 80 on or with at most eight pieces
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    draw_plies: u32,
    /// The size of each thread's transposition table in MiB
    #[arg(long, default_value_t = 4, value_parser = hash())]
    hash: u32,
    /// Continue a file that was begun with other settings or another engine
    #[arg(long)]
    mix: bool,
    /// Continue a damaged file: keep the damage, but do not count it as games
    #[arg(long)]
    skip_damage: bool,
}

/// Why the games could not be played.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "{path}: this engine plays game {number} in another way: another one began the file \
         (--mix continues it anyway)"
    )]
    OtherEngine { path: PathBuf, number: u32 },
    #[error("{0}: a greater --opening-score allows more")]
    Opening(#[from] NoOpening),
    #[error(transparent)]
    Thread(#[from] ThreadError),
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If the file cannot be used or continued, no openings are found, a thread fails, or standard output is closed.
pub fn run(args: &DatagenArgs) -> Result<(), DatagenError> {
    for_variant!(args.variant, V => generate::<V>(args, &mut io::stdout(), &mut io::stderr()))
}

/// The settings on which the games depend, besides their numbers.
#[derive(Clone, Debug)]
struct GameSettings {
    soft_nodes: u64,
    openings: Openings,
    adjudication: Adjudication,
    hash_mebibytes: usize,
    seed: u64,
}

impl GameSettings {
    /// The header of a file of these games.
    fn description<V: Variant>(&self) -> Description {
        let mut settings = vec![
            ("engine", env!("CARGO_PKG_VERSION").to_owned()),
            ("seed", self.seed.to_string()),
            ("nodes", self.soft_nodes.to_string()),
            ("hash", self.hash_mebibytes.to_string()),
            ("opening-score", self.openings.most.value().to_string()),
            ("opening-nodes", self.openings.nodes.to_string()),
            ("win-score", self.adjudication.win_score.value().to_string()),
            ("win-plies", self.adjudication.win_plies.to_string()),
        ];
        if V::HAS_DRAWN_ENDGAMES {
            settings.push(("draw-score", self.adjudication.draw_score.value().to_string()));
            settings.push(("draw-plies", self.adjudication.draw_plies.to_string()));
        }
        if V::RACE_LEVELS > 1 {
            settings.push(("random-counts", self.openings.random_race_levels.to_string()));
        }
        let settings = settings.into_iter().map(|(name, value)| (name.to_owned(), value));
        Description { variant: V::NAME.to_owned(), settings: settings.collect() }
    }

    fn player<V: Variant>(&self) -> SelfPlayer<V> {
        let limits = NodeLimits::from_soft(self.soft_nodes);
        SelfPlayer::teacher(limits, self.hash_mebibytes)
    }

    /// Plays the game with this number. It depends only on the number and the settings.
    fn play<V: Variant>(
        &self,
        player: &mut SelfPlayer<V>,
        number: u32,
    ) -> Result<StoredGame, NoOpening> {
        let mut rng = rng_of_game(self.seed, number);
        let (pos, first) = player.open(&mut rng, &self.openings)?;
        let fen = pos.fen();
        let mut first = Some(first);
        let choose = |pos: &Position<V>| first.take().or_else(|| player.choose(pos));
        let record = play_out(pos, self.adjudication, choose);
        Ok(StoredGame { number, fen, winner: record.winner, moves: record.moves })
    }
}

/// Plays the missing games. Prints the totals to `out` and warnings to `warnings`.
fn generate<V: Variant>(
    args: &DatagenArgs,
    out: &mut dyn Write,
    warnings: &mut dyn Write,
) -> Result<(), DatagenError> {
    let settings = GameSettings {
        soft_nodes: args.nodes,
        openings: Openings {
            nodes: args.opening_nodes,
            most: Score::cp(args.opening_score.into()),
            random_race_levels: args.random_counts,
        },
        adjudication: Adjudication {
            win_score: Score::cp(args.win_score.into()),
            win_plies: args.win_plies,
            draw_score: Score::cp(args.draw_score.into()),
            draw_plies: args.draw_plies,
        },
        hash_mebibytes: args.hash as usize,
        seed: args.seed,
    };
    let mut missing = Missing { numbers: 0..args.games, played: HashSet::new() };
    let mut totals = Totals::default();
    let mut first = None;
    let allowed = Continuation { mixes_settings: args.mix, skips_damage: args.skip_damage };
    let description = settings.description::<V>();
    let writer = GameWriter::open(&args.out, V::NAME, &description, allowed, &mut |game| {
        missing.played.insert(game.number);
        totals.add(game);
        first.get_or_insert_with(|| game.clone());
    })?;
    // Another build of the engine may have the same version, but play other games.
    if let Some(game) = first.filter(|_| !args.mix)
        && settings.play(&mut settings.player::<V>(), game.number)? != game
    {
        return Err(DatagenError::OtherEngine { path: args.out.clone(), number: game.number });
    }
    for gap in writer.gaps() {
        // Best effort: the games are played even if nothing can be shown.
        let _ = writeln!(warnings, "{}: {gap}", args.out.display());
    }
    let bar = progress_bar(args.games, totals.games());
    let work = Mutex::new(Work { missing, writer, totals, bar });
    let play = || -> Result<(), DatagenError> {
        let mut player = settings.player::<V>();
        loop {
            // Not `while let`, which would hold the lock during the game.
            let next = lock(&work).missing.next();
            let Some(number) = next else { return Ok(()) };
            let game = settings.play(&mut player, number)?;
            lock(&work).save(&game)?;
        }
    };
    // After an error all threads end, so that an unattended run tells of it.
    on_threads(args.threads, &|| play().inspect_err(|_| lock(&work).missing.stop()))?;
    let work = lock(&work);
    work.bar.finish_and_clear();
    writeln!(out, "{}", work.totals).and_then(|()| out.flush()).map_err(DatagenError::Output)
}

/// The numbers of the games to play, in order.
struct Missing {
    /// All numbers that are left.
    numbers: Range<u32>,
    /// The numbers of the games that the file has.
    played: HashSet<u32>,
}

impl Missing {
    /// No more games begin.
    fn stop(&mut self) {
        self.numbers = 0..0;
    }
}

impl Iterator for Missing {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.numbers.find(|number| !self.played.contains(number))
    }
}

/// What the threads share.
struct Work {
    missing: Missing,
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
mod tests;
