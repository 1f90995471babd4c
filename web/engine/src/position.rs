//! Positions for the page: the rules of the games come from the engine alone.

use serde::{Deserialize, Serialize};
use trebuchet::coach::HeatMap;
use trebuchet::play::{Game, LONGEST_GAME, new_game};
use trebuchet::types::{Color, GameResult, Move, Square};
use trebuchet::variants::VariantId;

/// A game that can be played.
#[derive(Serialize)]
pub struct Variant {
    name: &'static str,
    title: &'static str,
    rules: &'static str,
    /// The number of start positions.
    starts: usize,
}

/// All games.
pub fn games() -> Vec<Variant> {
    let variant = |&id: &VariantId| Variant {
        name: id.name(),
        title: id.title(),
        rules: id.rules(),
        starts: id.start_positions(),
    };
    VariantId::ALL.iter().map(variant).collect()
}

/// Where a game stands.
#[derive(Deserialize)]
pub struct Request {
    /// The CECP name of the game.
    variant: String,
    /// The position before the first move; empty for a start position.
    #[serde(default)]
    fen: String,
    /// Which start position, if the game has several.
    #[serde(default)]
    start: usize,
    /// Moves in the notation of CECP or in SAN.
    #[serde(default)]
    moves: Vec<String>,
}

/// A game, move for move, and the position at its end.
#[derive(Serialize)]
pub struct Record {
    /// The position before the first move.
    start: Place,
    plies: Vec<Ply>,
    /// The moves that the side to move has.
    legal: Vec<Legal>,
    outcome: Option<Ending>,
    can_win: CanWin,
    /// For each square, a1 first, then b1: how contested it is, from 0 to 100.
    heat: Vec<u8>,
    /// Why a square is dangerous: its name and a reason in words.
    dangers: Vec<(String, String)>,
}

/// Which sides can still win at the end of the game: the time of the other one may run out.
#[derive(Serialize)]
struct CanWin {
    white: bool,
    black: bool,
}

/// A position.
#[derive(Serialize)]
struct Place {
    fen: String,
    turn: &'static str,
    check: bool,
    /// The state that the game adds, in words.
    state: Option<String>,
    /// The squares that the explosion of the last move has emptied.
    exploded: Vec<String>,
}

/// A move that was played, and the position after it.
#[derive(Serialize)]
struct Ply {
    san: String,
    #[serde(flatten)]
    mv: Squares,
    #[serde(flatten)]
    place: Place,
}

/// A legal move.
#[derive(Serialize)]
struct Legal {
    san: String,
    #[serde(flatten)]
    mv: Squares,
}

/// A move as the board shows it.
#[derive(Serialize)]
struct Squares {
    /// The move in the notation of CECP.
    text: String,
    /// Empty for a drop.
    from: String,
    to: String,
    /// The small letter of the man that is dropped.
    drop: Option<char>,
    /// The letter of the man that a pawn becomes.
    promotion: Option<char>,
    capture: bool,
    /// The rook with which a king castles in Chess960: the king may be dropped there.
    rook: Option<String>,
}

/// How the game has ended by the rules.
#[derive(Serialize)]
struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    result: String,
    words: String,
}

impl Request {
    /// A game of this variant, by its CECP name, with these moves; an empty FEN stands for its start position.
    pub fn new(variant: &str, fen: &str, moves: Vec<String>) -> Request {
        Request { variant: variant.to_owned(), fen: fen.to_owned(), start: 0, moves }
    }

    /// The game before its first move.
    ///
    /// # Errors
    /// A sentence: the game is not known, it is too long, or the position is not legal.
    fn begin(&self) -> Result<Box<dyn Game>, String> {
        let name = &self.variant;
        let variant = VariantId::from_name(name).ok_or_else(|| format!("unknown game: {name}"))?;
        let mut game = new_game(variant);
        let fen = match self.fen.trim() {
            "" => variant.start_fen(self.start % variant.start_positions()),
            fen => fen.to_owned(),
        };
        game.set_board(&fen).map_err(|error| error.to_string())?;
        if self.moves.len() > LONGEST_GAME {
            return Err(format!("a game has at most {LONGEST_GAME} moves here"));
        }
        Ok(game)
    }

    /// Plays the game.
    ///
    /// # Errors
    /// A sentence: as for [`Request::begin`], or a move is not legal; its number comes first.
    pub fn play(&self) -> Result<Box<dyn Game>, String> {
        let mut game = self.begin()?;
        for text in &self.moves {
            let mv = legal_move(&*game, text)
                .map_err(|error| format!("{} {error}", next_number(&*game)))?;
            game.play(mv);
        }
        Ok(game)
    }
}

/// The number of the next move: `4.` for White, `4...` for Black.
fn next_number(game: &dyn Game) -> String {
    let fen = game.fen();
    let number = fen.rsplit(' ').next().unwrap_or_default();
    let dots = if game.side_to_move() == Color::White { "." } else { "..." };
    format!("{number}{dots}")
}

fn legal_move(game: &dyn Game, text: &str) -> Result<Move, String> {
    game.parse_move(text).map_err(|error| format!("{text}: {error}"))
}

/// Plays the moves of a request.
///
/// # Errors
/// A sentence: as for [`Request::play`], without the number of the move.
pub fn record(request: &Request) -> Result<Record, String> {
    let mut game = request.begin()?;
    let start = place(&*game);
    let mut plies = Vec::with_capacity(request.moves.len());
    for text in &request.moves {
        let mv = legal_move(&*game, text)?;
        let (san, squares) = (game.san(mv), squares(&*game, mv));
        game.play(mv);
        plies.push(Ply { san, mv: squares, place: place(&*game) });
    }
    let outcome = game.outcome().map(|outcome| Ending {
        result: GameResult::from(outcome).to_string(),
        words: outcome.to_string(),
    });
    let is_over = outcome.is_some();
    let moves = if is_over { Vec::new() } else { game.legal_moves() };
    let legal = |mv| Legal { san: game.san(mv), mv: squares(&*game, mv) };
    let map = if is_over { HeatMap::default() } else { game.heat_map() };
    Ok(Record {
        start,
        plies,
        legal: moves.into_iter().map(legal).collect(),
        outcome,
        can_win: CanWin { white: game.can_win(Color::White), black: game.can_win(Color::Black) },
        heat: Square::all().map(|square| map.heat(square)).collect(),
        dangers: dangers(&map),
    })
}

fn place(game: &dyn Game) -> Place {
    let turn = match game.side_to_move() {
        Color::White => "white",
        Color::Black => "black",
    };
    let exploded = Square::all().filter(|square| game.exploded() >> square.index64() & 1 != 0);
    Place {
        fen: game.fen(),
        turn,
        check: game.is_in_check(),
        state: game.describe_state(),
        exploded: exploded.map(|square| square.to_string()).collect(),
    }
}

fn squares(game: &dyn Game, mv: Move) -> Squares {
    let text = game.coordinate(mv);
    Squares {
        from: if mv.is_drop() { String::new() } else { mv.from().to_string() },
        to: mv.to().to_string(),
        drop: mv.dropped().map(|kind| kind.letter().to_ascii_lowercase()),
        promotion: mv.promotion().and(text.chars().last()),
        capture: mv.is_capture(),
        rook: game.castling_rook(mv).map(|square| square.to_string()),
        text,
    }
}

fn dangers(map: &HeatMap) -> Vec<(String, String)> {
    let words = |square| Some((Square::to_string(&square), map.danger(square)?.to_string()));
    Square::all().filter_map(words).collect()
}
