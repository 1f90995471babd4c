//! A virtual screen, and programs that run on it with a time limit.

// Each test program uses only a part of this module.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use workbench::screen::Screen;

/// A virtual screen. Dropping it ends it.
pub struct Display(Screen);

impl Display {
    pub fn start() -> Display {
        Display(Screen::start().expect("Xvfb is installed"))
    }

    /// A command that runs on this screen; Debian's games are in its path.
    pub fn command(&self, program: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command.envs(self.0.environment()).env("PATH", format!("{path}:/usr/games"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// A running program. Dropping it kills the program.
pub struct Running(Child);

impl Running {
    pub fn start(command: &mut Command) -> Running {
        let program = command.get_program().to_owned();
        Running(command.spawn().unwrap_or_else(|error| panic!("{program:?}: {error}")))
    }

    /// Waits for its end. `None` if it still runs after `limit`.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < limit {
            if let Some(status) = self.0.try_wait().expect("it is a child of ours") {
                return Some(status);
            }
            sleep(Duration::from_millis(20));
        }
        None
    }

    /// The processor time of the processes that it has started.
    pub fn children_cpu_time(&self) -> Duration {
        let parent = u64::from(self.0.id());
        let processes = std::fs::read_dir("/proc").expect("Linux shows its processes");
        let hundredths: u64 = processes
            .filter_map(|entry| std::fs::read_to_string(entry.ok()?.path().join("stat")).ok())
            .filter_map(|stat| {
                // `PID (NAME) STATE PARENT …`, user and system time in the 14th and 15th field.
                let (_, fields) = stat.rsplit_once(") ")?;
                let fields: Vec<u64> =
                    fields.split(' ').skip(1).map_while(|field| field.parse().ok()).collect();
                (*fields.first()? == parent)
                    .then(|| fields.get(10..12)?.iter().sum::<u64>().into())?
            })
            .sum();
        Duration::from_millis(10 * hundredths)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An empty folder for the files of one test. It stays after the test, to show why the test failed.
pub fn fresh_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("xboard").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("cargo's folder can be written");
    folder
}
