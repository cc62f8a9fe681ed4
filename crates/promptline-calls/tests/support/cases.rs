//! The shared cases: how they are written, and answers cut into pieces.

use promptline_calls::CallGrammar;
use serde_json::Value;

pub(crate) fn grammar(tools: &Value) -> CallGrammar {
    let strings = |value: &Value| -> Vec<String> {
        let list = value.as_array().into_iter().flatten();
        list.map(|one| one.as_str().expect("a name").to_owned()).collect()
    };
    tools.as_array().into_iter().flatten().fold(CallGrammar::default(), |grammar, tool| {
        let bodies = strings(&tool["raw"]);
        let params = strings(&tool["params"]);
        let params = params.iter().map(|name| (name.as_str(), bodies.contains(name)));
        grammar.tool(tool["name"].as_str().expect("a name"), params)
    })
}

/// A text, which may be written as something repeated; so many times fewer.
pub(crate) fn text(value: &Value, divisor: u64) -> String {
    let Some(parts) = value["$rep"].as_array() else {
        return value.as_str().expect("a text").to_owned();
    };
    let part = |at: usize| parts[at].as_str().expect("a text");
    let count = usize::try_from(parts[2].as_u64().expect("a count") / divisor).unwrap();
    format!("{}{}{}", part(0), part(1).repeat(count), part(3))
}

/// Calls, which may be written as one repeated, with texts that may be.
pub(crate) fn calls(value: &Value, divisor: u64) -> Value {
    let calls: Vec<Value> = match value["$rep"].as_array() {
        Some(parts) => {
            let count = usize::try_from(parts[2].as_u64().expect("a count") / divisor).unwrap();
            vec![parts[1].clone(); count]
        }
        None => value.as_array().expect("calls").clone(),
    };
    let expand = |mut call: Value| {
        for arg in call["args"].as_object_mut().into_iter().flat_map(|args| args.values_mut()) {
            if arg.get("$rep").is_some() {
                *arg = Value::String(text(arg, divisor));
            }
        }
        call
    };
    Value::Array(calls.into_iter().map(expand).collect())
}

/// Pieces of so many characters.
pub(crate) fn pieces(text: &str, size: usize) -> Vec<&str> {
    let cuts: Vec<usize> = text.char_indices().step_by(size).map(|(at, _)| at).skip(1).collect();
    cut(text, cuts)
}

pub(crate) fn cut(text: &str, cuts: impl IntoIterator<Item = usize>) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for cut in cuts {
        pieces.push(&text[start..cut]);
        start = cut;
    }
    pieces.push(&text[start..]);
    pieces
}

/// Pieces of 1 to 40 characters, the same for the same seed.
pub(crate) fn random_pieces(text: &str, seed: u64) -> Vec<&str> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    let mut left = 0;
    let cuts: Vec<usize> = text
        .char_indices()
        .filter(|_| {
            if left == 0 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                left = state % 40;
                return true;
            }
            left -= 1;
            false
        })
        .map(|(at, _)| at)
        .collect();
    cut(text, cuts)
}
