//! The parts that a search is made of, over the bench positions of every variant:
//! `cargo bench --bench parts`. Times are for all positions of a game together; compare them within
//! one run.

use divan::{Bencher, black_box};

use trebuchet::board::Position;
use trebuchet::eval::{EvalRules, Evaluator};
use trebuchet::notation::Epd;
use trebuchet::search::see;
use trebuchet::types::Move;
use trebuchet::variants::{Standard, ThreeCheck, VariantId};

fn main() {
    divan::main();
}

/// A variant and the id under which its positions are found.
trait Benched: EvalRules {
    const ID: VariantId;
}

impl Benched for Standard {
    const ID: VariantId = VariantId::Standard;
}

impl Benched for ThreeCheck {
    const ID: VariantId = VariantId::ThreeCheck;
}

fn positions<V: Benched>() -> Vec<Position<V>> {
    Epd::parse_file(V::ID.bench_positions())
        .map(|line| line.unwrap_or_else(|number| panic!("line {number} of the bench positions")))
        .map(|epd| Position::from_fen(&epd.fen).expect("bench positions are legal"))
        .collect()
}

#[divan::bench(types = [Standard, ThreeCheck])]
fn legal_moves<V: Benched>(bencher: Bencher) {
    let positions = positions::<V>();
    bencher.bench_local(|| {
        positions.iter().map(|pos| black_box(pos.legal_moves()).len()).sum::<usize>()
    });
}

#[divan::bench(types = [Standard, ThreeCheck])]
fn make_and_unmake<V: Benched>(bencher: Bencher) {
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
fn static_exchange_evaluation<V: Benched>(bencher: Bencher) {
    let positions = positions::<V>();
    bencher.bench_local(|| {
        let gains = |pos: &Position<V>| {
            pos.legal_moves().iter().filter(|&&mv| see::gains_at_least(pos, mv, 0)).count()
        };
        positions.iter().map(gains).sum::<usize>()
    });
}

/// As in play: the evaluator remembers pawn structures.
#[divan::bench(types = [Standard, ThreeCheck])]
fn evaluation<V: Benched>(bencher: Bencher) {
    let positions = positions::<V>();
    let mut evaluator = Evaluator::<V>::new();
    bencher.bench_local(|| {
        positions.iter().map(|pos| evaluator.evaluate(black_box(pos)).value()).sum::<i32>()
    });
}
