//! `promptline parse`: a model's answer into JSON by a schema. The value goes to stdout, what was done to
//! read it to stderr.

use std::fs;
use std::io::{BufRead as _, BufReader, IsTerminal as _, Read};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use promptline_output::{OnBadItem, OutputSpec, Parsed, Pick, Risk};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::args::{ParseArgs, PickArg, RiskArg};
use crate::output::{Failure, Output};

/// The output of `--json` and `--lines`.
#[derive(Serialize)]
struct Shown<'a> {
    value: &'a Option<Value>,
    fits: bool,
    truncated: &'a Option<promptline_output::Truncated>,
    repairs: &'a [promptline_output::Repair],
    unknown: &'a [promptline_output::Unknown],
    renamed: &'a [promptline_output::Renamed],
    coerced: &'a [promptline_output::Coerced],
    duplicates: &'a [promptline_output::Duplicate],
    issues: &'a [promptline_output::Issue],
}

impl<'a> Shown<'a> {
    fn of(parsed: &'a Parsed) -> Self {
        Self {
            value: &parsed.value,
            fits: parsed.fits,
            truncated: &parsed.truncated,
            repairs: &parsed.repairs,
            unknown: &parsed.unknown,
            renamed: &parsed.renamed,
            coerced: &parsed.coerced,
            duplicates: &parsed.duplicates,
            issues: &parsed.issues,
        }
    }
}

pub(crate) fn run(args: &ParseArgs, output: &mut Output) -> Result<(), Failure> {
    let spec = match &args.schema {
        Some(file) => spec_of(file)?,
        None => OutputSpec::any(),
    };
    let spec = configured(spec, args)?;
    if args.lines {
        return lines(args, &spec, output);
    }
    let parsed = if args.stream {
        stream(args, &spec, output)?
    } else {
        spec.parse(&text_of(&args.answer)?)
    };
    if args.json {
        output.json(&Shown::of(&parsed))?;
    } else {
        report(&parsed);
        if let Some(value) = parsed.fitting() {
            output.json(value)?;
        }
    }
    if parsed.fits { Ok(()) } else { Err(Failure::Found) }
}

/// The spec of a schema in a file.
pub(crate) fn spec_of(file: &Path) -> Result<OutputSpec, Failure> {
    let text = fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let said =
        |error: &dyn std::fmt::Display| Failure::Said(format!("{}: {error}", file.display()));
    let schema = serde_json::from_str(&text).map_err(|error| said(&error))?;
    OutputSpec::from_schema(schema).map_err(|error| said(&error))
}

fn configured(spec: OutputSpec, args: &ParseArgs) -> Result<OutputSpec, Failure> {
    let pick = match args.pick {
        PickArg::Best => Pick::Best,
        PickArg::First => Pick::First,
        PickArg::Last => Pick::Last,
        PickArg::Fenced => Pick::Fenced,
    };
    let risk = match args.max_risk {
        RiskArg::Lossless => Risk::Lossless,
        RiskArg::Guess => Risk::Guess,
        RiskArg::Lossy => Risk::Lossy,
    };
    let on_bad_item = if args.drop_bad_items { OnBadItem::Drop } else { OnBadItem::Reject };
    let spec = spec.pick(pick).max_risk(risk).on_bad_item(on_bad_item);
    if args.assert_formats {
        return spec.assert_formats().map_err(|error| Failure::Said(error.to_string()));
    }
    Ok(spec)
}

/// Reads as the answer comes in: the value so far, a line each time that it has changed.
fn stream(args: &ParseArgs, spec: &OutputSpec, output: &mut Output) -> Result<Parsed, Failure> {
    let mut input = open(&args.answer)?;
    let mut stream = spec.stream();
    let mut pending = Vec::new();
    let mut buffer = [0; 4096];
    let mut last = None;
    loop {
        let read = input.read(&mut buffer).map_err(|error| unreadable(&args.answer, &error))?;
        if read == 0 {
            break;
        }
        pending.extend(buffer.iter().take(read));
        // A character may be cut between two reads.
        let whole = match std::str::from_utf8(&pending) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => {
                let at = stream.text().len() + error.valid_up_to();
                let file = args.answer.display();
                return Err(Failure::Said(format!("{file}: it is not UTF-8 at byte {at}")));
            }
        };
        let rest = pending.split_off(whole);
        let text = String::from_utf8_lossy(&pending).into_owned();
        pending = rest;
        stream.push(&text);
        let value = stream.value().cloned();
        if !args.json && value != last {
            if let Some(value) = &value {
                output.line(value)?;
                // A reader may be waiting for it.
                output.flush()?;
            }
            last = value;
        }
    }
    if !pending.is_empty() {
        return Err(Failure::Said(format!(
            "{}: it ends inside of a character",
            args.answer.display()
        )));
    }
    Ok(stream.finish())
}

/// JSONL in and out: every object comes back with what was read in its `raw`.
fn lines(args: &ParseArgs, spec: &OutputSpec, output: &mut Output) -> Result<(), Failure> {
    let bar = progress(&args.answer);
    let mut all_fit = true;
    let input = BufReader::new(open(&args.answer)?);
    for (number, line) in input.lines().enumerate() {
        let line = line.map_err(|error| unreadable(&args.answer, &error))?;
        bar.inc(line.len() as u64 + 1);
        if line.trim().is_empty() {
            continue;
        }
        let place = || format!("{}:{}", args.answer.display(), number + 1);
        let fields: Map<String, Value> = serde_json::from_str(&line).map_err(|error| {
            Failure::Said(format!("{}: a line is a JSON object: {error}", place()))
        })?;
        let Some(raw) = fields.get("raw").and_then(Value::as_str) else {
            return Err(Failure::Said(format!(
                "{}: it has no `raw`; write the model's answer there, as a string",
                place()
            )));
        };
        let parsed = spec.parse(raw);
        all_fit &= parsed.fits;
        let shown = serde_json::to_string(&Shown::of(&parsed));
        output.line(shown.map_err(|error| Failure::Said(error.to_string()))?)?;
    }
    bar.finish_and_clear();
    if all_fit { Ok(()) } else { Err(Failure::Found) }
}

/// Bytes of the file; only a terminal sees it, and only when the output is not on it.
fn progress(file: &Path) -> ProgressBar {
    let seen = std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
    let length = fs::metadata(file).ok().filter(|_| seen).map(|data| data.len());
    let Some(length) = length else { return ProgressBar::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// What was done, a line each; `--json` has all of them.
fn report(parsed: &Parsed) {
    let mut notes = Notes::default();
    let repairs = parsed.repairs.iter().map(|repair| {
        let (kind, before, after) = (word(&repair.kind), &repair.before, &repair.after);
        let (risk, at) = (word(&repair.risk), repair.span.start);
        format!("repaired ({risk}): {kind} at byte {at}: {before:?} -> {after:?}")
    });
    notes.some(repairs, parsed.repairs_left_off);
    let renamed = parsed.renamed.iter();
    notes.some(renamed.map(|one| format!("renamed: {}/{} is {}", one.path, one.from, one.to)), 0);
    let coerced = parsed.coerced.iter().map(|one| {
        format!("coerced ({}): {} {} -> {}", word(&one.risk), one.path, one.before, one.after)
    });
    notes.some(coerced, 0);
    let unknown = parsed.unknown.iter().map(|one| {
        let what = if one.kept { "kept" } else { "left out" };
        format!("unknown: {} {what}: {}", one.path, one.value)
    });
    notes.some(unknown, 0);
    let twice = parsed.duplicates.iter();
    let twice =
        twice.map(|one| format!("twice: {}, the last value counts, not {}", one.path, one.dropped));
    notes.some(twice, 0);
    let cut = parsed.truncated.iter();
    notes.some(cut.map(|cut| format!("cut off: at byte {}, in `{}`", cut.at, cut.path)), 0);
    notes.some(parsed.issues.iter().map(|issue| format!("issue: {}", issue.message)), 0);
    if !notes.0.is_empty() {
        Output::note(&notes.0);
    }
}

/// Lines for people.
#[derive(Default)]
struct Notes(String);

impl Notes {
    /// As many of one kind as are useful to read.
    fn some(&mut self, mut lines: impl Iterator<Item = String>, unlisted: usize) {
        const MOST: usize = 100;
        /// In bytes: a value that was left out may be the whole answer.
        const LONGEST: usize = 1_000;
        for line in lines.by_ref().take(MOST) {
            let shown = line.get(..line.floor_char_boundary(LONGEST)).unwrap_or(&line);
            self.0.push_str(shown);
            if shown.len() < line.len() {
                self.0.push_str(&format!("… ({} bytes; --json shows all)", line.len()));
            }
            self.0.push('\n');
        }
        let more = lines.count() + unlisted;
        if more > 0 {
            self.0.push_str(&format!("… and {more} more of these\n"));
        }
    }
}

/// A kind by the name that it has in JSON.
fn word(kind: &impl Serialize) -> String {
    let kind = serde_json::to_value(kind).unwrap_or_default();
    kind.as_str().unwrap_or("other").to_owned()
}

fn open(file: &Path) -> Result<Box<dyn Read>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    let file_handle = fs::File::open(file).map_err(|error| unreadable(file, &error))?;
    Ok(Box::new(file_handle))
}

/// A file, which must be UTF-8; `-` is stdin.
fn text_of(file: &Path) -> Result<String, Failure> {
    if file == Path::new("-") {
        return crate::clean::stdin();
    }
    fs::read_to_string(file).map_err(|error| unreadable(file, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Said(format!("{}: it cannot be read: {error}", path.display()))
}
