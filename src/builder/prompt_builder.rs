//! The builder of one variant's prompts, and what it tries when a prompt does not fit its budget.

use smallvec::SmallVec;
use tracing::Instrument as _;

use super::blocking::poll_to_end;
use super::pipeline::run;
use crate::context::PromptContext;
use crate::options::BuildOptions;
use crate::prompt::Prompt;
use crate::registry::{Inner, Selection};
use promptline_diagnostic::{Error, ErrorKind};

/// Builds prompts of one variant.
///
/// ```
/// use promptline::{BuildOptions, Pack, PromptContext, PromptRegistry};
/// # fn main() -> Result<(), promptline::Error> {
/// let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
/// let prompt = registry
///     .prompt_builder("xs")?
///     .options(BuildOptions::new().with_fingerprint(true))
///     .build_blocking(&PromptContext::new("lmstudio", "qwen3-coder-30b"))?;
/// assert!(prompt.fingerprint().is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "call `build`"]
pub struct PromptBuilder<'r> {
    inner: &'r Inner,
    selection: Selection<'r>,
    options: BuildOptions,
}

impl<'r> PromptBuilder<'r> {
    pub(crate) fn for_selection(inner: &'r Inner, selection: Selection<'r>) -> Self {
        Self { inner, selection, options: inner.options.clone() }
    }

    /// Sets the options.
    pub fn options(mut self, options: BuildOptions) -> Self {
        self.options = options;
        self
    }

    /// Builds the prompt for a request.
    ///
    /// # Errors
    /// A value of the context is nested too deep, the base template ran over a limit, the prompt is too
    /// large or does not fit its budget, or a placeholder is unresolved under
    /// [`UnresolvedPolicy::Error`](crate::options::UnresolvedPolicy::Error).
    pub async fn build(self, cx: &PromptContext) -> Result<Prompt, Error> {
        self.build_fitting(cx).await
    }

    /// [`build`](Self::build) for callers without an async runtime.
    ///
    /// # Errors
    /// As [`build`](Self::build); of kind [`ErrorKind::WouldBlock`] where a component waits for something.
    pub fn build_blocking(self, cx: &PromptContext) -> Result<Prompt, Error> {
        poll_to_end(self.build(cx))
    }

    /// Builds the variant, and where it does not fit its budget the one that it names as its compact
    /// form.
    async fn build_fitting(self, cx: &PromptContext) -> Result<Prompt, Error> {
        let mut builder = self;
        let mut tried: SmallVec<[&str; 4]> = SmallVec::new();
        loop {
            let id = builder.selection.variant().id();
            tried.push(id);
            let compact = builder.compact(&tried);
            let span = tracing::debug_span!("build", variant = id);
            let last = compact.is_none();
            let PromptBuilder { inner, selection, options } = builder;
            match (run(inner, selection, &options, cx, last).instrument(span).await, compact) {
                (Err(error), Some(compact)) if error.kind() == ErrorKind::Budget => {
                    builder = compact;
                }
                (built, _) => return built,
            }
        }
    }

    /// The builder of the variant that is tried when this one does not fit its budget, unless it was
    /// tried.
    fn compact(&self, tried: &[&str]) -> Option<PromptBuilder<'r>> {
        self.options.budget?;
        let id = self.selection.variant().compact();
        let id = id.filter(|id| !tried.contains(id))?;
        let selection = self.selection.clone().compact(self.inner, id)?;
        Some(Self { inner: self.inner, selection, options: self.options.clone() })
    }
}
