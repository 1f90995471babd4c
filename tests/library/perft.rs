//! The perft suites of every variant: `variants/*/perft.epd`, lines of `FEN ;D1 n ;D2 n …`.
//!
//! This takes from each line the depths below a limit of leaf nodes. `tests/program/perft.rs` counts all
//! of them with the program.

use trebuchet::board::Position;
use trebuchet::for_variant;
use trebuchet::movegen::perft::{divide, perft, perft_without_bulk};
use trebuchet::types::Depth;
use trebuchet::variants::{Variant, VariantId};

/// A line of a suite: a position and its counts by depth.
fn read_suite(id: VariantId) -> Vec<(String, Vec<(Depth, u64)>)> {
    let path = format!("{}/variants/{}/perft.epd", env!("CARGO_MANIFEST_DIR"), id.folder());
    let text = std::fs::read_to_string(path).expect("every variant has a perft suite");
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let mut parts = line.split(';');
            let fen = parts.next().expect("a line begins with a FEN").trim().to_owned();
            let counts = parts.map(|part| {
                let (depth, nodes) = part.trim().split_once(' ').expect("`Ddepth nodes`");
                let depth = depth.strip_prefix('D').expect("a depth begins with D");
                (depth.parse().expect("a depth"), nodes.parse().expect("a count"))
            });
            (fen, counts.collect())
        })
        .collect()
}

/// Counts every line of a variant's suite up to a number of leaf nodes per count; returns how many
/// counts were made.
fn count_suite<V: Variant>(max_nodes: u64) -> usize {
    let mut made = 0;
    for (fen, counts) in read_suite(V::ID) {
        let mut pos = Position::<V>::from_fen(&fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        for (depth, nodes) in counts.into_iter().filter(|&(_, nodes)| nodes <= max_nodes) {
            assert_eq!(perft(&mut pos, depth), nodes, "{fen} at depth {depth}");
            made += 1;
        }
    }
    made
}

#[test]
fn suites_to_moderate_depth() {
    for &id in VariantId::ALL {
        assert!(for_variant!(id, V => count_suite::<V>(1_000_000)) > 100, "{}", id.name());
    }
}

/// Bulk counting, making every leaf, and the sum of a divide agree.
#[test]
fn the_ways_of_counting_agree() {
    fn count<V: Variant>() {
        for (fen, _) in read_suite(V::ID) {
            let mut pos = Position::<V>::from_fen(&fen).expect("suites hold legal positions");
            let bulk = perft(&mut pos, 3);
            assert_eq!(perft_without_bulk(&mut pos, 3), bulk, "{fen}");
            let divided: u64 = divide(&mut pos, 3).iter().map(|(_, nodes)| nodes).sum();
            assert_eq!(divided, bulk, "{fen}");
        }
    }
    for &id in VariantId::ALL {
        for_variant!(id, V => count::<V>());
    }
}
