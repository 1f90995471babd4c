//! A second engine that is asked for the solutions.

use std::collections::HashSet;
use std::mem;
use std::time::Duration;

use crate::arena::engines::{
    self, Action, Answer, EngineError, EngineLimits, EngineSpec, GameStart, Player, PlayerClock,
    Reuse, StopSignal, Timeouts, Turn, detect,
};
use trebuchet::play::Puzzle;
use trebuchet::types::{Color, GameResult};
use trebuchet::variants::VariantId;

/// The second engine may take so long for a move.
const PATIENCE: Duration = Duration::from_secs(600);

/// An engine that searches a fixed number of nodes for a move.
pub struct SecondEngine {
    /// Describes the engine, with its protocol.
    spec: EngineSpec,
    engine: Box<dyn Player>,
    variant: VariantId,
    limits: EngineLimits,
    /// The next question needs a new process.
    needs_restart: bool,
    /// What the user should know about the engine, and has not been told.
    remarks: Vec<String>,
    /// All remarks so far.
    known: HashSet<String>,
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
        let mut spec = spec.clone();
        detect::complete(&mut spec, Timeouts::default(), &StopSignal::default())?;
        let engine = start_process(&spec)?;
        let limits = EngineLimits { nodes: Some(nodes), ..EngineLimits::default() };
        Ok(SecondEngine {
            spec,
            engine,
            variant,
            limits,
            needs_restart: false,
            remarks: Vec::new(),
            known: HashSet::new(),
        })
    }

    /// What the user should know about the engine, each thing once: options that it does not declare,
    /// limits that it may ignore, and what it says itself.
    pub fn take_remarks(&mut self) -> Vec<String> {
        mem::take(&mut self.remarks)
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
        let answer = self.ask(fen, color);
        for remark in self.engine.take_remarks() {
            if self.known.insert(remark.clone()) {
                self.remarks.push(format!("{} {remark}", self.spec.label()));
            }
        }
        Ok(match answer?.action {
            Action::Move(text) => text,
            _ => String::new(),
        })
    }

    fn ask(&mut self, fen: &str, color: Color) -> Result<Answer, EngineError> {
        if self.needs_restart {
            self.engine.quit();
            self.engine = start_process(&self.spec)?;
        }
        let (variant, limits) = (self.variant, &self.limits);
        let start = GameStart { variant, fen: Some(fen), color, opponent: "Trebuchet", limits };
        self.engine.start_game(&start)?;
        let clock = PlayerClock::new(limits.time_control);
        let (own_clock, opponent_clock) = (&clock, &clock);
        let turn = Turn { moves: &[], own_clock, opponent_clock, timeout: PATIENCE };
        let answer = self.engine.choose(&turn)?;
        let reuse = self.engine.end_game(GameResult::Unfinished, "")?;
        self.needs_restart = reuse == Reuse::Restart;
        Ok(answer)
    }
}

fn start_process(spec: &EngineSpec) -> Result<Box<dyn Player>, EngineError> {
    engines::start(spec, Timeouts::default(), StopSignal::default(), None)
}

impl Drop for SecondEngine {
    fn drop(&mut self) {
        self.engine.quit();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::arena::engines::Protocol;
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

    /// A puzzle that the rook solves by mate.
    fn puzzle(variant: VariantId) -> Puzzle {
        let text = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 bm Rd8#; pv Rd8#; rating 900;";
        let epd = Epd::parse_file(text).next().unwrap().unwrap();
        Puzzle::read(&epd, variant).unwrap()
    }

    #[test]
    fn the_engine_is_asked_for_its_protocol() {
        let variant = VariantId::Standard;
        let puzzle = puzzle(variant);
        for (mv, agrees) in [("d1d8", true), ("d1d7", false)] {
            let command = ["sh", "-c", SCRIPT, mv].map(str::to_owned).to_vec();
            let spec = EngineSpec { command, ..EngineSpec::default() };
            let mut engine = SecondEngine::start(&spec, variant, 1_000).unwrap();
            assert_eq!(engine.agrees(&puzzle).unwrap(), agrees, "{mv}");
        }
    }

    #[test]
    fn what_the_user_should_know_is_told() {
        let variant = VariantId::KingOfTheHill;
        let puzzle = puzzle(variant);
        let command = ["sh", "-c", SCRIPT, "d1d8"].map(str::to_owned).to_vec();
        let spec = EngineSpec { name: Some("second".to_owned()), command, ..EngineSpec::default() };
        let mut engine = SecondEngine::start(&spec, variant, 1_000).unwrap();
        assert!(engine.agrees(&puzzle).unwrap());
        let told = "second declares no option `UCI_Variant`, so it may not play kingofthehill";
        assert_eq!(engine.take_remarks(), [told]);
    }

    /// The engine can play one game alone: in a second one it plays another move. What each process says
    /// is told once.
    #[test]
    fn an_engine_for_one_game_is_started_anew() {
        const ONE_GAME: &str = "games=0
        while read -r line; do
            case $line in
                protover*) echo feature ping=1 setboard=1 reuse=0 done=1;;
                ping*) echo \"pong ${line#ping }\";;
                new) games=$((games + 1));;
                go) if [ $games = 1 ]; then echo move d1d8; else echo move d1d7; fi;;
                quit) exit;;
            esac
        done";
        let variant = VariantId::Standard;
        let puzzle = puzzle(variant);
        let command = ["sh", "-c", ONE_GAME].map(str::to_owned).to_vec();
        let spec = EngineSpec { command, protocol: Some(Protocol::Cecp), ..EngineSpec::default() };
        let mut engine = SecondEngine::start(&spec, variant, 1_000).unwrap();
        for remarks in [1, 0] {
            assert!(engine.agrees(&puzzle).unwrap());
            assert_eq!(engine.take_remarks().len(), remarks);
        }
    }
}
