//! Extended position description (EPD): one position with operations on each line.
//!
//! Reads standard EPD (four fields, then `opcode operand…;`), full FENs with or without check
//! counters, and the form `FEN ;D1 20 ;D2 400` of perft suites.

use std::fmt;

use nom::branch::alt;
use nom::bytes::complete::{is_not, take_till1};
use nom::character::complete::{char, multispace0, multispace1, one_of, satisfy, space0, space1};
use nom::combinator::{all_consuming, map, opt, recognize, verify};
use nom::multi::{many0, many1, separated_list0};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

/// One line of an EPD file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Epd {
    /// The fields of the position as they are written: four, or more with clocks and counters.
    pub fen: String,
    pub operations: Vec<Operation>,
}

/// An operation such as `bm e4 d4;`: a code and its operands, without quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub code: String,
    pub operands: Vec<String>,
}

impl Epd {
    /// Reads one line; `None` if it does not begin with the four fields of a position.
    pub fn parse(line: &str) -> Option<Epd> {
        all_consuming(terminated(epd, multispace0))
            .parse(line.trim_start())
            .ok()
            .map(|(_, epd)| epd)
    }

    /// The operands of the first operation with this code.
    pub fn operands(&self, code: &str) -> Option<&[String]> {
        self.operations
            .iter()
            .find(|operation| operation.code == code)
            .map(|operation| operation.operands.as_slice())
    }

    /// The positions of a file. Empty lines and lines that begin with `#` are skipped. A line that
    /// cannot be read gives its number as the error, counted from 1.
    pub fn parse_file(text: &str) -> impl Iterator<Item = Result<Epd, usize>> {
        text.lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .map(|(index, line)| Epd::parse(line).ok_or(index + 1))
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.fen)?;
        for operation in &self.operations {
            write!(f, " {}", operation.code)?;
            for operand in &operation.operands {
                if operand.is_empty() || operand.contains([' ', ';', '\t']) {
                    write!(f, " \"{operand}\"")?;
                } else {
                    write!(f, " {operand}")?;
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

fn epd(input: &str) -> IResult<&str, Epd> {
    let (input, fen) = recognize(fen).parse(input)?;
    let (input, operations) = preceded(separator, operations).parse(input)?;
    Ok((input, Epd { fen: fen.to_owned(), operations }))
}

fn fen(input: &str) -> IResult<&str, ()> {
    // Men in hand stand in brackets, and `~` marks promoted men.
    let board = recognize(many1(one_of("pnbrqkPNBRQK12345678/~[]-")));
    let side = one_of("wb");
    let castling = recognize(many1(satisfy(|c| c == '-' || c.is_ascii_alphabetic())));
    let en_passant = alt((recognize(char('-')), recognize((one_of("abcdefgh"), one_of("36")))));
    // Check counters may also stand before the en passant square.
    let mut fields = (
        board,
        space1,
        side,
        space1,
        castling,
        opt((space1, counter)),
        space1,
        en_passant,
        many0((space1, counter)),
    );
    fields.parse(input).map(|(rest, _)| (rest, ()))
}

/// A clock, a move number, or check counters: `0`, `3+3`, `+1+0`.
fn counter(input: &str) -> IResult<&str, &str> {
    let number = verify(take_till1(|c: char| c.is_whitespace() || c == ';'), |word: &str| {
        word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+')
    });
    recognize(number).parse(input)
}

fn separator(input: &str) -> IResult<&str, ()> {
    map(many0(one_of(" \t;")), |_| ()).parse(input)
}

fn operations(input: &str) -> IResult<&str, Vec<Operation>> {
    terminated(separated_list0(delimited(space0, char(';'), space0), operation), separator)
        .parse(input)
}

fn operation(input: &str) -> IResult<&str, Operation> {
    let (input, code) = word(input)?;
    let (input, operands) = many0(preceded(multispace1, alt((quoted, word)))).parse(input)?;
    Ok((input, Operation { code, operands }))
}

fn word(input: &str) -> IResult<&str, String> {
    map(is_not(" \t\r\n;\""), str::to_owned).parse(input)
}

fn quoted(input: &str) -> IResult<&str, String> {
    delimited(
        char('"'),
        map(opt(is_not("\"")), |text: Option<&str>| text.unwrap_or_default().to_owned()),
        char('"'),
    )
    .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn operations_and_their_operands() {
        let epd =
            Epd::parse(&format!("{START} bm e4 d4; id \"the start; of it\"; c0 \"\";")).unwrap();
        assert_eq!(epd.fen, START);
        assert_eq!(epd.operands("bm").unwrap(), ["e4", "d4"]);
        assert_eq!(epd.operands("id").unwrap(), ["the start; of it"]);
        assert_eq!(epd.operands("c0").unwrap(), [""]);
        assert_eq!(epd.operands("dm"), None);
    }

    #[test]
    fn counters_belong_to_the_position() {
        for counters in [" 0 1", " 3+3 0 1", " 0 1 +0+0", " 2+1"] {
            let epd = Epd::parse(&format!("{START}{counters} ;D1 20 ;D2 400")).unwrap();
            assert_eq!(epd.fen, format!("{START}{counters}"));
            assert_eq!(epd.operands("D2").unwrap(), ["400"]);
        }
        for fen in [
            "8/8/8/8/8/8/8/K1k5 w - 1+2 - 0 1",
            "8/8/8/8/8/8/8/K1k1Q~3[Pnn] w - - 0 1",
            "8/8/8/8/8/8/8/K1k5[-] w - - 0 1",
            "8/8/8/8/8/8/8/K1k5/Pnn w - - 0 1",
        ] {
            assert_eq!(Epd::parse(fen).unwrap().fen, fen);
        }
    }

    #[test]
    fn what_is_printed_is_read_back() {
        for line in
            [START.to_owned(), format!("{START} bm e4;"), format!("{START} 0 1 c0 \"a b\"; dm 3;")]
        {
            let epd = Epd::parse(&line).unwrap();
            assert_eq!(epd.to_string(), line);
        }
    }

    #[test]
    fn nonsense_is_refused_and_numbered() {
        assert_eq!(Epd::parse("hello world"), None);
        let file = format!("# openings\n{START};\n\nnonsense\n{START} bm d4;");
        let lines: Vec<_> =
            Epd::parse_file(&file).map(|line| line.map(|epd| epd.operations.len())).collect();
        assert_eq!(lines, [Ok(0), Err(4), Ok(1)]);
    }
}
