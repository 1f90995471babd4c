//! Where a player stands: the strength at which the engine wins about half of their games, kept from game to
//! game in a file.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::GREATEST_LIMITED_ELO;
use crate::files::open_regular;
use crate::skill::LEAST_ELO;
use crate::variants::VariantId;

/// The strength of the first game, in Elo.
const FIRST_ELO: u32 = 800;
/// By how many Elo a win raises the strength, while fewer games than the first number have been played.
const STEPS: [(u32, i32); 3] = [(5, 100), (15, 50), (u32::MAX, 25)];

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
        let elo = self.elo.saturating_add_signed(change).clamp(LEAST_ELO, GREATEST_LIMITED_ELO);
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

/// The ratings of the player: in a file, and in memory what cannot be kept there.
#[derive(Debug)]
pub(super) struct Ratings {
    file: Option<RatingFile>,
    /// What the file lacks.
    in_memory: Vec<(VariantId, Rating)>,
    /// The user knows that results cannot be kept.
    pub has_told: bool,
}

/// Why ratings cannot be kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unkept {
    #[error("{} name no folder", FOLDERS.join(", "))]
    NoFolder,
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
}

impl Ratings {
    pub fn new(file: Option<RatingFile>) -> Ratings {
        Ratings { file, in_memory: Vec::new(), has_told: false }
    }

    /// The player's rating in a game; the first one if none is known.
    pub fn rating(&self, variant: VariantId) -> Rating {
        let found = self.in_memory.iter().find(|(id, _)| *id == variant).map(|it| it.1);
        let kept = || self.file.as_ref()?.rating(variant).ok()?;
        found.or_else(kept).unwrap_or_default()
    }

    /// Keeps a rating, and those that could not be kept before.
    ///
    /// # Errors
    /// If that is not possible: then they stay in memory.
    pub fn keep(&mut self, variant: VariantId, rating: Rating) -> Result<(), Unkept> {
        self.in_memory.retain(|(id, _)| *id != variant);
        self.in_memory.push((variant, rating));
        let file = self.file.as_ref().ok_or(Unkept::NoFolder)?;
        while let Some(&(variant, rating)) = self.in_memory.last() {
            file.keep(variant, rating).map_err(|error| file.problem(error))?;
            self.in_memory.pop();
        }
        Ok(())
    }

    /// Checks that there is a place for ratings, and that those in it can be read.
    ///
    /// # Errors
    /// If not.
    pub fn check(&self) -> Result<(), Unkept> {
        let file = self.file.as_ref().ok_or(Unkept::NoFolder)?;
        file.read().map(drop).map_err(|error| file.problem(error))
    }

    /// Forgets all ratings.
    ///
    /// # Errors
    /// If the file is there and cannot be removed: then nothing is forgotten.
    pub fn reset(&mut self) -> Result<(), Unkept> {
        if let Some(file) = &self.file {
            file.reset().map_err(|error| file.problem(error))?;
        }
        self.in_memory.clear();
        Ok(())
    }

    /// May a rating be known, in any game?
    pub fn has_any(&self) -> bool {
        !self.in_memory.is_empty() || self.file.as_ref().is_some_and(RatingFile::may_exist)
    }
}

/// The variables of the environment that may name the folder of the user's data.
const FOLDERS: [&str; 3] = ["XDG_DATA_HOME", "APPDATA", "HOME"];
/// So many links lead to a file at most.
const MOST_LINKS: usize = 40;

/// The file with the player's ratings: a line for each game, with its CECP name, the Elo and the number of
/// games. Other lines stay as they are.
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
        let [data, windows, home] = FOLDERS;
        let data = folder(data)
            .or_else(|| folder(windows))
            .or_else(|| folder(home).map(|home| home.join(".local/share")))?;
        Some(RatingFile(data.join("trebuchet/ratings.txt")))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The player's rating in a game; `None` if none is kept.
    ///
    /// # Errors
    /// If the file is there and cannot be read.
    pub fn rating(&self, variant: VariantId) -> io::Result<Option<Rating>> {
        let text = self.read()?;
        let mut ratings = lines(&text).filter_map(entry);
        Ok(ratings.find(|(id, _)| *id == variant).map(|it| it.1))
    }

    /// The text of the file; nothing if there is none.
    fn read(&self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        match open_regular(&self.0) {
            Ok(mut file) => file.read_to_end(&mut text).map(|_| text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(text),
            Err(error) => Err(error),
        }
    }

    /// Keeps a rating.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn keep(&self, variant: VariantId, rating: Rating) -> io::Result<()> {
        let text = self.read()?;
        let mut lines: Vec<&[u8]> = lines(&text).collect();
        let line = format!("{} {} {}", variant.name(), rating.elo, rating.games);
        match lines.iter().position(|line| entry(line).is_some_and(|(id, _)| id == variant)) {
            Some(at) => lines[at] = line.as_bytes(),
            None => lines.push(line.as_bytes()),
        }
        lines.push(b"");
        let path = self.target();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        replace(&path, &lines.join(&b'\n'))
    }

    /// The file itself, if the path is that of a link to it.
    fn target(&self) -> PathBuf {
        let mut path = self.0.clone();
        for _ in 0..MOST_LINKS {
            let Ok(next) = fs::read_link(&path) else { break };
            path.set_file_name(next);
        }
        path
    }

    /// Forgets all ratings.
    ///
    /// # Errors
    /// If the file is there and cannot be removed.
    pub fn reset(&self) -> io::Result<()> {
        match fs::remove_file(self.target()) {
            // The error of a disk that is only read does not say whether the file is there.
            Err(error) if self.may_exist() => Err(error),
            _ => Ok(()),
        }
    }

    fn may_exist(&self) -> bool {
        let missing = |error: io::Error| error.kind() == ErrorKind::NotADirectory;
        self.0.try_exists().unwrap_or_else(|error| !missing(error))
    }

    fn problem(&self, error: io::Error) -> Unkept {
        Unkept::File { path: self.0.clone(), error }
    }
}

/// The lines of a text without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// The game and the rating in a line; `None` if it has something else.
fn entry(line: &[u8]) -> Option<(VariantId, Rating)> {
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace();
    let variant = VariantId::from_name(words.next()?)?;
    let elo: u32 = words.next()?.parse().ok()?;
    let games = words.next()?.parse().ok()?;
    Some((variant, Rating { elo: elo.clamp(LEAST_ELO, GREATEST_LIMITED_ELO), games }))
}

/// Writes a file anew. A crash does not lose what was in it before.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    let written = File::create(&new).and_then(|mut file| {
        file.write_all(text)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&new, path)).inspect_err(|_| {
        // Best effort: the error is told in any case.
        let _ = fs::remove_file(&new);
    })
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
        let strongest = Rating { elo: GREATEST_LIMITED_ELO, games: u32::MAX };
        assert_eq!(strongest.after_game(1.0), strongest);
    }

    #[test]
    fn ratings_are_kept_for_each_game_and_forgotten_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().to_str().unwrap().to_owned();
        let file =
            RatingFile::of_user(|name| (name == "XDG_DATA_HOME").then(|| data.clone().into()));
        let file = file.unwrap();
        assert_eq!(file.path(), folder.path().join("trebuchet/ratings.txt"));
        let rating = |variant| file.rating(variant).unwrap();
        assert_eq!(rating(VariantId::Standard), None);
        file.reset().unwrap();
        let (chess, checks) = (Rating { elo: 950, games: 3 }, Rating { elo: 700, games: 1 });
        file.keep(VariantId::Standard, Rating::default()).unwrap();
        file.keep(VariantId::ThreeCheck, checks).unwrap();
        file.keep(VariantId::Standard, chess).unwrap();
        assert_eq!(rating(VariantId::Standard), Some(chess));
        assert_eq!(rating(VariantId::ThreeCheck), Some(checks));
        // What cannot be read counts as nothing.
        fs::write(file.path(), "normal much 3\n\u{0}\n3check 99999 2\n").unwrap();
        assert_eq!(rating(VariantId::Standard), None);
        assert_eq!(rating(VariantId::ThreeCheck).unwrap().elo, GREATEST_LIMITED_ELO);
        file.reset().unwrap();
        assert_eq!(rating(VariantId::ThreeCheck), None);
    }

    #[test]
    fn lines_that_are_not_understood_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = RatingFile::new(folder.path().join("ratings.txt"));
        let text = |elo: &[u8]| {
            [&b"# Andr\xe9\r\nnormal "[..], elo, b"\nnew-game 900 2 x\n3check 700 1\n"].concat()
        };
        fs::write(file.path(), text(b"950 3")).unwrap();
        let (chess, checks) = (Rating { elo: 950, games: 3 }, Rating { elo: 700, games: 1 });
        assert_eq!(file.rating(VariantId::Standard).unwrap(), Some(chess));
        assert_eq!(file.rating(VariantId::ThreeCheck).unwrap(), Some(checks));
        file.keep(VariantId::Standard, Rating { elo: 1050, games: 4 }).unwrap();
        assert_eq!(fs::read(file.path()).unwrap(), text(b"1050 4"));
        // The end of the last line may be missing.
        fs::write(file.path(), "3check 700 1").unwrap();
        file.keep(VariantId::Standard, chess).unwrap();
        assert_eq!(fs::read(file.path()).unwrap(), b"3check 700 1\nnormal 950 3\n");
    }

    #[test]
    fn a_file_that_cannot_be_read_or_written_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = RatingFile::new(folder.path().join("ratings.txt"));
        fs::create_dir(file.path()).unwrap();
        assert!(file.rating(VariantId::Standard).is_err());
        assert!(file.keep(VariantId::Standard, Rating::default()).is_err());
        assert!(file.reset().is_err());
        // Nothing takes the place of a folder.
        assert!(replace(file.path(), b"text").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // Below a file there is none.
        let no_folder = folder.path().join("text");
        fs::write(&no_folder, "").unwrap();
        let below = RatingFile::new(no_folder.join("ratings.txt"));
        assert!(below.rating(VariantId::Standard).is_err());
        below.reset().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_the_file_stays_a_link() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        symlink(path("second"), path("ratings.txt")).unwrap();
        symlink("dotfiles/kept", path("second")).unwrap();
        let file = RatingFile::new(path("ratings.txt"));
        // The file at the end of the links may be missing.
        for _ in 0..2 {
            file.keep(VariantId::Standard, Rating::default()).unwrap();
            assert_eq!(fs::read(path("dotfiles/kept")).unwrap(), b"normal 800 0\n");
            file.reset().unwrap();
            assert!(!path("dotfiles/kept").exists() && file.path().is_symlink());
        }
    }

    #[test]
    fn what_cannot_be_kept_stays_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ratings.txt");
        let (chess, checks) = (Rating { elo: 950, games: 3 }, Rating { elo: 700, games: 1 });
        let mut nowhere = Ratings::new(None);
        let why = nowhere.check().unwrap_err().to_string();
        assert_eq!(why, "XDG_DATA_HOME, APPDATA, HOME name no folder");
        assert!(nowhere.keep(VariantId::Standard, chess).is_err());
        assert_eq!(nowhere.rating(VariantId::Standard), chess);
        assert!(nowhere.has_any());
        nowhere.reset().unwrap();
        assert!(!nowhere.has_any());

        fs::create_dir(&path).unwrap();
        let mut ratings = Ratings::new(Some(RatingFile::new(path.clone())));
        let why = ratings.check().unwrap_err().to_string();
        assert!(why.starts_with(&path.display().to_string()), "{why}");
        assert!(ratings.keep(VariantId::Standard, chess).is_err());
        assert_eq!(ratings.rating(VariantId::Standard), chess);
        assert!(ratings.reset().is_err() && ratings.has_any());
        assert_eq!(ratings.rating(VariantId::Standard), chess);
        // Kept as soon as that is possible.
        fs::remove_dir(&path).unwrap();
        ratings.keep(VariantId::ThreeCheck, checks).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"3check 700 1\nnormal 950 3\n");
        assert!(ratings.in_memory.is_empty() && ratings.has_any());
        ratings.reset().unwrap();
        assert!(!ratings.has_any());
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
