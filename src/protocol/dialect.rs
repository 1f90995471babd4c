//! What engines call variants, positions and moves: the places where protocols and programs differ.

use crate::board::{Position, Rules, Setup};
use crate::notation::coordinate;
use crate::types::Move;
use crate::variants::VariantId;

/// The CECP name of standard chess, the game that every engine starts with.
pub const STANDARD: &str = "normal";

/// What CECP, UCI and PGN call a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantNames {
    /// The argument of the CECP command `variant` and the value of the PGN tag `Variant`. `None` for
    /// standard chess, which both assume when they name no variant.
    pub cecp: Option<&'static str>,
    /// The value of the UCI option `UCI_Variant`, as Fairy-Stockfish spells it.
    pub uci: &'static str,
    /// The value of the UCI option `UCI_Chess960`: may kings and rooks start on any file?
    pub is_chess960: bool,
}

impl VariantNames {
    /// The names of a variant.
    pub fn of(variant: VariantId) -> VariantNames {
        VariantNames {
            cecp: Some(variant.name()).filter(|&name| name != STANDARD),
            uci: variant.uci_name(),
            is_chess960: for_variant!(variant, V => <V as Rules>::CHESS960_CASTLING),
        }
    }

    /// The names of the game that an engine starts with.
    pub fn of_standard_chess() -> VariantNames {
        VariantNames { cecp: None, uci: "chess", is_chess960: false }
    }
}

/// A move as each protocol writes it. They differ about castling in Chess960: CECP writes `O-O`, UCI
/// the king taking its rook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    pub cecp: String,
    pub uci: String,
}

impl MoveText {
    /// The texts of a legal move.
    pub fn of<R: Rules>(position: &Position<R>, mv: Move) -> MoveText {
        let uci = match mv.castling_side() {
            Some(side) if R::CHESS960_CASTLING => {
                let rook = position.castling_rook(position.side_to_move(), side);
                format!("{}{rook}", mv.from())
            }
            _ => mv.to_string(),
        };
        MoveText { cecp: coordinate::<R>(mv), uci }
    }
}

/// How an engine expects check counters in a FEN. The dialects agree about games that count nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FenDialect {
    /// Checks still to give, in the fifth field: `3+3`. Fairy-Stockfish, python-chess, Cute Chess.
    #[default]
    Remaining,
    /// Checks given, at the end: `+0+0`. Lichess.
    Given,
    /// No counters: only for positions before the first check.
    Plain,
    /// No FEN at all: openings are sent as moves from the start position.
    Moves,
}

impl FenDialect {
    /// Translates one of our FENs. `None` if the dialect cannot express the position.
    pub fn write(self, fen: &str, variant: VariantId) -> Option<String> {
        for_variant!(variant, V => self.write_for::<V>(fen))
    }

    fn write_for<R: Rules>(self, fen: &str) -> Option<String> {
        if self == FenDialect::Moves {
            return None;
        }
        let mut setup: Setup<R> = fen.parse().ok()?;
        let state = setup.state.take().unwrap_or_default();
        match (self, counters::<R>(&state)) {
            (FenDialect::Remaining, _) | (_, None) => Some(fen.to_owned()),
            (FenDialect::Given, Some((white, black))) => {
                let goal = counters::<R>(&R::State::default())?;
                let (white, black) = (goal.0.checked_sub(white)?, goal.1.checked_sub(black)?);
                Some(format!("{setup} +{white}+{black}"))
            }
            _ => (state == R::State::default()).then(|| setup.to_string()),
        }
    }
}

/// The checks that White and Black still have to give, if the game counts checks.
fn counters<R: Rules>(state: &R::State) -> Option<(u8, u8)> {
    let field = R::write_state(state)?;
    let (white, black) = field.split_once('+')?;
    Some((white.parse().ok()?, black.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_move;
    use crate::variants::{Chess960, Standard};

    #[test]
    fn castling_is_written_as_each_protocol_has_it() {
        fn texts<R: Rules>() -> (String, String) {
            let position = Position::<R>::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
            let mv = parse_move(&position, "O-O").unwrap();
            let MoveText { cecp, uci } = MoveText::of(&position, mv);
            (cecp, uci)
        }
        assert_eq!(texts::<Standard>(), ("e1g1".to_owned(), "e1g1".to_owned()));
        assert_eq!(texts::<Chess960>(), ("O-O".to_owned(), "e1h1".to_owned()));
    }

    #[test]
    fn variants_have_a_name_in_each_protocol() {
        for (variant, cecp, uci, is_chess960) in [
            (VariantId::Standard, None, "chess", false),
            (VariantId::ThreeCheck, Some("3check"), "3check", false),
            (VariantId::Chess960, Some("fischerandom"), "chess", true),
        ] {
            assert_eq!(VariantNames::of(variant), VariantNames { cecp, uci, is_chess960 });
        }
        assert_eq!(VariantNames::of(VariantId::Standard), VariantNames::of_standard_chess());
    }

    #[test]
    fn three_check_positions_in_every_dialect() {
        let write = |dialect: FenDialect, fen: &str| dialect.write(fen, VariantId::ThreeCheck);
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+3 0 1";
        assert_eq!(write(FenDialect::Remaining, fen).as_deref(), Some(fen));
        let given = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +1+0";
        assert_eq!(write(FenDialect::Given, fen).as_deref(), Some(given));
        assert_eq!(write(FenDialect::Plain, fen), None);
        let start = fen.replace("2+3", "3+3");
        assert_eq!(write(FenDialect::Plain, &start), Some(start.replace(" 3+3", "")));
        assert_eq!(write(FenDialect::Moves, fen), None);
    }

    #[test]
    fn chess_positions_are_the_same_in_every_dialect() {
        let chess = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
        for dialect in [FenDialect::Remaining, FenDialect::Given, FenDialect::Plain] {
            assert_eq!(dialect.write(chess, VariantId::Standard).as_deref(), Some(chess));
        }
        assert_eq!(FenDialect::Moves.write(chess, VariantId::Standard), None);
    }
}
