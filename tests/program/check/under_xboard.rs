//! Games under a real xboard: Debian's engines and our own stages without an alarm, and broken bots.

use std::path::PathBuf;
use std::time::Duration;

use super::{Checked, TREBUCHET, bad_bot};
use crate::display::{Display, Running, fresh_folder};

/// A match under xboard.
struct Match<'a> {
    name: &'a str,
    engines: [&'a str; 2],
    variant: &'a str,
    games: usize,
    more: &'a [&'a str],
}

impl Match<'_> {
    /// Plays the match and returns its log and its PGN file.
    fn play(&self) -> [PathBuf; 2] {
        let folder = fresh_folder(&format!("check_{}", self.name));
        let display = Display::start();
        let mut xboard = display.command("xboard");
        let [first, second] = self.engines;
        xboard.current_dir(&folder).args(["-fcp", first, "-scp", second, "-mm"]);
        xboard.args(["-mg", &self.games.to_string(), "-variant", self.variant]);
        xboard.args(["-saveGameFile", "games.pgn", "-debug", "-nameOfDebugFile", "log.debug"]);
        xboard.args(["-xexit", "-noGUI", "-matchPause", "100", "-saveSettingsOnExit", "false"]);
        xboard.args(["-soundProgram", "true", "-autoCallFlag", "true", "-testClaims", "true"]);
        xboard.args(["-checkMates", "true", "-materialDraws", "true", "-testLegality", "true"]);
        xboard.args(["-xponder"]).args(self.more);
        let status = Running::start(&mut xboard).wait(Duration::from_secs(900));
        assert!(status.is_some(), "{}: the match hangs", folder.display());
        ["log.debug", "games.pgn"].map(|file| folder.join(file))
    }

    /// Neither engine breaks an item, in the log and in the PGN file.
    fn is_clean(&self, stage: &str) {
        let [log, pgn] = self.play();
        let both = if stage == "full" { "both" } else { "first" };
        let checked = Checked::of(&["--engine", both, "--stage", stage], &[log]);
        assert_eq!((checked.code, checked.errors.as_str()), (Some(0), ""), "{checked:#?}");
        let games = format!(": {} games, ", self.games);
        assert!(checked.text.contains(&games), "{}", checked.text);
        let checked = Checked::of(&[], &[pgn]);
        assert_eq!((checked.code, checked.errors.as_str()), (Some(0), ""), "{checked:#?}");
    }
}

const CLOCK: &[&str] = &["-tc", "1:00", "-inc", "2", "-depth", "4"];

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn debians_engines_are_clean() {
    // Phalanx does not obey `sd`, so its games take as long as the clock lets them. The increment leaves
    // it a reserve on a slow machine.
    let more = &["-tc", "0:30", "-inc", "1", "-depth", "4"];
    let engines = ["phalanx", "fairymax"];
    Match { name: "phalanx_fairymax", engines, variant: "normal", games: 2, more }.is_clean("full");
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn our_stages_are_clean() {
    for variant in ["normal", "3check", "fischerandom", "kingofthehill"] {
        for (stage, arguments) in [
            ("pawns", "--stage pawns --seed 1"),
            ("random", "--stage random --seed 1"),
            ("full", "--no-book"),
        ] {
            let name = format!("{variant}_{stage}");
            let engine = format!("{TREBUCHET} {arguments}");
            let opponent = format!("{TREBUCHET} --stage random --seed 2");
            let engines = [engine.as_str(), opponent.as_str()];
            Match { name: &name, engines, variant, games: 2, more: CLOCK }.is_clean(stage);
        }
    }
}

/// The items that a bot with a vice breaks under xboard.
fn caught(stage: &str, vice: &str, fen: Option<&str>, clock: &[&str]) -> Checked {
    let program = std::env::current_exe().unwrap();
    let bot = |description: &str| {
        let program = program.display();
        format!("env {}={description} {program} --exact bad_bot --nocapture", bad_bot::VARIABLE)
    };
    let (first, second) = (bot(&format!("{stage}:{vice}")), bot("full:none"));
    let name = format!("{stage}_{vice}");
    let position = fresh_folder(&format!("check_position_{name}")).join("start.fen");
    let mut more = clock.to_vec();
    if let Some(fen) = fen {
        std::fs::write(&position, format!("{fen}\n")).unwrap();
        more.extend(["-loadPositionFile", position.to_str().unwrap()]);
    }
    let engines = [first.as_str(), second.as_str()];
    let [log, _] = Match { name: &name, engines, variant: "normal", games: 2, more: &more }.play();
    Checked::of(&["--stage", stage], &[log])
}

#[test]
#[ignore = "needs xboard, Xvfb and Debian's engines"]
fn broken_bots_are_caught_under_xboard() {
    let short: &[&str] = &["-tc", "0:02", "-inc", "0"];
    let promotion = Some("7k/1P4pp/8/8/8/8/1p4PP/7K w - - 0 1");
    let last_pawn = Some("7k/8/p7/8/p7/P7/8/7K w - - 0 1");
    for (stage, vice, fen, clock, item) in [
        ("full", "illegal", None, CLOCK, "legal-moves"),
        ("full", "castles-wrongly", None, CLOCK, "legal-moves"),
        ("full", "late", None, short, "clock"),
        ("pawns", "underpromotes", promotion, CLOCK, "promotes-to-queen"),
        ("pawns", "moves-without-pawns", last_pawn, CLOCK, "resigns-without-pawn-move"),
        ("pawns", "silent-without-pawns", last_pawn, short, "resigns-without-pawn-move"),
        ("pawns", "moves-pieces", None, CLOCK, "pawns-only"),
        ("full", "claims-draw", None, CLOCK, "result-claims"),
        ("pawns", "plays-on", last_pawn, CLOCK, "moves-on-turn"),
        ("full", "refuses", None, CLOCK, "accepts-legal-moves"),
    ] {
        let checked = caught(stage, vice, fen, clock);
        assert_eq!(checked.broken(), [item], "{vice}: {checked:#?}");
    }
    let clean = caught("pawns", "none", last_pawn, CLOCK);
    assert_eq!(clean.broken(), Vec::<&str>::new(), "{clean:#?}");
}
