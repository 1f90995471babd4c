//! The match runner as a process, with engines that misbehave in every way.

pub mod bad_engine;
mod files;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use bad_engine::describe;
use trebuchet::board::{Position, Rules};
use trebuchet::for_variant;
use trebuchet::notation::parse_move;
use trebuchet::notation::pgn::PgnGame;
use trebuchet::types::{Color, GameResult, Outcome};
use trebuchet::variants::{Standard, VariantId};

#[test]
fn the_bad_engine_plays_a_move() {
    let mut engine = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "bad_engine", "--nocapture"])
        .env(bad_engine::VARIABLE, "plain")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let commands = "xboard\nprotover 2\nnew\nforce\nping 1\nusermove e2e4\ngo\nping 2\nquit\n";
    engine.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
    let output = String::from_utf8(engine.wait_with_output().unwrap().stdout).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    let feature = lines.iter().position(|line| line.starts_with("feature ping=1")).unwrap();
    let [_, "pong 1", thinking, mv, "pong 2"] = lines[feature..] else { panic!("{output}") };
    assert!(thinking.starts_with("1 10 1 100 "), "{output}");
    let mut position = Position::<Standard>::start();
    position.make_move(parse_move(&position, "e2e4").unwrap());
    assert!(parse_move(&position, mv.strip_prefix("move ").unwrap()).is_ok(), "{output}");
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
    stderr: String,
}

/// A clock that does not fall, however slow the machine.
const CALM: &str = "tc=600";
/// No clock: an engine that is silent for a few seconds has stalled.
const PATIENCE: &str = "depth=1";

/// Plays two quick games of an engine with a vice against one without.
fn trial(vice: &str, limit: &str, more: &[&str]) -> Report {
    let folder = folder();
    let (pgn, json) = (folder.join("games.pgn"), folder.join("result.json"));
    let (bad, good) =
        (format!("{} {limit}", describe(vice)), format!("{} {CALM}", describe("plain")));
    let mut arguments = vec!["--engine", &bad, "--engine", &good, "--random-plies", "0"];
    arguments.extend(["--pgn", pgn.to_str().unwrap(), "--json", json.to_str().unwrap()]);
    for usual in [["--games", "2"], ["--stall", "3"], ["--max-moves", "10"]] {
        if !more.contains(&usual[0]) {
            arguments.extend(usual);
        }
    }
    arguments.extend(more);
    let output = run(&arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code().unwrap_or_else(|| panic!("{vice}: {stderr}"));
    let games = fs::read_to_string(&pgn).unwrap_or_default();
    let games = trebuchet::notation::pgn::read(&games)
        .map(|game| game.to_string().replace('\n', " "))
        .collect();
    let summary = fs::read_to_string(&json).unwrap_or_default();
    Report { code, summary, games, stderr }
}

/// The engine with the vice loses both games, and the summary names the forfeit.
fn assert_faults(vice: &str, limit: &str, fault: &str, reason: &str) {
    let report = trial(vice, limit, &[]);
    assert_eq!(report.code, 0, "{vice}: {}", report.stderr);
    assert_both_forfeited(&report, vice, fault, reason);
}

fn assert_both_forfeited(report: &Report, vice: &str, fault: &str, reason: &str) {
    let lost = format!(
        "{{\"name\": \"{vice}\", \"score\": {{\"wins\": 0, \"draws\": 0, \"losses\": 2}}, \"faults\": {{\"{fault}\": 2}}, "
    );
    assert!(report.summary.contains(&lost), "{vice}: {}", report.summary);
    assert_eq!(report.games.len(), 2, "{vice}");
    for game in &report.games {
        assert!(game.contains(reason), "{vice}: {game}");
    }
}

/// The vice does no harm: the game is a draw after ten moves, the longest game allowed.
fn assert_harmless(vice: &str, more: &[&str]) -> Report {
    let report = trial(vice, CALM, more);
    assert_eq!(report.code, 0, "{vice}: {}", report.stderr);
    assert!(report.summary.contains(&format!("{{\"name\": \"{vice}\", \"score\": {{\"wins\": 0, \"draws\": 2, \"losses\": 0}}, \"faults\": {{}}, \"forfeits\": {{}}}}")), "{vice}: {}", report.summary);
    report
}

#[test]
fn silent_engines_lose() {
    assert_faults("mute", PATIENCE, "stalls", "engine stalls");
}

#[test]
fn a_match_with_an_engine_that_never_moves_fails() {
    let report = trial("frozen", PATIENCE, &["--startup", "1"]);
    assert_eq!(report.code, 4, "{}", report.stderr);
    assert_both_forfeited(&report, "frozen", "stalls", "engine stalls");
    assert!(
        report.stderr.contains("frozen has made no move in this match, and forfeits in 2 games"),
        "{}",
        report.stderr
    );
    // It ends after three games of a hundred.
    let report = trial("frozen", PATIENCE, &["--startup", "1", "--stall", "1", "--games", "100"]);
    assert_eq!((report.code, report.games.len()), (4, 3), "{}", report.stderr);
}

#[test]
fn late_engines_lose() {
    assert_faults("slow", "tc=1", "time losses", "loses on time");
    let report = trial("slow", "tc=1", &["--margin", "60000"]);
    assert_eq!(report.summary.matches("time losses").count(), 0, "{}", report.summary);
}

/// White has a rook, Black a bare king. The engine with a clock exceeds it with either colour.
#[test]
fn a_flag_against_a_bare_king_is_a_draw() {
    let folder = folder();
    let openings = folder.join("rook.epd");
    fs::write(&openings, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 ;\n").unwrap();
    let (bad, good) =
        (format!("{} tc=1", describe("slow")), format!("{} {CALM}", describe("plain")));
    let pgn = folder.join("games.pgn");
    let output = run(&[
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
    assert_eq!(output.status.code(), Some(0));
    let text = fs::read_to_string(&pgn).unwrap();
    let ends: Vec<_> = trebuchet::notation::pgn::read(&text)
        .map(|game| {
            let end = game.moves.last().unwrap().comment.clone().unwrap();
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
    assert_eq!(run(&arguments).status.code(), Some(0));
    let text = fs::read_to_string(&pgn).unwrap();
    let game = trebuchet::notation::pgn::read(&text).next().unwrap();
    assert_eq!(game.tag("White"), Some("slow"));
    assert_eq!(game.result, GameResult::Win(Color::Black), "{text}");
    assert_eq!(game.tag("Forfeit"), Some("White: time-loss"), "{text}");
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

#[test]
fn crashed_engines_lose_and_are_restarted() {
    assert_faults("crash", CALM, "crashes", "engine has ended (exit status: 1)");
    assert_faults("abort", CALM, "crashes", "engine has ended (signal: 6");
}

#[test]
fn illegal_moves_lose() {
    assert_faults("illegal", CALM, "illegal moves", "illegal move: e1e5");
    assert_faults("nonsense", CALM, "illegal moves", "illegal move: xyzzy (not understood)");
    assert_faults("twice", CALM, "illegal moves", "illegal move");
}

#[test]
fn false_claims_lose() {
    assert_faults("claims-draw", CALM, "false claims", "false claim: 1/2-1/2 Draw by repetition");
    assert_faults("protests", CALM, "false claims", "refuses a legal move");
    // It claims a win for each side: one claim is false, the other is a resignation.
    let report = trial("claims-win", CALM, &[]);
    assert!(
        report.summary.contains("\"losses\": 2}, \"faults\": {\"false claims\": 1}"),
        "{}",
        report.summary
    );
}

#[test]
fn floods_end_with_the_clock() {
    assert_faults("flood", PATIENCE, "stalls", "engine stalls");
    assert_faults("flood-of-bytes", PATIENCE, "stalls", "engine stalls");
}

#[test]
fn oddities_within_the_rules_do_no_harm() {
    for vice in ["good", "late-pong", "chatters", "stays", "crash-at-the-end"] {
        let report = assert_harmless(vice, &[]);
        assert!(!report.stderr.contains("protocol"), "{vice}: {}", report.stderr);
    }
}

/// An engine without features counts as one of protocol 1, and the match says so.
#[test]
fn what_is_assumed_about_an_engine_is_said() {
    for (vice, answer) in [("silent", "does not answer"), ("old", "refuses"), ("stale", "refuses")]
    {
        let report = assert_harmless(vice, &["--startup", "1"]);
        let remark = format!(
            "{vice} {answer} `protover 2`: protocol 1 is assumed, without `ping`, and with a new process for each game\n"
        );
        assert_eq!(report.stderr.matches(&remark).count(), 1, "{}", report.stderr);
    }
    let report = trial("old", CALM, &["--variant", "3check"]);
    assert_eq!(report.code, 4);
    let reason = "old: does not play 3check, for it has declared no features";
    assert!(report.stderr.contains(reason), "{}", report.stderr);
}

/// Once, however often the engine tells it.
#[test]
fn what_an_engine_tells_its_user_of_errors_is_said() {
    let report = assert_harmless("complains", &[]);
    assert_eq!(report.stderr.matches("complains says: no book\n").count(), 1, "{}", report.stderr);
}

/// Its features come with its first move, which is none of the game that begins then.
#[test]
fn late_features_are_honoured() {
    let report = assert_harmless("late", &["--startup", "1"]);
    let remark = "late declares its features only during a game";
    assert_eq!(report.stderr.matches(remark).count(), 1, "{}", report.stderr);
}

#[test]
fn the_protocol_of_an_engine_is_found_out() {
    for vice in ["uci-only", "uci-or-death"] {
        let report = assert_harmless(vice, &[]);
        assert!(!report.stderr.contains("protocol"), "{}", report.stderr);
    }
}

#[test]
fn options_that_an_engine_does_not_declare_are_named() {
    let settings = ["--each", "option.Hsah=16 \"option.Skill Level=3\""];
    for protocol in ["uci", "cecp"] {
        let each = format!("{} {protocol}", settings[1]);
        let report = assert_harmless("good", &[settings[0], &each]);
        for option in ["Hsah", "Skill Level"] {
            let remark = format!("good declares no options, so `{option}` may have no effect\n");
            assert_eq!(report.stderr.matches(&remark).count(), 1, "{}", report.stderr);
        }
    }
}

/// Trebuchet takes the constants of its search as options that it does not declare.
#[test]
fn options_that_an_engine_accepts_are_not_named() {
    let program = env!("CARGO_BIN_EXE_trebuchet");
    let (a, b) = (format!("name=a cmd={program}"), format!("name=b cmd={program}"));
    let each = "proto=cecp option.aspiration_depth=5 option.Hsah=1";
    let mut arguments = vec!["--engine", &a, "--engine", &b, "--each", each];
    arguments.extend(["--depth", "1", "--games", "2", "--max-moves", "2"]);
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!stderr.contains("aspiration_depth"), "{stderr}");
    for name in ["a", "b"] {
        let remark = format!("{name} says: no such option: Hsah\n");
        assert_eq!(stderr.matches(&remark).count(), 1, "{stderr}");
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

/// A match from a file. Options on the command line come first.
#[test]
fn a_file_has_the_settings_of_a_match() {
    let folder = folder();
    let file = folder.join("match.toml");
    let (first, second) = (describe("good"), describe("plain"));
    let text = format!(
        "# Two engines.\nengine = ['''{first}''', '''{second}''']\ntc = 600\ngames = 4\nrandom-plies = 0\n\
         max-moves = 5\nquiet = true\n"
    );
    fs::write(&file, &text).unwrap();
    let play = |more: &[&str]| run(&[&["--config", file.to_str().unwrap()], more].concat());
    let first_line = |output: &Output| -> String {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        text.lines().next().unwrap_or_else(|| panic!("{errors}")).to_owned()
    };
    assert_eq!(first_line(&play(&[])), "good - plain: +0 -0 =4, 50.0 % of 4 games");
    // `--depth` adds a limit, `--st` replaces the clock.
    let replaced = play(&["--games", "2", "--st", "600", "--max-moves", "3", "--depth", "1"]);
    assert_eq!(first_line(&replaced), "good - plain: +0 -0 =2, 50.0 % of 2 games");
    let other = describe("late-pong");
    let replaced = play(&["--engine", &second, "--engine", &other, "--no-adjudication"]);
    assert_eq!(first_line(&replaced), "plain - late-pong: +0 -0 =4, 50.0 % of 4 games");

    for (wrong, message) in [
        ("games = \"many\"\n", "match.toml:2: games: `many` is not a number from 1 to 10000000"),
        ("st = 0\n", "match.toml:2: st: `0` is not a number of seconds above 0"),
        ("\nvariant = \"chess\"\n", "match.toml:3: variant: `chess` is none of: normal, 3check"),
        (
            "gmaes = 3\n",
            "match.toml:2: unknown field `gmaes`, expected one of `engine`, `each`, `variant`,",
        ),
        ("\n\n[[engine]]\ncmd = 'x'\ntc = 'soon'\n", "match.toml:6: tc: `soon` is not a"),
        ("tc = '1\n", "match.toml:2: "),
        ("nodes = 9\n", "a match needs two engines or more"),
        ("tc = 1\nst = 1\n", "match.toml:3: `st` cannot be used with `tc`"),
    ] {
        fs::write(&file, format!("# Comment\n{wrong}")).unwrap();
        let output = play(&[]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(message), "{wrong}: {errors}");
    }
    fs::remove_file(&file).unwrap();
    let errors = String::from_utf8_lossy(&play(&[]).stderr).into_owned();
    assert!(errors.contains("match.toml: No such file"), "{errors}");
}

#[test]
fn resignations_count() {
    let report = trial("resigns", CALM, &[]);
    assert!(report.summary.contains("\"losses\": 2}, \"faults\": {}"), "{}", report.summary);
    assert!(report.games.iter().all(|game| game.contains("resigns}")));
}

#[test]
fn engines_that_cannot_be_used_end_the_match() {
    for (vice, reason) in [
        ("dead", "dead: has ended (exit status: 3)\n"),
        ("last-words", "last-words: has ended (exit status: 3): cannot load libfoo.so\n"),
        ("endless", "endless: declares too many features\n"),
    ] {
        let report = trial(vice, CALM, &[]);
        assert_eq!((report.code, report.games.len()), (4, 0), "{vice}");
        assert!(report.stderr.contains(reason), "{vice}: {}", report.stderr);
    }
    let output =
        run(&["--engine", "/no/such/engine", "--engine", &describe("good"), "--depth", "1"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stderr).contains("engine: cannot be started"));
}

/// Plays a round robin of two engines that play and one that does not, four games a pair of players.
fn class(bad: &str, on_failure: &str, more: &[&str]) -> Report {
    let (good, plain) = (describe("good"), describe("plain"));
    let folder = folder();
    let (pgn, json) = (folder.join("games.pgn"), folder.join("result.json"));
    let mut arguments = vec!["--engine", &good, "--engine", &plain, "--engine", bad];
    arguments.extend(["--each", CALM, "--games", "4", "--max-moves", "4", "--random-plies", "0"]);
    arguments.extend(["--pgn", pgn.to_str().unwrap(), "--json", json.to_str().unwrap()]);
    arguments.extend(["--on-failure", on_failure]);
    arguments.extend(more);
    let output = run(&arguments);
    let games = fs::read_to_string(&pgn).unwrap_or_default();
    Report {
        code: output.status.code().unwrap(),
        summary: fs::read_to_string(&json).unwrap_or_default(),
        games: trebuchet::notation::pgn::read(&games)
            .map(|game| {
                let player = |color| game.tag(color).unwrap().to_owned();
                format!("{} - {} {}", player("White"), player("Black"), game.result)
            })
            .collect(),
        stderr: String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned(),
    }
}

/// How many of the games are between these players, with either colour.
fn games_between(report: &Report, a: &str, b: &str) -> usize {
    let pairs = [format!("{a} - {b} "), format!("{b} - {a} ")];
    report.games.iter().filter(|game| pairs.iter().any(|pair| game.starts_with(pair))).count()
}

#[test]
fn an_engine_that_cannot_play_is_withdrawn_and_the_others_go_on() {
    let old = describe("old");
    for (bad, why, more) in [
        ("name=bad cmd=false", "has ended (exit status: 1)", &[][..]),
        ("name=bad cmd='false' proto=cecp", "has ended (exit status: 1)", &["--concurrency", "2"]),
        ("name=bad cmd=/no/such/engine", "cannot be started: No such file", &[]),
        (
            &old.replace("name=old", "name=bad"),
            "does not play 3check",
            &["--variant", "3check", "--startup", "2"],
        ),
    ] {
        let report = class(bad, "withdraw", more);
        assert_eq!(report.code, 0, "{bad}: {}", report.stderr);
        assert_eq!(games_between(&report, "good", "plain"), 4, "{bad}");
        assert_eq!(report.games.len(), 4, "{bad}");
        let said = format!("bad is withdrawn: it {why}");
        assert_eq!(report.stderr.matches(&said).count(), 1, "{}", report.stderr);
        assert!(report.stderr.contains(&format!("bad was withdrawn: it {why}")), "{bad}");
        // Another game with the engine may still be failing.
        let is_exact = !more.contains(&"--concurrency");
        assert!(!is_exact || report.stderr.contains("Game 4 of 4: "), "{}", report.stderr);
        assert!(report.summary.contains(&format!("\"withdrawn\": \"{why}")), "{}", report.summary);
    }
}

#[test]
fn an_engine_that_dies_at_its_first_move_is_withdrawn_after_three_games() {
    let report = class(&describe("dies"), "withdraw", &[]);
    assert_eq!(report.code, 0, "{}", report.stderr);
    assert_eq!(games_between(&report, "good", "plain"), 4);
    assert_eq!(report.games.len(), 7, "{}", report.stderr);
    let said = "dies is withdrawn: it has made no move, and forfeits in 3 games";
    assert_eq!(report.stderr.matches(said).count(), 1, "{}", report.stderr);
    assert!(report.summary.contains("\"forfeits\": {\"crash\": 3}"), "{}", report.summary);
    // Without a word about it, the match ends.
    assert_eq!(class(&describe("dies"), "end", &[]).code, 4);
}

#[test]
fn an_engine_that_cannot_play_loses_its_games() {
    for (bad, kind) in
        [("name=bad cmd=false".to_owned(), "cannot-play"), (describe("dies"), "crash")]
    {
        let report = class(&bad, "forfeit", &[]);
        assert_eq!((report.code, report.games.len()), (0, 12), "{bad}: {}", report.stderr);
        assert_eq!(games_between(&report, "good", "plain"), 4);
        let lost = format!("\"forfeits\": {{\"{kind}\": 8}}");
        assert!(report.summary.contains(&lost), "{bad}: {}", report.summary);
    }
}

#[test]
fn a_match_of_two_ends_with_one_of_them() {
    let report = trial("dead", CALM, &["--on-failure", "withdraw"]);
    assert_eq!((report.code, report.games.len()), (4, 0), "{}", report.stderr);
    assert!(report.stderr.contains("dead: has ended (exit status: 3)\n"), "{}", report.stderr);
}

#[test]
fn uci_engines_misbehave_as_well() {
    for (vice, limit, fault) in [
        ("mute", PATIENCE, "stalls"),
        ("crash", CALM, "crashes"),
        ("flood", PATIENCE, "stalls"),
        ("no-pong", CALM, "stalls"),
        ("slow", "tc=1", "time losses"),
    ] {
        let report = trial(vice, limit, &["--each", "uci"]);
        assert!(
            report.summary.contains(&format!("\"losses\": 2}}, \"faults\": {{\"{fault}\": 2}}")),
            "{vice}: {}",
            report.summary
        );
    }
    assert!(trial("good", CALM, &["--each", "uci"]).summary.contains("\"draws\": 2"));
}

#[test]
fn three_check_games_end_with_the_third_check() {
    let report = trial("stays", CALM, &["--variant", "3check", "--max-moves", "300"]);
    assert_eq!(report.games.len(), 2);
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
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Wait until games are being played, two at a time.
    let is_playing = || fs::metadata(&pgn).is_ok_and(|file| file.len() > 0);
    let mut engines = children_of(child.id());
    while !is_playing() || engines.len() < 4 {
        assert!(child.try_wait().unwrap().is_none(), "the match has ended");
        std::thread::sleep(Duration::from_millis(20));
        engines = children_of(child.id());
    }
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

#[test]
fn bad_arguments_are_reported() {
    for (arguments, message) in [
        (vec!["--engine", "x", "--depth", "1"], "two engines"),
        (vec!["--engine", "x", "--engine", "x", "--depth", "1"], "called x"),
        (vec!["--engine", "x", "--engine", "y"], "x has no limit"),
        (vec!["--engine", "x", "--engine", "y", "--tc", "soon"], "soon"),
        (vec!["--engine", "x", "--engine", "y", "--st", "0"], "not a number of seconds above 0"),
        (vec!["--engine", "x", "--engine", "y", "--depth", "1", "--resume"], "--pgn"),
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
