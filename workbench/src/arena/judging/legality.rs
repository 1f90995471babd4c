//! Is a text that a bot prints after `move` a legal move that xboard can read?

use trebuchet::notation::MoveError;
use trebuchet::play::Game;
use trebuchet::types::Move;

/// The legal move that the text means.
///
/// # Errors
/// Why xboard would not play it, in words.
pub fn read_move(board: &dyn Game, text: &str) -> Result<Move, String> {
    let legal = |error: MoveError| match error {
        MoveError::Unreadable => "not a move in a notation that xboard reads".to_owned(),
        MoveError::GameOver => match board.outcome() {
            Some(outcome) => format!("the game is over: {outcome}"),
            None => error.to_string(),
        },
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

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::variants::VariantId;

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
