//! What the games are called.

/// The names of a game: for people, for protocols, for files.
pub trait Names {
    /// The CECP name, such as `normal` or `3check`. Our own files use it, too.
    const NAME: &'static str;

    /// The value of the UCI option `UCI_Variant`, as Fairy-Stockfish spells it.
    const UCI_NAME: &'static str = Self::NAME;

    /// What PGN files and people call the game besides [`Names::NAME`] and [`Names::TITLE`], in small
    /// letters and digits alone: `koth`, and `wildfr` for `wild/fr`.
    const OTHER_NAMES: &'static [&'static str] = &[];

    /// The name for people: `Three-check`.
    const TITLE: &'static str;

    /// The rules for people who know chess, in two or three sentences.
    const RULES: &'static str;

    /// For a game that xboard does not know by its name: the CECP name of the game whose rules xboard
    /// applies. `fairy`: the rules of chess, and the saved game keeps its own name (with `normal` it
    /// loses it).
    const XBOARD_PARENT: Option<&'static str> = None;

    /// Does xboard know mate in this game? If not, it calls the claim of a mate false.
    const IS_MATE_KNOWN_TO_XBOARD: bool = true;

    /// Does xboard know with which men neither side can win this game? If not, it calls the claim of such a draw false,
    /// and the side that claims it loses.
    const IS_DEAD_MATERIAL_KNOWN_TO_XBOARD: bool = true;

    /// The CECP name of this game with a coach. In a game that xboard does not know, it shows the colours
    /// of squares that the engine sends; in one of its own it ignores them. xboard finds the names of its
    /// games inside other names, so this name must contain none.
    const LESSON: Option<&'static str> = None;
}
