//! Resuming a match: reads the games of an earlier run from its PGN file.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::path::Path;

use super::game_spec::GameId;
use super::pairing::Pairing;
use super::pgn_file::PgnFile;
use super::standings::Standings;
use crate::arena::engines::EngineLimits;
use crate::arena::games::openings::Opening;
use crate::arena::games::{GameEnding, GameRecord, MoveRecord};
use crate::files::{self, MAX_GAMES};
use trebuchet::board::{Position, Rules};
use trebuchet::for_variant;
use trebuchet::notation::pgn::{self, PgnGame};
use trebuchet::types::{Color, GameResult, Move};

/// What an earlier run left behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PastGames {
    /// The games that count.
    pub games: Vec<(GameId, GameRecord)>,
    /// The numbers in the file, counted from 1, of games that are cut off and followed by others. They
    /// stay in the file.
    pub cut: Vec<usize>,
    /// The length of the text in bytes, without a part of a game at its end.
    pub whole: usize,
    /// The length of that part of a game in bytes.
    pub part: usize,
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
    why: String,
}

/// Why a file of games cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    #[error(transparent)]
    File(#[from] io::Error),
    #[error(transparent)]
    Foreign(#[from] ForeignGame),
}

/// Opens a file of games, or creates it. Its finished games count as played.
///
/// # Errors
/// If the file cannot be read or written, or has a game that does not belong to this match.
pub fn continue_file(
    path: &Path,
    names: &[String],
    pairing: &mut dyn Pairing,
    standings: &mut Standings,
) -> Result<(PgnFile, PastGames), ResumeError> {
    // Locked first: what another match writes after the file is read would be cut off.
    let mut file = PgnFile::lock(path)?;
    let past = read_past(&files::read(path, MAX_GAMES)?, names, pairing)?;
    for (id, record) in &past.games {
        pairing.mark_played(*id);
        standings.add_record(*id, record);
    }
    file.shorten(past.whole)?;
    file.append(past.separator)?;
    Ok((file, past))
}

/// The first tag of a game.
const FIRST_TAG: &[u8] = b"[Event \"";

/// Reads the finished games of an earlier run of a match between players with these names.
///
/// A run may end while it writes a game, for example because the disk is full. A game counts only if its
/// result follows its moves.
///
/// # Errors
/// If a game does not belong to this match.
pub fn read_past(
    text: &[u8],
    names: &[String],
    pairing: &dyn Pairing,
) -> Result<PastGames, ForeignGame> {
    let mut past = PastGames { whole: text.len(), ..PastGames::default() };
    let mut seen = HashSet::new();
    let mut number = 0;
    for range in split_games(text) {
        let part = &text[range.clone()];
        // The end may also cut a character.
        let games: Vec<PgnGame> = pgn::read(&String::from_utf8_lossy(part)).collect();
        let is_last = range.end == text.len();
        if is_last && is_part_of_game(part, &games) {
            (past.whole, past.part) = (range.start, range.len());
            break;
        }
        for game in games {
            number += 1;
            let foreign = |why: String| ForeignGame::new(number, &game, why);
            if is_cut_off(&game) {
                if is_last {
                    return Err(foreign("it is cut off".to_owned()));
                }
                past.cut.push(number);
                continue;
            }
            let Some((id, record)) = read_game(&game, names, pairing).map_err(foreign)? else {
                continue;
            };
            if !seen.insert(id) {
                return Err(foreign("the file has it twice".to_owned()));
            }
            past.games.push((id, record));
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
        let before = &text[..*at];
        (before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n")) && rest.starts_with(b"[")
            || rest.starts_with(FIRST_TAG)
                && lines.next().is_some_and(|line| line.trim_ascii_end().ends_with(b"\"]"))
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
    fn new(number: usize, game: &PgnGame, why: String) -> ForeignGame {
        let tag = |name: &str| game.tag(name).unwrap_or_default().to_owned();
        ForeignGame { number, white: tag("White"), black: tag("Black"), round: tag("Round"), why }
    }
}

/// The game as one of this match; `None` if it has not been finished.
fn read_game(
    game: &PgnGame,
    names: &[String],
    pairing: &dyn Pairing,
) -> Result<Option<(GameId, GameRecord)>, String> {
    let record = GameRecord::from_pgn(game).map_err(|error| error.to_string())?;
    if record.ending == GameEnding::Unfinished {
        return Ok(None);
    }
    let index = |name: &str| {
        names.iter().position(|known| known == name).ok_or_else(|| "no such player".to_owned())
    };
    let [white, black] = &record.players;
    let players = [index(&white.name)?, index(&black.name)?];
    let pair = record.round.split('.').next().and_then(|pair| pair.parse::<usize>().ok());
    let id = pair.and_then(|pair| pair.checked_sub(1)).map(|pair| GameId { pair, players });
    let spec = id.and_then(|id| pairing.find(id)).ok_or("no such round")?;
    if spec.variant != record.variant {
        return Err("its variant is another".to_owned());
    }
    for color in Color::ALL {
        let (played, wanted) =
            (&record.players[color.index()].time_control, spec.time_control(color));
        if !played.is_empty() && *played != wanted {
            return Err(format!("its time control is {played}, not {wanted}"));
        }
    }
    let played =
        EngineLimits { nodes: record.nodes, depth: record.depth, ..EngineLimits::default() };
    let wanted = spec.shared_limits();
    // Earlier versions did not write these limits.
    if !played.is_unlimited() && played != wanted {
        return Err(format!("its limits are {played}, not {wanted}"));
    }
    for_variant!(spec.variant, V => {
        let (start, moves) = game.replay::<V>().map_err(|_| "it has an illegal move")?;
        if !begins_with(&record.moves, &start, &moves, &spec.opening) {
            return Err("its opening is another".to_owned());
        }
    });
    Ok(Some((spec.id, record)))
}

/// Does the game begin with exactly this opening? Only moves of the opening have no times.
fn begins_with<R: Rules>(
    records: &[MoveRecord],
    start: &Position<R>,
    moves: &[Move],
    opening: &Opening,
) -> bool {
    let untimed = records.iter().take_while(|mv| mv.elapsed.is_none()).count();
    start.fen() == opening.start::<R>().fen()
        && moves.starts_with(&opening.moves)
        && untimed == opening.moves.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::arena::games::openings::Openings;
    use crate::arena::games::{Forfeit, ForfeitKind, PlayerRecord};
    use crate::arena::tournament::pairing::{FixedSchedule, Tournament};
    use trebuchet::types::{Color, Outcome, Reason, Score};
    use trebuchet::variants::{ThreeCheck, VariantId};

    const OPENING: &str =
        "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 3+3 0 2 moves f3 e5;";

    /// A match of two players with one opening.
    fn schedule(games: usize) -> FixedSchedule {
        schedule_with(games, Openings::from_epd::<ThreeCheck>(OPENING, "test").unwrap())
    }

    fn schedule_with(games: usize, openings: Openings) -> FixedSchedule {
        schedule_of(games, openings, clock())
    }

    fn schedule_of(games: usize, openings: Openings, limits: EngineLimits) -> FixedSchedule {
        let (limits, variant) = (vec![limits; 2], VariantId::ThreeCheck);
        FixedSchedule::new(Tournament::RoundRobin, limits, games, variant, openings)
    }

    fn clock() -> EngineLimits {
        EngineLimits { time_control: "5+0.05".parse().unwrap(), ..EngineLimits::default() }
    }

    fn names() -> [String; 2] {
        ["a", "b"].map(str::to_owned)
    }

    /// A game that the schedule begins with two moves.
    fn record(id: GameId) -> GameRecord {
        let player = |index: usize| PlayerRecord {
            name: names()[index].clone(),
            time_control: "5+0.05".to_owned(),
        };
        let moves =
            ["f3", "e5", "g4", "Qh4#"].into_iter().enumerate().map(|(ply, san)| MoveRecord {
                san: san.to_owned(),
                elapsed: (ply >= 2).then_some(Duration::from_millis(450)),
                eval: (ply >= 2).then_some((Score::cp(31), 12)),
            });
        GameRecord {
            event: "1-0 \u{e9}".to_owned(),
            date: "2026.07.31".to_owned(),
            round: id.round(),
            variant: VariantId::ThreeCheck,
            start: None,
            players: id.players.map(player),
            nodes: None,
            depth: None,
            moves: moves.collect(),
            ending: GameEnding::Rules(Outcome::win(Color::Black, Reason::Checkmate)),
            duration: Duration::from_secs(2),
        }
    }

    #[test]
    fn games_are_written_with_scores_and_read_as_past() {
        let id = GameId { pair: 2, players: [1, 0] };
        let text = record(id).to_pgn().to_string();
        for part in [
            "[Round \"3.2\"]",
            "[Variant \"3check\"]",
            "[TimeControl \"5+0.05\"]",
            "[Termination \"normal\"]",
            "[Ending \"checkmate\"]",
            "1. f3 e5 2. g4 {+0.31/12 0.450s} 2... Qh4# {+0.31/12 0.450s, Black mates} 0-1",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        let read = |text: &str| read_past(text.as_bytes(), &names(), &schedule(6));
        assert_eq!(read(&text).unwrap().games, [(id, record(id))]);

        let old = text.replace("[Ending \"checkmate\"]", "[Fault \"White: stalls\"]");
        let stall = Forfeit::new(Color::White, ForfeitKind::Stall, "");
        assert_eq!(read(&old).unwrap().games[0].1.ending, GameEnding::Forfeit(stall));

        let wrong = |text: &str| read(text).unwrap_err().to_string();
        let other = Openings::Random { plies: 3, seed: 1 };
        let other = schedule_with(6, other);
        let error = read_past(text.as_bytes(), &names(), &other).unwrap_err().to_string();
        assert!(error.contains("its opening is another"), "{error}");
        let longer = text.replace("{+0.31/12 0.450s} 2...", "");
        assert!(wrong(&longer).contains("its opening is another"));
        let error = read_past(text.as_bytes(), &names(), &schedule(4)).unwrap_err().to_string();
        assert!(error.contains("no such round"), "{error}");
        assert!(wrong(&text.repeat(2)).contains("twice"));
        let faster = wrong(&text.replace("5+0.05", "3+0.05"));
        assert!(faster.contains("its time control is 3+0.05, not 5+0.05"), "{faster}");
        assert!(wrong(&text.replace("\"a\"", "\"c\"")).contains("no such player"));
        assert!(wrong(&text.replace("3check", "normal")).contains("its variant is another"));
        let unfinished = GameRecord { ending: GameEnding::Unfinished, ..record(id) };
        assert_eq!(read(&unfinished.to_pgn().to_string()).unwrap().games, []);
        assert!(wrong(&text.replace("\"0-1\"", "\"1-0\"")).contains("two results"));
    }

    #[test]
    fn a_part_of_a_game_at_the_end_is_found_with_either_line_ending() {
        let [one, two] = [[0, 1], [1, 0]]
            .map(|players| record(GameId { pair: 0, players }).to_pgn().to_string());
        for ending in ["\n", "\r\n"] {
            let [one, two] = [&one, &two].map(|text| text.replace('\n', ending));
            let whole = format!("{one}{ending}");
            let text = format!("{whole}{}", &two[..two.len() - 20]);
            let past = read_past(text.as_bytes(), &names(), &schedule(2)).unwrap();
            let found = (past.games.len(), past.whole, past.part);
            assert_eq!(found, (1, whole.len(), two.len() - 20), "{ending:?}");
        }
    }

    #[test]
    fn games_with_other_nodes_or_another_depth_are_not_of_this_match() {
        let openings = Openings::from_epd::<ThreeCheck>(OPENING, "test").unwrap();
        let limits = EngineLimits { nodes: Some(700), depth: Some(9), ..clock() };
        let schedule = schedule_of(2, openings, limits);
        let read = |nodes, depth| {
            let id = GameId { pair: 0, players: [0, 1] };
            let text = GameRecord { nodes, depth, ..record(id) }.to_pgn().to_string();
            read_past(text.as_bytes(), &names(), &schedule).map(|past| past.games.len())
        };
        assert_eq!(read(Some(700), Some(9)).unwrap(), 1);
        assert_eq!(read(None, None).unwrap(), 1, "an earlier version does not tell");
        for (nodes, depth) in [(Some(800), Some(9)), (Some(700), None), (None, Some(9))] {
            let error = read(nodes, depth).unwrap_err().to_string();
            assert!(error.ends_with(", not 700 nodes, depth 9"), "{error}");
        }
    }

    /// An engine that has moved in an earlier run is not idle.
    #[test]
    fn moves_of_an_earlier_run_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let [first, _] = two_games();
        std::fs::write(&path, first).unwrap();
        let mut standings = Standings::new(names().to_vec(), &[]);
        continue_file(&path, &names(), &mut schedule(2), &mut standings).unwrap();
        let id = GameId { pair: 0, players: [1, 0] };
        let crash = Forfeit::new(Color::White, ForfeitKind::Crash, "");
        let moves = record(id).moves[..2].to_vec();
        let forfeit = GameRecord { moves, ending: GameEnding::Forfeit(crash), ..record(id) };
        standings.add_record(id, &forfeit);
        assert_eq!(standings.idle_watch.idle(1).next(), None);
    }

    /// What another match still writes cannot be read as a whole.
    #[cfg(unix)]
    #[test]
    fn a_file_is_locked_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let resume = || {
            let mut standings = Standings::new(names().to_vec(), &[]);
            let resumed = continue_file(&path, &names(), &mut schedule(2), &mut standings);
            resumed.unwrap_err().to_string()
        };
        let mut other = PgnFile::open(&path, 0).unwrap();
        let [first, _] = two_games();
        other.append(&first.replace("\"a\"", "\"c\"")).unwrap();
        assert_eq!(resume(), "another match writes it");
        drop(other);
        assert!(resume().contains("no such player"));
    }

    /// A run that ends while it writes the second of two games may leave any part of it.
    #[test]
    fn a_game_counts_when_its_result_follows_its_moves() {
        let games = two_games();
        let read = |text: &[u8]| read_past(text, &names(), &schedule(2)).unwrap();
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
        let [first, second] = two_games();
        for length in 1..first.len() - 2 {
            let text = [&first.as_bytes()[..length], second.as_bytes()].concat();
            let past = read_past(&text, &names(), &schedule(2)).unwrap();
            assert_eq!(past.games.len(), 1, "{length}");
            assert!(past.games[0].0.is_swapped(), "{length}");
            assert_eq!((past.whole, past.separator), (text.len(), ""));
            // What is not even a tag is no game.
            let has_tag = length >= first.find('\n').unwrap();
            assert_eq!(past.cut, [1][..usize::from(has_tag)], "{length}");
        }
    }

    /// The user may have named a wrong file.
    #[test]
    fn only_a_part_of_a_game_is_removed() {
        let [first, _] = two_games();
        for other in ["my notes", "e4 is best", "1. e4 e5 2. Nf3", "[White \"x\"]\n\n1. e4"] {
            for text in [other.to_owned(), format!("{first}{other}")] {
                let past = read_past(text.as_bytes(), &names(), &schedule(2));
                assert!(past.is_err() || past.is_ok_and(|past| past.whole == text.len()), "{text}");
            }
        }
    }

    /// The two games of a match.
    fn two_games() -> [String; 2] {
        [[0, 1], [1, 0]].map(|players| record(GameId { pair: 0, players }).to_pgn().to_string())
    }
}
