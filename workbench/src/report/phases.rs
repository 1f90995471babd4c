//! The parts of a game: opening, middlegame, endgame.

use trebuchet::types::{Color, Piece, PieceKind};

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

/// With so many queens, rooks, bishops and knights on the board, or fewer, the opening is over; and with so
/// many the endgame begins.
const MIDDLEGAME_PIECES: usize = 10;
const ENDGAME_PIECES: usize = 6;
/// The opening is over, too, when a side has so few of its men left on its first rank.
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

    /// The phase of a position with these men, by square from a1. It is no earlier than `last`, the phase of
    /// the position before.
    pub fn of(pieces: &[Option<Piece>; 64], last: Phase) -> Phase {
        let is_piece = |piece: &Piece| !matches!(piece.kind(), PieceKind::Pawn | PieceKind::King);
        let count = pieces.iter().flatten().filter(|piece| is_piece(piece)).count();
        let at_home = |color: Color| {
            let start = if color == Color::White { 0 } else { 56 };
            let men = pieces[start..start + 8].iter().flatten();
            men.filter(|piece| piece.color() == color).count()
        };
        let is_opened = Color::ALL.into_iter().any(|color| at_home(color) <= FIRST_RANK);
        let phase = if count <= ENDGAME_PIECES {
            Phase::Endgame
        } else if count <= MIDDLEGAME_PIECES || is_opened {
            Phase::Middlegame
        } else {
            Phase::Opening
        };
        phase.max(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::variants::VariantId;

    #[test]
    fn pieces_and_first_ranks_tell_the_phase() {
        let phase = |fen: &str, last| {
            let mut game = new_game(VariantId::Standard);
            game.set_board(fen).unwrap();
            Phase::of(&game.pieces(), last)
        };
        let start = new_game(VariantId::Standard).fen();
        assert_eq!(phase(&start, Phase::Opening), Phase::Opening);
        // It does not go back.
        assert_eq!(phase(&start, Phase::Endgame), Phase::Endgame);
        let developed = "r4rk1/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R4RK1 w - - 0 9";
        assert_eq!(phase(developed, Phase::Opening), Phase::Middlegame);
        let rooks = "r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w - - 0 20";
        assert_eq!(phase(rooks, Phase::Opening), Phase::Endgame);
    }
}
