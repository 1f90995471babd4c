//! `trebuchet egtb`: makes the endgame tables of three-check, checks them, and looks positions up.

mod gain;
mod make;
mod show;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use trebuchet::board::FenError;
use trebuchet::tablebase::three_check::{
    Ending, SolveError, TableFileError, ThreeCheckTables, VerifyError, verify,
};
use trebuchet::types::Color;

/// Make, check and read the endgame tables of three-check.
///
/// The tables tell the result of every ending of three and four men but KPvKP, and the distance to it,
/// for every number of checks. docs/tablebases.md explains them.
#[derive(Clone, Debug, clap::Args)]
pub struct EgtbArgs {
    #[command(subcommand)]
    command: EgtbCommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum EgtbCommand {
    /// Make tables that are missing in a folder
    ///
    /// Tables that the wanted ones need are made, too. Started again, it goes on with the first
    /// table that is not finished.
    Make {
        /// The endings, such as KQvKR; without any, all of three and four men but KPvKP
        endings: Vec<Ending>,
        /// The folder of the tables; created if it does not exist
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Only say what would be made, and how much memory it takes
        #[arg(long)]
        plan: bool,
    },
    /// Check tables: their checksums, and each position against its moves
    Check {
        /// The folder of the tables
        folder: PathBuf,
        /// The endings; without any, all that the folder has
        endings: Vec<Ending>,
    },
    /// Measure what the tables gain: searches random won positions without them and with them
    ///
    /// Only positions count in which some move wins and some does not. In the games, the engine has
    /// to win against an opponent that always plays the move with the longest resistance.
    Gain {
        /// The folder of the tables
        folder: PathBuf,
        /// The endings
        #[arg(required = true)]
        endings: Vec<Ending>,
        /// The number of positions of each ending
        #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
        positions: u32,
        /// The number of games of each ending
        #[arg(long, default_value_t = 50)]
        games: u32,
        /// The nodes of each search
        #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
        nodes: u64,
        /// The seed of the random positions
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Show the value of a position and of each move
    Show {
        /// The position
        fen: String,
        /// The folder of the tables
        #[arg(long, value_name = "DIR")]
        tables: PathBuf,
    },
}

/// Why the command failed.
#[derive(Debug, thiserror::Error)]
pub enum EgtbError {
    #[error("{0}: {1}")]
    Folder(PathBuf, io::Error),
    #[error("{0} cannot be made: a pawn can be taken en passant there")]
    EnPassant(Ending),
    #[error("{0}: {1}")]
    Solve(Ending, SolveError),
    #[error(transparent)]
    File(#[from] TableFileError),
    #[error(transparent)]
    Check(#[from] VerifyError),
    #[error("no tables in {0}")]
    Empty(PathBuf),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("no table has this position")]
    NoTable,
    #[error("no table of {0} in {1}")]
    NoTableOf(Ending, PathBuf),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Runs the tool.
///
/// # Errors
/// If a folder or a table cannot be read or written, if a table is wrong, or if standard output is
/// closed.
pub fn run(args: &EgtbArgs) -> Result<(), EgtbError> {
    match &args.command {
        EgtbCommand::Make { endings, out, plan } => make::run(endings, out, *plan),
        EgtbCommand::Check { folder, endings } => verify_tables(folder, endings),
        EgtbCommand::Gain { folder, endings, positions, games, nodes, seed } => {
            let task =
                gain::Task { positions: *positions, games: *games, nodes: *nodes, seed: *seed };
            gain::run(folder, endings, &task)
        }
        EgtbCommand::Show { fen, tables } => show::run(fen, tables),
    }
}

/// Opens the tables of one folder.
fn open(folder: &Path) -> Result<ThreeCheckTables, EgtbError> {
    ThreeCheckTables::open(&[folder]).map_err(|error| EgtbError::Folder(folder.to_owned(), error))
}

/// A progress bar over the layers of an ending. Hidden without a terminal.
fn progress_bar(ending: &Ending, layers: usize) -> ProgressBar {
    let bar = ProgressBar::new(layers as u64).with_message(ending.to_string());
    if let Ok(style) =
        ProgressStyle::with_template("{msg} {bar:20} {pos}/{len} {elapsed} (left {eta})")
    {
        bar.set_style(style);
    }
    bar
}

fn verify_tables(folder: &Path, endings: &[Ending]) -> Result<(), EgtbError> {
    let tables = open(folder)?;
    let mut wanted: Vec<Ending> = tables.endings().cloned().collect();
    if !endings.is_empty() {
        wanted = endings.to_vec();
    }
    if wanted.is_empty() {
        return Err(EgtbError::Empty(folder.to_owned()));
    }
    wanted.sort_by_key(|ending| (ending.men(), ending.key()));
    for ending in &wanted {
        let layers = ending.counts(Color::White) * ending.counts(Color::Black);
        let bar = progress_bar(ending, layers);
        let checked = verify(&tables, ending, |done| bar.set_position(done as u64));
        bar.finish_and_clear();
        for notice in tables.take_notices() {
            writeln!(io::stderr(), "trebuchet: {notice}")?;
        }
        writeln!(io::stdout(), "{ending}: {} positions are consistent", checked?)?;
    }
    Ok(())
}
