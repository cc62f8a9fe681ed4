//! Tools of MCP servers in the text forms, where a name is a tag. What a server calls its tools is not in
//! the host's hands: a name that cannot be a tag is changed, and a tool that cannot be written is left out,
//! with a warning; neither is an error of the host.

use std::collections::HashMap;

use super::names::check_name;
use super::{EnabledTools, ToolSpec};
use crate::tool::TextForm;
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Id;
use promptline_tools::names::{NameRequest, NameRule, assign};
use promptline_tools::{ToolNameMap, ToolRef};

/// Tools with names that can be tags, each once; the host's own are as they were.
pub(crate) fn fitted(
    form: TextForm,
    tools: &[ToolSpec],
    mut report: impl FnMut(Diagnostic),
) -> Vec<ToolSpec> {
    // What a tag can be beyond ASCII stays: only a new name keeps to it.
    let rule = NameRule::new(128, "-.");
    let mut count: HashMap<&str, usize> = HashMap::new();
    tools.iter().for_each(|spec| *count.entry(&spec.name).or_default() += 1);
    let wanted: Vec<NameRequest<'_>> = tools
        .iter()
        .map(|spec| {
            let raw = if spec.server.is_some() { spec.raw_name() } else { &spec.id };
            NameRequest::new(&spec.name, spec.server.as_deref(), raw)
        })
        .collect();
    let mut fitted = Vec::with_capacity(tools.len());
    for (spec, name) in tools.iter().zip(assign(&wanted, &rule)) {
        let once = count.get(spec.name.as_str()).is_none_or(|count| *count == 1);
        if spec.server.is_none() {
            fitted.push(spec.clone());
            continue;
        }
        let mut spec = spec.clone();
        if !once || !check_name(&spec.name) {
            let old = spec.name.escape_debug();
            let message =
                format!("the tool `{old}` is called `{name}` here: its own name cannot be used");
            report(Diagnostic::warning("tool-renamed", message).about(&spec.id));
            spec.name = Id::from(&*name);
        }
        if form == TextForm::Xml
            && let Err(error) = spec.check()
        {
            let message = format!("`{}` is left out: {}", spec.id, error.message());
            report(Diagnostic::warning("tool-failed", message).about(&spec.id));
            continue;
        }
        fitted.push(spec);
    }
    fitted
}

/// Which name is which tool.
pub(crate) fn names(tools: &EnabledTools) -> ToolNameMap {
    let mut names = ToolNameMap::new();
    for tool in tools.iter().filter(|tool| !tool.spec().says_nothing()) {
        let spec = tool.spec();
        names.insert(tool.name(), ToolRef::new(&*spec.id, spec.server.clone(), spec.raw_name()));
    }
    names
}
