//! Components without `async`: a closure with an id.

use async_trait::async_trait;

use super::{Component, ComponentCx, ComponentMeta};
use crate::condition::When;
use crate::error::ComponentError;
use crate::text::{Text, Volatility};

/// A component from a closure, made by [`component_fn`].
#[derive(Clone)]
pub struct FnComponent<F> {
    id: String,
    meta: ComponentMeta,
    write: F,
}

/// A component from a closure.
///
/// ```
/// use promptline::{Condition, Text, component_fn};
/// let greeting = component_fn("GREETING_SECTION", |cx| {
///     Ok(cx.context().preferred_language.as_ref().map(|language| {
///         let mut text = Text::from("Greet the user in ");
///         text.push_label(language, "context:preferred_language");
///         text
///     }))
/// })
/// .with_when(Condition::flag("greetings"))
/// .with_priority(10);
/// ```
pub fn component_fn<F>(id: impl Into<String>, write: F) -> FnComponent<F>
where
    F: Fn(&ComponentCx<'_>) -> Result<Option<Text>, ComponentError> + Send + Sync + 'static,
{
    FnComponent { id: id.into(), meta: ComponentMeta::new(), write }
}

impl<F> FnComponent<F> {
    /// Sets all that a registry has to know about it.
    #[must_use]
    pub fn with_meta(mut self, meta: ComponentMeta) -> Self {
        self.meta = meta;
        self
    }

    /// Sets when it is rendered.
    #[must_use]
    pub fn with_when(mut self, when: impl Into<When>) -> Self {
        self.meta = self.meta.with_when(when);
        self
    }

    /// Declares how often its text changes.
    #[must_use]
    pub fn with_volatility(mut self, volatility: Volatility) -> Self {
        self.meta = self.meta.with_volatility(volatility);
        self
    }

    /// Sets how long a budget keeps its section, from 0 (goes first) to 100.
    #[must_use]
    pub fn with_priority(mut self, priority: u8) -> Self {
        self.meta = self.meta.with_priority(priority);
        self
    }

    /// Says whether the prompt makes no sense without it.
    #[must_use]
    pub fn with_required(mut self, required: bool) -> Self {
        self.meta = self.meta.with_required(required);
        self
    }

    /// Says whether a budget may never touch its section.
    #[must_use]
    pub fn with_pinned(mut self, pinned: bool) -> Self {
        self.meta = self.meta.with_pinned(pinned);
        self
    }
}

impl<F> std::fmt::Debug for FnComponent<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FnComponent")
            .field("id", &self.id)
            .field("meta", &self.meta)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl<F> Component for FnComponent<F>
where
    F: Fn(&ComponentCx<'_>) -> Result<Option<Text>, ComponentError> + Send + Sync,
{
    fn id(&self) -> &str {
        &self.id
    }

    async fn render(&self, cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        (self.write)(cx)
    }

    fn meta(&self) -> ComponentMeta {
        self.meta.clone()
    }
}
