//! The constraint text as a section of a system prompt.

use promptline::{
    Component, ComponentCx, ComponentError, ComponentMeta, Text, Volatility, async_trait,
};

use crate::constraint::Language;
use crate::spec::OutputSpec;

/// A section that says what the answer is to look like: `OUTPUT_FORMAT_SECTION`, unless it is given another
/// id.
#[derive(Debug, Clone)]
pub struct OutputFormat {
    id: String,
    text: String,
}

impl OutputFormat {
    /// The section of a spec.
    #[must_use]
    pub fn new<T>(spec: &OutputSpec<T>, language: Language) -> Self {
        Self { id: "OUTPUT_FORMAT_SECTION".to_owned(), text: spec.constraint(language) }
    }

    /// Sets the id of the section, which is its placeholder.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    fn section(&self) -> Text {
        // Descriptions in a schema are not the pack's: they are no template.
        Text::verbatim(self.text.clone(), "output schema")
    }
}

#[async_trait]
impl Component for OutputFormat {
    fn id(&self) -> &str {
        &self.id
    }

    async fn render(&self, _cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        Ok(Some(self.section()))
    }

    fn meta(&self) -> ComponentMeta {
        ComponentMeta::new().with_volatility(Volatility::Static).with_fixed_text(self.section())
    }
}
