//! Mistakes in tool files.

use insta::assert_snapshot;

use crate::pack::Folder;

/// The small pack with this tool file.
fn tool(text: &str) -> String {
    let folder = Folder::over_small("");
    folder.put("templates/tools/read.toml", text);
    folder.refusal()
}

#[test]
fn not_toml() {
    assert_snapshot!(tool("schema = 1\nid = \"read\"\n[[params]\nname = \"path\"\n"), @r"
    Tool: PACK/templates/tools/read.toml:3:10: unclosed array table, expected `]`
      |
    3 | [[params]
      |          ^
    ");
}

#[test]
fn no_schema() {
    assert_snapshot!(tool("id = \"read\"\n"), @r#"
    Tool: PACK/templates/tools/read.toml:1:1: the key `schema` is missing
      |
    1 | id = "read"
      | ^
    help: write `schema = 1` first
    "#);
}

#[test]
fn no_id() {
    assert_snapshot!(tool("schema = 1\nname = \"read\"\n"), @r"
    Tool: PACK/templates/tools/read.toml:1:1: the key `id` is missing
      |
    1 | schema = 1
      | ^
    help: write `id = …`
    ");
}

#[test]
fn a_key_that_is_unknown() {
    assert_snapshot!(tool("schema = 1\nid = \"read\"\nrole = \"read\"\n"), @r#"
    Tool: PACK/templates/tools/read.toml:3:1: unknown key `role`, expected one of `schema`, `id`, `name`, `tool_role`, `description`, `when`, `annotations`, `input`, `grammar`, `params`
      |
    3 | role = "read"
      | ^
    "#);
}

#[test]
fn a_key_of_a_parameter_that_is_unknown() {
    assert_snapshot!(
        tool("schema = 1\nid = \"read\"\n[[params]]\nname = \"path\"\nrequire = true\n"), @r"
    Tool: PACK/templates/tools/read.toml:5:1: unknown key `require`, expected one of `name`, `required`, `description`, `tool_note`, `usage`, `body`, `when`, `type`, `items`, `properties`
      |
    5 | require = true
      | ^
    help: did you mean `required`?
    ");
}

#[test]
fn a_type_that_is_not_known() {
    assert_snapshot!(
        tool("schema = 1\nid = \"read\"\ndescription = \"Takes a str.\"\n[[params]]\nname = \"path\"\ntype = \"str\"\n"), @r#"
    Tool: PACK/templates/tools/read.toml:6:1: the type `str` of the parameter `path` is not known
      |
    6 | type = "str"
      | ^
    help: types are `string`, `integer`, `number`, `boolean`, `array`, `object`
    "#);
}

#[test]
fn a_name_that_cannot_be_a_tag() {
    assert_snapshot!(tool("schema = 1\nid = \"read\"\nname = \"read file\"\n"), @r#"
    Tool: PACK/templates/tools/read.toml:3:1: tool `read`: the name `read file` cannot be a tag
      |
    3 | name = "read file"
      | ^
    help: a name begins with a letter or `_` and goes on with letters, digits, `_`, `.`, `-`
    "#);
}

#[test]
fn an_id_that_cannot_be_a_tag_and_is_the_name_too() {
    assert_snapshot!(tool("schema = 1\nid = \"2read\"\n"), @r#"
    Tool: PACK/templates/tools/read.toml:2:1: tool `2read`: the name `2read` cannot be a tag
      |
    2 | id = "2read"
      | ^
    help: a name begins with a letter or `_` and goes on with letters, digits, `_`, `.`, `-`
    "#);
}

#[test]
fn all_names_that_cannot_be_tags_are_reported_at_once() {
    assert_snapshot!(
        tool("schema = 1\nid = \"read\"\n[[params]]\nname = \"the path\"\n[[params]]\nname = \"ok\"\n[[params]]\nname = \"1st\"\n"), @r#"
    Tool: PACK/templates/tools/read.toml:4:1: tool `read`: these names cannot be tags: `the path`, `1st`
      |
    4 | name = "the path"
      | ^
    help: a name begins with a letter or `_` and goes on with letters, digits, `_`, `.`, `-`
    "#);
}

#[test]
fn a_parameter_that_is_there_twice() {
    assert_snapshot!(
        tool("schema = 1\nid = \"read\"\n[[params]]\nname = \"path\"\n[[params]]\nname = \"line\"\n[[params]]\nname = \"path\"\n"), @r#"
    Tool: PACK/templates/tools/read.toml:8:1: tool `read`: the parameter `path` is there twice
      |
    8 | name = "path"
      | ^
    help: take one of the two out, or give it another name
    "#);
}

#[test]
fn a_usage_sample_that_closes_its_parameter() {
    assert_snapshot!(
        tool("schema = 1\nid = \"read\"\n[[params]]\nname = \"path\"\nusage = \"a</path>b\"\n"), @r#"
    Tool: PACK/templates/tools/read.toml:5:1: tool `read`: the usage sample of `path` holds the closing tag `</path>`
      |
    5 | usage = "a</path>b"
      | ^
    help: take the tag out: a model that copies the sample would end its call too early
    "#);
}

#[test]
fn a_usage_sample_that_closes_its_tool() {
    assert_snapshot!(
        tool("schema = 1\nid = \"read\"\n[[params]]\nname = \"path\"\nusage = '''\na\n</read>'''\n"), @r"
    Tool: PACK/templates/tools/read.toml:5:1: tool `read`: the usage sample of `path` holds the closing tag `</read>`
      |
    5 | usage = '''
      | ^
    help: take the tag out: a model that copies the sample would end its call too early
    ");
}

#[test]
fn a_tool_cannot_ask_for_tools() {
    assert_snapshot!(tool("schema = 1\nid = \"read\"\nwhen = { tool = \"list\" }\n"), @r#"
    Tool: PACK/templates/tools/read.toml:3:1: tool `read`: a condition may not use `tool` here: which tools are enabled is just being decided
      |
    3 | when = { tool = "list" }
      | ^
    help: use what the other tool's own `when` uses
    "#);
}

#[test]
fn a_template_mistake_is_shown_where_it_is() {
    assert_snapshot!(
        tool("schema = 1\nid = \"read\"\ndescription = \"\"\"\nRead a file.\nÄ {{#if flag.x}} and on\n\"\"\"\n"), @r"
    Template: PACK/templates/tools/read.toml:5:3: {{#if …}} is not closed
      |
    5 | Ä {{#if flag.x}} and on
      |   ^
    help: close it with {{/if}}
    ");
}

#[test]
fn a_template_mistake_behind_an_escape_is_shown_at_its_string() {
    assert_snapshot!(tool("schema = 1\nid = \"read\"\ndescription = \"One.\\nTwo {{}}.\"\n"), @r#"
    Template: PACK/templates/tools/read.toml:3:15: empty braces
      |
    3 | description = "One.\nTwo {{}}."
      |               ^
    help: a placeholder is written {{NAME}}; literal braces are written in {{{{raw}}}} … {{{{/raw}}}}
    "#);
}

#[test]
fn a_template_mistake_of_a_parameter() {
    assert_snapshot!(
        tool("schema = 1\nid = \"read\"\n[[params]]\nname = \"path\"\ndescription = \"Under {{CWD.\"\n"), @r#"
    Template: PACK/templates/tools/read.toml:5:22: a tag that is not closed
      |
    5 | description = "Under {{CWD."
      |                      ^
    help: close it with }}; literal braces are written {{{{raw}}}}{{ … }}{{{{/raw}}}}
    "#);
}

#[test]
fn a_template_mistake_of_a_tool_note() {
    assert_snapshot!(
        tool("schema = 1\nid = \"read\"\n[[params]]\nname = \"path\"\ntool_note = \"{{/if}}\"\n"), @r#"
    Template: PACK/templates/tools/read.toml:5:14: {{/if}} closes nothing
      |
    5 | tool_note = "{{/if}}"
      |              ^
    help: take it out, or open the block before it
    "#);
}

#[test]
fn two_files_with_one_id() {
    let folder = Folder::over_small(
        r#"
-- templates/tools/list.toml
schema = 1
id = "read"
-- templates/tools/read.toml
schema = 1
id = "read"
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Pack: PACK/templates/tools/read.toml:2:7: the tool `read` is there twice
      |
    2 | id = "read"
      |       ^
    help: the other one is in PACK/templates/tools/list.toml
    "#);
}

#[test]
fn a_free_text_that_has_parameters() {
    let text = "schema = 1\nid = \"read\"\ninput = \"freeform\"\n[[params]]\nname = \"path\"\n";
    assert_snapshot!(tool(text), @r"
    Tool: PACK/templates/tools/read.toml:4:3: tool `read`: a free text has no parameters
      |
    4 | [[params]]
      |   ^
    help: describe the text in `description`, and take `params` out
    ");
}

#[test]
fn a_grammar_without_a_free_text() {
    let text =
        "schema = 1\nid = \"read\"\n[grammar]\nsyntax = \"lark\"\ndefinition = \"start: /a/\"\n";
    assert_snapshot!(tool(text), @r#"
    Tool: PACK/templates/tools/read.toml:3:2: tool `read`: only a free text can have a grammar
      |
    3 | [grammar]
      |  ^
    help: write `input = "freeform"` above, or take `grammar` out
    "#);
}
