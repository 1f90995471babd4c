//! What a side gains in a line besides material: checks in a race of checks, a king that is chased or can no
//! longer castle, and time.

use crate::board::Position;
use crate::types::{CastlingSide, PieceKind, Reason, Square};

use super::danger::attacks;
use super::exchange::{is_threatened, is_winnable, value};
use super::goal::{is_way_shut, steps_to_goal};
use super::line_of_play::LineOfPlay;
use super::rules::CoachRules;
use super::threats::{is_between, threatened_checks, threatened_win, winning_end};

/// The index of the last move of the punisher at which checks count.
const LAST_CHECK: usize = 5;
/// The index of the last move of the punisher that may bring it one step from the end.
const LAST_STEP: usize = 5;
/// The index of the king's second move in a hunt.
const KING_HUNT: usize = 4;

/// The men of an even exchange differ by no more, in centipawns.
const EVEN: i32 = 30;

/// Something that the victim of a line concedes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concession {
    /// The punisher gives this many checks, in a race of checks.
    Checks(usize),
    /// Two checks drive the king from its place.
    KingHunt,
    /// The king can no longer castle.
    Castling,
    /// The same, by the player's own move.
    CastlingGivenUp,
    /// This man has just moved there, is attacked, and must leave this square again.
    Tempo(PieceKind, Square),
    /// The same with another man.
    Driven(PieceKind, Square),
    /// The end of the game is threatened.
    WinThreat(Reason),
    /// The king near the goal can no longer go on: the punisher guards its way.
    WayGuarded,
    /// The same, but the player's own move has shut the way.
    WayShut,
    /// The punisher comes one step from an end that the variant adds: `stands next to the hill`.
    LastStep(&'static str),
    /// A check on this square is threatened, in a race of checks.
    CheckThreat(Square),
    /// The same, because the man that has moved stood between that square and its king.
    LineOpened(Square),
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
    found.extend(win_threat(play, other).map(|reason| (Concession::WinThreat(reason), 1)));
    if is_king_hunt(play) && !other.is_some_and(is_king_hunt) {
        found.push((Concession::KingHunt, KING_HUNT));
    }
    if let Some(index) = castling(play)
        && other.and_then(castling).is_none()
    {
        let castling = match index {
            0 => Concession::CastlingGivenUp,
            _ => Concession::Castling,
        };
        found.push((castling, index));
    }
    found.extend(tempo(play, other));
    found.extend(
        new_last_step(play, other).map(|(step, index)| (Concession::LastStep(step), index)),
    );
    found.extend(way_shut(play, other));
    let opens = |at: Square| {
        play.origin(0).is_some_and(|left| is_between(play.after(0), left, at, play.victim()))
    };
    found.extend(check_threat(play, other).map(|at| match opens(at) {
        true => (Concession::LineOpened(at), 0),
        false => (Concession::CheckThreat(at), 1),
    }));
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

/// Are the punisher's first two moves checks, and does the king walk both times and end further out?
fn is_king_hunt<V: CoachRules>(play: &LineOfPlay<V>) -> bool {
    let walks = |index: usize| {
        play.positions[index].in_check()
            && is_by_king(play, index)
            && !play.moves[index].is_capture()
    };
    let rank = |at: Square| at.rank_for(play.victim());
    play.moves.len() > KING_HUNT
        && walks(2)
        && walks(KING_HUNT)
        && rank(play.moves[KING_HUNT].to()) > rank(play.moves[2].from())
}

/// Has the punisher a queen before this move?
fn has_queen<V: CoachRules>(play: &LineOfPlay<V>, index: usize) -> bool {
    play.positions[index].pieces(!play.victim(), PieceKind::Queen).next().is_some()
}

fn is_by_king<V: CoachRules>(play: &LineOfPlay<V>, index: usize) -> bool {
    let from = play.origin(index);
    from.is_some_and(|from| play.positions[index].cell(from).holds(play.victim(), PieceKind::King))
}

/// The victim's move with which its king loses the right to castle: the first one, or an answer to a check, or one
/// that takes back.
fn castling<V: CoachRules>(play: &LineOfPlay<V>) -> Option<usize> {
    let victim = play.victim();
    let may_castle = |index: usize| {
        let rights = play.positions[index].castling();
        CastlingSide::ALL.into_iter().any(|side| rights.has(victim, side))
    };
    [0, 2].into_iter().find(|&index| {
        let takes_back = |last: usize| {
            play.moves[last].is_capture() && play.moves[last].to() == play.moves[index].to()
        };
        let is_forced = |last: usize| takes_back(last) || play.after(last).in_check();
        index < play.moves.len()
            && may_castle(index)
            && !may_castle(index + 1)
            && index.checked_sub(1).is_none_or(is_forced)
            && has_queen(play, index + 1)
            && !play.moves[index].is_castling()
            && is_by_king(play, index)
    })
}

/// The punisher attacks a man that was safe, which then goes away: with its first move, or after an exchange. In
/// the other line it could not do so.
fn tempo<V: CoachRules>(
    play: &LineOfPlay<V>,
    other: Option<&LineOfPlay<V>>,
) -> Option<(Concession, usize)> {
    let has_moved = |at: Square| play.moves[0].to() == at;
    let Some((kind, at)) = driven(play, 1) else {
        // Not another man that has taken back there.
        let is_tempo = |&(_, at): &(PieceKind, Square)| {
            other.is_some() && has_moved(at) && play.moves[1].to() != at && is_exchange(play)
        };
        let (kind, at) = driven(play, 3).filter(is_tempo)?;
        return Some((Concession::Tempo(kind, at), 4));
    };
    if has_moved(at) || other.is_none() {
        return Some((Concession::Tempo(kind, at), 2));
    }
    let other = other.filter(|other| other.begins_quietly())?;
    let is_driven_anyway =
        |pos: Position<V>| pos.cell(at).holds(play.victim(), kind) && is_threatened(&pos, at);
    let is_avoided = !other.answered(play.moves[1]).is_some_and(is_driven_anyway);
    is_avoided.then_some((Concession::Driven(kind, at), 2))
}

/// Does the punisher begin with an even exchange?
fn is_exchange<V: CoachRules>(play: &LineOfPlay<V>) -> bool {
    let [_, take, take_back, ..] = play.moves[..] else { return false };
    let worth = |index: usize| {
        play.positions[index].piece_at(take.to()).map_or(0, |piece| value(piece.kind()))
    };
    take.is_capture() && take_back.to() == take.to() && (worth(1) - worth(2)).abs() <= EVEN
}

/// The man that the punisher's move with this index drives away.
fn driven<V: CoachRules>(play: &LineOfPlay<V>, index: usize) -> Option<(PieceKind, Square)> {
    let (&attack, &answer) = (play.moves.get(index)?, play.moves.get(index + 1)?);
    let (before, after) = (&play.positions[index], play.after(index));
    let from = play.origin(index + 1)?;
    let kind = after.piece_at(from)?.kind();
    if attack.is_capture() || answer.is_capture() || after.in_check() || answer.is_castling() {
        return None;
    }
    let is_driven = !matches!(kind, PieceKind::Pawn | PieceKind::King)
        && attacks(after, attack.to(), from)
        && is_threatened(after, from)
        && !is_winnable(before, from)
        && !is_winnable(play.after(index + 1), answer.to());
    is_driven.then_some((kind, from))
}

/// The end of the game that the punisher threatens with its first move, and could not threaten before or with it in
/// the other line.
fn win_threat<V: CoachRules>(
    play: &LineOfPlay<V>,
    other: Option<&LineOfPlay<V>>,
) -> Option<Reason> {
    let &reply = play.moves.get(1).filter(|_| other.is_none_or(LineOfPlay::begins_quietly))?;
    let reason =
        threatened_win(play.after(1)).filter(|_| winning_end(&play.positions[1]).is_none())?;
    let threatens = |pos: Position<V>| threatened_win(&pos).is_some();
    let is_known = other.and_then(|other| other.answered(reply)).is_some_and(threatens);
    (!is_known).then_some(reason)
}

/// The king of the victim could go on to the goal, and can no longer do so after the first move or the reply to it, not
/// even after its answer. In the other line it still can.
fn way_shut<V: CoachRules>(
    play: &LineOfPlay<V>,
    other: Option<&LineOfPlay<V>>,
) -> Option<(Concession, usize)> {
    let is_shut = |pos: &Position<V>| is_way_shut(pos, play.victim());
    let is_open = |pos: &Position<V>| is_shut(pos) == Some(false);
    if !is_open(&play.positions[0]) || !other.is_none_or(|other| is_open(&other.positions[1])) {
        return None;
    }
    if is_shut(play.positions.get(3)?) != Some(true) {
        return None;
    }
    if is_shut(&play.positions[1]) == Some(true) {
        // A king that comes nearer has not shut its way.
        let steps = |index: usize| steps_to_goal(&play.positions[index], play.victim());
        return (steps(1) >= steps(0)).then_some((Concession::WayShut, 0));
    }
    let &reply = play.moves.get(1).filter(|_| is_shut(play.after(1)) == Some(true))?;
    let answered = other.and_then(|other| other.answered(reply));
    let is_known = answered.is_some_and(|pos| is_shut(&pos) == Some(true));
    (!is_known).then_some((Concession::WayGuarded, 1))
}

/// The last step that the punisher comes to, and does not in the other line.
pub(super) fn new_last_step<V: CoachRules>(
    play: &LineOfPlay<V>,
    other: Option<&LineOfPlay<V>>,
) -> Option<(&'static str, usize)> {
    last_step(play).filter(|_| other.is_some_and(|other| last_step(other).is_none()))
}

/// The punisher's move with which it comes one step from an end that the variant adds, and how that is called.
fn last_step<V: CoachRules>(play: &LineOfPlay<V>) -> Option<(&'static str, usize)> {
    let step = |pos: &Position<V>| V::describe_last_step(pos, !play.victim());
    if step(play.positions.get(1)?).is_some() {
        return None;
    }
    let end = play.moves.len().min(LAST_STEP + 1);
    (1..end).step_by(2).find_map(|index| Some((step(play.after(index))?, index)))
}

/// A check that the punisher threatens with its first move, and would not threaten with it in the other line: its
/// square, that of the line if there are several.
fn check_threat<V: CoachRules>(
    play: &LineOfPlay<V>,
    other: Option<&LineOfPlay<V>>,
) -> Option<Square> {
    let &reply = play.moves.get(1).filter(|reply| !reply.is_capture())?;
    if !other.is_none_or(LineOfPlay::begins_quietly) {
        return None;
    }
    let mut found = threatened_checks(&play.positions[1], play.after(1));
    if let Some(other) = other
        && let Some(answered) = other.answered(reply)
    {
        let same = threatened_checks(&other.positions[1], &answered);
        found.retain(|at| !same.contains(at));
    }
    let given = play.moves.get(3).map(|mv| mv.to()).filter(|at| found.contains(at));
    given.or(found.first().copied())
}

#[cfg(test)]
mod tests {
    use crate::board::Position;
    use crate::coach::{CoachRules, Line, assess};
    use crate::notation::parse_move;
    use crate::types::{Move, Score};
    use crate::variants::{KingOfTheHill, Standard, ThreeCheck};

    /// What is said of the first move, if a search finds the others after it and this move is better.
    fn said_of<V: CoachRules>(before: &Position<V>, moves: &str, better: Move) -> String {
        let mut pos = before.clone();
        let read = |text| {
            let mv = parse_move(&pos, text).unwrap();
            pos.make_move(mv);
            mv
        };
        let moves: Vec<Move> = moves.split(' ').map(read).collect();
        let line = |score, moves| Line { score: Score::cp(score), depth: 9, moves };
        let after = line(500, moves[1..].to_vec());
        let said = assess(before, &[line(0, vec![better])], moves[0], &[after]);
        said.punishment().unwrap_or_default()
    }

    /// The same if some other move is better.
    fn said<V: CoachRules>(fen: &str, moves: &str) -> String {
        let before = Position::<V>::from_fen(fen).unwrap();
        let first = parse_move(&before, moves.split(' ').next().unwrap()).unwrap();
        let other = before.legal_moves().iter().copied().find(|&other| other != first).unwrap();
        said_of(&before, moves, other)
    }

    fn said_beside<V: CoachRules>(fen: &str, moves: &str, better: &str) -> String {
        let before = Position::<V>::from_fen(fen).unwrap();
        said_of(&before, moves, parse_move(&before, better).unwrap())
    }

    #[test]
    fn kings_and_time_are_conceded() {
        let mut wrong = Vec::new();
        for (fen, moves, words) in [
            (
                "r3k2r/pppq1ppp/3p4/8/8/8/PPPQ1PPP/4K3 b kq - 0 1",
                "Kf8 Qf4",
                "It gives up the right to castle",
            ),
            (
                "r3k3/pppq4/3p4/8/8/8/PPPQ1PPP/4K3 b q - 0 1",
                "a6 Qe3+ Kd8",
                "It costs the right to castle: Qe3+ Kd8",
            ),
            // The king takes back, or need not move.
            (
                "1q2k2r/p3b3/8/3N4/8/8/P3P3/2Q1K3 b k - 0 1",
                "a6 Nxe7 Kxe7",
                "It costs the right to castle: Nxe7 Kxe7",
            ),
            ("r3k3/pppq4/8/4p3/3P4/4P3/PPPQ1P2/4K3 b q - 0 1", "exd4 exd4 Kd8", ""),
            ("6k1/5ppp/2n5/8/8/4q3/PPP5/R1K5 w - - 0 1", "Kb1 Qe4 a3 Qh1+", ""),
            (
                "r1bqkbnr/ppp1pppp/2n5/8/3P4/8/PP3PPP/RNBQKBNR b KQkq - 0 1",
                "Nb4 a3 Nc6",
                "It loses time, because the knight on b4 is driven away: a3 Nc6",
            ),
            // The queen was exchanged, and the rook took back.
            (
                "4r1k1/2pn2pp/3r4/p4p2/3P3q/1PN2P1N/PB1Q3R/R4K2 b - - 7 21",
                "Qxd4 Qxd4 Rxd4 Nb5 Rd3",
                "",
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

    #[test]
    fn what_the_better_move_avoids_is_conceded() {
        let driven = "4k3/5p2/8/8/4N3/8/P3P3/4K3 w - - 0 1";
        let words = said_beside::<Standard>(driven, "a3 f5 Nc3", "Nc3");
        assert_eq!(words, "It lets the knight on e4 be driven away: f5 Nc3");
        // Elsewhere it is driven away as well.
        assert_eq!(said_beside::<Standard>(driven, "a3 f5 Nc3", "a4"), "");
        let after_exchange = "rnbqk2r/4bppp/pp1p1n2/4p1B1/4P3/1NN4P/PPP1BPP1/R2QR1K1 b kq - 0 11";
        let words = said_beside::<Standard>(after_exchange, "Qc7 Bxf6 Bxf6 Nd5 Qc6", "Nbd7");
        let expected = "It loses time, because the queen on c7 is driven away: Bxf6 Bxf6 Nd5 Qc6";
        assert_eq!(words, expected);
        let mate = "3q2k1/5ppp/3b4/8/8/5N2/P4PPP/5RK1 w - - 0 1";
        let words = said_beside::<Standard>(mate, "Nd2 Qh4 h3", "h3");
        assert_eq!(words, "It allows the threat of mate: Qh4");
        assert_eq!(said_beside::<Standard>(mate, "Nd2 Qh4 h3", "Nd4"), "");
    }

    #[test]
    fn the_opponent_comes_one_step_from_the_end() {
        let pawns = "4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1";
        let words = said_beside::<KingOfTheHill>(pawns, "a6 Ke2 b6 Ke3", "Ke7");
        assert_eq!(words, "The opponent soon stands next to the hill: Ke2 b6 Ke3");
        assert_eq!(said_beside::<Standard>(pawns, "a6 Ke2 b6 Ke3", "Ke7"), "");
    }

    #[test]
    fn a_king_that_comes_nearer_does_not_shut_its_way() {
        let near = "1Q3b1r/3k2p1/2q2n1p/3p4/p2PpP2/P1P1B3/6PP/R3K2R b KQkq - 0 20";
        let words = said_beside::<KingOfTheHill>(near, "Ke6 O-O h5", "Ng8");
        assert!(!words.contains("shuts"), "{words}");
    }

    #[test]
    fn checks_are_threatened_in_a_race() {
        let knights = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 3+3 1 1";
        let words = said_beside::<ThreeCheck>(knights, "d5 e4 c6", "e5");
        assert_eq!(words, "It opens a line to the king for a check on b5");
        let bishop = "r1bqkbnr/pppppppp/2n5/8/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 3+3 2 2";
        let words = said_beside::<ThreeCheck>(bishop, "e5 Bc4 Nh6", "e6");
        assert_eq!(words, "It allows the threat of a check on f7: Bc4");
        assert_eq!(said_beside::<ThreeCheck>(bishop, "e5 Bc4 Nh6", "a6"), "");
        assert_eq!(said_beside::<Standard>(&bishop.replace("3+3 ", ""), "e5 Bc4 Nh6", "e6"), "");
    }
}
