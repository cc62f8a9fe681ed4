//! `promptline diff`: two contexts, two variants, two packs.

use serde_json::Value;
use tempfile::TempDir;

use crate::{project_with_pack, run};

fn project() -> TempDir {
    let old = crate::pack("Work in {{CWD}}, slowly.\n")
        .map(|(path, text)| (path.replacen("pack", "old", 1), text));
    let old: Vec<(&str, &str)> =
        old.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let contexts = [("a.json", r#"{"cwd": "/a"}"#), ("b.json", r#"{"cwd": "/b"}"#)];
    project_with_pack("Work in {{CWD}}.\n", &[&contexts[..], &old].concat())
}

#[test]
fn contexts_variants_and_packs() {
    let project = project();
    let said = |args: &str| run(project.path(), &args.split(' ').collect::<Vec<_>>()).quiet();
    insta::assert_snapshot!(said("diff --pack pack --context a.json --context b.json"), @"
the first difference is at byte 9, in _template
stays cached: 9 of 11 bytes, about 3 of 3 tokens (82 %)

_template: changed, 11 to 11 bytes
@@ -1 +1 @@
-Work in /a.
+Work in /b.
");
    insta::assert_snapshot!(said("diff --pack pack --against old --context a.json"), @"
the first difference is at byte 10, in _template
stays cached: 10 of 11 bytes, about 3 of 3 tokens (91 %)

_template: changed, 19 to 11 bytes
@@ -1 +1 @@
-Work in /a, slowly.
+Work in /a.
");
    let variants = said("diff --variant generic --variant next-gen --context a.json");
    assert!(variants.contains("variant generic@1 became next-gen@1\n"), "{variants}");
    assert!(variants.contains("\nRULES_SECTION: changed, "), "{variants}");
    // The built-in prompts are the other side of a pack that is compared with nothing.
    assert!(said("diff --against old --model gpt-5").contains("became gpt-5@1\n"));
}

#[test]
fn check_fails_only_when_they_differ() {
    let project = project();
    let code = |args: &str| run(project.path(), &args.split(' ').collect::<Vec<_>>()).code;
    assert_eq!(code("diff --check --pack pack --context a.json --context b.json"), Some(1));
    assert_eq!(code("diff --check --pack pack --context a.json --context a.json"), Some(0));
    assert_eq!(code("diff --pack pack --context a.json --context b.json"), Some(0));
}

#[test]
fn json_has_the_first_byte_and_the_sections() {
    let project = project();
    let args = ["diff", "--json", "--pack", "pack", "--context", "a.json", "--context", "b.json"];
    let diff: Value = serde_json::from_str(&run(project.path(), &args).quiet()).unwrap();
    assert_eq!(diff["first"]["byte"], 9);
    assert_eq!(diff["kept"]["bytes"], 9);
    assert_eq!(diff["kept"]["of_bytes"], 11);
    assert_eq!(diff["sections"][0]["change"], "changed");
}

#[test]
fn one_side_is_a_mistake() {
    let project = project();
    let said = |args: &str| run(project.path(), &args.split(' ').collect::<Vec<_>>()).mistake();
    insta::assert_snapshot!(said("diff --context a.json"), @"
error: both sides are the same
help: give two of --context FILE or of --variant ID, an --overlay DIR, or the pack to compare with as --against DIR
");
    insta::assert_snapshot!(said("diff --variant xs --variant xs --variant xs"), @"error: there are two sides: give a flag at most twice");
}

#[test]
fn stdin_is_read_once() {
    let said = run(project().path(), &["diff", "--context", "-", "--context", "-"]).mistake();
    assert!(said.contains("stdin can be read once"), "{said}");
}
