//! Opening books in the format of Polyglot (F. Letouzey): read, searched, chosen from, written.
//!
//! Imports `movegen` and what is below it. It knows no search and makes no books. `docs/book.md`
//! describes the format, and how keys of other games differ from Polyglot's.

mod choice;
mod entry;
mod file;
mod key;
mod repertoire;
mod rules;

pub use choice::{BookMove, choose, table};
pub use entry::{Entry, code, move_of_code};
pub use file::{Book, BookError, MAX_MEBIBYTES};
pub use key::key;
pub use repertoire::{Repertoire, RepertoireLine};
pub use rules::BookRules;
