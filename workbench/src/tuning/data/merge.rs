//! One file of several.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{DataError, variant_of};
use crate::files;
use crate::tuning::datagen::store::{
    Continuation, Description, GameReader, GameWriter, StoreError, StoredGame,
};
use trebuchet::for_variant;
use trebuchet::variants::{Variant, VariantId};

/// Write the games of several files into one, each game once.
///
/// The games get new numbers. `data pack` takes several files and shuffles positions itself, so this is for
/// keeping and moving data.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeArgs {
    /// The new file
    out: PathBuf,
    /// Files of games of the same variant
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the games in a random order, by this seed
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// Leave out what is damaged in the files; without this, a damaged file is an error
    #[arg(long)]
    skip_damage: bool,
}

pub fn run(args: &MergeArgs) -> Result<(), DataError> {
    let variant = args.files.first().map_or(Ok(VariantId::Standard), |file| variant_of(file))?;
    for_variant!(variant, V => merge::<V>(args, &mut io::stdout(), &mut io::stderr()))
}

/// Prints the numbers of games to `out`, and to `warnings` what the files lack.
fn merge<V: Variant>(
    args: &MergeArgs,
    out: &mut dyn Write,
    warnings: &mut dyn Write,
) -> Result<(), DataError> {
    if args.out.symlink_metadata().is_ok() {
        return Err(DataError::Exists { path: args.out.clone() });
    }
    let at = |source| DataError::File { path: args.out.clone(), source };
    files::check_output(&args.out, &args.files).map_err(at)?;
    let (mut games, mut known, mut repeated) = (Vec::new(), HashSet::new(), 0);
    for path in &args.files {
        let mut reader = GameReader::open(path, V::NAME, args.skip_damage)?;
        for game in reader.by_ref() {
            let game = StoredGame { number: 0, ..game? };
            let moves: Vec<u16> = game.moves.iter().map(|best| best.mv.bits()).collect();
            if known.insert((game.fen.clone(), moves)) {
                games.push(game);
            } else {
                repeated += 1;
            }
        }
        // Best effort: the games are merged even if nothing can be shown.
        for gap in reader.gaps() {
            let _ = writeln!(warnings, "{}: {gap}", path.display());
        }
    }
    if games.is_empty() {
        return Err(DataError::NoGames);
    }
    if let Some(seed) = args.shuffle {
        games.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    }
    let settings = vec![("merged-files".to_owned(), args.files.len().to_string())];
    let description = Description { variant: V::NAME.to_owned(), settings };
    let allowed = Continuation::default();
    let count = u32::try_from(games.len()).map_err(|_| DataError::TooMany)?;
    let made = files::make_with(&args.out, |draft| {
        let mut writer = GameWriter::open(draft, V::NAME, &description, allowed, &mut |_| {})?;
        (0..count).zip(games).try_for_each(|(number, game)| {
            writer.write(&StoredGame { number, ..game }).map_err(DataError::from)
        })
    });
    // Until it is complete, the file has another name.
    made.map_err(|error| match error {
        DataError::Output(source) | DataError::Store(StoreError::Io { source, .. }) => at(source),
        error => error,
    })?;
    writeln!(out, "games {count}, left out as repeated {repeated}")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tuning::selfplay::ScoredMove;
    use trebuchet::board::Position;
    use trebuchet::notation::parse_move;
    use trebuchet::types::Score;
    use trebuchet::variants::ThreeCheck;

    /// A game of one move from a start with these counts.
    fn game(number: u32, counts: &str, mv: &str, score: i32) -> StoredGame {
        let fen = Position::<ThreeCheck>::start().fen().replace("3+3", counts);
        let mv = parse_move(&Position::<ThreeCheck>::from_fen(&fen).unwrap(), mv).unwrap();
        let moves = vec![ScoredMove { mv, score: Score::cp(score) }];
        StoredGame { number, fen, winner: None, moves }
    }

    #[test]
    fn a_game_is_the_same_as_another_one_if_its_start_and_its_moves_are() {
        let folder = tempfile::tempdir().unwrap();
        let description = Description { variant: "3check".to_owned(), settings: Vec::new() };
        let files = [
            ("one", vec![game(0, "3+3", "e4", 5), game(1, "3+2", "e4", 5)]),
            (
                "two",
                vec![game(0, "3+3", "e4", 9), game(1, "3+3", "d4", 5), game(2, "2+3", "e4", 5)],
            ),
        ];
        let mut paths = Vec::new();
        for (name, games) in &files {
            let path = folder.path().join(name);
            let allowed = Continuation::default();
            let mut writer =
                GameWriter::open(&path, "3check", &description, allowed, &mut |_| {}).unwrap();
            games.iter().for_each(|game| writer.write(game).unwrap());
            paths.push(path);
        }
        let out = folder.path().join("merged");
        let args = MergeArgs { out: out.clone(), files: paths, shuffle: None, skip_damage: false };
        let mut said = Vec::new();
        merge::<ThreeCheck>(&args, &mut said, &mut io::sink()).unwrap();
        assert_eq!(String::from_utf8(said).unwrap(), "games 4, left out as repeated 1\n");
        let merged: Vec<StoredGame> =
            GameReader::open(&out, "3check", false).unwrap().map(Result::unwrap).collect();
        let expected = [
            game(0, "3+3", "e4", 5),
            game(1, "3+2", "e4", 5),
            game(2, "3+3", "d4", 5),
            game(3, "2+3", "e4", 5),
        ];
        assert_eq!(merged, expected);
    }

    /// Before the games are read.
    #[test]
    fn an_output_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let [out, input] = ["none/merged", "missing"].map(|name| folder.path().join(name));
        let args = MergeArgs { out, files: vec![input], shuffle: None, skip_damage: false };
        let error = merge::<ThreeCheck>(&args, &mut io::sink(), &mut io::sink()).unwrap_err();
        assert!(error.to_string().contains("none/merged: "), "{error}");
    }

    #[test]
    fn no_file_is_made_of_no_games() {
        let folder = tempfile::tempdir().unwrap();
        let [torn, out] = ["torn", "merged"].map(|name| folder.path().join(name));
        let description = Description { variant: "3check".to_owned(), settings: Vec::new() };
        let allowed = Continuation::default();
        let mut writer =
            GameWriter::open(&torn, "3check", &description, allowed, &mut |_| {}).unwrap();
        writer.write(&game(0, "3+3", "e4", 5)).unwrap();
        drop(writer);
        let bytes = fs::read(&torn).unwrap();
        fs::write(&torn, &bytes[..bytes.len() - 3]).unwrap();
        let args =
            MergeArgs { out: out.clone(), files: vec![torn], shuffle: None, skip_damage: true };
        let mut warnings = Vec::new();
        let merged = merge::<ThreeCheck>(&args, &mut io::sink(), &mut warnings);
        assert!(matches!(merged, Err(DataError::NoGames)), "{merged:?}");
        let warnings = String::from_utf8(warnings).unwrap();
        assert!(warnings.contains("torn: "), "{warnings}");
        assert!(!out.exists());
    }
}
