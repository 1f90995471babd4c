//! What all commands have in common about files: none replaces what it reads or what is somebody else's,
//! none reads without end, and what a file holds does not reach the terminal as escape sequences.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::process::PATIENCE;

const TREBUCHET: &str = env!("CARGO_BIN_EXE_trebuchet");

/// Two games that make a book.
const GAMES: &str = "1. e4 e5 1-0\n\n1. e4 c5 1/2-1/2\n";

/// Options of a match that ends before its first game.
const MATCH: &str = "match --engine cmd=./bot --engine cmd=none --st 1";

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files, sorted.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    /// Runs the program with these words. Returns its exit status, and all that it says.
    fn run(&self, words: &str) -> (Option<i32>, String) {
        said(self.command(TREBUCHET).args(words.split(' ')))
    }
}

fn said(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn no_command_replaces_what_it_reads() {
    let folder = Folder::new();
    for name in ["games", "games.pgn", "bot", "rubric.toml", "match.toml"] {
        folder.write(name, GAMES);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("games.pgn", folder.path("link.pgn")).unwrap();
        fs::hard_link(folder.path("games.pgn"), folder.path("hard.pgn")).unwrap();
    }
    let names = folder.files();
    let mut commands = vec![
        "check --json games.pgn games.pgn".to_owned(),
        "check --json ./games.pgn games games.pgn".to_owned(),
        "check --json rubric.toml --rubric rubric.toml games.pgn".to_owned(),
        "comply --json bot -- ./bot".to_owned(),
        "book make games.pgn games.pgn --min-games 1 --force".to_owned(),
        "book merge games -o ./games --force".to_owned(),
        "annotate games.pgn --pgn ./games.pgn --force".to_owned(),
        "train games --out games --force".to_owned(),
        "train games --from games.pgn --out games.pgn --force".to_owned(),
        "data pack games games --force".to_owned(),
        "tune games --params games".to_owned(),
        format!("{MATCH} --config match.toml --json match.toml"),
        format!("{MATCH} --openings games.pgn --json games.pgn"),
        format!("{MATCH} --openings games.pgn --pgn games.pgn --resume"),
        format!("{MATCH} --json bot"),
    ];
    if cfg!(unix) {
        commands.extend([
            "check --json link.pgn games.pgn".to_owned(),
            "check --json hard.pgn games.pgn".to_owned(),
            "book make games.pgn link.pgn --min-games 1 --force".to_owned(),
            "annotate link.pgn --pgn games.pgn --force".to_owned(),
        ]);
    }
    folder.write("match.toml", "games = 2\n");
    for words in commands {
        let (status, text) = folder.run(&words);
        assert!(status.is_some_and(|status| status > 0), "{words}: {text}");
        assert!(text.contains("this is a source; name another file"), "{words}: {text}");
        assert_eq!(folder.files(), names, "{words}");
        assert_eq!(folder.read("games.pgn"), GAMES.as_bytes(), "{words}");
    }
    let (status, text) = folder.run(&format!("{MATCH} --json all.pgn --pgn all.pgn"));
    assert!(status.is_some_and(|status| status > 0), "{text}");
    assert!(
        text.contains("all.pgn: this file is named for the games and for the summary"),
        "{text}"
    );
    assert_eq!(folder.files(), names);
    assert_eq!(folder.read("games"), GAMES.as_bytes());
    assert_eq!(folder.read("bot"), GAMES.as_bytes());
    assert_eq!(folder.read("match.toml"), b"games = 2\n");
}

#[test]
fn results_replace_results_alone() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    folder.write("notes", "my notes");
    let commands = [
        "check --json notes games.pgn",
        "comply --json notes -- none",
        &format!("{MATCH} --json notes"),
    ];
    for words in commands {
        let (_, text) = folder.run(words);
        assert!(text.contains("notes: it exists and is not JSON"), "{words}: {text}");
        assert_eq!(folder.read("notes"), b"my notes");
    }
    for _ in 0..2 {
        assert_eq!(folder.run("check --json result games.pgn").0, Some(0));
    }
    assert!(folder.read("result").starts_with(b"{\"stage\": "));
    assert_eq!(folder.files(), ["games.pgn", "notes", "result"]);
}

/// Without the refusal, these commands would take all memory or all time.
#[cfg(target_os = "linux")]
#[test]
fn no_command_reads_without_end() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    folder.write("rubric.toml", vec![b'#'; 2_000_000]);
    for name in ["zero", "zero.pgn", "zero.epd", "zero.bin", "zero.annotated.pgn.progress"] {
        std::os::unix::fs::symlink("/dev/zero", folder.path(name)).unwrap();
    }
    fs::copy(folder.path("games.pgn"), folder.path("a.pgn")).unwrap();
    let device = "a device, and neither a file nor a pipe";
    for (words, message) in [
        ("check --rubric zero games.pgn", device),
        ("check --rubric rubric.toml games.pgn", "more than 1024 KiB, too large"),
        ("check zero", device),
        ("annotate zero.pgn --nodes 1", device),
        (
            "annotate a.pgn --pgn zero.annotated.pgn --nodes 1",
            "zero.annotated.pgn.progress: not a file",
        ),
        ("book make out.bin zero.pgn", device),
        ("book make out.bin zero", device),
        ("book show --book zero.bin", "zero.bin: not a regular file"),
        ("tune --params zero zero", device),
        ("train zero --out net", "zero: not a file"),
        ("data stats zero", "zero: not a file"),
        ("data pack out zero", "zero: not a file"),
        ("datagen zero", "zero: not a file"),
        (&format!("{MATCH} --config zero"), device),
        (&format!("{MATCH} --openings zero.pgn"), device),
        (&format!("{MATCH} --openings zero.epd"), device),
    ] {
        let script = "ulimit -v 3000000; exec \"$@\"";
        let mut child = folder
            .command("sh")
            .args(["-c", script, "sh", TREBUCHET])
            .args(words.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait(&mut child, words);
        let (_, text) = output(child);
        assert!(text.contains(message), "{words}: {text}");
    }
}

/// Waits for the end of a process. Ends it and the test if it takes too long.
fn wait(child: &mut Child, words: &str) {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{words}: it does not end");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn output(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What a process writes into a pipe is read as from a file.
#[cfg(unix)]
#[test]
fn pipes_are_read() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES);
    folder.write("rubric.toml", "[points]\nlegal-moves = 1\n");
    for words in [
        "cat games.pgn | $0 check /dev/stdin",
        "cat rubric.toml | $0 check --rubric /dev/stdin games.pgn",
        "cat games.pgn | $0 annotate /dev/stdin --nodes 1 --hash 1 --pgn -",
    ] {
        let (status, text) = said(folder.command("sh").args(["-c", words, TREBUCHET]));
        assert_eq!(status, Some(0), "{words}: {text}");
    }
}

#[test]
fn no_command_passes_escape_sequences_to_the_terminal() {
    let folder = Folder::new();
    let escape = "\x1b]0;owned\x07\u{9b}31m";
    folder.write(
        "games.pgn",
        format!(
            "[White \"{escape}\"]\n[Black \"{escape}\"]\n[Termination \"{escape}\"]\n\n1. e4 {{{escape}}} e{escape} *\n\n\
             [Variant \"{escape}\"]\n\n1. e4 *\n"
        ),
    );
    folder.write(
        "game.debug",
        format!(
            "1 >first : xboard\nprotover 2\n2 <first : feature myname=\"{escape}\" done=1\n3 >first : new\n\
             4 >first : usermove e2e4\n5 <first : move {escape}\n6 >first : result * {{{escape}}}\n"
        ),
    );
    let key: String = escape.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    folder.write("rubric.toml", format!("[points]\n\"{key}\" = 1\n"));
    folder.write("match.toml", format!("\"{key}\" = 1\n"));
    for words in [
        "annotate games.pgn --nodes 1 --hash 1",
        "check games.pgn",
        "check game.debug",
        "check --name nobody games.pgn",
        "check --rubric rubric.toml games.pgn",
        &format!("{MATCH} --config match.toml"),
        &format!("{MATCH} --openings games.pgn"),
    ] {
        let (_, text) = folder.run(words);
        assert!(!text.is_empty(), "{words}");
        assert!(!words.contains(".toml") || text.contains("owned"), "{words}: {text}");
        let bad = text.chars().find(|&c| c.is_control() && c != '\n');
        assert_eq!(bad, None, "{words}: {text:?}");
    }
}

/// Games and their positions for quick trainings.
fn folder_with_training_games() -> Folder {
    let folder = Folder::new();
    let (status, text) = folder.run("datagen keep.games --games 61 --nodes 30 --hash 1");
    assert_eq!(status, Some(0), "{text}");
    pack(&folder);
    folder
}

/// Makes the positions anew from the games.
fn pack(folder: &Folder) {
    let (status, text) = folder.run("data pack keep.positions keep.games");
    assert_eq!(status, Some(0), "{text}");
}

#[test]
fn a_training_replaces_its_own_files_alone() {
    let folder = folder_with_training_games();
    let positions = folder.read("keep.positions");
    let train = |words: &str| folder.run(&format!("train keep.positions --epochs 1 {words}"));
    for out in ["keep.positions", "./keep.positions", "keep.positions --force"] {
        let (status, text) = train(&format!("--out {out}"));
        assert_eq!(status, Some(1), "{text}");
        assert!(text.contains("keep.positions: this is a source"), "{text}");
        assert_eq!(folder.files(), ["keep.games", "keep.positions"]);
    }
    // All of the name counts: two networks have two checkpoints, and a network is not its own picture.
    for out in ["net.a", "net.svg"] {
        assert_eq!(train(&format!("--out {out}")).0, Some(0));
        assert!(folder.read(out).starts_with(b"TREBNET2"));
    }
    let names = [
        "keep.games",
        "keep.positions",
        "net.a",
        "net.a.checkpoint",
        "net.a.svg",
        "net.svg",
        "net.svg.checkpoint",
        "net.svg.svg",
    ];
    assert_eq!(folder.files(), names);
    // The same command goes on, and replaces its own files.
    let (status, text) = train("--out net.a");
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("goes on after epoch 1"), "{text}");
    // Another training is refused, and so is a damaged checkpoint.
    let checkpoint = folder.read("net.a.checkpoint");
    let (status, text) = train("--out net.a --seed 7");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("net.a.checkpoint is the checkpoint of a training with other"), "{text}");
    folder.write("net.a.checkpoint", &checkpoint[..1000]);
    let (_, text) = train("--out net.a");
    assert!(text.contains("net.a.checkpoint is damaged"), "{text}");
    assert_eq!(folder.read("net.a.checkpoint"), &checkpoint[..1000]);
    // So is one of another version.
    folder.write("net.a.checkpoint", [b"TREBCKP1", &checkpoint[8..]].concat());
    let (status, text) = train("--out net.a");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("net.a.checkpoint is a checkpoint of another version"), "{text}");
    let (status, text) = train("--out net.b --from net.a.checkpoint");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("net.a.checkpoint: it is not a checkpoint of this version"), "{text}");
    assert_eq!(train("--out net.a --seed 7 --force").0, Some(0));
    assert_ne!(folder.read("net.a.checkpoint"), checkpoint);
    // A network stays whose training is not known.
    let network = folder.read("net.a");
    fs::remove_file(folder.path("net.a.checkpoint")).unwrap();
    let (status, text) = train("--out net.a");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("net.a exists, and no checkpoint of its training"), "{text}");
    assert_eq!(folder.read("net.a"), network);
    assert_eq!(train("--out net.a --force").0, Some(0));
    // Files of somebody else stay.
    for (name, kind) in [
        ("b", "a network"),
        ("b.checkpoint", "a checkpoint"),
        ("b.svg", "a picture of this command"),
    ] {
        folder.write(name, "<svg>my notes");
        let (status, text) = train("--out b");
        assert_eq!(status, Some(1), "{text}");
        assert!(text.contains(&format!("{name} exists and is not {kind}: another name")), "{text}");
        assert_eq!(folder.read(name), b"<svg>my notes");
        fs::remove_file(folder.path(name)).unwrap();
    }
    assert_eq!(folder.files(), names);
    assert_eq!(folder.read("keep.positions"), positions);
}

/// Other games are others, even if there are as many positions.
#[test]
fn a_training_goes_on_with_its_own_games_alone() {
    let folder = folder_with_training_games();
    let train = || folder.run("train keep.positions --out net --epochs 1");
    let first = |text: &str| text.lines().next().unwrap().to_owned();
    let (status, positions) = train();
    assert_eq!(status, Some(0), "{positions}");
    let games = folder.read("keep.games");
    folder.write("keep.games", with_other_results(&games));
    pack(&folder);
    let (status, text) = train();
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("training with other settings or positions: positions "), "{text}");
    assert_eq!(first(&text), first(&positions));
    folder.write("keep.games", games);
    pack(&folder);
    let (status, text) = train();
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("goes on after epoch 1"), "{text}");
}

/// A file of games with the same moves and scores, but other results.
fn with_other_results(file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let word = |at: usize, file: &[u8]| u32::from_le_bytes(*file[at..].first_chunk().unwrap());
    // Magic number, length, description, checksum; see the format in `store/mod.rs`.
    let mut at = 8 + 4 + word(8, &file) as usize + 4;
    while at < file.len() {
        let body = at + 8;
        let end = body + word(at, &file) as usize;
        file[body + 4] = (file[body + 4] + 1) % 3;
        let step = |sum: u32, &byte: &u8| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let sum = file[body..end].iter().fold(0x811c_9dc5, step);
        file[end..end + 4].copy_from_slice(&sum.to_le_bytes());
        at = end + 4;
    }
    file
}

/// A limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_part_of_a_training() {
    let folder = folder_with_training_games();
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$@\"";
    let words = "train keep.positions --epochs 1 --out net";
    let mut command = folder.command("sh");
    let (status, text) = said(command.args(["-c", script, "sh", TREBUCHET]).args(words.split(' ')));
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("net.checkpoint: "), "{text}");
    assert_eq!(folder.files(), ["keep.games", "keep.positions"]);
}

/// The greatest number of games needs no list of their numbers.
#[cfg(target_os = "linux")]
#[test]
fn a_file_may_have_very_many_games() {
    let folder = Folder::new();
    let script = "ulimit -v 2000000; exec \"$@\"";
    let words = "datagen out.games --games 4294967295 --nodes 20 --hash 1";
    let mut command = folder.command("sh");
    command.args(["-c", script, "sh", TREBUCHET]).args(words.split(' '));
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !folder.path("out.games").metadata().is_ok_and(|found| found.len() > 0) {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("no game");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Where a thread cannot be started, the command says so at once, and not after the last game.
#[cfg(target_os = "linux")]
#[test]
fn too_many_threads_are_refused_before_the_first_game() {
    let folder = folder_with_training_games();
    let run = |words: &str, limit: u32| {
        let script = format!("ulimit -v {limit}; exec \"$@\"");
        let mut command = folder.command("sh");
        command.args(["-c", &script, "sh", TREBUCHET]).args(words.split(' '));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait(&mut child, words);
        output(child)
    };
    for words in [
        "data pack out keep.games --threads 256",
        "datagen out.games --threads 256 --games 100000000 --nodes 20 --hash 1",
        "spsa --threads 256 --pairs 100000000 --nodes 20 --hash 1",
    ] {
        // With some limits the stacks leave almost nothing, and a small allocation fails first.
        let said: Vec<_> =
            [1_000_000, 1_002_500, 1_005_000].iter().map(|limit| run(words, *limit)).collect();
        let refused = |(status, text): &(Option<i32>, String)| {
            *status == Some(1) && text.contains("cannot start a thread: ")
        };
        assert!(said.iter().filter(|said| refused(said)).count() >= 2, "{said:?}");
    }
    assert!(!folder.path("out").exists());
}

#[test]
fn tables_say_when_a_game_is_over_and_leave_nothing_behind() {
    let folder = Folder::new();
    let show =
        |fen: &str| said(folder.command(TREBUCHET).args(["egtb", "show", "--tables", ".", fen])).1;
    let over = "8/8/8/8/8/1K6/1Q6/k7 b - - 1+3 0 1";
    assert_eq!(show(over), format!("{over}: the game is over: White mates\n"));
    let third = "8/8/8/8/8/2K5/8/kQ6 b - - 0+3 0 1";
    assert!(show(third).contains(": the game is over: "), "{}", show(third));
    // What killed runs have left goes, what is not theirs stays.
    folder.write("KQvK.4000000.part", "a part");
    folder.write("notes.1.part", "my notes");
    folder.write("KQvK.part", "my notes");
    // A table that cannot be written is named.
    fs::create_dir(folder.path("KRvK.t3c")).unwrap();
    let (status, text) = folder.run("egtb make KQvK KRvK --out .");
    assert_eq!(status, Some(1), "{text}");
    assert!(text.lines().any(|line| line.starts_with("trebuchet: ./KRvK.t3c: ")), "{text}");
    let names = folder.files();
    assert!(names.contains(&"notes.1.part".to_owned()) && names.contains(&"KQvK.part".to_owned()));
    assert_eq!(names.iter().filter(|name| name.ends_with(".part")).count(), 2, "{names:?}");
}
