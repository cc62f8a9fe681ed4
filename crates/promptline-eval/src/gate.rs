//! The gate: what a run has to reach, and a verdict that says when it does not know.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::baseline::{Baseline, Comparison};
use crate::run::{Run, Status};
use crate::stats::{self, Interval};
use crate::suite::{RefusalRule, Suite};

/// What a run has to reach.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Gate {
    /// The least share of answers that pass, 0 to 1.
    pub pass_rate: f64,
    /// The largest share of refusals, 0 to 1; cases that expect or allow one do not count.
    #[serde(alias = "refusal_max")]
    pub refusal_rate: f64,
    /// What is compared with them.
    pub confidence: Confidence,
    /// How many cases may newly fail against the baseline.
    pub max_new_failures: u64,
    /// Below this p the baseline and the run differ (exact McNemar).
    pub alpha: f64,
    /// The largest share of requests without an answer, 0 to 1.
    pub error_max: f64,
}

impl Default for Gate {
    /// The seed's: 85 % and 10 %.
    fn default() -> Self {
        Self {
            pass_rate: 0.85,
            refusal_rate: 0.10,
            confidence: Confidence::Wilson,
            max_new_failures: 0,
            alpha: 0.05,
            error_max: 0.0,
        }
    }
}

/// What is compared with a bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Confidence {
    /// The whole 95 % interval (Wilson): a bound inside of it is inconclusive.
    #[default]
    Wilson,
    /// The share itself: for models that always answer the same.
    Point,
}

/// What came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verdict {
    /// Everything is reached.
    Pass,
    /// Something is not.
    Fail,
    /// Too many requests had no answer.
    Infrastructure,
    /// The baseline is of another model or of no case of this suite.
    Stale,
    /// There are too few observations to tell.
    Inconclusive,
}

impl Verdict {
    /// The exit code of the command line: 0, 1, 3, 4, 5 (2 is an invalid suite).
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Fail => 1,
            Self::Infrastructure => 3,
            Self::Stale => 4,
            Self::Inconclusive => 5,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Infrastructure => "infrastructure",
            Self::Stale => "stale",
            Self::Inconclusive => "inconclusive",
        })
    }
}

/// A share with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rate {
    /// How many.
    pub hits: u64,
    /// Of how many.
    pub of: u64,
    /// The share; 0 of none.
    pub share: f64,
    /// The 95 % interval.
    pub interval: Interval,
    /// How many independent observations they are worth.
    pub effective: f64,
}

impl Rate {
    /// The rate of cases given as (hits, repeats).
    fn of(cases: &[(u64, u64)]) -> Self {
        let hits: u64 = cases.iter().map(|(hits, _)| hits).sum();
        let of: u64 = cases.iter().map(|(_, repeats)| repeats).sum();
        let effective = stats::effective(cases);
        let share = if of == 0 { 0.0 } else { hits as f64 / of as f64 };
        Self {
            hits,
            of,
            share,
            interval: stats::wilson(share * effective, effective, stats::Z95),
            effective,
        }
    }
}

/// The gate's report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// What came out.
    pub verdict: Verdict,
    /// Why, one line each, the worst first.
    pub reasons: Vec<String>,
    /// Answers that passed.
    pub pass_rate: Rate,
    /// Answers that are refusals and should not be.
    pub refusal_rate: Rate,
    /// Cases with mixed results over their repeats.
    pub flaky: Vec<String>,
    /// Cases of which every repeat passed.
    pub always: u64,
    /// Requests without an answer.
    pub errors: u64,
    /// The comparison with the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

enum Side {
    Reached,
    Missed,
    Unclear(Option<u64>),
}

impl Gate {
    /// Judges a run.
    #[must_use]
    pub fn judge(&self, suite: &Suite, run: &Run, baseline: Option<&Baseline>) -> Report {
        let cases = run.by_case();
        let (mut failed, mut unclear) = (Vec::new(), Vec::new());
        let (mut passes, mut refusals, mut weighted) = (Vec::new(), Vec::new(), (0.0, 0.0));
        let mut flaky = Vec::new();
        let mut always = 0;
        for case in &suite.cases {
            let Some(rows) = cases.get(case.id.as_str()) else { continue };
            let answered: Vec<_> = rows.iter().filter(|row| row.error.is_none()).collect();
            let hits = answered.iter().filter(|row| row.pass).count() as u64;
            let n = answered.len() as u64;
            let weight = case.weight.unwrap_or(1.0);
            if weight > 0.0 {
                passes.push((hits, n));
                weighted.0 += weight * hits as f64;
                weighted.1 += weight * n as f64;
            }
            match Status::of(rows) {
                Status::Flaky => flaky.push(case.id.clone()),
                Status::Pass => always += 1,
                _ => {}
            }
            if case.critical && hits < n {
                failed.push(format!(
                    "the critical case \"{}\" fails in {} of {n} answers",
                    case.id,
                    n - hits
                ));
            }
            let refused = answered.iter().filter(|row| row.refusal.refused).count() as u64;
            if !matches!(case.refusal, Some(RefusalRule::Expect | RefusalRule::Allow)) {
                refusals.push((refused, n));
            }
            if let Some(max) = case.refusal_max.filter(|_| n > 0) {
                let rate = Rate::of(&[(refused, n)]);
                if rate.share > max && (n > 1 || max < 1.0) {
                    let line = format!(
                        "\"{}\" is refused in {refused} of {n} answers, limit {max}",
                        case.id
                    );
                    // One answer of a tolerance above 0 proves nothing.
                    if max == 0.0 || rate.interval.low > max || self.confidence == Confidence::Point
                    {
                        failed.push(line);
                    }
                }
            }
        }
        let mut pass_rate = Rate::of(&passes);
        if weighted.1 > 0.0 {
            pass_rate.share = weighted.0 / weighted.1;
            pass_rate.interval = stats::wilson(
                pass_rate.share * pass_rate.effective,
                pass_rate.effective,
                stats::Z95,
            );
        }
        let refusal_rate = Rate::of(&refusals);
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        let bounds = [
            (
                self.side(&pass_rate, self.pass_rate, true),
                "pass rate",
                &pass_rate,
                "at least",
                self.pass_rate,
            ),
            (
                self.side(&refusal_rate, self.refusal_rate, false),
                "refusal rate",
                &refusal_rate,
                "at most",
                self.refusal_rate,
            ),
        ];
        for (side, name, rate, relation, bound) in bounds {
            let shown = format!(
                "{name} {} ({} of {}, 95 % interval {} to {}), wanted {relation} {}",
                percent(rate.share),
                rate.hits,
                rate.of,
                percent(rate.interval.low),
                percent(rate.interval.high),
                percent(bound)
            );
            match side {
                Side::Reached => {}
                Side::Missed => failed.push(shown),
                Side::Unclear(Some(more)) => {
                    unclear.push(format!("{shown}: {}", self.advice(more, &passes)))
                }
                Side::Unclear(None) => unclear.push(format!(
                    "{shown}: the share is at the bound; only more cases can settle it"
                )),
            }
        }
        let errors = run.rows.iter().filter(|row| row.error.is_some()).count() as u64;
        let share = errors as f64 / (run.rows.len().max(1)) as f64;
        let infrastructure = (share > self.error_max || run.rows.is_empty()).then(|| {
            format!("{errors} of {} requests had no answer: {}", run.rows.len(), kinds(run))
        });
        let comparison = baseline.map(|baseline| baseline.compare(run));
        let mut stale = None;
        if let Some(comparison) = &comparison {
            stale.clone_from(&comparison.stale);
            if comparison.stale.is_none() {
                let newly = comparison.newly_failing.len() as u64;
                let significant =
                    comparison.p < self.alpha && newly > comparison.fixed.len() as u64;
                if newly > self.max_new_failures || significant {
                    failed.push(format!(
                        "{newly} newly failing against the baseline, {} fixed (McNemar p = {:.3}): {}",
                        comparison.fixed.len(),
                        comparison.p,
                        list(&comparison.newly_failing)
                    ));
                }
            }
        }
        let verdict = if !failed.is_empty() {
            Verdict::Fail
        } else if infrastructure.is_some() {
            Verdict::Infrastructure
        } else if stale.is_some() {
            Verdict::Stale
        } else if !unclear.is_empty() {
            Verdict::Inconclusive
        } else {
            Verdict::Pass
        };
        let reasons =
            failed.into_iter().chain(infrastructure).chain(stale).chain(unclear).collect();
        Report { verdict, reasons, pass_rate, refusal_rate, flaky, always, errors, comparison }
    }

    fn side(&self, rate: &Rate, bound: f64, at_least: bool) -> Side {
        if rate.of == 0 {
            return Side::Reached;
        }
        let (share, Interval { low, high }) = (rate.share, rate.interval);
        let (reached, missed) = match (self.confidence, at_least) {
            (Confidence::Point, true) => (share >= bound, share < bound),
            (Confidence::Point, false) => (share <= bound, share > bound),
            (Confidence::Wilson, true) => (low >= bound, high < bound),
            (Confidence::Wilson, false) => (high <= bound, low > bound),
        };
        match (reached, missed) {
            (true, _) => Side::Reached,
            (_, true) => Side::Missed,
            _ => Side::Unclear(needed(share, bound)),
        }
    }

    /// How many repeats a number of observations is.
    fn advice(&self, observations: u64, cases: &[(u64, u64)]) -> String {
        let count = cases.iter().filter(|(_, n)| *n > 0).count().max(1) as u64;
        let repeated = cases.iter().any(|(_, n)| *n > 1);
        if repeated && stats::correlation(cases) > 0.9 {
            return format!(
                "repeats say nothing new here; about {observations} cases would settle it"
            );
        }
        format!(
            "about {observations} answers would settle it: --repeat {}",
            observations.div_ceil(count)
        )
    }
}

/// How many independent observations of a share would move its interval off a bound.
fn needed(share: f64, bound: f64) -> Option<u64> {
    let clear = |n: f64| {
        let Interval { low, high } = stats::wilson(share * n, n, stats::Z95);
        low >= bound && share > bound
            || high <= bound && share < bound
            || low > bound
            || high < bound
    };
    let mut n = 1.0;
    while !clear(n) {
        n *= 2.0;
        if n > 1e6 {
            return None;
        }
    }
    let (mut below, mut above) = (n / 2.0, n);
    while above - below > 1.0 {
        let middle = ((above + below) / 2.0).floor();
        if clear(middle) { above = middle } else { below = middle }
    }
    Some(above as u64)
}

fn kinds(run: &Run) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for error in run.rows.iter().filter_map(|row| row.error.as_ref()) {
        *counts.entry(error.kind.as_str()).or_insert(0) += 1;
    }
    counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

fn list(ids: &[String]) -> String {
    let shown = ids.iter().take(10).cloned().collect::<Vec<_>>().join(", ");
    if ids.len() > 10 { format!("{shown} and {} more", ids.len() - 10) } else { shown }
}
