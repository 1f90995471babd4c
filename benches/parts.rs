//! The speed of the parts of a search: `cargo bench --bench parts`.
//!
//! Each time is for all bench positions of a variant together. Compare times of the same run only.

use divan::{Bencher, black_box};

use trebuchet::board::Position;
use trebuchet::eval::Evaluator;
use trebuchet::notation::Epd;
use trebuchet::search::see;
use trebuchet::types::Move;
use trebuchet::variants::{Standard, ThreeCheck, Variant};

fn main() {
    divan::main();
}

fn positions<V: Variant>() -> Vec<Position<V>> {
    Epd::parse_file(V::ID.bench_positions())
        .map(|line| line.unwrap_or_else(|number| panic!("line {number} of the bench positions")))
        .map(|epd| Position::from_fen(&epd.fen).expect("bench positions are legal"))
        .collect()
}

#[divan::bench(types = [Standard, ThreeCheck])]
fn legal_moves<V: Variant>(bencher: Bencher) {
    let positions = positions::<V>();
    bencher.bench_local(|| {
        positions.iter().map(|pos| black_box(pos.legal_moves()).len()).sum::<usize>()
    });
}

#[divan::bench(types = [Standard, ThreeCheck])]
fn make_and_unmake<V: Variant>(bencher: Bencher) {
    let positions = positions::<V>();
    let mut with_moves: Vec<(Position<V>, Vec<Move>)> =
        positions.into_iter().map(|pos| (pos.clone(), pos.legal_moves().to_vec())).collect();
    bencher.bench_local(|| {
        for (pos, moves) in &mut with_moves {
            for &mv in moves.iter() {
                pos.make_move(mv);
                black_box(pos.key());
                pos.unmake_move();
            }
        }
    });
}

#[divan::bench(types = [Standard, ThreeCheck])]
fn static_exchange_evaluation<V: Variant>(bencher: Bencher) {
    let positions = positions::<V>();
    bencher.bench_local(|| {
        let gains = |pos: &Position<V>| {
            pos.legal_moves().iter().filter(|&&mv| see::gains_at_least(pos, mv, 0)).count()
        };
        positions.iter().map(gains).sum::<usize>()
    });
}

/// The evaluator keeps its cache of pawn structures between positions, as in a search.
#[divan::bench(types = [Standard, ThreeCheck])]
fn evaluation<V: Variant>(bencher: Bencher) {
    let positions = positions::<V>();
    let mut evaluator = Evaluator::<V>::new();
    bencher.bench_local(|| {
        positions.iter().map(|pos| evaluator.evaluate(black_box(pos)).value()).sum::<i32>()
    });
}
