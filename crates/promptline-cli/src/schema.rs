//! `promptline schema`. What a schema says is the library's business.

use promptline::schema::{Kind, schema};

use crate::args::{SchemaArgs, SchemaKind};
use crate::output::{Failure, Output};

pub(crate) fn run(args: &SchemaArgs, output: &mut Output) -> Result<(), Failure> {
    let kind = match args.kind {
        SchemaKind::Pack => Kind::Pack,
        SchemaKind::Variant => Kind::Variant,
        SchemaKind::Tool => Kind::Tool,
        SchemaKind::Component => Kind::Component,
        SchemaKind::Overlay => Kind::Overlay,
        SchemaKind::Context => Kind::Context,
    };
    let json = serde_json::to_string_pretty(&schema(kind))
        .map_err(|error| Failure::Said(error.to_string()))?;
    output.line(json)
}
