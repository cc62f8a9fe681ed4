//! Cases in CSV. Lists are split by `|`, never by commas.

use super::case::{Case, RefusalRule};
use super::check::Finding;
use super::place::{Place, line_column};

const COLUMNS: &str = "id, query, must_contain, must_not_contain, refusal, lang, tags, critical, weight, repeat, note";

pub(super) fn cases(text: &str, file: &str) -> Result<Vec<(Case, Place)>, Finding> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(false)
        .trim(csv::Trim::Headers)
        .from_reader(text.as_bytes());
    let at = |byte: usize, message: String| {
        let (line, column) = line_column(text, byte);
        Finding::error(file, line, column, "csv", message)
    };
    let broken = |error: &csv::Error| {
        let byte = error.position().map_or(0, |place| usize::try_from(place.byte()).unwrap_or(0));
        at(byte, error.to_string())
    };
    let headers = reader.headers().map_err(|error| broken(&error))?.clone();
    let mut found = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| broken(&error))?;
        let start = record.position().map_or(0, |place| usize::try_from(place.byte()).unwrap_or(0));
        let start = start
            + text
                .get(start..)
                .map_or(0, |rest| rest.len() - rest.trim_start_matches(['\r', '\n']).len());
        let mut case = Case::default();
        for (column, value) in headers.iter().zip(&record) {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let list = || {
                value
                    .split('|')
                    .map(|item| item.trim().to_owned())
                    .filter(|item| !item.is_empty())
                    .collect()
            };
            let wrong = |what: &str| at(start, format!("`{column}`: \"{value}\" is no {what}"));
            match column {
                "id" => case.id = value.to_owned(),
                "query" => case.query = Some(value.to_owned()),
                "must_contain" => case.must_contain = list(),
                "must_not_contain" => case.must_not_contain = list(),
                "refusal" => {
                    case.refusal = Some(match value {
                        "expect" => RefusalRule::Expect,
                        "forbid" => RefusalRule::Forbid,
                        "allow" => RefusalRule::Allow,
                        _ => return Err(wrong("expect, forbid or allow")),
                    });
                }
                "refusal_max" => {
                    case.refusal_max = Some(value.parse().map_err(|_| wrong("number"))?)
                }
                "lang" => case.lang = Some(value.to_owned()),
                "tags" => case.tags = list(),
                "critical" => {
                    case.critical = match value.to_lowercase().as_str() {
                        "true" | "yes" | "1" | "x" => true,
                        "false" | "no" | "0" => false,
                        _ => return Err(wrong("yes or no")),
                    };
                }
                "weight" => case.weight = Some(value.parse().map_err(|_| wrong("number"))?),
                "repeat" => case.repeat = Some(value.parse().map_err(|_| wrong("number"))?),
                "note" => case.note = Some(value.to_owned()),
                _ => {
                    let message =
                        format!("unknown column `{column}`\nhelp: the columns are {COLUMNS}");
                    return Err(Finding::error(file, 1, 1, "csv", message));
                }
            }
        }
        let end = usize::try_from(reader_end(&record, text)).unwrap_or(text.len());
        found.push((case, Place { file: file.to_owned(), start, end }));
    }
    Ok(found)
}

/// Where a record ends: its fields and what is between them are all that it has.
fn reader_end(record: &csv::StringRecord, text: &str) -> u64 {
    let start = record.position().map_or(0, csv::Position::byte);
    let length: usize = record.iter().map(|field| field.len() + 3).sum();
    (start + length as u64).min(text.len() as u64)
}
