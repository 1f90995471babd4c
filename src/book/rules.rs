//! What opening books ask a variant.

use crate::board::Rules;

/// What a game has of opening books.
pub trait BookRules: Rules {
    /// The name that the keys of this game's positions contain beside its state; see [`super::key()`].
    /// `None` for a game with the keys that Polyglot has published: only games with the rules of chess
    /// have those.
    const KEY_NAME: Option<&'static str>;

    /// The built-in book: a Polyglot file. Empty if the game has none.
    const BOOK: &'static [u8] = &[];

    /// How people of limited strength open: the text of a [`Repertoire`](super::Repertoire). Empty if the
    /// game has none.
    const REPERTOIRE: &'static str = "";
}
