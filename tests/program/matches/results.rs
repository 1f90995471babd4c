//! How games and matches end, and what is written about it.

use std::fs;

use super::bad_engine::describe;
use super::{CALM, folder, run, trial};
use trebuchet::types::{Color, GameResult};

/// White has a rook, Black a bare king. The engine with a clock exceeds it with either colour.
#[test]
fn a_flag_against_a_bare_king_is_a_draw() {
    let folder = folder();
    let openings = folder.join("rook.epd");
    fs::write(&openings, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 ;\n").unwrap();
    let (bad, good) =
        (format!("{} tc=1", describe("slow")), format!("{} {CALM}", describe("plain")));
    let pgn = folder.join("games.pgn");
    // The flag may fall before the first move. Then the match fails, but the games end in the same way.
    run(&[
        "--engine",
        &bad,
        "--engine",
        &good,
        "--games",
        "2",
        "--no-adjudication",
        "--openings",
        openings.to_str().unwrap(),
        "--pgn",
        pgn.to_str().unwrap(),
    ]);
    let text = fs::read_to_string(&pgn).unwrap();
    let ends: Vec<_> = trebuchet::notation::pgn::read(&text)
        .map(|game| {
            let end = game.to_string().replace('\n', " ");
            let known = ["White exceeds the time, but Black cannot win", "Black loses on time"];
            (game.result, known.into_iter().find(|reason| end.contains(reason)))
        })
        .collect();
    assert_eq!(
        ends,
        [
            (GameResult::Draw, Some("White exceeds the time, but Black cannot win")),
            (GameResult::Win(Color::White), Some("Black loses on time")),
        ]
    );
}

/// In King of the Hill, a bare king can still win.
#[test]
fn a_flag_against_a_bare_king_that_can_win_is_a_loss() {
    let folder = folder();
    let openings = folder.join("rook.epd");
    fs::write(&openings, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 ;\n").unwrap();
    let (bad, good) =
        (format!("{} tc=1", describe("slow")), format!("{} {CALM}", describe("plain")));
    let pgn = folder.join("games.pgn");
    let mut arguments = vec!["--variant", "kingofthehill", "--games", "2", "--quiet"];
    arguments.extend(["--engine", &bad, "--engine", &good]);
    arguments.extend(["--openings", openings.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()]);
    run(&arguments);
    let text = fs::read_to_string(&pgn).unwrap();
    let game = trebuchet::notation::pgn::read(&text).next().unwrap();
    assert_eq!(game.tag("White"), Some("slow"));
    assert_eq!(game.result, GameResult::Win(Color::Black), "{text}");
    assert_eq!(game.tag("Forfeit"), Some("White: time-loss"), "{text}");
}

/// To claim a draw that the other side has offered is to accept it.
#[test]
fn a_claim_accepts_a_draw_that_was_offered() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    let [offers, takes] = ["offers-draw", "takes-draw"].map(describe);
    let mut arguments = vec!["--engine", &offers, "--engine", &takes, "--each", CALM];
    arguments.extend(["--games", "2", "--random-plies", "0", "--pgn", pgn.to_str().unwrap()]);
    run(&arguments);
    let text = fs::read_to_string(&pgn).unwrap();
    assert_eq!(text.matches("[Ending \"agreement\"]").count(), 2, "{text}");
}

/// The last words of an engine stand in the comment, and decide nothing.
#[test]
fn the_end_of_a_game_is_in_its_tags() {
    let report = trial("confesses", CALM, &["--on-failure", "forfeit"]);
    assert_eq!((report.code, report.games.len()), (0, 2), "{}", report.stderr);
    for (game, side) in report.games.iter().zip(["White", "Black"]) {
        assert!(game.contains("panicked at 'illegal move'}"), "{game}");
        assert!(game.contains("[Ending \"crash\"]"), "{game}");
        assert!(game.contains(&format!("[Forfeit \"{side}: crash\"]")), "{game}");
        assert!(game.contains(&format!("[Fault \"{side}: crashes\"]")), "{game}");
    }
}

/// Each game has its line on standard output, also when that is no terminal.
#[test]
fn games_are_shown_as_they_end() {
    let (first, second) =
        (format!("{} {CALM}", describe("illegal")), format!("{} {CALM}", describe("plain")));
    let output = run(&["--engine", &first, "--engine", &second, "--games", "4"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (white, black) = ("illegal - plain 0-1, White", "plain - illegal 1-0, Black");
    for (number, (line, game)) in lines.iter().zip([white, black, white, black]).enumerate() {
        let beginning = format!("Game {} of 4: {game} makes an illegal move: e1e5 (", number + 1);
        assert!(line.starts_with(&beginning) && line.ends_with(" moves"), "{text}");
    }
    assert_eq!(
        lines[4..],
        [
            "illegal - plain: +0 -4 =0, 0.0 % of 4 games",
            "  Elo: too few games to say",
            "  Pairs of games by score: 0-2: 2, 0.5-1.5: 0, 1-1: 0, 1.5-0.5: 0, 2-0: 0",
            "White scores 50.0 %, 0.0 % draws",
            "illegal: 4 illegal moves",
        ]
    );
    let quiet = run(&["--engine", &first, "--engine", &second, "--games", "2", "--quiet"]);
    assert!(quiet.stdout.starts_with(b"illegal - plain: +0 -2 =0"));
}

#[test]
fn resignations_count() {
    let report = trial("resigns", CALM, &[]);
    assert!(report.summary.contains("\"losses\": 2}, \"faults\": {}"), "{}", report.summary);
    assert_eq!(report.games.len(), 2);
    assert!(report.games.iter().all(|game| game.contains("resigns}")));
}

#[test]
fn three_check_games_end_with_the_third_check() {
    let report = trial("stays", CALM, &["--variant", "3check", "--max-moves", "300"]);
    assert_eq!(report.games.len(), 2);
    for game in &report.games {
        assert!(game.contains("[Variant \"3check\"]"));
        assert!(game.contains("gives third check"), "{game}");
    }
}

#[test]
fn sequential_tests_end_with_a_verdict() {
    let (good, bad) = (describe("good"), describe("illegal"));
    let play = |first: &str, second: &str, games: &str| {
        run(&[
            "--engine",
            first,
            "--engine",
            second,
            "--depth",
            "1",
            "--games",
            games,
            "--max-moves",
            "5",
            "--sprt",
            "elo0=0",
            "elo1=100",
        ])
    };
    assert_eq!(play(&good, &bad, "400").status.code(), Some(0), "H1 accepted");
    let output = play(&bad, &good, "400");
    assert_eq!(output.status.code(), Some(1), "H0 accepted");
    let text = String::from_utf8_lossy(&output.stdout);
    // Draws alone decide nothing in two games.
    assert_eq!(play(&good, &describe("plain"), "2").status.code(), Some(3), "no verdict");
    assert!(text.contains("H0 accepted") && !text.contains("of 400 games"), "{text}");
}

/// Otherwise an operator would believe that these games are adjudicated.
#[test]
fn a_damaged_tablebase_is_told() {
    let folder = folder();
    let tables = folder.join("tables");
    fs::create_dir(&tables).unwrap();
    let mut bytes =
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/syzygy/KPvK.rtbw"));
    bytes.as_mut().unwrap()[..4].fill(0);
    fs::write(tables.join("KPvK.rtbw"), bytes.unwrap()).unwrap();
    let openings = folder.join("ends.epd");
    fs::write(&openings, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1 ;\n").unwrap();
    let engine = |name: &str| format!("name={name} cmd={}", env!("CARGO_BIN_EXE_trebuchet"));
    let (first, second) = (engine("a"), engine("b"));
    let (tables, openings) = (tables.to_str().unwrap(), openings.to_str().unwrap());
    let mut arguments = vec!["--engine", &first, "--engine", &second, "--games", "4"];
    arguments.extend(["--depth", "2", "--openings", openings, "--tablebases", tables]);
    let output = run(&arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said.matches("the tablebases: ").count(), 1, "{said}");
}

#[test]
fn tablebases_end_games() {
    let folder = folder();
    let (openings, pgn) = (folder.join("ends.epd"), folder.join("games.pgn"));
    // White wins the first; the second is a draw.
    fs::write(&openings, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1 ;\n8/8/4k3/8/4K3/4P3/8/8 w - - 0 1 ;\n")
        .unwrap();
    let engine = |name: &str| format!("name={name} cmd={}", env!("CARGO_BIN_EXE_trebuchet"));
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/syzygy");
    let (first, second) = (engine("a"), engine("b"));
    let (openings, games) = (openings.to_str().unwrap(), pgn.to_str().unwrap());
    let output = run(&[
        "--engine",
        &first,
        "--engine",
        &second,
        "--games",
        "4",
        "--depth",
        "12",
        "--openings",
        openings,
        "--tablebases",
        tables,
        "--resign",
        "moves=100",
        "--draw",
        "moves=200",
        "--pgn",
        games,
        "--quiet",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&pgn).unwrap();
    // A comment may go over several lines.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let count = |part: &str| text.matches(part).count();
    assert_eq!(count("White wins by the tablebases"), 2, "{text}");
    assert_eq!(count("Draw by the tablebases"), 2, "{text}");
    assert_eq!(count("[Termination \"adjudication\"]"), 4, "{text}");
}
