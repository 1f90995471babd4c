//! What a scene accepts.

use std::fmt;

use serde::Deserialize;

use trebuchet::play::Game;
use trebuchet::types::{GameResult, Move, PieceKind};

/// Something that a bot may do in a scene.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Accept {
    /// This move, in coordinates.
    Move(String),
    /// A move of this kind.
    Kind(MoveClass),
    Resignation,
    /// The claim of this result.
    Claim(GameResult),
    /// No move.
    Nothing,
}

/// A kind of move that a scene can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveClass {
    Pawn,
    Capture,
    EnPassant,
    Castling,
    Promotion,
    /// A promotion to a queen.
    Queen,
    /// A move of the king.
    King,
    /// A man that is put between the king and the man that gives check.
    Block,
    /// A move that wins the game.
    Wins,
}

impl MoveClass {
    const ALL: [MoveClass; 9] = [
        MoveClass::Pawn,
        MoveClass::Capture,
        MoveClass::EnPassant,
        MoveClass::Castling,
        MoveClass::Promotion,
        MoveClass::Queen,
        MoveClass::King,
        MoveClass::Block,
        MoveClass::Wins,
    ];

    /// The name in a file of scenes.
    const fn name(self) -> &'static str {
        match self {
            MoveClass::Pawn => "pawn",
            MoveClass::Capture => "capture",
            MoveClass::EnPassant => "en-passant",
            MoveClass::Castling => "castling",
            MoveClass::Promotion => "promotion",
            MoveClass::Queen => "queen",
            MoveClass::King => "king",
            MoveClass::Block => "block",
            MoveClass::Wins => "wins",
        }
    }

    const fn in_words(self) -> &'static str {
        match self {
            MoveClass::Pawn => "a pawn move",
            MoveClass::Capture => "a capture",
            MoveClass::EnPassant => "the capture en passant",
            MoveClass::Castling => "castling",
            MoveClass::Promotion => "a promotion",
            MoveClass::Queen => "a promotion to a queen",
            MoveClass::King => "a move of the king",
            MoveClass::Block => "a move between the king and the man that gives check",
            MoveClass::Wins => "a move that wins the game",
        }
    }

    fn has(self, board: &dyn Game, mv: Move) -> bool {
        let is_of = |kind| board.mover(mv).is_some_and(|piece| piece.kind() == kind);
        match self {
            MoveClass::Pawn => is_of(PieceKind::Pawn),
            MoveClass::Capture => mv.is_capture(),
            MoveClass::EnPassant => mv.is_en_passant(),
            MoveClass::Castling => mv.is_castling(),
            MoveClass::Promotion => mv.is_promotion(),
            MoveClass::Queen => mv.promotion() == Some(PieceKind::Queen),
            MoveClass::King => is_of(PieceKind::King),
            MoveClass::Block => board.is_in_check() && !mv.is_capture() && !is_of(PieceKind::King),
            MoveClass::Wins => {
                let mut after = board.fork();
                after.play(mv);
                let won = GameResult::Win(board.side_to_move());
                after.outcome().is_some_and(|outcome| GameResult::from(outcome) == won)
            }
        }
    }
}

impl TryFrom<String> for Accept {
    type Error = String;

    fn try_from(text: String) -> Result<Accept, String> {
        let class = MoveClass::ALL.into_iter().find(|class| class.name() == text);
        let result =
            GameResult::from_token(&text).filter(|&result| result != GameResult::Unfinished);
        Ok(match (class, result) {
            (Some(class), _) => Accept::Kind(class),
            (_, Some(result)) => Accept::Claim(result),
            _ if text == "resign" => Accept::Resignation,
            _ if text == "none" => Accept::Nothing,
            _ if is_coordinate(&text) => Accept::Move(text),
            _ => {
                let names: Vec<&str> = MoveClass::ALL.iter().map(|class| class.name()).collect();
                let names = names.join(", ");
                return Err(format!(
                    "`{text}` is neither a move in coordinates nor `resign`, `none`, a result, or one of {names}"
                ));
            }
        })
    }
}

/// Has the text the form `e2e4` or `e7e8q`?
fn is_coordinate(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_square =
        |at: usize| matches!(bytes[at], b'a'..=b'h') && matches!(bytes[at + 1], b'1'..=b'8');
    matches!(bytes.len(), 4 | 5)
        && is_square(0)
        && is_square(2)
        && bytes.get(4).is_none_or(u8::is_ascii_lowercase)
}

impl fmt::Display for Accept {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Accept::Move(text) => f.write_str(text),
            Accept::Kind(class) => f.write_str(class.name()),
            Accept::Resignation => f.write_str("resign"),
            Accept::Claim(result) => write!(f, "{result}"),
            Accept::Nothing => f.write_str("none"),
        }
    }
}

impl Accept {
    /// The same for people, for example "a capture".
    pub fn in_words(&self) -> String {
        match self {
            Accept::Move(text) => text.clone(),
            Accept::Kind(class) => class.in_words().to_owned(),
            Accept::Resignation => "resignation".to_owned(),
            Accept::Claim(result) => format!("the claim {result}"),
            Accept::Nothing => "no move".to_owned(),
        }
    }

    /// The same in words that follow "instead of".
    pub fn as_an_act(&self) -> String {
        match self {
            Accept::Resignation => "resigning".to_owned(),
            _ => self.in_words(),
        }
    }

    /// Is it what a bot may do after the end of a game?
    pub const fn is_after_end(&self) -> bool {
        matches!(self, Accept::Claim(_) | Accept::Nothing)
    }

    /// Can a bot do this on the board?
    pub fn is_possible(&self, board: &dyn Game) -> bool {
        let is_over = board.outcome().is_some();
        match self {
            Accept::Move(_) | Accept::Kind(_) => {
                board.legal_moves().into_iter().any(|mv| self.is_move(board, mv))
            }
            Accept::Resignation => !is_over,
            Accept::Claim(result) => {
                board.outcome().is_some_and(|outcome| GameResult::from(outcome) == *result)
            }
            Accept::Nothing => is_over,
        }
    }

    /// Is it this legal move?
    pub fn is_move(&self, board: &dyn Game, mv: Move) -> bool {
        match self {
            Accept::Move(text) => board.coordinate(mv) == *text,
            Accept::Kind(class) => class.has(board, mv),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trebuchet::play::new_game;
    use trebuchet::types::Color;
    use trebuchet::variants::VariantId;

    #[test]
    fn what_is_accepted_is_read_and_written() {
        for text in [
            "e2e4",
            "e7e8q",
            "capture",
            "en-passant",
            "wins",
            "block",
            "resign",
            "none",
            "1-0",
            "1/2-1/2",
        ] {
            let accept = Accept::try_from(text.to_owned()).unwrap();
            assert_eq!(accept.to_string(), text);
        }
        for text in ["", "e2", "e2e9", "e7e8Q", "*", "Capture", "e2-e4"] {
            assert!(Accept::try_from(text.to_owned()).is_err(), "{text}");
        }
    }

    /// The moves of a position that are accepted.
    fn accepted(fen: &str, text: &str) -> String {
        let mut board = new_game(VariantId::Standard);
        board.set_board(fen).unwrap();
        let accept = Accept::try_from(text.to_owned()).unwrap();
        let moves = board.legal_moves().into_iter().filter(|&mv| accept.is_move(&*board, mv));
        let mut moves: Vec<String> = moves.map(|mv| board.coordinate(mv)).collect();
        moves.sort();
        moves.join(" ")
    }

    #[test]
    fn kinds_of_moves_are_told_apart() {
        let fen = "3r2k1/4Pppp/8/3pP3/8/8/7P/4K2R w K d6 0 1";
        assert_eq!(accepted(fen, "capture"), "e5d6 e7d8b e7d8n e7d8q e7d8r");
        assert_eq!(accepted(fen, "en-passant"), "e5d6");
        assert_eq!(accepted(fen, "castling"), "e1g1");
        assert_eq!(accepted(fen, "queen"), "e7d8q e7e8q");
        assert_eq!(accepted(fen, "promotion").split(' ').count(), 8);
        assert_eq!(accepted(fen, "king"), "e1d1 e1d2 e1e2 e1f1 e1f2 e1g1");
        assert_eq!(accepted(fen, "wins"), "e7d8q e7d8r");
        assert_eq!(accepted(fen, "block"), "");
        let check = "4r1k1/8/8/8/B7/8/8/R3KN2 w - - 0 1";
        assert_eq!(accepted(check, "block"), "f1e3");
        assert_eq!(accepted(check, "capture"), "a4e8");
        assert_eq!(accepted(check, "king"), "e1d1 e1d2 e1f2");
    }

    #[test]
    fn after_the_end_a_claim_must_be_true() {
        let mut board = new_game(VariantId::Standard);
        let (none, claim) = (Accept::Nothing, Accept::Claim(GameResult::Win(Color::Black)));
        assert!(!none.is_possible(&*board) && Accept::Resignation.is_possible(&*board));
        board.set_board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").unwrap();
        assert!(none.is_possible(&*board) && claim.is_possible(&*board));
        assert!(!Accept::Claim(GameResult::Draw).is_possible(&*board));
        assert!(!Accept::Resignation.is_possible(&*board));
    }
}
