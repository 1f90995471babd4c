//! Portable game notation (PGN): games as text, written and read.
//!
//! Reading is tolerant: comments are kept, variations and annotation glyphs are skipped, tags may
//! be missing, and a broken game does not spoil the next one. The moves are only checked when a
//! game is replayed on a board.

use std::fmt;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till, take_while, take_while1};
use nom::character::complete::{char, multispace0, none_of, one_of, space0};
use nom::combinator::{map, map_opt, opt, recognize, value, verify};
use nom::multi::{many0, many0_count, many1_count};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

use super::{MoveError, parse_move};
use crate::board::{FenError, Position, Rules, fen};
use crate::types::{Color, GameResult, Move};

/// A game: tags in order, moves in SAN, and the result.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PgnGame {
    pub tags: Vec<(String, String)>,
    /// The comment before the first move.
    pub comment: Option<String>,
    pub moves: Vec<PgnMove>,
    /// The result at the end of the movetext; unfinished if there is none.
    pub result: GameResult,
}

/// A move as it is written, with the comment after it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PgnMove {
    pub san: String,
    pub comment: Option<String>,
}

/// Why a game cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("bad FEN tag: {0}")]
    Fen(#[from] FenError),
    #[error("ply {ply}, {text}: {error}")]
    Move { ply: usize, text: String, error: MoveError },
}

impl PgnGame {
    /// The value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Adds a tag at the end.
    pub fn push_tag(&mut self, name: &str, value: impl fmt::Display) {
        self.tags.push((name.to_owned(), value.to_string()));
    }

    /// The start position and the moves.
    ///
    /// # Errors
    /// A [`ReplayError`] if the FEN is bad or a move is not legal.
    pub fn replay<R: Rules>(&self) -> Result<(Position<R>, Vec<Move>), ReplayError> {
        let start = match self.tag("FEN") {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        };
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        for (ply, PgnMove { san, .. }) in self.moves.iter().enumerate() {
            let mv = parse_move(&position, san).map_err(|error| ReplayError::Move {
                ply,
                text: san.clone(),
                error,
            })?;
            position.make_move(mv);
            moves.push(mv);
        }
        Ok((start, moves))
    }

    /// The side that moves first, and the number of its move.
    fn first_move(&self) -> (Color, u32) {
        self.tag("FEN").map_or((Color::White, 1), fen::next_move)
    }
}

/// The longest line of movetext, in characters.
const LINE: usize = 80;

/// The game, with an empty line after the tags and another after the moves.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut width = 0;
        for token in self.tokens() {
            for word in token.split(' ').filter(|word| !word.is_empty()) {
                let len = word.chars().count();
                if width > 0 && width + 1 + len > LINE {
                    writeln!(f)?;
                    width = 0;
                }
                if width > 0 {
                    f.write_str(" ")?;
                    width += 1;
                }
                f.write_str(word)?;
                width += len;
            }
        }
        writeln!(f, "\n")
    }
}

impl PgnGame {
    /// Move numbers, moves, comments and the result, in order.
    fn tokens(&self) -> Vec<String> {
        let (mut side, mut number) = self.first_move();
        let mut tokens = Vec::with_capacity(self.moves.len() * 3);
        let mut number_needed = true;
        tokens.extend(self.comment.as_deref().map(braced));
        for PgnMove { san, comment } in &self.moves {
            if side == Color::White {
                tokens.push(format!("{number}."));
            } else if number_needed {
                tokens.push(format!("{number}..."));
            }
            tokens.push(san.clone());
            number_needed = comment.is_some();
            if let Some(comment) = comment {
                tokens.push(braced(comment));
            }
            number += u32::from(side == Color::Black);
            side = !side;
        }
        tokens.push(self.result.to_string());
        tokens
    }
}

/// A comment in braces. Braces and line breaks inside it become blanks.
fn braced(comment: &str) -> String {
    format!("{{{}}}", comment.replace(['{', '}', '\n', '\r'], " "))
}

/// All games of a text. Text that is not part of a game is skipped.
pub fn read(text: &str) -> impl Iterator<Item = PgnGame> {
    let mut rest = text.trim_start_matches('\u{feff}');
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return None;
            }
            match game(rest) {
                Ok((after, game)) if after.len() < rest.len() => {
                    rest = after;
                    if game.is_some() {
                        return game;
                    }
                }
                // Not a token: skip this line and go on.
                _ => rest = rest.split_once('\n').map_or("", |(_, after)| after),
            }
        }
    })
}

/// An item of movetext.
#[derive(Clone)]
enum Token<'a> {
    San(&'a str),
    Comment(&'a str),
    Skipped,
}

/// Reads a game; `None` if there are neither tags nor moves nor a result.
fn game(input: &str) -> IResult<&str, Option<PgnGame>> {
    let (input, _) = many0_count(skipped_line).parse(input)?;
    let (input, tags) = many0(terminated(tag_pair, multispace0)).parse(input)?;
    let (input, tokens) = many0(terminated(token, multispace0)).parse(input)?;
    let (input, result) = opt(terminated(result, multispace0)).parse(input)?;
    let mut moves: Vec<PgnMove> = Vec::new();
    let mut comment = None;
    for token in tokens {
        match (token, moves.last_mut()) {
            (Token::San(san), _) => moves.push(PgnMove { san: san.to_owned(), comment: None }),
            (Token::Comment(text), Some(last)) => join(&mut last.comment, text),
            (Token::Comment(text), None) => join(&mut comment, text),
            (Token::Skipped, _) => {}
        }
    }
    let is_game = !tags.is_empty() || !moves.is_empty() || result.is_some();
    let result = result.unwrap_or_default();
    Ok((input, is_game.then_some(PgnGame { tags, comment, moves, result })))
}

/// Adds to a comment; line breaks become blanks.
fn join(comment: &mut Option<String>, text: &str) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    *comment = Some(match comment.take() {
        Some(before) => format!("{before} {text}"),
        None => text,
    });
}

/// A line that begins with `%` (PGN's escape mechanism).
fn skipped_line(input: &str) -> IResult<&str, ()> {
    value((), (char('%'), take_till(|c| c == '\n'), multispace0)).parse(input)
}

fn tag_pair(input: &str) -> IResult<&str, (String, String)> {
    let name = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    let escaped = preceded(char('\\'), map(one_of("\\\""), Some));
    let text = delimited(char('"'), many0(alt((escaped, map(none_of("\"\n"), Some)))), char('"'));
    let pair = (
        map(name, str::to_owned),
        preceded(space0, map(text, |chars| chars.into_iter().flatten().collect())),
    );
    delimited((char('['), multispace0), pair, (multispace0, char(']'))).parse(input)
}

fn token(input: &str) -> IResult<&str, Token<'_>> {
    alt((
        map(delimited(char('{'), take_till(|c| c == '}'), opt(char('}'))), Token::Comment),
        map(preceded(char(';'), take_till(|c| c == '\n')), Token::Comment),
        value(Token::Skipped, variation),
        value(Token::Skipped, preceded(char('$'), take_while(|c: char| c.is_ascii_digit()))),
        value(Token::Skipped, skipped_line),
        value(Token::Skipped, move_number),
        map(san, Token::San),
        // Annotation glyphs apart from their move.
        value(Token::Skipped, take_while1(|c| "!?+-=)]}".contains(c))),
    ))
    .parse(input)
}

/// A variation with everything in it, also nested variations. An unclosed one ends with the text.
fn variation(input: &str) -> IResult<&str, ()> {
    let (mut rest, _) = char('(').parse(input)?;
    let mut depth = 1;
    while depth > 0 && !rest.is_empty() {
        (rest, depth) = alt((
            value(0, delimited(char('{'), take_till(|c| c == '}'), opt(char('}')))),
            value(0, preceded(char(';'), take_till(|c| c == '\n'))),
            value(1, char('(')),
            value(-1, char(')')),
            value(0, is_not("{};()")),
            value(0, char('}')),
        ))
        .parse(rest)
        .map(|(after, change): (&str, i32)| (after, depth + change))?;
    }
    Ok((rest, ()))
}

/// A move number: `12.`, `12...`, or without dots.
fn move_number(input: &str) -> IResult<&str, ()> {
    let digits = recognize(many1_count(one_of("0123456789")));
    let number =
        verify((digits, take_while(|c| c == '.')), |(_, dots): &(&str, &str)| !dots.is_empty());
    let bare = terminated(
        recognize(many1_count(one_of("0123456789"))),
        nom::combinator::peek(one_of(" \t\r\n")),
    );
    alt((value((), number), value((), bare), value((), take_while1(|c| c == '.')))).parse(input)
}

fn san(input: &str) -> IResult<&str, &str> {
    verify(take_while1(|c: char| c.is_alphanumeric() || "+#=-!?@/:".contains(c)), |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@')
            || word.starts_with("0-0")
            || word == "--"
    })
    .parse(input)
}

fn result(input: &str) -> IResult<&str, GameResult> {
    let token = alt((tag("1-0"), tag("0-1"), tag("1/2-1/2"), tag("*")));
    map_opt(token, GameResult::from_token).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{Standard, ThreeCheck};

    fn sans(game: &PgnGame) -> Vec<&str> {
        game.moves.iter().map(|mv| mv.san.as_str()).collect()
    }

    #[test]
    fn comments_are_kept_and_variations_skipped() {
        let text = "[Event \"A \\\"great\\\" one\"]\n[White \"x\"]\n\n{to begin} 1. e4! {best\nby test} e5 $1 (1... c5 {x)(} (1... e6) 2. Nf3) \
                    2.Nf3 ; to the end\n Nc6 3 O-O-O 1-0";
        let games: Vec<PgnGame> = read(text).collect();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].tag("Event"), Some("A \"great\" one"));
        assert_eq!(games[0].comment.as_deref(), Some("to begin"));
        assert_eq!(sans(&games[0]), ["e4!", "e5", "Nf3", "Nc6", "O-O-O"]);
        assert_eq!(games[0].moves[0].comment.as_deref(), Some("best by test"));
        assert_eq!(games[0].moves[2].comment.as_deref(), Some("to the end"));
        assert_eq!(games[0].result, GameResult::Win(Color::White));
    }

    #[test]
    fn several_games_with_and_without_results() {
        let text = "\u{feff}[Event \"1\"]\n\n1. e4 e5 *\n\n[Event \"2\"]\n\n1. d4\n\n[Event \"3\"]\n\n1-0\n\n%ignored\n1. c4 0-1";
        let games: Vec<PgnGame> = read(text).collect();
        let found: Vec<_> = games
            .iter()
            .map(|game| (game.tag("Event"), sans(game).join(" "), game.result.token()))
            .collect();
        assert_eq!(
            found,
            [
                (Some("1"), "e4 e5".to_owned(), "*"),
                (Some("2"), "d4".to_owned(), "*"),
                (Some("3"), String::new(), "1-0"),
                (None, "c4".to_owned(), "0-1"),
            ]
        );
    }

    #[test]
    fn a_game_has_tags_or_moves_or_a_result() {
        for (text, games) in
            [("[Event \"x\"]", 1), ("1. e4", 1), ("1-0", 1), ("{a comment}", 0), ("(1. e4) $1", 0)]
        {
            assert_eq!(read(text).count(), games, "{text}");
        }
    }

    #[test]
    fn nonsense_ends() {
        for text in [
            "",
            "&&&& \n 1. e4 {never closed",
            "(((((",
            "[[[",
            "1. e4 (1. d4 {",
            "\u{0}\u{1}\n1. e4 1-0",
            "[Event \"x]\n1. e4 *",
        ] {
            assert!(read(text).count() <= 2, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_back_and_replayed() {
        let mut game = PgnGame { result: GameResult::Win(Color::Black), ..PgnGame::default() };
        game.push_tag("Event", "back\\slash \"quoted\"");
        game.push_tag("FEN", "4k3/8/8/8/8/8/4r3/K7 b - - 3+1 0 31");
        let comment = |text: &str| Some(text.to_owned());
        game.moves.push(PgnMove {
            san: "Re1+".to_owned(),
            comment: comment("+M1/5 0.1s, {Black} gives third check"),
        });
        let text = game.to_string();
        assert!(text.contains("31... Re1+ {+M1/5 0.1s, Black gives third check} 0-1"), "{text}");
        let back: Vec<PgnGame> = read(&text).collect();
        assert_eq!((back.len(), back[0].tag("Event")), (1, Some("back\\slash \"quoted\"")));
        let (start, moves) = back[0].replay::<ThreeCheck>().unwrap();
        assert_eq!(
            (start.fen(), moves[0].to_string()),
            ("4k3/8/8/8/8/8/4r3/K7 b - - 3+1 0 31".to_owned(), "e2e1".to_owned())
        );
        assert!(back[0].replay::<Standard>().is_err());
    }

    #[test]
    fn lines_are_no_longer_than_eighty() {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(120);
        let game = PgnGame {
            moves: moves
                .map(|san| PgnMove {
                    san: san.to_owned(),
                    comment: Some("+0.00/1 0.1s".to_owned()),
                })
                .collect(),
            ..PgnGame::default()
        };
        let text = game.to_string();
        assert!(text.lines().all(|line| line.len() <= LINE));
        assert!(text.trim_end().ends_with('*'));
        let back = read(&text).next().unwrap();
        assert_eq!(back.moves, game.moves);
    }
}
