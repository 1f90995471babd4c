//! The ends of games, and the reports on them.

use std::mem;

use super::{Dialogue, Now};
use crate::arena::check::ending::{Ending, EndingKind, Evidence};
use crate::arena::check::item::Item;
use crate::arena::check::report::GameReport;
use crate::arena::check::sheet::{Sheet, Violation};
use trebuchet::types::GameResult;

impl Dialogue {
    /// The log ends. The reports on all games of this bot.
    pub fn end(mut self, now: Now) -> Vec<GameReport> {
        self.settle_overheard();
        if let (Some(turn), false) = (self.turn, self.is_spoiled()) {
            self.judge_silence(now, Some(turn), false, "");
        }
        self.pings.end(&mut self.sheet, now.at, self.has_quit, !self.is_dead);
        self.end_game_on_board();
        self.finish_game(now);
        if self.reports.is_empty() && self.begins.is_some() {
            self.report_no_game();
        }
        self.reports
    }

    /// Reports on the last game, if there was one. Without one, what happened before the first game
    /// belongs to that game.
    pub(super) fn finish_game(&mut self, now: Now) {
        self.settle_gui_move(now);
        let Some(game) = self.game.take() else { return };
        let told = game.told.as_ref().map(|(result, comment)| (*result, comment.as_str()));
        let ending = Ending::of(&Evidence {
            told,
            outcome: game.outcome,
            resigned: game.resigned,
            has_illegal_move: game.has_illegal_move,
            has_false_claim: game.has_false_claim,
        });
        if game.moves > 0 {
            self.sheet.kept(Item::AcceptsLegalMoves);
        }
        let sheet = self.take_sheet();
        self.reports.push(GameReport {
            file: self.file.clone(),
            game: game.number,
            line: game.line,
            seat: Some(self.seat),
            name: self.shown_name(),
            opponent: None,
            variant: game.variant,
            color: Some(game.color),
            moves: game.moves,
            ending,
            sheet,
        });
    }

    /// The GUI has started the bot, but not asked for a move.
    fn report_no_game(&mut self) {
        let sheet = self.take_sheet();
        self.reports.push(GameReport {
            file: self.file.clone(),
            game: 0,
            line: self.begins.map_or(1, |begins| begins.line),
            seat: Some(self.seat),
            name: self.shown_name(),
            opponent: None,
            variant: self.variant.clone(),
            color: None,
            moves: 0,
            ending: Ending {
                result: GameResult::Unfinished,
                kind: EndingKind::Unfinished,
                reason: "the bot was never asked for a move".to_owned(),
            },
            sheet,
        });
    }

    fn shown_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.seat.to_string())
    }

    /// The finished sheet; a new one takes its place.
    fn take_sheet(&mut self) -> Sheet {
        for item in [Item::NothingMisread, Item::KeepsRunning] {
            self.sheet.kept(item);
        }
        // The handshake belongs to the first game.
        if let (Some(begins), true) = (self.begins, self.reports.is_empty()) {
            if self.features.is_done {
                self.sheet.kept(Item::Features);
            } else if self.features.is_any {
                let text = "no `done=1` after the features, so xboard waits for ten seconds";
                self.sheet.broken(Item::Features, Violation::at_line(begins.line, text));
            } else {
                self.sheet.not_judged(Item::Features, "no feature line: a bot of protocol 1");
            }
        }
        mem::take(&mut self.sheet)
    }
}
