//! The list of the options.

use std::time::Duration;

use super::{Button, EngineOption, HeatDisplay, Kind, Protocols, uci_variants};
use crate::eval::EvalKind;
use crate::play::{
    DrawPolicy, GREATEST_LIMITED_ELO, MAX_HASH, MAX_SEED, MAX_THREADS, SkillLevel, Stage,
};
use crate::skill::LEAST_ELO;

/// The option whose ratings are kept in a file.
pub(super) const ADAPTIVE: &str = "Adaptive";

/// Every option, in the order in which a GUI shows them.
pub const TABLE: &[EngineOption] = &[
    EngineOption {
        name: "Stage",
        protocols: Protocols::Both,
        help: "how moves are chosen: pawns only, at random, or by searching",
        kind: Kind::Combo {
            choices: || Stage::ALL.map(Stage::name).to_vec(),
            get: |settings| {
                Stage::ALL.iter().position(|&stage| stage == settings.engine.stage).unwrap_or(0)
            },
            set: |settings, index| settings.engine.stage = Stage::ALL[index],
        },
    },
    EngineOption {
        name: "Level",
        protocols: Protocols::Both,
        help: "how strong the engine plays, if no Strength is set; Master is its full strength",
        kind: Kind::Combo {
            choices: || SkillLevel::ALL.map(SkillLevel::name).to_vec(),
            get: |settings| settings.engine.level as usize,
            set: |settings, index| settings.engine.level = SkillLevel::ALL[index],
        },
    },
    EngineOption {
        name: "Strength",
        protocols: Protocols::Cecp,
        help: "how strong the engine plays, in Elo from 100 on; 0 leaves that to the level",
        kind: Kind::Spin {
            min: 0,
            max: GREATEST_LIMITED_ELO as i64,
            get: |settings| i64::from(settings.engine.strength),
            set: |settings, elo| settings.engine.strength = elo as u32,
        },
    },
    EngineOption {
        name: ADAPTIVE,
        protocols: Protocols::Cecp,
        help: "the strength follows your results from game to game, whatever Level and Strength say, separately for each variant",
        kind: Kind::Check(|settings| &mut settings.engine.adaptive),
    },
    EngineOption {
        name: "ResetRating",
        protocols: Protocols::Cecp,
        help: "forgets the results that Adaptive follows",
        kind: Kind::Press(Button::ResetRating),
    },
    EngineOption {
        name: "HumanTime",
        protocols: Protocols::Cecp,
        help: "at a level up to 1800 Elo, takes a human time for moves against a person",
        kind: Kind::Check(|settings| &mut settings.engine.human_time),
    },
    EngineOption {
        name: "Seed",
        protocols: Protocols::Both,
        help: "makes the stage `random`, the levels and the choice among book moves repeatable; 0 makes every run different",
        kind: Kind::Spin {
            min: 0,
            max: MAX_SEED as i64,
            get: |settings| settings.engine.seed as i64,
            set: |settings, seed| settings.engine.seed = seed as u64,
        },
    },
    EngineOption {
        name: "Coach",
        protocols: Protocols::Cecp,
        help: "helps a learner: verdicts on moves, reasons of hints, contested squares",
        kind: Kind::Check(|settings| &mut settings.session.coach),
    },
    EngineOption {
        name: "HeatMap",
        protocols: Protocols::Cecp,
        help: "what the coach's colours show: the contested squares of the position or of the whole game",
        kind: Kind::Combo {
            choices: || HeatDisplay::ALL.map(HeatDisplay::name).to_vec(),
            get: |settings| settings.session.heat_map as usize,
            set: |settings, index| settings.session.heat_map = HeatDisplay::ALL[index],
        },
    },
    EngineOption {
        name: "PopupVerdicts",
        protocols: Protocols::Cecp,
        help: "shows the coach's verdicts on bad moves in a window, too",
        kind: Kind::Check(|settings| &mut settings.session.popup_verdicts),
    },
    EngineOption {
        name: "TellMistakes",
        protocols: Protocols::Cecp,
        help: "at a level, the coach says after a mistake of the engine what you could win",
        kind: Kind::Check(|settings| &mut settings.session.tells_mistakes),
    },
    EngineOption {
        name: "OwnBook",
        protocols: Protocols::Both,
        help: "plays the opening from the engine's book",
        kind: Kind::Check(|settings| &mut settings.engine.book.is_used),
    },
    EngineOption {
        name: "BookFile",
        protocols: Protocols::Both,
        help: "Polyglot file with the book; empty for the built-in books",
        kind: Kind::File(|settings| &mut settings.engine.book.file),
    },
    EngineOption {
        name: "BookVariety",
        protocols: Protocols::Both,
        help: "0 always plays the heaviest book move, 50 chooses by weight, 100 all moves alike",
        kind: Kind::Spin {
            min: 0,
            max: 100,
            get: |settings| i64::from(settings.engine.book.variety),
            set: |settings, variety| settings.engine.book.variety = variety as u8,
        },
    },
    EngineOption {
        name: "Hash",
        protocols: Protocols::Both,
        help: "size of the transposition table in MiB; `memory` sets the same",
        kind: Kind::Spin {
            min: 1,
            max: MAX_HASH as i64,
            get: |settings| settings.engine.hash as i64,
            set: |settings, mebibytes| settings.engine.hash = mebibytes as usize,
        },
    },
    EngineOption {
        name: "ClearHash",
        protocols: Protocols::Named("Clear Hash"),
        help: "forgets what earlier searches have found",
        kind: Kind::Press(Button::ClearHash),
    },
    EngineOption {
        name: "Ponder",
        protocols: Protocols::Both,
        help: "thinks on the opponent's time, when the GUI has pondering on as well",
        kind: Kind::Check(|settings| &mut settings.session.ponder),
    },
    EngineOption {
        name: "MultiPV",
        protocols: Protocols::Both,
        help: "how many best lines a search shows; more than one costs strength",
        kind: Kind::Spin {
            min: 1,
            max: 100,
            get: |settings| settings.engine.lines as i64,
            set: |settings, lines| settings.engine.lines = lines as usize,
        },
    },
    EngineOption {
        name: "Contempt",
        protocols: Protocols::Both,
        help: "centipawns to give up to avoid a draw; a negative number seeks draws; not for the coach",
        kind: Kind::Spin {
            min: -500,
            max: 500,
            get: |settings| i64::from(settings.engine.contempt),
            set: |settings, centipawns| settings.engine.contempt = centipawns as i32,
        },
    },
    EngineOption {
        name: "Resign",
        protocols: Protocols::Cecp,
        help: "resigns after several moves this many centipawns behind; 0 never resigns",
        kind: Kind::Spin {
            min: 0,
            max: 20_000,
            get: |settings| i64::from(settings.session.resign),
            set: |settings, centipawns| settings.session.resign = centipawns as i32,
        },
    },
    EngineOption {
        name: "Draws",
        protocols: Protocols::Cecp,
        help: "draws by agreement: never, accept fair offers, or offer them too",
        kind: Kind::Combo {
            choices: || DrawPolicy::ALL.map(DrawPolicy::name).to_vec(),
            get: |settings| settings.session.draws as usize,
            set: |settings, index| settings.session.draws = DrawPolicy::ALL[index],
        },
    },
    EngineOption {
        name: "MoveOverhead",
        protocols: Protocols::Named("Move Overhead"),
        help: "milliseconds lost on each move between the engine's clock and the GUI's",
        kind: Kind::Spin {
            min: 0,
            max: 10_000,
            get: |settings| settings.engine.move_overhead.as_millis() as i64,
            set: |settings, millis| {
                settings.engine.move_overhead = Duration::from_millis(millis as u64)
            },
        },
    },
    EngineOption {
        name: "SyzygyPath",
        protocols: Protocols::Both,
        help: "folders with Syzygy endgame tables for chess; empty for none",
        kind: Kind::Path(|settings| &mut settings.engine.tables.syzygy),
    },
    EngineOption {
        name: "ThreeCheckPath",
        protocols: Protocols::Both,
        help: "folders with endgame tables for three-check; empty for none",
        kind: Kind::Path(|settings| &mut settings.engine.tables.three_check),
    },
    EngineOption {
        name: "ProbeDepth",
        protocols: Protocols::Both,
        help: "depth in plies from which the search looks into the largest endgame tables",
        kind: Kind::Spin {
            min: 1,
            max: 100,
            get: |settings| i64::from(settings.engine.probe_depth),
            set: |settings, plies| settings.engine.probe_depth = plies as i32,
        },
    },
    EngineOption {
        name: "Eval",
        protocols: Protocols::Both,
        help: "the evaluation: the network, or the hand-written classic one",
        kind: Kind::Combo {
            choices: || EvalKind::ALL.map(EvalKind::name).to_vec(),
            get: |settings| settings.engine.eval as usize,
            set: |settings, index| settings.engine.eval = EvalKind::ALL[index],
        },
    },
    EngineOption {
        name: "EvalFile",
        protocols: Protocols::Both,
        help: "file with another network for the game; empty for the built-in networks",
        kind: Kind::File(|settings| &mut settings.engine.network_file),
    },
    EngineOption {
        name: "LogFile",
        protocols: Protocols::Both,
        help: "file for a log of the dialogue; empty for no log",
        kind: Kind::File(|settings| &mut settings.session.log_file),
    },
    EngineOption {
        name: "Threads",
        protocols: Protocols::Uci,
        help: "how many threads search; in CECP the command `cores`",
        kind: Kind::Spin {
            min: 1,
            max: MAX_THREADS as i64,
            get: |settings| settings.engine.threads as i64,
            set: |settings, threads| settings.engine.threads = threads as usize,
        },
    },
    EngineOption {
        name: "UCI_Variant",
        protocols: Protocols::Uci,
        help: "the game",
        kind: Kind::Combo {
            choices: uci_variants,
            get: |settings| settings.uci.variant,
            set: |settings, index| settings.uci.variant = index,
        },
    },
    EngineOption {
        name: "UCI_Chess960",
        protocols: Protocols::Uci,
        help: "Chess960: castling is written as king takes rook",
        kind: Kind::Check(|settings| &mut settings.uci.is_chess960),
    },
    EngineOption {
        name: "UCI_LimitStrength",
        protocols: Protocols::Uci,
        help: "plays with the strength `UCI_Elo`",
        kind: Kind::Check(|settings| &mut settings.uci.limits_strength),
    },
    EngineOption {
        name: "UCI_Elo",
        protocols: Protocols::Uci,
        help: "how strong the engine plays with `UCI_LimitStrength`, in Elo",
        kind: Kind::Spin {
            min: LEAST_ELO as i64,
            max: GREATEST_LIMITED_ELO as i64,
            get: |settings| i64::from(settings.uci.elo),
            set: |settings, elo| settings.uci.elo = elo as u32,
        },
    },
    EngineOption {
        name: "UCI_ShowWDL",
        protocols: Protocols::Uci,
        help: "shows the chances of a win, a draw and a loss",
        kind: Kind::Check(|settings| &mut settings.uci.shows_wdl),
    },
    EngineOption {
        name: "UCI_AnalyseMode",
        protocols: Protocols::Uci,
        help: "searches for study: without the book, with full strength",
        kind: Kind::Check(|settings| &mut settings.uci.analyses),
    },
];
