//! What a person types.

use std::time::Duration;

use super::chess_clock::read_time_control;
use super::screen;
use crate::play::TimeControl;
use crate::play::{GREATEST_LIMITED_ELO, SkillLevel, Stage};
use crate::types::Color;
use crate::variants::VariantId;

/// One line of a person's input, understood.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Request<'a> {
    Nothing,
    Help,
    ShowBoard,
    /// Turn the board round.
    Flip,
    /// A new game, of the same variant if the line names no other.
    New(Option<VariantId>),
    /// A new game of this variant, with the coach.
    Lesson(VariantId),
    /// The games that there are.
    Games,
    /// Let the engine play the side to move from now on.
    Go,
    /// The person plays this side, the engine the other.
    Side(Color),
    /// Let the person move for both sides.
    Both,
    Undo,
    /// The moves of the game.
    Score,
    Pgn,
    /// Append the game to this file.
    Save(&'a str),
    LegalMoves,
    Rules,
    Fen,
    SetBoard(&'a str),
    Hint,
    /// Set up the puzzle with this number, or the next one.
    Puzzle(Option<usize>),
    /// Give the answer of the puzzle.
    Solution,
    /// Judge the person's moves or keep quiet.
    UseCoach(bool),
    /// Say when a move of the engine was a mistake.
    TellMistakes(bool),
    /// What was good or bad about the person's last move.
    Explain,
    /// The move that was better, on the board.
    ShowBetter,
    /// How the person's last move is punished, on the board.
    ShowPunishment,
    /// The contested squares.
    ShowHeat {
        is_whole_game: bool,
    },
    /// Show the moves of the book.
    ShowBook,
    /// Play with the book or without it.
    UseBook(bool),
    /// Play with the book in this file.
    OpenBook(&'a str),
    Evaluate,
    /// Time for each of the engine's moves.
    Time(Duration),
    /// A clock for both sides; `None` for a game without a clock.
    Clock(Option<TimeControl>),
    Stage(Stage),
    Level(SkillLevel),
    /// A strength that follows the person's results.
    Adaptive(Adaptive),
    /// In Elo; 0 leaves the strength to the level.
    Strength(u32),
    Castle,
    OfferDraw,
    Resign,
    /// The engine does not think, so it cannot be told to move.
    MoveNow,
    /// Go on in the protocol: the line came from a GUI.
    Protocol(&'static str),
    Quit,
    Move(&'a str),
    /// A command with a missing or wrong argument, and how to write it.
    Incomplete(String),
}

/// What the person wants of the adaptive level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Adaptive {
    On,
    Off,
    /// Forget the results so far, and begin anew.
    Reset,
}

/// The words that begin a command, for completion.
pub(super) const WORDS: [&str; 41] = [
    "adaptive",
    "back",
    "better",
    "black",
    "board",
    "book",
    "both",
    "castle",
    "clock",
    "coach",
    "draw",
    "eval",
    "fen",
    "flip",
    "games",
    "go",
    "heat",
    "help",
    "hint",
    "legal",
    "level",
    "mistakes",
    "new",
    "pgn",
    "punishment",
    "puzzle",
    "quit",
    "resign",
    "rules",
    "save",
    "score",
    "setboard",
    "solution",
    "stage",
    "strength",
    "time",
    "uci",
    "undo",
    "white",
    "why",
    "xboard",
];

/// Commands with their arguments, for completion.
pub(super) fn phrases() -> impl Iterator<Item = String> {
    let arguments = |command: &'static str, words: Vec<&'static str>| {
        words.into_iter().map(move |word| format!("{command} {word}"))
    };
    let variants = VariantId::ALL.iter().map(|variant| variant.name()).collect();
    arguments("level", SkillLevel::ALL.map(SkillLevel::name).to_vec())
        .chain(arguments("stage", Stage::ALL.map(Stage::name).to_vec()))
        .chain(arguments("new", variants))
        .chain(arguments("coach", vec!["on", "off"]))
        .chain(arguments("adaptive", vec!["on", "off", "reset"]))
        .chain(arguments("mistakes", vec!["on", "off"]))
        .chain(arguments("book", vec!["on", "off"]))
        .chain(arguments("heat", vec!["position", "game"]))
        .chain(arguments("castle", vec!["short", "long"]))
        .chain(arguments("clock", vec!["off"]))
}

/// The file for saved games, if the person names none.
const GAMES_FILE: &str = "trebuchet.pgn";

/// The longest time a person may give the engine for a move.
const MAX_SECONDS: f64 = 3600.0;

impl Request<'_> {
    /// Does the person go on with something else than the puzzle on the board?
    pub(super) const fn leaves_puzzle(&self) -> bool {
        matches!(
            self,
            Request::Go
                | Request::Side(_)
                | Request::Both
                | Request::Undo
                | Request::OfferDraw
                | Request::Resign
        )
    }

    /// Does this ask the engine or the coach about the position? Their answer takes nobody's time.
    pub(super) const fn is_question(&self) -> bool {
        matches!(
            self,
            Request::Hint
                | Request::Explain
                | Request::ShowBetter
                | Request::ShowPunishment
                | Request::ShowHeat { .. }
                | Request::Evaluate
        )
    }

    /// Is it too late for this if the time of the side to move is up?
    pub(super) const fn needs_time(&self) -> bool {
        matches!(
            self,
            Request::Go
                | Request::Side(_)
                | Request::Both
                | Request::OfferDraw
                | Request::Resign
                | Request::Clock(_)
        )
    }

    pub(super) fn parse(line: &str) -> Request<'_> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => Request::Nothing,
            "help" | "?" => Request::Help,
            "d" | "board" | "show" => Request::ShowBoard,
            "flip" => Request::Flip,
            "new" | "variant" if rest.is_empty() => Request::New(None),
            "new" | "variant" => Request::of_game(rest).unwrap_or_else(|| {
                Request::Incomplete("new NAME, such as new 3check; games lists them".to_owned())
            }),
            "games" => Request::Games,
            "go" => Request::Go,
            "white" => Request::Side(Color::White),
            "black" => Request::Side(Color::Black),
            "both" | "force" => Request::Both,
            "undo" | "back" | "takeback" => Request::Undo,
            "score" | "moves" => Request::Score,
            "pgn" => Request::Pgn,
            "save" if rest.is_empty() => Request::Save(GAMES_FILE),
            "save" => Request::Save(rest),
            "legal" => Request::LegalMoves,
            "rules" => Request::Rules,
            "fen" => Request::Fen,
            "setboard" => Request::SetBoard(rest),
            "hint" => Request::Hint,
            "puzzle" | "puzzles" if rest.is_empty() => Request::Puzzle(None),
            "puzzle" | "puzzles" => match rest.parse() {
                Ok(number) => Request::Puzzle(Some(number)),
                Err(_) => Request::Incomplete("puzzle NUMBER, such as puzzle 12".to_owned()),
            },
            "solution" if rest.is_empty() => Request::Solution,
            "coach" => match rest {
                "" | "on" => Request::UseCoach(true),
                "off" => Request::UseCoach(false),
                _ => Request::Incomplete("coach on or coach off".to_owned()),
            },
            "mistakes" => match rest {
                "" | "on" => Request::TellMistakes(true),
                "off" => Request::TellMistakes(false),
                _ => Request::Incomplete("mistakes on or mistakes off".to_owned()),
            },
            "why" if rest.is_empty() => Request::Explain,
            "better" if rest.is_empty() => Request::ShowBetter,
            "punishment" | "punish" if rest.is_empty() => Request::ShowPunishment,
            "heat" => match rest {
                "" | "position" => Request::ShowHeat { is_whole_game: false },
                "game" => Request::ShowHeat { is_whole_game: true },
                _ => Request::Incomplete("heat or heat game".to_owned()),
            },
            "book" | "bk" => match rest {
                "" => Request::ShowBook,
                "on" => Request::UseBook(true),
                "off" => Request::UseBook(false),
                file => Request::OpenBook(file),
            },
            "eval" => Request::Evaluate,
            "time" | "st" => match rest.parse::<f64>() {
                Ok(seconds) if seconds > 0.0 && seconds <= MAX_SECONDS => {
                    Request::Time(Duration::from_secs_f64(seconds))
                }
                _ => Request::Incomplete("time SECONDS, such as time 2.5".to_owned()),
            },
            "adaptive" => match rest {
                "" | "on" => Request::Adaptive(Adaptive::On),
                "off" => Request::Adaptive(Adaptive::Off),
                "reset" => Request::Adaptive(Adaptive::Reset),
                _ => Request::Incomplete("adaptive, adaptive off or adaptive reset".to_owned()),
            },
            "level" if let Ok(level) = rest.parse() => Request::Level(level),
            "level" if !rest.starts_with(|c: char| c.is_ascii_digit()) && rest != "off" => {
                Request::Incomplete(format!("level NAME: {}", screen::levels()))
            }
            "strength" => match rest.parse() {
                Ok(elo) if elo <= GREATEST_LIMITED_ELO => Request::Strength(elo),
                _ => Request::Incomplete(format!(
                    "strength ELO, such as strength 1200, up to {GREATEST_LIMITED_ELO}; strength 0 goes \
                     back to the level"
                )),
            },
            "clock" | "level" if rest.eq_ignore_ascii_case("off") => Request::Clock(None),
            "clock" | "level" => match read_time_control(rest) {
                Some(level) => Request::Clock(Some(level)),
                None => Request::Incomplete(
                    "clock MINUTES+SECONDS, such as clock 5+3, or clock off".to_owned(),
                ),
            },
            "stage" => match rest.parse() {
                Ok(stage) => Request::Stage(stage),
                Err(_) => Request::Incomplete(format!("stage NAME: {}", screen::stages())),
            },
            "castle" if rest.is_empty() => Request::Castle,
            "castle" => match rest.to_ascii_lowercase().as_str() {
                "short" | "kingside" | "king" | "k" => Request::Move("O-O"),
                "long" | "queenside" | "queen" | "q" => Request::Move("O-O-O"),
                _ => Request::Incomplete("castle short or castle long".to_owned()),
            },
            "draw" => Request::OfferDraw,
            "resign" => Request::Resign,
            "xboard" => Request::Protocol("xboard\n"),
            "uci" => Request::Protocol("uci\n"),
            _ if is_farewell(line) => Request::Quit,
            "now" if rest.is_empty() => Request::MoveNow,
            _ => Request::of_game(line).unwrap_or(Request::Move(line)),
        }
    }

    /// A new game by its name or by that of its lesson.
    fn of_game(name: &str) -> Option<Request<'_>> {
        let lesson = VariantId::from_lesson(&name.to_ascii_lowercase()).map(Request::Lesson);
        lesson.or_else(|| VariantId::from_any_name(name).map(|it| Request::New(Some(it))))
    }
}

/// Does this line, typed while the engine thinks, tell it to move?
#[cfg(unix)]
pub(super) fn is_move_now(line: &str) -> bool {
    matches!(line.trim(), "" | "?" | "now")
}

/// Does this line end the program?
pub(super) fn is_farewell(line: &str) -> bool {
    ["quit", "exit", "q", "bye"].iter().any(|word| line.trim().eq_ignore_ascii_case(word))
}

/// Other spellings of a move: without number, blanks and dots, in lower case, with and without a
/// capital for the piece. A `B` before small letters is a bishop, never the pawn of the b-file.
pub(super) fn spellings(text: &str) -> [String; 2] {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() && text.contains('.'));
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '.').collect();
    let lower = plain.to_ascii_lowercase();
    let mut with_piece = lower.clone();
    if let Some(piece) = with_piece.get_mut(..1) {
        piece.make_ascii_uppercase();
    }
    let is_bishop = plain.starts_with('B') && plain.contains(|c: char| c.is_ascii_lowercase());
    [if is_bishop { with_piece.clone() } else { lower }, with_piece]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_commands_and_the_rest_are_moves() {
        assert_eq!(Request::parse("  d \r\n"), Request::ShowBoard);
        assert_eq!(Request::parse("new 3check"), Request::New(Some(VariantId::ThreeCheck)));
        assert_eq!(Request::parse("time 0.5"), Request::Time(Duration::from_millis(500)));
        assert_eq!(Request::parse("Nf3"), Request::Move("Nf3"));
        assert_eq!(Request::parse("d4"), Request::Move("d4"));
        assert_eq!(Request::parse("New 3check"), Request::New(Some(VariantId::ThreeCheck)));
        assert_eq!(Request::parse("3check"), Request::New(Some(VariantId::ThreeCheck)));
    }

    #[test]
    fn a_bishop_is_never_taken_for_a_pawn() {
        assert_eq!(spellings("5. Bb3"), ["Bb3", "Bb3"]);
        assert_eq!(spellings("B x c4"), ["Bxc4", "Bxc4"]);
        assert_eq!(spellings("BXC4"), ["bxc4", "Bxc4"]);
        assert_eq!(spellings("nf3"), ["nf3", "Nf3"]);
        assert_eq!(spellings("12. NF3"), ["nf3", "Nf3"]);
    }

    #[test]
    fn beginners_words_are_understood() {
        use VariantId::{Chess960, KingOfTheHill, Standard, ThreeCheck};
        for (line, variant) in [
            ("new chess", Standard),
            ("new standard", Standard),
            ("new Three-Check", ThreeCheck),
            ("new three_check", ThreeCheck),
            ("new wild/fr", Chess960),
            ("new king of the hill", KingOfTheHill),
            ("variant koth", KingOfTheHill),
            ("new 960", Chess960),
            ("chess960", Chess960),
        ] {
            assert_eq!(Request::parse(line), Request::New(Some(variant)), "{line}");
        }
        for line in ["teach3", "Teach3", "new teach3"] {
            assert_eq!(Request::parse(line), Request::Lesson(ThreeCheck), "{line}");
        }
        for (line, expected) in [
            ("takeback", Request::Undo),
            ("back", Request::Undo),
            ("White", Request::Side(Color::White)),
            ("black", Request::Side(Color::Black)),
            ("flip", Request::Flip),
            ("draw", Request::OfferDraw),
            ("castle", Request::Castle),
            ("castle queenside", Request::Move("O-O-O")),
            ("save", Request::Save("trebuchet.pgn")),
            ("save My Game.pgn", Request::Save("My Game.pgn")),
            ("book", Request::ShowBook),
            ("book off", Request::UseBook(false)),
            ("coach", Request::UseCoach(true)),
            ("coach off", Request::UseCoach(false)),
            ("heat game", Request::ShowHeat { is_whole_game: true }),
            ("book My Book.bin", Request::OpenBook("My Book.bin")),
            ("level off", Request::Clock(None)),
            ("clock 5+3", Request::Clock(read_time_control("5 3"))),
            ("level 0 5 3", Request::Clock(read_time_control("5 3"))),
            ("level Beginner", Request::Level(SkillLevel::Beginner)),
            ("strength 1500", Request::Strength(1500)),
            ("puzzles 2", Request::Puzzle(Some(2))),
            ("now", Request::MoveNow),
            ("e2 e4", Request::Move("e2 e4")),
            ("Q", Request::Quit),
        ] {
            assert_eq!(Request::parse(line), expected, "{line}");
        }
        for word in WORDS {
            let request = Request::parse(word);
            assert!(!matches!(request, Request::Move(_)), "{word}: {request:?}");
        }
    }

    #[test]
    fn phrases_are_whole_commands() {
        for phrase in phrases() {
            let request = Request::parse(&phrase);
            assert!(
                !matches!(request, Request::Incomplete(_) | Request::Move(_))
                    || phrase.starts_with("castle"),
                "{phrase}: {request:?}"
            );
        }
    }

    #[test]
    fn half_commands_say_what_is_missing() {
        for line in [
            "time",
            "time -1",
            "time inf",
            "time NaN",
            "stage",
            "new shogi",
            "clock",
            "castle up",
            "heat up",
            "puzzle hard",
        ] {
            assert!(matches!(Request::parse(line), Request::Incomplete(_)), "{line}");
        }
    }
}
