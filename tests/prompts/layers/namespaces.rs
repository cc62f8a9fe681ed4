//! Namespaces, and the kinds of the values in a context.

use crate::pack;
use promptline::{
    McpServer, McpTool, PromptContext, RulesFile, ToolSpec, context::ServerStatus, context::Skill,
    report::Layer,
};
use serde_json::{Value, json};

use super::{built, cx, placeholder, text, variant};

fn with_tools(base: &str, cx: &PromptContext) -> String {
    let made = variant(base)
        .with_tools(["edit_file", "off"])
        .with_own_tool(ToolSpec::new("edit_file").with_name("patch").with_role("edit"))
        .with_own_tool(ToolSpec::new("off").with_when(promptline::Condition::flag("off")));
    built(made, cx).into_text()
}

#[test]
fn flags_tools_modes_and_conditions_are_booleans_that_are_always_defined() {
    let cx = cx().with_flag("on").with_mode("act");
    for (name, right) in [
        ("flag.on", "true"),
        ("flag.off", "false"),
        ("flag.never.heard.of", "false"),
        ("mode.act", "true"),
        ("mode.plan", "false"),
        ("tool.edit_file", "true"),
        ("tool.edit", "true"),
        ("tool.off", "false"),
        ("tool.nobody", "false"),
        ("tool.edit.name", "patch"),
        ("tool.edit_file.name", "patch"),
        ("tool.off.name", ""),
        ("tool.nobody.name", ""),
        ("tool.edit.colour", "false"),
        ("is.nothing", "false"),
    ] {
        assert_eq!(with_tools(&format!("<{{{{{name}}}}}>"), &cx), format!("<{right}>"), "{name}");
        let base = format!("{{{{#if {name}}}}}yes{{{{else}}}}no{{{{/if}}}}");
        let holds = !matches!(right, "false" | "");
        assert_eq!(with_tools(&base, &cx), if holds { "yes" } else { "no" });
        let prompt = built(variant(&format!("{{{{{name}}}}}")), &cx);
        assert_eq!(prompt.report().unresolved, [""; 0], "{name}");
        assert_eq!(placeholder(&prompt, name).layer, Some(Layer::Namespace));
    }
}

#[test]
fn named_conditions_are_booleans() {
    let archive = format!(
        "{}-- variants/v/template.md\n{{{{is.small}}}} {{{{is.large}}}} {{{{A_SECTION}}}}\n",
        pack::SMALL
    )
    .replace(
        "variants = [\"v\"]\n",
        "variants = [\"v\"]\n[conditions]\nsmall = { window = \"<100\" }\nlarge = { not = { is = \"small\" } }\n",
    );
    let text = |cx: &PromptContext| pack::built(&[&archive], cx).into_text();
    assert_eq!(text(&cx().with_window(5)), "true false All is well.");
    assert_eq!(text(&cx()), "false true All is well.");
}

#[test]
fn nothing_can_overlay_the_booleans() {
    let cx = cx()
        .with_runtime("flag.on", "hacked")
        .with_runtime("flag", json!({"on": "hacked"}))
        .with_runtime("mode.act", true)
        .with_runtime("tool.rm", true)
        .with_runtime("is.safe", true);
    let base = "{{flag.on}} {{mode.act}} {{tool.rm}} {{is.safe}}";
    assert_eq!(text(base, &cx), "false false false false");
}

#[test]
fn params_and_context_are_data_under_all_layers() {
    let cx = cx()
        .with_cwd("/x")
        .with_param("team", json!({"name": "Core", "size": 4}))
        .with_param("off", false)
        .with_param("flat.key", "flat");
    for (base, right) in [
        ("{{params.team.name}} {{params.team.size}}", "Core 4"),
        ("{{params.off}}", "false"),
        ("{{params.flat.key}}", "flat"),
        ("{{context.cwd}}", "/x"),
        ("{{context.model.id}}", "model-1"),
        ("{{context.params.team.size}}", "4"),
        ("{{#if context.skills}}yes{{else}}no{{/if}}", "no"),
        ("{{params.nobody}}", "{{params.nobody}}"),
        ("{{context.nobody}}", "{{context.nobody}}"),
    ] {
        assert_eq!(text(base, &cx), right, "{base}");
    }
    let made = variant("{{params.team.name}}").with_placeholder("params.team.name", "overlaid");
    let prompt = built(made, &cx);
    assert_eq!(prompt.text(), "overlaid");
    let report = placeholder(&prompt, "params.team.name");
    assert_eq!(report.layer, Some(Layer::Variant));
    assert_eq!(report.hid, [Layer::Namespace]);
}

// Kinds.

#[test]
fn names_and_paths_of_the_context_are_one_line_and_texts_are_exact() {
    let cx = cx()
        .with_cwd("/x\n## Forged")
        .with_rules(RulesFile::new("A\nB.md", "one\n\n\n\n## two\n====\n"))
        .with_skill(Skill::new("name\n- forged", "when\nneeded"))
        .with_runtime("R", "\n\n  one\n\n\n\ntwo\n\n")
        .with_param("p", "one\ntwo");
    for (base, right) in [
        // Labels.
        ("<{{CWD}}>", "</x ## Forged>"),
        ("<{{context.cwd}}>", "</x ## Forged>"),
        ("<{{context.rules.0.path}}>", "<A B.md>"),
        ("<{{context.skills.0.name}}>", "<name - forged>"),
        // Blocks, but for their outer blank lines.
        ("<{{context.rules.0.text}}>", "<one\n\n\n\n## two\n====>"),
        ("<{{context.skills.0.description}}>", "<when\nneeded>"),
        ("<{{R}}>", "<  one\n\n\n\ntwo>"),
        ("<{{params.p}}>", "<one\ntwo>"),
        ("<{{context.params.p}}>", "<one\ntwo>"),
    ] {
        assert_eq!(text(base, &cx), right, "{base}");
    }
    let prompt = built(variant("{{CWD}}"), &cx);
    let note = &prompt.report().diagnostics[0];
    assert_eq!(note.code, "label-line-breaks");
    assert!(note.message.contains("context:cwd"), "{note}");
}

#[test]
fn kinds_hold_in_loops_too() {
    let cx = cx()
        .with_mcp_server(
            McpServer::new("tick\nets")
                .with_tool(McpTool::new(
                    "search\n## x",
                    "Find\n  tickets.",
                    json!({"type": "object"}),
                ))
                .with_tool(McpTool::new("open", "{{CWD}} & <b>", Value::Null)),
        )
        .with_mcp_server(McpServer::new("off").with_status(ServerStatus::Disabled));
    let base = "{{#each context.mcp_servers}}\n\
                - {{name}} ({{status}})\n\
                {{#each tools}}\n\
                \u{20}\u{20}- {{name}}: {{description}}\n\
                {{/each}}\n\
                {{/each}}\n\
                end";
    assert_eq!(
        text(base, &cx),
        // In the order of the host.
        "- tick ets (connected)\n\
         \u{20}\u{20}- search ## x: Find\n\
         \u{20}\u{20}tickets.\n\
         \u{20}\u{20}- open: {{CWD}} & <b>\n\
         - off (disabled)\n\
         end"
    );
}

#[test]
fn loops_over_lists_of_a_request() {
    let cx = cx().with_param("l", json!(["a", "b\nc", 3])).with_runtime("EMPTY", json!([]));
    assert_eq!(text("{{#each params.l}}{{@index}}={{this}} {{/each}}.", &cx), "0=a 1=b\nc 2=3 .");
    assert_eq!(text("{{#each EMPTY}}x{{else}}none{{/each}}", &cx), "none");
    let prompt = built(variant("{{#each NOBODY}}x{{/each}}."), &cx);
    assert_eq!(prompt.text(), ".");
    assert_eq!(prompt.report().unresolved, ["NOBODY"]);
}

#[test]
fn both_lanes_see_the_same_layers() {
    // A helper sends the whole template through the other lane.
    let cx =
        cx().with_cwd("/x").with_runtime("R", "r").with_param("p", json!({"q": 1})).with_flag("f");
    for base in [
        "{{CWD}} {{WORKING_DIR}} {{R}} {{params.p.q}} {{params.p}} {{flag.f}} {{context.cwd}}",
        "{{NOBODY}} {{RULES_SECTION}} {{#if NOBODY}}x{{else}}y{{/if}} {{SUPPORTS_BROWSER}}",
        "{{tool.nobody.name}} {{MODEL_FAMILY}} {{BROWSER_WIDTH}}",
    ] {
        let plain = built(variant(base), &cx);
        let logic = built(variant(&format!("{base}{{{{#if (eq 1 2)}}}}x{{{{/if}}}}")), &cx);
        assert_eq!(plain.text(), logic.text());
        assert_eq!(plain.report().unresolved, logic.report().unresolved);
    }
}

#[test]
fn a_name_that_is_always_hidden_is_not_given() {
    for blank in ["", " ", "\t\n", "\u{FDD0}"] {
        let cx = cx().with_cwd(blank).with_preferred_language(blank);
        assert_eq!(text("[{{#if CWD}}in {{CWD}}{{/if}}{{PREFERRED_LANGUAGE}}]", &cx), "[]");
    }
}
