//! A move and the line after it, played out on the board, and what it does to the material.
//!
//! The player of the first move is the victim here, the opponent the punisher: the punisher's moves have
//! odd indices.

use crate::board::Position;
use crate::types::{Color, Move, PieceKind, Square};

use super::danger::WINS_MATERIAL;
use super::exchange::{
    best_capture, best_gain, best_gain_if, gains_at_least, is_threatened, lead, men, value,
};
use super::rules::CoachRules;

/// How many moves of a line are looked at: four of the punisher.
const HORIZON: usize = 9;
/// The index of the last move of a short line.
const SHORT: usize = 5;
/// A gain of at least a piece, in centipawns.
pub(super) const PIECE: i32 = 250;
/// By how much the pieces of a trade may differ from the gain, in centipawns.
const ROUNDING: i32 = 50;
/// The score must change by at least the material won divided by this number.
const CONFIRMED: i32 = 3;

/// A move and the line after it.
pub(super) struct LineOfPlay<V: CoachRules> {
    pub moves: Vec<Move>,
    /// The position before each move, and the one after the last.
    pub positions: Vec<Position<V>>,
    victim: Color,
    /// The index of the position from which material is counted.
    base: usize,
}

/// What the punisher has won in a line, and from where on it is safe.
pub(super) struct Gain {
    /// The index of the punisher's move that brings it in.
    pub prize: usize,
    /// In centipawns, against the position where the count begins.
    pub value: i32,
    /// The pieces; `None` if the line does not tell.
    pub trade: Option<Trade>,
}

impl Gain {
    /// Does the difference of the scores, in centipawns, speak for the gain?
    pub fn is_confirmed(&self, difference: i32) -> bool {
        difference * CONFIRMED >= self.value
    }
}

/// A pawn that promotes: where it stood before the line, or where it was dropped in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promoter {
    /// Its file is from 0.
    OnFile(u8),
    Dropped(Square),
}

/// The pieces that a side has won and lost, without those that were exchanged evenly. The most
/// valuable come first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trade {
    pub won: Vec<PieceKind>,
    pub lost: Vec<PieceKind>,
    /// Did they explode, instead of being taken one for the other?
    pub explodes: bool,
}

impl Trade {
    /// What the pieces won are worth more than those lost, in centipawns.
    pub(super) fn value(&self) -> i32 {
        let sum = |kinds: &[PieceKind]| -> i32 { kinds.iter().map(|&kind| value(kind)).sum() };
        sum(&self.won) - sum(&self.lost)
    }

    /// A rook for a knight or a bishop? What explodes is not exchanged.
    pub fn is_exchange(&self) -> bool {
        !self.explodes
            && self.won == [PieceKind::Rook]
            && matches!(self.lost[..], [PieceKind::Knight | PieceKind::Bishop])
    }
}

impl<V: CoachRules> LineOfPlay<V> {
    /// Plays a move and the legal moves of the line after it.
    pub fn new(before: &Position<V>, mv: Move, line: &[Move]) -> LineOfPlay<V> {
        let (positions, victim) = (vec![before.clone()], before.side_to_move());
        let mut play = LineOfPlay { moves: Vec::new(), positions, victim, base: 0 };
        play.push(mv);
        play.play_on(line);
        play
    }

    /// The same for a good line, whose first move is the punisher's: before it, nothing happens.
    pub fn of_good(before: &Position<V>, line: &[Move]) -> Option<LineOfPlay<V>> {
        let (positions, victim) = (vec![before.clone(), before.clone()], !before.side_to_move());
        let mut play = LineOfPlay { moves: vec![*line.first()?], positions, victim, base: 0 };
        play.play_on(line);
        Some(play)
    }

    /// Counts material from the position before this move on.
    pub fn count_from(&mut self, index: usize) {
        self.base = index;
    }

    fn play_on(&mut self, line: &[Move]) {
        for &mv in line {
            if self.last().outcome().is_some() || !self.last().legal_moves().contains(&mv) {
                break;
            }
            self.push(mv);
        }
    }

    pub fn push(&mut self, mv: Move) {
        let pos = self.last().after(mv);
        self.moves.push(mv);
        self.positions.push(pos);
    }

    pub fn last(&self) -> &Position<V> {
        &self.positions[self.moves.len()]
    }

    /// The position after a move.
    pub fn after(&self, index: usize) -> &Position<V> {
        &self.positions[index + 1]
    }

    /// How many men of this kind the punisher has in hand before a move.
    pub fn in_hand(&self, index: usize, kind: PieceKind) -> usize {
        self.positions[index].hands().map_or(0, |hands| hands.count(!self.victim, kind))
    }

    /// The square that becomes empty by a move; `None` for a drop.
    pub fn origin(&self, index: usize) -> Option<Square> {
        self.positions[index].origin(self.moves[index])
    }

    /// The pawn that a move of the punisher promotes.
    pub fn promoter(&self, index: usize) -> Promoter {
        let mut at = self.moves[index].from();
        for earlier in (1..index).step_by(2).rev() {
            if self.moves[earlier].to() == at {
                match self.origin(earlier) {
                    Some(from) => at = from,
                    None => return Promoter::Dropped(at),
                }
            }
        }
        Promoter::OnFile(at.file())
    }

    /// The position after the first move and another reply, if that is legal there.
    pub fn answered(&self, reply: Move) -> Option<Position<V>> {
        let mut pos = self.positions[1].clone();
        if !pos.legal_moves().contains(&reply) {
            return None;
        }
        pos.make_move(reply);
        Some(pos)
    }

    /// Is the first move neither a capture nor a check?
    pub fn begins_quietly(&self) -> bool {
        !self.forces(0)
    }

    /// The capture right after the first move with which the punisher wins most, and what it wins.
    pub fn best_first_capture(&self) -> Option<(Move, i32)> {
        best_capture(&self.positions[1], self.start(), |_| true)
    }

    pub fn victim(&self) -> Color {
        self.victim
    }

    /// The victim's piece that a move of the punisher takes.
    pub fn taken(&self, index: usize) -> Option<PieceKind> {
        let mv = self.moves[index];
        if mv.is_en_passant() {
            return Some(PieceKind::Pawn);
        }
        self.positions[index]
            .piece_at(mv.to())
            .map(|piece| piece.kind())
            .filter(|_| mv.is_capture())
    }

    /// What the first move has taken where the reply takes, in centipawns; 0 if material counts from there.
    pub fn paid_for_first(&self) -> i32 {
        let [first, second, ..] = self.moves[..] else { return 0 };
        // A good line has its first move twice.
        let is_exchange = self.base == 0 && first != second && first.to() == second.to();
        self.taken(0).filter(|_| is_exchange).map_or(0, value)
    }

    /// What the first move has taken for the dearer man that the reply takes; `None` if that is not all.
    pub fn first_exchange(&self) -> Option<Trade> {
        let (won, lost) = (self.taken(1)?, self.taken(0)?);
        let is_dearer = self.paid_for_first() > 0 && value(won) > value(lost);
        let takes_back = self.moves.get(2).is_some_and(|mv| mv.to() == self.moves[1].to());
        let (won, lost, explodes) = (vec![won], vec![lost], V::CAPTURES_EXPLODE);
        (is_dearer && !takes_back).then_some(Trade { won, lost, explodes })
    }

    /// The material that the punisher has gained by a move. If the victim is to move, what it can win
    /// at once is taken off; if it has just taken, what the punisher can take back there is added.
    fn secured(&self, index: usize) -> i32 {
        let (pos, mv) = (self.after(index), self.moves[index]);
        let gain = lead(pos, !self.victim()) - self.start();
        if pos.side_to_move() == self.victim() {
            gain - best_gain(pos)
        } else if mv.is_capture() {
            let on_square = |reply: &Move| reply.to() == mv.to();
            best_capture(pos, self.start(), on_square).map_or(gain, |(_, value)| value.max(gain))
        } else {
            gain
        }
    }

    /// What the punisher gains: proven by the quiet end of the line, or by the captures that follow
    /// every reply. A line that ends before the last capture is completed with it. The first gain is
    /// the whole one, a second one comes earlier in the line and is less.
    pub fn gains(&mut self) -> Vec<Gain> {
        self.moves.truncate(HORIZON);
        self.positions.truncate(self.moves.len() + 1);
        if self.moves.len() < 2 {
            return Vec::new();
        }
        if self.last().side_to_move() != self.victim()
            && let Some((mv, value)) = best_capture(self.last(), self.start(), |_| true)
            && value > self.secured(self.moves.len() - 1)
        {
            self.push(mv);
        }
        let secured: Vec<i32> = (0..self.moves.len()).map(|index| self.secured(index)).collect();
        let total = secured[secured.len() - 1];
        if total < WINS_MATERIAL {
            return self.forced_gain().into_iter().collect();
        }
        // Later gains do not hide the one that matters.
        let shares = [(total * 7 / 10).max(WINS_MATERIAL), WINS_MATERIAL];
        let mut gains: Vec<Gain> = Vec::new();
        for enough in shares {
            let safe = (1..secured.len()).rev().take_while(|&index| secured[index] >= enough);
            let Some(first) = safe.last() else { continue };
            let prize = if first % 2 == 1 { first } else { first - 1 };
            if gains.iter().all(|gain| gain.prize != prize) {
                gains.push(self.gain_at(prize, secured[first]));
            }
        }
        gains
    }

    /// Is the gain no chance? Little at the end of a long line is, and more in a race of checks, where material
    /// is given for checks, and where one explosion takes much. What the victim offers of its own accord is no gain.
    pub fn is_clear(&self, gain: &Gain) -> bool {
        let is_much = gain.value >= PIECE && !V::COUNTS_CHECKS && !V::CAPTURES_EXPLODE;
        // What cannot be named and is not won at once must follow every reply.
        let is_vague = gain.value < PIECE && gain.trade.is_none() && gain.prize > 3;
        (is_much || self.is_forced(gain.prize))
            && !self.is_offered(gain.prize)
            && (!is_vague || self.gain_after_every_reply(gain.prize - 2).is_some())
    }

    /// Does every reply on the way to the gain lose as much? Those to captures and checks count as forced.
    pub fn is_certain(&self, gain: &Gain) -> bool {
        let loses_as_much = |index: usize| {
            let least = self.gain_after_every_reply(index);
            least.is_some_and(|least| least + ROUNDING >= gain.value)
        };
        (1..gain.prize).step_by(2).all(|index| self.forces(index) || loses_as_much(index))
    }

    /// Does the victim offer what the punisher takes there, although it was safe and there were better replies?
    pub fn is_offered(&self, prize: usize) -> bool {
        // What is not taken now is taken back after the next move.
        let takes = self.moves.get(prize).is_some_and(|mv| mv.is_noisy());
        let index = if takes { prize - 1 } else { prize + 1 };
        let Some(&offer) = self.moves.get(index).filter(|_| index >= 2) else { return false };
        if takes && offer.to() != self.moves[prize].to() {
            return false;
        }
        let pos = &self.positions[index];
        !pos.in_check()
            && !gains_at_least(pos, offer, 0)
            && !pos.origin(offer).is_some_and(|from| is_threatened(pos, from))
            && self.gain_after_every_reply(index - 1).is_none()
    }

    /// Does the line up to the punisher's move speak for itself? It is short, or after the first reply all
    /// is captures and checks.
    fn is_forced(&self, index: usize) -> bool {
        index <= SHORT || (3..index).step_by(2).all(|at| self.forces(at))
    }

    /// Is the move a capture or a check?
    fn forces(&self, index: usize) -> bool {
        self.moves[index].is_capture() || self.after(index).in_check()
    }

    /// Is the punisher's move early enough for a tactic that begins two plies before it, or does the line up to there
    /// speak for itself?
    pub fn is_short(&self, prize: usize) -> bool {
        self.is_forced(prize.saturating_sub(2))
    }

    fn gain_at(&self, prize: usize, value: i32) -> Gain {
        // What the victim takes back there belongs to the trade.
        let takes_back = |at: &usize| {
            self.moves[*at].is_capture() && self.moves[*at].to() == self.moves[prize].to()
        };
        let end = (prize + 1..self.moves.len()).take_while(takes_back).last().unwrap_or(prize);
        let is_quiet = best_gain_if(self.after(end), self.victim()) == 0;
        // Pieces that do not make up the value are not the whole story.
        let trade = is_quiet.then(|| self.trade(end)).flatten();
        let trade = trade.filter(|trade| (trade.value() - value).abs() <= ROUNDING);
        Gain { prize, value, trade }
    }

    /// The gain if the line ends with a move of the punisher after which every reply loses material.
    fn forced_gain(&self) -> Option<Gain> {
        let value = self.gain_after_every_reply(self.moves.len() - 1)?;
        Some(Gain { prize: self.moves.len(), value, trade: None })
    }

    /// The least that the punisher wins by taking after any reply to its move, if every reply loses material.
    pub fn gain_after_every_reply(&self, index: usize) -> Option<i32> {
        let pos = self.after(index);
        if pos.side_to_move() != self.victim() {
            return None;
        }
        let mut least: Option<i32> = None;
        for &reply in pos.legal_moves().iter() {
            let pos = pos.after(reply);
            let (_, value) = best_capture(&pos, self.start(), |_| true)?;
            if value < WINS_MATERIAL {
                return None;
            }
            least = Some(least.map_or(value, |least| least.min(value)));
        }
        least
    }

    /// Does the punisher's move win material whatever check the victim answers it with? A check may uncover an attack.
    pub fn withstands_checks(&self, index: usize) -> bool {
        let pos = self.after(index);
        let keeps = |after: &Position<V>| {
            lead(after, !self.victim()) - self.start() - best_gain(after) >= WINS_MATERIAL
        };
        let replies = pos.legal_moves();
        let mut checks = replies.iter().filter(|&&reply| pos.gives_check(reply));
        checks.all(|&check| {
            let checked = pos.after(check);
            checked.legal_moves().iter().any(|&answer| keeps(&checked.after(answer)))
        })
    }

    /// The punisher's lead where the count begins.
    fn start(&self) -> i32 {
        lead(&self.positions[self.base], !self.victim())
    }

    /// What the punisher has won up to a move. `None` if that is nothing, or if the material alone does not tell.
    fn trade(&self, index: usize) -> Option<Trade> {
        self.exchanged(self.base, index).filter(|trade| !trade.won.is_empty())
    }

    /// The men that both sides have lost from a position on up to a move. `None` if the material alone does not
    /// tell.
    pub fn exchanged(&self, start: usize, index: usize) -> Option<Trade> {
        let (before, after) = (&self.positions[start], self.after(index));
        let mut gone = [[0; 7]; 2];
        for kind in PieceKind::ALL {
            let counts = |pos| Color::ALL.map(|color| men(pos, color, kind) as i32);
            let ([white, black], [white_after, black_after]) = (counts(before), counts(after));
            let left = [white - white_after, black - black_after];
            // Men that change sides are lost to one and won by the other.
            let is_told = match V::HAS_DROPS {
                true => left[0] + left[1] == 0,
                false => left.iter().all(|&count| count >= 0),
            };
            if !is_told {
                return None;
            }
            for color in Color::ALL {
                gone[color.index()][kind.index()] = left[color.index()].max(0);
            }
        }
        let [mut won, mut lost] = [self.victim(), !self.victim()].map(|color| gone[color.index()]);
        let [knight, bishop] = [PieceKind::Knight, PieceKind::Bishop].map(PieceKind::index);
        let mut cancel = |a: usize, b: usize| {
            let even = won[a].min(lost[b]);
            won[a] -= even;
            lost[b] -= even;
        };
        (1..7).for_each(|kind| cancel(kind, kind));
        cancel(knight, bishop);
        cancel(bishop, knight);
        let list = |counts: [i32; 7]| -> Vec<PieceKind> {
            let kinds = PieceKind::ALL.into_iter().rev();
            kinds
                .flat_map(|kind| std::iter::repeat_n(kind, counts[kind.index()] as usize))
                .collect()
        };
        Some(Trade { won: list(won), lost: list(lost), explodes: V::CAPTURES_EXPLODE })
    }
}
