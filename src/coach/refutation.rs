//! The punishment of a bad move: the opponent's best reply and what it achieves.
//!
//! It is read from the line that a search has found after the move, and proven by playing the moves on
//! the board. What cannot be proven is not claimed.

use crate::board::Position;
use crate::notation::san;
use crate::types::{Color, Move, Outcome, PieceKind, Reason, Score};

use super::chances::win_chances;
use super::compulsion::{Series, series};
use super::concessions::{Concession, concessions, new_last_step};
use super::danger::WINS_MATERIAL;
use super::exchange::value;
use super::line_of_play::{Gain, LineOfPlay, PIECE, Promoter, Trade};
use super::lines::{Line, with_queens};
use super::manner::{Manner, manner};
use super::rules::CoachRules;
use super::tactics::{Tactic, fork_by, tactic};

/// The most moves of the line that are shown: all in which material is counted. A series of captures is shown to its end.
const SHOWN_MOVES: usize = 9;
/// With better chances than this, a draw is a loss.
const WINNING: f64 = 0.65;
/// A loss that comes more than this many plies later is another one.
const MUCH_LATER: usize = 4;
/// A score that is no further from 0 is a draw.
const DRAWN: i32 = 30;

/// The punishment of a bad move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The opponent's best reply, and how the game goes on up to the point where the motif has shown
    /// itself. Empty if the bad move itself ended the game.
    pub line: Vec<Move>,
    /// The same in SAN.
    pub sans: Vec<String>,
    pub motif: Motif,
}

/// What a refutation achieves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Motif {
    /// It wins the game in `moves` moves of its own, by mate or in a way that the variant adds; in none
    /// if the bad move was the last chance to stop that.
    Win { reason: Reason, moves: usize, manner: Manner },
    /// It escapes with a draw.
    Draw(Reason),
    /// This pawn promotes.
    Promotion(Promoter),
    /// It wins material, by a tactic if one can be proven. The pieces are known where the line shows
    /// them to the end. Is it certain, because every reply loses as much, or could the player have avoided it after
    /// the bad move?
    Material { tactic: Option<Tactic>, trade: Option<Trade>, is_certain: bool },
    /// A forcing move comes first, and only then a capture takes back this piece.
    Intermezzo(PieceKind),
    /// Captures that the player must make, one after another, rid the opponent of these men.
    Series(Series),
    /// It gains something else.
    Concession(Concession),
}

/// What is known about a bad move.
pub(super) struct BadMove<'a, V: CoachRules> {
    pub before: &'a Position<V>,
    pub mv: Move,
    /// The line after it, its best reply first. Empty if the game is over.
    pub line: &'a [Move],
    /// The scores before the move and after it, from its player.
    pub scores: [Score; 2],
    /// The best line before the move, if a search has found it.
    pub better: Option<&'a Line>,
    /// Is its first move clearly better than every other?
    pub better_stands_out: bool,
}

impl<V: CoachRules> BadMove<'_, V> {
    /// The line of the better move, played out.
    fn better_play(&self) -> Option<LineOfPlay<V>> {
        let (&first, rest) = self.better?.moves.split_first()?;
        Some(self.counted(LineOfPlay::new(self.before, first, rest)))
    }

    /// If both moves take the same man, that is no difference: material counts after it.
    fn counted(&self, mut play: LineOfPlay<V>) -> LineOfPlay<V> {
        if self.takes_the_same() {
            play.count_from(1);
        }
        play
    }

    /// Does the better move take the same man?
    pub fn takes_the_same(&self) -> bool {
        let better = self.better.and_then(|line| line.moves.first());
        let is_same = |better: &Move| better.is_capture() && better.to() == self.mv.to();
        self.mv.is_capture() && better.is_some_and(is_same)
    }

    /// What the score has fallen by, in centipawns.
    pub fn loss(&self) -> i32 {
        let [before, after] = self.scores;
        (before - after).value()
    }
}

/// How the move is refuted. `None` if nothing can be proven, or if its player still wins by force.
pub(super) fn refutation<V: CoachRules>(bad: &BadMove<V>) -> Option<Refutation> {
    if bad.scores[1].is_win() {
        return None;
    }
    let mut play = bad.counted(LineOfPlay::new(bad.before, bad.mv, bad.line));
    let mut found = ending(bad, &mut play);
    found = found.or_else(|| match V::MUST_CAPTURE {
        true => compelled(bad, &play),
        false => promotion(bad, &play).or_else(|| gain(bad, &mut play)),
    });
    let (motif, end) = found?;
    let most = if let Motif::Series(_) = motif { end } else { SHOWN_MOVES };
    let end = end.min(play.moves.len() - 1).min(most);
    // The line may show that a man which promotes at the end of what is looked at is taken at once.
    let whole = Some(bad.line).filter(|line| line.starts_with(&play.moves[1..]));
    let mut line = with_queens(&play.positions[1], whole.unwrap_or(&play.moves[1..]));
    line.truncate(end);
    let sans = line.iter().zip(&play.positions[1..]).map(|(&mv, pos)| san(pos, mv)).collect();
    Some(Refutation { line, sans, motif })
}

/// A motif, and the index of the move with which it has shown itself.
type Found = Option<(Motif, usize)>;

/// The end of the game on the board.
fn ending<V: CoachRules>(bad: &BadMove<V>, play: &mut LineOfPlay<V>) -> Found {
    let [before, after] = bad.scores;
    if after.is_known_end() && after.is_loss() {
        complete_win(play, after);
        let Outcome { winner, reason } = play.last().outcome()?;
        let end = play.moves.len() - 1;
        let (moves, manner) = (play.moves.len() / 2, manner(play, reason));
        let motif = Motif::Win { reason, moves, manner };
        return (winner == Some(!play.victim())).then_some((motif, end));
    }
    if play.moves.len() > SHOWN_MOVES
        || win_chances(before) < WINNING
        || after.value().abs() > DRAWN
    {
        return None;
    }
    let end = play.moves.len() - 1;
    let reason = match play.last().outcome() {
        Some(Outcome { winner: None, reason }) => reason,
        Some(_) => return None,
        // A search takes the first repetition for a draw, if it is one of checks.
        None => {
            (play.last().repetitions() > 0 && is_all_checks(play)).then_some(Reason::Repetition)?
        }
    };
    Some((Motif::Draw(reason), end))
}

/// Adds the last move of a win if the line lacks it.
fn complete_win<V: CoachRules>(play: &mut LineOfPlay<V>, after: Score) {
    let missing = after.moves_to_end().map_or(0, |moves| -moves) - play.moves.len() as i32 / 2;
    if missing != 1 || play.last().side_to_move() == play.victim() {
        return;
    }
    let (pos, us) = (play.last(), play.last().side_to_move());
    let moves = pos.legal_moves();
    let wins = |mv: &Move| {
        let pos = pos.after(*mv);
        pos.outcome().is_some_and(|outcome| outcome.winner == Some(us))
    };
    let last = moves.iter().copied().find(wins);
    last.into_iter().for_each(|mv| play.push(mv));
}

/// Is each reply a check?
fn is_all_checks<V: CoachRules>(play: &LineOfPlay<V>) -> bool {
    (1..play.moves.len()).step_by(2).all(|index| play.after(index).in_check())
}

/// A pawn of the opponent promotes and stays on the board.
fn promotion<V: CoachRules>(bad: &BadMove<V>, play: &LineOfPlay<V>) -> Found {
    let [before, after] = bad.scores;
    let index = promotes(play)?;
    // A pawn that would have promoted as soon in any case is not the reason.
    let was_lost = bad.better.is_some_and(|line| {
        (1..line.moves.len().min(index + 1)).step_by(2).any(|at| line.moves[at].is_promotion())
    });
    let costs = win_chances(before) - win_chances(after) > 0.05;
    (!was_lost && costs).then(|| (Motif::Promotion(play.promoter(index)), index))
}

/// What the move promotes to; `None` if it explodes with what it takes.
pub(super) fn promotes_to<V: CoachRules>(mv: Move) -> Option<PieceKind> {
    mv.promotion().filter(|_| !V::CAPTURES_EXPLODE || !mv.is_capture())
}

/// The index of the punisher's move that promotes a pawn, which nobody can take then.
pub(super) fn promotes<V: CoachRules>(play: &LineOfPlay<V>) -> Option<usize> {
    let is_promotion = |&at: &usize| promotes_to::<V>(play.moves[at]).is_some();
    let index = (1..play.moves.len().min(8)).step_by(2).find(is_promotion)?;
    let is_taken = |mv: &&Move| mv.to() == play.moves[index].to();
    let stays = play.moves.get(index + 1).filter(is_taken).is_none()
        && play.after(index).legal_moves().iter().filter(is_taken).count() == 0;
    stays.then_some(index)
}

/// The opponent gives men away that must be taken, or comes close to the end.
fn compelled<V: CoachRules>(bad: &BadMove<V>, play: &LineOfPlay<V>) -> Found {
    let better = bad.better_play();
    let given = series(play, better.as_ref()).map(|(series, end)| (Motif::Series(series), end));
    given.or_else(|| {
        let step = new_last_step(play, better.as_ref());
        step.map(|(step, end)| (Motif::Concession(Concession::LastStep(step)), end))
    })
}

/// What is won short of the end. Checks in a race of checks count for more than material without a tactic.
fn gain<V: CoachRules>(bad: &BadMove<V>, play: &mut LineOfPlay<V>) -> Found {
    let material = material(bad, play).or_else(|| intermezzo(play));
    let conceded = concession(bad, play);
    match (&material, &conceded) {
        (
            Some((Motif::Material { tactic: None, .. }, _)),
            Some((Motif::Concession(Concession::Checks(_)), _)),
        ) => conceded,
        _ => material.or(conceded),
    }
}

/// Something is conceded that the better move would have kept.
fn concession<V: CoachRules>(bad: &BadMove<V>, play: &LineOfPlay<V>) -> Found {
    // A tempo is lost by the man that has moved.
    let is_reason = |(found, _): &(Concession, usize)| match found {
        Concession::Tempo(_, at) => *at == bad.mv.to(),
        _ => true,
    };
    let found = concessions(play, bad.better_play().as_ref()).into_iter().find(is_reason);
    found.map(|(found, end)| (Motif::Concession(found), end))
}

/// Material is won.
fn material<V: CoachRules>(bad: &BadMove<V>, play: &mut LineOfPlay<V>) -> Found {
    if let Some((found, tactic)) = passed_over(bad, play) {
        *play = found;
        let motif = Motif::Material { tactic: Some(tactic), trade: None, is_certain: true };
        return Some((motif, 1));
    }
    // What is lost in any case is no punishment, unless it is lost much later.
    let mut better = bad.better_play();
    let losses = better.as_mut().map_or(Vec::new(), LineOfPlay::gains);
    let lost_anyway = |prize: usize| {
        let soon = losses.iter().find(|loss| loss.prize <= prize + MUCH_LATER);
        soon.map_or(0, |loss| loss.value)
    };
    let counts = |gain: &Gain| {
        gain.is_confirmed(bad.loss()) && gain.value - lost_anyway(gain.prize) >= WINS_MATERIAL
    };
    let gains: Vec<Gain> = play.gains().into_iter().filter(counts).collect();
    let Some(whole) = gains.first() else { return double_threat(play, counts) };
    // An earlier gain, which comes later in the list, is the better explanation if it is the greater part and a
    // tactic wins it.
    let explained = gains
        .iter()
        .rev()
        .filter(|gain| 2 * gain.value >= whole.value && play.is_short(gain.prize));
    let mut explained = explained.filter_map(|gain| Some((gain, tactic(play, gain.prize)?)));
    // Every capture is an explosion, that of a man that was given away, too.
    let is_own = |&(gain, tactic): &(&Gain, Tactic)| {
        !matches!(tactic, Tactic::Explosion(_)) || !play.is_offered(gain.prize)
    };
    let (gain, tactic) = match explained.find(is_own) {
        Some((gain, tactic)) => (gain, Some(tactic)),
        // Little at the end of a long line is chance.
        None => match gains.iter().find(|gain| play.is_clear(gain)) {
            Some(gain) => (gain, None),
            None => return mover_lost(play, whole).or_else(|| double_threat(play, counts)),
        },
    };
    if tactic.is_none() && gain.prize == 3 && gain.trade.is_none() && intermezzo(play).is_some() {
        return intermezzo(play);
    }
    let is_certain = play.is_certain(gain);
    // A rook for a knight is lost, whatever else there is to take.
    let exchange = play.first_exchange().filter(|_| matches!(tactic, Some(Tactic::Hanging(..))));
    let trade = gain.trade.clone().or(exchange);
    let motif = Motif::Material { tactic, trade, is_certain };
    Some((motif, gain.prize))
}

/// A piece hangs that is worth clearly more than what the line wins with another reply: the line leaves it for later.
/// It counts if the score has fallen by about as much and the better move does not leave so much to be taken.
fn passed_over<V: CoachRules>(
    bad: &BadMove<V>,
    play: &mut LineOfPlay<V>,
) -> Option<(LineOfPlay<V>, Tactic)> {
    // Where a game has an end of its own, the material tells less.
    if !V::ENDINGS.is_empty() {
        return None;
    }
    let (mv, value) = play.best_first_capture()?;
    let left_anyway = bad.better_play()?.best_first_capture().map_or(0, |(_, value)| value.max(0));
    let won = play.gains().first().map_or(0, |gain| gain.value);
    let is_passed_over = play.moves.get(1) != Some(&mv)
        && value >= PIECE
        && value - won.max(left_anyway) >= WINS_MATERIAL
        && 10 * bad.loss() >= 7 * value;
    let found = bad.counted(LineOfPlay::new(bad.before, bad.mv, &[mv]));
    // A capture that is stalemate wins nothing.
    let is_drawn = found.last().outcome().is_some_and(|outcome| outcome.winner.is_none());
    let is_taken = is_passed_over && !is_drawn && found.withstands_checks(1);
    let tactic = tactic(&found, 1).filter(|_| is_taken)?;
    Some((found, tactic))
}

/// The man that has moved is taken where it stands, and what is won in the end is at least its value.
fn mover_lost<V: CoachRules>(play: &LineOfPlay<V>, whole: &Gain) -> Found {
    let bad = Some(play.moves[0]).filter(|mv| !mv.is_capture())?;
    let later = (1..play.moves.len())
        .find(|&at| play.moves[at].to() == bad.to() || play.origin(at) == Some(bad.to()))?;
    let kind = play.taken(later).filter(|_| later % 2 == 1)?;
    let (won, explodes) = (vec![kind], V::CAPTURES_EXPLODE);
    let trade = Some(Trade { won, lost: Vec::new(), explodes });
    let is_lost = value(kind) <= whole.value && !play.is_offered(later);
    let is_certain = play.is_certain(&Gain { prize: later, value: value(kind), trade: None });
    is_lost.then_some((Motif::Material { tactic: None, trade, is_certain }, later))
}

/// Every answer to the reply loses material, or to the one after it if the first is a check or a capture.
fn double_threat<V: CoachRules>(play: &LineOfPlay<V>, counts: impl Fn(&Gain) -> bool) -> Found {
    let is_double = |&index: &usize| {
        let value = play.gain_after_every_reply(index);
        value.is_some_and(|value| counts(&Gain { prize: index + 2, value, trade: None }))
    };
    let is_forcing = play.moves.get(1)?.is_capture() || play.after(1).in_check();
    let places = [1, 3].into_iter().filter(|&at| at < play.moves.len() && (at == 1 || is_forcing));
    let index = places.into_iter().find(is_double)?;
    let takes = play.moves.get(index + 2).is_some_and(|mv| mv.is_capture());
    let (tactic, end) = match takes {
        true => (tactic(play, index + 2), index + 2),
        false => (fork_by(play, index), index),
    };
    Some((Motif::Material { tactic, trade: None, is_certain: true }, end))
}

/// What the bad move has taken is taken back, but first comes a check or another capture.
fn intermezzo<V: CoachRules>(play: &LineOfPlay<V>) -> Found {
    let [bad, first, _, second, ..] = play.moves[..] else { return None };
    let is_forcing = first.is_capture() || play.after(1).in_check();
    let us: Color = !play.victim();
    let taken = play.taken(0)?;
    // If the man lost there is dearer, more is lost than was taken.
    let is_even = play.taken(3).is_some_and(|back| value(back) < value(taken) + WINS_MATERIAL);
    let takes_back = is_even && second.to() == bad.to() && first.to() != bad.to();
    // It could have been taken at once.
    let pos = &play.positions[1];
    let could = pos.side_to_move() == us && pos.legal_moves().iter().any(|mv| mv.to() == bad.to());
    (is_forcing && takes_back && could).then_some((Motif::Intermezzo(taken), 3))
}

#[cfg(test)]
mod tests;
