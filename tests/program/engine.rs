//! The real binary over pipes: handshake, games in each stage, ways to end, hostile input.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::play::new_game;
use trebuchet::types::{GameResult, PieceKind};
use trebuchet::variants::VariantId;

use crate::process::{Engine, PATIENCE, ROOT, program};

#[test]
fn the_handshake_announces_all_and_ends_with_done() {
    let mut engine = Engine::start(&[]);
    engine.send("xboard\nprotover 2");
    let lines = engine.lines_to("feature done=1");
    let all = lines.join("\n");
    for feature in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "colors=0",
        "sigint=0",
        "sigterm=0",
        "reuse=1",
        "debug=1",
    ] {
        assert!(all.contains(feature), "{feature} in {all}");
    }
    let games = VariantId::ALL.iter().map(|variant| variant.name());
    let lessons = VariantId::ALL.iter().filter_map(|variant| variant.lesson());
    let variants: Vec<&str> = games.chain(lessons).collect();
    assert!(all.contains(&format!("variants=\"{}\"", variants.join(","))), "{all}");
    assert!(all.contains("option=\"Stage -combo pawns /// random /// *full\""), "{all}");
    let (status, _) = engine.quit();
    assert!(status.success(), "{status}");
}

#[test]
fn options_come_from_the_command_line_too() {
    let mut engine =
        Engine::start(&["--xboard", "--stage=random", "--seed=7", "--hash=16", "--cores", "2"]);
    engine.send("protover 2");
    let all = engine.lines_to("feature done=1").join("\n");
    assert!(all.contains("Stage -combo pawns /// *random /// full"), "{all}");
    assert!(all.contains("Hash -spin 16 "), "{all}");
    assert!(all.contains("Seed -spin 7 "), "{all}");
    engine.quit();
    let mut engine = Engine::start(&["--level=amateur", "--strength=1200", "--coach"]);
    engine.send("protover 2");
    let all = engine.lines_to("feature done=1").join("\n");
    assert!(all.contains("Level -combo Beginner /// *Amateur /// Intermediate"), "{all}");
    assert!(all.contains("Strength -spin 1200 ") && all.contains("Coach -check 1"), "{all}");
    assert!(all.contains(" (1200 Elo)\""), "{all}");
    engine.quit();
    // CECP does not show the threads.
    let threads = 2.min(trebuchet::threads::processors());
    let text = uci_answers(&["--cores=2"], "");
    assert!(text.contains(&format!("option name Threads type spin default {threads} ")), "{text}");
}

/// Bad arguments end the program before it reads a line; standard input stays open here.
#[test]
fn unknown_flags_exit_2_before_reading() {
    for arguments in
        [&["--frobnicate"][..], &["--stage", "queens"], &["--hash", "0"], &["nonsense"]]
    {
        let mut child = program()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let held_open = child.stdin.take();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        drop(held_open);
    }
}

#[test]
fn a_ping_during_thinking_waits_for_the_move() {
    let mut engine = Engine::greeted(&["--no-book"]);
    engine.send("new\nlevel 0 60 0\neasy\npost\ngo\nping 1");
    engine.send("?");
    let lines = engine.lines_to("pong 1");
    let moves =
        lines.iter().position(|line| line.starts_with("move ")).expect("a move before the pong");
    assert_eq!(moves, lines.len() - 2, "{lines:?}");
    engine.quit();
}

/// Neither pondering nor an analysis ends by itself: an engine that first finished it would never
/// answer.
#[test]
fn pings_are_answered_during_pondering_and_analysis() {
    let mut engine = Engine::greeted(&["--no-book"]);
    engine.send("new\nst 0.3\nhard\npost\nusermove e2e4");
    engine.wait_for("move ");
    // It tells what it ponders on.
    engine.wait_for("Hint: ");
    for number in 1..=20 {
        engine.ping(number);
    }
    engine.send("force\nanalyze");
    for number in 21..=40 {
        engine.send("undo\n.");
        let (lines, _) = engine.ping(number);
        assert!(lines.iter().any(|line| line.starts_with("stat01: ")), "{lines:?}");
    }
    engine.quit();
}

/// These searches last longer than the helper waits for the end.
#[test]
fn the_engine_leaves_in_the_middle_of_a_search() {
    for variant in ["", "variant 3check\n"] {
        for mode in ["go", "analyze", "hard\nusermove e2e4"] {
            let start = || {
                let mut engine = Engine::greeted(&["--no-book"]);
                let ponders = mode.starts_with("hard");
                let clock = if ponders { "st 0.3" } else { "level 0 600 0" };
                engine.send(&format!("new\n{variant}{clock}\nnopost"));
                engine.ping(1);
                engine.send(mode);
                if ponders {
                    engine.wait_for("Hint: ");
                }
                std::thread::sleep(Duration::from_millis(100));
                engine
            };
            let (status, _) = start().quit();
            assert!(status.success(), "{mode}, quit: {status}");
            let mut engine = start();
            engine.hang_up();
            let (status, _) = engine.end();
            assert!(status.success(), "{mode}, end of input: {status}");
        }
    }
}

/// The GUI stops reading while a search runs that prints nothing. The engine notices it.
#[cfg(unix)]
#[test]
fn the_engine_leaves_when_nobody_reads() {
    let mut child = program()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdin.write_all(b"nopost\nanalyze\nping 1\n").unwrap();
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    // The analysis would go on for ever.
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    drop(stdin);
}

/// Lets the engine play both sides to the end of the game. Checks each move, and the claim at the
/// end, by the rules.
fn play_whole_game(variant: VariantId, arguments: &[&str]) -> Vec<String> {
    let mut engine = Engine::greeted(arguments);
    let mut game = new_game(variant);
    let mut moves = Vec::new();
    engine.send("new");
    if variant != VariantId::Standard {
        engine.send(&format!("variant {}", variant.name()));
    }
    engine.send("easy\npost\nst 0.01\nsd 3");
    loop {
        engine.send("go");
        let lines = loop {
            let line = engine.line_within(PATIENCE).expect("an answer to go");
            if line.starts_with("move ") || line == "resign" {
                break line;
            }
        };
        let Some(text) = lines.strip_prefix("move ") else {
            moves.push(lines);
            break;
        };
        let mv = game
            .parse_move(text)
            .unwrap_or_else(|error| panic!("{text}: {error} in {}", game.fen()));
        assert_eq!(game.coordinate(mv), text);
        game.play(mv);
        moves.push(text.to_owned());
        if let Some(outcome) = game.outcome() {
            let claim = engine.line_within(PATIENCE).expect("a claim");
            assert_eq!(claim, format!("{} {{{outcome}}}", GameResult::from(outcome)));
            break;
        }
        assert!(moves.len() < 1000, "{}", game.fen());
    }
    assert_eq!(engine.ping(1).0, Vec::<String>::new());
    engine.quit();
    moves
}

#[test]
fn every_stage_plays_whole_games_of_every_variant() {
    for &variant in VariantId::ALL {
        let pawns = play_whole_game(variant, &["--stage", "pawns", "--seed", "3"]);
        let (last, pawn_moves) = pawns.split_last().unwrap();
        assert_eq!(last, "resign");
        // Racing Kings has no pawns.
        assert!(pawn_moves.len() > 5 || variant == VariantId::RacingKings, "{pawns:?}");
        let mut game = new_game(variant);
        for text in pawn_moves {
            let mv = game.parse_move(text).unwrap();
            let is_pawn_move = game.mover(mv).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
            let is_compulsory = variant.must_capture() && mv.is_capture();
            assert!(is_pawn_move || is_compulsory, "{text} is no pawn's move");
            game.play(mv);
        }
        play_whole_game(variant, &["--stage", "full"]);
        let once = play_whole_game(variant, &["--stage", "random", "--seed", "5"]);
        let again = play_whole_game(variant, &["--stage=random", "--seed=5"]);
        assert_eq!(once, again, "a seed makes games repeatable");
        assert_ne!(once, play_whole_game(variant, &["--stage", "random", "--seed", "6"]));
    }
}

/// A knight takes Black's last pawn, so Black has no pawn to move.
#[test]
fn in_the_pawns_stage_black_resigns_without_pawns() {
    let mut engine = Engine::greeted(&["--stage", "pawns"]);
    engine.send(
        "new\neasy\nforce\nsetboard rnbqkbnr/8/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 0 1\ngo",
    );
    assert_eq!(engine.wait_for("move"), "move e5e4");
    engine.send("force\nsetboard rnbqkbnr/8/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1\nwhite\nusermove f3e5");
    assert_eq!(engine.lines_to("resign"), ["resign"]);
    assert_eq!(engine.ping(1).0, Vec::<String>::new());
    engine.quit();
}

/// A pawn becomes a queen on b1, which then never moves again.
#[test]
fn in_the_pawns_stage_a_pawn_promotes_on_b1() {
    let mut engine = Engine::greeted(&["--stage=pawns"]);
    engine
        .send("new\neasy\nforce\nsetboard 6k1/7p/8/8/8/8/1p5P/6K1 w - - 0 1\nwhite\nusermove h2h3");
    assert_eq!(engine.wait_for("move"), "move b2b1q");
    engine.send("usermove g1g2");
    assert!(engine.wait_for("move").starts_with("move h7h"));
    engine.quit();
}

/// The stages that do not search claim results and refuse moves, too.
#[test]
fn simple_stages_claim_what_the_board_shows() {
    let mut engine = Engine::greeted(&["--stage", "random"]);
    engine.send("new\neasy\nforce\nsetboard 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\nusermove f7g7\ngo");
    assert_eq!(engine.wait_for("1-0"), "1-0 {White mates}");
    engine.send("undo\nsetboard 4k3/8/8/8/8/8/8/R3K3 w - - 99 80\ngo");
    engine.wait_for("move");
    assert_eq!(engine.lines_to("1/2"), ["1/2-1/2 {Draw by fifty-move rule}"]);
    engine.send("option Stage=pawns\nnew\ngo");
    assert!(engine.wait_for("move").len() == 9);
    engine.send("usermove e7e4\nfrobnicate");
    assert!(engine.wait_for("Illegal move (").ends_with("): e7e4"));
    assert_eq!(engine.wait_for("Error"), "Error (unknown command): frobnicate");
    engine.quit();
}

#[test]
fn hostile_bytes_are_survived() {
    let mut engine = Engine::greeted(&[]);
    engine.send_bytes(&vec![b'a'; 1_000_000]);
    engine.send_bytes(b"\n");
    assert_eq!(engine.wait_for("Error"), "Error (line too long): -");
    engine.send_bytes(b"\x00\xff\xfe new\n\n\r\n   \nping 1\r\n");
    engine.wait_for("pong 1");
    for byte in b"setboard 8/8/8/8/8/8/8/8/8 w - - 0 1\nusermove e2e4\nnew\nping 2\n" {
        engine.send_bytes(&[*byte]);
    }
    let lines = engine.lines_to("pong 2");
    assert!(lines[0].starts_with("tellusererror Illegal position: 8/8"), "{lines:?}");
    assert_eq!(lines[1], "Illegal move: e2e4");
    engine.send("memory 99999999999999\noption Hash=-1\ncores 99999\ncores 1\nmemory 16\nlevel 99999999 99999999 99999999");
    engine.send(&"ping 7\n".repeat(5000));
    for _ in 0..5000 {
        engine.wait_for("pong 7");
    }
    engine.quit();
}

/// Lines of the protocol in any order, with searches running: every ping is answered, and nothing
/// that xboard misreads is printed.
#[test]
fn lines_in_any_order_are_survived() {
    let lines: Vec<&str> =
        include_str!("../data/cecp_lines.txt").lines().filter(|&line| line != "quit").collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut engine = Engine::greeted(&["--hash=1"]);
    for ping in 0..40 {
        for _ in 0..50 {
            let line = *lines.choose(&mut random).expect("lines");
            // Leaves out files of this machine and large tables.
            if !line.contains("LogFile") && !line.contains("memory") && !line.contains("Hash") {
                engine.send(line);
            }
        }
        // Leaves the edit dialogue and stops thinking.
        engine.send(".\nforce");
        engine.ping(1_000_000 + ping);
    }
    engine.quit();
}

#[test]
fn a_last_line_without_its_end_counts() {
    let mut engine = Engine::start(&[]);
    engine.send_bytes(b"ping 3");
    engine.hang_up();
    assert_eq!(engine.line_within(PATIENCE).as_deref(), Some("pong 3"));
    let (status, _) = engine.end();
    assert!(status.success(), "{status}");
}

/// What the engine answers over UCI to lines that it gets at once.
fn uci_answers(arguments: &[&str], lines: &str) -> String {
    let mut command = program();
    command.arg("--no-book").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("uci\n{lines}").as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{lines}: {}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// What is asked over UCI is answered, also if the input ends before.
#[test]
fn a_search_that_the_end_breaks_off_has_its_best_move() {
    for (lines, expected) in [
        ("position startpos\ngo infinite\n", 1),
        ("position startpos\ngo ponder wtime 100\n", 1),
        ("go depth 3\nposition startpos moves e2e4\ngo depth 3\ngo infinite\n", 3),
        ("go infinite\nposition startpos moves e2e4\nquit\n", 1),
        ("quit\n", 0),
    ] {
        let text = uci_answers(&[], lines);
        let answers = text.lines().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, expected, "{lines}: {text}");
    }
}

#[test]
fn a_setting_that_cannot_be_met_is_told_before_the_end() {
    let text = uci_answers(&[], "setoption name SyzygyPath value /nonexistent\nisready\n");
    assert!(text.contains("\ninfo string tablebases in /nonexistent: "), "{text}");
}

/// A new empty folder, which goes with the value, also when a test fails.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A log never goes to standard output or into a pipe, and the user is told of one that cannot be written.
#[cfg(unix)]
#[test]
fn a_log_goes_into_a_file_or_nowhere() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Engine::greeted(&[]);
    for file in ["/dev/stdout", "/", pipe.to_str().unwrap(), "/dev/null/x"] {
        engine.send(&format!("option LogFile={file}"));
        engine.wait_for(&format!("tellusererror The log cannot be written: {file}: "));
    }
    engine.send("option LogFile=");
    assert_eq!(engine.ping(1).0, Vec::<String>::new());
    engine.quit();

    let mut engine = Engine::start(&["--log", "/dev/null/x"]);
    engine.send("xboard\nprotover 2");
    engine.wait_for("tellusererror The log cannot be written: /dev/null/x: ");
    engine.quit();
}

#[test]
fn a_log_holds_what_was_heard_and_said() {
    let temporary = folder();
    let folder = temporary.path().join("logs");
    let mut engine = Engine::start(&["--log", folder.to_str().unwrap()]);
    let pid = format!("{}.log", engine.pid());
    engine.send("new\nforce\nusermove e2e5\nping 1");
    engine.wait_for("pong 1");
    let other = folder.join("other.log");
    engine.send(&format!("option LogFile={}\nping 2", other.display()));
    engine.wait_for("pong 2");
    engine.quit();

    let first = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| *path != other)
        .unwrap();
    assert!(first.to_str().unwrap().ends_with(&pid), "{first:?}");
    let text = fs::read_to_string(first).unwrap();
    let said: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
    let start = [
        "> new",
        "> force",
        "> usermove e2e5",
        "< Illegal move (the piece does not move like that): e2e5",
    ];
    assert_eq!(said[..4], start);
    assert_eq!(said[4..6], ["> ping 1", "< pong 1"]);
    let text = fs::read_to_string(&other).unwrap();
    assert!(text.ends_with(" > quit\n"), "{text}");
}

/// Opening a pipe would wait for its other end. `ping` tells of the problem before a search needs the network.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_network() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Engine::greeted(&[]);
    engine.send(&format!("option OwnBook=0\noption EvalFile={}\nping 7", pipe.display()));
    let problem = engine.wait_for("tellusererror The network cannot be used: ");
    assert!(problem.ends_with("/pipe: cannot read it: not a regular file"), "{problem}");
    engine.send("sd 2\nusermove e2e4");
    engine.wait_for("move ");
    engine.quit();
}

/// The user is told once, and the engine plays on with its own network. Chess960 has the networks of
/// chess.
#[test]
fn a_network_that_cannot_be_used_is_refused() {
    let folder = folder();
    let damaged = folder.path().join("damaged.nnue");
    let mut bytes = fs::read(format!("{ROOT}/variants/standard/net.nnue")).unwrap();
    bytes[1000] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    let mut engine = Engine::greeted(&[]);
    engine.send("option OwnBook=0");
    let mut problems = |variant: &str| {
        engine.send(&format!("new\nvariant {variant}\nsd 2\nusermove e2e4"));
        let mut lines = engine.lines_to("move ");
        lines.retain(|line| line.starts_with("tellusererror"));
        lines
    };
    assert_eq!(problems("normal"), [""; 0]);
    for (file, problem) in [
        (format!("{ROOT}/variants/three_check/net.nnue"), "a network for the game 3check"),
        (format!("{ROOT}/Cargo.toml"), "not a network of Trebuchet"),
        (damaged.to_str().unwrap().to_owned(), "damaged: its checksum is wrong"),
    ] {
        let refusal = format!("tellusererror The network cannot be used: {file}: {problem}");
        for expected in [&[refusal][..], &[]] {
            assert_eq!(problems(&format!("normal\noption EvalFile={file}")), expected);
        }
    }
    let chess = format!("option EvalFile={ROOT}/variants/standard/net.nnue");
    assert_eq!(problems(&format!("fischerandom\n{chess}")), [""; 0]);
    engine.quit();
}
