//! What a better move would have achieved, as far as it can be proven: what it wins, saves or stops.

use crate::board::Position;
use crate::types::{Move, PieceKind, Square};

use super::compulsion::series;
use super::concessions::{Concession, concessions};
use super::exchange::{is_winnable, passed, rescues, takes_back, value};
use super::line_of_play::{Gain, LineOfPlay, Trade};
use super::lines::Line;
use super::reasons::{check, end_in_words};
use super::refutation::{BadMove, Motif, Refutation, promotes, promotes_to};
use super::rules::CoachRules;
use super::tactics::{Tactic, tactic};
use super::threats::{threatened_checks, threatened_tactic, threatened_win};

/// The most reasons that are given.
const MOST: usize = 2;
/// The longest forced win that is proven by trying all replies.
const LONGEST_WIN: usize = 2;

/// The reasons for the first move of a line, the strongest first; none if nothing can be proven. `bad` is the
/// move that was played instead, and `refutation` its punishment.
pub(super) fn merits<V: CoachRules>(
    bad: &BadMove<V>,
    line: &Line,
    refutation: Option<&Refutation>,
) -> Vec<String> {
    let before = bad.before;
    let Some(&mv) = line.moves.first() else { return Vec::new() };
    let after = before.after(mv);
    if let Some(outcome) = after.outcome() {
        return vec![end_in_words(outcome, before.side_to_move())];
    }
    if let Some(moves) = line.score.moves_to_end().filter(|&moves| moves > 0) {
        return vec![format!("wins in {moves}")];
    }
    let Some(mut play) = LineOfPlay::of_good(before, &line.moves) else { return Vec::new() };
    // Where other moves are about as good, it is not the point of this one to stop or to leave something.
    let stopped = refutation
        .filter(|_| bad.better_stands_out)
        .and_then(|refutation| stopped(before, &after, refutation));
    if V::MUST_CAPTURE {
        let given = series(&play, None).map(|(series, _)| series.done());
        return given.into_iter().chain(stopped).collect();
    }
    let conceded = concessions(&play, None);
    let mut found = Vec::new();
    // In a race of checks, each check is a step, unless the bad move gives one as well.
    if V::COUNTS_CHECKS && after.in_check() {
        if conceded.iter().any(|(found, _)| matches!(found, Concession::Checks(2..))) {
            found.push("gives two checks".to_owned());
        } else if !before.gives_check(bad.mv) {
            found.push(check::<V>(&after, before.side_to_move()));
        }
    }
    // A promoted man that is taken at once was only a pawn.
    let is_taken = line.moves.get(1).is_some_and(|reply| reply.to() == mv.to());
    match promotes_to::<V>(mv).filter(|_| !is_taken) {
        Some(kind) if bad.mv.promotion() == Some(kind) => {}
        Some(kind) => found.push(format!("promotes to a {}", kind.name())),
        None => found.extend(won(bad, &mut play)),
    }
    found.extend(stopped.or_else(|| saved(bad, &after, mv)));
    // Where men are dropped, there is a threat in most moves.
    if !V::HAS_DROPS || bad.better_stands_out {
        let is_first = found.is_empty() && refutation.is_none();
        let conceded = conceded.into_iter().map(|(concession, _)| concession);
        let gained = gained_tempo(bad, conceded, found.is_empty(), is_first);
        found.extend(gained.or_else(|| is_first.then(|| threatened(bad, &after, line)).flatten()));
    }
    found.truncate(MOST);
    found
}

/// What the move takes from the opponent, or drives away, or threatens, by the concessions that follow it. A threat
/// counts if there is nothing else. One that the bad move has as well is no merit.
fn gained_tempo<V: CoachRules>(
    bad: &BadMove<V>,
    conceded: impl IntoIterator<Item = Concession>,
    is_only: bool,
    is_first: bool,
) -> Option<String> {
    let worse = bad.before.after(bad.mv);
    let still_threatened = threatened_checks(bad.before, &worse);
    conceded.into_iter().find_map(|concession| match concession {
        Concession::Checks(_) => None,
        Concession::KingHunt => Some("drives the king out".to_owned()),
        Concession::Castling | Concession::CastlingGivenUp => {
            Some("takes the right to castle away".to_owned())
        }
        Concession::Tempo(kind, at) | Concession::Driven(kind, at) => {
            Some(format!("drives the {} on {at} away", kind.name()))
        }
        Concession::WinThreat(reason) => {
            let threat = reason.threat()?;
            threatened_win(&worse).is_none().then(|| format!("threatens {threat}"))
        }
        Concession::WayGuarded | Concession::WayShut => {
            is_only.then(|| "guards the way of the king to the goal".to_owned())
        }
        Concession::LastStep(_) => None,
        Concession::CheckThreat(at) | Concession::LineOpened(at) => {
            let is_reason = is_first && !still_threatened.contains(&at);
            is_reason.then(|| format!("threatens a check on {at}"))
        }
    })
}

/// Does this hold wherever the opponent could next go on with a threat: after our move, or, since a check delays a
/// threat without meeting it, after each reply to the check, if we passed?
fn holds_later<V: CoachRules>(after: &Position<V>, is_met: &dyn Fn(&Position<V>) -> bool) -> bool {
    if !after.in_check() {
        return is_met(after);
    }
    let replies = after.legal_moves();
    replies.iter().all(|&reply| passed(&after.after(reply)).is_some_and(|pos| is_met(&pos)))
}

/// What the line wins: material, or a promotion. A man that the bad move takes as well does not count.
fn won<V: CoachRules>(bad: &BadMove<V>, play: &mut LineOfPlay<V>) -> Option<String> {
    if let Some(index) = promotes(play) {
        return Some(format!("promotes the {}", play.promoter(index)));
    }
    if bad.takes_the_same() {
        play.count_from(2);
    }
    let gains = play.gains();
    let counts = |gain: &Gain| gain.is_confirmed(bad.loss()) && play.is_clear(gain);
    let gain = gains.into_iter().find(counts)?;
    if takes_back(bad.before, play.moves[1]) && !bad.takes_the_same() {
        return play.taken(1).map(|kind| format!("takes the {} back", kind.name()));
    }
    let tactic = tactic(play, gain.prize).filter(|_| play.is_short(gain.prize));
    let means = tactic.and_then(|tactic| means(tactic, gain.trade.as_ref())).unwrap_or_default();
    let wins = if means.is_empty() && !play.is_certain(&gain) { "may win" } else { "wins" };
    Some(match gain.trade {
        Some(trade) => format!("{wins} {trade}{means}"),
        None => format!("{wins} material{means}"),
    })
}

/// What could be won next, if the opponent did nothing, and could not be won before or after the bad move: the
/// dearest man that could be taken, or by a tactic. A threat to a pawn counts if the line shows it: the opponent
/// saves the pawn, or it is taken; where captures explode, what dies beside the pawn tells more. A capture, and a move
/// whose man is taken, is no threat.
fn threatened<V: CoachRules>(bad: &BadMove<V>, after: &Position<V>, line: &Line) -> Option<String> {
    let (mv, line) = line.moves.split_first()?;
    if mv.is_capture() || line.first().is_some_and(|reply| reply.to() == mv.to()) {
        return None;
    }
    let worse = bad.before.after(bad.mv);
    let (next, next_worse) = (passed(after)?, passed(&worse)?);
    let counts = |at: Square| match *line {
        [] => false,
        [reply] => !is_winnable(&after.after(reply), at),
        [reply, next, ..] => next.to() == at || !is_winnable(&after.after(reply), at),
    };
    let is_new = |&(at, kind): &(Square, PieceKind)| {
        kind != PieceKind::King
            && is_winnable(&next, at)
            && !is_winnable(&next_worse, at)
            && !is_winnable(bad.before, at)
            && (kind != PieceKind::Pawn || counts(at) && !V::CAPTURES_EXPLODE)
    };
    let men = after.all_pieces(after.side_to_move()).filter(is_new);
    if let Some((at, kind)) = men.max_by_key(|&(_, kind)| value(kind)) {
        return Some(format!("threatens the {} on {at}", kind.name()));
    }
    let tactic = threatened_tactic(after).filter(|_| threatened_tactic(&worse).is_none())?;
    Some(match tactic {
        Tactic::Trapped(kind, at) => format!("threatens to trap the {} on {at}", kind.name()),
        Tactic::DefenderTaken(kind, at) | Tactic::DefenderLured(kind, at) => {
            format!("threatens the defender of the {} on {at}", kind.name())
        }
        Tactic::Overloaded(kind, _) => format!("threatens the overloaded {}", kind.name()),
        Tactic::Pin(kind, at, _) => {
            format!("threatens to win the {} on {at} by a pin", kind.name())
        }
        _ => format!("threatens {}", noun(tactic)),
    })
}

/// By which tactic something is won; none for what only had to be taken. A man that the trade names need not be
/// named again.
fn means(tactic: Tactic, trade: Option<&Trade>) -> Option<String> {
    let words = match tactic {
        Tactic::Hanging(..) => return None,
        Tactic::Fork(..) => " by a fork",
        Tactic::Skewer(..) => " by a skewer",
        Tactic::Pin(..) => " by a pin",
        Tactic::DiscoveredCheck => " by a discovered check",
        Tactic::DiscoveredAttack(..) => " by a discovered attack",
        Tactic::DefenderTaken(..) => " by taking the defender",
        Tactic::DefenderLured(..) => " by drawing the defender away",
        Tactic::Overloaded(..) => " because a defender has too much to protect",
        Tactic::Trapped(kind, at) => {
            let is_named = trade.is_some_and(|trade| trade.won == [kind] && trade.lost.is_empty());
            let man = if is_named { "it".to_owned() } else { format!("the {}", kind.name()) };
            return Some(format!(" by trapping {man} on {at}"));
        }
        Tactic::Explosion(at) => return Some(format!(" by an explosion on {at}")),
    };
    Some(words.to_owned())
}

/// The dearest man that the opponent could take already before and after the bad move, and cannot take after
/// the better one. Of equal men, that which the best reply to the bad move takes.
fn saved<V: CoachRules>(bad: &BadMove<V>, after: &Position<V>, mv: Move) -> Option<String> {
    let (before, us) = (bad.before, bad.before.side_to_move());
    let passed = passed(before)?;
    let worse = before.after(bad.mv);
    let is_saved = |&(at, kind): &(Square, PieceKind)| {
        let now = if before.origin(mv) == Some(at) { mv.to() } else { at };
        kind != PieceKind::King
            && bad.loss() >= value(kind) / 2
            && worse.cell(at).holds(us, kind)
            && is_winnable(&passed, at)
            && is_winnable(&worse, at)
            && (now == at || bad.better_stands_out)
            && holds_later(after, &|pos| pos.cell(now).holds(us, kind) && !is_winnable(pos, now))
    };
    let is_taken = |at: Square| bad.line.first().is_some_and(|reply| reply.to() == at);
    let men = before.all_pieces(us).filter(is_saved);
    let (at, kind) = men.max_by_key(|&(at, kind)| (value(kind), is_taken(at)))?;
    Some(match before.origin(mv) == Some(at) {
        true => format!("saves the {}", kind.name()),
        false => format!("{} the {} on {at}", rescues([before, after], at, us), kind.name()),
    })
}

/// What the opponent threatened already before, and can no longer do after the better move.
fn stopped<V: CoachRules>(
    before: &Position<V>,
    after: &Position<V>,
    refutation: &Refutation,
) -> Option<String> {
    let threat = *refutation.line.first()?;
    let passed = passed(before)?;
    let is_gone = |is_threat: &dyn Fn(&Position<V>) -> bool| {
        !is_threat(after) && holds_later(after, &|pos| !is_threat(pos))
    };
    let is_stopped =
        |is_threat: &dyn Fn(&Position<V>) -> bool| is_threat(&passed) && is_gone(is_threat);
    let replay = |pos: &Position<V>| LineOfPlay::of_good(pos, &refutation.line);
    match &refutation.motif {
        Motif::Win { reason, moves, .. } if *moves <= LONGEST_WIN => {
            let mut words = reason.stopped()?;
            if *moves > 1 {
                words += &format!(" in {moves}");
            }
            is_stopped(&|pos| wins(pos, threat, *moves)).then_some(words)
        }
        Motif::Promotion(pawn) => {
            let promotes =
                |pos: &Position<V>| replay(pos).is_some_and(|play| promotes(&play).is_some());
            is_stopped(&promotes).then(|| format!("stops the {pawn}"))
        }
        Motif::Concession(Concession::Checks(_)) => {
            // It may have become a capture.
            let is_same = |mv: &&Move| mv.from() == threat.from() && mv.to() == threat.to();
            let checks = |pos: &Position<V>| {
                pos.legal_moves().iter().find(is_same).is_some_and(|&mv| pos.gives_check(mv))
            };
            is_stopped(&checks).then(|| format!("stops the check on {}", threat.to()))
        }
        Motif::Material { tactic: by, trade, .. } => {
            let words = match (by, trade) {
                (Some(Tactic::Hanging(..)), _) => return None,
                (Some(tactic), _) => format!("stops {}", noun(*tactic)),
                (None, Some(trade)) if trade.lost.is_empty() => format!("saves {trade}"),
                _ => return None,
            };
            let gains =
                |pos: &Position<V>| replay(pos).is_some_and(|mut play| !play.gains().is_empty());
            // What was no such threat before cannot be stopped.
            let threatens = replay(&passed).is_some_and(|mut play| {
                let gains = play.gains();
                gains.iter().any(|gain| by.is_none() || tactic(&play, gain.prize) == *by)
            });
            (threatens && is_gone(&gains)).then_some(words)
        }
        Motif::Series(found) => {
            let forces =
                |pos: &Position<V>| replay(pos).and_then(|play| series(&play, None)).is_some();
            let words = || format!("stops a series of {} captures", found.captures);
            is_stopped(&forces).then(words)
        }
        _ => None,
    }
}

/// A tactic that threatens, as a noun.
fn noun(tactic: Tactic) -> String {
    match tactic {
        Tactic::Hanging(kind, _) => format!("the loss of the {}", kind.name()),
        Tactic::Fork(one, two) if one == two => format!("a fork of two {}s", one.name()),
        Tactic::Fork(one, two) => format!("a fork of the {} and the {}", one.name(), two.name()),
        Tactic::Skewer(..) => "a skewer".to_owned(),
        Tactic::Pin(kind, at, _) => format!("the loss of the {} on {at} by a pin", kind.name()),
        Tactic::DiscoveredCheck => "a discovered check".to_owned(),
        Tactic::DiscoveredAttack(kind, at) => {
            format!("a discovered attack on the {} on {at}", kind.name())
        }
        Tactic::DefenderTaken(kind, at) | Tactic::DefenderLured(kind, at) => {
            format!("the attack on the defender of the {} on {at}", kind.name())
        }
        Tactic::Overloaded(kind, _) => format!("the attack on the overloaded {}", kind.name()),
        Tactic::Trapped(kind, at) => format!("the trap for the {} on {at}", kind.name()),
        Tactic::Explosion(at) => format!("an explosion on {at}"),
    }
}

/// Is the move legal, and does it win with at most `moves` moves whatever the reply?
fn wins<V: CoachRules>(pos: &Position<V>, mv: Move, moves: usize) -> bool {
    let us = pos.side_to_move();
    if !pos.legal_moves().contains(&mv) {
        return false;
    }
    let after = pos.after(mv);
    if let Some(outcome) = after.outcome() {
        return outcome.winner == Some(us);
    }
    let replies = after.legal_moves();
    moves > 1
        && replies.iter().all(|&reply| {
            let next = after.after(reply);
            let answers = next.legal_moves();
            next.outcome().is_none() && answers.iter().any(|&answer| wins(&next, answer, moves - 1))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::assess;
    use crate::notation::parse_move;
    use crate::types::Score;
    use crate::variants::{Atomic, KingOfTheHill, Standard, ThreeCheck};

    /// The reasons for the first move of a line, if another move was played and this line follows it.
    fn why<V: CoachRules>(fen: &str, better: &str, played: &str) -> String {
        let pos = Position::<V>::from_fen(fen).unwrap();
        let read = |line: &str| -> Vec<Move> {
            let mut pos = pos.clone();
            let moves = line.split(' ').map(|text| {
                let mv = parse_move(&pos, text).unwrap();
                pos.make_move(mv);
                mv
            });
            moves.collect()
        };
        let line = |score, moves| Line { score, depth: 9, moves };
        let played = read(played);
        let mut end = pos.clone();
        played.iter().for_each(|&mv| end.make_move(mv));
        let score = if end.outcome().is_some() { Score::win_in(1) } else { Score::cp(600) };
        let after = line(score, played[1..].to_vec());
        let said = assess(&pos, &[line(Score::cp(100), read(better))], played[0], &[after]);
        said.better.unwrap().reasons.join(", ")
    }

    #[test]
    fn what_is_won_saved_or_stopped_is_said() {
        let mut wrong = Vec::new();
        for (fen, better, played, words) in [
            (
                "r3k3/pp6/8/1N6/8/8/PP6/4K3 w - - 0 1",
                "Nc7+ Kd7 Nxa8",
                "a3 Kd7",
                "wins a rook by a fork",
            ),
            (
                "4k3/pp6/8/8/8/8/P7/n1BK4 w - - 0 1",
                "Bb2 Kd7 Bxa1",
                "Ke2 Nc2",
                "wins a knight by trapping it on a1",
            ),
            // The rook can take the pawn on h2 then.
            (
                "4k3/pp5r/8/8/8/8/P6P/n1BK4 w - - 0 1",
                "Bb2 Kd8 Bxa1",
                "Ke2 Nc2",
                "wins material by trapping the knight on a1",
            ),
            ("4k3/pp6/8/8/3n4/8/PP3Q2/4K3 b - - 0 1", "Ne6 Qf5", "a6 Qxd4", "saves the knight"),
            (
                "4k3/1p6/r7/8/3n4/8/PP3Q2/4K3 b - - 0 1",
                "Rd6 Kf1",
                "b6 Qxd4",
                "protects the knight on d4",
            ),
            (
                "r3k3/ppp5/8/1N6/8/8/PP6/4K3 b - - 0 1",
                "Kd7 a3",
                "a6 Nxc7+ Kd7 Nxa8",
                "stops a fork of the king and the rook",
            ),
            (
                "r3k3/pp6/8/1N6/8/8/PP6/4K3 b - - 0 1",
                "Kd7 a3",
                "a6 Nc7+ Kd7 Nxa8",
                "stops a fork of the king and the rook",
            ),
            ("6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1", "h6 Kg2", "Kh8 Ra8#", "stops mate"),
            (
                "8/1P3k2/8/8/8/8/6K1/2r5 b - - 0 1",
                "Rb1 Kf2",
                "Kf6 b8=Q",
                "wins a pawn, stops the b-pawn",
            ),
            ("4k3/pp6/3n4/8/8/5B2/PP2P3/4K3 w - - 0 1", "e4 Kd8", "a3 Kd7", ""),
            (
                "4k3/pp6/8/3n4/8/8/PPP1P3/4K3 w - - 0 1",
                "e4 Nf6",
                "a3 Kd7",
                "drives the knight on d5 away",
            ),
            (
                "r1bqkb1r/1ppp1p1p/2n2np1/pQ2p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 1 6",
                "a4 Bd5 Nd4",
                "Rg8 d3",
                "threatens to trap the queen on b5",
            ),
            // The knight is pinned already.
            (
                "4k3/pp3p2/4n3/8/8/3P4/PP6/1K2R3 w - - 0 1",
                "d4 a6",
                "a3 a6",
                "threatens to win the knight on e6 by a pin",
            ),
            (
                "3qk3/pp5p/5n2/6B1/4P3/8/PP6/4K3 b - - 0 1",
                "h6 Bxf6",
                "a6 e5 b6 exf6",
                "stops the loss of the knight on f6 by a pin",
            ),
            // The bishop on f1 has only the knight on d2 to protect it.
            (
                "r1b1k1n1/1ppp1pb1/p3p3/8/4P1p1/2P2P2/PPQNNqP1/R1BK1B2 b q - 5 15",
                "Bh6 Nd4",
                "b6 Nf4",
                "threatens the defender of the bishop on f1",
            ),
            // A man that is taken at once protects nothing.
            (
                "r1bq1rk1/1pp3pp/8/4ppN1/1pPn1PP1/3P4/1RQ1P1P1/1NB1KB1R b K - 0 14",
                "Nxc2+ Rxc2",
                "fxg4 Qd2 exf4",
                "wins a queen for a knight, saves the pawn on b4",
            ),
            // The pawn is lost only if the knight goes.
            (
                "4k3/pp6/5n2/3p4/8/4N3/PP6/4K3 w - - 0 1",
                "Kd2 Ne4+ Kd3 Kd7 Nxd5",
                "Kd1 Ke7",
                "may win a pawn",
            ),
            // The move that was played takes the knight as well.
            (
                "1rbq3r/ppp2k2/2n3p1/4pN2/1bP4p/3P3P/PP1N1P2/R1BQKBR1 b Q - 0 1",
                "Bxf5 a3 Be7",
                "gxf5 a3 Be7",
                "",
            ),
            // Taking the attacker saves a man but does not protect it.
            (
                "1r6/pp3kp1/6b1/3p3p/P4P1N/2Pp4/1P3r2/R3KB2 w - - 2 35",
                "Kxf2 Be4 Rd1",
                "Rd1 Rxb2",
                "wins a rook, saves the pawn on b2",
            ),
            // A check puts off the loss of the pawn on g2.
            (
                "r1b1kbnr/pppp1ppp/8/4N1q1/2BnP3/8/PPPP1PPP/RNBQK2R w KQkq - 2 5",
                "Bxf7+ Kd8 O-O",
                "Nxf7 Qxg2",
                "takes the right to castle away",
            ),
            ("3q2k1/5ppp/3b1n2/8/8/5N2/P4PPP/5RK1 b - - 0 1", "Ng4 h3", "h6 h3", ""),
            ("3q2k1/5ppp/3b4/8/8/8/P2N1PPP/5RK1 b - - 0 1", "Qh4 h3", "h6 h3", "threatens mate"),
        ] {
            let said = why::<Standard>(fen, better, played);
            if said != words {
                wrong.push((fen, better, said));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn it_is_the_only_man_that_has_been_named() {
        use PieceKind::{Bishop, Queen};
        let said = |lost: &[PieceKind]| {
            let trade = Trade { won: vec![Queen], lost: lost.to_vec(), explodes: false };
            means(Tactic::Trapped(Queen, Square::parse("d7").unwrap()), Some(&trade))
        };
        assert_eq!(said(&[]).as_deref(), Some(" by trapping it on d7"));
        assert_eq!(said(&[Bishop]).as_deref(), Some(" by trapping the queen on d7"));
    }

    /// The opponent could have made the same moves before, but they would not have won anything.
    #[test]
    fn a_tactic_that_was_no_threat_is_not_stopped() {
        for (fen, better, played) in [
            // The knight can be trapped only where it goes.
            (
                "1rbqk2r/2ppppbp/1pn3pn/3P4/p3PP2/N5PP/PPP3B1/R1BQK1NR b KQk - 0 9",
                "Na5 c3",
                "Nd4 c3 Ndf5 exf5",
            ),
            // The queen guards the square of the fork.
            (
                "rnb1kbnr/pp2pp2/8/q1pN3p/6p1/3P1P1P/PPPBP1P1/R2QKBNR b KQkq - 0 7",
                "Qd8 Nc3",
                "Qa4 Nc7+ Kd8 Nxa8",
            ),
            // The king would take the knight.
            (
                "r3k2r/ppp3pp/2nqpn2/2b3N1/3p4/8/PPP2PPP/RNBQR1K1 b kq - 1 10",
                "e5 a3",
                "O-O-O Nf7 a6 Nxd6+",
            ),
        ] {
            let said = why::<Standard>(fen, better, played);
            assert!(!said.contains("stops"), "{said}: {fen}");
        }
        // The queen can still give the check, by a capture.
        let fen = "r1bqkbnr/p1pp1p1p/np2p3/8/2P2Pp1/P3P3/1P1P2PP/RNBQKBNR w KQkq - 3+3 1 6";
        assert!(!why::<ThreeCheck>(fen, "h4 d6", "Ne2 Qh4+ Ng3").contains("stops"));
        let said = why::<ThreeCheck>(fen, "g3 d6", "Ne2 Qh4+ Ng3");
        assert!(said.contains("stops the check on h4"), "{said}");
    }

    #[test]
    fn what_the_bad_move_does_as_well_is_no_merit() {
        let promoting = "1n5k/P7/8/8/8/8/8/7K w - - 0 1";
        let said = |played| why::<Standard>(promoting, "axb8=Q+ Kh7", played);
        assert_eq!(said("Kg1 Nc6"), "promotes to a queen");
        assert_eq!(said("a8=Q Kg7"), "");
        // The new queen is taken.
        let taken = "r7/1P4kp/8/8/8/5b2/7P/4K3 w - - 0 1";
        let said = why::<Standard>(taken, "bxa8=Q Bxa8", "Kd2 Kg6");
        assert_eq!(said, "wins a rook for a pawn");
        let checking = "4k3/8/8/8/8/8/8/R2QK3 w - - 3+3 0 1";
        let said = |played| why::<ThreeCheck>(checking, "Ra8+ Kf7", played);
        assert_eq!(said("Qd2 Kf7"), "gives the first check");
        assert_eq!(said("Qe2+ Kf7"), "");
    }

    #[test]
    fn the_ends_of_other_games_are_stopped() {
        let hill = "7k/p7/8/8/8/3K4/P7/6r1 b - - 0 1";
        assert_eq!(
            why::<KingOfTheHill>(hill, "Rg4 a3", "a6 Ke4"),
            "does not let the opponent reach the hill"
        );
        let opening = "rnbqkb1r/ppp1pppp/3p1n2/8/3PP3/2N5/PPP2PPP/R1BQKBNR b KQkq - 3+3 2 3";
        let said = why::<ThreeCheck>(opening, "c6 a3", "e5 Bb5+ c6 Bxc6+");
        assert_eq!(said, "stops the check on b5");
    }

    #[test]
    fn an_explosion_is_threatened_if_the_next_move_can_cause_it() {
        let queen = "3q3k/3p4/8/8/8/5N2/8/K7 w - - 0 1";
        assert_eq!(why::<Atomic>(queen, "Ne5 Qa5", "Nh2 Qa5"), "threatens an explosion on d7");
        // From e5 the knight could take on f7 or d7, but it is not there yet.
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(why::<Atomic>(start, "Nf3 d5", "d3 d5"), "");
    }
}
