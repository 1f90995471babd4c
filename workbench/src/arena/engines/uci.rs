//! Drives an engine that speaks UCI.

use std::mem;
use std::time::{Duration, Instant};

use super::connection::uci::{UCI_CHESS960, UCI_VARIANT, UciConnection};
use super::limits::{EngineLimits, Period, PlayerClock, TimeControl};
use super::log_writer::LogHandle;
use super::player::{
    Action, Answer, GameStart, Player, Reuse, Thought, Timeouts, Turn, is_trebuchet,
    undeclared_option,
};
use super::process::{Awaited, EngineError, Process};
use super::spec::EngineSpec;
use trebuchet::protocol::dialect::{MoveText, VariantNames};
use trebuchet::protocol::options::OptionRemark;
use trebuchet::search::Bound;
use trebuchet::types::Color;
use trebuchet::types::GameResult;
use trebuchet::uci::wire::{Command, Declaration, Go, Info, OptionKind, Reply, Start};
use trebuchet::variants::VariantId;

/// A running UCI engine.
pub struct UciEngine {
    connection: UciConnection,
    spec: EngineSpec,
    timeouts: Timeouts,
    /// Where the game began.
    start: Start,
    color: Color,
    /// The limits of the game. Its clock comes with each turn.
    limits: EngineLimits,
    /// The variant that the options are set to.
    variant: VariantNames,
    /// Options that Trebuchet does not declare: what it says about them is a remark.
    undeclared: Vec<String>,
    /// The opponent's move that the engine expects; the one it ponders on.
    expected: Option<String>,
    is_pondering: bool,
    remarks: Vec<String>,
}

impl UciEngine {
    /// Completes the handshake and sets the options.
    pub fn start(
        process: Process,
        spec: &EngineSpec,
        timeouts: Timeouts,
    ) -> Result<UciEngine, EngineError> {
        let mut engine = UciEngine {
            connection: UciConnection::new(process, ()),
            spec: spec.clone(),
            timeouts,
            start: Start::StartPos,
            color: Color::White,
            limits: EngineLimits::default(),
            variant: VariantNames::of_standard_chess(),
            undeclared: Vec::new(),
            expected: None,
            is_pondering: false,
            remarks: Vec::new(),
        };
        engine.connection.introduce(timeouts.start, false)?;
        let introduction = engine.connection.introduction();
        if introduction.done.is_none() {
            return Err(EngineError::Silent(Awaited::Uci));
        }
        let is_trebuchet = introduction.name.as_deref().is_some_and(is_trebuchet);
        let declared = &introduction.options;
        let names: Vec<String> = declared.iter().map(|option| option.name.clone()).collect();
        for (name, value) in &spec.options {
            match undeclared_option(name, &names) {
                Some(_) if is_trebuchet => engine.undeclared.push(name.clone()),
                remark => engine.remarks.extend(remark),
            }
            engine.remarks.extend(unfit_value(name, value.as_deref(), declared));
        }
        let options = spec.options.iter();
        let mut commands: Vec<Command> =
            options.map(|(name, value)| set_option(name, value.as_deref())).collect();
        if spec.ponder {
            commands.push(set_option("Ponder", Some("true")));
        }
        engine.connection.say(&commands)?;
        engine.connection.say(&spec.init)?;
        Ok(engine)
    }

    fn synchronize(&mut self) -> Result<(), EngineError> {
        let undeclared = mem::take(&mut self.undeclared);
        let remarks = &mut self.remarks;
        self.connection.sync(self.timeouts.answer, |reply| {
            if let Reply::Info(info) = reply
                && let Some(text) = info.string.as_deref().filter(|text| OptionRemark::is_in(text))
                && undeclared.iter().any(|name| text.contains(name.as_str()))
            {
                remarks.push(format!("says: {text}"));
            }
        })
    }

    /// Refuses a game that the engine says it does not play. Notes one of which it says nothing: it may play
    /// standard chess then, or this game alone.
    fn check_plays(&mut self, game: VariantId) -> Result<(), EngineError> {
        let (present, variant) = (self.variant, VariantNames::of(game));
        let introduction = self.connection.introduction();
        let plays = |known: &Vec<String>| known.iter().any(|name| name == variant.uci);
        if variant.uci != present.uci && !introduction.variants.as_ref().is_none_or(plays) {
            return Err(EngineError::Unable(format!("does not play {}", variant.uci)));
        }
        let mut note = |option| {
            self.remarks
                .push(format!("declares no option `{option}`, so it may not play {}", game.name()));
        };
        if variant.uci != present.uci && introduction.variants.is_none() {
            note(UCI_VARIANT);
        }
        let is_new_chess960 = variant.is_chess960 && !present.is_chess960;
        if is_new_chess960 && introduction.option(UCI_CHESS960).is_none() {
            note(UCI_CHESS960);
        }
        Ok(())
    }

    /// Ends pondering on a move that was not played.
    fn stop_pondering(&mut self) -> Result<(), EngineError> {
        if self.is_pondering {
            self.is_pondering = false;
            self.connection.say(&[Command::Stop])?;
            let deadline = Instant::now() + self.timeouts.answer;
            let is_best_move = |reply: &Reply| matches!(reply, Reply::BestMove { .. });
            let best_move = self.connection.await_reply(deadline, is_best_move)?;
            best_move.ok_or(EngineError::Silent(Awaited::Stop))?;
        }
        Ok(())
    }

    /// The command `position` with the moves of the game and perhaps one more.
    fn position_with(&self, moves: &[MoveText], expected: Option<&str>) -> Command {
        let moves = moves.iter().map(|mv| mv.uci.as_str()).chain(expected);
        Command::Position { start: self.start.clone(), moves: moves.map(str::to_owned).collect() }
    }

    fn go(&self, turn: &Turn, ponder: bool) -> Command {
        let EngineLimits { depth, nodes, .. } = self.limits;
        let limits = Go { ponder, depth, nodes, ..Go::default() };
        let (own, opponent) = (turn.own_clock, turn.opponent_clock);
        let (white, black) = match self.color {
            Color::White => (own, opponent),
            Color::Black => (opponent, own),
        };
        Command::Go(match own.time_control() {
            TimeControl::Clock(_) => Go {
                wtime: Some(time_left(white)),
                btime: Some(time_left(black)),
                winc: Some(increment(white)),
                binc: Some(increment(black)),
                movestogo: own.moves_to_go(),
                ..limits
            },
            TimeControl::PerMove(time) => Go { movetime: Some(time), ..limits },
            TimeControl::Untimed => Go { infinite: depth.is_none() && nodes.is_none(), ..limits },
        })
    }
}

/// The remark on a value that an option does not take, by its declaration: engines ignore it in silence, or take
/// the nearest number.
fn unfit_value(name: &str, value: Option<&str>, declared: &[Declaration]) -> Option<String> {
    let value = value.unwrap_or_default();
    let option = declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))?;
    let (is_fit, wanted) = match &option.kind {
        OptionKind::Check { .. } => {
            (matches!(value, "true" | "false"), "`true` or `false`".to_owned())
        }
        OptionKind::Spin { min, max, .. } => {
            let is_fit = value.parse().is_ok_and(|number| (*min..=*max).contains(&number));
            (is_fit, format!("a number from {min} to {max}"))
        }
        OptionKind::Combo { values, .. } => {
            let is_fit = values.iter().any(|other| other.eq_ignore_ascii_case(value));
            (is_fit, format!("one of: {}", values.join(", ")))
        }
        OptionKind::Button | OptionKind::Text { .. } | OptionKind::Other(_) => return None,
    };
    (!is_fit).then(|| format!("takes no `{value}` for its option `{name}`, but {wanted}"))
}

/// The time on a clock, at least a millisecond; a day on that of an opponent without a limit of time.
fn time_left(clock: &PlayerClock) -> Duration {
    let day = Duration::from_secs(86_400);
    clock.left().map_or(day, |left| left.max(Duration::from_millis(1)))
}

fn increment(clock: &PlayerClock) -> Duration {
    match clock.time_control() {
        TimeControl::Clock(Period { increment, .. }) => increment,
        TimeControl::PerMove(_) | TimeControl::Untimed => Duration::ZERO,
    }
}

/// The options that switch from one variant to another.
fn variant_options(from: VariantNames, to: VariantNames) -> Vec<Command> {
    let mut commands = Vec::new();
    if from.uci != to.uci {
        commands.push(set_option(UCI_VARIANT, Some(to.uci)));
    }
    if from.is_chess960 != to.is_chess960 {
        let value = if to.is_chess960 { "true" } else { "false" };
        commands.push(set_option(UCI_CHESS960, Some(value)));
    }
    commands
}

fn set_option(name: &str, value: Option<&str>) -> Command {
    Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

impl Player for UciEngine {
    fn start_game(&mut self, start: &GameStart) -> Result<(), EngineError> {
        self.stop_pondering()?;
        self.expected = None;
        self.color = start.color;
        self.limits = start.limits.clone();
        self.start = match start.fen {
            None => Start::StartPos,
            Some(fen) => {
                let text = self.spec.fen.write(fen, start.variant);
                let unable = || EngineError::Unable(format!("cannot set up the position {fen}"));
                Start::Fen(text.ok_or_else(unable)?)
            }
        };
        let variant = VariantNames::of(start.variant);
        self.check_plays(start.variant)?;
        let mut commands = variant_options(self.variant, variant);
        self.variant = variant;
        commands.push(Command::UciNewGame);
        self.connection.say(&commands)?;
        self.synchronize()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, EngineError> {
        let last = turn.moves.last().map(|mv| mv.uci.as_str());
        let is_ponder_hit = self.is_pondering && last == self.expected.as_deref();
        let commands = if is_ponder_hit {
            self.is_pondering = false;
            vec![Command::PonderHit]
        } else {
            self.stop_pondering()?;
            vec![self.position_with(turn.moves, None), self.go(turn, false)]
        };
        let sent = Instant::now();
        self.connection.say(&commands)?;
        self.expected = None;
        let deadline = sent + turn.timeout;
        let mut thought = None;
        loop {
            let (line, reply) = self.connection.receive(deadline, Awaited::Go)?;
            match reply {
                Reply::Info(info) => thought = thought_of(&info).or(thought),
                Reply::BestMove { mv, ponder } => {
                    self.expected = ponder;
                    let elapsed = line.at.saturating_duration_since(sent);
                    // An engine without a move has none that is legal.
                    let written = || line.text.split_whitespace().nth(1).unwrap_or("(none)");
                    let action = Action::Move(mv.unwrap_or_else(|| written().to_owned()));
                    return Ok(Answer { elapsed, action, thought, offers_draw: false });
                }
                _ => {}
            }
        }
    }

    fn wait(&mut self, turn: &Turn) -> Result<(), EngineError> {
        let Some(expected) = self.expected.clone().filter(|_| self.spec.ponder) else {
            return Ok(());
        };
        self.is_pondering = true;
        let position = self.position_with(turn.moves, Some(&expected));
        let go = self.go(turn, true);
        self.connection.say(&[position, go])
    }

    fn offer_draw(&mut self) -> Result<(), EngineError> {
        // UCI has no command for it.
        Ok(())
    }

    fn end_game(&mut self, _result: GameResult, _comment: &str) -> Result<Reuse, EngineError> {
        self.stop_pondering()?;
        self.synchronize()?;
        Ok(Reuse::Keep)
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

/// The thought of an `info` line; `None` without an exact score of the best line.
fn thought_of(info: &Info) -> Option<Thought> {
    let score = info.score.filter(|score| score.bound == Bound::Exact)?.score;
    let is_best_line = info.multipv.is_none_or(|place| place == 1);
    is_best_line.then(|| Thought {
        score,
        depth: info.depth.unwrap_or_default(),
        nodes: info.nodes.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::types::Score;

    fn read(line: &str) -> Option<Thought> {
        match Reply::parse(line.as_bytes()) {
            Reply::Info(info) => thought_of(&info),
            _ => None,
        }
    }

    fn variant_lines(from: VariantNames, to: VariantNames) -> Vec<String> {
        variant_options(from, to).iter().map(Command::to_string).collect()
    }

    #[test]
    fn a_value_that_an_option_does_not_take_is_remarked() {
        let declared: Vec<Declaration> = [
            "option name Hash type spin default 16 min 1 max 64",
            "option name Ponder type check default false",
            "option name Style type combo default Calm var Calm var Wild",
            "option name Book type string default <empty>",
        ]
        .iter()
        .map(|line| match Reply::parse(line.as_bytes()) {
            Reply::Option(declaration) => declaration,
            other => panic!("{other}"),
        })
        .collect();
        let remark = |name, value| unfit_value(name, Some(value), &declared);
        for (name, value) in
            [("Hash", "64"), ("ponder", "true"), ("Style", "wild"), ("Book", "x"), ("Other", "x")]
        {
            assert_eq!(remark(name, value), None, "{name}={value}");
        }
        for (name, value, wanted) in [
            ("Hash", "lots", "a number from 1 to 64"),
            ("Hash", "65", "a number from 1 to 64"),
            ("Ponder", "on", "`true` or `false`"),
            ("Style", "Odd", "one of: Calm, Wild"),
        ] {
            let text = format!("takes no `{value}` for its option `{name}`, but {wanted}");
            assert_eq!(remark(name, value), Some(text));
        }
        assert!(unfit_value("Hash", None, &declared).is_some());
    }

    #[test]
    fn only_what_changes_between_variants_is_set() {
        let chess = VariantNames::of_standard_chess();
        let hill = VariantNames { cecp: Some("kingofthehill"), uci: "kingofthehill", ..chess };
        let chess960 = VariantNames { cecp: Some("fischerandom"), is_chess960: true, ..chess };
        assert_eq!(variant_lines(chess, chess), Vec::<String>::new());
        assert_eq!(variant_lines(chess, hill), ["setoption name UCI_Variant value kingofthehill"]);
        assert_eq!(
            variant_lines(hill, chess960),
            ["setoption name UCI_Variant value chess", "setoption name UCI_Chess960 value true"]
        );
        assert_eq!(variant_lines(chess960, chess), ["setoption name UCI_Chess960 value false"]);
    }

    #[test]
    fn thoughts_are_exact_scores_of_the_best_line() {
        let line = "info depth 12 seldepth 18 multipv 1 score cp -34 nodes 61204 nps 900000 time 68 pv e2e4 e7e5";
        assert_eq!(read(line), Some(Thought { score: Score::cp(-34), depth: 12, nodes: 61204 }));
        for nothing in [
            "info string score cp 3",
            "info depth 3 score cp 5 lowerbound nodes 4",
            "info multipv 2 score cp 1",
            "info",
        ] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
    }
}
