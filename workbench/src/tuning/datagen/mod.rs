//! `trebuchet datagen`: plays games of the engine against itself: the data of `train` and `tune`.

pub mod store;

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

use crate::tuning::numbers::{nodes, read_share};
use crate::tuning::parallel::{ThreadError, on_threads};
use crate::tuning::selfplay::{NodeLimits, SelfPlayer, play_out, rng_of_game};
use trebuchet::args::{hash, threads};
use trebuchet::for_variant;
use trebuchet::threads::lock;
use trebuchet::types::Color;
use trebuchet::variants::{Variant, VariantId};

use store::{Continuation, Description, GameWriter, StoreError, StoredGame};

/// Play games of the engine against itself from random openings, and save them for training.
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
    #[error(transparent)]
    Thread(#[from] ThreadError),
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If the file cannot be used or continued, a thread fails, or standard output is closed.
pub fn run(args: &DatagenArgs) -> Result<(), DatagenError> {
    for_variant!(args.variant, V => generate::<V>(args, &mut io::stdout(), &mut io::stderr()))
}

/// The settings on which the games depend, besides their numbers.
#[derive(Clone, Debug)]
struct GameSettings {
    soft_nodes: u64,
    random_race_levels: f64,
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
        ];
        if V::RACE_LEVELS > 1 {
            settings.push(("random-counts", self.random_race_levels.to_string()));
        }
        let settings = settings.into_iter().map(|(name, value)| (name.to_owned(), value));
        Description { variant: V::NAME.to_owned(), settings: settings.collect() }
    }

    fn player<V: Variant>(&self) -> SelfPlayer<V> {
        let limits = NodeLimits::from_soft(self.soft_nodes);
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

/// Plays the missing games. Prints the totals to `out` and warnings to `warnings`.
fn generate<V: Variant>(
    args: &DatagenArgs,
    out: &mut dyn Write,
    warnings: &mut dyn Write,
) -> Result<(), DatagenError> {
    let settings = GameSettings {
        soft_nodes: args.nodes,
        random_race_levels: args.random_counts,
        hash_mebibytes: args.hash as usize,
        seed: args.seed,
    };
    let mut missing = Missing { numbers: 0..args.games, played: HashSet::new() };
    let mut totals = Totals::default();
    let mut first = None;
    let allowed = Continuation { mixes_settings: args.mix, skips_damage: args.skip_damage };
    let description = settings.description::<V>();
    let writer = GameWriter::open(&args.out, V::NAME, &description, allowed, |game| {
        missing.played.insert(game.number);
        totals.add(game);
        first.get_or_insert_with(|| game.clone());
    })?;
    // Another build of the engine may have the same version, but play other games.
    if let Some(game) = first.filter(|_| !args.mix)
        && settings.play(&mut settings.player::<V>(), game.number) != game
    {
        return Err(DatagenError::OtherEngine { path: args.out.clone(), number: game.number });
    }
    for gap in writer.gaps() {
        // Best effort: the games are played even if nothing can be shown.
        let _ = writeln!(warnings, "{}: {gap}", args.out.display());
    }
    let bar = progress_bar(args.games, totals.games());
    let work = Mutex::new(Work { missing, writer, totals, bar });
    on_threads(args.threads, || -> Result<(), DatagenError> {
        let mut player = settings.player::<V>();
        loop {
            // Not `while let`, which would hold the lock during the game.
            let next = lock(&work).missing.next();
            let Some(number) = next else { return Ok(()) };
            let game = settings.play(&mut player, number);
            lock(&work).save(&game)?;
        }
    })?;
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
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::Parser;

    use super::*;
    use crate::tuning::selfplay::ScoredMove;
    use trebuchet::board::Position;
    use trebuchet::types::Score;
    use trebuchet::variants::{Standard, ThreeCheck};

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: DatagenArgs,
    }

    /// Settings for quick games, unless a test names its own.
    const QUICK: [(&str, &str); 2] = [("--nodes", "100"), ("--hash", "1")];

    /// Runs the tool for three-check with a few quick games. Returns what it prints: the totals and the
    /// warnings.
    fn datagen(out: &Path, options: &str) -> Result<(String, String), DatagenError> {
        let command = ["datagen", out.to_str().unwrap()];
        let options = QUICK
            .into_iter()
            .filter(|(name, _)| !options.contains(name))
            .fold(options.to_owned(), |options, (name, value)| format!("{options} {name} {value}"));
        let args = Cli::parse_from(command.into_iter().chain(options.split_whitespace())).args;
        let (mut out, mut warnings) = (Vec::new(), Vec::new());
        generate::<ThreeCheck>(&args, &mut out, &mut warnings)?;
        Ok((String::from_utf8(out).unwrap(), String::from_utf8(warnings).unwrap()))
    }

    /// The greatest number needs no more memory than the least.
    #[test]
    fn the_missing_games_are_counted_and_not_listed() {
        let mut missing = Missing { numbers: 0..u32::MAX, played: [0, 2].into() };
        assert_eq!([missing.next(), missing.next()], [Some(1), Some(3)]);
        let few = Missing { numbers: 0..4, played: [0, 2, 7].into() };
        assert_eq!(few.collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn a_file_is_continued_with_its_own_settings_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let (one, _) = datagen(&path, "--games 1").unwrap();
        assert!(one.starts_with("games 1 plies "), "{one}");
        let before = fs::read(&path).unwrap();
        for (options, difference) in [
            ("--seed 1", "seed 0 instead of 1"),
            ("--nodes 101", "nodes 100 instead of 101"),
            ("--hash 2", "hash 1 instead of 2"),
            (
                "--random-counts 0.3 --seed 2",
                "seed 0 instead of 2, random-counts 0.27 instead of 0.3",
            ),
        ] {
            let error = datagen(&path, &format!("--games 2 {options}")).unwrap_err().to_string();
            assert!(error.contains(&format!("other settings: {difference} (")), "{error}");
            assert_eq!(fs::read(&path).unwrap(), before);
        }
        let (two, warnings) = datagen(&path, "--games 2").unwrap();
        assert_eq!((&two[..8], warnings.as_str()), ("games 2 ", ""));
        let (three, _) = datagen(&path, "--games 3 --seed 1 --mix").unwrap();
        assert!(three.starts_with("games 3 "), "{three}");
    }

    #[test]
    fn a_file_of_another_engine_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let settings =
            GameSettings { soft_nodes: 100, random_race_levels: 0.27, hash_mebibytes: 1, seed: 0 };
        let description = settings.description::<ThreeCheck>();
        let allowed = Continuation::default();
        let mut writer = GameWriter::open(&path, "3check", &description, allowed, |_| ()).unwrap();
        // Another engine would find another score.
        let mut game = settings.play(&mut settings.player::<ThreeCheck>(), 0);
        game.moves[0].score += Score::cp(1);
        writer.write(&game).unwrap();
        drop(writer);
        let before = fs::read(&path).unwrap();
        let error = datagen(&path, "--games 2").unwrap_err();
        assert!(matches!(error, DatagenError::OtherEngine { number: 0, .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
        assert!(datagen(&path, "--games 2 --mix").is_ok());
    }

    #[test]
    fn a_closed_standard_output_is_an_error_and_not_a_panic() {
        struct Closed;

        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let command = ["datagen", path.to_str().unwrap(), "--nodes", "50", "--games", "1"];
        let args = Cli::parse_from(command).args;
        let error = generate::<Standard>(&args, &mut Closed, &mut Closed).unwrap_err();
        assert!(matches!(error, DatagenError::Output(_)), "{error}");
    }

    #[test]
    fn what_is_cut_off_or_skipped_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        datagen(&path, "--games 2").unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let (totals, warnings) = datagen(&path, "--games 2").unwrap();
        assert!(totals.starts_with("games 2 "), "{totals}");
        assert!(warnings.contains("are a part of a game"), "{warnings}");
        assert_eq!(fs::read(&path).unwrap(), whole);

        let mut damaged = whole.clone();
        damaged[whole.len() - 20] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let error = datagen(&path, "--games 2").unwrap_err().to_string();
        assert!(error.contains("is damaged at byte "), "{error}");
        assert_eq!(fs::read(&path).unwrap(), damaged);
        let (totals, warnings) = datagen(&path, "--games 2 --skip-damage").unwrap();
        assert!(totals.starts_with("games 2 "), "{totals}");
        assert!(warnings.contains(" damaged bytes from byte "), "{warnings}");
        assert!(fs::read(&path).unwrap().starts_with(&damaged));
    }

    #[test]
    fn nonsense_is_refused() {
        for options in [
            "--games 0",
            "--nodes 0",
            "--nodes 99999999999",
            "--threads 0",
            "--hash 0",
            "--hash 65537",
            "--random-counts nan",
            "--random-counts 1.5",
            "--random-counts -0.1",
        ] {
            let words = ["datagen", "x"].into_iter().chain(options.split_whitespace());
            assert!(Cli::try_parse_from(words).is_err(), "{options}");
        }
    }

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
