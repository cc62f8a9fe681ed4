//! What a component can ask for.

use serde_json::{Map, Value};

use super::ComponentError;
use crate::component::BuildState;
use crate::condition::When;
use crate::context::PromptContext;
use crate::template::Template;
use crate::text::Text;
use crate::tool::EnabledTools;
use promptline_diagnostic::Diagnostic;

/// The build, as a component sees it: the request, the variant, the enabled tools, and the sections
/// that were built before.
#[derive(Debug)]
pub struct ComponentCx<'a> {
    id: &'a str,
    state: &'a BuildState<'a>,
}

impl<'a> ComponentCx<'a> {
    pub(crate) fn new(id: &'a str, state: &'a BuildState<'a>) -> Self {
        Self { id, state }
    }

    /// What the host knows about this request.
    #[must_use]
    pub fn context(&self) -> &'a PromptContext {
        self.state.context()
    }

    /// The host's object of this type, see [`PromptContext::with_handle`].
    #[must_use]
    pub fn handle<T: Send + Sync + 'static>(&self) -> Option<&'a T> {
        self.state.context().handles.get()
    }

    /// The id of the variant that is being built.
    #[must_use]
    pub fn variant(&self) -> &'a str {
        self.state.variant_id()
    }

    /// The tools that this build offers.
    #[must_use]
    pub fn tools(&self) -> &'a EnabledTools {
        self.state.tools()
    }

    /// The text of a section that was built before, or `None`. Putting it into a text again makes it
    /// verbatim; in a template, print its placeholder instead.
    #[must_use]
    pub fn section(&self, id: &str) -> Option<String> {
        self.state.section(id).map(|section| section.text().to_string())
    }

    /// Renders a template. `values` come before every layer, and their strings are verbatim; behind
    /// them the template sees what a component of a pack would see.
    ///
    /// # Errors
    /// When the template runs over a limit.
    pub fn render(
        &self,
        template: &Template,
        values: &Map<String, Value>,
    ) -> Result<Text, ComponentError> {
        Ok(template.render_in(&self.state.scope(self.id).with_values(values))?)
    }

    /// Adds a warning to the report.
    pub fn warn(&self, message: impl Into<String>) {
        self.state.report(Diagnostic::warning("component-warning", message).about(self.id));
    }

    /// A condition of an overlay holds.
    pub(crate) fn holds(&self, when: &When) -> bool {
        when.judge(self.state.conditions()).is_ok_and(|verdict| verdict.holds)
    }

    pub(crate) fn render_own(&self, template: &Template) -> Result<Text, ComponentError> {
        Ok(template.render_in(&self.state.scope(self.id))?)
    }
}
