//! The record of a game: who played what, how long each move took, and how the game ended.
//!
//! In PGN, the comment on a move is `+0.31/12 0.450s`: score, depth and time. The comment on the last
//! move ends with the reason of the end, for people. Programs read the reason from tags: `Ending` names
//! its kind, and `Forfeit` the side that lost otherwise than on the board: `White: time-loss`.

use std::fmt::Write;
use std::time::Duration;

use super::ending::{Forfeit, ForfeitKind, GameEnding};
use crate::figures::Figures;
use trebuchet::notation::pgn::comment::{argument, read_time};
use trebuchet::notation::pgn::{PgnGame, PgnMove};
use trebuchet::protocol::dialect::VariantNames;
use trebuchet::types::{Color, Depth, GameResult, Score};
use trebuchet::variants::VariantId;

/// The tags of the limits that both players have beside the clock.
const NODES_TAG: &str = "Nodes";
const DEPTH_TAG: &str = "Depth";
/// The tag that names the kind of the end: see [`GameEnding::id`].
const ENDING_TAG: &str = "Ending";
/// The tag that says which side forfeits the game, and how: `White: time-loss`.
const FORFEIT_TAG: &str = "Forfeit";
/// What earlier versions wrote instead of [`FORFEIT_TAG`]: `White: time losses`. It is still written for
/// scripts that read it.
const OLD_FORFEIT_TAG: &str = "Fault";

/// A game that was played, or that a file tells of.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    pub event: String,
    /// The tag `Date`: `2026.07.31`.
    pub date: String,
    /// The tag `Round`.
    pub round: String,
    pub variant: VariantId,
    /// The start position as FEN; `None` is the variant's own.
    pub start: Option<String>,
    /// White and Black.
    pub players: [PlayerRecord; 2],
    /// The nodes and the depth in plies to which the moves of both players are limited, if the limits of both are the
    /// same; `None` if there is no such limit, or it is not known.
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub moves: Vec<MoveRecord>,
    pub ending: GameEnding,
    /// How long the game took; zero if that is not known.
    pub duration: Duration,
}

/// A player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PlayerRecord {
    pub name: String,
    /// The limits of the player, as the tag `TimeControl` writes them; empty if they are not known.
    pub time_control: String,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MoveRecord {
    pub san: String,
    /// How long the player took; `None` for a move of the opening, or if it is not known.
    pub elapsed: Option<Duration>,
    /// The player's score and its depth in plies, if it has told them. A forced end is known to the
    /// full move.
    pub eval: Option<(Score, Depth)>,
}

/// Why a PGN game is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    #[error("the variant {0} is unknown")]
    Variant(String),
    #[error("it has two results")]
    TwoResults,
    #[error("its tag {tag} is wrong: {value}")]
    Tag { tag: &'static str, value: String },
}

impl GameRecord {
    /// By colour: how many moves the player itself has made, the opening left out.
    pub fn own_moves(&self) -> [usize; 2] {
        let (mut side, _) = self.to_bare_pgn().first_move();
        let mut counts = [0; 2];
        for mv in &self.moves {
            counts[side.index()] += usize::from(mv.elapsed.is_some());
            side = !side;
        }
        counts
    }

    /// The start position and the moves as PGN, without comments. This can be replayed on a board.
    pub fn to_bare_pgn(&self) -> PgnGame {
        let mut game = PgnGame { result: self.ending.result(), ..PgnGame::default() };
        self.push_start(&mut game);
        game.moves = self.moves.iter().map(|mv| PgnMove::new(&mv.san)).collect();
        game
    }

    fn push_start(&self, game: &mut PgnGame) {
        if let Some(variant) = VariantNames::of(self.variant).cecp {
            game.push_tag("Variant", variant);
        }
        if let Some(fen) = &self.start {
            game.push_tag("SetUp", 1);
            game.push_tag("FEN", fen);
        }
    }

    /// The whole record as PGN.
    pub fn to_pgn(&self) -> PgnGame {
        let result = self.ending.result();
        let mut game = PgnGame { result, ..PgnGame::default() };
        game.push_tag("Event", &self.event);
        game.push_tag("Site", "?");
        game.push_tag("Date", &self.date);
        game.push_tag("Round", &self.round);
        let [white, black] = &self.players;
        game.push_tag("White", &white.name);
        game.push_tag("Black", &black.name);
        game.push_tag("Result", result);
        self.push_start(&mut game);
        let controls = if white.time_control == black.time_control {
            vec![("TimeControl", white)]
        } else {
            vec![("WhiteTimeControl", white), ("BlackTimeControl", black)]
        };
        for (tag, player) in controls {
            if !player.time_control.is_empty() {
                game.push_tag(tag, &player.time_control);
            }
        }
        if let Some(nodes) = self.nodes {
            game.push_tag(NODES_TAG, nodes);
        }
        if let Some(depth) = self.depth {
            game.push_tag(DEPTH_TAG, depth);
        }
        game.push_tag("PlyCount", self.moves.len());
        game.push_tag("Termination", self.ending.termination());
        if let Some(id) = self.ending.id() {
            game.push_tag(ENDING_TAG, id);
        }
        if let Some((side, kind)) = self.ending.forfeit() {
            game.push_tag(FORFEIT_TAG, format!("{side}: {}", kind.id()));
            game.push_tag(OLD_FORFEIT_TAG, format!("{side}: {}", kind.old_name()));
        }
        if !self.duration.is_zero() {
            game.push_tag("Duration", format!("{:.3}", self.duration.as_secs_f64()));
        }
        let moves = self.moves.iter();
        game.moves =
            moves.map(|mv| PgnMove { comment: mv.comment(), ..PgnMove::new(&mv.san) }).collect();
        if self.ending != GameEnding::Unfinished {
            let reason = self.ending.to_string();
            let last = game.moves.last_mut().map_or(&mut game.comment, |last| &mut last.comment);
            *last = Some(match last.take() {
                Some(comment) => format!("{comment}, {reason}"),
                None => reason,
            });
        }
        game
    }

    /// Reads a PGN game. The moves are not checked. The end of a game that this program has written is
    /// read from its tags; that of another is [`GameEnding::Announced`].
    ///
    /// # Errors
    /// If the variant is unknown, there are two results, or a tag of this program is wrong.
    pub fn from_pgn(game: &PgnGame) -> Result<GameRecord, RecordError> {
        let tag = |name: &str| game.tag(name).unwrap_or_default().to_owned();
        let variant = game.tag("Variant").unwrap_or_default();
        let variant =
            VariantId::from_tag(variant).ok_or_else(|| RecordError::Variant(variant.to_owned()))?;
        let player = |name: &str, control: &str| PlayerRecord {
            name: tag(name),
            time_control: game.tag(control).unwrap_or(&tag("TimeControl")).to_owned(),
        };
        let moves = game.moves.iter().map(MoveRecord::from_pgn);
        Ok(GameRecord {
            event: tag("Event"),
            date: tag("Date"),
            round: tag("Round"),
            variant,
            start: game.tag("FEN").map(str::to_owned),
            players: [player("White", "WhiteTimeControl"), player("Black", "BlackTimeControl")],
            nodes: game.tag(NODES_TAG).and_then(|nodes| nodes.parse().ok()),
            depth: game.tag(DEPTH_TAG).and_then(|depth| depth.parse().ok()),
            moves: moves.collect(),
            ending: read_ending(game, variant)?,
            duration: read_time(&tag("Duration")).unwrap_or_default(),
        })
    }
}

impl MoveRecord {
    /// A move of a PGN game, with the figures in its comment.
    pub fn from_pgn(mv: &PgnMove) -> MoveRecord {
        let comment = mv.comment.as_deref().unwrap_or_default();
        let Figures { eval, elapsed, .. } = Figures::read(comment);
        // Other programs write a command: `[%emt 0:00:01.5]`.
        let elapsed = elapsed.or_else(|| argument(comment, "emt").and_then(read_time));
        MoveRecord { san: mv.san.clone(), elapsed, eval }
    }

    /// `+0.31/12 0.450s`: score, depth and time; `None` for a move of the opening.
    fn comment(&self) -> Option<String> {
        let elapsed = self.elapsed?;
        let mut text = String::new();
        if let Some((score, depth)) = self.eval {
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
}

fn read_ending(game: &PgnGame, variant: VariantId) -> Result<GameEnding, RecordError> {
    let comment = game.moves.last().map_or(&game.comment, |last| &last.comment);
    let comment = comment.as_deref().unwrap_or_default();
    let of_tag = game.tag("Result").and_then(GameResult::from_token).unwrap_or_default();
    let result = match (game.result, of_tag) {
        (GameResult::Unfinished, result) | (result, GameResult::Unfinished) => result,
        (result, other) if result == other => result,
        _ => return Err(RecordError::TwoResults),
    };
    let wrong = |tag: &'static str| RecordError::Tag {
        tag,
        value: game.tag(tag).unwrap_or_default().to_owned(),
    };
    for (tag, read) in [
        (FORFEIT_TAG, ForfeitKind::from_id as fn(&str) -> Option<ForfeitKind>),
        (OLD_FORFEIT_TAG, ForfeitKind::from_old_name),
    ] {
        let Some(value) = game.tag(tag) else { continue };
        let (side, kind) = read_forfeit(value, read).ok_or_else(|| wrong(tag))?;
        return match (result, kind) {
            (GameResult::Draw, ForfeitKind::TimeLoss) => Ok(GameEnding::FlagDraw(side)),
            (GameResult::Win(winner), _) if winner != side => {
                let detail = Forfeit::detail_in(side, kind, comment);
                Ok(GameEnding::Forfeit(Forfeit::new(side, kind, detail)))
            }
            _ => Err(wrong(tag)),
        };
    }
    match game.tag(ENDING_TAG) {
        Some(id) => GameEnding::from_id(id, result, variant).ok_or_else(|| wrong(ENDING_TAG)),
        None if result == GameResult::Unfinished => Ok(GameEnding::Unfinished),
        None => Ok(GameEnding::Announced { result, comment: without_figures(comment) }),
    }
}

/// `White: time-loss`.
fn read_forfeit(
    value: &str,
    read: fn(&str) -> Option<ForfeitKind>,
) -> Option<(Color, ForfeitKind)> {
    let (side, kind) = value.split_once(": ")?;
    let side = Color::ALL.into_iter().find(|color| color.to_string() == side)?;
    Some((side, read(kind)?))
}

/// The comment without scores and times in front, as in `+0.31/12 0.4 White mates` or
/// `[%clk 0:01:02] White mates`.
pub fn without_figures(comment: &str) -> String {
    let is_figure = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_digit() || "+-.[".contains(c)) || word.ends_with(']')
    };
    comment.split_whitespace().skip_while(is_figure).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::ending::AdjudicatedBy;
    use super::*;
    use trebuchet::notation::pgn;
    use trebuchet::types::{Outcome, Reason};

    fn record(ending: GameEnding) -> GameRecord {
        let player =
            |name: &str| PlayerRecord { name: name.to_owned(), time_control: "5+0.05".to_owned() };
        let timed = |san: &str, millis, eval| MoveRecord {
            san: san.to_owned(),
            elapsed: Some(Duration::from_millis(millis)),
            eval,
        };
        GameRecord {
            event: "a \"test\"".to_owned(),
            date: "2026.07.31".to_owned(),
            round: "3.2".to_owned(),
            variant: VariantId::ThreeCheck,
            start: Some("4k3/8/8/8/8/8/4P3/4K3 w - - 3+3 0 1".to_owned()),
            players: [player("a"), player("b")],
            nodes: Some(700),
            depth: Some(9),
            moves: vec![
                MoveRecord { san: "e4".to_owned(), ..MoveRecord::default() },
                timed("Kd7", 450, Some((Score::cp(-31), 12))),
                timed("e5", 1_000, Some((Score::win_in(3), 4))),
                timed("Ke6", 7, None),
            ],
            ending,
            duration: Duration::from_millis(1_457),
        }
    }

    fn reread(text: &str) -> Result<GameRecord, RecordError> {
        GameRecord::from_pgn(&pgn::read(text).next().unwrap())
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let deed = VariantId::ThreeCheck.endings()[0];
        let forfeits = ForfeitKind::ALL
            .map(|kind| GameEnding::Forfeit(Forfeit::new(Color::White, kind, "so it was")));
        let others = [
            GameEnding::Rules(Outcome::win(Color::White, Reason::Variant(deed))),
            GameEnding::Resignation(Color::Black),
            GameEnding::Agreement,
            GameEnding::FlagDraw(Color::Black),
            GameEnding::Adjudication { winner: None, by: AdjudicatedBy::Tablebases },
            GameEnding::Unfinished,
        ];
        for ending in forfeits.into_iter().chain(others) {
            let mut record = record(ending);
            let text = record.to_pgn().to_string();
            assert_eq!(reread(&text).unwrap(), record, "{text}");
            record.players[1].time_control = "40/60, depth 3".to_owned();
            record.moves.clear();
            let text = record.to_pgn().to_string();
            assert_eq!(reread(&text).unwrap(), record, "{text}");
        }
    }

    #[test]
    fn the_tags_and_comments_of_a_game() {
        let forfeit = Forfeit::new(Color::White, ForfeitKind::IllegalMove, "e1e5 (no)");
        let game = record(GameEnding::Forfeit(forfeit)).to_pgn();
        for (name, value) in [
            ("Result", "0-1"),
            ("Variant", "3check"),
            ("TimeControl", "5+0.05"),
            ("Nodes", "700"),
            ("Depth", "9"),
            ("PlyCount", "4"),
            ("Termination", "rules infraction"),
            ("Ending", "illegal-move"),
            ("Forfeit", "White: illegal-move"),
            ("Fault", "White: illegal moves"),
            ("Duration", "1.457"),
        ] {
            assert_eq!(game.tag(name), Some(value), "{name}");
        }
        let comments: Vec<&str> =
            game.moves.iter().map(|mv| mv.comment.as_deref().unwrap_or_default()).collect();
        let last = "0.007s, White makes an illegal move: e1e5 (no)";
        assert_eq!(comments, ["", "-0.31/12 0.450s", "+M2/4 1.000s", last]);
    }

    /// The last words of a bot stand in the comment. They decide nothing.
    #[test]
    fn the_words_of_an_engine_are_no_ending() {
        let words =
            "has ended (exit status: 101): Black loses on time, White makes an illegal move: e4";
        let ending = GameEnding::Forfeit(Forfeit::new(Color::White, ForfeitKind::Crash, words));
        let read = reread(&record(ending.clone()).to_pgn().to_string()).unwrap();
        assert_eq!(read.ending, ending);
    }

    #[test]
    fn games_of_earlier_versions_are_read() {
        let forfeit = Forfeit::new(Color::White, ForfeitKind::Stall, "");
        let text = record(GameEnding::Forfeit(forfeit.clone())).to_pgn().to_string();
        let is_new = |line: &&str| line.starts_with("[Ending") || line.starts_with("[Forfeit");
        let old: Vec<&str> = text.lines().filter(|line| !is_new(line)).collect();
        assert_eq!(reread(&old.join("\n")).unwrap().ending, GameEnding::Forfeit(forfeit));
    }

    #[test]
    fn games_of_other_programs_keep_their_words() {
        let read = reread(
            "[White \"a\"]\n[Variant \"King of the Hill\"]\n\n1. e4 {+0.31/12 0.4} e5 {[%emt 0:00:01.5]} \
             2. Ke2 {good} Ke7 {-M3/9 2.5 Black resigns} 1-0",
        )
        .unwrap();
        assert_eq!(read.variant, VariantId::KingOfTheHill);
        let comment = "Black resigns".to_owned();
        let result = GameResult::Win(Color::White);
        assert_eq!(read.ending, GameEnding::Announced { result, comment });
        let moves: Vec<_> = read
            .moves
            .iter()
            .map(|mv| (mv.elapsed.map(|elapsed| elapsed.as_millis()), mv.eval))
            .collect();
        assert_eq!(
            moves,
            [
                (Some(400), Some((Score::cp(31), 12))),
                (Some(1_500), None),
                (None, None),
                (Some(2_500), Some((Score::loss_in(6), 9))),
            ]
        );
        assert_eq!(read.own_moves(), [1, 2]);
    }

    #[test]
    fn contradictions_are_refused() {
        let error = |tags: &str, result: &str| {
            reread(&format!("{tags}\n\n1. e4 {result}")).unwrap_err().to_string()
        };
        assert_eq!(error("[Result \"1-0\"]", "0-1"), "it has two results");
        assert_eq!(error("[Variant \"5check\"]", "*"), "the variant 5check is unknown");
        assert_eq!(error("[Ending \"magic\"]", "1-0"), "its tag Ending is wrong: magic");
        for forfeit in ["White: magic", "Red: crash", "crash", "White: crash"] {
            let tag = format!("[Forfeit \"{forfeit}\"]");
            assert_eq!(error(&tag, "1-0"), format!("its tag Forfeit is wrong: {forfeit}"));
        }
        assert_eq!(reread("[Result \"*\"]\n\n*").unwrap().ending, GameEnding::Unfinished);
    }
}
