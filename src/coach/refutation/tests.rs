//! Tests of how bad moves are punished.

use super::*;
use crate::coach::assess;
use crate::notation::parse_move;
use crate::variants::{
    Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, Standard, ThreeCheck,
};

/// What is said of the first move, if a search finds the others after it. The scores are those
/// before it and after it, from its player.
fn said<V: CoachRules>(fen: &str, moves: &str, scores: [Score; 2]) -> Option<String> {
    let before = Position::<V>::from_fen(fen).unwrap();
    let mut pos = before.clone();
    let mut moves: Vec<Move> = moves
        .split(' ')
        .map(|text| {
            let mv = parse_move(&pos, text).unwrap();
            pos.make_move(mv);
            mv
        })
        .collect();
    let mv = moves.remove(0);
    let other = before.legal_moves().iter().copied().find(|&other| other != mv).unwrap();
    let better = Line { score: scores[0], depth: 9, moves: vec![other] };
    let after = Line { score: -scores[1], depth: 9, moves };
    let lines_after = if after.moves.is_empty() { vec![] } else { vec![after] };
    assess(&before, &[better], mv, &lines_after).punishment()
}

fn material(fen: &str, moves: &str) -> String {
    let scores = [Score::ZERO, Score::cp(-500)];
    said::<Standard>(fen, moves, scores).unwrap_or_default()
}

#[test]
fn a_pawn_taken_en_passant_is_named_where_it_stands() {
    let words = material("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e4 dxe3");
    assert_eq!(words, "It leaves the pawn on e4 to be taken: dxe3");
}

#[test]
fn an_explosion_of_what_was_given_away_is_no_punishment() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let scores = [Score::cp(30), Score::cp(-150)];
    let given = said::<Atomic>(start, "d3 d5 Nh3 f6 Nc3 c6 Bh6 gxh6", scores);
    assert_eq!(given, None);
    let taken = "rnbqk1nr/pppp1ppp/4p3/8/1b6/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
    let words = said::<Atomic>(taken, "a3 Bxd2", [Score::cp(30), Score::loss_in(1)]);
    assert!(words.is_some(), "it takes the king along");
}

#[test]
fn ends_of_the_game_come_first() {
    let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let mate = [Score::ZERO, Score::loss_in(1)];
    let words = said::<Standard>(fool, "g4 Qh4#", mate);
    assert_eq!(words.as_deref(), Some("It allows mate in 1: Qh4#"));
    let back_rank = "6k1/5ppp/8/8/8/8/r7/R5K1 b - - 0 1";
    let words = said::<Standard>(back_rank, "Rb2 Ra8+ Rb8 Rxb8#", [mate[0], Score::loss_in(3)]);
    assert_eq!(words.as_deref(), Some("It allows a back-rank mate in 2: Ra8+ Rb8 Rxb8#"));
    // The line lacks the last move.
    let words = said::<Standard>(back_rank, "Rb2 Ra8+ Rb8", [mate[0], Score::loss_in(3)]);
    assert_eq!(words.as_deref(), Some("It allows a back-rank mate in 2: Ra8+ Rb8 Rxb8#"));
    let third = "4k3/8/8/8/8/8/3p4/R3K3 b - - 1+3 0 1";
    let words = said::<ThreeCheck>("4k3/8/8/8/8/8/7p/R3K3 b - - 1+3 0 1", "Ke7 Ra7+", mate);
    assert_eq!(words.as_deref(), Some("The opponent gives third check in 1: Ra7#"), "{third}");
    let hill = "7k/p7/8/8/8/3K4/P7/8 b - - 0 1";
    let words = said::<KingOfTheHill>(hill, "a6 Kd4", mate);
    assert_eq!(words.as_deref(), Some("The opponent reaches the hill in 1: Kd4#"));
    let words = said::<RacingKings>("8/6K1/1k6/8/8/8/8/8 b - - 0 1", "Ka5 Kg8", mate);
    assert_eq!(words.as_deref(), Some("The opponent reaches the eighth rank in 1: Kg8#"));
    let words = said::<Horde>("4k3/8/8/8/8/8/r7/1P6 w - - 0 1", "b2 Rxb2", mate);
    assert_eq!(words.as_deref(), Some("The opponent takes the whole horde in 1: Rxb2#"));
    // White has arrived, and Black does not follow.
    let lost = [Score::ZERO, Score::loss_in(0)];
    let words = said::<RacingKings>("6K1/1k6/8/8/8/8/8/8 b - - 0 1", "Ka6", lost);
    let expected = "It loses the game: the opponent reaches the eighth rank";
    assert_eq!(words.as_deref(), Some(expected));
}

#[test]
fn a_move_that_still_wins_by_force_is_not_punished() {
    let fen = "6k1/5ppp/8/8/8/1n6/5PPP/R3R1K1 w - - 0 1";
    let said = |after| said::<Standard>(fen, "h3 Nxa1", [Score::win_in(1), after]);
    assert_eq!(said(Score::win_in(2)), None);
    assert_eq!(said(Score::cp(-300)).as_deref(), Some("It loses material: Nxa1"));
}

#[test]
fn a_draw_is_a_loss_for_the_winner() {
    let scores = [Score::cp(900), Score::ZERO];
    let words = said::<Standard>("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6", scores);
    assert_eq!(words.as_deref(), Some("It is stalemate"));
    let scores = [Score::cp(900), Score::ZERO];
    let words = said::<RacingKings>("8/1k4K1/8/8/8/8/8/Q7 w - - 0 1", "Kg8 Kc8", scores);
    let expected = "It allows a draw (both kings reach the eighth rank): Kc8";
    assert_eq!(words.as_deref(), Some(expected));
    // Nothing was lost by it.
    let words = said::<Standard>("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6", [Score::ZERO; 2]);
    assert_eq!(words, None);
}

#[test]
fn a_pawn_that_promotes_is_named_as_it_stands_or_is_dropped() {
    let scores = [Score::ZERO, Score::cp(-600)];
    let takes = "8/k5p1/5P2/8/8/8/8/4K3 b - - 0 1";
    let words = said::<Standard>(takes, "Kb7 fxg7 Kb6 g8=Q", scores);
    assert_eq!(words.as_deref(), Some("It lets the f-pawn promote: fxg7 Kb6 g8=Q"));
    let dropped = "3k2r1/8/8/8/8/8/8/4K3[P] b - - 0 1";
    let words = said::<Crazyhouse>(dropped, "Kc7 P@f7 Kb6 fxg8=Q", scores);
    let expected = "It lets the pawn dropped on f7 promote: P@f7 Kb6 fxg8=Q";
    assert_eq!(words.as_deref(), Some(expected));
}

#[test]
fn material_is_lost_in_many_ways() {
    let mut wrong = Vec::new();
    for (fen, moves, words) in [
        ("4k3/8/8/3r4/8/8/P7/R3KB2 b - - 0 1", "Rd4 Bb5+ Ke7", ""),
        (
            "4k3/pp6/8/8/3n4/8/PP3Q2/4K3 b - - 0 1",
            "a6 Qxd4",
            "It leaves the knight on d4 to be taken: Qxd4",
        ),
        (
            "r3k3/pp6/8/1N6/8/8/PP6/4K3 b - - 0 1",
            "b6 Nc7+ Kd8 Nxa8",
            "It allows a fork of the king and the rook, which loses a rook: Nc7+ Kd8 Nxa8",
        ),
        // The line ends before anything is taken.
        (
            "r3k3/pp6/8/1N6/8/8/PP6/4K3 b - - 0 1",
            "b6 Nc7+",
            "It allows a fork of the king and the rook: Nc7+",
        ),
        (
            "4k3/pp6/8/8/8/4r3/PP5B/6K1 b - - 0 1",
            "a6 Kf2 b6 Kxe3",
            "It may cost a rook: Kf2 b6 Kxe3",
        ),
        (
            "8/1p6/8/3k3q/8/8/8/R5K1 b - - 0 1",
            "b6 Ra5+ Kc6 Rxh5",
            "It allows a skewer of the king and the queen, which loses a queen: Ra5+ Kc6 Rxh5",
        ),
        ("4k3/pp6/2n5/8/8/5B2/PP6/4K3 b - - 0 1", "a6 Bxc6+ bxc6", ""),
        // The bishop has taken a knight: it is exchanged, not left to be taken.
        (
            "rnb1k2r/pp1p1ppp/4pq2/2p5/1bPPP1n1/P1N2N1P/1P3PP1/R1BQKB1R b KQkq - 0 7",
            "Bxc3+ bxc3 cxd4",
            "It loses material: bxc3 cxd4 hxg4",
        ),
        // A rook for a knight, and White can take a pawn now.
        (
            "r1bqk1nR/1ppp1pb1/p3pn2/8/4P1p1/2P2P2/PPQ3P1/RNB1KBN1 w Qq - 3 12",
            "Rxg8+ Nxg8",
            "It leaves the rook on g8 to be taken, which loses the exchange: Nxg8",
        ),
        // Taken back after a check: a rook for a rook, and a queen for a pawn.
        (
            "3rk3/pp6/8/8/8/8/3R1PPP/B2Q2K1 b - - 0 1",
            "Rxd2 Qe1+ Kd7 Qxd2+",
            "It allows an in-between move, and then the rook is taken back: Qe1+ Kd7 Qxd2+",
        ),
        (
            "3qk3/pp6/8/8/8/8/3P1PPP/B2Q2K1 b - - 0 1",
            "Qxd2 Qe1+ Kd7 Qxd2+",
            "It loses a queen for a pawn: Qe1+ Kd7 Qxd2+",
        ),
        // The pawn is offered, not lost.
        ("4k3/8/8/2b5/8/8/1P3PPP/4K3 w - - 0 1", "g3 Kd7 b4 Bxb4+", ""),
        // The pawn that has moved is lost.
        (
            "4k3/8/5b2/8/8/3P4/1P6/4K2R w - - 0 1",
            "d4 Ke7 Kd1 Bxd4",
            "It may cost a pawn: Ke7 Kd1 Bxd4",
        ),
        // White attacks the queen and then the pawn on d6, which Black could have protected.
        (
            "r1b2knr/pp1q3p/3pppp1/2n5/2P1P1P1/5P1N/PP4RP/RNQ1KB2 b Q - 1 12",
            "Qa4 Nc3 Qa5 Rd2 Kg7 Rxd6",
            "It may cost a pawn: Nc3 Qa5 Rd2 Kg7 Rxd6",
        ),
        // The search has found a promotion to a rook, which is taken.
        (
            "rn1qk1nr/1pp1pPb1/p2p3p/8/2P3b1/2N2N2/PP1PP2P/R1BQKB1R b KQkq - 0 8",
            "Kf8 fxg8=R+ Rxg8",
            "It leaves the knight on g8 to be taken, which loses a knight for a pawn: fxg8=Q+",
        ),
        // The queen hangs, and takes the rook with it.
        (
            "r1bqk2r/1pppppbp/p5pn/8/1nP2P2/1P3N2/P1QPP1PP/RNB1KB1R w KQkq - 1 7",
            "Rg1 Nxc2+ Kd1 Nxa1",
            "It leaves the queen on c2 to be taken: Nxc2+",
        ),
        // The line ends in another exchange.
        (
            "r1bqkbnr/pp1p1ppp/2n1p3/2p5/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
            "Ng5 Qxg5 O-O Qd8 d3 Be7 Bb5 Nf6 Bxc6",
            "It leaves the knight on g5 to be taken: Qxg5",
        ),
        (
            "3qk3/pp6/5n2/6B1/4P3/8/PP6/4K3 b - - 0 1",
            "a6 e5 b6 exf6",
            "The knight on f6 is pinned to the queen and cannot get away, which loses a knight: e5 b6 exf6",
        ),
        // It could not go anywhere else, because it is pinned.
        (
            "5bk1/1p3ppp/8/8/8/8/1P1R1PPP/4K3 w - - 0 1",
            "h3 Bb4 Kd1 Bxd2",
            "The rook on d2 is pinned to the king and cannot get away: Bb4 Kd1 Bxd2",
        ),
        (
            "4r1k1/5ppp/8/n7/4N3/5P2/P5PP/4K2R w - - 0 1",
            "h3 f5 Ke2 fxe4",
            "The knight on e4 is pinned to the king and cannot get away, which loses a knight: f5 Ke2 fxe4",
        ),
        // The pawn that protects it is pinned.
        (
            "4k3/pp6/4p3/3n4/8/2N5/PP6/4RK2 b - - 0 1",
            "a6 Nxd5",
            "It leaves the knight on d5 to be taken: Nxd5",
        ),
        // Of two rooks, the one in the corner.
        (
            "rn3rk1/p1p2ppp/8/8/8/8/P3BPPP/5RK1 b - - 0 1",
            "h6 Bf3 Kh8 Bxa8",
            "It lets the rook on a8 be trapped, which loses a rook: Bf3 Kh8 Bxa8",
        ),
        (
            "7k/p2b4/5n2/8/4r3/8/6B1/K2R4 b - - 0 1",
            "a6 Bxe4 Nxe4 Rxd7",
            "The knight has too much to protect, and d7 is left alone, which loses a rook: Bxe4 Nxe4 Rxd7",
        ),
    ] {
        let said = material(fen, moves);
        if said != words {
            wrong.push((fen, moves, said));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_queen_that_hangs_comes_before_a_lesser_gain_of_the_line() {
    let fen = "r1bq1rk1/1pp3pp/8/4p1N1/1pPn1Pp1/3P4/1RQ1P1P1/1NB1KB1R w K - 0 15";
    let before = Position::<Standard>::from_fen(fen).unwrap();
    let said = |better: &str, fall: i32| {
        let mut pos = before.clone();
        let mut read = |text: &str| {
            let mv = parse_move(&pos, text).unwrap();
            pos.make_move(mv);
            mv
        };
        let moves: Vec<Move> = "Kd2 exf4 Qd1 Qxg5".split(' ').map(&mut read).collect();
        let line = |score, moves| Line { score: Score::cp(score), depth: 9, moves };
        let better = line(0, vec![parse_move(&before, better).unwrap()]);
        let after = line(fall, moves[1..].to_vec());
        assess(&before, &[better], moves[0], &[after]).punishment().unwrap_or_default()
    };
    assert_eq!(said("Qd2", 600), "It leaves the queen on c2 to be taken: Nxc2");
    // The better move leaves it, too, or the score tells nothing of it.
    let line = "It lets the defender of the knight on g5 be taken: exf4 Qd1 Qxg5";
    assert_eq!([said("Nh3", 600), said("Qd2", 300)], [line; 2]);
}

#[test]
fn what_a_check_wins_back_does_not_hang() {
    // Qxb1 loses the queen: Bg5+ uncovers the rook.
    let fen = "rnbk1r2/3p2bp/2p1p3/1p5Q/p2P1BP1/P1P2N1P/q3PKB1/1N4R1 w - - 4 20";
    let scores = [Score::cp(235), Score::cp(-56)];
    assert_eq!(said::<Standard>(fen, "Bc1 Qc2", scores), None);
    let hangs = fen.replace("k1r2/3p", "2r2/1k1p");
    let words = said::<Standard>(&hangs, "Bc1 Qc2", scores);
    assert_eq!(words.as_deref(), Some("It leaves the knight on b1 to be taken: Qxb1"));
}

#[test]
fn a_capture_that_is_stalemate_takes_nothing_that_hangs() {
    let words = |fen: &str| {
        let before = Position::<Standard>::from_fen(fen).unwrap();
        let [bad, better] = ["Qd3+", "Qxf7"].map(|text| parse_move(&before, text).unwrap());
        let answer = parse_move(&before.after(bad), "Kb2").unwrap();
        let line = |score, mv| Line { score: Score::cp(score), depth: 9, moves: vec![mv] };
        let said = assess(&before, &[line(0, better)], bad, &[line(900, answer)]);
        said.punishment().unwrap_or_default()
    };
    assert_eq!(words("7k/5Q2/8/8/8/2K5/8/5q2 b - - 0 1"), "");
    // With a pawn, there is a move left.
    let pawn = "7k/5Q2/8/p7/8/2K5/8/5q2 b - - 0 1";
    assert_eq!(words(pawn), "It leaves the queen on d3 to be taken: Kxd3");
}

#[test]
fn the_last_man_that_promotes_is_a_queen_if_the_line_goes_on_with_its_capture() {
    let fen = "rnbqkb1r/p2ppppp/1pp5/4P3/1P1Pn3/P2Q2P1/2P2P1P/RNB1KBNR[] b KQkq - 2 7";
    let moves = "Ba6 Qxe4 Bxf1 N@d6+ exd6 exd6+ N@e6 P@c7 B@d5 cxd8=R+";
    let scores = [Score::cp(-50), Score::cp(-500)];
    let end = |more: &str| {
        let words = said::<Crazyhouse>(fen, &format!("{moves}{more}"), scores);
        words.unwrap_or_default().split(' ').next_back().unwrap_or_default().to_owned()
    };
    assert_eq!([end(""), end(" Kxd8")], ["cxd8=R+", "cxd8=Q+"]);
}

#[test]
fn what_is_lost_in_any_case_is_no_punishment() {
    let fen = "4k3/pp6/8/8/3n4/8/PP3Q2/4K3 b - - 0 1";
    let before = Position::<Standard>::from_fen(fen).unwrap();
    let mv = |text: &str| parse_move(&before, text).unwrap();
    let taken = {
        let pos = before.after(mv("a6"));
        parse_move(&pos, "Qxd4").unwrap()
    };
    let line = |score, moves| Line { score: Score::cp(score), depth: 9, moves };
    let better = line(-300, vec![mv("a5"), taken]);
    let said = assess(&before, &[better], mv("a6"), &[line(900, vec![taken])]);
    assert!(said.judgement.is_criticism());
    assert_eq!(said.refutation, None);
}
