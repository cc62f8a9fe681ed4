//! `promptline snapshot`: golden files of a pack on disk, and what CI sees.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::{project_with_pack, run};

const CHECK: [&str; 4] = ["snapshot", "--pack", "pack", "--check"];
const UPDATE: [&str; 4] = ["snapshot", "--pack", "pack", "--update"];

fn project() -> TempDir {
    project_with_pack("Work in {{CWD}}.\n", &[("pack/contexts/basic.json", r#"{"cwd": "/src"}"#)])
}

#[test]
fn update_then_check_and_a_change_is_found() {
    let project = project();
    let missing = run(project.path(), &CHECK);
    assert_eq!(missing.code, Some(1));
    insta::assert_snapshot!(missing.stdout, @"
3 golden files are not what is built now (-: the file, +: now)

pack/snapshots/mine/basic.prompt: missing
pack/snapshots/mine/basic.tools.txt: missing
pack/snapshots/sums.txt: missing

help: if the prompts are meant to be so, write the files anew, with `Matrix::update` or `promptline snapshot --update`, and commit them
");
    insta::assert_snapshot!(run(project.path(), &UPDATE).quiet(), @"
wrote pack/snapshots/mine/basic.prompt
wrote pack/snapshots/mine/basic.tools.txt
wrote pack/snapshots/sums.txt
3 written, 0 removed, 0 unchanged
");
    insta::assert_snapshot!(run(project.path(), &CHECK).quiet(), @"every prompt is as its golden file says");
    let template = project.path().join("pack/variants/mine/template.md");
    fs::write(template, "Stay in {{CWD}}.\n").unwrap();
    let changed = run(project.path(), &["snapshot", "--pack", "pack"]);
    assert_eq!((changed.code, changed.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(changed.stdout, @"
2 golden files are not what is built now (-: the file, +: now)

pack/snapshots/mine/basic.prompt: changed
@@ -1 +1 @@
-Work in /src.
+Stay in /src.

pack/snapshots/sums.txt: changed
@@ -1,2 +1,2 @@
 # SHA-256, bytes and lines of each prompt, and of its native tools as they are sent.
-88b809c4ecf9a2442062661294e258d812aae930e3dbfea3c2b035a4270d64fe      13 bytes    1 lines  mine/basic.prompt
+8ec1eefc065843c39e49eae308b0e39bd30886a0acf610ade763347dfee3dea6      13 bytes    1 lines  mine/basic.prompt

help: if the prompts are meant to be so, write the files anew, with `Matrix::update` or `promptline snapshot --update`, and commit them
");
}

#[test]
fn json_says_the_same() {
    let project = project();
    let json = |args: &[&str], code| -> Value {
        let run = run(project.path(), &[args, &["--json"]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(code), ""));
        serde_json::from_str(&run.stdout).unwrap()
    };
    let found = json(&CHECK, 1);
    assert_eq!(found["differences"][0]["kind"], "missing");
    assert_eq!(found["differences"][0]["file"], "pack/snapshots/mine/basic.prompt");
    assert_eq!(json(&UPDATE, 0)["written"].as_array().unwrap().len(), 3);
    assert_eq!(json(&CHECK, 0)["differences"], serde_json::json!([]));
    let sizes = json(&["snapshot", "--pack", "pack", "--sizes"], 0);
    assert_eq!(sizes[0]["bytes"], 13);
}

#[test]
fn only_the_variants_of_the_pack_unless_there_is_none() {
    let project = project();
    let sizes = run(project.path(), &["snapshot", "--pack", "pack", "--sizes"]).quiet();
    insta::assert_snapshot!(sizes, @"
variant  context      bytes   ~tokens  tools
mine     basic           13         4      0
");
    let all = ["snapshot", "--contexts", "pack/contexts", "--sizes"];
    let all = run(project.path(), &all).quiet();
    let variants: Vec<&str> = all.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(variants.len(), 1 + 12);
    assert_eq!([variants[1], variants[12]], ["xs", "generic"]);
    let one =
        ["snapshot", "--contexts", "pack/contexts", "--dir", "g", "--variant", "xs", "--update"];
    assert!(run(project.path(), &one).quiet().contains("wrote g/xs/basic.prompt\n"));
}

#[test]
fn mistakes_are_distinguished_from_differences() {
    let project = project();
    let said = |args: &[&str]| run(project.path(), args).mistake();
    insta::assert_snapshot!(said(&["snapshot"]), @"
error: which folder of contexts?
help: add --contexts DIR, or --pack DIR for the one in a pack
");
    insta::assert_snapshot!(said(&["snapshot", "--pack", "pack", "--variant", "min"]), @"
error: the matrix has no variant `min`
help: did you mean `mine`?
");
    fs::write(project.path().join("pack/contexts/basic.json"), "{").unwrap();
    assert!(said(&CHECK).contains("pack/contexts/basic.json:1:"));
    assert!(said(&["snapshot", "--pack", "pack", "--check", "--update"]).contains("--update"));
}

#[test]
fn warnings_say_which_prompt_and_change_no_exit_code() {
    let project = project_with_pack("{{NOBODY}}\n", &[("pack/contexts/basic.json", "{}")]);
    let updated = run(project.path(), &UPDATE);
    assert_eq!(updated.code, Some(0));
    assert!(updated.stderr.starts_with("mine/basic: warning"), "{}", updated.stderr);
    assert!(updated.stderr.contains("NOBODY"), "{}", updated.stderr);
}
