//! The match runner as a process, with engines that misbehave in every way.

mod bad_engine;
mod files;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use bad_engine::describe;
use trebuchet::board::Rules;
use trebuchet::for_variant;
use trebuchet::notation::pgn::PgnGame;
use trebuchet::types::{GameResult, Outcome};
use trebuchet::variants::VariantId;

/// Not a test. The other tests start this program as their engine.
#[test]
fn bad_engine() {
    if let Ok(vice) = std::env::var(bad_engine::VARIABLE) {
        bad_engine::run(&vice);
    }
}

/// A new empty folder. Dropping it removes it.
struct Folder(tempfile::TempDir);

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

fn folder() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trebuchet")).arg("match").args(arguments).output().unwrap()
}

/// The results of a match.
struct Report {
    code: i32,
    summary: String,
    games: Vec<String>,
    elapsed: Duration,
}

/// Plays two quick games of an engine with a vice against one without.
fn trial(vice: &str, more: &[&str]) -> Report {
    let folder = folder();
    let (pgn, json) = (folder.join("games.pgn"), folder.join("result.json"));
    let (bad, good) = (describe(vice), describe("plain"));
    let mut arguments = vec![
        "--engine",
        &bad,
        "--engine",
        &good,
        "--games",
        "2",
        "--random-plies",
        "0",
        "--tc",
        "1+0.1",
        "--stall",
        "1",
    ];
    arguments.extend([
        "--startup",
        "1",
        "--max-moves",
        "10",
        "--quiet",
        "--pgn",
        pgn.to_str().unwrap(),
        "--json",
        json.to_str().unwrap(),
    ]);
    arguments.extend(more);
    let start = Instant::now();
    let output = run(&arguments);
    let elapsed = start.elapsed();
    let code = output
        .status
        .code()
        .unwrap_or_else(|| panic!("{vice}: {}", String::from_utf8_lossy(&output.stderr)));
    let games = fs::read_to_string(&pgn).unwrap_or_default();
    let games = trebuchet::notation::pgn::read(&games)
        .map(|game| game.to_string().replace('\n', " "))
        .collect();
    Report { code, summary: fs::read_to_string(&json).unwrap_or_default(), games, elapsed }
}

/// The engine with the vice loses both games, and the summary names the forfeit.
fn assert_faults(vice: &str, fault: &str, reason: &str) {
    let report = trial(vice, &[]);
    assert_eq!(report.code, 0, "{vice}");
    let lost = format!(
        "{{\"name\": \"{vice}\", \"score\": {{\"wins\": 0, \"draws\": 0, \"losses\": 2}}, \"faults\": {{\"{fault}\": 2}}}}"
    );
    assert!(report.summary.contains(&lost), "{vice}: {}", report.summary);
    assert_eq!(report.games.len(), 2, "{vice}");
    for game in &report.games {
        assert!(game.contains(reason), "{vice}: {game}");
    }
    assert!(report.elapsed < Duration::from_secs(20), "{vice}: {:?}", report.elapsed);
}

/// The vice does no harm: the game is a draw after ten moves, the longest game allowed.
fn assert_harmless(vice: &str) {
    let report = trial(vice, &[]);
    assert_eq!(report.code, 0, "{vice}");
    assert!(report.summary.contains(&format!("{{\"name\": \"{vice}\", \"score\": {{\"wins\": 0, \"draws\": 2, \"losses\": 0}}, \"faults\": {{}}}}")), "{vice}: {}", report.summary);
}

#[test]
fn silent_engines_lose() {
    assert_faults("mute", "stalls", "engine stalls");
    assert_faults("frozen", "stalls", "engine stalls");
}

#[test]
fn late_engines_lose() {
    assert_faults("slow", "time losses", "loses on time");
    assert_eq!(trial("slow", &["--margin", "1000"]).summary.matches("time losses").count(), 0);
}

#[test]
fn crashed_engines_lose_and_are_restarted() {
    assert_faults("crash", "crashes", "engine has ended (exit status: 1)");
    assert_faults("abort", "crashes", "engine has ended (signal: 6");
}

#[test]
fn illegal_moves_lose() {
    assert_faults("illegal", "illegal moves", "illegal move: e1e5");
    assert_faults("nonsense", "illegal moves", "illegal move: xyzzy (not understood)");
    assert_faults("twice", "illegal moves", "illegal move");
}

#[test]
fn false_claims_lose() {
    assert_faults("claims-draw", "false claims", "false claim: 1/2-1/2 Draw by repetition");
    assert_faults("protests", "false claims", "refuses a legal move");
    // It claims a win for each side: one claim is false, the other is a resignation.
    let report = trial("claims-win", &[]);
    assert!(
        report.summary.contains("\"losses\": 2}, \"faults\": {\"false claims\": 1}"),
        "{}",
        report.summary
    );
}

#[test]
fn floods_end_with_the_clock() {
    assert_faults("flood", "stalls", "engine stalls");
    assert_faults("flood-of-bytes", "stalls", "engine stalls");
}

#[test]
fn oddities_within_the_rules_do_no_harm() {
    for vice in ["good", "silent", "old", "late-pong", "chatters", "stays", "crash-at-the-end"] {
        assert_harmless(vice);
    }
}

#[test]
fn resignations_count() {
    let report = trial("resigns", &[]);
    assert!(report.summary.contains("\"losses\": 2}, \"faults\": {}"), "{}", report.summary);
    assert!(report.games.iter().all(|game| game.contains("resigns}")));
}

#[test]
fn engines_that_cannot_be_used_end_the_match() {
    for vice in ["dead", "endless"] {
        let report = trial(vice, &[]);
        assert_eq!((report.code, report.games.len()), (4, 0), "{vice}");
    }
    let output =
        run(&["--engine", "/no/such/engine", "--engine", &describe("good"), "--depth", "1"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stderr).contains("engine: cannot be started"));
}

#[test]
fn uci_engines_misbehave_as_well() {
    for (vice, fault) in [
        ("mute", "stalls"),
        ("crash", "crashes"),
        ("flood", "stalls"),
        ("no-pong", "stalls"),
        ("slow", "time losses"),
    ] {
        let report = trial(vice, &["--each", "uci"]);
        assert!(
            report.summary.contains(&format!("\"losses\": 2}}, \"faults\": {{\"{fault}\": 2}}")),
            "{vice}: {}",
            report.summary
        );
    }
    assert!(trial("good", &["--each", "uci"]).summary.contains("\"draws\": 2"));
}

#[test]
fn three_check_games_end_with_the_third_check() {
    let report = trial("stays", &["--variant", "3check", "--max-moves", "300", "--tc", "20+0.1"]);
    for game in &report.games {
        assert!(game.contains("[Variant \"3check\"]"));
        assert!(
            ["gives third check", "mates", "Draw by", "Stalemate"]
                .iter()
                .any(|reason| game.contains(reason)),
            "{game}"
        );
    }
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    let (a, b) = (describe("good"), describe("late-pong"));
    let play = |games: &str, more: &[&str]| {
        let mut arguments = vec![
            "--engine",
            &a,
            "--engine",
            &b,
            "--depth",
            "1",
            "--random-plies",
            "3",
            "--max-moves",
            "5",
        ];
        arguments.extend(["--games", games, "--pgn", pgn.to_str().unwrap()]);
        arguments.extend(more);
        run(&arguments)
    };
    assert_eq!(play("2", &[]).status.code(), Some(0));
    assert_eq!(play("4", &[]).status.code(), Some(2), "the file is there already");
    assert_eq!(play("4", &["--seed", "2", "--resume"]).status.code(), Some(2), "other openings");
    assert_eq!(play("4", &["--resume"]).status.code(), Some(0));
    let rounds = |pgn: &Path| -> Vec<String> {
        let text = fs::read_to_string(pgn).unwrap();
        trebuchet::notation::pgn::read(&text)
            .map(|game| game.tag("Round").unwrap().to_owned())
            .collect()
    };
    assert_eq!(rounds(&pgn), ["1.1", "1.2", "2.1", "2.2"]);
}

/// When a match is over, all its processes have ended, also those that ignore `quit`.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_everything() {
    let folder = folder();
    let pgn = folder.join("games.pgn");
    let (a, b) = (describe("stays"), describe("good"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
        .args([
            "match",
            "--engine",
            &a,
            "--engine",
            &b,
            "--depth",
            "1",
            "--games",
            "100000",
            "--concurrency",
            "2",
            "--quiet",
        ])
        .args(["--pgn", pgn.to_str().unwrap()])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while fs::metadata(&pgn).map_or(0, |file| file.len()) == 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    let engines = children_of(child.id());
    assert_eq!(engines.len(), 4);
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(engines.iter().all(|engine| !Path::new(&format!("/proc/{engine}")).exists()));
}

#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<String> {
    let is_child = |process: &String| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default();
        fields.split_whitespace().nth(1) == Some(&parent.to_string())
    };
    let processes = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    processes.filter(is_child).collect()
}

#[test]
fn sequential_tests_end_with_a_verdict() {
    let (good, bad) = (describe("good"), describe("illegal"));
    let play = |first: &str, second: &str| {
        run(&[
            "--engine",
            first,
            "--engine",
            second,
            "--depth",
            "1",
            "--games",
            "400",
            "--max-moves",
            "5",
            "--sprt",
            "elo0=0",
            "elo1=100",
        ])
    };
    assert_eq!(play(&good, &bad).status.code(), Some(0), "H1 accepted");
    let output = play(&bad, &good);
    assert_eq!(output.status.code(), Some(1), "H0 accepted");
    assert!(String::from_utf8_lossy(&output.stdout).contains("H0 accepted"));
}

#[test]
fn tablebases_end_games() {
    let folder = folder();
    let (openings, pgn) = (folder.join("ends.epd"), folder.join("games.pgn"));
    // White wins the first; the second is a draw.
    fs::write(&openings, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1 ;\n8/8/4k3/8/4K3/4P3/8/8 w - - 0 1 ;\n")
        .unwrap();
    let engine = |name: &str| format!("name={name} cmd={}", env!("CARGO_BIN_EXE_trebuchet"));
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/match/syzygy");
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
        "4",
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

#[test]
fn bad_arguments_are_reported() {
    for (arguments, message) in [
        (vec!["--engine", "x", "--depth", "1"], "two engines"),
        (vec!["--engine", "x", "--engine", "x", "--depth", "1"], "called x"),
        (vec!["--engine", "x", "--engine", "y"], "x has no limit"),
        (vec!["--engine", "x", "--engine", "y", "--tc", "soon"], "soon"),
        (vec!["--engine", "x", "--engine", "y", "--depth", "1", "--sprt", "elo1=0"], "elo0"),
        (
            vec!["--engine", "x", "--engine", "y", "--depth", "1", "--openings", "/no/such"],
            "/no/such",
        ),
        (
            vec!["--engine", "x", "--engine", "y", "--depth", "1", "--tablebases", "/no/such"],
            "/no/such",
        ),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains(message),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

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

/// Plays four quick games of the engine against Fairy-Stockfish, with the built-in openings. Neither
/// side may forfeit, and every game must end as its moves say.
fn fairy_stockfish(variant: VariantId, protocol: &str) {
    let folder = folder();
    let (pgn, json) = (folder.join("games.pgn"), folder.join("result.json"));
    let engine = format!("name=trebuchet cmd={}", env!("CARGO_BIN_EXE_trebuchet"));
    let opponent = format!("name=fairy proto={protocol} cmd=fairy-stockfish");
    let output = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
        .args(["match", "--engine", &engine, "--engine", &opponent, "--variant", variant.name()])
        .args(["--tc", "2+0.05", "--games", "4", "--no-adjudication", "--quiet"])
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
