//! Suites: what is under test, its cases, and the gate that they have to pass.

mod case;
mod check;
mod place;
mod read;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use case::{Case, ExpectedCall, RefusalRule};
pub use check::{Finding, Severity};
pub use read::{decode, load, parse};

use crate::assertion::{Mode, Normalize};
use crate::gate::Gate;

/// A suite.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// What is under test.
    pub prompt: PromptSource,
    /// Whose verdicts the assertions give.
    pub mode: Mode,
    /// What differences between texts do not matter.
    pub normalize: Normalize,
    /// How often each case is asked, unless it says otherwise.
    pub repeat: u32,
    /// Parameters of the request.
    pub request: RequestSettings,
    /// What it has to reach.
    pub gate: Gate,
    /// Its cases.
    pub cases: Vec<Case>,
    /// Where each case was found: file, line, column.
    pub(crate) places: Vec<place::Place>,
    /// The files by name, with their text: for places of findings.
    pub(crate) sources: BTreeMap<String, String>,
    /// What was odd while it was read.
    pub(crate) notes: Vec<Finding>,
    /// The folder that relative paths start from.
    pub folder: PathBuf,
}

/// What is under test: a text or a file with `{{parameters}}`, or a variant of a pack, which the command line
/// renders.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct PromptSource {
    /// The prompt itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A file that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Business parameters of the text: `{{name}}`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub params: Map<String, Value>,
    /// A file with more of them, TOML or JSON; those of `params` win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params_file: Option<PathBuf>,
    /// Folders with packs, over the built-in one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pack: Vec<PathBuf>,
    /// A variant by its id, whatever the model is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// A context as JSON, for a variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<PathBuf>,
}

impl PromptSource {
    /// Whether a registry has to render it.
    #[must_use]
    pub fn is_variant(&self) -> bool {
        self.variant.is_some() || self.context.is_some() || !self.pack.is_empty()
    }
}

/// Parameters of the request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct RequestSettings {
    /// How freely it is sampled, 0 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// The most tokens of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Where sampling starts from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl Suite {
    /// How often a case is asked.
    #[must_use]
    pub fn repeats(&self, case: &Case) -> u32 {
        case.repeat.unwrap_or(self.repeat).max(1)
    }

    /// The SHA-256 of what the cases ask and expect. Notes, tags and places are no part of it.
    #[must_use]
    pub fn hash(&self) -> String {
        let cases: Vec<Value> = self
            .cases
            .iter()
            .map(|case| {
                let mut value = serde_json::to_value(case).unwrap_or_default();
                if let Some(members) = value.as_object_mut() {
                    members.remove("note");
                    members.remove("tags");
                }
                value
            })
            .collect();
        crate::hash::of(&serde_json::json!({
            "cases": cases, "mode": self.mode, "normalize": self.normalize, "request": self.request,
        }))
    }
}
