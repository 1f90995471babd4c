//! The annotated game as PGN: what the source has, and with each move its evaluation, the glyph and the
//! words of its verdict, and a better line.

use super::annotation::{AnnotatedGame, AnnotatedPly};
use super::marks;
use super::source::{SourceError, SourceGame};
use trebuchet::coach::Line;
use trebuchet::notation::pgn::{PgnGame, PgnMove, Variation};
use trebuchet::play::Game;
use trebuchet::types::{Color, Score};

/// The source with the annotations of the game that was made from it.
pub fn write(source: &SourceGame, game: &AnnotatedGame) -> PgnGame {
    let mut pgn = source.pgn.clone();
    pgn.set_tag(marks::ANNOTATOR, marks::annotator(source.pgn.tag(marks::ANNOTATOR)));
    for (tag, accuracy) in marks::ACCURACY.iter().zip(game.accuracy) {
        if let Some(percent) = accuracy {
            pgn.set_tag(tag, format!("{percent:.1}"));
        }
    }
    if let Some(summary) = summary(game) {
        add_to(&mut pgn.comment, marks::sentence(&summary));
    }
    let mut board = source.start();
    for (written, ply) in pgn.moves.iter_mut().zip(&game.plies) {
        annotate(written, ply, &*board);
        board.play(ply.mv);
    }
    if let Some(problem) = &source.problem {
        let last = source.moves.len().checked_sub(1).map(|last| &mut pgn.moves[last].comment);
        add_to(last.unwrap_or(&mut pgn.comment), marks::sentence(problem));
    }
    pgn
}

/// A game that cannot be analysed, with the reason.
pub fn write_refused(mut pgn: PgnGame, error: &SourceError) -> PgnGame {
    pgn.set_tag(marks::ANNOTATOR, marks::annotator(pgn.tag(marks::ANNOTATOR)));
    add_to(&mut pgn.comment, marks::sentence(&format!("not analysed, {error}")));
    pgn
}

/// The accuracy of both sides and the limits of the analysis.
fn summary(game: &AnnotatedGame) -> Option<String> {
    let sides: Vec<String> = Color::ALL
        .into_iter()
        .filter_map(|color| Some(format!("{color} {:.1}%", game.accuracy[color.index()]?)))
        .collect();
    (!sides.is_empty()).then(|| format!("accuracy: {}; {}", sides.join(", "), game.limits))
}

/// Annotates a move of the position on the board.
fn annotate(written: &mut PgnMove, ply: &AnnotatedPly, board: &dyn Game) {
    if let Some(eval) = eval(ply.score) {
        let before = written.comment.take();
        written.comment = Some(format!("[%eval {eval}]"));
        before.into_iter().for_each(|text| add_to(&mut written.comment, text));
    }
    if ply.words.is_empty() {
        return;
    }
    let mut words = ply.words.clone();
    if written.nags.iter().any(|&nag| marks::is_judgement(nag)) {
        // The glyph of the source stays the only one.
        words = format!("{} {words}", ply.judgement.glyph());
    } else {
        written.nags.splice(0..0, ply.judgement.nag());
    }
    add_to(&mut written.comment, marks::sentence(&words));
    if ply.judgement.is_criticism()
        && let Some(line) = ply.best()
    {
        written.variations.push(side_line(line, board));
    }
}

/// A line from the position on the board, with its evaluation behind the last move.
fn side_line(line: &Line, board: &dyn Game) -> Variation {
    let mut game = board.fork();
    let mut moves = Vec::with_capacity(line.moves.len());
    for &mv in &line.moves {
        moves.push(PgnMove::new(game.san(mv)));
        game.play(mv);
    }
    if let Some(last) = moves.last_mut() {
        let value = eval(line.score.for_white(board.side_to_move())).unwrap_or_default();
        last.comment = Some(marks::sentence(&format!("{value}, depth {}", line.depth)));
    }
    Variation { comment: None, moves }
}

/// The argument of `[%eval …]` as Lichess writes it: pawns from White, or moves to the end of the game
/// as `#3` and `#-3`. `None` if the game is over by a win.
fn eval(score: Score) -> Option<String> {
    match score.moves_to_end() {
        Some(0) => None,
        Some(moves) => Some(format!("#{moves}")),
        None => {
            let limit = Score::EVAL_LIMIT.value();
            Some(format!("{:.2}", f64::from(score.value().clamp(-limit, limit)) / 100.0))
        }
    }
}

fn add_to(comment: &mut Option<String>, text: String) {
    *comment = Some(match comment.take() {
        Some(before) => format!("{before} {text}"),
        None => text,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_written_as_lichess_does() {
        for (score, text) in [
            (Score::cp(35), Some("0.35")),
            (Score::cp(-7), Some("-0.07")),
            (Score::ZERO, Some("0.00")),
            (Score::win_in(5), Some("#3")),
            (Score::loss_in(4), Some("#-2")),
            (Score::loss_in(1), Some("#-1")),
            (Score::win_in(0), None),
            (Score::loss_in(0), None),
            (Score::table_win(3), Some("200.00")),
        ] {
            assert_eq!(eval(score).as_deref(), text, "{score:?}");
        }
    }
}
