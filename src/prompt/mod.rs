//! The result of a build: one text, the sections that partition it, and what happened. Nothing here
//! changes after the build.

mod cache;
mod cache_limits;
mod request;
mod splice;

use std::ops::Range;

use once_cell::sync::OnceCell;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use crate::fingerprint::Fingerprint;
pub use crate::id::TEMPLATE_SECTION;
use crate::report::Report;
use crate::text::{BuiltSection, Source, Text, Volatility};
use crate::tokens::Counter;
use crate::tool::{EnabledTools, names};
pub use crate::variant::VariantRef;
pub(crate) use cache::{Anchor, Break, Breaks};
pub use cache::{CachePlan, CacheTtl, PromptBlock};
pub use cache_limits::CacheLimits;
use promptline_diagnostic::Id;
use promptline_tools::{Dialect, NativeTools, ToolNameMap};
use splice::partition;
pub(crate) use splice::{join, tokens};

/// A finished system prompt.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Prompt {
    pub(crate) text: String,
    /// What the text was joined from; the sections are computed from it on first use.
    pub(crate) base: Text,
    pub(crate) base_origin: Id,
    pub(crate) counter: Counter,
    pub(crate) parted: OnceCell<Parted>,
    pub(crate) breaks: Breaks,
    pub(crate) variant: VariantRef,
    pub(crate) tools: EnabledTools,
    pub(crate) dialect: Dialect,
    pub(crate) cache_limits: CacheLimits,
    pub(crate) native: Option<NativeTools>,
    pub(crate) tool_names: OnceCell<ToolNameMap>,
    pub(crate) report: Report,
    pub(crate) fingerprint: Option<Fingerprint>,
}

/// A part of the prompt's text. The sections partition the text in order, without gaps; a section that
/// another is printed inside of is there in several parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Section {
    /// The component's id, or [`TEMPLATE_SECTION`] for text of the base template.
    pub id: Id,
    /// Where in the text it is, in bytes.
    pub range: Range<usize>,
    /// The file that it was written in, or `host`.
    pub origin: Id,
    /// How often it changes.
    pub volatility: Volatility,
    /// Its length in bytes.
    pub bytes: usize,
    /// Its length in tokens, by the registry's [`TokenCounter`](crate::TokenCounter).
    pub tokens: usize,
    /// The section that it is printed inside of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Id>,
    /// Authored and verbatim text, in order, without gaps.
    pub spans: Vec<Span>,
}

/// A stretch of authored or verbatim text; positions are bytes into the prompt's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Span {
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Who wrote it.
    pub kind: SpanKind,
    /// Where verbatim text came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// Who wrote a stretch of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SpanKind {
    /// The pack's author.
    Authored,
    /// Someone else: it came with the request, from a file, or from a server.
    Verbatim,
}

impl Prompt {
    /// The prompt, as it is sent.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The prompt, as it is sent.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// The parts of the text, in order.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.parted().sections
    }

    fn parted(&self) -> &Parted {
        self.parted.get_or_init(|| partition(self))
    }

    /// Its length in tokens, that of the native tools as compact JSON included, by the registry's
    /// [`TokenCounter`](crate::TokenCounter). Sections are counted one by one; a counter that reads over
    /// their borders may find a few less.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let text: usize = self.sections().iter().map(|section| section.tokens).sum();
        text + self.tool_tokens()
    }

    /// Of the native tools as compact JSON.
    fn tool_tokens(&self) -> usize {
        self.tools().map_or(0, |tools| self.counter.count(&tools.to_json()))
    }

    /// The text of a section, when it came out in one part or several; the parts are joined.
    #[must_use]
    pub fn section(&self, id: &str) -> Option<String> {
        let mut text = String::new();
        let mut found = false;
        for section in self.sections().iter().filter(|section| section.id == id) {
            found = true;
            text.push_str(self.text.get(section.range.clone()).unwrap_or_default());
        }
        found.then_some(text)
    }

    /// The variant that it was built for.
    #[must_use]
    pub fn variant(&self) -> &VariantRef {
        &self.variant
    }

    /// The tools in the provider's own form, or `None` when the tools are in the prompt's text.
    #[must_use]
    pub fn tools(&self) -> Option<&NativeTools> {
        self.native.as_ref()
    }

    /// The names by which the model may call tools, and which tools they are.
    #[must_use]
    pub fn tool_names(&self) -> &ToolNameMap {
        match &self.native {
            Some(native) => native.names(),
            None => self.tool_names.get_or_init(|| names(&self.tools)),
        }
    }

    /// The tools that this build offers, in whatever form the model gets them.
    #[must_use]
    pub fn enabled_tools(&self) -> &EnabledTools {
        &self.tools
    }

    /// What happened and why.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The hashes, when the build was asked for them (`BuildOptions::fingerprint`).
    #[must_use]
    pub fn fingerprint(&self) -> Option<&Fingerprint> {
        self.fingerprint.as_ref()
    }
}

/// What is read off the joined text.
#[derive(Debug, Clone)]
pub(crate) struct Parted {
    sections: Vec<Section>,
    /// From which byte on the text may change that no printed section accounts for.
    breaks: SmallVec<[(usize, Volatility); 2]>,
}
