//! A component as a registry holds it. What a host's component says about itself is read once, here; of its
//! own components the library knows more.

use std::sync::Arc;

use super::{Component, ComponentMeta};
use crate::condition::When;
use crate::error::contained;
use crate::text::{Text, Volatility};
use promptline_diagnostic::{Error, ErrorKind};

/// The origin of components that no file describes.
pub(crate) const HOST: &str = "host";

/// What the library knows about the components that it makes itself.
pub(crate) trait SectionWriter: Component {
    /// The placeholders that it prints. A registry refuses a component that prints a section which is not
    /// built before it.
    fn placeholders(&self) -> &[String];

    /// The template that it renders: what an overlay's `base` is compared with.
    fn source(&self) -> Option<&str>;

    /// Its text is made of its placeholders and nothing else: how often it changes follows from them.
    fn is_template(&self) -> bool;

    /// Where its text is written: a file of a pack, or [`HOST`].
    fn origin(&self) -> &str;
}

/// Who writes a section.
enum Writer {
    Host(Arc<dyn Component>),
    Own(Arc<dyn SectionWriter>),
}

/// A component with what it says about itself.
pub(crate) struct Registered {
    id: String,
    meta: ComponentMeta,
    writer: Writer,
}

impl Registered {
    /// A component of the library.
    pub(crate) fn new(writer: Arc<dyn SectionWriter>) -> Self {
        let (id, meta) = (writer.id().to_owned(), writer.meta());
        Self { id, meta, writer: Writer::Own(writer) }
    }

    /// A component of the host.
    ///
    /// # Errors
    /// Its `meta` panics.
    pub(crate) fn of_host(component: &Arc<dyn Component>) -> Result<Self, Error> {
        let about = contained(|| (component.id().to_owned(), component.meta()));
        let (id, meta) = about.map_err(|panic| {
            Error::new(ErrorKind::Pack, format!("a component of the host {panic}"))
                .with_help("`id` and `meta` are called when the registry is built, and must return")
        })?;
        Ok(Self { id, meta, writer: Writer::Host(Arc::clone(component)) })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn meta(&self) -> &ComponentMeta {
        &self.meta
    }

    pub(crate) fn when(&self) -> &When {
        &self.meta.when
    }

    pub(crate) fn volatility(&self) -> Option<Volatility> {
        self.meta.volatility
    }

    pub(crate) fn required(&self) -> bool {
        self.meta.required
    }

    pub(crate) fn fixed_text(&self) -> Option<&Text> {
        self.meta.fixed_text.as_ref()
    }

    pub(crate) fn placeholders(&self) -> &[String] {
        self.own().map_or(&[], SectionWriter::placeholders)
    }

    pub(crate) fn source(&self) -> Option<&str> {
        self.own()?.source()
    }

    pub(crate) fn is_template(&self) -> bool {
        self.own().is_some_and(SectionWriter::is_template)
    }

    pub(crate) fn origin(&self) -> &str {
        self.own().map_or(HOST, SectionWriter::origin)
    }

    /// What writes the section.
    pub(crate) fn component(&self) -> &dyn Component {
        match &self.writer {
            Writer::Host(component) => component.as_ref(),
            Writer::Own(writer) => writer.as_ref(),
        }
    }

    fn own(&self) -> Option<&dyn SectionWriter> {
        match &self.writer {
            Writer::Host(_) => None,
            Writer::Own(writer) => Some(writer.as_ref()),
        }
    }
}
