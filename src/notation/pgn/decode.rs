//! The bytes of a PGN file as text.

use std::borrow::Cow;

/// Reads a unit of UTF-16.
type ReadUnit = fn([u8; 2]) -> u16;

/// The byte order marks of UTF-16, with what reads a unit.
const UTF_16: [(&[u8], ReadUnit); 2] =
    [(b"\xff\xfe", u16::from_le_bytes), (b"\xfe\xff", u16::from_be_bytes)];

/// Does a text that begins with these bytes say that it is UTF-16?
pub fn has_utf16_mark(bytes: &[u8]) -> bool {
    UTF_16.iter().any(|(mark, _)| bytes.starts_with(mark))
}

/// The text of a PGN file. A line that is not UTF-8 is read as Latin-1, the character set of the PGN
/// standard. A byte order mark at the start is dropped; if it is that of UTF-16, all of the file is read
/// as such.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    for (mark, read) in UTF_16 {
        if let Some(units) = bytes.strip_prefix(mark) {
            let units: Vec<u16> =
                units.chunks_exact(2).map(|unit| read([unit[0], unit[1]])).collect();
            return Cow::Owned(String::from_utf16_lossy(&units));
        }
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 16);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            // The first 256 characters of Unicode are those of Latin-1.
            Err(_) => text.extend(line.iter().copied().map(char::from)),
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_its_own_character_set() {
        let bytes = b"\xef\xbb\xbf[White \"M\xfcller\"]\r\n[Black \"J\xc3\xb6rg\"]\n";
        assert_eq!(decode(bytes), "[White \"Müller\"]\r\n[Black \"Jörg\"]\n");
        assert_eq!(decode("e4 é".as_bytes()), "e4 é");
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"\xff\xfee\x004\x00"), "e4");
        assert_eq!(decode(b"\xfe\xff\x00e\x004\x00"), "e4");
    }
}
