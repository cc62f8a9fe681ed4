//! JSON Schemas of the file formats, for editors. They are generated from the very types that read the
//! files, so that the two cannot disagree; what needs more than one file to be judged is
//! left to [`check`](crate::check).

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use crate::component::FrontMatter;
use crate::condition::{IdPattern, ModelGlob, NumberRange, OneOf};
use crate::context::{PromptContext, Schema1};
use crate::overlay::OverlayFile;
use crate::pack::PackFile;
use crate::tool::ToolFile;
use crate::variant::VariantFile;

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `variants/pack.toml`
    Pack,
    /// `variants/<id>/variant.toml`
    Variant,
    /// `templates/tools/*.toml`
    Tool,
    /// The front matter of `templates/components/*.md`
    Component,
    /// `overlay.toml`
    Overlay,
    /// A context as JSON.
    Context,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Pack, Self::Variant, Self::Tool, Self::Component, Self::Overlay, Self::Context];

    /// Its name, as `pack`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pack => "pack",
            Self::Variant => "variant",
            Self::Tool => "tool",
            Self::Component => "component",
            Self::Overlay => "overlay",
            Self::Context => "context",
        }
    }
}

/// The JSON Schema (draft 7, which editors know best) of a format.
#[must_use]
pub fn schema(kind: Kind) -> Value {
    let generator = SchemaSettings::draft07().for_deserialize().into_generator();
    let schema = match kind {
        Kind::Pack => generator.into_root_schema_for::<PackFile>(),
        Kind::Variant => generator.into_root_schema_for::<VariantFile>(),
        Kind::Tool => generator.into_root_schema_for::<ToolFile>(),
        Kind::Component => generator.into_root_schema_for::<FrontMatter>(),
        Kind::Overlay => generator.into_root_schema_for::<OverlayFile>(),
        Kind::Context => generator.into_root_schema_for::<PromptContext>(),
    };
    let mut schema = schema.to_value();
    if kind != Kind::Context {
        without_null(&mut schema);
    }
    if let Some(root) = schema.as_object_mut() {
        root.insert("title".to_owned(), format!("promptline: {}", kind.name()).into());
    }
    schema
}

/// TOML has no null: what is optional is left out.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    object.insert("type".to_owned(), only);
                }
            }
            object.retain(|key, value| key != "default" || !value.is_null());
            only_branch(object);
            object.values_mut().for_each(without_null);
        }
        Value::Array(items) => items.iter_mut().for_each(without_null),
        _ => {}
    }
}

/// `anyOf` of something and null is that something.
fn only_branch(object: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = object.get_mut("anyOf") else { return };
    branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
    if branches.len() == 1
        && let Some(only) = branches.pop()
    {
        object.remove("anyOf");
        // Beside `$ref` a draft-7 reader sees nothing else.
        object.insert("allOf".to_owned(), Value::Array(vec![only]));
    }
}

impl JsonSchema for Schema1 {
    fn schema_name() -> Cow<'static, str> {
        "Schema1".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "The version of the format.", "type": "integer", "const": 1 })
    }
}

impl<T: JsonSchema> JsonSchema for OneOf<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("OneOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

impl JsonSchema for ModelGlob {
    fn schema_name() -> Cow<'static, str> {
        "ModelGlob".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A glob over the whole model id: `*` (slashes too), `?`, `[4-9]`, `{opus,sonnet}`.",
            "type": "string",
            "maxLength": 1000
        })
    }
}

impl JsonSchema for IdPattern {
    fn schema_name() -> Cow<'static, str> {
        "IdPattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A regular expression that is found in the model id, in any case; without look-around and back-references.",
            "type": "string",
            "maxLength": 1000
        })
    }
}

impl JsonSchema for NumberRange {
    fn schema_name() -> Cow<'static, str> {
        "NumberRange".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let bound = r"\s*(<=|>=|<|>|=)\s*_*[0-9][0-9_]*\s*";
        json_schema!({
            "description": "Comparisons joined by commas: `<=16384`, `>=4096, <16384`.",
            "type": "string",
            "pattern": format!("^{bound}(,{bound})*$")
        })
    }
}
