//! What went wrong in a mistake: the kinds by which exercises are sorted.

use trebuchet::coach::{Assessment, Motif, Tactic, Verdict};

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// A move would have won the game, at once or by force.
    MissedWin,
    /// The move allows a forced end of the game.
    Mate,
    Hanging,
    Fork,
    /// A pin, a skewer, a discovered attack.
    Line,
    Defender,
    Trapped,
    /// Men are blown up.
    Explosion,
    /// Captures that must be made rid the opponent of its men.
    Series,
    /// Material is lost in another way.
    Material,
    /// The better move wins something, and the move that was played did not.
    Chance,
    Draw,
    /// Nothing can be proven: the better move has the better position.
    Position,
}

impl Topic {
    pub const ALL: [Topic; 13] = [
        Topic::MissedWin,
        Topic::Mate,
        Topic::Hanging,
        Topic::Fork,
        Topic::Line,
        Topic::Defender,
        Topic::Trapped,
        Topic::Explosion,
        Topic::Series,
        Topic::Material,
        Topic::Chance,
        Topic::Draw,
        Topic::Position,
    ];

    /// What went wrong with a move that the coach criticises.
    pub fn of(played: &Assessment) -> Topic {
        if matches!(played.judgement.verdict, Verdict::MissedWin(_)) {
            return Topic::MissedWin;
        }
        match played.refutation.as_ref().map(|refutation| &refutation.motif) {
            Some(Motif::Win { .. }) => Topic::Mate,
            Some(Motif::Draw(_)) => Topic::Draw,
            Some(Motif::Promotion { .. } | Motif::Intermezzo(_)) => Topic::Material,
            Some(Motif::Series(_)) => Topic::Series,
            Some(Motif::Material { tactic, .. }) => tactic.map_or(Topic::Material, of_tactic),
            Some(Motif::Concession(_)) | None => {
                let reasons = played.better.as_ref().map_or(&[][..], |better| &better.reasons);
                let says = |words| reasons.iter().any(|reason| reason.starts_with(words));
                match (says("wins in "), says("wins ")) {
                    (true, _) => Topic::MissedWin,
                    (_, true) => Topic::Chance,
                    _ => Topic::Position,
                }
            }
        }
    }

    /// The word for it in files.
    pub const fn id(self) -> &'static str {
        match self {
            Topic::MissedWin => "win",
            Topic::Mate => "mate",
            Topic::Hanging => "hanging",
            Topic::Fork => "fork",
            Topic::Line => "line",
            Topic::Defender => "defender",
            Topic::Trapped => "trapped",
            Topic::Explosion => "explosion",
            Topic::Series => "series",
            Topic::Material => "material",
            Topic::Chance => "chance",
            Topic::Draw => "draw",
            Topic::Position => "position",
        }
    }

    /// A heading.
    pub const fn name(self) -> &'static str {
        match self {
            Topic::MissedWin => "Wins that were missed",
            Topic::Mate => "Mates and other ends that were allowed",
            Topic::Hanging => "Men left to be taken",
            Topic::Fork => "Forks",
            Topic::Line => "Pins, skewers and discovered attacks",
            Topic::Defender => "Defenders",
            Topic::Trapped => "Trapped men",
            Topic::Explosion => "Explosions",
            Topic::Series => "Series of compulsory captures",
            Topic::Material => "Material lost by force",
            Topic::Chance => "Chances to win material",
            Topic::Draw => "Draws that were allowed",
            Topic::Position => "Better moves without a tactic",
        }
    }

    /// What the player did, as the end of a sentence that begins with how often: `you left a man to be taken`.
    pub const fn deed(self) -> &'static str {
        match self {
            Topic::MissedWin => "you had a move that wins the game",
            Topic::Mate => "you allowed a forced end of the game",
            Topic::Hanging => "you left a man to be taken",
            Topic::Fork => "you allowed a fork",
            Topic::Line => "you allowed a pin, a skewer or a discovered attack",
            Topic::Defender => "a defender was taken, drawn away or had too much to protect",
            Topic::Trapped => "you let a man be trapped",
            Topic::Explosion => "you allowed an explosion",
            Topic::Series => "you had to make a series of captures",
            Topic::Material => "you lost material by force",
            Topic::Chance => "you could have won material",
            Topic::Draw => "you let a better game end in a draw",
            Topic::Position => "there was a better move without any tactic",
        }
    }

    /// What to do about it, as a part of a sentence.
    pub const fn advice(self) -> &'static str {
        match self {
            Topic::MissedWin => "look first at every move that may end the game",
            Topic::Mate => "before each move, look at every check that it allows",
            Topic::Hanging => "before each move, look at what the opponent can take",
            Topic::Fork => "look for squares from which one man attacks two of yours",
            Topic::Line => "look for men that stand in one line with your king or queen",
            Topic::Defender => "count what protects each man, and what else it has to protect",
            Topic::Trapped => "before a man goes far, look for its way back",
            Topic::Explosion => "look at what stands beside each man that can be taken",
            Topic::Series => "before each move, look at what the opponent can make you take",
            Topic::Material => "look one move further than the first exchange",
            Topic::Chance => "after each move of the opponent, look at what it leaves unprotected",
            Topic::Draw => "when you are winning, ask how the opponent could still escape",
            Topic::Position => "compare two moves before you choose one",
        }
    }
}

fn of_tactic(tactic: Tactic) -> Topic {
    match tactic {
        Tactic::Hanging(..) => Topic::Hanging,
        Tactic::Fork(..) => Topic::Fork,
        Tactic::Skewer(..)
        | Tactic::Pin(..)
        | Tactic::DiscoveredCheck
        | Tactic::DiscoveredAttack(..) => Topic::Line,
        Tactic::DefenderTaken(..) | Tactic::DefenderLured(..) | Tactic::Overloaded(..) => {
            Topic::Defender
        }
        Tactic::Trapped(..) => Topic::Trapped,
        Tactic::Explosion(_) => Topic::Explosion,
    }
}
