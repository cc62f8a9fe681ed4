//! Markdown for a comment on a pull request.

use std::fmt::Write as _;

use super::{Judged, excerpt};
use crate::gate::Rate;
use crate::run::Status;

/// A table has at most so many rows; the JSON report has all.
const ROWS: usize = 20;

/// The report as Markdown.
#[must_use]
pub fn markdown(judged: &Judged) -> String {
    let Judged { gate, run } = judged;
    let mut text = format!("### {}: **{}**\n\n", cell(&run.suite), gate.verdict);
    for reason in &gate.reasons {
        let _ = writeln!(text, "- {}", cell(reason));
    }
    if !gate.reasons.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "| | share | of | 95 % interval |\n|---|---|---|---|");
    for (name, rate) in [("pass rate", &gate.pass_rate), ("refusal rate", &gate.refusal_rate)] {
        let Rate { share, hits, of, interval, .. } = rate;
        let _ = writeln!(
            text,
            "| {name} | {:.1} % | {hits} / {of} | {:.1} to {:.1} % |",
            share * 100.0,
            interval.low * 100.0,
            interval.high * 100.0
        );
    }
    let _ = writeln!(
        text,
        "\nmodel `{}`, prompt `{}`, {} tokens in, {} out{}\n",
        cell(&run.model),
        run.prompt.short_version(),
        run.usage.input,
        run.usage.output,
        run.cost.map(|cost| format!(", cost {cost:.4}")).unwrap_or_default()
    );
    if let Some(comparison) = &gate.comparison {
        let groups = [
            ("newly failing", &comparison.newly_failing),
            ("fixed", &comparison.fixed),
            ("still failing", &comparison.still_failing),
            ("new", &comparison.new),
            ("removed", &comparison.removed),
        ];
        for (name, ids) in groups.iter().filter(|(_, ids)| !ids.is_empty()) {
            let shown: Vec<String> =
                ids.iter().take(ROWS).map(|id| format!("`{}`", cell(id))).collect();
            let _ = writeln!(text, "- {name} ({}): {}", ids.len(), shown.join(", "));
        }
        let _ = writeln!(
            text,
            "- McNemar p = {:.4}; refusals {} before, {} now (Fisher p = {:.4}){}\n",
            comparison.p,
            comparison.refusals.0,
            comparison.refusals.1,
            comparison.refusals_p,
            if comparison.suite_changed {
                "; the suites differ: only common cases are compared"
            } else {
                ""
            }
        );
    }
    let cases = run.by_case();
    let failing: Vec<_> = cases
        .iter()
        .filter(|(_, rows)| matches!(Status::of(rows), Status::Fail | Status::Flaky))
        .collect();
    if !failing.is_empty() {
        text.push_str("| case | passed | why | answer |\n|---|---|---|---|\n");
        for (id, rows) in failing.iter().take(ROWS) {
            let passed = rows.iter().filter(|row| row.pass).count();
            let row = rows.iter().find(|row| !row.pass && row.error.is_none());
            let why = row
                .and_then(|row| row.checks.iter().find(|check| !check.pass))
                .map(|check| check.reason.as_str());
            let answer = row.map(|row| excerpt(&row.answer, 120)).unwrap_or_default();
            let why = excerpt(why.unwrap_or_default(), 160);
            let _ = writeln!(
                text,
                "| `{}` | {passed} / {} | {} | {} |",
                cell(id),
                rows.len(),
                cell(&why),
                cell(&answer)
            );
        }
        if failing.len() > ROWS {
            let _ = writeln!(text, "\n… and {} more", failing.len() - ROWS);
        }
    }
    text
}

/// Text of users and models in a cell: no table, no mark-up, no mention of it.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\t' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '|' | '`' | '*' | '_' | '[' | ']' | '#' | '\\' => out.extend(['\\', character]),
            '@' => out.push_str("&#64;"),
            other if other.is_control() => {}
            other => out.push(other),
        }
    }
    out
}
