//! Versions, labels with a history, and a canary.
//!
//! A label (`production`, `canary`, …) points to a version: a prompt's content hash and the model. Its history is a
//! file that is only ever added to. `production` moves only to what a passing gate report is about.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, ErrorKind};
use crate::gate::{Report, Verdict};
use crate::run::Run;
use crate::stats;

/// A prompt on a model. The same prompt on another model is another version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Version {
    /// The content hash of the prompt.
    pub prompt: String,
    /// The hash of its parameters' values.
    pub params: String,
    /// The model's id.
    pub model: String,
}

impl Version {
    /// The version that a run is of.
    #[must_use]
    pub fn of(run: &Run) -> Self {
        Self {
            prompt: run.prompt.version.clone(),
            params: run.prompt.params.clone(),
            model: run.model.clone(),
        }
    }
}

/// A line of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Move {
    /// The label.
    pub label: String,
    /// Where it pointed before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Version>,
    /// Where it points now.
    pub to: Version,
    /// Who moved it.
    pub by: String,
    /// When, as the caller says it.
    pub at: String,
    /// Why.
    pub reason: String,
    /// The hash of the run whose report allows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// It was moved without one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
}

/// The history of labels, JSONL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    moves: Vec<Move>,
}

/// Who moves a label, when and why.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Author {
    /// Who.
    pub by: String,
    /// When; the library has no clock.
    pub at: String,
    /// Why.
    pub reason: String,
    /// Without a report.
    pub force: bool,
}

impl Author {
    /// Who moves a label, when and why.
    #[must_use]
    pub fn new(by: impl Into<String>, at: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { by: by.into(), at: at.into(), reason: reason.into(), force: false }
    }

    /// Moves it without a report; needs a reason.
    #[must_use]
    pub fn with_force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }
}

impl History {
    /// Reads a history.
    ///
    /// # Errors
    /// [`ErrorKind::File`] with the line that is none.
    pub fn read(text: &str) -> Result<Self, Error> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let moves = lines.map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| {
                Error::new(ErrorKind::File, format!("line {} of the history: {error}", number + 1))
            })
        });
        Ok(Self { moves: moves.collect::<Result<_, _>>()? })
    }

    /// All moves, oldest first.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Where a label points.
    #[must_use]
    pub fn current(&self, label: &str) -> Option<&Version> {
        self.moves.iter().rev().find(|one| one.label == label).map(|one| &one.to)
    }

    /// Moves a label, and returns the line to add to the file. `production` needs a run with a passing report of
    /// exactly this version.
    ///
    /// # Errors
    /// [`ErrorKind::Unvalidated`] when there is none, or force without a reason.
    pub fn set(
        &mut self,
        label: &str,
        to: Version,
        proof: Option<(&Run, &Report)>,
        author: Author,
    ) -> Result<Move, Error> {
        let refuse = |why: String| Err(Error::new(ErrorKind::Unvalidated, why));
        if author.force && author.reason.trim().is_empty() {
            return refuse(String::from("to move a label by force, say why: --reason"));
        }
        if label == "production" && !author.force {
            let help = "run the suite on it and give the report, or use --force --reason";
            match proof {
                None => {
                    return refuse(format!(
                        "`production` cannot be moved without a gate report\nhelp: {help}"
                    ));
                }
                Some((run, _)) if Version::of(run).model != to.model => {
                    return refuse(format!(
                        "the report is of the model \"{}\", not of \"{}\": a prompt that was tested on one model is untested on another\nhelp: {help}",
                        run.model, to.model
                    ));
                }
                Some((run, _)) if Version::of(run) != to => {
                    return refuse(format!(
                        "the report is of another version of the prompt or its parameters\nhelp: {help}"
                    ));
                }
                Some((_, report)) if report.verdict != Verdict::Pass => {
                    return refuse(format!(
                        "the report's verdict is {}, not pass\nhelp: {help}",
                        report.verdict
                    ));
                }
                Some(_) => {}
            }
        }
        let one = Move {
            label: label.to_owned(),
            from: self.current(label).cloned(),
            to,
            by: author.by,
            at: author.at,
            reason: author.reason,
            report: proof.map(|(run, _)| run.hash()),
            forced: author.force,
        };
        self.moves.push(one.clone());
        Ok(one)
    }

    /// Moves a label back to where it pointed before its last move; that was validated once.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] when there is no such move.
    pub fn roll_back(&mut self, label: &str, author: Author) -> Result<Move, Error> {
        let last = self.moves.iter().rev().find(|one| one.label == label);
        let Some(before) = last.and_then(|one| one.from.clone()) else {
            return Err(Error::new(
                ErrorKind::Mismatch,
                format!("`{label}` has no earlier version to go back to"),
            ));
        };
        let one = Move {
            label: label.to_owned(),
            from: self.current(label).cloned(),
            to: before,
            by: author.by,
            at: author.at,
            reason: author.reason,
            report: None,
            forced: false,
        };
        self.moves.push(one.clone());
        Ok(one)
    }
}

/// A part of the sessions gets a new version. Which ones is a pure function of the session's id: the same session
/// always gets the same, and a higher share only adds sessions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Canary {
    /// The share of sessions, 0 to 100.
    pub percent: f64,
    /// Keeps the choices of several canaries apart.
    pub salt: String,
}

/// What to do about a canary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decision {
    /// Too little is known.
    Hold,
    /// It is not worse.
    Promote,
    /// It is worse.
    RollBack,
}

/// Outcomes of one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Outcomes {
    /// Answers.
    pub n: u64,
    /// Of them refusals, unreadable answers, complaints: what must not go up.
    pub bad: u64,
}

impl Outcomes {
    /// So many bad answers of so many.
    #[must_use]
    pub fn new(bad: u64, n: u64) -> Self {
        Self { n, bad: bad.min(n) }
    }
}

impl Canary {
    /// A canary for a share of the sessions, 0 to 100.
    #[must_use]
    pub fn new(percent: f64, salt: impl Into<String>) -> Self {
        Self { percent: percent.clamp(0.0, 100.0), salt: salt.into() }
    }

    /// Whether a session gets it.
    #[must_use]
    pub fn takes(&self, session: &str) -> bool {
        let mut hash = Sha256::new();
        hash.update((self.salt.len() as u64).to_be_bytes());
        hash.update(self.salt.as_bytes());
        hash.update(session.as_bytes());
        let first = hash
            .finalize()
            .iter()
            .take(8)
            .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        // The upper 53 bits are exact in an f64.
        ((first >> 11) as f64 / (1_u64 << 53) as f64) * 100.0 < self.percent
    }

    /// What to do, from what both sides have seen. Worse with p < 0.05 (Fisher) is rolled back as soon as it is
    /// seen; otherwise at least `least` answers are waited for, and then the canary is promoted when its bad share
    /// is, with 95 % confidence, at most `margin` (0 to 1) above the other's.
    #[must_use]
    pub fn decide(stable: Outcomes, canary: Outcomes, least: u64, margin: f64) -> Decision {
        let share =
            |side: Outcomes| if side.n == 0 { 0.0 } else { side.bad as f64 / side.n as f64 };
        let (before, now) = (share(stable), share(canary));
        if now > before && stats::fisher(stable.bad, stable.n, canary.bad, canary.n) < 0.05 {
            return Decision::RollBack;
        }
        if stable.n < least || canary.n < least {
            return Decision::Hold;
        }
        // Newcombe's interval of a difference, from both Wilson intervals.
        let wilson = |side: Outcomes| stats::wilson(side.bad as f64, side.n as f64, stats::Z95);
        let upper = now - before
            + ((wilson(canary).high - now).powi(2) + (before - wilson(stable).low).powi(2)).sqrt();
        if upper <= margin { Decision::Promote } else { Decision::Hold }
    }
}
