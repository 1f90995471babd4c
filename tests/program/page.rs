//! `trebuchet page`. A build need not have a page; one of a checkout with a page has it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::ROOT;

#[test]
fn the_page_is_written_or_the_program_says_how_to_make_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_trebuchet"))
        .args(["page", "page.html"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let page = fs::read_to_string(folder.path().join("page.html"));
    if output.status.success() {
        assert_eq!(said, "written: page.html\n");
        let page = page.unwrap();
        assert!(page.starts_with("<!doctype html>") && page.contains("id=\"module\""));
    } else {
        let of_checkout = Path::new(ROOT).join("workbench/page/trebuchet.html");
        assert!(!of_checkout.exists(), "the page of the checkout is of another version");
        assert_eq!((output.status.code(), page.is_err()), (Some(1), true));
        assert!(said.starts_with("trebuchet: this build has no page. "), "{said}");
    }
}
