//! The board: new games, variants, positions set up, moves taken back.

use super::edit::EditBoard;
use super::{CecpSession, FIRST_VARIANT, Mode};
use crate::board::PositionError;
use crate::cecp::wire::{Fault, Reply, echo, message};
use crate::play::{HintSteps, RatedGame, ResignDrawPolicy};
use crate::protocol::dialect::FenDialect;
use crate::types::{Color, Move};
use crate::variants::VariantId;

/// What xboard must know of a variant that it does not know: its pieces, its board size, the game
/// whose rules it applies, and the start position.
fn setup_reply(variant: VariantId, start_fen: &str) -> Reply {
    let pieces = "PNBRQ................Kpnbrq................k";
    let parent = variant.xboard_parent().unwrap_or(variant.name());
    // xboard knows no counters of checks in a FEN.
    let plain = FenDialect::Plain.write(start_fen, variant);
    let plain = plain.as_deref().unwrap_or(start_fen);
    Reply::Setup(format!("({pieces}) 8x8+0_{parent} {plain}"))
}

impl CecpSession {
    /// `new`: the start position of standard chess; the engine plays Black and does not ponder yet.
    /// An analysis goes on.
    pub(super) fn begin_game(&mut self) {
        self.stop_search();
        self.engine.begin_game(FIRST_VARIANT);
        self.engine_side = Color::Black;
        self.gui.opponent_is_engine = false;
        self.gui.is_lesson = false;
        self.rated_game = RatedGame::begin(self.engine.game());
        self.clock.new_game();
        self.resign_draw = ResignDrawPolicy::default();
        if !matches!(self.mode, Mode::Analyzing(_)) {
            self.mode = Mode::Waiting;
        }
        self.after_new_position();
        self.begin_telling();
    }

    /// `variant NAME`: the start position of that game.
    pub(super) fn set_variant(&mut self, name: &str) {
        let lesson = VariantId::from_lesson(name);
        let Some(variant) = lesson.or_else(|| VariantId::from_name(name)) else {
            self.say(Reply::Error {
                kind: Fault::UnsupportedVariant.to_string(),
                text: format!("variant {}", echo(name)),
            });
            let games = VariantId::ALL.iter().map(|id| id.name()).collect::<Vec<_>>().join(", ");
            self.note(&format!("the games are: {games}"));
            return;
        };
        self.stop_search();
        self.engine.set_variant(variant);
        self.gui.is_lesson = lesson.is_some();
        if self.gui.is_lesson || variant.xboard_parent().is_some() {
            self.say(setup_reply(variant, &self.engine.game().start_fen()));
        }
        self.accept_position();
    }

    /// `setboard FEN`.
    pub(super) fn set_board(&mut self, fen: &str) {
        self.stop_search();
        match self.engine.game_mut().set_board(fen) {
            Ok(()) => {
                self.rated_game = RatedGame::begin(self.engine.game());
                self.accept_position();
            }
            // Some GUIs look for the FEN.
            Err(error) => {
                let why = message(&error.to_string());
                self.refuse_position(&format!("{} ({why})", echo(fen)));
            }
        }
    }

    /// Takes a position that has just been set up.
    fn accept_position(&mut self) {
        self.rated_game.open_sides();
        self.clock.new_position();
        self.resign_draw = ResignDrawPolicy::default();
        if matches!(self.mode, Mode::Over) {
            self.mode = Mode::Forced;
        }
        self.after_new_position();
    }

    /// Rejects a position. No move is legal until a legal position is set up. `why` can stand in a line.
    fn refuse_position(&mut self, why: &str) {
        self.is_position_illegal = true;
        self.say(Reply::TellUserError(format!("Illegal position: {why}")));
    }

    fn finish_setup(&mut self, result: Result<(), PositionError>) {
        match result {
            Ok(()) => self.accept_position(),
            Err(error) => self.refuse_position(&message(&error.to_string())),
        }
    }

    /// Says that nothing can be done in the present position.
    pub(super) fn complain_of_illegal_position(&mut self) {
        self.say(Reply::TellUserError("Illegal position".to_owned()));
    }

    /// `edit`: the next lines edit a board.
    pub(super) fn begin_edit(&mut self) {
        self.stop_search();
        self.edit = Some(EditBoard::new(self.engine.game().pieces()));
    }

    /// Ends the `edit` dialogue without its last line, as a GUI does that sends a command instead.
    /// The position stays.
    pub(super) fn leave_edit(&mut self) {
        if self.edit.take().is_some() && matches!(self.mode, Mode::Analyzing(_)) {
            self.analyze();
        }
    }

    /// `.` at the end of the `edit` dialogue. The side to move stays the same.
    pub(super) fn end_edit(&mut self) {
        if let Some(edit) = self.edit.take() {
            self.stop_search();
            let game = self.engine.game_mut();
            let result = game.set_pieces(edit.pieces(), game.side_to_move());
            self.rated_game.unrate();
            self.finish_setup(result);
        }
    }

    /// `white` and `black`: that side is to move, and the engine plays the other.
    pub(super) fn set_side_to_move(&mut self, color: Color) {
        self.stop_search();
        if self.is_position_illegal {
            return self.complain_of_illegal_position();
        }
        self.take_side(!color);
        let game = self.engine.game_mut();
        if game.side_to_move() != color {
            let result = game.set_side_to_move(color);
            self.finish_setup(result);
        } else if matches!(self.mode, Mode::Analyzing(_)) {
            self.analyze();
        }
        if !matches!(self.mode, Mode::Analyzing(_)) {
            self.mode = Mode::Waiting;
        }
    }

    /// `undo` and `remove`: takes back plies. After one ply an ended game is in force mode; after two
    /// the engine plays its side again.
    pub(super) fn undo(&mut self, plies: usize) {
        if self.is_position_illegal {
            return;
        }
        self.stop_search();
        self.withdraw_remarks();
        self.rated_game.unrate();
        self.resign_draw = ResignDrawPolicy::default();
        for _ in 0..plies {
            if self.engine.game_mut().undo().is_none() {
                self.note("nothing to take back");
            }
        }
        if matches!(self.mode, Mode::Over) {
            self.mode = if plies == 1 { Mode::Forced } else { Mode::Waiting };
        }
        self.after_new_position();
    }

    /// The legal moves. Empty after a rejected `setboard`.
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        if self.is_position_illegal { Vec::new() } else { self.engine.game().legal_moves() }
    }

    /// Forgets what the session knows about the position before. An analysis starts again.
    pub(super) fn after_new_position(&mut self) {
        self.is_position_illegal = false;
        self.excluded.clear();
        self.expected = None;
        self.last_assessment = None;
        self.hint_steps = HintSteps::default();
        if matches!(self.mode, Mode::Analyzing(_)) {
            self.analyze();
        }
        self.show_heat();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cecp::wire::traps;

    #[test]
    fn xboard_is_told_how_to_set_up_a_game_of_ours() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let expected = "setup (PNBRQ................Kpnbrq................k) 8x8+0_";
        for (variant, parent) in
            [(VariantId::KingOfTheHill, "fairy"), (VariantId::ThreeCheck, "3check")]
        {
            let line = setup_reply(variant, &variant.start_fen(0)).to_string();
            assert_eq!(line, format!("{expected}{parent} {start}"));
            assert_eq!(traps::check(&line), Ok(()));
        }
    }
}
