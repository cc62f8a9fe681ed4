//! What a host knows about one request: model, machine, project, switches, rules, tools of MCP
//! servers. The library never looks any of it up by itself; [`PromptContext::detect`] (feature
//! `detect`) is the one place that reads the machine, and only when it is called.

#[cfg(feature = "detect")]
mod detect;
mod flags;
mod folder;
mod handles;
mod mcp;
mod rules;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(feature = "detect")]
pub use detect::{Detected, SeenFile, SeenKind, SeenStatus};
pub use flags::Flags;
pub(crate) use folder::read_contexts;
pub use handles::Handles;
pub use mcp::{McpResource, McpServer, ServerStatus};
use promptline_diagnostic::{Error, ErrorKind};
pub use promptline_model_id::Model;
use promptline_tools::McpTool;
pub use rules::RulesFile;
pub(crate) use rules::{RulesVerdict, judge_rules};

/// What the host knows about this request. Serde in and out: a JSON file and a Rust host say the same
/// thing.
///
/// ```
/// use promptline::PromptContext;
/// let cx = PromptContext::new("anthropic", "claude-sonnet-4-5")
///     .with_cwd("/home/ada/engine")
///     .with_flag("browser")
///     .with_mode("act");
/// assert!(cx.flags.contains("browser"));
/// ```
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct PromptContext {
    /// The version of this format: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schema1>,
    /// The model that will read the prompt.
    pub model: Model,
    /// A variant by id (or `id@version`), chosen by the host before any matcher is tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// What the agent is allowed to do now: `plan`, `act`, or a mode of the host's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The working directory, as the model should write it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The machine.
    pub environment: Environment,
    /// The user's date, `YYYY-MM-DD`. Given by the host: the library has no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The user's time zone, as an IANA name or an offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// What is switched on.
    pub flags: Flags,
    /// Files of user instructions, in the order in which they count (nearest last).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RulesFile>,
    /// The files that the request touches, as the user writes their paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The language that the user wants to be answered in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferred_language: Option<String>,
    /// Skills that the agent can load.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<Skill>,
    /// MCP servers. The standard placeholders show them by name; a template that loops over
    /// `context.mcp_servers` gets them in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mcp_servers: Vec<McpServer>,
    /// The roots of a workspace that has more than one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub workspace_roots: Vec<WorkspaceRoot>,
    /// The browser window that the agent drives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<Viewport>,
    /// Business parameters: `{{params.NAME}}`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, Value>,
    /// Placeholders of this request, the topmost layer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub runtime: BTreeMap<String, Value>,
    /// The host's own objects, for its own components. Not part of serde or of any fingerprint.
    #[serde(skip)]
    pub handles: Handles,
}

/// The number 1, which is the only version of the format that this crate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct Schema1;

impl TryFrom<u64> for Schema1 {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        match number {
            1 => Ok(Self),
            other => Err(format!("schema {other} is not known; this version reads schema 1")),
        }
    }
}

impl From<Schema1> for u64 {
    fn from(Schema1: Schema1) -> u64 {
        1
    }
}

/// The machine that the agent works on.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Environment {
    /// The operating system, as `Debian GNU/Linux 12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// The shell that commands run in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// The user's home directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// The editor that the agent lives in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ide: Option<String>,
}

/// A skill: instructions that the agent can load when it needs them.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Skill {
    /// Its name, which is also how it is loaded.
    pub name: String,
    /// When to use it.
    #[serde(default)]
    pub description: String,
    /// The file that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Skill {
    /// A skill by name and description.
    #[must_use]
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self { name: name.into(), description: description.into(), path: None }
    }
}

/// One root of a workspace.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorkspaceRoot {
    /// The name that the user sees.
    pub name: String,
    /// The folder.
    pub path: String,
    /// The version control system, as `git`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vcs: Option<String>,
}

impl WorkspaceRoot {
    /// A root by name and folder.
    #[must_use]
    pub fn new(name: impl Into<String>, path: impl Into<String>) -> Self {
        Self { name: name.into(), path: path.into(), vcs: None }
    }
}

/// The size of a browser window in pixels.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Viewport {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Viewport {
    /// A window of this size.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }
}

impl Default for Viewport {
    /// 900 by 600: large enough to read a page, small enough for a screenshot that costs little.
    fn default() -> Self {
        Self { width: 900, height: 600 }
    }
}

impl PromptContext {
    /// A context that knows the model and nothing else.
    #[must_use]
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self { model: Model::new(provider, model), ..Self::default() }
    }

    /// Reads a context from JSON. Unknown keys are errors; `file` is for the message.
    ///
    /// # Errors
    /// [`ErrorKind::Context`] with file, line and column.
    pub fn from_json(file: &str, json: &str) -> Result<Self, Error> {
        let json = json.strip_prefix('\u{FEFF}').unwrap_or(json);
        serde_json::from_str(json).map_err(|error| {
            let end = offset_of(json, error.line(), error.column());
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or(&message).to_owned();
            // Serde points behind a key that it does not know; people look for its start.
            let key = message.split('`').nth(1).map(|key| format!("\"{key}\""));
            let read = json.get(..end + 1).unwrap_or(json);
            let at = key.and_then(|key| read.rfind(&key)).unwrap_or(end);
            promptline_diagnostic::with_nearest_name(Error::new(ErrorKind::Context, message))
                .at(file, json, at)
                .without_excerpt()
        })
    }

    /// Sets the context window of the model in tokens.
    #[must_use]
    pub fn with_window(mut self, tokens: u64) -> Self {
        self.model.window = Some(tokens);
        self
    }

    /// Says which model is behind an id that does not say it, as a public id: `claude-sonnet-5`.
    #[must_use]
    pub fn with_model_hint(mut self, id: impl Into<String>) -> Self {
        self.model.hint = Some(id.into());
        self
    }

    /// Chooses a variant by id, or by `id@version`, before any matcher is tried.
    #[must_use]
    pub fn with_variant(mut self, id: impl Into<String>) -> Self {
        self.variant = Some(id.into());
        self
    }

    /// Sets the mode.
    #[must_use]
    pub fn with_mode(mut self, mode: impl Into<String>) -> Self {
        self.mode = Some(mode.into());
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub fn with_cwd(mut self, cwd: impl Into<String>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Sets the operating system.
    #[must_use]
    pub fn with_os(mut self, os: impl Into<String>) -> Self {
        self.environment.os = Some(os.into());
        self
    }

    /// Sets the shell.
    #[must_use]
    pub fn with_shell(mut self, shell: impl Into<String>) -> Self {
        self.environment.shell = Some(shell.into());
        self
    }

    /// Sets the home directory.
    #[must_use]
    pub fn with_home(mut self, home: impl Into<String>) -> Self {
        self.environment.home = Some(home.into());
        self
    }

    /// Sets the editor.
    #[must_use]
    pub fn with_ide(mut self, ide: impl Into<String>) -> Self {
        self.environment.ide = Some(ide.into());
        self
    }

    /// Sets the user's date, `YYYY-MM-DD`.
    #[must_use]
    pub fn with_date(mut self, date: impl Into<String>) -> Self {
        self.date = Some(date.into());
        self
    }

    /// Sets the user's time zone.
    #[must_use]
    pub fn with_zone(mut self, zone: impl Into<String>) -> Self {
        self.zone = Some(zone.into());
        self
    }

    /// Switches a flag on. `focus_chain` and `yolo` are read as `task_progress` and `auto_approve`.
    #[must_use]
    pub fn with_flag(mut self, flag: impl AsRef<str>) -> Self {
        self.flags.insert(flag.as_ref());
        self
    }

    /// Adds a file of user instructions behind those that are there.
    #[must_use]
    pub fn with_rules(mut self, rules: RulesFile) -> Self {
        self.rules.push(rules);
        self
    }

    /// Adds the files that the request touches. `detect_with` (feature `detect`) takes them as options, since they
    /// decide which conditional rules are read.
    #[must_use]
    pub fn with_files<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.files.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Sets the language that the user wants to be answered in.
    #[must_use]
    pub fn with_preferred_language(mut self, language: impl Into<String>) -> Self {
        self.preferred_language = Some(language.into());
        self
    }

    /// Adds a skill.
    #[must_use]
    pub fn with_skill(mut self, skill: Skill) -> Self {
        self.skills.push(skill);
        self
    }

    /// Adds an MCP server.
    #[must_use]
    pub fn with_mcp_server(mut self, server: McpServer) -> Self {
        self.mcp_servers.push(server);
        self
    }

    /// Adds a workspace root.
    #[must_use]
    pub fn with_workspace_root(mut self, root: WorkspaceRoot) -> Self {
        self.workspace_roots.push(root);
        self
    }

    /// Sets the size of the browser window.
    #[must_use]
    pub fn with_browser(mut self, viewport: Viewport) -> Self {
        self.browser = Some(viewport);
        self
    }

    /// Sets a business parameter.
    #[must_use]
    pub fn with_param(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.params.insert(name.into(), value.into());
        self
    }

    /// Sets a placeholder of this request; the topmost layer.
    #[must_use]
    pub fn with_runtime(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.runtime.insert(name.into(), value.into());
        self
    }

    /// The same with any value that serde can write.
    ///
    /// # Errors
    /// [`ErrorKind::Context`], naming the placeholder, when the value cannot be written as JSON.
    pub fn try_runtime(
        self,
        name: impl Into<String>,
        value: impl Serialize,
    ) -> Result<Self, Error> {
        let name = name.into();
        match serde_json::to_value(value) {
            Ok(value) => Ok(self.with_runtime(name, value)),
            Err(error) => Err(Error::new(
                ErrorKind::Context,
                format!("the value of the runtime placeholder `{name}` cannot be written as JSON"),
            )
            .with_source(error)),
        }
    }

    /// Puts an object of the host into the context, one of each type, for components of the host.
    #[must_use]
    pub fn with_handle<T: Send + Sync + 'static>(mut self, handle: T) -> Self {
        self.handles.insert(handle);
        self
    }

    /// Checks that no value is nested deeper than it can be written. (JSON text cannot be: serde stops
    /// at the same depth. A value that is built in Rust can.)
    pub(crate) fn check_depth(&self) -> Result<(), Error> {
        let named = |kind: &'static str, values: &'_ BTreeMap<String, Value>| {
            let deep = values.iter().find(|(_, value)| is_deeper(value, DEEPEST));
            deep.map(|(name, _)| format!("the {kind} `{name}`"))
        };
        let of_tools = || {
            let tools = self.mcp_servers.iter().flat_map(|server| &server.tools);
            let of = |what, tool: &McpTool| format!("{what} of the MCP tool `{}`", tool.name);
            tools.into_iter().find_map(|tool| {
                let output = tool.output_schema.as_deref();
                if is_deeper(&tool.input_schema, DEEPEST) {
                    Some(of("the input schema", tool))
                } else if output.is_some_and(|schema| is_deeper(schema, DEEPEST)) {
                    Some(of("the output schema", tool))
                } else {
                    let deep = tool.meta.values().any(|value| is_deeper(value, DEEPEST - 1));
                    deep.then(|| of("`_meta`", tool))
                }
            })
        };
        let deep = named("runtime placeholder", &self.runtime)
            .or_else(|| named("parameter", &self.params))
            .or_else(of_tools);
        match deep {
            None => Ok(()),
            Some(what) => Err(Error::new(
                ErrorKind::Context,
                format!("{what} is nested more than {DEEPEST} deep"),
            )
            .with_help("flatten it, or pass it as a string of JSON")),
        }
    }

    /// The context with everything whose order does not matter in one order, so that equal contexts
    /// are written equally.
    pub(crate) fn in_canonical_order(&self) -> Self {
        let mut cx = self.clone();
        for server in &mut cx.mcp_servers {
            server.tools.sort_by(|a, b| by_name(a, b, |tool| &tool.name));
            server.resources.sort_by(|a, b| by_name(a, b, |resource| &resource.uri));
        }
        cx.mcp_servers.sort_by(|a, b| by_name(a, b, |server| &server.name));
        cx.skills.sort_by(|a, b| by_name(a, b, |skill| &skill.name));
        cx
    }

    /// A context path is there and not empty: not null, false, "", [] or {}.
    pub(crate) fn has<'v>(&self, path: &str, json: impl FnOnce() -> &'v Value) -> bool {
        // The paths that packs ask for all the time are answered without writing the whole context
        // (with perhaps a megabyte of rules) as JSON.
        match path {
            "rules" => !self.rules.is_empty(),
            "skills" => !self.skills.is_empty(),
            "mcp_servers" => self.mcp_servers.iter().any(McpServer::is_offered),
            "workspace_roots" => !self.workspace_roots.is_empty(),
            "cwd" => self.cwd.as_deref().is_some_and(|cwd| !cwd.is_empty()),
            "mode" => self.mode.as_deref().is_some_and(|mode| !mode.is_empty()),
            _ => json_path(json(), path).is_some_and(|value| match value {
                Value::Null | Value::Bool(false) => false,
                Value::String(text) => !text.is_empty(),
                Value::Array(items) => !items.is_empty(),
                Value::Object(fields) => !fields.is_empty(),
                Value::Bool(true) | Value::Number(_) => true,
            }),
        }
    }
}

/// No value of a context is nested deeper than this.
pub(crate) const DEEPEST: usize = 120;

/// Recursion is bounded by `left`.
pub(crate) fn is_deeper(value: &Value, left: usize) -> bool {
    match value {
        Value::Array(items) => left == 0 || items.iter().any(|item| is_deeper(item, left - 1)),
        Value::Object(fields) => left == 0 || fields.values().any(|item| is_deeper(item, left - 1)),
        _ => false,
    }
}

/// Orders by name; things of the same name by everything else, so that their order is one.
pub(crate) fn by_name<'a, T: Serialize>(
    a: &'a T,
    b: &'a T,
    name: impl Fn(&'a T) -> &'a str,
) -> Ordering {
    let written = |thing| serde_json::to_string(thing).unwrap_or_default();
    name(a).cmp(name(b)).then_with(|| written(a).cmp(&written(b)))
}

/// Follows a dotted path; a number indexes a list.
pub(crate) fn json_path<'v>(root: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(root, |value, part| match value {
        Value::Object(fields) => fields.get(part),
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        _ => None,
    })
}

fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    start + column.saturating_sub(1)
}
