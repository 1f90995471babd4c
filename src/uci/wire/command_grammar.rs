//! How the lines of a GUI are read.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::value;

use super::command::{Command, CommandError, Fault, Go, Start};
use super::grammar::{EMPTY, count, keyword, line_text, millis, tidy, word, words_until};

impl Command {
    /// Reads a line, with or without its end.
    ///
    /// # Errors
    /// If no word of the line is a command, or the arguments of the first one make no sense.
    pub fn parse(line: &[u8]) -> Result<Command, CommandError> {
        let text = line_text(line);
        if text.is_empty() {
            return Ok(Command::Blank);
        }
        let mut rest = text.as_str();
        while let Ok((arguments, name)) = word(rest) {
            if let Some(command) = command(name, arguments) {
                return command.map_err(|fault| CommandError { fault, line: text });
            }
            rest = arguments;
        }
        Err(CommandError { fault: Fault::Unknown, line: text })
    }
}

/// The command with this name; `None` if there is none.
fn command(name: &str, arguments: &str) -> Option<Result<Command, Fault>> {
    Some(match name {
        "uci" => Ok(Command::Uci),
        "debug" => debug(arguments),
        "isready" => Ok(Command::IsReady),
        "setoption" => set_option(arguments),
        "register" => Ok(Command::Register(tidy(arguments))),
        "ucinewgame" => Ok(Command::UciNewGame),
        "position" => position(arguments),
        "go" => Ok(Command::Go(go(arguments))),
        "stop" => Ok(Command::Stop),
        "ponderhit" => Ok(Command::PonderHit),
        "quit" => Ok(Command::Quit),
        _ => return None,
    })
}

/// The fault of a line whose arguments cannot be read.
fn fault_of(arguments: &str) -> Fault {
    if arguments.trim().is_empty() { Fault::MissingArgument } else { Fault::BadArgument }
}

fn debug(arguments: &str) -> Result<Command, Fault> {
    let mut switch = alt((value(true, keyword("on")), value(false, keyword("off"))));
    let (_, on) = switch.parse(arguments).map_err(|_| fault_of(arguments))?;
    Ok(Command::Debug(on))
}

/// `name NAME [value VALUE]`; both may have blanks.
fn set_option(arguments: &str) -> Result<Command, Fault> {
    let mut parser = (keyword("name"), words_until(|word| word == "value"));
    let (rest, (_, name)) = parser.parse(arguments).map_err(|_| fault_of(arguments))?;
    if name.is_empty() {
        return Err(Fault::MissingArgument);
    }
    let value = word(rest).ok().map(|(value, _)| match value.trim() {
        EMPTY => String::new(),
        value => value.to_owned(),
    });
    Ok(Command::SetOption { name: name.join(" "), value })
}

/// `startpos` or `fen FEN`, then perhaps `moves MOVE …`.
fn position(arguments: &str) -> Result<Command, Fault> {
    let (rest, kind) = word(arguments).map_err(|_| Fault::MissingArgument)?;
    let (rest, before) =
        words_until(|word| word == "moves").parse(rest).map_err(|_| Fault::BadArgument)?;
    let start = match kind {
        "startpos" => Start::StartPos,
        "fen" if before.is_empty() => return Err(Fault::MissingArgument),
        "fen" => Start::Fen(before.join(" ")),
        _ => return Err(Fault::BadArgument),
    };
    // The first word is `moves`.
    let moves = rest.split_whitespace().skip(1).map(str::to_owned).collect();
    Ok(Command::Position { start, moves })
}

/// The words that `go` understands. A list of moves ends at the next of them.
const LIMITS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

/// A limit without a number is noted, not an error: a GUI that has said `go` waits for a `bestmove`.
fn go(arguments: &str) -> Go {
    let mut go = Go::default();
    let mut rest = arguments;
    while let Ok((after, name)) = word(rest) {
        rest = after;
        match name {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                let is_limit = |word: &str| LIMITS.contains(&word);
                if let Ok((after, moves)) = words_until(is_limit).parse(rest) {
                    go.searchmoves.extend(moves.into_iter().map(str::to_owned));
                    rest = after;
                }
            }
            name if LIMITS.contains(&name) => match word(rest) {
                Ok((after, number)) if limit(&mut go, name, number).is_some() => rest = after,
                _ => go.without_number.push(name.to_owned()),
            },
            _ => {}
        }
    }
    go
}

/// Sets a limit; `None` if its number cannot be read.
fn limit(go: &mut Go, name: &str, number: &str) -> Option<()> {
    match name {
        "wtime" => go.wtime = Some(millis(number)?),
        "btime" => go.btime = Some(millis(number)?),
        "winc" => go.winc = Some(millis(number)?),
        "binc" => go.binc = Some(millis(number)?),
        "movestogo" => go.movestogo = Some(count(number, u32::MAX)?),
        "depth" => go.depth = Some(count(number, u32::MAX)?),
        "nodes" => go.nodes = Some(count(number, u64::MAX)?),
        "mate" => go.mate = Some(count(number, u32::MAX)?),
        "movetime" => go.movetime = Some(millis(number)?),
        _ => {}
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn read(line: &str) -> Result<Command, Fault> {
        Command::parse(line.as_bytes()).map_err(|error| error.fault)
    }

    #[test]
    fn lines_print_as_they_are_read() {
        for line in [
            "",
            "uci",
            "debug on",
            "debug off",
            "isready",
            "setoption name Clear Hash",
            "setoption name Hash value 64",
            "setoption name Syzygy Path value /a b/c",
            "setoption name EvalFile value <empty>",
            "register later",
            "register name Stefan MK code 4359874324",
            "ucinewgame",
            "position startpos",
            "position startpos moves e2e4 e7e8q e1h1 P@e4",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1",
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 +0+0 moves e1e2",
            "go",
            "go infinite",
            "go ponder wtime 1000 winc 10 btime 2000 binc 20 movestogo 7",
            "go movetime 50",
            "go depth 12 nodes 100000 mate 3 searchmoves e2e4 d2d4",
            "stop",
            "ponderhit",
            "quit",
        ] {
            assert_eq!(read(line).unwrap().to_string(), line);
            assert_eq!(read(&format!("  {line}\t\r\n")).unwrap().to_string(), line);
        }
    }

    #[test]
    fn all_limits_in_any_order() {
        let ms = |millis| Some(Duration::from_millis(millis));
        let line = "go searchmoves e2e4 d2d4 infinite nodes 5 depth 4 mate 2 movetime 9 wtime -5 \
                    btime 7.5 winc 1 binc 2 movestogo 40 ponder";
        let go = Go {
            searchmoves: vec!["e2e4".to_owned(), "d2d4".to_owned()],
            ponder: true,
            wtime: ms(0),
            btime: ms(7),
            winc: ms(1),
            binc: ms(2),
            movestogo: Some(40),
            depth: Some(4),
            nodes: Some(5),
            mate: Some(2),
            movetime: ms(9),
            infinite: true,
            without_number: Vec::new(),
        };
        assert_eq!(read(line), Ok(Command::Go(go)));
    }

    #[test]
    fn limits_without_a_number() {
        for (line, same) in [
            ("go depth", "go depth"),
            ("go depth x nodes 5", "go nodes 5 depth"),
            ("go wtime None btime None winc 10", "go winc 10 wtime btime"),
            ("go wtime btime 1000", "go btime 1000 wtime"),
            ("go movetime infinite searchmoves e2e4", "go infinite movetime searchmoves e2e4"),
        ] {
            assert_eq!(read(line).unwrap().to_string(), same);
        }
    }

    #[test]
    fn unknown_words_are_skipped() {
        assert_eq!(read("joho debug on"), Ok(Command::Debug(true)));
        assert_eq!(read("go fast depth 3"), read("go depth 3"));
        assert_eq!(
            read("position startpos please moves e2e4"),
            read("position startpos moves e2e4")
        );
    }

    #[test]
    fn faults() {
        for (line, fault) in [
            ("joho", Fault::Unknown),
            ("e2e4", Fault::Unknown),
            ("debug", Fault::MissingArgument),
            ("debug perhaps", Fault::BadArgument),
            ("position", Fault::MissingArgument),
            ("position fen", Fault::MissingArgument),
            ("position fen moves e2e4", Fault::MissingArgument),
            ("position e2e4", Fault::BadArgument),
            ("setoption", Fault::MissingArgument),
            ("setoption Hash", Fault::BadArgument),
            ("setoption name value 3", Fault::MissingArgument),
        ] {
            assert_eq!(read(line), Err(fault), "{line}");
        }
        let error = Command::parse(b"debug \xff").unwrap_err();
        assert_eq!(error.to_string(), "bad argument: debug \u{fffd}");
    }

    #[test]
    fn values_of_options() {
        let value = |line: &str| match read(line) {
            Ok(Command::SetOption { value, .. }) => value,
            other => panic!("{other:?}"),
        };
        assert_eq!(value("setoption name A value value value"), Some("value value".to_owned()));
        assert_eq!(value("setoption name A value"), Some(String::new()));
        assert_eq!(value("setoption name A value <empty>"), Some(String::new()));
        assert_eq!(value("setoption name A"), None);
    }
}
