//! Memory, networks and endgame tables for a search, as the settings want them.

use std::fs;
use std::time::SystemTime;

use super::{EngineSettings, Message};
use crate::eval::{EvalKind, built_in_network, load_network};
use crate::search::PositionSearch;
use crate::tablebase::{TablePaths, Tablebases};
use crate::types::Score;
use crate::variants::Variant;

/// What a search has got so far, so that only what changes is opened and allocated anew.
#[derive(Debug, Default)]
pub struct Resources {
    /// The size of the transposition table that was asked for, in MiB.
    hash: usize,
    /// The number of threads that was asked for.
    threads: usize,
    tables: TablePaths,
    eval: EvalKind,
    /// The file of the network; empty for the built-in one.
    network_file: String,
    /// What this file was when it could not be used; `None` if there is no such problem.
    unusable: Option<FileVersion>,
}

/// The length of a file in bytes and when it was written; `None` if there is no file.
pub(super) type FileVersion = Option<(u64, Option<SystemTime>)>;

pub(super) fn version_of(file: &str) -> FileVersion {
    let found = fs::metadata(file).ok()?;
    Some((found.len(), found.modified().ok()))
}

impl Resources {
    /// Gives a search what the settings want. It must be the same search every time, at first a new
    /// one. Returns what the user should know: that there is less memory than asked for, and which
    /// files cannot be used.
    ///
    /// Only settings that name files make it open files.
    pub fn provide<V: Variant>(
        &mut self,
        search: &mut dyn PositionSearch<V>,
        settings: &EngineSettings,
    ) -> Vec<Message> {
        let mut messages = Vec::new();
        messages.extend(self.set_hash(search, settings.hash));
        messages.extend(self.set_threads(search, settings.threads));
        search.set_probe_depth(settings.probe_depth);
        if settings.tables != self.tables {
            self.tables = settings.tables.clone();
            let (tables, notices) = Tablebases::open::<V>(&self.tables);
            search.set_tables(tables);
            // No problems, which GUIs show in windows: xboard names a folder that few users have, unless it is told
            // another one.
            messages.extend(notices.into_iter().map(Message::notice));
        }
        search.set_contempt(Score::cp(settings.contempt));
        for (name, &value) in &settings.parameters {
            search.set_parameter(name, value);
        }
        messages.extend(self.set_network(search, settings.eval, &settings.network_file));
        messages
    }

    fn set_hash<V: Variant>(
        &mut self,
        search: &mut dyn PositionSearch<V>,
        wanted: usize,
    ) -> Option<Message> {
        // The size that was asked for is tried again only when it changes.
        if wanted == std::mem::replace(&mut self.hash, wanted) {
            return None;
        }
        if wanted != search.hash() {
            search.set_hash(wanted);
        }
        let granted = search.hash();
        let text = format!("hash of {granted} MiB instead of {wanted}: too little memory");
        (granted < wanted).then(|| Message::notice(text))
    }

    fn set_threads<V: Variant>(
        &mut self,
        search: &mut dyn PositionSearch<V>,
        wanted: usize,
    ) -> Option<Message> {
        search.set_threads(wanted);
        let (granted, is_new) = (search.threads(), wanted != self.threads);
        self.threads = wanted;
        let text = format!("{granted} search threads instead of {wanted}: too little memory");
        (granted < wanted && is_new).then(|| Message::notice(text))
    }

    fn set_network<V: Variant>(
        &mut self,
        search: &mut dyn PositionSearch<V>,
        eval: EvalKind,
        file: &str,
    ) -> Option<Message> {
        // A file that could not be used is tried again if it is another one now.
        let is_same = eval == self.eval && file == self.network_file;
        if is_same && self.unusable.is_none_or(|unusable| unusable == version_of(file)) {
            return None;
        }
        self.eval = eval;
        file.clone_into(&mut self.network_file);
        let (network, problem) = match eval {
            EvalKind::Classic => (None, None),
            EvalKind::Network if file.is_empty() => (built_in_network::<V>(), None),
            EvalKind::Network => match load_network::<V>(file) {
                Ok(network) => (Some(network), None),
                Err(error) => (built_in_network::<V>(), Some(error)),
            },
        };
        search.set_network(network);
        self.unusable = problem.is_some().then(|| version_of(file));
        problem
            .map(|error| Message::problem(format!("The network cannot be used: {file}: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Severity;
    use crate::variants::Standard;

    fn settings(hash: usize, threads: usize) -> EngineSettings {
        EngineSettings { hash, threads, ..EngineSettings::default() }
    }

    #[test]
    fn enough_memory_needs_no_message() {
        let (mut search, mut resources) = (Standard::new_search(), Resources::default());
        assert_eq!(resources.provide(&mut *search, &settings(2, 2)), []);
        assert_eq!((search.hash(), search.threads()), (2, 2));
    }

    #[test]
    fn what_cannot_be_used_is_told_once() {
        let (mut search, mut resources) = (Standard::new_search(), Resources::default());
        let tables = TablePaths { syzygy: "/nonexistent".to_owned(), ..TablePaths::default() };
        let network_file = "no such file".to_owned();
        let settings = EngineSettings { tables, network_file, ..settings(1, 1) };
        let messages = resources.provide(&mut *search, &settings);
        let [tables, network] = &messages[..] else { panic!("{messages:?}") };
        assert!(tables.text.starts_with("tablebases in /nonexistent: "), "{tables:?}");
        assert_eq!(tables.severity, Severity::Notice);
        let start = "The network cannot be used: no such file: ";
        assert!(network.text.starts_with(start), "{network:?}");
        assert_eq!(network.severity, Severity::Problem);
        assert_eq!(resources.provide(&mut *search, &settings), []);
    }

    #[test]
    fn a_file_that_could_not_be_used_is_tried_again_when_it_has_changed() {
        let (mut search, mut resources) = (Standard::new_search(), Resources::default());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.nnue");
        let network_file = path.to_str().unwrap().to_owned();
        let settings = EngineSettings { network_file, ..settings(1, 1) };
        let mut problems = || resources.provide(&mut *search, &settings).len();
        assert_eq!([problems(), problems()], [1, 0]);
        let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/variants/standard/net.nnue");
        fs::copy(built_in, &path).unwrap();
        assert_eq!([problems(), problems()], [0, 0]);
        assert_eq!(resources.unusable, None);
        // A match goes on with the network that it has begun with.
        fs::write(&path, "no network").unwrap();
        assert_eq!(resources.provide(&mut *search, &settings), []);
    }

    /// Otherwise a match between two networks or two values of a constant would be the engine against itself.
    #[test]
    fn the_search_has_what_the_settings_say() {
        use crate::board::Position;
        use crate::eval::Evaluator;
        use crate::eval::network::architecture::Hidden;
        use crate::eval::network::{Network, write};
        use crate::search::{Limits, Search, Silent, StopToken};
        use crate::types::Score;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.nnue");
        fs::write(&path, write(&Network::random(Hidden::H128, 7), "normal")).unwrap();
        let other = path.to_str().unwrap();
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        let pos = Position::<Standard>::from_fen(fen).unwrap();
        let (mut search, mut resources) = (Search::<Standard>::new(), Resources::default());
        let mut scores = Vec::new();
        for (eval, file, network) in [
            (EvalKind::Network, "", built_in_network::<Standard>()),
            (EvalKind::Classic, "", None),
            (EvalKind::Network, other, load_network::<Standard>(other).ok()),
            (EvalKind::Classic, other, None),
            (EvalKind::Network, "", built_in_network::<Standard>()),
        ] {
            let settings = EngineSettings { eval, network_file: file.to_owned(), ..settings(1, 1) };
            assert_eq!(resources.provide(&mut search, &settings), []);
            let score = search.evaluate(&pos);
            let expected = Evaluator::<Standard>::new(network).evaluate_alone(&pos);
            assert_eq!(score, expected, "{eval:?} {file}");
            scores.push(score);
        }
        let [built_in, classic, other, ..] = scores[..] else { unreachable!() };
        assert!(built_in != classic && classic != other && other != built_in, "{scores:?}");
        let parameters = [("rfp_margin".to_owned(), 90)].into();
        let settings = EngineSettings { contempt: 25, parameters, ..settings(1, 1) };
        assert_eq!(resources.provide(&mut search, &settings), []);
        assert_eq!(search.params().rfp_margin, 90);
        let drawn = Position::<Standard>::from_fen("k7/8/8/8/8/8/8/N3K3 w - - 0 1").unwrap();
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let found = search.run(&drawn, &limits, &StopToken::new(), &mut Silent);
        assert_eq!(found.score, Score::cp(-25));
    }

    /// Runs itself again in a process with 300 MB of address space.
    #[test]
    #[cfg(target_os = "linux")]
    fn little_memory_makes_hash_and_threads_fewer() {
        use std::process::Command;

        const MARK: &str = "TREBUCHET_TEST_LITTLE_MEMORY";
        const NAME: &str = "play::resources::tests::little_memory_makes_hash_and_threads_fewer";
        if std::env::var_os(MARK).is_some() {
            return search_with_little_memory();
        }
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 300000 && exec \"$0\" --exact \"$1\""])
            .arg(std::env::current_exe().unwrap())
            .arg(NAME)
            .env(MARK, "1")
            // Printing a backtrace takes more memory than the process has.
            .env("RUST_BACKTRACE", "0")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{output:?}");
    }

    #[cfg(target_os = "linux")]
    fn search_with_little_memory() {
        use crate::board::Position;
        use crate::search::{Limits, Silent, StopToken};

        let (mut search, mut resources) = (Standard::new_search(), Resources::default());
        let messages = resources.provide(&mut *search, &settings(1000, 200));
        let (hash, threads) = (search.hash(), search.threads());
        assert!(hash < 300 && threads < 30);
        assert_eq!(
            messages,
            [
                format!("hash of {hash} MiB instead of 1000: too little memory"),
                format!("{threads} search threads instead of 200: too little memory"),
            ]
            .map(Message::notice)
        );
        // Settings are applied again with every change of one of them.
        assert_eq!(resources.provide(&mut *search, &settings(1000, 200)), []);
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let found = search.run(&Position::start(), &limits, &StopToken::new(), &mut Silent);
        assert_eq!(found.depth, 6);
        search.clear();
    }
}
