//! The log of the server: connections, games, and panics, with date and time. It goes into a file
//! and, if the server runs in a terminal, onto the screen.

use std::fs::File;
use std::io::{self, IsTerminal, LineWriter, Write};
use std::panic;
use std::path::Path;

use env_logger::{Builder, Target};
use jiff::Timestamp;
use log::LevelFilter;

use crate::protocol::run_log;

/// Starts the log. With a folder it goes into a new file there.
///
/// # Errors
/// If the file cannot be created.
pub(super) fn init(folder: Option<&Path>) -> io::Result<()> {
    let create = |folder| File::create(run_log::path_in(folder)?).map(LineWriter::new);
    let file = folder.map(create).transpose()?;
    let output = Output { file, has_screen: io::stdout().is_terminal() };
    let logger = Builder::new()
        // The lines of the server; of everything else only what has gone wrong.
        .filter_level(LevelFilter::Warn)
        .filter_module("trebuchet::serve", LevelFilter::Info)
        .target(Target::Pipe(Box::new(output)))
        .format(|line, record| {
            let now = Timestamp::now().strftime("%Y-%m-%d %H:%M:%S");
            writeln!(line, "{now} {}", record.args())
        })
        .try_init();
    // Only a second call fails; the log has started then.
    if logger.is_ok() {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            log::error!("{panic}");
            usual(panic);
        }));
    }
    Ok(())
}

/// Where the lines go.
struct Output {
    file: Option<LineWriter<File>>,
    has_screen: bool,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.has_screen {
            // Best effort: the terminal may be closed.
            let _ = io::stdout().write_all(bytes);
        }
        if let Some(file) = &mut self.file {
            file.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}
