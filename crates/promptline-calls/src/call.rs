//! A call as data. What the model wrote stands here as it is; types are a question of
//! [`CallGrammar::typed`](crate::CallGrammar::typed).

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A tool call that a model wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Call {
    /// The name, as the model wrote it.
    pub name: String,
    /// The declared parameters, in the order in which they came. Strings, but in the dialect `hermes`,
    /// which writes JSON. Of a parameter that is there twice, the last value.
    pub args: Map<String, Value>,
    /// Whether it may be executed.
    pub status: Status,
    /// Parameters that the tool does not declare, kept apart.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub unknown: Map<String, Value>,
    /// All values, in order, of parameters that are there more than once.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub duplicates: Map<String, Value>,
    /// Something stood between the parameters that belongs to none of them, and was passed over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub junk: bool,
    /// Where it stands in the answer, in bytes, tags included.
    pub span: Range<usize>,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Status {
    /// It was written as it should be.
    Complete,
    /// Something was missing, and there is firm evidence of what.
    Repaired(Repair),
    /// The answer ended first, or it is unclear where the call does. Never execute it.
    Truncated,
}

/// What was mended in a call. Of several, the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Repair {
    /// The closing tag of a parameter was missing.
    ParamClose,
    /// The closing tag of the call was missing.
    CallClose,
    /// Tags inside a body did not pair up, so that its end was known only from what comes behind it.
    UnpairedTags,
    /// The JSON was not quite JSON.
    Json,
}

impl Repair {
    /// What was done, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::ParamClose => "the closing tag of a parameter was missing",
            Self::CallClose => "the closing tag of the call was missing",
            Self::UnpairedTags => "tags inside a parameter did not pair up",
            Self::Json => "its JSON had mistakes",
        }
    }
}

impl Call {
    /// A complete call, as for a history that is written again.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            args: Map::new(),
            status: Status::Complete,
            unknown: Map::new(),
            duplicates: Map::new(),
            junk: false,
            span: 0..0,
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.args.insert(name.into(), value.into());
        self
    }

    /// The text of an argument; `None` if it is not there or no string.
    #[must_use]
    pub fn arg(&self, name: &str) -> Option<&str> {
        self.args.get(name).and_then(Value::as_str)
    }

    /// It was written to its end, or could be mended: it may be executed.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.status != Status::Truncated
    }

    /// Something was mended.
    #[must_use]
    pub fn repaired(&self) -> bool {
        matches!(self.status, Status::Repaired(_))
    }

    pub(crate) fn mend(&mut self, repair: Repair) {
        if self.status == Status::Complete {
            self.status = Status::Repaired(repair);
        }
    }

    /// Takes a value in. The last one counts, all are kept.
    pub(crate) fn put(&mut self, name: &str, value: Value, declared: bool) {
        let Self { args, unknown, duplicates, .. } = self;
        let place = if declared { args } else { unknown };
        let Some(before) = place.insert(name.to_owned(), value) else {
            return;
        };
        let all = duplicates.entry(name).or_insert_with(|| Value::Array(vec![before]));
        if let (Value::Array(all), Some(last)) = (all, place.get(name)) {
            all.push(last.clone());
        }
    }

    /// A value, declared or not.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.args.get(name).or_else(|| self.unknown.get(name))
    }
}
