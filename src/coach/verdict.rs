//! Verdicts on moves.

use std::fmt;

use crate::board::Position;
use crate::movegen::Legality;
use crate::search::SearchRules;
use crate::search::see;
use crate::types::{Color, Move, Outcome, Reason, Score};

use super::chances::win_chances;

/// Least losses in chances, 0 to 1, as on Lichess.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.15;

/// A move that loses no more than this is as good as the best.
const AS_GOOD_AS_BEST: f64 = 0.02;
/// By how much the second-best move must be worse for the best one to be a find.
const ONLY_MOVE: f64 = 0.10;
/// A player with better chances than this without the move had it easy.
const WON_ANYWAY: f64 = 0.9;
/// What a move must give up to be a sacrifice, in centipawns: more than a pawn.
const SACRIFICE: i32 = 150;

/// What a coach calls a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A sacrifice that is the best move.
    Brilliant,
    /// The only good move.
    Great,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
    /// Another move would have won at once in this way.
    MissedWin(Reason),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Verdict::Brilliant => f.write_str("Brilliant"),
            Verdict::Great => f.write_str("Great"),
            Verdict::Good => f.write_str("Good"),
            Verdict::Inaccuracy => f.write_str("Inaccuracy"),
            Verdict::Mistake => f.write_str("Mistake"),
            Verdict::Blunder => f.write_str("Blunder"),
            Verdict::MissedWin(reason) => {
                write!(f, "Missed {}", reason.winning_noun().unwrap_or("a win"))
            }
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

/// The verdict and, unless the move is good, the loss: `Mistake, loses 12% of the winning chances`.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let percent = self.percent();
        if self.is_criticism() && percent > 0 {
            write!(f, "{}, loses {percent}% of the winning chances", self.verdict)
        } else {
            write!(f, "{}", self.verdict)
        }
    }
}

/// What a verdict is made of. Scores are seen from the player of the move.
#[derive(Clone, Copy, Debug)]
pub struct MoveFacts {
    /// The score of the position before the move.
    pub best: Score,
    /// The score of the best move but one; `None` if there was no other move.
    pub second: Option<Score>,
    /// The score of the move that was played.
    pub played: Score,
    /// Was the best move played?
    pub is_best: bool,
    /// Did the move take the piece that had just taken? Everybody sees such a move.
    pub is_recapture: bool,
    /// Does the move give up material at first?
    pub is_sacrifice: bool,
    /// How some other move would have won at once.
    pub missed_win: Option<Reason>,
}

impl MoveFacts {
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
        // A move that ends the game is no find.
        if self.played >= Score::win_in(1) {
            return Verdict::Good;
        }
        let is_top = self.is_best || loss <= AS_GOOD_AS_BEST;
        if is_top && self.is_sacrifice && best >= 0.5 && second < WON_ANYWAY {
            Verdict::Brilliant
        } else if self.is_best && !self.is_recapture && best - second >= ONLY_MOVE {
            Verdict::Great
        } else {
            Verdict::Good
        }
    }
}

/// Can the opponent win clearly more material by taking than the move has won? Castling and moves
/// that end the game give up nothing.
pub fn gives_up_material<V: SearchRules>(pos: &Position<V>, mv: Move) -> bool {
    let value = |kind: usize| see::VALUES[kind];
    let victim = if mv.is_en_passant() { 1 } else { pos.cell(mv.to()).kind_index() };
    let mut gain = if mv.is_castling() { 0 } else { value(victim) };
    gain += mv.promotion().map_or(0, |kind| value(kind.index()) - value(1));
    let mut pos = pos.clone();
    pos.make_move(mv);
    if pos.outcome().is_some() {
        return false;
    }
    let threshold = gain + SACRIFICE;
    let moves = pos.legal_moves();
    moves.iter().any(|&reply| reply.is_capture() && see::gains_at_least(&pos, reply, threshold))
}

/// A move that ends the game at once with a win, and how it wins: first an end that the variant
/// adds, else mate.
pub fn winning_end<V: SearchRules>(pos: &Position<V>) -> Option<(Move, Reason)> {
    let us: Color = pos.side_to_move();
    let end_of = |mv: Move| -> Option<Reason> {
        let mut pos = pos.clone();
        pos.make_move(mv);
        let Outcome { winner, reason } = pos.outcome()?;
        (winner == Some(us)).then_some(reason)
    };
    if pos.outcome().is_some() {
        return None;
    }
    let legality = Legality::new(pos);
    if let Some(mv) = V::winning_move(pos, &legality, &Default::default()) {
        return Some((mv, end_of(mv)?));
    }
    // Only a check can mate.
    let moves = pos.legal_moves();
    moves.iter().filter(|&&mv| pos.gives_check(mv)).find_map(|&mv| Some((mv, end_of(mv)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_move;
    use crate::variants::{KingOfTheHill, Standard, ThreeCheck};

    const EQUAL: MoveFacts = MoveFacts {
        best: Score::ZERO,
        second: Some(Score::ZERO),
        played: Score::ZERO,
        is_best: true,
        is_recapture: false,
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
        let words = |loss| Judgement { verdict: Verdict::Inaccuracy, loss }.to_string();
        assert_eq!(words(0.0999), "Inaccuracy, loses 9% of the winning chances");
        assert_eq!(words(0.002), "Inaccuracy");
        assert_eq!(Judgement { verdict: Verdict::Great, loss: 0.01 }.to_string(), "Great");
    }

    #[test]
    fn finds_are_praised() {
        let only = MoveFacts { second: Some(Score::cp(-150)), ..EQUAL };
        assert_eq!(verdict(only), "Great!");
        assert_eq!(verdict(MoveFacts { is_recapture: true, ..only }), "Good");
        assert_eq!(verdict(MoveFacts { second: None, ..EQUAL }), "Good");
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
        // A sacrifice that only loses more slowly is not brilliant.
        let lost = MoveFacts { best: Score::cp(-300), played: Score::cp(-300), ..sacrifice };
        assert_eq!(verdict(lost), "Good");
    }

    fn gives_up(fen: &str, mv: &str) -> bool {
        let pos = Position::<Standard>::from_fen(fen).unwrap();
        gives_up_material(&pos, parse_move(&pos, mv).unwrap())
    }

    #[test]
    fn sacrifices_are_seen() {
        // The bishop for a pawn.
        let italian = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        assert!(gives_up(italian, "Bxf7+"));
        assert!(!gives_up(italian, "d3"));
        // A knight that stays where it is attacked.
        assert!(gives_up("4k3/8/8/4p3/3N4/8/7P/4K3 w - - 0 1", "h3"));
        assert!(!gives_up("4k3/8/8/4p3/3N4/8/7P/4K3 w - - 0 1", "Nf3"));
        // An exchange of equal pieces, and a mate with the queen on a guarded square.
        assert!(!gives_up("4k3/8/8/3n4/8/4N3/8/4K3 w - - 0 1", "Nxd5"));
        assert!(!gives_up("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#"));
    }

    #[test]
    fn winning_moves_are_found() {
        let end =
            |found: Option<(Move, Reason)>| found.map(|(mv, reason)| (mv.to_string(), reason));
        let pos = Position::<Standard>::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        assert_eq!(end(winning_end(&pos)), Some(("a1a8".to_owned(), Reason::Checkmate)));
        assert_eq!(winning_end(&Position::<Standard>::start()), None);
        let pos = Position::<ThreeCheck>::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1").unwrap();
        let third = Reason::Variant("gives third check");
        assert_eq!(winning_end(&pos).map(|(_, reason)| reason), Some(third));
        let pos = Position::<KingOfTheHill>::from_fen("4k3/8/8/8/8/3K4/8/8 w - - 0 1").unwrap();
        let hill = Reason::Variant("reaches the hill");
        assert_eq!(winning_end(&pos).map(|(_, reason)| reason), Some(hill));
        assert_eq!(Verdict::MissedWin(hill).to_string(), "Missed the hill");
    }
}
