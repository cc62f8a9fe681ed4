//! How tools are delivered: by a section of the text, or beside it in the provider's form.

use std::sync::Arc;

use super::section::finished;
use super::tool_reports::ToolReports;
use super::volatility::printed;
use crate::cleanup::Level;
use crate::component::BuildState;
use crate::id::TOOLS_SECTION;
use crate::model_id::LazyModelId;
use crate::options::BuildOptions;
use crate::registry::Assembled;
use crate::text::BuiltSection;
use crate::text::Volatility;
use crate::tool::TextForm;
use crate::tool::{render_tools, write_tools};
use promptline_diagnostic::Id;
use promptline_tools::{Dialect, NativeOptions, NativeTools};

/// The tool list, which is a section like any other, but built before all components.
pub(super) fn tools_section(
    dialect: TextForm,
    state: &BuildState<'_>,
    assembled: &Assembled,
    level: Volatility,
    options: &BuildOptions,
    reports: &mut ToolReports<'_>,
) -> Option<Arc<BuiltSection>> {
    let tools = state.tools();
    let text = render_tools(dialect, tools, &state.scope(TOOLS_SECTION), |tool, written| {
        reports.written(tool, written);
    });
    let written = text.len();
    let text = finished(text, Level::Section, TOOLS_SECTION, state.notes, options);
    if text.len() != written && reports.counts() {
        // Nearly never: what the clean-up took away is counted for no tool.
        render_tools(dialect, tools, &state.scope(TOOLS_SECTION), |tool, written| {
            reports.cleaned(tool, written);
        });
    }
    (!text.is_blank()).then(|| {
        let origin = assembled.variant.origin.clone();
        // The tools of servers come and go with them.
        let of_server = tools.iter().any(|tool| tool.spec().server.is_some());
        let least = if of_server { Volatility::Conversation } else { Volatility::Static };
        let volatility = printed(&text).max(least).max(level);
        Arc::new(BuiltSection::new(Id::from(TOOLS_SECTION), text, origin, volatility))
    })
}

/// The dialect that the provider speaks for the model. The family is read from the id only where it decides.
pub(super) fn dialect_of(provider: &str, model: &LazyModelId<'_>) -> Dialect {
    match Dialect::for_provider(provider) {
        Dialect::Gemini => Dialect::for_family(provider, model.get().family()),
        dialect => dialect,
    }
}

/// The tools in the dialect of the provider.
pub(super) fn native_tools(
    state: &BuildState<'_>,
    options: &NativeOptions,
    reports: &mut ToolReports<'_>,
) -> NativeTools {
    let native = write_tools(state.tools(), &state.scope(TOOLS_SECTION), options, |tool, error| {
        reports.failed(tool, &error);
    });
    reports.native(&native);
    native
}
