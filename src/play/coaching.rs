//! The engine as a coach: it studies positions for a short time, and judges the moves of a learner.
//!
//! A study is a search of full strength with a small number of nodes, whatever the level and the
//! stage. The caller waits for it.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use super::{Choice, Engine, Game, SearchEvent, SearchSink};
use crate::coach::{GameHeat, HeatMap, Judgement, MoveFacts, Opinion};
use crate::search::clock::TimeBudget;
use crate::search::{Bound, Limits, Progress};
use crate::types::{Moment, Move, Reason, Score};

/// The nodes of a study: a tenth of a second at a million nodes per second.
const STUDY_NODES: u64 = 100_000;
/// A study on a slow machine ends after this time.
const STUDY_TIME: Duration = Duration::from_secs(1);
/// The most moves of a line that are shown to a learner.
const LINE_LIMIT: usize = 6;

/// A line of moves and its score from the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudiedLine {
    pub score: Score,
    /// At least one move.
    pub moves: Vec<Move>,
}

/// What a coach says about a move that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The move in SAN, with its glyph.
    pub played: String,
    pub judgement: Judgement,
    /// The best move and the line that follows it, in SAN; `None` if the move was the best one.
    pub better: Option<BetterMove>,
    /// The position after the move.
    pub opinion: Opinion,
}

/// The move that a learner should have played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetterMove {
    /// In SAN; the first is the move itself.
    pub line: Vec<String>,
    /// Why it is good: at least one reason.
    pub reasons: Vec<String>,
}

impl Review {
    /// The verdict in words: `Nf3? Mistake, loses 12% of the winning chances`.
    pub fn sentence(&self) -> String {
        let Review { played, judgement, .. } = self;
        let noun = if judgement.is_criticism() { "" } else { " move" };
        format!("{played} {judgement}{noun}")
    }

    /// The better move in words, if the move deserves criticism: `Better: Nd5 attacks the queen; Nd5
    /// Qd8 Bg5`.
    pub fn advice(&self) -> Option<String> {
        let better = self.better.as_ref().filter(|_| self.judgement.is_criticism())?;
        let reasons = better.reasons.join(", ");
        let mut text = format!("Better: {} {reasons}", better.line[0]);
        if better.line.len() > 1 {
            text += &format!("; {}", better.line.join(" "));
        }
        Some(text)
    }
}

impl Engine {
    /// The best lines of a position of this variant, the best one first. None if the game is over
    /// there. Waits for a running search. Its time counts from `now`, but not before its real start:
    /// several studies may follow one event.
    pub fn study(&mut self, position: &dyn Game, count: usize, now: Moment) -> Vec<StudiedLine> {
        if position.outcome().is_some() {
            return Vec::new();
        }
        let limits = Limits { nodes: Some(STUDY_NODES), lines: count, ..Limits::default() };
        let budget = TimeBudget { soft: STUDY_TIME, hard: STUDY_TIME };
        let (sender, events) = mpsc::channel();
        let sink: SearchSink = Arc::new(move |event| {
            // The receiver waits below.
            let _ = sender.send(event);
        });
        let none = Choice::unsearched(None);
        let now = now.max(self.now());
        let (handle, reporter) = self.open_search(none, sink, Some(budget), now);
        self.submit(&handle, reporter, position.fork(), limits, None);
        let wanted = count.min(position.legal_moves().len());
        let mut lines = Lines { wanted, current: Vec::new(), complete: Vec::new() };
        for event in events {
            match event {
                SearchEvent::Progress(_, progress) => lines.add(progress),
                SearchEvent::Finished(..) => break,
                SearchEvent::Book(..) | SearchEvent::Message(_) => {}
            }
        }
        lines.best()
    }

    /// Judges a legal move of a position of this variant. `None` if the engine cannot search there.
    /// Waits for a running search.
    pub fn review(&mut self, before: &dyn Game, mv: Move, now: Moment) -> Option<Review> {
        let mover = before.side_to_move();
        let lines = self.study(before, 2, now);
        let first = lines.first()?;
        let mut after = before.fork();
        after.play(mv);
        let known = lines.iter().find(|line| line.moves[0] == mv).map(|line| line.score);
        let played = match after.outcome() {
            Some(outcome) => outcome.score_for(mover),
            None => match known {
                Some(score) => score,
                None => -self.study(&*after, 1, now).first()?.score,
            },
        };
        let second = lines.get(1).map(|line| line.score);
        let best = (first.moves[0], first.score);
        // At the end of the game, the best move is one ply from it.
        let facts = move_facts(before, mv, best, second, played.min(Score::win_in(1)));
        let judgement = facts.judge();
        let better = match missed_win(before, mv) {
            Some((mv, _)) => Some((vec![mv], Some(Score::win_in(1)))),
            None if facts.is_best => None,
            None => Some((first.moves.clone(), Some(first.score))),
        };
        Some(Review {
            played: format!("{}{}", before.san(mv), judgement.glyph()),
            judgement,
            better: better.map(|(moves, score)| BetterMove {
                line: line_in_san(before, &moves),
                reasons: before.reasons(moves[0], score),
            }),
            opinion: after.opinion(-played),
        })
    }

    /// Why a legal move of the position on the board is good, the strongest reason first. A search
    /// looks for a threat of the opponent that the move stops. Waits for a running search.
    pub fn explain(&mut self, mv: Move, now: Moment) -> Vec<String> {
        let game = self.game().fork();
        let mut reasons = game.reasons(mv, None);
        let mut after = game.fork();
        after.play(mv);
        if after.outcome().is_none()
            && let Some(threat) = self.threat(&*game, now)
        {
            let answers = self.study(&*after, 1, now);
            let still_lost = answers.first().is_some_and(|line| line.score.is_win());
            if !still_lost {
                reasons.insert(0, format!("stops {threat}"));
            }
        }
        reasons
    }

    /// How the opponent would end the game by force if the side to move passed: `mate in 2`. `None`
    /// if there is no such threat or the side to move is in check.
    fn threat(&mut self, game: &dyn Game, now: Moment) -> Option<String> {
        let mut passed = game.fork();
        passed.set_side_to_move(!game.side_to_move()).ok()?;
        let line = self.study(&*passed, 1, now).into_iter().next()?;
        let moves = line.score.moves_to_end().filter(|&moves| moves > 0)?;
        for mv in line.moves {
            passed.play(mv);
        }
        // Without an outcome, the line does not show the end.
        let end = passed.outcome().and_then(|outcome| outcome.reason.winning_noun());
        let end = end.unwrap_or("a loss");
        Some(format!("{end} in {moves}"))
    }

    /// The contested squares: of the position on the board, or of the whole game up to it.
    pub fn heat_map(&self, is_whole_game: bool) -> HeatMap {
        if !is_whole_game {
            return self.game().heat_map();
        }
        let mut heat = GameHeat::default();
        let mut game = self.game().fork();
        heat.add(&game.heat_map());
        while game.undo().is_some() {
            heat.add(&game.heat_map());
        }
        heat.map()
    }
}

/// The facts about a legal move, for a verdict. `best` is the best move with its score, `second` the
/// score of the second-best move if there is one, `played` that of the move: all from the mover's side.
pub fn move_facts(
    before: &dyn Game,
    mv: Move,
    best: (Move, Score),
    second: Option<Score>,
    played: Score,
) -> MoveFacts {
    let is_best = best.0 == mv;
    MoveFacts {
        // The score of the move itself looks one ply further.
        best: if is_best { played } else { best.1.max(played) },
        second,
        played,
        is_best,
        is_recapture: is_recapture(before, mv),
        is_sacrifice: before.gives_up_material(mv),
        missed_win: missed_win(before, mv).map(|(_, reason)| reason),
    }
}

/// A move that would have won at once, and how, if this legal move does not.
pub fn missed_win(before: &dyn Game, mv: Move) -> Option<(Move, Reason)> {
    let winning = before.winning_end()?;
    let mut after = before.fork();
    after.play(mv);
    let has_won = after.outcome().is_some_and(|end| end.winner == Some(before.side_to_move()));
    (!has_won).then_some(winning)
}

/// The lines of a search, kept for each iteration.
struct Lines {
    wanted: usize,
    current: Vec<StudiedLine>,
    /// Those of the last iteration that found all of them.
    complete: Vec<StudiedLine>,
}

impl Lines {
    fn add(&mut self, progress: Progress) {
        if progress.bound != Bound::Exact || progress.pv.is_empty() {
            return;
        }
        if progress.line == 0 {
            self.current.clear();
        }
        if progress.line == self.current.len() {
            self.current.push(StudiedLine { score: progress.score, moves: progress.pv });
        }
        if self.current.len() == self.wanted {
            self.complete = self.current.clone();
        }
    }

    fn best(self) -> Vec<StudiedLine> {
        if self.complete.is_empty() { self.current } else { self.complete }
    }
}

/// Does the move take the piece that has just taken something?
fn is_recapture(before: &dyn Game, mv: Move) -> bool {
    let last = before.fork().undo();
    mv.is_capture() && last.is_some_and(|last| last.is_capture() && last.to() == mv.to())
}

/// The first moves of a line in SAN.
fn line_in_san(start: &dyn Game, moves: &[Move]) -> Vec<String> {
    let mut game = start.fork();
    moves
        .iter()
        .take(LINE_LIMIT)
        .map(|&mv| {
            let san = game.san(mv);
            game.play(mv);
            san
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::Verdict;
    use crate::play::{EngineSettings, Host, ResourceLimits, Stage};
    use crate::variants::VariantId;

    /// An engine after these moves. Coaching ignores its stage.
    fn after(variant: VariantId, moves: &str) -> Engine {
        let settings =
            EngineSettings { stage: Stage::Random, hash: 1, ..EngineSettings::default() };
        let sink = Arc::new(|_| {});
        let mut engine = Engine::new(variant, settings, Host::native(ResourceLimits::OWNER, sink));
        for text in moves.split_whitespace() {
            let mv = engine.game().parse_move(text).unwrap();
            engine.game_mut().play(mv);
        }
        engine
    }

    fn review(variant: VariantId, moves: &str, played: &str) -> Review {
        let mut engine = after(variant, moves);
        let before = engine.game().fork();
        let mv = before.parse_move(played).unwrap();
        engine.review(&*before, mv, Moment::START).unwrap()
    }

    #[test]
    fn a_blunder_is_named_and_bettered() {
        let review = review(VariantId::Standard, "e4 e5 Qh5", "Ke7");
        assert_eq!(review.judgement.verdict, Verdict::Blunder);
        let said = review.sentence();
        assert!(said.starts_with("Ke7?? Blunder, loses ") && review.judgement.loss > 0.4, "{said}");
        assert_eq!(review.opinion.headline, "White wins in 1");
        let better = review.better.unwrap();
        assert!(["Nc6", "d6", "Nf6", "Qe7"].contains(&&*better.line[0]), "{better:?}");
        assert!(better.line.len() > 1 && !better.reasons.is_empty(), "{better:?}");
    }

    #[test]
    fn a_missed_third_check_is_told() {
        let moves = "e4 e5 Bc4 Nc6 Bxf7+ Kxf7 Qh5+ g6";
        let missed = review(VariantId::ThreeCheck, moves, "Nf3");
        assert_eq!(
            missed.judgement.verdict,
            Verdict::MissedWin(Reason::Variant("gives third check"))
        );
        let advice = missed.advice().unwrap();
        assert!(
            advice.starts_with("Better: Q") && advice.ends_with("gives third check"),
            "{advice}"
        );
        let taken = review(VariantId::ThreeCheck, moves, "Qxg6+");
        assert!(!taken.judgement.is_criticism(), "{taken:?}");
        assert_eq!((taken.judgement.loss, taken.advice()), (0.0, None));
    }

    #[test]
    fn a_hint_tells_the_threat_that_it_stops() {
        let mut engine = after(VariantId::Standard, "e4 e5 Bc4 Nc6 Qh5");
        let mv = engine.game().parse_move("g6").unwrap();
        let reasons = engine.explain(mv, Moment::START);
        assert_eq!(reasons, ["stops mate in 1", "attacks the queen"]);
    }

    #[test]
    fn the_heat_of_a_game_sums_its_positions() {
        let engine = after(VariantId::Standard, "e4 d5 Nc3 d4");
        let heat = |map: HeatMap, square| map.heat(crate::types::Square::parse(square).unwrap());
        // A pawn attacks the knight, which two pawns guard.
        assert_eq!(heat(engine.heat_map(false), "c3"), 3 * 9 + 45);
        assert!(heat(engine.heat_map(true), "c3") > 3 * 9 + 45);
        // The queen against the knight; the pawns stood against each other before.
        assert_eq!(heat(engine.heat_map(false), "d5"), 3 * 3);
        assert!(heat(engine.heat_map(true), "d5") > 3 * 3);
    }
}
