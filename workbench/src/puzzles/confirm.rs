//! A second engine that is asked for the solutions.

use std::time::Duration;

use crate::arena::engines::{
    self, Action, EngineError, EngineLimits, EngineSpec, GameStart, Player, PlayerClock,
    StopSignal, Timeouts, Turn, detect,
};
use trebuchet::play::Puzzle;
use trebuchet::types::{Color, GameResult};
use trebuchet::variants::VariantId;

/// The second engine may take so long for a move.
const PATIENCE: Duration = Duration::from_secs(600);

/// An engine that searches a fixed number of nodes for a move.
pub struct SecondEngine {
    engine: Box<dyn Player>,
    variant: VariantId,
    limits: EngineLimits,
}

impl SecondEngine {
    /// Starts the engine. If its description names no protocol, it is asked for it first.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        spec: &EngineSpec,
        variant: VariantId,
        nodes: u64,
    ) -> Result<SecondEngine, EngineError> {
        let (mut spec, timeouts, stop) = (spec.clone(), Timeouts::default(), StopSignal::default());
        detect::complete(&mut spec, timeouts, &stop)?;
        let engine = engines::start(&spec, timeouts, stop, None)?;
        let limits = EngineLimits { nodes: Some(nodes), ..EngineLimits::default() };
        Ok(SecondEngine { engine, variant, limits })
    }

    /// Does the engine choose every move of the solver?
    ///
    /// # Errors
    /// If it fails, or does not play the variant.
    pub fn agrees(&mut self, puzzle: &Puzzle) -> Result<bool, EngineError> {
        let mut game = puzzle.start(self.variant);
        for moves in puzzle.moves(self.variant).chunks(2) {
            let chosen = self.choose(&game.fen(), game.side_to_move())?;
            if game.parse_move(&chosen).ok() != Some(moves[0]) {
                return Ok(false);
            }
            moves.iter().for_each(|&mv| game.play(mv));
        }
        Ok(true)
    }

    /// The move that the engine writes; empty if it does something else than to move.
    fn choose(&mut self, fen: &str, color: Color) -> Result<String, EngineError> {
        let (variant, limits) = (self.variant, &self.limits);
        let start = GameStart { variant, fen: Some(fen), color, opponent: "Trebuchet", limits };
        self.engine.start_game(&start)?;
        let clock = PlayerClock::new(limits.time_control);
        let (own_clock, opponent_clock) = (&clock, &clock);
        let turn = Turn { moves: &[], own_clock, opponent_clock, timeout: PATIENCE };
        let answer = self.engine.choose(&turn)?;
        self.engine.end_game(GameResult::Unfinished, "")?;
        Ok(match answer.action {
            Action::Move(text) => text,
            _ => String::new(),
        })
    }
}

impl Drop for SecondEngine {
    fn drop(&mut self) {
        self.engine.quit();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use trebuchet::notation::Epd;

    /// An engine that speaks UCI alone, and mates or does not.
    const SCRIPT: &str = "while read -r line; do
        case $line in
            uci) echo uciok;;
            isready) echo readyok;;
            go*) echo bestmove $0;;
            quit) exit;;
            *) echo unknown command: $line;;
        esac
    done";

    #[test]
    fn the_engine_is_asked_for_its_protocol() {
        let text = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 bm Rd8#; pv Rd8#; rating 900;";
        let variant = VariantId::Standard;
        let epd = Epd::parse_file(text).next().unwrap().unwrap();
        let puzzle = Puzzle::read(&epd, variant).unwrap();
        for (mv, agrees) in [("d1d8", true), ("d1d7", false)] {
            let command = ["sh", "-c", SCRIPT, mv].map(str::to_owned).to_vec();
            let spec = EngineSpec { command, ..EngineSpec::default() };
            let mut engine = SecondEngine::start(&spec, variant, 1_000).unwrap();
            assert_eq!(engine.agrees(&puzzle).unwrap(), agrees, "{mv}");
        }
    }
}
