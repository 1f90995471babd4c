//! The games of a PGN file.
//!
//! A PGN file tells less than a debug log: it has the moves, the result and its reason, sometimes the
//! times, and nothing about the protocol.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Duration;

use super::clocks;
use super::conditions::{Conditions, MoveAt};
use super::ending::{self, Ending, EndingKind, Evidence};
use super::item::Item;
use super::log_reader::read_line;
use super::report::GameReport;
use super::sheet::{Sheet, Violation, shown};
use super::stage_pawns;
use crate::arena::engines::{Clock, Pace};
use trebuchet::notation::MoveError;
use trebuchet::notation::pgn::{self, PgnGame};
use trebuchet::play::{Game, Stage, new_game};
use trebuchet::types::{Color, GameResult};
use trebuchet::variants::VariantId;

/// Reads a PGN file and judges all games in it, for both players.
///
/// # Errors
/// If the file cannot be read.
pub fn check(
    input: impl BufRead,
    file: &Arc<str>,
    conditions: &Conditions,
) -> io::Result<Vec<GameReport>> {
    let mut reader = GameReader { input, line: 0, waiting: None };
    let mut reports = Vec::new();
    let mut number = 0;
    while let Some((line, text)) = reader.next_game()? {
        for game in pgn::read(&text) {
            number += 1;
            let judged = Judged::of(&game, line, conditions);
            reports.extend(judged.reports(&game, file, number, line));
        }
    }
    Ok(reports)
}

/// Cuts a PGN file into games.
struct GameReader<R> {
    input: R,
    /// The number of lines read.
    line: u64,
    /// The first line of the next game.
    waiting: Option<String>,
}

/// The longest text of a game, in bytes. A longer one is cut.
const GAME_LIMIT: usize = 1 << 20;

impl<R: BufRead> GameReader<R> {
    /// The next game and the number of its first line.
    fn next_game(&mut self) -> io::Result<Option<(u64, String)>> {
        let mut text = self.waiting.take().unwrap_or_default();
        let start = if text.is_empty() { self.line + 1 } else { self.line };
        let mut has_moves = false;
        while text.len() < GAME_LIMIT {
            let Some(line) = read_line(&mut self.input)? else {
                return Ok((!text.is_empty()).then_some((start, text)));
            };
            self.line += 1;
            let mut line = String::from_utf8_lossy(&line).into_owned();
            let is_tag = is_tag(&line);
            line.push('\n');
            if is_tag && has_moves {
                self.waiting = Some(line);
                break;
            }
            has_moves |= !is_tag && !line.trim().is_empty() && !line.starts_with('%');
            text += &line;
        }
        Ok(Some((start, text)))
    }
}

fn is_tag(line: &str) -> bool {
    let name = line.trim_start_matches('\u{feff}').trim_start().strip_prefix('[');
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        && line.contains('"')
}

/// A game after it was replayed.
struct Judged {
    sheets: [Sheet; 2],
    moves: [usize; 2],
    ending: Ending,
}

impl Judged {
    fn of(game: &PgnGame, line: u64, conditions: &Conditions) -> Judged {
        let mut judged = Judged {
            sheets: [Sheet::default(), Sheet::default()],
            moves: [0, 0],
            ending: Ending::of(&Evidence::default()),
        };
        for item in Item::ALL.into_iter().filter(|item| item.is_about_dialogue()) {
            judged.sheets.iter_mut().for_each(|sheet| sheet.not_judged(item, "a PGN file"));
        }
        let board = VariantId::from_tag(game.tag("Variant").unwrap_or_default()).map(new_game);
        let board = board.and_then(|mut board| match game.tag("FEN") {
            Some(fen) => board.set_board(fen).is_ok().then_some(board),
            None => Some(board),
        });
        let comment = final_comment(game);
        let result = match game.result {
            GameResult::Unfinished => {
                game.tag("Result").and_then(GameResult::from_token).unwrap_or_default()
            }
            result => result,
        };
        let loser = match result {
            GameResult::Win(winner) => Some(!winner),
            _ => None,
        };
        let Some(mut board) = board else {
            for sheet in &mut judged.sheets {
                sheet.not_judged(
                    Item::LegalMoves,
                    "a game or position that trebuchet does not know",
                );
            }
            let told = Some((result, comment.as_str()));
            judged.ending = Ending::of(&Evidence { told, ..Evidence::default() });
            return judged;
        };
        let is_whole = judged.replay(game, &mut *board, line, conditions);
        let outcome = board.outcome().filter(|_| is_whole);
        judged.judge_times(game, &*board, line, conditions);
        let kind = ending::kind_of_comment(&comment);
        let termination = game.tag("Termination").unwrap_or_default().to_lowercase();
        let is_late = kind == EndingKind::Time || termination == "time forfeit";
        let told = format!(
            "the file says: {}",
            shown(if comment.is_empty() { &termination } else { &comment })
        );
        if let Some(loser) = loser {
            let sheet = &mut judged.sheets[loser.index()];
            let violation =
                Violation { ply: board.ply_count(), ..Violation::at_line(line, told.clone()) };
            let is_stuck = conditions.stage == Stage::Pawns
                && board.side_to_move() == loser
                && is_whole
                && outcome.is_none();
            if is_late {
                let item = match is_stuck && stage_pawns::must_resign(&*board) {
                    true => Item::ResignsWithoutPawnMove,
                    false => Item::Clock,
                };
                sheet.broken(item, violation);
            } else if kind == EndingKind::IllegalMove && is_whole {
                sheet.broken(Item::LegalMoves, violation);
            } else if kind == EndingKind::FalseClaim
                && outcome.is_none_or(|outcome| outcome.winner != Some(loser))
            {
                let is_refusal = comment.contains("refuses") || comment.contains("illegal-move");
                let item = if is_refusal { Item::AcceptsLegalMoves } else { Item::ResultClaims };
                sheet.broken(item, violation);
            } else if ending::is_crash(&comment) {
                sheet.broken(Item::KeepsRunning, violation);
            } else if is_stuck && kind == EndingKind::Resignation {
                stage_pawns::judge_resignation(sheet, &*board, &board.legal_moves(), line);
            } else if is_stuck {
                sheet
                    .not_judged(Item::ResignsWithoutPawnMove, "the file does not say how it ended");
            }
        }
        let resigned = loser.filter(|_| kind == EndingKind::Resignation);
        judged.ending = Ending::of(&Evidence {
            told: Some((result, if comment.is_empty() { &termination } else { &comment })),
            outcome,
            resigned,
            ..Evidence::default()
        });
        judged
    }

    /// Plays the moves. False if one of them cannot be played.
    fn replay(
        &mut self,
        game: &PgnGame,
        board: &mut dyn Game,
        line: u64,
        conditions: &Conditions,
    ) -> bool {
        for played in &game.moves {
            let side = board.side_to_move();
            let sheet = &mut self.sheets[side.index()];
            let text = played.san.trim_end_matches(['!', '?']);
            let mv = match board.parse_move(text) {
                Ok(mv) => mv,
                Err(MoveError::Ambiguous) => {
                    sheet.not_judged(Item::LegalMoves, "a move in the file is ambiguous");
                    return false;
                }
                Err(error) => {
                    let reason = match board.outcome().filter(|_| error == MoveError::GameOver) {
                        Some(outcome) => format!("the game is over: {outcome}"),
                        None => error.to_string(),
                    };
                    sheet.broken(Item::LegalMoves, Violation::at_move(line, board, text, reason));
                    self.moves[side.index()] += 1;
                    return false;
                }
            };
            sheet.kept(Item::LegalMoves);
            self.moves[side.index()] += 1;
            let legal = board.legal_moves();
            conditions.judge_choice(sheet, &MoveAt { board, legal: &legal, mv, line });
            board.play(mv);
        }
        true
    }

    /// Judges the times in the comments: `[%emt]` against the tag `TimeControl`. `[%clk]` shows what
    /// is left, so it is kept unless the file says that the flag fell.
    fn judge_times(&mut self, game: &PgnGame, end: &dyn Game, line: u64, conditions: &Conditions) {
        let pace: Option<Pace> = game.tag("TimeControl").and_then(|text| text.parse().ok());
        let mut clocks = [pace.map(Clock::new), pace.map(Clock::new)];
        let last = end.side_to_move();
        let is_even = game.moves.len().is_multiple_of(2);
        let mut side = if is_even { last } else { !last };
        for (ply, played) in game.moves.iter().enumerate() {
            let comment = played.comment.as_deref().unwrap_or_default();
            let sheet = &mut self.sheets[side.index()];
            let spent = stamp(comment, "[%emt ");
            match (spent, &mut clocks[side.index()]) {
                (Some(spent), Some(clock)) => {
                    let left = clock.left();
                    let _ = clock.charge(spent, Duration::MAX / 4);
                    clocks::judge(sheet, left, spent, conditions.margin, |text| {
                        let mv = played.san.clone();
                        Violation { ply, mv, ..Violation::at_line(line, text) }
                    });
                }
                _ if stamp(comment, "[%clk ").is_some() => sheet.kept(Item::Clock),
                _ => sheet.not_judged(Item::Clock, "no times in the file"),
            }
            side = !side;
        }
    }

    fn reports(
        self,
        game: &PgnGame,
        file: &Arc<str>,
        number: usize,
        line: u64,
    ) -> impl Iterator<Item = GameReport> {
        let name = |color: Color| {
            shown(game.tag(if color == Color::White { "White" } else { "Black" }).unwrap_or("?"))
        };
        let names = Color::ALL.map(name);
        let variant = shown(game.tag("Variant").unwrap_or("normal"));
        let file = file.clone();
        let Judged { sheets, moves, ending } = self;
        Color::ALL.into_iter().zip(sheets).map(move |(color, sheet)| GameReport {
            file: file.clone(),
            game: number,
            line,
            seat: None,
            name: names[color.index()].clone(),
            opponent: Some(names[(!color).index()].clone()),
            variant: variant.clone(),
            color: Some(color),
            moves: moves[color.index()],
            ending: ending.clone(),
            sheet,
        })
    }
}

/// The reason of the result: the comment at the end. xboard and others put it there, behind scores and
/// times.
fn final_comment(game: &PgnGame) -> String {
    let comment = match game.moves.last() {
        Some(last) => last.comment.as_deref(),
        None => game.comment.as_deref(),
    };
    let comment = comment.unwrap_or_default();
    // A score or a time before the reason, as in `+0.31/12 0.4` or `[%clk 0:01:02]`.
    let is_number = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_digit() || "+-.[".contains(c)) || word.ends_with(']')
    };
    comment.split_whitespace().skip_while(is_number).collect::<Vec<_>>().join(" ")
}

/// A time in a comment: `[%emt 0:00:01.5]`, in hours, minutes and seconds.
fn stamp(comment: &str, start: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once(start)?;
    let (time, _) = rest.split_once(']')?;
    let mut seconds = 0.0;
    for part in time.trim().split(':') {
        let number: f64 = part.parse().ok().filter(|number| (0.0..=1e6).contains(number))?;
        seconds = seconds * 60.0 + number;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::super::sheet::Verdict;
    use super::*;

    fn check_text(text: &str, stage: Stage) -> Vec<GameReport> {
        let margin = Duration::from_millis(200);
        let conditions = Conditions { stage, board_order: None, margin };
        check(text.as_bytes(), &Arc::from("games.pgn"), &conditions).unwrap()
    }

    /// The broken items with their places.
    fn broken(report: &GameReport) -> Vec<String> {
        let violations = Item::ALL
            .into_iter()
            .flat_map(|item| report.sheet.violations(item).map(move |found| (item, found)));
        violations
            .map(|(item, found)| format!("{} {item} {}: {}", found.line, found.mv, found.text))
            .collect()
    }

    #[test]
    fn several_games_with_their_players() {
        let text = "[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 2. Nf3 {+0.31/12 0.4} Nf6 {Black resigns} 1-0\n\n\
            [White \"b\"]\n[Black \"c\"]\n[Variant \"Three-check\"]\n\n1. e4 f5 2. Qh5+ Kf7 *\n";
        let reports = check_text(text, Stage::Full);
        let shown: Vec<String> = reports
            .iter()
            .map(|report| {
                let GameReport { game, line, name, moves, ending, .. } = report;
                format!("{game} {line} {name} {moves} {} {}", ending.result, ending.reason)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "1 1 a 2 1-0 Black resigns",
                "1 1 b 2 1-0 Black resigns",
                "2 6 b 2 * unfinished",
                "2 6 c 2 * unfinished",
            ]
        );
        assert_eq!(broken(&reports[3]), ["6 legal-moves 2... Kf7: leaves king in check"]);
        assert_eq!(reports[2].sheet.verdict(Item::LegalMoves), Verdict::Kept);
        let none = Verdict::NotJudged("no times in the file");
        assert_eq!(reports[0].sheet.verdict(Item::Clock), none);
    }

    #[test]
    fn the_game_is_known_by_every_name() {
        for name in ["koth", "frc", "wild/fr", "teach3", "?"] {
            let text = format!("[Variant \"{name}\"]\n\n1. e4 e5 *\n");
            let reports = check_text(&text, Stage::Full);
            assert_eq!(reports[0].sheet.verdict(Item::LegalMoves), Verdict::Kept, "{name}");
        }
    }

    #[test]
    fn the_reason_of_the_result_counts() {
        let game = |reason: &str, result: &str| {
            let text = format!("[White \"a\"]\n\n1. e4 e5 {{{reason}}} {result}\n");
            check_text(&text, Stage::Pawns).iter().flat_map(broken).collect::<Vec<_>>()
        };
        let late = "1 clock : the file says: Black wins on time";
        assert_eq!(game("Black wins on time", "0-1"), [late]);
        let illegal = "1 legal-moves : the file says: Xboard: Forfeit due to invalid move: e1e5";
        assert_eq!(game("Xboard: Forfeit due to invalid move: e1e5", "0-1"), [illegal]);
        let resigns = "1 resigns-without-pawn-move 2. resign: the bot resigns, but a2a3 is legal";
        assert_eq!(game("White resigns", "0-1"), [resigns]);
        assert_eq!(game("Xboard adjudication: long game", "1/2-1/2"), Vec::<String>::new());
    }

    #[test]
    fn times_are_judged_if_the_file_has_them() {
        let text = "[White \"a\"]\n[TimeControl \"2+1\"]\n\n1. e4 {[%emt 0:00:01.5]} e5 {[%clk 0:00:02]} \
            2. Nf3 {[%emt 0:00:01.8]} Nc6 {[%clk 0:00:02]} 1-0\n";
        let reports = check_text(text, Stage::Full);
        assert_eq!(broken(&reports[0]), ["1 clock Nf3: 1.80 s for the move, with 1.50 s left"]);
        assert_eq!(reports[1].sheet.verdict(Item::Clock), Verdict::Kept);
    }
}
