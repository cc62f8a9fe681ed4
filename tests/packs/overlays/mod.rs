//! Overlays: what they do to a prompt, what is refused and where, what is reported when a pack changes under
//! them, and what a registry that follows its folders makes of it.

mod drift;
mod files;
mod refused;
mod starter;
mod stories;
#[cfg(feature = "watch")]
mod watch;

use crate::pack;
use crate::pack::Folder;
use promptline::{Overlay, Pack, Prompt, PromptContext, PromptRegistry, Report};

/// A pack with two sections, of which the second has a condition and asks the request.
const PACK: &str = r#"
-- variants/pack.toml
schema = 1
name = "p"
variants = ["v"]
conditions = { claude = { family = "claude" } }
-- variants/v/variant.toml
schema = 1
components = ["A_SECTION", "B_SECTION", "C_SECTION"]
-- templates/components/a.md
+++
id = "A_SECTION"
required = true
+++
ALPHA

The first.
-- templates/components/b.md
+++
id = "B_SECTION"
when = { has = "cwd" }
+++
# Where

{{CWD}}
-- templates/components/c.md
+++
id = "C_SECTION"
+++
{{> c}}
-- templates/partials/c.md
The last.
"#;

/// One overlay with these changes.
fn overlay(changes: &str) -> Overlay {
    Overlay::from_toml("o.toml", &format!("schema = 1\n{changes}"))
        .unwrap_or_else(|error| panic!("{error:#}"))
}

fn change(id: &str, op: &str, more: &str) -> String {
    format!("[[section]]\nid = \"{id}\"\nop = \"{op}\"\n{more}\n")
}

fn registry(overlays: impl IntoIterator<Item = Overlay>) -> PromptRegistry {
    let mut builder = PromptRegistry::builder().pack(pack::pack(PACK));
    for overlay in overlays {
        builder = builder.overlay(overlay);
    }
    builder.build().unwrap_or_else(|error| panic!("{error:#}"))
}

fn builtin(overlays: impl IntoIterator<Item = Overlay>) -> PromptRegistry {
    let mut builder = PromptRegistry::builder().pack(Pack::builtin());
    for overlay in overlays {
        builder = builder.overlay(overlay);
    }
    builder.build().unwrap_or_else(|error| panic!("{error:#}"))
}

fn cx() -> PromptContext {
    PromptContext::default().with_cwd("/w")
}

fn build(registry: &PromptRegistry, cx: &PromptContext) -> Prompt {
    registry.build_blocking(cx).unwrap_or_else(|error| panic!("{error:#}"))
}

/// The prompt of the small pack with these changes.
fn text(changes: &str) -> String {
    build(&registry([overlay(changes)]), &cx()).into_text()
}

fn status(report: &Report, id: &str) -> (String, Option<String>, Option<String>) {
    let found = report.components.iter().find(|component| component.id == id).unwrap();
    let status = serde_json::to_value(found.status).unwrap();
    let origin = found.origin.as_ref().map(ToString::to_string);
    (status.as_str().unwrap().to_owned(), origin, found.reason.clone())
}
