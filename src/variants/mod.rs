//! The games that Trebuchet plays. Each has one file, which answers the questions of every layer.
//!
//! To add a game: write its file, put its data into the folder of the same name under `variants/`,
//! and add a line to the list in this file.

pub mod antichess;
pub mod atomic;
pub mod chess960;
pub mod crazyhouse;
pub mod giveaway;
pub mod horde;
pub mod king_of_the_hill;
mod names;
pub mod racing_kings;
pub mod standard;
pub mod suicide;
pub mod three_check;

pub use antichess::Antichess;
pub use atomic::Atomic;
pub use chess960::Chess960;
pub use crazyhouse::Crazyhouse;
pub use giveaway::Giveaway;
pub use horde::Horde;
pub use king_of_the_hill::KingOfTheHill;
pub use names::Names;
pub use racing_kings::RacingKings;
pub use standard::Standard;
pub use suicide::Suicide;
pub use three_check::{ChecksLeft, ThreeCheck};

use crate::board::{Position, Rules};
use crate::book::BookRules;
use crate::coach::CoachRules;
use crate::movegen::perft::perft;
use crate::search::{Params, PositionSearch, Search, SearchRules, WinRate};
use crate::types::Depth;

/// A game that Trebuchet plays. The list below implements it.
pub trait Variant: CoachRules + BookRules + Names {
    /// Identifies the game where its type is not known.
    const ID: VariantId;

    /// A search of this game, with one thread and a small transposition table. Other crates search with
    /// this one: if they named `Search<V>`, each would compile the search again.
    fn new_search() -> Box<dyn PositionSearch<Self>>;

    /// Counts the leaves of a tree of `depth` plies, as [`movegen::perft`](crate::movegen::perft::perft).
    fn perft(pos: &mut Position<Self>, depth: Depth) -> u64;
}

/// Makes the list of variants: for each, its id, its type, and the folder of its data. `$dollar` is
/// a dollar sign, for the macro that this macro defines.
macro_rules! variants {
    ($dollar:tt $($id:ident = $folder:literal),+ $(,)?) => {
        /// Identifies a variant where its type is not known.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum VariantId {
            $($id),+
        }

        impl VariantId {
            /// All variants.
            pub const ALL: &'static [VariantId] = &[$(VariantId::$id),+];

            /// The CECP name, such as `3check`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(VariantId::$id => <$id as Names>::NAME),+
                }
            }

            /// The name for people, such as `Three-check`.
            pub const fn title(self) -> &'static str {
                match self {
                    $(VariantId::$id => <$id as Names>::TITLE),+
                }
            }

            /// The rules for people who know chess, in two or three sentences.
            pub const fn rules(self) -> &'static str {
                match self {
                    $(VariantId::$id => <$id as Names>::RULES),+
                }
            }

            /// The value of the UCI option `UCI_Variant`.
            pub const fn uci_name(self) -> &'static str {
                match self {
                    $(VariantId::$id => <$id as Names>::UCI_NAME),+
                }
            }

            /// The constants of the search.
            pub fn search_params(self) -> Params {
                match self {
                    $(VariantId::$id => <$id as SearchRules>::params()),+
                }
            }

            /// What scores mean for the result.
            pub const fn win_rate(self) -> WinRate {
                match self {
                    $(VariantId::$id => <$id as SearchRules>::WIN_RATE),+
                }
            }

            /// Further names; see [`Names::OTHER_NAMES`].
            const fn other_names(self) -> &'static [&'static str] {
                match self {
                    $(VariantId::$id => <$id as Names>::OTHER_NAMES),+
                }
            }

            /// The endings that the game adds, such as `gives third check`. Each says what the
            /// winner does.
            pub const fn endings(self) -> &'static [&'static str] {
                match self {
                    $(VariantId::$id => <$id as Rules>::ENDINGS),+
                }
            }

            /// The draws that the game adds, such as `both kings arrive`.
            pub const fn drawn_endings(self) -> &'static [&'static str] {
                match self {
                    $(VariantId::$id => <$id as Rules>::DRAWN_ENDINGS),+
                }
            }

            /// The number of start positions.
            pub const fn start_positions(self) -> usize {
                match self {
                    $(VariantId::$id => <$id as Rules>::START_POSITIONS),+
                }
            }

            /// The start position with this number as FEN, from 0.
            pub fn start_fen(self, number: usize) -> String {
                match self {
                    $(VariantId::$id => <$id as Rules>::start_fen(number)),+
                }
            }

            /// The CECP name of the game with a coach.
            pub const fn lesson(self) -> Option<&'static str> {
                match self {
                    $(VariantId::$id => <$id as Names>::LESSON),+
                }
            }

            /// The game whose rules xboard applies, if xboard does not know this one.
            pub const fn xboard_parent(self) -> Option<&'static str> {
                match self {
                    $(VariantId::$id => <$id as Names>::XBOARD_PARENT),+
                }
            }

            /// Does xboard know mate in this game?
            pub const fn is_mate_known_to_xboard(self) -> bool {
                match self {
                    $(VariantId::$id => <$id as Names>::IS_MATE_KNOWN_TO_XBOARD),+
                }
            }

            /// Does xboard know with which men neither side can win this game?
            pub const fn is_dead_material_known_to_xboard(self) -> bool {
                match self {
                    $(VariantId::$id => <$id as Names>::IS_DEAD_MATERIAL_KNOWN_TO_XBOARD),+
                }
            }

            /// Must a side capture if it can?
            pub const fn must_capture(self) -> bool {
                match self {
                    $(VariantId::$id => <$id as Rules>::MUST_CAPTURE),+
                }
            }

            /// The squares to which a king runs in order to win, as a bitboard.
            pub const fn goal(self) -> u64 {
                match self {
                    $(VariantId::$id => <$id as Rules>::GOAL),+
                }
            }

            /// The folder of the game's data under `variants/`.
            pub const fn folder(self) -> &'static str {
                match self {
                    $(VariantId::$id => $folder),+
                }
            }

            /// The game's bench positions: EPD, one per line.
            pub const fn bench_positions(self) -> &'static str {
                match self {
                    $(VariantId::$id => {
                        include_str!(concat!("../../variants/", $folder, "/bench.epd"))
                    }),+
                }
            }

            /// Balanced openings for matches: EPD, one per line.
            pub const fn openings(self) -> &'static str {
                match self {
                    $(VariantId::$id => {
                        include_str!(concat!("../../variants/", $folder, "/openings.epd"))
                    }),+
                }
            }

            /// Puzzles: EPD, one per line.
            pub const fn puzzles(self) -> &'static str {
                match self {
                    $(VariantId::$id => {
                        include_str!(concat!("../../variants/", $folder, "/puzzles.epd"))
                    }),+
                }
            }
        }

        $(
            impl Variant for $id {
                const ID: VariantId = VariantId::$id;

                fn new_search() -> Box<dyn PositionSearch<$id>> {
                    Box::new(Search::<$id>::new())
                }

                fn perft(pos: &mut Position<$id>, depth: Depth) -> u64 {
                    perft(pos, depth)
                }
            }
        )+

        /// Goes from a variant's id to its type: `for_variant!(id, V => expression)` evaluates the
        /// expression with `V` as the type.
        #[macro_export]
        macro_rules! for_variant {
            ($dollar id:expr, $dollar variant:ident => $dollar body:expr) => {
                match $dollar id {
                    $($crate::variants::VariantId::$id => {
                        type $dollar variant = $crate::variants::$id;
                        $dollar body
                    })+
                }
            };
        }
    };
}

variants! {
    $
    Standard = "standard",
    ThreeCheck = "three_check",
    KingOfTheHill = "king_of_the_hill",
    Chess960 = "chess960",
    RacingKings = "racing_kings",
    Horde = "horde",
    Antichess = "antichess",
    Suicide = "suicide",
    Giveaway = "giveaway",
    Atomic = "atomic",
    Crazyhouse = "crazyhouse",
}

impl VariantId {
    /// Does a game begin with pawns on the board?
    pub fn has_pawns(self) -> bool {
        let start = self.start_fen(0);
        start.split(' ').next().is_some_and(|placement| placement.contains(['P', 'p']))
    }

    /// The variant with this CECP name.
    pub fn from_name(name: &str) -> Option<VariantId> {
        VariantId::ALL.iter().copied().find(|id| id.name() == name)
    }

    /// The variant whose lesson has this CECP name.
    pub fn from_lesson(name: &str) -> Option<VariantId> {
        VariantId::ALL.iter().copied().find(|id| id.lesson() == Some(name))
    }

    /// The variant that people and programs call so: by its CECP name, its title, the name of its lesson or
    /// another name, in capitals or small letters and with any spaces and signs between them.
    pub fn from_any_name(text: &str) -> Option<VariantId> {
        let name = letters_of(text);
        let is_called = |id: &VariantId| {
            let other_names = id.other_names().iter().copied();
            let mut names = other_names.chain([id.name()]).chain(id.lesson());
            names.any(|called| called == name) || letters_of(id.title()) == name
        };
        VariantId::ALL.iter().copied().find(is_called)
    }

    /// The variant that the tag `Variant` of a PGN game names, as lichess, xboard, python-chess, Cute
    /// Chess and others spell it. An empty or unknown value (`?`) means standard chess.
    pub fn from_tag(value: &str) -> Option<VariantId> {
        match letters_of(value).as_str() {
            "" => Some(VariantId::Standard),
            name => VariantId::from_any_name(name),
        }
    }
}

/// The letters and digits of a name, in small letters.
fn letters_of(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A variant on the command line, by its CECP name or another one.
#[cfg(feature = "native")]
impl clap::ValueEnum for VariantId {
    fn value_variants<'a>() -> &'a [VariantId] {
        VariantId::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let value = clap::builder::PossibleValue::new(self.name());
        let titles = [letters_of(self.title()), self.title().to_lowercase()];
        Some(value.aliases(self.other_names().iter().copied()).aliases(titles))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Reason;

    #[cfg(feature = "native")]
    #[test]
    fn the_command_line_knows_the_other_names() {
        use clap::ValueEnum;
        for (name, id) in [
            ("normal", VariantId::Standard),
            ("chess", VariantId::Standard),
            ("threecheck", VariantId::ThreeCheck),
            ("three-check", VariantId::ThreeCheck),
            ("koth", VariantId::KingOfTheHill),
            ("chess960", VariantId::Chess960),
        ] {
            assert_eq!(VariantId::from_str(name, false), Ok(id), "{name}");
        }
        let all = VariantId::ALL.iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = all.map(|value| value.get_name().to_owned()).collect();
        assert_eq!(names, VariantId::ALL.iter().map(|id| id.name()).collect::<Vec<_>>());
    }

    /// At a score of zero, and two pawns ahead. Hardly a game of Crazyhouse is drawn.
    #[test]
    fn chances_belong_to_the_game() {
        use crate::types::Score;
        for (id, even, ahead) in [
            (VariantId::Standard, [313, 374, 313], [626, 263, 111]),
            (VariantId::Atomic, [337, 326, 337], [472, 304, 224]),
            (VariantId::Crazyhouse, [498, 4, 498], [595, 3, 402]),
        ] {
            let chances = |score| id.win_rate().chances(Score::cp(score));
            assert_eq!((chances(0), chances(200)), (even, ahead), "{}", id.name());
        }
    }

    #[test]
    fn every_game_has_names_of_its_own() {
        let mut names = Vec::new();
        for &id in VariantId::ALL {
            let plain = [id.name(), id.folder(), id.title()].map(letters_of);
            assert!(
                plain.iter().all(|name| VariantId::from_any_name(name) == Some(id)),
                "{plain:?}"
            );
            names.extend(id.other_names().iter().map(|&name| name.to_owned()));
            names.push(letters_of(id.name()));
            // The title may be the CECP name in another spelling.
            names.extend(Some(letters_of(id.title())).filter(|title| title != id.name()));
            names.extend(id.lesson().map(str::to_owned));
            assert!(id.rules().matches(". ").count() < 3 && id.rules().ends_with('.'), "{id:?}");
            // A game that adds ends tells of them.
            let nouns = id.endings().iter().filter_map(|deed| Reason::Variant(deed).winning_noun());
            assert!(nouns.into_iter().all(|noun| id.rules().contains(noun)), "{id:?}");
        }
        let count = names.len();
        assert!(names.iter().all(|name| *name == letters_of(name)), "{names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }

    #[test]
    fn tags_of_other_programs_are_understood() {
        use VariantId::*;
        for (variant, tags) in [
            (Crazyhouse, vec!["Crazyhouse", "crazyhouse", "House", "ZH", "Crazy House", "wild/23"]),
            (Atomic, vec!["Atomic", "atomic", "Atom", "Atomic chess", "wild/27"]),
            (Antichess, vec!["Antichess", "antichess", "Anti", "Anti chess"]),
            (Suicide, vec!["Suicide", "suicide", "Suicide chess"]),
            (Giveaway, vec!["Giveaway", "giveaway", "Give away", "Give away chess", "wild/26"]),
            (Horde, vec!["Horde", "horde", "Horde chess"]),
            (RacingKings, vec!["Racing Kings", "racingKings", "racingkings", "Race"]),
            (Standard, vec!["", "?", "Standard", "normal", "From Position", "Chess", "chess"]),
            (
                ThreeCheck,
                vec!["teach3", "3check", "Three-check", "Threecheck", "Three-Check", "3-Check"],
            ),
            (KingOfTheHill, vec!["King of the Hill", "KingOfTheHill", "kingofthehill", "KOTH"]),
            (
                Chess960,
                vec!["Chess960", "fischerandom", "Fischerandom", "Fischer Random", "wild/fr"],
            ),
        ] {
            for tag in tags {
                assert_eq!(VariantId::from_tag(tag), Some(variant), "{tag}");
            }
        }
        // Signs alone name no game, unless they are the value of a tag.
        assert_eq!(VariantId::from_any_name("?"), None);
        for tag in ["Shogi", "5check", "Xiangqi", "chess 2"] {
            assert_eq!(VariantId::from_tag(tag), None, "{tag}");
        }
    }
}
