//! The build script of the workbench: which page for the browser `trebuchet page` writes.
//!
//! That is `page/trebuchet.html` if it exists and is of this version, or the file that the environment variable
//! `TREBUCHET_PAGE` names, with a path from the top folder. `web/page/build.sh` makes it. Without it, the
//! program has no page.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=TREBUCHET_PAGE");
    // The folder always exists: cargo would build anew each time for a file that does not.
    println!("cargo::rerun-if-changed=page");
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
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
    let out = variable("OUT_DIR").expect("cargo sets it").join("page.html");
    fs::write(&out, page).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}

fn read(file: &Path) -> Option<String> {
    fs::read_to_string(file).ok()
}

/// Does the page say that it is of this version?
fn is_current(page: &str) -> bool {
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    page.contains(&format!("<meta name=\"generator\" content=\"Trebuchet {version}\">"))
}
