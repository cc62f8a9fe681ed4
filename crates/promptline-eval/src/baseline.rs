//! A blessed run: what later runs are compared with, case by case.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::run::{Run, Status};
use crate::stats;

/// What is kept of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Baseline {
    /// The suite's name.
    pub suite: String,
    /// The hash of its cases.
    pub suite_hash: String,
    /// The model.
    pub model: String,
    /// The version of the prompt.
    pub prompt: String,
    /// Why it was blessed.
    pub reason: String,
    /// Each case's result.
    pub cases: BTreeMap<String, Kept>,
}

/// A case's result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Kept {
    /// How it came out.
    pub status: Status,
    /// How many answers passed, of how many.
    pub passed: (u64, u64),
    /// How many answers were refusals.
    pub refused: u64,
    /// The first answer, for the difference.
    pub answer: String,
}

/// A run beside a baseline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Comparison {
    /// Why the baseline says nothing about this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<String>,
    /// Passed in the baseline, fails now.
    pub newly_failing: Vec<String>,
    /// Failed in the baseline, passes now.
    pub fixed: Vec<String>,
    /// Failed and fails.
    pub still_failing: Vec<String>,
    /// Only in the run.
    pub new: Vec<String>,
    /// Only in the baseline.
    pub removed: Vec<String>,
    /// The exact McNemar test of newly failing against fixed.
    pub p: f64,
    /// Refusals then and now, and Fisher's exact test of them.
    pub refusals: (u64, u64),
    /// Its p.
    pub refusals_p: f64,
    /// The cases of both are not the same.
    pub suite_changed: bool,
}

impl Baseline {
    /// Keeps a run, with the reason.
    #[must_use]
    pub fn bless(run: &Run, reason: impl Into<String>) -> Self {
        let kept = |rows: &[&crate::run::Row]| Kept {
            status: Status::of(rows),
            passed: (
                rows.iter().filter(|row| row.pass && row.error.is_none()).count() as u64,
                rows.iter().filter(|row| row.error.is_none()).count() as u64,
            ),
            refused: rows.iter().filter(|row| row.refusal.refused).count() as u64,
            answer: rows.first().map(|row| row.answer.clone()).unwrap_or_default(),
        };
        Self {
            suite: run.suite.clone(),
            suite_hash: run.suite_hash.clone(),
            model: run.model.clone(),
            prompt: run.prompt.version.clone(),
            reason: reason.into(),
            cases: run.by_case().iter().map(|(id, rows)| ((*id).to_owned(), kept(rows))).collect(),
        }
    }

    /// Compares a run with it, by the ids of the cases that both have.
    #[must_use]
    pub fn compare(&self, run: &Run) -> Comparison {
        let mut found = Comparison {
            suite_changed: self.suite_hash != run.suite_hash,
            ..Comparison::default()
        };
        let now = run.by_case();
        let (mut then_n, mut now_n) = (0, 0);
        for (id, rows) in &now {
            let Some(kept) = self.cases.get(*id) else {
                found.new.push((*id).to_owned());
                continue;
            };
            let status = Status::of(rows);
            match (kept.status, status) {
                (Status::Pass, Status::Fail) => found.newly_failing.push((*id).to_owned()),
                (Status::Fail, Status::Pass) => found.fixed.push((*id).to_owned()),
                (Status::Fail, Status::Fail) => found.still_failing.push((*id).to_owned()),
                _ => {}
            }
            found.refusals.0 += kept.refused;
            found.refusals.1 += rows.iter().filter(|row| row.refusal.refused).count() as u64;
            then_n += kept.passed.1;
            now_n += rows.iter().filter(|row| row.error.is_none()).count() as u64;
        }
        found.removed =
            self.cases.keys().filter(|id| !now.contains_key(id.as_str())).cloned().collect();
        found.p = stats::mcnemar(found.newly_failing.len() as u64, found.fixed.len() as u64);
        found.refusals_p = stats::fisher(found.refusals.0, then_n, found.refusals.1, now_n);
        if self.model != run.model {
            found.stale = Some(format!(
                "the baseline is of the model \"{}\", the run of \"{}\": a prompt is bound to its model; bless a run of the new one",
                self.model, run.model
            ));
        } else if then_n == 0 {
            found.stale = Some(String::from(
                "the baseline has none of the run's cases; bless a run of this suite",
            ));
        }
        found
    }
}
