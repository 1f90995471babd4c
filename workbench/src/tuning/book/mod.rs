//! `trebuchet book`: makes opening books, shows their moves, merges and checks them.

mod check;
mod expand;
mod games;
mod make;
mod merge;
mod show;
mod weights;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::counts::count;
use crate::files;
use crate::parallel::ThreadError;
use crate::tuning::datagen::store::StoreError;
use trebuchet::board::FenError;
use trebuchet::book::{Book, BookError};
use trebuchet::notation::MoveError;
use trebuchet::variants::Variant;

/// Make, show, merge and check opening books.
///
/// A book is a file in the format of Polyglot.
#[derive(Clone, Debug, clap::Args)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum BookCommand {
    Make(make::MakeArgs),
    Show(show::ShowArgs),
    Merge(merge::MergeArgs),
    Check(check::CheckArgs),
}

/// Why a tool for books failed.
#[derive(Debug, thiserror::Error)]
pub enum BookToolError {
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("there is no built-in book for {0}: name the file of one")]
    NoBuiltIn(&'static str),
    #[error("{0}: neither a file, nor a legal move, nor a FEN")]
    NoBookOrMove(String),
    #[error("nothing to make a book from: name files of games, or search with --positions")]
    NoSource,
    #[error("the book has no moves: it is not written")]
    NoMoves,
    #[error("{0} is named twice: its moves would count twice")]
    Repeated(PathBuf),
    #[error("{0} exists: another name, or --force to replace it")]
    Exists(PathBuf),
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error(transparent)]
    Games(StoreError),
    #[error(
        "{0} is damaged at byte {1} (`data merge --skip-damage` makes a file without the damage)"
    )]
    DamagedGames(PathBuf, u64),
    #[error(transparent)]
    Thread(#[from] ThreadError),
    #[error("{0}: {1}")]
    Fen(String, FenError),
    #[error("{0}: {1}")]
    Move(String, MoveError),
    #[error("problems found: {0}")]
    Problems(usize),
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

/// The tools for books cannot skip damage.
impl From<StoreError> for BookToolError {
    fn from(error: StoreError) -> BookToolError {
        match error {
            StoreError::Damaged { path, offset } => BookToolError::DamagedGames(path, offset),
            error => BookToolError::Games(error),
        }
    }
}

/// Runs the tool.
///
/// # Errors
/// If a file cannot be read or written, if there is nothing to do, or if `check` finds problems.
pub fn run(args: &BookArgs) -> Result<(), BookToolError> {
    let out = &mut io::stdout().lock();
    match &args.command {
        BookCommand::Make(args) => make::run(args, out),
        BookCommand::Show(args) => show::run(args, out),
        BookCommand::Merge(args) => merge::run(args, out),
        BookCommand::Check(args) => check::run(args, out),
    }
}

/// The book in a file, or the built-in book of a game.
fn open<V: Variant>(path: Option<&Path>) -> Result<Book, BookToolError> {
    match path {
        Some(path) => Ok(Book::load(path)?),
        None => Book::built_in::<V>().ok_or(BookToolError::NoBuiltIn(V::NAME)),
    }
}

/// Refuses, before any work, a source that is named twice, and to write over a source, or over a file
/// unless the user wants that.
fn check_target(path: &Path, sources: &[PathBuf], replaces: bool) -> Result<(), BookToolError> {
    if let Some(path) = files::repeated(sources) {
        return Err(BookToolError::Repeated(path.to_owned()));
    }
    files::check_output(path, sources)
        .map_err(|error| BookToolError::File(path.to_owned(), error))?;
    check_new(path, replaces)
}

fn check_new(path: &Path, replaces: bool) -> Result<(), BookToolError> {
    if !replaces && fs::symlink_metadata(path).is_ok() {
        return Err(BookToolError::Exists(path.to_owned()));
    }
    Ok(())
}

/// Writes a book.
fn write(book: &Book, path: &Path, replaces: bool) -> Result<(), BookToolError> {
    if book.is_empty() {
        return Err(BookToolError::NoMoves);
    }
    check_new(path, replaces)?;
    files::replace(path, book.bytes()).map_err(|error| BookToolError::File(path.to_owned(), error))
}

/// What a book holds, for people.
fn summary(book: &Book) -> String {
    let mut positions: Vec<u64> = book.entries().map(|entry| entry.key).collect();
    positions.dedup();
    format!("{}, {}", count(positions.len(), "position"), count(book.len(), "move"))
}
