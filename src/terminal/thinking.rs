//! The engine's moves at the terminal: it thinks, shows what it thinks, and can be made to move.

use std::io;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::Terminal;
use super::screen::{self, pawns};
use crate::play::{Choice, SearchEvent, SearchHandle};
use crate::search::time_management::TimeBudget;
use crate::search::{Limits, Progress};
use crate::types::Color;

/// How often the person's keys are looked at while the engine thinks.
const LOOK: Duration = Duration::from_millis(50);
/// Goes to the start of the line and erases it.
const ERASE_LINE: &str = "\r\x1b[K";

/// Where a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The search, or the stage.
    Engine,
    Book,
}

impl Terminal<'_> {
    pub(super) fn is_engine_to_move(&self) -> bool {
        self.engine_side == Some(self.engine.game().side_to_move())
    }

    /// The engine moves.
    pub(super) fn reply(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        let side = self.engine.game().side_to_move();
        let (choice, source) = self.think()?;
        let Some(best) = choice.best else {
            match self.engine.stage_problem() {
                Some(problem) => writeln!(self.out, "{problem}, so I resign.")?,
                None => writeln!(self.out, "This stage allows me no move, so I resign.")?,
            }
            return self.give_up(side);
        };
        let number = screen::move_number(self.engine.game());
        let before = self.engine.game().fork();
        if !self.play(best) {
            self.is_over()?;
            return Ok(());
        }
        self.resign_draw.note_score(choice.score, &self.policy_input());
        let san = self.moves.last().map_or("", String::as_str);
        // The coach has already said who stands better, and has looked further.
        let score = choice.score.filter(|_| !self.has_coach);
        match (score, source) {
            (_, Source::Book) => writeln!(self.out, "I play {number}{san}  (book)")?,
            (Some(score), _) => {
                writeln!(self.out, "I play {number}{san}  ({})", pawns(score, side))?;
            }
            (None, _) => writeln!(self.out, "I play {number}{san}")?,
        }
        self.draw()?;
        if !self.is_over()? && self.has_coach && self.tells_mistakes {
            let now = self.engine.now();
            let chance = self.engine.chance_after(&*before, best, now);
            self.start_clock_again();
            if let Some(chance) = chance {
                writeln!(self.out, "{chance}.")?;
            }
        }
        Ok(())
    }

    /// Looks for the engine's move.
    pub(super) fn think(&mut self) -> io::Result<(Choice, Source)> {
        let now = self.engine.now();
        let budget = match &self.clock {
            Some(clock) => {
                let side = self.engine.game().side_to_move();
                clock.budget(side, now, &self.engine.clock_shares())
            }
            None => TimeBudget { soft: self.move_time, hard: self.move_time },
        };
        let search = self.engine.think_against_person(Limits::default(), Some(budget), now);
        self.wait_for(&search)
    }

    /// Waits for the end of a search, shows its progress, and listens to the person.
    fn wait_for(&mut self, search: &SearchHandle) -> io::Result<(Choice, Source)> {
        let mut shown = self.show_thinking(None);
        let mut source = Source::Engine;
        let choice = loop {
            match self.events.recv_timeout(LOOK) {
                Ok(SearchEvent::Finished(id, choice)) if id == search.id() => break choice,
                Ok(SearchEvent::Progress(id, progress)) if id == search.id() => {
                    shown = shown.and(self.show_thinking(Some(&progress)));
                }
                Ok(SearchEvent::Book(id, _)) if id == search.id() => source = Source::Book,
                Ok(SearchEvent::Message(message)) => {
                    let erased = if self.style.live { ERASE_LINE } else { "" };
                    shown = shown.and(writeln!(self.out, "{erased}{}.", message.text));
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Choice::unsearched(None),
            }
            if self.person.wants_move() {
                search.stop();
            }
        };
        if self.style.live {
            shown = shown.and(write!(self.out, "{ERASE_LINE}"));
        }
        shown.map(|()| (choice, source))
    }

    pub(super) fn show_thinking(&mut self, progress: Option<&Progress>) -> io::Result<()> {
        if self.style.live {
            let line = screen::thinking(self.engine.game(), progress);
            // A line that goes on in the next row could not be erased.
            let row = line.get(..self.person.columns() - 1).unwrap_or(&line);
            write!(self.out, "{ERASE_LINE}{row}")?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// The evaluation of the position on the board.
    pub(super) fn show_evaluation(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        let (score, side) = (self.engine.evaluate(), self.engine.game().side_to_move());
        writeln!(self.out, "{}  (+ is good for White)", pawns(score, side))
    }

    /// A good move for the person: the one that the coach thinks best, if there is a coach; else that of a short search.
    pub(super) fn hint(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        if let Some(attempt) = self.puzzle.clone() {
            return self.hint_at_solution(&attempt);
        }
        let now = self.engine.now();
        let ply = self.engine.game().ply_count();
        let meant = if self.has_coach { self.hint_steps.meant(ply) } else { None };
        let best = match meant {
            Some(mv) => Some(mv),
            None if self.has_coach => self.engine.best_by_study(now),
            None => {
                let search = self.engine.hint(now);
                self.wait_for(&search)?.0.best
            }
        };
        match best {
            Some(mv) if self.has_coach => {
                let position = self.engine.game().fork();
                if meant.is_none() {
                    self.hint_steps.begin(ply, mv);
                    let clue = self.engine.clue(&*position, mv, now);
                    return writeln!(self.out, "{clue}. Say hint again for the move.");
                }
                let reasons = self.engine.explain(&*position, mv, now).join(", ");
                let reasons = if reasons.is_empty() { reasons } else { format!(" It {reasons}.") };
                writeln!(self.out, "I would play {}.{reasons}", position.san(mv))
            }
            Some(mv) => writeln!(self.out, "I would play {}.", self.engine.game().san(mv)),
            None => writeln!(self.out, "I would resign."),
        }
    }

    /// The person plays a side, and the engine the other.
    pub(super) fn take_side(&mut self, side: Color) -> io::Result<()> {
        self.hand_over(Some(!side));
        self.below = side;
        if self.is_engine_to_move() { self.reply() } else { self.draw() }
    }

    /// The engine plays this side from now on, or none.
    pub(super) fn hand_over(&mut self, engine_side: Option<Color>) {
        if self.engine_side != engine_side {
            self.rated_game.changed_sides();
        }
        self.engine_side = engine_side;
    }
}
