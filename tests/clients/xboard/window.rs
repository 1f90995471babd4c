//! xboard's window, used as a person uses it. xdotool moves the mouse and presses keys; the debug log
//! shows what xboard and the engine say to each other.

use std::path::PathBuf;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use trebuchet::types::Square;

use super::matches::{check_output, check_pings};
use crate::debug_log::{self, Direction, Engine};
use crate::display::{Display, Running, fresh_folder};

/// How long the effect of a click may take.
const PATIENCE: Duration = Duration::from_secs(15);

pub struct Window {
    xboard: Running,
    display: Display,
    log: PathBuf,
    /// The number of entries that [`Window::forget`] has left behind.
    seen: usize,
    /// The columns on each side of the board for the men in hand.
    holdings: i32,
}

/// The columns for the men in hand, in games that have them: the men, and their numbers.
const HOLDINGS: i32 = 2;

/// An entry of the Engine menu, by its place.
#[derive(Clone, Copy)]
pub enum EngineMenu {
    Settings = 3,
    Hint = 6,
    Book = 7,
}

impl Window {
    /// The pixel in the middle of a place, by its column and row. The lower left square begins near (28, 462), and a
    /// square is 50 pixels wide. With columns for men in hand the window is as wide, so the squares are smaller.
    fn pixel(&self, column: i32, row: i32) -> [i32; 2] {
        match self.holdings {
            0 => [28 + 50 * column, 462 - 50 * row],
            _ => [19 + 34 * column, 344 - 34 * row],
        }
    }

    /// The pixel in the middle of a square.
    fn middle(&self, square: &str) -> [i32; 2] {
        let square = Square::parse(square).expect("a square");
        self.pixel(self.holdings + i32::from(square.file()), i32::from(square.rank()))
    }

    /// Opens xboard with the engine and waits until both are ready.
    pub fn open(name: &str, arguments: &[&str]) -> Window {
        let folder = fresh_folder(name);
        let display = Display::start();
        let log = folder.join("log.debug");
        let mut xboard = display.command("xboard");
        xboard
            .current_dir(&folder)
            .args(["-fcp", concat!(env!("CARGO_BIN_EXE_trebuchet"), " --no-book")]);
        xboard.args([
            "-debug",
            "-nameOfDebugFile",
            "log.debug",
            "-size",
            "49",
            "-x",
            "0",
            "-y",
            "0",
        ]);
        xboard.args(["-saveSettingsOnExit", "false", "-soundProgram", "true"]);
        // The test does not depend on the settings of this machine.
        xboard.args(["-testLegality", "true", "-checkMates", "true", "-materialDraws", "true"]);
        xboard.args(["-startupMessage", "", "-showTargetSquares", "true"]);
        xboard.args(["-highlightDragging", "true"]);
        xboard.args(["-engineOutputUp", "false", "-moveHistoryUp", "false"]);
        // An analysis opens this window by itself; it must not cover the board.
        xboard.args(["-engineOutputX", "500", "-engineOutputY", "300"]);
        xboard.args(arguments);
        let xboard = Running::start(&mut xboard);
        let has_hands = arguments.contains(&"crazyhouse");
        let holdings = if has_hands { HOLDINGS } else { 0 };
        let window = Window { xboard, display, log, seen: 0, holdings };
        window.heard("ping ");
        window.said("pong ");
        window.xdotool(&["search", "--sync", "--onlyvisible", "--class", "xboard"]);
        window.rest();
        sleep(Duration::from_millis(500));
        window
    }

    /// Opens xboard with the engine at a position, in which White is to move.
    pub fn open_at(name: &str, variant: &str, fen: &str, arguments: &[&str]) -> Window {
        let position = fresh_folder(&format!("{name}_position")).join("start.fen");
        std::fs::write(&position, format!("{fen}\n")).expect("cargo's folder can be written");
        let position = position.to_str().expect("the checkout has a plain path");
        let at = ["-variant", variant, "-loadPositionFile", position, "-tc", "1", "-inc", "1"];
        let window = Window::open(name, &[&at, arguments].concat());
        window.heard(&format!("variant {variant}"));
        window
    }

    /// Opens a game by its name, with a clock, and waits until the engine knows it.
    pub fn open_game(name: &str, variant: &str) -> Window {
        let window = Window::open(name, &["-variant", variant, "-tc", "1", "-inc", "1"]);
        window.heard(&format!("variant {variant}"));
        window
    }

    /// Puts the mouse on the window beside the board. There is no window manager, so keys go to the
    /// window under the mouse.
    pub fn rest(&self) {
        let [x, y] = if self.holdings == 0 { ["410", "470"] } else { ["416", "350"] };
        self.xdotool(&["mousemove", x, y]);
    }

    /// Makes a move with the mouse, in coordinate notation.
    pub fn play(&self, mv: &str) {
        self.click(&mv[..2]);
        self.click(&mv[2..4]);
    }

    /// Makes these moves of both sides in xboard's mode Edit Game, each with the mouse; the engine hears them.
    pub fn edit_game(&self, moves: &[&str]) {
        self.keys(&["ctrl+e"]);
        self.heard("force");
        for mv in moves {
            self.play(mv);
            self.heard(&format!("usermove {mv}"));
        }
    }

    /// Goes back a move; the engine hears it.
    pub fn take_back(&mut self) {
        self.forget();
        self.keys(&["alt+Left"]);
        self.heard("undo");
    }

    /// Drags a man of White's from beside the board to a square. The pawns are in the lowest row, then come knights,
    /// bishops, rooks and queens.
    pub fn drop(&self, row: i32, square: &str) {
        let from = self.pixel(2 * HOLDINGS + 7, row);
        let [x, y] = from.map(|pixels| pixels.to_string());
        let [to_x, to_y] = self.middle(square).map(|pixels| pixels.to_string());
        self.xdotool(&["mousemove", &x, &y, "mousedown", "1"]);
        self.xdotool(&["mousemove", &to_x, &to_y, "mouseup", "1"]);
        sleep(Duration::from_millis(200));
    }

    /// Clicks on a square.
    pub fn click(&self, square: &str) {
        let [x, y] = self.middle(square).map(|pixels| pixels.to_string());
        self.xdotool(&["mousemove", &x, &y, "click", "1"]);
        sleep(Duration::from_millis(200));
    }

    /// The colour in the middle of a square, as `#RRGGBB`.
    pub fn color(&self, square: &str) -> String {
        let [x, y] = self.middle(square);
        let mut command = self.display.command("import");
        command.args(["-window", "root", "-crop", &format!("1x1+{x}+{y}"), "-depth", "8", "txt:-"]);
        let text =
            command.stdout(Stdio::piped()).output().expect("ImageMagick is installed").stdout;
        let text = String::from_utf8_lossy(&text).into_owned();
        let color = text.split_whitespace().find(|word| word.starts_with('#') && word.len() == 7);
        color.unwrap_or_else(|| panic!("no colour in {text}")).to_owned()
    }

    /// Presses keys, named as X names them.
    pub fn keys(&self, keys: &[&str]) {
        self.xdotool(&[&["key", "--delay", "60"], keys].concat());
    }

    /// Chooses from the Engine menu, which has no keys of its own.
    pub fn choose(&self, entry: EngineMenu) {
        let down = vec!["Down"; entry as usize];
        self.keys(&["alt+n"]);
        sleep(Duration::from_millis(300));
        self.keys(&[down.as_slice(), &["Return"]].concat());
    }

    /// Closes the message that xboard shows in the corner.
    pub fn close_message(&self) {
        sleep(Duration::from_millis(500));
        self.xdotool(&["mousemove", "20", "20"]);
        self.keys(&["Return"]);
        self.rest();
    }

    /// Waits until xboard says to the engine a line that begins like this, and returns it.
    pub fn heard(&self, start: &str) -> String {
        self.wait_for(Direction::ToEngine, start)
    }

    /// Waits until the engine says a line that begins like this, and returns it.
    pub fn said(&self, start: &str) -> String {
        self.wait_for(Direction::FromEngine, start)
    }

    /// Waits until this text is in xboard's log, in any line.
    pub fn xboard_notes(&self, text: &str) {
        let begin = Instant::now();
        let log = || std::fs::read(&self.log).unwrap_or_default();
        while !String::from_utf8_lossy(&log()).contains(text) {
            assert!(begin.elapsed() < PATIENCE, "no `{text}` in {}", self.log.display());
            sleep(Duration::from_millis(50));
        }
    }

    /// The engine's lines since [`Window::forget`].
    pub fn all_said(&self) -> Vec<String> {
        self.lines(Direction::FromEngine)
    }

    /// The other functions ignore the lines up to now.
    pub fn forget(&mut self) {
        self.seen = self.entries().len();
    }

    /// The engine's processor time.
    pub fn cpu_time(&self) -> Duration {
        self.xboard.children_cpu_time()
    }

    /// Closes the window as a person does, and checks all lines of the engine.
    pub fn close(mut self) {
        self.keys(&["ctrl+q"]);
        let status = self.xboard.wait(PATIENCE).expect("xboard ends");
        assert!(status.success());
        let entries = self.entries();
        check_output(&entries);
        check_pings(&entries);
    }

    fn wait_for(&self, direction: Direction, start: &str) -> String {
        let begin = Instant::now();
        loop {
            let lines = self.lines(direction);
            if let Some(line) = lines.iter().find(|line| line.starts_with(start)) {
                return line.clone();
            }
            let log = self.log.display();
            assert!(begin.elapsed() < PATIENCE, "no `{start}` in {log} after {lines:?}");
            sleep(Duration::from_millis(50));
        }
    }

    fn lines(&self, direction: Direction) -> Vec<String> {
        let entries = self.entries();
        let new = &entries[self.seen.min(entries.len())..];
        debug_log::said(new, Engine::First, direction).map(str::to_owned).collect()
    }

    fn entries(&self) -> Vec<debug_log::Entry> {
        let log = std::fs::read(&self.log).unwrap_or_default();
        // xboard may be about to write the rest of the last line.
        let whole = log.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        debug_log::read(&log[..whole])
    }

    /// Runs xdotool on this screen.
    pub fn xdotool(&self, arguments: &[&str]) {
        let mut command = self.display.command("xdotool");
        let status = Running::start(command.args(arguments)).wait(PATIENCE);
        assert!(status.is_some_and(|status| status.success()), "xdotool {arguments:?}");
    }
}
