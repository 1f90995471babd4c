//! The engine as a coach: it studies positions for a short time, and judges the moves of a learner.
//!
//! [`review`] and [`explain`] work with any source of best lines. The engine's source is a study: a search
//! of full strength with a small number of nodes, whatever the level and the stage. The caller waits for
//! it.

use std::cmp::Reverse;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use super::engine::Task;
use super::{Choice, Engine, Game, IsWanted, SearchEvent, SearchSink, Thinker};
use crate::coach::{Assessment, BestLines, GameHeat, HeatMap, Line, before_move};
use crate::search::time_management::TimeBudget;
use crate::search::{Limits, Observer};
use crate::types::{Moment, Move, Outcome, Reason};

/// A study on a slow machine ends after this time.
const STUDY_TIME: Duration = Duration::from_secs(1);

/// So many studies are enough for nearly every review.
const REVIEW_STUDIES: u32 = 5;

/// How many lines a move is compared with: the best one, and the one that would be best without it.
const REVIEWED_LINES: usize = 2;

/// Finds the best lines of a position, the best one first: at most this many, and none if the game is over
/// there. After a draw by repetition, fifty moves or dead material it may go on.
pub type Study<'a> = dyn FnMut(&dyn Game, usize) -> Vec<Line> + 'a;

/// The best lines before a legal move, and those after it.
pub type Findings = [Vec<Line>; 2];

/// What a study finds before a legal move and after it. A move that deserves criticism and the one that is better are
/// both searched from the positions after them. `None` if the study finds nothing.
pub fn findings(before: &dyn Game, mv: Move, study: &mut Study) -> Option<Findings> {
    let mut lines = study(before, REVIEWED_LINES);
    let mut study = |position: &dyn Game, count: usize| match position.outcome() {
        None => study(position, count),
        Some(_) => Vec::new(),
    };
    let mut after = before.fork();
    after.play(mv);
    // One of the best moves has its score already.
    let is_known = lines.iter().any(|line| line.moves.first() == Some(&mv));
    let mut lines_after = if is_known { Vec::new() } else { study(&*after, 1) };
    let has_score = is_known || !lines_after.is_empty() || after.outcome().is_some();
    if lines.is_empty() || !has_score {
        return None;
    }
    let mut confirmed = Vec::new();
    while let Some(better) = unconfirmed(before, mv, &lines, &lines_after, &confirmed) {
        if lines_after.is_empty() {
            lines_after = study(&*after, 1);
        }
        let mut instead = before.fork();
        instead.play(better);
        // Both moves are compared by searches of the positions after them.
        confirm(&mut lines, mv, lines_after.first().cloned());
        confirm(&mut lines, better, study(&*instead, 1).into_iter().next());
        confirmed.push(better);
    }
    Some([lines, lines_after])
}

/// The better move, the first one of `lines`, if a legal move is criticised because of it and no search of the
/// position after it has confirmed it yet. A move that is known to end the game needs none.
pub fn unconfirmed(
    before: &dyn Game,
    mv: Move,
    lines: &[Line],
    lines_after: &[Line],
    confirmed: &[Move],
) -> Option<Move> {
    let said = before.assess(lines, mv, lines_after);
    let best = said.lines.first().filter(|_| said.judgement.is_criticism())?;
    let better = *best.moves.first()?;
    (!best.score.is_known_end() && !confirmed.contains(&better)).then_some(better)
}

/// Gives the line that begins with a move the score of the best answer to it, which a search of the position after the
/// move has found, and puts the lines in order again. Without such a line or an answer the lines stay.
pub fn confirm(lines: &mut [Line], mv: Move, answer: Option<Line>) {
    let line = lines.iter_mut().find(|line| line.moves.first() == Some(&mv));
    let (Some(line), Some(answer)) = (line, answer) else { return };
    let moves = line.moves.iter().take(1).copied().chain(answer.moves).collect();
    *line = Line { score: before_move(-answer.score), depth: answer.depth + 1, moves };
    lines.sort_by_key(|line| Reverse(line.score));
}

/// Judges a legal move with the lines of a study. `None` if the study finds nothing.
pub fn review(before: &dyn Game, mv: Move, study: &mut Study) -> Option<Assessment> {
    let [lines, lines_after] = findings(before, mv, study)?;
    Some(before.assess(&lines, mv, &lines_after))
}

/// Why a legal move is good, the strongest reason first. The study looks for a threat of the opponent
/// that the move stops.
pub fn explain(before: &dyn Game, mv: Move, study: &mut Study) -> Vec<String> {
    let mut reasons = before.reasons(mv, None);
    let mut after = before.fork();
    after.play(mv);
    if after.outcome().is_none()
        && let Some(threat) = threat(before, study)
    {
        let answers = study(&*after, 1);
        let still_lost = answers.first().is_some_and(|line| line.score.is_win());
        if !still_lost {
            reasons.insert(0, threat.stopped());
        }
    }
    reasons
}

/// The first of two steps of a hint: what to look at, without the move: `Look at the knight on e5`.
pub fn clue(before: &dyn Game, mv: Move, study: &mut Study) -> String {
    let mut after = before.fork();
    after.play(mv);
    let wins = after.outcome().is_some_and(|end| end.winner == Some(before.side_to_move()));
    // No threat matters to a move that wins at once.
    if !wins && let Some(threat) = threat(before, study) {
        return threat.announced();
    }
    let name = |square| before.piece_at(square).map_or("pawn", |piece| piece.kind().name());
    if mv.is_capture() && !mv.is_en_passant() {
        return format!("Look at the {} on {}", name(mv.to()), mv.to());
    }
    if after.is_in_check() {
        return "Look for a check".to_owned();
    }
    if mv.is_castling() {
        return "Think of your king".to_owned();
    }
    if let Some(kind) = mv.dropped() {
        return format!("Think of the {} in your hand", kind.name());
    }
    format!("Think of your {} on {}", name(mv.from()), mv.from())
}

/// How the opponent would end the game by force.
struct Threat {
    /// `None` if it is not known.
    end: Option<Reason>,
    moves: i32,
}

impl Threat {
    /// `Your opponent threatens mate in 2`.
    fn announced(&self) -> String {
        let end = self.end.and_then(Reason::threat).unwrap_or_else(|| "to win".to_owned());
        format!("Your opponent threatens {end} in {}", self.moves)
    }

    /// `stops mate in 2`.
    fn stopped(&self) -> String {
        let stopped =
            self.end.and_then(Reason::stopped).unwrap_or_else(|| "stops a loss".to_owned());
        format!("{stopped} in {}", self.moves)
    }
}

/// What the opponent would do if the side to move passed. `None` if there is no threat to win, or if the side to move
/// is in check.
fn threat(game: &dyn Game, study: &mut Study) -> Option<Threat> {
    let mut passed = game.fork();
    passed.set_side_to_move(!game.side_to_move()).ok()?;
    let line = study(&*passed, 1).into_iter().next()?;
    let moves = line.score.moves_to_end().filter(|&moves| moves > 0)?;
    for mv in line.moves {
        passed.play(mv);
    }
    // Without an outcome, the line does not show the end.
    let end = passed.outcome().map(|outcome| outcome.reason);
    Some(Threat { end, moves })
}

impl Engine {
    /// Who knows whether the engine is wanted for something else while it studies.
    pub fn set_is_wanted(&mut self, is_wanted: IsWanted) {
        self.interruption.set_is_wanted(is_wanted);
    }

    /// Does work that studies positions. `None` if the engine was wanted meanwhile: then the studies
    /// have ended at once, and what they have found is of no use.
    pub fn unless_interrupted<T>(&mut self, work: impl FnOnce(&mut Engine) -> T) -> Option<T> {
        self.interruption.allow();
        let found = work(self);
        (!self.interruption.forbid()).then_some(found)
    }

    /// The best lines of a position of this variant, the best one first. None if the game is over
    /// there. Waits for a running search. Its time counts from `now`, but not before its real start:
    /// several studies may follow one event.
    pub fn study(&mut self, position: &dyn Game, count: usize, now: Moment) -> Vec<Line> {
        match position.outcome() {
            None => self.study_within(position, count, now, STUDY_TIME),
            Some(_) => Vec::new(),
        }
    }

    /// The same in this time, also after draws after which games of files go on. Without time there are no lines.
    fn study_within(
        &mut self,
        position: &dyn Game,
        count: usize,
        now: Moment,
        time: Duration,
    ) -> Vec<Line> {
        let can_go_on = |outcome: Outcome| {
            use Reason::{FiftyMoves, InsufficientMaterial, Repetition};
            matches!(outcome.reason, Repetition | FiftyMoves | InsufficientMaterial)
        };
        let is_over = position.outcome().is_some_and(|outcome| !can_go_on(outcome));
        if is_over || time.is_zero() || self.interruption.must_end() {
            return Vec::new();
        }
        let limits = Limits {
            nodes: Some(position.study_nodes()),
            lines: count,
            impartial: true,
            ..Limits::default()
        };
        let budget = TimeBudget::exactly(time, Duration::ZERO);
        let (sender, events) = mpsc::channel();
        let sink: SearchSink = Arc::new(move |event| {
            // The receiver waits below.
            let _ = sender.send(event);
        });
        let none = Choice::unsearched(None);
        let now = now.max(self.now());
        let (handle, reporter) = self.open_search(none, sink, Some(budget), now);
        let task = Task { thinker: Thinker::Engine, pause: Duration::ZERO };
        self.submit(&handle, reporter, position.fork(), limits, task);
        let mut lines = BestLines::new(count.min(position.legal_moves().len()));
        while let Some(event) = self.interruption.event(&events, &handle) {
            match event {
                SearchEvent::Progress(_, progress) => lines.line(progress),
                SearchEvent::Finished(_, choice) => return lines.finish(line_of(&choice)),
                SearchEvent::Root(..) | SearchEvent::Book(..) | SearchEvent::Message(_) => {}
            }
        }
        lines.finish(None)
    }

    /// The best move of the position on the board by the study with which [`Engine::review`] judges it: a hint
    /// that the coach would not criticise. Waits for a running search.
    pub fn best_by_study(&mut self, now: Moment) -> Option<Move> {
        let position = self.game().fork();
        let lines = self.study(&*position, REVIEWED_LINES, now);
        lines.first().and_then(|line| line.moves.first().copied())
    }

    /// Judges a legal move of a position of this variant. `None` if the engine cannot search there.
    /// Waits for a running search.
    pub fn review(&mut self, before: &dyn Game, mv: Move, now: Moment) -> Option<Assessment> {
        let mut study =
            |position: &dyn Game, count| self.study_within(position, count, now, STUDY_TIME);
        review(before, mv, &mut study)
    }

    /// The same while a clock runs: all studies together take `most` at most, in equal shares. `None` also if there are
    /// too many of them.
    pub fn review_within(
        &mut self,
        before: &dyn Game,
        mv: Move,
        now: Moment,
        most: Duration,
    ) -> Option<Assessment> {
        let share = most / REVIEW_STUDIES;
        let mut is_late = false;
        let found = review(before, mv, &mut |position, count| {
            is_late |= self.now().since(now) + share > most;
            let time = if is_late { Duration::ZERO } else { share.min(STUDY_TIME) };
            self.study_within(position, count, now, time)
        });
        found.filter(|_| !is_late)
    }

    /// What the opponent can make of a legal move of the engine, if that was a mistake and can be proven:
    /// `Your chance: I left the rook on a1`. At full strength the engine looks no further than it has
    /// already. Waits for a running search.
    pub fn chance_after(&mut self, before: &dyn Game, mv: Move, now: Moment) -> Option<String> {
        self.handicap()?;
        let said = self.review(before, mv, now)?;
        said.chance().filter(|_| said.judgement.is_criticism())
    }

    /// Why a legal move of a position of this variant is good, the strongest reason first. Waits for a
    /// running search.
    pub fn explain(&mut self, before: &dyn Game, mv: Move, now: Moment) -> Vec<String> {
        explain(before, mv, &mut |position, count| self.study(position, count, now))
    }

    /// What to look at in a position of this variant to find a good move. Waits for a running search.
    pub fn clue(&mut self, before: &dyn Game, mv: Move, now: Moment) -> String {
        clue(before, mv, &mut |position, count| self.study(position, count, now))
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

/// The line that a search has chosen: the move and the expected reply.
fn line_of(choice: &Choice) -> Option<Line> {
    let moves = choice.best.into_iter().chain(choice.ponder).collect();
    Some(Line { score: choice.score?, depth: choice.depth, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::Verdict;
    use crate::play::{EngineSettings, Host, ResourceLimits, SkillLevel, Stage};
    use crate::types::{Score, TimeSource};
    use crate::variants::VariantId;

    /// An engine after these moves. Coaching ignores its stage. However slow the machine is, no study ends
    /// before its nodes.
    fn after(variant: VariantId, moves: &str) -> Engine {
        let settings =
            EngineSettings { stage: Stage::Random, hash: 1, ..EngineSettings::default() };
        let sink = Arc::new(|_| {});
        let host = Host { clock: TimeSource::still(), ..Host::native(ResourceLimits::OWNER, sink) };
        let mut engine = Engine::new(variant, settings, host);
        for text in moves.split_whitespace() {
            let mv = engine.game().parse_move(text).unwrap();
            engine.game_mut().play(mv);
        }
        engine
    }

    fn review(variant: VariantId, moves: &str, played: &str) -> Assessment {
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
        assert_eq!(review.score, Score::loss_in(1));
        let better = review.better.unwrap();
        assert!(["Nc6", "d6", "Nf6", "Qe7"].contains(&&*better.line[0]), "{better:?}");
        assert!(better.line.len() > 1, "{better:?}");
        let punishment = review.refutation.unwrap().to_string();
        assert_eq!(punishment, "It allows mate in 1: Qxe5#");
    }

    #[test]
    fn a_game_that_goes_on_after_a_draw_is_judged() {
        let shuffled = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
        let repeats = review(VariantId::Standard, shuffled, "Ng8");
        assert_eq!(repeats.score, Score::ZERO, "the third time");
        let goes_on = review(VariantId::Standard, &format!("{shuffled} Ng8"), "e4");
        assert_eq!(goes_on.judgement.verdict, Verdict::Good);
        let mut engine = after(VariantId::Standard, "");
        engine.game_mut().set_board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 100 80").unwrap();
        let before = engine.game().fork();
        let mv = before.parse_move("h3").unwrap();
        let said = engine.review(&*before, mv, Moment::START).unwrap();
        assert_eq!(said.judgement.verdict, Verdict::MissedWin(Reason::Checkmate));
        // A dead position.
        engine.game_mut().set_board("8/8/4k3/8/8/4K3/8/8 b - - 0 1").unwrap();
        let before = engine.game().fork();
        let mv = before.parse_move("Kd5").unwrap();
        let said = engine.review(&*before, mv, Moment::START).unwrap();
        assert_eq!((said.score, said.judgement.verdict), (Score::ZERO, Verdict::Good));
    }

    /// The one way to the goal ends the game as a draw.
    #[test]
    fn the_end_of_a_game_is_not_called_great() {
        let mut engine = after(VariantId::RacingKings, "");
        engine.game_mut().set_board("6K1/k7/8/8/8/8/8/1R6 b - - 0 1").unwrap();
        let before = engine.game().fork();
        let mv = before.parse_move("Ka8").unwrap();
        let said = engine.review(&*before, mv, Moment::START).unwrap();
        assert_eq!((said.score, said.judgement.verdict), (Score::ZERO, Verdict::Good));
    }

    /// The search sees a mate after one of the moves only, but all of them win, or lose.
    #[test]
    fn a_longer_way_to_win_is_no_mistake() {
        for (fen, played) in [
            ("8/8/8/8/2K5/4R3/5k2/8 w - - 8 5", "Rc3"),
            ("8/8/4K3/8/4R3/8/8/6k1 w - - 34 18", "Ke7"),
            ("8/7k/8/8/8/8/4R3/5K2 b - - 0 1", "Kh6"),
        ] {
            let mut engine = after(VariantId::Standard, "");
            engine.game_mut().set_board(fen).unwrap();
            let before = engine.game().fork();
            let mv = before.parse_move(played).unwrap();
            let said = engine.review(&*before, mv, Moment::START).unwrap();
            assert!(said.judgement.loss < 0.1, "{}: {:?}", said.sentence(), said.judgement);
        }
    }

    /// The better move turns out worse than it seemed, but the played one even more.
    #[test]
    fn both_moves_are_compared_after_they_are_made() {
        let before = after(VariantId::Standard, "").game().fork();
        let [better, played] = ["e4", "a4"].map(|text| before.parse_move(text).unwrap());
        let mut study = |position: &dyn Game, _: usize| {
            let line = |score, mv| Line { score: Score::cp(score), depth: 9, moves: vec![mv] };
            let reply = position.parse_move("d5");
            match position.fen().split(' ').next().unwrap() {
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR" => {
                    vec![line(100, better), line(40, played)]
                }
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR" => vec![line(30, reply.unwrap())],
                _ => vec![line(200, reply.unwrap())],
            }
        };
        let said = super::review(&*before, played, &mut study).unwrap();
        assert_eq!(said.judgement.verdict, Verdict::Mistake, "{said:?}");
        assert_eq!(said.better.unwrap().line[0], "e4");
    }

    #[test]
    fn a_mistake_of_the_engine_is_a_chance() {
        let chance = |level, moves: &str, played: &str| {
            let mut engine = after(VariantId::Standard, moves);
            engine.change_settings(|settings| settings.level = level);
            let before = engine.game().fork();
            let mv = before.parse_move(played).unwrap();
            engine.chance_after(&*before, mv, Moment::START)
        };
        let chance_of = |moves, played| chance(SkillLevel::Amateur, moves, played);
        let mate = chance_of("e4 e5 Qh5", "Ke7");
        assert_eq!(mate.as_deref(), Some("Your chance: you can force mate in 1"));
        let queen = chance_of("e4 d5 exd5 Qxd5 Nc3", "a6");
        assert_eq!(queen.as_deref(), Some("Your chance: I left the queen on d5"));
        assert_eq!(chance_of("e4 d5 exd5 Qxd5 Nc3", "Qa5"), None);
        assert_eq!(chance(SkillLevel::Master, "e4 e5 Qh5", "Ke7"), None);
    }

    #[test]
    fn a_missed_third_check_is_told() {
        let moves = "e4 e5 Bc4 Nc6 Bxf7+ Kxf7 Qh5+ g6";
        let missed = review(VariantId::ThreeCheck, moves, "Nf3");
        assert_eq!(
            missed.judgement.verdict,
            Verdict::MissedWin(Reason::Variant("gives third check"))
        );
        let advice = missed.advice_with_line().unwrap();
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
        let position = engine.game().fork();
        let reasons = engine.explain(&*position, mv, Moment::START);
        assert_eq!(reasons, ["stops mate in 1", "attacks the queen", "saves the pawn on f7"]);
        // The threat stays, or the mate comes a move later.
        for text in ["a6", "Bb4"] {
            let mv = engine.game().parse_move(text).unwrap();
            let reasons = engine.explain(&*position, mv, Moment::START);
            assert!(reasons.iter().all(|reason| !reason.starts_with("stops")), "{reasons:?}");
        }
    }

    #[test]
    fn a_clue_says_where_to_look() {
        let clue = |moves: &str, mv: &str| {
            let mut engine = after(VariantId::Standard, moves);
            let position = engine.game().fork();
            let mv = position.parse_move(mv).unwrap();
            engine.clue(&*position, mv, Moment::START)
        };
        assert_eq!(clue("e4 e5 Bc4 Nc6 Qh5", "g6"), "Your opponent threatens mate in 1");
        assert_eq!(clue("e4 d5", "exd5"), "Look at the pawn on d5");
        assert_eq!(clue("e4 d5", "Bb5+"), "Look for a check");
        assert_eq!(clue("e4 e5", "Nf3"), "Think of your knight on g1");
    }

    #[test]
    fn a_clue_to_a_move_that_wins_at_once_tells_of_no_threat() {
        let mut engine = after(VariantId::Standard, "");
        engine.game_mut().set_board("6k1/5ppp/8/8/6q1/7b/5PPP/3R2K1 w - - 0 1").unwrap();
        let position = engine.game().fork();
        let mut clue = |mv: &str| {
            let mv = position.parse_move(mv).unwrap();
            engine.clue(&*position, mv, Moment::START)
        };
        assert_eq!(clue("Rd8#"), "Look for a check");
        assert_eq!(clue("f3"), "Your opponent threatens mate in 1");
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
