//! A pack: the components, partials, tools and variants of a prompt, read from the binary or from a
//! folder. Loading finds every mistake that can be found without a context; a pack that loads renders.

mod builtin;
mod files;
mod load;
mod manifest;
mod texts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::budget::TruncationNotice;
use crate::component::TemplateComponent;
use crate::condition::Condition;
use crate::lint::LintLevels;
use crate::template::Partials;
use crate::tool::ToolSpec;
use crate::variant::VariantFile;
use promptline_diagnostic::{Error, keep};

pub(crate) use builtin::usual_sections;
pub(crate) use files::read_text;
pub(crate) use load::is_document;
#[cfg(feature = "schema")]
pub(crate) use manifest::PackFile;
pub(crate) use texts::Texts;

/// A pack of prompt files. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Pack(Arc<PackContent>);

#[derive(Debug, Default)]
pub(crate) struct PackContent {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Of all its files, in the order of their paths.
    pub(crate) hash: String,
    /// Variants, in the order in which they are matched.
    pub(crate) variant_order: Vec<String>,
    pub(crate) variants: BTreeMap<String, PackVariant>,
    pub(crate) components: BTreeMap<String, Arc<TemplateComponent>>,
    pub(crate) tools: BTreeMap<String, Arc<ToolSpec>>,
    pub(crate) placeholders: Map<String, Value>,
    pub(crate) conditions: BTreeMap<String, Condition>,
    /// The host's flags that its files may ask for, besides the standard ones.
    pub(crate) flags: Vec<String>,
    /// Sections that are empty without a component.
    pub(crate) sections: Vec<String>,
    /// Components and tools that no variant lists here: they are for packs that build on it.
    pub(crate) offers: Vec<String>,
    pub(crate) lints: LintLevels,
    /// What is printed where a budget cut something.
    pub(crate) truncation_notice: TruncationNotice,
    pub(crate) partials: Partials,
    /// Its templates call these helpers: errors, unless the host has registered them.
    pub(crate) unknown_helpers: Vec<Error>,
    /// What its `pack.toml` is called.
    pub(crate) origin: String,
    /// The folder that it was read from, as it was given, and the files that were in it.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) texts: Texts,
    /// The built-in pack could not be read, which its own test rules out.
    pub(crate) broken: Option<String>,
}

/// A variant as a pack holds it: its file, and what its folder overrides.
#[derive(Debug, Default)]
pub(crate) struct PackVariant {
    pub(crate) file: VariantFile,
    /// `template.md`, where there is one.
    pub(crate) template: Option<crate::template::Template>,
    pub(crate) components: BTreeMap<String, Arc<TemplateComponent>>,
    pub(crate) tools: BTreeMap<String, Arc<ToolSpec>>,
    pub(crate) origin: String,
    /// Its file or template could not be read: what is known of it is not all.
    pub(crate) unread: bool,
}

impl Pack {
    /// The pack that is built into the library: the sections and tools of a coding agent. No file is
    /// read.
    #[must_use]
    pub fn builtin() -> Self {
        builtin::builtin()
    }

    /// Reads a pack from a folder that holds `templates/` and `variants/`.
    ///
    /// # Errors
    /// The first mistake that is found, with file, line, column and help.
    pub fn from_dir(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let files = files::Folder::read(folder)?;
        let loaded = load::load(&files, true);
        let texts = files.into_texts();
        let mut pack = loaded.map_err(|error| texts.placed(error))?;
        pack.came_from(folder, texts);
        Ok(pack)
    }

    /// The pack as its folder is now; one that is not from a folder is as it was.
    pub(crate) fn read_again(&self) -> Result<Self, Error> {
        match &self.0.folder {
            Some(folder) => Self::from_dir(folder),
            None => Ok(self.clone()),
        }
    }

    /// The same, going on after a mistake.
    pub(crate) fn collect(folder: &Path, errors: &mut Vec<Error>) -> Option<Self> {
        let files = keep(errors, files::Folder::read(folder))?;
        let mut pack = load::collect(&files, false, errors);
        pack.came_from(folder, files.into_texts());
        Some(pack)
    }

    fn came_from(&mut self, folder: &Path, texts: Texts) {
        // It was made just now, and is not shared yet.
        if let Some(content) = Arc::get_mut(&mut self.0) {
            content.folder = Some(folder.to_owned());
            content.texts = texts;
        }
    }

    /// The name that `pack.toml` gives.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What `pack.toml` says about it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// The ids of its variants, in the order in which they are matched.
    #[must_use]
    pub fn variants(&self) -> &[String] {
        &self.0.variant_order
    }

    /// The SHA-256 of its files, in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.0.hash
    }

    pub(crate) fn content(&self) -> &PackContent {
        &self.0
    }
}
