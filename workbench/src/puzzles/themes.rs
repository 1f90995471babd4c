//! What a solution is about, in words.

use trebuchet::coach::{Concession, Manner, Motif, Refutation, Tactic};
use trebuchet::play::Game;
use trebuchet::types::{Move, Reason};

/// The themes of a solution: how it ends the game, if it does, and what it does to the mistake before it.
pub fn themes(start: &dyn Game, solution: &[Move], refutation: Option<&Refutation>) -> Vec<String> {
    let mut game = start.fork();
    solution.iter().for_each(|&mv| game.play(mv));
    let end = game.outcome().map(|outcome| end_theme(outcome.reason));
    let mut themes: Vec<String> =
        end.into_iter().chain(refutation.and_then(|found| theme(&found.motif))).collect();
    themes.dedup();
    themes
}

/// How the game ends, as a theme: `mate`, `third check`.
fn end_theme(reason: Reason) -> String {
    reason.winning_noun().unwrap_or("draw").to_owned()
}

/// The motif as a theme; `None` for one that says nothing by itself.
fn theme(motif: &Motif) -> Option<String> {
    Some(match motif {
        Motif::Win { manner: Manner::BackRank, .. } => "back rank".to_owned(),
        Motif::Win { manner: Manner::Drop | Manner::GivenDrop(_), .. } => "drop mate".to_owned(),
        Motif::Win { reason, .. } => end_theme(*reason),
        Motif::Draw(_) => return None,
        Motif::Promotion { .. } => "promotion".to_owned(),
        Motif::Material { tactic, .. } => tactic_theme((*tactic)?).to_owned(),
        Motif::Series(_) => "forced captures".to_owned(),
        Motif::Intermezzo(_) => "in-between move".to_owned(),
        Motif::Concession(Concession::Checks(_)) => "checks".to_owned(),
        Motif::Concession(Concession::KingHunt) => "king hunt".to_owned(),
        Motif::Concession(_) => return None,
    })
}

const fn tactic_theme(tactic: Tactic) -> &'static str {
    match tactic {
        Tactic::Hanging(..) => "hanging man",
        Tactic::Fork(..) => "fork",
        Tactic::Skewer(..) => "skewer",
        Tactic::Pin(..) => "pin",
        Tactic::DiscoveredCheck => "discovered check",
        Tactic::DiscoveredAttack(..) => "discovered attack",
        Tactic::DefenderTaken(..) => "capture of the defender",
        Tactic::DefenderLured(..) => "deflection",
        Tactic::Overloaded(..) => "overloaded man",
        Tactic::Trapped(..) => "trapped man",
        Tactic::Explosion(_) => "explosion",
    }
}
