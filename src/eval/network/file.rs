//! A network as a file.
//!
//! All numbers are little-endian. The header has 64 bytes: the magic `TREBNET1`, the CECP name of the
//! variant in 24 bytes filled up with zeros, the numbers of inputs, hidden neurons, rows of biases and
//! outputs (u32 each), the length of the rest in bytes (u32), the FNV-1a checksum of the rest (u32), and
//! zeros. The rest are the weights as i16, in the order of [`Network`], the biases of the outputs as i32.
//! The number of hidden neurons is one of [`Hidden::ALL`], the other sizes are those of [`architecture`]. A
//! network that does not see men in hand has the inputs for the board alone.
//!
//! [`architecture`]: super::architecture

use std::io::Read;
use std::path::Path;

use super::architecture::{BOARD_INPUTS, HAND_INPUTS, Hidden, INPUTS, OUTPUTS, ROWS};
use super::weights::{ALL_ROWS, Network};
use crate::files::open_regular;
use crate::fnv::{FNV_START, fnv_1a};

/// The first bytes of a file.
pub const MAGIC: &[u8; 8] = b"TREBNET1";
const HEADER: usize = 64;
/// Where the fields of the header begin.
const VARIANT: usize = 8;
const SIZES: usize = 32;

/// The length of the weights in bytes.
const fn length(hidden: Hidden, sees_hands: bool) -> usize {
    let rows = if sees_hands { ALL_ROWS } else { ALL_ROWS - HAND_INPUTS };
    2 * hidden.neurons() * rows + 4 * OUTPUTS
}

/// The numbers of the header about the shape, and the length of the weights.
fn shape(hidden: Hidden, sees_hands: bool) -> [u32; 5] {
    let inputs = if sees_hands { INPUTS } else { BOARD_INPUTS };
    let length = length(hidden, sees_hands);
    [inputs, hidden.neurons(), ROWS, OUTPUTS, length].map(|size| size as u32)
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
        .and_then(|file| {
            file.take((HEADER + length(Hidden::H512, true) + 1) as u64).read_to_end(&mut bytes)
        })
        .map_err(|error| NetworkError::Unreadable(error.to_string()))?;
    read(&bytes, variant)
}

/// Reads a network for the variant with this CECP name.
///
/// # Errors
/// A [`NetworkError`] if the bytes are anything else.
pub fn read(bytes: &[u8], variant: &str) -> Result<Network, NetworkError> {
    let Some((header, weights)) = bytes.split_at_checked(HEADER) else {
        return Err(NetworkError::NotANetwork);
    };
    if !header.starts_with(MAGIC) {
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
    let found: [u32; 5] = std::array::from_fn(field);
    // Another use of these bytes would be another format.
    let end = SIZES + 4 * (found.len() + 1);
    if fill.iter().chain(&header[end..]).any(|&byte| byte != 0) {
        return Err(NetworkError::Damaged("its header is not filled up with zeros"));
    }
    let [inputs, neurons, rows, outputs, _] = found;
    let sees_hands = inputs as usize == INPUTS;
    let hidden =
        Hidden::from_neurons(neurons as usize).filter(|&hidden| shape(hidden, sees_hands) == found);
    let Some(hidden) = hidden else {
        return Err(NetworkError::OtherShape(format!(
            "{inputs} inputs, {neurons} hidden neurons, {rows} rows of biases, {outputs} outputs"
        )));
    };
    if weights.len() != length(hidden, sees_hands) {
        return Err(NetworkError::Damaged("it has the wrong length"));
    }
    if field(found.len()) != checksum(weights) {
        return Err(NetworkError::Damaged("its checksum is wrong"));
    }
    let (shorts, longs) = weights.split_at(weights.len() - 4 * OUTPUTS);
    let mut network = Network::zero(hidden);
    let numbers = shorts.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes));
    network.set_numbers(sees_hands, numbers);
    for (bias, &bytes) in network.output_bias.iter_mut().zip(longs.as_chunks().0) {
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
    let mut weights: Vec<u8> = network.numbers(sees_hands).flat_map(i16::to_le_bytes).collect();
    weights.extend(network.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    let mut bytes = vec![0; HEADER];
    bytes[..VARIANT].copy_from_slice(MAGIC);
    bytes[VARIANT..VARIANT + variant.len()].copy_from_slice(variant.as_bytes());
    for (index, value) in
        shape(network.hidden(), sees_hands).into_iter().chain([checksum(&weights)]).enumerate()
    {
        let at = SIZES + 4 * index;
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    bytes.extend(weights);
    bytes
}

/// The lower half of the hash FNV-1a.
fn checksum(bytes: &[u8]) -> u32 {
    fnv_1a(FNV_START, bytes.iter().copied()) as u32
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
                assert_eq!(bytes.len(), HEADER + length(hidden, sees_hands));
                assert!(read(&bytes, "3check").unwrap() == network);
                let mut file = tempfile::NamedTempFile::new().unwrap();
                std::io::Write::write_all(&mut file, &bytes).unwrap();
                assert!(load(file.path(), "3check").unwrap() == network);
            }
        }
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
        assert!(matches!(error(&shape, "3check"), NetworkError::OtherShape(_)));
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
