//! A part of a file that moves forwards.

use std::io::{self, Read};

/// How many bytes are read at once, at least.
const BLOCK: usize = 1 << 20;

/// The bytes of a file, read when they are asked for and forgotten when later ones are.
pub struct Window<R> {
    file: R,
    /// Where `bytes` begin in the file.
    start: u64,
    bytes: Vec<u8>,
    is_at_end: bool,
}

impl<R: Read> Window<R> {
    pub fn new(file: R) -> Window<R> {
        Window { file, start: 0, bytes: Vec::new(), is_at_end: false }
    }

    /// `length` bytes from `offset` on, fewer at the end of the file. `offset` must not be smaller than
    /// in an earlier call, and not lie past the bytes that an earlier call returned.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&mut self, offset: u64, length: usize) -> io::Result<&[u8]> {
        let mut skipped = (offset - self.start) as usize;
        if self.bytes.len() < skipped + length && !self.is_at_end {
            self.bytes.drain(..skipped);
            (self.start, skipped) = (offset, 0);
            let missing = (length - self.bytes.len()).max(BLOCK);
            let read = (&mut self.file).take(missing as u64).read_to_end(&mut self.bytes)?;
            self.is_at_end = read < missing;
        }
        let end = self.bytes.len().min(skipped + length);
        Ok(&self.bytes[skipped..end])
    }
}
