//! Endings: which men are on the board.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;

use crate::types::{Color, PieceKind};

/// The greatest number of men in a table, kings included.
pub const MOST_MEN: usize = 4;

/// The kinds of a side's men besides its king, the strongest first.
pub type Extras = ArrayVec<PieceKind, 2>;

/// An ending such as `KQvKR`. White is the side with more men, or with the stronger ones.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Ending {
    extras: [Extras; 2],
}

/// A text that names no ending of three or four men.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no ending of three or four men, such as KQvKR")]
pub struct UnknownEnding(String);

impl Ending {
    /// The ending with these men of White and Black besides the kings, in any order. Also returns
    /// whether the colours had to be exchanged. `None` without any man or with more than two.
    pub fn of(white: &[PieceKind], black: &[PieceKind]) -> Option<(Ending, bool)> {
        let men = white.len() + black.len();
        if men == 0 || men > MOST_MEN - 2 {
            return None;
        }
        let sorted = |kinds: &[PieceKind]| {
            let mut extras: Extras = kinds.iter().copied().collect();
            extras.sort_by_key(|&kind| std::cmp::Reverse(kind));
            extras
        };
        let (white, black) = (sorted(white), sorted(black));
        let is_swapped = (black.len(), &black) > (white.len(), &white);
        let extras = if is_swapped { [black, white] } else { [white, black] };
        Some((Ending { extras }, is_swapped))
    }

    /// Every ending of three and four men, each after those into which it can turn by a capture or a
    /// promotion.
    pub fn all() -> Vec<Ending> {
        use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
        const KINDS: [PieceKind; 5] = [Queen, Rook, Bishop, Knight, Pawn];
        let mut all = Vec::new();
        for (index, first) in KINDS.iter().enumerate() {
            all.extend(Ending::of(&[*first], &[]));
            for second in &KINDS[index..] {
                all.extend(Ending::of(&[*first, *second], &[]));
                all.extend(Ending::of(&[*first], &[*second]));
            }
        }
        let mut all: Vec<Ending> = all.into_iter().map(|(ending, _)| ending).collect();
        all.sort_by_key(|ending| (ending.men(), ending.pawns()));
        all
    }

    /// The endings that a capture, a promotion or both make of this one.
    pub fn successors(&self) -> Vec<Ending> {
        let mut found = Vec::new();
        let [white, black] = &self.extras;
        let mut add = |white: &[PieceKind], black: &[PieceKind]| {
            found.extend(Ending::of(white, black).map(|(ending, _)| ending));
        };
        for (color, extras) in [white, black].into_iter().enumerate() {
            for index in 0..extras.len() {
                let mut without = extras.clone();
                without.remove(index);
                let mut promoted = vec![without.clone()];
                if extras[index] == PieceKind::Pawn {
                    promoted = PieceKind::PROMOTIONS
                        .map(|kind| without.iter().copied().chain([kind]).collect())
                        .to_vec();
                    promoted.push(without);
                }
                for changed in promoted {
                    let other = if color == 0 { black } else { white };
                    // The promoting pawn may have captured.
                    for removed in 0..=other.len() {
                        let mut rest = other.clone();
                        if removed < other.len() {
                            rest.remove(removed);
                        }
                        if color == 0 { add(&changed, &rest) } else { add(&rest, &changed) }
                    }
                }
            }
        }
        found.retain(|ending| ending != self);
        found.sort_by_key(Ending::key);
        found.dedup();
        found
    }

    /// The men of a side besides its king, the strongest first.
    pub fn extras(&self, color: Color) -> &Extras {
        &self.extras[color.index()]
    }

    /// The number of men, kings included: 3 or 4.
    pub fn men(&self) -> usize {
        2 + self.extras[0].len() + self.extras[1].len()
    }

    /// The number of pawns.
    pub fn pawns(&self) -> usize {
        self.extras.iter().flatten().filter(|&&kind| kind == PieceKind::Pawn).count()
    }

    /// The number of different check counts of a side. The count of a bare king does not matter: it
    /// never gives check.
    pub fn counts(&self, color: Color) -> usize {
        if self.extras(color).is_empty() { 1 } else { 3 }
    }

    /// Can a pawn be taken en passant?
    pub fn has_en_passant(&self) -> bool {
        self.extras.iter().all(|extras| extras.contains(&PieceKind::Pawn))
    }

    /// A number for each ending, below [`Ending::KEYS`].
    pub fn key(&self) -> usize {
        let digit = |color: usize, index: usize| {
            self.extras[color].get(index).map_or(0, |kind: &PieceKind| kind.index())
        };
        ((digit(0, 0) * 6 + digit(0, 1)) * 6 + digit(1, 0)) * 6 + digit(1, 1)
    }

    /// One more than the greatest [`Ending::key`].
    pub const KEYS: usize = 6 * 6 * 6 * 6;
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = |extras: &Extras| extras.iter().map(|kind| kind.letter()).collect::<String>();
        write!(f, "K{}vK{}", side(&self.extras[0]), side(&self.extras[1]))
    }
}

impl fmt::Debug for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `KQvKR`; also `KQKR`, and in lower case.
impl FromStr for Ending {
    type Err = UnknownEnding;

    fn from_str(text: &str) -> Result<Ending, UnknownEnding> {
        let unknown = || UnknownEnding(text.to_owned());
        let upper = text.to_ascii_uppercase();
        let men = upper.strip_prefix('K').ok_or_else(unknown)?;
        let (white, black) = men.split_once('K').ok_or_else(unknown)?;
        let white = white.strip_suffix('V').unwrap_or(white);
        let kinds = |side: &str| -> Option<Vec<PieceKind>> {
            let kind = |letter| PieceKind::from_letter(letter).filter(|&k| k != PieceKind::King);
            side.chars().map(kind).collect()
        };
        let (white, black) = (kinds(white).ok_or_else(unknown)?, kinds(black).ok_or_else(unknown)?);
        Ending::of(&white, &black).map(|(ending, _)| ending).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thirty_five_endings_and_each_comes_after_its_successors() {
        let all = Ending::all();
        assert_eq!(all.len(), 35);
        for (index, ending) in all.iter().enumerate() {
            assert_eq!(ending.to_string().parse().as_ref(), Ok(ending));
            let successors = ending.successors();
            assert!(successors.iter().all(|next| all[..index].contains(next)), "{ending}");
        }
        let names = |name: &str| {
            let ending: Ending = name.parse().unwrap();
            let mut names: Vec<String> =
                ending.successors().iter().map(Ending::to_string).collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(names("KQKR"), "KQvK KRvK");
        assert_eq!(names("KPK"), "KBvK KNvK KQvK KRvK");
        let promoted = "KQvK KQvKB KQvKN KQvKQ KQvKR KRvK";
        assert_eq!(names("kpvkq"), format!("KBvK KNvK KPvK {promoted}"));
    }

    #[test]
    fn white_is_the_stronger_side() {
        for (text, name) in
            [("KvKN", "KNvK"), ("KBKR", "KRvKB"), ("KNvKP", "KNvKP"), ("KPQK", "KQPvK")]
        {
            assert_eq!(text.parse::<Ending>().unwrap().to_string(), name);
        }
        for text in ["", "K", "KK", "KvK", "KQRBvK", "KQRvKB", "KKvK", "KXvK", "QvK"] {
            assert_eq!(text.parse::<Ending>(), Err(UnknownEnding(text.to_owned())));
        }
    }
}
