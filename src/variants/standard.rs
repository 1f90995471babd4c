//! Standard chess.

use crate::board::{EndgameTables, Rules};
use crate::book::BookRules;
use crate::eval::EvalRules;
use crate::search::SearchRules;

/// Standard chess: the common rules alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard;

impl Rules for Standard {
    type State = ();
    const NAME: &'static str = "normal";
    const OTHER_NAMES: &'static [&'static str] =
        &["chess", "standard", "standardchess", "orthodox", "regular", "fromposition"];
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const LESSON: Option<&'static str> = Some("teach");
    const ENDGAME_TABLES: EndgameTables = EndgameTables::Syzygy;
}

impl BookRules for Standard {
    const BOOK: &'static [u8] = include_bytes!("../../variants/standard/book.bin");
    const HAS_POLYGLOT_KEYS: bool = true;
}

impl EvalRules for Standard {
    const WEIGHTS: &'static str = include_str!("../../variants/standard/eval.params");
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../variants/standard/net.nnue"));
    const HAS_DRAWN_ENDGAMES: bool = true;
}

impl SearchRules for Standard {}

const _: () = assert!(size_of::<<Standard as Rules>::State>() == 0, "standard chess pays nothing");
