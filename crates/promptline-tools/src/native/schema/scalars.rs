//! Passes `types`, `enums`, `formats`, `items`: one schema's own words, in the form that a dialect has for
//! them. Also the order in which all passes over a finished schema run.

use serde_json::{Map, Value, json};

use super::Unusable;
use super::unions::is_of_type;
use super::walk::{Draft, Place, Walk};
use crate::native::tables::{Strict, Treatment};

/// The types of JSON Schema.
pub(super) const TYPES: [&str; 7] =
    ["string", "integer", "number", "boolean", "array", "object", "null"];

impl Walk<'_> {
    /// The passes over a schema whose inner schemas are converted.
    pub(super) fn finish(&mut self, draft: &mut Draft, place: Place) {
        self.types(draft);
        if place == Place::Root {
            self.root_type(draft);
        }
        self.old_bounds(draft);
        self.infer_type(draft, place);
        self.constants(draft);
        self.bounds(draft);
        self.enums(draft);
        self.formats(draft);
        self.items(draft);
        self.close(draft, place);
        if place == Place::Root && self.profile.root_properties {
            draft.map.entry("properties").or_insert_with(|| json!({}));
        }
        self.split_types(draft);
        self.null_branches(draft);
        self.nulls(draft, place);
        self.write_words(draft);
        self.stand_alone(draft);
        self.upper_case(draft);
    }

    /// Types that there are, in lower case.
    fn types(&mut self, draft: &mut Draft) {
        let Some(value) = draft.map.get("type") else { return };
        let named = |name: &Value| {
            let name = name.as_str()?;
            TYPES.into_iter().find(|known| known.eq_ignore_ascii_case(name))
        };
        let made = match value {
            Value::Array(names) => {
                let mut known: Vec<&str> = names.iter().filter_map(named).collect();
                let all = known.len();
                let mut seen = std::collections::BTreeSet::new();
                known.retain(|name| seen.insert(*name));
                if all < names.len() {
                    self.lose("type", "types that there are not were taken out");
                }
                (!known.is_empty()).then(|| json!(known))
            }
            one => named(one).map(Value::from),
        };
        match made {
            Some(made) => {
                draft.map.insert("type".to_owned(), made);
            }
            None => {
                let shown: String = value.to_string().chars().take(40).collect();
                self.lose("type", format!("taken out: there is no type {shown}"));
                draft.map.shift_remove("type");
            }
        }
    }

    /// Arguments are an object.
    fn root_type(&mut self, draft: &mut Draft) {
        match draft.map.get("type") {
            Some(Value::String(name)) if name == "object" => return,
            Some(Value::Array(names)) if names.iter().any(|name| name == "object") => {
                self.lose("type", "object: arguments are nothing else");
            }
            None => {}
            Some(other) => {
                let why =
                    format!("its input schema is of type {other}, and arguments are an object");
                self.refuse(Unusable(why));
            }
        }
        draft.map.shift_insert(0, "type".to_owned(), "object".into());
    }

    /// `const` is an `enum` of one, where there is no `const`.
    fn constants(&mut self, draft: &mut Draft) {
        if !self.profile.openapi {
            return;
        }
        let Some(at) = draft.words.iter().position(|(keyword, _)| keyword == "const") else {
            return;
        };
        let is = |name: &str| draft.map.get("type").is_none_or(|known| known == name);
        match draft.words.get(at) {
            Some((_, Value::String(value))) if is("string") && !draft.map.contains_key("enum") => {
                draft.map.insert("enum".to_owned(), json!([value]));
            }
            Some((_, Value::Null)) if is("null") => {}
            _ => return,
        }
        draft.words.remove(at);
    }

    /// In the fourth draft of JSON Schema a bound says beside it whether it is reached.
    fn old_bounds(&mut self, draft: &mut Draft) {
        for (keyword, is_exclusive) in std::mem::take(&mut draft.exclusive) {
            let inclusive = if keyword == "exclusiveMinimum" { "minimum" } else { "maximum" };
            let bound = is_exclusive.then(|| draft.map.shift_remove(inclusive)).flatten();
            match bound {
                Some(bound) if self.profile.treatment(&keyword) == Treatment::Words => {
                    draft.words.push((keyword, bound));
                }
                Some(bound) => {
                    draft.map.insert(keyword, bound);
                }
                None if is_exclusive => {
                    self.lose(&keyword, "taken out: there is no bound beside it")
                }
                None => {}
            }
        }
    }

    /// A bound that is not reached is the next whole number, where there are only bounds that are.
    fn bounds(&mut self, draft: &mut Draft) {
        if !self.profile.openapi || draft.map.get("type") != Some(&Value::from("integer")) {
            return;
        }
        for (keyword, inclusive, step) in
            [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)]
        {
            let Some(at) = draft.words.iter().position(|(known, _)| known == keyword) else {
                continue;
            };
            let bound = draft.words.get(at).and_then(|(_, value)| value.as_i64());
            let Some(bound) = bound.and_then(|bound| bound.checked_add(step)) else { continue };
            let tighter = match draft.map.get(inclusive).and_then(Value::as_i64) {
                Some(there) if step > 0 => there.max(bound),
                Some(there) => there.min(bound),
                None if draft.map.contains_key(inclusive) => continue,
                None => bound,
            };
            draft.map.insert(inclusive.to_owned(), tighter.into());
            draft.words.remove(at);
        }
    }

    /// Values that the dialect can list.
    fn enums(&mut self, draft: &mut Draft) {
        let Some(Value::Array(values)) = draft.map.get_mut("enum") else { return };
        if self.profile.openapi {
            let all = values.len();
            values.retain(|value| !value.is_null());
            draft.nullable |= values.len() < all;
            let strings = values.iter().all(Value::is_string) && !values.is_empty();
            let typed = match draft.map.get("type") {
                None => true,
                Some(Value::String(name)) => name == "string",
                Some(Value::Array(names)) => {
                    names.iter().all(|name| name == "string" || name == "null")
                        && names.iter().any(|name| name == "string")
                }
                Some(_) => false,
            };
            if strings && typed {
                return;
            }
        } else if !self.profile.plain_enums
            || values.iter().all(|value| !value.is_object() && !value.is_array())
        {
            return;
        }
        if let Some(values) = draft.map.shift_remove("enum") {
            draft.words.push(("enum".to_owned(), values));
        }
    }

    /// A type where the dialect needs one and the schema has none.
    fn infer_type(&mut self, draft: &mut Draft, place: Place) {
        let map = &draft.map;
        let needed = self.profile.openapi || self.profile.strict == Some(Strict::AllRequired);
        if !needed || ["type", "anyOf", "$ref"].iter().any(|keyword| map.contains_key(*keyword)) {
            return;
        }
        let has = |keywords: &[&str]| keywords.iter().any(|keyword| map.contains_key(*keyword));
        let words = &draft.words;
        let told = words.iter().find(|(keyword, _)| keyword == "const").map(|(_, value)| value);
        let values = map.get("enum").or_else(|| map.get("const")).or(told);
        let is_object = draft.cut == Some(true) || place == Place::Root;
        let guess = if is_object || has(&["properties", "required"]) {
            Some("object")
        } else if has(&["items", "minItems", "maxItems"]) {
            Some("array")
        } else if let Some(values) = values {
            common_type(values)
        } else if has(&["pattern", "minLength", "maxLength", "format"]) {
            Some("string")
        } else if has(&["minimum", "maximum", "multipleOf"]) {
            Some("number")
        } else {
            None
        };
        match guess {
            Some(name) => {
                if values.is_none() && draft.cut.is_none() {
                    self.lose("type", format!("taken for {name}: a type must be said"));
                }
                draft.map.insert("type".to_owned(), name.into());
            }
            None => {
                self.unfit("a part of it accepts everything");
                if self.profile.openapi {
                    self.lose("type", "taken for string: a type must be said");
                    draft.map.insert("type".to_owned(), "string".into());
                }
            }
        }
    }

    /// Formats that the provider knows, and bounds that it can hold.
    fn formats(&mut self, draft: &mut Draft) {
        if let Some(known) = &self.profile.formats {
            let format = draft.map.get("format");
            if format.is_some_and(|format| !format.as_str().is_some_and(|it| known.contains(it)))
                && let Some(format) = draft.map.shift_remove("format")
            {
                draft.words.push(("format".to_owned(), format));
            }
        }
        for (keyword, most) in &self.profile.at_most {
            let value = draft.map.get(keyword).and_then(Value::as_u64);
            if value.is_some_and(|value| value > *most)
                && let Some(value) = draft.map.shift_remove(keyword)
            {
                draft.words.push((keyword.clone(), value));
            }
        }
    }

    /// Lists say what is in them, where the provider wants that.
    fn items(&mut self, draft: &mut Draft) {
        let is_array = match draft.map.get("type") {
            Some(Value::String(name)) => name == "array",
            Some(Value::Array(names)) => names.iter().any(|name| name == "array"),
            _ => false,
        };
        let said = draft.map.contains_key("items") || draft.map.contains_key("prefixItems");
        if self.profile.items_needed && is_array && !said {
            self.lose(
                "items",
                "strings: the provider refuses a list that does not say what is in it",
            );
            let name = if self.profile.openapi { "STRING" } else { "string" };
            draft.map.insert("items".to_owned(), json!({ "type": name }));
        }
    }

    /// `nullable`, as the dialect says it.
    fn nulls(&mut self, draft: &mut Draft, place: Place) {
        let said = draft.map.shift_remove("nullable");
        let nullable = draft.nullable || said == Some(Value::Bool(true));
        if !nullable {
            return;
        }
        if place == Place::Root {
            // Arguments are an object, never null.
            self.lose("nullable", "taken out: arguments are an object");
            return;
        }
        if self.profile.openapi {
            draft.map.insert("nullable".to_owned(), Value::Bool(true));
        } else {
            let schema = Value::Object(std::mem::take(&mut draft.map));
            if let Value::Object(map) = super::objects::or_null(schema) {
                draft.map = map;
            }
        }
    }

    fn upper_case(&mut self, draft: &mut Draft) {
        if !self.profile.openapi {
            return;
        }
        let branches = draft.map.get_mut("anyOf").and_then(Value::as_array_mut);
        let branches = branches.into_iter().flatten().filter_map(Value::as_object_mut);
        for map in branches {
            upper_case(map);
        }
        upper_case(&mut draft.map);
    }
}

fn upper_case(map: &mut Map<String, Value>) {
    if let Some(Value::String(name)) = map.get_mut("type") {
        name.make_ascii_uppercase();
    }
}

/// The type that all values have but for null, or that the one value has.
fn common_type(values: &Value) -> Option<&'static str> {
    let values = match values {
        Value::Array(values) => values.as_slice(),
        one => std::slice::from_ref(one),
    };
    let others: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
    if others.is_empty() {
        return (!values.is_empty()).then_some("null");
    }
    TYPES.into_iter().find(|name| others.iter().all(|value| is_of_type(value, name)))
}
