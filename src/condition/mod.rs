//! The one language of every "when": a small table that variants, components, tools and parameters
//! share. Several keys mean all of them; a list of values means any of them. Evaluating a condition
//! never fails; what cannot be true is false, with the reason in words.

mod evaluate;
mod model;
mod named;
mod pattern;
#[cfg(test)]
mod tests;
mod when;

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, IntoDeserializer, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::model_id::VersionRange;
use crate::table;
pub(crate) use evaluate::{ConditionCx, Reasons, ToolNames, Verdict};
pub(crate) use model::families;
pub(crate) use named::{check_named, check_names};
pub use pattern::{IdPattern, ModelGlob, NumberRange};
use promptline_diagnostic::{Error, ErrorKind};
pub use when::When;

/// When something applies. The empty condition always holds.
///
/// | key | holds when | legal in |
/// |---|---|---|
/// | `all`, `any`, `not` | all, one, none of the inner conditions hold | everywhere |
/// | `is` | a condition named in `pack.toml` holds | everywhere |
/// | `provider` | the provider is this one | everywhere |
/// | `model` | a glob matches the lower-cased model id (`*` also matches `/`) | everywhere |
/// | `id_matches` | a regular expression is found in the model id, in any case: `"^acme-.*-v\\d+$"` | everywhere |
/// | `vendor` | the id says that this one made the model | everywhere |
/// | `family` | the id says this family: `"claude"` | everywhere |
/// | `line` | the id says this line of the family: `"flash"`, `"flash-lite"` (both words) | everywhere |
/// | `suffix` | the id says this about how the model is served: `"thinking"`, `"latest"` | everywhere |
/// | `distilled` | `true`: the id says that the model was trained on another's answers; `false`: it does not | everywhere |
/// | `version` | the version is in the range (`">=4, <5"`); without one it is false, and `"none"` holds | everywhere |
/// | `window` | the context window is in the range (`"<=16384"`); unknown is false | everywhere |
/// | `flag` | the flag is on | everywhere |
/// | `mode` | the mode is this one | everywhere |
/// | `os` | the operating system's name starts with this, in any case | everywhere |
/// | `has` | a context path is not empty: `"skills"`, `"params.team"` | everywhere |
/// | `equals` | context paths have these values | everywhere |
/// | `variant` | the variant has this id | components, tools, parameters |
/// | `tool` | a tool is enabled, by id or role | components, parameters |
///
/// What an id says is read by [`ModelId`](crate::ModelId), once a build. Values are compared without
/// case. `version` does not imply a family: ask for both in one table.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Condition {
    /// All of these hold.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "table::list")]
    pub all: Vec<Condition>,
    /// At least one of these holds.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "table::list")]
    pub any: Vec<Condition>,
    /// This does not hold.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "table::some")]
    pub not: Option<Box<Condition>>,
    /// A named condition of the pack holds.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub is: OneOf<String>,
    /// The provider is one of these.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub provider: OneOf<String>,
    /// The model id matches one of these globs.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub model: OneOf<ModelGlob>,
    /// One of these regular expressions is found in the model id.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub id_matches: OneOf<IdPattern>,
    /// The maker of the model is one of these.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub vendor: OneOf<String>,
    /// The model's family is one of these.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub family: OneOf<String>,
    /// One of these is a line of the model.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub line: OneOf<String>,
    /// One of these is a suffix of the id.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub suffix: OneOf<String>,
    /// The model is, or is not, a distillation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distilled: Option<bool>,
    /// The model's version is in this range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<VersionRange>,
    /// The context window in tokens is in this range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<NumberRange>,
    /// One of these flags is on.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub flag: OneOf<String>,
    /// The mode is one of these.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub mode: OneOf<String>,
    /// The operating system is one of these.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub os: OneOf<String>,
    /// The variant is one of these.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub variant: OneOf<String>,
    /// One of these tools is enabled, by id or role.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub tool: OneOf<String>,
    /// One of these context paths is not empty.
    #[serde(skip_serializing_if = "OneOf::is_empty")]
    pub has: OneOf<String>,
    /// Every one of these context paths has the value given for it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub equals: BTreeMap<String, Value>,
}

/// One value, or a list of which any will do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "OneOrMany<T>", bound(serialize = "T: Clone + Serialize"))]
pub struct OneOf<T>(Vec<T>);

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

/// By hand, since an untagged enum would say no more than that nothing fits.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOf<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct StringOrList<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for StringOrList<T> {
            type Value = Vec<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of strings")
            }

            fn visit_str<E: de::Error>(self, one: &str) -> Result<Vec<T>, E> {
                Ok(vec![T::deserialize(one.into_deserializer())?])
            }

            fn visit_seq<A: SeqAccess<'de>>(self, many: A) -> Result<Vec<T>, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(many))
            }
        }

        from.deserialize_any(StringOrList(PhantomData)).map(Self)
    }
}

impl<T> OneOf<T> {
    /// No value: the key was not given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T> Default for OneOf<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> From<Vec<T>> for OneOf<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl From<&str> for OneOf<String> {
    fn from(value: &str) -> Self {
        Self(vec![value.to_owned()])
    }
}

impl<T> From<OneOf<T>> for OneOrMany<T> {
    fn from(OneOf(mut values): OneOf<T>) -> Self {
        match (values.pop(), values.is_empty()) {
            (Some(only), true) => Self::One(only),
            (Some(last), false) => {
                values.push(last);
                Self::Many(values)
            }
            (None, _) => Self::Many(values),
        }
    }
}

/// Where a condition is written, which decides what it may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Site {
    /// A variant's matcher, or a named condition: there is no variant yet, and so no tools.
    Matcher,
    /// A tool: which tools are enabled is being decided.
    Tool,
    /// A component or a parameter.
    Anywhere,
}

impl Condition {
    /// The flag is on.
    #[must_use]
    pub fn flag(name: &str) -> Self {
        Self { flag: name.into(), ..Self::default() }
    }

    /// A tool is enabled, by id or role.
    #[must_use]
    pub fn tool(name: &str) -> Self {
        Self { tool: name.into(), ..Self::default() }
    }

    /// The model is of this family, in this range of versions.
    #[must_use]
    pub fn family(name: &str, version: Option<VersionRange>) -> Self {
        Self { family: name.into(), version, ..Self::default() }
    }

    /// A context path is not empty.
    #[must_use]
    pub fn has(path: &str) -> Self {
        Self { has: path.into(), ..Self::default() }
    }

    /// A condition that the pack names holds.
    #[must_use]
    pub fn is(name: &str) -> Self {
        Self { is: name.into(), ..Self::default() }
    }

    /// This one does not hold.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "reads as the key of the format")]
    pub fn not(condition: Self) -> Self {
        Self { not: Some(Box::new(condition)), ..Self::default() }
    }

    /// One of these holds.
    #[must_use]
    pub fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self { any: conditions.into_iter().collect(), ..Self::default() }
    }

    /// All of these hold.
    #[must_use]
    pub fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self { all: conditions.into_iter().collect(), ..Self::default() }
    }

    /// Every condition in this one, itself first. An explicit stack: a host may nest them to any
    /// depth.
    pub(crate) fn each(
        &self,
        mut visit: impl FnMut(&Condition) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut open = vec![self];
        while let Some(condition) = open.pop() {
            visit(condition)?;
            open.extend(condition.not.as_deref());
            open.extend(condition.all.iter().rev());
            open.extend(condition.any.iter().rev());
        }
        Ok(())
    }

    /// Checks that the condition asks only for what is known at its site, and that it is not nested
    /// deeper than it can be evaluated.
    pub(crate) fn check(&self, site: Site) -> Result<(), Error> {
        if self.depth() > MAX_DEPTH {
            return Err(Error::new(
                ErrorKind::Condition,
                format!("a condition is nested more than {MAX_DEPTH} deep"),
            )
            .with_help("let it use fewer conditions"));
        }
        self.each(|condition| {
            let illegal = match site {
                Site::Anywhere => None,
                Site::Matcher if !condition.variant.is_empty() => {
                    Some(("variant", "the variant is not chosen yet"))
                }
                Site::Matcher if !condition.tool.is_empty() => {
                    Some(("tool", "tools belong to a variant, which is not chosen yet"))
                }
                Site::Tool if !condition.tool.is_empty() => {
                    Some(("tool", "which tools are enabled is just being decided"))
                }
                Site::Matcher | Site::Tool => None,
            };
            match illegal {
                None => Ok(()),
                Some((key, why)) => Err(Error::new(
                    ErrorKind::Condition,
                    format!("a condition may not use `{key}` here: {why}"),
                )
                .with_code("illegal-key")
                .with_help(match site {
                    Site::Tool => "use what the other tool's own `when` uses",
                    Site::Matcher | Site::Anywhere => {
                        "use what a request says: `family`, `provider`, `window`, `flag`, `has`, …"
                    }
                })),
            }
        })
    }

    fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(self, 1)];
        while let Some((condition, depth)) = open.pop() {
            deepest = deepest.max(depth);
            let inner = condition.all.iter().chain(&condition.any);
            open.extend(inner.chain(condition.not.as_deref()).map(|inner| (inner, depth + 1)));
        }
        deepest
    }

    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let _ = self.each(|condition| {
            names.extend(condition.is.iter().cloned());
            Ok(())
        });
        names
    }
}

/// How deep conditions may be nested, named ones included: far more than anybody reads.
const MAX_DEPTH: usize = 64;
