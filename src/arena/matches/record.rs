//! Games of a match as PGN: written when they end, read when a match is resumed.

use std::fmt::Write;
use std::time::Duration;

use jiff::Timestamp;

use super::ending::Fault;
use super::game::{Played, Source};
use super::openings::Opening;
use super::schedule::{Schedule, Slot};
use crate::arena::engines::{Budget, Thought};
use crate::board::{Position, Rules};
use crate::cecp::wire::GameResult;
use crate::notation::pgn::{self, PgnMove};
use crate::types::{Color, Move};
use crate::variants::VariantId;

/// What the tags of a game tell besides its moves.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    pub event: &'a str,
    pub variant: VariantId,
    pub slot: Slot,
    /// By colour.
    pub names: [&'a str; 2],
    pub budgets: [&'a Budget; 2],
    pub opening: &'a Opening,
    pub duration: Duration,
}

/// The game as PGN.
pub fn write(header: &Header, played: &Played) -> pgn::Game {
    let result = played.ending.result();
    let mut game = pgn::Game { result: result.to_string(), ..pgn::Game::default() };
    game.push_tag("Event", header.event);
    game.push_tag("Site", "?");
    game.push_tag("Date", Timestamp::now().strftime("%Y.%m.%d"));
    game.push_tag("Round", round(header.slot));
    game.push_tag("White", header.names[0]);
    game.push_tag("Black", header.names[1]);
    game.push_tag("Result", result);
    if header.variant != VariantId::Standard {
        game.push_tag("Variant", header.variant.name());
    }
    if let Some(fen) = &header.opening.fen {
        game.push_tag("SetUp", 1);
        game.push_tag("FEN", fen);
    }
    let [white, black] = header.budgets;
    if white == black {
        game.push_tag("TimeControl", white.pace);
    } else {
        game.push_tag("WhiteTimeControl", white);
        game.push_tag("BlackTimeControl", black);
    }
    game.push_tag("PlyCount", played.plies.len());
    game.push_tag("Termination", played.ending.termination());
    if let Some((color, fault)) = played.ending.fault() {
        game.push_tag("Fault", format!("{color}: {}", fault.name()));
    }
    game.push_tag("Duration", format!("{:.3}", header.duration.as_secs_f64()));
    game.moves = played
        .plies
        .iter()
        .map(|ply| PgnMove { san: ply.san.clone(), comment: comment(&ply.by) })
        .collect();
    let reason = played.ending.to_string();
    let last = game.moves.last_mut().map_or(&mut game.comment, |last| &mut last.comment);
    *last = Some(match last.take() {
        Some(comment) => format!("{comment}, {reason}"),
        None => reason,
    });
    game
}

/// `+0.31/12 0.450s`: score, depth and time of a move.
fn comment(source: &Source) -> Option<String> {
    let Source::Player { elapsed, thought } = source else { return None };
    let mut text = String::new();
    if let Some(Thought { score, depth, .. }) = thought {
        // Writing to a String cannot fail.
        let _ = match score.moves_to_end() {
            Some(moves) if score.is_win() => write!(text, "+M{moves}/{depth} "),
            Some(moves) => write!(text, "-M{}/{depth} ", -moves),
            None => write!(text, "{:+.2}/{depth} ", f64::from(score.value()) / 100.0),
        };
    }
    let _ = write!(text, "{:.3}s", elapsed.as_secs_f64());
    Some(text)
}

/// `PAIR.LEG`, counted from 1.
fn round(slot: Slot) -> String {
    format!("{}.{}", slot.pair + 1, 1 + u8::from(slot.swapped))
}

/// A game of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    pub slot: Slot,
    pub result: GameResult,
    pub fault: Option<(Color, Fault)>,
}

/// Why a game cannot be one of this match.
#[derive(Debug, thiserror::Error)]
#[error(
    "game {number} of the file, {white} - {black}, round {round}, is none of this match: {why}"
)]
pub struct ForeignGame {
    number: usize,
    white: String,
    black: String,
    round: String,
    why: &'static str,
}

/// The finished games of an earlier run. `opening` gives what a pair of games begins with.
pub fn read_past<R: Rules>(
    text: &str,
    names: &[String],
    schedule: &Schedule,
    opening: impl Fn(usize) -> Opening,
) -> Result<Vec<Past>, ForeignGame> {
    let mut past: Vec<Past> = Vec::new();
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
        let (start, moves) = game.replay::<R>().map_err(|_| foreign("its moves are not legal"))?;
        if !begins_with(&game, &start, &moves, &opening(slot.pair)) {
            return Err(foreign("it has another opening"));
        }
        if past.iter().any(|other| other.slot == slot) {
            return Err(foreign("it is there twice"));
        }
        past.push(Past { slot, result, fault: read_fault(&tag("Fault")) });
    }
    Ok(past)
}

/// The tag `Fault`: `White: time losses`.
fn read_fault(tag: &str) -> Option<(Color, Fault)> {
    let (color, fault) = tag.split_once(": ")?;
    let color = Color::ALL.into_iter().find(|side| side.to_string() == color)?;
    Some((color, Fault::ALL.into_iter().find(|known| known.name() == fault)?))
}

/// Are these the opening's moves, all of them and no more? They are those without a comment; in a
/// game that ended before a player moved, the last of them has the reason.
fn begins_with<R: Rules>(
    game: &pgn::Game,
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

/// The half points of a result for the player of a colour.
pub fn half_points(result: GameResult, color: Color) -> u8 {
    match result {
        GameResult::Win(winner) if winner == color => 2,
        GameResult::Win(_) => 0,
        GameResult::Draw | GameResult::Unfinished => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::matches::ending::Ending;
    use crate::arena::matches::game::Ply;
    use crate::arena::matches::openings::Openings;
    use crate::arena::matches::schedule::Tournament;
    use crate::notation::parse_move;
    use crate::types::{Outcome, Reason, Score};
    use crate::variants::{Standard, ThreeCheck};

    const OPENING: &str =
        "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 3+3 0 2 moves f3 e5;";

    fn played(texts: &[&str], opening_plies: usize) -> Played {
        let mut position = Position::<ThreeCheck>::start();
        let plies = texts.iter().enumerate().map(|(ply, text)| {
            let mv = parse_move(&position, text).unwrap();
            position.make_move(mv);
            let thought = Some(Thought { score: Score::cp(31), depth: 12, nodes: 5 });
            let by = if ply < opening_plies {
                Source::Opening
            } else {
                Source::Player { elapsed: Duration::from_millis(450), thought }
            };
            Ply { san: (*text).to_owned(), by }
        });
        let plies = plies.collect();
        let ending = Ending::Rules(Outcome::win(Color::Black, Reason::Checkmate));
        Played { plies, ending, usable: [true; 2] }
    }

    #[test]
    fn games_are_written_with_scores_and_read_as_past() {
        let budget = Budget { pace: "5+0.05".parse().unwrap(), ..Budget::default() };
        let Openings::List(openings) = Openings::from_epd::<ThreeCheck>(OPENING, "test").unwrap()
        else {
            panic!()
        };
        let opening = openings[0].clone();
        let header = Header {
            event: "test",
            variant: VariantId::ThreeCheck,
            slot: Slot { pair: 2, pairing: 0, swapped: true },
            names: ["b", "a"],
            budgets: [&budget; 2],
            opening: &opening,
            duration: Duration::from_secs(2),
        };
        let text = write(&header, &played(&["f3", "e5", "g4", "Qh4#"], 2)).to_string();
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
            [Past { slot: header.slot, result: GameResult::Win(Color::Black), fault: None }]
        );

        let faulty = text.replace("[Termination", "[Fault \"White: stalls\"]\n[Termination");
        let past =
            read_past::<ThreeCheck>(&faulty, &names, &schedule, |_| opening.clone()).unwrap();
        assert_eq!(past[0].fault, Some((Color::White, Fault::Stall)));

        let wrong = |text: &str, schedule: &Schedule, opening: &Opening| {
            read_past::<ThreeCheck>(text, &names, schedule, |_| opening.clone())
                .unwrap_err()
                .to_string()
        };
        let other = Openings::Random { plies: 3, seed: 1 }.get::<ThreeCheck>(0);
        assert!(wrong(&text, &schedule, &other).contains("another opening"));
        let shorter = Opening { moves: opening.moves[..1].to_vec(), ..opening.clone() };
        assert!(wrong(&text, &schedule, &shorter).contains("another opening"));
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

    #[test]
    fn mates_are_counted_in_moves() {
        let at = |score| {
            comment(&Source::Player {
                elapsed: Duration::ZERO,
                thought: Some(Thought { score, depth: 3, nodes: 1 }),
            })
        };
        assert_eq!(at(Score::win_in(3)).unwrap(), "+M2/3 0.000s");
        assert_eq!(at(Score::loss_in(4)).unwrap(), "-M2/3 0.000s");
        assert_eq!(at(Score::cp(-7)).unwrap(), "-0.07/3 0.000s");
    }
}
