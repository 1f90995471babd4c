//! The words for verdicts: one vocabulary for the terminal, for CECP and for reports.

use std::borrow::Cow;
use std::fmt;

use super::assessment::Assessment;
use super::chances::is_lost;
use super::compulsion::Series;
use super::concessions::Concession;
use super::danger::Danger;
use super::line_of_play::{Promoter, Trade};
use super::lines::before_move;
use super::manner::Manner;
use super::refutation::{Motif, Refutation};
use super::tactics::Tactic;
use super::verdict::{Judgement, Verdict, VerdictKind};
use crate::types::{PieceKind, Reason, Score};

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
            Verdict::MissedWin(reason) => match winning_state(*reason) {
                Some(state) => write!(f, "Missed the win with {state}"),
                None => write!(f, "Missed {}", reason.winning_noun().unwrap_or("a win")),
            },
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

/// Why to look at a square: `only the king protects it`.
impl fmt::Display for Danger {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Danger::Check => "a check",
            Danger::Way => "it is guarded against the king that runs to the goal",
            Danger::Fork => "a fork",
            Danger::Offer => "a man that goes there must be captured",
            Danger::Compelled => "a capture there is compulsory",
            Danger::OnlyKing => "only the king protects it",
            Danger::Loose => "not protected enough",
            Danger::InCheck => "the king is in check",
            Danger::Explosion => "an explosion there wins material",
            Danger::Promotion => "a pawn promotes",
            Danger::End => "a move there wins the game",
        })
    }
}

/// A move that loses more than this is not called good, although it is no mistake.
const GOOD: f64 = 0.02;

/// The verdict in a sentence: `Mistake, loses 12% of the winning chances`.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Judgement { verdict, .. } = self;
        match verdict {
            Verdict::Brilliant if self.loss > 0.0 => {
                write!(f, "{verdict}: a sacrifice, and as good as the best move")
            }
            Verdict::Brilliant => write!(f, "{verdict}: a sacrifice, and the best move"),
            Verdict::Great => write!(f, "{verdict}: the only good move"),
            Verdict::Good if self.loss > GOOD => f.write_str("Playable move"),
            Verdict::Good => write!(f, "{verdict} move"),
            _ => match self.percent() {
                0 => write!(f, "{verdict}"),
                percent => write!(f, "{verdict}, loses {percent}% of the winning chances"),
            },
        }
    }
}

/// The pieces: `the queen for the rook and two pawns`, or `the exchange`.
impl fmt::Display for Trade {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.is_exchange() {
            return f.write_str("the exchange");
        }
        f.write_str(&list(&self.won))?;
        match self.lost[..] {
            [] => Ok(()),
            _ => write!(f, " for {}", list(&self.lost)),
        }
    }
}

/// The pawn without an article: `f-pawn`, or `pawn dropped on f7`.
impl fmt::Display for Promoter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Promoter::OnFile(file) => write!(f, "{}-pawn", char::from(b'a' + file)),
            Promoter::Dropped(at) => write!(f, "pawn dropped on {at}"),
        }
    }
}

/// Pieces in words, the most valuable first: `a rook and two pawns`.
fn list(kinds: &[PieceKind]) -> String {
    let of_one_kind = kinds.chunk_by(|one, two| one == two).map(|group| {
        let name = group[0].name();
        match group.len() {
            1 => format!("a {name}"),
            count => format!("{} {name}s", number(count)),
        }
    });
    let words: Vec<String> = of_one_kind.collect();
    match &words[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.join(""),
    }
}

impl Series {
    /// What the side can do that gives its men away: `force three captures and give away a rook and two pawns for
    /// a knight`.
    fn deed(&self) -> String {
        format!("force {} captures and give away {}", number(self.captures), self.given())
    }

    /// The same of a side that does it: `forces three captures and gives away two pawns`.
    pub(super) fn done(&self) -> String {
        format!("forces {} captures and gives away {}", number(self.captures), self.given())
    }

    /// The men that are given away, and those that are taken for them.
    fn given(&self) -> String {
        let given = list(&self.trade.lost);
        match self.trade.won[..] {
            [] => given,
            _ => format!("{given} for {}", list(&self.trade.won)),
        }
    }
}

/// A small number in words.
fn number(count: usize) -> Cow<'static, str> {
    const WORDS: [&str; 7] = ["two", "three", "four", "five", "six", "seven", "eight"];
    let word = count.checked_sub(2).and_then(|index| WORDS.get(index));
    word.map_or_else(|| count.to_string().into(), |&word| word.into())
}

/// What the winner of a game has that nobody wins by a deed: `fewer men in stalemate`.
fn winning_state(reason: Reason) -> Option<&'static str> {
    match reason {
        Reason::Variant(deed) => deed.strip_prefix("has "),
        _ => None,
    }
}

/// A drawn end as a noun: `stalemate`, `a draw by repetition`.
fn drawn_end(reason: Reason) -> Cow<'static, str> {
    match reason {
        Reason::Stalemate => "stalemate".into(),
        Reason::Repetition => "a draw by repetition".into(),
        Reason::FiftyMoves => "a draw by the fifty-move rule".into(),
        Reason::VariantDraw(event) => format!("a draw ({event})").into(),
        _ => "a draw: nobody has enough left to win".into(),
    }
}

/// What the bad move allows: `It allows a fork of the king and the rook, which wins a rook`.
impl fmt::Display for Motif {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Motif::Win { reason: reason @ Reason::Variant(deed), moves, .. } => {
                match winning_state(*reason) {
                    Some(state) => write!(f, "The opponent wins in {moves} with {state}"),
                    None => write!(f, "The opponent {deed} in {moves}"),
                }
            }
            Motif::Win { moves, manner, .. } => match manner {
                Manner::Plain => write!(f, "It allows mate in {moves}"),
                Manner::BackRank => write!(f, "It allows a back-rank mate in {moves}"),
                Manner::Drop => write!(f, "It allows mate by a drop in {moves}"),
                Manner::GivenDrop(kind) => {
                    let name = kind.name();
                    write!(f, "It lets the opponent take a {name} and mate by its drop in {moves}")
                }
            },
            Motif::Draw(reason) => write!(f, "It allows {}", drawn_end(*reason)),
            Motif::Promotion(pawn) => write!(f, "It lets the {pawn} promote"),
            Motif::Intermezzo(kind) => {
                write!(
                    f,
                    "It allows an in-between move, and then the {} is taken back",
                    kind.name()
                )
            }
            Motif::Series(series) => write!(f, "It lets the opponent {}", series.deed()),
            Motif::Concession(found) => concession(f, *found),
            Motif::Material { tactic: Some(tactic), trade, .. } => {
                won_by(f, *tactic, trade.as_ref())
            }
            Motif::Material { tactic: None, trade, is_certain } => {
                let lost = trade.as_ref().map_or("material".to_owned(), Trade::to_string);
                write!(f, "It {} {lost}", if *is_certain { "loses" } else { "may cost" })
            }
        }
    }
}

fn concession(f: &mut fmt::Formatter, found: Concession) -> fmt::Result {
    match found {
        Concession::Checks(1) => f.write_str("It allows a check"),
        Concession::Checks(_) => f.write_str("It allows two checks"),
        Concession::KingHunt => f.write_str("It lets the king be driven out"),
        Concession::Castling => f.write_str("It costs the right to castle"),
        Concession::CastlingGivenUp => f.write_str("It gives up the right to castle"),
        Concession::Tempo(kind, at) => {
            write!(f, "It loses time, because the {} on {at} is driven away", kind.name())
        }
        Concession::Driven(kind, at) => {
            write!(f, "It lets the {} on {at} be driven away", kind.name())
        }
        Concession::WinThreat(reason) => match reason.goal() {
            Some(goal) => write!(f, "It allows the threat to {goal}"),
            None => {
                write!(f, "It allows the threat of {}", reason.winning_noun().unwrap_or("a win"))
            }
        },
        Concession::WayGuarded => f.write_str("It lets the king's way to the goal be guarded"),
        Concession::WayShut => f.write_str("It shuts the king's own way to the goal"),
        Concession::LastStep(step) => write!(f, "The opponent soon {step}"),
        Concession::CheckThreat(at) => write!(f, "It allows the threat of a check on {at}"),
        Concession::LineOpened(at) => {
            write!(f, "It opens a line to the king for a check on {at}")
        }
    }
}

fn won_by(f: &mut fmt::Formatter, tactic: Tactic, trade: Option<&Trade>) -> fmt::Result {
    match tactic {
        Tactic::Hanging(kind, at) => {
            write!(f, "It leaves the {} on {at} to be taken", kind.name())?;
            // A piece for nothing needs no more words.
            return match trade {
                Some(trade) if trade.won != [kind] || !trade.lost.is_empty() => {
                    write!(f, ", which loses {trade}")
                }
                _ => Ok(()),
            };
        }
        Tactic::Fork(one, two) if one == two => {
            write!(f, "It allows a fork of two {}s", one.name())?;
        }
        Tactic::Fork(one, two) => {
            write!(f, "It allows a fork of the {} and the {}", one.name(), two.name())?;
        }
        Tactic::Skewer(one, two) if one == two => {
            write!(f, "It allows a skewer of two {}s", one.name())?;
        }
        Tactic::Skewer(one, two) => {
            write!(f, "It allows a skewer of the {} and the {}", one.name(), two.name())?;
        }
        Tactic::Pin(kind, at, behind) => {
            let (name, behind) = (kind.name(), behind.name());
            write!(f, "The {name} on {at} is pinned to the {behind} and cannot get away")?;
        }
        Tactic::Overloaded(kind, at) => {
            let name = kind.name();
            write!(f, "The {name} has too much to protect, and {at} is left alone")?;
        }
        Tactic::DiscoveredCheck => f.write_str("It allows a discovered check")?,
        Tactic::DiscoveredAttack(kind, at) => {
            write!(f, "It allows a discovered attack on the {} on {at}", kind.name())?;
        }
        Tactic::DefenderTaken(kind, at) => {
            write!(f, "It lets the defender of the {} on {at} be taken", kind.name())?;
        }
        Tactic::DefenderLured(kind, at) => {
            write!(f, "It lets the defender of the {} on {at} be drawn away", kind.name())?;
        }
        Tactic::Trapped(kind, at) => {
            write!(f, "It lets the {} on {at} be trapped", kind.name())?;
        }
        Tactic::Explosion(at) => write!(f, "It allows an explosion on {at}")?,
    }
    match trade {
        Some(trade) => write!(f, ", which loses {trade}"),
        None => Ok(()),
    }
}

/// The punishment in a sentence: `It allows mate in 1: Qh4#`.
impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (&self.motif, &self.sans[..]) {
            // The bad move itself was the end.
            (Motif::Win { reason: Reason::Variant(deed), .. }, []) => {
                write!(f, "It loses the game: the opponent {deed}")
            }
            (Motif::Draw(reason), []) => write!(f, "It is {}", drawn_end(*reason)),
            (motif, []) => motif.fmt(f),
            (motif, sans) => write!(f, "{motif}: {}", sans.join(" ")),
        }
    }
}

impl Refutation {
    /// The same as a hint for the opponent, without the moves: `I left the rook on a1`. `None` if there is
    /// only a draw.
    pub fn chance(&self) -> Option<String> {
        Some(match &self.motif {
            Motif::Win { moves: 0, .. } => return None,
            Motif::Win { reason, moves, .. } => {
                let deed = reason.winning_deed().unwrap_or_else(|| "win".to_owned());
                format!("you can {deed} in {moves}")
            }
            Motif::Draw(_) => return None,
            Motif::Promotion(pawn) => format!("your {pawn} can promote"),
            Motif::Series(series) => format!("you can {}", series.deed()),
            Motif::Intermezzo(_) => "there is an in-between move".to_owned(),
            Motif::Concession(Concession::Checks(_)) => "you can give check".to_owned(),
            Motif::Concession(Concession::KingHunt) => "you can drive my king out".to_owned(),
            Motif::Concession(Concession::Castling) => {
                "my king can lose the right to castle".to_owned()
            }
            Motif::Concession(Concession::CastlingGivenUp) => {
                "my king can no longer castle".to_owned()
            }
            Motif::Concession(Concession::WinThreat(reason)) => {
                format!(
                    "you can threaten {}",
                    reason.threat().unwrap_or_else(|| "to win".to_owned())
                )
            }
            Motif::Concession(Concession::WayGuarded) => "you can guard my king's way".to_owned(),
            Motif::Concession(Concession::WayShut) => "I have shut my king's way".to_owned(),
            Motif::Concession(Concession::LastStep(_)) => {
                "you can come one step from winning".to_owned()
            }
            Motif::Concession(Concession::CheckThreat(_)) => "you can threaten a check".to_owned(),
            Motif::Concession(Concession::LineOpened(_)) => "I opened a line to my king".to_owned(),
            Motif::Concession(Concession::Tempo(kind, at) | Concession::Driven(kind, at)) => {
                format!("you can drive my {} on {at} away", kind.name())
            }
            Motif::Material { tactic: Some(tactic), .. } => chance_of(*tactic),
            Motif::Material { tactic: None, trade: Some(trade), .. } => {
                format!("you can win {trade}")
            }
            Motif::Material { .. } => "you can win material".to_owned(),
        })
    }
}

fn chance_of(tactic: Tactic) -> String {
    match tactic {
        Tactic::Hanging(kind, at) => format!("I left the {} on {at}", kind.name()),
        Tactic::Fork(..) => "there is a fork".to_owned(),
        Tactic::Skewer(..) => "there is a skewer".to_owned(),
        // It may be pinned already.
        Tactic::Pin(kind, at, _) => format!("my {} on {at} can be won by a pin", kind.name()),
        Tactic::Overloaded(kind, _) => format!("my {} has too much to protect", kind.name()),
        Tactic::DiscoveredCheck => "there is a discovered check".to_owned(),
        Tactic::DiscoveredAttack(..) => "there is a discovered attack".to_owned(),
        Tactic::DefenderTaken(kind, at) => {
            format!("the defender of my {} on {at} can be taken", kind.name())
        }
        Tactic::DefenderLured(kind, at) => {
            format!("the defender of my {} on {at} can be drawn away", kind.name())
        }
        Tactic::Trapped(kind, at) => format!("my {} on {at} can be trapped", kind.name()),
        Tactic::Explosion(at) => format!("there is an explosion on {at}"),
    }
}

impl Assessment {
    /// What the opponent can make of a bad move, without the moves: `Your chance: I left the rook on a1`.
    pub fn chance(&self) -> Option<String> {
        let chance = self.refutation.as_ref()?.chance()?;
        Some(format!("Your chance: {chance}"))
    }

    /// The move with its verdict: `Nf3? Mistake, loses 12% of the winning chances`. A good move in a lost position is
    /// not called good.
    pub fn sentence(&self) -> String {
        let Assessment { san, judgement, .. } = self;
        if self.score == Score::win_in(0) {
            return format!("{san} Fine move, wins the game");
        }
        if judgement.verdict == Verdict::Good && is_lost(self.best()) {
            let is_best = before_move(self.score) >= self.best();
            let words =
                if is_best { "Best move in a lost position" } else { "The game was lost before" };
            return format!("{san} {words}");
        }
        format!("{san}{} {judgement}", judgement.glyph())
    }

    /// The score of the best move, from the player before the move.
    fn best(&self) -> Score {
        let played = before_move(self.score);
        self.lines.first().map_or(played, |line| line.score.max(played))
    }

    /// The better move and why, if the move deserves criticism: `Better: Nd5 wins the queen`.
    pub fn advice(&self) -> Option<String> {
        let better = self.better.as_ref()?;
        let san = better.line.first()?;
        Some(match &better.reasons[..] {
            [] => format!("Better: {san}"),
            reasons => format!("Better: {san} {}", reasons.join(", ")),
        })
    }

    /// How the opponent punishes the move: `It allows mate in 1: Qh4#`.
    pub fn punishment(&self) -> Option<String> {
        self.refutation.as_ref().map(Refutation::to_string)
    }

    /// The advice, and how the game might go on: `Better: Nd5 wins a knight; Nd5 Qd8 Bg5`.
    pub fn advice_with_line(&self) -> Option<String> {
        let line = &self.better.as_ref()?.line;
        let advice = self.advice()?;
        Some(if line.len() > 1 { format!("{advice}; {}", line.join(" ")) } else { advice })
    }

    /// What is special about the move or wrong with it, in up to three sentences: `Mistake, loses 12% of the winning
    /// chances. It allows mate in 1: Qh4#. Better: h3`. `None` for a move that is merely good.
    pub fn remark(&self) -> Option<String> {
        if self.judgement.verdict == Verdict::Good {
            return None;
        }
        let sentences = [Some(self.judgement.to_string()), self.punishment(), self.advice()];
        Some(sentences.into_iter().flatten().collect::<Vec<_>>().join(". "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

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
        let nearly = "Brilliant: a sacrifice, and as good as the best move";
        assert_eq!(words(Verdict::Brilliant, 0.01), nearly);
        assert_eq!(words(Verdict::Good, 0.02), "Good move");
        assert_eq!(words(Verdict::Good, 0.04), "Playable move");
        let hill = Verdict::MissedWin(Reason::Variant("reaches the hill"));
        assert_eq!(words(hill, 0.2), "Missed the hill, loses 20% of the winning chances");
        assert_eq!(hill.kind(), VerdictKind::MissedWin);
    }

    #[test]
    fn pieces_are_counted_in_words() {
        use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
        let trade = |won: &[PieceKind], lost: &[PieceKind]| {
            Trade { won: won.to_vec(), lost: lost.to_vec(), explodes: false }.to_string()
        };
        assert_eq!(trade(&[Queen], &[]), "a queen");
        assert_eq!(trade(&[Rook], &[Bishop]), "the exchange");
        let many = "a queen and two pawns for a rook, a knight and three pawns";
        assert_eq!(trade(&[Queen, Pawn, Pawn], &[Rook, Knight, Pawn, Pawn, Pawn]), many);
    }

    #[test]
    fn a_man_that_is_pinned_already_can_still_be_won_by_the_pin() {
        let knight = Square::parse("f6").unwrap();
        let pin = Tactic::Pin(PieceKind::Knight, knight, PieceKind::Queen);
        assert_eq!(chance_of(pin), "my knight on f6 can be won by a pin");
    }

    #[test]
    fn a_win_without_a_deed_has_words_of_its_own() {
        let reason = Reason::Variant("has fewer men in stalemate");
        let missed = Verdict::MissedWin(reason).to_string();
        assert_eq!(missed, "Missed the win with fewer men in stalemate");
        let win = Motif::Win { reason, moves: 3, manner: Manner::Plain }.to_string();
        assert_eq!(win, "The opponent wins in 3 with fewer men in stalemate");
    }

    #[test]
    fn the_right_to_castle_is_lost() {
        let motif = Motif::Concession(Concession::Castling);
        let chance = Refutation { line: Vec::new(), sans: Vec::new(), motif }.chance();
        assert_eq!(chance.as_deref(), Some("my king can lose the right to castle"));
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
