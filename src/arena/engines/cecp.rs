//! Drives an engine that speaks CECP, with the commands and in the order that xboard uses.

use std::time::{Duration, Instant};

use super::debug_log::LogHandle;
use super::dialect::VariantNames;
use super::features::Features;
use super::limits::{Clock, Pace, Period};
use super::player::{Action, Answer, GameStart, Player, Thought, Timeouts, Turn};
use super::process::{EngineError, Process};
use super::spec::EngineSpec;
use crate::cecp::wire::{Command, FeatureValue, Level, Reply};
use crate::search::Bound;
use crate::types::Color;
use crate::types::GameResult;

/// The most features that are answered. The answers to an engine that never reads them would fill
/// the pipe.
const MAX_FEATURES: usize = 1000;

/// An engine that asks for time with `done=0` may take this many times longer to start.
const LONG_START: u32 = 6;

/// A running CECP engine.
pub struct CecpEngine {
    process: Process,
    spec: EngineSpec,
    timeouts: Timeouts,
    features: Features,
    /// How many moves of the game the engine knows.
    known_moves: usize,
    /// Does it answer every move with one of its own? Otherwise it is in force mode.
    is_playing: bool,
    color: Color,
    pings: i64,
}

impl CecpEngine {
    /// Completes the handshake and sets the options.
    pub fn start(
        process: Process,
        spec: &EngineSpec,
        timeouts: Timeouts,
    ) -> Result<CecpEngine, EngineError> {
        let mut engine = CecpEngine {
            process,
            spec: spec.clone(),
            timeouts,
            features: Features::default(),
            known_moves: 0,
            is_playing: false,
            color: Color::White,
            pings: 0,
        };
        engine.handshake()?;
        engine.configure()?;
        Ok(engine)
    }

    /// `xboard`, `protover 2`, and the features up to `done=1`. An engine without features speaks
    /// protocol 1.
    fn handshake(&mut self) -> Result<(), EngineError> {
        self.say(&[Command::Xboard, Command::Protover(2)])?;
        let start = Instant::now();
        let mut deadline = start + self.timeouts.start;
        let mut count = 0;
        loop {
            let line = match self.process.receive(deadline, "protover") {
                Err(EngineError::Silent(_)) if count == 0 => return Ok(()),
                line => line?,
            };
            let Reply::Features(features) = Reply::parse(line.text.as_bytes()) else { continue };
            count += features.len();
            if count > MAX_FEATURES {
                return Err(EngineError::Unable("declares too many features".to_owned()));
            }
            for feature in &features {
                let is_known = self.features.note(feature);
                let name = feature.name.clone();
                let answer =
                    if is_known { Command::Accepted(name) } else { Command::Rejected(name) };
                self.say(&[answer])?;
                if feature.name == "done" {
                    match feature.value {
                        FeatureValue::Number(1) => return Ok(()),
                        _ => deadline = start + self.timeouts.start * LONG_START,
                    }
                }
            }
        }
    }

    fn configure(&mut self) -> Result<(), EngineError> {
        let mut commands = Vec::new();
        for (name, value) in &self.spec.options {
            let number = value.as_deref().and_then(|value| value.parse().ok());
            commands.push(match (name.as_str(), number) {
                ("memory", Some(mebibytes)) if self.features.memory => Command::Memory(mebibytes),
                ("cores", Some(threads)) if self.features.smp => Command::Cores(threads),
                _ => Command::Option { name: name.clone(), value: value.clone() },
            });
        }
        self.say(&commands)?;
        self.process.send(&self.spec.init)
    }

    fn say(&mut self, commands: &[Command]) -> Result<(), EngineError> {
        let lines: Vec<String> = commands.iter().map(Command::to_string).collect();
        if lines.is_empty() { Ok(()) } else { self.process.send(&lines) }
    }

    /// Waits until the engine has obeyed all commands. Without `ping` there is no way to know.
    fn synchronize(&mut self) -> Result<(), EngineError> {
        if !self.features.ping {
            self.process.forget_lines();
            return Ok(());
        }
        self.pings += 1;
        self.say(&[Command::Ping(self.pings)])?;
        let deadline = Instant::now() + self.timeouts.answer;
        let pong = Reply::Pong(self.pings);
        self.process.receive_until(deadline, "ping", |line| {
            (Reply::parse(line.text.as_bytes()) == pong).then_some(())
        })
    }

    /// The commands that set the limits of a game.
    fn limits(&self) -> Result<Vec<Command>, EngineError> {
        let limits = &self.spec.limits;
        let mut commands = Vec::new();
        match (limits.pace, limits.nodes) {
            // One second for each move, at a rate of `nodes` per second.
            (Pace::Untimed, Some(nodes)) => {
                if self.features.nps == Some(false) {
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
            (Pace::Clock(Period { moves, base, increment }), None) => {
                // `level` cannot express less than a second. The engine learns its real time from
                // `time`.
                let base = base.max(Duration::from_secs(1));
                commands.push(Command::Level(Level { moves: moves.unwrap_or(0), base, increment }));
            }
            (Pace::PerMove(time), None) => commands.push(Command::MoveTime(time)),
            (Pace::Untimed, None) => commands.push(Command::MoveTime(Duration::from_secs(86_400))),
        }
        commands.extend(limits.depth.map(Command::Depth));
        Ok(commands)
    }

    /// `time` and `otim`, if the engine wants them and there is a clock.
    fn clocks(&self, own: &Clock, opponent: &Clock) -> Vec<Command> {
        match own.left() {
            Some(left) if self.features.time => {
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
        let prefixed = self.features.usermove;
        let new_moves = turn.moves[self.known_moves..]
            .iter()
            .map(|mv| Command::Move { text: mv.cecp.clone(), prefixed });
        self.known_moves = turn.moves.len();
        if self.is_playing {
            return clocks.into_iter().chain(new_moves).collect();
        }
        self.is_playing = true;
        let color = self.features.colors.then_some(match self.color {
            Color::White => Command::White,
            Color::Black => Command::Black,
        });
        new_moves.into_iter().chain(clocks).chain(color).chain([Command::Go]).collect()
    }
}

/// xboard never tells an engine that it has less than a hundredth of a second.
fn at_least_10_ms(left: Duration) -> Duration {
    left.max(Duration::from_millis(10))
}

impl Player for CecpEngine {
    fn start_game(&mut self, start: &GameStart) -> Result<(), EngineError> {
        let names = VariantNames::of(start.variant);
        if !self.features.can_play(names) {
            return Err(EngineError::Unable(format!("does not play {}", start.variant.name())));
        }
        let mut commands = vec![Command::New];
        commands.extend(names.cecp.map(|name| Command::Variant(name.to_owned())));
        commands.push(Command::Force);
        if let Some(fen) = start.fen {
            let text = self.spec.fen.write(fen, start.variant).filter(|_| self.features.setboard);
            commands.push(Command::SetBoard(text.ok_or_else(|| EngineError::position(fen))?));
        }
        commands.extend(self.limits()?);
        commands.extend([Command::Post, Command::Hard]);
        if !self.spec.ponder {
            commands.push(Command::Easy);
        }
        commands.push(Command::Computer);
        if self.features.name {
            commands.push(Command::Name(start.opponent.to_owned()));
        }
        (self.known_moves, self.is_playing, self.color) = (0, false, start.color);
        self.say(&commands)?;
        self.synchronize()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, EngineError> {
        let prompt = self.prompt(turn);
        let sent = Instant::now();
        self.say(&prompt)?;
        let deadline = sent + turn.timeout;
        let (mut thought, mut offers_draw) = (None, false);
        loop {
            let line = self.process.receive(deadline, "go")?;
            let action = match Reply::parse(line.text.as_bytes()) {
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
        if self.features.draw { self.say(&[Command::Draw]) } else { Ok(()) }
    }

    fn end_game(&mut self, result: GameResult, comment: &str) -> Result<(), EngineError> {
        self.is_playing = false;
        self.say(&[Command::Result(result, comment.to_owned()), Command::Force])?;
        self.synchronize()?;
        if self.features.reuse {
            Ok(())
        } else {
            Err(EngineError::Unable("cannot be used again (feature reuse=0)".to_owned()))
        }
    }

    fn set_log(&mut self, log: Option<LogHandle>) {
        self.process.set_log(log);
    }

    fn quit(&mut self) {
        self.process.quit(self.timeouts.quit);
    }
}
