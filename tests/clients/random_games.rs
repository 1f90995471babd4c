//! Games at random by the rules of python-chess, for the games that the reference of `tests/library` does not
//! know: the same legal moves, the same end, the same FEN and the same notation at every ply.

use std::process::Command;

use trebuchet::board::{Position, Rules};
use trebuchet::notation::{parse_move, san};
use trebuchet::protocol::dialect::MoveText;
use trebuchet::types::{GameResult, Reason};
use trebuchet::variants::{Antichess, Giveaway, Names, Suicide};

use crate::python::{python, script};

/// What python-chess says of a position.
struct Line<'a> {
    fen: &'a str,
    result: &'a str,
    moves: &'a str,
    /// The move that is played, in coordinates and in SAN; empty at the end of a game.
    played: &'a str,
    san: &'a str,
}

impl Line<'_> {
    fn read(text: &str) -> Line<'_> {
        let fields: Vec<&str> = text.split('|').collect();
        let &[fen, result, moves, played, san] = fields.as_slice() else { panic!("{text}") };
        Line { fen, result, moves, played, san }
    }
}

/// The result of a position, leaving aside the draws that python-chess was not asked for.
fn result<R: Rules>(pos: &Position<R>) -> String {
    let is_asked = |reason| !matches!(reason, Reason::Repetition | Reason::FiftyMoves);
    match pos.outcome().filter(|outcome| is_asked(outcome.reason)) {
        None => "*".to_owned(),
        Some(outcome) => GameResult::from(outcome).token().to_owned(),
    }
}

/// Follows random games; returns how many positions were compared.
fn follow<V: Rules + Names>(games: usize, seed: u64) -> usize {
    let output = Command::new(python())
        .args([script("random_games.py").as_str(), V::NAME])
        .args([games.to_string(), seed.to_string()])
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let mut pos = Position::<V>::start();
    let mut castlings = 0;
    for line in text.lines().map(Line::read) {
        let fen = line.fen;
        assert_eq!(pos.fen(), fen);
        assert_eq!(result(&pos), line.result, "{fen}");
        let mut moves: Vec<String> =
            pos.legal_moves().iter().map(|&mv| MoveText::of(&pos, mv).uci).collect();
        moves.sort();
        if line.moves != "?" {
            assert_eq!(moves.join(" "), line.moves, "{fen}");
        }
        assert_eq!(pos.count_legal_moves(), moves.len() as u64, "{fen}");
        if line.played.is_empty() {
            (0..pos.ply_count()).for_each(|_| pos.unmake_move());
            assert_eq!(pos.fen(), V::START_FEN);
            assert_eq!(pos.key(), Position::<V>::start().key());
            continue;
        }
        let mv = parse_move(&pos, line.played).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!((san(&pos, mv), parse_move(&pos, line.san)), (line.san.to_owned(), Ok(mv)));
        castlings += usize::from(mv.is_castling());
        pos.make_move(mv);
        pos.verify();
        assert_eq!(Position::<V>::from_fen(&pos.fen()).unwrap().key(), pos.key(), "{fen}");
    }
    assert_eq!(castlings > games / 10, V::may_castle(pos.side_to_move()), "{castlings}");
    text.lines().count()
}

#[test]
#[ignore = "needs python-chess"]
fn suicide_agrees_with_python_chess() {
    assert!(follow::<Suicide>(2_000, 1) > 60_000);
}

#[test]
#[ignore = "needs python-chess"]
fn giveaway_agrees_with_python_chess() {
    assert!(follow::<Giveaway>(2_000, 2) > 60_000);
}

#[test]
#[ignore = "needs python-chess"]
fn antichess_agrees_with_python_chess() {
    assert!(follow::<Antichess>(500, 3) > 15_000);
}
