//! Errors of the host's own code. They never end a build: what failed is left out, and reported.

use std::error::Error as StdError;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

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

/// Calls the host's code; its panic is an error like any other, where the host unwinds.
pub(crate) fn contained<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| panic_message(panic.as_ref()))
}

/// What a panic said.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let said = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    said.map_or_else(|| "panicked".to_owned(), |text| format!("panicked: {text}"))
}
