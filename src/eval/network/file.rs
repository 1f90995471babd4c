//! A network as a file.
//!
//! All numbers are little-endian. The header has 64 bytes: the magic `TREBNET2`, the CECP name of the
//! variant in 24 bytes filled up with zeros, the numbers of inputs, hidden neurons, rows of biases and
//! outputs (u32 each), the length of the rest in bytes (u32), the FNV-1a checksum of the rest (u32), and
//! zeros. The rest are the weights in the order of [`Network`] and the biases of the outputs as i32. A weight
//! from -127 to 127 is one byte, an i8; before another one, which is an i16, stands the byte -128. So a file is
//! half as long as with i16 alone: few weights are great.
//!
//! The number of hidden neurons is one of [`Hidden::ALL`], the other sizes are those of [`architecture`]. A
//! network that does not see men in hand has the inputs for the board alone.
//!
//! In files of the first version, with the magic `TREBNET1`, every weight is an i16. They are read, too.
//!
//! [`architecture`]: super::architecture

use std::io::Read;
use std::path::Path;

use super::architecture::{BOARD_INPUTS, HAND_INPUTS, Hidden, INPUTS, OUTPUTS, ROWS};
use super::weights::{ALL_ROWS, Network};
use crate::files::open_regular;
use crate::fnv;

/// The first bytes of a file of any version.
pub const FAMILY: &[u8] = b"TREBNET";
const MAGIC: &[u8; 8] = b"TREBNET2";
const FIRST_MAGIC: &[u8; 8] = b"TREBNET1";
const HEADER: usize = 64;
/// Where the fields of the header begin.
const VARIANT: usize = 8;
const SIZES: usize = 32;

/// No file is longer, in bytes.
const MOST_BYTES: u64 = (HEADER + 3 * weights(Hidden::H512, true) + 4 * OUTPUTS) as u64;

/// How many weights there are in a file.
const fn weights(hidden: Hidden, sees_hands: bool) -> usize {
    hidden.neurons() * if sees_hands { ALL_ROWS } else { ALL_ROWS - HAND_INPUTS }
}

/// The numbers of the header about the shape.
fn shape(hidden: Hidden, sees_hands: bool) -> [u32; 4] {
    let inputs = if sees_hands { INPUTS } else { BOARD_INPUTS };
    [inputs, hidden.neurons(), ROWS, OUTPUTS].map(|size| size as u32)
}

/// Stands before a weight of two bytes.
const LONG: i8 = i8::MIN;

/// Appends a weight in as few bytes as it needs.
fn pack(weight: i16, bytes: &mut Vec<u8>) {
    match i8::try_from(weight) {
        Ok(short) if short != LONG => bytes.push(short as u8),
        _ => {
            bytes.push(LONG as u8);
            bytes.extend(weight.to_le_bytes());
        }
    }
}

/// The weights of such bytes. `None` if the last one is cut off.
fn unpack(bytes: &[u8]) -> Option<Vec<i16>> {
    let mut weights = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        let (weight, after) = match first as i8 {
            LONG => {
                let (long, after) = after.split_first_chunk()?;
                (i16::from_le_bytes(*long), after)
            }
            short => (i16::from(short), after),
        };
        weights.push(weight);
        rest = after;
    }
    Some(weights)
}

/// Why a file is not a network for this engine and this game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    #[error("cannot read it: {0}")]
    Unreadable(String),
    #[error("not a network of Trebuchet")]
    NotANetwork,
    #[error("a network for the game {0}")]
    OtherVariant(String),
    #[error("a network of another shape: {0}; this engine reads {known}", known = known_shapes())]
    OtherShape(String),
    #[error("damaged: {0}")]
    Damaged(&'static str),
}

/// The shapes that can be read, in words.
fn known_shapes() -> String {
    let [least @ .., most] = Hidden::ALL.map(|hidden| hidden.neurons().to_string());
    format!(
        "{BOARD_INPUTS} or {INPUTS} inputs, {} or {most} hidden neurons, {ROWS} rows of biases, {OUTPUTS} outputs",
        least.join(", ")
    )
}

/// Reads a network for the variant with this CECP name from a file.
///
/// # Errors
/// A [`NetworkError`] if the file cannot be read or is anything else. At most the bytes of the largest
/// network and one more are read.
pub fn load(path: &Path, variant: &str) -> Result<Network, NetworkError> {
    let mut bytes = Vec::new();
    open_regular(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| NetworkError::Unreadable(error.to_string()))?;
    read(&bytes, variant)
}

/// Reads a network for the variant with this CECP name.
///
/// # Errors
/// A [`NetworkError`] if the bytes are anything else.
pub fn read(bytes: &[u8], variant: &str) -> Result<Network, NetworkError> {
    let Some((header, rest)) = bytes.split_at_checked(HEADER) else {
        return Err(NetworkError::NotANetwork);
    };
    let is_first_version = header.starts_with(FIRST_MAGIC);
    if !is_first_version && !header.starts_with(MAGIC) {
        return Err(NetworkError::NotANetwork);
    }
    let name = &header[VARIANT..SIZES];
    let (name, fill) = name.split_at(name.iter().position(|&byte| byte == 0).unwrap_or(name.len()));
    if name != variant.as_bytes() {
        return Err(NetworkError::OtherVariant(String::from_utf8_lossy(name).into_owned()));
    }
    let field = |index: usize| {
        let at = SIZES + 4 * index;
        u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    let found: [u32; 4] = std::array::from_fn(field);
    let [length, sum] = [field(found.len()), field(found.len() + 1)];
    // Another use of these bytes would be another format.
    let end = SIZES + 4 * (found.len() + 2);
    if fill.iter().chain(&header[end..]).any(|&byte| byte != 0) {
        return Err(NetworkError::Damaged("its header is not filled up with zeros"));
    }
    let [inputs, neurons, rows, outputs] = found;
    let sees_hands = inputs as usize == INPUTS;
    let hidden =
        Hidden::from_neurons(neurons as usize).filter(|&hidden| shape(hidden, sees_hands) == found);
    let Some(hidden) = hidden else {
        return Err(NetworkError::OtherShape(format!(
            "{inputs} inputs, {neurons} hidden neurons, {rows} rows of biases, {outputs} outputs"
        )));
    };
    let wrong_length = NetworkError::Damaged("it has the wrong length");
    if rest.len() != length as usize {
        return Err(wrong_length);
    }
    if sum != checksum(rest) {
        return Err(NetworkError::Damaged("its checksum is wrong"));
    }
    let Some((packed, biases)) = rest.split_last_chunk::<{ 4 * OUTPUTS }>() else {
        return Err(wrong_length);
    };
    let numbers = match packed.as_chunks() {
        (pairs, []) if is_first_version => {
            Some(pairs.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect())
        }
        _ if is_first_version => None,
        _ => unpack(packed),
    };
    let numbers = numbers.filter(|numbers| numbers.len() == weights(hidden, sees_hands));
    let Some(numbers) = numbers else { return Err(wrong_length) };
    let mut network = Network::zero(hidden);
    network.set_numbers(sees_hands, numbers);
    for (bias, &bytes) in network.output_bias.iter_mut().zip(biases.as_chunks().0) {
        *bias = i32::from_le_bytes(bytes);
    }
    if !network.is_in_range() {
        return Err(NetworkError::Damaged("a weight is out of range"));
    }
    Ok(network)
}

/// The bytes of a file with this network.
pub fn write(network: &Network, variant: &str) -> Vec<u8> {
    let sees_hands = network.sees_hands();
    let mut rest = Vec::new();
    network.numbers(sees_hands).for_each(|weight| pack(weight, &mut rest));
    rest.extend(network.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    let mut bytes = vec![0; HEADER];
    bytes[..VARIANT].copy_from_slice(MAGIC);
    bytes[VARIANT..VARIANT + variant.len()].copy_from_slice(variant.as_bytes());
    let shape = shape(network.hidden(), sees_hands);
    for (index, value) in shape.into_iter().chain([rest.len() as u32, checksum(&rest)]).enumerate()
    {
        let at = SIZES + 4 * index;
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    bytes.extend(rest);
    bytes
}

/// The lower half of the hash FNV-1a.
fn checksum(bytes: &[u8]) -> u32 {
    fnv::hash(bytes) as u32
}

#[cfg(test)]
mod tests {
    use super::super::weights::{MAX_BIAS, MAX_INPUT_WEIGHT, MAX_OUTPUT_WEIGHT};
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for hidden in Hidden::ALL {
            let with_hands = Network::random(hidden, 7);
            let mut without_hands = Network::zero(hidden);
            without_hands.set_numbers(false, with_hands.numbers(false));
            for (network, sees_hands) in [(with_hands, true), (without_hands, false)] {
                assert_eq!(network.sees_hands(), sees_hands);
                let bytes = write(&network, "3check");
                // The random weights are small.
                assert_eq!(bytes.len(), HEADER + weights(hidden, sees_hands) + 4 * OUTPUTS);
                assert!(read(&bytes, "3check").unwrap() == network);
                assert!(read(&first_version(&bytes, &network), "3check").unwrap() == network);
                let mut file = tempfile::NamedTempFile::new().unwrap();
                std::io::Write::write_all(&mut file, &bytes).unwrap();
                assert!(load(file.path(), "3check").unwrap() == network);
            }
        }
    }

    /// The network of these bytes as a file of the first version.
    fn first_version(bytes: &[u8], network: &Network) -> Vec<u8> {
        let numbers = network.numbers(network.sees_hands()).flat_map(i16::to_le_bytes);
        let rest: Vec<u8> =
            numbers.chain(bytes[bytes.len() - 4 * OUTPUTS..].iter().copied()).collect();
        let mut header = bytes[..HEADER].to_vec();
        header[..VARIANT].copy_from_slice(FIRST_MAGIC);
        header[48..52].copy_from_slice(&(rest.len() as u32).to_le_bytes());
        header[52..56].copy_from_slice(&checksum(&rest).to_le_bytes());
        [header, rest].concat()
    }

    #[test]
    fn great_weights_have_three_bytes() {
        let numbers = [0, 127, -127, 128, -128, -129, 450, -450];
        let mut network = Network::zero(Hidden::H128);
        network.set_numbers(true, numbers);
        let bytes = write(&network, "3check");
        let start =
            [0, 127, 129, 128, 128, 0, 128, 128, 255, 128, 127, 255, 128, 194, 1, 128, 62, 254, 0];
        assert!(bytes[HEADER..].starts_with(&start), "{:?}", &bytes[HEADER..][..20]);
        assert!(read(&bytes, "3check").unwrap() == network);
        // The last weight is cut off.
        assert_eq!(unpack(&[5, 128, 194, 1]), Some(vec![5, 450]));
        assert_eq!((unpack(&[5, 128, 194]), unpack(&[128])), (None, None));
    }

    #[test]
    fn foreign_and_damaged_files_are_refused() {
        let good = write(&Network::random(Hidden::H128, 7), "3check");
        let error = |bytes: &[u8], variant| read(bytes, variant).err().unwrap();
        assert_eq!(error(&good, "normal"), NetworkError::OtherVariant("3check".to_owned()));
        assert_eq!(error(b"", "3check"), NetworkError::NotANetwork);
        assert_eq!(error(&[b'x'; 1000], "3check"), NetworkError::NotANetwork);
        for cut in [64, 65, 1000, good.len() - 1] {
            let damaged = NetworkError::Damaged("it has the wrong length");
            assert_eq!(error(&good[..cut], "3check"), damaged);
        }
        // The length is right, but there is a weight too few, or none fits.
        for (end, magic) in [(good.len() - 1, MAGIC), (good.len(), FIRST_MAGIC), (HEADER, MAGIC)] {
            let mut bytes = good[..end].to_vec();
            let rest = bytes.split_off(HEADER);
            bytes[..VARIANT].copy_from_slice(magic);
            bytes[48..52].copy_from_slice(&(rest.len() as u32).to_le_bytes());
            bytes[52..56].copy_from_slice(&checksum(&rest).to_le_bytes());
            bytes.extend(rest);
            let damaged = NetworkError::Damaged("it has the wrong length");
            assert_eq!(error(&bytes, "3check"), damaged);
        }
        for at in [64, 70_000, good.len() - 1] {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            assert_eq!(error(&bytes, "3check"), NetworkError::Damaged("its checksum is wrong"));
        }
        // The end of the name, and that of the header.
        for at in [VARIANT + 7, SIZES - 1, SIZES + 24, HEADER - 1] {
            let mut bytes = good.clone();
            bytes[at] = 1;
            let damaged = NetworkError::Damaged("its header is not filled up with zeros");
            assert_eq!(error(&bytes, "3check"), damaged, "{at}");
        }
        let mut shape = good.clone();
        shape[36] ^= 1;
        assert_eq!(
            error(&shape, "3check").to_string(),
            "a network of another shape: 848 inputs, 129 hidden neurons, 9 rows of biases, 8 outputs; this \
             engine reads 768 or 848 inputs, 128, 256, 384 or 512 hidden neurons, 9 rows of biases, 8 outputs"
        );
        // A size that fits, but not to the length.
        shape[36..40].copy_from_slice(&256_u32.to_le_bytes());
        assert_eq!(error(&shape, "3check"), NetworkError::Damaged("it has the wrong length"));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let last = 128 * ALL_ROWS - 1;
        let places = [(0, MAX_INPUT_WEIGHT), (128 * INPUTS, MAX_BIAS), (last, MAX_OUTPUT_WEIGHT)];
        for (index, most) in places {
            for (weight, fits) in
                [(most, true), (-most, true), (most + 1, false), (-most - 1, false)]
            {
                let mut numbers = vec![0; 128 * ALL_ROWS];
                numbers[index] = weight;
                let mut network = Network::zero(Hidden::H128);
                network.set_numbers(true, numbers);
                let found = read(&write(&network, "3check"), "3check").map(|_| ());
                let damaged = NetworkError::Damaged("a weight is out of range");
                assert_eq!(found, if fits { Ok(()) } else { Err(damaged) }, "{index}: {weight}");
            }
        }
        for bias in [1 << 24, -(1 << 24), (1 << 24) + 1, -(1 << 24) - 1, i32::MAX, i32::MIN] {
            let mut network = Network::zero(Hidden::H128);
            network.output_bias[7] = bias;
            let fits = read(&write(&network, "3check"), "3check").is_ok();
            assert_eq!(fits, bias.unsigned_abs() <= 1 << 24, "{bias}");
        }
    }
}
