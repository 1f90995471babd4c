//! Three-check: a player wins at once by giving the third check. No draw rule comes first.

use crate::board::{Checks, EndgameTables, Position, Rules, zobrist};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::EvalRules;
use crate::movegen::Legality;
use crate::search::{Params, SearchRules, WinRate};
use crate::types::{Color, Key, Move, Outcome, Reason};

use super::Names;

/// Three-check chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreeCheck;

/// The checks that White and Black still have to give, 3 down to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChecksLeft([u8; 2]);

impl ChecksLeft {
    /// The number of checks that wins.
    pub const GOAL: u8 = 3;

    /// `None` if a number is greater than three, or if both are zero.
    pub fn new(white: u8, black: u8) -> Option<ChecksLeft> {
        let valid = white.max(black) <= ChecksLeft::GOAL && white + black > 0;
        valid.then_some(ChecksLeft([white, black]))
    }

    /// The checks that the side still has to give.
    #[inline(always)]
    pub const fn of(self, color: Color) -> u8 {
        self.0[color.index()]
    }
}

impl Default for ChecksLeft {
    fn default() -> ChecksLeft {
        ChecksLeft([ChecksLeft::GOAL; 2])
    }
}

/// How the third check wins, for result comments.
const THIRD_CHECK: &str = "gives third check";

/// By colour and checks left. Three checks left have no key, so the start position has the same key
/// as in standard chess.
const KEYS: [u64; 8] = zobrist::numbers(0x3c4e_c400);

impl Rules for ThreeCheck {
    type State = ChecksLeft;
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1";
    const COUNTS_CHECKS: bool = true;
    const ENDINGS: &'static [&'static str] = &[THIRD_CHECK];
    const ENDGAME_TABLES: EndgameTables = EndgameTables::Checks;

    #[inline(always)]
    fn after_move(state: &mut ChecksLeft, mover: Color, gave_check: bool) {
        if gave_check {
            let left = &mut state.0[mover.index()];
            *left = left.saturating_sub(1);
        }
    }

    #[inline(always)]
    fn key(state: &ChecksLeft) -> Key {
        let [white, black] = state.0;
        let key = |color: usize, left: u8| match left {
            ChecksLeft::GOAL => Key::ZERO,
            _ => Key::new(KEYS[4 * color + left as usize]),
        };
        key(0, white) ^ key(1, black)
    }

    #[inline(always)]
    fn variant_outcome(pos: &Position<ThreeCheck>) -> Option<Outcome> {
        match pos.state().0 {
            [0, _] => Some(Outcome::win(Color::White, Reason::Variant(THIRD_CHECK))),
            [_, 0] => Some(Outcome::win(Color::Black, Reason::Variant(THIRD_CHECK))),
            _ => None,
        }
    }

    fn checks_left(state: &ChecksLeft) -> [u8; 2] {
        state.0
    }

    /// Only bare kings: any other piece can give check.
    fn is_insufficient_material(pos: &Position<ThreeCheck>) -> bool {
        pos.total_count() == 2
    }

    /// Every man but the king can give check.
    fn can_win(pos: &Position<ThreeCheck>, color: Color) -> bool {
        !pos.is_bare(color)
    }

    /// Digits and plus signs. `3+3` counts the checks still to give, `+0+0` those that were given.
    fn is_state_field(field: &str) -> bool {
        field.contains('+') && field.bytes().all(|byte| byte == b'+' || byte.is_ascii_digit())
    }

    fn read_state(field: &str) -> Option<ChecksLeft> {
        let (counts, is_given) = match field.strip_prefix('+') {
            Some(counts) => (counts, true),
            None => (field, false),
        };
        let (white, black) = counts.split_once('+')?;
        let left = |text: &str| {
            let count =
                text.parse::<u8>().ok().filter(|&n| text.len() == 1 && n <= ChecksLeft::GOAL)?;
            Some(if is_given { ChecksLeft::GOAL - count } else { count })
        };
        ChecksLeft::new(left(white)?, left(black)?)
    }

    /// Assumes that no check was given before the one on the board. XBoard and Cute Chess count in
    /// the same way.
    fn state_if_missing(checker: Option<Color>) -> ChecksLeft {
        let mut state = ChecksLeft::default();
        if let Some(checker) = checker {
            ThreeCheck::after_move(&mut state, checker, true);
        }
        state
    }

    fn write_state(state: &ChecksLeft) -> Option<String> {
        let [white, black] = state.0;
        Some(format!("{white}+{black}"))
    }
}

impl BookRules for ThreeCheck {
    const KEY_NAME: Option<&'static str> = Some(ThreeCheck::NAME);
    const BOOK: &'static [u8] = include_bytes!("../../variants/three_check/book.bin");
    const REPERTOIRE: &'static str = include_str!("../../variants/three_check/repertoire.tsv");
}

impl EvalRules for ThreeCheck {
    const WEIGHTS: &'static str = include_str!("../../variants/three_check/eval.params");
    const NETWORK_GAME: &'static str = ThreeCheck::NAME;
    const NETWORK: Option<&'static [u8]> =
        Some(include_bytes!("../../variants/three_check/net.nnue"));

    /// One level for each number of checks given: 0, 1, 2.
    const RACE_LEVELS: usize = ChecksLeft::GOAL as usize;

    #[inline(always)]
    fn race_level(state: &ChecksLeft, color: Color) -> usize {
        usize::from(ChecksLeft::GOAL - state.of(color)).min(ThreeCheck::RACE_LEVELS - 1)
    }

    fn state_at(levels: [usize; 2]) -> ChecksLeft {
        ChecksLeft(levels.map(|given| ChecksLeft::GOAL.saturating_sub(given as u8).max(1)))
    }
}

impl SearchRules for ThreeCheck {
    const CHECKS_ADVANCE: bool = true;
    /// Measured against the best person: the search scores 47 % with 2000 nodes and 69 % with 3280. In
    /// chess it wins with 2000.
    const NODES_FOR_STRENGTH: u64 = 3;

    /// Fitted as [`WinRate::STANDARD`], to 2391 games.
    const WIN_RATE: WinRate = WinRate { half: 13.0, scale: 349.0 };

    /// Attacks on the king change scores faster than in standard chess. So most margins are wider, there
    /// is no razoring, every check is extended by one ply, and evaluations of endgames are not made
    /// smaller. The other constants were found by `trebuchet spsa`.
    fn params() -> Params {
        Params {
            rfp_margin: 123,
            razor_depth: 0,
            null_eval_divisor: 224,
            probcut_margin: 410,
            futility_base: 154,
            futility_margin: 215,
            history_margin: 3642,
            see_quiet_margin: 21,
            see_noisy_margin: 120,
            lmr_quiet_base: 1262,
            lmr_quiet_factor: 653,
            lmr_noisy_base: 168,
            lmr_noisy_factor: 248,
            lmr_pv: 1024,
            lmr_cut_node: 660,
            lmr_not_improving: 800,
            lmr_check: 1290,
            lmr_killer: 1303,
            lmr_history_divisor: 5224,
            lmr_noisy_history_divisor: 5224,
            pruning_base: 1262,
            pruning_factor: 653,
            pruning_history_divisor: 5224,
            singular_margin: 16,
            check_extension: 1,
            history_bonus: 177,
            history_malus: 202,
            order_check: 1620,
            endgame_scale: 100,
            mate_lead: 20_000,
            quiescence_futility: 82,
            ..Params::STANDARD
        }
    }

    /// Any check, if one check is left to give.
    fn winning_move(
        pos: &Position<ThreeCheck>,
        legality: &Legality,
        checks: &Checks,
    ) -> Option<Move> {
        if pos.state().of(pos.side_to_move()) != 1 {
            return None;
        }
        pos.find_check(legality, checks)
    }
}

impl CoachRules for ThreeCheck {
    const RACE_NAME: &'static str = "checks";

    fn describe_state(state: &ChecksLeft) -> Option<String> {
        let [white, black] = state.0.map(|left| ChecksLeft::GOAL - left);
        Some(format!("Checks given: White {white}, Black {black}"))
    }

    fn describe_last_step(pos: &Position<ThreeCheck>, color: Color) -> Option<&'static str> {
        (pos.state().of(color) == 1).then_some("needs one more check")
    }
}

impl Names for ThreeCheck {
    const NAME: &'static str = "3check";
    const OTHER_NAMES: &'static [&'static str] =
        &["3checks", "threechecks", "3checkchess", "threecheckchess"];
    const TITLE: &'static str = "Three-check";
    const RULES: &'static str = "The rules of chess, and one more way to win: a player who gives the \
        third check wins at once. Every move that gives check counts once, a double check, too.";
    const LESSON: Option<&'static str> = Some("teach3");
}
