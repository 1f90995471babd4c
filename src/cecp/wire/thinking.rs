//! Thinking lines and the answer to `.`.

use std::fmt;
use std::time::Duration;

use crate::book::BookMove;
use crate::search::{Bound, Progress, RootStatus};
use crate::types::{Depth, Move, Score};

use super::grammar::{decimal, duration};

/// The most moves of a PV that are shown: xboard crashes on lines of some thousand characters.
const PV_LIMIT: usize = 60;

/// A mate in N moves is written as this many centipawns plus N.
const MATE_BASE: i64 = 100_000;

/// A thinking line: `PLY SCORE TIME NODES PV`, with more columns before the PV if they are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinking {
    pub depth: Depth,
    pub score: Score,
    pub bound: Bound,
    pub time: Duration,
    pub nodes: u64,
    pub columns: Option<Columns>,
    /// The moves as the engine writes them, with a blank between two.
    pub pv: String,
}

/// The optional columns between the nodes and the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    pub seldepth: Depth,
    /// Nodes per second.
    pub speed: u64,
    pub tablebase_hits: u64,
}

impl Thinking {
    /// Reads a thinking line. Leading blanks are allowed. A sign behind the depth marks the style of
    /// GNU Chess, with times in seconds.
    pub(super) fn parse(line: &str) -> Option<Thinking> {
        let (head, tail) = match line.split_once('\t') {
            Some((head, tail)) if head.split_whitespace().count() >= 4 => (head, Some(tail)),
            _ => (line, None),
        };
        let (ply, rest) = next_word(head);
        let depth = ply.trim_end_matches(|c: char| c.is_ascii_punctuation());
        let unit = if depth == ply { 0.01 } else { 1.0 };
        let (score, rest) = next_word(rest);
        let (time, rest) = next_word(rest);
        let (nodes, rest) = next_word(rest);
        let depth = depth.parse().ok()?;
        let score = score_from_wire(score.parse().ok()?);
        let time = duration(decimal(time)? * unit);
        let nodes = nodes.parse().ok()?;

        let (columns, pv) = match tail {
            Some(pv) => (Columns::parse(rest), pv),
            None => (None, rest),
        };
        let pv = pv.trim();
        let (bound, pv) = match pv.as_bytes().last() {
            Some(b'?') => (Bound::Upper, &pv[..pv.len() - 1]),
            Some(b'!') => (Bound::Lower, &pv[..pv.len() - 1]),
            _ => (Bound::Exact, pv),
        };
        let pv = pv.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Thinking { depth, score, bound, time, nodes, columns, pv })
    }
}

impl Columns {
    /// The first number is the selective depth, the second the speed, the last the tablebase hits.
    fn parse(text: &str) -> Option<Columns> {
        let numbers: Option<Vec<u64>> =
            text.split_whitespace().map(|word| word.parse().ok()).collect();
        match numbers?.as_slice() {
            [seldepth, speed, .., tablebase_hits] => Some(Columns {
                seldepth: Depth::try_from(*seldepth).ok()?,
                speed: *speed,
                tablebase_hits: *tablebase_hits,
            }),
            _ => None,
        }
    }
}

/// The next word and what follows it.
fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

impl Thinking {
    /// The line that shows this progress; `write` gives the text of a move.
    pub fn new(progress: &Progress, write: impl Fn(Move) -> String) -> Thinking {
        let nanos = progress.time.as_nanos().max(1);
        let speed = u128::from(progress.nodes) * 1_000_000_000 / nanos;
        let moves: Vec<String> = progress.pv.iter().take(PV_LIMIT).map(|&mv| write(mv)).collect();
        Thinking {
            depth: progress.depth,
            score: progress.score,
            bound: progress.bound,
            time: progress.time,
            nodes: progress.nodes,
            columns: Some(Columns {
                seldepth: progress.seldepth,
                speed: u64::try_from(speed).unwrap_or(u64::MAX),
                tablebase_hits: progress.tablebase_hits,
            }),
            pv: moves.join(" "),
        }
    }
}

/// The most moves of a book that a line shows.
const BOOK_LIMIT: usize = 10;

impl Thinking {
    /// The line that shows the moves of the book and their shares: zeros and, in parentheses, the
    /// moves. `write` gives the text of a move.
    pub fn from_book(moves: &[BookMove], write: impl Fn(Move) -> String) -> Thinking {
        let total: u64 = moves.iter().map(|found| u64::from(found.weight)).sum();
        let played = moves.iter().filter(|found| found.weight > 0).take(BOOK_LIMIT);
        let texts: Vec<String> = played
            .map(|found| {
                let share = 100.0 * f64::from(found.weight) / total.max(1) as f64;
                format!("{} {share:.0}%", write(found.mv))
            })
            .collect();
        Thinking {
            depth: 0,
            score: Score::ZERO,
            bound: Bound::Exact,
            time: Duration::ZERO,
            nodes: 0,
            columns: None,
            pv: format!("({})", texts.join(", ")),
        }
    }

    /// The line that shows a remark of the coach: zeros and the text, with a number in place of the
    /// depth. xboard shows lines with rising numbers together, and keeps no score of them.
    pub fn remark(number: Depth, text: &str) -> Thinking {
        Thinking {
            depth: number,
            score: Score::ZERO,
            bound: Bound::Exact,
            time: Duration::ZERO,
            nodes: 0,
            columns: None,
            pv: text.to_owned(),
        }
    }

    /// The text, if the line is a remark of the coach: no search has a line without nodes.
    pub fn remark_text(&self) -> Option<&str> {
        let Thinking { score, time, nodes, columns, pv, .. } = self;
        let has_zeros = *score == Score::ZERO && time.is_zero() && *nodes == 0;
        (has_zeros && columns.is_none() && !pv.starts_with('(')).then_some(pv)
    }

    /// The text in parentheses, if the line shows moves of a book.
    pub fn book_text(&self) -> Option<&str> {
        let Thinking { depth, score, time, nodes, .. } = self;
        let has_zeros = *depth == 0 && *score == Score::ZERO && time.is_zero() && *nodes == 0;
        self.pv.strip_prefix('(')?.strip_suffix(')').filter(|_| has_zeros)
    }
}

impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (score, time) = (score_to_wire(self.score), self.time.as_millis() / 10);
        write!(f, "{} {score} {time} {}", self.depth, self.nodes)?;
        match self.columns {
            Some(Columns { seldepth, speed, tablebase_hits }) => {
                write!(f, " {seldepth} {speed} {tablebase_hits}\t{}", self.pv)?;
            }
            None => write!(f, " {}", self.pv)?,
        }
        match self.bound {
            Bound::Exact => Ok(()),
            Bound::Lower => f.write_str(" !"),
            Bound::Upper => f.write_str(" ?"),
        }
    }
}

/// Centipawns; a forced win in N moves is 100000 + N, a forced loss the negative of that.
fn score_to_wire(score: Score) -> i64 {
    match score.moves_to_end() {
        Some(moves) if score.is_win() => MATE_BASE + i64::from(moves),
        Some(moves) => i64::from(moves) - MATE_BASE,
        None => i64::from(score.value()),
    }
}

fn score_from_wire(score: i64) -> Score {
    let limit = i64::from(Score::EVAL_LIMIT.value());
    match score.unsigned_abs().checked_sub(MATE_BASE as u64) {
        Some(moves) => Score::forced_end(moves, score > 0),
        None => Score::cp(score.clamp(-limit, limit) as i32),
    }
}

/// `stat01: TIME NODES PLY LEFT TOTAL MOVE`: where the analysis stands.
#[derive(Clone, Debug, PartialEq)]
pub struct RootReport {
    pub time: Duration,
    pub nodes: u64,
    pub depth: Depth,
    pub moves_left: usize,
    pub moves_total: usize,
    /// The move being searched.
    pub current: Option<String>,
}

impl RootReport {
    /// Reads what follows `stat01:`.
    pub(super) fn parse(text: &str) -> Option<RootReport> {
        let mut words = text.split_whitespace();
        Some(RootReport {
            time: duration(decimal(words.next()?)? / 100.0),
            nodes: words.next()?.parse().ok()?,
            depth: words.next()?.parse().ok()?,
            moves_left: words.next()?.parse().ok()?,
            moves_total: words.next()?.parse().ok()?,
            current: words.next().map(str::to_owned),
        })
    }
}

impl RootReport {
    /// The line that shows this status; `write` gives the text of a move.
    pub fn new(status: RootStatus, write: impl Fn(Move) -> String) -> RootReport {
        RootReport {
            time: status.time,
            nodes: status.nodes,
            depth: status.depth,
            moves_left: status.moves_left,
            moves_total: status.moves_total,
            current: status.current.map(write),
        }
    }
}

impl fmt::Display for RootReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let time = self.time.as_millis() / 10;
        write!(
            f,
            "stat01: {time} {} {} {} {}",
            self.nodes, self.depth, self.moves_left, self.moves_total
        )?;
        match &self.current {
            Some(mv) => write!(f, " {mv}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MAX_PLY, MoveKind, Square};

    fn read(line: &str) -> Thinking {
        Thinking::parse(line).unwrap_or_else(|| panic!("{line}"))
    }

    #[test]
    fn lines_print_as_they_are_read() {
        for line in [
            "7 34 215 61204 d2d4 d7d5 c2c4",
            "12 31 87 905344 24 1040000 0\te2e4 e7e5 g1f3",
            "3 100001 0 46 2 46000 0\tb3a3",
            "3 -100002 0 46 b3a3",
            "9 -15 120 88000 18 900000 3\te2e4 ?",
            "9 55 120 88000 18 900000 3\te2e4 !",
        ] {
            assert_eq!(read(line).to_string(), line);
        }
    }

    #[test]
    fn lines_of_other_engines_are_read() {
        let line = read(" 9.   +24   3    12345\t Nf3 d5 d4");
        assert_eq!((line.depth, line.score, line.time), (9, Score::cp(24), Duration::from_secs(3)));
        assert_eq!((line.nodes, line.pv.as_str(), line.columns), (12345, "Nf3 d5 d4", None));
        assert_eq!(read("1 32767 0 7 a2a4").score, Score::EVAL_LIMIT);
        assert_eq!(read("1 999999 0 7 a2a4").score, Score::TABLE_WIN);
        assert_eq!(read("0 0 0 0 (e4 60%)").pv, "(e4 60%)");
        // Tabs between all columns.
        let plain = read("7 34 215 61204 d2d4 d7d5");
        assert_eq!(read("7\t34\t215\t61204\td2d4\td7d5"), plain);
        for line in ["12 31 87", "e2e4 1 2 3", "", "1 a 2 3 x", "99999999999999 1 1 1 x"] {
            assert_eq!(Thinking::parse(line), None, "{line}");
        }
    }

    #[test]
    fn moves_of_a_book_stand_in_parentheses() {
        let square = |name| Square::parse(name).unwrap();
        let mv = |from, to| Move::new(square(from), square(to), MoveKind::Quiet);
        let moves = [
            BookMove { mv: mv("e2", "e4"), weight: 613 },
            BookMove { mv: mv("d2", "d4"), weight: 387 },
            BookMove { mv: mv("a2", "a3"), weight: 0 },
        ];
        let line = Thinking::from_book(&moves, |mv| mv.to_string());
        assert_eq!(line.to_string(), "0 0 0 0 (e2e4 61%, d2d4 39%)");
        assert_eq!(line.book_text(), Some("e2e4 61%, d2d4 39%"));
        assert_eq!(read(&line.to_string()), line);
        assert_eq!(read("5 10 5 100 d1h5 (e4)").book_text(), None);
        assert_eq!(read("5 10 5 100 (e4)").book_text(), None);
    }

    #[test]
    fn mates_count_moves() {
        assert_eq!(score_to_wire(Score::win_in(1)), 100_001);
        assert_eq!(score_to_wire(Score::win_in(5)), 100_003);
        assert_eq!(score_to_wire(Score::loss_in(4)), -100_002);
        assert_eq!(score_to_wire(Score::loss_in(0)), -100_000);
        for plies in (1..2 * MAX_PLY).step_by(2) {
            assert_eq!(score_from_wire(score_to_wire(Score::win_in(plies))), Score::win_in(plies));
            assert_eq!(
                score_from_wire(score_to_wire(Score::loss_in(plies + 1))),
                Score::loss_in(plies + 1)
            );
        }
    }

    #[test]
    fn long_lines_are_cut() {
        let mv =
            Move::new(Square::parse("e2").unwrap(), Square::parse("e4").unwrap(), MoveKind::Quiet);
        let progress = Progress {
            depth: 90,
            seldepth: 100,
            score: Score::cp(-7),
            bound: Bound::Exact,
            time: Duration::from_millis(2_150),
            nodes: 4_300_000,
            tablebase_hits: 0,
            hashfull: 0,
            line: 0,
            pv: vec![mv; 128],
        };
        let line = Thinking::new(&progress, |mv| mv.to_string()).to_string();
        assert!(line.starts_with("90 -7 215 4300000 100 2000000 0\te2e4 e2e4 "));
        assert_eq!(line.split_whitespace().count(), 7 + 60);
    }
}
