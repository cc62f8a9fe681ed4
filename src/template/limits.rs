//! What a template may cost. Everything that a hostile template could make large (nesting, loops,
//! partials, output) is counted here and ends in an error; nothing here ever aborts or panics.

use promptline_diagnostic::{Error, ErrorKind};

/// Blocks, parentheses and partials may stand in each other so deep, all counted together.
pub(super) const MAX_DEPTH: usize = 64;
/// A template with blocks, helpers or partials may be so large, in bytes. Plain ones may be larger.
pub(super) const MAX_LOGIC_BYTES: usize = 256 * 1024;
/// One template may stand for so many partials, counted through partials that print partials.
pub(super) const MAX_EXPANSIONS: usize = 100_000;
/// One render may print so many bytes.
pub(super) const MAX_OUTPUT: usize = 16 * 1024 * 1024;
/// One render may take so many steps: a text, a placeholder, a condition, a round of a loop, a
/// partial, or 64 bytes of data handed to a helper are one each.
const MAX_STEPS: usize = 2_000_000;
const STEP_BYTES: usize = 64;

/// Counts what one render costs.
#[derive(Debug, Default)]
pub(super) struct Budget {
    steps: usize,
    printed: usize,
}

impl Budget {
    /// One step, which handles `bytes` of data.
    pub(super) fn step(&mut self, bytes: usize) -> Result<(), Error> {
        self.steps = self.steps.saturating_add(1 + bytes / STEP_BYTES);
        if self.steps <= MAX_STEPS {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Template,
            format!("the template takes more than {MAX_STEPS} steps"),
        )
        .with_help("make the lists that it loops over shorter, or nest fewer loops and partials"))
    }

    /// `bytes` are about to be printed. They are counted before they are copied.
    #[inline]
    pub(super) fn print(&mut self, bytes: usize) -> Result<(), Error> {
        self.printed = self.printed.saturating_add(bytes);
        if self.printed <= MAX_OUTPUT { Ok(()) } else { Err(too_large()) }
    }

    #[cfg(feature = "handlebars")]
    pub(super) fn printed(&self) -> usize {
        self.printed
    }

    /// So many bytes were printed in all, those that were counted before they were copied among them.
    #[cfg(feature = "handlebars")]
    pub(super) fn printed_at_least(&mut self, bytes: usize) -> Result<(), Error> {
        self.printed = self.printed.max(bytes);
        self.print(0)
    }
}

/// More is printed than a render may print.
pub(super) fn too_large() -> Error {
    Error::new(
        ErrorKind::Template,
        format!("the template prints more than {} MB", MAX_OUTPUT / (1024 * 1024)),
    )
    .with_help("a value is too large, or it is printed too often")
}
