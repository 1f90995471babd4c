//! The build script of the engine: which network of chess is built in.
//!
//! That is the file in `variants/standard`, or the one that the environment variable `EVALFILE` names, with a path
//! from the top folder. OpenBench builds engines so.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The first bytes of every network, of any version.
const MAGIC: &[u8] = b"TREBNET";

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let root = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).expect("cargo sets it");
    let named = env::var_os("EVALFILE").filter(|file| !file.is_empty());
    let file = named.as_deref().map_or(Path::new("variants/standard/net.nnue"), Path::new);
    let file = root.join(file);
    println!("cargo::rerun-if-changed={}", file.display());
    match fs::read(&file) {
        Ok(bytes) if bytes.starts_with(MAGIC) => {}
        Ok(_) => panic!("{}: not a network of Trebuchet", file.display()),
        Err(error) => panic!("{}: {error}", file.display()),
    }
    println!("cargo::rustc-env=TREBUCHET_NETWORK={}", file.display());
}
