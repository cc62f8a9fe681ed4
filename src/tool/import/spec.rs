//! One tool in one of the known forms, as a spec. What is wrong with it costs at most the tool.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::form::{Form, Kind, form_of};
use super::list::Gather;
use super::notes::{Notes, Place, shown};
use super::repair;
use super::shape::Around;
use crate::context::{DEEPEST, McpAnnotations, McpTool, is_deeper};
use crate::text::Text;
use crate::tool::{Annotations, Grammar, GrammarSyntax, ToolSpec};
use promptline_diagnostic::words::listed;

type Object = Map<String, Value>;

/// Reads a tool and adds it, or says why it is left out.
pub(super) fn read(outer: &Object, around: Around<'_>, place: &Place<'_>, gather: &mut Gather) {
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
    if form.kind == Kind::Freeform {
        if around.given {
            let why = "a tool of an MCP server takes JSON, not a free text";
            return gather.notes.left_out(place, Some(name), why);
        }
        let grammar = grammar(tool, place, &mut gather.notes);
        other_keys(tool, form.known, place, &mut gather.notes);
        gather.add(spec(name, description).freeform(grammar), place);
        return;
    }
    let schema = match schema(tool, form, place, &mut gather.notes) {
        Ok(schema) => schema,
        Err((key, why)) => return gather.notes.left_out(place.key(key), Some(name), why),
    };
    if form.kind != Kind::Mcp && !around.given {
        other_keys(tool, form.known, place, &mut gather.notes);
        gather.add(spec(name, description).schema(schema), place);
        return;
    }
    other_keys(tool, &[form.known, &OF_MCP].concat(), place, &mut gather.notes);
    let mut found = McpTool::new(name.as_str(), "", schema);
    found.description = description;
    of_mcp(&mut found, tool, place, &mut gather.notes);
    let spec = match around.server {
        Some(server) => ToolSpec::mcp(server, &found),
        // Nobody knows whose it is: then it is as good as one of the host's own.
        None => ToolSpec {
            annotations: found.annotations.as_ref().map(Annotations::from).unwrap_or_default(),
            title: found.title.clone(),
            output_schema: found.output_schema.clone(),
            meta: found.meta.clone(),
            ..self::spec(name, found.description.clone()).schema(Arc::clone(&found.input_schema))
        },
    };
    if gather.add(spec, place) {
        gather.mcp.push(found);
    }
}

fn name_of(tool: &Object) -> Option<&str> {
    tool.get("name").and_then(Value::as_str)
}

fn spec(name: &str, description: Option<String>) -> ToolSpec {
    let words = description.unwrap_or_default();
    ToolSpec::new(name).description(Text::verbatim(words, format!("tool:{name}")))
}

/// Words, whatever they are written as.
fn description(tool: &Object, place: &Place<'_>, notes: &mut Notes) -> Option<String> {
    match tool.get("description") {
        None | Some(Value::Null) => None,
        Some(Value::String(words)) => Some(words.clone()),
        Some(other) => {
            let what = "the description is no string; it is taken as it is written";
            notes.mended(&place.key("description"), what);
            Some(other.to_string())
        }
    }
}

/// The schema of the arguments, or the key that is wrong and why.
fn schema(
    tool: &Object,
    form: &Form,
    place: &Place<'_>,
    notes: &mut Notes,
) -> Result<Value, (&'static str, String)> {
    let nothing = || json!({"type": "object", "properties": {}});
    let key = form.schema.iter().find(|key| tool.contains_key(**key));
    let Some((key, value)) = key.and_then(|key| Some((*key, tool.get(*key)?))) else {
        if matches!(form.kind, Kind::Mcp | Kind::WithSchema) {
            notes.mended(place, "it has no schema, and takes nothing");
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
            notes.mended(place, "the schema is null; the tool takes nothing");
            nothing()
        }
        Value::Array(items) if items.is_empty() => {
            notes.mended(place, "the schema is an empty list; the tool takes nothing");
            nothing()
        }
        Value::Bool(true) => {
            notes.mended(place, "the schema is `true`; the tool takes any object");
            json!({"type": "object"})
        }
        Value::String(text) => match serde_json::from_str(text) {
            Ok(schema @ Value::Object(_)) => {
                notes.mended(place, "the schema was a string of JSON");
                schema
            }
            _ => return Err((key, "its schema is a string, not an object".to_owned())),
        },
        _ => return Err((key, "its schema is not an object".to_owned())),
    };
    let dialect = match form.kind {
        Kind::Gemini if key == "parameters" => repair::Dialect::Gemini,
        _ => repair::Dialect::JsonSchema,
    };
    repair::arguments(&mut schema, dialect, place, notes).map_err(|why| (key, why))?;
    Ok(schema)
}

/// What a free text must look like.
fn grammar(tool: &Object, place: &Place<'_>, notes: &mut Notes) -> Option<Grammar> {
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
            notes.mended(&outer, what);
            None
        }
    }
}

/// The keys that only MCP has.
const OF_MCP: [&str; 4] = ["title", "outputSchema", "annotations", "_meta"];

/// What only MCP says about a tool.
fn of_mcp(found: &mut McpTool, tool: &Object, place: &Place<'_>, notes: &mut Notes) {
    match tool.get("title") {
        None | Some(Value::Null) => {}
        Some(Value::String(title)) => found.title = Some(title.clone()),
        Some(other) => {
            notes.mended(
                &place.key("title"),
                "the title is no string; it is taken as it is written",
            );
            found.title = Some(other.to_string());
        }
    }
    match tool.get("outputSchema") {
        None | Some(Value::Null) => {}
        Some(schema @ Value::Object(_)) => found.output_schema = Some(Arc::new(schema.clone())),
        Some(_) => notes.mended(&place.key("outputSchema"), "it is not an object, and is left out"),
    }
    match tool.get("_meta") {
        None | Some(Value::Null) => {}
        Some(Value::Object(meta)) => found.meta = meta.clone(),
        Some(_) => notes.mended(&place.key("_meta"), "it is not an object, and is left out"),
    }
    match tool.get("annotations") {
        None | Some(Value::Null) => {}
        Some(Value::Object(hints)) => {
            found.annotations = Some(annotations(hints, &place.key("annotations"), notes));
        }
        Some(_) => notes.mended(&place.key("annotations"), "it is not an object, and is left out"),
    }
}

fn annotations(hints: &Object, place: &Place<'_>, notes: &mut Notes) -> McpAnnotations {
    let mut read = McpAnnotations::default();
    for (key, value) in hints {
        let hint = match key.as_str() {
            "title" => {
                match value {
                    Value::String(title) => read.title = Some(title.clone()),
                    Value::Null => {}
                    _ => notes.mended(&place.key(key), "it is no string, and is left out"),
                }
                continue;
            }
            "readOnlyHint" => &mut read.read_only_hint,
            "destructiveHint" => &mut read.destructive_hint,
            "idempotentHint" => &mut read.idempotent_hint,
            "openWorldHint" => &mut read.open_world_hint,
            _ => {
                notes.not_kept(&place.key(key), "it is not kept: a spec has no place for it");
                continue;
            }
        };
        *hint = value.as_bool();
        if hint.is_none() && !value.is_null() {
            notes.mended(&place.key(key), "it is neither true nor false, and is left out");
        }
    }
    read
}

/// Says which keys are not kept. One that says nothing (`null`, or `strict: false`, which is how tools
/// are written anyway) is not worth a word.
fn other_keys(tool: &Object, known: &[&str], place: &Place<'_>, notes: &mut Notes) {
    let says_nothing =
        |key: &str, value: &Value| value.is_null() || key == "strict" && *value == json!(false);
    let keys: Vec<String> = tool
        .iter()
        .filter(|(key, value)| !known.contains(&key.as_str()) && !says_nothing(key, value))
        .map(|(key, _)| shown(key))
        .collect();
    if !keys.is_empty() {
        let keys = listed(keys.iter().map(String::as_str));
        notes.not_kept(place, format_args!("a spec has no place for {keys}"));
    }
}
