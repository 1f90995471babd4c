//! A game as bytes.

use crate::tuning::selfplay::ScoredMove;
use trebuchet::fnv::{FNV_32_START, FNV_START, fnv_1a, fnv_1a_32};
use trebuchet::types::{Color, Move, Score};

/// A game of the engine against itself, from the end of its opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// The number of the game in its run.
    pub number: u32,
    pub fen: String,
    /// `None` for a draw.
    pub winner: Option<Color>,
    pub moves: Vec<ScoredMove>,
}

/// The longest body of a game, in bytes: about 64 Ki plies.
const MAX_BODY: usize = 1 << 18;
/// The longest game of a file in bytes, with its length and checksums.
pub const MAX_RECORD: usize = MAX_BODY + 12;

/// How the games of a file are framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// In versions 1 and 2 of the file.
    PlainLength,
    /// In version 3: the length has a checksum of its own.
    CheckedLength,
}

/// What stands at a place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A game, and its length in bytes.
    Game(StoredGame, usize),
    /// The beginning of a game at the end of the file; the rest was never written.
    TornTail,
    Damage,
}

impl Framing {
    /// The bytes before the body.
    const fn head(self) -> usize {
        match self {
            Framing::PlainLength => 4,
            Framing::CheckedLength => 8,
        }
    }

    /// The game as bytes of a file.
    pub fn write(self, game: &StoredGame) -> Vec<u8> {
        let body = game.to_body();
        let length = (body.len() as u32).to_le_bytes();
        let mut bytes = length.to_vec();
        if self == Framing::CheckedLength {
            bytes.extend(checksum(&length).to_le_bytes());
        }
        bytes.extend(&body);
        bytes.extend(checksum(&body).to_le_bytes());
        bytes
    }

    /// Reads the game at the beginning of `bytes`. They must not be empty, and may be fewer than
    /// [`MAX_RECORD`] only at the end of the file.
    pub fn read(self, bytes: &[u8]) -> Record {
        let Some((game, length)) = self.read_whole(bytes) else {
            let is_torn = self.runs_past_the_end(bytes) && !self.hides_a_game(bytes);
            return if is_torn { Record::TornTail } else { Record::Damage };
        };
        Record::Game(game, length)
    }

    /// The game at the beginning of `bytes` and its length in bytes, if there is a whole one.
    pub fn read_whole(self, bytes: &[u8]) -> Option<(StoredGame, usize)> {
        let length = self.body_length(bytes)?;
        let (body, after) = bytes[self.head()..].split_at_checked(length)?;
        // The cheap tests come first, because the search for the end of damage tries every byte.
        let game = StoredGame::from_body(body)?;
        (word(after)? == checksum(body)).then_some((game, self.head() + length + 4))
    }

    /// The length of the body; `None` if it is cut off or cannot be true.
    fn body_length(self, bytes: &[u8]) -> Option<usize> {
        let length = word(bytes)?;
        let is_checked =
            self == Framing::PlainLength || word(&bytes[4..])? == checksum(&bytes[..4]);
        (is_checked && length as usize <= MAX_BODY).then_some(length as usize)
    }

    fn runs_past_the_end(self, bytes: &[u8]) -> bool {
        let is_head_cut = bytes.len() < self.head();
        is_head_cut
            || self.body_length(bytes).is_some_and(|length| bytes.len() < self.head() + length + 4)
    }

    /// Is there a whole game in the last bytes of a file? Then the length before it is wrong.
    fn hides_a_game(self, bytes: &[u8]) -> bool {
        let is_followed = (1..bytes.len()).any(|start| self.read_whole(&bytes[start..]).is_some());
        let body = bytes.get(4..).filter(|_| self == Framing::PlainLength);
        is_followed || body.is_some_and(has_checksum)
    }
}

/// Do the bytes begin with a body and its checksum, whatever the length of the body?
fn has_checksum(bytes: &[u8]) -> bool {
    let mut sum = FNV_32_START;
    bytes.iter().enumerate().any(|(at, &byte)| {
        let is_end = at > 0 && word(&bytes[at..]) == Some(sum);
        sum = fnv_1a_32(sum, [byte]);
        is_end
    })
}

impl StoredGame {
    /// A hash of the game's first position and moves: the same for a game in every file, whatever its
    /// number there.
    pub fn hash(&self) -> u64 {
        let moves = self.moves.iter().flat_map(|best| best.mv.bits().to_le_bytes());
        fnv_1a(FNV_START, self.fen.bytes().chain(moves))
    }

    /// Is the game for validation, and not learnt? One of twenty is.
    pub fn is_for_validation(&self) -> bool {
        // The upper half: in the lower bits, games that differ in their last moves alone are alike.
        (self.hash() >> 32) % 20 == 19
    }

    fn to_body(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(6 + self.fen.len() + 4 * self.moves.len());
        body.extend(self.number.to_le_bytes());
        body.push(match self.winner {
            Some(Color::Black) => 0,
            None => 1,
            Some(Color::White) => 2,
        });
        let fen = &self.fen.as_bytes()[..self.fen.len().min(255)];
        body.push(fen.len() as u8);
        body.extend(fen);
        for ScoredMove { mv, score } in &self.moves {
            body.extend(mv.bits().to_le_bytes());
            body.extend((score.value() as i16).to_le_bytes());
        }
        body
    }

    fn from_body(body: &[u8]) -> Option<StoredGame> {
        let (number, rest) = body.split_first_chunk()?;
        let (&[result, fen_length], rest) = rest.split_first_chunk()?;
        let (fen, moves) = rest.split_at_checked(fen_length.into())?;
        let winner = match result {
            0 => Some(Color::Black),
            1 => None,
            2 => Some(Color::White),
            _ => return None,
        };
        let moves = moves.chunks(4).map(|bytes| {
            let &[a, b, c, d] = bytes else { return None };
            let mv = Move::from_bits(u16::from_le_bytes([a, b]))?;
            Some(ScoredMove { mv, score: Score::cp(i16::from_le_bytes([c, d]).into()) })
        });
        Some(StoredGame {
            number: u32::from_le_bytes(*number),
            fen: std::str::from_utf8(fen).ok()?.to_owned(),
            winner,
            moves: moves.collect::<Option<_>>()?,
        })
    }
}

/// The first four bytes as a number.
pub fn word(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// The hash FNV-1a with 32 bits.
pub fn checksum(bytes: &[u8]) -> u32 {
    fnv_1a_32(FNV_32_START, bytes.iter().copied())
}
