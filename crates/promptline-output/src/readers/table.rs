//! Markdown tables: the rows are objects by the names of the columns; a table of two columns may also be the
//! fields of one object.

use serde_json::{Map, Value};

use super::{Found, bare};
use crate::repair::Span;

pub(super) fn read(text: &str) -> Vec<Found> {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push((at, line.trim_end()));
        at += line.len();
    }
    let Some(rule) = lines.iter().position(|(_, line)| is_rule(line)).filter(|at| *at > 0) else {
        return Vec::new();
    };
    // Of two tables it is unknown which is meant.
    if lines.iter().skip(rule + 1).any(|(_, line)| is_rule(line)) {
        return Vec::new();
    }
    let Some(&(start, header)) = lines.get(rule - 1) else { return Vec::new() };
    let names = cells(header);
    let closed = header.trim_end().ends_with('|');
    let mut rows: Vec<Vec<Value>> = Vec::new();
    let mut end = start;
    let mut cut = false;
    for (at, line) in lines.iter().skip(rule + 1).take_while(|(_, line)| line.contains('|')) {
        end = at + line.len();
        let row = cells(line);
        cut = row.len() < names.len() || closed && !line.ends_with('|');
        if row.len() > names.len() {
            return Vec::new();
        }
        rows.push(row.into_iter().map(value).collect());
    }
    // Only the last row may lack something.
    cut &= end == text.trim_end().len();
    let span = Span::new(start, end);
    let found = |value: Value, format| Found { value, span, format, cut };
    let objects = rows.iter().map(|row| {
        let fields = names.iter().zip(row);
        let fields = fields.map(|(name, value)| (name.to_string(), value.clone()));
        Value::Object(fields.collect())
    });
    let mut all = vec![found(objects.collect(), "a Markdown table")];
    if names.len() == 2 {
        let mut fields = Map::new();
        for row in &rows {
            if let [Value::String(name), value] = row.as_slice() {
                fields.insert(name.clone(), value.clone());
            }
        }
        all.push(found(Value::Object(fields), "a Markdown table of fields"));
    }
    all
}

/// `|---|:-:|`
fn is_rule(line: &str) -> bool {
    line.contains('-')
        && line.contains('|')
        && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

/// The cells of a row; `\|` is a bar.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = match line.strip_suffix('|') {
        Some(rest) if !rest.ends_with('\\') => rest,
        _ => line,
    };
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for c in line.chars() {
        match c {
            '|' if !escaped => cells.push(String::new()),
            '|' => {
                if let Some(cell) = cells.last_mut() {
                    cell.pop();
                    cell.push('|');
                }
            }
            c => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(c);
                }
            }
        }
        escaped = c == '\\';
    }
    cells.iter().map(|cell| bare(cell).to_owned()).collect()
}

fn value(cell: String) -> Value {
    if cell.is_empty() { Value::Null } else { Value::from(cell) }
}
