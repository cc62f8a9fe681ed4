//! What checks find in files.

use serde::Serialize;

use crate::place::Place;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// Worth a look.
    Note,
    /// Very likely a mistake.
    Warning,
    /// A mistake.
    Error,
}

/// Something in a file that is a mistake, or may be one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// `undeclared-parameter`, `unused-parameter` or `literal-parameter`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// The file.
    pub file: String,
    /// Where in it.
    pub place: Place,
}
