//! A book as a file.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{BookMove, BookRules, Entry, key, move_of_code};
use crate::board::Position;
use crate::files::open_regular;

/// The largest file that is read, in MiB.
pub const MAX_MEBIBYTES: u64 = 512;

/// Why a file cannot be used as a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error("{0}: {1}")]
    Read(PathBuf, io::Error),
    #[error("{0}: more than {MAX_MEBIBYTES} MiB, too large for a book")]
    TooLarge(PathBuf),
    #[error("{0}: the file is empty")]
    Empty(PathBuf),
    #[error(
        "{path}: {bytes} bytes are not a multiple of 16; the file is cut off, or not a Polyglot book"
    )]
    Length { path: PathBuf, bytes: u64 },
    #[error("{path}: entry {entry} is out of order; the file is damaged, or not a Polyglot book")]
    Order {
        path: PathBuf,
        /// Counted from 1.
        entry: usize,
    },
}

/// A book: entries sorted by key. Cheap to search, not to copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
}

impl Book {
    /// Reads a book from a file.
    ///
    /// # Errors
    /// If the file cannot be read, is larger than [`MAX_MEBIBYTES`], or is not a sorted list of
    /// entries.
    pub fn load(path: &Path) -> Result<Book, BookError> {
        let failed = |error| BookError::Read(path.to_owned(), error);
        let file = open_regular(path).map_err(failed)?;
        let limit = MAX_MEBIBYTES << 20;
        let length = file.metadata().map_err(failed)?.len();
        let mut bytes = Vec::new();
        if length <= limit {
            file.take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
        }
        if length.max(bytes.len() as u64) > limit {
            return Err(BookError::TooLarge(path.to_owned()));
        }
        Book::new(bytes, path)
    }

    /// A book from the bytes of a file. `path` is its name in errors.
    ///
    /// # Errors
    /// If the bytes are not a sorted list of entries.
    pub fn new(bytes: impl Into<Cow<'static, [u8]>>, path: &Path) -> Result<Book, BookError> {
        let bytes = bytes.into();
        if bytes.is_empty() {
            return Err(BookError::Empty(path.to_owned()));
        }
        if !bytes.len().is_multiple_of(Entry::SIZE) {
            return Err(BookError::Length { path: path.to_owned(), bytes: bytes.len() as u64 });
        }
        let book = Book { bytes };
        match (1..book.len()).find(|&index| book.entry(index - 1).key > book.entry(index).key) {
            Some(index) => Err(BookError::Order { path: path.to_owned(), entry: index + 1 }),
            None => Ok(book),
        }
    }

    /// The built-in book of a game; `None` if the game has none.
    pub fn built_in<R: BookRules>() -> Option<Book> {
        Book::new(R::BOOK, Path::new("the built-in book")).ok()
    }

    /// A book of these entries. Sorts them by key, the heaviest move of a position first.
    pub fn of_entries(mut entries: Vec<Entry>) -> Book {
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.code));
        let bytes: Vec<u8> = entries.into_iter().flat_map(Entry::to_bytes).collect();
        Book { bytes: bytes.into() }
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.bytes.len() / Entry::SIZE
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The entry with this number, from 0.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn entry(&self, index: usize) -> Entry {
        let bytes = &self.bytes[Entry::SIZE * index..];
        Entry::from_bytes(bytes.first_chunk().expect("the length is a multiple of the entries'"))
    }

    /// All entries, in order.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        (0..self.len()).map(|index| self.entry(index))
    }

    /// The entries of a position, in order, legal or not.
    pub fn find<R: BookRules>(&self, pos: &Position<R>) -> impl Iterator<Item = Entry> {
        let key = key(pos).bits();
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle).key < key { low = middle + 1 } else { high = middle }
        }
        (low..self.len()).map(|index| self.entry(index)).take_while(move |entry| entry.key == key)
    }

    /// The legal moves that the book has in a position, the heaviest first. A move that has several
    /// entries gets the sum of their weights. Illegal moves are left out.
    #[inline(never)]
    pub fn moves<R: BookRules>(&self, pos: &Position<R>) -> Vec<BookMove> {
        let mut entries = self.find(pos).peekable();
        if entries.peek().is_none() {
            return Vec::new();
        }
        let legal = pos.legal_moves();
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in entries {
            let Some(mv) = move_of_code(pos, &legal, entry.code) else { continue };
            match moves.iter_mut().find(|found| found.mv == mv) {
                Some(found) => found.weight = found.weight.saturating_add(entry.weight.into()),
                None => moves.push(BookMove { mv, weight: entry.weight.into() }),
            }
        }
        sort_by_weight(&mut moves);
        moves
    }
}

/// The heaviest move comes first.
fn sort_by_weight(moves: &mut [BookMove]) {
    moves.sort_by_key(|found| std::cmp::Reverse(found.weight));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Standard, ThreeCheck};

    fn entry(key: u64, code: u16, weight: u16) -> Entry {
        Entry { key, code, weight, learn: 0 }
    }

    fn error(bytes: Vec<u8>) -> String {
        Book::new(bytes, Path::new("x.bin")).unwrap_err().to_string()
    }

    #[test]
    fn moves_are_legal_and_sorted_by_weight() {
        let pos = Position::<Standard>::start();
        let start = key(&pos).bits();
        let book = Book::of_entries(vec![
            entry(start + 1, 0x02db, 7),
            entry(start, 0x031c, 40),
            // d2d4 twice, e2e5, g1f3 without weight.
            entry(start, 0x02db, 30),
            entry(start, 0x02db, 31),
            entry(start, 0x0324, 99),
            entry(start, 0x0195, 0),
            entry(start - 1, 0x031c, 7),
        ]);
        let moves: Vec<(String, u32)> =
            book.moves(&pos).iter().map(|found| (found.mv.to_string(), found.weight)).collect();
        let expected = [("d2d4", 61), ("e2e4", 40), ("g1f3", 0)];
        assert_eq!(moves, expected.map(|(mv, weight)| (mv.to_owned(), weight)));
        assert_eq!(book.moves(&Position::<ThreeCheck>::start()), []);
        assert_eq!(Book::new(book.bytes().to_vec(), Path::new("")).unwrap(), book);
    }

    #[test]
    fn first_and_last_entries_are_found() {
        let start = key(&Position::<Standard>::start()).bits();
        for others in [vec![], vec![0, 1], vec![u64::MAX], vec![0, u64::MAX]] {
            let mut entries: Vec<Entry> = others.iter().map(|&key| entry(key, 1, 1)).collect();
            entries.push(entry(start, 0x031c, 1));
            let book = Book::of_entries(entries);
            assert_eq!(book.moves(&Position::<Standard>::start()).len(), 1, "{others:?}");
        }
    }

    #[test]
    fn bad_files_are_refused_with_a_reason() {
        let a = entry(1, 1, 1).to_bytes();
        let b = entry(2, 1, 1).to_bytes();
        assert_eq!(error(Vec::new()), "x.bin: the file is empty");
        let cut = "x.bin: 31 bytes are not a multiple of 16; \
                   the file is cut off, or not a Polyglot book";
        assert_eq!(error([a, b].concat()[..31].to_vec()), cut);
        let order = "x.bin: entry 3 is out of order; \
                     the file is damaged, or not a Polyglot book";
        assert_eq!(error([a, b, a].concat()), order);
        let load = |path: &str| Book::load(Path::new(path)).unwrap_err().to_string();
        assert!(load("no such file").starts_with("no such file: "));
        assert_eq!(load("src"), "src: not a regular file");
        #[cfg(unix)]
        assert_eq!(load("/dev/zero"), "/dev/zero: not a regular file");
    }

    #[test]
    fn a_huge_file_is_not_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        // A sparse file takes no space.
        file.as_file().set_len((MAX_MEBIBYTES << 20) + 16).unwrap();
        let error = Book::load(file.path()).unwrap_err();
        assert!(error.to_string().ends_with("more than 512 MiB, too large for a book"), "{error}");
    }
}
