//! Mistakes in `variant.toml`, in `template.md`, and in what they refer to.

use insta::assert_snapshot;

use crate::pack::Folder;

/// The small pack with another `variant.toml`.
fn variant(text: &str) -> String {
    let folder = Folder::over_small("");
    folder.put("variants/v/variant.toml", text);
    folder.refusal()
}

#[test]
fn not_toml() {
    assert_snapshot!(variant("schema = 1\ncomponents = [\"A_SECTION\"\ntools = []\n"), @r"
    Pack: PACK/variants/v/variant.toml:3:1: missing comma between array elements, expected `,`
      |
    3 | tools = []
      | ^
    ");
}

#[test]
fn no_schema() {
    assert_snapshot!(variant("components = [\"A_SECTION\"]\n"), @r#"
    Pack: PACK/variants/v/variant.toml:1:1: the key `schema` is missing
      |
    1 | components = ["A_SECTION"]
      | ^
    help: write `schema = 1` first
    "#);
}

#[test]
fn a_later_schema() {
    assert_snapshot!(variant("schema = 3\n"), @r"
    Pack: PACK/variants/v/variant.toml:1:10: schema 3 is not known; this version reads schema 1
      |
    1 | schema = 3
      |          ^
    ");
}

#[test]
fn a_key_that_is_unknown() {
    assert_snapshot!(variant("schema = 1\nextend = \"generic\"\n"), @r#"
    Pack: PACK/variants/v/variant.toml:2:1: unknown key `extend`, expected one of `schema`, `version`, `description`, `extends`, `when`, `components`, `tools`, `tool_form`, `dialect`, `mcp_form`, `compact`, `truncation_notice`, `traits`, `labels`, `tags`, `placeholders`, `component`, `tool`
      |
    2 | extend = "generic"
      | ^
    help: did you mean `extends`?
    "#);
}

#[test]
fn a_key_of_an_override_that_is_unknown() {
    assert_snapshot!(
        variant("schema = 1\ncomponents = [\"A_SECTION\"]\n[component.A_SECTION]\nenable = false\n"), @r"
    Pack: PACK/variants/v/variant.toml:4:1: unknown key `enable`, expected one of `enabled`, `order`, `template`
      |
    4 | enable = false
      | ^
    help: did you mean `enabled`?
    ");
}

#[test]
fn a_component_listed_twice() {
    // The id is there once more after the list; the place is the second one in it.
    assert_snapshot!(
        variant("schema = 1\ncomponents = [\n  \"A_SECTION\",\n  \"A_SECTION\",\n]\n[component.A_SECTION]\norder = 1\n"), @r#"
    Pack: PACK/variants/v/variant.toml:4:3: `A_SECTION` is in `components` twice
      |
    4 |   "A_SECTION",
      |   ^
    help: take one of the two out
    "#);
}

#[test]
fn a_tool_listed_twice() {
    assert_snapshot!(variant("schema = 1\ntools = [\"read\", \"list\", \"read\"] # read, twice\n"), @r#"
    Pack: PACK/variants/v/variant.toml:2:26: `read` is in `tools` twice
      |
    2 | tools = ["read", "list", "read"] # read, twice
      |                          ^
    help: take one of the two out
    "#);
}

#[test]
fn a_tool_form_that_is_not_known() {
    assert_snapshot!(variant("schema = 1\ntool_form = \"xmll\"\n"), @r#"
    Pack: PACK/variants/v/variant.toml:2:13: unknown value `xmll`, expected one of `xml`, `hermes`, `native`, `either`, `none`
      |
    2 | tool_form = "xmll"
      |             ^
    help: did you mean `xml`?
    "#);
}

#[test]
fn a_matcher_cannot_ask_for_the_variant() {
    assert_snapshot!(
        variant("schema = 1\ndescription = \"when nothing else fits\"\nwhen = { variant = \"v\" }\n"), @r#"
    Condition: PACK/variants/v/variant.toml:3:1: a condition may not use `variant` here: the variant is not chosen yet
      |
    3 | when = { variant = "v" }
      | ^
    help: use what a request says: `family`, `provider`, `window`, `flag`, `has`, …
    "#);
}

#[test]
fn a_matcher_cannot_ask_for_tools() {
    assert_snapshot!(variant("schema = 1\n[when]\nany = [{ flag = \"x\" }, { tool = \"read\" }]\n"), @r"
    Condition: PACK/variants/v/variant.toml:2:2: a condition may not use `tool` here: tools belong to a variant, which is not chosen yet
      |
    2 | [when]
      |  ^
    help: use what a request says: `family`, `provider`, `window`, `flag`, `has`, …
    ");
}

#[test]
fn an_override_of_a_component_that_is_not_listed() {
    assert_snapshot!(
        variant("schema = 1\ncomponents = [\"A_SECTION\"]\n[component.B_SECTION]\nenabled = false\n"), @r"
    Pack: PACK/variants/v/variant.toml:3:12: `[component.B_SECTION]` changes a component that the variant does not list
      |
    3 | [component.B_SECTION]
      |            ^
    help: did you mean `A_SECTION`?
    ");
}

#[test]
fn an_override_of_a_component_under_a_name_far_from_all() {
    assert_snapshot!(
        variant("schema = 1\ncomponents = [\"A_SECTION\"]\n[component.FOOTER]\nenabled = false\n"), @r"
    Pack: PACK/variants/v/variant.toml:3:12: `[component.FOOTER]` changes a component that the variant does not list
      |
    3 | [component.FOOTER]
      |            ^
    help: there are `A_SECTION`
    ");
}

#[test]
fn an_override_of_a_tool_that_is_not_listed() {
    assert_snapshot!(variant("schema = 1\ntools = [\"read\"]\n[tool.raed]\nenabled = false\n"), @r"
    Pack: PACK/variants/v/variant.toml:3:7: `[tool.raed]` changes a tool that the variant does not list
      |
    3 | [tool.raed]
      |       ^
    help: did you mean `read`?
    ");
}

#[test]
fn an_override_names_a_file_that_is_not_there() {
    assert_snapshot!(
        variant("schema = 1\ncomponents = [\"A_SECTION\"]\n[component.A_SECTION]\ntemplate = \"short.md\"\n"), @r#"
    Pack: PACK/variants/v/variant.toml:4:1: `[component.A_SECTION]` names the file `short.md`, which is not there
      |
    4 | template = "short.md"
      | ^
    help: add it, as PACK/variants/v/short.md
    "#);
}

#[test]
fn an_override_names_a_file_of_another_component() {
    let folder = Folder::over_small(
        r#"
-- variants/v/variant.toml
schema = 1
components = ["A_SECTION"]
[component.A_SECTION]
template = "short.md"
-- variants/v/short.md
+++
id = "B_SECTION"
+++
Short.
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/v/short.md:2:7: `[component.A_SECTION]` names a file of the component `B_SECTION`
      |
    2 | id = "B_SECTION"
      |       ^
    help: write `id = "A_SECTION"` in its front matter
    "#);
}

#[test]
fn an_override_of_a_description_that_is_no_template() {
    let folder = Folder::over_small(
        r#"
-- variants/v/variant.toml
schema = 1
tools = ["read"]
[tool.read]
order = 5
description = "Read {{}} at once."
-- templates/tools/read.toml
schema = 1
id = "read"
description = "Read a file."
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Template: PACK/variants/v/variant.toml:5:21: empty braces
      |
    5 | description = "Read {{}} at once."
      |                     ^
    help: a placeholder is written {{NAME}}; literal braces are written in {{{{raw}}}} … {{{{/raw}}}}
    "#);
}

#[test]
fn an_override_of_a_name_that_is_no_tag() {
    let folder = Folder::over_small(
        r#"
-- variants/v/variant.toml
schema = 1
tools = ["read"]
[tool.read]
name = "read file"
-- templates/tools/read.toml
schema = 1
id = "read"
description = "Read a file."
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Tool: PACK/variants/v/variant.toml: tool `read`: the name `read file` cannot be a tag
    help: a name begins with a letter or `_` and goes on with letters, digits, `_`, `.`, `-`
    ");
}

#[test]
fn two_tools_with_one_name() {
    let folder = Folder::over_small(
        r#"
-- variants/v/variant.toml
schema = 1
tools = ["read", "list"]
[tool.list]
name = "read"
-- templates/tools/read.toml
schema = 1
id = "read"
description = "Read a file."
-- templates/tools/list.toml
schema = 1
id = "list"
description = "List a folder."
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Duplicate: PACK/variants/v/variant.toml:2:19: the tools `read` and `list` have the same name `read`
      |
    2 | tools = ["read", "list"]
      |                   ^
    help: give one of them another `name` in its file or under [tool.ID], or rename or remove one with a `ToolSet`
    "#);
}

#[test]
fn a_base_that_is_not_there() {
    assert_snapshot!(variant("schema = 1\nextends = \"vv\"\n"), @r#"
    Pack: PACK/variants/v/variant.toml:2:12: there is no variant `vv`
      |
    2 | extends = "vv"
      |            ^
    help: did you mean `v`?
    "#);
}

#[test]
fn a_base_far_from_every_name() {
    assert_snapshot!(variant("schema = 1\nextends = \"generic\"\n"), @r#"
    Pack: PACK/variants/v/variant.toml:2:12: there is no variant `generic`
      |
    2 | extends = "generic"
      |            ^
    help: there are `v`
    "#);
}

#[test]
fn a_variant_that_extends_itself() {
    assert_snapshot!(variant("schema = 1\nextends = \"v\"\n"), @r#"
    Pack: PACK/variants/v/variant.toml:2:12: `v` extends itself, and no earlier pack has a variant of this name
      |
    2 | extends = "v"
      |            ^
    help: take `extends` out, or add the pack that it changes before this one
    "#);
}

#[test]
fn variants_that_extend_each_other() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 1
name = "small"
variants = ["v", "w"]
-- variants/v/variant.toml
schema = 1
extends = "w"
-- variants/w/variant.toml
schema = 1
extends = "v"
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/v/variant.toml:2:12: `extends` forms a cycle: v -> w -> v
      |
    2 | extends = "w"
      |            ^
    help: take one of these `extends` out
    "#);
}

#[test]
fn a_chain_of_bases_that_is_too_long() {
    let ids: Vec<String> = (0..17).map(|number| format!("\"v{number}\"")).collect();
    let folder = Folder::new(&format!(
        "-- variants/pack.toml\nschema = 1\nname = \"long\"\nvariants = [{}]\n",
        ids.join(", ")
    ));
    for number in 0..17 {
        let base = match number {
            16 => String::new(),
            _ => format!("extends = \"v{}\"\n", number + 1),
        };
        folder.put(&format!("variants/v{number}/variant.toml"), format!("schema = 1\n{base}"));
    }
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK/variants/v16/variant.toml: more than 16 variants extend each other: v0 -> v1 -> v2 -> v3 -> …
    help: extend a base of theirs directly
    ");
}

#[test]
fn a_mistake_in_template_md() {
    let folder = Folder::over_small(
        r#"
-- variants/v/template.md
First.

{{A_SECTION}
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Template: PACK/variants/v/template.md:3:1: unbalanced braces in `{{A_SECTION}`: expected }}
      |
    3 | {{A_SECTION}
      | ^
    help: literal braces are written {{{{raw}}}}{{ … }}{{{{/raw}}}}
    ");
}

#[test]
fn a_listed_section_that_template_md_does_not_print() {
    let folder = Folder::over_small(
        r#"
-- variants/v/template.md
Nothing but this.
"#,
    );
    assert_snapshot!(folder.refusal(), @r"
    Pack: PACK/variants/v/template.md: the component `A_SECTION` is listed, but `template.md` does not print it
    help: write `{{A_SECTION}}` in the template, or take it out of the list
    ");
}

#[test]
fn a_section_that_template_md_prints_and_the_list_does_not_name() {
    let folder = Folder::over_small(
        r#"
-- templates/components/b.md
+++
id = "B_SECTION"
+++
Below.
-- variants/v/template.md
{{A_SECTION}}

====

{{B_SECTION}}
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/variants/v/template.md:5:3: `template.md` prints `B_SECTION`, but the variant does not list it
      |
    5 | {{B_SECTION}}
      |   ^
    help: add "B_SECTION" to `components`
    "#);
}
