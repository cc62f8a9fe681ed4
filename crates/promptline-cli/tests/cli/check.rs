//! `promptline check`: findings on stdout, the exit code says how it went.

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::TempDir;

use crate::{command, project, run};

/// A pack without mistakes, with these files over it.
fn pack(files: &[(&str, &str)]) -> TempDir {
    let good = [
        ("p/variants/pack.toml", "schema = 1\nname = \"p\"\nvariants = [\"v\"]\n"),
        (
            "p/variants/v/variant.toml",
            "schema = 1\ndescription = \"For all.\"\ncomponents = [\"A_SECTION\"]\n",
        ),
        ("p/templates/components/a.md", "+++\nid = \"A_SECTION\"\n+++\nHello.\n"),
    ];
    project(&[&good, files].concat())
}

#[test]
fn a_good_pack_has_nothing_to_be_said() {
    assert_eq!(run(pack(&[]).path(), &["check", "p", "--strict"]).quiet(), "");
}

#[test]
fn each_finding_shows_its_line_and_help() {
    let folder = pack(&[
        ("p/variants/pack.toml", "schema = 1\nname = \"p\"\nvariant = []\nvariants = [\"v\"]\n"),
        ("p/templates/components/a.md", "+++\nid = \"A_SECTION\"\n+++\nHello {{CDW}}.\n"),
    ]);
    let ran = run(folder.path(), &["check", "p"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    assert_snapshot!(ran.stdout, @r"
    p/templates/components/a.md:4:9: warning[unknown-placeholder]: nothing provides the placeholder `CDW`
      |
    4 | Hello {{CDW}}.
      |         ^^^
      |
      = help: did you mean `CWD`?
    p/variants/pack.toml:3:1: error[unknown-key]: unknown key `variant`, expected one of `schema`, `name`, `description`, `variants`, `sections`, `flags`, `offers`, `placeholders`, `conditions`, `lints`, `truncation_notice`
      |
    3 | variant = []
      | ^^^^^^^
      |
      = help: did you mean `variants`?
    1 error, 1 warning
    ");
}

#[test]
fn warnings_fail_only_when_they_are_asked_to() {
    let folder =
        pack(&[("p/templates/components/a.md", "+++\nid = \"A_SECTION\"\n+++\n{{CDW}}\n")]);
    assert_eq!(run(folder.path(), &["check", "p"]).code, Some(0));
    assert_eq!(run(folder.path(), &["check", "p", "--strict"]).code, Some(1));
}

#[test]
fn findings_are_data_on_request() {
    let folder = pack(&[("p/variants/v/notes.txt", "?")]);
    let ran = run(folder.path(), &["check", "p", "--json"]);
    assert_eq!(ran.code, Some(1));
    let findings: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(findings[0]["code"], "stray-file");
    assert_eq!(findings[0]["severity"], "error");
    assert_eq!(findings[0]["file"], "p/variants/v/notes.txt");
    assert_eq!(findings[0]["line"], 1);
    assert_eq!(findings.as_array().unwrap().len(), 1);
    assert_eq!(run(pack(&[]).path(), &["check", "p", "--json"]).quiet(), "[]\n");
}

#[test]
fn packs_are_laid_over_each_other_in_order() {
    let over = [
        ("q/variants/pack.toml", "schema = 1\nname = \"q\"\nvariants = [\"w\"]\n"),
        ("q/variants/w/variant.toml", "schema = 1\nextends = \"v\"\nwhen = { mode = \"plan\" }\n"),
    ];
    let folder = pack(&over);
    assert_eq!(run(folder.path(), &["check", "p", "q"]).quiet(), "");
    let alone = run(folder.path(), &["check", "q"]);
    assert_eq!(alone.code, Some(1));
    assert!(alone.stdout.contains("error[unknown-variant]: there is no variant `v`"));
}

#[test]
fn a_code_is_explained() {
    let folder = project(&[]);
    let page = run(folder.path(), &["check", "--explain", "unknown-key"]).quiet();
    assert!(page.starts_with("# unknown-key: "), "{page}");
    let mistake = run(folder.path(), &["check", "--explain", "unknown-kay"]).mistake();
    assert!(mistake.contains("there is no code `unknown-kay`"), "{mistake}");
}

#[test]
fn usage_and_input_are_another_matter_than_findings() {
    let folder = project(&[]);
    let mistake = run(folder.path(), &["check", "promts"]).mistake();
    assert!(mistake.contains("there is no folder `promts`"), "{mistake}");
    run(folder.path(), &["check"]).mistake();
}

#[test]
fn no_colours_in_a_pipe() {
    let folder = pack(&[("p/variants/v/notes.txt", "?")]);
    let output = command(folder.path(), &["check", "p"]).output().unwrap();
    assert!(!output.stdout.contains(&0x1B));
}

#[test]
fn a_variant_as_one_file() {
    let expanded = run(std::path::Path::new("."), &["check", "--expand", "xs"]).quiet();
    assert!(expanded.starts_with("# xs@1, from variants/xs/variant.toml\n"), "{expanded}");
    assert!(
        expanded.contains("\n# RULES_SECTION: variants/xs/components/rules.md\n"),
        "{expanded}"
    );
    assert!(expanded.contains("\n[when]\nis = \"compact_wanted\"\n"), "{expanded}");
    let said = run(std::path::Path::new("."), &["check", "--expand", "xss"]).mistake();
    assert!(said.contains("did you mean `xs`?"), "{said}");
}

#[test]
fn a_note_fails_nothing_unless_the_pack_makes_it_a_warning() {
    let files = |lints: &str| {
        let manifest = format!("schema = 1\nname = \"p\"\nvariants = [\"v\"]\n{lints}");
        let variant =
            "schema = 1\ndescription = \"d\"\ncomponents = [\"B_SECTION\", \"A_SECTION\"]\n";
        pack(&[
            ("p/variants/pack.toml", &manifest),
            ("p/variants/v/variant.toml", variant),
            ("p/templates/components/b.md", "+++\nid = \"B_SECTION\"\n+++\nIn {{CWD}}.\n"),
        ])
    };
    let note = run(files("").path(), &["check", "p", "--strict"]);
    assert_eq!((note.code, note.stderr.as_str()), (Some(0), ""));
    assert_snapshot!(note.stdout, @r#"
    p/variants/v/variant.toml:3:16: note[cache-order]: the text may change with the conversation from byte 0 on, at `B_SECTION`: the 2 tokens behind it that do not change are not kept in a provider's cache either (in v/basic)
      |
    3 | components = ["B_SECTION", "A_SECTION"]
      |                ^^^^^^^^^
      |
      = help: put what changes behind what does not, or declare its `volatility`; or allow it: `[lints] cache-order = "allow"` in pack.toml
    0 errors, 0 warnings, 1 note
    "#);
    let warn = files("[lints]\ncache-order = \"warn\"\n");
    assert_eq!(run(warn.path(), &["check", "p"]).code, Some(0));
    let strict = run(warn.path(), &["check", "p", "--strict"]);
    assert!(strict.stdout.ends_with("0 errors, 1 warning\n") && strict.code == Some(1));
    let allow = files("[lints]\ncache-order = \"allow\"\n");
    assert_eq!(run(allow.path(), &["check", "p"]).quiet(), "");
}
