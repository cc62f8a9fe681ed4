//! `promptline check` as a gate: lints of prompts, `--max-tokens`, `--max-growth`.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::{project_with_pack, run};

const GATE: [&str; 6] = ["check", "pack", "--max-growth", "5%", "--against", "pack/snapshots"];

/// A pack of one section, with golden files.
fn blessed() -> TempDir {
    let words = "word ".repeat(100);
    let project = project_with_pack(
        "{{A_SECTION}}\n",
        &[
            ("pack/contexts/basic.json", "{}"),
            (
                "pack/variants/mine/variant.toml",
                "schema = 1\ndescription = \"d\"\ncomponents = [\"A_SECTION\"]\n",
            ),
            (
                "pack/templates/components/a.md",
                &format!("+++\nid = \"A_SECTION\"\n+++\n{words}.\n"),
            ),
        ],
    );
    run(project.path(), &["snapshot", "--pack", "pack", "--update"]).quiet();
    project
}

fn grow(project: &TempDir, by: &str) {
    let file = project.path().join("pack/templates/components/a.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(file, text + by).unwrap();
}

#[test]
fn what_grew_is_told_and_fails() {
    let project = blessed();
    assert_eq!(run(project.path(), &GATE).quiet(), "");
    grow(&project, "Twenty-five bytes more.\n");
    assert_eq!(run(project.path(), &GATE).quiet(), "");
    grow(&project, "And more than one per cent on top of it.\n");
    let grown = run(project.path(), &GATE);
    assert_eq!((grown.code, grown.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(grown.stdout);
    let loose = ["check", "pack", "--max-growth", "20", "--against", "pack/snapshots"];
    assert_eq!(run(project.path(), &loose).quiet(), "");
}

#[test]
fn what_is_too_large_is_told_and_fails() {
    let project = blessed();
    assert_eq!(run(project.path(), &["check", "pack", "--max-tokens", "126"]).quiet(), "");
    let json = run(project.path(), &["check", "pack", "--max-tokens", "125", "--json"]);
    assert_eq!((json.code, json.stderr.as_str()), (Some(1), ""));
    let found: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(
        (&found[0]["code"], &found[0]["severity"]),
        (&"over-tokens".into(), &"error".into())
    );
    let message = "mine/basic: about 126 tokens, allowed are 125: A_SECTION 501 bytes";
    assert_eq!(found[0]["message"], message);
}

#[test]
fn a_gate_that_checks_nothing_is_a_mistake() {
    let project = blessed();
    let nowhere = ["check", "pack", "--max-growth", "5%", "--against", "pack/contexts"];
    let said = run(project.path(), &nowhere).mistake();
    assert!(said.contains("no prompt has a golden file here"), "{said}");
    let said = run(project.path(), &["check", "pack", "--max-growth", "5%"]).mistake();
    assert!(said.contains("--against"), "{said}");
    for wrong in ["-5%", "much", "NaN"] {
        let growth = format!("--max-growth={wrong}");
        let said = run(project.path(), &["check", "pack", &growth, "--against", "x"]).mistake();
        assert!(said.contains("write it as 5%"), "{said}");
    }
    fs::remove_dir_all(project.path().join("pack/contexts")).unwrap();
    let said = run(project.path(), &["check", "pack", "--max-tokens", "5"]).mistake();
    assert!(said.contains("the folder of contexts cannot be read"), "{said}");
}

#[test]
fn prompts_are_linted_once_their_files_are_right() {
    let project = blessed();
    grow(&project, "\n# One\n\n# One\n");
    let linted = run(project.path(), &["check", "pack"]);
    assert_eq!((linted.code, linted.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(linted.stdout);
    assert_eq!(run(project.path(), &["check", "pack", "--strict"]).code, Some(1));
    grow(&project, "{{#if\n");
    let broken = run(project.path(), &["check", "pack"]);
    assert_eq!(broken.code, Some(1));
    assert!(!broken.stdout.contains("heading-twice"), "{}", broken.stdout);
}
