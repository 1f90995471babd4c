//! The bench of the program, which shows that the module searches the same tree.

use trebuchet::board::Position;
use trebuchet::for_variant;
use trebuchet::notation::Epd;
use trebuchet::search::{Limits, Silent, StopToken};
use trebuchet::types::Depth;
use trebuchet::variants::{Variant, VariantId};

/// The nodes that the bench positions of a game need; 0 if there is no such game.
pub fn nodes(game: usize, depth: Depth) -> u64 {
    let Some(&variant) = VariantId::ALL.get(game) else { return 0 };
    for_variant!(variant, V => count::<V>(depth))
}

fn count<V: Variant>(depth: Depth) -> u64 {
    let mut search = V::new_search();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let positions = Epd::parse_file(V::ID.bench_positions()).filter_map(Result::ok);
    let positions = positions.filter_map(|epd| Position::from_fen(&epd.fen).ok());
    let nodes = positions.map(|position| {
        search.clear();
        search.run(&position, &limits, &StopToken::new(), &mut Silent).nodes
    });
    nodes.sum()
}
