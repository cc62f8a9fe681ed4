//! Components write the sections of a prompt. One trait serves all: async Rust, a closure, a file of a
//! pack. A component sees what was built before it and cannot end a build: an error or a panic costs
//! its own section only.

mod cx;
mod function;
mod meta;
mod registered;
mod state;
mod template;
mod volatile;

use async_trait::async_trait;

pub use crate::error::ComponentError;
use crate::text::Text;
pub use cx::ComponentCx;
pub use function::{FnComponent, component_fn};
pub use meta::ComponentMeta;
pub(crate) use registered::{HOST, Registered, SectionWriter};
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

    /// What else a registry has to know about it; read once, when the registry is built.
    fn meta(&self) -> ComponentMeta {
        ComponentMeta::default()
    }
}
