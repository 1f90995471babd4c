//! What a person types.

use std::time::Duration;

use super::screen;
use crate::play::Stage;
use crate::variants::VariantId;

/// One line of a person's input, understood.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Request<'a> {
    Nothing,
    Help,
    Draw,
    /// A new game, of the same variant if the line names no other.
    New(Option<VariantId>),
    /// Let the engine play the side to move from now on.
    Go,
    /// Let the person move for both sides.
    Both,
    Undo,
    Score,
    Fen,
    SetBoard(&'a str),
    Hint,
    Evaluate,
    /// Time for each of the engine's moves.
    Time(Duration),
    Stage(Stage),
    Resign,
    /// Go on in the protocol: the line came from a GUI.
    Protocol,
    Quit,
    Move(&'a str),
    /// A command with a missing or wrong argument, and how to write it.
    Incomplete(String),
}

/// The longest time a person may give the engine for a move.
const MAX_SECONDS: f64 = 3600.0;

impl Request<'_> {
    pub(super) fn parse(line: &str) -> Request<'_> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => Request::Nothing,
            "help" | "?" => Request::Help,
            "d" | "board" => Request::Draw,
            "new" | "variant" if rest.is_empty() => Request::New(None),
            "new" | "variant" => match VariantId::from_name(rest) {
                Some(variant) => Request::New(Some(variant)),
                None => Request::Incomplete(format!("new {}", screen::variants(" or new "))),
            },
            "go" => Request::Go,
            "both" | "force" => Request::Both,
            "undo" => Request::Undo,
            "score" | "moves" => Request::Score,
            "fen" => Request::Fen,
            "setboard" => Request::SetBoard(rest),
            "hint" => Request::Hint,
            "eval" => Request::Evaluate,
            "time" | "st" => match rest.parse::<f64>() {
                Ok(seconds) if seconds > 0.0 && seconds <= MAX_SECONDS => {
                    Request::Time(Duration::from_secs_f64(seconds))
                }
                _ => Request::Incomplete("time SECONDS, such as time 2.5".to_owned()),
            },
            "stage" => match rest.parse() {
                Ok(stage) => Request::Stage(stage),
                Err(_) => Request::Incomplete(format!("stage {}", screen::stages(" or stage "))),
            },
            "resign" => Request::Resign,
            "xboard" => Request::Protocol,
            "quit" | "exit" | "q" => Request::Quit,
            name => match VariantId::from_name(name) {
                Some(variant) => Request::New(Some(variant)),
                None => Request::Move(line),
            },
        }
    }
}

/// Other spellings of a move: without number, blanks and dots, in lower case, with and without a
/// capital for the piece.
pub(super) fn spellings(text: &str) -> [String; 2] {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() && text.contains('.'));
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '.').collect();
    let lower = plain.to_ascii_lowercase();
    let mut with_piece = lower.clone();
    if let Some(piece) = with_piece.get_mut(..1) {
        piece.make_ascii_uppercase();
    }
    [lower, with_piece]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_commands_and_the_rest_are_moves() {
        assert_eq!(Request::parse("  d \r\n"), Request::Draw);
        assert_eq!(Request::parse("new 3check"), Request::New(Some(VariantId::ThreeCheck)));
        assert_eq!(Request::parse("time 0.5"), Request::Time(Duration::from_millis(500)));
        assert_eq!(Request::parse("Nf3"), Request::Move("Nf3"));
        assert_eq!(Request::parse("d4"), Request::Move("d4"));
        assert_eq!(Request::parse("New 3check"), Request::New(Some(VariantId::ThreeCheck)));
        assert_eq!(Request::parse("3check"), Request::New(Some(VariantId::ThreeCheck)));
    }

    #[test]
    fn half_commands_say_what_is_missing() {
        for line in ["time", "time -1", "time inf", "time NaN", "stage", "new atomic"] {
            assert!(matches!(Request::parse(line), Request::Incomplete(_)), "{line}");
        }
    }
}
