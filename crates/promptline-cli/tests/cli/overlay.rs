//! `--overlay` in the verbs that build, `check` of overlays, and `new overlay`.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::TempDir;

use crate::{project, run};

const CLAUDE: [&str; 4] = ["--provider", "anthropic", "--model", "claude-sonnet-4-5"];

/// A folder with an overlay `o` of these changes.
fn overlay(changes: &str) -> TempDir {
    project(&[
        ("o/overlay.toml", &format!("schema = 1\n{changes}")),
        ("o/rules.md", "- Say {{CWD}}.\n"),
        (
            "cx.json",
            r#"{"cwd": "/w", "model": {"provider": "anthropic", "id": "claude-sonnet-4-5"}}"#,
        ),
    ])
}

const RULES: &str = "[[section]]\nid = 'RULES_SECTION'\nop = 'append'\nfile = 'rules.md'\n\
                     when = { family = 'claude' }\n";

#[test]
fn every_verb_that_builds_takes_overlays() {
    let folder = overlay(RULES);
    let prompt = |more: &[&str]| {
        let args = ["render", "--context", "cx.json", "--json"];
        let json = run(folder.path(), &[&args, more].concat()).quiet();
        serde_json::from_str::<Value>(&json).unwrap()
    };
    let changed = prompt(&["--overlay", "o"]);
    assert!(changed["text"].as_str().unwrap().contains("\n\n- Say {{CWD}}.\n"));
    let sections = changed["sections"].as_array().unwrap();
    let rules = sections.iter().find(|section| section["id"] == "RULES_SECTION").unwrap();
    assert_eq!(rules["origin"], "o/rules.md");
    // The model is another one, and the overlay is not for it.
    let other = ["--provider", "openai", "--model", "gpt-5"];
    let with = prompt(&[&other[..], &["--overlay", "o"]].concat());
    assert_eq!(with["text"], prompt(&other)["text"]);

    let said = run(folder.path(), &[&["diff", "--overlay", "o"], &CLAUDE[..]].concat()).quiet();
    assert!(said.contains("\n+- Say {{CWD}}.\n"), "{said}");
    let said = run(folder.path(), &["match", "--overlay", "o", "gpt-5"]).quiet();
    assert!(said.contains("gpt-5"), "{said}");

    fs::create_dir(folder.path().join("contexts")).unwrap();
    fs::copy(folder.path().join("cx.json"), folder.path().join("contexts/cx.json")).unwrap();
    let golden = ["snapshot", "--contexts", "contexts", "--dir", "golden", "--variant", "next-gen"];
    run(folder.path(), &[&golden[..], &["--update"]].concat()).quiet();
    run(folder.path(), &golden).quiet();
    let ran = run(folder.path(), &[&golden[..], &["--overlay", "o"]].concat());
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("Say {{CWD}}."), "{}", ran.stdout);
}

#[test]
fn check_distinguishes_an_overlay_from_a_pack() {
    let folder = overlay("[[section]]\nid = 'RULE_SECTION'\nop = 'append'\nfile = 'rules.md'\n");
    let ran = run(folder.path(), &["check", "o"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert_snapshot!(ran.stdout, @r"
    o/overlay.toml:3:1: error[unknown-component]: there is no section `RULE_SECTION`
      |
    3 | id = 'RULE_SECTION'
      | ^^
      |
      = help: did you mean `RULES_SECTION`?
    1 error, 0 warnings
    ");
    assert_eq!(run(folder.path(), &["check", "--overlay", "o"]).stdout, ran.stdout);
    let good = overlay(RULES);
    assert_eq!(run(good.path(), &["check", "--overlay", "o", "--strict"]).quiet(), "");
    run(good.path(), &["check"]).mistake();
    run(good.path(), &["render", "--overlay", "nowhere"]).mistake();
}

#[test]
fn drift_is_shown_where_the_overlay_is_used_and_checked() {
    let folder = project(&[]);
    run(folder.path(), &["new", "pack", "mine"]).quiet();
    let section = ["--pack", "mine", "--section", "HOUSE_RULES_SECTION"];
    run(folder.path(), &[&["new", "overlay", "o", "--op", "append"], &section[..]].concat())
        .quiet();
    let check = ["check", "mine", "--overlay", "o"];
    assert_eq!(run(folder.path(), &check).quiet(), "");
    let file = folder.path().join("mine/templates/components/house_rules.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text + "- And one more.\n").unwrap();
    let ran = run(folder.path(), &check);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("warning[overlay-drift]: the text of `HOUSE_RULES_SECTION`"));
    assert!(ran.stdout.contains("+- And one more."), "{}", ran.stdout);
    assert_eq!(run(folder.path(), &[&check[..], &["--strict"]].concat()).code, Some(1));
    let render = ["render", "--pack", "mine", "--flag", "mine", "--overlay", "o", "--model", "x"];
    let ran = run(folder.path(), &render);
    assert!(ran.stderr.contains("+- And one more."), "{}", ran.stderr);
}

#[test]
fn a_new_overlay_changes_nothing_until_it_is_edited() {
    let folder = project(&[]);
    let new = ["new", "overlay", "o", "--section", "AGENT_ROLE_SECTION", "--name", "acme"];
    let said = run(folder.path(), &new).quiet();
    assert!(said.starts_with("wrote o/overlay.toml\n"), "{said}");
    let toml = fs::read_to_string(folder.path().join("o/overlay.toml")).unwrap();
    assert!(toml.starts_with("schema = 1\nname = \"acme\"\n"), "{toml}");
    let diff = [&["diff", "--overlay", "o"], &CLAUDE[..]].concat();
    assert_eq!(run(folder.path(), &diff).quiet(), "the prompts are equal\n");
    assert_eq!(run(folder.path(), &["check", "o", "--strict"]).quiet(), "");
    // What it says to do next can be done.
    let next = said.lines().find_map(|line| line.strip_prefix("next: promptline ")).unwrap();
    run(folder.path(), &next.split(' ').collect::<Vec<_>>()).quiet();
}

#[test]
fn what_a_new_overlay_needs() {
    let folder = project(&[("full/x.txt", "x")]);
    let said = |args: &[&str]| run(folder.path(), args).mistake();
    assert_snapshot!(said(&["new", "overlay", "o", "--section", "RULE_SECTION"]), @r"
    error: there is no section `RULE_SECTION`
    help: did you mean `RULES_SECTION`?
    ");
    assert!(said(&["new", "overlay", "o"]).contains("--section <ID>"));
    let full = said(&["new", "overlay", "full", "--section", "RULES_SECTION"]);
    assert!(full.contains("is not empty"), "{full}");
    assert!(!folder.path().join("o").exists());
}

#[test]
fn an_overlay_without_its_file_is_reported_as_one() {
    let folder = overlay(RULES);
    fs::remove_file(folder.path().join("o/overlay.toml")).unwrap();
    let ran = run(folder.path(), &["check", "--overlay", "o"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert!(ran.stdout.contains("the overlay has no `overlay.toml`"), "{}", ran.stdout);
}

/// What an overlay says is judged in the prompts that it changes, and only what it says.
#[test]
fn prompts_are_linted_with_the_overlay() {
    let text = "text = 'Ask `web_fetch`.'";
    let changes = |more: &str| {
        format!("[[section]]\nid = 'OBJECTIVE_SECTION'\nop = 'append'\n{text}\n{more}")
    };
    let reported = |folder: &TempDir| {
        fs::remove_file(folder.path().join("o/rules.md")).unwrap();
        run(folder.path(), &["check", "--overlay", "o"]).quiet()
    };
    assert_snapshot!(reported(&overlay(&changes(""))), @r#"
    o/overlay.toml:5:14: warning[tool-not-enabled]: the text names the tool `web_fetch`, which is not offered (in native-gpt-5-1/basic)
      |
    5 | text = 'Ask `web_fetch`.'
      |              ^^^^^^^^^
      |
      = help: say it only where the tool is there: `{{#if tool.…}} … {{/if}}`; or give the change `when = { tool = "…" }`
    0 errors, 1 warning
    "#);
    assert_eq!(reported(&overlay(&changes("when = { tool = 'web_fetch' }\n"))), "");
}
