//! `eval run` and `eval replay`.

use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use promptline::{BuildOptions, PromptContext, PromptRegistryBuilder};
use promptline_eval::report::Judged;
use promptline_eval::run::{Journal, Prices, Runner};
use promptline_eval::{Prompt, Suite};
use promptline_model::{ChatModel, Exec, GenaiModel, ModelError, Record, Recorded};
use serde_json::{Value, json};

use super::args::{CommonArgs, ReplayArgs, RunArgs};
use super::{files, promptfoo, reports};
use crate::output::{Failure, Output};

pub(super) fn run(
    registry: PromptRegistryBuilder,
    args: &RunArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let suite = suite(&args.common)?;
    let prompt = prompt(registry, &suite)?;
    let mut runner = runner(&args.common).with_concurrency(args.concurrency);
    if let (Some(input), Some(answer)) = (args.price_input, args.price_output) {
        runner = runner.with_prices(Prices::new(input, answer));
    }
    if let Some(file) = &args.resume {
        runner = runner.with_journal(Journal::open(file).map_err(said)?);
    }
    if args.replay.is_some() {
        runner = runner.without_latency();
    }
    let model = model(args)?;
    let judged = ask(&args.common, &suite, &prompt, runner, &*model, output)?;
    if let Some(program) = &args.via {
        promptfoo::cross_check(program, &suite, &prompt, &judged.run)?;
    }
    reports::finish(&judged)
}

pub(super) fn replay(
    registry: PromptRegistryBuilder,
    args: &ReplayArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let suite = suite(&args.common)?;
    let prompt = prompt(registry, &suite)?;
    let id = match &args.model {
        Some(id) => id.clone(),
        None => recorded_model(&args.recording)?,
    };
    let model = Recorded::replay(&args.recording, id).map_err(failed)?;
    let runner = runner(&args.common).without_latency();
    let judged = ask(&args.common, &suite, &prompt, runner, &model, output)?;
    reports::finish(&judged)
}

fn said(error: promptline_eval::Error) -> Failure {
    Failure::Said(error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn failed(error: ModelError) -> Failure {
    Failure::Said(error.to_string())
}

/// The suite as the flags change it.
fn suite(args: &CommonArgs) -> Result<Suite, Failure> {
    let mut suite = files::suite(&args.suite)?;
    if let Some(file) = &args.prompt {
        suite.prompt.text = Some(files::text(file)?);
        suite.prompt.file = None;
    }
    for (name, value) in &args.param {
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.as_str()));
        suite.prompt.params.insert(name.clone(), value);
    }
    Ok(suite)
}

/// The prompt: the suite's own text, or a variant that the registry renders.
pub(super) fn prompt(registry: PromptRegistryBuilder, suite: &Suite) -> Result<Prompt, Failure> {
    if !suite.prompt.is_variant() {
        return Prompt::of(suite).map_err(Failure::Said);
    }
    let packs: Vec<_> = suite.prompt.pack.iter().map(|folder| suite.folder.join(folder)).collect();
    let registry = crate::registry(registry, &packs, &[])?;
    let mut context = match &suite.prompt.context {
        Some(file) => crate::render::read_context(&suite.folder.join(file))?,
        None => PromptContext::default(),
    };
    if suite.prompt.variant.is_some() {
        context.variant.clone_from(&suite.prompt.variant);
    }
    for (name, value) in &suite.prompt.params {
        context = context.with_param(name, value.clone());
    }
    let built =
        registry.build_blocking_with(&context, &BuildOptions::new().with_fingerprint(true))?;
    let fingerprint = serde_json::to_value(built.fingerprint()).unwrap_or_default();
    let made_from = json!({"variant": built.variant(), "source": fingerprint.get("source"), "text": built.text()});
    Ok(Prompt::new(built.text(), &made_from, &suite.prompt.params))
}

fn runner(args: &CommonArgs) -> Runner<'static> {
    let mut runner = Runner::new();
    if let Some((shard, of)) = args.shard {
        runner = runner.with_shard(shard, of);
    }
    if let Some(repeat) = args.repeat {
        runner = runner.with_repeat(repeat);
    }
    runner
}

fn model(args: &RunArgs) -> Result<Box<dyn ChatModel>, Failure> {
    if let Some(file) = &args.replay {
        let id = match &args.model {
            Some(id) => id.clone(),
            None => recorded_model(file)?,
        };
        return Ok(Box::new(Recorded::replay(file, id).map_err(failed)?));
    }
    let live = live(args)?;
    Ok(match &args.record {
        Some(file) => Box::new(Recorded::record(file, live, Record::New).map_err(failed)?),
        None => Box::new(live),
    })
}

fn live(args: &RunArgs) -> Result<Arc<dyn ChatModel>, Failure> {
    let help = "say which model: --replay FILE, --exec PROGRAM, --base-url URL --model ID, or --provider NAME --model ID";
    if let Some(program) = &args.exec {
        let exec = Exec::new(program);
        return Ok(Arc::new(match &args.model {
            Some(id) => exec.with_id(id),
            None => exec,
        }));
    }
    let Some(id) = &args.model else { return Err(Failure::Said(help.to_owned())) };
    let builder = match (&args.base_url, &args.provider) {
        (Some(url), _) => {
            let builder = GenaiModel::openai_compatible(url, id);
            match &args.key_env {
                Some(name) => builder.with_key_from_env(name),
                None => builder,
            }
        }
        (None, Some(provider)) => GenaiModel::provider(provider, id).map_err(failed)?,
        (None, None) => return Err(Failure::Said(help.to_owned())),
    };
    Ok(Arc::new(builder.build().map_err(failed)?))
}

/// The only model of a recording.
fn recorded_model(file: &Path) -> Result<String, Failure> {
    let text = files::text(file)?;
    let mut models: Vec<String> = Vec::new();
    for line in text.lines() {
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        if let Some(model) = line.get("model").and_then(Value::as_str)
            && !models.iter().any(|one| one == model)
        {
            models.push(model.to_owned());
        }
    }
    match models.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Failure::Said(format!("{}: it has no recorded answer", file.display()))),
        more => Err(Failure::Said(format!(
            "{}: it has answers of {}\nhelp: say which with --model",
            file.display(),
            more.join(", ")
        ))),
    }
}

fn ask(
    args: &CommonArgs,
    suite: &Suite,
    prompt: &Prompt,
    runner: Runner<'static>,
    model: &dyn ChatModel,
    output: &mut Output,
) -> Result<Judged, Failure> {
    let bar = bar(runner.count(suite));
    let runner = runner.with_progress({
        let bar = bar.clone();
        move |_| bar.inc(1)
    });
    // Providers need a runtime; recordings do not mind one.
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let run = runtime.block_on(runner.run(suite, prompt, model)).map_err(said)?;
    bar.finish_and_clear();
    let baseline = args.baseline.as_deref().map(files::json).transpose()?;
    let gate = suite.gate.judge(suite, &run, baseline.as_ref());
    let judged = Judged::new(run, gate);
    reports::write(&judged, baseline.as_ref(), &args.reports, output)?;
    Ok(judged)
}

/// Only a terminal sees it.
fn bar(length: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
