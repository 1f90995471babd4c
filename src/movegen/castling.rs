//! Castling.

use super::generator::Generator;
use super::sink::{Sink, Wanted};
use crate::board::{Castling, Rules};
use crate::types::{MoveKind, Square};

impl<R: Rules, W: Wanted, S: Sink> Generator<'_, R, W, S> {
    /// Not while in check; the king crosses no attacked square and nothing stands in between.
    #[inline(always)]
    pub(super) fn castling(&mut self) {
        let rights = self.pos.castling();
        if !W::QUIET || !rights.has_any(self.us) {
            return;
        }
        let from = Castling::king_home(self.us);
        for (short, kind) in [(true, MoveKind::CastleShort), (false, MoveKind::CastleLong)] {
            let rook = Castling::rook_home(self.us, short);
            let (crossed, to) = if short { (5, 6) } else { (3, 2) };
            let [crossed, to] = [crossed, to].map(|file| Square::new(file, from.rank()));
            if rights.has(self.us, short)
                && self.pos.is_path_clear(from, rook)
                && !self.pos.is_attacked(crossed, !self.us)
                && !self.pos.is_attacked(to, !self.us)
            {
                self.sink.add(from, to, kind);
            }
        }
    }
}
