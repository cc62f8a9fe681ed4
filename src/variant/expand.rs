//! A variant as one file: what it is with all that it extends merged. For people
//! who want to see it, and to copy from it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{ComponentOverride, PromptVariant, ToolOverride, Traits};
use crate::budget::TruncationNotice;
use crate::condition::Condition;
use crate::tool::{McpForm, TextForm, ToolForm};

/// The keys of a `variant.toml`, in the order of its documentation.
#[derive(Serialize)]
struct Expanded<'v> {
    schema: u32,
    version: u32,
    description: &'v str,
    components: Vec<&'v str>,
    tools: Vec<&'v str>,
    tool_form: ToolForm,
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<TextForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_form: Option<McpForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compact: Option<&'v str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tags: &'v [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<&'v Condition>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    labels: &'v BTreeMap<String, u32>,
    #[serde(skip_serializing_if = "is_unset")]
    traits: &'v Traits,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncation_notice: Option<&'v TruncationNotice>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    placeholders: Map<String, Value>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    component: BTreeMap<&'v str, ComponentOverride>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tool: BTreeMap<&'v str, ToolOverride>,
}

fn is_unset(traits: &&Traits) -> bool {
    **traits == Traits::default()
}

impl PromptVariant {
    /// The variant as a `variant.toml` that extends nothing, with the files that hold its own sections and
    /// tools as comments. Components and tools are listed as they run: what is switched off is not there,
    /// and numbers have moved what they move.
    ///
    /// A matcher that is a closure of the host cannot be written; a comment says so.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut out = format!("# {}@{}, from {}\n", self.id, self.version, self.origin);
        if self.template.is_some() {
            let _ = writeln!(out, "# Its base template is a file of its own (template.md).");
        }
        for (id, component) in &self.own_components {
            let _ = writeln!(out, "# {id}: {}", component.origin());
        }
        for (id, spec) in &self.own_tools {
            let _ = writeln!(out, "# {id}: {}", spec.origin.as_deref().unwrap_or("host"));
        }
        let when = self.when.condition();
        if when.is_none() && !matches!(self.when, crate::condition::When::Always) {
            out.push_str("# Its matcher is a closure of the host.\n");
        }
        let changed = |change: &ComponentOverride| change.template.is_some();
        let component = self.component_overrides.iter().filter(|(_, change)| changed(change));
        let renamed = |change: &ToolOverride| change.name.is_some() || change.description.is_some();
        let tool = self.tool_overrides.iter().filter(|(_, change)| renamed(change));
        let expanded = Expanded {
            schema: 1,
            version: self.version,
            description: &self.description,
            components: self.run_order(),
            tools: self.tool_order(),
            tool_form: self.tool_form,
            dialect: (self.tool_form == ToolForm::Either).then_some(self.dialect),
            mcp_form: self.mcp_form,
            compact: self.compact(),
            tags: &self.tags,
            when,
            labels: &self.labels,
            traits: &self.traits,
            truncation_notice: Some(&self.truncation_notice)
                .filter(|marks| **marks != TruncationNotice::new()),
            // TOML has no null, and null provides nothing.
            placeholders: self
                .placeholders
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            component: component
                .map(|(id, change)| {
                    let template = change.template.clone();
                    (id.as_str(), ComponentOverride { template, ..Default::default() })
                })
                .collect(),
            tool: tool
                .map(|(id, change)| {
                    let mut change = change.clone();
                    (change.enabled, change.order) = (None, None);
                    (id.as_str(), change)
                })
                .collect(),
        };
        match toml::to_string_pretty(&expanded) {
            Ok(text) => out + &text,
            // A null deep in a placeholder is the one thing that TOML has no word for.
            Err(error) => out + &format!("# It cannot be written as TOML: {error}\n"),
        }
    }
}
