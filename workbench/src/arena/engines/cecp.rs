//! Drives an engine that speaks CECP, with the commands and in the order that xboard uses.

use std::mem;
use std::time::{Duration, Instant};

use super::debug_log::LogHandle;
use super::features::Features;
use super::limits::{Clock, Pace, Period};
use super::player::{
    Action, Answer, GameStart, Player, Reuse, Thought, Timeouts, Turn, undeclared_option,
};
use super::process::{EngineError, Process};
use super::spec::EngineSpec;
use trebuchet::cecp::wire::{Command, Feature, FeatureValue, Level, Reply, message};
use trebuchet::protocol::dialect::VariantNames;
use trebuchet::search::Bound;
use trebuchet::types::Color;
use trebuchet::types::GameResult;
use trebuchet::variants::VariantId;

/// The most features that are answered. The answers to an engine that never reads them would fill
/// the pipe.
const MAX_FEATURES: usize = 1000;

/// With so many remarks in a game, further error messages of the engine are not passed on.
const MAX_REMARKS: usize = 10;

/// An engine that asks for time with `done=0` may take this many times longer to start.
const LONG_START: u32 = 6;

/// A running CECP engine.
pub struct CecpEngine {
    process: Process,
    spec: EngineSpec,
    timeouts: Timeouts,
    features: Features,
    feature_count: usize,
    /// The game that the engine is set up for.
    game: Option<CecpGame>,
    /// How many moves of the game the engine knows.
    known_moves: usize,
    /// Does it answer every move with one of its own? Otherwise it is in force mode.
    is_playing: bool,
    pings: i64,
    remarks: Vec<String>,
}

/// What is needed to set up the game once more; see [`GameStart`].
#[derive(Clone, Debug)]
struct CecpGame {
    variant: VariantId,
    fen: Option<String>,
    color: Color,
    opponent: String,
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
            feature_count: 0,
            game: None,
            known_moves: 0,
            is_playing: false,
            pings: 0,
            remarks: Vec::new(),
        };
        engine.handshake()?;
        engine.set_options()?;
        engine.process.send(&engine.spec.init)?;
        Ok(engine)
    }

    /// `xboard`, `protover 2`, and the features up to `done=1`. An engine without features speaks
    /// protocol 1, or it starts slowly.
    fn handshake(&mut self) -> Result<(), EngineError> {
        self.say(&[Command::Xboard, Command::Protover(2)])?;
        let start = Instant::now();
        let mut deadline = start + self.timeouts.start;
        let mut wants_time = false;
        let answer = loop {
            let line = match self.process.receive(deadline, "protover") {
                Err(EngineError::Silent(_)) if self.feature_count == 0 => break "does not answer",
                Err(EngineError::Silent(_)) if !wants_time => return Ok(()),
                line => line?,
            };
            match Reply::parse(line.text.as_bytes()) {
                Reply::Features(features) => match self.note(&features)? {
                    Some(true) => return Ok(()),
                    Some(false) => {
                        wants_time = true;
                        deadline = start + self.timeouts.start * LONG_START;
                    }
                    None => {}
                },
                // An engine of protocol 1 does not know the command.
                Reply::Error { text, .. } | Reply::IllegalMove { text, .. }
                    if self.feature_count == 0 && text.starts_with("protover") =>
                {
                    break "refuses";
                }
                _ => {}
            }
        };
        self.remarks.push(format!(
            "{answer} `protover 2`: protocol 1 is assumed, without `ping`, and with a new process for \
             each game"
        ));
        Ok(())
    }

    /// Notes features and answers them. Returns the value of `done`, if it is among them.
    fn note(&mut self, features: &[Feature]) -> Result<Option<bool>, EngineError> {
        self.feature_count += features.len();
        if self.feature_count > MAX_FEATURES {
            return Err(EngineError::Unable("declares too many features".to_owned()));
        }
        let mut done = None;
        for feature in features {
            let is_known = self.features.note(feature);
            let name = feature.name.clone();
            let answer = if is_known { Command::Accepted(name) } else { Command::Rejected(name) };
            self.say(&[answer])?;
            if feature.name == "done" {
                done = Some(feature.value == FeatureValue::Number(1));
            }
        }
        Ok(done)
    }

    /// Sets the options. Notes those that the engine does not declare. Trebuchet has more options than
    /// it declares, the constants of its search, and says itself which ones it does not have.
    fn set_options(&mut self) -> Result<(), EngineError> {
        let name = self.features.myname.as_deref().unwrap_or_default();
        let is_trebuchet = name.starts_with("Trebuchet");
        let mut commands = Vec::new();
        for (name, value) in &self.spec.options {
            let number = value.as_deref().and_then(|value| value.parse().ok());
            commands.push(match (name.as_str(), number) {
                ("memory", Some(mebibytes)) if self.features.memory => Command::Memory(mebibytes),
                ("cores", Some(threads)) if self.features.smp => Command::Cores(threads),
                _ => {
                    if self.feature_count > 0 && !is_trebuchet {
                        self.remarks.extend(undeclared_option(name, &self.features.options));
                    }
                    Command::Option { name: name.clone(), value: value.clone() }
                }
            });
        }
        self.say(&commands)
    }

    fn say(&mut self, commands: &[Command]) -> Result<(), EngineError> {
        let lines: Vec<String> = commands.iter().map(Command::to_string).collect();
        if lines.is_empty() { Ok(()) } else { self.process.send(&lines) }
    }

    /// Waits until the engine has obeyed all commands. Without `ping` there is no way to know.
    fn synchronize(&mut self, timeout: Duration) -> Result<(), EngineError> {
        while let Some(line) = self.process.receive_waiting() {
            match Reply::parse(line.text.as_bytes()) {
                Reply::Features(features) => {
                    self.note(&features)?;
                }
                Reply::Comment(text) => self.remark_option(&text),
                _ => {}
            }
        }
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        self.say(&[Command::Ping(self.pings)])?;
        let deadline = Instant::now() + timeout;
        loop {
            match Reply::parse(self.process.receive(deadline, "ping")?.text.as_bytes()) {
                Reply::Pong(number) if number == self.pings => return Ok(()),
                Reply::Features(features) => {
                    self.note(&features)?;
                }
                Reply::TellUserError(text) => self.remark_error(&text),
                Reply::Comment(text) => self.remark_option(&text),
                _ => {}
            }
        }
    }

    /// Passes on what Trebuchet says of an option that it does not have.
    fn remark_option(&mut self, text: &str) {
        if text.contains("no such option") {
            self.remark_error(text.trim());
        }
    }

    /// An error message of the engine for its user, such as that a file cannot be used.
    fn remark_error(&mut self, text: &str) {
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push(format!("says: {}", message(text)));
        }
    }

    /// Sets up the position from which the game begins, and its limits.
    fn set_up(&mut self) -> Result<(), EngineError> {
        let Some(game) = self.game.clone() else { return Ok(()) };
        let names = VariantNames::of(game.variant);
        // The usual reason is a handshake that was not completed.
        let unknown =
            if self.feature_count == 0 { ", for it has declared no features" } else { "" };
        if !self.features.can_play(names) {
            let name = game.variant.name();
            return Err(EngineError::Unable(format!("does not play {name}{unknown}")));
        }
        let mut commands = vec![Command::New];
        commands.extend(names.cecp.map(|name| Command::Variant(name.to_owned())));
        commands.push(Command::Force);
        if let Some(fen) = &game.fen {
            let text = self.spec.fen.write(fen, game.variant).filter(|_| self.features.setboard);
            let text = text.ok_or_else(|| {
                EngineError::Unable(format!("cannot set up the position {fen}{unknown}"))
            })?;
            commands.push(Command::SetBoard(text));
        }
        commands.extend(self.limits()?);
        commands.extend([Command::Post, Command::Hard]);
        if !self.spec.ponder {
            commands.push(Command::Easy);
        }
        commands.push(Command::Computer);
        if self.features.name {
            commands.push(Command::Name(game.opponent));
        }
        (self.known_moves, self.is_playing) = (0, false);
        self.say(&commands)?;
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
        self.say(&[Command::Force])?;
        self.synchronize(self.timeouts.start)?;
        self.set_options()?;
        self.set_up()
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
        let color =
            self.game.as_ref().filter(|_| self.features.colors).map(|game| match game.color {
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
        self.game = Some(CecpGame {
            variant: start.variant,
            fen: start.fen.map(str::to_owned),
            color: start.color,
            opponent: start.opponent.to_owned(),
        });
        self.set_up()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, EngineError> {
        let prompt = self.prompt(turn);
        let mut sent = Instant::now();
        self.say(&prompt)?;
        let mut deadline = sent + turn.timeout;
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
                Reply::TellUserError(text) => {
                    self.remark_error(&text);
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
                    let had_ping = self.features.ping;
                    self.note(&features)?;
                    if self.features.ping && !had_ping {
                        self.set_up_anew()?;
                        (thought, offers_draw) = (None, false);
                        // The time of its start is not charged.
                        let prompt = self.prompt(turn);
                        sent = Instant::now();
                        self.say(&prompt)?;
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
        if self.features.draw { self.say(&[Command::Draw]) } else { Ok(()) }
    }

    fn end_game(&mut self, result: GameResult, comment: &str) -> Result<Reuse, EngineError> {
        self.is_playing = false;
        self.say(&[Command::Result(result, comment.to_owned()), Command::Force])?;
        self.synchronize(self.timeouts.answer)?;
        // Without `ping`, a late move or claim of this game would count in the next one.
        let is_reusable = self.features.reuse && self.features.ping;
        Ok(if is_reusable { Reuse::Keep } else { Reuse::Restart })
    }

    fn take_remarks(&mut self) -> Vec<String> {
        mem::take(&mut self.remarks)
    }

    fn set_log(&mut self, log: Option<LogHandle>) {
        self.process.set_log(log);
    }

    fn quit(&mut self) {
        self.process.quit(self.timeouts.quit);
    }
}
