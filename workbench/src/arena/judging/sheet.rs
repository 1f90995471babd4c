//! The sheet of one game of one bot: for each criterion, whether it was kept.

use super::criterion::Criterion;
use trebuchet::play::Game;
use trebuchet::text::shortened;
use trebuchet::types::Color;

/// One place where a bot did not do what it has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The line of the file, from 1.
    pub line: u64,
    /// The number of moves before this one in the game, of both sides.
    pub ply: usize,
    /// The move number and the move: `12. e2e4`, `12... e7e5`. Empty if it is not about a move.
    pub mv: String,
    /// What happened, in words.
    pub text: String,
}

impl Violation {
    /// A violation that is not about a move.
    pub fn at_line(line: u64, text: impl Into<String>) -> Violation {
        Violation { line, ply: 0, mv: String::new(), text: text.into() }
    }

    /// A violation at a move, which is not on the board yet.
    pub fn at_move(line: u64, board: &dyn Game, mv: &str, text: impl Into<String>) -> Violation {
        let mv = format!("{}{}", move_number(board), shown(mv));
        Violation { line, ply: board.ply_count(), mv, text: text.into() }
    }
}

/// `12. ` or `12... `.
fn move_number(board: &dyn Game) -> String {
    let fen = board.fen();
    let number = fen.rsplit(' ').next().unwrap_or_default();
    match board.side_to_move() {
        Color::White => format!("{number}. "),
        Color::Black => format!("{number}... "),
    }
}

/// The most characters of a text from a file that are shown.
const SHOWN: usize = 100;

/// A text from a file, made safe for a terminal: short, without control characters.
pub fn shown(text: &str) -> String {
    shortened(text, SHOWN)
}

/// The verdict on a criterion in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CriterionVerdict {
    Kept,
    Broken,
    /// The situation did not occur in this game.
    NotTested,
    /// The file does not have what is needed, for this reason.
    NotJudged(&'static str),
}

impl CriterionVerdict {
    /// The verdict in tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            CriterionVerdict::Kept => "kept",
            CriterionVerdict::Broken => "broken",
            CriterionVerdict::NotTested => "not tested",
            CriterionVerdict::NotJudged(_) => "not judged",
        }
    }
}

/// The most violations of a criterion that are remembered for a game.
const REMEMBERED: u32 = 5;

/// The number of criteria.
const CRITERIA: usize = Criterion::ALL.len();

/// The verdicts on all criteria in one game.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// By criterion: was there an occasion that was kept?
    tested: [bool; CRITERIA],
    /// By criterion: why an occasion could not be judged.
    not_judged: [Option<&'static str>; CRITERIA],
    /// By criterion: how often it was broken.
    broken: [u32; CRITERIA],
    /// The first violations of each criterion.
    violations: Vec<(Criterion, Violation)>,
}

impl Sheet {
    /// There was an occasion, and the bot did what it has to do.
    pub fn kept(&mut self, criterion: Criterion) {
        self.tested[criterion as usize] = true;
    }

    /// The bot did not do what it has to do.
    pub fn broken(&mut self, criterion: Criterion, violation: Violation) {
        let count = &mut self.broken[criterion as usize];
        *count = count.saturating_add(1);
        if *count <= REMEMBERED {
            self.violations.push((criterion, violation));
        }
    }

    /// Notes an occasion, and the violation if there is one.
    pub fn judge(&mut self, criterion: Criterion, violation: Option<Violation>) {
        match violation {
            None => self.kept(criterion),
            Some(violation) => self.broken(criterion, violation),
        }
    }

    /// There was an occasion that cannot be judged.
    pub fn not_judged(&mut self, criterion: Criterion, reason: &'static str) {
        self.not_judged[criterion as usize].get_or_insert(reason);
    }

    /// The verdict on a criterion. One violation outweighs all the occasions that were kept.
    pub fn verdict(&self, criterion: Criterion) -> CriterionVerdict {
        let at = criterion as usize;
        match self.not_judged[at] {
            _ if self.broken[at] > 0 => CriterionVerdict::Broken,
            _ if self.tested[at] => CriterionVerdict::Kept,
            Some(reason) => CriterionVerdict::NotJudged(reason),
            None => CriterionVerdict::NotTested,
        }
    }

    /// How often the criterion was broken.
    pub fn count(&self, criterion: Criterion) -> u64 {
        self.broken[criterion as usize].into()
    }

    /// The first violations of a criterion, at most five.
    pub fn violations(&self, criterion: Criterion) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(move |(known, _)| *known == criterion).map(|(_, found)| found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_violation_breaks_a_criterion_for_the_game() {
        let mut sheet = Sheet::default();
        assert_eq!(sheet.verdict(Criterion::Clock), CriterionVerdict::NotTested);
        sheet.not_judged(Criterion::Clock, "no times");
        assert_eq!(sheet.verdict(Criterion::Clock), CriterionVerdict::NotJudged("no times"));
        sheet.kept(Criterion::Clock);
        assert_eq!(sheet.verdict(Criterion::Clock), CriterionVerdict::Kept);
        for line in 1..=7 {
            sheet.judge(Criterion::Clock, Some(Violation::at_line(line, "late")));
        }
        sheet.judge(Criterion::Clock, None);
        assert_eq!(sheet.verdict(Criterion::Clock), CriterionVerdict::Broken);
        assert_eq!(
            (sheet.count(Criterion::Clock), sheet.violations(Criterion::Clock).count()),
            (7, 5)
        );
    }

    #[test]
    fn texts_of_files_are_made_safe() {
        assert_eq!(shown("a\x1b[31mb\tc"), "a [31mb c");
        assert_eq!(shown(&"x".repeat(500)).chars().count(), 101);
    }
}
