//! Other programs read the annotated games as this program does: python-chess and Scid. xboard does so
//! in `tests/clients/xboard`.
//!
//! The tests are ignored by default; `.ci/deep` installs what they need and runs these too.
//! `TREBUCHET_PYTHON` names a Python that has python-chess.

use std::path::Path;
use std::process::Command;

use trebuchet::notation::pgn::PgnMove;

use super::{Folder, annotated_games, games};
use crate::process::ROOT;

/// A script of this folder.
fn script(name: &str) -> String {
    let folder = Path::new(ROOT).join("tests/program/annotate");
    folder.join(name).to_str().expect("the checkout has a plain path").to_owned()
}

/// What a program that reads PGN prints; it must end in time and without an error.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.is_empty(), "{command:?}: {}\n{told}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// A line of moves in the notation of `python_chess_pgn.py`: for each move the move, its glyphs, its
/// comment, and its side lines in parentheses. A check is not marked: the programs differ about a third
/// check.
fn moves(line: &[PgnMove]) -> String {
    let mut text = String::new();
    for mv in line {
        let mut nags = mv.nags.clone();
        nags.sort_unstable();
        text += mv.san.trim_end_matches(['+', '#']);
        nags.iter().for_each(|nag| text += &format!(" ${nag}"));
        text += &format!(" <{}>", mv.comment.as_deref().unwrap_or_default());
        for side in &mv.variations {
            let comment = side.comment.as_deref().unwrap_or_default();
            text += &format!(" (<{comment}> {})", moves(&side.moves));
        }
        text += "; ";
    }
    text
}

#[test]
#[ignore = "needs python-chess"]
fn python_chess_reads_the_same() {
    let folder = Folder::new();
    let text = annotated_games(&folder);
    let python = std::env::var("TREBUCHET_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut command = Command::new("timeout");
    command.args(["120", &python, &script("python_chess_pgn.py")]);
    let read = output(command.arg(folder.path("games.annotated.pgn")));
    let expected: Vec<String> = games(&text)
        .iter()
        .map(|game| {
            let comment = game.comment.as_deref().unwrap_or_default();
            format!("<{comment}> {}{}", moves(&game.moves), game.result)
        })
        .collect();
    assert_eq!(read.lines().collect::<Vec<_>>(), expected);
}

#[test]
#[ignore = "needs Scid"]
fn scid_reads_the_same() {
    let folder = Folder::new();
    let text = annotated_games(&folder);
    let mut command = Command::new("timeout");
    command.args(["60", "tkscid", &script("scid_import.tcl")]).env_remove("DISPLAY");
    command.env("PATH", format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default()));
    command.stdin(std::process::Stdio::null());
    let read = output(command.arg(folder.path("base")).arg(folder.path("games.annotated.pgn")));
    let (ours, theirs) = (games(&text), games(&read));
    // Scid knows the rules of chess alone: no position of Chess960, and it says so.
    assert_eq!(theirs.len(), 3, "{read}");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(theirs.comment, ours.comment);
        assert_eq!(moves(&theirs.moves), moves(&ours.moves));
        assert_eq!((theirs.tag("Annotator"), theirs.result), (ours.tag("Annotator"), ours.result));
    }
}
