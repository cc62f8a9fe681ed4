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
fn what_grew_is_reported_and_fails() {
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
fn what_is_too_large_is_reported_and_fails() {
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

#[cfg(feature = "tokens")]
#[test]
fn a_gate_counts_by_the_counter_that_is_asked_for() {
    let project = blessed();
    // "word " a hundred times, the point and the line's end.
    let counted = ["check", "pack", "--tokens", "o200k", "--max-tokens"];
    assert_eq!(run(project.path(), &[&counted[..], &["102"]].concat()).quiet(), "");
    let over = run(project.path(), &[&counted[..], &["100", "--json"]].concat());
    let found: Value = serde_json::from_str(&over.stdout).unwrap();
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.starts_with("mine/basic: 101 tokens, allowed are 100"), "{message}");
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

/// What an overlay adds is judged with the prompts that it changes.
#[test]
fn overlays_are_judged_too() {
    let project = blessed();
    let change = "schema = 1\n[[section]]\nid = 'A_SECTION'\nop = 'append'\n";
    fs::create_dir(project.path().join("o")).unwrap();
    let text = format!("{change}text = '{}'\n", "more ".repeat(100));
    fs::write(project.path().join("o/overlay.toml"), text).unwrap();
    let most = ["--max-tokens", "200"];
    let growth = &GATE[2..];
    for (args, over) in [
        (vec!["pack"], [None, None]),
        (vec!["pack", "--overlay", "o"], [Some("over-tokens"), Some("grew")]),
        (vec!["pack", "o"], [Some("over-tokens"), Some("grew")]),
    ] {
        for (gate, over) in [&most[..], growth].into_iter().zip(over) {
            let ran = run(project.path(), &[&["check"][..], &args, gate].concat());
            assert_eq!(ran.code, Some(i32::from(over.is_some())), "{args:?} {gate:?}");
            let reported = over.is_none_or(|over| ran.stdout.contains(over));
            assert!(reported && ran.stderr.is_empty(), "{args:?}: {}{}", ran.stdout, ran.stderr);
        }
    }
    let alone = ["check", "--overlay", "o", "--max-tokens", "200"];
    // The section is not the built-in pack's, so the overlay is no good alone.
    assert_eq!(run(project.path(), &alone).code, Some(1));
    let text = text_of_rules();
    fs::write(project.path().join("o/overlay.toml"), text).unwrap();
    let said = run(project.path(), &alone).mistake();
    assert!(said.contains("--contexts DIR"), "{said}");
    let with = [&alone[..], &["--contexts", "pack/contexts"]].concat();
    let ran = run(project.path(), &with);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stdout.contains("next-gen/basic: about "), "{}", ran.stdout);
}

fn text_of_rules() -> &'static str {
    "schema = 1\n[[section]]\nid = 'RULES_SECTION'\nop = 'append'\ntext = 'More.'\n"
}

/// A prompt that cannot be compared has not passed: that is reported, and fails where warnings do.
#[test]
fn what_has_no_golden_file_is_reported() {
    let project = blessed();
    fs::write(project.path().join("pack/contexts/new.json"), "{}").unwrap();
    let ran = run(project.path(), &GATE);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(
        ran.stdout.contains("warning[no-golden]: mine/new: about 126 tokens"),
        "{}",
        ran.stdout
    );
    assert_eq!(run(project.path(), &[&GATE[..], &["--strict"]].concat()).code, Some(1));
}

/// Shares are shown as people write them, beside the bytes.
#[test]
fn shares_are_shown_as_they_are_written() {
    let project = blessed();
    grow(&project, &"x".repeat(35));
    let gate = |growth: &str| {
        let growth = format!("--max-growth={growth}");
        run(project.path(), &["check", "pack", &growth, "--against", "pack/snapshots"])
    };
    // 501 bytes grew by 35 and the line break before them.
    let grown = gate("7%");
    assert_eq!(grown.code, Some(1));
    let said = "it grew by 36 bytes (7.19 %), allowed are 7 %: ";
    assert!(grown.stdout.contains(said), "{}", grown.stdout);
    assert_eq!(gate("7.2%").quiet(), "");
}
