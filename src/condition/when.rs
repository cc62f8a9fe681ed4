//! When something applies: a condition that a file can hold, or a closure of the host. A closure may
//! fail or panic; that is an answer too, and never the end of a build.

use std::fmt;
use std::sync::Arc;

use super::{Condition, ConditionCx, Verdict};
use crate::context::PromptContext;
use crate::error::{ComponentError, contained};

type Check = dyn Fn(&PromptContext) -> Result<bool, ComponentError> + Send + Sync;

/// When a variant, component, tool or parameter applies.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum When {
    /// Always.
    #[default]
    Always,
    /// When this condition holds.
    Condition(Box<Condition>),
    /// When this closure of the host says so.
    Check(Arc<Check>),
}

impl When {
    /// Always, to refer to.
    pub const ALWAYS: Self = Self::Always;

    /// When the closure says so. An error or a panic means no, and is reported.
    pub fn check<F, E>(check: F) -> Self
    where
        F: Fn(&PromptContext) -> Result<bool, E> + Send + Sync + 'static,
        E: Into<ComponentError>,
    {
        Self::Check(Arc::new(move |cx| check(cx).map_err(Into::into)))
    }

    pub(crate) fn condition(&self) -> Option<&Condition> {
        match self {
            Self::Condition(condition) => Some(condition),
            Self::Always | Self::Check(_) => None,
        }
    }

    /// The answer, or what went wrong in the host's closure.
    pub(crate) fn judge(&self, cx: &ConditionCx<'_>) -> Result<Verdict, String> {
        match self {
            Self::Always => Ok(cx.verdict(true, "always")),
            Self::Condition(condition) => Ok(cx.judge(condition)),
            Self::Check(check) => match contained(|| check(cx.context()))? {
                Ok(true) => Ok(cx.verdict(true, "the host's check says yes")),
                Ok(false) => Ok(cx.verdict(false, "the host's check says no")),
                Err(error) => Err(error.to_string()),
            },
        }
    }
}

impl From<Condition> for When {
    fn from(condition: Condition) -> Self {
        Self::Condition(Box::new(condition))
    }
}

impl From<Option<Condition>> for When {
    fn from(condition: Option<Condition>) -> Self {
        condition.map_or(Self::Always, Self::from)
    }
}

impl fmt::Debug for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => f.write_str("Always"),
            Self::Condition(condition) => fmt::Debug::fmt(condition, f),
            Self::Check(_) => f.write_str("Check(..)"),
        }
    }
}
