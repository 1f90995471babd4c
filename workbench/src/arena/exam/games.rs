//! Games of bots: against our own playing levels, and of all bots of a class against each other.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{ExamError, MARGIN};
use crate::arena::engines::{
    EngineLimits, EngineSpec, Period, Protocol, StopSignal, TimeControl, Timeouts,
};
use crate::arena::games::openings::Openings;
use crate::arena::games::{ForfeitKind, GameEnding};
use crate::arena::tournament::adjudication::AdjudicationRules;
use crate::arena::tournament::event::MatchEvent;
use crate::arena::tournament::final_table::{TableRow, final_table};
use crate::arena::tournament::pairing::{FixedSchedule, Pairing, Tournament};
use crate::arena::tournament::pgn_file::PgnFile;
use crate::arena::tournament::plan::{OnFailure, Plan};
use crate::arena::tournament::standings::Standings;
use crate::arena::tournament::swiss::Swiss;
use crate::arena::tournament::{resume, runner};
use crate::counts::count;
use crate::own_program::own_program;
use trebuchet::play::SkillLevel;
use trebuchet::variants::VariantId;

/// How long a bot may stay silent after its time is up.
const STALL: Duration = Duration::from_secs(10);

/// The plies that are played before the bots take over, so that bots that do not vary their moves play
/// different games.
const OPENING: usize = 2;

/// A game of more full moves than this is a draw: weak bots do not find the end.
const MOST_MOVES: u32 = 200;

/// The event of the games.
const EVENT: &str = "Trebuchet exam";

/// How a file of games begins.
pub const FIRST_TAG: &str = "[Event \"Trebuchet exam\"]";

/// How games are played.
#[derive(Clone, Debug)]
pub struct GameRules {
    pub variant: VariantId,
    /// For each pair of players: an even number, for each opening is played with both colours.
    pub games: usize,
    pub time_control: TimeControl,
    pub concurrency: usize,
    pub seed: u64,
    /// Whom the ladder has, the weakest first. Without them it has our levels.
    pub opponents: Vec<EngineSpec>,
}

/// The games against one playing level, or another engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    pub level: String,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
}

impl GameRules {
    /// Plays against the opponents from the weakest on, until the bot scores nothing against one, and writes
    /// the games as PGN.
    ///
    /// # Errors
    /// If this program cannot be found, an opponent cannot be started or play the game, the file cannot be written,
    /// or the signal is given.
    pub fn ladder(
        &self,
        bot: &EngineSpec,
        pgn: &Path,
        stop: &StopSignal,
    ) -> Result<Vec<Rung>, ExamError> {
        let mut file = PgnFile::open(pgn, 0).map_err(file_error(pgn))?;
        let mut rungs = Vec::new();
        for opponent in self.ladder_opponents()? {
            let level = opponent.label();
            let players = vec![bot.clone(), opponent];
            let mut schedule = self.schedule(Tournament::Gauntlet, players.len());
            let names: Vec<String> = players.iter().map(EngineSpec::label).collect();
            let mut standings = Standings::new(names, schedule.meetings());
            let unable =
                self.play(&mut schedule, players, &mut standings, (&mut file, pgn), stop)?;
            if let Some((_, why)) = unable.into_iter().find(|&(player, _)| player != 0) {
                return Err(ExamError::Opponent { name: level, why });
            }
            let tally = standings.tally_of(0);
            rungs.push(Rung { level, won: tally.wins, drawn: tally.draws, lost: tally.losses });
            if tally.points() == 0.0 {
                break;
            }
        }
        Ok(rungs)
    }

    /// How the ladder is played, in words.
    pub fn ladder_in_words(&self) -> String {
        let (games, clock) = (count(self.games, "game"), self.time_control);
        if self.opponents.is_empty() {
            return format!("{games} against each level with the clock {clock}");
        }
        let opponents: Vec<String> = self.opponents.iter().map(EngineSpec::label).collect();
        format!("{games} each against {} with the clock {clock}", opponents.join(", "))
    }

    /// The engines that are given, or our levels.
    fn ladder_opponents(&self) -> Result<Vec<EngineSpec>, ExamError> {
        if !self.opponents.is_empty() {
            return Ok(self.opponents.clone());
        }
        let program = own_program()?.to_string_lossy().into_owned();
        let level = |level: SkillLevel| EngineSpec {
            name: Some(level.name().to_owned()),
            command: vec![program.clone(), "--level".to_owned(), level.name().to_owned()],
            protocol: Some(Protocol::Cecp),
            ..EngineSpec::default()
        };
        Ok(SkillLevel::ALL.map(level).to_vec())
    }

    /// Plays the tournament of these bots, and writes the games as PGN. The games that the file has already
    /// are not played again; `begin` is told how many these are, and how many there are in all.
    ///
    /// # Errors
    /// If the file has games of another tournament, or of a Swiss one of other bots or with another number
    /// of games; if it cannot be written, or the signal is given.
    pub fn tournament(
        &self,
        bots: Vec<EngineSpec>,
        is_swiss: bool,
        pgn: &Path,
        stop: &StopSignal,
        begin: impl FnOnce(u64, usize) -> io::Result<()>,
    ) -> Result<Vec<TableRow>, ExamError> {
        let names: Vec<String> = bots.iter().map(EngineSpec::label).collect();
        let mut standings = Standings::new(names.clone(), &[]);
        let mut fixed = self.schedule(Tournament::RoundRobin, bots.len());
        let openings = self.openings();
        let mut swiss = Swiss::new(self.limits(bots.len()), self.games, self.variant, openings);
        let pairing: &mut dyn Pairing = if is_swiss { &mut swiss } else { &mut fixed };
        let (mut file, _) = resume::continue_file(pgn, &names, pairing, &mut standings)
            .map_err(|error| ExamError::Games { path: pgn.to_owned(), error: Box::new(error) })?;
        if is_swiss && !swiss.fits_played() {
            return Err(ExamError::OtherRounds(pgn.to_owned()));
        }
        let pairing: &mut dyn Pairing = if is_swiss { &mut swiss } else { &mut fixed };
        begin(standings.games(), pairing.total())?;
        self.play(pairing, bots, &mut standings, (&mut file, pgn), stop)?;
        let points = if is_swiss { swiss.points(&standings) } else { points(&standings) };
        Ok(final_table(&standings, &points))
    }

    /// The rounds of a tournament with this number of bots, and the games of each. A round begins when the one
    /// before it is over.
    pub fn rounds_of(&self, bots: usize, is_swiss: bool) -> (usize, usize) {
        if is_swiss {
            let openings = self.openings();
            let games = Swiss::new(self.limits(bots), self.games, self.variant, openings).total();
            let rounds = Swiss::rounds_of(bots).max(1);
            (rounds, games / rounds)
        } else {
            (1, self.schedule(Tournament::RoundRobin, bots).total())
        }
    }

    /// The most games of a bot in the ladder.
    pub fn ladder_games(&self) -> usize {
        let opponents =
            if self.opponents.is_empty() { SkillLevel::ALL.len() } else { self.opponents.len() };
        opponents * self.schedule(Tournament::Gauntlet, 2).total()
    }

    /// The longest time that a game can take; `None` without a clock.
    pub fn longest_game(&self) -> Option<Duration> {
        let moves = MOST_MOVES;
        let each = match self.time_control {
            TimeControl::Clock(Period { moves: period, base, increment }) => {
                let periods = period.map_or(1, |period| moves.div_ceil(period.max(1)));
                base.saturating_mul(periods).saturating_add(increment.saturating_mul(moves))
            }
            TimeControl::PerMove(time) => time.saturating_mul(moves),
            TimeControl::Untimed => return None,
        };
        Some(each.saturating_mul(2))
    }

    fn limits(&self, players: usize) -> Vec<EngineLimits> {
        let limits = EngineLimits { time_control: self.time_control, ..EngineLimits::default() };
        vec![limits; players]
    }

    fn openings(&self) -> Openings {
        Openings::Random { plies: OPENING, seed: self.seed }
    }

    fn schedule(&self, tournament: Tournament, players: usize) -> FixedSchedule {
        let (limits, openings) = (self.limits(players), self.openings());
        FixedSchedule::new(tournament, limits, self.games, self.variant, openings)
    }

    /// Plays the games of the pairing, and writes them. Returns the players that could not play a game, and why.
    fn play(
        &self,
        pairing: &mut dyn Pairing,
        players: Vec<EngineSpec>,
        standings: &mut Standings,
        (file, path): (&mut PgnFile, &Path),
        stop: &StopSignal,
    ) -> Result<Vec<(usize, String)>, ExamError> {
        let mut plan = Plan {
            event: EVENT.to_owned(),
            engines: players,
            names: standings.names.clone(),
            adjudication: AdjudicationRules {
                max_moves: Some(MOST_MOVES),
                ..AdjudicationRules::default()
            },
            tablebase: None,
            margin: MARGIN,
            stall: STALL,
            timeouts: Timeouts::default(),
            concurrency: self.concurrency,
            logs: None,
            on_failure: OnFailure::Forfeit,
            sprt: None,
        };
        let (mut written, mut unable) = (Ok(()), Vec::new());
        // What ends these games need not end those of other bots.
        let halt = stop.child();
        let mut on_event = |event: MatchEvent, _: &Standings| {
            let (MatchEvent::Finished(game), Ok(())) = (event, &written) else { return };
            if let GameEnding::Forfeit(forfeit) = &game.record.ending
                && forfeit.kind == ForfeitKind::CannotPlay
            {
                unable.push((game.id.players[forfeit.loser.index()], forfeit.detail.clone()));
            }
            written = file.append(&game.record.to_pgn().to_string());
            if written.is_err() {
                halt.stop();
            }
        };
        let outcome = runner::run(&mut plan, pairing, standings, &halt, &mut on_event);
        written.map_err(file_error(path))?;
        if stop.is_stopped() {
            return Err(ExamError::Interrupted);
        }
        outcome?;
        Ok(unable)
    }
}

fn file_error(path: &Path) -> impl Fn(io::Error) -> ExamError {
    |error| ExamError::File { path: path.to_owned(), error }
}

/// The points of each player from its games.
fn points(standings: &Standings) -> Vec<f64> {
    (0..standings.names.len()).map(|player| standings.tally_of(player).points()).collect()
}
