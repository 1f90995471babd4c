//! A game of one variant.

use std::any::Any;

use super::{Game, Pieces};
use crate::board::{FenError, Hands, Position, PositionError, Setup};
use crate::book::{Book, BookMove};
use crate::coach::{self, Assessment, HeatMap, Line, Opinion, Prospect};
use crate::notation::{self, MoveError};
use crate::types::{Color, Move, Outcome, Piece, Ply, Score, Square};
use crate::variants::{Variant, VariantId};

/// A new game of a variant, at its start position.
pub fn new_game(variant: VariantId) -> Box<dyn Game> {
    for_variant!(variant, V => Box::new(VariantGame::<V>::new()))
}

#[derive(Clone)]
pub(super) struct VariantGame<V: Variant> {
    pos: Position<V>,
    start_fen: String,
}

impl<V: Variant> VariantGame<V> {
    fn new() -> VariantGame<V> {
        VariantGame::at(Position::start())
    }

    fn at(pos: Position<V>) -> VariantGame<V> {
        VariantGame { start_fen: pos.fen(), pos }
    }

    /// The position of a game that is known to be of this variant.
    ///
    /// # Panics
    /// If the game is of another variant.
    pub(super) fn position_of(game: &dyn Game) -> &Position<V> {
        let game: &dyn Any = game;
        let game = game.downcast_ref::<VariantGame<V>>();
        &game.expect("a searcher gets games of its own variant").pos
    }
}

impl<V: Variant> Game for VariantGame<V> {
    fn variant(&self) -> VariantId {
        V::ID
    }

    fn fork(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn side_to_move(&self) -> Color {
        self.pos.side_to_move()
    }

    fn fen(&self) -> String {
        self.pos.fen()
    }

    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pos.piece_at(square)
    }

    fn describe_state(&self) -> Option<String> {
        V::describe_state(self.pos.state())
    }

    fn hands(&self) -> Option<Hands> {
        self.pos.hands().copied()
    }

    fn exploded(&self) -> u64 {
        self.pos.exploded()
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.pos.legal_moves().to_vec()
    }

    fn is_in_check(&self) -> bool {
        self.pos.in_check()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.pos.outcome()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::parse_move(&self.pos, text)
    }

    fn coordinate(&self, mv: Move) -> String {
        notation::coordinate::<V>(mv)
    }

    fn castling_rook(&self, mv: Move) -> Option<Square> {
        let side = mv.castling_side().filter(|_| V::CHESS960_CASTLING)?;
        Some(self.pos.castling_rook(self.pos.side_to_move(), side))
    }

    fn san(&self, mv: Move) -> String {
        notation::san(&self.pos, mv)
    }

    fn book_moves(&self, book: &Book) -> Vec<BookMove> {
        book.moves(&self.pos)
    }

    fn heat_map(&self) -> HeatMap {
        HeatMap::of(&self.pos)
    }

    fn can_win(&self, color: Color) -> bool {
        V::can_win(&self.pos, color)
    }

    fn prospect(&self, mv: Move) -> Prospect {
        coach::prospect(&self.pos, mv)
    }

    fn opinion(&self, score: Score) -> Opinion {
        coach::opinion(&self.pos, score)
    }

    fn reasons(&self, mv: Move, score: Option<Score>) -> Vec<String> {
        coach::reasons(&self.pos, mv, score)
    }

    fn assess(&self, lines: &[Line], mv: Move, lines_after: &[Line]) -> Assessment {
        coach::assess(&self.pos, lines, mv, lines_after)
    }

    fn study_nodes(&self) -> u64 {
        V::STUDY_NODES
    }

    fn play(&mut self, mv: Move) {
        self.pos.make_move(mv);
    }

    fn undo(&mut self) -> Option<Move> {
        let last = self.pos.last_move()?;
        self.pos.unmake_move();
        Some(last)
    }

    fn ply_count(&self) -> Ply {
        self.pos.ply_count()
    }

    fn start_fen(&self) -> String {
        self.start_fen.clone()
    }

    fn reset(&mut self) {
        *self = VariantGame::new();
    }

    fn set_board(&mut self, fen: &str) -> Result<(), FenError> {
        *self = VariantGame::at(Position::from_fen(fen)?);
        Ok(())
    }

    fn set_side_to_move(&mut self, color: Color) -> Result<(), PositionError> {
        let setup = Setup { side_to_move: color, en_passant: None, ..self.pos.setup() };
        *self = VariantGame::at(setup.try_into()?);
        Ok(())
    }

    fn set_pieces(&mut self, pieces: &Pieces, side_to_move: Color) -> Result<(), PositionError> {
        let mut setup = Setup { pieces: *pieces, side_to_move, ..Setup::empty() };
        setup.allow_castling_at_home();
        *self = VariantGame::at(setup.try_into()?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_at_home_may_castle() {
        for &variant in VariantId::ALL {
            let start = new_game(variant);
            let mut game = new_game(variant);
            game.play(game.legal_moves()[0]);
            game.set_pieces(&start.pieces(), Color::White).unwrap();
            assert_eq!(game.fen(), start.fen());
        }
    }

    #[test]
    fn a_position_that_is_not_legal_changes_nothing() {
        let mut game = new_game(VariantId::Standard);
        let before = game.fen();
        assert!(game.set_board("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
        assert!(game.set_pieces(&[None; 64], Color::White).is_err());
        assert_eq!(game.fen(), before);
    }

    #[test]
    fn the_other_side_to_move_takes_nothing_en_passant() {
        let mut game = new_game(VariantId::Standard);
        game.set_board("4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 9").unwrap();
        game.set_side_to_move(Color::White).unwrap();
        assert_eq!(game.fen(), "4k3/8/8/8/4pP2/8/8/4K3 w - - 0 9");
        game.set_side_to_move(Color::Black).unwrap();
        assert_eq!(game.fen(), "4k3/8/8/8/4pP2/8/8/4K3 b - - 0 9");
    }

    #[test]
    fn a_fork_leaves_the_game_as_it_is() {
        let game = new_game(VariantId::ThreeCheck);
        let mut fork = game.fork();
        fork.play(fork.parse_move("e2e4").unwrap());
        assert_eq!((game.ply_count(), fork.ply_count()), (0, 1));
        assert!(fork.undo().is_some() && fork.undo().is_none());
        assert_eq!(fork.fen(), game.fen());
    }
}
