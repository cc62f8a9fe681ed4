//! Components without `async`: a closure with an id.

use async_trait::async_trait;

use super::{Component, ComponentCx, ComponentError};
use crate::text::Text;

struct FnComponent<F> {
    id: String,
    write: F,
}

/// A component from a closure.
///
/// ```
/// use promptline::{Text, component_fn};
/// let greeting = component_fn("GREETING_SECTION", |cx| {
///     Ok(cx.context().preferred_language.as_ref().map(|language| {
///         let mut text = Text::from("Greet the user in ");
///         text.push_label(language, "context:preferred_language");
///         text
///     }))
/// });
/// ```
pub fn component_fn<F>(id: impl Into<String>, write: F) -> impl Component + 'static
where
    F: Fn(&ComponentCx<'_>) -> Result<Option<Text>, ComponentError> + Send + Sync + 'static,
{
    FnComponent { id: id.into(), write }
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
}
