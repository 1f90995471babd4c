//! Drives an engine that speaks UCI.

use std::time::{Duration, Instant};

use super::budget::{Budget, Clock, Pace, TimeControl};
use super::journal::Tap;
use super::player::{Action, Answer, GameStart, Patience, Player, Thought, Turn, deadline};
use super::process::{Errors, Interrupt, Line, Process, Trouble};
use super::spec::EngineSpec;
use crate::types::GameResult;
use crate::types::{Color, MAX_PLY, Score};
use crate::variants::VariantId;

/// A running UCI engine.
pub struct Engine {
    process: Process,
    spec: EngineSpec,
    patience: Patience,
    /// `position …`, without the moves.
    position: String,
    color: Color,
    variant: VariantId,
    /// The move the engine expects, and thinks about if it ponders.
    expected: Option<String>,
    pondering: bool,
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
            position: String::new(),
            color: Color::White,
            variant: VariantId::Standard,
            expected: None,
            pondering: false,
        };
        engine.process.send(&["uci"])?;
        engine.wait_for("uciok", patience.start, "uci")?;
        let mut lines: Vec<String> =
            spec.options.iter().map(|(name, value)| set_option(name, value.as_deref())).collect();
        if spec.ponder {
            lines.push(set_option("Ponder", Some("true")));
        }
        lines.extend(spec.init.iter().cloned());
        engine.process.send(&lines)?;
        Ok(engine)
    }

    /// Reads until the engine says `word`.
    fn wait_for(
        &mut self,
        word: &str,
        patience: Duration,
        what: &'static str,
    ) -> Result<Line, Trouble> {
        let deadline = deadline(patience);
        loop {
            let line = self.process.receive(deadline, what)?;
            if line.text.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
        }
    }

    fn synchronize(&mut self) -> Result<(), Trouble> {
        self.process.send(&["isready"])?;
        self.wait_for("readyok", self.patience.answer, "isready").map(|_| ())
    }

    /// Ends a search whose move nobody wants any more.
    fn stop_pondering(&mut self) -> Result<(), Trouble> {
        if self.pondering {
            self.pondering = false;
            self.process.send(&["stop"])?;
            self.wait_for("bestmove", self.patience.answer, "stop")?;
        }
        Ok(())
    }

    fn position_with(&self, moves: &[String]) -> String {
        if moves.is_empty() {
            self.position.clone()
        } else {
            format!("{} moves {}", self.position, moves.join(" "))
        }
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
                let session = own
                    .moves_to_go()
                    .map(|moves| format!(" movestogo {moves}"))
                    .unwrap_or_default();
                format!("{}{}{session}", clock_words('w', white), clock_words('b', black))
            }
            Pace::PerMove(time) => format!(" movetime {}", time.as_millis()),
            Pace::Untimed => String::new(),
        });
        let Budget { depth, nodes, .. } = self.spec.budget;
        go.extend(depth.map(|depth| format!(" depth {depth}")));
        go.extend(nodes.map(|nodes| format!(" nodes {nodes}")));
        if own.pace() == Pace::Untimed && depth.is_none() && nodes.is_none() {
            go.push_str(" infinite");
        }
        go
    }
}

/// ` wtime 5000 winc 50`.
fn clock_words(color: char, clock: &Clock) -> String {
    let increment = match clock.pace() {
        Pace::Clock(TimeControl { increment, .. }) => increment,
        Pace::PerMove(_) | Pace::Untimed => Duration::ZERO,
    };
    // An opponent without a clock has all the time there is.
    let left = clock.left().map_or(86_400_000, |left| left.as_millis().max(1));
    format!(" {color}time {left} {color}inc {}", increment.as_millis())
}

fn set_option(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("setoption name {name} value {value}"),
        None => format!("setoption name {name}"),
    }
}

impl Player for Engine {
    fn start_game(&mut self, start: &GameStart) -> Result<(), Trouble> {
        self.stop_pondering()?;
        self.expected = None;
        self.color = start.color;
        self.position = match start.fen {
            None => "position startpos".to_owned(),
            Some(fen) => {
                let cannot = || Trouble::Unable(format!("cannot be told the position {fen}"));
                format!("position fen {}", self.spec.fen.write(fen).ok_or_else(cannot)?)
            }
        };
        let mut lines = Vec::new();
        if start.variant != self.variant {
            self.variant = start.variant;
            // UCI calls standard chess "chess"; the other games go by their CECP names.
            let name =
                if start.variant == VariantId::Standard { "chess" } else { start.variant.name() };
            lines.push(set_option("UCI_Variant", Some(name)));
        }
        lines.push("ucinewgame".to_owned());
        self.process.send(&lines)?;
        self.synchronize()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Answer, Trouble> {
        let moves: Vec<String> = turn.moves.iter().map(|mv| mv.to_string()).collect();
        let hit = self.pondering && moves.last() == self.expected.as_ref();
        let sent = if hit {
            self.pondering = false;
            let sent = Instant::now();
            self.process.send(&["ponderhit"])?;
            sent
        } else {
            self.stop_pondering()?;
            let lines = [self.position_with(&moves), self.go(turn, false)];
            let sent = Instant::now();
            self.process.send(&lines)?;
            sent
        };
        self.expected = None;
        let deadline = sent + turn.patience;
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

    fn wait(&mut self, turn: &Turn) -> Result<(), Trouble> {
        let Some(expected) = self.expected.clone().filter(|_| self.spec.ponder) else {
            return Ok(());
        };
        let mut moves: Vec<String> = turn.moves.iter().map(|mv| mv.to_string()).collect();
        moves.push(expected);
        self.pondering = true;
        self.process.send(&[self.position_with(&moves), self.go(turn, true)])
    }

    fn offer_draw(&mut self) -> Result<(), Trouble> {
        // UCI has no word for it.
        Ok(())
    }

    fn end_game(&mut self, _result: GameResult, _comment: &str) -> Result<(), Trouble> {
        self.stop_pondering()?;
        self.synchronize()
    }

    fn set_tap(&mut self, tap: Option<Tap>) {
        self.process.set_tap(tap);
    }

    fn quit(&mut self) {
        // Whatever happens, the process is killed when it is dropped.
        let _ = self.process.send(&["quit"]);
        self.process.close_input();
        self.process.wait_for_end(self.patience.quit);
    }
}

/// The score, depth and nodes of an `info` line that has them for the best line.
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
