//! Resuming a match: reads the games of an earlier run from its PGN file.

use super::ending::Forfeit;
use super::openings::Opening;
use super::record::FORFEIT_TAG;
use super::schedule::{Schedule, Slot};
use crate::board::{Position, Rules};
use crate::notation::pgn;
use crate::types::GameResult;
use crate::types::{Color, Move};

/// A game of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastGame {
    pub slot: Slot,
    pub result: GameResult,
    pub forfeit: Option<(Color, Forfeit)>,
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

/// Reads the finished games of an earlier run. `opening` returns the opening of a pair of games.
///
/// # Errors
/// If a game does not belong to this match.
pub fn read_past<R: Rules>(
    text: &str,
    names: &[String],
    schedule: &Schedule,
    opening: impl Fn(usize) -> Opening,
) -> Result<Vec<PastGame>, ForeignGame> {
    let mut past: Vec<PastGame> = Vec::new();
    for (index, game) in pgn::read(text).enumerate() {
        let tag = |name: &str| game.tag(name).unwrap_or_default().to_owned();
        let foreign = |why| ForeignGame {
            number: index + 1,
            white: tag("White"),
            black: tag("Black"),
            round: tag("Round"),
            why,
        };
        let result =
            GameResult::from_token(&tag("Result")).ok_or_else(|| foreign("it has no result"))?;
        if result == GameResult::Unfinished {
            continue;
        }
        let player = |color: &'static str| {
            names
                .iter()
                .position(|name| *name == tag(color))
                .ok_or_else(|| foreign("no such player"))
        };
        let (white, black) = (player("White")?, player("Black")?);
        let round = tag("Round");
        let pair = round
            .split('.')
            .next()
            .and_then(|pair| pair.parse::<usize>().ok())
            .and_then(|pair| pair.checked_sub(1));
        let slot = pair
            .and_then(|pair| schedule.find(pair, white, black))
            .ok_or_else(|| foreign("no such round"))?;
        let (start, moves) = game.replay::<R>().map_err(|_| foreign("it has an illegal move"))?;
        if !begins_with(&game, &start, &moves, &opening(slot.pair)) {
            return Err(foreign("its opening is another"));
        }
        if past.iter().any(|other| other.slot == slot) {
            return Err(foreign("the file has it twice"));
        }
        past.push(PastGame { slot, result, forfeit: read_forfeit(&tag(FORFEIT_TAG)) });
    }
    Ok(past)
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
    use crate::notation::parse_move;
    use crate::types::{Outcome, Reason, Score};
    use crate::variants::{Standard, ThreeCheck};

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
        let past = read_past::<ThreeCheck>(&text, &names, &schedule, |_| opening.clone()).unwrap();
        assert_eq!(
            past,
            [PastGame { slot: header.slot, result: GameResult::Win(Color::Black), forfeit: None }]
        );

        let faulty = text.replace("[Termination", "[Fault \"White: stalls\"]\n[Termination");
        let past =
            read_past::<ThreeCheck>(&faulty, &names, &schedule, |_| opening.clone()).unwrap();
        assert_eq!(past[0].forfeit, Some((Color::White, Forfeit::Stall)));

        let wrong = |text: &str, schedule: &Schedule, opening: &Opening| {
            read_past::<ThreeCheck>(text, &names, schedule, |_| opening.clone())
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
            read_past::<Standard>(&unfinished, &names, &schedule, |_| opening.clone()).unwrap(),
            []
        );
    }
}
