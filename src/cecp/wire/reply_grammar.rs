//! How the lines of an engine are read: in xboard's order, and as tolerant as xboard.

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{map, map_opt, opt, rest};
use nom::{Finish, Parser};

use super::grammar::{Parsed, argument, argument_as, keyword, phrase, remark, text};
use super::{Feature, Reply, RootReport, Thinking};
use crate::types::{Color, GameResult};

impl Reply {
    /// Reads a line, with or without its end. Every line is a reply: a line that is not understood is
    /// [`Reply::Other`].
    pub fn parse(line: &[u8]) -> Reply {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = &line[line.iter().take_while(|&&byte| byte == 7).count()..];
        let bare = line.trim_ascii();
        if bare.is_empty() {
            return Reply::Blank;
        }
        if let Some(thinking) = Thinking::parse(&String::from_utf8_lossy(line)) {
            return Reply::Thinking(thinking);
        }
        if line.len() > bare.len() && line[0].is_ascii_whitespace() {
            return Reply::Book(text(bare));
        }
        match reply(bare).finish() {
            Ok((_, reply)) => reply,
            Err(_) => Reply::Other(text(bare)),
        }
    }
}

fn reply(line: &[u8]) -> Parsed<'_, Reply> {
    alt((comment, moves, announcements, tellings, answers, complaints, endings)).parse(line)
}

fn comment(line: &[u8]) -> Parsed<'_, Reply> {
    map((tag("#"), remark), |(_, text)| Reply::Comment(text)).parse(line)
}

/// `move e2e4`, and the old form `12. ... e7e5`.
fn moves(line: &[u8]) -> Parsed<'_, Reply> {
    let plain = map((keyword("move"), phrase), |((), mv)| Reply::Move(mv));
    let numbered = map((argument, keyword("..."), phrase), |(_, (), mv)| Reply::Move(mv));
    alt((plain, numbered)).parse(line)
}

fn announcements(line: &[u8]) -> Parsed<'_, Reply> {
    alt((
        map((keyword("feature"), remark), |((), text)| Reply::Features(Feature::parse_all(&text))),
        map((keyword("setup"), phrase), |((), text)| Reply::Setup(text)),
        map((keyword("highlight"), phrase), |((), board)| Reply::Highlight(board)),
    ))
    .parse(line)
}

fn tellings(line: &[u8]) -> Parsed<'_, Reply> {
    alt((
        map((keyword("telluser"), remark), |((), text)| Reply::TellUser(text)),
        map((keyword("tellusererror"), remark), |((), text)| Reply::TellUserError(text)),
        map((keyword("tellopponent"), remark), |((), text)| Reply::TellOpponent(text)),
        map((keyword("tellothers"), remark), |((), text)| Reply::TellOthers(text)),
        map((keyword("tellall"), remark), |((), text)| Reply::TellAll(text)),
    ))
    .parse(line)
}

fn answers(line: &[u8]) -> Parsed<'_, Reply> {
    let report = map_opt(rest, |rest| RootReport::parse(&text(rest)));
    alt((
        map((keyword("pong"), argument_as(|word| word.parse().ok())), |((), number)| {
            Reply::Pong(number)
        }),
        map((keyword("Hint:"), phrase), |((), mv)| Reply::Hint(mv)),
        map((tag("stat01:"), report), |(_, report)| Reply::RootReport(report)),
    ))
    .parse(line)
}

fn complaints(line: &[u8]) -> Parsed<'_, Reply> {
    let illegal = alt((tag("Illegal move"), tag("illegal move")));
    alt((
        map((illegal, remark), |(_, rest)| {
            let (reason, text) = bracketed(&rest);
            Reply::IllegalMove { reason, text }
        }),
        map((tag("Error"), remark), |(_, rest)| {
            let (kind, text) = bracketed(&rest);
            Reply::Error { kind: kind.unwrap_or_default(), text }
        }),
    ))
    .parse(line)
}

/// Reads `(reason): text`; each part may be missing.
fn bracketed(rest: &str) -> (Option<String>, String) {
    let rest = rest.trim_start();
    let inside = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let (reason, rest) =
        inside.map_or((None, rest), |(reason, rest)| (Some(reason.to_owned()), rest));
    (reason, rest.trim_start().trim_start_matches(':').trim_start().to_owned())
}

fn endings(line: &[u8]) -> Parsed<'_, Reply> {
    let result = argument_as(|word| match word {
        "1/2" => Some(GameResult::Draw),
        "*" => None,
        word => GameResult::from_token(word),
    });
    alt((
        map((result, opt(phrase)), |(result, comment)| {
            let comment = comment.unwrap_or_default();
            Reply::Result(result, comment.trim_start_matches('{').trim_end_matches('}').to_owned())
        }),
        map_opt(rest, |line: &[u8]| {
            let line = text(line);
            let resigns = |color: &Color| line.starts_with(&format!("{color} resign"));
            let loser = Color::ALL.into_iter().find(resigns)?;
            Some(Reply::Result(GameResult::Win(!loser), line))
        }),
        map_opt(rest, |line: &[u8]| match line {
            b"resign" | b"tellics resign" => Some(Reply::Resign),
            _ => None,
        }),
        map_opt(rest, |line: &[u8]| {
            let line = text(line);
            (line.contains("offer") && line.contains("draw")).then_some(Reply::OfferDraw)
        }),
    ))
    .parse(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Reply {
        Reply::parse(line.as_bytes())
    }

    #[test]
    fn lines_print_as_they_are_read() {
        let lines = [
            "feature ping=1 myname=\"Trebuchet\" option=\"Hash -spin 64 1 65536\" done=1",
            "move e7e8q",
            "1-0 {White gives third check}",
            "1/2-1/2 {Draw by repetition}",
            "0-1",
            "resign",
            "offer draw",
            "pong 17",
            "Hint: e7e5",
            " no moves in the book",
            "12 31 87 905344 24 1040000 0\te2e4 e7e5 g1f3",
            "stat01: 1234 98765 12 7 20 e2e4",
            "stat01: 0 0 0 0 0",
            "Illegal move: e2e5",
            "Illegal move (leaves king in check): g1f3",
            "Error (unknown command): frobnicate",
            "telluser hello",
            "tellusererror Illegal position: 8/8/8/8/8/8/8/8 w - - 0 1",
            "tellopponent hi",
            "tellothers hi",
            "tellall hi",
            "highlight r7/1y6/2g5/3b4/4d3/5m2/6w1/7r",
            "# note",
            "",
        ];
        for line in lines {
            assert_eq!(read(line).to_string(), line);
            assert_eq!(read(&format!("{line}\r\n")).to_string(), line, "with CRLF");
            assert!(!matches!(read(line), Reply::Other(_)), "{line}");
        }
    }

    #[test]
    fn dialects_are_read() {
        assert_eq!(read("1. ... e7e5"), Reply::Move("e7e5".to_owned()));
        assert_eq!(read("\u{7}\u{7}move e7e5"), Reply::Move("e7e5".to_owned()));
        assert_eq!(read("illegal move e2e5"), read("Illegal move: e2e5"));
        assert_eq!(read("offer draw, please"), Reply::OfferDraw);
        for (line, winner) in [("White resigns", Color::Black), ("Black resign!", Color::White)] {
            assert_eq!(read(line), Reply::Result(GameResult::Win(winner), line.to_owned()));
        }
        assert_eq!(read("1/2 {agreed}"), Reply::Result(GameResult::Draw, "agreed".to_owned()));
        assert!(matches!(read("  9  24 3 12345 Nf3 d5"), Reply::Thinking(_)));
        assert_eq!(read("Error"), Reply::Error { kind: String::new(), text: String::new() });
    }

    #[test]
    fn chatter_is_no_reply() {
        for line in [
            "GNU Chess 6.2.7",
            "moves: 20",
            "resign { gives up }",
            "* {xboard exit}",
            "pong x",
            "White (1)",
        ] {
            assert!(matches!(read(line), Reply::Other(_)), "{line}");
        }
        assert!(matches!(Reply::parse(b"\xff\xfe\x1b[0m"), Reply::Other(_)));
    }
}
