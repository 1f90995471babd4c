//! Whether a position is a puzzle: at each move of the solver one move wins, and no other comes near it.

use super::solver::Solver;
use super::themes::themes;
use trebuchet::coach::{Line, Motif, Refutation, Tactic, win_chances};
use trebuchet::play::{GREATEST_LIMITED_ELO, Game, Handicap, Puzzle};
use trebuchet::types::Move;

/// What makes a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Demands {
    /// Nodes of the search that proves one move.
    pub nodes: u64,
    /// By how much of the winning chances, 0 to 1, the second best move must be worse.
    pub margin: f64,
}

/// The chances that the best move must give.
pub const WINNING: f64 = 0.8;
/// The first searches, which most positions do not pass, have the nodes of a proof divided by these.
const GLANCES: [u64; 2] = [50, 15];
/// A capture that a search of this many nodes plays is no puzzle.
const OBVIOUS: u64 = 100;
/// The most moves of the solver.
const LONGEST: usize = 6;
/// The strengths in Elo at which a puzzle is tried, the weakest first.
const STRENGTHS: [u32; 13] =
    [200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600];
/// How often a person of each strength tries.
const TRIES: usize = 32;

/// The puzzle that begins after the move `lead`: the opponent's mistake, or a forced move after one. `None` if there
/// is none. `before` is the position before that move.
pub fn prove(
    solver: &mut Solver,
    before: &dyn Game,
    lead: Move,
    demands: &Demands,
) -> Option<Puzzle> {
    let mut start = before.fork();
    start.play(lead);
    solver.clear();
    if start.legal_moves().len() < 3 {
        return None;
    }
    let obvious = solver.study(&*start, 1, OBVIOUS).first().map(|line| line.moves[0]);
    for share in GLANCES {
        let lines = solver.study(&*start, 2, demands.nodes / share);
        if !is_unique(&*start, &lines, demands.margin / 2.0) {
            return None;
        }
    }
    let (solution, first) = solution(solver, &*start, demands)?;
    let lines = solver.study(before, 2, demands.nodes / GLANCES[1]);
    let refutation = before.assess(&lines, lead, &[first]).refutation;
    let is_obvious = obvious == Some(solution[0]) && solution[0].is_capture();
    if is_obvious || is_trivial(&*start, lead, &solution, refutation.as_ref()) {
        return None;
    }
    let rating = rating(solver, &*start, &solution);
    (rating > STRENGTHS[0]).then(|| Puzzle {
        fen: start.fen(),
        themes: themes(&*start, &solution, refutation.as_ref()),
        solution: sans(&*start, solution),
        rating,
    })
}

/// The moves in SAN.
fn sans(start: &dyn Game, moves: Vec<Move>) -> Vec<String> {
    let mut game = start.fork();
    let written = moves.into_iter().map(|mv| {
        let san = game.san(mv);
        game.play(mv);
        san
    });
    written.collect()
}

/// The moves of the solution, the solver's first and last, and the line that was found at first.
fn solution(solver: &mut Solver, start: &dyn Game, demands: &Demands) -> Option<(Vec<Move>, Line)> {
    let mut game = start.fork();
    let mut solution = Vec::new();
    let mut first = None;
    while solution.len() < 2 * LONGEST {
        let lines = solver.study(&*game, 2, demands.nodes);
        let Some(best) = lines.first().filter(|_| is_unique(&*game, &lines, demands.margin)) else {
            break;
        };
        let mv = best.moves[0];
        first.get_or_insert_with(|| best.clone());
        solution.push(mv);
        game.play(mv);
        let Some(reply) = solver.study(&*game, 1, demands.nodes).into_iter().next() else { break };
        solution.push(reply.moves[0]);
        game.play(reply.moves[0]);
        match game.outcome() {
            None => {}
            // Where captures are compulsory, the reply may take the solver's last man, which wins.
            Some(outcome) if outcome.winner == Some(start.side_to_move()) => break,
            Some(_) => return None,
        }
    }
    // The last move is the solver's.
    if solution.len().is_multiple_of(2) {
        solution.pop();
    }
    drop_dull_end(start, &mut solution);
    Some((solution, first?)).filter(|(solution, _)| !solution.is_empty())
}

/// Does one move win, and is every other worse by the margin? A win of the game by another move, however
/// late, is a second solution.
fn is_unique(game: &dyn Game, lines: &[Line], margin: f64) -> bool {
    let Some(best) = lines.first() else { return false };
    let chances = win_chances(best.score);
    if chances < WINNING {
        return false;
    }
    match lines.get(1) {
        None => game.legal_moves().len() == 1,
        Some(second) => !second.score.is_win() && chances - win_chances(second.score) >= margin,
    }
}

/// Takes the last moves away as long as there is nothing to find: the solver had no choice, or took a man
/// that was given away.
fn drop_dull_end(start: &dyn Game, solution: &mut Vec<Move>) {
    while let [rest @ .., last] = solution.as_slice() {
        let mut game = start.fork();
        rest.iter().for_each(|&mv| game.play(mv));
        let is_gift = rest.last().is_some_and(|reply| {
            !reply.is_capture() && last.is_capture() && last.to() == reply.to()
        });
        let is_forced = game.legal_moves().len() == 1;
        game.play(*last);
        if !is_forced && (!is_gift || game.outcome().is_some()) {
            return;
        }
        solution.truncate(solution.len().saturating_sub(2));
    }
}

/// Is there nothing to think about: one move that does not end the game, a man that hangs, or taking back?
fn is_trivial(
    start: &dyn Game,
    lead: Move,
    solution: &[Move],
    refutation: Option<&Refutation>,
) -> bool {
    let mut end = start.fork();
    solution.iter().for_each(|&mv| end.play(mv));
    let takes_back = lead.is_capture() && solution[0].to() == lead.to();
    let hangs = matches!(
        refutation.map(|found| &found.motif),
        Some(Motif::Material { tactic: Some(Tactic::Hanging(..)), .. })
    );
    end.outcome().is_none() && (solution.len() < 3 || hangs || takes_back && solution.len() < 5)
}

/// The strength in Elo from which on a player finds all moves of the solver more often than not: the one that the
/// fewest tries contradict, which are the solved ones of weaker players and the failures of the others.
/// `GREATEST_LIMITED_ELO` if nobody finds them. What the solver has done before does not matter.
pub fn rating(solver: &Solver, start: &dyn Game, solution: &[Move]) -> u32 {
    let mut solver = solver.anew();
    let mut solves = |elo| {
        solver.clear();
        let mut game = start.fork();
        solution.chunks(2).all(|moves| {
            let is_found = solver.choose(&*game, elo) == Some(moves[0]);
            moves.iter().for_each(|&mv| game.play(mv));
            is_found
        })
    };
    // The players above the persons always choose the same move.
    let solved = STRENGTHS.map(|elo| match Handicap::of_elo(elo, start.variant()) {
        Handicap::Person(_) => (0..TRIES).filter(|_| solves(elo)).count(),
        Handicap::Nodes(_) => TRIES * usize::from(solves(elo)),
    });
    let contradictions = |&weaker: &usize| {
        let (weaker, others) = solved.split_at(weaker);
        weaker.iter().sum::<usize>() + others.iter().map(|solved| TRIES - solved).sum::<usize>()
    };
    let weaker = (0..=STRENGTHS.len()).min_by_key(contradictions).unwrap_or_default();
    STRENGTHS.get(weaker).copied().unwrap_or(GREATEST_LIMITED_ELO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::variants::VariantId;

    /// The nodes that the command has by default. The first glance, a fiftieth of them, must see a mate in two
    /// that begins with a queen's sacrifice: the search needs some 5000 nodes for that.
    const DEMANDS: Demands = Demands { nodes: 300_000, margin: 0.3 };

    fn proven(variant: VariantId, fen: &str, mistake: &str) -> Option<Puzzle> {
        let mut before = new_game(variant);
        before.set_board(fen).unwrap();
        let mistake = before.parse_move(mistake).unwrap();
        prove(&mut Solver::new(variant, 1), &*before, mistake, &DEMANDS)
    }

    #[test]
    fn a_mate_in_two_is_a_puzzle() {
        // The rook leaves the eighth rank to the queen's sacrifice.
        let fen = "r5k1/5ppp/8/1p1q4/8/1p3P2/1P2Q1PP/4R2K b - - 0 30";
        let found = proven(VariantId::Standard, fen, "Rd8").unwrap();
        assert_eq!(found.solution, ["Qe8+", "Rxe8", "Rxe8#"]);
        assert_eq!(found.themes, ["mate", "back rank"]);
        assert!((400..=2200).contains(&found.rating), "{}", found.rating);
        // Here the king has a way out.
        assert!(proven(VariantId::Standard, fen, "h6").is_none());
    }

    #[test]
    fn a_solution_may_end_with_a_reply_that_takes_the_last_man() {
        let mut start = new_game(VariantId::Antichess);
        start.set_board("6r1/8/8/8/4N1p1/8/8/8 w - - 0 1").unwrap();
        let solver = &mut Solver::new(VariantId::Antichess, 1);
        let (found, _) = solution(solver, &*start, &DEMANDS).unwrap();
        assert_eq!(sans(&*start, found), ["Ng5"]);
    }

    #[test]
    fn what_has_two_solutions_or_none_is_no_puzzle() {
        // Two rooks give mate in two ways.
        let fen = "7k/8/8/8/8/8/R7/1R5K b - - 0 1";
        assert!(proven(VariantId::Standard, fen, "Kg7").is_none());
        let start = VariantId::Standard.start_fen(0);
        assert!(proven(VariantId::Standard, &start, "e4").is_none());
        // Nothing but taking back.
        let fen = "4k3/8/8/3p4/4P3/8/8/4K2Q b - - 0 1";
        assert!(proven(VariantId::Standard, fen, "dxe4").is_none());
    }

    #[test]
    fn a_third_check_is_found_at_once() {
        let fen = "4k3/8/8/8/8/8/r7/4K2Q b - - 1+1 0 1";
        let found = proven(VariantId::ThreeCheck, fen, "Rb2");
        assert!(found.is_none(), "many queen's moves give check");
        let fen = "3rkr2/3p1p2/8/8/8/8/3P4/B3K3 b - - 1+1 0 1";
        assert!(proven(VariantId::ThreeCheck, fen, "d6").is_none());
    }
}
