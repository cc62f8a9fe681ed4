//! The lint `cache-order` of native tools: they come before the prompt on the wire, so one that comes and
//! goes costs all that follows it. It only looks; no tool is moved.

use smallvec::SmallVec;

use super::volatility::Watch;
use crate::lint::{Lint, LintLevels};
use crate::notes::Notes;
use crate::prompt::Prompt;
use crate::registry::Assembled;
use crate::report::ToolReport;
use crate::text::Volatility;
use promptline_tools::NativeTools;

/// `reports` are of all tools that could be offered, in the order of the list.
pub(super) fn native_order(
    prompt: &Prompt,
    watch: &Watch,
    assembled: &Assembled,
    reports: &[ToolReport],
    lints: &LintLevels,
    notes: &Notes,
) {
    if prompt.tools().is_none_or(NativeTools::is_empty) {
        return;
    }
    if lints.severity(Lint::CacheOrder).is_none() {
        return;
    }
    let report = |message: &str, about: &str, help: &str| {
        if let Some(found) = lints.report(Lint::CacheOrder, message) {
            let found = found.about(about).with_help(help);
            notes.report(found.in_file(assembled.variant.origin.as_str()));
        }
    };
    if watch.tools_by_mode() {
        let message = "the native tools change with the mode, and come before the prompt on the wire: a \
                       change of mode keeps nothing of it in the provider's cache";
        let help = "build without `filter_by_mode`, and let the prompt say what a mode allows";
        return report(message, "tools", help);
    }
    // Both lists have the same order. A tool that is not the variant's is a server's, and comes and goes
    // with it.
    let mut own = assembled.tools.iter().zip(&assembled.tools_change);
    let levels: SmallVec<[Volatility; 64]> = reports
        .iter()
        .map(|report| {
            let found = own.find(|(offered, _)| offered.spec.id == report.id);
            found.map_or(Volatility::Conversation, |(_, level)| *level)
        })
        .collect();
    let mut reported = None;
    for (kept, what) in
        [(Volatility::Conversation, "request"), (Volatility::Static, "conversation")]
    {
        let first = levels.iter().position(|level| *level > kept);
        // One tool is reported once, for what changes most.
        let Some(at) = first.filter(|at| reported != Some(*at)) else { continue };
        reported = Some(at);
        let Some((before, behind)) = reports.split_at_checked(at) else { continue };
        let Some(tool) = behind.first() else { continue };
        let stays = behind.iter().zip(levels.iter().skip(at)).filter(|(_, level)| **level <= kept);
        let tools: usize = stays.map(|(report, _)| report.native_tokens).sum();
        let lost = tools + prompt.tokens_before(prompt.kept(kept));
        if lost == 0 {
            continue;
        }
        let byte = byte_behind(before);
        let message = format!(
            "the native tools may change with the {what} from byte {byte} on, at `{}`, and come before the \
             prompt on the wire: the {lost} tokens behind it that do not change are not kept in a \
             provider's cache either",
            tool.id
        );
        let help = "list it behind the tools that are always there, or offer it always";
        report(&message, &tool.id, help);
    }
}

/// Where in the list the next tool begins behind these.
fn byte_behind(tools: &[ToolReport]) -> usize {
    let sent = tools.iter().map(|tool| tool.native_bytes).filter(|bytes| *bytes > 0);
    1 + sent.map(|bytes| bytes + 1).sum::<usize>()
}
