//! What a person reads: the board, scores, the moves of the game, and the fixed texts.

use super::style::Style;
use crate::board::Hands;
use crate::board::fen::next_move;
use crate::coach::HeatMap;
use crate::play::{GREATEST_LIMITED_ELO, Game, SkillLevel, Stage};
use crate::search::Progress;
use crate::types::{Color, Move, Piece, PieceKind, Score, Square};
use crate::variants::VariantId;

/// The first lines on the screen.
pub(super) fn welcome(engine_name: &str) -> String {
    format!(
        "{engine_name}, a chess engine. It is made for a board on screen: xboard -fcp trebuchet\n\
         Or play here: type a move (e4, Nf3, e2e4), or go and I move; new starts another game.\n\
         d draws the board, games lists the games, help the rest, quit ends.\n",
    )
}

/// The answer to `help`, for a person who can interrupt the engine or not.
pub(super) fn help(can_interrupt: bool) -> String {
    let interrupt = ("?, Enter or Ctrl-C", "while I think: make me move at once".to_owned());
    let lines = [
        ("e4, Nf3, O-O, e2e4", "make a move; I answer".to_owned()),
        ("go", "I play the side to move from now on".to_owned()),
        ("white, black", "the side that you play; I play the other".to_owned()),
        ("both", "you move for both sides, until another position is set up".to_owned()),
        ("undo, back", "take back your last move, and mine after it".to_owned()),
        ("castle", "castle, if only one way is legal; castle short, castle long".to_owned()),
        ("legal", "list the legal moves".to_owned()),
        ("rules", "tell the rules of this game".to_owned()),
        ("new [NAME]", "start a new game, the same or another: new king of the hill".to_owned()),
        ("games", "list the games that I play".to_owned()),
        ("hint", "ask what I would play; with coach, first what to look at".to_owned()),
        ("coach, coach off", "I judge your moves, and give reasons with a hint".to_owned()),
        ("mistakes off", "with coach, I keep quiet about my own mistakes".to_owned()),
        ("why", "what was good or bad about your last move, and who stands better".to_owned()),
        ("better", "show the move that was better than yours on the board".to_owned()),
        ("punishment", "show how I could punish your last move on the board".to_owned()),
        ("heat, heat game", "show the squares that both sides fight for".to_owned()),
        ("book", "show the moves of my opening book; book off, book on, book FILE".to_owned()),
        ("eval", "show my evaluation in pawns without a search; + is good for White".to_owned()),
        ("time SECONDS", "how long I may think about a move".to_owned()),
        ("clock 5+3", "play with a clock: 5 minutes and 3 seconds a move; clock off".to_owned()),
        interrupt.clone(),
        ("level NAME", format!("how strong I play: {}", levels())),
        (
            "strength ELO",
            format!(
                "how strong I play in Elo, up to {GREATEST_LIMITED_ELO}; 0 goes back to the level"
            ),
        ),
        ("adaptive", "my strength follows your results; adaptive off, adaptive reset".to_owned()),
        ("stage NAME", format!("how I choose moves: {}", stages())),
        ("d", "draw the board".to_owned()),
        ("flip", "turn the board round".to_owned()),
        ("score", "show the moves of the game".to_owned()),
        ("pgn, save [FILE]", "show the game as PGN, append it to a file".to_owned()),
        ("fen, setboard FEN", "show the position as FEN, set one up".to_owned()),
        ("puzzle [NUMBER]", "find the one move that wins; solution gives the answer".to_owned()),
        ("draw, resign", "offer a draw, give the game up".to_owned()),
        ("quit", "leave".to_owned()),
    ];
    let shown = lines.into_iter().filter(|line| can_interrupt || *line != interrupt);
    shown.map(|(command, meaning)| format!("{command:20} {meaning}\n")).collect()
}

/// The answer to `games`: the titles of all variants, and how to start each.
pub(super) fn games() -> String {
    let line = |variant: &VariantId| format!("new {:16} {}\n", variant.name(), variant.title());
    VariantId::ALL.iter().map(line).collect()
}

/// The names of all stages.
pub(super) fn stages() -> String {
    Stage::ALL.map(Stage::name).join(", ")
}

/// The names of all levels, in small letters.
pub(super) fn levels() -> String {
    SkillLevel::ALL.map(|level| level.name().to_lowercase()).join(", ")
}

/// How to look at the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub style: Style,
    /// The side at the bottom.
    pub below: Color,
    /// The move to mark.
    pub last: Option<Move>,
}

/// Colours by their number in the palette of 256: squares, squares of the last move, pieces.
const DARK_SQUARE: u8 = 65;
const LIGHT_SQUARE: u8 = 108;
const MARKED_DARK_SQUARE: u8 = 136;
const MARKED_LIGHT_SQUARE: u8 = 178;
/// Of the squares where a king wins, and of those that an explosion has emptied.
const GOAL_SQUARES: [u8; 2] = [24, 31];
const EXPLODED_SQUARES: [u8; 2] = [124, 160];
/// Backgrounds for heats from 15, 30, 50 and 70 on, from ochre to dark red.
const HEATS: [(u8, u8); 4] = [(70, 124), (50, 166), (30, 172), (15, 179)];
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;

/// What a square shows besides its man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ground {
    Plain,
    /// From or to here the last move went.
    Marked,
    /// A king wins here.
    Goal,
    /// The explosion of the last move has emptied it.
    Exploded,
    /// A colour of the palette.
    Colored(u8),
}

/// The board with the side to move and the variant's state.
pub(super) fn board(game: &dyn Game, view: View) -> String {
    // A board that shows another move than the last one shows no explosion.
    let exploded = if view.last.is_some() { game.exploded() } else { 0 };
    let mut text = squares(view, |square| {
        let is_marked =
            view.last.is_some_and(|mv| square == mv.to() || square == mv.from() && !mv.is_drop());
        let ground = if square.is_in(exploded) {
            Ground::Exploded
        } else if is_marked {
            Ground::Marked
        } else if square.is_in(game.variant().goal()) {
            Ground::Goal
        } else {
            Ground::Plain
        };
        cell(square, game.piece_at(square), ground, view.style)
    });
    if let Some(hands) = game.hands() {
        text = with_hands(&text, &hands, view);
    }
    let check = if game.is_in_check() { ", in check" } else { "" };
    text += &format!("\n{} to move{check}.", game.side_to_move());
    if let Some(state) = game.describe_state() {
        text += &format!(" {state}.");
    }
    text
}

/// The board with the men in hand beside it: those of the side above behind the first row, those of the side
/// below behind the last one.
fn with_hands(board: &str, hands: &Hands, view: View) -> String {
    let hand = |color: Color| {
        let kinds = Hands::KINDS.into_iter();
        let men = kinds.flat_map(|kind| {
            let man = Piece::new(color, kind);
            let symbol =
                if view.style.symbols { chess_symbol(man, false) } else { man.fen_letter() };
            std::iter::repeat_n(format!(" {symbol}"), hands.count(color, kind))
        });
        men.collect::<String>()
    };
    let row = |(row, line): (usize, &str)| match (row, hand(!view.below), hand(view.below)) {
        (0, men, _) | (7, _, men) if !men.is_empty() => format!("{line}  {men}"),
        _ => line.to_owned(),
    };
    board.lines().enumerate().map(row).collect::<Vec<_>>().join("\n")
}

/// The board with its contested squares: as colours behind the pieces, or in plain text as a second
/// board with heats from 1 to 9.
pub(super) fn heat(game: &dyn Game, map: &HeatMap, view: View) -> String {
    if view.style.color {
        return squares(view, |square| {
            let warmth = HEATS.iter().find(|(least, _)| map.heat(square) >= *least);
            let ground = warmth.map_or(Ground::Plain, |(_, color)| Ground::Colored(*color));
            cell(square, game.piece_at(square), ground, view.style)
        });
    }
    squares(view, |square| match map.heat(square).div_ceil(12) {
        0 => ". ".to_owned(),
        heat => format!("{heat} "),
    })
}

/// The squares of the board as texts of two characters, with ranks and files.
fn squares(view: View, cell: impl Fn(Square) -> String) -> String {
    let upwards = |index: u8| if view.below == Color::White { index } else { 7 - index };
    let mut text = String::new();
    for row in (0..8).rev() {
        let rank = upwards(row);
        text += &format!("{}  ", rank + 1);
        for column in 0..8 {
            text += &cell(Square::new(upwards(column), rank));
        }
        text.push('\n');
    }
    text += "\n  ";
    for column in 0..8 {
        text.push(' ');
        text.push(char::from(b'a' + upwards(column)));
    }
    text
}

/// A square of the board, two characters wide. Without colours, `+` is an empty goal, and `*` a square that an
/// explosion has emptied.
fn cell(square: Square, piece: Option<Piece>, ground: Ground, style: Style) -> String {
    let Style { color, symbols, .. } = style;
    let symbol = match piece {
        None if color => ' ',
        None if ground == Ground::Goal => '+',
        None if ground == Ground::Exploded => '*',
        None => '.',
        Some(piece) if symbols => chess_symbol(piece, color),
        Some(piece) => piece.fen_letter(),
    };
    if !color {
        return format!("{symbol} ");
    }
    let [dark, light] = match ground {
        Ground::Plain => [DARK_SQUARE, LIGHT_SQUARE],
        Ground::Marked => [MARKED_DARK_SQUARE, MARKED_LIGHT_SQUARE],
        Ground::Goal => GOAL_SQUARES,
        Ground::Exploded => EXPLODED_SQUARES,
        Ground::Colored(color) => [color; 2],
    };
    let background = if square.is_light() { light } else { dark };
    let is_white = piece.is_some_and(|piece| piece.color() == Color::White);
    let foreground = if is_white { WHITE_PIECE } else { BLACK_PIECE };
    format!("\x1b[38;5;{foreground};48;5;{background}m{symbol} \x1b[0m")
}

/// The chess symbol of a piece. On coloured squares both sides have the filled symbols.
fn chess_symbol(piece: Piece, color: bool) -> char {
    let symbols = if color || piece.color() == Color::Black {
        ['♟', '♞', '♝', '♜', '♛', '♚']
    } else {
        ['♙', '♘', '♗', '♖', '♕', '♔']
    };
    match piece.kind() {
        PieceKind::Pawn => symbols[0],
        PieceKind::Knight => symbols[1],
        PieceKind::Bishop => symbols[2],
        PieceKind::Rook => symbols[3],
        PieceKind::Queen => symbols[4],
        PieceKind::King => symbols[5],
    }
}

/// The rules of a variant.
pub(super) fn rules(variant: VariantId) -> String {
    format!("{}: {}", variant.title(), variant.rules())
}

/// The line that is shown while the engine thinks. It is not wider than most terminals.
pub(super) fn thinking(game: &dyn Game, progress: Option<&Progress>) -> String {
    let Some(progress) = progress else { return "Thinking; ? and Enter: I move now".to_owned() };
    let mut position = game.fork();
    let mut line = String::new();
    for &mv in progress.pv.iter().take(SHOWN_MOVES) {
        if !position.legal_moves().contains(&mv) {
            break;
        }
        line += &format!(" {}", position.san(mv));
        position.play(mv);
    }
    format!(
        "Thinking; ? and Enter: I move now. Depth {}, {}:{line}",
        progress.depth,
        pawns(progress.score, game.side_to_move())
    )
}

/// The moves of a line that are shown while the engine thinks.
const SHOWN_MOVES: usize = 3;

/// A score that is seen from this side, as all scores are shown: in pawns from White's side, or who wins, in how many
/// moves if that is known.
pub(super) fn pawns(score: Score, side: Color) -> String {
    match score.moves_to_end() {
        Some(moves) if moves > 0 => format!("{side} wins in {moves}"),
        Some(moves) => format!("{} wins in {}", !side, -moves),
        None if score.is_decisive() => {
            let winner = if score > Score::ZERO { side } else { !side };
            format!("{winner} wins by the tables")
        }
        None => format!("{:+.2}", f64::from(score.for_white(side).value()) / 100.0),
    }
}

/// The number of the next move: `3. ` before White's third move, `3... ` before Black's.
pub(super) fn move_number(game: &dyn Game) -> String {
    let (side, number) = next_move(&game.fen());
    let dots = if side == Color::White { "." } else { "..." };
    format!("{number}{dots} ")
}

/// The moves of a game, in SAN and with their numbers.
pub(super) fn score_sheet(start_fen: &str, moves: &[String]) -> String {
    let (mut side, mut number) = next_move(start_fen);
    let mut words = Vec::new();
    for (index, san) in moves.iter().enumerate() {
        match (side, index) {
            (Color::White, _) => words.push(format!("{number}.")),
            (Color::Black, 0) => words.push(format!("{number}...")),
            (Color::Black, _) => {}
        }
        words.push(san.clone());
        number += u32::from(side == Color::Black);
        side = !side;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_welcome_is_three_lines() {
        let (welcome, help, games) = (welcome("Trebuchet 0.1.0 (random)"), help(true), games());
        assert_eq!(welcome.lines().count(), 3);
        let mut lines = welcome.lines().chain(help.lines()).chain(games.lines());
        assert!(lines.all(|line| line.len() <= 100));
        assert!(help.contains("games") && games.contains("new 3check           Three-check\n"));
    }

    /// The rows of the start position after 1. e4, without their numbers.
    fn rows(style: Style, below: Color) -> Vec<String> {
        let mut game = crate::play::new_game(VariantId::Standard);
        let last = game.parse_move("e4").unwrap();
        game.play(last);
        let text = board(&*game, View { style, below, last: Some(last) });
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_board_is_seen_from_either_side() {
        let rows_below = |below| rows(Style::PLAIN, below);
        assert_eq!(rows_below(Color::White)[4], "4  . . . . P . . . ");
        assert_eq!(rows_below(Color::White)[9], "   a b c d e f g h");
        assert_eq!(rows_below(Color::Black)[0], "1  R N B K Q B N R ");
        assert_eq!(rows_below(Color::Black)[9], "   h g f e d c b a");
    }

    #[test]
    fn symbols_and_colours_are_as_the_style_says() {
        let symbols = Style { symbols: true, ..Style::PLAIN };
        assert_eq!(rows(symbols, Color::White)[0], "8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜ ");
        assert_eq!(rows(symbols, Color::White)[7], "1  ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖ ");
        let color = rows(Style { color: true, ..Style::PLAIN }, Color::White);
        assert!(color[0].contains("\x1b[38;5;16;48;5;108mr \x1b[0m"), "{}", color[0]);
        // The last move is marked on both of its squares, e4 and e2, which are light.
        assert!(color[4].contains("\x1b[38;5;231;48;5;178mP \x1b[0m"), "{}", color[4]);
        assert_eq!(color.concat().matches(";48;5;178m").count(), 2);
        assert!(!rows(symbols, Color::White).concat().contains('\x1b'));
    }

    #[test]
    fn men_in_hand_stand_beside_the_board() {
        let mut game = crate::play::new_game(VariantId::Crazyhouse);
        game.set_board("4k3/8/8/8/8/8/8/4K3[NQpp] w - - 0 1").unwrap();
        let rows = |style, below| {
            let text = board(&*game, View { style, below, last: None });
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let text = rows(Style::PLAIN, Color::White);
        assert_eq!(text[0], "8  . . . . k . . .    p p");
        assert_eq!(text[7], "1  . . . . K . . .    Q N");
        assert_eq!(text[1], "7  . . . . . . . . ");
        let symbols = Style { symbols: true, ..Style::PLAIN };
        assert!(rows(symbols, Color::Black)[0].ends_with(" ♕ ♘"));
        assert!(text[8].is_empty() && text.last().is_some_and(|line| line.contains("In hand")));
    }

    #[test]
    fn goals_and_explosions_are_shown() {
        let view = |style, last| View { style, below: Color::White, last };
        let colored = Style { color: true, ..Style::PLAIN };
        let hill = crate::play::new_game(VariantId::KingOfTheHill);
        let text = board(&*hill, view(Style::PLAIN, None));
        assert_eq!(text.lines().nth(3), Some("5  . . . + + . . . "));
        assert_eq!(board(&*hill, view(colored, None)).matches(";48;5;31m").count(), 2);
        let mut game = crate::play::new_game(VariantId::Atomic);
        game.set_board("4k2r/6n1/7b/8/6R1/8/8/4K3 w k - 0 1").unwrap();
        let last = game.parse_move("Rxg7").unwrap();
        game.play(last);
        let text = board(&*game, view(Style::PLAIN, Some(last)));
        assert_eq!(text.lines().next(), Some("8  . . . . k . . * "));
        assert_eq!(text.lines().nth(1), Some("7  . . . . . . * . "));
        let text = board(&*game, view(colored, Some(last)));
        let counts = [124, 160].map(|color| text.matches(&format!(";48;5;{color}m")).count());
        assert_eq!(counts, [3, 0]);
        assert!(!board(&*game, view(Style::PLAIN, None)).contains('*'));
    }

    #[test]
    fn every_game_has_rules() {
        assert!(rules(VariantId::Standard).starts_with("Chess: The rules of chess: mate wins. "));
        let three_check = "Three-check: The rules of chess, and one more way to win: a player who gives \
            the third check wins at once.";
        assert!(rules(VariantId::ThreeCheck).starts_with(three_check));
        assert!(rules(VariantId::Chess960).contains("one of 960 arrays"));
    }

    #[test]
    fn scores_are_from_whites_side() {
        assert_eq!(pawns(Score::cp(-7), Color::White), "-0.07");
        assert_eq!(pawns(Score::cp(-7), Color::Black), "+0.07");
        assert_eq!(pawns(Score::win_in(3), Color::Black), "Black wins in 2");
        assert_eq!(pawns(Score::loss_in(2), Color::Black), "White wins in 1");
        assert_eq!(pawns(-Score::table_win(9), Color::Black), "White wins by the tables");
    }

    #[test]
    fn a_score_sheet_starts_with_the_side_to_move() {
        let moves = ["Kd2", "Ke7", "Kd3"].map(str::to_owned);
        let sheet = |side| score_sheet(&format!("4k3/8/8/8/8/8/8/4K3 {side} - - 0 7"), &moves);
        assert_eq!(sheet("w"), "7. Kd2 Ke7 8. Kd3");
        assert_eq!(sheet("b"), "7... Kd2 8. Ke7 Kd3");
        assert_eq!(score_sheet("4k3/8/8/8/8/8/8/4K3 w - - 0 7", &[]), "");
    }
}
