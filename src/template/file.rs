//! The source of one template or partial, and errors that point into it.

use std::ops::Range;
use std::sync::Arc;

use crate::text::normalise;
use promptline_diagnostic::{Error, ErrorKind};

/// A source with its file name. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct File {
    name: Arc<str>,
    text: Arc<str>,
}

impl File {
    /// Normalises the source: no byte order mark, LF line ends, no noncharacters.
    pub(super) fn new(name: &str, source: &str) -> Self {
        Self { name: Arc::from(name), text: Arc::from(normalise(source)) }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    #[inline]
    pub(super) fn slice(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    /// What is wrong, where, and what to do about it.
    pub(super) fn error(
        &self,
        at: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Error {
        Error::new(ErrorKind::Template, message).with_help(help).at(&*self.name, &self.text, at)
    }

    /// The line that a byte is in, counted from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        let before = self.text.as_bytes().get(..at).unwrap_or_default();
        memchr::memchr_iter(b'\n', before).count() + 1
    }
}
