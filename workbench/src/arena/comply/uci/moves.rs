//! Moves as UCI writes them, and games against a partner of the engine.

use super::super::board::Board;
use super::conversation::UciConversation;
use super::step::{Finding, NotOk, QUICK};
use trebuchet::board::Rules;
use trebuchet::notation::parse_move;
use trebuchet::protocol::dialect::MoveText;
use trebuchet::variants::Standard;

/// Plays a move of the engine, which must be legal and in coordinate notation.
pub fn must_play<R: Rules>(board: &mut Board<R>, text: &str) -> Finding {
    let position = &board.0;
    let legal = position.legal_moves();
    match legal.iter().find(|&&mv| MoveText::of(position, mv).uci == text) {
        Some(&mv) => {
            board.0.make_move(mv);
            Ok(())
        }
        None => Err(NotOk::Fail(match parse_move(position, text) {
            Ok(mv) => format!("{text} should be {}", MoveText::of(position, mv).uci),
            Err(error) => format!("{text}: {error} in {}", position.fen()),
        })),
    }
}

/// The board after `position`; `start` is `startpos` or `fen` and a FEN.
pub fn board_of<R: Rules>(start: &str, moves: &[&str]) -> Result<Board<R>, NotOk> {
    let mut board = match start.strip_prefix("fen ") {
        Some(fen) => Board::set_up(fen)?,
        None => Board::start(),
    };
    moves.iter().try_for_each(|text| must_play(&mut board, text))?;
    Ok(board)
}

/// Sets up a position in a new game and makes the engine move, which must be legal. Returns the board
/// after it.
pub fn moves_legally<R: Rules>(
    d: &mut UciConversation,
    start: &str,
    moves: &[&str],
) -> Result<Board<R>, NotOk> {
    d.new_game()?;
    answers_legally(d, start, moves)
}

/// The same in chess, as a step of an examination.
pub fn legally(d: &mut UciConversation, start: &str, moves: &[&str]) -> Finding {
    moves_legally::<Standard>(d, start, moves).map(|_| ())
}

/// [`moves_legally`] without `ucinewgame`.
pub fn answers_legally<R: Rules>(
    d: &mut UciConversation,
    start: &str,
    moves: &[&str],
) -> Result<Board<R>, NotOk> {
    let mut board = board_of::<R>(start, moves)?;
    d.position(start, moves)?;
    let search = d.think(QUICK)?;
    must_play(&mut board, search.best()?)?;
    Ok(board)
}

/// A game: the engine and a partner, who has one reply to each position, move in turn, until the engine has
/// made `most` moves or the game is over. All moves must be legal. `think` asks for a move.
pub fn play_against_fixed_replies<R: Rules>(
    d: &mut UciConversation,
    start: &str,
    most: usize,
    mut think: impl FnMut(&mut UciConversation) -> Result<String, NotOk>,
) -> Finding {
    let mut board = board_of::<R>(start, &[])?;
    let mut moves = Vec::new();
    for _ in 0..most {
        d.position(start, &moves)?;
        let answer = think(d)?;
        must_play(&mut board, &answer)?;
        let Some(partner) = board.partner_move() else { break };
        let partner = MoveText::of(&board.0, partner).uci;
        must_play(&mut board, &partner)?;
        if board.outcome().is_some() {
            break;
        }
        moves.extend([answer, partner]);
    }
    Ok(())
}

/// A move after a short search.
pub fn quick_move(d: &mut UciConversation) -> Result<String, NotOk> {
    d.think(QUICK)?.best().map(str::to_owned)
}
