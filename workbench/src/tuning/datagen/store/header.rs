//! The header of a file of games.

use super::record::{Framing, checksum, word};
use crate::tuning::provenance::{self, Provenance};

const MAGIC: [u8; 8] = *b"TREBGAM3";
const MAGIC_2: [u8; 8] = *b"TREBGAM2";
const MAGIC_1: [u8; 8] = *b"TREBGAM1";
/// The longest description, in bytes.
const MAX_DESCRIPTION: usize = 1 << 16;
/// The longest header, in bytes.
pub const MAX_HEADER: usize = MAX_DESCRIPTION + 16;

/// What the games of a file have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The variant's CECP name.
    pub variant: String,
    /// The settings of the run. Empty in files of versions 1 and 2.
    pub settings: Provenance,
}

impl Description {
    fn to_text(&self) -> String {
        format!("variant {}\n{}", self.variant, provenance::to_text(&self.settings))
    }

    fn parse(text: &str) -> Option<Description> {
        let mut settings = provenance::parse(text);
        if settings.first()?.0 != "variant" {
            return None;
        }
        let (_, variant) = settings.remove(0);
        Some(Description { variant, settings })
    }

    /// How the settings of a file differ from these; `None` if they are the same.
    pub fn difference(&self, file: &Description) -> Option<String> {
        provenance::difference(&self.settings, &file.settings)
    }
}

/// A header of any version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHeader {
    /// `None` if it is damaged.
    pub description: Option<Description>,
    pub framing: Framing,
    /// In bytes. Of a damaged header only what is certainly part of it.
    pub length: usize,
}

impl FileHeader {
    /// The header of a new file.
    pub fn write(description: &Description) -> Vec<u8> {
        let text = description.to_text();
        let checked = [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
        [&MAGIC[..], &checked, &checksum(&checked).to_le_bytes()].concat()
    }

    /// Reads the header at the beginning of a file; `None` if it is not a file of games. `bytes` may be
    /// fewer than [`MAX_HEADER`] only if the file is as short.
    pub fn read(bytes: &[u8]) -> Option<FileHeader> {
        let (magic, rest) = bytes.split_first_chunk()?;
        match *magic {
            MAGIC => Some(Self::read_version_3(rest).unwrap_or(FileHeader {
                description: None,
                framing: Framing::CheckedLength,
                length: MAGIC.len(),
            })),
            MAGIC_2 => {
                let length = word(rest)? as usize;
                let text = rest.get(4..4 + length).filter(|_| length <= MAX_DESCRIPTION)?;
                let description = Description::parse(std::str::from_utf8(text).ok()?)?;
                Some(FileHeader {
                    description: Some(description),
                    framing: Framing::PlainLength,
                    length: 12 + length,
                })
            }
            MAGIC_1 => {
                let name = String::from_utf8_lossy(rest.get(..8)?);
                let variant = name.trim_end_matches('\0').to_owned();
                Some(FileHeader {
                    description: Some(Description { variant, settings: Vec::new() }),
                    framing: Framing::PlainLength,
                    length: 16,
                })
            }
            _ => None,
        }
    }

    /// `None` if the header is damaged.
    fn read_version_3(rest: &[u8]) -> Option<FileHeader> {
        let length = 4 + word(rest)? as usize;
        let (checked, after) =
            rest.split_at_checked(length).filter(|_| length <= 4 + MAX_DESCRIPTION)?;
        if word(after)? != checksum(checked) {
            return None;
        }
        let description = Description::parse(std::str::from_utf8(&checked[4..]).ok()?)?;
        Some(FileHeader {
            description: Some(description),
            framing: Framing::CheckedLength,
            length: MAGIC.len() + length + 4,
        })
    }
}
