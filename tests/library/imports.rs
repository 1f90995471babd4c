//! The structure of the sources: modules import one another in one direction, folders as `lib.rs` lists
//! them, files without circles.
//!
//! Only `use` lines outside tests count. A file may always import its own folder's `mod.rs` and those
//! above it, which name and re-export the parts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by its path, such as `["search", "tt"]`. The empty path is `lib.rs`.
type Module = Vec<String>;

/// The modules of a package and the modules that each of them imports.
struct Package {
    /// The names of the top modules, in the order of `lib.rs`.
    order: Vec<String>,
    imports: BTreeMap<Module, BTreeSet<Module>>,
}

/// The files under a folder that end with `.rs`.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The module that a file holds.
fn module_of(root: &Path, file: &Path) -> Module {
    let mut module: Module = file
        .strip_prefix(root)
        .unwrap()
        .with_extension("")
        .iter()
        .map(|part| part.to_str().unwrap().to_owned())
        .collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

/// The text without comments and without the tests at its end.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let lines = lines.take_while(|line| *line != "mod tests {");
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths of a `use` tree: `a::{b, c::d}` has `a::b` and `a::c::d`.
fn expand(tree: &str, paths: &mut Vec<String>) {
    let Some((start, rest)) = tree.split_once('{') else {
        paths.push(tree.split(" as ").next().unwrap().trim().to_owned());
        return;
    };
    let rest = &rest[..rest.rfind('}').expect("a closing brace")];
    let (mut depth, mut begin) = (0, 0);
    for (at, c) in rest.char_indices().chain([(rest.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = rest[begin..at].trim();
                if !part.is_empty() {
                    expand(&format!("{}{part}", start.trim()), paths);
                }
                begin = at + 1;
            }
            _ => {}
        }
    }
}

/// The paths that a file imports. Re-exports do not count: the file that has them only names its parts.
fn used_paths(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut lines = code(text);
    while let Some(at) = lines.find("use ") {
        let is_statement =
            lines[..at].rsplit('\n').next().is_some_and(|start| start.trim().is_empty());
        let rest = lines.split_off(at + "use ".len());
        if is_statement && let Some((tree, _)) = rest.split_once(';') {
            expand(&tree.split_whitespace().collect::<Vec<_>>().join(" "), &mut paths);
        }
        lines = rest;
    }
    paths
}

impl Package {
    fn read(root: &Path) -> Package {
        let mut files = Vec::new();
        sources(root, &mut files);
        let texts: BTreeMap<Module, String> = files
            .iter()
            .filter(|file| !file.ends_with("tests.rs"))
            .map(|file| (module_of(root, file), fs::read_to_string(file).unwrap()))
            .collect();
        let folders: BTreeSet<Module> = files
            .iter()
            .filter(|file| file.ends_with("mod.rs") || file.ends_with("lib.rs"))
            .map(|file| module_of(root, file))
            .collect();
        let order = texts[&Module::new()]
            .lines()
            .map(|line| line.strip_prefix("pub ").unwrap_or(line))
            .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
            .map(str::to_owned)
            .collect();
        let mut imports = BTreeMap::new();
        for (module, text) in &texts {
            let resolved = used_paths(text).into_iter().filter_map(|path| {
                let mut parts: Vec<&str> = path.split("::").collect();
                let mut base = match parts[0] {
                    "crate" => Module::new(),
                    "super" => module[..module.len() - 1].to_vec(),
                    "self" => module.clone(),
                    _ if folders.contains(module) => module.clone(),
                    _ => return None,
                };
                if ["crate", "super", "self"].contains(&parts[0]) {
                    parts.remove(0);
                }
                while parts.first() == Some(&"super") {
                    base.pop();
                    parts.remove(0);
                }
                base.extend(parts.into_iter().map(str::to_owned));
                // The longest part of the path that names a module.
                (0..=base.len())
                    .rev()
                    .map(|length| base[..length].to_vec())
                    .find(|m| texts.contains_key(m))
            });
            // A folder above names the module; that is no import.
            let resolved = resolved.filter(|target| !module.starts_with(target));
            imports.insert(module.clone(), resolved.collect());
        }
        Package { order, imports }
    }

    /// The top modules in the wrong order: `(importer, imported)`.
    fn against_the_order(&self) -> Vec<(Module, Module)> {
        let place =
            |module: &Module| self.order.iter().position(|name| Some(name) == module.first());
        let pairs = self.imports.iter().flat_map(|(module, targets)| {
            targets.iter().map(move |target| (module.clone(), target.clone()))
        });
        pairs.filter(|(module, target)| place(module) < place(target)).collect()
    }

    /// A circle of modules, if there is one.
    fn circle(&self) -> Option<Vec<Module>> {
        let mut done = BTreeSet::new();
        self.imports.keys().find_map(|module| self.circle_from(module, &mut Vec::new(), &mut done))
    }

    fn circle_from(
        &self,
        module: &Module,
        path: &mut Vec<Module>,
        done: &mut BTreeSet<Module>,
    ) -> Option<Vec<Module>> {
        if let Some(at) = path.iter().position(|step| step == module) {
            return Some(path[at..].to_vec());
        }
        if !done.insert(module.clone()) {
            return None;
        }
        path.push(module.clone());
        let found = self.imports[module].iter().find_map(|next| self.circle_from(next, path, done));
        path.pop();
        found
    }
}

#[test]
fn imports_go_one_way() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (folder, least) in [("src", 150), ("workbench/src", 80)] {
        let package = Package::read(&top.join(folder));
        let imports = package.imports.values().map(BTreeSet::len).sum::<usize>();
        assert!(
            package.order.len() > 3 && imports > least,
            "{folder}: only {imports} imports found"
        );
        assert_eq!(
            package.against_the_order(),
            [],
            "{folder}: lib.rs lists these modules the other way round"
        );
        assert_eq!(package.circle(), None, "{folder}: files that import one another");
    }
}

#[test]
fn circles_and_wrong_orders_are_found() {
    let package = |imports: &[(&str, &[&str])]| Package {
        order: vec!["a".to_owned(), "b".to_owned(), "c".to_owned()],
        imports: imports
            .iter()
            .map(|(name, targets)| {
                (vec![(*name).to_owned()], targets.iter().map(|t| vec![(*t).to_owned()]).collect())
            })
            .collect(),
    };
    let good = package(&[("a", &[]), ("b", &["a"]), ("c", &["a", "b"])]);
    assert_eq!((good.against_the_order(), good.circle()), (vec![], None));
    let bad = package(&[("a", &["c"]), ("b", &["a"]), ("c", &["b"])]);
    assert_eq!(bad.against_the_order(), [(vec!["a".to_owned()], vec!["c".to_owned()])]);
    assert_eq!(bad.circle().map(|circle| circle.len()), Some(3));
    let mut paths = used_paths(
        "use a::{b, c::{d, e as f}};\npub use g::h;\n// use i;\nuse super::{\n    j,\n};\n",
    );
    paths.sort();
    assert_eq!(paths, ["a::b", "a::c::d", "a::c::e", "super::j"]);
}
