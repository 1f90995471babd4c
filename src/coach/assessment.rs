//! The judge of moves: gathers the facts about a move that was played, once for all who speak of it.

use crate::board::Position;
use crate::notation::san;
use crate::types::{Move, Outcome, PieceKind, Score};

use super::chances::win_chances;
use super::compulsion::length_of_series;
use super::danger::WINS_MATERIAL;
use super::exchange::gains_at_least;
use super::lines::{Line, after_move, before_move, with_queens};
use super::merits::merits;
use super::refutation::{BadMove, Refutation, refutation};
use super::rules::CoachRules;
use super::sacrifice::sacrifices;
use super::threats::{win_by, winning_end};
use super::verdict::{Judgement, MoveFacts};

/// By how much a move that stands out improves the winning chances against the second best one.
const STANDS_OUT: f64 = 0.04;
/// The most moves of a better line that are shown, unless it begins with a longer series of captures.
const SHOWN_MOVES: usize = 6;

/// What a coach thinks of a move that was played. `words` says it in sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The move in SAN.
    pub san: String,
    /// The score after the move, from its player.
    pub score: Score,
    /// The best lines before the move, the best one first, with their scores from the move's player. They
    /// are those that a search has found, but a move that wins at once comes first in any case.
    pub lines: Vec<Line>,
    pub judgement: Judgement,
    /// The move that should have been played, if the judgement is criticism.
    pub better: Option<Better>,
    /// How the opponent punishes the move, if the judgement is criticism and that can be proven.
    pub refutation: Option<Refutation>,
}

/// A better move than the one that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Better {
    /// In SAN: the move, and how the game might go on.
    pub line: Vec<String>,
    /// What the move wins, saves or stops, the strongest reason first; none if nothing can be proven.
    pub reasons: Vec<String>,
}

/// Assesses a legal move. `lines` are the best lines before it, the best one first, and `lines_after`
/// those in the position after it: as many as a search has found, or none. If nothing at all is known
/// about the move, its score is 0.
///
/// The facts about a move may contradict each other. This decides:
/// * A move that wins at once is the best one, even if the search has not seen it. The loss of a
///   missed win is measured against the win.
/// * A won game is won, whatever a search says about the position after the move.
/// * A draw counts only if nobody has searched on: a game may go on after a draw that nobody has
///   claimed, and then the move is worth what the search says.
/// * A search after the move has looked further than the one before it. Where there is none, the
///   move's own line among `lines` has its score. An end of the game is one ply nearer after the move.
pub fn assess<V: CoachRules>(
    before: &Position<V>,
    lines: &[Line],
    mv: Move,
    lines_after: &[Line],
) -> Assessment {
    let win = win_by(before, mv).map(|reason| (mv, reason)).or_else(|| winning_end(before));
    let mut lines = lines.to_vec();
    if let Some((winner, _)) = win {
        put_win_first(&mut lines, winner);
    }
    let score = score_after(before, &lines, mv, lines_after);
    let played = before_move(score);
    let best = lines.first().map_or(played, |line| line.score);
    let is_best = lines.first().is_none_or(|line| line.moves.first() == Some(&mv));
    let facts = MoveFacts {
        // The score of the move itself looks one ply further.
        best: if is_best { played } else { best.max(played) },
        first: best,
        second: lines.get(1).map(|line| line.score),
        played,
        is_best,
        is_obvious: is_recapture(before, mv)
            || takes_what_hangs(before, mv)
            || before.after(mv).outcome().is_some(),
        // A king's move offers nothing, even where something hangs.
        is_sacrifice: before.mover(mv).is_none_or(|piece| piece.kind() != PieceKind::King)
            && sacrifices(before, mv),
        missed_win: win.filter(|(winner, _)| *winner != mv).map(|(_, reason)| reason),
    };
    let judgement = facts.judge();
    let better = lines.first().filter(|_| judgement.is_criticism());
    // Without a search after the move, its own line before it must do.
    let own_line = || lines.iter().find(|line| line.moves.first() == Some(&mv));
    let line = match lines_after.first() {
        Some(line) => &line.moves[..],
        None => own_line().map_or(&[][..], |line| &line.moves[1..]),
    };
    let better_stands_out = stands_out(&lines);
    let scores = [facts.best, score];
    let bad = BadMove { before, mv, line, scores, better, better_stands_out };
    let refutation = better.and_then(|_| refutation(&bad));
    let better = better.and_then(|line| better_move(&bad, line, refutation.as_ref()));
    let mut lines = agreeing(lines, mv, played);
    for line in lines.iter_mut().filter(|line| line.moves.first() != Some(&mv)) {
        line.moves = with_queens(before, &line.moves);
    }
    Assessment { san: san(before, mv), score, judgement, better, refutation, lines }
}

/// Is the first line clearly better than the second one, if there is one?
fn stands_out(lines: &[Line]) -> bool {
    let chances = |line: &Line| win_chances(line.score);
    let [best, second, ..] = lines else { return true };
    chances(best) - chances(second) >= STANDS_OUT
}

/// The lines, without what contradicts the score of the move that was played: its own line has that score, it
/// comes first if that makes it the best one, and what would stand above the best move as played is left out.
fn agreeing(mut lines: Vec<Line>, mv: Move, played: Score) -> Vec<Line> {
    let Some(place) = lines.iter().position(|line| line.moves.first() == Some(&mv)) else {
        return lines;
    };
    lines[place].score = played;
    if place > 0 && lines[0].score < played {
        lines[..=place].rotate_right(1);
    } else if place == 0 {
        lines.retain(|line| line.score <= played);
    }
    lines
}

/// The score after the move, from its player.
fn score_after<V: CoachRules>(
    before: &Position<V>,
    lines: &[Line],
    mv: Move,
    lines_after: &[Line],
) -> Score {
    let after = before.after(mv);
    let outcome = after.outcome();
    let end = outcome.map(|outcome| outcome.score_for(before.side_to_move()));
    if let (Some(Outcome { winner: Some(_), .. }), Some(score)) = (outcome, end) {
        return score;
    }
    let searched = lines_after.first().map(|line| -line.score);
    let own_line = || lines.iter().find(|line| line.moves.first() == Some(&mv));
    searched.or(end).or_else(|| Some(after_move(own_line()?.score))).unwrap_or(Score::ZERO)
}

/// Puts the line of a move that wins at once in front of all others.
fn put_win_first(lines: &mut Vec<Line>, winner: Move) {
    let count = lines.len().max(1);
    let known = lines.iter().position(|line| line.moves.first() == Some(&winner));
    let depth = known.map_or(1, |place| lines.remove(place).depth);
    lines.insert(0, Line { score: Score::win_in(1), depth, moves: vec![winner] });
    lines.truncate(count);
}

fn better_move<V: CoachRules>(
    bad: &BadMove<V>,
    line: &Line,
    refutation: Option<&Refutation>,
) -> Option<Better> {
    let mut pos = bad.before.clone();
    let mut sans = Vec::new();
    let shown = SHOWN_MOVES.max(length_of_series(bad.before, &line.moves));
    for &mv in with_queens(bad.before, &line.moves).iter().take(shown) {
        sans.push(san(&pos, mv));
        pos.make_move(mv);
    }
    Some(Better { line: sans, reasons: merits(bad, line, refutation) })
}

/// Does the move take the piece that has just taken something?
fn is_recapture<V: CoachRules>(before: &Position<V>, mv: Move) -> bool {
    let last = before.last_move();
    mv.is_capture() && last.is_some_and(|last| last.is_capture() && last.to() == mv.to())
}

/// Does the move win material simply by taking?
fn takes_what_hangs<V: CoachRules>(before: &Position<V>, mv: Move) -> bool {
    V::HAS_EXCHANGES && mv.is_capture() && gains_at_least(before, mv, WINS_MATERIAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::Verdict;
    use crate::notation::parse_move;
    use crate::types::Reason;
    use crate::variants::{Antichess, KingOfTheHill, Standard, ThreeCheck};

    /// Assesses a move. Each line is a move and its score from the side to move.
    fn assessed<V: CoachRules>(
        pos: &Position<V>,
        lines: &[(&str, Score)],
        mv: &str,
        lines_after: &[(&str, Score)],
    ) -> Assessment {
        let read = |pos: &Position<V>, lines: &[(&str, Score)]| -> Vec<Line> {
            let line = |&(mv, score): &(&str, Score)| {
                let moves = vec![parse_move(pos, mv).unwrap()];
                Line { score, depth: 9, moves }
            };
            lines.iter().map(line).collect()
        };
        let mv = parse_move(pos, mv).unwrap();
        let after = pos.after(mv);
        assess(pos, &read(pos, lines), mv, &read(&after, lines_after))
    }

    fn position<V: CoachRules>(fen: &str) -> Position<V> {
        Position::from_fen(fen).unwrap()
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

    #[test]
    fn the_loss_of_a_missed_win_is_measured_against_the_win() {
        let pos = position::<ThreeCheck>("4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1");
        let lines = [("Kd2", Score::cp(500)), ("Ke2", Score::cp(490))];
        let said = assessed(&pos, &lines, "Kd2", &[("Kd7", Score::cp(-500))]);
        let third = Reason::Variant("gives third check");
        assert_eq!(said.judgement.verdict, Verdict::MissedWin(third));
        assert_eq!(said.judgement.percent(), 13);
        // The win comes first, and there are as many lines as before.
        assert_eq!((said.lines.len(), said.lines[0].score), (2, Score::win_in(1)));
        assert_eq!(said.lines[1].score, Score::cp(500));
        assert_eq!(
            said.remark().as_deref(),
            Some(
                "Missed third check, loses 13% of the winning chances. \
                 Better: Ra8# gives third check"
            )
        );
        assert_eq!(said.advice(), said.advice_with_line());
    }

    #[test]
    fn a_move_that_wins_at_once_is_the_best_one() {
        // The search has found nothing of it, or another win.
        let pos = position::<Standard>("6k1/5ppp/8/8/8/8/8/R3K2Q w - - 0 1");
        for lines in [[("Kd2", 500), ("Ke2", 490)], [("Qa8#", 31_999), ("Ke2", 490)]] {
            let lines = lines.map(|(mv, score)| (mv, Score::cp(score)));
            let said = assessed(&pos, &lines, "Ra8#", &[]);
            assert_eq!((said.judgement.verdict, said.judgement.loss), (Verdict::Good, 0.0));
            assert_eq!((said.score, said.better.as_ref()), (Score::win_in(0), None));
            assert_eq!(said.lines[0].moves, [parse_move(&pos, "Ra8#").unwrap()]);
        }
        // What a search says after the end does not count.
        let hill = position::<KingOfTheHill>("7k/p7/8/8/8/3K4/P7/8 w - - 0 1");
        let mv = parse_move(&hill, "Kd4").unwrap();
        let line = Line { score: Score::cp(900), depth: 9, moves: vec![mv] };
        let said = assess(&hill, &[], mv, &[line]);
        assert_eq!(said.score, Score::win_in(0));
        assert_eq!(said.sentence(), "Kd4# Fine move, wins the game");
    }

    #[test]
    fn to_take_what_hangs_is_no_find() {
        let verdict = |fen: &str, mv: &str, other: &str| {
            let lines = [(mv, Score::cp(300)), (other, Score::cp(-100))];
            assessed(&position::<Standard>(fen), &lines, mv, &[]).judgement.verdict
        };
        let free = "4k3/pp6/8/3n4/8/8/PP6/3RK3 w - - 0 1";
        assert_eq!(verdict(free, "Rxd5", "a3"), Verdict::Good);
        // A quiet move, and an exchange.
        let quiet = "4k3/pp6/4p3/3n4/8/8/PP6/3RK3 w - - 0 1";
        assert_eq!(verdict(quiet, "Rd4", "a3"), Verdict::Great);
        let even = "4k3/pp6/4p3/3n4/8/2N5/PP6/4K3 w - - 0 1";
        assert_eq!(verdict(even, "Nxd5", "a3"), Verdict::Great);
    }

    #[test]
    fn a_find_is_one_by_the_search_that_has_looked_at_both_moves() {
        let verdict = |second: i32, after: i32| {
            let lines = [("e4", Score::cp(40)), ("d4", Score::cp(second))];
            let start = Position::<Standard>::start();
            assessed(&start, &lines, "e4", &[("e5", Score::cp(-after))]).judgement.verdict
        };
        assert_eq!(verdict(-150, 40), Verdict::Great);
        assert_eq!(verdict(30, 300), Verdict::Good);
        assert_eq!(verdict(-150, -120), Verdict::Good);
    }

    #[test]
    fn a_man_that_nobody_needs_is_no_sacrifice() {
        let verdict = |fen: &str| {
            let lines = [("Na6", Score::ZERO), ("Nd5", Score::ZERO)];
            assessed(&position::<Standard>(fen), &lines, "Na6", &[]).judgement.verdict
        };
        // Two knights alone, of which one takes the other.
        assert_eq!(verdict("2K5/2N2k2/8/2n5/8/8/8/8 w - - 14 50"), Verdict::Good);
        assert_eq!(verdict("2K5/2N2k2/8/2n5/8/8/7p/8 w - - 14 50"), Verdict::Brilliant);
    }

    #[test]
    fn a_draw_counts_unless_the_game_goes_on() {
        let pos = position::<Standard>("6k1/5pp1/7p/8/8/8/5PPP/R5K1 w - - 99 80");
        let lines = [("h3", Score::cp(500)), ("Ra7", Score::cp(500))];
        let said = assessed(&pos, &lines, "Ra7", &[]);
        assert_eq!((said.score, said.judgement.verdict), (Score::ZERO, Verdict::Blunder));
        // Nobody claims it.
        let said = assessed(&pos, &lines, "Ra7", &[("g5", Score::cp(-450))]);
        assert_eq!((said.score, said.judgement.verdict), (Score::cp(450), Verdict::Good));
        // A mate can be missed after it, too.
        let later = position::<Standard>("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 110 85");
        let said = assessed(&later, &[], "h3", &[("h6", Score::cp(-450))]);
        assert_eq!(said.judgement.verdict, Verdict::MissedWin(Reason::Checkmate));
    }

    #[test]
    fn a_search_after_the_move_comes_before_its_own_line() {
        let pos = Position::<Standard>::start();
        let lines = [("e4", Score::cp(40)), ("g4", Score::cp(-20))];
        let said = assessed(&pos, &lines, "g4", &[]);
        assert_eq!((said.score, said.judgement.verdict), (Score::cp(-20), Verdict::Inaccuracy));
        let said = assessed(&pos, &lines, "g4", &[("d5", Score::cp(150))]);
        assert_eq!((said.score, said.judgement.verdict), (Score::cp(-150), Verdict::Blunder));
        // A move that turns out better than the best one, and the best one itself, lose nothing.
        assert_eq!(assessed(&pos, &lines, "g4", &[("d5", Score::cp(-60))]).judgement.loss, 0.0);
        assert_eq!(assessed(&pos, &lines, "e4", &[("d5", Score::cp(300))]).judgement.loss, 0.0);
        // Nothing is known.
        let said = assessed(&pos, &[], "g4", &[]);
        assert_eq!((said.score, said.judgement.verdict), (Score::ZERO, Verdict::Good));
    }

    #[test]
    fn lines_do_not_contradict_the_score_after_the_move() {
        let pos = Position::<Standard>::start();
        let lines = [("e4", Score::cp(40)), ("d4", Score::cp(30))];
        let scores = |mv: &str, after: i32| {
            let said = assessed(&pos, &lines, mv, &[("d5", Score::cp(-after))]);
            assert_eq!(said.score, Score::cp(after));
            let text = |line: &Line| format!("{} {}", line.moves[0], line.score.value());
            said.lines.iter().map(text).collect::<Vec<_>>()
        };
        assert_eq!(scores("d4", 35), ["e2e4 40", "d2d4 35"]);
        assert_eq!(scores("d4", 60), ["d2d4 60", "e2e4 40"]);
        assert_eq!(scores("e4", 35), ["e2e4 35", "d2d4 30"]);
        assert_eq!(scores("e4", 20), ["e2e4 20"]);
        assert_eq!(scores("a3", 0), ["e2e4 40", "d2d4 30"]);
    }

    #[test]
    fn an_end_of_the_game_is_one_ply_nearer_after_the_move() {
        let pos = position::<Standard>("7k/8/5K2/8/8/8/8/R7 w - - 0 1");
        let lines = [("Kg6", Score::win_in(3)), ("Ra7", Score::win_in(3))];
        for lines_after in [&[][..], &[("Kg8", Score::loss_in(2))][..]] {
            for (place, mv) in ["Kg6", "Ra7"].into_iter().enumerate() {
                let said = assessed(&pos, &lines, mv, lines_after);
                assert_eq!(said.score, Score::win_in(2), "{mv}");
                assert_eq!(said.lines[place].moves, [parse_move(&pos, mv).unwrap()]);
                assert_eq!(said.lines[place].score, Score::win_in(3), "{mv}");
            }
        }
    }

    #[test]
    fn a_move_in_a_lost_position_is_not_called_good() {
        let pos = position::<Standard>("4k3/8/8/8/8/8/q7/4K3 w - - 0 1");
        let said = |scores: [Score; 2], mv: &str| {
            assessed(&pos, &[("Kd1", scores[0]), ("Kf1", scores[1])], mv, &[]).sentence()
        };
        let lost = [-900, -950].map(Score::cp);
        assert_eq!(said(lost, "Kd1"), "Kd1 Best move in a lost position");
        assert_eq!(said(lost, "Kf1"), "Kf1 The game was lost before");
        let mate = [9, 5].map(|plies| Score::loss_in(plies - 1));
        assert_eq!(said(mate, "Kf1"), "Kf1 The game was lost before");
        assert_eq!(said([-250, -260].map(Score::cp), "Kd1"), "Kd1 Good move");
    }

    #[test]
    fn criticism_comes_with_a_better_line() {
        let pos = position::<Standard>("4k3/p7/8/3q4/8/2N5/8/4K3 w - - 0 1");
        let mut lines = assessed(&pos, &[("Nxd5", Score::cp(400))], "Kf2", &[]).lines;
        for mv in ["a6", "Kd2"] {
            let mut after = pos.clone();
            lines[0].moves.iter().for_each(|&mv| after.make_move(mv));
            lines[0].moves.push(parse_move(&after, mv).unwrap());
        }
        let mv = parse_move(&pos, "Kf2").unwrap();
        let said = assess(&pos, &lines, mv, &[]);
        assert_eq!(said.sentence(), "Kf2?? Blunder, loses 31% of the winning chances");
        assert_eq!(said.advice().as_deref(), Some("Better: Nxd5 wins a queen"));
        let whole = said.advice_with_line();
        assert_eq!(whole.as_deref(), Some("Better: Nxd5 wins a queen; Nxd5 a6 Kd2"));
    }

    /// Five captures, of which a line of six moves would show three.
    #[test]
    fn a_better_line_shows_the_whole_series_of_captures() {
        let pos = position::<Antichess>("r3r3/6p1/8/8/3p1p1p/1R6/8/8 b - - 0 1");
        let line = "d3 Rxd3 f3 Rxf3 h3 Rxh3 Ra3 Rxa3 Re3 Rxe3 g6";
        let mut moves = Vec::new();
        let mut end = pos.clone();
        for text in line.split(' ') {
            moves.push(parse_move(&end, text).unwrap());
            end.make_move(moves[moves.len() - 1]);
        }
        let line = Line { score: Score::cp(600), depth: 9, moves };
        let said = assess(&pos, &[line], parse_move(&pos, "g6").unwrap(), &[]);
        let expected = "Better: d3 forces five captures and gives away two rooks and three pawns; \
                        d3 Rxd3 f3 Rxf3 h3 Rxh3 Ra3 Rxa3 Re3 Rxe3";
        assert_eq!(said.advice_with_line().as_deref(), Some(expected));
    }

    #[test]
    fn winning_moves_are_found() {
        let end =
            |found: Option<(Move, Reason)>| found.map(|(mv, reason)| (mv.to_string(), reason));
        let pos = position::<Standard>(BACK_RANK);
        assert_eq!(end(winning_end(&pos)), Some(("a1a8".to_owned(), Reason::Checkmate)));
        assert_eq!(winning_end(&Position::<Standard>::start()), None);
        let pos = position::<ThreeCheck>("4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1");
        let third = Reason::Variant("gives third check");
        assert_eq!(winning_end(&pos).map(|(_, reason)| reason), Some(third));
        let pos = position::<KingOfTheHill>("4k3/8/8/8/8/3K4/8/8 w - - 0 1");
        let hill = Reason::Variant("reaches the hill");
        assert_eq!(winning_end(&pos).map(|(_, reason)| reason), Some(hill));
    }
}
