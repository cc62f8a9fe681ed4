//! Packs over packs: the later one wins by id, and its variants are matched first.

use promptline::{Pack, PromptContext, PromptRegistry};
use serde_json::json;

use crate::pack::{Folder, built, pack};

/// The lower pack of these tests.
const BASE: &str = r#"
-- variants/pack.toml
schema = 1
name = "base"
variants = ["v", "generic"]
[placeholders]
WHO = "base"
KEPT = "kept"
[conditions]
loud = { flag = "loud" }
-- variants/v/variant.toml
schema = 1
when = { flag = "v" }
components = ["A_SECTION", "B_SECTION"]
tools = ["read", "list"]
-- variants/generic/variant.toml
schema = 1
components = ["B_SECTION", "A_SECTION"]
-- templates/components/a.md
+++
id = "A_SECTION"
+++
A of {{WHO}}, {{KEPT}}.{{#if is.loud}} Loud!{{/if}}
-- templates/components/b.md
+++
id = "B_SECTION"
+++
B of base.
-- templates/tools/read.toml
schema = 1
id = "read"
description = "Read, says base."
-- templates/tools/list.toml
schema = 1
id = "list"
description = "List, says base."
"#;

fn cx() -> PromptContext {
    PromptContext::new("p", "m")
}

/// An upper pack with this much in it.
fn upper(pack_toml: &str, files: &str) -> String {
    format!("-- variants/pack.toml\nschema = 1\nname = \"upper\"\n{pack_toml}{files}")
}

fn ids(packs: &[&str]) -> Vec<String> {
    let mut registry = PromptRegistry::builder();
    for archive in packs {
        registry = registry.pack(pack(archive));
    }
    let registry = registry.build().unwrap();
    registry.variants().map(|variant| variant.id().to_owned()).collect()
}

#[test]
fn a_component_of_the_later_pack_wins() {
    let over =
        upper("", "-- templates/components/mine.md\n+++\nid = \"B_SECTION\"\n+++\nB of upper.\n");
    let prompt = built(&[BASE, &over], &cx());
    assert_eq!(prompt.text(), "B of upper.\n\n====\n\nA of base, kept.");
}

#[test]
fn the_order_of_packs_decides() {
    let over =
        upper("", "-- templates/components/mine.md\n+++\nid = \"B_SECTION\"\n+++\nB of upper.\n");
    let prompt = built(&[&over, BASE], &cx());
    assert!(prompt.text().starts_with("B of base."));
}

#[test]
fn a_tool_of_the_later_pack_wins_and_the_others_stay() {
    let over = upper(
        "",
        "-- templates/tools/x.toml\nschema = 1\nid = \"read\"\ndescription = \"Read, says upper.\"\n",
    );
    let base = BASE.replace("\"A_SECTION\", \"B_SECTION\"", "\"T_SECTION\"")
        + "-- templates/components/t.md\n+++\nid = \"T_SECTION\"\n+++\n{{TOOLS_SECTION}}\n";
    let text = built(&[&base, &over], &cx().with_flag("v")).into_text();
    assert!(text.contains("Read, says upper."), "{text}");
    assert!(text.contains("List, says base."), "{text}");
    assert!(!text.contains("Read, says base."), "{text}");
}

#[test]
fn a_condition_of_the_later_pack_wins_in_the_files_of_the_earlier() {
    let over = upper("[conditions]\nloud = { mode = \"loud\" }\n", "");
    let loud = |packs: &[&str], cx: PromptContext| built(packs, &cx).text().contains("Loud!");
    assert!(loud(&[BASE], cx().with_flag("loud")));
    assert!(!loud(&[BASE, &over], cx().with_flag("loud")));
    assert!(loud(&[BASE, &over], cx().with_mode("loud")));
}

#[test]
fn a_placeholder_of_the_later_pack_wins_and_the_others_stay() {
    let over = upper("[placeholders]\nWHO = \"upper\"\n", "");
    let prompt = built(&[BASE, &over], &cx());
    assert!(prompt.text().contains("A of upper, kept."));
}

#[test]
fn a_variant_of_the_later_pack_wins_whole() {
    let over = upper(
        "variants = [\"v\"]\n",
        "-- variants/v/variant.toml\nschema = 1\nwhen = { flag = \"v\" }\ncomponents = [\"B_SECTION\"]\n",
    );
    // Without `extends` nothing is taken from the variant of the same name.
    let prompt = built(&[BASE, &over], &cx().with_flag("v"));
    assert_eq!(prompt.text(), "B of base.");
    assert_eq!(prompt.report().tools, []);
}

#[test]
fn variants_of_the_later_pack_are_asked_first_and_generic_last() {
    let over = upper(
        "variants = [\"x\", \"y\"]\n",
        "-- variants/x/variant.toml\nschema = 1\n-- variants/y/variant.toml\nschema = 1\n",
    );
    assert_eq!(ids(&[BASE, &over]), ["x", "y", "v", "generic"]);
    assert_eq!(ids(&[&over, BASE]), ["v", "x", "y", "generic"]);
}

#[test]
fn a_variant_that_a_later_pack_names_again_moves_to_its_place() {
    let over = upper(
        "variants = [\"x\", \"v\", \"y\"]\n",
        "-- variants/x/variant.toml\nschema = 1\n-- variants/y/variant.toml\nschema = 1\n\
         -- variants/v/variant.toml\nschema = 1\nextends = \"v\"\n",
    );
    assert_eq!(ids(&[BASE, &over]), ["x", "v", "y", "generic"]);
}

#[test]
fn generic_is_last_wherever_a_pack_lists_it() {
    let over = upper(
        "variants = [\"generic\", \"x\"]\n",
        "-- variants/generic/variant.toml\nschema = 1\n-- variants/x/variant.toml\nschema = 1\n",
    );
    assert_eq!(ids(&[BASE, &over]), ["x", "v", "generic"]);
}

#[test]
fn a_variant_may_extend_one_of_an_earlier_pack() {
    let over = upper(
        "variants = [\"x\"]\n",
        "-- variants/x/variant.toml\nschema = 1\nextends = \"v\"\nwhen = { flag = \"x\" }\n\
         [component.B_SECTION]\nenabled = false\n",
    );
    let prompt = built(&[BASE, &over], &cx().with_flag("x"));
    assert_eq!(prompt.variant().id, "x");
    assert_eq!(prompt.text(), "A of base, kept.");
    let tools: Vec<_> = prompt.report().tools.iter().map(|tool| &tool.id).collect();
    assert_eq!(tools, ["read", "list"]);
}

#[test]
fn a_variant_may_extend_one_of_a_later_pack() {
    let lower = upper(
        "variants = [\"x\"]\n",
        "-- variants/x/variant.toml\nschema = 1\nextends = \"v\"\nwhen = { flag = \"x\" }\n",
    );
    let prompt = built(&[&lower, BASE], &cx().with_flag("x"));
    assert_eq!(
        (prompt.variant().id.as_str(), prompt.text()),
        ("x", "A of base, kept.\n\n====\n\nB of base.")
    );
}

#[test]
fn a_variant_that_extends_its_own_id_means_the_one_below() {
    let middle = upper(
        "variants = [\"v\"]\n",
        "-- variants/v/variant.toml\nschema = 1\nextends = \"v\"\ncomponents = [\"B_SECTION\", \"A_SECTION\"]\n",
    );
    let top = upper(
        "variants = [\"v\"]\n",
        "-- variants/v/variant.toml\nschema = 1\nextends = \"v\"\n[component.B_SECTION]\nenabled = false\n",
    );
    let prompt = built(&[BASE, &middle, &top], &cx().with_flag("v"));
    // The matcher is the lowest pack's, the list the middle one's, the override the top one's.
    assert_eq!(prompt.variant().id, "v");
    assert_eq!(prompt.text(), "A of base, kept.");
    assert!(!prompt.text().contains("B of"));
    let turned = built(&[BASE, &middle], &cx().with_flag("v"));
    assert!(turned.text().starts_with("B of base."));
}

#[test]
fn extending_another_variant_means_the_topmost_one_of_that_id() {
    let over = upper(
        "variants = [\"x\", \"v\"]\n",
        "-- variants/x/variant.toml\nschema = 1\nextends = \"v\"\nwhen = { flag = \"x\" }\n\
         -- variants/v/variant.toml\nschema = 1\ncomponents = [\"B_SECTION\"]\n",
    );
    let prompt = built(&[BASE, &over], &cx().with_flag("x"));
    assert_eq!(prompt.text(), "B of base.");
}

#[test]
fn extending_the_own_id_means_no_variant_of_a_later_pack() {
    // The lower pack's `x` extends `x`; that the pack above it has one does not help, since it extends
    // the lower one.
    let own = "variants = [\"x\"]\n";
    let x = "-- variants/x/variant.toml\nschema = 1\nextends = \"x\"\n";
    let lower = Folder::new(&upper(own, x));
    let error = PromptRegistry::builder()
        .pack(pack(BASE))
        .pack(lower.load().unwrap())
        .pack(pack(&upper(own, x)))
        .build()
        .unwrap_err();
    assert!(error.message().contains("`x` extends itself"), "{error}");
    assert!(lower.shown(&error).starts_with("Pack: PACK/variants/x/variant.toml:2:12: "));
}

#[test]
fn a_circle_across_packs_is_found() {
    let over = upper(
        "variants = [\"x\", \"generic\"]\n",
        "-- variants/x/variant.toml\nschema = 1\nextends = \"generic\"\n\
         -- variants/generic/variant.toml\nschema = 1\nextends = \"x\"\n",
    );
    let error = PromptRegistry::builder().pack(pack(BASE)).pack(pack(&over)).build().unwrap_err();
    assert_eq!(error.message(), "`extends` forms a cycle: x -> generic -> x");
}

#[test]
fn overrides_are_merged_key_by_key_through_extends() {
    let packs = upper(
        "variants = [\"one\", \"two\"]\n",
        r#"
-- variants/one/variant.toml
schema = 1
extends = "v"
[component.A_SECTION]
order = 99
[tool.read]
name = "open"
order = 99
[placeholders]
WHO = "one"
KEPT = "one"
-- variants/two/variant.toml
schema = 1
extends = "one"
when = { flag = "two" }
[component.A_SECTION]
enabled = true
[tool.read]
description = "Read, says two."
[placeholders]
WHO = "two"
"#
        .trim_start_matches('\n'),
    );
    let prompt = built(&[BASE, &packs], &cx().with_flag("two"));
    // `order` of the base and `enabled` of the variant hold both.
    assert_eq!(prompt.text(), "B of base.\n\n====\n\nA of two, one.");
    let names: Vec<_> = prompt.report().tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["list", "open"]);
    assert_eq!(prompt.tool_names().get("open").unwrap().id, "read");
}

#[test]
fn version_labels_and_tags_are_not_inherited() {
    let over = upper(
        "variants = [\"x\", \"y\"]\n",
        "-- variants/x/variant.toml\nschema = 1\nversion = 7\nlabels = { stable = 7 }\ntags = [\"t\"]\n\
         description = \"For x.\"\n\
         -- variants/y/variant.toml\nschema = 1\nextends = \"x\"\n",
    );
    let registry = PromptRegistry::builder().pack(pack(&over)).build().unwrap();
    let x = registry.get("x").unwrap();
    assert_eq!((x.version(), x.tags(), x.labels().len()), (7, &["t".to_owned()][..], 1));
    let y = registry.get("y").unwrap();
    assert_eq!((y.version(), y.tags().len(), y.labels().len()), (1, 0, 0));
    assert_eq!(y.description(), "For x.");
}

#[test]
fn a_pack_over_the_builtin_one_says_only_what_differs() {
    let over = upper(
        "variants = [\"next-gen\"]\n",
        r#"
-- variants/next-gen/variant.toml
schema = 1
extends = "next-gen"
[component.FEEDBACK_SECTION]
enabled = false
[tool.execute_command]
name = "run_in_terminal"
"#
        .trim_start_matches('\n'),
    );
    let build = |packs: Vec<Pack>| {
        let mut registry = PromptRegistry::builder();
        for pack in packs {
            registry = registry.pack(pack);
        }
        let cx = PromptContext::new("anthropic", "claude-sonnet-4-5")
            .with_runtime("FEEDBACK_ADDRESS", json!("https://example.org"));
        registry.build().unwrap().build_blocking(&cx).unwrap()
    };
    let plain = build(vec![Pack::builtin()]);
    let changed = build(vec![Pack::builtin(), pack(&over)]);
    assert_eq!(changed.variant().id, "next-gen");
    assert!(plain.section("FEEDBACK_SECTION").is_some());
    assert!(changed.section("FEEDBACK_SECTION").is_none());
    assert!(plain.text().contains("execute_command"));
    assert!(!changed.text().contains("execute_command"));
    assert!(changed.text().contains("<run_in_terminal>"));
    assert_eq!(plain.section("OBJECTIVE_SECTION"), changed.section("OBJECTIVE_SECTION"));
}
