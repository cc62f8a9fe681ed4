//! Pass `well-formed`: keywords whose value is of a kind that no draft of JSON Schema allows are repaired
//! where the meaning is plain, else taken out. Providers refuse a whole request for one of them.

use serde_json::Value;

use super::walk::Walk;

/// What the value of a keyword has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Number,
    Count,
    Flag,
    List,
    Object,
}

fn form(keyword: &str) -> Option<Form> {
    Some(match keyword {
        "title" | "description" | "pattern" | "format" | "$schema" | "$id" | "$comment"
        | "$anchor" => Form::Text,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            Form::Number
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => Form::Count,
        "uniqueItems" | "nullable" | "deprecated" | "readOnly" | "writeOnly" => Form::Flag,
        "enum" | "examples" | "propertyOrdering" => Form::List,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentRequired"
        | "dependentSchemas" | "dependencies" => Form::Object,
        _ => return None,
    })
}

impl Walk<'_> {
    /// The value, repaired where it needs to be. `None` when there is nothing to be kept of it, which is
    /// noted.
    pub(super) fn well_formed(&mut self, keyword: &str, value: Value) -> Option<Value> {
        let Some(form) = form(keyword) else { return Some(value) };
        let as_number = |value: &Value| {
            let number = value.as_str()?.trim().parse::<serde_json::Number>().ok()?;
            Some(Value::Number(number))
        };
        let fits = match form {
            Form::Text => value.is_string(),
            Form::Number => value.is_number(),
            Form::Count => value.as_f64().is_some_and(|count| count >= 0.0 && count.fract() == 0.0),
            Form::Flag => value.is_boolean(),
            Form::List => value.is_array(),
            Form::Object => value.is_object(),
        };
        if fits {
            return Some(value);
        }
        let repaired = match form {
            Form::Number => as_number(&value),
            Form::Count => as_number(&value).filter(Value::is_u64),
            _ => None,
        };
        match &repaired {
            Some(_) => self.lose(keyword, "the text is taken for the number in it"),
            None => self.lose(keyword, "taken out: its value is of the wrong kind"),
        }
        repaired
    }
}
