//! What a provider's cache takes for a model: how many marks, from how many tokens on, for how long. The figures are
//! in `cache_limits.toml`, with date and source; no figure of a provider is written in code.

use once_cell::sync::Lazy;
use serde::Deserialize;

use super::CachePlan;
use crate::model_id::{ModelId, VersionRange};
use promptline_tools::Dialect;

/// What the cache of a provider takes for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct CacheLimits {
    /// How many marks a request may have; 0 where a mark is an error of the whole request.
    pub marks: usize,
    /// Of fewer tokens nothing is kept; 0 where that is not known.
    pub shortest: usize,
    /// A mark on less is set all the same: it does no harm, and what comes behind it may make it worth while.
    pub mark_short: bool,
    /// A mark may stand on tools.
    pub tools: bool,
    /// A mark may ask for an hour.
    pub hour: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[expect(dead_code, reason = "for readers of the file")]
    as_of: String,
    #[expect(dead_code, reason = "for readers of the file")]
    source: String,
    row: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    dialect: Dialect,
    family: Option<String>,
    #[serde(default)]
    line: Vec<String>,
    version: Option<VersionRange>,
    marks: Option<usize>,
    shortest: Option<usize>,
    #[serde(default)]
    mark_short: bool,
    tools: Option<bool>,
    hour: Option<bool>,
    /// What the row does not say is as with this dialect.
    like: Option<Dialect>,
}

static FILE: &str = include_str!("cache_limits.toml");

/// A test reads the file; a mistake in it costs marks, not the process.
static ROWS: Lazy<Vec<Row>> =
    Lazy::new(|| toml::from_str::<File>(FILE).map(|file| file.row).unwrap_or_default());

impl Row {
    fn fits(&self, dialect: Dialect, model: &ModelId) -> bool {
        self.dialect == dialect
            && self.family.as_deref().is_none_or(|family| model.family() == Some(family))
            && (self.line.is_empty()
                || model.lines().any(|line| self.line.iter().any(|l| l == line)))
            && self.version.as_ref().is_none_or(|range| range.contains(model.version()))
    }
}

impl CacheLimits {
    /// What the cache of a provider takes for a model.
    ///
    /// ```
    /// use promptline::prompt::CacheLimits;
    /// use promptline::{Dialect, ModelId};
    /// let of = |dialect, id| CacheLimits::of(dialect, &ModelId::parse("", id));
    /// assert_eq!(of(Dialect::Anthropic, "claude-opus-4-5").shortest, 4096);
    /// assert_eq!(of(Dialect::Bedrock, "qwen.qwen3-coder-next").marks, 0);
    /// ```
    #[must_use]
    pub fn of(dialect: Dialect, model: &ModelId) -> Self {
        let row = ROWS.iter().find(|row| row.fits(dialect, model));
        let like = row.and_then(|row| row.like).map(|like| Self::of(like, model));
        let base = like.unwrap_or(Self {
            marks: super::cache::MOST_MARKS,
            shortest: 0,
            mark_short: false,
            tools: true,
            hour: true,
        });
        match row {
            None => base,
            Some(row) => Self {
                marks: row.marks.unwrap_or(base.marks),
                shortest: row.shortest.unwrap_or(base.shortest),
                mark_short: row.mark_short || base.mark_short,
                tools: row.tools.unwrap_or(base.tools),
                hour: row.hour.unwrap_or(base.hour),
            },
        }
    }

    /// The same; the id is only read where it says something.
    pub(crate) fn of_lazy<'m>(dialect: Dialect, model: impl FnOnce() -> &'m ModelId) -> Self {
        match ROWS.iter().any(|row| row.dialect == dialect) {
            true => Self::of(dialect, model()),
            false => Self::of(dialect, &ModelId::default()),
        }
    }

    /// A prefix of so many tokens gets a mark.
    pub(super) fn is_marked(self, tokens: impl FnOnce() -> usize) -> bool {
        self.shortest == 0 || self.mark_short || tokens() >= self.shortest
    }

    /// The plan, as far as the provider takes it.
    pub(super) fn limit(self, plan: &CachePlan) -> CachePlan {
        let mut plan = *plan;
        plan.marks = plan.marks.min(self.marks);
        plan.shortest = plan.shortest.max(self.shortest);
        plan.tools &= self.tools && self.marks > 0;
        if !self.hour {
            plan.static_ttl = super::CacheTtl::FiveMinutes;
            plan.conversation_ttl = super::CacheTtl::FiveMinutes;
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(dialect: Dialect, id: &str) -> (usize, usize) {
        let limits = CacheLimits::of(dialect, &ModelId::parse("", id));
        (limits.marks, limits.shortest)
    }

    #[test]
    fn the_file_can_be_read() {
        assert!(toml::from_str::<File>(FILE).unwrap().row.len() > 10);
    }

    macro_rules! limits {
        ($($name:ident: $dialect:ident, $ids:literal => $marks:literal, $shortest:literal;)*) => {$(
            #[test]
            fn $name() {
                for id in $ids.split(' ') {
                    assert_eq!(of(Dialect::$dialect, id), ($marks, $shortest), "{id}");
                }
            }
        )*};
    }

    limits! {
        models_without_a_cache_refuse_marks: Bedrock, "qwen.qwen3-coder-next nvidia.nemotron-super-3-120b us.deepseek.r1-v1:0 zai.glm-4.7 meta.llama3-3-70b-instruct-v1:0 openai.gpt-oss-120b-1:0 anthropic.claude-3-haiku-20240307-v1:0 anthropic.claude-3-5-sonnet-20240620-v1:0 unknown" => 0, 0;
        bedrock_keeps_as_anthropic_does: Bedrock, "us.anthropic.claude-haiku-4-5-20251001-v1:0 global.anthropic.claude-opus-4-5-20251101-v1:0" => 4, 4096;
        bedrock_keeps_nova: Bedrock, "us.amazon.nova-pro-v1:0 amazon.nova-lite-v1:0" => 4, 1024;
        older_claude_at_bedrock: Bedrock, "anthropic.claude-sonnet-4-20250514-v1:0 us.anthropic.claude-3-7-sonnet-20250219-v1:0" => 4, 1024;
        long_ones: Anthropic, "claude-haiku-4-5 claude-opus-4-5 claude-opus-4-6 claude-opus-4-5-20251101" => 4, 4096;
        middle_ones: Anthropic, "claude-opus-4-7 claude-3-5-haiku-20241022 claude-3-haiku-20240307" => 4, 2048;
        usual_ones: Anthropic, "claude-sonnet-4-5 claude-sonnet-5 claude-opus-4-1 claude-opus-4-20250514 claude-opus-4-8" => 4, 1024;
        short_ones: Anthropic, "claude-opus-5 claude-fable-5 claude-mythos-5" => 4, 512;
        others_are_not_known: Anthropic, "minimax-m2 acme" => 4, 0;
    }

    #[test]
    fn an_hour_only_where_it_is_taken() {
        let hour = |id: &str| CacheLimits::of(Dialect::Bedrock, &ModelId::parse("", id)).hour;
        assert!(hour("anthropic.claude-sonnet-4-5-20250929-v1:0"));
        assert!(!hour("anthropic.claude-sonnet-4-20250514-v1:0"));
        assert!(!hour("amazon.nova-pro-v1:0"));
    }
}
