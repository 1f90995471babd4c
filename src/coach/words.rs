//! The words for verdicts: one vocabulary for the terminal, for CECP and for reports.

use std::fmt;

use super::assessment::Assessment;
use super::verdict::{Judgement, Verdict, VerdictKind};

impl VerdictKind {
    /// The word for it in files and style sheets.
    pub const fn id(self) -> &'static str {
        match self {
            VerdictKind::Brilliant => "brilliant",
            VerdictKind::Great => "great",
            VerdictKind::Good => "good",
            VerdictKind::Inaccuracy => "inaccuracy",
            VerdictKind::Mistake => "mistake",
            VerdictKind::Blunder => "blunder",
            VerdictKind::MissedWin => "missed",
        }
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            VerdictKind::Brilliant => "Brilliant",
            VerdictKind::Great => "Great",
            VerdictKind::Good => "Good",
            VerdictKind::Inaccuracy => "Inaccuracy",
            VerdictKind::Mistake => "Mistake",
            VerdictKind::Blunder => "Blunder",
            VerdictKind::MissedWin => "Missed win",
        }
    }

    /// The sign in a table of verdicts, where every kind has one.
    pub const fn badge(self) -> &'static str {
        match self {
            VerdictKind::Brilliant => "!!",
            VerdictKind::Great => "!",
            VerdictKind::Good => "✓",
            VerdictKind::Inaccuracy => "?!",
            VerdictKind::Mistake => "?",
            VerdictKind::Blunder => "??",
            VerdictKind::MissedWin => "×",
        }
    }
}

/// The name of the verdict; a missed win says what was missed: `Missed third check`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Verdict::MissedWin(reason) => {
                write!(f, "Missed {}", reason.winning_noun().unwrap_or("a win"))
            }
            _ => f.write_str(self.kind().name()),
        }
    }
}

impl Judgement {
    /// The sign behind the move: `!!`, `!`, `?!`, `?`, `??`, or nothing.
    pub fn glyph(&self) -> &'static str {
        match self.nag() {
            Some(1) => "!",
            Some(2) => "?",
            Some(3) => "!!",
            Some(4) => "??",
            Some(6) => "?!",
            _ => "",
        }
    }
}

/// The verdict in a sentence: `Mistake, loses 12% of the winning chances`.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Judgement { verdict, .. } = self;
        match verdict {
            Verdict::Brilliant => write!(f, "{verdict}: a sacrifice, and the best move"),
            Verdict::Great => write!(f, "{verdict}: the only good move"),
            Verdict::Good => write!(f, "{verdict} move"),
            _ => match self.percent() {
                0 => write!(f, "{verdict}"),
                percent => write!(f, "{verdict}, loses {percent}% of the winning chances"),
            },
        }
    }
}

impl Assessment {
    /// The move with its verdict: `Nf3? Mistake, loses 12% of the winning chances`.
    pub fn sentence(&self) -> String {
        let Assessment { san, judgement, .. } = self;
        format!("{san}{} {judgement}", judgement.glyph())
    }

    /// The better move and why, if the move deserves criticism: `Better: Nd5 attacks the queen`.
    pub fn advice(&self) -> Option<String> {
        let better = self.better.as_ref()?;
        let san = better.line.first()?;
        Some(format!("Better: {san} {}", better.reasons.join(", ")))
    }

    /// The advice, and how the game might go on: `Better: Nd5 attacks the queen; Nd5 Qd8 Bg5`.
    pub fn advice_with_line(&self) -> Option<String> {
        let line = &self.better.as_ref()?.line;
        let advice = self.advice()?;
        Some(if line.len() > 1 { format!("{advice}; {}", line.join(" ")) } else { advice })
    }

    /// What is special about the move or wrong with it, in a sentence or two: `Mistake, loses 12% of the
    /// winning chances. Better: Nd5 attacks the queen`. `None` for a move that is merely good.
    pub fn remark(&self) -> Option<String> {
        if self.judgement.verdict == Verdict::Good {
            return None;
        }
        let sentences = [Some(self.judgement.to_string()), self.advice()];
        Some(sentences.into_iter().flatten().collect::<Vec<_>>().join(". "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Reason;

    #[test]
    fn every_verdict_has_its_words() {
        let words = |verdict, loss| Judgement { verdict, loss }.to_string();
        assert_eq!(
            words(Verdict::Inaccuracy, 0.0999),
            "Inaccuracy, loses 9% of the winning chances"
        );
        assert_eq!(words(Verdict::Inaccuracy, 0.002), "Inaccuracy");
        assert_eq!(words(Verdict::Great, 0.01), "Great: the only good move");
        assert_eq!(words(Verdict::Brilliant, 0.0), "Brilliant: a sacrifice, and the best move");
        assert_eq!(words(Verdict::Good, 0.02), "Good move");
        let hill = Verdict::MissedWin(Reason::Variant("reaches the hill"));
        assert_eq!(words(hill, 0.2), "Missed the hill, loses 20% of the winning chances");
        assert_eq!(hill.kind(), VerdictKind::MissedWin);
    }

    #[test]
    fn signs_of_the_table_are_those_behind_the_moves() {
        for verdict in [
            Verdict::Brilliant,
            Verdict::Great,
            Verdict::Inaccuracy,
            Verdict::Mistake,
            Verdict::Blunder,
        ] {
            assert_eq!(Judgement { verdict, loss: 0.0 }.glyph(), verdict.kind().badge());
        }
    }
}
