//! The coach names typical mistakes of each game in the words of the game.

use std::fs;
use std::path::Path;

use crate::moments::played;
use trebuchet::coach::Line;
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Move, Score};
use trebuchet::variants::VariantId::{
    self, Antichess, Atomic, Crazyhouse, KingOfTheHill, RacingKings,
};

/// The score after a line for the side that is to move at its beginning: a forced end if it is on the board, else
/// this one.
fn score(start: &dyn Game, line: &str, otherwise: Score) -> Score {
    let (moves, end) = played(start, line);
    match end.outcome().and_then(|outcome| outcome.winner) {
        Some(winner) if winner == start.side_to_move() => Score::win_in(moves.len() as _),
        Some(_) => Score::loss_in(moves.len() as _),
        None => otherwise,
    }
}

#[test]
fn mistakes_have_the_words_of_their_game() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mistakes.tsv");
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut wrong = Vec::new();
    for row in &rows {
        let [variant, fen, better, bad, verdict, punishment, advice] =
            row.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{row}")
        };
        let mut before = new_game(VariantId::from_name(variant).unwrap());
        before.set_board(fen).unwrap();
        let line = |score, moves: &[Move]| Line { score, depth: 20, moves: moves.to_vec() };
        let best = line(score(&*before, better, Score::ZERO), &played(&*before, better).0);
        let (moves, _) = played(&*before, bad);
        let later = score(&*before, bad, Score::cp(-600));
        let after = line(-later, &moves[1..]);
        let lines_after = if moves.len() > 1 { vec![after] } else { Vec::new() };
        let said = before.assess(&[best], moves[0], &lines_after);
        let said_of = [said.punishment(), said.advice()].map(Option::unwrap_or_default);
        let words = [said.judgement.verdict.to_string(), said_of.join("\t")].join("\t");
        if words != [verdict, punishment, advice].join("\t") {
            wrong.push(format!("{variant}\t{fen}\t{better}\t{bad}\t{words}"));
        }
    }
    assert!(rows.len() >= 20, "{}", rows.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn good_moves_have_the_words_of_their_game() {
    let mut wrong = Vec::new();
    for (variant, fen, san, words) in [
        (
            Atomic,
            "r1bq1rk1/pppppppp/2n5/3N4/8/8/PPP1PPPP/R1BQKB1R w KQ - 0 1",
            "Nxe7",
            "blows up a queen, a rook and a pawn for a knight",
        ),
        (
            Atomic,
            "rnbqkbnr/1ppppppp/p7/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2",
            "Ng5",
            "threatens to blow up the king",
        ),
        (Antichess, "8/8/r1pP4/8/p2B4/5P2/5n2/8 b - - 0 1", "Ra8", "forces a capture"),
        (
            Antichess,
            "r7/8/2pP4/8/p7/5P2/5B2/8 b - - 0 1",
            "Ra7",
            "gives away the rook, which must be captured",
        ),
        (Antichess, "8/B7/2pP4/8/p7/5P2/8/8 w - - 0 1", "Bb8", ""),
        (
            Crazyhouse,
            "r3k3/pp6/8/8/8/8/PP6/4K3[N] w - - 0 1",
            "N@c7+",
            "gives check, forks the king and the rook",
        ),
        (KingOfTheHill, "7k/p7/8/8/8/8/P3K3/8 w - - 0 1", "Ke3", "stands next to the hill"),
        (RacingKings, "8/8/5K2/8/8/1k6/8/r6N w - - 0 1", "Kf7", "stands next to the eighth rank"),
    ] {
        let mut game = new_game(variant);
        game.set_board(fen).unwrap();
        let said = game.reasons(game.parse_move(san).unwrap(), None).join(", ");
        if said != words {
            wrong.push((fen, san, said));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
