//! Builds at the same time never see each other.

use promptline::{
    Component, ComponentCx, ComponentError, Place, PromptContext, PromptRegistry, PromptVariant,
    Template, Text, async_trait,
};
use serde_json::Value;

use super::pending_once;

/// Reads the context before and after it waits, and what the other components have written.
struct Waits(&'static str);

#[async_trait]
impl Component for Waits {
    fn id(&self) -> &str {
        self.0
    }

    async fn render(&self, cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        let mut text = Text::verbatim(who(cx), "who");
        pending_once().await;
        text.push_authored(" / ");
        text.push_verbatim(who(cx), "who");
        text.push_authored(" / ");
        text.push_verbatim(cx.section("W0_SECTION").unwrap_or_default(), "W0");
        Ok(Some(text))
    }
}

fn who(cx: &ComponentCx<'_>) -> String {
    cx.context().runtime.get("WHO").map(Value::to_string).unwrap_or_default()
}

fn waiting() -> PromptRegistry {
    let template =
        "{{WHO}}: {{W0_SECTION}} | {{W1_SECTION}} | {{#if flag.odd}}odd{{else}}even{{/if}}";
    let variant = PromptVariant::new("generic")
        .with_template(Template::parse(template).unwrap())
        .with_components(["W0_SECTION", "W1_SECTION"]);
    PromptRegistry::builder()
        .variant_at(variant, Place::First)
        .component_at(Waits("W0_SECTION"), Place::Listed)
        .component_at(Waits("W1_SECTION"), Place::Listed)
        .build()
        .unwrap()
}

fn asked_by(number: usize) -> (PromptContext, String) {
    let cx = PromptContext::default().with_runtime("WHO", number);
    let odd = number % 2 == 1;
    let cx = if odd { cx.with_flag("odd") } else { cx };
    let n = number;
    let text = format!(
        "{n}: {n} / {n} / | {n} / {n} / {n} / {n} / | {}",
        if odd { "odd" } else { "even" }
    );
    (cx, text)
}

#[test]
fn a_component_that_waits_once_is_asked_again() {
    let (cx, want) = asked_by(7);
    assert_eq!(waiting().build_blocking(&cx).unwrap().text(), want);
}

#[test]
fn builds_that_take_turns_never_see_each_other() {
    let registry = waiting();
    for pair in 0..1_000 {
        let (first, second) = (asked_by(2 * pair), asked_by(2 * pair + 1));
        let mut builds = [
            (Box::pin(registry.build(&first.0)), None),
            (Box::pin(registry.build(&second.0)), None),
        ];
        let mut task = std::task::Context::from_waker(std::task::Waker::noop());
        let mut turns = 0;
        while builds.iter().any(|(_, done)| done.is_none()) {
            for (build, done) in builds.iter_mut().filter(|(_, done)| done.is_none()) {
                if let std::task::Poll::Ready(prompt) = build.as_mut().poll(&mut task) {
                    *done = Some(prompt.unwrap().into_text());
                }
            }
            turns += 1;
        }
        assert_eq!(turns, 3, "each build gives way twice, so they did take turns");
        assert_eq!(builds[0].1.as_deref(), Some(first.1.as_str()));
        assert_eq!(builds[1].1.as_deref(), Some(second.1.as_str()));
    }
}

#[test]
fn builds_on_two_threads_never_see_each_other() {
    let registry = waiting();
    let run = |odd: usize| {
        for pair in 0..1_000 {
            let (cx, want) = asked_by(2 * pair + odd);
            assert_eq!(registry.build_blocking(&cx).unwrap().text(), want);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| run(0));
        scope.spawn(|| run(1));
    });
}
