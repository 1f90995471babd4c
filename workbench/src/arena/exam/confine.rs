//! Confines foreign programs, where the system can: bubblewrap (`bwrap`) gives them a view of the system
//! without network, without other bots and without chess engines, in which files are read-only; `prlimit`
//! limits memory, processes and the size of files.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use clap::ValueEnum;

/// The largest file that a process may write, in MiB.
const FILE_SIZE: u64 = 64;

/// The most processes and threads of a bot. The limit does not hold for the user root.
const PROCESSES: u64 = 512;

/// Folders that are empty for a confined program, where they exist: chess engines, sockets of services,
/// and files of others.
const EMPTY: [&str; 3] = ["/usr/games", "/run", "/tmp"];

/// When bots are confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Confine {
    /// Wherever bubblewrap works
    Auto,
    /// Always: without bubblewrap there is no examination
    Always,
    /// Never
    Never,
}

/// What a program sees of the system.
const VIEW: [&str; 7] = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
/// How it is kept apart.
const NAMESPACES: [&str; 4] = ["--unshare-all", "--die-with-parent", "--new-session", "--"];

/// Does bubblewrap work here? Some systems do not let users make namespaces, or no new `/proc` in them.
static HAS_BUBBLEWRAP: LazyLock<bool> = LazyLock::new(|| {
    let arguments = [&VIEW[..], &NAMESPACES, &["true"]].concat();
    works("bwrap", &arguments)
});

static HAS_PRLIMIT: LazyLock<bool> = LazyLock::new(|| works("prlimit", &["--core=0", "true"]));

/// For the user root the system does not count processes.
fn is_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    return false;
}

/// How many processes and threads the user has, because their limit holds for all of the user's that are not in
/// a namespace of their own.
fn processes_of_user() -> u64 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let user = rustix::process::geteuid().as_raw();
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let own = all.filter(|entry| entry.metadata().is_ok_and(|data| data.uid() == user));
        let threads = own.filter_map(|entry| std::fs::read_dir(entry.path().join("task")).ok());
        threads.map(|threads| threads.count() as u64).sum()
    }
    #[cfg(not(unix))]
    0
}

fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// How foreign programs are confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confinement {
    pub when: Confine,
    /// The most address space of a process, in MiB; `None` for any.
    pub memory: Option<NonZeroU64>,
}

impl Confinement {
    /// Programs are not confined.
    pub const NONE: Confinement = Confinement { when: Confine::Never, memory: None };

    /// Can programs be confined as this asks?
    pub fn is_possible(self) -> bool {
        self.when != Confine::Always || *HAS_BUBBLEWRAP
    }

    fn is_on(self) -> bool {
        self.when != Confine::Never && *HAS_BUBBLEWRAP
    }

    /// What is in force for a program that does not see the folders in `hidden`, in words.
    pub fn in_words(self, hidden: &[PathBuf]) -> String {
        let limits = if *HAS_PRLIMIT {
            let processes = if is_root() {
                "any number of processes, because root examines it".to_owned()
            } else {
                format!("{PROCESSES} processes")
            };
            let memory = match self.memory {
                Some(memory) => format!("at most {memory} MiB"),
                None => "any amount".to_owned(),
            };
            format!("{memory} of memory a process, {processes}, files of {FILE_SIZE} MiB")
        } else {
            "no limits, because there is no `prlimit`".to_owned()
        };
        match self.when {
            Confine::Never => "not confined".to_owned(),
            _ if self.is_on() => format!(
                "confined: no network, files read-only but for its own folder while it is built, {}{} not visible, \
                 {limits}",
                if hidden.is_empty() { "" } else { "other bots and " },
                EMPTY.join(", ")
            ),
            _ => format!("not confined, because bubblewrap does not work here; {limits}"),
        }
    }

    /// The words that limit a command, if `prlimit` is there.
    fn limits(self) -> Vec<String> {
        if !*HAS_PRLIMIT {
            return Vec::new();
        }
        let processes = PROCESSES + if *HAS_BUBBLEWRAP { 0 } else { processes_of_user() };
        let memory = self.memory.map(|memory| format!("--as={}", memory.get() << 20));
        let files = format!("--fsize={}", FILE_SIZE << 20);
        let processes = format!("--nproc={processes}");
        let rest = [files, processes, "--core=0".to_owned(), "--".to_owned()];
        ["prlimit".to_owned()].into_iter().chain(memory).chain(rest).collect()
    }

    /// The command that runs `command` confined in a folder, which it may write if `is_writable`; the folders
    /// in `hidden` are empty for it, even if they hold its own.
    pub fn wrap(
        self,
        command: &[String],
        folder: &Path,
        is_writable: bool,
        hidden: &[PathBuf],
    ) -> Vec<String> {
        if !self.is_on() {
            let limits = if self.when == Confine::Never { Vec::new() } else { self.limits() };
            return limits.into_iter().chain(command.iter().cloned()).collect();
        }
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let own = text(folder);
        let mut words = vec!["bwrap".to_owned()];
        words.extend(VIEW.map(str::to_owned));
        let empty = EMPTY.map(Path::new).into_iter().chain(hidden.iter().map(PathBuf::as_path));
        for folder in empty.filter(|folder| folder.is_dir()) {
            words.extend(["--tmpfs".to_owned(), text(folder)]);
        }
        let bind = if is_writable { "--bind" } else { "--ro-bind" };
        words.extend([bind, &own, &own, "--chdir", &own].map(str::to_owned));
        words.extend(NAMESPACES.map(str::to_owned));
        words.extend(self.limits());
        words.extend(command.iter().cloned());
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AUTO: Confinement = Confinement { when: Confine::Auto, memory: NonZeroU64::new(4096) };

    #[test]
    fn a_program_that_is_not_confined_is_run_as_it_is() {
        let command = ["make".to_owned(), "run".to_owned()];
        assert_eq!(Confinement::NONE.wrap(&command, Path::new("/x"), true, &[]), command);
        assert_eq!(Confinement::NONE.in_words(&[]), "not confined");
        assert!(AUTO.is_possible() && Confinement::NONE.is_possible());
    }

    #[test]
    fn without_bubblewrap_the_limits_hold() {
        if *HAS_BUBBLEWRAP || !*HAS_PRLIMIT {
            return;
        }
        let limits = |confinement: Confinement| {
            // Not every `sh` knows `ulimit -u`.
            let script = "ulimit -v; grep -o 'processes *[0-9][0-9]*' /proc/self/limits";
            let script = ["sh", "-c", script].map(str::to_owned);
            let words = confinement.wrap(&script, Path::new("/"), false, &[]);
            let output = Command::new(&words[0]).args(&words[1..]).output().unwrap();
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let said = limits(AUTO);
        let last_word = |line: &str| line.split_whitespace().last()?.parse().ok();
        let numbers: Vec<u64> = said.lines().map(|line| last_word(line).unwrap()).collect();
        assert!(numbers[0] == 4096 << 10 && numbers[1] > PROCESSES, "{said}");
        let words = AUTO.in_words(&[]);
        assert!(words.contains("not confined") && words.contains("at most 4096 MiB"), "{words}");
        let any = Confinement { memory: None, ..AUTO };
        assert!(limits(any).starts_with("unlimited\n"), "{}", limits(any));
        assert!(
            any.in_words(&[]).contains("any amount of memory a process"),
            "{}",
            any.in_words(&[])
        );
    }

    #[test]
    fn a_confined_program_sees_its_folder_alone() {
        if !*HAS_BUBBLEWRAP {
            return;
        }
        let class = tempfile::tempdir().unwrap();
        let (own, other) = (class.path().join("own"), class.path().join("other"));
        std::fs::create_dir(&own).unwrap();
        std::fs::create_dir(&other).unwrap();
        let said = |script: &str, is_writable| {
            let script = ["sh", "-c", script].map(str::to_owned);
            let hidden = [class.path().to_owned()];
            let words = AUTO.wrap(&script, &own, is_writable, &hidden);
            let output = Command::new(&words[0]).args(&words[1..]).output().unwrap();
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        assert_eq!(said("ls ..", false), "own\n");
        assert_eq!(said("touch x 2>/dev/null && echo wrote", false), "");
        assert_eq!(said("touch x && echo wrote", true), "wrote\n");
        assert!(own.join("x").exists());
        assert_eq!(said("ls /usr/games /tmp | grep -c fish", false), "0\n");
        // A network without anything but the loopback device.
        assert_eq!(said("tail -n +3 /proc/net/dev | grep -vc lo:", false), "0\n");
        assert!(
            AUTO.in_words(std::slice::from_ref(&own)).contains(", other bots and /usr/games, ")
        );
        assert!(!AUTO.in_words(&[]).contains("other bots"), "they are visible");
        if *HAS_PRLIMIT {
            assert_eq!(said("ulimit -v", false), format!("{}\n", 4096 << 10));
        }
    }
}
