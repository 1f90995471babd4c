//! Reads PGN.

use nom::branch::alt;
use nom::bytes::complete::{is_a, tag, take_till, take_until, take_while, take_while1};
use nom::character::complete::{char, digit0, digit1, multispace0, one_of, satisfy, space0};
use nom::combinator::{map, map_opt, not, opt, peek, recognize, rest, value, verify};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

use super::{Flaw, MOST_NESTED, PgnGame, PgnMove, Variation, nag_of};
use crate::notation::grammar;
use crate::types::GameResult;

/// The name and the value of a tag.
type Tag = (String, String);

/// All games of a text. Text that is not part of a game is skipped.
pub fn read(text: &str) -> impl Iterator<Item = PgnGame> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            // Files that were joined have their byte order marks in the middle.
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            if rest.is_empty() {
                return None;
            }
            let (after, game) = game(rest);
            // Not the beginning of a game: skip this line and go on.
            rest = if after.len() < rest.len() { after } else { next_line(rest) };
            if game.is_some() {
                return game;
            }
        }
    })
}

/// Reads a game; `None` if there are neither tags nor moves nor a result.
fn game(input: &str) -> (&str, Option<PgnGame>) {
    let (mut rest, mut tags, mut flaws) = tag_section(input);
    let mut lines = OpenLines::default();
    let mut result = None;
    let mut tags_in_movetext = TagsInMovetext::default();
    while !rest.is_empty() && result.is_none() {
        // PGN's escape mechanism: a line that begins with `%`.
        if rest.starts_with('%') && is_line_start(input, rest) {
            rest = next_line(rest).trim_start();
            continue;
        }
        let tag = tags_in_movetext.tag_at(rest);
        match terminated(token, multispace0).parse(rest) {
            // A line of text before the first game.
            Ok((_, Token::San(word)))
                if tags.is_empty()
                    && !lines.have_moves()
                    && is_plain_word(word)
                    && !has_moves(rest.lines().next().unwrap_or_default()) =>
            {
                lines = OpenLines::default();
                rest = next_line(rest).trim_start();
            }
            Ok((after, Token::Result(found))) => {
                rest = after;
                // A result in a side line means nothing.
                result = lines.is_main_line().then_some(found);
            }
            Ok((after, Token::OpenComment(text))) => {
                rest = after;
                lines.add(Token::OpenComment(text));
                flaws.push(Flaw::OpenComment);
            }
            Ok((after, token)) => {
                rest = after;
                lines.add(token);
            }
            // A tag of this game behind a comment or an escape line between its tags.
            _ if !tags.is_empty()
                && !lines.have_moves()
                && let Some((after, pair)) = &tag
                && !is_among(&tags, &pair.0) =>
            {
                tags.push(pair.clone());
                rest = after;
            }
            // The tags of the next game, or text before the first one.
            _ if tag.is_some() || tags.is_empty() && !lines.have_moves() => break,
            // A tag that is cut off.
            _ if rest.starts_with('[') && is_line_start(input, rest) => {
                rest = pass_over_tag(rest, &mut flaws);
            }
            // A character that means nothing here, or a word that is too long for anything.
            _ => {
                let end = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
                let first = rest.chars().next().map_or(0, char::len_utf8);
                rest = rest[if end > LONGEST_WORD { end } else { first }..].trim_start();
            }
        }
    }
    // Words behind the result, such as `White resigns`, are no game.
    if result.is_some() && !is_line_start(input, rest) && rest.starts_with(char::is_alphabetic) {
        rest = next_line(rest);
    }
    let Variation { comment, moves } = lines.close();
    // An empty FEN is no start position.
    tags.retain(|(name, value)| name != "FEN" || !value.trim().is_empty());
    let is_game = !tags.is_empty() || !moves.is_empty() || result.is_some();
    let is_text = is_text(&tags, &moves);
    let result = result.unwrap_or_default();
    (rest, (is_game && !is_text).then_some(PgnGame { tags, comment, moves, result, flaws }))
}

/// Reads the tags with which a game begins. Returns what follows them, and the flaws among them.
fn tag_section(input: &str) -> (&str, Vec<Tag>, Vec<Flaw>) {
    let (mut rest, mut tags, mut flaws) = (input, Vec::new(), Vec::new());
    while rest.starts_with('%') {
        rest = next_line(rest).trim_start();
    }
    loop {
        match terminated(tag_pair, multispace0).parse(rest) {
            // A tag that cannot be read takes no others away from their game, unless they are those of the next one.
            Ok((_, (name, _)))
                if (!flaws.is_empty() || name == "Event" && follows_blank_line(input, rest))
                    && is_among(&tags, &name) =>
            {
                break;
            }
            Ok((after, tag)) => {
                tags.push(tag);
                rest = after;
            }
            Err(_) if looks_like_tag(rest) => rest = pass_over_tag(rest, &mut flaws),
            Err(_) => break,
        }
    }
    (rest, tags, flaws)
}

/// Is there a tag of this name? Then another one is that of the next game.
fn is_among(tags: &[Tag], name: &str) -> bool {
    tags.iter().any(|(key, _)| key == name)
}

/// Are these words with a result, and without tag and move?
fn is_text(tags: &[Tag], moves: &[PgnMove]) -> bool {
    tags.is_empty()
        && moves.first().is_some_and(|mv| is_plain_word(&mv.san))
        && moves.iter().all(|mv| grammar::read(&mv.san).is_none())
}

/// Finds tags behind the first moves or comments of a game.
#[derive(Default)]
struct TagsInMovetext<'a> {
    /// What follows a line in which no tag ends: the rest of that line need not be read for each `[a "` in it.
    after_endless: Option<&'a str>,
}

impl<'a> TagsInMovetext<'a> {
    /// The tag with which the text begins, and what follows it.
    fn tag_at(&mut self, text: &'a str) -> Option<(&'a str, Tag)> {
        let is_endless = self.after_endless.is_some_and(|after| text.len() > after.len());
        if !text.starts_with('[') || is_endless {
            return None;
        }
        let found = terminated(tag_pair, multispace0).parse(text).ok();
        if found.is_none() && tag_start(text).is_ok() {
            self.after_endless = Some(next_line(text));
        }
        found
    }
}

/// Does the text begin with a bracket and a name, as a tag does?
fn looks_like_tag(text: &str) -> bool {
    text.strip_prefix('[').is_some_and(|text| text.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Notes the tag in this line, which cannot be read, and returns what comes after it. It may end in the next line.
fn pass_over_tag<'a>(text: &'a str, flaws: &mut Vec<Flaw>) -> &'a str {
    let line = text.lines().next().unwrap_or_default();
    flaws.push(Flaw::Tag(line.trim_end().to_owned()));
    let after = next_line(text);
    let second = after.lines().next().unwrap_or_default().trim();
    let has_two_lines = !line.contains(']') && second.ends_with("\"]") && !second.starts_with('[');
    if has_two_lines { next_line(after) } else { after }.trim_start()
}

fn next_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, after)| after)
}

/// Is `rest`, the end of `input`, at the beginning of a line?
fn is_line_start(input: &str, rest: &str) -> bool {
    let before = &input[..input.len() - rest.len()];
    before.is_empty() || before.ends_with('\n')
}

/// Is there a blank line before `rest`, the end of `input`?
fn follows_blank_line(input: &str, rest: &str) -> bool {
    let before = &input[..input.len() - rest.len()];
    before[before.trim_end().len()..].matches('\n').count() >= 2
}

/// The main line and the side lines that are being read, the innermost last.
#[derive(Default)]
struct OpenLines {
    main: Variation,
    side: Vec<Variation>,
    /// How many side lines are open that are nested too deep to be read.
    unread: usize,
}

impl OpenLines {
    fn is_main_line(&self) -> bool {
        self.side.is_empty()
    }

    fn have_moves(&self) -> bool {
        !self.main.moves.is_empty()
    }

    fn innermost(&mut self) -> &mut Variation {
        self.side.last_mut().unwrap_or(&mut self.main)
    }

    fn add(&mut self, token: Token) {
        match token {
            Token::Begin if self.side.len() < MOST_NESTED => self.side.push(Variation::default()),
            Token::Begin => self.unread += 1,
            Token::End if self.unread > 0 => self.unread -= 1,
            Token::End => self.close_innermost(),
            _ if self.unread > 0 => {}
            Token::San(san) => self.innermost().moves.push(PgnMove::new(in_letters(san))),
            Token::Nag(nag) => {
                if let Some(last) = self.innermost().moves.last_mut()
                    && !last.nags.contains(&nag)
                {
                    last.nags.push(nag);
                }
            }
            Token::Comment(text) | Token::OpenComment(text) => self.innermost().add_comment(text),
            Token::Result(_) | Token::Skipped => {}
        }
    }

    /// Ends the innermost side line: it belongs to the last move of the line around it.
    fn close_innermost(&mut self) {
        let Some(line) = self.side.pop() else { return };
        let around = self.innermost();
        match (around.moves.last_mut(), line.comment) {
            (Some(last), comment) if !line.moves.is_empty() => {
                last.variations.push(Variation { comment, moves: line.moves });
            }
            // A side line without moves is a comment.
            (_, Some(comment)) => around.add_comment(&comment),
            _ => {}
        }
    }

    /// Removes words such as `White resigns` behind the last move.
    fn drop_last_words(&mut self) {
        let is_word = |mv: &PgnMove| LAST_WORDS.contains(&&*mv.san.to_ascii_lowercase());
        let end = self.main.moves.iter().rposition(|mv| !is_word(mv)).map_or(0, |last| last + 1);
        for comment in self.main.moves.split_off(end).into_iter().filter_map(|word| word.comment) {
            self.main.add_comment(&comment);
        }
    }

    /// Ends all side lines and returns the main line without the words behind it.
    fn close(mut self) -> Variation {
        while !self.side.is_empty() {
            self.close_innermost();
        }
        self.drop_last_words();
        self.main
    }
}

impl Variation {
    /// Adds to the comment of the last move, or to that before the first one.
    fn add_comment(&mut self, text: &str) {
        let comment = match self.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.comment,
        };
        // Braces cannot be written in a comment.
        let is_blank = |c: char| c.is_whitespace() || c == '{' || c == '}';
        for word in text.split(is_blank).filter(|word| !word.is_empty()) {
            match comment {
                Some(before) => {
                    before.push(' ');
                    before.push_str(word);
                }
                None => *comment = Some(word.to_owned()),
            }
        }
    }
}

/// An item of movetext.
#[derive(Clone)]
enum Token<'a> {
    San(&'a str),
    Nag(u8),
    Comment(&'a str),
    /// A comment that is never closed.
    OpenComment(&'a str),
    /// A side line begins.
    Begin,
    /// A side line ends.
    End,
    Result(GameResult),
    Skipped,
}

fn token(input: &str) -> IResult<&str, Token<'_>> {
    alt((
        // Behind a line break, a comment or a mark; otherwise `san` has read it.
        value(Token::Skipped, remark),
        value(Token::Nag(NOVELTY), terminated(char('N'), is_whole_word)),
        map(san, Token::San),
        value(Token::Skipped, move_number),
        map(comment, Token::Comment),
        map(open_comment, Token::OpenComment),
        map(preceded(char(';'), take_till(|c| c == '\n')), Token::Comment),
        map(result, Token::Result),
        map(preceded(char('$'), nag), |nag| nag.map_or(Token::Skipped, Token::Nag)),
        value(Token::Nag(NOVELTY), tag("(N)")),
        value(Token::Begin, char('(')),
        value(Token::End, char(')')),
        map(is_a("!?"), |mark| nag_of(mark).map_or(Token::Skipped, Token::Nag)),
        value(Token::Skipped, is_a("!?+-=/]}.")),
    ))
    .parse(input)
}

/// What people write behind the last move.
const LAST_WORDS: [&str; 29] = [
    "abandons",
    "adjourned",
    "agreed",
    "agreement",
    "black",
    "by",
    "check",
    "checkmate",
    "draw",
    "drawn",
    "flag",
    "forfeit",
    "forfeits",
    "insufficient",
    "loses",
    "lost",
    "mate",
    "material",
    "mates",
    "on",
    "repetition",
    "resigned",
    "resigns",
    "rule",
    "stalemate",
    "time",
    "white",
    "wins",
    "won",
];

/// The NAG of a novelty, which printed games mark with `N`.
const NOVELTY: u8 = 146;

/// The number of a NAG; `None` if it is greater than any.
fn nag(input: &str) -> IResult<&str, Option<u8>> {
    map(digit0, |text: &str| text.parse().ok()).parse(input)
}

/// How the next game begins.
const NEXT_GAME: &str = "\n[Event \"";

/// A comment in braces.
fn comment(input: &str) -> IResult<&str, &str> {
    let (body, _) = char('{').parse(input)?;
    let is_end =
        |&(at, c): &(usize, char)| c == '}' || c == '\n' && body[at..].starts_with(NEXT_GAME);
    let end = body.char_indices().find(is_end).map_or(body.len(), |(at, _)| at);
    let (text, rest) = body.split_at(end);
    value(text, char('}')).parse(rest)
}

/// A comment that is never closed: it ends before the next game.
fn open_comment(input: &str) -> IResult<&str, &str> {
    preceded(char('{'), alt((take_until(NEXT_GAME), rest))).parse(input)
}

/// A move number: `12.`, `12...`, or without dots.
fn move_number(input: &str) -> IResult<&str, ()> {
    let end = alt((value((), take_while1(|c| c == '.')), value((), peek(one_of(" \t\r\n")))));
    value((), (digit1, end)).parse(input)
}

const EN_PASSANT: &str = "e.p.";

/// The letter of a figurine; that of a pawn, and of the sign that makes one a text, is none.
fn letter_of(figurine: char) -> Option<&'static str> {
    Some(match figurine {
        '\u{2654}' | '\u{265a}' => "K",
        '\u{2655}' | '\u{265b}' => "Q",
        '\u{2656}' | '\u{265c}' => "R",
        '\u{2657}' | '\u{265d}' => "B",
        '\u{2658}' | '\u{265e}' => "N",
        '\u{2659}' | '\u{265f}' | '\u{fe0e}' => "",
        _ => return None,
    })
}

/// A hyphen, or a dash that web pages and text programs make of one.
const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2014}' | '\u{2212}')
}

/// The move with letters for its figurines, and hyphens for its dashes.
fn in_letters(san: &str) -> String {
    let mut text = String::new();
    for c in san.chars() {
        match letter_of(c) {
            Some(letter) => text.push_str(letter),
            None if is_dash(c) => text.push('-'),
            None => text.push(c),
        }
    }
    text
}

/// No word that means something is longer, in bytes.
const LONGEST_WORD: usize = 64;

/// May the character stand in a move?
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || "+#=@/:".contains(c) || is_dash(c) || letter_of(c).is_some()
}

/// Has the word letters alone?
fn is_plain_word(word: &str) -> bool {
    word.chars().all(char::is_alphabetic)
}

/// Can a word of the line be read as a move?
fn has_moves(line: &str) -> bool {
    let mut words = line.split(|c: char| !is_of_word(c));
    words.any(|word| grammar::read(&in_letters(without_sign(word))).is_some())
}

/// The move without a sign such as `+-` or `=` behind it. A `+` for a check stays.
fn without_sign(word: &str) -> &str {
    let core = word.trim_end_matches(|c: char| is_dash(c) || "+/=".contains(c));
    let is_check = word[core.len()..].chars().all(|c| c == '+');
    if core.is_empty() || is_check { word } else { core }
}

/// A move without the mark or sign behind it and without `e.p.`, `ep` and `mate`, which follow some moves.
fn san(input: &str) -> IResult<&str, &str> {
    // Behind `#` there is no more of a move, but perhaps the result.
    let letters = |input| {
        recognize((take_while1(|c| c != '#' && is_of_word(c)), take_while(|c| c == '#')))
            .parse(input)
    };
    // Behind other moves than those of a pawn to the last rank, `(N)` marks a novelty.
    let to_last_rank = verify(letters, |word: &str| {
        word.ends_with(['1', '8']) && !in_letters(word).starts_with(['N', 'B', 'R', 'Q', 'K'])
    });
    let piece = delimited(char('('), one_of("NBRQKnbrqk"), char(')'));
    let promotion = recognize((to_last_rank, piece, take_while(|c| c == '+' || c == '#')));
    let is_move = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@' || letter_of(c).is_some())
            || word.starts_with('0') && in_letters(word).starts_with("0-0")
            || *word == "--"
    };
    let (rest, word) = verify(alt((promotion, letters)), is_move).parse(input)?;
    // The words follow the move at once: its last letter is their first one.
    if word.ends_with('e') && rest.starts_with(&EN_PASSANT[1..]) {
        return Ok((&rest[EN_PASSANT.len() - 1..], &word[..word.len() - 1]));
    }
    value(without_sign(word), opt(preceded(space0, remark))).parse(rest)
}

/// A word behind a move that says nothing new.
fn remark(input: &str) -> IResult<&str, &str> {
    alt((tag(EN_PASSANT), terminated(alt((tag("ep"), tag("mate"))), is_whole_word))).parse(input)
}

/// Does the word that has been read end here?
fn is_whole_word(input: &str) -> IResult<&str, ()> {
    not(satisfy(|c| c.is_alphanumeric() || c == '@' || is_dash(c))).parse(input)
}

fn result(input: &str) -> IResult<&str, GameResult> {
    let points = take_while1(|c| "01/2½".contains(c) || is_dash(c));
    let plain = |points: &str| in_letters(&points.replace('½', "1/2"));
    map_opt(alt((tag("*"), points)), |text| GameResult::from_token(&plain(text))).parse(input)
}

fn tag_pair(input: &str) -> IResult<&str, Tag> {
    let pair = (map(tag_start, str::to_owned), quoted);
    terminated(pair, (multispace0, char(']'))).parse(input)
}

/// The beginning of a tag, up to the quotation mark before its value. Returns its name.
fn tag_start(input: &str) -> IResult<&str, &str> {
    let name = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    delimited((char('['), multispace0), name, (space0, peek(char('"')))).parse(input)
}

/// A text in quotation marks on one line. A backslash precedes a quotation mark or a backslash in it.
/// Some programs forget that, so a quotation mark ends the text only before the closing bracket.
fn quoted(input: &str) -> IResult<&str, String> {
    let (mut rest, _) = char('"').parse(input)?;
    let mut text = String::new();
    loop {
        let plain = rest.find(['"', '\\', '\n']).unwrap_or(rest.len());
        text.push_str(&rest[..plain]);
        rest = &rest[plain..];
        let end: IResult<&str, char> =
            terminated(char('"'), peek((multispace0, char(']')))).parse(rest);
        if let Ok((after, _)) = end {
            return Ok((after, text));
        }
        let escaped = preceded(char('\\'), one_of("\\\""));
        let (after, letter) = alt((escaped, one_of("\\\""))).parse(rest)?;
        text.push(letter);
        rest = after;
    }
}
