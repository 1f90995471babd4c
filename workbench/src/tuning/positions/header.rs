//! The header of a file of training positions.

use super::position::POSITION_BYTES;
use crate::tuning::provenance::{self, Provenance};
use trebuchet::fnv;

/// The first bytes of a file of any version.
pub const FAMILY: &[u8; 7] = b"TREBPOS";
/// The first bytes of a file. Version 1 had no men in hand and at most 32 men.
pub const MAGIC: &[u8; 8] = b"TREBPOS2";
/// The longest description, in bytes.
const MAX_DESCRIPTION: usize = 1 << 16;
/// The longest header, in bytes.
pub const MAX_HEADER: usize = MAX_DESCRIPTION + 20;
/// No file has more positions in a part.
const MAX_POSITIONS: u64 = 1 << 40;

/// The positions of a whole block.
pub const BLOCK: usize = 1 << 15;

/// What the positions are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Training,
    Validation,
}

/// What the header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The CECP names of the games' variants.
    pub variants: Vec<String>,
    /// The positions for training.
    pub training: u64,
    /// The positions for validation.
    pub validation: u64,
    /// A hash of the seed of their order, and of all positions before they were shuffled.
    pub fingerprint: u64,
    /// The settings of `data pack`.
    pub settings: Provenance,
}

impl Header {
    /// The bytes of the header.
    pub fn write(&self) -> Vec<u8> {
        let own = provenance::provenance([
            ("variants", self.variants.join(",")),
            ("training", self.training.to_string()),
            ("validation", self.validation.to_string()),
            ("fingerprint", format!("{:016x}", self.fingerprint)),
        ]);
        let text = provenance::to_text(&own) + &provenance::to_text(&self.settings);
        let checked = [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
        [&MAGIC[..], &checked, &fnv::hash(&checked).to_le_bytes()].concat()
    }

    /// Reads the header at the beginning of a file, and its length in bytes. `None` if it is damaged or
    /// something else. `bytes` may be fewer than [`MAX_HEADER`] only if the file is as short.
    pub fn read(bytes: &[u8]) -> Option<(Header, usize)> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let length = u32::from_le_bytes(*rest.first_chunk()?) as usize;
        let (checked, after) =
            rest.split_at_checked(4 + length).filter(|_| length <= MAX_DESCRIPTION)?;
        if u64::from_le_bytes(*after.first_chunk()?) != fnv::hash(checked) {
            return None;
        }
        let mut all = provenance::parse(std::str::from_utf8(&checked[4..]).ok()?);
        let rest = all.split_off(all.len().min(4));
        let value = |name| provenance::value(&all, name);
        let count = |name| value(name)?.parse().ok().filter(|&count| count < MAX_POSITIONS);
        let header = Header {
            variants: value("variants")?.split(',').map(str::to_owned).collect(),
            training: count("training")?,
            validation: count("validation")?,
            fingerprint: u64::from_str_radix(value("fingerprint")?, 16).ok()?,
            settings: rest,
        };
        Some((header, MAGIC.len() + 4 + length + 8))
    }

    /// The positions of a part.
    pub fn count(&self, part: Part) -> u64 {
        match part {
            Part::Training => self.training,
            Part::Validation => self.validation,
        }
    }

    /// The blocks of a part.
    pub fn blocks(&self, part: Part) -> u64 {
        self.count(part).div_ceil(BLOCK as u64)
    }

    /// The length of a part in bytes.
    pub fn length(&self, part: Part) -> u64 {
        self.count(part) * POSITION_BYTES as u64 + self.blocks(part) * 8
    }
}
