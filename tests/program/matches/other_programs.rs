//! Matches with other engines, and games read by other programs. Ignored by default.

use std::fs;
use std::process::Command;

use super::{folder, run};
use trebuchet::board::Rules;
use trebuchet::for_variant;
use trebuchet::notation::pgn::PgnGame;
use trebuchet::types::{GameResult, Outcome};
use trebuchet::variants::VariantId;

/// Replays each game of a PGN file with python-chess. There must be no errors, and games that ended by
/// the rules must have the result of their last position.
const READER: &str = "
import sys, chess.pgn
count = 0
games = open(sys.argv[1])
while (game := chess.pgn.read_game(games)) is not None:
    assert not game.errors, game.errors
    board = game.end().board()
    assert board.uci_variant == sys.argv[2], board.uci_variant
    assert len(list(game.mainline_moves())) == int(game.headers['PlyCount']) > 0
    reason = game.end().comment
    by_rule = not any(word in reason for word in ('resigns', 'agreement'))
    if by_rule and game.headers['Termination'] == 'normal':
        assert board.result(claim_draw=True) == game.headers['Result'], board.fen()
    assert any(node.comment for node in game.mainline())
    count += 1
print(count)
";

#[test]
#[ignore = "needs python-chess"]
fn games_are_read_by_python_chess() {
    let folder = folder();
    let python = std::env::var("TREBUCHET_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let engine = env!("CARGO_BIN_EXE_trebuchet");
    for (variant, name) in [
        ("normal", "chess"),
        ("3check", "3check"),
        ("kingofthehill", "kingofthehill"),
        ("fischerandom", "chess"),
    ] {
        let pgn = folder.join(format!("{variant}.pgn"));
        let (first, second) = (format!("name=a cmd={engine}"), format!("name=b cmd={engine}"));
        let played = run(&[
            "--engine",
            &first,
            "--engine",
            &second,
            "--depth",
            "3",
            "--games",
            "10",
            "--variant",
            variant,
            "--quiet",
            "--no-adjudication",
            "--pgn",
            pgn.to_str().unwrap(),
        ]);
        assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
        let read = Command::new(&python)
            .args(["-c", READER, pgn.to_str().unwrap(), name])
            .output()
            .unwrap();
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        assert_eq!(String::from_utf8_lossy(&read.stdout).trim(), "10");
    }
}

/// The end of a game by the rules.
fn final_outcome<R: Rules>(game: &PgnGame) -> Option<Outcome> {
    let (mut pos, moves) = game.replay::<R>().unwrap_or_else(|error| panic!("{error}: {game}"));
    moves.into_iter().for_each(|mv| pos.make_move(mv));
    pos.outcome()
}

/// Plays four quick games of the engine against Fairy-Stockfish, with the built-in openings and to a
/// fixed depth, so that a busy machine costs nobody the game. Neither side may forfeit, and every game
/// must end as its moves say.
fn fairy_stockfish(variant: VariantId, protocol: &str) {
    let folder = folder();
    let (pgn, json) = (folder.join("games.pgn"), folder.join("result.json"));
    let engine = format!("name=trebuchet cmd={}", env!("CARGO_BIN_EXE_trebuchet"));
    let opponent = format!("name=fairy proto={protocol} cmd=fairy-stockfish");
    let output = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
        .args(["match", "--engine", &engine, "--engine", &opponent, "--variant", variant.name()])
        .args(["--depth", "8", "--games", "4", "--no-adjudication", "--quiet"])
        .args(["--pgn", pgn.to_str().unwrap(), "--json", json.to_str().unwrap()])
        .env("PATH", format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let summary = fs::read_to_string(&json).unwrap();
    assert_eq!(summary.matches("\"faults\": {}").count(), 2, "{summary}");
    let text = fs::read_to_string(&pgn).unwrap();
    let mut games = 0;
    for game in trebuchet::notation::pgn::read(&text) {
        assert_eq!(game.tag("Variant").unwrap_or("normal"), variant.name());
        match for_variant!(variant, V => final_outcome::<V>(&game)) {
            Some(outcome) => assert_eq!(game.result, GameResult::from(outcome), "{game}"),
            // No other end is possible without adjudication.
            None => {
                let text = game.to_string();
                assert!(text.contains("resigns") || text.contains("agreement"), "{text}");
            }
        }
        games += 1;
    }
    assert_eq!(games, 4);
}

#[test]
#[ignore = "needs Fairy-Stockfish"]
fn king_of_the_hill_against_fairy_stockfish() {
    fairy_stockfish(VariantId::KingOfTheHill, "uci");
    fairy_stockfish(VariantId::KingOfTheHill, "cecp");
}

#[test]
#[ignore = "needs Fairy-Stockfish"]
fn chess960_against_fairy_stockfish() {
    fairy_stockfish(VariantId::Chess960, "uci");
}
