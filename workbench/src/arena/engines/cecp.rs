//! Drives an engine that speaks CECP, with the commands and in the order that xboard uses.

use std::mem;
use std::time::{Duration, Instant};

use super::connection::cecp::{CecpConnection, Handshake};
use super::limits::{EngineLimits, Period, PlayerClock, TimeControl};
use super::log_writer::LogHandle;
use super::player::{
    Action, Answer, GameStart, Player, Reuse, Thought, Timeouts, Turn, is_trebuchet,
    undeclared_option,
};
use super::process::{Awaited, EngineError, Process};
use super::spec::EngineSpec;
use trebuchet::cecp::wire::{Command, Level, Reply, message};
use trebuchet::protocol::dialect::VariantNames;
use trebuchet::protocol::options::OptionRemark;
use trebuchet::search::Bound;
use trebuchet::types::Color;
use trebuchet::types::GameResult;
use trebuchet::variants::VariantId;

/// With this many remarks in a game, further error messages of the engine are not passed on.
const MAX_REMARKS: usize = 10;

/// An engine that asks for time with `done=0` may take this many times longer to start.
pub const LONG_START: u32 = 6;

/// A running CECP engine.
pub struct CecpEngine {
    connection: CecpConnection,
    spec: EngineSpec,
    timeouts: Timeouts,
    /// The game that the engine is set up for.
    game: Option<CecpGame>,
    /// How many moves of the game the engine knows.
    known_moves: usize,
    /// Does it answer every move with one of its own? Otherwise it is in force mode.
    is_playing: bool,
    remarks: Vec<String>,
}

/// What is needed to set up the game once more; see [`GameStart`].
#[derive(Clone, Debug)]
struct CecpGame {
    variant: VariantId,
    fen: Option<String>,
    color: Color,
    opponent: String,
    limits: EngineLimits,
}

impl CecpEngine {
    /// Completes the handshake and sets the options.
    pub fn start(
        process: Process,
        spec: &EngineSpec,
        timeouts: Timeouts,
    ) -> Result<CecpEngine, EngineError> {
        let mut engine = CecpEngine {
            connection: CecpConnection::new(process, ()),
            spec: spec.clone(),
            timeouts,
            game: None,
            known_moves: 0,
            is_playing: false,
            remarks: Vec::new(),
        };
        engine.handshake()?;
        engine.set_options()?;
        engine.connection.say(&engine.spec.init)?;
        Ok(engine)
    }

    /// Takes the engine's features. An engine without features speaks protocol 1, or it starts slowly.
    fn handshake(&mut self) -> Result<(), EngineError> {
        let usual = self.timeouts.start;
        let answer = match self.connection.handshake(usual, usual * LONG_START)? {
            Handshake::Done => return Ok(()),
            Handshake::Refused => "refuses",
            Handshake::TimedOut if !self.connection.has_features() => "does not answer",
            Handshake::TimedOut if self.connection.introduction().asked_for_time => {
                return Err(EngineError::Silent(Awaited::Protover));
            }
            Handshake::TimedOut => return Ok(()),
        };
        self.remarks.push(format!(
            "{answer} `protover 2`: protocol 1 is assumed, without `ping`, and with a new process for \
             each game"
        ));
        Ok(())
    }

    /// Sets the options. Notes those that the engine does not declare.
    fn set_options(&mut self) -> Result<(), EngineError> {
        let name = self.connection.features().myname.as_deref().unwrap_or_default();
        let is_trebuchet = is_trebuchet(name);
        let mut commands = Vec::new();
        for (name, value) in &self.spec.options {
            let number = value.as_deref().and_then(|value| value.parse().ok());
            commands.push(match (name.as_str(), number) {
                ("memory", Some(mebibytes)) if self.connection.features().memory => {
                    Command::Memory(mebibytes)
                }
                ("cores", Some(threads)) if self.connection.features().smp => {
                    Command::Cores(threads)
                }
                _ => {
                    if self.connection.has_features() && !is_trebuchet {
                        self.remarks
                            .extend(undeclared_option(name, &self.connection.features().options));
                    }
                    Command::Option { name: name.clone(), value: value.clone() }
                }
            });
        }
        self.connection.say(&commands)
    }

    /// Waits until the engine has obeyed all commands. Without `ping` there is no way to know.
    fn synchronize(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let remarks = &mut self.remarks;
        self.connection.sync(timeout, |reply| match reply {
            Reply::TellUserError(text) => remark_error(remarks, text),
            Reply::Comment(text) if OptionRemark::is_in(text) => {
                remark_error(remarks, text.trim());
            }
            Reply::Error { text, .. } if text.starts_with("option ") => {
                remark_error(remarks, &reply.to_string());
            }
            _ => {}
        })
    }

    /// Sets up the position from which the game begins, and its limits.
    fn set_up(&mut self) -> Result<(), EngineError> {
        let Some(game) = self.game.clone() else { return Ok(()) };
        let names = VariantNames::of(game.variant);
        // The usual reason is a handshake that was not completed.
        let unknown =
            if self.connection.has_features() { "" } else { ", for it has declared no features" };
        if !self.connection.features().can_play(names) {
            let name = game.variant.name();
            return Err(EngineError::Unable(format!("does not play {name}{unknown}")));
        }
        let mut commands = vec![Command::New];
        commands.extend(names.cecp.map(|name| Command::Variant(name.to_owned())));
        commands.push(Command::Force);
        if let Some(fen) = &game.fen {
            let text = self
                .spec
                .fen
                .write(fen, game.variant)
                .filter(|_| self.connection.features().setboard);
            let text = text.ok_or_else(|| {
                EngineError::Unable(format!("cannot set up the position {fen}{unknown}"))
            })?;
            commands.push(Command::SetBoard(text));
        }
        commands.extend(self.limits(&game.limits)?);
        if game.limits.nodes.is_some() && self.connection.features().nps.is_none() {
            self.remarks.push(
                "does not declare the feature nps: it may think for a second instead of counting \
                 nodes"
                    .to_owned(),
            );
        }
        commands.extend([Command::Post, Command::Hard]);
        if !self.spec.ponder {
            commands.push(Command::Easy);
        }
        commands.push(Command::Computer);
        if self.connection.features().name {
            commands.push(Command::Name(game.opponent));
        }
        (self.known_moves, self.is_playing) = (0, false);
        self.connection.say(&commands)?;
        self.synchronize(self.timeouts.answer)
    }

    /// Sets up the game anew for an engine that has declared its features in the middle of it. Its
    /// answers to earlier commands are dropped: they come before its answer to `ping`.
    fn set_up_anew(&mut self) -> Result<(), EngineError> {
        self.remarks.push(
            "declares its features only during a game: the game is set up anew for it (a longer \
             --startup gives it more time)"
                .to_owned(),
        );
        self.connection.say(&[Command::Force])?;
        self.synchronize(self.timeouts.start)?;
        self.set_options()?;
        self.set_up()
    }

    /// The commands that set the limits of a game.
    fn limits(&self, limits: &EngineLimits) -> Result<Vec<Command>, EngineError> {
        let mut commands = Vec::new();
        match (limits.time_control, limits.nodes) {
            // One second for each move, at a rate of `nodes` per second.
            (TimeControl::Untimed, Some(nodes)) => {
                if self.connection.features().nps == Some(false) {
                    return Err(EngineError::Unable(
                        "cannot count nodes (feature nps=0)".to_owned(),
                    ));
                }
                commands.push(Command::MoveTime(Duration::from_secs(1)));
                commands.push(Command::NodeRate(u32::try_from(nodes).unwrap_or(u32::MAX)));
            }
            (_, Some(_)) => {
                return Err(EngineError::Unable(
                    "cannot limit both nodes and time: CECP counts one or the other".to_owned(),
                ));
            }
            (TimeControl::Clock(Period { moves, base, increment }), None) => {
                // `level` has whole seconds, at least one. The engine learns its real time from `time`.
                let base = Duration::from_secs(base.as_secs().max(1));
                commands.push(Command::Level(Level { moves: moves.unwrap_or(0), base, increment }));
            }
            (TimeControl::PerMove(time), None) => commands.push(Command::MoveTime(time)),
            (TimeControl::Untimed, None) => {
                commands.push(Command::MoveTime(Duration::from_secs(86_400)))
            }
        }
        commands.extend(limits.depth.map(Command::Depth));
        Ok(commands)
    }

    /// `time` and `otim`, if the engine wants them and there is a clock.
    fn clocks(&self, own: &PlayerClock, opponent: &PlayerClock) -> Vec<Command> {
        match own.left() {
            Some(left) if self.connection.features().time => {
                let opponent = opponent.left().unwrap_or(left);
                vec![
                    Command::Time(at_least_10_ms(left)),
                    Command::OpponentTime(at_least_10_ms(opponent)),
                ]
            }
            _ => Vec::new(),
        }
    }

    /// The commands that make the engine think about its move.
    fn prompt(&mut self, turn: &Turn) -> Vec<Command> {
        let clocks = self.clocks(turn.own_clock, turn.opponent_clock);
        let prefixed = self.connection.features().usermove;
        let new_moves = turn.moves[self.known_moves..]
            .iter()
            .map(|mv| Command::Move { text: mv.cecp.clone(), prefixed });
        self.known_moves = turn.moves.len();
        if self.is_playing {
            return clocks.into_iter().chain(new_moves).collect();
        }
        self.is_playing = true;
        let color =
            self.game.as_ref().filter(|_| self.connection.features().colors).map(|game| match game
                .color
            {
                Color::White => Command::White,
                Color::Black => Command::Black,
            });
        new_moves.into_iter().chain(clocks).chain(color).chain([Command::Go]).collect()
    }
}

/// Adds an error message of the engine for its user, such as that a file cannot be used.
fn remark_error(remarks: &mut Vec<String>, text: &str) {
    if remarks.len() < MAX_REMARKS {
        remarks.push(format!("says: {}", message(text)));
    }
}

/// xboard never tells an engine that it has less than a hundredth of a second.
fn at_least_10_ms(left: Duration) -> Duration {
    left.max(Duration::from_millis(10))
}

impl Player for CecpEngine {
    fn start_game(&mut self, start: &GameStart) -> Result<(), EngineError> {
        self.game = Some(CecpGame {
            variant: start.variant,
            fen: start.fen.map(str::to_owned),
            color: start.color,
            opponent: start.opponent.to_owned(),
            limits: start.limits.clone(),
        });
        self.set_up()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, EngineError> {
        let prompt = self.prompt(turn);
        let mut sent = Instant::now();
        self.connection.say(&prompt)?;
        let mut deadline = sent + turn.timeout;
        let (mut thought, mut offers_draw) = (None, false);
        loop {
            let (line, reply) = self.connection.receive(deadline, Awaited::Go)?;
            let action = match reply {
                Reply::Move(text) => {
                    self.known_moves += 1;
                    Action::Move(text)
                }
                Reply::Resign => Action::Resign,
                Reply::Result(result, comment) => Action::Claim(result, comment),
                Reply::IllegalMove { text, .. }
                    if turn.moves.last().is_some_and(|last| last.cecp == text) =>
                {
                    Action::Protest(line.text)
                }
                Reply::OfferDraw => {
                    offers_draw = true;
                    continue;
                }
                Reply::TellUserError(text) => {
                    remark_error(&mut self.remarks, &text);
                    continue;
                }
                Reply::Thinking(line) => {
                    if line.bound == Bound::Exact && (line.depth > 0 || line.nodes > 0) {
                        thought = Some(Thought {
                            score: line.score,
                            depth: line.depth,
                            nodes: line.nodes,
                        });
                    }
                    continue;
                }
                Reply::Features(features) => {
                    let had_ping = self.connection.features().ping;
                    self.connection.take_features(&line, &features)?;
                    if self.connection.features().ping && !had_ping {
                        self.set_up_anew()?;
                        (thought, offers_draw) = (None, false);
                        // The time of its start is not charged.
                        let prompt = self.prompt(turn);
                        sent = Instant::now();
                        self.connection.say(&prompt)?;
                        deadline = sent + turn.timeout;
                    }
                    continue;
                }
                _ => continue,
            };
            let elapsed = line.at.saturating_duration_since(sent);
            return Ok(Answer { elapsed, action, thought, offers_draw });
        }
    }

    fn wait(&mut self, _turn: &Turn) -> Result<(), EngineError> {
        // A CECP engine starts to ponder by itself.
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<(), EngineError> {
        if self.connection.features().draw { self.connection.say(&[Command::Draw]) } else { Ok(()) }
    }

    fn end_game(&mut self, result: GameResult, comment: &str) -> Result<Reuse, EngineError> {
        self.is_playing = false;
        self.connection.say(&[Command::Result(result, comment.to_owned()), Command::Force])?;
        self.synchronize(self.timeouts.answer)?;
        // Without `ping`, a late move or claim of this game would count in the next one.
        let features = self.connection.features();
        Ok(if features.reuse && features.ping { Reuse::Keep } else { Reuse::Restart })
    }

    fn take_remarks(&mut self) -> Vec<String> {
        mem::take(&mut self.remarks)
    }

    fn set_log(&mut self, log: Option<LogHandle>) {
        self.connection.process.set_log(log);
    }

    fn quit(&mut self) {
        self.connection.process.quit(self.timeouts.quit);
    }
}
