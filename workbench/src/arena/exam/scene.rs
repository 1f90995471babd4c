//! Scenes: a position or the beginning of a game, and what the bot must do then. A TOML file has a list of
//! them; some are built in.

use std::collections::HashSet;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::Deserialize;

use super::accept::Accept;
use crate::arena::comply::record::ANSWER;
use crate::files::{self, MAX_SETTINGS};
use crate::settings_text::{self, SettingsError};
use trebuchet::play::{Game, Stage, new_game};
use trebuchet::types::Color;
use trebuchet::variants::VariantId;

/// The built-in scenes.
const BUILT_IN: &str = include_str!("scenes.toml");

/// The games of a scene that names none: they begin as chess does, and most moves of its openings can be played.
const LIKE_CHESS: [VariantId; 4] =
    [VariantId::Standard, VariantId::ThreeCheck, VariantId::KingOfTheHill, VariantId::Crazyhouse];

/// With how many seeds the scenes of a file are tried before the first is played.
const SEEDS_TRIED: u64 = 40;

/// The bot's clock in a scene that does not name another.
pub const CLOCK: Duration = Duration::from_secs(2);

/// The times that a scene may give.
const SECONDS: RangeInclusive<u16> = 1..=600;

/// How the bot is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    /// All moves in force mode, then `go`.
    #[default]
    Go,
    /// After `new`, the only move of the scene: the bot plays Black and answers it.
    Reply,
}

/// A scene.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scene {
    /// The scene's name for programs.
    pub id: String,
    /// What the bot has to do, in words that follow "the bot".
    pub title: String,
    /// What is tested, and why.
    pub why: String,
    /// The stages in which the bot is asked for this.
    pub stages: Vec<StageName>,
    /// The games, by any of their names. Without it: [`LIKE_CHESS`].
    #[serde(default)]
    pub variants: Vec<String>,
    #[serde(default = "one")]
    pub points: u32,
    /// The position in which the scene begins. Without it: the game's own, which bots without
    /// `setboard` know, too.
    pub fen: Option<String>,
    /// Moves before those of the scene, each with an answer: `a2a3 a7a6`. The seed chooses some of them.
    #[serde(default)]
    pub spare: Vec<String>,
    /// The moves of the scene in coordinates.
    #[serde(default)]
    pub moves: String,
    /// Other moves to the same situation, with what is accepted then. The seed chooses between them all.
    #[serde(default)]
    pub also: Vec<Way>,
    /// May the seed mirror files and exchange colours?
    #[serde(default = "yes")]
    pub mirror: bool,
    /// Does the bot play the first moves of another game before?
    #[serde(default)]
    pub after_game: bool,
    #[serde(default)]
    pub asked: Asked,
    /// How long the bot may take to answer. Without it, its clock has two seconds, and it is waited for longer.
    pub seconds: Option<u16>,
    /// What the bot may do; by default any move that the rules and its stage allow.
    #[serde(default)]
    pub accept: Vec<Accept>,
    /// The scene that asks the same of the other colour, if there is one.
    #[serde(skip)]
    pub partner: Option<Box<Scene>>,
}

/// Other moves for a scene.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    pub moves: String,
    /// Without it, the scene's own.
    pub accept: Option<Vec<Accept>>,
}

/// A stage in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StageName {
    Pawns,
    Random,
    Full,
}

impl From<StageName> for Stage {
    fn from(name: StageName) -> Stage {
        match name {
            StageName::Pawns => Stage::Pawns,
            StageName::Random => Stage::Random,
            StageName::Full => Stage::Full,
        }
    }
}

const fn yes() -> bool {
    true
}

const fn one() -> u32 {
    1
}

/// The most points of a scene.
const MOST_POINTS: u32 = 1000;

/// Why a file has no scenes.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}:{error}", path.display())]
    Settings { path: PathBuf, error: SettingsError },
    #[error("{}: scene {id}: {message}", path.display())]
    Scene { path: PathBuf, id: String, message: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SceneFile {
    #[serde(default)]
    scene: Vec<Scene>,
}

/// The built-in scenes of a stage and a game.
pub fn built_in(stage: Stage, variant: VariantId) -> Vec<Scene> {
    let scenes = parse(BUILT_IN, Path::new("the built-in scenes"));
    chosen(scenes.unwrap_or_default(), stage, variant)
}

/// The scenes of a file that belong to a stage and a game.
///
/// # Errors
/// If the file cannot be read, or one of its scenes cannot be played.
pub fn read(path: &Path, stage: Stage, variant: VariantId) -> Result<Vec<Scene>, SceneError> {
    let text = files::read_text(path, MAX_SETTINGS)
        .map_err(|error| SceneError::File { path: path.to_owned(), error })?;
    let scenes = chosen(parse(&text, path)?, stage, variant);
    // Enough seeds to meet each way of a scene.
    for (scene, seed) in
        scenes.iter().flat_map(|scene| (0..SEEDS_TRIED).map(move |seed| (scene, seed)))
    {
        scene.prepare(variant, seed).map_err(|message| SceneError::Scene {
            path: path.to_owned(),
            id: scene.id.clone(),
            message,
        })?;
    }
    Ok(scenes)
}

/// The scenes of these files, or the built-in ones, which the name `built-in` stands for.
///
/// # Errors
/// As [`read`]; or if an id stands in two lists.
pub fn of_lists(
    lists: &[PathBuf],
    stage: Stage,
    variant: VariantId,
) -> Result<Vec<Scene>, SceneError> {
    let own = Path::new("built-in");
    let mut all = if lists.is_empty() { built_in(stage, variant) } else { Vec::new() };
    for path in lists {
        let scenes =
            if path == own { built_in(stage, variant) } else { read(path, stage, variant)? };
        let twice = scenes.iter().find(|scene| all.iter().any(|other| other.id == scene.id));
        if let Some(Scene { id, .. }) = twice {
            let message = "another list has this id, too".to_owned();
            return Err(SceneError::Scene { path: path.clone(), id: id.clone(), message });
        }
        all.extend(scenes);
    }
    Ok(all)
}

fn parse(text: &str, path: &Path) -> Result<Vec<Scene>, SceneError> {
    let file: SceneFile = settings_text::parse(text)
        .map_err(|error| SceneError::Settings { path: path.to_owned(), error })?;
    let mut ids = HashSet::new();
    for scene in &file.scene {
        let unknown = scene.variants.iter().find(|name| VariantId::from_any_name(name).is_none());
        let message = match unknown {
            _ if scene.points > MOST_POINTS => format!("`points` is at most {MOST_POINTS}"),
            _ if !ids.insert(scene.id.as_str()) => "this id stands twice".to_owned(),
            Some(name) => format!("the game {name} is unknown"),
            None => continue,
        };
        return Err(SceneError::Scene { path: path.to_owned(), id: scene.id.clone(), message });
    }
    Ok(file.scene)
}

fn chosen(scenes: Vec<Scene>, stage: Stage, variant: VariantId) -> Vec<Scene> {
    let is_chosen = |scene: &Scene| {
        let is_of_game = if scene.variants.is_empty() {
            LIKE_CHESS.contains(&variant)
        } else {
            scene.variants.iter().any(|name| VariantId::from_any_name(name) == Some(variant))
        };
        is_of_game && scene.stages.iter().any(|&name| Stage::from(name) == stage)
    };
    with_partners(scenes.into_iter().filter(is_chosen).collect())
}

/// Scenes whose ids differ in `-white` and `-black` at the end are partners.
fn with_partners(scenes: Vec<Scene>) -> Vec<Scene> {
    let other_id = |id: &str| match (id.strip_suffix("-white"), id.strip_suffix("-black")) {
        (Some(id), _) => Some(format!("{id}-black")),
        (_, Some(id)) => Some(format!("{id}-white")),
        _ => None,
    };
    let partner = |scene: &Scene| {
        let id = other_id(&scene.id)?;
        scenes.iter().find(|other| other.id == id).cloned().map(Box::new)
    };
    let with = |scene: &Scene| Scene { partner: partner(scene), ..scene.clone() };
    scenes.iter().map(with).collect()
}

/// A scene as it is played.
pub struct PreparedScene {
    /// As the seed has varied it.
    pub scene: Scene,
    /// The moves that are sent, in coordinates.
    pub moves: Vec<String>,
    /// The board when the bot is asked.
    pub board: Box<dyn Game>,
}

impl Scene {
    /// For how many moves the bot is asked.
    pub const fn moves_asked(&self) -> u32 {
        if self.after_game { 3 } else { 1 }
    }

    /// How long an answer is waited for.
    pub fn patience(&self) -> Duration {
        self.seconds.map_or(ANSWER, |seconds| Duration::from_secs(seconds.into()))
    }

    /// The bot's clock when it is asked.
    pub fn clock(&self) -> Duration {
        self.seconds.map_or(CLOCK, |seconds| Duration::from_secs(seconds.into()))
    }

    /// The scene as this seed varies it, and the position to which it leads.
    ///
    /// # Errors
    /// If the position or a move is not possible, or the scene asks for what cannot be: in words.
    pub fn prepare(&self, variant: VariantId, seed: u64) -> Result<PreparedScene, String> {
        let (scene, moves) = self.vary(variant, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let mut board = new_game(variant);
        if let Some(fen) = &scene.fen {
            board.set_board(fen).map_err(|error| format!("{fen}: {error}"))?;
        }
        if scene.seconds.is_some_and(|seconds| !SECONDS.contains(&seconds)) {
            return Err(format!("`seconds` is from {} to {}", SECONDS.start(), SECONDS.end()));
        }
        if scene.asked == Asked::Reply {
            let is_white = board.side_to_move() == Color::White;
            if moves.len() != 1 || scene.fen.is_some() || !is_white {
                return Err("`reply` needs exactly one move from the game's own position".into());
            }
        }
        for text in &moves {
            let mv = board.parse_move(text).map_err(|error| format!("{text}: {error}"))?;
            board.play(mv);
        }
        let is_over = board.outcome().is_some();
        if is_over && !scene.accept.iter().any(Accept::is_after_end) {
            return Err("the game is over when the bot is asked: accept `none`".into());
        }
        if let Some(accept) = scene.accept.iter().find(|accept| !accept.is_possible(&*board)) {
            return Err(format!("it accepts {accept}, which is not possible"));
        }
        Ok(PreparedScene { scene, moves, board })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_scenes_can_be_played_whatever_the_seed() {
        let all = parse(BUILT_IN, Path::new("built-in")).unwrap();
        let (mut played, mut errors) = (HashSet::new(), HashSet::new());
        for &variant in VariantId::ALL {
            for stage in Stage::ALL {
                for scene in built_in(stage, variant) {
                    for seed in 0..40 {
                        let error = scene.prepare(variant, seed).err();
                        errors.extend(error.map(|error| format!("{}: {error}", scene.id)));
                    }
                    played.insert(scene.id.clone());
                }
            }
        }
        assert_eq!(errors, HashSet::new());
        assert_eq!(played.len(), all.len());
        assert!(built_in(Stage::Pawns, VariantId::Standard).len() >= 15);
        assert!(built_in(Stage::Random, VariantId::Standard).len() >= 18);
        assert!(built_in(Stage::Full, VariantId::ThreeCheck).len() >= 18);
        for &variant in VariantId::ALL {
            let least = if variant == VariantId::Chess960 { 4 } else { 7 };
            assert!(built_in(Stage::Full, variant).len() >= least, "{variant:?}");
            assert!(built_in(Stage::Random, variant).len() >= least.min(5), "{variant:?}");
        }
    }

    /// Where captures are compulsory, one would ask for another rule.
    #[test]
    fn a_bot_that_takes_over_can_take_nothing() {
        let scenes = |variant| {
            let all = built_in(Stage::Pawns, variant).into_iter();
            all.filter(|scene| scene.id.starts_with("takes-over"))
        };
        for &variant in VariantId::ALL {
            for (scene, seed) in
                scenes(variant).flat_map(|scene| (0..40).map(move |seed| (scene.clone(), seed)))
            {
                let prepared = scene.prepare(variant, seed).unwrap();
                let legal = prepared.board.legal_moves();
                let has_capture = legal.iter().any(|mv| mv.is_capture());
                assert!(!has_capture, "{variant:?}: {:?}", prepared.moves);
            }
        }
    }

    #[test]
    fn the_seed_changes_the_moves() {
        for scene in built_in(Stage::Random, VariantId::Standard) {
            let moves = |seed| scene.prepare(VariantId::Standard, seed).unwrap().moves;
            assert_eq!(moves(7), moves(7));
            let ways: HashSet<Vec<String>> = (0..40).map(moves).collect();
            let least = match scene.id.as_str() {
                "first-move" | "new-game-white" => 1,
                "is-stalemated" => 2,
                "first-answer" | "new-game-black" => 4,
                _ => 5,
            };
            assert!(ways.len() >= least, "{}: {} ways", scene.id, ways.len());
        }
    }

    #[test]
    fn scenes_are_played_with_colours_exchanged() {
        let variants = [VariantId::Standard, VariantId::Chess960, VariantId::Atomic];
        for (variant, stage) in
            variants.into_iter().flat_map(|variant| Stage::ALL.map(|stage| (variant, stage)))
        {
            for scene in built_in(stage, variant) {
                let is_beginning = scene.fen.is_none() && scene.moves.is_empty();
                if scene.asked == Asked::Reply || scene.after_game || is_beginning || !scene.mirror
                {
                    continue;
                }
                let play = |scene: &Scene, seed| scene.prepare(variant, seed).unwrap();
                let all: Vec<PreparedScene> = (0..20).map(|seed| play(&scene, seed)).collect();
                let colors: HashSet<Color> = all.iter().map(|it| it.board.side_to_move()).collect();
                // Both scenes of a pair keep their colours, and each has the positions of the other, too.
                let alone = Scene { partner: None, mirror: false, ..scene.clone() };
                let is_exchanged = |seed: u64| {
                    let (one, other) = (&all[seed as usize], play(&alone, seed));
                    one.board.fen() != other.board.fen()
                };
                let (is_pair, id) = (scene.partner.is_some(), &scene.id);
                assert_eq!(colors.len(), if is_pair { 1 } else { 2 }, "{variant:?} {id}");
                assert!((0..20).any(is_exchanged), "{variant:?} {id}");
                for it in all {
                    assert_eq!((&it.scene.title, &it.scene.id), (&scene.title, id));
                    assert_eq!(it.scene.points, scene.points);
                }
            }
        }
    }

    #[test]
    fn scenes_that_cannot_be_played_are_refused() {
        let error = |text: &str| {
            let text = format!("[[scene]]\nid='a'\ntitle='t'\nwhy='w'\nstages=['full']\n{text}");
            match parse(&text, Path::new("x.toml")) {
                Err(error) => error.to_string(),
                Ok(scenes) => scenes[0].prepare(VariantId::Standard, 0).err().unwrap_or_default(),
            }
        };
        assert_eq!(error("moves='e2e4'"), "");
        assert_eq!(error("moves='e2e5'"), "e2e5: the piece does not move like that");
        assert_eq!(error("accept=['e7e5']"), "it accepts e7e5, which is not possible");
        assert_eq!(
            error("asked='reply'"),
            "`reply` needs exactly one move from the game's own position"
        );
        assert_eq!(error("variants=['shogi']"), "x.toml: scene a: the game shogi is unknown");
        assert!(error("fen='8/8'").starts_with("8/8: "));
        assert!(error("accept=['flies']").contains("flies"));
        assert_eq!(error("seconds=0"), "`seconds` is from 1 to 600");
        let mated = error("moves='f2f3 e7e5 g2g4 d8h4'");
        assert_eq!(mated, "the game is over when the bot is asked: accept `none`");
    }
}
