//! Plays scenes with a bot, and judges what it does.

use std::collections::HashMap;

use super::accept::Accept;
use super::driver::{Answer, Driver};
use super::report::{SECOND_TRY, SceneReport, SceneVerdict};
use super::scene::{PreparedScene, Scene};
use crate::arena::comply::record::{ANSWER, STARTUP};
use crate::arena::comply::step::NotOk;
use crate::arena::engines::{Awaited, EngineError};
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::event::{EventKind, EventSink, GameEvent};
use crate::arena::judging::judges::{Panel, must_resign};
use crate::arena::judging::legality::{names_promotion, read_move};
use crate::arena::judging::settings::CheckSettings;
use crate::arena::judging::sheet::shown;
use trebuchet::play::{Game, Stage};
use trebuchet::types::GameResult;
use trebuchet::variants::VariantId;

/// What is told of a bot of which nothing is heard, in words that follow "the bot".
const MUTE: &str = "has written nothing to standard output since its start; \
    is its output flushed after each line?";

/// Examines one bot in one game.
pub struct Examiner {
    driver: Box<dyn Driver>,
    variant: VariantId,
    settings: CheckSettings,
    seed: u64,
    /// By the reason of a failure: the id of the first scene that failed for it, twice.
    failures: HashMap<String, String>,
    /// Has the bot passed a scene by a move?
    has_moved: bool,
    /// Has the process been asked for a scene?
    is_used: bool,
}

/// A scene as it was played once.
struct Played {
    report: SceneReport,
    /// Does it fail because something did not come in time?
    is_late: bool,
    /// Did the bot move?
    is_move: bool,
}

impl Examiner {
    pub fn new(
        driver: Box<dyn Driver>,
        variant: VariantId,
        settings: CheckSettings,
        seed: u64,
    ) -> Examiner {
        let failures = HashMap::new();
        Examiner { driver, variant, settings, seed, failures, has_moved: false, is_used: false }
    }

    /// Plays a scene. One that fails is played once more with a new process, so that chance does not
    /// decide, unless another scene has failed for the same reason. What did not come in time is tried again in each
    /// scene once the bot has moved: the machine may have been busy.
    ///
    /// # Errors
    /// If the bot cannot be started again, or the signal is given.
    pub fn examine(&mut self, scene: &Scene) -> Result<SceneReport, EngineError> {
        let Played { report: first, is_late, is_move } = self.play(scene)?;
        if first.verdict != SceneVerdict::Failed {
            self.has_moved |= is_move;
            return Ok(first);
        }
        self.start_again()?;
        let message = first.message.clone().unwrap_or_default();
        let earlier = self.failures.get(&message).cloned();
        if earlier.is_some() && !(is_late && self.has_moved) {
            return Ok(SceneReport { same_as: earlier, ..first });
        }
        let Played { report: second, is_move, .. } = self.play(scene)?;
        if second.verdict == SceneVerdict::Failed {
            self.failures.entry(message).or_insert_with(|| scene.id.clone());
            self.start_again()?;
            return Ok(SceneReport { same_as: earlier, ..first });
        }
        if second.verdict == SceneVerdict::NotTested {
            return Ok(second);
        }
        self.has_moved |= is_move;
        let message = format!("{SECOND_TRY}; at the first it {message}");
        Ok(SceneReport { message: Some(message), second_try: true, ..second })
    }

    fn start_again(&mut self) -> Result<(), EngineError> {
        self.is_used = false;
        self.driver.start_again()
    }

    fn play(&mut self, scene: &Scene) -> Result<Played, EngineError> {
        if self.is_used && self.driver.plays_one_game() {
            self.start_again()?;
        }
        self.driver.transcript_mut().begin_step();
        let prepared = scene.prepare(self.variant, self.seed);
        let (shown_scene, fen) = match &prepared {
            Ok(prepared) => (&prepared.scene, Some(prepared.board.fen())),
            Err(_) => (scene, None),
        };
        let mut is_foreign = false;
        let answer =
            prepared.as_ref().map_err(|error| NotOk::Fail(error.clone())).and_then(|scene| {
                if let Some(reason) = self.driver.not_in_protocol(scene) {
                    is_foreign = true;
                    return Err(NotOk::Skip(format!("is not tested here: {reason}")));
                }
                self.is_used = true;
                let answer = self.driver.ask(scene, self.variant)?;
                Ok((scene, answer.naming_the_move(&scene.moves)))
            });
        let is_move = matches!(&answer, Ok((_, Answer::Move(_))));
        let is_late = match &answer {
            Ok((_, answer)) => answer.is_late(),
            Err(error) => matches!(error, NotOk::Engine(EngineError::Silent(_))),
        };
        let (verdict, fault) = self.verdict_on(answer)?;
        let criterion = fault.as_ref().and_then(|fault| fault.criterion);
        let report = SceneReport {
            of: if is_foreign { 0 } else { scene.points },
            message: fault.map(|fault| shown(&fault.text)),
            criterion: criterion.map(|criterion| criterion.name().to_owned()),
            fen,
            dialogue: self.driver.transcript().lines().map(|line| line.shown(shown)).collect(),
            ..SceneReport::of(shown_scene, verdict)
        };
        Ok(Played { report, is_late, is_move })
    }

    /// The verdict on what a bot has done in a scene, and what is wrong with it.
    ///
    /// # Errors
    /// If the signal was given.
    fn verdict_on(
        &self,
        answer: Result<(&PreparedScene, Answer), NotOk>,
    ) -> Result<(SceneVerdict, Option<Fault>), EngineError> {
        Ok(match answer {
            Ok((_, Answer::Nothing { .. } | Answer::NothingBefore))
                if !self.driver.transcript().has_spoken() =>
            {
                (SceneVerdict::Failed, Some(Fault::of(Criterion::Clock, MUTE)))
            }
            Ok((scene, answer)) => {
                match judge(&*scene.board, &scene.scene, &answer, &self.settings) {
                    Ok(()) => (SceneVerdict::Passed, None),
                    Err(fault) => (SceneVerdict::Failed, Some(fault)),
                }
            }
            Err(NotOk::Skip(reason)) => (SceneVerdict::NotTested, Some(Fault::other(reason))),
            Err(NotOk::Warn(text) | NotOk::Fail(text)) => {
                (SceneVerdict::Failed, Some(Fault::other(text)))
            }
            Err(NotOk::Engine(EngineError::Interrupted)) => return Err(EngineError::Interrupted),
            Err(NotOk::Engine(error)) => (SceneVerdict::Failed, Some(Fault::from(error))),
        })
    }
}

/// What is wrong with what a bot does.
#[derive(Debug)]
struct Fault {
    /// The criterion of `check` that it breaks, if there is one.
    criterion: Option<Criterion>,
    /// In words that follow "the bot".
    text: String,
}

impl Fault {
    fn of(criterion: Criterion, text: impl Into<String>) -> Fault {
        Fault { criterion: Some(criterion), text: text.into() }
    }

    fn other(text: impl Into<String>) -> Fault {
        Fault { criterion: None, text: text.into() }
    }
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Fault {
        let criterion = match &error {
            EngineError::Ended { .. } => Some(Criterion::KeepsRunning),
            EngineError::Silent(Awaited::Ping) => Some(Criterion::AnswersPings),
            _ => None,
        };
        Fault { criterion, text: error.to_string() }
    }
}

/// Judges an answer.
fn judge(
    board: &dyn Game,
    scene: &Scene,
    answer: &Answer,
    settings: &CheckSettings,
) -> Result<(), Fault> {
    let over = board.outcome().map(|outcome| format!("although the game is over: {outcome}"));
    let accepted = &scene.accept;
    let is_accepted = |what: &Accept| accepted.contains(what);
    match answer {
        Answer::Move(text) => {
            if let Some(over) = over {
                return Err(Fault::of(
                    Criterion::MovesOnTurn,
                    format!("plays {} {over}", shown(text)),
                ));
            }
            judge_move(board, accepted, text, settings)
        }
        Answer::Resignation if is_accepted(&Accept::Resignation) || has_lost(board) => Ok(()),
        Answer::Resignation => Err(match over {
            Some(over) => Fault::other(format!("resigns {over}")),
            None => early_resignation(board, settings),
        }),
        Answer::Claim(result) if is_accepted(&Accept::Claim(*result)) => Ok(()),
        Answer::Claim(result) => {
            let over = over.unwrap_or_else(|| "although the game goes on".to_owned());
            Err(Fault::of(Criterion::ResultClaims, format!("claims {result} {over}")))
        }
        Answer::StrayMove(text) => {
            let text = format!("plays {} in force mode", shown(text));
            Err(Fault::of(Criterion::MovesOnTurn, text))
        }
        Answer::Refusal(text) => {
            let text = if text.is_empty() {
                "says `Illegal move` although it was sent no move".to_owned()
            } else {
                format!("calls the legal move {} illegal", shown(text))
            };
            Err(Fault::of(Criterion::AcceptsLegalMoves, text))
        }
        Answer::NotUnderstood(text) => {
            let text = format!("does not understand the move {}", shown(text));
            Err(Fault::of(Criterion::AcceptsLegalMoves, text))
        }
        Answer::SecondMove(text) => {
            let text = format!("plays {} although it has moved already", shown(text));
            Err(Fault::of(Criterion::MovesOnTurn, text))
        }
        Answer::LateFeatures => {
            let seconds = STARTUP.as_secs();
            let text = format!("declares its features later than {seconds} s after `protover`");
            Err(Fault::other(text))
        }
        Answer::NothingBefore => {
            let text = format!("does not move within {} s in the game before", ANSWER.as_secs());
            Err(Fault::of(Criterion::Clock, text))
        }
        Answer::Nothing { .. } if is_accepted(&Accept::Nothing) => Ok(()),
        Answer::Nothing { bare: Some(line) } => {
            let text = format!("writes `{}` without `move` before it", shown(line));
            Err(Fault::of(Criterion::LegalMoves, text))
        }
        Answer::Nothing { bare: None } => Err(silence(board, scene, settings)),
        Answer::Wrong(criterion, text) => Err(Fault { criterion: *criterion, text: text.clone() }),
    }
}

/// What is wrong with silence. In the stage `pawns` it is not the clock where the bot should resign.
fn silence(board: &dyn Game, scene: &Scene, settings: &CheckSettings) -> Fault {
    let seconds = scene.patience().as_secs();
    let goes_on = board.outcome().is_none();
    if settings.stage == Stage::Pawns && goes_on && must_resign(board) {
        let text = format!("does not resign within {seconds} s, although no pawn can move");
        return Fault::of(Criterion::ResignsWithoutPawnMove, text);
    }
    Fault::of(Criterion::Clock, format!("does not move within {seconds} s"))
}

/// Is the game over, and has the side to move lost? Its resignation comes too late to be wrong.
fn has_lost(board: &dyn Game) -> bool {
    let result = board.outcome().map(GameResult::from);
    result == Some(GameResult::Win(!board.side_to_move()))
}

/// What is wrong with a resignation that the scene does not ask for.
fn early_resignation(board: &dyn Game, settings: &CheckSettings) -> Fault {
    let resignation = EventKind::Resignation(board.side_to_move());
    match first_violation(board, settings, [resignation]) {
        Some((criterion, words)) => {
            Fault::of(criterion, words.strip_prefix("the bot ").unwrap_or(&words))
        }
        None => Fault::other("resigns"),
    }
}

/// The first criterion that is broken by what happens, and the words for it.
fn first_violation<'a>(
    board: &dyn Game,
    settings: &CheckSettings,
    kinds: impl IntoIterator<Item = EventKind<'a>>,
) -> Option<(Criterion, String)> {
    let mut panel = Panel::of_moves(settings);
    for kind in kinds {
        panel.on(&GameEvent { line: 0, board: Some(board), kind });
    }
    settings.criteria().find_map(|criterion| {
        let found = panel.sheet().violations(criterion).next()?;
        Some((criterion, found.text.clone()))
    })
}

/// Judges a move in a game that goes on.
fn judge_move(
    board: &dyn Game,
    accepted: &[Accept],
    text: &str,
    settings: &CheckSettings,
) -> Result<(), Fault> {
    let played = shown(text);
    let mv = read_move(board, text)
        .map_err(|reason| Fault::of(Criterion::LegalMoves, format!("plays {played}: {reason}")))?;
    let is_named = names_promotion(text);
    let promotion = mv.is_promotion().then_some(EventKind::Promotion { text, is_named });
    let broken =
        first_violation(board, settings, promotion.into_iter().chain([EventKind::Move(mv)]));
    if !accepted.is_empty() && !accepted.iter().any(|accept| accept.is_move(board, mv)) {
        let wanted = accepted.iter().map(Accept::as_an_act).collect::<Vec<_>>().join(" or ");
        let text = format!("plays {played} instead of {wanted}");
        return Err(Fault { criterion: broken.map(|(criterion, _)| criterion), text });
    }
    match broken {
        Some((criterion, words)) => Err(Fault::of(criterion, format!("plays {played}: {words}"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::types::Color;

    fn judged(stage: Stage, moves: &str, accepted: &[&str], answer: Answer) -> String {
        judged_in(VariantId::Standard, stage, moves, accepted, answer)
    }

    fn judged_in(
        variant: VariantId,
        stage: Stage,
        moves: &str,
        accepted: &[&str],
        answer: Answer,
    ) -> String {
        let mut board = new_game(variant);
        for text in moves.split_whitespace() {
            let mv = board.parse_move(text).unwrap();
            board.play(mv);
        }
        let accept = accepted.join("','");
        let accept = if accept.is_empty() { String::new() } else { format!("'{accept}'") };
        let text = format!("id='a'\ntitle='t'\nwhy='w'\nstages=['full']\naccept=[{accept}]");
        let scene: Scene = toml::from_str(&text).unwrap();
        let settings = CheckSettings { stage, board_order: None, margin: Duration::ZERO };
        match judge(&*board, &scene, &answer, &settings) {
            Ok(()) => String::new(),
            Err(Fault { criterion: Some(criterion), text }) => format!("{text} [{criterion}]"),
            Err(Fault { criterion: None, text }) => text,
        }
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
            "plays e4e6: the piece does not move like that [legal-moves]"
        );
        assert_eq!(
            judged(Stage::Full, open, &["e4d5", "capture"], mv("g1f3")),
            "plays g1f3 instead of e4d5 or a capture"
        );
        assert_eq!(
            judged(Stage::Pawns, open, &[], mv("a2a3")),
            "plays a2a3: a pawn can capture with e4d5 [captures-first]"
        );
        assert_eq!(judged(Stage::Pawns, open, &["capture"], mv("e4d5")), "");
        assert_eq!(
            judged(Stage::Pawns, open, &["e4d5"], mv("a2a3")),
            "plays a2a3 instead of e4d5 [captures-first]"
        );
        let early = Answer::StrayMove("e2e4".to_owned());
        assert_eq!(judged(Stage::Full, "", &[], early), "plays e2e4 in force mode [moves-on-turn]");
        let promotes = "h2h4 g7g5 h4g5 h7h6 g5h6 a7a6 h6h7 a6a5";
        assert_eq!(judged(Stage::Full, promotes, &[], mv("h7g8q")), "");
        assert_eq!(
            judged(Stage::Full, promotes, &[], mv("h7g8")),
            "plays h7g8: the letter of the new piece is missing [names-promotions]"
        );
    }

    #[test]
    fn a_refusal_names_the_move_that_is_meant() {
        let moves = ["e2e4", "e7e5"].map(str::to_owned);
        let refused = |text: &str, moves: &[String]| {
            let answer = Answer::Refusal(text.to_owned()).naming_the_move(moves);
            judged(Stage::Full, "e2e4 e7e5", &[], answer)
        };
        for (text, wanted) in [("", "e7e5"), (".", "e7e5"), ("usermove e2e4!", "e2e4")] {
            let wanted = format!("calls the legal move {wanted} illegal [accepts-legal-moves]");
            assert_eq!(refused(text, &moves), wanted, "{text}");
        }
        let none = "says `Illegal move` although it was sent no move [accepts-legal-moves]";
        assert_eq!(refused("", &[]), none);
    }

    #[test]
    fn resignations_claims_and_silence_are_judged() {
        let mated = "f2f3 e7e5 g2g4 d8h4";
        let lost = ["none", "0-1"];
        let nothing = Answer::Nothing { bare: None };
        let claim = |color| Answer::Claim(GameResult::Win(color));
        assert_eq!(judged(Stage::Full, mated, &lost, nothing.clone()), "");
        assert_eq!(judged(Stage::Full, mated, &lost, claim(Color::Black)), "");
        assert_eq!(judged(Stage::Full, mated, &lost, Answer::Resignation), "");
        let stalemated = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 \
            f7g6 c8e6";
        let stays = "resigns although the game is over: Stalemate";
        assert_eq!(judged(Stage::Full, stalemated, &["none"], Answer::Resignation), stays);
        let over = "although the game is over: Black mates";
        assert_eq!(
            judged(Stage::Full, mated, &lost, claim(Color::White)),
            format!("claims 1-0 {over} [result-claims]")
        );
        assert_eq!(
            judged(Stage::Full, mated, &lost, mv("a2a3")),
            format!("plays a2a3 {over} [moves-on-turn]")
        );
        assert_eq!(judged(Stage::Full, "", &[], Answer::Resignation), "resigns");
        assert_eq!(
            judged(Stage::Pawns, "", &[], Answer::Resignation),
            "resigns, but a2a3 is legal [resigns-without-pawn-move]"
        );
        assert_eq!(judged(Stage::Full, "", &["resign"], Answer::Resignation), "");
        assert_eq!(
            judged(Stage::Full, "", &[], claim(Color::White)),
            "claims 1-0 although the game goes on [result-claims]"
        );
        assert_eq!(judged(Stage::Full, "", &[], nothing), "does not move within 10 s [clock]");
        let bare = Answer::Nothing { bare: Some("b2b3".to_owned()) };
        assert_eq!(
            judged(Stage::Full, "", &[], bare),
            "writes `b2b3` without `move` before it [legal-moves]"
        );
    }

    #[test]
    fn silence_where_no_pawn_can_move_is_no_resignation() {
        let silent = |stage, accepted: &[&str]| {
            let checked = "e2e4 d7d5 e4d5 d8d5 a2a3 d5e5";
            judged(stage, checked, accepted, Answer::Nothing { bare: None })
        };
        let late = "does not move within 10 s [clock]";
        let text =
            "does not resign within 10 s, although no pawn can move [resigns-without-pawn-move]";
        assert_eq!(silent(Stage::Pawns, &["resign"]), text);
        assert_eq!(silent(Stage::Pawns, &[]), text);
        assert_eq!(silent(Stage::Random, &[]), late);
    }

    #[test]
    fn a_compulsory_capture_is_no_reason_to_resign() {
        let judged = |answer| {
            let moves = "e2e3 b7b5";
            judged_in(VariantId::Antichess, Stage::Pawns, moves, &[], answer)
        };
        assert_eq!(judged(mv("f1b5")), "");
        assert_eq!(
            judged(Answer::Resignation),
            "resigns, but it must capture with f1b5 [resigns-without-pawn-move]"
        );
        let late = "does not move within 10 s [clock]";
        assert_eq!(judged(Answer::Nothing { bare: None }), late);
    }
}
