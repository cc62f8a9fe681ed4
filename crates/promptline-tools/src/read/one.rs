//! One tool in one of the known forms. What is wrong with it costs at most the tool.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::form::{Form, FormKind, form_of};
use super::gather::Gather;
use super::notes::{JsonPath, Notes, shown};
use super::repair;
use super::shape::Around;
use crate::json::{DEEPEST, is_deeper};
use crate::{Grammar, GrammarSyntax, McpAnnotations, McpTool, Tool};
use promptline_diagnostic::words::listed;

type Object = Map<String, Value>;

/// Reads a tool and adds it, or says why it is left out.
pub(super) fn read(outer: &Object, around: Around<'_>, place: &JsonPath<'_>, gather: &mut Gather) {
    gather.notes.begin(name_of(outer));
    let form = match form_of(outer, around.gemini) {
        Ok(form) => form,
        Err(why) => return gather.notes.left_out(place, name_of(outer), why),
    };
    let inside;
    let (tool, place) = match form.wrapper {
        None => (outer, place),
        Some(key) => {
            inside = place.key(key);
            let Some(tool) = outer.get(key).and_then(Value::as_object) else {
                return gather.notes.left_out(inside, None, "it is not an object");
            };
            other_keys(outer, &["type", key], place, &mut gather.notes);
            (tool, &inside)
        }
    };
    gather.notes.begin(name_of(tool));
    let name = match tool.get("name") {
        Some(Value::String(name)) if !name.trim().is_empty() => name,
        Some(_) => {
            let why = "its name is blank or no string";
            return gather.notes.left_out(place.key("name"), None, why);
        }
        None => return gather.notes.left_out(place, None, "it has no name"),
    };
    if tool.values().any(|value| is_deeper(value, DEEPEST)) {
        let why = format_args!("it is nested more than {DEEPEST} deep");
        return gather.notes.left_out(place, Some(name), why);
    }
    let description = description(tool, place, &mut gather.notes);
    if form.kind == FormKind::Freeform {
        if around.given {
            let why = "a tool of an MCP server takes JSON, not a free text";
            return gather.notes.left_out(place, Some(name), why);
        }
        let grammar = grammar(tool, place, &mut gather.notes);
        other_keys(tool, form.known, place, &mut gather.notes);
        gather.add(own(name, description).with_free_text(grammar), place);
        return;
    }
    let schema = match schema(tool, form, place, &mut gather.notes) {
        Ok(schema) => schema,
        Err((key, why)) => return gather.notes.left_out(place.key(key), Some(name), why),
    };
    if form.kind != FormKind::Mcp && !around.given {
        other_keys(tool, form.known, place, &mut gather.notes);
        gather.add(own(name, description).with_schema(schema), place);
        return;
    }
    other_keys(tool, &[form.known, &OF_MCP].concat(), place, &mut gather.notes);
    let mut found = McpTool::new(name.as_str(), "", schema);
    found.description = description;
    of_mcp(&mut found, tool, place, &mut gather.notes);
    let tool = match around.server {
        Some(server) => Tool::mcp(server, &found),
        // Whose it is, is not known: then it is as good as one of the host's own.
        None => Tool::listed(&found),
    };
    if gather.add(tool, place) {
        gather.mcp.push(found);
    }
}

fn name_of(tool: &Object) -> Option<&str> {
    tool.get("name").and_then(Value::as_str)
}

fn own(name: &str, description: Option<String>) -> Tool {
    Tool::new(name).with_description(description.unwrap_or_default())
}

/// Words, whatever they are written as.
fn description(tool: &Object, place: &JsonPath<'_>, notes: &mut Notes) -> Option<String> {
    match tool.get("description") {
        None | Some(Value::Null) => None,
        Some(Value::String(words)) => Some(words.clone()),
        Some(other) => {
            let what = "the description is no string; it is taken as it is written";
            notes.repaired(&place.key("description"), what);
            Some(other.to_string())
        }
    }
}

/// The schema of the arguments, or the key that is wrong and why.
fn schema(
    tool: &Object,
    form: &Form,
    place: &JsonPath<'_>,
    notes: &mut Notes,
) -> Result<Value, (&'static str, String)> {
    let nothing = || json!({"type": "object", "properties": {}});
    let key = form.schema.iter().find(|key| tool.contains_key(**key));
    let Some((key, value)) = key.and_then(|key| Some((*key, tool.get(*key)?))) else {
        if matches!(form.kind, FormKind::Mcp | FormKind::WithSchema) {
            notes.repaired(place, "it has no schema, and takes nothing");
        }
        return Ok(nothing());
    };
    for other in form.schema.iter().filter(|other| **other != key) {
        if tool.get(*other).is_some_and(|schema| !schema.is_null()) {
            let what = format_args!("it is not read: the schema is that under `{key}`");
            notes.not_kept(&place.key(other), what);
        }
    }
    let outer = place.key(key);
    let inside;
    // Bedrock has the schema in `json`.
    let in_json = value.get("json").filter(|_| form.wrapper == Some("toolSpec"));
    let (value, place) = match in_json {
        Some(value) => {
            inside = outer.key("json");
            (value, &inside)
        }
        None => (value, &outer),
    };
    let mut schema = match value {
        Value::Object(_) => value.clone(),
        Value::Null => {
            notes.repaired(place, "the schema is null; the tool takes nothing");
            nothing()
        }
        Value::Array(items) if items.is_empty() => {
            notes.repaired(place, "the schema is an empty list; the tool takes nothing");
            nothing()
        }
        Value::Bool(true) => {
            notes.repaired(place, "the schema is `true`; the tool takes any object");
            json!({"type": "object"})
        }
        Value::String(text) => match serde_json::from_str(text) {
            Ok(schema @ Value::Object(_)) => {
                notes.repaired(place, "the schema was a string of JSON");
                schema
            }
            _ => return Err((key, "its schema is a string, not an object".to_owned())),
        },
        _ => return Err((key, "its schema is not an object".to_owned())),
    };
    let dialect = match form.kind {
        FormKind::Gemini if key == "parameters" => repair::Dialect::Gemini,
        _ => repair::Dialect::JsonSchema,
    };
    repair::arguments(&mut schema, dialect, place, notes).map_err(|why| (key, why))?;
    Ok(schema)
}

/// What a free text must look like.
fn grammar(tool: &Object, place: &JsonPath<'_>, notes: &mut Notes) -> Option<Grammar> {
    let format = tool.get("format").filter(|format| !format.is_null())?;
    let outer = place.key("format");
    if format.get("type").and_then(Value::as_str) == Some("text") {
        return None;
    }
    let grammar = format.get("grammar").unwrap_or(format);
    let syntax = match grammar.get("syntax").and_then(Value::as_str) {
        Some("lark") => Some(GrammarSyntax::Lark),
        Some("regex") => Some(GrammarSyntax::Regex),
        _ => None,
    };
    match (syntax, grammar.get("definition").and_then(Value::as_str)) {
        (Some(syntax), Some(definition)) => Some(Grammar::new(syntax, definition)),
        _ => {
            let what = "no grammar in `lark` or `regex` with a `definition`; any text is taken";
            notes.repaired(&outer, what);
            None
        }
    }
}

/// The keys that only MCP has.
const OF_MCP: [&str; 4] = ["title", "outputSchema", "annotations", "_meta"];

/// What only MCP says about a tool.
fn of_mcp(found: &mut McpTool, tool: &Object, place: &JsonPath<'_>, notes: &mut Notes) {
    match tool.get("title") {
        None | Some(Value::Null) => {}
        Some(Value::String(title)) => found.title = Some(title.clone()),
        Some(other) => {
            notes.repaired(
                &place.key("title"),
                "the title is no string; it is taken as it is written",
            );
            found.title = Some(other.to_string());
        }
    }
    match tool.get("outputSchema") {
        None | Some(Value::Null) => {}
        Some(schema @ Value::Object(_)) => found.output_schema = Some(Arc::new(schema.clone())),
        Some(_) => {
            notes.repaired(&place.key("outputSchema"), "it is not an object, and is left out")
        }
    }
    match tool.get("_meta") {
        None | Some(Value::Null) => {}
        Some(Value::Object(meta)) => found.meta = meta.clone(),
        Some(_) => notes.repaired(&place.key("_meta"), "it is not an object, and is left out"),
    }
    match tool.get("annotations") {
        None | Some(Value::Null) => {}
        Some(Value::Object(hints)) => {
            found.annotations = Some(annotations(hints, &place.key("annotations"), notes));
        }
        Some(_) => {
            notes.repaired(&place.key("annotations"), "it is not an object, and is left out")
        }
    }
}

fn annotations(hints: &Object, place: &JsonPath<'_>, notes: &mut Notes) -> McpAnnotations {
    let mut read = McpAnnotations::default();
    for (key, value) in hints {
        let hint = match key.as_str() {
            "title" => {
                match value {
                    Value::String(title) => read.title = Some(title.clone()),
                    Value::Null => {}
                    _ => notes.repaired(&place.key(key), "it is no string, and is left out"),
                }
                continue;
            }
            "readOnlyHint" => &mut read.read_only_hint,
            "destructiveHint" => &mut read.destructive_hint,
            "idempotentHint" => &mut read.idempotent_hint,
            "openWorldHint" => &mut read.open_world_hint,
            _ => {
                notes.not_kept(&place.key(key), "it is not kept: a tool has no place for it");
                continue;
            }
        };
        *hint = value.as_bool();
        if hint.is_none() && !value.is_null() {
            notes.repaired(&place.key(key), "it is neither true nor false, and is left out");
        }
    }
    read
}

/// Says which keys are not kept. One that says nothing (`null`, or `strict: false`, which is how tools
/// are written anyway) is not worth a word.
fn other_keys(tool: &Object, known: &[&str], place: &JsonPath<'_>, notes: &mut Notes) {
    let says_nothing =
        |key: &str, value: &Value| value.is_null() || key == "strict" && *value == json!(false);
    let keys: Vec<String> = tool
        .iter()
        .filter(|(key, value)| !known.contains(&key.as_str()) && !says_nothing(key, value))
        .map(|(key, _)| shown(key))
        .collect();
    if !keys.is_empty() {
        let keys = listed(keys.iter().map(String::as_str));
        notes.not_kept(place, format_args!("a tool has no place for {keys}"));
    }
}
