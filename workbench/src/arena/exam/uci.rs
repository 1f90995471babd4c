//! Plays scenes in UCI. A bot is told the whole game with each `go`, so it has no side of its own, cannot
//! resign, and is not asked after the end of a game.

use std::time::Duration;

use super::accept::Accept;
use super::driver::{Answer, Driver, play_a_game};
use super::scene::{Asked, CLOCK, PreparedScene};
use crate::arena::comply::conversation::Conversation;
use crate::arena::comply::record::{ANSWER, Record};
use crate::arena::comply::step::NotOk;
use crate::arena::comply::uci::UciConversation;
use crate::arena::engines::connection::uci::{UCI_CHESS960, UCI_VARIANT};
use crate::arena::engines::{EngineError, FenDialect, VariantNames};
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::legality::{names_promotion, read_move};
use crate::arena::judging::sheet::shown;
use trebuchet::play::Game;
use trebuchet::uci::wire::{OptionKind, Reply};
use trebuchet::variants::VariantId;

/// Why no bot can be asked for this in UCI; `None` if bots can.
pub fn not_in_uci(prepared: &PreparedScene) -> Option<&'static str> {
    let PreparedScene { scene, board, .. } = prepared;
    if scene.asked == Asked::Reply {
        Some("in UCI no bot moves without `go`")
    } else if board.outcome().is_some() {
        Some("in UCI nobody asks for a move after the end of a game")
    } else if !scene.accept.is_empty()
        && scene.accept.iter().all(|accept| *accept == Accept::Resignation)
    {
        Some("UCI has no command to resign")
    } else {
        None
    }
}

impl Driver for UciConversation {
    fn not_in_protocol(&self, prepared: &PreparedScene) -> Option<&'static str> {
        not_in_uci(prepared)
    }

    fn ask(&mut self, prepared: &PreparedScene, variant: VariantId) -> Result<Answer, NotOk> {
        let scene = &prepared.scene;
        set_variant(self, variant)?;
        if scene.after_game {
            self.new_game()?;
            let ask = |board: &dyn Game, moves: &[String]| {
                think(self, board, ("startpos", moves), (CLOCK, ANSWER))
            };
            if let Some(fault) = play_a_game(variant, ask)? {
                return Ok(fault);
            }
        }
        self.new_game()?;
        let start = match &scene.fen {
            Some(fen) => {
                let fen = FenDialect::default().write(fen, variant);
                format!(
                    "fen {}",
                    fen.ok_or_else(|| NotOk::Skip("does not take a position".into()))?
                )
            }
            None => "startpos".to_owned(),
        };
        let times = (scene.clock(), scene.patience());
        think(self, &*prepared.board, (&start, &prepared.moves), times)
    }

    fn start_again(&mut self) -> Result<(), EngineError> {
        self.record_mut().begin_process();
        self.restart()
    }

    fn transcript(&self) -> &Record {
        self.record()
    }

    fn transcript_mut(&mut self) -> &mut Record {
        self.record_mut()
    }
}

/// Names the game.
///
/// # Errors
/// If the bot does not declare it.
fn set_variant(conversation: &mut UciConversation, variant: VariantId) -> Result<(), NotOk> {
    let VariantNames { uci: name, is_chess960, .. } = VariantNames::of(variant);
    let values = match conversation.option(UCI_VARIANT).map(|option| &option.kind) {
        Some(OptionKind::Combo { values, .. }) => values.as_slice(),
        _ => &[],
    };
    if values.iter().any(|value| value == name) {
        conversation.set(UCI_VARIANT, name)?;
    } else if name != VariantNames::of(VariantId::Standard).uci {
        return Err(NotOk::Skip(format!("does not declare the variant {name}")));
    }
    if is_chess960 {
        if conversation.option(UCI_CHESS960).is_none() {
            return Err(NotOk::Skip(format!("does not declare `{UCI_CHESS960}`")));
        }
        conversation.set(UCI_CHESS960, "true")?;
    }
    Ok(())
}

/// Asks for a move on this board, which stands after these moves from the start, with this time on both clocks, and
/// waits for so long.
fn think(
    conversation: &mut UciConversation,
    board: &dyn Game,
    (start, moves): (&str, &[String]),
    (clock, patience): (Duration, Duration),
) -> Result<Answer, NotOk> {
    conversation.position(start, moves)?;
    let clock = clock.as_millis();
    conversation.say(&[format!("go wtime {clock} btime {clock}")])?;
    let reply =
        conversation.await_reply(patience, |reply| matches!(reply, Reply::BestMove { .. }))?;
    let Some(text) = reply.and_then(best_move) else { return Ok(Answer::Nothing { bare: None }) };
    let second = conversation.settle()?.into_iter().find_map(best_move);
    Ok(second.map_or_else(|| read_answer(board, text), Answer::SecondMove))
}

/// The move of a `bestmove`.
fn best_move(reply: Reply) -> Option<String> {
    match reply {
        Reply::BestMove { mv, .. } => Some(mv.unwrap_or_else(|| "(none)".to_owned())),
        _ => None,
    }
}

/// A move as the bot writes it. Moves that UCI writes in another way are wrong in it, though CECP has them.
fn read_answer(board: &dyn Game, text: String) -> Answer {
    let Ok(mv) = read_move(board, &text) else { return Answer::Move(text) };
    let wanted = match board.castling_rook(mv) {
        Some(rook) => format!("{}{rook}", mv.from()),
        None => mv.to_string(),
    };
    // What is missing of a promotion is a criterion of its own.
    if text == wanted || mv.is_promotion() && !names_promotion(&text) {
        return Answer::Move(text);
    }
    let words = format!("plays {}: in UCI this move is {wanted}", shown(&text));
    Answer::Wrong(Some(Criterion::LegalMoves), words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;

    #[test]
    fn moves_are_written_as_in_uci() {
        let read = |variant, fen, text: &str| {
            let mut board = new_game(variant);
            board.set_board(fen).unwrap();
            match read_answer(&*board, text.to_owned()) {
                Answer::Wrong(Some(Criterion::LegalMoves), words) => words,
                answer => {
                    assert_eq!(answer, Answer::Move(text.to_owned()));
                    String::new()
                }
            }
        };
        let castles = "4k3/1P6/8/8/8/8/4P3/4K2R w K - 0 1";
        for (text, wanted) in [
            ("O-O", "e1g1"),
            ("e4", "e2e4"),
            ("e2-e4", "e2e4"),
            ("b7b8Q", "b7b8q"),
            ("b8=N", "b7b8n"),
        ] {
            let words = format!("plays {text}: in UCI this move is {wanted}");
            assert_eq!(read(VariantId::Standard, castles, text), words);
        }
        // The scene judges these.
        for text in ["e1g1", "e2e4", "b7b8q", "b7b8", "e1h1", "e2e5", "(none)"] {
            assert_eq!(read(VariantId::Standard, castles, text), "", "{text}");
        }
        let words = "plays e1g1: in UCI this move is e1h1";
        assert_eq!(read(VariantId::Chess960, castles, "e1g1"), words);
        assert_eq!(read(VariantId::Chess960, castles, "e1h1"), "");
        let in_hand = "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1";
        assert_eq!(read(VariantId::Crazyhouse, in_hand, "N@e4"), "");
    }
}
