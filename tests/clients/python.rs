//! Other programs' client libraries drive the engine: python-chess, which lichess-bot uses, and the
//! part of PyChess that talks to engines. The scripts beside this file do the work.
//!
//! `TREBUCHET_PYTHON` names a Python that has python-chess; PyChess is Debian's package and runs under
//! the system's own.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use trebuchet::variants::VariantId;

use crate::process::ROOT;

/// Runs a command to its end. The command limits its own time.
fn run(command: &mut Command) {
    let output: Output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}

pub fn script(name: &str) -> String {
    let folder = Path::new(ROOT).join("tests/clients");
    folder.join(name).to_str().expect("the checkout has a plain path").to_owned()
}

/// The Python that has python-chess.
pub fn python() -> String {
    std::env::var("TREBUCHET_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// One scenario in every game. `protocol` is `cecp` or `uci`.
pub fn python_chess(protocol: &str, scenario: &str) {
    for variant in VariantId::ALL {
        let mut command = Command::new("timeout");
        command.args(["120", &python(), &script("python_chess.py")]);
        command.args([protocol, scenario, variant.name()]);
        run(command.arg(env!("CARGO_BIN_EXE_trebuchet")));
    }
}

fn pychess(arguments: &[&str]) {
    // Two commands that look for a free screen at the same time may choose the same one.
    static SCREEN: Mutex<()> = Mutex::new(());
    let _screen = SCREEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = Command::new("timeout");
    command.args(["120", "xvfb-run", "-a", "/usr/bin/python3", &script("pychess_engine.py")]);
    run(command.args(arguments).arg(env!("CARGO_BIN_EXE_trebuchet")));
}

macro_rules! python_chess_scenarios {
    ($protocol:ident: $($scenario:ident),+ $(,)?) => {
        mod $protocol {
            $(
                #[test]
                #[ignore = "needs python-chess"]
                fn $scenario() {
                    super::python_chess(stringify!($protocol), stringify!($scenario));
                }
            )+
        }
    };
}

python_chess_scenarios! {
    cecp: handshake, play, castling, limits, ponder, mates, analysis, options, opponent, takeback,
    bridge,
}

python_chess_scenarios! {
    uci: handshake, play, castling, limits, ponder, mates, analysis, options, opponent, takeback,
    bridge, evaluations, long_game,
}

#[test]
#[ignore = "needs PyChess and Xvfb"]
fn pychess_plays_chess() {
    pychess(&["game", "normal", "8"]);
}

#[test]
#[ignore = "needs PyChess and Xvfb"]
fn pychess_plays_three_check() {
    pychess(&["game", "3check", "8"]);
}

#[test]
#[ignore = "needs PyChess and Xvfb"]
fn pychess_analyses_chess() {
    pychess(&["analysis", "normal"]);
}

#[test]
#[ignore = "needs PyChess and Xvfb"]
fn pychess_analyses_three_check() {
    pychess(&["analysis", "3check"]);
}
