//! The coach at the terminal: verdicts on the person's moves, why a move was good, and the contested
//! squares.

use std::io;

use super::Terminal;
use super::screen;
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

    /// With the coach, says when a move of the engine was a mistake, or keeps quiet.
    pub(super) fn tell_mistakes(&mut self, is_wanted: bool) -> io::Result<()> {
        self.tells_mistakes = is_wanted;
        match is_wanted {
            true => writeln!(self.out, "With the coach, I tell you my own mistakes."),
            false => writeln!(self.out, "I keep quiet about my own mistakes."),
        }
    }

    /// Says what the coach thinks of a move of the person, if it is switched on.
    pub(super) fn review(&mut self, before: &dyn Game, mv: Move) -> io::Result<()> {
        if !self.has_coach {
            return Ok(());
        }
        let Some(said) = self.assessment(before, mv) else { return Ok(()) };
        self.tell(&said)?;
        // The other side is to move now.
        let opinion = self.engine.game().opinion(-said.score);
        writeln!(self.out, "{}.", opinion.headline)
    }

    /// What the coach thinks of a move. Of the move that it has judged last, it says the same again: another search
    /// might find a little more or less.
    fn assessment(&mut self, before: &dyn Game, mv: Move) -> Option<Assessment> {
        let fen = before.fen();
        let known = self.judged.as_ref().filter(|(at, known, _)| *at == fen && *known == mv);
        if let Some((_, _, said)) = known {
            return Some(said.clone());
        }
        let now = self.engine.now();
        let said = self.engine.review(before, mv, now)?;
        self.judged = Some((fen, mv, said.clone()));
        Some(said)
    }

    /// The verdict on a move, how it is punished, and the better move, as far as there are such.
    fn tell(&mut self, said: &Assessment) -> io::Result<()> {
        writeln!(self.out, "{}.", said.sentence())?;
        for remark in [said.punishment(), said.advice_with_line()].into_iter().flatten() {
            writeln!(self.out, "{remark}.")?;
        }
        Ok(())
    }

    /// What was wrong with the person's last move, or else why it was good, and what the evaluation is
    /// made of.
    pub(super) fn explain(&mut self) -> io::Result<()> {
        if let Some((before, mv)) = self.persons_move() {
            let now = self.engine.now();
            let said = self.assessment(&*before, mv);
            if let Some(said) = &said {
                self.tell(said)?;
            }
            if said.is_none_or(|said| !said.judgement.is_criticism()) {
                let reasons = self.engine.explain(&*before, mv, now).join(", ");
                if !reasons.is_empty() {
                    writeln!(self.out, "{} {reasons}.", before.san(mv))?;
                }
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

    /// The person's last move and the position before it: moves of the engine do not count, nor does the reply of a
    /// puzzle. `None` if the person has made no move.
    fn persons_move(&self) -> Option<(Box<dyn Game>, Move)> {
        let mut before = self.engine.game().fork();
        let later = self.by_engine.iter().rev().position(|by_engine| !by_engine)?;
        for _ in 0..later {
            before.undo()?;
        }
        let last = before.undo()?;
        Some((before, last))
    }

    /// The person's last move, the position before it and what the coach thinks of it.
    fn judged_move(&mut self) -> Option<(Box<dyn Game>, Move, Assessment)> {
        let (before, mv) = self.persons_move()?;
        let said = self.assessment(&*before, mv)?;
        Some((before, mv, said))
    }

    /// Draws the board after the move that was better than the person's last one.
    pub(super) fn show_better(&mut self) -> io::Result<()> {
        let Some((before, _, said)) = self.judged_move() else {
            return writeln!(self.out, "You have made no move yet.");
        };
        let Some((better, advice)) = said.better.as_ref().zip(said.advice_with_line()) else {
            return writeln!(self.out, "I have nothing better than {}.", said.san);
        };
        writeln!(self.out, "{advice}.")?;
        self.draw_line(before, &better.line[..1])
    }

    /// Draws the board at the end of the line that punishes the person's last move.
    pub(super) fn show_punishment(&mut self) -> io::Result<()> {
        let Some((mut before, mv, said)) = self.judged_move() else {
            return writeln!(self.out, "You have made no move yet.");
        };
        let Some((refutation, words)) = said.refutation.as_ref().zip(said.punishment()) else {
            return writeln!(self.out, "I know no punishment of {}.", said.san);
        };
        writeln!(self.out, "{}.\n{words}.", said.sentence())?;
        before.play(mv);
        self.draw_line(before, &refutation.sans)
    }

    /// Draws the board after some moves, and marks the last one.
    fn draw_line(&mut self, mut game: Box<dyn Game>, sans: &[String]) -> io::Result<()> {
        let mut last = None;
        for san in sans {
            let Ok(mv) = game.parse_move(san) else { break };
            game.play(mv);
            last = Some(mv);
        }
        let text = screen::board(&*game, self.view(last));
        writeln!(self.out, "{text}\nThis is not the game: d draws the board as it is.")
    }

    /// Draws the board with its contested squares, those of the position or of the whole game.
    pub(super) fn show_heat(&mut self, is_whole_game: bool) -> io::Result<()> {
        let view = self.view(None);
        let map = self.engine.heat_map(is_whole_game);
        writeln!(self.out, "{}", screen::heat(self.engine.game(), &map, view))?;
        if !view.style.color {
            writeln!(self.out, "1 to 9: how contested a square is. 2 is warm, 4 hot, 6 very hot.")?;
        }
        Ok(())
    }
}
