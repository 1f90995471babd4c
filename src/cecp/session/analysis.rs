//! Analyze mode: the engine searches the position on the board and never moves.

use super::{CecpSession, Mode};
use crate::cecp::wire::{Exclusion, Fault, Reply, RootReport};
use crate::play::RunningSearch;
use crate::search::Limits;
use crate::types::Move;

impl CecpSession {
    /// `analyze`.
    pub(super) fn begin_analysis(&mut self) {
        self.stop_search();
        self.analyze();
    }

    /// `exit`: back to force mode.
    pub(super) fn end_analysis(&mut self) {
        if matches!(self.mode, Mode::Analyzing(_)) {
            self.force();
        }
    }

    /// Starts the analysis of the present position, if there is a move to search.
    pub(super) fn analyze(&mut self) {
        let search = (!self.analyzed_moves().is_empty()).then(|| {
            let excluded_root_moves = self.excluded.clone();
            let limits = Limits { excluded_root_moves, infinite: true, ..Limits::default() };
            RunningSearch::new(self.engine.analyze(limits, None, self.now), self.now)
        });
        self.mode = Mode::Analyzing(search);
    }

    /// The legal moves that are not excluded.
    fn analyzed_moves(&self) -> Vec<Move> {
        let mut moves = self.legal_moves();
        moves.retain(|mv| !self.excluded.contains(mv));
        moves
    }

    /// `.`: reports the progress of the analysis. It always answers, because without an answer
    /// xboard stops asking.
    pub(super) fn report_root(&mut self) {
        let Mode::Analyzing(search) = &self.mode else { return };
        let status = search.as_ref().and_then(|search| search.handle.root_status());
        let since = search.as_ref().map_or(self.now, |search| search.since);
        let report = status
            .map(|status| RootReport::new(status, |mv| self.engine.game().coordinate(mv)))
            .unwrap_or_else(|| RootReport {
                time: self.now.since(since),
                nodes: 0,
                depth: 0,
                moves_left: 0,
                moves_total: self.analyzed_moves().len(),
                current: None,
            });
        self.say(Reply::RootReport(report));
    }

    /// `exclude`: leaves a root move, or all of them, out of the analysis.
    pub(super) fn exclude(&mut self, what: &Exclusion) {
        match what {
            Exclusion::All => self.excluded = self.engine.game().legal_moves(),
            Exclusion::Move(text) => match self.engine.game().parse_move(text) {
                Ok(mv) if !self.excluded.contains(&mv) => self.excluded.push(mv),
                Ok(_) => return,
                Err(_) => return self.refuse_exclusion("exclude", text),
            },
        }
        self.restart_analysis();
    }

    /// `include`: takes a root move, or all of them, back into the analysis.
    pub(super) fn include(&mut self, what: &Exclusion) {
        match what {
            Exclusion::All => self.excluded.clear(),
            Exclusion::Move(text) => match self.engine.game().parse_move(text) {
                Ok(mv) => self.excluded.retain(|&excluded| excluded != mv),
                Err(_) => return self.refuse_exclusion("include", text),
            },
        }
        self.restart_analysis();
    }

    /// Refuses with an error. `Illegal move` would make xboard take a move back.
    fn refuse_exclusion(&mut self, word: &str, text: &str) {
        self.say(Reply::error(Fault::BadArgument, &format!("{word} {text}")));
    }

    /// Starts a running analysis again. If every move is excluded, the old search goes on.
    pub(super) fn restart_analysis(&mut self) {
        if matches!(self.mode, Mode::Analyzing(_)) && !self.analyzed_moves().is_empty() {
            self.begin_analysis();
        }
    }
}
