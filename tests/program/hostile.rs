//! Hostile input, each in its own process. After it the engine still answers a ping and plays.
//!
//! Every line it prints is checked against the traps of xboard, and standard error must stay empty.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use trebuchet::play::new_game;
use trebuchet::variants::VariantId;

use crate::process::{Engine, program};

/// Sent before each input. With little time the engine moves soon.
const QUICK: &str = "new\neasy\npost\nst 0.02";

/// Inputs that can be written as text.
const WRITTEN: &[&str] = &[
    // Numbers that are too large, too small, broken, or not numbers.
    "level -1 -1 -1",
    "level 40 5",
    "level",
    "level 99999999999 99999999999 99999999999\ngo",
    "level 0 0 0\ngo",
    "level 0.5 0.5 0.5\ngo",
    "level forty five zero",
    "level 0 5:99 1\ngo",
    "level 0 ::: 1",
    "level 0 1e400 1e400",
    "level nan inf -inf",
    "level 40 25+5 0\ngo",
    "level 4294967296 1 1\ngo",
    "st 0\ngo",
    "st -5\ngo",
    "st 0.000000001\ngo",
    "st 1e308\ngo",
    "st nan",
    "st five",
    "sd 0\ngo",
    "sd -1\ngo",
    "sd 4294967297\ngo",
    "sd 1.9\ngo",
    "nps -1\ngo",
    "nps 1\ngo",
    "nps 18446744073709551616\ngo",
    "nps 0.5\ngo",
    "time -100\notim -100\ngo",
    "time 99999999999999999999\ngo",
    "time 0\nlevel 40 0 0\ngo",
    "time x\notim",
    "protover -1",
    "protover 2.5",
    "protover two",
    "protover 99999999999999999999",
    "ping",
    "ping x\nping 1.5\nping 99999999999999999999",
    "ping -9223372036854775808",
    "rating -1 99999999999999999999 x",
    "memory 0",
    "memory -1",
    "memory 1.5\nmemory 99999999999\ngo",
    "memory lots\nmemory",
    "cores 0",
    "cores -1",
    "cores 99999999999\ngo",
    "cores two",
    "setscore x y",
    // Illegal positions.
    "setboard",
    "setboard 8/8/8/8/8/8/8/8 w - - 0 1\ngo\nusermove e2e4",
    "setboard 9/8/8/8/8/8/8/4K2k w - - 0 1",
    "setboard 8/8/8/8/8/8/8/8/4K2k w - - 0 1",
    "setboard 4k3/8/8/8/8/8/8 w - - 0 1",
    "setboard 4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
    "setboard 4k3/8/8/8/8/8/8/4R3 w - - 0 1",
    "setboard 4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
    "setboard PPPPkPPP/8/8/8/8/8/8/4K3 w - - 0 1",
    "setboard kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 0 1",
    "setboard k7/8/QQQQQQQQ/QQQQQQQ1/8/8/8/K7 w - - 0 1\ngo\nanalyze\nexit",
    "setboard QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQkQQQQ/8/8/8/4K3 b - - 0 1",
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkqKQkqXX - 0 1",
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq z9 0 1",
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e4 0 1",
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -5 -7",
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99999999999 99999999999\ngo",
    "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0.5 1.5",
    "setboard 4k3/8/8/8/8/8/8/4K2R w KQkq - 99 100000\ngo\ngo\ngo",
    "setboard 0/0/0/0/0/0/0/0 w - - 0 1\nanalyze\nundo\nhint\nexit",
    "setboard 4k3/8/8/8/8/8/8/4K3 w - - 0 1 and then some more words",
    "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\nanalyze\n.\nexclude all\nusermove h8h7",
    // Three-check with impossible counters.
    "variant 3check\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 9+9 0 1\ngo",
    "variant 3check\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 0+0 0 1\ngo",
    "variant 3check\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - -1+4 0 1",
    "variant 3check\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - + 0 1",
    "variant 3check\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 3+3 3+3 0 1 +0+0",
    "variant 3check\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1 +99999999999+2",
    "variant 3check\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1 +3+3\ngo",
    "variant\nvariant shogi\nvariant 3check 3check\nvariant 3CHECK",
    // Chess960: castling rights without rooks, and castling that is impossible.
    "variant fischerandom\nsetboard rk5r/8/8/8/8/8/8/RK5R w HAhaX - 0 1\nO-O\ngo",
    "variant fischerandom\nsetboard rk5r/8/8/8/8/8/8/RK5R w -K - 0 1\nO-O\ngo",
    "variant fischerandom\nsetboard rk5r/8/8/8/8/8/8/RK5R w KKKK - 0 1\nO-O-O\nO-O\nO-O\ngo",
    "variant fischerandom\nsetboard rk5r/8/8/8/8/8/8/RK5R w AAAA - 0 1\nO-O\nO-O-O\ngo",
    "variant fischerandom\nsetboard 1k6/8/8/8/8/8/8/1K6 w KQkqHAha - 0 1\nO-O\nO-O-O\nanalyze",
    "variant fischerandom\nsetboard 4k3/8/8/8/8/8/4K3/R6R w KQHAkqha - 0 1\nO-O\nO-O-O\ne2h1\ngo",
    "variant fischerandom\nsetboard R3K2R/8/8/8/8/8/8/r3k2r w KQkqHAha - 0 1\nO-O\nO-O-O\ngo",
    "variant fischerandom\nsetboard rrrrkrrr/8/8/8/8/8/8/RRRRKRRR w ABCDFGHabcdfgh - 0 1\nO-O\ngo",
    "variant fischerandom\nsetboard 4k3/8/8/8/8/8/8/rRK5 w Q - 0 1\nO-O-O\nc1b1\nc1c1\nanalyze",
    "variant fischerandom\nO-O\ne1e1\ne1h1\ne1a1\nO-O-O-O\nusermove O-O-o\nusermove 0-0-0-0",
    "variant fischerandom\nedit\n#\nKb1\nRc1\nc\nKb8\nRc8\n.\nO-O\nhint\ngo",
    "exclude O-O\nvariant fischerandom\nexclude O-O\ninclude O-O-O\nanalyze",
    // King of the Hill: positions with a king on the hill, or with both.
    "variant kingofthehill\nsetboard 7k/8/8/8/3K4/8/8/8 b - - 0 1\ngo\nusermove h8h7\nanalyze\nundo",
    "variant kingofthehill\nsetboard 7k/8/8/8/3K4/8/8/8 w - - 0 1\nhint\ngo\n?\nhard\ngo",
    "variant kingofthehill\nsetboard 8/8/8/3k4/4K3/8/8/8 w - - 0 1\ngo",
    "computer\nvariant kingofthehill\nsetboard 7k/8/8/8/8/4K3/8/8 w - - 0 1\ngo\nping 1\ngo\nundo",
    // Illegal moves, and words that are not moves.
    "usermove",
    "usermove e2e5\nusermove a1a1\nusermove z9z9\nusermove e7e8q\nusermove 0000\nusermove @@@@",
    "usermove e2e4q\nusermove e2 e4\nusermove P@e4\nusermove --\nusermove O-O-O-O",
    "e2e4e5\nNf9\nKe1e1\nO-O\n--\nnull\npass",
    "force\nusermove e2e4\nusermove e2e4\nusermove e7e5\nusermove e1e8",
    // Commands at the wrong time.
    "go\nsetboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "go\nusermove e2e4\nundo\nremove\nedit\n.\nhint\nbk\nanalyze\nexit\nplayother",
    "go\nnew\ngo\nvariant 3check\ngo\nforce\ngo\nresult * {x}\ngo\n?",
    "analyze\ngo\nanalyze\nnew\nvariant 3check\nusermove e2e4\nresult 1-0 {x}\nundo\nundo",
    "hard\nusermove e2e4\nusermove e7e5\nremove\nremove\nundo\nsetboard x\nhint\n?",
    "exclude all\nanalyze\nexclude all\ninclude e2e5\nexclude e2e5\nexclude\ninclude all\nexit",
    "exclude all\ngo",
    "remove\nremove\nundo\nremove",
    "hint\nhint\nhint\ngo\nhint\nhint",
    "pause\npause\ngo\npause\nresume\nresume\npause\nusermove e2e4",
    "go\npause\nping 1\nping 2\npause",
    "result\nresult 2-0\nresult 1-0\nresult {\nresult 1-0 }{",
    "draw\ndraw\ngo\ndraw\ndraw",
    "white\nwhite\nblack\ngo\nwhite\nblack\nplayother\nplayother\ngo",
    ".\n.\nexit\nexit\nresume\n?\n?\neasy\neasy\nnopost\nnopost",
    "accepted\nrejected\naccepted debug\naccepted debug x\nname\nics\nrating\negtpath\negtpath x",
    "move e2e4\npong 3\nfeature ping=1\n1-0 {White mates}\nresign\noffer draw\n# comment",
    "New\nGO\nnewgame\n go\n\tforce\nquit?\nquitting",
    "lift\nlift z9\nlift e2,\nput\nhover e9\nput e4,,\nlift e2e4",
    // The edit dialogue.
    "edit\n#\n.\ngo\nusermove e2e4",
    "edit\nedit\nedit\n#\nc\nc\nKe1\nc\nKe8\n.",
    "edit\nPa1\nPa8\nKe1\nKe2\n.\n.\n.",
    "edit\nZa1\nPz9\nxa1x\nP\nPa\nKe1Ke2\n#c\n\n.",
    "edit\nquit?\nanalyze\n.\nexit",
    "analyze\nedit\n#\nKe1\nc\nKe8\n.\nedit\nexit",
    // Options.
    "option\noption =\noption ==\noption Hash\noption Hash=\noption =5\noption Hash==5",
    "option Hash=-1\noption Hash=99999999999999999999\ngo",
    "option OwnBook=1\nnew\nhard\ngo\nbk\nhint\nundo\nbk\ngo\nforce\nnew\nvariant 3check\nbk\ngo\n?\nremove",
    "option OwnBook=1\noption BookFile=/\noption BookFile=\noption BookFile=no such book\ngo\nbk",
    "option OwnBook=1\noption BookVariety=x\noption BookVariety=-1\nnew\ngo\noption BookVariety=101\nnew\ngo",
    "option MultiPV=0\noption MultiPV=-7\noption MultiPV=1e99\ngo",
    "option Contempt=nan\noption Contempt=99999\noption Resign=-99999\ngo",
    "option MoveOverhead=99999999\ngo",
    "option Stage=\noption Stage=FULL\noption Stage=pawns\ngo\noption Stage=random\ngo",
    "option Ponder=2\noption Ponder=\noption ClearHash=x\nanalyze\noption ClearHash\noption Hash=2",
    "option LogFile=/\noption LogFile=/nonexistent/x/y\noption LogFile=/dev/stdout\noption LogFile",
    "option null_depth=-2147483648\noption null_depth=2147483647\noption lmr_depth=x\ngo",
];

/// Inputs that are long, numerous, or not text.
fn built() -> Vec<(String, Vec<u8>)> {
    let many = |line: &str, count: usize| format!("{line}\n").repeat(count).into_bytes();
    let mut inputs: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, input: Vec<u8>| inputs.push((name.to_owned(), input));
    for word in ["", "usermove ", "setboard ", "option Hash=", "ping ", "result 1-0 {", "name "] {
        let mut line = word.as_bytes().to_vec();
        line.resize(1_000_000, b'x');
        add(&format!("a megabyte of {word:?}"), line);
    }
    for word in ["usermove", "setboard", "variant", "option", "exclude", "level 40", "egtpath x"] {
        let long = format!("{word} {}\n", "e2e4".repeat(2_500));
        add(&format!("ten thousand characters after {word}"), long.into_bytes());
    }
    add("a number of 60000 digits", format!("time {}\ngo", "9".repeat(60_000)).into_bytes());
    add("60000 blanks", vec![b' '; 60_000]);
    add("no text", (0..=255).cycle().take(100_000).filter(|&byte| byte != b'\n').collect());
    add("all bytes on lines of their own", (0..=255).flat_map(|byte| [byte, b'\n']).collect());
    add("zeros", vec![0; 10_000]);
    add("zeros in a word", b"us\0ermove e2e4\nusermove e2\0e4\nping\0 1".to_vec());
    add("carriage returns", b"force\r\nusermove e2e4\r\r\n\r\n\r\rgo\r\n".to_vec());
    add("carriage returns alone", b"force\rusermove e2e4\rgo\r".to_vec());
    add("byte order mark", b"\xef\xbb\xbfnew\n".to_vec());
    add("broken utf-8", b"usermove \xc3\x28\nname \xf0\x28\x8c\xbc\noption \xff=\xfe\n".to_vec());
    add("empty lines", many("", 50_000));
    add("pings", many("ping 1", 20_000));
    add("undos", many("undo", 1_000));
    add("removes", many("remove", 1_000));
    add(
        "positions in a search",
        [b"go\n".to_vec(), many("setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo", 300)].concat(),
    );
    add("new games", many("new\nvariant 3check\ngo", 100));
    add("restarted analyses", many("analyze\nexclude e2e4\ninclude e2e4", 500));
    add("hints", many("hint\nforce", 300));
    add("go and stop", many("go\n?", 300));
    add("moves and their undoing", many("force\nusermove e2e4\nundo", 2_000));
    add(
        "a very long game",
        [b"force\n".to_vec(), many("g1f3\ng8f6\nf3g1\nf6g8", 3_000), b"go\n".to_vec()].concat(),
    );
    add("edits", many("edit\n#\nKe1\nc\nKe8\n.", 500));
    add(
        "options",
        many("option Hash=1\noption Hash=2\noption MultiPV=2\noption x=1\nmemory 3", 500),
    );
    add("constants", (0..3_000).flat_map(|n| format!("option x{n}=1\n").into_bytes()).collect());
    add("handshakes", many("xboard\nprotover 2\naccepted debug", 200));
    inputs
}

/// Sends the input, then checks that the engine still works.
fn survives(name: &str, input: &[u8], one_by_one: bool) {
    // Without the book, `go` starts a search.
    let mut engine = Engine::greeted(&["--hash=1", "--no-book"]);
    engine.send(QUICK);
    if one_by_one {
        input.iter().for_each(|&byte| engine.send_bytes(&[byte]));
    } else {
        engine.send_bytes(input);
    }
    // If the engine thinks, it moves now and then answers the ping.
    engine.send("\n?");
    engine.ping(424_242);
    engine.send("force\nnew\neasy\noption Stage=full\nmemory 1\ncores 1\nsd 2\nst 0.05\ngo");
    let mv = engine.wait_for("move ");
    let game = new_game(VariantId::Standard);
    assert!(game.parse_move(&mv[5..]).is_ok(), "after {name}: {mv}");
    let (status, _) = engine.quit();
    assert!(status.success(), "after {name}: {status}");
}

/// A copy would test nothing.
#[test]
fn no_input_is_there_twice() {
    let written = WRITTEN.iter().map(|input| input.as_bytes().to_vec());
    let inputs: Vec<Vec<u8>> = written.chain(built().into_iter().map(|(_, input)| input)).collect();
    for (index, input) in inputs.iter().enumerate() {
        let start = String::from_utf8_lossy(&input[..input.len().min(80)]);
        assert!(!inputs[..index].contains(input), "twice: {start:?}");
    }
}

#[test]
fn written_inputs_are_survived() {
    WRITTEN.iter().for_each(|input| survives(input, input.as_bytes(), false));
}

#[test]
fn built_inputs_are_survived() {
    built().iter().for_each(|(name, input)| survives(name, input, false));
}

#[test]
fn inputs_are_survived_byte_by_byte() {
    WRITTEN.iter().step_by(7).for_each(|input| survives(input, input.as_bytes(), true));
}

/// The program ends with its input, also in the middle of a line, a search, an analysis or a pause.
#[test]
fn the_input_may_end_anywhere() {
    for last in
        ["", "usermove e2", "go\n", "go\nanalyze\nedit\nPa", "hard\nusermove e2e4\n", "go\npause\n"]
    {
        let mut engine = Engine::greeted(&["--hash=1", "--no-book"]);
        engine.send("new\nlevel 0 60 0\nnopost");
        engine.send_bytes(last.as_bytes());
        thread::sleep(Duration::from_millis(20));
        engine.hang_up();
        let (status, _) = engine.end();
        assert!(status.success(), "after {last:?}: {status}");
    }
}

#[cfg(unix)]
#[test]
fn commands_end_quietly_when_their_reader_has_left() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("a.pgn");
    std::fs::write(&pgn, "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. e4 e5 *\n").unwrap();
    let pgn = pgn.to_str().unwrap();
    let unread = |arguments: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = program();
        command.args(arguments).stdin(Stdio::null()).stdout(writer);
        let output = command.stderr(Stdio::piped()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for arguments in [
        &["perft", "2"][..],
        &["bench", "--depth", "1"],
        &["man"],
        &["diagram"],
        &["comply", "--list"],
        &["check", pgn],
        &["puzzles", "--built-in", "--pgn", "-"],
    ] {
        assert_eq!(unread(arguments), (Some(141), String::new()), "{arguments:?}");
    }
    // Other errors are told.
    let (status, said) = unread(&["diagram", "nonsense"]);
    assert!(status == Some(1) && said.contains("trebuchet: "), "{status:?} {said}");
}

/// A problem that nobody reads is no panic.
#[test]
fn standard_error_may_be_closed() {
    for arguments in [&["perft", "1", "--fen", "x"][..], &["check", "no/such/file"]] {
        let mut command = program();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = command.stderr(writer).status().unwrap();
        assert!(matches!(status.code(), Some(1 | 2)), "{arguments:?}: {status}");
    }
}

/// `TREBUCHET_LOG=` means no log, for the engine and for the subcommands.
#[test]
fn an_empty_folder_for_logs_is_none() {
    for arguments in [&[][..], &["--log="], &["perft", "1"]] {
        let mut child = program()
            .args(arguments)
            .env("TREBUCHET_LOG", "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that has ended already takes no input.
        let _ = child.stdin.take().unwrap().write_all(b"xboard\nping 7\nquit\n");
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("pong 7") || arguments == ["perft", "1"], "{text}");
    }
}

/// More threads than processors only disturb one another. The engine says so once.
#[test]
fn there_are_no_more_threads_than_processors() {
    let processors = trebuchet::threads::processors();
    let mut engine = Engine::greeted(&["--hash=1"]);
    engine.send(&format!("cores {}\ncores 9999", processors));
    let (comments, _) = engine.ping(1);
    assert_eq!(comments, [format!("# cores 9999: at most {processors} can be used")]);
    engine.send("analyze");
    // The helpers start before the first iteration.
    loop {
        engine.send(".");
        if engine.wait_for("stat01: ").split(' ').nth(3) != Some("0") {
            break;
        }
    }
    #[cfg(target_os = "linux")]
    {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", engine.pid())).unwrap();
        // Besides the search: the session, and the threads that read, write and watch the output.
        assert_eq!(tasks.count(), 4 + processors);
    }
    let (status, _) = engine.quit();
    assert!(status.success());
}

/// Where the address space is limited, hash and threads fall back to what there is, and the engine
/// searches.
#[test]
#[cfg(target_os = "linux")]
fn little_memory_is_enough() {
    let [program, arguments @ ..] = &crate::process::command()[..] else {
        panic!("an empty command")
    };
    for kibibytes in [120_000, 200_000, 300_000] {
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -v {kibibytes} && exec \"$0\" \"$@\"")])
            .arg(program)
            .args(arguments)
            .env_remove("TREBUCHET_LOG")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut send = |text: &str| stdin.write_all(text.as_bytes()).unwrap();
        send(
            "xboard\nprotover 2\naccepted debug\noption OwnBook=0\nmemory 1024\ncores 16\nnew\neasy\npost\n",
        );
        for _ in 0..2 {
            send("sd 5\ngo\n");
            let said: Vec<String> =
                lines.by_ref().take_while(|line| !line.starts_with("move ")).collect();
            let depths = said.iter().filter(|line| line.starts_with("5 "));
            assert_ne!(depths.count(), 0, "the search has finished depth 5: {said:?}");
        }
        send("memory 1023\nnew\nsd 2\ngo\n");
        let said: Vec<String> =
            lines.by_ref().take_while(|line| !line.starts_with("move ")).collect();
        let hash =
            said.iter().filter(|line| line.contains("MiB instead of 1023: too little memory"));
        assert_eq!(hash.count(), 1, "{said:?}");
        send("quit\n");
        assert!(child.wait().unwrap().success(), "with {kibibytes} KiB");
    }
}
