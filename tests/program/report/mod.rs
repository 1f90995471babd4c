//! The HTML report, as text and in a real browser; and `trebuchet diagram`.
//!
//! The browser is Debian's Chromium. `browser.py` drives it over the DevTools protocol and needs
//! nothing but Python. These tests are ignored by default; `.ci/deep` installs what they need and runs
//! them, too: `cargo test --test program -- --ignored report::`. The pages and the pictures of the
//! screen stay in target/tmp/report.

mod diagram;
mod sample;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use workbench::report::html;

use crate::exercises;
use crate::process::ROOT;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes the sample games into a page, and lets `browser.py` try it in a scenario.
fn browse(scenario: &str) {
    let page = folder().join(format!("{scenario}.html"));
    fs::write(&page, html::page(&sample::games(), &[])).unwrap();
    run_browser(scenario, &page);
}

fn run_browser(scenario: &str, page: &Path) {
    let python = std::env::var("TREBUCHET_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = Path::new(ROOT).join("tests/program/report/browser.py");
    let output = Command::new("timeout")
        .args(["300", &python])
        .arg(script)
        .arg(scenario)
        .arg(page)
        .output()
        .expect("timeout is installed");
    assert!(
        output.status.success(),
        "{scenario}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}

/// Lets the program make a page of games with mistakes, and lets `browser.py` try it in a scenario.
fn browse_exercises(scenario: &str, arguments: &[&str]) {
    let folder = folder().join(scenario);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("games.pgn"), exercises::GAMES).unwrap();
    let page = format!("{scenario}.html");
    let (status, said) =
        exercises::run(&folder, &[arguments, &["games.pgn", "--force", "--html", &page]].concat());
    assert_eq!(status, 0, "{said}");
    run_browser(scenario, &folder.join(page));
}

#[test]
#[ignore = "needs chromium"]
fn finds_better_moves_in_a_report() {
    browse_exercises("finds_better_moves_in_a_report", &["annotate"]);
}

#[test]
#[ignore = "needs chromium"]
fn exercises_come_again() {
    browse_exercises("exercises_come_again", &["exercises", "--player", "Boris"]);
}

#[test]
fn texts_of_a_game_are_escaped() {
    let page = html::page(&sample::games(), &[]);
    assert!(sample::HOSTILE.starts_with("</script><script>document.title='broken'"));
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
    assert_eq!((page.matches("<img").count(), page.matches("<!--").count()), (0, 0));
    let escaped = "&lt;/script&gt;&lt;script&gt;document.title='broken'";
    let in_json = "\\u003c/script\\u003e\\u003cscript\\u003edocument.title='broken'";
    // The title, both players in the head, the event, the list of games, two notices, the comments.
    assert!(page.matches(escaped).count() >= 8, "{}", page.matches(escaped).count());
    assert!(page.matches(in_json).count() >= 5, "{}", page.matches(in_json).count());
}

#[test]
fn the_page_names_nothing_outside_of_it() {
    // The third game has the texts of a stranger.
    let page = html::page(&sample::games()[..2], &[]);
    for (at, _) in page.match_indices("http") {
        let address = &page[at..];
        assert!(
            ["http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink", "http-equiv"]
                .iter()
                .any(|known| address.starts_with(known)),
            "{}",
            address.chars().take(80).collect::<String>()
        );
    }
    assert!(!page.contains("@import") && !page.contains(" src="));
    for (at, _) in page.match_indices("url(") {
        let is_inside = |start: &&str| page[at + 4..].starts_with(*start);
        assert!(["'data:image/svg+xml,", "#"].iter().any(is_inside), "{at}");
    }
}

#[test]
fn the_figures_are_part_of_the_html() {
    let games = sample::games();
    let page = html::page(&games[..1], &[]);
    let head =
        "<title>Garry Kimovich Kasparov – Veselin Aleksandrov Topalov, 1–0 – Trebuchet</title>";
    assert!(page.contains(head));
    assert!(page[..4096].contains("<meta name=\"generator\" content=\"Trebuchet "));
    assert_eq!(page.matches("<a class=\"move ").count(), 87);
    assert!(page.contains(">Rxd4</span><span class=\"glyph\" title=\"Brilliant\">!!</span>"));
    let row =
        "</span>Blunder</th><td data-verdict=\"blunder\">0</td><td data-verdict=\"blunder\">2</td>";
    assert!(page.contains(row));
    let accuracy =
        games[0].accuracy.map(|accuracy| format!("<td>{:.1}\u{a0}%</td>", accuracy.unwrap()));
    assert!(page.contains(&format!("Accuracy</th>{}{}", accuracy[0], accuracy[1])));
    // Six losses of at least five percent, and nine checks.
    assert_eq!(page.matches("<a class=\"moment ").count(), 6);
    assert_eq!(page.matches(": check</title>").count(), 9);
}

#[test]
fn a_page_without_games_or_moves_is_a_page() {
    assert!(html::page(&[], &[]).contains("There is no game to report on."));
    let mut games = sample::games();
    games.truncate(1);
    games[0].plies.clear();
    games[0].accuracy = [None, None];
    let page = html::page(&games, &[]);
    assert!(page.contains("Accuracy</th><td>–</td><td>–</td>"));
    assert!(page.contains("No move gave much away."));
    assert!(page.contains("data-plies=\"0\""));
}

#[test]
fn the_lines_of_a_bad_move_are_longer() {
    let page = html::page(&sample::games()[..1], &[]);
    let lengths = |ply: usize| -> Vec<usize> {
        let (_, plies) = page.split_once("\"plies\":").unwrap();
        let lines = plies.split("\"lines\":[").nth(ply + 1).unwrap();
        let (lines, _) = lines.split_once(']').unwrap();
        let moves = |line: &str| line.split('"').next().unwrap().split(',').count();
        lines.split("\"moves\":\"").skip(1).map(moves).collect()
    };
    // The sample has lines of eight moves. The sixth ply is a blunder, the fifth is not.
    assert_eq!(lengths(5), [8, 6]);
    assert_eq!(lengths(4), [6, 4]);
}

/// The scores behind the moves of the list in a page.
fn scores_of_page(page: &str) -> Vec<String> {
    let entries = page.split("<a class=\"move ").skip(1);
    let score = |entry: &str| {
        let (_, score) = entry.split_once("<span class=\"score\">").unwrap();
        score.split_once('<').unwrap().0.to_owned()
    };
    entries.map(score).collect()
}

/// The evaluations of the main line in annotated PGN, as the page writes them.
fn scores_of_pgn(text: &str) -> Vec<String> {
    let (mut depth, mut comment, mut comments) = (0, None::<String>, Vec::new());
    for c in text.chars() {
        match (c, &mut comment) {
            ('}', Some(_)) => comments.extend(comment.take().filter(|_| depth == 0)),
            (c, Some(text)) => text.push(c),
            ('{', None) => comment = Some(String::new()),
            ('(', None) => depth += 1,
            (')', None) => depth -= 1,
            _ => {}
        }
    }
    let eval = |comment: &String| {
        let (_, eval) = comment.split_once("[%eval ")?;
        let eval = eval.split([',', ']']).next()?;
        let (sign, rest) =
            if eval.contains('-') { ("−", eval.replace('-', "")) } else { ("+", eval.into()) };
        Some(if eval == "0.00" { rest } else { format!("{sign}{rest}") })
    };
    comments.iter().filter_map(eval).collect()
}

#[test]
fn the_command_writes_the_same_scores_into_the_page_and_the_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let game = "[White \"A & B\"]\n[Black \"C\"]\n[Variant \"Three-check\"]\n[TimeControl \"60+1\"]\n\n\
        1. e4 {[%clk 0:00:59]} e5 {[%clk 0:00:50]} 2. Nf3 {[%clk 0:00:40]} Nc6 {[%clk 0:00:41] so far} \
        3. Bb5 a6 $6 (3... Nf6 4. d3) 4. Bxc6 dxc6 5. h3 Bb4 *\n";
    fs::write(folder.path().join("game.pgn"), game).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
        .args(["annotate", "game.pgn", "--depth=4"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(folder.path().join("game.html")).unwrap();
    let pgn = fs::read_to_string(folder.path().join("game.annotated.pgn")).unwrap();
    let scores = scores_of_page(&page);
    assert_eq!((scores.len(), &scores), (10, &scores_of_pgn(&pgn)), "{pgn}");
    assert!(page.contains("<span class=\"name\">A &amp; B</span>"));
    assert!(page.contains("<p class=\"comment\">so far</p>"));
    assert!(page.contains("<p class=\"side-line\">(3... Nf6 4. d3)</p>"));
    assert!(
        page.contains("White (above): 22.0\u{a0}s used")
            || page.contains("White (above): 0:22 used")
    );
}

macro_rules! scenarios {
    ($($scenario:ident),+ $(,)?) => {
        $(
            #[test]
            #[ignore = "needs chromium"]
            fn $scenario() {
                browse(stringify!($scenario));
            }
        )+
    };
}

scenarios! {
    steps_by_keys_mouse_and_touch,
    shows_the_figures_of_the_analysis,
    runs_no_code_of_a_game,
    fits_a_phone_and_a_screen,
    is_complete_without_its_script,
}
