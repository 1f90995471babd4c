//! The coach: verdicts on the learner's moves, reasons of hints, and the heat map on the GUI's board.
//!
//! It helps when the learner has switched it on, or plays a game for learning. It never helps against
//! another engine or on a chess server.

use super::CecpSession;
use crate::board::fen::placement;
use crate::cecp::wire::{Reply, Thinking, message};
use crate::coach::Assessment;
use crate::play::Game;
use crate::protocol::options::HeatDisplay;
use crate::types::Move;

/// From these heats on, a square is warm, hot, or very hot. Each has a colour of xboard's.
const COLORS: [(u8, char); 3] = [(70, 'r'), (40, 'm'), (20, 'y')];

impl CecpSession {
    pub(super) const fn is_coaching(&self) -> bool {
        (self.settings.coach || self.gui.is_lesson)
            && !self.gui.opponent_is_engine
            && !self.gui.is_on_server
    }

    /// Judges a move that the learner has made.
    pub(super) fn review_move(&mut self, before: &dyn Game, mv: Move) {
        let Some(assessment) = self.engine.review(before, mv, self.now) else { return };
        let verdict = verdict_of(&assessment).join(". ");
        if self.settings.popup_verdicts && assessment.judgement.is_criticism() {
            self.say(Reply::TellUser(message(&verdict)));
        }
        // If the user wants that, xboard adds this to the record of the game.
        self.say(Reply::TellOthers(message(&verdict)));
        self.last_assessment = Some(assessment);
    }

    /// Shows what the coach thinks of the learner's last move and of the position now. While the engine
    /// thinks, its own lines would hide that.
    pub(super) fn show_opinion(&mut self) {
        if !self.is_coaching() || !self.gui.post {
            return;
        }
        let assessment = self.last_assessment.take();
        let position = self.engine.game().fork();
        let mut remarks = assessment.as_ref().map_or(Vec::new(), verdict_of);
        // There is no line if the game is over.
        if let Some(line) = self.engine.study(&*position, 1, self.now).first() {
            let opinion = position.opinion(line.score);
            remarks.extend([opinion.headline.clone(), opinion.made_of()]);
        }
        remarks.retain(|remark| !remark.is_empty());
        // xboard shows the line with the greatest number at the top.
        for (remark, number) in remarks.iter().rev().zip(1..) {
            self.say(Reply::Thinking(Thinking::remark(number, &message(remark))));
        }
    }

    /// Says why a hint is good. xboard shows this in place of the hint, so it repeats the move.
    pub(super) fn explain_hint(&mut self, mv: Move) {
        if self.is_coaching() && !self.is_searching() {
            let position = self.engine.game().fork();
            let reasons = self.engine.explain(&*position, mv, self.now).join(", ");
            let san = position.san(mv);
            self.say(Reply::TellUser(message(&format!("Hint: {san} {reasons}"))));
        }
    }

    /// Colours the contested squares.
    pub(super) fn show_heat(&mut self) {
        if !self.is_coaching() || self.is_position_illegal {
            return;
        }
        let is_whole_game = match self.settings.heat_map {
            HeatDisplay::Off => return,
            HeatDisplay::Position => false,
            HeatDisplay::Game => true,
        };
        let map = self.engine.heat_map(is_whole_game);
        let colors = placement(|square| {
            COLORS.iter().find(|(least, _)| map.heat(square) >= *least).map(|(_, color)| *color)
        });
        self.say(Reply::Highlight(colors));
    }

    /// Removes the colours when the coach stops.
    pub(super) fn hide_heat(&mut self) {
        self.say(Reply::Highlight(placement(|_| None)));
    }
}

/// The verdict in words, how the move is punished, and the better move, as far as there are such.
fn verdict_of(assessment: &Assessment) -> Vec<String> {
    let verdict = Some(assessment.sentence());
    let remarks = [verdict, assessment.punishment(), assessment.advice_with_line()];
    remarks.into_iter().flatten().collect()
}

/// The colour for the target of a legal move: green is safe, yellow is contested, red loses material.
pub(super) fn prospect(game: &dyn Game, mv: Move) -> char {
    if game.gives_up_material(mv) {
        return 'R';
    }
    let mut after = game.fork();
    after.play(mv);
    if after.heat_map().pressure(mv.to(), !game.side_to_move()) > 0 { 'Y' } else { 'G' }
}
