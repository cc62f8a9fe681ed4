//! Tools that take one text instead of JSON, and what the text must look like. Grammars are passed on
//! as they are written: nothing here reads them.

use serde::{Deserialize, Serialize};

/// The parameter that stands for the text of a free-form tool where a provider or a text form knows
/// only parameters.
pub const FREEFORM_PARAM: &str = "input";

/// What the text of a free-form tool must look like.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Grammar {
    /// The language of the definition.
    pub syntax: GrammarSyntax,
    /// The grammar.
    pub definition: String,
}

/// The language of a [`Grammar`] (OpenAI, "Custom tools", "Context-free grammars").
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum GrammarSyntax {
    /// A grammar of the Lark parser.
    Lark,
    /// A regular expression in the syntax of Rust's `regex` crate.
    Regex,
}

impl Grammar {
    /// A grammar in this language.
    #[must_use]
    pub fn new(syntax: GrammarSyntax, definition: impl Into<String>) -> Self {
        Self { syntax, definition: definition.into() }
    }

    /// What the parameter says that stands for the text, behind which the definition follows where there is a
    /// grammar.
    #[must_use]
    pub fn lead(grammar: Option<&Self>) -> &'static str {
        match grammar.map(|grammar| grammar.syntax) {
            None => "The text.",
            Some(GrammarSyntax::Lark) => "The text, which follows this Lark grammar:\n",
            Some(GrammarSyntax::Regex) => "The text, which matches this regular expression:\n",
        }
    }
}
