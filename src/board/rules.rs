//! What the board asks a variant.

use std::fmt::Debug;

use super::{Hands, MOST_PIECES, Position, PositionError};
use crate::types::{Color, Key, Move, Outcome, PieceKind, Reason, Square};

/// The endgame tables of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndgameTables {
    None,
    /// The tables of standard chess, in Syzygy's format.
    Syzygy,
    /// Tables with the numbers of checks: see [`Rules::checks_left`].
    Checks,
}

/// The rules of a game beyond the moves of the pieces. A variant answers questions of fact; no code
/// asks which variant it is.
///
/// Every such game is played on eight by eight squares with the pieces of chess.
pub trait Rules: Copy + Default + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The game's own state besides the position: `()`, or the checks still to give. It is saved
    /// with every move and restored by unmake.
    type State: Copy + Default + Eq + Debug + Send + Sync;

    /// The start position as FEN. If the game has several, this is the one that GUIs set up first.
    const START_FEN: &'static str;

    /// By [`Color::index`]: the most men of a side on the board. A side with another number than that of chess has
    /// no limit of queens and pawns ([`super::MOST_QUEENS_AND_PAWNS`]): then [`Rules::check_position`] must see to it
    /// that no position has more moves than a list holds.
    const MOST_MEN: [usize; 2] = [MOST_PIECES; 2];

    /// The number of start positions.
    const START_POSITIONS: usize = 1;

    /// Does a check change [`Rules::State`]? If not, nothing computes whether a move gives check,
    /// and [`Rules::after_move`] gets `false`.
    const COUNTS_CHECKS: bool = false;

    /// Do king and rooks castle from their squares in the start position, as in Chess960?
    const CHESS960_CASTLING: bool = false;

    /// Does a capture take the capturing man, too, and all men next to its target that are not pawns?
    const CAPTURES_EXPLODE: bool = false;

    /// Do captured men change sides, and can they be dropped on empty squares? Then [`Rules::hands`] and
    /// [`Rules::hands_mut`] give the men in hand, and neither a capture nor a pawn move rules out that an
    /// earlier position is repeated.
    const HAS_DROPS: bool = false;

    /// Is a game drawn after fifty moves without a capture and without a pawn move?
    const HAS_FIFTY_MOVE_RULE: bool = true;

    /// Must a side capture if it can?
    const MUST_CAPTURE: bool = false;

    /// Can a capture be answered by a recapture, and is a man that can be taken for nothing lost, as in chess? If
    /// not, nothing is said about exchanges.
    const HAS_EXCHANGES: bool = !Self::MUST_CAPTURE && !Self::CAPTURES_EXPLODE;

    /// The kinds to which a pawn can promote, the most valuable first.
    const PROMOTIONS: &'static [PieceKind] = &PieceKind::PROMOTIONS;

    /// What this game says against a move that is legal in chess, such as `gives check`; `None` if it
    /// forbids no such move. [`Rules::MUST_CAPTURE`] and [`Rules::allows`] tell the forbidden ones.
    const FORBIDDEN: Option<&'static str> = None;

    /// Which endgame tables does this game have?
    const ENDGAME_TABLES: EndgameTables = EndgameTables::None;

    /// The endings that this game adds. Each text says what the winner does, such as `gives third
    /// check`. These are the texts of [`Reason::Variant`](crate::types::Reason) that
    /// [`Rules::variant_outcome`] uses.
    const ENDINGS: &'static [&'static str] = &[];

    /// The draws that this game adds, such as `both kings arrive`: the texts of
    /// [`Reason::VariantDraw`](crate::types::Reason).
    const DRAWN_ENDINGS: &'static [&'static str] = &[];

    /// The squares to which a king runs in order to win, as a bitboard. Boards show them.
    const GOAL: u64 = 0;

    /// The start position with this number as FEN: 0 to [`Rules::START_POSITIONS`] - 1.
    fn start_fen(_number: usize) -> String {
        Self::START_FEN.to_owned()
    }

    /// Updates the state after a move of `mover`. Men in hand are not its business. The rest of the state
    /// must never return to an earlier one: then no position from before a change can repeat.
    fn after_move(_state: &mut Self::State, _mover: Color, _gave_check: bool) {}

    /// The men in hand; `None` in a game without drops.
    #[inline(always)]
    fn hands(_state: &Self::State) -> Option<&Hands> {
        None
    }

    /// The men in hand, to change them; `None` in a game without drops.
    #[inline(always)]
    fn hands_mut(_state: &mut Self::State) -> Option<&mut Hands> {
        None
    }

    /// The state's part of the Zobrist key.
    fn key(_state: &Self::State) -> Key {
        Key::ZERO
    }

    /// The end of the game by this game's own rules. It takes precedence over mate, stalemate and
    /// the draw rules.
    fn variant_outcome(_pos: &Position<Self>) -> Option<Outcome> {
        None
    }

    /// The checks that White and Black still have to give, in a game with [`EndgameTables::Checks`].
    fn checks_left(_state: &Self::State) -> [u8; 2] {
        [0; 2]
    }

    /// Must this side keep its king safe? If not, it is never in check; it may have no king at all.
    #[inline(always)]
    fn is_royal(_color: Color) -> bool {
        true
    }

    /// May this side castle? Outside Chess960, a king that is not royal castles, too: from, over and to attacked
    /// squares.
    #[inline(always)]
    fn may_castle(color: Color) -> bool {
        Self::is_royal(color)
    }

    /// May pawns of this side stand on its first rank? They may go two squares from there, too, and
    /// cannot be captured en passant then.
    #[inline(always)]
    fn has_back_rank_pawns(_color: Color) -> bool {
        false
    }

    /// The end of the game if the side to move has no legal move and is not in check.
    fn stalemate(_pos: &Position<Self>) -> Outcome {
        Outcome::draw(Reason::Stalemate)
    }

    /// Does this game allow a move that is legal in chess? Asked only if [`Rules::FORBIDDEN`] is not
    /// `None`.
    fn allows(_pos: &Position<Self>, _mv: Move) -> bool {
        true
    }

    /// What this game forbids in a position that is legal in chess.
    ///
    /// # Errors
    /// A [`PositionError`] if the position can never come on the board.
    fn check_position(_pos: &Position<Self>) -> Result<(), PositionError> {
        Ok(())
    }

    /// Is it a draw by insufficient material: can neither side win, even if the other plays badly?
    fn is_insufficient_material(pos: &Position<Self>) -> bool {
        is_dead_material(pos)
    }

    /// Can this side still win by any sequence of moves, however badly the other plays? If not, the game
    /// is a draw when the other side runs out of time. Only the men are asked, not where they stand.
    fn can_win(pos: &Position<Self>, color: Color) -> bool {
        has_mating_material(pos, color)
    }

    /// Is this field of a FEN the state?
    fn is_state_field(_field: &str) -> bool {
        false
    }

    /// Reads the state from its field of a FEN; `None` if the field is malformed.
    fn read_state(_field: &str) -> Option<Self::State> {
        None
    }

    /// The state if a FEN has no field for it. `checker` is the side that gives check in this
    /// position, if one does.
    fn state_if_missing(_checker: Option<Color>) -> Self::State {
        Self::State::default()
    }

    /// The state as a field of a FEN, if the game has one.
    fn write_state(_state: &Self::State) -> Option<String> {
        None
    }
}

/// The rule of Lichess. A bare king never mates. A lone knight mates only a king that a man of its own other than a
/// queen shuts in, and bishops on squares of one colour mate only if there is a knight, a pawn, or a bishop on the
/// other colour, too.
fn has_mating_material<R: Rules>(pos: &Position<R>, color: Color) -> bool {
    use PieceKind::{Bishop, Knight, Pawn, Queen};
    let both = |kind| pos.count(Color::White, kind) + pos.count(Color::Black, kind);
    let has_bishop_on = |light| {
        Color::ALL.iter().any(|&side| pos.pieces(side, Bishop).any(|sq| sq.is_light() == light))
    };
    let men = pos.count_all(color) - 1;
    match (pos.count(color, Knight), pos.count(color, Bishop)) {
        (0, 0) => men > 0,
        (1, 0) if men == 1 => pos.count_all(!color) > 1 + pos.count(!color, Queen),
        (0, bishops) if bishops == men => {
            both(Knight) + both(Pawn) > 0 || has_bishop_on(true) && has_bishop_on(false)
        }
        _ => true,
    }
}

/// The rule of standard chess: bare kings, one minor piece, or one bishop each on squares of the
/// same colour. XBoard knows no more, and rejects the claim of any other dead position.
fn is_dead_material<R: Rules>(pos: &Position<R>) -> bool {
    use PieceKind::{Bishop, Knight};
    let count = |color, kind| pos.count(color, kind);
    match pos.total_count() {
        2 => true,
        3 => Color::ALL.iter().any(|&color| count(color, Bishop) + count(color, Knight) == 1),
        4 => {
            let mut bishops = Color::ALL.into_iter().flat_map(|color| pos.pieces(color, Bishop));
            Color::ALL.iter().all(|&color| count(color, Bishop) == 1)
                && bishops.next().map(Square::is_light) == bishops.next().map(Square::is_light)
        }
        _ => false,
    }
}
