//! The HTML report, as text and in a real browser; and `trebuchet diagram`.
//!
//! The browser is Debian's Chromium. `browser.py` drives it over the DevTools protocol and needs
//! nothing but Python. These tests are ignored by default; `.ci/run` installs what they need and runs
//! them, too: `cargo test --profile quick --test report -- --ignored`. The pages and the pictures of
//! the screen stay in target/tmp/report.

mod diagram;
mod sample;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use trebuchet::report::html;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes the sample games into a page, and lets `browser.py` try it in a scenario.
fn browse(scenario: &str) {
    let page = folder().join(format!("{scenario}.html"));
    fs::write(&page, html::page(&sample::games())).unwrap();
    let python = std::env::var("TREBUCHET_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report/browser.py");
    let output = Command::new("timeout")
        .args(["300", &python])
        .arg(script)
        .arg(scenario)
        .arg(&page)
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

#[test]
fn texts_of_a_game_are_escaped() {
    let page = html::page(&sample::games());
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
    let page = html::page(&sample::games()[..2]);
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
        assert!(page[at..].starts_with("url('data:image/svg+xml,"), "{}", &page[at..at + 40]);
    }
}

#[test]
fn the_figures_are_part_of_the_html() {
    let games = sample::games();
    let page = html::page(&games[..1]);
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
    assert!(html::page(&[]).contains("There is no game to report on."));
    let mut games = sample::games();
    games.truncate(1);
    games[0].plies.clear();
    games[0].accuracy = [None, None];
    let page = html::page(&games);
    assert!(page.contains("Accuracy</th><td>–</td><td>–</td>"));
    assert!(page.contains("No move gave much away."));
    assert!(page.contains("data-plies=\"0\""));
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
