//! The coach at the terminal: verdicts on the person's moves, why a move was good, and the contested
//! squares.

use std::io;

use super::Terminal;
use super::screen::{self, View};
use crate::coach::Assessment;
use crate::play::Game;
use crate::types::Move;

impl Terminal<'_> {
    /// Switches the coach on or off.
    pub(super) fn use_coach(&mut self, is_used: bool) -> io::Result<()> {
        self.has_coach = is_used;
        match is_used {
            true => writeln!(self.out, "I judge your moves; why and heat tell more."),
            false => writeln!(self.out, "I keep quiet about your moves."),
        }
    }

    /// Says what the coach thinks of a move of the person, if it is switched on.
    pub(super) fn review(&mut self, before: &dyn Game, mv: Move) -> io::Result<()> {
        if !self.has_coach {
            return Ok(());
        }
        let now = self.engine.now();
        let Some(said) = self.engine.review(before, mv, now) else { return Ok(()) };
        self.tell(&said)?;
        // The other side is to move now.
        let opinion = self.engine.game().opinion(-said.score);
        writeln!(self.out, "{}.", opinion.headline)
    }

    /// The verdict on a move, how it is punished, and the better move, as far as there are such.
    fn tell(&mut self, said: &Assessment) -> io::Result<()> {
        writeln!(self.out, "{}.", said.sentence())?;
        for remark in [said.punishment(), said.advice_with_line()].into_iter().flatten() {
            writeln!(self.out, "{remark}.")?;
        }
        Ok(())
    }

    /// What was wrong with the last two moves, if something was, why the last one was good otherwise, and
    /// what the evaluation is made of.
    pub(super) fn explain(&mut self) -> io::Result<()> {
        let mut before = self.engine.game().fork();
        if let Some(last) = before.undo() {
            let mut earlier = before.fork();
            if let Some(mv) = earlier.undo() {
                self.criticize(&*earlier, mv)?;
            }
            if !self.criticize(&*before, last)? {
                let now = self.engine.now();
                let reasons = self.engine.explain(&*before, last, now).join(", ");
                writeln!(self.out, "{} {reasons}.", before.san(last))?;
            }
        }
        let position = self.engine.game().fork();
        let now = self.engine.now();
        let Some(best) = self.engine.study(&*position, 1, now).into_iter().next() else {
            self.is_over()?;
            return Ok(());
        };
        let opinion = position.opinion(best.score);
        writeln!(self.out, "{}.", opinion.headline)?;
        match opinion.made_of().as_str() {
            "" => Ok(()),
            parts => writeln!(self.out, "In pawns: {parts}."),
        }
    }

    /// Tells what was wrong with a move. False if nothing was.
    fn criticize(&mut self, before: &dyn Game, mv: Move) -> io::Result<bool> {
        let now = self.engine.now();
        let said = self.engine.review(before, mv, now);
        match said.filter(|said| said.judgement.is_criticism()) {
            Some(said) => self.tell(&said).map(|()| true),
            None => Ok(false),
        }
    }

    /// Draws the board with its contested squares, those of the position or of the whole game.
    pub(super) fn show_heat(&mut self, is_whole_game: bool) -> io::Result<()> {
        let view = View { style: self.style, below: self.below, last: None };
        let map = self.engine.heat_map(is_whole_game);
        writeln!(self.out, "{}", screen::heat(self.engine.game(), &map, view))
    }
}
