//! The README, the docs and the manual page say what the program does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use trebuchet::cecp::options;
use trebuchet::play::{Puzzle, SkillLevel};
use trebuchet::variants::VariantId;

const README: &str = include_str!("../../README.md");

#[test]
fn the_table_of_options_is_that_of_the_engine() {
    let table = options::markdown();
    let page = include_str!("../../docs/options.md");
    assert!(page.contains(&table), "docs/options.md should have this table:\n\n{table}");
}

#[test]
fn the_lines_of_the_readme_fit_an_editor() {
    assert!(README.lines().count() <= 200, "details belong into docs/");
    for line in README.lines() {
        // A table row and a link cannot be wrapped.
        if !line.starts_with('|') && !line.contains("](") {
            assert!(line.chars().count() <= 104, "{} characters: {line}", line.chars().count());
        }
    }
}

/// The README, and the pages beside it and in `docs`.
fn pages() -> Vec<(PathBuf, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut pages = pages_in(&[top.to_owned(), top.join("docs")]);
    for path in [top.join("variants/README.md"), top.join("xboard-logs/README.md")] {
        let text = fs::read_to_string(&path).unwrap();
        pages.push((path, text));
    }
    pages
}

/// The anchors of the headings of a page, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let headings = headings.filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
    let anchor = |heading: &str| {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let text: String = heading.trim().to_lowercase().chars().filter(kept).collect();
        text.replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let pages = pages();
    assert!(pages.len() >= 15);
    assert_eq!(broken_links(&pages), [""; 0]);
}

#[cfg(unix)]
#[test]
#[ignore = "needs Python"]
fn links_in_packages_lead_to_files_and_headings() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let package = tempfile::tempdir().unwrap();
    let copied = Command::new(top.join("packaging/docs.py")).arg(package.path()).status().unwrap();
    assert!(copied.success());
    let pages = pages_in(&[package.path().to_owned(), package.path().join("docs")]);
    assert!(pages.len() >= 15);
    assert_eq!(broken_links(&pages), [""; 0]);
}

/// The pages of Markdown in these folders.
fn pages_in(folders: &[PathBuf]) -> Vec<(PathBuf, String)> {
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|end| end == "md"));
    pages.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The links that lead to no file or heading.
fn broken_links(pages: &[(PathBuf, String)]) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, text) in pages {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { path.clone() } else { path.with_file_name("").join(file) };
            let is_there = match fs::read_to_string(&target) {
                Ok(text) if !anchor.is_empty() => {
                    anchors(&text).iter().any(|found| found == anchor)
                }
                _ => target.exists(),
            };
            if !is_there {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    broken
}

/// What the program prints with this argument.
fn printed(argument: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_trebuchet")).arg(argument).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_manual_page_has_every_command_and_option() {
    let page = include_str!("../../packaging/trebuchet.6");
    assert!(page == printed("man"), "the manual page is not that of the program: run \"make man\"");
    let help = printed("--help");
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let (commands, options) = commands.split_once("Options:\n").unwrap();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(names.len() >= 9, "{names:?}");
    for name in names {
        assert_eq!(page.lines().filter(|line| *line == format!(".SS {name}")).count(), 1, "{name}");
    }
    let options: Vec<&str> = options
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("--"))
        .map(|word| word.trim_end_matches(|c: char| !c.is_ascii_alphabetic()))
        .collect();
    assert!(options.len() >= 9, "{options:?}");
    for option in options {
        assert!(page.contains(&format!("\\-\\-{}", option.replace('-', "\\-"))), "{option}");
    }
}

/// Options of Cargo and of the programs that it runs.
const CARGO_OPTIONS: [&str; 7] =
    ["bench", "ignored", "no-default-features", "profile", "release", "target", "test"];

#[test]
fn every_option_in_the_docs_is_one_of_the_program() {
    let manual = include_str!("../../packaging/trebuchet.6").replace("\\-", "-");
    let is_in_name = |c: char| c.is_ascii_lowercase() || c == '-';
    for (path, text) in pages() {
        for part in text.split([' ', '`', '\n', '"', '[', '\'']) {
            let Some(rest) = part.strip_prefix("--") else { continue };
            let name = rest.split(|c| !is_in_name(c)).next().unwrap_or_default();
            // Tables have lines of hyphens.
            let name = name.trim_matches('-');
            let is_known = manual.split("--").any(|part| {
                part.strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_in_name))
            });
            let is_ours = is_known || name.is_empty() || CARGO_OPTIONS.contains(&name);
            assert!(is_ours, "{}: there is no option --{name}", path.display());
        }
    }
}

/// The words of a file of ours, with one blank between them, in small letters.
fn words(path: &str) -> String {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = fs::read_to_string(top.join(path)).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[test]
fn every_text_that_lists_the_games_has_them_all() {
    let described =
        ["packaging/deb.sh", "packaging/make_wheel.py", "packaging/trebuchet.desktop"].map(words);
    let (protocol, guis) = (words("docs/protocol.md"), words("docs/guis.md"));
    let page = include_str!("../../packaging/trebuchet.6");
    for id in VariantId::ALL {
        let (name, title) = (id.name(), id.title().to_lowercase());
        assert!(README.contains(&format!("| `{name}` |")), "{name}");
        assert!(page.contains(&format!("\n.B {name}\n")), "{name}");
        assert!(protocol.contains(&format!("`{name}`")), "{name}");
        assert!(guis.contains(&format!("`{}`", id.uci_name())), "{name}");
        assert!(described.iter().all(|text| text.contains(&title)), "{title}");
    }
}

#[test]
fn the_table_of_levels_is_that_of_the_engine() {
    for level in SkillLevel::ALL {
        let row = format!("| {level} | {} | ", level.strength().unwrap_or(0));
        assert!(README.contains(&row), "{row}");
    }
}

/// What nothing else asks for when a game is added.
#[test]
fn the_lists_of_games_unlike_chess_are_where_the_page_says() {
    let page = words("variants/README.md");
    for (file, definition) in [
        ("web/page/src/board.ts", "const goals"),
        ("web/page/src/voice.ts", "const games_of_mate"),
        ("web/report/src/stored.ts", "const checkless"),
        ("workbench/src/arena/exam/variation.rs", "fn has_equal_sides"),
        ("workbench/src/arena/exam/xboard.rs", "fn knows"),
    ] {
        let [name, file_name] =
            [(definition, ' '), (file, '/')].map(|(text, sign)| text.rsplit(sign).next().unwrap());
        assert!(page.contains(&format!("`{name}` in `")) && page.contains(file_name), "{name}");
        assert!(words(file).contains(definition), "{file}: {definition}");
    }
}

/// What the README says of a match is what the page says.
#[test]
fn the_matches_of_the_readme_are_those_of_the_page() {
    let page = include_str!("../../docs/strength.md");
    let (_, table) = README.split_once("## Strength").unwrap();
    let (table, _) = table.split_once("## The games").unwrap();
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> =
        table.lines().filter(|line| line.contains(" % |")).map(cells).collect();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let [_, game, opponent, _, _, score, elo, _] = &row[..] else { panic!("{row:?}") };
        let is_same = |line: &str| {
            let cells = cells(line);
            [game, opponent, score, elo].iter().all(|cell| cells.contains(cell))
        };
        assert!(page.lines().any(is_same), "docs/strength.md lacks {row:?}");
    }
}

#[test]
fn the_puzzles_are_counted() {
    let page = words("docs/learning.md");
    for &id in VariantId::ALL {
        let count = Puzzle::built_in(id).len();
        let told = format!(" {count} for {}", id.title().to_lowercase());
        let is_told = |mark: &str| page.contains(&format!("{told}{mark}"));
        assert!([",", ".", " and "].into_iter().any(is_told), "{told}");
    }
}

/// The names of files and of the program change with its version.
#[test]
fn the_docs_name_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    let mut named = 0;
    for (path, text) in pages() {
        for name in ["trebuchet-", "trebuchet_", "Trebuchet "] {
            let rests = text.split(name).skip(1);
            for rest in rests.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
                let is_this = rest.starts_with(version);
                let line = rest.lines().next().unwrap_or_default();
                assert!(is_this, "{}: {name}{line}", path.display());
                named += 1;
            }
        }
    }
    assert!(named >= 5);
}

/// Lichess plays all our games but two, which it never had.
#[test]
fn the_sample_for_lichess_accepts_its_games() {
    let sample = include_str!("../../docs/lichess-bot.yml");
    let (_, rest) = sample.split_once("  variants:\n").unwrap();
    let keys = rest.lines().map_while(|line| line.strip_prefix("    - "));
    let accepted: Vec<VariantId> = keys.filter_map(VariantId::from_tag).collect();
    for id in VariantId::ALL {
        let is_foreign = matches!(id, VariantId::Suicide | VariantId::Giveaway);
        assert_eq!(accepted.contains(id), !is_foreign, "{id:?}");
    }
}

/// Options of xboard whose values it keeps in the user's settings file. (xboard 4.9.1, `-saveSettingsOnExit`.)
const KEPT: [&str; 11] = [
    "-tc ",
    "-inc ",
    "-mps ",
    "-saveGameFile ",
    "-testClaims ",
    "-materialDraws ",
    "-checkMates ",
    "-testLegality ",
    "-autoCallFlag ",
    "-clockMode ",
    "-hideThinkingFromHuman ",
];

/// A line of ours must not change the user's next game.
#[test]
fn lines_for_xboard_leave_its_settings_alone() {
    let joined: Vec<String> = pages().iter().map(|(_, text)| text.replace("\\\n", " ")).collect();
    let joined = joined.join("\n");
    let lines = joined.lines().filter(|line| line.contains("xboard -"));
    let changing: Vec<_> =
        lines.filter(|line| KEPT.iter().any(|kept| line.contains(kept))).collect();
    assert!(changing.len() >= 3, "{changing:?}");
    for line in changing {
        assert!(line.contains("-saveSettingsOnExit false"), "{line}");
    }
}
