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
use super::line_of_play::{Gain, LineOfPlay, PIECE, Promoter, Trade, value};
use super::lines::{Line, with_queens};
use super::manner::{Manner, manner};
use super::motifs::{Tactic, fork_by, tactic};
use super::rules::CoachRules;

/// The most moves of the line that are shown: all in which material is counted. A series of captures is shown to its end.
const SHOWN_MOVES: usize = 9;
/// With better chances than this, a draw is a loss.
const WINNING: f64 = 0.65;
/// A loss that comes so many plies later is another one.
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
    /// It wins the game in so many moves of its own, by mate or in a way that the variant adds; in none
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
    pub fn drop(&self) -> i32 {
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
        let mut pos = pos.clone();
        pos.make_move(*mv);
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
    // Time is lost by the man that has moved.
    let is_reason = |(found, _): &(Concession, usize)| match found {
        Concession::Time(_, at) => *at == bad.mv.to(),
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
        gain.is_confirmed(bad.drop()) && gain.value - lost_anyway(gain.prize) >= WINS_MATERIAL
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
        && 10 * bad.drop() >= 7 * value;
    let found = bad.counted(LineOfPlay::new(bad.before, bad.mv, &[mv]));
    let tactic = tactic(&found, 1).filter(|_| is_passed_over && found.withstands_checks(1))?;
    Some((found, tactic))
}

/// The man that has moved is taken where it stands, and what is won in the end is at least its value.
fn mover_lost<V: CoachRules>(play: &LineOfPlay<V>, whole: &Gain) -> Found {
    let bad = Some(play.moves[0]).filter(|mv| !mv.is_capture())?;
    let later = (1..play.moves.len())
        .find(|&at| play.moves[at].to() == bad.to() || play.origin(at) == Some(bad.to()))?;
    let kind = play.taken(later).filter(|_| later % 2 == 1)?;
    let trade = Some(Trade { won: vec![kind], lost: Vec::new() });
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
    // Who loses a dearer man there loses more than what was taken.
    let is_even = play.taken(3).is_some_and(|back| value(back) < value(taken) + WINS_MATERIAL);
    let takes_back = is_even && second.to() == bad.to() && first.to() != bad.to();
    // It could have been taken at once.
    let pos = &play.positions[1];
    let could = pos.side_to_move() == us && pos.legal_moves().iter().any(|mv| mv.to() == bad.to());
    (is_forcing && takes_back && could).then_some((Motif::Intermezzo(taken), 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::assess;
    use crate::notation::parse_move;
    use crate::variants::{
        Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, Standard, ThreeCheck,
    };

    /// What is said of the first move, if a search finds the others after it. The scores are those
    /// before it and after it, from its player.
    fn said<V: CoachRules>(fen: &str, moves: &str, scores: [Score; 2]) -> Option<String> {
        let before = Position::<V>::from_fen(fen).unwrap();
        let mut pos = before.clone();
        let mut moves: Vec<Move> = moves
            .split(' ')
            .map(|text| {
                let mv = parse_move(&pos, text).unwrap();
                pos.make_move(mv);
                mv
            })
            .collect();
        let mv = moves.remove(0);
        let other = before.legal_moves().iter().copied().find(|&other| other != mv).unwrap();
        let better = Line { score: scores[0], depth: 9, moves: vec![other] };
        let after = Line { score: -scores[1], depth: 9, moves };
        let lines_after = if after.moves.is_empty() { vec![] } else { vec![after] };
        assess(&before, &[better], mv, &lines_after).punishment()
    }

    fn material(fen: &str, moves: &str) -> String {
        let scores = [Score::ZERO, Score::cp(-500)];
        said::<Standard>(fen, moves, scores).unwrap_or_default()
    }

    #[test]
    fn a_pawn_taken_en_passant_is_named_where_it_stands() {
        let words = material("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e4 dxe3");
        assert_eq!(words, "It leaves the pawn on e4 to be taken: dxe3");
    }

    #[test]
    fn an_explosion_of_what_was_given_away_is_no_punishment() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let scores = [Score::cp(30), Score::cp(-150)];
        let given = said::<Atomic>(start, "d3 d5 Nh3 f6 Nc3 c6 Bh6 gxh6", scores);
        assert_eq!(given, None);
        let taken = "rnbqk1nr/pppp1ppp/4p3/8/1b6/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
        let words = said::<Atomic>(taken, "a3 Bxd2", [Score::cp(30), Score::loss_in(1)]);
        assert!(words.is_some(), "it takes the king along");
    }

    #[test]
    fn ends_of_the_game_come_first() {
        let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let mate = [Score::ZERO, Score::loss_in(1)];
        let words = said::<Standard>(fool, "g4 Qh4#", mate);
        assert_eq!(words.as_deref(), Some("It allows mate in 1: Qh4#"));
        let back_rank = "6k1/5ppp/8/8/8/8/r7/R5K1 b - - 0 1";
        let words = said::<Standard>(back_rank, "Rb2 Ra8+ Rb8 Rxb8#", [mate[0], Score::loss_in(3)]);
        assert_eq!(words.as_deref(), Some("It allows a back-rank mate in 2: Ra8+ Rb8 Rxb8#"));
        // The line lacks the last move.
        let words = said::<Standard>(back_rank, "Rb2 Ra8+ Rb8", [mate[0], Score::loss_in(3)]);
        assert_eq!(words.as_deref(), Some("It allows a back-rank mate in 2: Ra8+ Rb8 Rxb8#"));
        let third = "4k3/8/8/8/8/8/3p4/R3K3 b - - 1+3 0 1";
        let words = said::<ThreeCheck>("4k3/8/8/8/8/8/7p/R3K3 b - - 1+3 0 1", "Ke7 Ra7+", mate);
        assert_eq!(words.as_deref(), Some("The opponent gives third check in 1: Ra7#"), "{third}");
        let hill = "7k/p7/8/8/8/3K4/P7/8 b - - 0 1";
        let words = said::<KingOfTheHill>(hill, "a6 Kd4", mate);
        assert_eq!(words.as_deref(), Some("The opponent reaches the hill in 1: Kd4#"));
        let words = said::<RacingKings>("8/6K1/1k6/8/8/8/8/8 b - - 0 1", "Ka5 Kg8", mate);
        assert_eq!(words.as_deref(), Some("The opponent reaches the eighth rank in 1: Kg8#"));
        let words = said::<Horde>("4k3/8/8/8/8/8/r7/1P6 w - - 0 1", "b2 Rxb2", mate);
        assert_eq!(words.as_deref(), Some("The opponent takes the whole horde in 1: Rxb2#"));
        // White has arrived, and Black does not follow.
        let lost = [Score::ZERO, Score::loss_in(0)];
        let words = said::<RacingKings>("6K1/1k6/8/8/8/8/8/8 b - - 0 1", "Ka6", lost);
        let expected = "It loses the game: the opponent reaches the eighth rank";
        assert_eq!(words.as_deref(), Some(expected));
    }

    #[test]
    fn who_still_wins_by_force_is_not_punished() {
        let fen = "6k1/5ppp/8/8/8/1n6/5PPP/R3R1K1 w - - 0 1";
        let said = |after| said::<Standard>(fen, "h3 Nxa1", [Score::win_in(1), after]);
        assert_eq!(said(Score::win_in(2)), None);
        assert_eq!(said(Score::cp(-300)).as_deref(), Some("It loses material: Nxa1"));
    }

    #[test]
    fn a_draw_is_a_loss_for_the_winner() {
        let scores = [Score::cp(900), Score::ZERO];
        let words = said::<Standard>("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6", scores);
        assert_eq!(words.as_deref(), Some("It is stalemate"));
        let scores = [Score::cp(900), Score::ZERO];
        let words = said::<RacingKings>("8/1k4K1/8/8/8/8/8/Q7 w - - 0 1", "Kg8 Kc8", scores);
        let expected = "It allows a draw (both kings reach the eighth rank): Kc8";
        assert_eq!(words.as_deref(), Some(expected));
        // Nothing was lost by it.
        let words = said::<Standard>("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6", [Score::ZERO; 2]);
        assert_eq!(words, None);
    }

    #[test]
    fn a_pawn_that_promotes_is_named_as_it_stands_or_is_dropped() {
        let scores = [Score::ZERO, Score::cp(-600)];
        let takes = "8/k5p1/5P2/8/8/8/8/4K3 b - - 0 1";
        let words = said::<Standard>(takes, "Kb7 fxg7 Kb6 g8=Q", scores);
        assert_eq!(words.as_deref(), Some("It lets the f-pawn promote: fxg7 Kb6 g8=Q"));
        let dropped = "3k2r1/8/8/8/8/8/8/4K3[P] b - - 0 1";
        let words = said::<Crazyhouse>(dropped, "Kc7 P@f7 Kb6 fxg8=Q", scores);
        let expected = "It lets the pawn dropped on f7 promote: P@f7 Kb6 fxg8=Q";
        assert_eq!(words.as_deref(), Some(expected));
    }

    #[test]
    fn material_is_lost_in_many_ways() {
        let mut wrong = Vec::new();
        for (fen, moves, words) in [
            ("4k3/8/8/3r4/8/8/P7/R3KB2 b - - 0 1", "Rd4 Bb5+ Ke7", ""),
            (
                "4k3/pp6/8/8/3n4/8/PP3Q2/4K3 b - - 0 1",
                "a6 Qxd4",
                "It leaves the knight on d4 to be taken: Qxd4",
            ),
            (
                "r3k3/pp6/8/1N6/8/8/PP6/4K3 b - - 0 1",
                "b6 Nc7+ Kd8 Nxa8",
                "It allows a fork of the king and the rook, which loses a rook: Nc7+ Kd8 Nxa8",
            ),
            // The line ends before anything is taken.
            (
                "r3k3/pp6/8/1N6/8/8/PP6/4K3 b - - 0 1",
                "b6 Nc7+",
                "It allows a fork of the king and the rook: Nc7+",
            ),
            (
                "4k3/pp6/8/8/8/4r3/PP5B/6K1 b - - 0 1",
                "a6 Kf2 b6 Kxe3",
                "It may cost a rook: Kf2 b6 Kxe3",
            ),
            (
                "8/1p6/8/3k3q/8/8/8/R5K1 b - - 0 1",
                "b6 Ra5+ Kc6 Rxh5",
                "It allows a skewer of the king and the queen, which loses a queen: Ra5+ Kc6 Rxh5",
            ),
            ("4k3/pp6/2n5/8/8/5B2/PP6/4K3 b - - 0 1", "a6 Bxc6+ bxc6", ""),
            // The bishop has taken a knight: it is exchanged, not left to be taken.
            (
                "rnb1k2r/pp1p1ppp/4pq2/2p5/1bPPP1n1/P1N2N1P/1P3PP1/R1BQKB1R b KQkq - 0 7",
                "Bxc3+ bxc3 cxd4",
                "It loses material: bxc3 cxd4 hxg4",
            ),
            // A rook for a knight, and White can take a pawn now.
            (
                "r1bqk1nR/1ppp1pb1/p3pn2/8/4P1p1/2P2P2/PPQ3P1/RNB1KBN1 w Qq - 3 12",
                "Rxg8+ Nxg8",
                "It leaves the rook on g8 to be taken, which loses the exchange: Nxg8",
            ),
            // Taken back after a check: a rook for a rook, and a queen for a pawn.
            (
                "3rk3/pp6/8/8/8/8/3R1PPP/B2Q2K1 b - - 0 1",
                "Rxd2 Qe1+ Kd7 Qxd2+",
                "It allows an in-between move, and then the rook is taken back: Qe1+ Kd7 Qxd2+",
            ),
            (
                "3qk3/pp6/8/8/8/8/3P1PPP/B2Q2K1 b - - 0 1",
                "Qxd2 Qe1+ Kd7 Qxd2+",
                "It loses a queen for a pawn: Qe1+ Kd7 Qxd2+",
            ),
            // The pawn is offered, not lost.
            ("4k3/8/8/2b5/8/8/1P3PPP/4K3 w - - 0 1", "g3 Kd7 b4 Bxb4+", ""),
            // The pawn that has moved is lost.
            (
                "4k3/8/5b2/8/8/3P4/1P6/4K2R w - - 0 1",
                "d4 Ke7 Kd1 Bxd4",
                "It may cost a pawn: Ke7 Kd1 Bxd4",
            ),
            // White attacks the queen and then the pawn on d6, which Black could have protected.
            (
                "r1b2knr/pp1q3p/3pppp1/2n5/2P1P1P1/5P1N/PP4RP/RNQ1KB2 b Q - 1 12",
                "Qa4 Nc3 Qa5 Rd2 Kg7 Rxd6",
                "It may cost a pawn: Nc3 Qa5 Rd2 Kg7 Rxd6",
            ),
            // The search has found a promotion to a rook, which is taken.
            (
                "rn1qk1nr/1pp1pPb1/p2p3p/8/2P3b1/2N2N2/PP1PP2P/R1BQKB1R b KQkq - 0 8",
                "Kf8 fxg8=R+ Rxg8",
                "It leaves the knight on g8 to be taken, which loses a knight for a pawn: fxg8=Q+",
            ),
            // The queen hangs, and takes the rook with it.
            (
                "r1bqk2r/1pppppbp/p5pn/8/1nP2P2/1P3N2/P1QPP1PP/RNB1KB1R w KQkq - 1 7",
                "Rg1 Nxc2+ Kd1 Nxa1",
                "It leaves the queen on c2 to be taken: Nxc2+",
            ),
            // The line ends in another exchange.
            (
                "r1bqkbnr/pp1p1ppp/2n1p3/2p5/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
                "Ng5 Qxg5 O-O Qd8 d3 Be7 Bb5 Nf6 Bxc6",
                "It leaves the knight on g5 to be taken: Qxg5",
            ),
            (
                "3qk3/pp6/5n2/6B1/4P3/8/PP6/4K3 b - - 0 1",
                "a6 e5 b6 exf6",
                "The knight is pinned to the queen and cannot get away, which loses a knight: e5 b6 exf6",
            ),
            (
                "7k/p2b4/5n2/8/4r3/8/6B1/K2R4 b - - 0 1",
                "a6 Bxe4 Nxe4 Rxd7",
                "The knight has too much to protect, and d7 is left alone, which loses a rook: Bxe4 Nxe4 Rxd7",
            ),
        ] {
            let said = material(fen, moves);
            if said != words {
                wrong.push((fen, moves, said));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_queen_that_hangs_comes_before_a_lesser_gain_of_the_line() {
        let fen = "r1bq1rk1/1pp3pp/8/4p1N1/1pPn1Pp1/3P4/1RQ1P1P1/1NB1KB1R w K - 0 15";
        let before = Position::<Standard>::from_fen(fen).unwrap();
        let said = |better: &str, fall: i32| {
            let mut pos = before.clone();
            let mut read = |text: &str| {
                let mv = parse_move(&pos, text).unwrap();
                pos.make_move(mv);
                mv
            };
            let moves: Vec<Move> = "Kd2 exf4 Qd1 Qxg5".split(' ').map(&mut read).collect();
            let line = |score, moves| Line { score: Score::cp(score), depth: 9, moves };
            let better = line(0, vec![parse_move(&before, better).unwrap()]);
            let after = line(fall, moves[1..].to_vec());
            assess(&before, &[better], moves[0], &[after]).punishment().unwrap_or_default()
        };
        assert_eq!(said("Qd2", 600), "It leaves the queen on c2 to be taken: Nxc2");
        // The better move leaves it, too, or the score tells nothing of it.
        let line = "It lets the defender of the knight on g5 be taken: exf4 Qd1 Qxg5";
        assert_eq!([said("Nh3", 600), said("Qd2", 300)], [line; 2]);
    }

    #[test]
    fn what_a_check_wins_back_does_not_hang() {
        // Qxb1 loses the queen: Bg5+ uncovers the rook.
        let fen = "rnbk1r2/3p2bp/2p1p3/1p5Q/p2P1BP1/P1P2N1P/q3PKB1/1N4R1 w - - 4 20";
        let scores = [Score::cp(235), Score::cp(-56)];
        assert_eq!(said::<Standard>(fen, "Bc1 Qc2", scores), None);
        let hangs = fen.replace("k1r2/3p", "2r2/1k1p");
        let words = said::<Standard>(&hangs, "Bc1 Qc2", scores);
        assert_eq!(words.as_deref(), Some("It leaves the knight on b1 to be taken: Qxb1"));
    }

    #[test]
    fn the_last_man_that_promotes_is_a_queen_if_the_line_goes_on_with_its_capture() {
        let fen = "rnbqkb1r/p2ppppp/1pp5/4P3/1P1Pn3/P2Q2P1/2P2P1P/RNB1KBNR[] b KQkq - 2 7";
        let moves = "Ba6 Qxe4 Bxf1 N@d6+ exd6 exd6+ N@e6 P@c7 B@d5 cxd8=R+";
        let scores = [Score::cp(-50), Score::cp(-500)];
        let end = |more: &str| {
            let words = said::<Crazyhouse>(fen, &format!("{moves}{more}"), scores);
            words.unwrap_or_default().split(' ').next_back().unwrap_or_default().to_owned()
        };
        assert_eq!([end(""), end(" Kxd8")], ["cxd8=R+", "cxd8=Q+"]);
    }

    #[test]
    fn what_is_lost_in_any_case_is_no_punishment() {
        let fen = "4k3/pp6/8/8/3n4/8/PP3Q2/4K3 b - - 0 1";
        let before = Position::<Standard>::from_fen(fen).unwrap();
        let mv = |text: &str| parse_move(&before, text).unwrap();
        let taken = {
            let mut pos = before.clone();
            pos.make_move(mv("a6"));
            parse_move(&pos, "Qxd4").unwrap()
        };
        let line = |score, moves| Line { score: Score::cp(score), depth: 9, moves };
        let better = line(-300, vec![mv("a5"), taken]);
        let said = assess(&before, &[better], mv("a6"), &[line(900, vec![taken])]);
        assert!(said.judgement.is_criticism());
        assert_eq!(said.refutation, None);
    }
}
