//! The build script of the workbench: which page for the browser `trebuchet page` writes.
//!
//! That is `page/trebuchet.html` if it exists and is of this version, or the file that the environment variable
//! `TREBUCHET_PAGE` names, with a path from the top folder. `web/page/build.sh` makes it. Without it, the
//! program has no page.
//!
//! The program keeps the page without the networks, which it has itself: they are half of the page. `src/page.rs`
//! puts them in again. They are found by their bytes: a network that the program has not stays in the page.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::{env, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};

/// What stands before and after the engine in the page: a WebAssembly module as base64 of zlib.
const AROUND_MODULE: (&str, &str) = ("<script type=\"text/plain\" id=\"module\">", "</script>");

fn main() {
    println!("cargo::rerun-if-env-changed=TREBUCHET_PAGE");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    // The folder always exists: cargo would build anew each time for a file that does not.
    println!("cargo::rerun-if-changed=page");
    let home = variable("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let page = match variable("TREBUCHET_PAGE") {
        Some(file) => {
            let file = home.join("..").join(file);
            println!("cargo::rerun-if-changed={}", file.display());
            let page =
                read(&file).unwrap_or_else(|| panic!("{}: there is no page", file.display()));
            assert!(is_current(&page), "{}: not a page of this version", file.display());
            page
        }
        None => {
            let page = read(&home.join("page/trebuchet.html")).unwrap_or_default();
            if page.is_empty() || is_current(&page) {
                page
            } else {
                println!(
                    "cargo::warning=page/trebuchet.html is of another version and is left out"
                );
                String::new()
            }
        }
    };
    let parts = if page.is_empty() { Parts::default() } else { Parts::of(&page, &home) };
    let out = variable("OUT_DIR").expect("cargo sets it");
    let write = |name: &str, bytes: &[u8]| {
        let file = out.join(name);
        fs::write(&file, bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    };
    write("before_module.html", parts.before.as_bytes());
    write("module.zlib", &parts.module);
    write("after_module.html", parts.after.as_bytes());
    write("networks.rs", format!("&{:?}", parts.networks).as_bytes());
}

/// The page taken apart.
#[derive(Default)]
struct Parts {
    before: String,
    /// The module without networks, compressed.
    module: Vec<u8>,
    after: String,
    /// What is left out: the folder of the network's game, and where in the module the network begins.
    networks: Vec<(String, usize)>,
}

impl Parts {
    fn of(page: &str, home: &Path) -> Parts {
        let (start, end) = AROUND_MODULE;
        let (before, rest) = page.split_once(start).expect("a page has a module");
        let (text, after) = rest.split_once(end).expect("the module ends");
        let packed = BASE64.decode(text).expect("the module is base64");
        let mut module = read_all(ZlibDecoder::new(&packed[..]));
        let mut networks = Vec::new();
        for (folder, network) in own_networks(home) {
            if let Some(at) = find(&module, &network) {
                module[at..at + network.len()].fill(0);
                networks.push((folder, at));
            }
        }
        Parts {
            before: format!("{before}{start}"),
            module: read_all(ZlibEncoder::new(&module[..], Compression::best())),
            after: format!("{end}{after}"),
            networks,
        }
    }
}

/// The networks that the program has: the folder of the game, and the file.
fn own_networks(home: &Path) -> Vec<(String, Vec<u8>)> {
    // A crate from a registry stands alone: its page keeps all networks.
    let folders = fs::read_dir(home.join("../variants")).into_iter().flatten().flatten();
    let mut networks: Vec<_> = folders
        .filter_map(|folder| {
            let name = folder.file_name().into_string().ok()?;
            // See packaging/network.rs.
            let file = match variable("EVALFILE") {
                Some(file) if name == "standard" => home.join("..").join(file),
                _ => folder.path().join("net.nnue"),
            };
            // Only of files that exist, see `main`: some games have no network.
            let network = fs::read(&file).ok()?;
            println!("cargo::rerun-if-changed={}", file.display());
            Some((name, network))
        })
        .collect();
    networks.sort();
    networks
}

/// Where these bytes begin.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = wanted.first()?;
    let mut starts = bytes.iter().enumerate().filter(|(_, byte)| *byte == first);
    starts.find(|(at, _)| bytes[*at..].starts_with(wanted)).map(|(at, _)| at)
}

fn read_all(mut source: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).expect("the module is zlib");
    bytes
}

/// An environment variable that is not empty.
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn read(file: &Path) -> Option<String> {
    fs::read_to_string(file).ok()
}

/// Does the page say that it is of this version?
fn is_current(page: &str) -> bool {
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    page.contains(&format!("<meta name=\"generator\" content=\"Trebuchet {version}\">"))
}
