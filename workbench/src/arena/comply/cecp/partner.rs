//! Games against a partner of the engine.

use super::super::board::Board;
use super::conversation::CecpConversation;
use super::step::{Finding, expect, ms};
use trebuchet::board::Rules;
use trebuchet::notation::coordinate;

/// The partner's move in a position, as CECP writes it.
pub fn partner_move<R: Rules>(board: &Board<R>) -> Option<String> {
    board.partner_move().map(coordinate::<R>)
}

/// A game after `go`: the engine and a partner, who has one reply to each position, move in turn, until
/// the engine has made `moves` moves or the game is over. All moves must be legal.
pub fn play_against_fixed_replies<R: Rules>(
    d: &mut CecpConversation,
    mut board: Board<R>,
    moves: usize,
) -> Finding {
    for number in 1.. {
        let answer = expect(d.await_move(ms(10_000))?, "move")?;
        board.must_play(&answer)?;
        let Some(partner) = partner_move(&board).filter(|_| number < moves) else { break };
        board.must_play(&partner)?;
        if board.outcome().is_some() {
            break;
        }
        d.say(&["time 500", "otim 500"])?;
        d.play(&[&partner])?;
    }
    Ok(())
}
