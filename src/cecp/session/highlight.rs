//! The squares that a lifted piece can go to, shown on the GUI's board.

use super::Session;
use crate::board::fen::placement;
use crate::cecp::wire::Reply;
use crate::types::{Move, Square};

impl Session {
    /// `lift`: the user has taken the piece on this square.
    pub(super) fn piece_lifted(&mut self, square: Option<Square>) {
        match square {
            Some(square) if self.is_coaching() => self.show_prospects(square),
            _ => self.show_targets(square),
        }
    }

    /// Marks where the piece on this square can go, captures red and other moves yellow. In
    /// Chess960 the king can also go to a rook with which it castles.
    fn show_targets(&mut self, square: Option<Square>) {
        let mut moves = self.legal_moves();
        moves.retain(|mv| Some(mv.from()) == square);
        if moves.is_empty() {
            return;
        }
        let game = self.engine.game();
        let colors = placement(|square| {
            let reaches = |mv: Move| mv.to() == square || game.castling_rook(mv) == Some(square);
            let mv = moves.iter().find(|&&mv| reaches(mv))?;
            Some(if mv.is_capture() { 'R' } else { 'Y' })
        });
        self.say(Reply::Highlight(colors));
    }
}
