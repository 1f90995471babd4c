//! Counts the moves of games for a book.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use super::BookToolError;
use super::weights::scaled;
use crate::files::{self, MAX_GAMES};
use crate::tuning::datagen::store::GameReader;
use trebuchet::board::Position;
use trebuchet::book::{Entry, code, key};
use trebuchet::notation::pgn::{self, PgnGame};
use trebuchet::types::{Color, GameResult, Move};
use trebuchet::variants::{Variant, VariantId};

/// Which moves of games count.
#[derive(Clone, Copy, Debug)]
pub struct GameFilter {
    /// The number of the last move that counts.
    pub last_move: u32,
    /// How many games must have the move.
    pub min_games: u32,
}

/// How often a move was played.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    games: u32,
    /// Two for a win of the side that made the move, one for a draw.
    points: u64,
}

/// The moves of all games.
#[derive(Clone, Debug, Default)]
pub struct GameCounts {
    /// By the key of a position and the code of a move.
    moves: BTreeMap<(u64, u16), Count>,
    games: u64,
    /// Games that were left out, by the index of a [`Flaw`].
    left_out: [u64; Flaw::REASONS.len()],
}

/// Why a game is left out.
#[derive(Clone, Copy, Debug)]
enum Flaw {
    OtherGame,
    NoResult,
    Illegal,
}

impl Flaw {
    /// In the order of the reasons.
    const REASONS: [&str; 3] =
        ["of another game", "without a result", "with an illegal move or start position"];
}

impl GameCounts {
    /// Adds the games of a file: PGN if its name says so, else a file of `datagen`. Calls `progress`
    /// for each game.
    ///
    /// # Errors
    /// If the file cannot be read or holds no games of this variant.
    pub fn add_file<V: Variant>(
        &mut self,
        path: &Path,
        filter: GameFilter,
        mut progress: impl FnMut(),
    ) -> Result<(), BookToolError> {
        let is_pgn =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        if is_pgn {
            let bytes = files::read(path, MAX_GAMES);
            let bytes = bytes.map_err(|error| BookToolError::File(path.to_owned(), error))?;
            for game in pgn::read(&pgn::decode(&bytes)) {
                self.add_pgn::<V>(&game, filter);
                progress();
            }
            return Ok(());
        }
        for game in GameReader::open(path, V::NAME, false)? {
            let game = game?;
            match Position::<V>::from_fen(&game.fen) {
                Ok(start) => {
                    let moves: Vec<Move> = game.moves.iter().map(|scored| scored.mv).collect();
                    self.add(start, &moves, game.winner, filter);
                }
                Err(_) => self.leave_out(Flaw::Illegal),
            }
            progress();
        }
        Ok(())
    }

    fn add_pgn<V: Variant>(&mut self, game: &PgnGame, filter: GameFilter) {
        let winner = match game.told_result() {
            GameResult::Win(color) => Some(Some(color)),
            GameResult::Draw => Some(None),
            GameResult::Unfinished => None,
        };
        let is_of_variant = match game.tag("Variant") {
            Some(name) => VariantId::from_tag(name) == Some(V::ID),
            None => V::KEY_NAME.is_none(),
        };
        if !is_of_variant {
            return self.leave_out(Flaw::OtherGame);
        }
        match (winner, game.replay::<V>()) {
            (None, _) => self.leave_out(Flaw::NoResult),
            (_, Err(_)) => self.leave_out(Flaw::Illegal),
            (Some(winner), Ok((start, moves))) => self.add(start, &moves, winner, filter),
        }
    }

    fn leave_out(&mut self, flaw: Flaw) {
        self.left_out[flaw as usize] += 1;
    }

    /// Adds a game. A move that is not legal ends it.
    fn add<V: Variant>(
        &mut self,
        mut pos: Position<V>,
        moves: &[Move],
        winner: Option<Color>,
        filter: GameFilter,
    ) {
        self.games += 1;
        for &mv in moves {
            if pos.fullmove_number() > filter.last_move || !pos.legal_moves().contains(&mv) {
                break;
            }
            let count = self.moves.entry((key(&pos).bits(), code(&pos, mv))).or_default();
            count.games += 1;
            count.points += match winner {
                Some(winner) if winner == pos.side_to_move() => 2,
                Some(_) => 0,
                None => 1,
            };
            pos.make_move(mv);
        }
    }

    /// The moves that enough games have and that have not lost all of them.
    pub fn entries(&self, filter: GameFilter) -> Vec<Entry> {
        let kept: Vec<((u64, u16), u64)> = self
            .moves
            .iter()
            .filter(|(_, count)| count.games >= filter.min_games && count.points > 0)
            .map(|(&place, count)| (place, count.points))
            .collect();
        let positions = kept.chunk_by(|((a, _), _), ((b, _), _)| a == b);
        let entries = positions.flat_map(|moves| {
            let points: Vec<u64> = moves.iter().map(|&(_, points)| points).collect();
            moves.iter().zip(scaled(&points)).map(|(&((key, code), _), weight)| Entry {
                key,
                code,
                weight,
                learn: 0,
            })
        });
        entries.collect()
    }
}

/// `4 games, 3 left out (1 of another game, 2 without a result)`
impl fmt::Display for GameCounts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let unit = if self.games == 1 { "game" } else { "games" };
        write!(f, "{} {unit}, {} left out", self.games, self.left_out.iter().sum::<u64>())?;
        let counted = self.left_out.iter().zip(Flaw::REASONS).filter(|&(&games, _)| games > 0);
        let reasons: Vec<String> =
            counted.map(|(games, reason)| format!("{games} {reason}")).collect();
        if reasons.is_empty() { Ok(()) } else { write!(f, " ({})", reasons.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::datagen::store::{Continuation, Description, GameWriter, StoredGame};
    use crate::tuning::selfplay::ScoredMove;
    use trebuchet::book::Book;
    use trebuchet::types::Score;
    use trebuchet::variants::{KingOfTheHill, Standard};

    const FILTER: GameFilter = GameFilter { last_move: 2, min_games: 2 };

    fn counts<V: Variant>(text: &str) -> GameCounts {
        let mut counts = GameCounts::default();
        pgn::read(text).for_each(|game| counts.add_pgn::<V>(&game, FILTER));
        counts
    }

    #[test]
    fn wins_count_two_and_draws_one_for_the_side_that_moves() {
        let counts = counts::<Standard>(
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n1. e4 e5 2. Nf3 d6 1/2-1/2\n\n1. e4 c5 0-1\n\n\
             1. d4 *\n\n1. d4 Ke3 1-0\n\n[Variant \"3check\"]\n\n1. e4 1-0\n\n1. d4 1-0",
        );
        let reasons =
            "1 of another game, 1 without a result, 1 with an illegal move or start position";
        assert_eq!(counts.to_string(), format!("4 games, 3 left out ({reasons})"));
        let book = Book::of_entries(counts.entries(FILTER));
        let mut pos = Position::<Standard>::start();
        let weights = |pos: &Position<Standard>| -> Vec<(String, u32)> {
            book.moves(pos).iter().map(|found| (found.mv.to_string(), found.weight)).collect()
        };
        assert_eq!(weights(&pos), [("e2e4".to_owned(), 3)]);
        for (text, expected) in [("e2e4", "e7e5"), ("e7e5", "g1f3")] {
            pos.make_move(trebuchet::notation::parse_move(&pos, text).unwrap());
            assert_eq!(weights(&pos)[0].0, expected);
        }
        // 2... Nc6 and 2... d6 have one game each.
        assert_eq!(book.len(), 3);
    }

    #[test]
    fn games_of_other_variants_are_told_by_their_tag() {
        let text = "1. e4 1-0\n\n[Variant \"kingofthehill\"]\n\n1. e4 1-0";
        assert_eq!(
            counts::<KingOfTheHill>(text).to_string(),
            "1 game, 1 left out (1 of another game)"
        );
    }

    #[test]
    fn the_tag_tells_a_result_that_the_moves_lack() {
        let counts = counts::<Standard>("[Result \"1-0\"]\n\n1. e4 e5\n");
        assert_eq!(counts.to_string(), "1 game, 0 left out");
    }

    #[test]
    fn files_of_training_games_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        let description = Description { variant: "normal".to_owned(), ..Description::default() };
        let allowed = Continuation { mixes_settings: false, skips_damage: false };
        let mut writer =
            GameWriter::open(&path, "normal", &description, allowed, &mut |_| {}).unwrap();
        let pos = Position::<Standard>::start();
        let mv = trebuchet::notation::parse_move(&pos, "c4").unwrap();
        for number in 0..2 {
            let moves = vec![ScoredMove { mv, score: Score::ZERO }];
            let fen = pos.fen();
            writer.write(&StoredGame { number, fen, winner: None, moves }).unwrap();
        }
        drop(writer);
        let mut counts = GameCounts::default();
        counts.add_file::<Standard>(&path, FILTER, || {}).unwrap();
        let book = Book::of_entries(counts.entries(FILTER));
        assert_eq!((book.len(), book.entry(0).weight), (1, 2));
        let other = counts.add_file::<KingOfTheHill>(&path, FILTER, || {});
        assert!(matches!(other, Err(BookToolError::Games(_))));
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.iter_mut().rev().take(9).for_each(|byte| *byte ^= 1);
        std::fs::write(&path, bytes).unwrap();
        let error = counts.add_file::<Standard>(&path, FILTER, || {}).unwrap_err().to_string();
        let advice = " (`data merge --skip-damage` makes a file without the damage)";
        assert!(error.contains(" is damaged at byte ") && error.ends_with(advice), "{error}");
    }
}
