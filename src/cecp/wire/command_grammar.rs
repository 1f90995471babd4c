//! How the lines of a GUI are read.
//!
//! Keywords are whole words, case-sensitive, and tried before moves. Text after a command without
//! arguments is ignored. A command that only informs accepts any arguments.

use nom::branch::alt;
use nom::combinator::{map, opt, value};
use nom::{Finish, Parser};

use crate::types::Square;

use super::grammar::{
    Parsed, any_word, argument, argument_as, centiseconds, committed, count, is_blank, keyword,
    phrase, remark, seconds, text,
};
use super::{Command, CommandError, Exclusion, Fault, Level};
use crate::types::GameResult;

impl Command {
    /// Reads a line, with or without its end.
    ///
    /// # Errors
    /// A [`CommandError`] if the line is not a command.
    pub fn parse(line: &[u8]) -> Result<Command, CommandError> {
        let line = line.trim_ascii();
        match command(line).finish() {
            Ok((_, command)) => Ok(command),
            Err(fault) => Err(CommandError::new(fault, line)),
        }
    }
}

fn command(line: &[u8]) -> Parsed<'_, Command> {
    if line.is_empty() {
        return Ok((line, Command::Blank));
    }
    alt((introductions, game, board, clocks, thinking, machine, hand, ignored, bare_move))
        .parse(line)
}

/// A command without arguments.
fn word<'a>(
    name: &'static str,
    command: Command,
) -> impl Parser<&'a [u8], Output = Command, Error = Fault> {
    value(command, (keyword(name), remark))
}

/// A command with arguments.
fn with<'a>(
    name: &'static str,
    arguments: impl Parser<&'a [u8], Output = Command, Error = Fault>,
) -> impl Parser<&'a [u8], Output = Command, Error = Fault> {
    map((keyword(name), committed(arguments)), |((), command)| command)
}

fn introductions(line: &[u8]) -> Parsed<'_, Command> {
    alt((
        word("xboard", Command::Xboard),
        with(
            "protover",
            map(opt(argument_as(count)), |version| Command::Protover(version.unwrap_or(2))),
        ),
        with("accepted", map(remark, Command::Accepted)),
        with("rejected", map(remark, Command::Rejected)),
        with("name", map(remark, Command::Name)),
        with("rating", map(remark, Command::Rating)),
        with("ics", map(remark, Command::Ics)),
        word("computer", Command::Computer),
        word("quit", Command::Quit),
    ))
    .parse(line)
}

fn game(line: &[u8]) -> Parsed<'_, Command> {
    alt((
        word("new", Command::New),
        with("variant", map(argument_as(name), Command::Variant)),
        word("random", Command::Random),
        word("force", Command::Force),
        word("go", Command::Go),
        word("playother", Command::PlayOther),
        word("white", Command::White),
        word("black", Command::Black),
        with("usermove", map(phrase, |text| Command::Move { text, prefixed: true })),
        word("?", Command::MoveNow),
        with("ping", map(argument_as(|text| text.parse().ok()), Command::Ping)),
        word("draw", Command::Draw),
        with("result", result),
        word("pause", Command::Pause),
        word("resume", Command::Resume),
    ))
    .parse(line)
}

fn board(line: &[u8]) -> Parsed<'_, Command> {
    alt((
        with("setboard", map(remark, Command::SetBoard)),
        alt((word("edit", Command::Edit), word("xedit", Command::Edit))),
        word("undo", Command::Undo),
        word("remove", Command::Remove),
        word("hint", Command::Hint),
        word("bk", Command::Book),
    ))
    .parse(line)
}

fn clocks(line: &[u8]) -> Parsed<'_, Command> {
    alt((
        with("level", level),
        with("st", map(argument_as(seconds), Command::MoveTime)),
        with("sd", map(argument_as(count), Command::Depth)),
        with("nps", map(argument_as(count), Command::NodeRate)),
        with("time", map(argument_as(centiseconds), Command::Time)),
        with("otim", map(argument_as(centiseconds), Command::OpponentTime)),
    ))
    .parse(line)
}

fn thinking(line: &[u8]) -> Parsed<'_, Command> {
    alt((
        word("hard", Command::Hard),
        word("easy", Command::Easy),
        word("post", Command::Post),
        word("nopost", Command::NoPost),
        word("analyze", Command::Analyze),
        word("exit", Command::Exit),
        word(".", Command::Status),
        with("exclude", map(exclusion, Command::Exclude)),
        with("include", map(exclusion, Command::Include)),
    ))
    .parse(line)
}

fn machine(line: &[u8]) -> Parsed<'_, Command> {
    alt((
        with("memory", map(argument_as(count), Command::Memory)),
        with("cores", map(argument_as(count), Command::Cores)),
        with(
            "egtpath",
            map((argument_as(name), phrase), |(kind, path)| Command::EgtPath { kind, path }),
        ),
        with("option", map(phrase, option)),
    ))
    .parse(line)
}

fn hand(line: &[u8]) -> Parsed<'_, Command> {
    alt((
        with("lift", map(remark, |place| Command::Lift(square(&place)))),
        with("put", map(remark, |place| Command::Put(square(&place)))),
        with("hover", map(remark, |place| Command::Hover(square(&place)))),
    ))
    .parse(line)
}

/// Commands that only matter in other games or on other servers.
fn ignored(line: &[u8]) -> Parsed<'_, Command> {
    let words = ["partner", "ptell", "holding", "setscore"];
    let (rest, first) = any_word(line)?;
    if words.iter().any(|word| word.as_bytes() == first) {
        let (rest, _) = remark(rest)?;
        return Ok((rest, Command::Ignored(text(line))));
    }
    Err(nom::Err::Error(Fault::Unknown))
}

/// A move without `usermove` before it: one word that looks like a move in any of the notations.
fn bare_move(line: &[u8]) -> Parsed<'_, Command> {
    let (rest, first) = any_word(line)?;
    if rest.iter().all(|&byte| is_blank(byte)) && looks_like_move(first) {
        return Ok((&[], Command::Move { text: text(first), prefixed: false }));
    }
    Err(nom::Err::Error(Fault::Unknown))
}

/// Does it look like `e2e4`, `e7e8q`, `e2-e4`, `Nf3+`, `exd8=Q#`, `O-O`, `P@h3` or `@@@@`?
fn looks_like_move(word: &[u8]) -> bool {
    let body = word.trim_ascii_end();
    let body =
        &body[..body.len() - body.iter().rev().take_while(|byte| b"+#!?".contains(byte)).count()];
    if matches!(body, b"O-O" | b"O-O-O" | b"0-0" | b"0-0-0" | b"o-o" | b"o-o-o" | b"@@@@") {
        return true;
    }
    let letters = b"abcdefgh12345678KQRBNPkqrnpx-=@";
    let has_square = body.windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']));
    (2..=9).contains(&body.len()) && has_square && body.iter().all(|byte| letters.contains(byte))
}

fn name(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn level(input: &[u8]) -> Parsed<'_, Command> {
    let arguments = (argument_as(count), argument_as(Level::read_base), argument_as(seconds));
    map(arguments, |(moves, base, increment)| Command::Level(Level { moves, base, increment }))
        .parse(input)
}

/// Never fails: any `result` ends the game.
fn result(input: &[u8]) -> Parsed<'_, Command> {
    let token = opt(argument);
    map((token, remark), |(token, comment)| {
        let known = token.and_then(|token| GameResult::from_token(&text(token)));
        let comment = comment.trim_start_matches('{').trim_end_matches('}').to_owned();
        Command::Result(known.unwrap_or(GameResult::Unfinished), comment)
    })
    .parse(input)
}

fn exclusion(input: &[u8]) -> Parsed<'_, Exclusion> {
    map(phrase, |text| if text == "all" { Exclusion::All } else { Exclusion::Move(text) })
        .parse(input)
}

fn option(text: String) -> Command {
    match text.split_once('=') {
        Some((name, value)) => {
            Command::Option { name: name.trim().to_owned(), value: Some(value.trim().to_owned()) }
        }
        None => Command::Option { name: text, value: None },
    }
}

/// The square. A comma behind it marks a part of a longer move and is ignored.
fn square(place: &str) -> Option<Square> {
    Square::parse(place.trim_end_matches(','))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn read(line: &str) -> Command {
        Command::parse(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn fault(line: &str) -> String {
        Command::parse(line.as_bytes()).unwrap_err().to_string()
    }

    /// Every word xboard sends, printed as it is read.
    #[test]
    fn lines_print_as_they_are_read() {
        let lines = "xboard|protover 2|accepted ping|rejected option foo -bar|name Magnus C. the 2nd\
            |rating 1500 2800|ics freechess.org|computer|quit|new|variant 3check|random|force|go|playother|white\
            |black|usermove e2e4|e7e8q|Nbd7|O-O-O|?|ping 17|ping -3|draw|result 1-0 {White mates}|result *\
            |setboard 8/8/8/8/8/8/8/8 w - - 0 1|edit|undo|remove|hint|bk|pause|resume|level 40 5 0\
            |level 0 0:30 0.5|st 0.05|st 60|sd 12|nps 100000|time 1|otim 30000|hard|easy|post|nopost|analyze|exit\
            |.|exclude all|include e2e4|memory 68|cores 2|egtpath syzygy /a b;c|option Hash=64|option ClearHash\
            |option LogFile=/tmp/a=b|lift e2|put e4|hover d4|setscore 12 3|ptell hello|partner|holding [P]";
        for line in lines.split('|') {
            assert_eq!(read(line).to_string(), line);
            assert_eq!(read(&format!("{line}\r\n")).to_string(), line, "with CRLF");
        }
    }

    #[test]
    fn arguments_are_read_sanely() {
        let ms = Duration::from_millis;
        assert_eq!(read("time -100"), Command::Time(ms(0)));
        assert_eq!(read("time 12.7"), Command::Time(ms(127)));
        assert_eq!(read("st 0.01"), Command::MoveTime(ms(10)));
        assert_eq!(read("sd 99999999999999999999"), Command::Depth(u32::MAX));
        assert_eq!(read("level 40 25+5 0"), read("level 40 25 0"));
        assert_eq!(read("protover"), Command::Protover(2));
        assert_eq!(read("protover two"), Command::Protover(2));
        assert_eq!(read("result"), Command::Result(GameResult::Unfinished, String::new()));
        assert_eq!(read("put e4,"), read("put e4"));
        assert_eq!(read("lift Z9"), Command::Lift(None));
        assert_eq!(read("quit now"), Command::Quit);
        assert_eq!(read(" \t "), Command::Blank);
        assert_eq!(read("\tgo "), Command::Go);
    }

    #[test]
    fn unknown_words_and_bad_arguments_are_told_apart() {
        assert_eq!(fault("frobnicate"), "unknown command: frobnicate");
        assert_eq!(fault("NEW"), "unknown command: NEW");
        assert_eq!(fault("newer"), "unknown command: newer");
        assert_eq!(fault("e2e4 e7e5"), "unknown command: e2e4 e7e5");
        assert_eq!(fault("level 40"), "missing argument: level 40");
        assert_eq!(fault("level 40 5 -1"), "bad argument: level 40 5 -1");
        assert_eq!(fault("sd ten"), "bad argument: sd ten");
        assert_eq!(fault("ping"), "missing argument: ping");
        assert_eq!(fault("ping pong"), "bad argument: ping pong");
        assert_eq!(fault("usermove"), "missing argument: usermove");
        assert_eq!(fault("cores -3"), "bad argument: cores -3");
        assert_eq!(fault("time soon"), "bad argument: -", "`time` in an error disables the clock");
    }

    #[test]
    fn any_bytes_are_survived() {
        assert!(Command::parse(b"\xff\xfe\x00").is_err());
        assert_eq!(Command::parse(b"name \xff\0x").unwrap().to_string(), "name \u{fffd}\0x");
        assert!(Command::parse(&[b'9'; 70_000]).is_err());
        assert!(Command::parse(&[b' '; 70_000]).is_ok());
    }

    #[test]
    fn moves_look_like_moves() {
        for word in
            "e2e4 e7e8q e7e8=Q e2-e4 e4 exd5 exd8=Q+ Nf3 N1xf3 Ng1-f3 Qh4xe1# O-O 0-0-0 P@h3"
                .split(' ')
        {
            assert!(matches!(read(word), Command::Move { prefixed: false, .. }), "{word}");
        }
        for word in "hello e9 Nf draw! bk2 go! e2e4e5e6e7 1 12 ee".split(' ') {
            assert!(Command::parse(word.as_bytes()).is_err(), "{word}");
        }
    }
}
