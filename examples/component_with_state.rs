//! Components that share something with the host. There are two ways, and this shows both: what belongs
//! to one *request* travels in the context as a handle, what belongs to the *host* is a field of the
//! component. Builds run side by side, so a field is behind a lock, and a section is a picture of it.
//!
//! `cargo run --example component_with_state`

#![allow(clippy::print_stdout, reason = "an example shows what it made")]

use std::sync::{Arc, Mutex};

use promptline::{
    Component, ComponentCx, ComponentError, ComponentMeta, Pack, Place, PromptContext,
    PromptRegistry, Text, Volatility, async_trait,
};

/// What the host has learned; it changes while the host runs.
#[derive(Clone, Default)]
struct Notebook(Arc<Mutex<Vec<String>>>);

impl Notebook {
    fn write(&self, note: &str) {
        self.lock().push(note.to_owned());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(|broken| broken.into_inner())
    }
}

#[async_trait]
impl Component for Notebook {
    fn id(&self) -> &str {
        "NOTES_SECTION"
    }

    async fn render(&self, _: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        // Copied under the lock, and the lock let go before anything else.
        let notes = self.lock().clone();
        if notes.is_empty() {
            return Ok(None);
        }
        let mut text = Text::from("NOTES\n");
        for note in &notes {
            text.push_authored("\n- ");
            text.push_label(note, "notebook"); // text from elsewhere: one line, never a template
        }
        Ok(Some(text))
    }

    fn meta(&self) -> ComponentMeta {
        // A cache of the prompt breaks here, not before.
        ComponentMeta::new().with_volatility(Volatility::Conversation)
    }
}

/// Who is asking; each request has its own.
struct User {
    name: String,
}

struct Greeting;

#[async_trait]
impl Component for Greeting {
    fn id(&self) -> &str {
        "USER_SECTION"
    }

    async fn render(&self, cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        let Some(user) = cx.handle::<User>() else {
            return Ok(None);
        };
        let mut text = Text::from("You work with ");
        text.push_label(&user.name, "user");
        text.push_authored(".");
        Ok(Some(text))
    }
}

fn main() -> Result<(), promptline::Error> {
    let notebook = Notebook::default();
    let registry = PromptRegistry::builder()
        .pack(Pack::builtin())
        .component_at(notebook.clone(), Place::Last)
        .component_at(Greeting, Place::after("AGENT_ROLE_SECTION"))
        .build()?;
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5");

    let first = registry.build_blocking(&cx.clone().with_handle(User { name: "Ada".into() }))?;
    assert_eq!(first.section("NOTES_SECTION"), None);

    notebook.write("the tests need a database");
    notebook.write("{{CWD}} is shown as it is");
    let second = registry.build_blocking(&cx.with_handle(User { name: "Grace\n\n====".into() }))?;
    for id in ["USER_SECTION", "NOTES_SECTION"] {
        println!("{}\n", second.section(id).unwrap_or_default());
    }
    Ok(())
}
