//! The real binary at a terminal: it plays a whole game with a person.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, SpecialCodeIndex, tcgetattr};
use trebuchet::play::new_game;
use trebuchet::types::GameResult;
use trebuchet::variants::VariantId;

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// What a terminal sends at the end of its input.
const CONTROL_D: &str = "\u{4}";

/// The engine at a terminal, and what the person types and sees.
struct Terminal {
    person: File,
    /// What appears on the screen, in pieces.
    screen: Receiver<String>,
    engine: Child,
}

impl Terminal {
    /// A terminal that can show text alone.
    fn start(arguments: &[&str]) -> Terminal {
        Terminal::start_with(arguments, &[("TERM", "dumb")])
    }

    fn start_with(arguments: &[&str], environment: &[(&str, &str)]) -> Terminal {
        Terminal::start_after("", arguments, environment)
    }

    /// Types before the engine starts.
    fn start_after(typed: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Terminal {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trebuchet"));
        for variable in ["NO_COLOR", "LC_ALL", "LC_CTYPE"] {
            command.env_remove(variable);
        }
        command.args(arguments).envs(environment.iter().copied());
        Terminal::run(typed, command)
    }

    /// The engine that a command starts.
    fn run(typed: &str, mut command: Command) -> Terminal {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        unlockpt(&person).unwrap();
        let name = ptsname(&person, Vec::new()).unwrap();
        let device = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        File::from(person.try_clone().unwrap()).write_all(typed.as_bytes()).unwrap();
        let side = || OpenOptions::new().read(true).write(true).open(device).unwrap();
        let engine = command.stdin(side()).stdout(side()).stderr(side()).spawn().unwrap();
        let person = File::from(person);
        let mut output = person.try_clone().unwrap();
        let (sender, screen) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The end of the engine is an error here.
            while let Ok(length @ 1..) = output.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..length]).replace('\r', "");
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
        Terminal { person, screen, engine }
    }

    /// What is shown up to the next prompt.
    fn read(&mut self) -> String {
        self.read_until(|text| text.ends_with("> "))
    }

    fn read_until(&mut self, is_enough: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        let mut text = String::new();
        while !is_enough(&text) {
            let left = deadline.saturating_duration_since(Instant::now());
            text += &self.screen.recv_timeout(left).unwrap_or_else(|_| panic!("only {text:?}"));
        }
        text
    }

    fn press(&mut self, keys: &str) {
        self.person.write_all(keys.as_bytes()).unwrap();
    }

    /// Types a line and reads the answer.
    fn say(&mut self, line: &str) -> String {
        self.press(&format!("{line}\n"));
        self.read()
    }

    fn end(mut self, last: &str) -> ExitStatus {
        self.person.write_all(last.as_bytes()).unwrap();
        let start = Instant::now();
        loop {
            if let Some(status) = self.engine.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the engine does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed leaves no engine behind.
        let _ = self.engine.kill();
        let _ = self.engine.wait();
    }
}

#[test]
fn help_tells_how_to_interrupt_the_engine() {
    let mut terminal = Terminal::start(&[]);
    terminal.read();
    assert!(terminal.say("help").contains("\n?, Enter or Ctrl-C   while I think"));
}

/// The two zones never have the same date.
#[test]
fn the_date_of_a_game_is_that_of_the_place() {
    let date = |zone| {
        let mut terminal = Terminal::start_with(&[], &[("TERM", "dumb"), ("TZ", zone)]);
        terminal.read();
        let record = terminal.say("pgn");
        record.lines().find(|line| line.contains("[Date ")).unwrap().to_owned()
    };
    // 14 hours east of Greenwich, and 12 hours west: POSIX counts to the west.
    assert_ne!(date("EAST-14"), date("WEST12"));
}

#[test]
fn the_command_line_chooses_game_level_and_coach() {
    let arguments = ["--variant", "kingofthehill", "--level", "amateur", "--coach"];
    let mut terminal = Terminal::start(&arguments);
    terminal.read();
    let pgn = terminal.say("pgn");
    assert!(pgn.contains("[Variant \"kingofthehill\"]") && pgn.contains(" (Amateur)\""), "{pgn}");
    // The coach alone gives hints in two steps.
    let hint = terminal.say("hint");
    assert!(hint.contains("Say hint again for the move."), "{hint}");
    assert!(terminal.end("quit\n").success());
}

/// The person gives check whenever possible. The engine's board and ours stay the same to the end.
#[test]
fn a_person_plays_a_whole_three_check_game() {
    let mut terminal = Terminal::start(&["--stage", "random", "--seed", "1"]);
    let welcome = terminal.read();
    assert_eq!(welcome.lines().count(), 4, "three lines and a prompt: {welcome}");
    assert!(terminal.say("new 3check").contains("Checks given: White 0, Black 0."));
    let mut game = new_game(VariantId::ThreeCheck);
    let end = loop {
        let moves = game.legal_moves();
        let mv = moves.iter().copied().find(|&mv| game.san(mv).contains(['+', '#']));
        let mv = mv.unwrap_or(moves[moves.len() / 2]);
        let san = game.san(mv);
        game.play(mv);
        let answer = terminal.say(&san);
        if let Some(reply) = answer.lines().find_map(|line| line.strip_prefix("I play ")) {
            let reply = reply.split_whitespace().nth(1).unwrap();
            game.play(game.parse_move(reply).unwrap());
            let state = game.describe_state().unwrap();
            assert!(answer.contains(&state), "{state}: {answer}");
        }
        if game.outcome().is_some() {
            break answer;
        }
    };
    let outcome = game.outcome().unwrap();
    assert!(end.contains(&format!("{} {{{outcome}}}", GameResult::from(outcome))), "{end}");
    assert!(outcome.winner.is_some(), "{end}");
    let score = terminal.say("score");
    let plies = score.split_whitespace().filter(|word| !word.ends_with('.') && *word != ">");
    // The screen also shows the line that was typed.
    assert_eq!(plies.count(), game.ply_count() + 1, "{score}");
    assert!(terminal.end("quit\n").success());
}

#[test]
fn an_adaptive_level_counts_games_of_two_moves() {
    let folder = tempfile::tempdir().unwrap();
    let data = ("XDG_DATA_HOME", folder.path().to_str().unwrap());
    let mut terminal = Terminal::start_with(&["--seed", "1"], &[("TERM", "dumb"), data]);
    terminal.read();
    // Another level has begun this game.
    terminal.say("a3");
    assert!(terminal.say("adaptive").contains("After 0 games you stand at about 800 Elo"));
    terminal.say("a4");
    let begun = terminal.say("resign");
    assert!(begun.contains("0-1 {White resigns}") && !begun.contains("After"), "{begun}");
    // A stage without searches has no level.
    terminal.say("stage random");
    terminal.say("new");
    terminal.say("a3");
    terminal.say("a4");
    let random = terminal.say("resign");
    assert!(random.contains("0-1 {White resigns}") && !random.contains("After"), "{random}");
    terminal.say("stage full");
    terminal.say("new");
    terminal.say("e4");
    let short = terminal.say("resign");
    assert!(short.contains("0-1 {White resigns}") && !short.contains("After"), "{short}");
    terminal.say("new");
    terminal.say("e4");
    terminal.say("a3");
    let end = terminal.say("resign");
    assert!(end.contains("After 1 game you stand at about 700 Elo"), "{end}");
    assert!(terminal.say("adaptive").contains("After 1 game you stand at about 700 Elo"));
    assert!(terminal.end("quit\n").success());
}

#[test]
fn an_adaptive_level_counts_whole_games() {
    let start = "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let without_rook = "setboard 1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1";
    let folder = tempfile::tempdir().unwrap();
    let data = ("XDG_DATA_HOME", folder.path().to_str().unwrap());
    let mut terminal = Terminal::start_with(&["--seed", "1"], &[("TERM", "dumb"), data]);
    terminal.read();
    terminal.say("time 0.1");
    for (game, is_whole) in [
        (&["h3", "g3"][..], true),
        // What is taken back.
        (&["undo", "h3", "g3"], true),
        (&["h3", "undo", "h3", "g3"], false),
        (&["h3", "resign", "undo", "g3"], false),
        (&["h3", "undo", start, "h3", "g3"], true),
        (&["h3", "undo", "new", "h3", "g3"], true),
        // Where the game begins.
        (&[start, "h3", "g3"], true),
        (&[without_rook, "h3", "g3"], false),
        // Who plays which side.
        (&["black", "h6", "g6"], true),
        (&["both", "white", "h3", "g3"], true),
        (&["h3", "both", "white", "g3"], false),
        (&["h3", "white", "g3"], true),
        (&["h3", "g3", "go"], false),
        (&["h3", "g3", "black"], false),
        // The stage.
        (&["stage full", "h3", "g3"], true),
        (&["stage random", "stage full", "h3", "g3"], true),
        (&["h3", "stage full", "g3"], false),
        // The level.
        (&["adaptive off", "adaptive", "h3", "g3"], true),
        (&["adaptive off", "h3", "adaptive", "g3"], false),
        (&["h3", "adaptive", "g3"], true),
        (&["h3", "adaptive reset", "g3"], true),
        (&["h3", "adaptive off", "adaptive", "g3"], false),
        (&["h3", "adaptive off", "g3"], false),
        (&["level hard", "adaptive", "h3", "g3"], true),
        (&["h3", "level hard", "adaptive", "g3"], false),
        (&["h3", "strength 900", "adaptive", "g3"], false),
        // It counts once.
        (&["h3", "g3", "resign"], false),
    ] {
        terminal.say("new");
        terminal.say("adaptive");
        for line in game {
            let answer = terminal.say(line);
            assert!(!answer.contains("Type help"), "{game:?}: {answer}");
        }
        let end = terminal.say("resign");
        assert_eq!(end.contains("After "), is_whole, "{game:?}: {end}");
    }
    assert!(terminal.end("quit\n").success());
}

#[test]
fn results_without_a_place_count_until_the_end() {
    let start = |home: Option<&Path>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trebuchet"));
        command.args(["--adaptive", "--seed", "1"]).env("TERM", "dumb");
        for variable in ["XDG_DATA_HOME", "APPDATA", "HOME"] {
            command.env_remove(variable);
        }
        command.envs(home.map(|home| ("HOME", home)));
        Terminal::run("", command)
    };
    let mut terminal = start(None);
    let welcome = terminal.read();
    assert!(welcome.contains("(XDG_DATA_HOME, APPDATA, HOME name no folder)."), "{welcome}");
    terminal.say("e4");
    terminal.say("a3");
    let end = terminal.say("resign");
    assert!(end.contains("After 1 game you stand at about 700 Elo"), "{end}");
    let next = terminal.say("new");
    assert!(!next.contains("kept"), "said once: {next}");
    assert!(terminal.say("adaptive").contains("After 1 game you stand at about 700 Elo"));
    assert!(terminal.end("quit\n").success());

    // A folder has the place of the file.
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join(".local/share/trebuchet/ratings.txt");
    std::fs::create_dir_all(&place).unwrap();
    let mut terminal = start(Some(folder.path()));
    let welcome = terminal.read();
    assert!(welcome.contains(&format!("({}: not a regular file).", place.display())), "{welcome}");
    terminal.say("adaptive off");
    let answer = terminal.say("adaptive reset");
    assert!(!answer.contains("forgotten") && answer.contains("cannot be removed ("), "{answer}");
    assert!(terminal.end("quit\n").success());
}

/// The shell allows files of one block of 512 or 1024 bytes.
#[test]
fn a_game_that_has_no_room_leaves_nothing_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let before = format!("[Event \"x\"]\n\n1. e4 {{{}}} *\n\n", "long ".repeat(94));
    std::fs::write(&file, &before).unwrap();
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -f 1 && trap '' XFSZ && exec \"$0\"",
        env!("CARGO_BIN_EXE_trebuchet"),
    ]);
    command.env("TERM", "dumb");
    let mut terminal = Terminal::run("", command);
    terminal.read();
    terminal.say("both");
    terminal.say("e4");
    let save = format!("save {}", file.display());
    // The first game may have room.
    let answers = [0; 12].map(|_| terminal.say(&save));
    assert!(answers[11].contains("I can't write "), "{}", answers[11]);
    let saved = answers.iter().filter(|answer| answer.contains("The game is saved in ")).count();
    let games = std::fs::read_to_string(&file).unwrap();
    assert_eq!(games.matches("\n1. e4").count(), 1 + saved, "{games}");
    assert_eq!(games.matches("[Event ").count(), 1 + saved, "{games}");
    assert!(games.starts_with(&before) && games.ends_with("*\n\n"), "{games}");
    assert!(terminal.end("quit\n").success());
}

#[test]
fn the_end_of_the_input_and_quit_end_the_program() {
    for last in [CONTROL_D, "quit\n"] {
        let mut terminal = Terminal::start(&[]);
        terminal.read();
        assert!(terminal.end(last).success());
    }
}

/// A terminal with colours and chess symbols.
const RICH: [(&str, &str); 2] = [("TERM", "xterm-256color"), ("LANG", "C.UTF-8")];
const CONTROL_C: &str = "\u{3}";
const ARROW_UP: &str = "\u{1b}[A";
const ENTER: &str = "\r";

/// Waits until the prompt is shown behind a text.
fn prompt_after(text: &'static str) -> impl Fn(&str) -> bool {
    move |shown| shown.split_once(text).is_some_and(|(_, rest)| rest.contains("> "))
}

#[test]
fn a_rich_terminal_shows_colours_and_symbols() {
    let mut terminal = Terminal::start_with(&["--stage", "random", "--seed", "1"], &RICH);
    let board = terminal.read_until(prompt_after("White to move."));
    assert!(board.contains('♜') && board.contains("\u{1b}[38;5;16;48;5;108m"), "{board}");
    assert!(!board.contains(";48;5;178m"), "no move yet: {board}");
    terminal.press("e4\r");
    let board = terminal.read_until(prompt_after("White to move."));
    let marks = board.matches(";48;5;178m").count() + board.matches(";48;5;136m").count();
    assert_eq!(marks, 2, "the squares of the last move: {board}");
    assert!(terminal.end("quit\r").success());

    let plain = [RICH[0], RICH[1], ("NO_COLOR", "1"), ("LC_ALL", "C")];
    let mut terminal = Terminal::start_with(&[], &plain);
    let board = terminal.read_until(prompt_after("White to move."));
    assert!(board.contains("8  r n b q k b n r \n"), "{board}");
    assert!(!board.contains("[38;5"), "{board}");
    assert!(terminal.end("quit\r").success());
}

/// Without an answer to the keys, each of these moves would take an hour.
#[test]
fn the_person_can_interrupt_the_thinking() {
    let mut terminal = Terminal::start_with(&["--hash", "1", "--no-book"], &RICH);
    terminal.read_until(prompt_after("White to move."));
    terminal.press("time 3600\r");
    terminal.read_until(|text| text.contains("> "));
    // Every one is legal whatever Black answers: c3 also stops the checks on the diagonal.
    for (mv, key) in [("e4\r", "?\n"), ("d4\r", CONTROL_C), ("c3\r", "\n")] {
        terminal.press(mv);
        terminal.read_until(|text| text.contains("Depth 3, "));
        terminal.press(key);
        // The move may give check: "White to move, in check."
        let answer = terminal.read_until(prompt_after("White to move"));
        assert!(answer.contains("I play "), "{answer}");
    }
    // At the prompt, Ctrl-C does not end the game.
    terminal.press(CONTROL_C);
    terminal.read_until(prompt_after("Type quit to leave."));
    // A line that is typed while the engine thinks waits, but the program can be left at once.
    terminal.press("h3\r");
    terminal.read_until(|text| text.contains("Depth 3, "));
    terminal.press("fen\n");
    assert!(terminal.end("quit\n").success());
}

/// While the engine thinks, Ctrl-Z and Ctrl-\ mean what they mean everywhere.
#[test]
fn the_program_can_be_suspended_while_it_thinks() {
    let mut terminal = Terminal::start_with(&["--hash", "1", "--no-book"], &RICH);
    terminal.read_until(prompt_after("White to move."));
    terminal.press("time 3600\re4\r");
    terminal.read_until(|text| text.contains("Depth 3, "));
    let modes = tcgetattr(&terminal.person).unwrap();
    assert!(modes.local_modes.contains(LocalModes::ISIG));
    let keys =
        [SpecialCodeIndex::VSUSP, SpecialCodeIndex::VQUIT].map(|key| modes.special_codes[key]);
    assert_eq!(keys, [26, 28]);
    assert!(terminal.end("quit\n").success());
}

#[test]
fn lines_are_edited_with_history_and_completion() {
    let mut terminal = Terminal::start_with(&["--stage", "random", "--seed", "1"], &RICH);
    terminal.read_until(prompt_after("White to move."));
    // All these lines are typed at once. `Nf` can only become Nf3, and `setb` only setboard.
    terminal.press("both\rNf\t\r");
    terminal.read_until(prompt_after("Black to move."));
    terminal.press("level am\t\r");
    terminal.read_until(prompt_after("about 1000 Elo.\n"));
    terminal.press("setb\t 4k3/8/8/8/8/8/8/4K2R w K - 0 1\rfen\r");
    terminal.read_until(prompt_after("4k3/8/8/8/8/8/8/4K2R w K - 0 1\n"));
    // The last line again.
    terminal.press(&format!("{ARROW_UP}{ENTER}"));
    terminal.read_until(prompt_after("4k3/8/8/8/8/8/8/4K2R w K - 0 1\n"));
    assert!(terminal.end("quit\r").success());
}

#[test]
fn thinking_can_be_interrupted_at_a_simple_terminal() {
    let mut terminal = Terminal::start(&["--hash", "1", "--no-book"]);
    terminal.read();
    terminal.say("time 3600");
    terminal.press("e4\n");
    terminal.press("?\n");
    let answer = terminal.read_until(prompt_after("White to move."));
    assert!(answer.contains("I play 1... "), "{answer}");
    assert!(terminal.end("quit\n").success());
}

/// A program that talks through a terminal gets the protocol, and none of its lines is lost.
#[test]
fn a_program_at_a_terminal_gets_the_protocol() {
    let typed = "xboard\nprotover 2\nping 7\n";
    let mut terminal = Terminal::start_after(typed, &[], &RICH);
    let said = terminal.read_until(|text| text.contains("pong 7\n"));
    assert!(said.contains("feature myname=") && said.contains("done=1\n"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
    assert!(terminal.end("quit\n").success());
}
