//! `trebuchet diagram`: a picture of one position.

mod color;
mod labels;
mod picture;
mod png;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub use color::{Paint, UnknownPaint};
pub use picture::{Arrow, ChecksGiven, Diagram};
pub use png::{PngError, png};

use crate::files;
use trebuchet::board::{FenError, Position};
use trebuchet::for_variant;
use trebuchet::play::{Game, new_game};
use trebuchet::types::{Color, Square};
use trebuchet::variants::{Variant, VariantId};

/// Draw a position, as SVG or PNG.
///
/// Colours are blue, orange, green, red, yellow, purple, white, black, or a number such as #ff8800.
#[derive(Clone, Debug, clap::Args)]
pub struct DiagramArgs {
    /// The position; by default the start position of the variant
    #[arg(value_name = "FEN", num_args = 0..)]
    fen: Vec<String>,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// The file of the picture: .svg or .png; by default SVG goes to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Show how much each square matters: blue where White leads, hatched orange where Black leads, dotted violet where nobody does
    #[arg(long)]
    heat: bool,
    /// Draw an arrow; may be given several times
    #[arg(long, value_name = "e2e4[:COLOUR]")]
    arrow: Vec<ArrowText>,
    /// Mark a square; may be given several times
    #[arg(long, value_name = "e4[:COLOUR]")]
    mark: Vec<MarkText>,
    /// Tint the two squares of the last move
    #[arg(long, value_name = "e2e4")]
    last_move: Option<SquarePair>,
    /// Show the board with Black below
    #[arg(long)]
    flip: bool,
    /// The width of the picture in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 400, value_parser = clap::value_parser!(u32).range(32..=8192))]
    size: u32,
    /// Do not name files and ranks beside the board
    #[arg(long)]
    no_coordinates: bool,
}

/// Why a diagram could not be made.
#[derive(Debug, thiserror::Error)]
pub enum DiagramError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("{0}: the name must end in .svg or .png")]
    Format(PathBuf),
    #[error("{0} exists: another name, or --force to replace it")]
    Exists(PathBuf),
    #[error(transparent)]
    Png(#[from] PngError),
    #[error("{0}: {1}")]
    File(PathBuf, #[source] io::Error),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs the command.
///
/// # Errors
/// If the FEN is bad, if the file exists or has another ending than `.svg` and `.png`, or if the
/// picture cannot be written.
pub fn run(args: &DiagramArgs) -> Result<(), DiagramError> {
    let diagram = for_variant!(args.variant, V => args.diagram::<V>())?;
    let Some(path) = &args.output else {
        io::stdout().write_all(diagram.to_string().as_bytes())?;
        return Ok(());
    };
    let has_ending = |ending| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(ending));
    let bytes = if has_ending("png") {
        png(&diagram)?
    } else if has_ending("svg") {
        diagram.to_string().into_bytes()
    } else {
        return Err(DiagramError::Format(path.clone()));
    };
    write(path, &bytes, args.force)
}

fn write(path: &Path, bytes: &[u8], replaces: bool) -> Result<(), DiagramError> {
    if !replaces && path.symlink_metadata().is_ok() {
        return Err(DiagramError::Exists(path.to_owned()));
    }
    files::replace(path, bytes).map_err(|error| DiagramError::File(path.to_owned(), error))
}

impl DiagramArgs {
    fn diagram<V: Variant>(&self) -> Result<Diagram, FenError> {
        let pos = match &self.fen[..] {
            [] => Position::<V>::start(),
            fields => Position::from_fen(&fields.join(" "))?,
        };
        let mut game = new_game(V::ID);
        game.set_board(&pos.fen())?;
        Ok(Diagram {
            title: title(game.as_ref()),
            is_flipped: self.flip,
            has_coordinates: !self.no_coordinates,
            last_move: self.last_move.map(|pair| (pair.0, pair.1)),
            marks: self.mark.iter().map(|mark| (mark.0, mark.1)).collect(),
            arrows: self.arrow.iter().map(|arrow| arrow.0).collect(),
            heat: self.heat.then(|| game.heat_map()),
            checks: checks_given(&pos),
            hands: pos.hands().copied(),
            goal: V::GOAL,
            width: self.size,
            ..Diagram::new(game.pieces())
        })
    }
}

/// The diagram of a position. `None` if this is no FEN of the game.
pub fn for_position(variant: VariantId, fen: &str) -> Option<Diagram> {
    let mut game = new_game(variant);
    game.set_board(fen).ok()?;
    let (checks, hands) = for_variant!(variant, V => {
        let pos = Position::<V>::from_fen(fen).ok()?;
        (checks_given(&pos), pos.hands().copied())
    });
    let (title, goal) = (title(game.as_ref()), variant.goal());
    Some(Diagram { title, checks, hands, goal, ..Diagram::new(game.pieces()) })
}

/// A position in words.
fn title(game: &dyn Game) -> String {
    let mut title = format!("{} to move", game.side_to_move());
    if let Some(state) = game.describe_state() {
        title += &format!(". {state}");
    }
    format!("{title}. {}", game.fen())
}

/// The checks given so far, in a game that counts them.
pub fn checks_given<V: Variant>(pos: &Position<V>) -> Option<ChecksGiven> {
    let goal = V::checks_left(Position::<V>::start().state());
    let left = V::checks_left(pos.state());
    let given = Color::ALL.map(|color| goal[color.index()].saturating_sub(left[color.index()]));
    (goal[0] > 0).then_some(ChecksGiven { given, goal: goal[0] })
}

/// Two squares on the command line: `e2e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SquarePair(Square, Square);

/// An arrow on the command line: `e2e4` or `e2e4:red`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ArrowText(Arrow);

/// A mark on the command line: `e4` or `e4:red`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MarkText(Square, Paint);

/// Why an argument is no arrow or mark.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum DrawingError {
    #[error("{0:?} is no square such as e4")]
    Square(String),
    #[error("{0:?} is no pair of squares such as e2e4")]
    Pair(String),
    #[error(transparent)]
    Paint(#[from] UnknownPaint),
}

impl FromStr for SquarePair {
    type Err = DrawingError;

    fn from_str(text: &str) -> Result<SquarePair, DrawingError> {
        let squares = text
            .split_at_checked(2)
            .and_then(|(from, to)| Some(SquarePair(Square::parse(from)?, Square::parse(to)?)));
        let squares = squares.filter(|SquarePair(from, to)| from != to);
        squares.ok_or_else(|| DrawingError::Pair(text.to_owned()))
    }
}

impl FromStr for ArrowText {
    type Err = DrawingError;

    fn from_str(text: &str) -> Result<ArrowText, DrawingError> {
        let (squares, paint) = split_paint(text, Paint::BLUE)?;
        let SquarePair(from, to) = squares.parse()?;
        Ok(ArrowText(Arrow { from, to, paint }))
    }
}

impl FromStr for MarkText {
    type Err = DrawingError;

    fn from_str(text: &str) -> Result<MarkText, DrawingError> {
        let (square, paint) = split_paint(text, Paint::ORANGE)?;
        let parsed = Square::parse(square);
        Ok(MarkText(parsed.ok_or_else(|| DrawingError::Square(square.to_owned()))?, paint))
    }
}

/// The part before the colon, and the colour after it.
fn split_paint(text: &str, usual: Paint) -> Result<(&str, Paint), UnknownPaint> {
    match text.split_once(':') {
        Some((squares, paint)) => Ok((squares, paint.parse()?)),
        None => Ok((text, usual)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_and_marks_have_a_colour() {
        let square = |name| Square::parse(name).unwrap();
        let arrow = Arrow { from: square("e2"), to: square("e4"), paint: Paint::BLUE };
        assert_eq!("e2e4".parse(), Ok(ArrowText(arrow)));
        let paint = Paint::ORANGE;
        assert_eq!("e2e4:orange".parse(), Ok(ArrowText(Arrow { paint, ..arrow })));
        assert_eq!("e4:blue".parse(), Ok(MarkText(square("e4"), Paint::BLUE)));
        assert_eq!("e4".parse(), Ok(MarkText(square("e4"), Paint::ORANGE)));
        for bad in ["", "e2", "e2e", "e2e2", "e2e9", "e2e4e6", "é2e4", "e2e4:", "e2e4:x"] {
            assert!(bad.parse::<ArrowText>().is_err(), "{bad}");
        }
        for bad in ["", "e", "e9", "e2e4", "ü", "e4:"] {
            assert!(bad.parse::<MarkText>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_position_has_its_checks_and_hands() {
        let hand = "4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1";
        let hands = for_position(VariantId::Crazyhouse, hand).unwrap().hands.unwrap();
        assert_eq!(Color::ALL.map(|color| hands.letters(color)), ["Q", "n"]);
        let checks = "4k3/8/8/8/8/8/8/4K3 w - - 1+3 0 1";
        let checks = for_position(VariantId::ThreeCheck, checks).unwrap().checks.unwrap();
        assert_eq!((checks.given, checks.goal), ([2, 0], 3));
        let chess = for_position(VariantId::Standard, "4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(chess.hands.is_none() && chess.checks.is_none());
        assert!(for_position(VariantId::Standard, hand).is_none());
    }

    #[cfg(feature = "png")]
    #[test]
    fn a_png_has_the_colours_of_the_squares() {
        let pieces = [None; 64];
        let diagram = Diagram { has_coordinates: false, width: 80, ..Diagram::new(pieces) };
        let bytes = png(&diagram).unwrap();
        let pixels = resvg::tiny_skia::Pixmap::decode_png(&bytes).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (80, 80));
        let at = |x, y| {
            let pixel = pixels.pixel(x, y).unwrap();
            (pixel.red(), pixel.green(), pixel.blue())
        };
        assert_eq!((at(5, 5), at(15, 5)), ((0xf0, 0xd9, 0xb5), (0xb5, 0x88, 0x63)));
        assert_eq!((at(5, 75), at(75, 75)), ((0xb5, 0x88, 0x63), (0xf0, 0xd9, 0xb5)));
    }
}
