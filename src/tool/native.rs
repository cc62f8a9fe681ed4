//! Tools of a prompt in the native form of a provider: specs become neutral tools, which
//! `promptline-tools` writes.

use promptline_diagnostic::{Diagnostic, Error};
use promptline_tools::{NativeOptions, NativeTools};

use super::neutral::neutral;
use super::{EnabledTool, EnabledTools};
use crate::template::scope::Scope;

/// Writes the tools of a build in a dialect. A tool whose words cannot be rendered is left out, and given to
/// `failed`. Whatever else there is to report is in the result.
pub(crate) fn write_tools(
    tools: &EnabledTools,
    scope: &dyn Scope,
    options: &NativeOptions,
    mut failed: impl FnMut(&EnabledTool, Error),
) -> NativeTools {
    let mut made = Vec::with_capacity(tools.len());
    let mut reported = Vec::new();
    for tool in tools {
        let id = &tool.spec().id;
        if tool.spec().says_nothing() {
            let message =
                format!("the tool `{id}` is left out: it has neither a description nor parameters");
            reported.push(Diagnostic::info("tool-empty", message).about(id));
            continue;
        }
        match neutral(tool, scope) {
            Ok((tool, mut invisible)) => {
                made.push(tool);
                reported.append(&mut invisible);
            }
            Err(error) => failed(tool, error),
        }
    }
    promptline_tools::native_tools(&made, options).with_earlier_diagnostics(reported)
}
