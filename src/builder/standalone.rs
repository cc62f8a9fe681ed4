//! Tools as text, outside of any prompt: for hosts that assemble prompts themselves, and for tests of
//! a tool's wording.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::condition::ConditionCx;
use crate::context::PromptContext;
use crate::model_id::{LazyModelId, ModelTables};
use crate::notes::Notes;
use crate::notes::UnresolvedPolicy;
use crate::placeholder::{Layers, Scoped, Standard};
use crate::template::Helpers;
use crate::template::scope::Scope;
use crate::text::Text;
use crate::tool::{
    EnabledTools, Offered, ToolSpec, ToolVerdict, decide, fitted, names, render_tools, write_tools,
};
use crate::tool::{TextForm, ToolDelivery};
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Error;
use promptline_tools::{NativeOptions, NativeTools, ToolNameMap};

/// A rendered tool list.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolSection {
    /// The tools that are offered, one after the other, with an empty line between them.
    pub text: Text,
    /// Which name is which tool, of those that are offered.
    pub names: ToolNameMap,
    /// Tools and parameters that were left out because their condition failed, and what of a JSON
    /// Schema was passed over.
    pub diagnostics: Vec<Diagnostic>,
}

/// Renders tools in the `xml` form for a request, as a variant that lists them would, but without the
/// clean-up of a section.
///
/// ```
/// use promptline::{Param, PromptContext, ToolSpec, tools::tool_section};
/// # fn main() -> Result<(), promptline::Error> {
/// let ping = ToolSpec::new("ping")
///     .with_description("Ask a host whether it is there.")
///     .with_param(Param::required("host", "Its name or address.").with_usage("example.org"));
/// let section = tool_section(&[ping], &PromptContext::default())?;
/// assert_eq!(
///     section.text.to_string(),
///     "## ping
/// Description: Ask a host whether it is there.
/// Parameters:
/// - host: (required) Its name or address.
/// Usage:
/// <ping>
/// <host>example.org</host>
/// </ping>"
/// );
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Tool`](crate::ErrorKind::Tool) for a spec that [`ToolSpec::check`] refuses.
pub fn tool_section(tools: &[ToolSpec], cx: &PromptContext) -> Result<ToolSection, Error> {
    tool_section_as(TextForm::Xml, tools, cx)
}

/// The same in any text form. Tools of MCP servers are delivery like any
/// other: a name of theirs that cannot be a tag is changed, and one that has a parameter that cannot be a
/// tag is left out of the `xml` form, both with a warning.
///
/// # Errors
/// As [`tool_section`], for the host's own tools. In the `hermes` form names may be any.
pub fn tool_section_as(
    dialect: TextForm,
    tools: &[ToolSpec],
    cx: &PromptContext,
) -> Result<ToolSection, Error> {
    for spec in tools {
        match dialect {
            TextForm::Xml if spec.server.is_none() => spec.check()?,
            _ => spec.check_for_native()?,
        }
    }
    let mut reported = Vec::new();
    let tools = fitted(dialect, tools, |diagnostic| reported.push(diagnostic));
    let delivery = ToolDelivery::Text(dialect);
    let ((text, names), diagnostics) =
        outside_of_a_prompt(&tools, delivery, cx, |enabled, scope, notes| {
            // Only this form has no words for a whole schema.
            for spec in tools.iter().filter(|_| dialect == TextForm::Xml) {
                for what in spec.passed_over() {
                    let message = format!("the tool `{}` is shown without a part: {what}", spec.id);
                    notes.report(Diagnostic::warning("tool-schema", message).about(&spec.id));
                }
            }
            let text = render_tools(dialect, enabled, scope, |tool, written| {
                if let Err(error) = written {
                    notes.report(left_out(&tool.spec().id, &error.to_string()));
                }
            });
            (text, names(enabled))
        });
    reported.extend(diagnostics);
    Ok(ToolSection { text, names, diagnostics: reported })
}

/// Writes tools for a request in the native form of a provider. Conditions decide as they do in the
/// text form, and the same words are said. (Tools of the context's MCP servers are given by
/// [`mcp_tools`](crate::tools::mcp_tools).)
///
/// ```
/// use promptline::{Dialect, Param, PromptContext, ToolSpec, tools::{NativeOptions, native_tools}};
/// # fn main() -> Result<(), promptline::Error> {
/// let ping = ToolSpec::new("ping")
///     .with_description("Ask a host whether it is there.")
///     .with_param(Param::required("host", "Its name or address."));
/// let options = NativeOptions::new(Dialect::Anthropic);
/// let tools = native_tools(&[ping], &PromptContext::default(), &options)?;
/// assert_eq!(
///     tools.to_value(),
///     serde_json::json!([{
///         "name": "ping",
///         "description": "Ask a host whether it is there.",
///         "input_schema": {
///             "type": "object",
///             "properties": {"host": {"type": "string", "description": "Its name or address."}},
///             "required": ["host"],
///         },
///     }])
/// );
/// assert!(tools.unsupported().is_empty());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Tool`](crate::ErrorKind::Tool) for a spec with a parameter that is there twice or with a
/// condition that uses what it may not use. Names may be any.
pub fn native_tools(
    tools: &[ToolSpec],
    cx: &PromptContext,
    options: &NativeOptions,
) -> Result<NativeTools, Error> {
    for spec in tools {
        spec.check_for_native()?;
    }
    let (made, diagnostics) =
        outside_of_a_prompt(tools, ToolDelivery::Native, cx, |enabled, scope, notes| {
            write_tools(enabled, scope, options, |tool, error| {
                notes.report(left_out(&tool.spec().id, &error.to_string()));
            })
        });
    Ok(made.with_earlier_diagnostics(diagnostics))
}

/// Decides which tools are offered and makes the scope in which their words are rendered.
fn outside_of_a_prompt<T>(
    tools: &[ToolSpec],
    delivery: ToolDelivery,
    cx: &PromptContext,
    render: impl FnOnce(&EnabledTools, &dyn Scope, &Notes) -> T,
) -> (T, Vec<Diagnostic>) {
    let offered: Vec<Offered> =
        tools.iter().map(|spec| Offered { spec: Arc::new(spec.clone()) }).collect();
    let named = BTreeMap::new();
    let tables = ModelTables::builtin();
    let model = LazyModelId::new(&tables, &cx.model, None);
    let notes = Notes::new(UnresolvedPolicy::Keep);
    let enabled = decide(
        &offered,
        || ConditionCx::new(cx, &named, &model),
        |spec, verdict| match verdict {
            ToolVerdict::Enabled | ToolVerdict::Skipped(_) => {}
            ToolVerdict::Failed(what) => notes.report(left_out(&spec.id, &what)),
            ToolVerdict::ParamFailed(param, what) => {
                notes.report(left_out(&format!("{}.{param}", spec.id), &what));
            }
        },
    );
    let conditions = ConditionCx::new(cx, &named, &model).tools(&enabled);
    let placeholders = serde_json::Map::new();
    let helpers = Helpers::default();
    let layers = Layers {
        variant: &placeholders,
        standard: Standard::new(cx, ""),
        runtime: &cx.runtime,
        params: &cx.params,
        conditions: &conditions,
        tools: &enabled,
        switches: &[],
        delivery,
        known_sections: &[],
        helpers: &helpers,
    };
    let scope =
        Scoped { layers: &layers, sections: &[], user: "tools", values: None, unresolved: &notes };
    let made = render(&enabled, &scope, &notes);
    let (diagnostics, _) = notes.take();
    (made, diagnostics)
}

fn left_out(what: &str, why: &str) -> Diagnostic {
    Diagnostic::warning("tool-failed", format!("`{what}` is left out: {why}")).about(what)
}
