//! Streams an answer and executes its calls: text is shown as it comes, a call is executed when it is
//! whole, and what is incomplete is told to the model.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it does")]

use std::sync::Arc;

use promptline_calls::{Call, CallGrammar, CallParser, Event, Options};
use promptline_tools::Tool;
use serde_json::json;

/// What a model might say, as it comes from the wire.
const CHUNKS: [&str; 5] = [
    "Two files, then. I use `<add>` for ea",
    "ch.\n<add>\n<left>2</left>\n<rig",
    "ht>3</right>\n</add>\nAnd the other:\n<add>\n<left>4</left>",
    "\n<right>five</right>\n</add>\nOne more: <add>\n<left>1</le",
    "ft>",
];

fn main() {
    let add = Tool::new("add").with_description("Adds two numbers.").with_schema(json!({
        "type": "object",
        "properties": {"left": {"type": "integer"}, "right": {"type": "integer"}},
        "required": ["left", "right"],
    }));
    // The same tools are offered to the model, so that both agree on names and parameters.
    let grammar = Arc::new(CallGrammar::from_tools([add]));

    let mut results = Vec::new();
    let mut on = |event: Event<'_>| match event {
        Event::Text { text, .. } => print!("{text}"),
        Event::CallEnd { call, .. } if call.complete() => results.push(execute(&grammar, call)),
        Event::CallEnd { call, .. } => {
            results.push(format!("{} was cut off; send it again, whole", call.name));
        }
        Event::Diagnostic(diagnostic) => eprintln!("{diagnostic}"),
        _ => {}
    };
    let mut parser = CallParser::new(Arc::clone(&grammar), Options::default());
    for chunk in CHUNKS {
        parser.push(chunk, &mut on);
    }
    parser.finish(&mut on);
    println!("\n\nTo the model:");
    for result in results {
        println!("- {result}");
    }
}

fn execute(grammar: &CallGrammar, call: &Call) -> String {
    let (args, issues) = grammar.typed(call);
    if let Some(issue) = issues.first() {
        return format!("{}: {issue}", call.name);
    }
    let number =
        |name: &str| args.get(name).and_then(serde_json::Value::as_i64).unwrap_or_default();
    format!("{}: {}", call.name, number("left").wrapping_add(number("right")))
}
