//! The names that every pack can use, and what the context says for them.

use std::borrow::Cow;

use serde_json::Value;

use super::{mcp_servers_list, skills_list, user_rules, workspace_roots_list};
use crate::context::{PromptContext, Viewport};
use crate::template::scope::{DataKind, Resolved};
use crate::text::Volatility;
use crate::text::marks::is_noncharacter;
use crate::text::{Source, Text};
use crate::tool::McpForm;

/// The standard names. One that nothing provides is the empty text.
const STANDARD: [&str; 21] = [
    "OS",
    "SHELL",
    "HOME_DIR",
    "CWD",
    "WORKING_DIR",
    "IDE",
    "MCP_SERVERS_LIST",
    "SKILLS_LIST",
    "USER_RULES",
    "WORKSPACE_ROOTS_LIST",
    "PREFERRED_LANGUAGE",
    "SUPPORTS_BROWSER",
    "BROWSER_WIDTH",
    "BROWSER_HEIGHT",
    "MODEL_FAMILY",
    "CURRENT_DATE",
    "TIME_ZONE",
    "TOOLS_SECTION",
    "MODE",
    "PROVIDER",
    "MODEL",
];

/// All of them.
pub(crate) fn standard_names() -> impl Iterator<Item = &'static str> {
    STANDARD.into_iter()
}

pub(crate) fn is_standard(name: &str) -> bool {
    STANDARD.contains(&name)
}

/// How often the value of a name changes. Sections are known by what they came out as.
pub(crate) fn volatility_of(name: &str) -> Volatility {
    let (root, rest) = name.split_once('.').unwrap_or((name, ""));
    let below = rest.split('.').next().unwrap_or(rest);
    match root {
        "mode" | "MODE" => Volatility::Turn,
        // The whole of it has the mode in it too.
        "context" if matches!(below, "" | "mode" | "runtime") => Volatility::Turn,
        "flag" | "tool" | "is" | "form" | "traits" | "SUPPORTS_BROWSER" | "BROWSER_WIDTH"
        | "BROWSER_HEIGHT" | "MODEL_FAMILY" | "PROVIDER" | "MODEL" => Volatility::Static,
        "params" | "context" => Volatility::Conversation,
        // A section's own volatility is added where it is printed.
        _ if root.ends_with("_SECTION") => Volatility::Static,
        _ if is_standard(root) => Volatility::Conversation,
        _ => Volatility::Static,
    }
}

/// Nothing that a reader could see: a value like that provides nothing.
fn is_blank(value: &str) -> bool {
    value.chars().all(|c| c.is_whitespace() || c.is_control() || is_noncharacter(c))
}

/// A list that is empty provides nothing.
fn list(text: &Text) -> Option<Resolved<'_>> {
    (!text.is_blank()).then_some(Resolved::Text(Cow::Borrowed(text)))
}

/// What the context says for the standard names, with the lists made at most once a build.
#[derive(Debug)]
pub(crate) struct Standard<'a> {
    context: &'a PromptContext,
    variant: &'a str,
    mcp: McpForm,
    rules: once_cell::sync::OnceCell<Text>,
    servers: once_cell::sync::OnceCell<Text>,
    skills: once_cell::sync::OnceCell<Text>,
    roots: once_cell::sync::OnceCell<Text>,
}

impl<'a> Standard<'a> {
    pub(crate) fn new(context: &'a PromptContext, variant: &'a str) -> Self {
        Self {
            context,
            variant,
            mcp: McpForm::Listed,
            rules: Default::default(),
            servers: Default::default(),
            skills: Default::default(),
            roots: Default::default(),
        }
    }

    /// Tools that stand beside the others are not listed again.
    pub(crate) fn listing(mut self, mcp: McpForm) -> Self {
        self.mcp = mcp;
        self
    }

    pub(crate) fn get(&self, name: &str) -> Option<Resolved<'_>> {
        let cx = self.context;
        let label = |value: Option<&str>, source: &'static str| {
            value.filter(|value| !is_blank(value)).map(|value| Resolved::Data {
                value: Cow::Owned(Value::from(value)),
                kind: DataKind::Label,
                source: Source::known(source),
            })
        };
        let own = |value: Value| Some(Resolved::Authored(Cow::Owned(value)));
        match name {
            "OS" => label(cx.environment.os.as_deref(), "context:environment.os"),
            "SHELL" => label(cx.environment.shell.as_deref(), "context:environment.shell"),
            "HOME_DIR" => label(cx.environment.home.as_deref(), "context:environment.home"),
            "IDE" => label(cx.environment.ide.as_deref(), "context:environment.ide"),
            "CWD" => label(cx.cwd.as_deref(), "context:cwd"),
            "MODE" => label(cx.mode.as_deref(), "context:mode"),
            "PROVIDER" => label(Some(&cx.model.provider), "context:model.provider"),
            "MODEL" => label(Some(&cx.model.id), "context:model.id"),
            "CURRENT_DATE" => label(cx.date.as_deref(), "context:date"),
            "TIME_ZONE" => label(cx.zone.as_deref(), "context:zone"),
            "PREFERRED_LANGUAGE" => {
                label(cx.preferred_language.as_deref(), "context:preferred_language")
            }
            "MODEL_FAMILY" => Some(Resolved::Word(self.variant)),
            "SUPPORTS_BROWSER" => own(Value::from(cx.flags.contains("browser"))),
            "BROWSER_WIDTH" => own(Value::from(self.viewport().width)),
            "BROWSER_HEIGHT" => own(Value::from(self.viewport().height)),
            "USER_RULES" => list(self.rules.get_or_init(|| user_rules(cx))),
            "MCP_SERVERS_LIST" => list(self.servers.get_or_init(|| mcp_servers_list(cx, self.mcp))),
            "SKILLS_LIST" => list(self.skills.get_or_init(|| skills_list(cx))),
            "WORKSPACE_ROOTS_LIST" => list(self.roots.get_or_init(|| workspace_roots_list(cx))),
            _ => None,
        }
    }

    /// Text and native form must name the same size, so there is one default.
    fn viewport(&self) -> Viewport {
        self.context.browser.unwrap_or_default()
    }
}
