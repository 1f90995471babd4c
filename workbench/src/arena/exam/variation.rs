//! How a seed varies a scene, so that no bot can know the answers by heart: it chooses between ways to the
//! same situation, plays other moves before, changes their order, and mirrors a position.

use rand::seq::{IteratorRandom, SliceRandom};
use rand::{Rng, RngExt};

use super::accept::Accept;
use super::scene::{Scene, Way};
use trebuchet::play::new_game;
use trebuchet::variants::VariantId;

/// How often another order of the moves is tried. Most orders are not possible.
const ORDERS: usize = 20;

impl Scene {
    /// The scene in one of its ways, mirrored or not, with the moves that the bot is told. The text of the
    /// scene follows.
    pub(super) fn vary(&self, variant: VariantId, rng: &mut impl Rng) -> (Scene, Vec<String>) {
        let mut scene = self.clone();
        let ways = std::mem::take(&mut scene.also);
        if let Some(Way { moves, accept }) =
            ways.into_iter().map(Some).chain([None]).choose(rng).flatten()
        {
            scene.moves = moves;
            scene.accept = accept.unwrap_or(scene.accept);
        }
        let count = (0..=scene.spare.len()).choose(rng).unwrap_or(0);
        let mut spare: Vec<&String> = scene.spare.iter().collect();
        spare.shuffle(rng);
        let before = spare.into_iter().take(count).flat_map(|pair| pair.split_whitespace());
        let told = before.chain(scene.moves.split_whitespace()).map(str::to_owned).collect();
        let mut told = reordered(told, scene.fen.as_deref(), variant, rng);
        if let Some(fen) = scene.fen.as_deref().filter(|_| rng.random()).and_then(mirrored_fen) {
            scene.fen = Some(fen);
            told.iter_mut().for_each(|mv| *mv = mirrored(mv));
            scene.title = mirrored(&scene.title);
            scene.why = mirrored(&scene.why);
            scene.accept.iter_mut().for_each(|accept| {
                if let Accept::Move(mv) = accept {
                    *mv = mirrored(mv);
                }
            });
        }
        (scene, told)
    }
}

/// The moves of each side in another order that leads to the same position; in their own order if none of
/// those that are tried does.
fn reordered(
    moves: Vec<String>,
    fen: Option<&str>,
    variant: VariantId,
    rng: &mut impl Rng,
) -> Vec<String> {
    let Some(reached) = position_after(&moves, fen, variant) else { return moves };
    for _ in 0..ORDERS {
        let mut sides = [0, 1].map(|side| moves.iter().skip(side).step_by(2).collect::<Vec<_>>());
        sides.iter_mut().for_each(|side| side.shuffle(rng));
        let order: Vec<String> =
            (0..moves.len()).map(|ply| sides[ply % 2][ply / 2].clone()).collect();
        if position_after(&order, fen, variant).as_ref() == Some(&reached) {
            return order;
        }
    }
    moves
}

/// The position that these moves lead to, as FEN without the number of plies since the last capture or pawn
/// move; `None` if a move is not possible.
fn position_after(moves: &[String], fen: Option<&str>, variant: VariantId) -> Option<String> {
    let mut board = new_game(variant);
    if let Some(fen) = fen {
        board.set_board(fen).ok()?;
    }
    for text in moves {
        let mv = board.parse_move(text).ok()?;
        board.play(mv);
    }
    let fen = board.fen();
    let (rest, number) = fen.rsplit_once(' ')?;
    let (rest, _) = rest.rsplit_once(' ')?;
    Some(format!("{rest} {number}"))
}

/// The position with the files a to h as h to a; `None` if a side may castle, because the mirrored king could
/// not.
fn mirrored_fen(fen: &str) -> Option<String> {
    let mut fields = fen.split(' ');
    let (placement, side, castling, en_passant) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    if castling != "-" {
        return None;
    }
    let (board, hand) = placement.find('[').map_or((placement, ""), |at| placement.split_at(at));
    let ranks: Vec<String> = board.split('/').map(mirrored_rank).collect();
    let head = format!("{}{hand} {side} - {}", ranks.join("/"), mirrored(en_passant));
    Some([head.as_str()].into_iter().chain(fields).collect::<Vec<_>>().join(" "))
}

/// A rank of a FEN from right to left. The mark of a promoted man stays behind it.
fn mirrored_rank(rank: &str) -> String {
    let mut signs: Vec<String> = Vec::new();
    for sign in rank.chars() {
        match signs.last_mut() {
            Some(man) if sign == '~' => man.push(sign),
            _ => signs.push(sign.to_string()),
        }
    }
    signs.into_iter().rev().collect()
}

/// A text in which all squares are mirrored: `Qh5` is `Qa5`.
fn mirrored(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for at in 1..bytes.len() {
        let is_square = matches!(bytes[at - 1], b'a'..=b'h') && matches!(bytes[at], b'1'..=b'8');
        if is_square {
            bytes[at - 1] = b'a' + b'h' - bytes[at - 1];
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn squares_and_positions_are_mirrored() {
        assert_eq!(mirrored("e7d8b: Qh4 mates on a1"), "d7e8b: Qa4 mates on h1");
        let fen = "4R1k1/5pQ~p/8/8/8/8/8/6K1[nP] b - g3 0 1";
        let mirror = "1k1R4/pQ~p5/8/8/8/8/8/1K6[nP] b - b3 0 1";
        assert_eq!(mirrored_fen(fen).as_deref(), Some(mirror));
        assert_eq!(mirrored_fen(mirror).as_deref(), Some(fen));
        assert_eq!(mirrored_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
    }

    /// All that this text of a scene can become.
    fn ways(text: &str) -> HashSet<String> {
        let scene: Scene =
            toml::from_str(&format!("id='a'\ntitle='t'\nwhy='on h7'\nstages=['full']\n{text}"))
                .unwrap();
        let way = |seed| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let (scene, moves) = scene.vary(VariantId::Standard, &mut rng);
            let accept: Vec<String> = scene.accept.iter().map(Accept::to_string).collect();
            format!("{}|{}|{}", moves.join(" "), accept.join(" "), scene.why)
        };
        (0..200).map(way).collect()
    }

    fn set<const N: usize>(ways: [&str; N]) -> HashSet<String> {
        ways.map(str::to_owned).into()
    }

    #[test]
    fn the_seed_chooses_a_way_and_moves_before() {
        let text = "moves='e2e4'\naccept=['e7e5']\nspare=['a2a3 a7a6']
            [[also]]\nmoves='d2d4'\naccept=['d7d5']\n[[also]]\nmoves='e2e3'";
        let expected = set([
            "e2e4|e7e5|on h7",
            "e2e3|e7e5|on h7",
            "d2d4|d7d5|on h7",
            "a2a3 a7a6 e2e4|e7e5|on h7",
            "e2e4 a7a6 a2a3|e7e5|on h7",
            "a2a3 a7a6 e2e3|e7e5|on h7",
            "e2e3 a7a6 a2a3|e7e5|on h7",
            "a2a3 a7a6 d2d4|d7d5|on h7",
            "d2d4 a7a6 a2a3|d7d5|on h7",
        ]);
        // A double step at the end is not the same position as one before.
        let possible: HashSet<String> = ways(text);
        assert!(possible.is_subset(&expected), "{possible:?}");
        assert!(possible.len() >= 6, "{possible:?}");
    }

    #[test]
    fn moves_change_their_order_if_the_position_stays() {
        let both = set(["g1f3 g8f6 b1c3|e7e5|on h7", "b1c3 g8f6 g1f3|e7e5|on h7"]);
        assert_eq!(ways("moves='g1f3 g8f6 b1c3'\naccept=['e7e5']"), both);
        // The bishop can go out only after the pawn, and the double step must come last.
        assert_eq!(ways("moves='e2e4 e7e5 f1c4'").len(), 1);
        assert_eq!(ways("moves='e2e4 a7a6 e4e5 d7d5'").len(), 1);
    }

    #[test]
    fn a_position_without_castling_is_mirrored() {
        let text = "fen='6k1/8/8/8/8/8/R7/6K1 w - - 0 1'\nmoves='a2a3 g8h7'\naccept=['a3h3']";
        let both = set(["a2a3 g8h7|a3h3|on h7", "h2h3 b8a7|h3a3|on a7"]);
        assert_eq!(ways(text), both);
    }
}
