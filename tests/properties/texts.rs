//! Whatever came from elsewhere comes out as it is, but for what DESIGN 2.5 says.

use std::sync::LazyLock;

use promptline::{
    McpServer, McpTool, Pack, Place, PromptContext, PromptRegistry, PromptVariant, RulesFile,
    Template,
    context::Skill,
    context::{McpResource, WorkspaceRoot},
    report::RulesStatus,
};
use proptest::prelude::*;
use serde_json::Value;

use crate::generate;

const VARIANTS: [&str; 3] = ["generic", "next-gen", "xs"];

fn registry() -> &'static PromptRegistry {
    static REGISTRY: LazyLock<PromptRegistry> = LazyLock::new(|| {
        let registry = PromptRegistry::builder().pack(Pack::builtin());
        registry.build().expect("the built-in pack is whole")
    });
    &REGISTRY
}

fn request(variant: &str) -> PromptContext {
    PromptContext::default().with_variant(variant)
}

// What is said of text on its way in, written once more and more simply than in the library.

pub(crate) fn without_noncharacters(text: &str) -> String {
    let noncharacter =
        |c: &char| matches!(u32::from(*c), 0xFDD0..=0xFDEF) || u32::from(*c) % 0x10000 >= 0xFFFE;
    text.chars().filter(|c| !noncharacter(c)).collect()
}

fn without_outer_blank_lines(text: &str) -> &str {
    let breaks = ['\n', '\r'];
    let mut rest = text;
    while let Some((line, behind)) = rest.split_once(breaks)
        && line.trim().is_empty()
    {
        rest = behind;
    }
    while let Some((before, line)) = rest.rsplit_once(breaks)
        && line.trim().is_empty()
    {
        rest = before;
    }
    if rest.trim().is_empty() { "" } else { rest }
}

/// A file: byte order mark, CRLF, noncharacters, outer blank lines.
fn file(text: &str) -> String {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let text = without_noncharacters(&text.replace("\r\n", "\n"));
    without_outer_blank_lines(&text).to_owned()
}

/// A name or path: one line.
fn label(text: &str) -> String {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let line = without_noncharacters(text).replace("\r\n", "\n").replace(breaks, " ");
    if line.trim().is_empty() { String::new() } else { line }
}

/// A description in a list: lines may be indented, and later ones must not read as structure.
fn check_listed(got: &str, given: &str) -> Result<(), TestCaseError> {
    let given = without_noncharacters(given).replace("\r\n", "\n").replace('\r', "\n");
    let want = without_outer_blank_lines(&given);
    prop_assert_eq!(got.split('\n').count(), want.split('\n').count());
    for (at, (got, want)) in got.split('\n').zip(want.split('\n')).enumerate() {
        prop_assert!(got == want || got.strip_prefix("  ") == Some(want), "{got:?} for {want:?}");
        let forges = ["#", "- ", "<", "====", "Description:", "Parameters:", "Usage:"]
            .iter()
            .any(|start| got.starts_with(start));
        prop_assert!(at == 0 || !forges, "{got:?} reads as structure");
    }
    Ok(())
}

#[test]
fn a_rules_file_with_nothing_in_it_leaves_no_trace() {
    let bare = registry().build_blocking(&request("generic")).unwrap();
    for nothing in ["", " \n\t", "\u{FEFF}", "\u{FEFF}\r\n", "\u{FDD0}", "\u{FEFF}\u{FFFF} "] {
        let cx = request("generic").with_rules(RulesFile::new("AGENTS.md", nothing));
        let prompt = registry().build_blocking(&cx).unwrap();
        assert_eq!(prompt.text(), bare.text(), "{nothing:?}");
        assert_eq!(prompt.report().rules[0].status, RulesStatus::Blank, "{nothing:?}");
    }
}

#[test]
fn a_name_that_prints_nothing_leaves_no_brackets() {
    for nothing in ["", " ", "\n", "\u{7F}", "\u{FDD0}"] {
        let mut resource = McpResource::new("db://x");
        resource.name = Some(nothing.to_owned());
        let mut root = WorkspaceRoot::new("b", "/b");
        root.vcs = Some(nothing.to_owned());
        let cx = request("generic")
            .with_mcp_server(McpServer::new("s").with_resource(resource))
            .with_workspace_root(WorkspaceRoot::new("a", "/a"))
            .with_workspace_root(root);
        let prompt = registry().build_blocking(&cx).unwrap();
        let servers = prompt.section("MCP_SECTION").unwrap();
        assert!(servers.ends_with("\n- db://x"), "{nothing:?} in {servers}");
        let machine = prompt.section("SYSTEM_INFO_SECTION").unwrap();
        assert!(machine.ends_with("\n- a: /a\n- b: /b"), "{nothing:?} in {machine}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_rules_file_comes_out_byte_for_byte(text in generate::text()) {
        let registry = registry();
        for variant in VARIANTS {
            let last = RulesFile::new("last.md", "The end.");
            let cx = request(variant).with_rules(RulesFile::new("a.md", text.as_str())).with_rules(last.clone());
            let prompt = registry.build_blocking(&cx).unwrap();
            let want = file(&text);
            if want.is_empty() {
                let without = registry.build_blocking(&request(variant).with_rules(last)).unwrap();
                prop_assert_eq!(prompt.text(), without.text());
            } else {
                let tail = format!("\n\n# Rules from a.md\n\n{want}\n\n# Rules from last.md\n\nThe end.");
                prop_assert!(prompt.text().contains(&tail), "{tail:?} is not in {:?}", prompt.text());
            }
        }
    }

    #[test]
    fn a_path_is_one_line(path in generate::text()) {
        let registry = registry();
        let rules = RulesFile::new(path.as_str(), "The end.");
        for variant in VARIANTS {
            let prompt = registry.build_blocking(&request(variant).with_rules(rules.clone())).unwrap();
            let tail = format!("\n\n# Rules from {}\n\nThe end.", label(&path));
            prop_assert!(prompt.text().contains(&tail), "{tail:?} is not in {:?}", prompt.text());
        }
        let cx = request("generic").with_cwd(path.as_str()).with_ide("Ed");
        let section = registry.build_blocking(&cx).unwrap().section("SYSTEM_INFO_SECTION").unwrap();
        let line = if label(&path).is_empty() {
            "\n- Editor: Ed".to_owned()
        } else {
            format!("\n- Working directory: {}\n- Editor: Ed", label(&path))
        };
        prop_assert!(section.ends_with(&line), "{line:?} ends not {section:?}");
    }

    #[test]
    fn a_runtime_value_comes_out_byte_for_byte(text in generate::text()) {
        let template = Template::parse("Before:\n{{VALUE}}\nBehind.").unwrap();
        let variant = PromptVariant::new("generic").with_template(template);
        let registry = PromptRegistry::builder().variant_at(variant, Place::First).build().unwrap();
        let cx = PromptContext::default().with_runtime("VALUE", text.as_str());
        let prompt = registry.build_blocking(&cx).unwrap();
        // No file, so CRLF and a byte order mark are the host's own business.
        let kept = without_noncharacters(&text);
        let want = format!("Before:\n{}\nBehind.", without_outer_blank_lines(&kept));
        prop_assert_eq!(prompt.text(), want);
    }

    #[test]
    fn a_runtime_value_in_a_section_comes_out_byte_for_byte(text in generate::text()) {
        let kept = without_noncharacters(&text);
        let want = without_outer_blank_lines(&kept);
        prop_assume!(!want.is_empty());
        for variant in VARIANTS {
            let cx = request(variant).with_runtime("AGENT_NAME", text.as_str());
            let prompt = registry().build_blocking(&cx).unwrap();
            let head = format!("You are {want}, a ");
            prop_assert!(prompt.text().starts_with(&head), "{head:?} begins not {:?}", prompt.text());
        }
    }

    #[test]
    fn of_an_mcp_description_only_lines_are_indented(text in generate::text()) {
        let server = McpServer::new("s")
            .with_tool(McpTool::new("t", text.as_str(), Value::Null))
            .with_tool(McpTool::new("u", "End.", Value::Null));
        let prompt = registry().build_blocking(&request("generic").with_mcp_server(server)).unwrap();
        let section = prompt.section("MCP_SECTION").unwrap();
        let entry = section
            .split_once("\n## s\n- t")
            .and_then(|(_, rest)| rest.strip_suffix("\n- u: End."))
            .expect("both tools");
        match entry.strip_prefix(": ") {
            Some(got) => check_listed(got, &text)?,
            None => prop_assert!(entry.is_empty() && without_noncharacters(&text).trim().is_empty()),
        }
    }

    #[test]
    fn of_a_skill_description_only_lines_are_indented(text in generate::text()) {
        let cx = request("generic").with_skill(Skill::new("a", text.as_str())).with_skill(Skill::new("b", "End."));
        let prompt = registry().build_blocking(&cx).unwrap();
        let section = prompt.section("SKILLS_SECTION").unwrap();
        let entry = section
            .split_once("\n- a")
            .and_then(|(_, rest)| rest.strip_suffix("\n- b: End."))
            .expect("both skills");
        match entry.strip_prefix(": ") {
            Some(got) => check_listed(got, &text)?,
            None => prop_assert!(entry.is_empty() && without_noncharacters(&text).trim().is_empty()),
        }
    }
}
