//! One game between two engines. The referee has a board and clocks of its own and checks every
//! move and claim.

use std::time::Duration;

use super::adjudication::{AdjudicationRules, Adjudicator};
use super::ending::GameEnding;
use super::openings::Opening;
use crate::arena::engines::{
    Action, Answer, Clock, EngineError, EngineLimits, GameStart, MoveText, Player, Thought, Turn,
};
use trebuchet::board::Position;
use trebuchet::notation::{parse_move, san};
use trebuchet::tablebase::SyzygyTables;
use trebuchet::types::GameResult;
use trebuchet::types::{Color, Move};
use trebuchet::variants::Variant;

/// The conditions of a game.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    pub opening: &'a Opening,
    /// By colour.
    pub names: [&'a str; 2],
    pub limits: [&'a EngineLimits; 2],
    pub adjudication: AdjudicationRules,
    pub tablebase: Option<&'a SyzygyTables>,
    /// A move that exceeds the clock by this much still counts.
    pub margin: Duration,
    /// How long after the fall of its flag, or without a clock after the start of its turn, a silent
    /// engine has stalled.
    pub stall: Duration,
}

/// A move of a game and where it comes from.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    pub san: String,
    pub by: Source,
}

/// Where a move comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    Opening,
    Player { elapsed: Duration, thought: Option<Thought> },
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Who makes the first of the moves.
    pub first_to_move: Color,
    pub moves: Vec<PlayedMove>,
    pub ending: GameEnding,
    /// By colour: can the engine be used again?
    pub usable: [bool; 2],
}

impl PlayedGame {
    /// By colour: how many moves the engine itself has made.
    pub fn own_moves(&self) -> [usize; 2] {
        let mut counts = [0; 2];
        let mut side = self.first_to_move;
        for mv in &self.moves {
            if mv.by != Source::Opening {
                counts[side.index()] += 1;
            }
            side = !side;
        }
        counts
    }
}

/// Why a game was not played to its end.
#[derive(Debug)]
pub enum Abort {
    Interrupted,
    /// The engine of this side cannot play the game under its conditions, for this reason.
    Unable(Color, String),
}

/// Plays a game. `players` are White and Black.
///
/// # Errors
/// If the user interrupts, or an engine cannot play such games.
pub fn play<V: Variant>(
    players: &mut [Box<dyn Player>; 2],
    conditions: &Conditions,
) -> Result<PlayedGame, Abort> {
    let mut referee = Referee::<V>::new(conditions);
    let mut usable = [true; 2];
    let ending = match prepare::<V>(players, conditions) {
        Ok(()) => referee.conduct(players, &mut usable),
        Err((color, error)) => referee.end_by_error(color, error, &mut usable),
    }?;
    let (result, comment) = (ending.result(), ending.to_string());
    for color in Color::ALL {
        let player = &mut players[color.index()];
        usable[color.index()] = usable[color.index()] && player.end_game(result, &comment).is_ok();
    }
    let first_to_move = conditions.opening.start::<V>().side_to_move();
    Ok(PlayedGame { first_to_move, moves: referee.played, ending, usable })
}

fn prepare<V: Variant>(
    players: &mut [Box<dyn Player>; 2],
    conditions: &Conditions,
) -> Result<(), (Color, EngineError)> {
    for color in Color::ALL {
        let start = GameStart {
            variant: V::ID,
            fen: conditions.opening.fen.as_deref(),
            color,
            opponent: conditions.names[(!color).index()],
        };
        players[color.index()].start_game(&start).map_err(|error| (color, error))?;
    }
    Ok(())
}

struct Referee<'a, V: Variant> {
    conditions: &'a Conditions<'a>,
    position: Position<V>,
    /// The moves as the engines read them.
    moves: Vec<MoveText>,
    played: Vec<PlayedMove>,
    clocks: [Clock; 2],
    adjudicator: Adjudicator,
    /// By colour: has the player offered a draw that still stands?
    offers: [bool; 2],
}

impl<'a, V: Variant> Referee<'a, V> {
    fn new(conditions: &'a Conditions<'a>) -> Referee<'a, V> {
        let mut referee = Referee {
            conditions,
            position: conditions.opening.start(),
            moves: Vec::new(),
            played: Vec::new(),
            clocks: conditions.limits.map(|limits| Clock::new(limits.pace)),
            adjudicator: Adjudicator::new(conditions.adjudication),
            offers: [false; 2],
        };
        conditions.opening.moves.iter().for_each(|&mv| referee.make_move(mv, Source::Opening));
        referee
    }

    fn make_move(&mut self, mv: Move, by: Source) {
        self.played.push(PlayedMove { san: san(&self.position, mv), by });
        self.moves.push(MoveText::of(&self.position, mv));
        self.position.make_move(mv);
    }

    /// Lets the players move until the game is over.
    fn conduct(
        &mut self,
        players: &mut [Box<dyn Player>; 2],
        usable: &mut [bool; 2],
    ) -> Result<GameEnding, Abort> {
        loop {
            if let Some(outcome) = self.position.outcome() {
                return Ok(GameEnding::Rules(outcome));
            }
            let side = self.position.side_to_move();
            match self.take_turn(players, side) {
                Ok(Some(ending)) => return Ok(ending),
                Ok(None) => {}
                Err((color, error)) => return self.end_by_error(color, error, usable),
            }
        }
    }

    fn end_by_error(
        &self,
        color: Color,
        error: EngineError,
        usable: &mut [bool; 2],
    ) -> Result<GameEnding, Abort> {
        usable[color.index()] = false;
        match error {
            EngineError::Interrupted => Err(Abort::Interrupted),
            EngineError::Unable(why) => Err(Abort::Unable(color, why)),
            error => Ok(GameEnding::of_error(color, &error)),
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
        self.make_move(mv, Source::Player { elapsed: answer.elapsed, thought: answer.thought });
        if let Some(outcome) = self.position.outcome() {
            return Ok(Some(GameEnding::Rules(outcome)));
        }
        if answer.offers_draw && self.offers[other.index()] {
            return Ok(Some(GameEnding::Agreement));
        }
        let tablebase = self.conditions.tablebase;
        if let Some(winner) = tablebase.and_then(|tables| tables.winner(&self.position)) {
            return Ok(Some(GameEnding::Tablebase(winner)));
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
        let bare_king = self.position.all_pieces(!side).count() == 1;
        Some(GameEnding::Flag { loser: side, late, bare_king })
    }

    /// The move that the engine has made.
    ///
    /// # Errors
    /// The end of the game, if the engine did something else.
    fn read_action(&self, side: Color, answer: &Answer) -> Result<Move, GameEnding> {
        match &answer.action {
            Action::Move(text) => parse_move(&self.position, text).map_err(|error| {
                GameEnding::IllegalMove { loser: side, text: format!("{text} ({error})") }
            }),
            Action::Resign => Err(GameEnding::Resignation(side)),
            // To claim a loss is to resign.
            Action::Claim(GameResult::Win(winner), _) if *winner != side => {
                Err(GameEnding::Resignation(side))
            }
            Action::Claim(result, comment) => {
                Err(GameEnding::FalseClaim { loser: side, text: format!("{result} {comment}") })
            }
            Action::Protest(text) => {
                Err(GameEnding::FalseProtest { loser: side, text: text.clone() })
            }
        }
    }
}
