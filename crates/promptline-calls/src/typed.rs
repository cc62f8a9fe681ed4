//! Types: the strings of a call as the JSON that the tool's spec asks for. Lenient, and everything that
//! is not quite as it should be is said; a value that fits no type stays as it is.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use crate::call::Call;
use crate::grammar::{CallGrammar, Field};
use crate::json;

/// A JSON type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    String,
    Integer,
    Number,
    Boolean,
    Array,
    Object,
    Null,
}

/// The types that a parameter may have, the likeliest first; none: any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Kinds(Vec<Kind>);

/// Something about a value that is not as the spec says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Issue {
    /// The parameter.
    pub param: String,
    /// What is wrong with it.
    pub kind: IssueKind,
    /// The same for people.
    pub message: String,
}

/// What is wrong with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum IssueKind {
    /// A required parameter is not there.
    Missing,
    /// The tool does not declare the parameter; it is not among the values.
    Unknown,
    /// The value was read although it is not written as it should be, as `True` for `true`.
    Coerced,
    /// The value is not of the declared type; it stays as it was written.
    WrongType,
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Issue {
    fn new(kind: IssueKind, param: &str, message: String) -> Self {
        Self { param: param.to_owned(), kind, message }
    }
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::String,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "boolean" => Self::Boolean,
            "array" => Self::Array,
            "object" => Self::Object,
            "null" => Self::Null,
            _ => return None,
        })
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Array => "array",
            Self::Object => "object",
            Self::Null => "null",
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::String => value.is_string(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
            Self::Null => value.is_null(),
        }
    }

    /// The text as this type; true when it was not written as it should be.
    fn read(self, text: &str) -> Option<(Value, bool)> {
        let word = text.trim();
        match self {
            Self::String => Some((Value::from(text), false)),
            Self::Integer => integer(word),
            Self::Number => match serde_json::from_str::<Number>(word) {
                Ok(number) => Some((Value::Number(number), false)),
                Err(_) => {
                    let number = word.parse::<f64>().ok().and_then(Number::from_f64)?;
                    Some((Value::Number(number), true))
                }
            },
            Self::Boolean => match word {
                "true" => Some((Value::Bool(true), false)),
                "false" => Some((Value::Bool(false), false)),
                word if ["true", "yes", "1"].iter().any(|yes| word.eq_ignore_ascii_case(yes)) => {
                    Some((Value::Bool(true), true))
                }
                word if ["false", "no", "0"].iter().any(|no| word.eq_ignore_ascii_case(no)) => {
                    Some((Value::Bool(false), true))
                }
                _ => None,
            },
            Self::Array if word.starts_with('[') => {
                json::read_value(word).filter(|(value, _)| value.is_array())
            }
            Self::Object if word.starts_with('{') => {
                json::read_value(word).filter(|(value, _)| value.is_object())
            }
            Self::Null if word == "null" => Some((Value::Null, false)),
            Self::Null if word == "None" || word.is_empty() => Some((Value::Null, true)),
            Self::Array | Self::Object | Self::Null => None,
        }
    }
}

fn integer(word: &str) -> Option<(Value, bool)> {
    let strict = serde_json::from_str::<Number>(word).ok();
    if let Some(number) = strict.filter(|number| !number.is_f64()) {
        return Some((Value::Number(number), false));
    }
    if let Ok(number) = word.parse::<i64>() {
        return Some((number.into(), true));
    }
    // `3.0` is an integer that was written as a number.
    let (whole, zeros) = word.split_once('.')?;
    let zeros = !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0');
    whole.parse::<i64>().ok().filter(|_| zeros).map(|number| (number.into(), true))
}

impl Kinds {
    pub(crate) fn one(kind: Kind) -> Self {
        Self(vec![kind])
    }

    /// Of a JSON Schema: its `type`, one or several. Without one, any.
    pub(crate) fn of_schema(schema: &Value) -> Self {
        let kinds = match schema.get("type") {
            Some(Value::String(name)) => Kind::named(name).into_iter().collect(),
            Some(Value::Array(names)) => {
                names.iter().filter_map(|name| Kind::named(name.as_str()?)).collect()
            }
            _ => Vec::new(),
        };
        Self(kinds)
    }

    pub(crate) fn fit(&self, value: &Value) -> bool {
        self.0.is_empty() || self.0.iter().any(|kind| kind.fits(value))
    }

    /// A text as the first of the types that can read it to the letter, else as the first that can read
    /// it at all. Text is the last resort among several.
    fn read(&self, text: &str) -> Option<(Value, bool)> {
        let read = |kind: &Kind| kind.read(text);
        let others = || self.0.iter().filter(|kind| **kind != Kind::String);
        let exact = others().filter_map(read).find(|(_, coerced)| !coerced);
        let string = || self.0.contains(&Kind::String).then(|| (Value::from(text), false));
        exact.or_else(string).or_else(|| others().find_map(read))
    }

    fn words(&self) -> String {
        self.0.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" or ")
    }
}

impl CallGrammar {
    /// The arguments of a call as JSON of the types that the tool's spec says, and what is not as it
    /// should be: missing and undeclared parameters, values that had to be read leniently or could not
    /// be read. Checks types at the top level only; validation against a schema is the host's.
    ///
    /// ```
    /// use promptline_tools::Tool;
    /// use promptline_calls::{Call, CallGrammar};
    ///
    /// let schema = serde_json::json!({"properties": {"seconds": {"type": "integer"}}});
    /// let grammar = CallGrammar::from_tools([Tool::new("wait").with_schema(schema)]);
    /// let (args, issues) = grammar.typed(&Call::new("wait").with("seconds", "3"));
    /// assert_eq!(args["seconds"], 3);
    /// assert!(issues.is_empty());
    /// ```
    #[must_use]
    pub fn typed(&self, call: &Call) -> (Map<String, Value>, Vec<Issue>) {
        let mut args = Map::new();
        let mut issues = Vec::new();
        let tool = self.named(&call.name);
        for (name, value) in &call.args {
            let value = match tool.and_then(|tool| tool.field(name)) {
                Some(field) => field.typed(value, &mut issues),
                None => value.clone(),
            };
            args.insert(name.clone(), value);
        }
        for name in call.unknown.keys() {
            let message = format!("`{}` does not declare a parameter `{name}`", call.name);
            issues.push(Issue::new(IssueKind::Unknown, name, message));
        }
        for field in tool.iter().flat_map(|tool| &tool.fields) {
            if field.required && !call.args.contains_key(&field.name) {
                let message = format!("the required parameter `{}` is missing", field.name);
                issues.push(Issue::new(IssueKind::Missing, &field.name, message));
            }
        }
        (args, issues)
    }
}

impl Field {
    fn typed(&self, value: &Value, issues: &mut Vec<Issue>) -> Value {
        let name = &self.name;
        let mut coerced = |value: Value, what: String| {
            let kinds = self.kinds.words();
            let message = format!("`{name}`: {what} was read as {kinds}");
            issues.push(Issue::new(IssueKind::Coerced, name, message));
            value
        };
        if let Value::String(text) = value {
            match self.kinds.read(text) {
                Some((value, false)) => return value,
                Some((value, true)) => return coerced(value, format!("`{}`", shown(text))),
                None => {}
            }
        }
        if self.kinds.fit(value) {
            return value.clone();
        }
        // JSON where the spec wants text: the text is the JSON.
        if self.kinds.fit(&Value::String(String::new())) {
            return coerced(Value::from(value.to_string()), "JSON".to_owned());
        }
        let message = format!("`{name}` is not of the type {}", self.kinds.words());
        issues.push(Issue::new(IssueKind::WrongType, name, message));
        value.clone()
    }
}

/// The beginning of a value, for a message.
fn shown(text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    start.escape_debug().to_string()
}
