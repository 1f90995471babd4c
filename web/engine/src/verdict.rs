//! The coach's verdicts on moves, asked for one at a time: for a review of a game, and for its exercises.

use std::cell::RefCell;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trebuchet::coach::{self, Assessment, Verdict};
use trebuchet::play::{Engine, Game};

use crate::position;
use crate::session;

thread_local! {
    /// The engine that judges. It is not that of the session, whose game goes on.
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

/// A move to judge: the last one of a game.
#[derive(Deserialize)]
pub struct Request {
    #[serde(flatten)]
    game: position::Request,
    /// Is a hint wanted for the better move? It takes a search more.
    #[serde(default)]
    hint: bool,
}

/// What the coach says of a move.
#[derive(Serialize)]
pub struct Review {
    san: String,
    /// The move in the notation of CECP.
    text: String,
    /// The verdict in a sentence: `Nf3? Mistake, loses 12% of the winning chances`.
    verdict: String,
    /// The sign of the verdict: `??`; empty for a move that is merely good.
    glyph: &'static str,
    /// Does the coach criticise the move?
    is_bad: bool,
    /// Is it a mistake or worse, or a missed win, and not just an inaccuracy?
    is_mistake: bool,
    /// How the move is punished, if that can be proven.
    punishment: Option<String>,
    /// The opponent's reply that punishes it, in SAN.
    reply: Option<String>,
    /// The better move, why, and how the game might go on, in a sentence.
    advice: Option<String>,
    /// The better move, if the coach criticises.
    better: Option<Better>,
}

#[derive(Serialize)]
struct Better {
    san: String,
    /// What it wins, saves or stops, the strongest reason first.
    reasons: Vec<String>,
    /// The move, and how the game might go on, in SAN.
    line: Vec<String>,
    /// Other moves that the search before the move found good, in SAN.
    others: Vec<String>,
    /// What to look at to find the move.
    clue: Option<String>,
}

/// Judges the last move of the request by searches of the engine's full strength, with a fixed number of
/// nodes and a limit of time for slow machines. What was judged before does not matter.
///
/// # Errors
/// A sentence: see [`position::Request::play`], or there is no move.
pub fn review(request: &Request) -> Result<Review, String> {
    let mut before = request.game.play()?;
    let mv = before.undo().ok_or("there is no move to judge")?;
    let variant = before.variant();
    ENGINE.with_borrow_mut(|engine| {
        let engine = engine.get_or_insert_with(|| session::engine(variant, 0, Arc::new(|_| {})));
        engine.set_variant(variant);
        let now = engine.now();
        let said = engine.review(&*before, mv, now).ok_or("this move cannot be judged")?;
        let better = better(&*before, &said, request.hint.then_some(engine));
        let is_bad = said.judgement.is_criticism();
        Ok(Review {
            text: before.coordinate(mv),
            verdict: said.sentence(),
            glyph: said.judgement.glyph(),
            is_bad,
            is_mistake: is_bad && said.judgement.verdict != Verdict::Inaccuracy,
            punishment: said.punishment(),
            reply: said.refutation.as_ref().and_then(|refutation| refutation.sans.first().cloned()),
            advice: said.advice_with_line(),
            better,
            san: said.san,
        })
    })
}

/// The better move. The engine looks for a hint.
fn better(before: &dyn Game, said: &Assessment, engine: Option<&mut Engine>) -> Option<Better> {
    let coach::Better { line, reasons } = said.better.clone()?;
    let san = line.first()?.clone();
    let moves = said.lines.iter().filter_map(|line| line.moves.first().copied());
    let is_good = |&mv: &_| !before.assess(&said.lines, mv, &[]).judgement.is_criticism();
    let others = moves.skip(1).filter(is_good).map(|mv| before.san(mv)).collect();
    let mv = before.parse_move(&san).ok()?;
    let clue = engine.map(|engine| {
        let now = engine.now();
        engine.clue(before, mv, now)
    });
    Some(Better { san, reasons, line, others, clue })
}
