//! Drives an engine that speaks UCI.

use std::mem;
use std::time::{Duration, Instant};

use super::debug_log::LogHandle;
use super::limits::{Clock, EngineLimits, Pace, Period};
use super::player::{
    Action, Answer, GameStart, Player, Reuse, Thought, Timeouts, Turn, undeclared_option,
};
use super::process::{EngineError, Process};
use super::spec::EngineSpec;
use trebuchet::protocol::dialect::{MoveText, VariantNames};
use trebuchet::types::GameResult;
use trebuchet::types::{Color, MAX_PLY, Score};

/// A running UCI engine.
pub struct UciEngine {
    process: Process,
    spec: EngineSpec,
    timeouts: Timeouts,
    /// The command `position`, without the moves.
    position: String,
    color: Color,
    /// The variant that the options are set to.
    variant: VariantNames,
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
            process,
            spec: spec.clone(),
            timeouts,
            position: String::new(),
            color: Color::White,
            variant: VariantNames::of_standard_chess(),
            expected: None,
            is_pondering: false,
            remarks: Vec::new(),
        };
        engine.process.send(&["uci"])?;
        let declared = engine.handshake()?;
        let undeclared =
            spec.options.iter().filter_map(|(name, _)| undeclared_option(name, &declared));
        engine.remarks.extend(undeclared);
        let mut lines: Vec<String> =
            spec.options.iter().map(|(name, value)| set_option(name, value.as_deref())).collect();
        if spec.ponder {
            lines.push(set_option("Ponder", Some("true")));
        }
        lines.extend(spec.init.iter().cloned());
        engine.process.send(&lines)?;
        Ok(engine)
    }

    /// Reads lines up to `uciok`. Returns the names of the options that the engine declares.
    fn handshake(&mut self) -> Result<Vec<String>, EngineError> {
        let mut options = Vec::new();
        let deadline = Instant::now() + self.timeouts.start;
        loop {
            let line = self.process.receive(deadline, "uci")?.text;
            if line.split_whitespace().next() == Some("uciok") {
                return Ok(options);
            }
            options.extend(option_name(&line));
        }
    }

    /// Drops lines up to one that begins with `word`.
    fn wait_for(
        &mut self,
        word: &str,
        timeout: Duration,
        what: &'static str,
    ) -> Result<(), EngineError> {
        self.process.receive_until(Instant::now() + timeout, what, |line| {
            (line.text.split_whitespace().next() == Some(word)).then_some(())
        })
    }

    fn synchronize(&mut self) -> Result<(), EngineError> {
        self.process.send(&["isready"])?;
        self.wait_for("readyok", self.timeouts.answer, "isready")
    }

    /// Ends pondering on a move that was not played.
    fn stop_pondering(&mut self) -> Result<(), EngineError> {
        if self.is_pondering {
            self.is_pondering = false;
            self.process.send(&["stop"])?;
            self.wait_for("bestmove", self.timeouts.answer, "stop")?;
        }
        Ok(())
    }

    /// The command `position` with the moves of the game and perhaps one more.
    fn position_with(&self, moves: &[MoveText], expected: Option<&str>) -> String {
        let mut command = self.position.clone();
        let moves = moves.iter().map(|mv| mv.uci.as_str()).chain(expected);
        for (index, mv) in moves.enumerate() {
            command.push_str(if index == 0 { " moves " } else { " " });
            command.push_str(mv);
        }
        command
    }

    fn go(&self, turn: &Turn, ponder: bool) -> String {
        let (own, opponent) = (turn.own_clock, turn.opponent_clock);
        let (white, black) = match self.color {
            Color::White => (own, opponent),
            Color::Black => (opponent, own),
        };
        let mut go = String::from(if ponder { "go ponder" } else { "go" });
        go.push_str(&match own.pace() {
            Pace::Clock(_) => {
                let period = own
                    .moves_to_go()
                    .map(|moves| format!(" movestogo {moves}"))
                    .unwrap_or_default();
                format!("{}{}{period}", clock_words('w', white), clock_words('b', black))
            }
            Pace::PerMove(time) => format!(" movetime {}", time.as_millis()),
            Pace::Untimed => String::new(),
        });
        let EngineLimits { depth, nodes, .. } = self.spec.limits;
        go.extend(depth.map(|depth| format!(" depth {depth}")));
        go.extend(nodes.map(|nodes| format!(" nodes {nodes}")));
        if own.pace() == Pace::Untimed && depth.is_none() && nodes.is_none() {
            go.push_str(" infinite");
        }
        go
    }
}

/// The name in `option name Skill Level type spin …`.
fn option_name(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let words = words.strip_prefix(&["option", "name"])?;
    Some(words.split(|&word| word == "type").next()?.join(" "))
}

/// ` wtime 5000 winc 50`.
fn clock_words(color: char, clock: &Clock) -> String {
    let increment = match clock.pace() {
        Pace::Clock(Period { increment, .. }) => increment,
        Pace::PerMove(_) | Pace::Untimed => Duration::ZERO,
    };
    // For an opponent without a clock: a day.
    let left = clock.left().map_or(86_400_000, |left| left.as_millis().max(1));
    format!(" {color}time {left} {color}inc {}", increment.as_millis())
}

/// The options that switch from one variant to another.
fn variant_options(from: VariantNames, to: VariantNames) -> Vec<String> {
    let mut lines = Vec::new();
    if from.uci != to.uci {
        lines.push(set_option("UCI_Variant", Some(to.uci)));
    }
    if from.is_chess960 != to.is_chess960 {
        let value = if to.is_chess960 { "true" } else { "false" };
        lines.push(set_option("UCI_Chess960", Some(value)));
    }
    lines
}

fn set_option(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("setoption name {name} value {value}"),
        None => format!("setoption name {name}"),
    }
}

impl Player for UciEngine {
    fn start_game(&mut self, start: &GameStart) -> Result<(), EngineError> {
        self.stop_pondering()?;
        self.expected = None;
        self.color = start.color;
        self.position = match start.fen {
            None => "position startpos".to_owned(),
            Some(fen) => {
                let text = self.spec.fen.write(fen, start.variant);
                format!("position fen {}", text.ok_or_else(|| EngineError::position(fen))?)
            }
        };
        let variant = VariantNames::of(start.variant);
        let mut lines = variant_options(self.variant, variant);
        self.variant = variant;
        lines.push("ucinewgame".to_owned());
        self.process.send(&lines)?;
        self.synchronize()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, EngineError> {
        let last = turn.moves.last().map(|mv| mv.uci.as_str());
        let is_ponder_hit = self.is_pondering && last == self.expected.as_deref();
        let lines = if is_ponder_hit {
            self.is_pondering = false;
            vec!["ponderhit".to_owned()]
        } else {
            self.stop_pondering()?;
            vec![self.position_with(turn.moves, None), self.go(turn, false)]
        };
        let sent = Instant::now();
        self.process.send(&lines)?;
        self.expected = None;
        let deadline = sent + turn.timeout;
        let mut thought = None;
        loop {
            let line = self.process.receive(deadline, "go")?;
            let mut words = line.text.split_whitespace();
            match words.next() {
                Some("info") => thought = read_info(words).or(thought),
                Some("bestmove") => {
                    let mv = words.next().unwrap_or_default().to_owned();
                    if words.next() == Some("ponder") {
                        self.expected = words.next().map(str::to_owned);
                    }
                    let elapsed = line.at.saturating_duration_since(sent);
                    return Ok(Answer {
                        elapsed,
                        action: Action::Move(mv),
                        thought,
                        offers_draw: false,
                    });
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
        self.process.send(&[position, self.go(turn, true)])
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
        self.process.set_log(log);
    }

    fn quit(&mut self) {
        self.process.quit(self.timeouts.quit);
    }
}

/// The thought of an `info` line; `None` without an exact score of the best line.
fn read_info<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Thought> {
    let (mut score, mut depth, mut nodes) = (None, 0, 0);
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = words.next()?.parse().ok()?,
            "nodes" => nodes = words.next()?.parse().ok()?,
            "multipv" if words.next()? != "1" => return None,
            "score" => {
                let (kind, value) = (words.next()?, words.next()?.parse::<i32>().ok()?);
                score = Some(if kind == "mate" { mate(value) } else { centipawns(value) });
            }
            "lowerbound" | "upperbound" => return None,
            "pv" | "string" => break,
            _ => {}
        }
    }
    score.map(|score| Thought { score, depth, nodes })
}

fn mate(moves: i32) -> Score {
    let plies = (2 * moves.unsigned_abs() as usize).min(MAX_PLY);
    if moves > 0 { Score::win_in(plies - 1) } else { Score::loss_in(plies) }
}

fn centipawns(value: i32) -> Score {
    let limit = Score::EVAL_LIMIT.value();
    Score::cp(value.clamp(-limit, limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Thought> {
        read_info(line.split_whitespace().skip(1))
    }

    #[test]
    fn only_what_changes_between_variants_is_set() {
        let chess = VariantNames::of_standard_chess();
        let hill = VariantNames { cecp: Some("kingofthehill"), uci: "kingofthehill", ..chess };
        let chess960 = VariantNames { cecp: Some("fischerandom"), is_chess960: true, ..chess };
        assert_eq!(variant_options(chess, chess), Vec::<String>::new());
        assert_eq!(
            variant_options(chess, hill),
            ["setoption name UCI_Variant value kingofthehill"]
        );
        assert_eq!(
            variant_options(hill, chess960),
            ["setoption name UCI_Variant value chess", "setoption name UCI_Chess960 value true"]
        );
        assert_eq!(variant_options(chess960, chess), ["setoption name UCI_Chess960 value false"]);
    }

    #[test]
    fn option_names_may_have_blanks() {
        let name = |line| option_name(line);
        let line = "option name Skill Level type spin default 20 min 0 max 20";
        assert_eq!(name(line).as_deref(), Some("Skill Level"));
        assert_eq!(name("option name Clear Hash type button").as_deref(), Some("Clear Hash"));
        assert_eq!(name("id name Stockfish"), None);
    }

    #[test]
    fn info_lines() {
        let line = "info depth 12 seldepth 18 multipv 1 score cp -34 nodes 61204 nps 900000 time 68 pv e2e4 e7e5";
        assert_eq!(read(line), Some(Thought { score: Score::cp(-34), depth: 12, nodes: 61204 }));
        assert_eq!(read("info depth 3 score mate 2 nodes 9 pv a").unwrap().score, Score::win_in(3));
        assert_eq!(
            read("info depth 3 score mate -1 nodes 9 pv a").unwrap().score,
            Score::loss_in(2)
        );
        assert_eq!(read("info depth 3 score mate 0 nodes 9").unwrap().score, Score::loss_in(0));
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
