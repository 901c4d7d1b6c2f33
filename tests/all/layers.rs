//! The shape of the sources: layers, the length of files, who may print, where the kernel is chosen.

use std::path::{Path, PathBuf};

/// The layers; a module uses only modules of lower layers.
const LAYERS: [(&str, usize); 20] = [
    ("bits", 0),
    ("score", 0),
    ("rng", 0),
    ("error", 0),
    ("memory", 0),
    ("board", 1),
    ("rules", 2),
    ("position", 3),
    ("movegen", 4),
    ("referee", 5),
    ("notation", 5),
    ("eval", 5),
    ("egdb", 5),
    ("search", 6),
    ("engine", 7),
    ("protocol", 8),
    ("arena", 9),
    ("train", 9),
    ("analysis", 9),
    ("cli", 10),
];
const MOST_LINES: usize = 700;
/// From this layer up a module may print and read standard input.
const PRINTERS: usize = 8;
/// A kernel is chosen at run time in two places, `engine::open` and, for games by the million without texts between,
/// `train::selfplay`; what is behind them is compiled for each.
const MOST_DISPATCHES: usize = 2;

struct Source {
    path: PathBuf,
    /// The top-level module it belongs to; none for the crate's roots.
    module: Option<String>,
    lines: usize,
    /// Without comments.
    code: String,
    /// Whether the whole file is compiled for unit tests only.
    for_tests: bool,
}

impl Source {
    fn read(root: &Path, path: PathBuf) -> Self {
        let text = std::fs::read_to_string(&path).unwrap();
        let inside = path.strip_prefix(root).unwrap();
        let module = Path::new(inside.components().next().unwrap().as_os_str()).with_extension("");
        let module = module.to_str().unwrap().to_owned();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        Self {
            module: Some(module).filter(|name| name != "lib" && name != "main"),
            lines: text.lines().count(),
            code: code.collect::<Vec<_>>().join("\n"),
            path: inside.to_owned(),
            for_tests: false,
        }
    }

    /// The code before the unit tests.
    fn product(&self) -> &str {
        if self.for_tests {
            return "";
        }
        self.code.split("#[cfg(test)]\nmod tests").next().unwrap()
    }

    /// The files of the modules that this one declares for unit tests only.
    fn test_files(&self) -> Vec<PathBuf> {
        let names = self.code.split("#[cfg(test)]\nmod ").skip(1).filter_map(|rest| rest.split_once(';'));
        names
            .filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
            .map(|(name, _)| self.path.with_file_name(name).with_extension("rs"))
            .collect()
    }

    /// The top-level modules that the code names by `crate::`, or by as many `super::` as lead there; unit tests may use
    /// what they like.
    fn uses(&self) -> Vec<&str> {
        let rootward = "super::".repeat(self.depth());
        let paths = ["crate::", &rootward].map(|root| self.product().split(root).skip(1).collect::<Vec<_>>());
        paths.concat().into_iter().flat_map(first_names).collect()
    }

    /// How deep the module of this file is below the crate: `board` 1, `board::side` 2.
    fn depth(&self) -> usize {
        let names = self.path.components().count();
        if self.path.ends_with("mod.rs") { names - 1 } else { names }
    }
}

/// `a::b` names `a`; `{a::b, c::{d, e}}` names `a` and `c`.
fn first_names(path: &str) -> Vec<&str> {
    let word = |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let Some(group) = path.strip_prefix('{') else { return vec![&path[..word(path)]] };
    let (mut depth, mut names, mut begin) = (1, Vec::new(), 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            let item = group[begin..at].trim();
            names.extend(Some(&item[..word(item)]).filter(|name| !name.is_empty()));
            begin = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    names
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut files, mut directories) = (Vec::new(), vec![root.clone()]);
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => directories.push(path),
                Some(extension) if extension == "rs" => files.push(Source::read(&root, path)),
                _ => {}
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(files.len() > 20);
    let tests: Vec<_> = files.iter().flat_map(Source::test_files).collect();
    for file in &mut files {
        file.for_tests = tests.contains(&file.path);
    }
    files
}

fn layer(module: &str) -> usize {
    let found = LAYERS.iter().find(|(name, _)| *name == module);
    found.unwrap_or_else(|| panic!("module {module} is in no layer: add it to the list")).1
}

#[test]
fn modules_use_only_lower_layers() {
    let mut faults = Vec::new();
    for source in sources() {
        let Some(module) = &source.module else { continue };
        let own = layer(module);
        for used in source.uses() {
            let known = LAYERS.iter().any(|(name, _)| *name == used);
            assert!(known || !source.path.with_file_name(used).exists(), "{used} is in no layer");
            if known && used != module && layer(used) >= own {
                faults.push(format!("{} uses {used}", source.path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "layers are crossed: {faults:#?}");
}

#[test]
fn only_high_layers_print() {
    const WORDS: [&str; 5] = ["print!(", "println!(", "dbg!(", "stdin()", "stdout()"];
    for source in sources() {
        let Some(module) = &source.module else { continue };
        let printed = WORDS.into_iter().find(|word| source.product().contains(word));
        assert!(layer(module) >= PRINTERS || printed.is_none(), "{}: {printed:?}", source.path.display());
    }
}

#[test]
fn files_are_short() {
    let long: Vec<_> = sources()
        .iter()
        .filter(|source| source.lines > MOST_LINES)
        .map(|source| format!("{}: {} lines", source.path.display(), source.lines))
        .collect();
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn kernels_are_chosen_in_few_places() {
    let dispatches: Vec<_> = sources()
        .iter()
        .flat_map(|source| vec![source.path.clone(); source.product().matches(".visit(").count()])
        .collect();
    assert!(dispatches.len() <= MOST_DISPATCHES, "{dispatches:#?}");
}

#[test]
fn names_in_groups_are_found() {
    assert_eq!(first_names("board::{E, N};"), ["board"]);
    assert_eq!(first_names("{board::{E, N}, rules, bits::Bits};\nuse x::{y}"), ["board", "rules", "bits"]);
}
