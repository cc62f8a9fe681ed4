//! A component that fails costs its own section only, whatever way it fails.

use std::future::poll_fn;
use std::task::Poll;

use promptline::{
    Component, ComponentCx, ComponentError, ComponentMeta, Place, Prompt, PromptContext,
    PromptRegistry, PromptVariant, Text, async_trait, component_fn, report::ComponentStatus,
};

use super::{build, cx, listing, reported, says, warnings};

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
        .component_at(says("A", "a"), Place::Listed)
        .component_at(
            component_fn("B", |cx| Ok(cx.section("SLOW").map(Text::authored))),
            Place::Listed,
        )
        .component_at(Slow("SLOW"), Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(prompt.section("B").as_deref(), Some("SLOW after a"));
}

#[test]
fn an_async_component_that_panics_or_fails_later_costs_its_own_section() {
    let registry = listing(&["PANICS", "FAILS", "A"])
        .component_at(Slow("PANICS"), Place::Listed)
        .component_at(Slow("FAILS"), Place::Listed)
        .component_at(says("A", "a"), Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(prompt.text(), "a");
    let reason = Some("panicked: after waiting".to_owned());
    assert_eq!(reported(&prompt, "PANICS"), (ComponentStatus::Failed, reason));
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
        .component_at(says("A", "a"), Place::Listed)
        .component_at(component_fn("X", move |_| ends()), Place::Listed)
        .component_at(says("B", "b"), Place::Listed);
    let prompt = build(registry, &cx());
    assert_eq!(prompt.text(), "a\n\n====\n\nb");
    prompt
}

#[test]
fn an_error_is_a_warning_with_all_its_causes() {
    let prompt = between(|| {
        let text = String::from_utf8(vec![0xff]).map_err(std::io::Error::other)?;
        Ok(Some(Text::authored(text)))
    });
    let (status, reason) = reported(&prompt, "X");
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
        assert_eq!(reported(&prompt, "X"), (ComponentStatus::Failed, Some(right.to_owned())));
    }
}

/// What a component says about itself is read when the registry is built.
#[test]
fn a_panic_in_meta_is_an_error_of_the_registry() {
    struct Panics;
    #[async_trait]
    impl Component for Panics {
        fn id(&self) -> &str {
            "X"
        }
        async fn render(&self, _: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
            Ok(None)
        }
        fn meta(&self) -> ComponentMeta {
            panic!("no idea")
        }
    }
    let error = listing(&["X"]).component_at(Panics, Place::Listed).build().unwrap_err();
    assert_eq!(error.message(), "a component of the host panicked: no idea");
}

#[test]
fn a_component_that_is_not_registered_is_a_warning() {
    let prompt = build(listing(&["GONE", "A"]).component_at(says("A", "a"), Place::Listed), &cx());
    assert_eq!(prompt.text(), "a");
    assert_eq!(reported(&prompt, "GONE"), (ComponentStatus::Unknown, None));
    assert_eq!(
        warnings(&prompt),
        ["warning[component-unknown]: the variant lists `GONE`, which is not registered"]
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
        assert_eq!(reported(&prompt, "X"), (ComponentStatus::Empty, None));
        assert_eq!(warnings(&prompt), [""; 0], "it is no fault");
    }
}

#[test]
fn the_placeholder_of_a_component_without_a_section_falls_to_the_layer_below() {
    let variant = || PromptVariant::new("v").with_components(["X"]).with_placeholder("X", "below");
    for fails in [true, false] {
        let ends = component_fn("X", move |_| match fails {
            true => Err(ComponentError::new("no")),
            false => Ok(None),
        });
        let registry = PromptRegistry::builder()
            .component_at(ends, Place::Listed)
            .variant_at(variant(), Place::First);
        assert_eq!(build(registry, &cx()).text(), "below");
    }
    let registry = PromptRegistry::builder().variant_at(variant(), Place::First);
    assert_eq!(build(registry, &cx()).text(), "below");
}

#[test]
fn a_component_that_fails_in_one_build_may_work_in_the_next() {
    let fussy = component_fn("X", |cx| match &cx.context().cwd {
        Some(cwd) => Ok(Some(Text::label(cwd, "context:cwd"))),
        None => Err(ComponentError::new("where am I?")),
    });
    let registry = listing(&["X"]).component_at(fussy, Place::Listed).build().unwrap();
    let text = |cx: &PromptContext| registry.build_blocking(cx).unwrap().into_text();
    assert_eq!(text(&cx()), "");
    assert_eq!(text(&cx().with_cwd("/x")), "/x");
    assert_eq!(text(&cx()), "");
}
