//! The speed of the parts of a search: `cargo bench --bench parts`.
//!
//! Each time is for all bench positions of a variant together. Compare times of the same run only.

use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

use trebuchet::board::Position;
use trebuchet::eval::classic::Classic;
use trebuchet::eval::network::architecture::Hidden;
use trebuchet::eval::network::{self, Kernels, NetworkEvaluator};
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

/// The evaluation keeps its cache of pawn structures between positions, as in a search.
#[divan::bench(types = [Standard, ThreeCheck])]
fn classic_evaluation<V: Variant>(bencher: Bencher) {
    let positions = positions::<V>();
    let mut classic = Classic::<V>::new();
    bencher.bench_local(|| {
        positions.iter().map(|pos| classic.evaluate(black_box(pos)).value()).sum::<i32>()
    });
}

/// Evaluates the position after each legal move, in which the neurons follow that one move. Making and
/// unmaking the moves is part of the time; `make_and_unmake` gives its share.
fn evaluate_after_moves<V: Variant>(
    bencher: Bencher,
    kernels: fn(Hidden) -> Kernels,
    evaluations: usize,
) {
    let bytes = V::NETWORK.expect("the variant has a network");
    let network = network::read(bytes, V::NAME).expect("the built-in network is sound");
    let mut evaluator = NetworkEvaluator::with_kernels(Arc::new(network), kernels);
    let mut positions = positions::<V>();
    let count = positions.iter().map(|pos| pos.legal_moves().len()).sum::<usize>();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for pos in &mut positions {
            evaluator.reset();
            evaluator.evaluate(pos, 0);
            for &mv in pos.legal_moves().iter() {
                evaluator.note_move(pos, mv, 0);
                pos.make_move(mv);
                for _ in 0..evaluations {
                    black_box(evaluator.evaluate(black_box(pos), 1));
                }
                pos.unmake_move();
            }
        }
    });
}

#[divan::bench(types = [Standard, ThreeCheck], args = [1, 2])]
fn network_update_and_evaluations<V: Variant>(bencher: Bencher, evaluations: usize) {
    evaluate_after_moves::<V>(bencher, Kernels::best, evaluations);
}

/// The same with the kernels for any processor.
#[divan::bench(types = [Standard, ThreeCheck], args = [1, 2])]
fn plain_network_update_and_evaluations<V: Variant>(bencher: Bencher, evaluations: usize) {
    evaluate_after_moves::<V>(bencher, Kernels::plain, evaluations);
}
