//! What a side gains in a line besides material: checks in a race of checks, a king that is chased or can no
//! longer castle, and time.

use crate::types::{CastlingSide, PieceKind, Square};

use super::line_of_play::{LineOfPlay, attacks, is_winnable};
use super::rules::CoachRules;

/// The index of the last move of the punisher at which checks count.
const LAST_CHECK: usize = 5;
/// The index of the king's second move in a hunt.
const KING_HUNT: usize = 4;

/// Something that the victim of a line concedes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concession {
    /// The punisher gives so many checks, in a race of checks.
    Checks(usize),
    /// Two checks drive the king from its place.
    KingHunt,
    /// The king can no longer castle.
    Castling,
    /// This man is attacked and must leave this square.
    Time(PieceKind, Square),
}

/// What the victim concedes, and the index of the move with which it shows itself; the most important comes
/// first. `other` is the line that the victim would have had otherwise: what it concedes there as well does not
/// count.
pub(super) fn concessions<V: CoachRules>(
    play: &LineOfPlay<V>,
    other: Option<&LineOfPlay<V>>,
) -> Vec<(Concession, usize)> {
    let mut found = Vec::new();
    let (given, last) = checks(play);
    if given > other.map_or(0, |other| checks(other).0) {
        found.push((Concession::Checks(given), last));
    }
    if is_king_hunt(play) && !other.is_some_and(is_king_hunt) {
        found.push((Concession::KingHunt, KING_HUNT));
    }
    if let Some(index) = castling(play)
        && other.and_then(castling).is_none()
    {
        found.push((Concession::Castling, index));
    }
    found.extend(time(play));
    found
}

/// The number of checks that count, and the index of the last one. The punisher's first move must be one.
fn checks<V: CoachRules>(play: &LineOfPlay<V>) -> (usize, usize) {
    if !V::COUNTS_CHECKS || play.moves.len() < 2 || !play.after(1).in_check() {
        return (0, 0);
    }
    let end = play.moves.len().min(LAST_CHECK + 1);
    let given = (1..end).step_by(2).filter(|&index| play.after(index).in_check());
    given.fold((0, 0), |(count, _), index| (count + 1, index))
}

/// Are the punisher's first two moves checks, and does the king walk both times?
fn is_king_hunt<V: CoachRules>(play: &LineOfPlay<V>) -> bool {
    let walks = |index: usize| {
        play.positions[index].in_check()
            && is_by_king(play, index)
            && !play.moves[index].is_capture()
    };
    play.moves.len() > KING_HUNT && walks(2) && walks(KING_HUNT)
}

fn is_by_king<V: CoachRules>(play: &LineOfPlay<V>, index: usize) -> bool {
    play.positions[index].cell(play.moves[index].from()).holds(play.victim(), PieceKind::King)
}

/// The victim's move with which its king loses the right to castle: the first one, or an answer to a check or
/// a capture.
fn castling<V: CoachRules>(play: &LineOfPlay<V>) -> Option<usize> {
    let victim = play.victim();
    let may_castle = |index: usize| {
        let rights = play.positions[index].castling();
        CastlingSide::ALL.into_iter().any(|side| rights.has(victim, side))
    };
    let has_queens = |index: usize| {
        let queens = play.positions[index].all_pieces(!victim);
        queens.into_iter().any(|(_, kind)| kind == PieceKind::Queen)
    };
    [0, 2].into_iter().find(|&index| {
        let is_forced = |last: usize| play.moves[last].is_capture() || play.after(last).in_check();
        index < play.moves.len()
            && may_castle(index)
            && !may_castle(index + 1)
            && index.checked_sub(1).is_none_or(is_forced)
            && has_queens(index + 1)
            && !play.moves[index].is_castling()
            && is_by_king(play, index)
    })
}

/// The punisher's first move attacks a man that was safe, which then goes away.
fn time<V: CoachRules>(play: &LineOfPlay<V>) -> Option<(Concession, usize)> {
    let [_, attack, answer, ..] = play.moves[..] else { return None };
    let (before, after) = (&play.positions[1], &play.positions[2]);
    let kind = after.piece_at(answer.from())?.kind();
    if attack.is_capture() || answer.is_capture() || after.in_check() || answer.is_castling() {
        return None;
    }
    let mut passed = after.clone();
    passed.make_null_move();
    let is_driven = !matches!(kind, PieceKind::Pawn | PieceKind::King)
        && attacks(after, attack.to(), answer.from())
        && is_winnable(&passed, answer.from())
        && !is_winnable(before, answer.from())
        && !is_winnable(&play.positions[3], answer.to());
    is_driven.then_some((Concession::Time(kind, answer.from()), 2))
}

#[cfg(test)]
mod tests {
    use crate::board::Position;
    use crate::coach::{CoachRules, Line, assess};
    use crate::notation::parse_move;
    use crate::types::{Move, Score};
    use crate::variants::{Standard, ThreeCheck};

    /// What is said of the first move, if a search finds the others after it and some other move is better.
    fn said<V: CoachRules>(fen: &str, moves: &str) -> String {
        let before = Position::<V>::from_fen(fen).unwrap();
        let mut pos = before.clone();
        let read = |text| {
            let mv = parse_move(&pos, text).unwrap();
            pos.make_move(mv);
            mv
        };
        let moves: Vec<Move> = moves.split(' ').map(read).collect();
        let other = before.legal_moves().iter().copied().find(|&other| other != moves[0]).unwrap();
        let line = |score, moves| Line { score: Score::cp(score), depth: 9, moves };
        let after = line(500, moves[1..].to_vec());
        let said = assess(&before, &[line(0, vec![other])], moves[0], &[after]);
        said.punishment().unwrap_or_default()
    }

    #[test]
    fn kings_and_time_are_conceded() {
        let mut wrong = Vec::new();
        for (fen, moves, words) in [
            (
                "r3k2r/pppq1ppp/3p4/8/8/8/PPPQ1PPP/4K3 b kq - 0 1",
                "Kf8 Qf4",
                "It costs the right to castle",
            ),
            (
                "r3k3/pppq4/3p4/8/8/8/PPPQ1PPP/4K3 b q - 0 1",
                "a6 Qe3+ Kd8",
                "It costs the right to castle: Qe3+ Kd8",
            ),
            ("6k1/5ppp/2n5/8/8/4q3/PPP5/R1K5 w - - 0 1", "Kb1 Qe4 a3 Qh1+", ""),
            (
                "r1bqkbnr/ppp1pppp/2n5/8/3P4/8/PP3PPP/RNBQKBNR b KQkq - 0 1",
                "Nb4 a3 Nc6",
                "It loses time, because the knight on b4 is driven away: a3 Nc6",
            ),
            (
                "7k/8/8/2p5/8/2K5/8/q6r w - - 0 1",
                "Kc2 Rh2+ Kd3 Qd1+ Ke4",
                "It lets the king be driven out: Rh2+ Kd3 Qd1+ Ke4",
            ),
        ] {
            let said = said::<Standard>(fen, moves);
            if said != words {
                wrong.push((fen, moves, said));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        let fen = "rnbqkb1r/ppp1pppp/3p1n2/8/3PP3/2N5/PPP2PPP/R1BQKBNR b KQkq - 3+3 2 3";
        let words = said::<ThreeCheck>(fen, "e5 Bb5+ c6 Bxc6+");
        assert_eq!(words, "It allows two checks: Bb5+ c6 Bxc6+");
    }
}
