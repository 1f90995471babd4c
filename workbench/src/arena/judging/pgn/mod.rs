//! The games of a PGN file.
//!
//! A PGN file tells less than a debug log: it has the moves, the result and its reason, sometimes the
//! times, and nothing about the protocol.

mod reader;
mod times;
mod told;

use std::io::{self, BufRead};
use std::sync::Arc;

use super::criterion::Criterion;
use super::ending::{Ending, EndingKind, Evidence};
use super::event::{EventKind, EventSink, GameEvent};
use super::judges::Panel;
use super::report::GameReport;
use super::settings::CheckSettings;
use super::sheet::shown;
use crate::arena::games::ForfeitKind;
use crate::report::start_of;
use reader::GameReader;
use times::PgnClocks;
use told::ToldEnding;
use trebuchet::notation::MoveError;
use trebuchet::notation::pgn::{self, PgnGame};
use trebuchet::play::Game;
use trebuchet::types::{Color, GameResult, Outcome};

/// Reads a PGN file and judges all games in it, for both players. `file` is its name in the reports.
///
/// # Errors
/// If the file cannot be read.
pub fn check(
    input: impl BufRead,
    file: &Arc<str>,
    settings: &CheckSettings,
) -> io::Result<Vec<GameReport>> {
    let mut reader = GameReader::new(input);
    let mut reports = Vec::new();
    let mut number = 0;
    while let Some((line, text)) = reader.next_game()? {
        for game in pgn::read(&text) {
            number += 1;
            reports.extend(judge(&game, file, number, line, settings));
        }
    }
    Ok(reports)
}

/// The reports on both players of a game.
fn judge(
    game: &PgnGame,
    file: &Arc<str>,
    number: usize,
    line: u64,
    settings: &CheckSettings,
) -> [GameReport; 2] {
    let mut panels = Color::ALL.map(|_| Panel::of_moves(settings));
    let replayed = replay(game, line, &mut panels);
    let names = ["White", "Black"].map(|tag| shown(game.tag(tag).unwrap_or("?")));
    let variant = shown(game.tag("Variant").unwrap_or("normal"));
    let flaws = game.flaws.iter().map(|flaw| shown(&flaw.to_string()));
    let problems: Vec<String> = flaws.chain(replayed.problem).collect();
    Color::ALL.map(|color| {
        let mut sheet = panels[color.index()].take_sheet();
        for &criterion in Criterion::ALL.iter().filter(|criterion| criterion.is_about_dialogue()) {
            sheet.not_judged(criterion, "a PGN file");
        }
        GameReport {
            file: file.clone(),
            game: number,
            line,
            slot: None,
            name: names[color.index()].clone(),
            opponent: Some(names[(!color).index()].clone()),
            variant: variant.clone(),
            color: Some(color),
            moves: replayed.moves[color.index()],
            ending: replayed.ending.clone(),
            sheet,
            problems: problems.clone(),
        }
    })
}

/// A game after it was replayed.
pub struct ReplayedGame {
    /// The number of moves of White and of Black.
    pub moves: [usize; 2],
    pub ending: Ending,
    /// Why it could not be replayed.
    pub problem: Option<String>,
}

/// Replays a game, which begins at this line of its file. The events of White go to the first sink,
/// those of Black to the second.
pub fn replay<S: EventSink>(game: &PgnGame, line: u64, sinks: &mut [S; 2]) -> ReplayedGame {
    let told = ToldEnding::of(game);
    let board = match start_of(game) {
        Ok((_, board)) => board,
        Err(error) => {
            let reason = "a game or position that trebuchet does not know";
            for sink in sinks {
                sink.on(&GameEvent { line, board: None, kind: EventKind::UnknownMove { reason } });
            }
            let ending = Ending::of(&Evidence { told: Some(told.result()), ..Evidence::default() });
            let problem = Some(shown(&error.to_string()));
            return ReplayedGame { moves: [0, 0], ending, problem };
        }
    };
    let mut replay = Replay { line, board, sinks, moves: [0, 0], is_whole: true };
    replay.moves(game);
    replay.end(&told);
    let outcome = replay.outcome();
    let resigned = told.loser.filter(|_| told.kind == EndingKind::Resignation);
    let told = Some(told.result());
    let ending = Ending::of(&Evidence { told, outcome, resigned, ..Evidence::default() });
    ReplayedGame { moves: replay.moves, ending, problem: None }
}

/// A game that is being replayed.
struct Replay<'a, S> {
    line: u64,
    board: Box<dyn Game>,
    sinks: &'a mut [S; 2],
    moves: [usize; 2],
    /// Could all moves be played?
    is_whole: bool,
}

impl<S: EventSink> Replay<'_, S> {
    fn emit(&mut self, color: Color, kind: EventKind) {
        let event = GameEvent { line: self.line, board: Some(&*self.board), kind };
        self.sinks[color.index()].on(&event);
    }

    /// How the game stands, if it is over and all moves could be played.
    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome().filter(|_| self.is_whole)
    }

    /// Replays the moves, up to the first one that cannot be played.
    fn moves(&mut self, game: &PgnGame) {
        let mut clocks = PgnClocks::of(game);
        for played in &game.moves {
            let side = self.board.side_to_move();
            let text = played.san.trim_end_matches(['!', '?']);
            let kind = match clocks.next(side, played) {
                Some(time) => EventKind::TimeUsed { text, elapsed: time.elapsed, left: time.left },
                None if times::shows_clock(played) => EventKind::InTime,
                None => EventKind::UnknownTime,
            };
            self.emit(side, kind);
            let found = self.board.parse_move(text);
            if found != Err(MoveError::Ambiguous) {
                self.moves[side.index()] += 1;
            }
            match found {
                Ok(mv) => {
                    self.emit(side, EventKind::Move(mv));
                    self.board.play(mv);
                    continue;
                }
                Err(MoveError::Ambiguous) => {
                    let reason = "a move in the file is ambiguous";
                    self.emit(side, EventKind::UnknownMove { reason });
                }
                Err(error) => {
                    let outcome = self.board.outcome();
                    let reason = match outcome.filter(|_| error == MoveError::GameOver) {
                        Some(outcome) => format!("the game is over: {outcome}"),
                        None => error.to_string(),
                    };
                    self.emit(side, EventKind::IllegalMove { text, reason: &reason });
                }
            }
            self.is_whole = false;
            return;
        }
    }

    /// What the file tells of the end says something about the loser.
    fn end(&mut self, told: &ToldEnding) {
        let Some(loser) = told.loser else { return };
        let outcome = self.outcome();
        let on_turn = self.board.side_to_move() == loser && self.is_whole && outcome.is_none();
        let words = format!("the file says: {}", shown(&told.words));
        let words = words.as_str();
        let is_decisive = matches!(told.result, GameResult::Win(_));
        let kind = match told.kind {
            EndingKind::Forfeit(ForfeitKind::TimeLoss | ForfeitKind::Stall) => {
                EventKind::OutOfTime { words, on_turn }
            }
            // The board decides, unless the file does not show the move.
            EndingKind::Forfeit(ForfeitKind::IllegalMove) if !self.is_whole => return,
            // The claim was true.
            EndingKind::Forfeit(ForfeitKind::FalseClaim | ForfeitKind::FalseProtest)
                if outcome.is_some_and(|outcome| outcome.winner == Some(loser)) =>
            {
                return;
            }
            EndingKind::Forfeit(kind) => EventKind::Forfeit { kind, words },
            EndingKind::Resignation if on_turn => EventKind::Resignation(loser),
            _ if on_turn && is_decisive => EventKind::UnexplainedLoss,
            _ => return,
        };
        self.emit(loser, kind);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::CriterionVerdict;
    use super::*;
    use std::time::Duration;
    use trebuchet::play::Stage;

    fn check_text(text: &str, stage: Stage) -> Vec<GameReport> {
        let margin = Duration::from_millis(200);
        let settings = CheckSettings { stage, board_order: None, margin };
        check(text.as_bytes(), &Arc::from("games.pgn"), &settings).unwrap()
    }

    /// The broken items with their places.
    fn broken(report: &GameReport) -> Vec<String> {
        let violations = Criterion::ALL
            .iter()
            .flat_map(|&item| report.sheet.violations(item).map(move |found| (item, found)));
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
        assert_eq!(reports[2].sheet.verdict(Criterion::LegalMoves), CriterionVerdict::Kept);
        let none = CriterionVerdict::NotJudged("no times in the file");
        assert_eq!(reports[0].sheet.verdict(Criterion::Clock), none);
    }

    #[test]
    fn the_reason_of_the_result_counts() {
        let game = |reason: &str, result: &str| {
            let text = format!("[White \"a\"]\n\n1. e4 e5 {{{reason}}} {result}\n");
            check_text(&text, Stage::Pawns).iter().flat_map(broken).collect::<Vec<_>>()
        };
        let late = "1 clock 2. : the file says: Black wins on time";
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
        assert_eq!(broken(&reports[0]), ["1 clock 2. Nf3: 1.80 s for the move, with 1.50 s left"]);
        assert_eq!(reports[1].sheet.verdict(Criterion::Clock), CriterionVerdict::Kept);
    }

    #[test]
    fn the_rounded_times_of_xboard_are_not_judged() {
        let text = "[White \"a\"]\n[TimeControl \"3+0\"]\n\n1. e4 {+0.31/12 2.5} e5 2. Nf3 {+0.31/12 0.9} Nc6 *\n";
        let reports = check_text(text, Stage::Full);
        assert_eq!(reports[0].sheet.verdict(Criterion::Clock).name(), "not judged");
    }

    #[test]
    fn times_in_whole_seconds_are_not_judged() {
        let text = "[White \"a\"]\n[TimeControl \"3+0\"]\n\n1. e4 {[%emt 0:00:02]} e5 2. Nf3 {[%emt 0:00:02]} Nc6 *\n";
        let reports = check_text(text, Stage::Full);
        assert_eq!(reports[0].sheet.verdict(Criterion::Clock).name(), "not judged");
    }

    #[test]
    fn tags_of_variants_are_read_in_every_spelling() {
        let verdict = |tag: &str, moves: &str| {
            let text = format!("[White \"a\"]\n[Variant \"{tag}\"]\n\n{moves} *\n");
            let reports = check_text(&text, Stage::Full);
            reports[1].sheet.verdict(Criterion::LegalMoves).name()
        };
        for tag in
            ["koth", "frc", "wild/fr", "?", "teach3", "Three-check", "King of the Hill", "Standard"]
        {
            assert_eq!(verdict(tag, "1. e4 e5"), "kept", "{tag}");
        }
        assert_eq!(verdict("shogi", "1. e4 e5"), "not judged");
        // The king reaches the hill, and the game is over.
        let hill = "1. e3 a6 2. Ke2 a5 3. Kd3 a4 4. Kd4 a3";
        assert_eq!((verdict("koth", hill), verdict("?", hill)), ("broken", "kept"));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let problems = |text: &str| {
            let reports = check_text(text, Stage::Full);
            assert!(reports.iter().all(|report| report.problems == reports[0].problems));
            reports[0].problems.join("; ")
        };
        assert_eq!(problems("[White \"a\"]\n\n1. e4 {good} e5 *\n"), "");
        assert_eq!(
            problems("1. e4 {2... Ke7 0-1\n"),
            "a comment is never closed, so moves after it are not read"
        );
        assert_eq!(
            problems("[Variant \"Atomic]\n\n1. e4 *\n"),
            "this tag cannot be read: [Variant \"Atomic]"
        );
        assert_eq!(
            problems("[Variant \"Shogi\"]\n\n1. e4 *\n"),
            "the variant \"Shogi\" is not known"
        );
        assert!(
            problems("[FEN \"8/8 w\"]\n\n1. e4 *\n")
                .starts_with("its start position is not legal: ")
        );
    }

    #[test]
    fn an_illegal_last_move_does_not_swap_the_clocks() {
        let text = "[White \"a\"]\n[Black \"b\"]\n[TimeControl \"2\"]\n\n1. e4 {[%emt 0:00:01.0]} e5 {[%emt 0:00:03.0]} \
            2. Ke3 {[%emt 0:00:00.0]} 0-1\n";
        let reports = check_text(text, Stage::Full);
        assert_eq!(
            broken(&reports[0]),
            ["1 legal-moves 2. Ke3: the piece does not move like that"]
        );
        let late = "1 clock 1... e5: 3.00 s for the move, with 2.00 s left";
        assert_eq!(broken(&reports[1]), [late]);
    }

    #[test]
    fn matches_of_trebuchet_tell_times_and_forfeits() {
        let game = |tags: &str, black: &str| {
            let text = format!(
                "[White \"a\"]\n[Black \"b\"]\n{tags}\n\n1. e4 {{+0.31/12 0.050s}} e5 {{{black}}} 1-0\n"
            );
            let reports = check_text(&text, Stage::Full);
            (broken(&reports[0]), broken(&reports[1]), reports[0].ending.kind.name())
        };
        let none = Vec::<String>::new();
        let (white, black, _) =
            game("[TimeControl \"1/0.1\"]", "0.450s, White wins by adjudication");
        let late = "1 clock 1... e5: 0.45 s for the move, with 0.10 s left".to_owned();
        assert_eq!((white, black), (none.clone(), vec![late]));
        let (_, black, _) = game("[TimeControl \"1/0.1\"]", "0.290s");
        assert_eq!(black, none);
        // The last words of a bot are not its verdict.
        let words =
            "0.050s, Black's engine has ended (exit status: 101): panicked at 'illegal move'";
        let ended = "1 keeps-running : the file says: Black's engine has ended (exit status: 101): panicked at 'illegal move'";
        let crash = (none.clone(), vec![ended.to_owned()], "crash");
        assert_eq!(game("[Fault \"Black: crashes\"]", words), crash);
        assert_eq!(game("[Event \"old\"]", words), crash);
    }
}
