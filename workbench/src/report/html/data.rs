//! What the script of the page needs to know, as JSON. `web/report/src/data.ts` has the types.

use serde_json::{Value, json};

use super::article::{checks_in, from_square};
use super::words;
use crate::json;
use crate::report::{AnnotatedGame, AnnotatedPly, critical_moments};
use trebuchet::coach::{HeatMap, Line, Verdict, win_chances};
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, Move, Score, Square};
use trebuchet::variants::VariantId;

/// All games.
pub fn json(games: &[AnnotatedGame]) -> String {
    json::for_html(&Value::Array(games.iter().map(game).collect()).to_string())
}

fn game(game: &AnnotatedGame) -> Value {
    let mut board = new_game(game.variant);
    // The analysis holds legal positions and moves. If it did not, lines would be left out.
    let is_set_up = board.set_board(&game.start_fen).is_ok();
    let start = without_blanks(json!({
        "board": placement(&game.start_fen),
        "in_check": checked_side(board.as_ref()),
        "score": Value::from(words::score(game.start_score)),
        "chance": chance(game.start_score),
        "checks": checks(game.variant, &game.start_fen),
        "state": Value::from(board.describe_state().as_deref()),
        "heat": heat(&board.heat_map()),
        "comments": texts(game.comment.iter()),
    }));
    let mut plies = Vec::with_capacity(game.plies.len());
    for ply in &game.plies {
        let lines = if is_set_up { lines(board.as_ref(), ply) } else { Vec::new() };
        let punishment = punishment(board.as_ref(), ply);
        let before = board.fork();
        if board.legal_moves().contains(&ply.mv) {
            board.play(ply.mv);
        }
        let is_short = is_plain(before.as_ref(), ply.mv, board.as_ref());
        plies.push(self::ply(game.variant, ply, (lines, punishment), board.as_ref(), is_short));
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
        "goal": Value::from(goal(game.variant)),
        "moments": Value::Array(moments.collect()),
    })
}

fn ply(
    variant: VariantId,
    ply: &AnnotatedPly,
    (lines, punishment): (Vec<Value>, Value),
    after: &dyn Game,
    is_short: bool,
) -> Value {
    let verdict = ply.judgement.verdict;
    let nags = ply.nags.iter().map(|&nag| Value::from(words::nag(nag)));
    let side_lines = ply.side_lines.iter().map(|line| Value::from(words::movetext(line)));
    let time = |time: Option<_>| Value::from(time.map(words::time).as_deref());
    without_blanks(json!({
        "number": Value::from(words::number(ply)),
        "san": Value::from(&*ply.san),
        "board": if is_short { Value::Null } else { placement(&ply.fen).into() },
        "squares": squares(ply.mv),
        "in_check": checked_side(after),
        "score": Value::from(words::score(ply.score)),
        "chance": chance(ply.score),
        "kind": Value::from(verdict.kind().id()),
        "verdict": if verdict == Verdict::Good { Value::Null } else { Value::from(verdict.to_string()) },
        "glyph": Value::from(ply.judgement.glyph()),
        "words": Value::from(&*ply.words),
        "is_best": if ply.is_best() { Value::from(true) } else { Value::Null },
        "lines": Value::Array(lines),
        "punishment": punishment,
        "comments": texts(ply.comments.iter()),
        "nags": Value::Array(nags.collect()),
        "side_lines": Value::Array(side_lines.collect()),
        "clock": time(ply.clock),
        "spent": time(ply.spent),
        "checks": checks(variant, &ply.fen),
        "state": Value::from(ply.state.as_deref()),
        "heat": heat(&ply.heat),
    }))
}

/// The best lines in the position before a move. The first one of a bad move is shown at length.
fn lines(before: &dyn Game, ply: &AnnotatedPly) -> Vec<Value> {
    let lengths = if ply.judgement.is_criticism() { [12, 6] } else { [6, 4] };
    let line = |(it, length): (&Line, usize)| {
        json!({
            "score": Value::from(words::score(it.score.for_white(ply.mover))),
            "depth": count(it.depth.max(0) as usize),
            "moves": moves(before, it.moves.iter().take(length)),
        })
    };
    ply.lines.iter().zip(lengths).map(line).collect()
}

/// How the move is punished: the sentence, and the line that begins with the move itself.
fn punishment(before: &dyn Game, ply: &AnnotatedPly) -> Value {
    let Some(punishment) = &ply.punishment else { return Value::Null };
    let line = std::iter::once(&ply.mv).chain(&punishment.line);
    json!({"text": Value::from(&*punishment.text), "moves": moves(before, line)})
}

/// Moves from a position: each is its standard notation and its squares, and the placement after it if
/// more than one man has moved or changed. Commas divide them: `Nf3 g1f3,O-O e8g8 r4rk1/8/…`.
fn moves<'a>(before: &dyn Game, line: impl Iterator<Item = &'a Move>) -> Value {
    let mut board = before.fork();
    let mut texts = Vec::new();
    for &mv in line {
        if !board.legal_moves().contains(&mv) {
            break;
        }
        let (san, before) = (board.san(mv), board.fork());
        board.play(mv);
        let mut text = format!("{san} {}", squares(mv));
        if !is_plain(before.as_ref(), mv, board.as_ref()) {
            text = format!("{text} {}", placement(&board.fen()));
        }
        texts.push(text);
    }
    Value::from(texts.join(","))
}

/// Does the move do nothing on the board but bring one man from its square to another, in a game without men in
/// hand?
pub fn is_plain(before: &dyn Game, mv: Move, after: &dyn Game) -> bool {
    let mut pieces = before.pieces();
    if mv.is_drop() || after.hands().is_some() {
        return false;
    }
    pieces[mv.to().index64()] = pieces[mv.from().index64()].take();
    pieces == after.pieces()
}

/// The board in the first field of a FEN, with men in hand and without marks of promoted men.
fn placement(fen: &str) -> String {
    fen.split(' ').next().unwrap_or_default().replace('~', "")
}

/// From where to where; for a drop, the square twice.
pub fn squares(mv: Move) -> String {
    format!("{}{}", from_square(mv), mv.to())
}

/// A side as chessground names it.
pub fn side(color: Color) -> &'static str {
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

/// The squares where a king wins, with blanks between them.
fn goal(variant: VariantId) -> String {
    let squares = Square::all().filter(|square| square.is_in(variant.goal()));
    squares.map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

/// The digits of the heat map, in the order of their values.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

/// The squares that are not cold, three digits for each: the square, a1 first, and in two digits the heat,
/// 1 to 100, plus 101 where White leads and 202 where Black leads.
fn heat(map: &HeatMap) -> Value {
    let mut text = String::new();
    for square in Square::all().filter(|&square| map.heat(square) > 0) {
        let lead = match map.leader(square) {
            Some(Color::White) => 101,
            Some(Color::Black) => 202,
            None => 0,
        };
        let heat = lead + usize::from(map.heat(square));
        for digit in [square.index64(), heat / 64, heat % 64] {
            text.push(char::from(DIGITS[digit]));
        }
    }
    Value::from(text)
}

/// The object without what says nothing: null, and empty texts and lists.
pub fn without_blanks(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|_, value| match value {
            Value::Null => false,
            Value::String(text) => !text.is_empty(),
            Value::Array(list) => !list.is_empty(),
            _ => true,
        });
    }
    object
}

fn texts<'a>(texts: impl Iterator<Item = &'a String>) -> Value {
    Value::Array(texts.map(|text| Value::from(&**text)).collect())
}

fn count(number: usize) -> Value {
    Value::from(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_names_its_square_twice_and_the_board_with_its_hands() {
        let mut game = new_game(VariantId::Crazyhouse);
        game.set_board("4k3/8/8/8/8/8/8/Q~3K3[Np] w - - 0 1").unwrap();
        let line = [game.parse_move("N@f3").unwrap()];
        assert_eq!(moves(&*game, line.iter()), json!("N@f3 f3f3 4k3/8/8/8/8/5N2/8/Q3K3[p]"));
    }

    #[test]
    fn an_explosion_names_the_board_after_it() {
        let mut game = new_game(VariantId::Atomic);
        game.set_board("4k2r/6n1/7b/8/6R1/8/8/4K3 w k - 0 1").unwrap();
        let line = [game.parse_move("Rxg7").unwrap()];
        assert_eq!(moves(&*game, line.iter()), json!("Rxg7 g4g7 4k3/8/8/8/8/8/8/4K3"));
        let mut quiet = new_game(VariantId::Atomic);
        quiet.set_board("4k2r/6n1/7b/8/6R1/8/8/4K3 w k - 0 1").unwrap();
        let line = [quiet.parse_move("Rg6").unwrap()];
        assert_eq!(moves(&*quiet, line.iter()), json!("Rg6 g4g6"));
    }

    #[test]
    fn goals_are_named() {
        assert_eq!(goal(VariantId::KingOfTheHill), "d4 e4 d5 e5");
        assert_eq!(goal(VariantId::Standard), "");
    }

    #[test]
    fn moves_are_short_and_name_the_board_only_when_they_must() {
        let mut game = new_game(VariantId::Standard);
        game.set_board("4k3/P7/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let line = ["Rh2", "Kd7", "a8=Q"].map(|san| {
            let mv = game.parse_move(san).unwrap();
            game.play(mv);
            mv
        });
        for _ in 0..3 {
            game.undo();
        }
        let texts = moves(&*game, line.iter());
        assert_eq!(texts, json!("Rh2 h1h2,Kd7 e8d7,a8=Q a7a8 Q7/3k4/8/8/8/8/7R/4K3"));
        let castling = [game.parse_move("O-O").unwrap()];
        let castled = "O-O e1g1 4k3/P7/8/8/8/8/8/5RK1";
        assert_eq!(moves(&*game, castling.iter()), json!(castled));
    }

    #[test]
    fn what_explodes_is_no_longer_on_the_board() {
        let mut game = new_game(VariantId::Atomic);
        game.set_board("4k3/8/8/3pn3/4P3/8/8/4K3 w - - 0 1").unwrap();
        let line = [game.parse_move("exd5").unwrap()];
        assert_eq!(moves(&*game, line.iter()), json!("exd5 e4d5 4k3/8/8/8/8/8/8/4K3"));
    }

    #[test]
    fn heat_is_told_of_squares_that_have_some() {
        let mut game = new_game(VariantId::Standard);
        assert_eq!(heat(&game.heat_map()), json!(""));
        game.set_board("4k3/2p5/3n4/4P3/8/8/8/4K3 w - - 0 1").unwrap();
        let Value::String(text) = heat(&game.heat_map()) else { panic!("a text") };
        let digit = |at: usize| DIGITS.iter().position(|&it| it == text.as_bytes()[at]).unwrap();
        let squares: Vec<usize> = (0..text.len()).step_by(3).map(digit).collect();
        assert!(squares.contains(&43), "{squares:?}");
        assert!(squares.is_sorted() && text.len() < 30, "{text}");
    }
}
