//! Which tools a build offers. Decided once, by conditions; text and native form both follow.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use super::spec::SharedSpec;
use super::{ToolInput, ToolSpec};
use crate::condition::{ConditionCx, Reasons, ToolNames, When};

/// A tool that a variant lists, with the name and description that hold for this registry.
#[derive(Debug, Clone)]
pub(crate) struct Offered {
    pub(crate) spec: SharedSpec,
}

/// A tool that this build offers.
#[derive(Debug, Clone)]
pub struct EnabledTool {
    spec: SharedSpec,
    /// Which parameters are shown, by position; filled when all tools are decided.
    shown: Shown,
}

type Shown = SmallVec<[bool; 8]>;

impl EnabledTool {
    /// The spec.
    #[must_use]
    pub fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// The name that the model calls.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// The parameter at this position is shown.
    pub(crate) fn shows(&self, position: usize) -> bool {
        self.shown.get(position).copied().unwrap_or(true)
    }
}

/// The tools that this build offers, in the order in which they are shown: the variant's list, then
/// what the host added, by id.
#[derive(Debug, Clone, Default)]
pub struct EnabledTools {
    tools: Vec<EnabledTool>,
    /// Every id and role, sorted by their hashes: templates and conditions ask for many of them.
    names: Vec<(u64, Name)>,
}

/// An id or a role, and the position of the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Id(usize),
    Role(usize),
}

/// The same in every run; which tool is found depends on the names only.
fn hash(name: &str) -> u64 {
    FixedState::default().hash_one(name)
}

impl Name {
    fn tool(self, tools: &[EnabledTool]) -> Option<&EnabledTool> {
        let (Self::Id(at) | Self::Role(at)) = self;
        tools.get(at)
    }

    fn word(self, tools: &[EnabledTool]) -> &str {
        let spec = self.tool(tools).map(EnabledTool::spec);
        let word = match self {
            Self::Id(_) => spec.map(|spec| spec.id.as_str()),
            Self::Role(_) => spec.and_then(|spec| spec.tool_role.as_deref()),
        };
        word.unwrap_or_default()
    }
}

impl EnabledTools {
    fn new(tools: Vec<EnabledTool>) -> Self {
        let has_role =
            |at: &usize| tools.get(*at).is_some_and(|tool| tool.spec.tool_role.is_some());
        let ids = (0..tools.len()).map(Name::Id);
        let roles = (0..tools.len()).filter(has_role).map(Name::Role);
        let hashed = |name: Name| (hash(name.word(&tools)), name);
        let mut names: Vec<_> = ids.chain(roles).map(hashed).collect();
        names.sort_unstable();
        Self { tools, names }
    }

    /// The tools in order.
    pub fn iter(&self) -> std::slice::Iter<'_, EnabledTool> {
        self.tools.iter()
    }

    /// A tool by id, or the first one with this role.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&EnabledTool> {
        let hash = hash(name);
        let first = self.names.partition_point(|(known, _)| *known < hash);
        let mut same = self.names.iter().skip(first).take_while(|(known, _)| *known == hash);
        let (_, found) = same.find(|(_, known)| known.word(&self.tools) == name)?;
        found.tool(&self.tools)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl ToolNames for EnabledTools {
    fn has(&self, name: &str) -> bool {
        self.by_name(name).is_some()
    }
}

impl<'a> IntoIterator for &'a EnabledTools {
    type Item = &'a EnabledTool;
    type IntoIter = std::slice::Iter<'a, EnabledTool>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// What became of a tool that a variant lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ToolVerdict {
    Enabled,
    /// Its condition does not hold.
    Skipped(String),
    /// Its condition failed; the tool is left out.
    Failed(String),
    /// The condition of this parameter failed; the parameter is left out.
    ParamFailed(String, String),
}

/// Decides which tools are offered and which of their parameters are shown. `cx` must not know the
/// tools yet; `judged` hears about every tool, and about parameters that failed.
pub(crate) fn decide<'a>(
    offered: &[Offered],
    cx: impl Fn() -> ConditionCx<'a>,
    mut judged: impl FnMut(&ToolSpec, ToolVerdict),
) -> EnabledTools {
    let tool_cx = cx();
    let mut enabled = Vec::with_capacity(offered.len());
    for Offered { spec } in offered {
        match spec.when.judge(&tool_cx) {
            Ok(verdict) if verdict.holds => {
                judged(spec, ToolVerdict::Enabled);
                enabled.push(EnabledTool { spec: SharedSpec::clone(spec), shown: Shown::new() });
            }
            Ok(verdict) => judged(spec, ToolVerdict::Skipped(verdict.reason)),
            Err(what) => judged(spec, ToolVerdict::Failed(what)),
        }
    }
    let mut enabled = EnabledTools::new(enabled);
    // Parameters may depend on other tools, so they are decided when all tools are known.
    let shown: Vec<Shown> = {
        // Why a parameter is shown or not is not reported.
        let param_cx = cx().reasons(Reasons::None);
        let param_cx = param_cx.tools(&enabled);
        let mut decide_params = |tool: &EnabledTool| {
            let ToolInput::Params(params) = &tool.spec.input else {
                return Shown::new();
            };
            if params.iter().all(|param| matches!(param.when, When::Always)) {
                return Shown::new();
            }
            params
                .iter()
                .map(|param| match param.when.judge(&param_cx) {
                    Ok(verdict) => verdict.holds,
                    Err(what) => {
                        judged(&tool.spec, ToolVerdict::ParamFailed(param.name.clone(), what));
                        false
                    }
                })
                .collect()
        };
        enabled.iter().map(&mut decide_params).collect()
    };
    for (tool, shown) in enabled.tools.iter_mut().zip(shown) {
        tool.shown = shown;
    }
    enabled
}
