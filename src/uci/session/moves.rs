//! Positions and moves as UCI writes them.

use super::{UciSession, echo};
use crate::play::Game;
use crate::types::{CastlingSide, Move, Square};
use crate::uci::wire::Start;

impl UciSession {
    /// `position`: sets up the start, if the board has not come from it, and plays the moves that are not
    /// on the board yet.
    pub(super) fn set_position(&mut self, start: Start, moves: Vec<String>) {
        let variant = self.variant();
        if self.engine.game().variant() != variant {
            self.engine.set_variant(variant);
            self.position = None;
        }
        self.problem = None;
        let on_board = self.position.take().filter(|(from, played)| {
            *from == start && moves.get(..played.len()) == Some(played.as_slice())
        });
        let played = match on_board {
            Some((_, played)) => played.len(),
            None => match self.set_start(&start) {
                Ok(()) => 0,
                Err(problem) => return self.refuse(problem),
            },
        };
        for text in &moves[played..] {
            match read_move(self.engine.game(), text) {
                Some(mv) => self.engine.game_mut().play(mv),
                None => return self.refuse(format!("illegal move: {}", echo(text))),
            }
        }
        self.position = Some((start, moves));
    }

    fn set_start(&mut self, start: &Start) -> Result<(), String> {
        let game = self.engine.game_mut();
        match start {
            Start::StartPos => {
                game.reset();
                Ok(())
            }
            Start::Fen(fen) => game.set_board(fen).map_err(|error| format!("bad FEN: {error}")),
        }
    }

    fn refuse(&mut self, problem: String) {
        self.inform(&problem);
        self.problem = Some(problem);
    }

    /// A move of the position on the board.
    pub(super) fn move_text(&self, mv: Move) -> String {
        move_text(self.engine.game(), mv, self.uci.is_chess960)
    }

    /// A line of legal moves from the position on the board.
    pub(super) fn line_text(&self, line: &[Move]) -> Vec<String> {
        let is_plain = !self.uci.is_chess960 || line.iter().all(|mv| mv.castling_side().is_none());
        if is_plain {
            return line.iter().map(Move::to_string).collect();
        }
        let mut game = self.engine.game().fork();
        let mut texts = Vec::new();
        for &mv in line {
            texts.push(move_text(&*game, mv, true));
            game.play(mv);
        }
        texts
    }
}

/// A legal move; in Chess960, castling is the king taking its rook.
fn move_text(game: &dyn Game, mv: Move, is_chess960: bool) -> String {
    match king_takes_rook(game, mv) {
        Some(text) if is_chess960 => text,
        _ => mv.to_string(),
    }
}

/// Castling as the king taking its rook.
fn king_takes_rook(game: &dyn Game, mv: Move) -> Option<String> {
    let side = mv.castling_side()?;
    let rook = game.castling_rook(mv).unwrap_or_else(|| {
        let file = if side == CastlingSide::King { 7 } else { 0 };
        Square::new(file, mv.from().rank())
    });
    Some(format!("{}{rook}", mv.from()))
}

/// The legal move with this text. Castling may be written in either way.
pub(super) fn read_move(game: &dyn Game, text: &str) -> Option<Move> {
    if !(4..=5).contains(&text.len()) {
        return None;
    }
    game.parse_move(text).ok().or_else(|| {
        let mut moves = game.legal_moves().into_iter();
        moves.find(|&mv| king_takes_rook(game, mv).as_deref() == Some(text))
    })
}
