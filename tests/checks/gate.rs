//! Gates on the size of prompts: which sections are blamed, native tools among them.

use promptline::testing::{Gate, Matrix, OverGate, OverGateKind};
use promptline::{Pack, PromptContext, PromptRegistry, RulesFile, ToolSet, ToolSpec};

fn context() -> PromptContext {
    PromptContext::new("anthropic", "claude-sonnet-4-5").with_cwd("/src").with_flag("native_tools")
}

fn shown(over: &[OverGate]) -> Vec<String> {
    let sections = |over: &OverGate| {
        let sections = over.sections.iter().map(|s| format!("{} {}", s.id, s.bytes));
        sections.collect::<Vec<_>>().join(", ")
    };
    over.iter().map(|o| format!("{}/{}: {}", o.variant, o.context, sections(o))).collect()
}

#[test]
fn the_sections_that_grew_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let registry = || PromptRegistry::builder().pack(Pack::builtin());
    let matrix = |registry, cx| {
        let matrix = Matrix::new(registry).context("one", cx);
        matrix.snapshots_dir(folder.path()).only("native-next-gen")
    };
    let before = registry().build().unwrap();
    matrix(&before, context()).update().unwrap();
    let none = Gate::new().max_growth(0.0);
    assert_eq!(matrix(&before, context()).gate(&none).unwrap(), []);

    let rules = RulesFile::new("AGENTS.md", "Use tabs.");
    let tool = ToolSpec::new("create_ticket").with_description("Opens a ticket.");
    let after = registry().tools(ToolSet::new().add(tool)).build().unwrap();
    let over = matrix(&after, context().with_rules(rules)).gate(&none).unwrap();
    assert_eq!(over[0].kind, OverGateKind::Growth);
    assert!(over[0].bytes_before.unwrap() < over[0].bytes);
    // The section that is new, the separator before it, and the tool.
    let names: Vec<&str> = over[0].sections.iter().map(|s| s.id.as_str()).collect();
    assert!(names.contains(&"tools") && names.contains(&"USER_INSTRUCTIONS_SECTION"), "{names:?}");
    let grown: usize = over[0].sections.iter().map(|s| s.bytes).sum();
    assert_eq!(grown, over[0].bytes - over[0].bytes_before.unwrap(), "{:?}", shown(&over));
    assert_eq!(matrix(&after, context()).gate(&Gate::new().max_growth(1.0)).unwrap(), []);
}

/// Golden files keep differences of all contexts but one: growth is counted from the prompt all the same.
#[test]
fn what_is_kept_as_a_difference_is_compared_too() {
    let folder = tempfile::tempdir().unwrap();
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let rules = |text: &str| context().with_rules(RulesFile::new("AGENTS.md", text));
    let matrix = |text| {
        let matrix =
            Matrix::new(&registry).context("basic", context()).context("rules", rules(text));
        matrix.snapshots_dir(folder.path()).only("native-next-gen")
    };
    matrix("Use tabs.").update().unwrap();
    let none = Gate::new().max_growth(0.0);
    assert_eq!(matrix("Use tabs.").gate(&none).unwrap(), []);
    let over = matrix("Use tabs and commas.").gate(&none).unwrap();
    assert_eq!(shown(&over), ["native-next-gen/rules: USER_INSTRUCTIONS_SECTION 11"]);
    assert_eq!(over[0].bytes - over[0].bytes_before.unwrap(), 11);
    assert!(over[0].file.as_ref().unwrap().ends_with("contexts.diff"));
    // Where the two do not go together there is nothing to count from.
    std::fs::write(folder.path().join("native-next-gen/basic.prompt"), "another").unwrap();
    let error = matrix("Use tabs.").gate(&none).unwrap_err();
    assert!(error.to_string().contains("does not match"), "{error}");
}

#[test]
fn what_is_new_is_reported_beside_what_grew() {
    let folder = tempfile::tempdir().unwrap();
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let matrix = || Matrix::new(&registry).snapshots_dir(folder.path()).only("xs");
    let gate = Gate::new().max_growth(0.05);
    matrix().context("old", context()).update().unwrap();
    let with_new = matrix().context("old", context()).context("new", context());
    let over = with_new.gate(&gate).unwrap();
    let kinds: Vec<_> = over.iter().map(|over| (over.context.as_str(), over.kind)).collect();
    assert_eq!(kinds, [("new", OverGateKind::New)]);
    // Sizes alone need no golden files, and without any there is nothing to compare.
    assert_eq!(with_new.gate(&Gate::new().max_tokens(100_000)).unwrap(), []);
    assert!(matrix().context("new", context()).gate(&gate).is_err());
}

#[test]
fn the_largest_sections_are_named() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let matrix = Matrix::new(&registry).context("one", context()).only("xs");
    let size = matrix.sizes().unwrap().remove(0);
    assert_eq!(matrix.gate(&Gate::new().max_tokens(size.tokens)).unwrap(), []);
    let over = matrix.gate(&Gate::new().max_tokens(size.tokens - 1)).unwrap();
    assert_eq!((over[0].kind, over[0].bytes), (OverGateKind::Tokens, size.bytes));
    assert!(over[0].sections.is_sorted_by(|a, b| a.bytes >= b.bytes), "{:?}", shown(&over));
    assert_eq!(matrix.gate(&Gate::new()).unwrap(), []);
}
