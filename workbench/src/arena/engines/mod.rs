//! Drives engines as child processes: the GUI's side of CECP and UCI.
//!
//! Has no board. Its users decide whether a move is legal or a claim is true.

mod cecp;
pub mod connection;
pub mod detect;
mod features;
pub mod limits;
pub mod log_writer;
pub mod player;
pub mod process;
pub mod spec;
mod stop_signal;
mod uci;

pub use cecp::LONG_START;
pub use connection::Transcript;
pub use connection::cecp::{CecpConnection, CecpPeer};
pub use connection::uci::{UciConnection, UciPeer};
pub use features::Features;
pub use limits::{EngineLimits, Period, PlayerClock, TimeControl};
pub use log_writer::LogHandle;
pub use player::{Action, Answer, GameStart, Player, Reuse, Thought, Timeouts, Turn};
pub use process::{Awaited, EngineError, EngineLine, Process, Stderr};
pub use spec::{EngineSpec, Protocol};
pub use stop_signal::StopSignal;
pub use trebuchet::protocol::dialect::{FenDialect, MoveText, VariantNames};

use cecp::CecpEngine;
use uci::UciEngine;

/// Starts an engine and completes the handshake of its protocol; without one, that of CECP.
///
/// # Errors
/// If the process cannot be started, ends, or does not complete the handshake in time, or the stop signal
/// is given.
pub fn start(
    spec: &EngineSpec,
    timeouts: Timeouts,
    stop: StopSignal,
    log: Option<LogHandle>,
) -> Result<Box<dyn Player>, EngineError> {
    let mut process = Process::start(spec, Stderr::Remember, stop)?;
    process.set_log(log);
    Ok(match spec.protocol {
        None | Some(Protocol::Cecp) => Box::new(CecpEngine::start(process, spec, timeouts)?),
        Some(Protocol::Uci) => Box::new(UciEngine::start(process, spec, timeouts)?),
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use trebuchet::types::{Color, GameResult};
    use trebuchet::variants::VariantId;

    const MINUTE: Duration = Duration::from_secs(60);

    /// An engine that writes what it hears into a file and answers just enough to play a move.
    const SCRIPT: &str = "while read -r line; do
        echo \"$line\" >> \"$0\"
        case $line in
            protover*) echo feature ping=1 setboard=1 done=1;;
            ping*) echo \"pong ${line#ping }\";;
            uci) echo uciok;;
            isready) echo readyok;;
            go) echo move e2e4;;
            go*) echo bestmove e2e4;;
            quit) exit;;
        esac
    done";

    /// Plays a game of one move with each of these limits, all in the same process. Returns the lines
    /// that the engine got from the start of the first game to the end of the last.
    fn heard(protocol: Protocol, games: &[EngineLimits]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("heard");
        let command = ["sh", "-c", SCRIPT, file.to_str().unwrap()].map(str::to_owned).to_vec();
        // These limits are for games without their own.
        let limits = EngineLimits { depth: Some(99), ..EngineLimits::default() };
        let spec =
            EngineSpec { command, protocol: Some(protocol), limits, ..EngineSpec::default() };
        let timeouts = Timeouts { start: MINUTE, answer: MINUTE, quit: MINUTE };
        let mut engine = start(&spec, timeouts, StopSignal::default(), None).unwrap();
        for limits in games {
            let game = GameStart {
                variant: VariantId::Standard,
                fen: None,
                color: Color::White,
                opponent: "somebody",
                limits,
            };
            engine.start_game(&game).unwrap();
            let clock = PlayerClock::new(limits.time_control);
            let (own_clock, opponent_clock) = (&clock, &clock);
            let turn = Turn { moves: &[], own_clock, opponent_clock, timeout: MINUTE };
            let answer = engine.choose(&turn).unwrap();
            assert_eq!(answer.action, Action::Move("e2e4".to_owned()));
            assert_eq!(engine.end_game(GameResult::Draw, "").unwrap(), Reuse::Keep);
        }
        engine.quit();
        fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
    }

    /// A clock, a time for each move, and nodes with a depth.
    fn three_kinds_of_limits() -> [EngineLimits; 3] {
        let of =
            |tc: &str| EngineLimits { time_control: tc.parse().unwrap(), ..Default::default() };
        [of("40/60+1"), of("1/5"), EngineLimits { nodes: Some(700), depth: Some(9), ..of("inf") }]
    }

    #[test]
    fn each_game_over_cecp_has_its_own_limits() {
        let mut lines = heard(Protocol::Cecp, &three_kinds_of_limits());
        lines.retain(|line| {
            let word = line.split(' ').next().unwrap_or_default();
            ["new", "level", "st", "nps", "sd"].contains(&word)
        });
        let expected = ["new", "level 40 1 1", "new", "st 5", "new", "st 1", "nps 700", "sd 9"];
        assert_eq!(lines, expected);
    }

    #[test]
    fn each_game_over_uci_has_its_own_limits() {
        let mut lines = heard(Protocol::Uci, &three_kinds_of_limits());
        lines.retain(|line| line.starts_with("go"));
        let clock = "go wtime 60000 winc 1000 btime 60000 binc 1000 movestogo 40";
        assert_eq!(lines, [clock, "go movetime 5000", "go depth 9 nodes 700"]);
    }
}
