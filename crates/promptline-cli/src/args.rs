//! The verbs and their flags.

use std::path::PathBuf;

use clap::{ArgAction, Parser, Subcommand, ValueEnum};
use promptline::{Dialect, prompt::CacheTtl};
use promptline_calls::{Dialect as CallDialect, Dialects};

/// Assembles the system prompts of LLM agents.
#[derive(Debug, Parser)]
#[command(name = "promptline", version, arg_required_else_help = true)]
#[command(after_help = crate::features::help())]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Print the system prompt that an agent on a model would get.
    ///
    /// Machine, date and the project's rules files (AGENTS.md, CLAUDE.md, .clinerules, .cursorrules,
    /// .cursor/rules, .windsurfrules, .github/copilot-instructions.md), skills and MCP servers (by name)
    /// are read under --cwd, unless a context file says everything. --format json lists every file that
    /// was seen, and why it is ignored where it is.
    Render(RenderVerb),
    /// Say what a prompt costs and why it looks the way it does.
    ///
    /// Takes the flags of render and builds the same prompt; with a provider's --format, the one that
    /// goes with native tools. Prints its sections with their cost, its tools, why this variant, and what
    /// was left out.
    Explain(ExplainArgs),
    /// Say which variant each model id gets, and why.
    Match(MatchArgs),
    /// Check packs of prompt files and report every mistake, with its place and code.
    Check(CheckArgs),
    /// Print the JSON Schema of a file format, for editors.
    Schema(SchemaArgs),
    /// Read the tool calls in a model's answer, and print them as JSON.
    ///
    /// Exits with 1 when a call is incomplete: what was cut off must not be executed.
    Calls(CallsArgs),
    /// Read a model's answer as JSON, by a schema, and say what had to be repaired.
    ///
    /// The value goes to stdout, repairs and issues to stderr. Exits with 1 when no value fits.
    #[cfg(feature = "parse")]
    Parse(ParseArgs),
    /// Work with structured output: what a prompt says of the format of an answer.
    #[cfg(feature = "parse")]
    #[command(subcommand)]
    Output(crate::constraint::OutputVerb),
    /// Clean a rendered text from stdin, as the last step of a build does.
    Clean(CleanArgs),
    /// Say what differs between two prompts, section by section.
    ///
    /// The sides differ in --context or --variant, given twice, or in the pack: --against DIR is the
    /// first side's pack instead of the (last) --pack. What is given once is for both sides; where that is
    /// all but an --overlay, the first side is without it. Nothing is read from the machine.
    Diff(DiffArgs),
    /// Write a pack or an overlay to start from.
    New(NewArgs),
    /// Keep the prompts of every variant in every context as golden files.
    ///
    /// Without --update or --sizes, compares the golden files with what is built now.
    Snapshot(SnapshotArgs),
    /// Convert a list of tools to another format.
    ///
    /// Reads the TOML of a tool, JSON in any shape in which tools travel (tools/list of an MCP server, a
    /// request to OpenAI, Anthropic, Gemini or Bedrock, mixtures; several values one after the other),
    /// or a text with the tool sections of a prompt. What the format cannot express is listed on stderr.
    Tools(ToolsArgs),
    /// Look at a record of conversations, move it, and keep it small.
    #[cfg(feature = "session")]
    Session(crate::session::args::SessionArgs),
    /// Ask a real model with the prompt that render prints, and read the calls in its answer.
    ///
    /// The answer goes to stdout as it arrives. Exits with 1 when nothing that was asked for is in the
    /// answer (a value of --schema, the call of --expect, a whole call), with 3 when the model is not
    /// reached. Keys come from the environment, and are never shown or recorded.
    #[cfg(feature = "ask")]
    Ask(Box<crate::ask::AskArgs>),
    /// Business parameters outside the prompt: show, check, watch, set.
    Params(crate::params::ParamsArgs),
    /// Run regression suites of prompts, and judge them.
    #[cfg(feature = "eval")]
    Eval(crate::eval::EvalArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct RenderVerb {
    #[command(flatten)]
    pub(crate) render: RenderArgs,
    #[command(flatten)]
    pub(crate) cache: CacheArgs,
}

/// What `render` and `explain` build a prompt by.
#[derive(Debug, clap::Args)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) tokens: TokensArgs,
    /// A context as JSON (`-` is stdin); nothing is then read from the machine.
    #[arg(long, value_name = "FILE")]
    pub(crate) context: Option<PathBuf>,
    /// The model's id, as it is sent to the provider.
    #[arg(long, value_name = "ID")]
    pub(crate) model: Option<String>,
    /// The project: where rules files, skills and MCP servers are looked for.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) cwd: PathBuf,
    #[command(flatten)]
    pub(crate) project: crate::project::ProjectArgs,
    /// A variant by id (or id@version), whatever the model is.
    #[arg(long, value_name = "ID")]
    pub(crate) variant: Option<String>,
    /// What the agent may do now: plan, act, or a mode of your own.
    #[arg(long)]
    pub(crate) mode: Option<String>,
    /// The date that the prompt says, YYYY-MM-DD.
    #[arg(long, value_parser = date)]
    pub(crate) date: Option<String>,
    /// A runtime placeholder; its value is text. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) set: Vec<(String, String)>,
    /// A business parameter; its value is JSON, else text. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) param: Vec<(String, String)>,
    /// Values of the parameters that a pack declares in its params.toml: TOML, or JSON. May be repeated; later
    /// files win, and the environment (PROMPTLINE_PARAM_NAME) over them.
    #[arg(long, value_name = "FILE")]
    pub(crate) params: Vec<PathBuf>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Strict schemas: the provider enforces those of native tools.
    #[arg(long)]
    pub(crate) strict: bool,
    /// How many tokens prompt and native tools may take: the least important sections are shortened and
    /// left out until they fit.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// How many tokens of the budget to leave unused.
    #[arg(long, value_name = "TOKENS", requires = "budget", default_value_t = 0)]
    pub(crate) reserve: usize,
    /// The same as --format json.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The marks by which a request asks the provider to cache what precedes them.
#[derive(Debug, clap::Args)]
pub(crate) struct CacheArgs {
    /// With --format anthropic or bedrock: how many marks for the provider's cache the prompt may have.
    /// One is placed after the text that never changes, or where that is short after what stays the same
    /// in a conversation; of two each has its own. 1 unless given; 0 is none, 4 the most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=4))]
    pub(crate) cache_marks: Option<u8>,
    /// How long the provider caches what is marked: 5m (the default) or 1h; with a comma, text that never
    /// changes and that of a conversation, as 1h,5m.
    #[arg(long, value_name = "TIME", value_parser = ttls)]
    pub(crate) cache_ttl: Option<(CacheTtl, CacheTtl)>,
    /// How many tokens that never change justify a single mark; 1024 unless given.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) cache_shortest: Option<usize>,
    /// One more mark on the last native tool.
    #[arg(long)]
    pub(crate) cache_tools: bool,
}

/// The token counter, wherever tokens are shown.
#[derive(Debug, clap::Args)]
pub(crate) struct TokensArgs {
    /// The token counter. OpenAI's vocabularies are about right for models of other vendors.
    #[arg(long, value_enum, value_name = "COUNTER")]
    pub(crate) tokens: Option<Counter>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Counter {
    /// Four bytes are a token (the default)
    Estimate,
    /// Exactly as GPT-4o and its successors do
    O200k,
    /// Exactly as GPT-4 and GPT-3.5 do
    Cl100k,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) render: RenderArgs,
    /// Write all of it, and the prompt itself, as one page that needs no network.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// How `render` and `match` describe a model.
#[derive(Debug, clap::Args)]
pub(crate) struct RequestArgs {
    /// The provider of the model, as `anthropic`.
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// The public id of the model behind an id that does not say it (a deployment, an inference profile).
    #[arg(long, value_name = "ID")]
    pub(crate) model_is: Option<String>,
    /// The model's context window in tokens.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) window: Option<u64>,
    /// A flag to switch on, as `browser` or `compact`. May be repeated.
    #[arg(long, value_name = "NAME", action = ArgAction::Append, value_delimiter = ',')]
    pub(crate) flag: Vec<String>,
    /// A folder with a pack of prompts; it overrides what is there. May be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) pack: Vec<PathBuf>,
    /// A folder with an overlay.toml, which changes sections of the packs. May be repeated; they are
    /// applied in this order.
    #[arg(long, value_name = "DIR")]
    pub(crate) overlay: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The prompt, and one newline that is not part of it.
    Text,
    /// The prompt with its sections, names, fingerprint and report, and the files of the project.
    Json,
    /// The fields of an Anthropic request that hold the prompt, with a mark for its cache, and its
    /// tools. This and what follows set
    /// the flag native_tools; a variant that has its tools only in text keeps them there.
    Anthropic,
    /// The same of OpenAI Chat Completions.
    #[value(name = "openai")]
    OpenAi,
    /// The same of OpenAI Responses.
    #[value(name = "openai-responses")]
    OpenAiResponses,
    /// The same of Gemini.
    Gemini,
    /// The same of Gemini, in the older format of its schemas.
    GeminiLegacy,
    /// The same of Bedrock Converse.
    Bedrock,
}

impl Format {
    /// The dialect of a request.
    pub(crate) fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Text | Self::Json => None,
            Self::Anthropic => Some(Dialect::Anthropic),
            Self::OpenAi => Some(Dialect::OpenAi),
            Self::OpenAiResponses => Some(Dialect::OpenAiResponses),
            Self::Gemini => Some(Dialect::Gemini),
            Self::GeminiLegacy => Some(Dialect::GeminiLegacy),
            Self::Bedrock => Some(Dialect::Bedrock),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    /// Model ids; `-` reads them from stdin, one a line (`provider<TAB>id` where the provider differs).
    #[arg(required = true, value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// One JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Folders with packs or overlays. Each overrides the built-in pack and those before it.
    #[arg(required_unless_present_any = ["explain", "expand", "overlay"], value_name = "DIR")]
    pub(crate) packs: Vec<PathBuf>,
    /// A folder with an overlay.toml, checked over the packs. May be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) overlay: Vec<PathBuf>,
    /// Print a variant as one file, with all that it extends merged, and check nothing.
    #[arg(long, value_name = "VARIANT", conflicts_with_all = ["strict", "json", "explain"])]
    pub(crate) expand: Option<String>,
    #[command(flatten)]
    pub(crate) tokens: TokensArgs,
    /// A JSON list of findings.
    #[arg(long)]
    pub(crate) json: bool,
    /// Warnings fail the check too.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Fail when a prompt of the (last) pack, in any of its contexts, takes more tokens.
    #[arg(long, value_name = "TOKENS")]
    pub(crate) max_tokens: Option<usize>,
    /// Fail when a prompt has grown by more than this over its golden file, as 5%.
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "against")]
    pub(crate) max_growth: Option<f64>,
    /// The golden files, as `snapshot` writes them.
    #[arg(long, value_name = "DIR", requires = "max_growth")]
    pub(crate) against: Option<PathBuf>,
    /// The folder of contexts, `*.json`, for the two; by default `contexts` in the pack.
    #[arg(long, value_name = "DIR")]
    pub(crate) contexts: Option<PathBuf>,
    /// Print what a code means, with an example and how to fix it, and check nothing.
    #[arg(long, value_name = "CODE", conflicts_with_all = ["packs", "overlay", "strict", "json"])]
    pub(crate) explain: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// The format: a file of a pack, or a context.
    #[arg(value_enum)]
    pub(crate) kind: SchemaKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaKind {
    /// variants/pack.toml
    Pack,
    /// variants/<id>/variant.toml
    Variant,
    /// templates/tools/*.toml
    Tool,
    /// The front matter of templates/components/*.md
    Component,
    /// overlay.toml
    Overlay,
    /// A context as JSON, as render takes it
    Context,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CallsArgs {
    /// The answer, a file; stdin by default.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) answer: PathBuf,
    /// Ways of writing a call that are read beside xml: qwen, hermes, glm, invoke, or auto for all. May be
    /// repeated.
    #[arg(long, value_name = "NAME", value_parser = dialects, value_delimiter = ',')]
    pub(crate) dialect: Vec<Dialects>,
    /// A call format that is read too: a TOML file, or kimi, deepseek, longcat, command-a, llama-function. May
    /// be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) format: Vec<String>,
    /// The tools that can be called: a tool's TOML file, a folder of them, or a list in JSON. By default
    /// every tool of the pack. May be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Vec<PathBuf>,
    /// A folder with a pack of prompts, for its tools; it overrides what is there. May be repeated.
    #[arg(long, value_name = "DIR", conflicts_with = "tools")]
    pub(crate) pack: Vec<PathBuf>,
    /// The answer was cut off (finish reason `length`): what is open at its end is not repaired.
    #[arg(long)]
    pub(crate) cut: bool,
    /// Turn the strings of a call into JSON by the types that its tool declares.
    #[arg(long)]
    pub(crate) typed: bool,
    /// The same: the output is always JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(feature = "parse")]
#[derive(Debug, clap::Args)]
pub(crate) struct ParseArgs {
    /// The answer, a file; stdin by default.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) answer: PathBuf,
    /// The JSON Schema that the value is to fit; without one any JSON does.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Remove items of lists that do not fit, instead of refusing the list; each is reported.
    #[arg(long)]
    pub(crate) drop_bad_items: bool,
    /// Assert `format` (date, email, uuid, ...), which JSON Schema treats as a note otherwise.
    #[arg(long, requires = "schema")]
    pub(crate) assert_formats: bool,
    /// Which of several values in the answer is taken.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) pick: PickArg,
    /// The riskiest repair or coercion with which a value still fits.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) max_risk: RiskArg,
    /// Print the value so far, a line each time that it has grown, while the answer comes in; the value
    /// that fits is the last thing.
    #[arg(long, conflicts_with = "lines")]
    pub(crate) stream: bool,
    /// Read JSONL of {"raw": ANSWER, ...}, and write one JSON object a line, as --json.
    #[arg(long)]
    pub(crate) lines: bool,
    /// One JSON object: value, repairs and everything else.
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(feature = "parse")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PickArg {
    /// The one that is announced, in a fence, or on lines of its own; of equals the last.
    #[default]
    Best,
    /// The first that fits.
    First,
    /// The last that fits.
    Last,
    /// The last that fits in a code fence.
    Fenced,
}

#[cfg(feature = "parse")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RiskArg {
    /// Only other ways of writing the same thing.
    Lossless,
    /// The likely reading of what can be read in several ways.
    Guess,
    /// Also readings that lose something.
    #[default]
    Lossy,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CleanArgs {
    /// The text of a component, in which a `====` line is no separator.
    #[arg(long)]
    pub(crate) section: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) tokens: TokensArgs,
    /// A context as JSON (`-` is stdin); once for both sides, or twice.
    #[arg(long, value_name = "FILE")]
    pub(crate) context: Vec<PathBuf>,
    /// A variant by id (or id@version); once for both sides, or twice.
    #[arg(long, value_name = "ID")]
    pub(crate) variant: Vec<String>,
    /// The model's id, as it is sent to the provider.
    #[arg(long, value_name = "ID")]
    pub(crate) model: Option<String>,
    /// The pack of the first side, instead of the (last) --pack.
    #[arg(long, value_name = "DIR")]
    pub(crate) against: Option<PathBuf>,
    /// Exit with 1 when the prompts differ.
    #[arg(long)]
    pub(crate) check: bool,
    /// One JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct NewArgs {
    /// What to write.
    #[arg(value_enum)]
    pub(crate) what: NewKind,
    /// The folder; it must be empty, or not there yet.
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// The name of the pack, its variant and its flag; by default that of the folder.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Of an overlay: the section that it changes, as RULES_SECTION.
    #[arg(long, value_name = "ID", required_if_eq("what", "overlay"))]
    pub(crate) section: Option<String>,
    /// Of an overlay: what it does. `replace` begins with a copy, which changes nothing yet.
    #[arg(long, value_enum, default_value_t = Op::Replace)]
    pub(crate) op: Op,
    /// Of an overlay: a folder with a pack of prompts; it overrides what is there. May be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) pack: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Op {
    /// Another text instead of the section's
    Replace,
    /// A text behind the section's
    Append,
    /// A text before the section's
    Prepend,
    /// No such section
    Remove,
    /// A line before the section and one behind it
    Wrap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewKind {
    /// A pack: one variant, two components, a tool, contexts, a README that is a tutorial.
    Pack,
    /// An overlay: an overlay.toml that changes one section, with the text it was written against.
    Overlay,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SnapshotArgs {
    /// The folder of the pack. May be repeated: then the last one is meant, and overrides the others.
    #[arg(long, value_name = "DIR")]
    pub(crate) pack: Vec<PathBuf>,
    /// A folder with an overlay.toml, which changes sections of the packs. May be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) overlay: Vec<PathBuf>,
    /// The folder of contexts, `*.json`; by default `contexts` in the pack.
    #[arg(long, value_name = "DIR")]
    pub(crate) contexts: Option<PathBuf>,
    /// The folder of the golden files; by default `snapshots` in the pack.
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// The context whose golden files are whole; others are kept as differences from it. A variant that has
    /// no such context has its first one whole.
    #[arg(long, value_name = "NAME", default_value = "basic")]
    pub(crate) base: String,
    /// Compare, and exit with 1 when a file is missing, different or stale (the default).
    #[arg(long, group = "what")]
    pub(crate) check: bool,
    /// Write the files that are missing or different, remove those that are stale.
    #[arg(long, group = "what")]
    pub(crate) update: bool,
    /// Print bytes, tokens and number of tools of each prompt.
    #[arg(long, group = "what")]
    pub(crate) sizes: bool,
    #[command(flatten)]
    pub(crate) tokens: TokensArgs,
    /// Only this variant.
    #[arg(long, value_name = "ID")]
    pub(crate) variant: Option<String>,
    /// JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ToolsArgs {
    /// Files with tools; `-` is stdin. Of two tools with one name the first counts.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The format; by default that of --provider, else openai.
    #[arg(long, value_enum)]
    pub(crate) format: Option<ToolFormat>,
    /// The provider of the model, whose format is used.
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// Strict schemas: ask the provider to enforce them.
    #[arg(long)]
    pub(crate) strict: bool,
    /// The MCP server whose tools they are.
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Option<String>,
    /// A flag to switch on, as `browser`, for tools with conditions. May be repeated.
    #[arg(long, value_name = "NAME", action = ArgAction::Append, value_delimiter = ',')]
    pub(crate) flag: Vec<String>,
    /// One JSON object with the tools, their names, what its format cannot express and diagnostics.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolFormat {
    /// The sections of a prompt, called with XML tags
    Xml,
    /// A `<tools>` block of JSON
    Hermes,
    /// OpenAI Chat Completions, and compatible APIs
    Openai,
    /// OpenAI Responses
    OpenaiResponses,
    /// Anthropic Messages
    Anthropic,
    /// Gemini, with JSON Schemas
    Gemini,
    /// Gemini, with the subset of OpenAPI that it accepted before
    GeminiLegacy,
    /// Amazon Bedrock Converse
    Bedrock,
    /// tools/list of the Model Context Protocol
    Mcp,
}

fn dialects(name: &str) -> Result<Dialects, String> {
    match name {
        "auto" => Ok(Dialects::AUTO),
        name => name
            .parse::<CallDialect>()
            .map(Dialects::from)
            .map_err(|error| format!("{error}, auto")),
    }
}

/// One lifetime for all that is cached, or two: a prefix must not expire before what follows it.
fn ttls(text: &str) -> Result<(CacheTtl, CacheTtl), String> {
    let one = |text: &str| match text.trim() {
        "5m" => Ok(CacheTtl::FiveMinutes),
        "1h" => Ok(CacheTtl::OneHour),
        _ => Err("write it as 5m, 1h or 1h,5m".to_owned()),
    };
    let (first, second) = text.split_once(',').unwrap_or((text, text));
    let (first, second) = (one(first)?, one(second)?);
    if first < second {
        return Err(
            "the first mark must be cached at least as long as the second: write it as 1h,5m"
                .to_owned(),
        );
    }
    Ok((first, second))
}

pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE".to_owned()),
    }
}

/// `5%` or `5` is 0.05.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<f64>() {
        Ok(percent) if percent.is_finite() && percent >= 0.0 => Ok(percent / 100.0),
        _ => Err("write it as 5%".to_owned()),
    }
}

/// Four, two and two digits; whether there is such a day is not checked.
fn date(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split('-').collect();
    let digits =
        |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    match parts.as_slice() {
        [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2) => {
            Ok(text.to_owned())
        }
        _ => Err("write it as YYYY-MM-DD".to_owned()),
    }
}
