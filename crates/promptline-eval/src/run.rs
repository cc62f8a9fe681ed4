//! A run: every case asked, every answer checked, nothing asked twice.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use futures_util::StreamExt as _;
use promptline_model::{
    ChatModel, ChatRequest, ChatResponse, FinishReason, ModelErrorKind, Role, Usage,
};
use serde::{Deserialize, Serialize};

use crate::assertion::{self, Assertion, Subject};
use crate::error::{Error, ErrorKind};
use crate::prompt::Prompt;
use crate::refusal::{self, Detection};
use crate::suite::{Case, Suite};
use crate::tools;

/// A run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Run {
    /// The suite's name.
    pub suite: String,
    /// The hash of its cases.
    pub suite_hash: String,
    /// The model.
    pub model: String,
    /// The prompt.
    pub prompt: Prompt,
    /// The answers, by case in the suite's order, then by repeat.
    pub rows: Vec<Row>,
    /// Tokens of all answers.
    pub usage: Usage,
    /// What they cost, where the prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// An answer and its verdicts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Row {
    /// The case.
    pub case: String,
    /// Which of its repeats, from 0.
    pub repeat: u32,
    /// Every check passed.
    pub pass: bool,
    /// What the model said.
    pub answer: String,
    /// Whether that is a refusal.
    pub refusal: Detection,
    /// The checks, in the suite's order.
    pub checks: Vec<Checked>,
    /// Why there is no answer; such a row has neither passed nor failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RowError>,
    /// Its tokens.
    pub usage: Usage,
    /// How long it took, in milliseconds; unknown for a recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<f64>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RowError {
    /// The kind of failure, as `rate_limit`.
    pub kind: String,
    /// In words.
    pub message: String,
}

/// A check and its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Checked {
    /// The assertion's type.
    #[serde(rename = "type")]
    pub kind: String,
    /// What is expected, for people.
    pub expected: String,
    /// It holds.
    pub pass: bool,
    /// Why it does not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The part of the answer that is nearest to what is expected, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<std::ops::Range<usize>>,
}

/// How a case came out over its repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Status {
    /// Every answer passed.
    Pass,
    /// No answer passed.
    Fail,
    /// Some did.
    Flaky,
    /// There is no answer.
    Error,
}

impl Status {
    /// The status of a case's rows.
    #[must_use]
    pub fn of(rows: &[&Row]) -> Self {
        let mut answered = rows.iter().filter(|row| row.error.is_none()).map(|row| row.pass);
        match answered.next() {
            None => Self::Error,
            Some(first) if answered.all(|pass| pass == first) => match first {
                true => Self::Pass,
                false => Self::Fail,
            },
            Some(_) => Self::Flaky,
        }
    }
}

impl Run {
    /// The rows of each case.
    #[must_use]
    pub fn by_case(&self) -> BTreeMap<&str, Vec<&Row>> {
        let mut cases: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in &self.rows {
            cases.entry(&row.case).or_default().push(row);
        }
        cases
    }

    /// The SHA-256 of the run, for a label to be bound to.
    #[must_use]
    pub fn hash(&self) -> String {
        crate::hash::of(&serde_json::to_value(self).unwrap_or_default())
    }

    /// Puts the runs of shards together.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] when they are of different suites, prompts or models, or have an answer twice.
    pub fn merge(runs: Vec<Self>, suite: Option<&Suite>) -> Result<Self, Error> {
        let mut runs = runs.into_iter();
        let mut merged = runs
            .next()
            .ok_or_else(|| Error::new(ErrorKind::Mismatch, "there is no run to merge"))?;
        for run in runs {
            let same = run.suite_hash == merged.suite_hash
                && run.model == merged.model
                && run.prompt.version == merged.prompt.version
                && run.prompt.params == merged.prompt.params;
            if !same {
                let message = format!(
                    "the runs are not of one suite, prompt and model: {}/{}/{} and {}/{}/{}",
                    merged.suite,
                    merged.prompt.short_version(),
                    merged.model,
                    run.suite,
                    run.prompt.short_version(),
                    run.model
                );
                return Err(Error::new(ErrorKind::Mismatch, message));
            }
            merged.usage += run.usage;
            merged.cost = merged.cost.zip(run.cost).map(|(one, other)| one + other);
            merged.rows.extend(run.rows);
        }
        let order: BTreeMap<&str, usize> = suite
            .map(|suite| {
                suite.cases.iter().enumerate().map(|(n, case)| (case.id.as_str(), n)).collect()
            })
            .unwrap_or_default();
        merged.rows.sort_by(|a, b| {
            let place = |row: &Row| (order.get(row.case.as_str()).copied(), row.repeat);
            place(a).cmp(&place(b)).then_with(|| a.case.cmp(&b.case))
        });
        let twice = merged.rows.windows(2).find_map(|pair| match pair {
            [a, b] if a.case == b.case && a.repeat == b.repeat => Some(a.case.clone()),
            _ => None,
        });
        match twice {
            Some(case) => {
                Err(Error::new(ErrorKind::Mismatch, format!("\"{case}\" is in two of the runs")))
            }
            None => Ok(merged),
        }
    }
}

/// Prices of a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Prices {
    /// Of the prompt.
    pub input: f64,
    /// Of the answer.
    pub output: f64,
}

impl Prices {
    /// Prices of a million tokens of prompt and answer.
    #[must_use]
    pub fn new(input: f64, output: f64) -> Self {
        Self { input, output }
    }

    fn of(self, usage: Usage) -> f64 {
        (usage.input as f64 * self.input + usage.output as f64 * self.output) / 1e6
    }
}

type OnRow<'a> = Box<dyn Fn(&Row) + 'a>;

/// How a run goes.
#[derive(Default)]
#[non_exhaustive]
pub struct Runner<'a> {
    concurrency: usize,
    shard: Option<(usize, usize)>,
    repeat: Option<u32>,
    prices: Option<Prices>,
    timed: bool,
    journal: Option<Journal>,
    on_row: Option<OnRow<'a>>,
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Runner")
            .field("concurrency", &self.concurrency)
            .field("shard", &self.shard)
            .finish_non_exhaustive()
    }
}

impl<'a> Runner<'a> {
    /// One request at a time, all cases.
    #[must_use]
    pub fn new() -> Self {
        Self { timed: true, ..Self::default() }
    }

    /// So many requests at the same time; 1 unless set.
    #[must_use]
    pub fn with_concurrency(mut self, requests: usize) -> Self {
        self.concurrency = requests;
        self
    }

    /// Only one of several shares of the cases: (1, 4) to (4, 4).
    #[must_use]
    pub fn with_shard(mut self, shard: usize, of: usize) -> Self {
        self.shard = Some((shard, of));
        self
    }

    /// How often each case is asked, whatever the suite says.
    #[must_use]
    pub fn with_repeat(mut self, repeat: u32) -> Self {
        self.repeat = Some(repeat);
        self
    }

    /// Sets the prices.
    #[must_use]
    pub fn with_prices(mut self, prices: Prices) -> Self {
        self.prices = Some(prices);
        self
    }

    /// Answers come from a recording: how long they take says nothing.
    #[must_use]
    pub fn without_latency(mut self) -> Self {
        self.timed = false;
        self
    }

    /// Keeps a journal, by which a run that was killed goes on where it was.
    #[must_use]
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.journal = Some(journal);
        self
    }

    /// Calls this for each answer as it comes.
    #[must_use]
    pub fn with_progress(mut self, on_row: impl Fn(&Row) + 'a) -> Self {
        self.on_row = Some(Box::new(on_row));
        self
    }

    /// How many answers a run of this suite has.
    #[must_use]
    pub fn count(&self, suite: &Suite) -> usize {
        self.plan(suite).len()
    }

    fn plan<'s>(&self, suite: &'s Suite) -> Vec<(usize, &'s Case, u32)> {
        let mut plan = Vec::new();
        for (index, case) in suite.cases.iter().enumerate() {
            if self.shard.is_some_and(|(shard, of)| index % of.max(1) + 1 != shard) {
                continue;
            }
            let repeats = self.repeat.unwrap_or_else(|| suite.repeats(case)).max(1);
            plan.extend((0..repeats).map(|repeat| (index, case, repeat)));
        }
        plan
    }

    /// Asks the cases and checks the answers.
    ///
    /// # Errors
    /// [`ErrorKind::Journal`] when the journal is of another run or cannot be written. Failures of the model are
    /// rows, not errors.
    pub async fn run(
        &self,
        suite: &Suite,
        prompt: &Prompt,
        model: &dyn ChatModel,
    ) -> Result<Run, Error> {
        let mut run = Run {
            suite: suite.name.clone(),
            suite_hash: suite.hash(),
            model: model.id().unwrap_or("unknown").to_owned(),
            prompt: prompt.clone(),
            cost: self.prices.map(|_| 0.0),
            ..Run::default()
        };
        let plan = self.plan(suite);
        let done = match &self.journal {
            Some(journal) => journal.begin(&run)?,
            None => BTreeMap::new(),
        };
        let mut rows: Vec<(usize, Row)> = Vec::with_capacity(plan.len());
        let mut open = Vec::new();
        for (order, (_, case, repeat)) in plan.into_iter().enumerate() {
            match done.get(&(case.id.clone(), repeat)) {
                Some(row) => rows.push((order, row.clone())),
                None => open.push((order, case, repeat)),
            }
        }
        let asked = open.into_iter().map(|(order, case, repeat)| async move {
            (order, self.ask(suite, prompt, case, repeat, model).await)
        });
        let mut asked = futures_util::stream::iter(asked).buffer_unordered(self.concurrency.max(1));
        while let Some((order, row)) = asked.next().await {
            if let Some(journal) = self.journal.as_ref().filter(|_| row.error.is_none()) {
                journal.keep(&row)?;
            }
            if let Some(on_row) = &self.on_row {
                on_row(&row);
            }
            rows.push((order, row));
        }
        rows.sort_by_key(|(order, _)| *order);
        for (_, row) in rows {
            run.usage += row.usage;
            run.cost = run.cost.map(|cost| cost + row.cost.unwrap_or(0.0));
            run.rows.push(row);
        }
        Ok(run)
    }

    async fn ask(
        &self,
        suite: &Suite,
        prompt: &Prompt,
        case: &Case,
        repeat: u32,
        model: &dyn ChatModel,
    ) -> Row {
        let request = request(suite, prompt, case, repeat);
        let mut row = Row { case: case.id.clone(), repeat, ..Row::default() };
        match model.complete(request).await {
            Ok(response) => {
                row.usage = response.usage;
                row.latency_ms = response.timings.total_ms.filter(|_| self.timed);
                row.cost = self.prices.map(|prices| prices.of(response.usage));
                grade(suite, case, &response, &mut row);
            }
            // The provider's filter is an answer: no.
            Err(error) if error.kind() == ModelErrorKind::ContentFilter => {
                let response = ChatResponse::new("").finish(FinishReason::ContentFilter);
                grade(suite, case, &response, &mut row);
            }
            Err(error) => {
                let kind = serde_json::to_value(error.kind()).unwrap_or_default();
                let kind = kind.as_str().unwrap_or("other").to_owned();
                row.error = Some(RowError { kind, message: error.to_string() });
            }
        }
        row
    }
}

/// The request of a case.
#[must_use]
pub fn request(suite: &Suite, prompt: &Prompt, case: &Case, repeat: u32) -> ChatRequest {
    let mut request = ChatRequest::new();
    if !prompt.text.is_empty() {
        request = request.system(prompt.text.clone());
    }
    for message in &case.messages {
        let role = match message.role.as_str() {
            "assistant" => Role::Assistant,
            "system" => Role::System,
            _ => Role::User,
        };
        request = request.message(role, message.content.clone());
    }
    if let Some(query) = &case.query {
        request = request.user(query.clone());
    }
    request.temperature = suite.request.temperature;
    request.max_tokens = suite.request.max_tokens;
    request.seed = suite.request.seed;
    request.repeat = repeat;
    request
}

/// Checks an answer.
fn grade(suite: &Suite, case: &Case, response: &ChatResponse, row: &mut Row) {
    row.answer.clone_from(&response.text);
    let filtered = response.finish == FinishReason::ContentFilter || response.filter.is_some();
    let answer = refusal::Answer::new(&response.text)
        .with_refusal(response.refusal.as_deref())
        .with_filtered(filtered)
        .with_tool_calls(!response.tool_calls.is_empty());
    row.refusal = refusal::detect(&answer);
    let finish = serde_json::to_value(response.finish).unwrap_or_default();
    let subject = Subject::new(response.text.clone())
        .with_vars(case.vars.clone())
        .with_latency_ms(row.latency_ms)
        .with_cost(row.cost)
        .with_finish_reason(finish.as_str().map(str::to_owned))
        .with_refusal(response.refusal.clone(), filtered)
        .with_normalize(suite.normalize);
    for one in case.all_assertions() {
        // The lists of a case are our own, whatever mode its assertions have.
        let own = !case.assertions.contains(&one);
        let mode = if own { assertion::Mode::Default } else { suite.mode };
        row.checks.push(check(mode, &one, &subject));
    }
    if let Some(expected) = &case.tool_calls {
        row.checks.push(tools::check(expected, response));
    }
    if !case.exec.is_empty() {
        row.checks.push(crate::exec::check(case, &response.text, &suite.folder));
    }
    row.pass = row.checks.iter().all(|check| check.pass);
}

fn check(mode: assertion::Mode, one: &Assertion, subject: &Subject) -> Checked {
    let expected = match (&one.value, one.threshold) {
        (Some(serde_json::Value::String(text)), _) => text.clone(),
        (Some(value), _) => value.to_string(),
        (None, Some(threshold)) => threshold.to_string(),
        (None, None) => String::new(),
    };
    let (pass, reason) = match assertion::grade(mode, one, subject) {
        Ok(verdict) => (verdict.pass, if verdict.pass { String::new() } else { verdict.reason }),
        Err(error) => (false, format!("the assertion is wrong: {error}")),
    };
    let searched = one.kind.contains("contains") && !pass;
    let nearest = one.value.as_ref().and_then(serde_json::Value::as_str).filter(|_| searched);
    let nearest = nearest.and_then(|needle| crate::nearest::find(subject.text(), needle));
    Checked { kind: one.kind.clone(), expected, pass, reason, nearest }
}

/// The answers so far, in a file. A line is written at once and whole; a line that a kill cut off is dropped.
#[derive(Debug)]
pub struct Journal {
    file: Mutex<File>,
    head: Option<Head>,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    suite: String,
    prompt: String,
    params: String,
    model: String,
}

impl Journal {
    /// Opens a journal, or begins one.
    ///
    /// # Errors
    /// [`ErrorKind::Journal`] when the file cannot be read or written.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |error: std::io::Error| {
            Error::new(ErrorKind::Journal, format!("{}: {error}", path.display()))
        };
        let (mut head, mut rows, mut whole) = (None, Vec::new(), 0_u64);
        if let Ok(file) = File::open(path) {
            let mut lines = BufReader::new(file);
            let mut line = Vec::new();
            loop {
                line.clear();
                let read = lines.read_until(b'\n', &mut line).map_err(failed)?;
                if read == 0 || line.last() != Some(&b'\n') {
                    break;
                }
                if head.is_none() {
                    let Ok(found) = serde_json::from_slice(&line) else { break };
                    head = Some(found);
                } else {
                    let Ok(row) = serde_json::from_slice(&line) else { break };
                    rows.push(row);
                }
                whole += read as u64;
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        file.set_len(whole).map_err(failed)?;
        Ok(Self { file: Mutex::new(file), head, rows })
    }

    /// How many answers it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// It has no answer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn begin(&self, run: &Run) -> Result<BTreeMap<(String, u32), Row>, Error> {
        let head = Head {
            suite: run.suite_hash.clone(),
            prompt: run.prompt.version.clone(),
            params: run.prompt.params.clone(),
            model: run.model.clone(),
        };
        match &self.head {
            Some(found) if *found != head => Err(Error::new(
                ErrorKind::Journal,
                "the journal is of another suite, prompt or model\nhelp: delete it, or give another file",
            )),
            Some(_) => Ok(self
                .rows
                .iter()
                .map(|row| ((row.case.clone(), row.repeat), row.clone()))
                .collect()),
            None => {
                self.write(&head)?;
                Ok(BTreeMap::new())
            }
        }
    }

    fn keep(&self, row: &Row) -> Result<(), Error> {
        self.write(row)
    }

    fn write(&self, value: &impl Serialize) -> Result<(), Error> {
        let failed = |error: String| {
            Error::new(ErrorKind::Journal, format!("the journal cannot be written: {error}"))
        };
        let mut line = serde_json::to_vec(value).map_err(|error| failed(error.to_string()))?;
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(|error| failed(error.to_string()))
    }
}
