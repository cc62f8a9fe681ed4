//! What an answer is to look like, and how tolerant its reader is.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ReferencingError, ValidationError, Validator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, ErrorKind, ParseError};
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

/// Which of several values in an answer is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pick {
    /// The one that fits best: what is announced as the answer, in a code fence or on lines of its own comes
    /// before what is mentioned in a sentence or as an example; of equals the last, since models correct
    /// themselves.
    #[default]
    Best,
    /// The first that fits.
    First,
    /// The last that fits.
    Last,
    /// The last that fits in a code fence; outside of one nothing counts.
    Fenced,
}

/// What is done with an item of a list that does not fit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnBadItem {
    /// The list does not fit.
    #[default]
    Reject,
    /// The item is removed from the list, and reported as
    /// [`Coercion::ItemDropped`](crate::Coercion::ItemDropped).
    Drop,
}

/// What an answer is to look like, untyped: what all parsing works with.
#[derive(Clone)]
pub(crate) struct Spec {
    pub(crate) schema: Arc<Value>,
    pub(crate) shapes: Arc<Shapes>,
    pub(crate) validator: Option<Arc<Validator>>,
    pub(crate) on_unknown: OnUnknown,
    pub(crate) on_bad_item: OnBadItem,
    pub(crate) pick: Pick,
    pub(crate) max_risk: Risk,
    pub(crate) limits: Limits,
    pub(crate) name: Arc<str>,
}

impl fmt::Debug for Spec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OutputSpec")
            .field("name", &self.name)
            .field("schema", &self.schema)
            .field("on_unknown", &self.on_unknown)
            .field("on_bad_item", &self.on_bad_item)
            .field("pick", &self.pick)
            .field("max_risk", &self.max_risk)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Spec {
    fn any() -> Self {
        Self {
            schema: Arc::new(Value::Bool(true)),
            shapes: Arc::new(Shapes::any()),
            validator: None,
            on_unknown: OnUnknown::default(),
            on_bad_item: OnBadItem::default(),
            pick: Pick::default(),
            max_risk: Risk::Lossy,
            limits: Limits::default(),
            name: Arc::from("answer"),
        }
    }
}

/// What an answer is to look like, and the type `T` that its value becomes. Cheap to clone.
pub struct OutputSpec<T = Value> {
    pub(crate) spec: Spec,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for OutputSpec<T> {
    fn clone(&self) -> Self {
        Self { spec: self.spec.clone(), of: PhantomData }
    }
}

impl<T> fmt::Debug for OutputSpec<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(formatter)
    }
}

impl OutputSpec {
    /// The spec of a Rust type, whose answers become that type.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] when the schema of the type cannot be used.
    #[cfg(feature = "schemars")]
    pub fn of<T: schemars::JsonSchema>() -> Result<OutputSpec<T>, Error> {
        Ok(Self::from_schema(schemars::schema_for!(T).to_value())?.typed())
    }

    /// Accepts any JSON.
    #[must_use]
    pub fn any() -> Self {
        Self { spec: Spec::any(), of: PhantomData }
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
        let spec = Spec {
            name: Arc::from(name),
            shapes: Arc::new(shapes),
            validator: Some(Arc::new(validator)),
            schema: Arc::new(schema),
            ..Spec::any()
        };
        Ok(Self { spec, of: PhantomData })
    }
}

impl<T> OutputSpec<T> {
    /// The same spec for another type, which the caller knows to accept what the schema allows.
    #[must_use]
    pub fn typed<U>(self) -> OutputSpec<U> {
        OutputSpec { spec: self.spec, of: PhantomData }
    }

    /// Names the answer, for native parameters: letters, digits, `_` and `-`. The schema's title by default.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.spec.name = Arc::from(name);
        self
    }

    /// Takes `said` for `meant` in every field of this name: `.synonym("quality", "高清", "1080p")`. A path
    /// from the root means that field only: `/video/quality`, with `*` for any item of a list.
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

    /// Another key for every field of this name, or for the one at a path.
    ///
    /// # Errors
    /// [`ErrorKind::Field`] when the schema has no such field.
    pub fn alias(mut self, field: &str, other: &str) -> Result<Self, Error> {
        self.change(field, |prop| prop.aliases.push(other.to_owned()))?;
        Ok(self)
    }

    /// The value of a field of this name, or at a path, that is missing.
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
        let shapes = Arc::make_mut(&mut self.spec.shapes);
        let mut changed = false;
        if field.starts_with('/') {
            changed = shapes.field_at(field).map(&mut change).is_some();
        } else {
            for prop in shapes.fields(field) {
                change(prop);
                changed = true;
            }
        }
        if changed {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Field,
            format!(
                "the schema has no field `{field}`; use a key of its `properties`, or a path from the root"
            ),
        ))
    }

    /// What is done with fields that the schema does not know.
    #[must_use]
    pub fn on_unknown(mut self, what: OnUnknown) -> Self {
        self.spec.on_unknown = what;
        self
    }

    /// What is done with items of a list that do not fit.
    #[must_use]
    pub fn on_bad_item(mut self, what: OnBadItem) -> Self {
        self.spec.on_bad_item = what;
        self
    }

    /// Which of several values in an answer is taken.
    #[must_use]
    pub fn pick(mut self, pick: Pick) -> Self {
        self.spec.pick = pick;
        self
    }

    /// Asserts `format` (`date`, `date-time`, `email`, `uuid`, `uri`, …), which JSON Schema treats as an
    /// annotation otherwise.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] as for [`from_schema`](OutputSpec::from_schema).
    pub fn assert_formats(mut self) -> Result<Self, Error> {
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&self.spec.schema)
            .map_err(|error| unusable(&error))?;
        self.spec.validator = Some(Arc::new(validator));
        Ok(self)
    }

    /// The riskiest repair or coercion with which a value still fits; [`Risk::Lossy`] by default.
    #[must_use]
    pub fn max_risk(mut self, risk: Risk) -> Self {
        self.spec.max_risk = risk;
        self
    }

    /// What one answer may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.spec.limits = limits;
        self
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Value {
        &self.spec.schema
    }

    /// Reads an answer. Never fails: what cannot be read is reported in the result.
    #[must_use]
    pub fn parse(&self, raw: &str) -> Parsed {
        crate::read::read(&self.spec, raw)
    }
}

impl<T: DeserializeOwned> OutputSpec<T> {
    /// Reads an answer into the type of the spec.
    ///
    /// # Errors
    /// When the answer has no value that fits, or is cut off, or the type does not accept what the schema
    /// allows; the error shows the answer and the reasons.
    pub fn parse_as(&self, raw: &str) -> Result<T, ParseError> {
        let parsed = self.parse(raw);
        let value = parsed.fitting().filter(|_| parsed.truncated.is_none()).cloned();
        match value.map(serde_json::from_value) {
            Some(Ok(value)) => Ok(value),
            Some(Err(error)) => Err(ParseError::new(parsed, Some(error))),
            None => Err(ParseError::new(parsed, None)),
        }
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
