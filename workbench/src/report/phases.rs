//! The parts of a game: opening, middlegame, endgame.

use trebuchet::board::Hands;
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, PieceKind};
use trebuchet::variants::VariantId;

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

/// Of the 14 queens, rooks, bishops and knights with which chess begins: with `MIDDLEGAME_PIECES` or fewer the
/// opening is over, and with `ENDGAME_PIECES` or fewer the endgame begins. Other games have their share of those
/// with which they begin.
const CHESS_PIECES: usize = 14;
const MIDDLEGAME_PIECES: usize = 10;
const ENDGAME_PIECES: usize = 6;
/// The opening is over, too, when a side that began with a full first rank has so few of its men left on it.
const FULL_RANK: usize = 8;
const FIRST_RANK: usize = 3;

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "Opening",
            Phase::Middlegame => "Middlegame",
            Phase::Endgame => "Endgame",
        }
    }
}

/// With what a game begins: its phases are measured by that.
pub struct Beginning {
    /// The number of queens, rooks, bishops and knights.
    pieces: usize,
    /// The sides whose men fill their first rank.
    full_ranks: Vec<Color>,
}

impl Beginning {
    pub fn of(variant: VariantId) -> Beginning {
        let start = new_game(variant);
        let is_full = |&color: &Color| men_at_home(&*start, color) == FULL_RANK;
        let full_ranks = Color::ALL.into_iter().filter(is_full).collect();
        Beginning { pieces: pieces_of(&*start), full_ranks }
    }

    /// The phase of a position. It is no earlier than `last`, the phase of the position before.
    pub fn phase(&self, game: &dyn Game, last: Phase) -> Phase {
        let count = pieces_of(game);
        let is_at_most = |of_chess| count * CHESS_PIECES <= self.pieces * of_chess;
        let is_opened =
            || self.full_ranks.iter().any(|&color| men_at_home(game, color) <= FIRST_RANK);
        let phase = if is_at_most(ENDGAME_PIECES) {
            Phase::Endgame
        } else if is_at_most(MIDDLEGAME_PIECES) || is_opened() {
            Phase::Middlegame
        } else {
            Phase::Opening
        };
        phase.max(last)
    }
}

/// The number of queens, rooks, bishops and knights of both sides, on the board and in hand.
fn pieces_of(game: &dyn Game) -> usize {
    let is_piece = |kind: &PieceKind| !matches!(kind, PieceKind::Pawn | PieceKind::King);
    let on_board =
        game.pieces().into_iter().flatten().filter(|piece| is_piece(&piece.kind())).count();
    let in_hand = |hands: Hands| -> usize {
        let places = Hands::places().filter(|(_, kind)| is_piece(kind));
        places.map(|(color, kind)| hands.count(color, kind)).sum()
    };
    on_board + game.hands().map_or(0, in_hand)
}

/// The number of men of a side on its first rank.
fn men_at_home(game: &dyn Game, color: Color) -> usize {
    let start = if color == Color::White { 0 } else { 56 };
    let pieces = game.pieces();
    let men = pieces[start..start + 8].iter().flatten();
    men.filter(|piece| piece.color() == color).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase_of(variant: VariantId, fen: &str, last: Phase) -> Phase {
        let mut game = new_game(variant);
        game.set_board(fen).unwrap();
        Beginning::of(variant).phase(&*game, last)
    }

    #[test]
    fn pieces_and_first_ranks_tell_the_phase() {
        let phase = |fen: &str, last| phase_of(VariantId::Standard, fen, last);
        let start = new_game(VariantId::Standard).fen();
        assert_eq!(phase(&start, Phase::Opening), Phase::Opening);
        // It does not go back.
        assert_eq!(phase(&start, Phase::Endgame), Phase::Endgame);
        let developed = "r4rk1/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R4RK1 w - - 0 9";
        assert_eq!(phase(developed, Phase::Opening), Phase::Middlegame);
        let rooks = "r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w - - 0 20";
        assert_eq!(phase(rooks, Phase::Opening), Phase::Endgame);
        // Ten pieces at home, and six.
        for (black, expected) in [("r1b1kb1r", Phase::Middlegame), ("4k3", Phase::Endgame)] {
            let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w - - 0 1");
            assert_eq!(phase(&fen, Phase::Opening), expected, "{fen}");
        }
    }

    #[test]
    fn each_game_is_measured_by_its_own_beginning() {
        for &variant in VariantId::ALL {
            let start = new_game(variant);
            let phase = Beginning::of(variant).phase(&*start, Phase::Opening);
            assert_eq!(phase, Phase::Opening, "{}", variant.name());
        }
        for (variant, fen, expected) in [
            (VariantId::RacingKings, "8/8/8/8/8/5N2/krbnNBRK/qrbn1BRQ b - - 1 1", Phase::Opening),
            (VariantId::RacingKings, "8/8/8/8/8/2K5/k1b1NB2/1rb2BR1 b - - 0 9", Phase::Middlegame),
            (VariantId::RacingKings, "8/8/8/8/8/2K5/k1b5/1rb2BR1 b - - 0 9", Phase::Endgame),
            (
                VariantId::Horde,
                "r1bqk2r/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP b - - 0 9",
                Phase::Middlegame,
            ),
            (
                VariantId::Horde,
                "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP b - - 0 9",
                Phase::Endgame,
            ),
        ] {
            assert_eq!(phase_of(variant, fen, Phase::Opening), expected, "{fen}");
        }
    }

    #[test]
    fn men_in_hand_are_still_in_the_game() {
        for (hand, expected) in [("QBNqbn", Phase::Opening), ("PPPppp", Phase::Middlegame)] {
            let fen = format!("rnb1k2r/pppp1ppp/8/8/8/8/PPPP1PPP/R3KBNR[{hand}] w - - 0 20");
            assert_eq!(phase_of(VariantId::Crazyhouse, &fen, Phase::Opening), expected, "{hand}");
        }
    }
}
