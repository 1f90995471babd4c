//! Training positions and their files: `data pack` writes them, `train` reads them.
//!
//! A file begins with a header, all numbers little-endian:
//!
//! ```text
//! 8 bytes  "TREBPOS2"
//! u32      length of the description
//! text     the description: lines `KEY VALUE`, see below
//! u64      checksum of the length and the description
//! ```
//!
//! Then come the positions, first those for training in random order, then those for validation in the
//! order of their games. Both parts are cut into blocks of 32,768 positions, the last block of a part may be
//! shorter. A block is its positions and the checksum of these bytes (u64). All checksums are FNV-1a with 64
//! bits. A position has 40 bytes:
//!
//! ```text
//! u64       the occupied squares, a1 is bit 0, b1 bit 1
//! 26 bytes  the pieces on them in this order, then the men in hand, those of a kind side by side, 4 bits each,
//!           the lower half first: 0 to 5 White's pawn, knight, bishop, rook, queen, king, 6 to 11 Black's
//! u16       target: the expected points of the side to move, 65,535 is one point
//! 6 bits    the square of White's king, 0 to 63
//! 2 bits    result for the side to move in half points: 0 to 2; 3 if the position is of no game
//! 6 bits    the square of Black's king
//! 1 bit     1 if Black is to move
//! 1 bit     1 if both sides look at the board from White's side
//! 2 × 4 bit the race levels of the side to move and of the other, 0 to 2
//! u8        the number of men in hand
//! ```
//!
//! The description begins with `variants`, the CECP names of the variants with commas between them,
//! `training` and `validation`, the numbers of positions, and `fingerprint`, a hash of the seed of their order
//! and of all positions before they were shuffled, in hexadecimal. The settings of `data pack` follow.

mod error;
mod file;
mod game;
mod header;
mod position;

pub use error::PositionsError;
pub use file::{PositionFile, write_blocks};
pub use game::add_game;
pub use header::{FAMILY, Header, Part};
pub use position::{POSITION_BYTES, TrainingPosition, expected_points};
