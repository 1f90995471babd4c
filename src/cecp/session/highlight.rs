//! The squares that a lifted piece can go to, shown on the GUI's board.

use super::Session;
use crate::board::fen::placement;
use crate::cecp::wire::Reply;
use crate::types::Square;

impl Session {
    /// `lift`: marks where the piece on this square can go, captures red and other moves yellow.
    pub(super) fn show_targets(&mut self, square: Option<Square>) {
        let mut moves = self.legal_moves();
        moves.retain(|mv| Some(mv.from()) == square);
        if moves.is_empty() {
            return;
        }
        let colors = placement(|square| {
            let mv = moves.iter().find(|mv| mv.to() == square)?;
            Some(if mv.is_capture() { 'R' } else { 'Y' })
        });
        self.say(Reply::Highlight(colors));
    }
}
