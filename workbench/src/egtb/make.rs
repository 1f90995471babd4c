//! Makes tables: each after those that it needs.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use super::{EgtbError, open, progress_bar};
use crate::files;
use trebuchet::tablebase::three_check::{
    Ending, FAMILY, Index, Table, TableFileError, file_name, memory_needed, remove_unfinished,
    solve, write,
};

/// Makes the tables of the endings and of those that they need, except the finished ones.
pub fn run(endings: &[Ending], out: &Path, plan: bool) -> Result<(), EgtbError> {
    let wanted = with_needed(endings)?;
    if !plan {
        let failed = |error| EgtbError::Folder(out.to_owned(), error);
        fs::create_dir_all(out).map_err(failed)?;
        remove_unfinished(out).map_err(failed)?;
    }
    let is_finished = |ending: &Ending| {
        let path = out.join(file_name(ending));
        path.exists() && Table::read(&path, ending).is_ok()
    };
    let missing: Vec<Ending> =
        wanted.iter().filter(|ending| !is_finished(ending)).cloned().collect();
    let memory = missing.iter().map(memory_with_tables).max().unwrap_or(0);
    let finished = wanted.len() - missing.len();
    if !plan {
        missing.iter().try_for_each(|ending| check_replaceable(&out.join(file_name(ending))))?;
    }
    writeln!(
        io::stdout(),
        "tables to make: {}, finished before: {finished}; at most {} MiB of memory",
        missing.len(),
        memory.div_ceil(1 << 20)
    )?;
    for ending in &missing {
        if plan {
            let mebibytes = memory_with_tables(ending).div_ceil(1 << 20);
            writeln!(io::stdout(), "{ending}: {mebibytes} MiB of memory")?;
        } else {
            make(ending, out)?;
        }
    }
    Ok(())
}

/// Refuses, before any work, to replace what is no table: a damaged table is made anew, and one of another version.
fn check_replaceable(path: &Path) -> Result<(), TableFileError> {
    files::check_plain(path)
        .and_then(|()| files::check_output_like(path, FAMILY, [""; 0]))
        .map_err(|error| TableFileError::Io(path.to_owned(), error))
}

/// The endings with all that they need, each after those that it needs. Without any, all endings
/// that can be made.
pub(super) fn with_needed(endings: &[Ending]) -> Result<Vec<Ending>, EgtbError> {
    if let Some(ending) = endings.iter().find(|ending| ending.has_en_passant()) {
        return Err(EgtbError::EnPassant(ending.clone()));
    }
    let mut all = Ending::all();
    all.retain(|ending| !ending.has_en_passant());
    if endings.is_empty() {
        return Ok(all);
    }
    let mut wanted: HashSet<Ending> = HashSet::new();
    let mut open: Vec<Ending> = endings.to_vec();
    while let Some(ending) = open.pop() {
        open.extend(ending.successors());
        wanted.insert(ending);
        open.retain(|ending| !wanted.contains(ending));
    }
    all.retain(|ending| wanted.contains(ending));
    Ok(all)
}

/// The greatest memory for an ending in bytes, with the unpacked tables that it needs.
fn memory_with_tables(ending: &Ending) -> usize {
    let unpacked = |needed: &Ending| {
        let index = Index::new(needed);
        2 * index.layers() * index.size()
    };
    memory_needed(ending) + ending.successors().iter().map(unpacked).sum::<usize>()
}

fn make(ending: &Ending, folder: &Path) -> Result<(), EgtbError> {
    let start = Instant::now();
    let tables = open(folder)?;
    let bar = progress_bar(ending, Index::new(ending).layers());
    let solved = solve(ending, &tables, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    for notice in tables.take_notices() {
        writeln!(io::stderr(), "trebuchet: {notice}")?;
    }
    let solved = solved.map_err(|error| EgtbError::Solve(ending.clone(), error))?;
    let bytes = write(ending, &solved, folder)?;
    let [wins, draws, losses] = solved.counts();
    writeln!(
        io::stdout(),
        "{ending}: {wins} won, {draws} drawn, {losses} lost, longest {} plies, {bytes} bytes, {:.1} s",
        solved.longest(),
        start.elapsed().as_secs_f64()
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tables_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let ending: Ending = "KNvK".parse().unwrap();
        let path = folder.path().join(file_name(&ending));
        let make = || run(std::slice::from_ref(&ending), folder.path(), false);
        fs::write(&path, "my notes").unwrap();
        let error = make().unwrap_err().to_string();
        assert!(error.ends_with(
            "it exists and does not begin with `TREBT3C`; name another file, or remove it"
        ));
        assert_eq!(fs::read(&path).unwrap(), b"my notes");
        // A damaged table, and one that was never written.
        for bytes in [&b"TREBT3C\0 and damage"[..], b""] {
            fs::write(&path, bytes).unwrap();
            make().unwrap();
            assert!(Table::read(&path, &ending).is_ok());
        }
    }
}
