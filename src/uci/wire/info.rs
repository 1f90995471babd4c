//! `info`: what an engine says about its search.

use std::fmt;
use std::time::Duration;

use nom::Parser;

use super::command::{write_moves, write_number};
use super::grammar::{count, millis, word, word_as, words_until};
use crate::search::Bound;
use crate::types::{Depth, Score};

/// An `info` line. Everything in it may be missing. `refutation`, `currline` and `cpuload` are not read.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Info {
    /// Plies.
    pub depth: Option<Depth>,
    pub seldepth: Option<Depth>,
    /// The place of the line among the best ones, from 1.
    pub multipv: Option<u32>,
    pub score: Option<InfoScore>,
    pub wdl: Option<Wdl>,
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// How full the transposition table is, in thousandths.
    pub hashfull: Option<u32>,
    pub tbhits: Option<u64>,
    /// Since the search began, in milliseconds.
    pub time: Option<Duration>,
    /// The move that is searched now, and its number, from 1.
    pub currmove: Option<String>,
    pub currmovenumber: Option<u32>,
    /// The principal variation.
    pub pv: Vec<String>,
    /// Text for people, to the end of the line.
    pub string: Option<String>,
}

/// A score from the engine's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfoScore {
    pub score: Score,
    pub bound: Bound,
}

/// The chances of a win, a draw and a loss, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
}

/// The words that an `info` line may hold. A list of moves ends at the next of them.
const KEYS: [&str; 20] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "lowerbound",
    "upperbound",
    "wdl",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
];

impl Info {
    /// Reads what follows the word `info`. What cannot be read is skipped.
    pub(super) fn parse(text: &str) -> Info {
        let mut info = Info::default();
        let mut bound = Bound::Exact;
        let mut rest = text;
        while let Ok((after, key)) = word(rest) {
            rest = match key {
                "lowerbound" => {
                    bound = Bound::Lower;
                    after
                }
                "upperbound" => {
                    bound = Bound::Upper;
                    after
                }
                "string" => {
                    info.string = Some(after.trim().to_owned());
                    break;
                }
                key => info.take(key, after).unwrap_or(after),
            };
        }
        if let Some(score) = &mut info.score {
            score.bound = bound;
        }
        info
    }

    /// Reads what belongs to a key. Returns the rest of the line; `None` if it cannot be read.
    fn take<'a>(&mut self, key: &str, text: &'a str) -> Option<&'a str> {
        let plies = |text: &'a str| word_as(text, |word| count(word, Depth::MAX));
        let small = |text: &'a str| word_as(text, |word| count(word, u32::MAX));
        let large = |text: &'a str| word_as(text, |word| count(word, u64::MAX));
        Some(match key {
            "depth" => keep(&mut self.depth, plies(text)?),
            "seldepth" => keep(&mut self.seldepth, plies(text)?),
            "multipv" => keep(&mut self.multipv, small(text)?),
            "currmovenumber" => keep(&mut self.currmovenumber, small(text)?),
            "hashfull" => keep(&mut self.hashfull, small(text)?),
            "nodes" => keep(&mut self.nodes, large(text)?),
            "nps" => keep(&mut self.nps, large(text)?),
            "tbhits" => keep(&mut self.tbhits, large(text)?),
            "time" => keep(&mut self.time, word_as(text, millis)?),
            "score" => keep(&mut self.score, score(text)?),
            "wdl" => {
                let (rest, win) = small(text)?;
                let (rest, draw) = small(rest)?;
                let (rest, loss) = small(rest)?;
                keep(&mut self.wdl, (rest, Wdl { win, draw, loss }))
            }
            "currmove" => keep(&mut self.currmove, word_as(text, |mv| Some(mv.to_owned()))?),
            "pv" => {
                let is_key = |word: &str| KEYS.contains(&word);
                let (rest, moves) = words_until(is_key).parse(text).ok()?;
                self.pv = moves.into_iter().map(str::to_owned).collect();
                rest
            }
            _ => return None,
        })
    }
}

fn keep<'a, T>(place: &mut Option<T>, (rest, found): (&'a str, T)) -> &'a str {
    *place = Some(found);
    rest
}

/// `cp CENTIPAWNS` or `mate MOVES`.
fn score(text: &str) -> Option<(&str, InfoScore)> {
    let (rest, kind) = word(text).ok()?;
    let (rest, value) = word_as(rest, |word| word.parse().ok())?;
    let score = match kind {
        "cp" => centipawns(value),
        // In 0 moves, the side to move has lost.
        "mate" => Score::forced_end(value.unsigned_abs().into(), value > 0),
        _ => return None,
    };
    Some((rest, InfoScore { score, bound: Bound::Exact }))
}

/// An evaluation: at most the greatest one.
fn centipawns(value: i32) -> Score {
    let limit = Score::EVAL_LIMIT.value();
    Score::cp(value.clamp(-limit, limit))
}

/// ` score cp 12 lowerbound`. A win by the endgame tables is the greatest evaluation.
impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.score.moves_to_end() {
            Some(moves) => write!(f, "mate {moves}")?,
            None => write!(f, "cp {}", centipawns(self.score.value()).value())?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("info")?;
        write_number(f, "depth", self.depth)?;
        write_number(f, "seldepth", self.seldepth)?;
        write_number(f, "multipv", self.multipv)?;
        write_number(f, "score", self.score)?;
        if let Some(Wdl { win, draw, loss }) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        write_number(f, "nodes", self.nodes)?;
        write_number(f, "nps", self.nps)?;
        write_number(f, "hashfull", self.hashfull)?;
        write_number(f, "tbhits", self.tbhits)?;
        write_number(f, "time", self.time.map(|time| time.as_millis()))?;
        write_number(f, "currmove", self.currmove.as_ref())?;
        write_number(f, "currmovenumber", self.currmovenumber)?;
        write_moves(f, "pv", &self.pv)?;
        match &self.string {
            Some(text) if text.is_empty() => f.write_str(" string"),
            Some(text) => write!(f, " string {text}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Info {
        Info::parse(line.strip_prefix("info").unwrap())
    }

    #[test]
    fn lines_print_as_they_are_read() {
        for line in [
            "info",
            "info depth 12 seldepth 18 multipv 1 score cp -34 nodes 61204 nps 900000 hashfull 31 \
             tbhits 2 time 68 pv e2e4 e7e5",
            "info depth 3 score cp 20 lowerbound wdl 100 800 100 nodes 9",
            "info depth 3 score mate 2 upperbound pv e1g1 P@e4",
            "info depth 9 currmove e2e4 currmovenumber 1",
            "info string NNUE evaluation: depth 3 is no depth",
            "info depth 0 score mate 0",
            "info string",
        ] {
            assert_eq!(read(line).to_string(), line);
        }
    }

    #[test]
    fn mates_are_forced_ends() {
        let score = |line: &str| read(line).score.unwrap().score;
        assert_eq!(score("info score mate 2"), Score::win_in(3));
        assert_eq!(score("info score mate -1"), Score::loss_in(2));
        assert_eq!(score("info score mate 0"), Score::loss_in(0));
        assert_eq!(score("info score mate 80"), Score::win_in(159));
        assert_eq!(score("info score mate -2147483648"), -Score::TABLE_WIN);
        assert_eq!(score("info score cp 999999"), Score::EVAL_LIMIT);
        let shown = |score| InfoScore { score, bound: Bound::Exact }.to_string();
        assert_eq!(shown(Score::win_in(1)), "mate 1");
        assert_eq!(shown(Score::loss_in(4)), "mate -2");
        assert_eq!(shown(Score::table_win(3)), "cp 20000");
    }

    #[test]
    fn what_cannot_be_read_is_skipped() {
        assert_eq!(read("info depth x nodes 5").to_string(), "info nodes 5");
        assert_eq!(read("info score cp nodes 5").to_string(), "info nodes 5");
        assert_eq!(read("info score 12 nodes 5").to_string(), "info nodes 5");
        assert_eq!(read("info refutation e2e4 e7e5 depth 2").to_string(), "info depth 2");
        assert_eq!(
            read("info pv e2e4 currline 1 d2d4 nodes 3").to_string(),
            "info nodes 3 pv e2e4"
        );
        assert_eq!(read("info wdl 1 2").to_string(), "info");
        assert_eq!(read("info lowerbound").to_string(), "info");
        assert_eq!(read("info nodes -1 time 1.5").to_string(), "info nodes 0 time 1");
    }
}
