//! What people want to do with another author's prompt.

use promptline::{
    McpServer, McpTool, Overlay, Prompt, PromptContext, PromptRegistry, Volatility,
    prompt::SpanKind,
};
use serde_json::json;

use super::{Folder, build, builtin, change, cx, overlay, registry, status, text};

const PLAIN: &str = "ALPHA\n\nThe first.\n\n====\n\n# Where\n\n/w\n\n====\n\nThe last.";

fn of_model(registry: &PromptRegistry, model: &str) -> Prompt {
    build(registry, &PromptContext::new("", model).with_cwd("/w"))
}

#[test]
fn rules_for_claude_only() {
    let more = "text = '- Write commit messages in English.'\nwhen = { family = 'claude' }";
    let changed = builtin([overlay(&change("RULES_SECTION", "append", more))]);
    let plain = builtin([]);
    for model in ["claude-sonnet-4-5", "claude-opus-4-1", "gpt-5", "gemini-3-pro", "qwen3-8b"] {
        let (changed, plain) = (of_model(&changed, model), of_model(&plain, model));
        let rules = |prompt: &Prompt| prompt.section("RULES_SECTION").unwrap();
        if model.starts_with("claude") {
            let line = "\n\n- Write commit messages in English.";
            assert_eq!(rules(&changed), rules(&plain) + line);
        } else {
            assert_eq!(changed.text(), plain.text(), "{model}");
            assert_eq!(
                status(changed.report(), "RULES_SECTION"),
                status(plain.report(), "RULES_SECTION")
            );
        }
    }
}

#[test]
fn the_role_everywhere() {
    let folder = Folder::new(
        "-- overlay.toml\nschema = 1\nname = 'acme'\n[[section]]\nid = 'AGENT_ROLE_SECTION'\n\
         op = 'replace'\nfile = 'texts/role.md'\n-- texts/role.md\nYou are Acme's engineer.\n",
    );
    let acme = Overlay::from_dir(folder.path()).unwrap();
    assert_eq!((acme.name(), acme.changes().count()), ("acme", 1));
    let registry = builtin([acme]);
    let mut had_one = 0;
    for variant in builtin([]).variants() {
        let cx = PromptContext::default().with_variant(variant.id());
        let prompt = build(&registry, &cx);
        let Some(role) = prompt.section("AGENT_ROLE_SECTION") else { continue };
        had_one += 1;
        assert_eq!(role, "You are Acme's engineer.", "{}", variant.id());
        let section = prompt.sections().iter().find(|s| s.id == "AGENT_ROLE_SECTION").unwrap();
        assert!(section.origin.ends_with("/texts/role.md"), "{}", section.origin);
        assert!(section.spans.iter().all(|span| span.kind == SpanKind::Authored));
        let (_, origin, _) = status(prompt.report(), "AGENT_ROLE_SECTION");
        assert_eq!(origin.as_deref(), Some(section.origin.as_str()));
    }
    assert!(had_one > 5, "{had_one}");
}

#[test]
fn no_mcp() {
    let server = || {
        let tool = McpTool::new("search", "Find tickets.", json!({"type": "object"}));
        PromptContext::new("", "claude-sonnet-4-5")
            .with_mcp_server(McpServer::new("tickets").with_tool(tool))
    };
    let plain = build(&builtin([]), &server());
    assert!(plain.section("MCP_SECTION").unwrap().contains("tickets"));
    let registry = builtin([overlay(&change("MCP_SECTION", "remove", ""))]);
    let prompt = build(&registry, &server());
    assert_eq!(prompt.section("MCP_SECTION"), None);
    assert!(!prompt.text().contains("tickets"));
    let removed = ("removed".to_owned(), Some("o.toml".to_owned()), Some("by o.toml".to_owned()));
    assert_eq!(status(prompt.report(), "MCP_SECTION"), removed);
    // Where it was not there, nothing was taken out.
    let without = PromptContext::new("", "claude-sonnet-4-5");
    assert_eq!(status(build(&registry, &without).report(), "MCP_SECTION").0, "skipped");
    assert_eq!(build(&registry, &without).text(), build(&builtin([]), &without).text());
}

#[test]
fn braces_in_a_literal_text_stay() {
    let literal = "text = 'Say {{CWD}}, {{#if X}} and ${{ secrets.KEY }}.'";
    let said = text(&change("A_SECTION", "replace", literal));
    assert!(said.starts_with("Say {{CWD}}, {{#if X}} and ${{ secrets.KEY }}.\n"), "{said}");
    let template = "text = 'Say {{CWD}}.'\ntemplate = true";
    assert!(text(&change("A_SECTION", "replace", template)).starts_with("Say /w.\n"));
    let prompt = build(&registry([overlay(&change("A_SECTION", "replace", literal))]), &cx());
    assert_eq!(prompt.report().unresolved.len(), 0);
}

#[test]
fn each_operation() {
    let rows = [
        ("append", "text = 'More.'", "ALPHA\n\nThe first.\n\nMore."),
        ("prepend", "text = 'More.'", "More.\n\nALPHA\n\nThe first."),
        ("replace", "text = 'More.'", "More."),
        ("wrap", "before = '<a>'\nafter = '</a>'", "<a>\nALPHA\n\nThe first.\n</a>"),
        ("wrap", "after = 'END'", "ALPHA\n\nThe first.\nEND"),
        // Authored text is cleaned as a section, where `====` is text.
        (
            "append",
            "text = '\\n\\n\\n##\\n====\\n\\n\\n\\nx\\n\\n'",
            "ALPHA\n\nThe first.\n\n====\n\nx",
        ),
    ];
    for (op, more, expected) in rows {
        let more = if more.contains("\\n") { more.replace('\'', "\"") } else { more.to_owned() };
        let expected = PLAIN.replace("ALPHA\n\nThe first.", expected);
        assert_eq!(text(&change("A_SECTION", op, &more)), expected, "{op} {more}");
    }
    let removed = change("A_SECTION", "remove", "acknowledge = true");
    assert_eq!(text(&removed), PLAIN.replace("ALPHA\n\nThe first.\n\n====\n\n", ""));
    assert_eq!(text(""), PLAIN);
}

#[test]
fn a_section_keeps_its_own_condition() {
    let changes = change("B_SECTION", "replace", "text = 'Here.'");
    let registry = registry([overlay(&changes)]);
    assert_eq!(build(&registry, &cx()).section("B_SECTION").unwrap(), "Here.");
    let prompt = build(&registry, &PromptContext::default());
    assert_eq!(prompt.section("B_SECTION"), None);
    assert_eq!(status(prompt.report(), "B_SECTION").0, "skipped");
}

#[test]
fn one_after_the_other() {
    let add = |text: &str| overlay(&change("A_SECTION", "append", &format!("text = '{text}'")));
    let replace = || overlay(&change("A_SECTION", "replace", "text = 'New.'"));
    let remove = || overlay(&change("A_SECTION", "remove", "acknowledge = true"));
    let section = |overlays: Vec<Overlay>| build(&registry(overlays), &cx()).section("A_SECTION");
    let said = |text: &str| Some(text.to_owned());
    assert_eq!(section(vec![add("1"), add("2")]), said("ALPHA\n\nThe first.\n\n1\n\n2"));
    assert_eq!(section(vec![add("2"), add("1")]), said("ALPHA\n\nThe first.\n\n2\n\n1"));
    assert_eq!(section(vec![add("1"), replace(), add("2")]), said("New.\n\n2"));
    assert_eq!(section(vec![replace(), remove()]), None);
    assert_eq!(section(vec![remove(), add("Only.")]), said("Only."));
    let wrap = overlay(&change("A_SECTION", "wrap", "before = '<a>'"));
    let prompt = build(&registry([remove(), wrap]), &cx());
    assert_eq!(status(prompt.report(), "A_SECTION").0, "removed");
}

#[test]
fn conditions_of_all_kinds() {
    let rows = [
        ("{ variant = 'v' }", true),
        ("{ variant = 'w' }", false),
        ("{ is = 'claude' }", true),
        ("{ mode = 'plan' }", false),
        ("{ not = { flag = 'browser' } }", true),
        ("{ equals = { cwd = '/w' } }", true),
        ("{ tool = 'nothing' }", false),
        ("{ family = 'claude', version = '>=5' }", false),
    ];
    for (when, holds) in rows {
        let more = format!("text = 'More.'\nwhen = {when}");
        let registry = registry([overlay(&change("A_SECTION", "append", &more))]);
        let prompt = of_model(&registry, "claude-sonnet-4-5");
        assert_eq!(prompt.text().contains("More."), holds, "{when}");
        let origin = status(prompt.report(), "A_SECTION").1.unwrap();
        assert_eq!(origin == "o.toml", holds, "{when}: {origin}");
    }
}

#[test]
fn what_a_change_asks_for_makes_the_section_as_volatile() {
    let volatility = |more: &str| {
        let registry = registry([overlay(&change("A_SECTION", "append", more))]);
        let prompt = build(&registry, &cx());
        let section = prompt.sections().iter().find(|section| section.id == "A_SECTION").unwrap();
        serde_json::to_value(section.volatility).unwrap().as_str().unwrap().to_owned()
    };
    assert_eq!(volatility("text = 'x'"), "static");
    assert_eq!(volatility("text = '{{CWD}}'\ntemplate = true"), "conversation");
    assert_eq!(volatility("text = 'x'\nwhen = { family = 'gpt' }"), "static");
    assert_eq!(volatility("text = 'x'\nwhen = { not = { mode = 'plan' } }"), "turn");
    // A condition is judged as everywhere.
    assert_eq!(volatility("text = 'x'\nwhen = { has = 'mode' }"), "conversation");
    assert_eq!(volatility("text = 'x'\nwhen = { os = 'Linux*' }"), "conversation");
    assert_eq!(volatility("text = 'x'\nwhen = { is = 'claude' }"), "static");
}

#[test]
fn a_change_is_as_volatile_as_the_tools_that_it_asks_for() {
    let volatility = |more: &str| {
        let registry = builtin([overlay(&change("OBJECTIVE_SECTION", "append", more))]);
        let prompt = build(&registry, &cx().with_variant("generic"));
        let mut sections = prompt.sections().iter();
        sections.find(|section| section.id == "OBJECTIVE_SECTION").unwrap().volatility
    };
    for (more, right) in [
        ("text = 'x'\nwhen = { tool = 'read' }", Volatility::Static),
        ("text = 'x'\nwhen = { tool = 'skill' }", Volatility::Conversation),
        ("text = 'y{{#if tool.shell}}x{{/if}}'\ntemplate = true", Volatility::Static),
        ("text = 'y{{#if tool.skill}}x{{/if}}'\ntemplate = true", Volatility::Conversation),
    ] {
        assert_eq!(volatility(more), right, "{more}");
    }
}

#[test]
fn a_section_of_the_host_can_be_changed() {
    let host = promptline::component_fn("H_SECTION", |_| Ok(Some("Host.".into())));
    let registry = PromptRegistry::builder()
        .pack(crate::pack::pack(super::PACK))
        .component_at(host, promptline::Place::Last)
        .overlay(overlay(&change("H_SECTION", "append", "text = 'And we.'")))
        .build()
        .unwrap();
    assert!(build(&registry, &cx()).text().ends_with("Host.\n\nAnd we."));
}

#[test]
fn a_component_that_fails_is_still_reported() {
    let with = |op: &str| {
        let host = promptline::component_fn("H_SECTION", |_| {
            Err(promptline::ComponentError::new("no database"))
        });
        let registry = PromptRegistry::builder()
            .pack(crate::pack::pack(super::PACK))
            .component_at(host, promptline::Place::Last)
            .overlay(overlay(&change("H_SECTION", op, "text = 'x'")))
            .build()
            .unwrap();
        status(build(&registry, &cx()).report(), "H_SECTION").0
    };
    assert_eq!(with("append"), "failed");
    // What is replaced is not asked.
    assert_eq!(with("replace"), "rendered");
}

#[test]
fn the_fingerprint_knows_overlays() {
    let options = promptline::BuildOptions::new().with_fingerprint(true);
    let print = |overlays: Vec<Overlay>| {
        let prompt = registry(overlays).build_blocking_with(&cx(), &options).unwrap();
        prompt.fingerprint().unwrap().clone()
    };
    let one = |text: &str| overlay(&change("A_SECTION", "append", &format!("text = '{text}'")));
    assert_eq!(print(vec![one("x")]), print(vec![one("x")]));
    assert_ne!(print(vec![one("x")]).source, print(vec![one("y")]).source);
    assert_ne!(print(vec![one("x")]).source, print(vec![]).source);
}

#[test]
fn what_a_budget_may_do_stays_the_packs_business() {
    let pinned = super::PACK
        .replace("id = \"C_SECTION\"", "id = \"C_SECTION\"\npriority = 1\npinned = true");
    let registry = PromptRegistry::builder()
        .pack(crate::pack::pack(&pinned))
        .overlay(overlay(&change("B_SECTION", "append", "text = 'More.'")))
        .overlay(overlay(&change("C_SECTION", "append", "text = 'More.'")))
        .build()
        .unwrap();
    let budget = promptline::BuildOptions::new().with_budget(promptline::Budget::tokens(12));
    let prompt = registry.build_blocking_with(&cx(), &budget).unwrap();
    assert!(prompt.text().ends_with("The last.\n\nMore."), "{}", prompt.text());
    assert_eq!(prompt.section("B_SECTION"), None);
}
