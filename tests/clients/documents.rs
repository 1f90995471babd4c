//! The commands of the README and the docs run as they stand, in a folder that has what they name.
//!
//! A block of code without a language holds commands. A block of TOML whose first line is a comment with
//! a command is the file that this command reads. `NOT_RUN` has the blocks that no test can run.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;

use crate::display::{Display, fresh_folder};
use crate::process::ROOT;
use crate::python::python;

const PROGRAM: &str = env!("CARGO_BIN_EXE_trebuchet");

/// The beginning of a block, and why it is not run here.
const NOT_RUN: [(&str, &str); 10] = [
    ("cargo test\n", "this test is part of it"),
    (
        "cargo build --release  ",
        "Cargo has built the program that the tests run; `.ci/run` has the other two",
    ),
    ("make build\nsudo make install", "needs root: `.ci/deep` installs into a folder of its own"),
    ("sudo apt install", "needs root: `.ci/deep` installs the packages into a bare Debian"),
    ("tar -xf", "needs an archive: `.ci/deep` unpacks and tests them"),
    ("winboard.exe", "needs Windows: `.ci/deep` tests the archive under Wine"),
    ("xboard -ics", "needs an account on a chess server"),
    ("trebuchet page", "a build may have no page: `tests/program/page.rs` tests the command"),
    ("rustup target add", "needs npm: `.ci/run` builds the page"),
    ("# exam.toml", "the file of a bot that nobody has: `tests/program/exam` has such files"),
];

/// Placeholders of the docs, and what stands for them here.
const PLACEHOLDERS: [(&str, &str); 7] = [
    ("variants/NAME/", "variants/king_of_the_hill/"),
    (" NAME", " kingofthehill"),
    ("position fen FEN", "position startpos"),
    ("--fen 'FEN'", "--fen '4k3/8/8/8/8/8/8/4K2R w K - 3+3 0 1'"),
    ("-scp ENGINE", "-scp trebuchet"),
    (",…", ""),
    (" … ", " --engine trebuchet --engine ./new --games 2 --nodes 100 "),
];

/// What would take long is done in small: what stands before a number, and another number.
const SMALLER: [(&str, &str); 15] = [
    ("--games ", "2"),
    ("\ngames = ", "2"),
    ("--nodes ", "100"),
    ("\nnodes = ", "100"),
    (" -tc ", "0:01"),
    (" -inc ", "0.05"),
    (" -mg ", "1"),
    ("--tc ", "60+1"),
    ("--positions ", "3"),
    ("--pairs ", "1"),
    ("--count ", "3"),
    ("--epochs ", "1"),
    ("--batch ", "16"),
    ("seq 4000 ", "4000"),
    ("perft ", "3"),
];

/// The same, for what has no number: tables of three men stand for those of four, and games by the clock have a
/// limit of depth, too, and time enough. Two games decide no SPRT. GNU Chess often stalls, so Phalanx stands for
/// it.
const LESS: [(&str, &str); 9] = [
    ("egtb make --out tables", "egtb make --out tables --plan"),
    ("KQvKR", "KNvK"),
    ("gain tables KRvKN KPvK KBvK", "gain tables KNvK"),
    ("annotate GAME.pgn", "annotate GAME.pgn --nodes 1000"),
    ("gnuchess arg=--xboard", "phalanx"),
    ("sprt = { elo0 = 0, elo1 = 10 }", "sprt = false"),
    (" --tc ", " --depth 3 --tc "),
    ("tc=", "depth=3 tc="),
    ("\ntc = ", "\ndepth = 3\ntc = "),
];

struct Block {
    language: String,
    text: String,
}

impl Block {
    fn reason_not_to_run(&self) -> Option<usize> {
        NOT_RUN.iter().position(|(beginning, _)| self.text.starts_with(beginning))
    }

    /// The script that does what the block says. `None` for what is no command.
    fn script(&self) -> Option<String> {
        if self.reason_not_to_run().is_some() {
            return None;
        }
        match self.language.as_str() {
            "" => Some(in_small(&self.text)),
            "python" => Some(format!("{} - <<'END'\n{}END\n", python(), self.text)),
            "toml" => {
                let (first, _) = self.text.split_once('\n')?;
                let command = first.strip_prefix("# ").expect("a file of TOML names its command");
                let file = command.split(' ').find(|word| word.ends_with(".toml"))?;
                let file_text = in_small(&self.text);
                Some(format!("cat > {file} <<'END'\n{file_text}END\n{}\n", in_small(command)))
            }
            _ => None,
        }
    }
}

fn in_small(text: &str) -> String {
    let mut text = text.to_owned();
    for (from, to) in PLACEHOLDERS.iter().chain(&LESS) {
        text = text.replace(from, to);
    }
    for (before, number) in SMALLER {
        let mut parts = text.split(before);
        let mut smaller = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_in_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ':' | '+');
            let end = part.find(|c| !is_in_number(c)).unwrap_or(part.len());
            smaller += before;
            smaller += if end > 0 { number } else { "" };
            smaller += &part[end..];
        }
        text = smaller;
    }
    // Who learns from games needs more of them.
    let enough = |line: &str| match line.starts_with("trebuchet datagen") {
        true => line.replace("--games 2 ", "--games 120 "),
        false => line.to_owned(),
    };
    text.split_inclusive('\n').map(enough).collect()
}

fn blocks(page: &str) -> Vec<Block> {
    let text = fs::read_to_string(Path::new(ROOT).join(page)).unwrap();
    let mut parts = text.split("\n```");
    let mut blocks = Vec::new();
    parts.next();
    while let (Some(block), Some(_)) = (parts.next(), parts.next()) {
        let (language, text) = block.split_once('\n').unwrap();
        blocks.push(Block { language: language.to_owned(), text: format!("{text}\n") });
    }
    blocks
}

const GAME: &str = "[White \"Anna\"]\n[Black \"Boris\"]\n[Result \"0-1\"]\n\n\
    1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. a3 Nxh5 0-1\n\n";

/// xboard that does not end by itself has done its work when the engine has introduced itself. It is killed, because its
/// handler of a gentler signal may wait for itself for ever.
const XBOARD: &str = r#"#!/bin/sh
case "$*" in *-xexit*) exec /usr/games/xboard "$@" ;; esac
log=$(mktemp -p .)
/usr/games/xboard "$@" -debug -debugfile "$log" -saveSettingsOnExit false &
xboard=$!
while kill -0 $xboard && ! grep -q '<first *: .*done=1' "$log"; do sleep 0.1; done
kill -KILL $xboard
"#;

/// `cargo run` is the program that the tests have built.
const CARGO: &str = "#!/bin/sh\ncase \"$*\" in build*) exit ;; esac\n\
    while [ \"$1\" ]; do [ \"$1\" = -- ] && { shift; break; }; shift; done\nexec trebuchet \"$@\"\n";

const BOT: &str =
    "build:\n\nrun:\n\t@trebuchet --stage pawns\n\nrun-random:\n\t@trebuchet --stage random\n";

/// A folder as the reader of a page has it: the program, a clone's Makefile or that of a bot, games, books.
fn prepare(folder: &Path, is_bot: bool) {
    let at = |name: &str| folder.join(name);
    for name in [
        "bin",
        "target/release",
        "variants/king_of_the_hill",
        "variants/standard",
        "variants/three_check",
    ] {
        fs::create_dir_all(at(name)).unwrap();
    }
    for name in ["bin/trebuchet", "trebuchet", "new", "old"] {
        symlink(PROGRAM, at(name)).unwrap();
    }
    for name in ["target/release/trebuchet", "target/release/before"] {
        symlink(PROGRAM, at(name)).unwrap();
    }
    for (name, script) in [("bin/xboard", XBOARD), ("bin/cargo", CARGO)] {
        fs::write(at(name), script).unwrap();
        fs::set_permissions(at(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for name in ["GAME.pgn", "GAMES.pgn"] {
        fs::write(at(name), GAME).unwrap();
    }
    // A book has only what several games have.
    fs::write(at("games.pgn"), GAME.repeat(3)).unwrap();
    for game in ["king_of_the_hill", "three_check"] {
        let weights = format!("variants/{game}/eval.params");
        fs::copy(Path::new(ROOT).join(&weights), at(&weights)).unwrap();
    }
    for name in ["FILE", "A.bin", "B.bin", "BOOK.bin"] {
        fs::copy(Path::new(ROOT).join("variants/standard/book.bin"), at(name)).unwrap();
    }
    for team in ["team7", "submissions/one", "submissions/two"] {
        fs::create_dir_all(at(team)).unwrap();
        fs::write(at(team).join("Makefile"), BOT.replace("trebuchet", PROGRAM)).unwrap();
    }
    fs::copy(Path::new(ROOT).join("tests/program/check/pawns.debug"), at("pawns.debug")).unwrap();
    let makefile = fs::read_to_string(Path::new(ROOT).join("Makefile")).unwrap();
    fs::write(at("Makefile"), if is_bot { BOT } else { &makefile }).unwrap();
}

/// Runs the blocks of a page one after the other.
fn follow(page: &str, name: &str) {
    let folder = fresh_folder(name);
    prepare(&folder, page == "docs/grading.md");
    let display = Display::start();
    let run = |script: &str| {
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}:/usr/games", folder.join("bin").display());
        let mut shell = display.command("timeout");
        shell.args(["300", "bash", "-e", "-c", script]).current_dir(&folder);
        shell.env("PATH", path).env("HOME", &folder).env_remove("CARGO_TARGET_DIR");
        // With Cargo's own variable, make would take the real cargo and build the program anew.
        shell.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").env_remove("CARGO");
        let output = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), format!("{said}{complaint}"))
    };
    assert_eq!(run("trebuchet datagen --games 2 --nodes 50 own.games").0, Some(0));
    let scripts: Vec<String> = blocks(page).iter().filter_map(Block::script).collect();
    let mut failures = String::new();
    for script in scripts {
        let (status, said) = run(&script);
        if status != Some(0) {
            failures += &format!("{status:?}: {script}\n{said}\n");
        }
    }
    assert!(failures.is_empty(), "{page}, {}:\n{failures}", folder.display());
}

macro_rules! pages {
    ($($name:ident: $page:literal,)+) => {
        const PAGES: &[&str] = &[$($page),+];
        $(
            #[test]
            #[ignore = "needs xboard, Xvfb, python-chess and the engines of Debian"]
            fn $name() {
                follow($page, concat!("documents_", stringify!($name)));
            }
        )+
    };
}

pages! {
    readme: "README.md",
    contributing: "CONTRIBUTING.md",
    games_data: "variants/README.md",
    annotate: "docs/annotate.md",
    book: "docs/book.md",
    games: "docs/games.md",
    grading: "docs/grading.md",
    guis: "docs/guis.md",
    learning: "docs/learning.md",
    matches: "docs/matches.md",
    strength: "docs/strength.md",
    tablebases: "docs/tablebases.md",
    training: "docs/training.md",
}

/// A new block is run, has a language that holds no commands, or a reason; every reason has its block.
#[test]
fn every_block_is_run_or_has_its_reason() {
    let mut pages = vec!["README.md".to_owned(), "ARCHITECTURE.md".to_owned()];
    pages.extend(["CONTRIBUTING.md", "variants/README.md"].map(str::to_owned));
    for entry in fs::read_dir(Path::new(ROOT).join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") {
            pages.push(format!("docs/{name}"));
        }
    }
    let mut is_used = [false; NOT_RUN.len()];
    for page in &pages {
        for block in blocks(page) {
            if let Some(number) = block.reason_not_to_run() {
                is_used[number] = true;
            } else if block.script().is_some() {
                assert!(PAGES.contains(&page.as_str()), "{page} has commands: {}", block.text);
            } else {
                let language = block.language.as_str();
                assert!(matches!(language, "text" | "json"), "{page}: {}", block.text);
            }
        }
    }
    assert_eq!(is_used, [true; NOT_RUN.len()], "a reason without a block");
}
