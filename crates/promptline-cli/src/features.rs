//! What this build of the program leaves out, and how to get it.

use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// A verb, or a part of one, that is compiled in by a feature only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Optional {
    /// What the user writes.
    name: &'static str,
    feature: &'static str,
    compiled: bool,
}

/// The verbs that a feature adds.
const VERBS: &[Optional] = &[
    Optional { name: "ask", feature: "ask", compiled: cfg!(feature = "ask") },
    Optional { name: "eval", feature: "eval", compiled: cfg!(feature = "eval") },
    Optional { name: "output", feature: "parse", compiled: cfg!(feature = "parse") },
    Optional { name: "parse", feature: "parse", compiled: cfg!(feature = "parse") },
    Optional { name: "session", feature: "session", compiled: cfg!(feature = "session") },
];

/// `--etcd` of `params`.
#[cfg(not(feature = "params"))]
pub(crate) const ETCD: Optional =
    Optional { name: "parameters from etcd", feature: "params", compiled: false };

/// `--tokens o200k` and `--tokens cl100k`.
#[cfg(not(feature = "tokens"))]
pub(crate) const EXACT_TOKENS: Optional =
    Optional { name: "exact token counts", feature: "tokens", compiled: false };

impl Optional {
    /// Why it cannot be used, and what to do.
    pub(crate) fn absent(self) -> String {
        let Self { name, feature, .. } = self;
        format!(
            "this build of promptline does not include {name}\nhelp: install it with `cargo install \
             promptline-cli --features {feature}`, or with everything by `--features full`"
        )
    }
}

fn missing() -> impl Iterator<Item = Optional> {
    VERBS.iter().copied().filter(|verb| !verb.compiled)
}

/// The end of the help: verbs that this build does not include.
pub(crate) fn help() -> Resettable<StyledStr> {
    let missing: Vec<&str> = missing().map(|verb| verb.name).collect();
    let names = match missing.is_empty() {
        true => return Resettable::Reset,
        false => missing.join(", "),
    };
    Resettable::Value(StyledStr::from(format!(
        "Not in this build: {names}. `cargo install promptline-cli --features full` includes every verb."
    )))
}

/// What to say instead of "unrecognized subcommand" where the verb exists and is not compiled in.
pub(crate) fn absent_verb(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(asked)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let verb = missing().find(|verb| verb.name == asked)?;
    Some(verb.absent())
}
