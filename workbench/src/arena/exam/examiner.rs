//! Plays scenes with a bot, and judges what it does.

use std::collections::HashMap;

use super::accept::Accept;
use super::driver::{Answer, Driver};
use super::report::{SceneReport, SceneVerdict};
use super::scene::Scene;
use crate::arena::comply::record::{ANSWER, TranscriptLine};
use crate::arena::comply::step::NotOk;
use crate::arena::engines::EngineError;
use crate::arena::judging::event::{EventKind, EventSink, GameEvent};
use crate::arena::judging::judges::Panel;
use crate::arena::judging::legality::{names_promotion, read_move};
use crate::arena::judging::settings::CheckSettings;
use crate::arena::judging::sheet::shown;
use trebuchet::play::Game;
use trebuchet::variants::VariantId;

/// Examines one bot in one game.
pub struct Examiner {
    driver: Box<dyn Driver>,
    variant: VariantId,
    settings: CheckSettings,
    seed: u64,
    /// By the reason of a failure: the id of the first scene that failed for it, twice.
    failures: HashMap<String, String>,
}

impl Examiner {
    pub fn new(
        driver: Box<dyn Driver>,
        variant: VariantId,
        settings: CheckSettings,
        seed: u64,
    ) -> Examiner {
        Examiner { driver, variant, settings, seed, failures: HashMap::new() }
    }

    /// Plays a scene. One that fails is played once more with a new process, so that chance does not
    /// decide, unless another scene has failed for the same reason.
    ///
    /// # Errors
    /// If the bot cannot be started again, or the signal is given.
    pub fn examine(&mut self, scene: &Scene) -> Result<SceneReport, EngineError> {
        let first = self.play(scene)?;
        if first.verdict != SceneVerdict::Failed {
            return Ok(first);
        }
        self.driver.start_again()?;
        let message = first.message.clone().unwrap_or_default();
        if let Some(earlier) = self.failures.get(&message) {
            return Ok(SceneReport { same_as: Some(earlier.clone()), ..first });
        }
        let second = self.play(scene)?;
        if second.verdict == SceneVerdict::Failed {
            self.failures.insert(message, scene.id.clone());
            self.driver.start_again()?;
            return Ok(first);
        }
        Ok(SceneReport { message: Some(format!("only at the second try: {message}")), ..second })
    }

    fn play(&mut self, scene: &Scene) -> Result<SceneReport, EngineError> {
        self.driver.transcript_mut().begin_step();
        let prepared = scene.prepare(self.variant, self.seed);
        let (shown_scene, fen) = match &prepared {
            Ok(prepared) => (&prepared.scene, Some(prepared.board.fen())),
            Err(_) => (scene, None),
        };
        let mut is_foreign = false;
        let found =
            prepared.as_ref().map_err(|error| NotOk::Fail(error.clone())).and_then(|scene| {
                if let Some(reason) = self.driver.not_in_protocol(scene) {
                    is_foreign = true;
                    return Err(NotOk::Skip(format!("is not tested here: {reason}")));
                }
                let answer = self.driver.ask(scene, self.variant)?;
                let accept = &scene.scene.accept;
                judge(&*scene.board, accept, &answer, &self.settings).map_err(NotOk::Fail)
            });
        let (verdict, message) = match found {
            Ok(()) => (SceneVerdict::Passed, None),
            Err(NotOk::Skip(reason)) => (SceneVerdict::NotTested, Some(reason)),
            Err(NotOk::Warn(message) | NotOk::Fail(message)) => {
                (SceneVerdict::Failed, Some(message))
            }
            Err(NotOk::Engine(EngineError::Interrupted)) => return Err(EngineError::Interrupted),
            Err(NotOk::Engine(error)) => (SceneVerdict::Failed, Some(error.to_string())),
        };
        let lines = self.driver.transcript().lines();
        let dialogue = lines.map(|line| match line {
            TranscriptLine::Sent(line) => format!("> {}", shown(line)),
            TranscriptLine::Received(line) => format!("< {}", shown(line)),
            TranscriptLine::Stderr(line) => format!("! {}", shown(line)),
        });
        Ok(SceneReport {
            id: scene.id.clone(),
            title: shown_scene.title.clone(),
            why: shown_scene.why.clone(),
            verdict,
            points: if verdict == SceneVerdict::Passed { scene.points } else { 0 },
            of: if is_foreign { 0 } else { scene.points },
            message: message.map(|message| shown(&message)),
            same_as: None,
            fen,
            dialogue: dialogue.collect(),
        })
    }
}

/// Judges an answer.
///
/// # Errors
/// What is wrong with it, in words that follow "the bot".
fn judge(
    board: &dyn Game,
    accepted: &[Accept],
    answer: &Answer,
    settings: &CheckSettings,
) -> Result<(), String> {
    let wanted = || accepted.iter().map(Accept::to_string).collect::<Vec<_>>().join(" or ");
    let over = board.outcome().map(|outcome| format!("although the game is over: {outcome}"));
    let is_accepted = |what: &Accept| accepted.contains(what);
    match answer {
        Answer::Move(text) => {
            if let Some(over) = over {
                return Err(format!("plays {} {over}", shown(text)));
            }
            let mv = read_move(board, text)
                .map_err(|reason| format!("plays {}: {reason}", shown(text)))?;
            if !accepted.is_empty() && !accepted.iter().any(|accept| accept.is_move(board, mv)) {
                return Err(format!("plays {} instead of {}", shown(text), wanted()));
            }
            let mut panel = Panel::of_moves(settings);
            let is_named = names_promotion(text);
            let promotion = mv.is_promotion().then_some(EventKind::Promotion { text, is_named });
            for kind in promotion.into_iter().chain([EventKind::Move(mv)]) {
                panel.on(&GameEvent { line: 0, board: Some(board), kind });
            }
            let broken = settings.criteria().find_map(|criterion| {
                panel.sheet().violations(criterion).next().map(|found| found.text.clone())
            });
            broken.map_or(Ok(()), |broken| Err(format!("plays {}: {broken}", shown(text))))
        }
        Answer::Resignation if is_accepted(&Accept::Resignation) => Ok(()),
        Answer::Resignation => Err(match over {
            Some(over) => format!("resigns {over}"),
            None => "resigns".to_owned(),
        }),
        Answer::Claim(result) if is_accepted(&Accept::Claim(*result)) => Ok(()),
        Answer::Claim(result) => Err(match over {
            Some(over) => format!("claims {result} {over}"),
            None => format!("claims {result} although the game goes on"),
        }),
        Answer::Nothing { .. } if is_accepted(&Accept::Nothing) => Ok(()),
        Answer::Nothing { bare: Some(line) } => {
            Err(format!("writes `{}` without `move` before it", shown(line)))
        }
        Answer::Nothing { bare: None } => {
            Err(format!("does not move within {} s", ANSWER.as_secs()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use trebuchet::play::{Stage, new_game};
    use trebuchet::types::{Color, GameResult};

    fn judged(stage: Stage, moves: &str, accepted: &[&str], answer: Answer) -> String {
        let mut board = new_game(VariantId::Standard);
        for text in moves.split_whitespace() {
            let mv = board.parse_move(text).unwrap();
            board.play(mv);
        }
        let accepted: Vec<Accept> =
            accepted.iter().map(|&text| Accept::try_from(text.to_owned()).unwrap()).collect();
        let settings = CheckSettings { stage, board_order: None, margin: Duration::ZERO };
        judge(&*board, &accepted, &answer, &settings).err().unwrap_or_default()
    }

    fn mv(text: &str) -> Answer {
        Answer::Move(text.to_owned())
    }

    #[test]
    fn a_move_must_be_legal_accepted_and_of_the_stage() {
        let open = "e2e4 d7d5";
        assert_eq!(judged(Stage::Full, open, &[], mv("g1f3")), "");
        assert_eq!(
            judged(Stage::Full, open, &[], mv("e4e6")),
            "plays e4e6: the piece does not move like that"
        );
        assert_eq!(
            judged(Stage::Full, open, &["e4d5", "capture"], mv("g1f3")),
            "plays g1f3 instead of e4d5 or capture"
        );
        assert_eq!(
            judged(Stage::Pawns, open, &[], mv("a2a3")),
            "plays a2a3: a pawn can capture with e4d5"
        );
        assert_eq!(judged(Stage::Pawns, open, &["capture"], mv("e4d5")), "");
        let promotes = "h2h4 g7g5 h4g5 h7h6 g5h6 a7a6 h6h7 a6a5";
        assert_eq!(judged(Stage::Full, promotes, &[], mv("h7g8q")), "");
        assert_eq!(
            judged(Stage::Full, promotes, &[], mv("h7g8")),
            "plays h7g8: the letter of the new piece is missing"
        );
    }

    #[test]
    fn resignations_claims_and_silence_are_judged() {
        let mated = "f2f3 e7e5 g2g4 d8h4";
        let lost = ["none", "0-1"];
        let nothing = Answer::Nothing { bare: None };
        let claim = |color| Answer::Claim(GameResult::Win(color));
        assert_eq!(judged(Stage::Full, mated, &lost, nothing.clone()), "");
        assert_eq!(judged(Stage::Full, mated, &lost, claim(Color::Black)), "");
        let over = "although the game is over: Black mates";
        assert_eq!(
            judged(Stage::Full, mated, &lost, claim(Color::White)),
            format!("claims 1-0 {over}")
        );
        assert_eq!(judged(Stage::Full, mated, &lost, mv("a2a3")), format!("plays a2a3 {over}"));
        assert_eq!(judged(Stage::Full, "", &[], Answer::Resignation), "resigns");
        assert_eq!(judged(Stage::Full, "", &["resign"], Answer::Resignation), "");
        assert_eq!(
            judged(Stage::Full, "", &[], claim(Color::White)),
            "claims 1-0 although the game goes on"
        );
        assert_eq!(judged(Stage::Full, "", &[], nothing), "does not move within 10 s");
        let bare = Answer::Nothing { bare: Some("b2b3".to_owned()) };
        assert_eq!(judged(Stage::Full, "", &[], bare), "writes `b2b3` without `move` before it");
    }
}
