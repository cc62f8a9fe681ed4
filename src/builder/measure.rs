//! What a finished prompt costs: its sections, its tools, the whole. Only for those who read a report.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::id::TEMPLATE_SECTION;
use crate::id::TOOLS_SECTION;
use crate::lint::{Lint, LintLevels};
use crate::notes::Notes;
use crate::prompt::{Prompt, Section};
use crate::report::{ComponentReport, ComponentStatus, SectionCost, ToolReport, Totals};
use crate::text::Volatility;
use crate::tool::EnabledTools;
use promptline_tools::NativeTools;

/// Adds to each component what its section costs; the list of tools, and what the base template says
/// itself, come last. A section that no template printed is not in the prompt.
pub(super) fn sections(components: &mut Vec<ComponentReport>, prompt: &Prompt) {
    let mut costs: Vec<(SectionCost, &Section)> = Vec::with_capacity(components.len() + 2);
    // Only asked, never listed: no order of it shows.
    let mut places: HashMap<&str, usize, FixedState> =
        HashMap::with_capacity_and_hasher(components.len() + 2, FixedState::default());
    for section in prompt.sections() {
        let place = *places.entry(section.id.as_str()).or_insert(costs.len());
        if place == costs.len() {
            let ranges = Vec::with_capacity(1);
            costs.push((SectionCost { ranges, ..SectionCost::default() }, section));
        }
        let Some((cost, _)) = costs.get_mut(place) else { continue };
        cost.ranges.push(section.range.clone());
        cost.bytes += section.bytes;
        cost.tokens += section.tokens;
        cost.volatility = cost.volatility.max(Some(section.volatility));
    }
    let mut cost_of = |id: &str| {
        let (cost, section) = costs.get_mut(places.remove(id)?)?;
        Some((std::mem::take(cost), *section))
    };
    for component in components.iter_mut() {
        match cost_of(&component.id) {
            Some((cost, _)) => component.cost = cost,
            None if component.status == ComponentStatus::Rendered => {
                component.status = ComponentStatus::Unprinted;
            }
            None => {}
        }
    }
    for id in [TOOLS_SECTION, TEMPLATE_SECTION] {
        if let Some((cost, section)) = cost_of(id) {
            components.push(ComponentReport {
                id: section.id.clone(),
                status: ComponentStatus::Rendered,
                origin: Some(section.origin.clone()),
                reason: None,
                cost,
            });
        }
    }
}

/// What the whole costs.
pub(super) fn totals(prompt: &Prompt, tools: &EnabledTools, of_tools: &[ToolReport]) -> Totals {
    let counter = &prompt.counter;
    Totals {
        counter: counter.name(),
        estimate: counter.is_estimate(),
        bytes: prompt.text.len(),
        tokens: prompt.sections().iter().map(|section| section.tokens).sum(),
        tools: tools.len(),
        native_bytes: prompt.tools().map_or(0, NativeTools::json_bytes),
        native_tokens: of_tools.iter().map(|tool| tool.native_tokens).sum(),
        static_bytes: prompt.kept(Volatility::Static),
        conversation_bytes: prompt.kept(Volatility::Conversation),
    }
}

/// The lint `cache-order`: text that changes often, before text that does not. What a provider keeps ends
/// at the first byte that changes.
pub(super) fn cache_order(prompt: &Prompt, levels: &LintLevels, notes: &Notes) {
    if levels.severity(Lint::CacheOrder).is_none() {
        return;
    }
    let mut reported = None;
    for (kept, what) in
        [(Volatility::Conversation, "request"), (Volatility::Static, "conversation")]
    {
        let byte = prompt.kept(kept);
        let behind = prompt.sections().iter().filter(|section| section.range.start >= byte);
        let lost =
            behind.filter(|section| section.volatility <= kept && says_something(prompt, section));
        let tokens: usize = lost.map(|section| section.tokens).sum();
        // One place is reported once, for what changes most.
        if tokens == 0 || reported == Some(byte) {
            continue;
        }
        reported = Some(byte);
        let changes = |section: &&Section| section.volatility > kept && section.range.start >= byte;
        let found = prompt.sections().iter().find(changes);
        let at =
            found.filter(|section| says_something(prompt, section) || section.range.start == byte);
        let id = at.map_or(TEMPLATE_SECTION, |section| section.id.as_str());
        let message = format!(
            "the text may change with the {what} from byte {byte} on, at `{id}`: the {tokens} tokens \
             behind it that do not change are not kept in a provider's cache either"
        );
        if let Some(found) = levels.report(Lint::CacheOrder, message) {
            notes.report(found.about(id).in_file(prompt.base_origin.as_str()));
        }
    }
}

/// More than blank lines and separators.
fn says_something(prompt: &Prompt, section: &Section) -> bool {
    let text = prompt.text.get(section.range.clone()).unwrap_or_default();
    section.id != TEMPLATE_SECTION || text.chars().any(|c| !c.is_whitespace() && c != '=')
}
