//! Letters and digits as lines, so that a diagram needs no font.

/// The width of a label, in units of the diagram.
pub const WIDTH: f64 = 6.0;

/// The height of a label above its line of writing; `g` reaches two units further down.
pub const HEIGHT: f64 = 8.0;

/// The lines of a file or rank label, `a` to `h` and `1` to `8`, as SVG path data in a box with its
/// upper left corner at 0, 0. `None` for other characters.
pub fn strokes(label: char) -> Option<&'static str> {
    Some(match label {
        'a' => "M5 4V8M5 6a2 2 0 1 1-4 0a2 2 0 1 1 4 0z",
        'b' => "M1 .5V8M5 6a2 2 0 1 1-4 0a2 2 0 1 1 4 0z",
        'c' => "M4.7 4.9a2 2 0 1 0 0 2.2",
        'd' => "M5 .5V8M5 6a2 2 0 1 1-4 0a2 2 0 1 1 4 0z",
        'e' => "M1 6h4a2 2 0 1 0-.6 1.4",
        'f' => "M4.8 .7a1.8 1.8 0 0 0-2.2 1.8V8M1.2 3.8h3",
        'g' => "M5 4v4.2a2 2 0 0 1-3.7 1M5 6a2 2 0 1 1-4 0a2 2 0 1 1 4 0z",
        'h' => "M1 .5V8M1 6a2 2 0 0 1 4 0V8",
        '1' => "M1.4 2.2L3.4 .6V8",
        '2' => "M1 2.5a2 2 0 0 1 4 0c0 1.6-4 3.6-4 5.5h4.2",
        '3' => "M1.1 1.5a1.8 1.75 0 1 1 1.7 2.5a2.1 2 0 1 1-2 2.6",
        '4' => "M4.2 8V.6L.7 5.8h4.7",
        '5' => "M4.8 .6H1.7l-.3 3.2a2.1 2.2 0 1 1-.3 3",
        '6' => "M4.4 .7C2.2 1.4 1 3.4 1 5.8M5 5.8a2 2.2 0 1 1-4 0a2 2.2 0 1 1 4 0z",
        '7' => "M.9 .6h4.2L2.4 8",
        '8' => "M4.7 2.3a1.7 1.7 0 1 1-3.4 0a1.7 1.7 0 1 1 3.4 0zM5 6a2 2 0 1 1-4 0a2 2 0 1 1 4 0z",
        _ => return None,
    })
}
