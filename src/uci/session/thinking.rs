//! Lines of thinking.

use super::UciSession;
use crate::book::BookMove;
use crate::play::SearchId;
use crate::search::{Progress, RootStatus};
use crate::uci::wire::{Info, InfoScore, Reply, Wdl};

impl UciSession {
    fn is_of_search(&self, id: SearchId) -> bool {
        self.search.as_ref().is_some_and(|search| search.id() == Some(id))
    }

    pub(super) fn show_progress(&mut self, id: SearchId, progress: &Progress) {
        if !self.is_of_search(id) {
            return;
        }
        let wdl = self.uci.shows_wdl.then(|| {
            let [win, draw, loss] = self.variant().win_rate().chances(progress.score);
            Wdl { win, draw, loss }
        });
        let per_second = |time: f64| (time > 0.0).then(|| (progress.nodes as f64 / time) as u64);
        let info = Info {
            depth: Some(progress.depth),
            seldepth: Some(progress.seldepth),
            multipv: Some(progress.line as u32 + 1),
            score: Some(InfoScore { score: progress.score, bound: progress.bound }),
            wdl,
            nodes: Some(progress.nodes),
            nps: per_second(progress.time.as_secs_f64()),
            hashfull: Some(progress.hashfull),
            tbhits: Some(progress.tablebase_hits),
            time: Some(progress.time),
            pv: self.line_text(&progress.pv),
            ..Info::default()
        };
        self.say(Reply::Info(Box::new(info)));
    }

    pub(super) fn show_root(&mut self, id: SearchId, status: &RootStatus) {
        if let Some(current) = status.current.filter(|_| self.is_of_search(id)) {
            let number = status.moves_total.saturating_sub(status.moves_left);
            let info = Info {
                depth: Some(status.depth),
                currmove: Some(self.move_text(current)),
                currmovenumber: Some(number.max(1) as u32),
                ..Info::default()
            };
            self.say(Reply::Info(Box::new(info)));
        }
    }

    /// The moves of the book, of which the engine plays one.
    pub(super) fn show_book_moves(&mut self, id: SearchId, moves: &[BookMove]) {
        if self.is_of_search(id) {
            let total: f64 = moves.iter().map(|found| f64::from(found.weight)).sum();
            let share = |found: &BookMove| 100.0 * f64::from(found.weight) / total.max(1.0);
            let texts: Vec<String> = moves
                .iter()
                .map(|found| format!("{} {:.0}%", self.move_text(found.mv), share(found)))
                .collect();
            self.inform(&format!("book: {}", texts.join(", ")));
        }
    }
}
