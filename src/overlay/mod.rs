//! Overlays: changes to another author's pack, without a copy of it. An overlay names sections and says what
//! becomes of their text; it is trusted configuration as a pack is, so that its texts are authored. It
//! never says when a section is there at all: a section's own condition stays.

mod drift;
mod edit;
mod file;
mod load;
mod plan;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::condition::{Condition, OneOf};
use crate::pack::Texts;
pub(crate) use drift::short_hash;
pub(crate) use edit::{Applied, Edits};
#[cfg(feature = "schema")]
pub(crate) use file::OverlayFile;
pub use file::OverlayOp;
pub(crate) use load::{BASE_FOLDER, OVERLAY_FILE, shown};
pub(crate) use plan::{Ground, Plan};
use promptline_diagnostic::Error;
use promptline_diagnostic::TomlText;

/// Changes of sections, read from a folder with an `overlay.toml`
/// ([its format](crate::docs::formats)). Cheap to clone.
///
/// ```
/// use promptline::{Overlay, Pack, PromptContext, PromptRegistry};
/// # fn main() -> Result<(), promptline::Error> {
/// let overlay = Overlay::from_toml(
///     "overlay.toml",
///     r#"
///     schema = 1
///     [[section]]
///     id = "RULES_SECTION"
///     op = "append"
///     text = "- Write commit messages in English."
///     when = { family = "claude" }
///     "#,
/// )?;
/// let registry = PromptRegistry::builder().pack(Pack::builtin()).overlay(overlay).build()?;
/// let prompt = |model| registry.build_blocking(&PromptContext::new("", model));
/// let rules = |model| Ok::<_, promptline::Error>(prompt(model)?.section("RULES_SECTION").unwrap());
/// assert!(rules("claude-sonnet-4-5")?.ends_with("in English."));
/// assert!(!rules("gpt-5")?.ends_with("in English."));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Overlay(Arc<OverlayContent>);

#[derive(Debug, Default)]
pub(crate) struct OverlayContent {
    name: String,
    description: String,
    /// Of its files.
    hash: String,
    /// What its `overlay.toml` is called, and what it says.
    origin: String,
    toml: String,
    sections: Vec<SectionChange>,
    /// Texts of the pack that it was written against, kept to show what has changed.
    bases: Vec<String>,
    folder: Option<PathBuf>,
    texts: Texts,
}

/// A change of a section, as it is written.
#[derive(Debug)]
struct SectionChange {
    id: String,
    op: OverlayOp,
    /// One text, or for a wrap those before and behind.
    words: Vec<Words>,
    when: Option<Condition>,
    base: OneOf<String>,
    template: bool,
    acknowledge: bool,
}

/// A text of an overlay.
#[derive(Debug)]
struct Words {
    /// `file`, `text`, `before` or `after`.
    key: &'static str,
    /// The file that it is in.
    file: String,
    text: String,
}

impl Overlay {
    /// Reads an overlay from a folder that holds an `overlay.toml` and the files that it names.
    ///
    /// Whether the sections are there is only known to a registry; see
    /// [`PromptRegistryBuilder::overlay`](crate::PromptRegistryBuilder::overlay).
    ///
    /// # Errors
    /// The first mistake that is found, with file, line, column and help. A text that is empty is one.
    pub fn from_dir(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let read = Self::collect(folder.as_ref(), &mut errors);
        first(read, errors)
    }

    /// Reads an overlay that is one text; `file` is what messages call it.
    ///
    /// # Errors
    /// As [`from_dir`](Self::from_dir). There is no folder: a `file` in it is a mistake.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let read = load::collect(load::OverlaySource::Text(file, text), &mut errors).map(Self::new);
        first(read, errors)
    }

    /// The same as `from_dir`, going on after a mistake.
    pub(crate) fn collect(folder: &Path, errors: &mut Vec<Error>) -> Option<Self> {
        load::collect(load::OverlaySource::Folder(folder), errors).map(Self::new)
    }

    /// The overlay as its folder is now; one that is not from a folder is as it was.
    pub(crate) fn read_again(&self) -> Result<Self, Error> {
        match &self.0.folder {
            Some(folder) => Self::from_dir(folder),
            None => Ok(self.clone()),
        }
    }

    fn new(content: OverlayContent) -> Self {
        Self(Arc::new(content))
    }

    /// The name that `overlay.toml` gives; empty without one.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What `overlay.toml` says about it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// What it does with which section, in the order in which it is done.
    pub fn changes(&self) -> impl Iterator<Item = (&str, OverlayOp)> {
        self.0.sections.iter().map(|change| (change.id.as_str(), change.op))
    }

    /// The SHA-256 of its files, in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.0.hash
    }

    #[cfg(feature = "watch")]
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.0.folder.as_deref()
    }

    pub(crate) fn content(&self) -> &OverlayContent {
        &self.0
    }
}

fn first(read: Option<Overlay>, errors: Vec<Error>) -> Result<Overlay, Error> {
    match (errors.into_iter().next(), read) {
        (Some(error), _) => Err(error),
        (None, Some(overlay)) => Ok(overlay),
        // `None` only where a mistake was reported.
        (None, None) => Ok(Overlay::new(OverlayContent::default())),
    }
}

impl OverlayContent {
    fn toml(&self) -> TomlText<'_> {
        TomlText::file(&self.origin, &self.toml)
    }

    /// An error of a change, at one of its keys.
    fn blame(&self, error: Error, change: usize, key: &str) -> Error {
        self.toml().blame(error, &["section", &change.to_string(), key])
    }

    /// Its texts, by file.
    pub(crate) fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Every condition and template in it, for the check of names: file, conditions, templates.
    pub(crate) fn asks(&self) -> (&str, Vec<&Condition>, Vec<crate::template::Template>) {
        let conditions = self.sections.iter().filter_map(|change| change.when.as_ref()).collect();
        // One that cannot be read has been reported already; partials are the packs' business.
        let templates = self
            .sections
            .iter()
            .filter(|change| change.template)
            .flat_map(|change| &change.words)
            .filter_map(|words| {
                let none = crate::template::Partials::default();
                crate::template::Template::parse_named(&words.file, &words.text, &none).ok()
            })
            .collect();
        (&self.origin, conditions, templates)
    }
}
