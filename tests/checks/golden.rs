//! Golden files through `promptline::testing`: what is written, what a check finds and what it says.

use std::fs;

use promptline::testing::{DifferenceKind, Matrix, Mismatch};
use promptline::{ErrorKind, PromptContext, PromptRegistry};

use crate::pack::Folder;

const TWO: &str = r#"
-- variants/pack.toml
schema = 1
name = "two"
variants = ["a", "b"]
-- variants/a/variant.toml
schema = 1
components = ["A_SECTION"]
tools = ["look"]
-- variants/b/variant.toml
schema = 1
components = ["A_SECTION"]
-- templates/components/a.md
+++
id = "A_SECTION"
+++
Work in {{CWD}}.
-- templates/tools/look.toml
schema = 1
id = "look"
name = "look_at"
description = "Look."
-- contexts/basic.json
{ "cwd": "/src" }
-- contexts/only-b.json
{ "cwd": "/b", "variant": "b" }
-- contexts/README.md
Not a context.
"#;

fn registry(folder: &Folder) -> PromptRegistry {
    let pack = folder.load().unwrap_or_else(|error| panic!("{error:#}"));
    PromptRegistry::builder().pack(pack).build().unwrap()
}

fn matrix<'r>(folder: &Folder, registry: &'r PromptRegistry) -> Matrix<'r> {
    Matrix::new(registry)
        .contexts_dir(folder.path().join("contexts"))
        .snapshots_dir(folder.path().join("snapshots"))
}

/// The paths and texts of the golden files.
fn golden(folder: &Folder) -> String {
    let root = folder.path().join("snapshots");
    let mut files = Vec::new();
    for entry in fs::read_dir(&root).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(fs::read_dir(path).unwrap().map(|file| file.unwrap().path())),
            false => files.push(path),
        }
    }
    files.sort();
    let shown = |file: &std::path::PathBuf| {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        format!("-- {name}\n{}\n", fs::read_to_string(file).unwrap())
    };
    files.iter().map(shown).collect()
}

/// What the check says, with the folder called PACK.
fn said(folder: &Folder, mismatch: &Mismatch) -> String {
    mismatch.to_string().replace(folder.path().to_str().unwrap(), "PACK")
}

#[test]
fn each_context_is_built_for_each_variant_and_a_pinned_one_for_its_own() {
    let folder = Folder::new(TWO);
    let registry = registry(&folder);
    let matrix = matrix(&folder, &registry);
    let updated = matrix.update().unwrap();
    assert_eq!((updated.written.len(), updated.removed.len(), updated.unchanged), (6, 0, 0));
    insta::assert_snapshot!(golden(&folder), @"
-- a/basic.prompt
Work in /src.
-- a/basic.tools.txt
look_at (look)

-- b/basic.prompt
Work in /src.
-- b/basic.tools.txt

-- b/contexts.diff
# What the other contexts change. A line follows the one before it in the whole file; `~`: all lines up to the next one.

=== only-b.prompt from basic.prompt
@@ A_SECTION
-Work in /src.
+Work in /b.

=== only-b.tools.txt from basic.tools.txt

-- sums.txt
# SHA-256, bytes and lines of each prompt, and of its native tools as they are sent.
88b809c4ecf9a2442062661294e258d812aae930e3dbfea3c2b035a4270d64fe      13 bytes    1 lines  a/basic.prompt
88b809c4ecf9a2442062661294e258d812aae930e3dbfea3c2b035a4270d64fe      13 bytes    1 lines  b/basic.prompt
65c34cfa5c627bad503724e28d177a71c78636f7a6f500dc19b8a7b0d4be9084      11 bytes    1 lines  b/only-b.prompt
");
    matrix.check().unwrap();
    let again = matrix.update().unwrap();
    assert_eq!((again.written.len(), again.unchanged), (0, 6));
}

#[test]
fn a_check_says_which_file_how_it_differs_and_what_to_do() {
    let folder = Folder::new(TWO);
    matrix(&folder, &registry(&folder)).update().unwrap();
    folder.put("templates/components/a.md", "+++\nid = \"A_SECTION\"\n+++\nStay in {{CWD}}.\n");
    folder.put("contexts/new.json", "{}");
    fs::remove_file(folder.path().join("contexts/only-b.json")).unwrap();
    let registry = registry(&folder);
    let mismatch = matrix(&folder, &registry).check().unwrap_err();
    insta::assert_snapshot!(said(&folder, &mismatch), @r"
5 golden files are not what is built now (-: the file, +: now)

PACK/snapshots/a/basic.prompt: changed
@@ -1 +1 @@
-Work in /src.
+Stay in /src.

PACK/snapshots/a/contexts.diff: missing
PACK/snapshots/b/basic.prompt: changed
@@ -1 +1 @@
-Work in /src.
+Stay in /src.

PACK/snapshots/b/contexts.diff: changed
@@ -1,8 +1,8 @@
 # What the other contexts change. A line follows the one before it in the whole file; `~`: all lines up to the next one.
 
-=== only-b.prompt from basic.prompt
+=== new.prompt from basic.prompt
 @@ A_SECTION
--Work in /src.
-+Work in /b.
+-Stay in /src.
++Stay in .
 
-=== only-b.tools.txt from basic.tools.txt
+=== new.tools.txt from basic.tools.txt

PACK/snapshots/sums.txt: changed
@@ -1,4 +1,5 @@
 # SHA-256, bytes and lines of each prompt, and of its native tools as they are sent.
-88b809c4ecf9a2442062661294e258d812aae930e3dbfea3c2b035a4270d64fe      13 bytes    1 lines  a/basic.prompt
-88b809c4ecf9a2442062661294e258d812aae930e3dbfea3c2b035a4270d64fe      13 bytes    1 lines  b/basic.prompt
-65c34cfa5c627bad503724e28d177a71c78636f7a6f500dc19b8a7b0d4be9084      11 bytes    1 lines  b/only-b.prompt
+8ec1eefc065843c39e49eae308b0e39bd30886a0acf610ade763347dfee3dea6      13 bytes    1 lines  a/basic.prompt
+58d39339b95dca0e40e932eeaaa2f965fee9b54cc83e80fef4c7000e39976aff       9 bytes    1 lines  a/new.prompt
+8ec1eefc065843c39e49eae308b0e39bd30886a0acf610ade763347dfee3dea6      13 bytes    1 lines  b/basic.prompt
+58d39339b95dca0e40e932eeaaa2f965fee9b54cc83e80fef4c7000e39976aff       9 bytes    1 lines  b/new.prompt

help: if the prompts are meant to be so, write the files anew, with `Matrix::update` or `promptline snapshot --update`, and commit them
");
    assert_eq!(format!("{mismatch:?}"), mismatch.to_string());
    matrix(&folder, &registry).update().unwrap();
    matrix(&folder, &registry).check().unwrap();
    assert!(!golden(&folder).contains("only-b"));
}

/// The kind of the only difference.
fn kind(folder: &Folder, registry: &PromptRegistry) -> DifferenceKind {
    match matrix(folder, registry).check() {
        Err(Mismatch::Differs(found)) if found.len() == 1 => found[0].kind,
        other => panic!("{other:?}"),
    }
}

#[test]
fn outer_newlines_and_line_ends_count() {
    let folder = Folder::new(TWO);
    let registry = registry(&folder);
    matrix(&folder, &registry).update().unwrap();
    let text = fs::read_to_string(folder.path().join("snapshots/a/basic.prompt")).unwrap();
    for (changed, expected) in [
        (format!("{text}\n"), DifferenceKind::Changed),
        (text.replace("/src", "/src "), DifferenceKind::Changed),
        (format!("{text}\r\n"), DifferenceKind::Changed),
    ] {
        folder.put("snapshots/a/basic.prompt", &changed);
        assert_eq!(kind(&folder, &registry), expected, "{changed:?}");
    }
    folder.put("snapshots/a/basic.prompt", b"\xFF");
    assert_eq!(kind(&folder, &registry), DifferenceKind::Changed);
    folder.put("snapshots/a/basic.prompt", text);
    folder.put("snapshots/a/basic.tools.txt", "look_at (look)\r\n");
    assert_eq!(kind(&folder, &registry), DifferenceKind::LineEnds);
}

#[test]
fn what_is_stale_is_found_and_what_is_not_ours_is_left() {
    let folder = Folder::new(TWO);
    let registry = registry(&folder);
    matrix(&folder, &registry).update().unwrap();
    folder.put("snapshots/README.md", "ours to keep");
    folder.put("snapshots/b/basic.prompt.orig", "kept");
    folder.put("snapshots/notes/basic.tools.txt", "hammer");
    folder.put("snapshots/notes/big.prompt", "a prompt of somebody else's");
    matrix(&folder, &registry).check().unwrap();
    // A list that was tampered with leads to no file outside.
    let sums = fs::read_to_string(folder.path().join("snapshots/sums.txt")).unwrap();
    folder.put("outside.prompt", "kept");
    let tampered = format!("{sums}0 1 bytes 1 lines  ../outside.prompt\n<<<<<<< a merge\n");
    folder.put("snapshots/sums.txt", tampered);
    // The pinned context would keep the other variant in the matrix.
    fs::remove_file(folder.path().join("contexts/only-b.json")).unwrap();
    let only_a = matrix(&folder, &registry).variants(["a"]);
    match only_a.check() {
        Err(Mismatch::Differs(found)) => {
            let stale = found.iter().filter(|found| found.kind == DifferenceKind::Stale);
            let stale: Vec<_> = stale.map(|found| found.file.rsplit('/').next().unwrap()).collect();
            assert_eq!(stale, ["basic.prompt", "basic.tools.txt", "contexts.diff"]);
        }
        other => panic!("{other:?}"),
    }
    let updated = only_a.update().unwrap();
    assert_eq!(updated.removed.len(), 3, "{updated:?}");
    only_a.check().unwrap();
    for kept in ["snapshots/b/basic.prompt.orig", "snapshots/notes/big.prompt", "outside.prompt"] {
        assert!(folder.path().join(kept).exists(), "{kept}");
    }
}

#[test]
fn one_variant_alone_leaves_the_others() {
    let folder = Folder::new(TWO);
    let registry = registry(&folder);
    let b = matrix(&folder, &registry).only("b");
    assert_eq!(b.update().unwrap().written.len(), 4);
    b.check().unwrap();
    matrix(&folder, &registry).check().unwrap_err();
    matrix(&folder, &registry).update().unwrap();
    folder.put("snapshots/a/basic.prompt", "something else");
    b.check().unwrap();
    // The sums of others are kept.
    assert_eq!(b.update().unwrap().written, Vec::<String>::new());
}

#[test]
fn sizes_of_every_prompt() {
    let folder = Folder::new(TWO);
    let registry = registry(&folder);
    let sizes = matrix(&folder, &registry).sizes().unwrap();
    let reported: Vec<_> = sizes
        .iter()
        .map(|s| (s.variant.as_str(), s.context.as_str(), s.bytes, s.tokens, s.tools))
        .collect();
    assert_eq!(
        reported,
        [("a", "basic", 13, 4, 1), ("b", "basic", 13, 4, 0), ("b", "only-b", 11, 3, 0)]
    );
}

#[test]
fn contexts_of_a_host_stand_beside_files_and_names_are_safe() {
    let folder = Folder::new(TWO);
    let registry = registry(&folder);
    let matrix =
        matrix(&folder, &registry).context("../a b", PromptContext::default().with_cwd("/c"));
    matrix.update().unwrap();
    let contexts = fs::read_to_string(folder.path().join("snapshots/a/contexts.diff")).unwrap();
    assert!(contexts.contains("=== %2E.%2Fa%20b.prompt from basic.prompt\n"), "{contexts}");
    matrix.check().unwrap();
    // Another base is whole, and the files of the first one go.
    let matrix = matrix.base("../a b");
    let updated = matrix.update().unwrap();
    assert!(folder.path().join("snapshots/a/%2E.%2Fa%20b.prompt").is_file());
    assert!(!folder.path().join("snapshots/a/basic.prompt").exists(), "{updated:?}");
    matrix.check().unwrap();
}

/// A sentence that every prompt has is read once a variant, whatever the contexts.
#[test]
fn a_changed_sentence_touches_one_file_a_variant_and_the_sums() {
    let folder = Folder::new(TWO);
    for context in ["c", "d", "e"] {
        folder.put(&format!("contexts/{context}.json"), format!("{{ \"cwd\": \"/{context}\" }}"));
    }
    let section =
        |sentence: &str| format!("+++\nid = \"A_SECTION\"\n+++\n{sentence}\n\nIn {{{{CWD}}}}.\n");
    folder.put("templates/components/a.md", section("Be kind."));
    matrix(&folder, &registry(&folder)).update().unwrap();
    folder.put("templates/components/a.md", section("Be brief."));
    let registry = registry(&folder);
    let updated = matrix(&folder, &registry).update().unwrap();
    let named = |file: &String| file.split("/snapshots/").last().unwrap().to_owned();
    let written: Vec<_> = updated.written.iter().map(named).collect();
    assert_eq!(written, ["a/basic.prompt", "b/basic.prompt", "sums.txt"]);
}

#[test]
fn a_matrix_that_would_check_nothing_is_an_error() {
    let folder = Folder::new(TWO);
    let registry = registry(&folder);
    let cases: [(&str, Matrix<'_>); 6] = [
        ("no context", Matrix::new(&registry)),
        ("no folder", Matrix::new(&registry).contexts_dir(folder.path().join("context"))),
        ("unknown", matrix(&folder, &registry).only("bb")),
        ("none", matrix(&folder, &registry).variants(["nobody"])),
        ("twice", matrix(&folder, &registry).context("basic", PromptContext::default())),
        (
            "pinned",
            matrix(&folder, &registry)
                .context("x", PromptContext::default().with_variant("nobody")),
        ),
    ];
    let reported = |(name, matrix): &(&str, Matrix<'_>)| match matrix.check() {
        Err(mismatch @ Mismatch::Failed(_)) => format!("{name}: {}\n", said(&folder, &mismatch)),
        other => panic!("{name}: {other:?}"),
    };
    insta::assert_snapshot!(cases.iter().map(reported).collect::<String>(), @"
no context: there is no context to build prompts for
help: add one: a file `basic.json` that holds `{}` will do
no folder: PACK/context: the folder of contexts cannot be read: No such file or directory (os error 2)
help: a context is a JSON file in it; `{}` is the smallest
unknown: the matrix has no variant `bb`
help: did you mean `b`?
none: nobody/basic: there is no variant `nobody`
help: variants are a@1, b@1
twice: there are two contexts `basic`
help: a context that is not a file needs a name of its own
pinned: x: there is no variant `nobody`
help: variants are a@1, b@1
");
    folder.put("contexts/basic.json", "{ \"cdw\": 1 }");
    let error = matrix(&folder, &registry).update().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Context);
    assert!(error.to_string().contains("basic.json:1:3"), "{error}");
    assert!(!folder.path().join("snapshots").exists());
}
