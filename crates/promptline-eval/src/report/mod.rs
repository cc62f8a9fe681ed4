//! Reports of a judged run: Markdown for a pull request, JUnit for a build server, one HTML page for people.

mod junit;
mod markdown;
mod page;

use serde::{Deserialize, Serialize};

pub use junit::junit;
pub use markdown::markdown;
pub use page::html;

use crate::gate::Report;
use crate::run::Run;

/// A run and what the gate says about it: what `--report FILE` keeps, and what labels are bound to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Judged {
    /// The gate's report.
    pub gate: Report,
    /// The run.
    pub run: Run,
}

impl Judged {
    /// A run and what the gate says about it.
    #[must_use]
    pub fn new(run: Run, gate: Report) -> Self {
        Self { gate, run }
    }
}

/// A part of a text, with marks where it was cut.
fn excerpt(text: &str, longest: usize) -> String {
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(longest).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}
