//! The command: looks for puzzles in games and writes them.

use std::io::{self, Write as _};
use std::iter;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::collection::Collection;
use super::confirm::SecondEngine;
use super::error::PuzzlesError;
use super::proof::{Demands, WINNING, prove};
use super::solver::Solver;
use super::source::{self, SourceError, SourceGame};
use crate::arena::engines::EngineSpec;
use crate::counts::count;
use crate::files;
use crate::report::outputs::is_standard;
use trebuchet::coach::win_chances;
use trebuchet::notation::pgn::{PgnGame, PgnMove};
use trebuchet::play::{Game, Puzzle};
use trebuchet::text::tell;
use trebuchet::types::{GameResult, Score};
use trebuchet::variants::VariantId;

/// Look for puzzles in games: positions in which one move wins, and no other.
///
/// The games are PGN files or files of datagen. A puzzle begins after a mistake. A deep search proves each
/// move of the solution: the second best move is worse by the margin. Taking back, and taking what hangs, is no
/// puzzle. The rating is the strength in Elo at which the engine, playing as a person, finds the solution at least
/// half of the time.
///
/// The puzzles are written as EPD: bm is the first move, pv the whole solution, then rating and theme. The file
/// also tells which games were looked at: started again, the command passes over them, in whatever file they are.
#[derive(Clone, Debug, clap::Args)]
pub struct PuzzlesArgs {
    /// The file of puzzles; created if it does not exist
    #[arg(value_name = "OUT.epd", required_unless_present = "built_in")]
    out: Option<PathBuf>,
    /// PGN files, whose names end in .pgn, and files of datagen
    #[arg(required_unless_present_any = ["built_in", "grade"], value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Look at no games; give the puzzles of the file new ratings
    #[arg(long, conflicts_with_all = ["games", "built_in"])]
    grade: bool,
    /// Look at no games; write the puzzles that the program has to the PGN file
    #[arg(long, conflicts_with_all = ["out", "games"], requires = "pgn")]
    built_in: bool,
    /// The variant, by its CECP name
    #[arg(long, value_enum, default_value = "normal")]
    variant: VariantId,
    /// How many puzzles the file has in the end
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// Nodes of the search that proves a move
    #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// By how many percent of the winning chances the second best move must be worse
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u8).range(1..=100))]
    margin: u8,
    /// A second engine that must choose every move of the solution, described as for match:
    /// "cmd=stockfish uci"
    #[arg(long, value_name = "ENGINE")]
    confirm: Option<EngineSpec>,
    /// Nodes of the second engine for a move
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(100..))]
    confirm_nodes: u64,
    /// The seed of the persons who try the puzzles
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the puzzles to this PGN file, too; - is standard output
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// Nodes of the search that looks for mistakes in games without scores.
const LOOK_NODES: u64 = 5_000;
/// The share of the winning chances, 0 to 1, that a mistake gives away.
const MISTAKE: f64 = 0.2;
/// The beginning of a PGN file of puzzles.
const FIRST_TAG: &str = "[Event \"Puzzle ";
/// The progress is told after this many games. The file is written then, too, and after each game with a puzzle.
const GAMES_TO_KEEP: usize = 100;
/// The file is written after a game if this time has passed, so that little is lost when the command is ended.
const TIME_TO_KEEP: Duration = Duration::from_secs(5);

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or the second engine fails.
pub fn run(args: &PuzzlesArgs) -> Result<(), PuzzlesError> {
    if let Some(path) = args.pgn.as_ref().filter(|path| !is_standard(path)) {
        let sources = args.games.iter().chain(&args.out);
        files::check_output_like(path, FIRST_TAG, sources)
            .map_err(|error| PuzzlesError::File(path.clone(), error))?;
    }
    let Some(out) = &args.out else {
        let puzzles = Puzzle::built_in(args.variant);
        if puzzles.is_empty() {
            return Err(PuzzlesError::NoBuiltIn(args.variant.title()));
        }
        return write_pgn(args, &puzzles);
    };
    files::check_output(out, &args.games)
        .map_err(|error| PuzzlesError::File(out.clone(), error))?;
    if args.grade {
        out.metadata().map_err(|error| PuzzlesError::File(out.clone(), error))?;
    }
    // Not after hours with the files before it.
    for path in &args.games {
        path.metadata().map_err(|error| PuzzlesError::File(path.clone(), error))?;
    }
    let mut found = Collection::open(out, args.variant)?;
    let mut solver = Solver::new(args.variant, args.seed);
    if args.grade {
        found.grade(&mut solver)?;
        return write_pgn(args, &found.puzzles);
    }
    let second = args.confirm.as_ref();
    let mut second = second
        .map(|spec| SecondEngine::start(spec, args.variant, args.confirm_nodes))
        .transpose()?;
    let examined = found.examined();
    let is_full = found.is_full(args.number);
    if found.games > 0 && examined == 0 && !is_full {
        tell("an earlier version has not noted which games it has examined: all are examined");
    } else if examined > 0 {
        tell(&format!("so far: {found}"));
    }
    let skipped = look_at_games(args, &mut found, &mut solver, second.as_mut());
    // What was proved before an error stays.
    if skipped.is_ok() || found.examined() > examined {
        found.keep()?;
    }
    let skipped = skipped?;
    if skipped > 0 {
        let games = count(skipped, "game");
        tell(&format!("skipped, because they were examined before: {games}"));
    }
    tell(&found.to_string());
    write_pgn(args, &found.puzzles)
}

/// Looks at the games until there are enough puzzles. Returns how many were skipped, because they were examined before.
fn look_at_games(
    args: &PuzzlesArgs,
    found: &mut Collection,
    solver: &mut Solver,
    mut second: Option<&mut SecondEngine>,
) -> Result<usize, PuzzlesError> {
    let demands = Demands { nodes: args.nodes, margin: f64::from(args.margin) / 100.0 };
    let mut games = games_of(args);
    let mut skipped = 0;
    let mut kept_at = Instant::now();
    while !found.is_full(args.number) {
        let Some(game) = games.next().transpose()? else { break };
        let fingerprint = game.fingerprint();
        if found.has_seen(fingerprint) {
            skipped += 1;
            continue;
        }
        let before = found.puzzles.len();
        let mut is_whole = true;
        for puzzle in puzzles_of(&game, solver, &demands) {
            if found.is_full(args.number) {
                is_whole = false;
                break;
            }
            let is_confirmed = match &mut second {
                Some(second) => {
                    let agrees = second.agrees(&puzzle);
                    second.take_remarks().iter().for_each(|remark| tell(remark));
                    agrees?
                }
                None => true,
            };
            if is_confirmed && found.is_new(&puzzle) {
                tell(&format!("{}: {puzzle}", found.puzzles.len() + 1));
                found.add(puzzle);
                found.keep()?;
            }
        }
        // A later run finds the puzzles for which there was no room.
        if is_whole {
            found.note(fingerprint);
        }
        let is_stage = found.examined().is_multiple_of(GAMES_TO_KEEP);
        if is_stage || found.puzzles.len() > before || kept_at.elapsed() >= TIME_TO_KEEP {
            found.keep()?;
            kept_at = Instant::now();
        }
        if is_stage {
            tell(&found.to_string());
        }
    }
    Ok(skipped)
}

/// The games of all files. A file is read when its first game is wanted.
fn games_of(args: &PuzzlesArgs) -> impl Iterator<Item = Result<SourceGame, SourceError>> {
    args.games.iter().flat_map(move |path| {
        let games = source::read(path, args.variant);
        games.unwrap_or_else(|error| Box::new(iter::once(Err(error))))
    })
}

/// Writes the PGN file, if one is wanted.
fn write_pgn(args: &PuzzlesArgs, puzzles: &[Puzzle]) -> Result<(), PuzzlesError> {
    let Some(path) = &args.pgn else { return Ok(()) };
    let games = (1..).zip(puzzles).map(|(number, puzzle)| pgn_of(puzzle, args.variant, number));
    let text: String = games.map(|game| game.to_string()).collect();
    let wrong = |error| PuzzlesError::File(path.clone(), error);
    if is_standard(path) {
        return io::stdout().lock().write_all(text.as_bytes()).map_err(wrong);
    }
    files::replace(path, text.as_bytes()).map_err(wrong)?;
    tell(&format!("written: {}", path.display()));
    Ok(())
}

/// The puzzle as a game whose moves are the solution.
fn pgn_of(puzzle: &Puzzle, variant: VariantId, number: usize) -> PgnGame {
    let mut game = PgnGame::default();
    game.push_tag("Event", format_args!("Puzzle {number}"));
    game.push_tag("Variant", variant.title());
    game.push_tag("SetUp", 1);
    game.push_tag("FEN", &puzzle.fen);
    game.push_tag("Rating", puzzle.rating);
    if !puzzle.themes.is_empty() {
        game.push_tag("Theme", puzzle.themes.join(", "));
    }
    game.moves = puzzle.solution.iter().map(PgnMove::new).collect();
    game.result = GameResult::Unfinished;
    game
}

/// The puzzles of a game.
///
/// A puzzle begins where the chances of the side to move have risen since a side last had a choice: where
/// captures are compulsory, the forced moves after a mistake come first.
fn puzzles_of(source: &SourceGame, solver: &mut Solver, demands: &Demands) -> Vec<Puzzle> {
    let mut game = source.start.fork();
    let mut found = Vec::new();
    // What the side that does not move now could hope for when a side last had a choice.
    let mut hopes: Option<f64> = None;
    let mut last: Option<Box<dyn Game>> = None;
    for (ply, &(mv, score)) in source.moves.iter().enumerate() {
        let has_choice = game.legal_moves().len() > 1;
        if has_choice {
            let score = score.or_else(|| look(&*game, solver));
            let chances = score.map(win_chances);
            let is_chance = chances
                .zip(hopes)
                .is_some_and(|(now, before)| now >= WINNING && now - (1.0 - before) >= MISTAKE);
            if let Some(before) = last.filter(|_| is_chance) {
                found.extend(prove(solver, &*before, source.moves[ply - 1].0, demands));
            }
            hopes = chances;
        } else {
            hopes = hopes.map(|chances| 1.0 - chances);
        }
        last = Some(game.fork());
        game.play(mv);
    }
    found
}

/// The score of a position, for the side to move, by a short search.
fn look(game: &dyn Game, solver: &mut Solver) -> Option<Score> {
    solver.clear();
    solver.study(game, 1, LOOK_NODES).first().map(|line| line.score)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::super::collection;
    use super::*;

    /// The first lines of a file of version 1.0.
    fn head(variant: VariantId, games: usize) -> String {
        collection::head(variant, games, &BTreeSet::new())
    }

    fn args(folder: &Path, games: &str) -> PuzzlesArgs {
        let path = folder.join("games.pgn");
        std::fs::write(&path, games).unwrap();
        PuzzlesArgs {
            out: Some(folder.join("puzzles.epd")),
            built_in: false,
            grade: false,
            games: vec![path],
            variant: VariantId::Standard,
            number: 10,
            nodes: 20_000,
            margin: 30,
            confirm: None,
            confirm_nodes: 1_000,
            seed: 1,
            pgn: Some(folder.join("puzzles.pgn")),
        }
    }

    /// Black allows a mate on the back rank.
    const GAME: &str =
        "[FEN \"6k1/5ppp/8/8/1r6/8/5PPP/3R2K1 b - - 0 1\"]\n\n1... Rb2 2. Rd8# 1-0\n";

    #[test]
    fn puzzles_are_found_once_and_written() {
        let folder = tempfile::tempdir().unwrap();
        // The same game, which begins a move earlier.
        let game = GAME.replace("3R2K1 b - - 0 1\"]\n\n1...", "2R3K1 w - - 0 1\"]\n\n1. Rd1");
        for games in [GAME.to_owned(), GAME.repeat(2), game] {
            let args = args(folder.path(), &games);
            let out = args.out.as_ref().unwrap();
            let _ = std::fs::remove_file(out);
            run(&args).unwrap();
            let text = std::fs::read_to_string(out).unwrap();
            let count = text.lines().filter(|line| !line.starts_with('#')).count();
            assert_eq!(count, 1, "{text}");
            // It goes on where it was, and finds nothing more.
            run(&args).unwrap();
            assert_eq!(std::fs::read_to_string(out).unwrap(), text);
            assert_eq!(text, args.read_again());
        }
    }

    /// White's mistake is to give the last pawn: two forced captures follow before Black can win.
    const SUICIDE: &str = "[Variant \"Suicide\"]\n\
        [FEN \"8/4p2P/3p1b2/2p5/8/1P6/3PPPP1/1NB1KB1R w - - 0 1\"]\n\n\
        1. h8=N Bxh8 2. Rxh8 c4 *\n";

    fn suicide_args(folder: &Path, games: &str) -> PuzzlesArgs {
        PuzzlesArgs { variant: VariantId::Suicide, nodes: 100_000, ..args(folder, games) }
    }

    #[test]
    fn forced_moves_may_stand_between_a_mistake_and_its_puzzle() {
        let folder = tempfile::tempdir().unwrap();
        let args = suicide_args(folder.path(), SUICIDE);
        run(&args).unwrap();
        let text = std::fs::read_to_string(args.out.as_ref().unwrap()).unwrap();
        assert!(text.contains("/1NB1KB2 b - - 0 2 bm c4; pv c4 bxc4 d5;"), "{text}");
    }

    /// Whoever interrupts the command keeps the puzzles that it has told of.
    #[test]
    fn a_puzzle_is_written_as_soon_as_it_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let games = format!("{SUICIDE}\n[Variant \"Suicide\"]\n\n1. e3 *\n");
        let args = suicide_args(folder.path(), &games);
        let out = args.out.as_ref().unwrap();
        let mut found = Collection::open(out, args.variant).unwrap();
        let mut solver = Solver::new(args.variant, args.seed);
        look_at_games(&args, &mut found, &mut solver, None).unwrap();
        drop(found);
        let kept = Collection::open(out, args.variant).unwrap();
        assert_eq!((kept.puzzles.len(), kept.games), (1, 1));
    }

    /// A later run that wants more puzzles begins with the first game at which nobody has looked.
    #[test]
    fn no_game_is_looked_at_when_there_are_enough_puzzles() {
        let folder = tempfile::tempdir().unwrap();
        let mut args = PuzzlesArgs { number: 1, ..args(folder.path(), "1. e4 *\n\n1. d4 *\n") };
        let out = args.out.clone().unwrap();
        let puzzle = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 bm Rd8#; pv Rd8#; rating 900;\n";
        std::fs::write(&out, head(args.variant, 1) + puzzle).unwrap();
        for (number, examined) in [(1, 0), (2, 2)] {
            args.number = number;
            run(&args).unwrap();
            assert_eq!(Collection::open(&out, args.variant).unwrap().examined(), examined);
        }
    }

    /// It plays standard chess only, so it cannot confirm the puzzle of the second game.
    #[cfg(unix)]
    #[test]
    fn an_error_of_the_second_engine_leaves_what_was_proved() {
        use crate::arena::engines::Protocol;

        const ENGINE: &str = "while read -r line; do
            case $line in
                uci) echo option name UCI_Variant type combo default chess var chess; echo uciok;;
                quit) exit;;
            esac
        done";
        let folder = tempfile::tempdir().unwrap();
        let command = ["sh", "-c", ENGINE].map(str::to_owned).to_vec();
        let games = format!("[Variant \"Suicide\"]\n\n1. e3 *\n\n{SUICIDE}");
        let spec = EngineSpec { command, protocol: Some(Protocol::Uci), ..EngineSpec::default() };
        let args = PuzzlesArgs { confirm: Some(spec), ..suicide_args(folder.path(), &games) };
        let error = run(&args).unwrap_err().to_string();
        assert_eq!(error, "the second engine: does not play suicide");
        let text = std::fs::read_to_string(args.out.as_ref().unwrap()).unwrap();
        assert!(text.starts_with(&(head(args.variant, 1) + "# Seen: ")), "{text}");
        assert_eq!(text.lines().count(), 3);
    }

    impl PuzzlesArgs {
        fn read_again(&self) -> String {
            let out = self.out.as_ref().unwrap();
            let mut found = Collection::open(out, self.variant).unwrap();
            found.keep().unwrap();
            std::fs::read_to_string(out).unwrap()
        }
    }

    #[test]
    fn puzzles_get_new_ratings() {
        let folder = tempfile::tempdir().unwrap();
        let args = PuzzlesArgs { grade: true, ..args(folder.path(), "") };
        let out = args.out.as_ref().unwrap();
        let error = run(&args).unwrap_err().to_string();
        let missing = std::fs::metadata(out).unwrap_err();
        assert_eq!(error, format!("{}: {missing}", out.display()));
        assert!(!out.exists());
        // A mate in one, and a smothered mate in two.
        let easy =
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 bm Rd8#; pv Rd8#; rating 2600; theme mate;";
        let hard = "5r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1 bm Qg8+; pv Qg8+ Rxg8 Nf7#; rating 200;";
        std::fs::write(out, head(args.variant, 7) + hard + "\n" + easy + "\n").unwrap();
        run(&args).unwrap();
        let found = Collection::open(out, args.variant).unwrap();
        let ratings: Vec<(u32, &str)> =
            found.puzzles.iter().map(|puzzle| (puzzle.rating, &*puzzle.solution[0])).collect();
        let [(easy, "Rd8#"), (hard, "Qg8+")] = ratings[..] else { panic!("{ratings:?}") };
        assert!(easy < hard && hard < 2600, "{ratings:?}");
        assert_eq!(found.games, 7);
        drop(found);
        // The same again, although the puzzles have changed places.
        let text = std::fs::read_to_string(out).unwrap();
        run(&args).unwrap();
        assert_eq!(std::fs::read_to_string(out).unwrap(), text);
    }

    #[test]
    fn a_game_is_examined_once_in_whatever_file_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let of = |moves: &str| format!("[Variant \"Suicide\"]\n\n{moves} *\n\n");
        let known = of("1. e3") + &of("1. e3 b5");
        // Other games, fewer than before; the newest game on top; all again.
        let newest = of("1. d3") + SUICIDE + "\n" + &known;
        let files =
            [(&*known, 0, 2, 0), (SUICIDE, 0, 3, 1), (&newest, 3, 4, 1), (&newest, 4, 4, 1)];
        for (games, skipped, examined, puzzles) in files {
            let args = suicide_args(folder.path(), games);
            let mut found = Collection::open(args.out.as_ref().unwrap(), args.variant).unwrap();
            let mut solver = Solver::new(args.variant, args.seed);
            assert_eq!(look_at_games(&args, &mut found, &mut solver, None).unwrap(), skipped);
            assert_eq!(
                (found.examined(), found.games, found.puzzles.len()),
                (examined, examined, puzzles)
            );
            found.keep().unwrap();
        }
    }

    #[test]
    fn many_games_are_noted_in_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.epd");
        let mut found = Collection::open(&path, VariantId::Standard).unwrap();
        (0..30).for_each(|game| found.note(game << 20));
        found.keep().unwrap();
        drop(found);
        let found = Collection::open(&path, VariantId::Standard).unwrap();
        assert!((0..30).all(|game| found.has_seen(game << 20)));
        assert!(!found.has_seen(1));
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 5);
    }

    /// They tell only how many games they come from.
    #[test]
    fn for_a_file_of_an_earlier_version_all_games_are_examined() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(folder.path(), "1. e4 *\n\n1. d4 *\n");
        let out = args.out.as_ref().unwrap();
        std::fs::write(out, head(args.variant, 3)).unwrap();
        run(&args).unwrap();
        let found = Collection::open(out, args.variant).unwrap();
        assert_eq!((found.examined(), found.games), (2, 3));
    }

    #[test]
    fn the_games_of_a_person_are_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(folder.path(), GAME);
        let league = "[Event \"League\"]\n\n1. e4 *\n";
        let pgn = args.pgn.as_ref().unwrap();
        std::fs::write(pgn, league).unwrap();
        assert!(matches!(run(&args), Err(PuzzlesError::File(..))));
        assert_eq!(std::fs::read_to_string(pgn).unwrap(), league);
    }

    /// The puzzles of the one that ends first would be lost.
    #[cfg(unix)]
    #[test]
    fn one_run_at_a_time_uses_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(folder.path(), "1. e4 *\n");
        let out = args.out.as_ref().unwrap();
        let first = Collection::open(out, args.variant).unwrap();
        let refused = format!("{}: another run uses it", out.display());
        assert_eq!(run(&args).unwrap_err().to_string(), refused);
        drop(first);
        run(&args).unwrap();
    }

    #[test]
    fn an_empty_file_is_new() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(folder.path(), "");
        let out = args.out.as_ref().unwrap();
        std::fs::write(out, "").unwrap();
        run(&args).unwrap();
        assert_eq!(std::fs::read_to_string(out).unwrap(), head(args.variant, 0));
    }

    #[test]
    fn a_file_that_an_editor_has_saved_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.epd");
        let puzzle = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 bm Rd8#; pv Rd8#; rating 900;\n";
        let text = head(VariantId::Standard, 3) + puzzle;
        for saved in [format!("\u{feff}{text}"), text.replace('\n', "\r\n")] {
            std::fs::write(&path, saved).unwrap();
            let found = Collection::open(&path, VariantId::Standard).unwrap();
            assert_eq!((found.puzzles.len(), found.games), (1, 3));
        }
    }

    #[test]
    fn other_files_are_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(folder.path(), GAME);
        let out = args.out.as_ref().unwrap();
        let why = |text: &str| {
            std::fs::write(out, text).unwrap();
            let error = run(&args).unwrap_err().to_string();
            assert_eq!(std::fs::read_to_string(out).unwrap(), text);
            error.replace(&out.display().to_string(), "FILE")
        };
        for text in ["my diary", &(head(VariantId::Standard, 3) + "x\n")] {
            assert_eq!(why(text), "FILE: this is not a file of puzzles of Chess; move it away");
        }
        let other =
            "FILE: its puzzles are of Horde, not of Chess; choose the game with --variant horde";
        assert_eq!(why(&head(VariantId::Horde, 3)), other);
    }
}
