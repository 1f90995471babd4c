//! Exercises as JSON for the script of a page. `web/report/src/stored.ts` has the types.

use serde_json::{Map, Value, json};

use super::data::{is_plain, side, squares, without_blanks};
use crate::report::{AnnotatedGame, Exercise};
use trebuchet::coach::{Assessment, Verdict};
use trebuchet::play::{Game, new_game};
use trebuchet::types::Move;

/// The exercises of a game, each with its JSON.
pub fn exercises(game: &AnnotatedGame) -> Vec<(&Exercise, Value)> {
    let mut board = new_game(game.variant);
    // The analysis holds legal positions and moves. If it did not, there would be no exercises.
    if board.set_board(&game.start_fen).is_err() {
        return Vec::new();
    }
    let mut written = Vec::new();
    let mut left = game.exercises.iter().peekable();
    for (index, ply) in game.plies.iter().enumerate() {
        while let Some(found) = left.next_if(|found| found.ply == index) {
            let lead = index.checked_sub(1).map(|last| game.plies[last].mv);
            let json = exercise(game, found, lead, board.as_ref());
            written.extend(json.map(|json| (found, json)));
        }
        board.play(ply.mv);
    }
    written
}

/// An exercise; `before` is the position in which the reader looks for a move, `lead` the move that led there.
fn exercise(
    game: &AnnotatedGame,
    found: &Exercise,
    lead: Option<Move>,
    before: &dyn Game,
) -> Option<Value> {
    let Assessment { san, better, .. } = &found.played;
    let better = better.as_ref()?;
    let best = better.line.first()?;
    let mut start = before.fork();
    if lead.is_some() {
        start.undo()?;
    }
    let is_good = |said: &&Assessment| !said.judgement.is_criticism();
    let others = found.tries.iter().map(|(_, said)| said).filter(is_good);
    let others = others.map(|said| &said.san).filter(|san| *san != best);
    let tries = found.tries.iter().map(|(mv, said)| attempt(before, *mv, said));
    let ply = &game.plies[found.ply];
    Some(without_blanks(json!({
        "variant": game.variant.name(),
        "title": game.variant.title(),
        "fen": start.fen(),
        "in_check": before.is_in_check(),
        "lead": lead.map_or(String::new(), |mv| start.coordinate(mv)),
        "lead_move": lead.map_or(Value::Null, |mv| step(start.as_ref(), mv).into()),
        "turn": side(before.side_to_move()),
        "state": before.describe_state(),
        "number": ply.number,
        "played": san,
        "glyph": found.played.judgement.glyph(),
        "verdict": found.played.sentence(),
        "punishment": found.played.punishment(),
        "reply": found.played.refutation.as_ref().and_then(|refutation| refutation.sans.first()),
        "best": best,
        "reasons": better.reasons,
        "line": better.line,
        "others": others.collect::<Vec<_>>(),
        "clue": found.clue,
        "tries": tries.collect::<Vec<_>>(),
    })))
}

/// A legal move, what is said of it, and the reply that punishes it.
fn attempt(before: &dyn Game, mv: Move, said: &Assessment) -> Value {
    let mut written = step(before, mv);
    let rank = match said.judgement.verdict {
        _ if !said.judgement.is_criticism() => 0,
        Verdict::Inaccuracy => 1,
        _ => 2,
    };
    let mut after = before.fork();
    after.play(mv);
    let reply = said.refutation.as_ref().and_then(|refutation| refutation.line.first());
    let reply = reply.filter(|reply| after.legal_moves().contains(reply));
    let more = json!({
        "text": before.coordinate(mv),
        "rook": before.castling_rook(mv).map(|square| square.to_string()),
        "verdict": said.sentence(),
        "glyph": said.judgement.glyph(),
        "rank": if rank == 0 { Value::Null } else { rank.into() },
        "punishment": said.punishment(),
        "reply": reply.map_or(Value::Null, |&reply| step(after.as_ref(), reply).into()),
    });
    if let Value::Object(more) = more {
        written.extend(more);
    }
    without_blanks(written.into())
}

/// A move: its notation and its squares, and the board after it with the men in hand, if more than one man has
/// moved or if there are men in hand.
fn step(before: &dyn Game, mv: Move) -> Map<String, Value> {
    let mut after = before.fork();
    after.play(mv);
    let fen = after.fen();
    let board = fen.split(' ').next().unwrap_or_default();
    let is_short = is_plain(before, mv, after.as_ref()) && !board.contains('[');
    let mut written = Map::new();
    written.insert("san".to_owned(), before.san(mv).into());
    written.insert("squares".to_owned(), squares(mv).into());
    if !is_short {
        written.insert("board".to_owned(), board.into());
    }
    written
}
