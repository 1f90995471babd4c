//! A game of a PGN file as it can be analysed: its variant, its start position, and its legal moves.

use super::marks;
use trebuchet::board::FenError;
use trebuchet::notation::pgn::{PgnGame, PgnMove, Variation};
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, Move};
use trebuchet::variants::VariantId;

/// A game of a PGN file.
#[derive(Clone, Debug)]
pub struct SourceGame {
    /// The game as it was read, without annotations that this program has made.
    pub pgn: PgnGame,
    pub variant: VariantId,
    pub start_fen: String,
    /// The moves of the main line up to the first that is not legal.
    pub moves: Vec<Move>,
    /// Why the moves end before those of the PGN: a sentence.
    pub problem: Option<String>,
}

/// Why a game cannot be analysed at all.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("the variant \"{0}\" is not known")]
    Variant(String),
    #[error("its start position is not legal: {0}")]
    Fen(#[from] FenError),
}

impl SourceGame {
    /// Replays the game. An earlier annotation by this program is removed. The moves, those of side
    /// lines too, are then written in standard notation as far as they are legal.
    ///
    /// # Errors
    /// A [`SourceError`], with the game as it is.
    pub fn new(mut pgn: PgnGame) -> Result<SourceGame, (Box<PgnGame>, SourceError)> {
        marks::remove(&mut pgn);
        pgn.result = pgn.told_result();
        let (variant, mut game) = match start_of(&pgn) {
            Ok(start) => start,
            Err(error) => return Err((Box::new(pgn), error)),
        };
        let start_fen = game.fen();
        let first = pgn.first_move();
        let mut moves = Vec::with_capacity(pgn.moves.len());
        let mut problem = None;
        for mv in &mut pgn.moves {
            match game.parse_move(&mv.san) {
                Ok(legal) => {
                    mv.variations.iter_mut().for_each(|line| tidy(line, &*game));
                    mv.san = game.san(legal);
                    game.play(legal);
                    moves.push(legal);
                }
                Err(error) => {
                    let number = number_of(first, moves.len());
                    problem = Some(format!("{number} {} cannot be played: {error}", mv.san));
                    break;
                }
            }
        }
        Ok(SourceGame { pgn, variant, start_fen, moves, problem })
    }

    /// The start position.
    pub fn start(&self) -> Box<dyn Game> {
        let mut game = new_game(self.variant);
        let is_legal = game.set_board(&self.start_fen);
        debug_assert!(is_legal.is_ok(), "it was written by the board");
        game
    }
}

/// The variant of a game, and its start position.
///
/// # Errors
/// If the variant is not known, or the start position not legal.
pub fn start_of(pgn: &PgnGame) -> Result<(VariantId, Box<dyn Game>), SourceError> {
    let name = pgn.tag("Variant").unwrap_or_default();
    let unknown = || SourceError::Variant(name.to_owned());
    let variant = VariantId::from_tag(name).ok_or_else(unknown)?;
    let mut game = new_game(variant);
    if let Some(fen) = pgn.tag("FEN") {
        game.set_board(fen)?;
    }
    Ok((variant, game))
}

/// The number of a move as PGN writes it: `12.` or `12...`. `ply` counts from 0, from the first move of
/// the game, whose side and number are given.
fn number_of((side, first): (Color, u32), ply: usize) -> String {
    let ply = ply + side.index();
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", first as usize + ply / 2)
}

/// Writes the moves of a side line in standard notation, as far as they are legal.
fn tidy(line: &mut Variation, before: &dyn Game) {
    let mut game = before.fork();
    for PgnMove { san, variations, .. } in &mut line.moves {
        let Ok(legal) = game.parse_move(san) else { return };
        variations.iter_mut().for_each(|line| tidy(line, &*game));
        *san = game.san(legal);
        game.play(legal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::notation::pgn;

    fn source(text: &str) -> Result<SourceGame, String> {
        let game = pgn::read(text).next().unwrap();
        SourceGame::new(game).map_err(|(_, error)| error.to_string())
    }

    #[test]
    fn moves_are_checked_and_tidied() {
        let game =
            source("1. e2e4 (1. Ng1f3 g8f6 (1... Ke5 2. d4)) e7e5 2. Ngf3 O-O 3. d4 *").unwrap();
        assert_eq!(game.moves.len(), 3);
        assert_eq!(
            game.problem.as_deref(),
            Some("2... O-O cannot be played: castling is not possible")
        );
        assert_eq!(
            game.pgn.to_string().trim(),
            "1. e4 (1. Nf3 Nf6 (1... Ke5 2. d4)) 1... e5 2. Nf3 O-O 3. d4 *"
        );
    }

    #[test]
    fn every_variant_is_replayed_from_its_own_position() {
        for (text, variant, plies) in [
            ("1. e4 e5 *", VariantId::Standard, 2),
            (
                "[Variant \"Three-check\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 +2+0\"]\n\n1. Ra8+ Kd7 *",
                VariantId::ThreeCheck,
                1,
            ),
            (
                "[Variant \"King of the Hill\"]\n\n1. e4 e6 2. Ke2 Ke7 3. Ke3 a6 4. Kd4 *",
                VariantId::KingOfTheHill,
                7,
            ),
            (
                "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. f3 f6 2. Kf2 *",
                VariantId::Chess960,
                3,
            ),
            ("[Variant \"Racing Kings\"]\n\n1. Kh3 Ka3 *", VariantId::RacingKings, 2),
            ("[Variant \"Horde\"]\n\n1. c6 bxc6 2. bxc6 *", VariantId::Horde, 3),
            ("[Variant \"Antichess\"]\n\n1. e4 d5 2. exd5 Qxd5 *", VariantId::Antichess, 4),
            ("[Variant \"Suicide\"]\n\n1. e4 d5 2. exd5 Qxd5 *", VariantId::Suicide, 4),
            ("[Variant \"Giveaway\"]\n\n1. e4 d5 2. exd5 Qxd5 *", VariantId::Giveaway, 4),
            ("[Variant \"Atomic\"]\n\n1. Nf3 a6 2. Ne5 a5 3. Nxd7# 1-0", VariantId::Atomic, 5),
            (
                "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *",
                VariantId::Crazyhouse,
                5,
            ),
        ] {
            let game = source(text).unwrap();
            assert_eq!((game.variant, game.moves.len()), (variant, plies), "{text}");
            assert_eq!(game.start().fen(), game.start_fen);
        }
        let over = source(
            "[Variant \"3check\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1\"]\n\n1. Ra8+ Kd7 *",
        );
        let problem = over.unwrap().problem.unwrap();
        assert_eq!(problem, "1... Kd7 cannot be played: game over");
    }

    #[test]
    fn a_result_that_only_the_tag_gives_is_that_of_the_game() {
        let game = source("[Result \"0-1\"]\n\n1. e4 e5").unwrap();
        assert_eq!(game.pgn.to_string().trim(), "[Result \"0-1\"]\n\n1. e4 e5 0-1");
    }

    #[test]
    fn what_cannot_be_analysed_is_refused() {
        let error = source("[Variant \"Shogi\"]\n\n1. e4 *").unwrap_err();
        assert_eq!(error, "the variant \"Shogi\" is not known");
        let error = source("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *").unwrap_err();
        assert!(error.starts_with("its start position is not legal: "), "{error}");
    }
}
