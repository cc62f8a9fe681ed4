//! Finds the tools in whatever holds them: a bare list, a request, a response, a page, a server. It
//! goes no deeper than such things are nested.

use serde_json::{Map, Value};

use super::ReadOptions;
use super::gather::Gather;
use super::notes::{JsonPath, shown};
use super::one;

/// Lists of tools are not nested deeper than this.
const DEEPEST: usize = 12;
/// So many tools are read.
pub(super) const MOST_TOOLS: usize = 10_000;

/// The keys that hold tools, or something with tools in it.
const HOLDERS: [&str; 5] =
    ["tools", "toolConfig", "functionDeclarations", "function_declarations", "functions"];

/// What is known on the way to a tool.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around<'v> {
    /// The MCP server whose list it is in.
    pub(super) server: Option<&'v str>,
    /// The caller says so: then it is one of its tools, however it is written.
    pub(super) given: bool,
    /// It is in a list of Gemini's function declarations.
    pub(super) gemini: bool,
    depth: usize,
}

pub(super) fn read(value: &Value, options: &ReadOptions, gather: &mut Gather) {
    let mut walk = Walk { given: options.server.as_deref(), introduced: None, gather, told: false };
    walk.value(value, Around::default(), &JsonPath::root());
}

struct Walk<'v, 'g> {
    /// The server that the caller named.
    given: Option<&'v str>,
    /// The server that the last `serverInfo` named.
    introduced: Option<&'v str>,
    gather: &'g mut Gather,
    /// That there are too many tools was said.
    told: bool,
}

impl<'v> Walk<'v, '_> {
    fn value(&mut self, value: &'v Value, around: Around<'v>, place: &JsonPath<'_>) {
        let around = Around { depth: around.depth + 1, ..around };
        match value {
            Value::Array(_) | Value::Object(_) if around.depth > DEEPEST => {
                let why = format_args!("lists of tools are not nested more than {DEEPEST} deep");
                self.left_out(place, why);
            }
            Value::Array(items) => {
                for (position, item) in items.iter().enumerate() {
                    self.value(item, around, &place.at(position));
                }
            }
            Value::Object(object) => self.object(object, around, place),
            _ => self.left_out(place, "a tool is an object"),
        }
    }

    fn object(&mut self, object: &'v Map<String, Value>, around: Around<'v>, place: &JsonPath<'_>) {
        self.introduction(object);
        if object.contains_key("jsonrpc") || is_response(object) {
            return self.message(object, around, place);
        }
        let held: Vec<&'static str> =
            HOLDERS.into_iter().filter(|key| object.contains_key(*key)).collect();
        if held.is_empty() {
            if !object.contains_key("serverInfo") {
                self.tool(object, around, place);
            }
            return;
        }
        let own = object.get("name").or_else(|| object.get("server")).and_then(Value::as_str);
        for key in held {
            let gemini = key.starts_with("functionD") || key.starts_with("function_d");
            let around = Around { server: own.or(around.server), gemini, ..around };
            let place = place.key(key);
            match object.get(key) {
                Some(value @ (Value::Array(_) | Value::Object(_))) => {
                    self.value(value, around, &place);
                }
                Some(Value::Null) | None => {}
                Some(_) => self.left_out(&place, "it is not a list"),
            }
        }
        // Beside declarations, Gemini lists tools of its own by their keys.
        let own = |key: &&String| key.starts_with("google") || key.starts_with("code");
        if object.keys().any(|key| key.starts_with("function")) {
            for key in object.keys().filter(own) {
                let why = "it is no function, but a tool that a provider brings itself";
                self.left_out(&place.key(key), why);
            }
        }
        if let Some(cursor) = object.get("nextCursor").and_then(Value::as_str) {
            let cursor = shown(cursor);
            self.gather.notes.list(
                "tool-list-goes-on",
                format!("`{place}`: there are more tools on the page behind the cursor `{cursor}`"),
            );
        }
    }

    /// A message of JSON-RPC: only a response can hold tools.
    fn message(
        &mut self,
        object: &'v Map<String, Value>,
        around: Around<'v>,
        place: &JsonPath<'_>,
    ) {
        if let Some(error) = object.get("error").filter(|error| !error.is_null()) {
            let message = error.get("message").and_then(Value::as_str).unwrap_or("no message");
            let message = shown(message);
            self.gather
                .notes
                .list("tool-list-failed", format!("`{place}`: the server answered: {message}"));
        }
        let Some(Value::Object(result)) = object.get("result") else {
            return;
        };
        self.introduction(result);
        if result.contains_key("tools") {
            self.object(result, around, &place.key("result"));
        }
    }

    /// A server says its name once; what follows is its own.
    fn introduction(&mut self, object: &'v Map<String, Value>) {
        let name = object.get("serverInfo").and_then(|info| info.get("name"));
        self.introduced = name.and_then(Value::as_str).or(self.introduced);
    }

    fn tool(&mut self, tool: &'v Map<String, Value>, around: Around<'v>, place: &JsonPath<'_>) {
        if self.gather.len() < MOST_TOOLS {
            let server = self.given.or(around.server).or(self.introduced);
            let around = Around { server, given: self.given.is_some(), ..around };
            one::read(tool, around, place, self.gather);
        } else if !self.told {
            self.told = true;
            let message =
                format!("`{place}`: from here on tools are left out: {MOST_TOOLS} are read");
            self.gather.notes.list("tool-list-too-long", message);
        }
    }

    fn left_out(&mut self, place: &JsonPath<'_>, why: impl std::fmt::Display) {
        self.gather.notes.begin(None);
        self.gather.notes.left_out(place, None, why);
    }
}

/// A response whose `jsonrpc` was cut off.
fn is_response(object: &Map<String, Value>) -> bool {
    let result = object.get("result").and_then(Value::as_object);
    let held = |result: &Map<String, Value>| {
        result.contains_key("tools") || result.contains_key("serverInfo")
    };
    result.is_some_and(held)
}
