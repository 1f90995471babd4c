//! How a game at the terminal ends: by the rules, by resignation, by agreement, or on time.

use std::io;

use super::Terminal;
use crate::types::{Color, GameResult, Score};

/// The engine accepts a draw only after this many plies.
const LEAST_PLIES_FOR_DRAW: usize = 40;

impl Terminal<'_> {
    /// How the game has ended, if it has.
    pub(super) fn ending(&self) -> Option<(GameResult, String)> {
        match self.engine.game().outcome() {
            Some(outcome) => Some((GameResult::from(outcome), outcome.to_string())),
            None => self.verdict.clone(),
        }
    }

    pub(super) fn is_over(&mut self) -> io::Result<bool> {
        let Some((result, reason)) = self.ending() else { return Ok(false) };
        writeln!(self.out, "{result} {{{reason}}}  (new starts another game)")?;
        Ok(true)
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
        self.verdict = Some((GameResult::Win(!side), format!("{side} resigns")));
        self.is_over()?;
        Ok(())
    }

    pub(super) fn answer_draw_offer(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        let is_late = self.moves.len() >= LEAST_PLIES_FOR_DRAW;
        let is_fair = is_late && self.last_score.is_some_and(|score| score <= Score::ZERO);
        if is_fair || self.engine_side.is_none() {
            self.verdict = Some((GameResult::Draw, "Draw agreed".to_owned()));
            self.is_over()?;
            return Ok(());
        }
        writeln!(self.out, "I would rather play on.  (d draws the board)")
    }
}
