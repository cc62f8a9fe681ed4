//! The little of nunjucks that values of assertions use: `{{ name }}` with dots, `{# … #}`, raw blocks.
//! Anything else is an error, which it often is in promptfoo, too.

use serde_json::{Map, Value};

use super::js;

pub(super) fn rendered(value: &Value, vars: &Map<String, Value>) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => Value::String(render(text, vars)?),
        Value::Array(items) => {
            let each = items.iter().map(|item| match item {
                Value::String(text) => render(text, vars).map(Value::String),
                other => Ok(other.clone()),
            });
            Value::Array(each.collect::<Result<_, _>>()?)
        }
        other => other.clone(),
    })
}

fn render(text: &str, vars: &Map<String, Value>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let next =
            ["{{", "{%", "{#"].iter().filter_map(|mark| Some((rest.find(mark)?, *mark))).min();
        let Some((at, mark)) = next else {
            out.push_str(rest);
            return Ok(out);
        };
        out.push_str(rest.get(..at).unwrap_or_default());
        let inside = rest.get(at + 2..).unwrap_or_default();
        let close = match mark {
            "{{" => "}}",
            "{%" => "%}",
            _ => "#}",
        };
        let end = inside
            .find(close)
            .ok_or_else(|| format!("`{mark}` is not closed; write it in a raw block"))?;
        let expression = inside.get(..end).unwrap_or_default();
        rest = inside.get(end + 2..).unwrap_or_default();
        match mark {
            "{{" => out.push_str(&lookup(expression, vars)?),
            "{#" => {}
            _ => {
                let word = expression.trim_matches(|c: char| c == '-' || c.is_whitespace());
                if !matches!(word, "raw" | "verbatim") {
                    return Err(format!(
                        "`{{%{expression}%}}` cannot be evaluated; write it in a raw block"
                    ));
                }
                let (body, after) = raw_end(rest, word).ok_or("a raw block is not closed")?;
                out.push_str(body);
                rest = after;
            }
        }
    }
}

/// The text of a raw block, and what follows it.
fn raw_end<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    let mut from = 0;
    loop {
        let start = text.get(from..)?.find("{%")? + from;
        let end = text.get(start..)?.find("%}")? + start;
        let inside =
            text.get(start + 2..end)?.trim_matches(|c: char| c == '-' || c.is_whitespace());
        if inside.strip_prefix("end") == Some(word) {
            return Some((text.get(..start)?, text.get(end + 2..)?));
        }
        from = start + 2;
    }
}

fn lookup(expression: &str, vars: &Map<String, Value>) -> Result<String, String> {
    let expression = expression.trim_matches(|c: char| c == '-' || c.is_whitespace());
    if let Some(text) = ["'", "\""].iter().find_map(|q| expression.strip_prefix(q)?.strip_suffix(q))
    {
        return Ok(text.to_owned());
    }
    if expression.parse::<f64>().is_ok() {
        return Ok(expression.to_owned());
    }
    let name = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    if !expression.split('.').all(name) {
        return Err(format!(
            "`{{{{{expression}}}}}` cannot be evaluated; only names of variables can"
        ));
    }
    let mut parts = expression.split('.');
    let mut found = parts.next().and_then(|part| vars.get(part));
    for part in parts {
        found = found.and_then(|value| match value {
            Value::Array(items) => items.get(part.parse::<usize>().ok()?),
            other => other.get(part),
        });
    }
    Ok(match found {
        None | Some(Value::Null) => String::new(),
        Some(value) => js::string(value),
    })
}
