//! The placeholder layers: which one wins, what provides nothing, namespaces, kinds of context values.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the helpers of a test fail as the test does"
)]

#[path = "support/pack.rs"]
mod pack;

use promptline::{
    Layer, McpServer, McpTool, Place, PlaceholderReport, Prompt, PromptContext, PromptRegistry,
    PromptVariant, RulesFile, ServerStatus, Skill, Template, Text, ToolSpec, component_fn,
};
use serde_json::{Value, json};

fn cx() -> PromptContext {
    PromptContext::new("acme", "model-1")
}

fn variant(base: &str) -> PromptVariant {
    PromptVariant::new("v").template(Template::parse(base).unwrap())
}

fn built(variant: PromptVariant, cx: &PromptContext) -> Prompt {
    let registry = PromptRegistry::builder().variant(variant, Place::First).build();
    registry.unwrap().build_blocking(cx).unwrap()
}

/// What a base template prints for a context.
fn text(base: &str, cx: &PromptContext) -> String {
    built(variant(base), cx).into_text()
}

fn placeholder<'p>(prompt: &'p Prompt, name: &str) -> &'p PlaceholderReport {
    let mut all = prompt.report().placeholders.iter();
    all.find(|placeholder| placeholder.name == name)
        .expect("every placeholder that is asked for is in the report")
}

/// A prompt of `<{{NAME}}>`, where these layers have a value for the name.
fn layered(name: &str, layers: &[Layer]) -> Prompt {
    let has = |layer: Layer| layers.contains(&layer);
    let mut made = variant(&format!("<{{{{{name}}}}}>")).components([name]);
    let mut cx = cx();
    if has(Layer::Variant) {
        made = made.placeholder(name, "variant");
    }
    if has(Layer::Standard) {
        cx = cx.cwd("standard");
    }
    if has(Layer::Runtime) {
        cx = cx.runtime(name, "runtime");
    }
    let speaks = has(Layer::Section);
    let section = component_fn(name, move |_| Ok(speaks.then(|| Text::from("section"))));
    PromptRegistry::builder()
        .component(section, Place::Listed)
        .variant(made, Place::First)
        .build()
        .unwrap()
        .build_blocking(&cx)
        .unwrap()
}

#[test]
fn the_topmost_layer_wins_and_the_report_says_what_it_hid() {
    use Layer::{Empty, Runtime, Section, Standard, Variant};
    let cases: [(&[Layer], &str); 8] = [
        (&[], "<>"),
        (&[Variant], "<variant>"),
        (&[Standard], "<standard>"),
        (&[Standard, Variant], "<standard>"),
        (&[Section, Standard, Variant], "<section>"),
        (&[Runtime, Section, Standard, Variant], "<runtime>"),
        (&[Runtime, Variant], "<runtime>"),
        (&[Section, Variant], "<section>"),
    ];
    for (layers, right) in cases {
        let prompt = layered("CWD", layers);
        assert_eq!(prompt.text(), right, "{layers:?}");
        let report = placeholder(&prompt, "CWD");
        let (layer, hid) = match layers.split_first() {
            Some((first, rest)) => (*first, rest),
            None => (Empty, &[][..]),
        };
        assert_eq!((report.layer, &report.hid[..]), (Some(layer), hid));
        assert_eq!(report.used_in, ["_template"]);
        assert_eq!(prompt.report().unresolved, [""; 0]);
    }
}

#[test]
fn a_name_that_nobody_provides_has_no_layer() {
    let prompt = built(variant("{{NOBODY}}"), &cx());
    let report = placeholder(&prompt, "NOBODY");
    assert_eq!((report.layer, report.hid.len()), (None, 0));
}

#[test]
fn the_report_names_everybody_who_asks() {
    let archive = format!(
        "{}-- templates/components/a.md\n+++\nid = \"A_SECTION\"\n+++\n{{{{#if X}}}}{{{{Y}}}}{{{{/if}}}}.\n\
         -- variants/v/template.md\n{{{{X}}}}{{{{A_SECTION}}}}\n",
        pack::SMALL
    );
    let prompt = pack::built(&[&archive], &cx().runtime("X", "x").runtime("Y", "y"));
    let used = |name: &str| placeholder(&prompt, name).used_in.join(" ");
    assert_eq!(used("X"), "_template A_SECTION");
    assert_eq!(used("Y"), "A_SECTION");
    assert_eq!(used("A_SECTION"), "_template");
    let names: Vec<_> = prompt.report().placeholders.iter().map(|p| &p.name).collect();
    assert_eq!(names, ["A_SECTION", "X", "Y"], "by name");
}

#[test]
fn null_provides_nothing_in_any_layer() {
    let made = || variant("<{{A}}>").placeholder("A", "below");
    assert_eq!(built(made(), &cx().runtime("A", Value::Null)).text(), "<below>");
    let nothing = variant("<{{CWD}}>").placeholder("CWD", Value::Null);
    let prompt = built(nothing, &cx());
    assert_eq!(prompt.text(), "<>");
    assert_eq!(placeholder(&prompt, "CWD").layer, Some(Layer::Empty));
    let prompt = built(made(), &cx().runtime("A", json!({"b": null})));
    assert_eq!(prompt.text(), "<{\"b\":null}>", "but an object with a null in it is a value");
}

#[test]
fn what_is_false_zero_or_empty_is_a_value() {
    let made = || variant("<{{A}}>").placeholder("A", "below");
    for (value, right) in [
        (json!(false), "<false>"),
        (json!(true), "<true>"),
        (json!(0), "<0>"),
        (json!(-1.5), "<-1.5>"),
        (json!(""), "<>"),
        (json!([]), "<[]>"),
        (json!([1, "a", null]), "<[1,\"a\",null]>"),
        (json!({"b": {"c": 1}}), "<{\"b\":{\"c\":1}}>"),
        (json!("\"quoted\""), "<\"quoted\">"),
    ] {
        let prompt = built(made(), &cx().runtime("A", value.clone()));
        assert_eq!(prompt.text(), right, "{value} as a runtime value");
        assert_eq!(placeholder(&prompt, "A").layer, Some(Layer::Runtime));
        let prompt = built(variant("<{{A}}>").placeholder("A", value.clone()), &cx());
        assert_eq!(prompt.text(), right, "{value} of a variant");
    }
    assert_eq!(text("{{SUPPORTS_BROWSER}}", &cx()), "false");
    assert_eq!(text("{{SUPPORTS_BROWSER}}", &cx().flag("browser")), "true");
}

#[test]
fn a_flat_key_comes_before_nesting_and_there_is_no_deep_merge() {
    let made = |base: &str| {
        variant(base)
            .placeholder("A", json!({"x": "variant x", "y": "variant y", "l": [1, [2, 3]]}))
    };
    let cx = cx()
        .runtime("A", json!({"x": "nested x"}))
        .runtime("B", json!({"x": "nested"}))
        .runtime("B.x", "flat");
    for (base, right) in [
        ("{{A.x}}", "nested x"),
        // The request's A has no y: the layer below is asked.
        ("{{A.y}}", "variant y"),
        ("{{A}}", "{\"x\":\"nested x\"}"),
        ("{{B.x}}", "flat"),
        ("{{B}}", "{\"x\":\"nested\"}"),
        ("{{A.l.0}} {{A.l.1.1}}", "1 3"),
        ("{{A.l.9}}", "{{A.l.9}}"),
        ("{{A.x.y}}", "{{A.x.y}}"),
    ] {
        assert_eq!(built(made(base), &cx).text(), right, "{base}");
    }
}

#[test]
fn working_dir_is_an_alias_of_what_cwd_came_out_as() {
    let base = "{{WORKING_DIR}}";
    let with = |made: PromptVariant, cx: &PromptContext| {
        let prompt = built(made, cx);
        let layer = placeholder(&prompt, "WORKING_DIR").layer.unwrap();
        (prompt.into_text(), layer)
    };
    let own = |text: &str, layer| (text.to_owned(), layer);
    let in_x = cx().cwd("/x");
    assert_eq!(with(variant(base), &in_x), own("/x", Layer::Standard));
    assert_eq!(with(variant(base), &in_x.clone().runtime("CWD", "/y")), own("/y", Layer::Runtime));
    assert_eq!(with(variant(base).placeholder("CWD", "/z"), &cx()), own("/z", Layer::Variant));
    // A value of its own comes before the alias, from whatever layer.
    assert_eq!(
        with(variant(base).placeholder("WORKING_DIR", "/own"), &in_x),
        own("/own", Layer::Variant)
    );
    assert_eq!(with(variant(base), &cx()), own("", Layer::Empty));
    // The other direction does not hold.
    assert_eq!(text("{{CWD}}", &cx().runtime("WORKING_DIR", "/y")), "");
}

#[test]
fn standard_names_say_what_the_context_says() {
    let cx = cx()
        .cwd("/x")
        .os("Linux 6")
        .shell("zsh")
        .home("/home/ada")
        .ide("Zed")
        .mode("plan")
        .date("2031-05-06")
        .zone("Europe/Paris")
        .preferred_language("French");
    for (name, right) in [
        ("OS", "Linux 6"),
        ("SHELL", "zsh"),
        ("HOME_DIR", "/home/ada"),
        ("CWD", "/x"),
        ("IDE", "Zed"),
        ("MODE", "plan"),
        ("PROVIDER", "acme"),
        ("MODEL", "model-1"),
        ("MODEL_FAMILY", "v"),
        ("CURRENT_DATE", "2031-05-06"),
        ("TIME_ZONE", "Europe/Paris"),
        ("PREFERRED_LANGUAGE", "French"),
        ("BROWSER_WIDTH", "900"),
        ("BROWSER_HEIGHT", "600"),
        ("RULES_SECTION", ""),
        ("TODO_SECTION", ""),
        ("USER_RULES", ""),
        ("MCP_SERVERS_LIST", ""),
        ("SKILLS_LIST", ""),
    ] {
        let prompt = built(variant(&format!("<{{{{{name}}}}}>")), &cx);
        assert_eq!(prompt.text(), format!("<{right}>"), "{name}");
        assert_eq!(prompt.report().unresolved, [""; 0], "{name}");
    }
}

#[test]
fn strings_of_a_request_are_never_templates() {
    let cx =
        cx().cwd("/x").runtime("A", "{{CWD}} {{#if X}} ====\n\n\n\n##\n").param("p", "{{CWD}}");
    assert_eq!(text("<{{A}}|{{params.p}}>", &cx), "<{{CWD}} {{#if X}} ====\n\n\n\n##|{{CWD}}>");
}

// Namespaces.

fn with_tools(base: &str, cx: &PromptContext) -> String {
    let made = variant(base)
        .tools(["edit_file", "off"])
        .own_tool(ToolSpec::new("edit_file").name("patch").role("edit"))
        .own_tool(ToolSpec::new("off").when(promptline::Condition::flag("off")));
    built(made, cx).into_text()
}

#[test]
fn flags_tools_modes_and_conditions_are_booleans_that_are_always_defined() {
    let cx = cx().flag("on").mode("act");
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
    assert_eq!(text(&cx().window(5)), "true false All is well.");
    assert_eq!(text(&cx()), "false true All is well.");
}

#[test]
fn nobody_can_overlay_the_booleans() {
    let cx = cx()
        .runtime("flag.on", "hacked")
        .runtime("flag", json!({"on": "hacked"}))
        .runtime("mode.act", true)
        .runtime("tool.rm", true)
        .runtime("is.safe", true);
    let base = "{{flag.on}} {{mode.act}} {{tool.rm}} {{is.safe}}";
    assert_eq!(text(base, &cx), "false false false false");
}

#[test]
fn params_and_context_are_data_under_all_layers() {
    let cx = cx()
        .cwd("/x")
        .param("team", json!({"name": "Core", "size": 4}))
        .param("off", false)
        .param("flat.key", "flat");
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
    let made = variant("{{params.team.name}}").placeholder("params.team.name", "overlaid");
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
        .cwd("/x\n## Forged")
        .rules(RulesFile::new("A\nB.md", "one\n\n\n\n## two\n====\n"))
        .skill(Skill::new("name\n- forged", "when\nneeded"))
        .runtime("R", "\n\n  one\n\n\n\ntwo\n\n")
        .param("p", "one\ntwo");
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
        .mcp_server(
            McpServer::new("tick\nets")
                .tool(McpTool::new("search\n## x", "Find\n  tickets.", json!({"type": "object"})))
                .tool(McpTool::new("open", "{{CWD}} & <b>", Value::Null)),
        )
        .mcp_server(McpServer::new("off").status(ServerStatus::Disabled));
    let base = "{{#each context.mcp_servers}}\n\
                - {{name}} ({{status}})\n\
                {{#each tools}}\n\
                \u{20}\u{20}- {{name}}: {{description}}\n\
                {{/each}}\n\
                {{/each}}\n\
                end";
    assert_eq!(
        text(base, &cx),
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
    let cx = cx().param("l", json!(["a", "b\nc", 3])).runtime("EMPTY", json!([]));
    assert_eq!(text("{{#each params.l}}{{@index}}={{this}} {{/each}}.", &cx), "0=a 1=b\nc 2=3 .");
    assert_eq!(text("{{#each EMPTY}}x{{else}}none{{/each}}", &cx), "none");
    let prompt = built(variant("{{#each NOBODY}}x{{/each}}."), &cx);
    assert_eq!(prompt.text(), ".");
    assert_eq!(prompt.report().unresolved, ["NOBODY"]);
}

#[test]
fn both_lanes_see_the_same_layers() {
    // A helper sends the whole template through the other lane.
    let cx = cx().cwd("/x").runtime("R", "r").param("p", json!({"q": 1})).flag("f");
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
