//! Reads files line by line, whatever they hold.

use std::io::{self, BufRead};

/// The next line without its end; `None` at the end of the input. What is longer than `limit` bytes is cut
/// off.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(input: &mut impl BufRead, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut is_empty = true;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            break;
        }
        is_empty = false;
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let room = limit - line.len();
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok((!is_empty).then_some(line))
}
