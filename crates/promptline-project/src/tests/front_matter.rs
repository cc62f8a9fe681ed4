//! Front matter, as a table: text, what is left of it, and what is said.

use super::write;
use crate::front_matter::part;
use crate::*;

/// A rule in a `.mdc` file: its text in the context, and everything that is said about it.
fn mdc(text: impl AsRef<[u8]>) -> (Option<String>, String) {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), ".cursor/rules/a.mdc", text);
    let detected = Project::read(root.path()).unwrap();
    assert_eq!(detected.seen.len(), 1);
    let text = detected.rules.first().map(|file| file.text.to_string());
    assert_eq!(text.is_some(), detected.seen[0].status == SeenStatus::Used);
    assert_eq!(text.is_none(), detected.seen[0].why.is_some());
    let said: Vec<_> = detected.diagnostics.iter().map(ToString::to_string).collect();
    (text, said.join("\n"))
}

macro_rules! kept {
    ($($name:ident: $text:expr => $body:expr, $said:expr;)*) => {$(
        #[test]
        fn $name() {
            let (text, said) = mdc($text);
            assert_eq!(text.as_deref(), Some($body), "{said}");
            let expected: &str = $said;
            assert!(said.contains(expected), "{said}");
            assert_eq!(said.is_empty(), expected.is_empty(), "{said}");
        }
    )*};
}

macro_rules! left_out {
    ($($name:ident: $text:expr => $said:expr;)*) => {$(
        #[test]
        fn $name() {
            let (text, said) = mdc($text);
            assert_eq!(text, None);
            assert!(said.contains($said), "{said}");
            assert!(said.contains("warning[rules-left-out]: the file is left out: "), "{said}");
        }
    )*};
}

kept! {
    always: "---\nalwaysApply: true\n---\nUse tabs" => "Use tabs", "";
    always_overrules_globs: "---\nglobs: \"*.ts\"\ndescription: d\nalwaysApply: true\n---\nx" => "x", "";
    always_overrules_globs_without_quotes:
        "---\nglobs: *.ts,*.tsx\ndescription: Use when: always\nalwaysApply: true\n---\nx" => "x", "";
    always_as_text: "---\nalwaysApply: \"True\"\n---\nx" => "x", "";
    crlf_and_byte_order_mark:
        "\u{FEFF}---\r\nalwaysApply: true\r\n---\r\nUse\r\ntabs" => "Use\ntabs", "";
    none: "Use tabs" => "Use tabs", "";
    no_keys: "---\n---\nx" => "x", "";
    only_comments: "---\n# later\n---\nx" => "x", "";
    empty_keys: "---\ndescription:\nglobs:\nalwaysApply:\n---\nx" => "x", "";
    blank_values: "---\ndescription: \"\"\nglobs: []\n---\nx" => "x", "";
    every_file_is_always: "---\nglobs: **/*\nalwaysApply: false\n---\nx" => "x", "";
    one_star_is_every_file: "---\nglobs: [\"*\"]\nalwaysApply: false\n---\nx" => "x", "";
    every_file_among_others: "---\nglobs: src/*.ts, ./**\n---\nx" => "x", "";
    trigger_always: "---\ntrigger: always_on\n---\nx" => "x", "";
    unknown_keys: "---\nowner: {team: web}\n1: one\n---\nx" => "x", "";
    further_lines_are_text: "---\nalwaysApply: true\n---\na\n---\nb: c\n---\n" => "a\n---\nb: c\n---\n", "";
    lines_further_down_are_text: "# Title\n\nText\n\n---\nname: x\n---\n"
        => "# Title\n\nText\n\n---\nname: x\n---\n", "";
    thematic_breaks_are_text: "\n---\n\nNote: x\n\n---\n" => "\n---\n\nNote: x\n\n---\n", "";
    one_break_is_text: "---\n\nNote: x\n" => "---\n\nNote: x\n", "";
    prose_between_breaks_stays: "---\nJust words\n---\nx" => "---\nJust words\n---\nx", "has no keys";
    k07_behind_a_blank_line: "\n---\npaths:\n  - \"src/**\"\n---\nUse tabs"
        => "\n---\npaths:\n  - \"src/**\"\n---\nUse tabs", "front matter not at start";
    k07_behind_a_comment: "<!-- c -->\n---\na: b\n---\nx" => "<!-- c -->\n---\na: b\n---\nx",
        "front matter not at start";
    k07_behind_a_title: "# c\n---\na: b\n---\nx" => "# c\n---\na: b\n---\nx",
        "front matter not at start";
    k07_malformed: "---\nglobs: [unclosed\na: \"\n---\nUse tabs" => "Use tabs", "it is not YAML";
    k07_malformed_names_the_line: "---\na: b\nsecret: \"x\" y\n---\nx" => "x", "it is not YAML (line 3)";
    two_documents: "---\na: b\n--- c\n---\nx" => "x", "it is not YAML";
    does_not_end: "---\nalwaysApply: true\nx" => "---\nalwaysApply: true\nx", "does not end";
    no_switch: "---\nalwaysApply: perhaps\n---\nx" => "x", "neither true nor false";
    a_switch_that_is_a_list: "---\nalwaysApply: [true]\n---\nx" => "x", "neither true nor false";
}

left_out! {
    never: "---\nalwaysApply: false\n---\nx" => "`alwaysApply: false`: ";
    first_of_two: "---\nalwaysApply: false\nalwaysApply: true\n---\nx" => "`alwaysApply: false`: ";
    globs: "---\nglobs: \"src/**/*.ts\"\n---\nx" => "it applies only to files matching `src/**/*.ts`";
    globs_as_a_list: "---\nglobs:\n  - \"*.ts\"\n  - src/**\n---\nx" => "matching `*.ts, src/**`";
    globs_as_cursor_writes_them: "---\ndescription: \nglobs: *.ts,*.tsx\nalwaysApply: false\n---\nx"
        => "`alwaysApply: false`: it applies only to files matching `*.ts, *.tsx`";
    globs_in_brackets: "---\nglobs: [*.ts, *.md]\n---\nx" => "matching `*.ts, *.md`";
    globs_as_a_list_without_quotes: "---\nglobs:\n  - *.ts\n---\nx" => "matching `*.ts`";
    globs_in_braces: "---\nglobs: {a,b}/*.ts\n---\nx" => "matching `{a,b}/*.ts`";
    globs_with_commas_in_braces: "---\nglobs: src/**/*.{ts,tsx}, *.md\n---\nx" => "matching `src/**/*.{ts,tsx}, *.md`";
    trigger_by_hand: "---\ntrigger: manual\n---\nx" => "`trigger: manual`: it is a rule that the user requests";
    globs_on_one_line: "---\nglobs: \"a\\n\\e[31mb\"\n---\nx" => "matching `a  [31mb`";
    requested: "---\ndescription: For tests\n---\nx" => "the agent requests by its description";
    requested_with_a_colon: "---\ndescription: Use when: testing\n---\nx" => "by its description";
    not_utf8: [0x2D, 0x2D, 0xFF] => "it is not UTF-8 at byte 2";
}

#[test]
fn words_of_the_yaml_are_in_no_warning() {
    for block in
        ["token: \"sk-test\" sk-test", "? [sk-test\n", "a: *sk-test", "!sk-test [", "sk-test"]
    {
        let text = format!("---\n{block}\n---\nbody");
        let warning = part(&text).warning.unwrap();
        assert!(!warning.contains("sk-test"), "{warning}");
    }
}

#[test]
fn bombs_are_refused_and_the_text_behind_them_is_kept() {
    use std::fmt::Write as _;

    let mut aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..40 {
        let below = format!("*a{}, ", level - 1).repeat(9);
        writeln!(aliases, "a{level}: &a{level} [{below}]").unwrap();
    }
    let long = format!("a: &a {}\nb: [{}]", "x".repeat(30_000), "*a, ".repeat(5_000));
    for block in [
        aliases,
        long,
        "[".repeat(60_000),
        "{a: ".repeat(15_000),
        "- ".repeat(30_000),
        "? ".repeat(30_000),
        "a: b\n".repeat(12_000),
        "x".repeat(100_000),
    ] {
        let text = format!("---\n{block}\n---\nbody");
        let parted = part(&text);
        assert!(parted.body.ends_with("body"));
        assert!(parted.fields.is_empty());
        assert!(parted.warning.is_some(), "{}", block.get(..20).unwrap());
    }
}
