//! How material is won: the tactics in a line that has been played out and that wins something.
//!
//! Every motif is read from the line and checked on the board. If none is certain, there is none.

use crate::board::Position;
use crate::board::attacks::{aims_at, is_slider, step_towards};
use crate::types::{Color, PieceKind, Square, Step};

use super::danger::{self, WINS_MATERIAL, attacks, attacks_prize};
use super::exchange::{best_gain, gains_at_least, is_winnable, value};
use super::line_of_play::LineOfPlay;
use super::rules::CoachRules;

/// A way to win material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tactic {
    /// The first move takes something that is not protected, or not enough.
    Hanging(PieceKind, Square),
    /// One man attacks two; the king comes first.
    Fork(PieceKind, PieceKind),
    /// The man in front had to move and left the one behind it.
    Skewer(PieceKind, PieceKind),
    /// The man on this square could not leave its line to the one behind it, a king or a queen.
    Pin(PieceKind, Square, PieceKind),
    DiscoveredCheck,
    /// A man moved out of the way of another, which attacks the one on this square.
    DiscoveredAttack(PieceKind, Square),
    /// The man that protected another was taken.
    DefenderTaken(PieceKind, Square),
    /// The man that protected another was drawn away.
    DefenderLured(PieceKind, Square),
    /// This man had to protect another besides the one on this square.
    Overloaded(PieceKind, Square),
    /// The man on this square has no safe one to go to.
    Trapped(PieceKind, Square),
    /// A capture on this square takes other men with it.
    Explosion(Square),
}

/// How the punisher's move with the index `prize` came to win what it takes.
pub(super) fn tactic<V: CoachRules>(play: &LineOfPlay<V>, prize: usize) -> Option<Tactic> {
    if V::CAPTURES_EXPLODE {
        let capture = play.moves.get(prize).filter(|mv| mv.is_capture())?;
        return Some(Tactic::Explosion(capture.to()));
    }
    if prize == 1 {
        return hanging(play);
    }
    if prize >= play.moves.len() {
        // The gain is proven by all replies to the last move.
        return fork_by(play, play.moves.len() - 1);
    }
    play.taken(prize)?;
    let moves = (1..prize - 1).step_by(2).collect::<Vec<usize>>();
    moves.into_iter().rev().find_map(|index| {
        let scene = Scene::new(play, index, prize);
        scene
            .defender_taken()
            .or_else(|| scene.fork())
            .or_else(|| scene.skewer())
            .or_else(|| scene.discovery())
            .or_else(|| scene.defender_lured())
            .or_else(|| scene.trapped())
            .or_else(|| scene.pin())
    })
}

/// The first reply takes a man that it wins.
fn hanging<V: CoachRules>(play: &LineOfPlay<V>) -> Option<Tactic> {
    let (pos, mv) = (&play.positions[1], play.moves[1]);
    let kind = play.taken(1)?;
    // A man that was only exchanged does not hang.
    let least = (value(kind) * 2 / 3).max(play.paid_for_first() + WINS_MATERIAL);
    let is_won = gains_at_least(pos, mv, least);
    is_won.then(|| Tactic::Hanging(kind, mv.victim_square()))
}

/// A fork by a move of the punisher after which nothing has been taken yet.
pub(super) fn fork_by<V: CoachRules>(play: &LineOfPlay<V>, index: usize) -> Option<Tactic> {
    let (pos, to) = (play.after(index), play.moves[index].to());
    match targets(pos, to, play.victim())[..] {
        [(_, one), (_, two), ..] if !is_winnable(pos, to) => Some(Tactic::Fork(one, two)),
        _ => None,
    }
}

/// What a man attacks and would win. The dearest comes first.
fn targets<V: CoachRules>(
    pos: &Position<V>,
    from: Square,
    victim: Color,
) -> Vec<(Square, PieceKind)> {
    let targets = pos.all_pieces(victim).filter(|&(at, _)| attacks_prize(pos, from, at));
    let mut targets: Vec<(Square, PieceKind)> = targets.collect();
    targets.sort_by_key(|(_, kind)| std::cmp::Reverse(kind.index()));
    targets
}

/// A move of the punisher that prepares a later capture.
struct Scene<'a, V: CoachRules> {
    play: &'a LineOfPlay<V>,
    /// The move that prepares.
    index: usize,
    /// Where it goes.
    to: Square,
    /// The position before it, and the one after it.
    before: &'a Position<V>,
    after: &'a Position<V>,
    /// The capture: of what, where, and from where.
    prize: usize,
    kind: PieceKind,
    at: Square,
    captor: Square,
    /// Where the prize stood after the move that prepares.
    home: Square,
}

impl<'a, V: CoachRules> Scene<'a, V> {
    fn new(play: &'a LineOfPlay<V>, index: usize, prize: usize) -> Scene<'a, V> {
        let capture = play.moves[prize];
        // Follow the prize back.
        let victims = (index + 1..prize).rev().filter(|at| at % 2 == 0);
        let home = victims.fold(capture.to(), |home, at| {
            if play.moves[at].to() == home { play.origin(at).unwrap_or(home) } else { home }
        });
        Scene {
            play,
            index,
            to: play.moves[index].to(),
            before: &play.positions[index],
            after: &play.positions[index + 1],
            prize,
            kind: play.taken(prize).unwrap_or(PieceKind::Pawn),
            at: capture.to(),
            captor: capture.from(),
            home,
        }
    }

    fn victim(&self) -> Color {
        self.play.victim()
    }

    /// Has the prize stood where it was taken since the move that prepares?
    fn is_at_home(&self) -> bool {
        self.home == self.at && self.after.cell(self.at).holds(self.victim(), self.kind)
    }

    /// Is the man that was moved the one that takes, from where it went?
    fn is_by_mover(&self) -> bool {
        let stays = |index: usize| {
            self.play.moves[index].to() != self.to && self.play.origin(index) != Some(self.to)
        };
        self.captor == self.to && (self.index + 1..self.prize).all(stays)
    }

    /// Is the capture without a recapture, or of something dearer?
    fn is_clean(&self) -> bool {
        let pos = &self.play.positions[self.prize];
        gains_at_least(pos, self.play.moves[self.prize], WINS_MATERIAL)
    }

    fn fork(&self) -> Option<Tactic> {
        if !self.is_by_mover()
            || !self.is_at_home()
            || !self.is_clean()
            || is_winnable(self.after, self.to)
        {
            return None;
        }
        let targets = targets(self.after, self.to, self.victim());
        let prize = targets.iter().find(|(at, _)| *at == self.at)?;
        let other = targets.iter().find(|(at, _)| *at != self.at)?;
        let (one, two) = if other.1 >= prize.1 { (other, prize) } else { (prize, other) };
        Some(Tactic::Fork(one.1, two.1))
    }

    fn skewer(&self) -> Option<Tactic> {
        let left = self.play.moves[self.index + 1];
        let front = self.after.piece_at(self.play.origin(self.index + 1)?)?.kind();
        let step = step_towards(self.to, self.at);
        let is_line = is_slider(self.after.cell(self.to))
            && aims_at(self.after.cell(self.to), self.to, self.at)
            && attacks(self.after, self.to, left.from())
            && step_towards(self.to, left.from()) == step
            && self.after.first_piece(left.from(), step) == self.at;
        let is_dearer = front == PieceKind::King || value(front) > value(self.kind);
        let is_skewer = self.is_by_mover()
            && self.is_at_home()
            && self.is_clean()
            && is_line
            && is_dearer
            && left.to() != self.to;
        is_skewer.then_some(Tactic::Skewer(front, self.kind))
    }

    /// A man moves out of the line of another one.
    fn discovery(&self) -> Option<Tactic> {
        let from = self.play.origin(self.index)?;
        let (us, victim) = (!self.victim(), self.victim());
        let opens = |slider: Square, target: Square| {
            slider != self.to
                && self.before.cell(slider).belongs_to(us)
                && is_slider(self.before.cell(slider))
                && !attacks(self.before, slider, target)
                && attacks(self.after, slider, target)
                && step_towards(slider, from) == step_towards(slider, target)
        };
        let checks = self
            .after
            .royal_king(victim)
            .is_some_and(|king| self.before.all_pieces(us).any(|(at, _)| opens(at, king)));
        if checks && self.prize == self.index + 2 && self.is_clean() {
            return Some(Tactic::DiscoveredCheck);
        }
        let is_attack = self.is_at_home()
            && self.is_clean()
            && self.prize == self.index + 2
            && opens(self.captor, self.at);
        is_attack.then_some(Tactic::DiscoveredAttack(self.kind, self.at))
    }

    /// The prize was attacked before, and its only protector was taken.
    fn defender_taken(&self) -> Option<Tactic> {
        self.play.taken(self.index)?;
        let is_taken = self.prize == self.index + 2
            && self.kind != PieceKind::Pawn
            && self.is_at_home()
            && self.before.cell(self.at).holds(self.victim(), self.kind)
            && attacks(self.before, self.captor, self.at)
            && attacks(self.before, self.to, self.at)
            && !self.is_protected_later();
        is_taken.then_some(Tactic::DefenderTaken(self.kind, self.at))
    }

    /// The prize was attacked before, and its only protector had to go: it took the man that was
    /// moved, or it is the king in check.
    fn defender_lured(&self) -> Option<Tactic> {
        let answer = self.play.moves[self.index + 1];
        let from = self.play.origin(self.index + 1)?;
        let is_drawn = answer.to() == self.to || Some(from) == self.after.royal_king(self.victim());
        let is_lured = self.captor != self.to
            && self.kind != PieceKind::Pawn
            && self.prize == self.index + 2
            && self.is_at_home()
            && is_drawn
            && attacks(self.after, self.captor, self.at)
            && attacks(self.after, from, self.at)
            && (answer.to() == self.to || self.after.in_check())
            && !self.is_protected_later();
        if !is_lured {
            return None;
        }
        let defender = self.after.piece_at(from)?.kind();
        // It took back, and nobody else could have.
        let is_overloaded = defender != PieceKind::King
            && answer.to() == self.to
            && self.play.taken(self.index).is_some()
            && !self.after.is_attacked_twice(self.to, self.victim());
        Some(match is_overloaded {
            true => Tactic::Overloaded(defender, self.at),
            false => Tactic::DefenderLured(self.kind, self.at),
        })
    }

    fn is_protected_later(&self) -> bool {
        self.play.positions[self.prize].is_attacked(self.at, self.victim())
    }

    /// The man could be taken wherever it goes. One that is pinned to its king could not go.
    fn trapped(&self) -> Option<Tactic> {
        let pos = self.after;
        let is_new = |pos: &Position<V>| pos.cell(self.home).holds(self.victim(), self.kind);
        if self.kind == PieceKind::Pawn
            || self.prize != self.index + 2
            || pos.in_check()
            || !is_new(pos)
            || !is_new(self.before)
            || danger::pin(pos, self.victim(), self.home).is_some()
            || is_winnable(self.before, self.home)
        {
            return None;
        }
        let mut passed = pos.clone();
        passed.make_null_move();
        if !is_winnable(&passed, self.home) {
            return None;
        }
        let moves = pos.legal_moves();
        let mut escapes = moves.iter().filter(|&&mv| pos.origin(mv) == Some(self.home));
        let is_trapped = escapes.all(|&mv| {
            let taken = pos.piece_at(mv.to()).map_or(0, |piece| value(piece.kind()));
            let pos = pos.after(mv);
            best_gain(&pos) - taken >= WINS_MATERIAL && is_winnable(&pos, mv.to())
        });
        is_trapped.then_some(Tactic::Trapped(self.kind, self.home))
    }

    /// The prize stood between a slider and its king or queen, and was taken there.
    fn pin(&self) -> Option<Tactic> {
        let pos = self.after;
        if !self.is_at_home()
            || self.kind == PieceKind::Pawn
            || self.prize != self.index + 2
            || !self.is_clean()
            || pos.in_check()
            || is_winnable(self.before, self.at)
        {
            return None;
        }
        if pos.royal_king(self.victim()).is_some_and(|king| self.is_pinned_to(king)) {
            return Some(Tactic::Pin(self.kind, self.at, PieceKind::King));
        }
        let mut queens = pos.pieces(self.victim(), PieceKind::Queen);
        let is_pinned = self.kind != PieceKind::Queen
            && queens.any(|queen| self.is_pinned_to(queen))
            && self.loses_more_by_leaving();
        is_pinned.then_some(Tactic::Pin(self.kind, self.at, PieceKind::Queen))
    }

    /// Does the prize stand between a slider and this man behind it, and does the move pin it or attack it
    /// there?
    fn is_pinned_to(&self, behind: Square) -> bool {
        let (pos, line) = (self.after, step_towards(behind, self.at));
        if !Step::ROYAL.contains(&line) || pos.first_piece(behind, line) != self.at {
            return false;
        }
        let pinner = pos.first_piece(self.at, line);
        let cell = pos.cell(pinner);
        cell.belongs_to(!self.victim())
            && is_slider(cell)
            && aims_at(cell, pinner, behind)
            && (pinner == self.to || attacks(pos, self.to, self.at) && self.captor == self.to)
    }

    /// Does every move of the prize allow the punisher to win more than it takes?
    fn loses_more_by_leaving(&self) -> bool {
        let pos = self.after;
        pos.legal_moves().iter().filter(|&&mv| pos.origin(mv) == Some(self.at)).all(|&mv| {
            let taken = pos.piece_at(mv.to()).map_or(0, |piece| value(piece.kind()));
            let pos = pos.after(mv);
            best_gain(&pos) - taken >= WINS_MATERIAL
        })
    }
}
