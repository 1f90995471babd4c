//! What the board asks a variant.

use std::fmt::Debug;

use super::Position;
use crate::types::{Color, Key, Outcome};

/// The rules of a game, as far as they go beyond how the pieces move. A variant answers questions of
/// fact; no code asks which variant it is.
///
/// Every game of this trait is played on eight by eight squares with the men of chess, one king on
/// each side, and moves that go from one square to another. Games that drop pieces (crazyhouse), use
/// other boards (Capablanca) or change what a capture does to other squares (atomic) need another
/// board.
pub trait Rules: Copy + Default + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// What the game counts besides the position: `()`, or the checks that are left. It is saved
    /// with every move and comes back when the move is taken back.
    type State: Copy + Default + Eq + Debug + Send + Sync;

    /// The CECP name: `normal`, `3check`.
    const NAME: &'static str;
    /// The position a game begins from; where there are several, the one that GUIs set up first.
    const START_FEN: &'static str;

    /// How many positions a game may begin from.
    const START_POSITIONS: usize = 1;

    /// Does a check change [`Rules::State`]? If not, [`Rules::after_move`] is always told that there
    /// was none, and no work is done to find out.
    const COUNTS_CHECKS: bool = false;

    /// Do king and rooks castle from wherever the game began, as in Chess960?
    const CHESS960_CASTLING: bool = false;

    /// Do endgame tablebases of standard chess hold?
    const HAS_TABLEBASES: bool = false;

    /// What a player does who wins by an end that this game adds, such as `gives third check`: all
    /// texts of [`Reason::Variant`](crate::types::Reason) that [`Rules::outcome`] uses.
    const ENDINGS: &'static [&'static str] = &[];

    /// For a game that xboard does not know by its name: the game whose rules xboard is to apply, by
    /// its CECP name. `fairy` has the rules of chess, and xboard saves the game under its own name;
    /// with `normal` it would save it as a game of chess.
    const XBOARD_PARENT: Option<&'static str> = None;

    /// The start position with this number, 0 to [`Rules::START_POSITIONS`] - 1, as FEN.
    fn start_fen(_number: usize) -> String {
        Self::START_FEN.to_owned()
    }

    /// `mover` has made a move; changes what the game counts. The state never goes back to an
    /// earlier one, so a position before the change cannot repeat.
    fn after_move(_state: &mut Self::State, _mover: Color, _gave_check: bool) {}

    /// The state's part of the position's key.
    fn key(_state: &Self::State) -> Key {
        Key::ZERO
    }

    /// The end of the game beyond mate, stalemate and the draw rules. It outranks all of them.
    fn outcome(_pos: &Position<Self>) -> Option<Outcome> {
        None
    }

    /// Can neither side win any more, however badly the other plays?
    fn is_insufficient_material(pos: &Position<Self>) -> bool {
        super::draws::is_dead_material(pos)
    }

    /// Is this field of a FEN the one that tells the state?
    fn is_state_field(_field: &str) -> bool {
        false
    }

    /// The state that a field of a FEN tells; `None` if it makes no sense.
    fn read_state(_field: &str) -> Option<Self::State> {
        None
    }

    /// The state of a position whose FEN does not tell it. `checker` is the side that gives the
    /// check on the board, if there is one.
    fn state_unless_told(_checker: Option<Color>) -> Self::State {
        Self::State::default()
    }

    /// The state as the fifth field of a FEN, if the game has one.
    fn write_state(_state: &Self::State) -> Option<String> {
        None
    }

    /// The state in words for people, if there is something to say.
    fn describe_state(_state: &Self::State) -> Option<String> {
        None
    }
}
