//! `trebuchet page`: writes the page for the browser that is built in.

use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};

use crate::report::outputs::{self, OutputError, Target};
use trebuchet::eval::EvalRules;
use trebuchet::for_variant;
use trebuchet::text::tell;
use trebuchet::variants::VariantId;

/// The page before and after its engine, see `build.rs`. Empty if there was no page when the program was built.
const AROUND_MODULE: (&str, &str) = (
    include_str!(concat!(env!("OUT_DIR"), "/before_module.html")),
    include_str!(concat!(env!("OUT_DIR"), "/after_module.html")),
);

/// The engine in the page: a WebAssembly module, in which zeros stand for the networks, compressed.
const MODULE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/module.zlib"));

/// Which networks the module lacks: the folder of the game, and where the network begins.
const NETWORKS: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/networks.rs"));

/// Write the page that plays, coaches and sets puzzles in a browser: one HTML file with the engine inside.
///
/// The file opens from a folder, without a server and without a network, on a phone or at a screen. The
/// program has it if it was there when the program was built, as in the archives; otherwise
/// web/page/build.sh makes it.
#[derive(Clone, Debug, clap::Args)]
pub struct PageArgs {
    /// The HTML file to write; - is standard output
    #[arg(value_name = "OUT.html")]
    out: PathBuf,
    /// Replace a file that this program has not written
    #[arg(long)]
    force: bool,
}

/// Why the page could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    #[error(
        "this build has no page. In the source, web/page/build.sh OUT.html makes it; it needs npm and Rust's target wasm32-unknown-unknown"
    )]
    None,
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Runs the command.
///
/// # Errors
/// If the program has no page, or the file cannot be written.
pub fn run(args: &PageArgs) -> Result<(), PageError> {
    write(&page(), &args.out, args.force)
}

/// The page, or nothing.
fn page() -> String {
    if MODULE.is_empty() {
        return String::new();
    }
    let mut module = read_all(ZlibDecoder::new(MODULE));
    for &(folder, start) in NETWORKS {
        let network = network(folder);
        module[start..start + network.len()].copy_from_slice(network);
    }
    let packed = read_all(ZlibEncoder::new(&module[..], Compression::best()));
    let (before, after) = AROUND_MODULE;
    format!("{before}{}{after}", BASE64.encode(packed))
}

/// The built-in network of the game with this folder.
fn network(folder: &str) -> &'static [u8] {
    let game = VariantId::ALL.iter().find(|game| game.folder() == folder).expect("a game's folder");
    for_variant!(*game, V => V::NETWORK).expect("a game with a network")
}

fn read_all(mut source: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).expect("the build script has compressed it");
    bytes
}

fn write(page: &str, out: &Path, force: bool) -> Result<(), PageError> {
    if page.is_empty() {
        return Err(PageError::None);
    }
    let target = Target::new(out);
    outputs::check(&[&target], &[], force)?;
    target.write(page.as_bytes())?;
    if let Some(path) = target.path() {
        tell(&format!("written: {}", path.display()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_page_is_written_and_replaces_only_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let page =
            |version| format!("<head><meta name=\"generator\" content=\"Trebuchet {version}\">");
        let write =
            |text: &str, force| write(text, &path, force).map_err(|error| error.to_string());
        assert_eq!(write(&page(1), false), Ok(()));
        assert_eq!(write(&page(2), false), Ok(()));
        assert_eq!(fs::read_to_string(&path).unwrap(), page(2));
        fs::write(&path, "mine").unwrap();
        assert!(write(&page(3), false).unwrap_err().contains("--force"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        assert_eq!(write(&page(3), true), Ok(()));
    }

    #[test]
    fn a_program_without_a_page_says_how_to_make_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        assert!(write("", &path, true).unwrap_err().to_string().contains("web/page/build.sh"));
        assert!(!path.exists());
    }

    /// Only the compression may differ from the page that was there when the program was built.
    #[test]
    fn the_page_is_the_one_that_was_built_in() {
        let named = option_env!("TREBUCHET_PAGE").filter(|file| !file.is_empty());
        let file = named.map_or("page/trebuchet.html".into(), |file| format!("../{file}"));
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let Some(built_in) = fs::read_to_string(file).ok().filter(|_| !MODULE.is_empty()) else {
            return;
        };
        let (before, after) = AROUND_MODULE;
        let unpack = |page: &str| {
            let text = page.strip_prefix(before)?.strip_suffix(after)?;
            Some(read_all(ZlibDecoder::new(&BASE64.decode(text).ok()?[..])))
        };
        assert!(unpack(&built_in).is_some_and(|module| module.starts_with(b"\0asm")));
        assert!(unpack(&page()) == unpack(&built_in));
    }
}
