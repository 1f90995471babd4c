//! The person's moves at the terminal: read, played, and taken back.

use std::io;

use super::chess_clock::ChessClock;
use super::{Terminal, request, screen};
use crate::notation::MoveError;
use crate::play::{HintSteps, ResignDrawPolicy};
use crate::types::{Color, GameResult, Move};

impl Terminal<'_> {
    pub(super) fn person_moves(&mut self, text: &str) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        match self.read_move(text) {
            Err(error) => self.refuse(text, &error),
            Ok(mv) => self.person_plays(mv),
        }
    }

    pub(super) fn person_plays(&mut self, mv: Move) -> io::Result<()> {
        if let Some(attempt) = self.puzzle.take() {
            return self.try_solution(attempt, mv);
        }
        let before = self.engine.game().fork();
        if !self.play(mv) {
            self.is_over()?;
            return Ok(());
        }
        self.review(&*before, mv)?;
        self.start_clock_again();
        if self.engine_side.is_none() {
            self.draw()?;
        }
        let over = self.is_over()?;
        if !over && self.is_engine_to_move() {
            self.reply()?;
        }
        Ok(())
    }

    /// The move that a person means: as it is written, or else in another spelling. The error is that of the first
    /// spelling that is understood.
    pub(super) fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let game = self.engine.game();
        let mut result = game.parse_move(text);
        for spelling in request::spellings(text) {
            let Err(error) = result else { break };
            result = game.parse_move(&spelling);
            if result.is_err() && error != MoveError::Unreadable {
                result = Err(error);
            }
        }
        result
    }

    pub(super) fn refuse(&mut self, text: &str, error: &MoveError) -> io::Result<()> {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
        writeln!(self.out, "{shown}: {error}. Type help for what I understand.")
    }

    /// Castles, if only one way is legal.
    pub(super) fn castle(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        let mut moves = self.engine.game().legal_moves();
        moves.retain(|mv| mv.is_castling());
        match moves.as_slice() {
            [] => writeln!(self.out, "Castling is not possible now."),
            &[only] => self.person_plays(only),
            _ => writeln!(self.out, "Say castle short or castle long."),
        }
    }

    /// Plays a move, and returns true, unless the time of the side to move is up.
    pub(super) fn play(&mut self, mv: Move) -> bool {
        let side = self.engine.game().side_to_move();
        let now = self.engine.now();
        let is_in_time = self.clock.as_mut().is_none_or(|clock| clock.spend(side, now));
        if is_in_time {
            self.moves.push(self.engine.game().san(mv));
            self.by_engine.push(self.engine_side == Some(side));
            self.engine.game_mut().play(mv);
            self.last_move = Some(mv);
            self.rated_game.settle_sides();
        } else {
            self.time_is_up(side);
        }
        is_in_time
    }

    /// The time of the side to move runs from now on: what the coach has needed since the last move is nobody's.
    pub(super) fn start_clock_again(&mut self) {
        let now = self.engine.now();
        if let Some(clock) = &mut self.clock {
            clock.start_again(now);
        }
    }

    /// Ends the game, and returns true, if the time of the side to move is up.
    pub(super) fn see_flag(&mut self) -> bool {
        let (side, now) = (self.engine.game().side_to_move(), self.engine.now());
        let is_over = self.ending().is_some();
        let fallen = self.clock.as_mut().filter(|clock| !is_over && clock.is_up(side, now));
        let Some(clock) = fallen else { return false };
        clock.spend(side, now);
        self.time_is_up(side);
        true
    }

    fn time_is_up(&mut self, side: Color) {
        let reason = format!("{side}'s time is up");
        self.declared_end = Some(match self.engine.game().can_win(!side) {
            true => (GameResult::Win(!side), reason),
            false => (GameResult::Draw, format!("{reason}, and {} cannot win", !side)),
        });
    }

    /// Back to the person's turn: one move, or two if the engine has answered. What the person has ended goes on.
    pub(super) fn undo(&mut self) -> io::Result<()> {
        let (side, now) = (self.engine.game().side_to_move(), self.engine.now());
        let last_mover = !side;
        // In a puzzle, too, where the engine has no side.
        let has_answered = self.by_engine.last() == Some(&true) && self.moves.len() > 1;
        let plies = if has_answered || self.engine_side == Some(last_mover) { 2 } else { 1 };
        let has_moves = self.engine.game().ply_count() >= plies;
        if !has_moves && self.declared_end.is_none() {
            writeln!(self.out, "There is no earlier position.")?;
            return self.draw();
        }
        let is_time_up = self.clock.as_ref().is_some_and(ChessClock::has_fallen);
        let has_ended_it =
            self.declared_end.is_some() && !is_time_up && self.engine_side != Some(side);
        // Only the end of the game is taken back.
        let plies = if has_moves && !has_ended_it { plies } else { 0 };
        self.declared_end = None;
        self.resign_draw = ResignDrawPolicy::default();
        self.rated_game.unrate();
        if let Some(clock) = &mut self.clock {
            clock.take_back(plies, now);
        }
        if plies == 0 {
            writeln!(self.out, "The game goes on.")?;
        } else {
            let mut taken_back = Vec::new();
            for _ in 0..plies {
                self.engine.game_mut().undo();
                taken_back.extend(self.moves.pop());
                self.by_engine.pop();
            }
            taken_back.reverse();
            self.last_move = None;
            self.hint_steps = HintSteps::default();
            let sheet = screen::score_sheet(&self.engine.game().fen(), &taken_back);
            writeln!(self.out, "Taken back: {sheet}.")?;
        }
        self.draw()
    }
}
