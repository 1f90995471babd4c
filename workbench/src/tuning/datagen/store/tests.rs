//! Tests of files of games: whole ones, torn ones, damaged ones, old ones.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::reader::Gap;
use super::record::{Framing, checksum};
use super::*;
use crate::tuning::selfplay::ScoredMove;
use trebuchet::types::{Color, Move, MoveKind, Score, Square};

const AS_BEGUN: Continuation = Continuation { mixes_settings: false, skips_damage: false };
const MIXING: Continuation = Continuation { mixes_settings: true, ..AS_BEGUN };
const SKIPPING: Continuation = Continuation { skips_damage: true, ..AS_BEGUN };

fn game(number: u32) -> StoredGame {
    let mv = Move::new(Square::new(4, 0), Square::new(3, 0), MoveKind::Quiet);
    let scored = |n| ScoredMove { mv, score: Score::cp(31_990 - 500 * n) };
    let moves = (0..number as i32).map(scored).collect();
    let winner = [Some(Color::White), None, Some(Color::Black)][number as usize % 3];
    StoredGame { number, fen: "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(), winner, moves }
}

fn description(variant: &str) -> Description {
    let settings = vec![("seed".to_owned(), "7".to_owned())];
    Description { variant: variant.to_owned(), settings }
}

fn header() -> Vec<u8> {
    header::FileHeader::write(&description("normal"))
}

/// A file in a folder that goes with it.
struct TestFile {
    _folder: TempDir,
    path: PathBuf,
}

impl TestFile {
    fn new(bytes: &[u8]) -> TestFile {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        fs::write(&path, bytes).unwrap();
        TestFile { _folder: folder, path }
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }

    fn writer(&self, allowed: Continuation) -> Result<GameWriter, StoreError> {
        GameWriter::open(&self.path, "normal", &description("normal"), allowed, &mut |_| ())
    }

    /// Opens the file to write, and writes a game.
    fn append(&self, number: u32, allowed: Continuation) -> Result<(), StoreError> {
        self.writer(allowed)?.write(&game(number))
    }

    /// The numbers of the games, which must be as they were written, and the gaps.
    fn read(&self, skip_damage: bool) -> Result<(Vec<u32>, Vec<Gap>), StoreError> {
        let mut reader = GameReader::open(&self.path, "normal", skip_damage)?;
        let mut numbers = Vec::new();
        for found in reader.by_ref() {
            let found = found?;
            assert_eq!(found, game(found.number));
            numbers.push(found.number);
        }
        Ok((numbers, reader.gaps().to_vec()))
    }

    fn numbers(&self) -> Vec<u32> {
        self.read(false).unwrap().0
    }
}

/// A file of the version with these games, and where each game begins.
fn file(version: u32, numbers: &[u32]) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, framing) = match version {
        1 => (b"TREBGAM1normal\0\0".to_vec(), Framing::PlainLength),
        2 => (b"TREBGAM2\x0f\0\0\0variant normal\n".to_vec(), Framing::PlainLength),
        _ => (header(), Framing::CheckedLength),
    };
    let starts = numbers.iter().map(|&number| {
        let start = bytes.len();
        bytes.extend(framing.write(&game(number)));
        start
    });
    let starts = starts.collect();
    (bytes, starts)
}

#[test]
fn games_come_back_as_they_were_written() {
    let file = TestFile::new(b"");
    let numbers: Vec<u32> = (0..100).collect();
    let mut writer = file.writer(AS_BEGUN).unwrap();
    numbers[..60].iter().for_each(|&number| writer.write(&game(number)).unwrap());
    drop(writer);
    let mut shown = Vec::new();
    let mut writer =
        GameWriter::open(&file.path, "normal", &description("normal"), AS_BEGUN, &mut |game| {
            shown.push(game.number);
        })
        .unwrap();
    assert_eq!(shown, numbers[..60]);
    numbers[60..].iter().for_each(|&number| writer.write(&game(number)).unwrap());
    assert_eq!(file.numbers(), numbers);
    let other = GameReader::open(&file.path, "3check", false).err();
    assert!(matches!(other, Some(StoreError::OtherVariant { .. })));
}

#[test]
fn more_games_than_are_read_at_once() {
    let numbers: Vec<u32> = (0..6000).map(|number| number % 100).collect();
    let (bytes, _) = file(3, &numbers);
    assert!(bytes.len() > 1 << 20);
    assert_eq!(TestFile::new(&bytes).numbers(), numbers);
}

#[test]
fn names_may_have_any_length() {
    let file = TestFile::new(b"");
    let name = "a-variant-with-a-long-name";
    let mut writer =
        GameWriter::open(&file.path, name, &description(name), AS_BEGUN, &mut |_| ()).unwrap();
    writer.write(&game(1)).unwrap();
    assert_eq!(GameReader::open(&file.path, name, false).unwrap().count(), 1);
    let shorter = GameReader::open(&file.path, "a-variant", false).err();
    assert!(matches!(shorter, Some(StoreError::OtherVariant { .. })));
}

#[test]
fn older_files_are_read_and_continued() {
    for version in [1, 2] {
        let (old, _) = file(version, &[4]);
        let file = TestFile::new(&old);
        assert_eq!(file.numbers(), [4]);
        let refused = file.append(5, AS_BEGUN).unwrap_err().to_string();
        assert!(refused.contains("the file does not name them"), "{refused}");
        file.append(5, MIXING).unwrap();
        assert_eq!(file.numbers(), [4, 5]);
        assert!(file.bytes().starts_with(&old));
        let other = GameReader::open(&file.path, "3check", false).err();
        assert!(matches!(other, Some(StoreError::OtherVariant { .. })));
    }
}

#[test]
fn other_settings_are_refused() {
    let (bytes, _) = file(3, &[1]);
    let file = TestFile::new(&bytes);
    let other = |settings: &[(&str, &str)], allowed| {
        let settings =
            settings.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let description = Description { variant: "normal".to_owned(), settings };
        GameWriter::open(&file.path, "normal", &description, allowed, &mut |_| ()).err()
    };
    for (settings, wanted) in [
        (&[("seed", "8")][..], "seed 7 instead of 8"),
        (&[("seed", "7"), ("nodes", "1")], "no nodes instead of 1"),
        (&[], "seed 7 instead of none"),
    ] {
        match other(settings, AS_BEGUN) {
            Some(StoreError::OtherSettings { difference, .. }) => assert_eq!(difference, wanted),
            error => panic!("{error:?}"),
        }
        assert!(other(settings, MIXING).is_none());
    }
    assert_eq!(file.bytes(), bytes);
}

#[test]
fn two_writers_of_a_file_are_refused() {
    let file = TestFile::new(b"");
    let mut first = file.writer(AS_BEGUN).unwrap();
    assert!(matches!(file.writer(AS_BEGUN), Err(StoreError::InUse { .. })));
    first.write(&game(1)).unwrap();
    assert!(matches!(file.writer(AS_BEGUN), Err(StoreError::InUse { .. })));
    drop(first);
    file.append(2, AS_BEGUN).unwrap();
    assert_eq!(file.numbers(), [1, 2]);
}

#[test]
fn a_torn_tail_is_cut_off_and_told() {
    for version in [1, 2, 3] {
        let (all, starts) = file(version, &[5, 7]);
        for length in starts[0]..all.len() {
            let file = TestFile::new(&all[..length]);
            let whole = if length < starts[1] { 0 } else { 1 };
            let (numbers, gaps) = file.read(false).unwrap();
            assert_eq!(numbers, [5][..whole]);
            let torn = length - starts[whole];
            let lengths: Vec<u64> = gaps.iter().map(|gap| gap.length).collect();
            assert_eq!(lengths, [torn as u64][..usize::from(torn > 0)], "{version} {length}");
            assert!(gaps.iter().all(|gap| gap.is_torn_tail));
            // Nothing is cut off before there is something to write.
            let writer = file.writer(MIXING).unwrap();
            assert_eq!((writer.gaps(), file.bytes().len()), (gaps.as_slice(), length));
            drop(writer);
            file.append(9, MIXING).unwrap();
            let expected = [&[5][..whole], &[9]].concat();
            assert_eq!(file.read(false).unwrap(), (expected, vec![]), "{version} {length}");
        }
    }
}

#[test]
fn a_writer_that_was_killed_within_the_header_may_begin_again() {
    let header = header();
    for length in 0..=header.len() {
        let file = TestFile::new(&header[..length]);
        file.append(3, AS_BEGUN).unwrap();
        assert_eq!(file.numbers(), [3], "{length}");
    }
}

/// Flips each bit of each length, of the last game as well: a length may then point anywhere, also
/// past the end of the file.
#[test]
fn a_wrong_length_is_damage_and_not_a_torn_tail() {
    for version in [1, 2, 3] {
        let (all, starts) = file(version, &[5, 7, 6]);
        for (index, &start) in starts.iter().enumerate() {
            for bit in 0..32 {
                let mut bytes = all.clone();
                bytes[start + bit / 8] ^= 1 << (bit % 8);
                let file = TestFile::new(&bytes);
                for error in [file.read(false).unwrap_err(), file.append(9, MIXING).unwrap_err()] {
                    let StoreError::Damaged { offset, .. } = error else { panic!("{error}") };
                    assert_eq!(offset, start as u64, "version {version}, game {index}, bit {bit}");
                }
                assert_eq!(file.bytes(), bytes);
                let (numbers, gaps) = file.read(true).unwrap();
                let kept: Vec<u32> =
                    [5, 7, 6].into_iter().filter(|n| *n != [5, 7, 6][index]).collect();
                assert_eq!(numbers, kept);
                let end = starts.get(index + 1).copied().unwrap_or(all.len());
                let length = (end - start) as u64;
                assert_eq!(gaps, [Gap { offset: start as u64, length, is_torn_tail: false }]);
            }
        }
    }
}

#[test]
fn damage_is_refused_or_skipped() {
    for version in [1, 2, 3] {
        let (all, starts) = file(version, &[5, 7, 6]);
        for place in starts[1]..starts[2] {
            let mut bytes = all.clone();
            bytes[place] ^= 0x10;
            let file = TestFile::new(&bytes);
            let error = file.read(false).unwrap_err();
            let StoreError::Damaged { offset, .. } = error else { panic!("{error}") };
            assert_eq!(offset, starts[1] as u64);
            assert_eq!(file.read(true).unwrap().0, [5, 6], "version {version}, byte {place}");
            let both = Continuation { mixes_settings: true, ..SKIPPING };
            file.append(8, both).unwrap();
            assert!(file.bytes().starts_with(&bytes));
            assert_eq!(file.read(true).unwrap().0, [5, 6, 8]);
        }
    }
}

#[test]
fn games_after_a_long_stretch_of_damage_are_found() {
    for version in [1, 2, 3] {
        let (first, _) = file(version, &[5]);
        let (all, starts) = file(version, &[5, 9]);
        for junk in [0, 0xff, b'T'] {
            let junk = vec![junk; 600_000];
            let bytes = [first.as_slice(), &junk, &all[starts[1]..]].concat();
            let (numbers, gaps) = TestFile::new(&bytes).read(true).unwrap();
            assert_eq!(numbers, [5, 9], "version {version}");
            assert_eq!(gaps[0].length, 600_000);
        }
    }
}

#[test]
fn a_damaged_header_is_refused_or_skipped() {
    let (all, starts) = file(3, &[5, 7]);
    for place in 8..starts[0] {
        let mut bytes = all.clone();
        bytes[place] ^= 1;
        let file = TestFile::new(&bytes);
        for error in [file.read(false).unwrap_err(), file.append(9, MIXING).unwrap_err()] {
            assert!(matches!(error, StoreError::Damaged { offset: 8, .. }), "{place}: {error}");
        }
        assert_eq!(file.bytes(), bytes);
        assert_eq!(file.read(true).unwrap().0, [5, 7]);
    }
}

#[test]
fn other_files_are_refused() {
    for other in ["1. e4", "[Event \"?\"] a game of another kind", "TREBGAM4 from the future"] {
        let file = TestFile::new(other.as_bytes());
        for error in [file.read(true).unwrap_err(), file.append(9, SKIPPING).unwrap_err()] {
            assert!(matches!(error, StoreError::NotGames { .. }));
        }
        assert_eq!(file.bytes(), other.as_bytes());
    }
}

/// The format must not change: people keep their files.
#[test]
fn the_bytes_of_a_file() {
    let (bytes, starts) = file(3, &[1]);
    let text = b"variant normal\nseed 7\n";
    assert_eq!(&bytes[..12], b"TREBGAM3\x16\0\0\0");
    assert_eq!(&bytes[12..34], text);
    assert_eq!(bytes[34..38], checksum(&bytes[8..34]).to_le_bytes());
    let game = &bytes[starts[0]..];
    assert_eq!(game[..4], 39_u32.to_le_bytes());
    assert_eq!(game[4..8], checksum(&game[..4]).to_le_bytes());
    assert_eq!(&game[8..14], b"\x01\0\0\0\x01\x1d");
    assert_eq!(&game[14..43], b"4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(game[45..47], 31_990_i16.to_le_bytes());
    assert_eq!(game[47..], checksum(&game[8..47]).to_le_bytes());
    assert_eq!(checksum(b"foobar"), 0xbf9c_f968);
}

/// The header is read first, and then the file once more.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_no_file_of_games() {
    use std::io::Write;

    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(&file(3, &[1]).0).unwrap();
    drop(writer);
    let number = std::os::fd::AsRawFd::as_raw_fd(&reader);
    let error = description_of(&PathBuf::from(format!("/proc/self/fd/{number}"))).unwrap_err();
    assert!(error.to_string().ends_with(": not a file"), "{error}");
}
