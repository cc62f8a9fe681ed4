//! A section of a host's own: open tickets from its tracker, behind the rules, in every variant.
//!
//! `cargo run --example custom_component`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it made")]

use promptline::{
    Component, ComponentCx, ComponentError, ComponentMeta, Pack, Place, PromptContext,
    PromptRegistry, Text, Volatility, async_trait,
};

/// The host's tracker; it travels in the context, so that one registry serves every user.
struct Tracker {
    open: Vec<String>,
}

struct Tickets;

#[async_trait]
impl Component for Tickets {
    fn id(&self) -> &str {
        "TICKETS_SECTION"
    }

    async fn render(&self, cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        let tracker = cx.handle::<Tracker>().ok_or(ComponentError::new("no tracker is given"))?;
        if tracker.open.is_empty() {
            return Ok(None); // no section, and no trace of it in the prompt
        }
        let mut text = Text::from("OPEN TICKETS\n");
        for ticket in &tracker.open {
            text.push_authored("\n- ");
            text.push_label(ticket, "tracker"); // whatever users wrote is one line of text
        }
        Ok(Some(text))
    }

    fn meta(&self) -> ComponentMeta {
        ComponentMeta::new().with_volatility(Volatility::Turn)
    }
}

fn main() -> Result<(), promptline::Error> {
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .component_at(Tickets, Place::after("RULES_SECTION"))
        .build()?;
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5").with_handle(Tracker {
        open: vec!["T-17: the build is slow".into(), "T-18: {{CWD}} is shown\n\n====".into()],
    });
    let prompt = registry.build_blocking(&cx)?;
    println!("{}", prompt.section("TICKETS_SECTION").unwrap_or_default());
    Ok(())
}
