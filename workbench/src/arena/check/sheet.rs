//! The sheet of one game of one bot: for each item, whether it was kept.

use super::item::Item;
use trebuchet::play::Game;
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
    let mut safe: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        safe.push('…');
    }
    safe
}

/// The verdict on an item in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Kept,
    Broken,
    /// The game gave no occasion.
    NotTested,
    /// The file does not have what is needed, for this reason.
    NotJudged(&'static str),
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Kept => "kept",
            Verdict::Broken => "broken",
            Verdict::NotTested => "not tested",
            Verdict::NotJudged(_) => "not judged",
        }
    }
}

/// The most violations of an item that are remembered for a game.
const REMEMBERED: u32 = 5;

/// The number of items.
const ITEMS: usize = Item::ALL.len();

/// The verdicts on all items in one game.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// By item: was there an occasion that was kept?
    tested: [bool; ITEMS],
    /// By item: why an occasion could not be judged.
    not_judged: [Option<&'static str>; ITEMS],
    /// By item: how often it was broken.
    broken: [u32; ITEMS],
    /// The first violations of each item.
    violations: Vec<(Item, Violation)>,
}

impl Sheet {
    /// There was an occasion, and the bot did what it has to do.
    pub fn kept(&mut self, item: Item) {
        self.tested[item as usize] = true;
    }

    /// The bot did not do what it has to do.
    pub fn broken(&mut self, item: Item, violation: Violation) {
        let count = &mut self.broken[item as usize];
        *count = count.saturating_add(1);
        if *count <= REMEMBERED {
            self.violations.push((item, violation));
        }
    }

    /// Notes an occasion, and the violation if there is one.
    pub fn judge(&mut self, item: Item, violation: Option<Violation>) {
        match violation {
            None => self.kept(item),
            Some(violation) => self.broken(item, violation),
        }
    }

    /// There was an occasion that cannot be judged.
    pub fn not_judged(&mut self, item: Item, reason: &'static str) {
        self.not_judged[item as usize].get_or_insert(reason);
    }

    pub fn verdict(&self, item: Item) -> Verdict {
        let at = item as usize;
        match self.not_judged[at] {
            _ if self.broken[at] > 0 => Verdict::Broken,
            _ if self.tested[at] => Verdict::Kept,
            Some(reason) => Verdict::NotJudged(reason),
            None => Verdict::NotTested,
        }
    }

    /// How often the item was broken.
    pub fn count(&self, item: Item) -> u64 {
        self.broken[item as usize].into()
    }

    /// The first violations of an item, at most five.
    pub fn violations(&self, item: Item) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(move |(known, _)| *known == item).map(|(_, found)| found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_violation_breaks_an_item_for_the_game() {
        let mut sheet = Sheet::default();
        assert_eq!(sheet.verdict(Item::Clock), Verdict::NotTested);
        sheet.not_judged(Item::Clock, "no times");
        assert_eq!(sheet.verdict(Item::Clock), Verdict::NotJudged("no times"));
        sheet.kept(Item::Clock);
        assert_eq!(sheet.verdict(Item::Clock), Verdict::Kept);
        for line in 1..=7 {
            sheet.judge(Item::Clock, Some(Violation::at_line(line, "late")));
        }
        sheet.judge(Item::Clock, None);
        assert_eq!(sheet.verdict(Item::Clock), Verdict::Broken);
        assert_eq!((sheet.count(Item::Clock), sheet.violations(Item::Clock).count()), (7, 5));
    }

    #[test]
    fn texts_of_files_are_made_safe() {
        assert_eq!(shown("a\x1b[31mb\tc"), "a [31mb c");
        assert_eq!(shown(&"x".repeat(500)).chars().count(), 101);
    }
}
