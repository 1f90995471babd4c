//! Plays scenes in CECP.

use std::time::Duration;

use super::driver::{Answer, Driver, is_refusal, names_move, play_a_game};
use super::edit::{self, SetUp};
use super::scene::{Asked, PreparedScene, Scene};
use crate::arena::comply::cecp::CecpConversation;
use crate::arena::comply::conversation::Conversation;
use crate::arena::comply::record::{ANSWER, Record};
use crate::arena::comply::step::NotOk;
use crate::arena::engines::EngineError;
use crate::arena::judging::claim::ClaimStanding;
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::legality::read_move;
use trebuchet::cecp::wire::Reply;
use trebuchet::play::Game;
use trebuchet::types::{Color, GameResult};
use trebuchet::variants::VariantId;

/// How long a bot is listened to when it has nothing to do.
const SILENCE: Duration = Duration::from_millis(700);

impl Driver for CecpConversation {
    /// All scenes are written for CECP.
    fn not_in_protocol(&self, prepared: &PreparedScene) -> Option<&'static str> {
        let is_asked = prepared.scene.after_game && self.plays_one_game();
        is_asked.then_some("with `reuse=0` a process plays one game")
    }

    fn ask(&mut self, prepared: &PreparedScene, variant: VariantId) -> Result<Answer, NotOk> {
        let scene = &prepared.scene;
        let name = name_of(variant);
        if let Some(name) = name
            && !self.features().lists_variant(name)
        {
            return Err(NotOk::Skip(format!("does not declare the variant {name}")));
        }
        let set_up = set_up(self, scene, variant)?;
        // Silence is right after the end of a game. Who has declared nothing has to show that it is there at all.
        let is_unknown = prepared.board.outcome().is_some() && !self.has_features();
        if (scene.after_game || is_unknown)
            && let Some(fault) = game_before(self, variant)?
        {
            return Ok(fault);
        }
        self.new_game(name)?;
        let hundredths = scene.clock().as_millis() / 10;
        let clocks = [format!("time {hundredths}"), format!("otim {hundredths}")];
        let moves: Vec<&str> = prepared.moves.iter().map(String::as_str).collect();
        match scene.asked {
            Asked::Reply => {
                self.say(&clocks)?;
                self.play(&moves)?;
            }
            Asked::Go => {
                self.say(&["force"])?;
                self.play(set_up.first_move.as_deref().as_slice())?;
                self.say(&set_up.lines)?;
                self.play(&moves)?;
                if let Some(early) = self.settle()?.into_iter().find_map(early_answer) {
                    return Ok(early);
                }
                self.say(&clocks)?;
                self.say(&["go"])?;
            }
        }
        let answer = match prepared.board.outcome() {
            None => await_answer(self, &*prepared.board, scene.patience())?,
            Some(_) => after_the_end(self, prepared)?,
        };
        if self.is_late() {
            return Ok(Answer::LateFeatures);
        }
        if let Answer::Move(text) = &answer {
            let after = board_after(&*prepared.board, text);
            let bot = prepared.board.side_to_move();
            let mut replies = self.settle()?.into_iter();
            let more = replies.find_map(|reply| said_after_move(reply, bot, after.as_deref()));
            return Ok(more.unwrap_or(answer));
        }
        Ok(answer)
    }

    fn plays_one_game(&self) -> bool {
        self.needs_new_process()
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

/// The name that `variant` needs.
fn name_of(variant: VariantId) -> Option<&'static str> {
    (variant != VariantId::Standard).then(|| variant.name())
}

/// What sets up the position of a scene.
fn set_up(
    conversation: &CecpConversation,
    scene: &Scene,
    variant: VariantId,
) -> Result<SetUp, NotOk> {
    match &scene.fen {
        None => Ok(SetUp::default()),
        Some(fen) if conversation.features().setboard => {
            Ok(SetUp { first_move: None, lines: vec![format!("setboard {fen}")] })
        }
        Some(fen) => edit::set_up(fen, variant).ok_or_else(|| {
            NotOk::Skip("does not declare `setboard`, which the position needs".to_owned())
        }),
    }
}

/// Plays a game before the scene. Returns what goes wrong in it.
fn game_before(
    conversation: &mut CecpConversation,
    variant: VariantId,
) -> Result<Option<Answer>, NotOk> {
    conversation.new_game(name_of(variant))?;
    play_a_game(variant, |board, moves| {
        match moves.last() {
            None => conversation.say(&["time 200", "otim 200", "go"])?,
            Some(reply) => conversation.play(&[reply.as_str()])?,
        }
        await_answer(conversation, board, ANSWER)
    })
}

/// What a bot must not say before it is asked: a move, or that it refuses one.
pub(super) fn early_answer(reply: Reply) -> Option<Answer> {
    match reply {
        Reply::Move(text) => Some(Answer::StrayMove(text)),
        Reply::IllegalMove { text, .. } if is_refusal(&text) => Some(Answer::Refusal(text)),
        Reply::Error { text, .. } if names_move(&text) => Some(Answer::NotUnderstood(text)),
        _ => None,
    }
}

fn await_answer(
    conversation: &mut CecpConversation,
    board: &dyn Game,
    patience: Duration,
) -> Result<Answer, NotOk> {
    let mut bare = None;
    let reply = conversation.await_reply(patience, |reply| {
        if let Reply::Other(text) = reply
            && board.parse_move(text.trim()).is_ok()
        {
            bare.get_or_insert_with(|| text.trim().to_owned());
        }
        is_answer(reply)
    })?;
    Ok(read_answer(reply, board, bare))
}

/// What a bot does that is told to go when the game is over. With `ping` all that it says before its `pong` is its
/// answer, however long it thinks.
fn after_the_end(
    conversation: &mut CecpConversation,
    prepared: &PreparedScene,
) -> Result<Answer, NotOk> {
    let board = &*prepared.board;
    if !conversation.features().ping {
        return await_answer(conversation, board, prepared.scene.clock() + SILENCE);
    }
    match conversation.settle()?.into_iter().find(is_answer) {
        None => await_answer(conversation, board, SILENCE),
        answer => Ok(read_answer(answer, board, None)),
    }
}

/// The board after a move of the bot, if it is legal.
fn board_after(board: &dyn Game, text: &str) -> Option<Box<dyn Game>> {
    let mv = read_move(board, text).ok()?;
    let mut after = board.fork();
    after.play(mv);
    Some(after)
}

/// What is wrong with a reply that comes after the bot's move: it moves again, or ends the game without a reason on
/// the board after the move.
fn said_after_move(reply: Reply, bot: Color, after: Option<&dyn Game>) -> Option<Answer> {
    if let Reply::Move(text) = reply {
        return Some(Answer::SecondMove(text));
    }
    let board = after?;
    let outcome = board.outcome();
    match reply {
        Reply::Result(result, comment) if result != GameResult::Win(!bot) => {
            let standing = ClaimStanding::of(board, bot, result, &comment, false);
            let but = match outcome {
                Some(outcome) => format!("although the game is over: {outcome}"),
                None => "although the game goes on".to_owned(),
            };
            let text = format!("claims {result} after its move {but}");
            let claim = Answer::Wrong(Some(Criterion::ResultClaims), text);
            (standing == ClaimStanding::False).then_some(claim)
        }
        Reply::Resign | Reply::Result(..) => {
            let resignation = Answer::Wrong(None, "resigns after its move".to_owned());
            outcome.is_none().then_some(resignation)
        }
        _ => None,
    }
}

fn read_answer(reply: Option<Reply>, board: &dyn Game, bare: Option<String>) -> Answer {
    match reply {
        Some(Reply::Move(text)) => Answer::Move(text),
        Some(Reply::Resign) => Answer::Resignation,
        Some(Reply::IllegalMove { text, .. }) => Answer::Refusal(text),
        Some(Reply::Error { text, .. }) => Answer::NotUnderstood(text),
        Some(Reply::Result(result, _)) => Answer::to_result(result, board),
        _ => Answer::Nothing { bare },
    }
}

/// Does the reply answer a move, or a `go`?
fn is_answer(reply: &Reply) -> bool {
    match reply {
        Reply::Move(_) | Reply::Resign | Reply::Result(..) => true,
        Reply::IllegalMove { text, .. } => is_refusal(text),
        // Other commands that a bot does not know are no fault.
        Reply::Error { text, .. } => names_move(text),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;

    #[test]
    fn what_is_said_after_a_move_is_held_against_the_board() {
        let said = |fen: &str, mv, line: &str| {
            let mut board = new_game(VariantId::Standard);
            board.set_board(fen).unwrap();
            let after = board_after(&*board, mv);
            said_after_move(Reply::parse(line.as_bytes()), board.side_to_move(), after.as_deref())
        };
        let claim = |text: &str| Some(Answer::Wrong(Some(Criterion::ResultClaims), text.into()));
        let resigns = Some(Answer::Wrong(None, "resigns after its move".into()));
        let queen = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1";
        let goes_on = "after its move although the game goes on";
        let told = |line| said(queen, "g1g2", line);
        assert_eq!(told("1-0 {White mates}"), claim(&format!("claims 1-0 {goes_on}")));
        assert_eq!(told("1/2-1/2 {Stalemate}"), claim(&format!("claims 1/2-1/2 {goes_on}")));
        assert_eq!(told("0-1 {Black mates}"), resigns);
        assert_eq!(told("resign"), resigns);
        assert_eq!(told("move g2g3"), Some(Answer::SecondMove("g2g3".into())));
        for line in ["1-0 {Black's flag fell}", "offer draw", "pong 1", "* {White mates}"] {
            assert_eq!(told(line), None, "{line}");
        }
        for line in ["1-0 {White mates}", "0-1 {Black mates}", "resign"] {
            assert_eq!(said(queen, "g1g7", line), None, "it mates");
        }
        let stalemate = "after its move although the game is over: Stalemate";
        let told = |line| said("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", line);
        assert_eq!(told("1-0 {White mates}"), claim(&format!("claims 1-0 {stalemate}")));
        assert_eq!(told("1/2-1/2 {Stalemate}"), None);
        // The move is judged.
        assert_eq!(said(queen, "g1h3", "1-0 {White mates}"), None);
    }
}
