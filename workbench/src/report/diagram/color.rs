//! The colours of arrows and marks.

use std::fmt;
use std::str::FromStr;

/// A colour: one of our names, or red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint([u8; 3]);

/// The names. The colours are those of Okabe and Ito, which also people can tell apart who do not see
/// red, green or blue.
const NAMES: [(&str, Paint); 8] = [
    ("blue", Paint::BLUE),
    ("orange", Paint::ORANGE),
    ("green", Paint([0x00, 0x9e, 0x73])),
    ("red", Paint([0xd5, 0x5e, 0x00])),
    ("yellow", Paint([0xf0, 0xe4, 0x42])),
    ("purple", Paint([0xcc, 0x79, 0xa7])),
    ("white", Paint([0xff, 0xff, 0xff])),
    ("black", Paint([0x00, 0x00, 0x00])),
];

impl Paint {
    /// The usual colour of an arrow.
    pub const BLUE: Paint = Paint([0x00, 0x72, 0xb2]);
    /// The usual colour of a mark.
    pub const ORANGE: Paint = Paint([0xe6, 0x9f, 0x00]);
}

/// A text that names no colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no colour: use blue, orange, green, red, yellow, purple, white, black or a number such as #ff8800"
)]
pub struct UnknownPaint(String);

impl FromStr for Paint {
    type Err = UnknownPaint;

    fn from_str(text: &str) -> Result<Paint, UnknownPaint> {
        if let Some((_, paint)) = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
            return Ok(*paint);
        }
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let is_hex = |digits: &&str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = digits.filter(is_hex).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, red, green, blue] =
            number.ok_or_else(|| UnknownPaint(text.to_owned()))?.to_be_bytes();
        Ok(Paint([red, green, blue]))
    }
}

/// As SVG writes it: `#0072b2`.
impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_names_and_numbers() {
        let read = |text: &str| text.parse::<Paint>().map(|paint| paint.to_string());
        assert_eq!(read("Blue").unwrap(), "#0072b2");
        assert_eq!(read("#ff8800").unwrap(), "#ff8800");
        for bad in ["", "#", "#12345", "#1234567", "#12345g", "#+12345", "url(x)", "\"/>", "ff8800"]
        {
            assert_eq!(read(bad), Err(UnknownPaint(bad.to_owned())));
        }
    }
}
