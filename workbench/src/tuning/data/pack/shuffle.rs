//! Brings positions into random order without keeping all of them in memory.
//!
//! Each position goes to one of many temporary files, by chance. At the end the files are read one after
//! the other, and each is shuffled in memory.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::tuning::positions::{POSITION_BYTES, TrainingPosition};

/// How many positions a temporary file should have: 80 MiB.
const FILE_POSITIONS: u64 = 2 << 20;
/// No more temporary files are open at the same time.
const MOST_FILES: u64 = 200;

/// Positions on disk. The temporary files have no names, and go when this is dropped.
pub struct Shuffler {
    files: Vec<PositionList>,
    random: Xoshiro256PlusPlus,
}

impl Shuffler {
    /// Keeps about this many positions in a folder.
    ///
    /// # Errors
    /// If no files can be made there.
    pub fn new(folder: &Path, about: u64, seed: u64) -> io::Result<Shuffler> {
        let count = (about / FILE_POSITIONS + 1).min(MOST_FILES);
        let files = (0..count).map(|_| PositionList::new(folder));
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(Shuffler { files: files.collect::<io::Result<_>>()?, random })
    }

    /// # Errors
    /// If the position cannot be written.
    pub fn push(&mut self, position: &TrainingPosition) -> io::Result<()> {
        let file = self.random.random_range(0..self.files.len());
        self.files[file].push(position)
    }

    /// All positions in random order.
    pub fn into_positions(self) -> impl Iterator<Item = io::Result<TrainingPosition>> {
        let Shuffler { files, mut random } = self;
        files.into_iter().flat_map(move |file| {
            let mut positions: Vec<_> = file.into_positions().collect();
            positions.shuffle(&mut random);
            positions
        })
    }
}

/// Positions in a temporary file, in the order in which they were added.
pub struct PositionList(BufWriter<File>);

impl PositionList {
    /// # Errors
    /// If no file can be made in the folder.
    pub fn new(folder: &Path) -> io::Result<PositionList> {
        Ok(PositionList(BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?)))
    }

    /// # Errors
    /// If the position cannot be written.
    pub fn push(&mut self, position: &TrainingPosition) -> io::Result<()> {
        self.0.write_all(&position.to_bytes())
    }

    /// All positions. After an error there are no more.
    pub fn into_positions(self) -> impl Iterator<Item = io::Result<TrainingPosition>> {
        let reader = self.0.into_inner().map_err(io::IntoInnerError::into_error);
        let reader = reader.and_then(|mut file| file.rewind().map(|()| BufReader::new(file)));
        let (mut reader, mut error) = match reader {
            Ok(reader) => (Some(reader), None),
            Err(error) => (None, Some(error)),
        };
        std::iter::from_fn(move || {
            if let Some(error) = error.take() {
                return Some(Err(error));
            }
            let read = next(reader.as_mut()?);
            if !matches!(read, Ok(Some(_))) {
                reader = None;
            }
            read.transpose()
        })
    }
}

/// The next position; `None` at the end.
fn next(reader: &mut BufReader<File>) -> io::Result<Option<TrainingPosition>> {
    let mut bytes = [0; POSITION_BYTES];
    match reader.read_exact(&mut bytes) {
        Ok(()) => TrainingPosition::from_bytes(&bytes).map(Some).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, "a temporary file is damaged")
        }),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::board::Position;
    use trebuchet::types::Score;
    use trebuchet::variants::Standard;

    #[test]
    fn all_positions_come_back_in_another_order() {
        let folder = tempfile::tempdir().unwrap();
        let position = |score| {
            TrainingPosition::without_result(&Position::<Standard>::start(), Score::cp(score))
        };
        let all: Vec<_> = (-500..500).map(position).collect();
        let shuffled = |seed| {
            let mut shuffler = Shuffler::new(folder.path(), 3 * FILE_POSITIONS, seed).unwrap();
            assert_eq!(shuffler.files.len(), 4);
            all.iter().for_each(|position| shuffler.push(position).unwrap());
            shuffler.into_positions().collect::<io::Result<Vec<_>>>().unwrap()
        };
        let first = shuffled(1);
        assert_eq!(first, shuffled(1));
        assert_ne!(first, shuffled(2));
        // Those of the first half come early and late.
        let early = first[..500].iter().filter(|position| all[..500].contains(position)).count();
        assert!((200..300).contains(&early), "{early}");
        let mut sorted = first;
        sorted.sort_by(|a, b| a.target(0.0).total_cmp(&b.target(0.0)));
        assert_eq!(sorted, all);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
