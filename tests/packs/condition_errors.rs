//! Mistakes in conditions, wherever they stand.

use insta::assert_snapshot;

use crate::pack::Folder;

/// The small pack, whose variant applies when this holds.
fn matcher(when: &str) -> String {
    let folder = Folder::over_small("");
    folder.put("variants/v/variant.toml", format!("schema = 1\nwhen = {when}\n"));
    folder.refusal()
}

/// The small pack with these named conditions.
fn named(conditions: &str) -> String {
    let folder = Folder::over_small("");
    folder.put(
        "variants/pack.toml",
        format!("schema = 1\nname = \"small\"\nvariants = [\"v\"]\n[conditions]\n{conditions}"),
    );
    folder.refusal()
}

#[test]
fn a_key_that_is_unknown() {
    assert_snapshot!(matcher("{ any = [{ flags = \"x\" }] }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:19: unknown key `flags`, expected one of `all`, `any`, `not`, `is`, `provider`, `model`, `id_matches`, `vendor`, `family`, `line`, `suffix`, `distilled`, `version`, `window`, `flag`, `mode`, `os`, `variant`, `tool`, `has`, `equals`
      |
    2 | when = { any = [{ flags = "x" }] }
      |                   ^
    help: did you mean `flag`?
    "#);
}

#[test]
fn a_glob_that_cannot_be_read() {
    assert_snapshot!(matcher("{ model = \"claude-[4-\" }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:18: the model glob `claude-[4-` cannot be read: unclosed character class; missing ']'
      |
    2 | when = { model = "claude-[4-" }
      |                  ^
    "#);
}

#[test]
fn a_glob_in_a_list_that_cannot_be_read() {
    assert_snapshot!(matcher("{ model = [\"gpt-5*\", \"claude-{opus\"] }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:18: the model glob `claude-{opus` cannot be read: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
      |
    2 | when = { model = ["gpt-5*", "claude-{opus"] }
      |                  ^
    "#);
}

#[test]
fn a_glob_over_the_limit() {
    let reported = matcher(&format!("{{ model = \"{}\" }}", "x".repeat(1_001)));
    let first: String = reported.lines().next().unwrap_or_default().to_owned();
    assert_snapshot!(first, @"Pack: PACK/variants/v/variant.toml:2:18: a model glob is longer than 1000 bytes");
}

#[test]
fn a_range_that_is_none() {
    assert_snapshot!(matcher("{ window = \"under 16k\" }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:19: `under 16k` is not a range of numbers (write it as "<=16384" or ">=4096, <16384")
      |
    2 | when = { window = "under 16k" }
      |                   ^
    "#);
}

#[test]
fn a_version_range_that_is_none() {
    assert_snapshot!(matcher("{ family = \"claude\", version = \"4 and up\" }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:39: `4 and up` is not a range of versions (write it as ">=4.5", ">=4, <5", "=3.7" or "none")
      |
    2 | when = { family = "claude", version = "4 and up" }
      |                                       ^
    "#);
    assert_snapshot!(matcher("{ version = \">=4.5.beta\" }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:20: `>=4.5.beta` is not a range of versions (write it as ">=4.5", ">=4, <5", "=3.7" or "none")
      |
    2 | when = { version = ">=4.5.beta" }
      |                    ^
    "#);
}

#[test]
fn a_version_range_that_is_a_number() {
    assert_snapshot!(matcher("{ version = 4.5 }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:20: invalid type: floating point `4.5`, expected a range in quotes, as ">=4.5"
      |
    2 | when = { version = 4.5 }
      |                    ^
    "#);
}

#[test]
fn a_version_range_in_which_nothing_is() {
    assert_snapshot!(matcher("{ version = \">=5, <4.20\" }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:20: `>=5, <4.20` holds no version at all (write it as ">=4.5", ">=4, <5", "=3.7" or "none")
      |
    2 | when = { version = ">=5, <4.20" }
      |                    ^
    "#);
}

#[test]
fn distilled_is_yes_or_no() {
    assert_snapshot!(matcher("{ distilled = \"claude\" }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:22: invalid type: string "claude", expected a boolean
      |
    2 | when = { distilled = "claude" }
      |                      ^
    "#);
}

#[test]
fn a_range_that_is_a_number() {
    assert_snapshot!(matcher("{ window = 16384 }"), @r#"
    Pack: PACK/variants/v/variant.toml:2:19: invalid type: integer `16384`, expected a range in quotes, as "<=16384"
      |
    2 | when = { window = 16384 }
      |                   ^
    "#);
}

#[test]
fn a_value_of_another_type() {
    assert_snapshot!(matcher("{ flag = true }"), @r"
    Pack: PACK/variants/v/variant.toml:2:17: invalid type: boolean `true`, expected a string or a list of strings
      |
    2 | when = { flag = true }
      |                 ^
    ");
}

#[test]
fn a_name_that_is_not_given() {
    assert_snapshot!(matcher("{ is = \"small_window\" }"), @r#"
    Condition: PACK/variants/v/variant.toml:2:16: no condition is named `small_window`
      |
    2 | when = { is = "small_window" }
      |                ^
    help: name it in pack.toml under [conditions]: `small_window = { … }`
    "#);
}

#[test]
fn a_mistyped_name() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 1
name = "small"
variants = ["v"]
[conditions]
small_window = { window = "<=16384" }
-- variants/v/variant.toml
schema = 1
when = { is = "smal_window" }
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Condition: PACK/variants/v/variant.toml:2:16: no condition is named `smal_window`
      |
    2 | when = { is = "smal_window" }
      |                ^
    help: did you mean `small_window`?
    "#);
}

#[test]
fn a_component_asks_for_a_name_that_is_not_given() {
    let folder = Folder::over_small(
        r#"
-- templates/components/a.md
+++
id = "A_SECTION"
when = { is = "small_window" }
+++
All is well.
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Condition: PACK/templates/components/a.md:3:16: no condition is named `small_window`
      |
    3 | when = { is = "small_window" }
      |                ^
    help: name it in pack.toml under [conditions]: `small_window = { … }`
    "#);
}

#[test]
fn a_component_that_only_a_variant_has_asks_for_a_name_that_is_not_given() {
    let folder = Folder::over_small(
        r#"
-- variants/v/components/a.md
+++
id = "A_SECTION"
when = { is = "small_window" }
+++
All is well.
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Condition: PACK/variants/v/components/a.md:3:16: no condition is named `small_window`
      |
    3 | when = { is = "small_window" }
      |                ^
    help: name it in pack.toml under [conditions]: `small_window = { … }`
    "#);
}

#[test]
fn a_tool_asks_for_a_name_that_is_not_given() {
    let folder = Folder::over_small(
        r#"
-- variants/v/variant.toml
schema = 1
tools = ["read"]
-- templates/tools/read.toml
schema = 1
id = "read"
when = { is = "small_window" }
"#,
    );
    assert_snapshot!(folder.refusal(), @r#"
    Condition: PACK/templates/tools/read.toml:3:16: tool `read`: no condition is named `small_window`
      |
    3 | when = { is = "small_window" }
      |                ^
    help: name it in pack.toml under [conditions]: `small_window = { … }`
    "#);
}

#[test]
fn a_named_condition_cannot_ask_for_tools() {
    assert_snapshot!(named("reads = { tool = \"read\" }\n"), @r#"
    Condition: PACK/variants/pack.toml:5:1: a condition may not use `tool` here: tools belong to a variant, which is not chosen yet
      |
    5 | reads = { tool = "read" }
      | ^
    help: use what a request says: `family`, `provider`, `window`, `flag`, `has`, …
    "#);
}

#[test]
fn a_named_condition_cannot_ask_for_the_variant() {
    assert_snapshot!(named("mine = { not = { variant = \"v\" } }\n"), @r#"
    Condition: PACK/variants/pack.toml:5:1: a condition may not use `variant` here: the variant is not chosen yet
      |
    5 | mine = { not = { variant = "v" } }
      | ^
    help: use what a request says: `family`, `provider`, `window`, `flag`, `has`, …
    "#);
}

#[test]
fn a_named_condition_asks_for_a_name_that_is_not_given() {
    assert_snapshot!(named("one = { is = \"two\" }\n"), @r#"
    Condition: PACK/variants/pack.toml:5:15: no condition is named `two`
      |
    5 | one = { is = "two" }
      |               ^
    help: named are `one`
    "#);
}

#[test]
fn named_conditions_that_go_in_a_circle() {
    assert_snapshot!(
        named("one = { is = \"two\" }\ntwo = { any = [{ flag = \"x\" }, { is = \"three\" }] }\nthree = { not = { is = \"one\" } }\n"), @r#"
    Condition: PACK/variants/pack.toml:7:25: named conditions form a cycle: one -> two -> three -> one
      |
    7 | three = { not = { is = "one" } }
      |                         ^
    help: a condition cannot depend on itself, directly or through others
    "#);
}

#[test]
fn a_named_condition_that_asks_for_itself() {
    assert_snapshot!(named("one = { is = \"one\" }\n"), @r#"
    Condition: PACK/variants/pack.toml:5:15: named conditions form a cycle: one -> one
      |
    5 | one = { is = "one" }
      |               ^
    help: a condition cannot depend on itself, directly or through others
    "#);
}

#[test]
fn a_condition_that_is_nested_too_deep() {
    let deep = format!("{}{{ flag = \"x\" }}{}", "{ not = ".repeat(70), " }".repeat(70));
    let reported = matcher(&deep);
    let kept: Vec<&str> = reported.lines().filter(|line| !line.contains("not =")).collect();
    assert_snapshot!(kept.join("\n"), @r"
    Condition: PACK/variants/v/variant.toml:2:1: a condition is nested more than 64 deep
      |
      | ^
    help: let it use fewer conditions
    ");
}

#[test]
fn named_conditions_that_are_nested_too_deep_together() {
    let inner = format!("{}{{ is = \"b\" }}{}", "{ not = ".repeat(40), " }".repeat(40));
    let last = format!("{}{{ flag = \"x\" }}{}", "{ not = ".repeat(40), " }".repeat(40));
    assert_snapshot!(named(&format!("a = {inner}\nb = {last}\n")), @r"
    Condition: PACK/variants/pack.toml:5:1: the condition `a` is nested more than 64 deep, with those that it names
      |
    5 | a = { not = { not = { not = { not = { not = { not = { not = { not = { not = { not = { not = { not =
      | ^
    help: let it use fewer conditions
    ");
}
