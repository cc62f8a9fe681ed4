//! Much of everything.

use std::fmt::Write as _;

use promptline::cleanup::{Level, clean};
use promptline::{
    ComponentCx, ErrorKind, McpServer, McpTool, Pack, Place, PromptContext, PromptRegistry,
    PromptVariant, RulesFile, Template, Text, component_fn,
};
use serde_json::{Map, json};

use super::{builtin, only};

const MEGABYTE: usize = 1 << 20;

#[test]
fn a_rules_file_of_10_mb_comes_out_whole() {
    let line = "# {{CWD}} {{#if X}} ====\n====\n##\n------- SEARCH\n```\n\u{FDFA} é\n\n\n\n";
    let rules = line.repeat(10 * MEGABYTE / line.len()) + "end";
    for variant in ["generic", "next-gen", "xs"] {
        let cx = PromptContext::default().with_variant(variant);
        let prompt = builtin(&cx.with_rules(RulesFile::new("AGENTS.md", rules.as_str())));
        assert!(prompt.text().contains(&rules), "{variant}");
    }
}

/// What one template may print (16 MB) does not limit what users wrote.
#[test]
fn rules_of_17_mb_come_out_whole() {
    let rules = "x".repeat(17 * MEGABYTE);
    let prompt = builtin(&PromptContext::default().with_rules(RulesFile::new("a", rules.as_str())));
    assert!(prompt.text().contains(&format!("\n\n# Rules from a\n\n{rules}")));
}

/// Beyond the limit of a prompt there is an error and no prompt without the user's rules.
#[test]
fn rules_of_300_mb_are_refused() {
    let rules = RulesFile::new("a", "x".repeat(300 * MEGABYTE));
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let error = registry.build_blocking(&PromptContext::default().with_rules(rules)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(error.help().is_some_and(|help| help.contains("a rules file that grew")), "{error}");
}

#[test]
fn four_mb_of_equals_signs_are_one_separator_line() {
    let line = "=".repeat(4 * MEGABYTE);
    let text = format!("a\n{line}\nb");
    assert_eq!(clean(&line, Level::Document), "");
    assert_eq!(clean(&line, Level::Section), line);
    assert_eq!(clean(&text, Level::Document), format!("a\n\n{line}\n\nb"));
    assert_eq!(clean(&text, Level::Section), text);
    let prompt = only(&text, &PromptContext::default()).unwrap();
    assert_eq!(prompt.text(), format!("a\n\n{line}\n\nb"));
    let prompt = builtin(&PromptContext::default().with_rules(RulesFile::new("a", text.as_str())));
    assert!(prompt.text().contains(&text));
}

#[test]
fn four_mb_of_separator_lines_collapse() {
    for unit in ["====\n", "=======\n", "====\n\n", "##\n", "\n", " \n", "# x\n====\n"] {
        let text = unit.repeat(4 * MEGABYTE / unit.len());
        let cleaned = clean(&text, Level::Document);
        assert_eq!(clean(&cleaned, Level::Document), cleaned, "{unit:?} twice");
        let prompt = only(&text, &PromptContext::default()).unwrap();
        assert_eq!(prompt.text(), cleaned, "{unit:?} as a template");
        let rules = RulesFile::new("a", format!("x\n{text}x"));
        let prompt = builtin(&PromptContext::default().with_rules(rules));
        assert!(prompt.text().contains(&format!("\n\nx\n{text}x")), "{unit:?} as rules");
    }
}

#[test]
fn diff_and_fence_markers_that_never_close_are_text() {
    for unit in ["-------\n", "<<<<<<< a\n", "------- SEARCH\n=======\n", "```\n", "````a\n"] {
        let text = unit.repeat(2 * MEGABYTE / unit.len());
        for level in [Level::Document, Level::Section] {
            let cleaned = clean(&text, level);
            assert_eq!(clean(&cleaned, level), cleaned, "{unit:?}");
        }
    }
}

#[test]
fn a_thousand_servers_with_ten_tools_each_are_all_listed() {
    let cx = (0..1_000).fold(PromptContext::default(), |cx, server| {
        let name = format!("server-{server}");
        let server = (0..10).fold(McpServer::new(name), |server, tool| {
            let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
            server.with_tool(McpTool::new(
                format!("tool-{tool}"),
                "Does it.\n# Not a heading",
                schema,
            ))
        });
        cx.with_mcp_server(server)
    });
    let section = builtin(&cx).section("MCP_SECTION").unwrap();
    assert_eq!(section.matches("\n## server-").count(), 1_000);
    assert_eq!(section.matches("\n- tool-").count(), 10_000);
    assert_eq!(section.matches("\n  # Not a heading").count(), 10_000);
}

#[test]
fn ten_thousand_rules_files_come_out_in_order() {
    let mut cx = PromptContext::default();
    let mut tail = String::new();
    for at in 0..10_000 {
        cx = cx.with_rules(RulesFile::new(format!("rules/{at}.md"), format!("Rule {at}.")));
        write!(tail, "\n\n# Rules from rules/{at}.md\n\nRule {at}.").unwrap();
    }
    let prompt = builtin(&cx);
    assert!(prompt.text().contains(&tail));
    assert_eq!(prompt.report().rules.len(), 10_000);
}

#[test]
fn a_hundred_thousand_unknown_placeholders_are_all_reported() {
    let template: String = (0..100_000).map(|at| format!("{{{{NAME_{at}}}}}\n")).collect();
    let prompt = only(&template, &PromptContext::default()).unwrap();
    assert_eq!(prompt.text(), template.trim_end());
    assert_eq!(prompt.report().unresolved.len(), 100_000);
}

#[test]
fn sections_that_print_each_other_twice_run_into_the_limit() {
    const STEPS: usize = 64;
    let id = |step: usize| format!("S{step}_SECTION");
    let mut registry = PromptRegistry::builder()
        .component_at(component_fn(id(0), |_| Ok(Some(Text::authored("x")))), Place::Listed);
    for step in 1..STEPS {
        let below = id(step - 1);
        let template = Template::parse(&format!("{{{{{below}}}}}{{{{{below}}}}}")).unwrap();
        let write = move |cx: &ComponentCx<'_>| Ok(Some(cx.render(&template, &Map::new())?));
        registry = registry.component_at(component_fn(id(step), write), Place::Listed);
    }
    let variant = PromptVariant::new("generic").with_components((0..STEPS).map(id));
    let registry = registry.variant_at(variant, Place::First).build().unwrap();
    let error = registry.build_blocking(&PromptContext::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(error.help().is_some_and(|help| help.contains("sections that print each other")));
}
