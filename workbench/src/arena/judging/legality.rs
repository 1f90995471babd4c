//! Is a text that a bot prints after `move` a legal move that xboard can read?

use trebuchet::notation::MoveError;
use trebuchet::play::Game;
use trebuchet::types::{Color, Move, Square};

/// The legal move that the text means.
///
/// # Errors
/// Why xboard would not play it, in words.
pub fn read_move(board: &dyn Game, text: &str) -> Result<Move, String> {
    let legal = |error: MoveError| match error {
        MoveError::Unreadable => "not a move in a notation that xboard reads".to_owned(),
        MoveError::CannotCastle | MoveError::WrongWay => match attacked_on_the_way(board, text) {
            Some(square) => format!("castling through check: {square} is attacked"),
            None => error.to_string(),
        },
        MoveError::GameOver => match board.outcome() {
            Some(outcome) => format!("the game is over: {outcome}"),
            None => error.to_string(),
        },
        MoveError::NotYourTurn => {
            match text.get(..2).filter(|from| Square::parse(from).is_some()) {
                Some(from) => format!("the man on {from} belongs to the opponent"),
                None => "the man belongs to the opponent".to_owned(),
            }
        }
        _ => error.to_string(),
    };
    let mv = board.parse_move(text).map_err(legal)?;
    // Some GUIs write every castling as king takes rook, so our parser reads it in each game. xboard
    // reads it in Chess960 alone.
    let takes_rook = mv.is_castling()
        && board.castling_rook(mv).is_none()
        && text.get(2..4).is_some_and(|to| to.starts_with(['a', 'h']));
    if takes_rook {
        return Err(format!("castling is written {mv} in this game"));
    }
    Ok(mv)
}

/// The words of a complaint such as `Illegal move: usermove e2e4!`, without the punctuation around them.
pub fn words_of_complaint(text: &str) -> impl Iterator<Item = &str> {
    let is_punctuation = |c: char| ".,:;!?'\"`()[]<>".contains(c);
    let words = text.split_whitespace().map(move |word| word.trim_matches(is_punctuation));
    words.filter(|word| !word.is_empty())
}

/// Has the word the form of a move in coordinates, as they are sent to bots?
pub fn is_coordinate_move(word: &str) -> bool {
    let is_square = |at: std::ops::Range<usize>| word.get(at).and_then(Square::parse).is_some();
    matches!(word.len(), 4 | 5) && is_square(0..2) && is_square(2..4)
}

/// The square that the king would cross, if castling is meant and this square is attacked.
fn attacked_on_the_way(board: &dyn Game, text: &str) -> Option<String> {
    let rank = match board.side_to_move() {
        Color::White => '1',
        Color::Black => '8',
    };
    let between = ["gf", "cd"].into_iter().find_map(|files| {
        let (to, between) = files.split_at(1);
        let short = if to == "g" { "O-O" } else { "O-O-O" };
        let is_meant = text == format!("e{rank}{to}{rank}") || text == short;
        is_meant.then(|| format!("{between}{rank}"))
    })?;
    let refusal = board.parse_move(&format!("K{between}")).err();
    matches!(refusal, Some(MoveError::LeavesKingInCheck)).then_some(between)
}

/// Does a promotion name its piece, as in `e7e8q`? xboard makes a queen otherwise, UCI knows no such move.
pub fn names_promotion(text: &str) -> bool {
    text.trim().chars().last().is_some_and(|last| !last.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::variants::VariantId;

    #[test]
    fn castling_through_check_names_the_square() {
        let read = |fen, text| {
            let mut board = new_game(VariantId::Standard);
            board.set_board(fen).unwrap();
            read_move(&*board, text).map(|mv| mv.to_string())
        };
        let white = "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1";
        let attacked = |square| Err(format!("castling through check: {square} is attacked"));
        assert_eq!(read(white, "e1g1"), attacked("f1"));
        assert_eq!(read(white, "O-O"), attacked("f1"));
        assert_eq!(read(white, "e1c1"), Ok("e1c1".to_owned()));
        let black = "r3k2r/8/8/8/8/8/3Q4/4K3 b kq - 0 1";
        assert_eq!(read(black, "e8c8"), attacked("d8"));
        let no_king = "4k3/8/8/8/8/5r2/8/R2K3R w - - 0 1";
        assert_eq!(read(no_king, "e1g1"), Err("no such piece".to_owned()));
    }

    /// It is the turn of whoever has to move, so these are no words for it.
    #[test]
    fn a_man_of_the_opponent_is_named() {
        let board = new_game(VariantId::Standard);
        let error = |text| read_move(&*board, text).unwrap_err();
        assert_eq!(error("e7e5"), "the man on e7 belongs to the opponent");
        assert_eq!(error("Ng8f6"), "the man belongs to the opponent");
    }

    #[test]
    fn a_complaint_is_read_whatever_stands_around_the_move() {
        for (text, wanted) in [
            ("usermove e2e4!", "usermove e2e4"),
            ("\"e7e8q\" (blocked).", "e7e8q blocked"),
            (", O-O-O", "O-O-O"),
            (" . ", ""),
        ] {
            assert_eq!(words_of_complaint(text).collect::<Vec<_>>().join(" "), wanted, "{text}");
        }
        assert!(["e2e4", "e7e8q"].into_iter().all(is_coordinate_move));
        let others = ["level", "post", "e2", "e2e9", "e2e4e5", "éé12", "O-O"];
        assert!(!others.into_iter().any(is_coordinate_move));
    }

    #[test]
    fn promotions_name_their_piece() {
        for (text, names) in [("e7e8q", true), ("e8=Q", true), ("e7e8", false), ("e8", false)] {
            assert_eq!(names_promotion(text), names, "{text}");
        }
    }

    #[test]
    fn castling_is_written_as_xboard_reads_it() {
        let read = |variant, text| {
            let mut board = new_game(variant);
            board.set_board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
            read_move(&*board, text).map(|mv| mv.to_string())
        };
        for text in ["e1g1", "O-O", "0-0", "e1-g1", "Ke1g1"] {
            assert_eq!(read(VariantId::Standard, text), Ok("e1g1".to_owned()), "{text}");
        }
        let error = Err("castling is written e1g1 in this game".to_owned());
        assert_eq!(read(VariantId::Standard, "e1h1"), error);
        assert_eq!(read(VariantId::Chess960, "e1h1"), Ok("e1g1".to_owned()));
        let error = Err("not a move in a notation that xboard reads".to_owned());
        assert_eq!(read(VariantId::Standard, "@@@@"), error);
        assert_eq!(read(VariantId::Standard, "a1a9"), error);
        let error = Err("the piece does not move like that".to_owned());
        assert_eq!(read(VariantId::Standard, "a1b3"), error);
    }
}
