//! `trebuchet diagram` as a command.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the command in a folder: exit status, standard output, standard error.
fn diagram(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trebuchet"));
    let output = command.arg("diagram").args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn svg_goes_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let (status, svg, errors) = diagram(folder.path(), &[]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\"400\"")
    );
    let title =
        "<title>White to move. rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1</title>";
    assert!(svg.contains(title), "{svg}");
    assert_eq!(svg.matches("<g transform=\"translate(").count(), 32);
    // A FEN may be one argument or several.
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20";
    let quoted = diagram(folder.path(), &[fen]);
    assert_eq!(diagram(folder.path(), &fen.split(' ').collect::<Vec<_>>()), quoted);
    assert!(quoted.1.contains("Black to move"));
}

#[test]
fn every_game_has_its_diagram() {
    let folder = tempfile::tempdir().unwrap();
    let fen = "rnbqkbnr/pppp2pp/8/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 1+3 0 4";
    let (status, svg, errors) = diagram(folder.path(), &[fen, "--variant=3check"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(
        svg.contains("height=\"436\"") && svg.contains("Checks given: White 2, Black 0"),
        "{svg}"
    );
    assert_eq!(
        (svg.matches("<circle cx").count() >= 6, svg.matches("fill=\"#444\"").count()),
        (true, 2)
    );
    for variant in ["kingofthehill", "fischerandom"] {
        let (status, svg, _) = diagram(folder.path(), &["--variant", variant, "--heat", "--flip"]);
        assert!(
            status == 0 && svg.contains("White to move") && !svg.contains("Checks"),
            "{variant}"
        );
    }
}

#[test]
fn files_are_made_and_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("a.svg");
    assert_eq!(diagram(folder.path(), &["-o", "a.svg"]), (0, String::new(), String::new()));
    assert!(fs::read_to_string(&svg).unwrap().ends_with("</svg>\n"));
    fs::write(&svg, "mine").unwrap();
    let (status, _, errors) = diagram(folder.path(), &["-o", "a.svg"]);
    let expected = "trebuchet: a.svg exists: another name, or --force to replace it\n";
    assert_eq!((status, errors.as_str()), (1, expected));
    assert_eq!(fs::read_to_string(&svg).unwrap(), "mine");
    assert_eq!(diagram(folder.path(), &["-o", "a.svg", "--force"]).0, 0);
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    for (name, expected) in [
        ("a.jpg", "trebuchet: a.jpg: the name must end in .svg or .png\n"),
        ("none/a.svg", "trebuchet: none/a.svg: No such file or directory (os error 2)\n"),
    ] {
        let (status, _, errors) = diagram(folder.path(), &["-o", name]);
        assert_eq!((status, errors.as_str()), (1, expected));
    }
}

#[cfg(feature = "png")]
#[test]
fn a_png_has_the_size_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["-o", "a.PNG", "--size=500", "--variant=3check", "--arrow=e2e4", "--mark=d5:red"];
    assert_eq!(diagram(folder.path(), &arguments), (0, String::new(), String::new()));
    let bytes = fs::read(folder.path().join("a.PNG")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (500, 545));
}

#[test]
fn bad_positions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (fen, expected) in [
        (
            "",
            "trebuchet: a FEN has six fields, such as 4k3/8/8/8/8/8/8/4K3 w - - 0 1; this one has 0\n",
        ),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "trebuchet: White needs exactly one king\n"),
        ("k7/8/8/8/8/8/8/K6x w - - 0 1", "trebuchet: bad piece placement: k7/8/8/8/8/8/8/K6x\n"),
    ] {
        let (status, svg, errors) = diagram(folder.path(), &[fen]);
        assert_eq!((status, svg.as_str(), errors.as_str()), (1, "", expected), "{fen}");
    }
    for bad in ["--arrow=e2", "--arrow=e2e4:mauve", "--mark=i9", "--last-move=e2e2", "--size=9"] {
        let (status, _, errors) = diagram(folder.path(), &[bad]);
        assert!(status == 2 && errors.contains("invalid value"), "{bad}: {errors}");
    }
}
