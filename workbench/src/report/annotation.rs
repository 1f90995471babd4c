//! The analysis of a game: plain data, from which the annotated PGN and the HTML report are written.
//!
//! All scores are seen from White. All lines begin in the position before their move.

use std::time::Duration;

use trebuchet::coach::{HeatMap, Judgement};
use trebuchet::types::{Color, GameResult, Move, Score};
use trebuchet::variants::VariantId;

/// A game with the analysis of its moves.
#[derive(Clone, Debug)]
pub struct AnnotatedGame {
    pub variant: VariantId,
    /// The tags of the source, in order.
    pub tags: Vec<(String, String)>,
    /// The comment of the source before the first move.
    pub comment: Option<String>,
    /// The position before the first move.
    pub start_fen: String,
    /// The score of that position, from White.
    pub start_score: Score,
    /// The moves of the main line that could be analysed, in order.
    pub plies: Vec<AnnotatedPly>,
    /// The result that the source gives.
    pub result: GameResult,
    /// How the game ended, in words: `White mates`, `Draw by repetition`. `None` if the moves do not
    /// tell.
    pub ending: Option<String>,
    /// Why the analysis ends before the source does: a sentence about a move that is not legal.
    pub problem: Option<String>,
    /// How well White and Black played, in percent. `None` for a side without a move.
    pub accuracy: [Option<f64>; 2],
    /// How deep each position was searched, in words: `1 s a move`.
    pub limits: String,
    /// The engine and its version.
    pub engine: String,
    /// How much each square mattered in the whole game.
    pub heat: HeatMap,
}

/// A move of the game with its analysis.
#[derive(Clone, Debug)]
pub struct AnnotatedPly {
    /// The side that makes the move.
    pub mover: Color,
    /// The number of the full move, as in PGN.
    pub number: u32,
    pub mv: Move,
    /// The move as UCI writes it: castling by the king's squares in standard chess (`e1g1`), and with
    /// the rook's square in Chess960 (`e1h1`).
    pub uci: String,
    pub san: String,
    /// The position after the move.
    pub fen: String,
    /// Is the other side in check after the move?
    pub gives_check: bool,
    /// The state of the variant after the move, in words: `Checks given: White 1, Black 0`.
    pub state: Option<String>,
    /// The score after the move, from White.
    pub score: Score,
    /// The best line in the position before the move. Its first move may be the move played.
    pub best: Line,
    /// The second best line in the position before the move. `None` if there is only one legal move.
    pub second: Option<Line>,
    /// The verdict on the move, and the chances that it gives away.
    pub judgement: Judgement,
    /// The verdict in a sentence: `Mistake, loses 14% of the winning chances. Better: Nf3 attacks the
    /// pawn`. Empty if there is nothing to say.
    pub words: String,
    /// The comments of the source on the move, without commands such as `[%clk 0:05:00]`.
    pub comments: Vec<String>,
    /// The numeric annotation glyphs (NAGs) of the source: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// What was left on the mover's clock after the move.
    pub clock: Option<Duration>,
    /// The time that the move took.
    pub spent: Option<Duration>,
    /// How much each square matters after the move.
    pub heat: HeatMap,
    /// The side lines of the source that replace this move, as movetext: `12. Nf3 Nc6 (12... d6)`.
    pub side_lines: Vec<String>,
}

impl AnnotatedPly {
    /// Was the move played the engine's best one?
    pub fn is_best(&self) -> bool {
        self.best.moves.first() == Some(&self.mv)
    }
}

/// A line of moves with its score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// From White.
    pub score: Score,
    /// The depth to which it was searched, in plies.
    pub depth: i32,
    pub moves: Vec<Move>,
    /// The moves in SAN.
    pub san: Vec<String>,
    /// The moves as UCI writes them; see [`AnnotatedPly::uci`].
    pub uci: Vec<String>,
}
