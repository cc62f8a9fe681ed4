//! The loop: measure, save, print again. The whole prompt is printed anew once for all savings, and again
//! only where the sum of the parts was not the cost of the whole.

use std::sync::Arc;

use super::plan::Plan;
use super::shorten::excess;
use super::{BudgetExceeded, BudgetReport, Said, TruncationNotice};
use crate::text::BuiltSection;
use crate::text::Text;
use promptline_diagnostic::{Error, ErrorKind};

/// How often a prompt is printed for room that is left. Where a section's own count is right, once or twice
/// a section is enough.
const PRINTS: usize = 64;

/// A finished base text and what it was joined from.
pub(crate) struct Rendered {
    pub(crate) base: Text,
    pub(crate) text: String,
}

/// What has to be kept.
#[derive(Clone, Copy)]
pub(crate) struct Fit<'a> {
    /// For messages.
    pub(crate) variant: &'a str,
    /// What text and tools may cost.
    pub(crate) available: usize,
    /// What the native tools cost.
    pub(crate) tools: usize,
    /// Required sections may be left out when nothing else is left.
    pub(crate) required: bool,
    /// How many tokens a text has.
    pub(crate) count: &'a dyn Fn(&str) -> usize,
    /// What a prompt costs: the sum of its parts.
    pub(crate) cost: &'a dyn Fn(&Rendered) -> usize,
    /// What is printed where something was cut.
    pub(crate) marks: &'a TruncationNotice,
}

/// A prompt that fits.
pub(crate) struct Fitted {
    pub(crate) rendered: Rendered,
    pub(crate) report: BudgetReport,
}

/// `said`: what the components say about `sections`, in the same order. `print` prints other sections.
pub(crate) fn fit(
    wanted: Fit<'_>,
    mut rendered: Rendered,
    sections: &[Arc<BuiltSection>],
    said: impl FnOnce() -> Vec<Said>,
    mut print: impl FnMut(Vec<Arc<BuiltSection>>) -> Result<Rendered, Error>,
) -> Result<Fitted, Error> {
    let Fit { available, tools, required, count, cost, marks, .. } = wanted;
    let before = cost(&rendered);
    let mut report = BudgetReport { available, tools, before, after: before, cuts: Vec::new() };
    let over = |after: usize| after.saturating_add(tools).saturating_sub(available);
    if over(before) == 0 {
        return Ok(Fitted { rendered, report });
    }
    let marks = marks.ready();
    let mut plan = Plan::new(&rendered.base, sections, said(), required, (count, &marks));
    let mut more = 0_usize;
    while over(report.after) > 0 {
        if !plan.save(over(report.after).saturating_add(more)) {
            return Err(exceeded(wanted, report.after, &plan));
        }
        rendered = print(plan.sections())?;
        report.after = cost(&rendered);
        // Borders cost a little that no section knows of. Twice as much each time: few rounds.
        more = more.saturating_mul(2).saturating_add(1);
    }
    let room = available.saturating_sub(tools);
    // The last trial may have been one that did not fit, so what was decided is printed once more.
    if give_back(&mut plan, room, report.after, cost, &mut print)? {
        rendered = print(plan.sections())?;
        report.after = cost(&rendered);
    }
    report.cuts = plan.cuts();
    Ok(Fitted { rendered, report })
}

/// Makes shortened sections as long as the room for the text allows, those that matter most first. Whether
/// anything was printed.
fn give_back(
    plan: &mut Plan<'_>,
    room: usize,
    mut after: usize,
    cost: &dyn Fn(&Rendered) -> usize,
    print: &mut impl FnMut(Vec<Arc<BuiltSection>>) -> Result<Rendered, Error>,
) -> Result<bool, Error> {
    let mut prints = 0;
    // The search expects a number from each trial: an error ends it and is returned afterwards.
    let mut failed = None;
    for place in plan.shortened() {
        plan.lengthen(place, room.saturating_sub(after), |sections| {
            if prints == PRINTS || failed.is_some() {
                return None;
            }
            prints += 1;
            match print(sections) {
                Ok(rendered) => {
                    let cost = cost(&rendered);
                    // It is kept, so the next section gets only the room that it leaves.
                    if cost <= room {
                        after = cost;
                    }
                    Some(excess(cost, room))
                }
                Err(error) => {
                    failed = Some(error);
                    None
                }
            }
        });
    }
    failed.map_or(Ok(prints > 0), Err)
}

fn exceeded(wanted: Fit<'_>, after: usize, plan: &Plan<'_>) -> Error {
    let Fit { variant, available, tools, .. } = wanted;
    let mut pinned = plan.pinned();
    let sum = pinned.iter().map(|(_, cost)| cost).sum();
    let least = after.saturating_add(tools);
    let why = BudgetExceeded { available, least, pinned: sum, tools };
    let message = format!(
        "the prompt of `{variant}` does not fit into {available} tokens: it costs at least {least}, of which \
         pinned sections are {sum} and native tools {tools}"
    );
    pinned.sort_by(|(a_id, a), (b_id, b)| b.cmp(a).then(a_id.cmp(b_id)));
    let largest = pinned.iter().take(3).map(|(id, cost)| format!("`{id}` ({cost})"));
    let largest = largest.collect::<Vec<_>>().join(", ");
    let help = match largest.is_empty() {
        true => "give it more tokens, or offer fewer tools".to_owned(),
        false => format!(
            "give it more tokens, offer fewer tools, or unpin a section: the largest pinned ones are {largest}"
        ),
    };
    Error::new(ErrorKind::Budget, message).with_help(help).with_source(why)
}
