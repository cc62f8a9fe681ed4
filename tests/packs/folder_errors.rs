//! Mistakes in the folder itself and in `pack.toml`.

use insta::assert_snapshot;
use promptline::Pack;

use crate::pack::{Folder, SMALL};

#[test]
fn there_is_no_folder() {
    let folder = Folder::new("");
    let error = Pack::from_dir(folder.path().join("prompts")).expect_err("nothing is there");
    assert_snapshot!(folder.shown(&error), @r"
    Io: there is no folder `PACK/prompts`
    help: name the folder that holds `templates/` and `variants/`
    ");
}

#[test]
fn the_folder_is_a_file() {
    let folder = Folder::new("-- prompts\n");
    let error = Pack::from_dir(folder.path().join("prompts")).expect_err("a file is no folder");
    assert_snapshot!(folder.shown(&error), @r"
    Io: there is no folder `PACK/prompts`
    help: name the folder that holds `templates/` and `variants/`
    ");
}

#[test]
fn an_empty_folder() {
    assert_snapshot!(Folder::new("").refusal(), @r"
    Pack: PACK/variants/pack.toml: the pack has no `variants/pack.toml`
    help: a pack's root holds `templates/` and `variants/`; write `schema = 1`, `name`, `variants`
    ");
}

#[test]
fn a_file_that_is_not_utf_8() {
    let folder = Folder::new(SMALL);
    folder.put("templates/components/b.md", b"+++\nid = \"B\"\n+++\ncaf\xe9\n");
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK/templates/components/b.md: the file is not UTF-8 at byte 20
    help: save it as UTF-8
    ");
}

#[test]
fn a_file_over_the_limit() {
    let folder = Folder::new(SMALL);
    folder.put("templates/components/b.md", vec![b'x'; (4 << 20) + 1]);
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK/templates/components/b.md: the file has 4194305 bytes; a file of a pack has at most 4194304
    help: what is that large is data: give it to the build as a placeholder of the request
    ");
}

#[test]
fn more_files_than_a_pack_may_have() {
    let folder = Folder::new(SMALL);
    for number in 0..10_000 {
        folder.put(&format!("templates/partials/p{number}.md"), "");
    }
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK: a pack has at most 10000 files
    help: everything under `templates/` and `variants/` counts: move what is no part of the pack elsewhere
    ");
}

#[test]
fn pack_toml_is_not_toml() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 1
name = small
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK/variants/pack.toml:2:8: string values must be quoted, expected literal string
      |
    2 | name = small
      |        ^
    ");
}

#[test]
fn pack_toml_has_a_key_that_is_unknown() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 1
name = "small"
variant = ["v"]
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
Pack: PACK/variants/pack.toml:3:1: unknown key `variant`, expected one of `schema`, `name`, `description`, `variants`, `sections`, `flags`, `offers`, `placeholders`, `conditions`, `lints`, `truncation_notice`
  |
3 | variant = ["v"]
  | ^
help: did you mean `variants`?
"#);
}

#[test]
fn pack_toml_has_no_schema() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
name = "small"
variants = ["v"]
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/pack.toml:1:1: the key `schema` is missing
      |
    1 | name = "small"
      | ^
    help: write `schema = 1` first
    "#);
}

#[test]
fn pack_toml_is_of_a_later_schema() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 2
name = "small"
variants = ["v"]
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK/variants/pack.toml:1:10: schema 2 is not known; this version reads schema 1
      |
    1 | schema = 2
      |          ^
    ");
}

#[test]
fn pack_toml_has_no_name() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 1
variants = ["v"]
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK/variants/pack.toml:1:1: the key `name` is missing
      |
    1 | schema = 1
      | ^
    help: write `name = …`
    ");
}

#[test]
fn pack_toml_has_a_value_of_another_type() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 1
name = "small"
variants = "v"
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/pack.toml:3:12: invalid type: string "v", expected a list
      |
    3 | variants = "v"
      |            ^
    "#);
}

#[test]
fn a_variant_that_is_listed_twice() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 1
name = "v"
variants = ["v", "v"]
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/pack.toml:3:18: `v` is in `variants` twice
      |
    3 | variants = ["v", "v"]
      |                  ^
    help: take one of the two out
    "#);
}

#[test]
fn a_variant_that_is_listed_under_a_mistyped_name() {
    let folder = Folder::new(
        r#"
-- variants/pack.toml
schema = 1
name = "tidyy"
variants = ["tidyy"]
-- variants/tidy/variant.toml
schema = 1
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/pack.toml:3:13: there is no variant `tidyy`
      |
    3 | variants = ["tidyy"]
      |             ^
    help: did you mean `tidy`?
    "#);
}

#[test]
fn a_variant_that_is_listed_and_has_no_folder() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 1
name = "small"
# sharp comes first
variants = ["sharp", "v"]
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/pack.toml:4:13: there is no variant `sharp`
      |
    4 | variants = ["sharp", "v"]
      |             ^
    help: add `variants/sharp/variant.toml`
    "#);
}

#[test]
fn a_variant_that_is_not_listed() {
    let folder = Folder::over_small(
        r#"
-- variants/sharp/variant.toml
schema = 1
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/pack.toml:3:1: the variant `sharp` is not in `variants`, so it could never be chosen
      |
    3 | variants = ["v"]
      | ^
    help: list it in the order in which variants are to be matched
    "#);
}

#[test]
fn a_variant_folder_without_variant_toml() {
    let folder = Folder::over_small(
        r#"
-- variants/sharp/template.md
{{A_SECTION}}
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK/variants/sharp: the variant `sharp` has no variant.toml
    help: write one: `schema = 1`, and `components` or `extends`
    ");
}

/// The message of a file that has no place: the same for all of them.
fn stray(path: &str) -> String {
    let folder = Folder::new(SMALL);
    folder.put(path, "");
    let reported = folder.refusal();
    let (shown, rest) = reported
        .strip_prefix("Pack: PACK/")
        .and_then(|rest| rest.split_once(": "))
        .expect("a file and a message");
    assert_eq!(shown, path);
    rest.to_owned()
}

#[test]
fn a_file_that_has_no_place() {
    assert_snapshot!(stray("templates/notes.md"), @r"
    this file has no place in a pack
    help: components are templates/components/*.md, partials templates/partials/*.md, tools templates/tools/*.toml; a variant's folder holds variant.toml, template.md, components/*.md, tools/*.toml
    ");
}

#[test]
fn other_files_that_have_no_place() {
    let reported = stray("templates/notes.md");
    for path in [
        "templates/components/a.txt",
        "templates/components/deep/b.md",
        "templates/partials/p.txt",
        "templates/partials/deep/p.md",
        "templates/tools/read.md",
        "templates/tool/read.toml",
        "variants/extra.toml",
        "variants/v/base.md",
        "variants/v/variant.toml.bak",
        "variants/v/components/deep/a.md",
        "variants/v/tools/read.json",
        "variants/v/partials/p.md",
    ] {
        assert_eq!(stray(path), reported, "{path}");
    }
}
