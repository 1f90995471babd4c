//! How a game at the terminal ends: by the rules, by resignation, by agreement, or on time.

use std::io;

use super::Terminal;
use crate::play::{DrawPolicy, PolicyInput, Rating};
use crate::types::{Color, GameResult};

impl Terminal<'_> {
    /// How the game has ended, if it has.
    pub(super) fn ending(&self) -> Option<(GameResult, String)> {
        match self.engine.game().outcome() {
            Some(outcome) => Some((GameResult::from(outcome), outcome.to_string())),
            None => self.declared_end.clone(),
        }
    }

    pub(super) fn is_over(&mut self) -> io::Result<bool> {
        let Some((result, reason)) = self.ending() else { return Ok(false) };
        writeln!(self.out, "{result} {{{reason}}}  (new starts another game)")?;
        self.count_game(result)?;
        Ok(true)
    }

    /// Counts a finished game for an adaptive level, once: from the start, without moves taken back.
    fn count_game(&mut self, result: GameResult) -> io::Result<()> {
        let Some(engine) = self.engine_side else { return Ok(()) };
        let points = self.rated_game.finish(result, engine, self.moves.len());
        match points.and_then(|points| self.engine.count_game(points)) {
            Some(rating) => self.tell_rating(rating),
            None => Ok(()),
        }
    }

    pub(super) fn tell_rating(&mut self, rating: Rating) -> io::Result<()> {
        writeln!(self.out, "{rating}.")
    }

    pub(super) fn resign(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        let person = self.engine_side.map_or(self.engine.game().side_to_move(), |side| !side);
        self.give_up(person)?;
        writeln!(self.out, "Thank you for the game.")
    }

    pub(super) fn give_up(&mut self, side: Color) -> io::Result<()> {
        self.declared_end = Some((GameResult::Win(!side), format!("{side} resigns")));
        self.is_over()?;
        Ok(())
    }

    /// What the engine's decision about a draw depends on. It does not resign, and offers no draw, to a
    /// person at the terminal.
    pub(super) fn policy_input(&self) -> PolicyInput {
        PolicyInput {
            resign: 0,
            draws: DrawPolicy::Accept,
            contempt: self.engine.settings().contempt,
            ply: self.moves.len(),
            opponent_time: None,
        }
    }

    pub(super) fn answer_draw_offer(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        self.resign_draw.note_offer();
        let accepts = self.resign_draw.accepts_draw(&self.policy_input());
        self.resign_draw.note_move();
        if accepts || self.engine_side.is_none() {
            self.declared_end = Some((GameResult::Draw, "Draw agreed".to_owned()));
            self.is_over()?;
            return Ok(());
        }
        writeln!(self.out, "I would rather play on.  (d draws the board)")
    }
}
