//! How the lines of an engine are read.

use super::grammar::{line_text, tidy, word};
use super::info::Info;
use super::option::Declaration;
use super::reply::{NO_MOVE, Reply};

impl Reply {
    /// Reads a line, with or without its end. Every line is a reply: a line that is not understood is
    /// [`Reply::Other`].
    pub fn parse(line: &[u8]) -> Reply {
        let text = line_text(line);
        if text.is_empty() {
            return Reply::Blank;
        }
        match word(&text) {
            Ok((arguments, name)) => {
                reply(name, arguments).unwrap_or_else(|| Reply::Other(text.clone()))
            }
            Err(_) => Reply::Other(text),
        }
    }
}

/// The reply with this first word; `None` if there is none, or its arguments make no sense.
fn reply(name: &str, arguments: &str) -> Option<Reply> {
    Some(match name {
        "id" => return id(arguments),
        "option" => Reply::Option(Declaration::parse(arguments)?),
        "uciok" => Reply::UciOk,
        "readyok" => Reply::ReadyOk,
        "info" => Reply::Info(Box::new(Info::parse(arguments))),
        "bestmove" => best_move(arguments),
        "copyprotection" => Reply::CopyProtection(something(arguments)?),
        "registration" => Reply::Registration(something(arguments)?),
        _ => return None,
    })
}

fn something(text: &str) -> Option<String> {
    Some(tidy(text)).filter(|text| !text.is_empty())
}

fn id(arguments: &str) -> Option<Reply> {
    let (text, kind) = word(arguments).ok()?;
    match kind {
        "name" => something(text).map(Reply::Name),
        "author" => something(text).map(Reply::Author),
        _ => None,
    }
}

/// `bestmove e2e4 ponder e7e5`
fn best_move(arguments: &str) -> Reply {
    let mut words = arguments.split_whitespace();
    let is_move = |mv: &&str| !NO_MOVE.contains(mv);
    let mv = words.next().filter(is_move).map(str::to_owned);
    let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
    Reply::BestMove { mv, ponder: ponder.filter(is_move).map(str::to_owned) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Reply {
        Reply::parse(line.as_bytes())
    }

    #[test]
    fn lines_print_as_they_are_read() {
        for line in [
            "",
            "id name Stockfish 17",
            "id author the Stockfish developers",
            "option name Hash type spin default 16 min 1 max 1024",
            "uciok",
            "readyok",
            "info depth 1 score cp 3 pv e2e4",
            "bestmove e2e4",
            "bestmove e2e4 ponder e7e5",
            "bestmove (none)",
            "copyprotection checking",
            "registration error",
        ] {
            assert_eq!(read(line).to_string(), line);
            assert_eq!(read(&format!(" {line} \r\n")).to_string(), line);
            assert!(!matches!(read(line), Reply::Other(_)), "{line}");
        }
    }

    #[test]
    fn best_moves_may_be_missing() {
        let nothing = Reply::BestMove { mv: None, ponder: None };
        for line in ["bestmove", "bestmove 0000", "bestmove (none) ponder (none)"] {
            assert_eq!(read(line), nothing, "{line}");
        }
        let mv = Reply::BestMove { mv: Some("e2e4".to_owned()), ponder: None };
        for line in ["bestmove e2e4 ponder", "bestmove e2e4 or d2d4", "bestmove e2e4 ponder 0000"] {
            assert_eq!(read(line), mv, "{line}");
        }
    }

    #[test]
    fn chatter_is_no_reply() {
        for line in
            ["Stockfish 17 by the Stockfish developers", "id", "id name", "option", "uciokay"]
        {
            assert_eq!(read(line), Reply::Other(line.to_owned()));
        }
        assert!(matches!(Reply::parse(b"\xff\xfe\x1b[0m"), Reply::Other(_)));
    }
}
