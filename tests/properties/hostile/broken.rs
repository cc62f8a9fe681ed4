//! Host code that panics costs what it would have said, and nothing else.

use promptline::{
    Component, ComponentCx, ComponentError, Pack, Place, PromptContext, PromptRegistry,
    PromptVariant, Text, ToolSet, ToolSpec, When, async_trait, component_fn,
    report::{ComponentStatus, ToolStatus},
};

use super::{builtin, pending_once};

/// Panics when it is rendered, or when its future is polled.
struct Panics {
    asynchronous: bool,
}

#[async_trait]
impl Component for Panics {
    fn id(&self) -> &str {
        if self.asynchronous { "LATE_SECTION" } else { "EARLY_SECTION" }
    }

    async fn render(&self, _: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        if self.asynchronous {
            pending_once().await;
        }
        panic!("out of {}", self.id())
    }
}

#[test]
fn a_component_that_panics_costs_its_own_section() {
    let closure = component_fn("CLOSURE_SECTION", |_| panic!("out of a closure"));
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .component_at(Panics { asynchronous: false }, Place::First)
        .component_at(Panics { asynchronous: true }, Place::First)
        .component_at(closure, Place::First)
        .build()
        .unwrap();
    let cx = PromptContext::default();
    let prompt = registry.build_blocking(&cx).unwrap();
    assert_eq!(prompt.text(), builtin(&cx).text());
    for (id, said) in [
        ("EARLY_SECTION", "panicked: out of EARLY_SECTION"),
        ("LATE_SECTION", "panicked: out of LATE_SECTION"),
        ("CLOSURE_SECTION", "panicked: out of a closure"),
    ] {
        let component = prompt.report().components.iter().find(|component| component.id == id);
        let component = component.expect("a line in the report");
        assert_eq!(component.status, ComponentStatus::Failed, "{id}");
        assert_eq!(component.reason.as_deref(), Some(said));
        let warned = |warning: &promptline::Diagnostic| {
            warning.code == "component-failed" && warning.subject.as_deref() == Some(id)
        };
        assert!(prompt.report().warnings().any(warned), "{id}");
    }
}

#[test]
fn a_matcher_that_panics_is_passed_over() {
    let variant = PromptVariant::new("mine").with_matcher(|_| panic!("out of a matcher"));
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .variant_at(variant, Place::First)
        .build()
        .unwrap();
    let prompt = registry.build_blocking(&PromptContext::default()).unwrap();
    assert_eq!(prompt.variant().id, "generic");
    let verdict = &prompt.report().matchers[0];
    assert!(verdict.failed && !verdict.matched);
    assert_eq!(verdict.reason, "panicked: out of a matcher");
    assert!(prompt.report().warnings().any(|warning| warning.code == "matcher-failed"));
}

#[test]
fn a_tool_whose_condition_panics_is_left_out() {
    let when = When::check(|_| -> Result<bool, std::io::Error> { panic!("out of a tool") });
    let tools = ToolSet::new().add(ToolSpec::new("broken").with_when(when));
    let registry = PromptRegistry::builder().pack(Pack::builtin()).tools(tools).build().unwrap();
    let cx = PromptContext::default();
    let prompt = registry.build_blocking(&cx).unwrap();
    assert_eq!(prompt.text(), builtin(&cx).text());
    let tool = prompt.report().tools.iter().find(|tool| tool.id == "broken").unwrap();
    assert_eq!(tool.status, ToolStatus::Failed);
    assert_eq!(tool.reason.as_deref(), Some("panicked: out of a tool"));
}
