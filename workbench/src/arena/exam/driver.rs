//! What an examination asks of a bot, whatever its protocol: to be set up in a scene, and to do something there.

use super::scene::PreparedScene;
#[cfg(doc)]
use crate::arena::comply::conversation::Conversation;
use crate::arena::comply::record::Record;
use crate::arena::comply::step::NotOk;
use crate::arena::engines::EngineError;
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::legality::{is_coordinate_move, read_move, words_of_complaint};
use crate::arena::judging::sheet::shown;
use trebuchet::play::{Game, new_game};
use trebuchet::types::GameResult;
use trebuchet::variants::VariantId;

/// What a bot does when it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Move(String),
    Resignation,
    Claim(GameResult),
    /// A move in force mode.
    StrayMove(String),
    /// `Illegal move` for a legal move of the scene.
    Refusal(String),
    /// `Error` for a legal move of the scene.
    NotUnderstood(String),
    /// One move more than it was asked for.
    SecondMove(String),
    /// The features, after the time for them.
    LateFeatures,
    /// No move in the game before the scene.
    NothingBefore,
    /// No move. `bare` is a line that would be one with `move` before it.
    Nothing {
        bare: Option<String>,
    },
    /// What no scene accepts: the criterion that it breaks, if there is one, and words that follow "the bot".
    Wrong(Option<Criterion>, String),
}

impl Answer {
    /// A refusal has the move that it means, of those that were sent: the last one if it names none.
    pub fn naming_the_move(self, sent: &[String]) -> Answer {
        let Answer::Refusal(text) = self else { return self };
        let named = words_of_complaint(&text).find(|word| is_coordinate_move(word));
        let meant = named.or(sent.last().map(String::as_str));
        Answer::Refusal(meant.unwrap_or_default().to_owned())
    }

    /// Is it that something did not come in time?
    pub const fn is_late(&self) -> bool {
        matches!(
            self,
            Answer::LateFeatures | Answer::NothingBefore | Answer::Nothing { bare: None }
        )
    }

    /// The answer of a bot that is to move and tells a result: while the game goes on, a win of the other side is a
    /// resignation.
    pub fn to_result(result: GameResult, board: &dyn Game) -> Answer {
        let is_loss = result == GameResult::Win(!board.side_to_move());
        match is_loss && board.outcome().is_none() {
            true => Answer::Resignation,
            false => Answer::Claim(result),
        }
    }
}

/// Does an `Illegal move` with this text refuse a move? Some bots call every command illegal that they do not know.
pub fn is_refusal(text: &str) -> bool {
    names_move(text) || words_of_complaint(text).next().is_none()
}

/// Does a complaint name a move, as we send them?
pub fn names_move(text: &str) -> bool {
    words_of_complaint(text).any(is_coordinate_move)
}

/// The conversation with a bot in its protocol.
pub trait Driver {
    /// Why no bot can be asked for this in the protocol; `None` if bots can.
    fn not_in_protocol(&self, prepared: &PreparedScene) -> Option<&'static str>;

    /// Sets the scene up and asks the bot.
    ///
    /// # Errors
    /// If the bot does not declare what the scene needs, does not obey, or has ended.
    fn ask(&mut self, prepared: &PreparedScene, variant: VariantId) -> Result<Answer, NotOk>;

    /// Does the bot ask for a new process for each game?
    fn plays_one_game(&self) -> bool {
        false
    }

    /// Replaces the process by a new one, where one process plays several scenes.
    ///
    /// # Errors
    /// As [`Conversation::restart`].
    fn start_again(&mut self) -> Result<(), EngineError>;

    fn transcript(&self) -> &Record;

    fn transcript_mut(&mut self) -> &mut Record;
}

/// The beginning of another game: two moves of the bot as White. `answer` asks the bot for a move in a position
/// after these moves. Returns what the bot is to be judged for at once: that it does not move.
///
/// # Errors
/// If the bot plays a move that is not legal, does not obey, or has ended.
pub fn play_a_game(
    variant: VariantId,
    mut answer: impl FnMut(&dyn Game, &[String]) -> Result<Answer, NotOk>,
) -> Result<Option<Answer>, NotOk> {
    let mut board = new_game(variant);
    let mut moves = Vec::new();
    for _ in 0..2 {
        let text = match answer(&*board, &moves)? {
            Answer::Move(text) => text,
            Answer::Nothing { bare: None } => return Ok(Some(Answer::NothingBefore)),
            // The scene itself judges how it moves.
            _ => return Ok(None),
        };
        let mv = read_move(&*board, &text).map_err(|reason| {
            let place = if moves.is_empty() {
                "first".to_owned()
            } else {
                format!("after {}", moves.join(" "))
            };
            NotOk::Fail(format!("plays {} {place} in the game before: {reason}", shown(&text)))
        })?;
        moves.push(board.coordinate(mv));
        board.play(mv);
        let Some(&reply) = board.legal_moves().first() else { return Ok(None) };
        moves.push(board.coordinate(reply));
        board.play(reply);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::types::Color;
    use trebuchet::variants::VariantId;

    #[test]
    fn a_win_told_for_the_other_side_is_a_resignation() {
        let mut game = new_game(VariantId::Standard);
        let answer = |game: &dyn Game, winner| Answer::to_result(GameResult::Win(winner), game);
        assert_eq!(answer(&*game, Color::Black), Answer::Resignation);
        let claim = Answer::Claim(GameResult::Win(Color::White));
        assert_eq!(answer(&*game, Color::White), claim);
        game.set_board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(answer(&*game, Color::White), claim, "mate is a result to claim");
    }
}
