//! Mistakes in component files and in partials.

use insta::assert_snapshot;

use crate::pack::Folder;

/// The small pack with another text for its component.
fn component(text: &str) -> String {
    let folder = Folder::over_small("");
    folder.put("templates/components/a.md", text);
    folder.refusal()
}

#[test]
fn no_front_matter() {
    assert_snapshot!(component("All is well.\n"), @r#"
    Pack: PACK/templates/components/a.md:1:1: a component file begins with TOML between two `+++` lines
      |
    1 | All is well.
      | ^
    help: write `+++`, `id = "MY_SECTION"`, `+++`, then the text
    "#);
}

#[test]
fn front_matter_that_does_not_end() {
    assert_snapshot!(component("+++\nid = \"A_SECTION\"\n\nAll is well.\n"), @r#"
    Pack: PACK/templates/components/a.md:1:1: a component file begins with TOML between two `+++` lines
      |
    1 | +++
      | ^
    help: write `+++`, `id = "MY_SECTION"`, `+++`, then the text
    "#);
}

#[test]
fn front_matter_that_is_not_toml() {
    assert_snapshot!(component("+++\nid: A_SECTION\n+++\nAll is well.\n"), @r"
    Pack: PACK/templates/components/a.md:2:5: key with no value, expected `=`
      |
    2 | id: A_SECTION
      |     ^
    ");
}

#[test]
fn front_matter_with_a_key_that_is_unknown() {
    assert_snapshot!(
        component("+++\nid = \"A_SECTION\"\nvolatile = \"turn\"\n+++\nAll is well.\n"), @r#"
    Pack: PACK/templates/components/a.md:3:1: unknown key `volatile`, expected one of `id`, `when`, `volatility`, `priority`, `required`, `pinned`, `shrink`, `min`, `keep_with`
      |
    3 | volatile = "turn"
      | ^
    help: did you mean `volatility`?
    "#);
}

#[test]
fn front_matter_without_an_id() {
    assert_snapshot!(component("+++\nrequired = true\n+++\nAll is well.\n"), @r"
    Pack: PACK/templates/components/a.md:2:1: the key `id` is missing
      |
    2 | required = true
      | ^
    help: write `id = …`
    ");
}

#[test]
fn an_id_that_cannot_be_a_placeholder() {
    assert_snapshot!(component("+++\npriority = 1 # A SECTION of mine\nid = \"A SECTION\"\n+++\nAll is well.\n"), @r#"
    Pack: PACK/templates/components/a.md:3:1: `A SECTION` cannot be the id of a component
      |
    3 | id = "A SECTION"
      | ^
    help: an id is a placeholder name without dots, as `RULES_SECTION`
    "#);
}

#[test]
fn an_empty_id() {
    assert_snapshot!(component("+++\nid = \"\"\n+++\nAll is well.\n"), @r#"
    Pack: PACK/templates/components/a.md:2:1: `` cannot be the id of a component
      |
    2 | id = ""
      | ^
    help: an id is a placeholder name without dots, as `RULES_SECTION`
    "#);
}

#[test]
fn a_priority_over_100() {
    assert_snapshot!(
        component("+++\n# its priority is high\nid = \"A_SECTION\"\npriority = 101\n+++\nAll is well.\n"), @r"
    Pack: PACK/templates/components/a.md:4:12: 101 is not a priority, which is a number from 0 (goes first) to 100
      |
    4 | priority = 101
      |            ^
    ");
}

#[test]
fn a_priority_that_no_byte_holds() {
    assert_snapshot!(component("+++\nid = \"A_SECTION\"\npriority = 1000\n+++\nAll is well.\n"), @r"
    Pack: PACK/templates/components/a.md:3:12: 1000 is not a priority, which is a number from 0 (goes first) to 100
      |
    3 | priority = 1000
      |            ^
    ");
}

#[test]
fn a_volatility_that_is_not_known() {
    assert_snapshot!(
        component("+++\nid = \"A_SECTION\"\nvolatility = \"turns\"\n+++\nAll is well.\n"), @r#"
    Pack: PACK/templates/components/a.md:3:14: unknown value `turns`, expected one of `static`, `conversation`, `turn`
      |
    3 | volatility = "turns"
      |              ^
    help: did you mean `turn`?
    "#);
}

#[test]
fn a_template_mistake_is_shown_where_it_is_in_the_file() {
    assert_snapshot!(
        component("+++\nid = \"A_SECTION\"\n+++\nAll is well.\n\nÄ {{#if flag.x}} and on\n"), @r"
    Template: PACK/templates/components/a.md:6:3: {{#if …}} is not closed
      |
    6 | Ä {{#if flag.x}} and on
      |   ^
    help: close it with {{/if}}
    ");
}

#[test]
fn an_unclosed_placeholder() {
    assert_snapshot!(component("+++\nid = \"A_SECTION\"\n+++\nIt is {{NAME here.\n"), @r"
    Template: PACK/templates/components/a.md:4:7: a tag that is not closed
      |
    4 | It is {{NAME here.
      |       ^
    help: close it with }}; literal braces are written {{{{raw}}}}{{ … }}{{{{/raw}}}}
    ");
}

#[test]
fn a_name_that_no_placeholder_has() {
    assert_snapshot!(component("+++\nid = \"A_SECTION\"\n+++\nIt is {{NAME!}} here.\n"), @r"
    Template: PACK/templates/components/a.md:4:13: `NAME!` is not a name: `!` is not allowed in a name
      |
    4 | It is {{NAME!}} here.
      |             ^
    help: a name is letters, digits, `_` and `-`, in parts joined by dots
    ");
}

#[test]
fn a_helper_that_is_not_known() {
    assert_snapshot!(component("+++\nid = \"A_SECTION\"\n+++\n{{upper NAME}}\n"), @r"
    Template: PACK/templates/components/a.md:4:3: unknown helper `upper`
      |
    4 | {{upper NAME}}
      |   ^
    help: the helpers are eq, ne, gt, gte, lt, lte, and, or, not, len, lookup, json; a host registers its own with `PromptRegistryBuilder::helper`; the name of a placeholder has no blanks in it
    ");
}

#[test]
fn a_partial_that_is_not_there() {
    let folder = Folder::over_small(
        r#"
-- templates/partials/limits.md
No more than three.
-- templates/components/a.md
+++
id = "A_SECTION"
+++
{{> limit}}
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Template: PACK/templates/components/a.md:4:1: unknown partial `limit`
      |
    4 | {{> limit}}
      | ^
    help: did you mean {{> limits}}?
    ");
}

#[test]
fn a_mistake_in_a_partial() {
    let folder = Folder::over_small(
        r#"
-- templates/partials/limits.md
No more than {{}}.
-- templates/components/a.md
+++
id = "A_SECTION"
+++
{{> limits}}
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Template: PACK/templates/partials/limits.md:1:14: empty braces
      |
    1 | No more than {{}}.
      |              ^
    help: a placeholder is written {{NAME}}; literal braces are written in {{{{raw}}}} … {{{{/raw}}}}
    ");
}

#[test]
fn partials_that_go_in_a_circle() {
    let folder = Folder::over_small(
        r#"
-- templates/partials/one.md
{{> two}}
-- templates/partials/two.md
{{> one}}
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Template: PACK/templates/partials/two.md:1:1: partial cycle: one -> two -> one
      |
    1 | {{> one}}
      | ^
    help: a partial cannot print itself, not through others either
    ");
}

#[test]
fn two_files_with_one_id() {
    let folder = Folder::over_small(
        r#"
-- templates/components/b.md
+++
id = "A_SECTION"
+++
All is not well.
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/templates/components/b.md:2:7: the component `A_SECTION` is there twice
      |
    2 | id = "A_SECTION"
      |       ^
    help: the other one is in PACK/templates/components/a.md
    "#);
}

#[test]
fn two_files_of_a_variant_with_one_id() {
    let folder = Folder::over_small(
        r#"
-- variants/v/components/b.md
+++
id = "A_SECTION"
+++
One.
-- variants/v/components/c.md
+++
id = "A_SECTION"
+++
Two.
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/v/components/c.md:2:7: the component `A_SECTION` is there twice
      |
    2 | id = "A_SECTION"
      |       ^
    help: the other one is in PACK/variants/v/components/b.md
    "#);
}

#[test]
fn a_section_that_is_printed_before_it_is_built() {
    let folder = Folder::over_small(
        r#"
-- variants/v/variant.toml
schema = 1
components = ["A_SECTION", "B_SECTION"]
-- templates/components/a.md
+++
id = "A_SECTION"
+++
See below: {{B_SECTION}}
-- templates/components/b.md
+++
id = "B_SECTION"
+++
Below.
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK/templates/components/a.md:4:14: `A_SECTION` prints `B_SECTION`, which the variant `v` builds after it
      |
    4 | See below: {{B_SECTION}}
      |              ^
    help: list `B_SECTION` before `A_SECTION`: a section sees what was built before it
    ");
}

#[test]
fn a_section_that_prints_itself() {
    assert_snapshot!(component("+++\nid = \"A_SECTION\"\n+++\nAgain: {{A_SECTION}}\n"), @r#"
    Pack: PACK/templates/components/a.md:2:7: `A_SECTION` prints itself
      |
    2 | id = "A_SECTION"
      |       ^
    help: take `{{A_SECTION}}` out of its text
    "#);
}
