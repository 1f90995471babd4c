//! Resuming a match: reads the games of an earlier run from its PGN file.

use std::collections::HashSet;
use std::ops::Range;

use super::ending::Forfeit;
use super::openings::Opening;
use super::record::FORFEIT_TAG;
use super::schedule::{Schedule, Slot};
use trebuchet::board::{Position, Rules};
use trebuchet::notation::pgn::{self, PgnGame};
use trebuchet::types::GameResult;
use trebuchet::types::{Color, Move};

/// A game of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastGame {
    pub slot: Slot,
    pub result: GameResult,
    pub forfeit: Option<(Color, Forfeit)>,
}

/// What an earlier run left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastGames {
    /// The games that count.
    pub games: Vec<PastGame>,
    /// The numbers in the file, counted from 1, of games that are cut off and followed by others. They
    /// stay in the file.
    pub cut: Vec<usize>,
    /// The length of the text in bytes, without a part of a game at its end.
    pub whole: usize,
    /// What must be written before the next game.
    pub separator: &'static str,
}

/// A game of the file that does not belong to this match.
#[derive(Debug, thiserror::Error)]
#[error("game {number} of the file ({white} - {black}, round {round}) is not of this match: {why}")]
pub struct ForeignGame {
    number: usize,
    white: String,
    black: String,
    round: String,
    why: &'static str,
}

/// The first tag of a game.
const FIRST_TAG: &[u8] = b"[Event \"";

/// Reads the finished games of an earlier run. `opening` returns the opening of a pair of games.
///
/// A run may end while it writes a game, for example because the disk is full. A game counts only if its
/// result follows its moves.
///
/// # Errors
/// If a game does not belong to this match.
pub fn read_past<R: Rules>(
    text: &[u8],
    names: &[String],
    schedule: &Schedule,
    opening: impl Fn(usize) -> Opening,
) -> Result<PastGames, ForeignGame> {
    let mut past = PastGames { whole: text.len(), ..PastGames::default() };
    let mut slots = HashSet::new();
    let mut number = 0;
    for range in split_games(text) {
        let part = &text[range.clone()];
        // The end may also cut a character.
        let games: Vec<PgnGame> = pgn::read(&String::from_utf8_lossy(part)).collect();
        let is_last = range.end == text.len();
        if is_last && is_part_of_game(part, &games) {
            past.whole = range.start;
            break;
        }
        for game in games {
            number += 1;
            let foreign = |why| ForeignGame::new(number, &game, why);
            if is_cut_off(&game) {
                if is_last {
                    return Err(foreign("it is cut off"));
                }
                past.cut.push(number);
                continue;
            }
            let Some(game) = read_game::<R>(&game, names, schedule, &opening).map_err(foreign)?
            else {
                continue;
            };
            if !slots.insert(game.slot) {
                return Err(foreign("the file has it twice"));
            }
            past.games.push(game);
        }
    }
    past.separator = match &text[..past.whole] {
        [] | [.., b'\n', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    };
    Ok(past)
}

/// The parts of the text, each with a game. A game begins after an empty line, or with its first two tags
/// wherever they stand: an earlier run may have appended it to a game that is cut off.
fn split_games(text: &[u8]) -> Vec<Range<usize>> {
    let begins = |at: &usize| {
        let rest = &text[*at..];
        let mut lines = rest.split(|&byte| byte == b'\n');
        text[..*at].ends_with(b"\n\n") && rest.starts_with(b"[")
            || rest.starts_with(FIRST_TAG)
                && lines.next().is_some_and(|line| line.ends_with(b"\"]"))
                && lines.next().is_some_and(|line| line.starts_with(b"[Site \""))
    };
    let mut starts: Vec<usize> = (1..text.len()).filter(begins).collect();
    starts.insert(0, 0);
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| start..end)
        .filter(|range| !range.is_empty())
        .collect()
}

/// Is this the beginning of one game, as a match writes it, and nothing else?
fn is_part_of_game(text: &[u8], games: &[PgnGame]) -> bool {
    let is_ours = text.starts_with(FIRST_TAG) || FIRST_TAG.starts_with(text);
    is_ours && matches!(games, [] | [_]) && games.iter().all(is_cut_off)
}

/// Is there no result after the moves, although the tags have one, or not even that?
fn is_cut_off(game: &PgnGame) -> bool {
    game.result == GameResult::Unfinished
        && game.tag("Result") != Some(GameResult::Unfinished.token())
}

impl ForeignGame {
    fn new(number: usize, game: &PgnGame, why: &'static str) -> ForeignGame {
        let tag = |name: &str| game.tag(name).unwrap_or_default().to_owned();
        ForeignGame { number, white: tag("White"), black: tag("Black"), round: tag("Round"), why }
    }
}

/// The game as one of this match; `None` if it has not been finished.
fn read_game<R: Rules>(
    game: &PgnGame,
    names: &[String],
    schedule: &Schedule,
    opening: impl Fn(usize) -> Opening,
) -> Result<Option<PastGame>, &'static str> {
    let tag = |name: &str| game.tag(name).unwrap_or_default();
    let result = GameResult::from_token(tag("Result")).ok_or("it has no result")?;
    if result != game.result {
        return Err("it has two results");
    }
    if result == GameResult::Unfinished {
        return Ok(None);
    }
    let player = |color| names.iter().position(|name| name == tag(color)).ok_or("no such player");
    let (white, black) = (player("White")?, player("Black")?);
    let pair = tag("Round").split('.').next().and_then(|pair| pair.parse::<usize>().ok());
    let slot = pair
        .and_then(|pair| pair.checked_sub(1))
        .and_then(|pair| schedule.find(pair, white, black))
        .ok_or("no such round")?;
    let (start, moves) = game.replay::<R>().map_err(|_| "it has an illegal move")?;
    if !begins_with(game, &start, &moves, &opening(slot.pair)) {
        return Err("its opening is another");
    }
    Ok(Some(PastGame { slot, result, forfeit: read_forfeit(tag(FORFEIT_TAG)) }))
}

/// The value of [`FORFEIT_TAG`].
fn read_forfeit(tag: &str) -> Option<(Color, Forfeit)> {
    let (color, forfeit) = tag.split_once(": ")?;
    let color = Color::ALL.into_iter().find(|side| side.to_string() == color)?;
    Some((color, Forfeit::ALL.into_iter().find(|known| known.name() == forfeit)?))
}

/// Does the game begin with exactly this opening? Only moves of the opening have no comment, except
/// that the reason of the end is a comment on the last move, which may be one of the opening.
fn begins_with<R: Rules>(
    game: &pgn::PgnGame,
    start: &Position<R>,
    moves: &[Move],
    opening: &Opening,
) -> bool {
    let bare = game.moves.iter().take_while(|mv| mv.comment.is_none()).count();
    let length = opening.moves.len();
    start.fen() == opening.start::<R>().fen()
        && moves.starts_with(&opening.moves)
        && (bare == length || moves.len() == length && bare + 1 == length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::arena::engines::{EngineLimits, Thought};
    use crate::arena::matches::ending::GameEnding;
    use crate::arena::matches::game::{PlayedGame, PlayedMove, Source};
    use crate::arena::matches::openings::Openings;
    use crate::arena::matches::record::{Header, write};
    use crate::arena::matches::schedule::Tournament;
    use trebuchet::notation::parse_move;
    use trebuchet::types::{Outcome, Reason, Score};
    use trebuchet::variants::{Standard, ThreeCheck};

    const OPENING: &str =
        "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 3+3 0 2 moves f3 e5;";

    fn played(texts: &[&str], opening_plies: usize) -> PlayedGame {
        let mut position = Position::<ThreeCheck>::start();
        let moves = texts.iter().enumerate().map(|(ply, text)| {
            let mv = parse_move(&position, text).unwrap();
            position.make_move(mv);
            let thought = Some(Thought { score: Score::cp(31), depth: 12, nodes: 5 });
            let by = if ply < opening_plies {
                Source::Opening
            } else {
                Source::Player { elapsed: Duration::from_millis(450), thought }
            };
            PlayedMove { san: (*text).to_owned(), by }
        });
        let moves = moves.collect();
        let ending = GameEnding::Rules(Outcome::win(Color::Black, Reason::Checkmate));
        PlayedGame { first_to_move: Color::White, moves, ending, usable: [true; 2] }
    }

    #[test]
    fn games_are_written_with_scores_and_read_as_past() {
        let limits = EngineLimits { pace: "5+0.05".parse().unwrap(), ..EngineLimits::default() };
        let Openings::List(openings) = Openings::from_epd::<ThreeCheck>(OPENING, "test").unwrap()
        else {
            panic!()
        };
        let opening = openings[0].clone();
        let header = Header {
            event: "test",
            slot: Slot { pair: 2, pairing: 0, swapped: true },
            names: ["b", "a"],
            limits: [&limits; 2],
            opening: &opening,
            duration: Duration::from_secs(2),
        };
        let text =
            write::<ThreeCheck>(&header, &played(&["f3", "e5", "g4", "Qh4#"], 2)).to_string();
        for part in [
            "[Round \"3.2\"]",
            "[Variant \"3check\"]",
            "[TimeControl \"5+0.05\"]",
            "[Termination \"normal\"]",
            "1. f3 e5 2. g4 {+0.31/12 0.450s} 2... Qh4# {+0.31/12 0.450s, Black mates} 0-1",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        let names = ["a".to_owned(), "b".to_owned()];
        let schedule = Schedule::new(2, Tournament::RoundRobin, 6);
        let read = |text: &str| {
            read_past::<ThreeCheck>(text.as_bytes(), &names, &schedule, |_| opening.clone())
        };
        assert_eq!(
            read(&text).unwrap().games,
            [PastGame { slot: header.slot, result: GameResult::Win(Color::Black), forfeit: None }]
        );

        let faulty = text.replace("[Termination", "[Fault \"White: stalls\"]\n[Termination");
        assert_eq!(read(&faulty).unwrap().games[0].forfeit, Some((Color::White, Forfeit::Stall)));

        let wrong = |text: &str, schedule: &Schedule, opening: &Opening| {
            read_past::<ThreeCheck>(text.as_bytes(), &names, schedule, |_| opening.clone())
                .unwrap_err()
                .to_string()
        };
        let other = Openings::Random { plies: 3, seed: 1 }.get::<ThreeCheck>(0);
        assert!(wrong(&text, &schedule, &other).contains("its opening is another"));
        let shorter = Opening { moves: opening.moves[..1].to_vec(), ..opening.clone() };
        assert!(wrong(&text, &schedule, &shorter).contains("its opening is another"));
        assert!(
            wrong(&text, &Schedule::new(2, Tournament::RoundRobin, 4), &opening)
                .contains("no such round")
        );
        assert!(wrong(&text.repeat(2), &schedule, &opening).contains("twice"));
        assert!(
            wrong(&text.replace("\"a\"", "\"c\""), &schedule, &opening).contains("no such player")
        );
        let unfinished = text.replace("0-1", "*");
        assert_eq!(
            read_past::<Standard>(unfinished.as_bytes(), &names, &schedule, |_| opening.clone())
                .unwrap()
                .games,
            []
        );
        let twofold = text.replace("\"0-1\"", "\"1-0\"");
        assert!(wrong(&twofold, &schedule, &opening).contains("two results"));
    }

    /// A run that ends while it writes the second of two games may leave any part of it.
    #[test]
    fn a_game_counts_when_its_result_follows_its_moves() {
        let (names, schedule, opening, games) = two_games();
        let read = |text: &[u8]| {
            read_past::<ThreeCheck>(text, &names, &schedule, |_| opening.clone()).unwrap()
        };
        let text = games.concat();
        let first = games[0].len();
        // The result without the two line breaks after it is a whole game.
        let second = text.len() - 2;
        for length in 0..=text.len() {
            let past = read(&text.as_bytes()[..length]);
            let (count, whole) = match length {
                _ if length < first - 2 => (0, 0),
                _ if length <= first => (1, length),
                _ if length < second => (1, first),
                _ => (2, length),
            };
            let found = (past.games.len(), past.whole, past.cut.len());
            assert_eq!(found, (count, whole, 0), "{length}");
            // Whatever a run leaves, the next one writes a file that is whole again.
            let repaired = text[..past.whole].to_owned() + past.separator;
            assert!(repaired.is_empty() || repaired.ends_with("0-1\n\n"), "{length}");
            let rest = games[count..].concat();
            assert_eq!(repaired + &rest, text, "{length}");
        }
    }

    /// Earlier versions appended the next game to one that was cut off.
    #[test]
    fn a_game_that_is_cut_off_does_not_hide_the_next() {
        let (names, schedule, opening, [first, second]) = two_games();
        for length in 1..first.len() - 2 {
            let text = [&first.as_bytes()[..length], second.as_bytes()].concat();
            let past =
                read_past::<ThreeCheck>(&text, &names, &schedule, |_| opening.clone()).unwrap();
            assert_eq!(past.games.len(), 1, "{length}");
            assert!(past.games[0].slot.swapped, "{length}");
            assert_eq!((past.whole, past.separator), (text.len(), ""));
            // What is not even a tag is no game.
            let has_tag = length >= first.find('\n').unwrap();
            assert_eq!(past.cut, [1][..usize::from(has_tag)], "{length}");
        }
    }

    /// The user may have named a wrong file.
    #[test]
    fn only_a_part_of_a_game_is_removed() {
        let (names, schedule, opening, [first, _]) = two_games();
        for other in ["my notes", "e4 is best", "1. e4 e5 2. Nf3", "[White \"x\"]\n\n1. e4"] {
            for text in [other.to_owned(), format!("{first}{other}")] {
                let past = read_past::<ThreeCheck>(text.as_bytes(), &names, &schedule, |_| {
                    opening.clone()
                });
                assert!(past.is_err() || past.is_ok_and(|past| past.whole == text.len()), "{text}");
            }
        }
    }

    /// Names, schedule and opening of a match, and the first two games of its file.
    fn two_games() -> ([String; 2], Schedule, Opening, [String; 2]) {
        let limits = EngineLimits::default();
        let Openings::List(mut openings) =
            Openings::from_epd::<ThreeCheck>(OPENING, "test").unwrap()
        else {
            panic!()
        };
        let opening = openings.remove(0);
        let game = |swapped, names| {
            let slot = Slot { pair: 0, pairing: 0, swapped };
            let (duration, limits) = (Duration::ZERO, [&limits; 2]);
            let header =
                Header { event: "1-0 \u{e9}", slot, names, limits, opening: &opening, duration };
            write::<ThreeCheck>(&header, &played(&["f3", "e5", "g4", "Qh4#"], 2)).to_string()
        };
        let games = [game(false, ["a", "b"]), game(true, ["b", "a"])];
        let names = ["a".to_owned(), "b".to_owned()];
        (names, Schedule::new(2, Tournament::RoundRobin, 2), opening, games)
    }
}
