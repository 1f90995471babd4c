//! `trebuchet perft` counts every line of `variants/*/perft.epd`, up to the start position at depth 7.
//!
//! This takes minutes with a release build, and hours with that of the tests, which checks the board
//! after each move: `TREBUCHET_COMMAND` names the program.

use std::fs;

use trebuchet::variants::VariantId;

use crate::process::{ROOT, program};

/// What the program prints.
fn run(variant: VariantId, fen: &str, depth: &str, options: &[&str]) -> String {
    let output = program()
        .args(["perft", depth, "--variant", variant.name(), "--fen", fen])
        .args(options)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What the program counts.
fn perft(variant: VariantId, fen: &str, depth: &str) -> String {
    let text = run(variant, fen, depth, &[]);
    let words: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
    let ["nodes", nodes, "time", ..] = words[..] else { panic!("{text}") };
    nodes.to_owned()
}

#[test]
fn castling_is_told_from_a_move_of_the_king() {
    let counts = |variant, fen| run(variant, fen, "1", &["--divide"]);
    // The king comes to g1 either way.
    let text = counts(VariantId::Chess960, "4k3/8/8/8/8/8/8/5K1R w K - 0 1");
    assert_eq!(text.lines().filter(|line| *line == "f1g1 1").count(), 1, "{text}");
    assert_eq!(text.lines().filter(|line| *line == "f1h1 1").count(), 1, "{text}");
    let text = counts(VariantId::Standard, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(text.lines().filter(|line| *line == "e1g1 1").count(), 1, "{text}");
}

#[test]
#[ignore = "takes minutes, and needs a release build"]
fn suites_to_full_depth() {
    for &variant in VariantId::ALL {
        let path = format!("{ROOT}/variants/{}/perft.epd", variant.folder());
        let text = fs::read_to_string(path).unwrap();
        let mut counts = 0;
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let mut parts = line.split(';');
            let fen = parts.next().unwrap().trim();
            for part in parts {
                let (depth, nodes) =
                    part.trim().strip_prefix('D').unwrap().split_once(' ').unwrap();
                assert_eq!(perft(variant, fen, depth), nodes, "{fen} at depth {depth}");
                counts += 1;
            }
        }
        assert!(counts > 100, "{}: {counts}", variant.name());
    }
}
