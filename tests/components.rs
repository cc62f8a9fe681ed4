//! Components: what they see, in which order they run, and that one that fails costs its own section
//! only.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the helpers of a test fail as the test does"
)]

#[path = "support/pack.rs"]
mod pack;

use std::future::poll_fn;
use std::task::Poll;

use promptline::{
    Component, ComponentCx, ComponentError, ComponentStatus, Condition, Place, Prompt,
    PromptContext, PromptRegistry, PromptRegistryBuilder, PromptVariant, Template, Text, ToolSpec,
    When, async_trait, component_fn,
};
use serde_json::{Map, json};

fn cx() -> PromptContext {
    PromptContext::new("acme", "model-1")
}

/// A registry with one variant that lists these components.
fn listing(ids: &[&str]) -> PromptRegistryBuilder {
    PromptRegistry::builder()
        .variant(PromptVariant::new("v").components(ids.iter().copied()), Place::First)
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
fn told(prompt: &Prompt, id: &str) -> (ComponentStatus, Option<String>) {
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
        .component(says("C", "c"), Place::Listed)
        .component(says("A", "a"), Place::Listed)
        .component(looks, Place::Listed);
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
        .component(says("A", "a"), Place::Listed)
        .component(renders, Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(prompt.text(), "a\n\n====\n\nb in a with no c");
    let inner = prompt.sections().iter().find(|s| s.parent.is_some());
    assert_eq!(inner.unwrap().id, "A");
}

#[test]
fn a_section_taken_as_text_is_verbatim_and_never_a_template() {
    let again = component_fn("B", |cx| Ok(cx.section("A").map(Text::from)));
    let registry = listing(&["A", "B"])
        .component(
            component_fn("A", |_| Ok(Some(Text::verbatim("{{CWD}} ====", "test")))),
            Place::Listed,
        )
        .component(again, Place::Listed);
    let prompt = build(registry, &cx().cwd("/home/ada"));
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
        .component(notes("A"), Place::Listed)
        .component(notes("B"), Place::Listed)
        .component(notes("C"), Place::Listed)
        // Not listed by the variant: not run.
        .component(notes("D"), Place::Listed);
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
        .components(["A"])
        .tools(["read", "list"])
        .own_tool(ToolSpec::new("read").name("open"))
        .own_tool(ToolSpec::new("list").when(Condition::flag("list")));
    let registry =
        PromptRegistry::builder().component(asks, Place::Listed).variant(variant, Place::First);
    let prompt = build(registry, &cx().handle(Tracker("jira")));
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
    let registry = listing(&["A"]).component(renders, Place::Listed);
    let cx = cx().cwd("/x").os("Linux").runtime("CWD", "/runtime");
    assert_eq!(build(registry, &cx).text(), "{{OS}} Linux 3");
}

#[test]
fn a_warning_of_a_component_is_in_the_report() {
    let warns = component_fn("A", |cx| {
        cx.warn("the tracker is slow today");
        Ok(Some(Text::from("a")))
    });
    let prompt = build(listing(&["A"]).component(warns, Place::Listed), &cx());
    assert_eq!(prompt.text(), "a");
    assert_eq!(warnings(&prompt), ["warning[component-warning]: the tracker is slow today"]);
    assert_eq!(prompt.report().warnings().next().unwrap().subject.as_deref(), Some("A"));
}

// Async components.

struct Slow(&'static str);

#[async_trait]
impl Component for Slow {
    fn id(&self) -> &str {
        self.0
    }

    async fn render(&self, cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        // Ready at the second time of asking.
        let mut asked = false;
        poll_fn(|task| {
            task.waker().wake_by_ref();
            if std::mem::replace(&mut asked, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        match self.0 {
            "PANICS" => panic!("after waiting"),
            "FAILS" => Err(ComponentError::new("after waiting")),
            id => Ok(Some(Text::authored(format!(
                "{id} after {}",
                cx.section("A").unwrap_or_default()
            )))),
        }
    }
}

#[test]
fn an_async_component_is_waited_for_before_the_next_one_runs() {
    let registry = listing(&["A", "SLOW", "B"])
        .component(says("A", "a"), Place::Listed)
        .component(
            component_fn("B", |cx| Ok(cx.section("SLOW").map(Text::authored))),
            Place::Listed,
        )
        .component(Slow("SLOW"), Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(prompt.section("B").as_deref(), Some("SLOW after a"));
}

#[test]
fn an_async_component_that_panics_or_fails_later_costs_its_own_section() {
    let registry = listing(&["PANICS", "FAILS", "A"])
        .component(Slow("PANICS"), Place::Listed)
        .component(Slow("FAILS"), Place::Listed)
        .component(says("A", "a"), Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(prompt.text(), "a");
    let reason = Some("panicked: after waiting".to_owned());
    assert_eq!(told(&prompt, "PANICS"), (ComponentStatus::Failed, reason));
    assert_eq!(
        warnings(&prompt),
        [
            "warning[component-failed]: the component `PANICS` is left out: panicked: after waiting",
            "warning[component-failed]: the component `FAILS` is left out: after waiting",
        ]
    );
}

// Failures.

/// The prompt of a component that ends like this, between two that work.
fn between(
    ends: impl Fn() -> Result<Option<Text>, ComponentError> + Send + Sync + 'static,
) -> Prompt {
    let registry = listing(&["A", "X", "B"])
        .component(says("A", "a"), Place::Listed)
        .component(component_fn("X", move |_| ends()), Place::Listed)
        .component(says("B", "b"), Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(prompt.text(), "a\n\n====\n\nb");
    prompt
}

#[test]
fn an_error_is_a_warning_with_all_its_causes() {
    let prompt = between(|| {
        let text = std::str::from_utf8(b"\xff").map_err(std::io::Error::other)?;
        Ok(Some(Text::authored(text)))
    });
    let (status, reason) = told(&prompt, "X");
    assert_eq!(status, ComponentStatus::Failed);
    assert!(reason.unwrap().contains("invalid utf-8"));
    let warning = prompt.report().warnings().next().unwrap();
    assert_eq!(
        (warning.code.as_str(), warning.subject.as_deref()),
        ("component-failed", Some("X"))
    );
}

#[test]
fn a_panic_is_a_warning() {
    for (number, right) in
        ["panicked: in words", "panicked: with 3 values", "panicked"].into_iter().enumerate()
    {
        let prompt = between(move || match number {
            0 => panic!("in words"),
            1 => panic!("with {} values", number + 2),
            _ => std::panic::panic_any(7_u8),
        });
        assert_eq!(told(&prompt, "X"), (ComponentStatus::Failed, Some(right.to_owned())));
    }
}

/// Everything that a component of a host is asked may panic, not only `render`.
#[test]
fn a_panic_in_any_other_method_is_a_warning_too() {
    struct Panics(&'static str);
    #[async_trait]
    impl Component for Panics {
        fn id(&self) -> &str {
            "X"
        }
        async fn render(&self, _: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
            Ok((self.0 != "required").then(|| Text::from("x")))
        }
        fn volatility(&self) -> Option<promptline::Volatility> {
            assert_ne!(self.0, "volatility");
            None
        }
        fn required(&self) -> bool {
            assert_ne!(self.0, "required");
            false
        }
    }
    for method in ["volatility", "required"] {
        let registry = listing(&["X", "A"])
            .component(Panics(method), Place::Listed)
            .component(says("A", "a"), Place::Listed);
        let prompt = build(registry, &cx());
        assert_eq!(prompt.text(), "a", "{method}");
        assert_eq!(told(&prompt, "X").0, ComponentStatus::Failed, "{method}");
    }
}

#[test]
fn a_component_that_nobody_registered_is_a_warning() {
    let prompt = build(listing(&["GONE", "A"]).component(says("A", "a"), Place::Listed), &cx());
    assert_eq!(prompt.text(), "a");
    assert_eq!(told(&prompt, "GONE"), (ComponentStatus::Unknown, None));
    assert_eq!(
        warnings(&prompt),
        ["warning[component-unknown]: the variant lists `GONE`, which nobody has registered"]
    );
}

#[test]
fn what_has_nothing_to_say_has_no_section() {
    type Blank = fn() -> Option<Text>;
    let blanks: [Blank; 6] = [
        || None,
        || Some(Text::new()),
        || Some(Text::from(" \n\t\n ")),
        || Some(Text::verbatim("\n \n", "test")),
        || Some(Text::label("\n", "test")),
        // Not blank before the clean-up: a bare heading.
        || Some(Text::from("\n##\n")),
    ];
    for blank in blanks {
        let prompt = between(move || Ok(blank()));
        assert_eq!(told(&prompt, "X"), (ComponentStatus::Empty, None));
        assert_eq!(warnings(&prompt), [""; 0], "it is no fault");
    }
}

#[test]
fn the_placeholder_of_a_component_without_a_section_falls_to_the_layer_below() {
    let variant = || PromptVariant::new("v").components(["X"]).placeholder("X", "below");
    for fails in [true, false] {
        let ends = component_fn("X", move |_| match fails {
            true => Err(ComponentError::new("no")),
            false => Ok(None),
        });
        let registry = PromptRegistry::builder()
            .component(ends, Place::Listed)
            .variant(variant(), Place::First);
        assert_eq!(build(registry, &cx()).text(), "below");
    }
    let registry = PromptRegistry::builder().variant(variant(), Place::First);
    assert_eq!(build(registry, &cx()).text(), "below");
}

#[test]
fn a_component_that_fails_in_one_build_may_work_in_the_next() {
    let fussy = component_fn("X", |cx| match &cx.context().cwd {
        Some(cwd) => Ok(Some(Text::label(cwd, "context:cwd"))),
        None => Err(ComponentError::new("where am I?")),
    });
    let registry = listing(&["X"]).component(fussy, Place::Listed).build().unwrap();
    let text = |cx: &PromptContext| registry.build_blocking(cx).unwrap().into_text();
    assert_eq!(text(&cx()), "");
    assert_eq!(text(&cx().cwd("/x")), "/x");
    assert_eq!(text(&cx()), "");
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
    fn when(&self) -> When {
        self.0.clone()
    }
    fn required(&self) -> bool {
        self.1
    }
}

#[test]
fn a_component_whose_condition_does_not_hold_is_skipped_with_the_reason() {
    let when = |when: When, cx: &PromptContext| {
        build(listing(&["X"]).component(Conditional(when, false), Place::Listed), cx)
    };
    let flag = || When::from(Condition::flag("x"));
    assert_eq!(when(flag(), &cx().flag("x")).text(), "x");
    let skipped = when(flag(), &cx());
    assert_eq!(skipped.text(), "");
    assert_eq!(told(&skipped, "X"), (ComponentStatus::Skipped, Some("flag x is off".to_owned())));
    assert_eq!(warnings(&skipped), [""; 0]);

    let no = When::check(|_| Ok::<_, std::io::Error>(false));
    assert_eq!(told(&when(no, &cx()), "X").0, ComponentStatus::Skipped);
    let panics = When::check(|_| -> Result<bool, std::io::Error> { panic!("no idea") });
    assert_eq!(
        told(&when(panics, &cx()), "X"),
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
    let text = |id: &str| pack::built(&[archive], &cx().variant(id)).into_text();
    assert_eq!(text("v"), "Only with read.");
    assert_eq!(text("w"), "Only in w.");
}

#[test]
fn a_required_component_that_is_blank_is_a_warning() {
    let registry = listing(&["X"]).component(Conditional(When::Always, true), Place::Listed);
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
    assert_eq!((codes(&cx()), codes(&cx().cwd("/x"))), (1, 0));
}
