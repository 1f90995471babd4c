//! What the script of the page needs to know, as JSON. `web/report/src/data.ts` has the types.

use super::article::checks_in;
use super::words;
use crate::json::Json;
use crate::report::{AnnotatedGame, AnnotatedPly, critical_moments};
use trebuchet::coach::{HeatMap, Line, win_chances};
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, Move, Score, Square};
use trebuchet::variants::VariantId;

/// All games.
pub fn json(games: &[AnnotatedGame]) -> String {
    Json::List(games.iter().map(game).collect()).to_string()
}

fn game(game: &AnnotatedGame) -> Json {
    let mut board = new_game(game.variant);
    // The analysis holds legal positions and moves. If it did not, lines would be left out.
    let is_set_up = board.set_board(&game.start_fen).is_ok();
    let start = Json::Object(vec![
        ("board", placement(&game.start_fen)),
        ("in_check", checked_side(board.as_ref())),
        ("score", Json::Text(words::score(game.start_score))),
        ("chance", chance(game.start_score)),
        ("checks", checks(game.variant, &game.start_fen)),
        ("state", Json::from(board.describe_state().as_deref())),
        ("heat", heat(&board.heat_map())),
        ("comments", texts(game.comment.iter())),
    ]);
    let mut plies = Vec::with_capacity(game.plies.len());
    for ply in &game.plies {
        let lines = if is_set_up { lines(board.as_ref(), ply) } else { Vec::new() };
        if board.legal_moves().contains(&ply.mv) {
            board.play(ply.mv);
        }
        plies.push(self::ply(game.variant, ply, lines, board.as_ref()));
    }
    let players = Color::ALL.map(|side| Json::from(words::player(game, side)));
    let ratings = ["WhiteElo", "BlackElo"].map(|name| Json::from(words::tag(game, name)));
    let moments = critical_moments(game).into_iter().map(|index| count(index + 1));
    Json::Object(vec![
        ("title", Json::Text(words::headline(game))),
        ("players", Json::List(players.into())),
        ("ratings", Json::List(ratings.into())),
        ("start", start),
        ("plies", Json::List(plies)),
        ("heat", heat(&game.heat)),
        ("moments", Json::List(moments.collect())),
    ])
}

fn ply(variant: VariantId, ply: &AnnotatedPly, lines: Vec<Json>, after: &dyn Game) -> Json {
    let verdict = ply.judgement.verdict;
    let nags = ply.nags.iter().map(|&nag| Json::Text(words::nag(nag)));
    let side_lines = ply.side_lines.iter().map(|line| Json::Text(words::movetext(line)));
    let time = |time: Option<_>| Json::from(time.map(words::time).as_deref());
    Json::Object(vec![
        ("number", Json::Text(words::number(ply))),
        ("san", Json::from(&*ply.san)),
        ("mover", Json::from(side(ply.mover))),
        ("board", placement(&ply.fen)),
        ("squares", squares(ply.mv)),
        ("in_check", checked_side(after)),
        ("score", Json::Text(words::score(ply.score))),
        ("chance", chance(ply.score)),
        ("kind", Json::from(verdict.kind().id())),
        ("verdict", Json::Text(verdict.to_string())),
        ("glyph", Json::from(ply.judgement.glyph())),
        ("words", Json::from(&*ply.words)),
        ("is_best", Json::Bool(ply.is_best())),
        ("lines", Json::List(lines)),
        ("comments", texts(ply.comments.iter())),
        ("nags", Json::List(nags.collect())),
        ("side_lines", Json::List(side_lines.collect())),
        ("clock", time(ply.clock)),
        ("spent", time(ply.spent)),
        ("checks", checks(variant, &ply.fen)),
        ("state", Json::from(ply.state.as_deref())),
        ("heat", heat(&ply.heat)),
    ])
}

/// The best lines in the position before a move.
fn lines(before: &dyn Game, ply: &AnnotatedPly) -> Vec<Json> {
    ply.lines.iter().map(|it| line(before, ply, it)).collect()
}

fn line(before: &dyn Game, ply: &AnnotatedPly, line: &Line) -> Json {
    let mut board = before.fork();
    let (mut number, mut mover) = (ply.number, ply.mover);
    let mut moves = Vec::with_capacity(line.moves.len());
    for &mv in &line.moves {
        if !board.legal_moves().contains(&mv) {
            break;
        }
        let san = board.san(mv);
        board.play(mv);
        moves.push(Json::Object(vec![
            ("number", Json::Text(words::number_of(number, mover))),
            ("san", Json::Text(san)),
            ("mover", Json::from(side(mover))),
            ("board", placement(&board.fen())),
            ("squares", squares(mv)),
            ("in_check", checked_side(board.as_ref())),
        ]));
        number += u32::from(mover == Color::Black);
        mover = !mover;
    }
    Json::Object(vec![
        ("score", Json::Text(words::score(line.score.for_white(ply.mover)))),
        ("depth", count(line.depth.max(0) as usize)),
        ("moves", Json::List(moves)),
    ])
}

/// The first field of a FEN.
fn placement(fen: &str) -> Json {
    Json::from(fen.split(' ').next().unwrap_or_default())
}

fn squares(mv: Move) -> Json {
    Json::List([mv.from(), mv.to()].map(|square| Json::Text(square.to_string())).into())
}

/// A side as chessground names it.
fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn checked_side(game: &dyn Game) -> Json {
    Json::from(game.is_in_check().then(|| side(game.side_to_move())))
}

/// White's chances, 0 to 1.
fn chance(score: Score) -> Json {
    Json::Number((win_chances(score) * 1000.0).round() / 1000.0)
}

fn checks(variant: VariantId, fen: &str) -> Json {
    checks_in(variant, fen).map_or(Json::Null, |checks| {
        let given = checks.given.map(|given| count(given.into()));
        Json::Object(vec![("given", Json::List(given.into())), ("goal", count(checks.goal.into()))])
    })
}

/// The heat of the squares a1, b1, … h8, 0 to 100, plus 1000 where White leads and 2000 where Black
/// leads.
fn heat(map: &HeatMap) -> Json {
    let squares = Square::all().map(|square| {
        let lead = match map.leader(square) {
            Some(Color::White) => 1000,
            Some(Color::Black) => 2000,
            None => 0,
        };
        count(lead + usize::from(map.heat(square)))
    });
    Json::List(squares.collect())
}

fn texts<'a>(texts: impl Iterator<Item = &'a String>) -> Json {
    Json::List(texts.map(|text| Json::from(&**text)).collect())
}

fn count(number: usize) -> Json {
    Json::Count(number as u64)
}
