//! Which squares the two sides fight for.
//!
//! The pressure of a side on a square is the sum over its pieces that attack the square: the cheaper
//! a piece, the more it presses, because the opponent cannot place anything there that is worth more.
//! A pinned piece presses only along its pin. A square is as hot as the weaker pressure on it, and
//! hotter if a piece stands there that the other side attacks, and by the dangers that `danger` finds.
//!
//! Where captures explode, a protected man is as much in danger as another one: a man is hot if it can be blown up
//! with profit. Where captures are compulsory, an attack is no danger: those squares are hot where a capture must be
//! made or can be forced.

use super::danger::{Danger, Siege, attacks, dangers, is_free_to_take};
use super::goal::guarded_steps;
use crate::board::{Position, Rules};
use crate::search::SearchRules;
use crate::types::{Color, PieceKind, Square};

/// The pressure of one piece, by [`PieceKind::index`].
const PRESSURE: [u32; 8] = [0, 9, 6, 6, 4, 3, 2, 0];
/// How much a piece under attack heats its square, by [`PieceKind::index`].
const STAKE: [u32; 8] = [0, 20, 45, 45, 60, 80, 50, 0];
/// Heat of a square for each unit of the weaker pressure.
const CONTEST: u32 = 3;
/// Heat of a man that only its king protects, and more for each attacker.
const ONLY_KING: u32 = 25;
const ATTACKER: u32 = 15;
/// How many attackers make an empty square hot that only the king protects.
const ENTRY: usize = 2;
/// Heat of a square where a side can give check, and where that would be the second of three.
const CHECK: u32 = 10;
const SECOND_CHECK: u32 = 40;
/// Heat of a square where a pawn can promote, a man can attack two others, or a man can be given away.
const TACTIC: u32 = 40;
/// Heat of a square where an explosion wins material, or where a capture is compulsory.
const CAPTURE: u32 = 60;
/// Heat of a square that is guarded against a king near the goal.
const WAY: u32 = 40;
/// The greatest heat of a square, and the heat of one where a side can win the game.
const HOTTEST: u32 = 100;

/// How contested each square of a position is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeatMap {
    heat: [u8; 64],
    /// The pressure of White and Black.
    pressure: [[u32; 64]; 2],
    /// The greatest danger on each square.
    danger: [Option<Danger>; 64],
}

impl Default for HeatMap {
    fn default() -> HeatMap {
        HeatMap { heat: [0; 64], pressure: [[0; 64]; 2], danger: [None; 64] }
    }
}

impl HeatMap {
    pub fn of<R: SearchRules>(pos: &Position<R>) -> HeatMap {
        let mut map = HeatMap::default();
        map.add_pressure(pos);
        for square in Square::all() {
            let siege = Siege::of(pos, square);
            let index = square.index64();
            let [white, black] = Color::ALL.map(|color| map.pressure[color.index()][index]);
            let is_contested =
                R::HAS_EXCHANGES || R::CAPTURES_EXPLODE && pos.cell(square).is_empty();
            let mut heat = if is_contested { CONTEST * white.min(black) } else { 0 };
            if let Some(piece) = pos.piece_at(square).filter(|_| R::HAS_EXCHANGES) {
                let (owner, kind) = (piece.color(), piece.kind());
                let is_king = kind == PieceKind::King;
                // A pinned man gives check, too.
                let is_pressed = match is_king {
                    true => pos.is_attacked(square, !owner),
                    false => map.pressure[(!owner).index()][index] > 0,
                };
                if is_pressed {
                    let stake = STAKE[kind.index()];
                    let is_loose = is_king || siege.is_loose(owner, kind);
                    heat += if is_loose { stake } else { stake / 2 };
                    let danger = if is_king { Danger::InCheck } else { Danger::Loose };
                    map.note(square, is_loose.then_some(danger));
                }
            }
            heat += map.heat_of_kings(pos, square, &siege);
            map.heat[index] = heat.min(HOTTEST) as u8;
        }
        map.add_threats(pos);
        map
    }

    fn add_pressure<R: Rules>(&mut self, pos: &Position<R>) {
        for us in Color::ALL {
            // Where captures explode, a king cannot capture.
            let presses =
                |&(_, kind): &(Square, PieceKind)| !R::CAPTURES_EXPLODE || kind != PieceKind::King;
            for (from, kind) in pos.all_pieces(us).filter(presses) {
                for to in Square::all().filter(|&to| attacks(pos, from, to)) {
                    if is_free_to_take(pos, from, to) {
                        self.pressure[us.index()][to.index64()] += PRESSURE[kind.index()];
                    }
                }
            }
        }
    }

    /// The heat of a square that a king alone protects: a man of its side, or a way into its position.
    fn heat_of_kings<R: Rules>(&mut self, pos: &Position<R>, square: Square, siege: &Siege) -> u32 {
        let heats = Color::ALL.map(|us| {
            let (least, base) = match pos.piece_at(square) {
                Some(piece) if piece.color() == us => (1, ONLY_KING),
                Some(_) => return 0,
                None => (ENTRY, 0),
            };
            if !R::HAS_EXCHANGES || !siege.is_only_kings(us, least) {
                return 0;
            }
            self.note(square, Some(Danger::OnlyKing));
            base + ATTACKER * siege.men(!us).len() as u32
        });
        heats.into_iter().sum()
    }

    /// Adds what both sides could do with their next moves.
    fn add_threats<R: SearchRules>(&mut self, pos: &Position<R>) {
        for us in Color::ALL {
            let check = match R::checks_left(pos.state())[us.index()] {
                2 => SECOND_CHECK,
                _ => CHECK,
            };
            let ways = guarded_steps(pos, us).into_iter().map(|at| (at, Danger::Way));
            for (at, danger) in dangers(pos, us).into_iter().chain(ways) {
                let more = match danger {
                    Danger::End => HOTTEST,
                    Danger::Promotion | Danger::Fork | Danger::Offer => TACTIC,
                    Danger::Explosion | Danger::Compelled => CAPTURE,
                    Danger::Way => WAY,
                    _ => check,
                };
                self.note(at, Some(danger));
                let heat = &mut self.heat[at.index64()];
                *heat = (u32::from(*heat) + more).min(HOTTEST) as u8;
            }
        }
    }

    /// Keeps the greatest danger on a square.
    fn note(&mut self, square: Square, danger: Option<Danger>) {
        let noted = &mut self.danger[square.index64()];
        *noted = danger.max(*noted);
    }

    /// The squares with at least this heat, the hottest first.
    pub fn hottest(&self, least: u8) -> Vec<Square> {
        let mut squares: Vec<Square> =
            Square::all().filter(|&square| self.heat(square) >= least).collect();
        squares.sort_by_key(|&square| std::cmp::Reverse(self.heat(square)));
        squares
    }

    /// The greatest danger on the square; `None` in the map of a game.
    pub fn danger(&self, square: Square) -> Option<Danger> {
        self.danger[square.index64()]
    }

    /// How contested the square is: 0 if at most one side attacks it and nothing is at stake, up to
    /// 100.
    pub fn heat(&self, square: Square) -> u8 {
        self.heat[square.index64()]
    }

    /// How strongly a side attacks or defends the square; a pawn counts 9, a king 2.
    pub fn pressure(&self, square: Square, color: Color) -> u32 {
        self.pressure[color.index()][square.index64()]
    }

    /// The side with the greater pressure on the square; `None` if both have the same.
    pub fn leader(&self, square: Square) -> Option<Color> {
        let [white, black] = Color::ALL.map(|color| self.pressure(square, color));
        match white.cmp(&black) {
            std::cmp::Ordering::Greater => Some(Color::White),
            std::cmp::Ordering::Less => Some(Color::Black),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// The heat of a whole game: the sum over its positions.
#[derive(Clone, Debug)]
pub struct GameHeat {
    heat: [u32; 64],
    pressure: [[u32; 64]; 2],
    positions: u32,
}

impl Default for GameHeat {
    fn default() -> GameHeat {
        GameHeat { heat: [0; 64], pressure: [[0; 64]; 2], positions: 0 }
    }
}

impl GameHeat {
    /// Adds the map of one position.
    pub fn add(&mut self, map: &HeatMap) {
        for index in 0..64 {
            self.heat[index] += u32::from(map.heat[index]);
            for side in 0..2 {
                self.pressure[side][index] += map.pressure[side][index];
            }
        }
        self.positions += 1;
    }

    /// The mean over all positions, pressures rounded up, with the heat stretched so that the hottest square has 100.
    pub fn map(&self) -> HeatMap {
        let hottest = self.heat.iter().copied().max().unwrap_or(0).max(1);
        let count = self.positions.max(1);
        HeatMap {
            heat: self.heat.map(|sum| (sum * HOTTEST / hottest) as u8),
            pressure: self.pressure.map(|side| side.map(|sum| sum.div_ceil(count))),
            danger: [None; 64],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Standard, Suicide};

    fn map(fen: &str) -> HeatMap {
        HeatMap::of(&Position::<Standard>::from_fen(fen).unwrap())
    }

    fn at(map: &HeatMap, square: &str) -> (u8, u32, u32) {
        let square = Square::parse(square).unwrap();
        let [white, black] = Color::ALL.map(|color| map.pressure(square, color));
        (map.heat(square), white, black)
    }

    #[test]
    fn nothing_is_contested_at_the_start() {
        let start = HeatMap::of(&Position::<Standard>::start());
        assert!(Square::all().all(|square| start.heat(square) == 0));
        // Two pawns and a knight cover f3.
        assert_eq!(at(&start, "f3"), (0, 24, 0));
        assert_eq!(start.leader(Square::parse("f3").unwrap()), Some(Color::White));
        assert_eq!(start.leader(Square::parse("e4").unwrap()), None);
    }

    #[test]
    fn cheap_pieces_press_more_and_stakes_heat() {
        // A pawn attacks a knight that a pawn guards: it is loose, because the pawn is cheaper.
        let attacked = map("4k3/2p5/3n4/4P3/8/8/8/4K3 w - - 0 1");
        assert_eq!(at(&attacked, "d6"), (9 * 3 + 45, 9, 9));
        // A rook attacks the same knight: only half as hot.
        let guarded = map("4k3/2p5/3n4/8/8/8/8/3RK3 w - - 0 1");
        assert_eq!(at(&guarded, "d6"), (4 * 3 + 22, 4, 9));
        // Nobody guards the queen.
        let loose = map("4k3/8/3q4/8/8/8/8/3RK3 w - - 0 1");
        assert_eq!(at(&loose, "d6"), (80, 4, 0));
    }

    #[test]
    fn a_king_in_check_is_called_so() {
        let check = map("4k3/8/8/8/8/8/8/K3R3 b - - 0 1");
        let e8 = Square::parse("e8").unwrap();
        assert_eq!((check.danger(e8), check.heat(e8)), (Some(Danger::InCheck), 50));
        // A man that is pinned itself.
        let pinned = map("3K3k/8/5b2/8/8/2B5/8/8 w - - 0 1");
        assert_eq!(pinned.danger(Square::parse("d8").unwrap()), Some(Danger::InCheck));
        // In Suicide, who has fewer men in a stalemate wins.
        let suicide = Position::<Suicide>::from_fen("8/8/8/p7/p7/8/P7/8 w - - 0 1").unwrap();
        assert_eq!(at(&HeatMap::of(&suicide), "a3").0, 100);
    }

    #[test]
    fn a_pinned_piece_presses_only_along_its_pin() {
        let pinned = map("4k3/8/4r3/8/8/8/4R3/4K3 w - - 0 1");
        assert_eq!(at(&pinned, "e4"), (12, 4, 4));
        assert_eq!(at(&pinned, "a2"), (0, 0, 0));
        assert_eq!(at(&pinned, "a6"), (0, 0, 0));
        let knight = map("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1");
        assert_eq!(at(&knight, "d4"), (0, 0, 4));
    }

    #[test]
    fn a_game_sums_its_positions() {
        let mut game = GameHeat::default();
        assert_eq!(game.map(), HeatMap::default());
        game.add(&map("4k3/8/3q4/8/8/8/8/3RK3 w - - 0 1"));
        game.add(&map("4k3/2p5/3n4/8/8/8/8/3RK3 w - - 0 1"));
        assert_eq!(at(&game.map(), "d6").0, 100);
        assert_eq!(at(&game.map(), "d6").1, 4);
        // The queen attacks the rook, once: 3 for each point of the king, half the stake, and one attacker
        // of what only the king protects.
        let rook = 3 * 2 + 30 + 25 + 15;
        assert_eq!(u32::from(at(&game.map(), "d1").0), 100 * rook / (80 + 12 + 22));
    }

    /// Of many positions, one counts.
    #[test]
    fn a_pressure_on_a_square_in_one_position_of_a_game_is_not_lost() {
        let mut game = GameHeat::default();
        game.add(&map("4k3/2p5/3n4/8/8/8/8/3RK3 w - - 0 1"));
        // The mean of 9 and 0 is 4.5, that of 9 and four zeros 1.8, and that of 9 and nine zeros 0.9.
        for (positions, black) in [(1, 9), (2, 5), (5, 2), (10, 1), (20, 1)] {
            while game.positions < positions {
                game.add(&map("4k3/8/3n4/8/8/8/8/3RK3 w - - 0 1"));
            }
            assert_eq!(game.map().pressure(Square::parse("d6").unwrap(), Color::Black), black);
            assert_eq!(game.map().pressure(Square::parse("d6").unwrap(), Color::White), 4);
        }
    }
}
