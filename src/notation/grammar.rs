//! The grammar of moves: coordinate notation and SAN, short or long, as GUIs, engines and people
//! write them. No board is needed to read them.
//!
//! Imports `types` alone.

use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_while};
use nom::character::complete::{char, one_of};
use nom::combinator::{all_consuming, map, map_opt, opt, value};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use crate::types::{CastlingSide, PieceKind, Square};

/// A move as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Castling(CastlingSide),
    Piece(PieceMove),
    /// A man of this kind comes from the hand to this square.
    Drop(PieceKind, Square),
}

/// A move of one piece. Only what the text tells is given: `e2e4` names no kind, because any piece
/// may stand on e2; `e4` is a pawn move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceMove {
    pub kind: Option<PieceKind>,
    pub from_file: Option<u8>,
    pub from_rank: Option<u8>,
    pub to: Square,
    pub promotion: Option<PieceKind>,
}

impl PieceMove {
    /// The from-square, if file and rank are both written.
    pub fn from(&self) -> Option<Square> {
        Some(Square::new(self.from_file?, self.from_rank?))
    }

    /// Can the move start from this square?
    pub fn comes_from(&self, from: Square) -> bool {
        self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank())
    }
}

/// Reads a whole text; `None` if it is not a move in any notation.
pub(super) fn read(text: &str) -> Option<Written> {
    all_consuming((written, suffix)).parse(text).ok().map(|(_, (written, _))| written)
}

fn written(input: &str) -> IResult<&str, Written> {
    alt((castling, drop, map(piece_move, Written::Piece))).parse(input)
}

/// A drop: `N@f3`, and for pawns `P@e4` or `@e4`. The letter may be small.
fn drop(input: &str) -> IResult<&str, Written> {
    let kind = opt(map_opt(one_of("PNBRQpnbrq"), PieceKind::from_letter));
    let drop = (kind, preceded(char('@'), square));
    map(drop, |(kind, to)| Written::Drop(kind.unwrap_or(PieceKind::Pawn), to)).parse(input)
}

fn castling(input: &str) -> IResult<&str, Written> {
    alt((
        value(Written::Castling(CastlingSide::Queen), alt((tag_no_case("O-O-O"), tag("0-0-0")))),
        value(Written::Castling(CastlingSide::King), alt((tag_no_case("O-O"), tag("0-0")))),
    ))
    .parse(input)
}

fn piece_move(input: &str) -> IResult<&str, PieceMove> {
    let (input, letter) = opt(map_opt(one_of("PNBRQK"), PieceKind::from_letter)).parse(input)?;
    let (input, (from_file, from_rank, to)) = way(input)?;
    let (input, promotion) = opt(promotion).parse(input)?;
    let kind = letter.or(if from_file.is_some() && from_rank.is_some() {
        None
    } else {
        Some(PieceKind::Pawn)
    });
    Ok((input, PieceMove { kind, from_file, from_rank, to, promotion }))
}

type Way = (Option<u8>, Option<u8>, Square);

/// The squares. The longest notation is tried first: `e2e4`, `exd5`, `1xd5`, `d5`.
fn way(input: &str) -> IResult<&str, Way> {
    let to = || preceded(opt(one_of("x-:")), square);
    alt((
        map((square, to()), |(from, to)| (Some(from.file()), Some(from.rank()), to)),
        map((file, to()), |(file, to)| (Some(file), None, to)),
        map((rank, to()), |(rank, to)| (None, Some(rank), to)),
        map(to(), |to| (None, None, to)),
    ))
    .parse(input)
}

fn square(input: &str) -> IResult<&str, Square> {
    map((file, rank), |(file, rank)| Square::new(file, rank)).parse(input)
}

fn file(input: &str) -> IResult<&str, u8> {
    map(one_of("abcdefgh"), |letter| letter as u8 - b'a').parse(input)
}

fn rank(input: &str) -> IResult<&str, u8> {
    map(one_of("12345678"), |digit| digit as u8 - b'1').parse(input)
}

/// A promotion piece: `q`, `Q`, `=Q`, `/Q`, `(Q)`.
fn promotion(input: &str) -> IResult<&str, PieceKind> {
    fn letter(input: &str) -> IResult<&str, PieceKind> {
        map_opt(one_of("NBRQKnbrqk"), PieceKind::from_letter).parse(input)
    }
    alt((preceded(opt(one_of("=/")), letter), delimited(char('('), letter, char(')')))).parse(input)
}

/// Marks that do not change which move it is: `+`, `#`, `!?`, `e.p.`, `ep`, `mate`.
fn suffix(input: &str) -> IResult<&str, ()> {
    let en_passant = preceded(opt(char(' ')), alt((tag("e.p."), tag("ep"))));
    let marks = take_while(|mark| "+#!?".contains(mark));
    value((), (opt(en_passant), opt(preceded(opt(char(' ')), tag("mate"))), marks)).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece_move(text: &str) -> PieceMove {
        match read(text) {
            Some(Written::Piece(piece_move)) => piece_move,
            other => panic!("{text} is read as {other:?}"),
        }
    }

    #[test]
    fn every_spelling_of_a_square_pair_says_the_same() {
        let plain = piece_move("e2e4");
        assert_eq!(
            (plain.kind, plain.from().unwrap().to_string(), plain.to.to_string()),
            (None, "e2".into(), "e4".into())
        );
        for text in ["e2-e4", "e2xe4", "e2:e4", "e2e4+", "e2e4!?"] {
            assert_eq!(piece_move(text), plain, "{text}");
        }
    }

    #[test]
    fn short_notation_leaves_open_what_it_does_not_say() {
        assert_eq!(
            (piece_move("e4").kind, piece_move("e4").from_file),
            (Some(PieceKind::Pawn), None)
        );
        assert_eq!(
            (piece_move("exd5").kind, piece_move("exd5").from_file),
            (Some(PieceKind::Pawn), Some(4))
        );
        assert_eq!(
            (piece_move("bxc3").kind, piece_move("Bxc3").kind),
            (Some(PieceKind::Pawn), Some(PieceKind::Bishop))
        );
        assert_eq!(
            (piece_move("R1xd5#").from_rank, piece_move("Nbd7").from_file),
            (Some(0), Some(1))
        );
        assert_eq!(piece_move("Ng1f3"), piece_move("Ng1-f3"));
    }

    #[test]
    fn promotions_in_every_spelling() {
        for text in [
            "e7e8q", "e7e8Q", "e7e8=Q", "e8/Q", "e7-e8=q", "e7e8(Q)", "e8Q", "e8=Q+", "dxe8=Q",
            "bxc8b",
        ] {
            assert!(piece_move(text).promotion.is_some(), "{text}");
        }
        assert_eq!(piece_move("a7b8b").promotion, Some(PieceKind::Bishop));
        assert_eq!(piece_move("e7e8").promotion, None);
    }

    #[test]
    fn castling_in_every_spelling() {
        for text in ["O-O", "0-0", "o-o", "O-O+"] {
            assert_eq!(read(text), Some(Written::Castling(CastlingSide::King)), "{text}");
        }
        for text in ["O-O-O", "0-0-0", "o-o-o#"] {
            assert_eq!(read(text), Some(Written::Castling(CastlingSide::Queen)), "{text}");
        }
    }

    #[test]
    fn drops_in_every_spelling() {
        let e4 = Square::parse("e4").unwrap();
        for text in ["P@e4", "p@e4", "@e4", "P@e4+", "@e4#"] {
            assert_eq!(read(text), Some(Written::Drop(PieceKind::Pawn, e4)), "{text}");
        }
        for text in ["N@e4", "n@e4", "N@e4!?"] {
            assert_eq!(read(text), Some(Written::Drop(PieceKind::Knight, e4)), "{text}");
        }
    }

    #[test]
    fn remarks_do_not_change_a_move() {
        for text in ["exd6e.p.", "exd6 e.p.", "exd6ep", "exd6 ep", "exd6ep+", "exd6e.p.!?"] {
            assert_eq!(piece_move(text), piece_move("exd6"), "{text}");
        }
        for text in ["Qh4mate", "Qh4 mate", "Qh4mate!", "Qh4++"] {
            assert_eq!(piece_move(text), piece_move("Qh4"), "{text}");
        }
    }

    #[test]
    fn what_is_no_move_is_not_read() {
        for text in [
            "",
            "e",
            "e9",
            "i2i4",
            "nf3",
            "e2e4e5",
            "--",
            "@@@@",
            "e2 e4",
            "K@e4",
            "P@e9",
            "e7e8p",
            "move",
            "mate",
            "ep",
            "e4 ep mate x",
            "Ö",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
