//! The games that Trebuchet plays: one file each, which answers every layer's questions.
//!
//! To add a game: write its file, put its data into the folder of the same name under `variants/`,
//! and add a line to the list below.

pub mod standard;
pub mod three_check;

pub use standard::Standard;
pub use three_check::{ChecksLeft, ThreeCheck};

use crate::board::Rules;
use crate::search::SearchRules;

/// A task that needs the type of a variant, for [`VariantId::visit`].
pub trait Visitor {
    type Output;
    fn visit<V: Variant>(self) -> Self::Output;
}

/// All that makes a game playable.
pub trait Variant: SearchRules {}
impl<R: SearchRules> Variant for R {}

/// Makes the list of variants: an id for each, its type, and the folder of its data.
macro_rules! variants {
    ($($id:ident = $folder:literal),+ $(,)?) => {
        /// Names a variant where its type is not known.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum VariantId {
            $($id),+
        }

        impl VariantId {
            pub const ALL: &'static [VariantId] = &[$(VariantId::$id),+];

            /// The CECP name, such as `3check`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(VariantId::$id => <$id as Rules>::NAME),+
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

            /// Balanced starts for matches: EPD, one per line.
            pub const fn openings(self) -> &'static str {
                match self {
                    $(VariantId::$id => {
                        include_str!(concat!("../../variants/", $folder, "/openings.epd"))
                    }),+
                }
            }

            /// Does a task for the variant's type.
            pub fn visit<T: Visitor>(self, task: T) -> T::Output {
                match self {
                    $(VariantId::$id => task.visit::<$id>()),+
                }
            }
        }
    };
}

variants! {
    Standard = "standard",
    ThreeCheck = "three_check",
}

impl VariantId {
    /// The variant with this CECP name.
    pub fn from_name(name: &str) -> Option<VariantId> {
        VariantId::ALL.iter().copied().find(|id| id.name() == name)
    }
}
