//! Puzzles: positions in which one move wins, and a person's attempt at one.

use std::fmt;

use super::game::Game;
use super::variant_game::new_game;
use crate::notation::{Epd, Operation};
use crate::types::Move;
use crate::variants::VariantId;

/// A position with the moves that solve it.
///
/// As EPD: the FEN, then `bm` with the first move of the solution, `pv` with all its moves and the replies
/// between them, both in SAN, `rating` with a strength in Elo, and `theme` with words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    pub fen: String,
    /// In SAN: the solver's moves and the replies between them. The first and the last are the solver's.
    pub solution: Vec<String>,
    /// The strength in Elo at which the engine, playing as a person, finds the solution at least half of the time.
    pub rating: u32,
    /// What the solution is about, such as `mate` or `fork`; may be empty.
    pub themes: Vec<String>,
}

impl Puzzle {
    /// The puzzles that the program has for this variant, the easiest first.
    pub fn built_in(variant: VariantId) -> Vec<Puzzle> {
        let lines = Epd::parse_file(variant.puzzles()).filter_map(Result::ok);
        let mut puzzles: Vec<Puzzle> =
            lines.filter_map(|epd| Puzzle::read(&epd, variant)).collect();
        puzzles.sort_by_key(|puzzle| puzzle.rating);
        puzzles
    }

    /// The puzzle of a line of EPD, if its moves are legal in this variant.
    pub fn read(epd: &Epd, variant: VariantId) -> Option<Puzzle> {
        let [rating] = epd.operands("rating")? else { return None };
        let puzzle = Puzzle {
            fen: epd.fen.clone(),
            solution: epd.operands("pv")?.to_vec(),
            rating: rating.parse().ok()?,
            themes: epd.operands("theme").unwrap_or_default().to_vec(),
        };
        let is_whole = puzzle.moves(variant).len() == puzzle.solution.len();
        (is_whole && puzzle.solution.len() % 2 == 1).then_some(puzzle)
    }

    /// The position.
    ///
    /// # Panics
    /// If it is not legal in this variant; [`Puzzle::read`] makes no such puzzles.
    pub fn start(&self, variant: VariantId) -> Box<dyn Game> {
        let mut game = new_game(variant);
        game.set_board(&self.fen).expect("a puzzle has a legal position");
        game
    }

    /// The moves of the solution, up to the first that is not legal; none if the position is not.
    pub fn moves(&self, variant: VariantId) -> Vec<Move> {
        let mut game = new_game(variant);
        if game.set_board(&self.fen).is_err() {
            return Vec::new();
        }
        let legal = self.solution.iter().map_while(|san| {
            let mv = game.parse_move(san).ok()?;
            game.play(mv);
            Some(mv)
        });
        legal.collect()
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let operation =
            |code: &str, operands: Vec<String>| Operation { code: code.to_owned(), operands };
        let mut operations = vec![
            operation("bm", vec![self.solution[0].clone()]),
            operation("pv", self.solution.clone()),
            operation("rating", vec![self.rating.to_string()]),
        ];
        if !self.themes.is_empty() {
            operations.push(operation("theme", self.themes.clone()));
        }
        Epd { fen: self.fen.clone(), operations }.fmt(f)
    }
}

/// A puzzle that a person tries to solve.
#[derive(Clone, Debug)]
pub struct Attempt {
    puzzle: Puzzle,
    moves: Vec<Move>,
    /// How many of the moves have been played.
    ply: usize,
}

/// What follows from a move that a person tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Wrong,
    /// The move is right, and this is the reply.
    Right(Move),
    /// The move was the last of the solution, or wins the game at once.
    Solved,
}

impl Attempt {
    pub fn new(puzzle: Puzzle, variant: VariantId) -> Attempt {
        let moves = puzzle.moves(variant);
        Attempt { puzzle, moves, ply: 0 }
    }

    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The move that is wanted now.
    pub fn wanted(&self) -> Move {
        self.moves[self.ply]
    }

    /// The rest of the solution, in SAN.
    pub fn rest(&self) -> &[String] {
        &self.puzzle.solution[self.ply..]
    }

    /// Judges a legal move in the position of the attempt. After a right one, the attempt stands behind the
    /// reply.
    pub fn answer(&mut self, game: &dyn Game, mv: Move) -> Answer {
        let mut after = game.fork();
        after.play(mv);
        let solver = Some(game.side_to_move());
        if after.outcome().is_some_and(|outcome| outcome.winner == solver) {
            return Answer::Solved;
        }
        if mv != self.wanted() {
            return Answer::Wrong;
        }
        self.ply += 2;
        self.moves.get(self.ply - 1).map_or(Answer::Solved, |&reply| Answer::Right(reply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Reason;

    fn puzzle(line: &str) -> Option<Puzzle> {
        Puzzle::read(&Epd::parse(line).unwrap(), VariantId::Standard)
    }

    #[test]
    fn only_whole_solutions_are_read() {
        let read =
            |pv: &str| puzzle(&format!("4k3/8/8/8/8/8/4q3/R3K2R w - - 0 1 pv {pv}; rating 400;"));
        assert!(read("Kxe2 Kd7 Rh7+").is_some());
        for pv in ["Kxe2 Kd7", "Kd2", "Kxe2 Kd7 Rh7+ Kd6 O-O"] {
            assert_eq!(read(pv), None, "{pv}");
        }
    }

    #[test]
    fn a_puzzle_is_written_as_it_is_read() {
        let line =
            "4k3/8/8/8/8/8/4q3/R3K2R w - - 0 1 bm Kxe2; pv Kxe2 Kd7 Rh7+; rating 400; theme fork;";
        let puzzle = puzzle(line).unwrap();
        assert_eq!(puzzle.to_string(), line);
        assert_eq!(puzzle.moves(VariantId::Standard).len(), 3);
        assert!(Puzzle::read(&Epd::parse(line).unwrap(), VariantId::Horde).is_none());
    }

    #[test]
    fn the_wanted_moves_and_every_mate_are_right() {
        let variant = VariantId::Standard;
        let line = "7k/8/8/8/R7/1R6/8/6K1 w - - 0 1 pv Rb7 Kg8 Ra8#; rating 400;";
        let mut attempt = Attempt::new(puzzle(line).unwrap(), variant);
        let mut game = attempt.puzzle().start(variant);
        for (san, reply) in [("Rb6", None), ("Rb7", Some("Kg8")), ("Kg2", None)] {
            let mv = game.parse_move(san).unwrap();
            let answer = attempt.answer(&*game, mv);
            let Some(reply) = reply else {
                assert_eq!(answer, Answer::Wrong, "{san}");
                continue;
            };
            game.play(mv);
            let reply = game.parse_move(reply).unwrap();
            assert_eq!(answer, Answer::Right(reply), "{san}");
            game.play(reply);
        }
        assert_eq!(attempt.rest(), ["Ra8#"]);
        assert_eq!(attempt.answer(&*game, attempt.wanted()), Answer::Solved);
        // Another mate than the one in the solution.
        let line = "6k1/1R6/8/8/R7/8/8/6K1 w - - 0 1 pv Rg4+ Kf8 Rbg7; rating 400;";
        let mut attempt = Attempt::new(puzzle(line).unwrap(), variant);
        let game = attempt.puzzle().start(variant);
        assert_eq!(attempt.answer(&*game, game.parse_move("Ra8#").unwrap()), Answer::Solved);
    }

    #[test]
    fn built_in_puzzles_are_sorted_and_end_as_their_themes_say() {
        for &variant in VariantId::ALL {
            let puzzles = Puzzle::built_in(variant);
            let lines = variant.puzzles().lines().filter(|line| !line.starts_with('#'));
            assert_eq!(puzzles.len(), lines.count(), "{}", variant.name());
            assert!(puzzles.is_sorted_by_key(|puzzle| puzzle.rating));
            for puzzle in puzzles {
                let mut game = puzzle.start(variant);
                let solver = game.side_to_move();
                puzzle.moves(variant).into_iter().for_each(|mv| game.play(mv));
                let end = game.outcome();
                assert!(end.is_none_or(|end| end.winner == Some(solver)), "{puzzle}");
                let is_mate = end.is_some_and(|end| end.reason == Reason::Checkmate);
                assert!(!is_mate || puzzle.themes.iter().any(|theme| theme == "mate"), "{puzzle}");
            }
        }
    }
}
