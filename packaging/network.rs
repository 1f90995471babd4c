//! The build script of the engine: which network of chess is built in.
//!
//! That is the file in `variants/standard`, or the one that the environment variable `EVALFILE` names, with a path
//! from the top folder. OpenBench builds engines so. The program reads the network without asking for errors, so the
//! game and the length of the file are checked here; `eval::network` tells where they stand.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The first bytes of every network, of any version.
const MAGIC: &[u8] = b"TREBNET";
/// Where the header has the name of the game and the length of what comes after the header.
const GAME: Range<usize> = 8..32;
const LENGTH: Range<usize> = 48..52;
const HEADER: usize = 64;

/// Is it a whole network of chess?
fn check(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(MAGIC) || bytes.len() < HEADER {
        return Err("not a network of Trebuchet".to_owned());
    }
    let game = String::from_utf8_lossy(&bytes[GAME]);
    let game = game.trim_end_matches('\0');
    if game != "normal" {
        return Err(format!("a network for the game {game}"));
    }
    if bytes[LENGTH] != u32::try_from(bytes.len() - HEADER).unwrap_or(0).to_le_bytes() {
        return Err("damaged: it has another length than its header says".to_owned());
    }
    Ok(())
}

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let root = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).expect("cargo sets it");
    let named = env::var_os("EVALFILE").filter(|file| !file.is_empty());
    let file = named.as_deref().map_or(Path::new("variants/standard/net.nnue"), Path::new);
    let file = root.join(file);
    println!("cargo::rerun-if-changed={}", file.display());
    match fs::read(&file) {
        Ok(bytes) => {
            if let Err(problem) = check(&bytes) {
                panic!("{}: {problem}", file.display());
            }
        }
        Err(error) => panic!("{}: {error}", file.display()),
    }
    println!("cargo::rustc-env=TREBUCHET_NETWORK={}", file.display());
}
