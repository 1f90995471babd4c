//! How a seed varies a scene, so that no bot can know the answers by heart: it chooses between ways to the
//! same situation, plays other moves before, changes their order, mirrors a position, and exchanges colours.

use std::collections::BTreeSet;

use rand::seq::{IteratorRandom, SliceRandom};
use rand::{Rng, RngExt};

use super::accept::Accept;
use super::edit::set_up;
use super::mirror::Mirror;
use super::scene::{Asked, Scene, Way};
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, GameResult, Move};
use trebuchet::variants::VariantId;

/// How often another order of the moves is tried. Most orders are not possible.
const ORDERS: usize = 20;

/// The moves with which White waits where the colours are exchanged in a scene from the start position, because
/// there White moves first.
const WAITING: [&str; 5] = ["a2a3", "b2b3", "c2c3", "g2g3", "h2h3"];

impl Scene {
    /// The scene in one of its ways, with the moves that the bot is told. Files and colours are mirrored or
    /// not. The text of the scene follows.
    pub(super) fn vary(&self, variant: VariantId, rng: &mut impl Rng) -> (Scene, Vec<String>) {
        let plain = self.vary_for_its_color(variant, rng);
        if !self.mirror || !rng.random::<bool>() {
            return plain;
        }
        // Of a pair of scenes for both colours, each becomes the other one.
        let of_partner = self.partner.as_ref().map(|it| it.vary_for_its_color(variant, rng));
        let (scene, moves) = of_partner.as_ref().unwrap_or(&plain);
        let Some((scene, moves)) = scene.for_other_color(moves, variant, rng) else { return plain };
        (Scene { id: self.id.clone(), points: self.points, ..scene }, moves)
    }

    fn vary_for_its_color(&self, variant: VariantId, rng: &mut impl Rng) -> (Scene, Vec<String>) {
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
        let fen = scene.fen.as_deref().filter(|_| scene.mirror && rng.random());
        // With a king and a rook at home that may not castle, a bot that has to hear it by `edit` could not.
        let is_said = |fen: &str| set_up(fen, variant).is_some();
        let mirrored = fen.and_then(|fen| {
            Mirror::Files.fen(fen).filter(|mirrored| is_said(mirrored) || !is_said(fen))
        });
        if let Some(fen) = mirrored {
            scene.fen = Some(fen);
            told.iter_mut().for_each(|mv| *mv = Mirror::Files.text(mv));
            Mirror::Files.words(&mut scene);
        }
        (scene, told)
    }

    /// The scene with colours and ranks exchanged. From the start position White makes a move more, which must
    /// not change what the bot can do. `None` if the sides of the game have different aims or moves, if the
    /// dialogue depends on the colour, or if there is no such move.
    fn for_other_color(
        &self,
        moves: &[String],
        variant: VariantId,
        rng: &mut impl Rng,
    ) -> Option<(Scene, Vec<String>)> {
        let is_beginning = self.fen.is_none() && moves.is_empty();
        let depends_on_color = self.asked == Asked::Reply || self.after_game || is_beginning;
        if depends_on_color || !has_equal_sides(variant) || !self.mirror {
            return None;
        }
        let mut scene = self.clone();
        Mirror::Colors.words(&mut scene);
        let mirrored: Vec<String> = moves.iter().map(|mv| Mirror::Colors.text(mv)).collect();
        if let Some(fen) = &self.fen {
            scene.fen = Some(Mirror::Colors.fen(fen)?);
            return Some((scene, mirrored));
        }
        let board = board_after(moves, None, variant)?;
        let mut waiting = WAITING;
        waiting.shuffle(rng);
        let moves = waiting.into_iter().find_map(|wait| {
            let moves: Vec<String> =
                [wait.to_owned()].into_iter().chain(mirrored.clone()).collect();
            let after = board_after(&moves, None, variant)?;
            let is_same = asks_the_same((&*board, &self.accept), (&*after, &scene.accept), wait);
            is_same.then_some(moves)
        })?;
        let moves = reordered(moves, None, variant, rng);
        Some((scene, moves))
    }
}

/// Do both sides start alike? Then colours can be exchanged.
const fn has_equal_sides(variant: VariantId) -> bool {
    !matches!(variant, VariantId::Horde | VariantId::RacingKings)
}

/// Is the bot asked for the same in two positions, of which the second has exchanged colours and a move more of
/// White? Moves from and to the squares of this move may differ if it is the bot's own.
fn asks_the_same(
    (one, accepted): (&dyn Game, &[Accept]),
    (other, accepted_there): (&dyn Game, &[Accept]),
    wait: &str,
) -> bool {
    let touches = |mv: &str| {
        wait.as_bytes().chunks(2).any(|square| mv.as_bytes().chunks(2).any(|it| it == square))
    };
    let is_own = other.side_to_move() == Color::White;
    let legal = |board: &dyn Game, name: fn(String) -> String| -> BTreeSet<String> {
        let moves = board.legal_moves().into_iter().map(|mv| name(board.coordinate(mv)));
        moves.filter(|mv| !is_own || !touches(mv)).collect()
    };
    let chosen = |board: &dyn Game, accept: &[Accept], name: fn(String) -> String| {
        let moves = board.legal_moves().into_iter();
        let moves = moves.filter(|&mv| accept.iter().any(|it| it.is_move(board, mv)));
        let with_captures =
            moves.map(|mv| (name(board.coordinate(mv)), captures_after(board, mv, name)));
        with_captures.collect::<BTreeSet<_>>()
    };
    let result = |board: &dyn Game| board.outcome().map(GameResult::from);
    let exchanged: fn(String) -> String = |text| Mirror::Colors.text(&text);
    let as_it_is: fn(String) -> String = |text| text;
    let expected = result(one).map(|result| match result {
        GameResult::Win(color) => GameResult::Win(!color),
        result => result,
    });
    result(other) == expected
        && one.is_in_check() == other.is_in_check()
        && legal(one, exchanged) == legal(other, as_it_is)
        && chosen(one, accepted, exchanged) == chosen(other, accepted_there, as_it_is)
}

/// With what the opponent can take after a move.
fn captures_after(board: &dyn Game, mv: Move, name: fn(String) -> String) -> Vec<String> {
    let mut after = board.fork();
    after.play(mv);
    let captures = after.legal_moves().into_iter().filter(|mv| mv.is_capture());
    let mut names: Vec<String> = captures.map(|mv| name(after.coordinate(mv))).collect();
    names.sort();
    names
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
    let fen = board_after(moves, fen, variant)?.fen();
    let (rest, number) = fen.rsplit_once(' ')?;
    let (rest, _) = rest.rsplit_once(' ')?;
    Some(format!("{rest} {number}"))
}

/// The board after these moves; `None` if a move is not possible.
fn board_after(moves: &[String], fen: Option<&str>, variant: VariantId) -> Option<Box<dyn Game>> {
    let mut board = new_game(variant);
    if let Some(fen) = fen {
        board.set_board(fen).ok()?;
    }
    for text in moves {
        let mv = board.parse_move(text).ok()?;
        board.play(mv);
    }
    Some(board)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    /// All that this text of a scene can become for its own colour.
    fn ways(text: &str) -> HashSet<String> {
        all_ways(text).into_iter().filter(|way| way.ends_with('7')).collect()
    }

    /// The same for both colours. The text names a square of the seventh rank, which becomes one of the second.
    fn all_ways(text: &str) -> HashSet<String> {
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

    /// A bot without `setboard` hears this position by `edit`, which cannot say that the mirrored king may not castle.
    #[test]
    fn no_king_is_mirrored_to_its_home_beside_a_rook() {
        let text = |rank| format!("fen='{rank}/8/8/8/8/8/8/6K1 b - - 0 1'");
        let fens = |rank| {
            let scene = format!("id='a'\ntitle='t'\nwhy='y'\nstages=['full']\n{}", text(rank));
            let scene: Scene = toml::from_str(&scene).unwrap();
            let fen = |seed| {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                scene.vary_for_its_color(VariantId::Standard, &mut rng).0.fen.unwrap()
            };
            (0..50).map(fen).collect::<HashSet<_>>().len()
        };
        assert_eq!(["r2k4", "r1k5"].map(fens), [1, 2]);
    }

    #[test]
    fn colours_are_exchanged() {
        let text =
            "fen='4k3/8/8/8/8/8/R7/4K3 w - - 0 1'\nmoves='a2a7 e8d8'\naccept=['a7a8', '1-0']";
        let other = "a7a2 e1d1|a2a1 0-1|on h2";
        assert!(all_ways(text).contains(other), "{:?}", all_ways(text));
        assert_eq!(all_ways(&format!("{text}\nmirror=false")).len(), 1);
    }

    /// From the start position White moves first, so it makes a move that changes nothing for the bot.
    #[test]
    fn colours_are_exchanged_from_the_start_position() {
        let both = set([
            "f2f3 e7e5 g2g4|d8h4|on h7",
            "g2g4 e7e5 f2f3|d8h4|on h7",
            "a2a3 f7f6 e2e4 g7g5|d1h5|on h2",
            "a2a3 g7g5 e2e4 f7f6|d1h5|on h2",
        ]);
        let ways = all_ways("moves='f2f3 e7e5 g2g4'\naccept=['d8h4']");
        assert!(both.iter().filter(|way| ways.contains(*way)).count() >= 3, "{ways:?}");
    }
}
