//! Games that may hold puzzles: from PGN files, and from the files of `datagen`, which have scores.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::{self, MAX_GAMES};
use crate::tuning::datagen::store::{GameReader, StoreError, description_of};
use trebuchet::fnv::{FNV_START, fnv_1a};
use trebuchet::notation::pgn;
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Move, Score};
use trebuchet::variants::VariantId;

/// A game of the wanted variant.
pub struct SourceGame {
    /// Its start position.
    pub start: Box<dyn Game>,
    /// Its legal moves, and the score that its player saw, if it is known.
    pub moves: Vec<(Move, Option<Score>)>,
}

impl SourceGame {
    /// A number of 32 bits from the start position and the moves, for the file of puzzles. Another game has it with a
    /// probability of 1 in 4 billion.
    pub fn fingerprint(&self) -> u64 {
        let moves = self.moves.iter().flat_map(|(mv, _)| mv.bits().to_le_bytes());
        fnv_1a(FNV_START, self.start.fen().into_bytes().into_iter().chain(moves)) >> 32
    }
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("{0}: {1}")]
    Read(PathBuf, io::Error),
    #[error(
        "{0} is damaged at byte {1} (`data merge --skip-damage` makes a file without the damage)"
    )]
    Damaged(PathBuf, u64),
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for SourceError {
    fn from(error: StoreError) -> SourceError {
        match error {
            StoreError::Damaged { path, offset } => SourceError::Damaged(path, offset),
            error => SourceError::Store(error),
        }
    }
}

/// The games of a file of this variant. Those of other variants, and moves from the first illegal one on, are
/// passed over.
///
/// # Errors
/// If the file cannot be read, or is a file of `datagen` of another variant.
pub fn read(
    path: &Path,
    variant: VariantId,
) -> Result<Box<dyn Iterator<Item = Result<SourceGame, SourceError>>>, SourceError> {
    if path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("pgn")) {
        let bytes = files::read(path, MAX_GAMES);
        let bytes = bytes.map_err(|error| SourceError::Read(path.to_owned(), error))?;
        let text = pgn::decode(&bytes).into_owned();
        let games: Vec<SourceGame> =
            pgn::read(&text).filter_map(|game| from_pgn(&game, variant)).collect();
        return Ok(Box::new(games.into_iter().map(Ok)));
    }
    description_of(path)?;
    let reader = GameReader::open(path, variant.name(), false)?;
    Ok(Box::new(reader.filter_map(move |game| match game {
        Err(error) => Some(Err(error.into())),
        Ok(stored) => {
            let mut start = new_game(variant);
            start.set_board(&stored.fen).ok()?;
            let mut board = start.fork();
            let mut moves = Vec::new();
            for scored in &stored.moves {
                if !board.legal_moves().contains(&scored.mv) {
                    break;
                }
                board.play(scored.mv);
                moves.push((scored.mv, Some(scored.score)));
            }
            Some(Ok(SourceGame { start, moves }))
        }
    })))
}

/// The game, if it is of this variant and its start position is legal.
fn from_pgn(game: &pgn::PgnGame, variant: VariantId) -> Option<SourceGame> {
    let of_tag = VariantId::from_tag(game.tag("Variant").unwrap_or_default());
    if of_tag != Some(variant) {
        return None;
    }
    let mut start = new_game(variant);
    if let Some(fen) = game.tag("FEN") {
        start.set_board(fen).ok()?;
    }
    let mut board = start.fork();
    let mut moves = Vec::new();
    for mv in &game.moves {
        let Ok(mv) = board.parse_move(&mv.san) else { break };
        board.play(mv);
        moves.push((mv, None));
    }
    Some(SourceGame { start, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::datagen::store::{Continuation, Description, GameWriter, StoredGame};
    use crate::tuning::selfplay::ScoredMove;
    use trebuchet::types::{Move, MoveKind, Score, Square};

    #[test]
    fn games_of_other_variants_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let text =
            "1. e4 e5 2. Ke4 *\n\n[Variant \"Three-check\"]\n\n1. e4 *\n\n[FEN \"no\"]\n\n*\n";
        std::fs::write(&path, text).unwrap();
        let lengths = |variant| -> Vec<usize> {
            read(&path, variant).unwrap().map(|game| game.unwrap().moves.len()).collect()
        };
        assert_eq!(lengths(VariantId::Standard), [2]);
        assert_eq!(lengths(VariantId::ThreeCheck), [1]);
        assert!(read(&folder.path().join("none.pgn"), VariantId::Standard).is_err());
        std::fs::write(folder.path().join("x.games"), "no games").unwrap();
        assert!(read(&folder.path().join("x.games"), VariantId::Standard).is_err());
    }

    #[test]
    fn a_game_of_datagen_ends_before_its_first_illegal_move() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        let description = Description { variant: "normal".to_owned(), settings: Vec::new() };
        let allowed = Continuation { mixes_settings: false, skips_damage: false };
        let mut writer =
            GameWriter::open(&path, "normal", &description, allowed, &mut |_| ()).unwrap();
        let king = Move::new(Square::new(4, 0), Square::new(3, 0), MoveKind::Quiet);
        let moves = vec![ScoredMove { mv: king, score: Score::ZERO }; 2];
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned();
        writer.write(&StoredGame { number: 0, fen, winner: None, moves }).unwrap();
        drop(writer);
        let games: Vec<SourceGame> =
            read(&path, VariantId::Standard).unwrap().map(Result::unwrap).collect();
        assert_eq!(games[0].moves, [(king, Some(Score::ZERO))]);
    }
}
