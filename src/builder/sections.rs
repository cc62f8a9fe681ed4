//! Step 3, sections: the tool list first, then the components one after the other; each can read what was
//! written before it.

use super::pipeline::Build;
use super::section::run_component;
use super::tool_list::{dialect_of, native_tools, tools_section};
use super::tool_reports::ToolReports;
use super::volatility::Watch;
use crate::component::BuildState;
use crate::report::ComponentReport;
use crate::tool::ToolDelivery;
use promptline_diagnostic::Error;
use promptline_tools::{Dialect, NativeOptions, NativeTools};

/// What the step gives beside the sections, which are in the state.
pub(super) struct Written {
    /// The tools in the provider's form, where they are sent beside the text.
    pub(super) native: Option<NativeTools>,
    pub(super) dialect: Dialect,
    /// How often what is there, and what is not, changes.
    pub(super) watch: Watch,
    /// What became of each component; none without a report.
    pub(super) components: Vec<ComponentReport>,
}

pub(super) async fn write_sections(
    build: &Build<'_>,
    state: &mut BuildState<'_>,
    in_text: bool,
    tool_reports: &mut ToolReports<'_>,
) -> Result<Written, Error> {
    let Build { assembled, options, cx, .. } = *build;
    let delivery = state.layers.delivery;
    let mut watch = Watch::new(options, cx);
    if let ToolDelivery::Text(dialect) = delivery {
        let level = watch.tool_list(assembled);
        let section = tools_section(dialect, state, assembled, level, options, tool_reports);
        state.sections.extend(section);
    }
    if in_text && state.sections.is_empty() {
        watch.no_tool_list(assembled);
    }
    let dialect = options.dialect.unwrap_or_else(|| dialect_of(&cx.model.provider, build.model));
    let native = match delivery {
        ToolDelivery::Native => {
            let mut form = NativeOptions::new(dialect);
            form.strict = options.strict;
            Some(native_tools(state, &form, tool_reports))
        }
        ToolDelivery::Text(_) | ToolDelivery::Nothing => None,
    };
    let listed =
        if build.quiet() { 0 } else { assembled.pipeline.len() + assembled.disabled.len() + 2 };
    let mut components = Vec::with_capacity(listed);
    for step in &assembled.pipeline {
        let (outcome, section) = run_component(step, state, &watch, options).await;
        if section.is_none() {
            watch.no_section(step);
        }
        state.sections.extend(section);
        if !build.quiet() {
            components.push(outcome.report(step));
        }
    }
    Ok(Written { native, dialect, watch, components })
}
