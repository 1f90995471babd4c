//! The packing of values: runs of equal values and a Huffman code.
//!
//! A block holds [`BLOCK`] values and is packed for itself, so that a probe unpacks one block. Its
//! symbols are values (0 to 255) and repetitions: symbol 256 + k stands for 2^(k+2) times the last
//! value again. All blocks of a table share one canonical Huffman code, whose code words have at most
//! 12 bits. A block whose values are all the same takes one byte.

use super::index::BLOCK;
use super::value::Code;

/// The number of symbols: the values, and repetitions of 4 to 2048 values.
const SYMBOLS: usize = 256 + 10;
/// The longest code word, in bits.
const LONGEST_WORD: u32 = 12;
/// The code of a table in its file: two lengths in a byte.
pub const CODE_BYTES: usize = SYMBOLS / 2;

/// The values of a table's blocks, packed.
pub struct Packed {
    /// The lengths of the code words, as in a file.
    pub code: [u8; CODE_BYTES],
    /// Where each block begins in `data`; one entry more than there are blocks.
    pub starts: Vec<u32>,
    pub data: Vec<u8>,
}

/// A Huffman code that unpacks blocks.
pub struct Unpacker {
    /// By the next 12 bits: the symbol times 16, and the length of its word. 0 where no word begins.
    words: Box<[u16]>,
}

/// Packs blocks of [`BLOCK`] values. A block that is `None` takes no room.
pub fn pack<'a>(blocks: impl Iterator<Item = Option<&'a [u8]>> + Clone) -> Packed {
    let mut counts = [0u64; SYMBOLS];
    for block in blocks.clone().flatten() {
        if constant(block).is_none() {
            visit_symbols(block, |symbol| counts[symbol] += 1);
        }
    }
    let lengths = word_lengths(&counts);
    let words = canonical_words(&lengths);
    let (mut starts, mut data) = (vec![0], Vec::new());
    for block in blocks {
        match block.map(|block| (block, constant(block))) {
            None => {}
            Some((_, Some(value))) => data.push(value),
            Some((block, None)) => {
                let begin = data.len();
                let (mut bits, mut held) = (0u64, 0u32);
                visit_symbols(block, |symbol| {
                    bits = bits << lengths[symbol] | u64::from(words[symbol]);
                    held += u32::from(lengths[symbol]);
                    while held >= 8 {
                        held -= 8;
                        data.push((bits >> held) as u8);
                    }
                });
                if held > 0 {
                    data.push((bits << (8 - held)) as u8);
                }
                if data.len() == begin + 1 {
                    // One byte alone is a constant block.
                    data.push(0);
                }
            }
        }
        starts.push(u32::try_from(data.len()).expect("a packed table has less than 4 GiB"));
    }
    let mut code = [0; CODE_BYTES];
    for (symbol, &length) in lengths.iter().enumerate() {
        code[symbol / 2] |= length << (4 * (symbol % 2));
    }
    Packed { code, starts, data }
}

impl Unpacker {
    /// Reads a code; `None` if it is not one that [`pack`] writes.
    pub fn new(code: &[u8; CODE_BYTES]) -> Option<Unpacker> {
        let lengths: [u8; SYMBOLS] =
            std::array::from_fn(|symbol| code[symbol / 2] >> (4 * (symbol % 2)) & 15);
        let room = |&length: &u8| if length == 0 { 0 } else { 1u32 << (16 - length) };
        let is_code = lengths.iter().all(|&length| u32::from(length) <= LONGEST_WORD)
            && lengths.iter().map(room).sum::<u32>() <= 1 << 16;
        if !is_code {
            return None;
        }
        let starts = canonical_words(&lengths);
        let mut words = vec![0u16; 1 << LONGEST_WORD].into_boxed_slice();
        for (symbol, &length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
            let free = LONGEST_WORD - u32::from(length);
            let first = usize::from(starts[symbol]) << free;
            words[first..first + (1 << free)].fill((symbol as u16) << 4 | u16::from(length));
        }
        Some(Unpacker { words })
    }

    /// The values of a block; `None` if the data is damaged.
    pub fn unpack(&self, data: &[u8]) -> Option<Box<[u8]>> {
        let mut values = Vec::with_capacity(BLOCK);
        if let [value] = data {
            values.resize(BLOCK, *value);
            return Some(values.into_boxed_slice());
        }
        let (mut bits, mut held) = (0u64, 0u32);
        let mut bytes = data.iter();
        while values.len() < BLOCK {
            while held < LONGEST_WORD {
                // Zeros follow the last byte. Damaged data ends, too: each word takes a bit.
                bits = bits << 8 | u64::from(*bytes.next().unwrap_or(&0));
                held += 8;
            }
            let word =
                self.words[(bits >> (held - LONGEST_WORD)) as usize & (self.words.len() - 1)];
            let (symbol, length) = (usize::from(word >> 4), u32::from(word & 15));
            if length == 0 {
                return None;
            }
            held -= length;
            match symbol.checked_sub(256) {
                None => values.push(symbol as u8),
                Some(power) => {
                    let last = *values.last()?;
                    values.resize((values.len() + (4 << power)).min(BLOCK), last);
                }
            }
        }
        Some(values.into_boxed_slice())
    }
}

/// The value of a block in which all legal positions have the same.
fn constant(block: &[u8]) -> Option<u8> {
    let mut legal = block.iter().copied().filter(|&value| value != Code::ILLEGAL.0);
    let first = legal.next().unwrap_or(0);
    legal.all(|value| value == first).then_some(first)
}

/// Calls `visit` with the symbols of a block. Illegal positions repeat the value before them.
fn visit_symbols(block: &[u8], mut visit: impl FnMut(usize)) {
    let mut values = block.iter().copied().peekable();
    let mut last = 0;
    while let Some(value) = values.next() {
        let value = if value == Code::ILLEGAL.0 { last } else { value };
        last = value;
        let mut run = 0usize;
        while values.next_if(|&next| next == last || next == Code::ILLEGAL.0).is_some() {
            run += 1;
        }
        visit(usize::from(value));
        for power in (0..SYMBOLS - 256).rev() {
            while run >= 4 << power {
                visit(256 + power);
                run -= 4 << power;
            }
        }
        (0..run).for_each(|_| visit(usize::from(value)));
    }
}

/// The lengths of a Huffman code for these counts; 0 for a symbol that does not occur. While a word
/// is too long the counts are made more alike.
fn word_lengths(counts: &[u64; SYMBOLS]) -> [u8; SYMBOLS] {
    let mut counts = *counts;
    loop {
        let lengths = huffman(&counts);
        if lengths.iter().all(|&length| length <= LONGEST_WORD) {
            return lengths.map(|length| length as u8);
        }
        for count in counts.iter_mut().filter(|count| **count > 0) {
            *count = *count / 2 + 1;
        }
    }
}

/// The depth of each symbol in a Huffman tree; at least 1 for a symbol that occurs.
fn huffman(counts: &[u64; SYMBOLS]) -> [u32; SYMBOLS] {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;
    let mut parents: Vec<usize> = vec![usize::MAX; SYMBOLS];
    let occurring = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
    let mut heap: BinaryHeap<_> =
        occurring.map(|(symbol, &count)| Reverse((count, symbol))).collect();
    while heap.len() > 1 {
        let (Some(Reverse(first)), Some(Reverse(second))) = (heap.pop(), heap.pop()) else { break };
        let node = parents.len();
        parents.push(usize::MAX);
        parents[first.1] = node;
        parents[second.1] = node;
        heap.push(Reverse((first.0 + second.0, node)));
    }
    let depth = |mut node: usize| {
        let mut depth = 0;
        while let Some(&parent) = parents.get(node)
            && parent != usize::MAX
        {
            depth += 1;
            node = parent;
        }
        depth
    };
    std::array::from_fn(|symbol| if counts[symbol] == 0 { 0 } else { depth(symbol).max(1) })
}

/// The code words of a canonical Huffman code: shorter words first, then by symbol.
fn canonical_words(lengths: &[u8; SYMBOLS]) -> [u16; SYMBOLS] {
    let mut words = [0; SYMBOLS];
    let mut next = 0u32;
    for length in 1..=LONGEST_WORD {
        for symbol in (0..SYMBOLS).filter(|&symbol| u32::from(lengths[symbol]) == length) {
            words[symbol] = next as u16;
            next += 1;
        }
        next <<= 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of all sorts: constant, with runs, and with little order.
    fn blocks() -> Vec<Vec<u8>> {
        let mut seed = 1u32;
        let mut random = move |range: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % range
        };
        let noise: Vec<u8> = (0..BLOCK).map(|_| (random(16) * random(16)) as u8).collect();
        let mut runs = Vec::new();
        while runs.len() < BLOCK {
            runs.extend(vec![random(9) as u8; random(300) as usize]);
        }
        runs.truncate(BLOCK);
        let mut rare = vec![0; BLOCK];
        rare[BLOCK - 1] = 7;
        vec![vec![3; BLOCK], noise, runs, vec![0; BLOCK], rare]
    }

    fn unpacked(packed: &Packed) -> Vec<Option<Vec<u8>>> {
        let unpacker = Unpacker::new(&packed.code).unwrap();
        let block = |range: &[u32]| {
            let data = &packed.data[range[0] as usize..range[1] as usize];
            (!data.is_empty()).then(|| unpacker.unpack(data).unwrap().into_vec())
        };
        packed.starts.windows(2).map(block).collect()
    }

    #[test]
    fn what_is_packed_comes_back() {
        let blocks = blocks();
        let packed = pack(blocks.iter().map(|block| Some(&block[..])));
        let expected: Vec<_> = blocks.into_iter().map(Some).collect();
        assert_eq!(unpacked(&packed), expected);
        assert!(packed.data.len() < 2 * BLOCK, "{}", packed.data.len());
        assert_eq!(packed.starts[1] - packed.starts[0], 1, "a constant block takes one byte");
    }

    #[test]
    fn blocks_can_be_left_out_and_illegal_positions_cost_nothing() {
        let mut block = vec![Code::ILLEGAL.0; BLOCK];
        (block[7], block[900]) = (5, 5);
        let packed = pack([None, Some(&block[..]), None].into_iter());
        assert_eq!(packed.starts, [0, 0, 1, 1]);
        assert_eq!(unpacked(&packed), [None, Some(vec![5; BLOCK]), None]);
    }

    #[test]
    fn damaged_data_gives_something_or_nothing() {
        let packed = pack(blocks().iter().map(|block| Some(&block[..])));
        let unpacker = Unpacker::new(&packed.code).unwrap();
        for cut in [0, 2, 3, 50] {
            if let Some(values) = unpacker.unpack(&packed.data[1..1 + cut]) {
                assert_eq!(values.len(), BLOCK);
            }
        }
        for byte in 0..=255 {
            if let Some(values) = unpacker.unpack(&[byte; 40]) {
                assert_eq!(values.len(), BLOCK);
            }
        }
        assert!(Unpacker::new(&[0x11; CODE_BYTES]).is_none(), "too many short words");
        assert!(Unpacker::new(&[0xff; CODE_BYTES]).is_none(), "words of 15 bits");
    }
}
