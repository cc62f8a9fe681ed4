//! What an answer is to look like, and how tolerant its reader is.

use std::fmt;
use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ReferencingError, ValidationError, Validator};
use serde_json::Value;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::parsed::Parsed;
use crate::repair::Risk;
use crate::shape::Shapes;

/// What is done with a field that the schema does not know. Where the schema says
/// `additionalProperties: true`, every field is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnUnknown {
    /// It is left out of the value, and reported.
    #[default]
    Drop,
    /// It stays in the value, and is reported; where the schema forbids it, it is left out.
    Keep,
    /// The value does not fit.
    Reject,
}

/// What an answer is to look like. Cheap to clone.
#[derive(Clone)]
pub struct OutputSpec {
    pub(crate) schema: Arc<Value>,
    pub(crate) shapes: Arc<Shapes>,
    pub(crate) validator: Option<Arc<Validator>>,
    pub(crate) on_unknown: OnUnknown,
    pub(crate) max_risk: Risk,
    pub(crate) limits: Limits,
    pub(crate) name: Arc<str>,
}

impl fmt::Debug for OutputSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OutputSpec")
            .field("name", &self.name)
            .field("schema", &self.schema)
            .field("on_unknown", &self.on_unknown)
            .field("max_risk", &self.max_risk)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl OutputSpec {
    /// Any JSON is right.
    #[must_use]
    pub fn any() -> Self {
        Self {
            schema: Arc::new(Value::Bool(true)),
            shapes: Arc::new(Shapes::any()),
            validator: None,
            on_unknown: OnUnknown::default(),
            max_risk: Risk::Lossy,
            limits: Limits::default(),
            name: Arc::from("answer"),
        }
    }

    /// What a JSON Schema allows, of any draft that the `jsonschema` crate reads. `x-alias` on a property
    /// and `x-enum-alias` (a table of value to alias) beside an `enum` are other names that a model may use.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] when it is no valid schema, refers to something outside of itself, or has other
    /// words for a value that its enum does not have.
    pub fn from_schema(schema: Value) -> Result<Self, Error> {
        let shapes = Shapes::of(&schema)?;
        let validator = jsonschema::validator_for(&schema).map_err(|error| unusable(&error))?;
        let name = schema.get("title").and_then(Value::as_str).unwrap_or("answer");
        Ok(Self {
            name: Arc::from(name),
            shapes: Arc::new(shapes),
            validator: Some(Arc::new(validator)),
            schema: Arc::new(schema),
            ..Self::any()
        })
    }

    /// What a Rust type takes.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] when the schema of the type cannot be used.
    #[cfg(feature = "schemars")]
    pub fn of<T: schemars::JsonSchema>() -> Result<Self, Error> {
        Self::from_schema(schemars::schema_for!(T).to_value())
    }

    /// Names the answer, for native parameters: letters, digits, `_` and `-`. The schema's title by default.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = Arc::from(name);
        self
    }

    /// Takes `said` for `meant` in every field of this name: `.synonym("quality", "高清", "1080p")`.
    ///
    /// # Errors
    /// [`ErrorKind::Field`] when the schema has no such field.
    pub fn synonym(
        mut self,
        field: &str,
        said: &str,
        meant: impl Into<Value>,
    ) -> Result<Self, Error> {
        let meant = meant.into();
        self.change(field, |prop| prop.synonyms.push((said.to_owned(), meant.clone())))?;
        Ok(self)
    }

    /// Another key for every field of this name.
    ///
    /// # Errors
    /// [`ErrorKind::Field`] when the schema has no such field.
    pub fn alias(mut self, field: &str, other: &str) -> Result<Self, Error> {
        self.change(field, |prop| prop.aliases.push(other.to_owned()))?;
        Ok(self)
    }

    /// The value of a field of this name that is missing.
    ///
    /// # Errors
    /// [`ErrorKind::Field`] when the schema has no such field.
    pub fn default(mut self, field: &str, value: impl Into<Value>) -> Result<Self, Error> {
        let value = value.into();
        self.change(field, |prop| prop.default = Some(value.clone()))?;
        Ok(self)
    }

    fn change(
        &mut self,
        field: &str,
        mut change: impl FnMut(&mut crate::shape::Prop),
    ) -> Result<(), Error> {
        let mut changed = false;
        for prop in Arc::make_mut(&mut self.shapes).fields(field) {
            change(prop);
            changed = true;
        }
        if changed {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Field,
            format!("the schema has no field `{field}`; name a key of its `properties`"),
        ))
    }

    /// What is done with fields that the schema does not know.
    #[must_use]
    pub fn on_unknown(mut self, what: OnUnknown) -> Self {
        self.on_unknown = what;
        self
    }

    /// The riskiest repair or coercion with which a value still fits; [`Risk::Lossy`] by default.
    #[must_use]
    pub fn max_risk(mut self, risk: Risk) -> Self {
        self.max_risk = risk;
        self
    }

    /// What one answer may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Reads an answer. Never fails: what cannot be read is said in the result.
    #[must_use]
    pub fn parse(&self, raw: &str) -> Parsed {
        crate::read::read(self, raw)
    }
}

/// Why the validator cannot use a schema, and what to do.
fn unusable(error: &ValidationError<'_>) -> Error {
    let outside = match error.kind() {
        ValidationErrorKind::Referencing(ReferencingError::Unretrievable { uri, .. }) => Some(uri),
        _ => None,
    };
    let said = match outside {
        Some(uri) => format!("`{uri}` lies outside of the schema; put it under `$defs`"),
        None => {
            let place = error.instance_path().to_string();
            let place = if place.is_empty() { "the schema".to_owned() } else { place };
            format!("{place}: {error}; give a valid JSON Schema")
        }
    };
    Error::new(ErrorKind::Schema, said)
}
