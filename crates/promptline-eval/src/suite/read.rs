//! Suites from YAML, TOML, JSON and CSV.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::Spanned;

use super::case::Case;
use super::check::Finding;
use super::place::{Place, byte_at, line_column};
use super::{PromptSource, RequestSettings, Suite, table};
use crate::assertion::{Mode, Normalize};
use crate::gate::Gate;

/// Cases in the file, or the name of a file that has them.
enum Cases<C> {
    Here(Vec<C>),
    In(String),
}

impl<C> Default for Cases<C> {
    fn default() -> Self {
        Self::Here(Vec::new())
    }
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for Cases<C> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either<C>(std::marker::PhantomData<C>);
        impl<'de, C: Deserialize<'de>> Visitor<'de> for Either<C> {
            type Value = Cases<C>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a list of cases, or the name of a CSV file")
            }

            fn visit_str<E>(self, file: &str) -> Result<Self::Value, E> {
                Ok(Cases::In(file.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                let mut cases = Vec::new();
                while let Some(case) = items.next_element()? {
                    cases.push(case);
                }
                Ok(Cases::Here(cases))
            }
        }
        from.deserialize_any(Either(std::marker::PhantomData))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "C: Deserialize<'de>")]
struct Raw<C> {
    suite: String,
    #[serde(default)]
    prompt: PromptSource,
    #[serde(default)]
    compat: Option<Mode>,
    #[serde(default)]
    normalize: Normalize,
    #[serde(default)]
    repeat: Option<u32>,
    #[serde(default)]
    request: RequestSettings,
    #[serde(default)]
    gate: Gate,
    #[serde(default)]
    cases: Cases<C>,
}

/// Reads a suite from a file.
///
/// # Errors
/// What is wrong, with its place.
pub fn load(file: &Path) -> Result<Suite, Vec<Finding>> {
    let name = file.display().to_string();
    let unreadable = |error: String| vec![Finding::error(&name, 1, 1, "unreadable", error)];
    let bytes =
        std::fs::read(file).map_err(|error| unreadable(format!("it cannot be read: {error}")))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    parse(&name, &bytes, folder)
}

/// Text of a file that may have a byte order mark, or be GBK.
///
/// # Errors
/// When it is neither UTF-8, UTF-16 with a byte order mark, nor GBK (GB 18030).
pub fn decode(bytes: &[u8]) -> Result<(String, &'static str), String> {
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(bytes) {
        let (text, _, wrong) = encoding.decode(bytes);
        return match wrong {
            false => Ok((text.into_owned(), encoding.name())),
            true => Err(format!("it says that it is {}, and is not", encoding.name())),
        };
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok((text.to_owned(), "UTF-8"));
    }
    let (text, wrong) = encoding_rs::GB18030.decode_without_bom_handling(bytes);
    match wrong || text.contains(|c: char| c.is_control() && !c.is_whitespace()) {
        false => Ok((text.into_owned(), "GBK")),
        true => Err(String::from("it is neither UTF-8 nor GBK; save it as UTF-8")),
    }
}

/// Reads a suite. The name's ending says the format: `.toml`, `.csv`, otherwise YAML, which JSON is, too.
///
/// # Errors
/// What is wrong, with its place.
pub fn parse(name: &str, bytes: &[u8], folder: &Path) -> Result<Suite, Vec<Finding>> {
    let (text, encoding) =
        decode(bytes).map_err(|error| vec![Finding::error(name, 1, 1, "encoding", error)])?;
    let mut suite = read(name, &text, folder).map_err(|finding| vec![finding])?;
    if encoding != "UTF-8" {
        suite.notes.push(Finding::note(
            name,
            1,
            1,
            "encoding",
            format!("it was read as {encoding}"),
        ));
    }
    suite.folder = folder.to_owned();
    suite.sources.insert(name.to_owned(), text);
    name_cases(&mut suite.cases);
    Ok(suite)
}

fn read(name: &str, text: &str, folder: &Path) -> Result<Suite, Finding> {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending {
        "csv" => {
            let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let mut suite = Suite { name: stem.unwrap_or_default(), repeat: 1, ..Suite::default() };
            take(&mut suite, table::cases(text, name)?);
            Ok(suite)
        }
        "toml" => {
            let raw: Raw<toml::Spanned<Case>> = toml::from_str(text).map_err(|error| {
                let (line, column) = line_column(text, error.span().map_or(0, |span| span.start));
                Finding::error(name, line, column, "syntax", error.message().to_owned())
            })?;
            let place = |case: &toml::Spanned<Case>| case.span().start;
            build(name, text, folder, raw, place, toml::Spanned::into_inner)
        }
        _ => {
            let wrong = |error: serde_saphyr::Error| {
                let place = error.location();
                let (line, column) =
                    place.map_or((1, 1), |place| (place.line() as usize, place.column() as usize));
                Finding::error(name, line, column, "syntax", error.without_snippet().to_string())
            };
            let place = |case: &Spanned<Case>| {
                byte_at(text, case.referenced.line() as usize, case.referenced.column() as usize)
            };
            if text.trim_start().starts_with(['[', '-']) {
                // The seed's list of cases.
                let cases: Vec<Spanned<Case>> = serde_saphyr::from_str(text).map_err(wrong)?;
                let stem =
                    Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let raw = Raw {
                    suite: stem.unwrap_or_default(),
                    prompt: PromptSource::default(),
                    compat: None,
                    normalize: Normalize::default(),
                    repeat: None,
                    request: RequestSettings::default(),
                    gate: Gate::default(),
                    cases: Cases::Here(cases),
                };
                return build(name, text, folder, raw, place, |case| case.value);
            }
            let raw: Raw<Spanned<Case>> = serde_saphyr::from_str(text).map_err(wrong)?;
            build(name, text, folder, raw, place, |case| case.value)
        }
    }
}

fn build<C>(
    name: &str,
    text: &str,
    folder: &Path,
    raw: Raw<C>,
    place: impl Fn(&C) -> usize,
    inner: impl Fn(C) -> Case,
) -> Result<Suite, Finding> {
    let mut suite = Suite {
        name: raw.suite,
        prompt: raw.prompt,
        mode: raw.compat.unwrap_or_default(),
        normalize: raw.normalize,
        repeat: raw.repeat.unwrap_or(1),
        request: raw.request,
        gate: raw.gate,
        ..Suite::default()
    };
    match raw.cases {
        Cases::Here(cases) => {
            let starts: Vec<usize> = cases.iter().map(&place).collect();
            let ends = starts.iter().skip(1).copied().chain([text.len()]);
            let places = starts.iter().zip(ends).map(|(start, end)| Place {
                file: name.to_owned(),
                start: *start,
                end,
            });
            take(&mut suite, places.zip(cases).map(|(place, case)| (inner(case), place)).collect());
        }
        Cases::In(file) => {
            let path = folder.join(&file);
            let shown = path.display().to_string();
            let unreadable = |error: String| Finding::error(&shown, 1, 1, "unreadable", error);
            let bytes = std::fs::read(&path)
                .map_err(|error| unreadable(format!("it cannot be read: {error}")))?;
            let (text, encoding) = decode(&bytes).map_err(unreadable)?;
            take(&mut suite, table::cases(&text, &shown)?);
            if encoding != "UTF-8" {
                suite.notes.push(Finding::note(
                    &shown,
                    1,
                    1,
                    "encoding",
                    format!("it was read as {encoding}"),
                ));
            }
            suite.sources.insert(shown, text);
        }
    }
    Ok(suite)
}

fn take(suite: &mut Suite, cases: Vec<(Case, Place)>) {
    let (cases, places) = cases.into_iter().unzip();
    suite.cases = cases;
    suite.places = places;
}

/// A case without an id is named by what it asks, so that its name does not depend on its place.
fn name_cases(cases: &mut [Case]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases.iter_mut().filter(|case| case.id.is_empty()) {
        let asked = serde_json::json!([case.query, case.messages, case.vars]);
        let hash = crate::hash::of(&asked);
        let name = format!("q-{}", hash.get(..8).unwrap_or_default());
        let count = seen.entry(name.clone()).or_insert(0);
        *count += 1;
        case.id = if *count > 1 { format!("{name}-{count}") } else { name };
    }
}
