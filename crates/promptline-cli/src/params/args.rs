//! The flags of `params`.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, clap::Args)]
pub(crate) struct ParamsArgs {
    #[command(subcommand)]
    pub(super) verb: ParamsVerb,
}

#[derive(Debug, Subcommand)]
pub(super) enum ParamsVerb {
    /// Print every parameter with its value, where that is from, and what it was earlier.
    Show {
        #[command(flatten)]
        source: SourceArgs,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Check declarations, values and the texts of the packs against each other.
    ///
    /// Errors: parameters that are asked for and not declared, declared and never asked for, without a
    /// value, of a wrong type or out of range. Warnings: a value, now or earlier, written into a text.
    Check {
        #[command(flatten)]
        source: SourceArgs,
        /// A JSON list of findings.
        #[arg(long)]
        json: bool,
    },
    /// Print a line of JSON for every new generation, and for every change that cannot be used.
    Watch(WatchArgs),
    /// Set a value in a file, which is replaced in one step, or in etcd.
    ///
    /// The value is checked against its declaration. A file keeps the value before in its table `history`.
    Set(SetArgs),
}

/// What is declared, and where values come from.
#[derive(Debug, clap::Args)]
pub(super) struct SourceArgs {
    /// A folder with a pack, whose params.toml declares parameters. May be repeated.
    #[arg(long, value_name = "DIR", required = true)]
    pub(super) pack: Vec<PathBuf>,
    /// A file with values, TOML or JSON. May be repeated; later ones win, then etcd, then the environment
    /// (PROMPTLINE_PARAM_NAME).
    #[arg(long, value_name = "FILE")]
    pub(super) file: Vec<PathBuf>,
    /// An etcd with values, as http://127.0.0.1:2379.
    #[arg(long, value_name = "URL")]
    pub(super) etcd: Option<String>,
    /// What the keys in etcd begin with.
    #[arg(long, value_name = "KEYS", default_value = "promptline/params/")]
    pub(super) prefix: String,
}

#[derive(Debug, clap::Args)]
pub(super) struct WatchArgs {
    #[command(flatten)]
    pub(super) source: SourceArgs,
    /// End after so many lines.
    #[arg(long, value_name = "N")]
    pub(super) count: Option<u64>,
}

#[derive(Debug, clap::Args)]
pub(super) struct SetArgs {
    /// The parameter.
    pub(super) name: String,
    /// Its new value.
    #[arg(allow_hyphen_values = true)]
    pub(super) value: String,
    /// A folder with a pack, whose params.toml declares it. May be repeated.
    #[arg(long, value_name = "DIR", required = true)]
    pub(super) pack: Vec<PathBuf>,
    /// The file to set it in.
    #[arg(long, value_name = "FILE", conflicts_with = "etcd")]
    pub(super) file: Option<PathBuf>,
    /// The etcd to set it in.
    #[arg(long, value_name = "URL")]
    pub(super) etcd: Option<String>,
    /// What the keys in etcd begin with.
    #[arg(long, value_name = "KEYS", default_value = "promptline/params/")]
    pub(super) prefix: String,
}
