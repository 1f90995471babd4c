//! A match between the engine and another, run by xboard, and the checks that follow it.

use std::time::Duration;

use trebuchet::board::{Position, Rules};
use trebuchet::cecp::wire::{Reply, traps};
use trebuchet::for_variant;
use trebuchet::notation::pgn;
use trebuchet::types::{Color, GameResult};
use trebuchet::variants::VariantId;

use crate::debug_log::{self, Direction, Engine, Entry};
use crate::display::{Display, Running, fresh_folder};

/// Fairy-Max, as long as it does not crash by itself.
pub const FAIRYMAX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/clients/fairymax.sh");

/// The engine under test and its arguments are the first engine, the opponent is the second.
pub struct Match {
    pub name: &'static str,
    pub arguments: &'static str,
    pub opponent: &'static str,
    pub variant: &'static str,
    pub games: usize,
    /// xboard's options for the clock and for games whose rules it does not know.
    pub options: &'static [&'static str],
}

/// The games and the log of a match.
pub struct Record {
    pub games: Vec<pgn::PgnGame>,
    pub log: Vec<Entry>,
    /// The whole log, with xboard's own notes.
    pub raw: String,
}

/// Words in the comment at the end of a game by which xboard says that an engine broke the rules of
/// the game or of the protocol.
const FAULTS: [&str; 7] =
    ["orfeit", "False", "llegal", "exited", "Error", "disconnect", "unfinished"];
/// The words by which xboard says that a side has no time left. On a busy machine this happens to
/// opponents.
const TIME_LOSS: &str = "on time";
/// The first word of the engine's name.
const OUR_NAME: &str = "Trebuchet";

impl Match {
    /// Plays the match. Every engine is held to its clock, and claims are checked.
    pub fn play(&self) -> Record {
        let folder = fresh_folder(self.name);
        let display = Display::start();
        let engine = format!("{} {}", env!("CARGO_BIN_EXE_trebuchet"), self.arguments);
        let mut xboard = display.command("xboard");
        xboard.current_dir(&folder);
        xboard.args(["-fcp", engine.trim_end(), "-scp", self.opponent, "-mm"]);
        xboard.args(["-mg", &self.games.to_string(), "-variant", self.variant]);
        xboard.args(["-saveGameFile", "games.pgn", "-debug", "-nameOfDebugFile", "log.debug"]);
        xboard.args(["-xexit", "-noGUI", "-matchPause", "100", "-saveSettingsOnExit", "false"]);
        xboard.args(["-soundProgram", "true", "-autoCallFlag", "true", "-testClaims", "true"]);
        xboard.args(["-checkMates", "true", "-materialDraws", "true", "-testLegality", "true"]);
        xboard.args(self.options);
        // Far longer than long games on a busy machine take.
        let status = Running::start(&mut xboard).wait(Duration::from_secs(600));

        let bytes = std::fs::read(folder.join("log.debug")).expect("xboard wrote its log");
        let status = status.unwrap_or_else(|| panic!("{}: the match hangs", folder.display()));
        assert!(status.success(), "{}: {status}", folder.display());
        let text = std::fs::read_to_string(folder.join("games.pgn")).expect("xboard saved games");
        Record {
            games: pgn::read(&text).collect(),
            log: debug_log::read(&bytes),
            raw: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// Plays the match and makes the checks that every match must pass.
    pub fn play_and_check(&self) -> Record {
        let record = self.play();
        assert_eq!(record.games.len(), self.games, "{}: games in the PGN", self.name);
        for game in &record.games {
            self.check_game(game);
        }
        check_output(&record.log);
        check_pings(&record.log);
        for complaint in ["Ignoring extra move from first", "Undoing"] {
            assert!(!record.raw.contains(complaint), "{}: {complaint}", self.name);
        }
        record
    }

    fn check_game(&self, game: &pgn::PgnGame) {
        let variant = if self.variant == "normal" { None } else { Some(self.variant) };
        assert_eq!(game.tag("Variant"), variant, "{}: another game was played", self.name);
        assert_ne!(game.result, GameResult::Unfinished, "{}", self.name);
        assert_eq!(game.tag("Result"), Some(game.result.token()));
        let end = game.moves.last().and_then(|mv| mv.comment.as_deref()).unwrap_or_default();
        for fault in FAULTS {
            assert!(!end.contains(fault), "{}: {end}", self.name);
        }
        let loser = match game.result {
            GameResult::Win(Color::White) => game.tag("Black"),
            GameResult::Win(Color::Black) => game.tag("White"),
            GameResult::Draw | GameResult::Unfinished => None,
        };
        let have_we_lost = loser.is_some_and(|name| name.starts_with(OUR_NAME));
        assert!(!(end.contains(TIME_LOSS) && have_we_lost), "{}: {end}", self.name);
        let id = VariantId::from_name(self.variant).expect("a game of ours");
        let outcome = for_variant!(id, V => final_position::<V>(game).outcome());
        if let Some(outcome) = outcome {
            assert_eq!(game.result, GameResult::from(outcome), "{}: {outcome}", self.name);
        }
    }
}

/// The position at the end of a game.
pub fn final_position<R: Rules>(game: &pgn::PgnGame) -> Position<R> {
    let (mut pos, moves) = game.replay().unwrap_or_else(|error| panic!("{error}: {game}"));
    moves.into_iter().for_each(|mv| pos.make_move(mv));
    pos
}

/// xboard understands every line of ours, and none is a complaint.
pub fn check_output(log: &[Entry]) {
    for line in debug_log::said(log, Engine::First, Direction::FromEngine) {
        traps::check(line).unwrap_or_else(|trap| panic!("{line:?}: {trap}"));
        let reply = Reply::parse(line.as_bytes());
        let complaint = matches!(
            reply,
            Reply::IllegalMove { .. } | Reply::Error { .. } | Reply::TellUserError(_)
        );
        assert!(!complaint && !line.contains("the search has failed"), "{line}");
    }
}

/// Every ping is answered, in order and once.
pub fn check_pings(log: &[Entry]) {
    let numbers = |direction, word: &str| -> Vec<u32> {
        debug_log::said(log, Engine::First, direction)
            .filter_map(|line| line.strip_prefix(word)?.trim().parse().ok())
            .collect()
    };
    let pings = numbers(Direction::ToEngine, "ping ");
    let pongs = numbers(Direction::FromEngine, "pong ");
    // xboard does not read on after the end of the last game.
    assert!(pings.starts_with(&pongs) && pings.len() <= pongs.len() + 1, "{pings:?} {pongs:?}");
    assert!(!pongs.is_empty());
}
