//! What goes into a registry. Nothing is looked at before [`build`](PromptRegistryBuilder::build):
//! mistakes of any call come out there, as one error.

use std::sync::Arc;

use super::{PromptRegistry, assemble};
use crate::component::Component;
use crate::model_id::ModelTables;
use crate::options::BuildOptions;
use crate::overlay::Overlay;
use crate::pack::Pack;
use crate::template::Helpers;
#[cfg(feature = "handlebars")]
use crate::template::handlebars::HelperDef;
use crate::tokens::{Counter, TokenCounter};
use crate::tool::ToolSet;
use crate::variant::PromptVariant;
use promptline_diagnostic::Error;

/// Where something goes in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// Before everything.
    First,
    /// Behind everything (a variant: before `generic`, which is always last).
    Last,
    /// Before the one with this id; where there is none, last.
    Before(String),
    /// Behind the one with this id; where there is none, last.
    After(String),
    /// Nowhere by itself: variants that name it in their list have it.
    Listed,
}

impl Place {
    /// Before the one with this id.
    #[must_use]
    pub fn before(id: impl Into<String>) -> Self {
        Self::Before(id.into())
    }

    /// Behind the one with this id.
    #[must_use]
    pub fn after(id: impl Into<String>) -> Self {
        Self::After(id.into())
    }
}

/// Collects packs, components, variants, tools and options.
#[derive(Clone, Default)]
#[must_use = "call `build`"]
pub struct PromptRegistryBuilder {
    pub(super) packs: Vec<Pack>,
    pub(super) overlays: Vec<Overlay>,
    pub(super) components: Vec<(Arc<dyn Component>, Place)>,
    pub(super) replacements: Vec<Arc<dyn Component>>,
    pub(super) variants: Vec<(PromptVariant, Place)>,
    pub(super) replaced_variants: Vec<PromptVariant>,
    pub(super) tools: ToolSet,
    pub(super) options: BuildOptions,
    pub(super) models: ModelTables,
    pub(super) counter: Counter,
    pub(super) helpers: Helpers,
    /// What was wrong with a call, for `build`.
    pub(super) bad_helpers: Vec<Arc<Error>>,
}

impl PromptRegistryBuilder {
    /// Adds a pack. Packs stack: of two with the same component, tool, variant, condition or
    /// placeholder the later one wins, and the variants of a later pack are matched first.
    pub fn pack(mut self, pack: Pack) -> Self {
        self.packs.push(pack);
        self
    }

    /// Applies an overlay to the sections of all packs and of the host. Overlays are applied
    /// in the order of these calls; what a later one replaces hides what an earlier one said.
    ///
    /// An overlay that changes a section which is not there, or takes out a required one without
    /// `acknowledge = true`, is an error of [`build`](Self::build).
    pub fn overlay(mut self, overlay: Overlay) -> Self {
        self.overlays.push(overlay);
        self
    }

    /// Adds a component to every variant, behind those of the packs. One id twice is an error; see
    /// [`replace_component`](Self::replace_component), and [`component_at`](Self::component_at) for another
    /// place.
    pub fn component(self, component: impl Component + 'static) -> Self {
        self.component_at(component, Place::Last)
    }

    /// Adds a component with a place in every variant.
    ///
    /// Components with the same place are in the order of their ids, so that the order of these calls does
    /// not matter.
    pub fn component_at(mut self, component: impl Component + 'static, place: Place) -> Self {
        self.components.push((Arc::new(component), place));
        self
    }

    /// Takes this component instead of the one with the same id, in every variant.
    pub fn replace_component(mut self, component: impl Component + 'static) -> Self {
        self.replacements.push(Arc::new(component));
        self
    }

    /// Adds a variant whose matcher is tried before those of the packs. One id and version twice is an error;
    /// see [`replace_variant`](Self::replace_variant), and [`variant_at`](Self::variant_at) for another place.
    pub fn variant(self, variant: PromptVariant) -> Self {
        self.variant_at(variant, Place::First)
    }

    /// Adds a variant at a place. Those with the same place are tried in the order of these calls.
    pub fn variant_at(mut self, variant: PromptVariant, place: Place) -> Self {
        self.variants.push((variant, place));
        self
    }

    /// Takes this variant instead of the one with the same id and version, or else of the first one
    /// with the same id, at its place.
    pub fn replace_variant(mut self, variant: PromptVariant) -> Self {
        self.replaced_variants.push(variant);
        self
    }

    /// Changes the tools of all variants.
    pub fn tools(mut self, tools: ToolSet) -> Self {
        self.tools.merge(tools);
        self
    }

    /// Sets the options of builds that bring none of their own.
    pub fn options(mut self, options: BuildOptions) -> Self {
        self.options = options;
        self
    }

    /// Reads model ids by these tables: the library's own with what the host adds.
    pub fn models(mut self, tables: ModelTables) -> Self {
        self.models = tables;
        self
    }

    /// Counts tokens by this, in every section, report and budget; without it one token is four bytes
    /// ([`TokenEstimate`](crate::tokens::TokenEstimate)). It changes no byte of a prompt.
    pub fn tokens(mut self, counter: impl TokenCounter + 'static) -> Self {
        self.counter = Counter::new(counter);
        self
    }

    /// Registers a helper for the templates of all packs and overlays: `{{upper NAME}}`,
    /// `(upper NAME)`, `{{#upper NAME}} … {{/upper}}`. What it is, and how to write one, is described in
    /// [`template`](crate::template#helpers-of-a-host). A name that is taken is an error of
    /// [`build`](Self::build).
    ///
    /// ```
    /// use promptline::template::handlebars::handlebars_helper;
    /// use promptline::{Pack, PromptRegistry};
    ///
    /// handlebars_helper!(upper: |text: str| text.to_uppercase());
    /// let registry = PromptRegistry::builder().pack(Pack::builtin()).helper("upper", upper).build()?;
    /// # Ok::<(), promptline::Error>(())
    /// ```
    #[cfg(feature = "handlebars")]
    pub fn helper(
        mut self,
        name: impl Into<String>,
        helper: impl HelperDef + Send + Sync + 'static,
    ) -> Self {
        match self.helpers.clone().with(name, helper) {
            Ok(helpers) => self.helpers = helpers,
            Err(error) => self.bad_helpers.push(Arc::new(error)),
        }
        self
    }

    /// By what model ids are read.
    pub(crate) fn tables(&self) -> &ModelTables {
        &self.models
    }

    /// The packs, the lowest first.
    pub(crate) fn packs(&self) -> impl Iterator<Item = &Pack> {
        self.packs.iter()
    }

    /// The folders that packs and overlays came from.
    #[cfg(feature = "watch")]
    pub(super) fn folders(&self) -> impl Iterator<Item = &std::path::Path> {
        let packs = self.packs.iter().filter_map(|pack| pack.content().folder.as_deref());
        packs.chain(self.overlays.iter().filter_map(Overlay::folder))
    }

    /// The same with packs and overlays as their folders are now; without those whose folder is gone.
    #[cfg(feature = "watch")]
    pub(super) fn as_it_is_now(&self) -> Result<Self, Error> {
        let is_there =
            |folder: Option<&std::path::Path>| folder.is_none_or(|folder| folder.is_dir());
        let mut now = self.clone();
        now.packs.retain(|pack| is_there(pack.content().folder.as_deref()));
        now.overlays.retain(|overlay| is_there(overlay.folder()));
        now.read_folders()?;
        Ok(now)
    }

    /// Reads the packs and overlays that came from folders again.
    pub(super) fn read_folders(&mut self) -> Result<(), Error> {
        for pack in &mut self.packs {
            *pack = pack.read_again()?;
        }
        for overlay in &mut self.overlays {
            *overlay = overlay.read_again()?;
        }
        Ok(())
    }

    /// Checks everything and makes the registry.
    ///
    /// # Errors
    /// The first mistake: a pack that is broken, an id that is there twice, a condition, component,
    /// tool or variant that is not there, a template that prints a section before it is built.
    pub fn build(self) -> Result<PromptRegistry, Error> {
        assemble::assemble(self)
    }
}

impl std::fmt::Debug for PromptRegistryBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PromptRegistryBuilder")
            .field("packs", &self.packs.iter().map(Pack::name).collect::<Vec<_>>())
            .field(
                "components",
                &self.components.iter().map(|(c, p)| (c.id(), p)).collect::<Vec<_>>(),
            )
            .field("variants", &self.variants)
            .finish_non_exhaustive()
    }
}
