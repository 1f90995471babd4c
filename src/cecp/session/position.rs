//! The board: new games, variants, positions set up, moves taken back.

use super::edit::EditBoard;
use super::machine::Prepared;
use super::manners::Manners;
use super::{FIRST_VARIANT, Mode, Session, placement};
use crate::cecp::wire::{Reply, echo};
use crate::types::{Color, Move, Square};
use crate::variants::VariantId;

impl Session {
    /// `new`: the start position of standard chess; the engine plays Black and does not ponder yet.
    /// An analysis goes on.
    pub(super) fn begin_game(&mut self) {
        self.stop_search();
        self.games += 1;
        self.open(FIRST_VARIANT);
        self.seat = Color::Black;
        self.clock.new_game();
        self.manners = Manners::default();
        if !matches!(self.mode, Mode::Analyzing(_)) {
            self.mode = Mode::Waiting;
        }
        self.after_new_position();
    }

    /// `variant NAME`: the start position of that game.
    pub(super) fn set_variant(&mut self, name: &str) {
        let Some(variant) = VariantId::from_name(name) else {
            let text = format!("variant {}", echo(name));
            self.say(Reply::Error { kind: "unsupported variant".to_owned(), text });
            return;
        };
        self.stop_search();
        self.open(variant);
        self.after_new_position();
    }

    /// Puts the start position of a variant on the board.
    fn open(&mut self, variant: VariantId) {
        if self.game.of().variant() != variant {
            let shelved = self.shelf.take().filter(|game| game.of().variant() == variant);
            let game = shelved.unwrap_or_else(|| Prepared::new((self.new_game)(variant)));
            self.shelf = Some(std::mem::replace(&mut self.game, game));
        }
        self.game.of_mut().reset();
        self.game.clear();
        self.game.needs_seed = true;
    }

    pub(super) fn set_board(&mut self, fen: &str) {
        self.stop_search();
        if self.game.of_mut().set_board(fen).is_err() {
            self.is_position_illegal = true;
            self.complain_of_position(fen);
            return;
        }
        self.clock.new_position();
        if matches!(self.mode, Mode::Over) {
            self.mode = Mode::Forced;
        }
        self.after_new_position();
    }

    /// With the FEN, which some GUIs look for.
    fn complain_of_position(&mut self, fen: &str) {
        self.say(Reply::TellUserError(format!("Illegal position: {}", echo(fen))));
    }

    /// Says that nothing can be done in the present position.
    pub(super) fn complain_of_illegal_position(&mut self) {
        self.say(Reply::TellUserError("Illegal position".to_owned()));
    }

    /// `edit`: from here on lines are about a board in the user's hands.
    pub(super) fn begin_edit(&mut self) {
        self.stop_search();
        self.edit = Some(EditBoard::begin(self.game.of()));
    }

    /// A GUI that says something else has left the dialogue without its end; the position stays.
    pub(super) fn leave_edit(&mut self) {
        if self.edit.take().is_some() && matches!(self.mode, Mode::Analyzing(_)) {
            self.analyze();
        }
    }

    /// `.` at the end of the `edit` dialogue. Whose move it is has not changed.
    pub(super) fn end_edit(&mut self) {
        if let Some(edit) = self.edit.take() {
            self.set_board(&edit.fen(self.game.of().side_to_move()));
        }
    }

    /// `white` and `black`: that side is to move, and the engine plays the other.
    pub(super) fn set_side_to_move(&mut self, color: Color) {
        self.stop_search();
        if self.is_position_illegal {
            return self.complain_of_illegal_position();
        }
        if self.game.of().side_to_move() != color {
            let fen = with_side_to_move(&self.game.of().fen(), color);
            self.set_board(&fen);
        }
        self.seat = !color;
        if !matches!(self.mode, Mode::Analyzing(_)) {
            self.mode = Mode::Waiting;
        }
    }

    /// `undo` and `remove`: takes back plies. One puts an ended game into force mode, two let the
    /// engine play its side on.
    pub(super) fn undo(&mut self, plies: usize) {
        if self.is_position_illegal {
            return;
        }
        self.stop_search();
        for _ in 0..plies {
            if self.game.of_mut().undo().is_none() {
                self.note("nothing to take back");
            }
        }
        if matches!(self.mode, Mode::Over) {
            self.mode = if plies == 1 { Mode::Forced } else { Mode::Waiting };
        }
        self.after_new_position();
    }

    /// The legal moves; none in a position that is not one.
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        if self.is_position_illegal { Vec::new() } else { self.game.of().legal_moves() }
    }

    /// The board has changed under whatever was known about it.
    pub(super) fn after_new_position(&mut self) {
        self.is_position_illegal = false;
        self.excluded.clear();
        self.expected = None;
        if matches!(self.mode, Mode::Analyzing(_)) {
            self.analyze();
        }
    }

    /// Shows where the piece in the user's hand can go: captures in red, all else in yellow.
    pub(super) fn show_targets(&mut self, square: Option<Square>) {
        let mut moves = self.legal_moves();
        moves.retain(|mv| Some(mv.from()) == square);
        if moves.is_empty() {
            return;
        }
        let colors = placement::write(|square| {
            let mv = moves.iter().find(|mv| mv.to() == square)?;
            Some(if mv.is_capture() { 'R' } else { 'Y' })
        });
        self.say(Reply::Highlight(colors));
    }
}

/// The FEN with another side to move; nothing can be taken en passant then.
fn with_side_to_move(fen: &str, color: Color) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[1] = placement::side_letter(color);
    fields[3] = "-";
    fields.join(" ")
}
