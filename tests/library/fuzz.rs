//! A short, repeatable version of the programs in `fuzz/`: known inputs with random errors.

use std::fs;
use std::path::Path;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use trebuchet::variants::VariantId;

use crate::fuzzing;

/// Lines of every kind that GUIs and engines say.
const LINES: &str = include_str!("../data/cecp_lines.txt");

/// The same in UCI.
const UCI_LINES: &str = include_str!("../data/uci_lines.txt");

/// Games with everything that PGN has.
const GAMES: &[u8] = include_bytes!("../data/games.pgn");

/// The lines of a game's positions.
fn positions() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("variants");
    let mut lines = Vec::new();
    for id in VariantId::ALL {
        for name in ["perft.epd", "mates.epd", "bench.epd"] {
            let text = fs::read_to_string(folder.join(id.folder()).join(name)).unwrap();
            let fens = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
            lines.extend(fens.map(|line| line.split(" ;").next().unwrap_or(line).to_owned()));
        }
    }
    lines
}

/// Breaks a text in one to four places: bytes replaced, removed, doubled, cut, pieces moved about.
fn broken(rng: &mut impl Rng, bytes: &[u8], alphabet: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.random_range(1..5) {
        let at = rng.random_range(0..=bytes.len());
        let to = rng.random_range(at..=bytes.len().min(at + 8));
        match rng.random_range(0..6) {
            0 => bytes.insert(at, alphabet[rng.random_range(0..alphabet.len())]),
            1 => drop(bytes.drain(at..to)),
            2 => bytes.truncate(at),
            3 => {
                let piece = bytes[at..to].to_vec();
                let place = rng.random_range(0..=bytes.len());
                bytes.splice(place..place, piece);
            }
            4 if at < bytes.len() => bytes[at] = alphabet[rng.random_range(0..alphabet.len())],
            _ if at < bytes.len() => bytes[at] = rng.random(),
            _ => {}
        }
    }
    bytes
}

fn lines_of_the_protocols(seed: u64, rounds: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let alphabet = b" \t=-+.:?#{}\"0123456789abcdefghxQ\r";
    for line in LINES.lines().chain(UCI_LINES.lines()) {
        fuzzing::language::check(line.as_bytes());
        for _ in 0..rounds {
            fuzzing::language::check(&broken(&mut rng, line.as_bytes(), alphabet));
        }
    }
}

fn positions_of_every_game(seed: u64, rounds: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let alphabet = b" /-+wbKQkqrnbpPNBR0123456789aceh";
    for fen in positions() {
        fuzzing::positions::check(&fen);
        for _ in 0..rounds {
            let bytes = broken(&mut rng, fen.as_bytes(), alphabet);
            fuzzing::positions::check(&String::from_utf8_lossy(&bytes));
        }
    }
}

fn dialogues_of_broken_lines(seed: u64, rounds: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let events = ["\u{1}", "\u{2}", "\u{2}", "\u{3}"];
    for (first, lines) in [("xboard", LINES), ("uci", UCI_LINES)] {
        let lines: Vec<&str> = lines.lines().chain(events).collect();
        dialogues_of(&mut rng, &lines, first, rounds);
    }
}

/// Dialogues that begin with a line, and broken ones.
fn dialogues_of(rng: &mut impl Rng, lines: &[&str], first: &str, rounds: usize) {
    for _ in 0..rounds {
        let length = rng.random_range(1..60);
        let rest = (0..length).map(|_| *lines.choose(rng).unwrap());
        let dialogue: Vec<&str> = [first].into_iter().chain(rest).collect();
        let dialogue = dialogue.join("\n");
        fuzzing::dialogues::check(dialogue.as_bytes());
        fuzzing::dialogues::check(&broken(rng, dialogue.as_bytes(), b"\n 0123.?"));
    }
}

fn games_of_broken_files(seed: u64, rounds: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let alphabet = b" \n()[]{};%$!?.\"\\*-01eN\xfc\r";
    for _ in 0..rounds {
        // Broken often, because a file is long.
        let mut bytes = GAMES.to_vec();
        for _ in 0..rng.random_range(0..20) {
            bytes = broken(&mut rng, &bytes, alphabet);
        }
        fuzzing::games::check(&bytes);
    }
}

#[test]
fn broken_lines() {
    lines_of_the_protocols(1, 1_000);
}

#[test]
fn broken_positions() {
    positions_of_every_game(2, 400);
}

#[test]
fn broken_dialogues() {
    dialogues_of_broken_lines(3, 2_000);
}

#[test]
fn broken_games() {
    games_of_broken_files(7, 1_000);
}

#[test]
#[ignore = "millions of lines and positions, eighty thousand dialogues: a minute"]
fn broken_input_for_long() {
    lines_of_the_protocols(4, 30_000);
    positions_of_every_game(5, 2_500);
    dialogues_of_broken_lines(6, 40_000);
    games_of_broken_files(8, 30_000);
}
