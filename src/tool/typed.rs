//! Tools whose arguments are a type of the host. The schema is made by `schemars` from the type, so that
//! what the model reads and what the host reads cannot drift apart.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::ToolSpec;
use crate::text::Text;
use promptline_diagnostic::{Error, ErrorKind};

impl ToolSpec {
    /// A tool with this id and name that takes a `T`, as serde reads it. Its description is the comment of
    /// the type; the rest of the schema (JSON Schema, draft 2020-12) is kept whole.
    ///
    /// ```
    /// use promptline::ToolSpec;
    /// use schemars::JsonSchema;
    ///
    /// /// Open a ticket in the tracker.
    /// #[derive(JsonSchema)]
    /// struct CreateTicket {
    ///     /// One line that says what is wrong.
    ///     title: String,
    /// }
    ///
    /// # fn main() -> Result<(), promptline::Error> {
    /// let tool = ToolSpec::from_type::<CreateTicket>("create_ticket")?;
    /// assert_eq!(tool.name, "create_ticket");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Tool`] when a `T` is not written as a JSON object: arguments always are one.
    pub fn from_type<T: schemars::JsonSchema>(id: impl Into<String>) -> Result<Self, Error> {
        let generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
        let mut schema = generator.into_root_schema_for::<T>().to_value();
        let id = id.into();
        let kind = schema.get("type").filter(|kind| kind.as_str() != Some("object"));
        if kind.is_some() || !schema.is_object() {
            let message = format!(
                "tool `{}`: `{}` is not written as a JSON object",
                id.escape_debug(),
                T::schema_name()
            );
            let help = "take a struct with named fields, or a map";
            return Err(Error::new(ErrorKind::Tool, message).with_help(help));
        }
        let words = schema.as_object_mut().and_then(|root| root.shift_remove("description"));
        // A comment in the host's program is its author's own text.
        let words = words.as_ref().and_then(Value::as_str).map(Text::authored);
        Ok(Self::new(id).with_description(words.unwrap_or_default()).with_schema(schema))
    }
}
