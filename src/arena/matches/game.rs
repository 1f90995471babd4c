//! One game between two engines, under our own eyes: the referee knows the rules, the clocks and
//! when it is over, and believes nobody.

use std::time::Duration;

use super::adjudication::{self, Adjudicator};
use super::ending::Ending;
use super::openings::Opening;
use crate::arena::engines::{
    Action, Answer, Budget, Clock, GameStart, Player, Thought, Trouble, Turn,
};
use crate::board::{Position, Rules};
use crate::notation::{parse_move, san};
use crate::tablebase::Tablebase;
use crate::types::GameResult;
use crate::types::{Color, Move};
use crate::variants::VariantId;

/// How a game is to be held.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    pub variant: VariantId,
    pub opening: &'a Opening,
    /// By colour.
    pub names: [&'a str; 2],
    pub budgets: [&'a Budget; 2],
    pub adjudication: adjudication::Rules,
    pub tablebase: Option<&'a Tablebase>,
    /// So much later than the flag a move still counts.
    pub margin: Duration,
    /// A player that says nothing for so long after its flag, or at all without a clock, has stalled.
    pub stall: Duration,
}

/// A move of a game.
#[derive(Clone, Debug)]
pub struct Ply {
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
pub struct Played {
    pub plies: Vec<Ply>,
    pub ending: Ending,
    /// By colour: can the engine be used again?
    pub usable: [bool; 2],
}

/// Why a game was not played to its end.
#[derive(Debug)]
pub enum Abort {
    Interrupted,
    /// The player cannot play such games at all.
    Unable(Color, String),
}

/// Plays a game. `players` are White and Black.
pub fn play<R: Rules>(
    players: &mut [Box<dyn Player>; 2],
    conditions: &Conditions,
) -> Result<Played, Abort> {
    let mut referee = Referee::<R>::new(conditions);
    let mut usable = [true; 2];
    let ending = match prepare(players, conditions) {
        Ok(()) => referee.conduct(players, &mut usable),
        Err((color, trouble)) => referee.end_by_trouble(color, trouble, &mut usable),
    }?;
    let (result, comment) = (ending.result(), ending.to_string());
    for color in Color::ALL {
        let player = &mut players[color.index()];
        usable[color.index()] = usable[color.index()] && player.end_game(result, &comment).is_ok();
    }
    Ok(Played { plies: referee.plies, ending, usable })
}

fn prepare(
    players: &mut [Box<dyn Player>; 2],
    conditions: &Conditions,
) -> Result<(), (Color, Trouble)> {
    for color in Color::ALL {
        let start = GameStart {
            variant: conditions.variant,
            fen: conditions.opening.fen.as_deref(),
            color,
            opponent: conditions.names[(!color).index()],
        };
        players[color.index()].start_game(&start).map_err(|trouble| (color, trouble))?;
    }
    Ok(())
}

struct Referee<'a, R: Rules> {
    conditions: &'a Conditions<'a>,
    position: Position<R>,
    moves: Vec<Move>,
    plies: Vec<Ply>,
    clocks: [Clock; 2],
    adjudicator: Adjudicator,
    /// By colour: has the player offered a draw that still stands?
    offers: [bool; 2],
}

impl<'a, R: Rules> Referee<'a, R> {
    fn new(conditions: &'a Conditions<'a>) -> Referee<'a, R> {
        let mut referee = Referee {
            conditions,
            position: conditions.opening.start(),
            moves: Vec::new(),
            plies: Vec::new(),
            clocks: conditions.budgets.map(|budget| Clock::new(budget.pace)),
            adjudicator: Adjudicator::new(conditions.adjudication),
            offers: [false; 2],
        };
        conditions.opening.moves.iter().for_each(|&mv| referee.make_move(mv, Source::Opening));
        referee
    }

    fn make_move(&mut self, mv: Move, by: Source) {
        self.plies.push(Ply { san: san(&self.position, mv), by });
        self.moves.push(mv);
        self.position.make_move(mv);
    }

    /// Lets the players move until the game is over.
    fn conduct(
        &mut self,
        players: &mut [Box<dyn Player>; 2],
        usable: &mut [bool; 2],
    ) -> Result<Ending, Abort> {
        loop {
            if let Some(outcome) = self.position.outcome() {
                return Ok(Ending::Rules(outcome));
            }
            let side = self.position.side_to_move();
            let step = self.take_turn(players, side);
            match step {
                Ok(Some(ending)) => return Ok(ending),
                Ok(None) => {}
                Err((color, trouble)) => return self.end_by_trouble(color, trouble, usable),
            }
        }
    }

    fn end_by_trouble(
        &self,
        color: Color,
        trouble: Trouble,
        usable: &mut [bool; 2],
    ) -> Result<Ending, Abort> {
        usable[color.index()] = false;
        match trouble {
            Trouble::Interrupted => Err(Abort::Interrupted),
            Trouble::Unable(why) => Err(Abort::Unable(color, why)),
            trouble => Ok(Ending::of_trouble(color, &trouble)),
        }
    }

    /// One turn of a side. The error names the player in trouble.
    fn take_turn(
        &mut self,
        players: &mut [Box<dyn Player>; 2],
        side: Color,
    ) -> Result<Option<Ending>, (Color, Trouble)> {
        let other = !side;
        players[other.index()].wait(&self.turn(other)).map_err(|trouble| (other, trouble))?;
        let answer =
            players[side.index()].choose(&self.turn(side)).map_err(|trouble| (side, trouble))?;
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
            return Ok(Some(Ending::Rules(outcome)));
        }
        if answer.offers_draw && self.offers[other.index()] {
            return Ok(Some(Ending::Agreement));
        }
        let tablebase = self.conditions.tablebase;
        if let Some(winner) = tablebase.and_then(|tables| tables.winner(&self.position)) {
            return Ok(Some(Ending::Tablebase(winner)));
        }
        // An offer stands for the answer to it, and is gone with the next move of the one who made it.
        self.offers[side.index()] = answer.offers_draw;
        if answer.offers_draw {
            players[other.index()].offer_draw().map_err(|trouble| (other, trouble))?;
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
            patience: flag + self.conditions.stall,
        }
    }

    /// Charges the clock; the end if the flag fell.
    fn charge(&mut self, side: Color, answer: &Answer) -> Option<Ending> {
        let late =
            self.clocks[side.index()].charge(answer.elapsed, self.conditions.margin).err()?;
        let bare_king = self.position.all_pieces(!side).count() == 1;
        Some(Ending::Flag { loser: side, late, bare_king })
    }

    /// The move a player has made, or what else it did.
    fn read_action(&self, side: Color, answer: &Answer) -> Result<Move, Ending> {
        match &answer.action {
            Action::Move(text) => parse_move(&self.position, text).map_err(|error| {
                Ending::IllegalMove { loser: side, text: format!("{text} ({error})") }
            }),
            Action::Resign => Err(Ending::Resignation(side)),
            // Nobody claims a loss that is not one.
            Action::Claim(GameResult::Win(winner), _) if *winner != side => {
                Err(Ending::Resignation(side))
            }
            Action::Claim(result, comment) => {
                Err(Ending::FalseClaim { loser: side, text: format!("{result} {comment}") })
            }
            Action::Protest(text) => Err(Ending::FalseProtest { loser: side, text: text.clone() }),
        }
    }
}
