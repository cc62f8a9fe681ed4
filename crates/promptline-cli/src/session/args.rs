//! The flags of `promptline session`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    /// The record: sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE.
    #[arg(
        long,
        value_name = "URL",
        env = "PROMPTLINE_STORE",
        hide_env_values = true,
        global = true,
        default_value = "sqlite:sessions.db"
    )]
    pub(crate) store: String,
    #[command(subcommand)]
    pub(crate) verb: SessionVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionVerb {
    /// List sessions.
    List(ListArgs),
    /// Show a session: facts, summary and turns.
    Show(ShowArgs),
    /// Write sessions as JSON lines: a line for each session, then one for each of its turns.
    Export(ExportArgs),
    /// Read sessions as `export` writes them. What is there already stays; a repeated import changes nothing.
    Import(ImportArgs),
    /// Delete sessions with everything in them.
    Delete(ChosenArgs),
    /// Summarize sessions down to their last turns, without a model: first and last request, facts, tools used.
    ///
    /// Turns are kept. With a model, a host does it by the library.
    Compact(CompactArgs),
    /// Count what is in the record, and judge the hit rates of a host.
    ///
    /// Healthy is: memory serves more than 70 % of the sessions found, the record less than 5 %. Exits with 1 when
    /// the counters are outside of these bounds.
    Stats(StatsArgs),
    /// Measure the record with sessions of its own, which are deleted again.
    Bench(BenchArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only ids that begin so.
    #[arg(long)]
    pub(crate) prefix: Option<String>,
    /// Only sessions without a change for so long, as 30m, 12h or 90d.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) idle: Option<Duration>,
    /// How many at most.
    #[arg(long)]
    pub(crate) limit: Option<usize>,
    /// JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The session's id.
    pub(crate) session: String,
    /// How many of the last turns.
    #[arg(long, default_value_t = 10)]
    pub(crate) turns: usize,
    /// JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The sessions' ids; all of them when none is given.
    pub(crate) sessions: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The file (`-` is stdin).
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ChosenArgs {
    /// The sessions' ids.
    #[arg(required_unless_present = "idle", conflicts_with = "idle")]
    pub(crate) sessions: Vec<String>,
    /// All sessions without a change for so long, as 30m, 12h or 90d.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) idle: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    #[command(flatten)]
    pub(crate) chosen: ChosenArgs,
    /// How many turns are kept as they are.
    #[arg(long, default_value_t = 3)]
    pub(crate) keep: usize,
}

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// The counters of a host as JSON: what `Tiered::stats` says (`-` is stdin).
    #[arg(long, value_name = "FILE")]
    pub(crate) counters: Option<PathBuf>,
    /// JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// How many turns.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) turns: u32,
    /// How long a turn is, in bytes.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) bytes: u32,
    /// JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `30m`, `12h`, `90d`, `45s`.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "a time is a number and s, m, h or d, as in 30m or 90d".to_owned();
    let unit = match text.chars().last() {
        Some('s') => 1,
        Some('m') => 60,
        Some('h') => 3_600,
        Some('d') => 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 =
        text.get(..text.len() - 1).unwrap_or_default().parse().map_err(|_| wrong())?;
    number.checked_mul(unit).map(Duration::from_secs).ok_or_else(wrong)
}
