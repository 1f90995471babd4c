//! Dialogues of `tests/sessions/` replayed against the session, line for line.

mod scripted;

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

#[test]
fn every_dialogue_goes_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let mut scripts: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.sort();
    let goes_wrong = |path: &&PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        let script = fs::read_to_string(path).unwrap();
        panic::catch_unwind(|| scripted::replay(&name, &script)).is_err()
    };
    let wrong: Vec<_> = scripts.iter().filter(goes_wrong).collect();
    assert!(wrong.is_empty(), "see above: {wrong:?}");
    assert!(scripts.len() >= 10, "{} dialogues", scripts.len());
}
