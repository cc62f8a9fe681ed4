//! The lint `cache-order`, and what the report counts.

use crate::pack;
use promptline::check::check_prompts;
use promptline::{
    BuildOptions, McpServer, McpTool, Pack, PromptContext, PromptRegistry, RulesFile, Severity,
    prompt::TEMPLATE_SECTION,
    report::{ComponentStatus, ReportLevel},
};

use super::{build, registry};

/// A pack whose components come in this order; `MODE_SECTION` changes with the request.
fn ordered(order: &str) -> String {
    format!(
        "
-- variants/pack.toml
schema = 1
name = \"p\"
variants = [\"v\"]
-- variants/v/variant.toml
schema = 1
components = [{order}]
-- templates/components/a.md
+++
id = \"A_SECTION\"
+++
Twenty bytes of text
-- templates/components/m.md
+++
id = \"MODE_SECTION\"
+++
It is {{{{MODE}}}}.
"
    )
}

#[test]
fn what_changes_before_what_does_not_is_reported_with_place_and_cost() {
    let cx = PromptContext::new("p", "m").with_mode("act");
    let found = |order: &str, options: &BuildOptions| {
        let prompt = registry(&ordered(order)).build_blocking_with(&cx, options).unwrap();
        let mut found = prompt.report().diagnostics.clone();
        found.retain(|diagnostic| diagnostic.code == "cache-order");
        found
    };
    let options = BuildOptions::new();
    let reported = found("\"MODE_SECTION\", \"A_SECTION\"", &options);
    assert_eq!(reported.len(), 1);
    assert_eq!(reported[0].severity, Severity::Info);
    insta::assert_snapshot!(reported[0].message, @"the text may change with the request from byte 0 on, at `MODE_SECTION`: the 5 tokens behind it that do not change are not kept in a provider's cache either");
    assert!(found("\"A_SECTION\", \"MODE_SECTION\"", &options).is_empty());
    let off = BuildOptions::new().with_report(ReportLevel::Off);
    assert!(found("\"MODE_SECTION\", \"A_SECTION\"", &off).is_empty());
}

#[test]
fn a_pack_allows_it_or_wants_a_warning() {
    let cx = PromptContext::new("p", "m").with_mode("act");
    let files = ordered("\"MODE_SECTION\", \"A_SECTION\"");
    let reported = |level: &str| {
        let lints = format!("variants = [\"v\"]\n[lints]\ncache-order = \"{level}\"\n");
        let files = files.replace("variants = [\"v\"]\n", &lints);
        let prompt = registry(&files).build_blocking(&cx).unwrap();
        prompt.report().diagnostics.iter().map(|reported| reported.severity).collect::<Vec<_>>()
    };
    assert_eq!(reported("allow"), []);
    assert_eq!(reported("warn"), [Severity::Warning]);
}

#[test]
fn a_check_reports_it_where_the_section_is_listed() {
    let folder = pack::Folder::new(&ordered("\"MODE_SECTION\", \"A_SECTION\""));
    folder.lay_over("-- contexts/basic.json\n{\"mode\": \"act\"}\n");
    let found = check_prompts(folder.path(), PromptRegistry::builder()).unwrap();
    let found: Vec<_> = found.iter().map(|f| (f.code.as_str(), f.severity, f.line)).collect();
    assert_eq!(found, [("cache-order", Severity::Info, 2)]);
    let manifest = "-- variants/pack.toml\nschema = 1\nname = \"p\"\nvariants = [\"v\"]\n[lints]\n";
    folder.lay_over(&format!("{manifest}cache-order = \"allow\"\n"));
    assert_eq!(check_prompts(folder.path(), PromptRegistry::builder()).unwrap(), []);
}

/// Two native tools, of which the one comes and goes by this condition.
fn native(order: &str, when: &str) -> String {
    format!(
        "
-- variants/pack.toml
schema = 1
name = \"p\"
variants = [\"v\"]
-- variants/v/variant.toml
schema = 1
components = [\"A_SECTION\"]
tools = [{order}]
tool_form = \"native\"
-- templates/components/a.md
+++
id = \"A_SECTION\"
+++
Twenty bytes of text
-- templates/tools/stays.toml
schema = 1
id = \"stays\"
description = \"Stays.\"
-- templates/tools/goes.toml
schema = 1
id = \"goes\"
description = \"Goes.\"
when = {{ {when} }}
"
    )
}

#[test]
fn a_native_tool_that_comes_and_goes_is_reported_by_name_and_byte() {
    let reported = |order: &str, when: &str, mode: &str| {
        let cx = PromptContext::new("anthropic", "m").with_flag("native_tools").with_mode(mode);
        let prompt = registry(&native(order, when)).build_blocking(&cx).unwrap();
        let reported =
            prompt.report().diagnostics.iter().filter(|reported| reported.code == "cache-order");
        let reported: Vec<_> = reported.map(|reported| reported.message.clone()).collect();
        // Where the message says that the tool begins, it begins.
        let json = prompt.tools().unwrap().to_value().to_string();
        if let (Some(message), Some(at)) = (reported.first(), json.find("{\"name\":\"goes\"")) {
            assert!(message.contains(&format!("from byte {at} on, at `goes`")), "{message}");
        }
        reported
    };
    let of = |what: &str, byte: usize, lost: usize| {
        format!(
            "the native tools may change with the {what} from byte {byte} on, at `goes`, and come before the \
             prompt on the wire: the {lost} tokens behind it that do not change are not kept in a \
             provider's cache either"
        )
    };
    let (first, last) = ("\"goes\", \"stays\"", "\"stays\", \"goes\"");
    assert_eq!(reported(first, "mode = \"act\"", "act"), [of("request", 1, 31)]);
    assert_eq!(reported(last, "mode = \"act\"", "act"), [of("request", 104, 5)]);
    // It is reported where it is not there just now as well.
    assert_eq!(reported(last, "mode = \"plan\"", "act"), [of("request", 104, 5)]);
    assert_eq!(reported(first, "has = \"skills\"", "act"), [of("conversation", 1, 31)]);
    assert_eq!(reported("\"goes\", \"stays\"", "flag = \"native_tools\"", "act"), [""; 0]);
}

#[test]
fn a_tool_of_a_server_comes_and_goes_with_it() {
    let tool = McpTool::new("find", "Finds.", serde_json::json!({"type": "object"}));
    let cx = PromptContext::new("anthropic", "m").with_flag("native_tools");
    let cx = cx.with_mcp_server(McpServer::new("tickets").with_tool(tool));
    let registry = registry(&native("\"stays\"", "mode = \"act\""));
    let options = BuildOptions::new().with_mcp_form(promptline::tools::McpForm::FirstClass);
    let prompt = registry.build_blocking_with(&cx, &options).unwrap();
    let reported: Vec<_> =
        prompt.report().diagnostics.iter().map(|d| d.subject.as_deref()).collect();
    assert_eq!(reported, [Some("tickets/find")]);
}

#[test]
fn tools_that_follow_the_mode_are_reported() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5")
        .with_flag("native_tools")
        .with_mode("act");
    let about = |options: &BuildOptions| {
        let prompt = registry.build_blocking_with(&cx, options).unwrap();
        prompt
            .report()
            .diagnostics
            .iter()
            .any(|d| d.code == "cache-order" && d.subject.as_deref() == Some("tools"))
    };
    assert!(about(&BuildOptions::new().with_filter_by_mode(true)));
    assert!(!about(&BuildOptions::new()));
}

#[test]
fn the_costs_of_all_sections_are_those_of_the_prompt() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    for form in ["x", "native_tools"] {
        for variant in registry.variants() {
            let cx = PromptContext::new("anthropic", "m")
                .with_variant(variant.id())
                .with_flag(form)
                .with_mode("act");
            let prompt = registry.build_blocking(&cx).unwrap();
            let report = prompt.report();
            let totals = report.totals.as_ref().unwrap();
            let of = |count: fn(&promptline::report::SectionCost) -> usize| {
                report.components.iter().map(|component| count(&component.cost)).sum::<usize>()
            };
            assert_eq!(of(|cost| cost.bytes), prompt.text().len(), "{}", variant.id());
            assert_eq!(of(|cost| cost.tokens), totals.tokens);
            assert_eq!(totals.bytes, prompt.text().len());
            assert_eq!((totals.counter.as_str(), totals.estimate), ("estimate", true));
            assert_eq!(totals.tools, prompt.enabled_tools().len());
            assert!(report.components.iter().any(|component| component.id == TEMPLATE_SECTION));
            let (text, native): (usize, usize) = report
                .tools
                .iter()
                .fold((0, 0), |(text, native), t| (text + t.text_tokens, native + t.native_tokens));
            assert_eq!(native, totals.native_tokens);
            match prompt.tools() {
                Some(tools) => {
                    let bytes = tools.to_value().to_string().len();
                    assert_eq!(totals.native_bytes, bytes);
                    assert!(native * 4 >= bytes - 2 - tools.len() && text == 0, "{native} {bytes}");
                }
                None => assert!(native == 0 && (text > 0 || prompt.enabled_tools().is_empty())),
            }
            assert!(totals.static_bytes <= totals.conversation_bytes);
        }
    }
}

#[test]
fn what_a_request_brings_in_vain_is_reported() {
    let files = ordered("\"A_SECTION\", \"MODE_SECTION\"").replace(
        "It is {{MODE}}.",
        "{{MODE}} {{TICKET}} {{LIST.0}} {{WORKING_DIR}} {{params.limits.rate}}",
    );
    let cx = PromptContext::new("p", "m")
        .with_mode("act")
        .with_runtime("TICKET", "17")
        .with_runtime("TICKETS", "18")
        .with_runtime("LIST", serde_json::json!(["a"]))
        .with_runtime("CWD", "/x")
        .with_runtime("MODEL", "m")
        .with_param("limits", serde_json::json!({"rate": 1}))
        .with_param("limit", 2);
    let unused = |files: &str| build(files, &cx).report().unused.clone();
    assert_eq!(unused(&files), ["MODEL", "TICKETS", "params.limit"]);
    assert_eq!(unused(&files.replace("{{MODE}}", "{{params}}")), ["MODEL", "TICKETS"]);
    assert_eq!(unused(&files.replace("{{MODE}}", "{{context.runtime}}")), ["params.limit"]);
    assert_eq!(unused(&files.replace("{{MODE}}", "{{context}}")), [""; 0]);
}

#[test]
fn what_tools_ask_for_is_among_the_placeholders() {
    let files = native("\"stays\"", "mode = \"act\"").replace("\"Stays.\"", "\"In {{CWD}}.\"");
    let prompt = build(&files, &PromptContext::new("p", "m").with_cwd("/x"));
    let mut asked = prompt.report().placeholders.iter().filter(|asked| asked.name == "CWD");
    assert_eq!(asked.next().unwrap().used_in.to_vec(), ["TOOLS_SECTION"]);
}

#[test]
fn a_tool_in_the_text_costs_what_is_left_of_it() {
    let files = native("\"stays\"", "mode = \"act\"")
        .replace("tool_form = \"native\"", "tool_form = \"xml\"")
        .replace("Twenty bytes of text", "{{TOOLS_SECTION}}")
        .replace("\"Stays.\"", "\"Stays.\\n\\n{{CWD}}\\n\\n\\n\\n{{CWD}}\\n\\nHere.\"");
    let prompt = build(&files, &PromptContext::new("p", "m"));
    assert!(prompt.text().contains("Stays.\n\nHere."), "{}", prompt.text());
    let list = prompt.sections().iter().find(|section| section.id == "TOOLS_SECTION").unwrap();
    assert_eq!(prompt.report().tools[0].text_tokens, list.tokens);
}

#[test]
fn a_rules_file_says_what_it_costs() {
    let files = ordered("\"A_SECTION\", \"MODE_SECTION\"");
    let rules = |text: &str, on: bool| {
        let mut file = RulesFile::new(format!("{}.md", text.len()), text);
        file.enabled = on;
        file
    };
    let cx = PromptContext::new("p", "m")
        .with_rules(rules("Use tabs.", true))
        .with_rules(rules("Off.", false));
    let prompt = build(&files, &cx);
    let costs: Vec<_> =
        prompt.report().rules.iter().map(|file| (file.bytes, file.tokens)).collect();
    assert_eq!(costs, [(9, 3), (4, 0)]);
}

#[test]
fn a_report_does_not_grow_with_the_texts() {
    let cx = PromptContext::new("p", "m").with_mode("act");
    let size = |text: &str| {
        let files =
            ordered("\"A_SECTION\", \"MODE_SECTION\"").replace("Twenty bytes of text", text);
        serde_json::to_string(build(&files, &cx).report()).unwrap().len()
    };
    assert!(size(&"word ".repeat(20_000)) < size("word") + 64);
}

#[test]
fn a_report_comes_back_from_json() {
    let prompt = build(&ordered("\"A_SECTION\", \"MODE_SECTION\""), &PromptContext::default());
    let json = serde_json::to_string(prompt.report()).unwrap();
    let back: promptline::Report = serde_json::from_str(&json).unwrap();
    assert_eq!(&back, prompt.report());
    assert_eq!(back.components[1].status, ComponentStatus::Rendered);
}
