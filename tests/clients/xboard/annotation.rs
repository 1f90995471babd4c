//! xboard loads annotated games and saves them again: all but the glyphs, which it does not keep.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use trebuchet::notation::pgn::{self, PgnGame, PgnMove};

use crate::display::{Display, Running, fresh_folder};

/// How long xboard may take for each step.
const PATIENCE: Duration = Duration::from_secs(20);

const CHESS: &str = "[Event \"a\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
    {Two friends} 1. e4 {[%clk 0:05:00]} e5 (1... c5 2. Nf3 (2. c3 d5 {solid} (2... Nf6) 3. exd5) 2... d6) \
    2. Qh5 $5 {bold} Ke7 $2 (2... Nc6 $1 {guards} 3. Bc4 g6) (2... g6) 3. Qxe5# 1-0\n";
const THREE_CHECK: &str = "[Event \"b\"]\n[Variant \"3check\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Bxf7+ Kxf7 4. Qh5+ Kf6 (4... g6 5. Qxg6+) 5. Qg6+ 1-0\n";

fn only_game(path: &Path) -> PgnGame {
    let text = fs::read_to_string(path).unwrap();
    pgn::read(&text).next().unwrap_or_else(|| panic!("no game in {text}"))
}

/// The game that xboard saves after it has loaded the file.
fn saved_by_xboard(folder: &Path, file: &Path) -> PgnGame {
    let display = Display::start();
    let mut xboard = display.command("xboard");
    xboard.current_dir(folder).args(["-ncp", "-loadGameFile"]).arg(file);
    xboard.args(["-loadGameIndex", "1", "-timeDelay", "0.01", "-saveSettingsOnExit", "false"]);
    xboard.args(["-debug", "-nameOfDebugFile", "log.debug", "-size", "49", "-x", "0", "-y", "0"]);
    let _xboard = Running::start(&mut xboard);
    let xdotool = |arguments: &[&str]| {
        let status = Running::start(display.command("xdotool").args(arguments)).wait(PATIENCE);
        assert!(status.is_some_and(|status| status.success()), "xdotool {arguments:?}");
    };
    let wait_for = |file: &Path, is_there: fn(&str) -> bool| {
        let begin = Instant::now();
        let read = || String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
        while !is_there(&read()) {
            assert!(begin.elapsed() < PATIENCE, "{}: {}", file.display(), read());
            sleep(Duration::from_millis(50));
        }
    };
    xdotool(&["search", "--sync", "--onlyvisible", "--class", "xboard"]);
    wait_for(&folder.join("log.debug"), |log| log.contains("Parsed game end"));
    sleep(Duration::from_millis(1500));
    // Keys go to the window under the mouse: first the board, then the dialogue.
    xdotool(&["mousemove", "410", "470", "key", "ctrl+s"]);
    sleep(Duration::from_secs(2));
    let saved = folder.join("saved.pgn");
    xdotool(&["mousemove", "500", "400", "key", "ctrl+a"]);
    xdotool(&["type", saved.to_str().expect("the checkout has a plain path")]);
    xdotool(&["key", "Return"]);
    wait_for(&saved, |text| text.trim_end().ends_with("1-0"));
    only_game(&saved)
}

/// The moves without glyphs and without the marks of checks: xboard marks a third check as a check.
fn plain(line: &[PgnMove]) -> Vec<PgnMove> {
    let plain = |mv: &PgnMove| {
        let san = mv.san.trim_end_matches(['+', '#']).to_owned();
        PgnMove { san, nags: Vec::new(), ..mv.clone() }
    };
    line.iter().map(plain).collect()
}

fn loads_and_saves(name: &str, game: &str) {
    let folder = fresh_folder(name);
    fs::write(folder.join("game.pgn"), game).unwrap();
    let mut annotate = Command::new(env!("CARGO_BIN_EXE_trebuchet"));
    annotate.current_dir(&folder).args(["annotate", "game.pgn", "--nodes", "3000"]);
    assert!(annotate.status().unwrap().success());
    let annotated = folder.join("game.annotated.pgn");
    let ours = only_game(&annotated);
    assert!(ours.moves.iter().flat_map(|mv| &mv.variations).count() > 1, "{ours}");
    let saved = saved_by_xboard(&folder, &annotated);
    assert_eq!(saved.comment, ours.comment);
    assert_eq!(plain(&saved.moves), plain(&ours.moves), "{saved}");
    assert_eq!((saved.tag("Variant"), saved.result), (ours.tag("Variant"), ours.result));
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn an_annotated_game_of_chess() {
    loads_and_saves("annotated_chess", CHESS);
}

#[test]
#[ignore = "needs xboard, Xvfb and xdotool"]
fn an_annotated_game_of_three_check() {
    loads_and_saves("annotated_three_check", THREE_CHECK);
}
