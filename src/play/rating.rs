//! Where a player stands: the strength at which the engine wins about half of their games, kept from game to
//! game in a file.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::MAX_STRENGTH;
use crate::skill::LEAST_ELO;
use crate::types::{Color, GameResult, Ply};
use crate::variants::VariantId;

/// The strength of the first game, in Elo.
const FIRST_ELO: u32 = 800;
/// By how many Elo a win raises the strength, while so many games have been played.
const STEPS: [(u32, i32); 3] = [(5, 100), (15, 50), (u32::MAX, 25)];
/// A game counts if it has so many plies.
const LEAST_PLIES: Ply = 4;

/// The strength of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The Elo at which the engine plays the next game.
    pub elo: u32,
    /// The games that have counted so far.
    pub games: u32,
}

impl Default for Rating {
    fn default() -> Rating {
        Rating { elo: FIRST_ELO, games: 0 }
    }
}

impl Rating {
    /// The rating after a game: `points` is the player's share, 0 for a loss, 0.5 for a draw, 1 for a win. A
    /// win makes the engine stronger, a loss weaker, and the first games do so by the largest steps.
    pub fn after_game(self, points: f64) -> Rating {
        let step = STEPS.iter().find(|(games, _)| self.games < *games).map_or(0, |(_, step)| *step);
        let change = (f64::from(step) * (2.0 * points.clamp(0.0, 1.0) - 1.0)).round() as i32;
        let elo = self.elo.saturating_add_signed(change).clamp(LEAST_ELO, MAX_STRENGTH);
        Rating { elo, games: self.games.saturating_add(1) }
    }
}

/// Where the player stands, as a sentence without a full stop.
impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Rating { elo, games } = self;
        let plural = if *games == 1 { "" } else { "s" };
        write!(
            f,
            "After {games} game{plural} you stand at about {elo} Elo: I play the next one at this strength"
        )
    }
}

/// The points of the player in a game of so many plies against the engine: 0, 0.5 or 1. `None` if the game does not
/// count, because it is not finished or too short.
pub fn player_points(result: GameResult, engine: Color, plies: Ply) -> Option<f64> {
    let points = match result {
        GameResult::Unfinished => return None,
        GameResult::Draw => 0.5,
        GameResult::Win(winner) if winner == engine => 0.0,
        GameResult::Win(_) => 1.0,
    };
    (plies >= LEAST_PLIES).then_some(points)
}

/// The file with the player's ratings: a line for each game, with its CECP name, the Elo and the number of
/// games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingFile(PathBuf);

impl RatingFile {
    pub fn new(path: PathBuf) -> RatingFile {
        RatingFile(path)
    }

    /// The file of the user who runs the program: `trebuchet/ratings.txt` in `$XDG_DATA_HOME`, or in
    /// `~/.local/share`; on Windows in `%APPDATA%`. `None` if the environment names no such folder. `variable`
    /// gives the variables of the environment.
    pub fn of_user(variable: impl Fn(&str) -> Option<OsString>) -> Option<RatingFile> {
        let folder =
            |name: &str| variable(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
        let data = folder("XDG_DATA_HOME")
            .or_else(|| folder("APPDATA"))
            .or_else(|| folder("HOME").map(|home| home.join(".local/share")))?;
        Some(RatingFile(data.join("trebuchet/ratings.txt")))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The player's rating in a game; the first one if none is kept or the file cannot be read.
    pub fn rating(&self, variant: VariantId) -> Rating {
        let ratings = self.read();
        ratings.into_iter().find(|(id, _)| *id == variant).map_or_else(Rating::default, |it| it.1)
    }

    fn read(&self) -> Vec<(VariantId, Rating)> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        let entry = |line: &str| {
            let mut words = line.split_whitespace();
            let variant = VariantId::from_name(words.next()?)?;
            let elo: u32 = words.next()?.parse().ok()?;
            let games = words.next()?.parse().ok()?;
            Some((variant, Rating { elo: elo.clamp(LEAST_ELO, MAX_STRENGTH), games }))
        };
        text.lines().filter_map(entry).collect()
    }

    /// Keeps a rating.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&self, variant: VariantId, rating: Rating) -> io::Result<()> {
        let mut ratings = self.read();
        ratings.retain(|(id, _)| *id != variant);
        ratings.push((variant, rating));
        let line = |(id, Rating { elo, games }): &(VariantId, Rating)| {
            format!("{} {elo} {games}\n", id.name())
        };
        if let Some(folder) = self.0.parent() {
            fs::create_dir_all(folder)?;
        }
        // A crash must not lose what was kept before.
        let new = self.0.with_extension("new");
        fs::write(&new, ratings.iter().map(line).collect::<String>())?;
        fs::rename(&new, &self.0)
    }

    /// Forgets all ratings.
    ///
    /// # Errors
    /// If the file is there and cannot be removed.
    pub fn reset(&self) -> io::Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_move_the_rating_by_shrinking_steps() {
        let first = Rating::default();
        assert_eq!(first.after_game(1.0), Rating { elo: 900, games: 1 });
        assert_eq!(first.after_game(0.0), Rating { elo: 700, games: 1 });
        assert_eq!(first.after_game(0.5), Rating { elo: 800, games: 1 });
        let later = |games| Rating { elo: 1000, games }.after_game(1.0).elo;
        assert_eq!(
            [later(4), later(5), later(14), later(15), later(900)],
            [1100, 1050, 1050, 1025, 1025]
        );
        let weakest = Rating { elo: LEAST_ELO, games: 0 };
        assert_eq!(weakest.after_game(0.0).elo, LEAST_ELO);
        let strongest = Rating { elo: MAX_STRENGTH, games: u32::MAX };
        assert_eq!(strongest.after_game(1.0), strongest);
    }

    #[test]
    fn a_finished_game_counts_if_it_is_not_too_short() {
        use GameResult::{Draw, Unfinished, Win};
        let points = |result| player_points(result, Color::Black, 4);
        let results = [Win(Color::White), Draw, Win(Color::Black), Unfinished];
        assert_eq!(results.map(points), [Some(1.0), Some(0.5), Some(0.0), None]);
        assert_eq!(player_points(Draw, Color::Black, 3), None);
    }

    #[test]
    fn ratings_are_kept_for_each_game_and_forgotten_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().to_str().unwrap().to_owned();
        let file = RatingFile::of_user(|name| (name == "XDG_DATA_HOME").then(|| data.clone().into()));
        let file = file.unwrap();
        assert_eq!(file.path(), folder.path().join("trebuchet/ratings.txt"));
        assert_eq!(file.rating(VariantId::Standard), Rating::default());
        file.reset().unwrap();
        let (chess, checks) = (Rating { elo: 950, games: 3 }, Rating { elo: 700, games: 1 });
        file.keep(VariantId::Standard, Rating::default()).unwrap();
        file.keep(VariantId::ThreeCheck, checks).unwrap();
        file.keep(VariantId::Standard, chess).unwrap();
        assert_eq!(file.rating(VariantId::Standard), chess);
        assert_eq!(file.rating(VariantId::ThreeCheck), checks);
        // What cannot be read counts as nothing.
        fs::write(file.path(), "normal much 3\n\u{0}\n3check 99999 2\n").unwrap();
        assert_eq!(file.rating(VariantId::Standard), Rating::default());
        assert_eq!(file.rating(VariantId::ThreeCheck).elo, MAX_STRENGTH);
        file.reset().unwrap();
        assert_eq!(file.rating(VariantId::ThreeCheck), Rating::default());
    }

    #[test]
    fn the_folder_is_that_of_the_user() {
        let path = |variables: &[(&str, &str)]| {
            let find = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name)?;
                Some(found.1.into())
            };
            RatingFile::of_user(find).map(|file| file.path().display().to_string())
        };
        assert_eq!(path(&[]), None);
        assert_eq!(path(&[("HOME", "relative")]), None);
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStringExt;

            let home = OsString::from_vec(b"/home/Andr\xe9".to_vec());
            let file = RatingFile::of_user(|name| (name == "HOME").then(|| home.clone()));
            assert!(file.unwrap().path().starts_with(home));
        }
        #[cfg(unix)]
        assert_eq!(
            path(&[("HOME", "/home/ann"), ("XDG_DATA_HOME", "")]).as_deref(),
            Some("/home/ann/.local/share/trebuchet/ratings.txt")
        );
    }
}
