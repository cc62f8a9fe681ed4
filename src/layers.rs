//! The layers of DESIGN.md hold: no module names one that is listed above it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules by their place in the table of DESIGN.md, the lowest first.
fn layers(root: &Path) -> BTreeMap<String, usize> {
    let design = fs::read_to_string(root.join("DESIGN.md")).expect("DESIGN.md is beside src");
    let (_, table) = design.split_once("| layer | modules |").expect("DESIGN.md has the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let modules = rows.enumerate().flat_map(|(place, row)| {
        let modules = row.split('|').nth(2).unwrap_or_default();
        let names = modules.split('`').skip(1).step_by(2);
        names.map(move |name| (name.to_owned(), place))
    });
    modules.collect()
}

/// Every file of Rust below a folder, but for tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be read").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && !name.starts_with("tests") && name != "layers.rs" {
            found.push(path);
        }
    }
}

/// The module of `src` that a file belongs to, and how many modules it is inside of.
fn place(src: &Path, file: &Path) -> (String, usize) {
    let inside = file.strip_prefix(src).expect("the file is in src");
    let parts: Vec<_> =
        inside.iter().map(|part| part.to_string_lossy().replace(".rs", "")).collect();
    let depth = parts.iter().filter(|part| *part != "mod").count();
    (parts.first().cloned().unwrap_or_default(), depth)
}

/// The modules of `src` that a line of code names, by `crate::` or by `super::` up to the root.
fn named(line: &str, depth: usize) -> BTreeSet<String> {
    let code = line.split("//").next().unwrap_or_default();
    let to_root = "super::".repeat(depth);
    let mut named = BTreeSet::new();
    for start in ["crate::", to_root.as_str()].into_iter().filter(|start| !start.is_empty()) {
        for (at, _) in code.match_indices(start) {
            let before = code.get(..at).unwrap_or_default();
            if before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let rest = code.get(at + start.len()..).unwrap_or_default();
            let names = match rest.strip_prefix('{') {
                Some(list) => {
                    list.split(['}', ';']).next().unwrap_or_default().split(',').collect()
                }
                None => vec![rest],
            };
            for name in names {
                let end = name.trim_start().find(|c: char| !(c.is_alphanumeric() || c == '_'));
                let name = name.trim_start();
                named.insert(name.get(..end.unwrap_or(name.len())).unwrap_or_default().to_owned());
            }
        }
    }
    named
}

#[test]
fn no_module_looks_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let src = root.join("src");
    let layers = layers(root);
    let mut files = Vec::new();
    sources(&src, &mut files);
    files.sort();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for file in &files {
        let (own, depth) = place(&src, file);
        if own == "lib" {
            continue;
        }
        seen.insert(own.clone());
        let Some(height) = layers.get(&own) else {
            wrong.push(format!("`{own}` is in no layer of DESIGN.md"));
            continue;
        };
        let text = fs::read_to_string(file).expect("a source can be read");
        for (number, line) in text.lines().enumerate() {
            for other in named(line, depth).into_iter().filter(|other| *other != own) {
                let what = match layers.get(&other) {
                    Some(place) if place < height => continue,
                    Some(_) => "which is not below it",
                    None if src.join(format!("{other}.rs")).exists() => "which is in no layer",
                    // A name at the root: what it is, is in the module that defines it.
                    None => "by the root's name: name its module",
                };
                let at =
                    format!("{}:{}", file.strip_prefix(root).unwrap_or(file).display(), number + 1);
                wrong.push(format!("{at}: `{own}` uses `{other}`, {what}"));
            }
        }
    }
    for module in layers.keys().filter(|module| !seen.contains(*module)) {
        wrong.push(format!("DESIGN.md lists `{module}`, which is not a module"));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn what_looks_up_is_seen() {
    let upper = |line: &str| named(line, 2).into_iter().collect::<Vec<_>>();
    assert_eq!(upper("use crate::builder::PromptBuilder;"), ["builder"]);
    assert_eq!(upper("let x = crate::builder::run();"), ["builder"]);
    assert_eq!(upper("use crate::{builder, text::Text};"), ["builder", "text"]);
    assert_eq!(upper("use super::super::builder::Notes;"), ["builder"]);
    assert_eq!(upper("use super::sibling::Notes;"), Vec::<String>::new());
    assert_eq!(upper("// crate::builder"), Vec::<String>::new());
}
