//! Standard chess.

use crate::board::{EndgameTables, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::eval::EvalRules;
use crate::search::SearchRules;

use super::Names;

/// Standard chess: the common rules alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard;

impl Rules for Standard {
    type State = ();
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const ENDGAME_TABLES: EndgameTables = EndgameTables::Syzygy;
}

impl BookRules for Standard {
    const BOOK: &'static [u8] = include_bytes!("../../variants/standard/book.bin");
    const REPERTOIRE: &'static str = include_str!("../../variants/standard/repertoire.tsv");
    const KEY_NAME: Option<&'static str> = None;
}

impl EvalRules for Standard {
    const WEIGHTS: &'static str = include_str!("../../variants/standard/eval.params");
    const NETWORK_GAME: &'static str = Standard::NAME;
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!(env!("TREBUCHET_NETWORK")));
    const HAS_DRAWN_ENDGAMES: bool = true;
}

impl SearchRules for Standard {}

impl CoachRules for Standard {}

impl Names for Standard {
    const NAME: &'static str = "normal";
    const UCI_NAME: &'static str = "chess";
    const OTHER_NAMES: &'static [&'static str] =
        &["standard", "standardchess", "orthodox", "regular", "fromposition"];
    const TITLE: &'static str = "Chess";
    const RULES: &'static str = "The rules of chess: mate wins. Stalemate is a draw, and so are a \
        position that comes for the third time, fifty moves of both sides without a capture or a move \
        of a pawn, and too little material to mate.";
    const LESSON: Option<&'static str> = Some("teach");
}

const _: () = assert!(size_of::<<Standard as Rules>::State>() == 0, "standard chess pays nothing");
