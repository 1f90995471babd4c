//! `trebuchet page`: writes the page for the browser that is built in.

use std::path::{Path, PathBuf};

use crate::report::outputs::{self, OutputError, Target};
use trebuchet::text::tell;

/// The page, see `build.rs`. Empty if there was none when the program was built.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.html"));

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
    write(PAGE, &args.out, args.force)
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

    /// The build has checked it.
    #[test]
    fn the_page_inside_is_whole() {
        assert!(
            PAGE.is_empty()
                || (PAGE.starts_with("<!doctype html>") && PAGE.contains("id=\"module\""))
        );
    }
}
