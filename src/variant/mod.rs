//! A variant says what the prompt of one family of models is made of: when it applies, which
//! components in which order, which tools, which words differ.

mod expand;
mod file;
mod form;
mod reference;
mod traits;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::budget::TruncationNotice;
use crate::component::{Component, Registered};
use crate::condition::{Condition, When};
use crate::context::PromptContext;
use crate::template::Template;
use crate::tool::{McpForm, TextForm, ToolForm, ToolSpec};
pub(crate) use file::{VariantFile, read_variant_file};
use promptline_diagnostic::Id;
pub use reference::VariantRef;
pub(crate) use traits::SWITCHES;
pub use traits::{
    CallsPerMessage, EditTool, Emphasis, Persistence, Preamble, ReplayReasoning, Sampling, Traits,
};

/// The prompt of one family of models.
///
/// ```
/// use promptline::{Condition, PromptVariant};
/// let variant = PromptVariant::new("acme")
///     .with_when(Condition::flag("acme"))
///     .with_components(["AGENT_ROLE_SECTION", "RULES_SECTION"])
///     .with_placeholder("TONE", "brief");
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct PromptVariant {
    pub(crate) id: Id,
    pub(crate) version: u32,
    pub(crate) description: String,
    pub(crate) labels: BTreeMap<String, u32>,
    pub(crate) tags: Vec<String>,
    pub(crate) when: When,
    pub(crate) template: Option<Template>,
    pub(crate) components: Vec<String>,
    pub(crate) tools: Vec<String>,
    pub(crate) tool_form: ToolForm,
    pub(crate) dialect: TextForm,
    pub(crate) mcp_form: Option<McpForm>,
    pub(crate) compact: Option<String>,
    pub(crate) truncation_notice: TruncationNotice,
    pub(crate) traits: Traits,
    pub(crate) placeholders: Map<String, Value>,
    pub(crate) component_overrides: BTreeMap<String, ComponentOverride>,
    pub(crate) tool_overrides: BTreeMap<String, ToolOverride>,
    /// Components and tools from the variant's own folder; they win over those of the pack.
    pub(crate) own_components: BTreeMap<String, Arc<Registered>>,
    /// The host's own; a registry asks them who they are.
    pub(crate) host_components: Vec<Arc<dyn Component>>,
    pub(crate) own_tools: BTreeMap<String, Arc<ToolSpec>>,
    pub(crate) origin: Id,
}

/// What a variant changes about a component.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ComponentOverride {
    /// `false` takes the component out, with its place in the template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Its place in the run order. The places of the list count 10, 20, 30, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<i64>,
    /// A file in the variant's folder that takes the place of the component's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
}

/// What a variant changes about a tool.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolOverride {
    /// `false` takes the tool out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Its place in the list. The places of the list count 10, 20, 30, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<i64>,
    /// Another name for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Another description (a template).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl PromptVariant {
    /// A variant that always applies and has no components yet.
    #[must_use]
    pub fn new(id: impl Into<Id>) -> Self {
        Self {
            id: id.into(),
            version: 1,
            description: String::new(),
            labels: BTreeMap::new(),
            tags: Vec::new(),
            when: When::Always,
            template: None,
            components: Vec::new(),
            tools: Vec::new(),
            tool_form: ToolForm::Xml,
            dialect: TextForm::Xml,
            mcp_form: None,
            compact: None,
            truncation_notice: TruncationNotice::new(),
            traits: Traits::default(),
            placeholders: Map::new(),
            component_overrides: BTreeMap::new(),
            tool_overrides: BTreeMap::new(),
            own_components: BTreeMap::new(),
            host_components: Vec::new(),
            own_tools: BTreeMap::new(),
            origin: Id::from("host"),
        }
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The version number.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// What it is for.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Labels, as `production` -> 3: metadata for the host.
    #[must_use]
    pub fn labels(&self) -> &BTreeMap<String, u32> {
        &self.labels
    }

    /// Tags: metadata for the host.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// The components in the order in which they are listed.
    #[must_use]
    pub fn component_ids(&self) -> &[String] {
        &self.components
    }

    /// The tools in the order in which they are listed.
    #[must_use]
    pub fn tool_ids(&self) -> &[String] {
        &self.tools
    }

    /// How it describes its tools to the model.
    #[must_use]
    pub fn tool_form(&self) -> ToolForm {
        self.tool_form
    }

    /// The form of its tools in text, where they are text.
    #[must_use]
    pub fn text_form(&self) -> TextForm {
        match self.tool_form {
            ToolForm::Hermes => TextForm::Hermes,
            ToolForm::Xml => TextForm::Xml,
            _ => self.dialect,
        }
    }

    /// The variant that is built instead where this one does not fit a [`Budget`](crate::Budget).
    #[must_use]
    pub fn compact(&self) -> Option<&str> {
        self.compact.as_deref()
    }

    /// What the family is like.
    #[must_use]
    pub fn traits(&self) -> &Traits {
        &self.traits
    }

    /// Sets the version. Several versions of an id may stand side by side; the highest is selected
    /// unless a context pins one (`id@2`).
    #[must_use]
    pub fn with_version(mut self, version: u32) -> Self {
        self.version = version;
        self
    }

    /// Sets what it is for.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets when it applies.
    #[must_use]
    pub fn with_when(mut self, when: impl Into<When>) -> Self {
        self.when = when.into();
        self
    }

    /// Sets when it applies, by a closure.
    #[must_use]
    pub fn with_matcher(
        mut self,
        matcher: impl Fn(&PromptContext) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.when = When::check(move |cx| Ok::<_, std::convert::Infallible>(matcher(cx)));
        self
    }

    /// Sets the base template. Without one it is made from the component list, joined by `====`.
    #[must_use]
    pub fn with_template(mut self, template: Template) -> Self {
        self.template = Some(template);
        self
    }

    /// Sets the components in run order.
    #[must_use]
    pub fn with_components<S: Into<String>>(mut self, ids: impl IntoIterator<Item = S>) -> Self {
        self.components = ids.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the tools in the order in which they are shown.
    #[must_use]
    pub fn with_tools<S: Into<String>>(mut self, ids: impl IntoIterator<Item = S>) -> Self {
        self.tools = ids.into_iter().map(Into::into).collect();
        self
    }

    /// Sets how it describes its tools to the model.
    #[must_use]
    pub fn with_tool_form(mut self, form: ToolForm) -> Self {
        self.tool_form = form;
        self
    }

    /// Sets the form of its tools in text, for a variant that has both forms.
    #[must_use]
    pub fn with_text_form(mut self, dialect: TextForm) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sets how tools of MCP servers are offered.
    #[must_use]
    pub fn with_mcp_form(mut self, form: McpForm) -> Self {
        self.mcp_form = Some(form);
        self
    }

    /// Sets the variant that is built instead where this one does not fit a
    /// [`Budget`](crate::Budget).
    #[must_use]
    pub fn with_compact(mut self, id: impl Into<String>) -> Self {
        self.compact = Some(id.into());
        self
    }

    /// Sets the lines that stand where a [`Budget`](crate::Budget) took something. The registry refuses
    /// those that are no templates of their names.
    #[must_use]
    pub fn with_truncation_notice(mut self, marks: TruncationNotice) -> Self {
        self.truncation_notice = marks;
        self
    }

    /// Sets what the family is like.
    #[must_use]
    pub fn with_traits(mut self, traits: Traits) -> Self {
        self.traits = traits;
        self
    }

    /// Sets a placeholder of the lowest layer. Its string is authored text.
    #[must_use]
    pub fn with_placeholder(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.placeholders.insert(name.into(), value.into());
        self
    }

    /// Changes a component for this variant.
    #[must_use]
    pub fn with_component_override(
        mut self,
        id: impl Into<String>,
        change: impl FnOnce(&mut ComponentOverride),
    ) -> Self {
        change(self.component_overrides.entry(id.into()).or_default());
        self
    }

    /// Changes a tool for this variant.
    #[must_use]
    pub fn with_tool_override(
        mut self,
        id: impl Into<String>,
        change: impl FnOnce(&mut ToolOverride),
    ) -> Self {
        change(self.tool_overrides.entry(id.into()).or_default());
        self
    }

    /// A component of this variant only, instead of the one with the same id.
    #[must_use]
    pub fn with_own_component(mut self, component: impl Component + 'static) -> Self {
        self.host_components.push(Arc::new(component));
        self
    }

    /// A tool spec of this variant only, instead of the one with the same id.
    #[must_use]
    pub fn with_own_tool(mut self, spec: ToolSpec) -> Self {
        self.own_tools.insert(spec.id.to_string(), Arc::new(spec));
        self
    }

    /// What a file says about when it applies, `always` where nothing; `None` for a host's closure.
    pub(crate) fn condition_or<'a>(&'a self, always: &'a Condition) -> Option<&'a Condition> {
        match &self.when {
            When::Always => Some(always),
            When::Condition(condition) => Some(condition),
            When::Check(_) => None,
        }
    }

    /// The listed components without those that are switched off, in run order.
    pub(crate) fn run_order(&self) -> Vec<&str> {
        ordered(&self.components, |id| {
            let change = self.component_overrides.get(id);
            (change.and_then(|c| c.enabled), change.and_then(|c| c.order))
        })
    }

    /// The listed tools without those that are switched off, in order.
    pub(crate) fn tool_order(&self) -> Vec<&str> {
        ordered(&self.tools, |id| {
            let change = self.tool_overrides.get(id);
            (change.and_then(|c| c.enabled), change.and_then(|c| c.order))
        })
    }
}

/// A list with its overrides: what is switched off goes, and numbers move things (places count 10,
/// 20, 30, …; ties keep the order of the list).
fn ordered(list: &[String], change: impl Fn(&str) -> (Option<bool>, Option<i64>)) -> Vec<&str> {
    let mut placed: Vec<(i64, &str)> = list
        .iter()
        .enumerate()
        .filter_map(|(position, id)| {
            let (enabled, order) = change(id);
            let place =
                i64::try_from(position).unwrap_or(i64::MAX).saturating_add(1).saturating_mul(10);
            enabled.unwrap_or(true).then(|| (order.unwrap_or(place), id.as_str()))
        })
        .collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, id)| id).collect()
}

impl std::fmt::Debug for PromptVariant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PromptVariant")
            .field("id", &self.id)
            .field("version", &self.version)
            .field("when", &self.when)
            .field("components", &self.components)
            .field("tools", &self.tools)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}
