//! Checks: a good pack has nothing to be said; each thing that is broken in it gives its code and
//! nothing else; several are reported at once.

use std::collections::BTreeSet;

use crate::pack::Folder;
use promptline::check::{Finding, check_dir, codes, explain};
use promptline::{Pack, PromptRegistry, Severity};
use proptest::prelude::*;

/// One of everything, and nothing wrong.
const GOOD: &str = r#"
-- variants/pack.toml
schema = 1
name = "good"
variants = ["v", "generic"]
flags = ["audit"]
placeholders = { TONE = "brief" }
conditions = { small = { window = "<=8192" } }
-- variants/v/variant.toml
schema = 1
description = "For audits."
extends = "generic"
when = { any = [{ flag = "audit" }, { is = "small" }] }
-- variants/generic/variant.toml
schema = 1
description = "For everyone."
components = ["A_SECTION", "B_SECTION"]
tools = ["read"]
-- templates/components/a.md
+++
id = "A_SECTION"
+++
{{> tone}}{{#if tool.read}} You can read.{{/if}}
-- templates/components/b.md
+++
id = "B_SECTION"
+++
You work in {{CWD}}.
-- templates/partials/tone.md
Be {{TONE}}.
-- templates/tools/read.toml
schema = 1
id = "read"
description = "Reads a file."
[[params]]
name = "path"
required = true
description = "Which one."
"#;

/// A code, and what breaks the good pack so that exactly this is found.
const BROKEN: &[(&str, &str)] = &[
    (
        "declared-volatility",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\nvolatility = \"static\"\n+++\nYou work in {{CWD}}.",
    ),
    (
        "bad-condition",
        "-- variants/v/variant.toml\nschema = 1\ndescription = \"d\"\nextends = \"generic\"\nwhen = { any = [{ flag = \"audit\" }, { is = \"small\", window = \"few\" }] }",
    ),
    (
        "bad-name",
        "-- templates/tools/read.toml\nschema = 1\nid = \"read\"\nname = \"read file\"\ndescription = \"d\"",
    ),
    (
        "bad-template",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\n+++\nYou work in {{CWD.\n",
    ),
    (
        "bad-toml",
        "-- templates/tools/read.toml\nschema = 1\nid = \"read\"\ndescription = \"Reads a file.\n",
    ),
    (
        "bad-value",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\npriority = 101\n+++\n{{CWD}}\n",
    ),
    (
        "closing-tag",
        "-- templates/tools/read.toml\nschema = 1\nid = \"read\"\ndescription = \"d\"\n[[params]]\nname = \"path\"\nusage = \"a</path>\"",
    ),
    (
        "condition-cycle",
        "-- variants/pack.toml\nschema = 1\nname = \"good\"\nvariants = [\"v\", \"generic\"]\nflags = [\"audit\"]\nplaceholders = { TONE = \"brief\" }\n[conditions]\nsmall = { is = \"tiny\" }\ntiny = { not = { is = \"small\" } }",
    ),
    (
        "duplicate-id",
        "-- templates/tools/read_again.toml\nschema = 1\nid = \"read\"\ndescription = \"Reads a file.\"",
    ),
    (
        "extends-cycle",
        "-- variants/generic/variant.toml\nschema = 1\ndescription = \"d\"\nextends = \"v\"\ncomponents = [\"A_SECTION\", \"B_SECTION\"]\ntools = [\"read\"]",
    ),
    (
        "forward-reference",
        "-- templates/components/a.md\n+++\nid = \"A_SECTION\"\n+++\n{{> tone}} {{B_SECTION}}\n",
    ),
    ("front-matter", "-- templates/components/b.md\nid = \"B_SECTION\"\nYou work in {{CWD}}.\n"),
    (
        "heading-underline",
        "-- variants/generic/template.md\n{{A_SECTION}}\n====\n\n{{B_SECTION}}\n",
    ),
    (
        "illegal-key",
        "-- templates/tools/read.toml\nschema = 1\nid = \"read\"\ndescription = \"d\"\nwhen = { tool = \"read\" }",
    ),
    ("invisible-character", "-- templates/partials/tone.md\nBe\u{E0041}\u{E0042} {{TONE}}.\n"),
    (
        "listed-twice",
        "-- variants/generic/variant.toml\nschema = 1\ndescription = \"d\"\ncomponents = [\"A_SECTION\", \"B_SECTION\"]\ntools = [\"read\", \"read\"]",
    ),
    (
        "missing-description",
        "-- templates/tools/read.toml\nschema = 1\nid = \"read\"\ndescription = \"Reads.\"\n[[params]]\nname = \"path\"\nrequired = true",
    ),
    (
        "missing-file",
        "-- variants/generic/variant.toml\nschema = 1\ndescription = \"d\"\ncomponents = [\"A_SECTION\", \"B_SECTION\"]\ntools = [\"read\"]\n[component.A_SECTION]\ntemplate = \"short.md\"",
    ),
    ("missing-key", "-- templates/tools/read.toml\nid = \"read\"\ndescription = \"Reads a file.\""),
    ("partial-cycle", "-- templates/partials/tone.md\nBe {{TONE}}. {{> tone}}\n"),
    ("section-mismatch", "-- variants/generic/template.md\n{{A_SECTION}}\n"),
    ("stray-file", "-- templates/component/c.md\nHello.\n"),
    (
        "unknown-component",
        "-- variants/v/variant.toml\nschema = 1\ndescription = \"d\"\nextends = \"generic\"\ncomponents = [\"A_SECTION\", \"B_SECTIO\"]\nwhen = { any = [{ flag = \"audit\" }, { is = \"small\" }] }",
    ),
    (
        "unknown-condition",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\nwhen = { is = \"smal\" }\n+++\n{{CWD}}\n",
    ),
    (
        "unknown-family",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\nwhen = { not = { family = [\"Claude\", \"cluade\"], line = \"flash-lite\" } }\n+++\n{{CWD}}\n",
    ),
    (
        "unknown-flag",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\n+++\n{{#if flag.broser}}{{CWD}}{{/if}}\n",
    ),
    (
        "unknown-key",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\nprioritty = 10\n+++\n{{CWD}}\n",
    ),
    (
        "unknown-helper",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\n+++\n{{uper CWD}}\n",
    ),
    ("unknown-partial", "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\n+++\n{{> ton}}\n"),
    (
        "unknown-placeholder",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\n+++\nYou work in {{CDW}}.\n",
    ),
    (
        "unknown-tool",
        "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\n+++\n{{#if tool.raed}}{{CWD}}{{/if}}\n",
    ),
    (
        "unknown-variant",
        "-- variants/pack.toml\nschema = 1\nname = \"good\"\nvariants = [\"v\", \"w\", \"generic\"]\nflags = [\"audit\"]\nplaceholders = { TONE = \"brief\" }\nconditions = { small = { window = \"<=8192\" } }",
    ),
    (
        "unlisted-override",
        "-- variants/generic/variant.toml\nschema = 1\ndescription = \"d\"\ncomponents = [\"A_SECTION\", \"B_SECTION\"]\ntools = [\"read\"]\n[component.C_SECTION]\nenabled = false",
    ),
    (
        "unlisted-variant",
        "-- variants/w/variant.toml\nschema = 1\ndescription = \"d\"\nextends = \"generic\"\nwhen = { mode = \"plan\" }",
    ),
    (
        "unreachable-variant",
        "-- variants/pack.toml\nschema = 1\nname = \"good\"\nvariants = [\"v\", \"w\", \"generic\"]\nflags = [\"audit\"]\nplaceholders = { TONE = \"brief\" }\nconditions = { small = { window = \"<=8192\" } }\n-- variants/w/variant.toml\nschema = 1\ndescription = \"d\"\nextends = \"v\"",
    ),
    ("unused-component", "-- templates/components/c.md\n+++\nid = \"C_SECTION\"\n+++\nHello.\n"),
    (
        "unused-condition",
        "-- variants/v/variant.toml\nschema = 1\ndescription = \"d\"\nextends = \"generic\"\nwhen = { flag = \"audit\" }",
    ),
    (
        "unused-flag",
        "-- variants/v/variant.toml\nschema = 1\ndescription = \"d\"\nextends = \"generic\"\nwhen = { is = \"small\" }",
    ),
    ("unused-partial", "-- templates/partials/other.md\nHello.\n"),
    ("unused-placeholder", "-- templates/partials/tone.md\nBe brief.\n"),
    (
        "unused-tool",
        "-- templates/tools/write.toml\nschema = 1\nid = \"write\"\ndescription = \"Writes a file.\"",
    ),
    (
        "wrong-id",
        "-- variants/generic/variant.toml\nschema = 1\ndescription = \"d\"\ncomponents = [\"A_SECTION\", \"B_SECTION\"]\ntools = [\"read\"]\n[component.A_SECTION]\ntemplate = \"short.md\"\n-- variants/generic/short.md\n+++\nid = \"B_SECTION\"\n+++\nHello.\n",
    ),
];

fn broken(archive: &str) -> Folder {
    let folder = Folder::new(GOOD);
    folder.lay_over(archive);
    folder
}

fn findings(folder: &Folder) -> Vec<Finding> {
    check_dir(folder.path(), PromptRegistry::builder())
}

/// As a person sees it, without the line.
fn shown(folder: &Folder, findings: &[Finding]) -> String {
    let root = folder.path().to_str().unwrap();
    let mut text = String::new();
    for f in findings {
        let severity = if f.severity == Severity::Error { "error" } else { "warning" };
        let Finding { code, message, file, line, column, length, .. } = f;
        text += &format!("{file}:{line}:{column}+{length}: {severity}[{code}]: {message}\n");
        if let Some(help) = &f.help {
            text += &format!("    help: {help}\n");
        }
    }
    text.replace(root, "PACK")
}

#[test]
fn a_good_pack_has_nothing_to_be_said() {
    let folder = Folder::new(GOOD);
    assert_eq!(shown(&folder, &findings(&folder)), "");
}

#[test]
fn the_built_in_pack_has_nothing_to_be_said() {
    assert_eq!(check_dir(env!("CARGO_MANIFEST_DIR"), PromptRegistry::builder()), []);
}

#[test]
fn each_mistake_has_its_code_and_no_other() {
    let mut golden = String::new();
    let mut wrong = Vec::new();
    for (code, archive) in BROKEN {
        let folder = broken(archive);
        let found = findings(&folder);
        let reported = shown(&folder, &found);
        if found.len() != 1 || found[0].code != *code {
            wrong.push(format!("# {code}\n{reported}"));
        }
        golden += &format!("{reported}\n");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!("check-findings", golden);
}

#[test]
fn mistakes_that_no_text_can_hold() {
    let bytes = Folder::new(GOOD);
    bytes.put("templates/partials/tone.md", [b'B', 0xE9]);
    let large = Folder::new(GOOD);
    large.put("templates/partials/tone.md", vec![b'a'; (4 << 20) + 1]);
    let gone = check_dir("/there/is/no/such/folder", PromptRegistry::builder());
    for (found, code) in
        [(findings(&bytes), "not-utf8"), (findings(&large), "too-large"), (gone, "unreadable")]
    {
        assert_eq!(found.iter().map(|f| f.code.as_str()).collect::<Vec<_>>(), [code]);
    }
}

#[test]
fn every_code_is_met_and_has_a_page() {
    let mut met: BTreeSet<&str> = BROKEN.iter().map(|(code, _)| *code).collect();
    met.extend(["not-utf8", "too-large", "unreadable"]);
    // Of overlays, which have tests of their own.
    met.extend(["empty-text", "overlay-drift", "required-section"]);
    // What prompts are judged by: tests/lints.rs and tests/gate.rs meet these.
    met.extend(["heading-twice", "large-section", "over-budget", "parameter-number"]);
    met.extend(["tool-not-enabled", "xml-with-native", "over-tokens", "grew", "no-golden"]);
    met.extend(["cache-order"]);
    assert_eq!(met, codes().collect());
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/codes");
    let pages: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(pages, codes().map(|code| format!("{code}.md")).collect());
    for code in codes() {
        let page = explain(code).unwrap();
        assert!(page.starts_with(&format!("# {code}: ")), "{page}");
        assert!(page.contains("\n```") && page.contains("\nTo fix it: "), "{page}");
    }
    assert_eq!(explain("no-such-code"), None);
}

#[test]
fn a_declared_volatility_is_compared_with_what_is_asked_for() {
    let found = |lints: &str, declared: &str, text: &str| {
        let folder = broken(&format!(
            "-- templates/components/b.md\n+++\nid = \"B_SECTION\"\nvolatility = \"{declared}\"\n+++\n{text}\n"
        ));
        let manifest = GOOD.split("-- variants/v/").next().unwrap();
        folder.lay_over(&format!("{manifest}[lints]\n{lints}\n"));
        findings(&folder).iter().map(|found| found.code.clone()).collect::<Vec<_>>()
    };
    let reported = ["declared-volatility"];
    assert_eq!(found("", "static", "{{CWD}}"), reported);
    assert_eq!(found("", "conversation", "{{MODE}}"), reported);
    assert_eq!(
        found("", "static", "{{#unless is.small}}a{{/unless}}{{#if mode.plan}}b{{/if}}"),
        reported
    );
    assert_eq!(found("", "conversation", "{{CWD}}"), [""; 0]);
    assert_eq!(found("", "turn", "Nothing."), [""; 0]);
    assert_eq!(found("", "static", "{{A_SECTION}}"), [""; 0]);
    assert_eq!(found("declared-volatility = \"allow\"", "static", "{{CWD}}"), [""; 0]);
}

#[test]
fn one_run_finds_all_of_them() {
    let folder = broken(
        r#"
-- variants/pack.toml
schema = 1
nmae = "x"
name = "good"
varants = []
variants = ["v", "generic"]
flags = ["audit"]
placeholders = { TONE = "brief" }
conditions = { small = { window = "<=8192" } }
-- templates/components/b.md
+++
id = "B_SECTION"
+++
{{CDW}} {{> nobody}}
-- templates/tools/read.toml
schema = 1
id = "read"
-- templates/components/c.md
No front matter.
-- variants/generic/variant.toml
schema = 1
components = ["A_SECTION", "B_SECTION", "D_SECTION"]
tools = ["read", "wrte"]
"#,
    );
    insta::assert_snapshot!("check-all-at-once", shown(&folder, &findings(&folder)));
}

/// What is reported of a file: line, column, code.
fn reported(path: &str, text: &str) -> Vec<String> {
    let folder = broken("");
    folder.put(path, text);
    let all = findings(&folder);
    let of_it = all.iter().filter(|f| f.file.ends_with(path));
    of_it.map(|f| format!("{}:{} {}", f.line, f.column, f.code)).collect()
}

#[test]
fn values_of_the_wrong_kind_are_all_reported() {
    let tool = "schema = 1\nid = \"read\"\nname = 3\ntool_role = false\ndescription = \"d\"\n\
                when = { flag = 7 }\nid_ = 1\n[[params]]\nname = \"a\"\nrequired = \"yes\"\n\
                [[params]]\nrequired = true\n[[params]]\nname = []\n";
    assert_eq!(
        reported("templates/tools/read.toml", tool),
        [
            "3:8 bad-value",
            "4:13 bad-value",
            "6:17 bad-condition",
            "7:1 unknown-key",
            "10:12 bad-value",
            "11:1 missing-key",
            "14:8 bad-value"
        ]
    );
    let variant = "schema = 1\nversion = \"two\"\ncomponents = [\"A_SECTION\", 3, false]\nlables = 3\n\
                   [component.A_SECTION]\nenabled = 3\n[component.B_SECTION]\norder = false\n\
                   [when]\nwindow = 3\n";
    assert_eq!(
        reported("variants/v/variant.toml", variant),
        [
            "2:11 bad-value",
            "3:28 bad-value",
            "3:31 bad-value",
            "4:1 unknown-key",
            "6:11 bad-value",
            "8:9 bad-value",
            "10:10 bad-condition"
        ]
    );
    // What is missing is reported once, and not when it is there and cannot be read.
    let pack = "name = 3\nvariants = [\"v\", 5, \"generic\"]\n\
                conditions = { one = 3, two = { flag = 4 } }\n";
    assert_eq!(
        reported("variants/pack.toml", pack),
        [
            "1:1 missing-key",
            "1:8 bad-value",
            "2:18 bad-value",
            "3:22 bad-condition",
            "3:40 bad-condition"
        ]
    );
    let component = "+++\nid = 5\nwhen = []\npriority = 700\nrequired = 1\n+++\ntext\n";
    assert_eq!(
        reported("templates/components/b.md", component),
        ["2:6 bad-value", "3:8 bad-condition", "4:12 bad-value", "5:12 bad-value"]
    );
}

#[test]
fn a_pack_is_checked_over_what_lies_beneath() {
    let over = Folder::new(
        r#"
-- variants/pack.toml
schema = 1
name = "over"
variants = ["v"]
-- variants/v/variant.toml
schema = 1
description = "d"
extends = "generic"
components = ["AGENT_ROLE_SECTION", "RULES_SECTION"]
tools = ["read_file", "apply_patch"]
"#,
    );
    let base = PromptRegistry::builder().pack(Pack::builtin());
    assert_eq!(check_dir(over.path(), base), []);
    let alone: BTreeSet<String> = findings(&over).into_iter().map(|f| f.code).collect();
    let expected = ["unknown-component", "unknown-tool", "unknown-variant"];
    assert_eq!(alone, expected.into_iter().map(str::to_owned).collect());
}

#[test]
fn what_a_file_that_cannot_be_read_might_use_is_not_called_unused() {
    let folder = broken("-- templates/components/a.md\n+++\nid = \"A_SECTION\"\n+++\n{{> tone");
    assert_eq!(findings(&folder).len(), 1, "{}", shown(&folder, &findings(&folder)));
}

/// Text that is nearly a file of a pack.
fn scraps() -> impl Strategy<Value = String> {
    const SCRAPS: [&str; 30] = [
        "+++\n",
        "id = \"A_SECTION\"\n",
        "id = \"",
        "schema = 1\n",
        "name = \"x\"\n",
        "[[params]]\n",
        "[conditions]\n",
        "when = { is = \"small\" }\n",
        "when = [",
        "small = { is = \"small\" }\n",
        "components = [\"A_SECTION\", \"Z\"]\n",
        "extends = \"v\"\n",
        "tools = [\"read\"]\n",
        "{{",
        "}}",
        "{{> tone}}",
        "{{#if flag.x}}",
        "{{/if}}",
        "{{#each A}}",
        "{{/each}}",
        "{{A_SECTION}}",
        "\n====\n",
        "\u{E0041}",
        "\u{FEFF}",
        "\u{200B}é",
        "\r\n",
        "\0",
        " = ",
        "\"\n",
        "variants = [\"v\"]\n",
    ];
    prop::collection::vec(prop::sample::select(SCRAPS.to_vec()), 0..12)
        .prop_map(|scraps| scraps.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn whatever_files_hold_findings_have_a_place_in_them(file in 0..6_usize, text in scraps()) {
        let folder = Folder::new(GOOD);
        let path = [
            "variants/pack.toml",
            "variants/v/variant.toml",
            "variants/generic/template.md",
            "templates/components/a.md",
            "templates/partials/tone.md",
            "templates/tools/read.toml",
        ][file];
        folder.put(path, &text);
        let found = findings(&folder);
        for f in &found {
            prop_assert!(explain(&f.code).is_some(), "{:?} of {:?}", f, text);
            prop_assert!(f.line >= 1 && f.column >= 1 && f.length >= 1, "{:?}", f);
            let text = std::fs::read_to_string(&f.file).unwrap_or_default();
            prop_assert!(f.line <= text.matches('\n').count() + 1, "{:?} of {:?}", f, text);
        }
        // What loads and builds has no errors, and the reverse.
        let builds = folder
            .load()
            .and_then(|pack| PromptRegistry::builder().pack(pack).build())
            .is_ok();
        let stops = |f: &Finding| {
            f.severity == Severity::Error
                && !["unknown-component", "unknown-tool", "unknown-condition"].contains(&&*f.code)
        };
        if found.iter().any(stops) {
            prop_assert!(!builds, "{:?}", found);
        }
        if !builds {
            prop_assert!(found.iter().any(|f| f.severity == Severity::Error), "{:?}", text);
        }
    }
}
