//! Files of games for training: how they are written, continued and read.
//!
//! A file begins with a header, all numbers little-endian:
//!
//! ```text
//! 8 bytes  "TREBGAM3"
//! u32      length of the description
//! text     the description: lines `KEY VALUE`, first `variant NAME` with the CECP name, then the
//!          settings of the run
//! u32      checksum of the length and the description
//! ```
//!
//! Then come the games:
//!
//! ```text
//! u32  length of the body          u32  checksum of the length
//! body:
//!   u32  number of the game in its run               u8  result: 0 Black won, 1 draw, 2 White won
//!   u8   length of the FEN, then the FEN
//!   ( u16  move as Move::bits    i16  score in centipawns from the mover )  for each ply
//! u32  checksum of the body
//! ```
//!
//! Two older versions can still be read and continued. Their games have no checksum of the length.
//! The header of version 2 is `TREBGAM2`, a length and a description without settings. The header of
//! version 1 has 16 bytes: `TREBGAM1` and the variant's name, padded with zeros.
//!
//! Games are appended whole. If the writer is killed, the file may end with a part of a game: a *torn
//! tail*. It is cut off before the next game is written. Everything else that is not a game is
//! *damage*: the file is refused and not changed, unless the user wants to skip the damage.

mod error;
mod header;
mod reader;
mod record;
mod window;
mod writer;

pub use error::StoreError;
pub use header::Description;
pub use reader::{GameReader, description_of};
pub use record::StoredGame;
pub use writer::{Continuation, GameWriter};

#[cfg(test)]
mod tests;
