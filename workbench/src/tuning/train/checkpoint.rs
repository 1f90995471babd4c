//! The state of a training on disk, so that a training that was ended can go on.
//!
//! A file is written beside the old one and then takes its place, so a kill at any moment leaves one of
//! the two.

use std::path::Path;

use super::adamw::AdamW;
use super::model::Model;
use crate::files;
use crate::tuning::provenance::{self, Provenance};
use gradient::Layout;
use trebuchet::eval::network::architecture::Hidden;
use trebuchet::fnv;

/// The first bytes of a file of any version.
pub const FAMILY: &[u8] = b"TREBCKP";
/// The first bytes of a file. Version 1 knew its games by the number of their positions alone, version 2 its
/// settings by a hash alone, and version 3 had no weights for men in hand.
pub const MAGIC: &[u8] = b"TREBCKP4";
/// The longest text of settings, in bytes.
const MAX_SETTINGS: usize = 1 << 16;
/// No file is larger, in bytes: that of the longest training.
const MAX_FILE: u64 =
    (8 + 5 * 8 + MAX_SETTINGS + 3 * 4 * Layout::of(Hidden::H512).weights() + 16 * 100_000) as u64;

/// Why a training cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCheckpoint {
    /// There is no file, or it is damaged or something else.
    Damaged,
    /// The settings or positions of the training were others: how they differ.
    OtherTraining(String),
}

/// A training after some epochs.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The finished epochs.
    pub epochs: usize,
    pub model: Model,
    pub optimizer: AdamW,
    /// For each finished epoch: the losses over the training positions and over those for validation.
    pub losses: Vec<[f64; 2]>,
}

impl Checkpoint {
    /// The file with the state of a training with these settings.
    pub fn to_bytes(&self, settings: &Provenance) -> Vec<u8> {
        let text = provenance::to_text(settings);
        let mut bytes = MAGIC.to_vec();
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend((self.epochs as u64).to_le_bytes());
        bytes.extend(self.optimizer.steps.to_le_bytes());
        bytes.extend((self.model.hidden.neurons() as u64).to_le_bytes());
        for values in [&self.model.weights, &self.optimizer.first, &self.optimizer.second] {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes.extend(self.losses.iter().flatten().flat_map(|loss| loss.to_le_bytes()));
        bytes.extend(fnv::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the state of a training with these settings.
    ///
    /// # Errors
    /// Why there is none.
    pub fn load(path: &Path, settings: &Provenance) -> Result<Checkpoint, NoCheckpoint> {
        let (found, course) = Self::load_any(path).ok_or(NoCheckpoint::Damaged)?;
        match provenance::difference(settings, &found) {
            None => Ok(course),
            Some(difference) => Err(NoCheckpoint::OtherTraining(difference)),
        }
    }

    /// Reads the weights of a training with any settings. `None` if there is none.
    pub fn load_model(path: &Path) -> Option<Model> {
        Self::load_any(path).map(|(_, course)| course.model)
    }

    /// Reads a state and the settings of its training.
    fn load_any(path: &Path) -> Option<(Provenance, Checkpoint)> {
        let bytes = files::read(path, MAX_FILE).ok()?;
        let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
        if fnv::hash(body).to_le_bytes() != sum {
            return None;
        }
        let (length, rest) = body.strip_prefix(MAGIC)?.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (text, mut rest) = rest.split_at_checked(length)?;
        let mut word = || -> Option<[u8; 8]> {
            let (word, after) = rest.split_first_chunk()?;
            rest = after;
            Some(*word)
        };
        let epochs = usize::try_from(u64::from_le_bytes(word()?)).ok()?;
        let steps = u64::from_le_bytes(word()?);
        let neurons = usize::try_from(u64::from_le_bytes(word()?)).ok()?;
        let hidden = Hidden::from_neurons(neurons)?;
        let count = Layout::of(hidden).weights();
        let mut values = || -> Option<Vec<f32>> {
            let (values, after) = rest.split_at_checked(4 * count)?;
            rest = after;
            let value = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            Some(values.chunks_exact(4).map(value).collect())
        };
        let model = Model { hidden, weights: values()? };
        let optimizer = AdamW { first: values()?, second: values()?, steps };
        let (pairs, []) = rest.as_chunks::<16>() else { return None };
        let loss =
            |bytes: &[u8]| bytes.first_chunk().map_or(0.0, |bytes| f64::from_le_bytes(*bytes));
        let losses: Vec<[f64; 2]> =
            pairs.iter().map(|pair| [loss(&pair[..8]), loss(&pair[8..])]).collect();
        let course = Checkpoint { epochs, model, optimizer, losses };
        let settings = provenance::parse(std::str::from_utf8(text).ok()?);
        (course.losses.len() == epochs).then_some((settings, course))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_training_goes_on_where_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.checkpoint");
        let model = Model::random(Hidden::H256, 1);
        let mut optimizer = AdamW::new(model.weights.len());
        optimizer.steps = 77;
        optimizer.second[5] = 0.25;
        let checkpoint =
            Checkpoint { epochs: 2, model, optimizer, losses: vec![[0.1, 0.2], [0.05, 0.15]] };
        let settings = |seed: &str, from: &str| {
            provenance::provenance([("seed", seed.to_owned()), ("from", from.to_owned())])
        };
        let own = settings("1", "");
        fs::write(&path, checkpoint.to_bytes(&own)).unwrap();
        assert_eq!(Checkpoint::load_model(&path), Some(checkpoint.model.clone()));
        assert_eq!(Checkpoint::load(&path, &own), Ok(checkpoint));
        let other = NoCheckpoint::OtherTraining("seed 1 instead of 2".to_owned());
        assert_eq!(Checkpoint::load(&path, &settings("2", "")), Err(other));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let damaged = Err(NoCheckpoint::Damaged);
        let mut bytes = fs::read(&path).unwrap();
        bytes[1000] ^= 4;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(Checkpoint::load(&path, &own), damaged);
        fs::write(&path, &bytes[..100]).unwrap();
        assert_eq!(Checkpoint::load(&path, &own), damaged);
        assert_eq!(Checkpoint::load(&folder.path().join("none"), &own), damaged);
    }
}
