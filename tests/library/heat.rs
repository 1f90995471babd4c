//! The heat map is hot where known motifs are decided, for either side.

use std::fs;
use std::path::Path;

use trebuchet::play::{Game, new_game};
use trebuchet::types::Square;
use trebuchet::variants::VariantId;

/// From this heat on, the coach says that a square is hot.
const HOT: u8 = 40;

/// A known motif, and the square on which it is decided.
struct Case {
    name: String,
    variant: VariantId,
    fen: String,
    square: Square,
}

fn game(variant: VariantId, fen: &str) -> Box<dyn Game> {
    let mut game = new_game(variant);
    game.set_board(fen).unwrap();
    game
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/heat.csv");
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let [name, variant, position, square] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let variant = VariantId::from_name(variant).unwrap();
        let mut game = new_game(variant);
        if position.contains('/') {
            game.set_board(position).unwrap();
        } else {
            for san in position.split(' ') {
                let mv =
                    game.parse_move(san).unwrap_or_else(|error| panic!("{name} {san}: {error}"));
                game.play(mv);
            }
        }
        let square = Square::parse(square).unwrap();
        Case { name: name.to_owned(), variant, fen: game.fen(), square }
    })
    .collect()
}

/// The same position with the colours exchanged.
fn mirrored(fen: &str) -> String {
    let swap = |text: &str| -> String {
        let flip = |letter: char| match letter.is_ascii_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        text.chars().map(flip).collect()
    };
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let (board, hands) = match fields[0].find('[') {
        Some(at) => fields[0].split_at(at),
        None => (fields[0].as_str(), ""),
    };
    let ranks: Vec<&str> = board.rsplit('/').collect();
    fields[0] = swap(&(ranks.join("/") + hands));
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned();
    if fields[2] != "-" {
        fields[2] = swap(&fields[2]);
    }
    "-".clone_into(&mut fields[3]);
    for field in &mut fields[4..] {
        if let Some((white, black)) = field.split_once('+') {
            *field = format!("{black}+{white}");
        }
    }
    fields.join(" ")
}

/// Do both sides begin with the same men on their own sides?
fn is_symmetric(variant: VariantId) -> bool {
    let placement = |fen: &str| fen.split(['[', ' ']).next().unwrap_or_default().to_owned();
    let start = variant.start_fen(0);
    placement(&mirrored(&start)) == placement(&start)
}

#[test]
fn known_motifs_are_hot_for_either_side() {
    let cases = cases();
    assert_eq!(cases.len(), 47);
    let mut cold = Vec::new();
    for Case { name, variant, fen, square } in &cases {
        let map = game(*variant, fen).heat_map();
        let heat = map.heat(*square);
        let hotter = Square::all().filter(|&at| map.heat(at) > heat).count();
        let other = Square::new(square.file(), 7 - square.rank());
        let from_black = match is_symmetric(*variant) {
            true => game(*variant, &mirrored(fen)).heat_map().heat(other),
            false => heat,
        };
        println!("{name}: {square} has {heat}, {hotter} squares are hotter; {from_black} mirrored");
        if heat < HOT || hotter > 4 || from_black != heat {
            cold.push(format!("{name}: {square} {heat}, {hotter} hotter; {from_black}"));
        }
    }
    assert!(cold.is_empty(), "{cold:#?}");
}

#[test]
fn quiet_positions_stay_cool() {
    for (variant, moves) in [
        (VariantId::Standard, ""),
        (VariantId::ThreeCheck, ""),
        (VariantId::KingOfTheHill, ""),
        (VariantId::Atomic, ""),
        (VariantId::Antichess, ""),
        (VariantId::Crazyhouse, ""),
        (VariantId::Horde, ""),
        (VariantId::RacingKings, ""),
        (VariantId::Atomic, "e3 e6 Nc3 c6"),
        (VariantId::Crazyhouse, "e4 e5 Nf3 Nc6 d3 d6 Be2 Be7"),
        (VariantId::Standard, "e4 e5 Nf3 Nc6 d3 d6 Be2 Be7"),
    ] {
        let mut game = new_game(variant);
        for san in moves.split_whitespace() {
            let mv = game.parse_move(san).unwrap();
            game.play(mv);
        }
        let map = game.heat_map();
        let hot: Vec<Square> = Square::all().filter(|&at| map.heat(at) >= HOT).collect();
        assert!(hot.is_empty(), "{moves}: {hot:?}");
    }
}
