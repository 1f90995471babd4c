//! Tests of puzzles in a conversation.

use super::*;

/// Every puzzle can be solved with its hints alone.
#[test]
fn puzzles_are_solved_move_by_move() {
    for &variant in VariantId::ALL {
        let puzzles = crate::play::Puzzle::built_in(variant);
        let puzzle = puzzles.last().expect("every game has puzzles");
        let moves: Vec<&str> = puzzle.solution.iter().step_by(2).map(|san| san.as_str()).collect();
        let number = puzzles.len();
        let lines = format!("puzzle {number}\nhint\nhint\n{}\nsolution\n", moves.join("\n"));
        let (_, text) = talk(variant, &lines);
        assert!(text.contains(&format!("Puzzle {number} of {number}, about")), "{text}");
        assert!(text.contains(&format!("The move is {}.", moves[0])), "{text}");
        assert!(text.contains("\nSolved"), "{text}");
        assert!(text.contains("There is no puzzle on the board"), "{text}");
        let (_, text) = talk(variant, &format!("puzzle {number}\nsolution\npuzzle\npuzzle 9999\n"));
        assert!(text.contains(&format!("The solution: {}.", puzzle.solution.join(" "))), "{text}");
        assert!(text.contains(&format!("That was the last of {number} puzzles. ")), "{text}");
        assert!(text.contains(&format!("I have {number} puzzles: puzzle 1 to ")), "{text}");
    }
}

#[test]
fn a_wrong_move_is_not_played_in_a_puzzle() {
    let (_, text) = talk(VariantId::ThreeCheck, "puzzle 1\nlegal\n");
    let puzzle = &crate::play::Puzzle::built_in(VariantId::ThreeCheck)[0];
    let legal = text.lines().rev().nth(1).unwrap().trim_start_matches("> ");
    let wrong = legal.split(' ').find(|san| **san != puzzle.solution[0] && !san.ends_with('#'));
    let lines = format!("clock 600\npuzzle 1\n{}\nfen\nresign\n", wrong.unwrap());
    let (_, text) = talk(VariantId::ThreeCheck, &lines);
    assert!(
        text.contains(" is not the move. Try again.\n") && text.contains(&puzzle.fen),
        "{text}"
    );
    assert!(text.contains("The puzzle ends here."), "{text}");
    assert!(!text.contains("is gone"), "{text}");
    assert_eq!(text.matches("The clock is off.\n").count(), 1, "{text}");
    // As long as there is nothing to take back, undo leaves the puzzle as it is.
    let (_, text) = talk(VariantId::ThreeCheck, "puzzle 1\nundo\nsolution\n");
    assert!(text.contains("There is no earlier position."), "{text}");
    assert!(text.contains("The solution: "), "{text}");
    // A game is lost, a puzzle is not.
    let solved = &puzzle.solution.join("\n");
    let (_, text) =
        talk(VariantId::ThreeCheck, &format!("both\ne4\npuzzle 1\n{solved}\npuzzle 2\n"));
    assert_eq!(text.matches("The game so far is gone").count(), 1, "{text}");
}

/// The reply to a right move is not a move of the person.
#[test]
fn the_coach_speaks_of_the_persons_move_in_a_puzzle() {
    let puzzles = crate::play::Puzzle::built_in(VariantId::Standard);
    let number = 1 + puzzles.iter().position(|puzzle| puzzle.solution.len() > 2).unwrap();
    let solution = &puzzles[number - 1].solution;
    let lines = format!("puzzle {number}\nbetter\n{}\nbetter\n", solution[0]);
    let (_, text) = talk(VariantId::Standard, &lines);
    assert!(text.contains(&format!("The reply is {}.", solution[1])), "{text}");
    assert!(text.contains("You have made no move yet."), "{text}");
    assert!(text.contains(&format!("I have nothing better than {}.", solution[0])), "{text}");
}

/// After a mate nobody can play on.
#[test]
fn a_solved_puzzle_tells_what_can_follow() {
    let puzzles = crate::play::Puzzle::built_in(VariantId::Standard);
    for is_mate in [false, true] {
        let ends = |san: Option<&String>| san.is_some_and(|san| san.ends_with('#')) == is_mate;
        let place = puzzles.iter().position(|puzzle| ends(puzzle.solution.last())).unwrap();
        let moves: Vec<&str> =
            puzzles[place].solution.iter().step_by(2).map(|san| san.as_str()).collect();
        let lines = format!("puzzle {}\n{}\n", place + 1, moves.join("\n"));
        let (_, text) = talk(VariantId::Standard, &lines);
        assert!(text.contains("puzzle sets up the next one"), "{text}");
        assert_eq!(text.contains("go plays on from here."), !is_mate, "{text}");
    }
}

/// A move after the time was up would not be played.
#[test]
fn a_puzzle_has_no_clock() {
    let (_, text) = talk(VariantId::Standard, "puzzle\nclock 5\nnew\nclock 5\n");
    assert_eq!(text.matches("A puzzle has no clock.").count(), 1, "{text}");
    assert_eq!(text.matches("The clock runs: ").count(), 1, "{text}");
}
