//! Small logs, one for each way to keep or break an item.

use std::sync::Arc;
use std::time::Duration;

use super::check;
use crate::arena::judging::criterion::Criterion;
use crate::arena::judging::report::GameReport;
use crate::arena::judging::settings::CheckSettings;
use crate::arena::judging::sheet::CriterionVerdict;
use trebuchet::play::Stage;

fn reports(log: &str, stage: Stage) -> Vec<GameReport> {
    let margin = Duration::from_millis(200);
    let settings = CheckSettings { stage, board_order: None, margin };
    check(log.as_bytes(), &Arc::from("x.debug"), &settings).unwrap()
}

/// A log with the first engine, from a dialogue in short: a line begins with `>` or `<`, or it is a note.
/// `@MS` before a line sets the clock, which otherwise goes on by a millisecond.
fn log(dialogue: &str) -> String {
    let mut at = 0;
    let mut text = String::new();
    for line in dialogue.lines().map(str::trim).filter(|line| !line.is_empty()) {
        at += 1;
        let line = match line.strip_prefix('@').and_then(|line| line.split_once(' ')) {
            Some((stamp, line)) => {
                at = stamp.parse().unwrap();
                line
            }
            None => line,
        };
        text += &match line.split_at(1) {
            (arrow @ (">" | "<"), said) => format!("{at} {arrow}first : {}\n", said.trim_start()),
            _ => format!("{line}\n"),
        };
    }
    text
}

/// The handshake and the block before a game.
const START: &str = "> xboard\n> protover 2\n< feature ping=1 usermove=1 myname=\"bot\" done=1\n> new\n\
    > level 0 1 0\n> ping 1\n< pong 1\n";

/// As `match --logs` writes it for a bot that speaks UCI, for its first game and for a later one.
#[test]
fn the_dialogue_of_uci_is_not_taken_for_that_of_the_other_protocol() {
    let game = "> ucinewgame\n> isready\n< readyok\n> position startpos\n> go movetime 100\n< bestmove e2e5\n";
    for text in [format!("> uci\n< id name Ill\n< uciok\n{game}> quit\n"), game.to_owned()] {
        let reports = reports(&log(&text), Stage::Full);
        let [report] = &reports[..] else { panic!("{reports:?}") };
        assert_eq!((report.game, report.moves, report.color), (0, 0, None));
        assert!(report.problems[0].starts_with("first: it speaks UCI, "), "{:?}", report.problems);
    }
}

/// The items that the first game breaks, each with line and text.
fn broken_in(stage: Stage, dialogue: &str) -> Vec<String> {
    let reports = reports(&log(&format!("{START}{dialogue}")), stage);
    let report = reports.first().expect("a game");
    let items = Criterion::ALL.iter().flat_map(|&item| {
        report.sheet.violations(item).map(move |found| {
            let mv = if found.mv.is_empty() { String::new() } else { format!("{}: ", found.mv) };
            format!("{} {item}: {mv}{}", found.line, found.text)
        })
    });
    items.collect()
}

fn broken(dialogue: &str) -> Vec<String> {
    broken_in(Stage::Full, dialogue)
}

fn verdict(dialogue: &str, item: Criterion) -> &'static str {
    let reports = reports(&log(&format!("{START}{dialogue}")), Stage::Full);
    reports[0].sheet.verdict(item).name()
}

const NOTHING: [&str; 0] = [];

#[test]
fn a_promotion_has_to_name_the_new_piece() {
    let promotes = "> force\n> setboard 4k3/8/8/8/8/8/p7/4K3 b - - 0 1\n> go\n< move a2a1";
    assert_eq!(verdict(promotes, Criterion::NamesPromotions), "broken");
    assert_eq!(verdict(promotes, Criterion::LegalMoves), "kept");
    assert_eq!(verdict(&format!("{promotes}q"), Criterion::NamesPromotions), "kept");
}

#[test]
fn a_clean_game_keeps_everything() {
    let game = "> time 6000\n> otim 6000\n> usermove e2e4\n< 1 10 0 20 e7e5\n< move e7e5\n> usermove f2f3\n\
        < move d8h4\n> usermove g2g3\n< move h4g3\n> usermove h2g3\n< move a7a6\n> result 1/2-1/2 {agreed}\n\
        > force\n> ping 2\n< pong 2\n> quit";
    assert_eq!(broken(game), NOTHING);
    for item in Criterion::ALL.iter().copied().filter(|item| item.belongs_to(Stage::Full, false)) {
        let is_rare = matches!(
            item,
            Criterion::ResultClaims | Criterion::RefusesIllegalMoves | Criterion::NamesPromotions
        );
        let expected = if is_rare { CriterionVerdict::NotTested } else { CriterionVerdict::Kept };
        assert_eq!(verdict(game, item), expected.name(), "{item}");
    }
    let report = &reports(&log(&format!("{START}{game}")), Stage::Full)[0];
    assert_eq!((report.name.as_str(), report.game, report.moves), ("bot", 1, 4));
    let ending = &report.ending;
    assert_eq!((ending.result.token(), ending.kind.name()), ("1/2-1/2", "gui"));
}

#[test]
fn illegal_moves_are_caught_and_nothing_else() {
    let illegal = |text: &str| {
        broken(&format!(
            "> usermove e2e4\n< move {text}\n> result 1-0 {{Xboard: Forfeit due to invalid move}}\n> force\n> ping 2\n< pong 2"
        ))
    };
    assert_eq!(illegal("e7e4"), ["9 legal-moves: 1... e7e4: the piece does not move like that"]);
    assert_eq!(
        illegal("xyzzy"),
        ["9 legal-moves: 1... xyzzy: not a move in a notation that xboard reads"]
    );
    assert_eq!(illegal(""), ["9 legal-moves: 1... : not a move in a notation that xboard reads"]);
    assert_eq!(illegal("e2e4"), ["9 legal-moves: 1... e2e4: no such piece"]);
}

#[test]
fn late_moves_are_caught_by_the_time_that_the_gui_tells() {
    let at = |millis| format!("@1000 > time 500\n> usermove e2e4\n@{millis} < move e7e5\n> force");
    assert_eq!(broken(&at(6_201)), NOTHING);
    assert_eq!(broken(&at(6_202)), ["10 clock: 1... e7e5: 5.20 s for the move, with 5.00 s left"]);
    // Without `time`, the clock of `level` counts.
    let counted =
        "@1000 > usermove e2e4\n@60000 < move e7e5\n@61000 > usermove d2d4\n@62300 < move d7d5";
    assert_eq!(broken(counted), ["11 clock: 2... d7d5: 1.30 s for the move, with 1.00 s left"]);
    // The GUI calls the flag.
    let flag = "@1000 > usermove e2e4\n@61100 > result 1-0 {White wins on time}\n> force\n> ping 2\n< pong 2";
    assert_eq!(broken(flag), ["8 clock: 1... : the GUI says: White wins on time"]);
    // The commonest fault of beginners: the GUI does not see the move.
    let why = "a move needs the word `move` before it, or the GUI does not see it";
    let bare = "@1000 > usermove e2e4\n< e7e5\n@61100 > result 1-0 {White wins on time}";
    assert_eq!(broken(bare), [format!("9 legal-moves: 1... e7e5: {why}")]);
    let hangs = "@1000 > usermove e2e4\n< e7e5\n@99000 > ping 2\n< pong 2";
    assert_eq!(broken(hangs), [format!("9 legal-moves: 1... e7e5: {why}")]);
    // A line of the search does no harm when the move follows.
    let shown = "@1000 > usermove e2e4\n< e7e5\n< move e7e5\n> usermove d2d4\n@61100 > result 1-0 {White wins on time}";
    assert_eq!(broken(shown), ["11 clock: 2... : the GUI says: White wins on time"]);
    // It wins on time.
    let won = "@1000 > usermove e2e4\n< move e7e5\n@61100 > result 0-1 {Black wins on time}";
    assert_eq!(broken(won), NOTHING);
    // The log ends while it thinks.
    let hangs = "@1000 > usermove e2e4\n@99000 > ping 2";
    assert_eq!(
        broken(hangs),
        ["8 clock: 1... : no move in 98.00 s", "9 answers-pings: ping 2 was never answered"]
    );
    assert_eq!(broken("> st 86400\n@1000 > usermove e2e4\n@999999 < move e7e5"), NOTHING);
    assert_eq!(verdict("> st 86400\n> usermove e2e4\n< move e7e5", Criterion::Clock), "not judged");
}

#[test]
fn the_rules_of_the_stage_pawns() {
    let play = |dialogue: &str| broken_in(Stage::Pawns, dialogue);
    assert_eq!(
        play("> usermove e2e4\n< move g8f6"),
        ["9 pawns-only: 1... g8f6: the bot moves a knight, but a7a6 is legal"]
    );
    assert_eq!(
        play("> usermove e2e4\n< move d7d5\n> usermove a2a3\n< move h7h6"),
        ["11 captures-first: 2... h7h6: a pawn can capture with d5e4"]
    );
    let last = "> force\n> setboard 4k3/8/8/8/8/7K/1p6/8 b - - 0 1\n> go\n";
    assert_eq!(play(&format!("{last}< move b2b1q")), NOTHING);
    assert_eq!(
        play(&format!("{last}< move b2b1n")),
        ["11 promotes-to-queen: 1... b2b1n: the pawn becomes a knight, not a queen"]
    );
    assert_eq!(
        play(&format!("{last}< resign\n> result 1-0 {{Black resigns}}")),
        ["11 resigns-without-pawn-move: 1... resign: the bot resigns, but b2b1q is legal"]
    );
    let bare = "> force\n> setboard 4k3/8/8/8/8/7K/1P6/8 b - - 0 1\n@1000 > go\n";
    assert_eq!(play(&format!("{bare}< resign\n> result 1-0 {{Black resigns}}")), NOTHING);
    assert_eq!(
        play(&format!("{bare}< 1-0 {{Black resigns}}\n> result 1-0 {{Black resigns}}")),
        NOTHING
    );
    assert_eq!(
        play(&format!("{bare}< move e8e7")),
        [
            "11 resigns-without-pawn-move: 1... e8e7: no pawn can move, but the bot moves instead of resigning"
        ]
    );
    assert_eq!(
        play(&format!("{bare}@61001 > result 1-0 {{White wins on time}}")),
        [
            "10 resigns-without-pawn-move: 1... : no pawn can move, and the bot does not resign (the GUI says: White wins on time)"
        ]
    );
}

#[test]
fn the_rules_of_the_stage_random() {
    let castle = "> force\n> setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n> go\n";
    assert_eq!(broken_in(Stage::Random, &format!("{castle}< move e1g1")), NOTHING);
    assert_eq!(broken_in(Stage::Random, &format!("{castle}< move O-O")), NOTHING);
    assert_eq!(
        broken_in(Stage::Random, &format!("{castle}< move h1h2")),
        ["11 castles-at-once: 1. h1h2: castling e1g1 is legal"]
    );
    let pawn = "> force\n> setboard 4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1\n> usermove d7d5\n> go\n";
    assert_eq!(
        broken_in(Stage::Random, &format!("{pawn}< move e5e6")),
        ["12 en-passant-at-once: 2. e5e6: the capture en passant e5d6 is legal"]
    );
    assert_eq!(broken_in(Stage::Full, &format!("{pawn}< move e5e6")), NOTHING);
}

/// xboard does not look at the words after `Illegal move`.
#[test]
fn a_false_protest_that_loses_the_game_breaks_its_criterion() {
    let protest = |text: &str| {
        broken(&format!(
            "> usermove e2e4\n< Illegal move: {text}\n> result 1-0 {{False illegal-move claim}}\n> force\n> ping 2\n< pong 2"
        ))
    };
    let named = "9 accepts-legal-moves: the bot refuses the legal move e2e4";
    assert_eq!(protest("e2e4"), [named]);
    let told = "10 accepts-legal-moves: the GUI says: False illegal-move claim";
    assert_eq!(protest("e4e5"), [told]);
    assert_eq!(protest("time 471"), [told]);
    // The GUI's word is no proof where it plays by other rules.
    let of_illegal = "> usermove e2e4\n< move e7e5\n> usermove d2d5\n< Illegal move: d2d5\n\
        > result 1-0 {False illegal-move claim}\n> force\n> ping 2\n< pong 2";
    assert_eq!(broken(of_illegal), NOTHING);
}

#[test]
fn claims_have_to_stand_on_the_board() {
    let claim = |text: &str| {
        broken(&format!(
            "> usermove e2e4\n< {text}\n< move e7e5\n> result 1-0 {{Forfeit}}\n> force"
        ))
    };
    assert_eq!(
        claim("0-1 {Black mates}"),
        [
            "9 result-claims: the bot claims 0-1 {Black mates}, but the game is not over on the board"
        ]
    );
    assert_eq!(
        claim("1/2-1/2 {Draw by repetition}"),
        [
            "9 result-claims: the bot claims 1/2-1/2 {Draw by repetition}, but the game is not over on the board"
        ]
    );
    assert_eq!(claim("1-0 {I give up}"), NOTHING);
    assert_eq!(claim("Black resigns"), NOTHING);
    let white_resigns = "the bot claims 0-1 {White resigns}, but the game is not over on the board";
    assert_eq!(claim("White resigns"), [format!("9 result-claims: {white_resigns}")]);
    assert_eq!(claim("offer draw"), NOTHING);
    let agreed = "> usermove e2e4\n< move e7e5\n> usermove d2d4\n> draw\n< 1/2-1/2 {agreed}";
    assert_eq!(broken(agreed), NOTHING);
    let mate = "> usermove f2f3\n< move e7e5\n> usermove g2g4\n< move d8h4\n< 0-1 {Black mates}\n\
        > result 0-1 {Black mates}\n> force";
    assert_eq!(broken(mate), NOTHING);
    assert_eq!(verdict(mate, Criterion::ResultClaims), "kept");
    let report = &reports(&log(&format!("{START}{mate}")), Stage::Full)[0];
    assert_eq!(report.ending.reason, "Black mates");
}

#[test]
fn a_resignation_after_mate_is_not_judged() {
    let mate = "> usermove e2e4\n< move e7e5\n> usermove f1c4\n< move a7a6\n> usermove d1h5\n< move b7b6\n\
        > usermove h5f7\n< resign\n> result 1-0 {White mates}";
    assert_eq!(broken(mate), NOTHING);
    let ending = &reports(&log(&format!("{START}{mate}")), Stage::Full)[0].ending;
    assert_eq!((ending.kind.name(), ending.reason.as_str()), ("board", "White mates"));
}

/// xboard sends an offer before the move with which it is made.
#[test]
fn an_offer_of_a_draw_stands_until_the_bot_moves() {
    let offered =
        "> usermove e2e4\n< move e7e5\n> draw\n> time 5900\n> otim 5900\n> usermove d2d4\n";
    assert_eq!(broken(&format!("{offered}< 1/2-1/2 {{agreed}}")), NOTHING);
    let declined = format!("{offered}< move d7d5\n> usermove a2a3\n< 1/2-1/2 {{agreed}}");
    assert_eq!(broken(&declined).len(), 1);
}

#[test]
fn moves_that_nobody_asked_for_are_caught() {
    let stray = |dialogue: &str| broken(&format!("> usermove e2e4\n< move e7e5\n{dialogue}"));
    assert_eq!(
        stray("< move d7d5"),
        ["10 moves-on-turn: d7d5: a move when it is not the bot's turn"]
    );
    assert_eq!(
        stray("> result * {stopped}\n> ping 2\n< pong 2\n< move d7d5"),
        ["13 moves-on-turn: d7d5: a move after the GUI has announced the result"]
    );
    assert_eq!(stray("> force\n< move d7d5"), ["11 moves-on-turn: d7d5: a move in force mode"]);
    // It has resigned, and the GUI knows it.
    let resigned =
        "> usermove d2d4\n< resign\n> result 1-0 {Black resigns}\n> ping 2\n< pong 2\n< move d7d5";
    assert_eq!(stray(resigned).len(), 1);
    // The bot was thinking: its move is on its way when it is told to stop.
    let thinking = "> usermove d2d4\n> force\n> ping 2\n< move d7d5\n< pong 2\n> undo\n";
    assert_eq!(stray(thinking), NOTHING);
    assert_eq!(stray(&format!("{thinking}> usermove d2d3\n> go\n< move e5e4")).len(), 1);
    assert_eq!(stray(&format!("{thinking}< move d7d5")).len(), 1);
    assert_eq!(stray("> usermove d2d4\n> force\n@2000 < move d7d5"), NOTHING);
    // The mated bot gets the final move, and no `force`.
    let mate = "> usermove f1c4\n< move a7a6\n> usermove d1h5\n< move b7b6\n> usermove h5f7\n";
    assert_eq!(stray(mate), NOTHING);
    assert_eq!(
        stray(&format!("{mate}< move a6a5")),
        ["15 moves-on-turn: a6a5: a move after the end of the game: White mates"]
    );
}

#[test]
fn complaints_about_moves_are_held_against_the_board() {
    let refused = |mv: &str| format!("> usermove {mv}\n< Illegal move: {mv}\n");
    assert_eq!(
        broken(&format!("> usermove e2e4\n< move e7e5\n{}", refused("d2d4"))),
        ["11 accepts-legal-moves: the bot refuses the legal move d2d4"]
    );
    let opening = "> force\n> usermove h2h3\n> usermove g7g5\n> usermove d2d3\n> go\n";
    assert_eq!(
        broken(&format!("{opening}< Illegal move: d2d3")),
        ["13 accepts-legal-moves: the bot refuses the legal move d2d3"],
        "it had read `go` by then"
    );
    let illegal = format!("> usermove e2e4\n< move e7e5\n{}", refused("d2d5"));
    assert_eq!(broken(&illegal), NOTHING);
    assert_eq!(verdict(&illegal, Criterion::RefusesIllegalMoves), "kept");
    let plays_on = "> usermove e2e4\n< move e7e5\n> usermove d2d5\n< move d7d6";
    assert_eq!(
        broken(plays_on),
        ["10 refuses-illegal-moves: the bot plays on after the illegal move d2d5"]
    );
    let silent = "> usermove e2e4\n< move e7e5\n> usermove d2d5\n@9000 > quit";
    assert_eq!(
        broken(silent),
        ["10 refuses-illegal-moves: the bot does not refuse the illegal move d2d5"]
    );
    // Some bots call every unknown word an illegal move.
    assert_eq!(
        broken("> computer\n< Illegal move: computer\n> usermove e2e4\n< move e7e5"),
        NOTHING
    );
}

/// xboard takes every such line for a complaint about its last move.
#[test]
fn a_complaint_that_names_no_move_means_the_last_one() {
    let after = |mv: &str, complaint: &str| {
        format!("> usermove e2e4\n< move e7e5\n> usermove {mv}\n< {complaint}\n@9000 > quit")
    };
    for complaint in [
        "Illegal move",
        "Illegal move (no such move)",
        "Illegal move!",
        "illegal move, try another one",
        "Error (illegal move)",
        "Illegal move: d2d4.",
        "Illegal move: d2d4 (blocked)",
    ] {
        let refuses = ["11 accepts-legal-moves: the bot refuses the legal move d2d4"];
        assert_eq!(broken(&after("d2d4", complaint)), refuses, "{complaint}");
        let illegal = after("d2d5", &complaint.replace("d2d4", "d2d5"));
        assert_eq!(broken(&illegal), NOTHING, "{complaint}");
        assert_eq!(verdict(&illegal, Criterion::RefusesIllegalMoves), "kept", "{complaint}");
    }
    for other in ["draw", "time 6000", "level", "a1a5"].map(|it| format!("Illegal move: {it}")) {
        assert_eq!(broken(&after("d2d4", &other)), NOTHING, "{other}");
    }
}

#[test]
fn the_handshake_and_the_process_are_judged() {
    let with_features = |features: &str| {
        let text = format!(
            "> xboard\n> protover 2\n{features}> new\n> usermove e2e4\n< move e7e5\n> quit"
        );
        let report = reports(&log(&text), Stage::Full).remove(0);
        report.sheet.verdict(Criterion::Features).name()
    };
    assert_eq!(with_features("< feature done=0\n< feature done=1\n"), "kept");
    assert_eq!(with_features("< feature sigint=0\n"), "broken");
    assert_eq!(with_features(""), "not judged");
    let died = "> usermove e2e4\n< move e7e5\nGameEnds(26, Error writing to first chess program, 2)\n> quit";
    assert_eq!(
        broken(died),
        ["10 keeps-running: the GUI says: Error writing to first chess program"]
    );
    assert_eq!(broken(&died.replace("first chess", "second chess")), NOTHING);
    let announced = "> usermove e2e4\n< move e7e5\n> result 1-0 {Black's engine has ended}\n> quit";
    assert_eq!(broken(announced), ["10 keeps-running: the GUI says: Black's engine has ended"]);
    assert_eq!(broken(&announced.replace("1-0 {Black", "0-1 {White")), NOTHING);
    // Then another process begins, and may end as well.
    let died = died.trim_end_matches("\n> quit");
    let games = reports(&log(&format!("{START}{died}\n{START}{died}")), Stage::Full);
    let verdicts = games.iter().map(|game| game.sheet.verdict(Criterion::KeepsRunning).name());
    assert_eq!(verdicts.collect::<Vec<_>>(), ["broken", "broken"]);
    // The end of the process is the reason why its time was up, and the same fault only once.
    let silent =
        "> usermove e2e4\n< move e7e5\n> usermove g1f3\n@90000 > result 1-0 {White wins on time}\n";
    let end = "> ping 2\n> new\nGameEnds(26, Error writing to first chess program, 2)\n> quit";
    assert_eq!(
        broken(&format!("{silent}{end}")),
        [
            "14 keeps-running: the GUI says: Error writing to first chess program; the bot said nothing \
            more after line 10, until its time was up"
        ]
    );
    let interrupted = silent.replace("> usermove g1f3", "Interrupting first\n> usermove g1f3");
    let found = broken(&format!("{interrupted}{end}"));
    assert!(found.len() == 1 && found[0].ends_with("it has no `feature sigint=0`"), "{found:?}");
    // A bot that answers the ping was only slow.
    let slow = format!("{silent}> ping 2\n< pong 2\n> quit");
    assert_eq!(broken(&slow), ["10 clock: 2... : the GUI says: White wins on time"]);
    assert_eq!(broken(silent), ["10 clock: 2... : the GUI says: White wins on time"]);
    let misread = "> usermove e2e4\n< White is better\n< move e7e5\n< # Draw soon\n< Black (1)";
    assert_eq!(
        broken(misread)[..1],
        ["9 nothing-misread: xboard misreads this line: White is better"]
    );
    assert_eq!(
        broken("< error: foo not found\n> usermove e2e4\n< move e7e5"),
        ["8 nothing-misread: xboard misreads this line: error: foo not found"]
    );
}

#[test]
fn games_of_all_variants_and_set_up_positions() {
    let hill = "> variant kingofthehill\n> force\n> setboard 4k3/8/8/8/8/3K4/8/8 w - - 0 1\n> go\n\
        < move d3d4\n< 1-0 {White reaches the hill}";
    assert_eq!(broken(hill), NOTHING);
    assert_eq!(verdict(hill, Criterion::ResultClaims), "kept");
    let shuffled = "> variant fischerandom\n> force\n> setboard bnnrqkrb/pppppppp/8/8/8/8/PPPPPPPP/BNNRQKRB w GDgd - 0 1\n\
        > go\n< move O-O\n> usermove O-O\n< move a2a4";
    assert_eq!(broken(shuffled), NOTHING);
    let checks = "> variant 3check\n> force\n> setboard 4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n> go\n< move a1a8\n\
        > usermove e8e7\n< move a8a7\n> usermove e7e6\n< move a7a6\n< 1-0 {White gives third check}";
    assert_eq!(broken(checks), NOTHING);
    assert_eq!(verdict(checks, Criterion::ResultClaims), "kept");
    // `edit`, for bots without `setboard`.
    let edited = "> force\n> edit\n> #\n> Ke1\n> Ra1\n> c\n> Ke8\n> .\n> go\n< move a1a8";
    assert_eq!(broken(edited), NOTHING);
    let unknown = "> variant shogi\n> usermove e2e4\n< move P@e5";
    assert_eq!(broken(unknown), NOTHING);
    assert_eq!(verdict(unknown, Criterion::LegalMoves), "not judged");
}

#[test]
fn a_log_has_several_games_and_two_engines() {
    let log = "1 >first : new\n1 >second: new\nNew game (1): Fairy-Max-other (w)\n2 >first : go\n3 <first : move e2e4\n\
        4 >second: e2e4\n4 >second: go\n5 <second: move e7e5\n6 >first : e7e5\n7 >first : result 1-0 {Black resigns}\n\
        7 >second: result 1-0 {Black resigns}\n8 >first : new\n8 >second: new\n9 >second: go\n10 <second: move d2d4\n\
        11 >first : d2d4\n11 >first : go\n12 <first : resign\n13 >first : result 1-0 {Black resigns}\n\
        13 >second: result 1-0 {Black resigns}\n";
    let found = reports(log, Stage::Full);
    let shown: Vec<String> = found
        .iter()
        .map(|report| {
            let side = report.color.map_or_else(String::new, |color| color.to_string());
            format!(
                "{} {} {side} {} {}",
                report.game, report.name, report.moves, report.ending.reason
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "1 first White 1 Black resigns",
            "1 second Black 1 Black resigns",
            "2 first Black 0 Black resigns",
            "2 second White 1 Black resigns",
        ]
    );
}

#[test]
fn nonsense_is_survived() {
    for text in [
        "",
        "\0\0\0",
        "1 >first : ",
        "1 <first : move",
        "1 <first : move e2e4\n2 <first : resign\n3 <first : 1-0\n4 <first : pong 3",
        "1 >first : undo\n1 >first : remove\n1 >first : go\n1 >first : result",
        "1 >first : new\n1 >first : setboard x\n1 >first : go\n2 <first : move e2e4",
        "18446744073709551615 >first : new\n0 >first : go\n1 <first : move e2e4",
        "1 >first : new\n1 >first : edit\n1 >first : #\n1 >first : .\n1 >first : go\n2 <first : move e2e4",
    ] {
        for stage in Stage::ALL {
            let _ = reports(text, stage);
        }
    }
}
