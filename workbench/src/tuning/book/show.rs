//! `trebuchet book show`: the moves of a book in a position.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{BookToolError, open};
use trebuchet::board::Position;
use trebuchet::book;
use trebuchet::for_variant;
use trebuchet::notation::{parse_move, san};
use trebuchet::variants::{Variant, VariantId};

/// Show the moves of a book in a position.
#[derive(Clone, Debug, clap::Args)]
pub struct ShowArgs {
    /// The position: a FEN, or moves from the start position; nothing for the start position. Before it, the
    /// name of a file stands for --book FILE
    #[arg(value_name = "FEN|MOVES")]
    position: Vec<String>,
    /// The file of the book; by default the built-in book
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
}

/// Runs the tool.
///
/// # Errors
/// If the book or the position cannot be read.
pub fn run(args: &ShowArgs, out: &mut impl Write) -> Result<(), BookToolError> {
    for_variant!(args.variant, V => show::<V>(args, out))
}

fn show<V: Variant>(args: &ShowArgs, out: &mut impl Write) -> Result<(), BookToolError> {
    let words = args.position.join(" ");
    let named =
        args.position.first().filter(|word| args.book.is_none() && Path::new(word).is_file());
    let (path, pos) = match (position::<V>(&words), named) {
        (Err(_), Some(path)) => {
            (Some(Path::new(path)), position::<V>(&args.position[1..].join(" "))?)
        }
        (Err(BookToolError::Move(word, _) | BookToolError::Fen(word, _)), None)
            if args.position.len() == 1 && !word.contains(' ') =>
        {
            return Err(BookToolError::NoBookOrMove(word));
        }
        (pos, _) => (args.book.as_deref(), pos?),
    };
    let book = open::<V>(path)?;
    writeln!(out, "{}", pos.fen())?;
    for line in book::table(&book.moves(&pos), |mv| san(&pos, mv)) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The position that a text means. A FEN has slashes, moves have none.
fn position<V: Variant>(text: &str) -> Result<Position<V>, BookToolError> {
    if text.contains('/') {
        return Position::from_fen(text)
            .map_err(|error| BookToolError::Fen(text.to_owned(), error));
    }
    let mut pos = Position::start();
    for word in text.split_whitespace() {
        // Move numbers are allowed: `1.e4 e5 2. Nf3`.
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() && word.contains('.'));
        let word = word.trim_start_matches('.');
        if !word.is_empty() {
            let mv = parse_move(&pos, word);
            pos.make_move(mv.map_err(|error| BookToolError::Move(word.to_owned(), error))?);
        }
    }
    Ok(pos)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use trebuchet::variants::Standard;

    #[derive(Debug, clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: ShowArgs,
    }

    /// The fields of a FEN that are `-` are no options.
    #[test]
    fn options_may_follow_the_position() {
        for position in ["", "e4 c5", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] {
            let words = position.split_whitespace();
            let options = ["--book", "x.bin", "--variant", "atomic"];
            let Cli { args } =
                Cli::try_parse_from(["show"].into_iter().chain(words).chain(options)).unwrap();
            assert_eq!(args.position.join(" "), position);
            assert_eq!((args.book, args.variant), (Some("x.bin".into()), VariantId::Atomic));
        }
    }

    #[test]
    fn positions_are_fens_or_moves() {
        let fen = |text: &str| position::<Standard>(text).map(|pos| pos.fen());
        let start = Position::<Standard>::start().fen();
        assert_eq!(fen("").unwrap(), start);
        assert_eq!(fen(&start).unwrap(), start);
        let sicilian = fen("e4 c5").unwrap();
        for text in ["e2e4 c7c5", "1. e4 c5", "1.e4 1...c5"] {
            assert_eq!(fen(text).unwrap(), sicilian, "{text}");
        }
        assert!(fen("e4 e4").unwrap_err().to_string().starts_with("e4: "));
        assert!(fen("8/8 w").unwrap_err().to_string().starts_with("8/8 w: "));
    }
}
