//! What opening books ask a variant.

use crate::board::Rules;

/// What a game has of opening books.
pub trait BookRules: Rules {
    /// Does the game use the keys that Polyglot has published? Only games with the rules of chess
    /// do. The keys of any other game contain its name and its state; see [`super::key()`].
    const HAS_POLYGLOT_KEYS: bool = false;

    /// The built-in book: a Polyglot file. Empty if the game has none.
    const BOOK: &'static [u8] = &[];
}
