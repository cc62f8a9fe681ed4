//! Components write the sections of a prompt. One trait serves all: async Rust, a closure, a file of a
//! pack. A component sees what was built before it and cannot end a build: an error or a panic costs
//! its own section only.

mod cx;
mod function;
mod state;
mod template;
mod volatile;

use async_trait::async_trait;

use crate::budget::SectionBudget;
use crate::condition::When;
use crate::error::ComponentError;
use crate::text::{Text, Volatility};
pub use cx::ComponentCx;
pub use function::component_fn;
pub(crate) use state::BuildState;
#[cfg(feature = "schema")]
pub(crate) use template::FrontMatter;
pub(crate) use template::{TemplateComponent, is_section_id, read_component_file};
pub(crate) use volatile::{BaseName, Changes, DeclaresLess, Volatile};

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
