//! Sets positions up with `edit`, for bots that do not declare `setboard`, as xboard does it.

use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, PieceKind, Square};
use trebuchet::variants::VariantId;

/// The squares of king and rook before castling, with the letter of the right.
const CASTLING: [(&str, &str, char); 4] =
    [("e1", "h1", 'K'), ("e1", "a1", 'Q'), ("e8", "h8", 'k'), ("e8", "a8", 'q')];

/// The move with which xboard gives Black the turn, whatever the game.
const XBOARDS_MOVE: &str = "a2a3";

/// What sets a position up in force mode after `new`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetUp {
    /// A move to play before the lines, in coordinates: White moves, so it is Black's turn, whatever men there are
    /// afterwards.
    pub first_move: Option<String>,
    /// What to say then.
    pub lines: Vec<String>,
}

/// How `edit` sets a position up; `None` if it cannot say all of it: men in hand, checks given, a capture en passant,
/// or that a king and a rook at home may not castle.
pub fn set_up(fen: &str, variant: VariantId) -> Option<SetUp> {
    let mut board = new_game(variant);
    board.set_board(fen).ok()?;
    let fields: Vec<&str> = fen.split(' ').collect();
    let (&placement, &castling, &en_passant) = (fields.first()?, fields.get(2)?, fields.get(3)?);
    let start = new_game(variant);
    let has_castling = start.fen().split(' ').nth(2) != Some("-");
    let is_plain = !placement.contains(['[', '~'])
        && board.describe_state() == start.describe_state()
        && variant != VariantId::Chess960
        && (!has_castling || castling == rights_at_home(&*board))
        && en_passant == "-";
    if !is_plain {
        return None;
    }
    let men = |color: Color| {
        let man = |square: Square| {
            let piece = board.piece_at(square).filter(|piece| piece.color() == color)?;
            Some(format!("{}{square}", piece.kind().letter()))
        };
        Square::all().filter_map(man).collect::<Vec<_>>()
    };
    let first_move = match board.side_to_move() {
        Color::White => None,
        Color::Black => Some(move_of_white(variant)?),
    };
    let mut lines = ["edit", "#"].map(str::to_owned).to_vec();
    lines.extend(men(Color::White));
    lines.push("c".to_owned());
    lines.extend(men(Color::Black));
    lines.push(".".to_owned());
    Some(SetUp { first_move, lines })
}

/// A legal move in the start position: that of xboard, if it is one. It is none in Horde, where a White pawn is in its
/// way, and in Racing Kings, where Black's king stands on a2.
fn move_of_white(variant: VariantId) -> Option<String> {
    let board = new_game(variant);
    let mv =
        board.parse_move(XBOARDS_MOVE).ok().or_else(|| board.legal_moves().first().copied())?;
    Some(board.coordinate(mv))
}

/// The castling rights that a bot has to suppose, because kings and rooks stand at home.
fn rights_at_home(board: &dyn Game) -> String {
    let is_at = |square: &str, kind: PieceKind, color: Color| {
        let piece = Square::parse(square).and_then(|square| board.piece_at(square));
        piece.is_some_and(|piece| piece.kind() == kind && piece.color() == color)
    };
    let has = |&&(king, rook, right): &&(&str, &str, char)| {
        let color = if right.is_ascii_uppercase() { Color::White } else { Color::Black };
        is_at(king, PieceKind::King, color) && is_at(rook, PieceKind::Rook, color)
    };
    let rights: String = CASTLING.iter().filter(has).map(|&(_, _, right)| right).collect();
    if rights.is_empty() { "-".to_owned() } else { rights }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_set_up_man_by_man() {
        let said = |fen: &str| {
            let SetUp { first_move, lines } = set_up(fen, VariantId::Standard)?;
            Some(first_move.into_iter().chain(lines).collect::<Vec<_>>().join(" "))
        };
        let white = "edit # Ra1 Ke1 Pa2 c Kg8 .";
        assert_eq!(said("6k1/8/8/8/8/8/P7/R3K3 w Q - 0 1").as_deref(), Some(white));
        let black = "a2a3 edit # Kg1 c Nf6 Kg8 .";
        assert_eq!(said("6k1/8/5n2/8/8/8/8/6K1 b - - 0 1").as_deref(), Some(black));
        for fen in
            ["6k1/8/8/8/8/8/P7/R3K3 w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "nonsense"]
        {
            assert_eq!(said(fen), None, "{fen}");
        }
        let hand = "4R1k1/5ppp/8/8/8/8/8/6K1[n] b - - 0 1";
        assert_eq!(set_up(hand, VariantId::Crazyhouse), None);
        let checks = "4k3/8/8/8/8/8/8/4K3 w - - 1+3 0 1";
        assert_eq!(set_up(checks, VariantId::ThreeCheck), None);
        for (variant, fen) in [
            (VariantId::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1"),
            (VariantId::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            (VariantId::Crazyhouse, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            (VariantId::Antichess, "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        ] {
            assert!(set_up(fen, variant).is_some(), "{fen}");
        }
    }

    /// A bot that refuses the move that gives Black the turn would be blamed for it.
    #[test]
    fn the_move_that_gives_black_the_turn_is_legal() {
        let position = "6k1/8/5n2/8/8/8/8/6K1 b - - 0 1";
        for (variant, fen) in [
            (VariantId::Standard, position),
            (VariantId::Atomic, position),
            (VariantId::Antichess, position),
            (VariantId::Horde, "6k1/8/5n2/8/8/8/PP6/8 b - - 0 1"),
            (VariantId::RacingKings, "8/8/8/8/8/8/k6K/8 b - - 0 1"),
        ] {
            let first_move = set_up(fen, variant).and_then(|set_up| set_up.first_move);
            let first_move = first_move.unwrap_or_else(|| panic!("{variant:?}"));
            assert!(new_game(variant).parse_move(&first_move).is_ok(), "{variant:?}: {first_move}");
        }
    }
}
