//! The registry: packs and what a host adds to them, checked once and then only read. It chooses the
//! variant for a request; builds share it and never see each other.

mod asked;
mod assemble;
mod builder;
mod oddities;
mod select;
#[cfg(feature = "watch")]
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use once_cell::sync::OnceCell;

use crate::budget::TruncationNotice;
use crate::component::Registered;
use crate::component::{BaseName, Changes, DeclaresLess};
use crate::condition::Condition;
use crate::context::PromptContext;
use crate::lint::Lints;
use crate::model_id::{ModelId, ModelTables};
use crate::options::BuildOptions;
use crate::overlay::Edits;
use crate::report::PlaceholderReport;
use crate::template::{Helpers, Template};
use crate::text::BuiltSection;
use crate::text::Volatility;
use crate::tokens::Counter;
use crate::tool::{Offered, ToolSpec};
use crate::variant::PromptVariant;
pub(crate) use asked::Asked;
pub(crate) use assemble::{Survey, survey};
pub use builder::{Place, PromptRegistryBuilder};
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Error;
use promptline_diagnostic::Id;
pub use select::Selection;
pub(crate) use select::{Parts, exact, select, variant_ref};
#[cfg(feature = "watch")]
pub use watch::WatchedRegistry;

/// Variants in the order in which they are matched, ready to be built. Cheap to clone; share it between
/// threads. It changes only by [`reload`](Self::reload), which no clone notices.
///
/// ```
/// use promptline::{Pack, PromptContext, PromptRegistry};
/// # fn main() -> Result<(), promptline::Error> {
/// let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
/// let prompt = registry.build_blocking(&PromptContext::new("anthropic", "claude-sonnet-4-5"))?;
/// assert_eq!(prompt.variant().id, "next-gen");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct PromptRegistry {
    pub(crate) inner: Arc<Inner>,
    /// What it was made of, to make it again.
    recipe: Arc<PromptRegistryBuilder>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) variants: Vec<Assembled>,
    pub(crate) conditions: BTreeMap<String, Condition>,
    pub(crate) options: BuildOptions,
    pub(crate) models: ModelTables,
    pub(crate) counter: Counter,
    pub(crate) helpers: Helpers,
    /// The families that matchers speak of, in lower case.
    pub(crate) families: BTreeSet<String>,
    pub(crate) lints: Lints,
    /// What the fingerprint knows of the registry.
    pub(crate) hash: String,
}

/// A step of a variant's pipeline: one component.
pub(crate) struct Step {
    pub(crate) id: Id,
    /// The component; `None` when no component with this id is registered.
    pub(crate) component: Option<Arc<Registered>>,
    pub(crate) origin: Id,
    /// What overlays make of it.
    pub(crate) edits: Option<Edits>,
    /// A section that is the same in every prompt is built with the registry.
    pub(crate) built: Option<Arc<BuiltSection>>,
    pub(crate) changes: Changes,
}

impl Step {
    /// How often the text changes that the component itself writes.
    pub(crate) fn own_volatility(&self, component: &Registered) -> Volatility {
        let derived = || match component.is_template() {
            true => self.changes.text,
            false => self.changes.text.max(Volatility::Conversation),
        };
        component.volatility().unwrap_or_else(derived)
    }
}

/// A variant with everything that it needs, found and checked.
pub(crate) struct Assembled {
    pub(crate) variant: PromptVariant,
    /// The components in run order.
    pub(crate) pipeline: Vec<Step>,
    /// The sections that are empty without a component: those of the pipeline, those that the variant has
    /// switched off, and those that the packs declare.
    pub(crate) known_sections: Vec<Id>,
    /// Those that the variant has switched off.
    pub(crate) disabled: Vec<Id>,
    /// The switches of the variant that are set.
    pub(crate) switches: Vec<&'static str>,
    pub(crate) base: Template,
    pub(crate) base_origin: Id,
    /// The names that the base template asks for, each time that it does, in order.
    pub(crate) base_names: Vec<BaseName>,
    pub(crate) placeholders: serde_json::Map<String, serde_json::Value>,
    /// What is printed where a budget cut something.
    pub(crate) truncation_notice: TruncationNotice,
    pub(crate) tools: Vec<Offered>,
    /// How often each of them changes, or comes and goes.
    pub(crate) tools_change: Vec<Volatility>,
    /// What a check of the files reports to its author.
    declare_less: Vec<DeclaresLess>,
    asked: OnceCell<Vec<Asked>>,
    /// What became of these names in the first build that reported it; most builds find the same.
    pub(crate) placeholder_reports: OnceCell<Arc<[PlaceholderReport]>>,
    /// What was odd about it when the registry was built; repeated in each report.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl std::fmt::Debug for Assembled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Assembled")
            .field("variant", &self.variant)
            .field("known_sections", &self.known_sections)
            .finish_non_exhaustive()
    }
}

impl PromptRegistry {
    /// Starts a registry.
    pub fn builder() -> PromptRegistryBuilder {
        PromptRegistryBuilder::default()
    }

    /// Reads the packs and overlays that came from folders again and builds the registry again; everything else is kept:
    /// packs in the binary, and the host's components, variants, tools and options. Folders are looked
    /// for at the path that [`Pack::from_dir`](crate::Pack::from_dir) was given.
    ///
    /// The registry is replaced as a whole, or not at all. Clones keep what they have, and so a build
    /// sees one registry from its start to its end. To reload what several threads use, keep it in a
    /// lock and build with a clone:
    ///
    /// ```
    /// use std::sync::RwLock;
    /// use promptline::{Error, Pack, PromptContext, PromptRegistry};
    ///
    /// # fn main() -> Result<(), Error> {
    /// let shared = RwLock::new(PromptRegistry::builder().pack(Pack::builtin()).build()?);
    /// let current = || shared.read().expect("no thread panics with the lock").clone();
    ///
    /// // Where a prompt is needed:
    /// let prompt = current().build_blocking(&PromptContext::new("openai", "gpt-5"))?;
    ///
    /// // Where files have changed; the lock is not held while they are read.
    /// let mut fresh = current();
    /// match fresh.reload() {
    ///     Ok(()) => *shared.write().expect("no thread panics with the lock") = fresh,
    ///     Err(error) => eprintln!("the prompts stay as they are: {error:#}"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The first mistake in a pack, as for [`Pack::from_dir`](crate::Pack::from_dir) and
    /// [`PromptRegistryBuilder::build`]. Then the registry is what it was.
    pub fn reload(&mut self) -> Result<(), Error> {
        let mut recipe = PromptRegistryBuilder::clone(&self.recipe);
        recipe.read_folders()?;
        *self = recipe.build()?;
        Ok(())
    }

    /// The variants in the order in which they are matched.
    pub fn variants(&self) -> impl Iterator<Item = &PromptVariant> {
        self.inner.variants.iter().map(|assembled| &assembled.variant)
    }

    /// Every tool that some variant lists or the host added, whatever its condition: in the order of the
    /// variants and their lists, of several with one name the first.
    pub fn tools(&self) -> impl Iterator<Item = &ToolSpec> {
        let mut seen = BTreeSet::new();
        let offered = self.inner.variants.iter().flat_map(|variant| &variant.tools);
        offered.map(|offered| &*offered.spec).filter(move |spec| seen.insert(spec.name.as_str()))
    }

    /// The component of this id in every variant that has it, without overlays, in the order of variants.
    pub(crate) fn components_called(&self, id: &str) -> impl Iterator<Item = (&str, &Registered)> {
        self.inner.variants.iter().filter_map(move |assembled| {
            let step = assembled.pipeline.iter().find(|step| step.id == id)?;
            Some((assembled.variant.id(), step.component.as_deref()?))
        })
    }

    /// The ids of all sections that some component writes.
    pub(crate) fn section_ids(&self) -> BTreeSet<&str> {
        let steps = self.inner.variants.iter().flat_map(|assembled| &assembled.pipeline);
        let written = steps.filter(|step| step.component.is_some());
        written.map(|step| step.id.as_str()).collect()
    }

    /// The variant with exactly this id, in its highest version.
    ///
    /// # Errors
    /// [`ErrorKind::NoVariant`](crate::ErrorKind::NoVariant), listing what exists.
    pub fn get(&self, id: &str) -> Result<&PromptVariant, Error> {
        select::exact(&self.inner.variants, id, None).map(|assembled| &assembled.variant)
    }

    /// The variant with exactly this id and version.
    ///
    /// # Errors
    /// [`ErrorKind::NoVariant`](crate::ErrorKind::NoVariant), listing what exists.
    pub fn get_version(&self, id: &str, version: u32) -> Result<&PromptVariant, Error> {
        select::exact(&self.inner.variants, id, Some(version)).map(|assembled| &assembled.variant)
    }

    /// Reads a model id by the registry's tables, aliases included.
    #[must_use]
    pub fn model_id(&self, provider: &str, id: &str) -> ModelId {
        self.inner.models.parse(provider, id)
    }

    /// Chooses the variant for a request: the one that the context names, else the first whose
    /// matcher holds.
    ///
    /// # Errors
    /// [`ErrorKind::NoVariant`](crate::ErrorKind::NoVariant), listing what exists.
    pub fn select(&self, cx: &PromptContext) -> Result<Selection<'_>, Error> {
        select::select(&self.inner, cx, false)
    }
}
