//! Judges the moves of a game by what was found in its positions.

use std::time::Duration;

use super::analysis::Findings;
use super::annotation::{AnnotatedGame, AnnotatedPly, Punishment};
use super::marks;
use super::opening_names::opening_of;
use super::phases::{Beginning, Phase};
use super::search::SearchSettings;
use super::source::SourceGame;
use crate::figures::Figures;
use trebuchet::coach::{GameHeat, Line, accuracy};
use trebuchet::notation::pgn::{PgnMove, Variation, comment};
use trebuchet::play::Game;
use trebuchet::types::{Color, Move, Score};

/// The most plies of a line that are kept.
const LONGEST_LINE: usize = 12;

/// The game with judgements on its moves. `findings` has the lines of its positions.
pub fn annotate(
    source: &SourceGame,
    findings: &Findings,
    settings: &SearchSettings,
) -> AnnotatedGame {
    let mut board = source.start();
    let mut heat = GameHeat::default();
    heat.add(&board.heat_map());
    let (_, mut number) = source.pgn.first_move();
    let mut clocks = Clocks::new(source.pgn.tag("TimeControl").unwrap_or_default());
    let mut plies = Vec::with_capacity(source.moves.len());
    let beginning = Beginning::of(source.variant);
    let mut phase = beginning.phase(&*board, Phase::Opening);
    for (ply, (&mv, written)) in source.moves.iter().zip(&source.pgn.moves).enumerate() {
        let mover = board.side_to_move();
        let found = Found { before: &findings.confirmed[ply], after: &findings.searched[ply + 1] };
        let mut annotated = judge(&*board, mv, &found, written, number, &mut clocks);
        annotated.phase = phase;
        board.play(mv);
        phase = beginning.phase(&*board, phase);
        annotated.fen = board.fen();
        annotated.gives_check = board.is_in_check();
        annotated.state = board.describe_state();
        annotated.heat = board.heat_map();
        heat.add(&annotated.heat);
        plies.push(annotated);
        number += u32::from(mover == Color::Black);
    }
    let losses = |color| {
        let own = plies.iter().filter(move |ply| ply.mover == color);
        accuracy(own.map(|ply| ply.judgement.loss))
    };
    let start_score = findings.searched[0].first().map_or(Score::ZERO, |line| line.score);
    AnnotatedGame {
        variant: source.variant,
        tags: source.pgn.tags.clone(),
        comment: source.pgn.comment.as_deref().and_then(plain),
        opening: opening_of(source),
        start_fen: source.start_fen.clone(),
        start_score: start_score.for_white(source.start().side_to_move()),
        accuracy: Color::ALL.map(losses),
        plies,
        result: source.pgn.result,
        ending: board.outcome().map(|outcome| outcome.to_string()),
        problem: source.problem.clone(),
        limits: settings.limits(),
        engine: marks::NAME.to_owned(),
        heat: heat.map(),
        exercises: Vec::new(),
    }
}

/// What was found before and after a move of the game.
struct Found<'a> {
    before: &'a [Line],
    after: &'a [Line],
}

/// Judges a move of the game. The facts about the position after it are left empty.
fn judge(
    board: &dyn Game,
    mv: Move,
    found: &Found,
    written: &PgnMove,
    number: u32,
    clocks: &mut Clocks,
) -> AnnotatedPly {
    let mover = board.side_to_move();
    let said = board.assess(found.before, mv, found.after);
    let words = said.remark().unwrap_or_default();
    let punishment = said.punishment().zip(said.refutation.as_ref());
    let punishment =
        punishment.map(|(text, refutation)| Punishment { text, line: refutation.line.clone() });
    let shortened =
        |line: Line| Line { moves: line.moves.into_iter().take(LONGEST_LINE).collect(), ..line };
    let comment = written.comment.as_deref().unwrap_or_default();
    let clock = comment::argument(comment, "clk").and_then(comment::read_time);
    let side_lines = written.variations.iter().map(|line| plain_line(line).movetext(mover, number));
    AnnotatedPly {
        mover,
        number,
        mv,
        san: said.san,
        fen: String::new(),
        phase: Phase::Opening,
        gives_check: false,
        state: None,
        score: said.score.for_white(mover),
        lines: said.lines.into_iter().map(shortened).collect(),
        judgement: said.judgement,
        words,
        punishment,
        comments: plain(comment).into_iter().collect(),
        nags: written.nags.clone(),
        spent: clocks.spent(mover, comment, clock),
        clock,
        heat: board.heat_map(),
        side_lines: side_lines.collect(),
    }
}

/// The comment without its commands and without what an engine has written in a match; `None` if nothing
/// is left.
fn plain(text: &str) -> Option<String> {
    let text = comment::without(text, |_| true);
    Some(Figures::read(&text).words.to_owned()).filter(|words| !words.is_empty())
}

/// The side line with plain comments.
fn plain_line(line: &Variation) -> Variation {
    let plain_move = |mv: &PgnMove| PgnMove {
        san: mv.san.clone(),
        nags: mv.nags.clone(),
        comment: mv.comment.as_deref().and_then(plain),
        variations: mv.variations.iter().map(plain_line).collect(),
    };
    Variation {
        comment: line.comment.as_deref().and_then(plain),
        moves: line.moves.iter().map(plain_move).collect(),
    }
}

/// The clocks of both sides, as far as the comments tell them.
struct Clocks {
    /// What each move adds, if the time control is known.
    increment: Option<Duration>,
    last: [Option<Duration>; 2],
    has_moved: [bool; 2],
}

impl Clocks {
    /// `time_control` is the value of the PGN tag: `300+3`.
    fn new(time_control: &str) -> Clocks {
        let mut parts = time_control.split('+').map(comment::read_time);
        let (base, increment) = (parts.next().flatten(), parts.next().flatten());
        let increment = base.map(|_| increment.unwrap_or_default());
        Clocks { increment, last: [base; 2], has_moved: [false; 2] }
    }

    /// The time that a move took: as its comment says, or by the clock after this move and after the
    /// one before it. A clock that a side's first move has left as it was tells nothing: Lichess lets it
    /// stand, and adds no increment.
    fn spent(&mut self, mover: Color, text: &str, clock: Option<Duration>) -> Option<Duration> {
        let last = std::mem::replace(&mut self.last[mover.index()], clock);
        let has_moved = std::mem::replace(&mut self.has_moved[mover.index()], true);
        let told = comment::argument(text, "emt").and_then(comment::read_time);
        let by_clock = || {
            let has_run = has_moved || clock != last;
            (last? + self.increment?).checked_sub(clock?).filter(|_| has_run)
        };
        told.or_else(|| Figures::read(text).elapsed).or_else(by_clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::coach::{Judgement, Verdict};
    use trebuchet::notation::pgn;

    /// A game with the given best moves and scores from the side to move, by position.
    fn annotated(text: &str, found: &[&[(&str, i32)]]) -> AnnotatedGame {
        let source = SourceGame::new(pgn::read(text).next().unwrap()).unwrap();
        let mut board = source.start();
        let mut findings: Vec<Vec<Line>> = Vec::new();
        for (ply, lines) in found.iter().enumerate() {
            let line = |&(mv, score): &(&str, i32)| {
                let moves = vec![board.parse_move(mv).unwrap()];
                Line { score: Score::cp(score), depth: 9, moves }
            };
            findings.push(lines.iter().map(line).collect());
            source.moves.get(ply).into_iter().for_each(|&mv| board.play(mv));
        }
        let settings = SearchSettings { depth: Some(9), ..SearchSettings::default() };
        let findings = Findings { searched: findings.clone(), confirmed: findings };
        annotate(&source, &findings, &settings)
    }

    fn verdicts(game: &AnnotatedGame) -> Vec<String> {
        let text = |ply: &AnnotatedPly| {
            let Judgement { verdict, loss } = ply.judgement;
            format!("{} {verdict} {:.2}", ply.san, loss)
        };
        game.plies.iter().map(text).collect()
    }

    #[test]
    fn moves_are_judged_by_the_scores_before_and_after_them() {
        let game = annotated(
            "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0",
            &[
                &[("e4", 30), ("d4", 30)],
                &[("e5", -20), ("c5", -25)],
                &[("Nf3", 40), ("Nc3", 35)],
                // It looks worse from here than before.
                &[("Nc6", 90), ("Qe7", 10)],
                &[("Qxe5#", 31_999), ("Nf3", 300)],
                &[],
            ],
        );
        assert_eq!(
            verdicts(&game),
            [
                "e4 Good 0.00",
                "e5 Good 0.00",
                "Qh5 Mistake 0.12",
                "Ke7 Blunder 0.58",
                "Qxe5# Good 0.00"
            ]
        );
        let scores: Vec<i32> = game.plies.iter().map(|ply| ply.score.value()).collect();
        assert_eq!(scores, [20, 40, -90, 31_999, 32_000]);
        assert_eq!(game.ending.as_deref(), Some("White mates"));
        assert_eq!(
            (game.start_score, game.plies[3].lines[0].score),
            (Score::cp(30), Score::cp(90))
        );
        assert_eq!(game.plies[2].words, "Mistake, loses 11% of the winning chances. Better: Nf3");
        assert_eq!(game.plies[2].lines[1].moves[0].to_string(), "b1c3");
        assert_eq!((game.plies[3].number, game.plies[3].mover), (2, Color::Black));
        let [white, black] = game.accuracy.map(Option::unwrap);
        assert!(white > 85.0 && black < 60.0, "{white} {black}");
    }

    #[test]
    fn a_win_that_the_search_has_not_seen_is_missed_all_the_same() {
        let game = annotated(
            "[Variant \"3check\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1\"]\n\n1. Kd2 Kd7 *",
            &[&[("Kd2", 500), ("Ke2", 490)], &[("Kd7", -500)], &[("Ra7", 500)]],
        );
        assert_eq!(
            game.plies[0].words,
            "Missed third check, loses 13% of the winning chances. Better: Ra8# gives third check"
        );
        assert_eq!(game.plies[0].lines[0].moves[0].to_string(), "a1a8");
        assert_eq!(game.plies[0].state.as_deref(), Some("Checks given: White 2, Black 0"));
    }

    #[test]
    fn a_played_best_move_loses_nothing() {
        // The search after the move is less sure.
        let game = annotated("1. e4 *", &[&[("e4", 100), ("d4", 0)], &[("e5", 100)]]);
        let Judgement { verdict, loss } = game.plies[0].judgement;
        assert_eq!((verdict, loss, game.plies[0].is_best()), (Verdict::Good, 0.0, true));
        // A move that turns out better than the best one.
        let game = annotated("1. d4 *", &[&[("e4", 0), ("d4", -100)], &[("e5", -50)]]);
        assert_eq!((game.plies[0].judgement.loss, game.plies[0].is_best()), (0.0, true));
    }

    #[test]
    fn comments_of_engines_are_not_those_of_people() {
        for text in
            ["+0.57/2 0.000s", "-M3/25 1.2s", "0.00/1 0.01s", "+0.57/2", "[%eval 1] +1.0/9 2s"]
        {
            assert_eq!(plain(text), None, "{text}");
        }
        assert_eq!(plain("+M1/9 0.1s, White mates").as_deref(), Some("White mates"));
        for text in ["0-0 was better", "+/- says the book", "1/2 a point", "good"] {
            assert_eq!(plain(text).as_deref(), Some(text));
        }
    }

    /// Lichess begins to count with the second move of a side.
    #[test]
    fn a_clock_that_has_not_run_tells_no_time() {
        let mut clocks = Clocks::new("180+2");
        let mut spent = |color, seconds| {
            let spent = clocks.spent(color, "", Some(Duration::from_secs(seconds)));
            spent.map(|time| time.as_secs())
        };
        assert_eq!([spent(Color::White, 180), spent(Color::Black, 180)], [None; 2]);
        assert_eq!([spent(Color::White, 180), spent(Color::Black, 175)], [Some(2), Some(7)]);
        let mut clocks = Clocks::new("180+2");
        let first = clocks.spent(Color::White, "", Some(Duration::from_secs(181)));
        assert_eq!(first, Some(Duration::from_secs(1)));
    }

    #[test]
    fn clocks_and_comments_are_read() {
        let text = "[TimeControl \"300+3\"]\n\n\
            1. e4 {[%clk 0:05:01] good} e5 {[%emt 0:00:07]} 2. Nf3 {[%clk 0:04:55]} \
            Nc6 {+0.31/12 0.450s, so far so good} 3. Bb5 (3. Bc4 {x} Bc5) \
            ({[%csl Gd4]} 3. d4 {Scotch [%csl Gd4]} exd4 {[%eval 0.2] [%clk 1:00:00]} \
            (3... d6 {[%eval 0.5]}) 4. Nxd4) a6 {0.5s} *";
        let found: Vec<Vec<(&str, i32)>> = ["d4", "d5", "d4", "d5", "d4", "d5", "d4"]
            .into_iter()
            .map(|mv| vec![(mv, 0)])
            .collect();
        let found: Vec<&[(&str, i32)]> = found.iter().map(Vec::as_slice).collect();
        let game = annotated(text, &found);
        let spent: Vec<Option<f64>> =
            game.plies.iter().map(|ply| ply.spent.map(|time| time.as_secs_f64())).collect();
        assert_eq!(spent, [Some(2.0), Some(7.0), Some(9.0), Some(0.45), None, Some(0.5)]);
        assert_eq!(game.plies[0].clock, Some(Duration::from_secs(301)));
        assert_eq!(game.plies[0].comments, ["good"]);
        assert_eq!(game.plies[1].comments, [""; 0]);
        assert_eq!(game.plies[3].comments, ["so far so good"]);
        let scotch = "3. d4 {Scotch} 3... exd4 (3... d6) 4. Nxd4";
        assert_eq!(game.plies[4].side_lines, ["3. Bc4 {x} 3... Bc5", scotch]);
    }
}
