//! The verbs of `eval` and their flags.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    #[command(subcommand)]
    pub(crate) verb: EvalVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvalVerb {
    /// Find what is wrong with a suite, with file, line and column. Asks no model.
    Check(CheckArgs),
    /// Ask a model all cases of a suite and judge the answers.
    ///
    /// Exits with 0 when the gate is passed, 1 when it is not, 2 when the suite is invalid, 3 when requests had no
    /// answer, 4 when the baseline is stale, 5 when there are too few answers to tell.
    Run(Box<RunArgs>),
    /// Run a suite on recorded answers: no model, no network.
    Replay(ReplayArgs),
    /// Put the reports of shards together and judge them.
    Merge(MergeArgs),
    /// Write a report in another form.
    Report(ReportArgs),
    /// Keep a run as the baseline that later ones are compared with.
    Bless(BlessArgs),
    /// Move a label (production, canary, …) to a version, roll it back, or show its history.
    Label(LabelArgs),
    /// Compare two reports case by case, with their prompts.
    Diff(DiffArgs),
    /// Propose cases from a production log (JSONL with `query` and `answer`).
    Collect(CollectArgs),
    /// Write a suite for promptfoo; it gives the model the same bytes.
    Export(ExportArgs),
    /// Read a configuration of promptfoo as a suite.
    Import(ImportArgs),
    /// Judge single assertions: JSONL with `type`, `value`, `output`, … in, verdicts out.
    Grade(GradeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The suite: YAML, TOML, JSON or CSV.
    pub(crate) suite: PathBuf,
    /// Warnings count as errors.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Findings as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// The model's id, as its provider has it.
    #[arg(long, value_name = "ID")]
    pub(crate) model: Option<String>,
    /// A provider, as `openai` or `anthropic`; its key comes from its usual environment variable.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["base_url", "exec"])]
    pub(crate) provider: Option<String>,
    /// A server that is compatible with OpenAI's Chat Completions, as http://127.0.0.1:8080/v1.
    #[arg(long, value_name = "URL", conflicts_with = "exec")]
    pub(crate) base_url: Option<String>,
    /// The environment variable that holds the key for --base-url.
    #[arg(long, value_name = "NAME", requires = "base_url")]
    pub(crate) key_env: Option<String>,
    /// A program is the model: a request as JSON on its stdin, an answer on its stdout.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) exec: Option<PathBuf>,
    /// Keep all answers in a file, and take those that are in it already.
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub(crate) record: Option<PathBuf>,
    /// Take all answers from a file; no model is asked.
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,
    /// So many requests at the same time.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) concurrency: usize,
    /// Keep a journal in a file: a run that was interrupted goes on where it was.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// The price of a million tokens of prompts.
    #[arg(long, value_name = "PRICE", requires = "price_output")]
    pub(crate) price_input: Option<f64>,
    /// The price of a million tokens of answers.
    #[arg(long, value_name = "PRICE", requires = "price_input")]
    pub(crate) price_output: Option<f64>,
    /// Judge the same answers with promptfoo (`--via promptfoo`, or the path of its program) and list every
    /// assertion on which it differs.
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) via: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// The recorded answers.
    pub(crate) recording: PathBuf,
    /// The model that they are of; needed when the recording has several.
    #[arg(long, value_name = "ID")]
    pub(crate) model: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CommonArgs {
    /// The suite: YAML, TOML, JSON or CSV.
    pub(crate) suite: PathBuf,
    /// Another prompt than the suite's: a text file, with the suite's parameters.
    #[arg(long, value_name = "FILE")]
    pub(crate) prompt: Option<PathBuf>,
    /// Another value of a parameter; JSON, else text. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::args::pair)]
    pub(crate) param: Vec<(String, String)>,
    /// How often each case is asked, whatever the suite says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: Option<u32>,
    /// Only a share of the cases, as 1/4.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(usize, usize)>,
    /// Compare with a blessed run.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reports: ReportFiles,
}

#[derive(Debug, Default, Args)]
pub(crate) struct ReportFiles {
    /// Write the report as JSON; merge, diff, bless and label read it.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Write it as JUnit XML.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write it as Markdown.
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Write it as one page that needs no network.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The suite.
    #[arg(long)]
    pub(crate) suite: PathBuf,
    /// The reports of the shards.
    #[arg(required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Compare with a blessed run.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reports: ReportFiles,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The report, as --report wrote it.
    pub(crate) input: PathBuf,
    /// The baseline, whose answers stand beside the new ones.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reports: ReportFiles,
}

#[derive(Debug, Args)]
pub(crate) struct BlessArgs {
    /// The report.
    pub(crate) input: PathBuf,
    /// Where the baseline is kept.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: PathBuf,
    /// Why it is good.
    #[arg(long)]
    pub(crate) reason: String,
}

#[derive(Debug, Args)]
pub(crate) struct LabelArgs {
    /// The label; without --report, --force and --rollback its history is shown.
    pub(crate) label: Option<String>,
    /// The history, which is only added to.
    #[arg(long, value_name = "FILE", default_value = "prompts.history.jsonl")]
    pub(crate) history: PathBuf,
    /// Move the label to the version that this report is about.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// The model that it is moved to; the report's unless given.
    #[arg(long, value_name = "ID", requires = "report")]
    pub(crate) model: Option<String>,
    /// Move it although the report does not allow it. Needs --reason.
    #[arg(long, requires = "reason", requires = "report")]
    pub(crate) force: bool,
    /// Move it back to where it was before.
    #[arg(long, conflicts_with = "report")]
    pub(crate) rollback: bool,
    /// Why.
    #[arg(long, default_value = "")]
    pub(crate) reason: String,
    /// Who; $USER unless given.
    #[arg(long)]
    pub(crate) by: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The report before.
    pub(crate) base: PathBuf,
    /// The report now.
    pub(crate) new: PathBuf,
    /// As JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CollectArgs {
    /// The log: JSON objects, one a line.
    pub(crate) log: PathBuf,
    /// A suite whose questions are known.
    #[arg(long)]
    pub(crate) suite: Option<PathBuf>,
    /// How many refusals a question needs.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) min: usize,
    /// As JSON instead of YAML.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The only form: promptfoo.
    #[arg(value_parser = ["promptfoo"])]
    pub(crate) form: String,
    /// The suite.
    pub(crate) suite: PathBuf,
    /// The folder for promptfooconfig.json and prompt.json.
    pub(crate) folder: PathBuf,
    /// promptfoo's provider.
    #[arg(long, default_value = "openai:chat:gpt-4o-mini")]
    pub(crate) provider: String,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The only form: promptfoo.
    #[arg(value_parser = ["promptfoo"])]
    pub(crate) form: String,
    /// The configuration, YAML or JSON.
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    /// The assertions; `-` is stdin.
    pub(crate) file: PathBuf,
    /// Give promptfoo's own verdicts.
    #[arg(long, value_name = "NAME", value_parser = ["promptfoo"])]
    pub(crate) compat: Option<String>,
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let usage = || String::from("a shard is I/N, as 1/4");
    let (shard, of) = text.split_once('/').ok_or_else(usage)?;
    let (shard, of) = (shard.parse().map_err(|_| usage())?, of.parse().map_err(|_| usage())?);
    if shard < 1 || shard > of { Err(usage()) } else { Ok((shard, of)) }
}
