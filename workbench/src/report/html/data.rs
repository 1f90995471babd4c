//! What the script of the page needs to know, as JSON. `web/report/src/data.ts` has the types.

use serde_json::{Value, json};

use super::article::checks_in;
use super::words;
use crate::json;
use crate::report::{AnnotatedGame, AnnotatedPly, critical_moments};
use trebuchet::coach::{HeatMap, Line, win_chances};
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, Move, Score, Square};
use trebuchet::variants::VariantId;

/// All games.
pub fn json(games: &[AnnotatedGame]) -> String {
    json::for_html(&json::line(&Value::Array(games.iter().map(game).collect())))
}

fn game(game: &AnnotatedGame) -> Value {
    let mut board = new_game(game.variant);
    // The analysis holds legal positions and moves. If it did not, lines would be left out.
    let is_set_up = board.set_board(&game.start_fen).is_ok();
    let start = json!({
        "board": placement(&game.start_fen),
        "in_check": checked_side(board.as_ref()),
        "score": Value::from(words::score(game.start_score)),
        "chance": chance(game.start_score),
        "checks": checks(game.variant, &game.start_fen),
        "state": Value::from(board.describe_state().as_deref()),
        "heat": heat(&board.heat_map()),
        "comments": texts(game.comment.iter()),
    });
    let mut plies = Vec::with_capacity(game.plies.len());
    for ply in &game.plies {
        let lines = if is_set_up { lines(board.as_ref(), ply) } else { Vec::new() };
        if board.legal_moves().contains(&ply.mv) {
            board.play(ply.mv);
        }
        plies.push(self::ply(game.variant, ply, lines, board.as_ref()));
    }
    let players = Color::ALL.map(|side| Value::from(words::player(game, side)));
    let ratings = ["WhiteElo", "BlackElo"].map(|name| Value::from(words::tag(game, name)));
    let moments = critical_moments(game).into_iter().map(|index| count(index + 1));
    json!({
        "title": Value::from(words::headline(game)),
        "players": Value::Array(players.into()),
        "ratings": Value::Array(ratings.into()),
        "start": start,
        "plies": Value::Array(plies),
        "heat": heat(&game.heat),
        "moments": Value::Array(moments.collect()),
    })
}

fn ply(variant: VariantId, ply: &AnnotatedPly, lines: Vec<Value>, after: &dyn Game) -> Value {
    let verdict = ply.judgement.verdict;
    let nags = ply.nags.iter().map(|&nag| Value::from(words::nag(nag)));
    let side_lines = ply.side_lines.iter().map(|line| Value::from(words::movetext(line)));
    let time = |time: Option<_>| Value::from(time.map(words::time).as_deref());
    json!({
        "number": Value::from(words::number(ply)),
        "san": Value::from(&*ply.san),
        "mover": Value::from(side(ply.mover)),
        "board": placement(&ply.fen),
        "squares": squares(ply.mv),
        "in_check": checked_side(after),
        "score": Value::from(words::score(ply.score)),
        "chance": chance(ply.score),
        "kind": Value::from(verdict.kind().id()),
        "verdict": Value::from(verdict.to_string()),
        "glyph": Value::from(ply.judgement.glyph()),
        "words": Value::from(&*ply.words),
        "is_best": Value::from(ply.is_best()),
        "lines": Value::Array(lines),
        "comments": texts(ply.comments.iter()),
        "nags": Value::Array(nags.collect()),
        "side_lines": Value::Array(side_lines.collect()),
        "clock": time(ply.clock),
        "spent": time(ply.spent),
        "checks": checks(variant, &ply.fen),
        "state": Value::from(ply.state.as_deref()),
        "heat": heat(&ply.heat),
    })
}

/// The best lines in the position before a move.
fn lines(before: &dyn Game, ply: &AnnotatedPly) -> Vec<Value> {
    ply.lines.iter().map(|it| line(before, ply, it)).collect()
}

fn line(before: &dyn Game, ply: &AnnotatedPly, line: &Line) -> Value {
    let mut board = before.fork();
    let (mut number, mut mover) = (ply.number, ply.mover);
    let mut moves = Vec::with_capacity(line.moves.len());
    for &mv in &line.moves {
        if !board.legal_moves().contains(&mv) {
            break;
        }
        let san = board.san(mv);
        board.play(mv);
        moves.push(json!({
            "number": Value::from(words::number_of(number, mover)),
            "san": Value::from(san),
            "mover": Value::from(side(mover)),
            "board": placement(&board.fen()),
            "squares": squares(mv),
            "in_check": checked_side(board.as_ref()),
        }));
        number += u32::from(mover == Color::Black);
        mover = !mover;
    }
    json!({
        "score": Value::from(words::score(line.score.for_white(ply.mover))),
        "depth": count(line.depth.max(0) as usize),
        "moves": Value::Array(moves),
    })
}

/// The first field of a FEN.
fn placement(fen: &str) -> Value {
    Value::from(fen.split(' ').next().unwrap_or_default())
}

fn squares(mv: Move) -> Value {
    Value::Array([mv.from(), mv.to()].map(|square| Value::from(square.to_string())).into())
}

/// A side as chessground names it.
fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn checked_side(game: &dyn Game) -> Value {
    Value::from(game.is_in_check().then(|| side(game.side_to_move())))
}

/// White's chances, 0 to 1.
fn chance(score: Score) -> Value {
    Value::from((win_chances(score) * 1000.0).round() / 1000.0)
}

fn checks(variant: VariantId, fen: &str) -> Value {
    checks_in(variant, fen).map_or(Value::Null, |checks| {
        let given = checks.given.map(|given| count(given.into()));
        json!({"given": Value::Array(given.into()), "goal": count(checks.goal.into())})
    })
}

/// The heat of the squares a1, b1, … h8, 0 to 100, plus 1000 where White leads and 2000 where Black
/// leads.
fn heat(map: &HeatMap) -> Value {
    let squares = Square::all().map(|square| {
        let lead = match map.leader(square) {
            Some(Color::White) => 1000,
            Some(Color::Black) => 2000,
            None => 0,
        };
        count(lead + usize::from(map.heat(square)))
    });
    Value::Array(squares.collect())
}

fn texts<'a>(texts: impl Iterator<Item = &'a String>) -> Value {
    Value::Array(texts.map(|text| Value::from(&**text)).collect())
}

fn count(number: usize) -> Value {
    Value::from(number as u64)
}
