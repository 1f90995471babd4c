//! `trebuchet data pack`: makes files of positions, from which `train` learns, of files of games.
//!
//! `nearby` finds more positions near those of the games, `shuffle` brings all into random order.

mod nearby;
mod shuffle;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use indicatif::ProgressBar;

use super::{DataError, variant_of};
use crate::files;
use crate::parallel::on_threads;
use crate::tuning::datagen::store::{GameReader, StoredGame};
use crate::tuning::inputs;
use crate::tuning::numbers::read_share;
use crate::tuning::positions::{FAMILY, Header, TrainingPosition, add_game, write_blocks};
use crate::tuning::provenance::{Provenance, provenance};
use crate::tuning::selection::{IllegalMove, Selection, illegal_moves_warning};
use trebuchet::args::threads;
use trebuchet::board::Position;
use trebuchet::fnv::{FNV_START, fnv_1a};
use trebuchet::for_variant;
use trebuchet::threads::lock;
use trebuchet::variants::{Variant, VariantId};

use nearby::Neighbourhood;
use shuffle::{PositionList, Shuffler};

/// Make a file of positions for `train` of games from `datagen`.
///
/// The file holds the quiet positions of the games that are not decided, in random order, each with the
/// value that a network should give it and with the result of its game. The games may be of several
/// variants. One game of twenty, chosen by a hash of its moves, is for validation: its positions are not
/// learnt. The positions need 40 bytes each, and while the command runs as much again beside OUT.
#[derive(Clone, Debug, clap::Args)]
pub struct PackArgs {
    /// The file of positions
    out: PathBuf,
    /// Files of games from `datagen`
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// How much of a position's value comes from what follows in its game, 0 to 1: 0 is the score of its own
    /// search alone, 1 the result alone
    #[arg(long, default_value_t = 0.9, value_parser = read_share)]
    lambda: f64,
    /// Take also positions whose best move gives a check, where checks are counted
    #[arg(long)]
    with_checks: bool,
    /// Extra positions for each position of the games that is learnt, a few random moves away from it
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    nearby: u32,
    /// Value the positions nearby by a search of this many nodes; 0 is the classic evaluation without a
    /// search
    #[arg(
        long,
        default_value_t = 0,
        value_parser = clap::value_parser!(u64).range(0..=1_000_000),
        requires = "nearby"
    )]
    nearby_nodes: u64,
    /// The seed of the positions nearby and of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of threads
    #[arg(long, default_value_t = 2, value_parser = threads())]
    threads: u16,
    /// Leave out what is damaged in the files; without this, a damaged file is an error
    #[arg(long)]
    skip_damage: bool,
    /// Replace a file that this command has not written
    #[arg(long)]
    force: bool,
}

/// How many games are read before threads unpack them; fewer if each gives positions nearby, which are kept so long.
const GAMES_AT_ONCE: usize = 4000;
/// The bytes of a ply in a file of games.
const PLY_BYTES: u64 = 4;

pub fn run(args: &PackArgs) -> Result<(), DataError> {
    pack(args, &mut io::stdout(), &mut io::stderr())
}

/// Packs the games. Prints the numbers of positions to `out`, and to `warnings` what is wrong with the files.
fn pack(args: &PackArgs, out: &mut dyn Write, warnings: &mut dyn Write) -> Result<(), DataError> {
    if args.nearby == 0 && args.nearby_nodes > 0 {
        return Err(DataError::NoneNearby);
    }
    let at = |source| DataError::File { path: args.out.clone(), source };
    files::check_plain(&args.out).map_err(at)?;
    files::check_output(&args.out, &args.games).map_err(at)?;
    let is_empty = !args.out.metadata().is_ok_and(|found| found.len() > 0);
    if !args.force && !is_empty && !files::begins_with(&args.out, FAMILY).map_err(at)? {
        return Err(DataError::Foreign { path: args.out.clone() });
    }
    inputs::check_distinct(&args.games)?;
    // All before the work: it may take hours.
    let variants = args.games.iter().map(|path| variant_of(path));
    let variants = variants.collect::<Result<Vec<VariantId>, _>>()?;
    let mut packed = Packed::new(args).map_err(at)?;
    let bar = ProgressBar::new_spinner();
    for (path, variant) in args.games.iter().zip(variants) {
        for_variant!(variant, V => packed.read::<V>(args, path, &bar, warnings))?;
    }
    bar.finish_and_clear();
    let header = packed.header;
    files::replace_with(&args.out, |file| {
        file.write_all(&header.write())?;
        write_blocks(file, packed.training.into_positions())?;
        write_blocks(file, packed.validation.into_positions())
    })
    .map_err(at)?;
    writeln!(out, "positions {} validation {}", header.training, header.validation)?;
    Ok(())
}

/// What is found in a game: its positions, and its first illegal move.
type Found = (Vec<TrainingPosition>, Option<IllegalMove>);

/// The positions so far.
struct Packed {
    header: Header,
    training: Shuffler,
    validation: PositionList,
}

impl Packed {
    /// No positions yet.
    fn new(args: &PackArgs) -> io::Result<Packed> {
        let folder = files::folder(&args.out);
        let plies = |path: &PathBuf| path.metadata().map_or(0, |found| found.len() / PLY_BYTES);
        let most = args.games.iter().map(plies).sum::<u64>() * (1 + u64::from(args.nearby));
        Ok(Packed {
            header: Header {
                variants: Vec::new(),
                training: 0,
                validation: 0,
                fingerprint: fnv_1a(FNV_START, args.seed.to_le_bytes()),
                settings: args.settings(),
            },
            training: Shuffler::new(folder, most, args.seed)?,
            validation: PositionList::new(folder)?,
        })
    }

    /// Adds the positions of a file of games. All positions of a game go to the same part.
    fn read<V: Variant>(
        &mut self,
        args: &PackArgs,
        path: &Path,
        bar: &ProgressBar,
        warnings: &mut dyn Write,
    ) -> Result<(), DataError> {
        if !self.header.variants.iter().any(|name| name == V::NAME) {
            self.header.variants.push(V::NAME.to_owned());
        }
        let mut reader = GameReader::open(path, V::NAME, args.skip_damage)?;
        let mut illegal = Vec::new();
        let at_once = GAMES_AT_ONCE / (1 + args.nearby as usize);
        loop {
            let games = reader.by_ref().take(at_once).collect::<Result<Vec<_>, _>>()?;
            if games.is_empty() {
                break;
            }
            for (game, (positions, bad)) in games.iter().zip(unpack::<V>(args, path, &games)?) {
                self.add(game, &positions)
                    .map_err(|source| DataError::File { path: args.out.clone(), source })?;
                illegal.extend(bad.map(|bad| (game.number, bad)));
            }
            bar.inc(games.len() as u64);
        }
        // Best effort: the games are packed even if nothing can be shown.
        let mut warn = |text: String| {
            bar.suspend(|| writeln!(warnings, "{}: {text}", path.display())).unwrap_or_default();
        };
        reader.gaps().iter().for_each(|gap| warn(gap.to_string()));
        illegal_moves_warning(&illegal).into_iter().for_each(&mut warn);
        Ok(())
    }

    fn add(&mut self, game: &StoredGame, positions: &[TrainingPosition]) -> io::Result<()> {
        let is_for_validation = game.is_for_validation();
        for position in positions {
            self.header.fingerprint = fnv_1a(self.header.fingerprint, position.to_bytes());
            if is_for_validation {
                self.validation.push(position)?;
            } else {
                self.training.push(position)?;
            }
        }
        let header = &mut self.header;
        let count = if is_for_validation { &mut header.validation } else { &mut header.training };
        *count += positions.len() as u64;
        Ok(())
    }
}

impl PackArgs {
    /// Everything on which the positions depend, besides the games.
    fn settings(&self) -> Provenance {
        provenance([
            ("lambda", self.lambda.to_string()),
            ("with-checks", self.with_checks.to_string()),
            ("nearby", self.nearby.to_string()),
            ("nearby-nodes", self.nearby_nodes.to_string()),
            ("seed", self.seed.to_string()),
        ])
    }
}

/// What is found in each of these games.
fn unpack<V: Variant>(
    args: &PackArgs,
    path: &Path,
    games: &[StoredGame],
) -> Result<Vec<Found>, DataError> {
    let left = Mutex::new(games.iter().enumerate());
    let results: Mutex<Vec<Found>> = Mutex::new(vec![Found::default(); games.len()]);
    on_threads(args.threads, &|| -> Result<(), DataError> {
        let selection = Selection { with_checks: args.with_checks };
        let mut near = Neighbourhood::<V>::new(selection, args.nearby_nodes);
        loop {
            // Not `while let`, which would hold the lock during the work.
            let next = lock(&left).next();
            let Some((index, game)) = next else { return Ok(()) };
            near.enter(args.seed, game);
            let nearby = if game.is_for_validation() { 0 } else { args.nearby };
            let visit = |pos: &Position<V>, found: &mut Vec<TrainingPosition>| {
                found.extend((0..nearby).filter_map(|_| near.sample(pos)));
            };
            let mut positions = Vec::new();
            let lambda = args.lambda as f32;
            let bad = add_game::<V>(&mut positions, game, selection, lambda, visit);
            let bad = bad.map_err(|source| DataError::Game {
                path: path.to_owned(),
                number: game.number,
                source,
            })?;
            lock(&results)[index] = (positions, bad);
        }
    })?;
    Ok(std::mem::take(&mut *lock(&results)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;
    use crate::tuning::datagen::store::{Continuation, Description, GameWriter};
    use crate::tuning::positions::{POSITION_BYTES, Part, PositionFile};
    use crate::tuning::selfplay::ScoredMove;
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use trebuchet::types::Score;
    use trebuchet::variants::{Chess960, Standard};

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: PackArgs,
    }

    /// Random games, numbered from `first` on.
    fn games<V: Variant>(count: u32, first: u32) -> Vec<StoredGame> {
        let play = |number: u32| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(number.into());
            let mut pos = Position::<V>::start();
            let mut moves = Vec::new();
            while pos.outcome().is_none() && moves.len() < 30 {
                let mv = *pos.legal_moves().sorted().choose(&mut random).unwrap();
                moves.push(ScoredMove { mv, score: Score::cp(10 * moves.len() as i32) });
                pos.make_move(mv);
            }
            StoredGame { number: first + number, fen: V::START_FEN.to_owned(), winner: None, moves }
        };
        (0..count).map(play).collect()
    }

    fn write<V: Variant>(path: &Path, games: &[StoredGame]) {
        let description = Description { variant: V::NAME.to_owned(), ..Description::default() };
        let allowed = Continuation::default();
        let mut writer =
            GameWriter::open(path, V::NAME, &description, allowed, &mut |_| ()).unwrap();
        games.iter().for_each(|game| writer.write(game).unwrap());
    }

    /// Runs the tool. Returns what it prints.
    fn run(folder: &Path, words: &str) -> Result<String, DataError> {
        let path = |word: &str| match word.strip_prefix('@') {
            Some(name) => folder.join(name).display().to_string(),
            None => word.to_owned(),
        };
        let args =
            Cli::parse_from(["pack".to_owned()].into_iter().chain(words.split(' ').map(path)));
        let mut out = Vec::new();
        pack(&args.args, &mut out, &mut io::sink())?;
        Ok(String::from_utf8(out).unwrap())
    }

    /// All positions of a part, sorted.
    fn positions(path: &Path, part: Part) -> Vec<[u8; POSITION_BYTES]> {
        let mut file = PositionFile::open(path).unwrap();
        let mut positions = Vec::new();
        (0..file.header().blocks(part)).for_each(|at| file.read(part, at, &mut positions).unwrap());
        let mut bytes: Vec<_> = positions.into_iter().map(TrainingPosition::to_bytes).collect();
        bytes.sort_unstable();
        bytes
    }

    #[test]
    fn the_moves_of_a_game_choose_its_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write::<Standard>(&path("a"), &games::<Standard>(100, 0));
        // The same games with other numbers, in two files.
        let all = games::<Standard>(100, 5);
        write::<Standard>(&path("b"), &all[..30]);
        write::<Standard>(&path("c"), &all[30..]);
        let printed = run(folder.path(), "@one @a").unwrap();
        assert_eq!(run(folder.path(), "@two @b @c --seed 1").unwrap(), printed);
        for part in [Part::Training, Part::Validation] {
            assert_eq!(positions(&path("one"), part), positions(&path("two"), part));
        }
        let header = PositionFile::open(&path("one")).unwrap().header().clone();
        assert_eq!(
            printed,
            format!("positions {} validation {}\n", header.training, header.validation)
        );
        let share = header.validation as f64 / (header.training + header.validation) as f64;
        assert!((0.01..0.12).contains(&share), "{share}");
        // Both are packed in the same way, to the byte.
        assert_eq!(fs::read(path("one")).unwrap(), fs::read(path("two")).unwrap());
        run(folder.path(), "@three @a --threads 3").unwrap();
        assert_eq!(fs::read(path("one")).unwrap(), fs::read(path("three")).unwrap());
    }

    #[test]
    fn the_search_for_positions_nearby_needs_such_positions() {
        let parse = |words: &str| Cli::try_parse_from(words.split(' ').chain(["out", "games"]));
        assert!(parse("pack --nearby-nodes 30").is_err());
        assert!(parse("pack --nearby 1 --nearby-nodes 30").is_ok() && parse("pack").is_ok());
        let folder = tempfile::tempdir().unwrap();
        let error = run(folder.path(), "@out @a --nearby 0 --nearby-nodes 30").unwrap_err();
        assert!(matches!(error, DataError::NoneNearby), "{error}");
    }

    /// The packing may take hours.
    #[test]
    fn all_files_are_looked_at_before_the_first_is_packed() {
        let folder = tempfile::tempdir().unwrap();
        let damaged = folder.path().join("damaged");
        write::<Standard>(&damaged, &games::<Standard>(100, 0));
        let mut bytes = fs::read(&damaged).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(&damaged, bytes).unwrap();
        let error = run(folder.path(), "@out @damaged @none").unwrap_err().to_string();
        assert!(error.contains("none"), "{error}");
        assert!(run(folder.path(), "@out @damaged").unwrap_err().to_string().contains("damaged"));
    }

    #[test]
    fn a_closed_output_loses_no_positions() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write::<Standard>(&path("a"), &games::<Standard>(40, 0));
        let args = Cli::parse_from([Path::new("pack"), &path("out"), &path("a")]).args;
        let mut closed = [0; 0];
        let error = pack(&args, &mut &mut closed[..], &mut io::sink()).unwrap_err();
        assert!(matches!(error, DataError::Output(_)), "{error}");
        assert!(PositionFile::open(&path("out")).unwrap().header().training > 0);
    }

    #[test]
    fn games_of_several_variants_are_packed_together() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write::<Standard>(&path("a"), &games::<Standard>(40, 0));
        write::<Chess960>(&path("b"), &games::<Chess960>(40, 40));
        run(folder.path(), "@out @a @b --nearby 1 --lambda 0.5").unwrap();
        let header = PositionFile::open(&path("out")).unwrap().header().clone();
        assert_eq!(header.variants, ["normal", "fischerandom"]);
        let text = crate::tuning::provenance::to_text(&header.settings);
        assert_eq!(text, "lambda 0.5\nwith-checks false\nnearby 1\nnearby-nodes 0\nseed 1\n");
        // Other positions have another fingerprint, and so has another order of the same ones.
        let fingerprint = |words: &str| {
            run(folder.path(), words).unwrap();
            PositionFile::open(&path("out")).unwrap().header().fingerprint
        };
        assert_ne!(fingerprint("@out @a @b --nearby 1 --lambda 0.6"), header.fingerprint);
        let plain = fingerprint("@out @a @b");
        assert_eq!(fingerprint("@out @a @b --seed 1"), plain);
        assert_ne!(fingerprint("@out @a @b --seed 2"), plain);
    }

    #[test]
    fn foreign_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write::<Standard>(&path("a"), &games::<Standard>(40, 0));
        fs::write(path("notes"), "my notes").unwrap();
        for words in ["@notes @a", "@a @a", "@a @a --force", "@b @notes", "@b @a @a"] {
            assert!(run(folder.path(), words).is_err(), "{words}");
        }
        assert_eq!(fs::read(path("notes")).unwrap(), b"my notes");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        run(folder.path(), "@notes @a --force").unwrap();
        assert!(fs::read(path("notes")).unwrap().starts_with(b"TREBPOS2"));
    }
}
