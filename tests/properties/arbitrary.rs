//! Any bytes in any file, and the real files with something changed: an answer or an error that says
//! where, and never a panic. `fuzz/` does the same for hours.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::feed;

const KINDS: [&str; 5] = [
    "variants/pack.toml",
    "variants/v/variant.toml",
    "variants/v/template.md",
    "templates/components/a.md",
    "templates/tools/look.toml",
];

/// The files of `templates/` and `variants/`, as they lie in this repository.
fn real_files() -> Vec<PathBuf> {
    fn visit(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                visit(&path, found);
            } else {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["templates", "variants"] {
        visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    }
    found.sort();
    found
}

fn below_root(path: &Path) -> &str {
    let path = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("it is of this repository");
    path.to_str().expect("a path in UTF-8")
}

/// What is done to bytes: a stretch goes, comes twice, or something is in its place.
#[derive(Debug, Clone)]
enum Change {
    Cut,
    Double,
    Put(Vec<u8>),
}

fn change() -> impl Strategy<Value = (prop::sample::Index, usize, Change)> {
    let tokens: [&[u8]; 18] = [
        b"{{",
        b"}}",
        b"{{#if X}}",
        b"{{/if}}",
        b"{{#each X}}",
        b"+++\n",
        b"\"",
        b"[",
        b"]",
        b"=",
        b"\n",
        b"[[params]]\n",
        b"====\n",
        b"\xff",
        b"\xef\xb7\x90",
        b"\xef\xbb\xbf",
        b"\r\n",
        b"\0",
    ];
    let change = prop_oneof![
        Just(Change::Cut),
        Just(Change::Double),
        prop::sample::select(tokens.to_vec()).prop_map(|token| Change::Put(token.to_vec())),
        prop::collection::vec(any::<u8>(), 0..8).prop_map(Change::Put),
    ];
    (any::<prop::sample::Index>(), 0..40_usize, change)
}

fn changed(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, usize, Change)]) -> Vec<u8> {
    for (at, length, change) in changes {
        let start = at.index(bytes.len() + 1);
        let range: Range<usize> = start..(start + length).min(bytes.len());
        let put = match change {
            Change::Cut => Vec::new(),
            Change::Double => bytes[range.clone()].repeat(2),
            Change::Put(put) => put.clone(),
        };
        bytes.splice(range, put);
    }
    bytes
}

/// Pieces of the languages that files are written in, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let pieces: [&[u8]; 36] = [
        b"{{A}}",
        b"{{B.0}}",
        b"{{#if A}}",
        b"{{#unless A}}",
        b"{{else}}",
        b"{{/if}}",
        b"{{/unless}}",
        b"{{#each B}}",
        b"{{this}}",
        b"{{@index}}",
        b"{{/each}}",
        b"{{#with C}}",
        b"{{/with}}",
        b"{{> p}}",
        b"{{json A}}",
        b"(eq A 1)",
        b"{{~",
        b"~}}",
        b"{{!-- ",
        b"--}}",
        b"{{{{raw}}}}",
        b"{{{{/raw}}}}",
        b"+++\n",
        b"id = \"A_SECTION\"\n",
        b"schema = 1\n",
        b"when = { flag = \"x\" }\n",
        b"[[params]]\n",
        b"name = \"a\"\n",
        b"====\n",
        b"##\n",
        b"\n\n\n",
        b"```\n",
        b"------- SEARCH\n",
        b"=======\n",
        b"+++++++ REPLACE\n",
        b"\xef\xb7\x90",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..24)
        .prop_map(|pieces| pieces.concat())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![prop::collection::vec(any::<u8>(), 0..200), pieces()]
}

proptest! {
    #[test]
    fn any_bytes_in_a_file_of_a_pack(path in prop::sample::select(KINDS.to_vec()), bytes in bytes()) {
        let folder = feed::small_pack();
        feed::put(folder.path(), path, &bytes);
        feed::pack(folder.path());
    }

    #[test]
    fn any_bytes_as_a_template(bytes in bytes()) {
        feed::template(&bytes);
    }

    #[test]
    fn any_bytes_to_clean(bytes in bytes()) {
        feed::cleanup(&bytes);
    }

    #[test]
    fn any_bytes_as_a_context(bytes in bytes()) {
        feed::context(&bytes);
    }

    #[test]
    fn a_real_file_changed_as_a_template_or_text(
        file in prop::sample::select(real_files()),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let bytes = changed(fs::read(&file).expect("a file"), &changes);
        feed::template(&bytes);
        feed::cleanup(&bytes);
    }
}

proptest! {
    // Each case reads a whole pack.
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_real_pack_with_one_file_changed(
        file in prop::sample::select(real_files()),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for path in real_files() {
            let bytes = fs::read(&path).expect("a file");
            feed::put(folder.path(), below_root(&path), &bytes);
        }
        let bytes = changed(fs::read(&file).expect("a file"), &changes);
        feed::put(folder.path(), below_root(&file), &bytes);
        feed::pack(folder.path());
    }

    #[test]
    fn a_context_with_something_changed(changes in prop::collection::vec(change(), 1..4)) {
        let context = br##"{"schema": 1, "model": {"provider": "openai", "id": "gpt-5", "window": 8000},
            "mode": "act", "cwd": "/home/ada", "flags": ["browser"], "date": "2026-11-30",
            "environment": {"os": "Linux", "shell": "bash", "home": "/home/ada"},
            "rules": [{"path": "AGENTS.md", "text": "Use tabs.\n\n# And\n{{X}}"}],
            "mcp_servers": [{"name": "m", "tools": [{"name": "t", "input_schema": {}}]}],
            "params": {"a": 1}, "runtime": {"X": [1, 2]}}"##;
        feed::context(&changed(context.to_vec(), &changes));
    }
}
