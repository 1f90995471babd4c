//! Files of all kinds, and what the tool says about them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Checked, check};
use crate::process::ROOT;

/// A game of two moves, in which the bot moves a knight.
const LOG: &str = "82 >first : xboard\nprotover 2\n90 <first : feature ping=1 myname=\"Bot \\\"1\\\"\" done=1\n91 >first : new\nrandom\n\
    92 >first : level 0 0:10 0\n93 >first : ping 1\n94 <first : pong 1\n100 >first : time 1000\n101 >first : otim 1000\n\
    102 >first : usermove 102 >first : e2e4\n110 <first : move g8f6\n120 >first : time 999\n\
    121 >first : usermove 121 >first : a2a3\n130 <first : move d7d5\n\
    140 >first : result 0-1 {White resigns}\n141 >first : force\n142 >first : quit\n";

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_tables_are_for_people() {
    let folder = tempfile::tempdir().unwrap();
    let log = write(folder.path(), "game.debug", LOG);
    let checked = Checked::of(&["--stage", "pawns"], std::slice::from_ref(&log));
    let file = log.to_str().unwrap();
    let expected = format!(
        "{file}
  game  bot    variant  side   moves  result   ending         broken
     1  Bot \\  normal   Black      2  0-1      White resigns  pawns-only

{file}:12: game 1, Bot \\: pawns-only: 1... g8f6: the bot moves a knight, but a7a6 is legal

Bot \\: 1 game, 1 won, 0 drawn, 0 lost
  criterion                  kept  broken  not tested  not judged
  legal-moves                   1       0           0           0
  pawns-only                    0       1           0           0
  clock                         1       0           0           0
"
    );
    assert!(checked.text.starts_with(&expected), "{}", checked.text);
    assert_eq!((checked.code, checked.errors.as_str()), (Some(1), ""));
    let quiet = Checked::of(&["--stage", "pawns", "--quiet"], std::slice::from_ref(&log));
    assert!(quiet.text.starts_with("Bot \\: 1 game, "), "{}", quiet.text);
    // Windows line ends and a byte order mark change nothing.
    let windows = format!("\u{feff}{}", LOG.replace('\n', "\r\n"));
    let windows = write(folder.path(), "game.debug", windows);
    assert_eq!(Checked::of(&["--stage", "pawns"], &[windows]).text, checked.text);
}

/// A pattern and a name may lead to the same log.
#[test]
fn games_of_a_log_that_is_named_twice_do_not_count_twice() {
    let folder = tempfile::tempdir().unwrap();
    let log = write(folder.path(), "game.debug", LOG);
    let checked = Checked::of(&[], &[log, folder.path().join("./game.debug")]);
    assert_eq!((checked.code, checked.text.as_str()), (Some(2), ""));
    let error = "game.debug is named twice: its games would count twice";
    assert!(checked.errors.contains(error), "{}", checked.errors);
}

/// A log of xboard 4.9.1 with two games against Fairy-Max. It is recorded, since GNU Chess 6.2.7 sometimes
/// misses the first lines of xboard, and then it makes no move or an illegal one.
#[test]
fn gnu_chess_is_clean() {
    let log = Path::new(ROOT).join("tests/program/check/gnuchess.debug");
    let checked = Checked::of(&["--engine", "both"], &[log]);
    assert_eq!((checked.code, checked.errors.as_str()), (Some(0), ""), "{checked:#?}");
    for bot in ["GNU Chess: 2 games, 2 won", "Fairy-Max 5.0b: 2 games, 0 won"] {
        assert!(checked.text.contains(bot), "{}", checked.text);
    }
}

#[test]
fn the_json_is_for_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let log = write(folder.path(), "game.debug", LOG);
    let checked = Checked::of(&["--stage", "pawns", "--json", "-"], std::slice::from_ref(&log));
    let text = &checked.text;
    assert_eq!(text.lines().count(), 1);
    for part in [
        "{\"stage\": \"pawns\", \"games\": [{\"file\": \"",
        "\"line\": 11, \"game\": 1, \"bot\": \"Bot \\\\\", \"engine\": \"first\", \"side\": \"Black\", \"opponent\": null, \
         \"variant\": \"normal\", \"moves\": 2, \"result\": \"0-1\", \"ending\": \"resignation\", \"reason\": \"White resigns\"",
        "{\"item\": \"legal-moves\", \"verdict\": \"kept\"}",
        "{\"item\": \"pawns-only\", \"verdict\": \"broken\", \"count\": 1, \"violations\": [{\"line\": 12, \"ply\": 1, \
         \"move\": \"1... g8f6\", \"text\": \"the bot moves a knight, but a7a6 is legal\"}]}",
        "\"bots\": [{\"name\": \"Bot \\\\\", \"games\": 1, \"won\": 1, \"drawn\": 0, \"lost\": 0, \"items\": [",
        "\"passed\": false}]}",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let file = folder.path().join("result.json");
    let arguments = ["--stage", "pawns", "--json", file.to_str().unwrap()];
    let tables = Checked::of(&arguments, &[log]);
    assert!(tables.text.contains("pawns-only"));
    assert_eq!(fs::read_to_string(file).unwrap(), *text);
}

#[test]
fn a_rubric_gives_points() {
    let folder = tempfile::tempdir().unwrap();
    let log = write(folder.path(), "game.debug", LOG);
    let rubric = |text: &str| {
        let rubric = write(folder.path(), "rubric.toml", text);
        let options = ["--stage", "pawns", "--rubric", rubric.to_str().unwrap()];
        Checked::of(&options, std::slice::from_ref(&log))
    };
    let text = "pass = 60\n[points]\nlegal-moves = 40\npawns-only = 20\npromotes-to-queen = 20\n";
    let passed = rubric(text);
    assert_eq!(passed.code, Some(0), "{}", passed.text);
    for line in [
        "  legal-moves                   1       0           0           0  40 of 40\n",
        "  pawns-only                    0       1           0           0  0 of 20\n",
        "  not tested: captures-first, promotes-to-queen, resigns-without-pawn-move, result-claims, ",
        "  points: 40 of 60, 66.7 %; 60 % are needed: passed\n",
    ] {
        assert!(passed.text.contains(line), "{line}{}", passed.text);
    }
    assert_eq!(rubric(&text.replace("60", "67")).code, Some(1));
    let wrong = rubric("[points]\nlegal = 1\n");
    assert_eq!(wrong.code, Some(2));
    let message = "rubric.toml:2: no such criterion: legal; known: legal-moves, pawns-only, ";
    assert!(wrong.errors.contains(message), "{}", wrong.errors);
}

#[test]
fn files_that_cannot_be_judged_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none.debug");
    let empty = write(folder.path(), "empty.debug", "");
    let started = LOG.split_once("100 >first").unwrap().0;
    let started = write(folder.path(), "started.debug", started);
    let log = write(folder.path(), "game.debug", LOG);
    for (file, message) in [
        (&none, "none.debug: No such file"),
        (&empty, "empty.debug: no game in it"),
        (&started, "started.debug: Bot \\ was started, but never asked for a move"),
    ] {
        let checked = Checked::of(&[], std::slice::from_ref(file));
        assert_eq!(checked.code, Some(2));
        assert!(checked.errors.contains(message), "{}", checked.errors);
        // The other files are judged.
        let checked = Checked::of(&["--quiet"], &[file.clone(), log.clone()]);
        assert_eq!(checked.code, Some(2));
        assert!(checked.text.contains(": 1 game, 1 won"), "{}", checked.text);
    }
    // Of a game that is not read to its end, the rest cannot count as kept.
    let cut =
        write(folder.path(), "cut.pgn", "[White \"a\"]\n\n1. e4 e5 2. Nf3 {good 2... Ke7 0-1\n");
    let checked = Checked::of(&[], &[cut]);
    let message = "cut.pgn, game 1: a comment is never closed, so moves after it are not read\n";
    assert!(checked.errors.ends_with(message), "{}", checked.errors);
    assert_eq!(checked.code, Some(2));
    let uci = "1 >first : uci\n2 <first : id name U\n3 <first : uciok\n4 >first : go nodes 5\n";
    let checked = Checked::of(&[], &[write(folder.path(), "uci.debug", uci)]);
    let message = "uci.debug: first: it speaks UCI, and the dialogue is not judged; check the PGN file of its games\n";
    assert!(checked.errors.ends_with(message), "{}", checked.errors);
    assert_eq!(checked.code, Some(2));
    let other = Checked::of(&["--name", "fairy"], std::slice::from_ref(&log));
    let message = "game.debug: no game of the bot in it; its bots: Bot \\\n";
    assert!(other.errors.ends_with(message), "{}", other.errors);
    assert_eq!(other.code, Some(2));
    assert_eq!(check(&["--board-order=e4", log.to_str().unwrap()]).status.code(), Some(2));
    assert_eq!(check(&[]).status.code(), Some(2));
    let elsewhere = Checked::of(&["--board-order", "--stage", "random"], &[log]);
    let message = "trebuchet: --board-order belongs to the stage pawns: add --stage pawns\n";
    assert_eq!((elsewhere.errors.as_str(), elsewhere.code), (message, Some(2)));
}

#[test]
fn junk_and_cut_logs_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> =
        (0..300_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let junk = write(folder.path(), "junk", &bytes);
    let mut mixed = LOG.as_bytes().to_vec();
    mixed.extend(&bytes);
    mixed.extend(LOG.as_bytes());
    let mixed = write(folder.path(), "mixed", &mixed);
    for (file, codes) in [(junk, [0, 1, 2]), (mixed, [0, 0, 0])] {
        let code = Checked::of(&[], std::slice::from_ref(&file)).code.unwrap();
        assert!(codes.contains(&code), "{file:?}: {code}");
    }
    for length in (0..LOG.len()).step_by(11) {
        let cut = write(folder.path(), "cut", &LOG[..length]);
        let code = Checked::of(&["--quiet"], &[cut]).code;
        assert!(matches!(code, Some(0..=2)), "{length}: {code:?}");
    }
    // A long log is read line by line.
    let long = folder.path().join("long.debug");
    let mut out = std::io::BufWriter::new(fs::File::create(&long).unwrap());
    out.write_all(LOG.split_once("140 >first").unwrap().0.as_bytes()).unwrap();
    for at in 131..100_000 {
        writeln!(out, "{at} <first : 9 12 34 5678 e2e4 {}", "x".repeat(60)).unwrap();
    }
    out.write_all(&vec![b'y'; 3_000_000]).unwrap();
    writeln!(out, "\n200000 >first : result 0-1 {{White resigns}}\n200001 >first : quit").unwrap();
    drop(out);
    let checked = Checked::of(&[], &[long]);
    assert_eq!((checked.code, checked.errors.as_str()), (Some(0), ""), "{}", checked.text);
}

#[test]
fn pgn_files_are_judged_by_the_names_of_the_players() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[White \"Bot\"]\r\n[Black \"Fairy-Max\"]\r\n\r\n1. a4 e5 2. Nf3 {Black resigns} 1-0\r\n\r\n\
        [White \"Fairy-Max\"]\n[Black \"Bot\"]\n[Variant \"Three-check\"]\n\n1. e4 a5 2. Qh5 b5 *\n";
    let pgn = write(folder.path(), "games.pgn", text);
    let checked = Checked::of(&["--name", "bot", "--stage", "pawns"], std::slice::from_ref(&pgn));
    assert_eq!(checked.broken(), ["pawns-only"], "{}", checked.text);
    let line =
        "games.pgn:1: game 1, Bot: pawns-only: 2. g1f3: the bot moves a knight, but b2b3 is legal";
    assert!(checked.text.contains(line), "{}", checked.text);
    assert!(checked.text.contains("Bot: 2 games, 1 won, 0 drawn, 0 lost"), "{}", checked.text);
    let all = Checked::of(&[], &[pgn]);
    assert_eq!(all.code, Some(0), "{}", all.text);
    assert!(all.text.contains("Fairy-Max: 2 games, "), "{}", all.text);
}

#[test]
fn files_are_told_apart_by_their_whole_paths() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("submissions/".repeat(10));
    fs::create_dir_all(&folder).unwrap();
    let games = ["Alice\"]\n[Black \"Bob", "Bob\"]\n[Black \"Alice"];
    let files: Vec<PathBuf> = ["a.pgn", "b.pgn"]
        .iter()
        .zip(games)
        .map(|(name, names)| write(&folder, name, format!("[White \"{names}\"]\n\n1. e4 e5 *\n")))
        .collect();
    let checked = Checked::of(&[], &files);
    for file in &files {
        assert!(checked.text.contains(file.to_str().unwrap()), "{}", checked.text);
    }
    assert!(checked.text.contains("Alice: 2 games"), "{}", checked.text);
}
