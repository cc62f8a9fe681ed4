//! What requests cost when the provider caches prefixes: tokens weighted by what they are billed at.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::Assembled;
use super::size;
use crate::context::Mark;
use crate::{Part, Tokens};

/// What a token costs, beside one that is read for the first time and not cached.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Prices {
    /// A token that the provider has in its cache.
    pub read: f64,
    /// A token that it puts there.
    pub write: f64,
}

impl Prices {
    /// A table of the host.
    #[must_use]
    pub fn new(read: f64, write: f64) -> Self {
        Self { read, write }
    }
}

impl Default for Prices {
    /// Anthropic's, with five minutes (2026): 0.1 and 1.25.
    fn default() -> Self {
        Self { read: 0.1, write: 1.25 }
    }
}

/// What a request cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Bill {
    /// Tokens sent.
    pub sent: usize,
    /// Of them, those that were in the cache.
    pub read: usize,
    /// Of them, those that were put there.
    pub written: usize,
    /// What all of them cost, in tokens that are read for the first time.
    pub equivalent: f64,
}

/// How many blocks in front of a mark a provider looks for an earlier one (Anthropic, 2026).
const LOOK_BACK: usize = 20;

/// Follows a conversation, as a provider that caches at marks does: what is in front of a mark is read from the cache
/// as far as an earlier request had a mark at the same bytes, no more than 20 blocks before. Its counts are estimates,
/// from before the bill comes.
#[derive(Debug)]
pub struct CostMeter {
    prices: Prices,
    tokens: Tokens,
    cached: std::collections::HashSet<[u8; 32]>,
    total: Bill,
}

impl CostMeter {
    /// A conversation that begins.
    #[must_use]
    pub fn new(prices: Prices, tokens: Tokens) -> Self {
        Self { prices, tokens, cached: std::collections::HashSet::new(), total: Bill::default() }
    }

    /// All requests so far.
    #[must_use]
    pub fn total(&self) -> Bill {
        self.total
    }

    /// The next request; `tools` are its native tools as JSON, or empty.
    pub fn request(&mut self, tools: &str, context: &Assembled) -> Bill {
        let tokens = self.tokens.clone();
        let mut blocks: Vec<(String, usize, bool)> =
            vec![(tools.to_owned(), tokens.count(tools), true)];
        for (at, block) in context.system.iter().enumerate() {
            let last = at + 1 == context.system.len();
            let marked = last && context.marks.contains(&Mark::System);
            blocks.push((block.text.clone(), tokens.count(&block.text), marked));
        }
        for (message, content) in context.messages.iter().enumerate() {
            for (part, one) in content.parts.iter().enumerate() {
                let text = match one {
                    Part::Text { text, .. } => text.as_ref().to_owned(),
                    other => serde_json::to_string(other).unwrap_or_default(),
                };
                let marked = context.marks.contains(&Mark::Part { message, part });
                let first = usize::from(part == 0) * 4;
                let role = format!("{:?}\n{text}", content.role);
                blocks.push((role, first + size::of_part(one, &tokens), marked));
            }
        }
        blocks.extend(
            context.trailing_system.as_ref().map(|text| (text.clone(), tokens.count(text), false)),
        );
        let blocks: Vec<(&str, usize, bool)> =
            blocks.iter().map(|(text, tokens, marked)| (text.as_str(), *tokens, *marked)).collect();
        self.blocks(&blocks)
    }

    /// The next request as blocks: text, tokens, and whether a mark is behind it.
    #[expect(clippy::cast_precision_loss, reason = "tokens are no more than a float can count")]
    pub fn blocks(&mut self, blocks: &[(&str, usize, bool)]) -> Bill {
        let mut hash = Sha256::new();
        let mut ends = Vec::with_capacity(blocks.len());
        let mut sent = 0;
        for (text, tokens, mark) in blocks {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
            sent += tokens;
            let end: [u8; 32] = hash.clone().finalize().into();
            ends.push((end, sent, *mark));
        }
        let (mut read, mut marked) = (0, 0);
        for (at, (_, tokens, _)) in ends.iter().enumerate().filter(|(_, (_, _, mark))| *mark) {
            marked = *tokens;
            let behind = ends.iter().take(at + 1).rev().take(LOOK_BACK);
            let found = behind.clone().find(|(end, _, _)| self.cached.contains(end));
            read = found.map_or(0, |(_, tokens, _)| *tokens).max(read);
        }
        let marks = ends.iter().filter(|(_, _, mark)| *mark).map(|(end, _, _)| *end);
        self.cached.extend(marks);
        let written = marked - read;
        let fresh = sent - marked;
        let equivalent =
            fresh as f64 + self.prices.read * read as f64 + self.prices.write * written as f64;
        let bill = Bill { sent, read, written, equivalent };
        self.total.sent += sent;
        self.total.read += read;
        self.total.written += written;
        self.total.equivalent += equivalent;
        bill
    }
}
