//! Where a provider may keep the prompt in its cache. What changes often comes last in a block of its
//! own; a mark is placed only where everything before it stays as it is. The text is cut, never changed.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::cache_limits::CacheLimits;
use super::{Prompt, Section, TEMPLATE_SECTION};
use crate::text::Volatility;
use promptline_diagnostic::{Diagnostic, Id};
use promptline_tools::Dialect;

/// Providers that take marks (Anthropic, Bedrock) take so many in a request, and refuse more.
pub(super) const MOST_MARKS: usize = 4;

/// Where the marks go that ask a provider to cache what precedes them.
///
/// ```
/// use promptline::prompt::{CachePlan, CacheTtl};
/// let plan = CachePlan::new().with_marks(2).with_static_ttl(CacheTtl::OneHour);
/// assert_eq!(plan.conversation_ttl, CacheTtl::FiveMinutes);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct CachePlan {
    /// How many marks the text may have, 4 at most; a request has 4 in all, those on tools and messages
    /// included. The first goes behind the static text, the second behind the text of the conversation;
    /// there is no use for more. A single one goes behind the static text where that is worth it, else
    /// behind that of the conversation.
    pub marks: usize,
    /// What a single mark is worth: static text (with the native tools) of fewer tokens is not kept by
    /// itself. Providers keep nothing below some length: 1024 tokens with most models (Anthropic, Bedrock
    /// and OpenAI, 2026), the default.
    pub shortest: usize,
    /// How long static text is kept; never shorter than the text of the conversation behind it.
    pub static_ttl: CacheTtl,
    /// How long the text of a conversation is kept.
    pub conversation_ttl: CacheTtl,
    /// One more mark on the last native tool. Tools come first on the wire.
    pub tools: bool,
}

impl CachePlan {
    /// One mark in the text, none on tools; all is kept for five minutes.
    #[must_use]
    pub fn new() -> Self {
        let ttl = CacheTtl::FiveMinutes;
        Self { marks: 1, shortest: 1024, static_ttl: ttl, conversation_ttl: ttl, tools: false }
    }

    /// Sets how many marks the text may have.
    #[must_use]
    pub fn with_marks(mut self, marks: usize) -> Self {
        self.marks = marks;
        self
    }

    /// Sets how many tokens of static text are worth a single mark.
    #[must_use]
    pub fn with_shortest(mut self, tokens: usize) -> Self {
        self.shortest = tokens;
        self
    }

    /// Sets how long static text is kept.
    #[must_use]
    pub fn with_static_ttl(mut self, ttl: CacheTtl) -> Self {
        self.static_ttl = ttl;
        self
    }

    /// Sets how long the text of a conversation is kept.
    #[must_use]
    pub fn with_conversation_ttl(mut self, ttl: CacheTtl) -> Self {
        self.conversation_ttl = ttl;
        self
    }

    /// Asks for one more mark on the last native tool.
    #[must_use]
    pub fn with_tools(mut self, wanted: bool) -> Self {
        self.tools = wanted;
        self
    }

    /// A prefix must be kept at least as long as what follows: providers refuse a request in which a mark of an
    /// hour comes after one of five minutes.
    pub(super) fn first_ttl(&self) -> CacheTtl {
        self.static_ttl.max(self.conversation_ttl)
    }
}

impl Default for CachePlan {
    fn default() -> Self {
        Self::new()
    }
}

/// How long a provider keeps what precedes a mark. The two that there are (Anthropic, Bedrock).
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[non_exhaustive]
pub enum CacheTtl {
    /// Five minutes from its last use.
    #[default]
    #[serde(rename = "5m")]
    FiveMinutes,
    /// One hour; to write it costs more.
    #[serde(rename = "1h")]
    OneHour,
}

/// A stretch of the prompt that is sent as one block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PromptBlock<'p> {
    /// The text; the texts of all blocks, one behind the other, are the prompt.
    pub text: &'p str,
    /// Where it is in the prompt, in bytes.
    pub range: Range<usize>,
    /// How often it changes: as often as the most volatile text in it.
    pub volatility: Volatility,
    /// The mark behind it, and how long what precedes it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<CacheTtl>,
}

/// Behind this section (or at the start) the text may change with what is not printed just now: a section
/// whose time has not come, or a condition of the base template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Break {
    pub(crate) after: Option<Anchor>,
    pub(crate) volatility: Volatility,
}

/// A printing of a section by the base template: which one, counted from 1, of how many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) id: Id,
    pub(crate) nth: usize,
    pub(crate) of: usize,
}

/// At most one for each volatility: only the first one counts.
pub(crate) type Breaks = SmallVec<[Break; 2]>;

impl Prompt {
    /// The prompt cut for a provider's cache: first the static text, then that of the conversation, then
    /// the rest, each as far as the plan has a mark for it. A mark is placed where no turn of a conversation
    /// (behind static text: no request at all) changes what is before it, as far as the volatility of the
    /// sections is known or declared; never on a blank block.
    ///
    /// ```
    /// use promptline::{Pack, PromptContext, PromptRegistry, prompt::CachePlan};
    /// # fn main() -> Result<(), promptline::Error> {
    /// let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
    /// let cx = PromptContext::new("anthropic", "claude-sonnet-4-5").with_date("2026-03-01");
    /// let prompt = registry.build_blocking(&cx)?;
    /// let blocks = prompt.blocks(&CachePlan::new().with_marks(2));
    /// assert!(blocks[0].mark.is_some());
    /// assert_eq!(blocks.iter().map(|block| block.text).collect::<String>(), prompt.text());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn blocks(&self, plan: &CachePlan) -> Vec<PromptBlock<'_>> {
        let plan = &self.cache_limits.limit(plan);
        let text = self.text();
        let mut blocks = Vec::new();
        let mut start = 0;
        let mut marks = plan.marks.min(MOST_MARKS);
        let ends = [
            (Volatility::Static, plan.first_ttl()),
            (Volatility::Conversation, plan.conversation_ttl),
        ];
        for (volatility, ttl) in ends {
            let end = self.kept(volatility);
            if marks == 0 || is_blank(text, start..end) {
                continue;
            }
            let more = || self.kept(Volatility::Conversation) > end;
            // What is shorter than the provider keeps is not worth a mark.
            if !self.cache_limits.is_marked(|| self.prefix_tokens(end)) {
                continue;
            }
            let is_followed = marks == 1 && volatility == Volatility::Static && more();
            if is_followed && self.prefix_tokens(end) < plan.shortest {
                continue;
            }
            marks -= 1;
            blocks.push(self.block(start..end, Some(ttl)));
            start = end;
        }
        if start < text.len() {
            blocks.push(self.block(start..text.len(), None));
        }
        blocks
    }

    /// What of a plan the provider does not take for the model, or would not keep: nothing when the plan is as good
    /// as its words. For the reports of hosts: [`blocks`](Self::blocks) has left it out.
    #[must_use]
    pub fn cache_notes(&self, plan: &CachePlan) -> Vec<Diagnostic> {
        let limits = self.cache_limits;
        let note = |message: String| Diagnostic::warning("cache-mark", message);
        let takes_marks = matches!(self.dialect, Dialect::Anthropic | Dialect::Bedrock);
        if !takes_marks || (plan.marks == 0 && !plan.tools) {
            return Vec::new();
        }
        if limits.marks == 0 {
            let message = "no mark is set: the provider does not cache prompts of this model, and refuses marks";
            return vec![note(message.to_owned()).with_help(
                "for an id that does not name its model say what it is (`with_model_hint`)",
            )];
        }
        let mut notes = Vec::new();
        let prefix = self.prefix_tokens(self.kept(Volatility::Conversation));
        if plan.marks > 0 && prefix < limits.shortest {
            let shortest = limits.shortest;
            let set = if limits.mark_short {
                "the mark keeps nothing yet"
            } else {
                "no mark is set in the text"
            };
            notes.push(note(format!(
                "{set}: tools and text that stay the same have {prefix} tokens, and the \
                 provider keeps nothing below {shortest} for this model"
            )));
        }
        if plan.tools && self.tools().is_some_and(|tools| !tools.is_empty()) {
            let tools = self.tool_tokens();
            if !limits.tools {
                notes.push(note(
                    "no mark is set on tools: the provider takes none there".to_owned(),
                ));
            } else if !limits.is_marked(|| tools) {
                let shortest = limits.shortest;
                notes.push(note(format!(
                    "no mark is set on tools: they have {tools} tokens, and the provider keeps nothing below {shortest}"
                )));
            }
        }
        if !limits.hour && plan.first_ttl() == CacheTtl::OneHour {
            notes.push(note(
                "marks last five minutes: the provider takes no hour for this model".to_owned(),
            ));
        }
        notes
    }

    /// What the cache of the provider takes for the model of the prompt.
    #[must_use]
    pub fn cache_limits(&self) -> CacheLimits {
        self.cache_limits
    }

    /// Native tools, which come first on the wire, and the sections that end before this byte.
    fn prefix_tokens(&self, end: usize) -> usize {
        self.tokens_before(end) + self.tool_tokens()
    }

    /// Of the sections that end before this byte.
    pub(crate) fn tokens_before(&self, end: usize) -> usize {
        let before = self.sections().iter().take_while(|section| section.range.end <= end);
        before.map(|section| section.tokens).sum()
    }

    fn block(&self, range: Range<usize>, mark: Option<CacheTtl>) -> PromptBlock<'_> {
        let inside =
            |section: &&Section| section.range.start < range.end && section.range.end > range.start;
        let volatility = self.sections().iter().filter(inside).map(|section| section.volatility);
        PromptBlock {
            text: self.text().get(range.clone()).unwrap_or_default(),
            volatility: volatility.max().unwrap_or_default(),
            range,
            mark,
        }
    }

    /// Up to which byte the text is no more volatile than this. What belongs to the text behind (its
    /// heading, the separator before it) goes with it.
    pub(crate) fn kept(&self, volatility: Volatility) -> usize {
        let parted = self.parted();
        let broken = parted.breaks.iter().filter(|(_, level)| *level > volatility);
        let broken = broken.map(|(byte, _)| *byte).min().unwrap_or(usize::MAX);
        let mut sections = parted.sections.iter();
        let first = sections
            .position(|section| section.volatility > volatility || section.range.start >= broken);
        let Some(first) = first else {
            return self.text().len().min(broken);
        };
        let before = parted.sections.get(..first).unwrap_or_default();
        let mut end = before.last().map_or(0, |section| section.range.end);
        for section in before.iter().rev().take_while(|section| section.id == TEMPLATE_SECTION) {
            let text = self.text().get(section.range.clone()).unwrap_or_default();
            end = section.range.start + own_text(text).len();
            if end > section.range.start {
                break;
            }
        }
        end
    }
}

/// The text without blank lines, separators and headings at its end: the clean-up takes them away with
/// what follows them.
fn own_text(text: &str) -> &str {
    let mut rest = text.trim_end();
    loop {
        let line = rest.rsplit('\n').next().unwrap_or(rest);
        let hashes = line.trim_start_matches('#');
        let heading = hashes.len() < line.len() && (hashes.is_empty() || hashes.starts_with(' '));
        let separator = line.len() >= 4 && line.bytes().all(|byte| byte == b'=');
        if rest.is_empty() || !(heading || separator) {
            return rest;
        }
        rest = rest.get(..rest.len() - line.len()).unwrap_or_default().trim_end();
    }
}

fn is_blank(text: &str, range: Range<usize>) -> bool {
    text.get(range).is_none_or(|text| text.trim().is_empty())
}
