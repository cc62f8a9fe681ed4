//! One HTML page: no network, no file beside it, readable without its script. The template escapes everything.

use askama::Template;

use super::Judged;
use crate::baseline::Baseline;
use crate::run::{Row, Status};

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    judged: &'a Judged,
    style: &'static str,
    script: &'static str,
    version: String,
    pass: String,
    refusals: String,
    cases: Vec<Case<'a>>,
}

struct Case<'a> {
    id: &'a str,
    status: &'static str,
    change: &'static str,
    refused: bool,
    before: Option<&'a str>,
    rows: Vec<Answer<'a>>,
}

struct Answer<'a> {
    row: &'a Row,
    failed: Vec<Failed<'a>>,
}

struct Failed<'a> {
    kind: &'a str,
    reason: &'a str,
    /// Before, in and after the part that is nearest to what was expected.
    near: Option<(&'a str, &'a str, &'a str)>,
}

/// The report as a page; with a baseline its answers stand beside the new ones.
///
/// # Errors
/// When the page cannot be written.
pub fn html(judged: &Judged, baseline: Option<&Baseline>) -> Result<String, String> {
    let percent = |rate: &crate::gate::Rate| {
        let of = |share: f64| format!("{:.1}", share * 100.0);
        format!(
            "{} % ({} of {}; {} to {} %)",
            of(rate.share),
            rate.hits,
            rate.of,
            of(rate.interval.low),
            of(rate.interval.high)
        )
    };
    let mut cases: Vec<Case<'_>> = judged
        .run
        .by_case()
        .into_iter()
        .map(|(id, rows)| {
            let kept = baseline.and_then(|baseline| baseline.cases.get(id));
            let status = Status::of(&rows);
            Case {
                id,
                status: word(status),
                change: match (kept.map(|kept| kept.status), status) {
                    (Some(Status::Pass), Status::Fail) => "newly failing",
                    (Some(Status::Fail), Status::Pass) => "fixed",
                    (None, _) if baseline.is_some() => "new",
                    _ => "",
                },
                refused: rows.iter().any(|row| row.refusal.refused),
                before: kept.map(|kept| kept.answer.as_str()),
                rows: rows.into_iter().map(answer).collect(),
            }
        })
        .collect();
    cases.sort_by_key(|case| (case.change != "newly failing", case.status == "pass"));
    let page = Page {
        judged,
        style: include_str!("page.css"),
        script: include_str!("page.js"),
        version: judged.run.prompt.short_version(),
        pass: percent(&judged.gate.pass_rate),
        refusals: percent(&judged.gate.refusal_rate),
        cases,
    };
    page.render().map_err(|error| error.to_string())
}

fn answer(row: &Row) -> Answer<'_> {
    let failed = row.checks.iter().filter(|check| !check.pass).map(|check| Failed {
        kind: &check.kind,
        reason: &check.reason,
        near: check.nearest.clone().and_then(|range| {
            let before = row.answer.get(..range.start)?;
            let from = before.char_indices().rev().nth(39).map_or(0, |(at, _)| at);
            let after = row.answer.get(range.end..)?;
            let to = after.char_indices().nth(40).map_or(after.len(), |(at, _)| at);
            Some((before.get(from..)?, row.answer.get(range)?, after.get(..to)?))
        }),
    });
    Answer { row, failed: failed.collect() }
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Pass => "pass",
        Status::Fail => "fail",
        Status::Flaky => "flaky",
        Status::Error => "error",
    }
}
