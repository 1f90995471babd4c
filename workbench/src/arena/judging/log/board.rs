//! The board of the GUI.

use trebuchet::cecp::session::edit::{EditBoard, Edited};
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, Move, Outcome};
use trebuchet::variants::VariantId;

use crate::arena::judging::claim::is_final;
use crate::arena::judging::sheet::shown;

/// What is on the board of the GUI.
pub struct GuiBoard {
    /// The game; `None` before `new`, and in a game that we do not know.
    game: Option<Box<dyn Game>>,
    /// The name of the variant, as the GUI writes it.
    variant: String,
    /// The `edit` dialogue, while it goes on.
    edit: Option<EditBoard>,
}

/// What a move of the GUI is on the board.
pub enum GuiMoveResult {
    Legal(Move),
    Illegal,
    /// The board is unknown, or the GUI does not play by our rules, so it is unknown from now on.
    Unknown,
}

/// The longest game that is followed, in plies.
const LONGEST_GAME: usize = 20_000;

impl GuiBoard {
    /// The board before the first `new`.
    pub fn new() -> GuiBoard {
        GuiBoard { game: None, variant: "normal".to_owned(), edit: None }
    }

    /// The game, if it is known.
    pub fn game(&self) -> Option<&dyn Game> {
        self.game.as_deref()
    }

    /// The name of the variant, as the GUI writes it.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// The side to move; White if the game is not known.
    pub fn side_to_move(&self) -> Color {
        self.game().map_or(Color::White, |game| game.side_to_move())
    }

    /// How the game stands, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game()?.outcome()
    }

    /// Is the game over at once, without a claim?
    pub fn is_over(&self) -> bool {
        self.outcome().is_some_and(is_final)
    }

    /// `new`.
    pub fn reset(&mut self) {
        self.game = Some(new_game(VariantId::Standard));
        self.variant = "normal".to_owned();
    }

    /// `variant`.
    pub fn set_variant(&mut self, name: &str) {
        let variant = VariantId::from_lesson(name).or_else(|| VariantId::from_name(name));
        self.game = variant.map(new_game);
        self.variant = shown(name);
    }

    /// `setboard`. A position that we do not understand makes the board unknown.
    pub fn set_position(&mut self, fen: &str) {
        if self.game.as_mut().is_none_or(|game| game.set_board(fen).is_err()) {
            self.game = None;
        }
    }

    /// `edit`.
    pub fn begin_edit(&mut self) {
        self.edit = self.game.as_ref().map(|game| EditBoard::new(game.pieces()));
    }

    /// A line to the bot. True if it belongs to the `edit` dialogue, so that it is no command.
    pub fn edit_line(&mut self, line: &[u8]) -> bool {
        let Some(edit) = &mut self.edit else { return false };
        match edit.line(line) {
            Edited::GoesOn => true,
            Edited::Done => {
                self.end_edit();
                true
            }
            Edited::NotUnderstood => {
                self.edit = None;
                false
            }
        }
    }

    fn end_edit(&mut self) {
        let (Some(edit), Some(game)) = (self.edit.take(), &mut self.game) else { return };
        let side = game.side_to_move();
        if game.set_pieces(edit.pieces(), side).is_err() {
            self.game = None;
        }
    }

    /// Reads a move that the GUI makes.
    pub fn read_gui_move(&mut self, text: &str) -> GuiMoveResult {
        let Some(game) = &mut self.game else { return GuiMoveResult::Unknown };
        let found = game.parse_move(text);
        let is_lost = match found {
            // The GUI plays on in a game that is over, so it does not play by our rules.
            Err(_) => game.outcome().is_some_and(is_final),
            Ok(_) => game.ply_count() >= LONGEST_GAME,
        };
        if is_lost {
            self.game = None;
            return GuiMoveResult::Unknown;
        }
        found.map_or(GuiMoveResult::Illegal, GuiMoveResult::Legal)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        if let Some(game) = &mut self.game {
            game.play(mv);
        }
    }

    /// Plays a move of the bot if it is legal.
    pub fn play_if_legal(&mut self, text: &str) {
        if let Some(mv) = self.game().and_then(|game| game.parse_move(text).ok()) {
            self.play(mv);
        }
    }

    /// `undo` takes back one move, `remove` two.
    pub fn take_back(&mut self, plies: usize) {
        if let Some(game) = &mut self.game {
            for _ in 0..plies {
                game.undo();
            }
        }
    }
}
