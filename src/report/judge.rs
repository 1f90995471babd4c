//! Judges the moves of a game by what was found in its positions.

use std::time::Duration;

use super::analysis::Findings;
use super::annotation::{AnnotatedGame, AnnotatedPly, Line};
use super::marks;
use super::search::{FoundLine, SearchSettings};
use super::source::SourceGame;
use crate::coach::{GameHeat, Judgement, MoveFacts, Verdict, accuracy};
use crate::notation::pgn::{PgnMove, comment};
use crate::play::Game;
use crate::types::{Color, Move, Outcome, Score};

/// The most plies of a line that are kept.
const LONGEST_LINE: usize = 12;

/// The game with judgements on its moves. `findings` has the lines of each position.
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
    for (ply, (&mv, written)) in source.moves.iter().zip(&source.pgn.moves).enumerate() {
        let mover = board.side_to_move();
        let previous = ply.checked_sub(1).map(|ply| source.moves[ply]);
        let played = Played { mv, previous, before: &findings[ply], after: &findings[ply + 1] };
        let mut annotated = played.judge(&*board, written, number, &mut clocks);
        board.play(mv);
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
    let start_score = findings[0].first().map_or(Score::ZERO, |line| line.score);
    AnnotatedGame {
        variant: source.variant,
        tags: source.pgn.tags.clone(),
        comment: source.pgn.comment.as_deref().and_then(plain),
        start_fen: source.start_fen.clone(),
        start_score: from_white(start_score, source.start().side_to_move()),
        accuracy: Color::ALL.map(losses),
        plies,
        result: source.pgn.result,
        ending: board.outcome().map(|outcome| outcome.to_string()),
        problem: source.problem.clone(),
        limits: settings.limits(),
        engine: marks::NAME.to_owned(),
        heat: heat.map(),
    }
}

/// A move of the game, the move before it, and what was found before and after it.
struct Played<'a> {
    mv: Move,
    previous: Option<Move>,
    before: &'a [FoundLine],
    after: &'a [FoundLine],
}

impl Played<'_> {
    /// Judges the move. The facts about the position after it are left empty.
    fn judge(
        &self,
        board: &dyn Game,
        written: &PgnMove,
        number: u32,
        clocks: &mut Clocks,
    ) -> AnnotatedPly {
        let (mv, mover) = (self.mv, board.side_to_move());
        let mut after = board.fork();
        after.play(mv);
        let outcome = after.outcome();
        // A game may go on after a draw that nobody has claimed.
        let score = match (self.after.first(), outcome) {
            (Some(line), _) => -line.score,
            (None, outcome) => outcome.map_or(Score::ZERO, |outcome| ended(outcome, mover)),
        };
        let wins = outcome.is_some_and(|outcome| outcome.winner == Some(mover));
        let missed = board.winning_end().filter(|_| !wins);
        let mut lines = self.before.to_vec();
        if let Some((winner, _)) = missed
            && lines.first().is_none_or(|line| line.score < Score::win_in(1))
        {
            let line = FoundLine { score: Score::win_in(1), depth: 1, moves: vec![winner] };
            lines.retain(|known| known.moves[0] != winner);
            lines.insert(0, line);
            lines.truncate(2);
        }
        let best = lines.first();
        let is_best = wins || best.is_some_and(|line| line.moves[0] == mv);
        let is_recapture = mv.is_capture()
            && self.previous.is_some_and(|last| last.is_capture() && last.to() == mv.to());
        let played = if wins { Score::win_in(1) } else { score };
        let facts = MoveFacts {
            best: best.map_or(played, |line| line.score.max(played)),
            second: lines.get(1).map(|line| line.score),
            played,
            is_best,
            is_recapture,
            is_sacrifice: board.gives_up_material(mv),
            missed_win: missed.map(|(_, reason)| reason),
        };
        let judgement = facts.judge();
        let comment = written.comment.as_deref().unwrap_or_default();
        let clock = comment::argument(comment, "clk").and_then(comment::read_time);
        let line = |found: &FoundLine| line(board, found, mover);
        AnnotatedPly {
            mover,
            number,
            mv,
            uci: uci(board, mv),
            san: board.san(mv),
            fen: String::new(),
            gives_check: false,
            state: None,
            score: from_white(score, mover),
            best: best.map(line).unwrap_or_default(),
            second: lines.get(1).map(line),
            judgement,
            words: words(board, &judgement, best),
            comments: plain(comment).into_iter().collect(),
            nags: written.nags.clone(),
            spent: clocks.spent(mover, comment, clock),
            clock,
            heat: board.heat_map(),
            side_lines: written
                .variations
                .iter()
                .map(|line| line.movetext(mover, number))
                .collect(),
        }
    }
}

/// The score of an ended game from one side.
fn ended(outcome: Outcome, side: Color) -> Score {
    match outcome.winner {
        None => Score::ZERO,
        Some(winner) if winner == side => Score::win_in(0),
        Some(_) => Score::loss_in(0),
    }
}

fn from_white(score: Score, side: Color) -> Score {
    if side == Color::White { score } else { -score }
}

/// The comment without its commands; `None` if nothing is left.
fn plain(text: &str) -> Option<String> {
    Some(comment::without(text, |_| true)).filter(|text| !text.is_empty())
}

/// What is wrong with the move, or special about it, in a sentence or two.
fn words(board: &dyn Game, judgement: &Judgement, best: Option<&FoundLine>) -> String {
    let Judgement { verdict, loss } = *judgement;
    match verdict {
        Verdict::Good => return String::new(),
        Verdict::Brilliant => return "Brilliant: a sacrifice, and the best move".to_owned(),
        Verdict::Great => return "Great: the only good move".to_owned(),
        _ => {}
    }
    let percent = (loss * 100.0).round();
    let mut text = verdict.to_string();
    if percent >= 1.0 {
        text += &format!(", loses {percent}% of the winning chances");
    }
    if let Some(FoundLine { score, moves, .. }) = best {
        let reasons = board.reasons(moves[0], Some(*score)).join(", ");
        text += &format!(". Better: {} {reasons}", board.san(moves[0]));
    }
    text
}

/// The first moves of a line in every notation.
fn line(board: &dyn Game, found: &FoundLine, mover: Color) -> Line {
    let mut game = board.fork();
    let score = from_white(found.score, mover);
    let mut line = Line { score, depth: found.depth, ..Line::default() };
    for &mv in found.moves.iter().take(LONGEST_LINE) {
        line.moves.push(mv);
        line.san.push(game.san(mv));
        line.uci.push(uci(&*game, mv));
        game.play(mv);
    }
    line
}

/// A legal move as UCI writes it.
fn uci(board: &dyn Game, mv: Move) -> String {
    match board.castling_rook(mv) {
        Some(rook) => format!("{}{rook}", mv.from()),
        None => mv.to_string(),
    }
}

/// The clocks of both sides, as far as the comments tell them.
struct Clocks {
    /// What each move adds, if the time control is known.
    increment: Option<Duration>,
    last: [Option<Duration>; 2],
}

impl Clocks {
    /// `time_control` is the value of the PGN tag: `300+3`.
    fn new(time_control: &str) -> Clocks {
        let mut parts = time_control.split('+').map(comment::read_time);
        let (base, increment) = (parts.next().flatten(), parts.next().flatten());
        let increment = base.map(|_| increment.unwrap_or_default());
        Clocks { increment, last: [base; 2] }
    }

    /// The time that a move took: as its comment says, or by the clock after this move and after the
    /// one before it.
    fn spent(&mut self, mover: Color, text: &str, clock: Option<Duration>) -> Option<Duration> {
        let last = std::mem::replace(&mut self.last[mover.index()], clock);
        let told = comment::argument(text, "emt").and_then(comment::read_time);
        let by_clock = || (last? + self.increment?).checked_sub(clock?);
        told.or_else(|| seconds_of_match(text)).or_else(by_clock)
    }
}

/// The time in a comment of a match: `+0.31/12 0.450s`.
fn seconds_of_match(text: &str) -> Option<Duration> {
    let mut words = text.split([' ', ',']);
    let is_score = words.next()?.split_once('/')?.1.parse::<u32>().is_ok();
    comment::read_time(words.next()?.strip_suffix('s')?).filter(|_| is_score)
}
