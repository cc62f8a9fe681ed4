//! The ways into a build.

use super::PromptBuilder;
use super::blocking::poll_to_end;
use crate::context::PromptContext;
use crate::options::BuildOptions;
use crate::prompt::Prompt;
use crate::registry::{PromptRegistry, Selection, exact, select};
use crate::report::ReportLevel;
use promptline_diagnostic::Error;

impl PromptRegistry {
    /// Builds the prompt for a request, with the registry's options.
    ///
    /// # Errors
    /// No variant fits, a value of the context is nested too deep, the base template ran over a limit,
    /// the prompt is too large or does not fit its [`Budget`](crate::Budget), or a placeholder is
    /// unresolved under [`UnresolvedPolicy::Error`](crate::options::UnresolvedPolicy::Error).
    pub async fn build(&self, cx: &PromptContext) -> Result<Prompt, Error> {
        self.build_with(cx, &self.inner.options).await
    }

    /// Builds the prompt for a request with options of its own.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub async fn build_with(
        &self,
        cx: &PromptContext,
        options: &BuildOptions,
    ) -> Result<Prompt, Error> {
        let quiet = options.report == ReportLevel::Off;
        let selection = select(&self.inner, cx, quiet)?;
        PromptBuilder::for_selection(&self.inner, selection)
            .options(options.clone())
            .build(cx)
            .await
    }

    /// [`build`](Self::build) for callers without an async runtime. It polls and never waits: where a
    /// component waits (for a timer, a socket) it is an error of kind
    /// [`ErrorKind::WouldBlock`](crate::ErrorKind::WouldBlock).
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_blocking(&self, cx: &PromptContext) -> Result<Prompt, Error> {
        poll_to_end(self.build(cx))
    }

    /// [`build_with`](Self::build_with) for callers without an async runtime.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_blocking_with(
        &self,
        cx: &PromptContext,
        options: &BuildOptions,
    ) -> Result<Prompt, Error> {
        poll_to_end(self.build_with(cx, options))
    }

    /// A builder for one given variant, whatever its matcher says.
    ///
    /// # Errors
    /// [`ErrorKind::NoVariant`](crate::ErrorKind::NoVariant), listing what exists.
    pub fn prompt_builder(&self, id: &str) -> Result<PromptBuilder<'_>, Error> {
        let assembled = exact(&self.inner.variants, id, None)?;
        let selection = Selection::given(assembled, "asked for by the caller");
        Ok(PromptBuilder::for_selection(&self.inner, selection))
    }
}
