//! The flags of `ask`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::args::RenderArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct AskArgs {
    #[command(flatten)]
    pub(super) render: RenderArgs,
    /// The user's message. With --chat the first one; without it all come from stdin, a line each.
    #[arg(value_name = "MESSAGE", required_unless_present = "chat")]
    pub(super) message: Option<String>,
    /// A server that is compatible with OpenAI's Chat Completions, as http://127.0.0.1:8080/v1. Without it
    /// --provider is asked itself.
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// A program that is asked instead: a request as JSON on its stdin, an answer on its stdout.
    #[arg(long, value_name = "PROGRAM", conflicts_with = "base_url")]
    pub(super) exec: Option<PathBuf>,
    /// The environment variable with the key. By default PROMPTLINE_API_KEY for --base-url, else the
    /// provider's usual one.
    #[arg(long, value_name = "NAME")]
    pub(super) key_env: Option<String>,
    /// Record answers in a file; what is in it already is not asked again.
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    pub(super) record: Option<PathBuf>,
    /// Answer from a file that --record has written. Nothing is called.
    #[arg(long, value_name = "FILE")]
    pub(super) replay: Option<PathBuf>,
    /// How freely the answer is sampled, 0 to 2.
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0)]
    pub(super) temperature: f32,
    /// The most tokens that an answer may have.
    #[arg(long, value_name = "TOKENS", default_value_t = 1024)]
    pub(super) max_tokens: u32,
    /// Where sampling starts from.
    #[arg(long, value_name = "NUMBER")]
    pub(super) seed: Option<u64>,
    /// A JSON Schema: the answer is read as a value of it, and asked for once more where it is none.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["chat", "repeat", "probe"])]
    pub(super) schema: Option<PathBuf>,
    /// The call that is right: a tool's name, or NAME={"arguments": …}.
    #[arg(long, value_name = "CALL")]
    pub(super) expect: Option<String>,
    /// Ask so often, and print how often a call was well formed and right.
    #[arg(long, value_name = "N", conflicts_with_all = ["chat", "probe"], value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) repeat: Option<u32>,
    /// Print instead of an answer how likely it is that it opens a call, where the server gives probabilities.
    #[arg(long, value_enum, conflicts_with = "chat")]
    pub(super) probe: Option<Probe>,
    /// A conversation.
    #[arg(long)]
    pub(super) chat: bool,
    /// A program that runs the calls of a conversation: a call as JSON on its stdin, the result on its stdout.
    /// Without it results are typed by hand.
    #[arg(long, value_name = "PROGRAM", requires = "chat")]
    pub(super) tool_exec: Option<PathBuf>,
    /// After so many answers to one message that all call tools a conversation waits for the user.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) max_steps: usize,
    /// What else to show, on stderr.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) show: Vec<Show>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Probe {
    /// By the probabilities of the first token
    FirstToken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Show {
    /// Tokens of prompt, cache, answer and reasoning
    Usage,
    /// Times until the first token and the end
    Timing,
    /// The provider's JSON
    Raw,
}
