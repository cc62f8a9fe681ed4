//! Components: what they see, in which order they run, and that one that fails costs its own section
//! only.

mod blocking;
mod failures;
use crate::pack;
use promptline::{
    Component, ComponentCx, ComponentError, ComponentMeta, Condition, Place, Prompt, PromptContext,
    PromptRegistry, PromptRegistryBuilder, PromptVariant, Template, Text, ToolSpec, When,
    async_trait, component_fn, report::ComponentStatus, tools::ToolForm,
};
use serde_json::{Map, json};

fn cx() -> PromptContext {
    PromptContext::new("acme", "model-1")
}

/// A registry with one variant that lists these components.
fn listing(ids: &[&str]) -> PromptRegistryBuilder {
    PromptRegistry::builder()
        .variant_at(PromptVariant::new("v").with_components(ids.iter().copied()), Place::First)
}

fn build(registry: PromptRegistryBuilder, cx: &PromptContext) -> Prompt {
    registry
        .build()
        .and_then(|registry| registry.build_blocking(cx))
        .unwrap_or_else(|error| panic!("{error:#}"))
}

fn says(id: &'static str, words: &'static str) -> impl Component + 'static {
    component_fn(id, move |_| Ok(Some(Text::from(words))))
}

/// What the report says of a component: status, and reason.
fn reported(prompt: &Prompt, id: &str) -> (ComponentStatus, Option<String>) {
    let component = prompt.report().components.iter().find(|c| c.id == id);
    let component = component.expect("every listed component is in the report");
    (component.status, component.reason.clone())
}

fn warnings(prompt: &Prompt) -> Vec<String> {
    prompt.report().warnings().map(ToString::to_string).collect()
}

#[test]
fn a_component_sees_the_sections_before_it_and_no_others() {
    let looks = component_fn("B", |cx| {
        let seen = ["A", "B", "C"].map(|id| cx.section(id).unwrap_or_else(|| "-".to_owned()));
        Ok(Some(Text::authored(seen.join(" "))))
    });
    let registry = listing(&["A", "B", "C"])
        .component_at(says("C", "c"), Place::Listed)
        .component_at(says("A", "a"), Place::Listed)
        .component_at(looks, Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(prompt.section("B").as_deref(), Some("a - -"));
}

#[test]
fn a_template_sees_the_sections_before_it_as_sections() {
    let renders = component_fn("B", |cx| {
        let template = Template::parse("b in {{A}} with {{#if C}}c{{else}}no c{{/if}}")?;
        Ok(Some(cx.render(&template, &Map::new())?))
    });
    let registry = listing(&["A", "B"])
        .component_at(says("A", "a"), Place::Listed)
        .component_at(renders, Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(prompt.text(), "a\n\n====\n\nb in a with no c");
    let inner = prompt.sections().iter().find(|s| s.parent.is_some());
    assert_eq!(inner.unwrap().id, "A");
}

#[test]
fn a_section_taken_as_text_is_verbatim_and_never_a_template() {
    let again = component_fn("B", |cx| Ok(cx.section("A").map(Text::from)));
    let registry = listing(&["A", "B"])
        .component_at(
            component_fn("A", |_| Ok(Some(Text::verbatim("{{CWD}} ====", "test")))),
            Place::Listed,
        )
        .component_at(again, Place::Listed);
    let prompt = build(registry, &cx().with_cwd("/home/ada"));
    assert_eq!(prompt.section("B").as_deref(), Some("{{CWD}} ===="));
}

#[test]
fn components_run_one_after_the_other_in_the_order_of_the_list() {
    let order = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let notes = |id: &'static str| {
        let order = std::sync::Arc::clone(&order);
        component_fn(id, move |_| {
            order.lock().unwrap().push_str(id);
            Ok(None)
        })
    };
    let registry = listing(&["C", "A", "B"])
        .component_at(notes("A"), Place::Listed)
        .component_at(notes("B"), Place::Listed)
        .component_at(notes("C"), Place::Listed)
        // Not listed by the variant: not run.
        .component_at(notes("D"), Place::Listed);
    build(registry, &cx());
    assert_eq!(*order.lock().unwrap(), "CAB");
}

#[test]
fn a_component_knows_the_request_the_variant_and_the_tools() {
    struct Tracker(&'static str);
    let asks = component_fn("A", |cx| {
        let tools: Vec<&str> = cx.tools().iter().map(|tool| tool.name()).collect();
        let tracker = cx.handle::<Tracker>().map_or("none", |tracker| tracker.0);
        Ok(Some(Text::authored(format!(
            "{} {} {} {tracker} {:?}",
            cx.variant(),
            cx.context().model.id,
            tools.join("+"),
            cx.handle::<u8>()
        ))))
    });
    let variant = PromptVariant::new("v")
        .with_components(["A"])
        .with_tools(["read", "list"])
        .with_own_tool(ToolSpec::new("read").with_name("open"))
        .with_own_tool(ToolSpec::new("list").with_when(Condition::flag("list")));
    let registry = PromptRegistry::builder()
        .component_at(asks, Place::Listed)
        .variant_at(variant, Place::First);
    let prompt = build(registry, &cx().with_handle(Tracker("jira")));
    assert_eq!(prompt.text(), "v model-1 open jira None");
}

#[test]
fn values_of_a_component_come_before_every_layer_and_are_verbatim() {
    let renders = component_fn("A", |cx| {
        let template = Template::parse("{{CWD}} {{OS}} {{N}}")?;
        let mut values = Map::new();
        values.insert("CWD".to_owned(), json!("{{OS}}"));
        values.insert("N".to_owned(), json!(3));
        values.insert("OS".to_owned(), json!(null));
        Ok(Some(cx.render(&template, &values)?))
    });
    let registry = listing(&["A"]).component_at(renders, Place::Listed);
    let cx = cx().with_cwd("/x").with_os("Linux").with_runtime("CWD", "/runtime");
    assert_eq!(build(registry, &cx).text(), "{{OS}} Linux 3");
}

#[test]
fn a_warning_of_a_component_is_in_the_report() {
    let warns = component_fn("A", |cx| {
        cx.warn("the tracker is slow today");
        Ok(Some(Text::from("a")))
    });
    let prompt = build(listing(&["A"]).component_at(warns, Place::Listed), &cx());
    assert_eq!(prompt.text(), "a");
    assert_eq!(warnings(&prompt), ["warning[component-warning]: the tracker is slow today"]);
    assert_eq!(prompt.report().warnings().next().unwrap().subject.as_deref(), Some("A"));
}

// Conditions and `required`.

struct Conditional(When, bool);

#[async_trait]
impl Component for Conditional {
    fn id(&self) -> &str {
        "X"
    }
    async fn render(&self, _: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        Ok((!self.1).then(|| Text::from("x")))
    }
    fn meta(&self) -> ComponentMeta {
        ComponentMeta::new().with_when(self.0.clone()).with_required(self.1)
    }
}

#[test]
fn a_component_whose_condition_does_not_hold_is_skipped_with_the_reason() {
    let when = |when: When, cx: &PromptContext| {
        build(listing(&["X"]).component_at(Conditional(when, false), Place::Listed), cx)
    };
    let flag = || When::from(Condition::flag("x"));
    assert_eq!(when(flag(), &cx().with_flag("x")).text(), "x");
    let skipped = when(flag(), &cx());
    assert_eq!(skipped.text(), "");
    assert_eq!(
        reported(&skipped, "X"),
        (ComponentStatus::Skipped, Some("flag x is off".to_owned()))
    );
    assert_eq!(warnings(&skipped), [""; 0]);

    let no = When::check(|_| Ok::<_, std::io::Error>(false));
    assert_eq!(reported(&when(no, &cx()), "X").0, ComponentStatus::Skipped);
    let panics = When::check(|_| -> Result<bool, std::io::Error> { panic!("no idea") });
    assert_eq!(
        reported(&when(panics, &cx()), "X"),
        (ComponentStatus::Failed, Some("panicked: no idea".to_owned()))
    );
}

#[test]
fn conditions_of_components_may_ask_for_the_variant_and_for_tools() {
    let archive = r#"
-- variants/pack.toml
schema = 1
name = "p"
variants = ["v", "w"]
-- variants/v/variant.toml
schema = 1
components = ["A_SECTION", "B_SECTION"]
tools = ["read"]
-- variants/w/variant.toml
schema = 1
components = ["A_SECTION", "B_SECTION"]
-- templates/components/a.md
+++
id = "A_SECTION"
when = { variant = "w" }
+++
Only in w.
-- templates/components/b.md
+++
id = "B_SECTION"
when = { tool = "open" }
+++
Only with {{tool.open.name}}.
-- templates/tools/read.toml
schema = 1
id = "read"
tool_role = "open"
"#;
    let text = |id: &str| pack::built(&[archive], &cx().with_variant(id)).into_text();
    assert_eq!(text("v"), "Only with read.");
    assert_eq!(text("w"), "Only in w.");
}

#[test]
fn a_required_component_that_is_blank_is_a_warning() {
    let registry = listing(&["X"]).component_at(Conditional(When::Always, true), Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(
        warnings(&prompt),
        ["warning[component-empty]: the component `X` is required, and has nothing to say"]
    );
    // So it is in a file.
    let archive = format!(
        "{}-- templates/components/a.md\n+++\nid = \"A_SECTION\"\nrequired = true\n+++\n{{{{CWD}}}}\n",
        pack::SMALL
    );
    let codes = |cx: &PromptContext| warnings(&pack::built(&[&archive], cx)).len();
    assert_eq!((codes(&cx()), codes(&cx().with_cwd("/x"))), (1, 0));
}

#[test]
fn a_variant_that_describes_no_tools_offers_none() {
    let prompt = |form: ToolForm| {
        let base = "{{#if tool.edit}}Edit with {{tool.edit.name}}.{{/if}}\n\n{{TOOLS_SECTION}}";
        let variant = PromptVariant::new("v")
            .with_template(Template::parse(base).unwrap())
            .with_tools(["replace"])
            .with_own_tool(
                ToolSpec::new("replace").with_role("edit").with_description("Changes a file."),
            )
            .with_tool_form(form);
        build(PromptRegistry::builder().variant_at(variant, Place::First), &cx())
    };
    let taught = prompt(ToolForm::Xml);
    assert!(taught.text().starts_with("Edit with replace.\n\n## replace\n"), "{}", taught.text());
    assert_eq!(taught.tool_names().len(), 1);
    let silent = prompt(ToolForm::None);
    assert_eq!(silent.text(), "");
    assert!(silent.tool_names().is_empty());
}
