//! The prompt under test: its text with the parameters in it, and the version that both make.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::suite::Suite;

/// A prompt as it is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Prompt {
    /// The system prompt; empty is none.
    pub text: String,
    /// Where it comes from: the SHA-256 of what made it (the template or the pack and variant, the names of the
    /// parameters, the tools), without the parameters' values.
    pub version: String,
    /// The SHA-256 of the parameters' values.
    pub params: String,
}

impl Prompt {
    /// A prompt that is rendered elsewhere, by what made it (template, pack, variant, tools, the names of
    /// parameters) and the values of its parameters.
    #[must_use]
    pub fn new(text: impl Into<String>, made_from: &Value, params: &Map<String, Value>) -> Self {
        let names: Vec<&String> = params.keys().collect();
        let version = crate::hash::of(&json!({"made_from": made_from, "params": names}));
        Self { text: text.into(), version, params: crate::hash::of(&Value::Object(params.clone())) }
    }

    /// The version in short, as `v-3f9a1c2b`.
    #[must_use]
    pub fn short_version(&self) -> String {
        format!("v-{}", self.version.get(..8).unwrap_or(&self.version))
    }

    /// The prompt of a suite that has it as a text or a file.
    ///
    /// # Errors
    /// When a file cannot be read, or a parameter has no value.
    pub fn of(suite: &Suite) -> Result<Self, String> {
        let Some(source) = read(suite)? else {
            return Ok(Self::new("", &Value::Null, &Map::new()));
        };
        let text = render(&source.template, &source.params)?;
        Ok(Self::new(text, &Value::String(source.template), &source.params))
    }
}

pub(crate) struct Source {
    pub(crate) template: String,
    pub(crate) params: Map<String, Value>,
    pub(crate) file: Option<String>,
}

/// The template and parameters of a suite; none when it has no text of its own.
pub(crate) fn read(suite: &Suite) -> Result<Option<Source>, String> {
    let source = &suite.prompt;
    let (template, file) = match (&source.text, &source.file) {
        (Some(_), Some(_)) => {
            return Err(String::from("a prompt is a `text` or a `file`, not both"));
        }
        (Some(text), None) => (text.clone(), None),
        (None, Some(file)) => {
            let path = suite.folder.join(file);
            let shown = path.display().to_string();
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("{shown}: it cannot be read: {error}"))?;
            (text, Some(shown))
        }
        (None, None) => return Ok(None),
    };
    let mut params = Map::new();
    if let Some(file) = &source.params_file {
        let path = suite.folder.join(file);
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{shown}: it cannot be read: {error}"))?;
        let json = path.extension().is_some_and(|ending| ending == "json");
        params = if json {
            serde_json::from_str(&text).map_err(|error| format!("{shown}: {error}"))?
        } else {
            toml::from_str(&text).map_err(|error| format!("{shown}: {error}"))?
        };
    }
    params.extend(source.params.clone());
    Ok(Some(Source { template, params, file }))
}

/// The names between `{{` and `}}`, and where they are.
pub(crate) fn placeholders(template: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) =
        template.get(from..).and_then(|rest| rest.find("{{")).map(|at| from + at)
    {
        from = start + 2;
        let rest = template.get(from..).unwrap_or_default();
        let Some(end) = rest.find("}}") else { break };
        let name = rest.get(..end).unwrap_or_default().trim();
        if !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.' || c == '-')
        {
            found.push((name.to_owned(), start));
            from += end + 2;
        }
    }
    found
}

pub(crate) fn unused(template: &str, params: &Map<String, Value>) -> Vec<String> {
    let used = placeholders(template);
    params.keys().filter(|name| !used.iter().any(|(one, _)| one == *name)).cloned().collect()
}

fn render(template: &str, params: &Map<String, Value>) -> Result<String, String> {
    let mut text = String::with_capacity(template.len());
    let mut from = 0;
    for (name, start) in placeholders(template) {
        text.push_str(template.get(from..start).unwrap_or_default());
        match params.get(&name) {
            Some(Value::String(value)) => text.push_str(value),
            Some(value) => text.push_str(&value.to_string()),
            None => {
                return Err(format!("the prompt uses the parameter `{name}`, which has no value"));
            }
        }
        let rest = template.get(start..).unwrap_or_default();
        from = start + rest.find("}}").map_or(rest.len(), |end| end + 2);
    }
    text.push_str(template.get(from..).unwrap_or_default());
    Ok(text)
}
