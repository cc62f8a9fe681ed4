//! Warm builds whose allocations are counted: of components that are the same in every prompt, of
//! components that are rendered each time, and of the built-in generic variant.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::allocations::{Allocated, allocated};
use promptline::{
    BuildOptions, Component, ComponentCx, ComponentError, ComponentMeta, Pack, Place,
    PromptContext, PromptRegistry, PromptVariant, Text, async_trait, report::ReportLevel,
};

/// What the second build asks for, and the length of the prompt: the first one makes what a registry
/// keeps.
pub(crate) fn warm(registry: &PromptRegistry, cx: &PromptContext) -> (Allocated, usize) {
    let options = BuildOptions::new().with_report(ReportLevel::Off);
    let build = || ready(registry.build_with(cx, &options)).expect("it builds");
    build();
    let (prompt, allocated) = allocated(build);
    (allocated, prompt.text().len())
}

/// What a future that never waits comes to. (To block on one allocates.)
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(made) => made,
        Poll::Pending => unreachable!("nothing here waits"),
    }
}

/// A variant of so many sections of so many bytes, all of them the same in every prompt, and of so
/// many that are written each time.
pub(crate) fn sections(fixed: usize, bytes: usize, written: usize) -> PromptRegistry {
    let mut registry = PromptRegistry::builder();
    let mut ids = Vec::new();
    let texts = std::iter::repeat_n(Some("x".repeat(bytes)), fixed);
    for (number, text) in texts.chain(std::iter::repeat_n(None, written)).enumerate() {
        let id = format!("S{number}_SECTION");
        ids.push(id.clone());
        registry = registry.component_at(Section { id, text }, Place::Listed);
    }
    registry =
        registry.variant_at(PromptVariant::new("generic").with_components(ids), Place::First);
    registry.build().expect("it is whole")
}

/// The built-in pack, and a request for its generic variant as an editor would make it.
pub(crate) fn generic() -> (PromptRegistry, PromptContext) {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().expect("it is whole");
    let cx = PromptContext::new("openai", "gpt-4.1")
        .with_variant("generic")
        .with_cwd("/home/ada/engine")
        .with_os("Linux 6.1")
        .with_shell("bash")
        .with_home("/home/ada")
        .with_flag("browser")
        .with_mode("act");
    (registry, cx)
}

/// Without a text it writes two words, which do not come from a template.
struct Section {
    id: String,
    text: Option<String>,
}

#[async_trait]
impl Component for Section {
    fn id(&self) -> &str {
        &self.id
    }

    async fn render(&self, _: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        Ok(Some(Text::from("two words")))
    }

    fn meta(&self) -> ComponentMeta {
        let fixed_text = self.text.as_deref().map(Text::authored);
        fixed_text
            .map_or_else(ComponentMeta::new, |text| ComponentMeta::new().with_fixed_text(text))
    }
}
