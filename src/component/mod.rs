//! Components write the sections of a prompt. One trait serves all: async Rust, a closure, a file of a
//! pack. A component sees what was built before it and cannot end a build: an error or a panic costs
//! its own section only.

mod cx;
mod function;
mod template;

use std::error::Error as StdError;
use std::fmt;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::budget::SectionBudget;
use crate::condition::When;
use crate::text::Text;
pub use cx::ComponentCx;
pub use function::component_fn;
#[cfg(feature = "schema")]
pub(crate) use template::FrontMatter;
pub(crate) use template::{TemplateComponent, is_section_id, read_component_file};

/// Writes one section.
///
/// ```
/// use promptline::{Component, ComponentCx, ComponentError, Text, async_trait};
///
/// struct Tickets(Vec<String>);
///
/// #[async_trait]
/// impl Component for Tickets {
///     fn id(&self) -> &str {
///         "TICKETS_SECTION"
///     }
///
///     async fn render(&self, _cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
///         let mut text = Text::from("TICKETS\n");
///         for ticket in &self.0 {
///             text.push_authored("\n- ");
///             text.push_label(ticket, "tracker"); // what users wrote is never structure
///         }
///         Ok(Some(text))
///     }
/// }
/// ```
#[async_trait]
pub trait Component: Send + Sync {
    /// The id, which is also the placeholder that prints the section: `RULES_SECTION`.
    fn id(&self) -> &str;

    /// Writes the section. `None` or a blank text: there is none.
    ///
    /// # Errors
    /// Any error; it becomes a warning, and the placeholder falls to the layer below.
    async fn render(&self, cx: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError>;

    /// The text, when it is the same in every prompt; then [`render`](Self::render) is not called, and
    /// the section is built once, with the registry.
    fn fixed_text(&self) -> Option<Text> {
        None
    }

    /// When it is asked at all.
    fn when(&self) -> &When {
        &When::ALWAYS
    }

    /// How often its text changes, when that is known.
    fn volatility(&self) -> Option<Volatility> {
        None
    }

    /// How long a budget keeps it: 0 goes first, 100 last.
    fn priority(&self) -> u8 {
        50
    }

    /// The prompt makes no sense without it; a build that lacks it warns. A budget leaves it out only
    /// when nothing else is left.
    fn required(&self) -> bool {
        false
    }

    /// What else a budget may do to its section. By default it may leave it out, and does not shorten
    /// it.
    fn budget(&self) -> SectionBudget {
        SectionBudget::default()
    }

    /// The placeholders that it prints, as far as that is known beforehand. A registry refuses a
    /// component that prints a section which is not built before it.
    fn placeholders(&self) -> &[String] {
        &[]
    }

    /// The template that it renders, where it is written in one: what an overlay's `base` is compared
    /// with.
    fn source(&self) -> Option<&str> {
        None
    }

    /// Its text is made of its placeholders and nothing else: how often it changes, where
    /// [`volatility`](Self::volatility) does not say, then follows from them. Otherwise it is taken to
    /// change with the conversation.
    fn is_template(&self) -> bool {
        false
    }

    /// Where its text is written, for the report: a file of a pack, or `host`.
    fn origin(&self) -> &str {
        "host"
    }
}

/// How often a text changes. Ordered: a text is as volatile as the most volatile thing in it.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Volatility {
    /// The same for everybody with this configuration.
    #[default]
    Static,
    /// The same during a conversation.
    Conversation,
    /// May differ in each request.
    Turn,
}

/// Why a component gave nothing: any error. It is not an [`std::error::Error`] itself, so that `?`
/// takes every error.
pub struct ComponentError(Box<dyn StdError + Send + Sync>);

impl ComponentError {
    /// An error that is only words.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into().into())
    }

    /// The error itself.
    #[must_use]
    pub fn into_inner(self) -> Box<dyn StdError + Send + Sync> {
        self.0
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for ComponentError {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for ComponentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            write!(f, ": {error}")?;
            source = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for ComponentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
