//! The squares that a lifted piece can go to, shown on the GUI's board.

use super::CecpSession;
use super::coach::prospect;
use crate::board::fen::placement;
use crate::cecp::wire::Reply;
use crate::play::Game;
use crate::types::{Move, Square};

impl CecpSession {
    /// `lift`: the user has taken the piece on this square. Captures are red and other moves yellow; the
    /// coach has colours of its own.
    pub(super) fn piece_lifted(&mut self, square: Option<Square>) {
        if self.is_coaching() {
            self.show_targets(square, prospect);
        } else {
            self.show_targets(square, |_, mv| if mv.is_capture() { 'R' } else { 'Y' });
        }
    }

    /// Marks where the piece on this square can go. In Chess960 the king can also go to a rook with which
    /// it castles. The letters are capitals, because xboard takes unmarked squares for illegal.
    fn show_targets(&mut self, square: Option<Square>, color_of: fn(&dyn Game, Move) -> char) {
        let mut moves = self.legal_moves();
        moves.retain(|mv| Some(mv.from()) == square && !mv.is_drop());
        if moves.is_empty() {
            return;
        }
        let game = self.engine.game();
        let colors = placement(|square| {
            let reaches = |mv: Move| mv.to() == square || game.castling_rook(mv) == Some(square);
            moves.iter().find(|&&mv| reaches(mv)).map(|&mv| color_of(game, mv))
        });
        self.say(Reply::Highlight(colors));
    }
}
