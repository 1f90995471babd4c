//! The bytes of a PGN file as text.

use std::borrow::Cow;

/// The text of a PGN file. A line that is not UTF-8 is read as Latin-1, the character set of the PGN
/// standard. A byte order mark at the start is dropped.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
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
    }
}
