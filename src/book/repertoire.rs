//! How people of limited strength open: lines of moves, each for a range of strengths.
//!
//! A text: each line has the Elo from which and up to which it is played, a weight, and the moves of both sides in
//! standard notation, separated by tabs: `500-1100`, `4`, `e4 e5 Nf3`. Lines that begin with `#` are comments.

/// The lines of a game.
#[derive(Clone, Copy, Debug)]
pub struct Repertoire(&'static str);

/// A line of the repertoire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepertoireLine {
    /// In Elo: from and up to.
    pub elo: (u32, u32),
    pub weight: u32,
    /// In standard notation, of both sides.
    pub moves: Vec<&'static str>,
}

impl Repertoire {
    pub const fn new(text: &'static str) -> Repertoire {
        Repertoire(text)
    }

    /// All lines, as far as they can be read.
    pub fn lines(self) -> impl Iterator<Item = RepertoireLine> {
        self.0.lines().filter(|line| !line.starts_with('#')).filter_map(read)
    }

    /// The next moves, with their weights, that a person of this strength plays after the moves of a game.
    pub fn next_moves(self, elo: u32, played: &[String]) -> Vec<(&'static str, u32)> {
        let is_played = |line: &RepertoireLine| {
            let begin = line.moves.get(..played.len());
            let (from, to) = line.elo;
            (from..=to).contains(&elo) && begin.is_some_and(|begin| begin == played)
        };
        let lines = self.lines().filter(is_played);
        lines.filter_map(|line| Some((*line.moves.get(played.len())?, line.weight))).collect()
    }
}

fn read(line: &'static str) -> Option<RepertoireLine> {
    let mut fields = line.split('\t');
    let (from, to) = fields.next()?.split_once('-')?;
    let elo = (from.parse().ok()?, to.parse().ok()?);
    let weight = fields.next()?.parse().ok()?;
    let moves = fields.next()?.split(' ').collect();
    Some(RepertoireLine { elo, weight, moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# from-to\n100-900\t3\te4 e5 Qh5\n500-1800\t2\te4 e5 Nf3\n500-1800\t1\td4\nx\n";

    #[test]
    fn strength_and_moves_choose_the_lines() {
        let repertoire = Repertoire::new(TEXT);
        assert_eq!(repertoire.lines().count(), 3);
        let next = |elo, moves: &str| {
            let played: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
            repertoire.next_moves(elo, &played)
        };
        assert_eq!(next(300, ""), [("e4", 3)]);
        assert_eq!(next(700, ""), [("e4", 3), ("e4", 2), ("d4", 1)]);
        assert_eq!(next(1500, "e4 e5"), [("Nf3", 2)]);
        assert_eq!(next(1500, "e4 e5 Nf3"), []);
        assert_eq!(next(1500, "e4 c5"), []);
        assert_eq!(next(50, ""), []);
    }
}
