//! Whole games against Debian's engines, in every variant and stage.

use std::collections::HashSet;

use trebuchet::notation::pgn::PgnGame;
use trebuchet::variants::KingOfTheHill;

use super::matches::{FAIRYMAX, Match, final_position};
use crate::debug_log::{Direction, Engine, said};

const FAST: &[&str] = &["-tc", "0:04", "-inc", "0.1"];
const SHALLOW: &[&str] = &["-tc", "0:10", "-inc", "0", "-depth", "3"];

/// The points of the engine under test. It is found by its name, so the opponent must be another one.
fn points(record: &super::matches::Record) -> f64 {
    let ours = |name: Option<&str>| name.is_some_and(|name| name.starts_with("Trebuchet"));
    record
        .games
        .iter()
        .map(|game| match (game.result.token(), ours(game.tag("White"))) {
            ("1-0", true) | ("0-1", false) => 1.0,
            ("1/2-1/2", _) => 0.5,
            _ => 0.0,
        })
        .sum()
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn chess_against_fairymax() {
    Match {
        name: "chess_against_fairymax",
        arguments: "",
        opponent: FAIRYMAX,
        variant: "normal",
        games: 2,
        options: FAST,
    }
    .play_and_check();
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn chess_against_phalanx_with_twenty_moves_a_session() {
    Match {
        name: "chess_against_phalanx",
        arguments: "",
        opponent: "phalanx",
        variant: "normal",
        games: 2,
        options: &["-tc", "0:05", "-mps", "20"],
    }
    .play_and_check();
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn chess_against_sjeng() {
    Match {
        name: "chess_against_sjeng",
        arguments: "",
        opponent: "sjeng",
        variant: "normal",
        games: 2,
        options: &["-tc", "0:10", "-inc", "0"],
    }
    .play_and_check();
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn chess_while_nobody_ponders() {
    Match {
        name: "chess_while_nobody_ponders",
        arguments: "",
        opponent: "phalanx",
        variant: "normal",
        games: 2,
        options: &["-tc", "0:05", "-inc", "0.1", "-xponder"],
    }
    .play_and_check();
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn three_check_against_fairy_stockfish() {
    let record = Match {
        name: "three_check_against_fairy_stockfish",
        arguments: "",
        opponent: "fairy-stockfish",
        variant: "3check",
        games: 4,
        options: FAST,
    }
    .play_and_check();
    let asked = said(&record.log, Engine::First, Direction::ToEngine);
    assert!(asked.filter(|line| *line == "variant 3check").count() >= 4);
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn pawns_in_chess() {
    let record = Match {
        name: "pawns_in_chess",
        arguments: "--stage pawns --seed 1",
        opponent: FAIRYMAX,
        variant: "normal",
        games: 2,
        options: SHALLOW,
    }
    .play_and_check();
    assert_eq!(points(&record), 0.0);
    only_pawns_moved(&record);
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn pawns_in_three_check() {
    let record = Match {
        name: "pawns_in_three_check",
        arguments: "--stage pawns --seed 2",
        opponent: "fairy-stockfish",
        variant: "3check",
        games: 2,
        options: SHALLOW,
    }
    .play_and_check();
    assert_eq!(points(&record), 0.0);
    only_pawns_moved(&record);
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn random_moves_in_chess() {
    Match {
        name: "random_moves_in_chess",
        arguments: "--stage random --seed 3",
        opponent: FAIRYMAX,
        variant: "normal",
        games: 4,
        options: SHALLOW,
    }
    .play_and_check();
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn random_moves_in_three_check() {
    Match {
        name: "random_moves_in_three_check",
        arguments: "--stage random --seed 4",
        opponent: "fairy-stockfish",
        variant: "3check",
        games: 4,
        options: SHALLOW,
    }
    .play_and_check();
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn king_of_the_hill_against_fairy_stockfish() {
    let record = Match {
        name: "king_of_the_hill_against_fairy_stockfish",
        arguments: "",
        opponent: "fairy-stockfish",
        variant: "kingofthehill",
        games: 4,
        options: FAST,
    }
    .play_and_check();
    let heard = said(&record.log, Engine::First, Direction::ToEngine);
    assert!(heard.filter(|line| *line == "variant kingofthehill").count() >= 4);
}

/// xboard does not know the hill. It accepts the win because the loser claims it.
#[test]
#[ignore = "needs xboard and Xvfb"]
fn king_of_the_hill_against_random_moves() {
    let record = Match {
        name: "king_of_the_hill_against_random_moves",
        arguments: "--no-book",
        opponent: concat!(env!("CARGO_BIN_EXE_trebuchet"), " --stage random --seed 5"),
        variant: "kingofthehill",
        games: 12,
        options: SHALLOW,
    }
    .play_and_check();
    // The first engine is White in every other game.
    let results: Vec<&str> = record.games.iter().map(|game| game.result.token()).collect();
    assert_eq!(results, ["1-0", "0-1"].repeat(6));
    let on_the_hill = |game| final_position::<KingOfTheHill>(game).variant_outcome().is_some();
    assert!(record.games.iter().any(on_the_hill));
}

/// Games that xboard knows: it checks every move and accepts the claims of both engines.
#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn games_of_xboard_against_fairy_stockfish() {
    for (name, variant) in [
        ("crazyhouse_against_fairy_stockfish", "crazyhouse"),
        ("suicide_against_fairy_stockfish", "suicide"),
        ("giveaway_against_fairy_stockfish", "giveaway"),
    ] {
        let opponent = "fairy-stockfish";
        Match { name, arguments: "", opponent, variant, games: 2, options: FAST }.play_and_check();
    }
}

/// Every game ends by its own rules, and xboard accepts the end: it knows it, or the loser claims it. A side that has
/// no king never moves by the rules of xboard, so Horde needs an option.
#[test]
#[ignore = "needs xboard and Xvfb"]
fn the_other_games_against_random_moves() {
    const UNCHECKED: &[&str] =
        &["-tc", "0:30", "-inc", "0", "-depth", "3", "-testLegality", "false"];
    const CHECKED: &[&str] = &["-tc", "0:30", "-inc", "0", "-depth", "3"];
    const WINS: &[&str] = &["0-1"];
    // So shallow a search may leave the last pawns of the horde without a move.
    const WINS_OR_STALEMATES: &[&str] = &["0-1", "1/2-1/2"];
    for (name, variant, options, black) in [
        ("crazyhouse_against_random_moves", "crazyhouse", CHECKED, WINS),
        ("atomic_against_random_moves", "atomic", CHECKED, WINS),
        ("antichess_against_random_moves", "antichess", CHECKED, WINS),
        ("racing_kings_against_random_moves", "racingkings", CHECKED, WINS),
        ("horde_against_random_moves", "horde", UNCHECKED, WINS_OR_STALEMATES),
    ] {
        let opponent = concat!(env!("CARGO_BIN_EXE_trebuchet"), " --stage random --seed 5");
        let record = Match { name, arguments: "--no-book", opponent, variant, games: 4, options }
            .play_and_check();
        // The first engine is White in every other game.
        let results: Vec<&str> = record.games.iter().map(|game| game.result.token()).collect();
        let is_right = |(game, result): (usize, &&str)| match game % 2 {
            0 => *result == "1-0",
            _ => black.contains(result),
        };
        assert_eq!(results.len(), 4, "{name}");
        assert!(results.iter().enumerate().all(is_right), "{name}: {results:?}");
    }
}

/// Random moves end in every way: out of men, in stalemate, and with other numbers of men.
#[test]
#[ignore = "needs xboard and Xvfb"]
fn antichess_of_xboard_against_random_moves() {
    for (name, variant) in
        [("suicide_against_random_moves", "suicide"), ("giveaway_against_random_moves", "giveaway")]
    {
        let opponent = concat!(env!("CARGO_BIN_EXE_trebuchet"), " --stage random --seed 5");
        let arguments = "--stage random --seed 6";
        Match { name, arguments, opponent, variant, games: 12, options: SHALLOW }.play_and_check();
    }
}

/// Of Debian's engines only Fairy-Stockfish plays Chess960 under xboard, and it does not understand
/// xboard's castling. So the engine plays against itself.
#[test]
#[ignore = "needs xboard and Xvfb"]
fn chess960_against_itself() {
    let record = Match {
        name: "chess960_against_itself",
        arguments: "",
        opponent: env!("CARGO_BIN_EXE_trebuchet"),
        variant: "fischerandom",
        games: 6,
        options: FAST,
    }
    .play_and_check();
    let arrays: HashSet<_> = record.games.iter().map(|game| game.tag("FEN")).collect();
    assert!(arrays.len() > 1, "xboard draws arrays: {arrays:?}");
    for side in 0..2 {
        let castles = |game: &PgnGame| {
            let mut moves = game.moves.iter().skip(side).step_by(2);
            moves.any(|mv| mv.san.starts_with("O-O"))
        };
        assert!(record.games.iter().any(castles), "one of the two sides never castles");
    }
    let heard = said(&record.log, Engine::First, Direction::ToEngine);
    assert!(heard.filter(|line| line.contains("O-O")).count() > 0);
    let told = said(&record.log, Engine::First, Direction::FromEngine);
    assert!(told.filter(|line| line.starts_with("move O-O")).count() > 0);
}

/// A move of a pawn has a small letter first in SAN; castling and pieces do not.
fn only_pawns_moved(record: &super::matches::Record) {
    for game in &record.games {
        let ours =
            usize::from(!game.tag("White").is_some_and(|name| name.starts_with("Trebuchet")));
        for mv in game.moves.iter().skip(ours).step_by(2) {
            assert!(mv.san.starts_with(|c: char| c.is_ascii_lowercase()), "{}", mv.san);
        }
    }
}
