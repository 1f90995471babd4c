//! The picture of a position, as SVG.

use std::fmt::{self, Display, Write};

use super::color::Paint;
use super::labels;
use crate::report::pieces::{PIECE_SIZE, piece_elements};
use trebuchet::board::Hands;
use trebuchet::coach::HeatMap;
use trebuchet::play::Pieces;
use trebuchet::types::{Color, Piece, PieceKind, Square};

/// A position with what shall be drawn on it. [`Display`] writes it as SVG without a need for fonts,
/// style sheets or other files.
///
/// The units of the SVG are those of the pieces: a square is [`PIECE_SIZE`] units wide.
#[derive(Clone, Debug)]
pub struct Diagram {
    pub pieces: Pieces,
    /// The position in words, for people who do not see the picture.
    pub title: String,
    /// Is Black below?
    pub is_flipped: bool,
    /// Are files and ranks named beside the board?
    pub has_coordinates: bool,
    /// The squares of the last move.
    pub last_move: Option<(Square, Square)>,
    /// The squares where a king wins, as bits by [`Square::index64`].
    pub goal: u64,
    /// Squares with a frame.
    pub marks: Vec<(Square, Paint)>,
    pub arrows: Vec<Arrow>,
    pub heat: Option<HeatMap>,
    /// The checks given, beneath the board, for games that count them.
    pub checks: Option<ChecksGiven>,
    /// The men in hand, beneath the board, for games with drops.
    pub hands: Option<Hands>,
    /// The width of the picture, in pixels.
    pub width: u32,
}

/// An arrow from the middle of one square to that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: Square,
    pub to: Square,
    pub paint: Paint,
}

/// The checks that White and Black have given, and how many win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChecksGiven {
    pub given: [u8; 2],
    pub goal: u8,
}

const SQUARE: f64 = PIECE_SIZE as f64;
const BOARD: f64 = 8.0 * SQUARE;
/// The room for the coordinates, on the left and beneath.
const MARGIN: f64 = 18.0;
/// The room for the checks or the men in hand, beneath.
const FOOTER: f64 = 34.0;

/// How small the men in hand are, compared with those on the board, and the steps between two kinds and
/// between two men of a kind.
const HAND_SCALE: f64 = 0.6;
const KIND_STEP: f64 = 22.0;
const MAN_STEP: f64 = 5.0;

/// The colours of light and dark squares; paler beneath a heat map, whose colours then stand out.
const BOARD_COLORS: [&str; 2] = ["#f0d9b5", "#b58863"];
const HEAT_BOARD_COLORS: [&str; 2] = ["#f4f4f4", "#cfcfcf"];
/// The colours of squares that White leads, Black leads, and nobody leads.
const HEAT_COLORS: [&str; 3] = ["#0072b2", "#d55e00", "#8a5fb0"];
/// Diagonal lines on a square.
const HATCH: &str = "M0 15L15 0M0 30L30 0M0 45L45 0M15 45L45 15M30 45L45 30";

/// Five dots on a square.
const DOTS: &str = "M11 11h.1M34 11h.1M22.5 22.5h.1M11 34h.1M34 34h.1";

impl Diagram {
    /// The pieces alone, White below.
    pub fn new(pieces: Pieces) -> Diagram {
        Diagram {
            pieces,
            title: String::new(),
            is_flipped: false,
            has_coordinates: true,
            last_move: None,
            goal: 0,
            marks: Vec::new(),
            arrows: Vec::new(),
            heat: None,
            checks: None,
            hands: None,
            width: 400,
        }
    }

    /// Width and height of the picture, in pixels.
    pub fn size(&self) -> (u32, u32) {
        let (width, height) = self.units();
        (self.width, (f64::from(self.width) * height / width).round() as u32)
    }

    fn margin(&self) -> f64 {
        if self.has_coordinates { MARGIN } else { 0.0 }
    }

    fn units(&self) -> (f64, f64) {
        let has_footer = self.checks.is_some() || self.hands.is_some();
        let footer = if has_footer { FOOTER } else { 0.0 };
        (BOARD + self.margin(), BOARD + self.margin() + footer)
    }

    /// The upper left corner of a square, from that of the board.
    fn corner(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (f64::from(square.file()), f64::from(square.rank()));
        if self.is_flipped {
            ((7.0 - file) * SQUARE, rank * SQUARE)
        } else {
            (file * SQUARE, (7.0 - rank) * SQUARE)
        }
    }

    fn middle(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    }

    fn write_squares(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [light, dark] = if self.heat.is_some() { HEAT_BOARD_COLORS } else { BOARD_COLORS };
        writeln!(f, "<path fill=\"{light}\" d=\"M0 0H{BOARD}V{BOARD}H0z\"/>")?;
        write!(f, "<path fill=\"{dark}\" d=\"")?;
        // The corner at the upper left is light from both sides of the board.
        for square in Square::all().filter(|square| !square.is_light()) {
            let (x, y) = self.corner(square);
            write!(f, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z")?;
        }
        writeln!(f, "\"/>")
    }

    fn write_heat(&self, f: &mut fmt::Formatter, map: &HeatMap) -> fmt::Result {
        for square in Square::all() {
            let heat = map.heat(square);
            if heat == 0 {
                continue;
            }
            let (x, y) = self.corner(square);
            let leader = map.leader(square);
            let color = HEAT_COLORS[leader.map_or(2, Color::index)];
            let opacity = Rounded(0.12 + 0.0075 * f64::from(heat));
            write!(f, "<g transform=\"translate({x} {y})\" opacity=\"{opacity}\">")?;
            write!(f, "<path fill=\"{color}\" d=\"M0 0H{SQUARE}V{SQUARE}H0z\"/>")?;
            // Lines and dots tell where colours do not.
            let strokes = match leader {
                Some(Color::White) => None,
                Some(Color::Black) => Some(("#5c2800", 2, HATCH)),
                None => Some(("#33124f", 4, DOTS)),
            };
            if let Some((color, width, lines)) = strokes {
                write!(
                    f,
                    "<path fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" \
                     stroke-linecap=\"round\" d=\"{lines}\"/>"
                )?;
            }
            writeln!(f, "</g>")?;
        }
        Ok(())
    }

    fn write_last_move(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some((from, to)) = self.last_move else { return Ok(()) };
        for square in [from, to] {
            let (x, y) = self.corner(square);
            writeln!(
                f,
                "<path fill=\"#9bc700\" fill-opacity=\"0.45\" d=\"M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z\"/>"
            )?;
        }
        Ok(())
    }

    /// A line along the inner edge of each goal.
    fn write_goal(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for square in Square::all().filter(|square| square.is_in(self.goal)) {
            let (x, y) = self.corner(square);
            let (x, y) = (x + 1.0, y + 1.0);
            writeln!(
                f,
                "<path class=\"goal\" fill=\"none\" stroke=\"#00616e\" stroke-width=\"2\" \
                 d=\"M{x} {y}h43v43h-43z\"/>"
            )?;
        }
        Ok(())
    }

    fn write_marks(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for &(square, paint) in &self.marks {
            let (x, y) = self.corner(square);
            let (x, y) = (x + 2.5, y + 2.5);
            writeln!(
                f,
                "<rect x=\"{x}\" y=\"{y}\" width=\"40\" height=\"40\" rx=\"3\" fill=\"{paint}\" \
                 fill-opacity=\"0.25\" stroke=\"{paint}\" stroke-width=\"4\"/>"
            )?;
        }
        Ok(())
    }

    fn write_pieces(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for square in Square::all() {
            if let Some(piece) = self.pieces[square.index64()] {
                let (x, y) = self.corner(square);
                let elements = piece_elements(piece);
                writeln!(f, "<g transform=\"translate({x} {y})\">{elements}</g>")?;
            }
        }
        Ok(())
    }

    fn write_arrow(&self, f: &mut fmt::Formatter, arrow: Arrow) -> fmt::Result {
        let (from, to) = (self.middle(arrow.from), self.middle(arrow.to));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        if length == 0.0 {
            return Ok(());
        }
        let (along_x, along_y) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        // A point so far along the arrow, and so far to its right.
        let point = |along: f64, aside: f64| {
            let x = from.0 + along * along_x - aside * along_y;
            let y = from.1 + along * along_y + aside * along_x;
            format!("{} {}", Rounded(x), Rounded(y))
        };
        let (tail, neck, tip) = (10.0, length - 20.0, length - 2.0);
        let outline = [
            point(tail, 4.0),
            point(neck, 4.0),
            point(neck, 12.0),
            point(tip, 0.0),
            point(neck, -12.0),
            point(neck, -4.0),
            point(tail, -4.0),
        ];
        let (paint, outline) = (arrow.paint, outline.join("L"));
        writeln!(
            f,
            "<path fill=\"{paint}\" fill-opacity=\"0.85\" stroke=\"#fff\" stroke-opacity=\"0.7\" \
             stroke-linejoin=\"round\" d=\"M{outline}z\"/>"
        )
    }

    fn write_coordinates(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "<g fill=\"none\" stroke=\"#444\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
        )?;
        let mut label = |label: char, x: f64, y: f64| match labels::strokes(label) {
            Some(strokes) => writeln!(
                f,
                "<path transform=\"translate({} {})\" d=\"{strokes}\"/>",
                Rounded(x - labels::WIDTH / 2.0),
                Rounded(y - labels::HEIGHT / 2.0)
            ),
            None => Ok(()),
        };
        for index in 0..8u8 {
            let (x, y) = self.middle(Square::new(index, index));
            label((b'1' + index) as char, -MARGIN / 2.0, y)?;
            label((b'a' + index) as char, x, BOARD + MARGIN / 2.0)?;
        }
        writeln!(f, "</g>")
    }

    /// For each side its king, and a circle for each check that wins together: full if it was given.
    fn write_checks(&self, f: &mut fmt::Formatter, checks: ChecksGiven) -> fmt::Result {
        let top = BOARD + self.margin() + 4.0;
        for color in Color::ALL {
            let left = BOARD / 2.0 * color.index() as f64;
            let king = piece_elements(Piece::new(color, PieceKind::King));
            writeln!(
                f,
                "<g transform=\"translate({left} {}) scale(0.6)\">{king}</g>",
                Rounded(top)
            )?;
            for number in 0..checks.goal {
                let (x, y) = (left + 40.0 + 22.0 * f64::from(number), top + 14.0);
                let is_given = number < checks.given[color.index()];
                let (fill, stroke) = if is_given { ("#444", "#fff") } else { ("#fff", "#999") };
                writeln!(
                    f,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"8.5\" fill=\"{fill}\" stroke=\"#444\" \
                     stroke-width=\"1.5\"/><path stroke=\"{stroke}\" stroke-width=\"2\" \
                     d=\"M{} {y}h9M{x} {}v9\"/>",
                    x - 4.5,
                    y - 4.5
                )?;
            }
        }
        Ok(())
    }

    /// White's men in hand on the left and Black's on the right. Men of one kind overlap.
    fn write_hands(&self, f: &mut fmt::Formatter, hands: &Hands) -> fmt::Result {
        let top = Rounded(BOARD + self.margin() + 4.0);
        for color in Color::ALL {
            let mut left = BOARD / 2.0 * color.index() as f64;
            let men = hands.letters(color).len() as f64;
            // Even a full hand ends where the other one begins.
            let step = MAN_STEP.min((BOARD / 2.0 - 5.0 * KIND_STEP) / men.max(1.0));
            for kind in Hands::KINDS {
                let count = hands.count(color, kind);
                let man = piece_elements(Piece::new(color, kind));
                for _ in 0..count {
                    let x = Rounded(left);
                    writeln!(
                        f,
                        "<g transform=\"translate({x} {top}) scale({HAND_SCALE})\">{man}</g>"
                    )?;
                    left += step;
                }
                left += if count > 0 { KIND_STEP - step } else { 0.0 };
            }
        }
        Ok(())
    }
}

impl Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ((width, height), (units_x, units_y)) = (self.size(), self.units());
        let left = Rounded(-self.margin());
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{left} 0 {units_x} {units_y}\" role=\"img\">"
        )?;
        writeln!(f, "<title>{}</title>", XmlText(&self.title))?;
        // Paper: coordinates and checks stay readable in a dark window.
        writeln!(f, "<path fill=\"#fff\" d=\"M{left} 0H{BOARD}V{units_y}H{left}z\"/>")?;
        self.write_squares(f)?;
        if let Some(map) = &self.heat {
            self.write_heat(f, map)?;
        }
        self.write_last_move(f)?;
        self.write_goal(f)?;
        self.write_marks(f)?;
        self.write_pieces(f)?;
        for &arrow in &self.arrows {
            self.write_arrow(f, arrow)?;
        }
        if self.has_coordinates {
            self.write_coordinates(f)?;
        }
        if let Some(checks) = self.checks {
            self.write_checks(f, checks)?;
        }
        if let Some(hands) = &self.hands {
            self.write_hands(f, hands)?;
        }
        writeln!(f, "</svg>")
    }
}

/// A number with at most two digits after the point.
struct Rounded(f64);

impl Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // Adding zero turns -0 into 0.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

/// Text between the tags of XML. Leaves out control characters, which XML does not allow.
struct XmlText<'a>(&'a str);

impl Display for XmlText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                c if c.is_control() => {}
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
