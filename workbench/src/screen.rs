//! A screen in memory, on which windows open where there is no other one.

use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long the X server may take to remove its files.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(2);
/// The protocol by which a program proves that it may use the screen, and the bytes of its secret.
const PROTOCOL: &[u8] = b"MIT-MAGIC-COOKIE-1";
const SECRET: usize = 16;
/// The name of the file with the secret.
const AUTHORITY: &str = "authority";

/// An X server of our own, Xvfb, on a free display. Dropping it ends it, and it removes its files.
pub struct Screen {
    server: Child,
    /// The display, such as `:99`.
    display: String,
    /// Has the secret that programs need.
    folder: TempDir,
}

impl Screen {
    /// Starts an X server and waits until it is ready.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start() -> io::Result<Screen> {
        let folder = tempfile::tempdir()?;
        let authority = folder.path().join(AUTHORITY);
        fs::write(&authority, authority_of(&secret()))?;
        let mut command = Command::new("Xvfb");
        // It writes its number to standard output (1) when it is ready. A server that resets when its last client
        // leaves refuses the next one for a moment.
        command.args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "1024x768x24",
            "-nolisten",
            "tcp",
            "-noreset",
            "-auth",
        ]);
        command.arg(&authority).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C in the terminal does not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut screen = Screen { server: command.spawn()?, display: String::new(), folder };
        let mut number = String::new();
        if let Some(output) = screen.server.stdout.take() {
            BufReader::new(output).read_line(&mut number)?;
        }
        if number.trim().is_empty() {
            return Err(io::Error::other("Xvfb has ended at once"));
        }
        screen.display = format!(":{}", number.trim());
        Ok(screen)
    }

    /// What the environment of a program on this screen needs.
    pub fn environment(&self) -> [(String, String); 2] {
        let authority = self.folder.path().join(AUTHORITY).to_string_lossy().into_owned();
        [("DISPLAY".to_owned(), self.display.clone()), ("XAUTHORITY".to_owned(), authority)]
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process};
            let id = i32::try_from(self.server.id()).ok().and_then(Pid::from_raw);
            let is_told = id.is_some_and(|id| kill_process(id, Signal::TERM).is_ok());
            let deadline = Instant::now() + PATIENCE;
            while is_told && Instant::now() < deadline && matches!(self.server.try_wait(), Ok(None))
            {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        // Both fail if it has ended.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Bytes that nobody can guess: the standard library keys its hashes with random numbers of the system.
fn secret() -> [u8; SECRET] {
    let [high, low] = [0, 1].map(|_| u128::from(RandomState::new().build_hasher().finish()));
    (high << 64 | low).to_be_bytes()
}

/// The file of X authorities with one secret, for all displays of all machines: numbers have two bytes, and each
/// text follows its length.
fn authority_of(secret: &[u8; SECRET]) -> Vec<u8> {
    const ANY_FAMILY: u16 = 0xffff;
    let mut bytes = ANY_FAMILY.to_be_bytes().to_vec();
    for text in [&[], &[], PROTOCOL, secret.as_slice()] {
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_has_the_form_that_servers_read() {
        let bytes = authority_of(&[7; SECRET]);
        let expected =
            [b"\xff\xff\0\0\0\0\0\x12MIT-MAGIC-COOKIE-1\0\x10".as_slice(), &[7; 16]].concat();
        assert_eq!(bytes, expected);
    }
}
