//! Tests of conversations.

use super::*;
use crate::board::Position;
use crate::book::{self, Book, Entry};
use crate::tablebase::TablePaths;
use crate::variants::Standard;

mod puzzles;

fn talk(variant: VariantId, lines: &str) -> (Exit, String) {
    let mut out = Vec::new();
    let stage = Stage::Random;
    let settings = EngineSettings { stage, seed: 1, hash: 1, ..EngineSettings::default() };
    let person = &mut PlainPerson(lines.as_bytes());
    let ending = converse(person, &mut out, Style::PLAIN, variant, settings, false).unwrap();
    (ending, String::from_utf8(out).unwrap())
}

#[test]
fn a_person_plays_a_whole_three_check_game() {
    let moves = "both\ne4\ne5\nBc4\nBc5\nBxf7+\nKxf7\nd1h5\ng6\nscore\nQxg6\nd\nNf6\nquit\n";
    let (ending, text) = talk(VariantId::ThreeCheck, moves);
    assert_eq!(ending, Exit::Quit);
    assert!(text.contains("1. e4 e5 2. Bc4 Bc5 3. Bxf7+ Kxf7 4. Qh5+ g6\n"), "{text}");
    assert_eq!(text.matches("1-0 {White gives third check}").count(), 3, "{text}");
    assert!(text.contains("Black to move, in check. Checks given: White 3, Black 0."), "{text}");
}

#[test]
fn the_engine_answers_and_undo_takes_both_moves_back() {
    let (_, text) = talk(VariantId::Standard, "e4\nundo\nfen\nscore\n");
    assert!(text.contains("I play 1... "), "{text}");
    assert!(text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"), "{text}");
    assert!(text.contains("No move yet."), "{text}");
}

/// The person has made no move: taking back the engine's would leave it to move.
#[test]
fn the_first_move_of_the_engine_is_not_taken_back() {
    let (_, text) = talk(VariantId::Standard, "black\nundo\nfen\nscore\n");
    assert!(text.contains("There is no earlier position."), "{text}");
    assert!(text.contains(" b KQkq ") && !text.contains("No move yet."), "{text}");
}

#[test]
fn each_game_of_chess960_has_an_array_of_its_own() {
    let (_, text) = talk(VariantId::Chess960, "fen\nnew\nfen\nnew 960\nfen\nnew chess\nfen\n");
    let lines = text.lines().map(|line| line.trim_start_matches("> "));
    let fens: Vec<&str> = lines.filter(|line| line.ends_with(" - 0 1")).collect();
    let [first, second, third, chess] = fens[..] else { panic!("{text}") };
    assert!(first != second && second != third && third != first, "{fens:?}");
    assert!(fens[..3].iter().all(|fen| !fen.starts_with("rnbqkbnr/")), "{fens:?}");
    assert!(chess.starts_with("rnbqkbnr/"), "{chess}");
}

/// Otherwise the person would wait for an effect.
#[test]
fn a_time_for_the_move_does_not_hold_with_a_clock() {
    let waits = "The clock decides how long I think; this time applies once the clock is off.";
    assert!(!talk(VariantId::Standard, "time 2\n").1.contains(waits));
    let (_, text) = talk(VariantId::Standard, "clock 5\ntime 2\n");
    assert!(text.contains(waits), "{text}");
}

#[test]
fn moves_are_read_as_people_write_them() {
    let moves = "both\n1. E4\ne7 e5\nnf3\n...nc6\nbb5+\nNG8-F6\n0-0\nscore\nquit\n";
    let (_, text) = talk(VariantId::Standard, moves);
    assert!(text.contains("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O\n"), "{text}");
    // What is wrong with a move does not depend on the number before it.
    let (_, text) = talk(VariantId::Standard, "both\nd4\nd5\n2. d5\nquit\n");
    assert!(text.contains("2. d5: blocked."), "{text}");
}

#[test]
fn a_seed_repeats_the_sequence_of_games() {
    let lines = "e4\nnew\ne4\nnew 3check\ne4\n";
    let (_, text) = talk(VariantId::Standard, lines);
    let replies: Vec<&str> = text.lines().filter(|line| line.contains("I play")).collect();
    assert!(replies.len() == 3 && replies != [replies[0]; 3], "{text}");
    assert_eq!(talk(VariantId::Standard, lines).1, text);
}

#[test]
fn nonsense_is_answered_not_obeyed() {
    let (_, text) = talk(VariantId::Standard, "e5\nxyzzy\nsetboard 8/8 w\ntime\nundo\n");
    assert!(text.contains("e5: "), "{text}");
    assert!(text.contains("xyzzy: "), "{text}");
    assert!(text.contains("I can't set that up: "), "{text}");
    assert!(text.contains("Say time SECONDS"), "{text}");
    assert!(text.contains("There is no earlier position."), "{text}");
}

#[test]
fn resignation_names_the_winner() {
    let (_, text) = talk(VariantId::Standard, "e4\nresign\ne4\npgn\n");
    assert_eq!(text.matches("0-1 {White resigns}  (new starts another game)").count(), 2);
    assert!(text.contains("[Result \"0-1\"]"), "{text}");
    let (_, text) = talk(VariantId::Standard, "black\nresign\n");
    assert!(text.contains("1-0 {Black resigns}"), "{text}");
    let (_, text) = talk(VariantId::Standard, "both\ne4\nresign\n");
    assert!(text.contains("1-0 {Black resigns}"), "{text}");
    // The stage of pawns has no move.
    let lines = "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nstage pawns\ne4\nscore\n";
    let (_, text) = talk(VariantId::Standard, lines);
    assert!(text.contains("1-0 {Black resigns}"), "{text}");
}

#[test]
fn the_person_takes_a_side_and_turns_the_board() {
    let (_, text) = talk(VariantId::Standard, "black\nflip\nwhite\nscore\n");
    assert!(text.contains("I play 1. "), "{text}");
    assert_eq!(text.matches("   h g f e d c b a").count(), 1, "{text}");
    assert!(text.contains("I play 1... "), "{text}");
}

#[test]
fn a_coach_judges_and_explains() {
    let moves = "coach\nboth\nstage full\nf3\ne5\ng4\nwhy\nheat\nhint\nhint\ncoach off\nQh4\n";
    let (_, text) = talk(VariantId::Standard, moves);
    assert!(text.contains("g4?? Blunder, loses "), "{text}");
    // At once, and again as the answer to why.
    assert_eq!(text.matches("It allows mate in 1: Qh4#.\nBetter: ").count(), 2, "{text}");
    assert!(text.contains("Black wins in 1.\n> "), "{text}");
    assert!(text.contains("I would play Qh4#. It mates."), "{text}");
    // A coach that is switched off says nothing of the mate.
    assert!(!text.contains("Qh4# "), "{text}");
    let (_, text) = talk(VariantId::Standard, "both\ne4\nd5\nheat\nheat game\n");
    assert!(!text.contains("move.\n\n"), "{text}");
    assert!(text.contains("5  . 1 . 2 . 2 . . \n4  . . 2 . 2 . 1 . "), "{text}");
    assert!(text.contains("5  . 3 . 5 . 5 . . \n4  . . 5 . 5 . 3 . "), "{text}");
}

/// The move is one of those to the mate.
#[test]
fn the_coach_counts_the_moves_to_the_mate_from_the_position_on_the_board() {
    let mate_in_two = "setboard 7k/8/5K2/8/8/8/8/R7 w - - 0 1\n";
    let lines = format!("stage full\ncoach\n{mate_in_two}both\nKg6\n");
    let (_, text) = talk(VariantId::Standard, &lines);
    assert!(text.contains("White wins in 1.") && !text.contains("White wins in 2."), "{text}");
}

#[test]
fn why_explains_the_persons_move_and_not_the_reply() {
    let fool = "setboard rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2\n";
    let lines = format!("{fool}g4\nwhy\nbetter\npunishment\n");
    let (_, text) = talk(VariantId::Standard, &lines);
    assert!(text.contains("> g4?? Blunder, loses "), "{text}");
    assert!(text.contains("\nIt allows mate in 1: Qh4#.\n8  r n b . k b n r"), "{text}");
    assert!(text.contains("4  . . . . . . P q"), "{text}");
    assert_eq!(text.matches("This is not the game").count(), 2, "{text}");
    let (_, text) = talk(VariantId::Standard, "better\npunishment\n");
    assert_eq!(text.matches("You have made no move yet.").count(), 2, "{text}");
}

#[test]
fn why_has_a_verdict_and_no_filler() {
    let (_, text) = talk(VariantId::Standard, "both\na4\na5\ne4\nwhy\n");
    let why = text.split("> ").find(|part| part.starts_with("e4 ")).expect("an answer");
    assert!(why.starts_with("e4 Good move.\n"), "{text}");
    for filler in ["space", "is good for", "balance"] {
        assert!(!why.contains(filler), "{text}");
    }
}

#[test]
fn with_the_coach_the_engine_names_no_score_of_its_own() {
    let has_score = |start: &str| {
        let fen = "setboard 4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1\n";
        let (_, text) = talk(VariantId::Standard, &format!("stage full\n{start}{fen}a3\n"));
        let reply = text.lines().find(|line| line.contains("I play 1... ")).expect("a reply");
        reply.ends_with(')')
    };
    assert!(has_score(""));
    assert!(!has_score("coach\n"));
}

#[test]
fn the_coach_does_not_change_its_mind_about_a_move() {
    let moves = "coach\nboth\nNf3\nd6\nNe5\nwhy\nbetter\npunishment\n";
    let (_, text) = talk(VariantId::Standard, moves);
    for (start, count) in [("Ne5", 3), ("Better: ", 3)] {
        let lines = text.lines().map(|line| line.trim_start_matches("> "));
        let said: Vec<&str> = lines.filter(|line| line.starts_with(start)).collect();
        assert!(said.len() >= count && said.iter().all(|line| *line == said[0]), "{said:?}");
    }
}

#[test]
fn a_verdict_ends_with_its_game() {
    let position = "setboard 8/8/8/1k6/8/2K5/6r1/8 w - - 0 1\nboth\nKb3\n";
    let lines = format!("coach\nstage full\n{position}new kingofthehill\n{position}");
    let (_, text) = talk(VariantId::Standard, &lines);
    assert_eq!(text.matches("Kd4# reaches the hill").count(), 1, "{text}");
}

#[test]
fn scores_have_one_sign() {
    let (_, text) = talk(VariantId::Standard, "setboard 4k3/8/8/8/8/8/8/QQQ1K3 b - - 0 1\neval\n");
    assert!(text.contains("\n> +") && text.contains("  (+ is good for White)"), "{text}");
}

/// Whose move it was counts, not who has which side now.
#[test]
fn the_coach_does_not_take_an_engines_move_for_the_persons() {
    let (_, text) = talk(VariantId::Standard, "black\nwhite\nbetter\n");
    assert!(text.contains("You have made no move yet."), "{text}");
    let (_, text) = talk(VariantId::Standard, "a4\nblack\nbetter\n");
    assert!(text.contains("than a4."), "{text}");
}

#[test]
fn undo_after_a_resignation_or_a_draw_takes_back_no_move() {
    for lines in ["both\ne4\nresign\nundo\nscore\n", "both\ne4\ndraw\nundo\nscore\n"] {
        let (_, text) = talk(VariantId::Standard, lines);
        assert!(text.contains("The game goes on.") && !text.contains("Taken back"), "{text}");
        assert!(text.contains("1. e4"), "{text}");
    }
}

/// When the time that was left would be up, too.
#[test]
fn undo_after_a_resignation_does_not_look_at_the_clock() {
    let lines = "both\ne4\nresign\nclock 0.000000000017\nundo\nscore\n";
    let (_, text) = talk(VariantId::Standard, lines);
    assert!(text.contains("The game goes on.") && !text.contains("Taken back"), "{text}");
}

#[test]
fn undo_in_a_puzzle_takes_the_reply_back_too() {
    let puzzles = crate::play::Puzzle::built_in(VariantId::Standard);
    let place = puzzles.iter().position(|puzzle| puzzle.solution.len() > 2).unwrap();
    let lines = format!("puzzle {}\n{}\nundo\nfen\n", place + 1, puzzles[place].solution[0]);
    let (_, text) = talk(VariantId::Standard, &lines);
    assert!(text.ends_with(&format!("{}\n> \n", puzzles[place].fen)), "{text}");
}

#[test]
fn a_draw_cannot_be_agreed_when_the_time_is_up() {
    let (_, text) = talk(VariantId::Standard, "both\nclock 0.000000000017\ndraw\n");
    assert!(text.contains("0-1 {White's time is up}") && !text.contains("Draw agreed"), "{text}");
    let (_, text) = talk(VariantId::Standard, "clock 0.000000000017\nblack\n");
    assert!(text.contains("0-1 {White's time is up}") && !text.contains("I play"), "{text}");
}

#[test]
fn undo_says_what_was_taken_back() {
    let (_, text) = talk(VariantId::Standard, "both\ne4\ne5\nNf3\nundo\nundo\n");
    assert!(text.contains("Taken back: 2. Nf3.\n"), "{text}");
    assert!(text.contains("Taken back: 1... e5.\n"), "{text}");
    let (_, text) = talk(VariantId::Standard, "e4\nundo\n");
    assert!(text.contains("Taken back: 1. e4 "), "{text}");
}

#[test]
fn the_coach_gives_hints_in_two_steps() {
    let fen = "setboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\n";
    let (_, text) = talk(VariantId::Standard, &format!("{fen}stage full\ncoach\nhint\nhint\n"));
    let (first, second) = text.split_once("Say hint again for the move.").expect("two steps");
    assert!(first.contains("Look for a check. ") && !first.contains("Ra8"), "{text}");
    assert!(second.contains("I would play Ra8#. It mates."), "{text}");
}

/// The coach would criticise the move that this book gives.
#[test]
fn the_coach_gives_no_hint_from_the_book() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let pos = Position::<Standard>::from_fen(fen).unwrap();
    let moves = pos.legal_moves();
    let quiet = *moves.iter().find(|mv| mv.to_string() == "a1b1").unwrap();
    let (key, code) = (book::key(&pos).bits(), book::code(&pos, quiet));
    let quiet_book = Book::of_entries(vec![Entry { key, code, weight: 1, learn: 0 }]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quiet.bin");
    std::fs::write(&path, quiet_book.bytes()).unwrap();
    let start = format!("stage full\nbook {}\nsetboard {fen}\n", path.display());
    let (_, text) = talk(VariantId::Standard, &format!("{start}hint\n"));
    assert!(text.contains("I would play Rb1."), "{text}");
    let (_, text) = talk(VariantId::Standard, &format!("{start}coach\nhint\nhint\n"));
    assert!(text.contains("I would play Ra8#."), "{text}");
}

/// Only the coach tells what the engine has overlooked, and only if it is wanted.
#[test]
fn the_coach_tells_the_mistakes_of_the_engine() {
    let said = |before: &str, mv: &str| {
        let fen = "setboard rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3\n";
        talk(VariantId::Standard, &format!("{fen}level beginner\n{before}{mv}\n")).1
    };
    // A beginner does not save its queen each time.
    let moves = ["Nc3", "c4", "Nf3", "d4", "a3", "h3", "b3", "g3"];
    let texts = moves.map(|mv| said("coach\n", mv));
    assert!(texts.iter().any(|text| text.contains("Your chance: ")), "{texts:#?}");
    for quiet in ["", "coach\nmistakes off\n"] {
        for text in moves.map(|mv| said(quiet, mv)) {
            assert!(text.contains("I play 3... ") && !text.contains("Your chance"), "{text}");
        }
    }
}

#[test]
fn an_adaptive_level_can_be_chosen_and_left() {
    // The tests do not touch the results of the user: only the words are tried here.
    let (_, text) = talk(VariantId::Standard, "adaptive off\nadaptive up\n");
    assert!(text.contains("I play as well as I can."), "{text}");
    assert!(text.contains("Say adaptive, adaptive off or adaptive reset."), "{text}");
    let (_, text) = talk(
        VariantId::Standard,
        "level hard\nadaptive\nadaptive off\nstrength 900\nadaptive off\n",
    );
    assert_eq!(text.matches("My level is Hard, about ").count(), 2, "{text}");
    assert_eq!(text.matches("I play at about 900 Elo.").count(), 2, "{text}");
    let settings = EngineSettings { hash: 1, ..EngineSettings::default() };
    let mut out = Vec::new();
    let person = &mut PlainPerson(b"adaptive off\npgn\n".as_slice());
    converse(person, &mut out, Style::PLAIN, VariantId::Standard, settings, false).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("Trebuchet") && !text.contains("(adaptive)"), "{text}");
}

#[test]
fn a_draw_is_agreed_or_refused() {
    let (_, text) = talk(VariantId::Standard, "both\ndraw\npgn\n");
    assert!(text.contains("1/2-1/2 {Draw agreed}"), "{text}");
    let (_, text) = talk(VariantId::Standard, "draw\ne4\n");
    assert!(text.contains("I would rather play on."), "{text}");
    assert!(text.contains("I play 1... "), "{text}");
}

#[test]
fn castle_needs_a_side_only_if_both_are_legal() {
    let setup = "setboard r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\nboth\n";
    let lines = format!("{setup}castle\ncastle long\nKe7\nundo\ncastle short\nscore\ncastle\n");
    let (_, text) = talk(VariantId::Standard, &lines);
    assert!(text.contains("Say castle short or castle long."), "{text}");
    assert!(text.contains("1. O-O-O O-O\n"), "{text}");
    assert!(text.contains("Castling is not possible now."), "{text}");
    let setup = "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1\nboth\n";
    let (_, text) = talk(VariantId::Standard, &format!("{setup}castle\nscore\n"));
    assert!(text.contains("1. O-O\n"), "{text}");
}

#[test]
fn legal_moves_and_rules_are_told() {
    let (_, text) = talk(VariantId::ThreeCheck, "legal\nrules\n");
    let moves = "a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4 Na3 Nc3 Nf3 Nh3\n";
    assert!(text.contains(moves), "{text}");
    assert!(text.contains("a player who gives the third check wins at once."), "{text}");
}

#[test]
fn each_game_is_played_by_its_own_rules() {
    let lines = "stage pawns\nboth\nNc3\nsetboard 8/1k4K1/8/8/8/8/8/8 w - - 0 1\nboth\nKg8\nKb8\n";
    let (_, text) = talk(VariantId::RacingKings, lines);
    assert!(
        text.contains("Racing Kings has no pawns: the stage pawns cannot play it.\n"),
        "{text}"
    );
    assert!(text.contains("Nc3: gives check. "), "{text}");
    assert!(text.contains("1/2-1/2 {Draw: both kings reach the eighth rank}"), "{text}");
    let lines = "stage pawns\nd5\nsetboard 4k3/8/8/8/8/8/r7/P7 b - - 0 1\nboth\nRxa1\n";
    let (_, text) = talk(VariantId::Horde, lines);
    assert!(text.contains("I play in the stage pawns.\n"), "{text}");
    assert!(text.contains("I play 1... a5"), "{text}");
    assert!(text.contains("0-1 {Black takes the whole horde}"), "{text}");
}

/// Who cannot win any more does not win on time: the game says who can.
#[test]
fn a_flag_against_a_bare_king_is_a_draw_where_that_cannot_win() {
    let lines = "both\nsetboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nclock 0.000000000017\ne4\n";
    let (_, text) = talk(VariantId::Standard, lines);
    assert!(text.contains("1/2-1/2 {White's time is up, and Black cannot win}"), "{text}");
    let (_, text) = talk(VariantId::KingOfTheHill, lines);
    assert!(text.contains("0-1 {White's time is up}"), "{text}");
}

#[test]
fn a_game_is_saved_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let name = file.to_str().unwrap();
    let lines = format!("both\ne4\ne5\nsave {name}\nnew 3check\nboth\nd4\nsave {name}\n");
    let (_, text) = talk(VariantId::Standard, &lines);
    let saved = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("The game is saved in ").count(), 2, "{text}");
    assert!(saved.contains("\n1. e4 e5 *\n"), "{saved}");
    assert!(saved.contains("[Variant \"3check\"]\n\n1. d4 *\n"), "{saved}");
    let (_, text) = talk(VariantId::Standard, "save /no such folder/x\n");
    assert!(text.contains("I can't write /no such folder/x: "), "{text}");
}

#[test]
fn a_clock_runs_for_both_sides() {
    let (_, text) = talk(VariantId::Standard, "clock 600\ne4\nnew\nclock off\nd4\n");
    assert!(text.contains("The clock runs: White 600:00, Black 600:00."), "{text}");
    assert_eq!(text.matches("Clock: ").count(), 2, "{text}");
    // Less than a nanosecond of thought is left.
    let lines = "both\nclock 0.000000000017\nd\ne4\nundo\n";
    let (_, text) = talk(VariantId::Standard, lines);
    assert_eq!(text.matches("0-1 {White's time is up}").count(), 2, "{text}");
}

#[test]
fn a_resignation_before_the_first_move_is_taken_back() {
    for (lines, result) in [
        ("resign\nundo\ne4\nscore\n", "0-1 {White resigns}"),
        ("clock 600\nblack\nresign\nundo\ne5\nscore\n", "1-0 {Black resigns}"),
    ] {
        let (_, text) = talk(VariantId::Standard, lines);
        assert!(text.contains("The game goes on."), "{text}");
        assert_eq!(text.matches(result).count(), 1, "{text}");
        assert!(!text.contains("no earlier position") && !text.contains("No move yet."), "{text}");
    }
    let (_, text) = talk(VariantId::Standard, "both\nclock 0.000000000017\nd\nundo\nundo\n");
    assert!(text.contains("The game goes on."), "{text}");
    assert!(text.contains("There is no earlier position."), "{text}");
}

#[test]
fn a_new_game_shows_the_side_of_the_person_below() {
    let (_, text) = talk(VariantId::Standard, "black\nnew\n");
    let last_row = text.lines().rev().find(|line| line.contains("a b c d e f g h"));
    assert!(last_row.is_some() && text.contains("h g f e d c b a"), "{text}");
    assert!(text.rfind("a b c d e f g h") > text.rfind("h g f e d c b a"), "{text}");
}

#[test]
fn a_person_chooses_how_strong_the_engine_plays() {
    let lines = "level amateur\nstrength 1200\npgn\nstrength 0\nstrength 9000\nlevel wizard\n\
                 stage full\nlevel Master\n";
    let (_, out) = talk(VariantId::Standard, lines);
    for expected in [
        "My level is Amateur, about 1000 Elo.\n> I play at about 1200 Elo.\n",
        "My level is Amateur, about 1000 Elo.\n> Say strength ELO, such as strength 1200, up to 2850",
        "Say level NAME: beginner, amateur, intermediate, hard, master.",
        "I play as well as I can.\n",
    ] {
        assert!(out.contains(expected), "{expected}\n{out}");
    }
}

#[test]
fn words_for_completion_are_commands_and_legal_moves() {
    /// Notes the words that it is offered.
    struct Silent(Vec<String>);
    impl Person for Silent {
        fn read(&mut self, _: &mut dyn Write, words: &[String]) -> io::Result<Option<String>> {
            self.0 = words.to_vec();
            Ok(None)
        }
    }
    let mut person = Silent(Vec::new());
    let settings = EngineSettings { hash: 1, ..EngineSettings::default() };
    let variant = VariantId::Standard;
    converse(&mut person, &mut Vec::new(), Style::PLAIN, variant, settings, false).unwrap();
    assert_eq!(person.0.len(), request::WORDS.len() + request::phrases().count() + 20);
    assert!(
        ["help", "Nf3", "level Master"]
            .iter()
            .all(|word| person.0.iter().any(|offered| offered == word))
    );
}

#[test]
fn help_promises_no_interruption_where_there_is_none() {
    let (_, text) = talk(VariantId::Standard, "help\n");
    assert!(text.contains("\nclock 5+3") && !text.contains("Ctrl-C"), "{text}");
}

#[test]
fn a_lesson_is_a_game_with_the_coach() {
    let (_, text) = talk(VariantId::Standard, "new teach3\nfen\n");
    assert!(text.contains("I judge your moves") && text.contains(" 3+3 0 1"), "{text}");
}

#[test]
fn a_game_that_is_over_has_no_evaluation() {
    let (_, text) = talk(VariantId::Standard, "both\nf3\ne5\ng4\nQh4\neval\n");
    assert_eq!(text.matches("0-1 {Black mates}").count(), 2, "{text}");
    assert!(!text.contains("good for White"), "{text}");
}

#[test]
fn the_person_can_make_the_engine_move() {
    /// Gives one command, and wants the answer at once.
    struct Impatient {
        lines: Vec<&'static str>,
    }
    impl Person for Impatient {
        fn read(&mut self, _: &mut dyn Write, _: &[String]) -> io::Result<Option<String>> {
            Ok(self.lines.pop().map(str::to_owned))
        }
        fn columns(&self) -> usize {
            12
        }
        fn wants_move(&mut self) -> bool {
            true
        }
    }
    // The search would take an hour.
    let mut person = Impatient { lines: vec!["e4", "time 3600"] };
    let mut settings = EngineSettings { hash: 1, ..EngineSettings::default() };
    settings.book.is_used = false;
    let mut out = Vec::new();
    let style = Style { live: true, ..Style::PLAIN };
    converse(&mut person, &mut out, style, VariantId::Standard, settings, false).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("\u{1b}[KThinking; ?\r"), "as much as fits: {text}");
    assert!(text.contains("\r\u{1b}[KI play 1... "), "{text}");
}

/// Meanwhile the file may have been copied there.
#[test]
fn a_book_that_is_named_again_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.bin");
    let file = path.to_str().unwrap();
    let (_, text) = talk(VariantId::Standard, &format!("book {file}\nbook {file}\n"));
    assert_eq!(text.matches("The book cannot be used: ").count(), 2, "{text}");
}

#[test]
fn the_book_is_shown_and_played() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/book/small.bin");
    let lines =
        format!("stage full\nbook {file}\nbook\ngo\nbook no such file\nnew\nbook\nbook off\n");
    let (_, text) = talk(VariantId::Standard, &lines);
    assert!(text.contains(&format!("I play from the book in {file}.\n")), "{text}");
    // A file that is none leaves the book as it was.
    let table = "move      weight  share\ne4            60  60.0%\n";
    assert_eq!(text.matches(table).count(), 2, "{text}");
    let reply = text.lines().find(|line| line.contains("I play 1. ")).unwrap();
    assert!(reply.ends_with("  (book)"), "{reply}");
    assert!(text.contains("The book cannot be used: no such file: "), "{text}");
    assert!(text.ends_with("> I play without a book.\n> \n"), "{text}");
    let (_, text) = talk(VariantId::Horde, "book on\nbook\n");
    assert_eq!(text.matches("> I have no opening book for this game.\n").count(), 2, "{text}");
}

#[test]
fn what_the_engine_does_without_is_told() {
    let tables = TablePaths { syzygy: "/nonexistent".to_owned(), ..TablePaths::default() };
    let settings = EngineSettings {
        hash: 1,
        strength: 800,
        tables,
        network_file: "no such network".to_owned(),
        ..EngineSettings::default()
    };
    let (mut out, lines) = (Vec::new(), "a3\nnew\na3\n");
    let (person, style) = (&mut PlainPerson(lines.as_bytes()), Style::PLAIN);
    converse(person, &mut out, style, VariantId::Standard, settings, false).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.matches("tablebases in /nonexistent: ").count(), 1, "{text}");
    let problem = "The network cannot be used: no such network: ";
    assert_eq!(text.matches(problem).count(), 1, "{text}");
}

#[test]
fn xboard_hands_over_to_the_protocol() {
    for line in ["xboard\n", "uci\n"] {
        assert_eq!(talk(VariantId::Standard, line).0, Exit::Protocol(line));
    }
}
