//! The positions of a training, read from their files while it runs.
//!
//! Each epoch reads all blocks in another random order. A thread reads 32 blocks at a time, shuffles their
//! positions, and hands them over in batches. So a training needs the same memory for any number of
//! positions: less than 100 MiB, but for very large batches.

use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::parallel::ThreadError;
use crate::tuning::positions::{Header, Part, PositionFile, PositionsError, TrainingPosition};

/// How many blocks are shuffled together.
const BLOCKS_AT_ONCE: usize = 32;
/// How many batches wait to be learnt at most.
const BATCHES_AHEAD: usize = 16;

/// Why the positions cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    #[error(transparent)]
    Positions(#[from] PositionsError),
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

/// The files of a training.
#[derive(Debug)]
pub struct Stream {
    files: Vec<PositionFile>,
}

/// In which order the positions of an epoch come.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// Positions per batch; the last one may have fewer.
    pub batch: usize,
    pub seed: u64,
}

impl Stream {
    /// # Errors
    /// If a file cannot be used.
    pub fn open(paths: &[PathBuf]) -> Result<Stream, PositionsError> {
        let files = paths.iter().map(|path| PositionFile::open(path));
        Ok(Stream { files: files.collect::<Result<_, _>>()? })
    }

    /// What the files say.
    pub fn headers(&self) -> impl Iterator<Item = &Header> {
        self.files.iter().map(PositionFile::header)
    }

    /// The positions of a part in all files.
    pub fn count(&self, part: Part) -> u64 {
        self.headers().map(|header| header.count(part)).sum()
    }

    /// The blocks of a part: numbers of files, and of blocks in them.
    fn blocks(&self, part: Part) -> Vec<(usize, u64)> {
        let of_file = |(file, header): (usize, &Header)| {
            (0..header.blocks(part)).map(move |block| (file, block))
        };
        self.headers().enumerate().flat_map(of_file).collect()
    }

    /// Shows all positions of a part, a block at a time.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn visit(
        &mut self,
        part: Part,
        mut visit: impl FnMut(&[TrainingPosition]),
    ) -> Result<(), PositionsError> {
        let mut positions = Vec::new();
        for (file, block) in self.blocks(part) {
            positions.clear();
            self.files[file].read(part, block, &mut positions)?;
            visit(&positions);
        }
        Ok(())
    }

    /// Shows all positions for training once, in random order, a batch at a time.
    ///
    /// # Errors
    /// If they cannot be read, or no thread can be started to read them.
    pub fn epoch(
        &mut self,
        order: Order,
        mut learn: impl FnMut(&[TrainingPosition]),
    ) -> Result<(), StreamError> {
        let (sender, receiver) = sync_channel(BATCHES_AHEAD);
        thread::scope(|scope| {
            let builder = thread::Builder::new().name("reader".to_owned());
            // The thread owns the sender: where it ends, there are no more batches.
            let reader = builder
                .spawn_scoped(scope, move || self.send(order, &sender))
                .map_err(ThreadError::Start)?;
            // The closure owns it, so that a panic in `learn` drops it, and the reader ends.
            let receiver = receiver;
            receiver.iter().for_each(|batch: Vec<TrainingPosition>| learn(&batch));
            reader.join().unwrap_or_else(|_| Err(ThreadError::Panic.into()))
        })
    }

    /// Reads all positions for training, and hands them over.
    fn send(
        &mut self,
        order: Order,
        sender: &SyncSender<Vec<TrainingPosition>>,
    ) -> Result<(), StreamError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(order.seed);
        let mut blocks = self.blocks(Part::Training);
        blocks.shuffle(&mut random);
        let mut positions = Vec::new();
        for chosen in blocks.chunks(BLOCKS_AT_ONCE) {
            for &(file, block) in chosen {
                self.files[file].read(Part::Training, block, &mut positions)?;
            }
            positions.shuffle(&mut random);
            let whole = positions.split_off(positions.len() % order.batch);
            for batch in whole.chunks(order.batch) {
                if sender.send(batch.to_vec()).is_err() {
                    // Nobody takes it: the training has panicked.
                    return Ok(());
                }
            }
        }
        if !positions.is_empty() {
            // Best effort, as above.
            let _ = sender.send(positions);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tuning::positions::write_blocks;
    use trebuchet::board::Position;
    use trebuchet::types::Score;
    use trebuchet::variants::Standard;

    /// Files with this many positions for training, all different.
    fn stream(counts: &[i32]) -> Stream {
        let folder = tempfile::tempdir().unwrap();
        let mut next = -2000;
        let mut paths = Vec::new();
        for &count in counts {
            let mut bytes = Header {
                variants: vec!["normal".to_owned()],
                training: count as u64,
                validation: 1,
                fingerprint: 0,
                settings: Vec::new(),
            }
            .write();
            let mut position = || {
                next += 1;
                TrainingPosition::without_result(&Position::<Standard>::start(), Score::cp(next))
            };
            write_blocks(&mut bytes, (0..count).map(|_| Ok(position()))).unwrap();
            write_blocks(&mut bytes, [Ok(position())]).unwrap();
            paths.push(folder.path().join(paths.len().to_string()));
            fs::write(paths.last().unwrap(), bytes).unwrap();
        }
        Stream::open(&paths).unwrap()
    }

    #[test]
    fn an_epoch_has_every_position_once_in_its_own_order() {
        let mut stream = stream(&[700, 1000, 3]);
        assert_eq!([Part::Training, Part::Validation].map(|part| stream.count(part)), [1703, 3]);
        let mut sorted = Vec::new();
        stream.visit(Part::Training, |positions| sorted.extend_from_slice(positions)).unwrap();
        let mut epoch = |seed| {
            let (mut sizes, mut all) = (Vec::new(), Vec::new());
            let order = Order { batch: 500, seed };
            let learn = |batch: &[TrainingPosition]| {
                sizes.push(batch.len());
                all.extend_from_slice(batch);
            };
            stream.epoch(order, learn).unwrap();
            assert_eq!(sizes, [500, 500, 500, 203]);
            all
        };
        let (first, second) = (epoch(1), epoch(2));
        assert_eq!(first, epoch(1));
        assert_ne!(first, second);
        for mut all in [first, second] {
            assert_ne!(all, sorted);
            all.sort_by(|a, b| a.target(0.0).total_cmp(&b.target(0.0)));
            assert_eq!(all, sorted);
        }
    }
}
