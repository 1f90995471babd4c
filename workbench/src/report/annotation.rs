//! The analysis of a game: plain data, from which the annotated PGN and the HTML report are written.
//!
//! Scores of positions are seen from White. All lines begin in the position before their move.

use std::time::Duration;

use super::phases::Phase;
use trebuchet::coach::{Assessment, HeatMap, Judgement, Line};
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
    /// The name of the opening, if the game has gone through a position that has one.
    pub opening: Option<&'static str>,
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
    /// The moments from which both sides can learn, in the order of the game. They are looked for after the
    /// analysis, if they are wanted.
    pub exercises: Vec<Exercise>,
}

/// A moment in which a player lost something: the position before the move, in which the reader looks for a
/// better one.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The index of the move that was played.
    pub ply: usize,
    /// What is said of that move. It names a better one.
    pub played: Assessment,
    /// What to look at to find a better move: `Look at the knight on e5`.
    pub clue: String,
    /// All legal moves, and what is said of each.
    pub tries: Vec<(Move, Assessment)>,
}

/// A move of the game with its analysis.
#[derive(Clone, Debug)]
pub struct AnnotatedPly {
    /// The side that makes the move.
    pub mover: Color,
    /// The number of the full move, as in PGN.
    pub number: u32,
    pub mv: Move,
    pub san: String,
    /// The position after the move.
    pub fen: String,
    /// The part of the game in which the move was made.
    pub phase: Phase,
    /// Is the other side in check after the move?
    pub gives_check: bool,
    /// The state of the variant after the move, in words: `Checks given: White 1, Black 0`.
    pub state: Option<String>,
    /// The score after the move, from White.
    pub score: Score,
    /// The best lines in the position before the move, the best one first: at most two. Their scores are seen
    /// from the mover. The first move of a line may be the move played.
    pub lines: Vec<Line>,
    /// The verdict on the move, and the chances that it gives away.
    pub judgement: Judgement,
    /// The verdict in a sentence: `Mistake, loses 14% of the winning chances. It allows mate in 1:
    /// Qh4#. Better: Nf3`. Empty if there is nothing to say.
    pub words: String,
    /// How the opponent can punish the move, if that can be proven.
    pub punishment: Option<Punishment>,
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

/// How a bad move is punished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Punishment {
    /// A sentence, which `words` has too: `It allows mate in 1: Qh4#`.
    pub text: String,
    /// The opponent's best reply and how the game goes on, in the position after the move. Empty if the
    /// move itself has ended the game.
    pub line: Vec<Move>,
}

impl AnnotatedPly {
    /// The best line in the position before the move. `None` if no search has found one.
    pub fn best(&self) -> Option<&Line> {
        self.lines.first()
    }

    /// Was the move played the engine's best one?
    pub fn is_best(&self) -> bool {
        self.best().is_some_and(|line| line.moves.first() == Some(&self.mv))
    }
}
