//! One game between two engines. The referee has a board and clocks of its own and checks every
//! move and claim.

use std::time::Duration;

use super::adjudication::{AdjudicationRules, Adjudicator};
use crate::arena::engines::{
    Action, Answer, EngineError, EngineLimits, GameStart, MoveText, Player, PlayerClock, Reuse,
    Turn,
};
use crate::arena::games::openings::Opening;
use crate::arena::games::{
    AdjudicatedBy, Forfeit, ForfeitKind, GameEnding, GameRecord, MoveRecord,
};
use trebuchet::board::Position;
use trebuchet::for_variant;
use trebuchet::notation::{parse_move, san};
use trebuchet::tablebase::SyzygyTables;
use trebuchet::types::GameResult;
use trebuchet::types::{Color, Move};
use trebuchet::variants::Variant;

/// The conditions of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameConditions<'a> {
    pub opening: &'a Opening,
    /// By colour.
    pub limits: &'a [EngineLimits; 2],
    pub adjudication: AdjudicationRules,
    pub tablebase: Option<&'a SyzygyTables>,
    /// A move that exceeds the clock by this much still counts.
    pub margin: Duration,
    /// How long after the fall of its flag, or without a clock after the start of its turn, a silent
    /// engine has stalled.
    pub stall: Duration,
}

/// Why a game was not played to its end.
#[derive(Debug)]
pub enum Abort {
    Interrupted,
    /// The engine of this side cannot play the game under its conditions, for this reason.
    Unable(Color, String),
}

/// Plays a game. `players` are White and Black. `record` has the players' names, the variant and the
/// moves of the opening; it gets the moves of the players and the end. Returns by colour whether the
/// engine can be used again.
///
/// # Errors
/// If the user interrupts, or an engine cannot play such games.
pub fn play(
    players: &mut [Box<dyn Player>; 2],
    conditions: &GameConditions,
    record: &mut GameRecord,
) -> Result<[Reuse; 2], Abort> {
    for_variant!(record.variant, V => play_variant::<V>(players, conditions, record))
}

fn play_variant<V: Variant>(
    players: &mut [Box<dyn Player>; 2],
    conditions: &GameConditions,
    record: &mut GameRecord,
) -> Result<[Reuse; 2], Abort> {
    let mut reuse = [Reuse::Keep; 2];
    let prepared = prepare::<V>(players, conditions, record);
    let mut referee = Referee::<V>::new(conditions, &mut record.moves);
    record.ending = match prepared {
        Ok(()) => referee.conduct(players, &mut reuse),
        Err((color, error)) => end_by_error(color, error, &mut reuse),
    }?;
    let (result, comment) = (record.ending.result(), record.ending.to_string());
    for (player, reuse) in players.iter_mut().zip(&mut reuse) {
        if *reuse == Reuse::Keep {
            *reuse = player.end_game(result, &comment).unwrap_or(Reuse::Restart);
        }
    }
    Ok(reuse)
}

fn prepare<V: Variant>(
    players: &mut [Box<dyn Player>; 2],
    conditions: &GameConditions,
    record: &GameRecord,
) -> Result<(), (Color, EngineError)> {
    for color in Color::ALL {
        let start = GameStart {
            variant: V::ID,
            fen: conditions.opening.fen.as_deref(),
            color,
            opponent: &record.players[(!color).index()].name,
            limits: &conditions.limits[color.index()],
        };
        players[color.index()].start_game(&start).map_err(|error| (color, error))?;
    }
    Ok(())
}

/// Ends a game because of an error of this side's engine.
fn end_by_error(
    color: Color,
    error: EngineError,
    reuse: &mut [Reuse; 2],
) -> Result<GameEnding, Abort> {
    reuse[color.index()] = Reuse::Restart;
    match error {
        EngineError::Interrupted => Err(Abort::Interrupted),
        EngineError::Unable(why) => Err(Abort::Unable(color, why)),
        EngineError::Silent(_) | EngineError::NotReading => {
            Ok(forfeit(color, ForfeitKind::Stall, ""))
        }
        error => Ok(forfeit(color, ForfeitKind::Crash, error.to_string())),
    }
}

fn forfeit(loser: Color, kind: ForfeitKind, detail: impl Into<String>) -> GameEnding {
    GameEnding::Forfeit(Forfeit::new(loser, kind, detail))
}

struct Referee<'a, V: Variant> {
    conditions: &'a GameConditions<'a>,
    position: Position<V>,
    /// The moves as the engines read them.
    moves: Vec<MoveText>,
    /// The moves for the record, beginning with those of the opening.
    record: &'a mut Vec<MoveRecord>,
    clocks: [PlayerClock; 2],
    adjudicator: Adjudicator,
    /// By colour: has the player offered a draw that still stands?
    offers: [bool; 2],
}

impl<'a, V: Variant> Referee<'a, V> {
    fn new(conditions: &'a GameConditions<'a>, record: &'a mut Vec<MoveRecord>) -> Referee<'a, V> {
        let position = conditions.opening.start::<V>();
        let mut referee = Referee {
            conditions,
            adjudicator: Adjudicator::new(conditions.adjudication, position.fullmove_number()),
            position,
            moves: Vec::new(),
            record,
            clocks: conditions
                .limits
                .each_ref()
                .map(|limits| PlayerClock::new(limits.time_control)),
            offers: [false; 2],
        };
        for &mv in &conditions.opening.moves {
            // CECP engines count them, too: they get `level` before the moves.
            referee.clocks[referee.position.side_to_move().index()].skip_moves(1);
            referee.make_move(mv);
        }
        referee
    }

    fn make_move(&mut self, mv: Move) {
        self.moves.push(MoveText::of(&self.position, mv));
        self.position.make_move(mv);
    }

    /// Lets the players move until the game is over.
    fn conduct(
        &mut self,
        players: &mut [Box<dyn Player>; 2],
        reuse: &mut [Reuse; 2],
    ) -> Result<GameEnding, Abort> {
        loop {
            if let Some(outcome) = self.position.outcome() {
                return Ok(GameEnding::Rules(outcome));
            }
            let side = self.position.side_to_move();
            match self.take_turn(players, side) {
                Ok(Some(ending)) => return Ok(ending),
                Ok(None) => {}
                Err((color, error)) => return end_by_error(color, error, reuse),
            }
        }
    }

    /// One turn of a side. An error names the side whose engine failed.
    fn take_turn(
        &mut self,
        players: &mut [Box<dyn Player>; 2],
        side: Color,
    ) -> Result<Option<GameEnding>, (Color, EngineError)> {
        let other = !side;
        players[other.index()].wait(&self.turn(other)).map_err(|error| (other, error))?;
        let answer =
            players[side.index()].choose(&self.turn(side)).map_err(|error| (side, error))?;
        if let Some(ending) = self.charge(side, &answer) {
            return Ok(Some(ending));
        }
        let mv = match self.read_action(side, &answer) {
            Ok(mv) => mv,
            Err(ending) => return Ok(Some(ending)),
        };
        let number = self.position.fullmove_number();
        self.record.push(MoveRecord {
            san: san(&self.position, mv),
            elapsed: Some(answer.elapsed),
            eval: answer.thought.map(|thought| (thought.score, thought.depth)),
        });
        self.make_move(mv);
        if let Some(outcome) = self.position.outcome() {
            return Ok(Some(GameEnding::Rules(outcome)));
        }
        if answer.offers_draw && self.offers[other.index()] {
            return Ok(Some(GameEnding::Agreement));
        }
        let tablebase = self.conditions.tablebase;
        if let Some(winner) = tablebase.and_then(|tables| tables.winner(&self.position)) {
            let by = AdjudicatedBy::Tablebases;
            return Ok(Some(GameEnding::Adjudication { winner, by }));
        }
        // An offer of a draw stands until the next move of the side that made it.
        self.offers[side.index()] = answer.offers_draw;
        if answer.offers_draw {
            players[other.index()].offer_draw().map_err(|error| (other, error))?;
        }
        Ok(self.adjudicator.judge(side, answer.thought, number))
    }

    fn turn(&self, side: Color) -> Turn<'_> {
        let clock = &self.clocks[side.index()];
        let flag = clock.left().map_or(Duration::ZERO, |left| left + self.conditions.margin);
        Turn {
            moves: &self.moves,
            own_clock: clock,
            opponent_clock: &self.clocks[(!side).index()],
            timeout: flag + self.conditions.stall,
        }
    }

    /// Charges the clock. Returns the end of the game if the flag fell.
    fn charge(&mut self, side: Color, answer: &Answer) -> Option<GameEnding> {
        let late =
            self.clocks[side.index()].charge(answer.elapsed, self.conditions.margin).err()?;
        Some(if V::can_win(&self.position, !side) {
            GameEnding::Forfeit(Forfeit::time_loss(side, late))
        } else {
            GameEnding::FlagDraw(side)
        })
    }

    /// The move that the engine has made.
    ///
    /// # Errors
    /// The end of the game, if the engine did something else.
    fn read_action(&self, side: Color, answer: &Answer) -> Result<Move, GameEnding> {
        match &answer.action {
            Action::Move(text) => parse_move(&self.position, text).map_err(|error| {
                forfeit(side, ForfeitKind::IllegalMove, format!("{text} ({error})"))
            }),
            Action::Resign => Err(GameEnding::Resignation(side)),
            // To claim a loss is to resign.
            Action::Claim(GameResult::Win(winner), _) if *winner != side => {
                Err(GameEnding::Resignation(side))
            }
            // To claim a draw that the other side has offered is to accept it.
            Action::Claim(GameResult::Draw, _) if self.offers[(!side).index()] => {
                Err(GameEnding::Agreement)
            }
            Action::Claim(result, comment) => {
                Err(forfeit(side, ForfeitKind::FalseClaim, format!("{result} {comment}")))
            }
            Action::Protest(text) => Err(forfeit(side, ForfeitKind::FalseProtest, text)),
        }
    }
}
