//! How often a text changes follows from what it asks for, and from what its being there depends on.

use promptline::{PromptContext, Volatility, prompt::CachePlan};

use super::{build, registry};

const HEAD: &str = "
-- variants/pack.toml
schema = 1
name = \"p\"
variants = [\"v\"]
[conditions]
planning = { mode = \"plan\" }
outer = { any = [{ is = \"planning\" }, { flag = \"x\" }] }
claude = { family = \"claude\" }
skilled = { has = \"skills\" }
";

/// A pack of one variant with the component `A_SECTION`; the front matter is given more keys.
fn one(front: &str, text: &str) -> String {
    format!(
        "{HEAD}-- variants/v/variant.toml\nschema = 1\ncomponents = [\"A_SECTION\"]\n\
         -- templates/components/a.md\n+++\nid = \"A_SECTION\"\n{front}\n+++\n{text}\n"
    )
}

fn level(front: &str, text: &str) -> Volatility {
    let cx = PromptContext::new("p", "claude-4").with_mode("plan").with_cwd("/x").with_flag("x");
    let cx = cx.with_skill(promptline::context::Skill::new("s", "S."));
    let prompt = build(&one(front, text), &cx);
    prompt.sections().iter().find(|s| s.id == "A_SECTION").expect("it is printed").volatility
}

#[test]
fn a_text_is_as_volatile_as_what_it_asks_for() {
    use Volatility::{Conversation, Static, Turn};
    for (text, right) in [
        ("plain", Static),
        ("{{#if flag.x}}a{{/if}}b", Static),
        ("{{#if is.claude}}a{{/if}}b", Static),
        ("{{#if is.planning}}a{{/if}}b", Turn),
        ("{{#unless is.outer}}a{{/unless}}b", Turn),
        ("{{#if is.skilled}}a{{/if}}b", Conversation),
        ("{{#if mode.plan}}a{{/if}}b", Turn),
        ("in {{CWD}}", Conversation),
        ("{{context.mode}}", Turn),
    ] {
        assert_eq!(level("", text), right, "{text}");
    }
}

#[test]
fn a_condition_counts_and_a_declared_text_is_believed() {
    use Volatility::{Conversation, Static, Turn};
    for (front, right) in [
        ("when = { mode = \"plan\" }", Turn),
        ("when = { is = \"outer\" }", Turn),
        ("when = { not = { equals = { mode = \"act\" } } }", Turn),
        ("when = { has = \"mode\" }", Conversation),
        ("when = { has = \"skills\" }", Conversation),
        ("when = { family = \"claude\" }", Static),
        ("volatility = \"turn\"", Turn),
        ("volatility = \"conversation\"\nwhen = { mode = \"plan\" }", Turn),
    ] {
        assert_eq!(level(front, "plain"), right, "{front}");
    }
    assert_eq!(level("volatility = \"static\"", "{{#if is.planning}}a{{/if}}b"), Static);
}

/// Of a base template, up to where nothing changes it.
fn kept(template: &str, cx: &PromptContext) -> String {
    let files = format!(
        "{HEAD}-- variants/v/variant.toml\nschema = 1\ncomponents = [\"A_SECTION\", \"N_SECTION\"]\n\
         -- variants/v/template.md\n{template}\n\
         -- templates/components/a.md\n+++\nid = \"A_SECTION\"\n+++\nAll is well.\n\
         -- templates/components/n.md\n+++\nid = \"N_SECTION\"\nwhen = {{ mode = \"plan\" }}\n+++\nPlan.\n"
    );
    let prompt = registry(&files).build_blocking(cx).unwrap();
    let blocks = prompt.blocks(&CachePlan::new());
    blocks.iter().filter(|b| b.mark.is_some()).map(|b| b.text).collect::<Vec<_>>().join("|")
}

#[test]
fn what_is_not_printed_now_ends_what_is_kept() {
    let well = "All is well.";
    for (template, act, plan) in [
        ("{{A_SECTION}}\n\n{{N_SECTION}}\n\nThe end.", well, well),
        // Where a section may come, and where it is; its heading goes with it.
        ("{{A_SECTION}}\n\nMiddle.\n\n# N\n\n{{N_SECTION}}", well, "All is well.\n\nMiddle."),
        ("{{N_SECTION}}\n\n{{A_SECTION}}", "", ""),
        ("{{#if mode.plan}}Plan.{{/if}} {{A_SECTION}} {{N_SECTION}}", "", ""),
        ("{{A_SECTION}} {{#if is.outer}}P{{/if}} {{A_SECTION}} {{N_SECTION}}", well, well),
        // It is unknown which of two printings is there.
        ("{{#if flag.x}}{{A_SECTION}}{{/if}} {{MODE}} {{A_SECTION}} {{N_SECTION}}", "", ""),
    ] {
        for (mode, right) in [("act", act), ("plan", plan)] {
            let cx = PromptContext::new("p", "m").with_mode(mode);
            assert_eq!(kept(template, &cx), right, "{mode}: {template}");
        }
    }
}
