//! Drives an engine that speaks CECP, with the words and in the order that xboard uses.

use std::time::{Duration, Instant};

use super::budget::{Clock, Pace, TimeControl};
use super::journal::Tap;
use super::player::{Action, Answer, GameStart, Patience, Player, Thought, Turn, deadline};
use super::process::{Errors, Interrupt, Process, Trouble};
use super::spec::EngineSpec;
use crate::cecp::wire::{Command, Feature, FeatureValue, Level, Reply};
use crate::search::Bound;
use crate::types::GameResult;
use crate::types::{Color, Move};
use crate::variants::VariantId;

/// What the engine has said about itself, as far as it matters here.
#[derive(Clone, Debug)]
pub struct Features {
    pub ping: bool,
    pub setboard: bool,
    pub usermove: bool,
    pub time: bool,
    pub draw: bool,
    pub colors: bool,
    pub reuse: bool,
    pub name: bool,
    pub memory: bool,
    pub smp: bool,
    /// `None`: not said, which means "try it".
    pub nps: Option<bool>,
    pub variants: Option<String>,
    pub myname: Option<String>,
}

impl Default for Features {
    /// What holds as long as nothing is said: the protocol's defaults.
    fn default() -> Features {
        Features {
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            draw: true,
            colors: true,
            reuse: true,
            name: false,
            memory: false,
            smp: false,
            nps: None,
            variants: None,
            myname: None,
        }
    }
}

impl Features {
    /// Takes note of a feature; is it one that we go along with?
    pub fn note(&mut self, feature: &Feature) -> bool {
        match (&feature.value, feature.name.as_str()) {
            (FeatureValue::Number(number), name) => {
                let on = *number != 0;
                match name {
                    "ping" => self.ping = on,
                    "setboard" => self.setboard = on,
                    "usermove" => self.usermove = on,
                    "time" => self.time = on,
                    "draw" => self.draw = on,
                    "colors" => self.colors = on,
                    "reuse" => self.reuse = on,
                    "name" => self.name = on,
                    "memory" => self.memory = on,
                    "smp" => self.smp = on,
                    "nps" => self.nps = Some(on),
                    // Coordinates are understood by all who would like SAN.
                    "san" => return !on,
                    "done" | "analyze" | "debug" | "playother" | "sigint" | "sigterm" | "ics"
                    | "pause" | "exclude" | "highlight" => {}
                    _ => return false,
                }
            }
            (FeatureValue::Text(text), "variants") => self.variants = Some(text.clone()),
            (FeatureValue::Text(text), "myname") => self.myname = Some(text.clone()),
            (FeatureValue::Text(_), "egt") | (FeatureValue::Option(_), _) => {}
            (FeatureValue::Text(_), _) => return false,
        }
        true
    }

    fn plays(&self, variant: VariantId) -> bool {
        let listed =
            |variants: &String| variants.split(',').any(|name| name.trim() == variant.name());
        self.variants.as_ref().map_or(variant == VariantId::Standard, listed)
    }
}

/// More features than this are not answered: the answers of one that never reads them would fill
/// the pipe.
const MOST_FEATURES: usize = 1000;

/// How much longer an engine may take to start that says so (`done=0`).
const LONG_START: u32 = 6;

/// A running CECP engine.
pub struct Engine {
    process: Process,
    spec: EngineSpec,
    patience: Patience,
    features: Features,
    /// How many moves of the game it knows.
    told: usize,
    /// Does it answer every move with one of its own? If not, it is in force mode.
    playing: bool,
    color: Color,
    pings: i64,
}

impl Engine {
    pub fn start(
        spec: &EngineSpec,
        patience: Patience,
        interrupt: Interrupt,
        tap: Option<Tap>,
    ) -> Result<Engine, Trouble> {
        let mut process = Process::start(spec, Errors::Discard, interrupt)?;
        process.set_tap(tap);
        let mut engine = Engine {
            process,
            spec: spec.clone(),
            patience,
            features: Features::default(),
            told: 0,
            playing: false,
            color: Color::White,
            pings: 0,
        };
        engine.introduce()?;
        engine.configure()?;
        Ok(engine)
    }

    /// `xboard`, `protover 2`, and the features up to `done=1`. An engine that sends none is taken
    /// for one of protocol 1.
    fn introduce(&mut self) -> Result<(), Trouble> {
        self.say(&[Command::Xboard, Command::Protover(2)])?;
        let begun = Instant::now();
        let mut until = begun + self.patience.start;
        let mut count = 0;
        loop {
            let line = match self.process.receive(until, "protover") {
                Err(Trouble::Silent(_)) if count == 0 => return Ok(()),
                line => line?,
            };
            let Reply::Features(features) = Reply::parse(line.text.as_bytes()) else { continue };
            count += features.len();
            if count > MOST_FEATURES {
                return Err(Trouble::Unable("declares features without end".to_owned()));
            }
            for feature in &features {
                let known = self.features.note(feature);
                let name = feature.name.clone();
                let answer = if known { Command::Accepted(name) } else { Command::Rejected(name) };
                self.say(&[answer])?;
                if feature.name == "done" {
                    match feature.value {
                        FeatureValue::Number(1) => return Ok(()),
                        // It needs long to start up.
                        _ => until = begun + self.patience.start * LONG_START,
                    }
                }
            }
        }
    }

    fn configure(&mut self) -> Result<(), Trouble> {
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

    fn say(&mut self, commands: &[Command]) -> Result<(), Trouble> {
        let lines: Vec<String> = commands.iter().map(Command::to_string).collect();
        if lines.is_empty() { Ok(()) } else { self.process.send(&lines) }
    }

    /// Waits until the engine has done all it was told. Without `ping` nobody can know.
    fn synchronize(&mut self) -> Result<(), Trouble> {
        if !self.features.ping {
            self.process.forget_lines();
            return Ok(());
        }
        self.pings += 1;
        self.say(&[Command::Ping(self.pings)])?;
        let deadline = deadline(self.patience.answer);
        loop {
            let line = self.process.receive(deadline, "ping")?;
            if Reply::parse(line.text.as_bytes()) == Reply::Pong(self.pings) {
                return Ok(());
            }
        }
    }

    /// The commands that set up the limits of a game.
    fn limits(&self) -> Result<Vec<Command>, Trouble> {
        let budget = &self.spec.budget;
        let mut commands = Vec::new();
        match (budget.pace, budget.nodes) {
            // A second of node time that lasts so many nodes.
            (Pace::Untimed, Some(nodes)) => {
                if self.features.nps == Some(false) {
                    return Err(Trouble::Unable("cannot count nodes (feature nps=0)".to_owned()));
                }
                commands.push(Command::MoveTime(Duration::from_secs(1)));
                commands.push(Command::NodeRate(u32::try_from(nodes).unwrap_or(u32::MAX)));
            }
            (_, Some(_)) => {
                return Err(Trouble::Unable(
                    "a CECP engine can count nodes or time, not both".to_owned(),
                ));
            }
            (Pace::Clock(TimeControl { moves, base, increment }), None) => {
                // A base of less than a second would be none in `M:SS`; `time` tells the truth.
                let base = base.max(Duration::from_secs(1));
                commands.push(Command::Level(Level { moves: moves.unwrap_or(0), base, increment }));
            }
            (Pace::PerMove(time), None) => commands.push(Command::MoveTime(time)),
            (Pace::Untimed, None) => commands.push(Command::MoveTime(Duration::from_secs(86_400))),
        }
        commands.extend(budget.depth.map(Command::Depth));
        Ok(commands)
    }

    fn move_command(&self, mv: Move) -> Command {
        Command::Move { text: mv.to_string(), prefixed: self.features.usermove }
    }

    /// `time` and `otim`, if the engine wants them and there is a clock.
    fn clocks(&self, own: &Clock, opponent: &Clock) -> Vec<Command> {
        match own.left() {
            Some(left) if self.features.time => {
                let opponent = opponent.left().unwrap_or(left);
                vec![Command::Time(shown(left)), Command::OpponentTime(shown(opponent))]
            }
            _ => Vec::new(),
        }
    }

    /// All that must be said for the engine to think about its move.
    fn prompt(&mut self, turn: &Turn) -> Vec<Command> {
        let clocks = self.clocks(turn.own_clock, turn.opponent_clock);
        let news: Vec<Command> =
            turn.moves[self.told..].iter().map(|&mv| self.move_command(mv)).collect();
        self.told = turn.moves.len();
        if self.playing {
            return clocks.into_iter().chain(news).collect();
        }
        self.playing = true;
        let color = self.features.colors.then_some(match self.color {
            Color::White => Command::White,
            Color::Black => Command::Black,
        });
        news.into_iter().chain(clocks).chain(color).chain([Command::Go]).collect()
    }
}

/// xboard never shows an engine less than a hundredth of a second.
fn shown(left: Duration) -> Duration {
    left.max(Duration::from_millis(10))
}

impl Player for Engine {
    fn start_game(&mut self, start: &GameStart) -> Result<(), Trouble> {
        if !self.features.plays(start.variant) {
            return Err(Trouble::Unable(format!("does not play {}", start.variant.name())));
        }
        let mut commands = vec![Command::New];
        if start.variant != VariantId::Standard {
            commands.push(Command::Variant(start.variant.name().to_owned()));
        }
        commands.push(Command::Force);
        if let Some(fen) = start.fen {
            let cannot = || Trouble::Unable(format!("cannot be told the position {fen}"));
            let fen =
                self.spec.fen.write(fen).filter(|_| self.features.setboard).ok_or_else(cannot)?;
            commands.push(Command::SetBoard(fen));
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
        (self.told, self.playing, self.color) = (0, false, start.color);
        self.say(&commands)?;
        self.synchronize()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, Trouble> {
        let prompt = self.prompt(turn);
        let sent = Instant::now();
        self.say(&prompt)?;
        let deadline = sent + turn.patience;
        let (mut thought, mut offers_draw) = (None, false);
        loop {
            let line = self.process.receive(deadline, "go")?;
            let action = match Reply::parse(line.text.as_bytes()) {
                Reply::Move(text) => {
                    self.told += 1;
                    Action::Move(text)
                }
                Reply::Resign => Action::Resign,
                Reply::Result(result, comment) => Action::Claim(result, comment),
                Reply::IllegalMove { text, .. }
                    if turn.moves.last().is_some_and(|mv| text == mv.to_string()) =>
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

    fn wait(&mut self, _turn: &Turn) -> Result<(), Trouble> {
        // A CECP engine ponders by itself.
        Ok(())
    }

    fn offer_draw(&mut self) -> Result<(), Trouble> {
        if self.features.draw { self.say(&[Command::Draw]) } else { Ok(()) }
    }

    fn end_game(&mut self, result: GameResult, comment: &str) -> Result<(), Trouble> {
        self.playing = false;
        self.say(&[Command::Result(result, comment.to_owned()), Command::Force])?;
        self.synchronize()?;
        if self.features.reuse {
            Ok(())
        } else {
            Err(Trouble::Unable("cannot be used again (feature reuse=0)".to_owned()))
        }
    }

    fn set_tap(&mut self, tap: Option<Tap>) {
        self.process.set_tap(tap);
    }

    fn quit(&mut self) {
        // Whatever happens, the process is killed when it is dropped.
        let _ = self.say(&[Command::Quit]);
        self.process.close_input();
        self.process.wait_for_end(self.patience.quit);
    }
}
