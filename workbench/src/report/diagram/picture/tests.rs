//! Tests of what a diagram draws.

use super::*;
use trebuchet::play::new_game;
use trebuchet::variants::{Crazyhouse, VariantId};

fn square(name: &str) -> Square {
    Square::parse(name).unwrap()
}

fn two_kings() -> Diagram {
    let mut game = new_game(VariantId::Standard);
    game.set_board("7k/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    Diagram { has_coordinates: false, ..Diagram::new(game.pieces()) }
}

#[test]
fn two_kings_make_a_small_picture() {
    let diagram = Diagram { title: "<\"&\u{7}".to_owned(), ..two_kings() };
    let king = |color| piece_elements(Piece::new(color, PieceKind::King));
    let text = diagram.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\"400\" \
             viewBox=\"0 0 360 360\" role=\"img\">",
            "<title>&lt;\"&amp;</title>",
            "<path fill=\"#fff\" d=\"M0 0H360V360H0z\"/>",
        ]
    );
    assert_eq!(lines[3], "<path fill=\"#f0d9b5\" d=\"M0 0H360V360H0z\"/>");
    assert!(lines[4].starts_with("<path fill=\"#b58863\" d=\"M0 315h45v45h-45zM90 315h45"));
    assert_eq!(lines[5], format!("<g transform=\"translate(0 315)\">{}</g>", king(Color::White)));
    assert_eq!(lines[6], format!("<g transform=\"translate(315 0)\">{}</g>", king(Color::Black)));
    assert_eq!(lines[7..], ["</svg>"]);
}

#[test]
fn the_other_side_of_the_board_can_be_below() {
    let text = Diagram { is_flipped: true, ..two_kings() }.to_string();
    let places: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("<g transform=")).collect();
    assert!(places[0].starts_with("\"translate(315 0)\">"), "{text}");
    assert!(places[1].starts_with("\"translate(0 315)\">"), "{text}");
}

#[test]
fn an_arrow_ends_in_the_middle_of_its_square() {
    let arrow = Arrow { from: square("a1"), to: square("a8"), paint: Paint::BLUE };
    let text = Diagram { arrows: vec![arrow, Arrow { to: square("a1"), ..arrow }], ..two_kings() };
    let text = text.to_string();
    let arrows: Vec<&str> = text.lines().filter(|line| line.contains("#0072b2")).collect();
    assert_eq!(
        arrows,
        ["<path fill=\"#0072b2\" fill-opacity=\"0.85\" stroke=\"#fff\" stroke-opacity=\"0.7\" \
          stroke-linejoin=\"round\" \
          d=\"M26.5 327.5L26.5 42.5L34.5 42.5L22.5 24.5L10.5 42.5L18.5 42.5L18.5 327.5z\"/>"]
    );
}

#[test]
fn heat_is_hatched_where_black_leads() {
    let mut game = new_game(VariantId::Standard);
    game.set_board("4k3/8/2n1p3/3p4/4P3/2N5/8/4K3 w - - 0 1").unwrap();
    let map = game.heat_map();
    assert_eq!(map.leader(square("d5")), Some(Color::White));
    assert_eq!(map.leader(square("d4")), Some(Color::Black));
    let diagram = Diagram { heat: Some(map.clone()), ..Diagram::new(game.pieces()) };
    let text = diagram.to_string();
    let hot: Vec<Square> = Square::all().filter(|&square| map.heat(square) > 0).collect();
    let hatched = hot.iter().filter(|&&square| map.leader(square) == Some(Color::Black));
    assert_eq!(text.matches(" opacity=").count(), hot.len());
    assert_eq!(text.matches(HATCH).count(), hatched.count());
    assert!(text.contains(HEAT_BOARD_COLORS[0]) && !text.contains(BOARD_COLORS[0]));
}

#[test]
fn checks_are_circles_beneath_the_board() {
    let checks = Some(ChecksGiven { given: [2, 0], goal: 3 });
    let diagram = Diagram { checks, ..two_kings() };
    let text = diagram.to_string();
    assert_eq!(text.matches("<circle").count(), 6);
    assert_eq!(text.matches("r=\"8.5\" fill=\"#444\"").count(), 2);
    assert_eq!(diagram.size(), (400, 438));
}

#[test]
fn goals_have_an_edge() {
    let goal = VariantId::KingOfTheHill.goal();
    let text = Diagram { goal, ..two_kings() }.to_string();
    assert_eq!(text.matches("class=\"goal\"").count(), 4);
    // d4 is the fourth square of the fifth row from above.
    assert!(text.contains("d=\"M136 181h43v43h-43z\""), "{text}");
    assert!(!two_kings().to_string().contains("goal"));
}

#[test]
fn men_in_hand_stand_beneath_the_board() {
    let fen = "7k/8/8/8/8/8/8/K7[QPPn] w - - 0 1";
    let pos = trebuchet::board::Position::<Crazyhouse>::from_fen(fen).unwrap();
    let diagram = Diagram { hands: pos.hands().copied(), ..two_kings() };
    let text = diagram.to_string();
    let man = |color, kind| text.matches(&piece_elements(Piece::new(color, kind))).count();
    assert_eq!(man(Color::White, PieceKind::Queen), 1);
    assert_eq!(man(Color::White, PieceKind::Pawn), 2);
    assert_eq!(man(Color::Black, PieceKind::Knight), 1);
    assert!(text.contains("translate(180 364) scale(0.6)"), "{text}");
    assert_eq!(diagram.size(), (400, 438));
}

#[test]
fn coordinates_are_lines() {
    let text = Diagram { has_coordinates: true, ..two_kings() }.to_string();
    assert!(text.contains("viewBox=\"-18 0 378 378\""), "{text}");
    assert_eq!(text.matches("<path transform=").count(), 16);
}
