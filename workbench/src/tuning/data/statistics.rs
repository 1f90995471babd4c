//! What files of games hold.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use super::{DataError, variant_of};
use crate::tuning::datagen::store::{GameReader, StoredGame};
use crate::tuning::selection::Selection;
use trebuchet::board::{FenError, Position};
use trebuchet::eval::MAX_RACE_LEVELS;
use trebuchet::for_variant;
use trebuchet::text::printable;
use trebuchet::types::Color;
use trebuchet::variants::{Variant, VariantId};

/// Show what files of games hold: results, lengths, pieces, counts, scores, duplicates, damage.
///
/// The files must have games of the same variant. Damage is shown and passed over.
#[derive(Clone, Debug, clap::Args)]
pub struct StatisticsArgs {
    /// Files of games from `datagen`
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub fn run(args: &StatisticsArgs) -> Result<(), DataError> {
    let variant = args.files.first().map_or(Ok(VariantId::Standard), |file| variant_of(file))?;
    for_variant!(variant, V => show::<V>(&args.files, &mut io::stdout()))
}

/// Counts all games and prints the statistics.
fn show<V: Variant>(files: &[PathBuf], out: &mut dyn Write) -> Result<(), DataError> {
    let mut statistics = Statistics::default();
    for path in files {
        let mut reader = GameReader::open(path, V::NAME, true)?;
        for game in reader.by_ref() {
            let game = game?;
            let number = game.number;
            statistics.add::<V>(&game).map_err(|source| DataError::Game {
                path: path.clone(),
                number,
                source,
            })?;
        }
        let settings = &reader.description().settings;
        let settings: Vec<String> =
            settings.iter().map(|(name, value)| format!("{name} {value}")).collect();
        // A setting may hold anything.
        let settings = printable(&settings.join(" "));
        writeln!(out, "file {} {settings}", path.display())?;
        for gap in reader.gaps() {
            writeln!(out, "damage {}: {gap}", path.display())?;
        }
    }
    writeln!(out, "variant {}", V::NAME)?;
    write!(out, "{}", statistics.finish())?;
    Ok(())
}

/// The limits of the groups of scores, in centipawns without sign.
const SCORE_LIMITS: [i32; 6] = [25, 100, 300, 1000, 3000, i32::MAX];
/// The limits of the groups of numbers of pieces.
const PIECE_LIMITS: [usize; 9] = [5, 9, 13, 17, 21, 25, 29, 32, 52];

/// Counts of games and their positions.
#[derive(Clone, Debug, Default)]
struct Statistics {
    games: u64,
    /// By result: Black won, draw, White won.
    results: [u64; 3],
    plies: u64,
    shortest: Option<usize>,
    longest: usize,
    illegal: u64,
    fit: u64,
    /// In the order of [`Unfit`](crate::tuning::selection::Unfit).
    unfit: [u64; 4],
    pieces: [u64; PIECE_LIMITS.len()],
    scores: [u64; SCORE_LIMITS.len()],
    /// By the race levels of White and Black.
    levels: [[u64; MAX_RACE_LEVELS]; MAX_RACE_LEVELS],
    has_levels: bool,
    /// The hashes of all games and the keys of all positions for training.
    game_hashes: Vec<u64>,
    keys: Vec<u64>,
}

impl Statistics {
    fn add<V: Variant>(&mut self, game: &StoredGame) -> Result<(), FenError> {
        let mut pos = Position::<V>::from_fen(&game.fen)?;
        self.games += 1;
        self.has_levels = V::RACE_LEVELS > 1;
        self.results[match game.winner {
            Some(Color::Black) => 0,
            None => 1,
            Some(Color::White) => 2,
        }] += 1;
        self.shortest = Some(self.shortest.map_or(game.moves.len(), |n| n.min(game.moves.len())));
        self.longest = self.longest.max(game.moves.len());
        self.game_hashes.push(game.hash());
        let selection = Selection::default();
        for &best in &game.moves {
            if !pos.legal_moves().contains(&best.mv) {
                self.illegal += 1;
                break;
            }
            self.plies += 1;
            let pieces = pos.total_count();
            self.pieces[PIECE_LIMITS.iter().position(|&most| pieces <= most).unwrap_or(0)] += 1;
            let score = best.score.value().abs();
            self.scores[SCORE_LIMITS.iter().position(|&most| score < most).unwrap_or(0)] += 1;
            let [white, black] = Color::ALL.map(|side| V::race_level(pos.state(), side));
            self.levels[white][black] += 1;
            match selection.refuses(&pos, best) {
                Some(unfit) => self.unfit[unfit as usize] += 1,
                None => {
                    self.fit += 1;
                    self.keys.push(pos.key().bits());
                }
            }
            pos.make_move(best.mv);
        }
        Ok(())
    }

    /// Sorts what duplicates are found in.
    fn finish(mut self) -> Finished {
        let duplicates = [&mut self.game_hashes, &mut self.keys].map(|values| {
            let all = values.len();
            values.sort_unstable();
            values.dedup();
            (all - values.len()) as u64
        });
        Finished { statistics: self, duplicates }
    }
}

/// All counts.
struct Finished {
    statistics: Statistics,
    /// Games that another one repeats, and positions for training that another one repeats.
    duplicates: [u64; 2],
}

impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Finished { statistics: found, duplicates } = self;
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let of_plies = |part: u64| percent(part, found.plies);
        writeln!(f, "games {}, the same as another one {}", found.games, duplicates[0])?;
        let [black, draws, white] = found.results;
        writeln!(f, "results Black won {black}, draws {draws}, White won {white}")?;
        writeln!(
            f,
            "plies {}, in a game {:.1}, the shortest {}, the longest {}",
            found.plies,
            found.plies as f64 / found.games.max(1) as f64,
            found.shortest.unwrap_or(0),
            found.longest
        )?;
        if found.illegal > 0 {
            writeln!(f, "games with an illegal move {}", found.illegal)?;
        }
        writeln!(
            f,
            "positions for training {} ({:.1} % of the plies), the same as another one {} ({:.1} %)",
            found.fit,
            of_plies(found.fit),
            duplicates[1],
            percent(duplicates[1], found.fit)
        )?;
        let [check, noisy, advancing, decided] = found.unfit.map(of_plies);
        writeln!(
            f,
            "left out: in check {check:.1} %, best move a capture or promotion {noisy:.1} %, a check \
             that counts {advancing:.1} %, decided {decided:.1} %"
        )?;
        write!(f, "pieces")?;
        // Only Horde has more than 32 men.
        let groups = PIECE_LIMITS.iter().zip(&found.pieces);
        for (most, &count) in groups.filter(|&(&most, &count)| most <= 32 || count > 0) {
            write!(f, " up to {most}: {:.1} %", of_plies(count))?;
        }
        write!(f, "\nscores")?;
        for (most, &count) in SCORE_LIMITS.iter().zip(&found.scores) {
            match most {
                &i32::MAX => write!(f, " more: {:.1} %", of_plies(count))?,
                most => write!(f, " below {most}: {:.1} %", of_plies(count))?,
            }
        }
        writeln!(f)?;
        if found.has_levels {
            for (white, row) in found.levels.iter().enumerate() {
                for (black, &count) in row.iter().enumerate() {
                    let name = format!("White at level {white}, Black at {black}");
                    writeln!(f, "{name}: {count} ({:.1} %)", of_plies(count))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::datagen::store::{Continuation, Description, GameWriter};
    use crate::tuning::selfplay::ScoredMove;
    use trebuchet::notation::parse_move;
    use trebuchet::types::Score;
    use trebuchet::variants::{Horde, ThreeCheck};

    fn game(number: u32, moves: &[(&str, i32)], winner: Option<Color>) -> StoredGame {
        let mut pos = Position::<ThreeCheck>::start();
        let fen = pos.fen();
        let mut played = Vec::new();
        for &(text, score) in moves {
            let mv = parse_move(&pos, text).unwrap();
            played.push(ScoredMove { mv, score: Score::cp(score) });
            pos.make_move(mv);
        }
        StoredGame { number, fen, winner, moves: played }
    }

    #[test]
    fn games_positions_and_damage_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.games");
        let description = Description { variant: "3check".to_owned(), settings: Vec::new() };
        let open = || {
            let allowed = Continuation::default();
            GameWriter::open(&path, "3check", &description, allowed, &mut |_| {}).unwrap()
        };
        let mut writer = open();
        let moves =
            [("e4", 20), ("f5", -30), ("Qh5+", 400), ("g6", -500), ("Qxg6+", 900), ("hxg6", 3500)];
        writer.write(&game(0, &moves, Some(Color::White))).unwrap();
        writer.write(&game(1, &moves, Some(Color::White))).unwrap();
        writer.write(&game(2, &[("d4", 10), ("d5", 10)], None)).unwrap();
        drop(writer);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend([1, 2, 3]);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(variant_of(&path).unwrap(), VariantId::ThreeCheck);
        let mut out = Vec::new();
        show::<ThreeCheck>(&[path], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert!(lines[0].ends_with("are a part of a game"), "{text}");
        assert_eq!(
            lines[1..9],
            [
                "variant 3check",
                "games 3, the same as another one 1",
                "results Black won 0, draws 1, White won 2",
                "plies 14, in a game 4.7, the shortest 2, the longest 6",
                "positions for training 6 (42.9 % of the plies), the same as another one 3 (50.0 %)",
                "left out: in check 28.6 %, best move a capture or promotion 14.3 %, a check that \
                 counts 14.3 %, decided 0.0 %",
                "pieces up to 5: 0.0 % up to 9: 0.0 % up to 13: 0.0 % up to 17: 0.0 % up to 21: 0.0 % \
                 up to 25: 0.0 % up to 29: 0.0 % up to 32: 100.0 %",
                "scores below 25: 28.6 % below 100: 14.3 % below 300: 0.0 % below 1000: 42.9 % below \
                 3000: 0.0 % more: 14.3 %",
            ]
        );
        assert_eq!(lines[9], "White at level 0, Black at 0: 8 (57.1 %)");
        assert_eq!(lines[12], "White at level 1, Black at 0: 4 (28.6 %)");
    }

    /// Horde begins with 52 men.
    #[test]
    fn more_men_than_chess_has_are_counted() {
        let mut found = Statistics::default();
        let start = Position::<Horde>::start();
        let mv = *start.legal_moves().first().unwrap();
        let moves = vec![ScoredMove { mv, score: Score::cp(5) }];
        found
            .add::<Horde>(&StoredGame { number: 0, fen: start.fen(), winner: None, moves })
            .unwrap();
        assert_eq!(found.pieces, [0, 0, 0, 0, 0, 0, 0, 0, 1]);
    }
}
