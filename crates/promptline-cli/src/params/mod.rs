//! `promptline params`: business parameters outside the prompt, and what the other verbs take of them.

mod args;
mod pack;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "params")]
use promptline_params::Etcd;
use promptline_params::{
    Declarations, EnvSource, ErrorKind, FileSource, Generation, Params, ParamsBuilder,
};
use serde_json::{Value, json};

pub(crate) use args::ParamsArgs;
use args::{ParamsVerb, SetArgs, SourceArgs, WatchArgs};
pub(crate) use pack::findings;

use crate::output::{Failure, Output};

/// What the names of environment variables begin with.
const ENV_PREFIX: &str = "PROMPTLINE_PARAM_";

impl From<promptline_params::Error> for Failure {
    fn from(error: promptline_params::Error) -> Self {
        let message = error.to_string();
        // A server that is not there is no mistake of the user's.
        match error.kind() {
            ErrorKind::Io if message.starts_with("etcd") => Self::Unreached(message),
            _ => Self::Said(message),
        }
    }
}

/// What the packs declare, with values from files and the environment; `None` when they declare nothing.
pub(crate) fn generation(
    packs: &[PathBuf],
    files: &[PathBuf],
) -> Result<Option<Arc<Generation>>, Failure> {
    let declared = pack::declared(packs)?;
    if declared.is_empty() {
        return match files.first() {
            None => Ok(None),
            Some(_) => Err(nothing_declared()),
        };
    }
    Ok(Some(builder(declared, files).load()?.current()))
}

fn nothing_declared() -> Failure {
    Failure::Said(
        "no pack declares parameters\nhelp: declare them in a pack's params.toml, and add --pack DIR"
            .to_owned(),
    )
}

fn builder(declared: Declarations, files: &[PathBuf]) -> ParamsBuilder {
    let env = EnvSource::new(ENV_PREFIX, declared.iter().map(|(name, _)| name));
    let mut builder = Params::builder(declared);
    for file in files {
        builder = builder.source(FileSource::new(file));
    }
    builder.source(env)
}

pub(crate) fn run(args: &ParamsArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.verb {
        ParamsVerb::Show { source, json } => show(source, *json, output),
        ParamsVerb::Check { source, json } => check(source, *json, output),
        ParamsVerb::Watch(args) => watch(args, output),
        ParamsVerb::Set(args) => set(args, output),
    }
}

impl SourceArgs {
    fn declared(&self) -> Result<Declarations, Failure> {
        let declared = pack::declared(&self.pack)?;
        if declared.is_empty() { Err(nothing_declared()) } else { Ok(declared) }
    }

    /// Files, then etcd, then the environment.
    fn params(&self) -> Result<ParamsBuilder, Failure> {
        let declared = self.declared()?;
        let names = declared.iter().map(|(name, _)| name);
        let env = EnvSource::new(ENV_PREFIX, names);
        let mut builder = Params::builder(declared);
        for file in &self.file {
            builder = builder.source(FileSource::new(file));
        }
        #[cfg(feature = "params")]
        if let Some(url) = &self.etcd {
            builder = builder.source(Etcd::new(url, &self.prefix));
        }
        #[cfg(not(feature = "params"))]
        if self.etcd.is_some() {
            return Err(Failure::Said(crate::features::ETCD.absent()));
        }
        Ok(builder.source(env))
    }
}

fn show(source: &SourceArgs, json: bool, output: &mut Output) -> Result<(), Failure> {
    let current = source.params()?.load()?.current();
    if json {
        return output.json(&*current);
    }
    let wide = current.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    for (name, one) in current.iter() {
        let earlier = match one.history.len() {
            0 => String::new(),
            _ => format!(", earlier {}", joined(&one.history)),
        };
        output.line(format_args!(
            "{name:wide$}  {}  ({}{earlier})",
            text(&one.shown),
            one.origin
        ))?;
    }
    output.line(format_args!("generation {}", current.hash()))
}

fn check(source: &SourceArgs, json: bool, output: &mut Output) -> Result<(), Failure> {
    let declared = source.declared()?;
    let loaded = source.params()?.load();
    let mut findings = Vec::new();
    for folder in &source.pack {
        findings.extend(pack::findings_with(
            folder,
            &declared,
            loaded.as_ref().ok().map(|params| params.current()).as_deref(),
        )?);
    }
    if let Err(error) = &loaded {
        if error.to_string().starts_with("etcd: ") {
            return Err(Failure::Unreached(error.to_string()));
        }
        findings.push(pack::of_values(error));
    }
    if json {
        output.json(&findings)?;
    } else {
        crate::check::print_findings(&findings, output)?;
    }
    let fails =
        |finding: &promptline::check::Finding| finding.severity >= promptline::Severity::Error;
    if findings.iter().any(fails) { Err(Failure::Found) } else { Ok(()) }
}

/// A line for each generation, and for each that could not be used.
fn watch(args: &WatchArgs, output: &mut Output) -> Result<(), Failure> {
    let params = args.source.params()?.watch()?;
    let mut lines = 0;
    let mut said: (u64, Option<String>) = (0, None);
    loop {
        let seen = params.seen();
        let current = params.current();
        let error = params.last_error().map(|error| error.to_string());
        if current.number() != said.0 {
            let values: serde_json::Map<String, Value> =
                current.iter().map(|(name, one)| (name.to_owned(), one.value.clone())).collect();
            let line =
                json!({"generation": current.number(), "hash": current.hash(), "values": values});
            output.line(line)?;
            lines += 1;
        }
        if let Some(error) = error.as_ref().filter(|error| said.1.as_ref() != Some(error)) {
            output.line(json!({"generation": current.number(), "error": error}))?;
            lines += 1;
        }
        output.flush()?;
        said = (current.number(), error);
        if args.count.is_some_and(|count| lines >= count) {
            return Ok(());
        }
        let _ = params.wait(&seen, Duration::from_secs(3_600));
    }
}

fn set(args: &SetArgs, output: &mut Output) -> Result<(), Failure> {
    let declared = pack::declared(&args.pack)?;
    let raw =
        serde_json::from_str(&args.value).unwrap_or_else(|_| Value::from(args.value.as_str()));
    // Text that looks like a number is text where text is declared.
    let raw = [raw, Value::from(args.value.as_str())];
    let mut last = None;
    for raw in raw {
        match declared.value(&args.name, &raw) {
            Ok(value) => {
                match (&args.file, &args.etcd) {
                    (Some(file), _) => FileSource::new(file).set(&args.name, &value)?,
                    #[cfg(feature = "params")]
                    (None, Some(url)) => Etcd::new(url, &args.prefix).set(&args.name, &value)?,
                    #[cfg(not(feature = "params"))]
                    (None, Some(_)) => {
                        return Err(Failure::Said(crate::features::ETCD.absent()));
                    }
                    (None, None) => {
                        let message = "say where to: --file FILE, or --etcd URL";
                        return Err(Failure::Said(message.to_owned()));
                    }
                }
                return output.line(format_args!("{} = {}", args.name, value));
            }
            Err(error) => last = last.or(Some(error)),
        }
    }
    Err(last.map_or(Failure::Found, Failure::from))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn joined(values: &[Value]) -> String {
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}
