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
use crate::arena::engines::{EngineError, FenDialect, VariantNames};
use trebuchet::play::Game;
use trebuchet::uci::wire::{OptionKind, Reply};
use trebuchet::variants::VariantId;

/// The option that makes a bot play Chess960, and castle as the king that takes its own rook.
const UCI_CHESS960: &str = "UCI_Chess960";

impl Driver for UciConversation {
    fn not_in_protocol(&self, prepared: &PreparedScene) -> Option<&'static str> {
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

    fn ask(&mut self, prepared: &PreparedScene, variant: VariantId) -> Result<Answer, NotOk> {
        let scene = &prepared.scene;
        set_variant(self, variant)?;
        if scene.after_game {
            self.new_game()?;
            let ask =
                |_: &dyn Game, moves: &[String]| think(self, "startpos", moves, (CLOCK, ANSWER));
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
        think(self, &start, &prepared.moves, (scene.clock(), scene.patience()))
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
    let values = match conversation.option("UCI_Variant").map(|option| &option.kind) {
        Some(OptionKind::Combo { values, .. }) => values.as_slice(),
        _ => &[],
    };
    if values.iter().any(|value| value == name) {
        conversation.set("UCI_Variant", name)?;
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

/// Asks for a move after these ones, with this time on both clocks, and waits for so long.
fn think(
    conversation: &mut UciConversation,
    start: &str,
    moves: &[String],
    (clock, patience): (Duration, Duration),
) -> Result<Answer, NotOk> {
    conversation.position(start, moves)?;
    let clock = clock.as_millis();
    conversation.say(&[format!("go wtime {clock} btime {clock}")])?;
    let reply =
        conversation.await_reply(patience, |reply| matches!(reply, Reply::BestMove { .. }))?;
    Ok(match reply {
        Some(Reply::BestMove { mv, .. }) => Answer::Move(mv.unwrap_or_else(|| "(none)".to_owned())),
        _ => Answer::Nothing { bare: None },
    })
}
