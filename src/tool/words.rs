//! The words of a spec, rendered for a request. Every form of a tool says the same words.

use std::borrow::Cow;

use super::{Param, ToolInput, ToolSpec, ToolText};
use crate::template::Template;
use crate::template::scope::Scope;
use crate::text::Text;
use promptline_diagnostic::Error;
use promptline_tools::Grammar;

impl ToolText {
    /// What it says in this request.
    pub(crate) fn rendered(&self, scope: &dyn Scope) -> Result<Cow<'_, Text>, Error> {
        match self {
            Self::Text(text) => Ok(Cow::Borrowed(text)),
            Self::Template(template) => match template.fixed() {
                Some(text) => Ok(Cow::Borrowed(text)),
                None => template.render_in(scope).map(Cow::Owned),
            },
        }
    }
}

impl ToolSpec {
    /// The templates among its words: its description, then those of its parameters.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template> {
        let params = match &self.input {
            ToolInput::Params(params) => params.as_slice(),
            ToolInput::Schema(_) | ToolInput::Freeform { .. } => &[],
        };
        let words = params.iter().flat_map(|p| std::iter::once(&p.description).chain(&p.tool_note));
        std::iter::once(&self.description).chain(words).filter_map(|words| match words {
            ToolText::Template(template) => Some(template),
            ToolText::Text(_) => None,
        })
    }

    /// What the tool does. Words of an MCP server come behind its name; where it has none the tool's
    /// name takes their place.
    pub(crate) fn described(&self, scope: &dyn Scope) -> Result<Cow<'_, Text>, Error> {
        let words = self.description.rendered(scope)?;
        let Some(server) = &self.server else {
            return Ok(words);
        };
        let source = format!("mcp:{server}");
        let mut whole = Text::label(server, source.as_str());
        whole.push_trusted(": ");
        match words.is_blank() {
            true => whole.push_label(self.raw_name(), source),
            false => whole.append(&words),
        }
        Ok(Cow::Owned(whole))
    }
}

impl Param {
    /// The line that the tool's description gets while this parameter is shown.
    pub(crate) fn note(&self, scope: &dyn Scope) -> Result<Option<Cow<'_, Text>>, Error> {
        let note = self.tool_note.as_ref().filter(|note| !note.is_empty());
        note.map(|note| note.rendered(scope)).transpose()
    }
}

/// What the parameter says that takes a free text.
pub(super) fn grammar_words(grammar: Option<&Grammar>) -> Text {
    let mut words = Text::authored(Grammar::lead(grammar));
    if let Some(grammar) = grammar {
        words.push_verbatim(grammar.definition.as_str(), "tool:grammar");
    }
    words
}
