//! Racing kings: who first brings the king to the eighth rank wins, and no move may give check. If White
//! arrives first, Black has one move to draw by arriving, too.

use crate::board::bitboards::Squares;
use crate::board::{Checks, Position, PositionError, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::{EvalRules, ExtraTerm};
use crate::movegen::Legality;
use crate::search::{Params, SearchRules, WinRate};
use crate::types::{Color, Move, Outcome, PieceKind, Reason, Square, Step};

use super::Names;

/// Racing kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RacingKings;

/// How a king on the eighth rank wins, for result comments.
const REACHES_GOAL: &str = "reaches the eighth rank";
/// The draw by Black's last move.
const BOTH_ARRIVE: &str = "both kings reach the eighth rank";

/// The rank of the goal, and the rank before it, from 0.
const GOAL: u8 = 7;
const LAST_STEP: u8 = GOAL - 1;

/// The steps of a king that lead towards the goal.
const AHEAD: [Step; 3] = [Step::new(15), Step::new(16), Step::new(17)];

impl Rules for RacingKings {
    type State = ();
    const START_FEN: &'static str = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";
    const ENDINGS: &'static [&'static str] = &[REACHES_GOAL];
    const DRAWN_ENDINGS: &'static [&'static str] = &[BOTH_ARRIVE];
    const FORBIDDEN: Option<&'static str> = Some("gives check");
    const GOAL: u64 = 0xff << (8 * GOAL);

    #[inline(always)]
    fn may_castle(_: Color) -> bool {
        false
    }

    #[inline(always)]
    fn allows(pos: &Position<RacingKings>, mv: Move) -> bool {
        !pos.gives_check(mv)
    }

    #[inline(always)]
    fn variant_outcome(pos: &Position<RacingKings>) -> Option<Outcome> {
        match Color::ALL.map(|color| pos.king(color).rank() == GOAL) {
            [false, false] => None,
            [true, true] => Some(Outcome::draw(Reason::VariantDraw(BOTH_ARRIVE))),
            [false, true] => Some(Outcome::win(Color::Black, Reason::Variant(REACHES_GOAL))),
            [true, false] if can_still_arrive(pos) => None,
            [true, false] => Some(Outcome::win(Color::White, Reason::Variant(REACHES_GOAL))),
        }
    }

    fn check_position(pos: &Position<RacingKings>) -> Result<(), PositionError> {
        if pos.in_check() {
            return Err(PositionError::InCheck);
        }
        match Color::ALL.iter().any(|&color| pos.count(color, PieceKind::Pawn) > 0) {
            true => Err(PositionError::Pawn),
            false => Ok(()),
        }
    }

    /// Never: a bare king can win the race.
    fn is_insufficient_material(_: &Position<RacingKings>) -> bool {
        false
    }

    /// Always, for the same reason.
    fn can_win(_: &Position<RacingKings>, _: Color) -> bool {
        true
    }
}

/// Is Black to move, and can its king reach the eighth rank now? From the seventh rank such a step never
/// opens a line to White's king on the eighth.
#[cold]
fn can_still_arrive(pos: &Position<RacingKings>) -> bool {
    let (us, king) = (Color::Black, pos.king(Color::Black));
    let is_legal = |to: Square| !pos.cell(to).belongs_to(us) && !pos.is_attacked(to, !us);
    pos.side_to_move() == us
        && king.rank() == LAST_STEP
        && AHEAD.into_iter().filter_map(|step| king.step(step)).any(is_legal)
}

impl BookRules for RacingKings {
    const KEY_NAME: Option<&'static str> = Some(RacingKings::NAME);
    const REPERTOIRE: &'static str = include_str!("../../variants/racing_kings/repertoire.tsv");
}

impl EvalRules for RacingKings {
    const WEIGHTS: &'static str = include_str!("../../variants/racing_kings/eval.params");
    const NETWORK_GAME: &'static str = RacingKings::NAME;
    const NETWORK: Option<&'static [u8]> =
        Some(include_bytes!("../../variants/racing_kings/net.nnue"));

    /// The way is that of the other king to the goal.
    const HAS_WAY_AGAINST_BARE_KING: bool = true;

    const EXTRA_TERMS: &'static [ExtraTerm] =
        &[ExtraTerm::new("goal_distance", 7), ExtraTerm::new("goal_way", 8)];

    /// Both sides race in the same direction.
    #[inline(always)]
    fn looks_from(_us: Color) -> Color {
        Color::White
    }

    /// `goal_distance` has a value for each number of ranks to the goal, 1 to 7. `goal_way` has one for
    /// each number of moves on the shortest way over squares that are free and not attacked, and a last
    /// one if there is no such way.
    fn count_extra_terms(
        pos: &Position<RacingKings>,
        us: Color,
        add: &mut impl FnMut(usize, usize, i32),
    ) {
        if let Some(index) = (GOAL - pos.king(us).rank()).checked_sub(1) {
            add(0, index.into(), 1);
            add(1, moves_to_goal(pos, us).map_or(GOAL.into(), |moves| moves - 1), 1);
        }
    }
}

/// The moves that the king needs to the eighth rank if nothing else moves, at most 7; `None` if it cannot
/// get there in 7. It goes ahead or to the side.
fn moves_to_goal(pos: &Position<RacingKings>, us: Color) -> Option<usize> {
    const WAYS: [Step; 5] = [AHEAD[0], AHEAD[1], AHEAD[2], Step::WEST, Step::EAST];
    let king = pos.king(us);
    let mut seen = king.bit();
    let mut reached = seen;
    for moves in 1..=usize::from(GOAL) {
        let mut next = 0;
        for from in Squares(reached) {
            for to in WAYS.into_iter().filter_map(|step| from.step(step)) {
                let bit = to.bit();
                if seen & bit != 0 {
                    continue;
                }
                seen |= bit;
                if !pos.cell(to).belongs_to(us) && !pos.is_attacked_through_king(to, !us) {
                    if to.rank() == GOAL {
                        return Some(moves);
                    }
                    next |= bit;
                }
            }
        }
        reached = next;
    }
    None
}

impl SearchRules for RacingKings {
    /// Fitted as [`WinRate::STANDARD`], to 2355 games.
    const WIN_RATE: WinRate = WinRate { half: 73.0, scale: 230.0 };

    /// Games are short, so a move may take more of the clock.
    fn params() -> Params {
        Params { clock_soft: 85, endgame_scale: 100, ..Params::STANDARD }
    }

    /// White's king has arrived, and Black's can still follow.
    #[inline(always)]
    fn forced_outcome(pos: &Position<RacingKings>) -> Option<Outcome> {
        let has_arrived = pos.king(Color::White).rank() == GOAL;
        has_arrived.then(|| Outcome::draw(Reason::VariantDraw(BOTH_ARRIVE)))
    }

    /// A move of the king to the eighth rank, unless Black's king might arrive after it. If it might, the
    /// search finds out.
    fn winning_move(
        pos: &Position<RacingKings>,
        legality: &Legality,
        _checks: &Checks,
    ) -> Option<Move> {
        let us = pos.side_to_move();
        let (king, other) = (pos.king(us), pos.king(!us));
        let is_alone = other.rank() < if us == Color::White { LAST_STEP } else { GOAL };
        if king.rank() != LAST_STEP || !is_alone {
            return None;
        }
        pos.find_move(legality, |mv| mv.from() == king && mv.to().rank() == GOAL)
    }
}

impl CoachRules for RacingKings {
    const EXTRA_NAME: &'static str = "the way to the eighth rank";
    /// Most moves only bring a man closer to the goal: a search must be deeper to see which one is better.
    const STUDY_NODES: u64 = 200_000;

    fn describe_last_step(pos: &Position<RacingKings>, color: Color) -> Option<&'static str> {
        (pos.king(color).rank() == LAST_STEP).then_some("stands next to the eighth rank")
    }
}

impl Names for RacingKings {
    const NAME: &'static str = "racingkings";
    const OTHER_NAMES: &'static [&'static str] = &["racing", "race", "racingkingschess"];
    const TITLE: &'static str = "Racing Kings";
    const RULES: &'static str = "The pieces move as in chess, there are no pawns, and a move may neither \
        leave the own king in check nor give check. The first king on the eighth rank wins; if it is \
        White's, Black has one more move, and if that brings Black's king to the eighth rank, too, the \
        game is a draw.";
    const LESSON: Option<&'static str> = Some("teachrace");
    const XBOARD_PARENT: Option<&'static str> = Some("fairy");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluator, built_in_network};

    fn outcome(fen: &str) -> Option<Outcome> {
        Position::<RacingKings>::from_fen(fen).unwrap().outcome()
    }

    #[test]
    fn nobody_castles() {
        let pos = Position::<RacingKings>::from_fen("8/8/8/8/8/k7/8/4K2R w K - 0 1").unwrap();
        assert!(!pos.legal_moves().iter().any(|mv| mv.is_castling()));
        assert_eq!(pos.fen(), "8/8/8/8/8/k7/8/4K2R w - - 0 1");
    }

    #[test]
    fn white_must_be_followed_at_once() {
        let won = |color| Some(Outcome::win(color, Reason::Variant(REACHES_GOAL)));
        for (fen, expected) in [
            ("K7/7k/8/8/8/8/8/8 b - - 0 1", None),
            ("K7/7k/8/8/8/8/8/8 w - - 0 1", won(Color::White)),
            ("K7/8/7k/8/8/8/8/8 b - - 0 1", won(Color::White)),
            ("7k/K7/8/8/8/8/8/8 w - - 0 1", won(Color::Black)),
            ("K6k/8/8/8/8/8/8/8 w - - 0 1", Some(Outcome::draw(Reason::VariantDraw(BOTH_ARRIVE)))),
            // All squares before Black's king are guarded or occupied.
            ("K7/7k/8/8/3B4/8/8/6R1 b - - 0 1", won(Color::White)),
            ("K5nb/7k/8/8/8/8/8/8 b - - 0 1", won(Color::White)),
            ("K5b1/7k/8/8/8/8/8/8 b - - 0 1", None),
            // The knight and the bishop can be taken, unless they are guarded.
            ("K5NB/7k/8/8/8/8/8/8 b - - 0 1", None),
            ("K5NB/7k/8/8/3B4/8/8/6R1 b - - 0 1", won(Color::White)),
        ] {
            assert_eq!(outcome(fen), expected, "{fen}");
        }
    }

    /// The network was in a match, forty pawns up for seventy moves: it did not know the way.
    #[test]
    fn against_a_bare_king_the_other_king_goes_to_its_goal() {
        let mut evaluator = Evaluator::<RacingKings>::new(built_in_network::<RacingKings>());
        let mut score = |rank: usize| {
            let mut ranks = ["8", "8", "8", "8", "8", "8", "2R4Q", "k5N1"];
            ranks[8 - rank] = "4K3";
            let fen = format!("{} w - - 0 1", ranks.join("/"));
            evaluator.evaluate_alone(&Position::from_fen(&fen).unwrap())
        };
        assert!((3..7).all(|rank| score(rank + 1) > score(rank)));
    }

    #[test]
    fn no_side_may_be_in_check_and_no_pawn_may_stand() {
        let read = |fen: &str| Position::<RacingKings>::from_fen(fen).map(|_| ());
        assert_eq!(read("8/8/8/8/8/8/k6K/q6Q w - - 0 1"), Ok(()));
        assert_eq!(
            read("8/8/8/8/8/8/k6K/7q w - - 0 1").unwrap_err(),
            PositionError::InCheck.into()
        );
        assert_eq!(read("8/8/8/8/4P3/8/k6K/8 w - - 0 1").unwrap_err(), PositionError::Pawn.into());
    }

    #[test]
    fn the_way_to_the_goal_avoids_attacked_squares() {
        let moves = |fen: &str| {
            moves_to_goal(&Position::<RacingKings>::from_fen(fen).unwrap(), Color::White)
        };
        assert_eq!(moves("8/8/8/8/8/8/k6K/8 w - - 0 1"), Some(6));
        assert_eq!(moves("8/8/7K/8/8/8/k7/8 w - - 0 1"), Some(2));
        // A rook guards the seventh rank, the eighth until it is taken, or the g-file.
        assert_eq!(moves("8/r7/7K/8/8/8/k7/8 w - - 0 1"), None);
        assert_eq!(moves("r7/8/7K/8/8/8/k7/8 w - - 0 1"), Some(7));
        assert_eq!(moves("8/8/7K/8/8/8/k7/6r1 w - - 0 1"), Some(2));
    }
}
