//! Verdicts on moves, by the facts about them.

use crate::types::{Reason, Score};

use super::chances::{is_lost, win_chances};

/// Least losses in chances, 0 to 1, as on Lichess.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.15;

/// A move that loses no more than this is as good as the best.
const AS_GOOD_AS_BEST: f64 = 0.02;
/// By how much the second-best move must be worse for the best one to be a find.
const ONLY_MOVE: f64 = 0.10;
/// A player with better chances than this without the move had it easy: 3.8 pawns ahead.
const WON_ANYWAY: f64 = 0.8;
/// What a coach calls a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A sacrifice that is the best move, or as good.
    Brilliant,
    /// The only good move. In a lost position there is none.
    Great,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
    /// Another move would have won at once in this way.
    MissedWin(Reason),
}

/// A verdict without its details, the best one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VerdictKind {
    Brilliant,
    Great,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
    MissedWin,
}

impl VerdictKind {
    pub const ALL: [VerdictKind; 7] = [
        VerdictKind::Brilliant,
        VerdictKind::Great,
        VerdictKind::Good,
        VerdictKind::Inaccuracy,
        VerdictKind::Mistake,
        VerdictKind::Blunder,
        VerdictKind::MissedWin,
    ];
}

impl Verdict {
    /// The verdict without its details.
    pub const fn kind(self) -> VerdictKind {
        match self {
            Verdict::Brilliant => VerdictKind::Brilliant,
            Verdict::Great => VerdictKind::Great,
            Verdict::Good => VerdictKind::Good,
            Verdict::Inaccuracy => VerdictKind::Inaccuracy,
            Verdict::Mistake => VerdictKind::Mistake,
            Verdict::Blunder => VerdictKind::Blunder,
            Verdict::MissedWin(_) => VerdictKind::MissedWin,
        }
    }
}

/// A verdict on a move, and what the move has lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    /// What the player's chances lost by the move, 0 to 1.
    pub loss: f64,
}

impl Judgement {
    /// What the chances lost in whole percent, rounded down, so that it agrees with the limits of the
    /// verdicts.
    pub fn percent(&self) -> u32 {
        (self.loss * 100.0) as u32
    }

    /// Is another move worth showing?
    pub fn is_criticism(&self) -> bool {
        !matches!(self.verdict, Verdict::Brilliant | Verdict::Great | Verdict::Good)
    }

    /// The numeric annotation glyph of PGN (`$1` is `!`); `None` for a move that is merely good.
    pub fn nag(&self) -> Option<u8> {
        Some(match self.verdict {
            Verdict::Brilliant => 3,
            Verdict::Great => 1,
            Verdict::Good => return None,
            Verdict::Inaccuracy => 6,
            Verdict::Mistake => 2,
            Verdict::Blunder => 4,
            Verdict::MissedWin(_) if self.loss >= BLUNDER => 4,
            Verdict::MissedWin(_) if self.loss >= INACCURACY => 2,
            Verdict::MissedWin(_) => 6,
        })
    }
}

/// What a verdict is made of. Scores are seen from the player of the move.
#[derive(Clone, Copy, Debug)]
pub struct MoveFacts {
    /// The score of the position before the move.
    pub best: Score,
    /// The score of the best move, and of the best but one, by the search before the move; `None` if there was no other
    /// move.
    pub first: Score,
    pub second: Option<Score>,
    /// The score of the move that was played.
    pub played: Score,
    /// Was the best move played?
    pub is_best: bool,
    /// Does everybody see the move? It takes the piece that has just taken, or what is there to be taken, or it ends
    /// the game.
    pub is_obvious: bool,
    /// Does the move give up material at first that another move would have kept?
    pub is_sacrifice: bool,
    /// How some other move would have won at once.
    pub missed_win: Option<Reason>,
}

impl MoveFacts {
    /// The verdict: one rule for all who judge moves.
    pub fn judge(&self) -> Judgement {
        let (best, played) = (win_chances(self.best), win_chances(self.played));
        let loss = if self.is_best { 0.0 } else { (best - played).max(0.0) };
        let verdict = if let Some(reason) = self.missed_win {
            Verdict::MissedWin(reason)
        } else if loss >= BLUNDER {
            Verdict::Blunder
        } else if loss >= MISTAKE {
            Verdict::Mistake
        } else if loss >= INACCURACY {
            Verdict::Inaccuracy
        } else {
            self.praise(loss, best)
        };
        Judgement { verdict, loss }
    }

    fn praise(&self, loss: f64, best: f64) -> Verdict {
        let Some(second) = self.second.map(win_chances) else { return Verdict::Good };
        // A deeper search may change the scores of both moves, and not only of the one that it has looked at.
        let lead = win_chances(self.first).min(best) - second;
        // Ending the game at once earns no praise.
        if self.played >= Score::win_in(1) {
            return Verdict::Good;
        }
        let is_top = self.is_best || loss <= AS_GOOD_AS_BEST;
        let without = if self.is_best { second } else { best };
        if is_top && self.is_sacrifice && best >= 0.5 && without < WON_ANYWAY {
            Verdict::Brilliant
        } else if self.is_best
            && !self.is_obvious
            && !is_lost(self.best)
            && lead >= ONLY_MOVE
            && second < WON_ANYWAY
        {
            Verdict::Great
        } else {
            Verdict::Good
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EQUAL: MoveFacts = MoveFacts {
        best: Score::ZERO,
        first: Score::ZERO,
        second: Some(Score::ZERO),
        played: Score::ZERO,
        is_best: true,
        is_obvious: false,
        is_sacrifice: false,
        missed_win: None,
    };

    fn verdict(facts: MoveFacts) -> String {
        let judgement = facts.judge();
        format!("{}{}", judgement.verdict, judgement.glyph())
    }

    #[test]
    fn losses_are_graded() {
        let played = |cp| MoveFacts { played: Score::cp(cp), is_best: false, ..EQUAL };
        for (cp, expected) in [
            (20, "Good"),
            (-50, "Good"),
            (-60, "Inaccuracy?!"),
            (-120, "Mistake?"),
            (-180, "Blunder??"),
        ] {
            assert_eq!(verdict(played(cp)), expected, "{cp}");
        }
        // The same centipawns cost little in a won game.
        let won = MoveFacts { best: Score::cp(1200), ..played(900) };
        assert_eq!(verdict(won), "Good");
        let mate = MoveFacts { best: Score::win_in(3), ..played(900) };
        assert_eq!(verdict(mate), "Good");
        let missed = MoveFacts { missed_win: Some(Reason::Variant("gives third check")), ..mate };
        assert_eq!(verdict(missed), "Missed third check?!");
        let missed = MoveFacts { missed_win: Some(Reason::Checkmate), ..played(-500) };
        assert_eq!(verdict(MoveFacts { best: Score::win_in(1), ..missed }), "Missed mate??");
    }

    #[test]
    fn finds_are_praised() {
        let only = MoveFacts { second: Some(Score::cp(-150)), ..EQUAL };
        assert_eq!(verdict(only), "Great!");
        assert_eq!(verdict(MoveFacts { is_obvious: true, ..only }), "Good");
        assert_eq!(verdict(MoveFacts { second: None, ..EQUAL }), "Good");
        // The search before the move saw little difference, or the one after it has found the move to be worse.
        assert_eq!(verdict(MoveFacts { first: Score::cp(-100), ..only }), "Good");
        assert_eq!(verdict(MoveFacts { best: Score::cp(-100), ..only }), "Good");
        // The second move wins, too.
        let mate = Score::win_in(7);
        let mates = MoveFacts { best: mate, first: mate, played: mate, ..only };
        let second = |score| verdict(MoveFacts { second: Some(Score::cp(score)), ..mates });
        assert_eq!([300, 580].map(second), ["Great!", "Good"]);
        // In a lost position the best move is not a good one.
        let lost = |score| MoveFacts { best: score, first: score, played: score, ..only };
        let lost = |score| MoveFacts { second: Some(Score::cp(-900)), ..lost(Score::cp(score)) };
        assert_eq!([-290, -300].map(|score| verdict(lost(score))), ["Great!", "Good"]);
        let mate = MoveFacts { best: Score::win_in(1), played: Score::win_in(1), ..only };
        assert_eq!(verdict(mate), "Good");
        let sacrifice = MoveFacts { is_sacrifice: true, ..EQUAL };
        assert_eq!(verdict(sacrifice), "Brilliant!!");
        let easy = MoveFacts {
            best: Score::cp(900),
            played: Score::cp(900),
            second: Some(Score::cp(850)),
            ..sacrifice
        };
        assert_eq!(verdict(easy), "Good");
        // Another move would have won as well.
        let other =
            MoveFacts { best: Score::cp(400), played: Score::cp(395), is_best: false, ..sacrifice };
        assert_eq!(verdict(other), "Good");
        assert_eq!(
            verdict(MoveFacts { best: Score::cp(100), played: Score::cp(95), ..other }),
            "Brilliant!!"
        );
        // A sacrifice that only loses more slowly is not brilliant.
        let lost = MoveFacts { best: Score::cp(-300), played: Score::cp(-300), ..sacrifice };
        assert_eq!(verdict(lost), "Good");
    }
}
