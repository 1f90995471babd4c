//! Tests of reading and writing PGN.

use super::*;
use crate::variants::{Standard, ThreeCheck};

fn sans(game: &PgnGame) -> Vec<&str> {
    game.moves.iter().map(|mv| mv.san.as_str()).collect()
}

fn only_game(text: &str) -> PgnGame {
    let mut games: Vec<PgnGame> = read(text).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

#[test]
fn comments_glyphs_and_side_lines_are_kept() {
    let game = only_game(
        "[Event \"A \\\"great\\\" one\"]\r\n[White \"x\"]\r\n\r\n{to begin} 1. e4! {best\r\nby test} e5 $1 $19 \
         (1... c5 {x)(} (1... {why} e6!? $300) 2. Nf3) \
         2.Nf3 ; to the end\r\n Nc6 ?! {a} ({b} 2... d6) {c} 3 O-O-O 1-0",
    );
    assert_eq!(game.tag("Event"), Some("A \"great\" one"));
    assert_eq!(game.comment.as_deref(), Some("to begin"));
    assert_eq!(sans(&game), ["e4", "e5", "Nf3", "Nc6", "O-O-O"]);
    let [e4, e5, nf3, nc6, _] = &game.moves[..] else { panic!() };
    assert_eq!((e4.comment.as_deref(), &e4.nags[..]), (Some("best by test"), &[1][..]));
    assert_eq!((e5.comment.as_deref(), &e5.nags[..]), (None, &[1, 19][..]));
    assert_eq!(nf3.comment.as_deref(), Some("to the end"));
    assert_eq!((nc6.comment.as_deref(), &nc6.nags[..]), (Some("a c"), &[6][..]));
    assert_eq!(
        nc6.variations,
        [Variation { comment: Some("b".to_owned()), moves: vec![PgnMove::new("d6")] }]
    );
    let [sicilian] = &e5.variations[..] else { panic!() };
    let [c5, knight] = &sicilian.moves[..] else { panic!() };
    assert_eq!((c5.san.as_str(), c5.comment.as_deref()), ("c5", Some("x)(")));
    assert_eq!(knight.san, "Nf3");
    let e6 = PgnMove { nags: vec![5], ..PgnMove::new("e6") };
    assert_eq!(c5.variations, [Variation { comment: Some("why".to_owned()), moves: vec![e6] }]);
    assert_eq!(game.result, GameResult::Win(Color::White));
}

/// What other programs write, and how it is written here.
#[test]
fn figurines_are_letters() {
    let text =
        "1. e4 e5 2. \u{2658}f3 \u{265e}c6 3. \u{2657}\u{fe0e}xc6 \u{265f}dxc6 4. a8=\u{2655}+ *";
    let game = read(text).next().unwrap();
    let sans: Vec<&str> = game.moves.iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!(sans, ["e4", "e5", "Nf3", "Nc6", "Bxc6", "dxc6", "a8=Q+"]);
}

#[test]
fn games_are_written_in_one_way() {
    for (text, written) in [
        ("1.e4! e5!? 2.Nf3?? *", "1. e4 $1 e5 $5 2. Nf3 $4 *"),
        (
            "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) e5 *",
            "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 *",
        ),
        ("1. e4 {a} {b} e5 {c}", "1. e4 {a b} 1... e5 {c} *"),
        ("{a} 1. e4 ({b} 1. d4 {c}) ({d}) *", "{a} 1. e4 {d} ({b} 1. d4 {c}) *"),
        ("1. e4 ; one\n;two\n e5 *", "1. e4 {one two} 1... e5 *"),
        ("1. e4 $0 $255 $256 $ e5 *", "1. e4 $0 $255 e5 *"),
        ("1. e4 e5 1-0 {resigns}", "1. e4 e5 1-0"),
        ("1. -- Z0 2. e4 *", "1. -- Z0 2. e4 *"),
        ("1. d4 exd3 e.p. 2. e8(Q)+ exd6e.p. 3. e8=Q# *", "1. d4 exd3 2. e8(Q)+ exd6 3. e8=Q# *"),
        ("1. d4 exd3 ep 2. e8=Q mate *", "1. d4 exd3 2. e8=Q *"),
        ("1. e8(K) a1(n) *", "1. e8(K) a1(n) *"),
        ("1. Bc4(N) Re8(N) 2. Rfe1 (N) *", "1. Bc4 $146 Re8 $146 2. Rfe1 $146 *"),
        ("1. f3 e5 2. g4 Qh4 Mate 0-1", "1. f3 e5 2. g4 Qh4 0-1"),
        ("1. e4 White wins by checkmate 1-0", "1. e4 1-0"),
        ("1. e4 Draw by repetition 1/2-1/2", "1. e4 1/2-1/2"),
        ("1. d4 exd3\ne.p. 2. e8=Q! mate *", "1. d4 exd3 2. e8=Q $1 *"),
        ("1. e4 e5# Checkmate! {a} White {b} wins {c} 1-0", "1. e4 e5# {a b c} 1-0"),
        ("1. e4 e5 2. Nf3 White", "1. e4 e5 2. Nf3 *"),
        ("1. e4 e5 Qxe 1-0", "1. e4 e5 2. Qxe 1-0"),
        ("1. Nf3 N Nc6! N *", "1. Nf3 $146 Nc6 $1 $146 *"),
        ("1. Nf3 N@d8+ {a} N@b8 *", "1. Nf3 N@d8+ {a} 2. N@b8 *"),
        ("1. d4 exd3 {a} ep 2. e8=Q (mate) *", "1. d4 exd3 {a} 2. e8=Q *"),
        ("1. O–O 0–0–0 2. e2–e4 1–0", "1. O-O 0-0-0 2. e2-e4 1-0"),
        ("1. e4 ½–½", "1. e4 1/2-1/2"),
        ("1. e4 1/2–1/2", "1. e4 1/2-1/2"),
        ("1. e4 –+ e5 +– 2. Nf3 — *", "1. e4 e5 2. Nf3 *"),
        ("1. e4 ± e5 ∞ 2. Nf3 +/- Nc6 = 3. Bb5 +- a6 ~ *", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"),
        (
            "1. e4+- e5= 2. Nf3+/- Nc6∓ 3. Bb5−+ a6+= 4. N@d8++ e8=Q+=/- *",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. N@d8++ e8=Q *",
        ),
        ("1. e4 e5 2. Qxf7#1-0", "1. e4 e5 2. Qxf7# 1-0"),
        ("1. e4 e5 2. e8(Q)##= *", "1. e4 e5 2. e8(Q)## *"),
        ("Openings of our club\n\n1. e4 *", "1. e4 *"),
        ("2024 championship of our club\n\n(C) A. Smith\n\n1. e4 *", "1. e4 *"),
        ("; our file\n=== My games ===\n1.e4 *", "1. e4 *"),
        ("♘f3 d5 *", "1. Nf3 d5 *"),
        ("e2–e4 e7–e5 *", "1. e2-e4 e7-e5 *"),
        ("Sf3 d5 *", "1. Sf3 d5 *"),
        ("e4 e5 *", "1. e4 e5 *"),
        ("-- $14 {a} e5 *", "1. -- $14 {a} 1... e5 *"),
        ("1. e4 (1. d4 1-0) 1... e5 1/2-1/2", "1. e4 (1. d4) 1... e5 1/2-1/2"),
        ("1. e4 (1. d4 (1. c4 d5", "1. e4 (1. d4 (1. c4 d5)) *"),
        ("1. e4 ) e5 ) *", "1. e4 e5 *"),
        ("1 e4 e5 2 Nf3 Nc6 *", "1. e4 e5 2. Nf3 Nc6 *"),
        ("1. e4 e5\n\n2. Nf3\n%escaped Nc6\nNf6 *", "1. e4 e5 2. Nf3 Nf6 *"),
        ("1. e4 {[%clk 0:05:00] [%eval 0.3]} e5 *", "1. e4 {[%clk 0:05:00] [%eval 0.3]} 1... e5 *"),
        ("1. e4 {} e5 {  } *", "1. e4 e5 *"),
    ] {
        let game = only_game(text);
        let again = game.to_string();
        assert_eq!(again.trim(), written, "{text}");
        assert_eq!(only_game(&again), game, "{text}");
    }
}

/// Each of them was searched for its end, to the end of the line: a file of 1 MB took half an hour.
#[test]
fn a_line_with_many_tags_that_do_not_end_is_read_once() {
    let open_tags = "[a \"".repeat(250_000);
    let text = format!("[Event \"1\"]\n\n1. e4 {open_tags} e5 *\n\n[Event \"2\"]\n\n1. d4 *");
    let games: Vec<PgnGame> = read(&text).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(
        (games[0].moves.last().unwrap().san.as_str(), games[1].tag("Event")),
        ("e5", Some("2"))
    );
}

/// Each of their characters was looked at as often as there are characters before it.
#[test]
fn a_long_word_without_meaning_is_read_once() {
    for word in ["#", ":", "1:", "\u{2014}#", "a#", "0-0#"] {
        let text = format!("[Event \"1\"]\n\n1. e4 {} e5 *", word.repeat(250_000));
        let game = only_game(&text);
        let [first, .., last] = &sans(&game)[..] else { panic!("{word}") };
        assert_eq!([*first, *last], ["e4", "e5"], "{word}");
    }
}

#[test]
fn side_lines_are_numbered_as_the_move_they_replace() {
    let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 7\"]\n\n\
                7... Kd8 (7... Kf8 8. O-O+) 8. Rh8+ $1 {done} (8. Kd2 {no} 8... Kd7) 8... Kd7 *";
    assert_eq!(only_game(text).to_string().trim(), text);
}

#[test]
fn several_games_with_and_without_results() {
    let text = "\u{feff}[Event \"1\"]\n\n1. e4 e5 *\n\n[Event \"2\"]\n\n1. d4\n\n[Event \"3\"]\n\n1-0\n\n%ignored\n1. c4 0-1";
    let games: Vec<PgnGame> = read(text).collect();
    let found: Vec<_> = games
        .iter()
        .map(|game| (game.tag("Event"), sans(game).join(" "), game.result.token()))
        .collect();
    assert_eq!(
        found,
        [
            (Some("1"), "e4 e5".to_owned(), "*"),
            (Some("2"), "d4".to_owned(), "*"),
            (Some("3"), String::new(), "1-0"),
            (None, "c4".to_owned(), "0-1"),
        ]
    );
}

#[test]
fn a_broken_game_does_not_spoil_the_next() {
    for broken in [
        "1. e4 {never closed",
        "1. e4 (1. d4 {never closed",
        "1. e4 (1. d4 (1. c4",
        "1. e4 \u{1} § [ 2. <nonsense",
        "1. e4 e5 [Event",
        "[White \"never closed\n1. e4",
        "1. e4 e5 $",
    ] {
        let text = format!("[Event \"1\"]\n\n{broken}\n\n[Event \"2\"]\n\n1. d4 d5 1-0\n");
        let games: Vec<PgnGame> = read(&text).collect();
        let last = games.last().unwrap();
        assert_eq!((last.tag("Event"), sans(last)), (Some("2"), vec!["d4", "d5"]), "{broken}");
        assert_eq!(games[0].tag("Event"), Some("1"), "{broken}");
        assert!(last.flaws.is_empty(), "{broken}");
    }
}

#[test]
fn flaws_are_told() {
    let bad_tag = Flaw::Tag("[White \"x]".to_owned());
    for (text, flaws) in [
        ("1. e4 {a {b} 1... e5 *", vec![]),
        ("1. e4 {never closed", vec![Flaw::OpenComment]),
        ("1. e4 {never closed\n[Event \"2\"]\n\n1. d4 {closed} *", vec![Flaw::OpenComment]),
        ("[Event \"1\"]\n[White \"x]\r\n\n1. e4 {", vec![bad_tag, Flaw::OpenComment]),
    ] {
        assert_eq!(read(text).next().unwrap().flaws, flaws, "{text}");
    }
}

#[test]
fn a_tag_that_cannot_be_read_leaves_the_others_in_their_game() {
    let bad = [Flaw::Tag("[FICS-Id 12]".to_owned())];
    for text in [
        "[FICS-Id 12]\n[Event \"1\"]\n[Variant \"Atomic\"]\n\n1. e4 *",
        "[Event \"1\"]\r\n[FICS-Id 12]\r\n[Variant \"Atomic\"]\r\n\r\n1. e4 *",
        "[Event \"1\"]\n[Variant \"Atomic\"]\n[FICS-Id 12]\n\n1. e4 *",
    ] {
        let game = only_game(text);
        let tags = ["Event", "Variant"].map(|name| game.tag(name));
        assert_eq!((tags, sans(&game)), ([Some("1"), Some("Atomic")], vec!["e4"]), "{text}");
        assert_eq!(game.flaws, bad, "{text}");
    }
    // The tags of the next game are not those of one without moves.
    let text = "[Event \"1\"]\n[FICS-Id 12]\n\n[Event \"2\"]\n\n1. d4 *";
    let events: Vec<String> =
        read(text).map(|game| game.tag("Event").unwrap().to_owned()).collect();
    assert_eq!(events, ["1", "2"]);
}

#[test]
fn files_that_were_joined_keep_the_first_tag_of_each() {
    let text =
        "\u{feff}[Event \"1\"]\n\n1. e4 *\n\n\u{feff}[Event \"2\"]\n[White \"x\"]\n\n1. d4 *\n";
    let events: Vec<_> = read(text).map(|game| game.tag("Event").map(str::to_owned)).collect();
    assert_eq!(events, [Some("1".to_owned()), Some("2".to_owned())]);
}

#[test]
fn a_game_without_a_result_after_its_moves_has_that_of_its_tag() {
    for (text, result) in [
        ("[Result \"1-0\"]\n\n1. e4 e5", GameResult::Win(Color::White)),
        ("[Result \"1/2-1/2\"]\n\n1. e4 e5 *", GameResult::Draw),
        ("[Result \"1-0\"]\n\n1. e4 e5 0-1", GameResult::Win(Color::Black)),
        ("[Result \"?\"]\n\n1. e4 e5", GameResult::Unfinished),
        ("1. e4 e5", GameResult::Unfinished),
    ] {
        assert_eq!(only_game(text).told_result(), result, "{text}");
    }
}

#[test]
fn a_game_has_tags_or_moves_or_a_result() {
    for (text, games) in
        [("[Event \"x\"]", 1), ("1. e4", 1), ("1-0", 1), ("{a comment}", 0), ("(1. e4) $1", 0)]
    {
        assert_eq!(read(text).count(), games, "{text}");
    }
}

#[test]
fn nonsense_ends() {
    for text in [
        "",
        "&&&& \n 1. e4 {never closed",
        "(((((",
        "[[[",
        "1. e4 (1. d4 {",
        "\u{0}\u{1}\n1. e4 1-0",
        "[Event \"x]\n1. e4 *",
        "[A \"\\\"]",
    ] {
        assert!(read(text).count() <= 2, "{text}");
    }
}

#[test]
fn side_lines_nested_too_deep_are_left_out() {
    let text = format!("1. e4 {} 1... e5 *", "(1. d4 ".repeat(100_000) + &")".repeat(100_000));
    let game = only_game(&text);
    assert_eq!(sans(&game), ["e4", "e5"]);
    let mut depth = 0;
    let mut line = &game.moves[0];
    while let Some(inner) = line.variations.first() {
        depth += 1;
        line = &inner.moves[0];
    }
    assert_eq!(depth, MOST_NESTED);
}

#[test]
fn what_is_written_is_read_back_and_replayed() {
    let mut game = PgnGame { result: GameResult::Win(Color::Black), ..PgnGame::default() };
    game.push_tag("Event", "back\\slash \"quoted\"");
    game.push_tag("FEN", "4k3/8/8/8/8/8/4r3/K7 b - - 3+1 0 31");
    let comment = |text: &str| Some(text.to_owned());
    game.moves.push(PgnMove {
        comment: comment("+M1/5 0.1s, {Black} gives third check"),
        ..PgnMove::new("Re1+")
    });
    let text = game.to_string();
    assert!(text.contains("31... Re1+ {+M1/5 0.1s, Black gives third check} 0-1"), "{text}");
    let back = only_game(&text);
    assert_eq!(back.tag("Event"), Some("back\\slash \"quoted\""));
    let (start, moves) = back.replay::<ThreeCheck>().unwrap();
    assert_eq!(
        (start.fen(), moves[0].to_string()),
        ("4k3/8/8/8/8/8/4r3/K7 b - - 3+1 0 31".to_owned(), "e2e1".to_owned())
    );
    assert!(back.replay::<Standard>().is_err());
}

#[test]
fn braces_in_comments_become_blanks() {
    let game = only_game("1. e4 ; a } brace\n e5 {{} 2. d4 {{two} *");
    assert_eq!(game.to_string().trim(), "1. e4 {a brace} 1... e5 2. d4 {two} *");
    let mut game = PgnGame { comment: Some("{ }".to_owned()), ..PgnGame::default() };
    game.moves.push(PgnMove { comment: Some(" {a}{b}".to_owned()), ..PgnMove::new("e4") });
    assert_eq!(game.to_string().trim(), "1. e4 {a b} *");
}

#[test]
fn tags_are_read_as_other_programs_write_them() {
    for (tag, value) in [
        ("[A \"x\"]", "x"),
        ("[ A\"x\" ]", "x"),
        ("[A \"\"]", ""),
        ("[A \"an \\\"x\\\"\"]", "an \"x\""),
        ("[A \"an \"x\"\"]", "an \"x\""),
        ("[A \"C:\\B\"]", "C:\\B"),
        ("[A \"C:\\\\\"]", "C:\\"),
        ("[A \"x\"] [B \"y\"]", "x"),
    ] {
        assert_eq!(only_game(tag).tag("A"), Some(value), "{tag}");
    }
}

#[test]
fn tags_are_set_once() {
    let mut game = PgnGame::default();
    game.set_tag("Annotator", "a");
    game.set_tag("Annotator", "b");
    assert_eq!(game.tags, [("Annotator".to_owned(), "b".to_owned())]);
}

#[test]
fn lines_are_no_longer_than_eighty() {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(120);
    let game = PgnGame {
        moves: moves
            .map(|san| PgnMove { comment: Some("+0.00/1 0.1s".to_owned()), ..PgnMove::new(san) })
            .collect(),
        ..PgnGame::default()
    };
    let text = game.to_string();
    assert!(text.lines().all(|line| line.len() <= 80));
    assert!(text.trim_end().ends_with('*'));
    assert_eq!(only_game(&text).moves, game.moves);
}

#[test]
fn a_line_may_have_eighty_characters() {
    for (length, lines) in [(38, 1), (39, 2)] {
        let comment = format!("{} {}", "x".repeat(39), "y".repeat(length));
        let game = PgnGame { comment: Some(comment), ..PgnGame::default() };
        let text = game.to_string();
        let comment = text.lines().filter(|line| line.contains(['x', 'y']));
        assert_eq!(comment.filter(|line| !line.starts_with('[')).count(), lines, "{text}");
    }
}

/// An empty line would end the game.
#[test]
fn a_word_longer_than_a_line_has_a_line_of_its_own() {
    let address = "x".repeat(100);
    let game = PgnGame { comment: Some(address.clone()), ..PgnGame::default() };
    let text = game.to_string();
    let comment = format!("{{{address}}}");
    assert_eq!(
        text.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>(),
        ["", &*comment, "*", ""]
    );
}

/// Some programs take a line that begins with `%`, `;` or `[` for no part of a comment.
#[test]
fn no_line_of_a_comment_begins_with_a_special_character() {
    for length in 0..90 {
        let comment = format!(
            "{} [%eval 0.35] 14 % lost ; or [not] (xx) [%clk 1:00:00]",
            "x ".repeat(length / 2) + ["x", "xx"][length % 2]
        );
        let game = PgnGame {
            moves: vec![PgnMove { comment: Some(comment.clone()), ..PgnMove::new("e4") }],
            ..PgnGame::default()
        };
        let text = game.to_string();
        for line in text.lines() {
            assert!(!line.starts_with(['%', ';', '[']) && line.len() <= 80, "{text}");
            assert_eq!(line.contains("[%eval"), line.contains("0.35]"), "{text}");
        }
        assert_eq!(only_game(&text).moves[0].comment.as_deref(), Some(comment.as_str()));
    }
}

/// Comments and escape lines may stand between the tags of a game.
#[test]
fn comments_between_tags_do_not_end_the_tags() {
    for between in ["% an escape line", "; a comment", "{ a note }"] {
        let text = format!("[Event \"a\"]\n[FEN \"x\"]\n{between}\n[White \"X\"]\n\n1. e4 *\n");
        let games: Vec<PgnGame> = read(&text).collect();
        let [game] = games.as_slice() else { panic!("{between}: {games:?}") };
        assert_eq!((game.tag("FEN"), game.tag("White")), (Some("x"), Some("X")), "{between}");
        assert_eq!(game.moves.len(), 1, "{between}");
    }
}

#[test]
fn a_game_without_moves_and_result_ends_at_the_next_event() {
    let text = "[Event \"A\"]\n[White \"X\"]\n\n[Event \"B\"]\n[White \"Y\"]\n\n1. Nf3 1-0\n";
    let games: Vec<PgnGame> = read(text).collect();
    let told = |game: &PgnGame| (game.tag("White").map(str::to_owned), game.moves.len());
    let expected = [(Some("X".to_owned()), 0), (Some("Y".to_owned()), 1)];
    assert_eq!(games.iter().map(told).collect::<Vec<_>>(), expected);
}

#[test]
fn a_tag_may_be_written_twice() {
    let game = only_game("[Event \"A\"]\n[Event \"B\"]\n\n1. e4 *\n");
    assert_eq!((game.tags.len(), game.tag("Event")), (2, Some("A")));
}

#[test]
fn an_empty_fen_is_no_start_position() {
    let game = read("[FEN \"\"]\n\n1. e4 *\n").next().unwrap();
    assert_eq!((game.tag("FEN"), game.moves.len()), (None, 1));
}

#[test]
fn words_behind_a_result_are_no_game() {
    let games: Vec<PgnGame> =
        read("1. e4 e5 1-0 White resigns\n\n1. d4 0-1 time\n1. c4 *").collect();
    let first: Vec<&str> = games.iter().map(|game| sans(game)[0]).collect();
    assert_eq!(first, ["e4", "d4", "c4"]);
}

#[test]
fn a_tag_in_two_lines_takes_no_other_tag_away() {
    let game = only_game("[White \"A\"]\n[Event \"an\nevent\"]\n[Black \"B\"]\n\n1. e4 *\n");
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("A"), Some("B")));
    assert_eq!((game.tag("Event"), sans(&game)), (None, vec!["e4"]));
}

/// What looks like a move behind the result makes no moves of the words before it.
#[test]
fn words_with_a_result_are_no_game() {
    for text in ["l\r[Sd* \"1%e1 x", "White resigns {e4 was better} 1-0", "l Sd * e4"] {
        let games: Vec<String> = read(text).map(|game| game.to_string()).collect();
        let again: Vec<String> =
            games.iter().flat_map(|game| read(game).map(|game| game.to_string())).collect();
        assert_eq!(games, again, "{text}");
        assert!(games.iter().all(|game| !game.contains('l')), "{games:?}");
    }
    let moves = only_game("1. foo e4 *").moves.len();
    assert_eq!(moves, 2);
}
